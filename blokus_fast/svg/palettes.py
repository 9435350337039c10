"""Colors of pictures: palettes for the pieces, and themes for what is around them.

Owns what is what color, and that all of it can be told apart. Knows nothing of boards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from blokus_fast.checking import expect

__all__ = ["PALETTES", "THEMES", "Theme", "contrast", "find_theme", "mix", "piece_fills"]

_HEX = re.compile(r"#[0-9a-fA-F]{6}")

PALETTES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        # After Okabe and Ito: to be told apart with any kind of color blindness, and in gray.
        "safe": MappingProxyType(
            {
                "blue": "#1668b8",
                "yellow": "#f2df3a",
                "red": "#d5501e",
                "green": "#1fb386",
                "purple": "#8a4fb0",
                "orange": "#eb9f1a",
            }
        ),
        # As the colors of the boxed games are.
        "classic": MappingProxyType(
            {
                "blue": "#2b62d4",
                "yellow": "#f7c81e",
                "red": "#da2c38",
                "green": "#2f9e44",
                "purple": "#7d3cc0",
                "orange": "#f3841b",
            }
        ),
    }
)
"""Fills of pieces by the name of the color, by the name of the palette (read-only)."""

# Colors with other names get these, those first that nobody in the game has.
_SPARE = ("blue", "yellow", "red", "green", "purple", "orange")


@dataclass(frozen=True, slots=True)
class Theme:
    """Colors of everything but the pieces, as ``#rrggbb``.

    Parameters
    ----------
    background : str
        Around the board.
    board : str
        Squares in play.
    line : str
        Between squares.
    rim : str
        Around the board, and around squares that are not in play.
    ink : str
        Text, and the last move.
    muted : str
        Coordinates and lesser text.
    highlight : str
        Moves that are pointed out.
    edge : str
        What the outline of a piece is mixed with.
    heat : tuple of str
        The scale of heat maps from low to high.

    Examples
    --------
    >>> from blokus_fast.svg.palettes import THEMES
    >>> THEMES["light"].background
    '#ffffff'
    """

    background: str
    board: str
    line: str
    rim: str
    ink: str
    muted: str
    highlight: str
    edge: str
    heat: tuple[str, ...]


THEMES: Mapping[str, Theme] = MappingProxyType(
    {
        "light": Theme(
            background="#ffffff",
            board="#f3f1ec",
            line="#d9d4c9",
            rim="#8f897c",
            ink="#1b1d21",
            muted="#5d6068",
            highlight="#c4007a",
            edge="#000000",
            # Steps of lightness without the hue of any piece: it reads in gray too.
            heat=("#e8e3d8", "#c8bda8", "#998b74", "#675a47", "#362d21"),
        ),
        "dark": Theme(
            background="#15181d",
            board="#262b33",
            line="#3b424d",
            rim="#7b8594",
            ink="#f1f3f5",
            muted="#a9b2be",
            highlight="#ff74c5",
            edge="#ffffff",
            heat=("#36332d", "#5e5748", "#8e826c", "#c1b497", "#f4ead2"),
        ),
    }
)
"""The themes by name (read-only)."""


def find_theme(name: str) -> Theme:
    """Find a theme.

    Parameters
    ----------
    name : {"light", "dark"}
        Its name.

    Returns
    -------
    Theme
        The theme.

    Raises
    ------
    ValueError
        There is no such theme; the message lists the names.

    Examples
    --------
    >>> from blokus_fast.svg.palettes import find_theme
    >>> find_theme("dark").board
    '#262b33'
    """
    if name not in THEMES:
        raise ValueError(f"unknown theme {name!r}; valid: {', '.join(THEMES)}")
    return THEMES[name]


def piece_fills(names: Sequence[str], palette: str | Mapping[str, str] = "safe") -> tuple[str, ...]:
    """Choose the fills of the colors of a game.

    Parameters
    ----------
    names : sequence of str
        Names of the colors.
    palette : str or mapping
        A name out of `PALETTES`, or fills as ``#rrggbb`` by the name of the color; colors that
        are not in it are as in ``safe``.

    Returns
    -------
    tuple of str
        A fill per color. Colors with names of their own get what the others leave over.

    Raises
    ------
    ValueError
        There is no such palette, or a fill is not ``#rrggbb``.

    Examples
    --------
    >>> from blokus_fast.svg.palettes import piece_fills
    >>> piece_fills(["purple", "orange"], {"orange": "#ff8800"})
    ('#8a4fb0', '#ff8800')
    >>> piece_fills(["cyan", "blue"])
    ('#f2df3a', '#1668b8')
    """
    if isinstance(palette, str):
        if palette not in PALETTES:
            raise ValueError(f"unknown palette {palette!r}; valid: {', '.join(PALETTES)}")
        known = dict(PALETTES[palette])
    else:
        expect(palette, (str, Mapping), "palette")
        own = {str(name).lower(): fill for name, fill in palette.items()}
        for name, fill in own.items():
            if not isinstance(fill, str) or not _HEX.fullmatch(fill):
                raise ValueError(f"the fill of {name} must be like '#1668b8', not {fill!r}")
        known = {**PALETTES["safe"], **own}
    for name in names:
        expect(name, str, "color")
    lowered = [name.lower() for name in names]
    spare = iter([name for name in _SPARE if name not in lowered])
    return tuple(known[name] if name in known else known[next(spare)] for name in lowered)


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def mix(color: str, other: str, share: float) -> str:
    """Mix two colors.

    Examples
    --------
    >>> from blokus_fast.svg.palettes import mix
    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = zip(_channels(color), _channels(other), strict=True)
    return "#" + "".join(f"{int(a + (b - a) * share + 0.5):02x}" for a, b in pairs)


def _luminance(color: str) -> float:
    parts = [value / 255 for value in _channels(color)]
    r, g, b = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return float(0.2126 * r + 0.7152 * g + 0.0722 * b)


def contrast(color: str, other: str) -> float:
    """Return the contrast of two colors as WCAG defines it, 1 to 21.

    Examples
    --------
    >>> from blokus_fast.svg.palettes import contrast
    >>> round(contrast("#ffffff", "#000000"))
    21
    """
    low, high = sorted((_luminance(color), _luminance(other)))
    return (high + 0.05) / (low + 0.05)
