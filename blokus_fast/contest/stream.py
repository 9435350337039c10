"""The stream of the contest's protocol: bytes to XML elements and back.

One element, ``<protocol>``, is open as long as the connection is; what stands in it are the
messages. Owns the parsing, and the limits that keep a hostile other side from filling the memory.
Knows nothing of what elements mean.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import ClassVar, Final
from xml.parsers import expat

from blokus_fast.contest.errors import ProtocolError

__all__ = ["LIMITS", "Element", "ElementReader", "OneAttribute", "attribute", "element_text"]

LIMITS: Final[Mapping[str, int]] = MappingProxyType(
    {"bytes": 1 << 20, "token": 1 << 16, "elements": 20_000, "depth": 32}
)
"""What a message may have at most: bytes, bytes of one tag, elements in it, and their depth."""

ROOT: Final = "protocol"
# So many bytes are parsed before the limits are looked at again.
_SLICE: Final = 1 << 14
# XML 1.0 knows no way to write these.
_UNWRITABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;",
     "\r": "&#13;"}
)  # fmt: skip


class Element:
    """An XML element: name, attributes, children, and the text between them.

    Parameters
    ----------
    name : str
        Its name.
    attributes : dict of str to str, optional
        Its attributes.

    Attributes
    ----------
    children : list of Element
        The elements in it.
    text : str
        All text that stands directly in it.

    Examples
    --------
    >>> from blokus_fast.contest.stream import ElementReader
    >>> [room] = ElementReader().feed(b'<protocol><room roomId="1"><color>BLUE</color></room>')
    >>> room, room.attributes, room.find("color").text
    (<room>, {'roomId': '1'}, 'BLUE')
    """

    __slots__ = ("attributes", "children", "name", "text")

    def __init__(self, name: str, attributes: dict[str, str] | None = None) -> None:
        self.name = name
        self.attributes = {} if attributes is None else attributes
        self.children: list[Element] = []
        self.text = ""

    def find(self, name: str) -> Element | None:
        """Return the first child of a name, or None.

        Parameters
        ----------
        name : str
            The name.

        Returns
        -------
        Element or None
            The child.

        Examples
        --------
        >>> from blokus_fast.contest.stream import Element
        >>> Element("room").find("data") is None
        True
        """
        for child in self.children:
            if child.name == name:
                return child
        return None

    def all(self, name: str) -> Iterator[Element]:
        """Iterate over the children of a name.

        Parameters
        ----------
        name : str
            The name.

        Returns
        -------
        iterator of Element
            The children, in their order.

        Examples
        --------
        >>> from blokus_fast.contest.stream import Element
        >>> list(Element("room").all("data"))
        []
        """
        return (child for child in self.children if child.name == name)

    def __repr__(self) -> str:
        return f"<{self.name}>"


def _one_byte_each(error: UnicodeError) -> tuple[str, int]:
    """Read bytes that are no UTF-8 as Latin-1."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("blokus_fast.latin-1", _one_byte_each)


