"""The bot that searches: levels, limits and clocks, against a search that searches nothing."""

from __future__ import annotations

import math
import pickle
import re
import subprocess
import sys
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import fake_search
import pytest

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.bots import LEVELS, Clock, MCTSBot, Player, Timer, level_simulations, seconds_for


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> type[fake_search.MCTS]:
    return fake_search.install(monkeypatch)


def test_names_need_no_search() -> None:
    """Nothing of it is imported before a game begins."""
    code = (
        "import sys; from blokus_fast import bots; bot = bots.make('mcts:3', seed=1);"
        "assert 'blokus_fast.search' not in sys.modules; print(bot.name, bot.last)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "mcts:3 None\n"


def test_it_plays_what_the_search_finds(search: type[fake_search.MCTS]) -> None:
    bot, board = MCTSBot(2, threads=2, memory=1 << 20, seed=7), bf.Board("duo")
    move = bot.choose(board)
    assert (move, type(move)) == (board.legal_ids()[-1], int)
    (made,) = search.made
    assert (made.variant, made.threads, made.memory, made.seed) == (board.variant, 2, 1 << 20, 7)
    assert made.asked == [{"simulations": 16, "seconds": None, "ply": 0}]
    assert bot.last is made.result


def test_the_search_is_kept_between_moves_and_new_in_a_game(
    search: type[fake_search.MCTS],
) -> None:
    bot, board = MCTSBot(1), bf.Board("duo")
    player = Player(bot)
    for _ in range(3):
        board.push(player.choose(board))
    assert len(search.made) == 1
    player.start(board.variant)
    assert len(search.made) == 2
    assert bot.last is None
    player.choose(bf.Board("duo"))
    # Another start rule is another game, and so is one for a bot that was never started.
    bot.choose(bf.Board("duo", start="assigned"))
    assert len(search.made) == 3
    player.close()
    assert bot.last is None
    bot.choose(bf.Board("duo"))
    assert len(search.made) == 4


def test_levels_grow() -> None:
    assert list(LEVELS) == list(range(1, 10))
    numbers = list(LEVELS.values())
    assert (numbers[0], numbers[-1]) == (7, 1_000_000)
    # More and more is needed for as much strength.
    assert all(more > 2 * less for less, more in pairwise(numbers))


@pytest.mark.parametrize(("variant", "growth"), [("duo", 0.1), ("classic", 0.05)])
def test_simulations_grow_with_the_pieces_on_the_board(variant: str, growth: float) -> None:
    board = bf.Board(variant)
    bot = bots.make("random", seed=1)
    while not board.is_game_over:
        expected = 30_000 * math.exp(growth * board.ply)
        assert level_simulations(8, board) == pytest.approx(expected, abs=1)
        same = MCTSBot(simulations=30_000, growing=True)
        assert same.limits(board)["simulations"] == level_simulations(8, board)
        board.push(bot.choose(board))
    assert level_simulations(8, board) > 300_000


def test_the_page_has_the_levels() -> None:
    page = Path(__file__).resolve().parent.parent / "docs" / "bots.md"
    text = page.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| ([\d,]+) \| ([\d,]+) \|", text, flags=re.MULTILINE)
    numbers = [tuple(int(cell.replace(",", "")) for cell in row) for row in rows]
    assert {level: first for level, first, _ in numbers} == LEVELS
    for _, first, late in numbers:
        assert late == pytest.approx(first * math.exp(3.4), rel=0.02)


def test_levels_that_are_none() -> None:
    for level in (0, 10, -1):
        with pytest.raises(ValueError, match=rf"level {level} is not in 1\.\.9"):
            level_simulations(level, bf.Board("duo"))
        with pytest.raises(ValueError, match="is not in"):
            MCTSBot(level)
    with pytest.raises(TypeError):
        MCTSBot(1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "clock", "expected"),
    [
        ({"simulations": 500}, None, (500, None)),
        ({"seconds": 2}, None, (None, 2.0)),
        ({"level": 3, "seconds": 2}, None, (40, 2.0)),
        ({"simulations": 500, "growing": True}, None, (500, None)),
        ({}, None, (4000, None)),
        ({}, Clock(), (4000, None)),
        ({}, Clock.per_move(1), (None, 0.95)),
        ({"level": 3}, Clock.per_move(1), (40, 0.95)),
        ({"seconds": 0.5}, Clock.per_move(1), (None, 0.5)),
        ({"seconds": 5}, Clock.per_move(1), (None, 0.95)),
        ({"simulations": 9}, Clock.game(0), (9, 0.0)),
        ({}, Clock.game(0), (None, 0.0)),
    ],
)
def test_limits(
    search: type[fake_search.MCTS],
    options: dict[str, Any],
    clock: Clock | None,
    expected: tuple[int | None, float | None],
) -> None:
    bot = MCTSBot(**options, book=False)
    bot.choose(bf.Board("duo"), clock)
    asked = search.made[0].asked[0]
    assert (asked["simulations"], asked["seconds"]) == expected


