"""Weights of the move prior: files of them, and who plays with which."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.search import MCTS, Weights, default_weights, load_weights
from blokus_fast.search.weights import VERSION

SHIPPED = sorted((Path(bf.__file__).parent / "search" / "weights").glob("*.json"))


@pytest.fixture
def weights() -> Weights:
    return default_weights(bf.variant("duo"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_files_are_whole(path: Path) -> None:
    found = load_weights(path)
    assert found.origin
    assert any(array.any() for array in found.arrays.values())


@pytest.mark.parametrize("variant", [*bf.VARIANTS, "mine"])
def test_every_variant_has_weights(variant: str) -> None:
    rules = bf.VARIANTS.get(variant) or bf.Variant(
        "mine", 9, ("a", "b", "c"), (("a1",), ("i9",), ("a9",))
    )
    found = default_weights(rules)
    assert found is default_weights(rules)
    names = {
        "classic-3p": "classic",
        "draft": "classic",
        "draft-3p": "classic",
        "draft-2p": "classic",
        "mine": "classic",
        "software-challenge-2027": "classic-2p",
    }
    same = names.get(variant)
    if same is not None:
        assert found is default_weights(bf.variant(same))
    reverse = default_weights(bf.variant("duo", scoring="reverse"))
    assert reverse is default_weights(bf.variant("classic", scoring="reverse"))
    assert reverse is not found


def test_files_can_be_written_and_read(tmp_path: Path, weights: Weights) -> None:
    path = tmp_path / "mine.json"
    weights.save(path)
    again = load_weights(path)
    assert again.checksum == weights.checksum
    assert (again.name, again.origin) == (weights.name, weights.origin)
    one = MCTS("duo", seed=1, weights=weights).search(bf.Board("duo"), simulations=200)
    other = MCTS("duo", seed=1, weights=again).search(bf.Board("duo"), simulations=200)
    assert one.visits.tolist() == other.visits.tolist()
    changed = Weights({**weights.arrays, "piece": weights.arrays["piece"] * 2})
    third = MCTS("duo", seed=1, weights=changed).search(bf.Board("duo"), simulations=200)
    assert one.priors.tolist() != third.priors.tolist()
    assert changed.checksum != weights.checksum


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("version", VERSION + 1, "weights of version 2; this release reads 1"),
        ("version", None, "weights of version None"),
        ("format", "something else", "not a file of weights"),
        ("checksum", "0" * 64, "the checksum does not fit: the file is damaged"),
        ("pass", [7], "the checksum does not fit"),
        ("pass", [20_000], "a weight of 'pass' is not in -16000..16000"),
        ("pass", [1, 2], r"weights of 'pass' must be integers of shape \(1,\)"),
        ("pass", [0.5], "must be integers"),
        ("pass", "heavy", "must be integers"),
        ("gained", [[1], [2, 3]], "inhomogeneous"),
    ],
    ids=str,
)
def test_bad_files(tmp_path: Path, weights: Weights, key: str, value: object, words: str) -> None:
    path = tmp_path / "mine.json"
    weights.save(path)
    data = json.loads(path.read_text())
    data[key] = value
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=words) as raised:
        load_weights(path)
    assert str(path) in str(raised.value)
    del data[key]
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=r"weights|checksum"):
        load_weights(path)


@pytest.mark.parametrize("text", ["", "{", "[]", "1", '"weights"'])
def test_files_that_hold_something_else(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="not a file of weights"):
        load_weights(path)


def test_weights_can_be_pickled(weights: Weights) -> None:
    again = pickle.loads(pickle.dumps(weights))
    assert (again.name, again.origin) == (weights.name, weights.origin)
    assert again.checksum == weights.checksum
    results = [
        MCTS("duo", seed=1, weights=each).search(bf.Board("duo"), simulations=50)
        for each in (weights, again)
    ]
    assert results[0].visits.tolist() == results[1].visits.tolist()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_weights(tmp_path / "none.json")


def test_arrays_are_checked_and_kept(weights: Weights) -> None:
    arrays = dict(weights.arrays)
    with pytest.raises(ValueError, match="read-only"):
        arrays["piece"][0, 0] = 1
    del arrays["taken"]
    with pytest.raises(ValueError, match="weights lack 'taken'"):
        Weights(arrays)
    mine = {key: np.zeros_like(array) for key, array in weights.arrays.items()}
    made = Weights(mine)
    mine["piece"][:] = 5
    assert not made.arrays["piece"].any()


@pytest.mark.parametrize("content", [bytes(range(256)), b"[" * 100_000], ids=["bytes", "nested"])
def test_files_that_are_no_text(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"mine\.json: not a file of weights"):
        load_weights(path)
