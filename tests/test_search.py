"""The tree search: what it finds, again with the same seed, with parts switched; bad input."""

import json
import math

import numpy as np
import pytest
from search_tools import played, same

import blokus_fast as bf
from blokus_fast import _core
from blokus_fast.search import MCTS, Parameters, RootRule
from blokus_fast.variants import Variant

VARIANTS = tuple(bf.VARIANTS)
IN_USE = bf.cpu_info()["kernel"]


# -- results -----------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_results_are_whole_in_every_variant(variant: str) -> None:
    for plies in (0, 7, 30, 200):
        board = played(variant, plies)
        if board.is_game_over:
            continue
        before = board.copy()
        result = MCTS(variant, seed=3).search(board, simulations=150, early_stop=False)
        assert board == before
        assert sorted(result.moves.tolist()) == board.legal_ids().tolist()
        if len(result.moves) == 1:
            assert result.stopped == "only move"
            continue
        if result.stopped != "solved":
            assert result.simulations == 150
        assert int(result.visits.sum()) == result.simulations
        assert result.visits.tolist() == sorted(result.visits.tolist(), reverse=True)
        assert board.is_legal(result.move)
        assert math.isclose(float(result.priors.sum()), 1, rel_tol=1e-4)
        seen = result.visits > 0
        assert (np.isnan(result.values).any(axis=1) == ~seen).all()
        assert ((result.values[seen] >= 0) & (result.values[seen] <= 1)).all()
        # Shares of a win add up to 1, and so do values with a margin of two players.
        if board.n_players == 2:
            assert np.allclose(result.values[seen].sum(axis=1), 1, atol=1e-4)
        assert result.player == board.player
        assert result.turn == board.turn
        # The principal variation can be played.
        for move in result.pv:
            board.push(move)
        assert result.depth >= len(result.pv) - 1 or result.solved


def test_the_values_of_the_root_are_those_of_its_moves() -> None:
    board = bf.Board("classic-3p")
    result = MCTS("classic-3p", seed=1).search(board, simulations=3000)
    weights = result.visits[result.visits > 0]
    values = result.values[result.visits > 0]
    assert np.allclose(
        (weights[:, None] * values).sum(axis=0) / weights.sum(), result.value, atol=1e-4
    )
    scores = result.scores[result.visits > 0]
    assert np.allclose(
        (weights[:, None] * scores).sum(axis=0) / weights.sum(), result.score, atol=1e-2
    )


@pytest.mark.parametrize("variant", ["duo", "classic", "classic-2p", "draft-3p"])
def test_every_player_goes_for_his_own_value(variant: str) -> None:
    """Whoever is to move, what is visited most is better for him than what is visited less."""
    board = bf.Board(variant)
    while board.is_drafting:
        board.push(int(board.legal_ids()[0]))
    seen = set()
    for _ in range(2 * board.n_colors):
        # Less sure of its prior, so that it looks at several moves.
        mcts = MCTS(variant, seed=1, prior_temperature=4.0)
        result = mcts.search(board, simulations=4000, early_stop=False)
        values = result.values[result.visits > 20, result.player]
        assert len(values) > 1
        assert values[0] > values.mean()
        seen.add(result.player)
        board.push(result.move)
    assert seen == set(range(board.n_players))


def test_a_move_that_wins_at_once_is_found() -> None:
    """On a tiny board: whoever places the long piece has won."""
    tiny = Variant("tiny", 5, ("a", "b"), (("a5",), ("e1",)), pieces=(("1", "I5", "2"),) * 2)
    result = MCTS(tiny, seed=1).search(bf.Board(tiny), simulations=4000)
    board = bf.Board(tiny)
    assert board.move(result.move).piece == "I5"


def test_table_and_share() -> None:
    result = MCTS("duo", seed=1).search(bf.Board("duo"), simulations=300, early_stop=False)
    rows = result.table(4)
    assert len(rows) == 4
    assert rows[0]["move"] == result.move
    assert [row["visits"] for row in rows] == result.visits[:4].tolist()
    assert math.isclose(float(result.share.sum()), 1, rel_tol=1e-5)
    assert len(result.table(10**6)) == len(result.moves)
    assert result.table(0) == []
    assert "300 simulations" in repr(result)


