"""The five scoring rules, written out one by one."""

from __future__ import annotations

from collections.abc import Sequence

SCORING_RULES = ("advanced", "basic", "placed", "net", "reverse")
LOWEST_WINS = frozenset({"reverse"})


def score(rule: str, placed: int, left: int, monomino_last: bool) -> int:
    """Return a score from squares placed, squares left, and whether a monomino came last."""
    if rule == "advanced":
        if left == 0 and placed > 0:
            return 20 if monomino_last else 15
        return -left
    if rule == "basic":
        return -left
    if rule in ("placed", "reverse"):
        return placed
    if rule == "net":
        bonus = 0
        if left == 0 and placed > 0:
            bonus = 20 if monomino_last else 15
        return placed - left + bonus
    raise ValueError(rule)


def player_totals(
    color_scores: Sequence[int], owners: Sequence[int | None], players: int
) -> tuple[int, ...]:
    """Add up the colors of each player; a shared color (owner None) counts for nobody."""
    return tuple(
        sum(points for points, owner in zip(color_scores, owners, strict=True) if owner == player)
        for player in range(players)
    )


def places(rule: str, scores: Sequence[int]) -> tuple[int, ...]:
    """Return each player's place, 1 for the best; equal scores share a place."""
    if rule in LOWEST_WINS:
        return tuple(1 + sum(other < mine for other in scores) for mine in scores)
    return tuple(1 + sum(other > mine for other in scores) for mine in scores)
