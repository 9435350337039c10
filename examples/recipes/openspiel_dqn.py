"""DQN of OpenSpiel (its PyTorch version) learns Duo against a player that moves by chance.

``python examples/recipes/openspiel_dqn.py``; docs/recipes.md says what it reached. Needs the
extras ``openspiel`` and ``learn``, and dm-tree, which OpenSpiel's agents import and do not ask
for; tried with open_spiel 2.0.2 and dm-tree 0.1.10.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from typing import Any

try:
    import numpy as np
    import pyspiel
    import torch
    from open_spiel.python import rl_environment
    from open_spiel.python.pytorch.dqn import DQN
except ImportError as error:
    from blokus_fast.extras import install_hint

    hints = f"{install_hint('openspiel')}; {install_hint('learn')}; pip install dm-tree"
    sys.exit(f"this recipe needs {error.name}: {hints}")

import blokus_fast.envs.openspiel  # noqa: F401 - registers the games
from blokus_fast.envs.heads import placement_matrix

LEARNER = 0


class Head(torch.nn.Module):
    """Values of actions: marks for squares and pieces, added up, and one for the position."""

    def __init__(self, width: int, variant: str) -> None:
        super().__init__()
        matrix = torch.as_tensor(placement_matrix(variant))
        self.register_buffer("matrix", matrix.T.contiguous(), persistent=False)
        self.marks = torch.nn.Linear(width, matrix.shape[1] + 1)
        torch.nn.init.zeros_(self.marks.weight)
        torch.nn.init.zeros_(self.marks.bias)

    def forward(self, latent: Any) -> Any:
        """Return values of all actions."""
        marks = self.marks(latent)
        return marks[:, :-1] @ self.matrix + marks[:, -1:]


def play(environment: Any, agent: Any, rng: Any, *, learning: bool) -> float:
    """Play a game against chance; return what the learner got."""
    step = environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        if player == LEARNER:
            action = agent.step(step, is_evaluation=not learning).action
        else:
            action = rng.choice(step.observations["legal_actions"][player])
        step = environment.step([int(action)])
    if learning:
        agent.step(step)
    return float(step.rewards[LEARNER])


def main(arguments: Sequence[str] | None = None) -> float:
    """Learn, and return the share of games that the agent wins at the end, draws as half."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variant", default="duo", help="for two players (%(default)s)")
    parser.add_argument("--episodes", type=int, default=1000)
    parser.add_argument("--games", type=int, default=200, help="to measure (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    torch.set_num_threads(1)
    torch.manual_seed(chosen.seed)
    np.random.seed(chosen.seed)  # noqa: NPY002 - it is what OpenSpiel draws from
    environment = rl_environment.Environment(
        pyspiel.load_game("blokus", {"variant": chosen.variant})
    )
    n_actions = environment.action_spec()["num_actions"]
    (length,) = environment.observation_spec()["info_state"]
    agent = DQN(
        LEARNER,
        length,
        n_actions,
        hidden_layers_sizes=[128],
        batch_size=64,
        replay_buffer_capacity=5_000,
        min_buffer_size_to_learn=200,
        learn_every=4,
        update_target_network_every=100,
        learning_rate=1e-3,
        optimizer_str="adam",
        epsilon_start=0.5,
        epsilon_end=0.1,
        epsilon_decay_duration=chosen.episodes * 8,
        seed=chosen.seed,
    )
    # Its last layer would learn every action for itself.
    for network in (agent._q_network, agent._target_q_network):
        network.model[-1] = Head(128, chosen.variant)
    agent._optimizer = torch.optim.Adam(agent._q_network.parameters(), lr=1e-3)
    rng = np.random.RandomState(chosen.seed)

    def measure(episodes: int) -> float:
        got = [play(environment, agent, rng, learning=False) for _ in range(chosen.games)]
        rate = (1 + float(np.mean(got))) / 2
        print(f"{episodes:>8} games: wins {rate:.1%} against random", flush=True)
        return rate

    rate = measure(0)
    seconds = 0.0
    part = max(chosen.episodes // 4, 1)
    before = agent._iteration
    for number in range(1, chosen.episodes + 1):
        begin = time.perf_counter()
        play(environment, agent, rng, learning=True)
        seconds += time.perf_counter() - begin
        if number % part == 0:
            rate = measure(number)
    steps = agent._iteration - before
    print(f"{steps / seconds:,.0f} steps of the learner a second, {seconds:.0f} s in all")
    return rate


if __name__ == "__main__":
    main()
