"""Time and search over GTP: clocks, values, parameters, the live report, and how it all ends."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import cli_tools
import fake_search
import numpy as np
import pytest
from gtp_tools import OURS, fake, nothing_left

import blokus_fast as bf
from blokus_fast.bots import Clock, Player, Timer
from blokus_fast.gtp import Engine, EngineBot, Session, serve


class Watching:
    """Plays the first move, and writes down what clock it was shown."""

    name = "watching"

    def __init__(self) -> None:
        self.clocks: list[Clock] = []
        self.games: list[str] = []

    def start(self, variant: bf.Variant) -> None:
        self.games.append(variant.name)

    def choose(self, board: bf.Board, clock: Clock) -> int:
        self.clocks.append(clock)
        return int(board.legal_ids()[0])

    def close(self) -> None:
        self.games.append("closed")


def ask(session: Session, line: str) -> str:
    answer = session.answer(line)
    assert answer.startswith("= "), (line, answer)
    return answer[2:-2]


def left(clock: Clock) -> float:
    assert clock.remaining is not None
    return clock.remaining


def test_without_settings_there_is_no_limit() -> None:
    bot = Watching()
    session = Session(bot, "duo")
    ask(session, "genmove b")
    assert bot.clocks == [Clock()]
    ask(session, "time_settings 0 1 0")
    ask(session, "genmove w")
    assert bot.clocks == [Clock(), Clock()]


def test_time_settings_are_for_each_player() -> None:
    bot = Watching()
    session = Session(bot, "duo")
    ask(session, "time_settings 60 0 0")
    for _ in range(4):
        ask(session, "g")
    first, second, third, fourth = map(left, bot.clocks)
    assert (first, second) == (60, 60)
    assert 59 < third < 60
    assert 59 < fourth < 60
    # A new game has all of its time again.
    ask(session, "clear_board")
    ask(session, "g")
    assert left(bot.clocks[-1]) == 60


def test_periods() -> None:
    bot = Watching()
    session = Session(bot, "duo")
    ask(session, "time_settings 0 30 2")
    for _ in range(5):
        ask(session, "g")
    assert [clock.moves_left for clock in bot.clocks] == [2, 2, 1, 1, 2]


def test_the_controller_has_the_last_word() -> None:
    bot = Watching()
    session = Session(bot, "duo")
    ask(session, "time_settings 60 30 5")
    ask(session, "time_left w 7.5 0")
    ask(session, "time_left b 20 3")
    ask(session, "g")
    ask(session, "g")
    assert bot.clocks == [Clock(None, 20, 0, 3, 30, 5), Clock.periods(7.5, 30, 5)]
    # Told without settings, it is a clock all the same.
    bot = Watching()
    session = Session(bot, "duo")
    ask(session, "time_left b 12 0")
    ask(session, "g")
    assert bot.clocks == [Clock.game(12)]


def test_two_colors_of_a_player_have_one_clock() -> None:
    bot = Watching()
    session = Session(bot, "classic-2p")
    ask(session, "time_left red 9 0")
    ask(session, "genmove blue")
    assert bot.clocks == [Clock.game(9)]
    # A shared color goes by the clock of whose turn it is.
    session = Session(bot := Watching(), "classic-3p")
    ask(session, "time_left green 8 0")
    ask(session, "genmove blue")
    assert bot.clocks == [Clock.game(8)]
    session = Session(bot := Watching(), "draft")
    ask(session, "time_left 1 8 0")
    ask(session, "genmove 1")
    assert bot.clocks == [Clock.game(8)]


def test_a_move_that_is_asked_for_costs_no_time() -> None:
    bot = Watching()
    session = Session(bot, "duo", clock=Clock.game(60))
    for _ in range(3):
        ask(session, "reg_genmove b")
    ask(session, "genmove b")
    assert bot.clocks == [Clock.game(60)] * 4
    assert session.thinker.timer(0).moves == 1


def test_a_bot_is_told_of_games(tmp_path: Path) -> None:
    bot = Watching()
    session = Session(bot, "duo")
    ask(session, "g")
    ask(session, "undo")
    ask(session, "clear_board")
    ask(session, "set_game Blokus Junior")
    file = tmp_path / "a.blksgf"
    ask(session, f"savesgf {file}")
    ask(session, "set_game Blokus")
    ask(session, f"loadsgf {file}")
    ask(session, "g")
    serve(session, io.BytesIO(b"quit\n"), io.BytesIO())
    assert bot.games == ["duo", "duo", "junior", "classic", "junior", "closed"]


def test_another_bot_takes_over() -> None:
    bot = Watching()
    session = Session("greedy", "duo", clock=Clock.game(60))
    ask(session, "g")
    ask(session, "g")
    session.bot = bot
    assert session.bot is bot
    ask(session, "g")
    assert bot.games == ["duo"]
    # The clock is that of the player, who has used some of it.
    assert 0 < 60 - left(bot.clocks[0]) < 60
    assert ask(session, "name") == "blokus-fast watching"
    assert session.answer("set_random_seed 1") == "? this bot takes no seed\n\n"


def test_a_game_that_the_bot_cannot_play() -> None:
    class Choosy(Watching):
        def start(self, variant: bf.Variant) -> None:
            if variant.draft:
                raise ValueError("I do not draft")

    session = Session(Choosy(), "duo")
    ask(session, "g")
    board = session.board.copy()
    assert session.answer("set_game draft") == "? I do not draft\n\n"
    assert session.board == board
    ask(session, "g")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("time_settings", "missing argument 1"),
        ("time_settings 1 2", "missing argument 3"),
        ("time_settings 1 2 3 4", "too many arguments"),
        ("time_settings x 0 0", "'x' is no number of seconds"),
        ("time_settings -1 0 0", "'-1' is no number of seconds"),
        ("time_settings nan 0 0", "'nan' is no number of seconds"),
        ("time_settings 1e300 0 0", "'1e300' is no number of seconds"),
        ("time_settings 0 inf 1", "'inf' is no number of seconds"),
        ("time_settings 0 10 1.5", "'1.5' is no number of moves"),
        ("time_settings 0 10 -1", "'-1' is no number of moves"),
        ("time_settings 0 10 \N{SUPERSCRIPT TWO}", "is no number of moves"),
        ("time_settings 0 10 " + "9" * 5000, "is no number of moves"),
        ("time_left b 1", "missing argument 3"),
        ("time_left x 1 0", "invalid color argument 'x'"),
        ("time_left b soon 0", "'soon' is no number of seconds"),
        ("time_left b 1 x", "'x' is no number of moves"),
        ("get_value", "greedy has searched nothing"),
        ("move_values", "greedy has searched nothing"),
        ("get_value b", "no arguments allowed"),
        ("param fixed_simulations 5", "unknown parameter 'fixed_simulations'"),
    ],
)
def test_what_is_wrong_is_answered(line: str, words: str) -> None:
    session = Session("greedy", "duo", seed=1)
    answer = session.answer(line)
    assert answer.startswith("? ")
    assert words in answer
    assert len(answer) < 200


# A bot that searches.


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> type[fake_search.MCTS]:
    return fake_search.install(monkeypatch)


def test_values_of_the_last_search(search: type[fake_search.MCTS]) -> None:
    session = Session("mcts:2", "duo", seed=1)
    assert session.answer("get_value") == "? mcts:2 has searched nothing\n\n"
    ask(session, "genmove b")
    move = ask(session, "reg_genmove w")
    assert ask(session, "get_value") == "0.6250"
    lines = [line.split() for line in ask(session, "move_values").splitlines()]
    # Only what was visited, the best first, as whoever was to move sees it.
    assert [line[1:4] for line in lines] == [["14", "0.6250", "10.0"], ["4", "0.6250", "10.0"]]
    assert lines[0][0] == move
    assert float(lines[0][4]) == pytest.approx(1 / 414, abs=1e-4)
    board = session.board
    assert all(board.is_legal(board.parse_move(line[0])) for line in lines)
    ask(session, f"play w {move}")
    assert ask(session, "get_value") == "0.6250"
    # What was found in another game says nothing.
    ask(session, "set_game Blokus Junior")
    assert session.answer("move_values") == "? mcts:2 has searched nothing\n\n"


def test_a_score_that_is_not_known(search: type[fake_search.MCTS]) -> None:
    """Of moves that only the value function has judged."""
    session = Session("mcts:2", "duo")
    ask(session, "genmove b")
    search.made[-1].result.scores[:] = np.nan  # type: ignore[union-attr]
    assert {line.split()[3] for line in ask(session, "move_values").splitlines()} == {"-"}


def test_a_value_that_is_none(search: type[fake_search.MCTS]) -> None:
    session = Session("mcts:2", "duo")
    ask(session, "g")
    session.bot.last.value[:] = float("nan")  # type: ignore[union-attr]
    assert session.answer("get_value") == "? the last search was none: there was one move\n\n"


def test_simulations_are_a_parameter(search: type[fake_search.MCTS]) -> None:
    session = Session("mcts:2", "duo", seed=1)
    assert ask(session, "param") == "fixed_simulations 0"
    assert ask(session, "param fixed_simulations 70") == ""
    assert ask(session, "param") == "fixed_simulations 70"
    ask(session, "g")
    # Another seed is another bot, but the same parameters.
    ask(session, "set_random_seed 5")
    ask(session, "g")
    assert [made.seed for made in search.made] == [1, 5]
    assert [made.asked[0]["simulations"] for made in search.made] == [70, 70]
    ask(session, "param fixed_simulations 0")
    ask(session, "g")
    assert search.made[-1].asked[-1]["simulations"] == 20
    for line, words in (
        ("param fixed_simulations", "missing argument 2"),
        ("param fixed_simulations x", "is a whole number, not 'x'"),
        ("param fixed_simulations -1", "is a whole number"),
        ("param level 3", "unknown parameter 'level'"),
    ):
        assert words in session.answer(line)


def test_a_clock_reaches_the_search(search: type[fake_search.MCTS]) -> None:
    session = Session("mcts:threads=1,book=0", "duo", clock=Clock.per_move(2))
    ask(session, "g")
    ask(session, "time_settings 100 0 0")
    ask(session, "g")
    seconds = [asked["seconds"] for asked in search.made[0].asked]
    assert seconds[0] == 1.95
    assert 8 < seconds[1] < 9


def test_the_live_report(
    search: type[fake_search.MCTS], capsys: pytest.CaptureFixture[str]
) -> None:
    log, sink = io.StringIO(), io.BytesIO()
    session = Session("mcts:2", "duo", seed=1, log=log)
    serve(session, io.BytesIO(b"genmove b\ngenmove w\n"), sink)
    lines = log.getvalue().splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("move 1: 1 simulation, 0.0 s, value 0.625, depth 3, running: ")
    assert lines[1].startswith("move 1: 16 simulations, 0.0 s, value 0.625, depth 3, simulations")
    assert lines[3].startswith("move 2: 18 simulations")
    moves = [line.rpartition(": ")[2] for line in lines[1::2]]
    assert [f"= {move}\n\n" for move in moves] == [
        answer + "\n\n" for answer in sink.getvalue().decode().split("\n\n")[:-1]
    ]
    # Nothing of it gets to where the answers go.
    assert capsys.readouterr() == ("", "")


def test_a_log_that_fails_stops_nothing(search: type[fake_search.MCTS]) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError("no space left")

    closed = io.StringIO()
    closed.close()
    for log in (Full(), closed):
        assert ask(Session("mcts:2", "duo", log=log), "g")
    # Bots without search have nothing to say.
    log = io.StringIO()
    ask(Session("greedy", "duo", log=log), "g")
    assert log.getvalue() == ""


# Engines as bots, with a clock.


def told(clock: Clock, tmp_path: Path, moves: int = 1) -> list[str]:
    """Return what an engine was told of time."""
    file = tmp_path / "log.txt"
    file.write_text("", encoding="utf-8")
    with EngineBot([*fake("time", "move=e10", f"log={file}")]) as bot:
        for _ in range(moves):
            bot.choose(bf.Board("duo", start="assigned"), clock)
            clock = clock.after(1)
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("time_")]


@pytest.mark.parametrize(
    ("clock", "lines"),
    [
        (Clock(), []),
        (Clock.per_move(2), ["time_settings 0 2 1"]),
        (Clock.per_move(0.25), ["time_settings 0 0.25 1"]),
        (
            Clock.game(60.7, 5),
            ["time_settings 60 0 0", "time_left b 60 0", "time_left b 64 0"],
        ),
        (Clock.game(3.5), ["time_settings 3.5 0 0", "time_left b 3.5 0", "time_left b 2.5 0"]),
        (
            Clock.periods(0, 30, 5),
            ["time_settings 0 30 5", "time_left b 30 5", "time_left b 29 4"],
        ),
        (
            Clock.periods(60, 30, 5),
            ["time_settings 60 30 5", "time_left b 60 0", "time_left b 59 0"],
        ),
    ],
)
def test_engines_are_told_of_the_clock(clock: Clock, lines: list[str], tmp_path: Path) -> None:
    with nothing_left():
        assert told(clock, tmp_path, 2) == lines


def test_engines_that_know_no_clock_are_told_nothing(tmp_path: Path) -> None:
    file = tmp_path / "log.txt"
    with EngineBot(fake("move=e10", f"log={file}")) as bot:
        bot.choose(bf.Board("duo", start="assigned"), Clock.game(5))
    assert "time_settings" not in [
        line.split()[0] for line in file.read_text(encoding="utf-8").splitlines()
    ]
    assert Player(bot).takes_clock


OWN = """
import time
from blokus_fast.bots import seconds_for

