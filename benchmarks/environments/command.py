"""The command: find the packages, time the loops in turns, print a table or JSON."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import platform
import statistics
import sys
from collections.abc import Sequence
from typing import Any, Final

from gating.building import cpu_name

import blokus_fast as bf

from .loops import Loop, by_ids, by_mask, openspiel, vector

__all__ = ["main"]

OTHER: Final = "blokus-rl, PettingZoo, mask"
# How many times the moves per second of the other package there must be at least.
LEAST: Final = {
    "raw_env, mask": 2.5,
    "raw_env, legal ids": 15.0,
    "env (wrapped), mask": 1.0,
    "vector, 1,024 games": 30.0,
    "vector, 1,024 games, no mask, bits": 50.0,
}
# And how many moves a second at least, where there is nothing to compare with.
LEAST_SPEED: Final = {"OpenSpiel, with tensor": 15_000}
DESCRIPTION: Final = """\
Play random Classic games through the learning environments and through that of blokus-rl, in
turns, and tell how many moves each makes in a second of the processor's time. The ratio is the
median over the rounds. Needs pip install '.[rl,openspiel]' blokus-rl.
"""


def contestants(games: int, threads: int) -> dict[str, Loop]:
    """Make what is timed, by name; the first is what the others are compared with."""
    from blokus_fast.envs import blokus_v0
    from blokus_fast.envs.gym_v0 import BlokusVectorEnv

    found: dict[str, Loop] = {}
    try:
        from blokus_rl import BlokusEnv
    except ImportError as error:
        print(f"envs: blokus-rl is not installed ({error}); going on without", file=sys.stderr)
    else:
        found[OTHER] = by_mask(BlokusEnv())
    found["raw_env, mask"] = by_mask(blokus_v0.raw_env())
    found["raw_env, legal ids"] = by_ids(blokus_v0.raw_env())
    found["env (wrapped), mask"] = by_mask(blokus_v0.env())
    found["env (wrapped), legal ids"] = by_ids(blokus_v0.env())

    def envs(**options: Any) -> BlokusVectorEnv:
        return BlokusVectorEnv(games, "classic", threads=threads, **options)

    count = f"vector, {games:,} games"
    found[count] = vector(envs())
    found[f"{count}, copied by a trainer"] = vector(envs(), trainer="copies")
    found[f"{count}, kept by a trainer"] = vector(envs(), trainer="keeps")
    found[f"{count}, no mask"] = vector(envs(masks=False))
    found[f"{count}, no mask, copied by a trainer"] = vector(envs(masks=False), trainer="copies")
    # What blokus-rl's observation has, too, but the hands.
    groups = ["own", "corner", "forbidden", "finished", "turn", "player"]
    planes = {"masks": False, "form": "planes", "groups": groups}
    found[f"{count}, no mask, bits"] = vector(envs(dtype="bits", **planes))
    every = list(bf.Observer("classic").groups)
    found[f"{count}, all planes and mask"] = vector(envs(form="planes", groups=every))
    try:
        import pyspiel

        import blokus_fast.envs.openspiel  # noqa: F401 - registers the game
    except ImportError as error:
        print(f"envs: OpenSpiel is not installed ({error}); going on without", file=sys.stderr)
    else:
        game = pyspiel.load_game("blokus")
        found["OpenSpiel, with tensor"] = openspiel(game, tensor=True)
        found["OpenSpiel, no tensor"] = openspiel(game, tensor=False)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; return 1 if something is slower than it must be."""
    parser = argparse.ArgumentParser(
        prog="envs", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=9, help="to measure (%(default)s)")
    parser.add_argument(
        "--seconds", type=float, default=0.3, help="of a loop in a round (%(default)s)"
    )
    parser.add_argument("--games", type=int, default=1024, help="side by side (%(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="of the batch (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--check", action="store_true", help="fail where it is too slow")
    chosen = parser.parse_args(arguments)
    if min(chosen.rounds, chosen.games, chosen.threads) < 1:
        parser.error("--rounds, --games and --threads must be at least 1")

    loops = contestants(chosen.games, chosen.threads)
    speeds: dict[str, list[float]] = {name: [] for name in loops}
    for loop in loops.values():
        loop(chosen.seconds / 4)  # to warm up
    for _ in range(chosen.rounds):
        for name, loop in loops.items():
            speeds[name].append(loop(chosen.seconds))
    result = summary(speeds)
    if chosen.json:
        print(json.dumps({"machine": machine(), "loops": result}, indent=1))
    else:
        print(table(result))
    slow = [
        name for name, least in LEAST.items() if 0 < result.get(name, {}).get("ratio", 0) < least
    ]
    slow += [
        name
        for name, least in LEAST_SPEED.items()
        if name in result and result[name]["moves_per_second"] < least
    ]
    for name in slow if chosen.check else ():
        print(f"envs: {name}: less than {wanted(name)}", file=sys.stderr)
    return 1 if slow and chosen.check else 0


def wanted(name: str) -> str:
    """Say how quick a loop must be; nothing where it need not be."""
    if name in LEAST:
        return f"{LEAST[name]:g} times"
    return f"{LEAST_SPEED[name]:,} a second" if name in LEAST_SPEED else ""


def summary(speeds: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    """Return for each loop the median of moves per second, and of ratios within a round."""
    result = {}
    for name, found in speeds.items():
        result[name] = {"moves_per_second": statistics.median(found)}
        if OTHER in speeds:
            ratios = [own / other for own, other in zip(found, speeds[OTHER], strict=True)]
            result[name]["ratio"] = statistics.median(ratios)
    return result


def machine() -> dict[str, str]:
    """Say what was measured where."""
    versions = {}
    for package in ("blokus-rl", "pettingzoo", "gymnasium", "open_spiel", "numpy"):
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return {
        "cpu": cpu_name(),
        "python": platform.python_version(),
        "blokus-fast": bf.__version__,
        "kernel": bf.cpu_info()["kernel"],
        **versions,
    }


def table(result: dict[str, dict[str, float]]) -> str:
    """Return the results as a table in Markdown."""
    lines = [", ".join(f"{key} {value}" for key, value in machine().items()), ""]
    lines += ["| loop | moves a second | times blokus-rl | at least |", "|---|---:|---:|---:|"]
    for name, found in result.items():
        ratio = f"{found['ratio']:.1f}" if "ratio" in found else ""
        lines.append(f"| {name} | {found['moves_per_second']:,.0f} | {ratio} | {wanted(name)} |")
    return "\n".join(lines)
