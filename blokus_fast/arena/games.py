"""One game of a run: what there is to be played, playing it, and what became of it.

`play_task` runs in a worker's process, which may be gone before the game is over: `on_lost` makes a
result of what the process had noted. A game's result is plain data, a line of ``games.jsonl``.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from blokus_fast.arena.loop import (
    KINDS,
    BotError,
    error_text,
    error_words,
    make_player,
    plain_text,
    play_game,
    start_player,
)
from blokus_fast.arena.openings import Opening
from blokus_fast.bots import Clock, Player, Timer, make
from blokus_fast.executors import Lost, WorkerLostError
from blokus_fast.executors.child import notes
from blokus_fast.game import Game
from blokus_fast.moves import Move
from blokus_fast.records import Record
from blokus_fast.records.writing import record_line
from blokus_fast.variants import Variant

__all__ = ["Task", "bot_seed", "checked_record", "on_lost", "play_task", "record_of", "try_bots"]

# Noted in the place of a player as long as nobody is asked for anything.
_NOBODY: Final = -1


@dataclass(frozen=True)
class Task:
    """A game that is to be played.

    Attributes
    ----------
    number : int
        Its number in the run, from 0.
    opening_number : int
        The number of its set.
    opening : Opening
        Where it begins.
    seats : tuple of int
        The number of the bot of each player.
    bots, labels : tuple of str
        For each player the name of his bot, and what it is called.
    seeds : tuple of int
        For each player the seed of his bot.
    variant : Variant
        The rules.
    clock : Clock or None
        What each bot has for the game.
    margin, patience : float
        As in `Settings`.
    """

    number: int
    opening_number: int
    opening: Opening
    seats: tuple[int, ...]
    bots: tuple[str, ...]
    labels: tuple[str, ...]
    seeds: tuple[int, ...]
    variant: Variant
    clock: Clock | None
    margin: float
    patience: float


def bot_seed(seed: int, number: int, bot: int) -> int:
    """Return the seed of a bot in a game: it follows from the run's seed and the two numbers.

    Examples
    --------
    >>> from blokus_fast.arena.games import bot_seed
    >>> bot_seed(1, 0, 0) == bot_seed(1, 0, 0) != bot_seed(1, 0, 1)
    True
    """
    return random.Random(f"{seed}/{number}/{bot}").getrandbits(63)


def try_bots(task: Task) -> list[str]:
    """Make every bot of a task and start it for the variant; return what is wrong with each.

    Returns
    -------
    list of str
        Per player what was wrong, or nothing.
    """
    problems: list[str] = []
    for name, seed in zip(task.bots, task.seeds, strict=True):
        problem = ""
        notes().begin([len(problems)])
        notes().wait_for(task.patience)
        try:
            bot = Player(make(name, seed=seed))
            try:
                bot.start(task.variant)
            finally:
                with contextlib.suppress(BaseException):
                    bot.close()
        except BaseException as error:
            problem = plain_text(error_text(error)) or type(error).__name__
        problems.append(problem)
    return problems


def bots_lost(task: Task, lost: Lost) -> list[str]:
    """Tell which bot could not even be made without its process ending."""
    guilty = lost.noted[0] if lost.noted else 0
    return [str(lost) if player == guilty else "" for player in range(len(task.bots))]


def play_task(task: Task) -> dict[str, Any]:
    """Play a game.

    Parameters
    ----------
    task : Task
        The game.

    Returns
    -------
    dict
        ``number``, ``opening`` (the number of its set), ``seats``, ``bots`` (by player),
        ``start`` (position text, or None), ``moves`` (texts; the first ``opening_plies`` are
        given), ``scores``, ``ranking``, ``winners`` (players), ``failure`` (None, or a dict of
        ``player``, ``bot``, ``kind`` and ``text``), ``seconds`` and ``cpu_seconds`` (by player).
        With a failure there are no scores; all seats of the bot that failed are last, and all
        others win.
    """
    game = Game.from_board(task.opening.board(task.variant), names=task.labels)
    table = _Table(task)
    failure: BotError | None = None
    try:
        table.set_up()
        play_game(
            game,
            table.bots,
            table.timers,
            margin=task.margin,
            before_move=table.before_move,
            after_move=table.after_move,
        )
    except BotError as error:
        failure = error
    except BaseException as error:
        # Here nobody but a bot interrupts anything.
        if table.asked == _NOBODY:
            raise
        failure = BotError(table.asked, task.labels[table.asked], "error", error_words(error))
    finally:
        table.clear()
    return _result(task, game, failure, table)


def on_lost(task: Task, lost: Lost) -> dict[str, Any] | None:
    """Make the result of a game whose process has ended; None if it was not the bot's fault.

    Raises
    ------
    ExecutorError
        It has ended again and again, and nobody was asked for anything.
    """
    player, *moves = lost.noted or (_NOBODY,)
    game = Game.from_board(task.opening.board(task.variant), names=task.labels)
    for move in moves:
        # A bot can write nonsense there.
        if game.is_over or not game.board.is_legal(move):
            break
        game.play(move)
    if game.is_over:
        return _result(task, game, None, None)
    if lost.by_others and not lost.is_last:
        return None
    if not 0 <= player < len(task.seats):
        if lost.is_last:
            raise WorkerLostError(f"game {task.number + 1}: {lost}, and no bot was asked")
        return None
    text = str(lost)
    if lost.hung:
        seconds = task.patience if task.clock is None else None
        text = "gave no answer in time" if seconds is None else f"gave no answer in {seconds:g} s"
    elif last := lost.errors.strip().splitlines()[-1:]:
        text = f"{text}: {last[0]}"
    error = BotError(player, task.labels[player], "hang" if lost.hung else "crash", text)
    return _result(task, game, error, None)


class _Table:
    """The bots of a game with their clocks; notes what they do and what processor time it takes."""

    def __init__(self, task: Task) -> None:
        players = range(len(task.seats))
        self.task = task
        self.bots: dict[int, Player] = {}
        self.timers = {player: Timer(task.clock) for player in players}
        self.cpu_seconds = [0.0 for _ in players]
        self.asked = _NOBODY
        self._notes = notes()
        self._notes.begin([_NOBODY], idle=task.patience)
        self._began = 0.0

    def set_up(self) -> None:
        """Make the bots and start them."""
        task = self.task
        for player, name in enumerate(task.bots):
            self._begin(player, task.patience)
            seed, label = task.seeds[player], task.labels[player]
            self.bots[player] = make_player(name, seed, label, player)
            self._end()
        for player, bot in self.bots.items():
            self._begin(player, task.patience)
            start_player(bot, task.variant, player)
            self._end()

    def _begin(self, player: int, seconds: float) -> None:
        self.asked = player
        self._notes.put(0, player)
        self._notes.wait_for(seconds)
        self._began = time.process_time()

    def _end(self) -> None:
        if self.asked != _NOBODY:
            self.cpu_seconds[self.asked] += time.process_time() - self._began
            self.asked = _NOBODY
            self._notes.rest()

    def before_move(self, player: int) -> None:
        """Watch a bot that is asked for a move."""
        limit = self.timers[player].clock.limit
        allowed = self.task.patience if limit is None else limit + self.task.margin
        self._begin(player, allowed)

    def after_move(self, move: Move, player: int) -> None:
        """Note a move."""
        self._end()
        self._notes.add(int(move))

    def clear(self) -> None:
        """End the bots, after a look at what their engines have used."""
        self._end()
        while self.bots:
            player, bot = self.bots.popitem()
            self._notes.wait_for(self.task.patience)
            pid = getattr(getattr(bot.bot, "engine", None), "pid", None)
            with contextlib.suppress(Exception):
                self.cpu_seconds[player] += 0.0 if pid is None else _cpu_seconds(pid)
            with contextlib.suppress(BaseException):
                bot.close()
            # What a bot does when it is forgotten is watched as well.
            del bot
        self._notes.rest()


def _cpu_seconds(pid: int) -> float:
    """Return what a program and those it has waited for have used of the processor."""
    import psutil

    return float(sum(psutil.Process(pid).cpu_times()[:4]))


def _result(
    task: Task,
    game: Game,
    failure: BotError | None,
    table: _Table | None,
) -> dict[str, Any]:
    players = range(len(task.seats))
    # A bot that has two seats has lost both.
    guilty = None if failure is None else task.seats[failure.player]
    others = [player for player in players if task.seats[player] != guilty]
    result: dict[str, Any] = {
        "number": task.number,
        "opening": task.opening_number,
        "seats": list(task.seats),
        "bots": list(task.labels),
        "start": task.opening.position,
        "opening_plies": len(task.opening.moves),
        "moves": [move.text for move in game.moves],
    }
    if failure is None:
        result |= {
            "scores": list(game.scores),
            "ranking": list(game.ranking),
            "winners": list(game.winners),
            "failure": None,
        }
    else:
        result |= {
            "scores": None,
            "ranking": [1 if p in others else 1 + len(others) for p in players],
            "winners": others,
            "failure": {
                "player": failure.player,
                "bot": failure.name,
                "kind": failure.kind,
                "text": failure.text,
            },
        }
    seconds = table and [round(table.timers[player].used, 6) for player in players]
    result["seconds"] = seconds
    result["cpu_seconds"] = table and [round(used, 6) for used in table.cpu_seconds]
    result["record"] = record_line(_record(game, failure)).decode()
    return result


def _record(game: Game, failure: BotError | None) -> Record:
    record = Record.from_game(game)
    if failure is not None:
        node = record.root
        while node.variations:
            node = node.variations[0]
        node.comment = f"{failure.name} loses: {failure.text}"
    return record


def checked_record(result: Any, bots: Sequence[str], variant: Variant) -> Record:
    """See that what was read is the result of a game that was played, and return its record.

    Parameters
    ----------
    result : object
        What was read.
    bots : sequence of str
        The labels of the bots of the run.
    variant : Variant
        The rules.

    Returns
    -------
    Record
        As `record_of` makes it.

    Raises
    ------
    ValueError
        It is not; the message says what is wrong.
    """
    kinds = {"number": int, "opening": int, "opening_plies": int, "seats": list, "moves": list}
    for name, kind in kinds.items():
        if type(result[name]) is not kind:
            raise ValueError(f"{name} is {result[name]!r:.60}")
    seats, failure = result["seats"], result["failure"]
    players = range(variant.players)
    if len(seats) != len(players) or not all(seat in range(len(bots)) for seat in seats):
        raise ValueError(f"seats are {seats!r:.60}")
    if result["bots"] != [bots[seat] for seat in seats]:
        raise ValueError(f"bots are {result['bots']!r:.60}")
    game = _replayed(result, variant)
    wanted: dict[str, Any] = {"scores": None}
    if failure is None:
        wanted = {"scores": list(game.scores), "ranking": list(game.ranking)}
        wanted["winners"] = list(game.winners)
        if not game.is_over:
            raise ValueError("its moves are no whole game")
    elif failure["player"] not in players or failure["kind"] not in KINDS:
        raise ValueError(f"failure is {failure!r:.60}")
    else:
        guilty = seats[failure["player"]]
        wanted["winners"] = [player for player in players if seats[player] != guilty]
    for name, value in wanted.items():
        if result[name] != value:
            raise ValueError(f"{name} is {result[name]!r:.60}, and should be {value}")
    for name in ("seconds", "cpu_seconds"):
        times = result[name]
        if times is not None and not all(isinstance(one, int | float) for one in times):
            raise ValueError(f"{name} is {times!r:.60}")
    return _record(game, _failure_of(result))


def record_of(result: dict[str, Any], variant: Variant) -> Record:
    """Make the record of a game from its result.

    Examples
    --------
    >>> from blokus_fast.arena import run
    >>> from blokus_fast.arena.games import record_of
    >>> report = run(["random", "random"], "duo", 1, workers=1)
    >>> len(record_of(report.games[0], report.settings.variant).names)
    2
    """
    return _record(_replayed(result, variant), _failure_of(result))


def _failure_of(result: dict[str, Any]) -> BotError | None:
    failure = result["failure"]
    return failure and BotError(*failure.values())


def _replayed(result: dict[str, Any], variant: Variant) -> Game:
    board = Opening((), result["start"]).board(variant)
    game = Game.from_board(board, names=result["bots"])
    for text in result["moves"]:
        game.play(text)
    return game
