"""Observations: plane by plane what boards say, in every view and form, and back again."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.learning.observation import DTYPES, VIEWS

VARIANTS = list(bf.VARIANTS)
DOCS = Path(__file__).resolve().parent.parent / "docs" / "observations.md"
SMALL = bf.Variant(
    "small",
    9,
    ["blue", "red", "green"],
    [["a9"], ["i9"], ["i1"]],
    order=[2, 0, 1],
    playable=["." * 9] * 4 + ["....#...."] + ["." * 9] * 4,
    max_rounds=7,
    voluntary_pass=True,
)


def played(variant, plies, n=10, seed=5, **rules):
    batch = bf.BatchBoard(n, variant, **rules)
    for _ in range(plies):
        batch.step(batch.sample_actions(seed))
    return batch


def squares(board, indices):
    plane = np.zeros(board.size**2, np.uint8)
    plane[indices] = 1
    return plane.reshape(board.size, board.size)


def expected_planes(board, view, variant):
    """Make the planes of the views "board" and "mover" in the slow way, group by group."""
    k, p = variant.n_colors, variant.players
    colors, players = list(range(k)), list(range(p))
    if view != "board":
        base = variant.order.index(board.turn) if board.turn >= 0 and not variant.draft else 0
        colors = [variant.order[(base + step) % k] for step in range(k)]
        if variant.draft and not board.is_game_over:
            players = [(board.player + step) % p for step in range(p)]
    full = np.ones((board.size, board.size), np.uint8)
    flags, shared, _, placed, _ = board._rest()
    most = max(max(hand) for hand in variant.hands)
    found = {name: [] for name in ("own", "corner", "forbidden", "hand", "start")}
    for color in colors:
        found["own"].append(squares(board, board.own_squares(color)))
        found["corner"].append(squares(board, board.corner_squares(color)))
        found["forbidden"].append(squares(board, board.forbidden_squares(color)))
        found["start"].append(squares(board, list(variant.opening_squares[color])))
    for player in players if variant.draft else [None]:
        for color in colors:
            hand = board.hand(color, player)
            for level in range(1, most + 1):
                found["hand"] += [full * (count >= level) for count in hand]
    found["turn"] = [full * (board.turn == color) for color in range(k)]
    found["player"] = [full * (board.player == player) for player in range(p)]
    whose = players if variant.draft else colors
    found["monomino"] = [full * (flags >> each & 1) for each in whose]
    found["over"] = [full * board.is_game_over]
    found["playable"] = [(board.grid() != -2).astype(np.uint8)]
    if variant.draft:
        found["drafting"] = [full * board.is_drafting]
        bits = sum(variant.set_squares).bit_length()
        found["placed"] = [full * (placed[p] >> b & 1) for p in players for b in range(bits)]
    if None in variant.owners and not variant.draft:
        found["shared"] = [full * (shared == player) for player in range(p)]
    if not variant.draft:
        # The last round may end a game in which somebody could still place.
        able = [board.any_legal(color) for color in range(k)]
        if not (board.is_game_over and variant.max_rounds):
            found["finished"] = [full * (not able[color]) for color in colors]
    if variant.max_rounds:
        bits = variant.max_rounds.bit_length()
        found["round"] = [full * (board.round >> b & 1) for b in range(bits)]
    return found


@pytest.mark.parametrize("variant", [*VARIANTS, SMALL])
@pytest.mark.parametrize("view", ["board", "mover"])
@pytest.mark.parametrize("plies", [0, 9, 90, 400])
def test_planes_say_what_boards_say(variant, view, plies):
    batch = played(variant, plies, n=4)
    observer = bf.Observer(variant, view=view)
    planes = observer.observe(batch)
    assert planes.shape == (4, *observer.shape)
    assert planes.dtype == np.uint8
    assert len(observer.planes) == observer.shape[0]
    assert len(set(observer.planes)) == len(observer.planes)
    for i in range(4):
        expected = expected_planes(batch[i], view, batch.variant)
        for group, part in observer.groups.items():
            if group == "ply" or group not in expected:
                continue
            assert (planes[i, part] == np.array(expected[group])).all(), group
        if "ply" in observer.groups:
            bits = planes[i, observer.groups["ply"], 0, 0]
            assert sum(int(bit) << b for b, bit in enumerate(bits)) == batch.ply[i]
        assert (observer.observe(batch[i]) == planes[i]).all()


@pytest.mark.parametrize("variant", [*VARIANTS, SMALL])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_decoding_inverts_observing(variant, view, dtype):
    observer = bf.Observer(variant, view=view, dtype=dtype)
    for plies in (0, 5, 60, 110, 400):
        batch = played(variant, plies, n=6)
        planes = observer.observe(batch)
        decoded = observer.decode(planes)
        assert decoded == batch
        assert decoded.keys().tolist() == batch.keys().tolist()
        assert (observer.observe(decoded) == planes).all()
        assert (decoded.legal_mask() == batch.legal_mask()).all()
        assert observer.decode(planes[2])[0] == batch[2]


@pytest.mark.parametrize("variant", ["duo", "classic", "draft-2p", SMALL])
def test_forms_hold_the_same(variant):
    batch = played(variant, 12)
    for view in VIEWS:
        plain = bf.Observer(variant, view=view).observe(batch)
        numbers = bf.Observer(variant, view=view, dtype="float32").observe(batch)
        packed = bf.Observer(variant, view=view, dtype="bits").observe(batch)
        assert numbers.dtype == np.float32
        assert (numbers == plain).all()
        flat = plain.reshape(*plain.shape[:2], -1)
        assert (packed == np.packbits(flat, axis=2, bitorder="little")).all()


@pytest.mark.parametrize(
    ("variant", "rules"),
    [
        ("classic", {}),
        ("classic-2p", {}),
        ("duo", {}),
        ("duo", {"start": "assigned"}),
        ("junior", {}),
    ],
)
def test_the_rotated_view_is_the_first_colors_view_of_the_image(variant, rules):
    for plies in (0, 1, 2, 3, 20, 33):
        batch = played(variant, plies, **rules)
        observer = bf.Observer(variant, view="rotated", **rules)
        which = observer.which(batch)
        image = observer.symmetries.apply(batch, which)
        # Turned so that the mover is the first color, the view shows the board as it lies.
        assert ((image.turn == batch.variant.order[0]) | batch.done).all()
        groups = ["own", "corner", "forbidden", "hand", "finished", "monomino", "start"]
        rotated = bf.Observer(variant, view="rotated", groups=groups, **rules).observe(batch)
        plain = bf.Observer(variant, view="mover", groups=groups, **rules).observe(image)
        assert (rotated == plain).all()
        mask = observer.symmetries.permute(batch.legal_mask(), which)
        assert (mask == image.legal_mask()).all()


def test_the_mover_sits_where_the_first_color_does():
    observer = bf.Observer("classic", view="rotated")
    batch = bf.BatchBoard(1, "classic")
    for name in ("identity", "rotate 270", "rotate 180", "rotate 90"):
        assert observer.symmetries[observer.which(batch)[0]].name == name
        start = observer.observe(batch)[0, observer.groups["corner"].start]
        assert np.flatnonzero(start).tolist() == [0]
        batch.step(batch.sample_actions(1))
    duo = bf.Observer("duo", view="rotated")
    batch = bf.BatchBoard(1, "duo")
    batch.step(batch.sample_actions(1))
    assert duo.symmetries[duo.which(batch)[0]].name == "rotate 180"
    # Where no symmetry makes him the first color, the board stays as it is.
    three = bf.Observer("classic-3p", view="rotated")
    batch = bf.BatchBoard(1, "classic-3p")
    batch.step(batch.sample_actions(1))
    assert three.which(batch).tolist() == [0]


def test_groups_can_be_chosen():
    batch = played("duo", 10)
    every = bf.Observer("duo")
    some = bf.Observer("duo", groups=["turn", "own"])
    assert some.planes == ("turn purple", "turn orange", "own purple", "own orange")
    assert some.shape == (4, 14, 14)
    planes, chosen = every.observe(batch), some.observe(batch)
    for group, part in some.groups.items():
        assert (chosen[:, part] == planes[:, every.groups[group]]).all()
    assert bf.Observer("duo", groups=[]).observe(batch).shape == (10, 0, 14, 14)


def test_bad_arguments():
    for arguments, words in (
        ({"view": "left"}, "unknown view 'left'; valid: board, mover, rotated"),
        ({"dtype": "int8"}, "unknown dtype 'int8'; valid: uint8, float32, bits"),
        ({"groups": ["own", "dice"]}, "group 'dice' is unknown; valid: own, corner"),
        ({"groups": ["own", "own"]}, "group 'own' is twice"),
        ({"variant": "checkers"}, "unknown variant"),
    ):
        with pytest.raises(ValueError, match=re.escape(words)):
            bf.Observer(**arguments)
    observer = bf.Observer("duo")
    with pytest.raises(ValueError, match="games of classic, not of duo"):
        observer.observe(bf.BatchBoard(1, "classic"))
    with pytest.raises(ValueError, match="games of duo, not of duo"):
        observer.observe(bf.BatchBoard(1, "duo", scoring="net"))
    with pytest.raises(ValueError, match="dtype uint8"):
        observer.observe(bf.Board("duo"), np.empty(observer.shape, np.float32))
    with pytest.raises(ValueError, match="shape"):
        observer.observe(bf.Board("duo"), np.empty((1, *observer.shape), np.uint8))
    assert repr(observer) == "<Observer of duo, view board, uint8 (60, 14, 14)>"


def changed(planes, *changes):
    planes = planes.copy()
    for index, value in changes:
        planes[index] = value
    return planes


def test_what_shows_no_position_is_not_decoded():
    observer = bf.Observer("duo")
    batch = played("duo", 10)
    planes = observer.observe(batch)
    own, hand, turn = (observer.groups[name].start for name in ("own", "hand", "turn"))
    for bad, words in (
        (changed(planes, ((0, 0, 0, 0), 2)), "nothing but 0 and 1"),
        (changed(planes, ((0, hand, 3, 3), 1 - planes[0, hand, 3, 3])), "not all the same"),
        (changed(planes, ((0, slice(turn, turn + 2)), 1)), "several planes of the group turn"),
        (changed(planes, ((4, slice(turn, turn + 2)), 0)), "game 4: it is not the turn"),
        (changed(planes, ((3, own), 1)), "game 3: orange: square h8 is not in play"),
        (changed(planes, ((3, own, 0), 1)), "game 3: purple: the 18 squares at a14"),
    ):
        with pytest.raises(bf.InvalidPositionError, match=words):
            observer.decode(bad)
    with pytest.raises(TypeError, match="dtype uint8, not float32"):
        observer.decode(planes.astype(np.float32))
    with pytest.raises(ValueError, match="shape"):
        observer.decode(planes[:, 1:])
    with pytest.raises(ValueError, match="shape"):
        observer.decode(planes[:, :, 0])
    with pytest.raises(ValueError, match="groups are missing: hand, turn"):
        bf.Observer("duo", groups=[g for g in observer.groups if g not in ("hand", "turn")]).decode(
            planes
        )


def test_the_table_of_planes_is_true():
    """In a checkout: docs/make_observations.py would change nothing."""
    maker = DOCS.with_name("make_observations.py")
    spec = importlib.util.spec_from_file_location("make_observations", maker)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = DOCS.read_text(encoding="utf-8")
    assert module.page(text) == text
    rows = re.findall(r"^\| `([\w-]+)` \| (\d+) \|", text, flags=re.MULTILINE)
    assert {name: int(count) for name, count in rows if name in VARIANTS} == {
        name: bf.Observer(name).shape[0] for name in VARIANTS
    }


def test_the_table_of_groups_is_complete():
    text = DOCS.read_text(encoding="utf-8").split("## Groups\n")[1].split("\n## ")[0]
    groups = re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE)
    for name in VARIANTS:
        known = list(bf.Observer(name).groups)
        assert [group for group in groups if group in known] == known
    assert set(groups) == set().union(*(bf.Observer(name).groups for name in VARIANTS))
