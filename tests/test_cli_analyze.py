"""The command `analyze`: what it prints for people and as JSON, its files, and how it ends."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import blokus_fast as bf

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")

from click.testing import CliRunner, Result
from rich.console import Console, RenderableType

from blokus_fast.analysis import GameAnalysis, PositionAnalysis, analyze, analyze_game
from blokus_fast.cli.app import cli
from blokus_fast.cli.views import game_view, points, position_view
from blokus_fast.search import MCTS, SearchResult

MOVES = ("e8,d9,e9,f9,e10", "j3,i4,j4,k4,j5", "h8,h9,i9,g10,h10", "h5,h6,i6,g7,h7")
QUICK = ("--simulations", "60", "--seed", "1")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.blksgf"
    record = bf.Record("duo", names=["Ann", "Bob [b]"])
    record.root.add_line(MOVES)
    bf.records.write([record, bf.Record("junior")], path)
    return path


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["analyze", *map(str, args)])


def told(*args: str | Path) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def position_of(data: dict[str, Any]) -> PositionAnalysis:
    return PositionAnalysis.from_json(
        {key: value for key, value in data.items() if key not in ("variant", "names")}
    )


def shown(view: RenderableType, width: int = 120) -> str:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(view)
    return out.getvalue()


# -- positions ---------------------------------------------------------------------------------


def test_json_of_a_position(file: Path) -> None:
    data = told(file, *QUICK, "--moves", "3")
    found = position_of(data)
    board = bf.records.read(file).to_game().board
    assert (data["variant"], data["names"]) == ("duo", ["Ann", "Bob [b]"])
    assert (bf.parse_position(found.position), len(found.moves)) == (board, 3)
    # The same as from Python.
    expected = analyze(board, simulations=60, moves=3, seed=1, memory=256 * 2**20)
    assert replace(found, seconds=0) == replace(expected, seconds=0)


def test_which_position(file: Path) -> None:
    boards = [bf.Record("duo").root.board(), bf.records.read(file).root.next.board()]  # type: ignore[union-attr]
    for ply, board in zip(("0", "1", "-4"), (*boards, boards[1]), strict=True):
        assert bf.parse_position(told(file, *QUICK, "--ply", ply)["position"]) == board
    assert told(file, *QUICK, "--number", "2")["variant"] == "junior"
    assert told("-v", "classic", *QUICK)["legal"] == bf.Board("classic").count_legal()
    text = bf.position_text(boards[1])
    assert told(text, *QUICK)["position"] == text
    # Without quotes, too.
    assert told(*text.split(), *QUICK)["position"] == text


def test_a_game_that_is_over_is_analyzed_where_there_is_a_move(tmp_path: Path) -> None:
    record = bf.Record("duo")
    node, board = record.root, bf.Board("duo")
    while not board.is_game_over:
        node = node.add(int(board.legal_ids()[-1]))
        board.push(node.move)
    path = tmp_path / "over.blksgf"
    bf.records.write([record], path)
    assert node.parent is not None
    assert bf.parse_position(told(path, *QUICK)["position"]) == node.parent.board()
    result = run(path, *QUICK, "--ply", "-1")
    assert result.exit_code == 2
    assert "the game is over there" in result.output


def test_for_people(file: Path) -> None:
    result = run(file, *QUICK, "--moves", "2")
    assert result.exit_code == 0
    best = position_of(told(file, *QUICK)).best
    text = result.output
    assert "duo after 4 moves: purple (Ann) to move" in text
    assert f"{best.piece} {best.text}" in text
    assert f"{100 * best.share:.1f}%" in text
    assert "Bob [b]" in text
    assert re.search(r"60 simulations in \d", text)
    assert "a b c d e f g h i j k l m n" in text
    # Plain text where nobody looks on: nothing that moves the cursor.
    assert "\x1b" not in text


def test_what_is_proven_and_what_is_full_is_said() -> None:
    board = bf.Board("duo")
    found = analyze(board, simulations=50, seed=1, moves=2)
    names = ("Ann", "Bob")
    plain = shown(position_view(found, board.variant, names))
    assert "proven" not in plain
    assert "memory" not in plain
    row = replace(found.moves[0], proven=True)
    other = replace(found, moves=(row, found.moves[1]), full=True, stopped="interrupt")
    text = shown(position_view(other, board.variant, names, memory=2**20))
    assert text.count("\N{CHECK MARK}") == 2
    assert "The memory of 1 MB is full" in text
    assert "interrupted" in text
    unknown = replace(row, value=None, score=None, proven=False)
    assert "\N{EN DASH}" in shown(
        position_view(replace(found, moves=(unknown,)), board.variant, names)
    )


@pytest.mark.parametrize("variant", bf.VARIANTS)
@pytest.mark.parametrize("width", [60, 80, 130])
def test_tables_keep_within_the_width(variant: str, width: int) -> None:
    game = bf.Game(variant)
    for _ in range(6):
        game.play(int(game.board.legal_ids()[-1]))
    found = analyze(game.board, simulations=400, seed=1)
    text = shown(position_view(found, game.variant, game.names, width=width), width)
    best = found.best
    if width >= 80:
        assert best.text.rpartition(" ")[2] in text
        assert f"{best.visits:,}" in text
    assert ("expected then" in text) == (width >= 110)
    assert max(map(len, text.splitlines())) <= width
    whole = analyze_game(game, simulations=20, seed=1)
    text = shown(game_view(whole, game.variant, width=width), width)
    assert max(map(len, text.splitlines())) <= width


def test_the_table_is_live_on_a_terminal(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import blokus_fast.cli.analyze as command

    out = io.StringIO()
    monkeypatch.setattr(
        command, "console", lambda: Console(file=out, force_terminal=True, width=100)
    )
    assert run(file, "--time", "0.8", "--seed", "1").exit_code == 0
    screen = out.getvalue()
    # Some tables, each of which takes the place of the one before, and the last one, which stays.
    assert screen.count("chance") >= 3
    assert "\x1b[2K" in screen
    assert "\x1b" in screen.rpartition("chance")[0]
    assert "\x1b[2K" not in screen.rpartition("chance")[2]


@pytest.fixture
def ctrl_c_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Let Ctrl-C come in the middle of a search, which would take long: the first, or another."""
    search, calls = MCTS.search, [0]
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))

    def watch(number: int) -> None:
        def watched(mcts: MCTS, board: bf.Board, **options: Any) -> SearchResult:
            calls[0] += 1
            if calls[0] == number:
                options |= {"simulations": None, "seconds": 60}
                timer.start()
            return search(mcts, board, **options)

        monkeypatch.setattr(MCTS, "search", watched)

    yield watch
    timer.cancel()


