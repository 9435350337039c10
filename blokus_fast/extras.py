"""What to install for a part of the package whose libraries are missing: all hints come from here.

The libraries of each extra are read from what the installed package says of itself, which is what
pyproject.toml says: a hint that names them works everywhere, whether the package was released or
not, and with the sources at hand or without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["install_hint", "libraries"]

_PACKAGE = "blokus-fast"
_OURS = re.compile(rf"{_PACKAGE}\[([\w,-]+)\]")


def libraries(extra: str) -> tuple[str, ...]:
    """Return what an extra of this package brings, as pip takes it.

    Parameters
    ----------
    extra : str
        Name of the extra.

    Returns
    -------
    tuple of str
        Names with the versions that are needed, sorted; empty if there is no such extra, or the
        package is not installed as one.

    Examples
    --------
    >>> from blokus_fast.extras import libraries
    >>> [name.partition(">")[0] for name in libraries("rl")]
    ['gymnasium', 'pettingzoo']
    """
    # Few ask, and it takes as long to import as all the rest.
    from importlib.metadata import PackageNotFoundError, requires

    try:
        found = requires(_PACKAGE) or []
    except PackageNotFoundError:
        return ()
    return tuple(sorted(set(_needed(extra, found, set()))))


def _needed(extra: str, requirements: list[str], seen: set[str]) -> Iterator[str]:
    """Yield the libraries of an extra, and of our own extras among them."""
    seen.add(extra)
    for requirement in requirements:
        name, _, marker = (part.strip() for part in requirement.partition(";"))
        if re.search(rf"extra == ['\"]{re.escape(extra)}['\"]", marker) is None:
            continue
        ours = _OURS.fullmatch(name)
        if ours is None:
            yield name
            continue
        for other in ours[1].split(","):
            if other not in seen:
                yield from _needed(other, requirements, seen)


def install_hint(extra: str) -> str:
    """Return the command that installs what an extra brings.

    Parameters
    ----------
    extra : str
        Name of the extra.

    Returns
    -------
    str
        Part of a sentence, to stand at the end of a message.

    Examples
    --------
    >>> from blokus_fast.extras import install_hint
    >>> install_hint("openspiel")  # doctest: +ELLIPSIS
    "pip install 'open_spiel>=...' (or, in the folder of the sources, pip install '.[openspiel]')"
    """
    here = f"pip install '.[{extra}]'"
    names = " ".join(f"'{name}'" for name in libraries(extra))
    if not names:
        return f"{here} in the folder of the sources of {_PACKAGE}"
    return f"pip install {names} (or, in the folder of the sources, {here})"
