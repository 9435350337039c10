"""How often a policy wins: a match on the vector environment, all games side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from blokus_fast.envs.opponents import Opponent
from blokus_fast.envs.policies import Policy
from blokus_fast.envs.vector import BlokusVectorEnv
from blokus_fast.variants import Variant

__all__ = ["win_rate"]


def win_rate(
    policy: Policy,
    variant: str | Variant = "duo",
    opponents: Opponent | Sequence[Opponent] = "random",
    *,
    games: int = 200,
    seed: int = 1,
    **options: Any,
) -> float:
    """Play games, the seats by lot, and tell how often a policy won.

    Parameters
    ----------
    policy : Policy
        Who plays.
    variant : str or Variant
        The variant.
    opponents : opponent or sequence of them
        Against whom, as for `BlokusEnv`.
    games : int
        How many games.
    seed : int
        With the same seed come the same seats, and the same chance of both sides.
    **options
        What the policy sees, as for `BlokusVectorEnv`; where it has `looks`, those hold.

    Returns
    -------
    float
        The share of the games that it won; of a shared win, its share.

    Raises
    ------
    ValueError
        The policy is for another variant; or what `BlokusVectorEnv` raises.

    Examples
    --------
    >>> import numpy as np
    >>> from blokus_fast.envs.measuring import win_rate
    >>> from blokus_fast.envs.policies import Policy
    >>> large = Policy(lambda seen: np.tile(np.arange(13729.0), (len(seen["hand"]), 1)))
    >>> win_rate(large, games=100) > 0.7
    True
    """
    options = dict(policy.looks or options)
    options["masks"] = options.get("masks", True)
    envs = BlokusVectorEnv(
        games, variant, opponents, reward="win", autoreset_mode="Disabled", **options
    )
    policy.check(envs.views)
    observations, _ = envs.reset(seed=seed)
    rng = np.random.default_rng(seed)
    won = 0.0
    over = np.zeros(games, np.bool_)
    while not over.all():
        found: Any = policy.logits(observations)
        if hasattr(found, "detach"):
            found = found.detach().cpu()
        logits = np.array(found, np.float64)
        if policy.sample:
            logits += rng.gumbel(size=logits.shape)
        logits[~envs.action_masks()] = -np.inf
        actions = np.where(over, -1, logits.argmax(axis=1))
        observations, rewards, terminations, _, _ = envs.step(actions)
        won += float(rewards.sum())
        over |= terminations
    envs.close()
    return won / games
