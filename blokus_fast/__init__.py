"""A fast Blokus engine.

`Board` is the position for programs: small, fast, with moves as integers. `Game` is the match
for people: names, history with skips, result. Formats, pictures, bots and search are modules of
their own that neither of the two knows: ``bf.bots``, ``bf.svg`` and the like are imported when they
are first asked for.

Examples
--------
>>> import blokus_fast as bf
>>> game = bf.Game("duo")
>>> game.board.count_legal()
828
>>> print(game.play("e8,d9,e9,f9,e10").piece)
X
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

# First of all: the rest takes a while, and Ctrl-C may come before the command line is there.
from blokus_fast import _starting as _starting

try:
    from blokus_fast import _core as _core
except ImportError as error:
    # Only where there is no core at all; what a core itself lacks is another matter.
    if error.name != "blokus_fast":
        raise
    raise ImportError(
        "the compiled core of blokus_fast is missing: this folder holds the sources only. "
        "Install the package (pip install .) and start Python from another folder."
    ) from error

from blokus_fast import _moved, records, variants
from blokus_fast._core import Board, LegalMoves, cpu_info, divide, perft
from blokus_fast.errors import (
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    RecordError,
)
from blokus_fast.game import Game, Outcome, Skip
from blokus_fast.learning.batch import BatchBoard
from blokus_fast.learning.features import (
    MoveFeatures,
    move_features,
    reachable_mask,
    reachable_squares,
)
from blokus_fast.learning.observation import Observer
from blokus_fast.learning.playouts import playouts
from blokus_fast.learning.symmetry import Symmetries, Symmetry, symmetries
from blokus_fast.moves import PIECES, Move, Pass
from blokus_fast.moves.actions import DraftMove, Pick
from blokus_fast.moves.pieces import Piece
from blokus_fast.position import parse_position, position_text
from blokus_fast.records import Record
from blokus_fast.scoring import SCORING_RULES, ScoringRule
from blokus_fast.setup import set_up
from blokus_fast.variants import VARIANTS, Variant, variant

if TYPE_CHECKING:
    from blokus_fast import analysis as analysis
    from blokus_fast import arena as arena
    from blokus_fast import bots as bots
    from blokus_fast import contest as contest
    from blokus_fast import envs as envs
    from blokus_fast import gtp as gtp
    from blokus_fast import native as native
    from blokus_fast import render as render
    from blokus_fast import replay as replay
    from blokus_fast import search as search
    from blokus_fast import selfplay as selfplay
    from blokus_fast import svg as svg

__all__ = [
    "PIECES",
    "SCORING_RULES",
    "VARIANTS",
    "BatchBoard",
    "Board",
    "DraftMove",
    "Game",
    "IllegalMoveError",
    "InvalidMoveError",
    "InvalidPositionError",
    "LegalMoves",
    "Move",
    "MoveFeatures",
    "Observer",
    "Outcome",
    "Pass",
    "Pick",
    "Piece",
    "Record",
    "RecordError",
    "ScoringRule",
    "Skip",
    "Symmetries",
    "Symmetry",
    "Variant",
    "cpu_info",
    "divide",
    "get_include",
    "move_features",
    "parse_position",
    "perft",
    "playouts",
    "position_text",
    "reachable_mask",
    "reachable_squares",
    "records",
    "set_up",
    "symmetries",
    "variant",
    "variants",
]

_LATE: Final = (
    "analysis",
    "arena",
    "bots",
    "contest",
    "envs",
    "gtp",
    "native",
    "render",
    "replay",
    "search",
    "selfplay",
    "svg",
)
"""Modules that are imported when they are asked for, so that ``import blokus_fast`` stays light."""

_moved.install()


def get_include() -> str:
    """Return the folder of the C header, for extensions that `cimport` the core.

    Returns
    -------
    str
        A folder for the compiler's include path.

    Examples
    --------
    >>> import blokus_fast as bf, pathlib
    >>> (pathlib.Path(bf.get_include()) / "blokus_fast.h").exists()
    True
    """
    import os

    return os.path.join(os.path.dirname(__file__), "include")


def __getattr__(name: str) -> Any:
    """Look up what takes its time only when it is asked for: the version, and modules."""
    if name == "__version__":
        from importlib.metadata import version

        return version("blokus-fast")
    if name in _LATE:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the modules that are imported late, too."""
    return sorted({*globals(), *_LATE, "__version__"})
