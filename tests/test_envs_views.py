"""What is seen of a game: the same options on every environment, and the same arrays."""

import itertools
import pickle

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.envs.views import DEFAULT_GROUPS, FORMS, Mask, Views

LOOKS = [
    {},
    {"form": "planes"},
    {"form": "flat"},
    {"form": "flat", "masks": False},
    {"form": "planes", "masks": "info", "channels": "last"},
    {"dtype": "float32"},
    {"dtype": "float32", "form": "flat", "view": "board"},
    {"dtype": "bits", "form": "planes", "masks": False},
    {"dtype": "bits"},
    {"channels": "last"},
    {"view": "rotated"},
    {"groups": ["hand", "own", "turn", "monomino", "over"]},
    {"groups": ["corner", "player", "own"], "form": "planes", "view": "board"},
    {"groups": ["hand"], "form": "dict", "masks": "info"},
    {"keys": {"observation": "observations", "action_mask": "mask"}},
]
IDS = [" ".join(f"{k}={v}" for k, v in looks.items()) or "default" for looks in LOOKS]


def same(one, other):
    """Whether two observations are equal, keys and dtypes too."""
    if not isinstance(one, dict):
        return one.dtype == other.dtype and one.shape == other.shape and (one == other).all()
    return list(one) == list(other) and all(same(one[key], other[key]) for key in one)


def played(variant, seed, moves):
    """Return a board some moves into a game by chance."""
    board = bf.Board(variant)
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        if not board.is_game_over:
            board.push(rng.choice(board.legal_ids()))
    return board


# -- the arrays -----------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", list(bf.VARIANTS))
def test_the_default_is_few_planes_and_a_vector(variant):
    views = Views(bf.variant(variant))
    observer = bf.Observer(variant, view="mover", groups=DEFAULT_GROUPS)
    boards = observer.groups["hand"].start
    n = bf.Board(variant).n_colors
    assert views.layout["observation"][0] == (4 * n, observer.shape[1], observer.shape[2])
    assert views.names["observation"] == observer.planes[:boards]
    assert views.names["hand"] == observer.planes[boards:]
    for moves in (0, 5, 40, 500):
        board = played(variant, 1, moves)
        planes = observer.observe(board)
        seen = views.of_player(board, max(board.player, 0))
        if board.player >= 0:
            assert (seen["observation"] == planes[:boards]).all()
            assert (seen["hand"] == planes[boards:, 0, 0]).all()


@pytest.mark.parametrize("looks", LOOKS, ids=IDS)
@pytest.mark.parametrize("variant", ["duo", "classic-3p", "draft-2p", "software-challenge-2027"])
def test_a_board_looks_like_a_game_of_a_batch(variant, looks):
    views = Views(bf.variant(variant), **looks)
    boards = [played(variant, seed, 9 * seed) for seed in range(5)]
    batch = bf.BatchBoard(len(boards), variant)
    for i, board in enumerate(boards):
        batch[i] = board
    rows = views.of_batch(batch)
    for name, (shape, dtype) in views.layout.items():
        assert rows[name].shape == (len(boards), *shape)
        assert rows[name].dtype == dtype
    for i, board in enumerate(boards):
        own = views.of_player(board, max(board.player, 0))
        if board.player >= 0:
            assert same(own, {name: part[i] for name, part in rows.items()})


@pytest.mark.parametrize("variant", ["classic", "duo", "draft-2p"])
def test_forms_show_the_same(variant):
    rule = bf.variant(variant)
    groups = [*DEFAULT_GROUPS, "turn"]
    board = played(variant, 4, 13)
    for player in range(board.n_players):
        seen = {
            form: Views(rule, groups=groups, form=form).of_player(board, player) for form in FORMS
        }
        parts = seen["dict"]
        assert list(parts) == ["observation", "hand", "turn"]
        together = np.concatenate([part.reshape(-1) for part in parts.values()])
        assert (seen["flat"]["observation"] == together).all()
        planes = seen["planes"]["observation"]
        n = len(parts["observation"])
        assert (planes[:n] == parts["observation"]).all()
        numbers = np.concatenate([parts["hand"], parts["turn"]])
        assert (planes[n:] == numbers[:, None, None]).all()
        last = Views(rule, groups=groups, channels="last").of_player(board, player)
        assert (np.moveaxis(last["observation"], -1, 0) == parts["observation"]).all()
        assert last["observation"].flags.c_contiguous


