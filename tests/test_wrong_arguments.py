"""Wrong arguments are told by their names, with their values, and with what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import run as command

import blokus_fast as bf
from blokus_fast import analysis, arena, bots, gtp, moves, search, selfplay
from blokus_fast.arena import page, running
from blokus_fast.contest import Server
from blokus_fast.learning import features
from blokus_fast.match import Match
from blokus_fast.search import MCTS

NO_INTEGERS = (1.5, "x", float("nan"), [], 2j, True)


def call(kind: Any, name: str, *given: Any, **more: Any) -> Callable[[Any], object]:
    return lambda value: kind(*given, **more, **{name: value})


BOARD = bf.Board("duo")
INTEGERS: dict[str, tuple[str, Callable[[Any], object]]] = {
    "make": ("seed", call(bots.make, "seed", "greedy")),
    "random": ("seed", call(bots.RandomBot, "seed")),
    "greedy": ("seed", call(bots.GreedyBot, "seed")),
    "corner": ("seed", call(bots.CornerBot, "seed")),
    "mcts bot": ("seed", call(bots.MCTSBot, "seed")),
    "level": ("level", bots.MCTSBot),
    "simulations of a bot": ("simulations", call(bots.MCTSBot, "simulations")),
    "threads of a bot": ("threads", call(bots.MCTSBot, "threads")),
    "memory of a bot": ("memory", call(bots.MCTSBot, "memory")),
    "playouts": ("n", lambda value: bf.playouts(BOARD, value)),
    "seed of playouts": ("seed", lambda value: bf.playouts(BOARD, 2, seed=value)),
    "perft": ("depth", lambda value: bf.perft(BOARD, value)),
    "mcts": ("seed", call(MCTS, "seed", "duo")),
    "threads": ("threads", call(MCTS, "threads", "duo")),
    "memory": ("memory", call(MCTS, "memory", "duo")),
    "search": ("simulations", lambda value: MCTS("duo").search(BOARD, simulations=value)),
    "clear": ("seed", lambda value: MCTS("duo").clear(value)),
    "line": ("move", lambda value: MCTS("duo").line(value)),
    "batch search": ("n", call(search.BatchMCTS, "n", "duo")),
    "self-play": ("drawn_plies", call(search.SelfPlay, "drawn_plies", "duo")),
    "games": ("games", lambda value: arena.Settings.make(["greedy"] * 2, "duo", value)),
    "plies": ("random_plies", call(arena.Settings.make, "random_plies", ["greedy"] * 2, "duo")),
    "positions": ("games", lambda value: selfplay.Settings("duo", "greedy", games=value)),
    "match": ("seed", lambda value: Match(bf.variant("duo"), ["greedy"] * 2, seed=value)),
    "square": ("square", moves.square_text),
    "move": ("move", moves.move_text),
    "workers": ("workers", lambda value: bf.executors.open_executor(workers=value)),
    "color": ("color", lambda value: features.move_features(BOARD, color=value)),
    "orientation": ("orientation", bf.Piece.of),
    "color of a move": ("color", lambda value: bf.Move(60, color=value)),
}


@pytest.mark.parametrize("case", INTEGERS)
@pytest.mark.parametrize("wrong", NO_INTEGERS, ids=repr)
def test_what_is_no_integer(case: str, wrong: Any) -> None:
    name, work = INTEGERS[case]
    kind = type(wrong).__name__
    with pytest.raises(TypeError, match=rf"{name} must be an integer, not {kind}"):
        work(wrong)


def test_integers_of_numpy_are_integers() -> None:
    assert bots.make("greedy", seed=np.int64(3)).choose(BOARD) == bots.make(
        "greedy", seed=3
    ).choose(BOARD)
    move = bf.Move(np.int16(60), np.int8(14), np.int8(1))  # type: ignore[arg-type]
    assert repr(move) == "Move(60, size=14, color=1)"
    assert type(move.color) is int


def test_memory_is_told_in_the_unit_that_it_was_given_in() -> None:
    for number in (99999999999999, -1, 0, 67108864):
        with pytest.raises(
            ValueError, match=rf"memory must be in 1\.\.67108863 MiB, not {number}$"
        ):
            bots.make(f"mcts:memory={number}")
    assert bots.make("mcts:memory=67108863").memory == 67108863 << 20  # type: ignore[attr-defined]
    for least in (0, 2**14 - 1):
        for kind in (call(MCTS, "memory", "duo"), call(bots.MCTSBot, "memory")):
            with pytest.raises(
                ValueError, match=rf"memory must be in 16384\.\.70368744177663 bytes, not {least}"
            ):
                kind(least)
    assert bots.MCTSBot(memory=2**14).memory == 2**14


def test_lines_are_those_of_root_moves() -> None:
    mcts = MCTS("duo", seed=1)
    for move in (60, 0, -1, 10**12, 10**40):
        with pytest.raises(ValueError, match="nothing is searched yet, so no line follows move"):
            mcts.line(move)
    result = mcts.search(BOARD, simulations=200)
    assert mcts.line(result.move) == result.pv
    for move in result.moves:
        assert mcts.line(move)[0] == move
    for move in (0, -1, 10**12, 10**40, 13728):
        with pytest.raises(ValueError, match="is no move of the position last searched"):
            mcts.line(move)
    mcts.clear()
    with pytest.raises(ValueError, match="nothing is searched yet"):
        mcts.line(result.move)


def test_scores_that_are_none() -> None:
    mcts = MCTS("duo", margin=0)
    for wrong in (60, None, "ab", object):
        with pytest.raises(TypeError, match="scores must be 2 integers, not "):
            mcts.values_of(wrong)  # type: ignore[arg-type]
    for wrong in ([], [1], [1, 2, 3], [1, 2**40]):
        with pytest.raises(ValueError, match="scores must be 2 integers of 32 bits, one for each"):
            mcts.values_of(wrong)
    with pytest.raises(TypeError, match="a score must be an integer, not float"):
        mcts.values_of([1, 2.5])  # type: ignore[list-item]
    assert mcts.values_of(np.array([-5, -10])) == [1.0, 0.0]  # type: ignore[arg-type]


def test_what_is_no_command_and_no_list() -> None:
    for wrong in (None, 5):
        with pytest.raises(TypeError, match="a program and its arguments, not"):
            gtp.Engine(wrong)  # type: ignore[arg-type]
    for work in (arena.run, arena.Settings.make):
        with pytest.raises(TypeError, match=r"bots must be a sequence of names.*'greedy'$"):
            work("greedy")
        with pytest.raises(TypeError, match="names must be a sequence of texts, not 'ab'"):
            work(["greedy", "random"], "duo", names="ab")
        with pytest.raises(TypeError, match="a name must be a str, not int"):
            work(["greedy", "random"], "duo", names=[1, 2])
        with pytest.raises(TypeError, match="openings must be a sequence of Opening, not 5"):
            work(["greedy", "random"], "duo", openings=5)
        with pytest.raises(TypeError, match="an opening must be a Opening, not str"):
            work(["greedy", "random"], "duo", openings=["e10"])
        with pytest.raises(TypeError, match="low must be a number, not 'a'"):
            work(["greedy", "random"], "duo", sprt=("a", "b"))
        with pytest.raises(ValueError, match="sprt must be an SPRT or two numbers"):
            work(["greedy", "random"], "duo", sprt=(1, 2, 3))
    with pytest.raises(TypeError, match="bots must be a sequence of names, not 'greedy'"):
        Match(bf.variant("duo"), "greedy", seed=1)
    with pytest.raises(TypeError, match="names must be texts, not 5"):
        bf.Game("duo", names=5)  # type: ignore[arg-type]


def test_callables_are_looked_at_first(tmp_path: Path) -> None:
    mcts = MCTS("duo", seed=1)
    match = Match(bf.variant("duo"), ["greedy", "random"], seed=1)
    settings = arena.Settings.make(["greedy", "random"], "duo", 2)
    plays = selfplay.Settings("duo", "greedy", games=1)
    players = {p: bots.Player(bots.make("greedy")) for p in range(2)}
    timers = {p: bots.Timer() for p in range(2)}
    cases: list[tuple[str, Callable[[Any], object]]] = [
        ("on_progress", call(mcts.search, "on_progress", BOARD, simulations=5)),
        ("on_progress", call(mcts.search, "on_progress", BOARD, seconds=60)),
        ("on_progress", call(analysis.analyze, "on_progress", BOARD, simulations=5)),
        ("on_progress", call(analysis.analyze_game, "on_progress", bf.Game("duo"), seconds=9)),
        ("on_progress", call(selfplay.run, "on_progress", plays, tmp_path / "a")),
        ("on_game", call(arena.run, "on_game", ["greedy", "random"], "duo", 2)),
        ("on_game", call(running.run_settings, "on_game", settings)),
        ("on_begin", call(running.run_settings, "on_begin", settings)),
        ("on_replay", call(page.write_page, "on_replay", arena.Report(settings), tmp_path / "b")),
        ("on_result", call(Server, "on_result", port=0)),
    ]
    cases += [
        (name, call(match.run, name))
        for name in ("person", "after_move", "after_game", "before_move")
    ]
    cases += [
        (name, call(arena.play_game, name, bf.Game("duo"), players, timers))
        for name in ("person", "before_move", "after_move")
    ]
    for name, work in cases:
        with pytest.raises(TypeError, match=f"{name} must be callable, or None, not int"):
            work(5)
    assert mcts.result is None
    assert match.played == []
    assert not list(tmp_path.iterdir())
    with (
        bf.executors.open_executor(workers=1) as executor,
        pytest.raises(TypeError, match="on_lost must be callable"),
    ):
        list(executor.run(abs, [1], on_lost=5))  # type: ignore[arg-type]


def test_colors_sizes_and_ids_of_moves() -> None:
    for color in (9, -7, 4):
        for work in (
            lambda color: bf.Move(60, color=color),
            lambda color: bf.Pass(30433, 20, color),
        ):
            with pytest.raises(ValueError, match=rf"color {color} is not in 0\.\.3, nor None"):
                work(color)
        with pytest.raises(ValueError, match=rf"color {color} is not in 0\.\.3"):
            bf.Move.parse("e10", 14, color)
    with pytest.raises(ValueError, match=r"^size 99 is not in 1\.\.20$"):
        bf.Move.parse("e10", 99)
    for kind in (bf.Move, bf.DraftMove, bf.Pick):
        with pytest.raises(TypeError, match=r"'e10': text is read by Move\.parse"):
            kind("e10")
    for play in (bf.Board("duo").push, bf.Game("duo").play, bf.Record("duo").root.add):
        for number in (-1, 13729):
            with pytest.raises(
                bf.InvalidMoveError, match=rf"^move id {number} is not in 0\.\.13728$"
            ):
                play(number)
    with pytest.raises(bf.InvalidMoveError, match=r"move id -1 is not in 0\.\.13728 on a 14 by 14"):
        bf.Move(-1, 14)
    with pytest.raises(bf.InvalidMoveError, match=r"out of range: -1\.\.13728$"):
        bf.BatchBoard(1, "duo").step([2**40])


NO_PICKS = ("F", "x", "", "hello", "blue F", "e10 e11", "pink a20")


@pytest.mark.parametrize("text", NO_PICKS)
def test_what_is_no_pick_says_what_is(text: str) -> None:
    wanted = text.upper() if text in ("F", "x") else "F"
    for play in (bf.Board("draft-2p").push, bf.Game("draft-2p").play):
        with pytest.raises(bf.InvalidMoveError, match=f"is not a pick: .*such as 'pick {wanted}'"):
            play(text)


def test_pick_alone_and_where_there_are_none() -> None:
    for text in ("pick", "pick Q", "PICK"):
        for play in (bf.Board("draft-2p").push, bf.Game("draft-2p").play):
            with pytest.raises(
                bf.InvalidMoveError, match=f"'pick{text[4:]}' is not a pick such as 'pick F': .* 1,"
            ):
                play(text)
    for text in ("pick F", "PICK", " pick"):
        with pytest.raises(
            bf.InvalidMoveError, match="classic has no picks, its moves are squares"
        ):
            bf.Board().push(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("e10 e11", "e10,e11"),
        ("a20;b20", "a20,b20"),
        ("I5 a20", "I5,a20"),
        ("a1-a2", "a1,a2"),
        ("a1,a2 a3", "a1,a2,a3"),
        ("a1,a2,", "a1,a2"),
    ],
)
def test_squares_are_separated_by_commas(text: str, meant: str) -> None:
    for read in (bf.Board().push, moves.parse_move, bf.Move.parse, bf.Game().play):
        with pytest.raises(bf.InvalidMoveError, match=f"separated by commas, as in '{meant}'$"):
            read(text)


def test_a_person_may_type_the_piece_alone() -> None:
    play = ("play", "--variant", "draft-2p", "--bots", "human,greedy", "--seed", "1")
    result = command(*play, stdin="pick\nfoo\nx\nquit\n")
    assert "'foo' is not a pick: in the draft phase a move is the word pick" in result.output
    assert "'pick' is not a pick such as 'pick F'" in result.output
    assert "'x' is not" not in result.output
    assert "not finished after 2 moves" in result.output  # the X, and a pick of greedy's
