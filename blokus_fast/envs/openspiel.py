"""Blokus for OpenSpiel: the games ``blokus`` and ``blokus_duo``, registered on import.

Owns what is OpenSpiel's: game and state objects, the observer. No chance, perfect information.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.envs._support import need, score_bounds
from blokus_fast.envs.views import DEFAULT_GROUPS, Views
from blokus_fast.render import board_text
from blokus_fast.scoring import rewards
from blokus_fast.variants import VARIANTS
from blokus_fast.variants import variant as find_variant
from blokus_fast.variants.definition import Variant

need("pyspiel", "openspiel", __name__)

import pyspiel  # noqa: E402
from open_spiel.python.observation import IIGObserverForPublicInfoGame  # noqa: E402

__all__ = ["BlokusGame", "BlokusState", "DuoGame"]

_MOST_PLAYERS: Final = max(variant.players for variant in VARIANTS.values())
_UTILITY: Final = {
    "rank": pyspiel.GameType.Utility.ZERO_SUM,
    "win": pyspiel.GameType.Utility.CONSTANT_SUM,
    "score": pyspiel.GameType.Utility.GENERAL_SUM,
}
# How the observation tensor is made unless told otherwise; the parameters of `Views`.
_SEEN: Final = {
    "groups": "+".join(DEFAULT_GROUPS),
    "view": "mover",
    "form": "dict",
    "channels": "first",
    "masks": "none",
}


def _game_type(short_name: str, long_name: str, variant: str, reward: str = "rank") -> Any:
    return pyspiel.GameType(
        short_name=short_name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=_UTILITY[reward],
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=_MOST_PLAYERS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"variant": variant, "reward": "rank", **_SEEN},
    )


def _most_plies(variant: Variant) -> int:
    """Return a bound of the number of actions of a game."""
    pieces = sum(sum(hand) for hand in variant.hands)
    if variant.draft:
        return 2 * pieces  # each is picked, and placed at most once
    if variant.voluntary_pass:
        # A color may pass in every round, and places in the others.
        rounds = variant.max_rounds or 2**15
        return variant.n_colors * rounds
    return pieces


def _game_info(variant: Variant, reward: str) -> Any:
    low, high = {"rank": (-1, 1), "win": (0, 1)}.get(reward) or score_bounds(variant)
    if reward == "score" and variant.scoring_rule.lowest_wins:
        low, high = -high, -low
    return pyspiel.GameInfo(
        num_distinct_actions=Board(variant).n_actions,
        max_chance_outcomes=0,
        num_players=variant.players,
        min_utility=float(low),
        max_utility=float(high),
        utility_sum={"rank": 0.0, "win": 1.0}.get(reward),
        max_game_length=_most_plies(variant),
    )


class BlokusGame(pyspiel.Game):
    """The game ``blokus``; `pyspiel.load_game` makes it.

    Parameters
    ----------
    params : dict, optional
        ``variant``: name of a variant, by default ``classic``. ``reward``: what a player gets at
        the end, ``rank`` (the players beaten less those that beat him, from 1 to -1), ``win``
        (a share of 1) or ``score``. What the observation tensor has: ``groups``, names joined by
        ``+``, and ``view``, ``form``, ``channels`` and ``masks`` (``none`` or ``observation``), as
        for `blokus_v0.raw_env`. Its dtype is always float32.

    Raises
    ------
    ValueError
        A name is unknown; the message lists the names.

    Examples
    --------
    >>> import pyspiel, blokus_fast.envs.openspiel
    >>> game = pyspiel.load_game("blokus", {"variant": "classic-2p"})
    >>> game.num_players(), game.num_distinct_actions()
    (2, 30433)
    >>> state = pyspiel.load_game("blokus_duo").new_initial_state()
    >>> len(state.legal_actions()), state.action_to_string(state.legal_actions()[0])
    (828, 'e10')
    """

    _type = _game_type("blokus", "Blokus", "classic")

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self._make({"variant": "classic", "reward": "rank"} | _SEEN | (params or {}))

    def _make(self, chosen: dict[str, Any]) -> None:
        reward = chosen["reward"]
        if reward not in _UTILITY:
            raise ValueError(f"unknown reward {str(reward)[:60]!r}; valid: {', '.join(_UTILITY)}")
        self.variant = find_variant(chosen["variant"])
        self.reward = reward
        names = (self._type.short_name, self._type.long_name, self._default)
        pyspiel.Game.__init__(
            self, _game_type(*names, reward), _game_info(self.variant, reward), chosen
        )
        if chosen["masks"] not in ("none", "observation"):
            raise ValueError(f"masks must be 'none' or 'observation', not {chosen['masks']!r}")
        options = {name: chosen[name] for name in _SEEN if name != "groups"}
        options["groups"] = [group for group in chosen["groups"].split("+") if group]
        self.views = Views(self.variant, dtype="float32", **options)
        self.byte_views = Views(self.variant, **options)

    _default = "classic"

    def new_initial_state(self, state: Any = None) -> BlokusState:
        """Return the position before the first move.

        Parameters
        ----------
        state : None
            Nothing else is taken.

        Returns
        -------
        BlokusState
            A new one.

        Raises
        ------
        ValueError
            Data is given.
        """
        if state is not None:
            raise ValueError("a state cannot be made from data; play the moves instead")
        return BlokusState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return what turns states into tensors and text.

        Parameters
        ----------
        iig_obs_type : pyspiel.IIGObservationType, optional
            What OpenSpiel wants to see.
        params : dict, optional
            None are known.

        Returns
        -------
        object
            With ``tensor``, ``dict``, ``set_from`` and ``string_from``, as OpenSpiel asks for.
        """
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self.views, self.num_distinct_actions(), params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class DuoGame(BlokusGame):
    """The game ``blokus_duo``: as ``blokus``, with the variant ``duo`` unless told otherwise.

    Parameters
    ----------
    params : dict, optional
        As for `BlokusGame`.

    Examples
    --------
    >>> import pyspiel, blokus_fast.envs.openspiel
    >>> pyspiel.load_game("blokus_duo").get_type().utility.name
    'ZERO_SUM'
    """

    _type = _game_type("blokus_duo", "Blokus Duo", "duo")
    _default = "duo"

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self._make({"variant": "duo", "reward": "rank"} | _SEEN | (params or {}))


