"""The check of wheels and sdists finds what it is for: faults are planted, one at a time."""

from __future__ import annotations

import contextlib
import io
import platform
import re
import runpy
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import archive_check
import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

SOURCES = ("__init__.py", "_core.pyi", "py.typed", "include/blokus_fast.h", "replay/page.js")
EXTENSION = "blokus_fast/_core.cpython-311-x86_64-linux-gnu.so"
INFO = "blokus_fast-0.1.0.dist-info"
COMPILER = shutil.which("gcc") or shutil.which("cc")
HAS_BINUTILS = all(map(shutil.which, ("readelf", "nm", "objdump")))

needs_compiler = pytest.mark.skipif(
    not (COMPILER and HAS_BINUTILS and platform.system() == "Linux"
         and platform.machine() == "x86_64"),
    reason="needs Linux on x86-64 with a C compiler and binutils",
)  # fmt: skip


def metadata(**changes: str | None) -> str:
    """Return metadata as they should be, with some fields changed or left out."""
    fields: dict[str, str | None] = {
        **archive_check.FIELDS, "Author": "The blokus-fast developers", **changes,
    }  # fmt: skip
    lines = [f"{name}: {value}" for name, value in fields.items() if value is not None]
    lines += [f"Classifier: {name}" for name in sorted(archive_check.CLASSIFIERS)]
    return "\n".join(lines) + "\n\nWhat it is.\n"


def good_sdist() -> dict[str, bytes]:
    files = {f"blokus_fast/{name}": b"" for name in SOURCES}
    return {**files, "src/core.pyx": b"", "blokus_fast/old.pxi": b"", "dev.py": b"",
            "PKG-INFO": metadata().encode()}  # fmt: skip


def good_wheel() -> dict[str, bytes]:
    files = {f"blokus_fast/{name}": b"" for name in SOURCES}
    files |= {f"{INFO}/{name}": b"" for name in archive_check.DIST_INFO}
    return {**files, EXTENSION: b"of another system", f"{INFO}/METADATA": metadata().encode()}


def write_sdist(folder: Path, files: dict[str, bytes]) -> Path:
    path = folder / "blokus_fast-0.1.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(f"blokus_fast-0.1.0/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def write_wheel(folder: Path, files: dict[str, bytes]) -> Path:
    path = folder / "blokus_fast-0.1.0-cp311-cp311-linux_x86_64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_good_archives_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sdist, wheel = write_sdist(tmp_path, good_sdist()), write_wheel(tmp_path, good_wheel())
    archive_check.check([sdist, wheel], listed=set(good_sdist()) - {"PKG-INFO"})
    assert "not looked into" in capsys.readouterr().out


def without(name: str) -> Callable[[dict[str, bytes]], None]:
    return lambda files: files.pop(name) and None


def having(name: str, data: bytes = b"") -> Callable[[dict[str, bytes]], None]:
    return lambda files: files.update({name: data})


def described(**changes: str | None) -> Callable[[dict[str, bytes]], None]:
    return having(f"{INFO}/METADATA", metadata(**changes).encode())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda files: files.pop("blokus_fast/py.typed"), "missing: blokus_fast/py.typed"),
        (lambda files: files.pop(EXTENSION), "0 extensions"),
        (having("blokus_fast/_core.cpython-312-darwin.so"), "2 extensions"),
        (having("blokus_fast/old.pxi"), "too much: blokus_fast/old.pxi"),
        (having("tests/helpers.py"), "too much: tests/helpers.py"),
        (having(f"{INFO}/licenses/NOTICE"), "too much: .*NOTICE"),
        (having("blokus_fast.libs/libgcc_s.so.1"), "too much: .*libgcc_s"),
        (having("blokus_fast/py.typed", bytes(2_000_001)), "more than 2000000"),
        (described(Author=None), "no author"),
        (described(Name="blokus"), "Name is 'blokus'"),
        (described(**{"Requires-Python": None}), "Requires-Python is None"),
        (described(**{"Project-URL": "Home, http//nowhere"}), "is not a name and an address"),
        (having(f"{INFO}/METADATA", metadata().replace("Typed", "Untyped").encode()),
         "no classifier 'Typing :: Typed'"),
        (having(f"{INFO}/METADATA", metadata().replace("What it is.\n", "").encode()),
         "no description"),
        (having(f"{INFO}/METADATA", metadata().replace("is.", "is: [more](docs/a.md#b).").encode()),
         r"leads nowhere from an index: docs/a\.md#b"),
    ],
)  # fmt: skip
def test_a_bad_wheel_is_found(
    tmp_path: Path, change: Callable[[dict[str, bytes]], None], message: str
) -> None:
    files = good_wheel()
    change(files)
    sdist, wheel = write_sdist(tmp_path, good_sdist()), write_wheel(tmp_path, files)
    with pytest.raises(SystemExit, match=rf"{re.escape(wheel.name)}:\n(.*\n)*.*{message}"):
        archive_check.check([sdist, wheel])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda files: files.pop("dev.py"), "missing: dev.py"),
        (having("build/left_over.o"), "too much: build/left_over.o"),
        (having("PKG-INFO", metadata(Author=None).encode()), "no author"),
    ],
)
def test_a_bad_sdist_is_found(
    tmp_path: Path, change: Callable[[dict[str, bytes]], None], message: str
) -> None:
    files = good_sdist()
    change(files)
    with pytest.raises(SystemExit, match=message):
        archive_check.check([write_sdist(tmp_path, files)], listed=set(good_sdist()) - {"PKG-INFO"})


