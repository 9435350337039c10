"""What an earlier release pickled is read, and is what it was."""

import pickle
from pathlib import Path

import pytest
from data.make_pickles import facts

import blokus_fast as bf

FILE = Path(__file__).parent / "data" / "pickles_0_1.pkl"
ROWS = pickle.loads(FILE.read_bytes())


def test_there_are_some():
    assert len(ROWS) == 55
    assert {type_name for type_name, _, _ in ROWS.values()} >= {
        *("BatchBoard", "Board", "DraftMove", "Game", "Move", "MoveFeatures", "Observer"),
        *("Outcome", "Pass", "Pick", "Piece", "Record", "ScoringRule", "Skip", "Symmetries"),
        "Variant",
    }


@pytest.mark.parametrize("name", ROWS)
def test_old_pickles_are_read(name):
    type_name, data, expected = ROWS[name]
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
