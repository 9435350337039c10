"""The client against servers that do what they should not, or are no servers at all."""

from __future__ import annotations

import random
import socket
import threading
import time

import pytest
from contest_tools import Script, game, scripted, states
from test_contest_thinking import Bad, Hanging

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.contest import (
    Client,
    ConnectionBrokenError,
    ProtocolError,
    RefusedError,
    Report,
    State,
    state_of,
)
from blokus_fast.contest.messages import (
    ErrorSaid,
    Joined,
    Left,
    MoveRequest,
    Result,
    StateSaid,
    Welcome,
)
from blokus_fast.contest.moves import read_move

RESULT = Result("7", 0, True, "ein Grund: größer", ((2, 9), (0, 5)), ("a", "b"))
END = (RESULT, Left("7"), "</protocol>")
BEGIN = ("<protocol>", Joined("7"), Welcome("7", 0))
STATES = states("W", seed=2)


def play(port: int, bot: object = None, **options: object) -> Report:
    return Client(bot or bots.make("random", seed=1), host="127.0.0.1", port=port, **options).play()


def asked(script: Script, state: State) -> bf.Board | None:
    """Ask for a move in a state, and see that the answer is legal."""
    script.say(MoveRequest("7"))
    move = read_move(script.hear().find("data"))
    board = state.board()
    assert move.color == board.turn
    action = board.n_moves if not hasattr(move, "kind") else move.move
    assert board.is_legal(action)
    return board


def test_a_game_from_join_to_left() -> None:
    def server(script: Script) -> None:
        assert script.hear().attributes == {"gameType": "swc_2027_blokus"}
        script.say(*BEGIN, StateSaid("7", STATES[0]))
        asked(script, STATES[0])
        script.say(*END)

    with scripted(server) as port:
        report = play(port)
    assert (report.room, report.team, report.moves, report.replaced) == ("7", 0, 1, 0)
    assert report.result == RESULT
    assert report.has_won
    assert report.problems == []
    assert 0 < report.longest < 2


@pytest.mark.parametrize(
    ("options", "name", "attributes"),
    [
        ({"reservation": "a<b", "room": "9"}, "joinPrepared", {"reservationCode": "a<b"}),
        ({"room": "9"}, "joinRoom", {"roomId": "9"}),
        ({}, "join", {"gameType": "swc_2027_blokus"}),
    ],
)
def test_ways_to_join(options: dict, name: str, attributes: dict) -> None:
    def server(script: Script) -> None:
        heard = script.hear()
        assert (heard.name, heard.attributes) == (name, attributes)
        script.say("<protocol>", *END)

    with scripted(server) as port:
        assert play(port, **options).result == RESULT


def test_a_password_comes_first() -> None:
    def server(script: Script) -> None:
        assert script.hear().attributes == {"password": "secret"}
        assert script.hear().name == "join"
        script.say("<protocol>", *END)

    with scripted(server) as port:
        play(port, password="secret")


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_text_in_either_encoding_and_in_small_pieces(encoding: str) -> None:
    def server(script: Script) -> None:
        script.hear()
        text = "".join(m if isinstance(m, str) else m.xml() for m in (*BEGIN, *END))
        data = text.encode(encoding)
        for start in range(0, len(data), 11):
            script.say(data[start : start + 11])
            time.sleep(0.001)

    with scripted(server) as port:
        assert play(port).result == RESULT


def test_unknown_elements_are_passed_over() -> None:
    def server(script: Script) -> None:
        script.hear()
        script.say(
            *BEGIN, "<paused/>", '<room roomId="7"><data class="new"><x/></data></room>',
            '<room roomId="7"><nothing/></room>', "<room/>", StateSaid("7", STATES[0]),
        )  # fmt: skip
        asked(script, STATES[0])
        script.say(*END)

    with scripted(server) as port:
        assert play(port).problems == []


def test_a_whole_game_is_followed_without_a_word() -> None:
    """The bot's moves are not those that are played: the server is right."""

    def server(script: Script) -> None:
        script.hear()
        script.say(*BEGIN)
        for board, move in game("Y", seed=5, passing=0.05):
            state = state_of(board, last_move=move)
            script.say(StateSaid("7", state))
            if not board.is_game_over and board.player == 0:
                asked(script, state)
        script.say(*END)

    with scripted(server) as port:
        report = play(port)
    assert report.problems == []
    assert report.moves > 20


@pytest.mark.parametrize("what", ["nothing", "half", "reset", "goodbye", "said"])
def test_a_server_that_goes_in_the_middle(what: str) -> None:
    def server(script: Script) -> None:
        script.hear()
        script.say(*BEGIN, StateSaid("7", STATES[0]))
        if what == "half":
            script.say('<room roomId="7"><data class="mem')
        elif what == "goodbye":
            script.say("</protocol>")
        elif what == "said":
            script.say(ErrorSaid("out of memory"))
        elif what == "reset":
            linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
            script.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)

    with scripted(server) as port, pytest.raises(ConnectionBrokenError) as caught:
        play(port)
    assert "before the game was over" in str(caught.value)
    assert ("out of memory" in str(caught.value)) == (what == "said")


