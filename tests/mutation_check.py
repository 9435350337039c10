#!/usr/bin/env python3
"""Plant faults, one at a time, and see whether the tests find them.

``python tests/mutation_check.py [NAME …]`` copies the project to a folder of its own, builds it
there, and for every mutant in ``tests/mutants/*.toml`` replaces a piece of text, builds and
installs what changed, runs the tests that should notice, and puts the text back. The checkout is
left alone. A mutant is caught if as many test functions fail as it asks for: two for a rule. It may
also be caught by running for ever or by a crash; that is said. Results are kept in a file, so that
a run that was interrupted goes on where it was: what has not changed (the fault, the file that it
is in, and the tests that look for it) is not checked again.

It needs what the tests need, and to build: scikit-build-core, cython, cython-cmake, cmake, ninja.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.util
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import tomllib
import venv
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LISTS = Path(__file__).resolve().parent / "mutants"
PACKAGE = "blokus_fast"
# A fault may change what is fast: no test that looks at speed decides, so little is optimised.
C_FLAGS = "-O1"


class Interrupted(Exception):  # noqa: N818 - no error
    """The run is to end."""


# -- the list ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """A planted fault."""

    name: str
    area: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    least: int = 2
    needs: str = ""
    """A package without which the tests are skipped."""
    kernel: str = ""
    """A kernel that the CPU has to have."""

    def digest(self, root: Path = ROOT) -> str:
        """Return what a result depends on, as far as it can be told cheaply."""
        made = hashlib.sha256(repr(self).encode())
        for file in (self.file, *sorted({test.partition("::")[0] for test in self.tests})):
            made.update((root / file).read_bytes())
        return made.hexdigest()

    def problem(self, root: Path = ROOT) -> str | None:
        """Say why the fault cannot be planted, or return None."""
        path = root / self.file
        if not path.is_file():
            return f"stale: there is no file {self.file}"
        count = path.read_text(encoding="utf-8").count(self.old)
        if count != 1:
            return f"stale: its text is {count} times in {self.file}, not once"
        if self.old == self.new:
            return "stale: it changes nothing"
        for test in self.tests:
            file, _, function = test.partition("::")
            text = (root / file).read_text(encoding="utf-8") if (root / file).is_file() else ""
            if not text or (function and f"def {function.partition('[')[0]}(" not in text):
                return f"stale: there is no test {test}"
        return None


def read_lists(folder: Path = LISTS) -> list[Mutant]:
    """Read all mutants, by file and in the order in which they stand there."""
    found = []
    for path in sorted(folder.glob("*.toml")):
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]:
            entry["tests"] = tuple(f"tests/{test}" for test in entry["tests"])
            found.append(Mutant(area=path.stem, **entry))
    return found


# -- results -----------------------------------------------------------------------------------


@dataclass
class Result:
    """How a mutant fared."""

    name: str
    digest: str
    verdict: str
    """caught, survived, weak (too few tests), broken (does not build), stale or left out."""
    how: str = ""
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def is_good(self) -> bool:
        return self.verdict in ("caught", "left out")


class Results:
    """All results, in a file that is written after each."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = threading.Lock()
        self.by_name: dict[str, Result] = {}
        with contextlib.suppress(FileNotFoundError, ValueError, TypeError):
            for entry in json.loads(path.read_text(encoding="utf-8")):
                self.by_name[entry["name"]] = Result(**entry)

    def known(self, mutant: Mutant) -> Result | None:
        """Return the result of a mutant that was caught before, if nothing has changed."""
        result = self.by_name.get(mutant.name)
        if result is None or result.verdict != "caught" or result.digest != mutant.digest():
            return None
        return result

    def add(self, result: Result) -> None:
        with self.lock:
            self.by_name[result.name] = result
            self.path.parent.mkdir(parents=True, exist_ok=True)
            entries = [vars(self.by_name[name]) for name in sorted(self.by_name)]
            part = self.path.with_suffix(".part")
            part.write_text(json.dumps(entries, indent=1), encoding="utf-8")
            part.replace(self.path)


# -- a copy in which faults are planted ---------------------------------------------------------


