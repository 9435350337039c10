"""AlphaZero in one file: a network learns from games that its own tree search plays.

``python examples/alphazero.py --save duo.pt --plot duo.png`` learns for twelve minutes on one CPU
core, measures the network with and without search, and draws how strong it was when. Ctrl-C
ends it early, and what was learned is saved; ``--load duo.pt`` goes on. docs/learning.md explains
it and says what came of it.

Variants with nothing but placements and no shared color: duo, junior, classic-2p, classic, and
such as you define yourself. Needs the extra ``learn``.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# Threads that wait must not spin, where others want to compute as well. PyTorch reads this.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

try:
    import numpy as np
    import numpy.typing as npt
    import torch
    from torch import Tensor, nn
    from torch.nn import functional
except ImportError as error:
    from blokus_fast.extras import install_hint

    sys.exit(f"this example needs {error.name}: {install_hint('learn')}")

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.extras import install_hint
from blokus_fast.files import check_writable, replaced
from blokus_fast.moves import moves_to_placements, moves_to_squares
from blokus_fast.search import BatchMCTS, Played, RootRule, SelfPlay

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
Choose = Callable[[bf.BatchBoard], npt.NDArray[np.int32]]

BOARDS = ("own", "corner", "forbidden")  # groups of planes that differ from square to square
FLAGS = ("hand", "finished", "monomino")  # and those that are the same everywhere
# Of self-play: Gumbel's, which learns from few simulations. Shares of the win differ by hundredths
# between moves, and have to count for something beside the logits.
RULE = RootRule(considered=16, value_scale=3.0)


# -- what the network sees, and what it says ------------------------------------------------------


class View:
    """Positions and actions as the network sees them: from the side of whoever is to move.

    The board is turned so that the mover is the first color, and ids of actions with it. Players
    are counted from the mover on.
    """

    def __init__(self, variant: str | bf.Variant) -> None:
        self.observer = bf.Observer(variant, view="rotated", dtype="bits", groups=BOARDS + FLAGS)
        self.variant = self.observer.variant
        self.players = self.variant.players
        self.group = self.observer.symmetries
        self.n_boards = self.observer.groups[BOARDS[-1]].stop
        self.n_flags = self.observer.shape[0] - self.n_boards
        # Symmetries that leave everybody his color: each makes another sample of the same worth.
        colors = tuple(range(self.variant.n_colors))
        self.images = [each for each in self.group if each.colors == colors]

    def see(self, boards: bf.BatchBoard) -> npt.NDArray[np.uint8]:
        """Return planes as bits, uint8 (n, planes, bytes): small enough to keep many of them."""
        planes: npt.NDArray[np.uint8] = self.observer.observe(boards)
        return planes

    def actions(
        self, boards: bf.BatchBoard, ids: npt.NDArray[np.int32], row: Ints
    ) -> npt.NDArray[np.int32]:
        """Return the ids that actions have in the view; `row` is the game of each."""
        return self.group.map_actions(ids, self.observer.which(boards)[row])

    def from_mover(self, values: Floats, player: npt.NDArray[np.int32]) -> Floats:
        """Return values (n, players) with the mover's first; `player` is the mover."""
        places = (np.arange(self.players) + player[:, None]) % self.players
        return np.take_along_axis(values, places, axis=1)

    def to_players(self, values: Floats, player: npt.NDArray[np.int32]) -> Floats:
        """Return values in the order of the players again."""
        places = (np.arange(self.players) - player[:, None]) % self.players
        return np.take_along_axis(values, places, axis=1)


def tensors(view: View, bits: npt.NDArray[np.uint8]) -> tuple[Tensor, Tensor]:
    """Return boards (n, planes, size, size) and flags (n, flags) as numbers."""
    size = view.variant.size
    squares = bits[:, : view.n_boards]
    boards = np.unpackbits(squares, axis=2, count=size * size, bitorder="little")
    boards = boards.reshape(len(bits), view.n_boards, size, size)
    flags = bits[:, view.n_boards :, 0] & 1
    return torch.from_numpy(boards).float(), torch.from_numpy(flags).float()


