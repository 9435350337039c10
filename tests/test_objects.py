"""Instructions stay where they belong: what the compiler made of each kernel.

Builds the kernel objects afresh and reads them with objdump and nm. An instruction of one kernel
in code that every CPU runs would be a crash on somebody else's computer.
"""

import json
import platform
import re
import shutil
from pathlib import Path

import pytest
from helpers import output_of

ROOT = Path(__file__).resolve().parent.parent

pytestmark = [
    pytest.mark.costly,
    pytest.mark.skipif(
        not (ROOT / "cmake" / "bench.cmake").exists(), reason="needs the source tree"
    ),
    pytest.mark.skipif(
        platform.machine() not in ("x86_64", "AMD64") or platform.system() != "Linux",
        reason="reads x86-64 ELF objects",
    ),
    pytest.mark.skipif(
        any(shutil.which(tool) is None for tool in ("cmake", "objdump", "nm")),
        reason="needs cmake and binutils",
    ),
]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("objects")
    output_of(
        "cmake", "-S", ROOT, "-B", folder, "-DBLOKUS_FAST_BENCH=ON",
        "-DSKBUILD_PROJECT_NAME=blokus_fast", "-DSKBUILD_PROJECT_VERSION=0",
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
    )  # fmt: skip
    output_of("cmake", "--build", folder, "--target", "bench_core", "bench_search", "-j", "2")
    return folder


ENGINE = tuple(sorted(file.stem for file in (ROOT / "src" / "engine").glob("*.c")))
SEARCH = tuple(sorted(file.stem for file in (ROOT / "src" / "search").glob("*.c")))


def code(build: Path, name: str) -> str:
    folder = "engine" if name in ENGINE else "search" if name in SEARCH else "kernels"
    (file,) = build.rglob(f"src/{folder}/{name}.c.o")
    return output_of("objdump", "-d", "--no-show-raw-insn", file)


def test_baseline_objects_run_everywhere(build: Path) -> None:
    for name in ("portable", "dispatch", "cpu", *ENGINE, *SEARCH):
        text = code(build, name)
        assert "<" in text  # there is code at all
        # x86-64 without extensions: SSE2, no popcnt, no VEX- or EVEX-encoded instruction. tzcnt
        # may be there: an old CPU reads it as bsf, which does the same for what is not zero.
        found = re.findall(r"\t(v[a-z]\w+|popcnt|lzcnt|pext|pdep|pshufb|\w*crc32)\b", text)
        assert not set(found) - {"verr", "verw"}, (name, set(found))


def test_each_kernel_keeps_to_its_set(build: Path) -> None:
    assert not re.search(r"%[yz]mm|\tv[a-z]", code(build, "v2"))
    assert "popcnt" in code(build, "v2")
    assert not re.search(r"%zmm|%k[0-7]|%[xy]mm(1[6-9]|2\d|3[01])\b", code(build, "avx2"))
    assert "%ymm" in code(build, "avx2")
    assert "%zmm" in code(build, "avx512")


def test_kernels_export_their_table_and_nothing_else(build: Path) -> None:
    """No inline function with external linkage, which a linker might take for all kernels."""
    for name in ("portable", "v2", "avx2", "avx512"):
        (file,) = build.rglob(f"src/kernels/{name}.c.o")
        lines = output_of("nm", "--defined-only", file).splitlines()
        symbols = [line.split()[-2:] for line in lines]
        shared = [symbol for kind, symbol in symbols if kind.isupper() and kind not in "R"]
        tables = [symbol for kind, symbol in symbols if kind in "RD"]
        both = [f"bf_evaluator_{name}", f"bf_kernel_{name}"]
        assert shared in ([], both), shared
        assert tables in ([], both), tables
        writable = [symbol for kind, symbol in symbols if kind in "bBdC"]
        assert not writable, f"{name} has variables: {writable}"


@pytest.mark.parametrize("layer", ["engine", "search"])
def test_layers_change_nothing_but_their_arguments(build: Path, layer: str) -> None:
    """No variables, no allocation, no threads, nothing of Python."""
    names = ENGINE if layer == "engine" else SEARCH
    assert len(names) > 8
    for name in names:
        (file,) = build.rglob(f"src/{layer}/{name}.c.o")
        symbols = [line.split()[-2:] for line in output_of("nm", file).splitlines()]
        assert not [symbol for kind, symbol in symbols if kind in "bBdDC"], name
        wanted = {symbol for kind, symbol in symbols if kind == "U"}
        assert not [s for s in wanted if s.startswith("Py") or "alloc" in s or s == "free"], name
        assert not [s for s in wanted if "thread" in s], name


def test_flags_stay_on_their_objects(build: Path) -> None:
    commands = json.loads((build / "compile_commands.json").read_text())
    assert len(commands) > 6
    for entry in commands:
        flags = entry["command"]
        file = Path(entry["file"]).name
        assert "native" not in flags, file
        assert "-flto" not in flags, file
        extensions = set(
            re.findall(r" -m(avx\w*|bmi\w*|popcnt|sse\w*|ssse3|lzcnt|arch=\S+)", flags)
        )
        if file == "avx2.c":
            assert "avx2" in extensions
            assert not any(flag.startswith("avx512") for flag in extensions)
        elif file == "v2.c":
            assert not any(flag.startswith("avx") for flag in extensions)
        elif file != "avx512.c":
            assert not extensions, file