class Workshop:
    """A copy of the project with an environment and a build folder of its own."""

    def __init__(self, folder: Path, stop: threading.Event, limit: float) -> None:
        self.folder = folder
        self.tree, self.build = folder / "tree", folder / "build"
        self.stop, self.limit = stop, limit
        self.kernels: list[str] = []
        programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        self.python = programs / "python"

    def set_up(self) -> None:
        """Copy, build and install; of a folder that was used before, what has changed."""
        self.copy_tree()
        if not self.python.exists():
            venv.create(self.folder / "venv", with_pip=False)
            # Everything but the package itself comes from the environment that runs this.
            paths = [path for path in sys.path if path.endswith("-packages")]
            (self.site() / "parent.pth").write_text("\n".join(paths) + "\n", encoding="utf-8")
        wheels = self.folder / "wheels"
        shutil.rmtree(wheels, ignore_errors=True)
        code, output = self.run(
            "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
            "--disable-pip-version-check", "-w", wheels, f"-Cbuild-dir={self.build}",
            f"-Ccmake.define.CMAKE_C_FLAGS_RELEASE={C_FLAGS}", self.tree,
        )  # fmt: skip
        if code:
            raise SystemExit(f"the project does not build:\n{output}")
        shutil.rmtree(self.site() / PACKAGE, ignore_errors=True)
        with zipfile.ZipFile(next(wheels.glob("*.whl"))) as archive:
            archive.extractall(self.site())
        _, output = self.run(
            "-P", "-c", f"import {PACKAGE} as bf; print(*bf.cpu_info()['supported'])"
        )
        self.kernels = output.split()

    def site(self) -> Path:
        """Return where the copy's environment has its packages."""
        base = str(self.folder / "venv")
        return Path(sysconfig.get_path("purelib", "venv", {"base": base, "platbase": base}))

    def copy_tree(self) -> None:
        """Make the copy what the checkout is: files that git knows or would, and no others."""
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, check=True,
        ).stdout.decode()  # fmt: skip
        names = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
        for path in [path for path in self.tree.rglob("*") if path.is_file()]:
            if path.relative_to(self.tree).as_posix() not in names:
                path.unlink()
        for name in names:
            copy = self.tree / name
            # A file whose time changes is compiled anew.
            if not copy.exists() or copy.read_bytes() != (ROOT / name).read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, copy)

    def run(self, *words: str | Path, limit: float = 1800, **variables: str) -> tuple[int, str]:
        """Run Python; return exit code and output, or raise TimeoutExpired."""
        return self.run_program(self.python, *words, limit=limit, **variables)

    def run_program(
        self, *words: str | Path, limit: float = 1800, **variables: str
    ) -> tuple[int, str]:
        """Run a program in the copy, with everything that it starts ended when it ends."""
        # Cython and ninja are looked for beside the Python that runs this.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        variables = {**os.environ, "PATH": path, **variables}
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                [str(word) for word in words], cwd=self.tree, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, env=variables,
                start_new_session=True,
            )  # fmt: skip
            try:
                end = time.monotonic() + limit
                while process.poll() is None:
                    if self.stop.is_set():
                        raise Interrupted
                    if time.monotonic() > end:
                        raise subprocess.TimeoutExpired(process.args, limit)
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(0.2)
            finally:
                with contextlib.suppress(OSError):
                    if os.name == "nt":
                        process.kill()
                    else:
                        os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            output.seek(0)
            return process.returncode, output.read().decode("utf-8", "replace")

    @contextlib.contextmanager
    def planted(self, mutant: Mutant) -> Iterator[None]:
        """Have the fault in the copy; nothing is built here."""
        path = self.tree / mutant.file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(text, encoding="utf-8")

    def install(self) -> str | None:
        """Build and install what has changed; return what went wrong."""
        cache = (self.build / "CMakeCache.txt").read_text(encoding="utf-8")
        found = re.search(r"^CMAKE_COMMAND:INTERNAL=(.*)$", cache, re.MULTILINE)
        assert found is not None
        code, output = self.run_program(found[1], "--build", self.build)
        if code:
            return output
        for path in (self.tree / PACKAGE).rglob("*"):
            if path.suffix in (".py", ".h", ".js", ".css", ".html", ".pyi", ".pxd"):
                copy = self.site() / path.relative_to(self.tree)
                if not copy.exists() or copy.read_bytes() != path.read_bytes():
                    shutil.copyfile(path, copy)
        for path in self.build.glob("_core*"):
            if path.suffix in (".so", ".pyd"):
                copy = self.site() / PACKAGE / path.name
                # Another file, not another content: the old one may still be mapped somewhere.
                copy.unlink(missing_ok=True)
                shutil.copy(path, copy)
        return None

    def test(self, tests: Iterable[str], enough: int) -> tuple[str, list[str]]:
        """Run tests until enough functions have failed; return how it went, and the failures."""
        failures = self.folder / "failures.txt"
        failures.write_text("", encoding="utf-8")
        how = ""
        try:
            code, output = self.run(
                "-P", "-B", "-m", "pytest", "-m", "not slow", "-q", "--no-header", "--tb=no",
                "-p", "mutation_plugin", "-p", "no:cacheprovider",
                "--continue-on-collection-errors", *tests,
                limit=self.limit, PYTHONPATH=str(self.tree / "tests"),
                MUTATION_ENOUGH=str(enough), MUTATION_FAILURES=str(failures),
            )  # fmt: skip
            if code < 0 or code > 128:
                how = f"crash ({code})"
            elif code > 2:
                raise SystemExit(f"pytest does not run:\n{output}")
        except subprocess.TimeoutExpired:
            how = f"no end within {self.limit:.0f} s"
        return how, failures.read_text(encoding="utf-8").splitlines()


