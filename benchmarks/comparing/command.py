"""The command: find the packages, check that they agree, measure, write."""

from __future__ import annotations

import argparse
import importlib.util
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gating.building import ROOT, cpu_name

from .engines import (
    BlokusEngine,
    BlokusRl,
    MissingError,
    Official,
    Ours,
    contest_variant,
    play_records,
)
from .measuring import Timing, check_engine, check_positions, measure
from .pages import draw, markdown, text_table

__all__ = ["main"]

DESCRIPTION: Final = """\
Compare this engine with others that pip can install (blokus-rl, blokus-engine, and by the rules of
the Software Challenge its official client, socha), on the same positions in one run. Prints tables;
writes docs/comparison.md and docs/img/compare.png.
What is not installed is named and left out: pip install .[compare]
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="compare",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=8, help="games to replay (%(default)s)")
    parser.add_argument("--rounds", type=int, default=15, help="rounds to measure (%(default)s)")
    parser.add_argument("--seed", type=int, default=2026, help="of the games (%(default)s)")
    parser.add_argument(
        "--docs", type=Path, default=ROOT / "docs", help="folder to write to (%(default)s)"
    )
    parser.add_argument("--dry", action="store_true", help="write nothing")
    parser.add_argument("--png", type=Path, help="write the plot to this file as well")
    chosen = parser.parse_args(arguments)
    if chosen.games < 1 or chosen.rounds < 1:
        parser.error("--games and --rounds must be at least 1")

    ours = Ours()
    others: list[BlokusRl | BlokusEngine] = []
    missing: list[str] = []
    for kind in (BlokusRl, BlokusEngine):
        try:
            others.append(kind())
        except MissingError as error:
            missing.append(str(error))
            print(f"compare: {error}; going on without", file=sys.stderr)
    versions = {engine.package: engine.version for engine in others}
    records = play_records(chosen.games, chosen.seed)
    agreements = [
        check_positions(ours, engine, records)
        if isinstance(engine, BlokusRl)
        else check_engine(engine, chosen.games)
        for engine in others
    ]
    for text in agreements:
        print(text, flush=True)
    timings = measure(ours, others, records, chosen.rounds)
    print(text_table(timings))
    contest: list[Timing] = []
    try:
        official = Official()
    except MissingError as error:
        missing.append(str(error))
        print(f"compare: {error}; going on without", file=sys.stderr)
    else:
        versions[official.package] = official.version
        ours_too = Ours(contest_variant())
        records_too = play_records(chosen.games, chosen.seed, contest_variant())
        agreements.append(check_positions(ours_too, official, records_too))
        print(agreements[-1], flush=True)
        contest = measure(ours_too, [official], records_too, chosen.rounds)
        print(text_table(contest))
    if chosen.dry:
        return 0

    machine = {
        "CPU": cpu_name(),
        "System": f"{platform.system()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        ours.package: f"{ours.version}, kernel {ours.kernel}",
        **versions,
        "Positions": f"{sum(map(len, records)):,}, of {chosen.games} games, seed {chosen.seed}",
        "Rounds": str(chosen.rounds),
    }
    command = f"python benchmarks/compare --games {chosen.games} --rounds {chosen.rounds}"
    page: Path = chosen.docs / "comparison.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(
        markdown(timings, contest, agreements, machine, command, missing), encoding="utf-8"
    )
    print(f"written: {page.name}")
    if importlib.util.find_spec("matplotlib") is None:
        print(
            "compare: matplotlib is not installed (pip install matplotlib); no plot",
            file=sys.stderr,
        )
        return 0
    paths = [chosen.docs / "img" / "compare.png", *([chosen.png] if chosen.png else [])]
    draw(timings, f"{machine['CPU']}, Python {platform.python_version()}", paths)
    print("written: " + ", ".join(path.name for path in paths))
    return 0
