"""Checks of arguments that several modules make, so that they all say the same.

Imports nothing of the package but how values are shown.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

from blokus_fast.shown import short

__all__ = ["called_back", "expect", "integer", "integer_or_none", "iterated", "positive"]


def expect(value: object, kinds: type | tuple[type, ...], name: str) -> None:
    """Raise TypeError unless an argument is of one of some kinds."""
    if not isinstance(value, kinds):
        names = [kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,))]
        raise TypeError(f"{name} must be a {' or '.join(names)}, not {type(value).__name__}")


def positive(value: object, name: str) -> float:
    """Return a number that must be above 0 and finite, whatever library it is of."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if isinstance(value, str | bytes) or not 0 < number < math.inf:
        raise ValueError(f"{name} must be a positive number, not {short(value)}")
    return number


def integer(value: object, name: str) -> int:
    """Return an integer, whatever library it is of; a truth value is none, as in the core."""
    if type(value) is int:
        return value
    try:
        if isinstance(value, bool) or type(value).__name__ == "bool":
            raise TypeError
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}") from None


def integer_or_none(value: object, name: str) -> int | None:
    """Return an integer, or None for what was not given, such as a seed."""
    return None if value is None else integer(value, name)


def called_back(value: Callable[..., Any] | None, name: str) -> None:
    """Raise TypeError unless an argument can be called, or is None."""
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be callable, or None, not {type(value).__name__}")


def iterated(values: Any, what: str) -> Iterable[Any]:
    """Return several values; one alone, and a text, which has letters, raise TypeError."""
    if isinstance(values, str | bytes) or not hasattr(type(values), "__iter__"):
        raise TypeError(f"{what}, not {short(values)}")
    return values  # type: ignore[no-any-return]
