"""The command `arena`."""

import json
import os
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

import blokus_fast as bf
from blokus_fast.cli.app import cli

FIELDS = [
    "bot", "games", "wins", "draws", "losses", "score", "score_interval", "rating", "interval",
    "mean_margin", "cpu_seconds",
]  # fmt: skip


def arena(*arguments, **options):
    return CliRunner(**options).invoke(cli, ["arena", *map(str, arguments)])


DUO = ("--variant", "duo", "--seed", 1)


def test_json_has_an_entry_for_every_bot():
    done = arena("greedy", "random", *DUO, "--games", 10, "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert [list(entry) for entry in report["results"]] == [FIELDS, FIELDS]
    best, worst = report["results"]
    assert best["bot"] == "greedy"
    assert best["games"] == best["wins"] + best["draws"] + best["losses"] == 10
    assert best["score"] == best["wins"] + best["draws"] / 2
    assert best["score"] + worst["score"] == 10
    assert best["interval"][0] < best["rating"] < best["interval"][1]
    assert best["mean_margin"] == -worst["mean_margin"] > 0
    assert sum(report["pairs"].values()) == 5
    assert report["settings"]["seed"] == 1
    assert report["cross_table"][0][0] is None
    assert report["cross_table"][0][1]["score"] == best["score"]
    assert report["failures"] == []
    assert report["sprt_state"] is None
    again = json.loads(arena("greedy", "random", *DUO, "--games", 10, "--json").stdout)
    for entry in (*report["results"], *again["results"]):
        entry.pop("cpu_seconds")
    assert again == report


def test_tables_tell_the_same():
    done = arena("corner", "greedy", "random", *DUO, "--games", 12)
    assert done.exit_code == 0
    assert "duo, 12 games, seed 1" in done.stdout
    assert "difference" not in done.stdout
    assert re.search(r"corner +[+-]\d+ +\d-\d-\d +\d+\.\d %", done.stdout)
    assert "row against column" in done.stdout
    assert all(len(line.rstrip()) <= 80 for line in done.stdout.splitlines())
    assert done.stderr == ""


def test_two_bots_of_a_kind_have_numbers():
    report = json.loads(arena("random", "random", *DUO, "--games", 4, "--json").stdout)
    assert sorted(entry["bot"] for entry in report["results"]) == ["random 1", "random 2"]


def test_options_of_a_search_may_have_commas():
    done = arena("mcts:sims=5,threads=1", "random", *DUO, "--games", 2, "--json")
    assert "mcts:sims=5,threads=1" in json.loads(done.stdout)["bots"]


def test_more_players_than_bots():
    done = arena("greedy", "random", "--variant", "classic", "--games", 6, "--json", "--seed", 2)
    assert json.loads(done.stdout)["results"][0]["bot"] == "greedy"
    alone = arena("greedy", "random", "--variant", "classic", "--games", 4, "--seats", "ABBB",
                  "--json", "--seed", 2)  # fmt: skip
    assert alone.exit_code == 0
    told = arena("greedy", "random", "--variant", "classic", "--games", 5, "--seats", "ABBB")
    assert "5 games" in told.stdout
    assert "seats ABBB" in told.stdout
    assert "Seats of equal strength would win: greedy 25%, random 75%." in told.stdout
    assert "not played from all seats: that takes 4 games" in told.stdout
    assert re.search(r"difference: greedy is stronger by \d+ Elo \[", told.stdout)
    assert json.loads(alone.stdout)["pairs"] is None


def test_who_loses_is_weaker(tmp_path):
    done = arena("random", "greedy", *DUO, "--games", 6, "--output", tmp_path / "run")
    pattern = r"random is weaker by \d+ Elo \[[+-]\d+, \+\d+\]"
    told = re.search(f"difference: ({pattern})\n", done.stdout)
    assert told is not None, done.stdout
    assert f"{told[1]}." in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_a_sequential_test_says_weaker_as_well():
    from blokus_fast.arena import SPRT, SPRTState

    decided = {state: SPRTState(0, -3, 3, state) for state in ("low", "high", None)}
    assert SPRT(-10, 0).words(decided["low"], "mine") == (
        "mine is not stronger by 0 Elo, but rather weaker by 10"
    )
    assert SPRT(-30, -10).words(decided["high"], "mine") == (
        "mine is weaker, by 10 Elo rather than by 30"
    )
    assert SPRT(0, 5).words(decided["low"], "mine") == (
        "mine is not stronger by 5 Elo, but rather by 0"
    )
    assert SPRT(-9, -4).words(decided[None], "mine") == (
        "it is not decided whether mine is weaker by 4 Elo"
    )


def test_a_folder_has_everything(tmp_path):
    folder = tmp_path / "run"
    done = arena("greedy", "arena_bots:Raises", *DUO, "--games", 6, "--output", folder,
                 "--replays", 2)  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "arena_bots:Raises lost 6 games: KeyError" in done.stdout
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "settings.json", "games.jsonl", "games.blksgf", "results.json", "ratings.svg",
        "report.html", "replays", "games",
    }  # fmt: skip
    assert ET.fromstring((folder / "ratings.svg").read_text()).tag.endswith("svg")
    page = (folder / "report.html").read_text()
    links = re.findall(r'href="(replays/[^"]+)"', page)
    # Games that were broken off can be looked at, however many.
    assert len(links) == 6
    assert all((folder / link).exists() for link in links)
    assert "lost by a fault of the bot: arena_bots:Raises 6" in page
    assert "<script" not in page
    saved = json.loads((folder / "results.json").read_text())
    assert saved["games"] == 6
    with bf.records.read_all(folder / "games.blksgf") as reader:
        assert len(list(reader)) == 6
    # For Pentobi, one game a file.
    assert sorted(os.listdir(folder / "games")) == [f"game-000{n}.blksgf" for n in range(1, 7)]


