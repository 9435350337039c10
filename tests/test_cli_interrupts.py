"""Ctrl-C at any time: exit code 130 and one line, whatever the command was about to do."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")

SCRIPT = shutil.which("blokus-fast", path=str(Path(sys.executable).parent))
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent in another way there")

# Presses Ctrl-C when a module is imported for the first time.
AT_IMPORT = """
import importlib.abc, os, signal, sys, time

class Presses(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        return None

sys.meta_path.insert(0, Presses())
"""


def ended(done: subprocess.CompletedProcess[str]) -> None:
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


@pytest.mark.parametrize("kind", ["module", "script"])
@pytest.mark.parametrize(
    "module", ["numpy", "blokus_fast.records", "click", "rich.console", "blokus_fast.cli.arena"]
)
def test_ctrl_c_while_everything_is_imported(kind: str, module: str, tmp_path: Path) -> None:
    if kind == "script" and SCRIPT is None:
        pytest.skip("the program is not installed")
    # Python imports it before all else.
    (tmp_path / "sitecustomize.py").write_text(AT_IMPORT.format(module=module))
    program = [SCRIPT] if kind == "script" else [sys.executable, "-m", "blokus_fast"]
    done = subprocess.run(
        [*program, "info"], capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    ended(done)


def test_ctrl_c_while_somebody_else_imports_the_package_is_an_exception(tmp_path: Path) -> None:
    code = f"""
{AT_IMPORT.format(module="blokus_fast.records")}
try:
    import blokus_fast
except KeyboardInterrupt:
    print("caught")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, cwd=tmp_path,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "caught\n", "")


# Presses Ctrl-C when a function is called for the first time.
AT_CALL = """
import importlib, os, signal, sys, time
from blokus_fast.cli import main

_, place, name, *words = sys.argv
holder = importlib.import_module(place)
*owners, name = name.split(".")
for owner in owners:
    holder = getattr(holder, owner)
function = getattr(holder, name)

def pressed(*args, **kwargs):
    setattr(holder, name, function)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)

setattr(holder, name, pressed)
main(words)
"""
ARENA = ("arena", "mcts:1", "random", "--variant", "duo", "--games", "2", "--output", "run")
CASES = [
    ("blokus_fast.cli.arena", "check_bot", ARENA),
    ("blokus_fast.cli.arena", "need_matplotlib", ARENA),
    ("blokus_fast.cli.arena", "run_settings", ARENA),
    ("blokus_fast.cli.arena", "_keep", ARENA),
    ("blokus_fast.cli.arena", "read_settings", (*ARENA, "--resume")),
    ("blokus_fast.cli.play", "Match", ("play", "--bots", "random")),
    ("blokus_fast.cli.selfplay", "check_bot", ("selfplay", "run", "--bot", "random")),
    ("blokus_fast.cli.app", "cpu_name", ("info",)),
    ("blokus_fast.cli.app", "cli.parse_args", ("info",)),
    ("blokus_fast.cli.gtp", "serve", ("gtp",)),
    ("blokus_fast.cli.contest", "play_games", ("contest",)),
    ("blokus_fast.cli.speed", "resolve", ("perft", "duo", "2")),
]


@pytest.mark.parametrize(("place", "name", "words"), CASES)
def test_ctrl_c_at_any_time_of_any_command(
    place: str, name: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    if "arena" in place:
        for library in ("choix", "matplotlib", "psutil"):
            pytest.importorskip(library, reason="the arena is the extra `arena`")
    done = subprocess.run(
        [sys.executable, "-c", AT_CALL, place, name, *words], capture_output=True, text=True,
        timeout=120, cwd=tmp_path, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    ended(done)


@pytest.mark.parametrize("name", ["open_executor", "_try_bots"])
def test_ctrl_c_before_the_first_game_of_an_arena_is_reported(name: str, tmp_path: Path) -> None:
    for library in ("choix", "matplotlib", "psutil"):
        pytest.importorskip(library, reason="the arena is the extra `arena`")
    for more in ((), ("--resume",)):
        done = subprocess.run(
            [sys.executable, "-c", AT_CALL, "blokus_fast.arena.running", name, *ARENA, *more],
            capture_output=True, text=True, timeout=120, cwd=tmp_path, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == (
            130, "no game was played to its end\n", "",
        )  # fmt: skip


def test_ctrl_c_from_a_keyboard_at_the_start_of_an_arena(tmp_path: Path) -> None:
    """All processes of the group get it, as in a terminal."""
    for library in ("choix", "psutil"):
        pytest.importorskip(library, reason="the arena is the extra `arena`")
    process = subprocess.Popen(
        [sys.executable, "-m", "blokus_fast", "arena", "mcts:5", "mcts:6", "--variant", "duo",
         "--games", "50"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        start_new_session=True,
    )  # fmt: skip
    try:
        process.wait(1.2)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (
        (out.count("\n") == 1 and not err)
        or (err == "interrupted\n" and not out)
        or ("interrupted after " in out and not err)
    )
