"""Checks of arguments that several modules make, so that they all say the same.

Imports nothing of the package.
"""

from __future__ import annotations

import math

__all__ = ["expect", "positive"]


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
        shown = repr(value)
        shown = shown if len(shown) <= 60 else f"{shown[:60]}..."
        raise ValueError(f"{name} must be a positive number, not {shown}")
    return number
