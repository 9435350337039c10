"""What the pages about the contest say: their scripts run, their tables are true."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.bots import Clock, Player, Timer
from blokus_fast.contest import Server
from blokus_fast.contest.pieces import PIECE_OF_KIND
from blokus_fast.contest.starting import OPTIONS

BOARD = bf.Board(bf.variants.software_challenge_2027("W"))
ROOT = Path(__file__).resolve().parent.parent
ENGLISH = (ROOT / "docs" / "contest.md").read_text(encoding="utf-8")
GERMAN = (ROOT / "docs" / "contest.de.md").read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)


def test_the_german_beginners_bot(tmp_path: Path) -> None:
    """As a program with and without arguments, and by its name."""
    (tmp_path / "mein_bot.py").write_text(blocks(GERMAN, "python")[0], encoding="utf-8")
    command = [sys.executable, "-W", "error"]
    done = subprocess.run(
        [*command, "mein_bot.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "names=('mein Bot', 'greedy')" in done.stdout
    with Server(port=0, games=1, soft=10) as server:
        server.invite(bots.make("random", seed=1))
        arguments = ["mein_bot.py", "--host", "127.0.0.1", "--port", str(server.port)]
        done = subprocess.run(
            [*command, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True
        )
    assert done.stdout.startswith("won, ")


def test_the_german_bot_that_searches() -> None:
    names: dict[str, type] = {}
    exec(blocks(GERMAN, "python")[1], names)
    with Player(names["Sucher"]()) as player:
        assert player.takes_clock
        assert BOARD.is_legal(player.choose(BOARD.copy(), Timer(Clock.per_move(0.2))))
        player.bot.stop()


@pytest.mark.costly
@pytest.mark.skipif(os.name == "nt", reason="the contest's system runs a script of a Unix shell")
@pytest.mark.parametrize("which", ["english", "german", "by name"])
def test_the_start_script_of_a_zip(which: str, tmp_path: Path) -> None:
    """With nothing installed but what is in its folder."""
    if Path(bf._core.__file__).parent != Path(bf.__file__).parent:
        pytest.skip("an editable install has its compiled core elsewhere")
    folder, programs = tmp_path / "with blank" / "my_bot", tmp_path / "bin"
    packages = folder / "packages"
    packages.mkdir(parents=True)
    programs.mkdir()
    needed = {bf, np}
    if which == "by name":
        for name in ("click", "rich", "pygments", "markdown_it", "mdurl"):
            needed.add(pytest.importorskip(name, reason="the command line is the extra `cli`"))
    for module in needed:
        place = Path(module.__file__).parent
        for part in place.parent.glob(f"{place.name}*"):
            if not (packages / part.name).exists():
                (packages / part.name).symlink_to(part)
    english, by_name = blocks(ENGLISH, "sh")
    script = {"english": english, "german": blocks(GERMAN, "sh")[0], "by name": by_name}[which]
    start = folder / "start.sh"
    start.write_text(script, encoding="utf-8")
    start.chmod(start.stat().st_mode | stat.S_IXUSR)
    shutil.copy(ROOT / "examples" / "contest_bot.py", folder)
    (folder / "mein_bot.py").write_text(blocks(GERMAN, "python")[0], encoding="utf-8")
    # A Python that knows no installed packages.
    python = programs / "python3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    environment = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    with Server(port=0, games=1, soft=10) as server:
        code, other = server.prepare().reservations
        server.invite(bots.make("random", seed=1), reservation=other)
        done = subprocess.run(
            [start, "--host", "127.0.0.1", "--port", str(server.port), "--reservation", code,
             *(["--limit", "0.4"] if which == "by name" else [])],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("won, ")


def test_the_table_of_arguments_is_complete() -> None:
    table = ENGLISH.split("| argument | |")[1].split("\n\n")[0]
    named = set(re.findall(r"`(-[\w-]+)`", table))
    assert named - {"--bot", "--seed"} == {name for option in OPTIONS for name in option.names}


def test_the_table_of_pieces_is_true() -> None:
    table = ENGLISH.split("| contest | here | | contest")[1].split("\n\n")[0]
    assert dict(re.findall(r"\| ([A-Z_]+) \| `(\w+)`", table)) == dict(PIECE_OF_KIND)


def test_what_the_pages_say_about_features_is_there() -> None:
    table = GERMAN.split("| Zahl | Bedeutung |")[1].split("\n\n")[0]
    named = re.findall(r"^\| `(\w+)`", table, flags=re.MULTILINE)
    assert ["ids", *named] == list(bf.move_features(bf.Board("duo"))._fields)
