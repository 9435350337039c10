"""The command line as a program of its own: exit codes, streams, Ctrl-C, missing packages."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import blokus_fast as bf

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")

SCRIPT = shutil.which("blokus-fast", path=str(Path(sys.executable).parent))
MODULE = [sys.executable, "-m", "blokus_fast"]
PROGRAMS = [
    pytest.param(
        [SCRIPT], id="script", marks=pytest.mark.skipif(SCRIPT is None, reason="not installed")
    ),
    pytest.param(MODULE, id="module"),
]


def run(
    program: list[str], *args: str, cwd: Path, keys: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*program, *args],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        input=keys,
        timeout=120,
        env={**os.environ, "COLUMNS": "100"},
    )


@pytest.mark.parametrize("program", PROGRAMS)
def test_output_is_one_json_object_and_errors_go_elsewhere(
    program: list[str], tmp_path: Path
) -> None:
    done = run(program, "perft", "classic", "3", "--start", "assigned", "--json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["nodes"] == 195_112
    assert done.stdout.count("\n") == 1

    wrong = run(program, "play", "--variant", "chess", cwd=tmp_path)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert all(name in wrong.stderr for name in bf.VARIANTS)
    assert wrong.stderr.startswith("Usage: blokus-fast")


@pytest.mark.parametrize("program", PROGRAMS)
def test_help_and_version(program: list[str], tmp_path: Path) -> None:
    shown = run(program, "--help", cwd=tmp_path)
    assert shown.returncode == 0
    assert all(word in shown.stdout for word in ("play", "perft", "bench", "info"))
    version = run(program, "--version", cwd=tmp_path)
    assert version.stdout.strip().endswith(bf.__version__)


def test_play_prints_the_same_report_again(tmp_path: Path) -> None:
    args = ["play", "--variant", "duo", "--bots", "random,greedy", "--games", "2"]
    args += ["--seed", "1", "--json"]
    first, again = (run(MODULE, *args, cwd=tmp_path) for _ in range(2))
    assert first.stdout == again.stdout
    report = json.loads(first.stdout)
    assert set(report) == {
        "variant",
        "start",
        "scoring",
        "seed",
        "bots",
        "interrupted",
        "games",
        "totals",
    }
    assert (report["variant"], report["start"], report["scoring"]) == ("duo", "any", "advanced")
    assert [total["games"] for total in report["totals"]] == [2, 2]
    for played in report["games"]:
        assert set(played) == {
            "bots",
            "seats",
            "finished",
            "moves",
            "players",
            "skips",
            "color_scores",
            "scores",
            "ranking",
            "winners",
        }


def test_a_person_at_the_keyboard(tmp_path: Path) -> None:
    keys = "help\nlist\nlist X\nhint\na9\nrubbish\ne8,d9,e9,f9,e10\nundo\ne10\nquit\n"
    args = ("play", "--variant", "duo", "--bots", "human,random", "--seed", "3")
    done = run(MODULE, *args, cwd=tmp_path, keys=keys)
    assert (done.returncode, done.stderr) == (0, "")
    for words in (
        "take back your last move",  # help
        "828 moves: 1: 2, 2: 8",  # list
        "e8,d9,e9,f9,e10",  # list X
        "start square",  # a9
        "'rubbish' is not",
        "1. purple (you): X at e8,d9,e9,f9,e10",
        "1. purple (you): 1 at e10",
        "Stopped.",
        "seed 3",
    ):
        assert words in done.stdout, words


# The command line in which a function tells, by a file, that it has been called some times.
WATCHED = """
import importlib, sys
from pathlib import Path
from blokus_fast.cli import main

_, place, name, times, *words = sys.argv
module = importlib.import_module(place)
owner, _, name = name.rpartition(".")
holder = getattr(module, owner) if owner else module
function, calls = getattr(holder, name), [0]

def watched(*args, **kwargs):
    result = function(*args, **kwargs)
    calls[0] += 1
    if calls[0] == int(times):
        Path("at work").touch()
    return result

