"""What the environments share: hints for missing libraries, and bounds of scores.

Knows the engine and numpy, and none of the libraries that the environments are for.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blokus_fast.extras import install_hint
from blokus_fast.variants import Variant

__all__ = [
    "ATTEMPTS",
    "illegal_reward",
    "need",
    "never_moves",
    "padded_ids",
    "player_colors",
    "score_bounds",
]

ATTEMPTS: Final = 100
"""How many games are begun to find one in which the learner comes to move."""


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
            f"{owner} needs {package}, which is not installed: {install_hint(extra)}",
            name=package,
        ) from error


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


def never_moves(variant: Variant, seat: int | None) -> ValueError:
    """Return the error for an episode in which there would be nothing to decide.

    Parameters
    ----------
    variant : Variant
        The variant.
    seat : int or None
        The learner's seat, if it is always the same.

    Returns
    -------
    ValueError
        The error.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.envs._support import never_moves
    >>> never_moves(bf.variant("duo"), 1)
    ValueError("player 1 never comes to move in 'duo': there is no episode to play")
    """
    who = "the learner" if seat is None else f"player {seat}"
    return ValueError(f"{who} never comes to move in {variant.name!r}: there is no episode to play")


def padded_ids(ids: npt.NDArray[np.int32], length: int) -> dict[str, Any]:
    """Return legal ids as infos have them: of one length, whatever the position.

    Parameters
    ----------
    ids : ndarray of int32
        The ids.
    length : int
        The length; not less than there are ids.

    Returns
    -------
    dict
        ``legal_ids``, filled up with -1, and their number ``n_legal``.

    Examples
    --------
    >>> import numpy as np
    >>> from blokus_fast.envs._support import padded_ids
    >>> padded = padded_ids(np.array([4, 7], np.int32), 5)
    >>> padded["legal_ids"].tolist(), padded["n_legal"]
    ([4, 7, -1, -1, -1], 2)
    """
    room = np.full(length, -1, np.int32)
    room[: len(ids)] = ids
    return {"legal_ids": room, "n_legal": len(ids)}