def check(workshop: Workshop, mutant: Mutant, whole: bool) -> Result:
    """Plant one fault and look for it."""
    begin = time.monotonic()
    result = Result(mutant.name, mutant.digest(workshop.tree), "survived")
    if mutant.kernel and mutant.kernel not in workshop.kernels:
        result.verdict, result.how = "left out", f"left out: this CPU has no {mutant.kernel}"
        return result
    with workshop.planted(mutant):
        wrong = workshop.install()
        if wrong is not None:
            result.verdict, result.how = "broken", wrong[-2000:]
        else:
            result.how, result.failures = workshop.test(mutant.tests, mutant.least)
            if whole and not result.how and len(result.failures) < mutant.least:
                result.how, result.failures = workshop.test((), mutant.least)
            if result.how or len(result.failures) >= mutant.least:
                result.verdict = "caught"
            elif result.failures:
                result.verdict = "weak"
    result.seconds = round(time.monotonic() - begin, 1)
    return result


# -- the run -----------------------------------------------------------------------------------


def line_of(mutant: Mutant, result: Result, note: str = "") -> str:
    """Return the line that says how a mutant fared."""
    what = {
        "caught": f"caught by {result.how or plural(len(result.failures))}",
        "survived": "SURVIVED",
        "weak": f"WEAK: {plural(len(result.failures))} instead of {mutant.least}",
        "broken": f"DOES NOT BUILD\n{result.how}",
        "stale": result.how.upper(),
        "left out": result.how,
    }[result.verdict]
    return f"{mutant.area:8} {mutant.name:44} {what}{note}"


def plural(n: int) -> str:
    return f"{n} test" if n == 1 else f"{n} tests"


def work(
    workshop: Workshop, todo: queue.SimpleQueue[Mutant], results: Results, whole: bool
) -> None:
    """Check mutants until there are no more."""
    workshop.set_up()
    with contextlib.suppress(queue.Empty):
        while not workshop.stop.is_set():
            mutant = todo.get_nowait()
            result = check(workshop, mutant, whole)
            results.add(result)
            print(line_of(mutant, result, f"  ({result.seconds:.0f} s)"), flush=True)


def run_all(
    chosen: list[Mutant], results: Results, folder: Path, jobs: int, limit: float, whole: bool
) -> bool:
    """Check mutants in as many workshops as there are jobs; say whether it came to its end."""
    todo: queue.SimpleQueue[Mutant] = queue.SimpleQueue()
    for mutant in chosen:
        todo.put(mutant)
    stop = threading.Event()
    problems: list[BaseException] = []
    workshops = [Workshop(folder / str(job), stop, limit) for job in range(min(jobs, len(chosen)))]

    def labour(workshop: Workshop) -> None:
        try:
            work(workshop, todo, results, whole)
        except BaseException as error:  # told to the main thread
            problems.append(error)
            stop.set()

    threads = [threading.Thread(target=labour, args=(workshop,)) for workshop in workshops]
    print(f"building {plural(len(workshops)).replace('test', 'copy')} in {folder}", flush=True)
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive():
                thread.join(0.2)
        if not problems:
            sift(workshops[0], chosen, results)
    except (KeyboardInterrupt, Interrupted):
        print("interrupted: the same command goes on from here", flush=True)
        return False
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    for problem in problems:
        if not isinstance(problem, Interrupted):
            raise problem
    return not problems


