"""A person at a terminal of 80 x 24: everything stays in view, lines can be edited."""

from __future__ import annotations

import re
import signal
import sys
from pathlib import Path

import pytest
from cli_tools import json_of

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")
pytest.importorskip("pty", reason="there are no pseudo-terminals")

from terminal import Terminal

PROGRAM = (sys.executable, "-m", "blokus_fast")
PROMPT = "your move:"
BACK = "Enter shows the board again."


def play(*words: str, cwd: Path, **options: object) -> Terminal:
    return Terminal(*PROGRAM, "play", *words, cwd=cwd, **options)  # type: ignore[arg-type]


def check(terminal: Terminal) -> None:
    """At a prompt: nothing is wider or higher than the screen."""
    screen = terminal.screen
    assert screen.wrapped == 0
    assert screen.scrolled == 0
    assert screen.lines[0].startswith("   a b c")


def advised(terminal: Terminal) -> str:
    """Ask for a hint, and return it."""
    terminal.type("hint\r")
    terminal.wait_for(" at ")
    text = terminal.wait_for(PROMPT)
    found = re.search(r"^\w+ at (\S+)$", text, re.MULTILINE)
    assert found is not None, text
    return found[1]


@pytest.mark.parametrize("variant", ["classic", "classic-2p", "duo"])
@pytest.mark.parametrize("color", [True, False])
def test_a_game_stays_on_a_screen_of_80_by_24(variant: str, color: bool, tmp_path: Path) -> None:
    env = {} if color else {"NO_COLOR": "1", "PYTHONIOENCODING": "ascii"}
    with play("--variant", variant, "--seed", "1", cwd=tmp_path, **env) as terminal:
        for number in range(3):
            text = terminal.wait_for(PROMPT)
            check(terminal)
            assert "+" in text
            turns = {"classic": 4, "classic-2p": 2, "duo": 2}[variant]
            if number:
                assert f" {turns * number}. " in text
            assert ("#" in text) != ("█" in text)
            assert text.isascii() != color
            move = advised(terminal)
            assert terminal.screen.text.count("?") == len(move.split(","))
            check(terminal)
            terminal.type(f"{move}\r")
        terminal.wait_for(PROMPT)
        terminal.type("undo\r")
        terminal.wait_for(PROMPT)
        check(terminal)
        terminal.type("quit\r")
        assert terminal.end() == 0
        text = terminal.screen.text
        assert "Stopped: not finished after" in text
        assert text.splitlines()[-1] == "seed 1"
        assert text.startswith("   a b c")
        assert terminal.screen.wrapped == 0


def test_what_is_said_stays_below_the_board(tmp_path: Path) -> None:
    with play("--variant", "duo", "--seed", "1", cwd=tmp_path) as terminal:
        assert 'squares such as "c10,d10,e10"' in terminal.wait_for(PROMPT)
        for keys, words in (
            ("a1,a3\r", "No: "),
            ("undo\r", "There is no move of yours"),
            ("list X a1\r", "X cannot be played on a1."),
            ("\r", "Tab completes."),
        ):
            terminal.type(keys)
            terminal.wait_for(words)
            terminal.wait_for(PROMPT)
            check(terminal)


def test_long_lists_have_a_page_of_their_own(tmp_path: Path) -> None:
    with play("--variant", "duo", "--seed", "1", cwd=tmp_path) as terminal:
        terminal.wait_for(PROMPT)
        for keys, words in (
            ("help\r", "take back your last move"),
            ("list\r", "828 moves: 1: 2, 2: 8"),
            ("list L5\r", "L5: 80 moves"),
            ("list e10\r", "414 moves that cover e10:"),
        ):
            terminal.type(keys)
            terminal.wait_for(words)
            assert words in terminal.wait_for(BACK)
            assert terminal.screen.scrolled == terminal.screen.wrapped == 0
            terminal.type("\r")
            assert "Tab completes." in terminal.wait_for(PROMPT)
            check(terminal)
        assert "more; name a square" in terminal.output


def test_lines_are_edited_and_come_again(tmp_path: Path) -> None:
    pytest.importorskip("readline", reason="there is no readline")
    with play(
        "--variant", "duo", "--bots", "human,random", "--seed", "3", cwd=tmp_path
    ) as terminal:
        terminal.wait_for(PROMPT)
        # To the beginning of the line, and over what is there.
        terminal.type("10\x01e\r")
        terminal.wait_for("2. orange")
        terminal.wait_for(PROMPT)
        terminal.type("und\t\r")
        terminal.wait_until("> purple .* 21 left")
        terminal.wait_for(PROMPT)
        # Up twice: the move again; commands and squares are completed.
        terminal.type("\x1b[A\x1b[A\r")
        terminal.wait_until("purple .* 20 left")
        terminal.wait_for(PROMPT)
        terminal.type("hi\t\r")
        terminal.wait_for(" at ")


