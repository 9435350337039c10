"""Shards of self-play: whole or not there, resumed, refused where they are of another run."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import blokus_fast as bf
from blokus_fast import files
from blokus_fast.search import MCTS, default_weights

pytest.importorskip("pyarrow", reason="shards are the extra `selfplay`")

import pyarrow as pa
import pyarrow.parquet as pq

from blokus_fast.executors import ExecutorError
from blokus_fast.selfplay import Settings, ShardError, Summary, read, run, running, shards
from blokus_fast.selfplay.reading import load
from blokus_fast.selfplay.running import Task, play_shard

SETTINGS = Settings("duo", "mcts:sims=6", games=10, games_per_shard=3, seed=1)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def fill(folder: Path, settings: Settings = SETTINGS, missing: tuple[int, ...] = ()) -> Path:
    """Write a run's folder without any workers."""
    shards.take(folder, settings)
    for k in range(settings.n_shards):
        if k not in missing:
            shards.shard_path(folder, k).write_bytes(play_shard(Task(settings, k)).data)
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("run") / "whole")


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "copy"))


# -- runs --------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_change_nothing(whole: Path, tmp_path: Path, workers: int) -> None:
    seen: list[Summary] = []
    summary = run(SETTINGS, tmp_path / "run", workers=workers, on_progress=seen.append)
    # The same bytes, whoever has played them in whichever order.
    assert contents(tmp_path / "run") == contents(whole)
    assert [each.n_shards for each in seen] == [0, 1, 2, 3, 4]
    assert seen[-1] == summary
    assert summary.is_complete
    assert (summary.n_games, summary.new_games, summary.settings) == (10, 10, SETTINGS)
    assert summary.n_positions == summary.new_positions == read(tmp_path / "run").n_positions
    assert summary.bytes == sum(path.stat().st_size for path in shards.find_shards(whole))
    assert summary.seconds > 0
    assert summary.cpu_seconds > 0


def test_another_seed_is_another_run(whole: Path) -> None:
    other = play_shard(Task(replace(SETTINGS, seed=2), 0)).data
    assert other != shards.shard_path(whole, 0).read_bytes()


def test_a_shard_says_what_it_is(whole: Path) -> None:
    about = shards.describe(shards.shard_path(whole, 3))
    assert (about.shard, about.n_games, about.variant) == (3, 1, SETTINGS.rules)
    assert about.settings["bot"] == "mcts:sims=6"
    assert about.settings["seed"] == 1
    weights = default_weights(SETTINGS.rules)
    assert about.weights == {"name": weights.name, "checksum": weights.checksum}
    assert about.n_positions == len(load(about.path))
    greedy = play_shard(Task(Settings("duo", "greedy", games=1), 0)).data
    assert json.loads(pq.ParquetFile(pa.BufferReader(greedy)).metadata.metadata[b"blokus_fast"])[
        "weights"
    ] is None  # fmt: skip


def test_weights_of_ones_own_are_kept_with_the_run(tmp_path: Path) -> None:
    weights = default_weights(bf.variant("junior"))
    settings = replace(SETTINGS, games=2, games_per_shard=1, weights=weights)
    fill(tmp_path / "run", settings, missing=(1,))
    again = shards.load_run(tmp_path / "run")
    assert again == settings
    assert again.weights is not None
    assert again.weights.checksum == weights.checksum
    summary = run(None, tmp_path / "run", resume=True, workers=1)
    assert summary.new_games == 1
    assert shards.shard_path(tmp_path / "run", 1).read_bytes() == play_shard(Task(settings, 1)).data
    assert shards.describe(shards.shard_path(tmp_path / "run", 1)).weights == {
        "name": weights.name,
        "checksum": weights.checksum,
    }
    # They are played with, too.
    plain = play_shard(Task(replace(settings, weights=None), 1)).data
    path = tmp_path / "plain.parquet"
    path.write_bytes(plain)
    assert load(path).move.tolist() != load(shards.shard_path(tmp_path / "run", 1)).move.tolist()


# -- going on ----------------------------------------------------------------------------------


