"""`MCTSBot`: the tree search of `blokus_fast.search` as a bot, in levels, seconds or simulations.

Owns the levels and what a clock means for a search. The search itself is imported when a game
begins, not before: names of bots can be read and listed without it.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from blokus_fast._core import LIMITS, Board
from blokus_fast.bots.budget import pieces_placed, seconds_for
from blokus_fast.bots.clock import Clock
from blokus_fast.checking import expect, integer, integer_or_none, positive
from blokus_fast.shown import call_text
from blokus_fast.variants import Variant

if TYPE_CHECKING:
    from blokus_fast.search import MCTS, SearchResult

__all__ = ["DEFAULT_LEVEL", "LEVELS", "MCTSBot", "level_simulations"]

LEVELS: Final[Mapping[int, int]] = MappingProxyType(
    {
        1: 7,
        2: 16,
        3: 40,
        4: 100,
        5: 260,
        6: 750,
        7: 4_000,
        8: 30_000,
        9: 1_000_000,
    }
)
"""Simulations for the first move of a game, by level (read-only).

They are spaced evenly in strength, not in time: docs/strength.md has the matches.
"""

BOOK_LEVEL: Final = 7
"""The lowest level that begins its games by the book."""

DEFAULT_LEVEL: Final = 7
"""The level of a bot that has no limit of its own and no clock."""

# In Duo, e^0.1 times as many with every piece on the board: one and the other color's are e^0.2.
_GROWTH: Final = 0.2


def level_simulations(level: SupportsIndex, board: Board) -> int:
    """Return the simulations of a level in a position.

    They grow with the pieces on the board, as simulations become cheaper: by e^0.1 with each
    piece in Duo, elsewhere as much over a color's game.

    Parameters
    ----------
    level : int
        A level of `LEVELS`.
    board : Board
        The position.

    Returns
    -------
    int
        A number of simulations.

    Raises
    ------
    ValueError
        There is no such level.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.bots import level_simulations
    >>> board = bf.Board("duo")
    >>> level_simulations(7, board)
    4000
    >>> for text in ("e10", "j5"):
    ...     board.push(board.parse_move(text))
    >>> level_simulations(7, board)
    4886
    """
    return _grown(LEVELS[_level(level)], board)


def _grown(simulations: int, board: Board) -> int:
    grown = simulations * math.exp(_GROWTH * pieces_placed(board) / board.n_colors)
    return min(round(grown), LIMITS["simulations"])


class MCTSBot:
    """Searches the game tree with `blokus_fast.search`.

    What it has found about a position it uses for the next one. All limits hold that there are:
    a level's simulations or its own number of them, its own seconds, and what the clock allows.
    With none of them it searches as at `DEFAULT_LEVEL`.

    Parameters
    ----------
    level : int, optional
        1 to 9, see `LEVELS`.
    simulations : int, optional
        Simulations for every move, instead of a level.
    growing : bool
        Whether these are for the first move of a game, and grow as those of a level do.
    seconds : float, optional
        Seconds for a move.
    threads : int
        Threads that search. With more than one, the same seed does not give the same moves.
    memory : int, optional
        Bytes that the tree may have. Default: as the search has it.
    seed : int, optional
        Seed of its random numbers. Default: by chance.
    weights : str or path, optional
        File of its weights, see `search.load_weights`. Default: those that are shipped for the
        variant.
    book : bool, optional
        Whether it plays what the book of openings has, without a search (then `last` is None),
        see `search.Book`. Default: if it has a level of 7 or more or only time sets its limits;
        where it has a number of simulations, a search is what was asked for.
    **parameters
        Those of `search.Parameters`, each instead of its default.

    Attributes
    ----------
    last : SearchResult or None
        What the last search has found.
    on_progress : callable or None
        Is told how a search stands, every `progress_every` seconds.
    progress_every : float
        Seconds between two such reports.

    Raises
    ------
    ValueError
        A number is not possible, or there are both a level and simulations.
    TypeError
        There is no such parameter.

    Examples
    --------
    >>> from blokus_fast.bots import MCTSBot
    >>> MCTSBot(3).name, MCTSBot(seconds=0.5, threads=2).name
    ('mcts:3', 'mcts:time=0.5,threads=2')
    >>> MCTSBot(3, margin=0.1, replies=False).name
    'mcts:3,margin=0.1,replies=0'
    """

    def __init__(
        self,
        level: SupportsIndex | None = None,
        *,
        simulations: SupportsIndex | None = None,
        growing: bool = False,
        seconds: float | None = None,
        threads: SupportsIndex = 1,
        memory: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        weights: str | PathLike[str] | None = None,
        book: bool | None = None,
        **parameters: Any,
    ) -> None:
        if level is not None and simulations is not None:
            raise ValueError("a search has a level or a number of simulations, not both")
        self.level = None if level is None else _level(level)
        self.seconds = None if seconds is None else positive(seconds, "seconds")
        self.simulations = simulations
        self.growing = bool(growing)
        self.threads = _in_limits(threads, "threads")
        self.memory = None if memory is None else _in_limits(memory, "memory")
        self.seed = integer_or_none(seed, "seed")
        self.weights = None if weights is None else os.fsdecode(weights)
        self._book = None if book is None else bool(book)
        self.parameters = parameters
        if parameters:
            from blokus_fast.search import Parameters

            Parameters(**parameters)
        self.last: SearchResult | None = None
        self.on_progress: Callable[[SearchResult], object] | None = None
        self.progress_every = 0.5
        self._search: MCTS | None = None
        self._variant: Variant | None = None

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(
            self,
            self.level,
            simulations=self.simulations,
            growing=self.growing or None,
            seconds=self.seconds,
            threads=None if self.threads == 1 else self.threads,
            memory=self.memory,
            seed=self.seed,
            weights=self.weights,
            book=self._book,
            **self.parameters,
        )

    @property
    def simulations(self) -> int | None:
        """Simulations for every move; None: as the level has it."""
        return self._simulations

    @simulations.setter
    def simulations(self, number: SupportsIndex | None) -> None:
        count = None if number is None else _in_limits(number, "simulations")
        self._simulations = count

    @property
    def book(self) -> bool:
        """Whether it plays what the book of openings has (read-only)."""
        if self._book is not None:
            return self._book
        level = DEFAULT_LEVEL if self.level is None else self.level
        return self.simulations is None and level >= BOOK_LEVEL

    @property
    def name(self) -> str:
        """Its name, as `make` reads it, without seed and memory."""
        words = []
        if self.simulations is not None:
            words.append(f"sims={self.simulations}" + ",growing=1" * self.growing)
        elif self.level is not None:
            words.append(str(self.level))
        if self.seconds is not None:
            words.append(f"time={self.seconds:g}")
        if self.threads > 1:
            words.append(f"threads={self.threads}")
        if self.weights is not None:
            words.append(f"weights={self.weights}")
        if self._book is not None:
            words.append(f"book={int(self._book)}")
        words += [f"{name}={float(value):g}" for name, value in self.parameters.items()]
        return f"mcts:{','.join(words)}" if words else "mcts"

    def start(self, variant: Variant) -> None:
        """Forget everything, and get ready for a game.

        Parameters
        ----------
        variant : Variant
            The variant of the boards that come.
        """
        self.close()
        options: dict[str, Any] = {"threads": self.threads, "seed": self.seed}
        if self.memory is not None:
            options["memory"] = self.memory
        # Only now, so that those who want no search do not wait for it.
        from blokus_fast.search import MCTS

        if self.weights is not None:
            from blokus_fast.search import load_weights

            options["weights"] = load_weights(self.weights)
        self._search = MCTS(variant, **options, **self.parameters)
        self._variant = variant

    def choose(self, board: Board, clock: Clock | None = None) -> int:
        """Search for the best move of the color to move.

        Parameters
        ----------
        board : Board
            The position; the game must not be over.
        clock : Clock, optional
            The time that the player has left. Default: no limit.

        Returns
        -------
        int
            Id of a legal move.

        Raises
        ------
        ValueError
            The game is over.
        """
        expect(board, Board, "board")
        if board.is_game_over:
            raise ValueError("the game is over: there is nothing to choose")
        if self._search is None or self._variant != board.variant:
            self.start(board.variant)
        assert self._search is not None
        known = self._from_book(board)
        if known is not None:
            self.last = None
            return known
        result = self._search.search(
            board,
            **self.limits(board, clock),
            on_progress=self.on_progress,
            progress_every=self.progress_every,
        )
        self.last = result
        return int(result.move)

    def _from_book(self, board: Board) -> int | None:
        if not self.book:
            return None
        from blokus_fast.search.book import default_book

        book = default_book(board.variant.name)
        return None if book is None else book.find(board)

    def limits(self, board: Board, clock: Clock | None = None) -> dict[str, Any]:
        """Return how long to search: `simulations` and `seconds`, one of which may be None.

        Parameters
        ----------
        board : Board
            The position.
        clock : Clock, optional
            The time that the player has left. Default: no limit.

        Returns
        -------
        dict
            Arguments for the search.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.bots import Clock, MCTSBot
        >>> MCTSBot(4).limits(bf.Board("duo"), Clock.per_move(1))
        {'simulations': 100, 'seconds': 0.95}
        >>> MCTSBot().limits(bf.Board("duo"))
        {'simulations': 4000, 'seconds': None}
        """
        allowed = None if clock is None else seconds_for(clock, board)
        bounds = [bound for bound in (self.seconds, allowed) if bound is not None]
        seconds = min(bounds) if bounds else None
        simulations, level = self.simulations, self.level
        if simulations is None and level is None and seconds is None:
            level = DEFAULT_LEVEL
        if simulations is None and level is not None:
            simulations = level_simulations(level, board)
        elif simulations is not None and self.growing:
            simulations = _grown(simulations, board)
        return {"simulations": simulations, "seconds": seconds}

    def stop(self) -> None:
        """End a search that runs, from any thread; it returns the best move so far.

        Examples
        --------
        >>> from blokus_fast.bots import MCTSBot
        >>> MCTSBot(3).stop()  # nothing runs
        """
        search = self._search
        if search is not None:
            search.stop()

    def close(self) -> None:
        """Forget the tree and the last result.

        Examples
        --------
        >>> from blokus_fast.bots import MCTSBot
        >>> MCTSBot(3).close()
        """
        self._search = self._variant = self.last = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what cannot be pickled: the tree, and who is told of progress."""
        left_out = dict.fromkeys(("_search", "_variant", "last", "on_progress"))
        return {**self.__dict__, **left_out}


def _level(level: SupportsIndex) -> int:
    number = integer(level, "level")
    if number not in LEVELS:
        raise ValueError(f"level {number} is not in {min(LEVELS)}..{max(LEVELS)}")
    return number


def _in_limits(value: SupportsIndex, name: str) -> int:
    number = integer(value, name)
    least, most = LIMITS.get(f"least_{name}", 1), LIMITS[name]
    if not least <= number <= most:
        unit = " bytes" if name == "memory" else ""
        raise ValueError(f"{name} must be in {least}..{most}{unit}, not {number}")
    return number
