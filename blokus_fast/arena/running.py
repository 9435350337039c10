"""`run`: plays all games of a run on an executor, keeps each as it ends, and reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from os import PathLike
from typing import Any, SupportsIndex

from blokus_fast.arena import games as playing
from blokus_fast.arena.games import Task
from blokus_fast.arena.openings import Opening, draw, extend
from blokus_fast.arena.ratings import need_choix
from blokus_fast.arena.report import Report, new_tally, set_scores
from blokus_fast.arena.seating import set_seatings, set_size
from blokus_fast.arena.settings import Settings
from blokus_fast.arena.storage import ArenaError, Folder, read_settings
from blokus_fast.bots.titles import asked_title, check_titles
from blokus_fast.checking import called_back
from blokus_fast.executors import Executor, open_executor
from blokus_fast.variants import Variant

__all__ = ["names_for", "run", "run_settings", "tasks_of"]


def run(
    bots: Sequence[str],
    variant: str | Variant = "classic",
    games: SupportsIndex = 100,
    *,
    output: str | PathLike[str] | None = None,
    resume: bool = False,
    executor: str | Executor = "processes",
    workers: SupportsIndex | None = None,
    on_game: Callable[[dict[str, Any]], object] | None = None,
    **options: Any,
) -> Report:
    """Let bots play each other.

    Parameters
    ----------
    bots : sequence of str
        Names of at least two bots, see `bots.make`.
    variant : str or Variant
        The rules.
    games : int
        How many games.
    output : str or path, optional
        Folder to keep the games in, each as it ends; see `storage`. Default: they are only in
        the report.
    resume : bool
        Whether to go on with the run that is in that folder.
    executor : str or Executor
        Where to play, see `executors.open_executor`.
    workers : int, optional
        How many games at the same time.
    on_game : callable, optional
        Is told the result of every game that ends.
    **options
        Those of `Settings.make`: `seed`, `seats`, `random_plies`, `openings`, `clock`, `margin`,
        `patience`, `sprt` and `names`. Without names, engines are asked what they are called.

    Returns
    -------
    Report
        What it has shown. An interrupt from the keyboard ends the run, and the report says so.

    Raises
    ------
    ValueError
        The settings are not possible.
    ArenaError
        A bot cannot play that variant, or the folder does not fit or cannot be written.
    ExecutorError
        There is no such executor.
    ImportError
        The library for ratings is not installed.
    TypeError
        `bots` is one text, `on_game` cannot be called, or another argument is of another type.

    Examples
    --------
    >>> from blokus_fast.arena import run
    >>> report = run(["greedy", "random"], "duo", 4, seed=1, workers=1)
    >>> [(result.bot, result.games) for result in report.results]
    [('greedy', 4), ('random', 4)]
    """
    called_back(on_game, "on_game")
    settings = Settings.make(bots, variant, games, **options)
    names = names_for(settings.bots, output if resume else None, options.get("names", ()))
    settings = replace(settings, names=tuple(names))
    return run_settings(
        settings,
        output=output,
        resume=resume,
        executor=executor,
        workers=workers,
        on_game=on_game,
    )


def names_for(
    bots: Sequence[str],
    resumed: str | PathLike[str] | None = None,
    given: Sequence[str] = (),
) -> list[str]:
    """Find out what to call bots: an engine that is given no name is started and asked.

    Parameters
    ----------
    bots : sequence of str
        Names of the bots, see `bots.make`.
    resumed : str or path, optional
        The folder of a run that goes on: the same bots are called as they were.
    given : sequence of str
        Names that some are given, see `Settings.make`.

    Returns
    -------
    list of str
        A name for each.

    Raises
    ------
    ValueError
        Names that are given are not possible.
    ArenaError
        There is no run in the folder.

    Examples
    --------
    >>> from blokus_fast.arena.running import names_for
    >>> names_for(["mcts:2", "greedy"], given=["old"])
    ['old', 'greedy']
    """
    found = check_titles(given, bots)
    there = None if resumed is None else read_settings(resumed)
    if there is not None and there.bots == tuple(bots):
        return [name or old for name, old in zip(found, there.names, strict=True)]
    return [name or asked_title(bot) for name, bot in zip(found, bots, strict=True)]


def run_settings(
    settings: Settings,
    *,
    output: str | PathLike[str] | None = None,
    resume: bool = False,
    executor: str | Executor = "processes",
    workers: SupportsIndex | None = None,
    on_game: Callable[[dict[str, Any]], object] | None = None,
    on_begin: Callable[[Report], object] | None = None,
) -> Report:
    """Play what settings say; see `run`. `on_begin` is told of games that are there already."""
    called_back(on_game, "on_game")
    called_back(on_begin, "on_begin")
    need_choix()
    if resume and output is None:
        raise ArenaError("to resume a run, name its folder")
    report = Report(settings)
    with ExitStack() as stack:
        folder = None
        if output is not None:
            folder = stack.enter_context(Folder(output, settings, resume=resume))
            report.games = list(folder.done)
        if on_begin is not None:
            on_begin(report)
        counting = _Counting(settings)
        for result in report.games:
            counting.add(result)
        if len(report.games) < settings.games and not counting.decided:
            try:
                # A cluster that is not there is told before any game, and leaves a run to resume.
                where = executor if isinstance(executor, Executor) else None
                if where is None:
                    where = stack.enter_context(open_executor(str(executor), workers))
                _play(settings, where, report, counting, folder, on_game)
            except KeyboardInterrupt:
                report.interrupted = True
    report.games = counting.that_count(report.games)
    return report


def _play(
    settings: Settings,
    where: Executor,
    report: Report,
    counting: _Counting,
    folder: Folder | None,
    on_game: Callable[[dict[str, Any]], object] | None,
) -> None:
    _try_bots(settings, where)
    done = {result["number"] for result in report.games}
    tasks = (task for task in tasks_of(settings) if task.number not in done)
    playing_on = where.run(playing.play_task, tasks, on_lost=playing.on_lost)
    for task, result in playing_on:
        if not isinstance(result, dict) or result.get("number") != task.number:
            raise ArenaError(f"game {task.number + 1}: its process answered nonsense")
        if folder is not None:
            folder.add(result)
        result.pop("record")
        report.games.append(result)
        counting.add(result)
        if on_game is not None:
            on_game(result)
        if counting.decided:
            playing_on.close()  # type: ignore[attr-defined]
            return


def _try_bots(settings: Settings, where: Executor) -> None:
    """See that every bot can be made and started, before games are lost by it."""
    opening = draw(settings.variant, 0, settings.seed, 0)
    numbers = list(range(len(settings.bots)))
    task = _task(settings, -1, -1, opening, tuple(numbers))
    for _, problems in where.run(playing.try_bots, [task], on_lost=playing.bots_lost):
        for bot, problem in zip(settings.bots, problems, strict=True):
            if problem:
                raise ArenaError(f"{bot} cannot play {settings.variant.name}: {problem}")


def tasks_of(settings: Settings) -> Iterator[Task]:
    """Yield the games of a run, set after set: all games of an opening.

    Examples
    --------
    >>> from blokus_fast.arena import Settings
    >>> from blokus_fast.arena.running import tasks_of
    >>> settings = Settings.make(["greedy", "random"], "duo", 4)
    >>> tasks = list(tasks_of(settings))
    >>> [task.seats for task in tasks], tasks[0].opening == tasks[1].opening != tasks[2].opening
    ([(0, 1), (1, 0), (0, 1), (1, 0)], True)
    """
    number = opening_number = 0
    n_bots, players = len(settings.bots), settings.variant.players
    while number < settings.games:
        opening = _opening(settings, opening_number)
        seated = set_seatings(opening_number, n_bots, players, settings.seed, settings.seats)
        for seats in seated:
            if number < settings.games:
                yield _task(settings, number, opening_number, opening, seats)
                number += 1
        opening_number += 1


def _opening(settings: Settings, number: int) -> Opening:
    if not settings.openings:
        return draw(settings.variant, settings.random_plies, settings.seed, number)
    opening = settings.openings[number % len(settings.openings)]
    if not settings.random_plies:
        return opening
    return extend(opening, settings.variant, settings.random_plies, settings.seed, number)


def _task(
    settings: Settings, number: int, opening_number: int, opening: Opening, seats: tuple[int, ...]
) -> Task:
    return Task(
        number,
        opening_number,
        opening,
        seats,
        tuple(settings.bots[bot] for bot in seats),
        tuple(settings.labels[bot] for bot in seats),
        tuple(playing.bot_seed(settings.seed, number, player) for player in range(len(seats))),
        settings.variant,
        settings.clock,
        settings.margin,
        settings.patience,
    )


class _Counting:
    """Follows a sequential test over the sets of games in their order, whichever end first."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._waiting: dict[int, list[dict[str, Any]]] = {}
        self._size = set_size(len(settings.bots), settings.variant.players, settings.seats)
        self._next = 0
        self._tally = new_tally(settings)
        self.decided = False

    def add(self, result: dict[str, Any]) -> None:
        """Count a game, and see whether the test is over."""
        test = self._settings.sprt
        if test is None or self.decided:
            return
        self._waiting.setdefault(result["opening"], []).append(result)
        while len(self._waiting.get(self._next, ())) == self._size and not self.decided:
            for one in self._waiting.pop(self._next):
                self._tally.add(one)
            self._next += 1
            scores = set_scores(self._tally, self._settings)
            self.decided = test.state(scores).decision is not None

    def that_count(self, games: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the games in their order; after a decision those that have led to it."""
        ordered = sorted(games, key=lambda result: int(result["number"]))
        if not self.decided:
            return ordered
        return [result for result in ordered if result["opening"] < self._next]
