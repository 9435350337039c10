"""What the environments share: hints for missing libraries, rewards, and views of one game.

Knows the engine and numpy, and none of the libraries that the environments are for.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blokus_fast.variants import Variant

__all__ = [
    "REWARDS",
    "check_reward",
    "illegal_reward",
    "need",
    "outcome",
    "player_colors",
    "score_bounds",
]

REWARDS: Final[tuple[str, ...]] = ("score", "win", "rank")
"""Names of the rewards at the end of a game."""


def need(module: str, extra: str, owner: str) -> Any:
    """Import a module of another package, or say how to install it.

    Parameters
    ----------
    module : str
        Name of the module.
    extra : str
        The extra of this package that installs it.
    owner : str
        Name of the module that needs it, for the message.

    Returns
    -------
    module
        The module.

    Raises
    ------
    ImportError
        It is not installed.

    Examples
    --------
    >>> from blokus_fast.envs._support import need
    >>> need("no_such_package", "rl", "blokus_fast.envs.blokus_v0")
    Traceback (most recent call last):
    ...
    ImportError: blokus_fast.envs.blokus_v0 needs no_such_package, which is not installed: ...
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name != package:
            raise
        raise ImportError(
            f"{owner} needs {package}, which is not installed: pip install 'blokus-fast[{extra}]'",
            name=package,
        ) from error


def check_reward(reward: str) -> str:
    """Return the name of a reward, if there is one of that name.

    Parameters
    ----------
    reward : str
        The name.

    Returns
    -------
    str
        The same name.

    Raises
    ------
    ValueError
        There is no reward of that name; the message lists the names.

    Examples
    --------
    >>> from blokus_fast.envs._support import check_reward
    >>> check_reward("gold")
    Traceback (most recent call last):
    ...
    ValueError: unknown reward 'gold'; valid: score, win, rank
    """
    if reward not in REWARDS:
        raise ValueError(f"unknown reward {str(reward)[:60]!r}; valid: {', '.join(REWARDS)}")
    return reward


def outcome(
    scores: npt.ArrayLike, reward: str, *, lowest_wins: bool = False
) -> npt.NDArray[np.float32]:
    """Turn final scores into rewards.

    Parameters
    ----------
    scores : array_like of int, shape (..., n_players)
        Final scores.
    reward : {"score", "win", "rank"}
        The score itself, so that more is better; a share of the win, 1 for the winner; or how
        many of the others a player beat less how many beat him, from 1 to -1.
    lowest_wins : bool
        Whether the lowest score is the best.

    Returns
    -------
    ndarray of float32, same shape
        The rewards.

    Examples
    --------
    >>> from blokus_fast.envs._support import outcome
    >>> outcome([-3, -10, -3, -8], "win").tolist()
    [0.5, 0.0, 0.5, 0.0]
    >>> [round(x, 2) for x in outcome([-3, -10, -3, -8], "rank").tolist()]
    [0.67, -1.0, 0.67, -0.33]
    >>> outcome([30, 20], "score", lowest_wins=True).tolist()
    [-30.0, -20.0]
    """
    values = np.asarray(scores, dtype=np.float32)
    if lowest_wins:
        values = -values
    if check_reward(reward) == "score":
        return values
    if reward == "win":
        won = values == values.max(axis=-1, keepdims=True)
        share: npt.NDArray[np.float32] = won / won.sum(axis=-1, keepdims=True, dtype=np.float32)
        return share
    signs = np.sign(values[..., :, None] - values[..., None, :])
    # With one player there is nobody to beat.
    others = max(values.shape[-1] - 1, 1)
    rank: npt.NDArray[np.float32] = signs.sum(axis=-1) / np.float32(others)
    return rank


def player_colors(variant: Variant) -> tuple[int, ...]:
    """Return for each player the color from which he looks at the board.

    Parameters
    ----------
    variant : Variant
        The variant.

    Returns
    -------
    tuple of int
        The player's first color in the order of play; color 0 where colors belong to nobody.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.envs._support import player_colors
    >>> player_colors(bf.variant("classic-2p")), player_colors(bf.variant("draft-2p"))
    ((0, 1), (0, 0))
    """
    return tuple(
        next((color for color in variant.order if variant.owners[color] == player), 0)
        for player in range(variant.players)
    )


def score_bounds(variant: Variant) -> tuple[int, int]:
    """Return bounds of a player's final score.

    Parameters
    ----------
    variant : Variant
        The variant.

    Returns
    -------
    lowest, highest : int
        No score is below or above.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.envs._support import score_bounds
    >>> score_bounds(bf.variant("duo"))
    (-89, 20)
    """
    rule = variant.scoring_rule
    if variant.draft:
        owned = [sum(variant.set_squares)] * variant.players
        hands = [1] * variant.players
    else:
        owned, hands = [0] * variant.players, [0] * variant.players
        for color, player in enumerate(variant.owners):
            if player is not None:
                owned[player] += variant.set_squares[color]
                hands[player] += 1
    ends = []
    for squares, sets in zip(owned, hands, strict=True):
        bonus = sets * (max(rule.all_placed, 0) + max(rule.monomino_last, 0))
        malus = sets * (min(rule.all_placed, 0) + min(rule.monomino_last, 0))
        linear = (rule.placed * squares, rule.left * squares, 0)
        ends.append((min(linear) + malus, max(linear) + bonus))
    return min(low for low, _ in ends), max(high for _, high in ends)


def illegal_reward(variant: Variant, reward: str) -> float:
    """Return what an illegal action earns: no game that is played out earns less.

    Parameters
    ----------
    variant : Variant
        The variant.
    reward : {"score", "win", "rank"}
        The kind of reward.

    Returns
    -------
    float
        The lowest score there is; -1 for the other kinds.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.envs._support import illegal_reward
    >>> illegal_reward(bf.variant("duo"), "score"), illegal_reward(bf.variant("duo"), "win")
    (-89.0, -1.0)
    """
    if reward != "score":
        return -1.0
    lowest, highest = score_bounds(variant)
    return float(-highest if variant.scoring_rule.lowest_wins else lowest)
