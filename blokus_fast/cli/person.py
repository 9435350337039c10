"""A person at the keyboard: reads lines, explains, and plays the moves typed."""

from __future__ import annotations

from blokus_fast.bots import make
from blokus_fast.game import Game
from blokus_fast.match import QuitError
from blokus_fast.moves import PIECES, Move
from blokus_fast.moves.actions import Pick
from blokus_fast.render import board_text

HELP = """\
  a20,b20,c20   place a piece on these squares (letter: column, number: row)
  pick F        in Draft: pick that piece of the color that is being drafted
  blue a20,b20  in Draft: place a piece of that color
  pass          give up this turn, where the variant allows it
  list [PIECE]  list the legal moves, of one piece or how many there are of each
  hint          let the bot greedy make a suggestion
  board         show the board again; + marks the squares where you can connect
  undo          take back your last move
  help          this text
  quit          end the game"""


def prompt(game: Game) -> str:
    """Say who is asked for what."""
    board, names = game.board, game.variant.color_names
    if board.is_drafting:
        return f"{game.names[board.player]}, your pick of {names[board.turn]}"
    if game.variant.draft:
        return f"{game.names[board.player]}, your move"
    return f"{names[board.turn]}, your move"


class Person:
    """Asks for moves on the standard input.

    Parameters
    ----------
    color : bool
        Whether the terminal shows colors.
    """

    def __init__(self, color: bool) -> None:
        self.color = color
        self.greeted = False

    def ask(self, game: Game) -> Move | None:
        """Ask until a move is played, and return it; None after moves were taken back."""
        if not self.greeted:
            self.greeted = True
            self.show(game)
            kind = (
                'a piece such as "pick F"'
                if game.board.is_drafting
                else 'squares such as "a20,b20"'
            )
            print(f'Type {kind}, or "help".')
        while True:
            try:
                line = input(f"{prompt(game)}: ").strip()
            except EOFError:
                print()
                raise QuitError from None
            word, _, rest = line.partition(" ")
            word = word.lower()
            if word in ("quit", "exit", "q"):
                raise QuitError
            if word == "undo":
                if self.undo(game):
                    self.show(game)
                    return None
                print("There is no move of yours to take back.")
            elif not self.answer(game, word, rest.strip()):
                try:
                    return game.play(line)
                except ValueError as error:
                    print(f"No: {error}.")

    def answer(self, game: Game, word: str, rest: str) -> bool:
        """Carry out a word that changes nothing; say whether it was one."""
        if word == "":
            return True
        if word in ("help", "?"):
            print(HELP)
        elif word == "list":
            self.list_moves(game, rest)
        elif word == "hint":
            hint = game.board.move(make("greedy").choose(game.board))
            print(hint.text if isinstance(hint, Pick) else f"{hint.piece} at {hint.text}")
        elif word == "board":
            self.show(game)
        else:
            return False
        return True

    def show(self, game: Game) -> None:
        """Show the board with the squares where the person can connect."""
        print()
        print(board_text(game.board, color=self.color, corners=True, names=game.names))

    def list_moves(self, game: Game, piece: str) -> None:
        """List the moves of a piece, or how many each piece has."""
        moves = [game.board.move(number) for number in game.board.legal_ids().tolist()]
        piece = piece.upper()
        if piece:
            if piece not in PIECES:
                print(f"There is no piece {piece}; there are {', '.join(PIECES)}.")
                return
            texts = [move.text for move in moves if move.piece == piece]
            print("\n".join(texts) if texts else f"{piece} cannot be played.")
            return
        names = [move.piece for move in moves]
        counts = [f"{name}: {names.count(name)}" for name in PIECES if name in names]
        print(f"{len(moves)} moves: {', '.join(counts)}")
        print('"list X" lists those of the piece X.')

    def undo(self, game: Game) -> bool:
        """Take back moves until it is a person's turn again; say whether there was one."""
        player = game.board.player
        mine = [place for place, mover in enumerate(game.movers) if mover == player]
        if not mine:
            return False
        while len(game.moves) > mine[-1]:
            game.undo()
        return True
