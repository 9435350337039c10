"""SGF as a syntax: from bytes to a tree of nodes with properties, and back to text.

Knows brackets, escapes, encodings and places in a file, and nothing of any game. Nothing here
calls itself, so depth costs no stack; every byte is looked at a bounded number of times; and what
is kept is the game that is being read, never more.

The bytes are read as Latin-1, in which every byte is a character. That is safe since all signs of
SGF are ASCII, and no byte of a longer UTF-8 character is. Values are decoded when the tree is
there, and the encoding with it; or at once in the few encodings in which a byte of a longer
character may look like a bracket, which have to be known before.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, Final, Generic, Self, TypeVar

from blokus_fast.errors import RecordError
from blokus_fast.records.encodings import UTF8, Encoding, declared_encoding, find_encoding

__all__ = ["MAX_ITEMS", "Problem", "Problems", "SgfNode", "Source", "read_tree", "tree_text"]

MAX_ITEMS: Final = 2_000_000
"""Nodes, properties and values that one game may have: a bound for the memory it takes."""

MAX_PROBLEMS: Final = 100
_CHUNK = 1 << 16
_AHEAD = 4096

_SPACE = " \t\r\n\f\v"
_TOKEN = re.compile(r"[ \t\r\n\f\v]*(?:([;()\[])|([A-Za-z0-9]+))")
_JUNK = re.compile(r"[^;()\[A-Za-z0-9 \t\r\n\f\v]+")
_BLANK = re.compile(r"[ \t\r\n\f\v]*")
_OPENING = re.compile(r"[( \t\r\n\f\v]*")
# Possessive, so that it neither goes back nor remembers anything.
_VALUE = re.compile(r"(?:[^\]\\]++|\\.)*+", re.DOTALL)
_LINE_END = re.compile(r"\r\n|\n\r|\r|\n")
_CONTINUATION = re.compile("[\x80-\xbf]+")
_OLD_NAME = re.compile(r"[A-Z][A-Za-z]*")
_BOM = codecs.BOM_UTF8.decode("latin-1")
# Stands for a backslash that is meant; no decoding yields it.
_BACKSLASH = "\udfff"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a file that was passed over in lenient reading.

    Parameters
    ----------
    message : str
        What it is.
    line, column : int
        Where it is, both counted from 1.

    Examples
    --------
    >>> from blokus_fast import records
    >>> record = records.parse("(;GM[Blokus];1[a20];2[a19])")
    >>> print(record.warnings[0])
    line 1, column 20: a19 (move 20): misses the start square
    """

    message: str
    line: int
    column: int

    def __str__(self) -> str:
        """Put the place before the message."""
        return f"line {self.line}, column {self.column}: {self.message}"


class SgfNode:
    """A node: its place in the tree, and its properties in the order of the file."""

    __slots__ = ("_at", "parent", "raw", "variations")

    def __init__(self, parent: Self | None) -> None:
        self.parent = parent
        self.variations: list[Self] = []
        self.raw: dict[str, list[str]] = {}
        # Where it stands in the text of its game, for messages while that is being read.
        self._at = 0

    def __repr__(self) -> str:
        """Show the properties."""
        return f"<{type(self).__name__} {', '.join(self.raw)}>"


