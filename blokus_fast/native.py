"""The engine for programs that call functions by their address: numba, ctypes, cffi.

C and Cython have a shorter way, the table `bf_api` of the header; docs/native.md shows all three.
Every function works without the GIL on plain structs, whose sizes are here: a position is
`STATE_SIZE` bytes of anybody's memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from blokus_fast import _core
from blokus_fast._core import Batch, Board, Rules

__all__ = [
    "ABI_VERSION",
    "FEATURES_SIZE",
    "POLICY_SIZE",
    "RNG_SIZE",
    "STATE_SIZE",
    "UNDO_SIZE",
    "address",
    "function",
    "rules_address",
    "state_address",
]

_SIZES: Final = _core._sizes()

ABI_VERSION: Final = _SIZES["abi"]
"""int: Version of the structs, ``BF_ABI_VERSION`` of the header."""
STATE_SIZE: Final = _SIZES["state"]
"""int: Bytes of a position, ``bf_state``."""
UNDO_SIZE: Final = _SIZES["undo"]
"""int: Bytes of what a push remembers for its pop, ``bf_undo``."""
RNG_SIZE: Final = _SIZES["rng"]
"""int: Bytes of a generator of random numbers, ``bf_rng``."""
POLICY_SIZE: Final = _SIZES["policy"]
"""int: Bytes of how placements are drawn, ``bf_policy``; zeros draw uniformly."""
FEATURES_SIZE: Final = _SIZES["features"]
"""int: Bytes of the arrays of features, ``bf_features``."""

_POINTER, _INT, _U16 = ctypes.c_size_t, ctypes.c_int, ctypes.c_uint16
_I32, _U32, _U64 = ctypes.c_int32, ctypes.c_uint32, ctypes.c_uint64

# Result and arguments, as in blokus_fast.h. Pointers are integers: numba passes them on as such.
_TYPES: Final[dict[str, tuple[Any, ...]]] = {
    "fill_placements": (_U32, _POINTER, _INT),
    "open": (_U16, _POINTER, _POINTER),
    "push": (None, _POINTER, _POINTER, _U32, _POINTER),
    "pop": (None, _POINTER, _POINTER, _POINTER),
    "list": (_U32, _POINTER, _POINTER, _INT, _POINTER, _POINTER),
    "count": (_U32, _POINTER, _POINTER, _INT),
    "any": (_INT, _POINTER, _POINTER, _INT),
    "mask": (_U32, _POINTER, _POINTER, _INT, _POINTER),
    "draw": (_U32, _POINTER, _POINTER, _POINTER, _POINTER),
    "is_legal": (_INT, _POINTER, _POINTER, _INT, _U32),
    "illegality": (_INT, _POINTER, _POINTER, _INT, _U32, _POINTER),
    "color_score": (_I32, _POINTER, _POINTER, _INT),
    "player_score": (_I32, _POINTER, _POINTER, _INT),
    "key": (_U64, _POINTER, _POINTER),
    "equal": (_INT, _POINTER, _POINTER, _POINTER),
    "features": (None, _POINTER, _POINTER, _INT, _POINTER, _U32, _POINTER),
    "reach": (None, _POINTER, _POINTER, _INT, _INT, _INT, _POINTER),
    "observe": (None, _POINTER, _POINTER, _POINTER, _POINTER),
    "seed": (None, _POINTER, _U64, _U64),
    "random": (_U64, _POINTER),
    "below": (_U32, _POINTER, _U32),
    "playout": (None, _POINTER, _POINTER, _POINTER, _POINTER),
    "set_up": (_INT, _POINTER, _POINTER, _INT, _INT, _POINTER, _POINTER),
    "check": (_INT, _POINTER, _POINTER, _POINTER),
    "take_piece": (_I32, _POINTER, _POINTER),
}


def address(name: str) -> int:
    """Return where a function of the engine is.

    Parameters
    ----------
    name : str
        Name of a member of ``bf_api``, such as ``push``.

    Returns
    -------
    int
        Its address in this process.

    Raises
    ------
    ValueError
        There is no such function; the message lists the names.

    Examples
    --------
    >>> from blokus_fast import native
    >>> native.address("push") > 0
    True
    """
    if name not in _TYPES:
        raise ValueError(f"unknown function {name!r}; valid: {', '.join(_TYPES)}")
    return _core._addresses()[name]


@cache
def function(name: str) -> Callable[..., Any]:
    """Return a function of the engine as ctypes knows it, and numba calls it.

    Parameters
    ----------
    name : str
        Name of a member of ``bf_api``, such as ``push``.

    Returns
    -------
    callable
        It takes and returns integers; pointers are integers too.

    Raises
    ------
    ValueError
        There is no such function; the message lists the names.

    Notes
    -----
    Nothing is checked: pointers must be those of the structs that the header tells of.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast import native
    >>> board = bf.Board("duo")
    >>> rules, state = native.rules_address(board), native.state_address(board)
    >>> native.function("count")(rules, state, -1)
    828
    >>> native.function("key")(rules, state) == board.key()
    True
    """
    # Checked before the types are looked up.
    where = address(name)
    prototype = ctypes.CFUNCTYPE(*_TYPES[name])
    return prototype(where)


def rules_address(thing: Board | Batch | Rules) -> int:
    """Return where the rules of an object are.

    Parameters
    ----------
    thing : Board, BatchBoard or Rules
        The object; as long as it lives, the address is good.

    Returns
    -------
    int
        Address of a ``bf_rules``, which never changes.

    Raises
    ------
    TypeError
        It is something else.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast import native
    >>> board = bf.Board("duo")
    >>> native.rules_address(board) == native.rules_address(board.rules)
    True
    """
    return _core._rules_address(thing)


def state_address(board: Board) -> int:
    """Return where the position of a board is.

    Parameters
    ----------
    board : Board
        The board; as long as it lives, the address is good.

    Returns
    -------
    int
        Address of a ``bf_state``. To be read and copied: to change it would go past the board's
        stack of moves.

    Raises
    ------
    TypeError
        It is something else.

    Examples
    --------
    >>> import blokus_fast as bf, ctypes
    >>> from blokus_fast import native
    >>> board = bf.Board("duo")
    >>> copy = ctypes.string_at(native.state_address(board), native.STATE_SIZE)
    >>> len(copy) == native.STATE_SIZE
    True
    """
    return _core._state_address(board)
