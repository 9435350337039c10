"""What is done with the samples: steps of gradient descent, on boards turned at random."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from network import SIZE, VARIANT, Net
from play import Samples
from torch import nn
from torch.nn import functional

import blokus_fast as bf

# Duo looks the same from four sides: to the network, each is a new position to learn from.
SYMMETRIES = bf.symmetries(VARIANT)
_MOVES = np.stack([each.moves for each in SYMMETRIES])
_BACK = np.stack([np.argsort(each.squares) for each in SYMMETRIES])


def turned(
    planes: torch.Tensor,
    ids: npt.NDArray[np.int32],
    row: npt.NDArray[np.int64],
    which: npt.NDArray[np.int64],
) -> tuple[torch.Tensor, npt.NDArray[np.int64]]:
    """Apply a symmetry to each position: to its planes and to its moves."""
    squares = torch.from_numpy(_BACK[which])[:, None, :].expand(-1, planes.shape[1], -1)
    seen = planes.flatten(2).gather(2, squares).view(-1, planes.shape[1], SIZE, SIZE)
    return seen, _MOVES[which[row], ids].astype(np.int64)


def learn(
    net: Net,
    optimizer: torch.optim.Optimizer,
    samples: Samples,
    random: np.random.Generator,
    size: int = 256,
) -> tuple[float, float]:
    """Go once through the samples; return the losses of policy and value.

    The loss of the policy is how far it is from what was wanted (Kullback-Leibler), that of the
    value the mean square of its error, in units of the variance of what was wanted.
    """
    offsets = np.concatenate([[0], np.cumsum(samples.counts)])
    order = random.permutation(len(samples.counts))
    losses = []
    for start in range(0, len(order) - size + 1, size):
        chosen = order[start : start + size]
        counts = samples.counts[chosen]
        row = np.repeat(np.arange(size), counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        places = offsets[chosen][row] + within
        which = random.integers(len(SYMMETRIES), size=size)
        planes, ids = turned(samples.planes[chosen], samples.ids[places], row, which)
        hands, wanted = samples.hands[chosen], torch.from_numpy(samples.wanted[places])
        x = net.inside(planes, hands)
        logits = net.policy(x, planes, hands, torch.from_numpy(ids), torch.from_numpy(row))
        error = functional.mse_loss(net.value(x, hands), torch.from_numpy(samples.values[chosen]))
        distance = (wanted * ((wanted + 1e-9).log() - logits)).sum() / size
        optimizer.zero_grad()
        (distance + 2 * error).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        losses.append((distance.item(), error.item()))
    policy, value = np.mean(losses, axis=0).tolist() if losses else (float("nan"),) * 2
    return policy, value / float(samples.values.var() + 1e-9)
