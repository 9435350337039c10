"""One screen of a game: what is on it, and that it fits on 80 x 24."""

from __future__ import annotations

import random
import re

import pytest
from helpers import board_after

import blokus_fast as bf

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")

from blokus_fast.cli.frames import Look, final_frame, frame, next_seat, plain
from blokus_fast.cli.person import completions, example, help_text
from blokus_fast.cli.shapes import Drawn, draw_pieces, shape_lines

LOOKS = [Look(80, 24, color, blocks) for color in (False, True) for blocks in (False, True)]
LONG = "a bot whose name is far too long for any table that is drawn here"
HALVES = {"█": 2, "▀": 1, "▄": 1, "#": 1, " ": 0}


def seat_of(game: bf.Game) -> tuple[int, int]:
    return game.board.player, max(game.board.turn, 0)


def shown(game: bf.Game, look: Look = LOOKS[0], **options: object) -> list[str]:
    lines = frame(game, look, seat_of(game), **{"asked": True, **options})  # type: ignore[arg-type]
    assert lines is not None
    return [plain(line) for line in lines]


@pytest.mark.parametrize("variant", bf.VARIANTS)
def test_every_position_fits_on_the_screen(variant: str) -> None:
    rng = random.Random(variant)
    game = bf.Game(variant, names=[LONG] * bf.variant(variant).players)
    while True:
        for look in LOOKS:
            if game.is_over:
                lines = final_frame(game, look, "word " * 60)
            else:
                lines = frame(game, look, seat_of(game), asked=True, said="word " * 60)
            assert lines is not None
            # One more for the prompt.
            assert len(lines) < look.height
            assert max(len(plain(line)) for line in lines) <= look.width
            assert look.color or not any("\x1b" in line for line in lines)
            assert look.color or look.blocks or all(map(str.isascii, lines))
        if game.is_over:
            return
        ids = game.board.legal_ids()
        game.play(int(ids[rng.randrange(len(ids))]))


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("variant", ["classic", "duo", "junior"])
def test_board_scores_and_pieces_are_on_it(variant: str, look: Look) -> None:
    game = bf.Game.from_board(board_after(variant, bf.variant(variant).start, 4, 9))
    board = game.board
    lines = shown(game, look)
    size = board.size
    assert lines[0].startswith("   a b c d")
    for number, line in zip(range(size, 0, -1), lines[1:], strict=False):
        assert line.startswith(f"{number:2d} ")
    squares = "".join(line[3 : 3 + 2 * size] for line in lines[1 : 1 + size])
    assert squares.count("+") == len(board.corner_squares(board.turn))
    panel = [line[3 + 2 * size :] for line in lines]
    for color in board.variant.order:
        name = board.variant.color_names[color]
        row = next(line.split() for line in panel if f" {name}" in line and " left" in line)
        assert (row[0] == ">") == (color == board.turn)
        assert row[-3:] == [
            str(board.color_scores()[color]), str(len(board.pieces_left(color))), "left",
        ]  # fmt: skip
    text = "\n".join(panel)
    for piece in board.pieces_left(board.turn):
        assert re.search(rf"(^| ){piece} +[#▀█▄]", text, re.MULTILINE), piece
    drawn = sum(HALVES.get(sign, 0) for sign in text)
    assert drawn == sum(bf.Piece(piece).size for piece in board.pieces_left(board.turn))


def test_what_happened_since_the_own_move_is_told_and_shown() -> None:
    game = bf.Game("classic", names=["you", "A", "B", "C"])
    for text in ("a20,b20", "t20,t19", "t1,s1", "a1,a2", "c19"):
        game.play(text)
    lines = frame(game, LOOKS[0], (1, 1), asked=True)
    assert lines is not None
    text = "\n".join(line[:43] for line in lines[1:])
    told = ["3. red 2 s1,t1", "4. green 2 a1,a2", "5. blue 1 c19"]
    assert [line[45:].strip() for line in lines if re.search(r"\d\. ", line[44:])] == told
    # In capitals: the moves of the others, and not the own one.
    assert [text.count(sign) for sign in "RGBY"] == [2, 2, 1, 0]
    for _ in range(2):
        game.undo()
    lines = frame(game, LOOKS[0], (3, 3), asked=True)
    assert lines is not None
    assert sum(". " in line[44:] for line in lines) >= 3


