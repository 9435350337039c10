"""Openings: positions from which the games of a set begin. Drawn by chance, or read from a file."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Final

from blokus_fast._core import Board
from blokus_fast.errors import RecordError
from blokus_fast.position import parse_position, position_text
from blokus_fast.records import read_all
from blokus_fast.variants import Variant

__all__ = ["Opening", "draw", "read_openings"]

# So often an opening is drawn anew that is the end of the game already.
_ATTEMPTS: Final = 100


@dataclass(frozen=True)
class Opening:
    """Where a game begins: a position, and moves from there.

    Attributes
    ----------
    moves : tuple of int
        Ids of the moves.
    position : str or None
        Text of the position; None: the beginning of a game.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.arena import Opening
    >>> opening = Opening((bf.Board("duo").parse_move("e10"),))
    >>> opening.board(bf.variant("duo")).turn
    1
    """

    moves: tuple[int, ...] = ()
    position: str | None = None

    def __post_init__(self) -> None:
        # JSON knows lists only.
        object.__setattr__(self, "moves", tuple(self.moves))

    def board(self, variant: Variant) -> Board:
        """Return the position after the moves; they can be taken back.

        Parameters
        ----------
        variant : Variant
            The rules.

        Returns
        -------
        Board
            A new one.

        Raises
        ------
        ValueError
            The position is of another variant, the moves are not possible, or the game is over.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.arena import Opening
        >>> Opening(moves=(60,)).board(bf.variant("duo")).ply
        1
        """
        board = Board(variant) if self.position is None else parse_position(self.position, variant)
        for move in self.moves:
            board.push(move)
        if board.is_game_over:
            raise ValueError("an opening is the end of the game already")
        return board

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data.

        Returns
        -------
        dict
            What `json.dumps` takes.

        Examples
        --------
        >>> from blokus_fast.arena import Opening
        >>> Opening(moves=(60,)).to_json()
        {'moves': [60], 'position': None}
        """
        return {**asdict(self), "moves": list(self.moves)}


def draw(variant: Variant, plies: int, seed: int, number: int) -> Opening:
    """Draw an opening: every move uniformly of the legal ones.

    Parameters
    ----------
    variant : Variant
        The rules.
    plies : int
        How many moves.
    seed, number : int
        The run's seed, and the number of the opening.

    Returns
    -------
    Opening
        The opening.

    Raises
    ------
    ValueError
        The game was over after so many plies, again and again.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.arena.openings import draw
    >>> duo = bf.variant("duo")
    >>> len(draw(duo, 2, seed=1, number=0).moves), draw(duo, 0, 1, 0)
    (2, Opening(moves=(), position=None))
    """
    return _drawn(Board(variant), plies, random.Random(f"{seed}/opening/{number}"), None)


def extend(opening: Opening, variant: Variant, plies: int, seed: int, number: int) -> Opening:
    """Draw more moves behind an opening."""
    rng = random.Random(f"{seed}/opening/{number}")
    drawn = _drawn(opening.board(variant), plies, rng, opening.position)
    return Opening(opening.moves + drawn.moves, opening.position)


def _drawn(start: Board, plies: int, rng: random.Random, position: str | None) -> Opening:
    for _ in range(_ATTEMPTS):
        board = start.copy()
        moves: list[int] = []
        while len(moves) < plies and not board.is_game_over:
            legal = board.legal_ids()
            moves.append(int(legal[rng.randrange(len(legal))]))
            board.push(moves[-1])
        if not board.is_game_over:
            return Opening(tuple(moves), position)
    raise ValueError(f"after {plies} random plies of {start.variant.name} the game is over")


def read_openings(file: str | PathLike[str], variant: Variant) -> list[Opening]:
    """Read openings from a file.

    Parameters
    ----------
    file : str or path
        Game records (``.blksgf``), whose main lines are the openings; or position texts, one a
        line, with empty lines and comments that begin with ``#``.
    variant : Variant
        The rules; all openings must be of them.

    Returns
    -------
    list of Opening
        The openings, at least one.

    Raises
    ------
    ValueError
        There is none, or one is wrong; the message says where.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> import os, tempfile
    >>> import blokus_fast as bf
    >>> from blokus_fast.arena import read_openings
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "openings.txt")
    ...     with open(path, "w") as file:
    ...         print("# the beginning", file=file)
    ...         print(bf.position_text(bf.Board("duo")), file=file)
    ...     len(read_openings(path, bf.variant("duo")))
    1
    """
    path = Path(file)
    is_record = path.suffix.lower() in (".blksgf", ".sgf")
    found = _read_records(path, variant) if is_record else _read_positions(path, variant)
    if not found:
        raise ValueError(f"{path}: there is no opening in it")
    return found


def _read_records(path: Path, variant: Variant) -> list[Opening]:
    found = []
    try:
        with read_all(path) as reader:
            for number, record in enumerate(reader, start=1):
                where = f"{path}, game {number}"
                if record.variant.name != variant.name:
                    own = record.variant.name
                    raise ValueError(f"{where}: an opening is of {own}, not of {variant.name}")
                for problem in (*reader.warnings, *record.warnings):
                    raise ValueError(f"{where}: {problem}")
                node = record.root
                while node.variations:
                    node = node.variations[0]
                board = node.board()
                moves = tuple(board.move_stack)
                for _ in moves:
                    board.pop()
                empty = board.key() == Board(board.variant).key()
                opening = Opening(moves, None if empty else position_text(board))
                found.append(_checked(opening, variant, where))
    except RecordError as error:
        raise ValueError(str(error)) from error
    return found


def _read_positions(path: Path, variant: Variant) -> list[Opening]:
    found = []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text in UTF-8") from None
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            found.append(_checked(Opening((), text), variant, f"{path}, line {number}"))
    return found


def _checked(opening: Opening, variant: Variant, where: str) -> Opening:
    try:
        opening.board(variant)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error
    return opening
