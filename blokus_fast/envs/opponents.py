"""Opponents of the learner: bots by name, by what makes them, as they are, networks, leagues.

Owns what an opponent may be and how one becomes a bot for an episode. Knows bots, policies and
seeds, and no library of environments.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from blokus_fast import bots
from blokus_fast.bots import AnyBot, Bot, Player
from blokus_fast.bots.names import check
from blokus_fast.envs.policies import SUFFIXES, Policy, load_policy
from blokus_fast.envs.views import Views

__all__ = ["League", "Opponent", "close_opponents", "make_opponents", "opponent_list"]


class League:
    """Opponents of which one is drawn for every episode, by weights: past selves, for example.

    Parameters
    ----------
    opponents : iterable of opponents
        Names, bots, classes, policies, files of networks; leagues, too.
    weights : iterable of float, optional
        How often each is drawn, in proportion. Default: all alike.

    Notes
    -----
    It may grow while an environment plays; what is added is drawn from the next episode on.
    Environments in other processes have copies of their own: give them the league again with
    their method `set_opponents`, or files that they load.

    Examples
    --------
    >>> from blokus_fast.envs.opponents import League
    >>> league = League(["random", "greedy"], [1, 3])
    >>> league.add("mcts:sims=20", weight=4)
    >>> len(league), league.weights
    (3, (1.0, 3.0, 4.0))
    """

    def __init__(
        self, opponents: Iterable[Opponent], weights: Iterable[float] | None = None
    ) -> None:
        self._opponents: list[Opponent] = []
        self._weights: list[float] = []
        chosen = list(opponents)
        wanted = [1.0] * len(chosen) if weights is None else list(weights)
        if len(wanted) != len(chosen):
            raise ValueError(f"{len(wanted)} weights for {len(chosen)} opponents")
        for opponent, weight in zip(chosen, wanted, strict=True):
            self.add(opponent, weight)

    def __len__(self) -> int:
        return len(self._opponents)

    def __repr__(self) -> str:
        return f"<League of {len(self)}>"

    @property
    def weights(self) -> tuple[float, ...]:
        """How often each is drawn, in proportion."""
        return tuple(self._weights)

    def add(self, opponent: Opponent, weight: float = 1.0) -> None:
        """Add an opponent.

        Parameters
        ----------
        opponent : opponent
            As in the list that a league is made of.
        weight : float
            How often it is drawn, beside the others.

        Raises
        ------
        ValueError, TypeError
            It is no opponent, or a league that this one is a member of, or the weight is no
            number from 0 on.
        """
        if not 0 <= weight < float("inf"):
            raise ValueError(f"a weight is a number from 0 on, not {weight}")
        checked = _checked(opponent)
        if isinstance(checked, League) and checked._holds(self):
            raise ValueError("a league cannot be a member of itself, nor of one of its members")
        self._opponents.append(checked)
        self._weights.append(float(weight))

    def _holds(self, league: League) -> bool:
        """Tell whether a league is this one or a member of it; there are no circles."""
        return self is league or any(
            isinstance(one, League) and one._holds(league) for one in self._opponents
        )

    def _chances(self) -> npt.NDArray[np.float64]:
        """Return the weights; 0 for leagues of nobody."""
        return np.array(
            [
                0.0 if isinstance(one, League) and not one._chances().any() else weight
                for one, weight in zip(self._opponents, self._weights, strict=True)
            ]
        )

    def draw(self, random: np.random.Generator) -> Opponent:
        """Draw one of the opponents.

        Parameters
        ----------
        random : numpy.random.Generator
            The random numbers.

        Returns
        -------
        opponent
            One of those that were added.

        Raises
        ------
        ValueError
            There is none that can be drawn.

        Examples
        --------
        >>> import numpy as np
        >>> from blokus_fast.envs.opponents import League
        >>> League(["random", "greedy"], [0, 1]).draw(np.random.default_rng(1))
        'greedy'
        """
        weights = self._chances()
        if not weights.any():
            raise ValueError("a league of nobody: all weights are 0, or there is no opponent")
        weights /= weights.max()  # so that their sum is a number
        return self._opponents[int(random.choice(len(weights), p=weights / weights.sum()))]


Opponent = str | PathLike[str] | AnyBot | Policy | League | Callable[..., AnyBot]
"""A bot's name, the file of a network, a bot, a policy, a league, or what makes a bot."""


