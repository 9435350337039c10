"""The numbers of a position, round, moves and player, are right however a position is given."""

from __future__ import annotations

import pytest

import blokus_fast as bf
from blokus_fast import _core

# Five rounds, and a game that is over in the first: both numbers fit three bits.
SHORT = bf.Variant(
    "short", 6, ["x", "y"], [["a6"], ["f1"]], pieces=[["1"], ["1"]], max_rounds=5
)  # fmt: skip
# A game that goes on when it ends.
LONG = bf.Variant("long", 8, ["x", "y"], [["a8"], ["h1"]], max_rounds=5)


def over(variant: bf.Variant) -> bf.Board:
    board = bf.Board(variant)
    while not board.is_game_over:
        board.push(board.legal_ids()[0])
    return board


def with_round(board: bf.Board, number: int) -> bf.Board:
    """Read the pickle of a position whose round was changed."""
    batch = bf.BatchBoard(1, board.variant)
    batch[0] = board
    placements, hands, turn, player, flags, placed, rest = tuple(batch[0].__reduce__()[1][2])
    ply, _, phase, to_move = rest
    changed = (ply, number, phase, to_move)
    return _core._restore_position(
        board.variant._rules(), placements, hands, turn, player, flags, placed, changed
    )


def planes_with_round(board: bf.Board, number: int) -> bf.BatchBoard:
    """Decode planes in which the round was changed."""
    observer = bf.Observer(board.variant)
    planes = observer.observe(board)
    for bit, plane in enumerate(
        range(observer.groups["round"].start, observer.groups["round"].stop)
    ):
        planes[plane] = number >> bit & 1
    return observer.decode(planes)


BEYOND = pytest.mark.parametrize("number", [6, 7])
VARIANT = pytest.mark.parametrize("variant", [SHORT, LONG], ids=lambda variant: variant.name)


@BEYOND
@VARIANT
def test_no_round_of_a_pickle_is_beyond_the_last(variant: bf.Variant, number: int) -> None:
    board = over(variant)
    assert with_round(board, board.round) == board
    with pytest.raises(bf.InvalidPositionError):
        with_round(board, number)


@BEYOND
@VARIANT
def test_no_round_of_planes_is_beyond_the_last(variant: bf.Variant, number: int) -> None:
    board = over(variant)
    assert planes_with_round(board, board.round)[0] == board
    with pytest.raises(bf.InvalidPositionError):
        planes_with_round(board, number)


@BEYOND
@VARIANT
def test_no_round_of_a_text_is_beyond_the_last(variant: bf.Variant, number: int) -> None:
    text = bf.position_text(over(variant))
    text = text.replace(f" round={over(variant).round}", "")
    with pytest.raises(bf.InvalidPositionError, match="round is a number from 0 to 5"):
        bf.parse_position(f"{text} round={number}", variant)


def test_a_game_in_its_last_round_goes_on() -> None:
    board = bf.Board(LONG)
    while board.round < 4:
        board.push(board.legal_ids()[0])
    assert with_round(board, 4) == board
    with pytest.raises(bf.InvalidPositionError):
        with_round(board, 5)
    with pytest.raises(bf.InvalidPositionError):
        planes_with_round(board, 5)


def test_a_game_that_is_over_has_played_all_rounds_or_is_stuck() -> None:
    assert over(LONG).round == 5
    assert over(LONG).legal_ids().size == 0
    with pytest.raises(bf.InvalidPositionError):
        with_round(over(LONG), 4)
    assert over(SHORT).round < 5
    assert with_round(over(SHORT), 5).is_game_over


def middle(variant: str) -> bf.Board:
    board = bf.Board(variant)
    for _ in range(9):
        board.push(board.legal_ids()[-1])
    return board


@pytest.mark.parametrize("variant", ["duo", "classic", "classic-3p"])
def test_a_text_has_as_many_moves_as_pieces(variant: str) -> None:
    text = bf.position_text(middle(variant))
    assert bf.parse_position(f"{text} ply=9") == middle(variant)
    for ply in (8, 10, 600):
        with pytest.raises(bf.InvalidPositionError):
            bf.parse_position(f"{text} ply={ply}")


@pytest.mark.parametrize("variant", ["duo", "classic-3p"])
def test_a_pickle_has_as_many_moves_as_pieces(variant: str) -> None:
    batch = bf.BatchBoard(1, variant)
    batch[0] = board = middle(variant)
    arguments = tuple(batch[0].__reduce__()[1][2])
    rules, (*first, (_, *rest)) = board.variant._rules(), arguments
    assert _core._restore_position(rules, *first, (9, *rest)) == board
    for ply in (8, 10, 600):
        with pytest.raises(bf.InvalidPositionError):
            _core._restore_position(rules, *first, (ply, *rest))


@pytest.mark.parametrize("variant", ["duo", "classic-2p", "classic-3p"])
def test_planes_have_the_player_who_owns_the_color(variant: str) -> None:
    board, observer = middle(variant), bf.Observer(variant)
    planes = observer.observe(board)
    group = observer.groups["player"]
    for player in range(board.n_players):
        planes[group] = 0
        planes[group.start + player] = 1
        if player == board.player:
            assert observer.decode(planes)[0] == board
        else:
            with pytest.raises(bf.InvalidPositionError):
                observer.decode(planes)
