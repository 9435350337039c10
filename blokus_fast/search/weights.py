"""The weights of the move prior: files of them, and which one a variant plays with.

Owns the format of the files. What the numbers stand for is in ``src/search/evaluation.h``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from blokus_fast import _core, files
from blokus_fast.search.data import parse_file
from blokus_fast.variants import Variant

__all__ = ["VERSION", "Weights", "default_weights", "load_weights"]

VERSION = 1
"""Version of the features: weights of another one say nothing about these."""

_FORMAT = "blokus-fast move prior"
_SHAPES: Mapping[str, tuple[int, ...]] = {
    "piece": (8, 21),
    "square": (8, 3, 128),
    "gained": (8, 9),
    "taken": (8, 6),
    "pass": (1,),
}
_LARGEST = 16_000

# Of the value function, which weights may have: colors and players are those that it is for.
_INPUTS, _HIDDEN = 64, 32
_VALUE = ("value_hidden", "value_hidden_bias", "value_output", "value_output_bias")


@dataclass(frozen=True, eq=False, repr=False)
class Weights:
    """Weights of the move prior, in units of 1/1024.

    Parameters
    ----------
    arrays : mapping of str to array
        ``piece``, shape (8, 21): by phase (ten squares that the color has placed are one) and
        piece. ``square``, shape (8, 3, 128): by phase, part of the placement (squares covered,
        squares beside it, squares that it touches at a corner) and code of the square.
        ``gained``, shape (8, 9), and ``taken``, shape (8, 6): by phase and number of corner
        squares gained, and of the opponents' corner squares covered. ``pass``, shape (1,): of a
        voluntary pass. Values lie in -16000..16000.
    name : str
        What they are called.
    origin : str
        How they came about.

    Raises
    ------
    ValueError
        An array is missing, has another shape, or a value that is too large.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.search import default_weights
    >>> default_weights(bf.variant("duo")).arrays["piece"].shape
    (8, 21)
    """

    arrays: Mapping[str, npt.NDArray[np.int32]]
    name: str = "unnamed"
    origin: str = ""
    _core: Any = field(init=False)

    def __post_init__(self) -> None:
        """Check the arrays and hand them to the core."""
        clean = {}
        for key, shape in _SHAPES.items():
            if key not in self.arrays:
                raise ValueError(f"weights lack {key!r}; needed: {', '.join(_SHAPES)}")
            limits = f"-{_LARGEST}..{_LARGEST}"
            clean[key] = _whole(key, self.arrays[key], shape, _LARGEST, limits)
        prior = np.concatenate([clean[key].ravel() for key in _SHAPES])
        value = _check_value(self.arrays)
        object.__setattr__(self, "arrays", {**clean, **value})
        if value:
            flat = np.concatenate([value[key].ravel() for key in _VALUE])
            colors, players = len(value["value_hidden"]), len(value["value_output"])
            object.__setattr__(self, "_core", _core.Weights(prior, flat, colors, players))
        else:
            object.__setattr__(self, "_core", _core.Weights(prior))

    def __repr__(self) -> str:
        """Return the name."""
        return f"<Weights {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the numbers and texts."""
        return Weights, (dict(self.arrays), self.name, self.origin)

    @property
    def checksum(self) -> str:
        """SHA-256 of the numbers, in hexadecimal."""
        flat = np.concatenate([array.ravel() for array in self.arrays.values()])
        return hashlib.sha256(flat.astype("<i4").tobytes()).hexdigest()

    def save(self, path: str | PathLike[str]) -> None:
        """Write them to a file, whole or not at all.

        Parameters
        ----------
        path : str or path
            Where to; an older file is replaced.

        Raises
        ------
        ValueError
            `origin` has a number that JSON has not: infinity or NaN.
        OSError
            It cannot be written.
        """
        data = {
            "format": _FORMAT,
            "version": VERSION,
            "name": self.name,
            "origin": self.origin,
            "checksum": self.checksum,
            **{key: array.tolist() for key, array in self.arrays.items()},
        }
        files.write_file(
            path, (json.dumps(data, separators=(",", ":"), allow_nan=False) + "\n").encode()
        )


