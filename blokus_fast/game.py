"""The match for people and programs: `Game`, and the records `Skip` and `Outcome`.

Thin over `Board`, which knows the rules. Owns names, history with skips, ranking and result.
Knows nothing of files, pictures or bots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final, Self, SupportsIndex

from blokus_fast._core import Board
from blokus_fast.checking import expect, iterated
from blokus_fast.errors import IllegalMoveError
from blokus_fast.moves import Move
from blokus_fast.moves.actions import resolve, view
from blokus_fast.scoring import ScoringRule, ranking
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant

__all__ = ["Game", "Outcome", "Skip"]

# What a game has of its own, beside what a subclass may add.
_OWN: Final = ("board", "names", "_variant", "_history", "_movers", "_seen")


@dataclass(frozen=True, slots=True)
class Skip:
    """A turn that a color, or in Draft a player, could not play.

    Parameters
    ----------
    color : int or None
        The color that was skipped; None in Draft, where it is a player.
    player : int or None
        Its owner, None where the players share it. In Draft the player who was skipped.
    ply : int
        Number of moves that had been made by then, `Board.ply`: the skip comes before the move
        of that number, counted from 0.

    Examples
    --------
    >>> from blokus_fast import Skip
    >>> Skip(color=2, player=0, ply=61)
    Skip(color=2, player=0, ply=61)
    """

    color: int | None
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


def outcome(board: Board) -> Outcome | None:
    """Return the result of a game that has come to an end on a board; None before; see `Board`."""
    if not board.is_game_over:
        return None
    scores = board.player_scores()
    places = ranking(scores, lowest_wins=board.variant.scoring_rule.lowest_wins)
    winners = tuple(player for player, place in enumerate(places) if place == 1)
    return Outcome(winners, places, scores, board.color_scores())


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
    hands : sequence of mapping, optional
        Draft only: per player his pieces, from color (number or name) to names of pieces or 21
        counts. The game then begins with the first placement, without a draft phase.

    Attributes
    ----------
    board : Board
        The position. Moves pushed on it directly, or popped from it, are seen by the game.
    names : tuple of str
        A name per player.

    Raises
    ------
    ValueError
        A name is unknown (the message lists the valid ones), `names` has the wrong length, or
        `hands` holds what the variant does not have.

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
        hands: Sequence[Mapping[Any, Iterable[Any]]] | None = None,
    ) -> None:
        rules = find_variant(variant, start=start, scoring=scoring)
        self.names: tuple[str, ...] = player_names(rules, names)
        self._variant = rules
        self._begin(Board(rules, hands=hands))

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

        Raises
        ------
        ValueError
            `names` has the wrong length.
        TypeError
            `board` is not a Board, or a name not a str.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> board = bf.set_up("duo", {"purple": ["e10"], "orange": ["j5"]})
        >>> bf.Game.from_board(board).scores
        (-88, -88)
        """
        expect(board, Board, "board")
        game = cls(board.variant, names=names)
        game.board = board.copy()
        game._replay()
        return game

    @property
    def variant(self) -> Variant:
        """The `Variant`, with the start and scoring rule in force.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Game("duo").variant.color_names
        ('purple', 'orange')
        """
        return self._variant

    @property
    def scoring(self) -> str:
        """Name of the scoring rule in force, a str.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Game("junior").scoring
        'basic'
        """
        return self._variant.scoring_name

    @property
    def start(self) -> str:
        """Name of the start rule in force, a str.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Game("duo").start
        'any'
        """
        return self._variant.start

    @property
    def history(self) -> tuple[Move | Skip, ...]:
        """Moves, and the turns skipped between them, in order: a tuple of `Move` and `Skip`.

        Every `Move` has its color; in Draft the moves are `Pick` and `DraftMove`. A color (in
        Draft a player) is skipped anew in every round in which it cannot play. There are no
        skips behind the last move of a game, which ends at once.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> game = bf.Game("duo")
        >>> while not game.is_over:
        ...     move = game.play(game.board.legal_ids()[-1])
        >>> [entry for entry in game.history if isinstance(entry, bf.Skip)]
        [Skip(color=1, player=1, ply=31)]
        """
        self._follow_board()
        return tuple(self._history)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves alone, in order: a tuple of `Move`.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> game = bf.Game("duo")
        >>> move = game.play("e10,f10")
        >>> [move.text for move in game.moves]
        ['e10,f10']
        """
        return tuple(entry for entry in self.history if isinstance(entry, Move))

    @property
    def movers(self) -> tuple[int, ...]:
        """The player who made each of `moves`, a tuple of int.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> game = bf.Game("classic-2p")
        >>> for square in ("a20", "t20", "t1", "a1"):
        ...     move = game.play(square)
        >>> game.movers
        (0, 1, 0, 1)
        """
        self._follow_board()
        return tuple(self._movers)

    @property
    def is_over(self) -> bool:
        """Whether nobody can place any more, a bool.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Game("duo").is_over
        False
        """
        return self.board.is_game_over

    @property
    def color_scores(self) -> tuple[int, ...]:
        """Score per color, as the position stands, a shared color included: a tuple of int.

        In Draft that of the color's whole set, without a bonus.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Game("classic-3p", scoring="placed").color_scores
        (0, 0, 0, 0)
        """
        return tuple(self.board.color_scores())

    @property
    def scores(self) -> tuple[int, ...]:
        """Score per player, as the position stands: a tuple of int.

        That of all his colors together; in Draft that of his own hand.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Game("classic-2p").scores
        (-178, -178)
        """
        return tuple(self.board.player_scores())

    @property
    def ranking(self) -> tuple[int, ...]:
        """Place per player as the position stands, 1 for the best: a tuple of int.

        Equal scores share a place, and the places after it are left out: ``(1, 1, 3)``.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> game = bf.Game("classic")
        >>> move = game.play("a20,b20")
        >>> game.ranking
        (1, 2, 2, 2)
        """
        return ranking(self.scores, lowest_wins=self._variant.scoring_rule.lowest_wins)

    @property
    def winners(self) -> tuple[int, ...]:
        """The players in first place, a tuple of int; empty until the game is over.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> game = bf.Game("duo")
        >>> while not game.is_over:
        ...     move = game.play(game.board.legal_ids()[-1])
        >>> game.scores, game.winners
        ((-16, -25), (0,))
        """
        result = self.outcome
        return () if result is None else result.winners

    @property
    def outcome(self) -> Outcome | None:
        """The result, an `Outcome`; None until the game is over.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Game("duo").outcome is None
        True
        """
        return outcome(self.board)

    def play(self, move: SupportsIndex | Move | str, *, color: int | str | None = None) -> Move:
        """Play a move for the color whose turn it is, or in Draft for the player.

        Parameters
        ----------
        move : int, Move or str
            Id (numpy integers too), move, or text such as ``a20,b20,c20``; in Draft
            ``pick F`` or ``blue a20,b20,c20``.
        color : int or str, optional
            The color that is meant to play, by number or name: another than the one to move
            is an error. A `Move` with a color is checked in the same way. In Draft the color
            of the piece, for texts and placements that do not tell it.

        Returns
        -------
        Move
            The move, with its color.

        Raises
        ------
        InvalidMoveError
            `move` cannot be a move: id out of range, text that is no piece, in Draft squares
            that several colors could cover.
        IllegalMoveError
            The move is not allowed here, it is not that color's turn, the game is over, or
            `move` is ``pass`` in a variant that knows no voluntary pass. The message names
            the rule.
        ValueError
            There is no color of that name or number.
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
        meant = None if color is None else self._variant.color(color)
        number = resolve(board, move, meant)
        if board.is_game_over:
            raise IllegalMoveError("the game is over")
        if meant is not None and not self._variant.draft and meant != board.turn:
            names = self._variant.color_names
            raise IllegalMoveError(f"it is {names[board.turn]}'s turn, not {names[meant]}'s")
        turn, player = board.turn, board.player
        board.push(number)
        return self._record(number, turn, player)

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
        if not self._movers:
            raise IndexError("there is no move to undo")
        self.board.pop()
        self._movers.pop()
        self._note()
        while True:
            entry = self._history.pop()
            if isinstance(entry, Move):
                return entry

    def copy(self) -> Self:
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
        game = type(self).__new__(type(self))
        vars(game).update(vars(self))
        game.board = self.board.copy()
        game._history = self._history.copy()
        game._movers = self._movers.copy()
        game._note()
        return game

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Make a copy that shares nothing with the game, what a subclass has of its own too."""
        game = self.copy()
        memo[id(self)] = game
        for name, value in vars(self).items():
            if name not in _OWN:
                setattr(game, name, deepcopy(value, memo))
        return game

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what belongs to this process only."""
        return {name: value for name, value in vars(self).items() if name != "_seen"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was pickled, and look at the board anew."""
        vars(self).update(state)
        vars(self).pop("_ids", None)  # of 0.1
        self._note()

    def _begin(self, board: Board) -> None:
        """Start the history with a board without moves."""
        self.board = board
        self._history: list[Move | Skip] = self._skips(board)
        self._movers: list[int] = []
        self._note()

    def _note(self) -> None:
        """Note what the history is of, to see whether somebody moves on the board directly."""
        self._seen = (self.board, self.board._revision)

    def _record(self, number: int, color: int, player: int) -> Move:
        """Append a move that was just made, and the skips between it and the next one."""
        self._movers.append(player)
        move = view(self.board.rules, number, color)
        self._history.append(move)
        self._history.extend(self._skips(self.board))
        self._note()
        return move

    def _skips(self, board: Board) -> list[Move | Skip]:
        """List whom the turn has passed over on its way to whoever is to move."""
        if self._variant.draft:
            return [Skip(None, player, board.ply) for player in board.skipped]
        owners = self._variant.owners
        return [Skip(color, owners[color], board.ply) for color in board.skipped]

    def _follow_board(self) -> None:
        """Rebuild the history if somebody pushed or popped on the board, or put another here."""
        board, revision = self._seen
        if self.board is not board or board._revision != revision:
            self._replay()

    def _replay(self) -> None:
        """Rebuild the history from the moves on the board."""
        board = self.board
        again = board.copy()
        ids = [again.pop() for _ in board.move_stack]
        self._begin(again)
        for number in reversed(ids):
            color, player = again.turn, again.player
            again.push_unchecked(number)
            self._record(number, color, player)
        self.board = board
        self._note()

    def _repr_svg_(self) -> str:
        """Draw the position with the players for notebooks."""
        from blokus_fast import svg

        return svg.board(self, scores=True)

    def __str__(self) -> str:
        """Draw the position in plain text."""
        from blokus_fast.render import board_text

        return board_text(self.board)

    def __repr__(self) -> str:
        """Show the call that makes a game with this position and these names."""
        names = ""
        if self.names != tuple(f"player {player + 1}" for player in range(len(self.names))):
            names = f", names={self.names!r}"
        return f"Game.from_board({self.board!r}{names})"


def player_names(rules: Variant, names: Sequence[str] | None) -> tuple[str, ...]:
    """Return a name per player, those given or by number; raise if they are too few or no texts."""
    if names is None:
        return tuple(f"player {player + 1}" for player in range(rules.players))
    given = names if isinstance(names, str) else tuple(iterated(names, "names must be texts"))
    if isinstance(given, str) or len(given) != rules.players:
        raise ValueError(f"{rules.name} needs {rules.players} names, not {given!r}")
    if not all(isinstance(name, str) for name in given):
        raise TypeError(f"names must be text, not {given!r}")
    return given
