"""Games in the arena: what bots do wrong costs them the game, and nothing else."""

import contextlib
import os
import shlex
import sys

import gtp_tools
import pytest

import blokus_fast as bf
from blokus_fast.arena import BotError, Opening, Settings, play_game, run
from blokus_fast.arena.games import bot_seed, record_of
from blokus_fast.bots import Clock, Player, Timer, make
from blokus_fast.executors import ExecutorError
from blokus_fast.game import Game

OURS = shlex.quote(sys.executable) + " -m blokus_fast gtp --bot"


def untimed(report):
    """Return results without what the clock says."""
    left_out = ("seconds", "cpu_seconds")
    return [{k: v for k, v in game.items() if k not in left_out} for game in report.games]


FAULTS = {
    "Raises": ("error", "KeyError: 'out of [bold]ideas[/bold]'"),
    "Sleeps": ("hang", "gave no answer in 0.5 s"),
    "Loops": ("hang", "gave no answer in 0.5 s"),
    "Illegal": ("illegal", "chose move "),
    "Text": ("illegal", "chose 'e10', which is no move"),
    "Crashes": ("crash", "its process ended by signal 11"),
    "Exits": ("crash", "its process ended with exit code 7: good bye"),
    "Quits": ("error", "SystemExit: 3"),
    "Interrupts": ("error", "KeyboardInterrupt"),
    "Cancels": ("error", "CancelledError"),
    "CannotSay": ("error", "MuteError: an error that cannot be shown"),
    "BadIndex": ("illegal", "chose a Mute that cannot be shown, which is no move"),
    "Huge": ("illegal", "chose move a int that cannot be shown: "),
    "Escapes": ("error", "ValueError: ?]0;title??[2J?xxxx"),
    "LeavesCopy": ("crash", "its process ended with exit code 7"),
    "WritesAnswers": ("crash", "its process ended by signal 9"),
    "KillsItself": ("crash", "its process ended by signal 9"),
}
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")


@pytest.mark.costly
@needs_fork
@pytest.mark.parametrize("name", FAULTS)
def test_a_bot_that_does_wrong_loses_and_the_run_goes_on(name):
    kind, text = FAULTS[name]
    bots = [f"arena_bots:{name}", "arena_bots:First"]
    report = run(bots, "duo", 2, seed=1, workers=1, patience=0.5)
    assert len(report.games) == 2
    for game in report.games:
        failure = game["failure"]
        player = game["seats"].index(0)
        assert failure["player"] == player
        assert failure["bot"] == bots[0]
        assert failure["kind"] == kind
        assert failure["text"].startswith(text)
        assert len(failure["text"]) < 400
        # Its third move is not there: two of the opening, two and perhaps a third of the others.
        assert len(game["moves"]) == (6 if player == 0 else 7)
        assert game["scores"] is None
        assert game["winners"] == [1 - player]
        assert game["ranking"] == [2, 1] if player == 0 else [1, 2]
        record = record_of(game, report.settings.variant)
        assert "loses: " in str(record)
        assert [move.text for move in bf.Game.from_board(record_end(record)).moves] == game["moves"]
    assert report.results[0].bot == "arena_bots:First"
    assert report.results[0].wins == 2
    assert report.results[0].mean_margin is None


def record_end(record):
    node = record.root
    while node.variations:
        node = node.variations[0]
    return node.board()


@pytest.mark.costly
@needs_fork
@pytest.mark.parametrize("name", ["Forks", "Close", "CloseExits", "CloseHangs", "CloseInterrupts",
                                  "HangsWhenForgotten"])  # fmt: skip
def test_a_game_that_is_over_counts_whatever_comes_then(name):
    odd = run([f"arena_bots:{name}", "random"], "duo", 2, seed=2, workers=1, patience=0.5)
    plain = run(["arena_bots:First", "random"], "duo", 2, seed=2, workers=1)
    assert [game["number"] for game in odd.games] == [0, 1]
    for one, other in zip(odd.games, plain.games, strict=True):
        for key in ("moves", "scores", "winners", "failure"):
            assert one[key] == other[key]


def test_nonsense_in_the_notes_does_no_harm():
    with pytest.raises(ExecutorError, match=r"game 1: its process ended .*, and no bot was asked"):
        run(["arena_bots:WritesNotes", "random"], "duo", 2, workers=1)


