"""A game as one HTML page to step through: board, moves with variations, scores, hands.

The page is made of ``template.html``, ``page.css`` and the scripts beside this file, and of the
game as JSON from `data`. Everything is in it, and it loads nothing; a policy in the page makes
browsers refuse whatever else a game's comments or names might try.
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from types import NoneType
from typing import Any, SupportsIndex

from blokus_fast.analysis import GameAnalysis
from blokus_fast.checking import expect
from blokus_fast.game import Game
from blokus_fast.html import digest, fill, plain, theme_rules
from blokus_fast.records import Record
from blokus_fast.replay.analysis import analysis_data
from blokus_fast.replay.data import main_line_place, page_data

__all__ = ["page"]

_SCRIPTS = ("shapes.js", "curve.js", "analysis.js", "moves.js", "page.js")


def page(
    game: Record | Game,
    *,
    ply: SupportsIndex = 0,
    title: str | None = None,
    analysis: GameAnalysis | None = None,
) -> str:
    """Make the page of a game.

    Parameters
    ----------
    game : Record or Game
        The game, with all variations and comments.
    ply : int
        Number of moves on the main line after which the page opens; -1 for its end.
    title : str, optional
        Its title. Default: the players' names.
    analysis : GameAnalysis, optional
        What a search thinks of it; see `blokus_fast.analysis.analyze_game`. The page then shows
        chances, the best moves and mistakes as well.

    Returns
    -------
    str
        An HTML document.

    Raises
    ------
    ValueError
        The main line is not that long, or the analysis is of another game.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.replay import page
    >>> game = bf.Game("duo", names=["Ann", "<Bob>"])
    >>> _ = game.play("e10"), game.play("j5")
    >>> html = page(game)
    >>> html.startswith("<!DOCTYPE html>"), "<title>Ann - &lt;Bob&gt;</title>" in html
    (True, True)
    """
    expect(game, (Record, Game), "game")
    expect(title, (str, NoneType), "title")
    record = Record.from_game(game) if isinstance(game, Game) else game
    place = main_line_place(record, ply)
    data = page_data(record)
    if analysis is not None:
        expect(analysis, GameAnalysis, "analysis")
        data["analysis"] = analysis_data(record, analysis, _main_line(data["nodes"]))
    data["begin"] = _main_line(data["nodes"])[place]
    style = f"\n{theme_rules()}\n{_read('page.css')}"
    script = "\n" + "".join(map(_read, _SCRIPTS))
    text = title if title is not None else " - ".join(record.names)
    parts = {
        "policy": "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"style-src {digest(style)}; script-src {digest(script)}",
        "title": escape(plain(text)),
        "style": style,
        "script": script,
        "data": _json(data),
    }
    return fill(_read("template.html"), parts)


def _read(name: str) -> str:
    return files("blokus_fast.replay").joinpath(name).read_text(encoding="utf-8")


def _json(data: Any) -> str:
    """Write JSON that can stand in a script element: in it no `<`, `>`, `&`, and ASCII only."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _main_line(nodes: list[dict[str, Any]]) -> list[int]:
    """Return the numbers of the nodes of the main line, the root among them."""
    first: dict[int, int] = {}
    for number, node in enumerate(nodes):
        if number:
            first.setdefault(node["parent"], number)
    line = [0]
    while line[-1] in first:
        line.append(first[line[-1]])
    return line