class Source:
    """A file that is read from its beginning to its end, and the text of the game at hand.

    `text` grows while a game is read, and what lies before the game is forgotten.
    """

    def __init__(self, stream: BinaryIO, file: str | None) -> None:
        self.stream = stream
        self.file = file
        self.text = ""
        self.pos = 0
        self.eof = False
        # A place before all that is asked for, with the lines and columns before it; and the place
        # that was asked for last, so that one place after the other costs one look at the text.
        self._base = (0, 0, 0)
        self._near = (0, 0, 0)
        self.more()
        if self.text.startswith(_BOM):
            self.text = self.text[len(_BOM) :]
        elif self.text[:2] in ("\xff\xfe", "\xfe\xff"):
            raise RecordError("the file is in UTF-16, not in UTF-8", file=file, line=1, column=1)

    def __repr__(self) -> str:
        """Show the file, and how far it is read."""
        return f"<Source {self.file or 'an open file'}: at {self.pos}>"

    def more(self) -> bool:
        """Read on; say whether there was more. The pieces grow, so that all is copied rarely."""
        if self.eof:
            return False
        data = self.stream.read(max(_CHUNK, len(self.text)))
        if isinstance(data, str):
            raise TypeError("a record is read from a file that was opened in binary mode")
        if not data:
            self.eof = True
            return False
        self.text += data.decode("latin-1")
        return True

    def ahead(self) -> None:
        """See to it that the beginning of a game can be looked at."""
        while len(self.text) - self.pos < _AHEAD and self.more():
            pass

    def trim(self) -> None:
        """Forget what has been read."""
        end = self.pos
        if end and self.text[end - 1 : end + 1] == "\r\n":
            end = max(end - 1, self._base[0])
        lines, columns = self._counts(end)
        # Not for every small game in what may be a large text.
        if 2 * end >= len(self.text):
            self.text = self.text[end:]
            self.pos -= end
            end = 0
        self._base = self._near = end, lines, columns

    def place(self, pos: int) -> tuple[int, int]:
        """Return line and column of a position in the text, counted from 1."""
        lines, columns = self._counts(pos)
        return lines + 1, columns + 1

    def _counts(self, pos: int) -> tuple[int, int]:
        text = self.text
        base, lines, columns = self._near if self._near[0] <= pos else self._base
        breaks = text.count("\n", base, pos) + text.count("\r", base, pos)
        breaks -= text.count("\r\n", base, pos)
        start = max(base, 1 + text.rfind("\n", base, pos), 1 + text.rfind("\r", base, pos))
        # In UTF-8 only the first byte of a character counts.
        behind = sum(len(part) for part in _CONTINUATION.findall(text, start, pos))
        columns = pos - start - behind + (0 if breaks else columns)
        lines += breaks
        if text[pos - 1 : pos + 1] != "\r\n":
            self._near = pos, lines, columns
        return lines, columns

    def next_game(self, problems: Problems) -> bool:
        """Go to the next opening bracket with a node behind it; say whether there is one."""
        self.trim()
        told = False
        while True:
            found = self.text.find("(", self.pos)
            end = len(self.text) if found < 0 else found
            if not told and self.text[self.pos : end].strip(_SPACE + _BOM):
                match = _BLANK.match(self.text, self.pos)
                assert match is not None
                problems.add("this is outside of any game", match.end())
                told = True
            if found >= 0:
                match = _OPENING.match(self.text, found)
                assert match is not None
                end = match.end()
                if end < len(self.text) or self.eof:
                    if self.text[end : end + 1] == ";":
                        self.pos = found
                        self.trim()
                        return True
                    if not told:
                        problems.add("a bracket without a node behind it", found)
                        told = True
                    self.pos = end
                    continue
                self.pos = found
            else:
                self.pos = end
            self.trim()
            if not self.more() and found < 0:
                return False


class Problems:
    """What is wrong with a file: raised at once in strict reading, collected in lenient."""

    def __init__(self, source: Source, strict: bool) -> None:
        self.source = source
        self.strict = strict
        self.found: list[Problem] = []

    def __repr__(self) -> str:
        """Show how many there are."""
        return f"<Problems: {len(self.found)} found>"

    def add(self, message: str, pos: int) -> None:
        """Raise or remember a problem."""
        if self.strict:
            raise self.error(message, pos)
        if len(self.found) < MAX_PROBLEMS:
            self.found.append(Problem(message, *self.source.place(pos)))
        elif len(self.found) == MAX_PROBLEMS:
            line, column = self.source.place(pos)
            self.found.append(Problem("there are more problems from here on", line, column))

    def error(self, message: str, pos: int) -> RecordError:
        """Make the error for a problem that no reading can pass over."""
        line, column = self.source.place(pos)
        return RecordError(message, file=self.source.file, line=line, column=column)


NodeT = TypeVar("NodeT", bound=SgfNode)


