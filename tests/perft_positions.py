"""The beginnings of games from which tests/data/perft.csv counts."""

from __future__ import annotations

from dataclasses import replace

import blokus_fast as bf
from blokus_fast.variants import draft, software_challenge_2027, three_players

Hands = list[dict[int, list[str]]]

# Draft on a board on which games end within a few moves.
TINY_DRAFT = bf.Variant(
    "tiny-draft",
    5,
    ["blue", "red"],
    [["a5"], ["e1"]],
    players=3,
    pieces=[["1", "I3"], ["1", "V3"]],
    draft=True,
)
MIXED: Hands = [
    {0: ["1", "F", "I5"], 1: ["V3"]},
    {1: ["2", "T4"], 2: ["1"]},
    {3: ["L4", "P"]},
]

# name: (variant, hands, depth to which the slow twin counts)
POSITIONS: dict[str, tuple[bf.Variant, Hands | None, int]] = {
    **{f"classic-3p {name}": (three_players(name), None, 2) for name in ("blue", "yellow", "red")},
    "classic-3p green": (three_players(), None, 3),
    "software-challenge-2027": (software_challenge_2027(), None, 1),
    "software-challenge-2027 W": (software_challenge_2027("W"), None, 2),
    "software-challenge-2027 X": (software_challenge_2027("X"), None, 2),
    "draft": (draft(4), None, 3),
    "draft-3p": (draft(3), None, 2),
    "draft-3p from hands": (draft(3), MIXED, 3),
    "draft-2p": (draft(2), None, 2),
    "tiny draft": (TINY_DRAFT, None, 9),
    "tiny draft, 1 round": (
        replace(TINY_DRAFT, max_rounds=1),
        None,
        9,
    ),
    "handicap": (
        bf.variant("duo").without_pieces(
            "purple", [piece for piece in bf.PIECES if piece not in ("1", "2", "V3")]
        ),
        None,
        2,
    ),
}
