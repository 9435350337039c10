"""`Engine`: a program that speaks GTP, asked one command at a time."""

from __future__ import annotations

import contextlib
import time
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from os.path import basename
from types import TracebackType
from typing import Final, NoReturn, Self

from blokus_fast.checking import iterated
from blokus_fast.gtp.command_line import join_command, split_command
from blokus_fast.gtp.errors import (
    EngineDiedError,
    EngineError,
    EngineProtocolError,
    EngineRefusedError,
    EngineTimeoutError,
)
from blokus_fast.gtp.process import Process
from blokus_fast.gtp.protocol import Answer, clean

__all__ = ["Engine"]

# A command as messages show it.
_SHOWN: Final = 80
_LONGEST_TITLE: Final = 60
# Seconds until an engine that has closed its output must have ended.
_LAST_BREATH: Final = 0.5
# Lines at the end of its standard error that are told, and so many characters of them.
_LAST_LINES: Final = 3
_TOLD: Final = 200
# What the engines are called that end at once where their books are not installed.
_PENTOBI: Final = "pentobi-gtp"
# An engine that leaves this many commands unanswered is given up.
_MOST_PENDING: Final = 16


class Engine:
    """A program that speaks GTP on its standard input and output.

    The program runs from the moment that the object is made until `close`, or the end of the
    ``with`` that it stands in. It belongs to one thread at a time.

    Parameters
    ----------
    command : str or sequence of str or path
        Program and arguments. Text is split as a shell would do it, on Windows as programs do
        there; no shell is run.
    timeout : float or None
        Seconds to wait for an answer. None: for ever.
    move_timeout : float or None
        Seconds to wait for a move. None: for ever.
    cwd : str or path, optional
        Folder to start the program in.
    env : mapping, optional
        Environment of the program. Default: that of this process.
    max_output : int
        Bytes that the program may write for one answer.

    Raises
    ------
    EngineStartError
        The program cannot be started.
    ValueError
        There is no program in the command, or a quote in it is not closed.
    TypeError
        `command` is neither text nor a sequence.

    Notes
    -----
    Every command has a number, which the engine repeats. So the answer to a command that came too
    late is never taken for that to a later one. Engines that do not repeat it are understood; for
    them the oldest command that is open counts as answered.

    Examples
    --------
    >>> import sys
    >>> from blokus_fast.gtp import Engine
    >>> with Engine([sys.executable, "-m", "blokus_fast", "gtp", "--seed", "1"]) as engine:
    ...     _ = engine.ask("set_game Blokus Duo")
    ...     _ = engine.ask("play b e8,d9,e9,f9,e10")
    ...     len(engine.genmove("w").split(",")), engine.ask("final_score")
    (5, '0')
    """

    def __init__(
        self,
        command: str | Sequence[str | PathLike[str]],
        *,
        timeout: float | None = 30.0,
        move_timeout: float | None = 600.0,
        cwd: str | PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        max_output: int = 1 << 24,
    ) -> None:
        what = "an engine is started by a program and its arguments"
        words = (
            split_command(command)
            if isinstance(command, str)
            else list(map(_word, iterated(command, what)))
        )
        if not words or not all(isinstance(word, str) for word in words):
            raise ValueError(f"{what}, not {words!r}")
        self.command: tuple[str, ...] = tuple(words)
        self.timeout = timeout
        self.move_timeout = move_timeout
        self._process = Process(
            words, cwd=None if cwd is None else fspath(cwd), env=env, max_output=max_output
        )
        # Where the owner forgets to close, and at the end of the interpreter.
        self._finalizer = weakref.finalize(self, self._process.end, 0.0)
        self._last_id = 0
        self._pending: deque[int] = deque()
        self._numbered = False
        self._failure: EngineError | None = None
        self._facts: dict[str, str] = {}

    def ask(self, command: str, *, timeout: float | None = None) -> str:
        """Send a command, and wait for the answer.

        Parameters
        ----------
        command : str
            The command, one line.
        timeout : float, optional
            Seconds to wait. Default: the engine's own.

        Returns
        -------
        str
            The answer without its sign and number, of one line or several.

        Raises
        ------
        EngineRefusedError
            The engine answered with an error.
        EngineTimeoutError
            There was no answer in time. The engine goes on, and may be asked again.
        EngineDiedError
            The program has ended, or closed its input or output.
        EngineProtocolError
            The program writes too much, or answers what was not asked.
        EngineError
            The engine has been closed.
        ValueError
            `command` is not one line of text.

        Examples
        --------
        >>> import sys
        >>> from blokus_fast.gtp import Engine
        >>> with Engine([sys.executable, "-m", "blokus_fast", "gtp"]) as engine:
        ...     engine.ask("known_command genmove")
        'true'
        """
        return self._ask(command, self.timeout if timeout is None else timeout)

    def _ask(self, command: str, wait: float | None) -> str:
        """Send a command, and wait for the answer; without end if `wait` is None."""
        text = command.strip()
        if not text or clean(text) != text:
            raise ValueError(f"a command is one line of text, not {command!r}")
        if self._failure is not None:
            # A new one each time: raising the old one would add to its traceback.
            raise type(self._failure)(*self._failure.args)
        deadline = None if wait is None else time.monotonic() + wait
        if len(self._pending) >= _MOST_PENDING:
            self._fail(EngineDiedError, f"{self._program} left {_MOST_PENDING} commands unanswered")
        self._last_id += 1
        self._pending.append(self._last_id)
        self._process.send(f"{self._last_id} {text}")
        answer = self._await(self._last_id, text, deadline, wait)
        if not answer.ok:
            raise EngineRefusedError(
                f"{self._program} refuses {_shown(text)}: {answer.text}", answer.text
            )
        return answer.text

    def _await(
        self, number: int, command: str, deadline: float | None, wait: float | None
    ) -> Answer:
        """Wait for the answer to a command, past the late ones to others."""
        while True:
            try:
                answer = self._process.take(deadline)
            except TimeoutError:
                noise = self._process.noise
                told = f"; it wrote {_shown(noise)}" if noise else ""
                raise EngineTimeoutError(
                    f"{self._program} did not answer {_shown(command)} within {wait:g} s{told}"
                ) from None
            if answer is None:
                self._explain(command)
            elif self._settle(answer) == number:
                return answer

    def _settle(self, answer: Answer) -> int:
        """Return the command that an answer belongs to, and forget it and those before it."""
        if answer.id is None:
            # Once it repeats numbers, what has none is something that it says by the way, but for
            # a refusal: it may not have understood the number.
            if not self._pending or (self._numbered and answer.ok):
                return 0
            return self._pending.popleft()
        self._numbered = True
        if answer.id in self._pending:
            while self._pending.popleft() != answer.id:
                pass
        elif not 0 < answer.id <= self._last_id:
            self._fail(
                EngineProtocolError,
                f"{self._program} answers the command number {answer.id}, which was never given",
            )
        return answer.id

    def _explain(self, command: str) -> NoReturn:
        """Say why there will be no answer, and end the program."""
        problem = self._process.problem
        if problem == "flooded":
            noise = self._process.noise
            told = f" (the last line is {_shown(noise)})" if noise else ""
            self._fail(
                EngineProtocolError,
                f"{self._program} writes more than an answer to {_shown(command)} may have{told}",
            )
        code = self._process.wait(_LAST_BREATH)
        if code is None:
            what = "output" if self._process.problem == "ended" else "input"
            self._fail(EngineDiedError, f"{self._program} closed its {what} at {_shown(command)}")
        self._process.end(0.0)
        lines = [line.strip() for line in self._process.stderr.split("\n") if line.strip()]
        last = " / ".join(lines[-_LAST_LINES:])
        last = last if len(last) <= _TOLD else f"...{last[-_TOLD:]}"
        # A long message loses its end.
        told = self._hint() + (f": {last}" if last else "")
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        self._fail(EngineDiedError, f"{self._program} ended ({how}) at {_shown(command)}{told}")

    def _hint(self) -> str:
        """Say what may have kept an engine from its first answer."""
        if self._last_id > 1 or _PENTOBI not in basename(self._program):
            return ""
        if {"--book", "--nobook"} & {word.partition("=")[0] for word in self.command}:
            return ""
        return "; start it with --nobook if it has no books of openings"

    def _fail(self, kind: type[EngineError], message: str) -> NoReturn:
        """End the program; every question from now on raises the same."""
        self._end(kind(message), 0.0)
        raise kind(message)

    @property
    def _program(self) -> str:
        return self.command[0]

    def genmove(self, side: str, *, timeout: float | None = None) -> str:
        """Let the engine choose a move, and play it on its board.

        Parameters
        ----------
        side : str
            Whose move, as the engine calls it: ``b``, ``w``, ``1`` to ``4``.
        timeout : float, optional
            Seconds to wait. Default: the engine's `move_timeout`.

        Returns
        -------
        str
            The move, or ``pass`` or ``resign``, which the engine does not play.

        Raises
        ------
        EngineError
            See `ask`.

        Examples
        --------
        >>> import sys
        >>> from blokus_fast.gtp import Engine
        >>> with Engine([sys.executable, "-m", "blokus_fast", "gtp"]) as engine:
        ...     len(engine.genmove("1").split(","))
        5
        """
        wait = self.move_timeout if timeout is None else timeout
        answer = self._ask(f"genmove {side}", wait)
        word = answer.lower()
        return word if word in ("pass", "resign") else answer

    @property
    def name(self) -> str:
        """Name of the engine, as it gives it."""
        return self._fact("name")

    @property
    def version(self) -> str:
        """Version of the engine, as it gives it."""
        return self._fact("version")

    @property
    def title(self) -> str:
        """What to call the engine: name and version as it gives them, on one line.

        One that tells no name goes by that of its program.

        Examples
        --------
        >>> import sys
        >>> from blokus_fast.gtp import Engine
        >>> with Engine([sys.executable, "-m", "blokus_fast", "gtp"]) as engine:
        ...     engine.title == f"{engine.name} {engine.version}"
        True
        """
        parts = {"name": "", "version": ""}
        for command in parts:
            with contextlib.suppress(EngineRefusedError):
                line = " ".join(self._fact(command).split())
                parts[command] = "".join(sign if sign.isprintable() else "?" for sign in line)
        if not parts["name"]:
            return basename(self._program)
        return " ".join(parts.values()).strip()[:_LONGEST_TITLE]

    def knows(self, command: str) -> bool:
        """Tell whether the engine knows a command.

        Parameters
        ----------
        command : str
            Name of the command.

        Returns
        -------
        bool
            Whether it does.

        Examples
        --------
        >>> import sys
        >>> from blokus_fast.gtp import Engine
        >>> with Engine([sys.executable, "-m", "blokus_fast", "gtp"]) as engine:
        ...     engine.knows("undo"), engine.knows("dance")
        (True, False)
        """
        return self._fact(f"known_command {command}") == "true"

    def _fact(self, command: str) -> str:
        """Ask what does not change, once."""
        if command not in self._facts:
            self._facts[command] = self.ask(command)
        return self._facts[command]

    @property
    def stderr(self) -> str:
        """The end of what the program has written to its standard error, at most 64 KiB."""
        return self._process.stderr

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Exit code of the program, negative for a signal; None as long as it runs."""
        return self._process.returncode

    def close(self, *, grace: float = 1.0) -> None:
        """Say ``quit`` to the engine, and end the program if it does not do it by itself.

        Closing twice does no harm.

        Parameters
        ----------
        grace : float
            Seconds that the program may take to end.

        Examples
        --------
        >>> import sys
        >>> from blokus_fast.gtp import Engine
        >>> engine = Engine([sys.executable, "-m", "blokus_fast", "gtp"])
        >>> engine.close(grace=10)
        >>> engine.returncode
        0
        """
        if self._finalizer.alive:
            self._process.send("quit")
            # One that is busy with something else will not hear it.
            busy = self._pending and self._process.problem != "ended"
            self._end(EngineError(f"{self._program} has been closed"), 0.1 if busy else grace)

    def _end(self, failure: EngineError, grace: float) -> None:
        if self._failure is None:
            self._failure = failure
        if self._finalizer.detach() is not None:
            self._process.end(grace)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        """Show the command, and whether the program runs."""
        code = self.returncode
        state = f"running, process {self.pid}" if code is None else f"ended with {code}"
        return f"<Engine {join_command(self.command)}: {state}>"


def _word(word: str | PathLike[str]) -> str:
    return fspath(word) if isinstance(word, PathLike) else word


def _shown(text: str) -> str:
    """Quote a text for a message, cut where it is long."""
    return f"'{text}'" if len(text) <= _SHOWN else f"'{text[:_SHOWN]}...'"