def test_a_turned_board_is_seen_turned_by_everybody():
    """Also by who is not on the move: he sees what he would see if he were."""
    rule = bf.variant("duo")
    views = Views(rule, view="rotated", groups=["own", "start"])
    # Both play the same game, each from his side: after four moves they see the same.
    board = bf.Board("duo")
    board.push(board.parse_move("e10"))
    board.push(views.meant(bf.Board("duo").parse_move("e10"), board.turn))
    first, second = (views.of_player(board, player)["observation"] for player in range(2))
    assert (first == second).all()
    assert first[0].sum() == first[1].sum() == 1


@pytest.mark.parametrize("variant", ["classic", "duo", "junior", "classic-2p", "draft-2p"])
def test_ids_masks_and_actions_are_turned_alike(variant):
    views = Views(bf.variant(variant), view="rotated")
    board = bf.Board(variant)
    rng = np.random.default_rng(1)
    while not board.is_game_over:
        ids = views.seen_ids(board.legal_ids(), board.turn)
        assert (np.diff(ids) > 0).all()
        assert np.flatnonzero(views.seen_mask(board.legal_mask(), board.turn)).tolist() == (
            ids.tolist()
        )
        action = views.meant(rng.choice(ids), board.turn)
        assert board.is_legal(action)
        board.push(action)
    assert views.turns is ("draft" not in variant)
    for nothing in (-1, board.n_actions, None, "e10"):
        assert views.meant(nothing, 0) is nothing


def test_masks_find_their_ones():
    rng = np.random.default_rng(1)
    mask = (rng.random(1000) < 0.1).astype(np.int8)
    own = mask.copy().view(Mask)
    assert np.flatnonzero(own).tolist() == np.flatnonzero(mask).tolist()
    own *= 2
    assert np.flatnonzero(own).tolist() == np.flatnonzero(mask).tolist()
    rows = own.reshape(10, 100)
    assert np.argwhere(rows).tolist() == np.argwhere(mask.reshape(10, 100)).tolist()
    assert type(np.flatnonzero(own)) is np.ndarray
    assert (pickle.loads(pickle.dumps(own)) == own).all()
    assert own.dtype == np.int8


@pytest.mark.parametrize(
    ("looks", "message"),
    [
        ({"groups": ["gold"]}, "group 'gold' is unknown"),
        ({"groups": ["own", "own"]}, "group 'own' is twice"),
        ({"groups": []}, "leave nothing to be seen"),
        ({"view": "mine"}, "unknown view 'mine'"),
        ({"dtype": "float64"}, "unknown dtype 'float64'"),
        ({"form": "cube"}, "unknown form 'cube'; valid: dict, planes, flat"),
        ({"channels": "middle"}, "unknown channels 'middle'; valid: first, last"),
        ({"masks": "both"}, "unknown masks 'both'; valid: observation, info, none"),
        ({"dtype": "bits", "form": "flat"}, "channels first"),
        ({"dtype": "bits", "channels": "last"}, "channels first"),
        ({"keys": {"planes": "obs"}}, "there is no 'planes' to be renamed"),
        ({"keys": {"hand": "observation"}}, "two parts would have the same name"),
    ],
)
def test_what_is_wrong_is_named(looks, message):
    with pytest.raises(ValueError, match=message):
        Views(bf.variant("duo"), **looks)
    with pytest.raises(TypeError, match="groups is a sequence of names, not 'own'"):
        Views(bf.variant("duo"), groups="own")


