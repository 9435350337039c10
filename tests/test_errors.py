"""The exceptions."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import blokus_fast as bf

ERRORS = [bf.InvalidMoveError, bf.IllegalMoveError, bf.InvalidPositionError, bf.RecordError]


@pytest.mark.parametrize("error", ERRORS)
def test_all_of_them_are_value_errors(error: type[Exception]) -> None:
    assert issubclass(error, ValueError)
    again = pickle.loads(pickle.dumps(error("what is wrong")))
    assert type(again) is error
    assert str(again) == "what is wrong"


def test_they_can_be_told_apart() -> None:
    for error in ERRORS:
        assert [other for other in ERRORS if issubclass(error, other)] == [error]


def test_record_errors_know_file_and_offset() -> None:
    error = bf.RecordError("a bracket is open", file=Path("game.blksgf"), offset=17)
    assert (error.message, error.file, error.offset) == ("a bracket is open", "game.blksgf", 17)
    assert str(error) == "game.blksgf, offset 17: a bracket is open"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.file, again.offset) == (str(error), error.file, 17)
