"""What a position is: boards that are equal look equal, however they were reached.

Equality, key, text, planes, legal moves and scores are held against each other over random games,
through text, set-up, batches and pickles and back.
"""

import pickle
import random

import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.variants import VARIANTS

SMALL = bf.Variant(
    "small", 8, ["a", "b", "c"], [["a8"], ["h8"], ["h1"]], owners=(0, 1, None), max_rounds=6
)
SHORT = bf.Variant("short", 7, ["x", "y"], [["a7"], ["g1"]], max_rounds=4, voluntary_pass=True)


def look(board: bf.Board) -> tuple:
    """Return all that can be seen of a position."""
    colors = range(board.n_colors)
    observers = [bf.Observer(board.variant, view=view) for view in ("board", "mover", "rotated")]
    return (
        board.key(),
        bf.position_text(board),
        [observer.observe(board).tobytes() for observer in observers],
        board.legal_ids().tobytes(),
        board.legal_mask().tobytes(),
        [board.legal_ids(color=color).tobytes() for color in colors],
        [board.any_legal(color) for color in colors],
        board.grid().tobytes(),
        [board.corner_mask(color) for color in colors],
        [
            board.hand(color, player)
            for color in colors
            for player in (range(board.n_players) if board.variant.draft else [None])
        ],
        board.turn,
        board.player,
        board.ply,
        board.is_game_over,
        board.color_scores(),
        board.player_scores(),
        board.round if board.variant.max_rounds else None,
    )


def twins(board: bf.Board) -> list[bf.Board]:
    """Return the same position, reached in other ways."""
    batch = bf.BatchBoard(1, board.variant)
    batch[0] = board
    found = [
        board.copy(),
        board.copy(stack=False),
        pickle.loads(pickle.dumps(board.copy(stack=False))),
        bf.parse_position(bf.position_text(board), board.variant),
        pickle.loads(pickle.dumps(board)),
        batch[0],
        pickle.loads(pickle.dumps(batch))[0],
        pickle.loads(pickle.dumps(batch[0])),
        bf.Observer(board.variant).decode(bf.Observer(board.variant).observe(board))[0],
    ]
    if board.ply == sum(len(board.placements(color)) for color in range(board.n_colors)):
        pieces = {
            c: [bf.Move(m, board.size) for m in board.placements(c)] for c in range(board.n_colors)
        }
        flags, shared, *_ = board._rest()
        if not board.variant.draft and not board.is_game_over and not board.variant.max_rounds:
            last = [c for c in range(board.n_colors) if flags >> c & 1]
            is_shared = board.variant.owners[board.turn] is None
            player = board.player if is_shared else None
            found.append(
                bf.set_up(board.variant, pieces, turn=board.turn, player=player, monomino_last=last)
            )
            assert found[-1]._rest()[1] == shared
    return found


def random_game(variant: str | bf.Variant, seed: int):
    """Yield the boards of a random game in which small pieces come first: colors get stuck."""
    rng = random.Random(seed)
    board = bf.Board(variant)
    while True:
        yield board
        if board.is_game_over:
            return
        ids = board.legal_ids().tolist()
        few = ids[: max(1, len(ids) // 3)] if rng.random() < 0.6 else ids
        board.push(rng.choice(few))


@pytest.mark.parametrize("variant", [*VARIANTS, SMALL, SHORT], ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_equal_boards_look_equal(variant: str | bf.Variant, seed: int) -> None:
    step = 1 if variant in (SMALL, SHORT) else 23 if "draft" in str(variant) else 9
    boards = list(enumerate(random_game(variant, seed)))
    board = bf.Board(variant)
    moves = boards[-1][1].move_stack
    for ply, move in enumerate([*moves, None]):
        if ply % step == 0 or move is None or board.skipped:
            seen = look(board)
            for twin in twins(board):
                assert twin == board
                assert look(twin) == seen
                # And they stay alike.
                if move is not None:
                    twin.push(move)
                    after = board.copy()
                    after.push(move)
                    assert twin == after
                    assert look(twin) == look(after)
        if move is not None:
            board.push(move)


def test_a_color_that_is_stuck_looks_so_before_its_turn_comes() -> None:
    """The engine finds out when the turn comes; who looks must not have to wait."""
    found = 0
    observer = bf.Observer("duo", groups=["finished"])
    for seed in range(20):
        for board in random_game("duo", seed):
            if board.is_game_over:
                continue
            planes = observer.observe(board)[:, 0, 0]
            stuck = [not board.any_legal(color) for color in range(2)]
            assert planes.tolist() == stuck
            found += stuck[1 - board.turn]
    assert found > 5


def test_images_of_positions_are_positions_that_play_reaches() -> None:
    """A symmetry makes the very position that playing the images of the moves makes."""
    for name in ("classic", "classic-2p", "classic-3p", "duo", "junior"):
        for symmetry in bf.symmetries(name):
            board = bf.Board(name)
            image = symmetry.apply(board)
            for _ in range(12):
                move = int(board.legal_ids()[7])
                board.push(move)
                image.push(int(symmetry.map_actions([move])[0]))
                assert symmetry.apply(board) == image
                assert symmetry.apply(board).key() == image.key()


def test_boards_that_differ_look_different() -> None:
    seen: dict[str, bf.Board] = {}
    for variant in ("duo", "classic-3p", "draft-2p"):
        for seed in range(3):
            for board in random_game(variant, seed):
                text = bf.position_text(board)
                if text in seen:
                    assert seen[text] == board
                    assert seen[text].key() == board.key()
                else:
                    seen[text] = board.copy()
    boards = list(seen.values())
    assert len({board.key() for board in boards}) == len(boards)
    planes = [np.asarray(bf.Observer(b.variant).observe(b)).tobytes() for b in boards]
    assert len(set(planes)) == len(boards)
