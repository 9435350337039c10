"""Both kinds of bots and who drives them; names, options, classes of somebody's own."""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.bots import Clock, MCTSBot, Player, Timer, names

DUO = bf.variant("duo")


class First:
    """Ten lines and no name."""

    def choose(self, board: bf.Board) -> int:
        return int(board.legal_ids()[0])


class Thinking(First):
    """Writes down what it is told."""

    name = "thinking"

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed
        self.told: list[Any] = []

    def start(self, variant: bf.Variant) -> None:
        self.told.append(variant.name)

    def choose(self, board: bf.Board, clock: Clock) -> int:  # type: ignore[override]
        self.told.append(clock)
        return super().choose(board)

    def close(self) -> None:
        self.told.append("closed")


def test_a_plain_bot_is_driven() -> None:
    timer = Timer(Clock.game(60))
    with Player(First()) as player:
        player.start(DUO)
        assert player.choose(bf.Board("duo"), timer) == bf.Board("duo").legal_ids()[0]
    assert (player.name, player.takes_clock, timer.moves) == ("First", False, 1)
    assert 59 < timer.clock.remaining < 60  # type: ignore[operator]


def test_a_thinking_bot_is_told_everything() -> None:
    bot, timer = Thinking(), Timer(Clock.game(60))
    with Player(bot) as player:
        player.start(DUO)
        player.choose(bf.Board("duo"), timer)
        player.choose(bf.Board("duo"))
        # A game of another variant begins by itself.
        player.choose(bf.Board("junior"))
        player.choose(bf.Board("junior"), timer)
    assert bot.told[:5] == ["duo", Clock.game(60), Clock(), "junior", Clock()]
    assert bot.told[5].remaining < 60
    assert bot.told[6:] == ["closed"]
    assert (player.name, player.takes_clock, timer.moves) == ("thinking", True, 2)


def test_a_move_that_fails_is_measured_as_well() -> None:
    class Failing:
        def choose(self, board: bf.Board) -> int:
            raise RuntimeError

    timer = Timer()
    with pytest.raises(RuntimeError):
        Player(Failing()).choose(bf.Board("duo"), timer)  # type: ignore[arg-type]
    assert (timer.moves, timer.running) == (1, False)


def with_choose(choose: Callable[..., Any]) -> Any:
    return type("Odd", (), {"choose": staticmethod(choose)})()


@pytest.mark.parametrize(
    ("choose", "takes"),
    [
        (lambda board: 7, False),
        (lambda board, clock: 7 + (clock != Clock()), True),
        (lambda board, clock=None: 7 + (clock != Clock()), True),
        (lambda board, *, clock: 7 + (clock != Clock()), True),
        (lambda board, depth=3, clock=None: 4 + depth + (clock != Clock()), True),
        (lambda board, depth=3: 4 + depth, False),
        (lambda *args: 6 + len(args), False),
        (lambda *args, **kwargs: 6 + len(args) + len(kwargs), False),
        (lambda board, /: 7, False),
        (lambda board, clock, /: 7 + (clock != Clock()), True),
    ],
)
def test_all_kinds_of_choose(choose: Callable[..., int], takes: bool) -> None:
    player = Player(with_choose(choose))
    assert player.takes_clock == takes
    assert player.choose(bf.Board("duo"), Timer()) == 7


