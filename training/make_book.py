"""Make a book of openings by deep searches.

Run: ``python training/make_book.py VARIANT FOLDER OUTPUT.json --positions 500``. From the first
position on, for each player as the owner of the book: where the owner moves, the best move is
followed; where others do, all that are likely. The most likely position that was not searched yet
is searched next, sixteen at a time. Every search is appended to FOLDER/searches.jsonl, and the same
command goes on where it stopped; with more positions it makes the book larger. How many workers
there are does not matter to what comes out.
"""

from __future__ import annotations

import argparse
import heapq
import json
import sys
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import blokus_fast as bf
from blokus_fast.search import MCTS, Weights, default_weights, load_weights
from blokus_fast.search.book import Book, canonical

AT_ONCE = 16
# Others may think otherwise: half by visits, half by a prior that is softened this much.
SOFTENED = 0.5
# A move that is less likely is not followed.
LEAST_SHARE = 0.01


@dataclass(frozen=True)
class Task:
    """A position to search: the moves that lead there."""

    variant: str
    moves: tuple[int, ...]
    simulations: int
    weights: Weights
    seed: int


def board_after(variant: str, moves: tuple[int, ...]) -> bf.Board:
    """Return the position that moves lead to."""
    board = bf.Board(variant)
    for move in moves:
        board.push(move)
    return board


def look(task: Task) -> dict[str, Any]:
    """Search a position; moves and book are those of its canonical form."""
    board = board_after(task.variant, task.moves)
    key, ways = canonical(board)
    search = MCTS(task.variant, weights=task.weights, seed=task.seed ^ zlib.crc32(key.encode()))
    result = search.search(board, simulations=task.simulations, early_stop=False)
    prior = np.maximum(result.priors, 1e-9) ** SOFTENED
    shares = result.visits / max(int(result.visits.sum()), 1) / 2 + prior / prior.sum() / 2
    order = np.argsort(-shares, kind="stable")
    order = order[shares[order] >= LEAST_SHARE]
    actions = ways[0].actions
    return {
        "position": key,
        "best": int(actions[result.move]),
        "value": round(float(result.value[board.player]), 4),
        "replies": [[int(actions[result.moves[i]]), round(float(shares[i]), 4)] for i in order],
    }


@dataclass(order=True)
class Wanted:
    """A position that may be reached, most likely first, then in the order they were found."""

    less_likely: float
    number: int
    owner: int = field(compare=False)
    moves: tuple[int, ...] = field(compare=False)


class Explorer:
    """Which positions are searched next."""

    def __init__(self, variant: str, plies: int) -> None:
        self.variant = variant
        self.plies = plies
        self.found = 0
        players = bf.variant(variant).players
        self.heap = [Wanted(-1.0, i, i, ()) for i in range(players)]
        self.waiting: dict[str, list[Wanted]] = {}
        self.seen: set[tuple[int, str]] = set()

    def next(self, known: dict[str, dict[str, Any]]) -> tuple[int, ...] | None:
        """Return the moves to the likeliest position that is not known, and is not waited for."""
        while self.heap:
            wanted = heapq.heappop(self.heap)
            board = board_after(self.variant, wanted.moves)
            if board.is_game_over or len(wanted.moves) >= self.plies:
                continue
            key = canonical(board)[0]
            if (wanted.owner, key) in self.seen:
                continue
            self.seen.add((wanted.owner, key))
            if key in known:
                self.follow(wanted, known[key])
            elif key in self.waiting:
                self.waiting[key].append(wanted)
            else:
                self.waiting[key] = [wanted]
                return wanted.moves
        return None

    def take(self, known: dict[str, dict[str, Any]]) -> None:
        """Follow those that were waited for."""
        for key, several in self.waiting.items():
            for wanted in several:
                self.follow(wanted, known[key])
        self.waiting = {}

    def follow(self, wanted: Wanted, entry: dict[str, Any]) -> None:
        """Add what may come behind a position."""
        board = board_after(self.variant, wanted.moves)
        back = canonical(board)[1][0].inverse.actions
        own = board.player == wanted.owner
        for move, share in [(entry["best"], 1.0)] if own else entry["replies"]:
            self.found += 1
            likely = wanted.less_likely * share
            moves = (*wanted.moves, int(back[move]))
            heapq.heappush(self.heap, Wanted(likely, self.found, wanted.owner, moves))


def read_searches(file: Path) -> dict[str, dict[str, Any]]:
    """Return what was searched before; a line that was cut off is left out."""
    known = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        known[entry["position"]] = entry
    return known


def batches(args: argparse.Namespace, known: dict[str, dict[str, Any]]) -> Iterator[list[Task]]:
    """Yield what to search next, until there are enough."""
    weights = (
        default_weights(bf.variant(args.variant)) if args.weights is None
        else load_weights(args.weights)
    )  # fmt: skip
    explorer = Explorer(args.variant, args.plies)
    used = 0
    while used < args.positions:
        tasks: list[Task] = []
        while len(tasks) < AT_ONCE:
            moves = explorer.next(known)
            if moves is None:
                break
            tasks.append(Task(args.variant, moves, args.simulations, weights, args.seed))
        if not tasks:
            return
        used = len(known) + len(tasks)
        yield tasks
        explorer.take(known)


def main() -> None:
    """Read the arguments, search, and write the book."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("variant")
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--simulations", type=int, default=300_000, help="a position")
    parser.add_argument("--plies", type=int, default=10, help="no position after so many")
    parser.add_argument("--weights", type=Path, help="default: those shipped")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, help="processes; default: one a processor")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    file = args.folder / "searches.jsonl"
    known = read_searches(file)
    began, before = time.monotonic(), len(known)
    try:
        with (
            ProcessPoolExecutor(args.workers) as pool,
            file.open("a", encoding="utf-8") as out,
        ):
            for tasks in batches(args, known):
                for done in as_completed([pool.submit(look, task) for task in tasks]):
                    entry = done.result()
                    known[entry["position"]] = entry
                    out.write(json.dumps(entry) + "\n")
                    out.flush()
                each = (time.monotonic() - began) / (len(known) - before)
                left = each * max(args.positions - len(known), 0)
                print(f"{len(known)} positions, {left / 60:.0f} min left", flush=True)
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on")
    origin = f"{args.simulations} simulations a position, seed {args.seed}"
    moves = {key: entry["best"] for key, entry in known.items()}
    Book(args.variant, moves, origin).save(args.output)


if __name__ == "__main__":
    main()
