"""The match for people and programs: `Game`, and the records `Skip` and `Outcome`.

Thin over `Board`, which knows the rules. Owns names, history with skips, ranking and result.
Knows nothing of files, pictures or bots.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

from blokus_fast._core import Board
from blokus_fast.errors import IllegalMoveError, InvalidMoveError
from blokus_fast.moves import PASS_TEXT, Move, _describe
from blokus_fast.scoring import ScoringRule, ranking
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["Game", "Outcome", "Skip"]


@dataclass(frozen=True, slots=True)
class Skip:
    """A turn that a color could not play.

    Parameters
    ----------
    color : int
        The color that was skipped.
    player : int or None
        Its owner, None where the players share it.
    ply : int
        Number of moves that had been made by then, `Board.ply`: the skip comes before the move
        of that number, counted from 0.

    Examples
    --------
    >>> from blokus_fast import Skip
    >>> Skip(color=2, player=0, ply=61)
    Skip(color=2, player=0, ply=61)
    """

    color: int
    player: int | None
    ply: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a finished game.

    Parameters
    ----------
    winners : tuple of int
        The players in first place; several where they tie.
    ranking : tuple of int
        Per player the place, 1 for the best; equal scores share it.
    scores : tuple of int
        Score per player.
    color_scores : tuple of int
        Score per color.

    Examples
    --------
    >>> from blokus_fast import Outcome
    >>> Outcome(winners=(1,), ranking=(2, 1), scores=(-9, 3), color_scores=(-9, 3)).winners
    (1,)
    """

    winners: tuple[int, ...]
    ranking: tuple[int, ...]
    scores: tuple[int, ...]
    color_scores: tuple[int, ...]


