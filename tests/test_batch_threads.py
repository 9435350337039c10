"""BatchBoard with threads: the same results whatever their number, and errors that undo all."""

import os
import threading
import time

import numpy as np
import pytest
from pressing import ctrl_c_after

import blokus_fast as bf

N = 400  # enough for several threads to get a part each


def play(variant, threads, plies=40):
    """Play some plies; return everything that was seen on the way."""
    batch = bf.BatchBoard(N, variant, threads=threads)
    observer = bf.Observer(variant, view="rotated", dtype="bits", groups=["own", "corner"])
    seen = []
    for ply in range(plies):
        actions = batch.sample_actions(9)
        if ply % 10 == 9:
            ids, offsets = batch.legal_ids()
            seen += [ids, offsets, batch.count_legal(), batch.observe(observer=observer)]
            seen += [np.flatnonzero(batch.legal_mask())]
        batch.step(actions)
        seen += [actions]
    seen += [batch.keys(), batch.scores(), batch.playouts(3, seeds=4)]
    return batch, seen


@pytest.mark.parametrize("variant", ["duo", "software-challenge-2027"])
def test_results_do_not_depend_on_the_number_of_threads(variant):
    batch, expected = play(variant, 1)
    for threads in (2, 3, 7):
        other, seen = play(variant, threads)
        assert other == batch
        for left, right in zip(expected, seen, strict=True):
            assert (left == right).all()


@pytest.mark.parametrize("wrong", [[0], [N - 1], [0, N // 2, N - 1], list(range(N))])
def test_illegal_actions_undo_all_parts(wrong):
    batch = bf.BatchBoard(N, "duo", threads=4)
    for _ in range(12):
        batch.step(batch.sample_actions(2))
    before = [batch[i]._state_bytes() for i in range(N)]
    actions = batch.sample_actions(2)
    actions[wrong] = batch.n_actions
    with pytest.raises(bf.IllegalMoveError, match=rf"games \[{wrong[0]}\b"):
        batch.step(actions)
    assert [batch[i]._state_bytes() for i in range(N)] == before
    batch.step(batch.sample_actions(2))


def test_the_number_of_threads_can_be_changed():
    batch = bf.BatchBoard(N, "duo")
    assert batch.threads == 1
    batch.threads = 3
    assert batch.threads == 3
    assert batch.copy().threads == 3
    for bad in (0, -1, 2000):
        with pytest.raises(ValueError, match="threads"):
            batch.threads = bad
    with pytest.raises(TypeError):
        batch.threads = 1.5
    with pytest.raises(ValueError, match="threads"):
        bf.BatchBoard(1, threads=0)


def test_more_threads_than_games():
    batch = bf.BatchBoard(2, "duo", threads=64)
    assert (batch.playouts(1, 1) == bf.BatchBoard(2, "duo").playouts(1, 1)).all()
    batch.step(batch.sample_actions(1))
    assert bf.BatchBoard(0, threads=8).playouts(5).shape == (0, 5, 4)


def test_helpers_end_with_their_batch():
    # Threads of earlier tests may end meanwhile: look at our own only.
    before = set(threading.enumerate())
    batch = bf.BatchBoard(N, "duo", threads=3)
    batch.step(batch.sample_actions(1))
    mine = [thread for thread in threading.enumerate() if thread not in before]
    assert len(mine) == 2
    del batch
    for thread in mine:
        thread.join(2)
        assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_after_a_fork_the_child_has_threads_of_its_own():
    batch = bf.BatchBoard(N, "duo", threads=2)
    batch.step(batch.sample_actions(1))
    expected = batch.sample_actions(1)
    child = os.fork()
    if child == 0:
        os._exit(0 if (batch.sample_actions(1) == expected).all() else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_playouts(threads):
    batch = bf.BatchBoard(2, "classic", threads=threads)
    before = batch.copy()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt), ctrl_c_after(0.2):
        batch.playouts(1_000_000)
    # They would take half a minute.
    assert time.monotonic() - begin < 10
    # All threads are ready for more.
    assert batch == before
    assert (batch.playouts(9, 3) == before.playouts(9, 3)).all()


@pytest.mark.parametrize("variant", ["duo", "draft-2p"])
def test_ids_of_the_parts_of_all_threads(variant):
    """Each thread lists its own games; whose they are must not depend on that."""
    batch = bf.BatchBoard(N, variant, threads=3)
    for _ in range(12):
        batch.step(batch.sample_actions(5))
    ids, offsets = batch.legal_ids()
    assert (np.diff(offsets) == batch.count_legal()).all()
    for i in (0, 1, N // 3 - 1, N // 3, N // 3 + 1, N // 2, 2 * N // 3, N - 1):
        assert ids[offsets[i] : offsets[i + 1]].tolist() == batch[i].legal_ids().tolist()
