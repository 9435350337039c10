"""Blokus for Gymnasium, registered as ``blokus_fast/Blokus-v0`` when this is imported.

`BlokusEnv` is one learner against bots, `BlokusVectorEnv` many games at once. The id has a
default for each kind of game, too: ``BlokusClassic``, ``BlokusDuo``, ``BlokusJunior`` and
``BlokusDraft``.
"""

from __future__ import annotations

from typing import Final

from blokus_fast.envs._support import need

need("gymnasium", "rl", __name__)

from gymnasium.envs.registration import register, registry  # noqa: E402

from blokus_fast.envs.single import BlokusEnv  # noqa: E402
from blokus_fast.envs.vector import BlokusVectorEnv  # noqa: E402

__all__ = ["IDS", "BlokusEnv", "BlokusVectorEnv"]

IDS: Final = {
    "blokus_fast/Blokus-v0": {},
    "blokus_fast/BlokusClassic-v0": {"variant": "classic"},
    "blokus_fast/BlokusDuo-v0": {"variant": "duo"},
    "blokus_fast/BlokusJunior-v0": {"variant": "junior"},
    "blokus_fast/BlokusDraft-v0": {"variant": "draft"},
}
"""The registered ids and what they stand for; ``blokus_fast/Blokus-v0`` is Duo unless told."""

for _id, _kwargs in IDS.items():
    if _id not in registry:
        register(
            _id,
            entry_point="blokus_fast.envs.single:BlokusEnv",
            vector_entry_point="blokus_fast.envs.vector:BlokusVectorEnv",
            kwargs=dict(_kwargs),
        )
