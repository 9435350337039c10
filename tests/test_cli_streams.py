"""Records from standard input, pictures and records to standard output, and what was written."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_tools import run

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")

RECORDS = b"(;GM[Blokus Duo];B[e10];W[j5])\n(;GM[Blokus Duo];B[e10,e9])\n"


@pytest.mark.parametrize(
    ("command", "suffix", "begins"),
    [("render", ".svg", b"<svg"), ("replay", ".html", b"<!DOCTYPE")],
)
def test_dash_is_standard_input_and_output(
    command: str, suffix: str, begins: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("game.blksgf")
    file.write_bytes(RECORDS)
    result = run(command, file)
    target = f"game{suffix}"
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"written: {target}\n")
    picture = Path(target).read_bytes()
    assert picture.startswith(begins)
    for args in (("-",), ("-", "-o", "-")):
        result = run(command, *args, stdin=RECORDS)
        assert (result.exit_code, result.stdout_bytes, result.stderr) == (0, picture, "")
    result = run(command, "-", "-o", f"other{suffix}", stdin=RECORDS)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"written: other{suffix}\n"
    assert Path(f"other{suffix}").read_bytes() == picture
    # Another game of the same stream.
    result = run(command, "-", "--game", "2", stdin=RECORDS)
    assert result.stdout_bytes.startswith(begins)
    assert result.stdout_bytes != picture
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["game.blksgf", target, f"other{suffix}"]
    )


@pytest.mark.parametrize(
    ("data", "words", "code"),
    [
        (b"", "standard input: there is no game of Blokus in it", 1),
        (b"(;GM[Nexos])", "standard input: line 1, column 2: the game is Nexos", 1),
        (b"(;GM[Blokus];1[a1])", "standard input: line 1, column 13: ", 0),
    ],
)
def test_what_is_wrong_with_the_standard_input(data: bytes, words: str, code: int) -> None:
    result = run("render", "-", stdin=data)
    assert result.exit_code == code
    assert words in result.stderr
    assert run("render", "-", "--game", "3", stdin=RECORDS).exit_code == 2
    assert "standard input has 2" in run("render", "-", "--game", "3", stdin=RECORDS).stderr


def test_an_analysis_of_the_standard_input_says_what_it_wrote(tmp_path: Path) -> None:
    html = tmp_path / "game.html"
    result = run("analyze", "-", "--html", html, "--simulations", "10", "--json", stdin=RECORDS)
    assert result.exit_code == 0, result.output
    assert result.stderr == f"written: {html}\n"
    assert html.read_text().startswith("<!DOCTYPE html>")
