"""The command `play`: bots against each other, or a person at the keyboard."""

from __future__ import annotations

import json
import random
import sys
import time

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from blokus_fast.bots import BOTS
from blokus_fast.cli.common import (
    SCORING,
    VARIANT,
    console,
    json_option,
    resolve,
    start_option,
)
from blokus_fast.cli.match import HUMAN, Match, Played
from blokus_fast.cli.person import Person
from blokus_fast.game import Skip
from blokus_fast.moves import Move
from blokus_fast.render import board_text
from blokus_fast.variants import Variant

__all__ = ["play"]

BOT_NAMES = (*BOTS, HUMAN)


def read_bots(bots: str | None, variant: Variant) -> list[str]:
    """Turn the option into a bot per player."""
    if bots is None:
        return [HUMAN] + ["greedy"] * (variant.players - 1)
    names = [name.strip() for name in bots.split(",")]
    for name in names:
        if name not in BOT_NAMES:
            raise click.UsageError(f"unknown bot {name!r}; valid: {', '.join(BOT_NAMES)}")
    if len(names) == 1:
        names *= variant.players
    if len(names) != variant.players:
        raise click.UsageError(
            f"{variant.name} has {variant.players} players: give one bot for all, or "
            f"{variant.players} with commas between them, not {len(names)}"
        )
    return names


@click.command()
@click.option("--variant", "variant_name", type=VARIANT, default="classic", show_default=True)
@start_option
@click.option("--scoring", type=SCORING, help="Scoring rule, instead of the variant's own.")
@click.option(
    "--bots",
    metavar="A,B,...",
    help=f"A bot per player, or one for all: {', '.join(BOT_NAMES)}. "
    "Without it you play against greedy.",
)
@click.option("--games", type=click.IntRange(1), default=1, show_default=True)
@click.option("--seed", type=click.IntRange(0), help="Same seed, same games.  [default: by chance]")
@click.option("--show", is_flag=True, help="Show the board after every move.")
@json_option
def play(
    variant_name: str,
    start: str | None,
    scoring: str | None,
    bots: str | None,
    games: int,
    seed: int | None,
    show: bool,
    as_json: bool,
) -> None:
    """Play games between bots, or against them.

    With several games the seats rotate: in game k player p is the bot at place p + k of the
    list, counted round. You move by typing squares such as a20,b20,c20; help tells more.
    Ctrl-C ends the match and reports what was played.
    """
    variant = resolve(variant_name, start, scoring)
    names = read_bots(bots, variant)
    if as_json and HUMAN in names:
        raise click.UsageError("--json is for bots only, not for human")
    if as_json and show:
        raise click.UsageError("--json and --show exclude each other")
    if seed is None:
        seed = random.SystemRandom().getrandbits(32)
    match = Match(variant, names, seed, games)
    if as_json:
        match.run(_nobody, lambda played, move: None, lambda played: None)
        click.echo(json.dumps(match.report()))
    else:
        _Screen(match, show or HUMAN in names).run()
    if match.interrupted and HUMAN not in names:
        # What a shell expects of a program that was interrupted.
        sys.exit(130)


def _nobody(game: object) -> Move:
    raise AssertionError("a bot was taken for a person")


class _Screen:
    """A match as a person sees it."""

    def __init__(self, match: Match, show: bool) -> None:
        self.match = match
        self.show = show
        self.out = console()
        self.color = self.out.color_system in ("256", "truecolor") and not self.out.no_color
        self.person = Person(self.color)
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
        # A progress bar only where nothing else is printed meanwhile and somebody looks.
        if self.show or not self.progress.console.is_terminal:
            match.run(self.person.ask, self.after_move, self.after_game)
        else:
            with self.progress:
                match.run(self.person.ask, self.after_move, self.after_game)
        if match.interrupted:
            self.out.print("\n[bold]Stopped.[/bold] This is how it stood:")
            self.report(match.played[-1])
        if match.games > 1:
            self.totals()
        self.out.print(f"[dim]seed {match.seed}[/dim]")

    def after_move(self, played: Played, move: Move) -> None:
        """Show the board, or how far the match is."""
        if self.show:
            self.show_move(played, move)
        elif time.monotonic() - self.began > 0.5:
            moves = len(played.game.board.move_stack)
            self.progress.update(self.task, visible=True, completed=played.number, moves=moves)

    def show_move(self, played: Played, move: Move) -> None:
        """Show the board after a move, and who is skipped."""
        game = played.game
        variant = game.variant
        player = game.board.player
        asked = player >= 0 and self.match.bots[played.seats[player]] == HUMAN
        print()
        print(board_text(game.board, color=self.color, last=move, corners=asked))
        assert move.color is not None
        owner = variant.owners[move.color]
        who = "" if owner is None else f" ({game.names[owner]})"
        color = variant.color_names[move.color]
        print(f"{len(game.moves)}. {color}{who}: {move.piece} at {move.text}")
        history = game.history
        for entry in history[history.index(move) + 1 :]:
            if isinstance(entry, Skip):
                print(f"{variant.color_names[entry.color]} cannot place, and is skipped")

    def after_game(self, played: Played) -> None:
        """Report a game; only a short line where there are many."""
        if self.match.games == 1 or self.show:
            # With --show the final board is on the screen already.
            self.report(played, board=not self.show)
            return
        game = played.game
        scores = ", ".join(
            f"{name}: {score}" for name, score in zip(game.names, game.scores, strict=True)
        )
        text = f"game {played.number + 1}  {scores}; {self.winners(played)}"
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

    def report(self, played: Played, *, board: bool = True) -> None:
        """Show the scores of a game, below its final board."""
        game = played.game
        print()
        if board:
            print(board_text(game.board, color=self.color))
            print()
        variant = game.variant
        table = Table(title=f"{variant.name}, scoring {game.scoring}", title_justify="left")
        for heading in ("place", "player", "colors", "score"):
            table.add_column(heading, justify="right" if heading in ("place", "score") else "left")
        for player in sorted(range(variant.players), key=lambda player: game.ranking[player]):
            colors = [
                f"{variant.color_names[color]} {game.color_scores[color]}"
                for color in variant.order
                if variant.owners[color] == player
            ]
            row = (game.ranking[player], game.names[player], ", ".join(colors))
            table.add_row(*map(str, row), str(game.scores[player]))
        self.out.print(table)
        state = f"after {len(game.moves)} moves"
        self.out.print(f"{self.winners(played)} {state}", markup=False)

    def totals(self) -> None:
        """Show how the bots did over all games."""
        table = Table(title="all games", title_justify="left")
        for heading in ("bot", "games", "wins", "shared wins", "mean score", "mean place"):
            table.add_column(heading, justify="left" if heading == "bot" else "right")
        for total in self.match.totals():
            if not total["games"]:
                continue
            means = (f"{total['mean_score']:.1f}", f"{total['mean_place']:.2f}")
            counts = (total["games"], total["wins"], total["shared_wins"])
            table.add_row(total["name"], *map(str, counts), *means)
        self.out.print(table)