def test_ctrl_c_shows_the_best_so_far(file: Path, ctrl_c_in: Callable[[int], None]) -> None:
    ctrl_c_in(1)
    data = told(file, *QUICK)
    assert data["stopped"] == "interrupt"
    assert data["simulations"] > 0


# -- pictures ----------------------------------------------------------------------------------


def test_pictures(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.svg"
    data = told(file, *QUICK, "--svg", out, "--theme", "dark")
    picture = out.read_text(encoding="utf-8")
    ET.fromstring(picture)
    best = data["moves"][0]
    assert f"purple {best['piece']}: {best['text']}, " in picture
    assert "Ann" in picture
    pytest.importorskip("resvg_py", reason="PNG is the extra `png`")
    assert run(file, *QUICK, "--png", tmp_path / "board.png").exit_code == 0
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")


# -- games -------------------------------------------------------------------------------------


def test_a_whole_game(file: Path, tmp_path: Path) -> None:
    found = GameAnalysis.from_json(told(file, "--game", *QUICK))
    assert (found.complete, len(found.plies), found.simulations) == (True, 5, 60)
    html = tmp_path / "game.html"
    result = run(file, "--html", html, *QUICK)
    assert result.exit_code == 0
    page = html.read_text(encoding="utf-8")
    assert '"analysis":{' in page
    marked = [ply for ply in found.plies if ply.mark]
    for row in found.summary():
        assert row["name"] in result.output
    for ply in marked:
        assert ply.played is not None
        assert f"{ply.ply + 1}." in result.output
        assert ply.played.text in result.output


def test_ctrl_c_keeps_the_positions_that_are_finished(
    file: Path, tmp_path: Path, ctrl_c_in: Callable[[int], None]
) -> None:
    html = tmp_path / "game.html"
    ctrl_c_in(3)
    result = run(file, "--html", html, *QUICK)
    assert result.exit_code == 0
    assert "Stopped before the end" in result.output
    assert '"complete":false' in html.read_text(encoding="utf-8")


# -- wrong usage -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ([], 2, "give a FILE, a POSITION"),
        (["nothing.blksgf"], 2, "there is no file nothing.blksgf"),
        (["duo", "14./14."], 2, "this is no position"),
        (["-v", "duo", "FILE"], 2, "no FILE or POSITION"),
        (["FILE", "--ply", "9"], 2, "the main line has 4 moves"),
        (["FILE", "--number", "3"], 2, "the file has 2"),
        (["FILE", "--game", "--svg", "x.svg"], 2, "draw one position"),
        (["FILE", "--game", "--ply", "1"], 2, "not with --game"),
        (["FILE", "--svg", "FILE"], 2, "would be overwritten"),
        (["FILE", "--html", "no/such/x.html"], 1, "cannot write"),
        (["FILE", "--simulations", "0"], 2, "0"),
        (["FILE", "--time", "0"], 2, "0"),
        (["FILE", "--threads", "100000"], 2, "threads must be in"),
    ],
)
def test_what_is_wrong_is_said(
    args: list[str], code: int, words: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    before = file.read_bytes()
    result = run(*[str(file) if arg == "FILE" else arg for arg in args])
    assert (result.exit_code, "Traceback" in result.output) == (code, False), result.output
    assert words in result.output
    assert file.read_bytes() == before


def test_scores_that_round_to_zero_have_no_minus() -> None:
    assert [points(score) for score in (-0.04, 0.04, -1.0)] == ["0.0", "0.0", "\N{MINUS SIGN}1.0"]
