"""`SelfPlay`: games in lockstep that play themselves, evaluated from outside."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast.checking import integer
from blokus_fast.learning.batch import BatchBoard
from blokus_fast.scoring import rewards
from blokus_fast.search.batch import BatchMCTS
from blokus_fast.search.parameters import check_count
from blokus_fast.variants import Variant

__all__ = ["Played", "SelfPlay"]


@dataclass(frozen=True, eq=False)
class Played:
    """What was seen in games that have ended: a position a row.

    Attributes
    ----------
    boards : BatchBoard, n games
        The positions.
    actions : ndarray of int32, shape (offsets[-1],)
        The moves that the search looked at, one position after the other.
    policy : ndarray of float32, shape (offsets[-1],)
        What to teach a network of them: the share of the visits, or the improved policy of
        `RootRule.considered`; the sum is 1 for every position.
    offsets : ndarray of int64, shape (n + 1,)
        Where each position's begin.
    values : ndarray of float32, shape (n, n_players)
        What the search expected: shares of the win.
    outcomes : ndarray of float32, shape (n, n_players)
        How the game ended: shares of the win.
    scores : ndarray of int32, shape (n, n_players)
        Its final scores.
    games : ndarray of int64, shape (n,)
        The number of the game.

    Examples
    --------
    >>> import numpy as np
    >>> from blokus_fast.search import SelfPlay
    >>> games = SelfPlay("duo", 4, simulations=4, seed=1)
    >>> while games.n_finished < 1:
    ...     leaves = games.collect()
    ...     zeros = np.zeros(len(leaves.ids), np.float32)
    ...     games.apply(zeros, np.full((len(leaves), 2), 0.5, np.float32), logits=True)
    >>> played = games.take()
    >>> played.values.shape == played.outcomes.shape == (len(played), 2)
    True
    """

    boards: BatchBoard
    actions: npt.NDArray[np.int32]
    policy: npt.NDArray[np.float32]
    offsets: npt.NDArray[np.int64]
    values: npt.NDArray[np.float32]
    outcomes: npt.NDArray[np.float32]
    scores: npt.NDArray[np.int32]
    games: npt.NDArray[np.int64]

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.games)

    @property
    def n_games(self) -> int:
        """Number of games."""
        return len(np.unique(self.games))

    def dense_policy(self) -> npt.NDArray[np.float32]:
        """Return the policy with a column for every action.

        Returns
        -------
        ndarray of float32, shape (n, n_actions)
            Zeros where the search did not look.
        """
        dense = np.zeros((len(self), self.boards.n_actions), np.float32)
        rows = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        dense[rows, self.actions] = self.policy
        return dense


class SelfPlay(BatchMCTS):
    """Games in lockstep that play themselves: what AlphaZero-style training needs.

    Every call of `collect` makes the moves that have been found, begins new games where old ones
    have ended, and hands out leaves of all of them; `apply` takes their evaluations; `take` hands
    out what was seen in games that have ended.

    Parameters
    ----------
    variant : str or Variant
        The rules.
    n : int
        Games side by side.
    simulations : int
        Simulations a move.
    drawn_plies : int
        Plies of a game whose moves are drawn by their visits; later the most visited move is
        made. With `RootRule.considered` the noise does that instead.
    temperature : float
        Visits count to the power of 1 / `temperature` there.
    random_plies : int
        Up to so many moves at the beginning are drawn uniformly, for openings of all kinds.
    **options
        Those of `BatchMCTS`.

    Examples
    --------
    >>> import numpy as np
    >>> from blokus_fast.search import SelfPlay
    >>> play = SelfPlay("duo", 8, simulations=4, seed=1)
    >>> while play.n_finished < 8:
    ...     leaves = play.collect()
    ...     play.apply(np.ones(len(leaves.ids)), np.full((len(leaves), 2), 0.5))
    >>> played = play.take()
    >>> played.n_games >= 8, np.allclose(played.outcomes.sum(axis=1), 1)
    (True, True)
    """

    def __init__(
        self,
        variant: str | Variant = "classic",
        n: SupportsIndex = 256,
        *,
        simulations: SupportsIndex = 100,
        drawn_plies: SupportsIndex = 10,
        temperature: float = 1.0,
        random_plies: SupportsIndex = 0,
        **options: Any,
    ) -> None:
        self.per_move = check_count(simulations, "simulations")
        self.drawn_plies = integer(drawn_plies, "drawn_plies")
        self.random_plies = integer(random_plies, "random_plies")
        self.temperature = float(temperature)
        if not 0 <= self.drawn_plies <= 10**6:
            raise ValueError(f"drawn_plies must be in 0..1000000, not {drawn_plies!r}")
        if not 0 <= self.random_plies <= 100:
            raise ValueError(f"random_plies must be in 0..100, not {random_plies!r}")
        if not 0.01 <= self.temperature <= 100 or math.isnan(self.temperature):
            raise ValueError(f"temperature must be in 0.01..100, not {temperature!r}")
        super().__init__(variant, n, **options)

    def _make(self) -> _core.Trees:
        plays = _core.Plays(*self._arguments())
        plays.begin(self.per_move, self.drawn_plies, self.temperature, self.random_plies)
        self._plays = plays
        return plays

    def set(self, tree: SupportsIndex, board: _core.Board, *, simulations: SupportsIndex) -> None:
        """Refuse: games play themselves.

        Parameters
        ----------
        tree : int
            Not looked at.
        board : Board
            Not looked at.
        simulations : int
            Not looked at.

        Raises
        ------
        TypeError
            Always.
        """
        raise TypeError("games that play themselves choose their positions: use BatchMCTS")

    def set_all(
        self, boards: BatchBoard | _core.Board | None = None, *, simulations: SupportsIndex
    ) -> None:
        """Refuse: games play themselves.

        Parameters
        ----------
        boards : BatchBoard or Board
            Not looked at.
        simulations : int
            Not looked at.

        Raises
        ------
        TypeError
            Always.
        """
        raise TypeError("games that play themselves choose their positions: use BatchMCTS")

    @property
    def n_finished(self) -> int:
        """Games that have ended so far."""
        return self._plays.n_finished

    def take(self) -> Played:
        """Hand out what was seen in games that have ended since the last call.

        Returns
        -------
        Played
            The positions, games one after the other.
        """
        boards, offsets, actions, policy, values, scores, games = self._plays.take()
        lowest = self.variant.scoring_rule.lowest_wins
        outcomes = rewards(scores, "win", lowest_wins=lowest) if len(scores) else values
        return Played(boards, actions, policy, offsets, values, outcomes, scores, games)
