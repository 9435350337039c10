"""Write a bot of your own, and let it play against the shipped ones.

Run it with ``python examples/own_bot.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

import blokus_fast as bf
from blokus_fast import bots


class CrowdingBot:
    """Plays large pieces where they take the most corner squares away from the others."""

    name = "crowding"

    def choose(self, board: bf.Board) -> int:
        """Return the id of a legal move; the board is left as it is."""
        features = bf.move_features(board)
        taken = features.corners_taken.sum(axis=1)
        value = 4 * features.squares + 2 * taken + features.corners_gained
        return int(features.ids[value.argmax()])


def play(seats: Sequence[bots.Bot]) -> bf.Game:
    """Play a game of Duo; seats are in the order of the players."""
    game = bf.Game("duo", names=[bot.name for bot in seats])
    while not game.is_over:
        game.play(seats[game.board.player].choose(game.board))
    return game


def main() -> None:
    """Play both sides against each shipped bot, ten times."""
    mine = CrowdingBot()
    for name in bots.BOTS:
        wins = 0.0
        for seed in range(10):
            other = bots.make(name, seed=seed)
            for seats in ((mine, other), (other, mine)):
                game = play(seats)
                if seats.index(mine) in game.winners:
                    wins += 1 / len(game.winners)
        print(f"{mine.name} against {name}: {wins:g} of 20")


if __name__ == "__main__":
    main()
