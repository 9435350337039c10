"""The PettingZoo environment: PettingZoo's own tests, and what they do not look at."""

import copy
import pickle

import numpy as np
import pytest

import blokus_fast as bf

pytest.importorskip("pettingzoo", reason="PettingZoo is in the extra `rl`")

from pettingzoo import utils

from blokus_fast.envs import blokus_v0

VARIANTS = list(bf.VARIANTS)
MAKERS = [blokus_v0.env, blokus_v0.raw_env]
QUICK = ["duo", "classic", "classic-3p", "draft-2p"]


@pytest.fixture(scope="module")
def theirs():
    """PettingZoo's tests; on import they warn of what they themselves use."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pettingzoo.test as module
    return module


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_pettingzoo_api(theirs, variant, make):
    theirs.api_test(make(variant=variant), num_cycles=60)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("make", MAKERS)
def test_pettingzoo_api_with_ids(theirs, make):
    theirs.api_test(make(variant="duo", ids=True), num_cycles=60)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("variant", QUICK)
def test_pettingzoo_seed(theirs, variant, make):
    theirs.seed_test(lambda: make(variant=variant), num_cycles=60)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("variant", QUICK)
def test_pettingzoo_render(theirs, variant, make):
    theirs.render_test(lambda render_mode: make(variant=variant, render_mode=render_mode))


@pytest.mark.parametrize("make", MAKERS)
def test_pettingzoo_performance(theirs, make, monkeypatch):
    """It runs for five seconds by the clock; the clock is made to go quicker."""
    import time

    ticks = iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: next(ticks) / 10)
    theirs.performance_benchmark(make(variant="duo"))


def play(env, seed, *, use_mask=False):
    """Play a game by chance; yield after every step, and check what holds in all of them."""
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        assert not truncation
        mask, ids = observation["action_mask"], env.legal_ids()
        assert mask.dtype == np.int8
        assert observation["observation"].dtype == np.uint8
        assert np.flatnonzero(mask).tolist() == ids.tolist()
        if termination:
            assert len(ids) == 0
            env.step(None)
        else:
            # Who is asked can always move.
            assert len(ids) > 0
            assert reward == 0
            env.step(env.action_space(agent).sample(mask) if use_mask else rng.choice(ids))
        yield agent


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_a_game(variant):
    """Moves, skips and scores are the board's; all agents get their reward at the end."""
    env = blokus_v0.raw_env(variant=variant)
    env.reset(seed=1)
    twin = bf.Board(variant)
    rewards = {}
    rng = np.random.default_rng(3)
    for agent in env.agent_iter():
        _, reward, termination, _, info = env.last()
        if termination:
            rewards[agent] = reward
            assert info["scores"] == dict(
                zip(env.possible_agents, twin.player_scores(), strict=True)
            )
            env.step(None)
            continue
        assert env.possible_agents.index(agent) == twin.player
        action = rng.choice(twin.legal_ids())
        twin.push(action)
        env.step(action)
        assert env.board == twin
    assert env.agents == []
    assert [rewards[agent] for agent in env.possible_agents] == list(twin.player_scores())


@pytest.mark.parametrize("reward", ["score", "win", "rank"])
def test_rewards(reward):
    for seed in range(4):
        env = blokus_v0.raw_env(variant="classic", reward=reward)
        env.reset()
        found = {}
        for agent in env.agent_iter():
            _, value, termination, _, info = env.last()
            if termination:
                found[agent] = value
                scores = info["scores"]
                env.step(None)
            else:
                ids = env.legal_ids()
                env.step(ids[(seed * 7919) % len(ids)])
        best = max(scores.values())
        winners = [agent for agent, score in scores.items() if score == best]
        for agent, score in scores.items():
            if reward == "score":
                assert found[agent] == score
            elif reward == "win":
                assert found[agent] == pytest.approx((score == best) / len(winners))
            else:
                others = [other for name, other in scores.items() if name != agent]
                beaten = sum(score > other for other in others)
                assert found[agent] == pytest.approx(
                    (beaten - sum(score < other for other in others)) / 3
                )


def test_more_is_better_where_the_lowest_score_wins():
    env = blokus_v0.raw_env(variant="duo", scoring="reverse", reward="score")
    env.reset()
    list(play(env, 1))
    env.reset()
    for _ in env.agent_iter():
        _, reward, termination, _, info = env.last()
        if termination:
            assert reward == -info["scores"][env.agent_selection]
        env.step(None if termination else env.legal_ids()[0])


