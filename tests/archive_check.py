"""What must hold of a wheel and an sdist before anybody gets them.

``python3 dev.py dist`` calls it after it has built both; by itself, as workflows call it::

    python tests/archive_check.py [--build FOLDER] [--git] FILE...

Every file is a wheel or an sdist: nothing missing in it and nothing too much, small, with what an
index shows of it; and of a wheel's extension for Linux that it looks for libraries nowhere of its
own, needs none but the system's and exports one name. With an sdist beside them wheels must hold
just what it has of the package; with ``--git`` it must hold what git has. ``--build`` names the
folder that a wheel for x86-64 was built in: there no object but a kernel's own has an instruction
that not every x86-64 has, and the extension in the wheel has no more of them than these objects.

Only the standard library is needed; programs to look into binaries (binutils) where there are some.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from collections import Counter
from email.message import Message
from email.parser import Parser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "blokus_fast"
MOST_BYTES = 2_000_000

# What a wheel has beside the package.
DIST_INFO = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"}
# What is in the package's folder and only needed to build it.
BUILD_ONLY = (".pyx", ".pxi")
EXTENSION = re.compile(rf"{PACKAGE}/_core\.[\w.-]+\.(so|pyd)")

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
CLASSIFIERS = {
    *(f"Programming Language :: Python :: {version}" for version in VERSIONS),
    "Programming Language :: Python :: Free Threading :: 2 - Beta",
    "Programming Language :: Python :: Implementation :: CPython",
    "Operating System :: MacOS",
    "Operating System :: Microsoft :: Windows",
    "Operating System :: POSIX :: Linux",
    "Typing :: Typed",
}
FIELDS = {
    "Name": "blokus-fast",
    "License-Expression": "MIT",
    "Requires-Python": f">={VERSIONS[0]}",
    "Description-Content-Type": "text/markdown",
}

# Libraries that every Linux has, whichever C library is its own.
SYSTEM = re.compile(
    r"lib(c|m|pthread)\.so\.6|lib(pthread|m)\.so\.0|ld-linux-[\w-]+\.so\.\d|"
    r"libc\.(musl-[\w-]+\.)?so(\.1)?"
)


class ArchiveError(Exception):
    """What is wrong with an archive; a line each."""


# -- file lists ------------------------------------------------------------------------------------


def differences(found: set[str], wanted: set[str]) -> list[str]:
    """Say what is missing and what is too much."""
    lines = []
    if wanted - found:
        lines.append(f"missing: {', '.join(sorted(wanted - found))}")
    if found - wanted:
        lines.append(f"too much: {', '.join(sorted(found - wanted))}")
    return lines


def sdist_files(sdist: Path) -> set[str]:
    """Return the files of an sdist, without the folder that they are in."""
    with tarfile.open(sdist) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def package_files(files: set[str]) -> set[str]:
    """Return what a wheel must have of the files of an sdist."""
    return {
        name for name in files if name.startswith(f"{PACKAGE}/") and not name.endswith(BUILD_ONLY)
    }


def git_files() -> set[str]:
    """Return the files that git has here."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {name for name in listed.split("\0") if name and (ROOT / name).exists()}


# -- metadata --------------------------------------------------------------------------------------


def metadata_problems(text: str) -> list[str]:
    """Say what an index would not show, or show wrongly."""
    fields: Message = Parser().parsestr(text)
    lines = [
        f"metadata: {name} is {fields[name]!r}, not {value!r}"
        for name, value in FIELDS.items()
        if fields[name] != value
    ]
    if not (fields["Author"] or fields["Author-Email"]):
        lines.append("metadata: no author")
    description = fields.get_payload()
    if not description:
        lines.append("metadata: no description")
    lines += [
        f"metadata: a link of the description leads nowhere from an index: {link}"
        for link in links_to_files(str(description))
    ]
    lines += [
        f"metadata: Project-URL {url!r} is not a name and an address"
        for url in fields.get_all("Project-URL", [])
        if not re.fullmatch(r"[^,]+, https://\S+", url)
    ]
    lacking = CLASSIFIERS - set(fields.get_all("Classifier", []))
    return lines + [f"metadata: no classifier {name!r}" for name in sorted(lacking)]


def links_to_files(text: str) -> list[str]:
    """Return what a text in Markdown links to that is no address, code left out."""
    text = re.sub(r"^```.*?^```|`[^`]*`", "", text, flags=re.MULTILINE | re.DOTALL)
    targets = [
        *re.findall(r"\]\(\s*<?([^)\s>]*)", text),
        *re.findall(r"^ *\[[^]]+\]:\s*<?([^\s>]+)", text, flags=re.MULTILINE),
        *re.findall(r"""\b(?:src|srcset|href)\s*=\s*["']?([^"'\s>]*)""", text),
    ]
    return [each for each in targets if not re.match(r"https?://|mailto:|#", each)]


# -- binaries --------------------------------------------------------------------------------------


