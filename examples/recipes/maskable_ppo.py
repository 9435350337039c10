"""MaskablePPO of sb3-contrib learns Duo against bots, on one environment or several processes.

``python examples/recipes/maskable_ppo.py`` learns on one, ``--envs 8`` on eight in processes of
their own, ``--league FOLDER`` against its past selves, too. docs/recipes.md says what it reached.
Needs the extra ``train``; tried with stable-baselines3 and sb3-contrib 2.9.2.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

try:
    import torch
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv
except ImportError as error:
    from blokus_fast.extras import install_hint

    sys.exit(f"this recipe needs {error.name}: {install_hint('train')}")

from blokus_fast.envs.gym_v0 import BlokusEnv
from blokus_fast.envs.heads import placement_matrix
from blokus_fast.envs.measuring import win_rate
from blokus_fast.envs.opponents import League
from blokus_fast.envs.policies import Policy, sb3_logits

# One vector, which MlpPolicy takes. The model asks the environment for masks by itself.
LOOKS: dict[str, Any] = {"form": "flat", "dtype": "float32", "masks": False}


class Head(torch.nn.Module):
    """Marks for squares and pieces, added up for each action."""

    def __init__(self, width: int, variant: str) -> None:
        super().__init__()
        matrix = torch.as_tensor(placement_matrix(variant))
        self.marks = torch.nn.Linear(width, matrix.shape[1])
        torch.nn.init.zeros_(self.marks.weight)
        torch.nn.init.zeros_(self.marks.bias)
        self.register_buffer("matrix", matrix.T.contiguous(), persistent=False)

    def forward(self, latent: Any) -> Any:
        """Return logits of all actions."""
        return self.marks(latent) @ self.matrix


class PlacementPolicy(MaskableActorCriticPolicy):
    """MlpPolicy, but that actions share what they have in common."""

    def __init__(self, *args: Any, variant: str, **kwargs: Any) -> None:
        self.variant = variant
        super().__init__(*args, **kwargs)

    def _build(self, schedule: Any) -> None:
        super()._build(schedule)
        self.action_net = Head(self.mlp_extractor.latent_dim_pi, self.variant)
        self.optimizer = self.optimizer_class(
            self.parameters(), lr=schedule(1), **self.optimizer_kwargs
        )

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "variant": self.variant}


def learn_in_league(model: MaskablePPO, folder: Path, first: str, steps: int) -> None:
    """Learn in four rounds; after each the model as it is joins the opponents."""
    folder.mkdir(parents=True, exist_ok=True)
    league = League([first])
    for number in range(1, 5):
        model.learn(steps // 4, reset_num_timesteps=False)
        path = folder / f"past_{number}.zip"
        model.save(path)
        # The newest are met most often. Every process loads the file for itself.
        league.add(str(path), weight=number)
        model.get_env().env_method("set_opponents", league)


def main(arguments: Sequence[str] | None = None) -> float:
    """Learn, and return how often the model wins against `random` at the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variant", default="duo")
    parser.add_argument("--envs", type=int, default=1, help="processes (%(default)s)")
    parser.add_argument("--steps", type=int, default=60_000, help="in all (%(default)s)")
    parser.add_argument("--rollout", type=int, default=1024, help="steps a round (%(default)s)")
    parser.add_argument("--opponents", default="random", help="a bot's name (%(default)s)")
    parser.add_argument("--games", type=int, default=400, help="to measure (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--league", type=Path, help="a folder for past selves to play against")
    parser.add_argument("--save", type=Path, help="a .zip, which opponents= takes")
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(1)
    # They look at thirteen thousand probabilities at every step.
    torch.distributions.Distribution.set_default_validate_args(False)

    envs = make_vec_env(
        BlokusEnv,
        n_envs=chosen.envs,
        seed=chosen.seed,
        env_kwargs={
            "variant": chosen.variant,
            "opponents": chosen.opponents,
            "reward": "win",
            # A mask that is not that of the position would be found out at once.
            "illegal": "raise",
            **LOOKS,
        },
        vec_env_cls=SubprocVecEnv if chosen.envs > 1 else DummyVecEnv,
    )
    model = MaskablePPO(
        PlacementPolicy,
        envs,
        n_steps=max(chosen.rollout // chosen.envs, 2),
        batch_size=min(256, chosen.rollout),
        n_epochs=4,
        learning_rate=3e-3,
        gamma=1.0,
        policy_kwargs={"net_arch": [128], "variant": chosen.variant},
        device="cpu",
        seed=chosen.seed,
    )
    policy = Policy(sb3_logits(model), name="MaskablePPO")

    def measure() -> float:
        rate = win_rate(policy, chosen.variant, games=chosen.games, **LOOKS)
        print(f"{model.num_timesteps:>8} steps: wins {rate:.1%} against random", flush=True)
        return rate

    measure()
    begin = time.perf_counter()
    try:
        if chosen.league:
            learn_in_league(model, chosen.league, chosen.opponents, chosen.steps)
        else:
            model.learn(chosen.steps)
    finally:
        envs.close()
    seconds = time.perf_counter() - begin
    print(f"{model.num_timesteps / seconds:,.0f} steps a second, {seconds:.0f} s in all")
    if chosen.save:
        model.save(chosen.save)
    return measure()


if __name__ == "__main__":
    main()
