"""The local server: rooms, the order of messages, time limits, and who loses for what."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from contest_tools import PENTOMINOES, Script

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.contest import (
    Client,
    PlacedPiece,
    RefusedError,
    Result,
    Server,
    SkippedTurn,
    practice,
)
from blokus_fast.contest.following import said_action
from blokus_fast.contest.messages import Joined, MoveRequest, StateSaid, Welcome, read_said
from blokus_fast.contest.requests import (
    Authenticate,
    Cancel,
    Join,
    JoinPrepared,
    JoinRoom,
    MoveSaid,
    Observe,
    Prepare,
)


class ByHand(Script):
    """A client that a test moves."""

    def __init__(self, server: Server, *messages: object) -> None:
        super().__init__(socket.create_connection((server.host, server.port)))
        self.say("<protocol>", *messages)
        self.board: bf.Board | None = None
        self.room = ""

    def listen(self) -> object:
        """Return the next message, read; keep the room and the position."""
        said = read_said(self.hear())
        self.room = getattr(said, "room", None) or self.room
        if isinstance(said, StateSaid):
            self.board = said.state.board()
        return said

    def until(self, kind: type) -> object:
        while not isinstance(said := self.listen(), kind):
            pass
        return said

    def move(self, action: int | None = None) -> None:
        """Answer with a move, by default the first."""
        assert self.board is not None
        action = int(self.board.legal_ids()[0]) if action is None else action
        self.say(MoveSaid(self.room, said_action(self.board, action)))

    def __enter__(self) -> ByHand:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()


@contextlib.contextmanager
def seated(server: Server, *joins: object) -> Iterator[list[ByHand]]:
    """Let clients sit down one after the other: by default two, in any game."""
    with contextlib.ExitStack() as stack:
        clients = []
        for join in joins or (Join(), Join()):
            clients.append(stack.enter_context(ByHand(server, join)))
            clients[-1].until(Joined)
        yield clients


def refused(server: Server, *messages: object) -> str:
    """Say something that the server refuses; return what it says to that."""
    with ByHand(server, *messages) as client:
        return client.listen().message


def test_a_whole_game_between_bots(tmp_path: Path) -> None:
    path = tmp_path / "games.blksgf"
    with Server(port=0, games=1, opening="F", save=path) as server:
        guests = [server.invite(bots.make(name, seed=1)) for name in ("corner", "random")]
        [result] = server.wait(60)
        for guest in guests:
            guest.join(10)
    assert result.regular
    for guest in guests:
        assert guest.error is None
        assert guest.report.result == result
        assert guest.report.problems == []
        assert guest.report.replaced == 0
        assert guest.report.longest < 2
    record = bf.records.read(path)
    board = record.end().board()
    assert board.is_game_over
    assert [score + 178 for score in board.player_scores()] == [p[1] for p in result.scores]
    assert record.variant.first_pieces == ("F",)
    assert str(result.scores[0][1]) in record.headers["RE"]


def test_a_folder_gets_a_file_for_each_game(tmp_path: Path) -> None:
    (tmp_path / "game-0001.blksgf").write_text("old")
    with Server(port=0, games=2, opening="F", save=tmp_path) as server:
        for number in range(4):
            server.invite(bots.make("random", seed=number))
        server.wait(60)
    assert (tmp_path / "game-0001.blksgf").read_text() == "old"
    names = ["game-0002.blksgf", "game-0003.blksgf"]
    assert sorted(path.name for path in tmp_path.iterdir())[1:] == names
    for name in names:
        [record] = bf.records.read_all(tmp_path / name, strict=True)
        assert record.end().board().is_game_over


@pytest.mark.parametrize("opening", PENTOMINOES)
def test_both_clients_and_the_server_agree_all_the_way(opening: str) -> None:
    result = practice("greedy", "random", opening=opening, seed=3)
    assert result.regular
    assert result.names == ("greedy", "random")
    assert sorted(parts[0] for parts in result.scores) in ([0, 2], [1, 1])


def test_the_order_of_messages() -> None:
    with Server(port=0) as server, seated(server, Join(), Join(None)) as (one, two):
        assert one.listen() == Welcome("1", 0)
        assert two.listen() == Welcome("1", 1)
        for client in (one, two):
            state = client.listen().state
            assert (state.turn, state.last_move, len(state.in_game)) == (0, None, 4)
        assert isinstance(one.listen(), MoveRequest)
        one.move()
        for client in (one, two):
            state = client.listen().state
            assert state.turn == 1
            assert state.last_move.color == 0
        assert isinstance(two.listen(), MoveRequest)


def test_skips_are_moves_and_the_game_ends_after_96_turns() -> None:
    with Server(port=0) as server, seated(server) as (one, two):
        turns = []
        for turn in range(96):
            client = (one, two)[turn % 2]
            client.until(MoveRequest)
            turns.append(client.board.ply)
            client.move(None if turn < 4 else client.board.n_moves)
        result = one.until(Result)
        assert result.regular
        assert (result.winner, [parts[0] for parts in result.scores]) == (None, [1, 1])
        assert result.scores[0][1] == result.scores[1][1] == 10


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (SkippedTurn(0), "pass"),
        (PlacedPiece(0, "PENTO_X", "NONE", False, 0, 0), "illegal"),
        (PlacedPiece(0, "PENTO_W", "NONE", False, 5, 5), "illegal"),
        (PlacedPiece(0, "PENTO_W", "NONE", False, 18, 0), "not on the board"),
        (PlacedPiece(1, "PENTO_W", "NONE", False, 0, 0), "BLUE's turn"),
    ],
    ids=str,
)
def test_an_illegal_move_loses_at_once(move: PlacedPiece, words: str) -> None:
    with Server(port=0, opening="W") as server, seated(server) as (one, two):
        one.until(MoveRequest)
        one.say(MoveSaid(one.room, move))
        assert "illegal move" in one.listen().message
        for client in (one, two):
            result = client.until(Result)
            assert (result.winner, result.regular) == (1, False)
            assert words in result.reason
            assert result.scores == ((0, 0), (2, 0))


def test_a_late_answer_loses_and_none_does_too() -> None:
    for wait, hard, words in (
        (0.8, 30.0, "has answered after"),
        (1.6, 1.2, "has not answered within"),
    ):
        with Server(port=0, soft=0.5, hard=hard) as server, seated(server) as (one, two):
            one.until(MoveRequest)
            one.move()
            two.until(MoveRequest)
            time.sleep(wait)
            with contextlib.suppress(OSError):
                two.move()
            result = one.until(Result)
            assert (result.winner, result.regular) == (0, False)
            assert words in result.reason


def test_who_need_not_hurry_is_waited_for() -> None:
    hurry = Prepare(("a", "b"), can_timeout=(False, True))
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(port=0, soft=0.05, hard=0.1, password="pw"))
        admin = stack.enter_context(ByHand(server, Authenticate("pw"), hurry))
        codes = map(JoinPrepared, admin.listen().reservations)
        one, two = stack.enter_context(seated(server, *codes))
        one.until(MoveRequest)
        time.sleep(0.3)
        one.move()
        two.until(MoveRequest)
        result = one.until(Result)
        assert (result.winner, result.names) == (0, ("a", "b"))
        assert result.reason.startswith("b has not answered")


def test_a_move_that_nobody_asked_for() -> None:
    with Server(port=0) as server, seated(server) as (one, two):
        two.until(StateSaid)
        two.say(MoveSaid(two.room, SkippedTurn(1)))
        result = one.until(Result)
        assert (result.winner, result.reason) == (0, "two has moved without being asked")


@pytest.mark.parametrize("how", ["closes", "garbage", "nonsense", "half", "other room"])
def test_a_client_that_goes_or_talks_nonsense_loses(how: str) -> None:
    with Server(port=0) as server, seated(server) as (one, two):
        one.until(MoveRequest)
        if how == "closes":
            one.socket.close()
        elif how == "garbage":
            one.say(b"\x00\xff</")
        elif how == "nonsense":
            one.say("<room><data class='sc.plugin2027.SetMove'/></room>")
        elif how == "half":
            one.say('<room roomId="1"><data')
            one.socket.shutdown(socket.SHUT_WR)
        else:
            one.say(MoveSaid("99", SkippedTurn(0)))
        result = two.until(Result)
        assert (result.winner, result.regular) == (1, False)
        assert result.reason.startswith("one has ")


def test_a_client_that_leaves_before_the_game_begins_is_forgotten() -> None:
    with Server(port=0) as server:
        with seated(server, Join()):
            pass
        while server._rooms:
            time.sleep(0.01)
        with seated(server) as (one, two):
            assert (one.room, two.room) == ("2", "2")
            one.until(MoveRequest)


def test_rooms_reservations_and_wrong_ones() -> None:
    with Server(port=0) as server:
        prepared = server.prepare(("a", "b"))
        assert refused(server, JoinRoom(prepared.room)).startswith("there is no free seat")
        assert refused(server, JoinRoom("99")) == "there is no room '99'"
        assert refused(server, JoinPrepared("x")) == "there is no reservation 'x'"
        assert refused(server, Join("chess")) == "there is no game 'chess'"
        assert refused(server, "<dance/>") == "there is no request <dance>"
        assert refused(server, "<joinRoom/>") == "a request <joinRoom> without roomId"
        assert "is for administrators" in refused(server, Prepare(("a", "b")))
        assert "password" in refused(server, Authenticate("guess"))
        assert "not joined" in refused(server, MoveSaid("1", SkippedTurn(0)))
        with ByHand(server, JoinPrepared(prepared.reservations[1])) as two:
            assert two.listen().room == prepared.room
            assert "no reservation" in refused(server, JoinPrepared(prepared.reservations[1]))
            two.say(Join())
            assert two.listen().message == "there is a seat already"


def test_a_room_can_be_joined_by_name() -> None:
    with Server(port=0) as server, ByHand(server, Join()) as one:
        room = one.listen().room
        with ByHand(server, JoinRoom(room)) as two:
            assert two.until(Welcome).team == 1


def test_an_administrator_prepares_watches_and_cancels() -> None:
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(port=0, password="pw", soft=5))
        hello = Authenticate("pw"), Prepare(("Änne", "<b>"))
        admin = stack.enter_context(ByHand(server, *hello))
        prepared = admin.listen()
        admin.say(Observe(prepared.room))
        assert admin.listen().room == prepared.room
        one, _ = stack.enter_context(seated(server, *map(JoinPrepared, prepared.reservations)))
        one.until(MoveRequest)
        one.move()
        assert [admin.until(StateSaid).state.turn for _ in range(2)] == [0, 1]
        admin.say(Cancel(prepared.room))
        result = admin.until(Result)
        assert (result.names, result.regular) == (("Änne", "<b>"), False)
        assert result.reason == "the game was cancelled"
        for wrong, message in (
            ("<prepare/>", "2 slots"),
            (Prepare(("a", "b"), game_type="chess"), "no game 'chess'"),
            (Prepare(("a", "b"), pause=True), "does not pause"),
        ):
            assert message in refused(server, Authenticate("pw"), wrong)


def test_after_the_last_game_nobody_may_join() -> None:
    with Server(port=0, games=1) as server:
        for seed in (1, 2):
            server.invite(bots.make("random", seed=seed))
        assert len(server.wait(60)) == 1
        with pytest.raises(RefusedError, match="all games have been played"):
            Client(bots.make("random"), port=server.port, host=server.host).play()


def test_several_games_at_the_same_time() -> None:
    with Server(port=0, games=3, seed=1) as server:
        guests = [server.invite(bots.make("random", seed=seed)) for seed in range(6)]
        results = server.wait(60)
        for guest in guests:
            guest.join(10)
    assert sorted(result.room for result in results) == ["1", "2", "3"]
    assert all(guest.report.result in results for guest in guests)


def test_a_client_that_does_not_read_harms_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buffers are small, so that one is full soon; the server gives up on it after a while."""
    monkeypatch.setattr("blokus_fast.contest.connection._SENDING", 1)
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(port=0, password="pw", soft=30, hard=30, games=1))
        server._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        prepared = server.prepare()
        deaf = stack.enter_context(socket.socket())
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect((server.host, server.port))
        hello = Authenticate("pw").xml() + Observe(prepared.room).xml()
        deaf.sendall(f"<protocol>{hello}".encode())
        guests = [server.invite(bots.make("random"), reservation=c) for c in prepared.reservations]
        began = time.monotonic()
        [result] = server.wait(100)
        assert result.regular
        assert 0.9 < time.monotonic() - began < 10
        for guest in guests:
            guest.join(10)


