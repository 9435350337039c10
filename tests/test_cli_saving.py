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
from cli_tools import run

import blokus_fast as bf

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")

from blokus_fast import files
from blokus_fast.cli import saving
from blokus_fast.records.folder import RecordFolder

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
def test_what_cannot_be_written_is_refused_before_the_first_move(
    as_json: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a game is played")

    monkeypatch.setattr("blokus_fast.match.Match.run", fail)
    more = ["--json"] if as_json else []
    (tmp_path / "file").write_text("old")
    for path in (tmp_path / "no" / "games.blksgf", f"{tmp_path}/file/"):
        result = run(*PLAY, "--bots", "random", "--save", path, *more)
        assert result.exit_code in (1, 2)
        assert str(path) in result.stderr
        assert result.stdout == ""
    assert os.listdir(tmp_path) == ["file"]


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


# One game a file


def played_moves(result: Any) -> list[list[str]]:
    return [game["moves"] for game in json.loads(result.stdout)["games"]]


def test_a_folder_gets_a_file_for_each_game(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "games"
    args = (*PLAY, "--bots", "random", "--games", "3", "--json", "--save", f"{folder}/")
    result = run(*args)
    assert result.exit_code == 0, result.output
    names = [f"game-000{number}.blksgf" for number in (1, 2, 3)]
    assert sorted(os.listdir(folder)) == names
    assert [saved(folder / name) for name in names] == [[moves] for moves in played_moves(result)]
    assert result.stderr == f"written: {folder / names[0]} to {names[2]}\n"


def test_a_folder_that_is_there_keeps_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "game-0007.blksgf").write_text("old")
    (tmp_path / "game-9.blksgf").write_text("other")
    args = (*PLAY, "--bots", "random", "--games", "1", "--json", "--save", tmp_path)
    for number in (8, 9):
        result = run(*args)
        file = tmp_path / f"game-000{number}.blksgf"
        assert (result.exit_code, result.stderr) == (0, f"written: {file}\n")
        assert saved(file) == played_moves(result)
    assert (tmp_path / "game-0007.blksgf").read_text() == "old"
    assert len(os.listdir(tmp_path)) == 4


@pytest.mark.parametrize("links", [True, False])
def test_two_runs_to_one_folder_do_not_overwrite_each_other(
    links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    if not links:
        monkeypatch.setattr("os.link", refuse)
    one, two = RecordFolder(tmp_path), RecordFolder(tmp_path)
    for number, folder in enumerate((one, two, two, one, two)):
        folder.add(b"%d" % number)
    found = sorted(tmp_path.iterdir())
    assert [path.name for path in found] == [f"game-000{n}.blksgf" for n in range(1, 6)]
    assert [path.read_bytes() for path in found] == [b"0", b"1", b"2", b"3", b"4"]


def test_a_folder_on_a_disk_that_fills_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync, calls = os.fsync, []

    def full(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        fsync(descriptor)

    monkeypatch.setattr("os.fsync", full)
    folder = f"{tmp_path}{os.sep}"
    result = run(*PLAY, "--bots", "random", "--games", "3", "--json", "--save", folder)
    assert result.exit_code == 1
    assert len(played_moves(result)) == 3
    first = tmp_path / "game-0001.blksgf"
    assert f"written: {first}\n" in result.stderr
    assert f"cannot write {folder}: No space left" in result.stderr
    # Whole or not there at all.
    assert os.listdir(tmp_path) == [first.name]
    assert saved(first) == played_moves(result)[:1]


def test_a_folder_has_the_game_that_was_broken_off(tmp_path: Path) -> None:
    result = run(*PLAY, "--bots", "arena_bots:Raises,random", "--save", tmp_path)
    assert result.exit_code == 1
    assert len(saved(tmp_path / "game-0001.blksgf")[0]) == 4


# To the standard output


def test_records_have_the_standard_output_to_themselves(tmp_path: Path) -> None:
    args = (*PLAY, "--bots", "random", "--games", "2")
    file = tmp_path / "games.blksgf"
    assert run(*args, "--save", file).exit_code == 0
    for more in ((), ("--show",)):
        result = run(*args, "--save", "-", *more)
        assert result.exit_code == 0
        assert result.stdout_bytes == file.read_bytes()
        assert "all games" in result.stderr
    result = run(*args, "--save", "-", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "exclude each other" in result.stderr


def test_a_person_sees_the_game_while_its_record_is_printed() -> None:
    keys = "e8,d9,e9,f9,e10\nquit\n"
    result = run(*PLAY, "--bots", "human,random", "--save", "-", stdin=keys)
    assert result.exit_code == 0
    assert "purple, your move: " in result.stderr
    assert result.stdout.startswith("(;GM[Blokus Duo]")
    assert "B[e8,d9,e9,f9,e10]" in result.stdout
    assert result.stdout.count("\n") == 1


KEYS = b"\xff e8\ne8,d9,e9,f9,e10\nquit\n"


@pytest.mark.skipif(os.name == "nt", reason="streams are closed in another way there")
@pytest.mark.parametrize("closed", ["", "<&-", ">&-", "2>&-", "<&- 2>&-"])
@pytest.mark.parametrize("target", ["-", "games.blksgf"])
def test_a_person_without_a_terminal(closed: str, target: str, tmp_path: Path) -> None:
    """Whatever is closed or no text, there is no traceback, and nothing else among records."""
    command = [sys.executable, "-m", "blokus_fast", *PLAY, "--bots", "human,random"]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *command, "--save", target],
        input=KEYS, capture_output=True, cwd=tmp_path, timeout=60, check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    )  # fmt: skip
    assert b"Traceback" not in done.stderr
    if target == "-" and ">&-" in closed.split():
        assert (done.returncode, done.stderr) == (1, b"Error: there is no standard output\n")
        return
    assert done.returncode == 0
    there = [tmp_path / target] if target != "-" and (tmp_path / target).exists() else []
    records = done.stdout if target == "-" else b"".join(path.read_bytes() for path in there)
    if "<&-" in closed:
        assert records == b""
    else:
        assert records.startswith(b"(;GM[Blokus Duo]")
        assert b"B[e8,d9,e9,f9,e10];W[" in records
        assert records.count(b"\n") == 1
    shown = done.stderr if target == "-" else done.stdout
    hidden = "2>&-" if target == "-" else ">&-"
    assert (b"not finished after" in shown) == (hidden not in closed.split())


@pytest.mark.skipif(os.name == "nt", reason="streams are closed in another way there")
def test_what_goes_wrong_is_not_said_on_the_standard_output(tmp_path: Path) -> None:
    for words in (["render", "-"], ["perft", "duo"], [*PLAY, "--bots", "arena_bots:Raises,random"]):
        command = [sys.executable, "-m", "blokus_fast", *words]
        if words[0] == "play":
            command += ["--save", "-"]
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" 2>&-', "sh", *command],
            input=b"", stdout=subprocess.PIPE, cwd=tmp_path, timeout=60, check=False,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        )  # fmt: skip
        assert done.returncode in (1, 2)
        assert b"rror" not in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="streams are closed in another way there")
