"""Exact ends of games: against a search that tries everything, by push and pop; and the edges."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from pressing import ctrl_c_after

import blokus_fast as bf
from blokus_fast.scoring import ScoringRule, scoring_rule
from blokus_fast.search import Solution, solve
from blokus_fast.variants import draft, software_challenge_2027, three_players

Scores = tuple[int, ...]

ODD = ScoringRule("odd", placed=-2, left=1, all_placed=7, monomino_last=-9)
NEVER_LAST = ScoringRule("never last", left=-1, all_placed=15, monomino_last=-5)
LOWEST_BONUS = ScoringRule("bonus", left=-1, all_placed=9, monomino_last=4, lowest_wins=True)
SMALL = bf.Variant(
    "small", 7, ["red", "blue", "green"], [["a7"], ["g7"], ["g1"]], owners=[0, 1, 0],
    order=[2, 0, 1], pieces=[["1", "2", "I3", "V3", "O"]] * 3,
    playable=["......."] * 6 + ["##....."],
)  # fmt: skip
PASSES = bf.Variant(
    "passes", 6, ["red", "blue"], [["a6"], ["f1"]], pieces=[["1", "1", "2", "V3"]] * 2,
    voluntary_pass=True, max_rounds=7,
)  # fmt: skip
SHORT = bf.Variant(
    "short", 4, ["red", "blue"], [["a4"], ["d1"]], pieces=[["1", "2"]] * 2, voluntary_pass=True,
    max_rounds=4,
)  # fmt: skip
ROOM = bf.Variant(
    "room", 4, ["red", "blue"], [["a4", "c4"], ["d1", "b2"]], pieces=[["1", "V3"], ["1", "2"]]
)
SHIPPED = {
    "duo": bf.variant("duo"),
    "junior": bf.variant("junior", scoring="net"),
    "classic-2p": bf.variant("classic-2p"),
    "classic": bf.variant("classic"),
    "classic-3p": bf.variant("classic-3p"),
    "classic-3p-red": three_players("red"),
    "software-challenge-2027": software_challenge_2027("W"),
    "draft-2p": draft(2),
    "draft-3p": draft(3),
    "draft": draft(4),
}
LOWEST_WINS = {
    "duo-reverse": bf.variant("duo", scoring="reverse"),
    "classic-reverse": bf.variant("classic", scoring="reverse"),
    "small-lowest": bf.variant(SMALL, scoring=LOWEST_BONUS),
    "short-lowest": bf.variant(SHORT, scoring=LOWEST_BONUS),
    "short-reverse": bf.variant(SHORT, scoring="reverse"),
    "passes-lowest": bf.variant(PASSES, scoring=LOWEST_BONUS),
}
OWN = {
    "duo-odd": bf.variant("duo", start="border", scoring=ODD),
    "software-challenge-12": software_challenge_2027(max_rounds=12),
    "small": SMALL,
    "passes": PASSES,
    "passes-odd": bf.variant(PASSES, scoring=ODD),
    "room": ROOM,
    "room-never-last": bf.variant(ROOM, scoring=NEVER_LAST),
    "small-never-last": bf.variant(SMALL, scoring=NEVER_LAST),
    "short": SHORT,
    "short-odd": bf.variant(SHORT, scoring=ODD),
}
VARIANTS = SHIPPED | LOWEST_WINS | OWN


# -- the search that tries everything -----------------------------------------------------------


class TooMuch(Exception):  # noqa: N818 - no error
    """There is more to look at than is allowed."""


class Plain:
    """Looks at every line to the end, up to a number of positions."""

    def __init__(self, board: bf.Board, most: int) -> None:
        self.board = board.copy()
        self.most = most
        self.players = board.n_players
        self.sign = -1 if scoring_rule(board.variant.scoring).lowest_wins else 1

    def aim(self, scores: Scores, player: int) -> int:
        """Return what a player wants most of."""
        other = scores[1 - player] if self.players == 2 else 0
        return self.sign * (scores[player] - other)

    def outcomes(self) -> tuple[set[Scores], bool]:
        """Return what may come of best play, and whether it is one thing everywhere.

        There are several outcomes where somebody has no reason to choose between moves.
        """
        board = self.board
        self.most -= 1
        if self.most < 0:
            raise TooMuch
        if board.is_game_over:
            return {board.player_scores()}, True
        me, found, certain, everywhere = board.player, set(), -math.inf, True
        for action in board.legal_ids().tolist():
            board.push(action)
            outcomes, single = self.outcomes()
            board.pop()
            everywhere &= single
            found |= outcomes
            certain = max(certain, min(self.aim(scores, me) for scores in outcomes))
        found = {scores for scores in found if self.aim(scores, me) >= certain}
        if self.players <= 2:
            found = {min(found)}
        return found, everywhere and len(found) == 1


def random_ends(variant: bf.Variant, seed: int, most: int) -> Iterator[tuple[bf.Board, Plain]]:
    """Yield the ends of a random game, from the last on, as far as the plain search comes."""
    rng = random.Random(seed)
    board = bf.Board(variant)
    while not board.is_game_over:
        ids = board.legal_ids().tolist()
        # Large pieces have high ids: with them, boards are full at the end.
        keen = seed % 2 and rng.random() < 0.8 and not board.is_drafting
        board.push(rng.choice(ids[-1 - len(ids) // 8 :] if keen else ids))
    while not board.is_drafting:
        yield board.copy(), Plain(board, most)
        if not board.move_stack:
            return
        board.pop()


def check_solution(board: bf.Board, solution: Solution) -> None:
    """See that a solution is a line that can be played and ends as it says."""
    played = board.copy()
    for action in solution.pv:
        played.push(action)
    assert played.is_game_over
    assert played.player_scores() == solution.scores
    assert solution.move == (solution.pv[0] if solution.pv else None)
    lowest = scoring_rule(board.variant.scoring).lowest_wins
    wins = [score == (min if lowest else max)(solution.scores) for score in solution.scores]
    assert solution.value == tuple(win / sum(wins) for win in wins)


def compare(variant: bf.Variant, seed: int, most: int) -> tuple[int, int]:
    """Compare the ends of a game; return how many, and how many of them were solved."""
    compared = solved = 0
    for board, plain in random_ends(variant, seed, most):
        before = board.copy()
        try:
            expected, everywhere = plain.outcomes()
        except TooMuch:
            break
        solution = solve(board)
        compared += 1
        assert board == before
        assert board.move_stack == before.move_stack
        if solution is None:
            assert not everywhere
            assert board.n_players > 2
            continue
        solved += 1
        check_solution(board, solution)
        assert len(expected) == 1
        (scores,) = expected
        assert plain.aim(solution.scores, 0) == plain.aim(scores, 0)
        assert board.n_players == 2 or solution.scores == scores
    return compared, solved


def compare_games(name: str, seeds: range, most: int) -> None:
    """Compare the ends of games; see that they are many, and solved where that is possible."""
    counts = [compare(VARIANTS[name], seed, most) for seed in seeds]
    compared, solved = (sum(count) for count in zip(*counts, strict=True))
    print(f"{name}: {compared} ends, {solved} solved")
    assert compared >= 2.5 * len(seeds)
    assert solved >= 0.4 * compared


@pytest.mark.parametrize("name", SHIPPED)
def test_ends_are_those_of_a_search_that_tries_everything(name: str) -> None:
    compare_games(name, range(25), 1500)


@pytest.mark.parametrize("name", LOWEST_WINS)
def test_ends_where_the_lowest_score_wins(name: str) -> None:
    compare_games(name, range(25), 1500)


@pytest.mark.parametrize("name", OWN)
def test_ends_by_rules_of_the_users(name: str) -> None:
    compare_games(name, range(25), 1500)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_many_ends_are_those_of_a_search_that_tries_everything(name: str) -> None:
    compare_games(name, range(25, 75), 20000)


# -- what a solution says ------------------------------------------------------------------------


@cache
def late_duo() -> bf.Board:
    """Return a position of Duo that is solved in some ten thousand nodes."""
    board = bf.Board("duo")
    while board.ply < 20:
        board.push(board.legal_ids()[board.count_legal() // 2])
    return board


def hard_duo() -> bf.Board:
    """Return a position of Duo that nobody solves."""
    board = late_duo().copy()
    while board.ply > 11:
        board.pop()
    return board


def test_a_line_is_best_play_at_every_step() -> None:
    """Whatever is solved from a position on the line has the same result."""
    board = late_duo().copy()
    solution = solve(board)
    assert solution is not None
    assert solution.nodes > 1000
    for n, action in enumerate(solution.pv):
        after = solve(board)
        assert after is not None
        assert after.scores[0] - after.scores[1] == solution.scores[0] - solution.scores[1]
        assert len(after.pv) >= 1
        for other in board.legal_ids().tolist():
            mine = board.player
            child = board.copy()
            child.push(other)
            result = solve(child)
            assert result is not None
            gained = result.scores[mine] - result.scores[1 - mine]
            assert gained <= solution.scores[mine] - solution.scores[1 - mine]
        board.push(action)
        assert n < 30
    assert board.is_game_over


def test_the_end_of_a_game_has_its_scores() -> None:
    for name, variant in VARIANTS.items():
        board, _ = next(random_ends(variant, 1, 0))
        solution = solve(board, nodes=1)
        assert solution is not None, name
        assert (solution.move, solution.pv, solution.nodes) == (None, (), 0)
        assert solution.scores == board.player_scores()
        check_solution(board, solution)


def test_shared_wins() -> None:
    tiny = bf.Variant("t", 3, list("abc"), [["a3"], ["c3"], ["c1"]], pieces=[["1"], ["1"], ["2"]])
    solution = solve(bf.Board(tiny, scoring="placed"))
    assert solution is not None
    assert solution.scores == (1, 1, 2)
    assert solution.value == (0, 0, 1)
    solution = solve(bf.Board(tiny, scoring="reverse"))
    assert solution is not None
    assert [Fraction(share) for share in solution.value] == [Fraction(1, 2), Fraction(1, 2), 0]


def test_the_monomino_is_kept_for_the_end() -> None:
    """A color alone: five points more for the monomino last, where there is room for it."""
    alone = bf.Variant("alone", 5, ["red"], [["a5"]], pieces=[["1", "2", "V3", "L4", "P"]])
    solution = solve(bf.Board(alone))
    assert solution is not None
    assert solution.scores == (20,)
    assert bf.Board(alone).move(solution.pv[-1]).piece == "1"
    solution = solve(bf.Board(alone, scoring=NEVER_LAST))
    assert solution is not None
    assert solution.scores == (15,)
    assert bf.Board(alone).move(solution.pv[-1]).piece != "1"


def test_whoever_wants_little_must_still_place() -> None:
    """By the reverse rule, he places as little as he is let, and passes where he may."""
    alone = bf.Variant(
        "alone", 5, ["red"], [["a5"]], pieces=[["1", "2", "I3"]], scoring="reverse", max_rounds=3
    )
    solution = solve(bf.Board(alone))
    assert solution is not None
    # The monomino would leave room for more: the trominoes in a corner do not.
    assert solution.scores == (min(end_scores(bf.Board(alone))),)
    passing = bf.Variant(
        "alone", 5, ["red"], [["a5"]], pieces=[["1", "2", "I3"]], scoring="reverse", max_rounds=3,
        voluntary_pass=True,
    )  # fmt: skip
    solution = solve(bf.Board(passing))
    assert solution is not None
    assert solution.scores == (1,)
    assert solution.pv[1:] == (bf.Board(passing).n_moves,) * 2


def end_scores(board: bf.Board) -> set[int]:
    if board.is_game_over:
        return {board.player_scores()[0]}
    found = set()
    for action in board.legal_ids().tolist():
        board.push(action)
        found |= end_scores(board)
        board.pop()
    return found


# -- what is not solved --------------------------------------------------------------------------


def test_beginnings_are_not_solved() -> None:
    for name in bf.VARIANTS:
        assert solve(bf.Board(name), nodes=2000) is None


def test_picking_is_not_solved() -> None:
    tiny = bf.Variant(
        "t", 3, ["a", "b"], [["a3"], ["c1"]], players=2, pieces=[["1"]] * 2, draft=True
    )
    board = bf.Board(tiny)
    assert solve(board) is None
    while board.is_drafting:
        board.push(board.legal_ids()[0])
    assert solve(board) is not None


def test_passing_without_end_is_not_solved() -> None:
    board = bf.Board(
        bf.Variant("t", 4, ["a", "b"], [["a4"], ["d1"]], pieces=[["1"]] * 2, voluntary_pass=True)
    )
    assert solve(board) is None
    while not board.is_game_over:
        assert solve(board) is None
        board.push(board.legal_ids()[0])
    assert solve(board) is not None


def test_very_many_rounds_with_passes_are_not_solved() -> None:
    """No line may be longer than what there is room for."""
    variant = bf.Variant(
        "t", 4, ["a", "b"], [["a4"], ["d1"]], pieces=[["1", "1"]] * 2, voluntary_pass=True,
        max_rounds=300, scoring="reverse",
    )  # fmt: skip
    assert solve(bf.Board(variant)) is None


def test_ties_that_matter_to_others_are_not_solved() -> None:
    """Red may block blue or green, and gains the same by both."""
    found = 0
    for seed in range(30):
        for board, plain in random_ends(VARIANTS["classic"], seed, 300):
            try:
                expected, _ = plain.outcomes()
            except TooMuch:
                break
            if len(expected) > 1:
                assert solve(board) is None
                found += 1
    assert found > 0


# -- limits --------------------------------------------------------------------------------------


def test_limits_of_nodes_are_kept() -> None:
    board = late_duo()
    solution = solve(board)
    assert solution is not None
    assert 0 < solution.seconds < 60
    assert solve(board, nodes=solution.nodes // 20) is None
    for nodes in (1, 10, 100, 1000):
        small = solve(board, nodes=nodes)
        assert small is None or small.nodes <= nodes


def test_limits_of_time_are_kept() -> None:
    begin = time.monotonic()
    assert solve(hard_duo(), nodes=10**15, seconds=0.1) is None
    assert time.monotonic() - begin < 20
    # An end of a few nodes needs no time.
    for limit in (0, 0.0, np.float32(0), math.inf, 10**400, Fraction(1, 2)):
        assert solve(next(random_ends(SMALL, 1, 0))[0], seconds=limit) is not None


def test_ctrl_c_interrupts() -> None:
    board = hard_duo()
    before = board.copy()
    with pytest.raises(KeyboardInterrupt), ctrl_c_after(0.2):
        solve(board, nodes=10**15)
    assert board == before


def test_threads_do_not_disturb_each_other() -> None:
    board = late_duo()
    alone = solve(board)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: solve(board.copy()), range(8)))
    assert alone is not None
    for solution in found:
        assert solution is not None
        assert (solution.scores, solution.pv) == (alone.scores, alone.pv)


@pytest.mark.parametrize("nodes", [0, -1, -(10**30)])
def test_few_nodes_are_refused(nodes: int) -> None:
    with pytest.raises(ValueError, match=f"nodes must be 1 or more, not {nodes}"):
        solve(late_duo(), nodes=nodes)


@pytest.mark.parametrize("nodes", [1.5, "9", None, math.nan])
def test_nodes_are_an_integer(nodes: object) -> None:
    with pytest.raises(TypeError, match="nodes must be an integer"):
        solve(late_duo(), nodes=nodes)


def test_more_nodes_than_anybody_counts() -> None:
    assert solve(next(random_ends(SMALL, 1, 0))[0], nodes=10**30) is not None


@pytest.mark.parametrize("seconds", [math.nan, -1, -math.inf])
def test_times_are_not_negative(seconds: float) -> None:
    with pytest.raises(ValueError, match="seconds must be 0 or more"):
        solve(late_duo(), seconds=seconds)


@pytest.mark.parametrize("seconds", ["1", b"1", [], object()])
def test_times_are_numbers(seconds: object) -> None:
    with pytest.raises(TypeError, match="seconds must be a number or None"):
        solve(late_duo(), seconds=seconds)


@pytest.mark.parametrize("board", [None, "duo", 3, bf.Game("duo")])
def test_only_boards_are_solved(board: object) -> None:
    with pytest.raises(TypeError, match="board must be a Board"):
        solve(board)
