"""The shipped variants, and how they are found and changed.

A variant is data: a record here, never a branch in the core. What a record may say, and that it
fits, is in `definition`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from blokus_fast import _core
from blokus_fast.moves import PIECE_SIZES, PIECES
from blokus_fast.scoring import ScoringRule
from blokus_fast.variants.definition import Variant

__all__ = ["VARIANTS", "draft", "software_challenge_2027", "three_players", "variant"]

_TEXT_LIMIT = 60
_CLASSIC_COLORS = ("blue", "yellow", "red", "green")
_CLASSIC_STARTS = (("a20",), ("t20",), ("t1",), ("a1",))
_DUO_STARTS = (("e10",), ("j5",))
_JUNIOR_PIECES = ("1", "2", "V3", "I3", "O", "T4", "Z4", "L4", "I4", "P", "L5", "I5")
_PENTOMINOES = tuple(
    name for name, size in zip(PIECES, PIECE_SIZES, strict=True) if size == max(PIECE_SIZES)
)


def three_players(shared: str | int = "green") -> Variant:
    """Make Classic for three players, who place one of the four colors in turn.

    Parameters
    ----------
    shared : str or int
        Name or number of the shared color.

    Returns
    -------
    Variant
        The variant, ``classic-3p``. The color behind the shared one begins, and is player 0's.
        The shared color is the last of every round; player 0 places it the first time, player 1
        the second, and so on. Nobody gets its score.

    Raises
    ------
    ValueError
        There is no such color.

    Examples
    --------
    >>> from blokus_fast import variants
    >>> variants.three_players().owners, variants.three_players().order
    ((0, 1, 2, None), (0, 1, 2, 3))
    >>> variants.three_players(shared="blue").owners, variants.three_players("blue").order
    ((None, 0, 1, 2), (1, 2, 3, 0))
    """
    number = VARIANTS["classic"].color(shared)
    return _three_players(number)


def _three_players(shared: int) -> Variant:
    order = tuple((shared + step) % 4 for step in (1, 2, 3, 4))
    owners = tuple(None if color == shared else order.index(color) for color in range(4))
    return Variant(
        "classic-3p", 20, _CLASSIC_COLORS, _CLASSIC_STARTS, owners=owners, players=3, order=order
    )


def draft(players: int = 4) -> Variant:
    """Make Draft: the players pick their pieces, of all four colors, before they place them.

    Parameters
    ----------
    players : int
        Number of players, 2 to 4.

    Returns
    -------
    Variant
        ``draft`` for four players, ``draft-3p`` or ``draft-2p``.

    Raises
    ------
    ValueError
        Another number of players.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> bf.variants.draft(players=3) == bf.variant("draft-3p")
    True
    """
    if players not in (2, 3, 4):
        raise ValueError(f"Draft is for 2, 3 or 4 players, not {players}")
    name = "draft" if players == 4 else f"draft-{players}p"
    return Variant(name, 20, _CLASSIC_COLORS, _CLASSIC_STARTS, players=players, draft=True)


def software_challenge_2027(opening: str | None = None, *, max_rounds: int = 24) -> Variant:
    """Make the rules of the Software Challenge Germany 2027, as its server plays them.

    Two players with two colors each begin at the rim of the board, with a pentomino that is
    drawn by lot and the same for all. A color may pass once its first piece is placed. 24 rounds
    are played: the server's counter of rounds begins at 1, and at 25 the game is over.

    Parameters
    ----------
    opening : str, optional
        The pentomino that was drawn. Default: not drawn yet, so that any pentomino will do.
    max_rounds : int
        Number of rounds after which the game ends, 0 for no limit.

    Returns
    -------
    Variant
        The variant, ``software-challenge-2027``.

    Raises
    ------
    ValueError
        The opening piece is no pentomino, or the number of rounds is out of range.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> bf.Board(bf.variants.software_challenge_2027(opening="W")).count_legal()
    272
    """
    if opening is not None and opening not in _PENTOMINOES:
        raise ValueError(
            f"the opening piece must be a pentomino, not {opening!r}; "
            f"valid: {', '.join(_PENTOMINOES)}"
        )
    return Variant(
        "software-challenge-2027",
        20,
        _CLASSIC_COLORS,
        _CLASSIC_STARTS,
        owners=(0, 1, 0, 1),
        start="border",
        first_pieces=_PENTOMINOES if opening is None else (opening,),
        max_rounds=max_rounds,
        voluntary_pass=True,
    )


VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        variant.name: variant
        for variant in (
            Variant("classic", 20, _CLASSIC_COLORS, _CLASSIC_STARTS),
            Variant("classic-2p", 20, _CLASSIC_COLORS, _CLASSIC_STARTS, owners=(0, 1, 0, 1)),
            _three_players(3),
            Variant("duo", 14, ("purple", "orange"), _DUO_STARTS, start="any"),
            Variant(
                "junior",
                14,
                ("green", "orange"),
                _DUO_STARTS,
                scoring="basic",
                pieces=(tuple(name for name in _JUNIOR_PIECES for _ in range(2)),) * 2,
            ),
            draft(4),
            draft(3),
            draft(2),
            software_challenge_2027(),
        )
    }
)
"""The shipped variants by name (read-only)."""


def variant(
    variant: str | Variant,
    *,
    start: str | None = None,
    scoring: str | ScoringRule | None = None,
) -> Variant:
    """Find a variant, and change its start rule or scoring rule where asked.

    Parameters
    ----------
    variant : str or Variant
        A name out of `VARIANTS`, in any case, or a variant.
    start : {"assigned", "any", "border"}, optional
        Start rule to use instead of the variant's own.
    scoring : str or ScoringRule, optional
        Scoring rule to use instead of the variant's own.

    Returns
    -------
    Variant
        The variant.

    Raises
    ------
    ValueError
        A name is unknown; the message lists the valid ones.
    TypeError
        `variant` is neither text nor a variant.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> bf.variant("duo").start, bf.variant("duo", start="assigned").start
    ('any', 'assigned')
    >>> bf.variant("checkers")
    Traceback (most recent call last):
    ...
    ValueError: unknown variant 'checkers'; valid: classic, classic-2p, ...
    """
    if isinstance(variant, str):
        # Like the names of colors and of GTP's games, in any case.
        found = VARIANTS.get(variant) or VARIANTS.get(variant.strip().lower())
        if found is None:
            names = ", ".join(VARIANTS)
            shown = repr(variant[:_TEXT_LIMIT])
            raise ValueError(f"unknown variant {shown}; valid: {names}")
        variant = found
    elif not isinstance(variant, Variant):
        raise TypeError(f"a variant is a name or a Variant, not {variant!r}")
    changes: dict[str, Any] = {}
    if start is not None:
        changes["start"] = start
    if scoring is not None:
        changes["scoring"] = scoring
    return replace(variant, **changes) if changes else variant


@lru_cache(maxsize=256)
def _resolve_cached(
    name: str | Variant, start: str | None, scoring: str | ScoringRule | None
) -> _core.Rules:
    return variant(name, start=start, scoring=scoring)._rules()


def _resolve(
    name: str | Variant, start: str | None = None, scoring: str | ScoringRule | None = None
) -> _core.Rules:
    """Find the compiled rules of a variant; the core calls this to make a `Board`."""
    try:
        return _resolve_cached(name, start, scoring)
    except TypeError:
        # Something is not hashable, hence wrong: let the plain call say what.
        return variant(name, start=start, scoring=scoring)._rules()