# -- what an index shows ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[a](docs/a.md) and [b\n  c](<b.md>)", ["docs/a.md", "b.md"]),
        ("![a](img/a.svg) [b](https://example.org/b.md) [c](#c)", ["img/a.svg"]),
        ("see [a][1]\n\n[1]: ../a.md\n[2]: https://example.org", ["../a.md"]),
        ('<source srcset="a.svg"><img src="b.svg"><a href="/c">', ["a.svg", "b.svg", "/c"]),
        ("`[a](b)`\n```python\nx[0](y)\n```\n", []),
    ],
)
def test_links_to_files_are_found(text: str, links: list[str]) -> None:
    assert archive_check.links_to_files(text) == links


@pytest.fixture(scope="module")
def description() -> Any:
    path = ROOT / "cmake" / "description.py"
    if not path.exists():
        pytest.skip("needs the folder of the sources")
    return SimpleNamespace(**runpy.run_path(str(path)))


README = """\
<picture>
  <source media="(prefers-color-scheme: dark)" srcset="docs/a-dark.svg">
  <img src="docs/a.svg" alt="A board" width="270">
</picture>

[`a` and
  more](docs/a.md#b), [else](https://example.org/x), [here](#here), ![drawn](img/b.png)
`[a](b)`

```python
moves[0](x) # [c](d)
```
"""


def test_links_of_the_description_lead_to_the_sources(description: Any) -> None:
    there = description.for_index(README, "https://example.org/p/", "https://example.org/f/")
    expected = README.replace('"docs/a', '"https://example.org/f/docs/a')
    expected = expected.replace("(docs/a.md", "(https://example.org/p/docs/a.md")
    expected = expected.replace("(img/b.png", "(https://example.org/f/img/b.png")
    assert there == expected
    assert archive_check.links_to_files(there) == []


def test_without_sources_the_description_has_no_links_to_them(description: Any) -> None:
    there = description.for_index(README, None, None)
    assert there.startswith("\n\n`a` and\n  more, [else](https://example.org/x), [here](#here), \n")
    assert there.endswith(README[README.index("`[a]") :])


@pytest.mark.parametrize(
    ("urls", "source"),
    [
        ({}, None),
        ({"Homepage": "https://example.org"}, None),
        ({"Source Code": "https://example.org/code/"}, "https://example.org/code"),
        ({"repository": "https://example.org/b", "Source": "https://example.org/a"},
         "https://example.org/a"),
    ],
)  # fmt: skip
def test_where_the_sources_are(description: Any, urls: dict[str, str], source: str | None) -> None:
    assert description.source_of(urls) == source
    settings = PROJECT["tool"]["dynamic-metadata"][0]
    table = {**PROJECT["project"], "urls": urls}
    with contextlib.chdir(ROOT):
        text = description.dynamic_metadata(settings, table)["readme"]["text"]
    assert archive_check.links_to_files(text) == []
    version = table["version"]
    assert (f"({source}/blob/v{version}/docs/api.md)" in text) == (source is not None)
    assert (f'"{source}/raw/v{version}/docs/img/board-dark.svg"' in text) == (source is not None)
    assert "docs/api.md" in text


# -- objects and libraries -------------------------------------------------------------------------

# By target of the build: flags, and C that needs them.
PLAIN = "int f(int x) { return x + 1; }"
ADD = "typedef double v __attribute__((vector_size({}))); void f(v *a) {{ *a += a[1]; }}"
COUNT = "int f(unsigned long x) { return __builtin_popcountl(x); }"
OBJECTS = {
    "_core": ("", PLAIN),
    "bf_kernels_common": ("", PLAIN),
    "bf_engine_objects": ("", ADD.format(16)),
    "bf_kernel_v2": ("-mpopcnt", COUNT),
    "bf_kernel_avx2": ("-mavx2", ADD.format(32)),
    "bf_kernel_avx512": ("-mavx512f -mbmi2", ADD.format(64)),
}


def compile_objects(folder: Path, objects: dict[str, tuple[str, str]]) -> Path:
    for target, (flags, code) in objects.items():
        place = folder / "CMakeFiles" / f"{target}.dir"
        place.mkdir(parents=True)
        (place / "a.c").write_text(code)
        command = [COMPILER, "-O2", *flags.split(), "-c", "a.c", "-o", "a.c.o"]
        subprocess.run(command, cwd=place, check=True)
    return folder


