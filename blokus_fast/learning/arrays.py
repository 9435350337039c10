"""Callers' arrays, to be filled or as numbers of games: checked, with errors in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["numbers_of", "output"]


def output(
    out: Any, shape: tuple[int | None, ...], dtypes: tuple[np.dtype[Any], ...], name: str
) -> npt.NDArray[Any]:
    """Return an array that can be filled: the caller's, if it fits, or a new one.

    A None in the shape fits any length; the first of the dtypes is that of a new array.
    """
    if out is None:
        return np.empty(shape, dtypes[0])  # type: ignore[arg-type]
    if not isinstance(out, np.ndarray):
        raise TypeError(f"{name} must be an array, not {type(out).__name__}")
    if out.dtype not in dtypes:
        names = " or ".join(str(dtype) for dtype in dtypes)
        raise ValueError(f"{name} must have dtype {names}, not {out.dtype}")
    if len(out.shape) != len(shape) or any(
        wanted not in (None, length) for wanted, length in zip(shape, out.shape, strict=True)
    ):
        words = str(shape).replace("None", "any")
        raise ValueError(f"{name} must have shape {words}, not {out.shape}")
    if not out.flags.c_contiguous:
        raise ValueError(f"{name} must be C-contiguous: it has strides {out.strides}")
    if not out.flags.aligned:
        raise ValueError(f"{name} must be aligned in memory")
    if not out.flags.writeable:
        raise ValueError(f"{name} is read-only")
    return out


def numbers_of(where: Any, n: int, name: str) -> npt.NDArray[np.int64]:
    """Return the numbers of games, of which there are n: all, those marked, or those given."""
    if where is None:
        return np.arange(n, dtype=np.int64)
    array = np.asarray(where)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not shape {array.shape}")
    if array.dtype == np.bool_:
        if len(array) != n:
            raise ValueError(f"{name} must have shape ({n},), not {array.shape}")
        return np.flatnonzero(array).astype(np.int64)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} must be of bool or integers, not {array.dtype}")
    wrong = (array < -n) | (array >= n)
    if wrong.any():
        raise IndexError(f"{name}: game {array[wrong][0]} is not in a batch of {n}")
    numbers = array.astype(np.int64)
    return np.ascontiguousarray(np.where(numbers < 0, numbers + n, numbers))
