"""What every test needs before it runs."""

import os
import signal
from collections.abc import Iterator

import pytest


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
