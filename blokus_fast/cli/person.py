"""A person at the keyboard: reads lines, explains, and plays the moves typed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from blokus_fast._core import Board
from blokus_fast.bots import make
from blokus_fast.cli.columns import cut
from blokus_fast.cli.editing import edited, read_line
from blokus_fast.cli.showing import Transcript, Window
from blokus_fast.game import Game
from blokus_fast.match import QuitError
from blokus_fast.moves import PIECES, Move, Pass
from blokus_fast.moves.actions import Pick
from blokus_fast.moves.notation import parse_square, square_text
from blokus_fast.words import counted

__all__ = ["Person", "completions", "example", "help_text"]

# Quick, and better than one ply.
_ADVISER: Final = "mcts:6"
# Cells of a name in front of what is typed.
_NAME: Final = 30
_COMMANDS: Final = ("board", "help", "hint", "list", "pass", "pick", "quit", "undo")
_SQUARE: Final = re.compile(r"[a-z][0-9]{1,2}")


def example(board: Board) -> str:
    """Return what a person could type: a legal move, if there is one a small one.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.cli.person import example
    >>> example(bf.Board("classic")), example(bf.Board("duo"))
    ('a20,b20,c20', 'c10,d10,e10')
    """
    moves = [board.move(number) for number in board.legal_ids().tolist()]
    small = [move for move in moves if len(move.squares) == 3]
    return str((small or moves)[0])


def help_text(board: Board) -> str:
    r"""Return all that a person may type, with squares of that board.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.cli.person import help_text
    >>> print(help_text(bf.Board("duo")).split("\n")[0])
    a14,b14,c14           place a piece there (letter: column, number: row)
    """
    squares = [square_text(column, board.size) for column in range(min(3, board.size))]
    rows = [
        (",".join(squares), "place a piece there (letter: column, number: row)"),
        ("list [PIECE] [SQUARE]", "list the moves, of a piece, that cover a square"),
        ("hint", "let a quick search make a suggestion"),
        ("board", "show the board again; + marks where you can connect"),
        ("undo", "take back your last move"),
        ("help", "this text"),
        ("quit", "end the game"),
    ]
    if board.variant.voluntary_pass:
        rows.insert(1, ("pass", "give up this turn"))
    if board.variant.draft:
        color = board.variant.color_names[0]
        rows[0] = (f"{color} {','.join(squares[:2])}", "place a piece of that color there")
        rows.insert(0, ("pick F", "pick that piece of the drafted color; F alone will do"))
    wide = max([14, *(len(words) for words, _ in rows)])
    return "\n".join(f"{words:{wide}} {text}" for words, text in rows)


def prompt(game: Game) -> str:
    """Say who is asked for what, in less than a line."""
    board, names = game.board, game.variant.color_names
    name = cut(game.names[board.player], _NAME)
    if board.is_drafting:
        return f"{name}, your pick of {names[board.turn]}"
    if game.variant.draft:
        return f"{name}, your move"
    return f"{names[board.turn]}, your move"


def completions(game: Game, before: str, word: str) -> list[str]:
    """Return what a word that a person is typing may become: commands, pieces, squares.

    Parameters
    ----------
    game : Game
        The game.
    before : str
        What stands before the word.
    word : str
        Its beginning.

    Returns
    -------
    list of str
        Squares are those of legal moves that cover all that stand there already.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.cli.person import completions
    >>> game = bf.Game("duo", start="assigned")
    >>> completions(game, "", "hi"), completions(game, "e8,d9,f9,e9,", "")
    (['hint'], ['e10'])
    """
    board = game.board
    first, _, rest = before.lower().lstrip().partition(" ")
    if first in ("list", "pick") and not rest.strip():
        found: Iterable[str] = {move.piece for move in _moves(board) if move.piece}
    else:
        typed = re.split(r"[ ,]+", before.lower())
        covered = {parse_square(text, board.size) for text in typed if _on_board(text, board.size)}
        colors = set(board.variant.color_names) & set(typed)
        found = {
            square_text(square, board.size)
            for move in _moves(board)
            if covered <= set(move.squares)
            and (not colors or board.variant.color_names[move.color or 0] in colors)
            for square in move.squares
            if square not in covered
        }
        if not before.strip():
            # Not every square of the board at the first key.
            found = [*_words(board), *(found if word else ())]
    lower = word.lower()
    return sorted(text for text in found if text.lower().startswith(lower))


def _moves(board: Board) -> list[Move]:
    return [board.move(number) for number in board.legal_ids().tolist()]


def _words(board: Board) -> list[str]:
    """Return the commands that mean something in a game."""
    variant = board.variant
    unknown = {"pass": not variant.voluntary_pass, "pick": not board.is_drafting}
    colors = variant.color_names if variant.draft else ()
    return [*(word for word in _COMMANDS if not unknown.get(word)), *colors]


def _on_board(text: str, size: int) -> bool:
    if not _SQUARE.fullmatch(text):
        return False
    return ord(text[0]) - ord("a") < size and 1 <= int(text[1:]) <= size


def _pick_of(line: str, board: Board) -> str:
    """Return what was typed; where a pick is asked for, the name of a piece will do."""
    return f"pick {line}" if board.is_drafting and line.upper() in PIECES else line


class Person:
    """Asks for moves on the standard input.

    Parameters
    ----------
    view : Transcript or Window
        Where the person sees the game.
    """

    def __init__(self, view: Transcript | Window) -> None:
        self.view = view
        self.greeted = False

    def ask(self, game: Game) -> Move | None:
        """Ask until a move is played, and return it; None after moves were taken back."""
        if not self.greeted:
            self.greeted = True
            self.view.board(game)
            self.view.say(f'Type {self.example(game)}, or "help".')
        while True:
            with edited(lambda before, word: completions(game, before, word)):
                try:
                    line = self.view.read(game, f"{prompt(game)}: ").strip()
                except EOFError:
                    print()
                    raise QuitError from None
            word, _, rest = line.partition(" ")
            word = word.lower()
            if word in ("quit", "exit", "q"):
                raise QuitError
            if word == "undo":
                if self.undo(game):
                    self.view.board(game)
                    return None
                self.view.say("There is no move of yours to take back.")
            elif not self.answer(game, word, rest.strip()):
                try:
                    return game.play(_pick_of(line, game.board))
                except ValueError as error:
                    self.view.say(f"No: {error}.")

    def pause(self, text: str) -> None:
        """Wait for a key."""
        try:
            read_line(text)
        except EOFError:
            raise QuitError from None

    def example(self, game: Game) -> str:
        """Say what may be typed, with a move that is possible on this board."""
        what = "a piece" if game.board.is_drafting else "squares"
        return f'{what} such as "{example(game.board)}"'

    def answer(self, game: Game, word: str, rest: str) -> bool:
        """Carry out a word that changes nothing; say whether it was one."""
        if word == "":
            return True
        if word in ("help", "?"):
            self.view.say(help_text(game.board))
        elif word == "list":
            self.list_moves(game, rest)
        elif word == "hint":
            hint = game.board.move(make(_ADVISER, seed=0).choose(game.board.copy()))
            self.view.say(
                hint.text if isinstance(hint, Pick | Pass) else f"{hint.piece} at {hint.text}",
                hint.squares,
            )
        elif word == "board":
            self.view.board(game)
        else:
            return False
        return True

    def list_moves(self, game: Game, rest: str) -> None:
        """List the moves of a piece, or that cover a square, or how many each piece has."""
        size = game.board.size
        moves = _moves(game.board)
        words = rest.split()
        piece = words.pop(0).upper() if words and words[0].upper() in PIECES else ""
        square = words.pop(0).lower() if words and _on_board(words[0].lower(), size) else ""
        if words:
            there = f"{', '.join(PIECES)}; squares from a1 to {square_text(size - 1, size)}"
            self.view.say(f"There is no piece or square {words[0]}; there are {there}.")
            return
        if not piece and not square:
            names = [move.piece for move in moves]
            counts = [f"{name}: {names.count(name)}" for name in PIECES if name in names]
            self.view.say(f"{counted(len(moves), 'move')}: {', '.join(counts)}")
            return
        number = parse_square(square, size) if square else None
        texts = [
            move.text if piece else f"{move.piece} {move.text}"
            for move in moves
            if piece in ("", move.piece) and (number is None or number in move.squares)
        ]
        one = len(texts) == 1
        cover = f" that cover{'s' if one else ''} {square}" if square else ""
        what = f"{piece or ('move' if one else 'moves')}{cover}"
        if not texts:
            self.view.say(f"{piece or 'Nothing'} cannot be played{square and f' on {square}'}.")
            return
        self.view.listing(
            f"{len(texts)} {what}:" if not piece else f"{what}: {counted(len(texts), 'move')}",
            texts,
        )

    def undo(self, game: Game) -> bool:
        """Take back moves until it is a person's turn again; say whether there was one."""
        player = game.board.player
        mine = [place for place, mover in enumerate(game.movers) if mover == player]
        if not mine:
            return False
        while len(game.moves) > mine[-1]:
            game.undo()
        return True
