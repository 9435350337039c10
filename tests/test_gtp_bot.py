"""An engine as a bot: in step with the board, in every variant, and in matches."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_tools import run
from gtp_tools import OURS, fake, nothing_left
from helpers import random_moves, snapshot

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.gtp import (
    Engine,
    EngineBot,
    EngineDiedError,
    EngineError,
    EngineMoveError,
    EngineRefusedError,
    EngineResignedError,
    EngineTimeoutError,
)
from blokus_fast.gtp.dialect import GAMES, played_variant

FIRST = "e8,d9,e9,f9,e10"


@pytest.fixture(autouse=True)
def watch(request: pytest.FixtureRequest) -> Iterator[None]:
    """Nothing is left over; the engine that the tests share is there before."""
    if "engine" in request.fixturenames:
        request.getfixturevalue("engine")
    with nothing_left():
        yield


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """One program for many tests: it must not matter what it has played before."""
    with Engine([*OURS, "--bot", "random", "--seed", "5"]) as engine:
        yield engine
    assert engine.returncode == 0


@pytest.fixture
def bot(engine: Engine) -> EngineBot:
    return EngineBot(engine, seed=5)


def in_step(bot: EngineBot, board: bf.Board) -> bool:
    """Tell whether the engine has the position on its board, by the moves that are legal there."""
    if board.variant.draft:
        side = board.player
        ours = {side: board.legal_ids()} if side >= 0 else {}
    else:
        ours = {color: board.legal_ids(color=color) for color in range(board.n_colors)}
    return all(
        set(bot.engine.ask(f"all_legal {side + 1}").splitlines())
        == {board.move_text(number) for number in ids.tolist()}
        for side, ids in ours.items()
    )


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", bf.VARIANTS)
def test_whole_games_of_every_variant(bot: EngineBot, name: str, seat: int) -> None:
    """Against a bot of our own; the engine must have the same moves in every position."""
    game = bf.Game(played_variant(name))
    other = bots.make("random", seed=seat)
    while not game.is_over:
        if game.board.player == seat:
            before = snapshot(game.board)
            move = bot.choose(game.board)
            assert snapshot(game.board) == before
            game.play(move)
            assert in_step(bot, game.board)
        else:
            game.play(other.choose(game.board))
    with pytest.raises(ValueError, match="the game is over"):
        bot.choose(game.board)


@pytest.mark.parametrize("name", ["duo", "junior"])
def test_any_start_square_will_do(bot: EngineBot, name: str) -> None:
    """Who begins at the other square plays on a board that the engine sees from behind."""
    for start in ("e10", "j5"):
        for seat in (0, 1):
            game = bf.Game(name, start="any")
            game.play(start)
            other = bots.make("random", seed=seat)
            while not game.is_over:
                mine = game.board.turn == seat
                game.play((bot if mine else other).choose(game.board))
                if mine and start == "e10":
                    assert in_step(bot, game.board)
    game = bf.Game(name, start="any")
    assert game.board.is_legal(bot.choose(game.board))


@pytest.mark.parametrize("name", ["classic", "classic-3p"])
def test_other_start_rules_are_refused(bot: EngineBot, name: str) -> None:
    for start in ("any", "border"):
        with pytest.raises(EngineError, match=f"start rule 'assigned', not '{start}'"):
            bot.choose(bf.Board(name, start=start))


def test_boards_in_any_order(bot: EngineBot) -> None:
    """Taken back, gone elsewhere, another game, and back: every time the engine follows."""
    rng = random.Random(4)
    boards: list[bf.Board] = []
    for name in ("duo", "junior", "classic"):
        board = bf.Board(played_variant(name))
        for number in random_moves(name, "assigned", 9):
            if len(boards) % 3 == 0 and not board.is_game_over:
                boards.append(board.copy())
            board.push(number)
            boards.append(board.copy())
    for board in rng.sample(boards, 25):
        if board.is_game_over:
            continue
        move = bot.choose(board)
        assert board.is_legal(move)
        board.push(move)
        assert in_step(bot, board)


def test_positions_that_were_set_up(bot: EngineBot) -> None:
    """They go over in a file; those of `any` turned, where they have to be."""
    for squares in (("e10", "j5"), ("j5", "e10")):
        own = {"purple": [squares[0]], "orange": [squares[1]]}
        board = bf.set_up("duo", own, turn="orange")
        while not board.is_game_over:
            move = bot.choose(board)
            assert board.is_legal(move)
            board.push(move)
    board = bf.set_up("classic", {"blue": ["a20", "b20"], "red": ["t1"]}, turn="green")
    board.push(bot.choose(board))
    assert in_step(bot, board)
    # The same position again is not sent again, and the empty board is another one.
    board.push(bot.choose(board))
    assert in_step(bot, board)
    board = bf.Board("classic")
    board.push(bot.choose(board))
    assert in_step(bot, board)


def test_a_draft_with_given_hands(bot: EngineBot) -> None:
    board = bf.Board("draft-2p", hands=[{"blue": ["1", "F"]}, {"red": ["1", "W"]}])
    while not board.is_game_over:
        move = bot.choose(board)
        assert board.is_legal(move)
        board.push(move)


@pytest.mark.parametrize(
    "variant",
    [
        bf.Variant("mine", 8, ["a", "b"], [["a8"], ["h1"]]),
        bf.variants.three_players("red"),
        bf.variants.software_challenge_2027("W"),
    ],
    ids=lambda variant: variant.name,
)
def test_variants_that_gtp_has_no_name_for(bot: EngineBot, variant: bf.Variant) -> None:
    with pytest.raises(EngineError, match="no name for this variant"):
        bot.choose(bf.Board(variant))


def test_the_scoring_rule_is_no_obstacle(bot: EngineBot) -> None:
    board = bf.Board("classic", scoring="reverse")
    assert board.is_legal(bot.choose(board))


def test_the_same_seed_plays_the_same_game(engine: Engine) -> None:
    games = []
    for seed in (1, 1, 2):
        bot, board = EngineBot(engine, seed=seed), bf.Board("duo")
        while not board.is_game_over:
            board.push(bot.choose(board))
        games.append(board.move_stack)
    assert games[0] == games[1] != games[2]


def told(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8").splitlines()


def test_what_the_engine_is_told(tmp_path: Path) -> None:
    """The game once, then only what is new; and nothing for a color that is skipped."""
    log = tmp_path / "log"
    board = bf.Board("duo", start="assigned")
    moves = [board.parse_move(FIRST), board.parse_move("j5")]
    with EngineBot(fake(f"log={log}", f"move={FIRST}"), name="fake") as bot:
        assert bot.choose(board) == moves[0]
        board.push(moves[0])
        with pytest.raises(EngineMoveError):
            bot.choose(board)
        board.pop()
        assert bot.choose(board) == moves[0]
        other = bf.Board("junior")
        with pytest.raises(EngineMoveError):
            bot.choose(other)
    assert told(log) == [
        *("set_game Blokus Duo", "genmove b", "genmove w"),
        *("set_game Blokus Duo", "genmove b", "set_game Blokus Junior", "genmove b", "quit"),
    ]


@pytest.mark.parametrize("name", ["duo", "classic", "classic-2p", "classic-3p"])
def test_skips_are_not_told(name: str, tmp_path: Path) -> None:
    """Pentobi's engine knows no pass in a `play` command."""
    variant = played_variant(name)
    game = bf.Game(variant)
    for number in random_moves(name, "assigned", 1):
        game.play(number)
    skips = [entry for entry in game.history if isinstance(entry, bf.Skip)]
    assert skips
    last = game.undo()
    log = tmp_path / "log"
    with EngineBot(fake(f"log={log}", f"move={last.text}"), name="fake") as bot:
        assert bot.choose(game.board) == last.id
    sides = "bw" if name == "duo" else "1234"
    expected = [f"play {sides[move.color or 0]} {move.text}" for move in game.moves]
    assert told(log) == [
        f"set_game {GAMES[name]}",
        *expected,
        f"genmove {sides[last.color or 0]}",
        "quit",
    ]


