"""The engine and the slow twin play the same random games, in step, ply by ply.

At every ply they have to agree on the legal moves of every color, whose turn it is, who decides,
the scores, what is left, where a color may connect, and whether the game is over.
"""

from __future__ import annotations

import random

import pytest
import reference
from helpers import CLASSIC_3P, GAME, GAMES, assert_same, engine_id, same_grid, twin_of
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import PASS, RULESETS, Position, Ruleset
from strategies import CHOICES, RELAXED, variants

import blokus_fast as bf

CONTEST = bf.Variant(
    "contest",
    20,
    ["blue", "yellow", "red", "green"],
    owners=[0, 1, 0, 1],
    start="border",
    first_pieces=["W"],
    max_rounds=24,
    voluntary_pass=True,
)
# Variants that are not (or not all) shipped: (variant, the twin's rules typed by hand).
OTHERS = {
    **{
        f"classic-3p-shared-{shared}": (
            bf.Variant(
                "classic-3p",
                20,
                ["blue", "yellow", "red", "green"],
                [["a20"], ["t20"], ["t1"], ["a1"]],
                order=[(shared + step) % 4 for step in (1, 2, 3, 4)],
                owners=[
                    None if color == shared else (color - shared - 1) % 4 for color in range(4)
                ],
            ),
            reference.classic_3p(shared),
        )
        for shared in range(4)
    },
    "contest": (CONTEST, reference.contest("W")),
    "classic-4-rounds": (
        bf.Variant(
            "short",
            20,
            ["blue", "yellow", "red", "green"],
            [["a20"], ["t20"], ["t1"], ["a1"]],
            max_rounds=4,
        ),
        reference.classic(max_rounds=4),
    ),
    "duo-handicap": (
        bf.Variant(
            "handicap",
            14,
            ["first", "second"],
            [["e10"], ["j5"]],
            start="any",
            pieces=[reference.PIECE_NAMES, reference.PIECE_NAMES[:9]],
        ),
        reference.duo(
            sets=(
                dict.fromkeys(reference.PIECE_NAMES, 1),
                dict.fromkeys(reference.PIECE_NAMES[:9], 1),
            )
        ),
    ),
}


def play_in_step(
    variant: bf.Variant, rules: Ruleset, seed: int, *, passing: float = 0.0, every: int = 1
) -> Position:
    """Play one random game on both sides to its end."""
    rng = random.Random(seed)
    board, twin = bf.Board(variant), Position(rules)
    while not twin.is_over:
        if len(twin.history) % every == 0:
            assert_same(board, twin)
        move: reference.Placement | str = PASS
        if not (twin.may_pass() and rng.random() < passing):
            move = rng.choice(twin.legal())
        board.push(engine_id(move, board))
        twin.play(move)
        assert board.turn == (-1 if twin.turn is None else twin.turn)
    assert_same(board, twin)
    assert same_grid(board, twin)
    check_history(board, twin)
    return twin


def check_history(board: bf.Board, twin: Position) -> None:
    """The match view shows the same forced skips at the same plies."""
    history = bf.Game.from_board(board).history
    skips = [(entry.ply, entry.color) for entry in history if isinstance(entry, bf.Skip)]
    expected = [tuple(skip) for skip in twin.skips]
    if twin.is_over:
        expected = [skip for skip in expected if skip[0] < len(twin.history)]
    assert skips == expected


@GAME
def test_whole_games_of_shipped_variants(variant: str, start: str) -> None:
    rules = RULESETS[variant](start_rule=start)
    play_in_step(bf.variant(variant, start=start), rules, 1)


