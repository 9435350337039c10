"""Move features and reach, against the plain definitions on copies of the board."""

import random

import numpy as np
import pytest

import blokus_fast as bf

SIZES = {
    piece: 1
    if piece == "1"
    else 2
    if piece == "2"
    else 3
    if piece[1:] == "3"
    else 4
    if piece == "O" or piece[1:] == "4"
    else 5
    for piece in bf.PIECES
}


def positions(variant, count=6, **options):
    rng = random.Random(5)
    board = bf.Board(variant, **options)
    for _ in range(count):
        for _ in range(rng.randrange(1, 8)):
            if board.is_game_over:
                board = bf.Board(variant, **options)
            yield board.copy()
            board.push(rng.choice(board.legal_ids().tolist()))


@pytest.mark.parametrize("variant", ["classic", "duo", "junior"])
@pytest.mark.parametrize("start", ["assigned", "any"])
def test_features_are_what_a_move_changes(variant, start):
    for board in positions(variant, start=start):
        color = board.turn
        features = bf.move_features(board)
        assert features.ids.tolist() == board.legal_ids().tolist()
        corners = [set(board.corner_squares(c).tolist()) for c in range(board.n_colors)]
        middle = (board.size - 1) / 2
        chosen = random.Random(1).sample(range(len(features.ids)), min(40, len(features.ids)))
        for k in chosen:
            move = bf.Move(features.ids[k], board.size)
            after = board.copy()
            after.push(move)
            now = set(after.corner_squares(color).tolist())
            assert features.squares[k] == len(move.squares)
            assert features.corners_gained[k] == len(now - corners[color])
            assert features.corners_lost[k] == len(corners[color] - now)
            for c in range(board.n_colors):
                taken = len(corners[c] & set(move.squares)) if c != color else 0
                assert features.corners_taken[k, c] == taken
            nearest = min(
                np.hypot(s // board.size - middle, s % board.size - middle) for s in move.squares
            )
            assert features.center_distance[k] == pytest.approx(nearest)


def test_features_of_some_moves_and_of_another_color():
    board = next(b for b in positions("classic", 9) if b.ply > 12)
    other = (board.turn + 1) % 4
    every = bf.move_features(board, color=other)
    assert every.ids.tolist() == board.legal_ids(color=other).tolist()
    some = bf.move_features(board, every.ids[::-3], color=other)
    for all_values, values in zip(every, some, strict=True):
        assert (all_values[::-3] == values).all()


def test_shapes_and_dtypes():
    features = bf.move_features(bf.Board("duo"), [])
    assert [a.shape for a in features] == [(0,), (0,), (0,), (0,), (0, 2), (0,)]
    assert [a.dtype for a in features] == [np.int32, np.int8, np.int8, np.int8, np.int8, np.float32]


@pytest.mark.parametrize(
    ("ids", "error"),
    [
        ([30433], bf.InvalidMoveError),
        ([-1], bf.InvalidMoveError),
        ([0.5], TypeError),
        ([[0]], ValueError),
        (5, ValueError),
    ],
)
def test_bad_ids(ids, error):
    with pytest.raises(error):
        bf.move_features(bf.Board("classic"), ids)


@pytest.mark.parametrize("color", [-1, 4, 2**40])
def test_bad_color(color):
    with pytest.raises(ValueError, match="color"):
        bf.move_features(bf.Board("classic"), color=color)
    with pytest.raises(ValueError, match="color"):
        bf.reachable_squares(bf.Board("classic"), color, 1)


def test_no_color_to_move():
    board = bf.Board("duo")
    while not board.is_game_over:
        board.push(int(board.legal_ids()[-1]))
    with pytest.raises(ValueError, match="no color is to move"):
        bf.move_features(board)
    assert bf.move_features(board, color=0).ids.size == 0


def reach(board, color, placements):
    """Flood over what the color may cover, square by square."""
    n = board.size
    grid = board.grid()
    forbidden = set(board.forbidden_squares(color).tolist())
    allowed = {s for s in range(n * n) if grid.flat[s] == -1 and s not in forbidden}
    sizes = [SIZES[piece] for piece in board.pieces_left(color)]
    if not sizes or not placements:
        return set()

    def around(squares, steps):
        return {
            (s // n + dr) * n + s % n + dc
            for s in squares
            for dr, dc in steps
            if 0 <= s // n + dr < n and 0 <= s % n + dc < n
        } & allowed

    found = set(board.corner_squares(color).tolist())
    for k in range(placements):
        if k:
            found |= around(found, [(-1, -1), (-1, 1), (1, -1), (1, 1)])
        for _ in range(max(sizes) - 1):
            found |= around(found, [(-1, 0), (1, 0), (0, -1), (0, 1)])
    return found


@pytest.mark.parametrize("variant", ["classic", "duo"])
def test_reach_is_a_flood(variant):
    for board in positions(variant, 9):
        for color in range(board.n_colors):
            for placements in (0, 1, 2, 5):
                squares = bf.reachable_squares(board, color, placements)
                assert set(squares.tolist()) == reach(board, color, placements)
                assert (np.diff(squares) > 0).all()
                mask = bf.reachable_mask(board, color, placements)
                assert mask == sum(1 << s for s in squares.tolist())


def test_every_placement_lies_within_reach_of_one():
    for board in positions("classic", 9):
        for color in range(4):
            reached = set(bf.reachable_squares(board, color, 1).tolist())
            for i in board.legal_ids(color=color).tolist()[::7]:
                assert set(bf.Move(i).squares) <= reached


def test_negative_reach():
    with pytest.raises(ValueError, match="placements -1"):
        bf.reachable_squares(bf.Board("duo"), 0, -1)


def test_more_start_squares_than_a_byte_counts() -> None:
    """All but the few start squares that the first piece touches are lost: 127 are said."""
    squares = [f"{chr(97 + column)}{row + 1}" for row in range(20) for column in range(20)]
    variant = bf.Variant("wide", 20, ["a", "b"], [squares[:200], squares[200:]])
    features = bf.move_features(bf.Board(variant))
    assert features.corners_lost.min() == features.corners_lost.max() == 127
