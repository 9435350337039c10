"""The official Python client at work, as a program: plays the first move that it finds.

Run as ``python official_client.py PORT RESERVATION [BOT]``; with a bot, that is its logic. Its
starter is left out, since that asks the internet for a newer version.
"""

from __future__ import annotations

import sys

import socha
from socha.api.networking.game_client import GameClient, IClientHandler


class First(IClientHandler):
    """A logic as beginners write it."""

    def on_update(self, state: socha.GameState) -> None:
        self.state = state

    def calculate_move(self) -> socha.Move:
        return self.state.possible_moves()[0]


class Telling:
    """Tells what the server says at the end."""

    def on_game_over(self, result: object) -> None:
        print("winner", result.winner.team, result.winner.regular, result.winner.reason)
        for entry in result.scores.entry:
            print("score", entry.player.name, entry.player.team, *entry.score.part)

    def on_error(self, message: str) -> None:
        print("error", message)


def main() -> None:
    port, reservation, *bot = sys.argv[1:]
    if bot:
        from blokus_fast import bots
        from blokus_fast.contest.bridge import BotHandler

        class Logic(Telling, BotHandler):
            pass

        logic = Logic(bots.make(bot[0], seed=1))
    else:

        class Logic(Telling, First):
            pass

        logic = Logic()
    client = GameClient(
        host="127.0.0.1", port=int(port), handler=logic, reservation=reservation, room_id=None,
        password=None, auto_reconnect=False, survive=False, headless=False,
    )  # fmt: skip
    client.join()
    client.start()


if __name__ == "__main__":
    main()
