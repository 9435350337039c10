"""Candidate moves on a board: an outline each, and its share of a search's visits.

Owns where the shares are written, so that none is written over another. How the parts look is in
`drawing`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from blokus_fast._core import Board
from blokus_fast.moves import Move
from blokus_fast.svg.drawing import Sheet

__all__ = ["draw_candidates", "label_places", "read_candidates", "share_text"]


def read_candidates(board: Board, candidates: Any) -> list[tuple[Move, float]]:
    """Read moves with shares, and put those with the largest shares first.

    Parameters
    ----------
    board : Board
        The position.
    candidates : mapping or iterable
        Shares, 0 to 1, by move; or pairs of a move and its share.

    Returns
    -------
    list of (Move, float)
        The same; of equal shares in the order in which they were given.

    Raises
    ------
    ValueError
        A share is not in 0 to 1.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.svg.candidates import read_candidates
    >>> [move.text for move, _ in read_candidates(bf.Board("duo"), {"e10": 0.2, "j5": 0.7})]
    ['j5', 'e10']
    """
    if not isinstance(candidates, Mapping | Iterable):
        raise TypeError(f"candidates must be moves with shares, not {candidates!r}")
    pairs = candidates.items() if isinstance(candidates, Mapping) else candidates
    found = []
    for one, share in pairs:
        number = float(share)
        if not 0 <= number <= 1:
            raise ValueError(f"the share of a candidate must be in 0 to 1, not {share!r}")
        found.append((board.move(board.parse_move(one) if isinstance(one, str) else one), number))
    return sorted(found, key=lambda pair: -pair[1])


def share_text(share: float) -> str:
    """Write a share in percent.

    Examples
    --------
    >>> from blokus_fast.svg.candidates import share_text
    >>> share_text(0.347), share_text(0.001), share_text(0)
    ('35%', '<1%', '0%')
    """
    return "<1%" if 0 < share < 0.005 else f"{math.floor(100 * share + 0.5)}%"


def label_places(shapes: Sequence[Sequence[int]], size: int) -> list[int | None]:
    """Find a square for the label of each shape, and never the same for two.

    Parameters
    ----------
    shapes : sequence of sequence of int
        The squares of each shape.
    size : int
        Columns of the board.

    Returns
    -------
    list of int or None
        A square of each shape, best one that no other shape has, near its middle; None where all
        of them are taken.

    Examples
    --------
    >>> from blokus_fast.svg.candidates import label_places
    >>> label_places([[0, 1, 2], [1], [1]], size=4)
    [0, 1, None]
    """
    crowd = Counter(square for shape in shapes for square in shape)
    owners: dict[int, int] = {}

    def find(shape: int, seen: set[int]) -> bool:
        # Who has the square may have another one to go to.
        squares = shapes[shape]
        rows, columns = zip(*(divmod(square, size) for square in squares), strict=True)
        row, column = sum(rows) / len(rows), sum(columns) / len(columns)
        ways = sorted(
            squares,
            key=lambda s: (crowd[s], (s // size - row) ** 2 + (s % size - column) ** 2, s),
        )
        for square in ways:
            if square in seen:
                continue
            seen.add(square)
            if square not in owners or find(owners[square], seen):
                owners[square] = shape
                return True
        return False

    for shape, squares in enumerate(shapes):
        if squares:
            find(shape, set())
    places: list[int | None] = [None] * len(shapes)
    for square, shape in owners.items():
        places[shape] = square
    return places


def draw_candidates(
    sheet: Sheet, board: Board, candidates: Sequence[tuple[Move, float]], fills: Sequence[str]
) -> set[int]:
    """Draw candidates, the best of them on top; return the squares that are written on.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.svg.candidates import draw_candidates, read_candidates
    >>> from blokus_fast.svg.drawing import Sheet
    >>> from blokus_fast.svg.palettes import THEMES
    >>> board = bf.Board("duo")
    >>> sheet = Sheet(THEMES["light"], 14)
    >>> rows = read_candidates(board, {"e10": 0.2, "j5,k5": 0.7})
    >>> len(draw_candidates(sheet, board, rows, ["#8a4fb0", "#eb9f1a"])), len(sheet.parts)
    (2, 8)
    """
    shown = [(move, share) for move, share in candidates if move.squares]
    most = max((share for _, share in shown), default=0.0) or 1.0
    places = label_places([move.squares for move, _ in shown], board.size)
    levels = _levels([move.squares for move, _ in shown])
    ranked = list(enumerate(shown))
    for _, (move, share) in reversed(ranked):
        color = max(board.turn, 0) if move.color is None else move.color
        title = f"{board.variant.color_names[color]} {move.piece}: {move.text}, {share_text(share)}"
        sheet.candidate(move.squares, fills[color], share / most, title)
    # All lines above all fills, and what is written above both.
    for rank, (move, _) in reversed(ranked):
        sheet.candidate_line(move.squares, best=rank == 0, level=levels[rank])
    for (rank, (_, share)), place in zip(reversed(ranked), reversed(places), strict=True):
        if place is not None:
            sheet.badge(place, share_text(share), best=rank == 0)
    return {place for place in places if place is not None}


def _levels(shapes: Sequence[Sequence[int]]) -> list[int]:
    """Give shapes that share squares different numbers, as low as can be."""
    levels: list[int] = []
    for place, shape in enumerate(shapes):
        taken = {levels[i] for i in range(place) if set(shapes[i]) & set(shape)}
        levels.append(next(level for level in range(place + 1) if level not in taken))
    return levels