def test_a_server_that_goes_while_the_bot_thinks() -> None:
    def server(script: Script) -> None:
        script.hear()
        script.say(*BEGIN, StateSaid("7", STATES[0]), MoveRequest("7"))

    with scripted(server) as port, pytest.raises(ConnectionBrokenError):
        play(port, bots.make("mcts:time=0.3"))


def test_there_is_no_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(ConnectionBrokenError, match=f"no server at 127.0.0.1, port {port}"):
        play(port)


@pytest.mark.parametrize("port", [-1, 0, 70_000])
def test_a_port_that_is_none(port: int) -> None:
    with pytest.raises(ConnectionBrokenError, match="no server"):
        play(port)


def test_what_a_server_says_is_one_line_that_a_terminal_can_show() -> None:
    def server(script: Script) -> None:
        script.hear()
        script.say("<protocol>", ErrorSaid("no \n\t\x9b[2Jway" + "!" * 5000))

    with scripted(server) as port, pytest.raises(RefusedError) as caught:
        play(port)
    assert str(caught.value).startswith("the server says: no    [2Jway!!!")
    assert len(str(caught.value)) < 600


def test_a_server_that_refuses() -> None:
    def server(script: Script) -> None:
        script.hear()
        script.say("<protocol>", ErrorSaid("unknown reservation 'x'"))

    with scripted(server) as port, pytest.raises(RefusedError, match="unknown reservation 'x'"):
        play(port, reservation="x")


@pytest.mark.parametrize(
    "data",
    [b"SSH-2.0-OpenSSH\r\n", b"<protocol><a></b>", b"\xff\xfe\x00", b"<protocol>" + b"<a>" * 99],
)
def test_garbage(data: bytes) -> None:
    def server(script: Script) -> None:
        script.hear()
        script.say(data)
        script.socket.recv(100)

    with scripted(server) as port, pytest.raises(ProtocolError):
        play(port)


@pytest.mark.parametrize("seed", range(20))
def test_noise_in_the_stream_never_hangs_or_crashes(seed: int) -> None:
    rng = random.Random(seed)
    text = "".join(
        m if isinstance(m, str) else m.xml()
        for m in (*BEGIN, StateSaid("7", STATES[9]), MoveRequest("7"), *END)
    )
    data = bytearray(text.encode())
    for _ in range(rng.randrange(1, 30)):
        data[rng.randrange(11, len(data))] = rng.choice(b"<>/\"'&=x5 \xff\x00")

    def server(script: Script) -> None:
        script.hear()
        script.say(bytes(data))
        script.socket.shutdown(socket.SHUT_WR)
        while script.socket.recv(1000):
            pass

    with scripted(server) as port:
        try:
            report = play(port, limit=0.5)
        except (ConnectionBrokenError, ProtocolError, RefusedError):
            return
    assert report.result is not None


def broken(kind: str, state: State) -> str:
    """Return a state message with something wrong in it."""
    text = StateSaid("7", state).xml()
    if kind == "unknown piece":
        return text.replace("<shape>MONO</shape>", "<shape>HEXO</shape>", 1)
    if kind == "unknown last piece":
        return text.replace('kind="', 'kind="X', 1)
    if kind == "no state":
        return '<room roomId="7"><data class="memento"/></room>'
    if kind == "no board":
        return text.replace("<board>", "<bored>").replace("</board>", "</bored>")
    if kind == "turn":
        return text.replace(f'turn="{state.turn}"', 'turn="x"')
    assert kind == "field"
    return text.replace('<field x="', '<field x="9', 1)


@pytest.mark.parametrize(
    "kind", ["unknown piece", "unknown last piece", "no state", "no board", "turn", "field"]
)
def test_a_state_that_makes_no_sense(kind: str) -> None:
    """It is logged, and the next request is answered with what is known."""

    def server(script: Script) -> None:
        script.hear()
        script.say(*BEGIN, StateSaid("7", STATES[8]), broken(kind, STATES[8]))
        asked(script, STATES[8])
        script.say(StateSaid("7", STATES[12]))
        asked(script, STATES[12])
        script.say(*END)

    with scripted(server) as port:
        report = play(port)
    assert report.result == RESULT
    assert report.problems
    assert report.moves == 2


@pytest.mark.parametrize(
    ("kind", "first"),
    [
        *[(kind, 5) for kind in ("unknown piece", "unknown last piece", "field")],
        *[(kind, first) for kind in ("no state", "no board", "turn") for first in (4, 5)],
    ],
)
def test_a_state_that_makes_no_sense_before_a_request(kind: str, first: int) -> None:
    """What can be read of it, or guessed without it, makes the answer legal all the same."""

    def server(script: Script) -> None:
        script.hear()
        script.say(*BEGIN, StateSaid("7", STATES[4]))
        asked(script, STATES[4])
        if first == 5:
            script.say(StateSaid("7", STATES[5]))
        script.say(broken(kind, STATES[6]))
        asked(script, STATES[6])
        script.say(StateSaid("7", STATES[8]))
        asked(script, STATES[8])
        script.say(*END)

    with scripted(server) as port:
        report = play(port)
    assert report.result == RESULT
    assert report.problems
    assert report.moves == 3


