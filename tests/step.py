"""The engine and the slow twin in step, whatever the game: colors in turn, or Draft."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import helpers
from helpers import bits, twin_of
from hypothesis import strategies as st
from reference import PASS, PIECE_NAMES, DraftPosition, Pick, Placement, Position
from strategies import variants

import blokus_fast as bf

Twin = Position | DraftPosition
TwinMove = Placement | str | Pick | tuple[int, Placement]
Hands = Sequence[dict[int, list[str]]]


def twin_for(variant: bf.Variant, hands: Hands | None = None) -> Twin:
    """Make the slow twin of a board at the beginning of a game."""
    if not variant.draft:
        return Position(twin_of(variant))
    dealt = None
    if hands is not None:
        dealt = [
            Counter((color, piece) for color, names in hand.items() for piece in names)
            for hand in hands
        ]
    return DraftPosition(variant.players, dealt, rules=twin_of(variant))


def twin_moves(twin: Twin) -> list[TwinMove]:
    """Return everything that the twin's side to move may do."""
    if isinstance(twin, Position):
        return [*twin.legal(), *([PASS] if twin.may_pass() else [])]
    return [*twin.picks()] if twin.is_drafting else [*twin.legal()]


def id_of(move: TwinMove, board: bf.Board) -> int:
    """Return the engine's id of the twin's move."""
    if isinstance(move, Pick):
        return board.n_colors * board.n_moves + move.color * 21 + PIECE_NAMES.index(move.piece)
    if isinstance(move, Placement):
        return move.id
    if isinstance(move, str):
        return board.n_moves
    color, placement = move
    return color * board.n_moves + placement.id


def play_twin(twin: Twin, move: TwinMove) -> None:
    """Make a move on the twin."""
    if isinstance(twin, Position):
        assert not isinstance(move, tuple) or isinstance(move, Placement)
        twin.play(move)
    elif isinstance(move, Pick):
        twin.pick(move)
    else:
        twin.place(*move)


def assert_same(board: bf.Board, twin: Twin, *, everything: bool = True) -> None:
    """Hold a board against the slow twin."""
    if isinstance(twin, Position):
        helpers.assert_same(board, twin, all_colors=everything)
        return
    assert board.player == (-1 if twin.player is None else twin.player)
    assert (board.is_game_over, board.is_drafting) == (twin.is_over, twin.is_drafting)
    assert board.turn == (twin.drafted_color if twin.is_drafting else -1)
    assert board.ply == len(twin.history)
    expected = sorted(id_of(move, board) for move in twin_moves(twin))
    assert board.legal_ids().tolist() == expected
    assert board.count_legal() == len(expected)
    assert board.player_scores() == twin.player_scores
    if not everything:
        return
    assert board.legal_mask().nonzero()[0].tolist() == expected
    for color in range(board.n_colors):
        assert board.own_mask(color) == bits(twin.own[color], board.size)
        for player in range(board.n_players):
            held = [twin.hands[player][color, piece] for piece in PIECE_NAMES]
            assert list(board.hand(color, player=player)) == held


def skips_of(history: Sequence[bf.Move | bf.Skip], draft: bool) -> list[tuple[int, int | None]]:
    """Return the skips of a game as the twins write them."""
    skips = [entry for entry in history if isinstance(entry, bf.Skip)]
    return [(skip.ply, skip.player if draft else skip.color) for skip in skips]


def check_history(board: bf.Board, twin: Twin) -> None:
    """The match view shows the same skips, and the same player behind every move."""
    game = bf.Game.from_board(board)
    expected = [tuple(skip) for skip in twin.skips]
    if twin.is_over:
        expected = [skip for skip in expected if skip[0] < len(twin.history)]
    assert skips_of(game.history, board.variant.draft) == expected
    assert game.movers == tuple(entry[0] for entry in twin.history)


def choose(twin: Twin, rng: random.Random, passing: float) -> TwinMove:
    """Choose one of the twin's moves by chance, a pass only now and then."""
    moves = twin_moves(twin)
    if len(moves) > 1 and moves[-1] == PASS:
        return PASS if rng.random() < passing else rng.choice(moves[:-1])
    return rng.choice(moves)


def play_in_step(
    variant: bf.Variant,
    seed: int,
    *,
    hands: Hands | None = None,
    every: int = 1,
    passing: float = 0.0,
) -> Twin:
    """Play one random game on both sides to its end, then take all of it back."""
    rng = random.Random(seed)
    board, twin = bf.Board(variant, hands=hands), twin_for(variant, hands)
    states = []
    while not twin.is_over:
        if len(twin.history) % every == 0:
            assert_same(board, twin)
        states.append(helpers.state_bytes(board))
        move = choose(twin, rng, passing)
        board.push(id_of(move, board))
        play_twin(twin, move)
        assert board.player == helpers.none_is_minus_one(twin.player)
    assert_same(board, twin)
    check_history(board, twin)
    while states:
        board.pop()
        assert helpers.state_bytes(board) == states.pop()
    return twin


def play_choices(variant: bf.Variant, choices: list[int], hands: Hands | None = None) -> Twin:
    """Play what hypothesis chose, on both sides; it makes choices smaller when they fail."""
    board, twin = bf.Board(variant, hands=hands), twin_for(variant, hands)
    first = board.copy()
    for choice in choices:
        assert_same(board, twin, everything=False)
        moves = twin_moves(twin)
        if not moves:
            break
        move = moves[choice % len(moves)]
        board.push(id_of(move, board))
        play_twin(twin, move)
    assert_same(board, twin)
    check_history(board, twin)
    for _ in range(len(twin.history)):
        board.pop()
    assert board == first
    return twin


def twin_perft(twin: Twin, depth: int) -> int:
    """Count sequences of moves with the twin alone."""
    moves = twin_moves(twin)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        child = copy.deepcopy(twin)
        play_twin(child, move)
        total += twin_perft(child, depth - 1)
    return total


@st.composite
def draft_variants(draw: st.DrawFn) -> bf.Variant:
    """Return a variant with a draft, and with everything else that a variant may have."""
    variant = draw(variants())
    players = draw(st.integers(1, 4))
    return replace(variant, owners=(), players=players, draft=True, voluntary_pass=False)


@st.composite
def dealt_hands(draw: st.DrawFn, variant: bf.Variant) -> list[dict[int, list[str]]]:
    """Deal some or all pieces of a variant to its players."""
    hands: list[dict[int, list[str]]] = [{} for _ in range(variant.players)]
    for color, names in enumerate(variant.pieces):
        for name in names:
            player = draw(st.integers(0, variant.players))
            if player < variant.players:
                hands[player].setdefault(color, []).append(name)
    return hands


def boards_along(variant: bf.Variant, seed: int, step: int) -> Iterator[bf.Board]:
    """Yield one position in `step` of a random game, and the final one."""
    rng = random.Random(seed)
    board = bf.Board(variant)
    while not board.is_game_over:
        if board.ply % step == 0:
            yield board.copy()
        board.push(int(rng.choice(board.legal_ids())))
    yield board
