"""Matches without the command line: seats, seeds, people, interrupts."""

import json

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.arena import BotError
from blokus_fast.match import HUMAN, Match, QuitError, bot_names


def match(names=("random", "greedy"), games=2, seed=5):
    return Match(bf.variant("duo"), list(names), seed, games)


def test_seats_rotate_and_seeds_decide():
    one, two = match(games=3), match(games=3)
    told = []
    one.run(after_move=lambda *move: told.append(move), after_game=told.append)
    two.run()
    assert one.report() == two.report()
    assert not one.interrupted
    assert [played.seats for played in one.played] == [(0, 1), (1, 0), (0, 1)]
    assert [entry for entry in told if not isinstance(entry, tuple)] == one.played
    moves = [entry for entry in told if isinstance(entry, tuple)]
    for played in one.played:
        own = [(move, player) for game, move, player in moves if game is played]
        assert own == list(zip(played.game.moves, played.game.movers, strict=True))
        assert played.game.names == tuple(bot_names(one.bots)[bot] for bot in played.seats)
    assert sum(total["wins"] for total in one.totals()) + one.totals()[0]["shared_wins"] == 3
    other = match(games=3, seed=6)
    other.run()
    assert other.report()["games"] != one.report()["games"]


def test_a_report_is_plain_data_whatever_the_seed_was():
    one, other = match(seed=np.int64(5), games=np.int8(2)), match()
    one.run()
    other.run()
    assert json.dumps(one.report()) == json.dumps(other.report())


def test_a_failure_keeps_what_was_played(monkeypatch):
    def fail(played):
        if played.number == 1:
            raise RuntimeError("no")

    broken = match(games=4)
    with pytest.raises(RuntimeError):
        broken.run(after_game=fail)
    assert broken.interrupted
    assert broken.totals()[0]["games"] == 2


def test_a_person_is_asked():
    def person(game):
        asked.append(game.board.player)
        if len(asked) == 1:
            return None
        return game.play(helper.choose(game.board))

    asked, helper, told = [], bots.make("greedy", seed=1), []
    played = match((HUMAN, "random"), games=1)
    played.run(person, after_move=lambda game, move, player: told.append(player))
    assert set(asked) == {0}
    assert told.count(0) == len(asked) - 1
    assert played.totals()[0]["name"] == "you"


@pytest.mark.parametrize("error", [QuitError, KeyboardInterrupt])
def test_an_interrupt_keeps_what_was_played(error):
    def person(game):
        if game.board.ply > 4:
            raise error
        return game.play(int(game.board.legal_ids()[0]))

    stopped = match((HUMAN, "random"), games=4)
    stopped.run(person)
    assert stopped.interrupted
    assert len(stopped.played) == 1
    assert len(stopped.played[0].game.moves) == 6
    assert stopped.totals()[0]["games"] == 0


def test_a_person_without_anybody_to_ask():
    lonely = match((HUMAN, "random"))
    with pytest.raises(ValueError, match="a person plays"):
        lonely.run()
    assert lonely.played == []


def test_bots_are_closed_whatever_happens(monkeypatch):
    class Closing:
        name = "closing"
        closed = 0

        def choose(self, board):
            return int(board.legal_ids()[0])

        def close(self):
            Closing.closed += 1

    def fail(*_):
        raise RuntimeError("nobody listens")

    monkeypatch.setattr("blokus_fast.arena.loop.make", lambda name, seed: Closing())
    with pytest.raises(RuntimeError):
        match().run(after_move=fail)
    assert Closing.closed == 2


class Thinking:
    """Writes down what it is told, and by whom."""

    name = "thinking"
    told: list = []  # noqa: RUF012

    def __init__(self, seed):
        self.seed = seed

    def start(self, variant):
        self.told.append((self.seed, variant.name))

    def choose(self, board, clock):
        self.told.append((self.seed, clock))
        return int(board.legal_ids()[0])

    def close(self):
        self.told.append((self.seed, "closed"))


def test_bots_that_think_are_told_of_game_and_clock(monkeypatch):
    monkeypatch.setattr("blokus_fast.arena.loop.make", lambda name, seed: Thinking(seed))
    monkeypatch.setattr(Thinking, "told", [])
    timed = Match(bf.variant("duo"), ["a", "b"], 5, clock=bots.Clock.game(60))
    timed.run()
    one, two = (timed.bot_seed(0, bot) for bot in (0, 1))
    told = Thinking.told
    # Everybody is ready before the first one moves.
    assert told[:2] == [(one, "duo"), (two, "duo")]
    assert told[2:4] == [(one, bots.Clock.game(60)), (two, bots.Clock.game(60))]
    assert sorted(told[-2:]) == sorted([(one, "closed"), (two, "closed")])
    left = [clock.remaining for seed, clock in told[2:-2] if seed == one]
    assert left == sorted(left, reverse=True)
    assert left[-1] > 0
    (game,) = timed.report()["games"]
    timers = timed.played[0].timers
    assert game["seconds"] == [round(timers[player].used, 3) for player in (0, 1)]
    assert game["overstepped"] == [False, False]
    assert timed.report()["clock"] == {"seconds": 60.0}
    # Every game has its whole time, and without a clock there is nothing about it.
    untimed = Match(bf.variant("duo"), ["a", "b"], 5)
    untimed.run()
    assert Thinking.told[-3][1] == bots.Clock()
    assert "clock" not in untimed.report()
    assert "seconds" not in untimed.report()["games"][0]


def test_names():
    assert bot_names(["random", HUMAN, "random"]) == ["random 1", "you", "random 2"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Raises", r"the bot arena_bots:Raises: KeyError: 'out of \[bold\]ideas\[/bold\]'"),
        ("Illegal", r"the bot arena_bots:Illegal: chose move \d+: "),
        ("Quits", "the bot arena_bots:Quits: SystemExit: 3"),
    ],
)
def test_whose_fault_it_is_is_told(name, told):
    one = match((f"arena_bots:{name}", "random"), games=3)
    with pytest.raises(BotError, match=told):
        one.run()
    assert one.interrupted
    assert len(one.played[0].game.moves) == 4


@pytest.mark.parametrize("name", ["Spoils", "Pops"])
def test_a_bot_plays_on_a_board_of_its_own(name):
    """One that takes moves back would go on for ever on the match's own board."""
    odd = match((f"arena_bots:{name}", "random"), games=1)
    odd.run()
    plain = match(("arena_bots:First", "random"), games=1)
    plain.run()
    assert odd.played[0].game.moves == plain.played[0].game.moves