@pytest.mark.parametrize(
    ("choose", "words"),
    [
        (lambda board, time: 7, "a clock, not time"),
        (lambda board, *, depth: 7, "not depth"),
        (lambda: 7, "takes a board"),
        (lambda clock: 7, "takes a board"),
    ],
)
def test_kinds_of_choose_that_cannot_be_called(choose: Callable[..., int], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        Player(with_choose(choose))


@pytest.mark.parametrize("wrong", [None, 5, "greedy", First, object(), with_choose(None)])  # type: ignore[arg-type]
def test_what_is_no_bot(wrong: Any) -> None:
    with pytest.raises(TypeError, match="has a method choose"):
        Player(wrong)


def test_the_signature_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Player(Thinking())
    monkeypatch.setattr("inspect.signature", lambda *_: pytest.fail("asked again"))
    player.choose(bf.Board("duo"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mcts:3", {"level": 3}),
        ("mcts:level=9", {"level": 9}),
        ("mcts:time=1.5", {"seconds": 1.5}),
        ("mcts:sims=5000", {"simulations": 5000}),
        ("mcts:sims=5000,threads=2,seed=3", {"simulations": 5000, "threads": 2, "seed": 3}),
        ("mcts: 4 , time = 2 , memory=64", {"level": 4, "seconds": 2.0, "memory": 64 << 20}),
        ("mcts:threads=2", {"threads": 2}),
    ],
)
def test_options_of_a_search(name: str, expected: dict[str, Any]) -> None:
    names.check(name)
    bot = bots.make(name, seed=8)
    assert isinstance(bot, MCTSBot)
    facts = {"level": None, "simulations": None, "seconds": None, "threads": 1, "memory": None}
    facts |= {"seed": 8} | expected
    assert {key: getattr(bot, key) for key in facts} == facts


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mcts:", "'' is neither a level, 1 to 9, nor one of the options level=, sims=, growing="),
        ("mcts:0", "level 0 is not in 1..9"),
        ("mcts:10", "bot 'mcts:10': level 10 is not in 1..9"),
        ("mcts:hard", "level is a whole number, not 'hard'"),
        ("mcts:3,4", "'4' is neither a level"),
        ("mcts:3,level=4", "level stands there twice"),
        ("mcts:sims=5,sims=6", "sims stands there twice"),
        ("mcts:speed=3", "'speed=3' is neither"),
        ("mcts:sims=", "'sims=' is neither"),
        ("mcts:sims=0", "simulations must be in 1..2147483647, not 0"),
        ("mcts:sims=4294967296", "simulations must be in 1..2147483647, not 4294967296"),
        ("mcts:sims=1e3", "sims is a whole number, not '1e3'"),
        ("mcts:time=0", "seconds must be a positive number"),
        ("mcts:time=nan", "seconds must be a positive number"),
        ("mcts:time=soon", "time is a number of seconds, not 'soon'"),
        ("mcts:3,threads=0", "threads must be in 1..1024, not 0"),
        ("mcts:3,memory=-1", "memory must be in 1..67108863 MiB, not -1"),
        ("mcts:3,sims=100", "a level or a number of simulations, not both"),
        ("mcts:3,", "'' is neither"),
        ("mcts:sims=" + "9" * 5000, "sims is a whole number"),
        ("mcts3", "unknown bot 'mcts3'; valid: random, greedy, corner, mcts, mcts:1 to"),
        ("gtp:", "no command behind gtp:"),
        ("gtp:x 'y", "not closed"),
        ("nothing:Bot", "cannot import nothing: ModuleNotFoundError"),
        ("blokus_fast.bots:Deep", "there is no Deep in blokus_fast.bots"),
        ("blokus_fast:bots", "is no class, but module"),
        ("a b:C", "unknown bot 'a b:C'"),
        ("1:2", "unknown bot"),
        (":", "unknown bot"),
        ("x" * 9999, "unknown bot 'xxx"),
    ],
)
def test_names_that_mean_nothing(name: str, words: str) -> None:
    for work in (names.check, bots.make):
        with pytest.raises(ValueError, match=re.escape(words)) as told:
            work(name)
        assert len(str(told.value)) < 600


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module of somebody's own."""
    module = ModuleType("own_bots")
    module.First, module.Thinking = First, Thinking  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "own_bots", module)
    return module


def test_classes_by_their_module(own: Any) -> None:
    assert isinstance(bots.make("own_bots:First", seed=3), First)
    bot = bots.make("own_bots:Thinking", seed=np.int64(3))
    assert isinstance(bot, Thinking)
    assert (bot.seed, type(bot.seed)) == (3, int)
    own.outer = type("Outer", (), {"Inner": First})
    assert isinstance(bots.make("own_bots:outer.Inner"), First)
    own.build = lambda *, seed: Thinking(seed + 1)
    assert bots.make("own_bots:build", seed=3).seed == 4  # type: ignore[attr-defined]


def test_classes_that_will_not_do(own: Any) -> None:
    own.Deep = lambda depth, seed=None: First()
    with pytest.raises(ValueError, match="made with a seed or nothing, not depth"):
        names.check("own_bots:Deep")
    with pytest.raises(ValueError, match="made with a seed or nothing, not depth"):
        bots.make("own_bots:Deep")
    own.Nobody = lambda: object()
    with pytest.raises(ValueError, match=r"'own_bots:Nobody': a bot has a method choose"):
        bots.make("own_bots:Nobody")

    def failing() -> None:
        raise KeyError("its own fault")

    # What goes wrong in it is told as it is, not as a wrong name.
    own.failing = failing
    with pytest.raises(KeyError, match="its own fault"):
        bots.make("own_bots:failing")


