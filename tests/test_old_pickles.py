"""What an earlier release pickled is read, and is what it was."""

import importlib
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from data.make_pickles import facts

import blokus_fast as bf
from blokus_fast._moved import MOVED
from blokus_fast.variants import software_challenge_2027
from blokus_fast.variants.text import variant_text

FILE = Path(__file__).parent / "data" / "pickles_0_1.pkl"
ROWS = pickle.loads(FILE.read_bytes())


def test_there_are_some():
    assert len(ROWS) == 55
    assert {type_name for type_name, _, _ in ROWS.values()} >= {
        *("BatchBoard", "Board", "DraftMove", "Game", "Move", "MoveFeatures", "Observer"),
        *("Outcome", "Pass", "Pick", "Piece", "Record", "ScoringRule", "Skip", "Symmetries"),
        "Variant",
    }


def written_today(expected):
    """Return facts with the contest's rules as they were: its name stood for 25 rounds then."""
    name = "software-challenge-2027 "
    if isinstance(expected, dict) and str(expected.get("text")).startswith(name):
        rules = variant_text(software_challenge_2027(max_rounds=25))
        return {**expected, "text": f"{rules} {expected['text'].removeprefix(name)}"}
    return expected


@pytest.mark.parametrize("name", ROWS)
def test_old_pickles_are_read(name):
    type_name, data, facts_then = ROWS[name]
    expected = written_today(facts_then)
    thing = pickle.loads(data)
    assert type(thing).__name__ == type_name
    assert facts(thing) == expected
    again = pickle.loads(pickle.dumps(thing))
    assert type(again) is type(thing)
    assert facts(again) == expected


def test_what_was_read_can_be_used():
    board = pickle.loads(ROWS["board duo any"][1])
    assert type(board) is bf.Board
    twin = bf.Board(board.variant)
    for action in board.move_stack:
        twin.push(action)
    assert board == twin
    board.push(board.legal_ids()[0])
    board.pop()
    assert board == twin
    while board.move_stack:
        board.pop()
    assert board == bf.Board(board.variant)


@pytest.mark.parametrize("old", MOVED)
def test_old_names_lead_to_the_same_modules(old):
    new = importlib.import_module(f"blokus_fast.{MOVED[old]}")
    assert importlib.import_module(f"blokus_fast.{old}") is new
    assert new.__name__ == f"blokus_fast.{MOVED[old]}"
    for name in new.__all__:
        assert getattr(new, name) is getattr(sys.modules[f"blokus_fast.{old}"], name)


def test_a_function_keeps_the_name_of_its_module():
    assert callable(bf.playouts)
    assert pickle.loads(pickle.dumps(bf.playouts)) is bf.playouts
    assert pickle.loads(b"cblokus_fast.playouts\nplayouts\n.") is bf.playouts


@pytest.mark.parametrize("first", ["blokus_fast.definition", "blokus_fast.batch"])
def test_old_names_work_before_anything_else_is_imported(first):
    code = (
        f"import sys, importlib; importlib.import_module({first!r})\n"
        f"import {first}; {first}.__all__\n"
        "print([m for m in sys.modules if m.startswith(('blokus_fast.svg', 'blokus_fast.png'))])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
