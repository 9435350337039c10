"""Text of squares: a column letter, then a row number counted from the bottom."""

from __future__ import annotations

from collections.abc import Iterable

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def parse_square(text: str, size: int) -> tuple[int, int]:
    """Read `a1` (bottom left) into (row, column) with row 0 at the top."""
    return size - int(text[1:]), LETTERS.index(text[0])


def parse(text: str, size: int) -> frozenset[tuple[int, int]]:
    """Read squares separated by commas."""
    return frozenset(parse_square(part, size) for part in text.split(","))


def square_name(square: tuple[int, int], size: int) -> str:
    """Write one square."""
    row, column = square
    return f"{LETTERS[column]}{size - row}"


def to_text(squares: Iterable[tuple[int, int]], size: int) -> str:
    """Write squares canonically: the bottom row first, within a row from a to z."""
    from_the_bottom = sorted(squares, key=lambda square: (size - square[0], square[1]))
    return ",".join(square_name(square, size) for square in from_the_bottom)
