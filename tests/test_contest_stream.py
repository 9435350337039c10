"""The stream of XML elements: cut anywhere, in either encoding, and with nothing good in it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable
from itertools import chain, repeat

import pytest
from contest_tools import element, states

from blokus_fast.contest import ProtocolError
from blokus_fast.contest.messages import StateSaid, read_said
from blokus_fast.contest.stream import LIMITS, ElementReader, attribute, element_text

TEXT = (
    '<?xml version="1.0"?><protocol>\n  <joined roomId="a&amp;b"/><room roomId="1">'
    '<data class="error" message="Ungültiger Zug"><x>é<y/>&lt;z</x></data></room>\n<left/>'
    "</protocol>"
)


def read(parts: list[bytes]) -> list[str]:
    """Show what a reader finds in parts."""

    def show(one: object) -> str:
        return f"{one.name}{one.attributes}{one.text!r}{[show(c) for c in one.children]}"

    reader = ElementReader()
    found = [show(one) for part in parts for one in reader.feed(part)]
    assert reader.ended
    return found


def feed_all(parts: Iterable[bytes]) -> None:
    reader = ElementReader()
    for part in parts:
        reader.feed(part)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_messages_are_the_same_however_they_are_cut(encoding: str) -> None:
    data = TEXT.encode(encoding)
    whole = read([data])
    assert len(whole) == 3
    assert "Ungültiger Zug" in whole[1]
    assert "é<z" in whole[1]
    assert read([data[i : i + 1] for i in range(len(data))]) == whole
    for cut in range(0, len(data), 7):
        assert read([data[:cut], data[cut:]]) == whole


def test_a_message_is_there_with_its_last_byte() -> None:
    reader = ElementReader()
    data = b'<protocol><room roomId="1"><data class="moveRequest"/></room>'
    for byte in range(len(data) - 1):
        assert reader.feed(data[byte : byte + 1]) == []
    assert len(reader.feed(data[-1:])) == 1


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"<html>",
        b"<protocol><a></b>",
        b"<protocol><a b=c/>",
        b"\x00\x01\x02",
        b"<protocol>\x00",
        b"<protocol><a>&unknown;</a>",
        b'<!DOCTYPE protocol SYSTEM "file:///etc/passwd"><protocol>',
        b'<!DOCTYPE p [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><protocol>&b;',
        b"<protocol>" + b"<a>" * 40,
        b"<protocol><a>" + b"<b/>" * (LIMITS["elements"] + 1),
        b"<protocol><a>" + b"x y " * (LIMITS["bytes"] // 3),
        b"<protocol><a b='" + b"x" * (2 * LIMITS["token"]),
        b"<protocol><!--" + b"x" * (2 * LIMITS["token"]),
        b"<protocol><" + b"x" * (2 * LIMITS["token"]),
    ],
    ids=lambda data: repr(data[:30]),
)
def test_what_is_not_the_protocol_is_refused(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        ElementReader().feed(data)
    with pytest.raises(ProtocolError):
        feed_all(data[start : start + 1000] for start in range(0, len(data), 1000))


def test_no_entity_is_ever_expanded() -> None:
    """Ten times ten times ten times as much text, and the content of a file."""
    bomb = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(8))
    for declared in (f'<!ENTITY e0 "lol">{bomb}', '<!ENTITY e8 SYSTEM "file:///etc/hostname">'):
        with pytest.raises(ProtocolError, match="document type"):
            ElementReader().feed(f"<!DOCTYPE p [{declared}]><protocol><a>&e8;</a>".encode())


def test_a_hostile_stream_takes_little_memory() -> None:
    tracemalloc.start()
    try:
        for data in (b"<a b='x'>", b"<b/>", b"x" * 1000, b"<" + b"y" * 100):
            with pytest.raises(ProtocolError):
                feed_all(chain([b"<protocol><a>"], repeat(data, 100_000)))
        assert tracemalloc.get_traced_memory()[1] < 30 * 2**20
    finally:
        tracemalloc.stop()


def test_blanks_may_come_for_ever_and_messages_too() -> None:
    reader = ElementReader()
    reader.feed(b"<protocol>")
    for _ in range(300):
        assert reader.feed(b" \n" * 5000) == []
    many = [len(reader.feed(b"<left roomId='1'/>" * 1000)) for _ in range(100)]
    assert many == [1000] * 100


def test_what_comes_behind_the_end_is_passed_over() -> None:
    reader = ElementReader()
    assert len(reader.feed(b"<protocol><left/></protocol>\n<more></mor")) == 1
    assert reader.ended
    assert reader.feed(b"<left/>") == []


def test_anything_can_be_written_and_read() -> None:
    for text in ("", "a\"b<c>&'", "ümläut €", "line\nbreak\ttab", "]]>", "\U0001f600"):
        found = element(element_text("room", {"roomId": text}, attribute(text)))
        assert (found.attributes["roomId"], found.text) == (text, text)
    found = element(element_text("a", {"b": "x\x00\x1b\ud800y"}))
    assert found.attributes == {"b": "xy"}


def test_a_whole_game_of_states_is_read_from_one_stream() -> None:
    reader, all_states = ElementReader(), states(seed=3)
    data = "<protocol>" + "".join(StateSaid("1", state).xml() for state in all_states)
    found = [read_said(one) for one in reader.feed(data.encode())]
    assert found == [StateSaid("1", state) for state in all_states]