def _whole(
    key: str, values: npt.ArrayLike, shape: tuple[int, ...], largest: int, limits: str
) -> npt.NDArray[np.int32]:
    """Return weights as an array that cannot be changed, if they are as they have to be."""
    array = np.asarray(values)
    if array.shape != shape or not np.issubdtype(array.dtype, np.integer):
        raise ValueError(
            f"weights of {key!r} must be integers of shape {shape}, "
            f"not {array.dtype} of shape {array.shape}"
        )
    if int(np.abs(array.astype(np.int64)).max()) > largest:
        raise ValueError(f"a weight of {key!r} is not in {limits}")
    whole = array.astype(np.int32)
    whole.flags.writeable = False
    return whole


def _check_value(
    arrays: Mapping[str, npt.NDArray[np.int32]],
) -> dict[str, npt.NDArray[np.int32]]:
    """Return the arrays of the value function, if there are any."""
    there = [key for key in _VALUE if key in arrays]
    if not there:
        return {}
    if len(there) < len(_VALUE):
        missing = ", ".join(repr(key) for key in _VALUE if key not in there)
        raise ValueError(f"weights of a value function lack {missing}")
    value = {key: np.asarray(arrays[key]) for key in _VALUE}
    colors, players = (value[key].shape[:1] for key in ("value_hidden", "value_output"))
    if not (1 <= sum(colors) <= 4 and 1 <= sum(players) <= 4):
        raise ValueError(
            f"a value function is for 1 to 4 colors and players, not {colors} and {players}"
        )
    shapes = ((*colors, _INPUTS, _HIDDEN), (_HIDDEN,), (*players, _HIDDEN), players)
    return {
        key: _whole(key, array, shape, np.iinfo(np.int32).max, "32 bits")
        for (key, array), shape in zip(value.items(), shapes, strict=True)
    }


def load_weights(path: str | PathLike[str]) -> Weights:
    """Read weights from a file.

    Parameters
    ----------
    path : str or path
        A file that `Weights.save` has written.

    Returns
    -------
    Weights
        The weights.

    Raises
    ------
    ValueError
        The file holds something else, is of another version, or is damaged.
    OSError
        It cannot be read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import blokus_fast as bf
    >>> from blokus_fast.search import default_weights, load_weights
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "duo.weights")
    ...     default_weights(bf.variant("duo")).save(path)
    ...     print(type(load_weights(path)).__name__)
    Weights
    """
    return _parse(Path(path).read_bytes(), str(path))


def _parse(content: bytes, where: str) -> Weights:
    data = parse_file(content, where, _FORMAT, VERSION, kind="a file of weights", name="weights")
    try:
        arrays = {key: np.array(data[key]) for key in (*_SHAPES, *_VALUE) if key in data}
        weights = Weights(arrays, str(data.get("name")), str(data.get("origin")))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from None
    if data.get("checksum") != weights.checksum:
        raise ValueError(f"{where}: the checksum does not fit: the file is damaged")
    return weights


# The file of each kind of variant; others play with that of the variant that is most like them.
_FILES = ("duo", "classic", "classic-2p", "junior")
_REVERSE = "reverse"


@lru_cache(maxsize=8)
def _shipped(name: str) -> Weights:
    folder = resources.files("blokus_fast.search") / "weights"
    return _parse((folder / f"{name}.json").read_bytes(), f"weights {name}")


def default_weights(variant: Variant) -> Weights:
    """Return the weights that a variant plays with.

    Parameters
    ----------
    variant : Variant
        The variant.

    Returns
    -------
    Weights
        Its own, or those of the shipped variant that is most like it: of Duo where there are two
        colors, of Classic for two players, or for four; of Reverse where the lowest score wins.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.search import default_weights
    >>> default_weights(bf.variant("classic-3p")) is default_weights(bf.variant("classic"))
    True
    """
    if variant.scoring_rule.lowest_wins:
        return _shipped(_REVERSE)
    if variant.name in _FILES:
        return _shipped(variant.name)
    if variant.n_colors <= 2:
        return _shipped("duo")
    return _shipped("classic-2p" if variant.players == 2 and not variant.draft else "classic")
