"""`EngineBot`: an engine that speaks GTP as a bot, usable wherever a bot is."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Final, Self, SupportsIndex

from blokus_fast._core import Board
from blokus_fast.bots.clock import Clock
from blokus_fast.bots.simple import GreedyBot
from blokus_fast.checking import integer_or_none
from blokus_fast.gtp.client import Engine
from blokus_fast.gtp.dialect import game_name, side_text
from blokus_fast.gtp.errors import (
    EngineError,
    EngineMoveError,
    EngineRefusedError,
    EngineResignedError,
)
from blokus_fast.gtp.protocol import quote
from blokus_fast.moves.notation import parse_move, square_text
from blokus_fast.records import Record, write
from blokus_fast.setup import set_up
from blokus_fast.shown import call_text
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["EngineBot"]

_RESIGNED: Final = ("play", "raise")


class EngineBot:
    """A bot that asks a GTP engine.

    It tells the engine the moves that it does not know yet, and begins anew where the board is
    not a continuation of what the engine has. Skipped colors are not told: the engine sees to them
    itself.

    Parameters
    ----------
    engine : Engine, str or sequence of str or path
        The engine, or the command that starts it. One that it starts is closed by `close`.
    seed : int, optional
        Seed for the engine's random numbers, if it knows ``set_random_seed``.
    name : str, optional
        Name of the bot. Default: what the engine says.
    resigning : {"play", "raise"}
        What to do when the engine resigns, which Blokus does not know: play on with a move of
        `GreedyBot`, or raise `EngineResignedError`.
    **options
        For `Engine`, where a command is given.

    Raises
    ------
    EngineStartError
        The program cannot be started.
    EngineError
        It does not answer.
    ValueError
        `resigning` is neither of the two.

    Notes
    -----
    Over GTP a variant has the start rule that Pentobi plays: ``assigned`` in Duo and Junior. A
    board of these two with ``any`` is turned by half a turn where the first color has begun at the
    other square. A position that was set up is handed over in a file, by ``loadsgf``. The engine
    knows nothing of the scoring rule.

    Examples
    --------
    >>> import sys
    >>> import blokus_fast as bf
    >>> from blokus_fast.gtp import EngineBot
    >>> with EngineBot([sys.executable, "-m", "blokus_fast", "gtp", "--bot", "random"]) as bot:
    ...     board = bf.Board("duo")
    ...     bot.name, bot.choose(board) in board.legal_moves, bot.resigned
    ('blokus-fast random', True, False)
    """

    def __init__(
        self,
        engine: Engine | str | Sequence[str | PathLike[str]],
        *,
        seed: SupportsIndex | None = None,
        name: str | None = None,
        resigning: str = "play",
        **options: object,
    ) -> None:
        if resigning not in _RESIGNED:
            raise ValueError(f"resigning is {' or '.join(_RESIGNED)}, not {resigning!r}")
        seed = integer_or_none(seed, "seed")
        self._owned = not isinstance(engine, Engine)
        if isinstance(engine, Engine):
            if options:
                raise TypeError(f"the engine runs already: {', '.join(options)} come too late")
            self.engine = engine
        else:
            self.engine = Engine(engine, **options)  # type: ignore[arg-type]
        self.resigning = resigning
        self.resigned = False
        """Whether the engine has resigned in the game at hand."""
        self._fallback = GreedyBot(seed)
        # What the engine began with, and the moves since.
        self._begun = ""
        self._told: list[str] = []
        # What kind of clock the engine knows of.
        self._time: tuple[object, ...] = ()
        try:
            self.name = self._engine_name() if name is None else name
            if seed is not None and self.engine.knows("set_random_seed"):
                self.engine.ask(f"set_random_seed {seed % 2**31}")
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(self, self.engine, name=self.name)

    def _engine_name(self) -> str:
        try:
            return self.engine.name
        except EngineRefusedError:
            return self.engine.title

    @property
    def title(self) -> str:
        """What the engine calls itself, with its version; see `Engine.title`.

        Examples
        --------
        >>> import sys
        >>> from blokus_fast.gtp import EngineBot
        >>> with EngineBot([sys.executable, "-m", "blokus_fast", "gtp"]) as bot:
        ...     bot.title == bot.engine.title
        True
        """
        return self.engine.title

    def choose(self, board: Board, clock: Clock | None = None) -> int:
        """Ask the engine for a move of the color to move.

        Parameters
        ----------
        board : Board
            The position; the game must not be over.
        clock : Clock, optional
            The time that the player has left, which an engine is told that knows
            ``time_settings``. Default: no limit.

        Returns
        -------
        int
            Id of a legal move.

        Raises
        ------
        EngineMoveError
            The engine chooses what is no legal move, or passes although it can place.
        EngineResignedError
            It resigns, and `resigning` is ``raise``.
        EngineError
            It is dead, mute or talks nonsense, or cannot play this game or position.
        ValueError
            The game is over.

        Examples
        --------
        >>> import sys
        >>> import blokus_fast as bf
        >>> from blokus_fast.gtp import EngineBot
        >>> with EngineBot([sys.executable, "-m", "blokus_fast", "gtp"]) as bot:
        ...     len(bf.Move(bot.choose(bf.Board("classic"))).squares)
        5
        """
        if board.is_game_over:
            raise ValueError("the game is over: there is nothing to choose")
        sent = self._as_sent(board)
        side = side_text(sent.board)
        try:
            self._tell(sent)
            self._tell_time(clock or Clock(), side)
            answer = self.engine.genmove(side)
            if answer != "resign":
                move = self._read(answer, sent.board)
        except BaseException:
            # Nobody knows what the engine has on its board now.
            self._begun = ""
            raise
        if answer == "resign":
            self.resigned = True
            if self.resigning == "raise":
                raise EngineResignedError(f"{self.name} resigns")
            return self._fallback.choose(board)
        self._told.append(f"play {side} {sent.board.move_text(move)}")
        return _turn(sent.board, move) if sent.turned else move

    def _read(self, answer: str, sent: Board) -> int:
        """Return the move that the engine plays; whatever is not legal is an error."""
        where = f"at move {sent.ply + 1} of {sent.variant.name}"
        if answer == "pass" and not sent.variant.voluntary_pass:
            raise EngineMoveError(f"{self.name} passes {where}, where it can place")
        try:
            move: int = sent.parse_move(answer)
        except ValueError as error:
            raise EngineMoveError(f"{self.name} plays nonsense {where}: {error}") from None
        reason = sent.why_illegal(move)
        if reason is not None:
            raise EngineMoveError(f"{self.name} plays {answer} {where}, which is illegal: {reason}")
        return move

    def _tell(self, sent: _Sent) -> None:
        """Tell the engine the game and the moves that it does not have."""
        commands = []
        board = sent.root.copy()
        for move in sent.board.move_stack:
            commands.append(f"play {side_text(board)} {board.move_text(move)}")
            board.push(move)
        known = len(self._told)
        if self._begun != sent.beginning or commands[:known] != self._told:
            self.resigned = False
            self._begin(sent)
            known = 0
        for command in commands[known:]:
            self.engine.ask(command)
            self._told.append(command)

    def _tell_time(self, clock: Clock, side: str) -> None:
        """Tell the engine what time there is, if it wants to know."""
        kind = (clock.move_seconds, clock.period, clock.period_moves, clock.is_limited)
        if not clock.is_limited and (not self._time or self._time == kind):
            return
        if not self.engine.knows("time_settings"):
            return
        # An engine that does not take it plays without.
        with contextlib.suppress(EngineRefusedError):
            if self._time != kind:
                self.engine.ask(f"time_settings {_settings(clock)}")
                self._time = kind
            if clock.remaining is not None:
                left, moves = _number(clock.remaining), clock.moves_left or 0
                self.engine.ask(f"time_left {side} {left} {moves}")

    def _begin(self, sent: _Sent) -> None:
        """Bring the engine to the position that the moves begin with."""
        try:
            if sent.record is None:
                again = self._begun == sent.beginning
                self.engine.ask("clear_board" if again else f"set_game {sent.game}")
            else:
                with TemporaryDirectory(prefix="blokus-fast-") as folder:
                    file = Path(folder) / "position.blksgf"
                    write(sent.record, file)
                    self.engine.ask(f"loadsgf {quote(str(file))}")
        except EngineRefusedError as error:
            raise EngineRefusedError(
                f"{self.name} does not play {sent.game}: {error.answer}", error.answer
            ) from None
        self._begun, self._told = sent.beginning, []

    def _as_sent(self, board: Board) -> _Sent:
        """Return everything as the engine is to have it."""
        try:
            return _Sent.of(board)
        except ValueError as error:
            raise EngineError(f"{self.name} cannot play this: {error}") from None

    def close(self) -> None:
        """End the engine, if the bot has started it."""
        if self._owned:
            self.engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


@dataclass(frozen=True)
class _Sent:
    """A position in the form in which an engine is told it."""

    game: str
    root: Board
    board: Board
    record: Record | None
    """What it begins with, where that is not the empty board."""
    turned: bool

    @property
    def beginning(self) -> str:
        """A text for what it begins with."""
        return self.game if self.record is None else str(self.record)

    @classmethod
    def of(cls, board: Board) -> _Sent:
        """Make it of a board."""
        variant = board.variant
        turned = False
        if _half_turn(variant):
            variant = find_variant(variant, start="assigned")
            starts = [squares[0] for squares in variant.start_indices]
            turned = any(board.own_mask(color) >> starts[1 - color] & 1 for color in (0, 1))
        game = game_name(variant)
        root = board.copy()
        for _ in board.move_stack:
            root.pop()
        record = None
        if root == Board(board.variant):
            root = Board(variant)
        else:
            if variant != board.variant:
                step = -1 if turned else 1
                root = set_up(variant, root.grid()[::step, ::step], turn=root.turn)
            record = Record.from_board(root)
        sent = root.copy()
        for move in board.move_stack:
            sent.push(_turn(sent, move) if turned else move)
        return cls(game, root, sent, record, turned)


def _settings(clock: Clock) -> str:
    """Write a clock as ``time_settings`` has it. Increments it has not: `time_left` tells them."""
    if clock.remaining is None:
        # A period of one move; one of none stands for no limit.
        return "0 1 0" if clock.move_seconds is None else f"0 {_number(clock.move_seconds)} 1"
    main = 0.0 if clock.moves_left else clock.remaining
    return f"{_number(main)} {_number(clock.period)} {clock.period_moves}"


def _number(seconds: float) -> str:
    """Write seconds, whole ones where they are many: not every engine reads fractions."""
    return str(int(seconds)) if seconds >= 10 else f"{seconds:.3f}".rstrip("0").rstrip(".")


def _half_turn(variant: Variant) -> bool:
    """Whether a start at any square is one at the assigned squares, but for half a turn."""
    if variant.start != "any" or variant.n_colors != 2:
        return False
    squares = [square for own in variant.start_indices for square in own]
    return len(squares) == 2 and sum(squares) == variant.size**2 - 1


def _turn(board: Board, move: int) -> int:
    """Turn a placement by half a turn."""
    last = board.size**2 - 1
    squares = board.move(move).squares
    return parse_move(",".join(square_text(last - s, board.size) for s in squares), board.size)
