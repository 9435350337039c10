"""The list of planted faults can be planted, and the script that plants them counts rightly.

Whether the tests find the faults takes half an hour: ``python3 dev.py mutants``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import mutation_check
import pytest
from mutation_check import Mutant, Result, Results

ROOT = Path(__file__).resolve().parents[1]
MUTANTS = mutation_check.read_lists()

TOY = """
import pytest

@pytest.mark.parametrize("n", range(3))
def test_many(n):
    assert n < 1

def test_right():
    pass

def test_wrong():
    assert False

def test_last():
    assert False
"""


@pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the sources are not here")
def test_no_mutant_is_stale() -> None:
    """Each replaces a text that is there once, and names tests that are there."""
    problems = {mutant.name: mutant.problem() for mutant in MUTANTS}
    assert {name: problem for name, problem in problems.items() if problem} == {}


def test_there_are_enough_of_all_kinds() -> None:
    assert len(MUTANTS) >= 40
    assert max(Counter(mutant.name for mutant in MUTANTS).values()) == 1
    areas = {"arena", "core", "engine", "kernels", "python", "search", "tables"}
    assert {mutant.area for mutant in MUTANTS} == areas
    assert all(mutant.least >= 1 and mutant.tests for mutant in MUTANTS)
    # What is no rule of play may be found by a single test.
    assert sum(mutant.least > 1 for mutant in MUTANTS) > 0.8 * len(MUTANTS)


def plugin_run(folder: Path, enough: int) -> tuple[list[str], str]:
    """Run the toy tests as the script runs tests; return what failed, and the output."""
    (folder / "test_toy.py").write_text(TOY, encoding="utf-8")
    failures = folder / "failures.txt"
    variables = {
        "PYTHONPATH": str(ROOT / "tests"),
        "MUTATION_ENOUGH": str(enough),
        "MUTATION_FAILURES": str(failures),
    }
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", "-p", "mutation_plugin", "-p", "no:cacheprovider",
         "--tb=no", "-q", "test_toy.py"],
        cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return failures.read_text(encoding="utf-8").splitlines(), done.stdout


def test_functions_count_once_and_the_run_ends_with_enough(tmp_path: Path) -> None:
    failed, output = plugin_run(tmp_path, 2)
    assert failed == ["test_toy.py::test_many[1]", "test_toy.py::test_wrong"]
    assert "2 failed, 2 passed, 1 skipped" in output


def test_all_failures_where_there_are_not_enough(tmp_path: Path) -> None:
    failed, _ = plugin_run(tmp_path, 9)
    assert [case.partition("::")[2] for case in failed] == [
        "test_many[1]", "test_wrong", "test_last"
    ]  # fmt: skip


def test_stale_mutants_say_why(tmp_path: Path) -> None:
    (tmp_path / "code.c").write_text("one two two", encoding="utf-8")
    (tmp_path / "test_it.py").write_text("def test_it():\n", encoding="utf-8")

    def problem(file: str = "code.c", old: str = "one", test: str = "test_it.py") -> str | None:
        return Mutant("name", "area", file, old, "three", (test,)).problem(tmp_path)

    assert problem() is None
    assert problem(test="test_it.py::test_it[3]") is None
    assert "no file" in str(problem(file="gone.c"))
    assert "2 times" in str(problem(old="two"))
    assert "0 times" in str(problem(old="four"))
    assert "no test" in str(problem(test="test_gone.py"))
    assert "no test" in str(problem(test="test_it.py::test_gone"))


@pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the sources are not here")
def test_what_was_caught_is_known_until_something_changes(tmp_path: Path) -> None:
    results, mutant = Results(tmp_path / "folder" / "results.json"), MUTANTS[0]
    assert results.known(mutant) is None
    results.add(Result(mutant.name, mutant.digest(), "caught", failures=["one", "two"]))
    again = Results(results.path)
    assert again.known(mutant) == results.by_name[mutant.name]
    again.add(Result(mutant.name, "another digest", "caught"))
    assert again.known(mutant) is None
    again.add(Result(mutant.name, mutant.digest(), "survived"))
    assert Results(results.path).known(mutant) is None


def test_the_summary_fails_where_one_survives(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results, chosen = Results(tmp_path / "results.json"), MUTANTS[:3]
    for mutant in chosen:
        results.add(Result(mutant.name, "", "caught"))
    assert mutation_check.summary(chosen, results, True) == 0
    assert "3 of 3 mutants caught" in capsys.readouterr().out
    for verdict in ("survived", "weak", "broken", "stale"):
        results.add(Result(chosen[1].name, "", verdict))
        assert mutation_check.summary(chosen, results, True) == 1
    results.add(Result(chosen[1].name, "", "left out"))
    assert mutation_check.summary(chosen, results, True) == 0
    assert mutation_check.summary(chosen, results, False) == 130
