"""Books of openings: what is found in one, files, who plays by them, and how one is made."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import blokus_fast as bf
from blokus_fast.bots import LEVELS, MCTSBot, make
from blokus_fast.search import Book, default_book, load_book
from blokus_fast.search.book import VERSION, canonical, fits

SHIPPED = sorted((Path(bf.__file__).parent / "search" / "books").glob("*.json"))
MAKE = Path(__file__).resolve().parents[1] / "training" / "make_book.py"


def opened(*moves: str, variant: str = "duo", start: str | None = None) -> bf.Board:
    board = bf.Board(bf.variant(variant, start=start))
    for move in moves:
        board.push(board.parse_move(move))
    return board


def book_of(*lines: tuple[bf.Board, str]) -> Book:
    """Return a book that has a move for each board."""
    moves = {}
    for board, text in lines:
        key, ways = canonical(board)
        moves[key] = int(ways[0].actions[board.parse_move(text)])
    return Book("duo", moves)


def test_a_position_is_found_whatever_moves_led_there() -> None:
    one = opened("e10,d10,f10", "j5", "g9", "k4,l4")
    other = opened("e10,d10,f10", "j5")
    other.push(other.parse_move("g9"))
    other.push(other.parse_move("k4,l4"))
    book = book_of((one, "h8,h7"))
    assert book.find(other) == one.parse_move("h8,h7")
    assert book.find(opened("e10,d10,f10", "j5", "g9")) is None


@pytest.mark.parametrize("number", range(8))
def test_positions_that_a_symmetry_maps_are_the_same(number: int) -> None:
    """The move is mapped along with them."""
    way = bf.symmetries("duo")[number]
    board = opened("e10,d10,f10,e11", "j5,i5")
    book = book_of((board, "g9,g8,h8"))
    turned = way.apply(board)
    if turned.turn not in range(2):
        pytest.fail("no position in play")
    assert canonical(turned)[0] == canonical(board)[0]
    found = book.find(turned)
    assert found is not None
    assert found == way.actions[board.parse_move("g9,g8,h8")]


def test_assigned_starts_have_the_same_book() -> None:
    """A first move of the other start square is turned to the one that is the color's own."""
    free, assigned = opened(), opened(start="assigned")
    for text in ("e10,d10,f10", "j5,i5,k5"):
        book = book_of((free, text))
        move = book.find(assigned)
        assert move is not None
        assert assigned.is_legal(move)


def test_other_rules_have_no_such_book() -> None:
    book = book_of((opened(), "e10"))
    assert book.find(bf.Board("classic")) is None
    assert book.find(bf.Board(bf.variant("duo", scoring="reverse"))) is None
    assert not fits(bf.variant("duo").without_first_pieces(["1"]), "duo")
    assert not fits(bf.variant("duo"), "nothing")
    over = opened()
    while not over.is_game_over:
        over.push(int(over.legal_ids()[0]))
    assert book.find(over) is None


def test_a_move_that_is_not_legal_is_not_found() -> None:
    board = opened("e10")
    key, ways = canonical(board)
    book = Book("duo", {key: int(ways[0].actions[board.parse_move("j5")])})
    assert book.find(board) == board.parse_move("j5")
    assert Book("duo", {key: 0}).find(board) is None


# -- files -----------------------------------------------------------------------------------


def test_files_can_be_written_and_read(tmp_path: Path) -> None:
    book = book_of((opened(), "e10"), (opened("e10"), "j5"))
    path = tmp_path / "book.json"
    book.save(path)
    for again in (load_book(path), pickle.loads(pickle.dumps(book))):
        assert (again.variant, again.moves) == ("duo", book.moves)
        assert len(again) == 2
    Book("duo", {}).save(path)
    assert len(load_book(path)) == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": VERSION + 1}, "a book of version 2; this release reads 1"),
        ({"format": "novel"}, "not a book of openings"),
        ({"variant": "chess"}, "a book of 'chess'"),
        ({"moves": [1]}, "with list of moves"),
        ({"moves": {"0:;": 13729}}, "has no move of duo: 13729"),
        ({"moves": {"0:;": True}}, "has no move of duo: True"),
        ({"moves": {"0:;": "e10"}}, "has no move of duo: 'e10'"),
    ],
    ids=str,
)
def test_bad_files(tmp_path: Path, change: dict[str, object], words: str) -> None:
    path = tmp_path / "book.json"
    book_of((opened(), "e10")).save(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ValueError, match=words) as raised:
        load_book(path)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "[" * 100_000])
