"""The command `play`: bots against each other, or a person at the keyboard."""

from __future__ import annotations

import contextlib
import csv
import json
import random
import sys
import time

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from blokus_fast.arena.loop import BotError
from blokus_fast.bots.names import GTP, split
from blokus_fast.cli.common import (
    BOT_HELP,
    VARIANT,
    Seconds,
    check_bot,
    clock_options,
    console,
    json_option,
    names_option,
    opening_option,
    read_clock,
    resolve,
    scoring_option,
    seed_option,
    start_option,
)
from blokus_fast.cli.person import Person
from blokus_fast.cli.saving import SAVE, OutputSaver, Saver, saver_to
from blokus_fast.cli.showing import Transcript, prints, view_on
from blokus_fast.game import Game, Skip
from blokus_fast.gtp.errors import EngineError
from blokus_fast.match import HUMAN, Match, Played
from blokus_fast.moves import Move, Pass
from blokus_fast.moves.actions import Pick
from blokus_fast.render import board_text, hand_text
from blokus_fast.variants import Variant
from blokus_fast.words import counted

__all__ = ["play"]


def read_bots(bots: str | None, variant: Variant) -> list[str]:
    """Turn the option into a bot per player."""
    if bots is None:
        return [HUMAN] + ["greedy"] * (variant.players - 1)
    # A command may have commas; it stands in double quotes then.
    try:
        parts = [name.strip() for name in next(csv.reader([bots], skipinitialspace=True)) or [""]]
    except (csv.Error, StopIteration):
        raise click.UsageError(f"{bots!r} is no list of bots") from None
    names = split(parts)
    for name in names:
        check_bot(name, HUMAN)
    if len(names) == 1:
        names *= variant.players
    if len(names) != variant.players:
        raise click.UsageError(
            f"{variant.name} has {counted(variant.players, 'player')}: give one bot for all, or "
            f"{variant.players} with commas between them, not {len(names)}"
        )
    return names


@click.command()
@click.option("--variant", "variant_name", type=VARIANT, default="classic", show_default=True)
@start_option
@opening_option
@scoring_option
@click.option(
    "--bots",
    metavar="A,B,...",
    help=f"A bot per player, or one for all: {HUMAN}, {BOT_HELP} "
    "Without it you play against greedy.",
)
@names_option
@clock_options
@click.option("--games", type=click.IntRange(1), default=1, show_default=True)
@seed_option
@click.option("--show", is_flag=True, help="Show the board after every move.")
@click.option(
    "--delay",
    type=Seconds(0, 60),
    default=0,
    metavar="SECONDS",
    help="With --show, wait after every move.",
)
@click.option("--save", **SAVE)
@json_option
def play(
    variant_name: str,
    start: str | None,
    opening: str | None,
    scoring: str | None,
    bots: str | None,
    names: tuple[str, ...],
    move_seconds: float | None,
    clock: str | None,
    games: int,
    seed: int | None,
    show: bool,
    delay: float,
    save: str | None,
    as_json: bool,
) -> None:
    """Play games between bots, or against them.

    With several games the seats rotate: in game k player p is the bot at place p + k of the
    list, counted round. You move by typing squares such as a20,b20,c20 (in Draft "pick F", then
    "blue a20,b20"), and Tab completes them; help tells more. A terminal of 80 x 24 shows board,
    scores and your pieces on one screen.
    Ctrl-C ends the match and reports what was played.
    """
    variant = resolve(variant_name, start, scoring, opening)
    players = read_bots(bots, variant)
    timing = read_clock(move_seconds, clock)
    if as_json and HUMAN in players:
        raise click.UsageError("--json is for bots only, not for human")
    if as_json and show:
        raise click.UsageError("--json and --show exclude each other")
    if seed is None:
        seed = random.SystemRandom().getrandbits(32)
    saver = saver_to(save)
    if as_json and isinstance(saver, OutputSaver):
        raise click.UsageError("--json and --save - exclude each other: both are what is printed")
    try:
        match = Match(variant, players, seed, games, clock=timing, names=names)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    failure = ""
    try:
        if as_json:
            match.run(after_game=saver.add)
        else:
            # Records have the standard output to themselves.
            elsewhere = isinstance(saver, OutputSaver)
            with contextlib.redirect_stdout(sys.stderr if elsewhere else sys.stdout):
                _Screen(match, show or HUMAN in players, delay, saver).run()
    except (BotError, EngineError) as error:
        failure = str(error)
    finally:
        # Whatever has happened, what was played is kept before anything else is tried.
        saved = saver.finish(match.played)
    if as_json:
        report = match.report()
        if failure:
            report["error"] = failure
        click.echo(json.dumps(report, allow_nan=False))
    if failure:
        raise click.ClickException(failure)
    if not saved:
        sys.exit(1)
    if match.interrupted and HUMAN not in players:
        # What a shell expects of a program that was interrupted.
        sys.exit(130)


