"""Position text: a whole position of any variant on one line. The grammar is in docs/position.md.

Writing reads a board and nothing else. What is read, the engine judges as it does every position,
so that no text, however odd, makes a board that breaks the rules. Knows nothing of game records.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.checking import expect
from blokus_fast.errors import InvalidPositionError
from blokus_fast.moves import PIECES, Move
from blokus_fast.scoring import SCORING_RULES
from blokus_fast.setup import _Position
from blokus_fast.variants import START_RULES, Variant
from blokus_fast.variants import variant as find_variant
from blokus_fast.variants.text import parse_variant, same_but_rules, variant_text

__all__ = ["parse_position", "position_text"]

_COLORS = "abcd"
_SIGNS = "abcd."
_RUN = re.compile(r"([0-9]*)([^0-9])?")
_COUNT = re.compile(r"[1-9][0-9]?")
_TO_MOVE = re.compile(r"-|([a-d])([0-3])?|([0-3])")
_HAND = re.compile(r"hand-([0-3]?)([a-d])")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,4}")
_MOST = 2**16 - 1
_MOST_OF_A_PIECE = 7
# Phases of a game, as the core numbers them.
_OVER, _PLAY, _DRAFT = 0, 1, 2


def position_text(board: Board) -> str:
    """Write a position as one line of text.

    Parameters
    ----------
    board : Board
        The position.

    Returns
    -------
    str
        The text; equal positions have the same one. Moves to take back are not in it.

    See Also
    --------
    parse_position : reads it.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> board = bf.Board("duo")
    >>> board.push(board.parse_move("e8,d9,e9,f9,e10"))
    >>> print(bf.position_text(board))
    duo 14./14./14./14./4.a9./3.3a8./4.a9./14./14./14./14./14./14./14. b
    """
    expect(board, Board, "board")
    variant = board.variant
    shipped = same_but_rules(variant)
    parts = [variant_text(variant) if shipped is None else variant.name]
    rows = board.grid().tolist()
    parts.append("/".join(_row_text(row) for row in rows))
    flags, shared, by_pieces, placed, phase = board._rest()
    parts.append(_to_move_text(board, phase))
    if shipped is not None and variant.start != shipped.start:
        parts.append(f"start={variant.start}")
    if shipped is not None and variant.scoring != shipped.scoring:
        parts.append(f"scoring={variant.scoring_name}")
    placements = [board.placements(color) for color in range(variant.n_colors)]
    parts.extend(_hand_texts(board, placements))
    names = "0123" if variant.draft else _COLORS
    last = "".join(name for number, name in enumerate(names) if flags >> number & 1)
    if last:
        parts.append(f"last={last}")
    if variant.draft and phase != _DRAFT:
        parts.append("placed=" + ",".join(map(str, placed[: variant.players])))
    if shared != by_pieces and _needs_shared(board):
        parts.append(f"shared={shared}")
    if variant.max_rounds and board.round:
        parts.append(f"round={board.round}")
    if phase != _DRAFT and board.ply != sum(map(len, placements)):
        parts.append(f"ply={board.ply}")
    return " ".join(parts)


def parse_position(text: str, variant: Variant | None = None) -> Board:
    """Read a position from its text.

    Parameters
    ----------
    text : str
        What `position_text` wrote.
    variant : Variant, optional
        The variant that the text is of. Only needed where the text gives no more than the name
        of a variant that is not a shipped one.

    Returns
    -------
    Board
        The position. It has no moves to take back.

    Raises
    ------
    InvalidPositionError
        The text breaks the grammar, or the position a rule; the message names the column,
        counted from 1.
    TypeError
        `text` is not text, or `variant` no `Variant`.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> empty = "/".join(["14."] * 4)
    >>> board = bf.parse_position(f"duo {empty}/4.2a8./{empty}/{empty}/14. b")
    >>> board.turn, board.pieces_left(0)[:3]
    (1, ('1', 'I3', 'V3'))
    >>> bf.parse_position("duo 14./14./14./14./4.2e8. b")
    Traceback (most recent call last):
    ...
    blokus_fast.errors.InvalidPositionError: column 24: 'e' is neither '.' nor one of a to d
    """
    if not isinstance(text, str):
        raise TypeError(f"a position text is str, not {type(text).__name__}")
    if variant is not None and not isinstance(variant, Variant):
        raise TypeError(f"variant must be a Variant, not {variant!r}")
    return _Reader(text, variant).read()


# -- writing -----------------------------------------------------------------------------------


def _row_text(row: list[int]) -> str:
    """Write a row of the grid as runs."""
    parts = []
    for color, squares in groupby(max(square, -1) for square in row):
        count = sum(1 for _ in squares)
        parts.append((str(count) if count > 1 else "") + (_COLORS[color] if color >= 0 else "."))
    return "".join(parts)


def _to_move_text(board: Board, phase: int) -> str:
    """Write who is to move."""
    if board.is_game_over:
        return "-"
    color = _COLORS[board.turn] if board.turn >= 0 else ""
    decides = phase == _DRAFT or color == "" or board.variant.owners[board.turn] is None
    return color + (str(board.player) if decides else "")


def _hand_texts(board: Board, placements: list[tuple[int, ...]]) -> Iterator[str]:
    """Write the hands that do not follow from the set and the board."""
    variant = board.variant
    for player in range(variant.players if variant.draft else 1):
        for color, letter in enumerate(_COLORS[: variant.n_colors]):
            if variant.draft:
                names = board.pieces_left(color, player=player)
                if names:
                    yield f"hand-{player}{letter}={','.join(names)}"
            elif board.hand(color) != tuple(_left(variant, color, placements[color])):
                yield f"hand-{letter}={','.join(board.pieces_left(color))}"


def _left(variant: Variant, color: int, placements: tuple[int, ...]) -> list[int]:
    """Return the counts of a color's set without what is on the board."""
    left = list(variant.hands[color])
    for number in placements:
        left[PIECES.index(Move(number, variant.size).piece)] -= 1
    return left