def test_who_is_skipped_is_told() -> None:
    skips = 0
    for seed in range(5):
        rng = random.Random(seed)
        game = bf.Game("classic")
        while not game.is_over:
            ids = game.board.legal_ids()
            game.play(int(ids[rng.randrange(len(ids))]))
            skip = game.history[-1]
            if not game.is_over and isinstance(skip, bf.Skip):
                skips += 1
                name = game.variant.color_names[skip.color or 0]
                assert any(f"{name} cannot place" in line for line in shown(game))
    assert skips


def test_pieces_that_have_no_place_are_pale() -> None:
    game = bf.Game("classic")
    gray = "\x1b[48;5;236;38;5;244m"
    text = "\n".join(frame(game, LOOKS[3], (0, 0), asked=True) or ())
    assert "blue: 20 of 21 can be placed" in text
    # The two lines of X.
    assert text.count(gray) == 2
    waiting = frame(game, LOOKS[3], (0, 0), asked=False, said="A is thinking ...")
    assert waiting is not None
    assert gray not in "\n".join(waiting)
    assert "A is thinking ..." in waiting
    assert "+" not in "".join(waiting)


def test_squares_can_be_marked() -> None:
    game = bf.Game("duo")
    move = game.board.move(int(game.board.legal_ids()[-1]))
    assert "".join(shown(game, marked=move.squares)).count("?") == 5


def test_draft_shows_what_can_be_picked_and_then_all_in_hand() -> None:
    game = bf.Game("draft-2p")
    rng = random.Random(1)
    assert any("to pick:" in line for line in shown(game, LOOKS[1]))
    while game.board.is_drafting:
        ids = game.board.legal_ids()
        game.play(int(ids[rng.randrange(len(ids))]))
    text = "\n".join(shown(game, LOOKS[3]))
    hands = [game.board.pieces_left(color, game.board.player) for color in range(4)]
    total = sum(bf.Piece(piece).size for hand in hands for piece in hand)
    assert sum(HALVES.get(sign, 0) for sign in text) == total > 100
    # Without colors there is room for names only.
    text = "\n".join(shown(game))
    for color, name in enumerate(game.variant.color_names):
        for piece in game.board.pieces_left(color, game.board.player):
            assert re.search(rf" {name[0]}{piece}( |$)", text, re.MULTILINE)


def test_the_end_has_places_and_what_is_left() -> None:
    rng = random.Random(2)
    game = bf.Game("classic-2p", names=["Ann", "Bob"])
    while not game.is_over:
        ids = game.board.legal_ids()
        game.play(int(ids[rng.randrange(len(ids))]))
    lines = final_frame(game, LOOKS[0], "over")
    assert lines is not None
    order = sorted(range(2), key=lambda player: game.ranking[player])
    rows = [line[44:].split() for line in lines if re.search(r"\d\. ", line[44:])]
    names = ("Ann", "Bob")
    assert rows == [
        [f"{game.ranking[player]}.", names[player], str(game.scores[player])] for player in order
    ]
    assert f"blue   {' '.join(game.board.pieces_left(0))}"[:30] in "\n".join(lines)


def test_a_terminal_that_is_too_small_has_no_frame() -> None:
    game = bf.Game("classic")
    for look in (Look(79 - 10, 24), Look(80, 23)):
        assert frame(game, look, (0, 0), asked=True) is None
        assert final_frame(game, look, "") is None
    assert frame(bf.Game("duo"), Look(70, 18), (0, 0), asked=True) is not None


