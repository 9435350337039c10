"""The command: play until the time is up, say how far it is, and judge what it found."""

from __future__ import annotations

import argparse
import gc
import os
import random
import sys
import time
from pathlib import Path

import blokus_fast as bf
from blokus_fast.variants import VARIANTS
from blokus_fast.variants.text import variant_text

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from soaking.odd import odd_variant  # noqa: E402
from soaking.playing import KERNELS, Totals, play  # noqa: E402

__all__ = ["main", "memory", "variant_of"]

DESCRIPTION = """\
Play random games of all variants, shipped and made up, with every kernel, against the slow
reference in tests/, and compare both at every ply. The exit code is 1 if they differ, or if
memory grows."""

ODD = "odd"
NAMES = (*VARIANTS, ODD)
# Growth of the resident memory, in MB, that still counts as none. What the reference keeps for
# each size of board is there after the warm-up; the rest is what an allocator does.
MOST_GROWTH = 24.0
# Made up variants are cheap, and differ more: one between every two of the others.
TURNS = tuple(name for shipped in VARIANTS for name in (shipped, ODD))


def memory() -> float:
    """Return the resident memory in MB; its highest so far where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        import resource  # which not every system has

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (2**20 if sys.platform == "darwin" else 2**10)
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def variant_of(name: str, rng: random.Random) -> bf.Variant:
    """Return a variant of a name, with a start rule and a scoring rule by chance."""
    if name == ODD:
        return odd_variant(rng)
    scoring = rng.choice(list(bf.SCORING_RULES))
    starts = ["assigned", "any", "border"]
    # The start rule is the variant's own half of the time.
    start = rng.choice([VARIANTS[name].start] * 3 + starts)
    return bf.variant(name, start=start, scoring=scoring)


class Soak:
    """The run."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.chosen = chosen
        self.names = [chosen.variant] if chosen.variant else list(TURNS)
        self.totals = Totals()
        self.begin = time.monotonic()
        self.shown = self.begin
        self.after_warm_up: float | None = None

    def show(self) -> None:
        """Print how far it is, every few seconds."""
        if time.monotonic() - self.shown >= self.chosen.every:
            self.shown = time.monotonic()
            print(self.line(), flush=True)

    def line(self) -> str:
        t = self.totals
        return (
            f"{time.monotonic() - self.begin:6.0f} s  {t.games:,} games  {t.moves:,} moves  "
            f"{t.comparisons:,} comparisons  {t.playouts:,} playouts  {t.mismatches} mismatches  "
            f"{memory():.0f} MB"
        )

    def play_all(self) -> None:
        """Play game after game until the time is up."""
        end = self.begin + 60 * self.chosen.minutes
        number = self.chosen.first
        while time.monotonic() < end and (
            not self.chosen.games or number < self.chosen.first + self.chosen.games
        ):
            seed = f"{self.chosen.seed} {number}"
            name = self.names[number % len(self.names)]
            variant = variant_of(name, random.Random(seed))
            self.totals.seen.add(name)
            moves = play(variant, seed, self.totals)
            if moves is not None:
                print(
                    f"  variant: {variant_text(variant)}\n"
                    f"  start {variant.start}, scoring {variant.scoring_name}\n"
                    f"  seed {self.chosen.seed}, game {number}; moves: {moves}\n"
                    f"  again: python benchmarks/soak --seed {self.chosen.seed} --first {number} "
                    "--games 1" + (f" --variant {name}" if self.chosen.variant else ""),
                    flush=True,
                )
                if self.totals.mismatches >= self.chosen.most:
                    print("enough", flush=True)
                    return
            number += 1
            if number - self.chosen.first == self.chosen.warm_up:
                gc.collect()
                self.after_warm_up = memory()
            self.show()

    def judge(self) -> int:
        """Print the summary; return the exit code."""
        gc.collect()
        print(self.line())
        print(f"kernels: {', '.join(KERNELS)}; variants: {', '.join(sorted(self.totals.seen))}")
        grown = False
        if self.after_warm_up is None:
            print(f"memory: too short to tell, it takes {self.chosen.warm_up} games")
        else:
            growth = memory() - self.after_warm_up
            grown = growth > self.chosen.growth
            print(
                f"memory: {growth:+z.1f} MB since game {self.chosen.warm_up}, "
                f"{'MORE THAN' if grown else 'at most'} {self.chosen.growth:g} MB"
            )
        return 1 if self.totals.mismatches or grown else 0


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments and soak; return the exit code."""
    parser = argparse.ArgumentParser(prog="soak", description=DESCRIPTION)
    parser.add_argument("--minutes", type=float, default=10, help="how long (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of everything (%(default)s)")
    parser.add_argument("--variant", choices=NAMES, help="play only this one; odd: made up")
    parser.add_argument("--first", type=int, default=0, help="number of the first game (0)")
    parser.add_argument("--games", type=int, default=0, help="how many at most; 0: no limit")
    parser.add_argument("--every", type=float, default=5, help="seconds between two lines (5)")
    parser.add_argument("--most", type=int, default=5, help="mismatches, then it ends (5)")
    parser.add_argument(
        "--warm-up",
        type=int,
        default=len(TURNS),
        help="games before memory is looked at (%(default)s)",
    )
    parser.add_argument(
        "--growth", type=float, default=MOST_GROWTH,
        help="MB by which memory may grow after that (%(default)s)",
    )  # fmt: skip
    soak = Soak(parser.parse_args(arguments))
    try:
        soak.play_all()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    return soak.judge()
