"""The folder of a run: nothing is lost, nothing is torn, and it goes on where it stopped."""

import contextlib
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import blokus_fast as bf
from blokus_fast.arena import ArenaError, Settings, run
from blokus_fast.arena import storage as module
from blokus_fast.arena.storage import (
    FILES,
    GAMES,
    RECORDS,
    SETTINGS,
    Folder,
    read_settings,
)

BOTS = ["arena_bots:Drawn", "random"]


def lines(folder):
    return [json.loads(line) for line in (folder / GAMES).read_text().splitlines()]


def games(folder):
    """Return the games in the order of their numbers, without what the clock says."""
    return sorted(
        (
            {key: value for key, value in line.items() if "seconds" not in key}
            for line in lines(folder)
        ),
        key=lambda line: line["number"],
    )


def records(folder):
    with bf.records.read_all(folder / RECORDS) as reader:
        found = list(reader)
    assert not reader.warnings
    return found


def consistent(folder, *, killed=False):
    """Hold that lines and records tell of the same games in the same order.

    What was killed may have been between the line of a game and its record.
    """
    assert (folder / GAMES).read_bytes().endswith(b"\n")
    told = [[node.move.text for node in record.root.main_line()] for record in records(folder)]
    found = lines(folder)
    assert told == [line["moves"] for line in found][: len(told)]
    single = (folder / RECORDS).read_bytes().splitlines(keepends=True)
    expected = {
        f"game-{line['number'] + 1:04d}.blksgf": record
        for line, record in zip(found, single, strict=False)
    }
    files = {path.name: path.read_bytes() for path in (folder / FILES).glob("*.blksgf")}
    if killed:
        assert len(told) >= len(found) - 1
        assert len(files) >= len(told) - 1
        assert files.items() <= expected.items()
    else:
        assert len(told) == len(found)
        assert files == expected
        assert sorted(files) == sorted(os.listdir(folder / FILES))


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "run"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run from beginning to end."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    run(BOTS, "duo", 10, seed=1, workers=2, output=folder)
    return folder


def test_games_are_there_as_lines_and_records(whole):
    assert len(lines(whole)) == 10
    consistent(whole)
    assert {line["number"] for line in lines(whole)} == set(range(10))
    assert not list(whole.glob("*.tmp")) + list(whole.glob(".*"))
    assert read_settings(whole) == Settings.make(BOTS, "duo", 10, seed=1)
    assert records(whole)[0].names == tuple(lines(whole)[0]["bots"])


def test_each_is_there_as_it_ends(folder):
    seen = []
    run(BOTS, "duo", 6, seed=1, workers=1, output=folder,
        on_game=lambda result: seen.append(len(lines(folder))))  # fmt: skip
    assert seen == [1, 2, 3, 4, 5, 6]


def test_an_interrupted_run_goes_on_to_the_same_end(folder, whole):
    def stop(result):
        if result["number"] >= 3:
            raise KeyboardInterrupt

    report = run(BOTS, "duo", 10, seed=1, workers=1, output=folder, on_game=stop)
    assert report.interrupted
    assert 4 <= len(lines(folder)) < 10
    consistent(folder)
    played = []
    report = run(BOTS, "duo", 10, seed=1, output=folder, resume=True, on_game=played.append)
    assert len(played) < 10
    assert not report.interrupted
    assert games(folder) == games(whole)
    consistent(folder)
    # Once more there is nothing to do.
    report = run(BOTS, "duo", 10, seed=1, output=folder, resume=True, on_game=played.append)
    assert len(report.games) == 10
    assert len(lines(folder)) == 10


def test_a_run_can_be_made_longer_but_not_shorter(folder):
    run(BOTS, "duo", 4, seed=1, workers=1, output=folder)
    with pytest.raises(ArenaError, match="is of 4 games, which cannot become 2"):
        run(BOTS, "duo", 2, seed=1, output=folder, resume=True)
    assert len(run(BOTS, "duo", 6, seed=1, output=folder, resume=True).games) == 6
    assert read_settings(folder).games == 6


CODE = """
import sys
from blokus_fast.arena import run
run(["arena_bots:Slow", "arena_bots:Drawn"], "duo", 40, seed=1, workers=2, output=sys.argv[1])
"""


