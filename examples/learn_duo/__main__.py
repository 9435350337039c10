"""Learn to play Duo from nothing, by self-play, in minutes on two CPU cores.

``python examples/learn_duo`` trains a network, measures it against the bots `random` and
`greedy`, and draws what happened. docs/learning.md explains it. Needs the extra ``learn``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Threads that wait for work must not spin: on a computer that has other things to do as well, that
# costs more than it gains, up to tenfold. PyTorch reads this when it is imported.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

try:
    import numpy as np
    import torch
except ImportError as error:
    from blokus_fast.extras import install_hint

    sys.exit(f"this example needs {error.name}: {install_hint('learn')}")

from learning import learn
from network import Net
from play import Samples, match, self_play, win_rate

CANDIDATES_TO_PLAY = 32


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="learn_duo", description=__doc__)
    add = parser.add_argument
    add("--rounds", type=int, default=42, help="of self-play and learning (%(default)s)")
    add("--games", type=int, default=256, help="of self-play in a round (%(default)s)")
    add("--candidates", type=int, default=8, help="moves tried in self-play (%(default)s)")
    add("--trust", type=float, default=40.0, help="in the value, beside the policy (%(default)s)")
    add("--patience", type=float, default=0.8, help="with results (%(default)s)")
    add("--rate", type=float, default=2e-3, help="of learning, at first (%(default)s)")
    add("--every", type=int, default=6, help="rounds between two measurements (%(default)s)")
    add("--measure", type=int, default=200, help="games of a measurement (%(default)s)")
    add("--final", type=int, default=1000, help="games of the last one (%(default)s)")
    add("--seed", type=int, default=1, help="of everything random (%(default)s)")
    add("--threads", type=int, default=2, help="of PyTorch and the batches (%(default)s)")
    add("--plot", type=Path, help="file for the picture (needs matplotlib)")
    add("--log", type=Path, help="file for the figures, as JSON")
    add("--save", type=Path, help="file for the network")
    return parser.parse_args(given)


def measure(net: Net, games: int, seed: int, trust: float) -> dict[str, Any]:
    """Play against the bots."""
    found = {}
    for name in ("random", "greedy"):
        leads = match(net, name, games, CANDIDATES_TO_PLAY, trust, seed)
        share, low, high = win_rate(leads)
        found[name] = {
            "games": games, "score": share, "low": low, "high": high, "lead": float(leads.mean()),
        }  # fmt: skip
        print(
            f"    against {name}: {100 * share:.1f} % of {games} games "
            f"(95 %: {100 * low:.1f} to {100 * high:.1f}), lead {leads.mean():+.1f}",
            flush=True,
        )
    return found


def main(given: Sequence[str] | None = None) -> int:
    """Learn, measure, draw."""
    chosen = arguments(given)
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(chosen.threads)
    random = np.random.default_rng(chosen.seed)
    net = Net()
    print(f"{sum(p.numel() for p in net.parameters())} parameters")
    optimizer = torch.optim.AdamW(net.parameters(), chosen.rate, weight_decay=1e-4)
    # The steps get smaller towards the end, so that the network settles.
    decay = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda done: max(0.05, 1 - done / chosen.rounds)
    )
    rounds: list[dict[str, Any]] = []
    kept: list[Samples] = []
    spent = 0.0
    for number in range(1, chosen.rounds + 1):
        begin = time.perf_counter()
        played = self_play(
            net, chosen.games, chosen.candidates, chosen.trust, random,
            patience=chosen.patience, threads=chosen.threads,
        )  # fmt: skip
        # Every position is learned from twice, when it is new and one round later.
        kept = [*kept[-1:], played]
        policy, value = learn(net, optimizer, Samples.join(kept), random)
        decay.step()
        spent += time.perf_counter() - begin
        entry: dict[str, Any] = {
            "round": number, "games": number * chosen.games, "seconds": spent,
            "policy": policy, "value": value,
        }  # fmt: skip
        rounds.append(entry)
        print(
            f"round {number}, {entry['games']} games, {spent:.0f} s: "
            f"policy {policy:.3f}, value {value:.3f}",
            flush=True,
        )
        if number % chosen.every == 0 and number < chosen.rounds:
            entry["against"] = measure(net, chosen.measure, number, chosen.trust)
    rounds[-1]["against"] = measure(net, chosen.final, chosen.seed, chosen.trust)
    if chosen.log:
        settings = {key: value for key, value in vars(chosen).items() if key not in PATHS}
        chosen.log.write_text(json.dumps({"settings": settings, "rounds": rounds}, indent=1) + "\n")
    if chosen.save:
        torch.save(net.state_dict(), chosen.save)
    if chosen.plot:
        from drawing import draw

        draw(rounds, chosen.plot)
    return 0


PATHS = ("plot", "log", "save")

if __name__ == "__main__":
    sys.exit(main())
