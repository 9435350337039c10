"""Times calls from Python on the very positions of bench_core; prints nanoseconds as JSON.

The games are played as bench_core plays them: same generator, seed and order, so the same moves.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable

import numpy as np

import blokus_fast as bf

SEED = 2026
MIN_POSITIONS = 1500
_WORD = 2**64 - 1


def _mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _WORD
    return z ^ (z >> 31)


class Generator:
    """The random numbers of src/kernels/rng.h, stream 0."""

    def __init__(self, seed: int) -> None:
        self.state = _mix(seed) ^ _mix(0x632BE59BD9B4E019)

    def below(self, n: int) -> int:
        """Return a number below n."""
        while True:
            self.state = (self.state + 0x9E3779B97F4A7C15) & _WORD
            product = (_mix(self.state) >> 32) * n
            if product & 0xFFFFFFFF >= 2**32 % n:
                return product >> 32


def positions(variant: str) -> list[bf.Board]:
    """Return the positions of bench_core."""
    generator = Generator(SEED)
    found: list[bf.Board] = []
    while len(found) < MIN_POSITIONS:
        board = bf.Board(variant)
        while not board.is_game_over:
            found.append(board.copy())
            ids = board.legal_ids()
            board.push_unchecked(int(ids[generator.below(len(ids))]))
    return found


def _time(visit: Callable[[], None], n: int) -> float:
    visit()  # what ran before it has filled the caches with something else
    start = time.thread_time_ns()
    visit()
    return (time.thread_time_ns() - start) / n


def measure(variant: str, rounds: int) -> dict[str, float]:
    """Time every case once a round; return medians in ns a call, less the empty loop."""
    boards = positions(variant)
    rng = random.Random(1)
    buffer = np.empty(40000, np.uint16)
    lists = [board.legal_ids for board in boards]
    masks = [board.legal_mask for board in boards]
    counts = [board.count_legal for board in boards]
    copies = [board.copy for board in boards]
    both = [
        (board.push, board.pop, rng.choice(board.legal_moves))
        for board in boards
        if board.legal_moves
    ]
    ready = [0] * round(sum(ask() for ask in counts) / len(boards))

    def empty() -> None:
        for _ in lists:
            pass

    def empty_pairs() -> None:
        for _push, _pop, _move in both:
            pass

    def legal_ids() -> None:
        for ask in lists:
            ask(buffer)

    def new_ids() -> None:
        for ask in lists:
            ask()

    def new_mask() -> None:
        for ask in masks:
            ask()

    def count() -> None:
        for ask in counts:
            ask()

    def copy() -> None:
        for ask in copies:
            ask()

    def bare_copy() -> None:
        for ask in copies:
            ask(stack=False)

    def push_pop() -> None:
        for push, pop, move in both:
            push(move)
            pop()

    def loop() -> None:
        for board in boards:
            for _ in board.legal_moves:
                pass

    def loop_over_array() -> None:
        for ask in lists:
            for _ in ask().tolist():
                pass

    def loop_over_list() -> None:
        for _ in lists:
            for _ in ready:
                pass

    def slices() -> None:
        for board in boards:
            board.legal_moves[:]

    cases: dict[str, tuple[Callable[[], None], Callable[[], None]]] = {
        "legal_ids(out=)": (legal_ids, empty),
        "legal_ids()": (new_ids, empty),
        "legal_mask()": (new_mask, empty),
        "count_legal": (count, empty),
        "push + pop": (push_pop, empty_pairs),
        "copy": (copy, empty),
        "copy(stack=False)": (bare_copy, empty),
        "loop over legal_moves": (loop, empty),
        "loop over legal_ids().tolist()": (loop_over_array, empty),
        "loop over a list of as many": (loop_over_list, empty),
        "legal_moves[:]": (slices, empty),
    }
    times: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, (visit, nothing) in cases.items():
            times[name].append(_time(visit, len(boards)) - _time(nothing, len(boards)))
    found = {name: statistics.median(values) for name, values in times.items()}
    found["mean_moves"] = sum(ask() for ask in counts) / len(boards)
    found["positions"] = len(boards)
    return found


def main(arguments: Iterable[str]) -> None:
    """Measure the variants named behind the number of rounds."""
    rounds, *variants = arguments
    times = {variant: measure(variant, int(rounds)) for variant in variants}
    print(json.dumps({"kernel": bf.cpu_info()["kernel"], "variants": times}))


if __name__ == "__main__":
    main(sys.argv[1:])
