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

from .building import (
    ROOT,
    GateError,
    build_bench_core,
    build_extension,
    compiler_name,
    cpu_name,
    extension_key,
)
from .counting import count_core, count_python
from .records import (
    FLOORS,
    UNKNOWN_SHARE,
    Finding,
    Verdict,
    judge_counts,
    judge_ratios,
    load,
    save,
    table,
)
from .timing import GATED, VARIANTS, Measurement, measure, measure_overhead, median_ratios

__all__ = ["main"]

DESCRIPTION = """\
Measure the speed of the engine and compare it with what is recorded.

instructions  callgrind counts of fixed work with the baseline kernel (v2 on x86-64, neon on ARM,
              else portable), against gate_counts.json; 2 % more fails, and so does 2 % less,
              since a gain is to be recorded. Needs valgrind; without it this half is skipped,
              loudly.
ratios        every kernel that runs here against the frozen reference of benchmarks/reference,
              interleaved in one process, against gate_ratios.json; 10 % less fails (after one
              repeat), and so does a ratio below the floor of its kernel.

A compiler, Python or CPU without records is said so loudly, and fails nothing but the floors.
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

    def findings(self, findings: Sequence[Finding]) -> None:
        """Say what fails and what is better than recorded."""
        for finding in findings:
            if finding.fails:
                self.failed.append(finding.text)
            elif finding.verdict in (Verdict.GAIN, Verdict.NOT_MEASURED):
                self.say(f"note: {finding.text}")


def _percent(part: float | None) -> str:
    return "" if part is None else f"{part:+.1%}"


def _figure(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


# -- instructions ------------------------------------------------------------------------------


def check_counts(
    report: Report, bench_core: Path, extension: Path | None, path: Path, update: bool
) -> None:
    """Count instructions and judge or record them; `extension` is the folder of its build."""
    if shutil.which("valgrind") is None:
        report.loudly(
            "valgrind was NOT FOUND: instruction counts are SKIPPED, half of the gate is open "
            "(apt-get install valgrind)"
        )
        report.data["instructions"] = None
        return
    compiler = compiler_name(bench_core.parent)
    baselines = {"x86_64": "v2", "AMD64": "v2", "aarch64": "neon", "arm64": "neon"}
    kernel = next((name for cpu, name in baselines.items() if cpu in compiler), "portable")
    measured = {f"{compiler}, kernel {kernel}": count_core(bench_core, kernel)}
    if extension is not None:
        key = f"{extension_key(extension, compiler)}, kernel {kernel}"
        measured[key] = count_python(extension / "site", kernel)
    report.data["instructions"] = measured
    recorded = load(path)
    for key, counts in measured.items():
        findings = judge_counts(counts, recorded.get(key))
        report.say(f"\nInstructions, {key}")
        report.say(
            table(
                ("case", "instructions", "recorded", "change", ""),
                [
                    (
                        finding.case,
                        _figure(finding.measured, ",.0f"),
                        _figure(finding.recorded, ",.0f"),
                        _percent(finding.change),
                        finding.verdict.value,
                    )
                    for finding in findings
                ],
            )
        )
        if update:
            save(path, key, counts)
            report.say(f"recorded in {path.name}")
            continue
        if key not in recorded:
            report.loudly(
                f"NO COUNTS ARE RECORDED for {key}: nothing was compared. "
                "Record them with --update on a commit whose speed is right."
            )
        report.findings(findings)


# -- ratios ------------------------------------------------------------------------------------


def check_ratios(
    report: Report, measure_once: Callable[[str], Measurement], key: str, path: Path, update: bool
) -> None:
    """Measure ratios and judge or record them."""
    recorded = load(path).get(key)
    report.say(f"\nRatios to the frozen reference, {key}")
    if recorded is None and not update:
        report.loudly(
            f"NO RATIOS ARE RECORDED for {key}: only {UNKNOWN_SHARE:g} of the floors is asked for. "
            "Record them with --update when the machine is quiet."
        )
    updated: dict[str, float] = {}
    for variant in report.data["variants"]:
        first = measure_once(variant)
        if update:
            runs = [first.ratios(), *(measure_once(variant).ratios() for _ in range(2))]
            updated |= median_ratios(runs)
        mine = {
            case: ratio for case, ratio in (recorded or {}).items() if case.split()[0] == variant
        }
        known = None if recorded is None else mine
        findings = judge_ratios(first.ratios(), known)
        if not update and any(finding.fails for finding in findings):
            report.say(f"{variant}: a ratio is too low; measuring once more before it counts")
            second = measure_once(variant)
            again = {finding.case: finding for finding in judge_ratios(second.ratios(), known)}
            findings = [again[old.case] if old.fails else old for old in findings]
        show_ratios(report, first, findings)
        report.data.setdefault("ratios", {})[variant] = {
            "positions": first.positions,
            "kernels": first.kernels,
            "judged": {finding.case: finding.measured for finding in findings},
        }
        if not update:
            report.findings(findings)
    if update:
        save(path, key, updated)
        report.say(f"recorded in {path.name}")


def show_ratios(report: Report, measured: Measurement, findings: Sequence[Finding]) -> None:
    """Print the judged ratios, and the others below them."""
    report.say(
        f"\n{measured.variant}: {measured.positions} positions of all phases, "
        f"{measured.mean_moves:.0f} moves on average; reference list {measured.reference_ns:.0f} ns"
    )
    rows = []
    for finding in findings:
        _, kernel, case = finding.case.split()
        times = measured.kernels.get(kernel, {}).get(case)
        rows.append(
            (
                f"{kernel} {case}",
                _figure(times["ns"] if times else None, ".0f"),
                _figure(finding.measured, ".2f"),
                _figure(finding.recorded, ".2f"),
                _percent(finding.change),
                _figure(FLOORS.get(finding.case), "g"),
                finding.verdict.value,
            )
        )
    report.say(table(("case", "ns", "ratio", "recorded", "change", "floor", ""), rows))
    others = [
        (
            kernel,
            *(
                f"{cases[case]['ns']:.0f}" if case in cases else ""
                for case in measured.kernels["portable"]
                if case not in GATED
            ),
        )
        for kernel, cases in measured.kernels.items()
        if kernel != "reference"
    ]
    head = ("ns, not judged", *(case for case in measured.kernels["portable"] if case not in GATED))
    report.say("\n" + table(head, others))


def show_overhead(report: Report, site: Path | None, rounds: int) -> None:
    """Report what calls from Python cost beside the kernel."""
    kernel_name, overhead = measure_overhead(site, rounds)
    report.data["python"] = overhead
    report.say(f"\nFrom Python, kernel {kernel_name}, same positions (reported, not judged)")
    rows = []
    for variant, times in overhead.items():
        if times["positions"] != report.data["ratios"][variant]["positions"]:
            report.loudly(f"{variant}: python_overhead.py no longer plays the games of bench_core")
        kernels = report.data["ratios"][variant]["kernels"]
        reference = kernels["reference"]["list"]["ns"]
        listing = kernels[kernel_name]["list"]["ns"]
        counting = kernels[kernel_name]["count"]["ns"]
        over = {"legal_ids(out=)": listing, "legal_ids()": listing, "count_legal": counting}
        for case in (case for case in times if case not in ("mean_moves", "positions")):
            beyond = f"{times[case] - over[case]:+.0f}" if case in over else ""
            ratio = f"{times[case] / over[case]:.2f}" if case in over else ""
            rows.append(
                (
                    f"{variant} {case}",
                    f"{times[case]:.0f}",
                    f"{reference / times[case]:.1f}",
                    beyond,
                    ratio,
                )
            )
    head = ("call", "ns", "reference list / call", "ns over the kernel", "call / kernel")
    report.say(table(head, rows))


# -- the command -------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the gate; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="gate",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", choices=("instructions", "ratios"), help="do one half")
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
        "--bench-core", type=Path, help="judge this program instead of building one and of Python"
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
    """Build and do the chosen halves."""
    folder: Path = chosen.folder
    report.data["variants"] = chosen.variant or list(VARIANTS)
    if chosen.bench_core is not None:
        bench_core: Path = chosen.bench_core
    else:
        report.say("building bench_core")
        bench_core = build_bench_core(folder / "core")
    extension = None
    if chosen.only != "ratios":
        if chosen.bench_core is None and shutil.which("valgrind") is not None:
            report.say("building the extension with its symbols")
            extension = folder / "extension"
            build_extension(extension)
        path = chosen.records / "gate_counts.json"
        check_counts(report, bench_core, extension, path, chosen.update)
    if chosen.only != "instructions":
        key = f"{cpu_name()}, {compiler_name(bench_core.parent)}"
        path = chosen.records / "gate_ratios.json"
        check_ratios(
            report,
            lambda variant: measure(bench_core, variant, chosen.rounds),
            key,
            path,
            chosen.update,
        )
        if chosen.bench_core is None and set(report.data["variants"]) == set(VARIANTS):
            site = extension / "site" if extension is not None else None
            show_overhead(report, site, chosen.rounds)
