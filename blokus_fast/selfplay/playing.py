"""One game of a bot against itself: which moves are made, and what is noted of them.

Owns how a game follows from the seed of a run and its number. Knows nothing of files.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blokus_fast._core import Board
from blokus_fast.bots import MCTSBot, Player, make
from blokus_fast.search.mcts import MCTS
from blokus_fast.selfplay.settings import Settings

__all__ = ["Found", "Game", "GamePlayer"]

# More than any game has that ends by its rules.
_MOST_PLIES: Final = 10_000


# Not frozen: one is made for every move, and that takes four times as long.
@dataclass(slots=True, eq=False)
class Found:
    """What was found about a position before a move was made in it.

    Attributes
    ----------
    best : int
        The move that is thought the best; -1 where nobody was asked.
    actions, visits : ndarray, optional
        The moves that were visited, in ascending order, and how often.
    value : ndarray of float32, shape (n_players,), optional
        What each player may expect.
    simulations : int
        How many were made.
    solved : bool
        Whether best play is known.
    """

    best: int = -1
    actions: npt.NDArray[np.int32] | None = None
    visits: npt.NDArray[np.int64] | None = None
    value: npt.NDArray[np.float32] | None = None
    simulations: int = 0
    solved: bool = False


_NOTHING: Final = Found()


@dataclass(eq=False)
class Game:
    """A game that was played.

    Attributes
    ----------
    number, seed : int
        Its number in the run, and the seed of its bot and its draws.
    moves : list of int
        The moves that were made.
    found : list of Found
        What was found before each.
    n_random : int
        How many moves, the first ones, were drawn without asking the bot.
    scores : tuple of int
        Final score of each player.
    """

    number: int
    seed: int
    moves: list[int] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    n_random: int = 0
    scores: tuple[int, ...] = ()


class GamePlayer:
    """Plays the games of a run, each as its number says, in any order.

    Parameters
    ----------
    settings : Settings
        The settings of the run.

    Examples
    --------
    >>> from blokus_fast.selfplay import Settings
    >>> from blokus_fast.selfplay.playing import GamePlayer
    >>> player = GamePlayer(Settings("duo", "mcts:sims=10", seed=1))
    >>> game = player.play(7)
    >>> game.moves == player.play(7).moves, len(game.found) == len(game.moves)
    (True, True)
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._drawn_plies = settings.drawn_plies or 0
        self._search: MCTS | None = None
        # How long it searches: as a bot of that name would, by its level or always the same.
        self._limits: MCTSBot | None = None
        self._simulations: int | None = None
        if settings.is_search:
            bot = make(settings.bot)
            assert isinstance(bot, MCTSBot)
            self._limits, self._simulations = bot, bot.simulations
            more: dict[str, Any] = {} if bot.memory is None else {"memory": bot.memory}
            self._search = MCTS(
                settings.rules,
                weights=settings.weights,
                parameters=settings.parameters,
                root=settings.root,
                **more,
            )

    def __repr__(self) -> str:
        """Show who plays what."""
        return f"<GamePlayer of {self.settings.bot}, {self.settings.rules.name}>"

    def play(self, number: int) -> Game:
        """Play a game.

        Parameters
        ----------
        number : int
            Its number in the run.

        Returns
        -------
        Game
            What was played.

        Raises
        ------
        ValueError
            The bot has made a move that is not legal, or the game did not end.
        """
        # By a text, as in matches: near seeds and numbers have nothing in common.
        seed = random.Random(f"{self.settings.seed}/{number}").getrandbits(63)
        game, rng = Game(number, seed), random.Random(seed)
        board = Board(self.settings.rules)
        self._open(board, game, rng)
        if self._search is not None:
            self._search.clear(seed=seed)
            while not board.is_game_over:
                self._make(board, game, *self._searched(self._search, board, game, rng))
        else:
            # One game, one bot: what it remembers of other games must not count.
            with Player(make(self.settings.bot, seed=seed)) as player:
                player.start(board.variant)
                while not board.is_game_over:
                    move = self._asked(player, board, number)
                    self._make(board, game, move, Found(best=move))
        game.scores = tuple(board.player_scores())
        return game

    def _open(self, board: Board, game: Game, rng: random.Random) -> None:
        """Make some moves by chance."""
        plies = rng.randint(0, self.settings.random_plies)
        for _ in range(plies):
            ids = board.legal_ids()
            self._make(board, game, int(ids[rng.randrange(len(ids))]), _NOTHING)
            if board.is_game_over:
                # There is nothing to learn from it.
                while game.moves:
                    board.pop()
                    game.moves.pop()
                game.found.clear()
                return
        game.n_random = plies

    def _make(self, board: Board, game: Game, move: int, found: Found) -> None:
        if board.ply >= _MOST_PLIES:
            raise ValueError(f"game {game.number} does not end: it has {_MOST_PLIES} plies")
        board.push(move)
        game.moves.append(move)
        game.found.append(found)

    def _searched(
        self, search: MCTS, board: Board, game: Game, rng: random.Random
    ) -> tuple[int, Found]:
        """Search a position; return the move to make, and what was found."""
        simulations = self._simulations
        if simulations is None:
            assert self._limits is not None
            simulations = self._limits.limits(board)["simulations"]
        result = search.search(board, simulations=simulations, early_stop=self.settings.early_stop)
        # Those with most visits come first.
        n = int(np.count_nonzero(result.visits))
        move = result.move
        if len(game.moves) < self._drawn_plies:
            weights = result.visits[:n].astype(np.float64) ** (1 / self.settings.temperature)
            ends = weights.cumsum()
            place = int(np.searchsorted(ends, rng.random() * ends[-1], side="right"))
            move = int(result.moves[min(place, n - 1)])
        order = result.moves[:n].argsort()
        return move, Found(
            result.move,
            result.moves[order],
            result.visits[order],
            result.value,
            result.simulations,
            result.solved,
        )

    def _asked(self, player: Player, board: Board, number: int) -> int:
        """Ask a bot for its move."""
        move = player.choose(board)
        wrong = board.why_illegal(move)
        if wrong is not None:
            raise ValueError(
                f"the bot {self.settings.bot} made move {move} at ply {board.ply} of game "
                f"{number}: {wrong}"
            )
        return int(move)
