"""Trees whose priors and values come from outside, and games that play themselves with them."""

import math

import numpy as np
import numpy.typing as npt
import pytest

import blokus_fast as bf
from blokus_fast.search import NETWORK, BatchMCTS, Leaves, RootRule, SelfPlay

VARIANTS = tuple(bf.VARIANTS)


def knows_nothing(leaves: Leaves, players: int) -> tuple[npt.NDArray, npt.NDArray]:
    """Return the evaluation of a network that knows nothing."""
    return np.ones(len(leaves.ids)), np.full((len(leaves), players), 1 / players)


def by_score(leaves: Leaves) -> tuple[npt.NDArray, npt.NDArray]:
    """Return an evaluation by the scores so far, and logits by the piece."""
    scores = leaves.boards.scores().astype(float)
    values = np.exp(scores / 10)
    values /= values.sum(axis=1, keepdims=True)
    return (leaves.ids % 1000) / 500, values


def run(trees: BatchMCTS, most: int = 64) -> int:
    total = 0
    while leaves := trees.collect(most):
        assert len(leaves) <= most
        total += len(leaves)
        priors, values = by_score(leaves)
        trees.apply(priors, values, logits=True)
    return total


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
    run(trees, 1)
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
    assert run(trees) >= 400
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
    run(other, 16)
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
    run(trees)
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
    assert run(trees) == 1
    scores = after.player_scores()
    won = 0.5 if scores[0] == scores[1] else float(scores[0] > scores[1])
    assert trees.table(0)["values"][0].tolist() == [won, 1 - won]
    # More would change nothing: it is proven.
    assert trees.simulations[0] == 1


def test_memory_is_bounded() -> None:
    trees = BatchMCTS("duo", 2, seed=1, memory=2**18)
    trees.set_all(simulations=2000)
    run(trees)
    assert trees.simulations.tolist() == [2000, 2000]
    small = BatchMCTS("software-challenge-2027", 1, memory=2**14)
    small.set_all(simulations=5)
    leaves = small.collect(1)
    with pytest.raises(ValueError, match="memory is too small"):
        small.apply(*knows_nothing(leaves, 2))
    assert len(small.collect(1)) == 0


# -- noise, Gumbel -----------------------------------------------------------------------------


def test_noise_mixes_into_the_priors_of_the_root() -> None:
    def priors(noise: float, seed: int) -> npt.NDArray:
        trees = BatchMCTS("duo", 1, seed=seed, root=RootRule(noise=noise))
        trees.set_all(simulations=50)
        run(trees, 1)
        table = trees.table(0)
        return table["priors"][np.argsort(table["moves"])]

    plain = priors(0, 1)
    noisy = priors(0.25, 1)
    assert not np.allclose(plain, noisy)
    assert math.isclose(noisy.sum(), 1, rel_tol=1e-4)
    # It can only take a quarter away.
    assert (noisy >= 0.75 * plain - 1e-7).all()
    assert np.array_equal(noisy, priors(0.25, 1))
    assert not np.array_equal(noisy, priors(0.25, 2))
    # Alpha of -10 over some hundred moves is sparse: few moves get most of it.
    added = (noisy - 0.75 * plain) / 0.25
    assert np.sort(added)[::-1][:40].sum() > 0.8


def test_dirichlet_noise_has_the_right_mean_and_variance() -> None:
    rule = RootRule(noise=1.0, noise_alpha=0.3)
    trees = BatchMCTS("duo", 400, seed=5, root=rule)
    trees.set_all(simulations=1)
    leaves = trees.collect(400)
    trees.apply(np.ones(len(leaves.ids)), np.full((400, 2), 0.5))
    drawn = np.array([trees.table(tree)["priors"] for tree in range(400)])
    n = drawn.shape[1]
    assert np.allclose(drawn.sum(axis=1), 1, atol=1e-4)
    mean, variance = 1 / n, (1 / n) * (1 - 1 / n) / (0.3 * n + 1)
    assert abs(drawn.mean() - mean) < 1e-6
    # Over 165,600 draws, heavy tails and all.
    assert abs(drawn.var() / variance - 1) < 0.1


