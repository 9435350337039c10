"""Pictures as PNG. A short name for `blokus_fast.svg.png`, where the work is done."""

from __future__ import annotations

from blokus_fast.svg.png import from_svg

__all__ = ["from_svg"]