def test_files_that_hold_something_else(tmp_path: Path, text: str) -> None:
    path = tmp_path / "book.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="not a book of openings"):
        load_book(path)


def test_a_book_of_no_variant() -> None:
    with pytest.raises(ValueError, match="chess"):
        Book("chess", {})


# -- those in the package --------------------------------------------------------------------


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_what_is_shipped_is_whole(path: Path) -> None:
    book = load_book(path)
    assert book.variant == path.stem
    assert book.origin
    assert len(book) >= 100
    assert path.stat().st_size < 60_000


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_all_that_is_shipped_can_be_played(path: Path) -> None:
    """Both sides by the book, and a move of chance now and then: legal while it knows the way."""
    book = default_book(path.stem)
    assert book is not None
    board = bf.Board(path.stem)
    plies = 0
    while (move := book.find(board)) is not None:
        assert board.is_legal(move)
        board.push(move)
        plies += 1
    assert plies >= 3
    for key, move in book.moves.items():
        turn, _, placed = key.partition(":")
        colors = [ids.split(",") if ids else [] for ids in placed.split(";")]
        assert len(colors) == board.n_colors
        assert 0 <= int(turn) < board.n_colors
        assert 0 <= move < board.n_actions


def test_there_is_no_book_of_other_variants() -> None:
    assert default_book("draft") is None
    assert default_book("nothing") is None


# -- who plays by it -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "plays"),
    [
        *((f"mcts:{level}", level >= 7) for level in LEVELS),
        ("mcts:time=0.5", True),
        ("mcts", True),
        ("mcts:sims=100", False),
        ("mcts:sims=100,book=1", True),
        ("mcts:6,book=0", False),
        ("mcts:2,book=1", True),
    ],
)
def test_who_plays_by_the_book(bot: str, plays: bool) -> None:
    made = make(bot, seed=1)
    assert isinstance(made, MCTSBot)
    assert made.book == plays
    assert made.name == bot
    assert make(made.name).book == plays  # type: ignore[union-attr]


def test_a_bot_does_not_search_what_the_book_knows() -> None:
    board = opened(start="assigned")
    book = default_book("duo")
    assert book is not None
    expected = book.find(board)
    assert expected is not None
    bot = MCTSBot(simulations=5, book=True, seed=1)
    assert bot.choose(board) == expected
    assert bot.last is None
    board.push(int(board.legal_ids()[-1]))
    board.push(int(board.legal_ids()[-1]))
    board.push(int(board.legal_ids()[-1]))
    assert book.find(board) is None
    assert board.is_legal(bot.choose(board))
    assert bot.last is not None
    alone = MCTSBot(simulations=5, seed=1)
    alone.choose(opened(start="assigned"))
    assert alone.last is not None


def test_who_is_told_a_number_of_simulations_searches() -> None:
    bot = MCTSBot(7)
    assert bot.book
    bot.simulations = 10
    assert not bot.book
    bot.simulations = None
    assert bot.book


def test_a_book_that_is_neither_on_nor_off() -> None:
    with pytest.raises(ValueError, match="book is 0 or 1, not 'yes'"):
        make("mcts:5,book=yes")


# -- how one is made -------------------------------------------------------------------------


def making(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    arguments = ("duo", folder, folder / "book.json", "--simulations", "40", *more)
    return subprocess.run(
        [sys.executable, "-P", str(MAKE), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.skipif(not MAKE.exists(), reason="training/ is in a checkout only")
def test_a_book_is_made_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """As many workers as there may be, and however often it was stopped: the same book."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    done = making(whole, "--positions", "40", "--workers", "2")
    assert done.returncode == 0, done.stderr
    assert "40 positions" in done.stdout or "positions, 0 min left" in done.stdout
    for positions in (5, 40):
        done = making(parts, "--positions", str(positions), "--workers", "1")
        assert done.returncode == 0, done.stderr
        # A line that was cut off, as by a crash.
        with (parts / "searches.jsonl").open("a") as file:
            file.write('{"position": "0:')
            file.write("\n")
    book = load_book(whole / "book.json")
    assert len(book) >= 40
    assert book.moves == load_book(parts / "book.json").moves
    assert book.find(bf.Board("duo")) is not None
    entry = json.loads((whole / "searches.jsonl").read_text().splitlines()[0])
    assert set(entry) == {"position", "best", "value", "replies"}
    assert sum(share for _, share in entry["replies"]) <= 1.001