class Patient:
    def choose(self, board, clock):
        time.sleep(seconds_for(clock, board) or 0)
        return int(board.legal_ids()[0])

class Slow:
    def choose(self, board):
        print("thinking", flush=True, file=__import__("sys").stderr)
        time.sleep(60)
        return 0

class Unmade:
    def __init__(self, depth):
        pass
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with bots of somebody's own."""
    (tmp_path / "own_bots.py").write_text(OWN, encoding="utf-8")
    return tmp_path


def test_a_clock_goes_all_the_way_through(own: Path) -> None:
    """From our timer over GTP to a bot of somebody's own in another process."""
    command = [*OURS, "--bot", "own_bots:Patient"]
    with nothing_left(), EngineBot(Engine(command, cwd=own)) as bot, bot.engine:
        timer, board = Timer(Clock.game(3)), bf.Board("duo", start="assigned")
        player = Player(bot)
        while not board.is_game_over:
            mine = board.player == 0
            board.push(player.choose(board, timer) if mine else int(board.legal_ids()[0]))
    assert not timer.is_over
    assert timer.moves > 5
    assert timer.used > 0.5


# The command line.


def run(command: str, *args: str, cwd: Path, keys: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "blokus_fast", command, *args],
        input=keys, cwd=cwd, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def test_a_match_on_a_clock(own: Path) -> None:
    args = ("--variant", "duo", "--bots", "own_bots:Patient,greedy", "--games", "2", "--json")
    done = run("play", *args, "--clock", "1.5+0.01", "--seed", "1", cwd=own)
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    assert report["clock"] == {"seconds": 1.5, "increment": 0.01}
    for game in report["games"]:
        assert game["finished"]
        assert game["overstepped"] == [False, False]
        patient, greedy = (game["seconds"][game["seats"].index(bot)] for bot in (0, 1))
        assert patient > 0.3
        assert patient > greedy > 0