def test_closing_the_server_ends_the_clients() -> None:
    server = Server(port=0)
    guest = server.invite(bots.make("random", seed=1))
    other = threading.Event()
    while guest.client.report.room == "":
        other.wait(0.01)
    server.close()
    guest.join(10)
    assert not guest.is_alive()
    assert "before the game was over" in str(guest.error)
    server.close()


def test_values_that_make_no_sense(tmp_path: Path) -> None:
    for options, message in (
        ({"opening": "O"}, "pentomino"),
        ({"games": 0}, "games"),
        ({"soft": 0}, "soft"),
        ({"soft": float("nan")}, "soft"),
    ):
        with pytest.raises(ValueError, match=message):
            Server(port=0, **options)
    with pytest.raises(OSError, match="No such file"):
        Server(port=0, save=tmp_path / "none" / "games.blksgf")
    with Server(port=0) as server, pytest.raises(OSError, match="in use"):
        Server(port=server.port)


def test_names_of_practice_and_what_is_no_bot() -> None:
    with pytest.raises(ValueError, match="unknown bot"):
        practice("nobody", "random")
    with pytest.raises(TypeError):
        practice(object(), "random")  # type: ignore[arg-type]


def test_in_practice_a_bot_that_fails_all_the_time_still_plays() -> None:
    class Broken:
        name = "broken"

        def choose(self, board: bf.Board) -> int:
            raise ValueError("no")

    assert practice(Broken(), "random", seed=1).regular
