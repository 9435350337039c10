"""The kernel for 64-bit ARM, as far as it can be judged on other computers without running it.

That it lists what the others list is seen by ``python3 dev.py aarch64``, which lets qemu-user run
the tests in C.
"""

from __future__ import annotations

import os
import shutil
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest
from helpers import output_of

ROOT = Path(__file__).resolve().parent.parent
COMPILER = "aarch64-linux-gnu-gcc"

needs_source = pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the sources are not here")
needs_compiler = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in ("cmake", COMPILER)),
    reason="needs cmake and a cross compiler",
)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("aarch64")
    output_of(
        "cmake", "-S", ROOT, "-B", folder, "-DBLOKUS_FAST_BENCH=ON", "-DBLOKUS_FAST_WERROR=ON",
        f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / 'aarch64.cmake'}",
        "-DSKBUILD_PROJECT_NAME=blokus_fast", "-DSKBUILD_PROJECT_VERSION=0",
        f"-DPython_EXECUTABLE={sys.executable}",
    )  # fmt: skip
    output_of("cmake", "--build", folder, "--target", "bf_kernel_neon", "bf_kernels_common")
    return folder


def symbols(file: Path) -> list[tuple[str, str]]:
    lines = output_of("aarch64-linux-gnu-nm", file).splitlines()
    return [(line.split()[-2], line.split()[-1]) for line in lines]


@pytest.mark.costly
@needs_source
@needs_compiler
def test_neon_exports_its_table_and_nothing_else(build: Path) -> None:
    (file,) = build.rglob("neon.c.o")
    found = symbols(file)
    shared = [name for kind, name in found if kind.isupper() and kind != "U"]
    assert sorted(shared) == ["bf_evaluator_neon", "bf_kernel_neon"]
    assert not [name for kind, name in found if kind in "bBdC"]
    (dispatch,) = build.rglob("dispatch.c.o")
    assert ("U", "bf_kernel_neon") in symbols(dispatch)


@pytest.mark.costly
@needs_source
@needs_compiler
def test_big_endian_has_the_portable_kernel_only(tmp_path: Path) -> None:
    # The C library of the cross compiler is for the other order, and asks for this file.
    (tmp_path / "gnu").mkdir()
    (tmp_path / "gnu" / "stubs-lp64_be.h").touch()
    folders = ("blokus_fast/include", "src/kernels", "src/engine", "src/search")
    includes = [f"-I{tmp_path}", *(f"-I{ROOT / folder}" for folder in folders)]
    for name in ("neon", "dispatch"):
        file = tmp_path / f"{name}.o"
        source = ROOT / "src" / "kernels" / f"{name}.c"
        output_of(COMPILER, "-mbig-endian", "-c", *includes, source, "-o", file)
        assert not [symbol for _, symbol in symbols(file) if "neon" in symbol]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    path = ROOT / "benchmarks" / "aarch64"
    if not path.is_file():
        pytest.skip("the sources are not here")
    spec = spec_from_loader("aarch64", SourceFileLoader("aarch64", str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_list_has_its_limit(script: ModuleType) -> None:
    assert script.judge("duo", {"portable": {"list": 1000}, "neon": {"list": 600}}) is None
    said = script.judge("duo", {"portable": {"list": 1000}, "neon": {"list": 611}})
    assert said == "duo: a list by NEON takes 61.1% of the portable one, more than 60%"


@pytest.mark.skipif(os.name == "nt", reason="leaves the PATH without compilers")
@pytest.mark.skipif(not (ROOT / "dev.py").is_file(), reason="the sources are not here")
def test_the_command_says_what_is_missing(tmp_path: Path) -> None:
    said = output_of(sys.executable, ROOT / "dev.py", "aarch64", PATH=str(tmp_path))
    assert said.startswith(
        "!!! no aarch64-linux-gnu-gcc and no qemu-aarch64: nothing is built or run"
    )
    assert "gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user" in said
