"""The Gymnasium environments: Gymnasium's own checks, and what they do not look at."""

import itertools
import sys
import warnings

import numpy as np
import pytest

import blokus_fast as bf

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is in the extra `rl`")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from blokus_fast.envs import gym_v0  # noqa: E402
from blokus_fast.envs.views import Views  # noqa: E402

ID = "blokus_fast/Blokus-v0"


def make_vec(n, **options):
    return gymnasium.make_vec(ID, num_envs=n, **options)


# -- one game ------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", ["random", "greedy"])
@pytest.mark.parametrize("name", list(gym_v0.IDS))
def test_gymnasium_check(name, opponents, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name, opponents=opponents).unwrapped)


def test_an_id_can_name_the_module():
    env = gymnasium.make(f"blokus_fast.envs.gym_v0:{ID}", variant="junior")
    assert env.unwrapped.variant.name == "junior"


def episode(env, seed):
    """Play an episode by chance; return its actions, its rewards and the last info."""
    rng = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    actions, rewards, over = [], [], False
    while not over:
        assert observation in env.observation_space
        legal = env.unwrapped.legal_ids()
        mask = observation["action_mask"]
        assert np.flatnonzero(mask).tolist() == legal.tolist()
        assert (env.unwrapped.action_masks() == mask).all()
        assert env.unwrapped.board.player == info["seat"]
        actions.append(int(rng.choice(legal)))
        observation, reward, over, truncated, info = env.step(actions[-1])
        assert not truncated
        rewards.append(reward)
    assert not observation["action_mask"].any()
    assert not env.unwrapped.action_masks().any()
    assert len(env.unwrapped.legal_ids()) == 0
    return actions, rewards, info


@pytest.mark.parametrize("variant", ["duo", "classic", "classic-3p", "draft-3p"])
def test_episodes(variant):
    env = gymnasium.make(ID, variant=variant, opponents="greedy")
    seats = set()
    for seed in range(6):
        actions, rewards, info = episode(env, seed)
        assert (actions, rewards) == episode(env, seed)[:2]
        assert set(rewards[:-1]) <= {0.0}
        assert rewards[-1] == info["scores"][info["seat"]]
        assert env.unwrapped.board.is_game_over
        seats.add(info["seat"])
    assert len(seats) > 1


def test_seats():
    env = gymnasium.make(ID, seat=1)
    assert {episode(env, seed)[2]["seat"] for seed in range(4)} == {1}
    _, info = env.reset(options={"seat": 0})
    assert info["seat"] == 0
    with pytest.raises(ValueError, match="seat must be a player, 0 to 1, or None, not 2"):
        gymnasium.make(ID, seat=2)


class Watcher:
    """A bot that remembers for whom it played."""

    name = "watcher"

    def __init__(self):
        self.players = set()

    def choose(self, board):
        self.players.add(board.player)
        return int(board.legal_ids()[0])


def test_opponents_sit_in_the_order_of_play():
    watchers = [Watcher() for _ in range(3)]
    env = gymnasium.make(ID, variant="classic", opponents=watchers, seat=2)
    episode(env, 1)
    assert [watcher.players for watcher in watchers] == [{3}, {0}, {1}]


def test_an_illegal_action_ends_the_episode():
    env = gymnasium.make(ID, seat=0).unwrapped
    env.reset(seed=1)
    before = env.board.copy()
    observation, reward, terminated, truncated, _ = env.step(0)
    assert (reward, terminated, truncated) == (-89.0, True, False)
    assert env.board == before
    assert not observation["action_mask"].any()
    assert not env.action_masks().any()
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    for reward_name in ("win", "rank"):
        env = gymnasium.make(ID, reward=reward_name).unwrapped
        env.reset()
        assert env.step(0)[1] == -1.0


def test_an_illegal_action_raises_on_request():
    env = gymnasium.make(ID, illegal="raise", seat=0).unwrapped
    env.reset()
    with pytest.raises(bf.IllegalMoveError):
        env.step(0)
    env.step(env.legal_ids()[0])
    with pytest.raises(ValueError, match="illegal must be"):
        gymnasium.make(ID, illegal="ignore")


def test_step_before_reset():
    env = gym_v0.BlokusEnv()
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)


# -- many games ----------------------------------------------------------------------------------


