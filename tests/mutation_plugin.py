"""What `mutation_check.py` loads into pytest: failures are counted by test function, not by case.

A function that has failed once is not run with other parameters, and the run ends when enough
functions have failed; their names go to the file that MUTATION_FAILURES names.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Finding the smallest example of a failure takes longer than all the rest.
try:
    import hypothesis
except ImportError:
    pass
else:
    hypothesis.settings.register_profile(
        "mutants",
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        database=None,
        deadline=None,
    )
    hypothesis.settings.load_profile("mutants")

ENOUGH = int(os.environ.get("MUTATION_ENOUGH", "1000000"))
failed: set[str] = set()


def function_of(case: str) -> str:
    """Return the name of a test without its parameters."""
    return case.partition("[")[0]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if function_of(item.nodeid) in failed:
        pytest.skip("has failed before")


def note(case: str) -> None:
    """Write down a failure, once a function."""
    name = function_of(case)
    if name not in failed:
        failed.add(name)
        with Path(os.environ["MUTATION_FAILURES"]).open("a", encoding="utf-8") as file:
            print(case, file=file)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        note(report.nodeid)


class Counter:
    """Ends the run when enough has failed."""

    def __init__(self, session: pytest.Session) -> None:
        self.session = session

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            note(report.nodeid)
            if len(failed) >= ENOUGH:
                self.session.shouldstop = "enough tests have failed"


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.pluginmanager.register(Counter(session))