def test_a_module_that_does_not_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_bots.py").write_text("import no_such_thing\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match=r"cannot import broken_bots: .*no_such_thing"):
        bots.make("broken_bots:Bot")


def test_installed_packages_add_bots(own: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [
        EntryPoint("deep", "own_bots:Thinking", "blokus_fast.bots"),
        EntryPoint("gone", "no_such_module:Bot", "blokus_fast.bots"),
        EntryPoint("greedy", "own_bots:First", "blokus_fast.bots"),
    ]

    def found(*, group: str) -> list[EntryPoint]:
        assert group == "blokus_fast.bots"
        return entries

    monkeypatch.setattr("importlib.metadata.entry_points", found)
    assert bots.available()[:6] == ("random", "greedy", "corner", "deep", "gone", "mcts")
    bot = bots.make("deep", seed=6)
    assert isinstance(bot, Thinking)
    assert bot.seed == 6
    # Ours are ours.
    assert isinstance(bots.make("greedy"), bots.GreedyBot)
    with pytest.raises(ValueError, match="no_such_module:Bot, which cannot be imported"):
        bots.make("gone")
    with pytest.raises(
        ValueError, match="valid: random, greedy, corner, deep, gone, mcts, mcts:1 to"
    ):
        bots.make("deeper")


def test_an_entry_point_of_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pip leaves it: metadata beside a module."""
    (tmp_path / "someones_bots.py").write_text(
        "class Last:\n    def choose(self, board):\n        return int(board.legal_ids()[-1])\n",
        encoding="utf-8",
    )
    folder = tmp_path / "someones_bots-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: someones-bots\nVersion: 1.0\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text(
        "[blokus_fast.bots]\nlast = someones_bots:Last\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert "last" in bots.available()
    names.check("last")
    assert bots.make("last").choose(bf.Board("duo")) == bf.Board("duo").legal_ids()[-1]


def test_every_name_that_is_there_makes_a_bot() -> None:
    for name in bots.available():
        names.check(name)
        assert Player(bots.make(name, seed=1)).name == name


def test_the_search_without_options_has_the_same_name_everywhere() -> None:
    """It thinks as the clock allows, as with one thread and no limit."""
    from blokus_fast.selfplay import Settings

    for name in ("mcts", "mcts:threads=1"):
        bot = bots.make(name, seed=3)
        assert isinstance(bot, bots.MCTSBot)
        assert (bot.name, bot.seed, bot.threads, bot.level) == ("mcts", 3, 1, None)
        assert bot.seconds is None is bot.simulations
        assert names.is_search(name)
    assert Settings("duo", "mcts", seed=1).is_search
    assert names.split(["mcts", "greedy"]) == ["mcts", "greedy"]


def test_opponents_in_environments_may_think() -> None:
    from blokus_fast.envs.opponents import make_opponents, opponent_list

    chosen = opponent_list([Thinking, First(), "mcts:1", "random"], 5)
    made = make_opponents(chosen, np.random.default_rng(1))
    board = bf.Board("duo")
    first, second = (bot.choose(board) for bot in made[:2])
    assert first == second == board.legal_ids()[0]
    assert [bot.name for bot in (made[0], *made[2:])] == ["thinking", "mcts:1", "random"]
    with pytest.raises(ValueError, match=r"level 0 is not in 1\.\.9"):
        opponent_list("mcts:0", 2)


def test_names_split_at_commas_are_put_together() -> None:
    text = "greedy,mcts:3,threads=2,seed=1,mcts:time=1,random,x=y"
    assert names.split(text.split(",")) == [
        "greedy", "mcts:3,threads=2,seed=1", "mcts:time=1", "random", "x=y",
    ]  # fmt: skip


def test_bots_are_pickled() -> None:
    board = bf.Board("duo")
    for name in bots.BOTS:
        bot = bots.make(name, seed=5)
        bot.choose(board)
        again = pickle.loads(pickle.dumps(bot))
        assert [again.choose(board) for _ in range(3)] == [bot.choose(board) for _ in range(3)]
