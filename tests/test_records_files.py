"""Files of records: there and back whatever is in them, and nothing bad from bad ones."""

from __future__ import annotations

import gc
import io
import random
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import blokus_fast as bf
from blokus_fast import records
from blokus_fast.records import reading, sgf

DATA = Path(__file__).parent / "data" / "records"
FILES = sorted(DATA.glob("*.blksgf"))
RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck))

# Everything that a file could trip over, and ordinary letters. No CR: it comes back as LF.
ODD = st.text(
    st.one_of(
        st.sampled_from("[]()\\;:\n\t \N{BYTE ORDER MARK}\0\x85\xa0\u2028"),
        st.characters(exclude_categories=("Cs",), exclude_characters="\r"),
    ),
    max_size=30,
)
NAMES = st.from_regex(r"(X[A-Z]{1,3}|X[A-Z]?[0-9]{1,2})", fullmatch=True)


@st.composite
def trees(draw: st.DrawFn) -> bf.Record:
    """Return a record with variations, comments and properties."""
    variant = bf.variant(
        draw(st.sampled_from(sorted(bf.VARIANTS))),
        start=draw(st.sampled_from([None, "assigned", "any", "border"])),
        scoring=draw(st.sampled_from([None, *bf.SCORING_RULES])),
    )
    players = [draw(ODD) or f"player {player + 1}" for player in range(variant.players)]
    rng = random.Random(draw(st.integers(0, 2**32)))
    game = bf.Game(variant, names=players)
    length = draw(st.integers(0, 120))
    while not game.is_over and len(game.board.move_stack) < length:
        game.play(int(rng.choice(game.board.legal_ids())))
    record = bf.Record.from_game(game)
    nodes = list(record.nodes())
    for _ in range(draw(st.integers(0, 4))):
        node = rng.choice(nodes)
        board = node.board()
        if not board.is_game_over:
            nodes.append(node.add(int(rng.choice(board.legal_ids())), main=rng.random() < 0.3))
    for _ in range(draw(st.integers(0, 5))):
        rng.choice(nodes).comment = draw(ODD)
        rng.choice(nodes).properties[draw(NAMES)] = draw(st.lists(ODD, min_size=1, max_size=3))
    return record


def describe(record: bf.Record) -> list[object]:
    """Return all that is in a record, in the order of its nodes."""
    return [
        record.variant,
        record.names,
        *(
            (node.ply, node.move, node.comment, node.setup, node.properties, len(node.variations))
            for node in record.nodes()
        ),
    ]


@settings(RELAXED, max_examples=60)
@given(trees())
def test_there_and_back(record: bf.Record) -> None:
    text = str(record)
    again = records.parse(text, strict=True)
    assert describe(again) == describe(record)
    assert str(again) == text
    assert again.to_game().board == record.to_game().board


@settings(RELAXED, max_examples=10)
@given(st.lists(trees(), min_size=1, max_size=4))
def test_several_games_in_a_file(games: list[bf.Record]) -> None:
    file = io.BytesIO()
    records.write(games, file)
    file.seek(0)
    again = list(records.read_all(file, strict=True))
    assert [str(record) for record in again] == [str(record) for record in games]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_sample_files(path: Path, tmp_path: Path) -> None:
    games = list(records.read_all(path, strict=True))
    assert games
    records.write(games, tmp_path / "again.blksgf")
    again = list(records.read_all(tmp_path / "again.blksgf", strict=True))
    assert [describe(record) for record in again] == [describe(record) for record in games]
    assert [str(record) for record in again] == [str(record) for record in games]


def test_the_sample_games_are_whole() -> None:
    games = list(records.read_all(DATA / "games.blksgf", strict=True))
    assert [record.variant.name for record in games] == list(bf.VARIANTS)
    assert all(record.to_game().is_over for record in games)