class _TreeReader(Generic[NodeT]):
    """One game on its way from text to a tree."""

    def __init__(
        self,
        source: Source,
        problems: Problems,
        make: Callable[[NodeT | None], NodeT],
        encoding: Encoding | None,
    ) -> None:
        self.source = source
        self.problems = problems
        self.make = make
        self.encoding = encoding
        self.longer = encoding is not None and encoding.value is not None
        self.value = encoding.value if encoding is not None and encoding.value else _VALUE
        self.root: NodeT | None = None
        self.current: NodeT | None = None
        # Where to go on after each closing bracket to come.
        self.stack: list[NodeT | None] = []
        self.name: str | None = None
        self.name_at = 0
        self.values: list[str] | None = None
        self.items = 0
        # Values that are not ASCII, to be decoded: their list, place in it, and in the text.
        self.encoded: list[tuple[list[str], int, int]] = []

    def read(self) -> NodeT | None:
        """Read up to the bracket that closes the game."""
        source = self.source
        pos = source.pos
        while True:
            match = _TOKEN.match(source.text, pos)
            if match is None:
                pos = self.pass_over(pos)
                if pos == len(source.text) and not source.more():
                    self.drop_name()
                    self.problems.add(f"{len(self.stack)} brackets are not closed", pos)
                    break
                continue
            if match.end() == len(source.text) and source.more():
                # A name may go on.
                continue
            pos = match.end()
            sign = match[1]
            if sign is None:
                self.open_name(match[2], pos - len(match[2]))
            elif sign == "[":
                end = self.value_end(pos)
                if end < 0:
                    self.name = None
                    self.problems.add("a value is not closed", pos - 1)
                    pos = len(source.text)
                    break
                self.add_value(pos, end)
                pos = end + 1
            else:
                self.drop_name()
                self.values = None
                if sign == ";":
                    self.add_node(pos - 1)
                elif sign == "(":
                    self.count(pos - 1)
                    self.stack.append(self.current)
                else:
                    self.current = self.stack.pop()
                    if not self.stack:
                        break
        source.pos = pos
        if self.root is not None:
            self.decode()
        return self.root

    def pass_over(self, pos: int) -> int:
        """Pass over blanks and what has no meaning; return where that ends."""
        blank = _BLANK.match(self.source.text, pos)
        junk = _JUNK.match(self.source.text, blank.end() if blank else pos)
        if junk is not None:
            self.problems.add(f"{junk[0][:20]!r} has no meaning here", junk.start())
            return junk.end()
        return blank.end() if blank else pos

    def count(self, pos: int) -> None:
        self.items += 1
        if self.items > MAX_ITEMS:
            raise self.problems.error(
                f"the game has more than {MAX_ITEMS:,} nodes, properties and values", pos
            )

    def add_node(self, pos: int) -> None:
        self.count(pos)
        parent = self.current
        if parent is None and self.root is not None:
            self.problems.add("a second root in one game", pos)
            parent = self.root
        node = self.make(parent)
        node._at = pos
        if parent is None:
            self.root = node
        else:
            parent.variations.append(node)
        self.current = node

    def drop_name(self) -> None:
        """Pass over a property without a value."""
        if self.name is not None:
            self.problems.add(f"the property {self.name[:20]} has no value", self.name_at)
            self.name = None

    def open_name(self, name: str, pos: int) -> None:
        """Begin a property."""
        self.drop_name()
        self.values = None
        self.name, self.name_at = name, pos

    def add_value(self, start: int, end: int) -> None:
        """Add a value to the property that is open, and open it if that has not been done."""
        if self.name is not None:
            self.values = self.new_property(self.name)
            self.name = None
        if self.values is None:
            self.problems.add("a value without a property", start - 1)
            self.values = []
        self.count(start)
        value = self.source.text[start:end]
        if self.longer:
            # Only now it is known which backslash is one.
            assert self.encoding is not None
            value = self.decoded(value, self.encoding, start)
        if "\\" in value or "\r" in value:
            value = _plain(value)
        if not self.longer and not value.isascii():
            self.encoded.append((self.values, len(self.values), start))
        self.values.append(value)

    def new_property(self, name: str) -> list[str]:
        """Return the list for the values of a property."""
        at = self.name_at
        self.count(at)
        if self.current is None:
            self.problems.add("a property outside of any node", at)
            return []
        if not name.isupper() and not name.isdecimal():
            self.problems.add(f"the property {name[:20]} is not in capitals", at)
            if _OLD_NAME.fullmatch(name) is None:
                return []
            # Old files write out the names, as in `CoPyright`; the capitals are what counts.
            name = "".join(letter for letter in name if letter.isupper())
        values = self.current.raw.get(name)
        if values is None:
            values = self.current.raw[name] = []
        else:
            self.problems.add(f"the property {name[:20]} stands twice in a node", at)
        return values

    def value_end(self, start: int) -> int:
        """Find the bracket that closes a value; -1 if there is none."""
        source = self.source
        pos = start
        while True:
            match = self.value.match(source.text, pos)
            assert match is not None
            pos = match.end()
            if source.text[pos : pos + 1] == "]":
                return pos
            if not source.more():
                return -1

    def decode(self) -> None:
        """Decode the values that are not ASCII."""
        encoding = self.encoding
        if encoding is None:
            assert self.root is not None
            declared = self.root.raw.get("CA", [UTF8.name])[0]
            encoding = find_encoding(declared)
            if encoding is None:
                self.problems.add(f"unknown encoding {declared[:20]!r}", self.root._at)
                encoding = UTF8
        if not self.longer:
            for values, place, pos in self.encoded:
                values[place] = self.decoded(values[place], encoding, pos)

    def decoded(self, value: str, encoding: Encoding, pos: int) -> str:
        """Decode a value; what does not fit becomes U+FFFD."""
        data = value.encode("latin-1")
        try:
            return data.decode(encoding.name)
        except UnicodeDecodeError:
            self.problems.add(f"this is not {encoding.name.upper()}", pos)
            return data.decode(encoding.name, "replace")


