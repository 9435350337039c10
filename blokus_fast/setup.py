"""Setting up a position from squares, with every check that a position has to pass.

Finds the pieces in the squares, checks them, and hands them to the core, which trusts it.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from blokus_fast._core import Board
from blokus_fast.errors import InvalidMoveError, InvalidPositionError
from blokus_fast.moves import (
    PIECES,
    Move,
    moves_to_placements,
    parse_move,
    parse_square,
    square_text,
    squares_to_moves,
)
from blokus_fast.scoring import ScoringRule
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["set_up"]

Squares = Mapping[Any, Iterable[Any]] | npt.ArrayLike
_Neighbors = tuple[tuple[int, int], ...]
_EDGES: _Neighbors = ((-1, 0), (0, -1), (0, 1), (1, 0))
_CORNERS: _Neighbors = ((-1, -1), (-1, 1), (1, -1), (1, 1))


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
    placements = [position.pieces_of(color) for color in range(rules.n_colors)]
    for color in range(rules.n_colors):
        position.check_connection(color, placements[color])
    if rules.draft:
        if hands is None:
            raise InvalidPositionError("a position of Draft needs the players' hands")
        dealt = _dealt(rules, placements, hands)
        flags = _draft_flags(rules, placements, monomino_last)
        squares_of = _placed(rules, len(position.owner), placed)
        for number, count in enumerate(squares_of):
            if flags >> number & 1 and count == 0:
                raise InvalidPositionError(
                    f"the monomino cannot be the last piece of player {number}, who placed none"
                )
        first = 0 if player is None else _player(rules, player)
        return Board._from_placements(rules, placements, dealt, -1, first, flags, squares_of)
    left = _hands(rules, placements, hands)
    last = 0
    for name in monomino_last:
        color = _color(rules, name)
        if PIECES.index("1") not in _pieces(rules, placements[color]):
            raise InvalidPositionError(
                f"{rules.color_names[color]}: the monomino cannot be the last piece, since it "
                "is not on the board"
            )
        last |= 1 << color
    first = rules.order[0] if turn is None else _color(rules, turn)
    next_player = _shared_player(rules, placements, first, player)
    return Board._from_placements(rules, placements, left, first, next_player, last)


class _Position:
    """Squares by color, and the pieces found in them."""

    def __init__(self, rules: Variant) -> None:
        self.rules = rules
        self.size = rules.size
        self.owner: dict[int, int] = {}
        # Pieces that were named as such: each has to be a piece of the position.
        self.named: list[tuple[int, frozenset[int]]] = []

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
            piece: tuple[int, ...] = value.squares
        elif isinstance(value, str) and "," in value:
            try:
                piece = Move(parse_move(value, self.size), self.size).squares
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
        for square in piece:
            self.put(color, square, self.text(square))
        self.named.append((color, frozenset(piece)))

    def neighbors(self, square: int, steps: _Neighbors) -> Iterable[int]:
        row, column = divmod(square, self.size)
        for down, right in steps:
            if 0 <= row + down < self.size and 0 <= column + right < self.size:
                yield square + down * self.size + right

    def pieces_of(self, color: int) -> list[int]:
        """Find the pieces of a color: its squares that touch along edges."""
        rest = {square for square, owner in self.owner.items() if owner == color}
        pieces = []
        while rest:
            # From the lowest square, so that the order does not depend on how they were given.
            queue = [min(rest)]
            rest.discard(queue[0])
            for square in queue:
                for other in self.neighbors(square, _EDGES):
                    if other in rest:
                        rest.discard(other)
                        queue.append(other)
            pieces.append(self.piece_id(color, queue))
        return pieces

    def piece_id(self, color: int, squares: list[int]) -> int:
        """Find the move that covers squares which touch along edges."""
        at = self.text(squares[0])
        found = frozenset(squares)
        for owner, named in self.named:
            if owner == color and named & found and named != found:
                raise InvalidPositionError(
                    f"{self.name(color)}: the piece at {self.text(min(named))} touches "
                    "another one of its color along an edge"
                )
        if len(squares) > 5:
            raise InvalidPositionError(
                f"{self.name(color)}: the {len(squares)} squares at {at} are more than a piece "
                "has, or two pieces that touch along an edge"
            )
        padded = squares + [-1] * (5 - len(squares))
        return int(squares_to_moves([padded], self.size)[0])

    def check_connection(self, color: int, placements: Sequence[int]) -> None:
        """Check that a color could have come to lie so: from a start square, by corners."""
        if not placements:
            return
        squares = [set(Move(number, self.size).squares) for number in placements]
        names = _pieces(self.rules, placements)
        starts = set(self.rules.opening_squares[color])
        allowed = self.rules.first_pieces
        first = [index for index, piece in enumerate(squares) if piece & starts]
        if not first:
            if self.rules.start == "border":
                raise InvalidPositionError(f"{self.name(color)}: no piece touches the rim")
            what = "the start square" if len(starts) == 1 else "a start square:"
            texts = ", ".join(self.text(square) for square in sorted(starts))
            raise InvalidPositionError(f"{self.name(color)}: no piece covers {what} {texts}")
        if allowed is not None:
            first = [index for index in first if PIECES[names[index]] in allowed]
            if not first:
                raise InvalidPositionError(
                    f"{self.name(color)}: no piece at its start is one of {', '.join(allowed)}"
                )
        reached, rest = [first[0]], set(range(len(squares))) - {first[0]}
        for index in reached:
            around = {
                other for square in squares[index] for other in self.neighbors(square, _CORNERS)
            }
            for other in sorted(rest):
                if squares[other] & around:
                    rest.discard(other)
                    reached.append(other)
        if rest:
            at = self.text(min(squares[min(rest)]))
            raise InvalidPositionError(
                f"{self.name(color)}: the piece at {at} is not connected at a corner"
            )


def _pieces(rules: Variant, placements: Sequence[int]) -> list[int]:
    """Return the piece of every placement."""
    if not placements:
        return []
    found: list[int] = moves_to_placements(placements, rules.size)[:, 0].tolist()
    return found


def _color(rules: Variant, color: Any) -> int:
    try:
        return rules.color(color)
    except TypeError:
        raise ValueError(f"a color is a number or a name, not {color!r}") from None


def _shared_player(
    rules: Variant, placements: Sequence[Sequence[int]], color: int, player: int | None
) -> int:
    """Return the player who places a shared color next; checks the player to move."""
    owner = rules.owners[color]
    if player is not None:
        player = _player(rules, player)
        if owner is None:
            return player
        if owner != player:
            raise InvalidPositionError(
                f"{rules.color_names[color]} is to move, which player {owner} owns, not {player}"
            )
    # The players place shared colors in turn, so the pieces tell who comes next.
    shared = zip(rules.owners, placements, strict=True)
    return sum(len(pieces) for owner, pieces in shared if owner is None) % rules.players


def _player(rules: Variant, player: int) -> int:
    number = operator.index(player)
    if not 0 <= number < rules.players:
        raise ValueError(f"there is no player {player}: 0 to {rules.players - 1}")
    return number


def _deal(rules: Variant, hands: Any) -> list[list[tuple[int, ...]]]:
    """Check the hands that a game of Draft starts from; the core calls this."""
    if not rules.draft:
        raise ValueError(
            f"hands are for variants with a draft, not for {rules.name}: "
            "with_pieces gives a color another set"
        )
    return _dealt(rules, ((),) * rules.n_colors, hands)


def _dealt(
    rules: Variant, placements: Sequence[Sequence[int]], hands: Any
) -> list[list[tuple[int, ...]]]:
    """Read the hands of Draft's players, and check them against what is not on the board."""
    if isinstance(hands, str | Mapping) or not isinstance(hands, Iterable):
        raise TypeError(f"hands must be a sequence with a mapping per player, not {hands!r}")
    given = list(hands)
    if len(given) != rules.players:
        raise InvalidPositionError(f"{rules.players} players need as many hands, not {len(given)}")
    rest = [list(counts) for counts in _rest(rules, placements)]
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
            if isinstance(value, str) or not isinstance(value, Iterable):
                raise TypeError(f"{name}: {value!r} is not a hand")
            mine[color] = _hand(name, list(value))
            for piece, count in enumerate(mine[color]):
                if not 0 <= count <= rest[color][piece]:
                    raise InvalidPositionError(
                        f"{name}: {count} of the piece {PIECES[piece]} in hand, where "
                        f"{rest[color][piece]} are left"
                    )
                rest[color][piece] -= count
        dealt.append(mine)
    return dealt


