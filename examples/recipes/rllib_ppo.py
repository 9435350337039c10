"""PPO of RLlib learns Duo against bots, with RLlib's own action masking.

``python examples/recipes/rllib_ppo.py --runners 2`` plays in two processes beside the learner, each
with several environments. docs/recipes.md says what it reached. Needs the extras ``rl`` and
``learn``, and ``pip install 'ray[rllib]'``; tried with ray 2.60.0 and Gymnasium 1.2.2.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Sequence
from typing import Any

# What runs here stays here.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

try:
    import ray
    import torch
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import (
        ActionMaskingTorchRLModule,
    )
    from ray.tune.registry import register_env
except ImportError as error:
    from blokus_fast.extras import install_hint

    sys.exit(f"this recipe needs {error.name}: pip install 'ray[rllib]', {install_hint('learn')}")

from blokus_fast.envs.gym_v0 import BlokusEnv
from blokus_fast.envs.heads import placement_matrix
from blokus_fast.envs.measuring import win_rate
from blokus_fast.envs.policies import Policy

# RLlib's module for masks asks for these names, and takes one vector.
LOOKS: dict[str, Any] = {
    "form": "flat",
    "dtype": "float32",
    "keys": {"observation": "observations"},
}


class Placements(ActionMaskingTorchRLModule):
    """RLlib's module with masks, in which actions share what they have in common."""

    def setup(self) -> None:
        """Put marks for squares and pieces in place of the last layer."""
        super().setup()
        matrix = torch.as_tensor(placement_matrix(self.model_config["variant"]))
        self.register_buffer("matrix", matrix.T.contiguous(), persistent=False)
        self.marks = torch.nn.Linear(self.model_config["fcnet_hiddens"][-1], matrix.shape[1])
        torch.nn.init.zeros_(self.marks.weight)
        torch.nn.init.zeros_(self.marks.bias)
        self.pi = torch.nn.Identity()

    def _mask_action_logits(self, batch: Any, action_mask: Any) -> Any:
        key = "action_dist_inputs"
        batch[key] = self.marks(batch[key]) @ self.matrix
        return super()._mask_action_logits(batch, action_mask)


def main(arguments: Sequence[str] | None = None) -> float:
    """Learn, and return how often the network wins against `random` at the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variant", default="duo")
    parser.add_argument("--runners", type=int, default=0, help="processes that play (%(default)s)")
    parser.add_argument("--envs", type=int, default=4, help="of each process (%(default)s)")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--batch", type=int, default=1024, help="steps of each (%(default)s)")
    parser.add_argument("--opponents", default="random", help="a bot's name (%(default)s)")
    parser.add_argument("--games", type=int, default=400, help="to measure (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(1)
    # RLlib warns of what it itself uses.
    warnings.simplefilter("ignore")

    register_env(
        "blokus",
        lambda config: BlokusEnv(
            chosen.variant, opponents=chosen.opponents, reward="win", illegal="raise", **LOOKS
        ),
    )
    ray.init(
        num_cpus=chosen.runners + 1,
        include_dashboard=False,
        ignore_reinit_error=True,
        log_to_driver=False,
        _node_ip_address="127.0.0.1",
    )
    config = (
        PPOConfig()
        .environment("blokus")
        .env_runners(
            num_env_runners=chosen.runners,
            num_envs_per_env_runner=chosen.envs,
            rollout_fragment_length="auto",
        )
        .training(
            train_batch_size_per_learner=chosen.batch,
            minibatch_size=min(256, chosen.batch),
            num_epochs=4,
            lr=3e-3,
            gamma=1.0,
            lambda_=0.95,
            use_kl_loss=False,
        )
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=Placements,
                model_config={
                    "fcnet_hiddens": [128],
                    "head_fcnet_hiddens": [],
                    "vf_share_layers": False,
                    "variant": chosen.variant,
                },
            )
        )
        .debugging(seed=chosen.seed, log_level="ERROR")
    )
    algorithm = config.build_algo()
    try:
        return run(algorithm, chosen)
    finally:
        algorithm.stop()
        ray.shutdown()


def run(algorithm: Any, chosen: argparse.Namespace) -> float:
    """Learn for some iterations; return how often the network wins."""

    def logits(seen: Any) -> Any:
        module = algorithm.get_module()
        obs = {key: torch.from_numpy(part) for key, part in seen.items()}
        with torch.no_grad():
            return module.forward_inference({"obs": obs})["action_dist_inputs"]

    policy = Policy(logits, name="RLlib PPO", looks=LOOKS)
    steps = 0

    def measure() -> float:
        rate = win_rate(policy, chosen.variant, games=chosen.games)
        print(f"{steps:>8} steps: wins {rate:.1%} against random", flush=True)
        return rate

    rate = measure()
    seconds = 0.0
    for number in range(1, chosen.iterations + 1):
        begin = time.perf_counter()
        result = algorithm.train()
        seconds += time.perf_counter() - begin
        steps = int(result["num_env_steps_sampled_lifetime"])
        if number % max(chosen.iterations // 4, 1) == 0:
            rate = measure()
    print(f"{steps / seconds:,.0f} steps a second, {seconds:.0f} s in all")
    return rate


if __name__ == "__main__":
    main()
