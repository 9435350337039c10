"""The contest's turns and its end, against a count of turns as its server keeps it."""

from __future__ import annotations

import random

import pytest

import blokus_fast as bf
from blokus_fast.variants import software_challenge_2027

PENTOMINOES = bf.VARIANTS["software-challenge-2027"].first_pieces or ()
LAST_ROUND = 25


class ServerTurns:
    """Counts as the server does: turns from 0, rounds from 1, and colors passed over count too.

    Its board knows no limit of rounds, so that it can say who could still place.
    """

    def __init__(self, opening: str) -> None:
        self.board = bf.Board(software_challenge_2027(opening, max_rounds=0))
        self.turn = 0

    @property
    def somebody_can_place(self) -> bool:
        return any(self.board.any_legal(color=color) for color in range(4))

    @property
    def is_over(self) -> bool:
        return 1 + self.turn // 4 >= LAST_ROUND or not self.somebody_can_place

    def push(self, move: int) -> None:
        self.board.push(move)
        self.turn += 1
        while not self.is_over and not self.board.any_legal(color=self.turn % 4):
            self.turn += 1


def play(opening: str, seed: int, *passing: float) -> tuple[bf.Board, ServerTurns]:
    """Play a game in which each color passes so often, and compare before every move."""
    rng = random.Random(seed)
    board = bf.Board(software_challenge_2027(opening))
    turns = ServerTurns(opening)
    while not board.is_game_over:
        assert not turns.is_over
        assert (board.turn, board.round) == (turns.turn % 4, turns.turn // 4)
        ids = board.legal_ids()
        skip = board.n_moves
        assert (skip in ids) == bool(board.placements(board.turn))
        placements = ids[ids != skip]
        passes = skip in ids and rng.random() < passing[board.turn]
        move = skip if passes else int(rng.choice(placements))
        board.push(move)
        turns.push(move)
    assert turns.is_over
    return board, turns


@pytest.mark.parametrize("opening", PENTOMINOES)
def test_turns_are_those_of_the_server(opening: str) -> None:
    for seed, passing in enumerate((0.0, 0.2, 0.5, 0.8)):
        play(opening, seed, *[passing] * 4)


def test_games_of_many_skips_last_until_turn_95() -> None:
    """One color has soon placed what it can, the others wait; the counter goes on over all."""
    passed_over = 0
    for seed in range(20):
        board, turns = play("P", seed, 0, 0.9, 0.9, 0.95)
        assert turns.somebody_can_place
        assert (turns.turn, board.round) == (96, 24)
        passed_over += board.ply < 96
    assert passed_over > 10


def test_a_game_of_passes_has_96_turns() -> None:
    board = bf.Board(software_challenge_2027("X"))
    for _ in range(4):
        board.push(int(board.legal_ids()[0]))
    while not board.is_game_over:
        board.push(board.n_moves)
    assert board.ply == 96


def test_a_color_that_is_out_is_passed_over_up_to_the_last_turn() -> None:
    """Three colors are hemmed in by their only pieces; the fourth passes in each of its turns."""
    sets = [["W"], ["W"], ["W"], bf.PIECES]
    variant = software_challenge_2027("W")
    for color, names in zip(variant.color_names, sets, strict=True):
        variant = variant.with_pieces(color, names)
    board = bf.Board(variant)
    for _ in range(4):
        board.push(int(board.legal_ids()[0]))
    while not board.is_game_over:
        assert board.turn == 3
        board.push(board.n_moves)
    # Its own first piece, and a pass in each of the 23 rounds that follow.
    assert (board.ply, board.round) == (4 + 23, 24)


def test_a_pass_in_the_last_turn_and_a_placement_in_it() -> None:
    board = bf.Board(software_challenge_2027("I5"))
    for _ in range(4):
        board.push(int(board.legal_ids()[0]))
    while board.ply < 95:
        assert not board.is_game_over
        board.push(board.n_moves)
    assert board.turn == 3
    assert not board.is_game_over
    for move in (int(board.legal_ids()[0]), board.n_moves):
        last = board.copy()
        last.push(move)
        assert last.is_game_over
        assert last.pop() == move
        assert (last.turn, last.round) == (3, 23)