def test_only_what_is_missing_is_played(whole: Path, copy: Path) -> None:
    shards.shard_path(copy, 1).unlink()
    before = {path.name: path.stat().st_mtime_ns for path in copy.iterdir()}
    summary = run(SETTINGS, copy, resume=True, workers=1)
    assert (summary.n_games, summary.new_games, summary.n_shards) == (10, 3, 4)
    assert contents(copy) == contents(whole)
    after = {path.name: path.stat().st_mtime_ns for path in copy.iterdir()}
    assert {name for name in after if before.get(name) != after[name]} == {"shard-000001.parquet"}
    # All is there: nobody has to do anything.
    assert run(None, copy, resume=True).new_games == 0


def test_more_games_can_be_asked_for(tmp_path: Path, whole: Path) -> None:
    folder = fill(tmp_path / "run", replace(SETTINGS, games=6))
    summary = run(SETTINGS, folder, resume=True, workers=1)
    assert (summary.n_games, summary.new_games) == (10, 4)
    assert contents(folder) == contents(whole)
    with pytest.raises(ShardError, match="last shard, with fewer than 3, cannot get more"):
        run(replace(SETTINGS, games=20), folder, resume=True)
    with pytest.raises(ShardError, match="of 10 games: they cannot become fewer"):
        run(replace(SETTINGS, games=9), folder, resume=True)
    assert contents(folder) == contents(whole)


def test_a_run_that_is_there_is_not_overwritten(whole: Path, copy: Path) -> None:
    with pytest.raises(ShardError, match="holds a run: resume it, or choose another folder"):
        run(SETTINGS, copy)
    assert contents(copy) == contents(whole)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 2}, "seed is 2, not 1"),
        ({"bot": "mcts:sims=7"}, "bot is mcts:sims=7, not mcts:sims=6"),
        ({"games_per_shard": 4}, "games_per_shard is 4, not 3"),
        ({"noise": 0.5}, "noise is 0.5, not 0.25"),
        ({"variant": "junior"}, "variant is junior, not duo"),
        ({"weights": default_weights(bf.variant("junior"))}, "weights is .*junior.*, not None"),
    ],
    ids=str,
)
def test_other_settings_are_refused(copy: Path, whole: Path, change: dict, words: str) -> None:
    with pytest.raises(ShardError, match=words):
        run(replace(SETTINGS, **change), copy, resume=True)
    assert contents(copy) == contents(whole)


def test_folders_of_something_else_are_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ShardError, match=r"is not empty, it has notes.txt"):
        run(SETTINGS, tmp_path)
    with pytest.raises(ShardError, match=r"no run to resume: there is no .*run.json"):
        run(SETTINGS, tmp_path, resume=True)
    with pytest.raises(ShardError, match="no run to resume"):
        run(SETTINGS, tmp_path / "nowhere", resume=True)
    with pytest.raises(OSError, match=r"notes.txt"):
        run(SETTINGS, tmp_path / "notes.txt")
    with pytest.raises(ValueError, match="a new run needs settings"):
        run(None, tmp_path / "new")
    assert contents(tmp_path) == {"notes.txt": b"mine"}


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", "3", '{"format": "blokus-fast selfplay run", "version": 1}', "[" * 99999],
    ids=lambda text: text[:20],
)
def test_settings_that_are_damaged(copy: Path, text: str) -> None:
    (copy / "run.json").write_text(text)
    with pytest.raises(ShardError, match=r"run.json: damaged, or of another release"):
        run(None, copy, resume=True)


def test_shards_of_another_run_are_refused(copy: Path) -> None:
    other = play_shard(Task(replace(SETTINGS, seed=9), 1)).data
    shards.shard_path(copy, 1).write_bytes(other)
    with pytest.raises(ShardError, match=r"shard-000001.parquet is of another run"):
        run(None, copy, resume=True)
    shards.shard_path(copy, 0).rename(shards.shard_path(copy, 1))
    with pytest.raises(ShardError, match=r"shard-000001.parquet is of another run"):
        run(None, copy, resume=True)
    shards.shard_path(copy, 1).unlink()
    longer = play_shard(Task(replace(SETTINGS, games=99), 30)).data
    shards.shard_path(copy, 30).write_bytes(longer)
    with pytest.raises(ShardError, match=r"shard-000030.parquet is of another run"):
        run(None, copy, resume=True)


