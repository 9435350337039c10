"""A record as plain data for the page: what every node changes, and how things stand then.

Owns the form of that data, which ``page.js`` reads. Knows nothing of HTML.
"""

from __future__ import annotations

from typing import Any, SupportsIndex

from blokus_fast._core import Board
from blokus_fast.checking import integer
from blokus_fast.moves import Move, Pass, square_text
from blokus_fast.moves.actions import Pick
from blokus_fast.moves.pieces import Piece
from blokus_fast.moves.tables import PIECES
from blokus_fast.records import Node, Record
from blokus_fast.records.setups import apply_set_up
from blokus_fast.svg.drawing import ink_on
from blokus_fast.svg.palettes import PALETTES, THEMES, mix, piece_fills
from blokus_fast.variants import Variant
from blokus_fast.words import counted

__all__ = ["main_line_place", "page_data"]

# What the page tells of the game, by the property of the file.
_FACTS = (
    ("EV", ""),
    ("GN", ""),
    ("RO", "round "),
    ("DT", ""),
    ("PC", ""),
    ("TM", "time "),
    ("RE", "result "),
    ("AN", "notes by "),
)


def page_data(record: Record) -> dict[str, Any]:
    """Turn a record into data for the page.

    Parameters
    ----------
    record : Record
        The game.

    Returns
    -------
    dict
        Lists, numbers and texts, for JSON.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.replay.data import page_data
    >>> record = bf.Record("duo", names=["Ann", "Bob"])
    >>> _ = record.root.add("e10", comment="small")
    >>> data = page_data(record)
    >>> data["players"], data["nodes"][1]["text"], data["nodes"][1]["comment"]
    (['Ann', 'Bob'], 'e10', 'small')
    """
    variant = record.variant
    rows = _Hands(variant)
    nodes, most, counts = _nodes(record, rows)
    names = variant.color_names
    return {
        "variant": variant.name,
        "size": variant.size,
        "draft": variant.draft,
        "colors": list(names),
        "owners": [-1 if owner is None else owner for owner in variant.owners],
        "players": list(record.names),
        "playable": None if variant.playable is None else "".join(variant.playable),
        "start": variant.start,
        "starts": [list(squares) for squares in variant.start_indices],
        "openings": [list(squares) for squares in variant.opening_squares],
        "pieces": [{"name": name, "cells": _flat(name)} for name in PIECES],
        "hands": [
            {
                "color": color,
                "player": -1 if player is None else player,
                "label": rows.label(row, record.names),
                "counts": counts[row],
                "most": most[row],
            }
            for row, (color, player) in enumerate(rows.rows)
        ],
        "palettes": {name: _palette(variant, name) for name in PALETTES},
        "facts": _facts(record),
        "notices": [f"Reading the file: {warning}" for warning in record.warnings[:20]],
        "nodes": nodes,
    }


def main_line_place(record: Record, ply: SupportsIndex) -> int:
    """Find the node of the main line after a number of moves.

    Parameters
    ----------
    record : Record
        The game.
    ply : int
        Number of moves; negative numbers count from the end, -1 for after the last.

    Returns
    -------
    int
        Its place, 0 for the root.

    Raises
    ------
    ValueError
        The main line is not that long.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.replay.data import main_line_place
    >>> record = bf.Record("duo")
    >>> _ = record.root.add_line(["e10", "j5"])
    >>> main_line_place(record, 1), main_line_place(record, -1)
    (1, 2)
    """
    ply = integer(ply, "ply")
    moves = 0
    counts = []
    for node in (record.root, *record.root.main_line()):
        moves += node.move is not None
        counts.append(moves)
    if ply == -1:
        return len(counts) - 1
    wanted = ply if ply >= 0 else moves + 1 + ply
    if wanted not in counts:
        raise ValueError(f"there is no ply {ply}: the main line has {counted(moves, 'move')}")
    return counts.index(wanted)


