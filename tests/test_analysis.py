"""Analyses: what is told of a search, what a move is said to have lost, JSON, interruptions."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.analysis import (
    GameAnalysis,
    PositionAnalysis,
    Thresholds,
    analyze,
    analyze_game,
    describe_move,
    describe_result,
)
from blokus_fast.search import MCTS


def played(variant: str, plies: int, seed: int = 1) -> bf.Game:
    """Return the beginning of a random game."""
    rng = np.random.default_rng(seed)
    game = bf.Game(variant)
    while not game.is_over and len(game.moves) < plies:
        game.play(int(rng.choice(game.board.legal_ids())))
    return game


# -- positions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "plies"), [("duo", 10), ("classic", 25), ("draft", 3), ("draft", 90)]
)
def test_rows_are_those_of_the_search(variant: str, plies: int) -> None:
    board = played(variant, plies).board
    mcts = MCTS(variant, seed=3)
    result = mcts.search(board, simulations=300)
    found = describe_result(mcts, board, result, 4)
    assert found.best.move == result.move
    assert len(found.moves) == min(4, board.count_legal())
    for row in found.moves:
        place = result.moves.tolist().index(row.move)
        assert row.visits == result.visits[place]
        assert row.share == pytest.approx(result.share[place], abs=1e-5)
        assert row.squares == tuple(board.move(row.move).squares)
        assert board.parse_move(row.text) == row.move
        if row.value is not None and row.score is not None:
            assert row.value == pytest.approx(result.values[place].tolist(), abs=1e-3)
            assert row.score == pytest.approx(result.scores[place].tolist(), abs=1e-3)
    assert bf.parse_position(found.position) == board
    assert (found.player, found.turn, found.legal) == (
        board.player, board.turn, board.count_legal(),
    )  # fmt: skip


def test_lines_can_be_played_and_the_first_is_the_principal_variation() -> None:
    board = played("duo", 12).board
    mcts = MCTS("duo", seed=3)
    result = mcts.search(board, simulations=3000)
    found = describe_result(mcts, board, result, 5)
    assert list(found.best.pv) == result.pv[:8]
    assert len(found.moves[1].pv) > 1
    for row in found.moves:
        line = board.copy()
        assert row.pv[0] == row.move
        assert len(row.line) == len(row.pv)
        for action, words in zip(row.pv, row.line, strict=True):
            move = line.move(action)
            name = line.variant.color_names[line.turn]
            assert words == f"{name} {move.piece} {line.move_text(action)}"
            line.push(action)
    with pytest.raises(ValueError, match="move 1000000 is no move of the position"):
        mcts.line(10**6)


def test_heat_is_the_share_of_visits_that_cover_a_square() -> None:
    board = played("duo", 6).board
    mcts = MCTS("duo", seed=1)
    result = mcts.search(board, simulations=500)
    found = describe_result(mcts, board, result, 3)
    for square in range(196):
        expected = sum(
            visits
            for move, visits in zip(result.moves.tolist(), result.visits.tolist(), strict=True)
            if visits and square in board.move(move).squares
        ) / int(result.visits.sum())
        assert found.heat[square] == pytest.approx(expected, abs=2e-4)
    grid = board.grid().ravel()
    assert all(grid[square] == -1 for square in np.flatnonzero(found.heat))


def test_moves_without_visits_have_no_value() -> None:
    board = bf.Board("duo")
    mcts = MCTS("duo", seed=1)
    result = mcts.search(board, simulations=5)
    row = describe_move(mcts, board, result, int(result.moves[-1]))
    assert row is not None
    assert (row.visits, row.value, row.score, row.pv) == (0, None, None, (row.move,))
    assert describe_move(mcts, board, result, 10**6) is None
    json.dumps(row.to_json(), allow_nan=False)


def test_progress_is_told_as_data() -> None:
    seen: list[PositionAnalysis] = []
    found = analyze(
        bf.Board("duo"), seconds=0.2, moves=2, seed=1,
        on_progress=seen.append, progress_every=0.02,
    )  # fmt: skip
    assert seen
    assert all(one.stopped == "running" and len(one.moves) == 2 for one in seen)
    assert [one.simulations for one in seen] == sorted(one.simulations for one in seen)
    assert found.simulations >= seen[-1].simulations
    assert found.stopped == "time"


def test_an_analysis_does_not_stop_when_the_best_move_is_clear() -> None:
    board = played("duo", 20).board
    assert analyze(board, simulations=2000, seed=1).simulations in (2000, 1)


def test_a_search_that_is_given_is_used() -> None:
    mcts = MCTS("duo", seed=1)
    analyze(bf.Board("duo"), simulations=100, mcts=mcts)
    assert analyze(bf.Board("duo"), simulations=100, mcts=mcts).reused == 100
    with pytest.raises(ValueError, match="seed"):
        analyze(bf.Board("duo"), simulations=1, mcts=mcts, seed=1)
    with pytest.raises(ValueError, match="seed"):
        analyze_game(bf.Game("duo"), simulations=1, mcts=mcts, seed=1)


# -- games -------------------------------------------------------------------------------------


def test_a_whole_game() -> None:
    game = played("duo", 1000, seed=4)
    found = analyze_game(game, simulations=120, seed=1, moves=3)
    assert found.complete
    assert [ply.ply for ply in found.plies] == list(range(len(game.moves) + 1))
    assert [p.played.move for p in found.plies if p.played] == [move.id for move in game.moves]
    assert [ply.player for ply in found.plies[:-1]] == list(game.movers)
    end = found.plies[-1]
    assert (end.over, end.found, end.played, end.player) == (True, None, None, -1)
    assert end.score == game.scores
    assert max(range(2), key=lambda player: end.value[player]) in game.winners
    for ply, behind in zip(found.plies, found.plies[1:], strict=False):
        assert ply.found is not None
        assert ply.played is not None
        assert ply.loss is not None
        best = ply.found.best
        assert ply.mark == found.thresholds.mark(ply.loss)
        if ply.played.move == best.move:
            assert (ply.loss, ply.played_from) == (0, "search")
            continue
        assert ply.played.value is not None
        assert best.value is not None
        if ply.played_from in ("next", "end"):
            assert ply.played.value == behind.value
            assert ply.played.score == behind.score
        else:
            assert ply.played.proven or ply.played.visits >= 50
        expected = max(0.0, best.value[ply.player] - ply.played.value[ply.player])
        assert ply.loss == pytest.approx(expected, abs=1e-3)
    # A random game has moves of all kinds, and most were hardly looked at.
    assert {ply.played_from for ply in found.plies} >= {"search", "next"}
    assert {ply.mark for ply in found.plies} >= {"", "blunder"}
    for row in found.summary():
        own = [p for p in found.plies if p.found and found.names[p.player] == row["name"]]
        assert row["moves"] == len(own)
        assert row["blunder"] == sum(p.mark == "blunder" for p in own)
        assert row["loss"] == pytest.approx(np.mean([p.loss for p in own]), abs=1e-3)


def test_the_value_of_a_move_with_many_visits_is_that_of_its_own_search() -> None:
    game = played("duo", 8)
    best = MCTS("duo", seed=5).search(game.board, simulations=400)
    second = int(best.moves[1])
    game.play(second)
    few = analyze_game(game, simulations=400, seed=5, least_visits=10**6)
    many = analyze_game(game, simulations=400, seed=5, least_visits=1)
    assert (many.plies[8].played_from, few.plies[8].played_from) == ("search", "next")
    assert many.plies[8].played is not None
    assert few.plies[8].played is not None
    assert few.plies[8].played.value == few.plies[9].value != many.plies[8].played.value


def test_the_tree_is_kept_from_move_to_move() -> None:
    game = played("duo", 6)
    # With the same seed, so that the next analysis finds the same until there.
    for _ in range(2):
        last = analyze_game(game, simulations=500, seed=1).plies[-1].found
        assert last is not None
        game.play(last.best.move)
    found = analyze_game(game, simulations=500, seed=1).plies
    for before, after in pairwise(found[6:9]):
        assert before.found is not None
        assert after.found is not None
        # The visit that made the position is none of those that it has had.
        assert after.found.reused >= 0.9 * before.found.best.visits - 2 > 10


@pytest.mark.parametrize("variant", ["junior", "classic-3p", "draft", "software-challenge-2027"])
def test_games_of_other_variants(variant: str) -> None:
    game = played(variant, 12)
    found = analyze_game(game, simulations=20, seed=1)
    assert len(found.plies) == 13
    assert GameAnalysis.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_records_with_remarks_variations_and_set_ups() -> None:
    record = bf.Record("duo")
    node = record.root.add_line(["e10", "j5"])
    node.add("f11,g11")
    record.root.add("e10,f10")
    board = bf.set_up("duo", {"purple": ["e10"], "orange": ["j5,j6"]})
    node.variations[0].add_set_up(board).add("f9,g9")
    found = analyze_game(record, simulations=60, seed=1)
    assert [(ply.place, ply.played and ply.played.text) for ply in found.plies] == [
        (0, "e10"), (1, "j5"), (2, "f11,g11"), (4, "f9,g9"), (5, None),
    ]  # fmt: skip
    # The position behind the third move is none of the game's: it was searched for the move.
    third = found.plies[2]
    assert third.loss is not None
    if third.played_from == "next":
        assert third.played is not None
        assert third.played.value != found.plies[3].value


def test_thresholds() -> None:
    assert [Thresholds().mark(loss) for loss in (0, 0.049, 0.05, 0.1, 0.2, 1)] == [
        "", "", "inaccuracy", "mistake", "blunder", "blunder",
    ]  # fmt: skip
    for wrong in ((0.2, 0.1, 0.3), (0, 0.1, 0.2), (0.1, 0.2, 1.1)):
        with pytest.raises(ValueError, match="must rise"):
            Thresholds(*wrong)
    game = played("duo", 6)
    strict = analyze_game(game, simulations=50, seed=1, thresholds=Thresholds(1e-4, 1e-4, 1e-4))
    assert {p.mark for p in strict.plies if p.loss} == {"blunder"}


def test_json_keeps_everything_and_has_a_version() -> None:
    found = analyze_game(played("duo", 5), simulations=40, seed=1)
    data = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert GameAnalysis.from_json(data) == found
    assert (data["format"], data["version"]) == ("blokus-fast analysis", 1)
    for change, words in (
        ({"version": 2}, "version 2"),
        ({"format": "x"}, "format is 'x'"),
        ({"plies": [{}]}, "no analysis"),
    ):
        with pytest.raises(ValueError, match=words):
            GameAnalysis.from_json({**data, **change})
    position = found.plies[0].found
    assert position is not None
    with pytest.raises(ValueError, match="no analysis of a position"):
        PositionAnalysis.from_json({"moves": []})


def test_what_is_finished_stays_when_it_is_interrupted() -> None:
    game = played("duo", 8)
    seen: list[tuple[int, int]] = []

    def stop(so_far: GameAnalysis, total: int) -> None:
        seen.append((len(so_far.plies), total))
        if len(so_far.plies) == 3:
            raise KeyboardInterrupt

    found = analyze_game(game, simulations=30, seed=1, on_progress=stop, on_interrupt="return")
    assert seen == [(1, 9), (2, 9), (3, 9)]
    assert (found.complete, len(found.plies)) == (False, 3)
    assert found.plies[0].loss is not None
    assert GameAnalysis.from_json(found.to_json()) == found
    with pytest.raises(KeyboardInterrupt):
        analyze_game(game, simulations=30, seed=1, on_progress=stop)
    with pytest.raises(ValueError, match="on_interrupt"):
        analyze_game(game, simulations=30, on_interrupt="x")


def test_ctrl_c_within_a_search_leaves_whole_positions() -> None:
    game = played("duo", 4)

    def interrupt(so_far: GameAnalysis, _total: int) -> None:
        if len(so_far.plies) == 2:
            signal.setitimer(signal.ITIMER_REAL, 0.05)

    def as_ctrl_c(*_: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGALRM, as_ctrl_c)
    try:
        found = analyze_game(
            game, seconds=0.3, seed=1, on_progress=interrupt, on_interrupt="return"
        )
    finally:
        signal.signal(signal.SIGALRM, before)
    assert (found.complete, len(found.plies)) == (False, 2)


def test_values_are_chances() -> None:
    assert MCTS("duo").values_of([10, 0])[0] > 0.99
    found = analyze_game(played("classic", 1000, seed=2), simulations=20, seed=1)
    for ply in found.plies:
        assert sum(ply.value) == pytest.approx(1, abs=0.02)
    assert max(found.plies[-1].value) > 0.49


def test_what_an_end_is_worth() -> None:
    mcts = MCTS("duo", margin=0)
    assert mcts.values_of([3, 3]) == [0.5, 0.5]
    assert MCTS("duo", scoring="reverse", margin=0).values_of([3, 5]) == [1, 0]
    with pytest.raises(ValueError, match="2 integers of 32 bits, one for each player, not"):
        mcts.values_of([1, 2, 3])


def test_analyses_can_be_changed_only_as_copies() -> None:
    found = analyze(bf.Board("duo"), simulations=10, seed=1)
    assert replace(found, simulations=3).simulations == 3
    with pytest.raises(AttributeError):
        found.simulations = 3  # type: ignore[misc]
