"""Why tests are skipped is told at the end of a run, however many there are."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOME = """
import pytest

@pytest.mark.parametrize("number", range(7))
def test_one(number):
    pytest.skip("no moon tonight")

@pytest.mark.skipif(True, reason="no sun either")
def test_two():
    pass

def test_three():
    pytest.importorskip("no_such_module", reason="the extra `none`")
"""
TESTS = Path(__file__).parent
# Without a reason nobody learns what is missing.
BARE = re.compile(r"pytest\.skip\(\)|importorskip\([^()]*\)|skipif\([^()]*\)")


@pytest.mark.parametrize("more", [(), ("-n", "2"), ("-rs",)])
def test_reasons_are_counted(more: tuple[str, ...], tmp_path: Path) -> None:
    if "-n" in more:
        pytest.importorskip("xdist", reason="several processes are pytest-xdist")
    shutil.copy(TESTS / "conftest.py", tmp_path)
    (tmp_path / "test_some.py").write_text(SOME)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", "-q", *more],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    wanted = "    7  no moon tonight\n    1  no sun either\n    1  the extra `none`\n"
    # Who asks for all of it gets it as pytest has it.
    assert (wanted in done.stdout) == ("-rs" not in more)


def test_every_skip_has_a_reason() -> None:
    found = [
        f"{file.name}: {match[0]}"
        for file in sorted(TESTS.glob("*.py"))
        for match in BARE.finditer(file.read_text(encoding="utf-8"))
        if "reason=" not in match[0] and file.name != Path(__file__).name
    ]
    assert not found
