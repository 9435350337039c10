"""What is written: the table, docs/comparison.md and the plot."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from .measuring import CASES, Timing

__all__ = ["draw", "markdown", "per_second", "text_table"]

COLORS: Final = {"blokus-fast": "#1f5fbf", "blokus-rl": "#e0a100", "blokus-engine": "#c9463d"}


def per_second(timing: Timing) -> str:
    """Return how often a second, to three digits."""
    rate = 1e6 / timing.microseconds
    digits = max(0, 3 - len(str(int(rate))))
    return f"{float(f'{rate:.3g}'):,.{digits}f}"


def _times(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 10 else f"{ratio:,.0f}"


def _beside(ratio: float) -> str:
    """Say how another engine's time stands to ours."""
    if ratio >= 1:
        return f"{_times(ratio)} times slower"
    return f"{_times(1 / ratio)} times faster"


def _rows(timings: Sequence[Timing]) -> list[tuple[str, str, str, str, str]]:
    rows = []
    last = ""
    for timing in timings:
        case = CASES[timing.case] if timing.case != last else ""
        last = timing.case
        took = f"{timing.microseconds:,.2f}"
        beside = "" if timing.package == "blokus-fast" else _beside(timing.ratio)
        rows.append((case, timing.package, took, per_second(timing), beside))
    return rows


HEAD: Final = ("what", "engine", "µs", "a second", "beside blokus-fast")


def text_table(timings: Sequence[Timing]) -> str:
    """Return the table in plain text."""
    lines = [HEAD, *_rows(timings)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i < 2 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _table(timings: Sequence[Timing]) -> list[str]:
    return [
        "| " + " | ".join(HEAD) + " |",
        "|---|---|--:|--:|--:|",
        *[
            f"| {case} | {package} | {took} | {rate} | {beside} |"
            for case, package, took, rate, beside in _rows(timings)
        ],
    ]


def contest_section(timings: Sequence[Timing]) -> list[str]:
    """Return the lines about the Software Challenge."""
    return [
        "## The contest",
        "",
        "By the rules of the Software Challenge 2027, beside its official Python client, `socha`; "
        "see [contest.md](contest.md).",
        "",
        *_table(timings),
        "",
        "- Both list all placements. The method that users of the client call first, "
        "`possible_moves`, leaves out all but pentominoes in the first rounds.",
        "- Applying a move includes the check that it is legal, in both.",
        "- The client cannot copy a position.",
        "",
    ]


def markdown(
    timings: Sequence[Timing],
    contest: Sequence[Timing],
    agreements: Sequence[str],
    machine: Mapping[str, str],
    command: str,
    missing: Sequence[str],
) -> str:
    """Return the page."""
    lines = [
        "# Beside other engines",
        "",
        "What one can install with pip and play Classic Blokus with from Python, on the same "
        "positions, in one run. Written by `benchmarks/compare`; run it to get the figures of "
        "your machine (`pip install .[compare]`).",
        "",
        "![Operations a second by engine](img/compare.png)",
        "",
        *_table(timings),
        "",
        "Medians of CPU time over rounds in which the engines take turns; the factor is the median "
        "of the factors within a round. One thread each.",
        "",
        "- The positions are those before every placement of uniformly random Classic games, which "
        "each engine replays for itself.",
        "- blokus-rl is a game in Rust below a PettingZoo environment. Its game object is used "
        "directly, without the environment around it. Legal moves come with the rest of its "
        "observation: there is no quicker way to them.",
        "- blokus-engine offers whole games of self-play for training and nothing else, so one "
        "row is all there is. Its quickest game is taken: one player with the least search and an "
        "evaluation that costs nothing, against three random players. A move is laid square by "
        "square.",
        "- Copies are made by `copy(stack=False)`, since the others take no moves back.",
        "- A native playout has no counterpart in the others.",
        "- Rows with the name of a [kernel](performance.md) are what a computer without wider "
        "vectors gets: a laptop has avx2 as a rule, and v2 what is older than about 2013.",
        "",
        *(contest_section(contest) if contest else []),
        "## Do they agree?",
        "",
        *[f"- {text}." for text in agreements],
        *[f"- Not compared: {text}." for text in missing],
        "",
        "## Where this was measured",
        "",
        "| | |",
        "|---|---|",
        *[f"| {name} | {value} |" for name, value in machine.items()],
        "",
        "```console",
        f"$ {command}",
        "```",
        "",
    ]
    return "\n".join(lines)


def draw(timings: Sequence[Timing], note: str, paths: Sequence[Path]) -> None:
    """Draw the operations a second as bars on a logarithmic axis; one file per path."""
    matplotlib: Any = importlib.import_module("matplotlib")
    matplotlib.use("Agg")
    # Fixed ids: the picture is the same for the same figures.
    matplotlib.rcParams["svg.hashsalt"] = "blokus-fast"
    plt: Any = importlib.import_module("matplotlib.pyplot")
    figure, axes = plt.subplots(figsize=(9.5, 7.2), layout="constrained")
    height = 0.8
    at = 0.0
    ticks = []
    for case, title in CASES.items():
        group = [timing for timing in timings if timing.case == case]
        if not group:
            continue
        start = at
        for timing in group:
            rate = 1e6 / timing.microseconds
            package, _, kernel = timing.package.partition(", ")
            axes.barh(
                at, rate, height, color=COLORS[package], alpha=0.55 if kernel else 1, zorder=2
            )
            label = per_second(timing)
            if kernel:
                label += f"   with {kernel}"
            elif package != "blokus-fast":
                label += f"   ({_beside(timing.ratio)})"
            # White below the text keeps the grid off it.
            box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
            axes.text(
                rate * 1.15, at, label, va="center", fontsize=9, color="#333333", bbox=box, zorder=1
            )
            at += 1
        ticks.append(((start + at - 1) / 2, title))
        at += 0.7
    rates = [1e6 / timing.microseconds for timing in timings]
    axes.set_xscale("log")
    axes.set_xlim(min(rates) / 4, max(rates) * 40)
    axes.set_ylim(at - 0.9, -0.8)
    axes.set_yticks([y for y, _ in ticks], [_wrapped(title) for _, title in ticks], fontsize=10)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_formatter(lambda rate, _: f"{rate:,.0f}" if rate < 1e6 else _million(rate))
    axes.minorticks_off()
    axes.set_xlabel("a second, on one thread (each line is ten times the one before)")
    axes.set_axisbelow(True)
    axes.grid(axis="x", color="#dddddd", linewidth=0.8)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    used = [name for name in COLORS if any(timing.package == name for timing in timings)]
    handles = [plt.Rectangle((0, 0), 1, 1, color=COLORS[name]) for name in used]
    axes.legend(
        handles, used, loc="lower left", bbox_to_anchor=(-0.01, 0.99), ncols=3, frameon=False,
        fontsize=10, handlelength=1, handleheight=1,
    )  # fmt: skip
    axes.set_title("Blokus engines for Python", loc="left", fontsize=14, fontweight="bold", pad=32)
    figure.supxlabel(note, fontsize=8, color="#777777")
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(path, dpi=150, metadata=metadata)
    plt.close(figure)


def _million(rate: float) -> str:
    return f"{rate / 1e6:,.0f} million"


def _wrapped(title: str) -> str:
    """Break a title into two lines near its middle, unless it is short."""
    if len(title) < 18:
        return title
    middle = len(title) // 2
    spaces = [i for i, char in enumerate(title) if char == " "]
    at = min(spaces, key=lambda i: abs(i - middle))
    return title[:at] + "\n" + title[at + 1 :]
