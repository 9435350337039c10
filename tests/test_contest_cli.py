"""The commands `contest` and `contest-server`, and `run` for scripts of one's own."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from contest_tools import Script, scripted

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.contest import Result, Server, run, state_of
from blokus_fast.contest.messages import Joined, Left, MoveRequest, StateSaid, Welcome
from blokus_fast.contest.starting import OPTIONS, Settings, logged, play_games

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")

END = (
    "<protocol>", Joined("7"), Welcome("7", 1),
    Result("7", 1, True, "[b]more[/b]", ((0, 9), (2, 11)), ("a", "b")), Left("7"),
)  # fmt: skip
COMMAND = (sys.executable, "-P", "-W", "error", "-m", "blokus_fast")


def command(*arguments: str, cwd: Path | None = None, code: int = 0) -> tuple[str, str]:
    """Run the command line in a process of its own."""
    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=100, cwd=cwd
    )
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


def test_a_game_of_two_processes(tmp_path: Path) -> None:
    path = tmp_path / "games.blksgf"
    with Server(port=0, games=1, save=path, soft=10) as server:
        clients = [
            subprocess.Popen(
                [*COMMAND, "contest", "--bot", bot, "--seed", "1", "--host", "127.0.0.1", "-p",
                 str(server.port)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for bot in ("corner", "greedy")
        ]  # fmt: skip
        said = [client.communicate(timeout=100) for client in clients]
        assert server.wait(10)[0].regular
    words = sorted(out.split(",")[0] for out, _ in said)
    assert words in (["lost", "won"], ["drawn", "drawn"])
    assert all("the game begins" in err and "WARNING" not in err for _, err in said)
    _ = command("replay", str(path), "-o", str(tmp_path / "game.html"))
    assert (tmp_path / "game.html").exists()


def test_the_server_as_a_command(tmp_path: Path) -> None:
    path = tmp_path / "games.blksgf"
    out, _ = command(
        "contest-server", "--port", "0", "--games", "2", "--bot", "random", "--bot", "greedy",
        "--opening", "w", "--seed", "3", "--save", str(path),
    )  # fmt: skip
    lines = out.splitlines()
    assert lines[0].startswith("listening on 127.0.0.1, port ")
    assert [line.split(":")[0] for line in lines[1:]] == ["room 1", "room 2"]
    records = list(bf.records.read_all(path))
    assert [record.variant.first_pieces for record in records] == [("W",)] * 2


def test_the_server_tells_json_and_reservations() -> None:
    server = subprocess.Popen(
        [*COMMAND, "contest-server", "--port", "0", "--games", "1", "--reserve", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    first = json.loads(server.stdout.readline())
    assert len(first["reservations"]) == 2
    # The only place that says which port is the one.
    port = int(re.fullmatch(r"listening on 127.0.0.1, port (\d+)\n", server.stderr.readline())[1])
    socket.create_connection(("127.0.0.1", port)).close()
    server.terminate()
    server.communicate(timeout=20)


def test_a_reservation_on_the_command_line() -> None:
    server = subprocess.Popen(
        [*COMMAND, "contest-server", "--port", "0", "--games", "1", "--reserve"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    port = re.search(r"port (\d+)", server.stdout.readline())[1]
    codes = server.stdout.readline().split()[1:]
    clients = [
        subprocess.Popen(
            [*COMMAND, "contest", "--bot", "random", "--host", "127.0.0.1", "--port", port,
             "--reservation", code, "--log_level", "40"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for code in codes
    ]  # fmt: skip
    said = [client.communicate(timeout=100) for client in clients]
    out, err = server.communicate(timeout=20)
    assert (server.returncode, err) == (0, "")
    assert out.startswith("room 1: ")
    assert [err for _, err in said] == ["", ""]


def processor_time(*command: str) -> float:
    """Run a program; return what it takes of a processor, which others change little."""
    before = os.times()
    subprocess.run([*command], capture_output=True, check=True)
    after = os.times()
    return (after.children_user + after.children_system) - (
        before.children_user + before.children_system
    )


def test_from_the_start_of_the_process_to_joined_it_is_not_far() -> None:
    """As often as the import of numpy, which is most of it; with the end of the process."""

    def server(script: Script) -> None:
        script.hear()
        script.say(*END)

    with scripted(server) as port:
        address = ("--host", "127.0.0.1", "--port", str(port))
        whole = processor_time(*COMMAND, "contest", "--bot", "mcts", *address)
    least = min(processor_time(sys.executable, "-c", "import numpy") for _ in range(3))
    assert whole < 6 * least


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("contest", "--bot", "nobody"), "unknown bot 'nobody'"),
        (("contest", "--bot", "mcts:time=x"), "time is a number"),
        (("contest", "--port", "x"), "'x' is not a valid integer"),
        (("contest", "--dance"), "No such option"),
        (("contest-server", "--opening", "O"), "'O' is not one of"),
        (("contest-server", "--time", "0"), "0.0 is not in the range"),
        (("contest-server", "--games", "0"), "not in the range"),
        (("contest-server", *("--bot", "random") * 3), "two seats"),
        (("contest-server", "--bot", "nobody"), "unknown bot"),
    ],
    ids=str,
)
def test_wrong_usage(arguments: tuple[str, ...], message: str) -> None:
    assert message in command(*arguments, code=2)[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("contest", "--host", "127.0.0.1", "--port", "1"), "no server at 127.0.0.1, port 1"),
        (("contest", "--limit", "0"), "limit must be a positive number"),
        (("contest", "--margin", "3"), "margin must be less than half"),
        (("contest-server", "--port", "0", "--save", "no/such/folder/x"), "no/such/folder/x"),
    ],
    ids=str,
)
def test_what_cannot_be_done(arguments: tuple[str, ...], message: str) -> None:
    assert message in command(*arguments, code=1)[1]


def test_a_port_that_is_taken() -> None:
    with Server(port=0) as server:
        _, err = command("contest-server", "--port", str(server.port), code=1)
    assert str(server.port) in err
    assert "in use" in err


def test_arguments_are_those_of_the_official_starter() -> None:
    names = {name for option in OPTIONS for name in option.names}
    assert names >= {
        "-h", "--host", "-p", "--port", "-r", "--reservation", "-R", "--room", "-P", "--password",
        "-s", "--survive", "-l", "--log", "-v", "--verbose", "-L", "--log_level",
        "--auto-reconnect", "--headless",
    }  # fmt: skip
    assert {option.field for option in OPTIONS} == set(Settings.__dataclass_fields__)
    for option in OPTIONS:
        assert getattr(Settings(), option.field) == option.default
    settings = Settings.read(
        ["-h", "x", "-p", "1", "-R", "2", "-s", "-l", "-v", "--auto-reconnect"]
    )
    assert settings == Settings(
        host="x", port=1, room="2", survive=True, log=True, verbose=True, auto_reconnect=True
    )


def test_run_for_a_script(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    old = Path.cwd()
    os.chdir(tmp_path)
    try:
        with scripted(lambda script: (script.hear(), script.say(*END))) as port:
            report = run(bots.RandomBot, ["--host", "127.0.0.1", "--port", str(port), "--log"])
    finally:
        os.chdir(old)
    said = capsys.readouterr()
    assert said.out == "won, 11 to 9: [b]more[/b]\n"
    assert "joined room 7" in said.err
    assert report.has_won
    [log] = tmp_path.iterdir()
    assert "joined room 7" in log.read_text(encoding="utf-8")


HANGING = """
import sys, threading
from blokus_fast import contest
class Bot:
    def choose(self, board):
        {how}
