"""Playouts against games that are pushed move by move, drawn as docs/random.md says.

Playouts have a loop of their own where colors must place in turn, with rounds, skips and the end of
the game in it; here all variants are held against the flow of the game, with every policy.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from drawing import MASK, Rng, draw_action, mix64, play_out
from helpers import CLASSIC_3P

import blokus_fast as bf
from blokus_fast.variants import VARIANTS

SMALL = bf.Variant(
    "small",
    9,
    ["a", "b", "c", "d"],
    [["a9"], ["i9"], ["i1"], ["a1"]],
    order=(2, 0, 3, 1),
    owners=(1, 0, None, 2),
    pieces=[["1", "2", "I3", "V3", "L4", "T4", "Z4"] * times for times in (1, 2, 4, 1)],
)
CAPPED = {
    f"{variant.name} {rounds}": replace(variant, name=f"{variant.name} {rounds}", max_rounds=rounds)
    for variant, caps in (
        (bf.variant("duo"), (1, 7, 18)),
        (bf.variant("classic"), (12,)),
        (bf.variant("classic-2p"), (3,)),
        (CLASSIC_3P, (5, 15)),
        (SMALL, (1, 2, 6, 11)),
        (replace(SMALL, owners=(0, 1, 0, 1), players=2, start="any"), (4,)),
        (bf.variant("draft-3p"), (5,)),
        (replace(SMALL, owners=(), players=2, draft=True), (9,)),
    )
    for rounds in caps
}
OTHERS = {
    **{name: variant for name, variant in VARIANTS.items() if "draft" not in name},
    "draft": bf.variant("draft"),
    "small": SMALL,
    "small with passes": replace(SMALL, voluntary_pass=True, max_rounds=8),
}


def policies(variant: bf.Variant) -> dict[str, dict[str, Any]]:
    """Return weights of every kind, with a rare move that has almost all the weight."""
    rng = np.random.default_rng(7)
    weights = rng.integers(0, 2**32, bf.Board(variant).n_moves, dtype=np.uint32)
    weights[rng.random(len(weights)) < 0.7] = 0
    return {
        "uniform": {},
        "piece": {"piece_weights": [1 + piece * piece for piece in range(21)]},
        "move": {"move_weights": weights},
    }


def check(board: bf.Board, policy: str, n: int, seed: int) -> list[bf.Board]:
    """Hold playouts, of a board and of a batch, against pushed games; return their ends."""
    weights = policies(board.variant)[policy]
    scores = bf.playouts(board, n, seed, **weights)
    batch = bf.BatchBoard(1, board.variant)
    batch[0] = board
    own = batch.playouts(n, seed, next(iter(weights.values()), None))
    assert (own == scores).all()
    ends = [play_out(board, Rng(seed, number), **weights) for number in range(n)]
    assert scores.tolist() == [list(end.player_scores()) for end in ends]
    return ends


def boards(variant: bf.Variant) -> list[bf.Board]:
    """Return the beginning, and later positions."""
    batch = bf.BatchBoard(1, variant)
    found = [bf.Board(variant)]
    for ply in range(1, 60 if variant.draft else 20):
        batch.step(batch.sample_actions(3))
        if batch.done.all():
            break
        if ply % (25 if variant.draft else 6) == 0:
            found.append(batch[0])
    return found


@pytest.mark.parametrize("policy", ["uniform", "piece", "move"])
@pytest.mark.parametrize("name", CAPPED)
def test_playouts_end_with_the_last_round(name: str, policy: str) -> None:
    variant = CAPPED[name]
    by_rounds = 0
    for seed, board in enumerate(boards(variant)):
        for end in check(board, policy, 3, seed):
            by_rounds += end.round == variant.max_rounds
    assert by_rounds or name in ("duo 18", "small 11")  # which end before, as a rule


@pytest.mark.parametrize("policy", ["uniform", "piece", "move"])
@pytest.mark.parametrize("name", OTHERS)
def test_playouts_are_games_that_are_played(name: str, policy: str) -> None:
    for seed, board in enumerate(boards(OTHERS[name])):
        check(board, policy, 2, 2**64 - 1 - seed)


@pytest.mark.parametrize("policy", ["uniform", "piece", "move"])
def test_streams_whose_increment_is_too_regular(policy: str) -> None:
    """One number in sixty has bits flipped in its increment."""
    scores = bf.playouts(bf.Board(SMALL), 200, 5, **policies(SMALL)[policy])
    plain = [mix64(number * 0x9E3779B97F4A7C15 & MASK) | 1 for number in range(1, 200)]
    regular = [i for i, word in enumerate(plain, 1) if (word ^ word >> 1).bit_count() < 24]
    assert regular
    for number in regular:
        end = play_out(bf.Board(SMALL), Rng(5, number), **policies(SMALL)[policy])
        assert scores[number].tolist() == list(end.player_scores())


@pytest.mark.parametrize("policy", ["uniform", "piece", "move"])
@pytest.mark.parametrize("name", ["duo", "small", "small with passes", "draft"])
def test_games_of_a_batch_with_seeds_of_their_own(name: str, policy: str) -> None:
    variant = OTHERS[name]
    weights = policies(variant)[policy]
    batch = bf.BatchBoard(3, variant)
    for number, board in enumerate((boards(variant) * 3)[:3]):
        batch[number] = board
    seeds = np.array([9, 2**63 + 1, 9], np.uint64)
    scores = batch.playouts(2, seeds, next(iter(weights.values()), None))
    for number, seed in enumerate(seeds.tolist()):
        for stream in range(2):
            end = play_out(batch[number], Rng(seed, stream), **weights)
            assert scores[number, stream].tolist() == list(end.player_scores())


@pytest.mark.parametrize("policy", ["uniform", "piece", "move"])
@pytest.mark.parametrize("name", OTHERS)
def test_actions_are_drawn_as_documented(name: str, policy: str) -> None:
    """By stream and ply with one seed for all, by ply alone with a seed for each."""
    variant = OTHERS[name]
    weights = policies(variant)[policy]
    given = next(iter(weights.values()), None)
    batch = bf.BatchBoard(4, variant)
    seed, seeds = 2**64 - 3, np.array([1, 2, 2**64 - 1, 4], np.uint64)
    for ply in range(100 if variant.draft else 30):
        drawn, own = batch.sample_actions(seed, given), batch.sample_actions(seeds, given)
        for i in range(4) if ply % 10 in (0, 7) else ():
            board = batch[i]
            if board.is_game_over:
                assert drawn[i] == own[i] == -1
                continue
            rng = Rng(mix64(seed + board.ply & MASK), i)
            assert drawn[i] == draw_action(board, rng, **weights)
            rng = Rng(mix64(int(seeds[i]) + board.ply & MASK), 0)
            assert own[i] == draw_action(board, rng, **weights)
        batch.step(drawn)


@pytest.mark.parametrize("rounds", [1, 2, 5])
@pytest.mark.parametrize("piece_weights", [None, "size"])
def test_nobody_places_more_pieces_than_there_are_rounds(
    rounds: int, piece_weights: str | None
) -> None:
    """With monominoes only, the squares placed are the rounds played."""
    corners = [["a12"], ["l12"], ["l1"]]
    pieces = [["1"] * 7] * 3
    variant = bf.Variant(
        "dots", 12, ["a", "b", "c"], corners, order=(1, 2, 0), pieces=pieces, max_rounds=rounds
    )
    scores = bf.playouts(bf.Board(variant), 40, 3, piece_weights=piece_weights)
    assert (scores == rounds - 7).all()
    batch = bf.BatchBoard(2, variant)
    batch.step(batch.sample_actions(1))
    assert (batch.playouts(20, 4, piece_weights) == rounds - 7).all()


@pytest.mark.parametrize("total", [2**20 + 1, 2**32 + 1, 2**40 + 1, 3 * 2**32])
def test_weights_whose_sum_has_few_bits(total: int) -> None:
    """Numbers below a sum just above a power of two need all the bits of one."""
    variant, n = bf.variant("duo"), 3000
    ids = bf.Board(variant).legal_ids()
    weights = np.zeros(bf.Board(variant).n_moves, np.uint32)
    weights[ids] = total // len(ids)
    weights[ids[-1]] += total % len(ids)
    ends = np.cumsum(weights[ids], dtype=np.uint64)
    assert ends[-1] == total
    drawn = bf.BatchBoard(n, variant).sample_actions(7, weights)
    below = np.array([Rng(mix64(7), i).below64(total) for i in range(n)], np.uint64)
    assert (drawn == ids[np.searchsorted(ends, below, side="right")]).all()
