"""Recorded figures and the judgement on measured ones. Knows nothing of how they are measured."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

__all__ = [
    "COUNT_LIMIT",
    "FLOORS",
    "RATIO_LIMIT",
    "Finding",
    "Verdict",
    "judge_counts",
    "judge_ratios",
    "load",
    "save",
    "table",
]

COUNT_LIMIT: Final = 0.02
"""Instruction counts may differ from the recorded ones by this part, up or down."""

RATIO_LIMIT: Final = 0.10
"""A ratio may be smaller than the recorded one by this part."""

FLOORS: Final[Mapping[str, float]] = {
    "classic portable list": 1.5,
    "classic v2 list": 2.0,
    "classic avx2 list": 4.5,
    "classic avx512 list": 10.0,
}
"""Ratios that must be reached on every computer that has a record, whatever was recorded.

Set by the slowest that was measured: Zen 3 with AVX2 (3.8, before that kernel was one of its own),
Sapphire Rapids with AVX-512.
"""

UNKNOWN_SHARE: Final = 0.5
"""The part of its floor that a kernel must reach on a CPU of which nothing is recorded.

The floors come from CPUs that were measured; how wide vectors and how fast shuffles are elsewhere
is not the change's doing.
"""

Figures = dict[str, dict[str, float]]


class Verdict(Enum):
    """What a measured figure is, beside the recorded one."""

    WITHIN = "within"
    GAIN = "gain"
    LOSS = "loss"
    BELOW_FLOOR = "below the floor"
    NOT_RECORDED = "not recorded"
    NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Finding:
    """The judgement on one case."""

    case: str
    measured: float | None
    recorded: float | None
    verdict: Verdict
    fails: bool
    text: str

    @property
    def change(self) -> float | None:
        """Return measured over recorded, less 1."""
        if self.measured is None or not self.recorded:
            return None
        return self.measured / self.recorded - 1


def judge_counts(
    measured: Mapping[str, float], recorded: Mapping[str, float] | None
) -> list[Finding]:
    """Judge instruction counts: a loss fails, and so does a gain that was not recorded.

    Without any record (`recorded` is None) nothing fails.
    """
    findings = []
    for case, count in measured.items():
        old = None if recorded is None else recorded.get(case)
        if old is None:
            text = f"{case}: {count:,.0f} instructions, not recorded for this build"
            findings.append(Finding(case, count, None, Verdict.NOT_RECORDED, False, text))
            continue
        change = count / old - 1
        figures = f"{old:,.0f} -> {count:,.0f} instructions ({change:+.1%})"
        if abs(change) <= COUNT_LIMIT:
            findings.append(Finding(case, count, old, Verdict.WITHIN, False, f"{case}: {figures}"))
        elif change > 0:
            text = f"{case} LOST {change:.1%}: {figures}, allowed is {COUNT_LIMIT:.0%}"
            findings.append(Finding(case, count, old, Verdict.LOSS, True, text))
        else:
            text = f"{case} gained {-change:.1%}: {figures}. Record it with --update"
            findings.append(Finding(case, count, old, Verdict.GAIN, True, text))
    for case, old in (recorded or {}).items():
        if case not in measured:
            text = f"{case}: recorded, but not measured any more. Record that with --update"
            findings.append(Finding(case, None, old, Verdict.NOT_MEASURED, True, text))
    return findings


def judge_ratios(
    measured: Mapping[str, float],
    recorded: Mapping[str, float] | None,
    floors: Mapping[str, float] = FLOORS,
) -> list[Finding]:
    """Judge ratios, where more is better: a loss fails, and so does a ratio below its floor.

    A gain never fails, since a ratio is never quite the same twice.
    """
    findings = []
    if recorded is None:
        floors = {case: UNKNOWN_SHARE * floor for case, floor in floors.items()}
    for case, ratio in measured.items():
        old = None if recorded is None else recorded.get(case)
        floor = floors.get(case)
        if floor is not None and ratio < floor:
            text = (
                f"{case} is {ratio:.2f} x the reference, {1 - ratio / floor:.1%} below the "
                f"floor of {floor:g} x"
            )
            findings.append(Finding(case, ratio, old, Verdict.BELOW_FLOOR, True, text))
            continue
        if old is None:
            text = f"{case}: {ratio:.2f} x the reference, not recorded for this computer"
            findings.append(Finding(case, ratio, None, Verdict.NOT_RECORDED, False, text))
            continue
        change = ratio / old - 1
        figures = f"{old:.2f} -> {ratio:.2f} x the reference ({change:+.1%})"
        if change < -RATIO_LIMIT:
            text = f"{case} LOST {-change:.1%}: {figures}, allowed is {RATIO_LIMIT:.0%}"
            findings.append(Finding(case, ratio, old, Verdict.LOSS, True, text))
        elif change > RATIO_LIMIT:
            text = f"{case} gained {change:.1%}: {figures}. Record it with --update"
            findings.append(Finding(case, ratio, old, Verdict.GAIN, False, text))
        else:
            findings.append(Finding(case, ratio, old, Verdict.WITHIN, False, f"{case}: {figures}"))
    for case, old in (recorded or {}).items():
        if case not in measured:
            text = f"{case}: recorded, but this computer did not measure it"
            findings.append(Finding(case, None, old, Verdict.NOT_MEASURED, False, text))
    return findings


def load(path: Path) -> Figures:
    """Read recorded figures: key of a build or a computer -> case -> figure."""
    if not path.exists():
        return {}
    figures: Figures = json.loads(path.read_text(encoding="utf-8"))
    return figures


def save(path: Path, key: str, measured: Mapping[str, float]) -> None:
    """Record the figures of one build or computer; the others stay."""
    figures = load(path)
    figures[key] = dict(measured)
    ordered = {name: figures[name] for name in sorted(figures)}
    path.write_text(json.dumps(ordered, indent=2) + "\n", encoding="utf-8")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Set a table in plain text: the first column to the left, the others to the right."""
    lines = [list(head), *[list(row) for row in rows]]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    set_lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    set_lines.insert(1, "-" * max(map(len, set_lines)))
    return "\n".join(set_lines)
