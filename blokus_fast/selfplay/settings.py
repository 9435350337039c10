"""What a run of self-play is: `Settings`, which decide every game of it.

Owns the checks of the numbers, and settings as plain data. Knows neither games nor files.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final

from blokus_fast.bots import MCTSBot, make
from blokus_fast.bots.names import check, is_search
from blokus_fast.checking import expect, integer
from blokus_fast.search.parameters import Parameters, RootRule
from blokus_fast.search.weights import Weights
from blokus_fast.variants import Variant
from blokus_fast.variants import variant as find_variant
from blokus_fast.variants.text import parse_variant, variant_text

__all__ = ["Settings"]

_MOST: Final = 10**9


@dataclass(frozen=True)
class Settings:
    """Settings of a run: the same settings, the same games.

    Parameters
    ----------
    variant : str or Variant
        The rules.
    bot : str
        Name of the bot that plays all colors, as `blokus_fast.bots.make` knows it. The search of
        this package, ``mcts:`` and a level or ``sims=``, tells visit counts and values as well;
        of other bots only the moves are known.
    games : int
        Number of games.
    games_per_shard : int
        Games in a file. The last one may have less.
    seed : int
        Seed of everything, 0 or more.
    random_plies : int
        Up to so many moves at the beginning of a game are drawn from all legal ones.
    drawn_plies : int, optional
        Plies of a game, those included, up to which moves are drawn by their visits; later the
        best move is made. Default: 8 for a search; others cannot.
    temperature : float
        Visits count to the power of 1 / `temperature` there.
    noise : float, optional
        Part of the priors at the root that is Dirichlet noise, 0 to 1. Default: 0.25 for a
        search; others cannot.
    noise_alpha : float
        Its concentration, see `blokus_fast.search.RootRule`.
    early_stop : bool
        Whether a search ends as soon as its best move is sure: that is quicker, but cuts visit
        counts short.
    weights : Weights, optional
        Of the search. Default: those that the variant plays with.
    parameters : Parameters, optional
        Of the search. Default: its own.

    Raises
    ------
    ValueError
        A name is unknown or a number out of its range; or the bot's moves would depend on the
        clock, or on how many threads it has, or be the same in every game.
    TypeError
        A value is of another kind.

    Examples
    --------
    >>> from blokus_fast.selfplay import Settings
    >>> settings = Settings("duo", "mcts:sims=50", games=100, games_per_shard=40, seed=1)
    >>> settings.n_shards, list(settings.games_of(2))[:2], settings.noise
    (3, [80, 81], 0.25)
    >>> Settings("duo", "greedy", noise=0.5)
    Traceback (most recent call last):
    ...
    ValueError: noise is for a search (mcts:...), not for the bot greedy
    """

    variant: Variant | str
    bot: str = "mcts:sims=400"
    games: int = 1000
    games_per_shard: int = 200
    seed: int = 0
    random_plies: int = 2
    drawn_plies: int | None = None
    temperature: float = 1.0
    noise: float | None = None
    noise_alpha: float = -10.0
    early_stop: bool = False
    weights: Weights | None = None
    parameters: Parameters | None = None

    def __post_init__(self) -> None:
        """Check everything, and fill in what follows from the bot."""
        put = object.__setattr__
        put(self, "variant", find_variant(self.variant))
        expect(self.bot, str, "bot")
        check(self.bot)
        usual: dict[str, Any] = {"drawn_plies": 8, "noise": 0.25}
        for name, value in usual.items():
            if getattr(self, name) is None:
                put(self, name, value if self.is_search else type(value)(0))
        limits = {
            "games": (1, _MOST),
            "games_per_shard": (1, 10**6),
            "seed": (0, 2**63 - 1),
            "random_plies": (0, 100),
            "drawn_plies": (0, 10**6),
        }
        for name, (low, high) in limits.items():
            number = integer(getattr(self, name), name)
            if not low <= number <= high:
                raise ValueError(f"{name} must be in {low}..{high}, not {number}")
            put(self, name, number)
        for name in ("temperature", "noise", "noise_alpha"):
            value = getattr(self, name)
            if isinstance(value, bool) or not hasattr(value, "__float__"):
                raise TypeError(f"{name} must be a number, not {value!r}")
            put(self, name, float(value))
        if math.isnan(self.temperature) or not 0.01 <= self.temperature <= 100:
            raise ValueError(f"temperature must be in 0.01..100, not {self.temperature!r}")
        self.root  # noqa: B018 - it checks the noise
        expect(self.early_stop, bool, "early_stop")
        for name, kind in (("weights", Weights), ("parameters", Parameters)):
            if getattr(self, name) is not None:
                expect(getattr(self, name), kind, name)
        if self.is_search:
            _check_search(self.bot)
            return
        for name in ("drawn_plies", "noise", "early_stop", "weights", "parameters"):
            if getattr(self, name):
                raise ValueError(f"{name} is for a search (mcts:...), not for the bot {self.bot}")

    @property
    def rules(self) -> Variant:
        """The variant."""
        assert isinstance(self.variant, Variant)
        return self.variant

    @property
    def is_search(self) -> bool:
        """Whether the search of this package plays."""
        return is_search(self.bot)

    @property
    def root(self) -> RootRule:
        """The noise at the root."""
        return RootRule(noise=self.noise or 0.0, noise_alpha=self.noise_alpha)

    @property
    def n_shards(self) -> int:
        """Number of shards."""
        return -(-self.games // self.games_per_shard)

    def games_of(self, shard: int) -> range:
        """Return the numbers of a shard's games.

        Parameters
        ----------
        shard : int
            Number of the shard, from 0.

        Returns
        -------
        range
            The games.
        """
        first = shard * self.games_per_shard
        return range(first, min(first + self.games_per_shard, self.games))

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain data, but for the numbers of the weights.

        Returns
        -------
        dict
            What `from_json` reads; weights are told by their name and checksum.
        """
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        data["variant"] = variant_text(self.rules)
        if self.weights is not None:
            data["weights"] = {"name": self.weights.name, "checksum": self.weights.checksum}
        if self.parameters is not None:
            data["parameters"] = asdict(self.parameters)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any], weights: Weights | None = None) -> Settings:
        """Make settings of what `to_json` returned.

        Parameters
        ----------
        data : mapping
            The plain data.
        weights : Weights, optional
            The weights that they name.

        Returns
        -------
        Settings
            The settings.

        Raises
        ------
        ValueError
            The data do not fit, or the weights are others.

        Examples
        --------
        >>> from blokus_fast.selfplay import Settings
        >>> settings = Settings("duo", seed=3)
        >>> Settings.from_json(settings.to_json()) == settings
        True
        """
        try:
            values = dict(data)
            named = values.pop("weights")
            if (named is None) != (weights is None) or (
                weights is not None and named["checksum"] != weights.checksum
            ):
                raise ValueError("the weights are not those that the settings name")
            if values["parameters"] is not None:
                values["parameters"] = Parameters(**values["parameters"])
            values["variant"] = parse_variant(values["variant"])
            return cls(weights=weights, **values)
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"these are no settings of self-play: {error}") from None

    def differences(self, other: Settings) -> list[str]:
        """Tell in words what differs from other settings.

        Parameters
        ----------
        other : Settings
            The others.

        Returns
        -------
        list of str
            One text for each difference.

        Examples
        --------
        >>> from blokus_fast.selfplay import Settings
        >>> Settings("duo", seed=3).differences(Settings("duo", seed=4))
        ['seed is 3, not 4']
        """
        mine, others = self.to_json(), other.to_json()
        return [
            f"{name} is {mine[name]}, not {others[name]}"
            for name in mine
            if mine[name] != others[name]
        ]

    def with_games(self, games: int) -> Settings:
        """Return the same settings for another number of games.

        Parameters
        ----------
        games : int
            How many.

        Returns
        -------
        Settings
            They play the same games, and more or fewer of them.

        Examples
        --------
        >>> from blokus_fast.selfplay import Settings
        >>> Settings("duo", games=10, seed=1).with_games(20).games
        20
        """
        return replace(self, games=games)

    def __eq__(self, other: object) -> bool:
        """Compare what decides the games; weights by their checksums."""
        return self.to_json() == other.to_json() if isinstance(other, Settings) else NotImplemented

    def __hash__(self) -> int:
        """Return a hash that equal settings share."""
        return hash((self.bot, self.seed, self.games))


def _check_search(name: str) -> None:
    """Refuse a search whose games would not follow from the seed alone."""
    bot = make(name)
    assert isinstance(bot, MCTSBot)
    if bot.seconds is not None:
        wrong = "time= makes games depend on the clock: give sims= or a level"
    elif bot.threads > 1:
        wrong = "several threads do not play the same again: let several workers play"
    elif bot.seed is not None:
        wrong = "seed= would be that of every game: the run has a seed"
    else:
        return
    raise ValueError(f"bot {name!r}: {wrong}")
