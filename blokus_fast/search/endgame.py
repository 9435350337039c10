"""The exact ends of games: best play by everybody, where little enough is left to see all.

Owns the arguments and the words for the result; the search is in C (src/search/solve.c).
"""

from __future__ import annotations

import math
import operator
import time
from dataclasses import dataclass
from typing import SupportsFloat, SupportsIndex

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.checking import expect
from blokus_fast.scoring import ranking, scoring_rule

__all__ = ["Solution", "solve"]

# What the core counts in.
_MOST_NODES = 2**64 - 1


@dataclass(frozen=True)
class Solution:
    """Best play by everybody, from a position to the end of its game.

    Parameters
    ----------
    move : int or None
        The best action in the position, or one of several. None if the game is over.
    scores : tuple of int
        Final score of each player.
    value : tuple of float
        Share of the win of each player: 1 for the winner, in equal parts if there are several.
    pv : tuple of int
        The actions that lead there, to the last one; `move` is the first.
    nodes : int
        Positions looked at.
    seconds : float
        Time that it took.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.search import solve
    >>> tiny = bf.Variant("tiny", 3, ["blue", "red"], [["a3"], ["c1"]], pieces=[["1", "2"]] * 2)
    >>> board = bf.Board(tiny)
    >>> solution = solve(board)
    >>> board.move_text(solution.move), len(solution.pv)
    ('a2,a3', 4)
    >>> solution.scores, solution.value
    ((20, 20), (0.5, 0.5))
    """

    move: int | None
    scores: tuple[int, ...]
    value: tuple[float, ...]
    pv: tuple[int, ...]
    nodes: int
    seconds: float


def solve(
    board: Board, *, nodes: SupportsIndex = 1_000_000, seconds: SupportsFloat | None = None
) -> Solution | None:
    """Find best play to the end of a game, if it is near enough.

    One player wants the best score that he can have. Of two, each wants the difference of the
    final scores in his favor. Of three or four, each wants his own best score and cares for
    nothing else; where somebody has several best actions that give others different scores,
    best play is not defined. By a scoring rule where the lowest score wins, all of this is
    turned around.

    Parameters
    ----------
    board : Board
        The position; not changed. If its game is over, the solution has no move, the final
        scores and an empty `pv`.
    nodes : int
        Number of positions to look at, at most.
    seconds : float, optional
        Time after which to give up, from 0 on. What takes less than a millisecond is solved all
        the same.

    Returns
    -------
    Solution or None
        None if `nodes` or `seconds` did not suffice; if there are thousands of placements that a
        color may still come to make; where best play is not defined, players of Draft still
        pick, or where colors may pass as long as they like.

    Raises
    ------
    TypeError
        `board` is no `Board`, or a limit is no number.
    ValueError
        `nodes` is below 1; `seconds` is negative, or not a number.
    KeyboardInterrupt
        Ctrl-C was pressed meanwhile.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.search import solve
    >>> game = bf.Board("duo")
    >>> while game.ply < 20:
    ...     game.push(game.legal_ids()[game.count_legal() // 2])
    >>> solution = solve(game)
    >>> for move in solution.pv:
    ...     game.push(move)
    >>> game.is_game_over, game.player_scores(), solution.scores
    (True, (-42, -10), (-42, -10))
    >>> solve(game).move is None
    True
    >>> solve(bf.Board("duo"), nodes=1000) is None
    True
    """
    expect(board, Board, "board")
    limit, time_limit = _node_limit(nodes), _time_limit(seconds)
    rule = scoring_rule(board.variant.scoring)
    begin = time.monotonic()
    found = _core._solve(board, limit, time_limit, rule.lowest_wins)
    if found is None:
        return None
    scores, pv, looked_at = found
    places = ranking(scores, lowest_wins=rule.lowest_wins)
    share = 1 / places.count(1)
    return Solution(
        move=pv[0] if pv else None,
        scores=scores,
        value=tuple(share if place == 1 else 0.0 for place in places),
        pv=pv,
        nodes=looked_at,
        seconds=time.monotonic() - begin,
    )


def _node_limit(nodes: SupportsIndex) -> int:
    try:
        limit = operator.index(nodes)
    except TypeError:
        raise TypeError(f"nodes must be an integer, not {nodes!r}") from None
    if limit < 1:
        raise ValueError(f"nodes must be 1 or more, not {limit}")
    return min(limit, _MOST_NODES)


def _time_limit(seconds: SupportsFloat | None) -> float:
    if seconds is None:
        return math.inf
    try:
        if isinstance(seconds, str | bytes):
            raise TypeError
        limit = float(seconds)
    except TypeError:
        raise TypeError(f"seconds must be a number or None, not {seconds!r}") from None
    except OverflowError:
        return math.inf
    if not limit >= 0:
        raise ValueError(f"seconds must be 0 or more, not {limit}")
    return limit