def test_resigning_is_played_on(tmp_path: Path) -> None:
    board = bf.Board("duo", start="assigned")
    log = tmp_path / "log"
    with EngineBot(fake("move=resign", f"log={log}"), seed=1) as bot:
        move = bot.choose(board)
        assert bot.resigned
        assert len(board.move(move).squares) == 5
        board.push(move)
        board.push(bot.choose(board))
        bot.choose(board)
    texts = [board.move_text(number) for number in board.move_stack]
    plays = [line for line in told(log) if line.startswith("play")]
    assert plays == [f"play b {texts[0]}", f"play w {texts[1]}"]


def test_resigning_is_an_error_where_asked_for() -> None:
    with EngineBot(fake("move=Resign"), resigning="raise") as bot:
        with pytest.raises(EngineResignedError, match="Fake resigns"):
            bot.choose(bf.Board("duo"))
        assert bot.resigned
    with pytest.raises(ValueError, match="play or raise"):
        EngineBot(fake(), resigning="no")


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("pass", "Fake passes at move 1 of duo, where it can place"),
        ("esign", "Fake plays nonsense at move 1 of duo: 'esign' is not a move"),
        ("", "plays nonsense at move 1 of duo"),
        ("e10,zz", "plays nonsense"),
        ("a1", "Fake plays a1 at move 1 of duo, which is illegal: misses the start square"),
        ("a1," * 9999 + "a1", "plays nonsense"),
    ],
)
def test_moves_that_are_none(move: str, words: str) -> None:
    with EngineBot(fake(f"move={move}")) as bot:
        with pytest.raises(EngineMoveError) as caught:
            bot.choose(bf.Board("duo"))
        assert words in str(caught.value)
        assert len(str(caught.value)) < 300


