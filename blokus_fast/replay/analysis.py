"""An analysis as plain data for the page: values, best moves and marks, by the number of the node.

Owns the form of that data, which ``analysis.js`` reads. Knows nothing of searches or of HTML.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from blokus_fast.analysis import Candidate, GameAnalysis, PlyAnalysis
from blokus_fast.records import Record
from blokus_fast.svg.palettes import THEMES

__all__ = ["analysis_data"]

# Steps of a square's heat, each a character: the page need not know more than it can show.
_STEPS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def analysis_data(
    record: Record, analysis: GameAnalysis, main_line: Sequence[int]
) -> dict[str, Any]:
    """Turn the analysis of a record into data for the page.

    Parameters
    ----------
    record : Record
        The game.
    analysis : GameAnalysis
        Its analysis.
    main_line : sequence of int
        The numbers that the nodes of the main line have in the page.

    Returns
    -------
    dict
        Lists, numbers and texts, for JSON.

    Raises
    ------
    ValueError
        The analysis is of another game.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.analysis import analyze_game
    >>> from blokus_fast.replay.analysis import analysis_data
    >>> record = bf.Record("duo")
    >>> _ = record.root.add("e10")
    >>> found = analyze_game(record, simulations=50, seed=1)
    >>> data = analysis_data(record, found, [0, 1])
    >>> data["entries"][0]["played"]["text"], len(data["entries"][0]["heat"])
    ('e10', 196)
    """
    nodes = [record.root, *record.root.main_line()]
    players = record.variant.players
    for ply in analysis.plies:
        after = nodes[ply.place + 1] if ply.place + 1 < len(nodes) else None
        fits = ply.place < len(nodes) and len(ply.value) == players
        if fits and ply.played is not None:
            fits = after is not None and after._action == ply.played.move
        if not fits or analysis.variant != record.variant.name:
            raise ValueError("the analysis is of another game than the record")
    return {
        "complete": analysis.complete,
        "thresholds": {
            "inaccuracy": analysis.thresholds.inaccuracy,
            "mistake": analysis.thresholds.mistake,
            "blunder": analysis.thresholds.blunder,
        },
        "heat": {name: list(theme.heat) for name, theme in THEMES.items()},
        "entries": [_entry(ply, main_line) for ply in analysis.plies],
    }


def _entry(ply: PlyAnalysis, main_line: Sequence[int]) -> dict[str, Any]:
    found = ply.found
    entry: dict[str, Any] = {
        "node": main_line[ply.place],
        "player": ply.player,
        "values": list(ply.value),
        "scores": list(ply.score),
        "solved": ply.over or (found is not None and found.solved),
        "moves": [] if found is None else [_move(row, ply.player) for row in found.moves],
        "heat": "" if found is None else _heat(found.heat),
        "simulations": 0 if found is None else found.simulations + found.reused,
        "played": None if ply.played is None else _move(ply.played, ply.player),
        "loss": ply.loss,
        "mark": ply.mark,
    }
    return entry


def _move(row: Candidate, player: int) -> dict[str, Any]:
    return {
        "id": row.move,
        "color": row.color,
        "piece": row.piece,
        "text": row.text.rpartition(" ")[2] if row.squares else row.text,
        "squares": list(row.squares),
        "share": row.share,
        "value": None if row.value is None else row.value[player],
        "score": None if row.score is None else row.score[player],
        "proven": row.proven,
        "line": list(row.line[1:5]),
    }


def _heat(heat: Sequence[float]) -> str:
    """Write the heat of each square as a character, the hottest one as the last of them."""
    most = max(heat, default=0.0)
    if most <= 0:
        return ""
    last = len(_STEPS) - 1
    return "".join(_STEPS[min(last, int(value / most * last + 0.5))] for value in heat)
