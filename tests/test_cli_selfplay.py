"""The command `selfplay`: what it writes and prints, how it goes on, and how it ends."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import blokus_fast as bf
from blokus_fast.search import default_weights

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")
pytest.importorskip("pyarrow", reason="shards are the extra `selfplay`")

from click.testing import CliRunner, Result

from blokus_fast.cli.app import cli
from blokus_fast.selfplay import Settings, read, shards
from blokus_fast.selfplay.running import Task, play_shard

SMALL = ("--simulations", "5", "--games", "5", "--games-per-shard", "2", "--workers", "1")


def selfplay(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["selfplay", *map(str, args)])


def json_of(*args: str | Path) -> dict[str, Any]:
    result = selfplay(*args, "--json")
    assert result.exit_code == 0, result.output
    assert result.stdout.count("\n") == 1
    assert result.stderr == ""
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "whole"
    assert selfplay(folder, *SMALL, "--seed", "1").exit_code == 0
    return folder


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def test_a_run_from_the_command_line(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    report = json_of(folder, *SMALL, "--seed", "1", "--variant", "junior")
    settings = Settings("junior", "mcts:sims=5", games=5, games_per_shard=2, seed=1)
    assert report["settings"] == settings.to_json()
    reader = read(folder)
    assert (report["games"], report["positions"]) == (reader.n_games, reader.n_positions)
    assert (report["new_games"], report["new_positions"]) == (5, reader.n_positions)
    assert (report["shards"], report["complete"], report["interrupted"]) == (3, True, False)
    assert report["folder"] == str(folder)
    assert report["new_bytes"] == sum(path.stat().st_size for path in shards.find_shards(folder))
    assert report["games_per_second"] > 0
    data = play_shard(Task(settings, 2)).data
    assert shards.shard_path(folder, 2).read_bytes() == data


def test_it_tells_people_what_was_played(tmp_path: Path) -> None:
    result = selfplay(tmp_path / "run", *SMALL, "--seed", "1")
    assert result.exit_code == 0
    assert "5 of 5 games, " in result.stdout
    assert "positions in 3 shards" in result.stdout
    assert "seed 1" in result.stdout


def test_every_option_is_a_setting(tmp_path: Path) -> None:
    weights = default_weights(bf.variant("junior"))
    weights.save(tmp_path / "w.json")
    report = json_of(
        tmp_path / "run", "--variant", "duo", "--start", "assigned", "--scoring", "basic",
        "--opening", "F", "--bot", "mcts:sims=3", "--games", "2", "--games-per-shard", "1",
        "--seed", "7", "--random-plies", "1", "--drawn-plies", "3", "--temperature", "2",
        "--noise", "0.5", "--noise-alpha", "0.3", "--early-stop",
        "--weights", tmp_path / "w.json", "--workers", "1", "--executor", "processes",
    )  # fmt: skip
    rules = bf.variant("duo", start="assigned", scoring="basic").with_first_pieces(["F"])
    settings = Settings(
        rules, "mcts:sims=3", games=2, games_per_shard=1, seed=7, random_plies=1, drawn_plies=3,
        temperature=2, noise=0.5, noise_alpha=0.3, early_stop=True, weights=weights,
    )  # fmt: skip
    assert report["settings"] == settings.to_json()
    # All of it is kept, and need not be said again.
    again = json_of(tmp_path / "run", "--resume", "--games", "3", "--workers", "1")
    assert again["settings"] == settings.with_games(3).to_json()
    assert (again["games"], again["new_games"]) == (3, 1)


def test_seeds_by_chance_are_told_and_differ(tmp_path: Path) -> None:
    options = ("--bot", "random", "--games", "1", "--workers", "1")
    seeds = [json_of(tmp_path / name, *options)["settings"]["seed"] for name in "ab"]
    assert seeds[0] != seeds[1]


def test_going_on(copy: Path, whole: Path) -> None:
    shards.shard_path(copy, 1).unlink()
    report = json_of(copy, "--resume", "--workers", "1")
    assert (report["games"], report["new_games"], report["complete"]) == (5, 2, True)
    name = "shard-000001.parquet"
    assert (copy / name).read_bytes() == (whole / name).read_bytes()
    # What is said once more has to be the same.
    assert json_of(copy, "--resume", "--seed", "1", "--variant", "duo")["new_games"] == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "holds a run: resume it, or choose another folder"),
        (("--resume", "--seed", "2"), "seed is 2, not 1"),
        (("--resume", "--variant", "junior"), "variant is junior, not duo"),
        (("--resume", "--start", "border"), "variant is"),
        (("--resume", "--simulations", "6"), "bot is mcts:sims=6, not mcts:sims=5"),
        (("--resume", "--games", "3"), "cannot become fewer"),
    ],
    ids=str,
)
def test_runs_of_others_are_left_alone(
    copy: Path, whole: Path, options: tuple[str, ...], words: str
) -> None:
    result = selfplay(copy, *options)
    assert (result.exit_code, result.stdout) == (1, "")
    assert words in result.stderr
    assert {p.name: p.read_bytes() for p in copy.iterdir()} == {
        p.name: p.read_bytes() for p in whole.iterdir()
    }


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--bot", "deep-blue"), 2, "unknown bot 'deep-blue'"),
        (("--bot", "mcts:time=1"), 1, "time= makes games depend on the clock"),
        (("--bot", "greedy", "--noise", "0.1"), 1, "noise is for a search"),
        (("--bot", "greedy", "--simulations", "9"), 2, "--bot and --simulations exclude"),
        (("--variant", "chess"), 2, "chess"),
        (("--noise", "7"), 1, "noise must be in 0..1, not 7"),
        (("--temperature", "0"), 1, "temperature must be in 0.01..100"),
        (("--games", "0"), 2, "0 is not in the range"),
        (("--weights", "no-such-file"), 2, "no-such-file"),
        (("--executor", "abacus", *SMALL), 1, "abacus"),
        (("--resume",), 1, "no run to resume"),
    ],
    ids=str,
)
def test_bad_options(tmp_path: Path, options: tuple[str, ...], code: int, words: str) -> None:
    result = selfplay(tmp_path / "run", *options)
    assert (result.exit_code, result.stdout) == (code, ""), result.output
    assert words in result.stderr
    assert list(tmp_path.iterdir()) == []


def shards_in(folder: Path) -> int:
    return len(shards.find_shards(folder)) if folder.is_dir() else 0


def test_weights_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text("[]")
    result = selfplay(tmp_path / "run", "--weights", tmp_path / "w.json")
    assert result.exit_code == 1
    assert "not a file of weights" in result.stderr


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = selfplay(tmp_path / "file" / "run", *SMALL)
    assert result.exit_code == 1
    assert str(tmp_path / "file") in result.stderr


def test_a_bot_that_plays_wrong_ends_the_run(tmp_path: Path) -> None:
    result = selfplay(
        tmp_path / "run", "--bot", "test_selfplay:Illegal", "--workers", "1", "--json"
    )
    assert result.exit_code == 1
    assert "made move 0 at ply" in result.stderr
    report = json.loads(result.stdout)
    assert (report["complete"], report["games"]) == (False, 0)
    assert "made move 0 at ply" in report["error"]


def test_without_pyarrow_there_is_a_hint(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from blokus_fast.cli.app import cli\n"
        "cli(['selfplay', 'folder'])"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    hint = "blokus_fast.selfplay needs pyarrow: pip install "
    assert (done.returncode, done.stdout) == (1, "")
    assert hint in done.stderr
    assert "pip install '.[selfplay]'" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="there is no Ctrl-C for processes there")
def test_ctrl_c_keeps_what_was_written(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [
        sys.executable, "-P", "-m", "blokus_fast", "selfplay", str(folder), "--simulations", "5",
        "--games", "2000", "--games-per-shard", "2", "--workers", "2", "--seed", "1", "--json",
    ]  # fmt: skip
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        # The fourth is begun when the third is counted: between the two, the run may be at rest.
        while shards_in(folder) < 4:
            assert process.poll() is None
            time.sleep(0.02)
        # A terminal sends it to all of them.
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    report = json.loads(out)
    assert (report["interrupted"], report["complete"]) == (True, False)
    assert 3 <= report["shards"] <= shards_in(folder) <= report["shards"] + 1
    assert report["games"] == 2 * report["shards"]
    assert "Traceback" not in err
    # And what is there is the beginning of a run.
    assert shards.load_run(folder).seed == 1
    assert sum(map(len, read(folder))) == read(folder).n_positions


@pytest.mark.skipif(os.name == "nt", reason="there is no /dev/null")
def test_a_folder_that_cannot_be_made_is_named() -> None:
    result = selfplay("/dev/null/run", *SMALL)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: cannot write the run in /dev/null/run: ")
    assert "Errno" not in result.output


def test_one_game_is_one(tmp_path: Path) -> None:
    small = ("--simulations", "5", "--games", "1", "--workers", "1")
    result = selfplay(tmp_path / "run", *small)
    assert result.exit_code == 0, result.output
    assert "1 of 1 game, " in result.stdout
    assert "in 1 shard\n1 game now" in result.stdout
