"""A bot with a deadline: whatever it does, there is a legal move in time."""

from __future__ import annotations

import threading
import time

import pytest

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.contest.thinking import Thinker
from blokus_fast.contest.timing import MoveTime

BOARD = bf.Board(bf.variants.software_challenge_2027("W"))


class Bad:
    """Returns whatever it was made with."""

    name = "bad"

    def __init__(self, answer):
        self.answer = answer

    def choose(self, board):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class Hostile:
    def __index__(self):
        raise KeyError("no number")

    def __repr__(self):
        raise KeyError("no words")


class Hanging:
    """Does not come to an end until it is let go."""

    name = "hanging"

    def __init__(self):
        self.go = threading.Event()
        self.asked = 0

    def choose(self, board):
        self.asked += 1
        self.go.wait()
        return int(board.legal_ids()[0])


class Spinning(Hanging):
    """Hangs, and uses the interpreter all the time."""

    def choose(self, board):
        self.asked += 1
        while not self.go.is_set():
            pass
        return int(board.legal_ids()[0])


def ask(thinker, seconds=5.0, board=BOARD):
    return thinker.choose(board, time.monotonic() + seconds)


@pytest.mark.parametrize("name", ["random", "greedy", "corner", "mcts:sims=20"])
def test_a_bot_is_asked(name):
    with Thinker(bots.make(name, seed=1)) as thinker:
        thinker.begin(BOARD.variant)
        choice = ask(thinker)
    assert choice.problem is None
    assert choice.move == bots.make(name, seed=1).choose(BOARD.copy())


def test_a_move_object_is_an_answer_too():
    move = bf.Move(int(BOARD.legal_ids()[5]))
    with Thinker(Bad(move)) as thinker:
        assert ask(thinker).move == move.id


@pytest.mark.parametrize(
    "answer",
    [
        None, -1, 30_433, 10**30, 0, "a1", 3.5, Hostile(), [1], ValueError("no"),
        SystemExit(3), KeyboardInterrupt(), RecursionError("deep"), MemoryError(),
    ],
    ids=lambda answer: type(answer).__name__,
)  # fmt: skip
def test_nonsense_is_replaced_by_a_legal_move(answer):
    with Thinker(Bad(answer)) as thinker:
        for _ in range(2):
            choice = ask(thinker)
            assert BOARD.is_legal(choice.move)
            assert choice.problem is not None
            assert choice.problem.startswith("bad ")


def test_a_bot_that_plays_on_its_board_harms_nobody():
    class Player:
        def choose(self, board):
            move = int(board.legal_ids()[0])
            board.push(move)
            return move

    board = BOARD.copy()
    with Thinker(Player()) as thinker:
        choice = ask(thinker, board=board)
    assert choice.problem is None
    assert board == BOARD


@pytest.mark.parametrize("kind", [Hanging, Spinning])
def test_a_bot_that_hangs_is_left_alone(kind):
    bot = kind()
    thinker = Thinker(bot)
    try:
        for _ in range(3):
            began = time.monotonic()
            choice = ask(thinker, 0.2)
            assert time.monotonic() - began < 1.5
            assert BOARD.is_legal(choice.move)
            assert choice.problem == "hanging has not answered in time"
        # It is asked again when it is through, and only what is still wanted.
        bot.go.set()
        assert ask(thinker).problem is None
        assert bot.asked == 2
    finally:
        bot.go.set()
        thinker.close()


def test_the_client_ends_although_its_bot_hangs():
    bot = Hanging()
    thinker = Thinker(bot)
    ask(thinker, 0.1)
    began = time.monotonic()
    thinker.close()
    assert time.monotonic() - began < 5
    bot.go.set()


def test_a_bot_that_can_be_stopped_returns_the_best_so_far():
    class Patient(Hanging):
        def stop(self):
            self.go.set()

    with Thinker(Patient()) as thinker:
        assert ask(thinker, 0.3).problem is None
    with Thinker(bots.make("mcts:sims=100000000", seed=1)) as thinker:
        thinker.begin(BOARD.variant)
        began = time.monotonic()
        choice = ask(thinker, 0.5)
    assert choice.problem is None
    assert time.monotonic() - began < 2


def test_a_bot_that_is_a_little_late_is_waited_for():
    class Late:
        name = "late"

        def choose(self, board):
            time.sleep(0.5)
            return int(board.legal_ids()[0])

    with Thinker(Late()) as thinker:
        now = time.monotonic()
        assert "in time" in thinker.choose(BOARD, now + 0.2).problem
        now = time.monotonic()
        assert "in time" in thinker.choose(BOARD, now + 0.1, now + 0.15).problem
        now = time.monotonic()
        assert thinker.choose(BOARD, now + 0.2, now + 5).problem is None