def test_overstepping_is_reported(own: Path) -> None:
    args = ("--variant", "duo", "--bots", "random,greedy", "--json", "--seed", "1")
    done = run("play", *args, "--time", "0", cwd=own)
    report = json.loads(done.stdout)
    assert report["clock"] == {"move_seconds": 0.0}
    assert report["games"][0]["overstepped"] == [True, True]
    for more in ((), ("--games", "2")):
        shown = run("play", *args[:4], *more, "--seed", "1", "--time", "0", cwd=own).stdout
        assert shown.count("; out of time: ") == 1 + bool(more)
        assert "out of time" not in run("play", *args[:4], *more, cwd=own).stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--time", "1", "--clock", "60"), "--time and --clock exclude each other"),
        (("--clock", "x"), "such as 60+1, not 'x'"),
        (("--clock", "60+"), ""),
        (("--clock", "60+x"), "not '60+x'"),
        (("--clock", "-1"), "not '-1'"),
        (("--time", "-1"), "--time"),
        (("--bots", "own_bots:Unmade"), "made with a seed or nothing, not depth"),
        (("--bots", "own_bots:Nobody"), "there is no Nobody in own_bots"),
        (("--bots", "mcts:99"), "level 99 is not in 1..9"),
        (("--bots", "mcts:sims=50,threads=0"), "threads must be in 1..1024, not 0"),
    ],
)
@pytest.mark.parametrize("command", ["play", "gtp"])
def test_wrong_usage(command: str, args: tuple[str, str], words: str, own: Path) -> None:
    if command == "gtp":
        args = tuple(arg.replace("--bots", "--bot") for arg in args)  # type: ignore[assignment]
    else:
        args = (*args, "--variant", "duo", "--seed", "1")  # type: ignore[assignment]
    done = run(command, *args, cwd=own, keys="quit\n")
    assert "Traceback" not in done.stderr
    assert words in done.stderr
    assert done.returncode == (2 if words else 0)


