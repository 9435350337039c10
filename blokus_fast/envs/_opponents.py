"""Opponents of the learner: bots by name, by what makes them, or as they are.

Knows bots and seeds, and no library of environments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from blokus_fast import bots
from blokus_fast.bots import AnyBot, Bot, Player

__all__ = ["Opponent", "make_opponents", "opponent_list"]

Opponent = str | AnyBot | Callable[[int], AnyBot]
"""A bot's name, a bot, or a function from a seed to a bot."""


def opponent_list(opponents: Opponent | Sequence[Opponent], players: int) -> list[Opponent]:
    """Return one opponent for each of the other seats.

    Parameters
    ----------
    opponents : str, bot, callable or sequence of them
        One for all seats, or one each in the order of play after the learner.
    players : int
        Number of players, the learner included.

    Returns
    -------
    list
        The opponents.

    Raises
    ------
    ValueError
        A name is unknown, or the number does not fit.
    TypeError
        Something is no bot.

    Examples
    --------
    >>> from blokus_fast.envs._opponents import opponent_list
    >>> opponent_list("random", 4)
    ['random', 'random', 'random']
    >>> opponent_list(["random", "greedy"], 4)
    Traceback (most recent call last):
    ...
    ValueError: 2 opponents for 3 seats
    """
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        chosen = list(opponents)
        if len(chosen) != players - 1:
            raise ValueError(f"{len(chosen)} opponents for {players - 1} seats")
    else:
        chosen = [opponents] * (players - 1)
    for opponent in chosen:
        if isinstance(opponent, str):
            if opponent not in bots.BOTS and not opponent.startswith(bots.GTP):
                bots.make(opponent)  # says what is wrong with the name
        elif not callable(getattr(opponent, "choose", None)) and not callable(opponent):
            raise TypeError(f"an opponent is a name, a bot or makes one, not {opponent!r}")
    return chosen


def make_opponents(opponents: Sequence[Opponent], random: np.random.Generator) -> list[Bot]:
    """Make the bots for an episode.

    Parameters
    ----------
    opponents : sequence
        As `opponent_list` returns them. A bot is taken as it is, with the random numbers it has.
    random : numpy.random.Generator
        Where the seeds of the others come from.

    Returns
    -------
    list of Bot
        The bots. One that thinks in time is driven by a `Player`, without a limit.

    Examples
    --------
    >>> import numpy as np
    >>> from blokus_fast.envs._opponents import make_opponents
    >>> [bot.name for bot in make_opponents(["greedy"], np.random.default_rng(1))]
    ['greedy']
    """
    made: list[Bot] = []
    for opponent in opponents:
        seed = int(random.integers(2**31))
        bot: Any = opponent
        if isinstance(opponent, str):
            bot = bots.make(opponent, seed=seed)
        elif isinstance(opponent, type) or not callable(getattr(opponent, "choose", None)):
            bot = opponent(seed)  # type: ignore[operator]
        player = Player(bot)
        made.append(player if player.takes_clock else bot)
    return made
