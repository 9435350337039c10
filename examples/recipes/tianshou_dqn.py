"""DQN of Tianshou learns Duo against bots, on several environments, with its own action masking.

``python examples/recipes/tianshou_dqn.py``; docs/recipes.md says what it reached. Needs the
extras ``rl`` and ``learn``, and ``pip install tianshou``; tried with tianshou 2.0.1.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Sequence
from typing import Any

try:
    import torch
    from tianshou.algorithm import DQN
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, CollectStats, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, SubprocVectorEnv
    from tianshou.trainer import OffPolicyTrainerParams
except ImportError as error:
    from blokus_fast.extras import install_hint

    sys.exit(f"this recipe needs {error.name}: pip install tianshou, {install_hint('learn')}")

from blokus_fast.envs.gym_v0 import BlokusEnv
from blokus_fast.envs.heads import placement_matrix
from blokus_fast.envs.measuring import win_rate
from blokus_fast.envs.policies import Policy

# Its policies look for these names.
LOOKS: dict[str, Any] = {
    "form": "flat",
    "keys": {"observation": "obs", "action_mask": "mask"},
}


class Network(torch.nn.Module):
    """Values of all actions: marks for squares and pieces, added up."""

    def __init__(self, variant: str, length: int, width: int = 128) -> None:
        super().__init__()
        matrix = torch.as_tensor(placement_matrix(variant))
        self.register_buffer("matrix", matrix.T.contiguous(), persistent=False)
        self.body = torch.nn.Sequential(torch.nn.Linear(length, width), torch.nn.ReLU())
        self.marks = torch.nn.Linear(width, matrix.shape[1] + 1)
        torch.nn.init.zeros_(self.marks.weight)
        torch.nn.init.zeros_(self.marks.bias)

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Any, Any]:
        """Return values of actions, and the state of a network that has one."""
        marks = self.marks(self.body(torch.as_tensor(obs).float()))
        return marks[:, :-1] @ self.matrix + marks[:, -1:], state


def main(arguments: Sequence[str] | None = None) -> float:
    """Learn, and return how often the network wins against `random` at the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variant", default="duo")
    parser.add_argument("--envs", type=int, default=4, help="at once (%(default)s)")
    parser.add_argument("--processes", action="store_true", help="a process for each")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--steps", type=int, default=2000, help="of each (%(default)s)")
    parser.add_argument("--opponents", default="random", help="a bot's name (%(default)s)")
    parser.add_argument("--games", type=int, default=400, help="to measure (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(1)
    torch.manual_seed(chosen.seed)
    # Tianshou warns of what it itself uses.
    warnings.simplefilter("ignore")

    def make() -> BlokusEnv:
        return BlokusEnv(
            chosen.variant, opponents=chosen.opponents, reward="win", illegal="raise", **LOOKS
        )

    envs = (SubprocVectorEnv if chosen.processes else DummyVectorEnv)([make] * chosen.envs)
    envs.seed(chosen.seed)
    one = make()
    network = Network(chosen.variant, one.observation_space["obs"].shape[0])
    policy = DiscreteQLearningPolicy(model=network, action_space=one.action_space, eps_training=0.2)
    algorithm: Any = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        # A game is not longer: what a move is worth is learned from how it ended.
        n_step_return_horizon=21,
        target_update_freq=200,
    )
    collector = Collector[CollectStats](
        algorithm, envs, VectorReplayBuffer(10_000, chosen.envs, ignore_obs_next=True)
    )
    own = Policy(lambda seen: network(seen["obs"])[0], sample=False, name="DQN", looks=LOOKS)
    seconds = 0.0
    rate = win_rate(own, chosen.variant, games=chosen.games)
    print(f"{0:>8} steps: wins {rate:.1%} against random", flush=True)
    try:
        for number in range(1, chosen.epochs + 1):
            begin = time.perf_counter()
            algorithm.run_training(
                OffPolicyTrainerParams(
                    training_collector=collector,
                    max_epochs=1,
                    epoch_num_steps=chosen.steps,
                    collection_step_num_env_steps=16 * chosen.envs,
                    update_step_num_gradient_steps_per_sample=0.0625,
                    batch_size=64,
                    verbose=False,
                    show_progress=False,
                )
            )
            seconds += time.perf_counter() - begin
            rate = win_rate(own, chosen.variant, games=chosen.games)
            steps = number * chosen.steps
            print(f"{steps:>8} steps: wins {rate:.1%} against random", flush=True)
    finally:
        envs.close()
    print(f"{chosen.epochs * chosen.steps / seconds:,.0f} steps a second, {seconds:.0f} s in all")
    return rate


if __name__ == "__main__":
    main()
