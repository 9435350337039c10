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
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor  # noqa: E402
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv  # noqa: E402

from blokus_fast.envs import gym_v0  # noqa: E402

# With the module, so that new processes know the id, too.
ID = "blokus_fast.envs.gym_v0:blokus_fast/Blokus-v0"
SIX = bf.Variant("six", 6, ["blue", "red"], [["a6"], ["f1"]])
# What MlpPolicy takes: one vector. MaskablePPO asks for masks by itself.
FLAT = {"form": "flat", "masks": False}
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
    check_env(gym_v0.BlokusEnv(variant, ids=ids, **FLAT))


@pytest.mark.parametrize(
    ("variant", "policy", "looks"),
    [
        ("duo", "MlpPolicy", FLAT),
        ("junior", "MlpPolicy", FLAT | {"dtype": "float32", "view": "rotated"}),
        ("duo", "MultiInputPolicy", {"masks": False}),
        ("duo", "MultiInputPolicy", {"dtype": "float32"}),
        (SIX, "MultiInputPolicy", {"channels": "last", "keys": {"observation": "planes"}}),
        (SIX, "MlpPolicy", {"form": "planes", "masks": "info"}),
    ],
)
def test_maskable_ppo_makes_legal_moves_only(variant, policy, looks):
    """Where the masks were another position's, an illegal move would raise."""
    env = Monitor(gymnasium.make(ID, variant=variant, illegal="raise", reward="win", **looks))
    model = sb3_contrib.MaskablePPO(policy, env, **SHORT)
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
        env_kwargs={"variant": SIX, "illegal": "raise", "ids": ids, **FLAT},
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


class Planes(BaseFeaturesExtractor):
    """A convolution over the planes, and the hands beside it."""

    def __init__(self, space):
        planes, size, _ = space["observation"].shape
        super().__init__(space, 8 * size * size + space["hand"].shape[0])
        self.convolution = torch.nn.Conv2d(planes, 8, 3, padding=1)

    def forward(self, seen):
        planes = torch.relu(self.convolution(seen["observation"]))
        return torch.cat([planes.flatten(1), seen["hand"]], 1)


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_a_network_of_ones_own(dtype):
    env = gym_v0.BlokusEnv("duo", illegal="raise", dtype=dtype, masks=False)
    options = {"features_extractor_class": Planes, "normalize_images": False}
    model = sb3_contrib.MaskablePPO("MultiInputPolicy", env, policy_kwargs=options, **SHORT)
    model.learn(64)


def test_the_masks_of_a_wrapper():
    env = ActionMasker(
        gymnasium.make(ID, variant=SIX, illegal="raise", **FLAT),
        lambda env: env.unwrapped.action_masks(),
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
    env = Monitor(gym_v0.BlokusEnv(SIX, **FLAT))
    model = getattr(sb3, name)("MlpPolicy", env, seed=1, device="cpu", **options)
    model.learn(64)
    assert len(env.get_episode_rewards()) > 0
