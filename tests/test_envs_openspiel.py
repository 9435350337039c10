"""The OpenSpiel games: OpenSpiel's own tests, and some of its algorithms."""

import base64
import copy
import itertools
import operator
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


def moved(name, moves):
    """Return a state after some moves."""
    state = pyspiel.load_game(name).new_initial_state()
    rng = random.Random(moves)
    for _ in range(moves):
        state.apply_action(rng.choice(state.legal_actions()))
    return state


COPIES = {
    "clone": lambda state: state.clone(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda state: pickle.loads(pickle.dumps(state)),
    "serialize": lambda state: state.get_game().deserialize_state(state.serialize()),
}


@pytest.mark.parametrize("moves", [0, 1, 12])
@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize(
    "name", ["blokus_duo", "blokus(variant=draft-2p)", "blokus(variant=software-challenge-2027)"]
)
def test_copies_go_on_alike(name, how, moves):
    state = moved(name, moves)
    other = COPIES[how](state)
    assert type(other) is type(state)
    rng = random.Random(1)
    for _ in range(3):
        assert (other.history(), other.move_number()) == (state.history(), state.move_number())
        assert (str(other), other.board) == (str(state), state.board)
        assert other.legal_actions() == state.legal_actions()
        action = rng.choice(state.legal_actions())
        child = state.child(action)
        state.apply_action(action)
        assert other.board != state.board
        other.apply_action(action)
        assert (child.history(), child.board) == (state.history(), state.board)


def test_the_history_is_all_there_is_to_a_state():
    state = moved("blokus_duo", 6)
    before = (state.history(), state.move_number(), str(state))
    # The board that one gets is a copy: to play on it does not move the state.
    state.board.push(state.legal_actions()[0])
    assert (state.history(), state.move_number(), str(state)) == before
    # What is serialized is the history, and no second account of the same.
    assert pickle.loads(base64.b64decode(state.serialize().rpartition("__dict__=")[2])) == {}
    # A move that is refused is in neither.
    for wrong in (0, 13729):
        with pytest.raises(ValueError, match="move"):
            state.apply_action(wrong)
        assert (state.history(), state.move_number(), str(state)) == before


def test_actions_are_not_undone():
    """OpenSpiel lets nobody shorten a history from Python, so that half of it would be left."""
    state = moved("blokus_duo", 3)
    before = (state.history(), state.move_number(), str(state))
    last = state.full_history()[-1]
    for player, action in ((last.player, last.action), (last.action, last.player)):
        with pytest.raises(pyspiel.SpielError, match="UndoAction"):
            state.undo_action(player, action)
        assert (state.history(), state.move_number(), str(state)) == before


def test_observations():
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game("blokus_duo")
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    observation = make_observation(game)
    for player in range(2):
        observation.set_from(state, player)
        planes = observation.dict["observation"]
        assert planes.shape == (8, 14, 14)
        assert planes[:2].sum(axis=(1, 2)).tolist() == ([1, 0] if player == 0 else [0, 1])
        assert observation.dict["hand"].sum() == 41
        assert observation.string_from(state, player) == str(state)
    assert np.prod(game.observation_tensor_shape()) == len(observation.tensor) == 1610


@pytest.mark.parametrize(
    "options",
    ["", "groups=own+turn+hand", "form=planes", "form=flat", "channels=last", "masks=observation"],
)
@pytest.mark.parametrize("variant", ["duo", "classic-3p", "draft-2p"])
def test_the_quick_tensor_is_openspiels(variant, options):
    """For every player, in every position, by every way there is."""
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(f"blokus({','.join(filter(None, [f'variant={variant}', options]))})")
    observation = make_observation(game)
    rng = random.Random(3)
    state = game.new_initial_state()
    while True:
        for player in range(game.num_players()):
            observation.set_from(state, player)
            quick = state.observation_tensor(player)
            assert quick == observation.tensor.tolist()
            assert {type(number) for number in quick} == {float}
            assert quick == pyspiel.State.observation_tensor(state, player)
        if state.is_terminal():
            break
        assert state.observation_tensor() == state.observation_tensor(state.current_player())
        for _ in range(7):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
    for wrong in (-1, game.num_players()):
        with pytest.raises(pyspiel.SpielError):
            state.observation_tensor(wrong)


def test_a_turned_board_in_openspiel():
    """Actions, their texts and the history are turned along; the game is the same."""
    game = pyspiel.load_game("blokus(view=rotated)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    state, board = game.new_initial_state(), bf.Board("classic")
    rng = random.Random(3)
    for _ in range(30):
        action = rng.choice(state.legal_actions())
        text = state.action_to_string(action)
        assert state.string_to_action(text) == action
        state.apply_action(action)
        board.push(board.parse_move(text))
        assert state.board == board
        assert state.clone().board == board


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


@pytest.mark.parametrize("name", ["blokus_duo", "blokus(variant=classic-3p)"])
def test_bots_play_a_game(name):
    """MCTS against random bots, by OpenSpiel's own loop."""
    from open_spiel.python.algorithms import evaluate_bots, mcts
    from open_spiel.python.bots import uniform_random

    game = pyspiel.load_game(name)
    rng = np.random.RandomState(2)

    class Quick:
        """Values nothing, so that a game is short."""

        def evaluate(self, state):
            return [0.0] * game.num_players()

        def prior(self, state):
            legal = state.legal_actions()
            return [(action, 1 / len(legal)) for action in legal]

    searcher = mcts.MCTSBot(game, 1.4, 3, Quick(), random_state=rng)
    others = [
        uniform_random.UniformRandomBot(player, rng) for player in range(1, game.num_players())
    ]
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), [searcher, *others], rng)
    assert len(returns) == game.num_players()
    assert sum(returns) == pytest.approx(0)


def test_alpha_beta():
    """Near the end of a game, where it can look to it."""
    from open_spiel.python.algorithms import minimax

    state = pyspiel.load_game("blokus_duo").new_initial_state()
    rng = random.Random(3)
    path = []
    while not state.is_terminal():
        path.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    ways = itertools.accumulate((len(p.legal_actions()) for p in reversed(path)), operator.mul)
    near = [p for p, n in zip(reversed(path), ways, strict=True) if n <= 3000][-1]
    assert near.move_number() <= state.move_number() - 2
    values = [
        minimax.alpha_beta_search(near.get_game(), state=near.clone(), maximizing_player_id=player)
        for player in range(2)
    ]
    assert values[0][0] == -values[1][0]
    assert values[0][0] in (-1, 0, 1)


def test_tabular_learning():
    """Q-learning with tables, for some steps."""
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import random_agent, tabular_qlearner

    environment = rl_environment.Environment(
        pyspiel.load_game("blokus_duo"), include_full_state=True
    )
    n = environment.action_spec()["num_actions"]
    agents = [
        tabular_qlearner.QLearner(player_id=0, num_actions=n),
        random_agent.RandomAgent(player_id=1, num_actions=n),
    ]
    for _ in range(2):
        step = environment.reset()
        while not step.last():
            agent = agents[step.observations["current_player"]]
            step = environment.step([agent.step(step).action])
        for agent in agents:
            agent.step(step)
    assert sum(step.rewards) == 0


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
        ({"groups": "own+gold"}, "group 'gold' is unknown"),
        ({"form": "cube"}, "unknown form 'cube'; valid: dict, planes, flat"),
        ({"masks": "info"}, "masks must be 'none' or 'observation', not 'info'"),
    ):
        with pytest.raises(ValueError, match=message):
            openspiel.BlokusGame(parameters)
