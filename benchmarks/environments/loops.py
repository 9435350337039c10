"""The loops that are timed: random Classic games, each written as a user would write it.

Each loop plays for at least a number of seconds of the processor's time, in which other programs
on the machine do not count, and returns how many moves it made a second.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["by_ids", "by_mask", "openspiel", "vector"]

Loop = Callable[[float], float]


def by_mask(env: Any, *, seed: int = 1) -> Loop:
    """Choose from ``flatnonzero(mask)``, as PettingZoo's own examples do."""
    draw = random.Random(seed).random

    def loop(seconds: float) -> float:
        moves = 0
        begin = time.process_time()
        while time.process_time() - begin < seconds:
            env.reset()
            for _ in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                    continue
                ids = np.flatnonzero(observation["action_mask"])
                env.step(int(ids[int(draw() * len(ids))]))
                moves += 1
        return moves / (time.process_time() - begin)

    return loop


def by_ids(env: Any, *, seed: int = 1) -> Loop:
    """Choose from the ids that our environment offers beside the mask, by a method."""
    draw = random.Random(seed).random

    def loop(seconds: float) -> float:
        moves = 0
        begin = time.process_time()
        while time.process_time() - begin < seconds:
            env.reset()
            for _ in env.agent_iter():
                _, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                    continue
                ids = env.legal_ids()
                env.step(int(ids[int(draw() * len(ids))]))
                moves += 1
        return moves / (time.process_time() - begin)

    return loop


def vector(envs: Any, *, trainer: str = "none", seed: int = 1) -> Loop:
    """Choose from the ids of all games in one go.

    What a trainer does with what it sees: ``none``; ``copies`` it to memory of its own, as
    rollouts of PPO do; ``keeps`` the last sixteen steps as they are.
    """
    generator = np.random.default_rng(seed)
    space = envs.observation_space
    shapes = space.spaces if hasattr(space, "spaces") else {"": space}
    rollout = {
        name: np.zeros((4, *part.shape), part.dtype)
        for name, part in shapes.items()
        if trainer == "copies"
    }
    kept: deque[Any] = deque(maxlen=16)

    def loop(seconds: float) -> float:
        moves = step = 0
        envs.reset()
        over = np.zeros(envs.num_envs, np.bool_)
        begin = time.process_time()
        while time.process_time() - begin < seconds:
            ids, offsets = envs.legal_ids()
            counts = offsets[1:] - offsets[:-1]
            places = offsets[:-1] + (generator.random(envs.num_envs) * counts).astype(np.int64)
            # A game that is over has no ids; its action is ignored.
            actions = ids.take(places, mode="clip") if len(ids) else np.zeros_like(places)
            moves += envs.num_envs - int(over.sum())
            seen, _, over, _, _ = envs.step(actions)
            for name, rows in rollout.items():
                np.copyto(rows[step % 4], seen[name] if name else seen)
            if trainer == "keeps":
                kept.append(seen)
            step += 1
        return moves / (time.process_time() - begin)

    return loop


def openspiel(game: Any, *, tensor: bool, seed: int = 1) -> Loop:
    """Play by OpenSpiel's interface, with the mover's observation tensor or without."""
    draw = random.Random(seed).random

    def loop(seconds: float) -> float:
        moves = 0
        begin = time.process_time()
        while time.process_time() - begin < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if tensor:
                    state.observation_tensor(state.current_player())
                ids = state.legal_actions()
                state.apply_action(ids[int(draw() * len(ids))])
                moves += 1
        return moves / (time.process_time() - begin)

    return loop