def test_a_stop_that_comes_late_does_not_end_the_next_move():
    stopped = []

    class Slow:
        name = "slow"
        moves = 0

        def choose(self, board):
            self.moves += 1
            time.sleep(0.25)
            return int(board.legal_ids()[0])

        def stop(self):
            time.sleep(0.03)
            stopped.append(self.moves)

    with Thinker(Slow()) as thinker:
        for _ in range(3):
            now = time.monotonic()
            # The stop begins at the last moment, and the next move right after it.
            assert thinker.choose(BOARD, now + 0.28, now + 5).problem is None
            assert thinker.choose(BOARD, now + 10).problem is None
    assert {number % 2 for number in stopped} <= {1}


def test_a_stop_that_fails_or_hangs_costs_nothing():
    class Stubborn(Hanging):
        def stop(self):
            raise RuntimeError("no")

    class Deaf(Hanging):
        def stop(self):
            self.go.wait()

    for kind in (Stubborn, Deaf):
        bot = kind()
        with Thinker(bot) as thinker:
            assert "in time" in ask(thinker, 0.2).problem
            bot.go.set()


def test_the_clock_is_what_is_left_until_the_deadline():
    seen = []

    class Timed:
        def choose(self, board, clock):
            seen.append(clock.move_seconds)
            return int(board.legal_ids()[0])

    with Thinker(Timed()) as thinker:
        ask(thinker, 1.5)
        ask(thinker, -1)
    assert 1.2 < seen[0] <= 1.5
    assert seen[1:] in ([0.001], [])


def test_starting_closing_and_failing_to():
    said = []

    class Careful(Bad):
        def start(self, variant):
            said.append(variant.name)
            if len(said) == 1:
                raise OSError("not yet")

        def close(self):
            said.append("closed")
            raise OSError("not now")

    with Thinker(Careful(int(BOARD.legal_ids()[0]))) as thinker:
        thinker.begin(BOARD.variant)
        assert ask(thinker).problem is None
    assert said == ["software-challenge-2027"] * 2 + ["closed"]


def test_no_thread_before_there_is_something_to_do():
    before = threading.active_count()
    thinker = Thinker(Bad(None))
    assert threading.active_count() == before
    thinker.close()
    with Thinker(Bad(None)) as thinker:
        ask(thinker)
        assert threading.active_count() == before + 1
    assert threading.active_count() == before


def test_what_is_no_bot_is_refused():
    with pytest.raises(TypeError, match="a bot has a method"):
        Thinker(object())


def answer(times, received, late=-1.0, way=0.01):
    """Answer so much later than the deadline, and hear from the server."""
    moment = times.deadline(received) + late
    times.answered(moment)
    times.heard(moment + way)
    times.heard(moment + 0.9)


def test_the_way_is_what_the_last_answers_took():
    times = MoveTime(2.0, margin=0.1)
    times.connected(0.05)
    assert times.deadline(10.0) == pytest.approx(11.75)
    assert times.latest(10.0) == pytest.approx(11.85)
    for number in range(30):
        answer(times, 3 * number, way=0.3 if number == 5 else 0.01)
        if number == 5:
            assert times.way == pytest.approx(0.3)
    assert times.way == pytest.approx(0.01)
    answer(times, 100, way=10.0)
    assert times.way == 0.5


def test_on_a_machine_where_nothing_is_punctual_there_is_less_time():
    times = MoveTime(2.0, margin=0.1)
    assert times.late == 0.1
    for number in range(24):
        answer(times, 3 * number)
    # Answers that came early: nothing is late here.
    assert times.late == 0
    assert times.deadline(100.0) == pytest.approx(101.89)
    assert times.latest(100.0) == pytest.approx(101.94)
    answer(times, 100, late=-0.02)
    assert times.late == pytest.approx(0.03)
    answer(times, 110, late=0.2)
    assert times.late == pytest.approx(0.25)
    assert times.deadline(120.0) == pytest.approx(121.64)
    assert times.latest(120.0) == pytest.approx(121.74)
    for number in range(24):
        answer(times, 130 + 3 * number, late=-0.1)
    assert times.late == 0
    answer(times, 300, late=30.0)
    assert times.late == 0.5
    assert times.deadline(400.0) > 400.5


@pytest.mark.parametrize(("limit", "margin"), [(0, 0.1), (2, 0), (2, 1), (float("nan"), 0.1)])
def test_times_that_make_no_sense(limit, margin):
    with pytest.raises(ValueError, match="must be"):
        MoveTime(limit, margin=margin)