class Game:
    """A match: variant, players, board, history and result.

    Parameters
    ----------
    variant : str or Variant
        A name out of `VARIANTS`, or a variant.
    start : {"assigned", "any", "border"}, optional
        Start rule to use instead of the variant's own.
    scoring : str or ScoringRule, optional
        Scoring rule to use instead of the variant's own.
    names : sequence of str, optional
        A name per player. Default: ``player 1`` and so on.

    Raises
    ------
    ValueError
        A name is unknown (the message lists the valid ones), or `names` has the wrong length.

    Attributes
    ----------
    board : Board
        The position. Moves pushed on it directly, or popped from it, are seen by the game.
    names : tuple of str
        A name per player.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> game = bf.Game("duo", start="assigned", names=["Ann", "Bob"])
    >>> game.play("e8,d9,e9,f9,e10")
    Move(11916, size=14, color=0)
    >>> game.color_scores
    (-84, -89)
    >>> game.history, game.moves[-1].piece, game.board.turn
    ((Move(11916, size=14, color=0),), 'X', 1)
    >>> game.variant.name, game.start, game.scoring, game.is_over
    ('duo', 'assigned', 'advanced', False)
    >>> game.scores, game.ranking, game.winners, game.outcome
    ((-84, -89), (1, 2), (), None)
    """

    def __init__(
        self,
        variant: str | Variant = "classic",
        *,
        start: str | None = None,
        scoring: str | ScoringRule | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        rules = find_variant(variant, start=start, scoring=scoring)
        if names is None:
            names = [f"player {player + 1}" for player in range(rules.players)]
        names = names if isinstance(names, str) else tuple(names)
        if isinstance(names, str) or len(names) != rules.players:
            raise ValueError(f"{rules.name} needs {rules.players} names, not {names!r}")
        if not all(isinstance(name, str) for name in names):
            raise TypeError(f"names must be text, not {names!r}")
        self.board = Board(rules)
        self.names: tuple[str, ...] = tuple(names)
        self._variant = rules
        self._history: list[Move | Skip] = []
        # The ids in `_history`, to see whether somebody moved on the board directly.
        self._ids: list[int] = []

    @classmethod
    def from_board(cls, board: Board, *, names: Sequence[str] | None = None) -> Game:
        """Make a game that goes on from a position.

        Parameters
        ----------
        board : Board
            The position; it is copied. Its moves become the history.
        names : sequence of str, optional
            A name per player.

        Returns
        -------
        Game
            The game.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.set_up("duo", {"purple": ["e10"], "orange": ["j5"]})
        >>> bf.Game.from_board(board).scores
        (-88, -88)
        """
        game = cls(board.variant, names=names)
        game.board = board.copy()
        return game

    @property
    def variant(self) -> Variant:
        """The variant, with the start and scoring rule in force."""
        return self._variant

    @property
    def scoring(self) -> str:
        """Name of the scoring rule in force."""
        return self._variant.scoring_name

    @property
    def start(self) -> str:
        """Name of the start rule in force."""
        return self._variant.start

    @property
    def history(self) -> tuple[Move | Skip, ...]:
        """Moves, and the turns skipped between them, in order.

        Every `Move` has its color. A color is skipped anew in every round in which it cannot
        play. There are no skips behind the last move of a game, which ends at once.
        """
        self._follow_board()
        return tuple(self._history)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves alone, in order."""
        return tuple(entry for entry in self.history if isinstance(entry, Move))

    @property
    def is_over(self) -> bool:
        """Whether nobody can place any more."""
        return self.board.is_game_over

    @property
    def color_scores(self) -> tuple[int, ...]:
        """Score per color, as the position stands, a shared color included."""
        return tuple(self.board.color_scores())

    @property
    def scores(self) -> tuple[int, ...]:
        """Score per player, as the position stands: that of all his colors together."""
        return tuple(self.board.player_scores())

    @property
    def ranking(self) -> tuple[int, ...]:
        """Place per player as the position stands, 1 for the best.

        Equal scores share a place, and the places after it are left out: ``(1, 1, 3)``.
        """
        return ranking(self.scores, lowest_wins=self._variant.scoring_rule.lowest_wins)

    @property
    def winners(self) -> tuple[int, ...]:
        """The players in first place; empty until the game is over."""
        if not self.is_over:
            return ()
        return tuple(player for player, place in enumerate(self.ranking) if place == 1)

    @property
    def outcome(self) -> Outcome | None:
        """The result; None until the game is over."""
        if not self.is_over:
            return None
        return Outcome(self.winners, self.ranking, self.scores, self.color_scores)

    def play(self, move: SupportsIndex | Move | str, *, color: int | str | None = None) -> Move:
        """Play a move for the color whose turn it is.

        Parameters
        ----------
        move : int, Move or str
            Id (numpy integers too), move, or text such as ``a20,b20,c20``.
        color : int or str, optional
            The color that is meant to play, by number or name: another than the one to move
            is an error. A `Move` with a color is checked in the same way.

        Returns
        -------
        Move
            The move, with its color.

        Raises
        ------
        InvalidMoveError
            `move` cannot be a move: id out of range, text that is no piece.
        IllegalMoveError
            The move is not allowed here, it is not that color's turn, the game is over, or
            `move` is ``pass`` in a variant that knows no voluntary pass. The message names
            the rule.
        TypeError
            `move` is neither an integer, a `Move` nor text.

        Notes
        -----
        After an error the game is unchanged.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> game = bf.Game("classic")
        >>> game.play("a19,a20").piece
        '2'
        >>> game.play("pass")
        Traceback (most recent call last):
        ...
        blokus_fast.errors.IllegalMoveError: yellow cannot pass: a color that can place must place
        """
        self._follow_board()
        board = self.board
        number = self._move_id(move)
        if board.is_game_over:
            raise IllegalMoveError("the game is over")
        if color is None and isinstance(move, Move):
            color = move.color
        turn = board.turn
        if color is not None and self._variant.color(color) != turn:
            names = self._variant.color_names
            raise IllegalMoveError(
                f"it is {names[turn]}'s turn, not {names[self._variant.color(color)]}'s"
            )
        board.push(number)
        return self._record(number, turn)

    def undo(self) -> Move:
        """Take back the last move, with the skips that it caused.

        Returns
        -------
        Move
            The move that was taken back.

        Raises
        ------
        IndexError
            No move has been made.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> game = bf.Game("classic")
        >>> game.play("a20") == game.undo()
        True
        >>> game.history
        ()
        """
        self._follow_board()
        if not self._ids:
            raise IndexError("there is no move to undo")
        self.board.pop()
        self._ids.pop()
        while True:
            entry = self._history.pop()
            if isinstance(entry, Move):
                return entry

    def copy(self) -> Game:
        """Make a copy that shares nothing with the game.

        Returns
        -------
        Game
            The copy.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> game = bf.Game("duo")
        >>> other = game.copy()
        >>> _ = other.play("e10")
        >>> len(game.history), len(other.history)
        (0, 1)
        """
        self._follow_board()
        game = Game(self._variant, names=self.names)
        game.board = self.board.copy()
        game._history = self._history.copy()
        game._ids = self._ids.copy()
        return game

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Game:
        """Make a copy that shares nothing with the game."""
        return self.copy()

    def _move_id(self, move: SupportsIndex | Move | str) -> int:
        """Turn whatever stands for a move into its id; the range is the board's to check."""
        if isinstance(move, str):
            if move.strip().lower() == PASS_TEXT and not self._variant.voluntary_pass:
                if self.board.is_game_over:
                    raise IllegalMoveError("the game is over")
                name = self._variant.color_names[self.board.turn]
                raise IllegalMoveError(f"{name} cannot pass: a color that can place must place")
            return self.board.parse_move(move)
        if isinstance(move, Move) and move.size != self.board.size:
            raise InvalidMoveError(
                f"{move!r} is a move on another board: this one has {self.board.size} rows"
            )
        try:
            if isinstance(move, bool):
                raise TypeError
            number = operator.index(move)
        except TypeError:
            raise TypeError(f"a move is an id, a Move or text, not {type(move).__name__}") from None
        if not 0 <= number < self.board.n_actions:
            raise InvalidMoveError(
                f"move id {number} is out of range: 0 to {self.board.n_actions - 1}"
            )
        return number

    def _record(self, number: int, color: int) -> Move:
        """Append a move that was just made, and the skips between it and the next one."""
        self._ids.append(number)
        move = _describe(number, self._variant, color)
        self._history.append(move)
        self._history.extend(_skips(self.board, color))
        return move

    def _follow_board(self) -> None:
        """Rebuild the history if somebody pushed or popped on the board itself."""
        ids = list(self.board.move_stack)
        if ids == self._ids:
            return
        game = Game(self._variant)
        game.board = self.board.copy()
        for _ in ids:
            game.board.pop()
        for number in ids:
            color = game.board.turn
            game.board.push_unchecked(number)
            game._record(number, color)
        self._history, self._ids = game._history, game._ids

    def __str__(self) -> str:
        """Draw the position in plain text."""
        from blokus_fast.render import board_text

        return board_text(self.board)

    def __repr__(self) -> str:
        """Tell the variant, how far the game is, and how it stands."""
        board = self.board
        turn = board.turn
        state = "over" if turn < 0 else f"{self._variant.color_names[turn]} to move"
        return (
            f"<Game {self._variant.name}: {len(board.move_stack)} moves, {state}, "
            f"scores {self.scores}>"
        )


def _skips(board: Board, color: int) -> list[Skip]:
    """List the colors that the turn passed over on its way from `color` to the one to move."""
    if board.is_game_over:
        return []
    variant = board.variant
    order = variant.order
    skips = []
    place = order.index(color)
    for step in range(1, len(order)):
        skipped = order[(place + step) % len(order)]
        if skipped == board.turn:
            break
        skips.append(Skip(skipped, variant.owners[skipped], board.ply))
    return skips
