"""A variant as one word of text: its name, or all of its data as JSON without blanks.

Position text and game records need it to bring variants of one's own back. Knows nothing of
positions and records.
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from blokus_fast.scoring import SCORING_RULES, ScoringRule
from blokus_fast.variants.definition import Variant
from blokus_fast.variants.shipped import VARIANTS

__all__ = ["parse_variant", "same_but_rules", "variant_text"]

_FIELDS = tuple(field.name for field in fields(Variant))
_RULE_FIELDS = tuple(field.name for field in fields(ScoringRule))


def same_but_rules(variant: Variant) -> Variant | None:
    """Find the shipped variant that differs in nothing but start rule and scoring rule.

    Parameters
    ----------
    variant : Variant
        Any variant.

    Returns
    -------
    Variant or None
        The shipped one; None if there is none, or the scoring rule is not a shipped one.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.variants.text import same_but_rules
    >>> same_but_rules(bf.variant("duo", start="assigned")) is bf.VARIANTS["duo"]
    True
    """
    shipped = VARIANTS.get(variant.name)
    if shipped is None or variant.scoring_name not in SCORING_RULES:
        return None
    for name in _FIELDS:
        if name not in ("start", "scoring") and getattr(variant, name) != getattr(shipped, name):
            return None
    return shipped if isinstance(variant.scoring, str) else None


def variant_text(variant: Variant) -> str:
    r"""Write a variant as one word.

    Parameters
    ----------
    variant : Variant
        Any variant.

    Returns
    -------
    str
        The name of a shipped variant with its own rules, else all data as JSON. There are no
        blanks in it, and nothing but ASCII.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.variants.text import variant_text
    >>> variant_text(bf.VARIANTS["junior"])
    'junior'
    >>> print(variant_text(bf.Variant("my own", 5, ["red"], [["a5"]])))
    {"name":"my\u0020own","size":5,"color_names":["red"],"start_squares":[["a5"]]}
    """
    if VARIANTS.get(variant.name) == variant:
        return variant.name
    data: dict[str, Any] = {}
    for field in fields(Variant):
        value = getattr(variant, field.name)
        if field.name != "name" and value == variant._default(field.name, field.default):
            continue
        if isinstance(value, ScoringRule):
            value = {name: getattr(value, name) for name in _RULE_FIELDS}
        data[field.name] = value
    # A blank can only stand inside a text, where JSON has another way to write it.
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace(" ", "\\u0020")


def parse_variant(text: str) -> Variant:
    """Read what `variant_text` wrote.

    Parameters
    ----------
    text : str
        A name, or JSON.

    Returns
    -------
    Variant
        The variant.

    Raises
    ------
    ValueError
        There is no variant of that name, or the data do not fit.

    Examples
    --------
    >>> from blokus_fast.variants.text import parse_variant
    >>> parse_variant('{"name":"mine","size":5,"color_names":["red"],"start":"border"}').size
    5
    >>> parse_variant("mine")
    Traceback (most recent call last):
    ...
    ValueError: 'mine' is no shipped variant: hand over the Variant itself
    """
    if not text.startswith("{"):
        if text not in VARIANTS:
            raise ValueError(f"{text[:60]!r} is no shipped variant: hand over the Variant itself")
        return VARIANTS[text]
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the data of the variant cannot be read: {error}") from None
    unknown = [name for name in data if name not in _FIELDS]
    if unknown:
        raise ValueError(f"a variant has no {unknown[0][:60]!r}; valid: {', '.join(_FIELDS)}")
    for name in ("voluntary_pass", "draft"):
        if not isinstance(data.get(name, False), bool):
            raise ValueError(f"{name} must be true or false")
    try:
        if isinstance(data.get("scoring"), dict):
            data["scoring"] = _rule(data["scoring"])
        return Variant(**data)
    except TypeError as error:
        raise ValueError(f"the data of the variant do not fit: {error}") from None


def _rule(data: dict[str, Any]) -> ScoringRule:
    """Read a scoring rule of somebody's own."""
    if not isinstance(data.get("name"), str):
        raise ValueError("a scoring rule needs a name")
    for name in data:
        if name not in _RULE_FIELDS:
            raise ValueError(
                f"a scoring rule has no {name[:60]!r}; valid: {', '.join(_RULE_FIELDS)}"
            )
    return ScoringRule(**data)