@pytest.mark.parametrize("variant", QUICK)
def test_the_same_seed_plays_the_same(variant):
    games = []
    for _ in range(2):
        env = blokus_v0.env(variant=variant)
        env.reset(seed=5)
        list(play(env, 0, use_mask=True))
        games.append(env.unwrapped.board.move_stack)
    assert games[0] == games[1]


def test_observations_are_not_changed_later():
    env = blokus_v0.raw_env(variant="duo")
    env.reset()
    kept = []
    rng = np.random.default_rng(1)
    while env.agents and not any(env.terminations.values()):
        seen = [env.observe(agent) for agent in env.possible_agents]
        kept.append((seen, copy.deepcopy(seen)))
        env.step(rng.choice(env.legal_ids()))
    for seen, then in kept:
        for one, other in zip(seen, then, strict=True):
            for key in one:
                assert (one[key] == other[key]).all()


def test_the_observation_is_the_movers_view():
    observer = bf.Observer("classic", view="mover")
    env = blokus_v0.raw_env(variant="classic", form="planes", groups=list(observer.groups))
    env.reset()
    assert env.state().shape == observer.shape
    for step, _ in enumerate(play(env, 2)):
        if env.agents and not any(env.terminations.values()):
            planes = env.observe(env.agent_selection)["observation"]
            assert (planes == observer.observe(env.board)).all()
            assert (env.state() == bf.Observer("classic").observe(env.board)).all()
        if step == 30:
            break


@pytest.mark.parametrize("variant", QUICK)
def test_only_the_mover_has_anything_to_choose(variant):
    env = blokus_v0.raw_env(variant=variant)
    env.reset()
    for _ in range(12):
        for agent in env.agents:
            mask = env.observe(agent)["action_mask"]
            expected = env.legal_ids().tolist() if agent == env.agent_selection else []
            assert np.flatnonzero(mask).tolist() == expected
        env.step(env.legal_ids()[-1])


@pytest.mark.parametrize("make", MAKERS)
def test_masks_of_all_are_empty_behind_the_end(make):
    env = make(variant="duo")
    env.reset()
    for _ in play(env, 3):
        pass
    assert not any(
        env.unwrapped.observe(agent)["action_mask"].any() for agent in env.possible_agents
    )


def test_an_illegal_action_ends_the_wrapped_game(caplog):
    env = blokus_v0.env(variant="duo")
    env.reset()
    env.step(env.legal_ids()[0])
    before = env.unwrapped.board.copy()
    env.step(0)
    assert "Illegal move" in caplog.text
    assert env.unwrapped.board == before
    rewards = {}
    for agent in env.agent_iter():
        _, rewards[agent], termination, truncation, _ = env.last()
        assert termination
        assert not truncation
        assert len(env.legal_ids()) == 0
        env.step(None)
    # Worse than any game that is played to the end.
    assert rewards == {"player_0": 0, "player_1": -89.0}


def test_an_illegal_action_changes_nothing_in_the_raw_game():
    env = blokus_v0.raw_env(variant="duo")
    env.reset()
    before = env.board.copy()
    with pytest.raises(bf.IllegalMoveError):
        env.step(0)
    with pytest.raises(bf.InvalidMoveError):
        env.step(13729)
    with pytest.raises(TypeError):
        env.step(None)
    assert env.board == before
    assert env.agent_selection == "player_0"


def test_the_wrapped_game_refuses_what_is_out_of_bounds_or_order():
    env = blokus_v0.env(variant="duo")
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agent_selection
    env.reset()
    with pytest.raises(AssertionError, match="action space"):
        env.step(13729)


def test_copies_are_games_of_their_own():
    for make in MAKERS:
        env = make(variant="duo")
        env.reset()
        env.step(env.legal_ids()[3])
        other = copy.deepcopy(env)
        other.step(other.legal_ids()[0])
        assert (env.unwrapped.board.ply, other.unwrapped.board.ply) == (1, 2)
        assert env.agent_selection == "player_1"
        list(play(other, 1))
        assert env.agents == ["player_0", "player_1"]


class Own(blokus_v0.raw_env):
    """A subclass, with something of its own."""

    def __init__(self, **options):
        super().__init__(**options)
        self.steps = []

    def step(self, action):
        self.steps.append(action)
        super().step(action)


@pytest.mark.parametrize("how", ["deepcopy", "pickle"])
@pytest.mark.parametrize("make", [*MAKERS, Own])
@pytest.mark.parametrize("variant", ["duo", "draft-2p"])
def test_copies_go_on_alike(variant, make, how):
    """With their own random numbers too: those of the action spaces."""
    env = make(variant=variant, ids=True)
    env.reset(seed=4)
    env.step(env.legal_ids()[3])
    other = copy.deepcopy(env) if how == "deepcopy" else pickle.loads(pickle.dumps(env))
    assert type(other.unwrapped) is type(env.unwrapped)
    for one in (env, other):
        list(play(one, 1, use_mask=True))
    assert env.unwrapped.board.ply > 20
    assert env.unwrapped.board.move_stack == other.unwrapped.board.move_stack
    if make is Own:
        assert env.steps == other.steps
        assert env.steps is not other.steps


