"""Ctrl-C in the middle of something, for tests of what becomes of it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_after(seconds: float) -> Iterator[None]:
    """Press Ctrl-C after a while; goes behind ``pytest.raises(KeyboardInterrupt)``.

    On a busy machine it may come before what is to be interrupted has begun: it must not come
    before somebody expects it.
    """
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.join()