contest.run(Bot, sys.argv[1:])
"""


@pytest.mark.parametrize("how", ["threading.Event().wait()", "while True: pass"])
def test_a_program_whose_bot_hangs_comes_to_an_end(how: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(HANGING.format(how=how), encoding="utf-8")
    state = state_of(bf.Board(bf.variants.software_challenge_2027("W")))

    def server(script: Script) -> None:
        script.hear()
        script.say(*END[:3], StateSaid("7", state), MoveRequest("7"))
        assert script.hear().name == "room"
        script.say(*END[3:])

    with scripted(server) as port:
        done = subprocess.run(
            [sys.executable, "-P", str(tmp_path / "bot.py"), "--host", "127.0.0.1", "--port",
             str(port), "--limit", "0.8"],
            capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
    assert "won, 11 to 9" in done.stdout
    assert "Bot has not answered in time" in done.stderr


def test_run_tells_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, code, message in (
        (["--host", "127.0.0.1", "--port", "1"], 1, "no server"),
        (["--limit", "-1"], 1, "limit must be"),
        (["--port", "x"], 2, "is no whole number"),
        (["--port", "65536"], 2, "65536 is not in 1..65535"),
        (["--port", "-1"], 2, "-1 is not in 1..65535"),
    ):
        with pytest.raises(SystemExit) as caught:
            run(bots.make("random"), arguments)
        assert caught.value.code == code
        assert message in capsys.readouterr().err
    with pytest.raises(SystemExit):
        run(object, [])  # type: ignore[arg-type]
    assert "a bot has a method" in capsys.readouterr().err


def test_a_connection_that_breaks_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blokus_fast.contest.starting._PAUSE", 0.01)
    settings = Settings(host="127.0.0.1", port=1, auto_reconnect=True)
    with pytest.raises(ConnectionError):
        next(play_games(bots.RandomBot, settings))


def test_survivors_play_on_and_a_reservation_is_for_one_game() -> None:
    made = []

    def make() -> bots.Bot:
        made.append(bots.RandomBot(1))
        return made[-1]

    with Server(port=0, games=3, soft=10) as server, logged(Settings(log_level=50)):
        code = server.prepare().reservations[0]
        settings = Settings(host=server.host, port=server.port, survive=True, reservation=code)
        games = play_games(make, settings)
        other = server.invite(bots.RandomBot(2), reservation=server._rooms["1"].seats[1].code)
        reports = [next(games)]
        other.join(10)
        for _ in range(2):
            other = server.invite(bots.RandomBot(2))
            reports.append(next(games))
            other.join(10)
        games.close()
    assert [report.room for report in reports] == ["1", "2", "3"]
    assert len(made) == 3


def test_the_log_leaves_nothing_behind() -> None:
    import logging

    log = logging.getLogger("blokus_fast.contest")
    before = log.handlers.copy(), log.level
    with logged(Settings(verbose=True)):
        assert log.level == logging.DEBUG
    assert (log.handlers, log.level) == before


def test_a_server_without_a_word_can_be_interrupted() -> None:
    import signal

    if os.name == "nt":
        pytest.skip("Windows has no such signal for one process")
    server = subprocess.Popen(
        [*COMMAND, "contest-server", "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    server.stdout.readline()
    server.send_signal(signal.SIGINT)
    server.communicate(timeout=20)
    assert server.returncode == 0
