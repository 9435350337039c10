"""Matches before somebody's eyes: a few games of bots and people, with seats that rotate.

Prints nothing: who runs a match is told of every move, and reports are plain data. The loop of a
game is the arena's; for measuring strength there is the arena itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

from blokus_fast.arena.games import bot_seed
from blokus_fast.arena.loop import make_player, play_game, start_player
from blokus_fast.bots import Clock, Player, Timer
from blokus_fast.bots.names import GTP
from blokus_fast.bots.titles import check_titles, labels_of, title_of
from blokus_fast.checking import called_back, integer, iterated
from blokus_fast.game import Game
from blokus_fast.gtp.errors import EngineError
from blokus_fast.moves import Move
from blokus_fast.variants import Variant

__all__ = ["HUMAN", "Match", "Played", "QuitError", "bot_names"]

HUMAN = "human"
"""The name of a person in a list of bots."""


class QuitError(Exception):
    """A person has had enough."""


@dataclass
class Played:
    """One game of a match; `seats` holds per player the number of the bot in the list.

    `timers` has the bots' time by player; people are not timed.

    Parameters
    ----------
    number : int
        Number of the game, from 0.
    seats : tuple of int
        For each player the number of the bot in the list.
    game : Game
        The game.
    timers : dict of int to Timer
        The bots' time by player; people are not timed.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.match import Match
    >>> match = Match(bf.variant("duo"), ["greedy", "random"], seed=1, games=2)
    >>> match.run()
    >>> match.played[1].seats, match.played[1].game.is_over
    ((1, 0), True)
    """

    number: int
    seats: tuple[int, ...]
    game: Game
    timers: dict[int, Timer] = field(default_factory=dict)


@dataclass
class Match:
    """A number of games between the same bots.

    In game k (from 0) player p is bot (p + k) modulo the number of bots, so that over as many
    games as there are bots everybody sits everywhere. A bot's random numbers follow from the
    seed, the game and its place in the list.

    Parameters
    ----------
    variant : Variant
        The variant of all games.
    bots : sequence of str
        One per player: names that `bots.make` knows, or `HUMAN`.
    seed : int
        Same seed, same games.
    games : int
        Number of games.
    clock : Clock, optional
        What every bot has for a game; those that think in time are told. A bot that oversteps it
        plays on, without time, and the report says so. Default: no limit.
    names : sequence of str
        What to call the bots, in their order; an empty text, or none, for ``you``, for what an
        engine says when it is started, and else for what `bots` has.

    Attributes
    ----------
    played : list of Played
        The games so far, as `run` plays them; only the last one may be unfinished.
    interrupted : bool
        Whether the match ended before its time.
    labels : list of str
        What the bots are called, each in another way.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.match import Match
    >>> match = Match(bf.variant("duo"), ["greedy", "random"], seed=1, games=2)
    >>> match.run()
    >>> [played.seats for played in match.played], match.totals()[0]["wins"]
    ([(0, 1), (1, 0)], 2)
    """

    variant: Variant
    bots: Sequence[str]
    seed: int
    games: int = 1
    played: list[Played] = field(default_factory=list)
    interrupted: bool = False
    clock: Clock | None = None
    names: Sequence[str] = ()

    def __post_init__(self) -> None:
        # Numbers of numpy have no place in a report for JSON.
        self.seed, self.games = integer(self.seed, "seed"), integer(self.games, "games")
        iterated(self.bots, "bots must be a sequence of names")
        self._titles = check_titles(self.names, self.bots)
        self.labels = bot_names(self.bots, self._titles)

    def seats(self, number: int) -> tuple[int, ...]:
        """Return who sits where in a game.

        Parameters
        ----------
        number : int
            Number of the game, from 0.

        Returns
        -------
        tuple of int
            For each player the number of the bot in the list.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.match import Match
        >>> match = Match(bf.variant("duo"), ["greedy", "random"], seed=1, games=2)
        >>> match.seats(0), match.seats(1)
        ((0, 1), (1, 0))
        """
        count = len(self.bots)
        return tuple((player + number) % count for player in range(count))

    def bot_seed(self, number: int, bot: int) -> int:
        """Return the seed of a bot in a game.

        Parameters
        ----------
        number : int
            Number of the game, from 0.
        bot : int
            Number of the bot in the list.

        Returns
        -------
        int
            It follows from that of the match.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.match import Match
        >>> match = Match(bf.variant("duo"), ["greedy", "random"], seed=1, games=2)
        >>> match.bot_seed(0, 0) == match.bot_seed(0, 0) != match.bot_seed(1, 0)
        True
        """
        return bot_seed(self.seed, number, bot)

    def run(
        self,
        person: Callable[[Game], Move | None] | None = None,
        after_move: Callable[[Played, Move, int], object] | None = None,
        after_game: Callable[[Played], object] | None = None,
        before_move: Callable[[Played, int], object] | None = None,
    ) -> None:
        """Play all games; an interrupt ends the match, and keeps what was played.

        Parameters
        ----------
        person : callable, optional
            Is asked for a person's move in a game, and plays it; or returns None when it changed
            the game in another way, such as by taking moves back. It raises `QuitError` to end
            the match. Needed where a person plays.
        after_move : callable, optional
            Is told the game, the move, and the player who made it.
        after_game : callable, optional
            Is told the game.
        before_move : callable, optional
            Is told the game, and the player whose bot is asked next.

        Raises
        ------
        ValueError
            A person plays, and there is nobody to ask.
        BotError
            A bot cannot be made, raises an error or makes an illegal move, which ends the match
            as well; `played` has what was played.
        TypeError
            Something that is to be told cannot be called.
        """
        told = {
            "person": person,
            "after_move": after_move,
            "after_game": after_game,
            "before_move": before_move,
        }
        for name, call in told.items():
            called_back(call, name)
        if person is None and HUMAN in self.bots:
            raise ValueError("a person plays in this match, so run needs someone to ask")
        try:
            for number in range(self.games):
                seats = self.seats(number)
                played = Played(number, seats, self._game(seats))
                self.played.append(played)
                self._play(played, person, after_move, before_move)
                if after_game is not None:
                    after_game(played)
        except (KeyboardInterrupt, QuitError):
            self.interrupted = True
        except BaseException:
            self.interrupted = True
            raise

    def _game(self, seats: Sequence[int]) -> Game:
        return Game(self.variant, names=[self.labels[bot] for bot in seats])

    def _listen(self, played: Played, bots: dict[int, Player]) -> None:
        """Take over what engines call themselves, if nobody has named them."""
        for player, made in bots.items():
            bot = played.seats[player]
            if self.bots[bot].startswith(GTP) and not self._titles[bot]:
                # One that cannot say it can hardly play; that is told when it is asked to.
                with suppress(EngineError):
                    self._titles[bot] = getattr(made.bot, "title", "")
        self.labels = bot_names(self.bots, self._titles)
        played.game = self._game(played.seats)
        for player, made in bots.items():
            made.name = played.game.names[player]

    def _play(
        self,
        played: Played,
        person: Callable[[Game], Move | None] | None,
        after_move: Callable[[Played, Move, int], object] | None,
        before_move: Callable[[Played, int], object] | None,
    ) -> None:
        with ExitStack() as running:
            bots: dict[int, Player] = {}
            for player, bot in enumerate(played.seats):
                if self.bots[bot] != HUMAN:
                    seed = self.bot_seed(played.number, bot)
                    # Some bots are programs, which end with the game.
                    made = make_player(self.bots[bot], seed, self.labels[bot], player)
                    bots[player] = running.enter_context(made)
                    played.timers[player] = Timer(self.clock)
            if not played.number:
                self._listen(played, bots)
            game = played.game
            for player, made in bots.items():
                start_player(made, game.variant, player)
            play_game(
                game,
                bots,
                played.timers,
                person=person,
                before_move=before_move and (lambda player: before_move(played, player)),
                after_move=after_move and (lambda move, player: after_move(played, move, player)),
            )

    def totals(self) -> list[dict[str, Any]]:
        """Add up the finished games per bot of the list.

        Returns
        -------
        list of dict
            For each bot ``bot``, ``name``, ``games``, ``wins``, ``shared_wins``, ``mean_score`` and
            ``mean_place``, the means None without a finished game.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.match import Match
        >>> match = Match(bf.variant("duo"), ["greedy", "random"], seed=1, games=2)
        >>> match.run()
        >>> [total["games"] for total in match.totals()]
        [2, 2]
        """
        finished = [played for played in self.played if played.game.is_over]
        totals = []
        for bot, name in enumerate(self.labels):
            places, scores, wins, ties = [], [], 0, 0
            for played in finished:
                player = played.seats.index(bot)
                scores.append(played.game.scores[player])
                places.append(played.game.ranking[player])
                if player in played.game.winners:
                    wins += len(played.game.winners) == 1
                    ties += len(played.game.winners) > 1
            count = len(finished)
            totals.append(
                {
                    "bot": self.bots[bot],
                    "name": name,
                    "games": count,
                    "wins": wins,
                    "shared_wins": ties,
                    "mean_score": sum(scores) / count if count else None,
                    "mean_place": sum(places) / count if count else None,
                }
            )
        return totals

    def report(self) -> dict[str, Any]:
        """Return everything as plain data for JSON.

        With a clock, games have per player the seconds used and whether time was overstepped.

        Returns
        -------
        dict
            What `json.dumps` takes.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.match import Match
        >>> match = Match(bf.variant("duo"), ["greedy", "random"], seed=1, games=2)
        >>> match.run()
        >>> sorted(match.report())
        ['bots', 'games', 'interrupted', 'scoring', 'seed', 'start', 'totals', 'variant']
        """
        report: dict[str, Any] = {
            "variant": self.variant.name,
            "start": self.variant.start,
            "scoring": self.variant.scoring_name,
            "seed": self.seed,
            "bots": list(self.bots),
            "interrupted": self.interrupted,
            "games": [self.game_report(played) for played in self.played],
            "totals": self.totals(),
        }
        if self.clock is not None:
            report["clock"] = {
                name: value
                for name, value in (
                    ("move_seconds", self.clock.move_seconds),
                    ("seconds", self.clock.remaining),
                    ("increment", self.clock.increment or None),
                )
                if value is not None
            }
        return report

    def game_report(self, played: Played) -> dict[str, Any]:
        """Return one game as plain data.

        Parameters
        ----------
        played : Played
            One of `played`.

        Returns
        -------
        dict
            What `json.dumps` takes.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.match import Match
        >>> match = Match(bf.variant("duo"), ["greedy", "random"], seed=1, games=2)
        >>> match.run()
        >>> match.game_report(match.played[1])["bots"]
        ['random', 'greedy']
        """
        game = played.game
        skips = [entry for entry in game.history if not isinstance(entry, Move)]
        report: dict[str, Any] = {
            "bots": [self.bots[bot] for bot in played.seats],
            "seats": list(played.seats),
            "finished": game.is_over,
            "moves": [move.text for move in game.moves],
            "players": list(game.movers),
            "skips": [
                {"color": skip.color, "player": skip.player, "ply": skip.ply} for skip in skips
            ],
            "color_scores": list(game.color_scores),
            "scores": list(game.scores),
            "ranking": list(game.ranking),
            "winners": list(game.winners),
        }
        # Without a clock the same seed gives the same report.
        if self.clock is not None:
            timers = [played.timers.get(player) for player in range(len(played.seats))]
            report["seconds"] = [timer and round(timer.used, 3) for timer in timers]
            report["overstepped"] = [timer is not None and timer.is_over for timer in timers]
        return report


def bot_names(bots: Sequence[str], titles: Sequence[str] = ()) -> list[str]:
    """Name the bots of a list; several of a kind are numbered.

    Parameters
    ----------
    bots : sequence of str
        Names as they were given.
    titles : sequence of str
        What to call them instead, in the same order; those without one go by their names.

    Returns
    -------
    list of str
        Names to show.

    Examples
    --------
    >>> from blokus_fast.match import bot_names
    >>> bot_names(["human", "greedy", "greedy"])
    ['you', 'greedy 1', 'greedy 2']
    """
    given = check_titles(titles, bots)
    lonely = list(bots).count(HUMAN) == 1
    named = [
        title or ("you" if bot == HUMAN and lonely else title_of(bot))
        for title, bot in zip(given, bots, strict=True)
    ]
    return list(labels_of(named))
