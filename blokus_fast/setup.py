"""Setting up a position from squares: every form in which squares and hands can be given.

Whether that is a position, the engine judges (src/engine/check.c).
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.checking import integer
from blokus_fast.errors import InvalidMoveError, InvalidPositionError
from blokus_fast.moves import PIECES, Move, parse_move, parse_square, square_text
from blokus_fast.moves.tables import move_table
from blokus_fast.scoring import ScoringRule
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["set_up"]

Squares = Mapping[Any, Iterable[Any]] | npt.ArrayLike
_MOST_OF_A_PIECE: Final = 7


def set_up(
    variant: str | Variant,
    squares: Squares,
    *,
    start: str | None = None,
    scoring: str | ScoringRule | None = None,
    turn: int | str | None = None,
    player: int | None = None,
    hands: Mapping[Any, Iterable[Any]] | Sequence[Mapping[Any, Iterable[Any]]] | None = None,
    monomino_last: Iterable[int | str] = (),
    placed: Sequence[int] | None = None,
) -> Board:
    """Make a board with pieces on it.

    Parameters
    ----------
    variant : str or Variant
        A name out of `VARIANTS`, or a variant.
    squares : mapping or array_like of int, shape (n, n)
        What lies on the board. A grid as `Board.grid` gives it: row 0 at the top, a color's
        number, or a negative number where nothing lies. Or a mapping from color (number or
        name) to squares: texts such as ``a20``, square indices, or whole pieces as `Move` or
        as text such as ``a19,a20``. Squares of a color that touch along edges are one piece.
    start, scoring : optional
        Start rule and scoring rule to use instead of the variant's own.
    turn : int or str, optional
        The color to move, by number or name; where it cannot, the turn goes on to the next
        one that can. Default: the first color in the order of play.
    player : int, optional
        The player to move. Only a shared color leaves a choice: by default it is the player
        after the one who placed its last piece, with player 0 for the first. In Draft the
        player to move, by default player 0; where he cannot, the next one who can.
    hands : mapping or sequence of mapping, optional
        From color to the names of the pieces still in hand, or to 21 counts, for colors that
        have less than the rest of their set. Default: what is not on the board. In Draft such
        a mapping for each player, which must be given; colors left out are not in his hand.
    monomino_last : iterable of int or str
        Colors whose last piece was the monomino; in Draft players.
    placed : sequence of int, optional
        Draft only: how many squares each player has placed. To be given if there are any.

    Returns
    -------
    Board
        The position. It has no history: `pop` on it raises IndexError.

    Raises
    ------
    InvalidPositionError
        The position breaks a rule; the message names color and square.
    ValueError
        A variant, rule, color or player does not exist.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> board = bf.set_up("duo", {"purple": ["e10", "f10"], "orange": ["j5"]}, turn="orange")
    >>> board.pieces_left(0)[:3]
    ('1', 'I3', 'V3')
    >>> bf.set_up("duo", board.grid(), turn=1) == board
    True
    >>> bf.set_up("duo", {"purple": ["e10", "g10"]})
    Traceback (most recent call last):
    ...
    blokus_fast.errors.InvalidPositionError: purple: the piece at g10 is not connected at a corner
    """
    rules = find_variant(variant, start=start, scoring=scoring)
    if not rules.draft and placed is not None:
        raise ValueError(f"placed is for variants with a draft, not for {rules.name}")
    if rules.draft and turn is not None:
        raise ValueError("turn: in Draft it is a player's turn, not a color's; name the player")
    position = _Position(rules)
    if isinstance(squares, Mapping):
        position.read_mapping(squares)
    else:
        position.read_grid(squares)
    position.check_named()
    squares_of = position.squares()
    if rules.draft:
        if hands is None:
            raise InvalidPositionError("a position of Draft needs the players' hands")
        flags = 0
        for name in monomino_last:
            if isinstance(name, str):
                raise ValueError(f"monomino_last: in Draft the number of a player, not {name!r}")
            flags |= 1 << _player(rules, name)
        first = 0 if player is None else _player(rules, player)
        counts = _placed(rules, placed)
        dealt = _deal(rules, hands)
        return _core._set_up(rules, squares_of, dealt, -1, first, flags, counts)
    flags = 0
    for name in monomino_last:
        flags |= 1 << _color(rules, name)
    first = rules.order[0] if turn is None else _color(rules, turn)
    next_player = _shared_player(rules, first, player)
    left = _hands(rules, hands)
    return _core._set_up(rules, squares_of, left, first, next_player, flags, ())


class _Position:
    """Squares by color, however they are given."""

    def __init__(self, rules: Variant) -> None:
        self.rules = rules
        self.size = rules.size
        self.owner: dict[int, int] = {}
        # Pieces that were named as such, by color: each has to be a piece of the position.
        self.named: list[tuple[int, int]] = []

    def name(self, color: int) -> str:
        return self.rules.color_names[color]

    def text(self, square: int) -> str:
        return square_text(square, self.size)

    def put(self, color: int, square: int, where: str) -> None:
        if not 0 <= square < self.size**2:
            raise InvalidPositionError(f"{self.name(color)}: square {where} is not on the board")
        if not self.rules.is_playable(*divmod(square, self.size)):
            raise InvalidPositionError(
                f"{self.name(color)}: square {self.text(square)} is not in play"
            )
        if self.owner.get(square, color) != color:
            raise InvalidPositionError(
                f"square {self.text(square)} belongs to {self.name(self.owner[square])} "
                f"and {self.name(color)}"
            )
        self.owner[square] = color

    def read_grid(self, squares: npt.ArrayLike) -> None:
        grid = np.asarray(squares)
        if grid.shape != (self.size, self.size) or grid.dtype.kind not in "iu":
            raise InvalidPositionError(
                f"a grid must be {self.size} by {self.size} integers, not "
                f"{grid.dtype} of shape {grid.shape}"
            )
        for square in np.flatnonzero(grid >= 0).tolist():
            color = int(grid.flat[square])
            if color >= self.rules.n_colors:
                raise InvalidPositionError(f"square {self.text(square)}: there is no color {color}")
            self.put(color, square, self.text(square))

    def read_mapping(self, squares: Mapping[Any, Iterable[Any]]) -> None:
        seen: set[int] = set()
        for key, values in squares.items():
            color = _color(self.rules, key)
            if color in seen:
                raise InvalidPositionError(f"{self.name(color)} stands twice")
            seen.add(color)
            if isinstance(values, str | Move):
                values = [values]
            elif not isinstance(values, Iterable):
                raise TypeError(f"{self.name(color)}: {values!r} is not a sequence of squares")
            for value in values:
                self.read_value(color, value)

    def read_value(self, color: int, value: Any) -> None:
        """Take a square or a piece."""
        if isinstance(value, Move):
            if value.size != self.size:
                raise InvalidPositionError(f"{self.name(color)}: {value!r} is of another board")
            piece = value
        elif isinstance(value, str) and "," in value:
            try:
                piece = Move(parse_move(value, self.size), self.size)
            except InvalidMoveError as error:
                raise InvalidPositionError(f"{self.name(color)}: {error}") from None
        elif isinstance(value, str):
            try:
                square = parse_square(value, self.size)
            except ValueError as error:
                raise InvalidPositionError(f"{self.name(color)}: {error}") from None
            self.put(color, square, value)
            return
        else:
            try:
                square = operator.index(value)
            except TypeError:
                raise InvalidPositionError(
                    f"{self.name(color)}: {value!r} is neither a square nor a piece"
                ) from None
            self.put(color, square, str(square))
            return
        for square in piece.squares:
            self.put(color, square, self.text(square))
        if piece.squares:
            self.named.append((color, piece._number))

    def squares(self) -> list[list[int]]:
        """Return the squares of each color, ascending."""
        found: list[list[int]] = [[] for _ in range(self.rules.n_colors)]
        for square in sorted(self.owner):
            found[self.owner[square]].append(square)
        return found

    def check_named(self) -> None:
        """Check that what was named as a piece is one, and not part of a larger one."""
        edges = move_table(self.size).edges
        for color, move in self.named:
            around = edges[move].tolist()
            if any(self.owner.get(square) == color for square in around):
                at = min(Move(move, self.size).squares)
                raise InvalidPositionError(
                    f"{self.name(color)}: the piece at {self.text(at)} touches another one of its "
                    "color along an edge"
                )


def _color(rules: Variant, color: Any) -> int:
    try:
        return rules.color(color)
    except TypeError:
        raise ValueError(f"a color is a number or a name, not {color!r}") from None


def _shared_player(rules: Variant, color: int, player: int | None) -> int:
    """Return who places a shared color next, -1 for whoever it is by the pieces."""
    if player is None:
        return -1
    player, owner = _player(rules, player), rules.owners[color]
    if owner is not None and owner != player:
        raise InvalidPositionError(
            f"{rules.color_names[color]} is to move, which player {owner} owns, not {player}"
        )
    return player if owner is None else -1


def _player(rules: Variant, player: int) -> int:
    number = integer(player, "player")
    if not 0 <= number < rules.players:
        raise ValueError(f"there is no player {player}: 0 to {rules.players - 1}")
    return number


def _deal(rules: Variant, hands: Any) -> list[list[tuple[int, ...]]]:
    """Read the hands of Draft's players as counts per player and color; the core calls this."""
    if not rules.draft:
        raise ValueError(
            f"hands are for variants with a draft, not for {rules.name}: "
            "with_pieces gives a color another set"
        )
    if isinstance(hands, str | Mapping) or not isinstance(hands, Iterable):
        raise TypeError(f"hands must be a sequence with a mapping per player, not {hands!r}")
    given = list(hands)
    if len(given) != rules.players:
        raise InvalidPositionError(f"{rules.players} players need as many hands, not {len(given)}")
    dealt = []
    for player, colors in enumerate(given):
        if not isinstance(colors, Mapping):
            raise TypeError(f"player {player}: {colors!r} is not a mapping from color to pieces")
        mine = [(0,) * len(PIECES)] * rules.n_colors
        seen: set[int] = set()
        for key, value in colors.items():
            color = _color(rules, key)
            name = f"player {player}, {rules.color_names[color]}"
            if color in seen:
                raise InvalidPositionError(f"{name} stands twice")
            seen.add(color)
            mine[color] = _hand(name, value)
        dealt.append(mine)
    return dealt


