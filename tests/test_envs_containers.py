"""Gymnasium's own containers around the environments: vectors, wrappers, copies and pickles.

What is in infos has to stack: every container puts that of several games into one array.
"""

import copy
import multiprocessing
import pickle
import subprocess
import sys

import numpy as np
import pytest

import blokus_fast as bf

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is in the extra `rl`")

from gymnasium import wrappers  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from blokus_fast.envs import gym_v0  # noqa: E402

cloudpickle = pytest.importorskip("cloudpickle", reason="Gymnasium brings it")

ID = "blokus_fast/Blokus-v0"
RELEASE = tuple(int(number) for number in gymnasium.__version__.split(".")[:3])
# Quick to play, and games of different lengths.
SIX = bf.Variant("six", 6, ["blue", "red"], [["a6"], ["f1"]])
MODES = list(AutoresetMode)


def by_mask(mask, rng):
    """Choose a legal action in each row; 0 where there is none."""
    return np.array([rng.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask])


def run(envs, steps=30, seed=1):
    """Play at random; return all that can be compared, and whether a game ended."""
    rng = np.random.default_rng(seed)
    observations, _ = envs.reset(seed=seed)
    record, ended = [], 0
    for _ in range(steps):
        assert observations in envs.observation_space
        actions = by_mask(observations["action_mask"], rng)
        observations, rewards, terminations, truncations, _ = envs.step(actions)
        record.append((actions.tolist(), np.asarray(rewards).tolist()))
        ended += int(np.sum(np.asarray(terminations) | np.asarray(truncations)))
    return record, ended


# -- vectors of single environments ---------------------------------------------------------------


@pytest.mark.parametrize("ids", [False, True])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("vectorization", ["sync", "async"])
def test_vectors_of_single_environments(vectorization, mode, ids):
    """The lengths of lists of legal moves differ, and nothing else may."""
    envs = gymnasium.make_vec(
        ID,
        num_envs=2,
        vectorization_mode=vectorization,
        vector_kwargs={"autoreset_mode": mode},
        variant="duo",
        **({"ids": True} if ids else {}),
    )
    try:
        record, ended = run(envs, 60)
        assert ended >= 2
        assert record == run(envs, 60)[0]
        observations, infos = envs.reset(seed=3)
        rows = observations["action_mask"]
        assert rows.shape == (2, 13729)
        assert rows.dtype == np.int8
        assert ("legal_ids" in infos) is ids
        if ids:
            for row, n, mask in zip(infos["legal_ids"], infos["n_legal"], rows, strict=True):
                assert row[:n].tolist() == np.flatnonzero(mask).tolist()
                assert (row[n:] == -1).all()
        masks = envs.call("action_masks")
        assert (np.stack(masks) == rows).all()
    finally:
        envs.close()


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_async_with_every_start_method(method):
    """What is sent to other processes is pickled, lambdas and variants of one's own included."""
    if method == "fork" and sys.version_info >= (3, 12):
        pytest.skip("Python warns of forks in processes with threads")
    envs = gymnasium.make_vec(
        ID,
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"context": method},
        variant=SIX,
        opponents=lambda seed: bf.bots.GreedyBot(seed),
    )
    try:
        assert run(envs, 12)[1] > 0
    finally:
        envs.close()


