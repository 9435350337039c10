"""Lenient reading loses as little as it can, and what it yields is a record like any other."""

from __future__ import annotations

import copy
import io
import pickle
import random
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import blokus_fast as bf
from blokus_fast import records
from blokus_fast.records import reading
from blokus_fast.replay import page


def moves(record: bf.Record) -> list[tuple[int | None, str]]:
    return [(move.color, move.text) for move in record.main_line_moves()]


def messages(record: bf.Record) -> list[str]:
    return [problem.message for problem in record.warnings]


def assert_whole(record: bf.Record) -> None:
    """A record can be written, read again, copied, pickled, played and shown."""
    text = str(record)
    for again in (
        records.parse(text, strict=True),
        record.copy(),
        copy.deepcopy(record),
        pickle.loads(pickle.dumps(record)),
    ):
        assert str(again) == text
        assert moves(again) == moves(record)
        assert again.to_game().board == record.to_game().board
    for ply in (0, 1, -1)[: 2 + len(moves(record))]:
        if ply <= len(moves(record)):
            assert page(record, ply=ply).startswith("<!DOCTYPE html>")


# Turns


def test_the_second_color_may_move_first() -> None:
    record = records.parse("(;GM[Blokus Duo];W[j5]C[hi];B[e10];W[h4,i4])")
    assert moves(record) == [(1, "j5"), (0, "e10"), (1, "h4,i4")]
    assert messages(record) == ["it is purple's turn, not orange's"]
    assert str(record).endswith("CA[UTF-8];PL[W];W[j5]C[hi];B[e10];W[h4,i4])")
    assert record.to_game().board.ply == 3
    assert_whole(record)
    with pytest.raises(bf.RecordError, match="it is purple's turn"):
        records.parse("(;GM[Blokus Duo];W[j5])", strict=True)


def test_a_color_may_move_twice() -> None:
    record = records.parse("(;GM[Blokus];1[a20];1[b19,c19];4[a1];2[t20](;1[d20])(;3[t1]))")
    assert moves(record) == [(0, "a20"), (0, "b19,c19"), (3, "a1"), (1, "t20"), (2, "t1")]
    assert messages(record) == [
        "it is yellow's turn, not blue's",
        "it is yellow's turn, not green's",
        "it is blue's turn, not yellow's",
        "it is red's turn, not blue's",
        "d20 (move 3): piece 1 is not in hand",
    ]
    assert_whole(record)


def test_variations_out_of_turn_keep_their_places() -> None:
    record = records.parse("(;GM[Blokus Duo](;W[j5])(;B[e10])(;W[j5,j6];B[e10])(;W[a1]))")
    lines = [[str(node.move) for node in (v, *v.main_line())] for v in record.root.variations]
    assert lines == [["None", "j5"], ["e10"], ["None", "j5,j6", "e10"]]
    assert_whole(record)


def test_a_move_out_of_turn_that_is_illegal_leaves_no_trace() -> None:
    record = records.parse("(;GM[Blokus Duo];B[e10];B[f11];W[j5])")
    assert moves(record) == [(0, "e10")]
    assert str(record).endswith(";B[e10])")
    assert len(record.warnings) == 2
    assert_whole(record)


def stuck() -> tuple[str, int, str]:
    """Return a game of Duo up to where a color is stuck and the other moves, and how it goes on."""
    for seed in range(100):
        rng = random.Random(seed)
        game = bf.Game("duo", start="assigned")
        while not game.is_over:
            board = game.board
            other = 1 - board.turn
            if board.ply > 2 and not board.any_legal(other):
                text = str(bf.Record.from_game(game))[:-1]
                return text, other, game.play(int(rng.choice(board.legal_ids()))).text
            game.play(int(rng.choice(board.legal_ids())))
    raise AssertionError("nobody is ever stuck")


def test_an_empty_move_of_a_color_that_is_stuck_is_a_forced_pass() -> None:
    text, color, move = stuck()
    mine, other = "BW"[color], "WB"[color]
    for strict in (True, False):
        record = records.parse(f"{text};{mine}[]C[stuck];{other}[{move}])", strict=strict)
        assert record.warnings == ()
        assert moves(record)[-1] == (1 - color, move)
        assert any(node.comment == "stuck" and node.move is None for node in record.nodes())
        assert_whole(record)


