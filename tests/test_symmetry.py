"""Symmetries: found from the rules' data, and true to the rules in random games of all variants."""

import numpy as np
import pytest
import reference

import blokus_fast as bf

VARIANTS = list(bf.VARIANTS)
TINY = bf.Variant("tiny", 8, ["blue", "red"], [["a8"], ["h1"]])
HOLE = bf.Variant(
    "hole",
    7,
    ["blue", "red", "green"],
    [["a7"], ["g7"], ["g1"]],
    start="any",
    playable=["." * 7] * 2 + ["..#...."] + ["." * 7] * 4,
)


def names(variant, **rules):
    return [(each.name, each.colors, each.players) for each in bf.symmetries(variant, **rules)]


def test_symmetries_of_the_shipped_variants():
    assert names("classic") == [
        ("identity", (0, 1, 2, 3), (0, 1, 2, 3)),
        ("rotate 90", (1, 2, 3, 0), (1, 2, 3, 0)),
        ("rotate 180", (2, 3, 0, 1), (2, 3, 0, 1)),
        ("rotate 270", (3, 0, 1, 2), (3, 0, 1, 2)),
    ]
    assert names("classic-2p") == [
        ("identity", (0, 1, 2, 3), (0, 1)),
        ("rotate 90", (1, 2, 3, 0), (1, 0)),
        ("rotate 180", (2, 3, 0, 1), (0, 1)),
        ("rotate 270", (3, 0, 1, 2), (1, 0)),
    ]
    assert names("classic-3p") == [("identity", (0, 1, 2, 3), (0, 1, 2))]
    assert names("duo", start="assigned") == [
        ("identity", (0, 1), (0, 1)),
        ("rotate 180", (1, 0), (1, 0)),
        ("transpose", (0, 1), (0, 1)),
        ("antitranspose", (1, 0), (1, 0)),
    ]
    # With either start square for either color, colors can change places by themselves.
    assert len(bf.symmetries("duo")) == 8
    assert len(bf.symmetries("junior")) == 4
    # In Draft the players take turns, so reflections keep the order of play too.
    assert len(bf.symmetries("draft")) == 8
    assert {each.players for each in bf.symmetries("draft-3p")} == {(0, 1, 2)}
    # The order of colors matters where there is a last round.
    assert len(bf.symmetries("software-challenge-2027")) == 8
    assert {each.colors for each in bf.symmetries("software-challenge-2027")} == {(0, 1, 2, 3)}
    assert len(bf.symmetries("classic", start="border")) == 32


def test_symmetries_of_other_variants():
    assert names(TINY)[1:] == [
        ("rotate 180", (1, 0), (1, 0)),
        ("transpose", (0, 1), (0, 1)),
        ("antitranspose", (1, 0), (1, 0)),
    ]
    assert {each[0] for each in names(HOLE)} == {"identity"}
    handicap = bf.variant("duo").without_pieces("purple", ["I5"])
    assert {each.colors for each in bf.symmetries(handicap)} == {(0, 1)}
    assert len(bf.symmetries(bf.variant("classic").without_pieces("red", ["1"]))) == 1


@pytest.mark.parametrize("variant", [*VARIANTS, TINY])
def test_permutations_are_a_group(variant):
    group = bf.symmetries(variant)
    assert (group[0].name, group[0].colors[0]) == ("identity", 0)
    n_actions = bf.Board(variant).n_actions
    for number, each in enumerate(group):
        assert group.index_of(each) == number
        assert np.sort(each.actions).tolist() == list(range(n_actions))
        back = each.inverse
        assert group.inverse(number) == group.index_of(back)
        assert (back.squares[each.squares] == np.arange(len(each.squares))).all()
        assert (back.actions[each.actions] == np.arange(n_actions)).all()
        assert [back.colors[color] for color in each.colors] == list(range(len(each.colors)))
        assert [back.players[player] for player in each.players] == list(range(len(each.players)))


@pytest.mark.parametrize("size", [7, 14, 20])
def test_moves_go_where_their_squares_go(size):
    variant = bf.Variant("one", size, ["blue"], [["a1"]], start="border")
    group = bf.symmetries(variant)
    assert len(group) == 8
    squares = bf.moves.moves_to_squares(np.arange(bf.Board(variant).n_moves), size)
    for each in group:
        image = np.where(squares >= 0, each.squares[squares], -1)
        found = bf.moves.moves_to_squares(each.moves, size)
        assert (np.sort(image, axis=1) == np.sort(found, axis=1)).all()


def test_squares_by_hand():
    corner = {"identity": 0, "rotate 90": 2, "rotate 180": 8, "rotate 270": 6}
    corner |= {"transpose": 0, "antitranspose": 8, "mirror columns": 2, "mirror rows": 6}
    beside = {"identity": 1, "rotate 90": 5, "rotate 180": 7, "rotate 270": 3}
    beside |= {"transpose": 3, "antitranspose": 5, "mirror columns": 1, "mirror rows": 7}
    variant = bf.Variant("small", 3, ["blue"], [["a1"]], start="border", pieces=[["1"]])
    for each in bf.symmetries(variant):
        assert (each.squares[0], each.squares[1]) == (corner[each.name], beside[each.name])


def equal_but_round(a, b):
    return a == b and a.key() == b.key()


