"""Who plays whom from which seats: tables of bots, and the seatings of a table.

All games of one opening are a set: in it every bot of a table sits everywhere, so that what a seat
or an opening is worth falls out of the result.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final

__all__ = ["LETTERS", "check_seats", "seatings", "set_seatings", "set_size", "tables"]

# A table with more different seatings than that is seated in rotations of one drawn by chance.
_MOST_SEATINGS: Final = 6
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def check_seats(seats: str | None, n_bots: int, players: int) -> None:
    """Check what was said about who sits together.

    Raises
    ------
    ValueError
        It is not a letter a seat, or not every bot has a seat.

    Examples
    --------
    >>> from blokus_fast.arena.seating import check_seats
    >>> check_seats("ABBB", n_bots=2, players=4)
    >>> check_seats("ABB", n_bots=2, players=4)
    Traceback (most recent call last):
    ...
    ValueError: seats are 4 letters, A for the first bot to B, each at least once, not 'ABB'
    """
    if seats is None:
        return
    letters = LETTERS[:n_bots]
    if n_bots > players or len(seats) != players or set(seats) != set(letters):
        if n_bots > players:
            raise ValueError(f"seats need no more bots than the {players} players, not {n_bots}")
        raise ValueError(
            f"seats are {players} letters, A for the first bot to {letters[-1]}, each at least "
            f"once, not {seats!r}"
        )


@lru_cache
def tables(n_bots: int, players: int, seats: str | None = None) -> tuple[tuple[int, ...], ...]:
    """Return which bots sit together, as numbers of the bots, in ascending order.

    Parameters
    ----------
    n_bots, players : int
        How many bots and seats there are.
    seats : str, optional
        What `check_seats` has checked.

    Returns
    -------
    tuple of tuple of int
        With more bots than seats, every choice of them; with fewer, every bot gets as many
        seats as the others, or one more where that does not come out even.

    Examples
    --------
    >>> from blokus_fast.arena.seating import tables
    >>> tables(3, 2), tables(2, 4), tables(2, 3)
    (((0, 1), (0, 2), (1, 2)), ((0, 0, 1, 1),), ((0, 0, 1), (0, 1, 1)))
    >>> tables(2, 4, "ABBB")
    ((0, 1, 1, 1),)
    """
    if seats is not None:
        return (tuple(sorted(map(LETTERS.index, seats))),)
    if n_bots >= players:
        return tuple(combinations(range(n_bots), players))
    least, more = divmod(players, n_bots)
    everybody = [bot for bot in range(n_bots) for _ in range(least)]
    return tuple(tuple(sorted([*everybody, *extra])) for extra in combinations(range(n_bots), more))


@lru_cache
def _orders(table: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the different orders of a table, the given one first."""
    return tuple(sorted(set(permutations(table))))


def seatings(table: tuple[int, ...], rng: random.Random) -> tuple[tuple[int, ...], ...]:
    """Return the seatings of a table for one opening: for every game, the bot of each player.

    Parameters
    ----------
    table : tuple of int
        Who sits there.
    rng : random.Random
        Where there are too many seatings, one is drawn, and turned round.

    Returns
    -------
    tuple of tuple of int
        The seatings.

    Examples
    --------
    >>> import random
    >>> from blokus_fast.arena.seating import seatings
    >>> seatings((0, 1), random.Random(1))
    ((0, 1), (1, 0))
    >>> len(seatings((0, 0, 1, 1), random.Random(1))), len(seatings((0, 1, 2, 3), random.Random(1)))
    (6, 4)
    """
    orders = _orders(table)
    if len(orders) <= _MOST_SEATINGS:
        return orders
    drawn = list(table)
    rng.shuffle(drawn)
    return tuple(tuple(drawn[k:] + drawn[:k]) for k in range(len(drawn)))


def set_size(n_bots: int, players: int, seats: str | None = None) -> int:
    """Return how many games a set has.

    Examples
    --------
    >>> from blokus_fast.arena.seating import set_size
    >>> set_size(2, 2), set_size(3, 2), set_size(2, 4)
    (2, 6, 6)
    """
    return sum(len(seatings(table, random.Random(0))) for table in tables(n_bots, players, seats))


def set_seatings(
    number: int, n_bots: int, players: int, seed: int, seats: str | None = None
) -> Iterator[tuple[int, ...]]:
    """Yield the seatings of all games of a set, table after table.

    Examples
    --------
    >>> from blokus_fast.arena.seating import set_seatings
    >>> list(set_seatings(0, n_bots=3, players=2, seed=1))
    [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    """
    rng = random.Random(f"{seed}/seats/{number}")
    for table in tables(n_bots, players, seats):
        yield from seatings(table, rng)
