"""The arena: bots play each other, and it is measured who is stronger.

`run` plays a number of games between any bots, from openings in pairs and rotated seats, in
several processes or on a cluster; its `Report` has scores, ratings with intervals and a
cross-table. docs/arena.md tells how the figures come about.

Examples
--------
>>> from blokus_fast import arena
>>> report = arena.run(["greedy", "random"], "duo", 20, seed=1, workers=1)
>>> report.results[0].bot, report.results[0].rating > 0
('greedy', True)
"""

from __future__ import annotations

from blokus_fast.arena.loop import BotError, play_game
from blokus_fast.arena.openings import Opening, read_openings
from blokus_fast.arena.ratings import Ratings
from blokus_fast.arena.report import BotResult, Report
from blokus_fast.arena.running import run
from blokus_fast.arena.sequential import SPRT, SPRTState
from blokus_fast.arena.settings import Settings
from blokus_fast.arena.storage import ArenaError
from blokus_fast.arena.tally import Count, Tally

__all__ = [
    "SPRT",
    "ArenaError",
    "BotError",
    "BotResult",
    "Count",
    "Opening",
    "Ratings",
    "Report",
    "SPRTState",
    "Settings",
    "Tally",
    "play_game",
    "read_openings",
    "run",
]
