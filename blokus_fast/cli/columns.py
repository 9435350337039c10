"""Text that has to fit into columns of a terminal.

Signs of Chinese, Japanese and Korean, and most pictures, take two cells there; accents that are
signs of their own take none. rich knows how many.
"""

from __future__ import annotations

import re

from rich.cells import cell_len, set_cell_size

__all__ = ["cut", "padded", "prefix", "wrapped"]


def padded(text: str, cells: int) -> str:
    """Make a text as wide as that many cells: with blanks behind it, or cut.

    Examples
    --------
    >>> from blokus_fast.cli.columns import padded
    >>> padded("Ann", 5), padded("日本", 5), padded("日本語", 5)
    ('Ann  ', '日本 ', '日本 ')
    """
    return set_cell_size(text, max(cells, 0))


def prefix(text: str, cells: int) -> str:
    """Return as much of a text as that many cells have room for.

    Examples
    --------
    >>> from blokus_fast.cli.columns import prefix
    >>> prefix("Annabel", 3), prefix("日本語", 3)
    ('Ann', '日')
    """
    end = min(len(text), max(cells, 0))
    while end and cell_len(text[:end]) > cells:
        end -= 1
    # Accents behind it belong to it.
    while end < len(text) and cell_len(text[: end + 1]) <= cells:
        end += 1
    return text[:end]


def cut(text: str, cells: int, sign: str = "...") -> str:
    """Return a text that fits; where it is too wide, its beginning and a sign for the rest.

    Examples
    --------
    >>> from blokus_fast.cli.columns import cut
    >>> cut("Annabel", 7), cut("Annabel", 6), cut("日本語日本語", 10)
    ('Annabel', 'Ann...', '日本語...')
    """
    if cell_len(text) <= cells:
        return text
    return f"{prefix(text, cells - cell_len(sign))}{sign}"


def wrapped(text: str, cells: int) -> list[str]:
    """Break a text into lines at its blanks, and a word in itself where no line is wide enough.

    Examples
    --------
    >>> from blokus_fast.cli.columns import wrapped
    >>> wrapped("two  words", 6), wrapped("two  words", 10), wrapped("日本語 日本語", 5)
    (['two', 'words'], ['two  words'], ['日本', '語', '日本', '語'])
    """
    lines: list[str] = []
    line = ""
    for blanks, word in re.findall(r"(\s*)(\S+)", text):
        if cell_len(line + blanks + word) <= cells:
            line += f"{blanks}{word}"
            continue
        if line:
            lines.append(line)
        line = word
        while cell_len(line) > cells:
            # One sign at least: else there would be no end.
            first = prefix(line, cells) or line[0]
            lines.append(first)
            line = line[len(first) :]
    return [*lines, line] if line else lines
