"""Learn the weights of a search by self-play, generation after generation.

Run: ``python training/learn.py VARIANT FOLDER --hours 1``. Each generation plays games with the
weights of the best one so far, fits a move prior and a value function to the games of the last
generations, beginning with those weights, and lets them play the old ones; they are kept if they
are stronger. Everything is in the folder, step by step, and the same command goes on where it
stopped, after days as well as after a moment:

    FOLDER/000/games     shards of self-play
    FOLDER/000/prior.json, weights.json, arena/
    FOLDER/generations.jsonl   a line a generation
    FOLDER/curve.svg     their strength

docs/strength.md tells what came of it. Needs the extras `selfplay`, `arena`, `learn` and `numba`,
and scipy.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import blokus_fast as bf
from blokus_fast import selfplay
from blokus_fast.arena import run as play
from blokus_fast.search import default_weights, load_weights

HERE = Path(__file__).resolve().parent


def lines(folder: Path) -> list[dict[str, Any]]:
    """Return what is known of the generations that are done."""
    file = folder / "generations.jsonl"
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def best_weights(folder: Path, first: Path | None) -> Path | None:
    """Return the file of the last weights that were kept; None: those that are shipped."""
    kept = [line["generation"] for line in lines(folder) if line["kept"]]
    return folder / f"{kept[-1]:03d}" / "weights.json" if kept else first


def make_games(args: argparse.Namespace, place: Path, weights: Path | None, number: int) -> None:
    """Let the best weights play themselves."""
    settings = selfplay.Settings(
        args.variant,
        # Every other generation looks deeper: fewer games, better ones.
        f"mcts:sims={args.deep if number % 2 else args.simulations}",
        games=args.games // 3 if number % 2 else args.games,
        games_per_shard=args.shard,
        seed=args.seed + number,
        weights=None if weights is None else load_weights(weights),
        noise=args.noise,
        early_stop=True,
    )
    resume = (place / "games" / "run.json").exists()
    selfplay.run(
        settings, place / "games", resume=resume, executor=args.executor, workers=args.workers
    )


def fit(args: argparse.Namespace, folder: Path, old: Path | None, number: int) -> None:
    """Fit weights to the games of the last generations: the prior, then the value function."""
    if old is None:
        old = folder / "first.json"
        default_weights(bf.variant(args.variant)).save(old)
    start = ("--start", old)
    place = folder / f"{number:03d}"
    target = place / "weights.json"
    if target.exists():
        return
    first = max(0, number + 1 - args.pool)
    games = [folder / f"{each:03d}" / "games" for each in range(first, number + 1)]
    origin = f"generations {first} to {number} of {args.variant}, seed {args.seed}"
    most = ("--most", str(args.most))
    prior = place / "prior.json"
    command = [sys.executable, "-P", HERE / "fit.py", args.variant, prior, *games]
    subprocess.run([*command, "--origin", origin, *most, *start], check=True)
    command = [sys.executable, "-P", HERE / "fit_value.py", prior, target, *games]
    valued = "value_hidden" in load_weights(old).arrays
    subprocess.run([*command, *most, *(start if valued else ())], check=True)


def compare(args: argparse.Namespace, place: Path, old: Path | None) -> dict[str, Any]:
    """Let new weights play the old ones, until a test tells whether they are stronger."""
    new = f"mcts:sims={args.arena_simulations},weights={place / 'weights.json'}"
    known = f"mcts:sims={args.arena_simulations}"
    known += "" if old is None else f",weights={old}"
    output = place / "arena"
    report = play(
        [new, known],
        args.variant,
        args.arena_games,
        seed=args.seed,
        sprt=(0, 30),
        output=output,
        resume=(output / "settings.json").exists(),
        executor=args.executor,
        workers=args.workers,
    )
    if report.interrupted:
        raise KeyboardInterrupt
    mine = next(result for result in report.results if result.bot == new)
    state = report.sprt
    assert state is not None
    share = mine.score / mine.games
    # Where the games did not suffice, the better half is taken.
    kept = state.decision == "high" or (state.decision is None and share > 0.5)
    return {
        "games": mine.games,
        "score": round(share, 4),
        "interval": [round(value, 4) for value in mine.score_interval],
        "elo": round(2 * mine.rating, 1),
        "decision": state.decision,
        "kept": kept,
    }


def elo(share: float) -> float:
    """Return the difference in strength that a share of the points stands for."""
    share = min(max(share, 0.001), 0.999)
    return 400 * math.log10(share / (1 - share))


def draw(folder: Path) -> None:
    """Draw the strength over the generations: what each has gained, added up."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    strength, at = 0.0, [(0, 0.0)]
    for line in lines(folder):
        number, tried = line["generation"] + 1, strength + line["elo"]
        low, high = (strength + elo(share) for share in line["interval"])
        color = "#3b82c4" if line["kept"] else "#aaaaaa"
        axes.plot([number, number], [low, high], color=color, alpha=0.5, linewidth=2)
        axes.plot(number, tried, "o", color=color)
        if line["kept"]:
            strength = tried
            at.append((number, tried))
    axes.plot(*zip(*at, strict=True), color="#3b82c4")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("generation")
    axes.set_ylabel("Elo above the first weights, added up\n(bars: 95 % of each step)")
    figure.savefig(folder / "curve.svg", metadata={"Date": None})


def generation(args: argparse.Namespace, folder: Path, number: int) -> dict[str, Any]:
    """Make a generation, or what is missing of it."""
    place = folder / f"{number:03d}"
    place.mkdir(parents=True, exist_ok=True)
    old = best_weights(folder, args.weights)
    began = time.process_time(), time.monotonic()
    make_games(args, place, old, number)
    fit(args, folder, old, number)
    line = {"generation": number, **compare(args, place, old)}
    line["seconds"] = round(time.monotonic() - began[1])
    with (folder / "generations.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
    draw(folder)
    return line


def main() -> None:
    """Read the arguments and make generations until time is over."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("variant")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--weights", type=Path, help="to begin with; default: those shipped")
    parser.add_argument("--hours", type=float, default=1.0, help="no generation begins later")
    parser.add_argument("--games", type=int, default=1200, help="of a generation")
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--deep", type=int, default=10000, help="of every other generation")
    parser.add_argument("--noise", type=float, default=0.1)
    parser.add_argument("--shard", type=int, default=50, help="games of a shard")
    parser.add_argument("--pool", type=int, default=2, help="generations to fit to")
    parser.add_argument("--most", type=int, default=6000, help="games to fit to")
    parser.add_argument("--arena-games", type=int, default=400)
    parser.add_argument("--arena-simulations", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--executor", default="processes")
    parser.add_argument("--workers", type=int)
    args = parser.parse_args()
    args.folder = args.folder.resolve()
    args.weights = None if args.weights is None else args.weights.resolve()
    end = time.monotonic() + 3600 * args.hours
    try:
        while time.monotonic() < end:
            number = len(lines(args.folder))
            print(json.dumps(generation(args, args.folder, number)), flush=True)
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on")


if __name__ == "__main__":
    main()
