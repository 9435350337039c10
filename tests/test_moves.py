"""Move text, `Move`, and conversions in bulk."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest
import reference

import blokus_fast as bf
from blokus_fast import moves

SIZES = [14, 20]


@pytest.mark.parametrize("size", SIZES)
def test_text_of_every_move_is_canonical_and_reads_back(size: int) -> None:
    placements = reference.placements(size)
    texts = moves.moves_to_text(np.arange(len(placements)), size)
    assert len(set(texts.tolist())) == len(placements)
    for placement, text in zip(placements, texts.tolist(), strict=True):
        assert text == reference.to_text(placement.squares, size)
        assert moves.parse_move(text, size) == placement.id
    assert moves.text_to_moves(texts, size).tolist() == list(range(len(placements)))


@pytest.mark.parametrize("size", SIZES)
def test_every_way_of_writing_a_move_is_read(size: int) -> None:
    rng = random.Random(size)
    for placement in rng.sample(reference.placements(size), 800):
        parts = reference.to_text(placement.squares, size).split(",")
        rng.shuffle(parts)
        parts = [part.upper() if rng.random() < 0.5 else part for part in parts]
        text = rng.choice([",", ", ", " ,"]).join(parts)
        assert moves.parse_move(text, size) == placement.id
        assert bf.Move.parse(text, size).id == placement.id


def test_canonical_text_goes_from_row_one_upwards() -> None:
    assert bf.Move.parse("c18,b18,a18").text == "a18,b18,c18"
    assert bf.Move.parse("e10,f9,e9,d9,e8", 14).text == "e8,d9,e9,f9,e10"
    assert bf.Move.parse("A20,a19").text == "a19,a20"
    assert bf.Move.parse("t9,t10").text == "t9,t10"


@pytest.mark.parametrize("size", SIZES)
def test_conversions_in_bulk_go_both_ways(size: int) -> None:
    ids = np.arange(len(reference.placements(size)))
    squares = moves.moves_to_squares(ids, size)
    assert moves.squares_to_moves(squares, size).tolist() == ids.tolist()
    shuffled = np.random.default_rng(1).permuted(squares, axis=1)
    assert moves.squares_to_moves(shuffled, size).tolist() == ids.tolist()
    info = moves.moves_to_placements(ids, size)
    back = moves.placements_to_moves(info[:, 1], info[:, 2], info[:, 3], size)
    assert back.tolist() == ids.tolist()


def test_bulk_conversions_keep_shapes() -> None:
    ids = np.arange(12).reshape(3, 4)
    assert moves.moves_to_squares(ids).shape == (3, 4, 5)
    assert moves.moves_to_placements(ids).shape == (3, 4, 4)
    assert moves.moves_to_text(ids).shape == (3, 4)
    assert moves.moves_to_squares([]).shape == (0, 5)
    assert moves.text_to_moves([]).shape == (0,)


@pytest.mark.parametrize("bad", [[-1], [30_433], [0, 10**12], [2**40]])
def test_bulk_conversions_refuse_ids_out_of_range(bad: list[int]) -> None:
    for convert in (moves.moves_to_squares, moves.moves_to_placements, moves.moves_to_text):
        with pytest.raises(bf.InvalidMoveError):
            convert(bad)


@pytest.mark.parametrize("bad", [[1.0], ["a1"], [None], [True]])
def test_bulk_conversions_refuse_other_types(bad: list[object]) -> None:
    with pytest.raises(TypeError):
        moves.moves_to_squares(bad)


@pytest.mark.parametrize(
    "row",
    [
        [-1, -1, -1, -1, -1],
        [0, 2, -1, -1, -1],
        [0, 0, -1, -1, -1],
        [400, -1, -1, -1, -1],
        [19, 20, -1, -1, -1],
        [0, 401, -1, -1, -1],
        [-2, -1, -1, -1, -1],
        [2**40, -1, -1, -1, -1],
    ],
    ids=["nothing", "apart", "twice", "outside", "wrap", "fold", "minus", "huge"],
)
def test_squares_that_are_no_piece(row: list[int]) -> None:
    with pytest.raises(bf.InvalidMoveError):
        moves.squares_to_moves([row])


@pytest.mark.parametrize(
    ("orientation", "row", "column"),
    [(-1, 0, 0), (91, 0, 0), (0, 20, 0), (0, 0, 20), (0, -1, 0), (1, 0, 19), (0, 0, -1)],
)
def test_places_where_nothing_fits(orientation: int, row: int, column: int) -> None:
    with pytest.raises(bf.InvalidMoveError):
        moves.placements_to_moves(orientation, row, column)


@pytest.mark.parametrize("size", SIZES)
def test_move_shows_what_it_is(size: int) -> None:
    rng = random.Random(3)
    for placement in rng.sample(reference.placements(size), 500):
        move = bf.Move(placement.id, size)
        assert move.piece == placement.piece
        assert move.squares == tuple(sorted(r * size + c for r, c in placement.squares))
        assert move.row == min(r for r, _ in placement.squares)
        assert move.column == min(c for _, c in placement.squares)
        assert str(move) == move.text == reference.to_text(placement.squares, size)
        assert int(move) == placement.id
        assert list(range(30_433))[move] == placement.id
        assert eval(repr(move), {"Move": bf.Move}) == move


def test_moves_are_values() -> None:
    """Equal and hashed by value, so that dicts and sets neither lose nor merge any."""
    assert bf.Move(7) == bf.Move(7)
    assert bf.Move(7) != bf.Move(8)
    assert bf.Move(7, 20) != bf.Move(7, 14)
    assert bf.Move(7) == bf.Move(np.int16(7), color=2)
    assert len({bf.Move(number) for number in range(2000)} | {bf.Move(3)}) == 2000
    assert {bf.Move(5): "five"}[bf.Move(np.uint8(5))] == "five"
    assert pickle.loads(pickle.dumps(bf.Move(9, 14, 1))) == bf.Move(9, 14)
    with pytest.raises(AttributeError):
        bf.Move(5).id = 6


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint16, np.int64, np.uint64])
def test_moves_of_numpy_integers_hold_plain_ones(kind: type) -> None:
    move = bf.Move(kind(100))
    assert type(move.id) is int
    assert move == bf.Move(100)


@pytest.mark.parametrize("number", [-1, 30_433, 2**63, -(10**30)])
def test_move_ids_out_of_range(number: int) -> None:
    with pytest.raises(bf.InvalidMoveError):
        bf.Move(number)
    with pytest.raises(bf.InvalidMoveError):
        moves.move_text(number)


@pytest.mark.parametrize("number", [None, 1.0, "1", [1]], ids=repr)
def test_move_ids_of_the_wrong_type(number: object) -> None:
    with pytest.raises(TypeError):
        bf.Move(number)


@pytest.mark.parametrize("size", [0, -1, 21, 1000])
def test_boards_of_impossible_sizes(size: int) -> None:
    with pytest.raises(ValueError, match=r"size|1"):
        bf.Move(0, size)


@pytest.mark.parametrize(
    "text",
    ["", "a", "1", "a0", "a21", "u1", "a01", "a1,,a2", "a1,a1", "a1,b2", "a1,a2,a3,a4,a5,a6",
     "t5,a6", "pass", "a1;a2", "a1-a2", "aa1", "a1a2", "a²", "a\u0661", "\x00", ",", "a1,"],
)  # fmt: skip
def test_texts_that_are_no_move(text: str) -> None:
    with pytest.raises(bf.InvalidMoveError):
        moves.parse_move(text)


def test_rows_and_columns_of_the_small_board() -> None:
    assert moves.parse_move("n14", 14) == 13
    for text in ("o1", "a15", "n15"):
        with pytest.raises(bf.InvalidMoveError):
            moves.parse_move(text, 14)


def test_every_square_has_its_name() -> None:
    for size in range(1, 21):
        for square in range(size * size):
            name = reference.square_name(divmod(square, size), size)
            assert moves.square_text(square, size) == name
            assert moves.parse_square(name, size) == square
            assert moves.parse_square(name.upper(), size) == square
