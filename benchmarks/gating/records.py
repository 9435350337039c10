"""Recorded figures and the judgement on measured ones. Knows nothing of how they are measured."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

__all__ = ["CALLS", "COUNTS", "RATIOS", "Finding", "Kind", "judge", "load", "save", "table"]

Figures = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Kind:
    """What a kind of figure is, and what is asked of it.

    `bounds` hold on every computer, by case: floors where more is better, else ceilings.
    `unknown` times its bound (or, without one, the largest figure that is recorded anywhere) is
    what a case must keep where nothing is recorded for it.
    """

    unit: str
    more_is_better: bool
    loss: float
    unknown: float
    gain_fails: bool = False
    bounds: Mapping[str, float] = field(default_factory=dict)

    def worse(self, figure: float, than: float) -> float:
        """Return by what part a figure is worse than another; negative where it is better."""
        return 1 - figure / than if self.more_is_better else figure / than - 1


COUNTS: Final = Kind("instructions", False, loss=0.02, unknown=1.25, gain_fails=True)
"""Counts are exact: a gain is to be recorded, or the next loss would hide in it. gcc and clang
differ by up to 8 %; so another compiler may have a quarter more."""

RATIOS: Final = Kind(
    "x the reference",
    True,
    loss=0.10,
    unknown=0.5,
    bounds={
        "classic portable list": 1.5,
        "classic v2 list": 2.0,
        "classic avx2 list": 4.5,
        "classic avx512 list": 10.0,
    },
)
"""Floors set by the slowest CPU that was measured: Zen 3 with AVX2 (3.8, before that kernel was one
of its own), Sapphire Rapids with AVX-512. How wide vectors and how fast shuffles are on a CPU of
which nothing is recorded is not the change's doing: there, half of it is asked for."""

CALLS: Final = Kind(
    "copies of a dict",
    False,
    loss=0.0,
    unknown=1.0,
    bounds={
        "push + pop": 5.5,
        "copy": 1.4,
        "copy(stack=False)": 1.0,
        "legal_ids(), at an end": 1.8,
        "legal_ids(out=), at an end": 1.6,
        "count_legal, at an end": 0.4,
        "legal_moves, a move": 0.2,
        "step of a batch, a game": 5.5,
    },
)
"""Nothing is recorded: the ceilings are a third above the most that was seen on Zen 5, with the
slowest kernel, under other load, and hold everywhere. Without the GIL it is three times as much."""


@dataclass(frozen=True)
class Finding:
    """The judgement on one case."""

    case: str
    measured: float | None
    recorded: float | None
    verdict: str
    """within, within the bound, gain, loss, beyond the bound, not recorded, not measured"""
    fails: bool
    text: str

    @property
    def change(self) -> float | None:
        """Return measured over recorded, less 1."""
        if self.measured is None or not self.recorded:
            return None
        return self.measured / self.recorded - 1


def judge(
    kind: Kind,
    measured: Mapping[str, float],
    recorded: Mapping[str, float] | None,
    bounds: Mapping[str, float] | None = None,
) -> list[Finding]:
    """Judge figures beside the recorded ones (None: nothing is recorded for this place)."""
    bounds = kind.bounds if bounds is None else bounds
    return [
        *(_judge(kind, case, figure, recorded, bounds) for case, figure in measured.items()),
        *(
            # What a build has, every run of it can count; not every CPU has every kernel.
            Finding(case, None, old, "not measured", kind.gain_fails,
                    f"{case}: recorded, but not measured. Record that with --update")
            for case, old in (recorded or {}).items()
            if case not in measured
        ),
    ]  # fmt: skip


def _judge(
    kind: Kind,
    case: str,
    figure: float,
    recorded: Mapping[str, float] | None,
    bounds: Mapping[str, float],
) -> Finding:
    old = (recorded or {}).get(case)
    said = f"{figure:,.{2 if figure < 100 else 0}f}"
    bound = bounds.get(case)
    if bound is not None:
        bound *= kind.unknown if recorded is None else 1
        beyond = kind.worse(figure, bound)
        if beyond > 0:
            name = "floor" if kind.more_is_better else "ceiling"
            text = f"{case} is {said} {kind.unit}, {beyond:.1%} beyond the {name} of {bound:g}"
            return Finding(case, figure, old, "beyond the bound", True, text)
    if old is None:
        verdict = "not recorded" if bound is None else "within the bound"
        return Finding(case, figure, None, verdict, False, f"{case}: {said} {kind.unit}")
    worse = kind.worse(figure, old)
    figures = f"{old:,.{2 if old < 100 else 0}f} -> {said} {kind.unit}"
    if worse > kind.loss:
        text = f"{case} LOST {worse:.1%}: {figures}, allowed is {kind.loss:.0%}"
        return Finding(case, figure, old, "loss", True, text)
    if worse < -kind.loss:
        text = f"{case} gained {-worse:.1%}: {figures}. Record it with --update"
        return Finding(case, figure, old, "gain", kind.gain_fails, text)
    return Finding(case, figure, old, "within", False, f"{case}: {figures}")


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
