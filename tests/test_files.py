"""Files that are written are whole, or the old ones: whatever happens on the way."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import blokus_fast as bf
from blokus_fast import files, records

posix = pytest.mark.skipif(os.name != "posix", reason="modes and links are different there")
OLD = b"(;GM[Blokus Junior])\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A file that is there already, alone in its folder."""
    path = tmp_path / "folder" / "game.blksgf"
    path.parent.mkdir()
    path.write_bytes(OLD)
    return path


def assert_old(path: Path) -> None:
    assert path.read_bytes() == OLD
    assert os.listdir(path.parent) == [path.name]


def bad_record() -> bf.Record:
    record = bf.Record("duo")
    record.root.raw["GM"] = ["x"]
    return record


def test_an_error_leaves_the_old_file_alone(game: Path) -> None:
    for given in ([bf.Record("duo"), bad_record()], bad_record(), iter([bf.Record(), 5])):
        with pytest.raises((ValueError, TypeError)):
            records.write(given, game)  # type: ignore[arg-type]
        assert_old(game)


def test_an_interrupt_leaves_the_old_file_alone(game: Path) -> None:
    def interrupted() -> Iterator[bf.Record]:
        yield bf.Record("duo")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        records.write(interrupted(), game)
    assert_old(game)


def test_an_error_of_what_is_written_keeps_its_name(game: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, files.replaced(game):
        Path("no such file").read_bytes()
    assert caught.value.filename == "no such file"
    assert_old(game)


@posix
def test_a_killed_process_leaves_the_old_file_alone(game: Path) -> None:
    code = (
        "import os, signal, sys\n"
        "import blokus_fast as bf\n"
        "def games():\n"
        "    for _ in range(1000):\n"
        "        yield bf.Record('duo')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "bf.records.write(games(), sys.argv[1])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(game)], timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert game.read_bytes() == OLD
    assert all(name == game.name or name.endswith(".tmp") for name in os.listdir(game.parent))


@posix
def test_a_full_disk_leaves_the_old_file_alone(game: Path) -> None:
    # A file cannot grow above the limit, which is what a full disk looks like to a writer.
    code = (
        "import resource, signal, sys\n"
        "import blokus_fast as bf\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))\n"
        "try:\n"
        "    bf.records.write([bf.Record('duo')] * 5000, sys.argv[1])\n"
        "except OSError:\n"
        "    sys.exit(7)\n"
    )
    done = subprocess.run([sys.executable, "-B", "-c", code, str(game)], timeout=60)
    assert done.returncode == 7
    assert_old(game)


def test_a_file_may_be_read_while_it_is_written_anew(game: Path) -> None:
    records.write(list(records.read_all(game)) * 3, game)
    records.write((record for record in records.read_all(game)), game)
    assert [record.variant.name for record in records.read_all(game)] == ["junior"] * 3


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_the_mode_is_kept(game: Path, mode: int) -> None:
    game.chmod(mode)
    records.write(bf.Record("duo"), game)
    assert game.stat().st_mode & 0o777 == mode
    assert b"Duo" in game.read_bytes()


@posix
def test_a_new_file_has_the_mode_that_open_gives(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        files.write_file(tmp_path / "new", b"x")
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640


@posix
def test_a_link_stays_a_link(game: Path, tmp_path: Path) -> None:
    link, lost = tmp_path / "link", tmp_path / "lost"
    link.symlink_to(Path("folder") / game.name)
    lost.symlink_to(Path("folder") / "new.blksgf")
    for path in (link, lost):
        records.write(bf.Record("duo"), path)
        assert path.is_symlink()
        assert b"Duo" in path.read_bytes()
    assert sorted(os.listdir(game.parent)) == [game.name, "new.blksgf"]
    assert sorted(os.listdir(tmp_path)) == ["folder", "link", "lost"]


@posix
def test_pipes_and_devices_are_written_to_as_they_are(tmp_path: Path) -> None:
    records.write(bf.Record("duo"), "/dev/null")
    assert Path("/dev/null").is_char_device()
    code = "import blokus_fast as bf\nbf.records.write(bf.Record('duo'), '/dev/stdout')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == f"{bf.Record('duo')}\n"
    with open(tmp_path / "out", "wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, timeout=60, check=True)
    assert (tmp_path / "out").read_text() == done.stdout
    if Path("/dev/full").exists():
        with pytest.raises(OSError, match="No space left"):
            records.write(bf.Record("duo"), "/dev/full")


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may do anything")
def test_what_may_not_be_written_is_not(game: Path) -> None:
    game.chmod(0o444)
    with pytest.raises(PermissionError):
        records.write(bf.Record("duo"), game)
    assert_old(game)
    game.chmod(0o644)
    game.parent.chmod(0o555)
    try:
        with pytest.raises(PermissionError) as caught:
            records.write(bf.Record("duo"), game)
        assert caught.value.filename == str(game)
    finally:
        game.parent.chmod(0o755)
    assert_old(game)


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "no" / "game", tmp_path / "folder", f"{tmp_path}/new{os.sep}", ""):
        for work in (files.check_writable, lambda path: files.write_file(path, b"x")):
            with pytest.raises(OSError, match=r".+") as caught:
                work(path)
            assert caught.value.filename == str(path)
    assert os.listdir(tmp_path) == ["folder"]


def test_looking_whether_it_could_be_written_changes_nothing(game: Path) -> None:
    files.check_writable(game)
    files.check_writable(game.parent / "new")
    assert_old(game)


def test_same_file(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(game.parent)
    assert files.same_file(game, game.name)
    os.link(game, "hard")
    assert files.same_file(game, "hard")
    assert not files.same_file(game, "other")
    Path("other").write_bytes(OLD)
    assert not files.same_file(game, "other")


# Files that are open


def test_streams_of_bytes_and_of_text(tmp_path: Path) -> None:
    record = bf.Record("duo")
    record.root.comment = "\xe9 and half a pair \ud83d"
    data = io.BytesIO()
    records.write([record, record], data)
    text = io.StringIO()
    records.write([record, record], text)
    assert text.getvalue().encode() == data.getvalue()
    for mode in ("w", "w+"):
        with open(tmp_path / "game", mode, encoding="utf-8", newline="\n") as file:
            records.write(record, file)
            records.write(record, file)
        assert (tmp_path / "game").read_bytes() == data.getvalue()
    with open(tmp_path / "game", "wb", buffering=0) as raw:
        records.write([record, record], raw)  # type: ignore[arg-type]
    assert (tmp_path / "game").read_bytes() == data.getvalue()


def test_a_text_stream_in_another_encoding(tmp_path: Path) -> None:
    record = bf.Record("duo", names=["Ren\xe9e", "Bob"])
    for encoding in ("latin-1", "ascii", "utf-16"):
        with (
            open(tmp_path / "game", "w", encoding=encoding) as file,
            pytest.raises(ValueError, match=f"opened as {encoding}"),
        ):
            records.write(record, file)
    with open(tmp_path / "game", "w", encoding="latin-1") as file:
        records.write(bf.Record("duo"), file)
    assert records.read(tmp_path / "game").variant.name == "duo"


@pytest.mark.parametrize("target", [5, None, [], b"game.blksgf"])
def test_what_is_no_place_to_write_to(target: object) -> None:
    with pytest.raises(TypeError, match="a path or an open file"):
        records.write(bf.Record("duo"), target)  # type: ignore[arg-type]


def test_what_is_no_record() -> None:
    record = bf.Record("duo")
    for wrong in (None, [5], record.root, "games"):
        with pytest.raises(TypeError, match="what is written must be a Record"):
            records.write(wrong, io.BytesIO())  # type: ignore[arg-type]
