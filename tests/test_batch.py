"""BatchBoard: bit for bit what single boards do, and errors that change nothing."""

import numpy as np
import pytest
from helpers import state_bytes

import blokus_fast as bf

VARIANTS = list(bf.VARIANTS)


def played(variant, n=24, plies=15, seed=5):
    batch = bf.BatchBoard(n, variant)
    boards = [bf.Board(variant) for _ in range(n)]
    for _ in range(plies):
        actions = batch.sample_actions(seed)
        batch.step(actions)
        for board, action in zip(boards, actions.tolist(), strict=True):
            if action >= 0:
                board.push(action)
    return batch, boards


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("plies", [0, 15, 60, 400])
def test_a_batch_is_n_boards(variant, plies):
    batch, boards = played(variant, n=12, plies=plies)
    assert len(batch) == 12
    assert batch.variant == boards[0].variant
    for i, board in enumerate(boards):
        assert state_bytes(batch[i]) == state_bytes(board)
    assert batch.turn.tolist() == [b.turn for b in boards]
    assert batch.player.tolist() == [b.player for b in boards]
    assert batch.ply.tolist() == [b.ply for b in boards]
    assert batch.done.tolist() == [b.is_game_over for b in boards]
    assert batch.scores().tolist() == [list(b.player_scores()) for b in boards]
    assert batch.count_legal().tolist() == [b.count_legal() for b in boards]
    ids, offsets = batch.legal_ids()
    assert ids.dtype == np.int32
    assert offsets.dtype == np.int64
    assert len(ids) == offsets[-1]
    mask = batch.legal_mask()
    assert mask.shape == (12, batch.n_actions)
    for i, board in enumerate(boards):
        assert ids[offsets[i] : offsets[i + 1]].tolist() == board.legal_ids().tolist()
        assert (mask[i] == board.legal_mask()).all()


def test_samples_are_legal_and_reproducible():
    batch, _ = played("duo")
    actions = batch.sample_actions(3)
    assert (actions == batch.sample_actions(3)).all()
    assert (actions != batch.sample_actions(4)).any()
    for i, action in enumerate(actions.tolist()):
        assert batch[i].is_legal(action)
    # A game's draw depends on its number, not on how many games there are.
    few = bf.BatchBoard(5, "duo")
    for i in range(5):
        few[i] = batch[i]
    assert few.sample_actions(3).tolist() == actions[:5].tolist()


def test_callers_arrays():
    batch, _ = played("duo", n=6)
    count, sample = np.empty(6, np.int32), np.empty(6, np.int32)
    scores = np.empty((6, 2), np.int32)
    mask = np.empty((6, batch.n_actions), np.uint8)
    assert batch.count_legal(count) is count
    assert batch.sample_actions(1, out=sample) is sample
    assert batch.scores(scores) is scores
    assert batch.legal_mask(mask) is mask
    assert (mask.sum(axis=1) == count).all()


def test_minus_one_leaves_a_game_alone():
    batch, _ = played("duo", n=4)
    before = [state_bytes(batch[i]) for i in range(4)]
    actions = batch.sample_actions(1)
    actions[[0, 2]] = -1
    batch.step(actions)
    changed = [state_bytes(batch[i]) != before[i] for i in range(4)]
    assert changed == [False, True, False, True]


def test_illegal_actions_step_nothing_and_are_named():
    batch, _ = played("duo", n=16)
    before = [state_bytes(batch[i]) for i in range(16)]
    actions = batch.sample_actions(1)
    actions[[3, 11]] = [batch.n_actions, 0]
    with pytest.raises(bf.IllegalMoveError, match=r"games \[3, 11\]"):
        batch.step(actions)
    assert [state_bytes(batch[i]) for i in range(16)] == before


def test_finished_games_take_no_action():
    batch, _ = played("duo", n=3, plies=200)
    assert batch.done.all()
    assert batch.sample_actions(1).tolist() == [-1] * 3
    assert batch.count_legal().tolist() == [0] * 3
    assert not batch.legal_mask().any()
    assert batch.legal_ids()[0].shape == (0,)
    batch.step([-1] * 3)
    with pytest.raises(bf.IllegalMoveError, match="the game is over"):
        batch.step([-1, 5, -1])


def test_games_and_boards_do_not_share():
    batch, _ = played("duo", n=2)
    board = batch[1]
    board.push(int(board.legal_ids()[0]))
    assert batch.ply.tolist() == [15, 15]
    batch[0] = board
    assert batch.ply.tolist() == [16, 15]
    assert state_bytes(batch[-2]) == state_bytes(board)


def test_a_batch_of_nothing():
    batch = bf.BatchBoard(0)
    assert len(batch) == 0
    assert batch.sample_actions(1).shape == (0,)
    assert batch.legal_mask().shape == (0, 30433)
    ids, offsets = batch.legal_ids()
    assert (ids.size, offsets.tolist()) == (0, [0])
    batch.step([])
    with pytest.raises(IndexError):
        batch[0]


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        ([0], ValueError, "shape"),
        ([[0], [0], [0]], ValueError, "shape"),
        ([0.0, 1.0, 2.0], TypeError, "integers"),
        (["a", "b", "c"], TypeError, "integers"),
        ([2**40, 0, 0], bf.InvalidMoveError, "out of range"),
        (np.array([2**32 - 1] * 3, np.uint32), bf.InvalidMoveError, "out of range"),
        (np.array([-2, -1, -1], np.int32), bf.IllegalMoveError, r"games \[0\]"),
        ([-2, -1, -1], bf.InvalidMoveError, "out of range"),
    ],
)
def test_bad_actions(actions, error, words):
    batch = bf.BatchBoard(3, "duo")
    with pytest.raises(error, match=words):
        batch.step(actions)
    assert batch.ply.tolist() == [0, 0, 0]


def test_bad_arguments():
    for n in (-1, 2**40):
        with pytest.raises(ValueError, match="n "):
            bf.BatchBoard(n)
    with pytest.raises(TypeError):
        bf.BatchBoard(1.5)
    with pytest.raises(ValueError, match="unknown variant 'checkers'"):
        bf.BatchBoard(1, "checkers")
    batch = bf.BatchBoard(2, "duo")
    with pytest.raises(ValueError, match="shape"):
        batch.scores(np.empty((2, 3), np.int32))
    with pytest.raises(ValueError, match="shape"):
        batch.count_legal(np.empty(3, np.int32))
    with pytest.raises(ValueError, match="dtype"):
        batch.count_legal(np.empty(2, np.int64))
    read_only = np.empty(2, np.int32)
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        batch.count_legal(read_only)
    with pytest.raises(ValueError, match="shape"):
        batch.legal_mask(np.empty((2, 5), np.bool_))
    with pytest.raises(ValueError, match="a board of classic in a batch of duo"):
        batch[0] = bf.Board("classic")
