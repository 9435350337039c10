"""Pictures as PNG, made from SVG. Needs the extra ``png`` (resvg-py)."""

from __future__ import annotations

from blokus_fast.checking import expect, positive
from blokus_fast.extras import install_hint

__all__ = ["from_svg"]


def from_svg(picture: str, *, scale: float = 1.0) -> bytes:
    """Turn a picture from `svg` into a PNG.

    Parameters
    ----------
    picture : str
        The picture, an ``<svg>`` element.
    scale : float
        How much larger than the size in the picture the PNG is.

    Returns
    -------
    bytes
        The content of a PNG file. Text is drawn with the fonts of the system; where it has
        none, it is missing.

    Raises
    ------
    ImportError
        The extra is not installed.
    ValueError
        `picture` is not an SVG, or `scale` no positive number.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast import png, svg
    >>> data = png.from_svg(svg.board(bf.Board("duo"), size=200), scale=2)  # doctest: +SKIP
    >>> data[1:4]                                                           # doctest: +SKIP
    b'PNG'
    """
    try:
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError:
        raise ImportError(f"PNG pictures need resvg-py: {install_hint('png')}") from None
    scale = positive(scale, "scale")
    expect(picture, str, "picture")
    # It takes whole numbers only; the zoom comes first, so that halves are not lost.
    data: bytes = bytes(svg_to_bytes(svg_string=_zoomed(picture, scale)))
    return data


def _zoomed(picture: str, scale: float) -> str:
    """Multiply width and height of the outermost element."""
    import re

    def larger(match: re.Match[str]) -> str:
        return f' {match[1]}="{round(float(match[2]) * scale, 2):g}"'

    head, mark, rest = picture.partition(">")
    return re.sub(r' (width|height)="([\d.]+)"', larger, head) + mark + rest
