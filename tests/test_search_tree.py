"""The tree that a search keeps from move to move, and the memory that it lies in."""

import numpy as np
import pytest
from search_tools import near_the_end, played

import blokus_fast as bf
from blokus_fast.search import MCTS

VARIANTS = tuple(bf.VARIANTS)


# -- kept from move to move --------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_tree_is_kept_from_move_to_move(variant: str) -> None:
    mcts = MCTS(variant, seed=1)
    board = bf.Board(variant)
    result = mcts.search(board, simulations=600, early_stop=False)
    assert result.reused == 0
    board.push(result.move)
    visits = int(result.visits[result.moves == result.move][0])
    again = mcts.search(board, simulations=100, early_stop=False)
    # The visit that made the position was none of its moves.
    assert visits - 1 <= again.reused <= visits
    assert int(again.visits.sum()) in (again.reused + 99, again.reused + 100)


def test_the_tree_is_kept_over_an_unexpected_move_and_over_skips() -> None:
    mcts = MCTS("duo", seed=1)
    board = played("duo", 4)
    first = mcts.search(board, simulations=3000, early_stop=False)
    unexpected = int(first.moves[2])
    board.push(unexpected)
    second = mcts.search(board, simulations=500, early_stop=False)
    assert second.reused >= int(first.visits[2]) - 1 > 0
    # Two moves at once; set up from text, so that the board knows no moves.
    board.push(second.move)
    reply = mcts.search(board, simulations=300, early_stop=False).move
    board.push(reply)
    fresh = bf.Board.from_text(bf.position_text(board))
    assert mcts.search(fresh, simulations=10, early_stop=False).reused > 0
    # A skip changes who is next: whole games with one object never lose the tree by it.
    for seed in (1, 2, 3):
        board = near_the_end("classic", 300, seed)
        mcts = MCTS("classic", seed=1)
        result = mcts.search(board, simulations=2000, early_stop=False)
        kept = 0
        while not board.is_game_over and result.stopped not in ("solved", "only move"):
            board.push(result.move)
            if board.is_game_over:
                break
            result = mcts.search(board, simulations=200, early_stop=False)
            kept += result.reused > 0
        assert kept > 0 or board.is_game_over or result.stopped in ("solved", "only move")


def test_another_position_begins_a_new_tree() -> None:
    mcts = MCTS("duo", seed=1)
    mcts.search(played("duo", 6), simulations=500)
    assert mcts.search(played("duo", 6, seed=9), simulations=50).reused == 0
    board = played("duo", 6)
    one = MCTS("duo", seed=1).search(board, simulations=50)
    mcts = MCTS("duo", seed=1)
    mcts.search(board, simulations=50)
    mcts.clear()
    assert mcts.search(board, simulations=50).reused == 0
    assert one.reused == 0


def test_what_is_kept_is_what_was_there() -> None:
    """Values and visits below the new root are those from before, in a tree that was moved."""
    mcts = MCTS("classic-2p", seed=1)
    board = bf.Board("classic-2p")
    result = mcts.search(board, simulations=20_000, early_stop=False)
    variation = result.pv
    value = result.values[result.moves == result.move][0]
    board.push(result.move)
    again = mcts.search(board, simulations=1, early_stop=False)
    assert np.allclose(again.value, value, atol=0.01)
    # The tree goes on where it was: the same replies are the best.
    assert again.pv[:3] == variation[1:4]
    assert again.nodes < result.nodes
    assert again.memory < result.memory


@pytest.mark.parametrize("variant", ["classic", "duo", "software-challenge-2027"])
def test_one_position_can_be_searched_again_and_again(variant: str) -> None:
    """The root that was made anew has edges behind its children; nothing of it is lost."""
    board = bf.Board(variant)
    mcts = MCTS(variant, seed=1)
    nodes = 0
    for number in range(6):
        result = mcts.search(board, simulations=1000, early_stop=False)
        assert result.reused == 1000 * number
        assert int(result.visits.sum()) == 1000 * (number + 1)
        assert result.nodes > nodes
        assert sorted(result.moves.tolist()) == board.legal_ids().tolist()
        nodes = result.nodes


def test_the_root_has_all_moves_again_after_it_was_kept() -> None:
    mcts = MCTS("classic", seed=1, candidates=5)
    board = bf.Board("classic")
    board.push(mcts.search(board, simulations=3000).move)
    result = mcts.search(board, simulations=50)
    assert result.reused > 0
    assert sorted(result.moves.tolist()) == board.legal_ids().tolist()


# -- memory ------------------------------------------------------------------------------------


def test_memory_is_bounded() -> None:
    mcts = MCTS("duo", seed=1, memory=2**18)
    board = bf.Board("duo")
    result = mcts.search(board, simulations=30_000, early_stop=False)
    assert result.full
    assert result.memory <= 2**18
    assert int(result.visits.sum()) == 30_000
    # It goes on from there, and from the next position.
    board.push(result.move)
    again = mcts.search(board, simulations=3000, early_stop=False)
    assert again.memory <= 2**18
    assert board.is_legal(again.move)


def test_memory_that_is_too_small_is_an_error() -> None:
    mcts = MCTS("software-challenge-2027", seed=1, memory=2**14)
    board = bf.Board("software-challenge-2027")
    assert board.count_legal() > 2**14 // 8
    with pytest.raises(ValueError, match="memory is too small"):
        mcts.search(board, simulations=10)
    assert mcts.result is None
    # It is fit for other positions.
    late = near_the_end("software-challenge-2027", 200)
    assert late.is_legal(mcts.search(late, simulations=10).move)
    with pytest.raises(ValueError, match=r"memory must be in 16384"):
        MCTS("duo", memory=2**14 - 1)


def test_whole_games_in_little_memory() -> None:
    mcts = MCTS("duo", seed=1, memory=2**17)
    board = bf.Board("duo")
    while not board.is_game_over:
        board.push(mcts.search(board, simulations=500).move)
