"""All kernels that this computer can run give the same answers, bit by bit."""

import random

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast import _core

KERNELS = bf.cpu_info()["supported"]
IN_USE = bf.cpu_info()["kernel"]


def tiny(size, rng):
    """A variant with a random mask, hands and start squares."""
    rows = ["".join(rng.choice("....#") for _ in range(size)) for _ in range(size)]
    squares = [
        f"{chr(97 + c)}{size - r}" for r in range(size) for c in range(size) if rows[r][c] == "."
    ]
    if not squares:
        rows[0] = "." + rows[0][1:]
        squares = [f"a{size}"]
    colors = rng.randint(1, min(4, len(squares)))
    starts = rng.sample(squares, colors)
    return bf.Variant(
        name=f"tiny {size}",
        size=size,
        color_names=("a", "b", "c", "d")[:colors],
        start_squares=[(start,) for start in starts],
        pieces=[rng.sample(bf.PIECES, rng.randint(1, 21)) for _ in range(colors)],
        playable=rows,
        start=rng.choice(["assigned", "any", "border"]),
    )


def variants():
    rng = random.Random(8)
    yield from ("classic", "classic-2p", "duo", "junior")
    for size in range(1, 21):
        yield tiny(size, rng)


def answers(seed=3):
    """Ask everything of positions of random games; the games use no kernel's sampling."""
    rng = random.Random(seed)
    found = []
    for variant in variants():
        board = bf.Board(variant)
        while True:
            for color in range(board.n_colors):
                ids = board.legal_ids(color=color)
                mask = board.legal_mask(color=color)
                assert np.flatnonzero(mask).tolist() == ids.tolist()
                assert board.count_legal(color) == len(ids)
                assert board.any_legal(color) == bool(len(ids))
                found.append(ids.tobytes())
                found.append((board.corner_mask(color), board.forbidden_mask(color)))
            if board.is_game_over:
                break
            for weights in ({}, {"piece_weights": "size"}):
                found.append(bf.playouts(board, 2, board.ply, **weights).tobytes())
            ids = board.legal_ids().tolist()
            for _ in range(min(rng.randint(1, 3), 3)):
                if not board.is_game_over:
                    board.push(rng.choice(board.legal_ids().tolist()))
    return found


@pytest.fixture(scope="module")
def expected():
    _core._use_kernel("portable")
    try:
        return answers()
    finally:
        _core._use_kernel(IN_USE)


def test_kernels_agree(kernel, expected):
    for mine, theirs in zip(answers(), expected, strict=True):
        assert mine == theirs


def test_perft_is_the_same(kernel):
    assert bf.perft(bf.Board("classic"), 3) == 195_112
    assert bf.perft(bf.Board("junior", start="assigned"), 3) == 8_665_264


def test_ids_go_nowhere_but_into_the_buffer(kernel):
    """Kernels store whole vectors: a caller's buffer must not notice."""
    board = bf.Board("classic")
    for move in ("c18,a19,b19,c19,a20", "s18,s19,t19,s20,t20"):
        board.push(board.parse_move(move))
    n = board.count_legal()
    for dtype in (np.uint16, np.int32, np.int64):
        buffer = np.full(n + 200, 7, dtype)
        assert board.legal_ids(out=buffer[100 : 100 + n]) == n
        assert (buffer[:100] == 7).all()
        assert (buffer[100 + n :] == 7).all()
        assert buffer[100 : 100 + n].tolist() == board.legal_ids().tolist()
    mask = np.full(board.n_moves + 128, 9, np.uint8)
    board.legal_mask(out=mask[64:-64])
    assert (mask[:64] == 9).all()
    assert (mask[-64:] == 9).all()


def test_info_names_the_kernel():
    info = bf.cpu_info()
    assert info["kernel"] == info["supported"][-1] or info["kernel"] in info["supported"]
    assert set(info["supported"]) <= set(info["kernels"])
    assert info["kernels"][0] == "portable"


def test_unknown_kernel():
    with pytest.raises(ValueError, match=r"unknown kernel 'abacus'.*portable"):
        _core._use_kernel("abacus")
