"""Two bots against each other by the contest's protocol, all in this process: `practice`."""

from __future__ import annotations

from os import PathLike

from blokus_fast import bots
from blokus_fast.bots import AnyBot, Player
from blokus_fast.contest.messages import Result
from blokus_fast.contest.server import Server
from blokus_fast.contest.timing import LIMIT

__all__ = ["practice"]


def practice(
    one: AnyBot | str,
    other: AnyBot | str,
    *,
    opening: str | None = None,
    limit: float = LIMIT,
    save: str | PathLike[str] | None = None,
    seed: int | None = None,
) -> Result:
    """Let two bots play a game as they would in the contest.

    Parameters
    ----------
    one, other : Bot or ThinkingBot or str
        Who plays as team one and two: bots or their names.
    opening : str, optional
        Our name of the pentomino that opens every color. Default: drawn.
    limit : float
        Seconds for a move.
    save : str or path, optional
        A ``.blksgf`` file for the game.
    seed : int, optional
        Seed of what is drawn, and of the bots that are named. Default: by chance.

    Returns
    -------
    Result
        Winner, reason and points.

    Raises
    ------
    ContestError
        A bot could not play at all.
    ValueError
        There is no such bot or pentomino.

    Examples
    --------
    >>> from blokus_fast.contest import practice
    >>> result = practice("greedy", "random", opening="W", seed=1)
    >>> result.winner, result.regular, result.names
    (0, True, ('greedy', 'random'))
    """
    players = [bots.make(bot, seed=seed) if isinstance(bot, str) else bot for bot in (one, other)]
    names = (Player(players[0]).name, Player(players[1]).name)
    with Server(port=0, games=1, opening=opening, soft=limit, save=save, seed=seed) as server:
        codes = server.prepare(names).reservations
        guests = [
            server.invite(player, reservation=code)
            for player, code in zip(players, codes, strict=True)
        ]
        results = server.wait()
        for guest in guests:
            guest.join(5)
    return results[0]
