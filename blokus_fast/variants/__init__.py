"""Variants: what a game is before its first move, as data.

What is where:

- `shipped`: the variants that come with the package, how they are found and made
- `definition`: `Variant`, and what one may say
- `text`: a variant as one word of text, for positions and records
"""

from __future__ import annotations

from blokus_fast.variants.definition import START_RULES, Variant
from blokus_fast.variants.shipped import (
    VARIANTS,
    draft,
    software_challenge_2027,
    three_players,
    variant,
)

__all__ = [
    "START_RULES",
    "VARIANTS",
    "Variant",
    "draft",
    "software_challenge_2027",
    "three_players",
    "variant",
]
