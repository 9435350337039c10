"""The variants beyond Classic and Duo, in step with the slow twin over many random games."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
import reference
from helpers import twin_of
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import DraftPosition, Ruleset
from reference.draft import draft_rules
from step import dealt_hands, draft_variants, play_choices, play_in_step
from strategies import CHOICES, RELAXED, variants

import blokus_fast as bf
from blokus_fast import _core
from blokus_fast.variants import software_challenge_2027, three_players

# Long enough to leave the draft phase; the picks are chosen too.
DRAFT_CHOICES = st.lists(st.integers(0, 2**16), min_size=90, max_size=110)
# Every variant with the twin's rules, typed by hand and not read from the engine's data.
GAMES: dict[str, tuple[bf.Variant, Ruleset]] = {
    **{
        f"classic-3p, {name} shared": (three_players(name), reference.classic_3p(number))
        for number, name in enumerate(("blue", "yellow", "red", "green"))
    },
    **{
        f"draft for {players}": (bf.variants.draft(players), draft_rules(players))
        for players in (2, 3, 4)
    },
    **{
        f"software challenge, {piece}": (
            software_challenge_2027(opening=piece),
            reference.contest(piece),
        )
        for piece in ("W", "I5")
    },
    "software challenge, 9 rounds": (
        software_challenge_2027("X", max_rounds=9),
        reference.contest("X", max_rounds=9),
    ),
}
ENTRY = pytest.mark.parametrize("name", GAMES)


@ENTRY
def test_the_rules_are_those_typed_by_hand(name: str) -> None:
    """Else the tests below would hold the engine against its own data."""
    variant, typed = GAMES[name]
    read = twin_of(variant)
    for rules in (typed, read):
        object.__setattr__(rules, "sets", tuple(dict(pieces) for pieces in rules.sets))
    assert read == typed


@ENTRY
def test_whole_games(name: str) -> None:
    play_in_step(GAMES[name][0], 5, every=6, passing=0.1)


@pytest.mark.parametrize("scoring", reference.SCORING_RULES)
def test_scoring_rules_in_draft(scoring: str) -> None:
    play_in_step(bf.variant("draft-3p", scoring=scoring), 3, every=40)


def test_players_who_come_back_in_random_games() -> None:
    twins = [play_in_step(bf.variant("draft"), seed, every=1000) for seed in range(5)]
    assert sum(twin.came_back for twin in twins if isinstance(twin, DraftPosition)) > 0


@settings(RELAXED, max_examples=400)
@given(variant=draft_variants(), choices=CHOICES)
def test_chosen_games_of_drawn_draft_variants(variant: bf.Variant, choices: list[int]) -> None:
    """Masks, sets, orders, start rules and caps of rounds, with any number of players."""
    play_choices(variant, choices)


@settings(RELAXED, max_examples=200)
@given(data=st.data(), variant=draft_variants(), choices=CHOICES)
def test_chosen_games_from_given_hands(data: Any, variant: bf.Variant, choices: list[int]) -> None:
    play_choices(variant, choices, data.draw(dealt_hands(variant)))


@settings(RELAXED, max_examples=15)
@given(name=st.sampled_from(sorted(GAMES)), choices=DRAFT_CHOICES)
def test_chosen_games_of_shipped_variants(name: str, choices: list[int]) -> None:
    play_choices(GAMES[name][0], choices)


@settings(RELAXED, max_examples=150)
@given(variant=st.one_of(variants(), draft_variants()), seed=st.integers(0, 2**32 - 1))
def test_variants_of_ones_own_work_everywhere(variant: bf.Variant, seed: int) -> None:
    """Kernels, texts, batches, playouts, copies and pickles, in every phase."""
    kernel = bf.cpu_info()["kernel"]
    batch = bf.BatchBoard(2, variant)
    boards = [bf.Board(variant), bf.Board(variant)]
    while not batch.done.all():
        board = boards[0]
        ids = board.legal_ids().tolist()
        assert [board.parse_move(board.move_text(number)) for number in ids] == ids
        assert board.legal_mask().nonzero()[0].tolist() == ids
        assert pickle.loads(pickle.dumps(board)) == board.copy() == batch[0] == board
        try:
            for name in bf.cpu_info()["supported"]:
                _core._use_kernel(name)
                assert board.legal_ids().tolist() == ids
        finally:
            _core._use_kernel(kernel)
        actions = batch.sample_actions(seed)
        for each, action in zip(boards, actions.tolist(), strict=True):
            if action >= 0:
                each.push(action)
        batch.step(actions)
        assert batch.scores().tolist() == [list(each.player_scores()) for each in boards]
    start = bf.Board(variant)
    scores = bf.playouts(start, 6, seed=seed)
    assert (scores == bf.playouts(start, 6, seed=seed, threads=3)).all()
    game = bf.Game.from_board(boards[0])
    while game.moves:
        game.undo()
    assert game.board == start


# The long forms


@pytest.mark.slow
@ENTRY
def test_many_whole_games(name: str) -> None:
    """Two thousand games of every variant."""
    for seed in range(2000):
        play_in_step(GAMES[name][0], seed, every=29, passing=0.1)


@pytest.mark.slow
@settings(RELAXED, max_examples=20_000, derandomize=False)
@given(variant=draft_variants(), choices=CHOICES)
def test_many_chosen_games_of_draft(variant: bf.Variant, choices: list[int]) -> None:
    play_choices(variant, choices)


@pytest.mark.slow
@settings(RELAXED, max_examples=10_000, derandomize=False)
@given(data=st.data(), variant=draft_variants(), choices=CHOICES)
def test_many_chosen_games_from_given_hands(
    data: Any, variant: bf.Variant, choices: list[int]
) -> None:
    play_choices(variant, choices, data.draw(dealt_hands(variant)))


@pytest.mark.slow
@settings(RELAXED, max_examples=1000, derandomize=False)
@given(name=st.sampled_from(sorted(GAMES)), choices=DRAFT_CHOICES)
def test_many_chosen_games_of_shipped_variants(name: str, choices: list[int]) -> None:
    play_choices(GAMES[name][0], choices)
