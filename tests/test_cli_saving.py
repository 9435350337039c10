"""What the command line writes: games as they finish, nothing over its own input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import blokus_fast as bf

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")

from click.testing import CliRunner, Result

from blokus_fast import files
from blokus_fast.cli import saving
from blokus_fast.cli.app import cli

PLAY = ("play", "--variant", "duo", "--seed", "1")
# An engine that does not live to see its third game, or that fails in the middle of it.
MORTAL = """
import sys
from pathlib import Path
from blokus_fast.gtp import Session, serve
games = Path(__file__).with_suffix(".games")
games.write_text(games.read_text() + "x" if games.exists() else "x")
if len(games.read_text()) == 3:
    for _ in range(12):
        line = sys.stdin.readline()
        if "genmove" in line:
            break
        print("= \\n", flush=True)
    sys.exit("out of memory")
serve(Session("random"), sys.stdin.buffer, sys.stdout.buffer)
"""


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(arg) for arg in args])


def saved(path: Path) -> list[list[str]]:
    return [
        [move.text for move in record.main_line_moves()]
        for record in bf.records.read_all(path, strict=True)
    ]


@pytest.fixture
def mortal(tmp_path: Path) -> str:
    """The name of a bot that dies in game 3."""
    program = tmp_path / "mortal.py"
    program.write_text(MORTAL)
    return f"\"gtp:'{sys.executable}' '{program}'\",random"


def test_an_engine_that_dies_in_game_3_of_5(mortal: str, tmp_path: Path) -> None:
    path = tmp_path / "games.blksgf"
    args = (*PLAY, "--bots", mortal, "--games", "5", "--save", path)
    result = run(*args, "--json")
    assert result.exit_code == 1
    assert "ended (exit code 1)" in result.stderr
    report: dict[str, Any] = json.loads(result.stdout)
    assert "ended (exit code 1)" in report["error"]
    assert report["interrupted"] is True
    assert [game["finished"] for game in report["games"]] == [True, True, False]
    assert [total["games"] for total in report["totals"]] == [2, 2]
    whole = [game["moves"] for game in report["games"] if game["moves"]]
    assert saved(path) == whole
    assert len(whole) >= 2


def test_an_engine_that_dies_before_people(mortal: str, tmp_path: Path) -> None:
    path = tmp_path / "games.blksgf"
    result = run(*PLAY, "--bots", mortal, "--games", "5", "--save", path)
    assert result.exit_code == 1
    assert "game 2 " in result.stdout
    assert "all games" in result.stdout
    assert "ended (exit code 1)" in result.stderr
    assert len(saved(path)) >= 2


def test_games_are_in_the_file_as_they_finish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def look(target: str, lines: list[bytes]) -> None:
        files.write_file(target, lines)
        seen.append(len(saved(Path(target))))

    monkeypatch.setattr(saving, "write_file", look)
    path = tmp_path / "games.blksgf"
    assert run(*PLAY, "--bots", "random", "--games", "4", "--save", path).exit_code == 0
    assert seen == [1, 2, 3, 4]


def test_many_games_are_not_written_all_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "_EACH", 2)
    monkeypatch.setattr(saving, "_PAUSE", 1e9)
    counts = []
    monkeypatch.setattr(saving, "write_file", lambda target, lines: counts.append(len(lines)))
    path = tmp_path / "games.blksgf"
    assert run(*PLAY, "--bots", "random", "--games", "5", "--save", path).exit_code == 0
    assert counts == [1, 2, 5]


@pytest.mark.parametrize("as_json", [False, True])
def test_a_file_that_cannot_be_written_is_refused_before_the_first_move(
    as_json: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a game is played")

    monkeypatch.setattr("blokus_fast.match.Match.run", fail)
    more = ["--json"] if as_json else []
    for path in (tmp_path / "no" / "games.blksgf", tmp_path):
        result = run(*PLAY, "--bots", "random", "--save", path, *more)
        assert result.exit_code in (1, 2)
        assert str(path) in result.stderr
        assert result.stdout == ""
    assert os.listdir(tmp_path) == []


def test_a_disk_that_fills_up_costs_the_file_and_not_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.blksgf"
    path.write_text("(;GM[Blokus])\n")

    def full(target: str, lines: object) -> None:
        raise OSError(28, "No space left on device", target)

    monkeypatch.setattr(saving, "write_file", full)
    result = run(*PLAY, "--bots", "random", "--games", "2", "--json", "--save", path)
    assert result.exit_code == 1
    assert len(json.loads(result.stdout)["games"]) == 2
    assert "cannot write" in result.stderr
    assert path.read_text() == "(;GM[Blokus])\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes are closed in another way there")
def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    path = tmp_path / "games.blksgf"
    for more in (["--games", "500"], ["--games", "3", "--json"]):
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "blokus_fast", *PLAY, "--bots", "random", *more,
             "--save", str(path)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path,
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        if "--json" not in more:
            process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        assert process.wait(60) == 1
        assert b"Traceback" not in errors
        assert saved(path)
        path.unlink()


@pytest.mark.skipif(os.name == "nt", reason="pipes are closed in another way there")
def test_without_any_standard_output(tmp_path: Path) -> None:
    path = tmp_path / "games.blksgf"
    for more in ([], ["--json"]):
        command = [sys.executable, "-m", "blokus_fast", *PLAY, "--bots", "random", *more]
        command += ["--save", str(path)]
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" >&-', "sh", *command],
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            timeout=60,
        )
        assert "Traceback" not in done.stderr
        assert len(saved(path)) == 1
        path.unlink()


@pytest.mark.skipif(os.name == "nt", reason="processes are killed in another way there")
def test_a_match_that_is_killed_leaves_its_games(tmp_path: Path) -> None:
    path = tmp_path / "games.blksgf"
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "blokus_fast", *PLAY, "--bots", "random", "--games",
         "1000000", "--save", str(path)],
        stdout=subprocess.PIPE, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("game 20 "):
            break
    process.send_signal(signal.SIGKILL)
    process.stdout.close()
    process.wait(60)
    assert len(saved(path)) >= 20


# Names that somebody else gave


def test_brackets_and_colons_in_the_name_of_a_bot_are_ordinary_signs(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(
        "from blokus_fast.cli import main\nmain(['gtp', '--bot', 'random'])\n"
    )
    odd = "[bold]x[/dim][red] :cat:"
    name = f"gtp:'{sys.executable}' engine.py '{odd}'"
    for games, shown in (("2", "all games"), ("1", "duo, scoring")):
        done = subprocess.run(
            [sys.executable, "-m", "blokus_fast", *PLAY, "--games", games, "--bots",
             f'"{name}",random'],
            capture_output=True, text=True, cwd=tmp_path, timeout=100, check=False,
            env={**os.environ, "COLUMNS": "500"},
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        assert odd in done.stdout.partition(shown)[2]


def test_a_command_with_an_open_quote_is_wrong_usage() -> None:
    for bots in ("gtp:engine 'x", '"gtp:engine ""x",random', "gtp:engine \\", "random\rrandom"):
        for more in ((), ("--json",)):
            result = run(*PLAY, "--bots", bots, *more)
            assert (result.exit_code, result.stdout) == (2, "")
            assert isinstance(result.exception, SystemExit)


# Nothing over its own input

RECORD = "(;GM[Blokus Duo];B[e10];W[j5])\n"


@pytest.mark.parametrize("command", ["replay", "render"])
def test_a_record_is_not_overwritten(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for suffix in (".blksgf", ".svg", ".html"):
        path = tmp_path / f"game{suffix}"
        path.write_text(RECORD)
        targets = [str(path), path.name, f"folder/../{path.name}", f"./{path.name}"]
        if os.name == "posix":
            (tmp_path / f"link{suffix}").symlink_to(path)
            targets.append(f"link{suffix}")
        results = [run(command, path, "-o", target) for target in targets]
        if suffix == {"replay": ".html", "render": ".svg"}[command]:
            results.append(run(command, path))
            assert "name another file with -o" in results[-1].stderr
        for result in results:
            assert result.exit_code == 2
            if command == "replay" or suffix == ".svg":
                assert "is the record itself" in result.stderr
        assert path.read_text() == RECORD
    result = run(command, "game.blksgf", "-o", "other.svg")
    assert result.exit_code == 0, result.output
    assert sorted(path.suffix for path in tmp_path.glob("other*")) == [".svg"]


def test_a_picture_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "game.blksgf").write_text(RECORD)
    (tmp_path / "game.svg").write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    for command in (("render",), ("replay", "-o", str(tmp_path / "game.svg"))):
        result = run(command[0], tmp_path / "game.blksgf", *command[1:])
        assert result.exit_code == 1
        assert "cannot write" in result.stderr
        assert "No space left" in result.stderr
        assert (tmp_path / "game.svg").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["game.blksgf", "game.svg"]


def test_an_old_file_stays_where_nothing_was_played(tmp_path: Path) -> None:
    path = tmp_path / "games.blksgf"
    path.write_bytes(b"(;GM[Blokus Duo])\n")
    result = run(*PLAY, "--bots", "arena_bots:Unmakeable,random", "--save", path)
    assert result.exit_code == 1
    assert "the bot arena_bots:Unmakeable: cannot be made: no weights" in result.stderr
    assert path.read_bytes() == b"(;GM[Blokus Duo])\n"


def test_a_bot_that_fails_is_named_and_its_games_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.blksgf"
    result = run(*PLAY, "--bots", "arena_bots:Raises,random", "--save", path)
    assert result.exit_code == 1
    assert "the bot arena_bots:Raises: KeyError: 'out of [bold]ideas[/bold]'" in result.stderr
    assert len(saved(path)) == 1
