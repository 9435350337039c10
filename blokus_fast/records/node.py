"""The nodes of a record: a position each, and the move that leads to it.

Every node but the root stands for a move, for a change of the position without a move, or just
for a remark. Skipped turns are in no node: they follow from the rules. Nothing here calls itself,
so depth is no limit. Knows nothing of files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, SupportsIndex

from blokus_fast._core import Board
from blokus_fast.checking import expect, iterated
from blokus_fast.moves import Move
from blokus_fast.moves.actions import describe, resolve
from blokus_fast.position import position_text
from blokus_fast.records.properties import Properties
from blokus_fast.records.setups import SetUp, apply_set_up, set_up_of
from blokus_fast.records.sgf import SgfNode

if TYPE_CHECKING:
    from blokus_fast.records.tree import Record

__all__ = ["Node"]


class Node(SgfNode):
    """A position in a record, and the move that leads to it.

    Nodes are made by `Record` and by the methods here, never by hand.

    Attributes
    ----------
    record : Record
        The record that it belongs to.
    parent : Node or None
        The node before it; None for the root.
    variations : list of Node
        The nodes after it; the first one is the main line.
    comment : str
        What is said about it, perhaps nothing.
    setup : SetUp or None
        What it changes on the board without a move.
    properties : Properties
        All properties of the file that mean nothing here, each a list of texts. What cannot be
        written is refused where it is set, see `Headers`.

    Examples
    --------
    >>> from blokus_fast.records import Record
    >>> record = Record("duo", start="assigned")
    >>> node = record.root.add("e8,d9,e9,f9,e10", comment="the X")
    >>> node.move.piece, node.comment, node.parent is record.root
    ('X', 'the X', True)
    >>> answer = node.add("j5")
    >>> other = node.add("j5,j6")
    >>> [str(variation.move) for variation in node.variations], record.end() is answer
    (['j5', 'j5,j6'], True)
    >>> other.promote()
    >>> [str(move) for move in record.main_line_moves()]
    ['e8,d9,e9,f9,e10', 'j5,j6']
    """

    __slots__ = ("_action", "_color", "_comment", "_setup", "record")

    record: Record
    parent: Node | None
    variations: list[Node]

    def __init__(self, parent: Node | None) -> None:
        super().__init__(parent)
        self._comment = ""
        self._setup: SetUp | None = None
        self._action = -1
        self._color = -1

    @property
    def comment(self) -> str:
        """What is said about it, perhaps nothing; to be set to another text."""
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        expect(text, str, "comment")
        self._comment = text

    @property
    def setup(self) -> SetUp | None:
        """What it changes on the board without a move; to be set, too."""
        return self._setup

    @setup.setter
    def setup(self, setup: SetUp | None) -> None:
        if setup is not None:
            expect(setup, SetUp, "setup")
        self._setup = setup

    @property
    def properties(self) -> Properties:
        """All properties that mean nothing here, lists of texts by name; to be changed."""
        return Properties(self)

    @properties.setter
    def properties(self, properties: Mapping[str, list[str]]) -> None:
        checked = Properties(self)
        for name, values in dict(properties).items():
            checked._check(name, values)
        self.raw = {name: list(values) for name, values in dict(properties).items()}

    @property
    def move(self) -> Move | None:
        """The move that leads here, with its color; None if it is none."""
        if self._action < 0:
            return None
        return describe(self._action, self.record.variant, self._color)

    @property
    def next(self) -> Node | None:
        """The first variation; None at the end of a line."""
        return self.variations[0] if self.variations else None

    @property
    def ply(self) -> int:
        """Number of moves from the root to here."""
        return sum(1 for node in self.path() if node._action >= 0)

    @property
    def is_main_line(self) -> bool:
        """Whether it is on the main line of the record."""
        node: Node = self
        while node.parent is not None:
            if node.parent.variations[0] is not node:
                return False
            node = node.parent
        return True

    def path(self) -> list[Node]:
        """Return the nodes from the root to this one, both of them included.

        Returns
        -------
        list of Node
            In order; the root is the first.

        Examples
        --------
        >>> from blokus_fast.records import Record
        >>> record = Record("duo")
        >>> len(record.root.add_line(["e10", "j5"]).path())
        3
        """
        nodes = [self]
        while nodes[-1].parent is not None:
            nodes.append(nodes[-1].parent)
        nodes.reverse()
        return nodes

    def main_line(self) -> Iterator[Node]:
        """Iterate over the nodes after this one, always on to the first variation.

        Yields
        ------
        Node
            In order.

        Examples
        --------
        >>> from blokus_fast.records import Record
        >>> record = Record("duo")
        >>> _ = record.root.add_line(["e10", "j5"])
        >>> [node.ply for node in record.root.main_line()]
        [1, 2]
        """
        node = self
        while node.variations:
            node = node.variations[0]
            yield node

    def end(self) -> Node:
        """Return the last node of the main line from here.

        Returns
        -------
        Node
            This one, if nothing follows it.

        Examples
        --------
        >>> from blokus_fast.records import Record
        >>> Record("duo").root.end().ply
        0
        """
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def board(self) -> Board:
        """Return the position; a board of its own each time.

        Its moves to take back reach to the beginning, or to the last set-up.

        Returns
        -------
        Board
            The position behind the node.

        Examples
        --------
        >>> from blokus_fast.records import Record
        >>> Record("duo").root.add("e10").board().turn
        1
        """
        nodes = []
        node: Node | None = self
        while node is not None:
            nodes.append(node)
            if node.setup is not None and node.setup.position is not None:
                break
            node = node.parent
        board = Board(self.record.variant)
        for node in reversed(nodes):
            if node.setup is not None:
                board = apply_set_up(board, node.setup)
            if node._action >= 0:
                board.push(node._action)
        return board

    def add(
        self, move: SupportsIndex | Move | str, comment: str = "", *, main: bool = False
    ) -> Node:
        """Add a variation.

        Parameters
        ----------
        move : int, Move or str
            The move: its id, the move itself or its text.
        comment : str
            What is said about it.
        main : bool
            Whether it becomes the first variation. Default: the last.

        Returns
        -------
        Node
            The new node. If there is a variation with this move already, that one, with the
            comment if one is given.

        Raises
        ------
        InvalidMoveError
            `move` cannot be a move.
        IllegalMoveError
            It is not allowed here.
        TypeError
            It is neither an integer, a `Move` nor text.

        Examples
        --------
        >>> from blokus_fast.records import Record
        >>> root = Record("duo").root
        >>> root.add("e10") is root.add("e10")
        True
        """
        expect(comment, str, "comment")
        board = self.board()
        action = resolve(board, move)
        color = board.turn
        board.push(action)
        node = next((node for node in self.variations if node._action == action), None)
        if node is None:
            node = self._append(action, color)
        if comment:
            node.comment = comment
        if main:
            node.make_main()
        return node

    def add_line(self, moves: Iterable[SupportsIndex | Move | str]) -> Node:
        """Add moves one after the other.

        Parameters
        ----------
        moves : iterable of int, Move or str
            The moves.

        Returns
        -------
        Node
            The node of the last one; this node if there are none.

        Raises
        ------
        ValueError
            One is not allowed; those before it have been added.
        TypeError
            `moves` is one move or a text, or one of them neither an integer, a `Move` nor text.

        Examples
        --------
        >>> from blokus_fast.records import Record
        >>> Record("duo").root.add_line(["e10", "j5"]).ply
        2
        """
        node = self
        for move in iterated(moves, "moves must be several, such as ['e10', 'j5']"):
            node = node.add(move)
        return node

    def add_set_up(self, board: Board) -> Node:
        """Add a variation in which the position becomes another one without a move.

        Parameters
        ----------
        board : Board
            The position, of the record's variant.

        Returns
        -------
        Node
            The new node.

        Raises
        ------
        ValueError
            The board is of another variant.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.set_up("duo", {"orange": ["j5"]})
        >>> bf.Record("duo").root.add_set_up(board).board() == board
        True
        """
        expect(board, Board, "board")
        if board.variant != self.record.variant:
            raise ValueError(f"the board is of another variant than {self.record.variant.name}")
        found = set_up_of(board)
        if found is None or self.parent is not None or self.setup or self._action >= 0:
            # On top of other pieces only the whole position says what is meant.
            found = SetUp(position=position_text(board))
        node = self._append(-1, -1)
        node.setup = found
        return node

    def promote(self) -> None:
        """Move it one place up among the variations of its parent.

        Examples
        --------
        >>> from blokus_fast.records import Record
        >>> root = Record("duo").root
        >>> first, second = root.add("e10"), root.add("j5")
        >>> second.promote()
        >>> root.next is second
        True
        """
        place = self._place()
        if place:
            line = self._siblings()
            line[place - 1 : place + 1] = line[place], line[place - 1]

    def demote(self) -> None:
        """Move it one place down among the variations of its parent.

        Examples
        --------
        >>> from blokus_fast.records import Record
        >>> root = Record("duo").root
        >>> first, second = root.add("e10"), root.add("j5")
        >>> first.demote()
        >>> root.next is second
        True
        """
        place, line = self._place(), self._siblings()
        if place + 1 < len(line):
            line[place : place + 2] = line[place + 1], line[place]

    def make_main(self) -> None:
        """Make it the first variation of its parent.

        Examples
        --------
        >>> from blokus_fast.records import Record
        >>> root = Record("duo").root
        >>> for text in ("e10", "e10,f10", "j5"):
        ...     node = root.add(text)
        >>> node.make_main()
        >>> [str(node.move) for node in root.variations]
        ['j5', 'e10', 'e10,f10']
        """
        line = self._siblings()
        line.insert(0, line.pop(self._place()))

    def remove(self) -> None:
        """Take it, and all that follows, out of the record.

        Examples
        --------
        >>> from blokus_fast.records import Record
        >>> root = Record("duo").root
        >>> root.add("e10").remove()
        >>> root.variations
        []
        """
        self._siblings().pop(self._place())

    def _siblings(self) -> list[Node]:
        if self.parent is None:
            raise ValueError("the root is nobody's variation")
        return self.parent.variations

    def _place(self) -> int:
        return next(place for place, node in enumerate(self._siblings()) if node is self)

    def _append(self, action: int, color: int) -> Node:
        """Add a node without checking it."""
        node = Node(self)
        node.record = self.record
        node._action, node._color = action, color
        self.variations.append(node)
        return node

    def __reduce__(self) -> str:
        """Refuse to be pickled or copied alone, since that would need the whole tree."""
        raise TypeError("a node cannot be copied or pickled, only its record")

    def __repr__(self) -> str:
        """Tell the move, and how many variations there are."""
        what = "root" if self.parent is None else f"ply {self.ply}"
        move = self.move
        text = "" if move is None else f" {move.text or 'pass'}"
        count = len(self.variations)
        return f"<Node {what}{text}, {count} variation{'' if count == 1 else 's'}>"
