"""`MCTS`: Monte Carlo tree search with the engine's own evaluation."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, SupportsIndex

import numpy as np

from blokus_fast import _core
from blokus_fast.checking import called_back, expect, integer, integer_or_none, iterated, positive
from blokus_fast.scoring import ScoringRule
from blokus_fast.search.parameters import Parameters, RootRule, check_count
from blokus_fast.search.result import SearchResult
from blokus_fast.search.weights import Weights, default_weights
from blokus_fast.shown import short
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["MCTS"]

_INTERRUPTS = ("raise", "return")


class MCTS:
    """A tree search for every variant, with weights and playouts of its own.

    PUCT (Rosin, 2011; Silver et al., 2017) over a linear move prior, with quick playouts; every
    player goes for his own value (max^n; Luckhardt and Irani, 1986). docs/mcts.md explains it.
    The tree is kept from one search to the next, as far as the new position is in it.

    Parameters
    ----------
    variant : str or Variant
        The rules.
    start, scoring : str, optional
        Start and scoring rule, if not the variant's own.
    threads : int
        Threads that search the one tree.
    memory : int
        Bytes that the tree may take. When they are used up the tree grows no more: simulations go
        on from the leaves that it has.
    seed : int, optional
        Seed of the playouts. With one thread, the same seed and the same calls, limits by time
        excluded, results are the same. Default: by chance.
    weights : Weights, optional
        Of the move prior. Default: see `default_weights`.
    parameters : Parameters, optional
        Default: `Parameters()`, but without `largest_first` where the lowest score wins.
    root : RootRule, optional
        Dirichlet noise at the root, for games that are to teach something; `considered` has to
        be 0. Default: no noise.
    **changes
        Parameters that are other than in `parameters`.

    Attributes
    ----------
    result : SearchResult or None
        What the last search has found, even where an exception has ended it.

    Raises
    ------
    ValueError
        A name is unknown, or a number is out of its range.
    MemoryError
        There is not as much memory.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.search import MCTS
    >>> game = bf.Game("duo")
    >>> mcts = MCTS("duo", seed=1)
    >>> while game.board.ply < 4:
    ...     move = game.play(mcts.search(game.board, simulations=100).move)
    >>> mcts.result.reused > 0
    True
    """

    def __init__(
        self,
        variant: str | Variant = "classic",
        *,
        start: str | None = None,
        scoring: str | ScoringRule | None = None,
        threads: SupportsIndex = 1,
        memory: SupportsIndex = 256 * 2**20,
        seed: SupportsIndex | None = None,
        weights: Weights | None = None,
        parameters: Parameters | None = None,
        root: RootRule | None = None,
        **changes: Any,
    ) -> None:
        self.variant = find_variant(variant, start=start, scoring=scoring)
        self.threads = integer(threads, "threads")
        self.memory = integer(memory, "memory")
        self.seed = integer(seed, "seed") if seed is not None else int.from_bytes(os.urandom(8))
        # Who wants to place little does not begin with the largest piece.
        usual = Parameters(largest_first=not self.variant.scoring_rule.lowest_wins)
        chosen = usual if parameters is None else parameters
        expect(chosen, Parameters, "parameters")
        self.parameters = replace(chosen, **changes) if changes else chosen
        self.weights = default_weights(self.variant) if weights is None else weights
        expect(self.weights, Weights, "weights")
        self.root = RootRule() if root is None else root
        expect(self.root, RootRule, "root")
        if self.root.considered:
            raise ValueError(
                f"root: considered must be 0, not {self.root.considered}: BatchMCTS and SelfPlay "
                "have sequential halving"
            )
        least, most = _core.LIMITS["least_memory"], _core.LIMITS["memory"]
        if not least <= self.memory <= most:
            raise ValueError(f"memory must be in {least}..{most} bytes, not {memory!r}")
        self._search = _core.Search(
            self.variant._rules(),
            self.parameters._numbers(self.variant.scoring_rule.lowest_wins),
            self.weights._core,
            self.memory,
            self.threads,
            self.seed % 2**64,
            self.root.noise,
            self.root.noise_alpha,
        )
        self.result: SearchResult | None = None

    def search(
        self,
        board: _core.Board,
        *,
        simulations: SupportsIndex | None = None,
        seconds: float | None = None,
        early_stop: bool = True,
        on_progress: Callable[[SearchResult], object] | None = None,
        progress_every: float = 0.5,
        on_interrupt: str = "raise",
    ) -> SearchResult:
        """Search a position.

        Parameters
        ----------
        board : Board
            The position, of the same variant; the game must not be over. It is left as it is.
        simulations : int, optional
            Simulations after which the search ends.
        seconds : float, optional
            Time after which it ends; at least one simulation is made. One of the two limits must
            be there; where both are, the first one that is reached counts.
        early_stop : bool
            Whether it ends as soon as no simulation that is left can change the best move.
        on_progress : callable, optional
            Is called with a `SearchResult` now and then, in this thread. What it raises ends the
            search.
        progress_every : float
            Seconds between two of these calls.
        on_interrupt : {"raise", "return"}
            What Ctrl-C does: it ends the search in either case, then raises `KeyboardInterrupt`
            (what was found is in `result`), or has the search return what it has found.

        Returns
        -------
        SearchResult
            What was found.

        Raises
        ------
        ValueError
            A limit is missing or out of its range, the game is over, the board is of another
            variant, or the memory is too small for the moves of the position.
        RuntimeError
            Another thread is searching with this object.
        TypeError
            `board` is no Board, or another argument of another type; `on_progress` cannot be
            called.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.search import MCTS
        >>> MCTS("classic", seed=1).search(bf.Board(), seconds=0).simulations > 0
        True
        """
        expect(board, _core.Board, "board")
        count = integer_or_none(simulations, "simulations")
        if count is None and seconds is None:
            raise ValueError("how long? give simulations, seconds, or both")
        if count is not None:
            check_count(count, "simulations")
        if seconds is not None and (
            isinstance(seconds, bool | str | bytes) or not hasattr(seconds, "__float__")
        ):
            raise TypeError(f"seconds must be a number, not {seconds!r}")
        if seconds is not None and (seconds < 0 or math.isnan(seconds)):
            raise ValueError(f"seconds must be 0 or more, not {seconds!r}")
        called_back(on_progress, "on_progress")
        every = positive(progress_every, "progress_every")
        if on_interrupt not in _INTERRUPTS:
            raise ValueError(f"on_interrupt must be one of {_INTERRUPTS}, not {on_interrupt!r}")
        begin = time.perf_counter()
        stopped = None
        # One legal move is all that there is to find: one simulation fills the result.
        if not board.is_game_over and board.count_legal() == 1:
            count, stopped = 1, "only move"
        tick = None
        if on_progress is not None:

            def tick() -> None:
                self.result = self._result(board, time.perf_counter() - begin, "running")
                on_progress(self.result)

        error = self._search.run(board, count, seconds, bool(early_stop), tick, every)
        # What was found stays, whatever ended the search once it had begun.
        interrupted = isinstance(error, KeyboardInterrupt)
        if interrupted:
            stopped = "interrupt"
        self.result = self._result(board, time.perf_counter() - begin, stopped)
        if error is not None and not (interrupted and on_interrupt == "return"):
            raise error
        return self.result

    def line(self, move: SupportsIndex) -> list[int]:
        """Return what the last search expects after one of its root moves.

        Parameters
        ----------
        move : int
            The move.

        Returns
        -------
        list of int
            Ids, from the move itself on; for the best move it is the principal variation. A move
            that was hardly visited has no more than itself.

        Raises
        ------
        ValueError
            The last search had no such move at its root, or there was none; or its tree was
            cleared.
        TypeError
            `move` is not an integer.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.search import MCTS
        >>> mcts = MCTS("duo", seed=1)
        >>> result = mcts.search(bf.Board("duo"), simulations=200)
        >>> mcts.line(result.move) == result.pv, len(mcts.line(result.moves[-1]))
        (True, 1)
        """
        number = integer(move, "move")
        # None: not one of them. No search, or none since the tree was cleared: no line at all.
        line = self._search.line(number if 0 <= number < 2**31 else -1)
        if line:
            return line
        if line is None:
            raise ValueError(
                f"move {short(number)} is no move of the position last searched: those are in "
                "result.moves"
            )
        raise ValueError(f"nothing is searched yet, so no line follows move {short(number)}")

    def values_of(self, scores: Sequence[int]) -> list[float]:
        """Return what a game that ended with these scores is worth to each player, 0 to 1.

        Parameters
        ----------
        scores : sequence of int
            Final score of each player.

        Returns
        -------
        list of float
            The share of the win, with what `Parameters.margin` makes of the margin.

        Raises
        ------
        ValueError
            There are more or fewer players, or a score does not fit 32 bits.
        TypeError
            `scores` is no sequence of integers.

        Examples
        --------
        >>> from blokus_fast.search import MCTS
        >>> MCTS("duo", margin=0).values_of([-5, -10])
        [1.0, 0.0]
        """
        what = f"scores must be {self.variant.players} integers"
        final = [integer(score, "a score") for score in iterated(scores, what)]
        if len(final) != self.variant.players or max(map(abs, final)) >= 2**31:
            raise ValueError(f"{what} of 32 bits, one for each player, not {short(scores)}")
        return self._search.values_of(final)

    def stop(self) -> None:
        """End the search that runs, if one does; from any thread."""
        self._search.stop()

    def clear(self, seed: SupportsIndex | None = None) -> None:
        """Forget the tree.

        Parameters
        ----------
        seed : int, optional
            Begin all over again, as a new object with this seed would: what was learnt about
            replies is forgotten as well, and playouts and noise are drawn anew. Default: keep
            both, and go on in the random numbers.

        Raises
        ------
        RuntimeError
            A search runs.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.search import MCTS
        >>> board, mcts = bf.Board("duo"), MCTS("duo", seed=1)
        >>> first = mcts.search(board, simulations=50)
        >>> mcts.clear(seed=1)
        >>> mcts.search(board, simulations=50).visits.tolist() == first.visits.tolist()
        True
        """
        number = integer_or_none(seed, "seed")
        self._search.clear(None if number is None else number % 2**64)
        if number is not None:
            self.seed = number

    def __repr__(self) -> str:
        """Return the rules and what it may use."""
        return f"<MCTS {self.variant.name}: threads={self.threads}, memory={self.memory:,}>"

    def _result(self, board: _core.Board, seconds: float, stopped: str | None) -> SearchResult:
        """Read the results off the tree."""
        moves, visits, values, scores, priors, proven = self._search.table()
        pv = self._search.best()
        order = np.lexsort((-priors, -visits))
        value, score, solved = self._search.root()
        simulations, reused, depth, nodes, memory, full, reason = self._search.figures()
        return SearchResult(
            variant=self.variant,
            player=board.player,
            turn=board.turn,
            move=pv[0],
            moves=moves[order],
            visits=visits[order],
            values=values[order],
            scores=scores[order],
            priors=priors[order],
            proven=proven[order],
            pv=pv,
            value=value,
            score=score,
            solved=solved,
            simulations=simulations,
            reused=reused,
            seconds=seconds,
            depth=depth,
            nodes=nodes,
            memory=memory,
            full=full,
            stopped=stopped or reason,
        )
