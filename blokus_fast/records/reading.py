"""Files to records: what the properties of a tree mean, and which moves of it are legal.

In lenient reading whatever is wrong is passed over with a warning: an illegal move with all that
follows it, other properties alone. In strict reading it is an error.

Whatever a file has in one node, a node of a record has a move or a set-up or neither, and the root
has no move. So all that is read can be written, and read strictly again.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from os import PathLike, fspath
from types import TracebackType
from typing import BinaryIO, Final, Self

from blokus_fast._core import Board
from blokus_fast.errors import InvalidMoveError, InvalidPositionError, RecordError
from blokus_fast.moves.actions import placements_of
from blokus_fast.records.dialect import (
    GAMES,
    PICK,
    POSITION,
    SCORING,
    START,
    VARIANT,
    Dialect,
    dialect,
    find_game,
)
from blokus_fast.records.encodings import UTF8, Encoding, find_encoding
from blokus_fast.records.node import Node
from blokus_fast.records.setups import SetUp, apply_set_up
from blokus_fast.records.sgf import Problem, Problems, Source, read_tree
from blokus_fast.records.tree import Record
from blokus_fast.scoring import SCORING_RULES
from blokus_fast.variants import START_RULES, Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["MAX_SET_UPS", "RecordReader", "parse", "read", "read_all"]

MAX_SET_UPS: Final = 10_000
"""Nodes of one game that may change the position without a move: a bound for time."""

_ROOT = ("GM", "CA", START, SCORING, VARIANT)


def read(
    source: str | PathLike[str] | BinaryIO,
    *,
    strict: bool = False,
    variant: str | Variant | None = None,
    encoding: str | None = None,
) -> Record:
    """Read the first game of a file.

    Parameters
    ----------
    source : str, path or binary file
        The file.
    strict : bool
        Whether whatever is wrong is an error. Default: it is passed over with a warning.
    variant : str or Variant, optional
        The variant, whatever the file says.
    encoding : str, optional
        The encoding, whatever the file says: one that Python knows, and in which brackets and
        letters are what they are in ASCII.

    Returns
    -------
    Record
        The game; `Record.warnings` says what was passed over.

    Raises
    ------
    RecordError
        There is no game, or an unknown one; in strict reading whatever is wrong. It has the
        file, the line and the column.
    OSError
        The file cannot be read.
    ValueError
        The encoding is not one of those above.

    Examples
    --------
    >>> import io
    >>> import blokus_fast as bf
    >>> record = bf.records.read(io.BytesIO(b"(;GM[Blokus];1[a20];2[t20])"))
    >>> record.variant.name, [move.color for move in record.main_line_moves()]
    ('classic', [0, 1])
    >>> bf.records.read(io.BytesIO(b"(;GM[Nexos])"))
    Traceback (most recent call last):
    ...
    blokus_fast.errors.RecordError: line 1, column 2: the game is Nexos, which is not played here
    """
    with RecordReader(source, strict=strict, variant=variant, encoding=encoding) as reader:
        try:
            record = reader._next_record()
        except StopIteration:
            raise reader._error("there is no game in it") from None
        except _OtherGameError as other:
            raise other.error from None
        reader._look_behind()
        record.warnings = (*reader.warnings, *record.warnings)
        return record


def read_all(
    source: str | PathLike[str] | BinaryIO,
    *,
    strict: bool = False,
    variant: str | Variant | None = None,
    encoding: str | None = None,
) -> RecordReader:
    """Read the games of a file one after the other, however many there are.

    Parameters
    ----------
    source : str, path or binary file
        The file. No more of it than one game is held in memory.
    strict, variant, encoding
        As in `read`. In lenient reading games of other kinds are passed over; the reader's
        `warnings` say so.

    Returns
    -------
    RecordReader
        An iterator over records, which closes the file at its end.

    Raises
    ------
    RecordError
        As in `read`, while it is iterated over.

    Examples
    --------
    >>> import io
    >>> import blokus_fast as bf
    >>> file = io.BytesIO(b"(;GM[Blokus Duo];B[e10]) (;GM[Nexos]) (;GM[Blokus])")
    >>> games = bf.records.read_all(file)
    >>> [record.variant.name for record in games]
    ['duo', 'classic']
    >>> print(*games.warnings)
    line 1, column 27: the game is Nexos, which is not played here
    """
    return RecordReader(source, strict=strict, variant=variant, encoding=encoding)


def parse(text: str, *, strict: bool = False, variant: str | Variant | None = None) -> Record:
    """Read the first game of a text.

    Parameters
    ----------
    text : str
        The game.
    strict, variant
        As in `read`.

    Returns
    -------
    Record
        The game.

    Raises
    ------
    RecordError
        As in `read`.
    TypeError
        `text` is not text.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> bf.records.parse("(;GM[Blokus Duo];B[e10]C[small])").end().comment
    'small'
    """
    if not isinstance(text, str):
        raise TypeError(f"a record is read from str, not {type(text).__name__}")
    data = BytesIO(text.encode("utf-8", "surrogatepass"))
    return read(data, strict=strict, variant=variant, encoding=UTF8.name)


class RecordReader(Iterator[Record]):
    """The games of a file, one after the other; made by `read_all`.

    Parameters
    ----------
    source : str, path or file
        The path of a file, or one that was opened in binary mode.
    strict : bool
        Whether to raise what is wrong, instead of passing over it.
    variant : str or Variant, optional
        The variant of the games, where the file does not tell.
    encoding : str, optional
        The encoding, whatever the file says of it.

    Attributes
    ----------
    warnings : list of Problem
        What was passed over outside of the games that were returned.

    Raises
    ------
    OSError
        The file cannot be opened.
    ValueError
        The encoding is none in which records are read, or the variant is unknown.
    TypeError
        `source` is neither a path nor an open file, or `encoding` no text.

    Examples
    --------
    >>> import io
    >>> from blokus_fast import records
    >>> with records.read_all(io.BytesIO(b"(;GM[Blokus])(;GM[Blokus])")) as games:
    ...     sum(1 for _ in games)
    2
    """

    def __init__(
        self,
        source: str | PathLike[str] | BinaryIO,
        *,
        strict: bool = False,
        variant: str | Variant | None = None,
        encoding: str | None = None,
    ) -> None:
        self._stream: BinaryIO | None = None
        self._variant = None if variant is None else find_variant(variant)
        self._encoding: Encoding | None = None
        if encoding is not None:
            if not isinstance(encoding, str):
                raise TypeError(f"an encoding is named by text, not by {encoding!r}")
            self._encoding = find_encoding(encoding)
            if self._encoding is None:
                raise ValueError(
                    f"encoding {encoding!r}: records are read in UTF-8, or in another encoding in "
                    "which brackets and letters are as in ASCII"
                )
        self._strict = strict
        self.warnings: list[Problem] = []
        if isinstance(source, str | PathLike):
            file: str | None = fspath(source)
            stream: BinaryIO
            self._stream = open(source, "rb")  # noqa: SIM115 - closed by `close`
            stream = self._stream
        elif not hasattr(source, "read"):
            raise TypeError(f"a record is read from a path or an open file, not from {source!r}")
        else:
            stream = source
            name = getattr(source, "name", None)
            file = name if isinstance(name, str) else None
        try:
            self._source = Source(stream, file)
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        """Show what is read, and what was passed over."""
        file = self._source.file or "an open file"
        return f"<RecordReader of {file}: {len(self.warnings)} warnings>"

    def __next__(self) -> Record:
        """Return the next game."""
        while True:
            try:
                return self._next_record()
            except _OtherGameError as other:
                error = other.error
                if self._strict:
                    self.close()
                    raise error from None
                self.warnings.append(Problem(error.message, error.line or 0, error.column or 0))
            except BaseException:
                self.close()
                raise

    def _next_record(self) -> Record:
        outside = Problems(self._source, self._strict)
        try:
            if not self._source.next_game(outside):
                raise StopIteration
        finally:
            self.warnings.extend(outside.found)
        problems = Problems(self._source, self._strict)
        root: Node | None = read_tree(self._source, problems, Node, self._encoding)
        assert root is not None  # next_game saw a node
        record = _Interpreter(problems, self._variant).record(root)
        record.warnings = tuple(problems.found)
        return record

    def _look_behind(self) -> None:
        """Warn if the first game is not all that there is."""
        problems = Problems(self._source, self._strict)
        if self._source.next_game(problems):
            problems.add("another game follows, which is not read", self._source.pos)
        self.warnings.extend(problems.found)

    def _error(self, message: str) -> RecordError:
        return Problems(self._source, True).error(message, self._source.pos)

    def close(self) -> None:
        """Close the file, if it was opened here.

        Examples
        --------
        >>> import io
        >>> from blokus_fast import records
        >>> records.read_all(io.BytesIO(b"(;GM[Blokus])")).close()
        """
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def __enter__(self) -> Self:
        """Return the reader."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()

    def __del__(self) -> None:
        self.close()


