"""What other programs got wrong with their files, and the odd forms that there are."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import blokus_fast as bf
from blokus_fast import records
from blokus_fast.records.dialect import FOREIGN, GAMES
from blokus_fast.records.setups import SetUp, apply_set_up
from blokus_fast.records.sgf import Problems, SgfNode, Source, read_tree

DATA = Path(__file__).parent / "data" / "records"


def tree(text: str, *, strict: bool = True) -> SgfNode:
    source = Source(io.BytesIO(text.encode()), None)
    root: SgfNode | None = read_tree(source, Problems(source, strict), SgfNode)
    assert root is not None
    return root


def moves(record: bf.Record) -> list[str]:
    return [str(move) for move in record.main_line_moves()]


def warnings(text: str) -> list[str]:
    return [problem.message for problem in records.parse(text).warnings]


def test_blanks_between_name_and_values() -> None:
    assert tree("(;A [1]\n[2] [3]\t[4]\r\n[5])").raw == {"A": ["1", "2", "3", "4", "5"]}
    record = records.parse("(\n;\tGM [Blokus]\r\n\n; 1 [a20] (;2 [t20]) (\n; 2[t20,t19] ) )\n")
    assert record.warnings == ()
    assert [str(node.move) for node in record.root.variations[0].variations] == ["t20", "t19,t20"]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_of_comments(line_end: str) -> None:
    text = f"(;GM[Blokus]C[one{line_end}two{line_end}{line_end}three\\{line_end}, on])"
    assert records.parse(text).root.comment == "one\ntwo\n\nthree, on"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[1])", "unknown game '1'"),
        ("(;)", "the game is missing"),
        ("(;GM[])", "unknown game ''"),
        ("(;GM[Checkers])", "unknown game 'Checkers'"),
        ("", "there is no game"),
        ("(;GM[blokus-fast])", "BFVARIANT"),
        ("(;GM[blokus-fast]BFVARIANT[mine])", "no shipped variant"),
        ("(;GM[blokus-fast]BFVARIANT[{}])", "variant"),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_no_game_or_an_unknown_one(text: str, message: str, strict: bool) -> None:
    with pytest.raises(bf.RecordError, match=r"^line 1, column \d+: ") as caught:
        records.parse(text, strict=strict)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["()", "no game at all", "((((", "(no; game)", "\0(\0;\0"])
def test_no_game_at_all(text: str) -> None:
    with pytest.raises(bf.RecordError, match="there is no game"):
        records.parse(text)
    with pytest.raises(bf.RecordError, match=r"^line 1, column 1: "):
        records.parse(text, strict=True)


@pytest.mark.parametrize("game", FOREIGN)
def test_other_games_are_refused_by_name(game: str) -> None:
    with pytest.raises(bf.RecordError, match=f"the game is {game}, which is not played here"):
        records.parse(f"(;GM[{game}])")


def test_every_game_of_the_format_is_read() -> None:
    for game, name in GAMES.items():
        record = records.parse(f"(;GM[{game}])", strict=True)
        assert record.variant == bf.variant(name, start="assigned")
        assert str(record) == f"(;GM[{game}]CA[UTF-8])"


def test_a_square_that_is_none() -> None:
    record = records.parse("(;GM[Blokus]1[a99999])")
    assert (record.root.move, moves(record)) == (None, [])
    assert "a99999" in record.warnings[0].message
    assert record.root.board() == bf.Board("classic")
    with pytest.raises(bf.RecordError, match="a99999"):
        records.parse("(;GM[Blokus]1[a99999])", strict=True)


def test_the_monomino_twice_and_off_the_start() -> None:
    text = "(;GM[Blokus];1[a1];1[a3])"
    assert moves(records.parse(text)) == []
    with pytest.raises(bf.RecordError, match=r"line 1, column 13: a1 .*start square"):
        records.parse(text, strict=True)
    twice = "(;GM[Blokus];1[a20];2[t20];3[t1];4[a1];1[b19])"
    record = records.parse(twice)
    assert moves(record) == ["a20", "t20", "t1", "a1"]
    assert "not in hand" in str(record.warnings[0])
    assert (record.warnings[0].line, record.warnings[0].column) == (1, 39)


def test_old_names_of_colors_and_a_value_for_each_square() -> None:
    text = (
        "(;GM[Blokus Two-Player];BLUE[a16][a17][a18][a19][a20];YELLOW[s17][t17][t18][t19][t20]"
        ";RED[t1][t2][t3][t4][t5];GREEN[a1][b1][c1][d1][d2])"
    )
    record = records.parse(text, strict=True)
    assert [(move.color, move.piece) for move in record.main_line_moves()] == [
        (0, "I5"),
        (1, "L5"),
        (2, "I5"),
        (3, "L5"),
    ]
    assert "BLUE" not in str(record)
    assert "1[a16,a17,a18,a19,a20]" in str(record)
    old = records.read(DATA / "old_form.blksgf", strict=True)
    assert moves(old) == moves(record)


@pytest.mark.parametrize("game", ["Blokus", "Blokus Three-Player", "Blokus Two-Player"])
def test_every_old_name_is_its_own_color(game: str) -> None:
    record = records.parse(f"(;GM[{game}];BLUE[a20];YELLOW[t20];RED[t1];GREEN[a1])", strict=True)
    assert [move.color for move in record.main_line_moves()] == [0, 1, 2, 3]
    assert ";1[a20];2[t20];3[t1];4[a1])" in str(record)


def test_digits_in_games_of_two_colors() -> None:
    record = records.parse("(;GM[Blokus Duo];1[e10];2[j5])", strict=True)
    assert str(record).endswith(";B[e10];W[j5])")
    record = records.parse("(;GM[Blokus Duo]A1[e10]A2[j5]PL[2])", strict=True)
    assert str(record).endswith("AB[e10]AW[j5]PL[W])")


def test_writers_put_no_blanks_around_names() -> None:
    record = records.read(DATA / "spaced.blksgf", strict=True)
    text = str(record)
    assert "\n" not in text
    assert text == (
        "(;GM[Blokus Duo]CA[UTF-8]PB[Ann]ZZ[kept][too]"
        "(;B[f9,e10,f10,g10,f11]C[A bracket \\] and a backslash \\\\];W[i4,h5,i5,j5,i6])"
        "(;B[e8,d9,e9,f9,e10]))"
    )


def test_text_behind_the_game() -> None:
    record = records.parse("(;GM[Blokus];1[a20]) and more")
    assert moves(record) == ["a20"]
    assert [problem.column for problem in record.warnings] == [22]
    assert warnings("(;GM[Blokus])(;GM[Blokus])") == ["another game follows, which is not read"]
    assert warnings("(;GM[Blokus]) \n\t") == []


def test_too_many_pieces_in_a_set_up() -> None:
    text = f"(;GM[Blokus]A1{'[a20]' * 25};1[a20])"
    record = records.parse(text)
    assert record.root.setup is None
    assert record.root.variations == []
    assert "not in hand" in record.warnings[0].message
    with pytest.raises(bf.RecordError, match="cannot be set up"):
        records.parse(text, strict=True)


def test_too_many_squares_in_a_move() -> None:
    squares = ",".join(f"a{row}" for row in range(13, 21))
    assert "more than five squares" in warnings(f"(;GM[Blokus];1[{squares}])")[0]
    points = "".join(f"[a{row}]" for row in range(13, 21))
    assert "more than five squares" in warnings(f"(;GM[Blokus];1{points})")[0]
    assert "values" in warnings("(;GM[Blokus];1[a20,a19][a18])")[0]


def test_any_case_and_order_but_no_blanks_in_values() -> None:
    record = records.parse("(;GM[Blokus Duo];B[E10,F9,g10,F10,f11])", strict=True)
    assert moves(record) == ["f9,e10,f10,g10,f11"]
    assert warnings("(;GM[Blokus Duo];B[e10, f10])") == ["blanks in the move 'e10, f10'"]
    with pytest.raises(bf.RecordError, match="blanks"):
        records.parse("(;GM[Blokus Duo];B[e10, f10])", strict=True)


@pytest.mark.parametrize("name", ["blokus duo", "Blokus  Duo", " Blokus Duo", "Blokus\nDuo"])
def test_the_name_of_the_game_is_written_in_one_way(name: str) -> None:
    assert records.parse(f"(;GM[{name}])").variant.name == "duo"
    assert "instead of 'Blokus Duo'" in warnings(f"(;GM[{name}])")[0]
    with pytest.raises(bf.RecordError, match="instead of"):
        records.parse(f"(;GM[{name}])", strict=True)


def test_names_of_players_and_not_of_colors() -> None:
    record = records.parse("(;GM[Blokus Two-Player]PB[Ann]PW[Bob]P3[x])", strict=True)
    assert record.names == ("Ann", "Bob")
    assert record.headers["P3"] == "x"
    assert str(record) == "(;GM[Blokus Two-Player]CA[UTF-8]PB[Ann]PW[Bob]P3[x])"
    four = records.parse("(;GM[Blokus]P1[a]P2[b]P3[c]P4[d]PB[e])", strict=True)
    assert four.names == ("a", "b", "c", "d")
    assert records.parse("(;GM[Blokus Three-Player]P2[b])").names == ("player 1", "b", "player 3")


def test_latin_1_with_and_without_a_word_of_it() -> None:
    record = records.read(DATA / "latin1.blksgf", strict=True)
    assert (record.names[0], record.end().comment) == ("Ren\xe9e", "na\xefve")
    assert "CA[UTF-8]P1[Ren\xe9e]" in str(record)
    data = b"(;GM[Blokus]P1[Ren\xe9e];1[a20])"
    undeclared = records.read(io.BytesIO(data))
    assert undeclared.names[0] == "Ren\N{REPLACEMENT CHARACTER}e"
    assert [str(problem) for problem in undeclared.warnings] == [
        "line 1, column 16: this is not UTF-8"
    ]
    with pytest.raises(bf.RecordError, match="not UTF-8"):
        records.read(io.BytesIO(data), strict=True)
    assert records.read(io.BytesIO(data), encoding="latin-1", strict=True).names[0] == "Ren\xe9e"


def test_escapes_on_the_way_out() -> None:
    for comment in (
        r"a \[3d?\]: hi",
        "player[3k]",
        "test [] test 2 []",
        "\\]",
        "]\\",
        "\\\\",
        "(;)",
    ):
        record = bf.Record("duo")
        record.root.comment = comment
        record.headers["US"] = comment
        again = records.parse(str(record), strict=True)
        assert (again.root.comment, again.headers["US"]) == (comment, comment)
    record.root.comment = "[a] (;b) \\"
    assert str(record).endswith(r"C[[a\] (;b) \\])")


def test_a_bracket_and_semicolon_in_a_comment_are_text() -> None:
    record = records.parse("(;GM[Blokus]C[a ;) b (;1[a20\\] (];1[a20])", strict=True)
    assert record.root.comment == "a ;) b (;1[a20] ("
    assert moves(record) == ["a20"]


def test_names_with_small_letters() -> None:
    record = records.parse("(;GaMe[Blokus]CoPyright[me];1[a20]blue[x]a1[a2])")
    assert record.headers["CP"] == "me"
    assert moves(record) == ["a20"]
    assert record.end().properties == {}
    assert len(record.warnings) == 4
    with pytest.raises(bf.RecordError, match="not in capitals"):
        records.parse("(;GaMe[Blokus])", strict=True)


def test_a_game_in_which_every_move_opens_a_bracket() -> None:
    text = "( ;GM[Blokus]\n (\n ;1[a20] ( ;2[t20] (;3[t1](;4[a1])))))"
    record = records.parse(text, strict=True)
    assert moves(record) == ["a20", "t20", "t1", "a1"]
    assert str(record) == "(;GM[Blokus]CA[UTF-8];1[a20];2[t20];3[t1];4[a1])"


def test_setups_in_any_node() -> None:
    record = records.read(DATA / "set_up.blksgf", strict=True)
    first, move, second = record.root, *record.root.main_line()
    assert first.board().turn == 0
    assert first.board().ply == 4
    assert str(move.move) == "c11"
    assert second.board().turn == 1
    assert second.board().own_squares(1).tolist() == [9 * 14 + 9]
    assert second.board().pieces_left(1)[:2] == ("2", "I3")
    assert move.board().pieces_left(1)[0] == "1"
    assert str(records.parse(str(record), strict=True)) == str(record)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[Blokus Duo]AE[e10])", "no piece e10 to remove"),
        ("(;GM[Blokus Duo]AB[a1])", "start square"),
        ("(;GM[Blokus Duo]AB[e10][e11,e12])", "edge"),
        ("(;GM[Blokus Duo]AB[e10]AW[e10])", "belongs to"),
        ("(;GM[Blokus Duo]AB[q1])", "not on a 14 by 14 board"),
        ("(;GM[Blokus Duo]PL[3])", "PL: there is no color '3'"),
        ("(;GM[Blokus Duo]BFPOSITION[x])", "column 2"),
        ("(;GM[blokus-fast]BFVARIANT[draft]A1[a20])", "whole position"),
        ("(;GM[Blokus Duo];B[e10];B[f11])", "it is orange's turn, not purple's"),
        ("(;GM[Blokus Duo];B[e10]W[j5])", "second move"),
        ("(;GM[Blokus Duo];3[e10])", "3 is no move of duo"),
        ("(;GM[Blokus Two-Player];B[a20])", "B is no move of classic-2p"),
        ("(;GM[Blokus];1[])", "names no square"),
        ("(;GM[Blokus];BFPICK[1:F])", "not a pick"),
        ("(;GM[Blokus]BFSTART[corner])", "unknown rule"),
        ("(;GM[Blokus]XX)", "no value"),
        ("(;GM[Blokus][x])", None),
        ("(;GM[Blokus];[x])", "without a property"),
        ("(;GM[Blokus]C[a]C[b])", "twice"),
        ("(;GM[Blokus]?;1[a20])", "no meaning"),
        ("(;GM[Blokus](XX[y];1[a20]))", None),
        ("((;GM[Blokus])(;1[a20]))", "second root"),
        ("(XX[y];GM[Blokus])", "there is no game"),
    ],
)
def test_what_lenient_reading_passes_over(text: str, message: str | None) -> None:
    if message is None:
        assert records.parse(text, strict=True).warnings == ()
        return
    with pytest.raises(bf.RecordError) as caught:
        records.parse(text, strict=True)
    assert caught.value.line == 1
    assert caught.value.column is not None
    if "no game" in message:
        return
    assert message in str(caught.value)
    record = records.parse(text)
    assert message in str(record.warnings[0])
    assert str(records.parse(str(record), strict=True)) == str(record)


def test_black_and_white_as_words() -> None:
    assert records.parse("(;GM[Blokus Duo]PL[white])", strict=True).root.board().turn == 1
    assert records.parse("(;GM[Blokus]PL[Red])", strict=True).root.board().turn == 2


def test_a_byte_order_mark() -> None:
    for mark in ("\N{BYTE ORDER MARK}", "\N{BYTE ORDER MARK} \r\n"):
        record = records.parse(mark + "(;GM[Blokus]C[\N{BYTE ORDER MARK}])", strict=True)
        assert record.root.comment == "\N{BYTE ORDER MARK}"
    for order in ("utf-16-le", "utf-16-be"):
        data = "\N{BYTE ORDER MARK}(;GM[Blokus])".encode(order)
        with pytest.raises(bf.RecordError, match="UTF-16"):
            records.read(io.BytesIO(data))


def test_a_set_up_keeps_the_rounds_and_passes_before_it() -> None:
    """A node that only says whose turn it is begins no new count of rounds."""
    board = bf.Board("software-challenge-2027")
    while board.round < 3:
        board.push(int(board.legal_ids()[0]))
    board.push(board.rules.pass_action)
    after = apply_set_up(board, SetUp(turn=2))
    assert (after.turn, after.round, after.ply) == (2, 3, board.ply)
    piece = bf.Move(int(board.legal_ids(color=3)[5]), 20, 3)
    after = apply_set_up(board, SetUp(pieces=(piece,), turn=0))
    assert (after.turn, after.round, after.ply) == (0, 3, board.ply + 1)


def test_a_piece_that_is_taken_off_is_in_hand_again() -> None:
    text = "(;GM[Blokus Duo];B[e10];W[j5];B[f11,g11];AE[f11,g11]PL[B];B[f11,g11])"
    record = records.read(io.BytesIO(text.encode()))
    assert not record.warnings
    before, after = list(record.main_line())[-2:]
    assert "2" in before.board().pieces_left(0)
    assert before.board().color_scores() == (-88, -88)
    assert "2" not in after.board().pieces_left(0)


def test_the_last_piece_is_the_one_that_was_set_up_last() -> None:
    """Only a monomino that nothing was put on or taken off behind is the last piece."""
    board = bf.Board("duo", start="assigned")
    for move in ("e10", "j5"):
        board.push(board.parse_move(move))
    assert board._rest()[0] == 3
    piece = bf.Move.parse("f11,g11", size=14, color=0)
    after = apply_set_up(board, SetUp(pieces=(piece,), turn=1))
    assert after._rest()[0] == 2
    assert apply_set_up(board, SetUp(turn=1))._rest()[0] == 3
    stone = bf.Move.parse("j5", size=14, color=1)
    again = apply_set_up(board, SetUp(removed=(stone,), turn=1))
    assert again._rest()[0] == 1
    assert again.pieces_left(1) == bf.Board("duo").pieces_left(1)
