"""What tests of the search share: positions to search, results compared, evaluations for leaves."""

import numpy as np
import numpy.typing as npt

import blokus_fast as bf
from blokus_fast.search import BatchMCTS, Leaves, SearchResult
from blokus_fast.variants import Variant


def played(variant: str | Variant, plies: int, seed: int = 1) -> bf.Board:
    """Return a board after some moves by chance."""
    rng = np.random.default_rng(seed)
    board = bf.Board(variant)
    for _ in range(plies):
        if board.is_game_over:
            break
        board.push(int(rng.choice(board.legal_ids())))
    return board


def near_the_end(variant: str | Variant, most: int, seed: int = 1) -> bf.Board:
    """Return the first position of a game by chance in which at most so many moves are legal."""
    rng = np.random.default_rng(seed)
    board = bf.Board(variant)
    while not board.is_game_over:
        counts = [board.count_legal(color=c) for c in range(board.n_colors)]
        if sum(counts) <= most:
            return board
        board.push(int(rng.choice(board.legal_ids())))
    raise AssertionError("no such position in this game")


def same(one: SearchResult, other: SearchResult) -> bool:
    """Say whether two results are the same but for their times."""
    arrays = ("moves", "visits", "values", "scores", "priors", "proven", "value", "score")
    return one.pv == other.pv and all(
        np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name != "proven")
        for name in arrays
    )


def knows_nothing(leaves: Leaves, players: int) -> tuple[npt.NDArray, npt.NDArray]:
    """Return the evaluation of a network that knows nothing."""
    return np.ones(len(leaves.ids)), np.full((len(leaves), players), 1 / players)


def by_score(leaves: Leaves) -> tuple[npt.NDArray, npt.NDArray]:
    """Return an evaluation by the scores so far, and logits by the piece."""
    scores = leaves.boards.scores().astype(float)
    values = np.exp(scores / 10)
    values /= values.sum(axis=1, keepdims=True)
    return (leaves.ids % 1000) / 500, values


def run_trees(trees: BatchMCTS, most: int = 64) -> int:
    """Give the trees values by score until they want no more; return how many leaves there were."""
    total = 0
    while leaves := trees.collect(most):
        assert len(leaves) <= most
        total += len(leaves)
        priors, values = by_score(leaves)
        trees.apply(priors, values, logits=True)
    return total
