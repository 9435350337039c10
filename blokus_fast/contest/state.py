"""What a state message says of a game, as data, as XML, and as a `Board`.

Owns the meaning of the element ``<state>``. How a game is followed from one state to the next is in
`following`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.contest.errors import ProtocolError
from blokus_fast.contest.moves import SkippedTurn, move_xml, number, read_move, truth
from blokus_fast.contest.pieces import COLORS, KINDS, PIECE_OF_KIND, SIZE, PlacedPiece
from blokus_fast.contest.stream import Element, element_text
from blokus_fast.errors import InvalidPositionError
from blokus_fast.moves import PIECE_SIZES, PIECES
from blokus_fast.moves.tables import move_table
from blokus_fast.variants import Variant, software_challenge_2027

__all__ = ["LAST_ROUND", "State", "state_of", "variant_of"]

LAST_ROUND: Final = 25
"""The round in which nobody is asked any more: the game is over when the counter reaches it."""

N: Final = len(COLORS)
_COLOR: Final = {name: color for color, name in enumerate(COLORS)}
_PIECE: Final = {kind: PIECES.index(piece) for kind, piece in PIECE_OF_KIND.items()}
_EMPTY: Final = 255
_HANDS: Final = ("blueShapes", "yellowShapes", "redShapes", "greenShapes")
_PLAY: Final = 1
_OVER: Final = 0


@lru_cache(maxsize=64)
def variant_of(opening: str | None) -> Variant:
    """Return the contest's variant with an opening piece; None: it is not known.

    Parameters
    ----------
    opening : str, optional
        Our name of the piece. The contest draws pentominoes; others are taken too.

    Examples
    --------
    >>> from blokus_fast.contest.state import variant_of
    >>> variant_of("W").first_pieces, variant_of("1").first_pieces
    (('W',), ('1',))
    """
    if opening is None or PIECE_SIZES[PIECES.index(opening)] == max(PIECE_SIZES):
        return software_challenge_2027(opening)
    return replace(software_challenge_2027(), first_pieces=(opening,))


@dataclass(frozen=True, slots=True)
class State:
    """A position as the contest's server says it.

    Parameters
    ----------
    turn : int
        Turns so far, those of colors that were passed over too.
    opening : str or None
        Our name of the piece that opens every color; None if it is not known.
    grid : bytes
        A byte for every square, row by row from the top left: the color, or 255.
    hands : tuple of tuple of int
        Per color a count for each of the 21 pieces that it has left.
    last_move : PlacedPiece or SkippedTurn or None
        What was played last.
    in_game : tuple of int
        The colors that the server still asks.
    monomino_last : tuple of int
        Colors that have placed everything, the monomino last.
    problems : tuple of str
        What was passed over when it was read.

    Examples
    --------
    >>> from blokus_fast.contest import state_of
    >>> import blokus_fast as bf
    >>> board = bf.Board(bf.variants.software_challenge_2027("W"))
    >>> state = state_of(board)
    >>> state.turn, state.round, state.color, state.is_over
    (0, 1, 0, False)
    >>> state.board() == board
    True
    """

    turn: int
    opening: str | None
    grid: bytes
    hands: tuple[tuple[int, ...], ...]
    last_move: PlacedPiece | SkippedTurn | None = None
    in_game: tuple[int, ...] = (0, 1, 2, 3)
    monomino_last: tuple[int, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def round(self) -> int:
        """The round, counted from 1."""
        return 1 + self.turn // N

    @property
    def color(self) -> int:
        """The color to move."""
        return self.turn % N

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.round >= LAST_ROUND or not self.in_game

    def board(self) -> Board:
        """Make a board of it.

        Whether the monomino was a color's last piece is told only where all are placed; before
        that it means nothing.

        Returns
        -------
        Board
            The position; there are no moves to take back.

        Raises
        ------
        InvalidPositionError
            It breaks a rule.

        Examples
        --------
        >>> from blokus_fast.contest import state_of
        >>> import blokus_fast as bf
        >>> state_of(bf.Board("software-challenge-2027")).board().turn
        0
        """
        squares = [[square for square, own in enumerate(self.grid) if own == c] for c in range(N)]
        flags = sum(1 << color for color in self.monomino_last)
        variant, hands = variant_of(self.opening), list(self.hands)
        rounds = min(self.turn // N, variant.max_rounds)
        over = self.is_over
        rest = (None, rounds, _OVER if over else _PLAY, -1 if over else self.color)
        try:
            return _core._set_up(variant, squares, hands, self.color, -1, flags, (), rest)
        except InvalidPositionError as error:
            if error.reason not in ("over", "stuck", None):
                raise
        # Whoever is to move by the turn cannot place: let the engine look for who can.
        board = _core._set_up(variant, squares, hands, self.color, -1, flags, (), None)
        if board.is_game_over:
            return board
        rounds += board.turn < self.color
        over = rounds >= variant.max_rounds
        rest = (None, rounds, _OVER if over else _PLAY, -1 if over else board.turn)
        return _core._set_up(variant, squares, hands, board.turn, -1, flags, (), rest)

    def agrees(self, board: Board) -> bool:
        """Tell whether a board is at this position: squares, hands, turn and round.

        Parameters
        ----------
        board : Board
            The board.

        Returns
        -------
        bool
            Whether all of it is the same.

        Examples
        --------
        >>> from blokus_fast.contest import state_of
        >>> import blokus_fast as bf
        >>> board = bf.Board("software-challenge-2027")
        >>> state = state_of(board)
        >>> board.push(board.legal_ids()[0])
        >>> state.agrees(board)
        False
        """
        if board.grid().tobytes() != self.grid or board.is_game_over != self.is_over:
            return False
        if any(board.hand(color) != self.hands[color] for color in range(N)):
            return False
        return board.is_game_over or (board.turn, board.round) == (self.color, self.turn // N)

    def placements(self) -> npt.NDArray[np.intp]:
        """List the placements of the color to move by what lies on the squares, and nothing else.

        Slower than `Board.legal_ids`, and for positions that no game leads to, of which there can
        be no board: a server asks for a move all the same.

        Returns
        -------
        ndarray of intp
            Ids of placements, ascending.

        Examples
        --------
        >>> from blokus_fast.contest import state_of
        >>> import blokus_fast as bf
        >>> board = bf.Board(bf.variants.software_challenge_2027("W"))
        >>> len(state_of(board).placements()), board.count_legal()
        (272, 272)
        """
        grid = np.full((SIZE + 2, SIZE + 2), _EMPTY, np.uint8)
        grid[1:-1, 1:-1] = np.frombuffer(self.grid, np.uint8).reshape(SIZE, SIZE)
        own, inner = grid == self.color, slice(1, -1)
        edges = own[:-2, inner] | own[2:, inner] | own[inner, :-2] | own[inner, 2:]
        free = (grid[inner, inner] == _EMPTY) & ~edges
        if own.any():
            begin = own[:-2, :-2] | own[:-2, 2:] | own[2:, :-2] | own[2:, 2:]
        else:
            begin = np.ones((SIZE, SIZE), bool)
            begin[inner, inner] = False
        table = move_table(SIZE)
        # Past its end a row of squares is padded with -1: the last place, which is always free.
        padded_free = np.append(free.ravel(), True)
        padded_begin = np.append(begin.ravel(), False)
        pieces = np.array(self.hands[self.color], bool)
        if not own.any():
            first = variant_of(self.opening).first_pieces or PIECES
            pieces &= np.array([piece in first for piece in PIECES])
        legal = padded_free[table.squares].all(axis=1) & padded_begin[table.squares].any(axis=1)
        return np.flatnonzero(legal & pieces[table.info[:, 0]])

    def xml(self) -> str:
        """Write it as the server does.

        Returns
        -------
        str
            One element.

        Examples
        --------
        >>> from blokus_fast.contest import state_of
        >>> import blokus_fast as bf
        >>> state_of(bf.Board(bf.variants.software_challenge_2027("W"))).xml()[:64]
        '<state startTeam="ONE" turn="0" startPiece="PENTO_W" round="1"><'
        """
        fields = "".join(
            f'<field x="{square % SIZE}" y="{square // SIZE}" content="{COLORS[color]}"/>'
            for square, color in enumerate(self.grid)
            if color != _EMPTY
        )
        done = [color for color in range(N) if not any(self.hands[color])]
        parts = [
            "" if self.last_move is None else move_xml("lastMove", self.last_move),
            element_text("board", {}, fields),
            element_text(
                "lastMoveMono",
                {},
                "".join(
                    f"<entry><color>{COLORS[color]}</color>"
                    f"<boolean>{truth(color in self.monomino_last)}</boolean></entry>"
                    for color in done
                ),
            ),
        ]
        for name, hand in zip(_HANDS, self.hands, strict=True):
            shapes = (kind for kind, piece in _PIECE.items() if hand[piece])
            parts.append(
                element_text(name, {}, "".join(f"<shape>{kind}</shape>" for kind in shapes))
            )
        colors = "".join(f"<color>{COLORS[color]}</color>" for color in self.in_game)
        parts.append(element_text("validColors", {}, colors))
        attributes = {"startTeam": "ONE", "turn": str(self.turn)}
        if self.opening is not None:
            attributes["startPiece"] = KINDS[self.opening]
        attributes["round"] = str(self.round)
        return element_text("state", attributes, "".join(parts))

    @classmethod
    def read(cls, element: Element) -> State:
        """Read an element ``<state>``.

        Parameters
        ----------
        element : Element
            The element.

        Returns
        -------
        State
            What it says. Single things that make no sense are passed over, and are in `problems`.

        Raises
        ------
        ProtocolError
            The turn makes no sense, or there is no board.

        Examples
        --------
        >>> from blokus_fast.contest import State
        >>> from blokus_fast.contest.stream import ElementReader
        >>> text = b'<protocol><state turn="5" startPiece="PENTO_X"><board/></state>'
        >>> state = State.read(ElementReader().feed(text)[0])
        >>> state.turn, state.color, state.opening, len(state.problems)
        (5, 1, 'X', 4)
        """
        problems: list[str] = []
        turn = number(element, "turn")
        if not 0 <= turn < 1 << 15:
            raise ProtocolError(f"a state of turn {turn}")
        opening = PIECE_OF_KIND.get(element.attributes.get("startPiece", ""))
        if opening is None:
            problems.append(f"unknown start piece {element.attributes.get('startPiece')!r:.60}")
        return cls(
            turn,
            opening,
            _read_grid(element, problems),
            tuple(_read_hand(element, name, problems) for name in _HANDS),
            _read_last_move(element, problems),
            _read_colors(element, problems),
            _read_monomino_last(element),
            tuple(problems),
        )


def state_of(
    board: Board,
    *,
    last_move: PlacedPiece | SkippedTurn | None = None,
    turn: int | None = None,
    in_game: Sequence[int] | None = None,
) -> State:
    r"""Say a position as the contest's server would.

    Parameters
    ----------
    board : Board
        The position, of the contest's variant.
    last_move : PlacedPiece or SkippedTurn, optional
        What was played last.
    turn : int, optional
        The server's count of turns. Default: as round and color have it.
    in_game : sequence of int, optional
        The colors that the server still asks. Default: those that can place.

    Returns
    -------
    State
        The state.

    Raises
    ------
    ValueError
        The board is of another variant.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.contest import state_of
    >>> board = bf.Board(bf.variants.software_challenge_2027("X"))
    >>> board.push(board.legal_ids()[0])
    >>> state_of(board).turn, state_of(board).grid[:4]
    (1, b'\xff\x00\xff\xff')
    """
    variant = board.variant
    if (variant.size, variant.n_colors, variant.draft) != (SIZE, N, False):
        raise ValueError(f"{variant.name} is not played in the contest")
    first = variant.first_pieces or ()
    able = tuple(color for color in range(N) if board.any_legal(color=color))
    over = LAST_ROUND * N - N
    hands = tuple(board.hand(color) for color in range(N))
    flags = board._rest()[0]
    return State(
        turn if turn is not None else over if board.is_game_over else board.round * N + board.turn,
        first[0] if len(first) == 1 else None,
        board.grid().tobytes(),
        hands,
        last_move,
        able if in_game is None else tuple(in_game),
        tuple(color for color in range(N) if not any(hands[color]) and flags >> color & 1),
    )


def _read_grid(element: Element, problems: list[str]) -> bytes:
    board = element.find("board")
    if board is None:
        raise ProtocolError("a state without a board")
    grid = bytearray([_EMPTY]) * (SIZE * SIZE)
    for field in board.children:
        said = field.attributes
        try:
            content = said["content"]
            if content == "EMPTY":
                continue
            x, y = int(said["x"]), int(said["y"])
            if not (0 <= x < SIZE and 0 <= y < SIZE):
                raise ValueError
            grid[y * SIZE + x] = _COLOR[content]
        except (KeyError, ValueError):
            problems.append(f"unknown field {str(dict(said))[:99]}")
    return bytes(grid)


def _read_hand(element: Element, name: str, problems: list[str]) -> tuple[int, ...]:
    shapes = element.find(name)
    hand = [0] * len(PIECES)
    if shapes is None:
        problems.append(f"a state without {name}")
        return (1,) * len(PIECES)
    for shape in shapes.children:
        piece = _PIECE.get(shape.text.strip())
        if piece is None:
            problems.append(f"unknown piece {shape.text[:60]!r} in {name}")
        else:
            hand[piece] = 1
    return tuple(hand)


def _read_last_move(element: Element, problems: list[str]) -> PlacedPiece | SkippedTurn | None:
    last = element.find("lastMove")
    if last is None:
        return None
    try:
        return read_move(last)
    except ProtocolError as error:
        problems.append(f"the last move: {error}")
        return None


def _read_colors(element: Element, problems: list[str]) -> tuple[int, ...]:
    colors = element.find("validColors")
    if colors is None:
        return tuple(range(N))
    found = {_COLOR.get(color.text.strip()) for color in colors.children}
    if None in found:
        problems.append("unknown colors in validColors")
    return tuple(color for color in range(N) if color in found)


def _read_monomino_last(element: Element) -> tuple[int, ...]:
    """Read a map from colors to truth, whatever the elements in it are called."""
    found = []
    entries = element.find("lastMoveMono")
    for entry in () if entries is None else entries.children:
        words = [child.text.strip() for child in entry.children]
        if len(words) == 2 and words[0] in _COLOR and words[1] == "true":
            found.append(_COLOR[words[0]])
    return tuple(sorted(set(found)))