def choices(envs, rng):
    """Choose a legal action in each game, -1 where there is none."""
    ids, offsets = envs.legal_ids()
    return np.array([rng.choice(ids[a:b]) if b > a else -1 for a, b in itertools.pairwise(offsets)])


def firsts(envs):
    """Return the first legal action of each game."""
    ids, offsets = envs.legal_ids()
    return ids[offsets[:-1]]


def check_rows(envs, observations, infos, masks=True):
    ids, offsets = envs.legal_ids()
    for i in range(envs.num_envs):
        own = ids[offsets[i] : offsets[i + 1]]
        assert own.tolist() == envs.batch[i].legal_ids().tolist()
        if masks:
            mask = observations["action_mask"][i]
            assert np.flatnonzero(mask).tolist() == own.tolist()
            assert (envs.action_masks()[i] == mask).all()
    # Whatever the position, a row for each game.
    assert all(
        len(value) == envs.num_envs for value in infos.values() if isinstance(value, np.ndarray)
    )
    assert infos["player"].tolist() == envs.batch.player.tolist()


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("variant", ["duo", "classic-3p", "draft-2p"])
def test_self_play(variant, mode):
    """Every game is, move by move, that of a board."""
    n = 5
    envs = make_vec(n, variant=variant, autoreset_mode=mode, reward="score")
    assert envs.metadata["autoreset_mode"] is mode
    rng = np.random.default_rng(2)
    observations, infos = envs.reset(seed=1)
    boards = [bf.Board(variant) for _ in range(n)]
    views = Views(bf.variant(variant))

    def same(seen, board):
        """Whether a row of what the environment shows is what the mover sees of a board."""
        parts = views.of_player(board, max(board.player, 0))
        return all((seen[name] == part).all() for name, part in parts.items())

    over = np.zeros(n, bool)
    ended = 0
    for _ in range(2 * 42 if variant != "draft-2p" else 160):
        assert observations in envs.observation_space
        check_rows(envs, observations, infos)
        actions = choices(envs, rng)
        movers = [board.player for board in boards]
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert not truncations.any()
        for i, board in enumerate(boards):
            if over[i] and mode is AutoresetMode.NEXT_STEP:
                boards[i] = board = bf.Board(variant)
                assert not terminations[i]
            elif not over[i]:
                board.push(actions[i])
                assert terminations[i] == board.is_game_over
            if terminations[i]:
                ended += 1
                scores = board.player_scores()
                assert rewards[i] == scores[movers[i]]
                assert infos["rewards"][i].tolist() == list(scores)
                assert infos["scores"][i].tolist() == list(scores)
                if mode is AutoresetMode.SAME_STEP:
                    assert same(infos["final_obs"][i], board)
                    assert infos["final_obs"][i] in envs.single_observation_space
                    assert infos["final_info"]["scores"][i].tolist() == list(scores)
                    boards[i] = bf.Board(variant)
            else:
                assert rewards[i] == 0
            assert envs.batch[i] == boards[i]
            assert same({name: part[i] for name, part in observations.items()}, boards[i])
        assert ("scores" in infos) == terminations.any()
        assert ("final_obs" in infos) == (terminations.any() and mode is AutoresetMode.SAME_STEP)
        if mode is AutoresetMode.SAME_STEP and terminations.any():
            assert infos["_final_obs"].tolist() == terminations.tolist()
        over = terminations if mode is not AutoresetMode.SAME_STEP else np.zeros(n, bool)
        if mode is AutoresetMode.DISABLED and over.any():
            with pytest.raises(bf.IllegalMoveError, match="are over"):
                envs.step(np.where(over, 0, actions))
            observations, infos = envs.reset(options={"reset_mask": over})
            for i in np.flatnonzero(over):
                boards[i] = bf.Board(variant)
            over = np.zeros(n, bool)
    assert ended >= n


@pytest.mark.parametrize("opponents", ["random", "greedy", Watcher(), lambda _: Watcher()])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_with_opponents(mode, opponents):
    runs = []
    for _ in range(2):
        envs = make_vec(6, opponents=opponents, autoreset_mode=mode, reward="win", masks=False)
        rng = np.random.default_rng(2)
        observations, infos = envs.reset(seed=4)
        record = []
        over = np.zeros(6, bool)
        for _ in range(50):
            check_rows(envs, observations, infos, masks=False)
            # Whoever is asked is the learner.
            assert (infos["player"] == envs._seats)[~envs.batch.done].all()
            observations, rewards, terminations, _, infos = envs.step(choices(envs, rng))
            assert set(rewards.tolist()) <= {0.0, 0.5, 1.0}
            record.append((rewards.tolist(), terminations.tolist(), envs.legal_ids()[0].sum()))
            if mode is AutoresetMode.DISABLED and terminations.any():
                _, infos = envs.reset(options={"reset_mask": terminations})
            over |= terminations
        assert over.all()
        runs.append(record)
    assert runs[0] == runs[1]


