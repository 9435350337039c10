"""The engine held against positions and games that Pentobi counted and scored."""

from __future__ import annotations

import pytest
from figures import GAME_FILES, PASS, POSITION_FILES, RecordedGame, games, positions, variant_of
from helpers import CLASSIC_3P

import blokus_fast as bf


def rules_of(name: str) -> bf.Variant:
    """Return the variant of a file, with its start rule."""
    variant, start = variant_of(name)
    return bf.variant(CLASSIC_3P if variant == "classic-3p" else variant, start=start)


@pytest.mark.parametrize("name", POSITION_FILES)
def test_legal_moves_of_every_color(name: str) -> None:
    recorded = positions(name)
    assert len(recorded) == 250
    for position in recorded:
        board = bf.Board(rules_of(name))
        for text in position.moves:
            if text != PASS:
                board.push(board.parse_move(text))
        counts = tuple(board.count_legal(color=color) for color in range(board.n_colors))
        assert counts == position.counts
        assert counts == tuple(len(board.legal_ids(color=color)) for color in range(board.n_colors))


def play(name: str, recorded: RecordedGame, scoring: str) -> bf.Game:
    """Play a recorded game; the passes have to come out of the engine by themselves."""
    game = bf.Game(rules_of(name), scoring=scoring)
    for text in recorded.moves:
        if text != PASS:
            game.play(text)
    written = [PASS if isinstance(entry, bf.Skip) else entry.text for entry in game.history]
    assert written == list(recorded.moves)
    assert game.is_over
    assert game.board.is_game_over
    return game


@pytest.mark.parametrize("name", GAME_FILES)
def test_games_end_with_the_recorded_scores(name: str) -> None:
    """Points are squares placed plus bonus: advanced + 89 (Junior: basic + 88)."""
    junior = name == "junior"
    everything = 88 if junior else 89
    for recorded in games(name):
        game = play(name, recorded, "basic" if junior else "advanced")
        assert game.color_scores == tuple(points - everything for points in recorded.points)
        if name.endswith("classic_2"):
            assert game.scores == tuple(p - 2 * everything for p in recorded.player_points)
        else:
            assert game.scores == tuple(p - everything for p in recorded.player_points)


@pytest.mark.parametrize("name", GAME_FILES)
def test_squares_and_bonus_apart(name: str) -> None:
    for recorded in games(name)[:25]:
        placed = play(name, recorded, "placed").color_scores
        basic = play(name, recorded, "basic").color_scores
        squares = [p - b for p, b in zip(recorded.points, recorded.bonus, strict=True)]
        assert list(placed) == squares
        everything = 88 if name == "junior" else 89
        assert list(basic) == [n - everything for n in squares]


@pytest.mark.parametrize("name", GAME_FILES)
def test_the_best_score_wins(name: str) -> None:
    for recorded in games(name)[:25]:
        game = play(name, recorded, "basic" if name == "junior" else "advanced")
        best = max(recorded.player_points)
        winners = [i for i, points in enumerate(recorded.player_points) if points == best]
        assert list(game.winners) == winners


@pytest.mark.parametrize("name", ["classic_3", "bonus_classic_3"])
def test_who_decides_at_every_ply_with_three_players(name: str) -> None:
    for recorded in games(name):
        board = bf.Board(CLASSIC_3P)
        shared_placements = 0
        for text in recorded.moves:
            if text == PASS:
                continue
            if board.turn == 3:
                assert board.player == shared_placements % 3
                shared_placements += 1
            else:
                assert board.player == board.turn
            board.push(board.parse_move(text))
        assert board.is_game_over
