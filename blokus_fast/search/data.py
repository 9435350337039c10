"""How the files of a search begin: their format and its version, which weights and books share."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["parse_file"]


def parse_file(
    content: bytes, where: str, form: str, version: int, *, kind: str, name: str
) -> dict[str, Any]:
    """Return what a file holds, if it is of a format and of the version that is read.

    Parameters
    ----------
    content : bytes
        The file.
    where : str
        What messages call it.
    form : str
        The format that it has to name.
    version : int
        The version that is read.
    kind, name : str
        What messages say that it should be, and what has the version.

    Returns
    -------
    dict
        All that it says.

    Raises
    ------
    ValueError
        It is something else, or of another version.

    Examples
    --------
    >>> from blokus_fast.search.data import parse_file
    >>> text = b'{"format": "menu", "version": 1, "soup": "onion"}'
    >>> parse_file(text, "it", "menu", 1, kind="a menu", name="a menu")["soup"]
    'onion'
    >>> parse_file(text, "it", "menu", 2, kind="a menu", name="a menu")
    Traceback (most recent call last):
    ...
    ValueError: it: a menu of version 1; this release reads 2
    """
    try:
        data = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: not {kind}: {error}") from None
    if not isinstance(data, dict) or data.get("format") != form:
        raise ValueError(f"{where}: not {kind}")
    if data.get("version") != version:
        found = data.get("version")
        raise ValueError(f"{where}: {name} of version {found!r}; this release reads {version}")
    return data