def printed(*command: str | Path) -> str:
    """Return what a program prints."""
    words = [str(word) for word in command]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def library_problems(library: Path) -> list[str]:
    """Say what of an ELF library ties it to the machine that it was built on."""
    lines = []
    dynamic = printed("readelf", "--dynamic", "--wide", library)
    lines += [
        f"the extension has a path of its own to look for libraries: {path}"
        for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic)
    ]
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    lines += [
        f"the extension needs {name}, which not every system has"
        for name in needed
        if not SYSTEM.fullmatch(name)
    ]
    names = printed("nm", "--dynamic", "--defined-only", "--format=posix", library)
    exported = {line.split()[0] for line in names.splitlines()} - {"_init", "_fini"}
    if exported != {"PyInit__core"}:
        lines.append(f"the extension exports {', '.join(sorted(exported)) or 'nothing'}")
    return lines


# Of the legacy encodings those that came with x86-64-v2, and what a newer one has else. `tzcnt`
# is missing: where it is not known, it does what the compiler wants of it all the same.
V2 = re.compile(
    r"popcnt|crc32|lddqu|mov(ddup|shdup|sldup)|h(add|sub)p[sd]|addsubp[sd]|"
    r"p(shufb|hadd|hsub|maddubs|mulhrs|sign|abs|alignr|blend|ext|ins|max[su][bdw]|min[su][bdw]|"
    r"mov[sz]x|mul(dq|ld)|test|cmp(eq|gt)q|cmp[ei]str|hmin|ackusdw)\w*|round[ps][sd]|"
    r"(blend|dp)v?p[sd]|extractps|insertps|movntdqa|mpsadbw"
)
IN_SSE2 = re.compile(r"p(extrw|insrw|max(sw|ub)|min(sw|ub))")
NEWER = re.compile(
    r"lzcnt|movbe|rd(rand|seed|pid|fsbase|gsbase)|ad[co]x|xsave\w*|sha\d\w*|aes\w+|pclmul\w*"
)
LEGACY_PREFIXES = {"26", "2e", "36", "3e", "64", "65", "67"}
LINE = re.compile(r"\s*[0-9a-f]+:\t((?:[0-9a-f]{2} )+)\s*\t(\w+)(?: (\w+))?")
KINDS = ("v2", "newer", "vex", "evex")


def instructions(file: Path) -> Counter[str]:
    """Count the instructions of an object or library that not every x86-64 has, by kind.

    ``v2``: of x86-64-v2. ``vex`` and ``evex``: in the encodings of AVX and AVX-512, whose masks
    count as the latter. ``newer``: in the old encoding, but not of v2.
    """
    found: Counter[str] = Counter()
    text = printed("objdump", "--disassemble", "--insn-width=16", file)
    for line in text.splitlines():
        match = LINE.match(line)
        if match is None:
            continue
        codes = match[1].split()
        while codes and codes[0] in LEGACY_PREFIXES:
            codes.pop(0)
        name = match[2]
        if name in ("rep", "repz", "lock", "data16", "addr32", "notrack") and match[3]:
            name = match[3]
        if codes[:1] == ["62"] or (codes[:1] in (["c4"], ["c5"]) and name.startswith("k")):
            found["evex"] += 1
        elif codes[:1] in (["c4"], ["c5"]):
            found["vex"] += 1
        elif V2.fullmatch(name) and not IN_SSE2.fullmatch(name):
            found["v2"] += 1
        elif NEWER.fullmatch(name):
            found["newer"] += 1
    return found


# What a kernel's own object may have, and one of which it has, or this check sees nothing.
ALLOWED = {
    "bf_kernel_v2": {"v2"},
    "bf_kernel_avx2": {"v2", "newer", "vex"},
    "bf_kernel_avx512": {"v2", "newer", "vex", "evex"},
}
EXPECTED = {"bf_kernel_v2": "v2", "bf_kernel_avx2": "vex", "bf_kernel_avx512": "evex"}


def check_objects(build: Path) -> Counter[str] | None:
    """See that no object has instructions of another level than its own; return their sum."""
    if not is_x86_64(build):
        print("not looked into: objects, which are not for x86-64, or there are no binutils")
        return None
    lines = []
    total: Counter[str] = Counter()
    objects = sorted(build.rglob("*.dir/**/*.o"))
    targets = set()
    for file in objects:
        target = next(part.removesuffix(".dir") for part in file.parts if part.endswith(".dir"))
        targets.add(target)
        found = instructions(file)
        total += found
        allowed = ALLOWED.get(target, set())
        lines += [
            f"{target}, {file.name}: {found[kind]} instructions of the kind {kind}"
            for kind in KINDS
            if found[kind] and kind not in allowed
        ]
        wanted = EXPECTED.get(target)
        if wanted and not found[wanted]:
            lines.append(f"{target}, {file.name}: no instruction of the kind {wanted}")
    lacking = {"_core", "bf_kernels_common", *ALLOWED} - targets
    if lacking:
        lines.append(f"no object of {', '.join(sorted(lacking))} in {build}")
    if lines:
        raise ArchiveError("\n".join(lines))
    kinds = ", ".join(f"{total[kind]} {kind}" for kind in KINDS)
    print(f"{len(objects)} objects, each of its own x86-64 level ({kinds} in the kernels')")
    return total