class _Hands:
    """The hands that there are: one per color, or in Draft one per player and color."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        players: list[int | None] = list(range(variant.players)) if variant.draft else [None]
        self.rows = [(color, player) for player in players for color in variant.order]

    def of(self, board: Board) -> list[list[int]]:
        return [list(board.hand(color, player)) for color, player in self.rows]

    def row(self, color: int, player: int) -> int:
        return self.rows.index((color, player if self.variant.draft else None))

    def label(self, row: int, names: tuple[str, ...]) -> str:
        color, player = self.rows[row]
        name = self.variant.color_names[color]
        return name if player is None else f"{names[player]}: {name}"


def _nodes(
    record: Record, rows: _Hands
) -> tuple[list[dict[str, Any]], list[list[int]], list[list[int]]]:
    """Go through the tree with one board; no recursion, since files nest as they like.

    Also returns the most that every hand ever holds of each piece, and what it begins with.
    """
    board = Board(record.variant)
    counts = rows.of(board)
    most = [row.copy() for row in counts]
    found: list[dict[str, Any]] = []
    # A node with its parent's number; or what undoes one: a board, or None for a move.
    todo: list[tuple[Node, int] | Board | None] = [(record.root, -1)]
    while todo:
        item = todo.pop()
        if item is None:
            board.pop()
            continue
        if isinstance(item, Board):
            board = item
            continue
        node, parent = item
        move = node.move
        data: dict[str, Any] = {"parent": parent, "comment": node.comment, "skipped": []}
        data.update(_what(node, move))
        before = None
        if node.setup is not None:
            before = board.copy()
            todo.append(board)
            board = apply_set_up(board, node.setup)
        if move is None:
            data.update(color=-1, player=-1)
            if parent < 0 and before is None:
                data["skipped"] = _names(record, board.skipped)
        else:
            color = board.turn if move.color is None else move.color
            player = board.player
            board.push(move)
            todo.append(None)
            owner = player if record.variant.draft else _owner(record.variant, color)
            data.update(color=color, player=owner)
            data["skipped"] = _names(record, board.skipped)
            data["changes"] = [(square, -1, color) for square in move.squares]
            data["hands"] = []
            if not isinstance(move, Pass):
                change = 1 if isinstance(move, Pick) else -1
                data["hands"] = [(rows.row(color, player), PIECES.index(move.piece), change)]
        if before is not None:
            data["changes"] = _grid_changes(before, board)
            data["hands"] = _hand_changes(rows.of(before), rows.of(board))
        if before is not None or record.variant.draft:
            now = rows.of(board)
            most = [[*map(max, old, new)] for old, new in zip(most, now, strict=True)]
        data.setdefault("changes", [])
        data.setdefault("hands", [])
        data["scores"] = list(board.player_scores())
        data["turn"], data["next"], data["over"] = board.turn, board.player, board.is_game_over
        number = len(found)
        found.append(data)
        todo.extend((child, number) for child in reversed(node.variations))
    return found, most, counts


def _what(node: Node, move: Move | None) -> dict[str, Any]:
    """Say what kind of node it is, and what is played."""
    if move is None:
        kind = "start" if node.parent is None else "setup" if node.setup else "note"
        return {"kind": kind, "piece": "", "text": "", "squares": []}
    kind = "pass" if isinstance(move, Pass) else "pick" if isinstance(move, Pick) else "move"
    text = ",".join(square_text(square, move.size) for square in _reading_order(move))
    return {"kind": kind, "piece": move.piece, "text": text, "squares": list(move.squares)}


def _reading_order(move: Move) -> list[int]:
    """Order squares as texts of moves do: from row 1 up."""
    return sorted(move.squares, key=lambda square: (-(square // move.size), square))


def _owner(variant: Variant, color: int) -> int:
    owner = variant.owners[color]
    return -1 if owner is None else owner


def _names(record: Record, skipped: tuple[int, ...]) -> list[str]:
    """Name who was skipped: colors, in Draft players."""
    names = record.names if record.variant.draft else record.variant.color_names
    return [names[number] for number in skipped]


def _grid_changes(before: Board, after: Board) -> list[tuple[int, int, int]]:
    old, new = (board.grid().ravel().tolist() for board in (before, after))
    pairs = enumerate(zip(old, new, strict=True))
    return [(square, a, b) for square, (a, b) in pairs if a != b]


def _hand_changes(before: list[list[int]], after: list[list[int]]) -> list[tuple[int, int, int]]:
    return [
        (row, piece, b - a)
        for row, (old, new) in enumerate(zip(before, after, strict=True))
        for piece, (a, b) in enumerate(zip(old, new, strict=True))
        if a != b
    ]


def _flat(name: str) -> list[tuple[int, int]]:
    """Return the cells of the orientation of a piece that takes the fewest rows."""
    view = Piece(name)
    return list(min((view.cells(o) for o in view.orientations), key=lambda c: (max(c), c)))


def _palette(variant: Variant, name: str) -> dict[str, Any]:
    fills = piece_fills(variant.color_names, name)
    return {
        "fills": fills,
        "edges": {
            theme: [mix(fill, colors.edge, 0.45) for fill in fills]
            for theme, colors in THEMES.items()
        },
        "inks": [ink_on(fill) for fill in fills],
    }


def _facts(record: Record) -> list[str]:
    """List what the file says about the game, and its rules."""
    variant = record.variant
    facts = [f"{word}{record.headers[name]}" for name, word in _FACTS if name in record.headers]
    facts = [fact for fact in facts if fact.strip()]
    return [*facts, variant.name, f"start {variant.start}", f"scoring {variant.scoring_name}"]
