"""What a position of Draft must be: given by set-up, by text, or as numbers."""

from __future__ import annotations

from typing import Any

import pytest

import blokus_fast as bf
from blokus_fast import _core

HANDS: list[dict[str, list[str]]] = [{"blue": ["F"], "red": ["X"]}, {"yellow": ["W"]}]


def set_up(squares: dict[str, list[str]], last: list[int], placed: list[int]) -> bf.Board:
    return bf.set_up(
        "draft-2p", squares, hands=HANDS, player=0, placed=placed, monomino_last=last
    )  # fmt: skip


TWO = {"blue": ["a20"], "yellow": ["t20"]}
ONE = {"blue": ["a20"], "yellow": ["t20,t19"]}


def test_every_player_has_a_monomino_of_his_own() -> None:
    assert set_up(TWO, [0, 1], [1, 1])._rest()[0] == 3
    for last in ([0], [1]):
        assert set_up(ONE, last, [1, 2])._rest()[0] == 1 << last[0]
    with pytest.raises(bf.InvalidPositionError, match=r"player 1: .*monomino"):
        set_up(ONE, [0, 1], [1, 2])


def test_nobody_has_a_last_piece_who_has_placed_nothing() -> None:
    with pytest.raises(bf.InvalidPositionError, match=r"player 1: .*monomino"):
        set_up(TWO, [0, 1], [2, 0])


def test_last_pieces_in_texts() -> None:
    text = bf.position_text(set_up(TWO, [0, 1], [1, 1]))
    assert " last=01 " in text
    assert bf.parse_position(text) == set_up(TWO, [0, 1], [1, 1])
    text = bf.position_text(set_up(ONE, [0], [1, 2]))
    assert " last=0 " in text
    with pytest.raises(bf.InvalidPositionError, match="monomino"):
        bf.parse_position(text.replace(" last=0 ", " last=01 "))


def drafted(picks: int) -> bf.Board:
    board = bf.Board("draft-2p")
    for _ in range(picks):
        board.push(board.legal_ids()[0])
    return board


@pytest.mark.parametrize(
    ("picks", "hands"),
    [
        # The next color has been begun, and the one before is not at its end.
        (4, " hand-0b=1 hand-1b=2"),
        (19, " hand-0b=1 hand-1b=2"),
        # One player has taken two in a row.
        (4, " hand-0d=1"),
    ],
)
def test_colors_are_drafted_one_after_the_other(picks: int, hands: str) -> None:
    text = bf.position_text(drafted(picks))
    assert bf.parse_position(text) == drafted(picks)
    with pytest.raises(bf.InvalidPositionError, match="picked in turn"):
        bf.parse_position(text + hands)


def test_the_next_color_may_be_begun_when_one_is_at_its_end() -> None:
    for picks in (20, 21, 22, 23, 83):
        board = drafted(picks)
        assert bf.parse_position(bf.position_text(board)) == board


@pytest.mark.parametrize("change", [{"picks": 3}, {"picks": 22}])
def test_planes_of_a_draft_out_of_order(change: dict[str, Any]) -> None:
    observer = bf.Observer("draft-2p")
    batch = bf.BatchBoard(1, "draft-2p")
    batch[0] = drafted(change["picks"])
    planes = observer.observe(batch)
    assert observer.decode(planes) == batch
    names = [name for name in observer.planes if name.startswith("hand ")]
    held = [observer.planes.index(name) for name in names]
    # The last piece of the last color, which nobody can have yet.
    planes[0, held[-1]] = 1
    with pytest.raises(bf.InvalidPositionError):
        observer.decode(planes)


@pytest.mark.parametrize("picks", [4, 19])
def test_pickles_of_a_color_that_was_begun_too_soon(picks: int) -> None:
    batch = bf.BatchBoard(1, "draft-2p")
    batch[0] = drafted(picks)
    placements, hands, *rest, (ply, *others) = tuple(batch[0].__reduce__()[1][2])
    assert ply == picks

    def restored(ply: int) -> bf.Board:
        return _core._restore_position(
            batch.rules, placements, held, *rest, (ply, *others)
        )  # fmt: skip

    held = [[list(counts) for counts in player] for player in hands]
    assert restored(picks) == drafted(picks)
    # One for each, the first one to the player whose color it is to begin.
    held[1][1][0] = held[0][1][1] = 1
    with pytest.raises(bf.InvalidPositionError, match="picked in turn"):
        restored(picks + 2)
