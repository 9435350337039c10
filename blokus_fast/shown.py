"""How objects show themselves: as the call that makes them. Imports nothing of the package."""

from __future__ import annotations

__all__ = ["call_text", "short"]

_LONGEST = 60


def short(value: object) -> str:
    """Return the repr of a value for a message, cut where it is long."""
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def call_text(of: object, *values: object, **named: object) -> str:
    """Return the call that makes an object like this one; what is None is left out.

    Examples
    --------
    >>> from blokus_fast.shown import call_text
    >>> call_text([], 1, seed=None, name="x")
    "list(1, name='x')"
    """
    words = [repr(value) for value in values if value is not None]
    words += [f"{name}={value!r}" for name, value in named.items() if value is not None]
    return f"{type(of).__name__}({', '.join(words)})"