@pytest.mark.parametrize(("closed", "missing"), [("<&-", "input"), (">&-", "output")])
def test_an_engine_without_a_controller(closed: str, missing: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "blokus_fast", "gtp", "--bot", "random"]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *command],
        input=b"", capture_output=True, cwd=tmp_path, timeout=60, check=False,
    )  # fmt: skip
    said = f"Error: there is no standard {missing}\n"
    assert (done.returncode, done.stderr.decode()) == (1, said)


@pytest.mark.skipif(os.name == "nt", reason="pipes are closed in another way there")
def test_games_go_through_a_pipe_as_they_finish(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "blokus_fast"]
    play = subprocess.Popen(
        [*program, *PLAY, "--bots", "random", "--games", "1000000", "--save", "-"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path,
    )  # fmt: skip
    assert play.stdout is not None
    assert play.stderr is not None
    first = play.stdout.readline()
    play.stdout.close()
    errors = play.stderr.read()
    play.stderr.close()
    # Nobody reads any more: the match ends by itself.
    assert play.wait(60) == 1
    assert b"Traceback" not in errors
    done = subprocess.run(
        [*program, "render", "-"], input=first, capture_output=True, cwd=tmp_path, timeout=60
    )
    assert done.stdout.startswith(b"<svg")


# Names that somebody else gave


def test_brackets_and_colons_in_the_name_of_a_bot_are_ordinary_signs(tmp_path: Path) -> None:
    odd = "[bold]x[/dim][red] :cat:"
    (tmp_path / "engine.py").write_text(
        f"from blokus_fast.cli import main\nmain(['gtp', '--bot', 'random', '--name', {odd!r}])\n"
    )
    name = f"gtp:'{sys.executable}' engine.py"
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
