"""Play a game of Duo by chance, and show the final board, the skips and the scores.

Run it with ``python examples/random_game.py [SEED]``.
"""

from __future__ import annotations

import sys

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.render import board_text


def main() -> None:
    """Play and report one game."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    bot = bots.make("random", seed=seed)
    game = bf.Game("duo", names=["Ann", "Bob"])
    while not game.is_over:
        game.play(bot.choose(game.board))

    print(board_text(game.board))
    skips = [entry for entry in game.history if isinstance(entry, bf.Skip)]
    print(f"\n{len(game.moves)} moves, {len(skips)} turns skipped")
    for name, score, place in zip(game.names, game.scores, game.ranking, strict=True):
        print(f"{place}. {name}: {score}")


if __name__ == "__main__":
    main()