def _placed(rules: Variant, placed: Sequence[int] | None) -> list[int]:
    """Read how many squares every player has placed."""
    counts = [0] * rules.players if placed is None else [operator.index(n) for n in placed]
    if len(counts) != rules.players or min(counts) < 0:
        raise InvalidPositionError(
            f"placed must say for each of {rules.players} players how many of the squares on the "
            f"board are his, not {placed!r}"
        )
    return counts


def _hands(rules: Variant, hands: Any) -> list[tuple[int, ...] | None]:
    """Read hands as counts per color; None for what is not on the board."""
    left: list[tuple[int, ...] | None] = [None] * rules.n_colors
    if not isinstance(hands, Mapping | None):
        raise TypeError(f"hands must be a mapping from color to pieces, not {hands!r}")
    for key, value in (hands or {}).items():
        color = _color(rules, key)
        left[color] = _hand(rules.color_names[color], value)
    return left


def _hand(name: str, hand: Any) -> tuple[int, ...]:
    """Read a hand: names of pieces, or a count per piece."""
    if isinstance(hand, str) or not isinstance(hand, Iterable):
        raise TypeError(f"{name}: {hand!r} is not a hand")
    values = list(hand)
    if all(isinstance(value, str) for value in values):
        for value in values:
            if value not in PIECES:
                raise InvalidPositionError(
                    f"{name}: unknown piece {value!r} in hand; valid: {', '.join(PIECES)}"
                )
        return tuple(values.count(piece) for piece in PIECES)
    if len(values) != len(PIECES):
        raise InvalidPositionError(
            f"{name}: a hand is names of pieces or {len(PIECES)} counts, not {len(values)} values"
        )
    try:
        counts = tuple(operator.index(value) for value in values)
    except TypeError:
        raise InvalidPositionError(f"{name}: the counts of a hand must be integers") from None
    for piece, count in zip(PIECES, counts, strict=True):
        if not 0 <= count <= _MOST_OF_A_PIECE:
            raise InvalidPositionError(
                f"{name}: {count} of the piece {piece} is not in 0..{_MOST_OF_A_PIECE}"
            )
    return counts
