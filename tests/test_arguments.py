"""One argument, one answer, one error: numbers of any kind, and nothing raw for what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast import bots, png, render, svg
from blokus_fast.gtp import Session
from blokus_fast.replay import page

INTEGERS = [np.int8, np.uint8, np.int16, np.int64, np.uint64]
DUO = bf.Board("duo")


def long_record() -> bf.Record:
    """Return a game of more moves than an int8 can count."""
    board = bf.Board("draft-2p")
    while not board.is_game_over:
        board.push(int(board.legal_ids()[0]))
    assert board.ply > 127
    return bf.Record.from_board(board)


LONG = long_record()


@pytest.mark.parametrize("kind", INTEGERS)
def test_integers_of_numpy_are_integers(kind: type[Any]) -> None:
    pairs: list[Callable[[Callable[[int], Any]], Any]] = [
        lambda n: svg.board(DUO, size=n(100)),
        lambda n: svg.move(bf.Move(60, size=14), size=n(100)),
        lambda n: svg.hand(DUO, n(1), size=n(100)),
        lambda n: svg.hand(bf.Board("draft"), n(1), player=n(1)),
        lambda n: svg.piece(n(90), square=n(24)),
        lambda n: svg.board(DUO, ghost=n(60), highlight=[n(61)], corners=n(0)),
        lambda n: svg.board(DUO, heat={n(60): n(3)}),
        lambda n: render.board_text(DUO, last=n(60)),
        lambda n: page(LONG, ply=n(100)),
        lambda n: str(bf.Record("duo").root.add(n(60))),
        lambda n: bots.make("greedy", seed=n(7)).choose(DUO),
        lambda n: Session("random", "duo", seed=n(7)).answer("g"),
    ]
    for work in pairs:
        assert work(kind) == work(int)


def test_plies_are_counted_from_the_end_of_long_games() -> None:
    assert page(LONG, ply=np.int8(-2)) == page(LONG, ply=-2)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int8, float])
def test_sizes_are_numbers(kind: type[Any]) -> None:
    assert svg.board(DUO, size=kind(100)) == svg.board(DUO, size=100)
    assert svg.piece("F", square=kind(30)) == svg.piece("F", square=30)
    pytest.importorskip("resvg_py", reason="PNG is the extra `png`")
    assert png.from_svg(svg.piece("F"), scale=kind(2)) == png.from_svg(svg.piece("F"), scale=2)


@pytest.mark.parametrize("wrong", [10**400, 0, -1, float("nan"), float("inf"), "5", None, [], 1j])
def test_sizes_that_are_none(wrong: Any) -> None:
    for work in (
        lambda: svg.board(DUO, size=wrong),
        lambda: svg.move(bf.Move(60, size=14), size=wrong),
        lambda: svg.hand(DUO, 0, size=wrong),
        lambda: svg.piece("F", square=wrong),
    ):
        with pytest.raises(ValueError, match="size must be a positive number") as caught:
            work()
        assert len(str(caught.value)) < 200
    pytest.importorskip("resvg_py", reason="PNG is the extra `png`")
    with pytest.raises(ValueError, match="scale must be a positive number"):
        png.from_svg(svg.piece("F"), scale=wrong)


@pytest.mark.parametrize("wrong", [5, None, "x", b"x", 1.5, [], {}, ...], ids=repr)
def test_what_is_of_another_kind_is_a_type_error_that_says_so(wrong: Any) -> None:
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: svg.board(wrong), "board must be a Board or Game"),
        (lambda: svg.hand(wrong, 0), "board must be a Board or Game"),
        (lambda: svg.move(wrong), "move must be a Move"),
        (lambda: render.board_text(wrong), "board must be a Board"),
        (lambda: render.hand_text(wrong), "board must be a Board"),
        (lambda: page(wrong), "game must be a Record or Game"),
        (lambda: bf.Record.from_game(wrong), "game must be a Game"),
        (lambda: bf.Record.from_board(wrong), "board must be a Board"),
        (lambda: bf.Record("duo").root.add_set_up(wrong), "board must be a Board"),
        (lambda: bots.make("random").choose(wrong), "board must be a Board"),
        (lambda: bots.make("greedy").choose(wrong), "board must be a Board"),
    ]
    if wrong is not None:
        cases.append((lambda: bf.Record("duo").to_game(wrong), "node must be a Node"))
    if not isinstance(wrong, str):
        cases += [
            (lambda: Session().answer(wrong), "line must be a str"),
            (lambda: svg.piece("F", color=wrong), "color must be a str"),
            (lambda: bf.Record("duo").root.add("e10", wrong), "comment must be a str"),
        ]
    if not isinstance(wrong, str | None):
        cases.append((lambda: page(bf.Game("duo"), title=wrong), "title must be a str"))
    if not isinstance(wrong, str | dict):
        cases.append((lambda: svg.board(DUO, palette=wrong), "palette must be a str or Mapping"))
    for work, words in cases:
        with pytest.raises(TypeError, match=words):
            work()


def test_nothing_is_added_where_a_comment_is_none() -> None:
    record = bf.Record("duo")
    with pytest.raises(TypeError):
        record.root.add("e10", 5)  # type: ignore[arg-type]
    assert record.root.variations == []


def test_a_game_that_is_over_leaves_nothing_to_choose() -> None:
    board = bf.Board("duo")
    while not board.is_game_over:
        board.push(int(board.legal_ids()[0]))
    for name in bots.BOTS:
        with pytest.raises(ValueError, match="the game is over: there is nothing to choose"):
            bots.make(name).choose(board)


def test_other_things_that_were_raw() -> None:
    variant = bf.Variant("mine", 6, ["blue", "red"], [["a6"], ["f1"]])
    with pytest.raises(ValueError, match="no name for this variant: mine"):
        Session("greedy", variant)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="too large"):
        svg.board(DUO, heat={60: 10**400})
    for wrong in ([], {}, [60, 61]):
        with pytest.raises(ValueError, match="last_move must be one move"):
            svg.board(DUO, last_move=wrong)  # type: ignore[arg-type]
    for names in ([], ["Ann"], [1, 2, 3, 4]):
        with pytest.raises(ValueError, match="draft has 4 players"):
            render.board_text(bf.Board("draft"), names=names)  # type: ignore[arg-type]
