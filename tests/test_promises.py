"""What was promised stays: CONTRIBUTING.md, "Promises", held against tests/data/promises.json.

A test that fails here is not to be mended in the file: what is in it has been released.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import blokus_fast as bf
from blokus_fast import native

DATA = Path(__file__).parent / "data"
ROOT = Path(__file__).parents[1]
PROMISES: dict[str, dict[str, Any]] = json.loads(
    (DATA / "promises.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def now() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_promises", DATA / "make_promises.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("part", ["move_ids", "positions", "playouts", "records"])
def test_values_stay(part: str, now: ModuleType) -> None:
    found = getattr(now, part)()
    for key, value in PROMISES[part].items():
        assert found[key] == value, f"{part}, {key}"
    assert set(found) == set(PROMISES[part]), "run tests/data/make_promises.py to add what is new"


def test_names_stay(now: ModuleType) -> None:
    for kind, names in now.names().items():
        assert set(PROMISES["names"][kind]) <= set(names)


def test_functions_are_added_at_the_end(now: ModuleType) -> None:
    """As long as BF_ABI_VERSION stays, a program that was compiled finds its functions."""
    found = now.interface()
    known = PROMISES["interface"]["functions"]
    assert found["functions"][: len(known)] == known
    version = str(native.ABI_VERSION)
    assert found["sizes"][version] == PROMISES["interface"]["sizes"][version]


def test_columns_of_shards_stay(now: ModuleType) -> None:
    pytest.importorskip("pyarrow", reason="needs pyarrow")
    assert now.columns() == PROMISES["columns"], "other columns are another version of the schema"


@pytest.mark.parametrize("key", PROMISES["positions"])
def test_texts_of_positions_are_read(key: str) -> None:
    promised = PROMISES["positions"][key]
    board = bf.Board.from_text(promised["text"])
    assert f"{board.key():016x}" == promised["key"]
    played = bf.Board(key.split()[0])
    for move in promised["moves"]:
        played.push(move)
    assert played == board


@pytest.mark.parametrize("name", PROMISES["records"])
def test_records_are_read(name: str) -> None:
    game = bf.records.parse(PROMISES["records"][name], strict=True).to_game()
    assert game.is_over
    last = [key for key in PROMISES["positions"] if key.split()[0] == name][-1]
    assert [move.id for move in game.moves] == PROMISES["positions"][last]["moves"]
    assert list(game.scores) == PROMISES["positions"][last]["scores"]


def test_the_version_stands_in_one_place() -> None:
    """In pyproject.toml; all else asks for it."""
    version = importlib.metadata.version("blokus-fast")
    assert bf.__version__ == version
    if not (ROOT / "pyproject.toml").exists():
        pytest.skip("needs the source tree")
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert re.findall(r'^version = "(.+)"$', text, re.MULTILINE) == [version]
    for folder, pattern in (("blokus_fast", "*.py"), ("src", "*.[chp]*"), ("cmake", "*")):
        for file in (ROOT / folder).rglob(pattern):
            if file.is_file() and "__pycache__" not in file.parts:
                assert f'"{version}"' not in file.read_text(encoding="utf-8"), file
