"""Bots for the tests of the arena: they play the first legal move, and do something else at times.

Workers' processes import them by the name of this module.
"""

import os
import signal
import sys
import time


class First:
    """Plays the first legal move."""

    def __init__(self, seed=None):
        self.moves = 0

    def choose(self, board):
        self.moves += 1
        if self.moves == 3:
            return self.third(board)
        return int(board.legal_ids()[0])

    def third(self, board):
        return int(board.legal_ids()[0])


class Raises(First):
    def third(self, board):
        raise KeyError("out of [bold]ideas[/bold]")


class Sleeps(First):
    def third(self, board):
        time.sleep(600)


class Loops(First):
    def third(self, board):
        while True:
            pass


class Illegal(First):
    def third(self, board):
        legal = set(board.legal_ids().tolist())
        return next(number for number in range(1000) if number not in legal)


class Text(First):
    def third(self, board):
        return "e10"


class Crashes(First):
    def third(self, board):
        os.kill(os.getpid(), signal.SIGSEGV)


class Exits(First):
    def third(self, board):
        print("good", "bye", file=sys.stderr, flush=True)
        os._exit(7)


class Quits(First):
    def third(self, board):
        raise SystemExit(3)


class Late(First):
    def third(self, board):
        time.sleep(0.6)
        return int(board.legal_ids()[0])


class Spoils(First):
    """Plays on the board that it was given."""

    def choose(self, board):
        move = int(board.legal_ids()[0])
        while not board.is_game_over:
            board.push(int(board.legal_ids()[0]))
        return move


class Pops(First):
    def choose(self, board):
        move = int(board.legal_ids()[0])
        while board.move_stack:
            board.pop()
        return move


class Chatters(First):
    """Writes where a worker's process writes its answers."""

    def choose(self, board):
        print("thinking" * 1000)
        os.write(1, b"\x00\xff" * 5000)
        return int(board.legal_ids()[0])


class Unmakeable:
    def __init__(self, seed=None):
        raise OSError("no weights")

    def choose(self, board):
        return 0


class OnlyClassic(First):
    def start(self, variant):
        if variant.name != "classic":
            raise ValueError("I play Classic only")


class CrashesInStart(First):
    def start(self, variant):
        os.kill(os.getpid(), signal.SIGSEGV)


class Slow(First):
    """Takes 50 ms a move, so that somebody can get at it."""

    def choose(self, board):
        time.sleep(0.05)
        return int(board.legal_ids()[0])


class Drawn:
    """A bot with its own random numbers."""

    def __init__(self, seed=None):
        import random

        self.random = random.Random(seed)

    def choose(self, board):
        return int(self.random.choice(board.legal_ids()))
