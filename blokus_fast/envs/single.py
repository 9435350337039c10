"""`BlokusEnv`: Blokus for Gymnasium, one learner against bots."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blokus_fast._core import Board
from blokus_fast.envs._support import ATTEMPTS, illegal_reward, need, never_moves, padded_ids
from blokus_fast.envs.images import FRAMES_PER_SECOND, board_image
from blokus_fast.envs.opponents import Opponent, close_opponents, make_opponents, opponent_list
from blokus_fast.envs.views import Views
from blokus_fast.render import board_text
from blokus_fast.scoring import check_reward, rewards
from blokus_fast.variants import variant as find_variant
from blokus_fast.variants.definition import Variant

need("gymnasium", "rl", __name__)

import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402

from blokus_fast.envs.spaces import observation_space  # noqa: E402

__all__ = ["BlokusEnv"]


class BlokusEnv(gymnasium.Env):
    """One player of Blokus; the others are bots, and play within `step` and `reset`.

    Parameters
    ----------
    variant : str or Variant
        Name of a variant, or one of your own.
    opponents : opponent or sequence of them
        Who plays against the learner: a bot's name, any that the arena knows; a bot; a class or
        function that makes one, with a seed or without; a `Policy`, or the file of a network
        (``.zip`` of MaskablePPO, ``.pt2`` of torch); a `League` of any of these. One for all
        seats, or one each in the order of play after the learner. Those that are made are new in
        every episode, with a seed that follows from that of `reset`.
    seat : int, optional
        The player that the learner is. Default: by lot in every episode.
    reward : {"score", "win", "rank"}
        What the learner gets at the end, and 0 before: his score, so that more is better; a
        share of the win, 1 for the winner; or the players that he beat less those that beat
        him, from 1 to -1.
    illegal : {"end", "raise"}
        What an illegal action does. ``end``: the episode ends with the least reward there is,
        the game is left as it was. ``raise``: an `IllegalMoveError`, and nothing is changed.
    groups, view, dtype, form, channels, masks, ids, keys
        What is seen, in which shape and under which names, as for `blokus_v0.raw_env`: by default
        a dictionary of ``observation`` (planes), ``hand`` and ``action_mask``.
    start, scoring : str, optional
        Start rule and scoring rule, if not the variant's own.
    render_mode : {"ansi", "rgb_array", "human"}, optional
        Text, pixels, or text printed after every step.
    square : int
        Pixels of a square of the board in ``rgb_array``.

    Raises
    ------
    ValueError
        A name is unknown, or a number does not fit; the message says what would.
    TypeError
        An opponent is no bot.

    Notes
    -----
    The observation is the game as the learner sees it. What is legal is in it as ``action_mask``
    (int8, for ``action_space.sample(mask)``); with ``masks="info"`` it is in the info instead.
    With ``ids=True`` infos have ``legal_ids``, ``n_legal`` ascending ones and then -1 up to the
    number of actions, since what is in infos must stack. `legal_ids` returns them without the
    rest, and `action_masks` the mask as bools, whatever the observation has: MaskablePPO asks for
    it. All arrays are new at every call.

    A game in which the learner cannot move before it is over is no episode: `reset` begins
    another, with the random numbers that follow.

    Examples
    --------
    >>> import gymnasium, blokus_fast.envs.gym_v0
    >>> env = gymnasium.make("blokus_fast/Blokus-v0", variant="duo", opponents="greedy")
    >>> observation, info = env.reset(seed=1)
    >>> terminated = False
    >>> while not terminated:
    ...     action = env.action_space.sample(observation["action_mask"])
    ...     observation, reward, terminated, truncated, info = env.step(action)
    >>> sorted(observation), sorted(info)
    (['action_mask', 'hand', 'observation'], ['scores', 'seat'])
    """

    metadata: Final[dict[str, Any]] = {
        "render_modes": ["ansi", "rgb_array", "human"],
        "render_fps": FRAMES_PER_SECOND,
    }

    def __init__(
        self,
        variant: str | Variant = "duo",
        opponents: Opponent | Sequence[Opponent] = "random",
        *,
        seat: int | None = None,
        reward: str = "score",
        illegal: str = "end",
        groups: Sequence[str] | None = None,
        view: str = "mover",
        dtype: str = "uint8",
        form: str = "dict",
        channels: str = "first",
        masks: str | bool = "observation",
        ids: bool = False,
        keys: Mapping[str, str] | None = None,
        start: str | None = None,
        scoring: str | None = None,
        render_mode: str | None = None,
        square: int = 16,
    ) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(self.metadata["render_modes"])
            raise ValueError(f"unknown render_mode {str(render_mode)[:60]!r}; valid: {modes}")
        if illegal not in ("end", "raise"):
            raise ValueError(f"illegal must be 'end' or 'raise', not {str(illegal)[:60]!r}")
        self.variant = find_variant(variant, start=start, scoring=scoring)
        self.reward = check_reward(reward)
        check_seat(seat, self.variant)
        self.seat = seat
        self.illegal = illegal
        self.ids = ids
        self.render_mode = render_mode
        self.square = square
        self.board = Board(self.variant)
        self._views = Views(
            self.variant,
            groups=groups,
            view=view,
            dtype=dtype,
            form=form,
            channels=channels,
            masks=masks,
            keys=keys,
        )
        self.opponents = opponent_list(opponents, self.variant.players, self._views)
        self._player = seat or 0
        self._bots: list[Any] = []
        self._ended = True
        self.observation_space = observation_space(self._views, self.board.n_actions)
        self.action_space = spaces.Discrete(self.board.n_actions)

    def __repr__(self) -> str:
        """Show the variant and the opponents."""
        return f"<BlokusEnv {self.variant.name}: opponents {list(self.opponents)!r}>"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a new game, and let the opponents play until it is the learner's turn.

        Parameters
        ----------
        seed : int, optional
            With the same seed come the same seat and the same opponents' random numbers.
        options : dict, optional
            ``{"seat": player}`` sets the seat for this episode.

        Returns
        -------
        observation : dict or ndarray
            What the learner sees.
        info : dict
            ``seat``, and what was asked for.

        Raises
        ------
        ValueError
            There is no such seat, or in no game that was begun does the learner come to move.
        """
        seat = (options or {}).get("seat", self.seat)
        check_seat(seat, self.variant)
        super().reset(seed=seed)
        self._ended = True
        for _ in range(ATTEMPTS):
            self._begin(seat)
            if not self.board.is_game_over:
                break
        else:
            raise never_moves(self.variant, seat)
        self._ended = False
        if self.render_mode == "human":
            self.render()
        return self._seen()

    def _begin(self, seat: int | None) -> None:
        """Begin a game, and play until it is the learner's turn or over."""
        players = self.variant.players
        by_lot = int(self.np_random.integers(players))
        self._player = by_lot if seat is None else int(seat)
        close_opponents(self._bots)
        made = make_opponents(self.opponents, self.np_random, self._views)
        # In the order of play after the learner, so that bots[player] is the player's.
        self._bots = [None] * players
        for step, bot in enumerate(made, 1):
            self._bots[(self._player + step) % players] = bot
        self.board = Board(self.variant)
        self._play_others()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make the learner's move, and the opponents' until it is his turn again.

        Parameters
        ----------
        action : int
            Id of an action.

        Returns
        -------
        observation : dict or ndarray
            What the learner sees.
        reward : float
            0 before the end.
        terminated : bool
            Whether the game is over.
        truncated : bool
            Always False: every game ends.
        info : dict
            ``seat``, what was asked for, and at the end ``scores`` (int32, by player).

        Raises
        ------
        IllegalMoveError
            The action is illegal, with ``illegal="raise"``.
        RuntimeError
            The episode is over, by what an opponent has raised, too: `reset` first.
        """
        if self._ended:
            raise RuntimeError("the episode is over, or has not begun: call reset()")
        reward = 0.0
        board = self.board
        action = self._views.meant(action, board.turn)
        if self.illegal == "end" and not board.is_legal(action):
            self._ended = True
            reward = illegal_reward(self.variant, self.reward)
        else:
            board.push(action)
            # If an opponent raises, nobody goes on with the move that was his.
            self._ended = True
            self._play_others()
            self._ended = board.is_game_over
            if self._ended:
                lowest_wins = self.variant.scoring_rule.lowest_wins
                final = rewards(board.player_scores(), self.reward, lowest_wins=lowest_wins)
                reward = float(final[self._player])
        if self.render_mode == "human":
            self.render()
        observation, info = self._seen()
        return observation, reward, self._ended, False, info

    def set_opponents(self, opponents: Opponent | Sequence[Opponent]) -> None:
        """Let others play from the next episode on.

        Vectors of environments hand it on: Gymnasium's with ``envs.call("set_opponents", ...)``,
        those of stable-baselines3 with ``envs.env_method("set_opponents", ...)``.

        Parameters
        ----------
        opponents : opponent or sequence of them
            As for the class.

        Raises
        ------
        ValueError
            One of them cannot play here; the others stay then.

        Examples
        --------
        >>> from blokus_fast.envs.gym_v0 import BlokusEnv
        >>> env = BlokusEnv("duo", opponents="random")
        >>> env.set_opponents("greedy")
        >>> env.opponents
        ['greedy']
        """
        self.opponents = opponent_list(opponents, self.variant.players, self._views)

    def close(self) -> None:
        """End what opponents have started, engines and searches."""
        close_opponents(self._bots)
        self._bots = []
        self._ended = True

    def _play_others(self) -> None:
        board = self.board
        while board.player not in (-1, self._player):
            board.push(self._bots[board.player].choose(board))

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        """Return what the learner sees, and the info."""
        board, views = self.board, self._views
        mask = None
        info: dict[str, Any] = {"seat": self._player}
        if views.masks != "none":
            mask = np.zeros(board.n_actions, np.int8)
            if not self._ended:
                board.legal_mask(mask)
                mask = views.seen_mask(mask, board.turn)
            if not views.in_observation:
                info[views.keys["action_mask"]] = mask
        if self.ids:
            info |= padded_ids(self.legal_ids(), board.n_actions)
        if self._ended:
            info["scores"] = np.array(board.player_scores(), np.int32)
        return views.pack(views.of_player(board, self._player), mask), info

    def legal_ids(self) -> npt.NDArray[np.int32]:
        """Return the legal actions, ascending; none where the episode is over.

        Returns
        -------
        ndarray of int32, shape (m,)
            Ids, turned along if the view is.
        """
        if self._ended:
            return np.empty(0, np.int32)
        return self._views.seen_ids(self.board.legal_ids(), self.board.turn)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal as bools, as sb3-contrib's MaskablePPO asks for it.

        Returns
        -------
        ndarray of bool, shape (n_actions,)
            All False where the episode is over.
        """
        if self._ended:
            return np.zeros(self.board.n_actions, np.bool_)
        mask: npt.NDArray[np.bool_] = self._views.seen_mask(
            self.board.legal_mask(), self.board.turn
        )
        return mask

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the board as text or pixels, or print it, as `render_mode` says.

        Returns
        -------
        str, ndarray of uint8 or None
            Text for ``ansi``, pixels of shape (height, width, 3) for ``rgb_array``, else None.
        """
        if self.render_mode == "rgb_array":
            return board_image(self.board, square=self.square)
        if self.render_mode == "ansi":
            return board_text(self.board)
        if self.render_mode == "human":
            print(board_text(self.board, color=sys.stdout.isatty()), end="\n\n")
        return None


def check_seat(seat: Any, variant: Variant) -> None:
    """Raise an error unless a seat is None or a player of the variant.

    Parameters
    ----------
    seat : int or None
        The seat.
    variant : Variant
        The variant.

    Raises
    ------
    ValueError
        There is no such player.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.envs.single import check_seat
    >>> check_seat(1, bf.variant("duo"))
    >>> check_seat(2, bf.variant("duo"))
    Traceback (most recent call last):
    ...
    ValueError: seat must be a player, 0 to 1, or None, not 2
    """
    if seat is not None and seat not in range(variant.players):
        raise ValueError(f"seat must be a player, 0 to {variant.players - 1}, or None, not {seat}")
