"""The network: a few convolutions, a value, and a policy over the moves that are legal.

A policy over all 13,729 moves of Duo would have to learn each of them. This one gives marks to
squares, and a move gets the sum of the marks of the squares that it covers, of those at its
corners and of those at its edges, and one for its piece. So what is learned of one move holds for
all that look alike, and only the legal moves cost anything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

import blokus_fast as bf
from blokus_fast.moves import moves_to_placements, moves_to_squares

VARIANT = "duo"
GROUPS = ("own", "corner", "forbidden")
OBSERVER = bf.Observer(VARIANT, view="mover", dtype="float32", groups=GROUPS)
SIZE = OBSERVER.variant.size
N_MOVES = bf.Board(VARIANT).n_moves
N_PIECES = len(bf.PIECES)
# Beside those of the observer there is a plane of the moves that cover each square, and beside
# the pieces in both hands how many moves there are with each.
N_PLANES = OBSERVER.shape[0] + 1
N_HAND = 3 * N_PIECES
_SQUARES = SIZE * SIZE
_NOTHING = 3 * _SQUARES  # the number of a mark that is always 0

_PIECE_OF = moves_to_placements(np.arange(N_MOVES), SIZE)[:, 0].astype(np.int64)
_SQUARES_OF = moves_to_squares(np.arange(N_MOVES), SIZE).astype(np.int64)
_SQUARES_OF[_SQUARES_OF < 0] = _SQUARES  # padding, counted where nobody looks


def _neighborhoods() -> npt.NDArray[np.int64]:
    """Return for each move the numbers of the marks that it adds up, padded with `_NOTHING`.

    Marks 0 to 195 are for covered squares, the next 196 for corners, the last for edges.
    """
    found = []
    for squares in moves_to_squares(np.arange(N_MOVES), SIZE).tolist():
        own = {(s // SIZE, s % SIZE) for s in squares if s >= 0}
        edges = {(r + dr, c + dc) for r, c in own for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        corners = {(r + dr, c + dc) for r, c in own for dr in (-1, 1) for dc in (-1, 1)}
        parts = (own, corners - edges - own, edges - own)
        marks = [
            kind * _SQUARES + row * SIZE + column
            for kind, part in enumerate(parts)
            for row, column in sorted(part)
            if 0 <= row < SIZE and 0 <= column < SIZE
        ]
        found.append(marks)
    width = max(map(len, found))
    return np.array([marks + [_NOTHING] * (width - len(marks)) for marks in found])


class Net(nn.Module):
    """Policy and value of positions, as the player to move sees them.

    Parameters
    ----------
    channels : int
        Planes inside.
    depth : int
        Convolutions after the first.
    """

    def __init__(self, channels: int = 16, depth: int = 2) -> None:
        super().__init__()
        self.first = nn.Conv2d(N_PLANES + 1, channels, 5, padding=2)
        self.hand = nn.Linear(N_HAND, channels)
        self.convolutions = nn.ModuleList(
            nn.Conv2d(channels, channels, 3, padding=1) for _ in range(depth)
        )
        self.marks = nn.Conv2d(channels + N_PLANES, 3, 3, padding=1)
        self.pieces = nn.Sequential(
            nn.Linear(N_HAND + channels, 64), nn.ReLU(), nn.Linear(64, N_PIECES)
        )
        self.worth = nn.Sequential(
            nn.Linear(N_HAND + 2 * channels, 64), nn.ReLU(), nn.Linear(64, 1)
        )
        for layer in (self.marks, self.pieces[2], self.worth[2]):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
        self.register_buffer("neighborhoods", torch.from_numpy(_neighborhoods()), False)
        self.register_buffer("piece_of", torch.from_numpy(_PIECE_OF), False)

    def inside(self, planes: Tensor, hands: Tensor) -> Tensor:
        """Return what value and policy are made of."""
        # A plane of ones tells squares at the rim from those with nothing around them.
        board = functional.pad(planes, (0, 0, 0, 0, 0, 1), value=1.0)
        x = functional.relu(self.first(board) + self.hand(hands)[:, :, None, None])
        for layer in self.convolutions:
            x = functional.relu(x + layer(x))
        return x

    def value(self, x: Tensor, hands: Tensor) -> Tensor:
        """Return the lead that the player to move can expect, in units of 20 points."""
        means, peaks = x.mean((2, 3)), x.amax((2, 3))
        worth: Tensor = self.worth(torch.cat([means, peaks, hands], 1))
        return worth[:, 0]

    def policy(self, x: Tensor, planes: Tensor, hands: Tensor, ids: Tensor, row: Tensor) -> Tensor:
        """Return the logarithm of the probability of moves.

        Parameters
        ----------
        x, planes, hands : Tensor
            Positions.
        ids, row : Tensor, shape (m,)
            Moves, and which position each belongs to.
        """
        marks = functional.pad(self.marks(torch.cat([x, planes], 1)).flatten(1), (0, 1))
        pieces = self.pieces(torch.cat([hands, x.mean((2, 3))], 1))
        places = self.neighborhoods[ids] + (row * marks.shape[1])[:, None]
        # `gather` on one axis: its way back is much quicker than that of fancy indices.
        sums = marks.flatten().gather(0, places.flatten()).view(places.shape).sum(1)
        logits = sums + pieces.flatten().gather(0, row * N_PIECES + self.piece_of[ids])
        return log_softmax(logits, row, len(x))


def log_softmax(logits: Tensor, row: Tensor, n: int) -> Tensor:
    """Turn logits into logarithms of probabilities, separately for each of n rows."""
    top = torch.full((n,), -1e9).scatter_reduce(0, row, logits.detach(), "amax")
    total = torch.zeros(n).index_add(0, row, (logits - top[row]).exp())
    return logits - (top + total.log())[row]


@dataclass
class Seen:
    """Positions as the player to move sees them, and his legal moves.

    `planes` are the observer's and one of how many moves cover each square, `hands` the pieces
    of both and how many moves there are with each. Position i has the moves
    ``ids[offsets[i]:offsets[i + 1]]``; `row` is the position of each move.
    """

    planes: Tensor
    hands: Tensor
    ids: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]


def observe(batch: bf.BatchBoard) -> Seen:
    """Return what the player to move sees in each game."""
    n = len(batch)
    ids, offsets = batch.legal_ids()
    row = np.repeat(np.arange(n), np.diff(offsets))
    planes = np.empty((n, N_PLANES, SIZE, SIZE), np.float32)
    planes[:, :-1] = batch.observe(observer=OBSERVER)
    # How many moves cover each square, and use each piece: the player's room to move.
    places = (row * (_SQUARES + 1))[:, None] + _SQUARES_OF[ids]
    covers = np.bincount(places.ravel(), minlength=n * (_SQUARES + 1)).reshape(n, -1)
    planes[:, -1] = np.log1p(covers[:, :_SQUARES]).reshape(n, SIZE, SIZE) / 4
    uses = np.bincount(row * N_PIECES + _PIECE_OF[ids], minlength=n * N_PIECES)
    turn = np.maximum(batch.turn, 0)
    hands, games = batch.hands()[:, 0], np.arange(n)
    parts = [hands[games, turn], hands[games, 1 - turn], np.log1p(uses).reshape(n, -1) / 3]
    seen = np.concatenate(parts, axis=1, dtype=np.float32)
    return Seen(torch.from_numpy(planes), torch.from_numpy(seen), ids, offsets, row)
