"""How well the search plays: beside `greedy`, and with two threads beside one."""

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.search import MCTS


def win(board: bf.Board, player: int) -> float:
    """Return the share of the win of a player."""
    scores = board.player_scores()
    return (scores[player] == max(scores)) / scores.count(max(scores))


def against_greedy(variant: str, games: int, simulations: int) -> float:
    """Return the games won, alone against as many `greedy` as there are other seats."""
    won = 0.0
    for number in range(games):
        mcts, greedy = MCTS(variant, seed=number), bots.make("greedy", seed=number)
        board = bf.Board(variant)
        seat = number % board.n_players
        while not board.is_game_over:
            if board.player == seat:
                board.push(mcts.search(board, simulations=simulations).move)
            else:
                board.push(greedy.choose(board))
        won += win(board, seat)
    return won


@pytest.mark.parametrize(("variant", "least"), [("duo", 5), ("classic-2p", 5), ("classic", 4)])
def test_beats_greedy(variant: str, least: int) -> None:
    assert against_greedy(variant, 6, 300) >= least


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "least"), [("duo", 95), ("classic-2p", 95), ("classic", 60)])
def test_a_thousand_simulations_beat_greedy(variant: str, least: int) -> None:
    assert against_greedy(variant, 100, 1000) >= least


@pytest.mark.slow
def test_two_threads_are_no_weaker_than_one() -> None:
    won = 0.0
    for number in range(200):
        players = [MCTS("duo", seed=number, threads=2), MCTS("duo", seed=number + 1000)]
        rng = np.random.default_rng(number // 2)
        board = bf.Board("duo")
        for _ in range(2):
            board.push(int(rng.choice(board.legal_ids())))
        while not board.is_game_over:
            mcts = players[board.player if number % 2 == 0 else 1 - board.player]
            board.push(mcts.search(board, simulations=1000).move)
        won += win(board, number % 2)
    # Below 43 % in less than one of 40 runs, if both are the same.
    assert won >= 86