def kill_after(folder, games):
    """Play in another process, and kill it after some games."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-P", "-c", CODE, str(folder)]
    with subprocess.Popen(command, env=environment) as process:
        end = time.monotonic() + 60
        while not (folder / GAMES).exists() or (folder / GAMES).read_bytes().count(b"\n") < games:
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.02)
        process.kill()


def test_nothing_is_lost_when_it_is_killed(folder):
    kill_after(folder, 3)
    before = lines(folder)
    assert len(before) >= 3
    consistent(folder, killed=True)
    bots = ["arena_bots:Slow", "arena_bots:Drawn"]
    # The lock is gone with the process.
    report = run(bots, "duo", 40, seed=1, output=folder, resume=True, on_game=stop_at(6))
    assert report.interrupted
    assert lines(folder)[: len(before)] == before
    consistent(folder)


def stop_at(count):
    seen = []

    def stop(result):
        seen.append(result)
        if len(seen) >= count - 3:
            raise KeyboardInterrupt

    return stop


@pytest.mark.parametrize("cut", [1, 40, 300])
def test_what_is_torn_is_cut_away_and_played_again(folder, whole, cut):
    folder.mkdir()
    for name in (SETTINGS, GAMES, RECORDS):
        (folder / name).write_bytes((whole / name).read_bytes())
    os.truncate(folder / GAMES, (folder / GAMES).stat().st_size - cut)
    run(BOTS, "duo", 10, seed=1, output=folder, resume=True)
    assert games(folder) == games(whole)
    consistent(folder)


@pytest.mark.parametrize("records_left", [b"", b"(;GM[Blokus Duo]", b"garbage\n"])
def test_records_are_made_anew_of_the_lines(folder, whole, records_left):
    folder.mkdir()
    for name in (SETTINGS, GAMES):
        (folder / name).write_bytes((whole / name).read_bytes())
    (folder / RECORDS).write_bytes(records_left)
    run(BOTS, "duo", 10, seed=1, output=folder, resume=True)
    assert (folder / RECORDS).read_bytes() == (whole / RECORDS).read_bytes()
    # There was no file for each game either, as in a run of an older release.
    consistent(folder)


def test_each_record_is_a_file_by_the_number_of_its_game(folder, whole):
    """As programs need them that read one game a file; what is missing or torn is made anew."""
    names = [f"game-{number:04d}.blksgf" for number in range(1, 11)]
    assert sorted(os.listdir(whole / FILES)) == names
    for line in lines(whole):
        path = whole / FILES / f"game-{line['number'] + 1:04d}.blksgf"
        [record] = bf.records.read_all(path, strict=True)
        assert [node.move.text for node in record.root.main_line()] == line["moves"]
    shutil.copytree(whole, folder)
    (folder / FILES / names[3]).unlink()
    (folder / FILES / names[4]).write_bytes(b"(;GM[Blokus")
    (folder / FILES / ".blokus-fast-0123456789abcdef.tmp").touch()
    before = (folder / FILES / names[0]).stat().st_mtime_ns
    run(BOTS, "duo", 10, seed=1, output=folder, resume=True)
    assert contents(folder / FILES).keys() == {folder / FILES / name for name in names}
    consistent(folder)
    assert (folder / FILES / names[0]).stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"seed": 2}, "other settings: seed is 1 there, not 2"),
        ({"bots": ["greedy", "random"]}, "other settings: bots is"),
        ({"variant": "junior"}, "other settings: variant is"),
        ({"margin": 0.5}, "other settings: margin is 0.1 there, not 0.5"),
        ({"random_plies": 4}, "other settings: random_plies is 2 there, not 4"),
        ({"resume": False}, "has another run in it: resume that run, or name a new folder"),
    ],
)
def test_another_run_is_refused_and_left_alone(whole, options, told):
    before = contents(whole)
    arguments = {"bots": BOTS, "variant": "duo", "games": 10, "seed": 1, "resume": True, **options}
    with pytest.raises(ArenaError, match=told):
        run(**arguments, output=whole, workers=1)
    assert contents(whole) == before


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(ArenaError, match="has other files in it"):
        run(BOTS, "duo", 2, output=tmp_path)
    with pytest.raises(ArenaError, match="is no folder"):
        run(BOTS, "duo", 2, output=tmp_path / "letter.txt")
    with pytest.raises(ArenaError, match="no run to resume"):
        run(BOTS, "duo", 2, output=tmp_path, resume=True)
    with pytest.raises(ArenaError, match="name its folder"):
        run(BOTS, "duo", 2, resume=True)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        (SETTINGS, "{", "settings.json is damaged"),
        (SETTINGS, "[]", "settings.json is damaged"),
        (SETTINGS, '{"format": 1}', "settings.json is damaged"),
        (SETTINGS, '{"format": 2}', "form 2, not 1"),
        (GAMES, '{"number": 1}\n', r"games.jsonl, line 1 is damaged: 'opening'"),
        (GAMES, "7\n", r"games.jsonl, line 1 is damaged"),
        (GAMES, '{"number": 10}\n', "line 1 is damaged: game 10 has no place in this run"),
    ],
)
def test_damage_is_told_and_left_as_it_is(folder, whole, name, text, told):
    folder.mkdir()
    for file in (SETTINGS, GAMES, RECORDS):
        (folder / file).write_bytes((whole / file).read_bytes())
    (folder / name).write_text(text)
    with pytest.raises(ArenaError, match=told):
        run(BOTS, "duo", 10, seed=1, output=folder, resume=True)
    assert (folder / name).read_text() == text


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("seats", [7, 9], "seats are"),
        ("seats", [0], "seats are"),
        ("winners", 5, "winners is 5, and should be"),
        ("scores", [100, 0], "scores is"),
        ("moves", [], "its moves are no whole game"),
        ("moves", ["a1"], "line 3 is damaged"),
        ("opening", "0", "opening is '0'"),
        ("failure", {"player": 5, "kind": "x"}, "failure is"),
        ("failure", 3, "line 3 is damaged"),
        ("cpu_seconds", ["x", "y"], "cpu_seconds is"),
        ("bots", ["random", "random"], "bots are"),
    ],
)
def test_results_that_cannot_be(folder, whole, key, value, told):
    folder.mkdir()
    for file in (SETTINGS, GAMES, RECORDS):
        (folder / file).write_bytes((whole / file).read_bytes())
    changed = lines(folder)
    changed[2][key] = value
    (folder / GAMES).write_text("".join(json.dumps(line) + "\n" for line in changed))
    with pytest.raises(ArenaError, match=told):
        run(BOTS, "duo", 10, seed=1, output=folder, resume=True)


def test_only_one_begins_a_run(tmp_path):
    """Whoever has the folder's lock has written its settings."""
    for number in range(20):
        folder, won = tmp_path / f"run{number}", []
        barrier = threading.Barrier(2)

        def begin(seed, folder=folder, won=won, barrier=barrier):
            barrier.wait()
            with contextlib.suppress(ArenaError):
                won.append((seed, Folder(folder, Settings.make(BOTS, "duo", 2, seed=seed))))

        threads = [threading.Thread(target=begin, args=(seed,)) for seed in (1, 2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        [(seed, owner)] = won
        assert read_settings(folder).seed == seed
        owner.close()


def test_a_run_that_another_has_begun_meanwhile_is_left_alone(folder, monkeypatch):
    """Between the look at the folder and the lock another process may come, and go again."""
    really = Folder._open

    def late(self):
        monkeypatch.undo()
        Folder(folder, Settings.make(BOTS, "duo", 2, seed=7)).close()
        really(self)

    monkeypatch.setattr(Folder, "_open", late)
    with pytest.raises(ArenaError, match="has another run in it"):
        Folder(folder, Settings.make(BOTS, "duo", 2, seed=8))
    assert read_settings(folder).seed == 7
    # It can be resumed: nobody has kept the lock.
    assert len(run(BOTS, "duo", 2, seed=7, output=folder, resume=True).games) == 2


def test_what_a_run_that_never_began_has_left_is_no_hindrance(folder):
    folder.mkdir()
    (folder / GAMES).touch()
    (folder / ".blokus-fast-0123456789abcdef.tmp").write_text("{")
    assert len(run(BOTS, "duo", 2, output=folder, workers=1).games) == 2
    assert not list(folder.glob(".*"))


def test_a_game_that_is_there_twice_is_damage(folder, whole):
    folder.mkdir()
    for file in (SETTINGS, GAMES, RECORDS):
        (folder / file).write_bytes((whole / file).read_bytes())
    with (folder / GAMES).open("ab") as file:
        file.write((whole / GAMES).read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(ArenaError, match=r"line 11 is damaged: game \d+ has no place"):
        run(BOTS, "duo", 10, seed=1, output=folder, resume=True)


def test_two_at_one_run(folder):
    settings = Settings.make(BOTS, "duo", 2, seed=1)
    with (
        Folder(folder, settings),
        pytest.raises(ArenaError, match="another process is at the run"),
    ):
        run(BOTS, "duo", 2, seed=1, output=folder, resume=True)
    assert len(run(BOTS, "duo", 2, seed=1, output=folder, resume=True).games) == 2


class Full:
    """A file on a disk with room for ten more bytes."""

    def __init__(self, file):
        self.file, self.left = file, 10
        self.fileno, self.truncate = file.fileno, file.truncate

    def write(self, data):
        if not self.left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = self.file.write(data[: self.left])
        self.left -= written
        return written


@pytest.mark.parametrize("which", [GAMES, RECORDS, FILES])
def test_a_full_disk_leaves_whole_lines(folder, monkeypatch, which):
    append, write, count = module._append, module.write_file, [0]

    def write_or_fail(target, data, **how):
        if which == FILES and Path(target).parent.name == which:
            count[0] += 1
            if count[0] == 4:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(target, data, **how)

    def fail(file, data):
        if Path(file.name).name == which:
            count[0] += 1
            if count[0] == 4:
                return append(Full(file), data)
        return append(file, data)

    monkeypatch.setattr(module, "_append", fail)
    monkeypatch.setattr(module, "write_file", write_or_fail)
    with pytest.raises(ArenaError, match=r"cannot write the run in .*run: No space left"):
        run(BOTS, "duo", 10, seed=1, workers=1, output=folder)
    assert len(lines(folder)) == 3
    consistent(folder)
    monkeypatch.undo()
    assert len(run(BOTS, "duo", 10, seed=1, output=folder, resume=True).games) == 10
    consistent(folder)


@pytest.mark.parametrize("which", [GAMES, RECORDS, FILES])
@pytest.mark.parametrize("after", [True, False])
def test_ctrl_c_between_a_line_and_its_record_leaves_neither(folder, monkeypatch, which, after):
    append, write, count = module._append, module.write_file, [0]

    def perhaps(name, work):
        count[0] += name == which
        stops = name == which and count[0] == 4
        if stops and not after:
            raise KeyboardInterrupt
        work()
        if stops:
            raise KeyboardInterrupt

    def appended(file, data):
        perhaps(Path(file.name).name, lambda: append(file, data))

    def written(target, data, **how):
        perhaps(Path(target).parent.name, lambda: write(target, data, **how))

    monkeypatch.setattr(module, "_append", appended)
    monkeypatch.setattr(module, "write_file", written)
    report = run(BOTS, "duo", 10, seed=1, workers=1, output=folder)
    assert report.interrupted
    assert len(report.games) == len(lines(folder)) == 3
    consistent(folder)


def test_interrupts_of_the_whole_group_leave_a_run_to_resume(folder):
    """Ctrl-C reaches workers' processes and engines as well."""
    command = [
        sys.executable, "-P", "-m", "blokus_fast", "arena", "arena_bots:Slow", "random",
        "--variant", "duo", "--games", "50", "--seed", "1", "--output", str(folder),
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    process = subprocess.Popen(
        command, env=environment, start_new_session=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    end = time.monotonic() + 60
    while not (folder / GAMES).exists() or not (folder / GAMES).read_bytes():
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted after" in out
    assert "Traceback" not in errors
    consistent(folder)
    assert json.loads((folder / "results.json").read_text())["interrupted"] is True
