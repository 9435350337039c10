"""What a run of the arena is: bots, rules, games, openings, time. As data, and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any, Final, SupportsIndex

from blokus_fast.arena.openings import Opening
from blokus_fast.arena.seating import check_seats
from blokus_fast.arena.sequential import SPRT
from blokus_fast.bots import Clock
from blokus_fast.bots import names as bot_names
from blokus_fast.bots.titles import check_titles, labels_of, title_of
from blokus_fast.checking import expect, integer, iterated, positive
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant
from blokus_fast.variants.text import parse_variant, variant_text

__all__ = ["FORMAT", "Settings"]

FORMAT: Final = 1
"""Number of the form in which settings and games are written."""

_MOST_GAMES: Final = 10**9
_MOST_BOTS: Final = 100


@dataclass(frozen=True)
class Settings:
    """The settings of a run: all that its games follow from.

    Made by `make`, which checks them.

    Attributes
    ----------
    bots : tuple of str
        Their names, see `bots.make`.
    variant : Variant
        The rules.
    games : int
        How many games.
    seed : int
        What openings and the bots' seeds follow from.
    seats : str or None
        Who sits together, as letters of the bots: ``ABBB``; None: everybody with everybody.
    random_plies : int
        Plies of an opening that are drawn by chance.
    openings : tuple of Opening
        Openings to take in turn instead.
    clock : Clock or None
        What a bot has for a game.
    margin : float
        Seconds that a move may take beyond the clock.
    patience : float
        Seconds after which a bot that has no clock counts as hanging.
    sprt : SPRT or None
        The test that ends the run early.
    names : tuple of str
        What the bots are called; `labels` tells those apart that are called alike.

    Examples
    --------
    >>> from blokus_fast.arena import Settings
    >>> settings = Settings.make(["greedy", "random"], "duo", 10, seed=1)
    >>> settings.bots, settings.random_plies
    (('greedy', 'random'), 2)
    """

    bots: tuple[str, ...]
    variant: Variant
    games: int
    seed: int = 0
    seats: str | None = None
    random_plies: int = 0
    openings: tuple[Opening, ...] = ()
    clock: Clock | None = None
    margin: float = 0.1
    patience: float = 600.0
    sprt: SPRT | None = None
    names: tuple[str, ...] = ()

    @classmethod
    def make(
        cls,
        bots: Sequence[str],
        variant: str | Variant = "classic",
        games: SupportsIndex = 100,
        *,
        seed: SupportsIndex = 0,
        seats: str | None = None,
        random_plies: SupportsIndex | None = None,
        openings: Sequence[Opening] = (),
        clock: Clock | None = None,
        margin: float = 0.1,
        patience: float = 600.0,
        sprt: SPRT | tuple[float, float] | None = None,
        names: Sequence[str] = (),
    ) -> Settings:
        """Check settings.

        Parameters
        ----------
        bots : sequence of str
            Names of at least two bots, see `bots.make`. The same name may stand there twice.
        variant : str or Variant
            The rules.
        games : int
            How many games.
        seed : int
            Same seed, same games, as far as the bots play the same with the same seed.
        seats : str, optional
            Who sits together: a letter a seat, ``A`` for the first bot: ``ABBB``. They change
            seats all the same. Default: as `seating.tables` has it.
        random_plies : int, optional
            Plies of every opening that are drawn by chance. Default: one for every color;
            0 where there are `openings`.
        openings : sequence of Opening
            Openings to take in turn.
        clock : Clock, optional
            What a bot has for a game. Default: no limit.
        margin : float
            Seconds that a move may take beyond the clock before the bot loses the game.
        patience : float
            Seconds after which a bot without a clock counts as hanging, and loses.
        sprt : SPRT or tuple of float, optional
            A sequential test, or its two hypotheses in Elo. Needs exactly two bots.
        names : sequence of str
            What to call the bots, in their order; an empty text, or none, for what `bots` has, or
            for the name of an engine's program. `run` asks engines what they are called.

        Returns
        -------
        Settings
            The settings.

        Raises
        ------
        ValueError
            There is no such bot or variant, there are fewer than two bots, or something else is
            not possible; the message says what is.
        TypeError
            An argument is of another type.

        Examples
        --------
        >>> from blokus_fast.arena import Settings
        >>> Settings.make(["greedy", "random"], "duo", 10, seed=1).random_plies
        2
        >>> Settings.make(["greedy"], "duo")
        Traceback (most recent call last):
        ...
        ValueError: an arena needs at least 2 bots, not 1: greedy
        """
        listed = tuple(
            iterated(bots, "bots must be a sequence of names such as ['greedy', 'random']")
        )
        if not 2 <= len(listed) <= _MOST_BOTS:
            told = f": {listed[0]}" if len(listed) == 1 else ""
            least = "at least 2" if len(listed) < 2 else f"at most {_MOST_BOTS}"
            raise ValueError(f"an arena needs {least} bots, not {len(listed)}{told}")
        for name in listed:
            if not isinstance(name, str):
                raise TypeError(f"bots are named, such as 'my_bots:Patient', not {name!r:.80}")
            bot_names.check(name)
        rules = find_variant(variant)
        check_seats(seats, len(listed), rules.players)
        given = tuple(iterated(openings, "openings must be a sequence of Opening"))
        for opening in given:
            expect(opening, Opening, "an opening")
        titles = check_titles(names, listed)
        default = 0 if given else rules.n_colors
        plies = default if random_plies is None else integer(random_plies, "random_plies")
        if sprt is not None and not isinstance(sprt, SPRT):
            numbers = tuple(iterated(sprt, "sprt must be an SPRT or two numbers"))
            if len(numbers) != 2:
                raise ValueError(f"sprt must be an SPRT or two numbers, not {sprt!r:.80}")
            sprt = SPRT(*numbers)
        if sprt is not None and len(listed) != 2:
            raise ValueError(f"a sequential test compares 2 bots, not {len(listed)}")
        for opening in given:
            opening.board(rules)
        return cls(
            listed,
            rules,
            _in_range(games, "games", 1, _MOST_GAMES),
            integer(seed, "seed"),
            seats,
            _in_range(plies, "random_plies", 0, 100),
            given,
            clock,
            positive(margin, "margin"),
            positive(patience, "patience"),
            sprt,
            tuple(title or title_of(bot) for title, bot in zip(titles, listed, strict=True)),
        )

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What the bots are called in tables, numbered where several are called alike."""
        return labels_of(self.names or self.bots)

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain data.

        Returns
        -------
        dict
            What `json.dumps` takes.

        Examples
        --------
        >>> from blokus_fast.arena import Settings
        >>> settings = Settings.make(["greedy", "random"], "duo", 10)
        >>> Settings.from_json(settings.to_json()) == settings
        True
        """
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        data["bots"] = list(self.bots)
        data["names"] = list(self.names)
        data["variant"] = variant_text(self.variant)
        data["openings"] = [opening.to_json() for opening in self.openings]
        data["clock"] = None if self.clock is None else asdict(self.clock)
        data["sprt"] = None if self.sprt is None else asdict(self.sprt)
        return {"format": FORMAT, **data}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Settings:
        """Make settings of what `to_json` returned.

        Parameters
        ----------
        data : mapping
            What it returned.

        Returns
        -------
        Settings
            They are not checked again.

        Raises
        ------
        ValueError
            They are of a later form.

        Examples
        --------
        >>> from blokus_fast.arena import Settings
        >>> settings = Settings.make(["greedy", "random"], "duo", 10)
        >>> Settings.from_json(settings.to_json()).games
        10
        """
        if data.get("format") != FORMAT:
            raise ValueError(f"the settings have form {data.get('format')!r}, not {FORMAT}")
        # Runs of old have no names.
        data = {"names": data["bots"], **data}
        own = {field.name: data[field.name] for field in fields(cls)}
        own["bots"], own["names"] = tuple(own["bots"]), tuple(own["names"])
        own["variant"] = parse_variant(own["variant"])
        own["openings"] = tuple(Opening(**opening) for opening in own["openings"])
        own["clock"] = None if own["clock"] is None else Clock(**own["clock"])
        own["sprt"] = None if own["sprt"] is None else SPRT(**own["sprt"])
        return cls(**own)

    def difference(self, other: Settings) -> str:
        """Say in which setting another run differs, other than by its number of games.

        Parameters
        ----------
        other : Settings
            Those of the other run.

        Returns
        -------
        str
            Name and values; empty if there is no difference.

        Examples
        --------
        >>> from blokus_fast.arena import Settings
        >>> one = Settings.make(["greedy", "random"], "duo", 10)
        >>> one.difference(Settings.make(["greedy", "random"], "duo", 20))
        ''
        >>> one.difference(Settings.make(["greedy", "random"], "duo", 10, seed=7))
        'seed is 0 there, not 7'
        """
        one, two = self.to_json(), replace(other, games=self.games).to_json()
        for name, value in one.items():
            if two[name] != value:
                return f"{name} is {_shown(value)} there, not {_shown(two[name])}"
        return ""


def _in_range(value: SupportsIndex, name: str, least: int, most: int) -> int:
    number = integer(value, name)
    if not least <= number <= most:
        raise ValueError(f"{name} must be in {least}..{most}, not {number}")
    return number


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
