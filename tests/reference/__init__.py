"""The slow twin: Blokus from the printed rules alone, in sets of (row, column).

The tests hold the engine against this package. It shares no code, no table and no trick with the
engine: shapes are typed once more, every legal move is found by trying every placement there is,
and nothing is kept up to date that could be worked out again. It may be slow; it may not be clever.
"""

from reference.draft import DraftPosition, Pick
from reference.notation import parse, square_name, to_text
from reference.position import PASS, Position, Ruleset, Skipped
from reference.scoring import SCORING_RULES, player_totals, score
from reference.shapes import (
    PIECE_NAMES,
    SIZES,
    Placement,
    Square,
    orientations,
    placement_of,
    placements,
)
from reference.variants import RULESETS, classic, classic_2p, classic_3p, contest, duo, junior

__all__ = [
    "PASS",
    "PIECE_NAMES",
    "RULESETS",
    "SCORING_RULES",
    "SIZES",
    "DraftPosition",
    "Pick",
    "Placement",
    "Position",
    "Ruleset",
    "Skipped",
    "Square",
    "classic",
    "classic_2p",
    "classic_3p",
    "contest",
    "duo",
    "junior",
    "orientations",
    "parse",
    "placement_of",
    "placements",
    "player_totals",
    "score",
    "square_name",
    "to_text",
]
