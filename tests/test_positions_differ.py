"""Positions that differ in one thing only are not equal, either way round, and have other keys.

The other half of test_equal_boards.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import blokus_fast as bf

CAPPED = bf.Variant(
    "capped", 6, ["x", "y"], [["a6"], ["f1"]], max_rounds=9, voluntary_pass=True
)  # fmt: skip
EMPTY_14 = "/".join(["14."] * 14)


Pair = tuple[bf.Board, bf.Board]


def rounds() -> Iterator[Pair]:
    text = "capped a5./6./6./6./6./5.b a round={} ply=9"
    boards = [bf.parse_position(text.format(number), CAPPED) for number in (2, 3, 8)]
    assert [board.round for board in boards] == [2, 3, 8]
    yield from combinations(boards, 2)


def shared() -> Iterator[Pair]:
    """Who places the shared color next."""
    board = bf.Board("classic-3p")
    for move in ("a20", "t20", "t1"):
        board.push(board.parse_move(move))
    board.push(board.legal_ids()[0])
    text = bf.position_text(board)
    assert "shared" not in text
    assert board.variant.owners[board.turn] is not None
    yield from combinations(
        [board, *(bf.parse_position(f"{text} shared={player}") for player in (0, 2))], 2
    )


def hands() -> Iterator[Pair]:
    """Whose hand it is; the turn and all squares are the same."""
    for variant in ("draft-2p", "draft-3p"):
        rest: list[dict[str, list[str]]] = [{"green": ["X"]}] * (bf.variant(variant).players - 2)
        yield (
            bf.Board(variant, hands=[{"blue": ["F"]}, {"blue": ["W"]}, *rest]),
            bf.Board(variant, hands=[{"blue": ["W"]}, {"blue": ["F"]}, *rest]),
        )


def picks() -> Iterator[Pair]:
    boards = []
    for names in (("F", "W"), ("W", "F")):
        board = bf.Board("draft-2p")
        for piece in names:
            board.push(board.parse_move(f"pick {piece}"))
        boards.append(board)
    yield boards[0], boards[1]


def placed() -> Iterator[Pair]:
    """Who has placed how many of the squares."""
    squares, held = {"blue": ["a20", "b19,c19"]}, [{"blue": ["F"]}, {"blue": ["W"]}]
    one, other = (
        bf.set_up("draft-2p", squares, hands=held, placed=counts, player=0)
        for counts in ((1, 2), (2, 1))
    )
    yield one, other


PAIRS = pytest.mark.parametrize("pairs", [rounds, shared, hands, picks, placed])


@PAIRS
def test_boards_are_not_equal(pairs: Callable[[], Iterator[Pair]]) -> None:
    for one, other in pairs():
        assert one != other
        assert other != one
        assert one == one.copy()


@PAIRS
def test_keys_are_not_equal(pairs: Callable[[], Iterator[Pair]]) -> None:
    for one, other in pairs():
        assert one.key() != other.key()


@PAIRS
def test_texts_are_not_equal(pairs: Callable[[], Iterator[Pair]]) -> None:
    for one, other in pairs():
        assert bf.position_text(one) != bf.position_text(other)


@PAIRS
def test_batches_are_not_equal(pairs: Callable[[], Iterator[Pair]]) -> None:
    for one, other in pairs():
        batches = [bf.BatchBoard(2, one.variant) for _ in range(2)]
        batches[0][0], batches[1][0] = one, other
        assert batches[0] != batches[1]
        assert batches[1] != batches[0]


@PAIRS
def test_keys_of_batches_are_not_equal(pairs: Callable[[], Iterator[Pair]]) -> None:
    for one, other in pairs():
        batches = [bf.BatchBoard(2, one.variant) for _ in range(2)]
        batches[0][0], batches[1][0] = one, other
        assert (batches[0].keys() == batches[1].keys()).tolist() == [False, True]


def test_the_round_does_not_count_where_there_is_no_last_one() -> None:
    endless = replace(CAPPED, max_rounds=0)
    late, early = bf.Board(endless), bf.Board(endless)
    for board, moves in ((late, ["a6", "f1", "pass", "pass"]), (early, ["a6", "f1"])):
        for move in moves:
            board.push(board.parse_move(move))
    # Here only the number of moves tells them apart, which is no part of the key.
    assert late != early
    assert late.key() == early.key()


def test_the_number_of_moves_but_not_in_the_key() -> None:
    boards = [
        bf.parse_position(f"capped a5./6./6./6./6./5.b a round=2 ply={ply}", CAPPED)
        for ply in (5, 6)
    ]
    assert boards[0] != boards[1]
    assert boards[0].key() == boards[1].key()


def test_the_same_stone_elsewhere() -> None:
    base = bf.parse_position(f"duo {EMPTY_14} a")
    keys = {base.key()}
    for action in base.legal_ids().tolist():
        base.push(action)
        keys.add(base.key())
        base.pop()
    assert len(keys) == 829
    assert np.unique(list(keys)).size == 829
