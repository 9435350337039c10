"""A consumer in numba: random games in several threads, without the GIL."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numba import njit

import blokus_fast as bf
from blokus_fast import native

seed_rng = native.function("seed")
draw = native.function("draw")
push = native.function("push")
is_open = native.function("any")
player_score = native.function("player_score")


@njit(nogil=True)
def play_part(rules, start, seed, first, scores, state, undo, rng, policy):
    """Fill the scores of games move by move; all but `rules` and numbers are arrays."""
    for i in range(scores.shape[0]):
        state[:] = start
        seed_rng(rng.ctypes.data, seed, first + i)
        while is_open(rules, state.ctypes.data, -1):
            action = draw(rules, state.ctypes.data, policy.ctypes.data, rng.ctypes.data)
            push(rules, state.ctypes.data, action, undo.ctypes.data)
        for player in range(scores.shape[1]):
            scores[i, player] = player_score(rules, state.ctypes.data, player)


def memory(size):
    """Return an array for a struct of that many bytes."""
    return np.zeros((size + 7) // 8, np.uint64)


def play(board, n, seed, threads):
    """Return the scores of n random games."""
    rules, start = native.rules_address(board), memory(native.STATE_SIZE)
    view = start.view(np.uint8)[: native.STATE_SIZE]
    view[:] = np.ctypeslib.as_array(
        (native.ctypes.c_uint8 * native.STATE_SIZE).from_address(native.state_address(board))
    )
    scores = np.empty((n, board.n_players), np.int32)
    bounds = [n * i // threads for i in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(
            pool.map(
                lambda part: play_part(
                    rules,
                    start,
                    np.uint64(seed),
                    np.uint64(bounds[part]),
                    scores[bounds[part] : bounds[part + 1]],
                    start.copy(),
                    memory(native.UNDO_SIZE),
                    memory(native.RNG_SIZE),
                    memory(native.POLICY_SIZE),
                ),
                range(threads),
            )
        )
    return scores


if __name__ == "__main__":
    board = bf.Board("duo")
    assert (play(board, 100, 7, 2) == bf.playouts(board, 100, seed=7)).all()
