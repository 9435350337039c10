"""Trees whose priors and values come from outside."""

import math

import numpy as np
import pytest
from search_tools import by_score, knows_nothing, run_trees

import blokus_fast as bf
from blokus_fast.search import NETWORK, BatchMCTS, Leaves, RootRule, SelfPlay

VARIANTS = tuple(bf.VARIANTS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_leaves_are_positions_below_the_roots(variant: str) -> None:
    trees = BatchMCTS(variant, 3, seed=1)
    trees.set_all(simulations=30)
    leaves = trees.collect(3)
    # First the roots themselves.
    assert leaves.trees.tolist() == [0, 1, 2]
    assert leaves.boards == bf.BatchBoard(3, variant)
    n = trees.variant.players
    while leaves:
        ids, offsets = leaves.boards.legal_ids()
        assert np.array_equal(ids, leaves.ids)
        assert np.array_equal(offsets, leaves.offsets)
        assert not leaves.boards.done.any()
        trees.apply(*knows_nothing(leaves, n))
        leaves = trees.collect(8)
    assert trees.simulations.tolist() == [30, 30, 30]
    for tree in range(3):
        table = trees.table(tree)
        assert table["visits"].sum() == 30
        assert sorted(table["moves"].tolist()) == bf.Board(variant).legal_ids().tolist()
        assert math.isclose(table["policy"].sum(), 1, rel_tol=1e-5)
        assert trees.move(tree) == table["moves"][table["visits"].argmax()]


def test_priors_and_values_steer_the_search() -> None:
    board = bf.Board("duo")
    trees = BatchMCTS("duo", 1, seed=1)
    trees.set_all(board, simulations=200)
    favorite = int(board.legal_ids()[17])
    leaves = trees.collect(1)
    priors = np.where(leaves.ids == favorite, 1000.0, 1.0)
    trees.apply(priors, [[0.5, 0.5]])
    run_trees(trees, 1)
    assert trees.move(0) == favorite
    # A value that is bad for whoever has moved drives the search away from it.
    trees = BatchMCTS("duo", 1, seed=1)
    trees.set_all(board, simulations=300)
    while leaves := trees.collect(1):
        values = np.array([[0.6, 0.4]])
        if favorite in leaves.boards[0].copy().own_squares(0):
            values = np.array([[0.6, 0.4]])
        placed = board.copy()
        placed.push(favorite)
        if set(placed.own_squares(0)) <= set(leaves.boards[0].own_squares(0)):
            values = np.array([[0.05, 0.95]])
        trees.apply(np.where(leaves.ids == favorite, 20.0, 1.0), values)
    assert trees.move(0) != favorite


@pytest.mark.parametrize("plies", [0, 1, 2, 3])
@pytest.mark.parametrize("gain", [0.45, -0.45])
def test_values_count_for_who_moves(plies: int, gain: float) -> None:
    """A move behind which its player has more is followed, whoever he is; one with less is not."""
    board = bf.Board("classic")
    for _ in range(plies):
        board.push(int(board.legal_ids()[0]))
    trees = BatchMCTS("classic", 1, seed=1)
    trees.set_all(board, simulations=300)
    favorite, player = int(board.legal_ids()[5]), board.player
    placed = board.copy()
    placed.push(favorite)
    squares = set(placed.own_squares(player))
    while leaves := trees.collect(1):
        values = np.full((1, 4), 0.25)
        if squares <= set(leaves.boards[0].own_squares(player)):
            values[0, :] = 0.5 - gain
            values[0, player] = 0.5 + gain
        trees.apply(np.where(leaves.ids == favorite, 5.0, 1.0), values)
    table = trees.table(0)
    share = table["visits"][table["moves"] == favorite][0] / 300
    assert share > 0.15 if gain > 0 else share < 0.05


def test_one_tree_gives_several_leaves_at_once() -> None:
    trees = BatchMCTS("duo", 1, seed=1)
    trees.set_all(simulations=500)
    assert len(trees.collect(32)) == 1  # the root
    trees.apply(*knows_nothing(Leaves(*trees_of(trees)), 2))
    leaves = trees.collect(32)
    assert len(leaves) == 32
    # Virtual loss: they are 32 positions, not one.
    assert len(set(leaves.boards.keys().tolist())) == 32
    trees.release()
    assert len(trees.collect(32, per_tree=5)) == 5
    trees.release()
    assert run_trees(trees) >= 400
    assert trees.simulations[0] == 500


def trees_of(trees: BatchMCTS) -> tuple:
    """Return the leaves that are out, again: the root of one tree."""
    boards = bf.BatchBoard(1, trees.variant)
    ids, offsets = boards.legal_ids()
    return boards, np.zeros(1, np.int32), ids, offsets


def test_leaves_go_into_arrays_of_the_caller() -> None:
    trees, usual = (BatchMCTS("duo", 4, seed=1) for _ in range(2))
    ids, offsets = np.full(10_000, -7, np.int32), np.full(20, -7, np.int64)
    for each in (trees, usual):
        each.set_all(simulations=20)
    while leaves := trees.collect(8, ids=ids, offsets=offsets):
        same = usual.collect(8)
        assert leaves.ids.base is ids
        assert leaves.offsets.base is offsets
        assert np.array_equal(leaves.ids, same.ids)
        assert np.array_equal(leaves.offsets, same.offsets)
        # Behind them nothing is touched.
        assert (ids[len(leaves.ids) :] == -7).all()
        assert (offsets[len(leaves) + 1 :] == -7).all()
        trees.apply(*knows_nothing(leaves, 2))
        usual.apply(*knows_nothing(same, 2))
        ids[:], offsets[:] = -7, -7
    assert trees.simulations.tolist() == [20] * 4


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"ids": np.empty(100, np.int32)}, "ids has room for 100 numbers, 1656 are needed"),
        ({"offsets": np.empty(2, np.int64)}, "offsets has room for 2 numbers, 3 are needed"),
        ({"ids": np.empty(9000, np.int64)}, "ids must be an array of int32"),
        ({"offsets": np.empty((9, 9), np.int64)}, "with one dimension"),
        ({"ids": [0] * 9000}, "ids must be an array of int32"),
        ({"ids": np.empty(9000, np.int32)[::2]}, "contiguous"),
        ({"ids": np.broadcast_to(np.int32(1), 9000)}, "contiguous, and writeable"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_arrays_that_do_not_fit(arrays: dict, words: str) -> None:
    trees = BatchMCTS("duo", 2, seed=1)
    trees.set_all(simulations=10)
    with pytest.raises(ValueError, match=words):
        trees.collect(2, **arrays)
    # No leaves are out: the next call hands out the same ones.
    assert trees.collect(2).trees.tolist() == [0, 1]


def test_released_leaves_leave_nothing_behind() -> None:
    one, other = (BatchMCTS("duo", 4, seed=1) for _ in range(2))
    for trees in (one, other):
        trees.set_all(simulations=100)
    while leaves := one.collect(16):
        one.apply(*by_score(leaves), logits=True)
        one.collect(7)
        one.release()
    run_trees(other, 16)
    for tree in range(4):
        for name, array in one.table(tree).items():
            assert np.array_equal(array, other.table(tree)[name], equal_nan=True), name


@pytest.mark.parametrize("batch", [1, 3, 64, 1000])
def test_the_size_of_batches_changes_nothing(batch: int) -> None:
    trees = BatchMCTS("duo", 5, seed=2)
    trees.set_all(simulations=60)
    while leaves := trees.collect(batch, per_tree=1):
        trees.apply(*by_score(leaves), logits=True)
    usual = BatchMCTS("duo", 5, seed=2)
    usual.set_all(simulations=60)
    while leaves := usual.collect(5, per_tree=1):
        usual.apply(*by_score(leaves), logits=True)
    assert np.array_equal(trees.moves(), usual.moves())
    assert np.array_equal(trees.table(3)["visits"], usual.table(3)["visits"])


def test_the_tree_is_kept_when_a_move_is_made() -> None:
    trees = BatchMCTS("duo", 1, seed=1)
    board = bf.Board("duo")
    trees.set(0, board, simulations=200)
    run_trees(trees)
    move = trees.move(0)
    visits = int(trees.table(0)["visits"].max())
    board.push(move)
    trees.set(0, board, simulations=1)
    table = trees.table(0)
    assert table["visits"].sum() == visits - 1
    # And another position is another tree.
    trees.set(0, bf.Board("duo"), simulations=1)
    assert len(trees.table(0)["moves"]) == 0
    with pytest.raises(ValueError, match="nothing is known of tree 0"):
        trees.move(0)


def test_endings_need_no_network() -> None:
    """Where the game is over the score is known: it is never asked for."""
    rng = np.random.default_rng(3)
    board = bf.Board("duo")
    while True:
        board.push(int(rng.choice(board.legal_ids())))
        if board.count_legal() == 1:
            after = board.copy()
            after.push(int(after.legal_ids()[0]))
            if after.is_game_over:
                break
        if board.is_game_over:
            board = bf.Board("duo")
    trees = BatchMCTS("duo", 1, seed=1)
    trees.set_all(board, simulations=5)
    assert run_trees(trees) == 1
    scores = after.player_scores()
    won = 0.5 if scores[0] == scores[1] else float(scores[0] > scores[1])
    assert trees.table(0)["values"][0].tolist() == [won, 1 - won]
    # More would change nothing: it is proven.
    assert trees.simulations[0] == 1


def test_memory_is_bounded() -> None:
    trees = BatchMCTS("duo", 2, seed=1, memory=2**18)
    trees.set_all(simulations=2000)
    run_trees(trees)
    assert trees.simulations.tolist() == [2000, 2000]
    small = BatchMCTS("software-challenge-2027", 1, memory=2**14)
    small.set_all(simulations=5)
    leaves = small.collect(1)
    with pytest.raises(ValueError, match="memory is too small"):
        small.apply(*knows_nothing(leaves, 2))
    assert len(small.collect(1)) == 0


# -- bad input ---------------------------------------------------------------------------------


@pytest.fixture
def out() -> tuple[BatchMCTS, Leaves]:
    """Trees with two leaves out."""
    trees = BatchMCTS("duo", 2, seed=1)
    trees.set_all(simulations=10)
    return trees, trees.collect(2)


@pytest.mark.parametrize("logits", [False, True])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_priors_must_be_finite(out: tuple[BatchMCTS, Leaves], bad: float, logits: bool) -> None:
    trees, leaves = out
    priors, values = knows_nothing(leaves, 2)
    priors[-1] = bad
    with pytest.raises(ValueError, match="priors of leaf 1: they must be finite"):
        trees.apply(priors, values, logits=logits)
    # The leaves are still out, and can be evaluated after all.
    trees.apply(*knows_nothing(leaves, 2))
    assert run_trees(trees) > 0


def test_priors_must_be_priors(out: tuple[BatchMCTS, Leaves]) -> None:
    trees, leaves = out
    priors, values = knows_nothing(leaves, 2)
    for wrong in (priors[:-1], np.append(priors, 1.0), priors[:0]):
        with pytest.raises(ValueError, match=f"there must be {len(priors)} priors"):
            trees.apply(wrong, values)
    with pytest.raises(ValueError, match="not all 0"):
        trees.apply(0 * priors, values)
    with pytest.raises(ValueError, match="0 or more"):
        trees.apply(-priors, values)
    with pytest.raises(ValueError, match="priors must have one dimension"):
        trees.apply(priors[None], values)
    trees.apply(-1e35 * priors, values, logits=True)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -0.5, 1.5])
