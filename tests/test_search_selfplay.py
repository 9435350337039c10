"""Games that play themselves, with priors and values from outside."""

import math

import numpy as np
import numpy.typing as npt
import pytest
from search_tools import knows_nothing

import blokus_fast as bf
from blokus_fast.search import RootRule, SelfPlay


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