def test_a_state_that_contradicts_the_rules() -> None:
    """Squares of a color that no game leads to: the answer is legal by what lies there."""
    grid = bytearray(STATES[20].grid)
    free = [square for square in range(400) if grid[square] == 255]
    grid[free[0]] = STATES[20].color
    state = State(STATES[20].turn, "W", bytes(grid), STATES[20].hands, STATES[20].last_move)
    with pytest.raises(bf.InvalidPositionError):
        state.board()
    answers = []

    def server(script: Script) -> None:
        script.hear()
        script.say(*BEGIN, StateSaid("7", STATES[19]), StateSaid("7", state), MoveRequest("7"))
        answers.append(read_move(script.hear().find("data")))
        script.say(*END)

    with scripted(server) as port:
        report = play(port)
    assert answers[0].move in state.placements()
    assert report.replaced == 1
    assert any("breaks the rules" in problem for problem in report.problems)


def test_a_request_before_any_state() -> None:
    def server(script: Script) -> None:
        script.hear()
        script.say(*BEGIN, MoveRequest("7"), StateSaid("7", STATES[0]))
        asked(script, STATES[0])
        script.say(*END)

    with scripted(server) as port:
        report = play(port)
    assert report.problems == ["a move is asked for, but no state has come"]


def test_two_requests_in_a_row() -> None:
    def server(script: Script) -> None:
        script.hear()
        script.say(*BEGIN, StateSaid("7", STATES[4]), MoveRequest("7"), MoveRequest("7"))
        first, second = (read_move(script.hear().find("data")) for _ in range(2))
        assert first == second
        assert STATES[4].board().is_legal(first.move)
        script.say(*END)

    with scripted(server) as port:
        report = play(port)
    assert report.moves == 2
    assert "asked for twice" in report.problems[0]


def test_a_request_for_the_other_teams_color() -> None:
    def server(script: Script) -> None:
        script.hear()
        script.say(*BEGIN, StateSaid("7", STATES[5]))
        asked(script, STATES[5])
        script.say(*END)

    with scripted(server) as port:
        report = play(port)
    assert report.problems == ["turn 5: a move is asked for, for YELLOW"]


@pytest.mark.parametrize("answer", [None, -5, RuntimeError("broken"), SystemExit(1)])
def test_a_bot_that_plays_nonsense(answer: object, caplog: pytest.LogCaptureFixture) -> None:
    def server(script: Script) -> None:
        script.hear()
        script.say(*BEGIN)
        for state in STATES[4:8:2]:
            script.say(StateSaid("7", state))
            asked(script, state)
        script.say(*END)

    with scripted(server) as port:
        report = play(port, Bad(answer))
    assert (report.moves, report.replaced) == (2, 2)
    assert any("bad" in record.message for record in caplog.records)


def test_a_bot_that_hangs_costs_no_move_and_no_end() -> None:
    bot = Hanging()

    def server(script: Script) -> None:
        script.hear()
        script.say(*BEGIN)
        for state in STATES[4:10:2]:
            script.say(StateSaid("7", state))
            asked(script, state)
        script.say(*END)

    began = time.monotonic()
    with scripted(server) as port:
        report = play(port, bot, limit=1.0, margin=0.4)
    assert time.monotonic() - began < 10
    assert report.replaced == 3
    assert report.longest < 1
    bot.go.set()


def test_after_the_result_a_silent_server_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blokus_fast.contest.client._GOODBYE", 0.1)
    done = threading.Event()

    def server(script: Script) -> None:
        script.hear()
        script.say(*BEGIN, RESULT)
        done.wait(20)

    with scripted(server) as port:
        assert play(port).result == RESULT
        done.set()


def test_a_server_that_never_answers_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blokus_fast.contest.client._HELLO", 0.1)
    done = threading.Event()
    with scripted(lambda script: done.wait(20)) as port:
        with pytest.raises(ConnectionBrokenError, match=r"nothing came for 0\.1 s"):
            play(port)
        done.set()


def test_a_client_plays_once() -> None:
    client = Client(bots.make("random"), host="127.0.0.1", port=1)
    with pytest.raises(ConnectionBrokenError):
        client.play()
    with pytest.raises(RuntimeError, match="one game"):
        client.play()


@pytest.mark.parametrize("team", [0, 1])
def test_a_draw_is_won_by_nobody(team: int) -> None:
    draw = Result("7", None, True, "equal", ((1, 50), (1, 50)), ("a", "b"))

    def server(script: Script) -> None:
        script.hear()
        script.say("<protocol>", Joined("7"), Welcome("7", team), draw, Left("7"))

    with scripted(server) as port:
        report = play(port)
    assert report.result == draw
    assert not report.has_won