@needs_compiler
def test_objects_of_their_level_pass(tmp_path: Path) -> None:
    counted = archive_check.check_objects(compile_objects(tmp_path, OBJECTS))
    assert counted is not None
    assert all(counted[kind] for kind in ("v2", "vex", "evex"))
    assert not counted["newer"]


@needs_compiler
@pytest.mark.parametrize(
    ("target", "flags", "code", "message"),
    [
        ("bf_engine_objects", "-mavx", ADD.format(32), r"bf_engine_objects.* kind vex"),
        ("_core", "-mpopcnt", COUNT, r"_core.* kind v2"),
        ("bf_kernels_common", "-mavx512f", ADD.format(64), r"common.* kind evex"),
        ("bf_engine_objects", "-mlzcnt", "int f(int x) { return __builtin_clz(x); }",
         r"bf_engine_objects.* kind newer"),
        ("bf_kernel_v2", "-mavx -mpopcnt", ADD.format(32), r"bf_kernel_v2.* kind vex"),
        ("bf_kernel_avx2", "-mavx512f", ADD.format(64), r"bf_kernel_avx2.* kind evex"),
        ("bf_kernel_avx512", "", PLAIN, r"bf_kernel_avx512.* no instruction of the kind evex"),
    ],
)  # fmt: skip
def test_an_instruction_out_of_place_is_found(
    tmp_path: Path, target: str, flags: str, code: str, message: str
) -> None:
    build = compile_objects(tmp_path, {**OBJECTS, target: (flags, code)})
    with pytest.raises(archive_check.ArchiveError, match=message):
        archive_check.check_objects(build)


@needs_compiler
def test_a_missing_object_is_found(tmp_path: Path) -> None:
    objects = {target: made for target, made in OBJECTS.items() if target != "bf_kernel_v2"}
    with pytest.raises(archive_check.ArchiveError, match="no object of bf_kernel_v2"):
        archive_check.check_objects(compile_objects(tmp_path, objects))


def linked(folder: Path, *flags: str, more: str = "") -> bytes:
    """Return an extension of a kind."""
    code = f'__attribute__((visibility("default"))) int PyInit__core(void) {{ return 0; }}{more}'
    (folder / "core.c").write_text(code)
    command = [
        COMPILER,
        "-shared",
        "-fPIC",
        "-O2",
        "-fvisibility=hidden",
        "core.c",
        "-o",
        "core.so",
    ]
    subprocess.run([*command, *flags], cwd=folder, check=True)
    return (folder / "core.so").read_bytes()


@needs_compiler
@pytest.mark.parametrize(
    ("flags", "more", "message"),
    [
        ((), "", ""),
        (("-Wl,-rpath,/home/somebody/lib",), "", "path of its own .*: /home/somebody/lib"),
        (("-Wl,--no-as-needed", "-lgcc_s"), "", r"needs libgcc_s\.so\.1"),
        ((), 'int g(void) __attribute__((visibility("default"))); int g(void) { return 1; }',
         "exports PyInit__core, g"),
        (("-mavx",), "void h(double *a) __attribute__((visibility(\"hidden\"), used)); void h"
         "(double *a) { for (int i = 0; i < 4; i++) a[i] += 1.5; }",
         "instructions of the kind vex, and the objects that it was made of 0"),
    ],
    ids=["good", "rpath", "library", "export", "instruction"],
)  # fmt: skip
def test_what_is_wrong_with_an_extension_is_found(
    tmp_path: Path, flags: tuple[str, ...], more: str, message: str
) -> None:
    wheel = write_wheel(tmp_path, {**good_wheel(), EXTENSION: linked(tmp_path, *flags, more=more)})
    sources = set(good_sdist())
    if not message:
        archive_check.check_wheel(wheel, sources, archive_check.Counter())
        return
    with pytest.raises(archive_check.ArchiveError, match=message):
        archive_check.check_wheel(wheel, sources, archive_check.Counter())


# -- what is said in several places ----------------------------------------------------------------


def test_pythons_are_the_same_everywhere() -> None:
    """Classifiers, the check, wheels and workflows name the same versions of Python."""
    named = {
        line.rpartition(" ")[2]
        for line in PROJECT["project"]["classifiers"]
        if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", line)
    }
    assert named == set(archive_check.VERSIONS)
    assert PROJECT["project"]["requires-python"] == archive_check.FIELDS["Requires-Python"]
    tags = {f"cp{version.replace('.', '')}-*" for version in named} | {"cp314t-*"}
    assert set(PROJECT["tool"]["cibuildwheel"]["build"]) == tags
    workflow = ROOT / ".github" / "workflows" / "tests.yml"
    if workflow.exists():
        (listed,) = re.findall(r"^ {8}python: \[(.*)\]$", workflow.read_text(), re.MULTILINE)
        assert set(re.findall(r'"(.+?)"', listed)) == named | {"3.14t"}


def test_files_that_wheels_are_tested_with_exist() -> None:
    command = PROJECT["tool"]["cibuildwheel"]["test-command"]
    files = re.findall(r"\{package\}/(tests/\S+\.py)", command)
    assert len(files) > 5
    assert [name for name in files if not (ROOT / name).exists()] == []