@pytest.mark.parametrize("variant", [*VARIANTS, "duo-assigned", "classic-border", TINY, HOLE])
def test_legal_moves_of_the_image_are_images_of_legal_moves(variant):
    rules = {}
    if isinstance(variant, str) and variant.endswith(("-assigned", "-border")):
        variant, rules["start"] = variant.rsplit("-", 1)
    batch = bf.BatchBoard(24, variant, **rules)
    group = bf.symmetries(variant, **rules)
    draft = batch.variant.draft
    which = np.arange(24) % len(group)
    images = None
    for ply in range(400):
        drafting = draft and bool(batch.n_actions) and batch[0].is_drafting
        if not drafting:
            image = group.apply(batch, which)
            # Playing the images of the moves leads to the image of the position.
            assert images is None or image == images
            images = image
            if ply % 5 == 0 or draft:
                mask = batch.legal_mask()
                assert (group.permute(mask, which) == image.legal_mask()).all()
                assert group.apply(image, group.inverse(which)) == batch
                scores = batch.scores()
                for i, number in enumerate(which.tolist()):
                    players = list(group[number].players)
                    assert (image.scores()[i, players] == scores[i]).all()
                    board = batch[i]
                    assert equal_but_round(group[number].apply(board), image[i])
        if batch.done.all():
            break
        actions = batch.sample_actions(3)
        batch.step(actions)
        if images is not None:
            images.step(group.map_actions(actions, which))
    assert batch.done.all()


def test_images_hold_against_the_slow_reference():
    """Turn a random Classic position by hand, through the reference's own squares."""
    batch = bf.BatchBoard(1, "classic")
    for _ in range(20):
        batch.step(batch.sample_actions(8))
    image = bf.symmetries("classic")[1].apply(batch)[0]
    board = batch[0]
    for color in range(4):
        turned = sorted(
            column * 20 + 19 - row
            for row, column in (divmod(square, 20) for square in board.own_squares(color).tolist())
        )
        assert image.own_squares((color + 1) % 4).tolist() == turned
        assert image.hand((color + 1) % 4) == board.hand(color)
    assert image.turn == (board.turn + 1) % 4
    grid = np.rot90(board.grid(), -1)
    assert (image.grid() == np.where(grid >= 0, (grid + 1) % 4, grid)).all()
    assert reference.PIECE_NAMES == bf.PIECES


def test_policies_and_masks_of_any_kind():
    group = bf.symmetries("duo")
    rng = np.random.default_rng(1)
    policy = rng.random((5, 13729), np.float32)
    which = np.array([0, 3, 1, 3, 2])
    moved = group.permute(policy, which)
    assert moved.dtype == np.float32
    for i, number in enumerate(which.tolist()):
        assert (moved[i, group[number].actions] == policy[i]).all()
        assert (group[number].permute(policy[i]) == moved[i]).all()
    out = np.empty_like(policy)
    assert group.permute(policy, which, out) is out
    assert (out == moved).all()
    # In place, too.
    assert (group.permute(policy, which, policy) == moved).all()
    assert (group.permute(group.permute(moved, group.inverse(which)), which) == moved).all()
    assert group[3].permute(np.zeros((2, 3, 13729))).shape == (2, 3, 13729)


def test_draft_actions_carry_colors():
    group = bf.symmetries("draft")
    n = 30433
    turn = group[1]
    color, image = 2, turn.colors[2]
    assert turn.actions[color * n + 17] == image * n + turn.moves[17]
    assert turn.actions[4 * n + color * 21 + 5] == 4 * n + image * 21 + 5


def test_the_draft_phase_has_a_fixed_order():
    batch = bf.BatchBoard(3, "draft")
    group = bf.symmetries("draft")
    assert group.apply(batch, 0) == batch
    with pytest.raises(ValueError, match="game 2 has no image"):
        group.apply(batch, [0, 0, 1])
    with pytest.raises(ValueError, match="draft phase"):
        group[1].apply(bf.Board("draft"))


def test_bad_arguments():
    group = bf.symmetries("duo")
    batch = bf.BatchBoard(2, "duo")
    for which, error in (
        ([0, 8], ValueError),
        ([-1, 0], ValueError),
        ([0], ValueError),
        ([0.0, 1.0], TypeError),
    ):
        with pytest.raises(error, match="which"):
            group.apply(batch, which)
        with pytest.raises(error, match="which"):
            group.permute(np.zeros((2, 13729)), which)
        with pytest.raises(error, match="which"):
            group.map_actions([0, 0], which)
    with pytest.raises(ValueError, match="games of classic, not of duo"):
        group.apply(bf.BatchBoard(2, "classic"), 0)
    with pytest.raises(ValueError, match="a board of classic, not of duo"):
        group[1].apply(bf.Board("classic"))
    with pytest.raises(TypeError, match="BatchBoard"):
        group.apply(bf.Board("duo"), 0)
    with pytest.raises(ValueError, match="shape"):
        group.permute(np.zeros((2, 13730)), 0)
    with pytest.raises(ValueError, match="shape"):
        group[0].permute(np.zeros((2, 13730)))
    with pytest.raises(ValueError, match="dtype"):
        group.permute(np.zeros((2, 13729)), 0, np.zeros((2, 13729), np.int8))
    with pytest.raises(ValueError, match=r"-1\.\.13728"):
        group.map_actions([13729, 0], 0)
    with pytest.raises(TypeError, match="integers"):
        group[0].map_actions([0.5])
    with pytest.raises(ValueError, match="unknown variant"):
        bf.symmetries("checkers")
    assert repr(group) == "<8 symmetries of duo>"
    assert "rotate 180" in repr(group[2])
    assert group[1:3] == (group[1], group[2])
