"""Analyses for the terminal: tables of moves, of players and of mistakes.

Owns how they look. `analyze` says when they are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from blokus_fast.analysis import Candidate, GameAnalysis, PositionAnalysis
from blokus_fast.cli.columns import cut
from blokus_fast.svg.palettes import piece_fills
from blokus_fast.variants import Variant
from blokus_fast.words import counted

__all__ = ["MARK_SIGNS", "game_view", "position_view"]

MARK_SIGNS: Final = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
_MARK_STYLES: Final = {"inaccuracy": "yellow", "mistake": "dark_orange", "blunder": "bold red"}
_BAR: Final = 20
# From this width on there is room for lines and names.
_WIDE: Final = 110
_PROVEN: Final = "\N{CHECK MARK}"
_ENDS: Final = {
    "interrupt": "interrupted",
    "solved": "solved: the values are exact",
    "only move": "the only move there is",
}


def percent(value: float) -> str:
    """Write a chance."""
    return f"{100 * value:.1f}%"


def points(score: float) -> str:
    """Write a score."""
    return f"{score:z.1f}".replace("-", "\N{MINUS SIGN}")


def chip(variant: Variant, color: int) -> Text:
    """Return the letter of a color, in that color."""
    if not 0 <= color < variant.n_colors:
        return Text("\N{MIDDLE DOT}")
    fill = piece_fills(variant.color_names)[color]
    return Text(variant.color_names[color][0].upper(), style=f"bold {fill}")


def named(variant: Variant, color: int, text: str, style: str = "") -> Text:
    """Return a text behind the letter of its color."""
    return Text.assemble(chip(variant, color), " ", (text, style))


def bar(share: float, width: int, style: str) -> Text:
    """Draw a share as a bar, exact to an eighth of a character."""
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    full, rest = divmod(eighths, 8)
    parts = " \u258f\u258e\u258d\u258c\u258b\u258a\u2589"
    text = "\u2588" * full + (parts[rest] if rest else "")
    return Text(text.ljust(width), style=style)


def player_chips(variant: Variant, player: int) -> Text:
    """Return the letters of a player's colors."""
    if variant.draft:
        return Text(str(player + 1), style="bold")
    own = [color for color in variant.order if variant.owners[color] == player]
    return Text(" ").join(chip(variant, color) for color in own)


def player_fill(variant: Variant, player: int) -> str:
    """Return the color of a player's bar."""
    own = [color for color in variant.order if variant.owners[color] == player]
    return piece_fills(variant.color_names)[own[0]] if own and not variant.draft else "cyan"


def move_name(candidate: Candidate) -> str:
    """Name a move: its piece, and where it lies."""
    if not candidate.squares:
        return candidate.text
    # In Draft the text begins with the color.
    return f"{candidate.piece} {candidate.text.rpartition(' ')[2]}"


def line_text(variant: Variant, words: Sequence[str]) -> Text:
    """Write a line with the letters of the colors."""
    parts = []
    for word in words:
        name, _, rest = word.partition(" ")
        color = variant.color_names.index(name) if name in variant.color_names else -1
        parts.append(named(variant, color, rest))
    return Text("  ").join(parts)


def position_view(
    found: PositionAnalysis,
    variant: Variant,
    names: Sequence[str],
    *,
    memory: int = 0,
    width: int = _WIDE,
) -> RenderableType:
    """Show a position: each player's chances, the best moves, and what the search took."""
    parts: list[RenderableType] = [
        players_table(found, variant, names),
        moves_table(found, variant, width),
    ]
    if width < _WIDE and found.moves and len(found.best.line) > 1:
        line = line_text(variant, found.best.line[1:4])
        parts.append(Text.assemble((" 1  ", "dim"), "then ", line))
    return Group(*parts, figures(found, memory))


def table_of(
    *headings: str, rows: Sequence[Sequence[Text]], right: str, width: int
) -> RenderableType:
    """Make a table whose columns keep their widths, but for the last one, which gets the rest.

    Columns whose places in `right` have an ``r`` are aligned there.
    """
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    room = width - 2
    for place, heading in enumerate(headings):
        most = max([len(heading), *(row[place].cell_len for row in rows)])
        if place == len(headings) - 1:
            most = max(min(most, room), len(heading))
        room -= most + 3
        table.add_column(
            heading,
            justify="right" if right[place] == "r" else "left",
            no_wrap=True,
            overflow="ellipsis",
            width=most,
        )
    for row in rows:
        table.add_row(*row)
    return table


