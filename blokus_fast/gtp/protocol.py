"""The Go Text Protocol itself: commands and answers as text, whatever they are about.

A command is a line: an optional number, a word, arguments. An answer begins with ``=`` or ``?`` and
the number, and ends with an empty line. Knows nothing of Blokus, and reads and writes no stream.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Answer", "AnswerReader", "Command", "clean", "parse_command", "quote", "response"]

# What the protocol drops from a line: control characters, apart from the tab, which is a blank.
_CLEANED: Final = {**dict.fromkeys([*range(32), 127]), ord("\t"): " "}
_ID = re.compile(r"(-?[0-9]{1,18})(?= |$)")
_HEAD = re.compile(r"([=?])(-?[0-9]{1,18})?(?: (.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it stands on its line.

    Parameters
    ----------
    id : int or None
        Its number, which the answer has to repeat.
    name : str
        The word; empty where there is only a number.
    rest : str
        The arguments as they were written.

    Examples
    --------
    >>> from blokus_fast.gtp.protocol import Command
    >>> Command(None, "savesgf", '"my games/a.blksgf"').words()
    ['my games/a.blksgf']
    """

    id: int | None
    name: str
    rest: str

    def words(self) -> list[str]:
        """Split the arguments at blanks; what stands in double quotes is one word.

        Returns
        -------
        list of str
            The words, without their quotes. Within quotes a backslash stands before a quote or
            a backslash that is meant as such.

        Raises
        ------
        ValueError
            A quote is not closed.

        Examples
        --------
        >>> from blokus_fast.gtp.protocol import parse_command
        >>> parse_command("play b e10,f10").words()
        ['b', 'e10,f10']
        """
        words, text = [], self.rest
        place = 0
        while place < len(text):
            if text[place] == " ":
                place += 1
            elif text[place] == '"':
                word, place = _quoted(text, place + 1)
                words.append(word)
            else:
                end = text.find(" ", place)
                end = len(text) if end < 0 else end
                words.append(text[place:end])
                place = end
        return words


def _quoted(text: str, place: int) -> tuple[str, int]:
    """Read a word up to its closing quote; return it and the place behind."""
    letters: list[str] = []
    while place < len(text):
        letter = text[place]
        if letter == '"':
            return "".join(letters), place + 1
        if letter == "\\" and text[place + 1 : place + 2] in ('"', "\\"):
            place += 1
            letter = text[place]
        letters.append(letter)
        place += 1
    raise ValueError("a quote is not closed")


def clean(line: str) -> str:
    r"""Take out control characters, and make tabs blanks.

    Examples
    --------
    >>> from blokus_fast.gtp.protocol import clean
    >>> clean("play\tb\x07 e10\r\n")
    'play b e10'
    """
    return line.translate(_CLEANED)


def parse_command(line: str) -> Command | None:
    r"""Read a line as a command.

    Parameters
    ----------
    line : str
        The line. Control characters are dropped, and what follows a ``#`` outside of quotes.

    Returns
    -------
    Command or None
        The command; None for a line without any.

    Examples
    --------
    >>> from blokus_fast.gtp.protocol import parse_command
    >>> parse_command("12 play b e10  # well\r\n")
    Command(id=12, name='play', rest='b e10')
    >>> parse_command("# nothing but a comment") is None
    True
    """
    text = _without_comment(clean(line).removeprefix("\ufeff")).strip(" ")
    if not text:
        return None
    found = _ID.match(text)
    number = None
    if found:
        number = int(found[1])
        text = text[found.end() :].lstrip(" ")
    name, _, rest = text.partition(" ")
    return Command(number, name, rest.strip(" "))


def _without_comment(text: str) -> str:
    if "#" not in text:
        return text
    quoted = False
    skip = False
    for place, letter in enumerate(text):
        if skip:
            skip = False
        elif letter == '"':
            quoted = not quoted
        elif letter == "\\" and quoted:
            skip = text[place + 1 : place + 2] in ('"', "\\")
        elif letter == "#" and not quoted:
            return text[:place]
    return text


def quote(word: str) -> str:
    """Write a word so that it is read as one, with quotes where it needs them.

    Examples
    --------
    >>> from blokus_fast.gtp.protocol import quote
    >>> quote("a.blksgf"), quote("my games/a.blksgf")
    ('a.blksgf', '"my games/a.blksgf"')
    """
    if word and not re.search(r'[ \t"#]', word):
        return word
    return '"' + re.sub(r'(["\\])', r"\\\1", word) + '"'


def response(text: str = "", *, id: int | None = None, ok: bool = True) -> str:
    r"""Write an answer.

    Parameters
    ----------
    text : str
        What to say, one line or several. Empty lines would end the answer, so they are dropped.
    id : int, optional
        The number of the command.
    ok : bool
        Whether the command was carried out.

    Returns
    -------
    str
        The answer with the empty line that ends it.

    Examples
    --------
    >>> from blokus_fast.gtp.protocol import response
    >>> response("e10", id=3), response("illegal move", ok=False)
    ('=3 e10\n\n', '? illegal move\n\n')
    """
    lines = [clean(line) for line in text.split("\n")]
    # The first line may be empty: the sign stands before it.
    body = "\n".join(lines[:1] + [line for line in lines[1:] if line.strip()])
    number = "" if id is None else id
    return f"{'=' if ok else '?'}{number} {body}\n\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that has come in.

    Parameters
    ----------
    ok : bool
        Whether the command was carried out.
    id : int or None
        The number of the command that is answered, where the engine repeats it.
    text : str
        What it says.

    Examples
    --------
    >>> from blokus_fast.gtp.protocol import Answer
    >>> Answer(True, 3, "e10").text
    'e10'
    """

    ok: bool
    id: int | None
    text: str


class AnswerReader:
    r"""Puts answers together out of lines; what belongs to no answer is `noise`.

    Examples
    --------
    >>> from blokus_fast.gtp.protocol import AnswerReader
    >>> reader = AnswerReader()
    >>> [reader.feed(line) for line in ("hello", "=2 a1", "b2", "")]
    [None, None, None, Answer(ok=True, id=2, text='a1\nb2')]
    >>> reader.noise
    'hello'
    """

    def __init__(self) -> None:
        self.noise = ""
        """The last line that belonged to no answer."""
        self._head: tuple[bool, int | None] | None = None
        self._lines: list[str] = []

    def __repr__(self) -> str:
        """Show whether an answer has begun."""
        return f"<AnswerReader: {'between answers' if self._head is None else 'in an answer'}>"

    def feed(self, line: str) -> Answer | None:
        """Take the next line.

        Parameters
        ----------
        line : str
            The line, with or without its end.

        Returns
        -------
        Answer or None
            The answer that this line completes.

        Examples
        --------
        >>> from blokus_fast.gtp.protocol import AnswerReader
        >>> reader = AnswerReader()
        >>> reader.feed("? unknown command") is None, reader.feed("").ok
        (True, False)
        """
        line = clean(line)
        if self._head is None:
            found = _HEAD.fullmatch(line)
            if found is not None:
                self._head = (found[1] == "=", None if found[2] is None else int(found[2]))
                self._lines = [found[3] or ""]
            elif line.strip():
                self.noise = line
            return None
        if line:
            self._lines.append(line)
            return None
        first, *others = self._lines
        # A picture may begin below the sign, and its first line with blanks.
        lines = [first.strip(), *others] if first.strip() else others
        answer = Answer(*self._head, "\n".join(lines).rstrip())
        self._head = None
        return answer
