"""Our bots as a GTP engine: every command, every way to say it wrong, and whole matches."""

from __future__ import annotations

import io
import os
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from gtp_tools import OURS
from helpers import random_moves

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.gtp import Session, serve
from blokus_fast.gtp.dialect import GAMES, played_variant, side_text
from blokus_fast.gtp.engine import LONGEST_LINE

COMMANDS = [
    *("all_legal", "clear_board", "cputime", "final_score", "g", "genmove", "get_place"),
    *("get_value", "known_command", "list_commands", "loadsgf", "move_values", "name", "p"),
    *("param", "param_base", "play"),
    *("protocol_version", "quit", "reg_genmove", "savesgf", "set_game", "set_random_seed"),
    *("showboard", "time_left", "time_settings", "undo", "version"),
]


def ask(session: Session, line: str) -> str:
    """Return the text of an answer that must be a good one."""
    answer = session.answer(line)
    assert answer.startswith("= "), (line, answer)
    assert answer.endswith("\n\n")
    return answer[2:-2]


def refusal(session: Session, line: str) -> str:
    """Return the text of an answer that must be an error; nothing may have changed by it."""
    before = session.board.copy()
    answer = session.answer(line)
    assert answer.startswith("? "), (line, answer)
    assert answer.endswith("\n\n")
    assert session.board == before
    assert "Traceback" not in answer
    return answer[2:-2]


def duo(bot: str = "greedy") -> Session:
    return Session(bot, "duo", seed=1)


def test_it_says_what_it_is() -> None:
    session = Session("random")
    assert ask(session, "name") == "blokus-fast random"
    assert ask(session, "version") == bf.__version__
    assert ask(session, "protocol_version") == "2"
    assert ask(session, "list_commands").split() == COMMANDS
    assert {ask(session, f"known_command {name}") for name in COMMANDS} == {"true"}
    assert ask(session, "known_command komi") == "false"
    assert float(ask(session, "cputime")) > 0
    assert ask(session, "param") == ""
    assert ask(session, "param_base") == "accept_illegal 0\nresign 0"
    assert ask(session, "param_base resign 1") == ""


def test_the_page_names_every_command() -> None:
    page = Path(__file__).resolve().parent.parent / "docs" / "gtp.md"
    table = page.read_text(encoding="utf-8").split("| command | answer |")[1].split("\n\n")[0]
    first_cells = "".join(line.split("|")[1] for line in table.splitlines()[2:])
    assert sorted(re.findall(r"`(\w+)", first_cells)) == COMMANDS


def test_ids_comments_and_empty_lines() -> None:
    session = duo()
    assert session.answer("12 known_command g\r\n") == "=12 true\n\n"
    assert session.answer("13 nothing") == "?13 unknown command (nothing)\n\n"
    assert session.answer("14") == "?14 there is no command behind the number\n\n"
    assert session.answer("15 known_command g # comment") == "=15 true\n\n"
    assert session.answer("\x07known_command\tg\x00\n") == "= true\n\n"
    assert [session.answer(line) for line in ("", "\r\n", "# name", "   ")] == [""] * 4


def test_the_session_of_pentobis_documentation() -> None:
    session = Session("greedy", seed=1)
    assert ask(session, "set_game Blokus Duo") == ""
    assert ask(session, "play b e8,d9,e9,f9,e10") == ""
    move = ask(session, "genmove w")
    assert "j5" in move.split(",")
    picture = ask(session, "showboard")
    assert picture.count("\n") >= 18
    assert "\n\n" not in picture
    assert "10 . . . . p . ." in picture
    assert ask(session, "quit") == ""
    assert session.finished


