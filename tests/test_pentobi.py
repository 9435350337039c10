"""The match against a GTP engine finds agreement where there is, and names what differs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "benchmarks"))

from matching import command  # noqa: E402

FAKE = ROOT / "tests" / "data" / "fake_gtp.py"


@pytest.fixture
def program(tmp_path: Path) -> str:
    """Return a program that is the fake engine."""
    if sys.platform == "win32":
        pytest.skip("needs a script that the system starts by its first line")
    script = tmp_path / "fake-gtp"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE}"\n')
    script.chmod(0o755)
    return str(script)


def test_agreement_in_all_variants(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([program, "--games", "1", "--bot", "random"]) == 0
    said = capsys.readouterr().out
    for variant in ("duo", "classic", "classic-2p", "junior"):
        assert f"{variant}: random against Fake 1.0, level 1" in said
    assert said.count("and the same final scores") == 4
    assert said.count(" moves/s, ") == 8


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ("lose_move", "DISAGREEMENT: duo, game 0, ply 3: "),
        ("illegal_move", "its move for w, a1, is illegal here"),
        ("wrong_score", "DISAGREEMENT: duo, game 0: final score "),
        ("die", "ended (exit code 3) at 'genmove w'"),
        ("hang", "did not answer 'genmove w' within 2 s"),
        ("refuse", "refuses 'play b "),
    ],
)
def test_faults_are_named(
    program: str,
    fault: str,
    text: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FAKE_GTP", fault)
    timeout = "2" if fault == "hang" else "60"
    arguments = [program, "--games", "1", "--variant", "duo", "--timeout", timeout]
    assert command.main(arguments) == 1
    assert text in capsys.readouterr().err


def test_a_move_that_is_missing_there_is_shown(
    program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FAKE_GTP", "lose_move")
    command.main([program, "--games", "1", "--variant", "duo"])
    assert "; only here: " in capsys.readouterr().err


@pytest.mark.parametrize("name", ["no-such-program", "./no/such/program"])
def test_a_program_that_is_not_there(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([name]) == 1
    assert f"cannot start {name}" in capsys.readouterr().err


def test_a_program_that_does_not_speak_gtp(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if sys.platform == "win32":
        pytest.skip("needs a script that the system starts by its first line")
    script = tmp_path / "talker"
    script.write_text("#!/bin/sh\necho hello\necho\nexec cat\n")
    script.chmod(0o755)
    assert command.main([str(script), "--timeout", "0.5"]) == 1
    assert "did not answer 'name' within 0.5 s; it wrote '1 name'" in capsys.readouterr().err
