"""The loops that are timed: random Classic games, each written as a user would write it.

Each loop plays for at least a number of seconds and returns how many moves it made a second.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["by_ids", "by_mask", "vector"]

Loop = Callable[[float], float]


def by_mask(env: Any, *, seed: int = 1) -> Loop:
    """Choose from ``flatnonzero(mask)``, as PettingZoo's own examples do."""
    draw = random.Random(seed).random

    def loop(seconds: float) -> float:
        moves = 0
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            env.reset()
            for _ in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                    continue
                ids = np.flatnonzero(observation["action_mask"])
                env.step(int(ids[int(draw() * len(ids))]))
                moves += 1
        return moves / (time.perf_counter() - begin)

    return loop


def by_ids(env: Any, *, seed: int = 1) -> Loop:
    """Choose from the ids that our environment offers beside the mask, by a method."""
    draw = random.Random(seed).random

    def loop(seconds: float) -> float:
        moves = 0
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            env.reset()
            for _ in env.agent_iter():
                _, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                    continue
                ids = env.legal_ids()
                env.step(int(ids[int(draw() * len(ids))]))
                moves += 1
        return moves / (time.perf_counter() - begin)

    return loop


def vector(envs: Any, *, seed: int = 1) -> Loop:
    """Choose from the ids of all games in one go."""
    generator = np.random.default_rng(seed)

    def loop(seconds: float) -> float:
        moves = 0
        envs.reset()
        over = np.zeros(envs.num_envs, np.bool_)
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            ids, offsets = envs.legal_ids()
            counts = offsets[1:] - offsets[:-1]
            places = offsets[:-1] + (generator.random(envs.num_envs) * counts).astype(np.int64)
            # A game that is over has no ids; its action is ignored.
            actions = ids.take(places, mode="clip") if len(ids) else np.zeros_like(places)
            moves += envs.num_envs - int(over.sum())
            _, _, over, _, _ = envs.step(actions)
        return moves / (time.perf_counter() - begin)

    return loop
