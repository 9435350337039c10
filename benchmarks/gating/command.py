"""The command: measure, compare with what is recorded, say what was lost, exit with 0 or 1."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .building import ROOT, GateError, build_bench_core, compiler_name, cpu_name
from .counting import baseline_kernel, count
from .records import CALLS, COUNTS, RATIOS, Finding, Kind, judge, load, save, table
from .timing import VARIANTS, Measurement, measure, median_ratios

__all__ = ["main"]

PARTS = ("instructions", "ratios", "calls")

DESCRIPTION = """\
Measure the speed of the engine and compare it with what is recorded.

instructions  callgrind counts of fixed work with the baseline kernel (v2 on x86-64, neon on ARM,
              else portable), against gate_counts.json; 2 % more fails, and so does 2 % less,
              since a gain is to be recorded. Needs valgrind; without it this part is skipped,
              loudly. A compiler without a record may have a quarter more than any that has one.
ratios        every kernel that runs here against the frozen reference of benchmarks/reference,
              interleaved in one process, against gate_ratios.json; 10 % less fails (after one
              repeat), and so does a ratio below the floor of its kernel. A CPU or compiler
              without a record must reach half of the floors.
calls         what calls from Python cost beside the kernel, in units of what Python itself does;
              more than a ceiling fails, everywhere alike.