def _draft_flags(
    rules: Variant, placements: Sequence[Sequence[int]], players: Iterable[int | str]
) -> int:
    """Return a bit per player whose last piece was a monomino."""
    flags = 0
    for player in players:
        if isinstance(player, str):
            raise ValueError(f"monomino_last: in Draft the number of a player, not {player!r}")
        flags |= 1 << _player(rules, player)
    on_board = sum(_pieces(rules, moves).count(PIECES.index("1")) for moves in placements)
    if flags.bit_count() > on_board:
        raise InvalidPositionError(
            f"the monomino cannot be the last piece of {flags.bit_count()} players: "
            f"{on_board} are on the board"
        )
    return flags


def _placed(rules: Variant, squares: int, placed: Sequence[int] | None) -> list[int]:
    """Check how many squares every player has placed."""
    counts = [0] * rules.players if placed is None else [operator.index(n) for n in placed]
    if len(counts) != rules.players or min(counts) < 0 or sum(counts) != squares:
        raise InvalidPositionError(
            f"placed must say for each of {rules.players} players how many of the {squares} "
            f"squares on the board are his, not {placed!r}"
        )
    return counts


def _rest(rules: Variant, placements: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Work out what is not on the board of every color's set."""
    left = []
    for color, name in enumerate(rules.color_names):
        rest = list(rules.hands[color])
        for number, piece in zip(placements[color], _pieces(rules, placements[color]), strict=True):
            rest[piece] -= 1
            if rest[piece] < 0:
                at = square_text(min(Move(number, rules.size).squares), rules.size)
                raise InvalidPositionError(
                    f"{name}: the piece {PIECES[piece]} at {at} is one more than its set has"
                )
        left.append(tuple(rest))
    return left


def _hands(
    rules: Variant, placements: Sequence[Sequence[int]], hands: Any
) -> list[tuple[int, ...]]:
    """Work out what every color still has, and check it against its set."""
    left = _rest(rules, placements)
    if not isinstance(hands, Mapping | None):
        raise TypeError(f"hands must be a mapping from color to pieces, not {hands!r}")
    for key, value in (hands or {}).items():
        color = _color(rules, key)
        name = rules.color_names[color]
        if not isinstance(value, Iterable):
            raise TypeError(f"{name}: {value!r} is not a hand")
        hand = _hand(name, list(value))
        for piece, (count, most) in enumerate(zip(hand, left[color], strict=True)):
            if not 0 <= count <= most:
                raise InvalidPositionError(
                    f"{name}: {count} of the piece {PIECES[piece]} in hand, where its set "
                    f"leaves {most}"
                )
        left[color] = hand
    return left


def _hand(name: str, values: list[Any]) -> tuple[int, ...]:
    """Read a hand: names of pieces, or a count per piece."""
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
        return tuple(operator.index(value) for value in values)
    except TypeError:
        raise InvalidPositionError(f"{name}: the counts of a hand must be integers") from None