class _OtherGameError(Exception):
    """The game is of a kind that is not known here."""

    def __init__(self, error: RecordError) -> None:
        super().__init__(str(error))
        self.error = error


class _Interpreter:
    """One tree on its way from properties to a record."""

    def __init__(self, problems: Problems, variant: Variant | None) -> None:
        self.problems = problems
        self.given = variant
        self.set_ups = 0
        self.positions: dict[str, Board] = {}
        # Per parent what stands for a variation: None if it is left out.
        self.instead: dict[Node, dict[Node, Node | None]] = {}

    def record(self, root: Node) -> Record:
        """Make the record, and turn every node into what it means."""
        variant = self.variant(root)
        record = Record(variant)
        self.ids: Dialect = dialect(variant)
        names = list(record.names)
        for player, name in enumerate(self.ids.players):
            value = root.raw.pop(name, [""])[0]
            if value:
                names[player] = value
        for name in _ROOT:
            root.raw.pop(name, None)
        record.names = tuple(names)
        record.root = root
        self.walk(record)
        return record

    def variant(self, root: Node) -> Variant:
        """Find out what game it is."""
        found = self.given
        if found is not None:
            return found
        properties = root.raw
        games = properties.get("GM")
        if games is None:
            raise self.other_game("the game is missing: there is no GM in the root", root)
        name = games[0]
        plain = " ".join(name.split()).lower()
        for known in GAMES:
            if name != known and plain == known.lower():
                self.problems.add(f"GM is {name[:60]!r} instead of {known!r}", root._at)
                name = known
        try:
            found = find_game(name, properties)
        except ValueError as error:
            raise self.other_game(str(error), root) from None
        start = self.rule(root, START, START_RULES)
        scoring = self.rule(root, SCORING, SCORING_RULES)
        try:
            return find_variant(found, start=start, scoring=scoring)
        except ValueError as error:
            self.problems.add(str(error), root._at)
            return found

    def other_game(self, message: str, root: Node) -> _OtherGameError:
        return _OtherGameError(self.problems.error(message, root._at))

    def rule(self, root: Node, name: str, valid: object) -> str | None:
        value = root.raw.get(name, [None])[0]
        if value is None or value in valid:  # type: ignore[operator]
            return value
        self.problems.add(f"{name}: unknown rule {value[:60]!r}", root._at)
        return None

    def walk(self, record: Record) -> None:
        """Go through the tree with a board, and take out what cannot be played."""
        board = Board(record.variant)
        # What is to be undone behind a line: nothing, a move, or a set-up with the board before.
        todo: list[Node | Board | None] = [record.root]
        while todo:
            node = todo.pop()
            if node is None:
                board.pop()
                continue
            if isinstance(node, Board):
                board = node
                continue
            node.record = record
            changed = self.node(node, board)
            if changed is None:
                if node.parent is None:
                    node.variations.clear()
                else:
                    self.instead.setdefault(node.parent, {})[node] = None
                continue
            if changed is not board:
                todo.append(board)
                board = changed
            if node._action >= 0:
                board.push(node._action)
                todo.append(None)
            todo.extend(reversed(node.variations))
        for parent, instead in self.instead.items():
            found = [instead.get(node, node) for node in parent.variations]
            parent.variations = [node for node in found if node is not None]

    def node(self, node: Node, board: Board) -> Board | None:
        """Interpret a node; return the board with its set-up, None if it cannot be played."""
        properties, ids = node.raw, self.ids
        moves: dict[str, list[str]] = {}
        set_up: dict[str, list[str]] = {}
        strange = ""
        for name in list(properties):
            if name in ids.moves or name == PICK:
                moves[name] = properties.pop(name)
            elif name in ids.adds or name in ("AE", "PL", POSITION):
                set_up[name] = properties.pop(name)
            elif name == "C":
                node.comment = "\n".join(properties.pop(name))
            elif name in ids.strange:
                strange = name
                del properties[name]
        if strange:
            valid = ", ".join(ids.ids)
            self.problems.add(f"{strange} is no move of {ids.variant.name}: {valid}", node._at)
            return None
        if set_up:
            if moves:
                self.problems.add("a move and a set-up in one node", node._at)
            try:
                node.setup = self.set_up(node, set_up)
                if node.setup is not None:
                    board = self.apply(board, node.setup, node)
            except (InvalidMoveError, InvalidPositionError) as error:
                self.problems.add(f"this position cannot be set up: {error}", node._at)
                node.setup = None
                return None
        if not moves:
            return board
        if node.parent is None or node.setup is not None:
            _add_behind(node, moves)
            return board
        (name, values), *others = moves.items()
        if others:
            self.problems.add(f"a second move in one node: {others[0][0]}", node._at)
            _add_behind(node, dict(others))
        return self.move(node, board, name, values)

    def set_up(self, node: Node, properties: dict[str, list[str]]) -> SetUp | None:
        """Read the properties of a set-up; None if nothing in them means anything."""
        pieces, turn = [], None
        for name, color in self.ids.adds.items():
            for value in properties.get(name, ()):
                pieces.append(self.ids.piece(value, color))
        removed = tuple(self.ids.piece(value) for value in properties.get("AE", ()))
        position = properties.get(POSITION, [None])[0]
        for value in properties.get("PL", ()):
            turn = self.ids.color(value)
            if turn is None:
                self.problems.add(f"PL: there is no color {value[:60]!r}", node._at)
        if not pieces and not removed and position is None:
            if turn is not None and self.ids.variant.draft:
                self.problems.add("PL: in Draft it is the turn of a player", node._at)
                return None
            if turn is None:
                return None
        pieces.sort(key=lambda move: move.color or 0)
        return SetUp(tuple(pieces), removed, turn, position)

    def apply(self, board: Board, setup: SetUp, node: Node) -> Board:
        """Return the board with a set-up; the same position is only worked out once."""
        self.set_ups += 1
        if self.set_ups > MAX_SET_UPS:
            raise self.problems.error(f"more than {MAX_SET_UPS:,} set-ups", node._at)
        if setup.position is None:
            return apply_set_up(board, setup)
        known = self.positions.get(setup.position)
        if known is None:
            known = self.positions[setup.position] = apply_set_up(board, setup)
        return known.copy()

    def move(self, node: Node, board: Board, name: str, values: list[str]) -> Board | None:
        """Read the move of a node; return the board that it is played on, None if it cannot be."""
        # Files of old programs have a value for each square.
        value = ",".join(values)
        if any(letter.isspace() for letter in value):
            self.problems.add(f"blanks in the move {value[:60]!r}", node._at)
        if len(values) > 1 and "," in "".join(values):
            self.problems.add(f"{name} has {len(values)} values, but a move has one", node._at)
            return None
        if not value.strip() and self.passes(node, board, name):
            return board
        try:
            action, color = self.ids.read(name, value)
        except InvalidMoveError as error:
            self.problems.add(str(error), node._at)
            return None
        turn = board.turn
        if turn >= 0 and color != turn:
            names = self.ids.variant.color_names
            self.problems.add(f"it is {names[turn]}'s turn, not {names[color]}'s", node._at)
            changed = self.turned(board, color, node)
            if changed is None:
                return None
            board = changed
        reason = board.why_illegal(action)
        if reason is not None:
            text = value if len(value) <= 60 else value[:60] + "..."
            placed = int(placements_of(board.rules, [action])[0])
            number = action if placed < 0 else placed
            self.problems.add(f"{text} (move {number}): {reason}", node._at)
            return None
        if turn >= 0 and color != turn:
            self.give_turn(node, color)
            turn = color
        node._action, node._color = action, turn
        return board

    def passes(self, node: Node, board: Board, name: str) -> bool:
        """Say whether a move without squares is a turn that is skipped: then it is none."""
        variant, color = self.ids.variant, self.ids.moves.get(name)
        if variant.draft or color is None:
            return False
        if board.is_game_over or not board.any_legal(color):
            return True
        if variant.voluntary_pass:
            return False
        self.problems.add(
            f"the move names no square, but {variant.color_names[color]} can place", node._at
        )
        return True

    def turned(self, board: Board, color: int, node: Node) -> Board | None:
        """Return the board with another color to move; None if that cannot be."""
        if self.ids.variant.draft or self.set_ups >= MAX_SET_UPS:
            return None
        try:
            changed = self.apply(board, SetUp(turn=color), node)
        except InvalidPositionError:
            return None
        return changed if changed.turn == color else None

    def give_turn(self, node: Node, color: int) -> None:
        """Put a node with ``PL`` before a move that is out of turn."""
        parent = node.parent
        assert parent is not None  # the root has no move
        before = Node(parent)
        before.record, before.setup, before._at = node.record, SetUp(turn=color), node._at
        before.variations.append(node)
        node.parent = before
        self.instead.setdefault(parent, {})[node] = before


def _add_behind(node: Node, moves: dict[str, list[str]]) -> None:
    """Let moves that a node cannot have become a node between it and what follows."""
    behind = Node(node)
    behind._at = node._at
    behind.raw.update(moves)
    behind.variations = node.variations
    for variation in behind.variations:
        variation.parent = behind
    node.variations = [behind]