def test_the_help_names_every_bot(own: Path) -> None:
    for command in ("play", "gtp"):
        text = " ".join(run(command, "--help", cwd=own).stdout.split())
        for name in ("random, greedy, corner", "mcts:1 to mcts:9", "mcts:time=1.0", "gtp:COMMAND"):
            assert name in text
        assert "--clock" in text
        assert "--time" in text


def slow_engine(own: Path) -> subprocess.Popen[str]:
    """Return an engine that thinks about its move."""
    process = subprocess.Popen(
        [*OURS, "--bot", "own_bots:Slow", "--variant", "duo"],
        cwd=own, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write("genmove b\n")
    process.stdin.flush()
    assert process.stderr.readline() == "thinking\n"
    return process


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_ends_it_while_it_thinks(own: Path) -> None:
    import signal

    process = slow_engine(own)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - began < 20
    assert out == ""
    assert "Traceback" not in err
    assert process.returncode != 0


def test_the_input_may_end_while_it_thinks(search: type[fake_search.MCTS]) -> None:
    """The move is still answered; then it ends."""
    search.wait = True
    sink = io.BytesIO()
    serve(Session("mcts:time=0.1", "duo"), io.BytesIO(b"genmove b"), sink)
    assert sink.getvalue().startswith(b"= ")


def test_a_person_plays_against_the_search(search: type[fake_search.MCTS]) -> None:
    args = ("play", "--variant", "duo", "--bots", "human,mcts:sims=40,threads=2", "--seed", "1")
    result = cli_tools.run(*args, stdin="e10\nundo\ne10\nquit\n")
    assert result.exit_code == 0, result.output
    assert [made.threads for made in search.made] == [2]
    assert [asked["simulations"] for asked in search.made[0].asked] == [40, 40]