# -- the environments -----------------------------------------------------------------------------


@pytest.fixture
def make():
    """What makes each environment, and what its mover sees there."""
    pytest.importorskip("pettingzoo", reason="PettingZoo is in the extra `rl`")
    from blokus_fast.envs import blokus_v0, gym_v0

    return {
        "env": blokus_v0.env,
        "raw_env": blokus_v0.raw_env,
        "single": lambda **options: gym_v0.BlokusEnv(opponents="random", seat=0, **options),
        "vector": lambda **options: gym_v0.BlokusVectorEnv(3, **options),
    }


@pytest.mark.parametrize("looks", LOOKS, ids=IDS)
@pytest.mark.parametrize("variant", ["duo", "classic-3p"])
def test_every_environment_takes_every_option(make, variant, looks):
    views = Views(bf.variant(variant), **looks)
    masked = views.masks == "info"
    rng = np.random.default_rng(1)

    def expected(board):
        mask = None
        if views.masks != "none":
            mask = views.seen_mask(board.legal_mask(np.empty(board.n_actions, np.int8)), board.turn)
        return views.pack(views.of_player(board, board.player), mask), mask

    for name in ("env", "raw_env"):
        env = make[name](variant=variant, **looks)
        env.reset(seed=1)
        for agent in itertools.islice(env.agent_iter(), 20):
            observation, *_, info = env.last()
            seen, mask = expected(env.unwrapped.board)
            assert observation in env.observation_space(agent)
            assert same(observation, seen)
            assert not masked or (info["action_mask"] == mask).all()
            assert env.unwrapped.state() in env.unwrapped.state_space
            ids = env.legal_ids()
            assert mask is None or np.flatnonzero(mask).tolist() == ids.tolist()
            env.step(int(rng.choice(ids)))
    env = make["single"](variant=variant, **looks)
    observation, info = env.reset(seed=1)
    for _ in range(8):
        seen, mask = expected(env.board)
        assert observation in env.observation_space
        assert same(observation, seen)
        assert not masked or (info["action_mask"] == mask).all()
        assert mask is None or (env.action_masks() == mask).all()
        observation, _, _, _, info = env.step(int(rng.choice(env.legal_ids())))
    envs = make["vector"](variant=variant, **looks)
    observations, infos = envs.reset(seed=1)
    for _ in range(12):
        assert observations in envs.observation_space
        for i in range(3):
            seen, mask = expected(envs.batch[i])
            row = (
                {key: rows[i] for key, rows in observations.items()}
                if isinstance(observations, dict)
                else observations[i]
            )
            assert same(row, seen)
            assert not masked or (infos["action_mask"][i] == mask).all()
            assert mask is None or (envs.action_masks()[i] == mask).all()
        ids, offsets = envs.legal_ids()
        actions = [rng.choice(ids[a:b]) for a, b in itertools.pairwise(offsets)]
        observations, *_, infos = envs.step(actions)


def test_ids_in_infos_are_turned_as_masks_are(make):
    options = {"variant": "duo", "view": "rotated", "ids": True}
    raw, one, many = (make[name](**options) for name in ("raw_env", "single", "vector"))
    raw.reset()
    one.reset(seed=1)
    many.reset(seed=1)
    for _ in range(9):
        raw.step(raw.legal_ids()[0])
        seen, *_, info = raw.last()
        assert info["legal_ids"][: info["n_legal"]].tolist() == (
            np.flatnonzero(seen["action_mask"]).tolist()
        )
        seen, *_, info = one.step(int(one.legal_ids()[0]))
        assert info["legal_ids"][: info["n_legal"]].tolist() == (
            np.flatnonzero(seen["action_mask"]).tolist()
        )
        ids, offsets = many.legal_ids()
        seen, *_, infos = many.step(ids[offsets[:-1]])
        for mask, row, n in zip(
            seen["action_mask"], infos["legal_ids"], infos["n_legal"], strict=True
        ):
            assert row[:n].tolist() == np.flatnonzero(mask).tolist()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("looks", [{}, {"form": "flat", "view": "rotated"}, {"form": "planes"}])
