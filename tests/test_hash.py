"""The key: equal for equal positions, different for different ones, the same for ever."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest
from helpers import GAME, board_after, monomino_last, random_moves, snapshot

import blokus_fast as bf

HASHES = Path(__file__).parent / "data" / "hashes.csv"
GOLDEN = list(csv.reader(HASHES.read_text(encoding="ascii").splitlines()))


@pytest.mark.parametrize("line", GOLDEN, ids=lambda line: f"{line[0]}-{line[1]}-{len(line[2])}")
def test_keys_never_change(line: list[str]) -> None:
    variant, start, moves, key = line
    board = bf.Board(variant, start=start)
    for move in moves.split():
        board.push(int(move))
    assert f"{board.key():016x}" == key


def test_golden_keys_cover_every_variant_and_are_distinct() -> None:
    assert {line[0] for line in GOLDEN} == set(bf.VARIANTS)
    positions = set()
    for name, _, moves, _ in GOLDEN:
        variant = bf.VARIANTS[name]
        # What a variant allows later is not part of a position.
        positions.add((variant.size, variant.players, variant.pieces, variant.draft, moves))
    assert len({line[3] for line in GOLDEN}) == len(positions)


@GAME
def test_the_key_is_64_bits_and_comes_back_after_pop(variant: str, start: str) -> None:
    board = bf.Board(variant, start=start)
    keys = [board.key()]
    for move in random_moves(variant, start, 1):
        board.push(move)
        keys.append(board.key())
        assert 0 <= board.key() < 2**64
        assert board.copy().key() == board.key()
    assert len(set(keys)) == len(keys)
    while board.ply:
        assert board.key() == keys.pop()
        board.pop()


def reordered(board: bf.Board, rng: random.Random) -> bf.Board | None:
    """Play each color's moves in another order, if the rules let us."""
    other = bf.Board(board.variant)
    left: list[list[int]] = [[] for _ in range(board.n_colors)]
    replayed = bf.Board(board.variant)
    for move in board.move_stack:
        left[replayed.turn].append(move)
        replayed.push(move)
    while other.ply < board.ply:
        choices = [move for move in left[other.turn] if other.is_legal(move)]
        if not choices:
            return None
        move = rng.choice(choices)
        left[other.turn].remove(move)
        other.push(move)
    return other


@GAME
def test_equal_positions_by_different_orders(variant: str, start: str) -> None:
    """Equal boards and equal keys, though the moves came in another order."""
    rng = random.Random(4)
    found = 0
    for seed in range(40):
        board = board_after(variant, start, seed, 4 * bf.variant(variant).n_colors)
        other = reordered(board, rng)
        if other is None or other.move_stack == board.move_stack:
            continue
        # The piece that came last belongs to the position only if it was the monomino.
        if monomino_last(board) != monomino_last(other):
            continue
        found += 1
        assert other == board
        assert other.key() == board.key()
        assert snapshot(other)[6:14] == snapshot(board)[6:14]
    assert found >= 2


def test_the_last_piece_is_part_of_the_position() -> None:
    """The same squares with the monomino last or first score differently at the end."""
    variant = bf.Variant("two", 6, ["only"], [["a6", "b5"]], pieces=[["1", "2"]])
    boards = []
    for moves in (["a6", "b5,c5"], ["b5,c5", "a6"]):
        board = bf.Board(variant)
        for move in moves:
            board.push(board.parse_move(move))
        boards.append(board)
    assert boards[0].own_mask(0) == boards[1].own_mask(0)
    assert boards[0].color_scores() != boards[1].color_scores()
    assert boards[0] != boards[1]
    assert boards[0].key() != boards[1].key()


def test_whose_turn_it_is_is_part_of_the_key() -> None:
    """Nothing on the board, but another color to begin."""
    one = bf.Board(bf.Variant("one", 9, ["blue", "red"], [["a9"], ["i1"]]))
    other = bf.Board(bf.Variant("one", 9, ["blue", "red"], [["a9"], ["i1"]], order=(1, 0)))
    assert (one.turn, other.turn) == (0, 1)
    assert one.key() != other.key()
    assert one != other


def test_the_color_of_a_square_is_part_of_the_key() -> None:
    variant = bf.variant("duo", start="any")
    keys = set()
    for moves in (["e10", "j5"], ["j5", "e10"]):
        board = bf.Board(variant)
        for move in moves:
            board.push(board.parse_move(move))
        keys.add(board.key())
    assert len(keys) == 2


def test_hands_are_part_of_the_key() -> None:
    pieces = [["1", "2", "I3"], ["1", "2", "V3"]]
    keys = {
        bf.Board(bf.Variant("hands", 9, ["only"], [["a9"]], pieces=[names])).key()
        for names in (*pieces, ["1", "2"], ["1", "1", "2"])
    }
    assert len(keys) == 4


def test_no_collisions_among_many_positions() -> None:
    """Keys of a few ten thousand different positions are all different."""
    board = bf.Board("classic")
    keys = set()
    positions = 0
    for first in board.legal_ids().tolist():
        board.push(first)
        for second in board.legal_ids().tolist():
            board.push(second)
            keys.add(board.key())
            positions += 1
            board.pop()
        keys.add(board.key())
        positions += 1
        board.pop()
    duo = bf.Board("duo")
    for first in duo.legal_ids().tolist():
        duo.push(first)
        for second in duo.legal_ids().tolist()[::20]:
            duo.push(second)
            keys.add(duo.key())
            positions += 1
            duo.pop()
        duo.pop()
    assert positions > 20_000
    assert len(keys) == positions
