"""What users get beside the Python API: cimport from other extensions, typing, quick import."""

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import blokus_fast as bf
from blokus_fast import native

PACKAGE = Path(bf.__file__).parent

CONSUMER = """
# cython: language_level=3, freethreading_compatible=True
from blokus_fast._core cimport BF_ABI_VERSION, Board, bf_state
from libc.stdint cimport uint64_t

def squares_and_turn(Board board):
    cdef bf_state *state = board.state
    cdef uint64_t word = state.own[0][0]
    return word, state.turn, state.ply, BF_ABI_VERSION

def push_pop(Board board, unsigned int action):
    board.c_push(action)
    cdef int ply = board.state.ply
    return ply, board.c_pop()

def leave_behind(Board board):
    cdef Board bare = board.c_copy(False)
    return bare
"""

BUILD = """
import sys
from setuptools import Extension, setup
from Cython.Build import cythonize
import blokus_fast
setup(
    name="consumer",
    ext_modules=cythonize(
        [Extension("consumer", ["consumer.pyx"], include_dirs=[blokus_fast.get_include()])],
        quiet=True,
    ),
    script_args=["build_ext", "--inplace"],
)
"""


def python(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **variables},
    )


@pytest.mark.costly
def test_other_extensions_can_cimport_the_core(tmp_path):
    pytest.importorskip("Cython", reason="Cython compiles the consumer")
    pytest.importorskip("setuptools", reason="setuptools builds the consumer")
    (tmp_path / "consumer.pyx").write_text(CONSUMER)
    (tmp_path / "build.py").write_text(BUILD)
    built = subprocess.run(
        [sys.executable, "build.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (library,) = [f for f in tmp_path.glob("consumer*") if f.suffix in (".so", ".pyd")]
    spec = importlib.util.spec_from_file_location("consumer", library)
    consumer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(consumer)
    board = bf.Board("classic")
    before = board.copy()
    move = board.parse_move("a20,b20")
    assert consumer.push_pop(board, move) == (1, move)
    assert board == before
    board.push(move)
    assert consumer.squares_and_turn(board) == (0b11, 1, 1, native.ABI_VERSION)
    bare = consumer.leave_behind(board)
    assert (bare == board, bare.move_stack) == (True, [])


def test_headers_and_types_are_installed():
    assert (Path(bf.get_include()) / "blokus_fast.h").is_file()
    for name in ("py.typed", "_core.pyi", "_core.pxd", "__init__.pxd"):
        assert (PACKAGE / name).is_file(), name


def test_import_needs_nothing_but_numpy():
    code = (
        "import sys, numpy; before = set(sys.modules)\n"
        "import blokus_fast\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "known = set(sys.stdlib_module_names) | {'blokus_fast', 'numpy', 'cython_runtime'}\n"
        "print([name for name in new - known if not name.startswith('_cython_')])"
    )
    done = python(code)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_sources_without_the_core_say_so(tmp_path):
    """Who starts Python beside the sources gets them, and not the installed package."""
    shutil.copytree(PACKAGE, tmp_path / "blokus_fast", ignore=shutil.ignore_patterns("_core.*"))
    # -S: no site-packages, so that no editable installation lends its core.
    done = subprocess.run(
        [sys.executable, "-S", "-c", "import sys; sys.path.insert(0, '.'); import blokus_fast"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "the compiled core of blokus_fast is missing" in done.stderr


# What an import of the package takes with it, and parts of the standard library that cost
# milliseconds each, or that a board has no use for.
LIGHT = {
    "_core", "_moved", "_starting", "checking", "errors", "files", "game", "learning", "moves",
    "position", "records", "scoring", "setup", "shown", "variants", "words",
}  # fmt: skip
HEAVY = {
    "argparse", "asyncio", "concurrent", "csv", "decimal", "email", "fractions", "hashlib", "html",
    "http", "importlib.metadata", "importlib.resources", "logging", "multiprocessing",
    "random", "secrets", "selectors", "shutil", "socket", "ssl", "statistics", "subprocess",
    "tempfile", "unittest", "urllib.request", "uuid", "xml", "zipfile",
}  # fmt: skip


def test_import_brings_little():
    """Each module that comes with it is paid for by everybody who starts a program."""
    code = (
        "import sys, numpy; before = set(sys.modules)\n"
        # By their own names: some have old ones, too.
        "import blokus_fast; new = set(sys.modules) - before\n"
        "print(*{getattr(sys.modules[name], '__name__', name) for name in new})"
    )
    new = set(python(code).stdout.split())
    own = {name.split(".")[1] for name in new if name.startswith("blokus_fast.")}
    assert own == LIGHT
    assert new & HEAVY == set()


def test_import_is_quick():
    """It takes a tenth to a quarter of what numpy's takes, in processor time."""
    code = (
        "from time import process_time as now; a = now()\n"
        "import numpy; b = now()\n"
        "import blokus_fast; print((now() - b) / (b - a))"
    )
    assert min(float(python(code).stdout) for _ in range(5)) < 1 / 2


def test_unknown_kernel_is_a_clear_error():
    done = python("import blokus_fast", BLOKUS_FAST_KERNEL="abacus")
    assert done.returncode != 0
    assert "unknown kernel 'abacus'" in done.stderr
    assert "portable" in done.stderr


@pytest.mark.parametrize("name", bf.cpu_info()["supported"])
def test_every_supported_kernel_can_be_forced(name):
    code = (
        "import blokus_fast as bf\n"
        "print(bf.cpu_info()['kernel'], bf.perft(bf.Board('duo', start='assigned'), 2))"
    )
    assert python(code, BLOKUS_FAST_KERNEL=name).stdout.split() == [name, "171396"]


def test_json_has_no_nan():
    """JSON knows no NaN and no infinity; Python would write words that others cannot read."""
    calls = [
        (path.name, ast.unparse(node))
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("json.dump", "json.dumps")
    ]
    assert len(calls) > 10
    assert [call for call in calls if "allow_nan=False" not in call[1]] == []