class Net(nn.Module):
    """A few convolutions, values of all players, and a policy over the actions that are legal.

    The policy gives marks to squares, and an action gets the sum of those of the squares that it
    covers, that it touches at a corner, and that are beside it, and one for its piece: what is
    learned of one placement holds for all that look alike.
    """

    def __init__(self, view: View, channels: int = 24, depth: int = 3) -> None:
        super().__init__()
        self.size = view.variant.size
        n_moves = bf.Board(view.variant).n_moves
        pieces = moves_to_placements(np.arange(n_moves), self.size)[:, 0].astype(np.int64)
        squares = moves_to_squares(np.arange(n_moves), self.size).astype(np.int64)
        self.register_buffer("piece", torch.from_numpy(pieces), False)
        self.register_buffer("squares", torch.from_numpy(squares) % (self.size**2 + 1), False)
        self.register_buffer("marks", torch.from_numpy(marks_of(squares, self.size)), False)
        n_planes = view.n_boards + 2
        self.first = nn.Conv2d(n_planes, channels, 5, padding=2)
        self.flags = nn.Linear(view.n_flags, channels)
        self.layers = nn.ModuleList(
            nn.Conv2d(channels, channels, 3, padding=1) for _ in range(depth)
        )
        self.at_squares = nn.Conv2d(channels + n_planes, 3, 3, padding=1)
        inside = view.n_flags + 2 * channels
        self.of_pieces = mlp(inside, len(bf.PIECES))
        self.value = mlp(inside, view.players)
        nn.init.zeros_(self.at_squares.weight)

    def forward(
        self, boards: Tensor, flags: Tensor, ids: Tensor, row: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return logits (m,) of the actions `ids` of games `row`, and of values (n, players)."""
        n, cells = len(boards), self.size**2
        # How many legal placements cover each square: the room that the mover has.
        places = self.squares[ids] + (row * (cells + 1))[:, None]
        cover = torch.bincount(places.flatten(), minlength=n * (cells + 1)).view(n, -1)[:, :cells]
        room = (cover.float().log1p() / 4).view(n, 1, self.size, self.size)
        planes = functional.pad(torch.cat([boards, room], 1), (0, 0, 0, 0, 0, 1), value=1.0)
        x = functional.relu(self.first(planes) + self.flags(flags)[:, :, None, None])
        for layer in self.layers:
            x = functional.relu(x + layer(x))
        whole = torch.cat([flags, x.mean((2, 3)), x.amax((2, 3))], 1)
        marks = functional.pad(self.at_squares(torch.cat([x, planes], 1)).flatten(1), (0, 1))
        where = self.marks[ids] + (row * marks.shape[1])[:, None]
        logits = marks.flatten().gather(0, where.flatten()).view(where.shape).sum(1)
        pieces = self.of_pieces(whole)
        logits = logits + pieces.flatten().gather(0, row * pieces.shape[1] + self.piece[ids])
        return logits, self.value(whole)


def mlp(inputs: int, outputs: int) -> nn.Sequential:
    """Return two layers, which say nothing at first."""
    last = nn.Linear(64, outputs)
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    return nn.Sequential(nn.Linear(inputs, 64), nn.ReLU(), last)


def marks_of(squares: Ints, size: int) -> Ints:
    """Return the numbers of the marks of each placement, padded with one that is always 0.

    Marks of squares that are covered come first, then those at corners, then those beside.
    """
    n, cells = len(squares), size * size
    row, column = np.divmod(squares, size)
    kinds = np.full((n, size + 2, size + 2), -1)
    number = np.repeat(np.arange(n), squares.shape[1])[squares.ravel() >= 0]
    row, column = row[squares >= 0] + 1, column[squares >= 0] + 1
    # In this order: what is both at a corner and beside is beside, and what is covered is that.
    for kind, steps in ((1, ((1, 1), (1, -1))), (2, ((0, 1), (1, 0))), (0, ((0, 0),))):
        for down, right in steps:
            for sign in (1, -1):
                kinds[number, row + sign * down, column + sign * right] = kind
    flat = kinds[:, 1:-1, 1:-1].reshape(n, cells)
    moves, cell = np.nonzero(flat >= 0)
    found = flat[moves, cell] * cells + cell
    counts = np.bincount(moves, minlength=n)
    marks = np.full((n, counts.max()), 3 * cells, np.int64)
    marks[moves, np.arange(len(moves)) - np.repeat(np.cumsum(counts) - counts, counts)] = found
    return marks


class Model:
    """A network with its view: what a search asks."""

    def __init__(self, variant: str | bf.Variant, channels: int = 24, depth: int = 3) -> None:
        self.view = View(variant)
        self.net = Net(self.view, channels, depth)

    @torch.no_grad()
    def evaluate(
        self, boards: bf.BatchBoard, ids: npt.NDArray[np.int32], offsets: Ints
    ) -> tuple[Floats, Floats]:
        """Return logits of the actions `ids`, and the share of the win of each player."""
        row = np.repeat(np.arange(len(boards)), np.diff(offsets))
        seen = tensors(self.view, self.view.see(boards))
        actions = torch.from_numpy(self.view.actions(boards, ids, row).astype(np.int64))
        logits, values = self.net(*seen, actions, torch.from_numpy(row))
        shares = self.view.to_players(values.softmax(1).numpy(), boards.player)
        return logits.numpy(), shares


# -- learning -------------------------------------------------------------------------------------


@dataclass
class Samples:
    """What is learned from: bits of positions, their legal actions, and what to say of them.

    Position i has the actions ``ids[offsets[i]:offsets[i + 1]]``; `policy` is of these, and
    `values` of the players from the mover on.
    """

    bits: npt.NDArray[np.uint8]
    ids: npt.NDArray[np.int32]
    policy: Floats
    offsets: Ints
    values: Floats
    n_games: int

    @staticmethod
    def of(view: View, played: Played, trust: float) -> Samples:
        """Make samples of games; `trust` is what the search's values count beside the results."""
        boards = played.boards
        ids, offsets = boards.legal_ids()
        row = np.repeat(np.arange(len(boards)), np.diff(offsets))
        # The search may not have looked at all of them. Ids are ascending in every position.
        looked = np.repeat(np.arange(len(boards)), np.diff(played.offsets))
        policy = np.zeros(len(ids), np.float32)
        keys = row * boards.n_actions + ids
        policy[np.searchsorted(keys, looked * boards.n_actions + played.actions)] = played.policy
        values = trust * played.values + (1 - trust) * played.outcomes
        return Samples(
            view.see(boards), view.actions(boards, ids, row), policy, offsets,
            view.from_mover(values, boards.player), played.n_games,
        )  # fmt: skip

    @staticmethod
    def join(parts: Sequence[Samples]) -> Samples:
        """Put samples together."""
        counts = np.concatenate([np.diff(part.offsets) for part in parts])
        bits, ids, policy, values = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("bits", "ids", "policy", "values")
        )
        n_games = sum(part.n_games for part in parts)
        return Samples(bits, ids, policy, np.append(0, np.cumsum(counts)), values, n_games)

    def take(self, chosen: Ints) -> Samples:
        """Return some of the positions."""
        counts = np.diff(self.offsets)[chosen]
        offsets = np.append(0, np.cumsum(counts))
        places = np.arange(offsets[-1]) + np.repeat(self.offsets[chosen] - offsets[:-1], counts)
        return Samples(
            self.bits[chosen], self.ids[places], self.policy[places], offsets,
            self.values[chosen], 0,
        )  # fmt: skip