def test_resuming_needs_no_more_than_the_folder(tmp_path):
    folder = tmp_path / "run"
    assert arena("greedy", "random", *DUO, "--games", 4, "--output", folder).exit_code == 0
    done = arena("--output", folder, "--resume", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["games"] == 4
    done = arena("--output", folder, "--resume", "--games", 8, "--json")
    assert json.loads(done.stdout)["games"] == 8
    for more, told in [
        (("--seed", 2), "seed is 1 there, not 2"),
        (("--time", 1), "clock is None there"),
        (("--variant", "junior"), "variant is"),
        (("greedy", "corner"), "bots is"),
        (("--games", 2), "cannot become 2"),
    ]:
        done = arena(*more, "--output", folder, "--resume")
        assert done.exit_code == 1
        assert told in done.stderr


def test_a_sequential_test_ends_early():
    done = arena("greedy", "random", *DUO, "--games", 400, "--sprt", "0,100", "--json")
    report = json.loads(done.stdout)
    assert report["games"] < 100
    assert report["sprt_state"]["decision"] == "high"
    done = arena("greedy", "random", *DUO, "--games", 4, "--sprt", "0,100,0.01")
    assert "it is not decided whether greedy is stronger by 100 Elo" in done.stdout


def test_hostile_names_stay_text(tmp_path, monkeypatch):
    """A name is in tables, plots and pages as it is, and is nothing else there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.py").write_text("class B:\n def choose(self, board):\n  1/0\n")
    folder = tmp_path / "run"
    name = f"gtp:{sys.executable} -m blokus_fast gtp --bot random '--color=<script>$\\frac'"
    done = arena("odd:B", "greedy", *DUO, "--games", 2, "--output", folder)
    assert done.exit_code == 0, done.output
    done = arena(name, "greedy", *DUO, "--games", 2)
    assert done.exit_code == 1
    assert "Traceback" not in done.output


def test_names_in_the_page_are_escaped():
    from blokus_fast.arena.page import page_text
    from blokus_fast.arena.report import Report
    from blokus_fast.arena.settings import Settings

    settings = Settings(("<script>alert(1)</script>", "$\\frac{%(title)s"), bf.variant("duo"), 2)
    failure = {"player": 0, "bot": "<i>", "kind": "error", "text": "<b>no</b>\ud800"}
    game = {
        "number": 0, "opening": 0, "seats": [0, 1], "bots": ["<u>", "&"], "start": None,
        "opening_plies": 0, "moves": [], "scores": None, "ranking": [2, 1], "winners": [1],
        "failure": failure, "seconds": None, "cpu_seconds": None,
    }  # fmt: skip
    page = page_text(Report(settings, [game]))
    assert "<script" not in page
    assert "<b>" not in page
    assert "<u>" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "$\\frac{%(title)s" in page
    page.encode()


MINUS_ZERO = re.compile(r"[-\u2212]0(\.0*)?(?![\d.])")


def test_what_rounds_to_zero_has_no_minus(monkeypatch, capsys):
    from blokus_fast.arena import report as module
    from blokus_fast.arena.page import page_text
    from blokus_fast.arena.plots import ratings_plot
    from blokus_fast.arena.ratings import Ratings
    from blokus_fast.arena.report import Report
    from blokus_fast.arena.settings import Settings
    from blokus_fast.cli.arena import _show

    settings = Settings.make(["greedy", "random"], "duo", 40, sprt=(-10.0, 10.0), seed=1)
    games = [
        {
            "number": number, "opening": number // 2, "seats": [number % 2, 1 - number % 2],
            "bots": ["greedy", "random"], "start": None, "opening_plies": 2, "moves": [],
            # Margins of -1 and 1, but for one that is 0.
            "scores": [0, number > 0], "ranking": [1, 1], "winners": [0, 1], "failure": None,
            "seconds": None, "cpu_seconds": None,
        }
        for number in range(40)
    ]  # fmt: skip
    low = Ratings((-0.2, 0.2), ((-0.4, -0.04), (0.04, 0.4)))
    monkeypatch.setattr(module, "rate", lambda tally: low)
    report = Report(settings, games)
    assert -0.05 < min(result.mean_margin for result in report.results) < 0.0
    page = page_text(report)
    assert ">+0<" in page
    assert "stronger by 0 Elo [-1, +0]." in page
    assert not MINUS_ZERO.search(re.sub(r"(?s)<style>.*?</style>|base64,[^\"]*", "", page))
    drawn = ratings_plot(report).decode()
    assert re.search(r"(<!-- |>)\+0( -->|<)", drawn)
    assert not re.search(r"(<!-- |>)-0( -->|<)", drawn)
    _show(report, None)
    shown = capsys.readouterr().out
    assert "+0.0" in shown
    # Wins, draws and losses have signs between them.
    assert not MINUS_ZERO.search(shown.replace("0-40-0", ""))
    tiny = Ratings((-0.04, 0.04), ((-0.02, -0.01), (0.01, 0.02)))
    monkeypatch.setattr(module, "rate", lambda tally: tiny)
    assert not MINUS_ZERO.search(json.dumps(Report(settings, games).to_json()))


def test_signs_are_asked_for_without_a_minus_before_zero():
    """Format `+z`: a number of either sign that rounds to zero is +0, wherever it is shown."""
    package = Path(bf.__file__).parent
    shown = [
        (path.name, spec)
        for path in package.rglob("*.py")
        for spec in re.findall(r"\{[^{}]*:(\+[^{}]*[fge%])\}", path.read_text(encoding="utf-8"))
    ]
    assert len(shown) > 8
    assert [each for each in shown if not each[1].startswith("+z")] == []


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((), 2, "at least 2 bots, not 0"),
        (("greedy",), 2, "at least 2 bots, not 1: greedy"),
        (("greedy", "deep-blue"), 2, "unknown bot 'deep-blue'"),
        (("greedy", "random", "--seats", "AB"), 2, "seats are 4 letters"),
        (("greedy", "random", "--sprt", "5"), 2, "it is LOW,HIGH or LOW,HIGH,ERROR"),
        (("greedy", "random", "--sprt", "a,b"), 2, "it is LOW,HIGH or LOW,HIGH,ERROR"),
        (("greedy", "random", "--time", "1", "--clock", "5"), 2, "exclude each other"),
        (("greedy", "random", "--positions", "no-such-file"), 2, "does not exist"),
        (("greedy", "random", "--executor", "abacus"), 1, "unknown executor 'abacus'"),
        (("greedy", "random", "--resume"), 2, "--resume needs the --output of the run"),
        (("greedy", "random", "--workers", "0"), 2, "1<=x<=1024"),
        (("greedy", "arena_bots:OnlyClassic", "--variant", "duo"), 1, "I play Classic only"),
        (("greedy", "arena_bots:Nobody"), 2, "there is no Nobody in arena_bots"),
    ],
)
def test_what_cannot_be(arguments, code, told):
    done = arena(*arguments, "--games", 2)
    assert done.exit_code == code
    assert told in done.stderr
    assert done.stdout == ""


def test_libraries_that_are_missing_are_told_first(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "choix", None)
    done = arena("greedy", "random", *DUO, "--games", 2)
    assert done.exit_code == 1
    assert "ratings need the library choix" in done.stderr
    assert "pip install '.[arena]'" in done.stderr
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = arena("greedy", "random", *DUO, "--games", 2, "--output", tmp_path / "run")
    assert done.exit_code == 1
    assert "plots need matplotlib" in done.stderr
    assert not (tmp_path / "run").exists()
