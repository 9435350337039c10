"""`Book`: moves for the beginning of a game that were found by deep searches.

Owns the format of the files, and what makes two positions the same in a book. The moves are found
by ``training/make_book.py``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from blokus_fast import files
from blokus_fast._core import Board
from blokus_fast.learning.symmetry import Symmetry, symmetries
from blokus_fast.search.data import parse_file
from blokus_fast.variants import VARIANTS, Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["VERSION", "Book", "default_book", "load_book"]

VERSION: Final = 1
"""Version of the format."""

_FORMAT: Final = "blokus-fast opening book"
# Variants that have a book in the package.
_SHIPPED: Final = ("duo", "classic-2p")


@dataclass(frozen=True, eq=False, repr=False)
class Book:
    """A book of openings: the best move of positions, whatever moves led to them.

    Positions that a symmetry of the variant takes to one another are the same. Start rules that
    allow less, such as Duo with assigned start squares, use the same book: a move that is not
    legal is not found.

    Parameters
    ----------
    variant : str
        Name of the variant.
    moves : mapping of str to int
        A move for each position. The position is the color to move and the ids of the placements
        of each color, ascending, as ``0:60;93`` says it, under that symmetry of the variant that
        makes it the lowest; the move is meant under the same symmetry.
    origin : str
        How it came about.

    Raises
    ------
    ValueError
        There is no such variant.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.search.book import Book
    >>> board = bf.Board("duo")
    >>> book = Book("duo", {"0:;": board.parse_move("e10")})
    >>> board.move_text(book.find(board))
    'e10'
    >>> book.find(bf.Board("junior")) is None
    True
    """

    variant: str
    moves: Mapping[str, int]
    origin: str = ""

    def __post_init__(self) -> None:
        """Check that there is such a variant."""
        find_variant(self.variant)
        object.__setattr__(self, "moves", MappingProxyType(dict(self.moves)))

    @cached_property
    def _longest(self) -> int:
        """The most placements that a position of the book has."""
        return max((len(re.findall(r"[:;,]\d", key)) for key in self.moves), default=-1)

    def __repr__(self) -> str:
        """Return the variant and how many positions there are."""
        return f"<Book of {self.variant}, {len(self)} positions>"

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.moves)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the moves and texts."""
        return Book, (self.variant, dict(self.moves), self.origin)

    def find(self, board: Board) -> int | None:
        """Return the move for a position.

        Parameters
        ----------
        board : Board
            The position.

        Returns
        -------
        int or None
            Id of a legal move; None: the book does not know the position.
        """
        # Most of a game is behind the book: nothing is looked up then.
        placed = sum(len(board.placements(color)) for color in range(board.n_colors))
        if board.is_game_over or placed > self._longest:
            return None
        if not fits(board.variant, self.variant):
            return None
        key, ways = canonical(board)
        move = self.moves.get(key)
        if move is None:
            return None
        for way in ways:
            here = int(way.inverse.actions[move])
            if board.is_legal(here):
                return here
        return None

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file, whole or not at all.

        Parameters
        ----------
        path : str or path
            Where to; an older file is replaced.

        Raises
        ------
        ValueError
            `origin` has a number that JSON has not: infinity or NaN.
        OSError
            It cannot be written.
        """
        head = {"format": _FORMAT, "version": VERSION, "variant": self.variant}
        lines = [json.dumps({**head, "origin": self.origin}, allow_nan=False)[:-1] + ', "moves": {']
        entries = sorted(self.moves.items(), key=lambda entry: (len(entry[0]), entry[0]))
        lines += [f'"{key}":{move}{"," * (i + 1 < len(entries))}' for i, (key, move) in
                  enumerate(entries)]  # fmt: skip
        files.write_file(path, ("\n".join([*lines, "}}"]) + "\n").encode())


def fits(variant: Variant, name: str) -> bool:
    """Return whether a book of that variant is right for a board of this one.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.search.book import fits
    >>> fits(bf.variant("duo", start="assigned"), "duo"), fits(bf.variant("junior"), "duo")
    (True, False)
    """
    if variant.name != name or name not in VARIANTS:
        return False
    own = VARIANTS[name]
    return variant == find_variant(
        name, start=variant.start, scoring=own.scoring_rule
    ) and variant.start in (own.start, "assigned")


@cache
def _group(name: str) -> tuple[Symmetry, ...]:
    return tuple(symmetries(VARIANTS[name]))


def canonical(board: Board) -> tuple[str, list[Symmetry]]:
    """Return what a book calls a position, and the symmetries that lead there.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.search.book import canonical
    >>> canonical(bf.Board("duo"))[0]
    '0:;'
    """
    best: tuple[Any, ...] | None = None
    ways: list[Symmetry] = []
    for way in _group(board.variant.name):
        placed: list[tuple[int, ...]] = [()] * board.n_colors
        for color, other in enumerate(way.colors):
            placed[other] = tuple(sorted(int(way.actions[id]) for id in board.placements(color)))
        found = (way.colors[board.turn], *placed)
        if best is None or found < best:
            best, ways = found, []
        if found == best:
            ways.append(way)
    assert best is not None
    turn, *lists = best
    return f"{turn}:{';'.join(','.join(map(str, ids)) for ids in lists)}", ways


def load_book(path: str | PathLike[str]) -> Book:
    """Read a book from a file.

    Parameters
    ----------
    path : str or path
        A file that `Book.save` has written.

    Returns
    -------
    Book
        The book.

    Raises
    ------
    ValueError
        The file holds something else, or is of another version.
    OSError
        It cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from blokus_fast.search import default_book, load_book
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "duo.book")
    ...     default_book("duo").save(path)
    ...     print(len(load_book(path)) == len(default_book("duo")))
    True
    """
    return _parse(Path(path).read_bytes(), str(path))


def _parse(content: bytes, where: str) -> Book:
    data = parse_file(content, where, _FORMAT, VERSION, kind="a book of openings", name="a book")
    name, moves = data.get("variant"), data.get("moves")
    if not isinstance(name, str) or name not in VARIANTS or not isinstance(moves, dict):
        raise ValueError(f"{where}: a book of {name!r}, with {type(moves).__name__} of moves")
    most = VARIANTS[name]._rules().n_actions
    for key, move in moves.items():
        if not isinstance(move, int) or isinstance(move, bool) or not 0 <= move < most:
            raise ValueError(f"{where}: position {key[:80]!r} has no move of {name}: {move!r}")
    return Book(name, moves, str(data.get("origin", "")))


@cache
def default_book(variant: str) -> Book | None:
    """Return the book that the package has for a variant, if it has one.

    Parameters
    ----------
    variant : str
        Name of the variant.

    Returns
    -------
    Book or None
        The book.

    Examples
    --------
    >>> from blokus_fast.search.book import default_book
    >>> default_book("draft") is None
    True
    """
    if variant not in _SHIPPED:
        return None
    file = resources.files("blokus_fast") / "search" / "books" / f"{variant}.json"
    return _parse(file.read_bytes(), f"book {variant}")