@pytest.mark.parametrize("name", OTHERS)
def test_whole_games_of_other_variants(name: str) -> None:
    variant, rules = OTHERS[name]
    play_in_step(variant, rules, 1, passing=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
@GAME
def test_many_games_of_shipped_variants(variant: str, start: str, seed: int) -> None:
    rules = RULESETS[variant](start_rule=start)
    play_in_step(bf.variant(variant, start=start), rules, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
@pytest.mark.parametrize("name", OTHERS)
def test_many_games_of_other_variants(name: str, seed: int) -> None:
    variant, rules = OTHERS[name]
    play_in_step(variant, rules, seed, passing=0.1)


@pytest.mark.parametrize("scoring", reference.SCORING_RULES)
@pytest.mark.parametrize("name", ["classic", "duo", "junior"])
def test_every_scoring_rule_along_a_game(name: str, scoring: str) -> None:
    variant = bf.variant(name, scoring=scoring)
    play_in_step(variant, RULESETS[name](scoring=scoring), 17, every=10)


def play_choices(
    variant: bf.Variant, rules: Ruleset, choices: list[int], *, all_colors: bool = True
) -> None:
    """Play what hypothesis chose, on both sides; it makes choices smaller when they fail."""
    board, twin = bf.Board(variant), Position(rules)
    for choice in choices:
        assert_same(board, twin, all_colors=all_colors)
        moves = [*twin.legal(), *([PASS] if twin.may_pass() else [])]
        if not moves:
            break
        move = moves[choice % len(moves)]
        board.push(engine_id(move, board))
        twin.play(move)
    assert_same(board, twin)
    check_history(board, twin)
    for _ in range(len(twin.history)):
        board.pop()
    assert_same(board, Position(rules))


@settings(RELAXED, max_examples=40)
@given(game=st.sampled_from(GAMES), choices=CHOICES)
def test_chosen_games_of_shipped_variants(game: tuple[str, str], choices: list[int]) -> None:
    variant, start = game
    rules = RULESETS[variant](start_rule=start)
    play_choices(bf.variant(variant, start=start), rules, choices, all_colors=False)


@settings(RELAXED, max_examples=500)
@given(variant=variants(), choices=CHOICES)
def test_chosen_games_of_drawn_variants(variant: bf.Variant, choices: list[int]) -> None:
    """Masks, hands, orders, owners, start rules, caps and passes in all combinations."""
    play_choices(variant, twin_of(variant), choices)


@pytest.mark.slow
@settings(RELAXED, max_examples=1500, derandomize=False)
@given(game=st.sampled_from(GAMES), choices=CHOICES)
def test_many_chosen_games_of_shipped_variants(game: tuple[str, str], choices: list[int]) -> None:
    variant, start = game
    rules = RULESETS[variant](start_rule=start)
    play_choices(bf.variant(variant, start=start), rules, choices)


@pytest.mark.slow
@settings(RELAXED, max_examples=20_000, derandomize=False)
@given(variant=variants(), choices=CHOICES)
def test_many_chosen_games_of_drawn_variants(variant: bf.Variant, choices: list[int]) -> None:
    play_choices(variant, twin_of(variant), choices)


@pytest.mark.slow
@settings(RELAXED, max_examples=400, derandomize=False)
@given(variant=variants(sizes=(10, 20)), choices=CHOICES)
def test_many_chosen_games_on_large_boards(variant: bf.Variant, choices: list[int]) -> None:
    play_choices(variant, twin_of(variant), choices)


# Symmetry: turning the board turns the legal moves with it.


def turned(move: int, size: int) -> int:
    """Return the id of a placement after a quarter turn clockwise."""
    squares = reference.placements(size)[move].squares
    return reference.placement_of(frozenset((c, size - 1 - r) for r, c in squares), size).id


def transposed(move: int, size: int) -> int:
    """Return the id of a placement after swapping rows and columns."""
    squares = reference.placements(size)[move].squares
    return reference.placement_of(frozenset((c, r) for r, c in squares), size).id


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))]
)
def test_a_quarter_turn_of_classic_is_a_game_of_the_next_colors(seed: int) -> None:
    """Blue's corner turns into yellow's, so yellow begins and everything else is the same."""
    rng = random.Random(seed)
    board = bf.Board("classic")
    other = bf.Board(
        bf.Variant(
            "turned",
            20,
            ["blue", "yellow", "red", "green"],
            [["a20"], ["t20"], ["t1"], ["a1"]],
            order=[1, 2, 3, 0],
        )
    )
    while not board.is_game_over:
        assert other.turn == (board.turn + 1) % 4
        for color in range(4):
            expected = sorted(turned(move, 20) for move in board.legal_ids(color=color).tolist())
            assert other.legal_ids(color=(color + 1) % 4).tolist() == expected
        move = int(rng.choice(board.legal_ids()))
        board.push(move)
        other.push(turned(move, 20))
    assert other.is_game_over
    scores = board.color_scores()
    assert other.color_scores() == (scores[3], *scores[:3])


@pytest.mark.parametrize("variant", ["duo", "junior"])
def test_mirrored_duo_is_the_same_game(variant: str) -> None:
    rng = random.Random(4)
    board, other = bf.Board(variant), bf.Board(variant)
    while not board.is_game_over:
        for color in range(2):
            ids = board.legal_ids(color=color).tolist()
            expected = sorted(transposed(move, 14) for move in ids)
            assert other.legal_ids(color=color).tolist() == expected
        move = int(rng.choice(board.legal_ids()))
        board.push(move)
        other.push(transposed(move, 14))
    assert other.color_scores() == board.color_scores()


def test_the_twin_of_a_shipped_variant_is_the_ruleset_typed_by_hand() -> None:
    """Else the tests above would hold the engine against its own data."""
    for variant in (*bf.VARIANTS.values(), CLASSIC_3P):
        if variant.name not in RULESETS:
            continue
        typed, read = RULESETS[variant.name](), twin_of(variant)
        for rules in (typed, read):
            object.__setattr__(rules, "sets", tuple(dict(pieces) for pieces in rules.sets))
        assert read == typed
