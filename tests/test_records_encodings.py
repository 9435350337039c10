"""Encodings in which a byte of a longer sign looks like a bracket or a backslash."""

from __future__ import annotations

import io
import re

import pytest

import blokus_fast as bf
from blokus_fast import records
from blokus_fast.records.encodings import find_encoding

# Per encoding a text with bytes that look like ``\\``, ``]`` and ``[``.
TEXTS = {
    "Shift_JIS": "表]能\\ソ噂[欺:ミムＡ",
    "cp932": "表]能\\ソ噂[欺①",
    "GB18030": "乗]乗\\淺[\u3000\U00020000é中文",
    "GBK": "俓]俔\\乗",
    "Big5": "功]許\\蓋[育",
    "cp950": "功]許\\蓋",
    "Big5-HKSCS": "功]許\\蓋",
    "johab": "겥]겦\\나亡",
    "ISO-2022-JP": "日本]語\\表",
    "EUC-KR": "한국]어\\[가",
    "cp949": "뷁]한\\",
    "EUC-JP": "表]能\\ソ",
    "GB2312": "中]文\\",
}


def raw(text: str, encoding: str) -> bytes:
    """Return a value with its escapes, as a program writes it that escapes before it encodes."""
    return re.sub(r"([\]\\])", r"\\\1", text).encode(encoding)


@pytest.mark.parametrize(("encoding", "text"), TEXTS.items(), ids=TEXTS)
def test_values_are_decoded_before_the_syntax_is_read(encoding: str, text: str) -> None:
    value, declared = raw(text, encoding), encoding.encode()
    assert value.decode(encoding).replace("\\]", "]").replace("\\\\", "\\") == text
    files = [
        b"(;GM[Blokus Duo]CA[" + declared + b"]PB[" + value + b"];B[e10]C[" + value + b"];W[j5])",
        # The encoding is said only behind such a value.
        b"(;GM[Blokus Duo]PB[" + value + b"]CA[" + declared + b"];B[e10]C[" + value + b"];W[j5])",
    ]
    for data in files:
        for strict in (True, False):
            record = records.read(io.BytesIO(data), strict=strict)
            assert record.warnings == ()
            assert record.names[0] == text
            assert [str(move) for move in record.main_line_moves()] == ["e10", "j5"]
            first = record.root.next
            assert first is not None
            assert first.comment == text
        again = records.parse(str(record), strict=True)
        assert again.names[0] == text
        assert "CA[UTF-8]" in str(again)
    undeclared = files[0].replace(b"CA[" + declared + b"]", b"")
    record = records.read(io.BytesIO(undeclared), encoding=encoding, strict=True)
    assert record.names[0] == text


def test_the_bytes_in_the_texts_are_dangerous() -> None:
    """Read as Latin-1, a value of the others would end elsewhere."""
    for encoding, text in TEXTS.items():
        found = find_encoding(encoding)
        assert found is not None
        letters = [letter for letter in text if letter not in "[]\\"]
        risky = set("".join(letters).encode(encoding)) & set(b"[]\\")
        assert risky or found.value is None or encoding == "ISO-2022-JP", encoding


def test_games_in_several_encodings_in_one_file() -> None:
    parts = [
        b"(;GM[Blokus]CA[" + name.encode() + b"]C[" + raw(text, name) + b"])\n"
        for name, text in TEXTS.items()
    ]
    parts.insert(3, "(;GM[Blokus]C[\xe9 CA[gbk\\]])\n".encode())
    games = records.read_all(io.BytesIO(b"".join(parts)), strict=True)
    comments = [record.root.comment for record in games]
    wanted = list(TEXTS.values())
    wanted.insert(3, "\xe9 CA[gbk]")
    assert comments == wanted


def test_an_encoding_in_a_comment_is_none() -> None:
    data = "(;GM[Blokus]C[\xe9 (CA[Shift_JIS\\]) CA[gbk\\]]AN[\xe9];1[a20])".encode()
    record = records.read(io.BytesIO(data), strict=True)
    assert record.root.comment == "\xe9 (CA[Shift_JIS]) CA[gbk]"
    data = b"(;GM[Blokus]C[see CA[gbk]CA[latin-1]AN[\xe9];1[a20])"
    assert records.read(io.BytesIO(data), strict=True).headers["AN"] == "\xe9"


def test_an_encoding_that_is_said_far_behind() -> None:
    text = TEXTS["Shift_JIS"]
    value = raw(text, "shift_jis")
    data = b"(;GM[Blokus]AN[" + b"x" * 10_000 + b"]CA[shift_jis]C[" + value + b"];1[a20])"
    record = records.read(io.BytesIO(data), strict=True)
    assert record.root.comment == text
    assert record.end().ply == 1


def test_signs_across_the_pieces_in_which_a_file_is_read() -> None:
    for name in ("Shift_JIS", "GB18030", "ISO-2022-JP"):
        value = raw(TEXTS[name], name)
        for shift in range(len(value) + 1):
            begin = b"(;GM[Blokus]CA[" + name.encode() + b"]C["
            fill = b"x" * (2**16 - len(begin) - shift)
            record = records.read(io.BytesIO(begin + fill + value + b"];1[a20])"), strict=True)
            assert record.root.comment == fill.decode() + TEXTS[name]
            assert record.end().ply == 1


def test_bytes_that_are_nothing_in_the_encoding() -> None:
    data = b"(;GM[Blokus]CA[Shift_JIS]C[\x81\x20a\xff]AN[x\x81];1[a20])"
    record = records.read(io.BytesIO(data))
    # The bracket after half a sign is one: 81 5D is a sign, and so is what follows.
    assert "this is not SHIFT_JIS" in str(record.warnings[0])
    with pytest.raises(bf.RecordError, match="not SHIFT_JIS"):
        records.read(io.BytesIO(data), strict=True)
    with pytest.raises(bf.RecordError, match="not EUC_KR"):
        records.read(io.BytesIO(b"(;GM[Blokus]CA[EUC-KR]C[\xff])"), strict=True)
    for length in range(len(data)):
        cut = data[:length]
        if b"GM[Blokus]" in cut:
            assert str(records.parse(str(records.read(io.BytesIO(cut)))))
