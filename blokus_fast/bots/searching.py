"""`MCTSBot`: the tree search of `blokus_fast.search` as a bot, in levels, seconds or simulations.

Owns the levels and what a clock means for a search. The search itself is imported when a game
begins, not before: names of bots can be read and listed without it.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Mapping
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from blokus_fast._core import LIMITS, Board
from blokus_fast.bots.budget import pieces_placed, seconds_for
from blokus_fast.bots.clock import Clock
from blokus_fast.checking import expect, positive
from blokus_fast.variants import Variant

if TYPE_CHECKING:
    from blokus_fast.search import MCTS, SearchResult

__all__ = ["DEFAULT_LEVEL", "LEVELS", "MCTSBot", "level_simulations"]

LEVELS: Final[Mapping[int, int]] = MappingProxyType(
    {
        1: 30,
        2: 100,
        3: 300,
        4: 1_000,
        5: 3_000,
        6: 10_000,
        7: 30_000,
        8: 100_000,
        9: 300_000,
    }
)
"""Simulations for the first move of a game, by level (read-only)."""

DEFAULT_LEVEL: Final = 5
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
    >>> level_simulations(4, board)
    1000
    >>> for text in ("e10", "j5"):
    ...     board.push(board.parse_move(text))
    >>> level_simulations(4, board)
    1221
    """
    return round(LEVELS[_level(level)] * math.exp(_GROWTH * pieces_placed(board) / board.n_colors))


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
    seconds : float, optional
        Seconds for a move.
    threads : int
        Threads that search. With more than one, the same seed does not give the same moves.
    memory : int, optional
        Bytes that the tree may have. Default: as the search has it.
    seed : int, optional
        Seed of its random numbers. Default: by chance.
    weights : str or path, optional
        File of the weights of its prior, see `search.load_weights`. Default: those that are
        shipped for the variant.
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
        seconds: float | None = None,
        threads: SupportsIndex = 1,
        memory: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        weights: str | PathLike[str] | None = None,
        **parameters: Any,
    ) -> None:
        if level is not None and simulations is not None:
            raise ValueError("a search has a level or a number of simulations, not both")
        self.level = None if level is None else _level(level)
        self.seconds = None if seconds is None else positive(seconds, "seconds")
        self.simulations = simulations
        self.threads = _in_limits(threads, "threads")
        self.memory = None if memory is None else _in_limits(memory, "memory")
        self.seed = None if seed is None else operator.index(seed)
        self.weights = None if weights is None else os.fsdecode(weights)
        self.parameters = parameters
        if parameters:
            from blokus_fast.search import Parameters

            Parameters(**parameters)
        self.last: SearchResult | None = None
        self.on_progress: Callable[[SearchResult], object] | None = None
        self.progress_every = 0.5
        self._search: MCTS | None = None
        self._variant: Variant | None = None

    @property
    def simulations(self) -> int | None:
        """Simulations for every move; None: as the level has it."""
        return self._simulations

    @simulations.setter
    def simulations(self, number: SupportsIndex | None) -> None:
        count = None if number is None else _in_limits(number, "simulations")
        self._simulations = count

    @property
    def name(self) -> str:
        """Its name, as `make` reads it, without seed and memory."""
        words = []
        if self.simulations is not None:
            words.append(f"sims={self.simulations}")
        elif self.level is not None:
            words.append(str(self.level))
        if self.seconds is not None:
            words.append(f"time={self.seconds:g}")
        if self.threads > 1 or not words:
            words.append(f"threads={self.threads}")
        if self.weights is not None:
            words.append(f"weights={self.weights}")
        words += [f"{name}={float(value):g}" for name, value in self.parameters.items()]
        return "mcts:" + ",".join(words)

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
        result = self._search.search(
            board,
            **self.limits(board, clock),
            on_progress=self.on_progress,
            progress_every=self.progress_every,
        )
        self.last = result
        return int(result.move)

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
        {'simulations': 1000, 'seconds': 0.95}
        >>> MCTSBot().limits(bf.Board("duo"))
        {'simulations': 3000, 'seconds': None}
        """
        allowed = None if clock is None else seconds_for(clock, board)
        bounds = [bound for bound in (self.seconds, allowed) if bound is not None]
        seconds = min(bounds) if bounds else None
        simulations, level = self.simulations, self.level
        if simulations is None and level is None and seconds is None:
            level = DEFAULT_LEVEL
        if simulations is None and level is not None:
            simulations = level_simulations(level, board)
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
    number = operator.index(level)
    if number not in LEVELS:
        raise ValueError(f"level {number} is not in {min(LEVELS)}..{max(LEVELS)}")
    return number


def _in_limits(value: SupportsIndex, name: str) -> int:
    number = operator.index(value)
    if not 1 <= number <= LIMITS[name]:
        raise ValueError(f"{name} must be in 1..{LIMITS[name]}, not {number}")
    return number