@pytest.mark.parametrize("where", ["reset", "step", "under way"])
def test_closing_an_async_vector_never_hangs(where):
    """Neither after games, nor after an error within a worker, nor while a step is under way."""
    script = f"""
import gymnasium, numpy as np, warnings
import blokus_fast as bf, blokus_fast.envs.gym_v0
warnings.simplefilter("ignore")
if __name__ == "__main__":
    blocked = bf.Variant("blocked", 3, ["a", "b"], [["a3"], ["c3"]],
                         playable=[".#.", "###", "###"], pieces=[["2"], ["1"]])
    where = {where!r}
    envs = gymnasium.make_vec("{ID}", num_envs=2, vectorization_mode="async", illegal="raise",
                              variant=blocked if where == "reset" else "duo", seat=0)
    try:
        observations, infos = envs.reset(seed=1)
        if where == "step":
            envs.step(np.array([0, 0]))
        else:
            envs.step(observations["action_mask"].argmax(axis=1))
            envs.step_async(np.array([0, 0]))
            envs.close(timeout=30)
    except ValueError as error:
        print(type(error).__name__)
    envs.close()
    print("closed")
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.split()[-1:] == ["closed"], done.stderr
    assert (
        done.stdout.split()[:-1]
        == {
            "reset": ["ValueError"],
            "step": ["IllegalMoveError"],
            "under way": ["IllegalMoveError"],
        }[where]
    )


# -- wrappers -------------------------------------------------------------------------------------

SINGLE = {
    "RecordEpisodeStatistics": wrappers.RecordEpisodeStatistics,
    "TimeLimit": lambda env: wrappers.TimeLimit(env, 4),
    "Autoreset": wrappers.Autoreset,
    "OrderEnforcing": wrappers.OrderEnforcing,
    "PassiveEnvChecker": wrappers.PassiveEnvChecker,
    "FlattenObservation": wrappers.FlattenObservation,
    "DtypeObservation": lambda env: wrappers.DtypeObservation(env, np.float32),
    "FrameStackObservation": lambda env: wrappers.FrameStackObservation(env, 2),
    "TimeAwareObservation": lambda env: wrappers.TimeAwareObservation(wrappers.TimeLimit(env, 50)),
    "NormalizeReward": wrappers.NormalizeReward,
    "ClipReward": lambda env: wrappers.ClipReward(env, -1, 1),
}


ONE_ARRAY = {name for name in SINGLE if name.endswith("Observation")}


@pytest.mark.parametrize("name", SINGLE)
def test_wrappers(name):
    # Some wrappers of Gymnasium take one array and nothing else, some make one of it.
    looks = {"form": "planes", "masks": "info"} if name in ONE_ARRAY else {}
    env = SINGLE[name](gymnasium.make(ID, variant=SIX, **looks))
    rng = np.random.default_rng(1)
    lengths = []
    for seed in range(4):
        observation, info = env.reset(seed=seed)
        over = False
        steps = 0
        while not over:
            assert observation in env.observation_space
            mask = info["action_mask"] if looks else observation["action_mask"]
            assert (env.get_wrapper_attr("action_masks")() == mask).all()
            action = rng.choice(env.get_wrapper_attr("legal_ids")())
            observation, _, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            steps += 1
        lengths.append(steps)
        if name == "RecordEpisodeStatistics":
            assert info["episode"]["l"] == steps
            assert info["episode"]["r"] == info["scores"][info["seat"]]
    assert min(lengths) >= 1
    if name == "TimeLimit":
        assert max(lengths) <= 4


MANY = {
    "RecordEpisodeStatistics": wrappers.vector.RecordEpisodeStatistics,
    "DictInfoToList": wrappers.vector.DictInfoToList,
    "both": lambda envs: wrappers.vector.DictInfoToList(
        wrappers.vector.RecordEpisodeStatistics(envs)
    ),
    "FlattenObservation": wrappers.vector.FlattenObservation,
    "DtypeObservation": lambda envs: wrappers.vector.DtypeObservation(envs, np.float32),
    "ClipReward": lambda envs: wrappers.vector.ClipReward(envs, -1, 1),
    "NormalizeReward": wrappers.vector.NormalizeReward,
}


@pytest.mark.parametrize("opponents", [None, "random"])
@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize(
    ("name", "mode"),
    [
        (name, mode)
        for name in MANY
        for mode in MODES
        # Gymnasium's vector wrappers of observations refuse this mode.
        if "Observation" not in name or mode is not AutoresetMode.SAME_STEP
    ],
)
def test_wrappers_of_many_games(name, n, mode, opponents):
    if name == "both" and RELEASE < (1, 2, 3):
        pytest.skip("these two wrappers of Gymnasium work together since 1.2.3")
    looks = {"masks": "info"} | ({"form": "flat"} if "Observation" in name else {})
    envs = gymnasium.make_vec(
        ID, num_envs=n, variant=SIX, autoreset_mode=mode, opponents=opponents, ids=True, **looks
    )
    envs = MANY[name](envs)
    rng = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    ended = 0
    for _ in range(25):
        if isinstance(infos, list):
            assert all({"action_mask", "legal_ids", "n_legal", "player"} <= set(i) for i in infos)
            infos = {"action_mask": np.stack([info["action_mask"] for info in infos])}
        observations, rewards, terminations, _, infos = envs.step(
            by_mask(infos["action_mask"], rng)
        )
        assert observations in envs.observation_space
        assert rewards.shape == (n,)
        for i in np.flatnonzero(terminations):
            ended += 1
            if name == "both":
                assert infos[i]["episode"]["l"] >= 1
                final = infos[i]["final_info"] if mode is AutoresetMode.SAME_STEP else infos[i]
                assert infos[i]["episode"]["r"] in final["scores"]
        if mode is AutoresetMode.DISABLED and terminations.any():
            _, infos = envs.reset(options={"reset_mask": terminations})
    assert ended >= n
    envs.close()


# -- our own vector -------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"ids": True}, {"masks": "info"}, {"copy": False}])
@pytest.mark.parametrize("opponents", [None, "random", "greedy"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n", [1, 2, 5])
def test_any_number_of_games(n, mode, opponents, options):
    """Also where all end in the same step: one game always does."""
    envs = gymnasium.make_vec(
        ID, num_envs=n, variant=SIX, autoreset_mode=mode, opponents=opponents, **options
    )
    rng = np.random.default_rng(1)
    observations, infos = envs.reset(seed=1)
    together = 0
    for _ in range(30):
        rows = envs.action_masks()
        actions = by_mask(rows, rng)
        observations, _, terminations, truncations, infos = envs.step(actions)
        assert not truncations.any()
        together += bool(terminations.all())
        assert ("action_mask" in infos) is ("masks" in options)
        mask = (infos if "masks" in options else observations)["action_mask"]
        assert ("legal_ids" in infos) is options.get("ids", False)
        ids, offsets = envs.legal_ids()
        for i, row in enumerate(envs.action_masks()):
            own = ids[offsets[i] : offsets[i + 1]].tolist()
            assert np.flatnonzero(row).tolist() == own
            assert (mask[i] == row).all()
            if "legal_ids" in infos:
                assert infos["n_legal"][i] == len(own)
                assert infos["legal_ids"][i, : len(own)].tolist() == own
                assert (infos["legal_ids"][i, len(own) :] == -1).all()
        for infos_of in (infos, infos.get("final_info", {})):
            for key, value in infos_of.items():
                assert len(value) == n or key == "final_info"
                assert key[0] == "_" or infos_of[f"_{key}"].shape == (n,)
        if mode is AutoresetMode.DISABLED and terminations.any():
            envs.reset(options={"reset_mask": terminations})
    assert together > 0 or n > 1


def test_ids_are_rows_of_one_length():
    envs = gymnasium.make_vec(ID, num_envs=4, variant="duo", ids=True, opponents="random")
    first = envs.reset(seed=1)[1]
    assert first["legal_ids"].shape == (4, 13729)
    assert first["legal_ids"].dtype == np.int32
    assert first["n_legal"].dtype == np.int32
    second = envs.step(first["legal_ids"][:, 0])[-1]
    assert (first["n_legal"] != second["n_legal"]).any()
    # What was returned before stays as it was.
    assert (first["legal_ids"][:, 0] >= 0).all()
    assert first["legal_ids"] is not second["legal_ids"]


# -- copies and pickles ---------------------------------------------------------------------------


class Own(gym_v0.BlokusEnv):
    """A subclass, with something of its own."""

    def __init__(self, note, **options):
        super().__init__(**options)
        self.note = note

    def step(self, action):
        *rest, info = super().step(action)
        return (*rest, info | {"note": self.note})


COPIES = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "cloudpickle": lambda env: pickle.loads(cloudpickle.dumps(env)),
}
KINDS = {
    "single": lambda: gymnasium.make(ID, variant="duo", opponents="random"),
    "greedy": lambda: gymnasium.make(ID, variant="classic", opponents="greedy"),
    "subclass": lambda: Own("mine", variant="draft-2p"),
    "self-play": lambda: gymnasium.make_vec(ID, num_envs=3, variant="duo", threads=2),
    "vector": lambda: gymnasium.make_vec(
        ID, num_envs=3, variant="duo", opponents="random", autoreset_mode=AutoresetMode.SAME_STEP
    ),
    "vector of bots": lambda: gymnasium.make_vec(ID, num_envs=3, variant=SIX, opponents="greedy"),
}


def as_bytes(observation):
    """Return all that is in a dictionary of arrays."""
    return [(name, np.ascontiguousarray(part).tobytes()) for name, part in observation.items()]


def go_on(env, steps, seed=5):
    """Play on for some steps; return all there is to see."""
    rng = np.random.default_rng(seed)
    record = []
    base = env.unwrapped
    for _ in range(steps):
        masks = base.action_masks()
        if masks.ndim == 1 and not masks.any():
            _, info = env.reset()
            record.append(info["seat"])
            continue
        action = by_mask(masks, rng) if masks.ndim == 2 else rng.choice(np.flatnonzero(masks))
        observation, reward, terminated, _, info = env.step(action)
        assert info.get("note", "mine") == "mine"
        record.append((as_bytes(observation), np.asarray(reward).tolist(), np.sum(terminated)))
    return record


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("kind", KINDS)
def test_copies_go_on_alike(kind, how):
    env = KINDS[kind]()
    env.reset(seed=2)
    go_on(env, 5)
    other = COPIES[how](env)
    expected = go_on(env, 40)
    assert go_on(other, 40) == expected
    # And are games of their own.
    assert type(other.unwrapped) is type(env.unwrapped)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_is_the_same_episode(kind):
    records = []
    for _ in range(2):
        env = KINDS[kind]()
        observation, _ = env.reset(seed=7)
        records.append([as_bytes(observation), *go_on(env, 40)])
        # Nor does it matter what was played before.
        observation, _ = env.reset(seed=7)
        records.append([as_bytes(observation), *go_on(env, 40)])
    assert all(record == records[0] for record in records)
