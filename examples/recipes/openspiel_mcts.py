"""The tree search of OpenSpiel plays Duo: with its own random games, or with playouts in C.

``python examples/recipes/openspiel_mcts.py`` plays matches against `random`; docs/recipes.md says
how they ended. Needs the extra ``openspiel``; tried with open_spiel 2.0.2. Our own search is in C
(docs/mcts.md): this shows how to connect another one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    import pyspiel
    from open_spiel.python.algorithms import mcts
except ImportError as error:
    from blokus_fast.extras import install_hint

    sys.exit(f"this recipe needs {error.name}: {install_hint('openspiel')}")

import blokus_fast as bf
import blokus_fast.envs.openspiel  # registers the games
from blokus_fast.moves import PIECE_SIZES
from blokus_fast.moves.tables import move_table


class Playouts(mcts.Evaluator):
    """Values by random games in C, and a prior that puts large pieces first."""

    def __init__(self, games: int = 8, seed: int = 1) -> None:
        self.games = games
        self.random = np.random.default_rng(seed)

    def evaluate(self, state: Any) -> Any:
        """Return what each player gets on average."""
        if state.is_terminal():
            return np.array(state.returns())
        scores = bf.playouts(state.board, self.games, seed=int(self.random.integers(2**31)))
        return np.array(bf.scoring.rewards(scores, "rank")).mean(axis=0)

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Return the actions with their chances."""
        ids = state.board.legal_ids()
        pieces = move_table(state.board.size).info[ids, 0]
        weights = np.exp(np.array(PIECE_SIZES)[pieces].astype(float))
        return list(zip(ids.tolist(), (weights / weights.sum()).tolist(), strict=True))


def main(arguments: Sequence[str] | None = None) -> float:
    """Play, and return the share of games that the search won, draws as half."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", default="blokus_duo")
    parser.add_argument("--simulations", type=int, default=50, help="of a move (%(default)s)")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--own", action="store_true", help="OpenSpiel's random games, no prior")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    game = pyspiel.load_game(chosen.game)
    rng = np.random.RandomState(chosen.seed)
    evaluator = mcts.RandomRolloutEvaluator(1, rng) if chosen.own else Playouts(seed=chosen.seed)
    choice = mcts.SearchNode.uct_value if chosen.own else mcts.SearchNode.puct_value
    bot = mcts.MCTSBot(
        game, 1.5, chosen.simulations, evaluator, random_state=rng, child_selection_fn=choice
    )
    points = seconds = 0.0
    moves = 0
    for number in range(chosen.games):
        seat = number % 2
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() == seat:
                begin = time.perf_counter()
                action = bot.step(state)
                seconds += time.perf_counter() - begin
                moves += 1
            else:
                action = int(rng.choice(state.legal_actions()))
            state.apply_action(action)
        points += (1 + state.returns()[seat]) / 2
    rate = float(points / chosen.games)
    print(
        f"{moves * chosen.simulations / seconds:,.0f} simulations a second; "
        f"wins {rate:.1%} of {chosen.games} games against random"
    )
    return rate


if __name__ == "__main__":
    main()
