"""The OpenSpiel games: OpenSpiel's own tests, and some of its algorithms."""

import pickle
import random

import numpy as np
import pytest

import blokus_fast as bf

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is the extra `openspiel`")

from blokus_fast.envs import openspiel  # noqa: E402

GAMES = [
    "blokus_duo",
    "blokus_duo(reward=score)",
    "blokus",
    *(f"blokus(variant={name},reward=win)" for name in bf.VARIANTS if name != "classic"),
]


@pytest.mark.parametrize("name", GAMES)
def test_random_simulation(name, capfd):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


def test_names_are_registered():
    assert {"blokus", "blokus_duo"} <= set(pyspiel.registered_names())


@pytest.mark.parametrize("name", ["blokus_duo", "blokus(variant=draft-2p)"])
def test_a_game_is_a_game(name):
    """States are boards; actions have texts that lead back."""
    game = pyspiel.load_game(name)
    rng = random.Random(1)
    state = game.new_initial_state()
    board = bf.Board(game.variant)
    while not state.is_terminal():
        assert state.current_player() == board.player
        assert state.legal_actions() == board.legal_ids().tolist()
        assert state.legal_actions((board.player + 1) % board.n_players) == []
        assert state.returns() == [0.0] * board.n_players
        action = rng.choice(state.legal_actions())
        if board.ply < 8:
            text = state.action_to_string(action)
            assert text == board.move_text(action)
            assert state.string_to_action(text) == action
            assert len({state.action_to_string(a) for a in state.legal_actions()}) == len(
                state.legal_actions()
            )
        state.apply_action(action)
        board.push(action)
        assert state.board == board
    own, other = board.player_scores()
    expected = float(np.sign(own - other))
    assert state.returns() == [expected, -expected]
    assert state.move_number() <= game.max_game_length()


def test_copies_and_serialization():
    game = pyspiel.load_game("blokus_duo")
    state = game.new_initial_state()
    for text in ("e10", "j5"):
        state.apply_action(state.string_to_action(text))
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert (state.board.ply, clone.board.ply) == (2, 3)
    again = game.deserialize_state(state.serialize())
    assert again.board == state.board
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    loaded_game, loaded = pyspiel.deserialize_game_and_state(
        pyspiel.serialize_game_and_state(game, state)
    )
    assert str(loaded_game) == str(game)
    assert loaded.board == state.board
    state.undo_action(state.history()[-1], 0)


def test_observations():
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game("blokus_duo")
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    observation = make_observation(game)
    shape = bf.Observer("duo").shape
    for player in range(2):
        observation.set_from(state, player)
        planes = observation.dict["observation"]
        assert planes.shape == shape
        assert planes[:2].sum(axis=(1, 2)).tolist() == ([1, 0] if player == 0 else [0, 1])
        assert observation.string_from(state, player) == str(state)
    assert game.observation_tensor_shape() == list(shape) or np.prod(
        game.observation_tensor_shape()
    ) == np.prod(shape)


def test_mcts_beats_random():
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("blokus_duo")
    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=rng)
    bot = mcts.MCTSBot(game, 1.4, 4, evaluator, random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.current_player() == 0 and state.move_number() < 8:
            action = bot.step(state)
        else:
            action = int(rng.choice(state.legal_actions()))
        assert action in state.legal_actions()
        state.apply_action(action)
    assert sum(state.returns()) == 0


def test_rl_environment():
    from open_spiel.python import rl_environment

    environment = rl_environment.Environment(pyspiel.load_game("blokus_duo"))
    step = environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        legal = step.observations["legal_actions"][player]
        step = environment.step([legal[len(legal) // 2]])
    assert sum(step.rewards) == 0


def test_wrong_parameters():
    for parameters, message in (
        ({"variant": "chess"}, "unknown variant 'chess'"),
        ({"reward": "gold"}, "unknown reward 'gold'"),
    ):
        with pytest.raises(ValueError, match=message):
            openspiel.BlokusGame(parameters)