def test_moves_are_played_and_taken_back() -> None:
    session = duo()
    ask(session, "play B E10,d9,E9,f9,e8")
    assert session.board.ply == 1
    reply = ask(session, "reg_genmove w")
    assert session.board.ply == 1
    ask(session, f"p {reply}")
    assert session.board.ply == 2
    assert ask(session, "g") == session.board.move_text(session.board.peek())
    assert session.board.ply == 3
    for _ in range(3):
        ask(session, "undo")
    assert session.board == bf.Board("duo", start="assigned")
    assert refusal(session, "undo") == "cannot undo"
    ask(session, "play purple e10")
    ask(session, "clear_board")
    assert session.board == bf.Board("duo", start="assigned")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("play", "missing argument 1"),
        ("play b", "missing argument 2"),
        ("play x e10", "invalid color argument 'x'"),
        ("play 3 e10", "invalid color argument '3'"),
        ("play e10", "missing argument 2"),
        ("play b e11", "illegal move: e11 (move 46): misses the start square"),
        ("play b j5", "illegal move: j5"),
        ("play w j5", "it is purple's turn"),
        ("play b a1,a3", "invalid move: 'a1,a3' is not a piece"),
        ("play b e10,e11,e10", "a square stands twice"),
        ("play b z99", "invalid move"),
        ("play b pass", "cannot pass: a color that can place must place"),
        ("play w pass", "it is purple's turn"),
        ("play b resign", "invalid move"),
        ("play b e10 e11", "invalid move"),
        ("play b " + "a1," * 5000 + "a1", "invalid move"),
        ("p", "missing argument 1"),
        ("p j5", "illegal move"),
        ("genmove", "missing argument 1"),
        ("genmove b w", "too many arguments"),
        ("genmove green", "invalid color argument"),
        ("genmove w", "it is purple's turn, not orange's"),
        ("reg_genmove w", "it is purple's turn"),
        ("g b", "no arguments allowed"),
        ("all_legal", "missing argument 1"),
        ("all_legal red", "invalid color argument"),
        ("get_place", "missing argument 1"),
        ("undo 2", "no arguments allowed"),
        ("clear_board now", "no arguments allowed"),
        ("set_game", "missing argument 1"),
        ("set_game Blokus Trigon", "unknown game 'Blokus Trigon'; valid: Blokus, "),
        ("known_command", "missing argument 1"),
        ("name x", "no arguments allowed"),
        ("NAME", "unknown command (NAME)"),
        ("x" * 1000, "unknown command (xxx"),
        ("param level 3", "unknown parameter 'level'"),
        ("param_base resign", "missing argument 2"),
        ("param_base accept_illegal 1", "accept_illegal can only be 0"),
        ("param_base speed 1", "unknown parameter 'speed'; valid: accept_illegal, resign"),
        ("set_random_seed", "missing argument 1"),
        ("set_random_seed x", "'x' is not a seed"),
        ("set_random_seed " + "9" * 5000, "is not a seed"),
        ("loadsgf", "missing argument 1"),
        ("loadsgf a b c", "too many arguments"),
        ("loadsgf no-such-file", "No such file or directory: 'no-such-file'"),
        ("loadsgf .", "Is a directory"),
        ("savesgf", "missing argument 1"),
        ("savesgf a b", "too many arguments"),
        ("savesgf no/such/folder", "No such file or directory"),
        ('savesgf "a', "a quote is not closed"),
    ],
)
def test_what_is_wrong_is_answered(line: str, words: str) -> None:
    assert words in refusal(duo(), line)


def test_a_move_in_pieces_behind_blanks_is_one() -> None:
    """Only squares that commas join are one argument elsewhere; here blanks do no harm."""
    session = duo()
    ask(session, "play b e10, e11")
    assert session.board.move(session.board.peek()).piece == "2"


def test_colors_of_four() -> None:
    session = Session("random", "classic", seed=1)
    for side in ("1", "yellow", "RED", "4"):
        ask(session, f"genmove {side}")
    assert session.board.ply == 4
    assert "invalid color argument 'b'" in refusal(session, "genmove b")
    assert set(ask(session, "all_legal 3").split()) == {
        session.board.move_text(number) for number in session.board.legal_ids(color=2).tolist()
    }


@pytest.mark.parametrize("name", bf.VARIANTS)
def test_all_games_are_known_by_both_names(name: str) -> None:
    session = Session("random")
    for text in (name, GAMES.get(name, name), f'"{GAMES.get(name, name)}"'):
        ask(session, f"set_game {text}")
        assert session.board == bf.Board(played_variant(name))
    assert Session("random", name).board == session.board


@pytest.mark.parametrize("name", bf.VARIANTS)
def test_a_whole_game_by_itself(name: str) -> None:
    session = Session("random", name, seed=4)
    while not session.board.is_game_over:
        side = side_text(session.board)
        if not session.board.variant.draft:
            legal = ask(session, f"all_legal {side}").split()
            assert legal
            move = ask(session, f"reg_genmove {side}")
            assert move in legal
        ask(session, f"genmove {side}")
    assert ask(session, "g") == "pass"
    assert ask(session, "genmove 1") == "pass"
    assert refusal(session, "p a1") == "the game is over"
    assert ask(session, "final_score")
    places = [
        ask(session, f"get_place {side + 1}").split()[0]
        for side, owner in enumerate(session.board.variant.owners)
        if owner is not None
    ]
    assert "1" in places or session.board.variant.draft
    while session.board.ply:
        ask(session, "undo")
    assert session.board == bf.Board(played_variant(name))


def stuck(session: Session) -> int:
    """Play until a color cannot place while others can; return it."""
    rng = random.Random(5)
    while True:
        board = session.board
        assert not board.is_game_over
        for color in range(board.n_colors):
            if not board.any_legal(color):
                return color
        board.push(int(rng.choice(board.legal_ids())))


