"""BatchBoard as a value: copies, equality, pickles, games in and out; rewards and playouts."""

import contextlib
import copy
import pickle

import numpy as np
import pytest
from helpers import state_bytes

import blokus_fast as bf

VARIANTS = list(bf.VARIANTS)


def played(variant, n=8, plies=30, seed=5, **rules):
    batch = bf.BatchBoard(n, variant, **rules)
    for _ in range(plies):
        batch.step(batch.sample_actions(seed))
    return batch


def all_bytes(batch):
    return [state_bytes(batch[i]) for i in range(len(batch))]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("plies", [0, 30, 100, 400])
def test_copies_and_pickles(variant, plies):
    batch = played(variant, plies=plies)
    for other in (
        batch.copy(),
        copy.copy(batch),
        copy.deepcopy(batch),
        pickle.loads(pickle.dumps(batch)),
        batch.take(range(8)),
    ):
        assert other == batch
        assert other is not batch
        assert all_bytes(other) == all_bytes(batch)
    other.reset([3])
    assert (other == batch) == (plies == 0)
    # A board out of a batch is a value too.
    for board in (batch[0], batch[7]):
        again = pickle.loads(pickle.dumps(board))
        assert again == board
        assert again.key() == board.key()
        assert bf.Board.from_text(bf.position_text(board)) == board
        if not board.is_game_over:
            board.push(int(board.legal_ids()[0]))
            assert pickle.loads(pickle.dumps(board)) == board


def test_pickles_keep_rules_and_threads():
    batch = played("duo", start="assigned", scoring="net")
    batch.threads = 3
    again = pickle.loads(pickle.dumps(batch))
    assert (again.variant, again.threads) == (batch.variant, 3)


def test_equality():
    batch = played("duo")
    assert batch == batch
    assert batch != played("duo", n=7)
    assert batch != played("duo", seed=6)
    assert batch != played("duo", scoring="net")
    assert batch != 5
    with pytest.raises(TypeError):
        hash(batch)
    assert repr(batch) == "<BatchBoard of 8 games of duo>"


def broken(batch, change):
    restore, arguments = batch.__reduce__()
    arrays = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    change(*arrays[3:])
    return lambda: restore(*arrays)


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("alone", lambda own, hands, numbers: own.__setitem__((2, 0, 7), 1 << 63)),
        ("alone", lambda own, hands, numbers: own.__setitem__((2, 3, 0), 1)),
        ("more than a piece has", lambda own, hands, numbers: own.__setitem__((2, 0, 0), 0x3F)),
        ("nobody can have", lambda own, hands, numbers: hands.__setitem__((2, 1, 0), 1)),
        ("nobody can have", lambda own, hands, numbers: hands.__setitem__((2, 0, 0), 1 << 63)),
        ("out of range", lambda own, hands, numbers: numbers.__setitem__((2, 0), 2)),
        ("out of range", lambda own, hands, numbers: numbers.__setitem__((2, 2), 7)),
        ("out of range", lambda own, hands, numbers: numbers.__setitem__((2, 8), -1)),
        (
            "not how many lie on the board",
            lambda own, hands, numbers: numbers.__setitem__((2, 8), 3),
        ),
        ("not the turn", lambda own, hands, numbers: numbers.__setitem__((2, 1), 1)),
        ("not the turn", lambda own, hands, numbers: numbers.__setitem__((2, 0), -1)),
        ("can place", lambda own, hands, numbers: numbers.__setitem__((2, 5), 3)),
        ("picked in turn", lambda own, hands, numbers: numbers.__setitem__((2, 2), 2)),
        ("not the turn", lambda own, hands, numbers: numbers.__setitem__((2, 2), 0)),
    ],
)
def test_broken_pickles_are_refused(words, change):
    restore = broken(played("duo", plies=10), change)
    with pytest.raises(bf.InvalidPositionError, match=f"game 2: .*{words}"):
        restore()


def test_pickles_of_other_formats_are_refused():
    restore, arguments = played("duo").__reduce__()
    with pytest.raises(ValueError, match="format 99"):
        restore(99, *arguments[1:])
    with pytest.raises(bf.InvalidPositionError, match="shapes"):
        restore(*arguments[:3], arguments[3][:4], *arguments[4:])


def test_reset():
    batch = played("duo")
    batch.reset([1, -1])
    assert (batch.ply == 0).tolist() == [False, True] + [False] * 5 + [True]
    batch.reset(np.arange(8) < 4)
    assert (batch.ply == 0).tolist() == [True] * 4 + [False] * 3 + [True]
    batch.reset()
    assert batch == bf.BatchBoard(8, "duo")
    assert all_bytes(batch) == all_bytes(bf.BatchBoard(8, "duo"))


def test_copy_from():
    batch, other = played("duo", seed=1), played("duo", seed=2)
    mine, theirs = all_bytes(batch), all_bytes(other)
    batch.copy_from(other, where=[2, 5])
    assert all_bytes(batch) == mine[:2] + theirs[2:3] + mine[3:5] + theirs[5:6] + mine[6:]
    batch.copy_from(other, where=[7, 0], index=[1, -2])
    assert (all_bytes(batch)[7], all_bytes(batch)[0]) == (theirs[1], theirs[6])
    batch.copy_from(other)
    assert batch == other
    # From itself: as if all were read before anything is written.
    batch.copy_from(batch, index=[1, 2, 3, 4, 5, 6, 7, 0])
    assert all_bytes(batch) == theirs[1:] + theirs[:1]
    board = bf.Board("duo")
    batch.copy_from(board, where=np.arange(8) % 2 == 0)
    assert (batch.ply == 0).tolist() == [True, False] * 4


