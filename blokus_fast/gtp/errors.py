"""What can go wrong with a program that speaks GTP: `EngineError` and its kinds."""

from __future__ import annotations

__all__ = [
    "EngineDiedError",
    "EngineError",
    "EngineMoveError",
    "EngineProtocolError",
    "EngineRefusedError",
    "EngineResignedError",
    "EngineStartError",
    "EngineTimeoutError",
]


class EngineError(RuntimeError):
    """Something is wrong with an engine; the message says what.

    Examples
    --------
    >>> from blokus_fast.gtp import Engine, EngineError
    >>> try:
    ...     Engine(["no-such-program"])
    ... except EngineError as error:
    ...     print(error)
    cannot start no-such-program: No such file or directory
    """


class EngineStartError(EngineError):
    """The program cannot be started.

    Examples
    --------
    >>> from blokus_fast.gtp import Engine
    >>> Engine("./nothing")
    Traceback (most recent call last):
    ...
    blokus_fast.gtp.errors.EngineStartError: cannot start ./nothing: No such file or directory
    """


class EngineDiedError(EngineError):
    """The program has ended, or closed its input or output.

    Examples
    --------
    >>> import sys
    >>> from blokus_fast.gtp import Engine, EngineDiedError
    >>> with Engine([sys.executable, "-c", "raise SystemExit('no license')"]) as engine:
    ...     try:
    ...         engine.ask("name")
    ...     except EngineDiedError as error:
    ...         print(str(error).removeprefix(sys.executable))
     ended (exit code 1) at 'name': no license
    """


class EngineTimeoutError(EngineError, TimeoutError):
    """No answer came in time.

    Examples
    --------
    >>> import sys
    >>> from blokus_fast.gtp import Engine, EngineTimeoutError
    >>> with Engine([sys.executable, "-c", "input(); input()"], timeout=0.1) as engine:
    ...     try:
    ...         engine.ask("name")
    ...     except EngineTimeoutError as error:
    ...         print(str(error).removeprefix(sys.executable))
     did not answer 'name' within 0.1 s
    """


class EngineProtocolError(EngineError):
    """What the program writes is not GTP, or too much of it.

    Examples
    --------
    >>> import sys
    >>> from blokus_fast.gtp import Engine, EngineProtocolError
    >>> program = "print('= hello ' + 'o' * 9999, flush=True); input()"
    >>> with Engine([sys.executable, "-c", program], max_output=1000) as engine:
    ...     try:
    ...         engine.ask("name")
    ...     except EngineProtocolError as error:
    ...         print(str(error).removeprefix(sys.executable))
     writes more than an answer to 'name' may have
    """


class EngineRefusedError(EngineError):
    """The engine answered with an error of its own.

    Parameters
    ----------
    message : str
        What was asked and answered.
    answer : str
        The answer alone.

    Examples
    --------
    >>> from blokus_fast.gtp import EngineRefusedError
    >>> EngineRefusedError("pentobi-gtp refuses 'undo': cannot undo", "cannot undo").answer
    'cannot undo'
    """

    def __init__(self, message: str, answer: str = "") -> None:
        super().__init__(message, answer)
        self.answer = answer

    def __str__(self) -> str:
        """Return the message."""
        return str(self.args[0])


class EngineMoveError(EngineError):
    """The engine's move is none, or not legal.

    Examples
    --------
    >>> from blokus_fast.gtp import EngineError, EngineMoveError
    >>> issubclass(EngineMoveError, EngineError)
    True
    """


class EngineResignedError(EngineError):
    """The engine gives the game up.

    Examples
    --------
    >>> from blokus_fast.gtp import EngineError, EngineResignedError
    >>> issubclass(EngineResignedError, EngineError)
    True
    """
