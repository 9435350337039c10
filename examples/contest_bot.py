"""A bot for the Software Challenge Germany 2027: what a move is worth, in five lines.

With the arguments of the official starter it plays on the contest's server:
``python examples/contest_bot.py --host localhost --port 13050 --reservation CODE``.
Without any it plays a game of practice against a bot of the package. docs/contest.md has the rest.
"""

from __future__ import annotations

import sys

import blokus_fast as bf
from blokus_fast import contest


class MyBot:
    """Plays large pieces that open corners for itself and take them from the opponent."""

    name = "my bot"

    def choose(self, board: bf.Board) -> int:
        """Return the id of the best legal placement."""
        moves = bf.move_features(board)
        theirs = [color for color in range(4) if board.variant.owners[color] != board.player]
        value = 3.0 * moves.squares + 0.5 * moves.corners_gained
        value += 0.5 * moves.corners_taken[:, theirs].sum(axis=1) - 0.3 * moves.center_distance
        return int(moves.ids[value.argmax()])


if __name__ == "__main__":
    if sys.argv[1:]:
        contest.run(MyBot)
    else:
        result = contest.practice(MyBot(), "greedy", seed=1)
        print(f"{result.names[0]} {result.scores[0][1]}, {result.names[1]} {result.scores[1][1]}")
