"""What bots are called: names that were given, what engines say, numbers where two are alike."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from cli_tools import run
from gtp_tools import FAKE, fake, nothing_left

import blokus_fast as bf
from blokus_fast.bots.titles import asked_title, check_titles, labels_of, title_of
from blokus_fast.gtp import Engine, EngineBot, Session
from blokus_fast.match import HUMAN, Match, bot_names

ENGINE = f"gtp:{shlex.quote(sys.executable)} -m blokus_fast gtp --bot random"
PYTHON = Path(sys.executable).name


def of_fake(*faults: str) -> str:
    return f"gtp:{shlex.join(fake(*faults))}"


def test_engines_are_called_what_they_say() -> None:
    assert asked_title("mcts:3") == title_of("mcts:3") == "mcts:3"
    with nothing_left():
        assert asked_title(of_fake()) == "Fake 1.0"
        assert asked_title(of_fake("refuse=version")) == "Fake"
        assert asked_title(f"{ENGINE} --name Alpha") == f"Alpha {bf.__version__}"


def test_engines_that_do_not_say_it_are_called_by_their_program() -> None:
    assert title_of(of_fake()) == title_of(f"gtp:'/a b/{PYTHON}' -x") == PYTHON
    assert asked_title(of_fake("refuse=name+version")) == PYTHON
    assert asked_title(of_fake("refuse=name")) == PYTHON
    assert asked_title("gtp:no/such/engine.exe --fast") == "engine"
    assert asked_title(f"gtp:{shlex.quote(sys.executable)} -c 0") == PYTHON
    assert title_of("gtp:an 'open quote") == "gtp:an 'open quote"


def test_an_engine_that_is_mute_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blokus_fast.bots.titles._PATIENCE", 0.3)
    with nothing_left():
        name = f"gtp:{shlex.quote(sys.executable)} -c 'import time; time.sleep(60)'"
        assert asked_title(name) == PYTHON


def test_a_title_is_one_line_and_not_too_long(tmp_path: Path) -> None:
    odd = tmp_path / "odd.py"
    text = FAKE.read_text().replace('"Fake"', '"[b]\\x1b[2J\\n\\t\\u202ex " + "y" * 500')
    odd.write_text(text)
    with Engine([sys.executable, str(odd)]) as engine:
        assert engine.title.startswith("[b][2J ?x yyy")
        assert len(engine.title) == 60


def test_an_engine_without_a_name_can_play() -> None:
    with EngineBot(fake("refuse=name")) as bot:
        assert bot.name == bot.title == PYTHON
        assert bot.choose(bf.Board("duo")) in bf.Board("duo").legal_moves


def test_labels_tell_apart_what_is_called_alike() -> None:
    assert labels_of(["x", "x"]) == ("x 1", "x 2")
    assert labels_of(["mcts:3", "y", "mcts:3"]) == ("mcts:3 #1", "y", "mcts:3 #2")
    assert labels_of(["Pentobi 31.0-dev"] * 2)[1] == "Pentobi 31.0-dev #2"
    assert labels_of(["v1", "v1", "v1 #1"]) == ("v1 #2", "v1 #3", "v1 #1")


def test_names_that_are_given() -> None:
    bots = ["mcts:3", HUMAN, "gtp:/x/pentobi-gtp --nobook"]
    assert bot_names(bots) == ["mcts:3", "you", "pentobi-gtp"]
    assert bot_names(bots, ["", " Ann "]) == ["mcts:3", "Ann", "pentobi-gtp"]
    assert bot_names(bots, ["A", "A", "A"]) == ["A 1", "A 2", "A 3"]
    assert bot_names([HUMAN, HUMAN]) == ["human 1", "human 2"]
    for wrong in (["a"] * 4, ["a\nb"], ["x" * 61], ["\x1b[2J"]):
        with pytest.raises(ValueError, match="name"):
            check_titles(wrong, bots)


def test_a_match_asks_the_engines_that_it_starts_anyway(tmp_path: Path) -> None:
    log = tmp_path / "log"
    match = Match(bf.variant("duo"), [of_fake(f"log={log}"), ENGINE], seed=1, games=2)
    assert match.labels == [f"{PYTHON} 1", f"{PYTHON} 2"]
    # It knows one move only.
    with pytest.raises(RuntimeError, match=r"the bot Fake 1\.0: .*Fake plays e10 at move 3"):
        match.run()
    random = f"blokus-fast random {bf.__version__}"
    assert match.labels == ["Fake 1.0", random]
    assert match.played[0].game.names == ("Fake 1.0", random)
    assert [total["name"] for total in match.totals()] == match.labels
    assert log.read_text().split("\n").count("name") == 1


def test_names_that_are_given_to_a_match_stay() -> None:
    bots = [ENGINE, ENGINE]
    match = Match(bf.variant("duo"), bots, seed=1, games=2, names=["", "Beta"])
    match.run()
    assert match.labels == [f"blokus-fast random {bf.__version__}", "Beta"]
    assert match.played[1].game.names == tuple(match.labels[::-1])
    assert match.report()["bots"] == bots
    with pytest.raises(ValueError, match="3 names for 2 bots"):
        Match(bf.variant("duo"), bots, seed=1, names=["a", "b", "c"])


def test_engines_of_our_own_say_what_they_are_told_to() -> None:
    assert Session("greedy").answer("name") == "= blokus-fast greedy\n\n"
    assert Session("greedy", name="Alpha").answer("name") == "= Alpha\n\n"


# -- the command line ----------------------------------------------------------------------------


PLAY = ("play", "--variant", "duo", "--seed", "1", "--games", "2")
ARENA = ("arena", "--variant", "duo", "--seed", "1", "--games", "2", "--workers", "1")


def test_play_takes_names_in_the_order_of_bots() -> None:
    done = run(*PLAY, "--bots", "greedy,random", "--name", "[old]", "--json", "--save", "-")
    assert done.exit_code == 2
    done = run(*PLAY, "--bots", "greedy,random", "--name", "[old]", "--json")
    report = json.loads(done.stdout)
    assert [total["name"] for total in report["totals"]] == ["[old]", "random"]
    assert report["bots"] == ["greedy", "random"]
    done = run(*PLAY, "--bots", "greedy,random", "--name", "[old]", "--name", "new")
    assert "[old] wins" in done.stdout
    done = run(*PLAY, "--bots", "greedy", "--name", "Ann")
    assert "Ann: " in done.stdout
    assert "greedy: " in done.stdout


@pytest.mark.parametrize(
    "command", [(*PLAY, "--bots", "greedy,random"), (*ARENA, "greedy", "random")]
)
def test_names_that_cannot_be_are_wrong_usage(command: tuple[str, ...]) -> None:
    if command[0] == "arena":
        pytest.importorskip("choix", reason="the arena is an extra")
    done = run(*command, *(word for name in "abc" for word in ("--name", name)))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "there are 3 names for 2 bots" in done.stderr
    assert run(*command, "--name", "a\nb").exit_code == 2


def test_play_says_which_engine_is_which() -> None:
    two = f'"{ENGINE}","{ENGINE} --seed 5"'
    done = run(*PLAY, "--bots", two)
    label = f"blokus-fast random {bf.__version__}"
    assert done.exit_code == 0, done.output
    assert f"{label} #1 is {ENGINE}\n" in done.stdout
    assert f"{label} #2 is {ENGINE} --seed 5\n" in done.stdout


@pytest.mark.costly
def test_the_arena_asks_engines_and_remembers_it(tmp_path: Path) -> None:
    pytest.importorskip("choix", reason="the arena is an extra")
    folder = tmp_path / "run"
    to = ("--output", str(folder), "--json")
    done = run(*ARENA, ENGINE, "random", "--name", "", "--name", "Beta", *to)
    assert done.exit_code == 0, done.output
    labels = [f"blokus-fast random {bf.__version__}", "Beta"]
    assert json.loads(done.stdout)["bots"] == labels
    settings = json.loads((folder / "settings.json").read_text())
    assert (settings["bots"], settings["names"]) == ([ENGINE, "random"], labels)
    page = (folder / "report.html").read_text()
    assert f"{labels[0]} is {ENGINE}" in page.replace("&#x27;", "'")
    record = next(bf.records.read_all(folder / "games.blksgf"))
    assert sorted(record.names) == sorted(labels)
    # As it was, whatever the engine would say now; and not another one.
    more = ("--games", "4", "--resume", *to)
    for again in ((), (ENGINE, "random"), (ENGINE, "random", "--name", labels[0])):
        done = run("arena", *again, *more)
        assert done.exit_code == 0, done.output
        assert json.loads(done.stdout)["bots"] == labels
    done = run("arena", "--name", "Alpha", *more)
    assert done.exit_code == 1
    assert "names is " in done.stderr


def test_runs_without_names_go_on(tmp_path: Path) -> None:
    from blokus_fast.arena import Settings

    settings = Settings.make([f"{ENGINE} --seed 2", "random"], "duo", 2)
    assert settings.names == settings.labels == (PYTHON, "random")
    old = settings.to_json()
    del old["names"]
    assert Settings.from_json(old).labels == settings.bots


def test_the_arena_from_python_asks_engines_as_well() -> None:
    pytest.importorskip("choix", reason="the arena is an extra")
    from blokus_fast.arena import run as run_arena

    report = run_arena([ENGINE, "random"], "duo", 2, workers=1)
    assert report.settings.labels == (f"blokus-fast random {bf.__version__}", "random")
    assert report.notes() == [f"{report.settings.labels[0]} is {ENGINE}"]


def test_the_client_of_the_contest_is_called_what_it_is_told() -> None:
    from blokus_fast.bots import make
    from blokus_fast.contest.starting import Settings

    client = Settings.read(["--name", "Alpha"]).client(make("greedy"), reservation=None)
    assert client.thinker.name == "Alpha"
    assert Settings.read([]).client(make("greedy"), reservation=None).thinker.name == "greedy"