def loss_of(model: Model, samples: Samples, image: int = 0) -> Tensor:
    """Return the loss of some positions, seen in one of the images of the view.

    Cross-entropy of the policy, and of the shares of the win.
    """
    n, symmetry = len(samples.bits), model.view.images[image]
    boards, flags = tensors(model.view, samples.bits)
    boards = boards.flatten(2)[:, :, torch.from_numpy(np.argsort(symmetry.squares))]
    boards = boards.view(n, -1, model.net.size, model.net.size)
    ids = torch.from_numpy(symmetry.map_actions(samples.ids).astype(np.int64))
    row = torch.from_numpy(np.repeat(np.arange(n), np.diff(samples.offsets)))
    logits, values = model.net(boards, flags, ids, row)
    policy = torch.from_numpy(samples.policy) * log_softmax(logits, row, n)
    shares = torch.from_numpy(samples.values) * values.log_softmax(1)
    return -(policy.sum() + shares.sum()) / n


def log_softmax(logits: Tensor, row: Tensor, n: int) -> Tensor:
    """Turn logits into logarithms of probabilities, separately for each of n rows."""
    top = torch.full((n,), -1e9).scatter_reduce(0, row, logits.detach(), "amax")
    total = torch.zeros(n).index_add(0, row, (logits - top[row]).exp())
    return logits - (top + total.log())[row]