def test_values_must_be_shares(out: tuple[BatchMCTS, Leaves], bad: float) -> None:
    trees, leaves = out
    priors, values = knows_nothing(leaves, 2)
    values[1, 0] = bad
    with pytest.raises(ValueError, match=f"value {bad} of leaf 1 is not in 0..1"):
        trees.apply(priors, values)
    for wrong in (values[:1], values[:, :1], np.full((2, 3), 0.5), values[:0]):
        with pytest.raises(ValueError, match=r"values must have shape \(2, 2\)"):
            trees.apply(priors, wrong)
    trees.apply(*knows_nothing(leaves, 2))


def test_order_of_calls(out: tuple[BatchMCTS, Leaves]) -> None:
    trees, _ = out
    with pytest.raises(RuntimeError, match="leaves are out"):
        trees.collect(2)
    with pytest.raises(RuntimeError, match="leaves are out"):
        trees.set_all(simulations=5)
    trees.release()
    trees.release()
    trees.apply([], np.empty((0, 2)))
    with pytest.raises(ValueError, match="there are no leaves"):
        trees.apply([1.0], np.empty((0, 2)))
    assert len(BatchMCTS("duo", 2).collect(5)) == 0


def test_bad_roots() -> None:
    trees = BatchMCTS("duo", 2, seed=1)
    over = bf.BatchBoard(2, "duo")
    while not over.done.all():
        over.step(over.sample_actions(1))
    with pytest.raises(ValueError, match="game 0 is over"):
        trees.set_all(over, simulations=1)
    with pytest.raises(ValueError, match="the game is over"):
        trees.set(0, over[1], simulations=1)
    with pytest.raises(ValueError, match="there are 2 trees, and 3 boards"):
        trees.set_all(bf.BatchBoard(3, "duo"), simulations=1)
    with pytest.raises(ValueError, match="a board of classic for trees of duo"):
        trees.set(0, bf.Board("classic"), simulations=1)
    with pytest.raises(TypeError, match="board must be a Board, not str"):
        trees.set(0, "duo", simulations=1)
    with pytest.raises(IndexError, match=r"tree 2 is not in 0\.\.1"):
        trees.set(2, bf.Board("duo"), simulations=1)
    with pytest.raises(ValueError, match="simulations must be in"):
        trees.set_all(simulations=0)
    with pytest.raises(TypeError, match="choose their positions"):
        SelfPlay("duo", 2).set_all(simulations=1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"n": 0}, "n must be in 1..1048576, not 0"),
        ({"memory": 100}, "memory must be in"),
        ({"exploration": -1}, "exploration must be in"),
        ({"root": RootRule(), "margin": 2.0}, "margin must be in 0..1"),
    ],
    ids=str,
)
def test_bad_arguments(arguments: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        BatchMCTS("duo", **{"n": 2, **arguments})


def test_parameters_are_those_of_networks() -> None:
    assert BatchMCTS("duo", 1).parameters == NETWORK
    assert BatchMCTS("duo", 1, exploration=2.0).parameters.exploration == 2.0