def players_table(
    found: PositionAnalysis, variant: Variant, names: Sequence[str]
) -> RenderableType:
    """Show the chance and the expected score of each player."""
    table = Table(box=None, padding=(0, 1), show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=24)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    for player, (value, score) in enumerate(zip(found.value, found.score, strict=True)):
        turn = player == found.player
        proven = f" {_PROVEN}" if found.solved else ""
        table.add_row(
            player_chips(variant, player),
            Text(names[player], style="bold" if turn else ""),
            bar(value, _BAR, player_fill(variant, player)),
            Text(percent(value) + proven, style="bold" if turn else ""),
            Text(f"{points(score)} points", style="bold" if turn else ""),
        )
    return table


def moves_table(found: PositionAnalysis, variant: Variant, width: int) -> RenderableType:
    """Show the best moves; with the lines behind them where there is room."""
    rows = []
    none = "\N{EN DASH}"
    for place, row in enumerate(found.moves, start=1):
        value = none if row.value is None else percent(row.value[found.player])
        score = none if row.score is None else points(row.score[found.player])
        style = "bold" if place == 1 else ""
        cells = [
            Text(str(place), style="dim"),
            named(variant, row.color, move_name(row), style),
            Text(f"{row.visits:,}", style=style),
            Text(percent(row.share), style=style),
            Text(value + (f" {_PROVEN}" if row.proven else ""), style=style),
            Text(score, style=style),
        ]
        rows.append([*cells, line_text(variant, row.line[1:])] if width >= _WIDE else cells)
    headings = ["", "move", "visits", "share", "chance", "score"]
    headings += ["expected then"] if width >= _WIDE else []
    return table_of(*headings, rows=rows, right="r-rrrr-", width=width)


def figures(found: PositionAnalysis, memory: int) -> RenderableType:
    """Tell what the search took, and what is to be known of it."""
    rate = found.simulations / found.seconds if found.seconds > 0 else 0.0
    parts = [
        f"{counted(found.simulations, 'simulation', ',')} in {found.seconds:.1f} s ({rate:,.0f}/s)",
        f"depth {found.depth}",
        counted(found.nodes, "position", ","),
        f"{found.memory / 2**20:,.0f} MB",
    ]
    lines = [Text(", ".join(parts), style="dim")]
    if found.solved or any(row.proven for row in found.moves):
        lines.append(Text(f"{_PROVEN} proven: what best play leads to", style="green"))
    if found.full:
        size = f" of {memory / 2**20:,.0f} MB" if memory else ""
        lines.append(
            Text(
                f"The memory{size} is full: the tree grows no more. --memory gives it more.",
                style="yellow",
            )
        )
    if found.stopped in _ENDS:
        lines.append(Text(_ENDS[found.stopped], style="yellow"))
    return Group(*lines)


def game_view(analysis: GameAnalysis, variant: Variant, *, width: int = _WIDE) -> RenderableType:
    """Show the moves of a game that are marked, and count them for each player."""
    wide = width >= _WIDE
    rows = []
    marked = [ply for ply in analysis.plies if ply.mark]
    for ply in marked:
        assert ply.found is not None
        assert ply.played is not None
        assert ply.loss is not None
        best, style = ply.found.best, _MARK_STYLES[ply.mark]
        before = best.value[ply.player] if best.value else ply.value[ply.player]
        after = max(before - ply.loss, 0)
        name = analysis.names[ply.player]
        cells = [
            Text(f"{ply.ply + 1}.", style="dim"),
            named(variant, ply.played.color, move_name(ply.played)),
            Text(MARK_SIGNS[ply.mark], style=style),
            Text(f"{100 * before:.1f} \N{RIGHTWARDS ARROW} {100 * after:.1f}"),
            Text(move_name(best)),
        ]
        if wide:
            cells.insert(1, Text(cut(name, 20, "\N{HORIZONTAL ELLIPSIS}")))
            cells.insert(-1, Text(f"{100 * ply.loss:.1f}", style=style))
        rows.append(cells)
    headings = ["", "move", "", "chance %", "better"]
    if wide:
        headings = ["", "player", "move", "", "chance %", "lost", "better"]
    right = "r---rr-" if wide else "r--r-"
    table = table_of(*headings, rows=rows, right=right, width=width)
    totals = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    totals.add_column("player", overflow="ellipsis", no_wrap=True, max_width=30)
    totals.add_column("moves", justify="right")
    totals.add_column("mean loss", justify="right")
    for mark, sign in MARK_SIGNS.items():
        totals.add_column(f"{mark} {sign}", justify="right")
    for player, row in enumerate(analysis.summary()):
        totals.add_row(
            Text.assemble(player_chips(variant, player), f" {row['name']}"),
            str(row["moves"]),
            "\N{EN DASH}" if row["loss"] is None else f"{100 * row['loss']:.1f}",
            *(str(row[mark]) for mark in MARK_SIGNS),
        )
    first: RenderableType = table if marked else Text("No move gave much away.")
    note = [] if analysis.complete else [Text("Stopped before the end of the game.", "yellow")]
    return Group(first, totals, *note)
