"""Times as ratios: kernels against the frozen reference, in one process of bench_core.

A ratio is the median over interleaved rounds of (list by the reference) / (case of the kernel),
both taken in the same round; so the load of the machine weighs on both.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .building import GateError, run

__all__ = ["GATED", "VARIANTS", "Measurement", "measure", "median_ratios"]

VARIANTS: Final = ("classic", "duo")
GATED: Final = ("list", "count")
"""Cases whose ratios are judged; the others are shown."""


@dataclass(frozen=True)
class Measurement:
    """What bench_core measured in one variant."""

    variant: str
    mean_moves: float
    positions: int
    kernels: dict[str, dict[str, dict[str, float]]]

    @property
    def reference_ns(self) -> float:
        """Return the time of a list by the frozen reference."""
        return self.kernels["reference"]["list"]["ns"]

    def ratios(self) -> dict[str, float]:
        """Return the judged ratios by case, as "classic avx2 list"."""
        return {
            f"{self.variant} {kernel} {case}": cases[case]["ratio"]
            for kernel, cases in self.kernels.items()
            if kernel != "reference"
            for case in GATED
        }


def measure(bench_core: Path, variant: str, rounds: int) -> Measurement:
    """Let bench_core check and time all kernels that run here."""
    said = run([bench_core, "--variant", variant, "--rounds", str(rounds)])
    try:
        found: dict[str, Any] = json.loads(said)
        return Measurement(variant, found["mean_moves"], found["positions"], found["kernels"])
    except (ValueError, KeyError) as error:
        raise GateError(f"bench_core printed something else than expected: {error!r}") from error


def median_ratios(runs: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the median of each ratio over several runs."""
    return {case: round(statistics.median(run[case] for run in runs), 3) for case in runs[0]}
