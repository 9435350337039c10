"""Trainers of other packages run: stable-baselines3 and sb3-contrib, some hundred steps each."""

import numpy as np
import pytest

import blokus_fast as bf

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is in the extra `rl`")
torch = pytest.importorskip("torch", reason="PyTorch comes with the extra `train`")
sb3 = pytest.importorskip("stable_baselines3", reason="it is in the extra `train`")
sb3_contrib = pytest.importorskip("sb3_contrib", reason="it is in the extra `train`")

from sb3_contrib.common.maskable.evaluation import evaluate_policy  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from sb3_contrib.common.wrappers import ActionMasker  # noqa: E402
from stable_baselines3.common.env_checker import check_env  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv  # noqa: E402

from blokus_fast.envs import gym_v0  # noqa: E402

# With the module, so that new processes know the id, too.
ID = "blokus_fast.envs.gym_v0:blokus_fast/Blokus-v0"
SIX = bf.Variant("six", 6, ["blue", "red"], [["a6"], ["f1"]])
SHORT = {"n_steps": 32, "batch_size": 32, "n_epochs": 2, "seed": 1, "device": "cpu"}


@pytest.fixture(autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize("variant", ["duo", SIX], ids=["duo", "six"])
# It takes planes of bytes for a picture; MlpPolicy flattens them.
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_their_check(variant, ids):
    check_env(gym_v0.BlokusEnv(variant, ids=ids))


@pytest.mark.parametrize("variant", ["duo", "junior", SIX], ids=["duo", "junior", "six"])
def test_maskable_ppo_makes_legal_moves_only(variant):
    """Where the masks were another position's, an illegal move would raise."""
    env = Monitor(gymnasium.make(ID, variant=variant, illegal="raise", reward="win"))
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, **SHORT)
    model.learn(64)
    assert model.num_timesteps == 64
    assert len(model.ep_info_buffer) > 0
    mean, _ = evaluate_policy(model, env, n_eval_episodes=2)
    assert 0 <= mean <= 1


@pytest.mark.parametrize("vectors", [DummyVecEnv, SubprocVecEnv])
@pytest.mark.parametrize("ids", [False, True])
def test_maskable_ppo_with_several_environments(vectors, ids):
    envs = make_vec_env(
        ID,
        n_envs=2,
        seed=3,
        env_kwargs={"variant": SIX, "illegal": "raise", "ids": ids},
        vec_env_cls=vectors,
    )
    try:
        assert is_masking_supported(envs)
        model = sb3_contrib.MaskablePPO("MlpPolicy", envs, **SHORT)
        model.learn(128)
        assert len(model.ep_info_buffer) > 0
        observations = envs.reset()
        masks = get_action_masks(envs)
        assert masks.shape == (2, bf.Board(SIX).n_actions)
        actions, _ = model.predict(observations, action_masks=masks)
        assert masks[np.arange(2), actions].all()
    finally:
        envs.close()


def test_the_masks_of_a_wrapper():
    env = ActionMasker(
        gymnasium.make(ID, variant=SIX, illegal="raise"), lambda env: env.unwrapped.action_masks()
    )
    sb3_contrib.MaskablePPO("MlpPolicy", env, **SHORT).learn(64)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("PPO", {"n_steps": 32, "batch_size": 32, "n_epochs": 2}),
        ("A2C", {}),
        ("DQN", {"learning_starts": 20, "buffer_size": 100}),
    ],
)
def test_trainers_without_masks(name, options):
    """They try illegal actions, which end the episode."""
    env = Monitor(gym_v0.BlokusEnv(SIX))
    model = getattr(sb3, name)("MlpPolicy", env, seed=1, device="cpu", **options)
    model.learn(64)
    assert len(env.get_episode_rewards()) > 0
