"""The old names of modules that have moved.

Pickles name the module of a class or function. Those of 0.1 name the modules of the flat package,
such as `blokus_fast.definition`, and must stay readable; so must imports in programs that went
past the public names. The old names lead to the same modules, so that no class is there twice.

Only modules that importing the package imports anyway are listed: a name costs nothing then. The
parts of `svg` are not, for they are imported when a picture is asked for, and nothing in them gets
into a pickle. `blokus_fast.moves`, `variants`, `svg` and `png` are where they were.
"""

from __future__ import annotations

import sys
from typing import Final

__all__ = ["MOVED", "install"]

MOVED: Final = {
    "actions": "moves.actions",
    "batch": "learning.batch",
    "conversions": "moves.conversions",
    "definition": "variants.definition",
    "features": "learning.features",
    "notation": "moves.notation",
    "observation": "learning.observation",
    "pieces": "moves.pieces",
    "playouts": "learning.playouts",
    "symmetry": "learning.symmetry",
}
"""Old names and new ones, within the package."""


def install() -> None:
    """Let the old names lead to the modules, all of which have been imported."""
    package = sys.modules["blokus_fast"]
    for old, new in MOVED.items():
        module = sys.modules[f"blokus_fast.{new}"]
        sys.modules[f"blokus_fast.{old}"] = module
        # An import statement would do that too; `playouts` is a function and stays one.
        vars(package).setdefault(old, module)
