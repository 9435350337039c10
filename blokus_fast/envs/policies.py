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
from blokus_fast.checking import integer_or_none
from blokus_fast.envs._support import need
from blokus_fast.envs.views import Views
from blokus_fast.files import replaced
from blokus_fast.learning.batch import BatchBoard
from blokus_fast.shown import call_text
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant
from blokus_fast.variants.text import parse_variant, variant_text

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
    variant : str or Variant, optional
        What it has learned to play, if somebody should look whether that is what it meets.

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
        variant: str | Variant | None = None,
    ) -> None:
        if not callable(logits):
            raise TypeError(f"logits must be a function of observations, not {logits!r}")
        self.logits = logits
        self.sample = sample
        self.name = name
        self.looks = None if looks is None else dict(looks)
        self.variant = None if variant is None else find_variant(variant)

    def check(self, views: Views) -> None:
        """See whether it can play a variant, before it is asked for a move.

        Parameters
        ----------
        views : Views
            Of that variant: what it sees, where the policy does not say it.

        Raises
        ------
        ValueError
            It is for a variant with another board, other actions or other colors; or it is a
            network from a file, and does not take what it is shown.

        Examples
        --------
        >>> import numpy as np
        >>> import blokus_fast as bf
        >>> from blokus_fast.envs.policies import Policy
        >>> from blokus_fast.envs.views import Views
        >>> policy = Policy(lambda seen: np.zeros((1, 13729)), name="mine", variant="duo")
        >>> policy.check(Views(bf.variant("duo", start="assigned")))
        >>> policy.check(Views(bf.variant("classic")))
        Traceback (most recent call last):
        ...
        ValueError: mine is for duo (14 x 14, 2 colors), and cannot play classic (20 x 20, 4 colors)
        """
        variant = views.observer.variant
        if self.variant is not None and _board_of(self.variant) != _board_of(variant):
            raise ValueError(
                f"{self.name} is for {_words_of(self.variant)}, and cannot play "
                f"{_words_of(variant)}"
            )

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

    Raises
    ------
    ValueError
        The policy cannot play the variant of these `views`.

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
        self.seed = integer_or_none(seed, "seed")
        self._random = np.random.default_rng(self.seed)
        if views is not None:
            policy.check(views)
        self._views = views if policy.looks is None else None

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(self, self.policy, seed=self.seed)

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
            views = Views(batch.variant, **(self.policy.looks or {}))
            self.policy.check(views)
            self._views = views
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
            logits, looks, variant = _LOADERS[path.suffix](path)
        except (ImportError, OSError):
            raise
        except Exception as error:  # of all kinds, and none of them names the file
            why = str(error).partition("\n")[0][:200]
            raise ValueError(f"{path}: no network can be read from it: {why}") from error
        super().__init__(logits, name=path.stem, looks=looks, variant=variant)
        self.path, self._stamp = path, stamp
        self._played: list[Any] = []

    def check(self, views: Views) -> None:
        """See whether it can play a variant: ask it for a move."""
        super().check(views)
        variant = views.observer.variant
        # What it has played, it can play: it is asked once.
        shown = (_board_of(variant), self.looks is None and views.layout, views.masks, views.bare)
        if shown in self._played:
            return
        own = views if self.looks is None else Views(variant, **self.looks)
        try:
            self.of_batch(BatchBoard(1, variant), own)
        except Exception as error:  # of all kinds, and most of them are about tensors
            why = str(error).partition("\n")[0][:200] or type(error).__name__
            raise ValueError(
                f"{self.path}: the network cannot play {_words_of(variant)} as it is seen here: "
                f"{why}"
            ) from error
        self._played.append(shown)

    def __reduce__(self) -> tuple[Callable[[Path], Policy], tuple[Path]]:
        return load_policy, (self.path,)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self  # nothing in it changes


def _board_of(variant: Variant) -> tuple[int, int, int]:
    """Return what the shapes of observations and logits follow from."""
    return variant.size, variant.n_colors, variant._rules().n_actions


def _words_of(variant: Variant) -> str:
    return f"{variant.name} ({variant.size} x {variant.size}, {variant.n_colors} colors)"


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

    return sb3_logits(MaskablePPO.load(path, device="cpu")), None, None


def _of_torch(path: Path) -> _Loaded:
    torch = need("torch", "learn", __name__)
    extra = {_LOOKS: "", _VARIANT: ""}
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

    looks = json.loads(extra[_LOOKS]) if extra[_LOOKS] else None
    return logits, looks, parse_variant(extra[_VARIANT]) if extra[_VARIANT] else None


_Loaded = tuple[Logits, dict[str, Any] | None, Variant | None]
_LOADERS: Final[Mapping[str, Callable[[Path], _Loaded]]] = {".zip": _of_sb3, ".pt2": _of_torch}
# In the file of a network of torch: what it sees, and what it plays.
_LOOKS: Final = "looks.json"
_VARIANT: Final = "variant.txt"


def save_network(
    network: Any, path: str | PathLike[str], variant: str | Variant, **looks: Any
) -> None:
    """Save a network of torch with what it sees and plays, for `opponents=` and `load_policy`.

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
    rules = find_variant(variant)
    views = Views(rules, **looks)
    some = tuple(torch.zeros(2, *shape) for shape, _ in views.layout.values())
    games = torch.export.Dim("games")
    program = torch.export.export(network, some, dynamic_shapes=tuple({0: games} for _ in some))
    extra = {_LOOKS: json.dumps(looks, allow_nan=False), _VARIANT: variant_text(rules)}
    with replaced(file) as place:
        torch.export.save(program, place, extra_files=extra)
