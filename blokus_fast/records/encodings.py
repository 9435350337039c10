"""Encodings of files: which are known, and where a value ends in each of them.

In most of them the signs of SGF are bytes that are part of no other sign. In some of East Asia a
byte of a longer sign may look like a bracket or a backslash; for them a value is found by a
pattern of its own. Bytes are characters here, as in `sgf`.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

__all__ = ["UTF8", "Encoding", "declared_encoding", "find_encoding"]

# How far into a game it may say its encoding, where that has to be known to read on.
_FAR: Final = 4096
_DECLARED = re.compile(r"(?<=[\];(\s])CA\s*\[([^\[\]\\]{2,40})\]")


@dataclass(frozen=True)
class Encoding:
    """An encoding: its name in Python, and what matches a value without its brackets.

    `value` is None where a value ends at the first bracket without a backslash, whatever the bytes
    before it stand for.
    """

    name: str
    value: re.Pattern[str] | None = None


UTF8: Final = Encoding("utf-8")


def _pairs(lead: str, trail: str) -> re.Pattern[str]:
    """Match a value in which two bytes are a sign; possessive, as the pattern in `sgf`."""
    return re.compile(
        rf"(?:[^\]\\{lead}]++|\\?[{lead}][{trail}]|\\[^{lead}]|\\?[{lead}](?![{trail}])(?=.))*+",
        re.DOTALL,
    )


_JAPAN = _pairs(r"\x81-\x9f\xe0-\xfc", r"\x40-\x7e\x80-\xfc")
_CHINA = _pairs(r"\x81-\xfe", r"\x40-\x7e\x80-\xfe")
_KOREA = _pairs(r"\x84-\xd3\xd8-\xde\xe0-\xf9", r"\x31-\x7e\x81-\xfe")
# Between two escapes every byte may be half of a sign.
_ESCAPES = re.compile(
    r"(?:[^\]\\\x1b]++|\x1b\$[^\x1b\r\n]*+(?=.)|\x1b(?=[^$])|\\[^\x1b]|\\(?=\x1b.))*+", re.DOTALL
)

_LONGER: Final = {
    **dict.fromkeys(("shift_jis", "cp932"), _JAPAN),
    **dict.fromkeys(("gbk", "gb18030", "big5", "big5hkscs", "cp950"), _CHINA),
    "johab": _KOREA,
    **dict.fromkeys(("iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_2004"), _ESCAPES),
    **dict.fromkeys(("iso2022_jp_3", "iso2022_jp_ext"), _ESCAPES),
    **dict.fromkeys(("euc_jp", "euc_jis_2004", "euc_jisx0213", "euc_kr", "gb2312", "cp949"), None),
    "utf-8": None,
}
_ONE_BYTE = re.compile(
    r"ascii|iso8859-\d+|cp\d{3,4}|koi8-[rtu]|mac-[a-z]+\d?|tis-620|hp-roman8|kz1048|ptcp154"
)


@lru_cache(maxsize=256)
def find_encoding(name: str) -> Encoding | None:
    """Find an encoding by any of its names; None if it is not known, or not for such files."""
    if len(name) > 40:
        return None
    try:
        found = codecs.lookup(name.strip()).name
        if found in _LONGER:
            return Encoding(found, _LONGER[found])
        # On large computers a bracket is another byte.
        ascii_too = _ONE_BYTE.fullmatch(found) and _ASCII.decode(found) == _ASCII.decode("ascii")
    except (LookupError, ValueError):
        return None
    return Encoding(found) if ascii_too else None


_ASCII: Final = bytes(range(128))


def declared_encoding(text: str, start: int) -> Encoding | None:
    """Find what a game says in ``CA``, if it has to be known before the game is read."""
    if "CA" not in text[start : start + _FAR]:
        return None
    for match in _DECLARED.finditer(text, start, start + _FAR):
        found = find_encoding(match[1])
        if found is not None and found.value is not None:
            return found
    return None