@pytest.mark.parametrize("variant", ["duo", "classic", "classic-3p"])
def test_moves_without_a_visit_have_no_numbers(variant: str) -> None:
    """Where the tree was kept as well, in which few moves were visited before."""
    mcts, board = MCTS(variant, seed=1), bf.Board(variant)
    for number in range(3):
        result = mcts.search(board, simulations=1 if number == 2 else 1500)
        board.push(result.move)
    assert result.reused > 0
    never = result.visits == 0
    assert 0 < never.sum() < len(never)
    assert np.isnan(result.values[never]).all()
    assert np.isnan(result.scores[never]).all()
    assert not np.isnan(result.values[~never, result.player]).any()
    rows = result.table(len(never))
    assert [row["value"] is None for row in rows] == never.tolist()
    assert all(row["score"] is None for row in rows if not row["visits"])
    # Plain data are JSON: it knows no NaN.
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows


# -- the same again ----------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["duo", "classic", "draft-3p", "software-challenge-2027"])
def test_a_seed_decides(variant: str) -> None:
    board = played(variant, 9)
    one = MCTS(variant, seed=5).search(board, simulations=800)
    again = MCTS(variant, seed=5).search(board, simulations=800)
    other = MCTS(variant, seed=6).search(board, simulations=800)
    assert same(one, again)
    assert not same(one, other)


@pytest.mark.parametrize("variant", ["duo", "classic-2p", "junior", "software-challenge-2027"])
def test_every_kernel_finds_the_same(variant: str) -> None:
    board = played(variant, 8)
    results = {}
    try:
        for kernel in bf.cpu_info()["supported"]:
            _core._use_kernel(kernel)
            results[kernel] = MCTS(variant, seed=2).search(board, simulations=400)
    finally:
        _core._use_kernel(IN_USE)
    first = results.pop("portable")
    assert all(same(first, other) for other in results.values())


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_is_cleared_with_a_seed_is_a_new_one(threads: int) -> None:
    board = played("duo", 6)
    rule = RootRule(noise=0.25)
    new = MCTS("duo", seed=7, root=rule, threads=threads)
    used = MCTS("duo", seed=1, root=rule, threads=threads)
    for plies in (0, 10, 20):
        used.search(played("duo", plies), simulations=300)
    used.clear(seed=7)
    assert used.seed == 7
    if threads > 1:
        # Threads meet by chance: it plays, and that is all that can be said.
        assert used.search(board, simulations=300).reused == 0
        return
    for simulations in (300, 200):
        assert same(
            new.search(board, simulations=simulations), used.search(board, simulations=simulations)
        )
    # Without a seed only the tree is forgotten.
    used.clear()
    assert not same(
        new.search(played("duo", 0), simulations=99), used.search(board, simulations=99)
    )


# -- parts that can be switched ----------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"replies": False},
        {"local": False},
        {"largest_first": False},
        {"candidates": 0},
        {"candidates": 1},
        {"candidate_logits": 0.0},
        {"expand_visits": 5},
        {"unvisited_root": False},
        {"unvisited_visits": 0.0},
        {"exploration": 2.0},
        {"margin": 1.0},
        {"margin_scale": 1.0},
        {"prior_temperature": 3.0},
    ],
    ids=str,
)
def test_parameters_matter(change: dict[str, float]) -> None:
    board = played("duo", 6)
    usual = MCTS("duo", seed=1).search(board, simulations=600)
    other = MCTS("duo", seed=1, **change).search(board, simulations=600)
    assert not same(usual, other)
    assert board.is_legal(other.move)