def _plain(value: str) -> str:
    """Take the escapes out of a value, and make all line ends LF."""
    value = value.replace("\\\\", _BACKSLASH)
    for line_end in ("\r\n", "\n\r", "\n", "\r"):
        value = value.replace("\\" + line_end, "")
    value = value.replace("\\", "").replace(_BACKSLASH, "\\")
    return plain_lines(value)


def plain_lines(text: str) -> str:
    """Make all line ends of a text LF."""
    return _LINE_END.sub("\n", text) if "\r" in text else text


def read_tree(
    source: Source,
    problems: Problems,
    make: Callable[[NodeT | None], NodeT],
    encoding: Encoding | None = None,
) -> NodeT | None:
    r"""Read the game that begins at the source's position; return its root, None if it has none.

    It is read in the encoding that the root's ``CA`` says, else UTF-8, if none is given.

    Examples
    --------
    >>> from io import BytesIO
    >>> from blokus_fast.records.sgf import Problems, SgfNode, Source, read_tree
    >>> source = Source(BytesIO(b"(;A [1]\n[2] [3])"), None)
    >>> read_tree(source, Problems(source, strict=True), SgfNode).raw
    {'A': ['1', '2', '3']}
    """
    begin, told = source.pos, len(problems.found)
    assumed = encoding
    if encoding is None:
        source.ahead()
        assumed = declared_encoding(source.text, begin)
    reader = _TreeReader(source, problems, make, assumed)
    error: RecordError | None = None
    try:
        reader.read()
    except RecordError as caught:
        error = caught
    if encoding is None and reader.root is not None:
        declared = find_encoding(reader.root.raw.get("CA", [UTF8.name])[0])
        longer = declared if declared is not None and declared.value is not None else None
        if longer != assumed:
            # It looked like another one, such as in a comment, or it is said far behind.
            source.pos = begin
            del problems.found[told:]
            return _TreeReader(source, problems, make, longer).read()
    if error is not None:
        raise error from None
    return reader.root


def value_text(value: str) -> str:
    """Write a value with its brackets and escapes."""
    escaped = plain_lines(value).replace("\\", "\\\\").replace("]", "\\]")
    return f"[{escaped}]"


def tree_text(root: NodeT, node_text: Callable[[NodeT], str]) -> str:
    """Write a tree.

    Examples
    --------
    >>> from blokus_fast.records.sgf import SgfNode, tree_text
    >>> root = SgfNode(None)
    >>> root.variations = [SgfNode(root), SgfNode(root)]
    >>> tree_text(root, lambda node: "")
    '(;(;)(;))'
    """
    parts = ["("]
    todo: list[NodeT | str] = [root]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        parts.append(";")
        parts.append(node_text(item))
        if len(item.variations) == 1:
            todo.append(item.variations[0])
            continue
        for variation in reversed(item.variations):
            todo += (")", variation, "(")
    parts.append(")")
    return "".join(parts)
