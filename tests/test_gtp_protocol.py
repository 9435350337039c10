"""GTP as text: commands, quotes, comments, answers; and what Pentobi calls things."""

from __future__ import annotations

import pytest
from helpers import random_moves
from hypothesis import given
from hypothesis import strategies as st

import blokus_fast as bf
from blokus_fast.gtp.dialect import (
    GAMES,
    find_game,
    game_name,
    played_variant,
    points,
    side_number,
    side_text,
)
from blokus_fast.gtp.protocol import Answer, AnswerReader, parse_command, quote, response


@pytest.mark.parametrize(
    ("line", "number", "name", "words"),
    [
        ("name", None, "name", []),
        ("  12   play  b e10 \r\n", 12, "play", ["b", "e10"]),
        ("\tplay\tw\ta1\n", None, "play", ["w", "a1"]),
        ("007 quit", 7, "quit", []),
        ("-3 name", -3, "name", []),
        ("12", 12, "", []),
        ("12name", None, "12name", []),
        ("1234567890123456789012 name", None, "1234567890123456789012", ["name"]),
        ("name # who are you", None, "name", []),
        ("name#who", None, "name", []),
        ("5 # hi", 5, "", []),
        ("na\x00me\x07\x1b\x7f", None, "name", []),
        ("\ufeffname", None, "name", []),
        ('savesgf "my games/a.blksgf"', None, "savesgf", ["my games/a.blksgf"]),
        ('savesgf "a # b" # comment', None, "savesgf", ["a # b"]),
        (r'savesgf "a \"b\" \\ \c"', None, "savesgf", [r'a "b" \ \c']),
        ('savesgf ""', None, "savesgf", [""]),
        (r"savesgf C:\games\a", None, "savesgf", [r"C:\games\a"]),
        ('set_game "Blokus Duo"', None, "set_game", ["Blokus Duo"]),
        ("loadsgf spiel_größe.blksgf 3", None, "loadsgf", ["spiel_größe.blksgf", "3"]),
    ],
)
def test_commands_are_read(line: str, number: int | None, name: str, words: list[str]) -> None:
    command = parse_command(line)
    assert command is not None
    assert (command.id, command.name, command.words()) == (number, name, words)


@pytest.mark.parametrize("line", ["", "\n", "  \t \r\n", "# play b e10", "  # x", "\x00\x01\n"])
def test_lines_without_a_command(line: str) -> None:
    assert parse_command(line) is None


@pytest.mark.parametrize("rest", ['"a', '"a\\"', 'a "', '"'])
def test_a_quote_that_is_not_closed(rest: str) -> None:
    command = parse_command(f"4 savesgf {rest}")
    assert command is not None
    assert command.id == 4
    with pytest.raises(ValueError, match="a quote is not closed"):
        command.words()


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"])))
def test_quoted_words_come_back(word: str) -> None:
    command = parse_command(f"1 savesgf {quote(word)} # comment")
    assert command is not None
    assert command.words() == [word]


@given(st.text())
def test_any_line_is_read_somehow(line: str) -> None:
    command = parse_command(line)
    if command is not None:
        assert command.name or command.id is not None
        assert "\n" not in command.rest


@given(st.text(), st.none() | st.integers(-(10**17), 10**17), st.booleans())
def test_an_answer_always_ends_where_it_ends(text: str, number: int | None, ok: bool) -> None:
    """Whatever a message holds, the reader finds one answer, and nothing behind it."""
    written = response(text, id=number, ok=ok)
    assert written.endswith("\n\n")
    assert written.count("\n\n") == 1
    reader = AnswerReader()
    answers = [reader.feed(line) for line in written.split("\n")[:-1]]
    assert answers[:-1] == [None] * (len(answers) - 1)
    answer = answers[-1]
    assert isinstance(answer, Answer)
    assert (answer.ok, answer.id) == (ok, number)


def answers_to(text: str) -> tuple[list[Answer], str]:
    reader = AnswerReader()
    # The last line is not complete, so that a stream would not hand it on.
    found = [reader.feed(line) for line in text.split("\n")[:-1]]
    return [answer for answer in found if answer is not None], reader.noise


