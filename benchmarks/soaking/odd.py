"""Variants that nobody plays: small boards with holes, odd sets, orders and owners, by chance."""

from __future__ import annotations

import random
from typing import Any

import blokus_fast as bf
from blokus_fast.scoring import SCORING_RULES

__all__ = ["odd_variant"]

NAMES = ("blue", "yellow", "red", "green")


def odd_variant(rng: random.Random) -> bf.Variant:
    """Return a variant with everything that a variant may have."""
    size = rng.randint(4, 11)
    rows = ["".join(rng.choice(".....#") for _ in range(size)) for _ in range(size)]
    playable = None if rng.random() < 0.5 else ["." * size, *rows[1:]]
    squares = [
        f"{chr(97 + column)}{size - row}"
        for row in range(size)
        for column in range(size)
        if playable is None or playable[row][column] == "."
    ]
    draft = rng.random() < 0.3
    n_colors = rng.randint(1, 4)
    players = rng.randint(1, 4) if draft else rng.randint(1, n_colors)
    owners: list[int | None] = [
        *range(players),
        *(rng.randrange(players) for _ in range(n_colors - players)),
    ]
    if not draft and n_colors > players and rng.random() < 0.5:
        owners[-1] = None
    rng.shuffle(owners)
    starts = rng.sample(squares, min(len(squares), rng.randint(n_colors, 8)))
    # Up to seven of a piece, and small ones more often.
    pieces = []
    for _ in range(n_colors):
        few = rng.sample(bf.PIECES[:9] * 2 + bf.PIECES, rng.randint(1, 7))
        pieces.append(
            [name for name in dict.fromkeys(few) for _ in range(rng.choice((1, 1, 1, 2, 4, 7)))]
        )
    first_pieces = None
    if rng.random() < 0.25:
        first_pieces = sorted({names[0] for names in pieces})
    # What a variant takes is wider than what it has.
    values: dict[str, Any] = {
        "size": size,
        "color_names": NAMES[:n_colors],
        "start_squares": [starts[color::n_colors] for color in range(n_colors)],
        "owners": () if draft else owners,
        "players": players,
        "order": rng.sample(range(n_colors), n_colors),
        "start": rng.choice(("assigned", "any", "border")),
        "scoring": rng.choice(list(SCORING_RULES)),
        "pieces": pieces,
        "playable": playable,
        "first_pieces": first_pieces,
        "max_rounds": rng.choice((0, 0, 0, 1, 2, 3, 5)),
        "voluntary_pass": not draft and rng.random() < 0.3,
        "draft": draft,
    }
    return bf.Variant("odd", **values)