def test_an_empty_move_after_the_end_ends_nothing() -> None:
    game = bf.Game("duo", start="assigned")
    rng = random.Random(3)
    while not game.is_over:
        game.play(int(rng.choice(game.board.legal_ids())))
    text = str(bf.Record.from_game(game))[:-1]
    record = records.parse(f"{text};B[];W[]C[the end])", strict=True)
    assert record.end().comment == "the end"
    assert record.to_game().is_over
    assert_whole(record)


def test_an_empty_move_of_a_color_that_can_place_gives_the_turn_away() -> None:
    record = records.parse("(;GM[Blokus Duo];B[e10];W[];B[f11,g11])")
    assert moves(record) == [(0, "e10"), (0, "f11,g11")]
    assert messages(record) == [
        "the move names no square, but orange can place",
        "it is orange's turn, not purple's",
    ]
    assert_whole(record)


def test_where_passing_is_allowed_an_empty_move_is_a_move() -> None:
    variant = bf.variant("software-challenge-2027").with_first_pieces(["I5"])
    record = bf.Record(variant)
    record.root.add_line(["a16,a17,a18,a19,a20", "t16,t17,t18,t19,t20", "t1,t2,t3,t4,t5"])
    node = record.end().add("a1,a2,a3,a4,a5").add("pass")
    assert "1[]" in str(record)
    assert_whole(record)
    assert node.ply == 5


# What is wrong with one property


@pytest.mark.parametrize("value", ["X", "3", "", "white black", "B\n\n-"])
def test_a_bad_color_to_move_costs_only_itself(value: str) -> None:
    for text in (f"PL[{value}];B[e10];W[j5])", f";B[e10]PL[{value}];W[j5])", f";PL[{value}])"):
        record = records.parse("(;GM[Blokus Duo]" + text)
        assert moves(record) == ([(0, "e10"), (1, "j5")] if "e10" in text else [])
        assert "PL: there is no color" in messages(record)[-1]
        assert record.to_game().board.ply == len(moves(record))
        assert_whole(record)
    record = records.parse(f"(;GM[Blokus Duo]AB[e10]AW[j5]PL[{value}];B[f11,g11])")
    assert moves(record) == [(0, "f11,g11")]
    assert_whole(record)
    record = records.parse("(;GM[blokus-fast]BFVARIANT[draft-2p]PL[1];BFPICK[1:F])")
    assert len(moves(record)) == 1
    assert_whole(record)


def test_a_second_move_in_a_node_is_played_behind_the_first() -> None:
    record = records.parse("(;GM[Blokus Duo];B[e10]W[j5]C[hi](;B[f11,g11])(;B[d11,d12]))")
    assert moves(record) == [(0, "e10"), (1, "j5"), (0, "f11,g11")]
    assert messages(record) == ["a second move in one node: W"]
    assert len(record.root.variations[0].variations[0].variations) == 2
    assert record.root.variations[0].comment == "hi"
    assert_whole(record)
    for text in ("B[e10]W[j5]C[hi])", "B[e10]W[j5]1[f11,g11]2[x]C[hi];B[a1])", "W[j5]B[e10])"):
        assert_whole(records.parse("(;GM[Blokus Duo]" + text))
        assert len(moves(records.parse("(;GM[Blokus Duo];" + text))) >= 2
        assert_whole(records.parse("(;GM[Blokus Duo];" + text))


def test_a_move_beside_a_set_up_becomes_a_node_of_its_own() -> None:
    record = records.parse("(;GM[Blokus Duo];AB[e10]AW[j5]PL[B]B[f11,g11]C[hi];W[h4,i4])")
    assert moves(record) == [(0, "f11,g11"), (1, "h4,i4")]
    assert messages(record) == ["a move and a set-up in one node"]
    assert_whole(record)


