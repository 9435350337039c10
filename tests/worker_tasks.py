"""What the tests of executors let workers do; their processes import it by this name."""

import os
import signal
import sys
import time
from pathlib import Path

from blokus_fast.executors.child import notes


def square(number):
    return number * number


def pid(_):
    return os.getpid()


def fail(task):
    raise KeyError(task)


class OddError(Exception):
    """An error that cannot be made again of its arguments."""

    def __init__(self, one, two):
        super().__init__(one)


def fail_oddly(task):
    raise OddError(task, 2)


def quit_(task):
    raise SystemExit(task)


def end(task):
    how, value = task
    if how == "signal":
        os.kill(os.getpid(), value)
    elif how == "code":
        print("the last words", file=sys.stderr, flush=True)
        os._exit(value)
    elif how == "hang":
        notes().begin([3, 4])
        notes().add(5)
        notes().wait_for(value)
        time.sleep(600)
    elif how == "close":
        os.close(sys.stdout.fileno())
    return how


def end_once(path):
    """End by a signal that others send, but only the first time."""
    if not Path(path).exists():
        Path(path).write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def nap(seconds):
    time.sleep(seconds)
    return seconds


def tell(task, lost):
    return (str(lost), lost.hung, lost.signal, lost.code, lost.noted, lost.errors, lost.by_others)


def retry(task, lost):
    return None


def meet(folder):
    """Say who works, and wait until somebody else does; return how many there are."""
    (Path(folder) / str(os.getpid())).touch()
    end = time.monotonic() + 120
    while len(os.listdir(folder)) < 2 and time.monotonic() < end:
        time.sleep(0.01)
    return len(os.listdir(folder))


def write_pid(path):
    """Say who works, then work for long."""
    Path(path).write_text(str(os.getpid()))
    time.sleep(600)


def hold(path):
    """Hold the interpreter for ever, within a call that lets nobody else run."""
    import re

    Path(path).write_text(str(os.getpid()))
    re.match("(a+)+$", "a" * 60 + "b")