Builds in build/gate. Exit code 0: held, 1: lost, or could not be measured.
"""

EPILOG = """\
--update records what was measured here (ratios: the median of three runs); commit the two
files with the change that moved the figures. Record ratios on a machine with nothing else to do.
"""


@dataclass
class Report:
    """What there is to say, as text on the way and as data at the end."""

    quiet: bool
    failed: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)

    def say(self, text: str = "") -> None:
        """Print, unless only the data are wanted."""
        if not self.quiet:
            print(text, flush=True)

    def loudly(self, text: str) -> None:
        """Print so that nobody overlooks it, in any case."""
        print(f"\n!!! {text}\n", file=sys.stderr if self.quiet else sys.stdout, flush=True)

    def findings(self, kind: Kind, findings: Sequence[Finding], binding: bool = True) -> None:
        """Show what was found; unless it is being recorded, say what fails and what is better."""
        rows = [
            (
                finding.case,
                _figure(finding.measured),
                _figure(finding.recorded),
                "" if finding.change is None else f"{finding.change:+z.1%}",
                f"{kind.bounds[finding.case]:g}" if finding.case in kind.bounds else "",
                finding.verdict,
            )
            for finding in findings
        ]
        bound = "floor" if kind.more_is_better else "ceiling"
        self.say(table(("case", kind.unit, "recorded", "change", bound, ""), rows))
        for finding in findings if binding else ():
            if finding.fails:
                self.failed.append(finding.text)
            elif finding.verdict in ("gain", "not measured"):
                self.say(f"note: {finding.text}")


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:,.{2 if value < 100 else 0}f}"


def check_counts(report: Report, bench_core: Path, path: Path, update: bool) -> None:
    """Count instructions and judge or record them."""
    report.data["instructions"] = None
    if shutil.which("valgrind") is None:
        report.loudly(
            "valgrind was NOT FOUND: instruction counts are SKIPPED, a part of the gate is open "
            "(apt-get install valgrind)"
        )
        return
    compiler = compiler_name(bench_core.parent)
    kernel = baseline_kernel(compiler)
    key = f"{compiler}, kernel {kernel}"
    counts = count(bench_core, kernel)
    report.data["instructions"] = {key: counts}
    recorded = load(path)
    # By another compiler, the same work takes nearly as many.
    alike = [figures for name, figures in recorded.items() if name.endswith(f"kernel {kernel}")]
    known = key in recorded
    most = {case: max(figures.get(case, 0.0) for figures in alike) for case in counts if alike}
    findings = judge(COUNTS, counts, recorded.get(key), {} if known else most)
    report.say(f"\nInstructions, {key}")
    report.findings(COUNTS, findings, binding=not update)
    if update:
        save(path, key, counts)
        report.say(f"recorded in {path.name}")
    elif not known:
        report.loudly(
            f"NO COUNTS ARE RECORDED for {key}: "
            + (f"judged is only that they are not {COUNTS.unknown - 1:.0%} more than any "
               "other compiler's. " if alike else "nothing was compared. ")
            + "Record them with --update on a commit whose speed is right."
        )  # fmt: skip


def check_ratios(
    report: Report, measure_once: Callable[[str], Measurement], key: str, path: Path, update: bool
) -> None:
    """Measure ratios and judge or record them."""
    recorded = load(path).get(key)
    report.say(f"\nRatios to the frozen reference, {key}")
    if recorded is None and not update:
        report.loudly(
            f"NO RATIOS ARE RECORDED for {key}: only {RATIOS.unknown:g} of the floors is asked "
            "for. Record them with --update when the machine is quiet."
        )
    updated: dict[str, float] = {}
    for variant in report.data["variants"]:
        first = measure_once(variant)
        if update:
            runs = [first.ratios(), *(measure_once(variant).ratios() for _ in range(2))]
            updated |= median_ratios(runs)
        known = recorded and {
            case: ratio for case, ratio in recorded.items() if case.split()[0] == variant
        }
        findings = judge(RATIOS, first.ratios(), known)
        if not update and any(finding.fails for finding in findings):
            report.say(f"{variant}: a ratio is too low; measuring once more before it counts")
            second = judge(RATIOS, measure_once(variant).ratios(), known)
            again = {finding.case: finding for finding in second}
            findings = [again[old.case] if old.fails else old for old in findings]
        report.say(
            f"\n{variant}: {first.positions} positions of all phases, {first.mean_moves:.0f} moves "
            f"on average; reference list {first.reference_ns:.0f} ns"
        )
        report.findings(RATIOS, findings, binding=not update)
        show_times(report, first)
        report.data.setdefault("ratios", {})[variant] = {
            "positions": first.positions,
            "kernels": first.kernels,
            "judged": {finding.case: finding.measured for finding in findings},
        }
    if update:
        save(path, key, updated)
        report.say(f"recorded in {path.name}")


def show_times(report: Report, measured: Measurement) -> None:
    """Print the times of all kernels, of what is judged and of the rest."""
    kernels = {name: each for name, each in measured.kernels.items() if name != "reference"}
    cases = list(measured.kernels["portable"])
    rows = [
        (kernel, *(_figure(times[case]["ns"]) if case in times else "" for case in cases))
        for kernel, times in kernels.items()
    ]
    report.say("\n" + table(("ns", *cases), rows))


def check_calls(report: Report, rounds: int) -> None:
    """Time calls from Python and judge them."""
    # Only this part needs the package itself.
    from . import calls

    times, unit = calls.measure(rounds)
    gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    bounds = {case: bound * (1 if gil else 3) for case, bound in CALLS.bounds.items()}
    report.data["calls"] = {"unit_ns": unit, "judged": times}
    report.say(
        f"\nCalls from Python, {calls.VARIANT}, in copies of a dict of 8, {unit:.0f} ns each"
    )
    report.findings(CALLS, judge(CALLS, times, None, bounds))


# -- the command -------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the gate; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="gate",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", choices=PARTS, help="do one part")
    parser.add_argument("--update", action="store_true", help="record what is measured")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON only")
    parser.add_argument(
        "--rounds", type=int, default=25, help="rounds of a measurement (%(default)s)"
    )
    parser.add_argument(
        "--variant", choices=VARIANTS, action="append", help="measure this one only (repeatable)"
    )
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "build" / "gate", help="where to build (%(default)s)"
    )
    parser.add_argument(
        "--records", type=Path, default=ROOT / "benchmarks",
        help="folder of gate_counts.json and gate_ratios.json (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--bench-core", type=Path, help="judge this program and build none; leaves out calls"
    )
    chosen = parser.parse_args(arguments)
    report = Report(quiet=chosen.json)
    try:
        _judge(report, chosen)
    except GateError as error:
        print(f"gate: {error}", file=sys.stderr)
        return 1
    if chosen.json:
        print(json.dumps({**report.data, "failed": report.failed}, indent=2))
    elif report.failed:
        print("\nThe gate FAILS:")
        for text in report.failed:
            print(f"  {text}")
    else:
        print("\nThe gate holds.")
    return 1 if report.failed else 0


def _judge(report: Report, chosen: argparse.Namespace) -> None:
    """Build and do the chosen parts."""
    parts = [chosen.only] if chosen.only else list(PARTS)
    if chosen.only is None and chosen.bench_core is not None:
        # That program says nothing about calls from Python.
        parts.remove("calls")
    report.data["variants"] = chosen.variant or list(VARIANTS)
    bench_core: Path | None = chosen.bench_core
    if bench_core is None and parts != ["calls"]:
        report.say("building bench_core")
        bench_core = build_bench_core(chosen.folder)
    if bench_core is not None and "instructions" in parts:
        check_counts(report, bench_core, chosen.records / "gate_counts.json", chosen.update)
    if bench_core is not None and "ratios" in parts:
        program = bench_core
        check_ratios(
            report,
            lambda variant: measure(program, variant, chosen.rounds),
            f"{cpu_name()}, {compiler_name(bench_core.parent)}",
            chosen.records / "gate_ratios.json",
            chosen.update,
        )
    if "calls" in parts:
        check_calls(report, chosen.rounds)
