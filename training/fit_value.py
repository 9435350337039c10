"""Fit a value function to how games ended, and add it to weights.

Run: ``python training/fit_value.py WEIGHTS.json OUTPUT.json FOLDER...``, with folders that the
command ``blokus-fast selfplay`` has filled, or single shards. It learns who wins from positions
with a target that is mostly the outcome and partly (``--search``) what the search expected. An
eighth of the games is held out; the epoch that does best on them is taken. With ``--start`` it goes
on from the value function of other weights, in shorter steps, and keeps it if nothing is better.
Needs the extras `selfplay` and `learn`. docs/selfplay.md tells what comes before and after.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from blokus_fast import _core
from blokus_fast.search import Weights, load_weights
from blokus_fast.selfplay import read

ONE = 4096
HIDDEN = 32
INPUTS = 64
BATCH = 512
# Rare inputs, such as pieces that are nearly always in hand, are not blown up beyond this.
LEAST_DEVIATION = 0.1
MOST_WEIGHT = 32767


@dataclass
class Data:
    """Positions: inputs of the value function, and per player from the mover on what to learn."""

    inputs: npt.NDArray[np.float32]
    outcomes: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    seeds: npt.NDArray[np.uint64]


def collect(source: Sequence[Path], most: int) -> Data:
    """Read the positions in which somebody could move, of the last games."""
    reader = read(source, 4096)
    if reader.variant.draft:
        raise SystemExit("Draft has no value function: in it a position is more than squares")
    inputs, outcomes, values, seeds = [], [], [], []
    for batch in reader:
        boards = batch.boards
        inputs += [_core._value_inputs(boards[i]) for i in range(len(boards))]
        players = batch.outcomes.shape[1]
        order = (batch.player[:, None] + np.arange(players)) % players
        outcomes.append(np.take_along_axis(batch.outcomes, order, 1))
        values.append(np.take_along_axis(batch.values, order, 1))
        seeds.append(batch.seeds)
    if not inputs:
        raise SystemExit("there must be two games at least: one is held out")
    data = Data(
        np.array(inputs, np.float32), np.concatenate(outcomes), np.concatenate(values),
        np.concatenate(seeds),
    )  # fmt: skip
    last = np.isin(data.seeds, list(dict.fromkeys(data.seeds.tolist()))[-most:])
    return Data(data.inputs[last], data.outcomes[last], data.values[last], data.seeds[last])


def targets(data: Data, part: float) -> npt.NDArray[np.float32]:
    """Return the shares to learn: outcomes, mixed with what was searched where it was."""
    mixed = (1 - part) * data.outcomes + part * data.values
    return np.where(np.isnan(mixed), data.outcomes, mixed).astype(np.float32)


def hold_out(seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Return which positions are not learnt from: those of an eighth of the games."""
    games = np.unique(seeds)
    if len(games) < 2:
        raise SystemExit("there must be two games at least: one is held out")
    held = np.random.default_rng(1).permutation(games)[: max(len(games) // 8, 1)]
    return np.isin(seeds, held)


def cross_entropy(logits: torch.Tensor, shares: torch.Tensor) -> torch.Tensor:
    """Return its mean."""
    return -(shares * torch.log_softmax(logits, 1)).sum(1).mean()


def begin(network: Any, start: Weights, scale: torch.Tensor) -> None:
    """Give a network the value function of weights."""

    def numbers(key: str) -> torch.Tensor:
        return torch.from_numpy(start.arrays[key].astype(np.float32) / ONE)

    hidden = numbers("value_hidden")
    network.load_state_dict(
        {
            "0.weight": hidden.reshape(-1, HIDDEN).T * scale,
            "0.bias": numbers("value_hidden_bias"),
            "2.weight": numbers("value_output"),
            "2.bias": numbers("value_output_bias"),
        }
    )


def fit(
    data: Data, part: float, epochs: int, rate: float, start: Weights | None
) -> tuple[Any, float]:
    """Return the best network, and its loss on the outcomes of games that are held out."""
    torch.manual_seed(1)
    held = hold_out(data.seeds)
    flat = torch.from_numpy(data.inputs.reshape(len(data.inputs), -1))
    shares = torch.from_numpy(targets(data, part))
    train, rest = (torch.from_numpy(np.flatnonzero(which)) for which in (~held, held))
    scale = flat.std(0).clamp(min=LEAST_DEVIATION)
    flat = flat / scale
    network = torch.nn.Sequential(
        torch.nn.Linear(flat.shape[1], HIDDEN),
        torch.nn.ReLU(),
        torch.nn.Linear(HIDDEN, shares.shape[1]),
    )
    if start is not None:
        begin(network, start, scale)
    steps = epochs * (-(-len(train) // BATCH))
    optimizer = torch.optim.AdamW(network.parameters(), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps)
    outcomes = torch.from_numpy(data.outcomes)[rest]

    def held_out() -> float:
        with torch.no_grad():
            return float(cross_entropy(network(flat[rest]), outcomes))

    def state() -> dict[str, torch.Tensor]:
        return {key: value.clone() for key, value in network.state_dict().items()}

    best, best_loss = state(), float("inf")
    if start is not None:
        best_loss = held_out()
        print(f"before it: held out {best_loss:.4f}")
    for epoch in range(epochs):
        for rows in train[torch.randperm(len(train))].split(BATCH):
            loss = cross_entropy(network(flat[rows]), shares[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        now = held_out()
        print(f"epoch {epoch + 1}: held out {now:.4f}")
        if now < best_loss:
            best_loss = now
            best = state()
    best["0.weight"] = best["0.weight"] / scale
    if start is None:
        # What never changes says nothing, whatever its weight has come to be.
        best["0.weight"] *= flat.std(0) > 0
    return best, best_loss


def arrays(network: Any, colors: int) -> dict[str, npt.NDArray[np.int32]]:
    """Turn a network into whole numbers."""

    def whole(key: str, most: int) -> npt.NDArray[np.int32]:
        numbers: npt.NDArray[np.float64] = network[key].numpy().astype(np.float64)
        return np.clip(np.rint(numbers * ONE), -most, most).astype(np.int32)

    hidden = whole("0.weight", MOST_WEIGHT).T.reshape(colors, INPUTS, HIDDEN)
    return {
        "value_hidden": np.ascontiguousarray(hidden),
        "value_hidden_bias": whole("0.bias", 2**30),
        "value_output": whole("2.weight", MOST_WEIGHT),
        "value_output_bias": whole("2.bias", 2**30),
    }


def main() -> None:
    """Read the arguments, fit, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, help="those that get the value function")
    parser.add_argument("output", type=Path)
    parser.add_argument("games", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--search", type=float, default=0.2, help="part of what was searched")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--rate", type=float, help="default: 0.004, or 0.001 with --start")
    parser.add_argument("--start", type=Path, help="weights whose value function to begin with")
    parser.add_argument("--most", type=int, default=20000, help="games, the last ones")
    parser.add_argument("--origin", default="")
    args = parser.parse_args()
    weights = load_weights(args.weights)
    data = collect(args.games, args.most)
    print(f"{len(np.unique(data.seeds))} games, {len(data.seeds)} positions")
    start = load_weights(args.start) if args.start else None
    if start is not None and "value_hidden" not in start.arrays:
        raise SystemExit(f"{args.start} has no value function to begin with")
    rate = args.rate or (4e-3 if start is None else 1e-3)
    network, loss = fit(data, args.search, args.epochs, rate, start)
    print(f"held out {loss:.4f}")
    value = arrays(network, data.inputs.shape[1])
    origin = args.origin or weights.origin
    Weights({**weights.arrays, **value}, weights.name, origin).save(args.output)


if __name__ == "__main__":
    main()
