"""What can be switched, swept and measured in a search: `Parameters`, and `RootRule`."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, SupportsIndex

from blokus_fast import _core
from blokus_fast.checking import integer

__all__ = ["Parameters", "RootRule"]

_LARGE = 1e9
_MOST_CONSIDERED = 64


@dataclass(frozen=True)
class Parameters:
    """How a search weighs what it knows. The defaults are those that play best.

    A simulation follows, from the root on, the move with the highest ``Q + U``. ``U`` is ``c(N) P
    sqrt(N) / (1 + n)`` with the prior ``P`` of the move, its visits ``n``, those of its position
    ``N``, and ``c(N) = exploration + exploration_growth * log(1 + (N + 1) / exploration_base)``.
    ``Q`` is the mean of the values that the move has brought its player, and of
    ``unvisited_visits`` visits of what was expected of it.

    Parameters
    ----------
    exploration : float
        Weight of the prior.
    exploration_growth, exploration_base : float
        How it grows with the visits of the position. AlphaZero has 1.25, 1 and 19652.
    unvisited_visits : float
        Visits that the expected value of a move counts for.
    unvisited_root : bool
        Whether a move is expected to bring what the root has brought the player so far, times the
        square root of its prior over that of the best move. Else it is the mean of its own
        position, less `unvisited_reduction`.
    unvisited_reduction : float
        See `unvisited_root`.
    value_part, value_squares : float
        The part of a position's value that the value function says, where the weights have one:
        `value_part` at first, less in proportion to the squares that a color has placed, nothing
        from `value_squares` on; what is above 1 counts as 1. The rest is a playout's. Where the
        part is 1, which it is at the beginning of a game, and for longer if `value_part` is
        above 1, one simulation in 32 is played out all the same, for scores.
    margin : float
        Part of a game's value, 0 to 1, that is its margin: the player's score less the best of
        the others' (`margin_scale` points are half of all that it can be). The rest is the share
        of the win.
    margin_scale : float
        Points.
    prior_temperature : float
        Logits of the prior are divided by this.
    candidate_logits : float
        Below the root, moves whose logit is so far below that of the best are left out.
    candidates : int
        And moves beyond so many. 0: none is left out.
    expand_visits : int
        Visits of a move after which the position behind it becomes part of the tree.
    replies : bool
        Whether playouts begin with the last good replies (Drake, 2009; Baier and Drake, 2010).
    local : bool
        Whether they prefer placements near the corners of the opponents' last ones.
    largest_first : bool
        Whether they place the largest pieces first.
    solve_nodes : int
        Positions that may be looked at to solve an ending within the tree. 0: none is solved.
    solve_moves : int
        Legal moves up to which that is tried.

    Examples
    --------
    >>> from blokus_fast.search import Parameters
    >>> Parameters(exploration=0.5).exploration
    0.5
    >>> Parameters(candidates=-1)
    Traceback (most recent call last):
    ...
    ValueError: candidates must be in 0..1000000, not -1
    """

    exploration: float = 0.0
    exploration_growth: float = 0.2
    exploration_base: float = 1.0
    unvisited_visits: float = 3.0
    unvisited_root: bool = True
    unvisited_reduction: float = 0.0
    value_part: float = 1.0
    value_squares: float = 80.0
    margin: float = 0.02
    margin_scale: float = 10.0
    prior_temperature: float = 2.0
    candidate_logits: float = 7.0
    candidates: int = 80
    expand_visits: int = 2
    replies: bool = True
    local: bool = True
    largest_first: bool = True
    solve_nodes: int = 200
    solve_moves: int = 16

    def __post_init__(self) -> None:
        """Check every number."""
        limits: dict[str, tuple[float, float]] = {
            "exploration_base": (1e-3, _LARGE),
            "unvisited_reduction": (-1, 1),
            "value_part": (0, 1000),
            "value_squares": (1e-3, _LARGE),
            "margin": (0, 1),
            "margin_scale": (1e-3, _LARGE),
            "prior_temperature": (1e-3, 1e3),
            "candidate_logits": (0, 1000),
            "candidates": (0, 10**6),
            "expand_visits": (1, 10**6),
            "solve_nodes": (0, 10**6),
            "solve_moves": (0, 10**4),
        }
        for field in fields(self):
            value = getattr(self, field.name)
            kind = {"float": float, "int": int, "bool": bool}[str(field.type)]
            low, high = limits.get(field.name, (0, _LARGE))
            object.__setattr__(self, field.name, _number(field.name, value, kind, low, high))

    def _numbers(self, lowest_wins: bool) -> dict[str, Any]:
        """Return what the core reads."""
        numbers = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**numbers, "lowest_wins": lowest_wins}


@dataclass(frozen=True)
class RootRule:
    """What is special about the choice of moves at the root.

    `MCTS` takes the noise only; the rest is for `BatchMCTS` and `SelfPlay`.

    Parameters
    ----------
    noise : float
        Part of the priors that is Dirichlet noise, 0 to 1. AlphaZero has 0.25 in self-play.
    noise_alpha : float
        Its concentration; where it is below 0, divided by the number of legal moves: -10 makes
        it 0.05 for 200 moves.
    considered : int
        Moves that sequential halving begins with, drawn with Gumbel noise (Danihelka et al.,
        2022), at most 64. 0: the root is searched as every other position.
    visits_offset, value_scale : float
        How much values count beside logits there: ``(visits_offset + most visits) * value_scale``.

    Examples
    --------
    >>> from blokus_fast.search import RootRule
    >>> RootRule(considered=16).noise
    0.0
    >>> RootRule(considered=100)
    Traceback (most recent call last):
    ...
    ValueError: considered must be in 0..64, not 100
    """

    noise: float = 0.0
    noise_alpha: float = -10.0
    considered: int = 0
    visits_offset: float = 50.0
    value_scale: float = 1.0

    def __post_init__(self) -> None:
        """Check every number."""
        limits = {
            "noise": (0.0, 1.0),
            "noise_alpha": (-1e6, 1e6),
            "considered": (0, _MOST_CONSIDERED),
            "visits_offset": (0.0, 1e9),
            "value_scale": (0.0, 1e6),
        }
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"{name} must be a number, not {value!r}")
            if not low <= value <= high or (name == "noise_alpha" and value == 0):
                raise ValueError(f"{name} must be in {low:g}..{high:g}, not {value!r}")
        integer(self.considered, "considered")

    def _numbers(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def _number(
    name: str, value: Any, kind: type[float] | type[int] | type[bool], low: float, high: float
) -> float:
    if kind is bool:
        if not isinstance(value, bool):
            raise TypeError(f"{name} must be True or False, not {value!r}")
        return value
    if isinstance(value, bool) or not hasattr(value, "__index__" if kind is int else "__float__"):
        what = "an integer" if kind is int else "a number"
        raise TypeError(f"{name} must be {what}, not {value!r}")
    number = value.__index__() if kind is int else float(value)
    if not low <= number <= high or math.isnan(number):
        raise ValueError(f"{name} must be in {low:.10g}..{high:.10g}, not {value!r}")
    return number


def check_count(number: SupportsIndex, name: str) -> int:
    """Return a number of simulations, or of leaves, if it is one."""
    count = integer(number, name)
    most = _core.LIMITS["simulations"]
    if not 1 <= count <= most:
        raise ValueError(f"{name} must be in 1..{most}, not {number!r}")
    return count
