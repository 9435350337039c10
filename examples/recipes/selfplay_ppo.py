"""PPO by self-play in one file: one network plays all seats of many games at once.

In the manner of CleanRL: everything that happens is in this file, to be copied and changed. The
vector environment steps all games in one call, and every player of a game learns from his own
moves: what a position is worth after a move is what the same player's next one is worth, and at
the end his reward. ``python examples/recipes/selfplay_ppo.py`` needs the extras ``rl`` and
``learn``; docs/recipes.md says what it reached.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

try:
    import numpy as np
    import torch
    from torch import Tensor, nn
except ImportError as error:
    from blokus_fast.extras import install_hint

    sys.exit(f"this recipe needs {error.name}: {install_hint('learn')}")

from blokus_fast.envs.gym_v0 import BlokusVectorEnv
from blokus_fast.envs.heads import placement_matrix
from blokus_fast.envs.measuring import win_rate
from blokus_fast.envs.policies import Policy, save_network

# Every player sees the board turned to him. Masks come with the observation.
LOOKS: dict[str, Any] = {"view": "rotated"}


class Network(nn.Module):
    """Convolutions over the planes, marks for squares and pieces, and a value."""

    def __init__(self, variant: str, planes: int, hand: int, width: int = 32) -> None:
        super().__init__()
        matrix = torch.as_tensor(placement_matrix(variant))
        self.register_buffer("matrix", matrix.T.contiguous(), persistent=False)
        pieces = 21
        self.squares = matrix.shape[1] - pieces
        self.body = nn.Sequential(
            nn.Conv2d(planes, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(),
        )  # fmt: skip
        self.square_marks = nn.Conv2d(width, 1, 1)
        self.rest = nn.Sequential(nn.Linear(2 * width + hand, 64), nn.ReLU())
        self.piece_marks = nn.Linear(64, pieces)
        self.value = nn.Linear(64, 1)
        for layer in (self.square_marks, self.piece_marks, self.value):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, planes: Tensor, hand: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits of all actions, and what the position is worth to who is to move."""
        seen = self.body(planes)
        squares = self.square_marks(seen).flatten(1)
        rest = self.rest(torch.cat([seen.mean((2, 3)), seen.amax((2, 3)), hand], 1))
        marks = torch.cat([squares, self.piece_marks(rest)], 1)
        return marks @ self.matrix, self.value(rest).squeeze(1)


def masked(logits: Tensor, mask: Tensor) -> torch.distributions.Categorical:
    """Return the distribution over what is legal."""
    return torch.distributions.Categorical(logits=logits.masked_fill(~mask, -1e9))


class Rollout:
    """What happened in some steps of all games."""

    def __init__(self, steps: int, envs: BlokusVectorEnv) -> None:
        space = envs.observation_space
        n, actions = envs.num_envs, envs.batch.n_actions
        self.planes = torch.zeros(steps, *space["observation"].shape, dtype=torch.uint8)
        self.hand = torch.zeros(steps, *space["hand"].shape, dtype=torch.uint8)
        self.mask = torch.zeros(steps, n, actions, dtype=torch.bool)
        self.action = torch.zeros(steps, n, dtype=torch.int64)
        self.logprob, self.value = torch.zeros(2, steps, n)
        self.player = np.zeros((steps, n), np.int64)
        self.ended = np.zeros((steps, n), np.bool_)
        self.rewards = np.zeros((steps, n, envs.variant.players), np.float32)

    def play(self, envs: BlokusVectorEnv, network: Network, observations: Any, player: Any) -> Any:
        """Fill it with steps; return what is seen after the last, and who is to move there."""
        for t in range(len(self.action)):
            self.planes[t] = torch.from_numpy(observations["observation"])
            self.hand[t] = torch.from_numpy(observations["hand"])
            self.mask[t] = torch.from_numpy(observations["action_mask"]).bool()
            self.player[t] = player
            with torch.no_grad():
                logits, self.value[t] = network(self.planes[t].float(), self.hand[t].float())
                chances = masked(logits, self.mask[t])
                self.action[t] = chances.sample()
                self.logprob[t] = chances.log_prob(self.action[t])
            observations, _, self.ended[t], _, infos = envs.step(self.action[t].numpy())
            self.rewards[t] = infos["rewards"]
            player = infos["player"]
        return observations, player

    def advantages(self, trace: float) -> tuple[Tensor, Tensor]:
        """Return by how much each move was better than expected, and what its value should be.

        Players take turns: what follows a move is the same player's next one. What is not over at
        the end of the rollout counts as what its players thought of it last.
        """
        steps, n, players = self.rewards.shape
        values = self.value.numpy()
        result = np.zeros((steps, n), np.float32)
        rows = np.arange(n)
        # Of each player: what his next position is worth, its advantage, and whether there is one.
        following, advantage = np.zeros((2, n, players), np.float32)
        known = np.zeros((n, players), np.bool_)
        for t in reversed(range(steps)):
            over = self.ended[t]
            following[over], advantage[over], known[over] = self.rewards[t][over], 0, True
            who = self.player[t]
            delta = np.where(known[rows, who], following[rows, who] - values[t], 0)
            result[t] = delta + trace * advantage[rows, who]
            following[rows, who], advantage[rows, who] = values[t], result[t]
            known[rows, who] = True
        found = torch.from_numpy(result)
        return found, found + self.value


