"""The engine for other programs: consumers in Cython, C and numba, built against what is installed.

Each plays random games in several threads without the GIL, and must agree with `playouts` to the
bit. They are built in an empty folder, so that nothing but the installed package can help them.
"""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import blokus_fast as bf
from blokus_fast import native

CONSUMERS = Path(__file__).with_name("consumers")
N, SEED = 60, 2026

BUILD = """
import sys
from setuptools import Extension, setup
import blokus_fast
name, source = sys.argv[1:3]
modules = [Extension(name, [source], include_dirs=[blokus_fast.get_include()])]
if source.endswith(".pyx"):
    from Cython.Build import cythonize
    modules = cythonize(modules, quiet=True)
setup(name=name, ext_modules=modules, script_args=["build_ext", "--inplace"])
"""


def build(folder: Path, source: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    """Compile a consumer in a folder of its own."""
    pytest.importorskip("setuptools", reason="setuptools builds the consumer")
    if text is None:
        shutil.copy(CONSUMERS / source, folder / source)
    else:
        (folder / source).write_text(text)
    (folder / "build.py").write_text(BUILD)
    return subprocess.run(
        [sys.executable, "-P", "build.py", Path(source).stem, source],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


def load(folder: Path, name: str):
    """Import what was built."""
    (library,) = [f for f in folder.glob(f"{name}*") if f.suffix in (".so", ".pyd")]
    spec = importlib.util.spec_from_file_location(name, library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGE = Path(__file__).resolve().parent.parent / "docs" / "native.md"


@pytest.mark.costly
@pytest.mark.parametrize("kind", ["Cython", "C"])
def test_what_the_page_says_is_all_that_it_takes(kind: str, tmp_path: Path) -> None:
    """Its files, as they stand there, and its commands: no warning, and what it says is printed."""
    for library in ("setuptools", *(["Cython"] if kind == "Cython" else [])):
        pytest.importorskip(library, reason=f"{library} builds the example of the page")
    part = PAGE.read_text(encoding="utf-8").split(f"\n## {kind}\n")[1].split("\n## ")[0]
    blocks = re.findall(r"`(mine\.\w+|setup\.py)`[^`]*```\w+\n(.*?)```", part, re.DOTALL)
    assert len(blocks) == 2
    for name, text in blocks:
        (tmp_path / name).write_text(text)
    console = part.split("```console\n")[1].split("```")[0].splitlines()
    assert console[0].startswith("$ pip install ")
    assert console[0].endswith("setuptools")
    environment = {**os.environ, "PYTHONSAFEPATH": ""}
    if kind == "C" and os.name != "nt":
        environment["CFLAGS"] = "-Wall -Wextra -Werror"
    said = ""
    for command in console[1:-1]:
        words = shlex.split(command.removeprefix("$ python "))
        done = subprocess.run(
            [sys.executable, *words], cwd=tmp_path, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        said = done.stdout
    assert said.strip() == console[-1]


@pytest.fixture(scope="module")
def in_cython(tmp_path_factory: pytest.TempPathFactory):
    pytest.importorskip("Cython", reason="Cython compiles the consumer")
    folder = tmp_path_factory.mktemp("cython")
    done = build(folder, "consumer_cython.pyx")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in (done.stdout + done.stderr).lower().replace("-wstrict-prototypes", "")
    return load(folder, "consumer_cython")


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("c")
    done = build(folder, "consumer_c.c")
    assert done.returncode == 0, done.stdout + done.stderr
    return load(folder, "consumer_c")


def boards() -> list[bf.Board]:
    """Return beginnings and middles of games of every kind."""
    found = []
    for name in ("classic", "duo", "classic-3p", "draft-2p", "software-challenge-2027"):
        board = bf.Board(name)
        found.append(board.copy())
        for _ in range(20):
            ids = board.legal_ids()
            board.push(int(ids[len(ids) // 2]))
        found.append(board)
    return found


@pytest.mark.costly
@pytest.mark.parametrize("threads", [1, 3])
def test_cython_plays_what_playouts_plays(in_cython, threads: int) -> None:
    for board in boards():
        expected = bf.playouts(board, N, seed=SEED)
        for whole in (False, True):
            assert (in_cython.play(board, N, SEED, threads, whole) == expected).all()


@pytest.mark.costly
def test_methods_of_board_run_without_the_gil(in_cython) -> None:
    board = bf.Board("duo")
    before = board._state_bytes()
    assert in_cython.push_and_pop(board, board.parse_move("e10"))
    assert board._state_bytes() == before


@pytest.mark.costly
@pytest.mark.parametrize("threads", [1, 3])
def test_c_plays_what_playouts_plays(in_c, threads: int) -> None:
    np = pytest.importorskip("numpy", reason="scores are an array of numpy")
    for board in boards():
        scores = np.empty((N, board.n_players), np.int32)
        in_c.play(board, SEED, threads, scores)
        assert (scores == bf.playouts(board, N, seed=SEED)).all()


@pytest.mark.costly
def test_c_is_told_what_it_may_hand_over(in_c) -> None:
    np = pytest.importorskip("numpy", reason="scores are an array of numpy")
    scores = np.empty((1, 2), np.int32)
    with pytest.raises(TypeError, match="a Board, BatchBoard or its rules are needed, not str"):
        in_c.play("duo", 1, 1, scores)
    with pytest.raises(TypeError, match="a Board is needed, not BatchBoard"):
        in_c.play(bf.BatchBoard(1, "duo"), 1, 1, scores)


@pytest.mark.parametrize("threads", [1, 3])
def test_numba_plays_what_playouts_plays(threads: int) -> None:
    pytest.importorskip("numba", reason="numba compiles the consumer")
    spec = importlib.util.spec_from_file_location("consumer_numba", CONSUMERS / "consumer_numba.py")
    consumer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(consumer)
    for board in boards():
        assert (consumer.play(board, N, SEED, threads) == bf.playouts(board, N, seed=SEED)).all()


@pytest.mark.costly
def test_threads_of_a_consumer_leave_the_gil_to_others(in_cython) -> None:
    """While it plays, this thread goes on."""
    board = bf.Board("classic")
    worker = threading.Thread(target=in_cython.play, args=(board, 3000, 1, 1))
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
        time.sleep(0.001)
    assert turns > 3


WRONG_VERSION = """
#include "blokus_fast.h"
#undef BF_ABI_VERSION
#define BF_ABI_VERSION {version}
#define BLOKUS_FAST_H
#include "blokus_fast_python.h"
static struct PyModuleDef module = {{PyModuleDef_HEAD_INIT, "{name}", 0, -1, 0, 0, 0, 0, 0}};
PyMODINIT_FUNC PyInit_{name}(void) {{
    return bf_import() == NULL ? NULL : PyModule_Create(&module);
}}
"""


@pytest.mark.costly
@pytest.mark.parametrize("version", [native.ABI_VERSION - 1, native.ABI_VERSION + 1])
def test_a_consumer_of_another_version_is_refused(tmp_path: Path, version: int) -> None:
    name = f"of_version_{version}"
    text = WRONG_VERSION.format(version=version, name=name)
    done = build(tmp_path, f"{name}.c", text)
    assert done.returncode == 0, done.stdout + done.stderr
    with pytest.raises(
        ImportError,
        match=f"has version {native.ABI_VERSION} of its C interface, .* for version {version}",
    ):
        load(tmp_path, name)


def test_the_header_and_the_table_have_the_same_functions() -> None:
    """Every function of the struct has an address, but those that need Python or structs."""
    header = (Path(bf.get_include()) / "blokus_fast.h").read_text(encoding="utf-8")
    struct = header[header.index("typedef struct bf_api {") : header.index("} bf_api;")]
    names = set(re.findall(r"\(\*(\w+)\)\(", struct)) - {"stop"}
    left_out = {"rules_of", "state_of", "make_rules", "kernel_at", "decode", "encode", "perft"}
    assert names - left_out == set(native._TYPES)
    for name in native._TYPES:
        assert native.address(name) > 0


def test_functions_by_address() -> None:
    board = bf.Board("classic-3p")
    for _ in range(9):
        board.push(int(board.legal_ids()[-1]))
    rules, state = native.rules_address(board), native.state_address(board)
    assert native.function("count")(rules, state, -1) == board.count_legal()
    assert native.function("key")(rules, state) == board.key()
    for player, score in enumerate(board.player_scores()):
        assert native.function("player_score")(rules, state, player) == score
    fault = native.ctypes.create_string_buffer(64)
    assert native.function("check")(rules, state, native.ctypes.addressof(fault)) == 0
    with pytest.raises(ValueError, match="unknown function 'fly'; valid: fill_placements, "):
        native.function("fly")
    with pytest.raises(TypeError, match="not int"):
        native.rules_address(5)