class Run:
    """A network, what it has been through, and how strong it was when."""

    def __init__(self, variant: str, channels: int, depth: int, seed: int) -> None:
        torch.manual_seed(seed)
        self.settings: dict[str, Any] = {
            "variant": variant,
            "channels": channels,
            "depth": depth,
            "seed": seed,
        }
        self.model = Model(variant, channels, depth)
        self.optimizer = torch.optim.AdamW(self.model.net.parameters(), 2e-3, weight_decay=1e-4)
        self.seconds = 0.0
        self.games = 0
        self.measured: list[dict[str, Any]] = []

    def save_if(self, path: Path | None) -> None:
        """Write all but the latest games to a file, if there is one: whole or not at all."""
        if path is None:
            return
        with replaced(path) as file:
            torch.save(
                {
                    "settings": self.settings, "seconds": self.seconds, "games": self.games,
                    "measured": self.measured, "net": self.model.net.state_dict(),
                    "optimizer": self.optimizer.state_dict(),
                },
                file,
            )  # fmt: skip

    @staticmethod
    def load(path: Path) -> Run:
        """Read what `save_if` wrote."""
        kept = torch.load(path, weights_only=True)
        run = Run(**kept["settings"])
        run.model.net.load_state_dict(kept["net"])
        run.optimizer.load_state_dict(kept["optimizer"])
        run.seconds, run.games, run.measured = kept["seconds"], kept["games"], kept["measured"]
        return run


def train(run: Run, play: SelfPlay, chosen: argparse.Namespace) -> Iterator[float]:
    """Play and learn, round by round: yield the mean loss of each.

    This is all of AlphaZero: the search asks the network, and the network learns from the search.
    """
    model, random = run.model, np.random.default_rng((chosen.seed, run.games))
    recent: list[Samples] = []
    while True:
        # Self-play: a round is over when so many more games have come to their end.
        goal = play.n_finished + chosen.round
        while play.n_finished < goal:
            leaves = play.collect(chosen.lockstep)
            logits, values = model.evaluate(leaves.boards, leaves.ids, leaves.offsets)
            play.apply(logits, values, logits=True)
        new = Samples.of(model.view, play.take(), chosen.trust)
        run.games += new.n_games

        # The latest games are what is learned from, each position several times in all.
        recent = [*recent, new]
        while sum(part.n_games for part in recent[1:]) >= chosen.window:
            del recent[0]
        samples, losses = Samples.join(recent), []
        for _ in range(chosen.reuse * len(new.bits) // chosen.batch):
            some = samples.take(random.integers(len(samples.bits), size=chosen.batch))
            loss = loss_of(model, some, int(random.integers(len(model.view.images))))
            run.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.net.parameters(), 5.0)
            run.optimizer.step()
            losses.append(loss.item())
        yield float(np.mean(losses)) if losses else math.nan


# -- how strong it is -----------------------------------------------------------------------------


def searcher(model: Model, simulations: int, seed: int) -> Choose:
    """Return a player who searches with the network; with 0 simulations, its policy's favorite."""

    def choose(boards: bf.BatchBoard) -> npt.NDArray[np.int32]:
        if simulations == 0:
            ids, offsets = boards.legal_ids()
            logits, _ = model.evaluate(boards, ids, offsets)
            row = np.repeat(np.arange(len(boards)), np.diff(offsets))
            return ids[np.lexsort((-logits, row))[offsets[:-1]]]
        trees = BatchMCTS(model.view.variant, len(boards), seed=seed)
        trees.set_all(boards, simulations=simulations)
        while leaves := trees.collect(256, per_tree=4):
            found = model.evaluate(leaves.boards, leaves.ids, leaves.offsets)
            trees.apply(*found, logits=True)
        return trees.moves()

    return choose


