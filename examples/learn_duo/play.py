"""Games that the network plays: against itself to learn, against bots to be measured."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from network import VARIANT, Net, observe

import blokus_fast as bf
from blokus_fast import bots

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]
POINTS = 20
"""Lead in points that is worth 1: networks learn best what is about as large as 1."""


@dataclass
class Thought:
    """What the network thinks of the games of a batch that go on.

    `games` are their numbers; `ids` their legal moves, `counts` of them each; `wanted` the
    probabilities that the policy should have had; `chosen` the moves, and `worth` their values.
    """

    games: Ints
    planes: torch.Tensor
    hands: torch.Tensor
    ids: npt.NDArray[np.int32]
    counts: Ints
    wanted: Floats
    chosen: npt.NDArray[np.int32]
    worth: Floats


def results(batch: bf.BatchBoard) -> Floats:
    """Return what finished games are worth to player 0: his lead, in units of `POINTS`."""
    scores = batch.scores()
    return ((scores[:, 0] - scores[:, 1]) / POINTS).astype(np.float32)


@torch.no_grad()
def think(
    net: Net,
    batch: bf.BatchBoard,
    candidates: int,
    trust: float,
    random: np.random.Generator | None = None,
) -> Thought:
    """Choose a move in each game that goes on: the policy proposes some, the value decides.

    Parameters
    ----------
    net : Net
        The network.
    batch : BatchBoard
        The games.
    candidates : int
        Number of moves of each game that are tried out.
    trust : float
        How much a difference of value counts beside one of the policy's logarithms.
    random : Generator, optional
        For games to learn from: moves are drawn from the improved policy. Default: the best.
    """
    games = np.flatnonzero(~batch.done)
    here = batch.take(games)
    seen = observe(here)
    ids, offsets, row = seen.ids, seen.offsets, seen.row
    moves, rows = torch.from_numpy(ids.astype(np.int64)), torch.from_numpy(row)
    x = net.inside(seen.planes, seen.hands)
    logits = net.policy(x, seen.planes, seen.hands, moves, rows).numpy()
    # With noise of this kind, the highest are a draw from the policy without replacement.
    noise = np.float32(0) if random is None else random.gumbel(size=len(ids)).astype(np.float32)
    order = np.lexsort((-(logits + noise), row))
    place = np.arange(len(ids)) - offsets[row]
    tried = np.sort(order[place < candidates])

    # All tries of all games are one batch: copy, step, observe.
    after = here.take(row[tried])
    mover = here.player[row[tried]]
    after.step(ids[tried])
    then = observe(after)
    value = net.value(net.inside(then.planes, then.hands), then.hands).numpy()
    value = np.where(after.player == mover, value, -value)
    over = after.done
    value[over] = (results(after) * np.where(mover == 0, 1, -1))[over]

    number = np.bincount(row[tried], minlength=len(games))
    mean = np.bincount(row[tried], weights=value, minlength=len(games)) / number
    better = logits.copy()
    better[tried] += (trust * (value - mean[row[tried]])).astype(np.float32)
    top = np.maximum.reduceat(better, offsets[:-1])
    weight = np.exp(better - top[row])
    wanted = weight / np.add.reduceat(weight, offsets[:-1])[row]
    marks = np.full(len(ids), -np.inf, np.float32)
    marks[tried] = (better + noise)[tried]
    best = np.lexsort((-marks, row))[offsets[:-1]]
    worth = np.zeros(len(ids), np.float32)
    worth[tried] = value
    counts = np.diff(offsets)
    return Thought(games, seen.planes, seen.hands, ids, counts, wanted, ids[best], worth[best])


@dataclass
class Samples:
    """Positions to learn from: what was seen, the legal moves, and what was wanted."""

    planes: torch.Tensor
    hands: torch.Tensor
    values: Floats
    ids: npt.NDArray[np.int32]
    counts: Ints
    wanted: Floats

    @staticmethod
    def join(parts: list[Samples]) -> Samples:
        """Put samples together."""
        return Samples(
            torch.cat([part.planes for part in parts]),
            torch.cat([part.hands for part in parts]),
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("values", "ids", "counts", "wanted")
            ),
        )


def self_play(
    net: Net,
    n: int,
    candidates: int,
    trust: float,
    random: np.random.Generator,
    *,
    patience: float = 0.8,
    threads: int = 1,
) -> Samples:
    """Play n games at once, the network against itself, and return every position.

    What a position is said to be worth is a mean of what was thought of the next ones and of the
    result; `patience` is the weight of all that comes later (1: of the result alone).
    """
    batch = bf.BatchBoard(n, VARIANT, threads=threads)
    thoughts: list[Thought] = []
    signs: list[Floats] = []
    while not batch.done.all():
        thought = think(net, batch, candidates, trust, random)
        thoughts.append(thought)
        signs.append(np.where(batch.player[thought.games] == 0, 1, -1).astype(np.float32))
        actions = np.full(n, -1, np.int32)
        actions[thought.games] = thought.chosen
        batch.step(actions)
    later = results(batch)
    samples = []
    # Backwards from the result, as player 0 sees it.
    for thought, sign in zip(reversed(thoughts), reversed(signs), strict=True):
        games = thought.games
        later[games] = patience * later[games] + (1 - patience) * sign * thought.worth
        samples.append(
            Samples(
                thought.planes,
                thought.hands,
                sign * later[games],
                thought.ids,
                thought.counts,
                thought.wanted,
            )
        )
    return Samples.join(samples)


def match(net: Net, name: str, n: int, candidates: int, trust: float, seed: int) -> Floats:
    """Play n games against a bot, each side beginning half of them.

    Returns
    -------
    ndarray of float32, shape (n,)
        The network's lead in each game.
    """
    batch = bf.BatchBoard(n, VARIANT)
    bot = bots.make(name, seed=seed)
    own = np.arange(n) % 2
    while not batch.done.all():
        actions = np.full(n, -1, np.int32)
        mine = np.flatnonzero(batch.player == own)
        if len(mine):
            actions[mine] = think(net, batch.take(mine), candidates, trust).chosen
        for game in np.flatnonzero(batch.player == 1 - own):
            actions[game] = bot.choose(batch[game])
        batch.step(actions)
    scores = batch.scores()
    games = np.arange(n)
    return (scores[games, own] - scores[games, 1 - own]).astype(np.float32)


def win_rate(leads: Floats) -> tuple[float, float, float]:
    """Return the share of wins, draws counting half, and its Wilson interval at 95 %."""
    n, z = len(leads), 1.96
    share = float((leads > 0).mean() + (leads == 0).mean() / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return share, middle - reach, middle + reach
