"""Draft in the native core, in step with the slow twin: picks, mixed hands, players who come back.

The variants of Draft are compiled by hand here, without the layer above; test_draft_game.py has
the game as people play it. An action is color * n_moves + id, and a pick 4 * n_moves + color * 21
+ piece.
"""

from __future__ import annotations

import random

import pytest
from helpers import bits, state_bytes
from reference import PIECE_NAMES, DraftPosition, Pick

import blokus_fast as bf
from blokus_fast import _core

N_MOVES = 30_433
PICKS = 4 * N_MOVES
CORNERS = [[0], [19], [399], [380]]


def draft_board(players: int) -> bf.Board:
    rules = _core.Rules(
        size=20,
        playable=None,
        start=CORNERS,
        order=(0, 1, 2, 3),
        owners=(-1,) * 4,
        players=players,
        hands=((1,) * 21,) * 4,
        scoring=(0, -1, 15, 5),
        first_pieces=(1 << 21) - 1,
        max_rounds=0,
        voluntary_pass=False,
        draft=True,
        variant=bf.VARIANTS["classic"],
    )
    return bf.Board(rules)


def pick_id(pick: Pick) -> int:
    return PICKS + pick.color * 21 + PIECE_NAMES.index(pick.piece)


def assert_same(board: bf.Board, twin: DraftPosition) -> None:
    assert board.player == (-1 if twin.player is None else twin.player)
    assert board.is_game_over == twin.is_over
    assert board.ply == len(twin.history)
    if twin.is_drafting:
        assert board.turn == twin.drafted_color
        expected = [pick_id(pick) for pick in twin.picks()]
    else:
        expected = [color * N_MOVES + placement.id for color, placement in twin.legal()]
        for color in range(4):
            assert board.own_mask(color) == bits(twin.own[color], 20)
    assert board.legal_ids().tolist() == sorted(expected)
    assert board.count_legal() == len(expected)
    for player in range(twin.players):
        for color in range(4):
            held = [twin.hands[player][color, piece] for piece in PIECE_NAMES]
            assert list(board.hand(color, player=player)) == held
    assert board.player_scores() == twin.player_scores


def play_in_step(players: int, seed: int, every: int = 1) -> DraftPosition:
    """Draft and play one random game on both sides, then take all of it back."""
    rng = random.Random(seed)
    board, twin = draft_board(players), DraftPosition(players)
    states = []
    while not twin.is_over:
        if len(twin.history) % every == 0:
            assert_same(board, twin)
        states.append(state_bytes(board))
        if twin.is_drafting:
            pick = rng.choice(twin.picks())
            board.push(pick_id(pick))
            twin.pick(pick)
        else:
            color, placement = rng.choice(twin.legal())
            board.push(color * N_MOVES + placement.id)
            twin.place(color, placement)
        assert board.player == (-1 if twin.player is None else twin.player)
    assert_same(board, twin)
    while states:
        board.pop()
        assert state_bytes(board) == states.pop()
    return twin


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games(players: int) -> None:
    play_in_step(players, players)


def test_skipped_players_come_back() -> None:
    assert sum(play_in_step(4, seed, every=25).came_back for seed in range(3)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 40))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_many_whole_games(players: int, seed: int) -> None:
    play_in_step(players, seed)


def test_first_pick_of_each_color_goes_to_the_next_player() -> None:
    board = draft_board(3)
    first = []
    for ply in range(84):
        if ply % 21 == 0:
            first.append((board.turn, board.player))
        board.push(int(board.legal_ids()[0]))
    assert first == [(0, 0), (1, 1), (2, 2), (3, 0)]


def test_what_is_not_allowed_in_which_phase() -> None:
    board = draft_board(2)
    assert "draft" in str(board.why_illegal(0))
    assert "colo" in str(board.why_illegal(PICKS + 21))
    board.push(PICKS + 5)
    assert "gone" in str(board.why_illegal(PICKS + 5))
    for wrong in (0, PICKS + 21, PICKS + 5, PICKS + 84, -1):
        with pytest.raises(ValueError, match=r".+"):
            board.push(wrong)
        assert not board.is_legal(wrong)
    assert board.ply == 1
    for _ in range(83):
        board.push(int(board.legal_ids()[0]))
    assert "pick" in str(board.why_illegal(PICKS))
    with pytest.raises(bf.InvalidMoveError):
        board.push(PICKS + 84)


def test_all_ways_to_ask_agree() -> None:
    rng = random.Random(4)
    board = draft_board(3)
    while not board.is_game_over:
        if board.ply in (0, 20, 21, 83, 84, 97, 120):
            listed = board.legal_ids().tolist()
            mask = board.legal_mask()
            assert mask.nonzero()[0].tolist() == listed
            legal = [number for number in range(len(mask)) if board.is_legal(number)]
            assert legal == listed
            for color in range(4):
                own = board.legal_ids(color=color).tolist()
                if board.ply >= 84:
                    assert own == [number for number in listed if number // N_MOVES == color]
        board.push(int(rng.choice(board.legal_ids())))


def test_moves_of_own_variants_evaluate_back() -> None:
    names = ["teal", "pink"]
    variant = bf.Variant("own", 6, names, [["a6"], ["f1"]], players=2, draft=True)
    board = bf.Board(variant)
    for number in (0, board.n_moves, 2 * board.n_moves, board.n_actions - 1):
        move = board.move(number)
        again = eval(repr(move), {"Pick": bf.Pick, "DraftMove": bf.DraftMove})
        assert (again, again.text, again.color) == (move, move.text, move.color)


def test_why_a_placement_of_another_color_is_illegal() -> None:
    board = bf.Board("draft-2p", hands=[{"blue": ["1"]}, {"red": ["1"]}])
    assert board.why_illegal(0, color=1) == "a move of another color"
