"""How much of a clock one move should have: more early, and never all of it.

Owns the rule, and what it needs to know of a position. A search's simulations become 10 to 50 times
cheaper over a game, and it wants e^0.1 times as many of them with every piece on the board of Duo;
together that makes the time of a move fall slowly. So each move gets `DECAY` of what the one
before it got, over the moves that the player can still make at most:

- with n moves to come the first gets (1 - d) / (1 - d^n) of the time that is there to use,
- which is all that is left, with the increments to come, without `LAG` seconds for each move,
- and never more than `MOST` of what the clock has now without `LAG`: a search stops a little late.

The number of moves to come is a bound, so a game that ends earlier leaves some time unused; since
later moves get less, that is little.
"""

from __future__ import annotations

import math
from typing import Final

from blokus_fast._core import Board
from blokus_fast.bots.clock import Clock

__all__ = ["DECAY", "LAG", "MOST", "moves_to_come", "pieces_placed", "seconds_for"]

DECAY: Final = 2 ** (-1 / 10)
"""A move's part of the time of the move before: it halves with every ten moves."""

LAG: Final = 0.05
"""Seconds that a move may take beyond what it was given."""

MOST: Final = 0.95
"""The largest part of what is left that a single move is given."""


def seconds_for(clock: Clock, board: Board) -> float | None:
    """Return how long to think about a move.

    Parameters
    ----------
    clock : Clock
        What the player to move has.
    board : Board
        The position; the game must not be over.

    Returns
    -------
    float or None
        Seconds, 0 where there is no time for thought. None: there is no limit.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.bots import Clock
    >>> from blokus_fast.bots.budget import seconds_for
    >>> board = bf.Board("duo")
    >>> round(seconds_for(Clock.game(60), board), 1), seconds_for(Clock(), board)
    (5.1, None)
    >>> seconds_for(Clock.per_move(2), board), seconds_for(Clock.game(0), board)
    (1.95, 0.0)
    """
    if clock.remaining is None:
        if clock.move_seconds is None:
            return None
        return clock.move_seconds - min(LAG, clock.move_seconds / 10)
    left = clock.remaining
    moves = moves_to_come(board)
    if clock.moves_left is not None:
        moves = min(moves, clock.moves_left)
    use = left + (clock.increment - LAG) * moves - clock.increment
    wanted = use * (1 - DECAY) / (1 - DECAY**moves)
    if clock.period_moves and clock.moves_left is None:
        # What the main time lacks, the first period gives.
        wanted = max(wanted, MOST * clock.period / clock.period_moves - LAG)
        left += clock.period / clock.period_moves
    return max(min(wanted, MOST * left - LAG), 0.0)


def moves_to_come(board: Board) -> int:
    """Return how many moves the player to move can still make at most, with this one.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.bots.budget import moves_to_come
    >>> [moves_to_come(bf.Board(name)) for name in ("duo", "classic-2p", "classic-3p", "draft")]
    [21, 42, 28, 42]
    """
    variant, player = board.variant, board.player
    if variant.draft:
        hand = sum(sum(board.hand(color, player)) for color in range(board.n_colors))
        if not board.is_drafting:
            return max(hand, 1)
        # Every pick is a placement later on.
        total = sum(map(len, variant.pieces))
        return max(2 * math.ceil(total / board.n_players) - hand, 1)
    moves = 0
    for color, owner in enumerate(variant.owners):
        if owner not in (player, None):
            continue
        rounds = max(variant.max_rounds - board.round, 1) if variant.max_rounds else math.inf
        if variant.voluntary_pass and variant.max_rounds:
            # A pass is a move too, and costs no piece.
            own = rounds
        else:
            own = min(sum(board.hand(color)), rounds) if board.any_legal(color) else 0
        # A shared color is placed by the players in turn.
        moves += math.ceil(own / board.n_players) if owner is None else int(own)
    return max(moves, 1)


def pieces_placed(board: Board) -> int:
    """Return how many pieces lie on the board.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.bots.budget import pieces_placed
    >>> board = bf.Board("duo")
    >>> board.push(board.parse_move("e10"))
    >>> pieces_placed(board)
    1
    """
    return sum(len(board.placements(color)) for color in range(board.n_colors))
