"""What is special at the root of a search: noise in the priors, and Gumbel's rule."""

import math

import numpy as np
import numpy.typing as npt
import pytest
from search_tools import knows_nothing, played, run_trees, same

import blokus_fast as bf
from blokus_fast.search import MCTS, BatchMCTS, RootRule, SearchResult


def by_move(result: SearchResult) -> np.ndarray:
    return result.priors[np.argsort(result.moves)]


@pytest.mark.parametrize("variant", ["duo", "classic-3p", "draft-2p"])
def test_noise_mixes_into_the_priors_of_every_root(variant: str) -> None:
    board = played(variant, 4)
    plain = MCTS(variant, seed=1)
    noisy = MCTS(variant, seed=1, root=RootRule(noise=0.25))
    other = MCTS(variant, seed=2, root=RootRule(noise=0.25))
    # The second time the tree is there already, and has to get noise of its own.
    for _ in range(2):
        results = [mcts.search(board, simulations=100) for mcts in (plain, noisy, other)]
        before, after, others = map(by_move, results)
        assert math.isclose(after.sum(), 1, rel_tol=1e-4)
        assert not np.allclose(before, after)
        assert not np.allclose(after, others)
        # A quarter is all that it can take away.
        assert (after >= 0.75 * before - 1e-6).all()
        board.push(results[1].move)


def test_noise_is_at_the_root_only_and_the_same_again() -> None:
    board, rule = played("duo", 4), RootRule(noise=1.0, noise_alpha=0.5)
    one, again = (MCTS("duo", seed=3, root=rule) for _ in range(2))
    assert same(one.search(board, simulations=500), again.search(board, simulations=500))
    # Below it the search decides as ever: two searches that begin below find the same.
    quiet = MCTS("duo", seed=3).search(board, simulations=500)
    assert not same(one.result, quiet)


def test_noise_mixes_into_the_priors_of_the_root() -> None:
    def priors(noise: float, seed: int) -> npt.NDArray:
        trees = BatchMCTS("duo", 1, seed=seed, root=RootRule(noise=noise))
        trees.set_all(simulations=50)
        run_trees(trees, 1)
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
    run_trees(trees, 1)
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
