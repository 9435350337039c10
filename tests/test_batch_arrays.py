"""BatchBoard and callers' arrays: filled where they fit, errors in words where they do not."""

import numpy as np
import pytest

import blokus_fast as bf

N = 6


@pytest.fixture
def batch():
    batch = bf.BatchBoard(N, "duo")
    for _ in range(14):
        batch.step(batch.sample_actions(5))
    return batch


# Method, its result's shape and dtype; and how it is called with an array.
METHODS = {
    "scores": ((N, 2), np.int32, lambda batch, out: batch.scores(out)),
    "rewards": ((N, 2), np.float32, lambda batch, out: batch.rewards("rank", out)),
    "keys": ((N,), np.uint64, lambda batch, out: batch.keys(out)),
    "hands": ((N, 1, 2, 21), np.uint8, lambda batch, out: batch.hands(out)),
    "count_legal": ((N,), np.int32, lambda batch, out: batch.count_legal(out)),
    "legal_mask": ((N, 13729), np.bool_, lambda batch, out: batch.legal_mask(out)),
    "sample_actions": ((N,), np.int32, lambda batch, out: batch.sample_actions(1, None, out)),
    "playouts": ((N, 3, 2), np.int32, lambda batch, out: batch.playouts(3, 1, None, out)),
    "observe": ((N, 60, 14, 14), np.uint8, lambda batch, out: batch.observe(out)),
    "turn": ((N,), np.int32, lambda batch, out: batch.status(turn=out) or out),
    "done": ((N,), np.bool_, lambda batch, out: batch.status(done=out) or out),
    "offsets": ((N + 1,), np.int64, lambda batch, out: batch.legal_ids(None, out)[1]),
}


@pytest.mark.parametrize("name", METHODS)
def test_callers_arrays_are_filled_and_returned(batch, name):
    shape, dtype, call = METHODS[name]
    out = np.full(shape, 77, dtype)
    assert call(batch, out) is out
    other = np.full(shape, 33, dtype)
    assert (call(batch, other) == out).all()
    if name not in ("turn", "done"):
        new = call(batch, None)
        assert (new.shape, new.dtype) == (shape, dtype)
        assert (new == out).all()


@pytest.mark.parametrize("name", METHODS)
def test_arrays_that_do_not_fit_are_not_touched(batch, name):
    shape, dtype, call = METHODS[name]
    read_only = np.ones(shape, dtype)
    read_only.flags.writeable = False
    wide = np.ones((*shape[:-1], 2 * shape[-1]), dtype)
    cases = [
        (np.ones(shape, np.float64), ValueError, "dtype"),
        (np.ones((*shape[:-1], shape[-1] + 1), dtype), ValueError, "shape"),
        (np.ones((*shape, 1), dtype), ValueError, "shape"),
        (wide[..., ::2], ValueError, "C-contiguous"),
        (read_only, ValueError, "read-only"),
        ([1, 2, 3], TypeError, "must be an array"),
    ]
    for array, error, words in cases:
        with pytest.raises(error, match=words):
            call(batch, array)
        assert (np.asarray(array) == np.asarray(array).flat[0]).all() or isinstance(array, list)


def test_masks_of_bytes(batch):
    expected = batch.legal_mask()
    for dtype in (np.int8, np.uint8):
        assert (batch.legal_mask(np.full((N, 13729), 5, dtype)) == expected).all()


def test_ragged_ids_into_callers_arrays(batch):
    ids, offsets = batch.legal_ids()
    out = np.full(len(ids) + 10, -7, np.int32)
    ends = np.empty(N + 1, np.int64)
    got, ends_too = batch.legal_ids(out, ends)
    assert ends_too is ends
    assert got.base is out
    assert (got == ids).all()
    assert (ends == offsets).all()
    assert (out[len(ids) :] == -7).all()
    exact = np.empty(len(ids), np.int32)
    assert (batch.legal_ids(exact)[0] == ids).all()


def test_ragged_ids_without_enough_room(batch):
    needed = len(batch.legal_ids()[0])
    out, ends = np.full(needed - 1, -7, np.int32), np.full(N + 1, -7, np.int64)
    with pytest.raises(ValueError, match=f"room for {needed - 1} ids, {needed} are needed"):
        batch.legal_ids(out, ends)
    assert (out == -7).all()
    assert (ends == -7).all()
    for bad, words in (
        (np.empty(needed, np.int64), "dtype"),
        (np.empty((2, needed), np.int32), "shape"),
        (np.empty(2 * needed, np.int32)[::2], "C-contiguous"),
    ):
        with pytest.raises(ValueError, match=words):
            batch.legal_ids(bad)


def test_status_fills_all_or_nothing(batch):
    turn, ply = np.full(N, 9, np.int32), np.full(N, 9, np.int64)
    with pytest.raises(ValueError, match="ply must have dtype int32"):
        batch.status(turn=turn, ply=ply)
    assert (turn == 9).all()
    player, done = np.empty(N, np.int32), np.empty(N, np.uint8)
    batch.status(player=player, done=done)
    assert (player == batch.player).all()
    assert (done == batch.done).all()


