"""Games in which somebody, or everybody, never comes to move: none begins as if it went on."""

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.bots import GreedyBot

# Blue has a domino and no room for it, red a monomino.
BLOCKED = bf.Variant(
    "blocked",
    3,
    ["blue", "red"],
    [["a3"], ["c3"]],
    playable=[".#.", "###", "###"],
    pieces=[["2"], ["1"]],
)
NOBODY = bf.Variant(
    "nobody",
    3,
    ["blue", "red"],
    [["a3"], ["c3"]],
    playable=[".#.", "###", "###"],
    pieces=[["2"], ["2"]],
)
# If blue begins with the long piece, red never moves.
SOMETIMES = bf.Variant(
    "sometimes",
    3,
    ["blue", "red"],
    [["a3"], ["c3"]],
    playable=["...", "###", "###"],
    pieces=[["1", "I3"], ["1"]],
)
MODES = ["NextStep", "SameStep", "Disabled"]
REWARDS = ["score", "win", "rank"]


def test_the_variants_are_what_they_are_for():
    assert bf.Board(BLOCKED).player == 1
    assert bf.Board(NOBODY).is_game_over
    board = bf.Board(SOMETIMES)
    lengths = set()
    for first in board.legal_ids():
        board.push(first)
        lengths.add(board.player)
        board.pop()
    assert lengths == {-1, 1}


# -- one game -------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", ["random", "greedy", GreedyBot(3)])
def test_a_learner_who_can_never_move(gym_v0, opponents):
    env = gym_v0.BlokusEnv(BLOCKED, opponents, seat=0)
    for _ in range(2):
        with pytest.raises(ValueError, match="player 0 never comes to move in 'blocked'"):
            env.reset(seed=1)
        with pytest.raises(RuntimeError, match="reset"):
            env.step(0)
        assert not env.action_masks().any()
    _, info = env.reset(options={"seat": 1})
    assert (info["seat"], env.action_masks().sum()) == (1, 1)


def test_nobody_can_move(gym_v0):
    env = gym_v0.BlokusEnv(NOBODY)
    with pytest.raises(ValueError, match="the learner never comes to move in 'nobody'"):
        env.reset()


@pytest.mark.parametrize("reward", REWARDS)
def test_the_seat_by_lot_is_one_that_moves(gym_v0, reward):
    env = gym_v0.BlokusEnv(BLOCKED, reward=reward)
    for seed in range(10):
        _, info = env.reset(seed=seed)
        assert info["seat"] == 1
        _, value, terminated, _, info = env.step(env.legal_ids()[0])
        assert terminated
        scores = info["scores"].tolist()
        assert scores[1] > scores[0]
        assert value == (scores[1] if reward == "score" else 1.0)


def test_an_episode_is_begun_in_which_the_learner_moves(gym_v0):
    env = gym_v0.BlokusEnv(SOMETIMES, seat=1)
    for seed in range(20):
        env.reset(seed=seed)
        assert env.board.player == 1
        assert env.action_masks().any()
        moves = env.board.move_stack
        env.reset(seed=seed)
        assert env.board.move_stack == moves


# -- many games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("variant", "options", "who"),
    [
        (BLOCKED, {"opponents": "random", "seat": 0}, "player 0"),
        (BLOCKED, {"opponents": "greedy", "seat": 0}, "player 0"),
        (NOBODY, {"opponents": "random"}, "the learner"),
        (NOBODY, {}, "the learner"),
    ],
)
def test_many_games_without_a_move(gym_v0, variant, options, who, mode):
    envs = gym_v0.BlokusVectorEnv(3, variant, autoreset_mode=mode, **options)
    with pytest.raises(ValueError, match=f"{who} never comes to move"):
        envs.reset(seed=1)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opponents", ["random", "greedy", lambda seed: bf.bots.RandomBot(seed)])
def test_many_games_in_which_the_learner_may_be_blocked(gym_v0, opponents, mode):
    variant, seat = (BLOCKED, None) if opponents == "greedy" else (SOMETIMES, 1)
    envs = gym_v0.BlokusVectorEnv(6, variant, opponents, seat=seat, autoreset_mode=mode)
    envs.reset(seed=1)
    ended = 0
    for _ in range(12):
        masks = envs.action_masks()
        live = ~envs.batch.done
        assert masks[live].any(axis=1).all()
        assert live.all() or mode != "SameStep"
        actions = np.where(live, masks.argmax(axis=1), -1)
        _, _, terminations, _, _ = envs.step(actions)
        ended += terminations.sum()
        if mode == "Disabled" and terminations.any():
            envs.reset(options={"reset_mask": terminations})
    assert ended >= 12


# -- PettingZoo and OpenSpiel ---------------------------------------------------------------------


@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("make", ["env", "raw_env"])
def test_agents_of_a_game_without_moves_are_terminated(make, reward, ids):
    pytest.importorskip("pettingzoo", reason="PettingZoo is in the extra `rl`")
    from blokus_fast.envs import blokus_v0

    env = getattr(blokus_v0, make)(variant=NOBODY, reward=reward, ids=ids)
    for _ in range(2):
        env.reset(seed=1)
        seen = {}
        for agent in env.agent_iter():
            observation, seen[agent], termination, truncation, info = env.last()
            assert (termination, truncation) == (True, False)
            assert not observation["action_mask"].any()
            assert info["scores"] == {"player_0": -2, "player_1": -2}
            assert info.get("n_legal", 0) == 0
            env.step(None)
        value = {"score": -2.0, "win": 0.5, "rank": 0.0}[reward]
        assert seen == {"player_0": value, "player_1": value}


def test_an_agent_who_never_moves_is_asked_at_the_end():
    pytest.importorskip("pettingzoo", reason="PettingZoo is in the extra `rl`")
    from blokus_fast.envs import blokus_v0

    env = blokus_v0.raw_env(variant=BLOCKED, reward="win")
    env.reset()
    assert env.agent_selection == "player_1"
    env.step(env.legal_ids()[0])
    seen = {}
    for agent in env.agent_iter():
        _, seen[agent], termination, _, _ = env.last()
        assert termination
        env.step(None)
    assert seen == {"player_0": 0.0, "player_1": 1.0}


@pytest.mark.parametrize("variant", [NOBODY, BLOCKED, SOMETIMES], ids=lambda v: v.name)
def test_openspiel_plays_them(variant, monkeypatch, capfd):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is the extra `openspiel`")
    from blokus_fast.envs import openspiel

    monkeypatch.setattr(openspiel, "find_variant", lambda name: variant)
    game = openspiel.BlokusGame()
    state = game.new_initial_state()
    assert state.is_terminal() is (variant is NOBODY)
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert sum(state.returns()) == 0