@pytest.mark.parametrize("name", ["duo", "classic", "classic-3p"])
def test_a_color_that_cannot_place_passes(name: str) -> None:
    """A controller may ask it, or tell that it passes; neither changes anything."""
    session = Session("random", name, seed=1)
    color = stuck(session)
    before = session.board.copy()
    assert ask(session, f"genmove {color + 1}") == "pass"
    assert ask(session, f"play {color + 1} pass") == ""
    assert ask(session, f"all_legal {color + 1}") == ""
    assert session.board == before
    other = session.board.turn
    assert "cannot pass" in refusal(session, f"play {other + 1} pass")


def test_a_voluntary_pass_is_a_move() -> None:
    session = Session("random", "software-challenge-2027", seed=1)
    for _ in range(4):
        ask(session, "g")
    ask(session, "play blue pass")
    assert session.board.ply == 5
    assert session.board.move_text(session.board.peek()) == "pass"


def test_places() -> None:
    session = Session("random", "classic-3p", seed=1)
    assert ask(session, "get_place blue") == "1 shared"
    assert refusal(session, "get_place green") == "green is shared, and has no place"
    session = duo("random")
    while not session.board.is_game_over:
        ask(session, "g")
    first, second = session.board.player_scores()
    assert first != second
    assert ask(session, "get_place b") == ("1" if first > second else "2")
    assert ask(session, "get_place w") == ("2" if first > second else "1")


def test_seeds_make_the_moves() -> None:
    moves = []
    for _ in range(2):
        session = Session("random", "duo", seed=7)
        moves.append([ask(session, "g") for _ in range(6)])
    assert moves[0] == moves[1]
    session = Session("random", "duo", seed=8)
    assert [ask(session, "g") for _ in range(6)] != moves[0]
    ask(session, "clear_board")
    ask(session, "set_random_seed 7")
    assert [ask(session, "g") for _ in range(6)] == moves[0]


@pytest.mark.parametrize("name", bf.VARIANTS)
def test_games_are_saved_and_loaded(name: str, tmp_path: Path) -> None:
    session = Session("random", name, seed=1)
    variant = played_variant(name)
    for number in random_moves(name, variant.start, 6)[:30]:
        session.board.push(number)
    saved = session.board.copy()
    file = tmp_path / "my # game ü.blksgf"
    ask(session, f'savesgf "{file}"')
    assert bf.records.read(file, strict=True).end().board() == saved
    ask(session, "set_game Blokus Junior")
    ask(session, f'loadsgf "{file}"')
    assert session.board == saved
    ask(session, f'loadsgf "{file}" 12')
    assert session.board.move_stack == saved.move_stack[:11]
    ask(session, f'loadsgf "{file}" 1')
    assert session.board.ply == 0
    moves = f"the main line has only {saved.ply} moves"
    assert moves in refusal(session, f'loadsgf "{file}" {saved.ply + 1}')
    for wrong in ("0", "-1", "x", "1.5", "\N{SUPERSCRIPT TWO}", "9" * 5000):
        assert "is not the number of a move" in refusal(session, f'loadsgf "{file}" {wrong}')


def test_broken_files_are_refused_and_odd_ones_warned_of(tmp_path: Path) -> None:
    session = duo()
    file = tmp_path / "a.blksgf"
    for text in ("", "no sgf", "(;GM[Nexos])"):
        file.write_text(text, encoding="utf-8")
        assert str(file) in refusal(session, f"loadsgf {file}")
    file.write_text("(;GM[Blokus Duo];B[e10];W[a1])", encoding="utf-8")
    assert ask(session, f"loadsgf {file}").startswith("warning: ")
    assert session.board.ply == 1


def test_a_bot_that_fails_is_an_error_not_an_end() -> None:
    class Broken:
        name = "broken"
        answer: Any = RuntimeError("no idea\n\nat all")

        def choose(self, board: bf.Board) -> int:
            if isinstance(self.answer, Exception):
                raise self.answer
            board.push(int(board.legal_ids()[0]))
            return self.answer  # type: ignore[no-any-return]

    bot = Broken()
    session = Session(bot, "duo")
    assert refusal(session, "genmove b") == "RuntimeError: no idea\nat all"
    bot.answer = 0
    assert "chose the illegal move 0: misses the start square" in refusal(session, "genmove b")
    bot.answer = 10**6
    assert refusal(session, "genmove b")
    bot.answer = None
    assert "TypeError" in refusal(session, "genmove b")
    bot.answer = 60
    assert ask(session, "genmove b") == "e10"
    assert refusal(session, "set_random_seed 1") == "this bot takes no seed"


def served(data: bytes, session: Session | None = None) -> bytes:
    sink = io.BytesIO()
    serve(session or duo(), io.BytesIO(data), sink)
    return sink.getvalue()


