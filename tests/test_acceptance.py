"""The way from an empty folder turns red for what does not work, and hides nothing behind it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import acceptance
import acceptance_steps
import pytest

SCRIPT = Path(acceptance.__file__)
INFO = "blokus_fast-0.1.0.dist-info"


@pytest.fixture
def hollow(tmp_path: Path) -> Path:
    """Make a wheel that can be installed, and has nothing in it."""
    path = tmp_path / "blokus_fast-0.1.0-py3-none-any.whl"
    files = {
        "blokus_fast/__init__.py": "",
        f"{INFO}/METADATA": "Metadata-Version: 2.1\nName: blokus-fast\nVersion: 0.1.0\n"
        "Provides-Extra: cli\n",
        f"{INFO}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{INFO}/RECORD": "",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.fixture
def junk(tmp_path: Path) -> Path:
    path = tmp_path / f"blokus_fast-0.1.0-{acceptance.about(sys.executable).tag}-any.whl"
    path.write_bytes(b"no archive")
    return path


def script(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run it as a newcomer does; return how it ended."""
    command = [sys.executable, SCRIPT, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.costly
def test_what_is_no_wheel_fails_to_install(junk: Path) -> None:
    done = script(junk)
    assert done.returncode == 1, done.stderr
    *_, head, cells, note = done.stdout.splitlines()
    assert head.split()[:3] == ["Python", "numpy", "install"]
    assert cells.split()[2:] == ["failed", *"-" * len(acceptance.STEPS)]
    assert ", install, failed: ERROR: " in note


@pytest.mark.costly
def test_a_step_that_fails_hides_no_other(hollow: Path) -> None:
    done = script(hollow)
    assert done.returncode == 1, done.stderr
    table = done.stdout[done.stdout.rindex("\nPython") :].splitlines()
    assert table[2].split()[1:] == ["-", "ok", *["failed"] * len(acceptance.STEPS)]
    for step in acceptance.STEPS:
        assert any(f", {step}, failed: ModuleNotFoundError" in line for line in table), step


def test_what_is_not_there_is_said_at_once(junk: Path, tmp_path: Path) -> None:
    done = script(tmp_path / "none.whl")
    assert (done.returncode, done.stdout) == (2, "")
    assert "none.whl: there is no such file" in done.stderr
    done = script(junk, "--python", str(tmp_path / "python9"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"--python {tmp_path / 'python9'}: there is no such program\n"


@pytest.mark.skipif(os.name == "nt", reason="a script with a first line that names its shell")
def test_a_program_that_is_no_python(junk: Path, tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho hello\n")
    program.chmod(0o755)
    assert script(junk, "--python", program).stderr == f"--python {program}: this is no Python 3\n"


def entered(tmp_path: Path, *code: str) -> acceptance.Outcome:
    """Let a step run Python code, one process for each."""
    row = acceptance.about(sys.executable)
    commands = [[sys.executable, "-c", line] for line in code]
    acceptance.do(row, "play", tmp_path, dict(os.environ), *commands)
    return row.outcomes["play"]


def test_a_step_is_judged_by_its_exit_code_and_noted_by_its_last_line(tmp_path: Path) -> None:
    for code, result in ((0, "ok"), (77, "skipped"), (1, "failed"), (130, "failed")):
        outcome = entered(tmp_path, f"print('a\\nb'); raise SystemExit({code})")
        assert (outcome.result, outcome.note) == (result, "b")
    assert entered(tmp_path, "raise SystemExit(3)").note == "exit code 3"
    assert entered(tmp_path, "raise SystemExit('no')", "print('yes')").note == "no"


@pytest.mark.skipif(os.name == "nt", reason="groups of processes are POSIX's")
def test_a_step_without_an_end_is_ended_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acceptance, "LIMIT", 2)
    child = "import time; time.sleep(100)"
    outcome = entered(
        tmp_path,
        f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {child!r}]); "
        "open('pid', 'w').write(str(p.pid)); p.wait()",
    )
    assert (outcome.result, outcome.note) == ("failed", "not done after 2 seconds")
    status = Path("/proc", (tmp_path / "pid").read_text(), "stat")
    end = time.monotonic() + 20
    while status.exists() and status.read_text().split()[2] != "Z" and time.monotonic() < end:
        time.sleep(0.05)
    assert not status.exists() or status.read_text().split()[2] == "Z"


def test_what_is_skipped_fails_where_that_is_asked(
    junk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def accept(row: acceptance.Row, *_: object) -> None:
        row.outcomes |= {"play": acceptance.Outcome("ok"), "C": acceptance.Outcome("skipped")}

    monkeypatch.setattr(acceptance, "accept", accept)
    assert acceptance.main([str(junk)]) == 0
    assert acceptance.main([str(junk), "--no-skips"]) == 1
    assert ", C, skipped:" in capsys.readouterr().out


def test_each_python_gets_its_own_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("cp311-cp311", "cp313-cp313t", "cp313-cp313")
    wheels = [Path(f"blokus_fast-0.1.0-{name}-linux_x86_64.whl") for name in names]
    assert acceptance.fitting(wheels, "cp313-cp313") == wheels[2]
    assert acceptance.fitting(wheels, "cp313-cp313t") == wheels[1]
    assert acceptance.fitting(wheels, "cp314-cp314") is None
    assert acceptance.fitting(wheels[:1], "cp314-cp314") == wheels[0]
    for wheel in wheels:
        (tmp_path / wheel).write_bytes(b"")
    row = acceptance.Row("python3.14", "3.14.0", "cp314-cp314")
    monkeypatch.setattr(acceptance, "about", lambda _: row)
    assert acceptance.main([str(tmp_path / wheel) for wheel in wheels]) == 1
    assert capsys.readouterr().out.endswith(
        "3.14.0, install, failed: no wheel is for cp314-cp314\n"
    )


@pytest.mark.costly
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal here")
def test_ctrl_c_ends_it_and_leaves_nothing(junk: Path, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    with subprocess.Popen(
        [sys.executable, SCRIPT, junk], env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stdout is not None
        assert child.stdout.readline().startswith("Python ")
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (130, "")
    assert "\ninterrupted\n\nPython " in out
    assert list((tmp_path / "tmp").iterdir()) == []


def test_steps_are_those_that_are_called() -> None:
    assert tuple(acceptance_steps.STEPS) == acceptance.STEPS
