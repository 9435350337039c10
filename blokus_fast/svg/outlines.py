"""Squares as shapes: which of them belong together, and the line around them.

Pure geometry on square indices. Pieces of one color never share an edge, so that the pieces of
a color are what its squares fall into.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

__all__ = ["connected", "loops", "outline_path"]

Point = tuple[int, int]


def connected(squares: Iterable[int], size: int) -> list[tuple[int, ...]]:
    """Split squares into groups that hang together by edges.

    Parameters
    ----------
    squares : iterable of int
        Indices of squares.
    size : int
        Columns of the board.

    Returns
    -------
    list of tuple of int
        The groups, each ascending, in the order of their first squares.

    Examples
    --------
    >>> from blokus_fast.svg.outlines import connected
    >>> connected([0, 1, 5, 10], size=4)
    [(0, 1, 5), (10,)]
    """
    left = dict.fromkeys(sorted(squares))
    groups = []
    while left:
        first = next(iter(left))
        del left[first]
        group, todo = [first], [first]
        while todo:
            square = todo.pop()
            column = square % size
            around = [square - size, square + size]
            around += [square - 1] if column else []
            around += [square + 1] if column < size - 1 else []
            for other in around:
                if other in left:
                    del left[other]
                    group.append(other)
                    todo.append(other)
        groups.append(tuple(sorted(group)))
    return groups


def loops(squares: Iterable[int], size: int) -> list[list[Point]]:
    """Trace the lines around squares.

    Parameters
    ----------
    squares : iterable of int
        Indices of squares.
    size : int
        Columns of the board.

    Returns
    -------
    list of list of (int, int)
        Closed lines as the corners (x, y) where they turn, the squares on their right hand;
        a hole is a line of its own.

    Examples
    --------
    >>> from blokus_fast.svg.outlines import loops
    >>> loops([0, 1], size=4)
    [[(0, 0), (2, 0), (2, 1), (0, 1)]]
    """
    inside = set(squares)
    edges: dict[Point, list[Point]] = {}
    for square in sorted(inside):
        y, x = divmod(square, size)
        if square - size not in inside:
            edges.setdefault((x, y), []).append((x + 1, y))
        if x == size - 1 or square + 1 not in inside:
            edges.setdefault((x + 1, y), []).append((x + 1, y + 1))
        if square + size not in inside:
            edges.setdefault((x + 1, y + 1), []).append((x, y + 1))
        if x == 0 or square - 1 not in inside:
            edges.setdefault((x, y + 1), []).append((x, y))
    found = []
    while edges:
        start = next(iter(edges))
        line = [start]
        here, there = start, _take(edges, start, None)
        while there != start:
            line.append(there)
            here, there = there, _take(edges, there, (there[0] - here[0], there[1] - here[1]))
        found.append(_corners(line))
    return found


def _take(edges: dict[Point, list[Point]], here: Point, course: Point | None) -> Point:
    """Take the next edge; where two squares touch at a corner, stay with the same square."""
    ways = edges[here]
    way = ways[0]
    if len(ways) > 1 and course is not None:
        right = (here[0] - course[1], here[1] + course[0])
        way = right if right in ways else way
    ways.remove(way)
    if not ways:
        del edges[here]
    return way


def _corners(line: list[Point]) -> list[Point]:
    """Leave out the points where a closed line goes straight on."""
    count = len(line)
    return [
        line[i]
        for i in range(count)
        if (line[i][0] - line[i - 1][0], line[i][1] - line[i - 1][1])
        != (line[(i + 1) % count][0] - line[i][0], line[(i + 1) % count][1] - line[i][1])
    ]


def number(value: float) -> str:
    """Write a coordinate as shortly as possible."""
    return f"{round(value, 2):zg}"


def outline_path(
    squares: Iterable[int], size: int, unit: float, x: float, y: float, inset: float = 0.0
) -> str:
    """Write the lines around squares as the path of an SVG.

    Parameters
    ----------
    squares : iterable of int
        Indices of squares.
    size : int
        Columns of the board.
    unit : float
        Length of a square's side.
    x, y : float
        Where the top left corner of the board is.
    inset : float
        How far inside the line runs.

    Returns
    -------
    str
        The text for the attribute ``d``.

    Examples
    --------
    >>> from blokus_fast.svg.outlines import outline_path
    >>> outline_path([0], 4, 10, 0, 0, inset=1)
    'M1 1H9V9H1Z'
    """
    parts = []
    for line in loops(squares, size):
        moved = []
        for i, (px, py) in enumerate(line):
            bx, by = line[i - 1]
            ax, ay = line[(i + 1) % len(line)]
            # Inside is on the right hand: a quarter turn of the course before and behind.
            into = _sign(px - bx), _sign(py - by)
            out = _sign(ax - px), _sign(ay - py)
            moved.append(
                (
                    x + px * unit - inset * (into[1] + out[1]),
                    y + py * unit + inset * (into[0] + out[0]),
                )
            )
        text = f"M{number(moved[0][0])} {number(moved[0][1])}"
        for before, here in pairwise(moved):
            text += f"H{number(here[0])}" if here[1] == before[1] else f"V{number(here[1])}"
        parts.append(text + "Z")
    return "".join(parts)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