def test_the_stream_ends_with_the_input_or_quit() -> None:
    assert served(b"") == b""
    assert served(b"protocol_version") == b"= 2\n\n"
    assert served(b"1 protocol_version\r\n\r\n2 quit\n3 name\n") == b"=1 2\n\n=2 \n\n"


def test_long_lines_are_refused_once() -> None:
    line = b"1 play b " + b"x" * (3 * LONGEST_LINE)
    said = served(line + b"\n2 protocol_version\n")
    assert said == f"? the line is longer than {LONGEST_LINE} bytes\n\n=2 2\n\n".encode()
    assert served(line).startswith(b"? the line is longer")


def test_any_bytes_are_answered() -> None:
    rng = random.Random(3)
    words = [b"play", b"b", b"genmove", b"1", b"loadsgf", b'"', b"#", b"\xff", b"\x00", b" ", b"\n"]
    words += [b"a1,a2", b"\r\n", b"set_game", b"Blokus", b"w", b"\xc3\xa9", b"undo", b"-7", b"\\"]
    for _ in range(300):
        data = b"".join(rng.choice(words) for _ in range(rng.randrange(40)))
        for answer in served(data, duo("random")).split(b"\n\n")[:-1]:
            assert answer[:1] in b"=?"


def test_a_listener_that_is_gone_ends_it() -> None:
    class Gone(io.BytesIO):
        def write(self, data: Any) -> int:
            raise BrokenPipeError

    serve(duo(), io.BytesIO(b"name\nname\n"), Gone())


def program(*args: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*OURS, *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def tell(process: subprocess.Popen[str], line: str) -> str:
    """Ask as simple controllers do: one line out, lines in up to the empty one."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    lines = []
    while (text := process.stdout.readline()) not in ("\n", ""):
        lines.append(text)
    answer = "".join(lines)
    assert answer[:2] == "= ", (line, answer)
    return answer[2:].strip()


def test_a_controller_pairs_two_of_them() -> None:
    """As Pentobi's own does: it never tells of a skip, and uses six commands."""
    players = [program("--bot", bot, "--seed", "1") for bot in ("greedy", "random")]
    for name, game in GAMES.items():
        board = bf.Board(played_variant(name))
        for player in players:
            for line in (f"set_game {game}", "clear_board", "cputime"):
                tell(player, line)
        while not board.is_game_over:
            side = side_text(board)
            mover = board.turn % 2
            text = tell(players[mover], f"genmove {side}")
            tell(players[1 - mover], f"play {side} {text}")
            board.push(board.parse_move(text))
        scores = {tell(player, "final_score") for player in players}
        assert len(scores) == 1
    for player in players:
        tell(player, "quit")
        assert player.communicate(timeout=20) == ("", "")
        assert player.returncode == 0


def test_the_program_ends_with_its_input() -> None:
    process = program("--variant", "duo")
    out, err = process.communicate("1 play x\n2 genmove b", timeout=20)
    assert process.returncode == 0
    assert err == ""
    assert out.startswith("?1 missing argument 2\n\n=2 ")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--bot", "deep-blue"), "unknown bot 'deep-blue'; valid: random, greedy"),
        (("--variant", "chess"), "classic"),
        (("--seed", "x"), "--seed"),
        (("--bot", "gtp:no-such-program"), "cannot start no-such-program"),
    ],
)
def test_wrong_usage(args: tuple[str, ...], words: str) -> None:
    process = program(*args)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_ends_it_quietly() -> None:
    import signal

    process = program()
    tell(process, "name")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert "Traceback" not in err
    assert process.returncode != 0


def test_the_bots_are_those_of_the_registry() -> None:
    for name in bots.BOTS:
        assert ask(Session(name, "duo", seed=1), "genmove b")


def test_final_scores_of_two_and_of_four() -> None:
    session = Session("greedy", "duo")
    assert session.answer("final_score") == "= 0\n\n"
    for move, score in (("play b e10", "B+1"), ("play w j5,j6,j7", "W+2"), ("play b f11", "W+2")):
        session.answer(move)
        assert session.answer("final_score") == f"= {score}\n\n"
    session = Session("greedy", "classic")
    session.answer("play blue a20,b20")
    session.answer("play yellow t20")
    assert session.answer("final_score") == "= 2 1 0 0\n\n"


def test_places_where_the_lowest_score_wins() -> None:
    session = Session("greedy", "duo")
    session.board = bf.Board("duo", start="assigned", scoring="reverse")
    assert session.answer("get_place b") == "= 1 shared\n\n"
    session.answer("play b e10,e11")
    session.answer("play w j5")
    assert session.answer("get_place b") == "= 2\n\n"
    assert session.answer("get_place w") == "= 1\n\n"
