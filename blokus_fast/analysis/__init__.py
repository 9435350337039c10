"""What a search thinks of positions and of whole games, as plain data.

- `positions`: one position, its best moves, and the search's interest in the squares
- `games`: every position of a game, with what each move gave away

Owns no search: `blokus_fast.search.MCTS` does that. Pictures, pages and tables of it are made
elsewhere.

Examples
--------
>>> import blokus_fast as bf
>>> from blokus_fast.analysis import analyze
>>> found = analyze(bf.Board("duo"), simulations=200, seed=1)
>>> found.best.share == max(row.share for row in found.moves)
True
"""

from __future__ import annotations

from blokus_fast.analysis.games import GameAnalysis, PlyAnalysis, Thresholds, analyze_game
from blokus_fast.analysis.positions import (
    Candidate,
    PositionAnalysis,
    analyze,
    describe_move,
    describe_result,
)

__all__ = [
    "Candidate",
    "GameAnalysis",
    "PlyAnalysis",
    "PositionAnalysis",
    "Thresholds",
    "analyze",
    "analyze_game",
    "describe_move",
    "describe_result",
]
