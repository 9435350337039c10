"""Counts with what is counted, in the singular where it is one. Owns no other words."""

from __future__ import annotations

__all__ = ["counted"]


def counted(count: int, noun: str, form: str = "") -> str:
    """Write a number with a noun behind it.

    Parameters
    ----------
    count : int
        How many.
    noun : str
        What, in the singular; the plural has an ``s``.
    form : str
        How the number is formatted.

    Returns
    -------
    str
        Both.

    Examples
    --------
    >>> from blokus_fast.words import counted
    >>> counted(1, "move"), counted(0, "move"), counted(2000, "move sequence", ",")
    ('1 move', '0 moves', '2,000 move sequences')
    """
    return f"{count:{form}} {noun}{'' if count == 1 else 's'}"