def test_results_do_not_depend_on_threads():
    seen = []
    for threads in (1, 3):
        envs = make_vec(200, threads=threads)
        rng = np.random.default_rng(1)
        observations, _ = envs.reset(seed=1)
        for _ in range(5):
            observations, *_ = envs.step(choices(envs, rng))
        seen.append([*observations.values(), envs.legal_ids()[0]])
    assert all((one == other).all() for one, other in zip(*seen, strict=True))


@pytest.mark.parametrize("copy", [True, False])
def test_what_is_returned_stays_unless_asked(copy):
    envs = make_vec(3, copy=copy)
    first, _ = envs.reset()
    before = {name: part.copy() for name, part in first.items()}
    second, *_ = envs.step(firsts(envs))
    for name, part in first.items():
        assert np.shares_memory(part, second[name]) is not copy
        assert (part == before[name]).all() or not copy


def test_memory_is_filled_again_when_nobody_holds_it():
    """Whoever holds a part of an array, or a tensor on it, holds it."""
    envs = make_vec(3)
    observations, _ = envs.reset()
    rows = {"mask": observations["action_mask"][1], "hand": observations["hand"][:, 3:]}
    kept = {name: part.copy() for name, part in rows.items()}
    places = {observations["action_mask"].ctypes.data}
    for _ in range(12):
        observations, *_ = envs.step(firsts(envs))
        places.add(observations["action_mask"].ctypes.data)
        for name, part in rows.items():
            assert (part == kept[name]).all()
    if getattr(sys, "_is_gil_enabled", lambda: True)():
        # One is held, one is the last, and one is filled.
        assert len(places) == 3
    history = [envs.step(firsts(envs))[0]["action_mask"] for _ in range(10)]
    assert len({array.ctypes.data for array in history}) == 10


def test_observations_on_request():
    options = {"groups": ["own", "turn"], "view": "board", "form": "planes", "masks": False}
    envs = make_vec(3, dtype="bits", **options)
    observations, infos = envs.reset()
    assert observations.shape == (3, 4, 25)
    assert observations in envs.observation_space
    assert "action_mask" not in infos
    envs = make_vec(3, dtype="float32", **options)
    assert envs.reset()[0].dtype == np.float32


def test_bad_actions_step_nothing():
    envs = make_vec(3)
    envs.reset()
    good = firsts(envs)
    before = envs.batch.copy()
    for bad, error in (
        (np.where([0, 1, 0], 0, good), bf.IllegalMoveError),
        (np.where([0, 1, 0], -1, good), bf.IllegalMoveError),
        (np.where([0, 1, 0], 13729, good), ValueError),
        (good[:2], ValueError),
        (good.astype(float), TypeError),
    ):
        with pytest.raises(error):
            envs.step(bad)
        assert envs.batch == before
    envs.step(good)


def test_bad_options():
    with pytest.raises(ValueError, match="a seat needs opponents"):
        make_vec(2, seat=0)
    with pytest.raises(ValueError, match="render_mode"):
        gym_v0.BlokusVectorEnv(2, render_mode="human")
    with pytest.raises(ValueError, match="num_envs must be at least 1, not 0"):
        gym_v0.BlokusVectorEnv(0)
    envs = make_vec(2)
    with pytest.raises(ValueError, match="reset_mask must be bool of shape"):
        envs.reset(options={"reset_mask": np.array([1, 0])})


def test_rendering():
    envs = make_vec(2, render_mode="rgb_array", square=4)
    envs.reset()
    assert [picture.shape for picture in envs.render()] == [(58, 58, 3)] * 2
    envs = make_vec(2, render_mode="ansi")
    envs.reset()
    assert "14" in envs.render()[1]
    assert make_vec(1).render() is None
    env = gymnasium.make(ID, render_mode="human")
    env.reset()
    assert env.render() is None
