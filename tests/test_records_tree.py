"""`Record` and its nodes, apart from files."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

import blokus_fast as bf
from blokus_fast import records
from blokus_fast.records import Headers, Node


def random_game(variant: str | bf.Variant, seed: int = 3, plies: int = 999) -> bf.Game:
    rng = random.Random(seed)
    game = bf.Game(variant, names=None)
    while not game.is_over and len(game.board.move_stack) < plies:
        game.play(int(rng.choice(game.board.legal_ids())))
    return game


def small_tree() -> bf.Record:
    record = bf.Record("duo", start="assigned")
    first = record.root.add("e10", "first")
    record.root.add("e10,f10")
    first.add("j5")
    first.add("j5,j6").add("f11,g11")
    return record


def texts(nodes: list[Node]) -> list[str]:
    return [str(node.move) for node in nodes]


def test_lines_and_variations() -> None:
    record = small_tree()
    first, second = record.root.variations
    assert texts(record.root.variations) == ["e10", "e10,f10"]
    assert texts(list(record.main_line())) == ["e10", "j5"]
    assert record.end() is first.next
    assert [node.ply for node in record.nodes()] == [0, 1, 2, 2, 3, 1]
    assert [node.is_main_line for node in record.nodes()] == [True] * 3 + [False] * 3
    last = first.variations[1].end()
    assert texts(last.path()) == ["None", "e10", "j5,j6", "f11,g11"]
    assert last.board().turn == 1
    assert [move.color for move in record.main_line_moves()] == [0, 1]
    assert (second.next, second.end()) == (None, second)
    assert "2 variations" in repr(first)
    assert "duo" in repr(record)


def test_moving_variations_about() -> None:
    record = small_tree()
    root = record.root
    third = root.add("e10,e11", main=True)
    assert texts(root.variations) == ["e10,e11", "e10", "e10,f10"]
    third.demote()
    third.demote()
    third.demote()
    assert texts(root.variations) == ["e10", "e10,f10", "e10,e11"]
    third.promote()
    assert texts(root.variations) == ["e10", "e10,e11", "e10,f10"]
    third.make_main()
    third.promote()
    assert root.next is third
    third.remove()
    assert texts(root.variations) == ["e10", "e10,f10"]
    for method in (root.promote, root.demote, root.make_main, root.remove):
        with pytest.raises(ValueError, match="nobody's variation"):
            method()


def test_the_same_move_is_one_variation() -> None:
    record = small_tree()
    first = record.root.variations[0]
    assert record.root.add("e10") is first
    assert first.comment == "first"
    assert record.root.add(bf.Move(60, size=14), "new") is first
    assert first.comment == "new"


BAD: list[tuple[Any, type[Exception]]] = [
    ("j5", bf.IllegalMoveError),
    ("j99", bf.InvalidMoveError),
    (-1, bf.InvalidMoveError),
    (13729, bf.InvalidMoveError),
    (bf.Move(0), bf.InvalidMoveError),
    (bf.Move(60, size=14, color=1), bf.IllegalMoveError),
    (True, TypeError),
    (None, TypeError),
    (1.5, TypeError),
]


@pytest.mark.parametrize(("move", "error"), BAD, ids=lambda value: repr(value)[:30])
def test_moves_that_are_refused(move: Any, error: type[Exception]) -> None:
    record = bf.Record("duo", start="assigned")
    with pytest.raises(error):
        record.root.add(move)
    assert record.root.variations == []


@pytest.mark.parametrize("name", bf.VARIANTS)
def test_from_game_and_to_game(name: str) -> None:
    game = random_game(name)
    record = bf.Record.from_game(game)
    again = record.to_game()
    assert again.history == game.history
    assert again.board == game.board
    assert again.names == game.names
    assert again.scores == game.scores
    nodes = list(record.main_line())
    assert len(nodes) == len(game.moves)
    middle = nodes[len(nodes) // 2]
    assert record.to_game(middle).board == middle.board()
    # A record and its game share nothing.
    game.undo()
    assert len(list(record.main_line())) == len(nodes)


@pytest.mark.parametrize("name", bf.VARIANTS)
def test_from_a_position(name: str) -> None:
    board = random_game(name, seed=5, plies=95).board
    stripped = bf.parse_position(bf.position_text(board))
    record = bf.Record.from_board(stripped)
    assert record.root.board() == stripped
    again = records.parse(str(record), strict=True)
    assert again.root.board() == stripped
    assert str(again) == str(record)


def test_a_set_up_is_written_as_others_read_it() -> None:
    board = bf.set_up("duo", {0: ["e10"], 1: ["j5"]}, start="assigned", turn=1)
    assert str(bf.Record.from_board(board)).endswith("CA[UTF-8]AB[e10]AW[j5]PL[W])")
    # What the format cannot say stands beside it.
    special = bf.set_up("duo", {0: ["e10"]}, start="assigned", monomino_last=[0])
    text = str(bf.Record.from_board(special))
    assert "AB[e10]" in text
    assert "BFPOSITION[duo " in text
    assert records.parse(text, strict=True).root.board() == special


def test_set_ups_inside_a_record() -> None:
    record = small_tree()
    board = bf.set_up(record.variant, {0: ["e10", "f11,g11"], 1: ["j5"]}, turn=1)
    node = record.end().add_set_up(board)
    assert node.board() == board
    assert node.setup is not None
    after = node.add(int(board.legal_ids()[0]))
    again = records.parse(str(record), strict=True)
    assert str(again) == str(record)
    assert again.end().board() == after.board()
    assert record.to_game().board == after.board()
    empty = record.end().add_set_up(bf.Board(record.variant))
    assert empty.board() == bf.Board(record.variant)
    with pytest.raises(ValueError, match="another variant"):
        node.add_set_up(bf.Board("duo", start="any"))


def test_draft_moves_by_text_and_color() -> None:
    record = bf.Record("draft-2p")
    node = record.root.add("pick F")
    assert node.move is not None
    assert node.move.piece == "F"
    game = random_game("draft-2p", plies=86)
    record = bf.Record.from_game(game)
    assert [type(move).__name__ for move in record.main_line_moves()][-3:] == [
        "Pick",
        "DraftMove",
        "DraftMove",
    ]


def test_a_voluntary_pass_is_an_empty_value() -> None:
    variant = bf.variant("software-challenge-2027")
    game = random_game(variant, plies=8)
    game.play("pass")
    record = bf.Record.from_game(game)
    assert str(record).endswith(";1[])")
    again = records.parse(str(record), strict=True)
    assert again.to_game().history == game.history
    assert "pass" in repr(again.end())


EMPTY = "(;GM[Blokus Duo]CA[UTF-8]BFSTART[any])"


def all_ways(record: bf.Record, name: Any, value: Any) -> list[Callable[[], object]]:
    """Return all ways to set a header, each together with one that is right."""
    headers, properties = record.headers, record.root.properties
    values = [value]

    def replaced() -> None:
        record.root.properties = {"XY": ["y"], name: values}

    return [
        lambda: headers.__setitem__(name, value),
        lambda: headers.setdefault(name, value),
        lambda: headers.update({"XY": "y", name: value}),
        lambda: headers.update([("XY", "y"), (name, value)]),
        lambda: properties.__setitem__(name, values),
        lambda: properties.update({"XY": ["y"], name: values}),
        replaced,
    ]


def test_what_is_said_instead_of_reserved_names() -> None:
    said = {
        "PB": "set the record's names",
        "C": "set the node's comment",
        "B": "moves are added by the method add",
        "BLUE": "moves are added by the method add",
        "AE": "add_set_up",
        "CA": "UTF-8",
        "BFSTART": "as the record's variant does",
    }
    for name, words in said.items():
        with pytest.raises(ValueError, match=words):
            bf.Record("duo").headers[name] = "x"
    # Another variant has other players, and other nodes than the root are no place for them.
    bf.Record("duo").headers["P1"] = "x"
    with pytest.raises(ValueError, match="set the record's names"):
        bf.Record("classic").headers["P1"] = "x"
    node = bf.Record("duo").root.add("e10")
    node.properties["PB"] = ["x"]
    with pytest.raises(ValueError, match="add_set_up"):
        node.properties["AB"] = ["e10"]
    assert node.properties == {"PB": ["x"]}


def test_headers_are_copied_without_their_record() -> None:
    record = bf.Record("duo")
    record.headers["EV"] = "a"
    for again in (copy.copy, copy.deepcopy, lambda headers: pickle.loads(pickle.dumps(headers))):
        headers = again(record.headers)
        assert repr(headers) == "Headers({'EV': ['a']})"
        headers["EV"] = "b"
        with pytest.raises(ValueError, match="no name"):
            headers["nix"] = "x"
    assert record.headers["EV"] == "a"
    assert copy.deepcopy(record.root.properties) == {"EV": ["a"]}
    with pytest.raises(TypeError, match="a dict of lists, not 5"):
        Headers(5)  # type: ignore[arg-type]


def test_names_comments_and_set_ups_are_checked_where_they_are_set() -> None:
    record = bf.Record("duo", names=["Ann", "Bob"])
    for wrong in (["Ann"], "AB", ["Ann", "Bob", "Cid"]):
        with pytest.raises(ValueError, match="duo needs 2 names"):
            record.names = wrong  # type: ignore[assignment]
    for names in (["Ann", 5], 5):
        with pytest.raises(TypeError, match="names must be text"):
            record.names = names  # type: ignore[assignment]
    for comment in (None, 5):
        with pytest.raises(TypeError, match="comment must be a str"):
            record.root.comment = comment  # type: ignore[assignment]
    with pytest.raises(TypeError, match="setup must be a SetUp, not str"):
        record.root.setup = "e10"  # type: ignore[assignment]
    for moves in ("e10", 60, None):
        with pytest.raises(TypeError, match="moves must be several"):
            record.root.add_line(moves)  # type: ignore[arg-type]
    assert record.names == ("Ann", "Bob")
    record.names = ["Cid", "Dan"]  # type: ignore[assignment]
    record.root.comment = "hello"
    assert str(record) == EMPTY[:-1] + "PB[Cid]PW[Dan]C[hello])"


def test_headers_are_the_properties_of_the_root() -> None:
    record = bf.Record("duo", names=["Ann", "Bob"])
    record.headers.update({"EV": "a", "DT": "b"})
    assert len(record.headers) == 2
    del record.headers["EV"]
    assert dict(record.headers) == {"DT": "b"}
    assert record.root.properties == {"DT": ["b"]}
    with pytest.raises(KeyError):
        record.headers["EV"]


@pytest.mark.parametrize("name", ["GM", "CA", "C", "B", "1", "AB", "PL", "PB", "BFSTART", "BFPICK"])
def test_what_the_record_writes_itself(name: str) -> None:
    record = bf.Record("duo")
    for refused in all_ways(record, name, "x"):
        with pytest.raises(ValueError, match=f"property {name} is not to be set by hand: .{{15}}"):
            refused()
    assert str(record) == EMPTY
    record.root.raw[name] = ["x"]
    with pytest.raises(ValueError, match="by hand"):
        str(record)


@pytest.mark.parametrize("name", ["", "x", "A B", "A]", "\xc4", "A-B"])
def test_names_that_are_none(name: str) -> None:
    record = bf.Record("duo")
    for refused in all_ways(record, name, "x"):
        with pytest.raises(ValueError, match="is no name of a property: capitals and digits"):
            refused()
    assert str(record) == EMPTY
    record.root.raw[name] = ["x"]
    with pytest.raises(ValueError, match="no name"):
        str(record)
    with pytest.raises(ValueError, match="no name"):
        Headers({name: ["x"]})


def test_values_must_be_texts() -> None:
    record = bf.Record("duo")
    for value in (5, None, b"x", ["x"]):
        for refused in all_ways(record, "EV", value):
            with pytest.raises(TypeError, match=r"header EV must be text, not|list of texts"):
                refused()
    for values in ("text", [3], 5):
        with pytest.raises(TypeError, match="property XX must be a list of texts"):
            record.root.properties["XX"] = values  # type: ignore[assignment]
        with pytest.raises(TypeError):
            record.root.properties = {"XX": values}  # type: ignore[dict-item]
    for name in (5, None):
        for refused in all_ways(record, name, "x"):
            with pytest.raises(TypeError, match=f"name of a property must be text.*, not {name}"):
                refused()
    assert str(record) == EMPTY
    record.root.properties["XX"] = ["a"]
    record.root.properties["XX"].append(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="3 is none"):
        str(record)
    record.root.properties["XX"] = []
    assert str(record) == "(;GM[Blokus Duo]CA[UTF-8]BFSTART[any])"


def test_copies_and_pickles() -> None:
    record = small_tree()
    record.headers["EV"] = "a ] \\ b"
    for again in (
        record.copy(),
        copy.copy(record),
        copy.deepcopy(record),
        pickle.loads(pickle.dumps(record)),
    ):
        assert str(again) == str(record)
        again.root.variations[0].remove()
        assert len(record.root.variations) == 2
    for function in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="only its record"):
            function(record.root)


def test_names_and_variants_are_checked() -> None:
    with pytest.raises(ValueError, match="needs 2 names"):
        bf.Record("duo", names=["Ann"])
    with pytest.raises(ValueError, match="unknown variant"):
        bf.Record("chess")


def test_own_variants() -> None:
    variant = bf.Variant("odd ] \\ \n", 6, ["x", "y"], [["a6"], ["f1"]], max_rounds=3)
    record = bf.Record.from_game(random_game(variant))
    again = records.parse(str(record), strict=True)
    assert again.variant == variant
    assert again.to_game().board == record.to_game().board
    plain = str(record).partition(";1")[2] or str(record)
    assert "B[" in plain


def test_another_variant_than_the_file_says() -> None:
    text = "(;GM[Blokus Duo];B[j5])"
    assert records.parse(text, variant="duo").end().ply == 1
    assert records.parse(text).end().ply == 0
    assert records.parse("(;1[a20])", variant="classic", strict=True).end().ply == 1


def test_long_lines_without_recursion() -> None:
    record = bf.Record("duo")
    node = record.root
    for _ in range(100_000):
        node = node._append(-1, -1)
    node.comment = "the end"
    assert record.end() is node
    assert node.board().ply == 0
    text = str(record)
    again = copy.deepcopy(record)
    assert str(again) == text
    del record, node, again


def test_an_empty_name_is_no_name() -> None:
    """It was written, but read as no name, so that the second text was another one."""
    text = str(bf.Record("duo", start="assigned", names=["", "Bob"]))
    assert str(records.parse(text, strict=True)) == text == "(;GM[Blokus Duo]CA[UTF-8]PW[Bob])"