setattr(holder, name, watched)
main(words)
"""
PERFT = ("blokus_fast.cli.speed", "_core.perft", "2")
BENCH = ("blokus_fast.cli.speed", "time_per_call", "2")
PLAY = ("blokus_fast.cli.saving", "Saver.add", "2")


def interrupted(
    *args: str, cwd: Path, first_words: str = "", calls: tuple[str, ...] = ()
) -> tuple[subprocess.Popen[str], str, str]:
    """Start what would take long, press Ctrl-C when it is at work, return what it printed.

    It is at work when it has printed some words, or has called a function so often.
    """
    sign = cwd / "at work"
    sign.unlink(missing_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-c", WATCHED, *calls, *args] if calls else [*MODULE, *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    seen = ""
    if first_words:
        while first_words not in seen:
            seen += process.stdout.read(1)
    else:
        end = time.monotonic() + 120
        while not sign.exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        assert sign.exists(), process.communicate(timeout=60)
    assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process, seen + out, err


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_ends_a_match_and_keeps_what_was_played(tmp_path: Path) -> None:
    args = ("play", "--variant", "duo", "--bots", "random", "--games", "1000000", "--seed", "1")
    process, out, err = interrupted(*args, "--json", cwd=tmp_path, calls=PLAY)
    assert (process.returncode, err) == (130, "")
    report = json.loads(out)
    assert report["interrupted"] is True
    assert 0 < report["totals"][0]["games"] < 1_000_000
    assert all(played["finished"] for played in report["games"][:-1])

    process, out, err = interrupted(*args, cwd=tmp_path, first_words="game 2 ")
    assert (process.returncode, err) == (130, "")
    assert "Stopped." in out
    assert "mean score" in out


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_ends_a_game_with_a_person(tmp_path: Path) -> None:
    process, out, err = interrupted(
        "play", "--variant", "duo", cwd=tmp_path, first_words="your move"
    )
    assert (process.returncode, err) == (0, "")
    assert "Stopped." in out


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_ends_a_long_count(tmp_path: Path) -> None:
    for more in ((), ("--divide",), ("--json",)):
        process, out, err = interrupted("perft", "classic", "6", *more, cwd=tmp_path, calls=PERFT)
        assert (process.returncode, out) == (130, "")
        told = re.fullmatch(
            r"interrupted: ([\d,]+) move sequences counted, (\d+) of 58 first moves done\n", err
        )
        assert told is not None, err
        assert int(told[1].replace(",", "")) > 0


@pytest.mark.costly
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_ends_a_measurement(tmp_path: Path) -> None:
    args = ("bench", "--variant", "duo", "--seconds", "1.5")
    process, out, err = interrupted(*args, cwd=tmp_path, calls=BENCH)
    assert (process.returncode, err) == (130, "interrupted\n")
    assert "legal list" in out
    assert "native playout" not in out
    process, out, err = interrupted(*args, "--json", cwd=tmp_path, calls=BENCH)
    assert (process.returncode, err) == (130, "")
    report = json.loads(out)
    assert report["interrupted"] is True
    assert [row["operation"] for row in report["results"]][:1] == ["legal list"]


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_in_the_first_game_leaves_no_empty_table(tmp_path: Path) -> None:
    args = ("play", "--variant", "duo", "--bots", "greedy,mcts:time=600", "--games", "3", "--show")
    process, out, _ = interrupted(*args, cwd=tmp_path, first_words="1. ")
    assert process.returncode == 130
    assert "not finished after 1 move\n" in out
    assert "all games" not in out


@pytest.mark.skipif(os.name == "nt", reason="the engine is a script of a shell")
@pytest.mark.parametrize(("name", "more", "hint"), [
    ("engine", "", False), ("my-pentobi-gtp", "", True), ("my-pentobi-gtp", " --nobook", False),
])  # fmt: skip
def test_an_engine_that_ends_at_once_says_why(
    name: str, more: str, hint: bool, tmp_path: Path
) -> None:
    engine = tmp_path / name
    engine.write_text("#!/bin/sh\necho 'looking for books' >&2\necho 'no books' >&2\nexit 1\n")
    engine.chmod(0o755)
    done = run(
        MODULE, "play", "--variant", "duo", "--bots", f"greedy,gtp:{engine}{more}", "--games", "2",
        cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1
    # A game that never began has no table.
    assert re.fullmatch(r"seed \d+\n", done.stdout), done.stdout
    assert "ended (exit code 1) at 'name'" in done.stderr
    assert "looking for books / no books" in done.stderr
    assert ("start it with --nobook" in done.stderr) == hint


@pytest.mark.parametrize("missing", [("click",), ("rich",), ("click", "rich")])
def test_missing_packages_are_named(missing: tuple[str, ...], tmp_path: Path) -> None:
    # An import hook that hides packages, as if they had never been installed.
    code = (
        "import importlib.util, runpy, sys\n"
        f"hidden = {missing!r}\n"
        "find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *a: None if name in hidden else find(name, *a)\n"
        "sys.modules.update(dict.fromkeys(hidden))\n"
        "sys.argv = ['blokus-fast', 'info']\n"
        "runpy.run_module('blokus_fast', run_name='__main__')\n"
    )
    done = run([sys.executable], "-c", code, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"needs {' and '.join(missing)}." in done.stderr
    assert ".[cli]" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "words",
    [
        ("perft", "duo", "1", "--json"),
        ("info",),
        ("play", "--variant", "duo", "--bots", "random"),
        ("play", "--variant", "duo", "--bots", "random", "--save", "-"),
        ("--help",),
    ],
)
def test_a_full_disk_is_an_error_without_a_traceback(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*MODULE, *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            cwd=tmp_path,
        )
    assert done.returncode == 1
    told = "Error: cannot write the standard output: No space left on device"
    assert done.stderr.splitlines()[-1] == told
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="these shells are not there")
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete(shell: str, tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    assert f"_BLOKUS_FAST_COMPLETE={shell}_source blokus-fast" in page

    def asked(**env: str) -> str:
        done = subprocess.run(
            MODULE, capture_output=True, text=True, cwd=tmp_path, timeout=120,
            env={**os.environ, **env},
        )  # fmt: skip
        return done.stdout

    assert f"_BLOKUS_FAST_COMPLETE={shell}_complete" in asked(
        _BLOKUS_FAST_COMPLETE=f"{shell}_source"
    )
    begun = {"bash": "1", "zsh": "1", "fish": "per"}[shell]
    found = asked(
        _BLOKUS_FAST_COMPLETE=f"{shell}_complete", COMP_WORDS="blokus-fast per", COMP_CWORD=begun
    )
    assert "perft" in found
    assert "play" not in found