def test_line_ends_and_lone_surrogates_are_made_plain() -> None:
    record = bf.Record("duo")
    record.root.comment = "a\r\nb\rc\nd \ud83d e"
    file = io.BytesIO()
    records.write(record, file)
    again = records.read(io.BytesIO(file.getvalue()), strict=True)
    assert again.root.comment == "a\nb\nc\nd \N{REPLACEMENT CHARACTER} e"
    assert records.parse(str(record)).root.comment.startswith("a\nb\nc\nd ")


SAMPLES = [path.read_bytes() for path in FILES] + [
    str(record).encode() for record in records.read_all(DATA / "games.blksgf")
]
SIGNS = [b"", *(bytes([byte]) for byte in b"[]()\\;:,AaBW1259\n\r \0\x80\xc3\xff"), b"AE", b"C["]


def assert_harmless(data: bytes) -> None:
    """Read bytes in every way, and write what comes out."""
    start = time.perf_counter()
    reader = records.read_all(io.BytesIO(data))
    for record in reader:
        text = str(record)
        again = records.parse(text)
        assert str(again) == text
        assert record.end().board() == again.end().board()
        for problem in (*record.warnings, *reader.warnings):
            assert problem.line >= 1
            assert problem.column >= 1
    try:
        for record in records.read_all(io.BytesIO(data), strict=True):
            assert record.warnings == ()
    except bf.RecordError as error:
        assert_has_place(error)
    assert time.perf_counter() - start < 20


def assert_has_place(error: bf.RecordError) -> None:
    assert error.line is not None
    assert error.column is not None
    assert error.line >= 1
    assert error.column >= 1


@settings(RELAXED, max_examples=150)
@given(
    st.sampled_from(SAMPLES),
    st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from([0, 1, 2, 9]), st.sampled_from(SIGNS)),
        min_size=1,
        max_size=6,
    ),
)
def test_damaged_files(data: bytes, changes: list[tuple[float, int, bytes]]) -> None:
    data = data[:3000]
    for where, length, sign in changes:
        place = int(where * len(data))
        data = data[:place] + sign + data[place + length :]
    assert_harmless(data)


@pytest.mark.parametrize("path", [path for path in FILES if path.stat().st_size < 1000], ids=str)
def test_files_cut_anywhere(path: Path) -> None:
    data = path.read_bytes()
    for length in range(len(data)):
        assert_harmless(data[:length])


@RELAXED
@given(st.binary(max_size=80))
def test_any_bytes(data: bytes) -> None:
    # What begins like UTF-16 is refused, see test_records_cases.py.
    assume(not data.startswith((b"\xfe\xff", b"\xff\xfe")))
    assert_harmless(data)
    assert_harmless(b"(;GM[Blokus Duo]" + data)
    assert_harmless(b"(;GM[Blokus Duo];B[e10]C[" + data + b"];W[j5])")