@pytest.mark.parametrize(
    ("text", "answers", "noise"),
    [
        ("=3 e10\n\n", [Answer(True, 3, "e10")], ""),
        ("= e10\r\n\r\n", [Answer(True, None, "e10")], ""),
        ("=\n\n", [Answer(True, None, "")], ""),
        ("?7 no\n\n=8\n\n", [Answer(False, 7, "no"), Answer(True, 8, "")], ""),
        ("=1 \n 14 . .\n  a b\n\n", [Answer(True, 1, " 14 . .\n  a b")], ""),
        ("hi\n\n=== x\n=2 y\n\nbye\n", [Answer(True, 2, "y")], "bye"),
        ("\n\n\n=2 y\nz\n\n\n\n", [Answer(True, 2, "y\nz")], ""),
        ("=2 y", [], ""),
        ("=2 y\n", [], ""),
        ("=5e10\n\n", [], "=5e10"),
    ],
)
def test_answers_are_put_together(text: str, answers: list[Answer], noise: str) -> None:
    assert answers_to(text) == (answers, noise)


def test_games_have_the_names_of_pentobi() -> None:
    assert dict(GAMES) == {
        "classic": "Blokus",
        "classic-2p": "Blokus Two-Player",
        "classic-3p": "Blokus Three-Player",
        "duo": "Blokus Duo",
        "junior": "Blokus Junior",
    }
    for name in bf.VARIANTS:
        assert game_name(played_variant(name)) == GAMES.get(name, name)
        assert find_game(f" {GAMES.get(name, name).upper()} ") == played_variant(name)
        assert find_game(name) == played_variant(name)
    assert all(played_variant(name).start == "assigned" for name in GAMES)


@pytest.mark.parametrize("text", ["Blokus Trigon", "Nexos", "", "BlokusDuo", "x" * 1000])
def test_other_games_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="valid: Blokus, Blokus Two-Player, ") as caught:
        find_game(text)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        (bf.variant("duo"), "start rule 'assigned', not 'any'"),
        (bf.variant("classic", start="border"), "not 'border'"),
        (bf.Variant("mine", 8, ["a", "b"], [["a8"], ["h1"]]), "no name for this variant: mine"),
        (bf.Variant("duo", 8, ["a", "b"], [["a8"], ["h1"]]), "no name for this variant: duo"),
        (bf.variants.three_players("blue"), "no name for this variant: classic-3p"),
    ],
)
def test_variants_without_a_name(variant: bf.Variant, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        game_name(variant)


@pytest.mark.parametrize(
    ("variant", "texts"),
    [
        ("duo", ["b", "w"]),
        ("junior", ["B", "W"]),
        ("duo", ["1", "2"]),
        ("duo", ["black", "White"]),
        ("duo", ["purple", "orange"]),
        ("classic", ["1", "2", "3", "4"]),
        ("classic-2p", ["blue", "YELLOW", "Red", "green"]),
        ("draft-3p", ["1", "2", "3"]),
    ],
)
def test_colors_are_read(variant: str, texts: list[str]) -> None:
    assert [side_number(text, bf.variant(variant)) for text in texts] == list(range(len(texts)))


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        ("duo", "x"),
        ("duo", "3"),
        ("duo", "0"),
        ("duo", ""),
        ("duo", "blue"),
        ("classic", "b"),
        ("classic", "5"),
        ("classic", "-1"),
        ("classic", "\N{SUPERSCRIPT TWO}"),
        ("draft", "blue"),
        ("draft-2p", "3"),
    ],
)
def test_other_colors_are_refused(variant: str, text: str) -> None:
    with pytest.raises(ValueError, match=r"invalid (color|player) argument .*; valid: "):
        side_number(text, bf.variant(variant))


@pytest.mark.parametrize("name", bf.VARIANTS)
def test_colors_are_read_as_they_are_written(name: str) -> None:
    board = bf.Board(name)
    for move in random_moves(name, board.variant.start, 3):
        side = side_number(side_text(board), board.variant)
        assert side == (board.player if board.variant.draft else board.turn)
        board.push(move)


def test_points_are_those_of_pentobi() -> None:
    """Squares placed and the bonus per color, or the lead of one of two players."""
    for name in ("classic", "classic-3p"):
        board = bf.Board(name)
        for move in random_moves(name, "assigned", 1):
            board.push(move)
        placed = [len(board.own_squares(color)) for color in range(4)]
        bonus = [0 if board.pieces_left(color) else 15 for color in range(4)]
        # What is more may be the five points for the monomino.
        known = [sum(pair) for pair in zip(placed, bonus, strict=True)]
        said = [int(text) for text in points(board).split()]
        assert all(more - less in (0, 5) for more, less in zip(said, known, strict=True))
    leads = set()
    for seed in range(8):
        board = bf.Board("duo", start="assigned")
        for move in random_moves("duo", "assigned", seed):
            board.push(move)
        first, second = board.player_scores()
        lead = points(board)
        leads.add(lead[0])
        if first == second:
            assert lead == "0"
        else:
            assert lead == (f"B+{first - second}" if first > second else f"W+{second - first}")
    assert {"B", "W"} <= leads
