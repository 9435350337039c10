"""Runs of self-play: games played by workers, a shard each, and written as they come.

Owns the order of things: what is played where, and what is told meanwhile. Where the work is done
is the matter of `blokus_fast.executors`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from os import PathLike

from blokus_fast import files
from blokus_fast.checking import called_back
from blokus_fast.executors import open_executor
from blokus_fast.selfplay import shards
from blokus_fast.selfplay.playing import GamePlayer
from blokus_fast.selfplay.settings import Settings

__all__ = ["Shard", "Summary", "Task", "play_shard", "run"]


@dataclass(frozen=True)
class Summary:
    """How far a run is.

    Attributes
    ----------
    settings : Settings
        Its settings.
    n_shards, n_games, n_positions : int
        What its folder has.
    new_games, new_positions : int
        What of it was played this time.
    bytes : int
        Size of the shards that were written this time.
    seconds : float
        How long it took, on the clock.
    cpu_seconds : float
        What the workers have worked.

    Examples
    --------
    >>> import tempfile
    >>> from blokus_fast.selfplay import Settings, read, run
    >>> settings = Settings("duo", "mcts:sims=20", games=2, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     summary = run(settings, folder, workers=1)
    >>> summary.n_games, summary.is_complete
    (2, True)
    """

    settings: Settings
    n_shards: int = 0
    n_games: int = 0
    n_positions: int = 0
    new_games: int = 0
    new_positions: int = 0
    bytes: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0

    @property
    def is_complete(self) -> bool:
        """Whether all games were played."""
        return self.n_games == self.settings.games


@dataclass(frozen=True)
class Task:
    """What a worker is given: a shard to play.

    Attributes
    ----------
    settings : Settings
        Settings of the run.
    shard : int
        Number of the shard.
    """

    settings: Settings
    shard: int


@dataclass(frozen=True)
class Shard:
    """What a worker returns.

    Attributes
    ----------
    data : bytes
        The file.
    n_games, n_positions : int
        What is in it.
    cpu_seconds : float
        What it took.
    """

    data: bytes
    n_games: int
    n_positions: int
    cpu_seconds: float


# A worker plays one shard of a run after the other, with one search.
@lru_cache(maxsize=1)
def _player(settings: Settings) -> GamePlayer:
    return GamePlayer(settings)


def play_shard(task: Task) -> Shard:
    """Play the games of a shard. It depends on nothing but the task.

    Parameters
    ----------
    task : Task
        Which one.

    Returns
    -------
    Shard
        The file, not written yet: the worker may be on another computer.

    Examples
    --------
    >>> from blokus_fast.selfplay import Settings
    >>> from blokus_fast.selfplay.running import Task, play_shard
    >>> task = Task(Settings("duo", "greedy", games=4, games_per_shard=2), shard=1)
    >>> shard = play_shard(task)
    >>> shard.n_games, shard.data[:4], play_shard(task).data == shard.data
    (2, b'PAR1', True)
    """
    begin = time.process_time()
    player = _player(task.settings)
    games = [player.play(number) for number in task.settings.games_of(task.shard)]
    data = shards.encode(task.settings, task.shard, games)
    positions = sum(len(game.moves) for game in games)
    return Shard(data, len(games), positions, time.process_time() - begin)


def run(
    settings: Settings | None,
    folder: str | PathLike[str],
    *,
    resume: bool = False,
    executor: str = "processes",
    workers: int | None = None,
    on_progress: Callable[[Summary], object] | None = None,
) -> Summary:
    """Let a bot play itself, and write the games into a folder.

    A shard is a file that is there as a whole or not at all. It depends on the settings and its
    number, and not on who plays it when.

    Parameters
    ----------
    settings : Settings, optional
        What is played. Default, with `resume`: as it was.
    folder : str or path
        Where to; it must not hold anything else.
    resume : bool
        Whether to go on with the run that is there: to play the shards that are missing.
    executor : str
        Where games are played, see `blokus_fast.executors.open_executor`.
    workers : int, optional
        How many shards are played at a time. Default: as the executor has it.
    on_progress : callable, optional
        Is told how far the run is: first, and after every shard.

    Returns
    -------
    Summary
        How far it has come: to the end.

    Raises
    ------
    ShardError
        The folder is of another run, or a shard in it is damaged.
    ValueError
        The bot does not play by the rules.
    OSError
        Something cannot be written, for instance as the disk is full. What was written before
        stays, and the run can go on.
    KeyboardInterrupt
        On Ctrl-C; likewise.
    TypeError
        `on_progress` cannot be called.

    Examples
    --------
    >>> import tempfile
    >>> from blokus_fast.selfplay import Settings, read, run
    >>> settings = Settings("duo", "mcts:sims=20", games=4, games_per_shard=2, seed=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     summary = run(settings, folder, workers=1)
    ...     batch = next(iter(read(folder, 32)))
    >>> summary.n_shards, summary.n_games, summary.is_complete, len(batch)
    (2, 4, True, 32)
    """
    called_back(on_progress, "on_progress")
    settings, found = shards.look(folder, settings, resume=resume)
    begin = time.perf_counter()
    summary = Summary(
        settings,
        n_shards=len(found),
        n_games=sum(each.n_games for each in found),
        n_positions=sum(each.n_positions for each in found),
    )
    tell = on_progress or (lambda summary: None)
    there = {each.shard for each in found}
    tasks = [Task(settings, k) for k in range(settings.n_shards) if k not in there]
    if not tasks:
        shards.take(folder, settings)
        tell(summary)
        return summary
    with open_executor(executor, _workers(workers, tasks)) as pool:
        # Only now: where there are no workers, no run has begun.
        shards.take(folder, settings)
        tell(summary)
        for task, shard in pool.run(play_shard, tasks):
            _write(folder, task.shard, shard.data)
            summary = replace(
                summary,
                n_shards=summary.n_shards + 1,
                n_games=summary.n_games + shard.n_games,
                n_positions=summary.n_positions + shard.n_positions,
                new_games=summary.new_games + shard.n_games,
                new_positions=summary.new_positions + shard.n_positions,
                bytes=summary.bytes + len(shard.data),
                seconds=time.perf_counter() - begin,
                cpu_seconds=summary.cpu_seconds + shard.cpu_seconds,
            )
            tell(summary)
    return summary


def _workers(workers: int | None, tasks: Sequence[Task]) -> int | None:
    """Return how many workers have something to do."""
    return None if workers is None else min(workers, len(tasks))


def _write(folder: str | PathLike[str], shard: int, data: bytes) -> None:
    path = shards.shard_path(folder, shard)
    if path.exists():
        raise shards.ShardError(f"{path} was not there before: does another process play, too?")
    files.write_file(path, data)
