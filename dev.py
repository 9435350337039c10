#!/usr/bin/env python3
"""The project's commands: each makes or updates its own environment, then does its job.

``python3 dev.py play``   build and install, then show a whole game between two bots
``python3 dev.py python`` build and install, then start Python with the package
``python3 dev.py test``   build and install, then run the tests
``python3 dev.py lint``   ruff, mypy --strict, stubs, and a build in which warnings are errors
``python3 dev.py dist``   build sdist and wheel, look into them, test the wheel in a clean folder
``python3 dev.py acceptance`` a wheel for each ``--python``, and all it is for, from an empty folder
``python3 dev.py cross``  compile the C with clang, and for Windows, macOS and musl with zig
``python3 dev.py ctest``  kernels and engine with sanitizers: their tests in C, and a fuzz target
``python3 dev.py aarch64`` the same for 64-bit ARM, by a cross compiler and qemu-user
``python3 dev.py gate``   measure the speed and compare it with what is recorded (benchmarks/gate)
``python3 dev.py docs``   build the site of the documentation in build/docs, warnings are errors
``python3 dev.py mutants`` plant faults and see the tests find them (tests/mutation_check.py)

The environment is ``.venv`` beside this file, or the folder that BLOKUS_FAST_VENV names. Only the
standard library is needed to start, and a C compiler to build. What stands behind the command is
handed on: ``python3 dev.py play --variant duo``, ``python3 dev.py test -k perft``. The tests in C
take ``--fuzz SECONDS``, which is 20 unless it is said, and 0 for none.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PACKAGE = "blokus_fast"

# What an installation is made of: as long as these are unchanged, it need not be made again.
INGREDIENTS = ("CMakeLists.txt", "pyproject.toml", "README.md", "blokus_fast", "cmake", "src")

# The extras that commands need; each holds those before it.
EXTRAS = ("cli", "test", "dev")

# What the tests need beside the installed package.
CLEAN_FOLDER = (
    "tests", "docs", "examples", "benchmarks",
    "pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md",
)  # fmt: skip


# A process for each core, and one more, since some tests wait. A file's tests stay in one of them:
# they share what is made for them. What is asked for behind it counts: `-n 0` for one process.
IN_PARALLEL = ("-n", str((os.cpu_count() or 1) + 1), "--dist", "loadfile")


def run(*command: str | Path, cwd: Path = ROOT, **variables: str) -> None:
    """Run a command, show it, and stop when it fails."""
    words = [str(word) for word in command]
    print("$", " ".join(words), flush=True)
    # Ctrl-C reaches the command as well: it may finish what it has to say before this one ends.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        done = subprocess.run(words, cwd=cwd, env={**os.environ, **variables}, check=False)
    finally:
        signal.signal(signal.SIGINT, before)
    if done.returncode in (130, -signal.SIGINT):
        raise SystemExit(130)
    if done.returncode:
        raise SystemExit(f"failed with exit code {done.returncode}: {' '.join(words)}")


def environment(folder: Path) -> Path:
    """Make a virtual environment where there is none; return the folder of its programs."""
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    if not (folder / "pyvenv.cfg").exists():
        print(f"making a virtual environment in {folder}", flush=True)
        try:
            venv.create(folder, with_pip=True)
        except BaseException as error:
            # Half an environment would be taken for a whole one the next time.
            shutil.rmtree(folder, ignore_errors=True)
            if not isinstance(error, subprocess.CalledProcessError):
                raise
            raise SystemExit(
                "this Python cannot make a virtual environment; on Debian and Ubuntu install the "
                "package python3-venv"
            ) from None
    return programs


def default_environment() -> Path:
    """Return the programs of the environment that the commands share."""
    return environment(Path(os.environ.get("BLOKUS_FAST_VENV", ROOT / ".venv")))


def pip_install(programs: Path, *what: str) -> None:
    """Install into an environment, quietly but for errors."""
    run(
        programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what
    )


def fingerprint() -> str:
    """Return a digest of everything that an installation is made of."""
    digest = hashlib.sha256(sys.version.encode())
    for part in INGREDIENTS:
        found = ROOT / part
        for file in sorted(found.rglob("*")) if found.is_dir() else [found]:
            if file.is_file() and file.suffix not in (".pyc", ".so"):
                digest.update(f"\0{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def install(extra: str) -> Path:
    """Build and install the project with an extra, if anything changed; return the programs."""
    programs = default_environment()
    stamps = {name: programs.parent / f"blokus-fast-{name}.stamp" for name in EXTRAS}
    now = fingerprint()
    for name in EXTRAS[EXTRAS.index(extra) :]:
        if stamps[name].exists() and stamps[name].read_text() == now:
            return programs
    compilers = (os.environ.get("CC", "").split(" ")[0], "cc", "gcc", "clang")
    if os.name != "nt" and not any(map(shutil.which, compilers)):
        raise SystemExit(
            "no C compiler found: install one (Debian and Ubuntu: the package build-essential; "
            "macOS: xcode-select --install), or name it in the variable CC"
        )
    print("building and installing; this takes a minute or so the first time", flush=True)
    for stamp in stamps.values():
        stamp.unlink(missing_ok=True)
    pip_install(programs, f"{ROOT}[{extra}]")
    stamps[extra].write_text(now)
    return programs


def play(arguments: list[str]) -> None:
    """Install with the command line and play a game."""
    programs = install("cli")
    chosen = arguments or ["--bots", "greedy,random,greedy,random", "--seed", "1", "--show"]
    if not arguments and sys.stdout.isatty():
        chosen += ["--delay", "0.1"]
    run(programs / "blokus-fast", "play", *chosen)


def python(arguments: list[str]) -> None:
    """Install with the command line and start Python."""
    # -P: beside the sources, Python would otherwise import them, which have no compiled core.
    run(install("cli") / "python", "-P", *arguments)


def test(arguments: list[str]) -> None:
    """Install with the tests' needs and run the tests."""
    programs = install("test")
    run(programs / "pytest", *IN_PARALLEL, *arguments)