def test_a_learner_sees_the_end_as_his_own(make, looks, mode):
    """The same in the single environment, and in the vector."""
    six = bf.Variant("six", 6, ["blue", "red"], [["a6"], ["f1"]])
    views = Views(six, masks=False, **looks)
    envs = make["vector"](variant=six, opponents="random", seat=1, autoreset_mode=mode, **looks)
    envs.reset(seed=1)
    ended = 0
    for _ in range(30):
        ids, offsets = envs.legal_ids()
        before = envs.batch.copy()
        seen, _, over, _, infos = envs.step(np.append(ids, -1)[offsets[:-1]])
        for i in np.flatnonzero(over):
            ended += 1
            row = {key: rows[i] for key, rows in seen.items()}
            if mode == "SameStep":
                row = infos["final_obs"][i]
                # The last moves are not known, but what the learner had placed before is there.
                assert before[i].ply > 0
            else:
                board = envs.batch[i]
                expected = views.of_player(board, 1)
                assert all((row[key] == part).all() for key, part in expected.items())
            assert not row["action_mask"].any()
            if "form" not in looks:
                own = views.of_player(before[i], 1)["observation"][0] > 0
                assert row["observation"][0][own].all()
        if mode == "Disabled" and over.any():
            envs.reset(options={"reset_mask": over})
    assert ended >= 3
    env = make["single"](variant=six)
    env.reset(seed=1)
    over = False
    while not over:
        seen, _, over, _, _ = env.step(int(env.legal_ids()[0]))
    mine = Views(six).of_player(env.board, 0)
    assert all((seen[key] == part).all() for key, part in mine.items())


def test_a_lens_looks_at_boards_of_its_variant():
    """What the core checks itself."""
    observer = bf.Observer("duo", groups=["own", "hand"])
    tables = observer._table, False, observer._by_turn, observer._bits
    lens = bf._core.Lens(*tables, 0, 196)
    out = np.empty(observer.shape, np.uint8)
    again = pickle.loads(pickle.dumps(lens))
    for one in (lens, again):
        one.look(bf.Board("duo"), out)
        assert (out == observer.observe(bf.Board("duo"))).all()
    with pytest.raises(ValueError, match="another variant"):
        lens.look(bf.Board("classic"), out)
    for wrong in (out[:-1].copy(), np.empty((*observer.shape, 2), np.uint8)):
        with pytest.raises(ValueError, match="does not fit"):
            lens.look(bf.Board("duo"), wrong)
    with pytest.raises(ValueError, match="contiguous"):
        lens.look(bf.Board("duo"), out[:, ::2])
    with pytest.raises(TypeError, match="writable array"):
        lens.look(bf.Board("duo"), None)


def test_zeros_and_ones_as_floats():
    rng = np.random.default_rng(1)
    for n in (0, 1, 7, 8, 9, 64, 1001):
        cells = (rng.random(n) < 0.2).astype(np.uint8)
        assert bf._core._floats(cells) == cells.astype(float).tolist()


def test_an_illegal_action_on_a_turned_board(make):
    """It is told by what it means, and changes nothing."""
    env = make["raw_env"](variant="duo", view="rotated")
    env.reset()
    env.step(env.legal_ids()[0])
    illegal = int(np.flatnonzero(~bf.Board("duo").legal_mask())[0])
    assert not env.is_legal(illegal)
    before = env.board.copy()
    with pytest.raises(bf.IllegalMoveError):
        env.step(illegal)
    assert env.board == before
    envs = make["vector"](variant="duo", view="rotated")
    envs.reset()
    for wrong in (illegal, 13729):
        with pytest.raises(bf.IllegalMoveError):
            envs.step([wrong] * 3)
