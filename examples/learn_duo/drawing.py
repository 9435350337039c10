"""The picture of a run: losses, and results against the bots. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt

BLUE, ORANGE, GREEN = "#0072b2", "#d55e00", "#009e73"


def draw(rounds: Sequence[dict[str, Any]], file: Path) -> None:
    """Draw losses and win rates over the games of self-play."""
    games = [entry["games"] for entry in rounds]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
    left.plot(games, [entry["value"] for entry in rounds], color=BLUE, label="value: mean square")
    left.plot(
        games, [entry["policy"] for entry in rounds], color=ORANGE, label="policy: divergence"
    )
    left.set(xlabel="games of self-play", ylabel="loss", ylim=(0, None), title="Loss")
    left.legend(frameon=False)
    measured = [entry for entry in rounds if "against" in entry]
    for name, color in (("random", GREEN), ("greedy", BLUE)):
        found = [entry["against"][name] for entry in measured]
        shares = [100 * each["score"] for each in found]
        below = [100 * (each["score"] - each["low"]) for each in found]
        above = [100 * (each["high"] - each["score"]) for each in found]
        right.errorbar(
            [entry["games"] for entry in measured], shares, [below, above],
            color=color, marker="o", markersize=4, capsize=3, label=f"against {name}",
        )  # fmt: skip
    right.axhline(50, color="#888888", linewidth=0.8, linestyle="--")
    right.set(
        xlabel="games of self-play", ylabel="won, in %", ylim=(0, 102), title="Results (95 %)"
    )
    right.legend(frameon=False, loc="lower right")
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlim(0, games[-1] * 1.03)
    figure.savefig(file, dpi=110)
    plt.close(figure)
