"""Arrays for results of many games: memory that nobody holds any more is filled again.

New memory costs more than what is written into it, since the system hands it out page by page.
Owns the question whether an array is still held by somebody.
"""

from __future__ import annotations

import sys
from collections import deque
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blokus_fast.shown import call_text

__all__ = ["Memory"]

_MOST: Final = 4  # arrays of a kind that are looked after; who keeps more gets new ones


def _holders(arrays: deque[Any], index: int) -> int:
    return sys.getrefcount(arrays[index])


def _alone() -> int:
    """Return what `_holders` says of an array that only the deque holds; 0 where it says nothing.

    Views of an array and tensors on its memory hold the array, so they count as well. Without the
    GIL another thread may be about to hold it.
    """
    if not getattr(sys, "_is_gil_enabled", lambda: True)() or not hasattr(sys, "getrefcount"):
        return 0
    return _holders(deque([np.empty(1)]), 0)


_ALONE: Final = _alone()


class Memory:
    """Makes arrays, of memory that is free again if there is some.

    Parameters
    ----------
    kept : bool
        Whether the same array is returned every time, held or not.

    Examples
    --------
    >>> import numpy as np
    >>> from blokus_fast.envs.memory import Memory
    >>> memory = Memory()
    >>> first = memory("mask", (2, 3), np.int8)
    >>> second = memory("mask", (2, 3), np.int8)
    >>> first is second
    False
    >>> del first  # its memory is free again; a Python without the GIL gets new memory each time
    >>> memory("mask", (2, 3), np.int8) is second
    False
    """

    def __init__(self, kept: bool = False) -> None:
        self.kept = kept
        self._arrays: dict[str, deque[npt.NDArray[Any]]] = {}

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(self, kept=self.kept)

    def __call__(self, name: str, shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
        """Return an array with anything in it.

        Parameters
        ----------
        name : str
            What it is for; with the same name come the same shape and dtype.
        shape : tuple of int
            Its shape.
        dtype : dtype
            Its dtype.

        Returns
        -------
        ndarray
            An array that nobody else holds, unless it is `kept`.
        """
        arrays = self._arrays.setdefault(name, deque(maxlen=1 if self.kept else _MOST))
        for index in range(len(arrays)):
            if self.kept or (_ALONE and _holders(arrays, index) == _ALONE):
                return arrays[index]
        array = np.empty(shape, dtype)
        arrays.append(array)
        return array

    # A copy of an environment has memory of its own.
    def __reduce__(self) -> tuple[type[Memory], tuple[bool]]:
        return Memory, (self.kept,)