def sift(workshop: Workshop, chosen: list[Mutant], results: Results) -> None:
    """Run what failed once more without any fault: what fails then as well has caught nothing."""
    cases = sorted({case for m in chosen for case in results.by_name[m.name].failures})
    if not cases:
        return
    wrong = workshop.install()
    if wrong is not None:
        raise SystemExit(f"the project does not build any more:\n{wrong}")
    print(f"running the {plural(len(cases))} that failed without any fault", flush=True)
    limit, workshop.limit = workshop.limit, 1800.0
    how, failures = workshop.test(cases, len(cases) + 1)
    workshop.limit = limit
    if how:
        raise SystemExit(f"without any fault: {how}")
    for mutant in chosen:
        result = results.by_name[mutant.name]
        left = [case for case in result.failures if case not in failures]
        if left != result.failures:
            result.failures = left
            if not result.how and len(left) < mutant.least:
                result.verdict = "weak" if left else "survived"
            results.add(result)
    for case in failures:
        print(f"!!! fails without any fault as well, and does not count: {case}", flush=True)


def choose(parser: argparse.ArgumentParser, names: list[str]) -> list[Mutant]:
    """Return the mutants that are named, by name or area; all if none is."""
    mutants = read_lists()
    known = {mutant.name for mutant in mutants} | {mutant.area for mutant in mutants}
    for name in names:
        if name not in known:
            parser.error(f"there is no mutant and no area {name!r}; see --list")
    return [m for m in mutants if not names or m.name in names or m.area in names]


def main() -> int:
    """Read the arguments and check the mutants."""
    parser = argparse.ArgumentParser(
        prog="mutation_check", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("names", nargs="*", metavar="NAME", help="mutants or areas; default: all")
    parser.add_argument("--list", action="store_true", help="name the mutants, and check none")
    parser.add_argument("--jobs", type=int, default=1, help="copies to work in (%(default)s)")
    parser.add_argument("--again", action="store_true", help="check what was caught before, too")
    parser.add_argument(
        "--whole",
        action="store_true",
        help="run all tests where the listed ones find nothing",
    )
    parser.add_argument(
        "--limit", type=float, default=240, help="seconds for the tests of one (%(default)s)"
    )
    parser.add_argument("--work", type=Path, help="folder to build in, and to leave (a new one)")
    parser.add_argument(
        "--results", type=Path, default=ROOT / "build" / "mutants.json",
        help="file of the results (build/mutants.json)",
    )  # fmt: skip
    arguments = parser.parse_args()
    # Whoever ends this, ends what it has started as well.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if arguments.jobs < 1:
        parser.error("--jobs must be at least 1")
    chosen = choose(parser, arguments.names)
    if arguments.list:
        for mutant in chosen:
            print(f"{mutant.area:8} {mutant.name:44} {mutant.file}")
        return 0
    results = Results(arguments.results)
    todo = []
    for mutant in chosen:
        problem = mutant.problem()
        missing = mutant.needs and importlib.util.find_spec(mutant.needs) is None
        known = None if problem or missing or arguments.again else results.known(mutant)
        if problem:
            results.add(Result(mutant.name, "", "stale", problem))
        elif missing:
            results.add(Result(mutant.name, "", "left out", f"left out: no {mutant.needs} here"))
        elif known is None:
            todo.append(mutant)
            continue
        print(line_of(mutant, results.by_name[mutant.name], "  (known)" if known else ""))
    ended = True
    if todo:
        kept = contextlib.nullcontext(arguments.work)
        with tempfile.TemporaryDirectory() if arguments.work is None else kept as folder:
            ended = run_all(
                todo, results, Path(folder).resolve(), arguments.jobs, arguments.limit,
                arguments.whole,
            )  # fmt: skip
    return summary(chosen, results, ended)


def summary(chosen: list[Mutant], results: Results, ended: bool) -> int:
    """Print how it ended; return the exit code."""
    found = [(m, results.by_name[m.name]) for m in chosen if m.name in results.by_name]
    bad = [(mutant, result) for mutant, result in found if not result.is_good]
    caught = sum(result.verdict == "caught" for _, result in found)
    print(f"\n{caught} of {len(chosen)} mutants caught")
    for mutant, result in bad:
        print(line_of(mutant, result))
    if not ended:
        return 130
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
