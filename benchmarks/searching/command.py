"""What the search does in a second: the figures of docs/mcts.md, measured in rounds."""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

import blokus_fast as bf
from blokus_fast.search import MCTS, BatchMCTS, SelfPlay

__all__ = ["main"]

DESCRIPTION: Final = """\
Measure the search, on one core where nothing else is said: simulations a CPU second from the first
position, two threads beside one, leaves a second with a network that costs nothing, and how long a
search goes on after it was stopped. With --pentobi the same positions are searched by Pentobi at
its level 7, in turns. Medians of the rounds; keep the machine quiet.
"""

# Our variants as Pentobi names them; its Duo has fixed start squares.
PENTOBI: Final = {"duo": "duo", "classic-2p": "classic_2"}
BATCH: Final = 256


def simulations_a_second(variant: str, simulations: int, **options: Any) -> tuple[float, float]:
    """Return simulations a CPU second, and a second of the clock."""
    mcts = MCTS(variant, seed=1, **options)
    board = bf.Board(variant)
    cpu, wall = time.process_time(), time.perf_counter()
    result = mcts.search(board, simulations=simulations, early_stop=False)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return result.simulations / cpu, result.simulations / wall


def pentobi_simulations(program: str, variant: str) -> float:
    """Return the simulations a CPU second of Pentobi, level 7, from the first position."""
    command = [program, "-g", PENTOBI[variant], "--level", "7", "--nobook", "--threads", "1"]
    before = os.times()
    done = subprocess.run(
        command, input="genmove 1\ngenmove b\nquit\n", capture_output=True, text=True, check=True
    )
    after = os.times()
    counts = [int(number) for number in re.findall(r"\bSim (\d+)", done.stderr + done.stdout)]
    if not counts:
        raise ValueError(f"{program} reports no simulations")
    used = after.children_user + after.children_system
    return sum(counts) / (used - before.children_user - before.children_system)


def leaves_a_second(variant: str) -> float:
    """Return leaves a CPU second, in batches, with planes in bits and priors of nothing."""
    observer = bf.Observer(variant, dtype="bits")
    trees = BatchMCTS(variant, BATCH, seed=1)
    trees.set_all(simulations=200)
    return _evaluate(trees, observer, lambda: False)


def selfplay_leaves(variant: str) -> float:
    """Return leaves a CPU second of games that play themselves."""
    observer = bf.Observer(variant, dtype="bits")
    play = SelfPlay(variant, BATCH, simulations=50, seed=1)
    return _evaluate(play, observer, lambda: play.n_finished >= BATCH)


def _evaluate(trees: BatchMCTS, observer: bf.Observer, done: Callable[[], bool]) -> float:
    players, count, begin = trees.variant.players, 0, time.process_time()
    while not done() and (leaves := trees.collect(BATCH)):
        observer.observe(leaves.boards)
        priors = np.ones(len(leaves.ids), np.float32)
        trees.apply(priors, np.full((len(leaves), players), 1 / players, np.float32))
        count += len(leaves)
    return count / (time.process_time() - begin)


def stop_seconds(threads: int) -> float:
    """Return how long a search with a large tree goes on after `stop`."""
    mcts = MCTS("duo", seed=1, threads=threads, memory=64 * 2**20)
    called: list[float] = []

    def stop() -> None:
        called.append(time.perf_counter())
        mcts.stop()

    timer = threading.Timer(0.5, stop)
    timer.start()
    mcts.search(bf.Board("duo"), seconds=60, early_stop=False)
    return time.perf_counter() - called[0]


def large(simulations: int, memory: int) -> dict[str, Any]:
    """Return what a long search took."""
    mcts = MCTS("duo", seed=1, memory=memory)
    result = mcts.search(bf.Board("duo"), simulations=simulations, early_stop=False)
    return {
        "simulations": result.simulations,
        "seconds": result.seconds,
        "bytes": result.memory,
        "bound": memory,
        "full": result.full,
        "nodes": result.nodes,
        "depth": result.depth,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="search", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5, help="(%(default)s)")
    parser.add_argument("--simulations", type=int, default=50_000, help="(%(default)s)")
    parser.add_argument("--pentobi", metavar="PROGRAM", help="pentobi-gtp, to be measured as well")
    parser.add_argument("--large", type=int, default=0, metavar="N", help="search N once, 10000000")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    chosen = parser.parse_args(arguments)
    figures: dict[str, list[float]] = {}

    def note(name: str, value: float) -> None:
        figures.setdefault(name, []).append(value)

    for number in range(chosen.rounds):
        print(f"round {number + 1} of {chosen.rounds}", file=sys.stderr)
        for variant in ("duo", "classic-2p", "classic"):
            ours = simulations_a_second(variant, chosen.simulations)
            note(f"{variant}: simulations a CPU second", ours[0])
            if variant in PENTOBI and chosen.pentobi:
                theirs = pentobi_simulations(chosen.pentobi, variant)
                note(f"{variant}: Pentobi's", theirs)
                note(f"{variant}: ratio", ours[0] / theirs)
        for variant in ("duo", "classic-2p"):
            # Longer: threads have to wake up first.
            one = simulations_a_second(variant, 4 * chosen.simulations)[1]
            two = simulations_a_second(variant, 4 * chosen.simulations, threads=2)[1]
            note(f"{variant}: two threads beside one, by the clock", two / one)
        note("duo: leaves a CPU second, 256 at once, with planes in bits", leaves_a_second("duo"))
        note("duo: leaves a CPU second in self-play, 50 simulations a move", selfplay_leaves("duo"))
        for threads in (1, 2):
            note(f"ms to stop, {threads} threads", 1e3 * stop_seconds(threads))
    medians: dict[str, Any] = {name: statistics.median(values) for name, values in figures.items()}
    if chosen.large:
        medians["large"] = large(chosen.large, 256 * 2**20)
    if chosen.json:
        print(json.dumps({"kernel": bf.cpu_info()["kernel"], **medians}))
        return 0
    print(f"kernel: {bf.cpu_info()['kernel']}")
    for name, value in medians.items():
        print(f"{name:62}", value if isinstance(value, dict) else f"{value:12,.2f}")
    return 0
