"""Pieces, orientations and move ids of the engine, held against shapes typed once more."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
import reference
from helpers import bits, indices
from reference.shapes import SYMMETRIES, corner_neighbours, edge_neighbours, to_origin

import blokus_fast as bf
from blokus_fast import moves

SIZES = (14, 20)
PLACEMENTS = {14: 13_729, 20: 30_433}


def canonical(shape) -> tuple:
    """Return the same for shapes that are equal when turned and flipped."""
    return min(tuple(to_origin({turn(r, c) for r, c in shape})) for turn in SYMMETRIES)


def grown_polyominoes(squares: int) -> set[tuple]:
    """Return all free polyominoes of a size, grown square by square."""
    shapes = {((0, 0),)}
    for _ in range(squares - 1):
        shapes = {
            canonical({*shape, near})
            for shape in shapes
            for square in shape
            for near in edge_neighbours(square)
            if near not in shape
        }
    return shapes


def shape_of(move: bf.Move) -> tuple:
    return tuple(to_origin({divmod(square, move.size) for square in move.squares}))


@pytest.fixture(scope="module")
def first_of_each_piece() -> dict[str, bf.Move]:
    found: dict[str, bf.Move] = {}
    for number in range(PLACEMENTS[14]):
        move = bf.Move(number, 14)
        found.setdefault(move.piece, move)
    return found


def test_names_in_the_order_of_the_rules() -> None:
    expected = "1 2 I3 V3 I4 L4 T4 O Z4 F I5 L5 N P T5 U V5 W X Y Z5"
    assert " ".join(bf.PIECES) == expected
    assert " ".join(reference.PIECE_NAMES) == expected


def test_pieces_are_all_free_polyominoes_of_up_to_five_squares(first_of_each_piece) -> None:
    shapes = [canonical(shape_of(move)) for move in first_of_each_piece.values()]
    assert list(first_of_each_piece) == list(bf.PIECES)
    assert set(shapes) == set().union(*(grown_polyominoes(n) for n in range(1, 6)))
    assert len(shapes) == 21


def test_sizes_are_1_1_2_5_12_and_89_squares(first_of_each_piece) -> None:
    sizes = [len(move.squares) for move in first_of_each_piece.values()]
    assert [sizes.count(n) for n in range(1, 6)] == [1, 1, 2, 5, 12]
    assert sum(sizes) == 89


def test_no_piece_is_another_one_turned_or_flipped(first_of_each_piece) -> None:
    """S and Z are one piece; Y is not T5, Z5 is not W, T4 is not L4."""
    for one, other in combinations(first_of_each_piece.values(), 2):
        assert canonical(shape_of(one)) != canonical(shape_of(other))


# What tells the names apart: number of orientations, squares in each line along the short and
# the long side of the box (sorted), and the most edges that one square shares with others.
LOOKS = {
    "1": (1, [1], [1], 0),
    "2": (2, [2], [1, 1], 1),
    "I3": (2, [3], [1, 1, 1], 2),
    "V3": (4, [1, 2], [1, 2], 2),
    "I4": (2, [4], [1, 1, 1, 1], 2),
    "L4": (8, [1, 3], [1, 1, 2], 2),
    "T4": (4, [1, 3], [1, 1, 2], 3),
    "O": (1, [2, 2], [2, 2], 2),
    "Z4": (4, [2, 2], [1, 1, 2], 2),
    "F": (8, [1, 1, 3], [1, 2, 2], 3),
    "I5": (2, [5], [1, 1, 1, 1, 1], 2),
    "L5": (8, [1, 4], [1, 1, 1, 2], 2),
    "N": (8, [2, 3], [1, 1, 1, 2], 2),
    "P": (8, [2, 3], [1, 2, 2], 3),
    "T5": (4, [1, 1, 3], [1, 1, 3], 3),
    "U": (4, [2, 3], [1, 2, 2], 2),
    "V5": (4, [1, 1, 3], [1, 1, 3], 2),
    "W": (4, [1, 2, 2], [1, 2, 2], 2),
    "X": (1, [1, 1, 3], [1, 1, 3], 4),
    "Y": (8, [1, 4], [1, 1, 1, 2], 3),
    "Z5": (4, [1, 1, 3], [1, 2, 2], 2),
}


@pytest.mark.parametrize("piece", bf.PIECES)
def test_each_name_belongs_to_its_shape(piece: str, first_of_each_piece) -> None:
    shape = shape_of(first_of_each_piece[piece])
    turned = {tuple(to_origin({turn(r, c) for r, c in shape})) for turn in SYMMETRIES}
    rows = sorted(Counter(r for r, _ in shape).values())
    columns = sorted(Counter(c for _, c in shape).values())
    short, long = sorted([rows, columns], key=lambda lines: (len(lines), lines))
    shared = [sum(near in shape for near in edge_neighbours(square)) for square in shape]
    assert (len(turned), short, long, max(shared)) == LOOKS[piece]


@pytest.mark.parametrize("size", SIZES)
def test_every_id_is_the_placement_that_the_twin_gives_it(size: int) -> None:
    placements = reference.placements(size)
    assert len(placements) == PLACEMENTS[size]
    table = moves.moves_to_squares(np.arange(len(placements)), size)
    for placement, squares in zip(placements, table.tolist(), strict=True):
        covered = sorted(square for square in squares if square >= 0)
        assert covered == indices(placement.squares, size)


@pytest.mark.parametrize("size", SIZES)
def test_pieces_orientations_and_anchors_of_all_ids(size: int) -> None:
    numbers = {}
    for piece in reference.PIECE_NAMES:
        for shape in reference.orientations(piece):
            numbers[shape] = (reference.PIECE_NAMES.index(piece), len(numbers))
    assert len(numbers) == 91
    info = moves.moves_to_placements(np.arange(PLACEMENTS[size]), size).tolist()
    for placement, (piece, orientation, row, column) in zip(
        reference.placements(size), info, strict=True
    ):
        assert (piece, orientation) == numbers[tuple(to_origin(placement.squares))]
        assert row == min(r for r, _ in placement.squares)
        assert column == min(c for _, c in placement.squares)


@pytest.mark.parametrize("size", SIZES)
def test_ids_ascend_by_orientation_row_and_column_without_gaps(size: int) -> None:
    info = moves.moves_to_placements(np.arange(PLACEMENTS[size]), size)
    keys = [tuple(line) for line in info[:, 1:].tolist()]
    assert keys == sorted(set(keys))
    assert sorted(set(info[:, 1].tolist())) == list(range(91))
    with pytest.raises(bf.InvalidMoveError):
        bf.Move(PLACEMENTS[size], size)


@pytest.mark.parametrize("size", range(1, 21))
def test_number_of_placements_on_every_board_size(size: int) -> None:
    """Counted afresh: for each orientation the places its box has on the board."""
    count = 0
    for piece in reference.PIECE_NAMES:
        for shape in reference.orientations(piece):
            height, width = 1 + max(r for r, _ in shape), 1 + max(c for _, c in shape)
            count += max(0, size + 1 - height) * max(0, size + 1 - width)
    assert bf.Move(count - 1, size).id == count - 1
    with pytest.raises(bf.InvalidMoveError):
        bf.Move(count, size)


@pytest.mark.parametrize("size", [1, 2, 5, 7, 13])
def test_ids_on_other_board_sizes(size: int) -> None:
    for placement in reference.placements(size):
        move = bf.Move(placement.id, size)
        assert move.piece == placement.piece
        assert list(move.squares) == indices(placement.squares, size)


def test_square_tetromino_is_one_move_however_it_is_turned() -> None:
    cells = [(4, 4), (4, 5), (5, 4), (5, 5)]
    images = set()
    for turn in SYMMETRIES:
        image = to_origin({turn(r, c) for r, c in cells})
        text = reference.to_text({(r + 4, c + 4) for r, c in image}, 20)
        images.add(moves.parse_move(text, 20))
    assert len(images) == 1


def free_board(size: int) -> bf.Board:
    """Return a board of one color that may begin anywhere."""
    everywhere = [reference.square_name((r, c), size) for r in range(size) for c in range(size)]
    return bf.Board(bf.Variant("free", size, ["only"], [everywhere]))


@pytest.mark.parametrize("size", SIZES)
def test_own_edges_and_corners_of_every_placement(size: int) -> None:
    """Lay each placement on an empty board and look at what it forbids and opens."""
    board = free_board(size)
    on_board = {(r, c) for r in range(size) for c in range(size)}
    assert board.count_legal() == PLACEMENTS[size]
    for placement in reference.placements(size):
        edges = {near for square in placement.squares for near in edge_neighbours(square)}
        corners = {near for square in placement.squares for near in corner_neighbours(square)}
        forbidden = (placement.squares | edges) & on_board
        board.push(placement.id)
        assert board.own_mask(0) == bits(placement.squares, size)
        assert board.forbidden_mask(0) == bits(forbidden, size)
        assert board.corner_mask(0) == bits((corners - forbidden) & on_board, size)
        assert board.pop() == placement.id
