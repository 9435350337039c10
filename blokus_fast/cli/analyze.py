"""The command `analyze`: what a search thinks of a position or of a whole game."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from blokus_fast import png, svg
from blokus_fast._core import LIMITS, Board
from blokus_fast.analysis import GameAnalysis, PositionAnalysis, analyze_game
from blokus_fast.analysis import analyze as analyze_position
from blokus_fast.cli.common import VARIANT, Seconds, console, json_option
from blokus_fast.cli.outputs import DASH, read_game, write_output
from blokus_fast.cli.views import game_view, position_view
from blokus_fast.errors import InvalidPositionError
from blokus_fast.extras import install_hint
from blokus_fast.files import check_writable, same_file
from blokus_fast.game import Game
from blokus_fast.position import parse_position
from blokus_fast.records import Record
from blokus_fast.render import board_text
from blokus_fast.replay import page
from blokus_fast.replay.data import main_line_place
from blokus_fast.search import MCTS
from blokus_fast.svg.palettes import THEMES
from blokus_fast.words import counted

__all__ = ["analyze"]

_OUTPUT = click.Path(dir_okay=False, writable=True, path_type=Path)
_SECONDS: Final = {False: 5.0, True: 1.0}
# Less than this is too pale to see, and would only make the scale begin with many digits.
_FAINT: Final = 0.005


@click.command()
@click.argument("target", nargs=-1, metavar="[FILE | POSITION]")
@click.option("-v", "--variant", "variant_name", type=VARIANT, help="Analyze its first position.")
@click.option(
    "--number", type=click.IntRange(1), default=1, show_default=True,
    help="Which game of the file.",
)  # fmt: skip
@click.option(
    "--ply", type=int,
    help="Number of moves on the main line; negative numbers count from its end.  [default: the "
    "last position in which there is a move]",
)  # fmt: skip
@click.option(
    "--time", "seconds", type=Seconds(0, min_open=True), metavar="SECONDS",
    help="Time for a position.  [default: 5; with --game 1]",
)  # fmt: skip
@click.option(
    "--simulations", type=click.IntRange(1, LIMITS["simulations"]),
    help="Simulations for a position.  [default: as many as the time allows]",
)  # fmt: skip
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
@click.option(
    "--memory", type=click.IntRange(1, 2**20), default=256, show_default=True, metavar="MB",
    help="Memory of the search.",
)  # fmt: skip
@click.option(
    "--moves", type=click.IntRange(1, 1000), default=5, show_default=True,
    help="How many of the best moves to show.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0), help="Seed of the search.  [default: by chance]")
@click.option("--game", "whole", is_flag=True, help="Analyze every position of the game.")
@click.option(
    "--html", type=_OUTPUT,
    help="Write the game as a page with the analysis; stands for --game as well.",
)  # fmt: skip
@click.option("--svg", "svg_file", type=_OUTPUT, help="Write the board with the best moves.")
@click.option("--png", "png_file", type=_OUTPUT, help="The same as PNG; needs the extra png.")
@click.option(
    "--theme", type=click.Choice(list(THEMES)), default="light", show_default=True,
    help="Colors of --svg and --png.",
)  # fmt: skip
@json_option
def analyze(
    target: tuple[str, ...],
    variant_name: str | None,
    number: int,
    ply: int | None,
    seconds: float | None,
    simulations: int | None,
    threads: int,
    memory: int,
    moves: int,
    seed: int | None,
    whole: bool,
    html: Path | None,
    svg_file: Path | None,
    png_file: Path | None,
    theme: str,
    as_json: bool,
) -> None:
    """Search a position, or every position of a game, and show the best moves.

    FILE is a blksgf file, or - for the standard input; POSITION is a position as text. Ctrl-C ends
    the search and shows what it has found until then.
    """
    file = _file(target, variant_name)
    record = _record(target, file, variant_name, number)
    whole = whole or html is not None
    if whole and (svg_file or png_file):
        raise click.UsageError("--svg and --png draw one position: not with --game or --html")
    if whole and ply is not None and html is None:
        raise click.UsageError("--ply chooses one position: not with --game")
    for output in (html, svg_file, png_file):
        _check_output(output, file)
    if png_file and find_spec("resvg_py") is None:
        raise click.ClickException(f"--png needs resvg-py: {install_hint('png')}")
    if seconds is None and simulations is None:
        seconds = _SECONDS[whole]
    try:
        place = None if ply is None else main_line_place(record, ply)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    try:
        mcts = MCTS(record.variant, threads=threads, memory=memory * 2**20, seed=seed)
    except (ValueError, MemoryError) as error:
        raise click.UsageError(str(error) or "there is not as much memory") from None
    budget = {"seconds": seconds, "simulations": simulations, "moves": moves}
    out = console()
    if whole:
        analysis = _analyze_game(out, record, mcts, budget, quiet=as_json)
        if html is not None:
            write_output(html, page(record, ply=ply or 0, analysis=analysis).encode("utf-8"))
        if as_json:
            click.echo(json.dumps(analysis.to_json(), allow_nan=False))
        else:
            out.print(game_view(analysis, record.variant, width=out.width))
        return
    board = _board(record, place)
    view = _Viewer(out, record, memory=mcts.memory)
    found = view.run(board, mcts, budget, quiet=as_json)
    if svg_file or png_file:
        picture = _picture(board, record, found, theme)
        if svg_file:
            write_output(svg_file, picture.encode("utf-8"))
        if png_file:
            write_output(png_file, png.from_svg(picture, scale=2))
    if as_json:
        names = list(record.names)
        told = {"variant": record.variant.name, "names": names, **found.to_json()}
        click.echo(json.dumps(told, allow_nan=False))


def _file(target: tuple[str, ...], variant_name: str | None) -> Path | None:
    """Return the file that is meant, if it is one."""
    if variant_name is not None:
        if target:
            raise click.UsageError("--variant stands for its first position: no FILE or POSITION")
        return None
    if not target:
        raise click.UsageError("what? give a FILE, a POSITION, or a variant with -v")
    text = " ".join(target)
    path = Path(text)
    try:
        if path == DASH or path.is_file():
            return path
    except (OSError, ValueError):
        return None
    if len(target) == 1 and " " not in text:
        raise click.UsageError(f"there is no file {text}, and it is no position text")
    return None


def _record(
    target: tuple[str, ...], file: Path | None, variant_name: str | None, number: int
) -> Record:
    """Read what shall be analyzed."""
    if variant_name is not None:
        return Record(variant_name)
    if file is not None:
        return read_game(file, number)
    try:
        return Record.from_board(parse_position(" ".join(target)))
    except InvalidPositionError as error:
        raise click.UsageError(f"this is no position: {error}") from None


def _board(record: Record, place: int | None) -> Board:
    """Return the position that shall be analyzed."""
    nodes = [record.root, *record.root.main_line()]
    if place is not None:
        board = next(islice(nodes, place, None)).board()
        if board.is_game_over:
            raise click.UsageError("the game is over there: --ply chooses an earlier position")
        return board
    for node in reversed(nodes):
        board = node.board()
        if not board.is_game_over:
            return board
    raise click.UsageError("the game is over: there is nothing to search")


def _check_output(output: Path | None, file: Path | None) -> None:
    """See that a file can be written, before time is spent on what comes into it."""
    if output is None:
        return
    if file is not None and same_file(file, output):
        raise click.UsageError(f"{output} is the record itself, and would be overwritten")
    try:
        check_writable(output)
    except OSError as error:
        raise click.ClickException(f"cannot write {output}: {error.strerror or error}") from None


class _Viewer:
    """Shows a position, and what the search finds while it is at work."""

    def __init__(self, out: Console, record: Record, *, memory: int) -> None:
        self.out = out
        self.record = record
        self.memory = memory

    def view(self, found: PositionAnalysis) -> RenderableType:
        return position_view(
            found,
            self.record.variant,
            self.record.names,
            memory=self.memory,
            width=self.out.width,
        )

    def run(
        self, board: Board, mcts: MCTS, budget: dict[str, Any], *, quiet: bool
    ) -> PositionAnalysis:
        def search(
            on_progress: Callable[[PositionAnalysis], object] | None = None,
        ) -> PositionAnalysis:
            try:
                return analyze_position(
                    board,
                    mcts=mcts,
                    on_progress=on_progress,
                    progress_every=0.25,
                    on_interrupt="return",
                    **budget,
                )
            except ValueError as error:
                raise click.ClickException(str(error)) from None

        if quiet:
            return search()
        color = self.out.color_system in ("256", "truecolor") and not self.out.no_color
        last = board.move(board.peek()) if board.move_stack else None
        click.echo(board_text(board, color=color, last=last, names=self.record.names))
        self.out.print(Text(_headline(board, self.record), style="bold"))
        if self.out.is_terminal:
            with Live(console=self.out, transient=True, auto_refresh=False) as live:
                found = search(lambda so_far: live.update(self.view(so_far), refresh=True))
        else:
            found = search()
        self.out.print(self.view(found))
        return found


def _headline(board: Board, record: Record) -> str:
    """Say which position it is."""
    variant = board.variant
    name = record.names[board.player]
    turn = f"{variant.color_names[board.turn]} ({name})" if board.turn >= 0 else name
    count = board.count_legal()
    after, moves = counted(board.ply, "move"), counted(count, "move", ",")
    return f"{variant.name} after {after}: {turn} to move, {moves}"


def _analyze_game(
    out: Console, record: Record, mcts: MCTS, budget: dict[str, Any], *, quiet: bool
) -> GameAnalysis:
    """Analyze a game, and show how far it is where somebody looks."""
    try:
        if quiet or not out.is_terminal:
            return analyze_game(record, mcts=mcts, on_interrupt="return", **budget)
        progress = Progress(
            TextColumn("position"),
            MofNCompleteColumn(),
            BarColumn(),
            TimeRemainingColumn(),
            TextColumn("[dim]Ctrl-C keeps what is finished[/dim]"),
            console=out,
            transient=True,
        )
        task = progress.add_task("", total=None)
        with progress:
            return analyze_game(
                record,
                mcts=mcts,
                on_interrupt="return",
                on_progress=lambda so_far, total: progress.update(
                    task, completed=len(so_far.plies), total=total
                ),
                **budget,
            )
    except ValueError as error:
        raise click.ClickException(str(error)) from None


def _picture(board: Board, record: Record, found: PositionAnalysis, theme: str) -> str:
    """Draw the position with the best moves, over what the search has looked at."""
    return svg.board(
        Game.from_board(board, names=record.names),
        candidates=[(row.move, row.share) for row in found.moves],
        heat=[share if share >= _FAINT else float("nan") for share in found.heat],
        scores=True,
        size=560,
        theme=theme,
    )
