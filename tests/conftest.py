"""What every test needs before it runs, and what tests of several modules ask for."""

import gc
import os
import signal
from collections import Counter
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import blokus_fast as bf
from blokus_fast import _core


def pytest_collection_finish() -> None:
    """Spare the garbage collector what all tests are made of, which cost a sixth of the time."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why tests were skipped, and how many for each reason: a line where -rs has hundreds."""
    if "s" in terminalreporter.config.option.reportchars:
        return
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        told = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[told.removeprefix("Skipped: ").partition("\n")[0]] += 1
    if reasons:
        terminalreporter.section("skipped")
        for reason, count in reasons.most_common():
            terminalreporter.write_line(f"{count:5d}  {reason}")


@pytest.fixture(scope="session", autouse=True)
def _listening_to_ctrl_c() -> None:
    """Listen to Ctrl-C here and in what is started, though jobs in the background do not."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _away_from_the_sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Run elsewhere: Python started in the checkout finds sources without a compiled core."""
    before = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("elsewhere"))
    yield
    os.chdir(before)


@pytest.fixture(params=bf.cpu_info()["supported"])
def kernel(request: pytest.FixtureRequest) -> Iterator[str]:
    """Use each kernel that this computer offers, one after the other."""
    before = bf.cpu_info()["kernel"]
    _core._use_kernel(request.param)
    yield request.param
    _core._use_kernel(before)


@pytest.fixture
def gym_v0() -> ModuleType:
    """Return the environments of Gymnasium."""
    pytest.importorskip("gymnasium", reason="Gymnasium is in the extra `rl`")
    from blokus_fast.envs import gym_v0

    return gym_v0


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start a real browser, a `browser.Browser`."""
    import browser

    program = browser.find()
    if program is None:
        pytest.skip("no Chromium here (on Debian: apt-get install chromium)")
    with browser.browser(program, tmp_path_factory.mktemp("browser")) as started:
        yield started