def opponent_list(
    opponents: Opponent | Sequence[Opponent], players: int, views: Views | None = None
) -> list[Opponent]:
    """Return one opponent for each of the other seats.

    Parameters
    ----------
    opponents : opponent or sequence of them
        One for all seats, or one each in the order of play after the learner.
    players : int
        Number of players, the learner included.
    views : Views, optional
        What the learner sees; networks are asked whether they can play that variant.

    Returns
    -------
    list
        The opponents.

    Raises
    ------
    ValueError
        A name is unknown, the number does not fit, or a network is for another variant.
    TypeError
        Something is no bot.

    Examples
    --------
    >>> from blokus_fast.envs.opponents import opponent_list
    >>> opponent_list("mcts:sims=50", 4)
    ['mcts:sims=50', 'mcts:sims=50', 'mcts:sims=50']
    >>> opponent_list(["random", "greedy"], 4)
    Traceback (most recent call last):
    ...
    ValueError: 2 opponents for 3 seats
    """
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        chosen = list(opponents)
        if len(chosen) != players - 1:
            raise ValueError(f"{len(chosen)} opponents for {players - 1} seats")
        return [_fitting(_checked(opponent), views) for opponent in chosen]
    # One network for all of them.
    return [_fitting(_checked(opponents), views)] * (players - 1)


def _fitting(opponent: Opponent, views: Views | None) -> Opponent:
    """Return an opponent, if it can play; of a league, all that are in it now."""
    if views is not None:
        if isinstance(opponent, Policy):
            opponent.check(views)
        elif isinstance(opponent, League):
            for one in opponent._opponents:
                _fitting(one, views)
    return opponent


def _checked(opponent: Any) -> Opponent:
    """Return an opponent that is one, networks loaded; or say what is wrong."""
    if isinstance(opponent, League | Policy):
        return opponent
    if isinstance(opponent, PathLike) or (
        isinstance(opponent, str) and opponent.endswith(SUFFIXES) and ":" not in opponent[2:]
    ):
        return load_policy(opponent)
    if isinstance(opponent, str):
        check(opponent)
    elif isinstance(opponent, type) or not callable(getattr(opponent, "choose", None)):
        if not callable(opponent):
            raise TypeError(
                "an opponent is a name, a bot or makes one, a network or a league, "
                f"not {opponent!r}"
            )
        _seeding(opponent)
    return opponent  # type: ignore[no-any-return]


def _seeding(maker: Callable[..., Any]) -> str:
    """Tell how what makes a bot takes a seed: by its name, by its place, or not at all."""
    try:
        parameters = inspect.signature(maker).parameters.values()
    except (TypeError, ValueError):
        return "place"  # compiled: what it was before anybody asked
    if any(one.name == "seed" and one.kind != one.POSITIONAL_ONLY for one in parameters):
        return "name"
    needed = [
        one
        for one in parameters
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    if len(needed) > 1 or any(one.kind == one.KEYWORD_ONLY for one in needed):
        names = ", ".join(one.name for one in needed)
        raise TypeError(f"an opponent is made with a seed or nothing: {maker!r} needs {names}")
    return "place" if needed else "none"


def make_opponents(
    opponents: Sequence[Opponent], random: np.random.Generator, views: Views | None = None
) -> list[Bot]:
    """Make the bots for an episode.

    Parameters
    ----------
    opponents : sequence
        As `opponent_list` returns them. A bot is taken as it is, with the random numbers it has.
    random : numpy.random.Generator
        Where the seeds of the others come from, and who plays of a league.
    views : Views, optional
        What policies see that do not say it themselves.

    Returns
    -------
    list of Bot
        The bots. One that thinks in time is driven by a `Player`, without a limit.

    Examples
    --------
    >>> import numpy as np
    >>> from blokus_fast.envs.opponents import make_opponents
    >>> [bot.name for bot in make_opponents(["greedy"], np.random.default_rng(1))]
    ['greedy']
    """
    made: list[Bot] = []
    for opponent in opponents:
        while isinstance(opponent, League):
            opponent = opponent.draw(random)
        seed = int(random.integers(2**31))
        bot: Any = opponent
        if isinstance(opponent, Policy):
            bot = opponent.bot(seed=seed, views=views)
        elif isinstance(opponent, str):
            bot = bots.make(opponent, seed=seed)
        elif isinstance(opponent, type) or not callable(getattr(opponent, "choose", None)):
            how = _seeding(opponent)  # type: ignore[arg-type]
            arguments = {"name": ((), {"seed": seed}), "place": ((seed,), {})}.get(how, ((), {}))
            bot = opponent(*arguments[0], **arguments[1])  # type: ignore[operator]
        if bot is not opponent and hasattr(bot, "close"):
            made.append(_Made(bot))
            continue
        player = Player(bot)
        made.append(player if player.takes_clock else bot)
    return made


class _Made(Player):
    """Drives a bot that was made for an episode, and is to be closed after it."""


def close_opponents(made: Iterable[Any]) -> None:
    """Let bots end what they have started, engines and searches; those that were given live on.

    Parameters
    ----------
    made : iterable
        What `make_opponents` returned.

    Examples
    --------
    >>> import numpy as np
    >>> from blokus_fast.envs.opponents import close_opponents, make_opponents
    >>> close_opponents(make_opponents(["mcts:sims=20"], np.random.default_rng(1)))
    """
    for bot in made:
        if isinstance(bot, _Made):
            bot.close()
