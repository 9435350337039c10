"""Gymnasium's spaces of observations, for all environments that have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from blokus_fast.envs._support import need
from blokus_fast.envs.views import Views

need("gymnasium", "rl", __name__)

from gymnasium import spaces  # noqa: E402

__all__ = ["observation_space"]


def observation_space(views: Views, n_actions: int) -> Any:
    """Return the space of a player's observations.

    Parameters
    ----------
    views : Views
        What is seen.
    n_actions : int
        Length of the mask.

    Returns
    -------
    gymnasium.spaces.Space
        A dictionary, or a box where there is one array and no mask.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.envs.spaces import observation_space
    >>> from blokus_fast.envs.views import Views
    >>> observation_space(Views(bf.variant("duo"), form="flat", masks=False), 13729)
    Box(0, 1, (1610,), uint8)
    """
    parts: dict[str, Any] = {}
    for name, (shape, dtype) in views.layout.items():
        packed = name == "observation" and views.observer.dtype == "bits"
        parts[name] = spaces.Box(0, 255 if packed else 1, shape, dtype.type)
    if views.bare:
        return parts["observation"]
    if views.in_observation:
        parts["action_mask"] = spaces.Box(0, 1, (n_actions,), np.int8)
    return spaces.Dict({views.keys[name]: space for name, space in parts.items()})