def _needs_shared(board: Board) -> bool:
    """Say whether there is a shared color that is not to move."""
    variant = board.variant
    if variant.draft or None not in variant.owners:
        return False
    return board.turn < 0 or variant.owners[board.turn] is not None


# -- reading -----------------------------------------------------------------------------------


class _Reader:
    """One text on its way to a board."""

    def __init__(self, text: str, variant: Variant | None) -> None:
        self.text = text
        self.given = variant

    def fail(self, column: int, message: str) -> InvalidPositionError:
        return InvalidPositionError(f"column {column + 1}: {message}")

    def read(self) -> Board:
        """Read all fields, and make the board."""
        fields: list[tuple[int, str]] = []
        column = 0
        for word in self.text.split(" "):
            if not word:
                raise self.fail(column, "fields are separated by single blanks")
            fields.append((column, word))
            column += len(word) + 1
        if len(fields) < 3:
            raise self.fail(len(self.text), "a position has a variant, a board and who is to move")
        self.options: dict[str, tuple[int, str]] = {}
        for column, word in fields[3:]:
            key, equals, value = word.partition("=")
            if not equals:
                raise self.fail(column, f"{word[:60]!r} is no option such as 'round=3'")
            if key in self.options:
                raise self.fail(column, f"{key!r} stands twice")
            self.options[key] = (column + len(key) + 1, value)
        self.variant = self.read_variant(*fields[0])
        self.read_board(*fields[1])
        self.read_to_move(*fields[2])
        self.read_hands()
        board = self.build(fields[2][0])
        for key, (column, _) in self.options.items():
            raise self.fail(column - len(key) - 1, f"there is no option {key[:60]!r} here")
        return board

    def read_variant(self, column: int, word: str) -> Variant:
        given = self.given
        try:
            found = given if given is not None and word == given.name else parse_variant(word)
        except ValueError as error:
            raise self.fail(column, str(error)) from None
        rules: dict[str, str] = {}
        for key, valid in (("start", START_RULES), ("scoring", SCORING_RULES)):
            at, value = self.options.pop(key, (0, None))
            if value is None:
                continue
            if value not in valid:
                raise self.fail(at, f"{value[:60]!r} is not one of {', '.join(valid)}")
            rules[key] = value
        try:
            found = find_variant(found, start=rules.get("start"), scoring=rules.get("scoring"))
        except ValueError as error:
            raise self.fail(column, str(error)) from None
        if given is not None and found != given:
            raise self.fail(column, f"the position is not of the variant {given.name!r} given")
        return found

    def read_board(self, column: int, word: str) -> None:
        variant = self.variant
        self.position = _Position(variant)
        self.board_column = column
        rows = word.split("/")
        for number, row in enumerate(rows):
            if number == variant.size:
                raise self.fail(column, f"the board has {len(rows)} rows, not {variant.size}")
            self.read_row(column, column + len(row), number)
            column += len(row) + 1
        if len(rows) < variant.size:
            raise self.fail(column - 1, f"the board has {len(rows)} rows, not {variant.size}")

    def read_row(self, column: int, end: int, number: int) -> None:
        """Read one row of the board, from a column to another."""
        size = self.variant.size
        square, last = number * size, (number + 1) * size
        while column < end:
            run = _RUN.match(self.text, column, end)
            assert run is not None
            sign, at = run[2] or "", run.start(2) if run[2] else end
            if not sign:
                raise self.fail(at, "a count without '.' or a color behind it")
            if sign not in _SIGNS:
                raise self.fail(at, f"{sign!r} is neither '.' nor one of a to d")
            if run[1] and _COUNT.fullmatch(run[1]) is None:
                raise self.fail(column, f"{run[1][:20]!r} is no count")
            count = int(run[1] or 1)
            if square + count > last:
                raise self.fail(column, f"row {number + 1} has more than {size} squares")
            if sign != ".":
                self.put(at, _SIGNS.index(sign), range(square, square + count))
            square += count
            column = run.end()
        if square != last:
            raise self.fail(end, f"row {number + 1} is {last - square} squares too short")

    def put(self, column: int, color: int, squares: range) -> None:
        if color >= self.variant.n_colors:
            raise self.fail(column, f"{self.variant.name} has no color {_COLORS[color]!r}")
        for square in squares:
            try:
                self.position.put(color, square, str(square))
            except InvalidPositionError as error:
                raise self.fail(column, str(error)) from None

    def read_to_move(self, column: int, word: str) -> None:
        """Read who is to move: a color, a player, both, or nobody."""
        variant = self.variant
        match = _TO_MOVE.fullmatch(word)
        if match is None:
            raise self.fail(column, f"{word[:60]!r} is not a color or player to move, nor '-'")
        self.turn = _COLORS.index(match[1]) if match[1] else -1
        player = match[2] or match[3]
        self.player = int(player) if player else -1
        self.is_over = word == "-"
        if self.turn >= variant.n_colors:
            raise self.fail(column, f"{variant.name} has no color {match[1]!r}")
        if self.player >= variant.players:
            raise self.fail(column, f"{variant.name} has no player {self.player}")
        if self.is_over:
            return
        if variant.draft:
            if self.player < 0:
                raise self.fail(column, "it takes a player to say who is to move")
        elif self.turn < 0:
            raise self.fail(column, "it takes a color to say who is to move")
        elif (variant.owners[self.turn] is None) != (self.player >= 0):
            if self.player < 0:
                raise self.fail(column, "a player must stand behind a shared color")
            raise self.fail(column, "a player stands behind a color that is not shared")

    def read_hands(self) -> None:
        """Read the hands as counts; where one is missing it follows from the board (None)."""
        variant = self.variant
        holders = variant.players if variant.draft else 1
        empty = (0,) * len(PIECES)
        self.hand_columns: dict[int, int] = {}
        self.hands: list[list[tuple[int, ...] | None]] = [
            [empty if variant.draft else None] * variant.n_colors for _ in range(holders)
        ]
        for key in [key for key in self.options if key.startswith("hand-")]:
            column, value = self.options[key]
            match = _HAND.fullmatch(key)
            if match is None or bool(match[1]) != variant.draft:
                continue
            holder, color = int(match[1] or 0), _COLORS.index(match[2])
            if holder >= holders or color >= variant.n_colors:
                continue
            del self.options[key]
            names = value.split(",") if value else []
            at = column
            for name in names:
                if name not in PIECES:
                    raise self.fail(at, f"there is no piece {name[:60]!r}")
                if names.count(name) > _MOST_OF_A_PIECE:
                    raise self.fail(at, f"more than {_MOST_OF_A_PIECE} of the piece {name}")
                at += len(name) + 1
            self.hands[holder][color] = tuple(names.count(piece) for piece in PIECES)
            self.hand_columns[color] = column

    def number(self, key: str, default: int, low: int, high: int) -> int:
        """Take a number out of the options."""
        column, value = self.options.pop(key, (0, None))
        if value is None:
            return default
        if _NUMBER.fullmatch(value) is None or not low <= int(value) <= high:
            raise self.fail(column, f"{key} is a number from {low} to {high} here")
        return int(value)

    def read_last(self) -> int:
        """Read whose last piece was the monomino."""
        variant = self.variant
        self.last_column, value = self.options.pop("last", (0, ""))
        names = "0123"[: variant.players] if variant.draft else _COLORS[: variant.n_colors]
        flags = 0
        for place, name in enumerate(value):
            if name not in names or value.index(name) != place:
                raise self.fail(
                    self.last_column + place, f"{name!r} is not one of {', '.join(names)}"
                )
            flags |= 1 << names.index(name)
        return flags

    def read_placed(self, column: int) -> list[int]:
        """Draft: read how many squares each player has placed."""
        self.placed_column, value = self.options.pop("placed", (column, None))
        counts = [0] * self.variant.players if value is None else []
        for word in () if value is None else value.split(","):
            if _NUMBER.fullmatch(word) is None:
                raise self.fail(self.placed_column, f"{word[:60]!r} is no number")
            counts.append(int(word))
        if len(counts) != self.variant.players:
            raise self.fail(self.placed_column, f"placed must be {self.variant.players} numbers")
        return counts

    def build(self, column: int) -> Board:
        """Make the board; what is wrong with it is wrong at some column of the text."""
        variant = self.variant
        drafting = variant.draft and self.turn >= 0
        flags = 0 if drafting else self.read_last()
        placed = [0] * variant.players
        if drafting and self.position.owner:
            raise self.fail(self.board_column, "pieces lie on the board while they are picked")
        if variant.draft and not drafting:
            placed = self.read_placed(column)
        player = self.player
        if not variant.draft and self.player < 0 and None in variant.owners:
            player = self.number("shared", -1, 0, variant.players - 1)
        turns, phase = 0, _OVER if self.is_over else _DRAFT if drafting else _PLAY
        if variant.max_rounds and not drafting:
            turns = self.number("round", 0, 0, variant.max_rounds)
        self.ply_column = self.options.get("ply", (column,))[0]
        ply: int | None = None
        if drafting:
            ply = sum(sum(hand or ()) for hands in self.hands for hand in hands)
        elif "ply" in self.options:
            ply = self.number("ply", 0, 0, _MOST)
        first = variant.order[0] if self.turn < 0 else self.turn
        if variant.draft:
            player = max(player, 0)
        hands = self.hands if variant.draft else self.hands[0]
        squares = self.position.squares()
        rest = (ply, turns, phase, self.turn)
        try:
            board = _core._set_up(variant, squares, hands, first, player, flags, placed, rest)
        except InvalidPositionError as error:
            raise self.judged(error, column) from None
        if not self.is_over and (board.turn, board.player) != (
            self.turn,
            board.player if self.player < 0 else self.player,
        ):
            raise self.fail(column, "this color or player cannot place, so it is not to move")
        return board

    def judged(self, error: InvalidPositionError, column: int) -> InvalidPositionError:
        """Say in which column of the text something is that the engine refuses."""
        reason, message = error.reason, str(error)
        if reason == "round" or (reason == "stuck" and "round" in self.options):
            message = "the game is over: all rounds have been played"
        elif reason is None and not self.is_over:
            message = "the game is over: nobody can place"
        columns = {
            "hand": min(self.hand_columns.values(), default=self.board_column),
            "placed": getattr(self, "placed_column", column),
            "last": getattr(self, "last_column", column),
            "ply": self.ply_column,
            **dict.fromkeys(
                ("square", "piece", "start", "opening", "connection"), self.board_column
            ),
        }
        return self.fail(columns.get(reason or "", column), message)