@pytest.mark.parametrize("considered", [1, 2, 5, 16])
@pytest.mark.parametrize("simulations", [1, 7, 32, 100])
def test_sequential_halving(considered: int, simulations: int) -> None:
    """The visits are those that the schedule of the paper says."""
    trees = BatchMCTS("duo", 1, seed=3, root=RootRule(considered=considered))
    trees.set_all(simulations=simulations)
    run(trees, 1)
    table = trees.table(0)
    visits = sorted((v for v in table["visits"].tolist() if v), reverse=True)
    assert visits == sorted((v for v in schedule(considered, simulations) if v), reverse=True)
    assert table["visits"][table["moves"] == trees.move(0)] == max(visits)
    assert math.isclose(table["policy"].sum(), 1, rel_tol=1e-4)
    assert (table["policy"] > 0).sum() > considered


def schedule(considered: int, simulations: int) -> list[int]:
    """Return how often each of the considered moves is visited, the best ones first."""
    visits = [0] * considered
    rounds = math.ceil(math.log2(considered)) if considered > 1 else 1
    left, alive = simulations, considered
    while left > 0:
        each = max(1, simulations // (rounds * alive)) if considered > 1 else left
        for _ in range(each):
            for move in range(alive):
                if left > 0:
                    visits[move] += 1
                    left -= 1
        alive = max(2, alive // 2) if considered > 1 else 1
    return visits


def test_gumbel_draws_by_the_priors() -> None:
    """Without values, one move considered is a draw from the priors."""
    rule = RootRule(considered=1)
    trees = BatchMCTS("duo", 3000, seed=7, root=rule)
    trees.set_all(simulations=1)
    leaves = trees.collect(3000)
    n = int(leaves.offsets[1])
    priors = np.zeros((3000, n))
    priors[:, 3], priors[:, 10], priors[:, 50] = 0.5, 0.3, 0.2
    trees.apply(priors.ravel(), np.full((3000, 2), 0.5))
    leaves = trees.collect(3000)
    trees.apply(*knows_nothing(leaves, 2))
    moves = trees.moves()
    ids = bf.Board("duo").legal_ids()
    counts = [int((moves == ids[k]).sum()) for k in (3, 10, 50)]
    assert sum(counts) == 3000
    for count, share in zip(counts, (0.5, 0.3, 0.2), strict=True):
        assert abs(count / 3000 - share) < 0.04


def test_the_improved_policy_prefers_what_has_more_value() -> None:
    trees = BatchMCTS("duo", 1, seed=1, root=RootRule(considered=8))
    trees.set_all(simulations=64)
    first = True
    while leaves := trees.collect(1):
        # Whatever the first of the listed moves leads to is good for player 0.
        values = np.full((1, 2), 0.5)
        if not first:
            good = bool(leaves.boards[0].own_squares(0)[0] % 2)
            values = np.array([[0.9, 0.1]]) if good else np.array([[0.1, 0.9]])
        first = False
        trees.apply(np.ones(len(leaves.ids)), values)
    table = trees.table(0)
    seen = table["visits"] > 0
    values, policy = table["values"][seen, 0], table["policy"][seen]
    assert values.max() > values.min()
    assert policy[values.argmax()] > policy[values.argmin()]


# -- self-play -----------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["duo", "classic", "classic-3p", "draft-2p"])
@pytest.mark.parametrize("considered", [0, 4])
def test_games_play_themselves(variant: str, considered: int) -> None:
    play = SelfPlay(variant, 6, simulations=3, seed=1, root=RootRule(considered=considered))
    n = play.variant.players
    while play.n_finished < 6:
        leaves = play.collect(6)
        play.apply(*knows_nothing(leaves, n))
    played = play.take()
    assert play.n_finished == played.n_games >= 6
    assert len(play.take()) == 0
    ids, offsets = played.boards.legal_ids()
    for game in np.unique(played.games):
        rows = np.flatnonzero(played.games == game)
        board = bf.Board(variant)
        assert played.boards[int(rows[0])] == board
        for row, following in zip(rows, [*rows[1:], None], strict=True):
            part = slice(played.offsets[row], played.offsets[row + 1])
            legal = ids[offsets[row] : offsets[row + 1]]
            assert set(played.actions[part].tolist()) <= set(legal.tolist())
            assert math.isclose(played.policy[part].sum(), 1, rel_tol=1e-4)
            # The next position is one move further.
            here = played.boards[int(row)]
            if following is not None:
                after = played.boards[int(following)]
                assert after.ply == here.ply + 1
                assert any(is_next(here, int(move), after) for move in legal)
            else:
                assert any(is_end(here, int(move), played.scores[row]) for move in legal)
        assert np.allclose(played.outcomes[rows].sum(axis=1), 1)
        assert (played.scores[rows] == played.scores[rows[0]]).all()
        best = played.scores[rows[0]] == played.scores[rows[0]].max()
        assert np.allclose(played.outcomes[rows[0]], best / best.sum())
    dense = played.dense_policy()
    assert dense.shape == (len(played), played.boards.n_actions)
    assert np.allclose(dense.sum(axis=1), 1, atol=1e-4)


def is_next(board: bf.Board, move: int, after: bf.Board) -> bool:
    board.push(move)
    same = board == after
    board.pop()
    return same


def is_end(board: bf.Board, move: int, scores: npt.NDArray) -> bool:
    board.push(move)
    same = board.is_game_over and list(board.player_scores()) == scores.tolist()
    board.pop()
    return same


def test_a_seed_decides_all_games() -> None:
    def games(seed: int) -> npt.NDArray:
        play = SelfPlay("duo", 4, simulations=4, seed=seed)
        while play.n_finished < 4:
            play.apply(*knows_nothing(play.collect(4), 2))
        return play.take().boards.keys()

    assert np.array_equal(games(1), games(1))
    assert not np.array_equal(games(1), games(2))


def test_moves_are_drawn_only_at_the_beginning() -> None:
    def first_games(drawn: int, plies: int = 0) -> int:
        play = SelfPlay("duo", 8, simulations=30, seed=1, drawn_plies=drawn, random_plies=plies)
        while play.n_finished < 8:
            play.apply(*knows_nothing(play.collect(8), 2))
        played = play.take()
        at_four = [played.boards.keys()[i] for i in range(len(played)) if played.boards.ply[i] == 4]
        return len(set(np.array(at_four).tolist()))

    assert first_games(0) == 1
    assert first_games(10) > 4
    assert first_games(0, plies=3) > 3


def test_games_without_room_say_so() -> None:
    play = SelfPlay("duo", 2, simulations=4, memory=2**13, seed=1)
    with pytest.raises(ValueError, match="memory is too small"):
        play.apply(*knows_nothing(play.collect(8), 2))
    with pytest.raises(ValueError, match="memory is too small"):
        play.collect(8)


def test_priors_that_noise_takes_away_are_no_harm() -> None:
    root = RootRule(noise=1.0, noise_alpha=1e-6)
    options = {"unvisited_root": True, "unvisited_visits": 0.0, "exploration": 0.0}
    play = SelfPlay(
        "duo", 3, simulations=50, seed=2, random_plies=100, root=root, exploration_growth=0.0,
        **options,
    )  # fmt: skip
    while play.n_finished < 6:
        play.apply(*knows_nothing(play.collect(32), 2))


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
    assert run(trees) > 0


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


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"noise": 1.5}, "noise must be in 0..1, not 1.5"),
        ({"noise_alpha": 0}, "noise_alpha must be"),
        ({"noise": math.nan}, "not nan"),
        ({"considered": 65}, "considered must be in 0..64"),
    ],
    ids=str,
)
def test_bad_root_rules(arguments: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        RootRule(**arguments)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"simulations": 0}, "simulations must be in"),
        ({"drawn_plies": -1}, "drawn_plies must be in"),
        ({"random_plies": 101}, "random_plies must be in 0..100"),
        ({"temperature": 0}, "temperature must be in"),
        ({"temperature": math.nan}, "not nan"),
    ],
    ids=str,
)
def test_bad_self_play(arguments: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        SelfPlay("duo", 2, **arguments)


def test_parameters_are_those_of_networks() -> None:
    assert BatchMCTS("duo", 1).parameters == NETWORK
    assert BatchMCTS("duo", 1, exploration=2.0).parameters.exploration == 2.0