def test_a_bot_that_fails_loses_with_all_its_seats():
    report = run(["arena_bots:Raises", "random"], "classic", 6, seed=1, workers=1)
    for game in report.games:
        assert sorted(game["winners"]) == [p for p in range(4) if game["seats"][p] == 1]
        assert sorted(game["ranking"]) == [1, 1, 3, 3]
    assert [(each.bot, each.wins) for each in report.results] == [
        ("random", 6), ("arena_bots:Raises", 0),
    ]  # fmt: skip


def test_three_seats_of_a_bot_that_fails_lose_to_one():
    report = run(["random", "arena_bots:Raises"], "classic", 4, seats="ABBB", workers=1)
    for game in report.games:
        assert game["winners"] == [game["seats"].index(0)]
    assert report.results[0].bot == "random"
    assert report.results[0].score == 4


def test_all_others_win_where_there_are_more_than_two():
    report = run(["arena_bots:Raises", "random"], "classic", 4, seed=1, workers=1, seats="ABBB")
    for game in report.games:
        player = game["seats"].index(0)
        assert game["winners"] == [other for other in range(4) if other != player]
        assert game["ranking"][player] == 4
    assert [result.wins for result in report.results] == [4, 0]


@pytest.mark.parametrize("clock", [Clock.per_move(0.2), Clock.game(0.3)])
def test_a_bot_that_takes_too_long_loses(clock):
    bots = ["arena_bots:Late", "arena_bots:First"]
    report = run(bots, "duo", 2, workers=1, clock=clock, margin=0.1)
    for game in report.games:
        assert game["failure"]["bot"] == "arena_bots:Late"
        assert game["failure"]["kind"] == "time"
        assert game["failure"]["text"].startswith("took 0.6")


def test_but_a_margin_is_granted():
    bots = ["arena_bots:Late", "arena_bots:First"]
    report = run(bots, "duo", 2, workers=1, clock=Clock.per_move(0.5), margin=5)
    assert [game["failure"] for game in report.games] == [None, None]


@pytest.mark.parametrize("name", ["Spoils", "Pops", "Chatters"])
def test_what_a_bot_does_to_its_board_and_its_output_is_its_own_affair(name):
    odd = run([f"arena_bots:{name}", "arena_bots:First"], "duo", 2, seed=2, workers=1)
    plain = run(["arena_bots:First", "arena_bots:First"], "duo", 2, seed=2, workers=1)
    assert [game["moves"] for game in odd.games] == [game["moves"] for game in plain.games]
    assert not odd.tally.failures


def test_bots_that_cannot_play_are_told_before_any_game():
    from blokus_fast.arena import ArenaError

    for name, told in [
        ("arena_bots:OnlyClassic", "cannot play duo: I play Classic only"),
        ("arena_bots:Unmakeable", "cannot play duo: no weights"),
        ("arena_bots:CrashesInStart", "cannot play duo: its process ended by signal 11"),
        ("gtp:no-such-engine", "cannot play duo: cannot start no-such-engine"),
    ]:
        with pytest.raises(ArenaError, match=told):
            run(["random", name], "duo", 2, workers=1)
    assert len(run(["random", "arena_bots:OnlyClassic"], "classic", 1, workers=1).games) == 1


@pytest.mark.costly
@pytest.mark.parametrize("bot", ["arena_bots:Drawn", "mcts:sims=20", "greedy"])
def test_the_same_seed_gives_the_same_games_whatever_the_number_of_workers(bot):
    one = run([bot, "random"], "duo", 8, seed=5, workers=1)
    two = run([bot, "random"], "duo", 8, seed=5, workers=3)
    assert untimed(one) == untimed(two)
    assert one.to_json()["results"][0]["rating"] == two.to_json()["results"][0]["rating"]
    assert untimed(run([bot, "random"], "duo", 8, seed=6, workers=2)) != untimed(one)


def test_greedy_against_itself_is_even():
    """Without openings in pairs the first seat wins every game of it."""
    report = run(["greedy", "greedy"], "duo", 60, seed=1, workers=2)
    assert [result.bot for result in report.results] != ["greedy", "greedy"]
    low, high = report.results[0].score_interval
    assert low < 0.5 < high
    assert len({tuple(game["moves"]) for game in report.games}) == 60


@pytest.mark.costly
def test_engines_play_with_the_same_seeds():
    bots = [f"gtp:{OURS} random", "random"]
    report = run(bots, "duo", 2, seed=1, workers=1)
    assert not report.tally.failures
    # An engine is called what it says.
    engine, other = sorted(report.results, key=lambda result: result.bot == "random")
    assert engine.bot.startswith("blokus-fast")
    assert engine.cpu_seconds > 0.05
    assert other.cpu_seconds < 0.05
    assert untimed(report) == untimed(run(bots, "duo", 2, seed=1, workers=1))