WRAPPERS = {
    "TerminateIllegal": lambda env: utils.TerminateIllegalWrapper(env, -1),
    "AssertOutOfBounds": utils.AssertOutOfBoundsWrapper,
    "OrderEnforcing": utils.OrderEnforcingWrapper,
    "CaptureStdout": utils.CaptureStdoutWrapper,
    "Base": utils.BaseWrapper,
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("name", WRAPPERS)
def test_pettingzoo_wrappers(theirs, name, make):
    render_mode = "human" if name == "CaptureStdout" else None
    env = WRAPPERS[name](make(variant="duo", render_mode=render_mode))
    env.reset(seed=1)
    list(play(env, 1))
    if name == "CaptureStdout":
        assert "14" in env.render()
    else:
        theirs.api_test(env, num_cycles=60)


def test_several_episodes():
    env = utils.wrappers.MultiEpisodeEnv(blokus_v0.raw_env(variant="duo"), 3)
    env.reset(seed=1)
    finals = 0
    for _ in env.agent_iter():
        _, _, termination, truncation, _ = env.last()
        finals += termination
        env.step(None if termination or truncation else env.legal_ids()[0])
    assert finals == 2 * 3


def test_there_is_no_parallel_api():
    with pytest.raises(AssertionError, match="parallelizable"):
        utils.aec_to_parallel(blokus_v0.raw_env())


def test_ids_on_request():
    env = blokus_v0.raw_env(variant="duo")
    env.reset()
    assert env.infos == {"player_0": {}, "player_1": {}}
    env = blokus_v0.env(variant="duo", ids=True)
    env.reset()
    rng = np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, _, termination, _, info = env.last()
        for other in env.agents:
            ids, n = env.infos[other]["legal_ids"], env.infos[other]["n_legal"]
            assert (ids.shape, ids.dtype) == ((13729,), np.int32)
            assert (n > 0) is (other == agent and not termination)
            assert (ids[n:] == -1).all()
        n = info["n_legal"]
        assert info["legal_ids"][:n].tolist() == np.flatnonzero(observation["action_mask"]).tolist()
        assert ("scores" in info) is termination
        env.step(None if termination else rng.choice(info["legal_ids"][:n]))
    env.reset()
    env.step(0)
    for agent in env.agents:
        assert env.infos[agent]["n_legal"] == 0
        assert env.infos[agent]["scores"] == {"player_0": -89, "player_1": -89}


def test_a_game_can_begin_anywhere():
    board = bf.Board("duo")
    board.push(board.legal_ids()[5])
    env = blokus_v0.raw_env(variant="duo")
    env.reset(options={"board": board})
    assert env.board == board
    assert env.agent_selection == "player_1"
    list(play(env, 1))
    assert board.ply == 1
    with pytest.raises(ValueError, match="a board of classic for an environment of duo"):
        env.reset(options={"board": bf.Board("classic")})
    with pytest.raises(ValueError, match="over"):
        env.reset(options={"board": env.board})
    with pytest.raises(TypeError, match="must be a Board"):
        env.reset(options={"board": "duo"})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "chess"}, "unknown variant 'chess'"),
        ({"reward": "gold"}, "unknown reward 'gold'; valid: score, win, rank"),
        ({"render_mode": "ascii"}, "unknown render_mode 'ascii'; valid: ansi, rgb_array, human"),
        ({"start": "middle"}, "start"),
    ],
)
def test_wrong_names(options, message):
    with pytest.raises(ValueError, match=message):
        blokus_v0.env(**options)


def test_rendering():
    env = blokus_v0.raw_env(variant="duo", render_mode="rgb_array", square=8)
    env.reset()
    empty = env.render()
    assert empty.shape == (114, 114, 3)
    env.step(env.legal_ids()[0])
    assert (env.render() != empty).any()
    text = blokus_v0.raw_env(variant="duo", render_mode="ansi")
    text.reset()
    assert "14" in text.render()


def test_human_prints_every_step(capsys):
    env = blokus_v0.raw_env(variant="duo", render_mode="human")
    env.reset()
    env.step(env.legal_ids()[0])
    assert capsys.readouterr().out.count("a b c d") == 4
    assert env.render() is None
    quiet = blokus_v0.raw_env(variant="duo")
    quiet.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert quiet.render() is None
