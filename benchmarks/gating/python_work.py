"""Fixed work from Python, for an instruction counter; prints the number of calls of each kind.

Each of the counted functions is called here and nowhere else in the process.
"""

from __future__ import annotations

import random

import numpy as np

from blokus_fast import BatchBoard, Board, _core

N_GAMES = 4
N_PLAYOUTS = 40
N_BATCH = 16
CASES = ("push", "pop", "copy", "legal_ids(out=)", "playouts")
BATCH_CASES = ("batch sample", "batch step", "batch mask", "batch list")


def play_batch(calls: dict[str, int]) -> None:
    """Play a batch of Classic games to the end."""
    batch = BatchBoard(N_BATCH, "classic")
    mask = np.empty((N_BATCH, batch.n_actions), np.uint8)
    while not batch.done.all():
        batch.legal_ids()
        batch.legal_mask(mask)
        batch.step(batch.sample_actions(1))
        for name in BATCH_CASES:
            calls[name] += 1


def main() -> None:
    """Do the work."""
    calls = dict.fromkeys(CASES + BATCH_CASES, 0)
    buffer = np.empty(40000, np.uint16)
    stop = np.zeros(1, np.uint8)
    for game in range(N_GAMES):
        variant = ("classic", "duo")[game % 2]
        rng = random.Random(game)
        board = Board(variant)
        moves = []
        while not board.is_game_over:
            # Neither legal_ids nor push: those are counted.
            moves.append(rng.choice(np.flatnonzero(board.legal_mask()).tolist()))
            board.push_unchecked(moves[-1])
        while board.ply:
            board.pop()
            board.legal_ids(out=buffer)
            board.copy()
            calls["pop"] += 1
            calls["legal_ids(out=)"] += 1
            calls["copy"] += 1
        scores = np.empty((N_PLAYOUTS, board.n_players), np.int32)
        _core._playouts(board, game, 0, scores, None, None, stop)
        calls["playouts"] += 1
        for move in moves:
            board.push(move)
            calls["push"] += 1
    play_batch(calls)
    for name, number in calls.items():
        print(name, number)


if __name__ == "__main__":
    main()
