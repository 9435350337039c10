"""Sets with up to seven of a piece: hands are binary numbers of three bits."""

from __future__ import annotations

from collections import Counter

import pytest
from reference import SIZES
from step import play_in_step

import blokus_fast as bf

PIECES = ["1"] * 7 + ["2"] * 5 + ["I3"] * 4 + ["O"] * 3 + ["V3", "V3"]
COLORS = bf.Variant("many", 11, ["a", "b"], [["a11"], ["k1"]], pieces=[PIECES, PIECES[3:]])
DRAFT = bf.Variant(
    "drafted", 9, ["a", "b"], [["a9"], ["i1"]], pieces=[PIECES, PIECES[9:]], players=3, draft=True
)


@pytest.mark.parametrize("seed", range(4))
def test_games_of_colors(seed: int) -> None:
    twin = play_in_step(COLORS, seed)
    assert len(twin.history) > 12


@pytest.mark.parametrize("seed", range(4))
def test_games_with_a_draft(seed: int) -> None:
    """Each is picked as often as it is there."""
    twin = play_in_step(DRAFT, seed)
    assert len(twin.history) > len(PIECES) + len(PIECES[9:])


def test_hands_count_down_and_up() -> None:
    line = bf.Variant("line", 20, ["a"], [["a20"]], pieces=[["1"] * 7])
    board = bf.Board(line)
    for left in range(7, 0, -1):
        assert board.hand(0)[0] == left
        assert board.player_scores() == (-left,)
        board.push(board.parse_move(f"{chr(104 - left)}{13 + left}"))
    assert board.is_game_over
    for left in range(1, 8):
        board.pop()
        assert board.hand(0)[0] == left
    assert board == bf.Board(line)


@pytest.mark.parametrize("count", range(1, 8))
@pytest.mark.parametrize("piece", bf.PIECES)
def test_squares_left(piece: str, count: int) -> None:
    board = bf.Board(bf.Variant("left", 8, ["a"], [["a8"]], pieces=[[piece] * count]))
    assert board.color_scores() == board.player_scores() == (-SIZES[piece] * count,)


def test_picks_until_all_are_gone() -> None:
    board = bf.Board(DRAFT)
    for color, names in enumerate(DRAFT.pieces):
        left = Counter(names)
        while left.total():
            assert board.turn == color
            texts = [board.move_text(number) for number in board.legal_ids().tolist()]
            assert texts == [f"pick {piece}" for piece in bf.PIECES if left[piece]]
            board.push(board.legal_ids()[-1])
            left -= Counter([texts[-1].removeprefix("pick ")])
    assert not board.is_drafting
