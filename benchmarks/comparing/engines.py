"""The engines that are compared, each behind the same few methods.

Owns all that is known of other packages. They are used as installed, through what they offer to
Python; for each the quickest way that it offers is taken.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import blokus_fast as bf
from blokus_fast import _core

__all__ = [
    "BlokusEngine",
    "BlokusRl",
    "MissingError",
    "Official",
    "Ours",
    "Record",
    "contest_variant",
    "play_records",
]

Record = list[tuple[int, int]]
"""A game: color and move id (of blokus-fast) of each placement."""

SIZE: Final = 20


class MissingError(Exception):
    """A package is not installed; the message names it."""


def _import(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingError(
            f"{package} is not installed (pip install {package}): {error}"
        ) from error


def contest_variant() -> bf.Variant:
    """Return the rules of the Software Challenge 2027, with a piece that has been drawn."""
    return bf.variants.software_challenge_2027("W")


def play_records(games: int, seed: int, variant: str | bf.Variant = "classic") -> list[Record]:
    """Play games of uniformly random placements."""
    records = []
    for number in range(games):
        rng = random.Random(f"{seed} {number}")
        board = bf.Board(variant)
        record = []
        while not board.is_game_over:
            ids = board.legal_ids()
            move = rng.choice(ids[ids < board.n_moves].tolist())
            record.append((board.turn, move))
            board.push(move)
        records.append(record)
    return records


class Ours:
    """This engine."""

    package = "blokus-fast"

    def __init__(self, variant: str | bf.Variant = "classic") -> None:
        self.variant = variant
        self.version = bf.__version__
        self.kernel = bf.cpu_info()["kernel"]
        self.buffer = np.empty(40000, np.uint16)

    def slower_kernels(self) -> list[str]:
        """Return the other kernels that this computer can run, which others have to do with."""
        return [name for name in reversed(bf.cpu_info()["supported"]) if name != self.kernel]

    def with_kernel(self, name: str, work: Callable[[], None]) -> None:
        """Do a piece of work with another kernel."""
        _core._use_kernel(name)
        try:
            work()
        finally:
            _core._use_kernel(self.kernel)

    def positions(self, record: Record) -> list[bf.Board]:
        """Return the position before each placement."""
        board = bf.Board(self.variant)
        found = []
        for _, move in record:
            found.append(board.copy())
            board.push(move)
        return found

    def scores(self, record: Record) -> list[int]:
        """Return the final scores of the colors."""
        board = bf.Board(self.variant)
        for _, move in record:
            board.push(move)
        return list(board.color_scores())

    def list_moves(self, positions: list[bf.Board]) -> None:
        """List the legal moves of every position, as a new array."""
        for board in positions:
            board.legal_ids()

    def copy(self, positions: list[bf.Board]) -> None:
        """Copy every position, without the moves that led to it."""
        for board in positions:
            board.copy(stack=False)

    def copy_moves(self, positions: list[bf.Board]) -> None:
        """Copy every position with the moves that can be taken back."""
        for board in positions:
            board.copy()

    def replay(self, records: list[Record]) -> None:
        """Play the records, move by move."""
        for record in records:
            board = bf.Board(self.variant)
            for _, move in record:
                board.push(move)

    def random_games(self, seeds: range) -> None:
        """Play uniformly random games, move by move, from Python."""
        for seed in seeds:
            rng = random.Random(seed)
            board = bf.Board(self.variant)
            while not board.is_game_over:
                ids = board.legal_ids()
                board.push(ids[int(rng.random() * len(ids))])

    def playouts(self, n: int) -> None:
        """Play uniformly random games in native code."""
        bf.playouts(bf.Board(self.variant), n, seed=1)


class BlokusRl:
    """blokus-rl: a game in Rust, below a PettingZoo environment; the game itself is used."""

    package = "blokus-rl"

    def __init__(self) -> None:
        module = _import("blokus_rl._blokus", self.package)
        self.version = importlib.metadata.version(self.package)
        self._new: Callable[[], Any] = module.PyBlokus
        self._ids = self._learn_ids()
        self._actions = [
            {int(ours): action for action, ours in enumerate(ids) if ours >= 0} for ids in self._ids
        ]

    def _learn_ids(self) -> list[npt.NDArray[np.int64]]:
        """Find out which of our ids each action of each agent is.

        An action is an orientation, a row and a column, on a board that is turned so that the
        agent starts at the top left. Which squares an orientation covers is seen by playing it.
        """
        shape = self._new().action_grid_shape
        cells: dict[int, tuple[tuple[int, int], ...]] = {}
        rng = random.Random(1)
        for _ in range(200):
            if len(cells) == shape[0]:
                break
            game = self._new()
            while not game.is_over:
                actions = self.legal(game)
                if len(actions) == 0:
                    game.step(None)
                    continue
                for action in actions.tolist():
                    orientation, anchor = divmod(action, SIZE * SIZE)
                    row, column = divmod(anchor, SIZE)
                    if orientation not in cells:
                        squares = self._squares_of(game, action)
                        cells[orientation] = tuple((r - row, c - column) for r, c in squares)
                game.step(rng.choice(actions.tolist()))
        ours = {
            frozenset(bf.Move(number).squares): number
            for number in range(bf.Board("classic").n_moves)
        }
        tables = [np.full(shape, -1, np.int64) for _ in range(4)]
        for orientation, offsets in cells.items():
            for row in range(SIZE):
                for column in range(SIZE):
                    squares = [(row + r, column + c) for r, c in offsets]
                    if not all(0 <= r < SIZE and 0 <= c < SIZE for r, c in squares):
                        continue
                    for ids in tables:
                        ids[orientation, row, column] = ours[
                            frozenset(SIZE * r + c for r, c in squares)
                        ]
                        # The next agent's board is turned by a quarter more.
                        squares = [(c, SIZE - 1 - r) for r, c in squares]
        return [ids.ravel() for ids in tables]

    @staticmethod
    def _squares_of(game: Any, action: int) -> list[tuple[int, int]]:
        seat = game.agent_selection
        trial = game.copy()
        trial.step(action)
        before, after = (
            np.frombuffer(state.observe(seat).observation, np.uint8)[: SIZE * SIZE]
            for state in (game, trial)
        )
        return [divmod(int(square), SIZE) for square in np.flatnonzero(before != after)]

    @staticmethod
    def legal(game: Any) -> npt.NDArray[np.intp]:
        """Return the legal actions of the agent to move, ascending."""
        mask = np.frombuffer(game.observe(game.agent_selection).action_mask, np.int8)
        return np.flatnonzero(mask)

    def legal_ids(self, game: Any) -> npt.NDArray[np.int64]:
        """Return the legal moves as our ids, ascending; -1 for an action that is none of ours."""
        return np.sort(self._ids[game.agent_selection][self.legal(game)])

    def _play(self, game: Any, color: int, move: int) -> None:
        while game.agent_selection != color:
            game.step(None)
        game.step(self._actions[color][move])

    def positions(self, record: Record) -> list[Any]:
        """Return the position before each placement."""
        game = self._new()
        found = []
        for color, move in record:
            while game.agent_selection != color:
                game.step(None)
            found.append(game.copy())
            game.step(self._actions[color][move])
        return found

    def scores(self, record: Record) -> list[int]:
        """Return the final scores of the colors."""
        game = self._new()
        for color, move in record:
            self._play(game, color, move)
        return list(game.scores)

    def list_moves(self, positions: list[Any]) -> None:
        """List the legal moves of every position."""
        for game in positions:
            self.legal(game)

    def copy(self, positions: list[Any]) -> None:
        """Copy every position."""
        for game in positions:
            game.copy()

    def replay(self, records: list[Record]) -> None:
        """Play the records, move by move."""
        for record in records:
            game = self._new()
            for color, move in record:
                self._play(game, color, move)

    def random_games(self, seeds: range) -> None:
        """Play uniformly random games, move by move, from Python."""
        for seed in seeds:
            rng = random.Random(seed)
            game = self._new()
            while not game.is_over:
                actions = self.legal(game)
                if len(actions):
                    game.step(int(actions[int(rng.random() * len(actions))]))
                else:
                    game.step(None)


class _Queue:
    """Takes what blokus-engine sends."""

    def __init__(self) -> None:
        self.items: list[Any] = []

    def put(self, item: Any) -> None:
        self.items.append(item)


class _Pipe:
    """Answers every question for an evaluation at once, with the same one."""

    _answer = ([1 / (SIZE * SIZE)] * (SIZE * SIZE), [0.0] * 4)

    def recv(self) -> tuple[list[float], list[float]]:
        return self._answer


class _Settings:
    """The least search that blokus-engine can be told to do."""

    dim = SIZE
    rep = 1
    sims_per_move = 1
    sample_moves = 1000
    c_puct = 1.0
    dirichlet_alpha = 0.03
    exploration_fraction = 0.25


class BlokusEngine:
    """blokus-engine: whole games of self-play only, in Rust; a move is laid square by square."""

    package = "blokus-engine"

    def __init__(self) -> None:
        self._module = _import("blokus_self_play", self.package)
        self.version = importlib.metadata.version(self.package)

    def random_games(self, seeds: range) -> None:
        """Play one player with the least search against three random ones."""
        for _ in seeds:
            self._module.play_test_against_random(0, _Settings(), _Queue(), _Queue(), _Pipe())

    def turns(self) -> list[tuple[int, list[int], set[int]]]:
        """Play a game; return per turn: color, squares laid, squares that might be laid first.

        Without the last one: it is more than one where only one color was left, and its turns
        cannot be told apart.
        """
        results = _Queue()
        self._module.play_training_game(0, _Settings(), results, _Queue(), _Pipe())
        history, policies, _ = results.items[0][1]
        turns: list[tuple[int, list[int], set[int]]] = []
        for (color, square), policy in zip(history, policies, strict=True):
            if not turns or turns[-1][0] != color:
                turns.append((color, [square], {allowed for allowed, _ in policy}))
            else:
                turns[-1][1].append(square)
        return turns[:-1]


class Official:
    """socha: the official Python client of the Software Challenge; its rules are in Rust.

    It lists all placements: the method that its users call first leaves most of them out. Which
    colors are out of the game it only looks up when it is told to.
    """

    package = "socha"

    def __init__(self) -> None:
        self._socha = _import("socha", self.package)
        self.bridge = _import("blokus_fast.contest.bridge", self.package)
        self.version = importlib.metadata.version(self.package)
        self._rules = self._socha.GameRuleLogic
        self._variant = contest_variant()
        self._opening = self._socha.PieceShape.PentoW

    def new(self) -> Any:
        """Return the position at the beginning."""
        return self._socha.GameState(start_piece=self._opening)

    def _moves(self, record: Record) -> list[tuple[int, Any]]:
        """Return the record's moves as objects of the client."""
        board = bf.Board(self._variant)
        found = []
        for color, move in record:
            found.append((color, self.bridge.to_move(board, move)))
            board.push(move)
        return found

    def _play(self, state: Any, color: int, move: Any) -> None:
        if int(state.current_color()) != color:
            self._rules.remove_invalid_colors(state)
        self._rules.perform_move(state, move)

    def positions(self, record: Record) -> list[Any]:
        """Return the position before each placement. They cannot be copied, so all are replayed."""
        moves = self._moves(record)
        found = []
        for ply, (color, _) in enumerate(moves):
            state = self.new()
            for earlier in moves[:ply]:
                self._play(state, *earlier)
            if int(state.current_color()) != color:
                self._rules.remove_invalid_colors(state)
            found.append(state)
        return found

    def legal_ids(self, state: Any) -> npt.NDArray[np.int64]:
        """Return the legal placements as our ids, ascending."""
        board = self.bridge.from_state(state)
        moves = map(self._socha.Move.set_move, self._rules.get_all_possible_moves(state))
        return np.sort([self.bridge.from_move(board, move) for move in moves])

    def scores(self, record: Record) -> list[int]:
        """Return the final scores of the colors, as ours counts them."""
        state = self.new()
        for color, move in self._moves(record):
            self._play(state, color, move)
        colors = self._socha.Color
        order = (colors.BLUE, colors.YELLOW, colors.RED, colors.GREEN)
        return [state.get_points_for_color(color) - 89 for color in order]

    def list_moves(self, positions: list[Any]) -> None:
        """List the legal moves of every position."""
        for state in positions:
            self._rules.get_all_possible_moves(state)

    def replayer(self, records: list[Record]) -> Callable[[], None]:
        """Return what plays the records, move by move."""
        games = [self._moves(record) for record in records]

        def replay() -> None:
            for moves in games:
                state = self.new()
                for color, move in moves:
                    self._play(state, color, move)

        return replay

    def random_games(self, seeds: range) -> None:
        """Play uniformly random games, move by move, from Python."""
        for seed in seeds:
            rng = random.Random(seed)
            state = self.new()
            while not state.is_over():
                moves = self._rules.get_all_possible_moves(state)
                if not moves:
                    self._rules.remove_invalid_colors(state)
                    continue
                move = moves[int(rng.random() * len(moves))]
                self._rules.perform_move(state, self._socha.Move.set_move(move))
