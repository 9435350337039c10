"""Networks as bots: a policy is a function from observations to logits of actions.

Owns which files of networks can be loaded, and how a move is drawn. The libraries of networks
are imported when a file asks for one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from blokus_fast._core import Board
from blokus_fast.envs._support import need
from blokus_fast.envs.views import Views
from blokus_fast.files import replaced
from blokus_fast.learning.batch import BatchBoard
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["SUFFIXES", "Policy", "PolicyBot", "load_policy", "save_network", "sb3_logits"]

SUFFIXES: Final = (".zip", ".pt2")
"""What files of networks are called: MaskablePPO's of sb3-contrib, and torch's of exported ones."""

Logits = Callable[[Any], Any]
"""A function from observations, a row for each game, to logits of all actions."""


class Policy:
    """A network, or any function, that chooses actions.

    Parameters
    ----------
    logits : callable
        Called with observations as a vector environment returns them: a dictionary of arrays
        with a row for each game, or one array. Returns logits, (games, actions), as an array or a
        tensor; those of illegal actions do not count.
    sample : bool
        Whether actions are drawn by their probability. If not, the most likely one is taken.
    name : str
        What its bots are called.
    looks : dict, optional
        What it sees: the options of `Views`. Default: what the learner of the environment sees.

    Examples
    --------
    >>> import numpy as np
    >>> import blokus_fast as bf
    >>> from blokus_fast.envs.policies import Policy
    >>> last = Policy(lambda seen: np.arange(13729.0)[None], sample=False, name="last")
    >>> board = bf.Board("duo")
    >>> last.bot().choose(board) == board.legal_ids()[-1].item()
    True
    """

    def __init__(
        self,
        logits: Logits,
        *,
        sample: bool = True,
        name: str = "policy",
        looks: Mapping[str, Any] | None = None,
    ) -> None:
        if not callable(logits):
            raise TypeError(f"logits must be a function of observations, not {logits!r}")
        self.logits = logits
        self.sample = sample
        self.name = name
        self.looks = None if looks is None else dict(looks)

    def __repr__(self) -> str:
        return f"<Policy {self.name}>"

    def bot(self, *, seed: int | None = None, views: Views | None = None) -> PolicyBot:
        """Make a bot that follows the policy.

        Parameters
        ----------
        seed : int, optional
            Of its random numbers. Default: by chance.
        views : Views, optional
            What it sees, where the policy does not say it.

        Returns
        -------
        PolicyBot
            The bot.
        """
        return PolicyBot(self, seed=seed, views=views)

    def of_batch(self, batch: BatchBoard, views: Views) -> npt.NDArray[Any]:
        """Return the logits for whoever is to move in each game.

        Parameters
        ----------
        batch : BatchBoard
            The games.
        views : Views
            What is seen.

        Returns
        -------
        ndarray
            A row for each game.

        Raises
        ------
        ValueError
            The function returned something of another shape.
        """
        mask = None
        if views.in_observation:
            mask = views.seen_mask(
                batch.legal_mask(np.empty((len(batch), batch.n_actions), np.int8)), batch.turn
            )
        found: Any = self.logits(views.pack(views.of_batch(batch), mask))
        if hasattr(found, "detach"):
            found = found.detach().cpu()
        array = np.asarray(found)
        if array.shape != (len(batch), batch.n_actions):
            raise ValueError(
                f"{self!r} returned logits of shape {array.shape}, "
                f"not {(len(batch), batch.n_actions)}"
            )
        return array


class PolicyBot:
    """A bot that follows a policy; `Policy.bot` makes it.

    Parameters
    ----------
    policy : Policy
        The policy.
    seed : int, optional
        Of its random numbers. Default: by chance.
    views : Views, optional
        What it sees, where the policy does not say it. Default: what environments show.

    Attributes
    ----------
    name : str
        The policy's.

    Examples
    --------
    >>> import numpy as np
    >>> import blokus_fast as bf
    >>> from blokus_fast.envs.policies import Policy, PolicyBot
    >>> bot = PolicyBot(Policy(lambda seen: np.zeros((1, 13729))), seed=1)
    >>> bf.Board("duo").is_legal(bot.choose(bf.Board("duo")))
    True
    """

    def __init__(
        self, policy: Policy, *, seed: int | None = None, views: Views | None = None
    ) -> None:
        self.policy = policy
        self.name = policy.name
        self._random = np.random.default_rng(seed)
        self._views = views if policy.looks is None else None

    def views(self, batch: BatchBoard | Board) -> Views:
        """Return what the bot sees of games of a variant.

        Parameters
        ----------
        batch : BatchBoard or Board
            The games.

        Returns
        -------
        Views
            The same for all games of a variant.
        """
        if self._views is None or self._views.observer.variant != batch.variant:
            self._views = Views(batch.variant, **(self.policy.looks or {}))
        return self._views

    def choose(self, board: Board) -> int:
        """Choose a move for the color to move.

        Parameters
        ----------
        board : Board
            The position; the game must not be over.

        Returns
        -------
        int
            Id of a legal move.
        """
        batch = BatchBoard(1, board.variant)
        batch[0] = board
        views = self.views(board)
        return self.pick(self.policy.of_batch(batch, views)[0], board, views)

    def pick(self, logits: npt.NDArray[Any], board: Board, views: Views) -> int:
        """Choose among the legal moves by logits of all actions.

        Parameters
        ----------
        logits : ndarray
            Of all actions, as they are seen.
        board : Board
            The position.
        views : Views
            What is seen.

        Returns
        -------
        int
            Id of a legal move.
        """
        ids = views.seen_ids(board.legal_ids(), board.turn)
        own = np.asarray(logits[ids], np.float64)
        if self.policy.sample:
            # The largest of logits with Gumbel's noise is drawn by probability.
            own = own + self._random.gumbel(size=len(own))
        return int(views.meant(int(ids[int(np.nanargmax(own))]), board.turn))


class _Saved(Policy):
    """A policy from a file, which other processes load for themselves."""

    def __init__(self, path: Path, stamp: int) -> None:
        try:
            logits, looks = _LOADERS[path.suffix](path)
        except (ImportError, OSError):
            raise
        except Exception as error:  # of all kinds, and none of them names the file
            why = str(error).partition("\n")[0][:200]
            raise ValueError(f"{path}: no network can be read from it: {why}") from error
        super().__init__(logits, name=path.stem, looks=looks)
        self.path, self._stamp = path, stamp

    def __reduce__(self) -> tuple[Callable[[Path], Policy], tuple[Path]]:
        return load_policy, (self.path,)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # nothing in it changes


_loaded: dict[Path, _Saved] = {}


def load_policy(path: str | PathLike[str]) -> Policy:
    """Load a network that was saved.

    Parameters
    ----------
    path : str or path
        A file: ``.zip`` of MaskablePPO (`model.save`), or ``.pt2`` of `save_network` or
        `torch.export.save`: a program that is called with the observation's parts as float32
        tensors in their order, the mask left out, and returns logits.

    Returns
    -------
    Policy
        The policy. A file that has not changed is loaded once.

    Raises
    ------
    ValueError
        The name ends in something else, or the file holds no network.
    FileNotFoundError
        There is no such file.
    ImportError
        The library that reads it is not installed; the message says how to install it.

    Examples
    --------
    >>> from blokus_fast.envs.policies import load_policy
    >>> load_policy("network.h5")
    Traceback (most recent call last):
    ...
    ValueError: a network is in a file that ends in .zip or .pt2, not 'network.h5'
    """
    file = Path(path)
    if file.suffix not in SUFFIXES:
        raise ValueError(
            f"a network is in a file that ends in {' or '.join(SUFFIXES)}, not {str(path)[:200]!r}"
        )
    file = file.resolve()
    stamp = os.stat(file).st_mtime_ns
    known = _loaded.get(file)
    if known is None or known._stamp != stamp:
        known = _loaded[file] = _Saved(file, stamp)
    return known


def sb3_logits(model: Any) -> Logits:
    """Return the logits of a model of MaskablePPO, for a `Policy`.

    Parameters
    ----------
    model : sb3_contrib.MaskablePPO
        The model. It may go on learning.

    Returns
    -------
    callable
        A function from observations to logits.

    Examples
    --------
    >>> from blokus_fast.envs.policies import Policy, sb3_logits
    >>> def bot_of(model):
    ...     return Policy(sb3_logits(model), name="my PPO").bot(seed=1)
    """
    torch = need("torch", "train", __name__)

    def logits(seen: Any) -> Any:
        model.policy.set_training_mode(False)
        with torch.no_grad():
            tensors, _ = model.policy.obs_to_tensor(seen)
            return model.policy.get_distribution(tensors).distribution.logits

    return logits


def _of_sb3(path: Path) -> _Loaded:
    need("sb3_contrib", "train", __name__)
    from sb3_contrib import MaskablePPO

    return sb3_logits(MaskablePPO.load(path, device="cpu")), None


def _of_torch(path: Path) -> _Loaded:
    torch = need("torch", "learn", __name__)
    extra = {_LOOKS: ""}
    module = torch.export.load(path, extra_files=extra).module()

    def logits(seen: Any) -> Any:
        parts = seen if isinstance(seen, dict) else {"observation": seen}
        tensors = [
            torch.as_tensor(np.asarray(part, np.float32))
            for part in parts.values()
            if part.dtype != np.int8  # the mask, whatever it is called
        ]
        with torch.no_grad():
            return module(*tensors)

    return logits, json.loads(extra[_LOOKS]) if extra[_LOOKS] else None


_Loaded = tuple[Logits, dict[str, Any] | None]
_LOADERS: Final[Mapping[str, Callable[[Path], _Loaded]]] = {".zip": _of_sb3, ".pt2": _of_torch}
_LOOKS: Final = "looks.json"  # in the file of a network of torch: what it sees


def save_network(
    network: Any, path: str | PathLike[str], variant: str | Variant, **looks: Any
) -> None:
    """Save a network of torch with what it sees, for `opponents=` and `load_policy`.

    Parameters
    ----------
    network : torch.nn.Module
        Called with the observation's parts as float32 tensors in their order, the mask left out,
        and a row for each game; it returns logits of all actions.
    path : str or path
        A file that ends in ``.pt2``.
    variant : str or Variant
        For which variant.
    **looks
        The options of `Views` with which it learned.

    Raises
    ------
    ValueError
        The name ends in something else.
    ImportError
        PyTorch is not installed; the message says how to install it.

    Examples
    --------
    >>> from blokus_fast.envs.policies import save_network
    >>> save_network(None, "network.onnx", "duo")
    Traceback (most recent call last):
    ...
    ValueError: a network of torch is saved in a file that ends in .pt2, not 'network.onnx'
    """
    file = Path(path)
    if file.suffix != ".pt2":
        raise ValueError(
            f"a network of torch is saved in a file that ends in .pt2, not {str(path)[:200]!r}"
        )
    torch = need("torch", "learn", __name__)
    views = Views(find_variant(variant), **looks)
    some = tuple(torch.zeros(2, *shape) for shape, _ in views.layout.values())
    games = torch.export.Dim("games")
    program = torch.export.export(network, some, dynamic_shapes=tuple({0: games} for _ in some))
    with replaced(file) as place:
        torch.export.save(program, place, extra_files={_LOOKS: json.dumps(looks, allow_nan=False)})