def test_two_processes_in_one_folder_do_not_overwrite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    settings = replace(SETTINGS, games=3)

    def intrude(summary: Summary) -> None:
        shards.shard_path(folder, 0).write_bytes(b"somebody else's")

    with pytest.raises(ShardError, match="does another process play, too"):
        run(settings, folder, workers=1, on_progress=intrude)
    assert shards.shard_path(folder, 0).read_bytes() == b"somebody else's"


def test_without_workers_no_run_begins(tmp_path: Path) -> None:
    with pytest.raises(ExecutorError, match="abacus"):
        run(SETTINGS, tmp_path / "run", executor="abacus")
    assert list(tmp_path.iterdir()) == []


# -- damage ------------------------------------------------------------------------------------


def test_torn_shards_are_told(copy: Path) -> None:
    path = shards.shard_path(copy, 2)
    data = path.read_bytes()
    for length in (0, 3, 4, 100, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(ShardError, match=r"shard-000002.parquet: damaged"):
            run(None, copy, resume=True)
        with pytest.raises(ShardError, match=r"shard-000002.parquet: damaged"):
            read(copy)


def test_every_flipped_bit_is_told_or_no_harm(copy: Path) -> None:
    path = shards.shard_path(copy, 0)
    data = path.read_bytes()
    good = shards.read_table(path)
    rng, told = random.Random(1), 0
    tries = 400
    for _ in range(tries):
        torn = bytearray(data)
        torn[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(torn)
        with contextlib.suppress(ShardError):
            # What nobody reads, such as statistics, may be wrong.
            assert shards.read_table(path).equals(good)
            continue
        told += 1
    assert told > tries // 3


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1" * 99, b"\0" * 9999, b"a,b\n1,2\n"], ids=len)
def test_garbage_is_told(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "shard-000000.parquet"
    path.write_bytes(data)
    for function in (shards.describe, shards.read_table, load):
        with pytest.raises(ShardError, match=r"shard-000000.parquet: damaged"):
            function(path)


def test_other_files_of_parquet_are_told(tmp_path: Path, whole: Path) -> None:
    path = tmp_path / "other.parquet"
    pq.write_table(pa.table({"a": [1, 2]}), path)
    with pytest.raises(ShardError, match="a Parquet file, but not one of self-play"):
        shards.describe(path)
    rows = shards.read_table(shards.shard_path(whole, 0))
    about = json.loads(rows.schema.metadata[b"blokus_fast"])

    def write(changed: pa.Table, **changes: object) -> None:
        text = json.dumps({**about, **changes})
        pq.write_table(changed.replace_schema_metadata({"blokus_fast": text}), path)

    write(rows, version=2)
    with pytest.raises(ShardError, match="of version 2; this release reads 1"):
        shards.describe(path)
    write(rows, settings={})
    with pytest.raises(ShardError, match="damaged"):
        shards.describe(path)
    write(rows.drop_columns(["best"]))
    with pytest.raises(ShardError, match=r"column best is missing or of another type"):
        load(path)
    write(rows.set_column(0, "game", pa.array([1.5] * len(rows))))
    with pytest.raises(ShardError, match="column game is missing or of another type"):
        load(path)
    write(rows.slice(1))
    with pytest.raises(ShardError, match=r"it has .* positions, and says that it has"):
        load(path)
    write(rows.set_column(
        rows.column_names.index("visits"), rows.schema.field("visits"),
        pa.array([[]] * len(rows), rows.schema.field("visits").type),
    ))  # fmt: skip
    with pytest.raises(ShardError, match="moves and visits are not of the same number"):
        load(path)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for function in (shards.describe, load, read):
        with pytest.raises(FileNotFoundError, match="nowhere"):
            function(tmp_path / "nowhere")
    with pytest.raises(OSError, match=str(tmp_path.name)):
        shards.describe(tmp_path)
    with pytest.raises(ShardError, match="no shards in"):
        read(tmp_path)


# -- full disks, and processes that are killed -------------------------------------------------


def test_a_full_disk_leaves_whole_shards(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    real, written = os.fsync, []

    def full(descriptor: int) -> None:
        written.append(descriptor)
        # The first is that of the settings.
        if len(written) == 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device"):
        run(SETTINGS, folder, workers=1)
    monkeypatch.undo()
    expected = contents(whole)
    left = contents(folder)
    assert len(left) == 3
    assert all(expected[name] == data for name, data in left.items())
    run(None, folder, resume=True, workers=1)
    assert contents(folder) == expected


def test_a_file_that_can_be_written_in_part_is_not_there(tmp_path: Path) -> None:
    """The system refuses in the middle of a shard, not at its end."""
    resource = pytest.importorskip("resource", reason="Windows has no limits of this kind")
    folder = fill(tmp_path / "run", missing=(0, 1, 2, 3))
    before = contents(folder)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, limits[1]))
    try:
        with pytest.raises(OSError, match="File too large") as caught:
            run(None, folder, resume=True, workers=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.errno == errno.EFBIG
    assert contents(folder) == before


KILLED = """
import sys
from blokus_fast.selfplay import Settings, run

if __name__ == "__main__":
    settings = Settings("duo", "mcts:sims=6", games=300, games_per_shard=3, seed=1)
    run(settings, sys.argv[1], workers=2, on_progress=lambda s: print(s.n_shards, flush=True))
"""


@pytest.mark.costly
@pytest.mark.skipif(os.name == "nt", reason="processes are killed in another way there")
@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT], ids=lambda kind: kind.name)
def test_killed_in_the_middle_and_resumed(tmp_path: Path, kind: signal.Signals) -> None:
    script, folder = tmp_path / "killed.py", tmp_path / "run"
    script.write_text(KILLED)
    with subprocess.Popen(
        [sys.executable, "-P", str(script), str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= 5:
                break
        # The workers as well: a machine that loses its power loses all of them.
        os.killpg(process.pid, kind)
        process.stdout.read()
        assert process.wait(timeout=30) != 0
    time.sleep(0.2)
    there = shards.find_shards(folder)
    assert 5 <= len(there) < 100
    # Whatever is there is whole.
    for path in there:
        assert len(load(path)) == shards.describe(path).n_positions
    settings = shards.load_run(folder)
    with pytest.raises(ShardError, match="holds a run"):
        run(settings, folder)
    summary = run(None, folder, resume=True, workers=2)
    assert summary.is_complete
    assert summary.n_shards == 100
    assert summary.new_games == 300 - 3 * len(there)
    for k in (0, 7, 99):
        expected = play_shard(Task(settings, k)).data
        assert shards.shard_path(folder, k).read_bytes() == expected


def test_what_killed_processes_left_is_removed(copy: Path, whole: Path) -> None:
    old, young = (copy / f"{files.PREFIX}{name}{files.SUFFIX}" for name in ("old", "young"))
    for path in (old, young):
        path.write_bytes(b"half a shard")
    long_ago = time.time() - 2 * 3600
    os.utime(old, (long_ago, long_ago))
    assert len(read(copy).shards) == 4
    run(None, copy, resume=True)
    assert not old.exists()
    # It may be of somebody who writes it just now.
    assert young.exists()
    young.unlink()
    assert contents(copy) == contents(whole)


def test_an_error_of_the_bot_ends_the_run(tmp_path: Path) -> None:
    settings = Settings("duo", "test_selfplay:Illegal", games=2, games_per_shard=1, seed=1)
    with pytest.raises(ValueError, match="made move 0 at ply"):
        run(settings, tmp_path / "run", workers=1)
    assert shards.find_shards(tmp_path / "run") == []


def test_a_worker_plays_several_runs_one_after_the_other() -> None:
    """It keeps a search from shard to shard: it must be that of the run."""
    one, other = SETTINGS, replace(SETTINGS, bot="mcts:sims=9")
    first = play_shard(Task(one, 0)).data
    assert play_shard(Task(other, 0)).data != first
    assert play_shard(Task(one, 0)).data == first
    running._player.cache_clear()
    assert play_shard(Task(one, 0)).data == first
    assert MCTS("duo", seed=1).root.noise == 0
