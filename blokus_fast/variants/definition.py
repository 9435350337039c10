"""`Variant`: everything about a game before its first move, checked when made.

Owns the checks, and the compiling for the core, where the rules themselves are. The shipped
variants are records in `shipped`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final

from blokus_fast import _core
from blokus_fast.moves import PIECE_SIZES, PIECES, parse_square
from blokus_fast.scoring import SCORING_RULES, ScoringRule, scoring_rule

__all__ = ["START_RULES", "Variant"]

START_RULES: Final[tuple[str, ...]] = ("assigned", "any", "border")
"""Names of the start rules.

The first piece of a color covers one of its own start squares (`assigned`), one of anybody's
that is still free (`any`), or touches the rim of the board (`border`).
"""


def _tuple(name: str, value: Any) -> tuple[Any, ...]:
    """Turn a list or the like into a tuple; text is refused, since it is iterable too."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a sequence, not {value!r}")
    return tuple(value)


@dataclass(frozen=True)
class Variant:
    """Everything about a game before its first move.

    Hashable and compared by value. Sequences of any kind are taken, and kept as tuples.

    Parameters
    ----------
    name : str
        Name of the variant.
    size : int
        Rows and columns of the board, 1 to 20.
    color_names : sequence of str
        Names of the colors, one to four; their number is the number of colors.
    start_squares : sequence of sequence of str
        Per color its start squares, such as ``[["a20"], ["t20"]]``. May be left out with the
        start rule `border`.
    owners : sequence of int or None, optional
        Per color the player who owns it and gets its score. None is a shared color: the
        players place it in turn, and nobody gets its score. Default: one color each. With a
        draft all are None, since colors belong to nobody.
    players : int, optional
        Number of players. Default: as `owners` has it. Needed with a draft.
    order : sequence of int, optional
        The colors in their order of play. Default: ascending.
    start : {"assigned", "any", "border"}
        The start rule, see `START_RULES`.
    scoring : str or ScoringRule
        The scoring rule or its name.
    pieces : sequence of sequence of str, optional
        Per color the names of its pieces, repeated where there are several. Default: the 21.
    playable : sequence of str, optional
        The board's rows from the top, ``.`` for a square in play and ``#`` for one that is not.
        Default: all in play.
    first_pieces : sequence of str, optional
        Pieces that a color may begin with. Default: any.
    max_rounds : int
        Number of rounds after which the game ends, 0 for no such limit.
    voluntary_pass : bool
        Whether a color may pass although it could place.
    draft : bool
        Whether the players draft the pieces of all colors first, and play from mixed hands.

    Raises
    ------
    ValueError
        Something does not fit; the message says what.
    TypeError
        A value is of the wrong type.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> tiny = bf.Variant("tiny", 8, ["blue", "red"], [["a8"], ["h1"]])
    >>> tiny.players, tiny.n_colors, tiny.scoring_name, tiny.set_squares
    (2, 2, 'advanced', (89, 89))
    >>> tiny.start_indices, bf.variant(tiny, start="any").opening_squares
    (((0,), (63,)), ((0, 63), (0, 63)))
    >>> tiny.scoring_rule.all_placed, tiny.hands[0] == (1,) * 21
    (15, True)
    >>> bf.Board(tiny).count_legal()
    58
    >>> bf.Variant("tiny", 8, ["blue", "red"], [["a8"], ["k1"]])
    Traceback (most recent call last):
    ...
    ValueError: start square of red: square 'k1' is not on a 8 by 8 board
    """

    name: str
    size: int
    color_names: tuple[str, ...]
    start_squares: tuple[tuple[str, ...], ...] = ()
    owners: tuple[int | None, ...] = ()
    players: int = 0
    order: tuple[int, ...] = ()
    start: str = "assigned"
    scoring: str | ScoringRule = "advanced"
    pieces: tuple[tuple[str, ...], ...] = ()
    playable: tuple[str, ...] | None = None
    first_pieces: tuple[str, ...] | None = None
    max_rounds: int = 0
    voluntary_pass: bool = False
    draft: bool = False

    def __post_init__(self) -> None:
        """Fill in the defaults, and check that all fits."""
        _check_text("name", self.name)
        _check_int("size", self.size, 1, 20)
        for name in ("voluntary_pass", "draft"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name} must be True or False, not {getattr(self, name)!r}")
        self._set("color_names", _tuple("color_names", self.color_names))
        self._check_colors()
        self._check_players()
        self._check_pieces()
        self._check_board()
        _check_int("max_rounds", self.max_rounds, 0, 2**15 - 1)
        if self.draft and self.voluntary_pass:
            raise ValueError("voluntary_pass does not go with a draft")
        # A rule that is shipped is kept by its name, so that equal variants compare equal.
        rule = scoring_rule(self.scoring)
        if SCORING_RULES.get(rule.name) == rule:
            self._set("scoring", rule.name)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_colors(self) -> None:
        names = self.color_names
        if not 1 <= len(names) <= 4:
            raise ValueError(f"a variant has 1 to 4 colors, not {len(names)}")
        for name in names:
            _check_text("a color's name", name)
        for name in names:
            if name != name.strip():
                raise ValueError(f"the color's name {name!r} begins or ends with a blank")
            if self.draft and name.lower() == "pick":
                raise ValueError("with a draft no color can be called 'pick', the word of a move")
        # Case is not looked at where a color is read.
        if len({name.lower() for name in names}) < len(names):
            raise ValueError(f"two colors have the same name: {', '.join(names)}")
        colors = tuple(range(len(names)))
        order = _tuple("order", self.order) or colors
        if any(isinstance(color, bool) for color in order):
            raise TypeError(f"order must hold numbers of colors, not {order}")
        self._set("order", tuple(operator.index(color) for color in order))
        if len(self.order) != len(colors) or set(self.order) != set(colors):
            raise ValueError(
                f"order must hold each color 0 to {len(names) - 1} once, not {self.order}"
            )

    def _check_players(self) -> None:
        n_colors = len(self.color_names)
        owners = _tuple("owners", self.owners) or self._default_owners()
        if len(owners) != n_colors:
            raise ValueError(f"owners has {len(owners)} entries for {n_colors} colors")
        self._set("owners", owners)
        if self.draft:
            if owners != self._default_owners():
                raise ValueError("owners: with a draft no color belongs to a player")
            if self.players == 0:
                raise ValueError("players: with a draft their number has to be given")
            _check_int("players", self.players, 1, 4)
            return
        owned = [owner for owner in owners if owner is not None]
        if owners.count(None) > 1:
            raise ValueError(
                f"{owners.count(None)} colors belong to no player: at most one can be shared"
            )
        for owner in owned:
            if type(owner) is not int:
                raise TypeError(f"an owner is a player's number or None, not {owner!r}")
        if not owned:
            raise ValueError("no player owns a color")
        if self.players == 0:
            self._set("players", 1 + max(owned, default=-1))
        _check_int("players", self.players, 1, 4)
        for owner in owned:
            if not 0 <= owner < self.players:
                raise ValueError(f"owner {owner} is not a player: 0 to {self.players - 1}")
        for player in range(self.players):
            if player not in owned:
                raise ValueError(f"player {player} owns no color")

    def _default_owners(self) -> tuple[int | None, ...]:
        return (None,) * self.n_colors if self.draft else tuple(range(self.n_colors))

    def _check_pieces(self) -> None:
        n_colors = len(self.color_names)
        pieces = _tuple("pieces", self.pieces) or (PIECES,) * n_colors
        if len(pieces) != n_colors:
            raise ValueError(f"pieces has {len(pieces)} entries for {n_colors} colors")
        self._set("pieces", tuple(_tuple("pieces of a color", names) for names in pieces))
        for color, names in zip(self.color_names, self.pieces, strict=True):
            _check_pieces(f"pieces of {color}", names)
            for name in names:
                if names.count(name) > 7:
                    raise ValueError(f"pieces of {color}: more than 7 of {name!r}")
        if self.first_pieces is not None:
            self._set("first_pieces", _tuple("first_pieces", self.first_pieces))
            _check_pieces("first_pieces", self.first_pieces)
            for color, names in zip(self.color_names, self.pieces, strict=True):
                if not set(names) & set(self.first_pieces):
                    raise ValueError(f"first_pieces: {color} has none of them")

    def _check_board(self) -> None:
        size = self.size
        if self.playable is not None:
            rows = _tuple("playable", self.playable)
            self._set("playable", rows)
            if len(rows) != size or any(not isinstance(row, str) for row in rows):
                raise ValueError(f"playable must be {size} rows of text")
            for number, row in enumerate(rows):
                if len(row) != size or set(row) - set(".#"):
                    raise ValueError(f"playable row {number}: {size} of '.' and '#', not {row!r}")
        if self.start not in START_RULES:
            raise ValueError(f"unknown start rule {self.start!r}; valid: {', '.join(START_RULES)}")
        starts = _tuple("start_squares", self.start_squares) or ((),) * len(self.color_names)
        if len(starts) != len(self.color_names):
            raise ValueError(
                f"start_squares has {len(starts)} entries for {len(self.color_names)} colors"
            )
        taken: dict[int, str] = {}
        clean = []
        for color, squares in zip(self.color_names, starts, strict=True):
            squares = _tuple("start squares of a color", squares)
            if not squares and self.start != "border":
                raise ValueError(f"{color} has no start square")
            for text in squares:
                try:
                    square = parse_square(text, size)
                except ValueError as error:
                    raise ValueError(f"start square of {color}: {error}") from None
                if not self.is_playable(*divmod(square, size)):
                    raise ValueError(f"start square {text!r} of {color} is not in play")
                if square in taken:
                    raise ValueError(
                        f"start square {text!r} belongs to {taken[square]} and {color}"
                    )
                taken[square] = color
            clean.append(tuple(text.strip().lower() for text in squares))
        self._set("start_squares", tuple(clean))
        if not all(self.opening_squares):
            raise ValueError("start 'border': no square on the rim of the board is in play")

    @property
    def n_colors(self) -> int:
        """Number of colors."""
        return len(self.color_names)

    @property
    def scoring_rule(self) -> ScoringRule:
        """The scoring rule itself."""
        return scoring_rule(self.scoring)

    @property
    def scoring_name(self) -> str:
        """Name of the scoring rule."""
        return self.scoring_rule.name

    @property
    def start_indices(self) -> tuple[tuple[int, ...], ...]:
        """Per color the indices of its start squares."""
        return tuple(
            tuple(parse_square(text, self.size) for text in squares)
            for squares in self.start_squares
        )

    @property
    def opening_squares(self) -> tuple[tuple[int, ...], ...]:
        """Per color the squares one of which its first piece covers, by the start rule."""
        own = self.start_indices
        if self.start == "assigned":
            return own
        if self.start == "any":
            return (tuple(sorted(square for squares in own for square in squares)),) * len(own)
        last = self.size - 1
        rim = tuple(
            row * self.size + column
            for row in range(self.size)
            for column in range(self.size)
            if (row in (0, last) or column in (0, last)) and self.is_playable(row, column)
        )
        return (rim,) * len(own)

    def is_playable(self, row: int, column: int) -> bool:
        """Say whether a square is in play.

        Parameters
        ----------
        row, column : int
            The square, counted from the top left.

        Returns
        -------
        bool
            False where a piece may never lie.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.variant("duo").is_playable(0, 13)
        True
        """
        return self.playable is None or self.playable[row][column] == "."

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """Per color how many it has of each of the 21 pieces at the beginning."""
        return tuple(tuple(names.count(piece) for piece in PIECES) for names in self.pieces)

    @property
    def set_squares(self) -> tuple[int, ...]:
        """Per color the number of squares of all its pieces."""
        return tuple(
            sum(count * size for count, size in zip(hand, PIECE_SIZES, strict=True))
            for hand in self.hands
        )

    def color(self, color: str | int) -> int:
        """Find a color.

        Parameters
        ----------
        color : str or int
            Name (any case) or number of the color.

        Returns
        -------
        int
            Number of the color.

        Raises
        ------
        ValueError
            There is no such color; the message lists the names.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.variant("classic").color("Red")
        2
        """
        if isinstance(color, str):
            lowered = color.strip().lower()
            for number, name in enumerate(self.color_names):
                if name.lower() == lowered:
                    return number
        elif 0 <= operator.index(color) < self.n_colors:
            return operator.index(color)
        names = ", ".join(f"{number} {name}" for number, name in enumerate(self.color_names))
        raise ValueError(f"unknown color {color!r}; valid: {names}")

    def with_pieces(self, color: str | int, pieces: Iterable[str]) -> Variant:
        """Give a color another set of pieces: a handicap, or a puzzle.

        Parameters
        ----------
        color : str or int
            Name or number of the color.
        pieces : iterable of str
            Names of the pieces, repeated where there are several.

        Returns
        -------
        Variant
            The changed variant. "All placed" means that set from now on.

        Raises
        ------
        ValueError
            The color or a piece does not exist, or there is no piece.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.variant("duo").with_pieces("orange", ["1", "2", "V3"]).set_squares
        (89, 6)
        """
        number = self.color(color)
        sets = list(self.pieces)
        sets[number] = _tuple("pieces", pieces)
        return replace(self, pieces=tuple(sets))

    def without_pieces(self, color: str | int, pieces: Iterable[str]) -> Variant:
        """Take pieces out of the set of a color: a handicap.

        Parameters
        ----------
        color : str or int
            Name or number of the color.
        pieces : iterable of str
            Names of the pieces to take out, repeated where there are several.

        Returns
        -------
        Variant
            The changed variant. "All placed" means the smaller set from now on.

        Raises
        ------
        ValueError
            The color does not exist or does not have the pieces, or none would be left.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.variant("classic").without_pieces("blue", ["I5", "1"]).set_squares
        (83, 89, 89, 89)
        """
        number = self.color(color)
        rest = list(self.pieces[number])
        for piece in _tuple("pieces", pieces):
            if piece not in rest:
                raise ValueError(
                    f"{self.color_names[number]} has no piece {piece!r} to take away: "
                    f"{', '.join(rest)}"
                )
            rest.remove(piece)
        return self.with_pieces(number, rest)

    def with_first_pieces(self, pieces: Iterable[str]) -> Variant:
        """Demand that every color begins with one of some pieces.

        Parameters
        ----------
        pieces : iterable of str
            Names of the pieces.

        Returns
        -------
        Variant
            The changed variant.

        Raises
        ------
        ValueError
            A piece does not exist, or a color has none of them.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board(bf.variant("classic", start="border").with_first_pieces(["W"])).count_legal()
        272
        """
        return replace(self, first_pieces=_tuple("first_pieces", pieces))

    def without_first_pieces(self, pieces: Iterable[str]) -> Variant:
        """Forbid some pieces as the first one of a color.

        Parameters
        ----------
        pieces : iterable of str
            Names of the pieces.

        Returns
        -------
        Variant
            The changed variant.

        Raises
        ------
        ValueError
            A piece does not exist, or a color could no longer begin.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Board(bf.variant("classic").without_first_pieces(["1", "2"])).count_legal()
        55
        """
        forbidden = _tuple("first_pieces", pieces)
        _check_pieces("first_pieces", forbidden)
        allowed = PIECES if self.first_pieces is None else self.first_pieces
        return self.with_first_pieces(name for name in allowed if name not in forbidden)

    def __repr__(self) -> str:
        """Show the call that makes it, without what is left at its default."""
        parts = []
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name == "name" or value != self._default(item.name, item.default):
                parts.append(f"{item.name}={value!r}")
        return f"Variant({', '.join(parts)})"

    def _default(self, name: str, default: object) -> object:
        """Return what a field holds that was left out."""
        own = [owner for owner in self.owners if owner is not None]
        filled: dict[str, object] = {
            "owners": self._default_owners(),
            "players": 1 + max(own, default=-1),
            "order": tuple(range(self.n_colors)),
            "pieces": (PIECES,) * self.n_colors,
        }
        return filled.get(name, default)

    def _rules(self) -> _core.Rules:
        """Compile the variant for the core; equal variants share the result."""
        return _compile(self)


