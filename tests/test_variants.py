"""Variants as data: the shipped ones, one's own, and what cannot be one."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from helpers import CLASSIC_3P

import blokus_fast as bf

JUNIOR = sorted(2 * ["1", "2", "V3", "I3", "O", "T4", "Z4", "L4", "I4", "P", "L5", "I5"])


def test_the_shipped_variants() -> None:
    assert {"classic", "classic-2p", "duo", "junior"} <= set(bf.VARIANTS)
    for name, variant in bf.VARIANTS.items():
        assert variant.name == name
        assert bf.variant(name) is variant


@pytest.mark.parametrize(
    ("name", "size", "players", "owners", "starts", "start", "scoring", "squares"),
    [
        ("classic", 20, 4, (0, 1, 2, 3), ["a20", "t20", "t1", "a1"], "assigned", "advanced", 89),
        ("classic-2p", 20, 2, (0, 1, 0, 1), ["a20", "t20", "t1", "a1"], "assigned", "advanced", 89),
        ("duo", 14, 2, (0, 1), ["e10", "j5"], "any", "advanced", 89),
        ("junior", 14, 2, (0, 1), ["e10", "j5"], "assigned", "basic", 88),
    ],
)
def test_what_they_say(
    name: str,
    size: int,
    players: int,
    owners: tuple[int, ...],
    starts: list[str],
    start: str,
    scoring: str,
    squares: int,
) -> None:
    variant = bf.variant(name)
    assert (variant.size, variant.players, variant.owners) == (size, players, owners)
    assert variant.order == tuple(range(len(owners)))
    assert [square for (square,) in variant.start_squares] == starts
    assert (variant.start, variant.scoring_name) == (start, scoring)
    assert set(variant.set_squares) == {squares}
    expected = JUNIOR if name == "junior" else sorted(bf.PIECES)
    assert [sorted(pieces) for pieces in variant.pieces] == [expected] * len(owners)


def test_start_and_scoring_can_be_changed() -> None:
    variant = bf.variant("duo", start="assigned", scoring="reverse")
    assert (variant.start, variant.scoring_name) == ("assigned", "reverse")
    assert bf.VARIANTS["duo"].start == "any"
    assert bf.Board("duo", start="assigned", scoring="reverse").variant == variant


def test_variants_are_values() -> None:
    one = bf.Variant("tiny", 8, ["blue", "red"], [["a8"], ["h1"]])
    other = bf.Variant("tiny", 8, ("blue", "red"), (("A8",), (" h1 ",)))
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one
    assert eval(repr(CLASSIC_3P), {"Variant": bf.Variant}) == CLASSIC_3P
    with pytest.raises(AttributeError):
        one.size = 9


def test_colors_by_name_and_number() -> None:
    variant = bf.variant("classic")
    assert [variant.color(name) for name in ("blue", "Yellow", " RED ", "green")] == [0, 1, 2, 3]
    assert variant.color(3) == 3
    for color in ("purple", 4, -1):
        with pytest.raises(ValueError, match=r"blue.*green"):
            variant.color(color)


GOOD: dict[str, Any] = {
    "name": "mine",
    "size": 9,
    "color_names": ["blue", "red"],
    "start_squares": [["a9"], ["i1"]],
}
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no name": ({"name": ""}, "name"),
    "size 0": ({"size": 0}, "size"),
    "size 21": ({"size": 21}, "size"),
    "size text": ({"size": "9"}, "size"),
    "size float": ({"size": 9.0}, "size"),
    "no colors": ({"color_names": [], "start_squares": []}, "color"),
    "five colors": ({"color_names": list("abcde")}, "color"),
    "same name": ({"color_names": ["blue", "blue"]}, "name"),
    "start off board": ({"start_squares": [["a9"], ["j1"]]}, "j1"),
    "start no square": ({"start_squares": [["a9"], ["?"]]}, "start"),
    "start shared": ({"start_squares": [["a9"], ["a9"]]}, "a9"),
    "start missing": ({"start_squares": [["a9"], []]}, "red"),
    "starts too few": ({"start_squares": [["a9"]]}, "start"),
    "order twice": ({"order": [0, 0]}, "order"),
    "order short": ({"order": [0]}, "order"),
    "order other": ({"order": [1, 2]}, "order"),
    "owner too large": ({"owners": [0, 4], "players": 2}, "owner"),
    "owner negative": ({"owners": [0, -1]}, "owner"),
    "owners too few": ({"owners": [0]}, "owners"),
    "player without color": ({"owners": [0, 0], "players": 2}, "player 1"),
    "nobody owns": (
        {"color_names": ["blue"], "start_squares": [["a9"]], "owners": [None]},
        "own",
    ),
    "two shared colors": (
        {
            "color_names": ["blue", "red", "green"],
            "start_squares": [["a9"], ["i1"], ["a1"]],
            "owners": [0, None, None],
        },
        "shared",
    ),
    "start rule": ({"start": "free"}, "assigned.*any.*border"),
    "scoring": ({"scoring": "golf"}, "advanced.*reverse"),
    "unknown piece": ({"pieces": [["1"], ["Q"]]}, "Q"),
    "no pieces": ({"pieces": [["1"], []]}, "red"),
    "eight of a piece": ({"pieces": [["1"], ["2"] * 8]}, "7"),
    "first piece unknown": ({"first_pieces": ["S"]}, "S"),
    "first piece not there": ({"pieces": [["1"], ["2"]], "first_pieces": ["1"]}, "red"),
    "mask rows": ({"playable": ["........."] * 8}, "playable"),
    "mask columns": ({"playable": ["........"] * 9}, "playable"),
    "mask letters": ({"playable": ["....x...."] * 9}, "playable"),
    "mask covers start": ({"playable": ["#........"] + ["........."] * 8}, "a9"),
    "rounds": ({"max_rounds": -1}, "max_rounds"),
    "rounds huge": ({"max_rounds": 10**9}, "max_rounds"),
    "pass as text": ({"voluntary_pass": "no"}, "voluntary_pass"),
    "draft as number": ({"draft": 1, "players": 2}, "draft"),
    "order of truth values": ({"order": [True, False]}, "order"),
    "order of fractions": ({"order": [1.0, 0.0]}, "integer"),
    "colors but for case": ({"color_names": ["Red", "red"]}, "same name"),
    "color with blank": ({"color_names": ["blue", " red"]}, "blank"),
    "color called pick": ({"color_names": ["blue", "Pick"], "draft": True, "players": 2}, "pick"),
}


@pytest.mark.parametrize("name", BAD)
def test_variants_that_do_not_fit_together(name: str) -> None:
    changes, message = BAD[name]
    bf.Variant(**GOOD)
    with pytest.raises((ValueError, TypeError), match=message):
        bf.Variant(**{**GOOD, **changes})


def test_unknown_names_list_the_valid_ones() -> None:
    with pytest.raises(ValueError, match=r"classic.*duo.*junior"):
        bf.variant("chess")
    with pytest.raises(TypeError):
        bf.variant(3)


def test_the_smallest_variant_there_is() -> None:
    board = bf.Board(bf.Variant("dot", 1, ["only"], [["a1"]]))
    assert board.legal_ids().tolist() == [0]
    board.push(0)
    assert board.is_game_over
    assert board.color_scores() == (-88,)


def test_a_variant_in_which_nobody_can_move() -> None:
    """Over before it began: the only piece does not fit."""
    board = bf.Board(bf.Variant("stuck", 3, ["only"], [["a1"]], pieces=[["I5"]]))
    assert board.is_game_over
    assert (board.turn, board.player, board.count_legal()) == (-1, -1, 0)
    assert board.color_scores() == (-5,)


def test_an_order_out_of_numpy() -> None:
    variant = bf.Variant(**{**GOOD, "order": np.array([1, 0])})
    board = bf.Board(variant)
    assert variant.order == (1, 0)
    assert bf.parse_position(bf.position_text(board)) == board