def test_weights_and_seeds(batch):
    uniform = batch.sample_actions(1)
    sizes = [1, 2, 3, 3, 4, 4, 4, 4, 4] + 12 * [5]
    assert (batch.sample_actions(1, "size") == batch.sample_actions(1, sizes)).all()
    # With a weight for one legal move only, that one is drawn.
    ids, offsets = batch.legal_ids()
    only = np.zeros(13729, np.uint32)
    only[ids[offsets[0]]] = 3
    assert batch.sample_actions(1, only)[0] == ids[offsets[0]]
    seeds = np.arange(N, dtype=np.uint64)
    own = batch.sample_actions(seeds)
    assert (own != uniform).any()
    # Neither the place of a game nor its neighbors matter with seeds of its own.
    turned = batch.take(np.arange(N)[::-1])
    assert (turned.sample_actions(seeds[::-1]) == own[::-1]).all()


@pytest.mark.parametrize(
    ("seeds", "weights", "error", "words"),
    [
        (-1, None, ValueError, "seed"),
        (2**64, None, ValueError, "seed"),
        (1.0, None, TypeError, "float"),
        (np.zeros(N, np.int64), None, TypeError, "uint64"),
        (np.zeros(N + 1, np.uint64), None, ValueError, "shape"),
        (1, "sizes", ValueError, "size"),
        (1, [1] * 20, ValueError, "13729"),
        (1, [0] * 21, ValueError, "piece_weights"),
        (1, [1.0] * 21, TypeError, "integers"),
        (1, np.full(13729, -1), ValueError, "move_weights"),
    ],
)
def test_bad_seeds_and_weights(batch, seeds, weights, error, words):
    with pytest.raises(error, match=words):
        batch.sample_actions(seeds, weights)
    with pytest.raises(error, match=words):
        batch.playouts(2, seeds, weights)


def test_bad_numbers_of_games(batch):
    before = batch.copy()
    other = bf.BatchBoard(3, "duo")
    for bad, error in (
        ([N], IndexError),
        ([-N - 1], IndexError),
        ([True, False], ValueError),
        ([[0]], ValueError),
        ([0.5], TypeError),
    ):
        with pytest.raises(error):
            batch.reset(bad)
        with pytest.raises(error):
            batch.take(bad)
        with pytest.raises(error):
            batch.copy_from(other, where=bad)
    with pytest.raises(IndexError):
        batch.copy_from(other)
    with pytest.raises(ValueError, match="2 games to copy to 1 places"):
        batch.copy_from(other, where=[0], index=[0, 1])
    with pytest.raises(ValueError, match="games of classic in a batch of duo"):
        batch.copy_from(bf.BatchBoard(N, "classic"))
    with pytest.raises(ValueError, match="a board of classic in a batch of duo"):
        batch.copy_from(bf.Board("classic"))
    with pytest.raises(ValueError, match="index"):
        batch.copy_from(bf.Board("duo"), index=[0])
    with pytest.raises(TypeError):
        batch.copy_from([bf.Board("duo")])
    with pytest.raises(ValueError, match="n "):
        batch.playouts(-1)
    with pytest.raises(ValueError, match="valid: score, win, rank"):
        batch.rewards("money")
    assert batch == before


def test_nothing_at_all():
    batch = bf.BatchBoard(0, "duo", threads=2)
    assert batch.observe().shape == (0, 60, 14, 14)
    assert batch.rewards("rank").shape == (0, 2)
    assert batch.hands().shape == (0, 1, 2, 21)
    assert batch.sample_actions(np.empty(0, np.uint64)).shape == (0,)
    batch.reset()
    batch.copy_from(bf.Board("duo"))
    assert batch.take([]) == batch == batch.copy()
    assert bf.Observer("duo").decode(batch.observe()) == batch
    assert bf.symmetries("duo").apply(batch, []) == batch


@pytest.mark.parametrize(
    ("variant", "n"), [("duo", 1300), ("software-challenge-2027", 560), ("draft-2p", 140)]
)
@pytest.mark.parametrize("threads", [1, 3])
def test_masks_that_no_cache_holds(variant, n, threads):
    """From 16 MB on they are written in another way."""
    few = bf.BatchBoard(10, variant)
    for _ in range(90 if few.variant.draft else 9):
        few.step(few.sample_actions(4))
    few.reset([0])
    expected = few.legal_mask()
    many = few.take(np.arange(n) % 10)
    many.threads = threads
    memory = np.full(n * many.n_actions + 3, 9, np.uint8)
    out = memory[1:-2].reshape(n, -1)  # on an odd address
    assert out.nbytes >= 2**24
    many.legal_mask(out)
    assert (out == expected[np.arange(n) % 10]).all()
    assert (memory[[0, -1, -2]] == 9).all()