class BlokusState(pyspiel.State):
    """A position; `BlokusGame.new_initial_state` makes it.

    Parameters
    ----------
    game : BlokusGame
        The game.

    Notes
    -----
    The history, which OpenSpiel keeps, is all there is to a state: it is what is copied and
    serialized, and the board follows from it. OpenSpiel gives no way to shorten it from Python,
    so there is no ``undo_action``; its own says so. `clone` instead.

    Examples
    --------
    >>> import pyspiel, blokus_fast.envs.openspiel
    >>> state = pyspiel.load_game("blokus_duo").new_initial_state()
    >>> state.apply_action(state.string_to_action("e10"))
    >>> state.current_player(), state.board.ply
    (1, 1)
    """

    # Not in the __dict__, which OpenSpiel copies and serializes beside the history.
    __slots__ = ("_reached",)

    def __init__(self, game: BlokusGame) -> None:
        super().__init__(game)
        self._reached = Board(game.variant)

    @property
    def board(self) -> Board:
        """A copy of the board."""
        return self._position().copy()

    def _position(self) -> Board:
        """Return the board after all moves of the history."""
        try:
            board = self._reached
        except AttributeError:  # made by unpickling, which calls no __init__
            board = self._reached = Board(self.get_game().variant)
        if board.ply < self.move_number():
            # A copy, which OpenSpiel gives nothing but the history.
            meant = self.get_game().views.meant
            for action in self.history()[board.ply :]:
                board.push(meant(action, board.turn))
        return board

    def current_player(self) -> Any:
        """Return the player to move, or the sign that the game is over.

        Returns
        -------
        int or pyspiel.PlayerId
            The number of the player, or ``TERMINAL``.
        """
        player = self._position().player
        return pyspiel.PlayerId.TERMINAL if player < 0 else player

    def _legal_actions(self, player: int) -> list[int]:
        board = self._position()
        if player != board.player:
            return []
        seen = self.get_game().views.seen_ids(board.legal_ids(), board.turn)
        ids: list[int] = seen.tolist()
        return ids

    def _apply_action(self, action: int) -> None:
        # An illegal one raises, and then is not in OpenSpiel's history either.
        board = self._position()
        board.push(self.get_game().views.meant(action, board.turn))

    def _action_to_string(self, player: int, action: int) -> str:
        board = self._position()
        return board.move_text(self.get_game().views.meant(action, board.turn))

    def is_terminal(self) -> bool:
        """Return whether the game is over.

        Returns
        -------
        bool
            Whether nobody can move any more.
        """
        return self._position().is_game_over

    def returns(self) -> list[float]:
        """Return the players' rewards so far: 0 before the end.

        Returns
        -------
        list of float
            One a player.
        """
        board, game = self._position(), self.get_game()
        if not board.is_game_over:
            return [0.0] * board.n_players
        lowest_wins = board.variant.scoring_rule.lowest_wins
        final: list[float] = rewards(
            board.player_scores(), game.reward, lowest_wins=lowest_wins
        ).tolist()
        return final

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return what a player sees as numbers, the same that OpenSpiel's own method returns.

        That one makes a list of a vector that C++ copied from the observer's array, number by
        number, and takes ten times as long.

        Parameters
        ----------
        player : int, optional
            The player. Default: the one on the move.

        Returns
        -------
        list of float
            Zeros and ones.
        """
        board, views = self._position(), self.get_game().byte_views
        if player is None:
            player = board.player
        if not 0 <= player < board.n_players:
            # Its error is the same for all games.
            return super().observation_tensor(player)  # type: ignore[no-any-return]
        parts = [part.reshape(-1) for part in views.of_player(board, player).values()]
        if views.in_observation:
            mask = np.zeros(board.n_actions, np.uint8)
            if board.player == player:
                mask[views.seen_ids(board.legal_ids(), board.turn)] = 1
            parts.append(mask)
        return _core._floats(np.concatenate(parts))

    def __str__(self) -> str:
        return board_text(self._position())


class _Observer:
    """Turns states into tensors (what the player sees of the game) and text."""

    def __init__(self, views: Views, n_actions: int, params: Any) -> None:
        if params:
            raise ValueError(f"observers take no parameters, not {params}; the game does")
        self._views = views
        shapes = {name: shape for name, (shape, _) in views.layout.items()}
        if views.in_observation:
            shapes["action_mask"] = (n_actions,)
        self.tensor = np.zeros(sum(map(math.prod, shapes.values())), np.float32)
        self.dict = {}
        place = 0
        for name, shape in shapes.items():
            part = self.tensor[place : place + math.prod(shape)]
            self.dict[name] = part.reshape(shape)
            place += len(part)

    def set_from(self, state: BlokusState, player: int) -> None:
        """Fill the tensor with what a player sees."""
        board = state._position()
        for name, part in self._views.of_player(board, player).items():
            self.dict[name][...] = part
        if "action_mask" in self.dict:
            mask = self.dict["action_mask"]
            mask[...] = 0
            if board.player == player:
                mask[self._views.seen_ids(board.legal_ids(), board.turn)] = 1

    def string_from(self, state: BlokusState, player: int) -> str:
        """Return what a player sees as text."""
        return str(state)


for _game in (BlokusGame, DuoGame):
    if _game._type.short_name not in pyspiel.registered_names():
        pyspiel.register_game(_game._type, _game)