def move_line(game: Game, move: Move, player: int) -> str:
    """Say who did what."""
    name = game.names[player]
    color = game.variant.color_names[move.color or 0]
    if isinstance(move, Pick):
        return f"{name}: pick {color} {move.piece}"
    if game.variant.draft:
        return f"{name}: {move.piece} at {move.text}"
    if isinstance(move, Pass):
        return f"{color} ({name}) passes"
    return f"{color} ({name}): {move.piece} at {move.text}"


def skipped_name(game: Game, skip: Skip) -> str:
    """Name the color, or in Draft the player, that was skipped."""
    if skip.color is None:
        return game.names[skip.player or 0]
    return game.variant.color_names[skip.color]


class _Screen:
    """A match as a person sees it."""

    def __init__(self, match: Match, show: bool, delay: float, saver: Saver) -> None:
        self.match = match
        self.saver = saver
        self.show = show
        self.delay = delay
        self.out = console()
        colors = self.out.color_system in ("256", "truecolor") and not self.out.no_color
        self.color = colors and prints(self.out, "·")
        self.people = [place for place, bot in enumerate(match.bots) if bot == HUMAN]
        self.view = view_on(self.out, self.color) if self.people else Transcript(self.color)
        self.person = Person(self.view)
        self.progress = Progress(
            TextColumn("game"),
            MofNCompleteColumn(),
            BarColumn(),
            TextColumn("{task.fields[moves]} moves"),
            TimeRemainingColumn(),
            console=self.out,
            transient=True,
        )
        self.task = self.progress.add_task("", total=match.games, moves=0, visible=False)
        self.began = time.monotonic()

    def run(self) -> None:
        """Play the match and report it."""
        match = self.match
        try:
            # A progress bar only where nothing else is printed meanwhile and somebody looks.
            if self.show or not self.progress.console.is_terminal:
                match.run(self.person.ask, self.after_move, self.after_game, self.before_move)
            else:
                with self.progress:
                    match.run(self.person.ask, self.after_move, self.after_game)
        except (BotError, EngineError):
            self.summary(failed=True)
            raise
        self.summary()

    def summary(self, *, failed: bool = False) -> None:
        """Report the match, and the game that was broken off if there is one.

        Of one that a bot's failure kept from beginning, there is nothing to show.
        """
        match = self.match
        if match.interrupted and match.played and (match.played[-1].game.moves or not failed):
            if not self.view.in_place:
                self.out.print("\n[bold]Stopped.[/bold] This is how it stood:")
            self.report(match.played[-1])
        if match.games > 1 and any(total["games"] for total in match.totals()):
            self.totals()
        engines = [bot for bot in match.bots if bot.startswith(GTP)]
        for label, bot in zip(match.labels, match.bots, strict=True):
            # Of several, one should know which is which.
            if len(engines) > 1 and bot in engines:
                self.out.print(Text(f"{label} is {bot}", style="dim"), soft_wrap=True)
        self.out.print(f"[dim]seed {match.seed}[/dim]")

    def before_move(self, played: Played, player: int) -> None:
        """Show the game to a person while a bot thinks."""
        people = [seat for seat, bot in enumerate(played.seats) if bot in self.people]
        self.view.waiting(played.game, played.game.names[player], people)

    def after_move(self, played: Played, move: Move, player: int) -> None:
        """Show the board, or how far the match is."""
        if self.view.in_place:
            time.sleep(self.delay)
        elif self.show:
            self.show_move(played, move, player)
            time.sleep(self.delay)
        elif time.monotonic() - self.began > 0.5:
            moves = len(played.game.board.move_stack)
            self.progress.update(self.task, visible=True, completed=played.number, moves=moves)

    def show_move(self, played: Played, move: Move, player: int) -> None:
        """Show the board after a move, and who is skipped."""
        game = played.game
        board = game.board
        asked = not board.is_game_over and self.match.bots[played.seats[board.player]] == HUMAN
        # The empty board of a draft tells nothing new; a person sees it when asked.
        if not isinstance(move, Pick) or not board.is_drafting:
            print()
            print(board_text(board, color=self.color, last=move, corners=asked, names=game.names))
        print(f"{len(game.moves)}. {move_line(game, move, player)}")
        if asked and board.is_drafting:
            print(hand_text(board, color=self.color, names=game.names)[-1])
        skips = []
        for entry in reversed(game.history):
            if not isinstance(entry, Skip):
                break
            skips.append(entry)
        for skip in reversed(skips):
            print(f"{skipped_name(game, skip)} cannot place, and is skipped")

    def after_game(self, played: Played) -> None:
        """Save a game and report it; only a short line where there are many."""
        self.saver.add(played)
        if self.match.games == 1 or self.show:
            # With --show the final board is on the screen already.
            self.report(played, board=not self.show)
            if self.view.in_place and played.number + 1 < self.match.games:
                self.person.pause("Enter begins the next game: ")
            return
        game = played.game
        scores = ", ".join(
            f"{name}: {score}" for name, score in zip(game.names, game.scores, strict=True)
        )
        text = f"game {played.number + 1}  {scores}; {self.winners(played)}{self.late(played)}"
        self.out.print(text, markup=False, soft_wrap=True)
        self.progress.update(self.task, completed=played.number + 1)

    def winners(self, played: Played) -> str:
        """Say who won."""
        names = [played.game.names[player] for player in played.game.winners]
        if not names:
            return "not finished"
        if names == ["you"]:
            return "you win"
        return f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'}"

    def late(self, played: Played) -> str:
        """Say who overstepped his clock."""
        names = [
            played.game.names[player] for player, timer in played.timers.items() if timer.is_over
        ]
        return f"; out of time: {', '.join(names)}" if names else ""

    def report(self, played: Played, *, board: bool = True) -> None:
        """Show the scores of a game, below its final board."""
        game = played.game
        state = f"after {counted(len(game.moves), 'move')}"
        result = f"{self.winners(played)} {state}{self.late(played)}"
        stopped = "" if game.is_over else "Stopped: "
        if self.view.end(game, f"{stopped}{result}"):
            return
        print()
        if board:
            print(board_text(game.board, color=self.color, names=game.names))
            print()
        variant = game.variant
        title = Text(f"{variant.name}, scoring {game.scoring}")
        table = Table(title=title, title_justify="left")
        owned = "pieces left" if variant.draft else "colors"
        for heading in ("place", "player", owned, "score"):
            table.add_column(heading, justify="right" if heading in ("place", "score") else "left")
        for player in sorted(range(variant.players), key=lambda player: game.ranking[player]):
            colors = [
                f"{variant.color_names[color]} {game.color_scores[color]}"
                for color in variant.order
                if variant.owners[color] == player
            ]
            if variant.draft:
                hands = (game.board.pieces_left(color, player) for color in variant.order)
                colors = [str(sum(map(len, hands)))]
            row = (game.ranking[player], game.names[player], ", ".join(colors), game.scores[player])
            table.add_row(*(Text(str(cell)) for cell in row))
        self.out.print(table)
        self.out.print(result, markup=False)

    def totals(self) -> None:
        """Show how the bots did over all games."""
        table = Table(title="all games", title_justify="left")
        for heading in ("bot", "games", "wins", "shared wins", "mean score", "mean place"):
            table.add_column(heading, justify="left" if heading == "bot" else "right")
        for total in self.match.totals():
            if not total["games"]:
                continue
            means = (f"{total['mean_score']:z.1f}", f"{total['mean_place']:.2f}")
            counts = (total["games"], total["wins"], total["shared_wins"])
            table.add_row(Text(total["name"]), *map(str, counts), *means)
        self.out.print(table)