# -- archives --------------------------------------------------------------------------------------


def check_size(archive: Path) -> list[str]:
    """Say that an archive is too large."""
    size = archive.stat().st_size
    return [f"{size} bytes, more than {MOST_BYTES}"] if size > MOST_BYTES else []


def check_sdist(sdist: Path, listed: set[str] | None) -> None:
    """See that an sdist holds what git lists, and PKG-INFO."""
    files = sdist_files(sdist)
    lines = differences(files, listed | {"PKG-INFO"}) if listed is not None else []
    with tarfile.open(sdist) as archive:
        info = next(name for name in archive.getnames() if name.count("/") == 1
                    and name.endswith("/PKG-INFO"))  # fmt: skip
        read = archive.extractfile(info)
        assert read is not None
        lines += metadata_problems(read.read().decode())
    if lines:
        raise ArchiveError("\n".join(lines))
    print(f"{sdist.name}: {len(files)} files, {sdist.stat().st_size} bytes")


def check_wheel(wheel: Path, sources: set[str] | None, counted: Counter[str] | None) -> None:
    """See that a wheel holds the package, one extension, and nothing else."""
    lines = check_size(wheel)
    with zipfile.ZipFile(wheel) as archive:
        files = {name for name in archive.namelist() if not name.endswith("/")}
        info = "-".join(wheel.name.split("-")[:2]) + ".dist-info/"
        extensions = {name for name in files if EXTENSION.fullmatch(name)}
        if len(extensions) != 1:
            lines.append(f"{len(extensions)} extensions: {', '.join(sorted(extensions))}")
        if sources is not None:
            wanted = package_files(sources) | {info + name for name in DIST_INFO}
            lines += differences(files - extensions, wanted)
        if info + "METADATA" in files:
            lines += metadata_problems(archive.read(info + "METADATA").decode())
        with tempfile.TemporaryDirectory() as folder:
            for name in extensions:
                lines += look_into(Path(archive.extract(name, folder)), counted)
    if lines:
        raise ArchiveError("\n".join(lines))
    print(f"{wheel.name}: {len(files)} files, {wheel.stat().st_size} bytes")


def look_into(library: Path, counted: Counter[str] | None) -> list[str]:
    """Say what is wrong with an extension, as far as it can be read here."""
    if library.read_bytes()[:4] != b"\x7fELF":
        print(f"not looked into: {library.name} is for another system")
        return []
    if not all(map(shutil.which, ("readelf", "nm", "objdump"))):
        print(f"not looked into: {library.name}, since there are no binutils")
        return []
    lines = library_problems(library)
    if counted is not None:
        found = instructions(library)
        lines += [
            f"the extension has {found[kind]} instructions of the kind {kind}, and the objects "
            f"that it was made of {counted[kind]}"
            for kind in KINDS
            if found[kind] > counted[kind]
        ]
    return lines


def build_folder(build: Path, wheel: Path) -> Path:
    """Return the folder of a wheel's tags, where there is one, or the folder of all builds."""
    tags = "-".join(wheel.stem.split("-")[2:4])
    return next(iter(sorted(build.glob(f"{tags}-*"))), build)


def is_x86_64(build: Path) -> bool:
    """Whether objects are for the processors that have several kernels."""
    first = next(iter(sorted(build.rglob("*.dir/**/*.o"))), None)
    if first is None or shutil.which("objdump") is None or shutil.which("readelf") is None:
        return False
    return "X86-64" in printed("readelf", "--file-header", first)


def check(
    archives: list[Path], *, build: Path | None = None, listed: set[str] | None = None
) -> None:
    """Check wheels and sdists; raise SystemExit with all that is wrong.

    Parameters
    ----------
    archives : list of Path
        Wheels and at most one sdist.
    build : Path, optional
        Folder in which the wheels were built, or that has a folder for the tags of each.
    listed : set of str, optional
        Files that the sdist must have.
    """
    sdists = [file for file in archives if file.name.endswith(".tar.gz")]
    sources = sdist_files(sdists[0]) if sdists else None
    wrong: list[str] = []
    for file in archives:
        try:
            if file in sdists:
                check_sdist(file, listed)
            elif file.suffix == ".whl":
                counted = None
                if build is not None:
                    counted = check_objects(build_folder(build, file))
                check_wheel(file, sources, counted)
            else:
                raise ArchiveError("neither a wheel nor an sdist")
        except ArchiveError as error:
            wrong.append(f"{file.name}:\n{error}")
    if wrong:
        raise SystemExit("\n".join(wrong))


def main() -> None:
    """Check what the command line names."""
    parser = argparse.ArgumentParser(description="Check wheels and an sdist.")
    parser.add_argument("--build", type=Path, metavar="FOLDER", help="where a wheel was built")
    parser.add_argument("--git", action="store_true", help="compare the sdist with git's files")
    parser.add_argument("archives", type=Path, nargs="+", metavar="FILE")
    chosen = parser.parse_args()
    check(chosen.archives, build=chosen.build, listed=git_files() if chosen.git else None)


if __name__ == "__main__":
    main()