def bot(name: str, seed: int) -> Choose:
    """Return a player who is one of the bots."""
    made = bots.make(name, seed=seed)

    def choose(boards: bf.BatchBoard) -> npt.NDArray[np.int32]:
        return np.array([made.choose(boards[i]) for i in range(len(boards))], np.int32)

    return choose


def match(variant: bf.Variant, one: Choose, others: Choose, games: int, seed: int) -> Floats:
    """Return the share of the win that `one` has in each game against `others`.

    Openings are drawn by chance, a move of every color, and played once from every seat.
    """
    n = variant.players
    batch = bf.BatchBoard(-(-games // n), variant)
    for _ in range(variant.n_colors):
        batch.step(batch.sample_actions(seed, "size"))
    batch = batch.take(np.repeat(np.arange(len(batch)), n))
    seat = np.arange(len(batch)) % n
    while not batch.done.all():
        actions = np.full(len(batch), -1, np.int32)
        for mine, choose in ((True, one), (False, others)):
            turn = np.flatnonzero(~batch.done & ((batch.player == seat) == mine))
            if len(turn):
                actions[turn] = choose(batch.take(turn))
        batch.step(actions)
    shares: Floats = batch.rewards("win")[np.arange(len(batch)), seat].astype(np.float32)
    return shares


def wilson(shares: Floats) -> dict[str, Any]:
    """Return the mean share of the win, and its Wilson interval at 95 %."""
    n, z, share = len(shares), 1.96, float(shares.mean())
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return {"games": n, "share": share, "low": middle - reach, "high": middle + reach}


def measure(run: Run, games: int, simulations: int, *, last: bool = False) -> dict[str, Any]:
    """Play matches with and without search, and print how they ended."""
    variant, seed = run.model.view.variant, run.settings["seed"]
    search, policy = searcher(run.model, simulations, seed), searcher(run.model, 0, seed)
    matches = {
        "search against greedy": (search, bot("greedy", seed)),
        "policy against greedy": (policy, bot("greedy", seed)),
    }
    if last:
        untrained = searcher(Run(**run.settings).model, simulations, seed)
        matches["search against random"] = (search, bot("random", seed))
        matches["search against policy"] = (search, policy)
        matches["search against untrained search"] = (search, untrained)
        matches["untrained search against greedy"] = (untrained, bot("greedy", seed))
        matches["untrained search against random"] = (untrained, bot("random", seed))
    found: dict[str, Any] = {"seconds": run.seconds, "games": run.games}
    for name, (one, others) in matches.items():
        found[name] = each = wilson(match(variant, one, others, games, seed))
        print(
            f"    {name}: {100 * each['share']:.1f} % of {each['games']} games "
            f"({100 * each['low']:.1f} to {100 * each['high']:.1f})",
            flush=True,
        )
    return found


def draw(run: Run, path: Path) -> None:
    """Draw the strength over the time of training."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.8), layout="constrained")
    minutes = [each["seconds"] / 60 for each in run.measured]
    for name, label, color in (
        ("search against greedy", "network with search", "#0072b2"),
        ("policy against greedy", "network without search", "#d55e00"),
    ):
        found = [each[name] for each in run.measured]
        shares = [100 * each["share"] for each in found]
        below = [100 * (each["share"] - each["low"]) for each in found]
        above = [100 * (each["high"] - each["share"]) for each in found]
        axes.errorbar(
            minutes, shares, [below, above],
            color=color, marker="o", markersize=4, capsize=3, label=label,
        )  # fmt: skip
    players = run.model.view.players
    axes.axhline(100 / players, color="#888888", linewidth=0.8, linestyle="--")
    axes.set(
        xlabel="minutes of self-play and learning", ylabel="won, in %", ylim=(0, 102),
        title=f"{run.settings['variant']}, against greedy (95 %)",
    )  # fmt: skip
    axes.legend(frameon=False, loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)
    with replaced(path) as file:
        figure.savefig(file, format=path.suffix[1:] or "png", dpi=110)
    plt.close(figure)


# -- the command ----------------------------------------------------------------------------------


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--variant", default="duo", help="to learn (%(default)s)")
    add("--minutes", type=float, default=12, help="to play and learn, in all (%(default)s)")
    add("--games", type=int, default=10**9, help="of self-play at most, in all")
    add("--simulations", type=int, default=32, help="a move in self-play (%(default)s)")
    add("--lockstep", type=int, default=128, help="games side by side (%(default)s)")
    add("--round", type=int, default=64, help="games until it learns again (%(default)s)")
    add("--window", type=int, default=1024, help="games to learn from, the latest (%(default)s)")
    add("--reuse", type=int, default=4, help="how often a position is learned (%(default)s)")
    add("--batch", type=int, default=256, help="positions of a step of learning (%(default)s)")
    add("--rate", type=float, default=3e-3, help="of learning, at first (%(default)s)")
    add("--trust", type=float, default=0.5, help="in the search's values (%(default)s)")
    add("--channels", type=int, default=16, help="of the network (%(default)s)")
    add("--depth", type=int, default=2, help="of the network (%(default)s)")
    add("--every", type=float, default=2, help="minutes between measurements (%(default)s)")
    add("--measure", type=int, default=100, help="games of a measurement's match (%(default)s)")
    add("--final", type=int, default=200, help="games of the last matches (%(default)s)")
    add("--strength", type=int, default=64, help="simulations in matches (%(default)s)")
    add("--seed", type=int, default=1, help="of everything random (%(default)s)")
    add("--threads", type=int, default=1, help="of PyTorch (%(default)s)")
    add("--load", type=Path, help="file to go on from; its variant and network hold")
    add("--save", type=Path, help="file for the network, written after every measurement")
    add("--plot", type=Path, help="file for the picture (needs matplotlib)")
    chosen = parser.parse_args(given)
    variant = bf.variant(chosen.variant)
    if bf.Board(variant).n_actions != bf.Board(variant).n_moves or None in variant.owners:
        parser.error(f"{chosen.variant} has more than placements, or a color that is shared")
    # What would fail at the end must not cost the minutes before.
    if chosen.plot and find_spec("matplotlib") is None:
        parser.error(f"--plot needs matplotlib: {install_hint('learn')}")
    for path in filter(None, (chosen.save, chosen.plot)):
        try:
            check_writable(path)
        except OSError as error:
            parser.error(str(error))
    return chosen


def main(given: Sequence[str] | None = None) -> int:
    """Learn, measure, save, draw."""
    chosen = arguments(given)
    torch.set_num_threads(chosen.threads)
    if chosen.load:
        run = Run.load(chosen.load)
    else:
        run = Run(chosen.variant, chosen.channels, chosen.depth, chosen.seed)
    play = SelfPlay(
        run.model.view.variant, chosen.lockstep, simulations=chosen.simulations,
        random_plies=run.model.view.variant.n_colors, root=RULE, seed=chosen.seed + run.games,
    )  # fmt: skip
    limit, due = 60 * chosen.minutes, run.seconds + 60 * chosen.every * bool(run.measured)
    rounds, stopped = train(run, play, chosen), False
    try:
        while run.seconds < limit and run.games < chosen.games:
            if run.seconds >= due:
                run.measured.append(measure(run, chosen.measure, chosen.strength))
                due += 60 * chosen.every
                run.save_if(chosen.save)
            # Steps get smaller towards the end, so that the network settles.
            done = max(run.seconds / limit, run.games / chosen.games)
            for group in run.optimizer.param_groups:
                group["lr"] = chosen.rate * max(0.05, 1 - done)
            begin = time.perf_counter()
            loss = next(rounds)
            run.seconds += time.perf_counter() - begin
            print(f"{run.seconds:.0f} s, {run.games} games: loss {loss:.3f}", flush=True)
        run.save_if(chosen.save)
        if chosen.final:
            run.measured.append(measure(run, chosen.final, chosen.strength, last=True))
    except KeyboardInterrupt:
        stopped = True
    run.save_if(chosen.save)
    if chosen.plot and run.measured:
        draw(run, chosen.plot)
    return 130 if stopped else 0


if __name__ == "__main__":
    sys.exit(main())