def learn(network: Network, optimizer: Any, rollout: Rollout, chosen: argparse.Namespace) -> None:
    """Make the moves that were better than expected more likely, as PPO does."""
    advantage, target = (part.flatten() for part in rollout.advantages(chosen.trace))
    planes, hand, mask = (
        part.flatten(0, 1) for part in (rollout.planes, rollout.hand, rollout.mask)
    )
    action, before = rollout.action.flatten(), rollout.logprob.flatten()
    for _ in range(chosen.epochs):
        for rows in torch.randperm(len(action)).split(chosen.minibatch):
            logits, value = network(planes[rows].float(), hand[rows].float())
            chances = masked(logits, mask[rows])
            ratio = (chances.log_prob(action[rows]) - before[rows]).exp()
            gain = advantage[rows]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            policy_loss = -torch.min(gain * ratio, gain * ratio.clamp(0.8, 1.2)).mean()
            value_loss = (value - target[rows]).square().mean()
            loss = policy_loss + 0.5 * value_loss - chosen.entropy * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def main(arguments: Sequence[str] | None = None) -> float:
    """Learn, and return how often the network wins against `random` at the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variant", default="duo")
    parser.add_argument("--envs", type=int, default=32, help="games at once (%(default)s)")
    parser.add_argument("--steps", type=int, default=32, help="of a rollout (%(default)s)")
    parser.add_argument("--rollouts", type=int, default=60, help="in all (%(default)s)")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--minibatch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=3e-3, help="of learning (%(default)s)")
    parser.add_argument("--trace", type=float, default=0.95, help="lambda of GAE (%(default)s)")
    parser.add_argument("--entropy", type=float, default=0.003)
    parser.add_argument("--games", type=int, default=400, help="to measure (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch (%(default)s)")
    parser.add_argument("--save", type=Path, help="a .pt2, which opponents= takes")
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(chosen.seed)
    torch.distributions.Distribution.set_default_validate_args(False)

    envs = BlokusVectorEnv(
        chosen.envs, chosen.variant, reward="rank", autoreset_mode="SameStep", **LOOKS
    )
    space = envs.single_observation_space
    network = Network(chosen.variant, space["observation"].shape[0], space["hand"].shape[0])
    optimizer = torch.optim.Adam(network.parameters(), lr=chosen.rate, eps=1e-5)
    rollout = Rollout(chosen.steps, envs)

    def logits(seen: Any) -> Tensor:
        planes, hand = (
            torch.from_numpy(np.ascontiguousarray(seen[key])).float()
            for key in ("observation", "hand")
        )
        with torch.no_grad():
            return network(planes, hand)[0]

    policy = Policy(logits, name="self-play PPO", looks=LOOKS)

    def measure(moves: int) -> float:
        rate = win_rate(policy, chosen.variant, games=chosen.games)
        print(f"{moves:>8} moves: wins {rate:.1%} against random", flush=True)
        return rate

    rate = measure(0)
    observations, infos = envs.reset(seed=chosen.seed)
    player = infos["player"]
    playing = learning = 0.0
    for number in range(1, chosen.rollouts + 1):
        begin = time.perf_counter()
        observations, player = rollout.play(envs, network, observations, player)
        between = time.perf_counter()
        learn(network, optimizer, rollout, chosen)
        playing += between - begin
        learning += time.perf_counter() - between
        if number % max(chosen.rollouts // 6, 1) == 0 and number < chosen.rollouts:
            measure(number * chosen.steps * chosen.envs)
    moves = chosen.rollouts * chosen.steps * chosen.envs
    rate = measure(moves)
    print(
        f"{moves / (playing + learning):,.0f} moves a second, {playing + learning:.0f} s in all, "
        f"{playing:.0f} of them playing"
    )
    if chosen.save:
        save_network(Logits(network), chosen.save, chosen.variant, **LOOKS)
    return rate


class Logits(nn.Module):
    """The network without its value."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, planes: Tensor, hand: Tensor) -> Tensor:
        """Return logits of all actions."""
        logits: Tensor = self.network(planes, hand)[0]
        return logits


if __name__ == "__main__":
    main()