def test_a_pass_is_a_move_where_the_rules_know_it() -> None:
    board = bf.Board("software-challenge-2027")
    for _ in range(4):
        board.push(int(board.legal_ids()[0]))
    with EngineBot(fake("move=pass")) as bot:
        assert bot.choose(board) == board.n_moves


def test_an_engine_that_does_not_play_the_game() -> None:
    with (
        EngineBot(fake("refuse=set_game")) as bot,
        pytest.raises(EngineRefusedError, match="Fake does not play Blokus Duo: cannot set_game"),
    ):
        bot.choose(bf.Board("duo"))


def test_a_late_move_does_not_put_it_out_of_step(tmp_path: Path) -> None:
    """After a failure nobody knows what the engine has on its board: it is told all again."""
    log = tmp_path / "log"
    command = fake(f"late={tmp_path / 'late'}", f"log={log}", "move=e10")
    with EngineBot(command, move_timeout=0.1) as bot:
        board = bf.Board("duo")
        with pytest.raises(EngineTimeoutError):
            bot.choose(board)
        bot.engine.move_timeout = 20
        assert board.move_text(bot.choose(board)) == "e10"
    assert told(log).count("set_game Blokus Duo") == 2


def test_a_bot_that_cannot_begin_leaves_nothing() -> None:
    with pytest.raises(EngineDiedError):
        EngineBot([sys.executable, "-S", "-c", ""])
    with pytest.raises(TypeError, match="timeout come too late"), Engine(fake()) as engine:
        EngineBot(engine, timeout=1)


def test_an_engine_of_somebody_else_is_not_closed() -> None:
    with Engine(fake()) as engine:
        with EngineBot(engine) as bot:
            assert bot.name == "Fake"
        assert engine.ask("name") == "Fake"


def test_bots_are_made_by_a_command() -> None:
    name = "gtp:" + " ".join(f'"{word}"' for word in fake("move=j5"))
    bot = bots.make(name, seed=1)
    assert isinstance(bot, EngineBot)
    board = bf.Board("duo", start="assigned")
    board.push(board.parse_move("e10"))
    assert bot.choose(board) == board.parse_move("j5")
    bot.close()
    for text in ("gtp:", "gtp:  "):
        with pytest.raises(ValueError, match="no command behind gtp:"):
            bots.make(text)


def test_our_session_plays_for_an_engine(tmp_path: Path) -> None:
    """Engines can be chained: who serves a bot does not ask what it is."""
    from blokus_fast.gtp import Session

    with EngineBot(fake("move=e10")) as bot:
        assert Session(bot, "duo").answer("genmove b") == "= e10\n\n"


# The command line.


def words(command: list[str]) -> str:
    return " ".join(f"'{word}'" for word in command)


def test_a_match_with_engines() -> None:
    ours = "gtp:" + words([*OURS, "--bot", "random"])
    args = ("--variant", "duo", "--bots", f"greedy,{ours}", "--games", "2", "--seed", "3", "--json")
    reports = []
    for _ in range(2):
        result = run("play", *args)
        assert result.exit_code == 0, result.output
        reports.append(json.loads(result.stdout))
    assert reports[0] == reports[1]
    assert [played["finished"] for played in reports[0]["games"]] == [True, True]
    assert reports[0]["bots"] == ["greedy", ours]


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("gtp:no-such-program", "cannot start no-such-program"),
        (
            "gtp:" + words(fake("die")),
            "ended (exit code 3) at 'genmove b': starting / out of memory",
        ),
        ("gtp:" + words(fake("move=a1")), "Fake plays a1 at move 1 of duo, which is illegal"),
        ('"gtp:' + words(fake("move=a1,b1")) + '"', "Fake plays a1,b1 at move 1 of duo"),
    ],
)
@pytest.mark.parametrize("json", [(), ("--json",)])
def test_a_match_with_a_broken_engine(bot: str, message: str, json: tuple[str, ...]) -> None:
    result = run("play", "--variant", "duo", "--bots", bot, "--seed", "1", *json)
    assert result.exit_code == 1
    assert message in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.parametrize("bot", ["gtp:", "gtp: ", "deep-blue", ""])
def test_a_match_without_a_bot(bot: str) -> None:
    result = run("play", "--variant", "duo", "--bots", bot)
    assert result.exit_code == 2
    assert "gtp:COMMAND" in result.stderr