def lint(arguments: list[str]) -> None:
    """Check style, types, stubs and warnings."""
    programs = install("dev")
    run(programs / "ruff", "check", ".")
    run(programs / "ruff", "format", "--check", ".")
    run(programs / "mypy")
    run(programs / "mypy", "examples")
    run(
        programs / "mypy",
        *(
            f"benchmarks/{part}"
            for part in (
                "gating", "comparing", "matching", "batching", "environments", "soaking",
                "searching", "selfplaying", "arena_costs",
            )
        ),
    )  # fmt: skip
    for script in ("growth", "native", "aarch64", "python_calls"):
        run(programs / "mypy", f"benchmarks/{script}")
    run(programs / "mypy", "training")
    run(
        programs / "mypy",
        "cmake/description.py",
        "tests/acceptance.py",
        "tests/acceptance_steps.py",
        "tests/archive_check.py",
        "tests/mutation_check.py",
        "tests/mutation_plugin.py",
    )
    run(
        programs / "python", "-P", "-m", "mypy.stubtest", f"{PACKAGE}._core",
        "--allowlist", "tests/stubtest_allowlist.txt", "--ignore-unused-allowlist",
        # The package names modules of its own whose libraries have no types, or are not there.
        "--mypy-config-file", "pyproject.toml",
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        # A build of its own: every file is compiled, so no warning hides in an old object.
        run(
            programs / "python", "-m", "pip", "wheel", "--quiet", "--no-deps",
            "--disable-pip-version-check", "-w", folder,
            f"-Cbuild-dir={folder}/build", "-Ccmake.define.BLOKUS_FAST_WERROR=ON", ".",
        )  # fmt: skip
    print("no warning from Cython or the C compiler")


def source_date() -> str:
    """Return the time that goes into archives: what is asked for, or that of the last commit."""
    asked = os.environ.get("SOURCE_DATE_EPOCH")
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return asked or "1767225600"
    return asked or done.stdout.strip() or "1767225600"


def build_archives(programs: Path, folder: Path) -> tuple[Path, Path]:
    """Build sdist and, from it, the wheel; then both once more, from here, for the same bytes."""
    build = [programs / "python", "-m", "build"]
    date = source_date()
    run(
        *build, "--outdir", folder / "dist", f"-Cbuild-dir={folder}/build", ".",
        SOURCE_DATE_EPOCH=date,
    )  # fmt: skip
    run(
        *build, "--sdist", "--wheel", "--outdir", folder / "again",
        f"-Cbuild-dir={folder}/elsewhere/build", ".", SOURCE_DATE_EPOCH=date,
    )  # fmt: skip
    (wheel,) = (folder / "dist").glob("*.whl")
    (sdist,) = (folder / "dist").glob("*.tar.gz")
    for file in (wheel, sdist):
        if (folder / "again" / file.name).read_bytes() != file.read_bytes():
            raise SystemExit(f"{file.name}: another build, and other bytes")
    print("built twice, from the sdist and from here: the same bytes")
    return wheel, sdist


def dist(arguments: list[str]) -> None:
    """Build sdist and, from it, the wheel; check both; run the tests in a clean folder."""
    programs = default_environment()
    pip_install(programs, "build")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel, sdist = build_archives(programs, folder)
        git = ["--git"] if (ROOT / ".git").exists() else []
        run(
            programs / "python", ROOT / "tests" / "archive_check.py",
            "--build", folder / "build", *git, sdist, wheel,
        )  # fmt: skip
        # Where it counts, a step that cannot be done is no excuse.
        strict = ["--no-skips"] if os.environ.get("CI") else []
        run(sys.executable, ROOT / "tests" / "acceptance.py", *strict, wheel)
        clean = environment(folder / "venv")
        pip_install(clean, f"{wheel}[test]")
        for part in CLEAN_FOLDER:
            source = ROOT / part
            copy = shutil.copytree if source.is_dir() else shutil.copy
            (folder / "clean").mkdir(exist_ok=True)
            copy(source, folder / "clean" / part)
        run(clean / "pytest", *IN_PARALLEL, *arguments, cwd=folder / "clean")


def acceptance(arguments: list[str]) -> None:
    """Build a wheel for each Python that is named, and do with it what it is for."""
    parser = argparse.ArgumentParser(
        prog="dev.py acceptance", epilog="Other arguments go to tests/acceptance.py."
    )
    parser.add_argument(
        "--python", action="append", help="a program, and again for another one; default: this one"
    )
    chosen, rest = parser.parse_known_args(arguments)
    pythons: list[str] = chosen.python or [sys.executable]
    for python in pythons:
        if shutil.which(python) is None:
            raise SystemExit(f"--python {python}: there is no such program")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, python in enumerate(pythons):
            build = folder / str(number)
            try:
                run(python, "-m", "venv", build / "venv")
                run(
                    build / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python", "-m",
                    "pip", "wheel", "--quiet", "--no-deps", "--disable-pip-version-check",
                    f"-Cbuild-dir={build}/build", "-w", folder, ROOT,
                    # An older numpy where the newest has no binaries: to build one takes long.
                    PIP_ONLY_BINARY="numpy,cython,cmake,ninja",
                )  # fmt: skip
            except SystemExit as error:
                if error.code == 130:
                    raise
                # The others shall have their turn all the same; this one is missed below.
                print(f"no wheel for {python}: {error}", flush=True)
        wheels = sorted(folder.glob("*.whl"))
        if not wheels:
            raise SystemExit("no wheel could be built")
        named = [word for python in pythons for word in ("--python", python)]
        run(sys.executable, ROOT / "tests" / "acceptance.py", *wheels, *named, *rest)


# What else the C is compiled for: system and processor as CMake calls them, by zig's name.
OTHER_SYSTEMS = {
    "x86_64-windows-gnu": ("Windows", "AMD64"),
    "aarch64-windows-gnu": ("Windows", "ARM64"),
    "x86_64-macos": ("Darwin", "x86_64"),
    "aarch64-macos": ("Darwin", "arm64"),
    "x86_64-linux-musl": ("Linux", "x86_64"),
    "aarch64-linux-musl": ("Linux", "aarch64"),
}


def zig_compiler() -> Path | None:
    """Return the program zig, whose compiler knows all systems; None if it cannot be had."""
    programs = default_environment()
    try:
        pip_install(programs, "--only-binary", ":all:", "ziglang>=0.13")
    except SystemExit as error:
        print(error, flush=True)
        return None
    command = [programs / "python", "-c", "import ziglang; print(ziglang.__path__[0])"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return Path(found, "zig.exe" if os.name == "nt" else "zig")


def cross(arguments: list[str]) -> None:
    """Compile kernels, engine and search with other compilers, and for other systems."""
    wanted = arguments or list(OTHER_SYSTEMS)
    unknown = [name for name in wanted if name not in OTHER_SYSTEMS]
    if unknown:
        raise SystemExit(f"unknown {', '.join(unknown)}: choose from {', '.join(OTHER_SYSTEMS)}")
    path, folder = with_cmake(), ROOT / "build" / "cross"
    skipped = []
    if shutil.which("clang"):
        build_c_tests(folder / "clang", "bf_objects", path, "", "-DCMAKE_C_COMPILER=clang")
    else:
        skipped.append("clang, which is not here")
    zig = zig_compiler()
    for name in wanted if zig else ():
        system, processor = OTHER_SYSTEMS[name]
        build_c_tests(
            folder / name, "bf_objects", path, "",
            f"-DCMAKE_SYSTEM_NAME={system}", f"-DCMAKE_SYSTEM_PROCESSOR={processor}",
            f"-DCMAKE_C_COMPILER={zig};cc", f"-DCMAKE_C_COMPILER_TARGET={name}",
            # Programs would need the systems' libraries, which zig would first have to build.
            "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY", "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1",
        )  # fmt: skip
    if zig is None:
        skipped.append(f"{', '.join(wanted)}: zig is not here (Python's package ziglang)")
    for what in skipped:
        print(f"!!! skipped: {what}")


def gate(arguments: list[str]) -> None:
    """Install and run the speed gate."""
    programs = install("test")
    if shutil.which("cmake") is None:
        pip_install(programs, "cmake")
    path = os.pathsep.join([str(programs), os.environ.get("PATH", os.defpath)])
    run(programs / "python", ROOT / "benchmarks" / "gate", *arguments, PATH=path)


def with_cmake() -> str:
    """Return a PATH on which CMake is, installed in the shared environment if need be."""
    path = os.environ.get("PATH", os.defpath)
    if shutil.which("cmake") is not None:
        return path
    programs = default_environment()
    pip_install(programs, "cmake")
    return os.pathsep.join([str(programs), path])


def has_libfuzzer() -> bool:
    """Whether clang is there, with the libraries that a fuzz target is linked with."""
    clang = shutil.which("clang")
    if clang is None:
        return False
    with tempfile.TemporaryDirectory() as name:
        source = Path(name, "target.c")
        source.write_text("int LLVMFuzzerTestOneInput(void) { return 0; }\n")
        command = [clang, "-fsanitize=fuzzer,address", str(source), "-o", str(Path(name, "target"))]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


CTEST = ("--output-on-failure", "-j", str(os.cpu_count() or 1))


def build_c_tests(folder: Path, target: str, path: str, sanitizers: str, *options: str) -> None:
    """Build targets of the tests in C, separated by blanks, with warnings as errors."""
    configure: list[str | Path] = [
        "cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
        "-DSKBUILD_PROJECT_NAME=blokus_fast", "-DSKBUILD_PROJECT_VERSION=0",
        "-DBLOKUS_FAST_C_TESTS=ON", "-DBLOKUS_FAST_WERROR=ON",
        f"-DBLOKUS_FAST_SANITIZE={sanitizers}", f"-DPython_EXECUTABLE={sys.executable}", *options,
    ]  # fmt: skip
    if shutil.which("ninja", path=path) and not (folder / "CMakeCache.txt").exists():
        configure += ["-G", "Ninja"]
    run(*configure, PATH=path)
    jobs = str(os.cpu_count() or 1)
    run("cmake", "--build", folder, "--parallel", jobs, "--target", *target.split(), PATH=path)


def ctest(arguments: list[str]) -> None:
    """Build and run the tests in C under sanitizers, then the fuzz target for some seconds."""
    parser = argparse.ArgumentParser(prog="dev.py ctest", description=ctest.__doc__)
    parser.add_argument("--fuzz", type=int, default=20, metavar="SECONDS", help="default: 20")
    seconds = parser.parse_args(arguments).fuzz
    path = with_cmake()
    tests, fuzz = ROOT / "build" / "c-tests", ROOT / "build" / "c-fuzz"
    build_c_tests(tests, "all", path, "address;undefined")
    run("ctest", "--test-dir", tests, *CTEST, PATH=path)
    # No program can have both: what several threads do to one tree, once more.
    threads = ROOT / "build" / "c-threads"
    build_c_tests(threads, "test_search", path, "thread")
    run(threads / "test_search", "threads")
    if seconds <= 0:
        return
    if not has_libfuzzer():
        print("no clang with libFuzzer: random inputs instead (Debian: clang, libclang-rt-14-dev)")
        run(tests / "fuzz_engine", "--seconds", str(seconds))
        return
    build_c_tests(
        fuzz, "fuzz_engine", path, "address;undefined;fuzzer-no-link", "-DCMAKE_C_COMPILER=clang"
    )
    # What is found is kept, so that the next run goes on from there.
    corpus = fuzz / "corpus"
    corpus.mkdir(exist_ok=True)
    run(tests / "fuzz_engine", "--corpus", corpus)
    command = [
        fuzz / "fuzz_engine", f"-max_total_time={seconds}", "-max_len=600", "-timeout=60",
        "-verbosity=0", "-print_final_stats=1", f"-artifact_prefix={fuzz}/broken-", corpus,
    ]  # fmt: skip
    print("$", *command, flush=True)
    with subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True) as fuzzer:
        for line in fuzzer.stderr or ():
            # Byte strings that it would like to be told the next time; the corpus keeps more.
            if not line.startswith(('"', "###### ")):
                print(line, end="", flush=True)
    if fuzzer.returncode:
        raise SystemExit(f"the fuzz target stopped with exit code {fuzzer.returncode}")
    print("nothing broken")


def docs(arguments: list[str]) -> None:
    """Install what the site is made with, build it, and look whether its links lead somewhere."""
    import tomllib

    programs, site = install("test"), ROOT / "build" / "docs"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pip_install(programs, *project["optional-dependencies"]["docs"])
    shutil.rmtree(site, ignore_errors=True)
    run(
        programs / "python", "-P", "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going",
        "--fresh-env", "--doctree-dir", ROOT / "build" / "doctrees", *arguments,
        ROOT / "docs", site,
    )  # fmt: skip
    run(programs / "python", ROOT / "docs" / "check_site.py", site)


# What the tests for 64-bit ARM need, and the packages of Debian that have it.
AARCH64_TOOLS = {
    "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    "qemu-aarch64": "qemu-user",
}
# Under qemu-user, two of the tests of the search take minutes; the others reach the same kernels.
AARCH64_LEFT_OUT = "search_(playouts|threads)"
# With sanitizers, those that ask the kernels.
AARCH64_SANITIZED = "games_(actions|worth|playouts|evaluation)|test_perft|fuzz_random"


def aarch64(arguments: list[str]) -> None:
    """Build for 64-bit ARM by a cross compiler, and let qemu-user run the tests in C, and count."""
    parser = argparse.ArgumentParser(prog="dev.py aarch64", description=aarch64.__doc__)
    parser.parse_args(arguments)
    missing = [tool for tool in AARCH64_TOOLS if shutil.which(tool) is None]
    packages = " ".join(AARCH64_TOOLS[tool] for tool in missing)
    if "aarch64-linux-gnu-gcc" in missing:
        print(f"!!! no {' and no '.join(missing)}: nothing is built or run for 64-bit ARM "
              f"(Debian: {packages})")  # fmt: skip
        return
    path = with_cmake()
    plain, sanitized = ROOT / "build" / "aarch64", ROOT / "build" / "aarch64-sanitized"
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / 'aarch64.cmake'}"
    # As a wheel is built, so that instructions mean something.
    build_c_tests(
        plain, "all", path, "", toolchain, "-DCMAKE_BUILD_TYPE=Release", "-DBLOKUS_FAST_BENCH=ON"
    )
    build_c_tests(
        sanitized, "test_games test_perft fuzz_engine", path, "address;undefined", toolchain
    )
    if missing:
        print(f"!!! no qemu-aarch64: what was built for 64-bit ARM is not run (Debian: {packages})")
        return
    run("ctest", "--test-dir", plain, *CTEST, "-E", AARCH64_LEFT_OUT, PATH=path)
    # The search for leaks looks at the process from outside, which qemu-user cannot offer.
    run(
        "ctest", "--test-dir", sanitized, *CTEST, "-R", AARCH64_SANITIZED, PATH=path,
        ASAN_OPTIONS="detect_leaks=0",
    )  # fmt: skip
    run(sys.executable, ROOT / "benchmarks" / "aarch64", plain, PATH=path)


def mutants(arguments: list[str]) -> None:
    """Install what tests and builds need, and plant faults."""
    programs, path = install("test"), with_cmake()
    pip_install(programs, "scikit-build-core", "cython", "cython-cmake", "ninja")
    run(programs / "python", ROOT / "tests" / "mutation_check.py", *arguments, PATH=path)


COMMANDS = {
    "play": play, "python": python, "test": test, "lint": lint, "dist": dist,
    "acceptance": acceptance, "cross": cross, "ctest": ctest, "aarch64": aarch64,
    "docs": docs, "gate": gate, "mutants": mutants,
}  # fmt: skip


def main() -> None:
    """Read the command and do it."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file may be run by any Python
        raise SystemExit(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=COMMANDS, metavar="command", help=", ".join(COMMANDS))
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="handed on to the job")
    if len(sys.argv) == 1:
        parser.print_help()
        raise SystemExit(2)
    chosen = parser.parse_args()
    COMMANDS[chosen.command](chosen.arguments)


if __name__ == "__main__":
    main()
