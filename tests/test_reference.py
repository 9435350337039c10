"""The slow twin on its own: it has to agree with Pentobi before it may judge the engine."""

from __future__ import annotations

import random
from collections import Counter

import pytest
import reference
from figures import GAME_FILES, PASS, POSITION_FILES, games, positions, variant_of
from reference import RULESETS, DraftPosition, Pick, Position, parse, placement_of

SIZES = {"classic": 20, "duo": 14, "junior": 14}


def replay(ruleset: reference.Ruleset, moves: tuple[str, ...]) -> Position:
    """Play recorded moves, with every move and every pass checked against the twin."""
    position = Position(ruleset)
    passes_due: list[int] = []
    skips_seen = 0
    for ply, text in enumerate(moves):
        new_skips = position.skips[skips_seen:]
        if text == PASS:
            passes_due.append(ply)
            continue
        assert len(passes_due) == len(new_skips)
        passes_due.clear()
        skips_seen = len(position.skips)
        placement = placement_of(parse(text, ruleset.size), ruleset.size)
        assert placement in position.legal()
        position.play(placement)
    return position


def check_game(name: str, game) -> None:
    variant, start = variant_of(name)
    position = replay(RULESETS[variant](start_rule=start), game.moves)
    assert position.is_over
    all_placed = 88 if variant == "junior" else 89
    points = tuple(len(own) + bonus for own, bonus in zip(position.own, game.bonus, strict=True))
    assert points == game.points
    assert position.color_scores == tuple(total - all_placed for total in game.points)
    owners = position.rules.owners
    assert (
        reference.player_totals(game.points, owners, position.rules.players) == game.player_points
    )


def check_position(name: str, recorded) -> None:
    position = replay(RULESETS[name](start_rule="assigned"), recorded.moves)
    counts = tuple(len(position.legal(color)) for color in range(position.rules.colors))
    assert counts == recorded.counts


@pytest.mark.parametrize("name", GAME_FILES)
def test_plays_recorded_games_to_the_recorded_score(name: str) -> None:
    for game in games(name)[:2]:
        check_game(name, game)


@pytest.mark.parametrize("name", POSITION_FILES)
def test_counts_the_recorded_numbers_of_legal_moves(name: str) -> None:
    for recorded in random.Random(name).sample(positions(name), 6):
        check_position(name, recorded)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAME_FILES)
def test_plays_all_recorded_games(name: str) -> None:
    for game in games(name):
        check_game(name, game)


@pytest.mark.slow
@pytest.mark.parametrize("name", POSITION_FILES)
def test_counts_all_recorded_positions(name: str) -> None:
    for recorded in positions(name):
        check_position(name, recorded)


@pytest.mark.parametrize(
    ("ruleset", "first_moves"),
    [
        (reference.classic(), 58),
        (reference.duo(start_rule="assigned"), 414),
        (reference.duo(), 828),
        (reference.junior(), 189),
        (reference.contest("W"), 272),
    ],
    ids=["classic", "duo-assigned", "duo-any", "junior", "contest-W"],
)
def test_first_moves(ruleset: reference.Ruleset, first_moves: int) -> None:
    assert len(Position(ruleset).legal()) == first_moves


def test_perft_two_of_classic() -> None:
    first = Position(reference.classic()).legal()
    total = 0
    for placement in first:
        position = Position(reference.classic())
        position.play(placement)
        total += len(position.legal())
    assert total == 3364


@pytest.mark.parametrize("name", ["classic", "duo", "junior"])
def test_a_placement_is_legal_if_it_breaks_no_rule(name: str) -> None:
    """The list and the letter of the rules are two pieces of code; they have to agree."""
    rng = random.Random(11)
    position = Position(RULESETS[name]())
    for _ in range(rng.randrange(8, 16)):
        position.play(rng.choice(position.legal()))
    for color in range(position.rules.colors):
        legal = set(position.legal(color))
        for placement in rng.sample(reference.placements(SIZES[name]), 1500) + sorted(legal):
            assert (placement in legal) == (not position.broken_rules(color, placement))


def test_shared_color_is_played_in_turn() -> None:
    rng = random.Random(5)
    position = Position(reference.classic_3p())
    while not position.is_over:
        position.play(rng.choice(position.legal()))
    shared = [player for player, color, _ in position.history if color == 3]
    assert shared == [k % 3 for k in range(len(shared))]
    assert len(position.player_scores) == 3


@pytest.mark.parametrize("shared", range(4))
def test_any_color_can_be_the_shared_one(shared: int) -> None:
    position = Position(reference.classic_3p(shared))
    rng = random.Random(6)
    for _ in range(8):
        position.play(rng.choice(position.legal()))
    assert [color for _, color, _ in position.history[:4]] == [
        (shared + step) % 4 for step in (1, 2, 3, 4)
    ]
    assert [p for p, color, _ in position.history if color == shared] == [0, 1]


def test_a_cap_of_rounds_is_that_many_full_rounds() -> None:
    position = Position(reference.classic(max_rounds=2))
    rng = random.Random(7)
    while not position.is_over:
        position.play(rng.choice(position.legal()))
    assert len(position.history) == 8


def test_voluntary_pass_needs_a_piece_on_the_board() -> None:
    position = Position(reference.contest("X"))
    assert not position.may_pass()
    for _ in range(4):
        position.play(position.legal()[0])
    assert position.turn == 0
    assert position.may_pass()
    position.play(reference.PASS)
    assert position.turn == 1


def random_draft(players: int, seed: int) -> DraftPosition:
    rng = random.Random(seed)
    position = DraftPosition(players)
    while position.is_drafting:
        position.pick(rng.choice(position.picks()))
    return position


@pytest.mark.parametrize("players", [2, 3, 4])
def test_draft_phase_goes_round(players: int) -> None:
    position = random_draft(players, 1)
    pickers = [player for player, _ in position.history]
    for color in range(4):
        expected = [(color + k) % players for k in range(21)]
        assert pickers[21 * color : 21 * (color + 1)] == expected
    assert sum((hand for hand in position.hands), Counter()) == Counter(
        Pick(color, piece) for color in range(4) for piece in reference.PIECE_NAMES
    )


def test_skipped_draft_players_come_back() -> None:
    came_back = 0
    for seed in range(4):
        position = random_draft(4, seed)
        rng = random.Random(seed)
        while not position.is_over:
            position.place(*rng.choice(position.legal()))
        came_back += position.came_back
        assert all(score <= 20 for score in position.player_scores)
    assert came_back > 0