def _check_text(what: str, value: object) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{what} must be text, not {value!r}")
    if not value.strip():
        raise ValueError(f"{what} must not be empty")


def _check_int(name: str, value: object, low: int, high: int) -> None:
    if type(value) is not int:
        raise TypeError(f"{name} must be an int, not {value!r}")
    if not low <= value <= high:
        raise ValueError(f"{name} must be {low} to {high}, not {value}")


def _check_pieces(what: str, names: tuple[Any, ...]) -> None:
    if not names:
        raise ValueError(f"{what}: there is none")
    for name in names:
        if name not in PIECES:
            raise ValueError(f"{what}: unknown piece {name!r}; valid: {', '.join(PIECES)}")


@lru_cache(maxsize=256)
def _compile(variant: Variant) -> _core.Rules:
    """Hand a variant down to the core."""
    playable = None
    if variant.playable is not None:
        board = "".join(variant.playable)
        playable = [square for square, mark in enumerate(board) if mark == "."]
    first = PIECES if variant.first_pieces is None else variant.first_pieces
    rule = variant.scoring_rule
    return _core.Rules(
        size=variant.size,
        playable=playable,
        start=variant.opening_squares,
        order=variant.order,
        owners=tuple(-1 if owner is None else owner for owner in variant.owners),
        players=variant.players,
        hands=variant.hands,
        scoring=(rule.placed, rule.left, rule.all_placed, rule.monomino_last),
        first_pieces=sum(1 << PIECES.index(name) for name in set(first)),
        max_rounds=variant.max_rounds,
        voluntary_pass=variant.voluntary_pass,
        draft=variant.draft,
        variant=variant,
    )
