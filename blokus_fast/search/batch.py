"""`BatchMCTS`: many tree searches at once, whose priors and values come from outside."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any, Final, SupportsIndex

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast.checking import expect, integer
from blokus_fast.learning.batch import BatchBoard
from blokus_fast.learning.symmetry import symmetries
from blokus_fast.scoring import ScoringRule
from blokus_fast.search.parameters import Parameters, RootRule, check_count
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["NETWORK", "BatchMCTS", "Leaves", "RootRule"]

NETWORK: Final = Parameters(
    exploration=1.25,
    exploration_growth=1.0,
    exploration_base=19652.0,
    unvisited_visits=0.0,
    unvisited_root=False,
    unvisited_reduction=0.0,
    margin=0.0,
    candidates=0,
    expand_visits=1,
)
"""Parameters for networks: those of AlphaZero (Silver et al., 2018)."""


@dataclass(frozen=True, eq=False)
class Leaves:
    """Positions that wait for their evaluation.

    Attributes
    ----------
    boards : BatchBoard, n games
        The positions: observe them with an `Observer`.
    trees : ndarray of int32, shape (n,)
        The tree that each is of.
    ids : ndarray of int32, shape (offsets[-1],)
        Their legal actions, one position after the other.
    offsets : ndarray of int64, shape (n + 1,)
        Where each begins: those of leaf ``i`` are ``ids[offsets[i]:offsets[i + 1]]``.

    Examples
    --------
    >>> from blokus_fast.search import BatchMCTS
    >>> trees = BatchMCTS("duo", 2, seed=1)
    >>> trees.set_all(simulations=10)
    >>> leaves = trees.collect()
    >>> len(leaves), leaves.trees.tolist(), int(leaves.offsets[-1])
    (2, [0, 1], 1656)
    >>> trees.release()
    """

    boards: BatchBoard
    trees: npt.NDArray[np.int32]
    ids: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.trees)

    def mapped(self, which: npt.ArrayLike) -> Leaves:
        """Return the same leaves under symmetries of the variant.

        To average a network over symmetries, evaluate the leaves under each, put the priors
        together (they are in the same order) and the values, as the example shows.

        Parameters
        ----------
        which : int or array_like of int, shape (n,)
            Numbers of symmetries in `blokus_fast.symmetries`, one or one a leaf.

        Returns
        -------
        Leaves
            Images of the positions, with the image of each action in its place. Players keep
            their numbers, but where a symmetry changes them: permute values with
            ``symmetries(variant)[k].players``.

        Examples
        --------
        >>> import numpy as np
        >>> from blokus_fast.search import BatchMCTS
        >>> trees = BatchMCTS("duo", 2, seed=1)
        >>> trees.set_all(simulations=10)
        >>> leaves = trees.collect()
        >>> image = leaves.mapped(1)
        >>> len(image), len(image.ids) == len(leaves.ids)
        (2, True)
        >>> trees.release()
        """
        group = symmetries(self.boards.variant)
        numbers = np.broadcast_to(np.asarray(which, dtype=np.int64), len(self)).copy()
        images = group.apply(self.boards, numbers)
        ids = self.ids.copy()
        for i, number in enumerate(numbers.tolist()):
            part = slice(int(self.offsets[i]), int(self.offsets[i + 1]))
            ids[part] = group[number].map_actions(ids[part])
        return Leaves(images, self.trees, ids, self.offsets)


class BatchMCTS:
    """Many tree searches at once, whose priors and values come from outside: from a network.

    `collect` hands out leaves of all trees as one batch, `apply` takes their evaluations. Between
    the two nothing else happens to the trees.

    Parameters
    ----------
    variant : str or Variant
        The rules.
    n : int
        Number of trees.
    start, scoring : str, optional
        Start and scoring rule, if not the variant's own.
    memory : int
        Bytes that all trees together may take. Where a tree's part is used up, it grows no more.
    seed : int, optional
        Seed of the noise. Default: by chance.
    parameters : Parameters, optional
        Default: `NETWORK`. Those of playouts and endings count for nothing here.
    root : RootRule, optional
        Noise and Gumbel selection at the roots. Default: neither.
    **changes
        Parameters that are other than in `parameters`.

    Raises
    ------
    ValueError
        A name is unknown, or a number is out of its range.

    Examples
    --------
    A network that knows nothing:

    >>> import numpy as np
    >>> from blokus_fast.search import BatchMCTS
    >>> trees = BatchMCTS("duo", 4, seed=1)
    >>> trees.set_all(simulations=20)
    >>> while leaves := trees.collect(64):
    ...     trees.apply(np.ones(len(leaves.ids)), np.full((len(leaves), 2), 0.5))
    >>> trees.simulations.tolist()
    [20, 20, 20, 20]
    """

    def __init__(
        self,
        variant: str | Variant = "classic",
        n: SupportsIndex = 256,
        *,
        start: str | None = None,
        scoring: str | ScoringRule | None = None,
        memory: SupportsIndex = 512 * 2**20,
        seed: SupportsIndex | None = None,
        parameters: Parameters | None = None,
        root: RootRule | None = None,
        **changes: Any,
    ) -> None:
        self.variant = find_variant(variant, start=start, scoring=scoring)
        self.n = integer(n, "n")
        self.memory = integer(memory, "memory")
        self.seed = integer(seed, "seed") if seed is not None else int.from_bytes(os.urandom(8))
        chosen = NETWORK if parameters is None else parameters
        expect(chosen, Parameters, "parameters")
        self.parameters = replace(chosen, **changes) if changes else chosen
        self.root = RootRule() if root is None else root
        expect(self.root, RootRule, "root")
        if not 1 <= self.n <= 2**20:
            raise ValueError(f"n must be in 1..{2**20}, not {n!r}")
        least, largest = 2**12 * self.n, _core.LIMITS["memory"]
        if not least <= self.memory <= largest:
            raise ValueError(
                f"memory must be in {least}..{largest} bytes for {self.n} trees, not {memory!r}"
            )
        self._trees = self._make()

    def _make(self) -> _core.Trees:
        return _core.Trees(*self._arguments())

    def _arguments(self) -> tuple[Any, ...]:
        lowest = self.variant.scoring_rule.lowest_wins
        numbers = self.parameters._numbers(lowest)
        root = self.root._numbers()
        return self.variant._rules(), self.n, numbers, root, self.memory, self.seed % 2**64

    def set(self, tree: SupportsIndex, board: _core.Board, *, simulations: SupportsIndex) -> None:
        """Give one tree a position to search; what it knows below it is kept.

        Parameters
        ----------
        tree : int
            Number of the tree.
        board : Board
            The position; the game must not be over.
        simulations : int
            Simulations to make.

        Raises
        ------
        ValueError
            The game is over, the board is of another variant, or a number is out of its range.
        RuntimeError
            Leaves are out.
        """
        expect(board, _core.Board, "board")
        self._trees.set(self._number(tree), board, check_count(simulations, "simulations"))

    def set_all(
        self, boards: BatchBoard | _core.Board | None = None, *, simulations: SupportsIndex
    ) -> None:
        """Give all trees a position.

        Parameters
        ----------
        boards : BatchBoard or Board, optional
            One a tree, or the same for all. Default: the beginning of a game.
        simulations : int
            Simulations to make.

        Raises
        ------
        ValueError, RuntimeError
            See `set`.
        """
        count = check_count(simulations, "simulations")
        board = _core.Board(self.variant) if boards is None else boards
        if isinstance(board, BatchBoard):
            if len(board) != self.n:
                raise ValueError(f"there are {self.n} trees, and {len(board)} boards")
            if board.done.any():
                over = int(np.flatnonzero(board.done)[0])
                raise ValueError(f"game {over} is over: there is nothing to search")
            for tree in range(self.n):
                self._trees.set(tree, board[tree], count)
            return
        expect(board, (_core.Board, BatchBoard), "boards")
        for tree in range(self.n):
            self._trees.set(tree, board, count)

    def collect(
        self,
        most: SupportsIndex = 256,
        *,
        per_tree: SupportsIndex | None = None,
        ids: npt.NDArray[np.int32] | None = None,
        offsets: npt.NDArray[np.int64] | None = None,
    ) -> Leaves:
        """Hand out the next leaves.

        Parameters
        ----------
        most : int
            How many at most.
        per_tree : int, optional
            How many of one tree; visits that are under way count as lost (virtual loss). Default:
            as many as it takes to fill the batch.
        ids : ndarray of int32, optional
            Array to write the legal actions into, with room for all of them; `Leaves.ids` is its
            first part. Default: a new one.
        offsets : ndarray of int64, optional
            Likewise for where each leaf's begin, with room for `most` + 1.

        Returns
        -------
        Leaves
            The leaves; none if all trees have made their simulations. Write their planes into an
            array of your own with ``observer.observe(leaves.boards, out=...)``.

        Raises
        ------
        RuntimeError
            The last ones are still out.
        ValueError
            An array is not of its type, not contiguous, or has not enough room; no leaves are out
            then.

        Examples
        --------
        >>> import numpy as np
        >>> from blokus_fast.search import BatchMCTS
        >>> trees = BatchMCTS("duo", 2, seed=1)
        >>> trees.set_all(simulations=10)
        >>> ids, offsets = np.empty(10_000, np.int32), np.empty(257, np.int64)
        >>> leaves = trees.collect(256, ids=ids, offsets=offsets)
        >>> leaves.ids.base is ids, leaves.offsets.tolist()
        (True, [0, 828, 1656])
        >>> trees.release()
        """
        count = check_count(most, "most")
        each = -(-count // self.n) if per_tree is None else check_count(per_tree, "per_tree")
        return Leaves(*self._trees.collect(count, min(each, 2**30), ids, offsets))

    def apply(self, priors: npt.ArrayLike, values: npt.ArrayLike, *, logits: bool = False) -> None:
        """Take the evaluations of the leaves that were handed out.

        Parameters
        ----------
        priors : array_like of float32, shape (offsets[-1],)
            Of the legal actions, in the order of `Leaves.ids`; 0 or more. They are divided by
            their sum.
        values : array_like of float32, shape (n, n_players)
            The share of the win that each player may expect, 0 to 1.
        logits : bool
            Whether `priors` are logits, of which the softmax is taken for each leaf.

        Raises
        ------
        ValueError
            A shape does not fit, or a number is not finite or out of its range. The leaves are
            still out then: mend it, or `release` them. Or there is no room for a root: all other
            leaves were taken then.
        """
        given = np.ascontiguousarray(priors, dtype=np.float32)
        shares = np.ascontiguousarray(values, dtype=np.float32)
        if given.ndim != 1 or shares.ndim != 2:
            raise ValueError(
                f"priors must have one dimension and values two, not {given.ndim} and {shares.ndim}"
            )
        self._trees.apply(given, shares, bool(logits))

    def release(self) -> None:
        """Take back the leaves that were handed out, without evaluations."""
        self._trees.release()

    @property
    def simulations(self) -> npt.NDArray[np.int64]:
        """Simulations that each tree has made since its position was set."""
        return self._trees.simulations()

    def move(self, tree: SupportsIndex) -> int:
        """Return the best move of a tree.

        Parameters
        ----------
        tree : int
            Number of the tree.

        Returns
        -------
        int
            The most visited move; with `RootRule.considered` the one that sequential halving
            ended with.

        Raises
        ------
        ValueError
            Its root has not been evaluated yet.
        """
        move = self._trees.move(self._number(tree))
        if move < 0:
            raise ValueError(f"nothing is known of tree {tree} yet: its root is not evaluated")
        return move

    def moves(self) -> npt.NDArray[np.int32]:
        """Return the best moves of all trees, see `move`.

        Returns
        -------
        ndarray of int32, shape (n,)
            A move a tree.
        """
        return np.array([self.move(tree) for tree in range(self.n)], np.int32)

    def table(self, tree: SupportsIndex) -> dict[str, npt.NDArray[Any]]:
        """Return what a tree knows of the moves at its root.

        Parameters
        ----------
        tree : int
            Number of the tree.

        Returns
        -------
        dict of str to ndarray
            ``moves`` int32 (n,), ``visits`` int64 (n,), ``values`` float32 (n, n_players; NaN
            without visits), ``priors`` float32 (n,) and ``policy`` float32 (n,): what to teach a
            network, the share of the visits, or with `RootRule.considered` the improved policy.
        """
        number = self._number(tree)
        found = self._trees.root(number, self.root.considered > 0)
        return dict(zip(("moves", "visits", "values", "priors", "policy"), found, strict=True))

    def _number(self, tree: SupportsIndex) -> int:
        number = integer(tree, "tree")
        if not 0 <= number < self.n:
            raise IndexError(f"tree {number} is not in 0..{self.n - 1}")
        return number

    def __repr__(self) -> str:
        """Return the rules and the number of trees."""
        return f"<{type(self).__name__} {self.variant.name}: n={self.n}, memory={self.memory:,}>"
