"""The command: play random games in batches, in several ways in turn, and print what they take.

Every way plays whole games of the same seed. Ways take turns, round by round, so that what else
the computer does falls on all of them. "Undisturbed" adds up the fastest of each ply over the
rounds: on a busy computer it shows what the medians would be on a quiet one.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

import blokus_fast as bf

__all__ = ["WAYS", "Arrays", "main", "play"]


@dataclass
class Arrays:
    """What a loop writes to, made once."""

    batch: bf.BatchBoard
    observer: bf.Observer
    actions: np.ndarray = field(init=False)
    mask: np.ndarray = field(init=False)
    ids: np.ndarray = field(init=False)
    offsets: np.ndarray = field(init=False)
    planes: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        """Touch all memory, so that no loop pays for the first use of a page."""
        n = len(self.batch)
        self.actions = np.zeros(n, np.int32)
        self.mask = np.zeros((n, self.batch.n_actions), np.bool_)
        self.ids = np.zeros(2000 * n, np.int32)
        self.offsets = np.zeros(n + 1, np.int64)
        self.planes = np.zeros((n, *self.observer.shape), np.uint8)


def _nothing(arrays: Arrays) -> None:
    pass


def _mask(arrays: Arrays) -> None:
    arrays.batch.legal_mask(arrays.mask)


def _ids(arrays: Arrays) -> None:
    arrays.batch.legal_ids(arrays.ids, arrays.offsets)


def _observe(arrays: Arrays) -> None:
    arrays.batch.observe(arrays.planes, arrays.observer)


# Name, what each ply does beside drawing and stepping, and the number of threads.
WAYS: dict[str, tuple[Callable[[Arrays], None], int]] = {
    "sample + step": (_nothing, 1),
    "sample + step, 2 threads": (_nothing, 2),
    "+ ragged ids": (_ids, 1),
    "+ ragged ids, 2 threads": (_ids, 2),
    "+ mask": (_mask, 1),
    "+ mask, 2 threads": (_mask, 2),
    "+ observation (own, corner, forbidden)": (_observe, 1),
}


@dataclass
class Round:
    """What one round of whole games took."""

    moves: int
    plies: list[float]  # seconds of each ply
    cpu: float  # seconds of all threads together


def play(arrays: Arrays, each_ply: Callable[[Arrays], None], seed: int) -> Round:
    """Play all games of a batch to the end."""
    batch, actions = arrays.batch, arrays.actions
    batch.reset()
    moves = 0
    plies: list[float] = []
    cpu, before = time.process_time(), time.perf_counter()
    while True:
        batch.sample_actions(seed, out=actions)
        drawn = int(np.count_nonzero(actions >= 0))
        if drawn == 0:
            return Round(moves, plies, time.process_time() - cpu)
        each_ply(arrays)
        batch.step(actions)
        moves += drawn
        now = time.perf_counter()
        plies.append(now - before)
        before = now


def _rates(rounds: Sequence[Round]) -> dict[str, float]:
    """Return moves a second: of the median round, by CPU time, and where nothing interfered."""
    moves = rounds[0].moves
    undisturbed = sum(map(min, zip(*(each.plies for each in rounds), strict=True)))
    return {
        "median": moves / statistics.median(sum(each.plies) for each in rounds),
        "cpu": moves / statistics.median(each.cpu for each in rounds),
        "undisturbed": moves / undisturbed,
    }


def _fill_speed(mask: np.ndarray) -> float:
    """Return the bytes a second at which numpy fills the array."""
    begin = time.perf_counter()
    mask.fill(False)
    return mask.nbytes / (time.perf_counter() - begin)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the measurement; return the exit code."""
    parser = argparse.ArgumentParser(prog="batch", description=__doc__)
    parser.add_argument("--variant", default="classic", choices=list(bf.VARIANTS))
    parser.add_argument("--games", type=int, default=4096, help="in a batch (%(default)s)")
    parser.add_argument("--rounds", type=int, default=7, help="to measure (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="write the figures to this file as well")
    chosen = parser.parse_args(arguments)
    if chosen.games < 1 or chosen.rounds < 1:
        parser.error("--games and --rounds must be at least 1")

    batch = bf.BatchBoard(chosen.games, chosen.variant)
    groups = ["own", "corner", "forbidden"]
    arrays = Arrays(batch, bf.Observer(chosen.variant, view="mover", groups=groups))
    found: dict[str, list[Round]] = {name: [] for name in WAYS}
    fills: list[float] = []
    ends = set()
    for _ in range(chosen.rounds):
        for name, (each_ply, threads) in WAYS.items():
            batch.threads = threads
            found[name].append(play(arrays, each_ply, chosen.seed))
            ends.add((found[name][-1].moves, int(batch.keys().sum())))
        fills.append(_fill_speed(arrays.mask))
    if len(ends) != 1:
        raise SystemExit("the ways did not play the same games")

    rates = {name: _rates(rounds) for name, rounds in found.items()}
    gains = {
        name: {
            kind: rates[f"{name}, 2 threads"][kind] / rates[name][kind]
            for kind in ("median", "undisturbed")
        }
        for name in ("sample + step", "+ ragged ids", "+ mask")
    }
    masks, fill = _mask_speed(arrays), max(fills)
    report = {
        "variant": chosen.variant,
        "games": chosen.games,
        "seed": chosen.seed,
        "moves": found["sample + step"][0].moves,
        "kernel": bf.cpu_info()["kernel"],
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "moves_per_second": rates,
        "two_threads": gains,
        "mask_bytes_per_second": masks,
        "fill_bytes_per_second": fill,
    }
    print(f"{chosen.games} games of {chosen.variant}, kernel {report['kernel']}")
    print(f"{'million moves a second':40}{'median':>8}{'by CPU':>8}{'undisturbed':>13}")
    for name, rate in rates.items():
        cells = (rate["median"] / 1e6, rate["cpu"] / 1e6, rate["undisturbed"] / 1e6)
        print(f"{name:40}{cells[0]:8.2f}{cells[1]:8.2f}{cells[2]:13.2f}")
    for name, gain in gains.items():
        print(f"{name + ': 2 threads / 1':40}{gain['median']:8.2f}{gain['undisturbed']:21.2f}")
    print(f"masks alone: {masks / 1e9:.1f} GB/s, {masks / fill:.0%} of what numpy fills with zeros")
    if chosen.json:
        with open(chosen.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=2)
            file.write("\n")
    return 0


def _mask_speed(arrays: Arrays) -> float:
    """Return the bytes a second of writing masks of positions in the middle of games."""
    batch = arrays.batch
    batch.threads = 1
    batch.reset()
    for _ in range(20):
        batch.step(batch.sample_actions(1))
    found = []
    for _ in range(10):
        begin = time.perf_counter()
        batch.legal_mask(arrays.mask)
        found.append(arrays.mask.nbytes / (time.perf_counter() - begin))
    return max(found)


if __name__ == "__main__":
    sys.exit(main())
