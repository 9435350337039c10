"""Bots for the tests of the arena: they play the first legal move, and do something else at times.

Workers' processes import them by the name of this module.
"""

import contextlib
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


class Interrupts(First):
    def third(self, board):
        raise KeyboardInterrupt


class Cancels(First):
    def third(self, board):
        import asyncio

        raise asyncio.CancelledError


class CannotSay(First):
    """Raises an error, and returns a move, that cannot be shown."""

    def third(self, board):
        class MuteError(Exception):
            def __str__(self):
                raise ValueError

        raise MuteError


class BadIndex(First):
    def third(self, board):
        class Mute:
            def __index__(self):
                raise ValueError

            def __repr__(self):
                raise ValueError

        return Mute()


class Huge(First):
    def third(self, board):
        return 10**5000


class Escapes(First):
    def third(self, board):
        raise ValueError("\x1b]0;title\x07\x1b[2J\ud800" + "x" * 10**6)


class Forks(First):
    """Answers twice: the copy of its process goes on like the process itself."""

    def third(self, board):
        os.fork()
        return int(board.legal_ids()[0])


class LeavesCopy(First):
    """Leaves a copy of its process behind, which holds on to everything."""

    def third(self, board):
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
        os._exit(7)


class WritesAnswers(First):
    """Writes nonsense wherever an answer may go."""

    def third(self, board):
        for descriptor in range(3, 30):
            with contextlib.suppress(OSError):
                os.write(descriptor, b"c1\nno_such_module\nx\n.")
        # It is ended as soon as that is read.
        time.sleep(5)
        return int(board.legal_ids()[0])


class WritesNotes(First):
    def third(self, board):
        from blokus_fast.executors.child import notes

        notes().begin([17, 10**9, -5])
        os._exit(1)


class KillsItself(First):
    def third(self, board):
        os.kill(os.getpid(), signal.SIGKILL)


class Close(First):
    """Does something when it is closed, at the end of a game that it may have won."""

    def end(self):
        raise OSError

    def close(self):
        self.end()


class CloseExits(Close):
    def end(self):
        if self.moves > 5:
            os._exit(1)


class CloseHangs(Close):
    def end(self):
        if self.moves > 5:
            time.sleep(600)


class CloseInterrupts(Close):
    def end(self):
        raise KeyboardInterrupt


class HangsWhenForgotten(First):
    def __del__(self):
        if self.moves > 5:
            time.sleep(600)
