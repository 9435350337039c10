"""Playouts: the same on every thread count and kernel, fair, and true to the rules."""

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from drawing import Rng, play_out

import blokus_fast as bf


@pytest.mark.parametrize("variant", ["classic", "classic-2p", "duo", "junior"])
@pytest.mark.parametrize("policy", ["uniform", "piece", "move"])
def test_playouts_draw_as_documented(variant, policy):
    board = bf.Board(variant)
    for text in {20: ("a20",), 14: ("e10",)}[board.size]:
        board.push(board.parse_move(text))
    weights = {}
    if policy == "piece":
        weights = {"piece_weights": [1 + p * p for p in range(21)]}
    elif policy == "move":
        rng = np.random.default_rng(1)
        weights = {"move_weights": rng.integers(0, 2**32, board.n_moves, dtype=np.uint32)}
        weights["move_weights"][rng.random(board.n_moves) < 0.5] = 0
    scores = bf.playouts(board, 3, seed=2**63 + 5, **weights)
    for i, row in enumerate(scores.tolist()):
        assert tuple(row) == play_out(board, Rng(2**63 + 5, i), **weights).player_scores()
    assert scores.dtype == np.int32
    assert scores.shape == (3, board.n_players)


@pytest.mark.parametrize("variant", ["classic", "duo"])
@pytest.mark.parametrize("weights", [{}, {"piece_weights": "size"}])
def test_threads_and_kernels_do_not_change_results(variant, weights):
    board = bf.Board(variant)
    expected = bf.playouts(board, 60, 7, **weights)
    assert (bf.playouts(board, 60, 7, threads=3, **weights) == expected).all()
    assert (bf.playouts(board, 20, 7, **weights) == expected[:20]).all()
    assert (bf.playouts(board, 60, 8, **weights) != expected).any()
    code = (
        "import sys, blokus_fast as bf\n"
        f"scores = bf.playouts(bf.Board({variant!r}), 60, 7, **{weights!r})\n"
        "sys.stdout.write(scores.tobytes().hex())"
    )
    for kernel in bf.cpu_info()["supported"]:
        done = subprocess.run(
            [sys.executable, "-P", "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "BLOKUS_FAST_KERNEL": kernel},
        )
        assert bytes.fromhex(done.stdout) == expected.tobytes(), kernel


@pytest.mark.parametrize(
    ("variant", "sums"),
    [
        ("classic", [-5451, -5745, -5792, -6276]),
        ("classic-2p", [-11243, -12021]),
        ("duo", [-6679, -7027]),
        ("junior", [-6326, -6424]),
    ],
)
def test_figures_stay(variant, sums):
    """Results for a seed are a promise; these change only with a new major release."""
    assert bf.playouts(bf.Board(variant), 200, 1).sum(axis=0).tolist() == sums


def test_the_board_is_left_alone():
    board = bf.Board("duo")
    before = board._state_bytes()
    bf.playouts(board, 10)
    assert board._state_bytes() == before


def test_a_finished_game_scores_itself():
    board = bf.Board("duo")
    while not board.is_game_over:
        board.push(int(board.legal_ids()[-1]))
    scores = bf.playouts(board, 4)
    assert scores.tolist() == [list(board.player_scores())] * 4
    assert bf.playouts(board, 0).shape == (0, 2)


def test_the_last_move_is_drawn_uniformly():
    """Near the end all continuations can be counted: the playouts' shares must fit them."""
    board = bf.Board("duo")
    rng = np.random.default_rng(3)
    while True:
        ids = board.legal_ids()
        if 3 <= len(ids) <= 6 and board.count_legal(1 - board.turn) == 0:
            break
        if board.is_game_over:
            board = bf.Board("duo")
            continue
        board.push(rng.choice(ids))

    def shares(position, chance=1.0):
        if position.is_game_over:
            return Counter({position.player_scores(): chance})
        total = Counter()
        ids = position.legal_ids().tolist()
        for i in ids:
            position.push(i)
            total.update(shares(position, chance / len(ids)))
            position.pop()
        return total

    expected = shares(board)
    n = 20_000
    seen = Counter(map(tuple, bf.playouts(board, n, 5).tolist()))
    assert set(seen) <= set(expected)
    # Chi-squared with generous room: 5 standard deviations per class.
    for result, chance in expected.items():
        spread = (n * chance * (1 - chance)) ** 0.5
        assert abs(seen[result] - n * chance) <= 5 * spread + 1, (result, chance)


def test_move_weights_decide():
    board = bf.Board("duo", start="assigned")
    weights = np.zeros(board.n_moves, np.uint32)
    only = board.parse_move("e10")
    weights[only] = 1
    monomino_first = bf.playouts(board, 50, 1, move_weights=weights)
    after = board.copy()
    after.push(only)
    # The second color and all later moves weigh 0, so they are drawn uniformly.
    assert monomino_first[:, 0].max() < 0
    assert bf.playouts(after, 50, 1).shape == monomino_first.shape


def test_big_pieces_first_scores_better():
    board = bf.Board("classic")
    uniform = bf.playouts(board, 400, 1).mean()
    assert bf.playouts(board, 400, 1, piece_weights="size").mean() > uniform + 1


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("duo", 1), TypeError, "must be a Board"),
        ((None, -1), ValueError, "n -1 is not in"),
        ((None, 1, -1), ValueError, "seed -1"),
        ((None, 1, 2**64), ValueError, "seed 18446744073709551616"),
        ((None, 1, 0, 0), ValueError, "threads 0"),
        ((None, 1.5), TypeError, "float"),
    ],
)
def test_bad_arguments(arguments, error, words):
    board = bf.Board("duo") if arguments[0] is None else arguments[0]
    with pytest.raises(error, match=words):
        bf.playouts(board, *arguments[1:])


@pytest.mark.parametrize(
    ("weights", "error", "words"),
    [
        ({"piece_weights": [1] * 20}, ValueError, r"shape \(21,\)"),
        ({"piece_weights": [0] + [1] * 20}, ValueError, "0 to 1"),
        ({"piece_weights": [1.0] * 21}, TypeError, "integers"),
        ({"piece_weights": "large"}, ValueError, "'large'"),
        ({"move_weights": [1, 2]}, ValueError, r"shape \(13729,\)"),
        ({"move_weights": np.full(13729, -1)}, ValueError, "-1 to -1"),
        (
            {"move_weights": np.ones(13729, int), "piece_weights": "size"},
            ValueError,
            "exclude each other",
        ),
    ],
)
def test_bad_weights(weights, error, words):
    with pytest.raises(error, match=words):
        bf.playouts(bf.Board("duo"), 1, **weights)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_playouts(threads):
    """The interrupt got lost where it came between two blocks of the calling thread."""
    code = f"""
import os, signal, threading, time
import blokus_fast as bf
begin = time.monotonic()
try:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    bf.playouts(bf.Board("classic"), 3_000_000, threads={threads})
except KeyboardInterrupt:
    print("interrupted" if time.monotonic() - begin < 15 else "late")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "interrupted\n", done.stderr