def test_reverse_is_played_to_lose() -> None:
    """The lowest score wins: values follow the other sign."""
    board = bf.Board("duo", scoring="reverse")
    mcts = MCTS("duo", scoring="reverse", seed=1)
    with pytest.raises(ValueError, match="this search is for duo"):
        mcts.search(bf.Board("duo"), simulations=10)
    totals = [0, 0]
    for seat in (0, 1, 0, 1):
        board = bf.Board("duo", scoring="reverse")
        rng = np.random.default_rng(len(totals) + totals[0])
        while not board.is_game_over:
            move = int(rng.choice(board.legal_ids()))
            if board.player == seat:
                move = mcts.search(board, simulations=1000).move
            board.push(move)
        scores = board.player_scores()
        totals[0] += scores[seat]
        totals[1] += scores[1 - seat]
    assert totals[0] < totals[1]


def test_a_voluntary_pass_is_a_move_like_any_other() -> None:
    board = played("software-challenge-2027", 8)
    assert board.legal_ids()[-1] == board.n_moves
    result = MCTS("software-challenge-2027", seed=1).search(board, simulations=2000)
    passing = result.moves == board.n_moves
    assert passing.sum() == 1
    # Nothing is gained by it here, and the search knows.
    assert result.move != board.n_moves


# -- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, ValueError, "how long"),
        ({"simulations": 0}, ValueError, "simulations must be in 1..2147483647, not 0"),
        ({"simulations": -5}, ValueError, "not -5"),
        ({"simulations": 2**40}, ValueError, "not 1099511627776"),
        ({"simulations": 1.5}, TypeError, "float"),
        ({"seconds": "1"}, TypeError, "seconds must be a number, not '1'"),
        ({"seconds": True}, TypeError, "seconds must be a number, not True"),
        ({"seconds": -1}, ValueError, "seconds must be 0 or more, not -1"),
        ({"seconds": math.nan}, ValueError, "not nan"),
        (
            {"simulations": 5, "progress_every": 0},
            ValueError,
            "progress_every must be a positive .*, not 0",
        ),
        ({"simulations": 5, "on_interrupt": "ignore"}, ValueError, "not 'ignore'"),
    ],
    ids=str,
)
def test_bad_limits(arguments: dict[str, float], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        MCTS("duo", seed=1).search(bf.Board("duo"), **arguments)


def test_bad_boards() -> None:
    mcts = MCTS("duo", seed=1)
    with pytest.raises(TypeError, match="board must be a Board, not Game"):
        mcts.search(bf.Game("duo"), simulations=1)
    with pytest.raises(ValueError, match="this search is for duo"):
        mcts.search(bf.Board("classic"), simulations=1)
    over = played("duo", 500)
    assert over.is_game_over
    with pytest.raises(ValueError, match="the game is over"):
        mcts.search(over, simulations=1)
    # An infinite time ends by other means.
    assert mcts.search(bf.Board("duo"), simulations=5, seconds=math.inf).simulations == 5


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"threads": 0}, ValueError, "threads must be in 1..1024, not 0"),
        ({"threads": 5000}, ValueError, "not 5000"),
        ({"memory": 1000}, ValueError, "memory must be in"),
        ({"weights": "strong"}, TypeError, "weights must be a Weights, not str"),
        ({"parameters": {}}, TypeError, "parameters must be a Parameters, not dict"),
        ({"exploration": -1.0}, ValueError, "exploration must be in 0..1000000000, not -1"),
        ({"exploration": math.nan}, ValueError, "not nan"),
        ({"candidates": 1.5}, TypeError, "candidates must be an integer, not 1.5"),
        ({"replies": 1}, TypeError, "replies must be True or False, not 1"),
        ({"margin": "big"}, TypeError, "margin must be a number, not 'big'"),
        ({"speed": 1}, TypeError, "speed"),
        ({"root": {}}, TypeError, "root must be a RootRule, not dict"),
        ({"root": RootRule(considered=4)}, ValueError, "considered must be 0, not 4"),
    ],
    ids=str,
)
def test_bad_arguments(arguments: dict[str, object], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        MCTS("duo", **arguments)


def test_parameters_take_numbers_of_any_library() -> None:
    parameters = Parameters(exploration=np.float32(0.5), candidates=np.int64(7))
    assert parameters == Parameters(exploration=0.5, candidates=7)
    assert isinstance(parameters.exploration, float)
    assert isinstance(parameters.candidates, int)
