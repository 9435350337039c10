"""Names that are wider, or narrower, than they have signs: Chinese, pictures, accents."""

from __future__ import annotations

import random
import unicodedata
from pathlib import Path

import pytest

import blokus_fast as bf

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")

from cli_tools import run
from rich.cells import cell_len
from terminal import MODULE, Screen, Terminal

from blokus_fast.cli.columns import cut, padded, prefix, wrapped
from blokus_fast.cli.frames import Look, final_frame, frame
from blokus_fast.render import hand_text

NAMES = ("日本語日本語", "😀" * 8, "漢" * 30, "e\u0301" * 25, "한국어 이름", "n" * 60)


@pytest.mark.parametrize("text", [*NAMES, "a日b", "", "日 本 語 日 本 語"])
@pytest.mark.parametrize("cells", [1, 2, 3, 7, 12, 61])
def test_what_is_fitted_fits(text: str, cells: int) -> None:
    assert cell_len(padded(text, cells)) == cells
    assert cell_len(prefix(text, cells)) <= cells
    assert text.startswith(prefix(text, cells))
    # Nothing more would fit, and no accent is left alone.
    rest = text[len(prefix(text, cells)) :]
    assert not rest or cell_len(prefix(text, cells) + rest[0]) > cells
    assert not rest or unicodedata.category(rest[0]) != "Mn"
    assert cell_len(cut(text, cells)) <= max(cells, 3)
    assert cut(text, cell_len(text)) == text
    lines = wrapped(text, max(cells, 2))
    assert all(cell_len(line) <= max(cells, 2) for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("variant", ["classic", "duo", "draft"])
@pytest.mark.parametrize("name", NAMES)
def test_frames_are_not_wider_than_the_screen(variant: str, name: str) -> None:
    rng = random.Random(1)
    players = bf.variant(variant).players
    game = bf.Game(variant, names=[f"{name[:59]}{player}" for player in range(players)])
    for ply in range(20):
        look = Look(80, 24, blocks=True)
        for lines in (
            frame(game, look, (0, 0), asked=ply % 2 == 0, said=f"{name} is thinking ..."),
            final_frame(game, look, f"{name} wins"),
        ):
            assert lines is not None
            assert len(lines) <= 23
            assert max(map(cell_len, lines)) <= 80, lines
        ids = game.board.legal_ids().tolist()
        game.play(game.board.move(rng.choice(ids)))


def test_scores_stand_below_each_other() -> None:
    game = bf.Game("classic", names=["Ann", "日本語日本語", "😀" * 8, "e\u0301a"])
    lines = frame(game, Look(80, 24), (0, 0), asked=False)
    assert lines is not None
    ends = {cell_len(line[: line.index(" left")]) for line in lines[1:5]}
    assert len(ends) == 1
    hands = hand_text(bf.Board("draft"), names=["Ann", "日本語日本語", "😀" * 8, "e\u0301a"])
    assert len({cell_len(line[: line.index("  nothing")]) for line in hands[:4]}) == 1


@pytest.mark.parametrize(
    ("variant", "names"),
    [
        ("classic", ("", "日本語日本語")),
        ("classic", ("😀😀😀😀😀😀😀😀", "漢" * 30)),
        ("draft-2p", ("漢" * 60, "😀" * 60)),
        ("duo", ("e\u0301" * 30, "n" * 60)),
    ],
)
def test_a_game_with_wide_names_stays_on_its_screen(
    variant: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    pytest.importorskip("pty", reason="there are no pseudo-terminals")
    import sys

    others = ["greedy"] * (bf.variant(variant).players - 1)
    words = ["play", "--variant", variant, "--bots", ",".join(["human", *others]), "--seed", "1"]
    for name in names:
        words += ["--name", name]
    with Terminal(sys.executable, *MODULE, *words, cwd=tmp_path) as terminal:
        for keys in ("hint\r", "list\r", "\r", "quit\r"):
            terminal.wait_for("your pick of" if "draft" in variant else "your move:")
            screen = terminal.screen
            assert screen.wrapped == screen.scrolled == 0, screen.text
            assert screen.wraps
            terminal.type(keys)
        assert terminal.end() == 0
        assert terminal.screen.wrapped == 0, terminal.screen.text
        assert terminal.screen.lines[0].startswith("   a b c"), terminal.screen.text


def test_the_terminal_of_the_tests_knows_wide_signs() -> None:
    screen = Screen(3, 6)
    screen.write("日本語")
    assert (screen.column, screen.wrapped) == (6, 0)
    screen.write("e\u0301")
    assert (screen.wrapped, screen.lines) == (1, ["日本語", "e\u0301", ""])
    screen.write("\x1b[?7l" + "n" * 9)
    assert (screen.wrapped, screen.row) == (5, 1)


def test_a_table_of_mistakes_has_wide_names(tmp_path: Path) -> None:
    record = tmp_path / "game.blksgf"
    assert run("play", "--variant", "duo", "--bots", "random", "--seed", "1", "--save", record,
               "--name", "漢" * 30).exit_code == 0  # fmt: skip
    done = run("analyze", record, "--simulations", "10")
    assert done.exit_code == 0, done.output
    assert max(map(cell_len, done.stdout.splitlines())) <= 120
