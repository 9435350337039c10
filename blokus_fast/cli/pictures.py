"""The commands `replay` and `render`: game records as a page to step through, and as pictures."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import click

from blokus_fast import png, svg
from blokus_fast.cli.outputs import DASH, read_game, target_of, write_output
from blokus_fast.game import Game
from blokus_fast.replay import page
from blokus_fast.replay.data import main_line_place
from blokus_fast.svg.palettes import PALETTES, THEMES

__all__ = ["render", "replay"]

_FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
_OUTPUT = click.Path(dir_okay=False, writable=True, allow_dash=True, path_type=Path)
_GAME = click.option(
    "--game", "number", type=click.IntRange(1), default=1, show_default=True,
    help="Which game of the file.",
)  # fmt: skip


@click.command()
@click.argument("file", type=_FILE)
@click.option(
    "-o", "--output", type=_OUTPUT,
    help="The HTML file to write, - for the standard output.  [default: FILE with .html; of -, -]",
)  # fmt: skip
@_GAME
@click.option(
    "--ply", type=int, default=0, show_default=True,
    help="Number of moves after which the page opens, -1 for the end.",
)  # fmt: skip
@click.option("--title", help="Title of the page.  [default: the players' names]")
def replay(file: Path, output: Path | None, number: int, ply: int, title: str | None) -> None:
    """Make a page to step through the game in FILE, a blksgf file, or - for the standard input.

    The page is one HTML file that needs nothing else, no network either. It shows the board,
    the moves with variations and comments, the scores and the pieces left.
    """
    target = target_of(file, output, ".html")
    record = read_game(file, number)
    try:
        html = page(record, ply=ply, title=title)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    write_output(target, html.encode("utf-8"))


@click.command()
@click.argument("file", type=_FILE)
@click.option(
    "-o", "--output", type=_OUTPUT,
    help="The .svg or .png file to write, - for SVG on the standard output. PNG needs the extra "
    "png.  [default: FILE with .svg; of -, -]",
)  # fmt: skip
@_GAME
@click.option(
    "--ply", type=int, default=-1, show_default=True,
    help="Number of moves on the main line, -1 for its end.",
)  # fmt: skip
@click.option(
    "--size", type=click.IntRange(1, 10_000), default=480, show_default=True,
    help="Width in pixels.",
)  # fmt: skip
@click.option("--theme", type=click.Choice(list(THEMES)), default="light", show_default=True)
@click.option("--palette", type=click.Choice(list(PALETTES)), default="safe", show_default=True)
@click.option(
    "--labels", type=click.Choice(["piece", "color", "number"]), help="What to write on pieces."
)
@click.option("--corners", is_flag=True, help="Mark where the color to move can connect.")
@click.option("--scores/--no-scores", default=True, show_default=True, help="List the players.")
@click.option("--coordinates/--no-coordinates", default=True, show_default=True)
def render(
    file: Path,
    output: Path | None,
    number: int,
    ply: int,
    size: int,
    theme: str,
    palette: str,
    labels: str | None,
    corners: bool,
    scores: bool,
    coordinates: bool,
) -> None:
    """Draw a position of a game as SVG or PNG.

    FILE is a blksgf file, or - for the standard input.
    """
    target = target_of(file, output, ".svg")
    kind = ".svg" if target == DASH else target.suffix.lower()
    if kind not in (".svg", ".png"):
        raise click.UsageError(f"a picture is a .svg or a .png file, not {target.name}")
    record = read_game(file, number)
    try:
        place = main_line_place(record, ply)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    node = next(islice((record.root, *record.root.main_line()), place, None))
    picture = svg.board(
        Game.from_board(node.board(), names=record.names),
        size=size,
        coordinates=coordinates,
        corners=corners,
        labels=labels,
        scores=scores,
        theme=theme,
        palette=palette,
    )
    if kind == ".svg":
        write_output(target, picture.encode("utf-8"))
        return
    try:
        data = png.from_svg(picture)
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    write_output(target, data)
