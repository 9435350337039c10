"""Clocks, timers, and how much of a clock a move gets: whole games in simulated time."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.bots import Clock, Timer, seconds_for
from blokus_fast.bots.budget import LAG, MOST, moves_to_come, pieces_placed

SECONDS = st.floats(0, 1e6)


class Time:
    """Time that passes when somebody says so."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_clocks_count_down() -> None:
    assert Clock.game(10).after(4).after(5) == Clock.game(1)
    assert Clock.game(10, 2).after(4) == Clock.game(8, 2)
    assert Clock.game(3, 2).after(4) == Clock.game(2, 2)
    assert Clock.per_move(3).after(4) == Clock.per_move(3)
    assert Clock().after(1e9) == Clock()
    assert [clock.is_limited for clock in (Clock(), Clock.game(0), Clock.per_move(1))] == [
        False, True, True,
    ]  # fmt: skip


def test_periods_follow_main_time() -> None:
    clock = Clock.periods(10, 20, 3)
    assert clock.limit == 30
    clock = clock.after(8)
    assert (clock.remaining, clock.moves_left, clock.limit) == (2, None, 22)
    clock = clock.after(5)  # 3 of them in the period
    assert (clock.remaining, clock.moves_left, clock.limit) == (17, 2, 17)
    clock = clock.after(4)
    assert (clock.remaining, clock.moves_left) == (13, 1)
    # The next period is a new one, whatever was left of this.
    assert clock.after(0) == Clock.periods(0, 20, 3)
    one = Clock.periods(0, 5, 1)
    assert one.after(4.9) == one
    assert Clock.periods(1, 5, 1).after(2) == one


def test_what_a_controller_tells() -> None:
    clock = Clock.periods(60, 20, 3)
    assert clock.within(30, 0) == Clock.periods(30, 20, 3)
    assert clock.within(7, 2).after(1) == Clock(None, 6, 0.0, 1, 20, 3)
    # Of somebody who never said what periods there are.
    assert Clock().within(7, 2).after(1).after(1) == Clock.periods(0, 7, 2)
    assert Clock.per_move(3).within(50, 0) == Clock.game(50)