def test_a_game_s_clock_is_budgeted(search: type[fake_search.MCTS]) -> None:
    board, timer = bf.Board("duo"), Timer(Clock.game(100))
    Player(MCTSBot(book=False)).choose(board, timer)
    assert search.made[0].asked[0]["seconds"] == seconds_for(Clock.game(100), board)


def test_it_keeps_to_a_real_clock(search: type[fake_search.MCTS]) -> None:
    search.wait = True
    board, timer = bf.Board("duo"), Timer(Clock.game(3))
    player = Player(MCTSBot(book=False))
    while not board.is_game_over:
        move = player.choose(board, timer) if board.player == 0 else int(board.legal_ids()[0])
        board.push(move)
    assert not timer.is_over
    assert timer.moves > 5
    assert 0.5 < timer.used < 3


def test_it_can_be_stopped_and_reports(search: type[fake_search.MCTS]) -> None:
    search.wait = True
    bot = MCTSBot(3)
    told: list[str] = []
    bot.on_progress = lambda report: told.append(report.stopped)
    bot.stop()  # nothing runs
    stopper = threading.Timer(0.05, bot.stop)
    began = time.monotonic()
    stopper.start()
    bot.choose(bf.Board("duo"))
    stopper.join()
    assert time.monotonic() - began < 30
    assert told == ["running"]
    assert bot.last is not None
    assert bot.last.stopped == "stop"


def test_wrong_boards(search: type[fake_search.MCTS]) -> None:
    board = bf.Board("duo")
    while not board.is_game_over:
        board.push(int(board.legal_ids()[0]))
    with pytest.raises(ValueError, match="the game is over: there is nothing to choose"):
        MCTSBot(1).choose(board)
    with pytest.raises(TypeError, match="board must be a Board"):
        MCTSBot(1).choose("duo")  # type: ignore[arg-type]
    assert search.made == []


def test_it_is_pickled_without_its_tree(search: type[fake_search.MCTS]) -> None:
    bot = MCTSBot(2, seed=5)
    bot.choose(bf.Board("duo"))
    bot.on_progress = lambda report: None
    again = pickle.loads(pickle.dumps(bot))
    assert (again.name, again.seed, again.last, again.on_progress) == ("mcts:2", 5, None, None)
    assert again.choose(bf.Board("duo")) == bot.choose(bf.Board("duo"))


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"level": 4}, "mcts:4"),
        ({"simulations": 50}, "mcts:sims=50"),
        ({"level": 4, "seconds": 0.25, "threads": 2}, "mcts:4,time=0.25,threads=2"),
        ({}, "mcts"),
    ],
)
def test_its_name_makes_it_again(options: dict[str, Any], name: str) -> None:
    bot = MCTSBot(**options)
    assert bot.name == name
    assert bots.make(name).name == name


def test_the_real_search_plays_legal_moves_in_time() -> None:
    for name in ("duo", "classic"):
        board = bf.Board(name)
        player = Player(bots.make("mcts:1", seed=1))
        while not board.is_game_over:
            move = player.choose(board)
            assert board.is_legal(move)
            board.push(move)
        first = bf.Board(name)
        moves = [Player(bots.make("mcts:2", seed=9)).choose(first) for _ in range(2)]
        assert moves[0] == moves[1]
    board, timer = bf.Board("duo"), Timer(Clock.game(2))
    player = Player(bots.make("mcts:threads=1"))
    while not board.is_game_over:
        mine = board.player == 0
        board.push(player.choose(board, timer) if mine else int(board.legal_ids()[0]))
    assert not timer.is_over


def test_weights_and_parameters_by_name(tmp_path: Path) -> None:
    from blokus_fast.search import default_weights

    path = tmp_path / "mine.json"
    default_weights(bf.variant("junior")).save(path)
    name = f"mcts:sims=20,weights={path},margin=0.1,replies=0,candidates=7"
    bot = bots.make(name, seed=1)
    assert isinstance(bot, MCTSBot)
    assert bot.name == name
    bot.start(bf.variant("duo"))
    assert bot._search is not None
    assert bot._search.weights.name == "junior"
    parameters = bot._search.parameters
    assert (parameters.margin, parameters.replies, parameters.candidates) == (0.1, False, 7)
    assert bots.names.split(name.split(",")) == [name]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("margin=x", "margin is a number, not 'x'"),
        ("margin=2", "margin must be in 0..1, not 2.0"),
        ("replies=2", "replies is 0 or 1, not '2'"),
        ("candidates=1.5", "candidates is a whole number, not '1.5'"),
        ("magic=1", "'magic=1' is neither a level"),
        ("weights=no-such-file", "no-such-file"),
    ],
)
def test_weights_and_parameters_that_are_not_possible(options: str, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        bots.names.check(f"mcts:sims=20,{options}")
    with pytest.raises(TypeError, match="magic"):
        MCTSBot(3, magic=1)