@pytest.mark.costly
@pytest.mark.parametrize(
    ("fault", "kind"),
    [("die", "crash"), ("mute", "hang"), ("move=a1,b2", "illegal"), ("refuse=genmove", "error")],
)
def test_what_engines_do_wrong(fault, kind):
    command = f"gtp:{shlex.join(gtp_tools.fake(fault))}"
    with gtp_tools.nothing_left():
        report = run([command, "random"], "duo", 2, workers=1, patience=1)
    assert [game["failure"]["kind"] for game in report.games] == [kind, kind]
    assert [game["failure"]["bot"] for game in report.games] == ["Fake 1.0", "Fake 1.0"]
    # Nor does the engine itself go on, which belongs to nobody any more when its game is ended.
    faulty = [line for line in commands() if str(gtp_tools.FAKE) in line and fault in line]
    assert not faulty


def commands():
    """Return the command lines of all processes."""
    for folder in gtp_tools.PROC.glob("[0-9]*"):
        with contextlib.suppress(OSError):
            yield (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")


def test_an_opening_of_a_file_is_where_games_begin():
    board = bf.set_up("duo", {"purple": ["e10"], "orange": ["j5"]}, turn="orange")
    openings = [Opening((), bf.position_text(board))]
    report = run(["greedy", "random"], "duo", 2, workers=1, openings=openings)
    for game in report.games:
        assert game["start"] == bf.position_text(board)
        assert game["opening_plies"] == 0
        assert record_of(game, report.settings.variant).root.board() == board
    assert report.to_json()["settings"]["openings"] == 1


def test_every_variant_is_played():
    for name in bf.VARIANTS:
        report = run(["greedy", "random"], name, 1, workers=1)
        assert not report.tally.failures, name
        assert len(report.games[0]["ranking"]) == bf.variant(name).players


# -- the loop ------------------------------------------------------------------------------------


def test_the_game_is_as_before_where_a_bot_has_erred():
    import arena_bots

    game = Game("duo")
    bots = {0: Player(arena_bots.Raises()), 1: Player(make("random", seed=1))}
    with pytest.raises(BotError, match=r"the bot Raises: KeyError") as caught:
        play_game(game, bots, {player: Timer() for player in bots})
    assert caught.value.player == 0
    assert caught.value.kind == "error"
    assert len(game.moves) == 4
    assert not game.is_over


@pytest.mark.parametrize(("margin", "late"), [(0.1, True), (5.0, False), (None, False)])
def test_a_margin_says_what_is_late(margin, late):
    import arena_bots

    game, clock = Game("duo"), Clock.per_move(0.2)
    bots = {0: Player(arena_bots.Late()), 1: Player(arena_bots.First())}
    timers = {player: Timer(clock) for player in bots}
    if late:
        with pytest.raises(BotError, match=r"took 0\.6\d s for a move, and had 0\.20 s") as caught:
            play_game(game, bots, timers, margin=margin)
        assert caught.value.kind == "time"
        assert len(game.moves) == 4
    else:
        play_game(game, bots, timers, margin=margin)
        assert game.is_over
    assert timers[0].is_over


def test_every_set_of_a_run_begins_in_another_way():
    report = run(["random", "random"], "duo", 20, seed=1, workers=1)
    begun = [tuple(game["moves"][:2]) for game in report.games]
    assert begun[::2] == begun[1::2]
    assert len(set(begun)) == 10


def test_seeds_of_bots_are_all_different():
    seeds = {bot_seed(s, n, b) for s in range(5) for n in range(5) for b in range(4)}
    assert len(seeds) == 100


def test_interrupted_runs_report_what_was_played():
    def stop(result):
        if result["number"] >= 2:
            raise KeyboardInterrupt

    report = run(["random", "random"], "duo", 50, workers=1, on_game=stop)
    assert report.interrupted
    assert 3 <= len(report.games) < 50
    assert report.to_json()["games"] == len(report.games)


def test_a_sequential_test_ends_the_run_at_the_same_game_for_all():
    reports = [
        run(["greedy", "random"], "duo", 400, seed=1, workers=workers, sprt=(0, 100))
        for workers in (1, 3)
    ]
    assert untimed(reports[0]) == untimed(reports[1])
    assert reports[0].sprt.decision == "high"
    assert len(reports[0].games) < 100
    assert Settings.make(["greedy", "random"], "duo", sprt=(0, 100)).sprt.high == 100