def test_take():
    batch = played("duo")
    some = batch.take([3, 3, -1])
    assert all_bytes(some) == [state_bytes(batch[i]) for i in (3, 3, 7)]
    assert len(batch.take(batch.done)) == int(batch.done.sum())


@pytest.mark.parametrize("variant", VARIANTS)
def test_numbers_of_each_game(variant):
    batch = played(variant, plies=50)
    boards = [batch[i] for i in range(8)]
    assert batch.keys().tolist() == [board.key() for board in boards]
    hands = batch.hands()
    for board, found in zip(boards, hands, strict=True):
        for color in range(board.n_colors):
            for player in range(len(found)):
                expected = board.hand(color, player if board.variant.draft else None)
                assert found[player, color].tolist() == list(expected)
    assert (batch.size, batch.n_moves) == (boards[0].size, boards[0].n_moves)
    assert (batch.n_colors, batch.n_players) == (boards[0].n_colors, boards[0].n_players)


@pytest.mark.parametrize("variant", ["duo", "classic", "classic-3p"])
@pytest.mark.parametrize("scoring", ["advanced", "reverse"])
def test_rewards(variant, scoring):
    batch = played(variant, n=40, plies=400, scoring=scoring)
    batch.reset([0])
    scores, best = batch.scores(), max if scoring != "reverse" else min
    rewards = {kind: batch.rewards(kind) for kind in ("score", "win", "rank")}
    assert all(not each[0].any() for each in rewards.values())
    for i in range(1, 40):
        row = scores[i].tolist()
        winners = [score == best(row) for score in row]
        sign = 1 if best is max else -1
        assert rewards["score"][i].tolist() == [sign * score for score in row]
        assert np.allclose(rewards["win"][i], np.array(winners) / sum(winners))
        others = len(row) - 1
        for player, score in enumerate(row):
            beaten = sum(np.sign(sign * (score - other)) for other in row)
            assert np.isclose(rewards["rank"][i, player], beaten / others)
    assert np.allclose(rewards["rank"].sum(axis=1), 0, atol=1e-6)
    # The old name of "win".
    assert np.array_equal(batch.rewards("share"), rewards["win"])


@pytest.mark.parametrize("variant", ["duo", "classic-2p", "draft-2p", "software-challenge-2027"])
@pytest.mark.parametrize("weights", [None, "size", "moves"])
def test_playouts_are_those_of_single_boards(variant, weights):
    batch = played(variant, n=3, plies=20)
    before = batch.copy()
    named = {}
    if weights == "size":
        named = {"piece_weights": "size"}
    if weights == "moves":
        weights = np.arange(batch.n_moves) % 7
        named = {"move_weights": weights}
    seeds = np.array([5, 2**64 - 1, 5], np.uint64)
    scores = batch.playouts(4, seeds, weights)
    for i in range(3):
        assert (scores[i] == bf.playouts(batch[i], 4, int(seeds[i]), **named)).all()
    same = bf.BatchBoard(3, variant)
    expected = bf.playouts(bf.Board(variant), 12, 8, **named).reshape(3, 4, -1)
    assert (same.playouts(4, 8, weights) == expected).all()
    assert batch == before


def mix(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def first_number(seed, stream, n):
    """Draw below n as docs/random.md says, from the beginning of a stream."""
    gamma = mix(stream * 0x9E3779B97F4A7C15 % 2**64) | 1
    if stream == 0:
        gamma = 0x9E3779B97F4A7C15
    elif (gamma ^ (gamma >> 1)).bit_count() < 24:
        gamma ^= 0xAAAAAAAAAAAAAAAA
    state = mix(seed) ^ mix((stream + 0x632BE59BD9B4E019) % 2**64)
    return (mix((state + gamma) % 2**64) >> 32) * n >> 32


def test_how_actions_are_drawn():
    """By hand; the rare second draw is left out, which these seeds do not need."""
    batch = played("duo", n=50, plies=7, seed=1)
    seed, seeds = 2**63 + 11, np.arange(50, dtype=np.uint64) * np.uint64(2**58 + 1)
    drawn, own = batch.sample_actions(seed), batch.sample_actions(seeds)
    ids, offsets = batch.legal_ids()
    for i in range(50):
        legal = ids[offsets[i] : offsets[i + 1]]
        at = first_number(mix((seed + 7) % 2**64), i, len(legal))
        assert drawn[i] == legal[at]
        at = first_number(mix((int(seeds[i]) + 7) % 2**64), 0, len(legal))
        assert own[i] == legal[at]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_id_is_judged_as_a_board_judges_it(variant):
    """Stepping tests legality in a way of its own."""
    for plies in (0, 3, 25):
        batch = played(variant, n=1, plies=plies)
        board = batch[0]
        legal = set(board.legal_ids().tolist())
        step = 1 if batch.n_actions < 20000 else 7
        for action in range(0, batch.n_actions, step):
            wrong = batch._illegal(np.array([action], np.int32))
            assert wrong == ([] if action in legal else [0])
        for action in legal:
            assert batch._illegal(np.array([action], np.int32)) == []


def test_a_board_from_a_batch_that_broke_the_rules():
    """Unchecked pushes can make squares that are no pieces; nothing may crash."""
    board = bf.Board("duo")
    for action in (0, 1, 2, 3, 4, 5):
        board.push_unchecked(action) if not board.is_game_over else None
    batch = bf.BatchBoard(1, "duo")
    batch[0] = board
    for call in (
        lambda: pickle.dumps(batch[0]),
        lambda: pickle.loads(pickle.dumps(batch)),
        lambda: bf.symmetries("duo").apply(batch, 1),
    ):
        with contextlib.suppress(ValueError):
            call()
