"""The parts that pictures are made of: a sheet to draw on, boards and pieces on it, as SVG text.

Owns how things look. `pictures` says what is drawn. Every picture stands alone: no identifiers, no
style sheet and no script, so that many of them fit into one page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from blokus_fast.moves.tables import LETTERS
from blokus_fast.svg.outlines import number, outline_path
from blokus_fast.svg.palettes import Theme, contrast, mix

__all__ = ["UNIT", "Sheet", "clean", "ink_on"]

UNIT = 24.0
"""Side of a square in the picture's own units."""

_FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
# XML 1.0 has no way to write these at all.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """Make text fit for XML: escaped, and without characters that it cannot hold.

    Examples
    --------
    >>> from blokus_fast.svg.drawing import clean
    >>> clean('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    return escape(_NO_XML.sub("\ufffd", text))


def ink_on(fill: str) -> str:
    """Choose black or white, whichever reads better on a fill.

    Examples
    --------
    >>> from blokus_fast.svg.drawing import ink_on
    >>> ink_on("#ffff00")
    '#000000'
    """
    return max("#000000", "#ffffff", key=lambda ink: contrast(ink, fill))


@dataclass
class Sheet:
    """A picture in the making, with a board of square fields on it.

    Parameters
    ----------
    theme : Theme
        The colors.
    size : int
        Columns of the board.
    x, y : float
        Where its top left corner is.

    Examples
    --------
    >>> from blokus_fast.svg.drawing import Sheet
    >>> from blokus_fast.svg.palettes import THEMES
    >>> sheet = Sheet(THEMES["light"], 20)
    >>> sheet.text(0, 10, "hello")
    >>> sheet.finish(48, 24, 96, "a title").startswith("<svg")
    True
    """

    theme: Theme
    size: int
    x: float = 0.0
    y: float = 0.0
    parts: list[str] = field(default_factory=list)

    def place(self, square: int) -> tuple[float, float]:
        """Return the center of a square."""
        row, column = divmod(square, self.size)
        return self.x + (column + 0.5) * UNIT, self.y + (row + 0.5) * UNIT

    def path(self, squares: Iterable[int], inset: float = 0.0) -> str:
        """Return the outline of squares."""
        return outline_path(squares, self.size, UNIT, self.x, self.y, inset)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        height: float = 11,
        fill: str | None = None,
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        """Write text; `y` is its middle."""
        weight = ' font-weight="700"' if bold else ""
        where = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self.parts.append(
            f'<text x="{number(x)}" y="{number(y + 0.355 * height)}" '
            f'font-size="{number(height)}" fill="{fill or self.theme.ink}"{where}{weight}>'
            f"{clean(text)}</text>"
        )

    def ground(self, playable: Sequence[int]) -> None:
        """Draw an empty board: squares in play, their lines, the rim."""
        theme = self.theme
        shape = self.path(playable)
        lines = self._lines(set(playable))
        self.parts.append(f'<path d="{shape}" fill="{theme.board}"/>')
        self.parts.append(f'<path d="{lines}" stroke="{theme.line}" fill="none"/>')
        self.parts.append(
            f'<path d="{shape}" fill="none" stroke="{theme.rim}" stroke-width="1.5"/>'
        )

    def _lines(self, inside: set[int]) -> str:
        """Return the lines between squares in play, as long as they go straight on."""
        n, size = number, self.size
        text = ""
        for down in (True, False):
            for line in range(1, size):
                begin = None
                for step in range(size + 1):
                    square = step * size + line if down else line * size + step
                    before = square - (1 if down else size)
                    if step < size and square in inside and before in inside:
                        begin = step if begin is None else begin
                    elif begin is not None:
                        x, y = (line, begin) if down else (begin, line)
                        text += f"M{n(self.x + x * UNIT)} {n(self.y + y * UNIT)}"
                        text += f"{'v' if down else 'h'}{n((step - begin) * UNIT)}"
                        begin = None
        return text

    def coordinates(self) -> None:
        """Write letters below the board and numbers at its left."""
        ink = self.theme.muted
        side = self.size * UNIT
        for i in range(self.size):
            middle = (i + 0.5) * UNIT
            self.text(self.x + middle, self.y + side + 10, LETTERS[i], fill=ink, anchor="middle")
            self.text(self.x - 6, self.y + middle, str(self.size - i), fill=ink, anchor="end")

    def piece(self, squares: Sequence[int], fill: str, title: str = "") -> None:
        """Draw a piece: one shape, with thin lines between its squares."""
        edge = mix(fill, self.theme.edge, 0.45)
        seams = []
        inside = set(squares)
        for square in squares:
            row, column = divmod(square, self.size)
            x, y = self.x + column * UNIT, self.y + row * UNIT
            if column and square - 1 in inside:
                seams.append(f"M{number(x)} {number(y + 3)}v{number(UNIT - 6)}")
            if square - self.size in inside:
                seams.append(f"M{number(x + 3)} {number(y)}h{number(UNIT - 6)}")
        name = f"<title>{clean(title)}</title>" if title else ""
        lines = ""
        if seams:
            lines = f'<path d="{"".join(seams)}" stroke-width="1" stroke-opacity=".4"/>'
        self.parts.append(
            f'<g fill="{fill}" stroke="{edge}" stroke-linejoin="round">{name}'
            f'<path d="{self.path(squares, 1.6)}" stroke-width="1.8"/>{lines}</g>'
        )

    def ghost(self, squares: Sequence[int], fill: str, title: str = "") -> None:
        """Draw a piece that is not there: pale, with a broken outline."""
        edge = mix(fill, self.theme.edge, 0.35)
        name = f"<title>{clean(title)}</title>" if title else ""
        self.parts.append(
            f'<path d="{self.path(squares, 2.2)}" fill="{fill}" fill-opacity=".28" '
            f'stroke="{edge}" stroke-width="1.8" stroke-dasharray="5 3" '
            f'stroke-linejoin="round">{name}</path>'
        )

    def frame(self, squares: Sequence[int], ink: str) -> None:
        """Draw a line around squares that shows on any color."""
        shape = self.path(squares, 1.4)
        other = ink_on(ink)
        for color, width in ((other, 4.6), (ink, 2.6)):
            self.parts.append(
                f'<path d="{shape}" fill="none" stroke="{color}" stroke-width="{width}" '
                'stroke-linejoin="round"/>'
            )

    def candidate(self, squares: Sequence[int], fill: str, share: float, title: str = "") -> None:
        """Draw a move that could be made: the fuller the larger its share, 0 to 1."""
        name = f"<title>{clean(title)}</title>" if title else ""
        self.parts.append(
            f'<path d="{self.path(squares, 1.2)}" fill="{fill}" '
            f'fill-opacity="{number(0.16 + 0.46 * share)}" stroke="none">{name}</path>'
        )

    def candidate_line(self, squares: Sequence[int], *, best: bool, level: int) -> None:
        """Draw the line around it, further inside with every level."""
        ink = self.theme.highlight if best else self.theme.ink
        inset, width = (1.4, 3.0) if best else (min(2.2 + 2.6 * level, 10.0), 1.6)
        dashes = "" if best else ' stroke-dasharray="4 2.5"'
        self.parts.append(
            f'<path d="{self.path(squares, inset)}" fill="none" stroke="{ink}" '
            f'stroke-width="{number(width)}" stroke-linejoin="round"{dashes}/>'
        )

    def badge(self, square: int, text: str, *, best: bool) -> None:
        """Write a short text on a plate that lies within a square."""
        x, y = self.place(square)
        theme = self.theme
        ground = theme.highlight if best else theme.background
        height = 10 if len(text) < 4 else 8.5
        half = {1: 7.0, 2: 9.0}.get(len(text), 11.4)
        self.parts.append(
            f'<rect x="{number(x - half)}" y="{number(y - 7.5)}" width="{number(2 * half)}" '
            f'height="15" rx="4" fill="{ground}" stroke="{ink_on(ground)}" stroke-width="0.8"/>'
        )
        self.text(x, y, text, height=height, fill=ink_on(ground), anchor="middle", bold=True)

    def dots(self, squares: Iterable[int], fill: str) -> None:
        """Draw a dot on every square of a piece."""
        ink = ink_on(fill)
        for square in squares:
            x, y = self.place(square)
            self.parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="3.4" fill="{ink}"/>')

    def ring(self, square: int, fill: str | None) -> None:
        """Draw a start square; without a color it is anybody's."""
        x, y = self.place(square)
        color = self.theme.rim if fill is None else mix(fill, self.theme.edge, 0.15)
        self.parts.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="8" fill="none" '
            f'stroke="{color}" stroke-width="2.4"/>'
        )

    def diamond(self, square: int, fill: str, part: int | None = None) -> None:
        """Draw a corner point, in the middle or, where there are several, in a quarter."""
        x, y = self.place(square)
        radius = 5.5
        if part is not None:
            radius = 4.0
            x += 5.5 if part % 2 else -5.5
            y += 5.5 if part // 2 else -5.5
        edge = mix(fill, self.theme.edge, 0.55)
        n = number
        self.parts.append(
            f'<path d="M{n(x)} {n(y - radius)}L{n(x + radius)} {n(y)}L{n(x)} {n(y + radius)}'
            f'L{n(x - radius)} {n(y)}Z" fill="{fill}" stroke="{edge}" stroke-width="1.3"/>'
        )

    def mark(self, square: int, text: str, fill: str) -> None:
        """Write a short text on a square."""
        x, y = self.place(square)
        height = 12.5 if len(text) < 3 else 10
        self.text(x, y, text, height=height, fill=ink_on(fill), anchor="middle", bold=True)

    def warm(self, shares: Mapping[int, float], covered: set[int]) -> None:
        """Color squares by numbers from 0 to 1; on pieces only their middle."""
        for square, share in shares.items():
            x, y = self.place(square)
            fill = self.shade(share)
            half, more = (5.5, f' stroke="{ink_on(fill)}"') if square in covered else (11.0, "")
            self.parts.append(
                f'<rect x="{number(x - half)}" y="{number(y - half)}" width="{number(2 * half)}" '
                f'height="{number(2 * half)}" fill="{fill}"{more}/>'
            )

    def shade(self, share: float) -> str:
        """Return the color of a number from 0 to 1 on the scale of heat."""
        scale = self.theme.heat
        place = min(max(share, 0.0), 1.0) * (len(scale) - 1)
        step = min(int(place), len(scale) - 2)
        return mix(scale[step], scale[step + 1], place - step)

    def scale(self, x: float, y: float, width: float, low: str, high: str) -> None:
        """Draw the scale of heat with its ends."""
        steps = 24
        bar = width / steps
        for step in range(steps):
            self.parts.append(
                f'<rect x="{number(x + step * bar)}" y="{number(y)}" width="{number(bar + 0.3)}" '
                f'height="9" fill="{self.shade(step / (steps - 1))}"/>'
            )
        ink = self.theme.muted
        self.text(x - 6, y + 4.5, low, fill=ink, anchor="end")
        self.text(x + width + 6, y + 4.5, high, fill=ink)

    def finish(self, width: float, height: float, pixels: float, title: str) -> str:
        """Return the picture, `pixels` wide."""
        tall = pixels * height / width
        body = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(pixels)}" '
            f'height="{number(tall)}" viewBox="0 0 {number(width)} {number(height)}" role="img" '
            f'font-family="{_FONT}">\n<title>{clean(title)}</title>\n'
            f'<rect width="{number(width)}" height="{number(height)}" '
            f'fill="{self.theme.background}"/>\n{body}\n</svg>\n'
        )
