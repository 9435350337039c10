"""What self-play costs: the figures of docs/selfplay.md, measured in rounds."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import blokus_fast as bf
from blokus_fast import files
from blokus_fast.search import MCTS
from blokus_fast.selfplay import Positions, Settings, read, run, shards
from blokus_fast.selfplay.playing import Game, GamePlayer
from blokus_fast.selfplay.running import Task, play_shard

__all__ = ["main"]

DESCRIPTION: Final = """\
Measure self-play in Duo: games an hour beside a search that makes the same games and keeps nothing,
in turns and by CPU time; bytes on the disk; positions read a second by CPU time and by the clock;
and what two workers gain over one by the clock, which tells something on a quiet machine only.
Medians of the rounds.
"""

BATCH: Final = 4096
# In what ways shards are read, and whether positions are made as boards.
WAYS: Final[dict[str, tuple[dict[str, Any], bool]]] = {
    "as played": ({}, False),
    "shuffled": ({"shuffle": 1}, False),
    "shuffled, under symmetries": ({"shuffle": 1, "symmetries": "random"}, False),
    "as played, with boards": ({}, True),
}


def cpu_of(work: Callable[[], object]) -> float:
    """Return the CPU seconds of some work in this process."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def search_alone(settings: Settings, games: Sequence[Game]) -> None:
    """Search the positions of games that are known, and keep nothing."""
    mcts = MCTS(settings.rules, root=settings.root)
    simulations = int(settings.bot.partition("=")[2])
    for game in games:
        board = bf.Board(settings.rules)
        mcts.clear(seed=game.seed)
        for ply, move in enumerate(game.moves):
            if ply >= game.n_random:
                mcts.search(board, simulations=simulations, early_stop=False)
            board.push(move)


def play_and_write(settings: Settings, shard: int, folder: Path) -> bytes:
    """Do what a run does for a shard: the work of a worker, and of who writes."""
    data = play_shard(Task(settings, shard)).data
    files.write_file(shards.shard_path(folder, shard), data)
    return data


def share_of_the_search(settings: Settings, shard: int, folder: Path, first: bool) -> float:
    """Return games an hour of self-play, over those of its search alone."""
    player = GamePlayer(settings)
    games = [player.play(number) for number in settings.games_of(shard)]
    seconds: dict[bool, float] = {}
    for own in (first, not first):
        if own:
            seconds[own] = cpu_of(lambda: play_and_write(settings, shard, folder))
        else:
            seconds[own] = cpu_of(lambda: search_alone(settings, games))
    return seconds[False] / seconds[True]


def positions_a_second(folder: Path, rounds: int, way: str) -> tuple[float, float]:
    """Return positions read a CPU second, and a second of the clock, medians."""
    options, with_boards = WAYS[way]

    def use(batch: Positions) -> int:
        return len(batch.boards) if with_boards else len(batch)

    cpus, walls = [], []
    for _ in range(rounds):
        reader = read(folder, BATCH, **options)
        cpu, wall = time.process_time(), time.perf_counter()
        total = sum(use(batch) for batch in reader)
        cpus.append(total / (time.process_time() - cpu))
        walls.append(total / (time.perf_counter() - wall))
    return statistics.median(cpus), statistics.median(walls)


def fill(settings: Settings, folder: Path, copies: int) -> None:
    """Fill a folder with a run, and with copies of its shards: it is reading that is measured."""
    shards.take(folder, settings)
    for shard in range(settings.n_shards):
        data = play_and_write(settings, shard, folder)
        for copy in range(1, copies):
            place = shard + copy * settings.n_shards
            shards.shard_path(folder, place).write_bytes(data)


def workers_gain(settings: Settings, folder: Path) -> tuple[float, float]:
    """Return what two workers gain by the clock, and their CPU seconds over those of one."""
    seconds, cpu = [], []
    for workers in (1, 2):
        done = run(settings, folder / str(workers), workers=workers)
        seconds.append(done.seconds)
        cpu.append(done.cpu_seconds)
    return seconds[0] / seconds[1], cpu[1] / cpu[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="selfplay",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=int, default=5, help="(%(default)s)")
    parser.add_argument(
        "--simulations", type=int, nargs="+", default=[100, 400], help="a move (%(default)s)"
    )
    parser.add_argument("--games", type=int, default=100, help="in a shard (%(default)s)")
    parser.add_argument(
        "--copies", type=int, default=20, help="of each shard, to be read (%(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    chosen = parser.parse_args(arguments)
    figures: dict[str, float] = {}
    for simulations in chosen.simulations:
        settings = Settings(
            "duo", f"mcts:sims={simulations}", seed=1,
            games=chosen.games * chosen.rounds, games_per_shard=chosen.games,
        )  # fmt: skip
        print(f"{simulations} simulations a move", file=sys.stderr)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            # Once for nothing: what is imported and filled at the first time is no cost of games.
            play_shard(Task(settings.with_games(1), 0))
            shares = [
                share_of_the_search(settings, shard, folder, first=shard % 2 == 0)
                for shard in range(chosen.rounds)
            ]
            key = f"{simulations} simulations"
            figures[f"{key}: games an hour beside the search alone"] = statistics.median(shares)
            fill(settings, folder / "read", chosen.copies)
            reader = read(folder / "read")
            size = sum(each.path.stat().st_size for each in reader.shards)
            figures[f"{key}: positions read"] = reader.n_positions
            figures[f"{key}: MB a million positions"] = size / reader.n_positions
            for way in WAYS:
                cpu, wall = positions_a_second(folder / "read", chosen.rounds, way)
                figures[f"{key}: read a CPU second, {way}"] = cpu
                figures[f"{key}: read a second, {way}"] = wall
            gain, cpu = workers_gain(settings, folder)
            figures[f"{key}: two workers beside one, by the clock"] = gain
            figures[f"{key}: CPU time of two workers, over that of one"] = cpu
    if chosen.json:
        print(json.dumps({"kernel": bf.cpu_info()["kernel"], **figures}))
        return 0
    print(f"kernel: {bf.cpu_info()['kernel']}")
    for name, value in figures.items():
        print(f"{name:62} {value:14,.3f}" if value < 100 else f"{name:62} {value:14,.0f}")
    return 0
