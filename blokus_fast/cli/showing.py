"""Where a person sees a game: lines that go on and on, or one screen that is drawn anew.

`Transcript` prints whatever there is, for pipes and small terminals. `Window` keeps the game in
place on a terminal; what is on it is composed in `frames`.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence

from rich.cells import cell_len
from rich.console import Console

from blokus_fast.cli.columns import padded, prefix, wrapped
from blokus_fast.cli.editing import can_edit, read_line
from blokus_fast.cli.frames import SAID, Look, final_frame, frame, next_seat
from blokus_fast.game import Game
from blokus_fast.render import board_text

__all__ = ["Transcript", "Window", "prints", "view_on"]


def prints(out: Console, signs: str) -> bool:
    """Tell whether a console can print some signs."""
    try:
        signs.encode(out.encoding)
    except (UnicodeError, LookupError):
        return False
    return True


class Transcript:
    """Prints what a person wants to see, one after the other."""

    in_place = False
    """Whether the game is shown in place, so that nothing else need show it."""

    def __init__(self, color: bool) -> None:
        self.color = color

    def board(self, game: Game) -> None:
        """Show the board with the squares where the person can connect."""
        print()
        print(board_text(game.board, color=self.color, corners=True, names=game.names))

    def say(self, text: str, marked: Sequence[int] = ()) -> None:
        """Say something, perhaps about some squares."""
        print(text)

    def listing(self, heading: str, texts: Sequence[str]) -> None:
        """Show a list, which may be long."""
        print("\n".join(texts) if texts else heading)

    def read(self, game: Game, prompt: str) -> str:
        """Ask for a line."""
        return read_line(prompt)

    def waiting(self, game: Game, name: str, people: Collection[int]) -> None:
        """Take notice that somebody else is asked for a move."""

    def end(self, game: Game, text: str) -> bool:
        """Show the end of a game; tell whether that was done."""
        return False


class Window:
    """Keeps a game in place on a terminal.

    Parameters
    ----------
    out : Console
        The terminal.
    color : bool
        Whether it shows 256 colors.
    """

    in_place = True

    def __init__(self, out: Console, color: bool) -> None:
        self.out = out
        self.color = color
        self._begun = False
        self._paged = False
        self._said = ""
        self._marked: Sequence[int] = ()
        self._plain = Transcript(color)

    @property
    def look(self) -> Look:
        """What the terminal can show, as it is now."""
        width, height = self.out.size
        return Look(width, height, self.color, prints(self.out, "▀▄█"))

    def _draw(self, lines: Sequence[str]) -> None:
        """Put lines in the place of those that are there."""
        parts = []
        if not self._begun:
            # What was on the screen before can be scrolled back to.
            parts.append("\n" * self.out.height)
            self._begun = True
        # Terminals differ in how wide some signs are: a line that is too long must not become two.
        parts.append("\x1b[?7l\x1b[H")
        parts += [f"{line}\x1b[K\n" for line in lines]
        parts.append("\x1b[J\x1b[?7h")
        sys.stdout.write("".join(parts))
        sys.stdout.flush()

    def board(self, game: Game) -> None:
        """Forget what was said: the board is drawn with the prompt."""
        self._said, self._marked, self._paged = "", (), False

    def say(self, text: str, marked: Sequence[int] = ()) -> None:
        """Say something below the board, or on a page of its own if it is long."""
        width = self.look.width
        lines = [part for line in text.split("\n") for part in wrapped(line, width)]
        if len(lines) > SAID:
            self.listing("", lines)
        else:
            self._said, self._marked = " ".join(lines), marked

    def listing(self, heading: str, texts: Sequence[str]) -> None:
        """Show a list in columns, as much of it as fits on a page."""
        look = self.look
        wide = max([1, *map(cell_len, texts)]) + 2
        columns = 1 if not heading else max(1, look.width // wide)
        # The heading, what is left out, how to go on, and the prompt.
        room = max(1, look.height - 4) if heading else look.height - 2
        rows = min(room, -(-len(texts) // columns))
        shown = texts[: rows * columns]
        lines = [heading] if heading else []
        for row in range(rows):
            lines.append("".join(padded(text, wide) for text in shown[row::rows]).rstrip())
        if len(shown) < len(texts):
            more = f"and {len(texts) - len(shown)} more; name a square that it covers as well"
            lines.append(more)
        lines.append("Enter shows the board again.")
        self._draw([prefix(line, look.width) for line in lines])
        self._paged = True

    def read(self, game: Game, prompt: str) -> str:
        """Draw the game, and ask for a line below it."""
        if not self._paged:
            board = game.board
            seat = board.player, max(board.turn, 0)
            said, marked = self._said or _help(), self._marked
            lines = frame(game, self.look, seat, asked=True, said=said, marked=marked)
            if lines is not None:
                self._draw(lines)
            else:
                self._plain.board(game)
                print(said)
        self._said, self._marked, self._paged = "", (), False
        return read_line(prompt)

    def waiting(self, game: Game, name: str, people: Collection[int]) -> None:
        """Show the game while somebody else thinks."""
        seat = next_seat(game, people)
        lines = frame(game, self.look, seat, asked=False, said=f"{name} is thinking ...")
        if lines is not None:
            self._draw(lines)

    def end(self, game: Game, text: str) -> bool:
        """Show the end of a game; tell whether there was room for it."""
        lines = final_frame(game, self.look, text)
        if lines is not None:
            while not lines[-1]:
                lines.pop()
            self._draw(lines)
        return lines is not None


def _help() -> str:
    tab = " Tab completes." if can_edit() else ""
    return f"Squares of a move; or help, hint, list, undo, quit.{tab}"


def view_on(out: Console, color: bool) -> Transcript | Window:
    """Return what shows games to a person there."""
    person = sys.stdin is not None and sys.stdin.isatty()
    screen = out.is_terminal and sys.stdout is not None and sys.stdout.isatty()
    if person and screen and not out.is_dumb_terminal and not out.legacy_windows:
        return Window(out, color)
    return Transcript(color)
