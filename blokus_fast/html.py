"""HTML documents: templates, policies, themes, and what no document can hold.

Shared by the page of a game and that of an arena. Knows nothing of either.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping

from blokus_fast.svg.palettes import THEMES, Theme

__all__ = ["MARK_COLORS", "digest", "fill", "plain", "theme_rules"]

_ACCENTS = {"light": "#0b63b8", "dark": "#7cc0ff"}
# Told apart by lightness too, and by the signs beside them.
MARK_COLORS = {
    "light": {"inaccuracy": "#86690a", "mistake": "#b4500a", "blunder": "#a30024"},
    "dark": {"inaccuracy": "#f0d264", "mistake": "#ff9d4d", "blunder": "#ff6b81"},
}


def fill(template: str, parts: Mapping[str, str]) -> str:
    """Put parts where ``%(name)s`` stands; what is put in is never looked at again."""
    pieces = template.split("%(")
    filled = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition(")s")
        filled += [parts[name], rest]
    return "".join(filled)


def digest(text: str) -> str:
    """Return what a policy says of a style or script that stands in the document itself."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def plain(text: str) -> str:
    """Replace what no HTML document can hold: half surrogates and the character 0."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def theme_rules() -> str:
    """Write the themes of pictures as variables of the style sheet."""
    light, dark = (_variables(name, THEMES[name]) for name in ("light", "dark"))
    return (
        f":root {{ {light} }}\n"
        f'@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {{ {dark} }} }}\n'
        f':root[data-theme="dark"] {{ {dark} }}'
    )


def _variables(name: str, theme: Theme) -> str:
    values = {
        "background": theme.background,
        "board": theme.board,
        "line": theme.line,
        "rim": theme.rim,
        "ink": theme.ink,
        "muted": theme.muted,
        "highlight": theme.highlight,
        "accent": _ACCENTS[name],
        **MARK_COLORS[name],
    }
    return " ".join(f"--{name}: {value};" for name, value in values.items())