@pytest.mark.parametrize("readline", [True, False])
@pytest.mark.parametrize("pages", [True, False])
def test_the_standard_output_has_records_and_the_terminal_the_game(
    readline: bool, pages: bool, tmp_path: Path
) -> None:
    """Errors go to the terminal with `pages`; then it shows the game, and it cannot elsewhere."""
    if not readline:
        (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['readline'] = None\n")
    others = "" if pages else " 2> errors.txt"
    command = f'exec "$0" "$@" > games.blksgf{others}'
    words = ("--variant", "duo", "--bots", "human,random", "--seed", "1", "--save", "-")
    with Terminal("sh", "-c", command, *PROGRAM, "play", *words, cwd=tmp_path,
                  PYTHONPATH=str(tmp_path)) as terminal:  # fmt: skip
        for keys in ("e10", "hint", "list", "", "undo", "e8,d9,e9,f9,e10", "quit"):
            if pages:
                text = terminal.wait_for(PROMPT)
                # What cannot be done is not promised.
                assert "Tab completes" not in text
                check(terminal)
            terminal.type(f"{keys}\r")
        assert terminal.end() == 0
        assert ("not finished after 2 moves" in terminal.output) == pages
    record = (tmp_path / "games.blksgf").read_text(encoding="utf-8")
    assert record.startswith("(;GM[Blokus Duo]")
    assert "B[e8,d9,e9,f9,e10];W[" in record
    assert record.count("\n") == 1
    if not pages:
        assert "not finished after 2 moves" in (tmp_path / "errors.txt").read_text(encoding="utf-8")


def test_without_readline_the_game_stays_on_its_screen(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['readline'] = None\n")
    with play("--variant", "duo", "--seed", "1", cwd=tmp_path,
              PYTHONPATH=str(tmp_path)) as terminal:  # fmt: skip
        terminal.wait_for(PROMPT)
        terminal.type("\r")
        assert "quit.\n" in terminal.wait_for(PROMPT)
        check(terminal)
        terminal.type("e8,d9,e9,f9,e10\r")
        terminal.wait_for("2. orange")
        terminal.wait_for(PROMPT)
        check(terminal)


def test_ctrl_c_leaves_the_board(tmp_path: Path) -> None:
    with play("--variant", "duo", "--seed", "1", cwd=tmp_path) as terminal:
        terminal.wait_for(PROMPT)
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 0
        assert "Stopped: not finished after 0 moves" in terminal.screen.text


@pytest.mark.costly
def test_games_to_the_end(tmp_path: Path) -> None:
    args = ("play", "--variant", "duo", "--bots", "random", "--seed", "5", "--json")
    games = json_of(*args)["games"]
    with play("--variant", "duo", "--bots", "human", "--games", "2", "--name", "Ann",
              "--save", "games/", cwd=tmp_path) as terminal:  # fmt: skip
        for move in games[0]["moves"]:
            terminal.wait_for(PROMPT)
            check(terminal)
            terminal.type(f"{move}\r")
        text = terminal.wait_for("Enter begins the next game:")
        assert f"after {len(games[0]['moves'])} moves" in text
        assert "1. " in text
        terminal.type("\r")
        terminal.wait_for(PROMPT)
        # The end of the input.
        terminal.type("\x04")
        assert terminal.end() == 0
    assert (tmp_path / "games" / "game-0001.blksgf").exists()


def test_somebody_who_thinks_is_named(tmp_path: Path) -> None:
    bots = "mcts:time=2,book=0,human"
    with play("--variant", "duo", "--bots", bots, "--name", "Deep", cwd=tmp_path) as terminal:
        terminal.wait_until("Deep is thinking ...")
        # Whose pieces: those of the person.
        assert "orange:" in terminal.screen.text
        terminal.wait_for(PROMPT)
        check(terminal)


def test_a_small_terminal_gets_lines(tmp_path: Path) -> None:
    with play("--seed", "1", cwd=tmp_path, rows=20, columns=60) as terminal:
        terminal.wait_for(PROMPT)
        terminal.type("a20\r")
        terminal.wait_for(PROMPT)
        assert "\x1b[H" not in terminal.output
        terminal.type("quit\r")
        assert terminal.end() == 0
        assert "not finished after" in terminal.screen.text


def test_a_dumb_terminal_gets_lines(tmp_path: Path) -> None:
    with play("--variant", "duo", "--seed", "1", cwd=tmp_path, TERM="dumb") as terminal:
        terminal.wait_for(PROMPT)
        assert "\x1b[H" not in terminal.output
        assert 'or "help".' in terminal.output