class ElementReader:
    r"""Reads the messages of a stream as they come in, however the bytes are cut.

    Text is UTF-8; bytes that are none are taken for Latin-1.

    Attributes
    ----------
    ended : bool
        Whether ``</protocol>`` has come. What follows it is passed over.

    Examples
    --------
    >>> from blokus_fast.contest.stream import ElementReader
    >>> reader = ElementReader()
    >>> reader.feed(b'<protocol>\n<joined roo'), reader.inside
    ([], True)
    >>> reader.feed(b'mId="17"/><left roomId="17"/></protocol>'), reader.inside, reader.ended
    ([<joined>, <left>], False, True)
    """

    def __init__(self) -> None:
        self.ended = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("blokus_fast.latin-1")
        self._open: list[Element] = []
        self._found: list[Element] = []
        self._depth = 0
        self._elements = 0
        # Bytes since the last message was complete, and since the parser last saw a whole tag.
        self._pending = 0
        self._silent = 0
        self._last = b">"
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        # Without a document type there are no entities, hence none that grow without end.
        parser.StartDoctypeDeclHandler = self._refuse
        # A new expat would wait for more bytes before it looks at a tag again that came in parts.
        prompt = getattr(parser, "SetReparseDeferralEnabled", None)
        if prompt is not None:
            prompt(False)
        self._parser = parser

    def __repr__(self) -> str:
        """Show whether the stream goes on."""
        return f"<ElementReader: {'ended' if self.ended else 'open'}>"

    @property
    def inside(self) -> bool:
        """Whether the last bytes were in the middle of a message."""
        return self._depth > 1 or not self._last.endswith(b">")

    def feed(self, data: bytes) -> list[Element]:
        """Take bytes, and return the messages that are complete with them.

        Parameters
        ----------
        data : bytes
            The next bytes of the stream.

        Returns
        -------
        list of Element
            The messages; mostly one or none.

        Raises
        ------
        ProtocolError
            The bytes are not XML, or not the protocol, or a message is too large. The stream
            cannot be read on.

        Examples
        --------
        >>> from blokus_fast.contest.stream import ElementReader
        >>> ElementReader().feed(b"<protocol><left roomId='1'/>")
        [<left>]
        """
        for start in range(0, len(data), _SLICE):
            if self.ended:
                break
            self._parse(data[start : start + _SLICE])
        found, self._found = self._found, []
        return found

    def _parse(self, data: bytes) -> None:
        self._pending += len(data)
        self._silent += len(data)
        self._last = data.rstrip() or self._last
        if self._pending > LIMITS["bytes"] or self._silent > LIMITS["token"]:
            raise ProtocolError(
                f"a message has more than {LIMITS['bytes']} bytes, or a tag more than "
                f"{LIMITS['token']}"
            )
        try:
            self._parser.Parse(self._decoder.decode(data), False)
        except expat.ExpatError as error:
            if self.ended:
                return
            what = expat.errors.messages.get(error.code, "no XML")
            raise ProtocolError(
                f"what was sent is not XML: {what} in line {error.lineno}, column {error.offset}"
            ) from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._silent = 0
        self._depth += 1
        if self._depth == 1:
            if name != ROOT:
                raise ProtocolError(f"the stream begins with <{name[:60]}>, not with <{ROOT}>")
            return
        self._elements += 1
        if self._elements > LIMITS["elements"] or self._depth > LIMITS["depth"]:
            raise ProtocolError(
                f"a message has more than {LIMITS['elements']} elements, or more than "
                f"{LIMITS['depth']} in each other"
            )
        element = Element(name, attributes)
        if self._open:
            self._open[-1].children.append(element)
        self._open.append(element)

    def _end(self, name: str) -> None:
        self._silent = 0
        self._depth -= 1
        if self._depth == 0:
            self.ended = True
            return
        element = self._open.pop()
        if not self._open:
            self._found.append(element)
            self._pending = self._elements = 0

    def _characters(self, text: str) -> None:
        self._silent = 0
        if self._open:
            self._open[-1].text += text
        else:
            # Blanks between messages may come for ever.
            self._pending = 0

    def _refuse(self, *_: object) -> None:
        raise ProtocolError("a document type is not part of the protocol")


class OneAttribute:
    """A message that is an element with one attribute: the value of the record's only field.

    Examples
    --------
    >>> from blokus_fast.contest.messages import Joined
    >>> Joined("7").TAG, Joined("7").KEY, Joined("7").xml()
    ('joined', 'roomId', '<joined roomId="7"/>')
    """

    __slots__: tuple[str, ...] = ()
    TAG: ClassVar[str]
    KEY: ClassVar[str]

    def xml(self) -> str:
        """Write the message.

        Returns
        -------
        str
            An element.
        """
        [field] = self.__slots__
        return element_text(self.TAG, {self.KEY: getattr(self, field)})


def attribute(text: str) -> str:
    r"""Write a text so that it can stand in an attribute or between tags.

    What XML cannot hold, such as control characters, is left out.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The text with entities for what means something in XML.

    Examples
    --------
    >>> from blokus_fast.contest.stream import attribute
    >>> attribute('a "b" & <c>\x00')
    'a &quot;b&quot; &amp; &lt;c&gt;'
    """
    return _UNWRITABLE.sub("", text).translate(_ESCAPES)


def element_text(name: str, attributes: Mapping[str, str], inner: str = "") -> str:
    """Write an element.

    Parameters
    ----------
    name : str
        Its name.
    attributes : mapping of str to str
        Its attributes, in their order.
    inner : str
        What is in it, XML already.

    Returns
    -------
    str
        The XML.

    Examples
    --------
    >>> from blokus_fast.contest.stream import element_text
    >>> element_text("joined", {"roomId": "a&b"}), element_text("color", {}, "BLUE")
    ('<joined roomId="a&amp;b"/>', '<color>BLUE</color>')
    """
    tag = name + "".join(f' {key}="{attribute(value)}"' for key, value in attributes.items())
    return f"<{tag}>{inner}</{name}>" if inner else f"<{tag}/>"
