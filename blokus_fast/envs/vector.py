"""`BlokusVectorEnv`: Blokus for Gymnasium, many games at once on a `BatchBoard`.

Owns autoreset, seats, opponents and infos. What is done to games, the batch does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blokus_fast.envs._support import ATTEMPTS, need, never_moves
from blokus_fast.envs.images import FRAMES_PER_SECOND, board_image
from blokus_fast.envs.memory import Memory
from blokus_fast.envs.opponents import Opponent, close_opponents, make_opponents, opponent_list
from blokus_fast.envs.policies import PolicyBot
from blokus_fast.envs.single import check_seat
from blokus_fast.envs.views import Parts, Room, Views
from blokus_fast.errors import IllegalMoveError
from blokus_fast.learning.batch import BatchBoard
from blokus_fast.render import board_text
from blokus_fast.scoring import check_reward
from blokus_fast.variants import variant as find_variant
from blokus_fast.variants.definition import Variant

need("gymnasium", "rl", __name__)

from gymnasium import spaces  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

from blokus_fast.envs.spaces import observation_space  # noqa: E402

__all__ = ["BlokusVectorEnv"]

_SHOWN: Final = 10


class BlokusVectorEnv(VectorEnv):
    """Many games of Blokus at once.

    Parameters
    ----------
    num_envs : int
        Number of games, at least 1.
    variant : str or Variant
        Name of a variant, or one of your own.
    opponents : opponent or sequence of them, optional
        Who plays against the learner, as for `BlokusEnv`. A policy is asked for all games at
        once. Default: nobody. Then an action is that of whoever is to move in its game
        (self-play).
    seat : int, optional
        With opponents: the player that the learner is. Default: by lot in every episode.
    reward : {"score", "win", "rank"}
        What there is at the end of a game, and 0 before; see `BlokusEnv`.
    autoreset_mode : AutoresetMode or str
        ``"NextStep"``: a game that ended begins again in the next step, whose action for it is
        ignored. ``"SameStep"``: at once; what it looked like at the end is in the infos.
        ``"Disabled"``: by ``reset(options={"reset_mask": mask})``; until then its action must be
        -1. The mode is in ``metadata["autoreset_mode"]``.
    groups, view, dtype, form, channels, masks, ids, keys
        What is seen, in which shape and under which names, as for `blokus_v0.raw_env`: by default
        a dictionary of ``observation`` (planes), ``hand`` and ``action_mask``. The mask is most
        of it: without, a step is nearly twice as quick, and the method `legal_ids` tells the
        same.
    copy : bool
        Whether what is returned stays as it is. If not, the same arrays are filled every time,
        and what they held is gone with the next call. Otherwise arrays that nobody holds any more
        are filled again, so that this costs nothing unless they are kept.
    start, scoring : str, optional
        Start rule and scoring rule, if not the variant's own.
    threads : int
        Threads that share the work of a step; results do not depend on it.
    render_mode : {"ansi", "rgb_array"}, optional
        What `render` returns for each game.
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
    In self-play the reward of a step is that of the player who made the move. The infos have,
    with a row for each game, and for each key with a ``_`` before it which games have it:

    ``player``
        Who is to move, -1 where the game is over.
    ``action_mask``
        With ``masks="info"``: what is legal as int8, shape (num_envs, n_actions).
    ``legal_ids``, ``n_legal``
        With ``ids=True``: the same as ids; in each row ``n_legal`` ascending ones, then -1.
    ``rewards``
        The rewards of all players.
    ``scores``
        Final scores, in steps in which a game ended.
    ``final_obs``, ``final_info``
        In mode ``SameStep``, in steps in which a game ended, as in Gymnasium.

    An illegal action raises `IllegalMoveError`, which names the games, and nothing is stepped.

    Examples
    --------
    >>> import gymnasium, numpy as np, blokus_fast.envs.gym_v0
    >>> envs = gymnasium.make_vec("blokus_fast/Blokus-v0", num_envs=3, variant="duo")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["observation"].shape, observations["action_mask"].shape
    ((3, 8, 14, 14), (3, 13729))
    >>> ids, offsets = envs.legal_ids()
    >>> first = ids[offsets[:-1]]
    >>> observations, rewards, terminations, truncations, infos = envs.step(first)
    >>> infos["player"].tolist(), rewards.tolist()
    ([1, 1, 1], [0.0, 0.0, 0.0])
    """

    def __init__(
        self,
        num_envs: int = 1,
        variant: str | Variant = "duo",
        opponents: Opponent | Sequence[Opponent] | None = None,
        *,
        seat: int | None = None,
        reward: str = "score",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        groups: Sequence[str] | None = None,
        view: str = "mover",
        dtype: str = "uint8",
        form: str = "dict",
        channels: str = "first",
        masks: str | bool = "observation",
        ids: bool = False,
        keys: Mapping[str, str] | None = None,
        copy: bool = True,
        start: str | None = None,
        scoring: str | None = None,
        threads: int = 1,
        render_mode: str | None = None,
        square: int = 16,
    ) -> None:
        if render_mode not in (None, "ansi", "rgb_array"):
            raise ValueError(
                f"unknown render_mode {str(render_mode)[:60]!r}; valid: ansi, rgb_array"
            )
        if num_envs < 1:
            raise ValueError(f"num_envs must be at least 1, not {num_envs}")
        self.num_envs = num_envs
        self.variant = find_variant(variant, start=start, scoring=scoring)
        self.reward = check_reward(reward)
        check_seat(seat, self.variant)
        if seat is not None and opponents is None:
            raise ValueError("a seat needs opponents: without them every move is the learner's")
        self.seat = seat
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": ["ansi", "rgb_array"],
            "render_fps": FRAMES_PER_SECOND,
            "autoreset_mode": self.autoreset_mode,
        }
        self.render_mode = render_mode
        self.square = square
        self.batch = BatchBoard(num_envs, self.variant, threads=threads)
        self.views = Views(
            self.variant,
            groups=groups,
            view=view,
            dtype=dtype,
            form=form,
            channels=channels,
            masks=masks,
            keys=keys,
        )
        self.opponents = (
            None
            if opponents is None
            else opponent_list(opponents, self.variant.players, self.views)
        )
        self.single_observation_space = observation_space(self.views, self.batch.n_actions)
        self.single_action_space = spaces.Discrete(self.batch.n_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ids = ids
        self._memory = Memory(kept=not copy)
        self._over = np.zeros(num_envs, np.bool_)
        self._unfinished = False
        self._seats = np.zeros(num_envs, np.int64)
        self._bots: list[list[Any]] = [[] for _ in range(num_envs)]
        # Where all opponents are random the batch draws for them, and no bots are needed.
        self._by_lot = np.zeros(num_envs, np.bool_)

    # -- episodes ------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games again, or some.

        Parameters
        ----------
        seed : int, optional
            Of the seats and of the opponents' random numbers.
        options : dict, optional
            ``{"reset_mask": mask}``, bool of shape (num_envs,): only these games.

        Returns
        -------
        observations : dict or ndarray
            Of all games.
        infos : dict
            See the class.

        Raises
        ------
        ValueError
            `reset_mask` is no mask, or in a game the learner never comes to move, however often it
            is begun.
        """
        super().reset(seed=seed)
        mask = (options or {}).get("reset_mask")
        if mask is None:
            where = np.ones(self.num_envs, np.bool_)
        else:
            where = np.asarray(mask)
            if where.dtype != np.bool_ or where.shape != (self.num_envs,):
                raise ValueError(
                    f"reset_mask must be bool of shape ({self.num_envs},), "
                    f"not {where.dtype} of {where.shape}"
                )
        # What an opponent raises leaves games where nobody can go on.
        before, self._unfinished = self._unfinished, True
        self._begin(where)
        self._unfinished = before and not where.all()
        return self._seen()

    def _begin(self, where: npt.NDArray[np.bool_]) -> None:
        """Begin games again, seats and opponents included, until all wait for the learner."""
        attempts = ATTEMPTS if self.opponents is not None else 1
        for _ in range(attempts):
            self._begin_once(where)
            where = where & self.batch.done
            if not where.any():
                return
        self._over[where] = True
        raise never_moves(self.variant, self.seat)

    def _begin_once(self, where: npt.NDArray[np.bool_]) -> None:
        self.batch.reset(where)
        self._over[where] = False
        if self.opponents is None:
            return
        players = self.variant.players
        numbers = np.flatnonzero(where)
        drawn = self.np_random.integers(players, size=len(numbers))
        self._seats[numbers] = drawn if self.seat is None else self.seat
        by_lot = all(isinstance(bot, str) and bot == "random" for bot in self.opponents)
        self._by_lot[numbers] = by_lot
        for i in numbers.tolist():
            if self._bots[i]:
                close_opponents(self._bots[i])
                self._bots[i] = []
            if not by_lot:
                self._bots[i] = make_opponents(self.opponents, self.np_random, self.views)
        self._play_others(where)

    def _play_others(self, where: npt.NDArray[np.bool_]) -> None:
        """Play the opponents' moves until it is the learner's turn in these games."""
        players = self.variant.players
        while True:
            player = self.batch.player
            waiting = where & (player >= 0) & (player != self._seats)
            if not waiting.any():
                return
            actions = np.full(self.num_envs, -1, np.int32)
            drawn = waiting & self._by_lot
            if drawn.any():
                seed = int(self.np_random.integers(2**63))
                actions[drawn] = self.batch.sample_actions(seed)[drawn]
            numbers = np.flatnonzero(waiting & ~self._by_lot).tolist()
            if numbers:
                steps = (player - self._seats) % players - 1
                self._choose(actions, {i: self._bots[i][steps[i]] for i in numbers})
            self.batch.step(actions)

    def _choose(self, actions: npt.NDArray[np.int32], bots: dict[int, Any]) -> None:
        """Let a bot choose in each of some games; a policy is asked for all its games at once."""
        followers: dict[int, list[int]] = {}
        for i, bot in bots.items():
            if isinstance(bot, PolicyBot):
                followers.setdefault(id(bot.policy), []).append(i)
            else:
                actions[i] = bot.choose(self.batch[i])
        for numbers in followers.values():
            bot = bots[numbers[0]]
            views = bot.views(self.batch)
            logits = bot.policy.of_batch(self.batch.take(numbers), views)
            for row, i in zip(logits, numbers, strict=True):
                actions[i] = bots[i].pick(row, self.batch[i], views)

    def set_opponents(self, opponents: Opponent | Sequence[Opponent]) -> None:
        """Let others play, in each game from its next episode on.

        Parameters
        ----------
        opponents : opponent or sequence of them
            As for `BlokusEnv`.

        Raises
        ------
        ValueError
            The environment was made without opponents, or one of these cannot play here.

        Examples
        --------
        >>> from blokus_fast.envs.gym_v0 import BlokusVectorEnv
        >>> envs = BlokusVectorEnv(2, "duo", opponents="random")
        >>> envs.set_opponents("greedy")
        """
        if self.opponents is None:
            raise ValueError("an environment without opponents stays one: every move is its own")
        self.opponents = opponent_list(opponents, self.variant.players, self.views)

    def close_extras(self, **kwargs: Any) -> None:
        """End what opponents have started, engines and searches.

        Parameters
        ----------
        **kwargs
            What Gymnasium hands on; not looked at.
        """
        # Also called where the environment could not be made.
        for bots in getattr(self, "_bots", ()):
            close_opponents(bots)
            bots.clear()

    # -- steps ---------------------------------------------------------------------------------

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        Any,
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Take an action in each game.

        Parameters
        ----------
        actions : array_like of int, shape (num_envs,)
            Ids of legal actions. Ignored in mode ``NextStep`` for games that ended in the step
            before; -1 in mode ``Disabled`` for games that are over.

        Returns
        -------
        observations : dict or ndarray
            Of all games.
        rewards : ndarray of float32, shape (num_envs,)
            0 in games that go on.
        terminations : ndarray of bool, shape (num_envs,)
            Which games ended in this step.
        truncations : ndarray of bool, shape (num_envs,)
            All False: every game ends.
        infos : dict
            See the class.

        Raises
        ------
        IllegalMoveError
            Actions are illegal; the message names the games, and nothing is stepped.
        RuntimeError
            An opponent has raised something in the step or reset before: `reset` all games first.
        ValueError
            `actions` has another shape.
        """
        if self._unfinished:
            raise RuntimeError("the last step or reset was not finished: call reset()")
        chosen = np.array(actions)
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"actions must have shape ({self.num_envs},), not {chosen.shape}")
        again = self._over.copy()
        restarts = bool(again.any())
        if restarts:
            if self.autoreset_mode is AutoresetMode.NEXT_STEP:
                chosen[again] = -1
            elif (chosen[again] != -1).any():
                wrong = np.flatnonzero(again & (chosen != -1))[:_SHOWN].tolist()
                raise IllegalMoveError(f"games {wrong} are over: reset them, or step them with -1")
        if (chosen[~again] == -1).any():
            wrong = np.flatnonzero(~again & (chosen == -1))[:_SHOWN].tolist()
            raise IllegalMoveError(f"-1 is no action for games {wrong}, which go on")
        chosen = self._meant(chosen)
        movers = self._seats if self.opponents is not None else self.batch.player
        self.batch.step(chosen)
        self._unfinished = True
        played = ~again
        if self.opponents is not None:
            self._play_others(played)
        ended = self.batch.done & played
        rewards = self._all_rewards(ended)
        own = np.zeros(self.num_envs, np.float32)
        own[ended] = rewards[ended, movers[ended]]
        extra: dict[str, Any] = {"rewards": rewards}
        if ended.any():
            extra["scores"] = np.where(ended[:, None], self.batch.scores(), 0)
            extra["_scores"] = ended.copy()
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            if restarts:
                self._begin(again)
            self._over = ended.copy()
        elif self.autoreset_mode is AutoresetMode.DISABLED:
            self._over = again | ended
        elif ended.any():
            extra.update(self._final(ended, extra))
            self._begin(ended)
        observations, infos = self._seen()
        self._unfinished = False
        infos.update(_with_masks(extra, self.num_envs))
        return observations, own, ended, np.zeros(self.num_envs, np.bool_), infos

    def _all_rewards(self, ended: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
        if not ended.any():
            return np.zeros((self.num_envs, self.variant.players), np.float32)
        rewards = self.batch.rewards(self.reward)
        rewards[~ended] = 0
        return rewards

    def _final(self, ended: npt.NDArray[np.bool_], extra: dict[str, Any]) -> dict[str, Any]:
        """Return what the infos say of games before they begin again at once."""
        final = np.full(self.num_envs, None, dtype=object)
        numbers = np.flatnonzero(ended)
        parts = self._parts(self.batch.take(numbers), self._seats[numbers], _new)
        for i, number in enumerate(numbers.tolist()):
            mask = np.zeros(self.batch.n_actions, np.int8)
            final[number] = self.views.pack(
                {name: rows[i].copy() for name, rows in parts.items()}, mask
            )
        info = {key: extra[key] for key in ("rewards", "scores", "_scores")}
        info["_rewards"] = ended.copy()
        return {
            "final_obs": final,
            "_final_obs": ended.copy(),
            "final_info": info,
            "_final_info": ended.copy(),
        }

    # -- what is returned ----------------------------------------------------------------------

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        """Return the observations of all games, and the infos that there always are."""
        views, batch = self.views, self.batch
        infos: dict[str, Any] = {"player": batch.player}
        shape = (self.num_envs, batch.n_actions)
        mask = None
        if views.masks != "none":
            mask = views.seen_mask(
                batch.legal_mask(self._memory("mask", shape, np.int8)), batch.turn
            )
            if not views.in_observation:
                infos[views.keys["action_mask"]] = mask
        if self._ids:
            infos["legal_ids"] = self._memory("ids", shape, np.int32)
            infos["n_legal"] = self._fill_ids(infos["legal_ids"])
        observations = views.pack(self._parts(batch, self._seats, self._memory), mask)
        return observations, _with_masks(infos, self.num_envs)

    def _parts(self, batch: BatchBoard, seats: npt.NDArray[np.int64], room: Room) -> Parts:
        """Return what is seen of games by whoever is to move, and behind the end by the learner."""
        parts = self.views.of_batch(batch, room)
        if self.opponents is not None:
            for i in np.flatnonzero(batch.done).tolist():
                for name, part in self.views.of_player(batch[i], int(seats[i])).items():
                    parts[name][i] = part
        return parts

    def _meant(self, actions: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return actions on the boards as they lie; what is none is left to the batch."""
        if not self.views.turns or actions.dtype.kind not in "iu":
            return actions
        known = (actions >= 0) & (actions < self.batch.n_actions)
        turns = self.views.observer.symmetries
        back = turns.inverse(self.views.which(self.batch.turn))
        return np.where(known, turns.map_actions(np.where(known, actions, -1), back), actions)

    def _fill_ids(self, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Write the legal actions of each game into its row; return how many there are."""
        ids, offsets = self.legal_ids()
        counts = np.diff(offsets)
        rows.fill(-1)
        games = np.repeat(np.arange(self.num_envs), counts)
        rows[games, np.arange(len(ids)) - np.repeat(offsets[:-1], counts)] = ids
        return counts.astype(np.int32)

    def legal_ids(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Return the legal actions of all games, one after the other: the quickest way to them.

        Returns
        -------
        ids : ndarray of int32
            Game i has ``ids[offsets[i]:offsets[i + 1]]``, none where it is over.
        offsets : ndarray of int64, shape (num_envs + 1,)
            Where the games begin.
        """
        ids, offsets = self.batch.legal_ids()
        if self.views.turns:
            counts = np.diff(offsets)
            which = np.repeat(self.views.which(self.batch.turn), counts)
            ids = self.views.observer.symmetries.map_actions(ids, which)
            # Ascending within each game.
            ids = ids[np.lexsort((ids, np.repeat(np.arange(self.num_envs), counts)))]
        return ids, offsets

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal as bools, shape (num_envs, n_actions).

        Returns
        -------
        ndarray of bool, shape (num_envs, n_actions)
            A row of False where a game is over.
        """
        mask: npt.NDArray[np.bool_] = self.views.seen_mask(self.batch.legal_mask(), self.batch.turn)
        return mask

    def render(self) -> tuple[str | npt.NDArray[np.uint8], ...] | None:
        """Return a text or an array of pixels for each game, as `render_mode` says.

        Returns
        -------
        tuple of str or of ndarray of uint8, or None
            One for each game; None without a `render_mode`.
        """
        if self.render_mode is None:
            return None
        games = (self.batch[i] for i in range(self.num_envs))
        if self.render_mode == "ansi":
            return tuple(board_text(board) for board in games)
        return tuple(board_image(board, square=self.square) for board in games)


def _new(name: str, shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
    return np.empty(shape, dtype)


def _with_masks(infos: dict[str, Any], num_envs: int) -> dict[str, Any]:
    """Add for each key in which games there is something; it is in all of them, unless said."""
    masks = {f"_{key}": np.ones(num_envs, np.bool_) for key in infos if not key.startswith("_")}
    return masks | infos
