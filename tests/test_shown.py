"""What people see of the objects of the package: no address, but what it is."""

from __future__ import annotations

import importlib
import inspect
import io
import pkgutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import blokus_fast as bf
from blokus_fast import bots, contest, executors, gtp, records
from blokus_fast.arena import Settings, run
from blokus_fast.shown import call_text, short

# Parts of classes, none of which is ever an object by itself.
PARTS = {"OneAttribute", "Games"}


def public_classes() -> list[type]:
    """Return the classes that modules name as theirs, the command line's apart."""
    found: dict[type, None] = {}
    for info in pkgutil.walk_packages(bf.__path__, "blokus_fast."):
        if info.name.startswith("blokus_fast.cli") or info.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(info.name)
        except ImportError:
            continue  # an extra that is not installed
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if inspect.isclass(thing) and thing.__module__.startswith("blokus_fast"):
                found[thing] = None
    return [*found, type(bf.Board().rules)]


def test_no_public_class_shows_an_address() -> None:
    classes = public_classes()
    assert len(classes) > 150
    bare = [
        f"{kind.__module__}.{kind.__qualname__}"
        for kind in classes
        if kind.__repr__ is object.__repr__
        and kind.__name__ not in PARTS
        and not getattr(kind, "_is_protocol", False)
    ]
    assert not bare


def objects(folder: Path) -> dict[str, Callable[[], Any]]:
    """Return objects that the package hands out, by what they show."""
    record = bf.Record("duo")
    record.headers["EV"] = "x"
    records.write(record, folder / "one.blksgf")
    settings = Settings.make(["greedy", "random"], "duo", 2)
    return {
        "RandomBot(seed=1)": lambda: bots.make("random", seed=1),
        "GreedyBot()": lambda: bots.make("greedy"),
        "GreedyBot(seed=2)": lambda: bots.make("greedy", seed=2),
        "CornerBot(seed=3)": lambda: bots.CornerBot(seed=3),
        "MCTSBot(4, seed=5)": lambda: bots.make("mcts:4", seed=5),
        "MCTSBot(simulations=9, threads=2, memory=1048576, exploration=0.5)": lambda: bots.make(
            "mcts:sims=9,threads=2,memory=1,exploration=0.5"
        ),
        "MCTSBot()": bots.MCTSBot,
        "Player(GreedyBot(seed=1))": lambda: bots.Player(bots.make("greedy", seed=1)),
        "<Timer of Clock(": lambda: bots.Timer(),
        "Headers({'EV': ['x']})": lambda: record.headers,
        "{'EV': ['x']}": lambda: record.root.properties,
        f"<RecordReader of {folder / 'one.blksgf'}: 0 warnings>": lambda: records.read_all(
            folder / "one.blksgf"
        ),
        "<RecordReader of an open file: 0 warnings>": lambda: records.read_all(
            io.BytesIO(b"(;GM[Blokus])")
        ),
        "<Rules of duo>": lambda: bf.Board("duo").rules,
        "ProcessExecutor(workers=1)": lambda: executors.open_executor(workers=1),
        "Settings(": lambda: settings,
        "<Session of greedy: ": lambda: gtp.Session("greedy"),
        "Client of greedy: localhost:13050": lambda: contest.Client(bots.make("greedy")),
        "Observer(": lambda: bf.Observer("duo"),
    }


def test_what_is_handed_out_shows_what_it_is(tmp_path: Path) -> None:
    for text, make in objects(tmp_path).items():
        thing = make()
        shown = repr(thing)
        assert text in shown or type(thing).__name__ in ("Observer",), (text, shown)
        assert " at 0x" not in shown
        assert len(shown) < 500, shown
        if hasattr(thing, "close"):
            thing.close()


def test_what_can_be_typed_back(tmp_path: Path) -> None:
    names = {name: getattr(bots, name) for name in bots.__all__}
    for name in ("random", "greedy", "corner", "mcts:3", "mcts:sims=9,growing=1,book=1,margin=0.5"):
        for seed in (None, 7):
            bot = bots.make(name, seed=seed)
            again = eval(repr(bot), names)
            assert (repr(again), again.name) == (repr(bot), bot.name)
            assert seed is None or again.choose(bf.Board("duo")) == bot.choose(bf.Board("duo"))


def test_reports_and_servers(tmp_path: Path) -> None:
    report = run(["greedy", "random"], "duo", 2, seed=1, workers=1)
    assert " at 0x" not in repr(report)
    with contest.Server(port=0) as server:
        assert repr(server) == f"<Server 127.0.0.1:{server.port}: 0 games played>"
    here, there = socket.socketpair()
    with here, there:
        assert repr(contest.connection.Connection(here)) == "<Connection: open>"


def test_environments() -> None:
    pytest.importorskip("gymnasium", reason="the extra `envs`")
    pytest.importorskip("pettingzoo", reason="the extra `envs`")
    from blokus_fast.envs import blokus_v0
    from blokus_fast.envs.policies import Policy
    from blokus_fast.envs.single import BlokusEnv

    assert repr(BlokusEnv("duo")) == "<BlokusEnv duo: opponents ['random']>"
    assert repr(blokus_v0.raw_env("duo")) == "<raw_env duo: 2 agents>"
    policy = Policy(lambda observation, mask: mask, name="mine")
    assert repr(policy.bot(seed=3)) == "PolicyBot(<Policy mine>, seed=3)"


def test_calls_and_values() -> None:
    assert call_text([], 1, None, seed=None, name="x") == "list(1, name='x')"
    assert short("a") == "'a'"
    assert short("a" * 90) == "'" + "a" * 59 + "..."
