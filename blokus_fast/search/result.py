"""What a search has found: `SearchResult`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from blokus_fast.variants import Variant
from blokus_fast.words import counted

__all__ = ["SearchResult"]


@dataclass(frozen=True, eq=False, repr=False)
class SearchResult:
    """What a search has found. The moves of the root come with the most visited ones first.

    Attributes
    ----------
    variant : Variant
        The rules.
    player, turn : int
        Who decides at the root, and the color to move (-1 where a player may choose, in Draft).
    move : int
        The best move: the most visited one, unless a proven one is better.
    moves : ndarray of int32, shape (n,)
        The legal moves.
    visits : ndarray of int64, shape (n,)
        Simulations that followed each; those of earlier searches are included where the tree was
        kept.
    values : ndarray of float32, shape (n, n_players)
        The share of the win that each player may expect, 0 to 1, with what `Parameters.margin`
        makes of the margin; NaN where there were no visits, neither in this search nor in earlier
        ones whose tree was kept. Of a move with a single visit from an earlier search, with three
        players or more, only that of `player` is known.
    scores : ndarray of float32, shape (n, n_players)
        The final score that each player may expect; NaN where there were no visits, or none that
        knew it: where the value function has judged all of them, there was no playout.
    priors : ndarray of float32, shape (n,)
        What was thought of the moves before the search; the sum is 1.
    proven : ndarray of bool, shape (n,)
        Whether value and score are exact: what best play leads to.
    pv : list of int
        The principal variation, from the best move on.
    value, score : ndarray of float32, shape (n_players,)
        What each player may expect of the position.
    solved : bool
        Whether these two are exact.
    simulations, reused : int
        Simulations of this search, and visits of the root that were there before it.
    seconds : float
        How long it took.
    depth : int
        Moves to the deepest leaf.
    nodes, memory : int
        Positions in the tree, and bytes that it takes.
    full : bool
        Whether the memory was used up: then the tree grows no more, and simulations go on from
        the leaves that it has.
    stopped : str
        Why the search ended: ``"simulations"``, ``"time"``, ``"decided"`` (nothing that was left
        could change the best move), ``"stop"``, ``"interrupt"``, ``"solved"``, ``"only move"``; or
        ``"running"``.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.search import MCTS
    >>> board = bf.Board("duo")
    >>> result = MCTS("duo", seed=1).search(board, simulations=200, early_stop=False)
    >>> board.is_legal(result.move), result.pv[0] == result.move
    (True, True)
    >>> int(result.visits.sum()), result.simulations, result.stopped
    (200, 200, 'simulations')
    """

    variant: Variant
    player: int
    turn: int
    move: int
    moves: npt.NDArray[np.int32]
    visits: npt.NDArray[np.int64]
    values: npt.NDArray[np.float32]
    scores: npt.NDArray[np.float32]
    priors: npt.NDArray[np.float32]
    proven: npt.NDArray[np.bool_]
    pv: list[int]
    value: npt.NDArray[np.float32]
    score: npt.NDArray[np.float32]
    solved: bool
    simulations: int
    reused: int
    seconds: float
    depth: int
    nodes: int
    memory: int
    full: bool
    stopped: str

    @property
    def share(self) -> npt.NDArray[np.float32]:
        """Part of the visits that went to each move; zeros before the first one."""
        total = max(int(self.visits.sum()), 1)
        return (self.visits / total).astype(np.float32)

    def table(self, n: int = 5) -> list[dict[str, Any]]:
        """Return the best moves as plain data.

        Parameters
        ----------
        n : int
            How many; there may be fewer.

        Returns
        -------
        list of dict
            ``move``, ``visits``, ``share``, ``value`` and ``score`` of the player who decides
            (None where `values` and `scores` have NaN), ``prior``, ``proven``; the first one is
            `move`.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.search import MCTS
        >>> result = MCTS("duo", seed=1).search(bf.Board("duo"), simulations=200)
        >>> [row["move"] for row in result.table(2)] == result.moves[:2].tolist()
        True
        """
        order = sorted(range(len(self.moves)), key=lambda i: int(self.moves[i]) != self.move)
        share = self.share
        return [
            {
                "move": int(self.moves[i]),
                "visits": int(self.visits[i]),
                "share": float(share[i]),
                "value": _known(self.values[i, self.player]),
                "score": _known(self.scores[i, self.player]),
                "prior": float(self.priors[i]),
                "proven": bool(self.proven[i]),
            }
            for i in order[: max(n, 0)]
        ]

    def __repr__(self) -> str:
        """Return the figures that matter most."""
        return (
            f"<SearchResult {self.variant.name}: move {self.move}, "
            f"{counted(self.simulations, 'simulation', ',')} in {self.seconds:.2f} s, "
            f"value {float(self.value[self.player]):.2f}, {self.stopped}>"
        )


def _known(value: np.float32) -> float | None:
    """Return a number, if it is one."""
    return None if np.isnan(value) else float(value)