@pytest.mark.parametrize("strict", [True, False])
def test_a_move_in_the_root_can_be_taken_back(strict: bool) -> None:
    record = records.parse("(;GM[Blokus Duo]B[e10]C[hi](;W[j5])(;W[j5,j6]))", strict=strict)
    assert record.warnings == ()
    assert record.root.move is None
    assert record.root.comment == "hi"
    assert record.root.board() == bf.Board("duo", start="assigned")
    assert moves(record) == [(0, "e10"), (1, "j5")]
    assert len(record.root.variations[0].variations) == 2
    assert_whole(record)
    assert page(record) == page(record, ply=0) != page(record, ply=1)


def test_strange_properties_of_the_root_are_not_written_again() -> None:
    for text in ("3[e10]C[hi];B[e10])", "B[z9]W[j5])", "BFPICK[1:F]3[a])", "B[e10]AB[e10][q1])"):
        record = records.parse("(;GM[Blokus Duo]" + text)
        assert record.warnings
        assert_whole(record)


# Anything at all

NAMES = [
    *("B", "W", "1", "2", "3", "BLUE", "A1", "AB", "AW", "AE", "PL", "C", "BFPICK", "GM", "CA"),
    *("BFPOSITION", "BFSTART", "BFSCORING", "BFVARIANT", "PB", "P1", "XX", "a1", "CoPyright"),
]
VALUES = [
    *("", "e10", "j5", "f11,g11", "h4,i4", "a20", "t20", "B", "W", "1", "X", "1:F", "2:1", "any"),
    *("e10,e11", f"duo {'14./' * 4}4.a9.{'/14.' * 9} b", "\xe9"),
]
NODES = st.lists(
    st.tuples(st.sampled_from(NAMES), st.lists(st.sampled_from(VALUES), min_size=1, max_size=2)),
    max_size=4,
)


@settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(["Blokus Duo", "Blokus", "Blokus Three-Player", "blokus-fast]BFVARIANT[draft"]),
    st.lists(st.tuples(st.sampled_from(["", "(", ")"]), NODES), max_size=8),
)
def test_whatever_is_read_is_a_whole_record(
    game: str, parts: list[tuple[str, list[tuple[str, list[str]]]]]
) -> None:
    depth, text = 1, f"(;GM[{game}]"
    for bracket, node in parts:
        if bracket == ")" and depth == 1:
            bracket = ""
        depth += {"(": 1, ")": -1}.get(bracket, 0)
        text += bracket if bracket == "(" else ""
        text += ";" * (text[-1] == "(" or len(node) % 3 > 0)
        for name, values in node:
            text += name + "".join(f"[{value}]" for value in values)
        text += bracket if bracket == ")" else ""
    record = records.read(io.BytesIO((text + ")" * depth).encode()))
    assert_whole(record)


# Time


def test_a_position_that_comes_again_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def count(board: bf.Board, setup: records.SetUp) -> bf.Board:
        calls.append(setup)
        return work(board, setup)

    work = reading.apply_set_up
    monkeypatch.setattr(reading, "apply_set_up", count)
    positions = [bf.Board("duo", start="assigned")]
    for move in ("e10", "j5"):
        positions.append(positions[-1].copy())
        positions[-1].push(positions[-1].parse_move(move))
    texts = [bf.position_text(board) for board in positions]
    nodes = "".join(f";BFPOSITION[{texts[number % 3]}];" for number in range(300))
    record = records.parse(f"(;GM[Blokus Duo]{nodes};B[f11,g11])", strict=True)
    assert len(calls) == 3
    found = [node.board() for node in record.nodes() if node.setup is not None]
    assert all(board == positions[number % 3] for number, board in enumerate(found))
    assert len(record.root.end().path()) == 602


def test_warnings_far_into_a_file_cost_no_more_than_near_its_begin() -> None:
    size = 20_000_000
    comments = "(;GM[Blokus]" + ("(;1[t1]C[" + "x" * (size // 100) + "])") * 100 + ")"
    began = time.perf_counter()
    record = records.parse(comments)
    assert len(record.warnings) == 100
    # Every warning counted from the begin, it would be a thousand million signs: 20 seconds.
    assert time.perf_counter() - began < 5
    columns = [problem.column for problem in record.warnings]
    assert columns == [14 + (size // 100 + 11) * number for number in range(100)]