def test_everything_up_to_the_cut() -> None:
    whole = next(records.read_all(DATA / "games.blksgf"))
    text = str(whole)
    cut = records.parse(text[: len(text) // 2])
    moves = list(cut.main_line_moves())
    assert moves == list(whole.main_line_moves())[: len(moves)]
    assert len(moves) > 10
    assert [problem.message for problem in cut.warnings][-1].endswith("not closed")


def test_an_illegal_move_takes_what_follows_with_it() -> None:
    text = "(;GM[Blokus Duo]\n;B[e10]\n(;W[j5];B[e9]C[edge];W[k4])\n(;W[j5,j6];B[f11,g11]))"
    record = records.parse(text)
    first = record.root.next
    assert first is not None
    assert [len(list(node.main_line())) for node in first.variations] == [0, 1]
    assert [str(problem) for problem in record.warnings] == [
        "line 3, column 8: e9 (move 74): piece 1 is not in hand"
    ]
    with pytest.raises(bf.RecordError) as caught:
        records.parse(text, strict=True)
    assert (caught.value.line, caught.value.column) == (3, 8)


def test_errors_have_file_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "game.blksgf"
    path.write_bytes("(;GM[Blokus]C[\xe9\xe9]\r\n\r;1[a20]C[\xe9\xe9\xe9];1[a19])".encode())
    with pytest.raises(bf.RecordError) as caught:
        records.read(path, strict=True)
    error = caught.value
    assert (error.file, error.line, error.column) == (str(path), 3, 14)
    assert str(error).startswith(f"{path}, line 3, column 14: ")


def test_places_are_right_far_into_a_file() -> None:
    games = "(;GM[Blokus]C[\xe9\n])\r\n" * 4_000 + "   (;GM[Blokus];1[t1])"
    reader = records.read_all(io.BytesIO(games.encode()))
    last = list(reader)[-1]
    assert [(problem.line, problem.column) for problem in last.warnings] == [(8_001, 16)]


def test_only_so_many_warnings_are_kept() -> None:
    record = records.parse("(;GM[Blokus]" + "(;1[t1])" * 500 + ")")
    assert len(record.warnings) == sgf.MAX_PROBLEMS + 1
    assert "more problems" in record.warnings[-1].message


def test_missing_files_and_other_wrong_sources(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        records.read(tmp_path / "none.blksgf")
    with pytest.raises(OSError, match=r".+"):
        records.read(tmp_path)
    with pytest.raises(TypeError, match="binary"):
        records.read(io.StringIO("(;GM[Blokus])"))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        records.parse(b"(;GM[Blokus])")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown variant"):
        records.parse("(;GM[Blokus])", variant="chess")
    for encoding in ("utf-16", "cp037", "utf-7", "hz", "nonsense", "rot13", "x" * 99):
        with pytest.raises(ValueError, match="encoding"):
            records.read(io.BytesIO(b"(;GM[Blokus])"), encoding=encoding)

    for source in (5, None, b"game.blksgf"):
        with pytest.raises(TypeError, match="a path or an open file"):
            records.read(source)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="named by text"):
        records.read(io.BytesIO(b"(;GM[Blokus])"), encoding=b"utf-8")  # type: ignore[arg-type]


@pytest.mark.parametrize("declared", ["UTF-16", "cp037", "nonsense", "", "\0", "x" * 999])
def test_other_encodings_than_those_that_are_known(declared: str) -> None:
    text = f"(;GM[Blokus]CA[{declared}]C[\xe9])"
    record = records.parse(text)
    assert record.root.comment == "\xe9"
    record = records.read(io.BytesIO(text.encode()))
    assert record.root.comment == "\xe9"
    assert "unknown encoding" in str(record.warnings[0])
    with pytest.raises(bf.RecordError, match="unknown encoding"):
        records.read(io.BytesIO(text.encode()), strict=True)


@pytest.mark.parametrize(
    "declared", ["utf-8", "UTF8", "latin-1", "ISO-8859-15", "windows-1252", "mac_roman", "CP850"]
)
def test_encodings_that_are_known(declared: str) -> None:
    data = f"(;GM[Blokus]CA[{declared}]C[\xe9])".encode(declared)
    assert records.read(io.BytesIO(data), strict=True).root.comment == "\xe9"


def test_a_reader_closes_its_file() -> None:
    with records.read_all(DATA / "games.blksgf") as games:
        next(games)
    # A file that is left open would be a ResourceWarning, hence an error.
    next(records.read_all(DATA / "games.blksgf"))
    gc.collect()
    file = io.BytesIO(b"(;GM[Blokus])")
    assert len(list(records.read_all(file))) == 1
    assert not file.closed


def test_other_games_in_a_file_are_passed_over() -> None:
    data = b"(;GM[Nexos])\nx(;GM[Blokus])(;)(;GM[Blokus Duo])"
    games = records.read_all(io.BytesIO(data))
    assert [record.variant.name for record in games] == ["classic", "duo"]
    assert [(problem.line, problem.column) for problem in games.warnings] == [
        (1, 2),
        (2, 1),
        (2, 16),
    ]
    with pytest.raises(bf.RecordError, match="Nexos"):
        next(records.read_all(io.BytesIO(data), strict=True))


def test_an_error_leaves_an_old_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "game.blksgf"
    records.write(bf.Record("duo"), path)
    before = path.read_bytes()
    record = bf.Record("duo")
    record.root.raw["GM"] = ["x"]
    with pytest.raises(ValueError, match="by hand"):
        records.write(record, path)
    assert path.read_bytes() == before


def test_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sgf, "MAX_ITEMS", 1000)
    for part in (";", "(", "(;", "A[]", "[x]", ";C[x]"):
        with pytest.raises(bf.RecordError, match="more than 1,000 nodes"):
            records.parse("(;GM[Blokus]" + part * 1001)
    monkeypatch.setattr(reading, "MAX_SET_UPS", 5)
    with pytest.raises(bf.RecordError, match="more than 5 set-ups"):
        records.parse("(;GM[Blokus]" + ";PL[1]" * 6 + ")")


def big_files(size: int) -> Iterator[tuple[str, bytes, bool]]:
    """Yield files of about a size: what is in them, and whether a game comes out."""
    yield "a comment", b"(;GM[Blokus]C[" + b"x" * size + b"];1[a20])", True
    yield "backslashes", b"(;GM[Blokus]C[" + b"\\\\" * (size // 2) + b"];1[a20])", True
    yield "escaped brackets", b"(;GM[Blokus]C[" + b"\\]" * (size // 2) + b"];1[a20])", True
    yield "an open comment", b"(;GM[Blokus]C[" + b"\\]" * (size // 2), True
    yield "line ends", b"(;GM[Blokus]C[" + b"\r\n" * (size // 2) + b"];1[a20])", True
    yield "blanks", b"(;GM[Blokus]" + b" " * size + b";1[a20])", True
    yield "a name", b"(;GM[Blokus]" + b"A" * size + b"[x];1[a20])", True
    yield "no UTF-8", b"(;GM[Blokus]C[" + b"\xff" * size + b"];1[a20])", True
    yield "junk", b"(;GM[Blokus]" + b"\xc3\xa9 " * min(size // 3, 3_000_000) + b";1[a20])", True
    yield "no game", b"x(y)" * min(size // 4, 3_000_000), False
    yield "opening brackets", b"(" * size, False
    yield "closing brackets", b")" * size, False
    yield "values", b"(;GM[Blokus]XX" + b"[]" * min(size // 2, 900_000) + b";1[a20])", True
    yield "games", b"(;GM[Blokus Duo];B[e10])\n" * min(size // 60, 20_000), True


def read_big(size: int) -> None:
    for what, data, there_is_one in big_files(size):
        gc.collect()
        tracemalloc.start()
        count = sum(1 for _ in records.read_all(io.BytesIO(data)))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert (count > 0) == there_is_one, what
        # The text, the same while it grows, a value out of it, that value decoded.
        assert peak < 16 * size + 2**21, (what, peak / size)


def read_deep(depth: int) -> None:
    for opening in (b"(;", b"(;C[x]", b"((;", b"(;GM[x](;PL[1]", b"\n(\n;\n"):
        for closing in (b")" * (depth * opening.count(b"(")), b")" * depth, b""):
            data = b"(;GM[Blokus]" + opening * min(depth, 9000 if b"PL" in opening else depth)
            record = records.read(io.BytesIO(data + b";1[a20]" + closing))
            assert [str(move) for move in record.main_line_moves()] == ["a20"]
            assert record.end().board().ply == 1
            assert len(str(record)) < 20 * len(data)
            del record


def test_large_files() -> None:
    read_big(100_000)


def test_deep_nesting() -> None:
    read_deep(1_500)


@pytest.mark.slow
def test_files_of_100_mb() -> None:
    read_big(100_000_000)


@pytest.mark.slow
def test_nesting_100_000_deep() -> None:
    read_deep(100_000)
