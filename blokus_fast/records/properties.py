"""What is in a node of a record beside its move, and in the root: `Properties` and `Headers`.

Owns what a property may be called and hold, so that it is refused where it is set, and not only
when the record is written. Knows nothing of files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, TypeVar

from blokus_fast.records.dialect import Dialect, dialect
from blokus_fast.shown import call_text, short

if TYPE_CHECKING:
    from blokus_fast.records.node import Node

__all__ = ["Headers", "Properties", "check_property"]

_NAME = re.compile(r"[A-Z]+|[A-Z]*[0-9]+[A-Z0-9]*")
ValueT = TypeVar("ValueT")


def check_property(
    name: object, values: object, ids: Dialect | None = None, *, in_root: bool = False
) -> None:
    """Raise unless a property may have that name and these values.

    Parameters
    ----------
    name : str
        The name.
    values : list of str
        The values.
    ids : Dialect, optional
        What is reserved in records of the variant. Default: nothing is.
    in_root : bool
        Whether it is a property of the root, where more is.

    Raises
    ------
    ValueError
        It is no name, or one that the record itself writes.
    TypeError
        The name is no text, or the values are no list of texts.

    Examples
    --------
    >>> from blokus_fast.records.properties import check_property
    >>> check_property("EV", ["Club evening"])
    >>> check_property("event", ["Club evening"])
    Traceback (most recent call last):
    ...
    ValueError: 'event' is no name of a property: capitals and digits, such as 'EV'
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a property must be text such as 'EV', not {short(name)}")
    if _NAME.fullmatch(name) is None:
        raise ValueError(
            f"{short(name)} is no name of a property: capitals and digits, such as 'EV'"
        )
    where = None if ids is None else ids.instead_of(name, in_root=in_root)
    if where is not None:
        raise ValueError(f"the property {name} is not to be set by hand: {where}")
    if not isinstance(values, list | tuple):
        raise TypeError(
            f"the values of the property {name} must be a list of texts, not {short(values)}"
        )
    for value in values:
        if not isinstance(value, str):
            raise TypeError(
                f"the values of the property {name} must be a list of texts, and {short(value)} "
                "is none"
            )


class _Checked(MutableMapping[str, ValueT]):
    """Texts by name, in which nothing changes if something of what is set may not be."""

    def update(self, other: Any = (), /, **named: ValueT) -> None:
        """Set several at once: all of them, or none where one may not be set.

        Parameters
        ----------
        other : mapping or iterable of pairs
            Names and what they are set to.
        **named
            More of them.

        Raises
        ------
        ValueError
            A name is none, or reserved.
        TypeError
            A name or a value is of another type.
        """
        new: dict[str, ValueT] = dict(other, **named)
        for name, value in new.items():
            self._check(name, value)
        super().update(new)

    def _check(self, name: str, value: ValueT) -> None:
        raise NotImplementedError


class Properties(_Checked[list[str]]):
    """The properties of a node that are not its move, set-up or comment: lists of texts by name.

    What is set is checked. `Node.properties` returns them.

    Parameters
    ----------
    node : Node
        The node; changes are made in it.

    Examples
    --------
    >>> from blokus_fast.records import Record
    >>> record = Record("duo")
    >>> record.root.properties["EV"] = ["Club evening"]
    >>> record.root.properties
    {'EV': ['Club evening']}
    >>> record.root.properties["C"] = ["a remark"]
    Traceback (most recent call last):
    ...
    ValueError: the property C is not to be set by hand: set the node's comment
    """

    def __init__(self, node: Node) -> None:
        self._node = node

    def _check(self, name: str, value: list[str]) -> None:
        node = self._node
        check_property(name, value, dialect(node.record.variant), in_root=node.parent is None)

    def __getitem__(self, name: str) -> list[str]:
        """Return the values of a property."""
        return self._node.raw[name]

    def __setitem__(self, name: str, value: list[str]) -> None:
        """Set the values of a property; ValueError or TypeError if it cannot be written."""
        self._check(name, value)
        self._node.raw[name] = list(value)

    def __delitem__(self, name: str) -> None:
        """Take a property away."""
        del self._node.raw[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._node.raw)

    def __len__(self) -> int:
        """Count the properties."""
        return len(self._node.raw)

    def __repr__(self) -> str:
        """Show them as a dictionary."""
        return repr(self._node.raw)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy as a dictionary, which belongs to no node."""
        return dict, ({name: list(values) for name, values in self.items()},)


class Headers(_Checked[str]):
    """The properties of the root as single texts, such as ``headers["DT"]``.

    What is set is checked. Names are capitals and digits. Some are reserved, since the record
    writes them itself: the game and its rules (``GM``, ``BFVARIANT``, ``BFSTART``, ``BFSCORING``)
    and the encoding (``CA``); the players (``PB``, ``PW``, ``P1`` and so on, as the variant has
    them), which `Record.names` sets; the comment (``C``); moves and set-ups (``B``, ``W``, ``1``
    to ``4``, ``AB`` and their like, ``AE``, ``PL``, ``BFPICK``, ``BFPOSITION``). To set one of
    these is a `ValueError`, and so is what is no name; what is no text is a `TypeError`.

    Parameters
    ----------
    properties : mapping of str to list of str
        The properties of a root; changes are made in them.

    Raises
    ------
    ValueError
        A property has a name that is none.
    TypeError
        A property has a name that is no text, or values that are no list of texts.

    Examples
    --------
    >>> from blokus_fast.records import Record
    >>> record = Record("duo")
    >>> record.headers["EV"] = "Club evening"
    >>> record.headers, record.root.properties
    (Headers({'EV': ['Club evening']}), {'EV': ['Club evening']})
    >>> record.headers["PB"] = "Ann"
    Traceback (most recent call last):
    ...
    ValueError: the property PB is not to be set by hand: set the record's names
    """

    def __init__(self, properties: MutableMapping[str, list[str]]) -> None:
        if not isinstance(properties, Properties):
            if not isinstance(properties, MutableMapping):
                raise TypeError(
                    f"headers are made of properties, a dict of lists, not {short(properties)}"
                )
            for name, values in properties.items():
                check_property(name, values)
        self._properties = properties

    def _check(self, name: str, value: str) -> None:
        if not isinstance(value, str):
            check_property(name, [])
            raise TypeError(f"the header {name} must be text, not {short(value)}")
        check_property(name, [value])
        if isinstance(self._properties, Properties):
            self._properties._check(name, [value])

    def __getitem__(self, name: str) -> str:
        """Return the first value of a property."""
        return next(iter(self._properties[name]), "")

    def __setitem__(self, name: str, value: str) -> None:
        """Make a text the only value of a property; ValueError or TypeError if it cannot be."""
        self._check(name, value)
        self._properties[name] = [value]

    def __delitem__(self, name: str) -> None:
        """Take a property away."""
        del self._properties[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._properties)

    def __len__(self) -> int:
        """Count the properties."""
        return len(self._properties)

    def __repr__(self) -> str:
        """Show the call that makes headers like these."""
        return call_text(self, _lists(self._properties))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy without the record: headers of their own."""
        return Headers, (_lists(self._properties),)


def _lists(properties: Mapping[str, list[str]]) -> dict[str, list[str]]:
    return {name: list(values) for name, values in properties.items()}
