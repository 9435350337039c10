"""Who plays against the learner: names, bots, classes, networks, leagues."""

import functools
import importlib
import pickle
from dataclasses import replace

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.bots import GreedyBot
from blokus_fast.envs.opponents import League, make_opponents, opponent_list
from blokus_fast.envs.policies import Policy, load_policy, save_network
from blokus_fast.envs.views import Views

SIX = bf.Variant("six", 6, ["blue", "red"], [["a6"], ["f1"]])


class Plain:
    """A bot that is made with nothing."""

    name = "plain"
    made = 0

    def __init__(self):
        Plain.made += 1

    def choose(self, board):
        return int(board.legal_ids()[0])


class Seeded(Plain):
    """One that wants a seed by name, and remembers it."""

    def __init__(self, *, seed):
        super().__init__()
        self.seed = seed


class Closing(Plain):
    """One that holds something."""

    open = 0

    def __init__(self):
        super().__init__()
        Closing.open += 1

    def close(self):
        Closing.open -= 1


def by_id(factor):
    """Return logits that grow with the id, or fall."""
    return lambda seen: np.tile(factor * np.arange(13729.0), (len(seen["observation"]), 1))


def episode(env, seed):
    """Play an episode by chance; return its moves."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    over = False
    while not over:
        _, _, over, _, _ = env.step(int(rng.choice(env.legal_ids())))
    return env.board.move_stack


EVERY = {
    "name": "greedy",
    "search": "mcts:sims=8",
    "module": "blokus_fast.bots:CornerBot",
    "bot": GreedyBot(3),
    "class": GreedyBot,
    "class without a seed": Plain,
    "class with a named seed": Seeded,
    "function of a seed": lambda seed: GreedyBot(seed),
    "function of nothing": lambda: GreedyBot(1),
    "policy": Policy(by_id(1), sample=False),
    "league": League(["random", Plain, "mcts:sims=8"], [1, 2, 1]),
}


@pytest.mark.parametrize("kind", EVERY)
def test_opponents_of_every_kind(gym_v0, kind):
    env = gym_v0.BlokusEnv("duo", EVERY[kind], seat=0)
    moves = episode(env, 2)
    if kind != "bot":
        assert episode(env, 2) == moves
    if kind == "policy":
        board = bf.Board("duo")
        for move in moves:
            assert board.player == 0 or move == board.legal_ids()[-1]
            board.push(move)
    env.close()
    envs = gym_v0.BlokusVectorEnv(3, "duo", EVERY[kind], seat=1)
    envs.reset(seed=1)
    ended = 0
    for _ in range(24):
        ids, offsets = envs.legal_ids()
        _, _, terminations, _, _ = envs.step(np.append(ids, -1)[offsets[:-1]])
        ended += terminations.sum()
    assert ended >= 3
    envs.close()


@pytest.mark.parametrize("view", ["mover", "rotated"])
def test_a_policy_is_asked_for_all_games_at_once(gym_v0, view):
    """And sees what the learner sees; each game has its own chance."""
    asked = []

    def logits(seen):
        asked.append(len(seen["observation"]))
        assert sorted(seen) == ["action_mask", "hand", "observation"]
        mask = seen["action_mask"]
        assert mask.any(axis=1).all()
        return np.where(mask, 0.0, -np.inf)

    first = []
    for _ in range(2):
        envs = gym_v0.BlokusVectorEnv(8, "duo", Policy(logits), seat=1, view=view)
        envs.reset(seed=5)
        first.append([envs.batch[i].key() for i in range(8)])
    assert asked == [8, 8]
    assert first[0] == first[1]
    assert len(set(first[0])) > 4


def test_a_policy_may_see_something_else(gym_v0):
    shapes = []

    def logits(seen):
        shapes.append(seen.shape)
        return np.zeros((len(seen), 13729))

    policy = Policy(logits, looks={"form": "flat", "masks": False, "groups": ["own", "hand"]})
    gym_v0.BlokusVectorEnv(4, "duo", policy, seat=1).reset(seed=1)
    episode(gym_v0.BlokusEnv("duo", policy, seat=0), 1)
    length = Views(bf.variant("duo"), **policy.looks).layout["observation"][0][0]
    assert shapes[0] == (4, length)
    assert set(shapes[1:]) == {(1, length)}


def test_policies_that_are_none():
    with pytest.raises(TypeError, match="logits must be a function"):
        Policy(3)
    wrong = Policy(lambda seen: np.zeros(5))
    with pytest.raises(ValueError, match=r"logits of shape \(5,\), not \(1, 13729\)"):
        wrong.bot().choose(bf.Board("duo"))


def test_sampling_follows_the_logits():
    board = bf.Board("duo")
    one, other = board.legal_ids()[[3, 400]].tolist()
    logits = np.full((1, 13729), -np.inf)
    logits[0, [one, other]] = np.log([0.8, 0.2])
    bot = Policy(lambda seen: logits).bot(seed=1)
    chosen = [bot.choose(board) for _ in range(300)]
    assert set(chosen) == {one, other}
    assert 0.7 < chosen.count(one) / 300 < 0.9


def test_leagues_are_drawn_by_weights():
    league = League(["random", "greedy"], [1, 3])
    league.add(League(["corner"]), 4)
    rng = np.random.default_rng(1)
    names = [make_opponents([league], rng)[0].name for _ in range(400)]
    shares = {name: names.count(name) / 400 for name in set(names)}
    assert shares == pytest.approx({"random": 1 / 8, "greedy": 3 / 8, "corner": 1 / 2}, abs=0.06)
    assert pickle.loads(pickle.dumps(league)).weights == league.weights
    for weights in ([1], [1, -1], [1, float("nan")], [1, float("inf")]):
        with pytest.raises(ValueError, match="weight"):
            League(["random", "greedy"], weights)
    with pytest.raises(ValueError, match="a league of nobody"):
        League([]).draw(rng)
    with pytest.raises(ValueError, match="unknown bot 'deep-blue'"):
        league.add("deep-blue")


def test_leagues_in_leagues():
    """None is a member of itself, and those of nobody are passed over."""
    outer, inner = League(["random"]), League([])
    outer.add(inner)
    for league, member in ((outer, outer), (inner, outer), (inner, inner)):
        with pytest.raises(ValueError, match="cannot be a member of itself"):
            league.add(member)
    assert (len(outer), len(inner)) == (2, 0)
    rng = np.random.default_rng(1)
    assert {outer.draw(rng) for _ in range(30)} == {"random"}
    inner.add("greedy")
    assert {outer.draw(rng) for _ in range(30)} == {"random", inner}
    with pytest.raises(ValueError, match="a league of nobody"):
        League([League([]), League(["random"], [0])]).draw(rng)
    large = League(["random", "greedy"], [1e308, 1e308])
    assert {large.draw(rng) for _ in range(30)} == {"random", "greedy"}


class Failing(Plain):
    """Raises once, and plays again after that."""

    calls = 0

    def choose(self, board):
        type(self).calls += 1
        if type(self).calls == 2:
            raise TimeoutError("too slow")
        return super().choose(board)


def test_nobody_plays_on_for_an_opponent_that_raised(gym_v0):
    Failing.calls = 0
    env = gym_v0.BlokusEnv("duo", Failing, seat=0, illegal="raise")
    env.reset(seed=1)
    env.step(int(env.legal_ids()[0]))
    with pytest.raises(TimeoutError):
        env.step(int(env.legal_ids()[0]))
    assert not env.action_masks().any()
    with pytest.raises(RuntimeError, match="call reset"):
        env.step(int(env.board.legal_ids()[0]))
    env.reset(seed=1)
    env.step(int(env.legal_ids()[0]))


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_a_vector_does_not_go_on_after_an_opponent_that_raised(gym_v0, mode):
    Failing.calls = 0
    envs = gym_v0.BlokusVectorEnv(2, "duo", Failing, seat=0, autoreset_mode=mode, ids=True)
    _, infos = envs.reset(seed=1)
    with pytest.raises(TimeoutError):
        envs.step(infos["legal_ids"][:, 0])
    for actions in ([-1, -1], infos["legal_ids"][:, 0]):
        with pytest.raises(RuntimeError, match="call reset"):
            envs.step(actions)
    envs.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(RuntimeError, match="call reset"):
        envs.step([-1, -1])
    _, infos = envs.reset(seed=1)
    envs.step(infos["legal_ids"][:, 0])


def test_a_league_of_nobody_does_not_leave_half_a_step(gym_v0):
    envs = gym_v0.BlokusVectorEnv(2, "duo", "random", autoreset_mode="SameStep", ids=True)
    _, infos = envs.reset(seed=1)
    envs.set_opponents(League([]))

    def play_on(infos):
        for _ in range(60):
            infos = envs.step(infos["legal_ids"][:, 0])[-1]

    with pytest.raises(ValueError, match="a league of nobody"):
        play_on(infos)
    envs.set_opponents("random")
    with pytest.raises(RuntimeError, match="call reset"):
        envs.step(infos["legal_ids"][:, 0])
    _, infos = envs.reset(seed=1)
    envs.step(infos["legal_ids"][:, 0])


def test_a_league_grows_while_it_plays(gym_v0):
    league = League([Policy(by_id(1), sample=False)])
    env = gym_v0.BlokusEnv("duo", league, seat=1)
    env.reset(seed=1)
    assert env.board.peek() == bf.Board("duo").legal_ids()[-1]
    league.add(Policy(by_id(-1), sample=False), 1e9)
    env.reset(seed=1)
    assert env.board.peek() == bf.Board("duo").legal_ids()[0]


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_opponents_change_with_the_next_episode(gym_v0, mode):
    """Whatever they were and are: those of games under way stay."""
    env = gym_v0.BlokusEnv("duo", "random", seat=1)
    env.reset(seed=1)
    env.set_opponents(Policy(by_id(1), sample=False))
    env.reset(seed=1)
    assert env.board.peek() == bf.Board("duo").legal_ids()[-1]
    with pytest.raises(ValueError, match="2 opponents for 1 seats"):
        env.set_opponents(["random", "random"])
    envs = gym_v0.BlokusVectorEnv(3, SIX, "random", autoreset_mode=mode)
    envs.reset(seed=1)
    for opponents in ("greedy", "random", Plain, "random", Closing, "mcts:sims=4"):
        envs.set_opponents(opponents)
        for _ in range(7):
            ids, offsets = envs.legal_ids()
            envs.step(np.append(ids, -1)[offsets[:-1]])
    with pytest.raises(ValueError, match="without opponents"):
        gym_v0.BlokusVectorEnv(3, SIX).set_opponents("random")


def test_what_was_made_is_closed(gym_v0):
    given = Closing()
    assert Closing.open == 1
    for opponents, least in ((Closing, 2), (given, 1)):
        env = gym_v0.BlokusEnv("duo", opponents)
        for seed in range(3):
            env.reset(seed=seed)
            assert Closing.open == least
        env.close()
        assert Closing.open == 1
        with pytest.raises(RuntimeError, match="reset"):
            env.step(0)
    envs = gym_v0.BlokusVectorEnv(3, SIX, [Closing], autoreset_mode="SameStep")
    envs.reset(seed=1)
    for _ in range(10):
        ids, offsets = envs.legal_ids()
        envs.step(np.append(ids, -1)[offsets[:-1]])
        assert Closing.open == 4
    envs.close()
    assert Closing.open == 1


@pytest.mark.parametrize(
    ("opponents", "error", "message"),
    [
        (["random", "random"], ValueError, "2 opponents for 1 seats"),
        ("deep-blue", ValueError, "unknown bot 'deep-blue'; valid: random"),
        ("mcts:sims=many", ValueError, "sims is a whole number, not 'many'"),
        ([3], TypeError, "an opponent is a name, a bot or makes one, a network or a league, not 3"),
        (lambda seed, other: None, TypeError, "needs seed, other"),
        ("nowhere.zip", FileNotFoundError, "nowhere.zip"),
    ],
)
def test_what_is_no_opponent(opponents, error, message):
    if callable(opponents):
        message = "is made with a seed or nothing"
        opponents = lambda one, other: None  # noqa: E731
    with pytest.raises(error, match=message):
        opponent_list(opponents, 2)


# -- saved networks -------------------------------------------------------------------------------


def test_a_file_that_holds_no_network(gym_v0, tmp_path):
    pytest.importorskip("torch", reason="PyTorch is in the extra `learn`")
    env = gym_v0.BlokusEnv("duo", "greedy")
    for content in (b"", b"garbage" * 100):
        file = tmp_path / "net.pt2"
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"net\.pt2: no network can be read from it: "):
            env.set_opponents(file)
        assert env.opponents == ["greedy"]


def test_a_network_of_torch(gym_v0, tmp_path):
    torch = pytest.importorskip("torch", reason="PyTorch is in the extra `learn`")

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(8 * 36 + 42, 1)
            self.values = torch.nn.Parameter(torch.arange(float(bf.Board(SIX).n_actions)))

        def forward(self, planes, hand):
            both = torch.cat([planes.flatten(1), hand], 1)
            return self.layer(both) + self.values

    path = tmp_path / "net.pt2"
    shapes = {name: shape for name, (shape, _) in Views(SIX).layout.items()}
    some = tuple(torch.zeros(2, *shape) for shape in shapes.values())
    batch = torch.export.Dim("batch")
    program = torch.export.export(Net(), some, dynamic_shapes=({0: batch}, {0: batch}))
    torch.export.save(program, path)
    policy = load_policy(path)
    assert load_policy(str(path)) is policy
    assert policy.name == "net"
    # Others load it for themselves.
    assert pickle.loads(pickle.dumps(policy)) is policy
    for opponents in (path, str(path), League([path, "random"], [1, 0])):
        env = gym_v0.BlokusEnv(SIX, opponents)
        first = episode(env, 1)
        assert episode(env, 1) == first
    envs = gym_v0.BlokusVectorEnv(4, SIX, path)
    envs.reset(seed=1)
    for _ in range(20):
        ids, offsets = envs.legal_ids()
        envs.step(np.append(ids, -1)[offsets[:-1]])


@pytest.fixture(scope="module")
def networks(tmp_path_factory):
    """Files of networks for `SIX` and for Duo: with what they are for, and without."""
    torch = pytest.importorskip("torch", reason="PyTorch is in the extra `learn`")

    class Net(torch.nn.Module):
        def __init__(self, n_actions):
            super().__init__()
            self.values = torch.nn.Parameter(torch.arange(float(n_actions)))

        def forward(self, planes, hand):
            return planes.sum((1, 2, 3))[:, None] + hand.sum(1)[:, None] + self.values

    folder = tmp_path_factory.mktemp("networks")
    for variant in (SIX, bf.variant("duo")):
        net = Net(bf.Board(variant).n_actions)
        save_network(net, folder / f"{variant.name}.pt2", variant)
        some = tuple(torch.zeros(2, *shape) for shape, _ in Views(variant).layout.values())
        batch = torch.export.Dim("batch")
        program = torch.export.export(net, some, dynamic_shapes=({0: batch}, {0: batch}))
        torch.export.save(program, folder / f"{variant.name}-bare.pt2")
    return folder


@pytest.mark.parametrize("how", ["path", "policy", "league", "league of leagues"])
@pytest.mark.parametrize(("net", "words"), [
    ("duo", r"duo is for duo \(14 x 14, 2 colors\), and cannot play six \(6 x 6, 2 colors\)"),
    ("duo-bare", r"duo-bare\.pt2: the network cannot play six \(6 x 6, 2 colors\) as it is seen"),
])  # fmt: skip
def test_a_network_for_another_variant_is_refused_at_once(gym_v0, networks, how, net, words):
    """Not in the middle of an episode."""

    def opponent(path):
        league = League([path, "random"], [0, 1]) if "league" in how else None
        return {"path": path, "policy": load_policy(path), "league": league,
                "league of leagues": league and League([league])}[how]  # fmt: skip

    wrong, right = opponent(networks / f"{net}.pt2"), opponent(networks / f"{SIX.name}.pt2")
    for make in (gym_v0.BlokusEnv, functools.partial(gym_v0.BlokusVectorEnv, 2)):
        with pytest.raises(ValueError, match=words):
            make(SIX, wrong)
        env = make(SIX, "random")
        with pytest.raises(ValueError, match=words):
            env.set_opponents(wrong)
        assert env.opponents == ["random"]
        env.set_opponents(right)
        env.reset(seed=1)
    # Other rules on the same board are no other game for a network.
    gym_v0.BlokusEnv(replace(SIX, start="any"), right).reset(seed=1)


def test_a_network_that_comes_into_a_league_later(gym_v0, networks):
    league = League(["random"], [0])
    env = gym_v0.BlokusEnv(SIX, League(["random", league], [1, 0]))
    league = League(["random"])
    env.set_opponents(league)
    league.add(networks / "duo.pt2", 1e9)
    with pytest.raises(ValueError, match=r"duo is for duo .*, and cannot play six"):
        env.reset(seed=1)


def test_a_network_is_for_the_variant_that_it_was_saved_with(gym_v0, networks):
    six, bare = load_policy(networks / f"{SIX.name}.pt2"), load_policy(networks / "duo-bare.pt2")
    assert (six.variant, bare.variant) == (SIX, None)
    with pytest.raises(ValueError, match=r"six is for six .*, and cannot play duo"):
        six.bot().choose(bf.Board("duo"))
    win_rate = importlib.import_module("blokus_fast.envs.measuring").win_rate
    with pytest.raises(ValueError, match=r"six is for six .*, and cannot play duo"):
        win_rate(six, "duo", games=1)
    with pytest.raises(ValueError, match=r"cannot play six .* as it is seen here"):
        win_rate(bare, SIX, games=1)
    # What it sees is its own where it says so: the learner may see something else.
    env = gym_v0.BlokusEnv(SIX, networks / f"{SIX.name}.pt2", form="flat", masks=False)
    env.reset(seed=1)


@pytest.mark.parametrize(
    ("policy", "looks"),
    [
        ("MlpPolicy", {"form": "flat", "masks": False}),
        ("MultiInputPolicy", {"masks": False}),
        ("MultiInputPolicy", {"masks": True, "view": "rotated"}),
    ],
)
def test_a_network_of_sb3(gym_v0, tmp_path, policy, looks):
    """Saved and played against, also in other processes."""
    pytest.importorskip("torch", reason="PyTorch comes with the extra `train`").set_num_threads(1)
    contrib = pytest.importorskip("sb3_contrib", reason="it is in the extra `train`")
    gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is in the extra `rl`")
    path = tmp_path / "past_self.zip"
    env = gym_v0.BlokusEnv(SIX, illegal="raise", **looks)
    model = contrib.MaskablePPO(policy, env, n_steps=16, batch_size=16, device="cpu", seed=1)
    model.save(path)
    env.set_opponents(path)
    with pytest.raises(ValueError, match=r"the network cannot play duo .* as it is seen here: "):
        gym_v0.BlokusEnv("duo", path, **looks)
    model.learn(16)
    assert episode(env, 3) == episode(env, 3)
    envs = gym_v0.BlokusVectorEnv(4, SIX, path, **looks)
    envs.reset(seed=1)
    for _ in range(10):
        ids, offsets = envs.legal_ids()
        envs.step(np.append(ids, -1)[offsets[:-1]])
    if policy == "MlpPolicy":
        vector = gymnasium.vector.AsyncVectorEnv(
            [lambda: gym_v0.BlokusEnv(SIX, **looks)] * 2, context="spawn"
        )
        try:
            for opponents in (path, League([path, "random"], [3, 1])):
                vector.call("set_opponents", opponents)
                vector.reset(seed=1)
        finally:
            vector.close()