@given(SECONDS, SECONDS, SECONDS)
def test_no_clock_goes_below_zero(seconds: float, other: float, used: float) -> None:
    for clock in (Clock.game(seconds, other), Clock.periods(seconds, other, 2)):
        after = clock.after(used)
        assert after.remaining is not None
        assert 0 <= after.remaining <= seconds + other
        assert clock.allows(clock.limit or 0.0)
        assert not clock.allows(math.nextafter((clock.limit or 0.0) * 1.001 + 1, math.inf))


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (lambda: Clock.game(-1), "remaining must be a number of seconds from 0, not -1"),
        (lambda: Clock.game(math.nan), "not nan"),
        (lambda: Clock.game(math.inf), "not inf"),
        (lambda: Clock.game("5"), "not '5'"),
        (lambda: Clock.game(10**400), "remaining must be"),
        (lambda: Clock.game(1, -1), "increment must be"),
        (lambda: Clock.per_move(None).after(None), "seconds must be"),
        (lambda: Clock(move_seconds=1, remaining=1), "not both"),
        (lambda: Clock(increment=1), "go with remaining"),
        (lambda: Clock(None, 1, 1.0, None, 1.0, 1), "not both"),
        (lambda: Clock.periods(1, 1, -1), "at least one move"),
        (lambda: Clock.periods(1, 1, 1).within(1, -1), "at least one move"),
        (lambda: Clock(remaining=1, moves_left=1), "moves_left goes with periods"),
        (lambda: Clock.game(1).after(-1), "seconds must be"),
    ],
)
def test_clocks_that_cannot_be(work: Callable[[], Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        work()


def test_clocks_are_values() -> None:
    assert {Clock.game(1), Clock.game(np.float32(1))} == {Clock.game(1.0)}
    with pytest.raises(FrozenInstanceError):
        Clock.game(1).remaining = 5  # type: ignore[misc]


def test_a_timer_measures() -> None:
    now = Time()
    timer = Timer(Clock.game(10, 1), now=now)
    for taken, left in ((3.0, 8.0), (8.0, 1.0)):
        timer.start()
        assert timer.running
        now.seconds += taken
        assert timer.stop() == taken
        assert timer.clock == Clock.game(left, 1)
        assert not timer.is_over
    timer.start()
    now.seconds += 1.5
    timer.stop()
    assert timer.is_over
    timer.start()
    now.seconds -= 5
    assert timer.stop() == 0
    # Time that was over stays over.
    assert timer.is_over
    assert (timer.used, timer.moves) == (12.5, 4)
    with pytest.raises(RuntimeError, match="does not run"):
        timer.stop()
    timer.start()
    with pytest.raises(RuntimeError, match="runs already"):
        timer.start()


def test_a_timer_of_its_own_has_real_time() -> None:
    timer = Timer(Clock.per_move(60))
    timer.start()
    assert 0 <= timer.stop() < 60


# What a move may take beyond what it was given.
LATE = st.sampled_from([0.0, LAG / 2, 0.999 * LAG])


def played(
    variant: str, clock: Clock, late: Callable[[], float], seed: int = 1
) -> list[tuple[int, float]]:
    """Play a game in simulated time; return player and given seconds of every move.

    Nobody may overstep his clock as long as a move takes at most `LAG` more than it was given.
    """
    now = Time()
    board = bf.Board(variant)
    rng = random.Random(seed)
    timers = [Timer(clock, now=now) for _ in range(board.n_players)]
    given = []
    while not board.is_game_over:
        timer = timers[board.player]
        seconds = seconds_for(timer.clock, board)
        assert seconds is not None
        assert seconds >= 0
        given.append((board.player, seconds))
        timer.start()
        now.seconds += seconds + late()
        timer.stop()
        assert not timer.is_over, (len(given), timer.clock)
        ids = board.legal_ids()
        board.push(int(ids[rng.randrange(len(ids))]))
    return given


CLOCKS = [
    Clock.game(60),
    Clock.game(600),
    # Just enough for the moves of a game, each of which is late.
    Clock.game(42 * LAG + 0.001),
    Clock.game(5, 1),
    Clock.game(LAG, 0.2),
    Clock.game(0.1, LAG),
    Clock.game(1, 30),
    Clock.periods(30, 10, 5),
    Clock.periods(0, 10, 5),
    Clock.periods(0, 1, 1),
    Clock.periods(0.2, 3, 25),
    Clock.periods(600, 1, 1),
    Clock.per_move(1),
    Clock.per_move(0.6),
]


@pytest.mark.parametrize("clock", CLOCKS, ids=str)
@pytest.mark.parametrize("variant", ["duo", "classic-2p", "classic-3p", "software-challenge-2027"])
def test_no_clock_is_overstepped(variant: str, clock: Clock) -> None:
    rng = random.Random(3)
    if variant == "software-challenge-2027" and clock.remaining == 42 * LAG + 0.001:
        clock = Clock.game(50 * LAG + 0.001)  # a pass is a move
    played(variant, clock, lambda: 0.999 * LAG)
    played(variant, clock, lambda: rng.choice([0.0, LAG * rng.random()]))


@pytest.mark.parametrize("variant", ["draft", "draft-2p", "junior", "classic"])
def test_no_clock_is_overstepped_elsewhere(variant: str) -> None:
    for clock in (Clock.game(20), Clock.game(2, 0.5), Clock.periods(1, 5, 3)):
        played(variant, clock, lambda: 0.999 * LAG)


@given(st.floats(0, 100), st.floats(0, 10), st.integers(0, 40), LATE)
def test_one_move_never_oversteps(left: float, more: float, ply: int, late: float) -> None:
    board = bf.Board("duo")
    rng = random.Random(2)
    for _ in range(min(ply, 20)):
        board.push(int(rng.choice(board.legal_ids())))
    for clock in (Clock.game(left, more), Clock.periods(left, more, 3)):
        seconds = seconds_for(clock, board)
        assert seconds is not None
        assert seconds == 0 or clock.allows(seconds + late)
        assert seconds <= MOST * (clock.limit or 0.0)


def test_without_time_there_is_no_thought() -> None:
    board = bf.Board("duo")
    assert seconds_for(Clock.game(0), board) == 0
    assert seconds_for(Clock.game(LAG), board) == 0
    assert seconds_for(Clock.per_move(0), board) == 0
    assert seconds_for(Clock.periods(0, 0, 1), board) == 0
    # The increment comes after the move.
    assert seconds_for(Clock.game(0, 60), board) == 0
    assert seconds_for(Clock(), board) is None


def test_more_time_early_and_most_of_it_used() -> None:
    for variant, games in (("duo", 1), ("classic-2p", 1), ("classic", 1)):
        for player in range(bf.variant(variant).players):
            seconds = [
                given for mover, given in played(variant, Clock.game(300), lambda: 0.0)
                if mover == player
            ]  # fmt: skip
            third = len(seconds) // 3
            assert sum(seconds[:third]) > 1.3 * sum(seconds[third : 2 * third])
            assert 0.7 * 300 < sum(seconds) < 300 * games


def test_increments_are_used_too() -> None:
    """With an increment of a second, moves are given a second and more."""
    seconds = [given for mover, given in played("duo", Clock.game(10, 1), lambda: 0.0) if not mover]
    assert min(seconds) > 0.9
    assert seconds[0] > 1.5


def test_periods_are_used_too() -> None:
    seconds = [
        given for mover, given in played("duo", Clock.periods(0, 10, 5), lambda: 0.0) if not mover
    ]
    # The last move of a period has what is left of it.
    assert sum(seconds[:5]) > 8
    assert min(seconds) > 1
    main = seconds_for(Clock.periods(0.5, 10, 5), bf.Board("duo"))
    assert main is not None
    assert main > 1.5


def test_moves_to_come_is_a_bound() -> None:
    for variant in bf.VARIANTS:
        board = bf.Board(variant)
        rng = random.Random(5)
        bounds: list[tuple[int, int]] = []
        while not board.is_game_over:
            bounds.append((board.player, moves_to_come(board)))
            board.push(int(rng.choice(board.legal_ids())))
        for place, (player, bound) in enumerate(bounds):
            left = sum(mover == player for mover, _ in bounds[place:])
            assert left <= bound, (variant, place)
            assert bound >= 1


def test_pieces_are_counted() -> None:
    for variant in ("duo", "draft", "classic-3p"):
        board = bf.Board(variant)
        while not board.is_game_over:
            covered = sum(len(board.own_squares(color)) for color in range(board.n_colors))
            pieces = pieces_placed(board)
            assert pieces <= covered <= 5 * pieces
            if not variant.startswith("draft"):
                assert pieces == board.ply
            board.push(bots.make("greedy", seed=1).choose(board))
