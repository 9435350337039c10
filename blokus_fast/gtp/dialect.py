"""What Pentobi calls things over GTP: games, colors, places.

Variants that Pentobi does not know go by their own names. Knows boards, but no process or stream.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from blokus_fast._core import Board
from blokus_fast.records.dialect import GAMES as _RECORD_GAMES
from blokus_fast.variants import VARIANTS, Variant

__all__ = [
    "GAMES",
    "find_game",
    "game_name",
    "played_variant",
    "points",
    "side_number",
    "side_text",
]

GAMES: Mapping[str, str] = MappingProxyType({name: game for game, name in _RECORD_GAMES.items()})
"""Pentobi's name of a variant, by ours (read-only)."""

_TWO_COLORS = (("b", "black"), ("w", "white"))


def played_variant(name: str) -> Variant:
    """Return a shipped variant as it is played over GTP.

    Its start rule is ``assigned`` where it would be ``any``: so plays Pentobi.

    Examples
    --------
    >>> from blokus_fast.gtp.dialect import played_variant
    >>> played_variant("duo").start
    'assigned'
    """
    variant = VARIANTS.get(name)
    if variant is None:
        raise ValueError(f"GTP has no name for this variant: {name}")
    return replace(variant, start="assigned") if variant.start == "any" else variant


def find_game(text: str) -> Variant:
    """Find the variant that ``set_game`` names.

    Parameters
    ----------
    text : str
        Pentobi's name or ours, in any case.

    Returns
    -------
    Variant
        The variant as it is played over GTP.

    Raises
    ------
    ValueError
        There is no such game; the message lists the games.

    Examples
    --------
    >>> from blokus_fast.gtp.dialect import find_game
    >>> find_game("Blokus Two-Player").name, find_game("draft").name
    ('classic-2p', 'draft')
    """
    wanted = " ".join(text.split()).lower()
    for name in VARIANTS:
        if wanted in (name, GAMES.get(name, name).lower()):
            return played_variant(name)
    valid = ", ".join(GAMES.get(name, name) for name in VARIANTS)
    raise ValueError(f"unknown game {text[:60]!r}; valid: {valid}")


def game_name(variant: Variant) -> str:
    """Return what to say to ``set_game`` for a variant, with any scoring rule; GTP knows none.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.gtp.dialect import game_name
    >>> game_name(bf.variant("duo", start="assigned"))
    'Blokus Duo'
    """
    shipped = VARIANTS.get(variant.name)
    same = shipped is not None and shipped == replace(
        variant, start=shipped.start, scoring=shipped.scoring
    )
    if not same:
        raise ValueError(f"GTP has no name for this variant: {variant.name}")
    if variant.start != played_variant(variant.name).start:
        raise ValueError(
            f"over GTP {variant.name} is played with the start rule "
            f"{played_variant(variant.name).start!r}, not {variant.start!r}"
        )
    return GAMES.get(variant.name, variant.name)


def side_text(board: Board) -> str:
    """Return the argument of ``genmove`` for whose turn it is; in Draft that is a player's.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.gtp.dialect import side_text
    >>> side_text(bf.Board("duo")), side_text(bf.Board("classic")), side_text(bf.Board("draft"))
    ('b', '1', '1')
    """
    if board.variant.draft:
        return str(board.player + 1)
    return "bw"[board.turn] if board.n_colors == 2 else str(board.turn + 1)


def side_number(text: str, variant: Variant) -> int:
    """Read the argument that says whose move it is: a color's, in Draft a player's.

    It is a number from 1 or the name of a color, in any case.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.gtp.dialect import side_number
    >>> side_number("W", bf.variant("duo")), side_number("green", bf.variant("classic"))
    (1, 3)
    """
    word = text.lower()
    sides = variant.players if variant.draft else variant.n_colors
    for side in range(sides):
        names = [str(side + 1)]
        if not variant.draft:
            names.append(variant.color_names[side].lower())
            names.extend(_TWO_COLORS[side] if sides == 2 else ())
        if word in names:
            return side
    if variant.draft:
        valid = [str(side + 1) for side in range(sides)]
    elif sides == 2:
        valid = ["b", "w", *variant.color_names]
    else:
        valid = [*(str(side + 1) for side in range(sides)), *variant.color_names]
    kind = "player" if variant.draft else "color"
    raise ValueError(f"invalid {kind} argument {text[:60]!r}; valid: {', '.join(valid)}")


def points(board: Board) -> str:
    """Write the score as ``final_score`` does.

    Parameters
    ----------
    board : Board
        The position.

    Returns
    -------
    str
        For two players by how much who leads, ``B+10``, ``W+3`` or ``0``. Else a number per
        color: squares placed, and the bonus. In Draft, which Pentobi does not have, a score per
        player.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.gtp.dialect import points
    >>> board = bf.Board("duo", start="assigned")
    >>> points(board)
    '0'
    >>> board.push(board.parse_move("e10"))
    >>> points(board), points(bf.Board("classic"))
    ('B+1', '0 0 0 0')
    """
    if board.n_players == 2:
        lead = board.player_scores()[0] - board.player_scores()[1]
        return f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "0"
    if board.variant.draft:
        return " ".join(map(str, board.player_scores()))
    # Ours count what is left in hand; less nothing placed, that is what was placed.
    empty = Board(board.variant).color_scores()
    scores = zip(board.color_scores(), empty, strict=True)
    return " ".join(str(score - nothing) for score, nothing in scores)