def test_a_larger_terminal_shows_what_the_others_have() -> None:
    game = bf.Game("classic")
    assert "yellow 1 2 I3" not in "\n".join(shown(game))
    assert "yellow 1 2 I3" in "\n".join(shown(game, Look(120, 45)))


def test_who_is_asked_next() -> None:
    game = bf.Game("classic")
    assert next_seat(game, {2}) == (2, 2)
    assert next_seat(game, {0, 1}) == (0, 0)
    game.play("a20")
    assert next_seat(game, {0}) == (0, 0)
    shared = bf.Game("classic-3p")
    for text in ("a20", "t20", "t1"):
        shared.play(text)
    assert shared.board.player == 0
    assert next_seat(shared, {2}) == (2, 2)
    assert next_seat(bf.Game("draft"), {3}) == (3, 0)


# -- shapes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("piece", bf.PIECES)
def test_shapes_are_those_of_the_pieces(piece: str) -> None:
    lines = shape_lines(piece, False)
    cells = {(r, c) for r, line in enumerate(lines) for c, sign in enumerate(line) if sign == "#"}
    found = bf.Piece(piece)
    assert tuple(sorted(cells)) in [found.cells(number) for number in found.orientations]
    halves = shape_lines(piece, True)
    signs = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    for row, line in enumerate(halves):
        for column, sign in enumerate(line):
            pair = (2 * row, column) in cells, (2 * row + 1, column) in cells
            assert sign == signs[pair]
    # None lies higher than it must.
    assert len(lines) == 1 + min(
        max(row for row, _ in found.cells(number)) for number in found.orientations
    )


@pytest.mark.parametrize("width", [10, 35, 60])
@pytest.mark.parametrize("blocks", [False, True])
def test_pieces_stand_in_rows(width: int, blocks: bool) -> None:
    drawn = [Drawn(name, name) for name in bf.PIECES]
    lines = draw_pieces(drawn, width, blocks=blocks)
    assert max(map(len, lines)) <= width
    names = re.findall(r"\b[A-Z1-2][3-5]?\b", "\n".join(lines))
    assert sorted(names) == sorted(bf.PIECES)
    assert sum(HALVES.get(sign, 0) for sign in "".join(lines)) == 89
    spaced = draw_pieces(drawn, width, blocks=blocks, spaced=True)
    assert [line for line in spaced if line] == lines


# -- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", bf.VARIANTS)
def test_what_may_be_typed_fits_the_board(variant: str) -> None:
    board = bf.Board(variant)
    assert board.is_legal(board.parse_move(example(board)))
    text = help_text(board)
    assert max(map(len, text.split("\n"))) <= 80
    assert f"a{board.size},b{board.size}" in text
    assert ("pick F" in text) == board.variant.draft
    assert ("pass" in text) == board.variant.voluntary_pass


def test_completion_of_squares_follows_the_legal_moves() -> None:
    game = bf.Game("duo", start="assigned")
    assert completions(game, "", "") == ["board", "help", "hint", "list", "quit", "undo"]
    assert completions(game, "", "e1") == ["e10", "e11", "e12", "e13", "e14"]
    # All that holds e10 and these four is the X.
    assert completions(game, "e8,d9, E9,f9,", "") == ["e10"]
    assert completions(game, "a1,", "") == []
    assert completions(game, "list ", "i") == ["I3", "I4", "I5"]
    assert "e10" in completions(game, "list X ", "e")
    game.play("e10")
    assert "j5" in completions(game, "", "j")


def test_completion_in_draft() -> None:
    game = bf.Game("draft")
    assert completions(game, "pick ", "x") == ["X"]
    assert completions(game, "", "p") == ["pick"]
    rng = random.Random(1)
    while game.board.is_drafting:
        ids = game.board.legal_ids()
        game.play(int(ids[rng.randrange(len(ids))]))
    assert completions(game, "", "gr") == ["green"]
    assert "a1" in completions(game, "green ", "a")
    assert "a20" not in completions(game, "green ", "a")
