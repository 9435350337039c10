"""Fit the move prior to the moves that a search has thought the best.

Run: ``python training/fit.py NAME OUTPUT.json FOLDER...``, with folders that the command
``blokus-fast selfplay`` has filled, or single shards. The loss is the cross-entropy of the softmax
over the legal moves, with a penalty on how far the weights go from zero, or from those that
``--start`` names: what games say beyond those that these were learnt from, so that fewer suffice. A
tenth of the games is held out to see how well it does on others. Needs pyarrow, scipy and numba.
docs/selfplay.md tells what comes before and after.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from numba import njit
from scipy.optimize import minimize

from blokus_fast import _core
from blokus_fast.search import Weights, load_weights
from blokus_fast.selfplay import Positions, read

ONE = 1024
SHAPES = {"piece": (8, 21), "square": (8, 3, 128), "gained": (8, 9), "taken": (8, 6)}
TERMS = 28
BATCH = 4096


@dataclass
class Data:
    """Positions one after the other: their moves' terms, where each begins, what is best."""

    terms: npt.NDArray[np.int16]
    starts: npt.NDArray[np.int64]
    played: npt.NDArray[np.int64]


def split_games(
    source: Sequence[Path], most: int
) -> tuple[list[Positions], list[Positions], int, int]:
    """Read what was searched of the last games; a tenth of the games, but one at least, is apart.

    Returns what to learn from, what is held out, and how many games each has.
    """
    reader = read(source, BATCH, searched=True)
    if reader.variant.draft:
        raise SystemExit("Draft has no move prior of its own: in it a move is more than a color's")
    batches = list(reader)
    # A game's number says nothing where there are several runs; its seed does.
    order: dict[int, None] = {}
    for batch in batches:
        order |= dict.fromkeys(batch.seeds.tolist())
    seeds = list(order)[-most:]
    if len(seeds) < 2:
        raise SystemExit("there must be two games at least: one is held out")
    held = max(len(seeds) // 10, 1)
    parts = []
    for part in (seeds[held:], seeds[:held]):
        wanted = np.array(part, np.uint64)
        parts.append([batch.take(np.isin(batch.seeds, wanted)) for batch in batches])
    return parts[0], parts[1], len(seeds) - held, held


def collect(batches: Sequence[Positions]) -> Data:
    """Look at every position in which there was a choice."""
    terms, lengths, played = [np.zeros((0, TERMS), np.int16)], [], []
    for batch in batches:
        boards = batch.boards
        for i, best in enumerate(batch.best.tolist()):
            board = boards[i]
            moves, of_moves = _core._prior_terms(board, board.turn)
            found = np.flatnonzero(moves == best)
            if len(found) and len(moves) > 1:
                terms.append(of_moves)
                lengths.append(len(moves))
                played.append(int(found[0]))
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Data(np.concatenate(terms), starts, starts[:-1] + np.array(played, np.int64))


@njit(cache=True)
def _loss(
    weights: npt.NDArray[np.float32],
    terms: npt.NDArray[np.int16],
    starts: npt.NDArray[np.int64],
    played: npt.NDArray[np.int64],
    gradient: npt.NDArray[np.float64],
) -> float:
    """Add up the cross-entropy of all positions, and its gradient."""
    total = 0.0
    logits = np.empty(1 << 16, np.float32)
    for position in range(len(starts) - 1):
        begin, end = starts[position], starts[position + 1]
        best = np.float32(-1e30)
        for move in range(begin, end):
            logit = np.float32(0)
            for k in range(terms.shape[1]):
                logit += weights[terms[move, k]]
            logits[move - begin] = logit
            best = max(best, logit)
        summed = 0.0
        for i in range(end - begin):
            summed += math.exp(logits[i] - best)
        total += math.log(summed) + best - logits[played[position] - begin]
        for move in range(begin, end):
            share = math.exp(logits[move - begin] - best) / summed
            if move == played[position]:
                share -= 1
            for k in range(terms.shape[1]):
                gradient[terms[move, k]] += share
    return total


def loss(weights: npt.NDArray[np.float64], data: Data) -> tuple[float, npt.NDArray[np.float64]]:
    """Return the mean cross-entropy and its gradient."""
    padded = np.append(weights, 0.0).astype(np.float32)
    gradient = np.zeros(len(padded))
    n = len(data.played)
    value = _loss(padded, data.terms, data.starts, data.played, gradient) / n
    return value, gradient[: len(weights)] / n


def join(weights: Weights) -> npt.NDArray[np.float64]:
    """Turn weights into a vector, in nats."""
    # What is behind these is the weight of a pass, which no game shows.
    arrays = [weights.arrays[key].ravel() for key in (*SHAPES, "pass")]
    return np.concatenate(arrays) / ONE


def fit(
    train: Data, held: Data, penalty: float, start: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return the weights, in nats."""

    def objective(w: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        value, gradient = loss(w, train)
        way = w - start
        return value + penalty * float(way @ way), gradient + 2 * penalty * way

    before = loss(start, held)[0]
    found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": 120})
    on_train, on_held = loss(found.x, train)[0], loss(found.x, held)[0]
    print(f"{found.nit} steps; loss {on_train:.4f}, held out {on_held:.4f}, before it {before:.4f}")
    return np.asarray(found.x)


def split(weights: npt.NDArray[np.float64], name: str, origin: str) -> Weights:
    """Turn a vector into weights."""
    arrays, at = {}, 0
    numbers = np.clip(np.rint(weights * ONE), -16000, 16000).astype(np.int32)
    for key, shape in SHAPES.items():
        size = int(np.prod(shape))
        arrays[key] = numbers[at : at + size].reshape(shape)
        at += size
    arrays["pass"] = np.array([-4 * ONE], np.int32)
    return Weights(arrays, name, origin)


def main() -> None:
    """Read the arguments, fit, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("output", type=Path)
    parser.add_argument("games", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--penalty", type=float, default=2e-5)
    parser.add_argument("--most", type=int, default=3000, help="games, the last ones")
    parser.add_argument("--origin", default="")
    parser.add_argument("--start", type=Path, help="weights to begin with; default: all zero")
    args = parser.parse_args()
    start = join(load_weights(args.start)) if args.start else np.zeros(_core.N_WEIGHTS)
    train, held, n_train, n_held = split_games(args.games, args.most)
    data, others = collect(train), collect(held)
    games = n_train + n_held
    print(f"{games} games, {len(data.played)} positions, {len(data.terms)} moves")
    weights = fit(data, others, args.penalty, start)
    split(weights, args.name, args.origin or f"{games} games").save(args.output)


if __name__ == "__main__":
    main()
