"""Blokus for PettingZoo: `env` with the usual wrappers, `raw_env` without.

Owns what is PettingZoo's: agents, rewards, the order of calls. The game is a `Board`, what is
seen of it `Views`'. docs/environments.md has the tables.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blokus_fast._core import Board
from blokus_fast.envs._support import illegal_reward, need, padded_ids
from blokus_fast.envs.images import FRAMES_PER_SECOND, board_image
from blokus_fast.envs.views import Mask, Views
from blokus_fast.render import board_text
from blokus_fast.scoring import check_reward, rewards
from blokus_fast.variants import variant as find_variant
from blokus_fast.variants.definition import Variant

need("pettingzoo", "rl", __name__)

from gymnasium import logger, spaces  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402
from pettingzoo.utils.env_logger import EnvLogger  # noqa: E402

from blokus_fast.envs.spaces import observation_space  # noqa: E402

__all__ = ["env", "raw_env"]


def env(**kwargs: Any) -> Any:
    """Make the environment as PettingZoo's classic games are: with wrappers that check.

    Parameters
    ----------
    **kwargs
        As for `raw_env`.

    Returns
    -------
    pettingzoo.AECEnv
        The environment. An illegal action ends the game: the least reward there is for who made
        it (-1, or the lowest score), 0 for the others, and nobody is truncated. An action out of
        range, or a call out of order, is an error.

    Examples
    --------
    >>> from blokus_fast.envs import blokus_v0
    >>> env = blokus_v0.env(variant="duo")
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     action = None if termination else env.legal_ids()[0]
    ...     env.step(action)
    """
    made: Any = _EndAtIllegal(raw_env(**kwargs))
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class _EndAtIllegal(wrappers.BaseWrapper):
    """An illegal action ends the game.

    PettingZoo's own looks at the mask, wherever it is, and says of such an action both that it
    terminates and truncates: a learner that takes the value of what follows where a game is
    truncated would take it here. This one asks the board.
    """

    def step(self, action: Any) -> None:
        game = self.unwrapped
        agent = game.agent_selection
        if game.terminations[agent] or game.is_legal(action):
            self.env.step(action)
        else:
            EnvLogger.warn_on_illegal_move()
            game._end_at_illegal(agent)


class raw_env(AECEnv):  # noqa: N801 - PettingZoo's name for it
    """The environment without wrappers.

    Parameters
    ----------
    variant : str or Variant
        Name of a variant, or one of your own. Agents are ``player_0`` and so on.
    reward : {"score", "win", "rank"}
        What every agent gets at the end, and 0 before: his score, so that more is better; a
        share of the win, 1 for the winner; or the players that he beat less those that beat
        him, from 1 to -1.
    groups : sequence of str, optional
        What is seen: groups of planes, as docs/observations.md lists them. Default: the squares
        of each color, where it may connect, what it may not cover, where it starts, and the hands.
    view : {"mover", "board", "rotated"}
        Colors from the agent's own on; by number; or from his on and the board turned to him.
        With ``rotated`` actions are turned, too: masks and ids are as he sees them.
    dtype : {"uint8", "float32", "bits"}
        Bytes, floats, or eight squares a byte.
    form : {"dict", "planes", "flat"}
        Planes and vectors in a dictionary; everything as planes; everything in one vector.
    channels : {"first", "last"}
        Planes of shape (planes, size, size) or (size, size, planes).
    masks : {"observation", "info", "none"}, or bool
        Where the mask of legal actions is. True is the first, False the last of these.
    ids : bool
        Whether infos have ``legal_ids`` and ``n_legal``.
    keys : dict of str to str, optional
        Other names of what is in the dictionary: those that a trainer asks for.
    start, scoring : str, optional
        Start rule and scoring rule, if not the variant's own.
    render_mode : {"ansi", "rgb_array", "human"}, optional
        Text, pixels, or text printed after every step.
    square : int
        Pixels of a square of the board in ``rgb_array``.

    Raises
    ------
    ValueError
        A name is unknown; the message lists the names.

    Notes
    -----
    An illegal action raises `IllegalMoveError` and changes nothing. Agents who cannot move are
    skipped: an agent on the move always has a legal action. The observation is a dictionary of
    new arrays at every call: ``observation``, the planes; ``hand``, which pieces are there; and
    ``action_mask``. The method `legal_ids` returns the legal actions as ids, which is quicker to
    use than the mask; with ``ids=True`` infos have them, too: ``n_legal`` ids, and then -1 up to
    the number of actions, since what is in infos must stack. Where nobody can ever move, all
    agents are terminated when the game begins. Copies (`copy.deepcopy`) are independent games, for
    searches.

    Examples
    --------
    >>> from blokus_fast.envs import blokus_v0
    >>> env = blokus_v0.raw_env(variant="duo", reward="win")
    >>> env.reset()
    >>> observation, *_ = env.last()
    >>> int(observation["action_mask"].sum()), len(env.legal_ids())
    (828, 828)
    >>> env.step(env.legal_ids()[0])
    >>> env.agent_selection, env.board.ply
    ('player_1', 1)
    """

    metadata: Final[dict[str, Any]] = {
        "render_modes": ["ansi", "rgb_array", "human"],
        "name": "blokus_v0",
        "is_parallelizable": False,
        "render_fps": FRAMES_PER_SECOND,
    }

    def __init__(
        self,
        variant: str | Variant = "classic",
        *,
        reward: str = "score",
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
        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            modes = ", ".join(self.metadata["render_modes"])
            raise ValueError(f"unknown render_mode {str(render_mode)[:60]!r}; valid: {modes}")
        self.variant = find_variant(variant, start=start, scoring=scoring)
        self.reward = check_reward(reward)
        self.ids = ids
        self.render_mode = render_mode
        self.square = square
        self.possible_agents = [f"player_{i}" for i in range(self.variant.players)]
        self._number = {agent: i for i, agent in enumerate(self.possible_agents)}
        looks = {"groups": groups, "dtype": dtype, "channels": channels}
        self._views = Views(
            self.variant,
            view=view,
            form=form,
            masks=masks,
            keys=keys,
            **looks,  # type: ignore[arg-type]
        )
        # Asked at every step.
        self._turned = self._views.turns
        self._noting = ids or self._views.masks == "info"
        whole = "flat" if form == "flat" else "planes"
        self._lying = Views(
            self.variant,
            view="board",
            form=whole,
            masks=False,
            **looks,  # type: ignore[arg-type]
        )
        self._first = Board(self.variant)
        space = observation_space(self._views, self._first.n_actions)
        self.observation_spaces = {agent: deepcopy(space) for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(self._first.n_actions) for agent in self.possible_agents
        }
        self.state_space = observation_space(self._lying, self._first.n_actions)
        self.board = self._first.copy()
        self._begin()

    def __repr__(self) -> str:
        """Show the variant, and how many play."""
        return f"<raw_env {self.variant.name}: {len(self.possible_agents)} agents>"

    # -- spaces --------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations, always the same one.

        Parameters
        ----------
        agent : str
            One of `possible_agents`.

        Returns
        -------
        gymnasium.spaces.Space
            As `form` has it.
        """
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions, always the same one.

        Parameters
        ----------
        agent : str
            One of `possible_agents`.

        Returns
        -------
        gymnasium.spaces.Discrete
            Ids of actions.
        """
        return self.action_spaces[agent]

    # -- the game ------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game.

        Parameters
        ----------
        seed : int, optional
            Seeds the action spaces, each differently; the game itself has no chance in it.
        options : dict, optional
            ``{"board": board}`` begins with a position of the same variant. Others are ignored.

        Raises
        ------
        ValueError
            The board is one of another variant, or its game is over.
        TypeError
            It is no Board.
        """
        board = (options or {}).get("board")
        if board is not None:
            if not isinstance(board, Board):
                raise TypeError(f"options['board'] must be a Board, not {board!r}")
            if board.variant != self.variant:
                raise ValueError(
                    f"a board of {board.variant.name} for an environment of {self.variant.name}"
                )
            if board.is_game_over:
                raise ValueError("options['board'] is a game that is over")
        if seed is not None:
            for number, space in enumerate(self.action_spaces.values()):
                space.seed(seed + number)
        self.board = (self._first if board is None else board).copy()
        self._begin()
        if self.render_mode == "human":
            self.render()

    def _begin(self) -> None:
        agents = self.possible_agents
        self.agents = agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self._skip_agent_selection = None
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self.agent_selection = agents[self.board.player]  # the last where nobody can move
        if self.board.is_game_over:
            self._finish()
        else:
            for agent in agents:
                self._note(agent)

    def step(self, action: Any) -> None:
        """Make the move of the agent in `agent_selection`.

        Parameters
        ----------
        action : int or None
            Id of a legal action; None for an agent whose game is over.

        Raises
        ------
        IllegalMoveError
            The action is not legal. Nothing is changed.
        ValueError
            The agent's game is over, and the action is not None.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        board = self.board
        board.push(self._views.meant(action, board.turn) if self._turned else action)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        player = board.player
        if player >= 0:
            self.agent_selection = self.possible_agents[player]
            if self._noting:
                self._note(agent)
                self._note(self.agent_selection)
        else:
            self._finish()
        if self.render_mode == "human":
            self.render()

    def _finish(self) -> None:
        """Give every agent the final reward, and let each be asked once more."""
        scores = self.board.player_scores()
        lowest_wins = self.variant.scoring_rule.lowest_wins
        final = rewards(scores, self.reward, lowest_wins=lowest_wins).tolist()
        for agent, reward in zip(self.possible_agents, final, strict=True):
            self.rewards[agent] = reward
            self.terminations[agent] = True
        self._close_infos()
        self._accumulate_rewards()
        following = (self._number[self.agent_selection] + 1) % len(self.agents)
        self.agent_selection = self.possible_agents[following]

    def _close_infos(self) -> None:
        """Say in the infos of all agents how the game ended; no action is legal any more."""
        scores = dict(zip(self.possible_agents, self.board.player_scores(), strict=True))
        for agent in self.agents:
            self.infos[agent] = {"scores": dict(scores)}
            self._note(agent)

    def _end_at_illegal(self, agent: str) -> None:
        """End the game with the least reward there is for an agent, and 0 for the others."""
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = illegal_reward(self.variant, self.reward)
        self._cumulative_rewards[agent] = 0.0
        self._accumulate_rewards()
        self._close_infos()
        self._deads_step_first()

    def _note(self, agent: str) -> None:
        """Say in the info of an agent what is legal, as far as it is asked for."""
        # New arrays and a new dict, since learners keep the old ones.
        if self._views.masks == "info":
            mask = {self._views.keys["action_mask"]: self._mask(agent)}
            self.infos[agent] = self.infos[agent] | mask
        if self.ids:
            ids = self.legal_ids() if agent == self.agent_selection else np.empty(0, np.int32)
            self.infos[agent] = self.infos[agent] | padded_ids(ids, self.board.n_actions)

    def is_legal(self, action: Any) -> bool:
        """Return whether the agent on the move may take an action.

        Parameters
        ----------
        action : int
            Id of an action.

        Returns
        -------
        bool
            Whether `step` takes it.
        """
        return self.board.is_legal(self._views.meant(action, self.board.turn))

    def legal_ids(self) -> npt.NDArray[np.int32]:
        """Return the legal actions of the agent on the move, ascending; none after the end.

        Returns
        -------
        ndarray of int32, shape (m,)
            Ids, turned along if the view is.
        """
        if self.terminations.get(self.agent_selection, True):
            return np.empty(0, np.int32)
        ids = self.board.legal_ids()
        return self._views.seen_ids(ids, self.board.turn) if self._turned else ids

    # -- what is seen --------------------------------------------------------------------------

    def observe(self, agent: str) -> Any:
        """Return what an agent sees, in new arrays.

        Parameters
        ----------
        agent : str
            The agent.

        Returns
        -------
        dict or ndarray
            See the class. The mask is int8, and all 0 for an agent who is not on the move.
        """
        views = self._views
        parts = views.of_player(self.board, self._number[agent])
        return views.pack(parts, self._mask(agent) if views.in_observation else None)

    def _mask(self, agent: str) -> npt.NDArray[np.int8]:
        board = self.board
        # An agent whose illegal move ended the game has no moves left either.
        if board.player != self._number[agent] or self.terminations.get(agent, True):
            return np.zeros(board.n_actions, np.int8).view(Mask)
        mask = Mask(board.n_actions, np.int8)
        board.legal_mask(mask)
        return self._views.seen_mask(mask, board.turn).view(Mask) if self._turned else mask

    def state(self) -> npt.NDArray[Any]:
        """Return the board as it lies, the same for all agents: planes, or a vector if ``flat``.

        Returns
        -------
        ndarray, shape (planes, size, size) or (k,)
            All groups of planes that the environment shows.
        """
        whole: npt.NDArray[Any] = self._lying.pack(self._lying.of_board(self.board))
        return whole

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the board as text or pixels, or print it, as `render_mode` says.

        Returns
        -------
        str, ndarray of uint8 or None
            Text for ``ansi``, pixels of shape (height, width, 3) for ``rgb_array``, else None.
        """
        if self.render_mode is None:
            logger.warn("render() without a render_mode: make the environment with one")
            return None
        if self.render_mode == "rgb_array":
            return board_image(self.board, square=self.square)
        if self.render_mode == "ansi":
            return board_text(self.board)
        print(board_text(self.board, color=sys.stdout.isatty()), end="\n\n")
        return None

    def close(self) -> None:
        """Do nothing: there is no window."""

    # -- copies --------------------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[int, Any]) -> raw_env:
        # A copy is another game of the same kind: what never changes is shared.
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        shared = ("variant", "possible_agents", "observation_spaces", "_first", "_views", "_lying")
        for name, value in self.__dict__.items():
            made.__dict__[name] = value if name in shared else deepcopy(value, memo)
        return made
