"""`Record`: a game with its variations, comments and headers. Knows nothing of files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from blokus_fast._core import Board
from blokus_fast.checking import expect
from blokus_fast.game import Game, player_names
from blokus_fast.moves import Move
from blokus_fast.records.node import Node
from blokus_fast.records.properties import Headers
from blokus_fast.records.setups import set_up_of
from blokus_fast.records.sgf import Problem
from blokus_fast.scoring import ScoringRule
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant
from blokus_fast.words import counted

__all__ = ["Headers", "Record"]


class Record:
    """A game with its variations, comments and headers.

    Parameters
    ----------
    variant : str or Variant
        A name out of `VARIANTS`, or a variant.
    start : {"assigned", "any", "border"}, optional
        Start rule to use instead of the variant's own.
    scoring : str or ScoringRule, optional
        Scoring rule to use instead of the variant's own.
    names : sequence of str, optional
        A name per player. Default: ``player 1`` and so on.

    Attributes
    ----------
    variant : Variant
        The variant, with the start and scoring rule in force.
    root : Node
        The beginning of the game.
    names : tuple of str
        A name per player; to be set, too.
    warnings : tuple of Problem
        What was passed over when it was read.

    Raises
    ------
    ValueError
        A name is unknown (the message lists the valid ones), or `names` has the wrong length.

    Examples
    --------
    >>> from blokus_fast.records import Record
    >>> record = Record("duo", start="assigned", names=["Ann", "Bob"])
    >>> record.headers["EV"] = "Club evening"
    >>> node = record.root.add_line(["e8,d9,e9,f9,e10", "j5"])
    >>> print(record)
    (;GM[Blokus Duo]CA[UTF-8]PB[Ann]PW[Bob]EV[Club evening];B[e8,d9,e9,f9,e10];W[j5])
    """

    def __init__(
        self,
        variant: str | Variant = "classic",
        *,
        start: str | None = None,
        scoring: str | ScoringRule | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.variant = find_variant(variant, start=start, scoring=scoring)
        self._names = player_names(self.variant, names)
        self.warnings: tuple[Problem, ...] = ()
        self._set_root(Node(None))

    def _set_root(self, root: Node) -> None:
        root.record = self
        self.root = root

    @property
    def names(self) -> tuple[str, ...]:
        """A name per player; to be set, where others are a ValueError or a TypeError."""
        return self._names

    @names.setter
    def names(self, names: Sequence[str]) -> None:
        self._names = player_names(self.variant, names)

    @property
    def headers(self) -> Headers:
        """The properties of the root by name, such as ``DT`` for the date; to be changed.

        What cannot be written is refused: see `Headers` for the names that are reserved.
        """
        return Headers(self.root.properties)

    @classmethod
    def from_game(cls, game: Game) -> Record:
        """Make a record of a game; its moves become the main line.

        Parameters
        ----------
        game : Game
            The game. Skipped turns are left out: they follow from the rules.

        Returns
        -------
        Record
            The record.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> game = bf.Game("duo", names=["Ann", "Bob"])
        >>> _ = game.play("e10"), game.play("j5")
        >>> print(bf.Record.from_game(game))
        (;GM[Blokus Duo]CA[UTF-8]BFSTART[any]PB[Ann]PW[Bob];B[e10];W[j5])
        """
        expect(game, Game, "game")
        return cls.from_board(game.board, names=game.names)

    @classmethod
    def from_board(cls, board: Board, *, names: Sequence[str] | None = None) -> Record:
        """Make a record of a position and the moves that led to it.

        Parameters
        ----------
        board : Board
            The position. What it was set up from is the root, its moves are the main line.
        names : sequence of str, optional
            A name per player.

        Returns
        -------
        Record
            The record.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.set_up("duo", {"purple": ["e10"], "orange": ["j5"]}, turn="orange")
        >>> print(bf.Record.from_board(board))
        (;GM[Blokus Duo]CA[UTF-8]BFSTART[any]AB[e10]AW[j5]PL[W])
        """
        expect(board, Board, "board")
        record = cls(board.variant, names=names)
        actions = board.move_stack
        start = board.copy()
        for _ in actions:
            start.pop()
        record.root.setup = set_up_of(start)
        node = record.root
        for action in actions:
            node = node._append(action, start.turn)
            start.push_unchecked(action)
        return record

    def to_game(self, node: Node | None = None) -> Game:
        """Make a game of a line.

        Parameters
        ----------
        node : Node, optional
            The end of the line. Default: the end of the main line.

        Returns
        -------
        Game
            The game, from the beginning or from the last set-up on.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> game = bf.records.parse("(;GM[Blokus Duo];B[e10];W[j5])").to_game()
        >>> game.scores, game.names
        ((-88, -88), ('player 1', 'player 2'))
        """
        end = self.end() if node is None else node
        expect(end, Node, "node")
        return Game.from_board(end.board(), names=self.names)

    def nodes(self) -> Iterator[Node]:
        """Iterate over all nodes, every line to its end before the next.

        Yields
        ------
        Node
            The root first.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> record = bf.records.parse("(;GM[Blokus Duo](;B[e10];W[j5])(;B[e10,f10]))")
        >>> [str(node.move) for node in record.nodes()]
        ['None', 'e10', 'j5', 'e10,f10']
        """
        todo = [self.root]
        while todo:
            node = todo.pop()
            yield node
            todo.extend(reversed(node.variations))

    def main_line(self) -> Iterator[Node]:
        """Iterate over the nodes of the main line, without the root.

        Returns
        -------
        iterator of Node
            In order.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> record = bf.records.parse("(;GM[Blokus Duo];B[e10]C[small];W[j5])")
        >>> [node.comment for node in record.main_line()]
        ['small', '']
        """
        return self.root.main_line()

    def main_line_moves(self) -> Iterator[Move]:
        """Iterate over the moves of the main line.

        Yields
        ------
        Move
            The moves in order, those of the root and of set-ups left out.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> list(bf.records.parse("(;GM[Blokus Duo];B[e10];W[j5])").main_line_moves())
        [Move(60, size=14, color=0), Move(135, size=14, color=1)]
        """
        for node in (self.root, *self.root.main_line()):
            if node.move is not None:
                yield node.move

    def end(self) -> Node:
        """Return the last node of the main line.

        Returns
        -------
        Node
            The root, if the record has no moves.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.records.parse("(;GM[Blokus Duo];B[e10];W[j5])").end().board().ply
        2
        """
        return self.root.end()

    def copy(self) -> Record:
        """Make a copy that shares nothing with the record; without its warnings.

        Returns
        -------
        Record
            The copy.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> record = bf.Record("duo")
        >>> _ = record.copy().root.add("e10")
        >>> record.root.variations
        []
        """
        return _read(str(self))

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Record:
        """Make a copy that shares nothing with the record."""
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as text, so that depth is no limit."""
        return _read, (str(self),)

    def __str__(self) -> str:
        """Return the text of the record, as it stands in a file."""
        from blokus_fast.records.writing import record_text

        return record_text(self)

    def __repr__(self) -> str:
        """Tell the variant, the players, and how long the main line is."""
        moves = sum(1 for _ in self.main_line_moves())
        return f"<Record {self.variant.name}: {' - '.join(self.names)}, {counted(moves, 'move')}>"


def _read(text: str) -> Record:
    """Read what a record wrote of itself."""
    from blokus_fast.records.reading import parse as parse_record

    return parse_record(text)
