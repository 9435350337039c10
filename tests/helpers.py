"""What several test modules need: twins of variants, random positions, snapshots, programs."""

from __future__ import annotations

import contextlib
import os
import pickle
import random
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import reference
from reference import PASS, Placement, Position, Ruleset, Square

import blokus_fast as bf

# Every shipped variant of colors in turn with every start rule that it has to know.
GAMES = [
    ("classic", "assigned"),
    ("classic", "any"),
    ("classic", "border"),
    ("classic-2p", "assigned"),
    ("classic-2p", "any"),
    ("classic-3p", "assigned"),
    ("duo", "any"),
    ("duo", "assigned"),
    ("duo", "border"),
    ("junior", "assigned"),
    ("junior", "any"),
]
GAMES = [game for game in GAMES if game[0] in bf.VARIANTS]
# Three players, whether they are shipped already or not.
CLASSIC_3P = bf.VARIANTS.get("classic-3p") or bf.Variant(
    "classic-3p",
    20,
    ["blue", "yellow", "red", "green"],
    [["a20"], ["t20"], ["t1"], ["a1"]],
    owners=[0, 1, 2, None],
)
GAME_IDS = [f"{variant}-{start}" for variant, start in GAMES]
GAME = pytest.mark.parametrize(("variant", "start"), GAMES, ids=GAME_IDS)
VARIANT_NAMES = list(dict.fromkeys(variant for variant, _ in GAMES))


def index(square: Square, size: int) -> int:
    """Return a square's index as the engine numbers it."""
    return square[0] * size + square[1]


def indices(squares: Iterable[Square], size: int) -> list[int]:
    """Return the ascending indices of squares."""
    return sorted(index(square, size) for square in squares)


def bits(squares: Iterable[Square], size: int) -> int:
    """Return squares as an int with a bit per index."""
    return sum(1 << index(square, size) for square in squares)


def ids(placements: Iterable[Placement]) -> list[int]:
    """Return the ids of placements."""
    return [placement.id for placement in placements]


def move_id(text: str, size: int = 20) -> int:
    """Return the id that the slow twin gives to a move text."""
    return reference.placement_of(reference.parse(text, size), size).id


def twin_of(variant: bf.Variant) -> Ruleset:
    """Make the slow twin's rules from the data of a variant."""
    size = variant.size
    playable = None
    if variant.playable is not None:
        playable = frozenset(
            (r, c)
            for r, row in enumerate(variant.playable)
            for c, mark in enumerate(row)
            if mark == "."
        )
    return Ruleset(
        size=size,
        players=variant.players,
        order=variant.order,
        owners=variant.owners,
        starts=tuple(
            frozenset(square for text in squares for square in reference.parse(text, size))
            for squares in variant.start_squares
        ),
        sets=tuple(Counter(names) for names in variant.pieces),
        start_rule=variant.start,
        scoring=variant.scoring_name,
        playable=playable,
        first_pieces=frozenset(variant.first_pieces or reference.PIECE_NAMES),
        max_rounds=variant.max_rounds or None,
        voluntary_pass=variant.voluntary_pass,
    )


@cache
def random_moves(variant: str, start: str, seed: int) -> tuple[int, ...]:
    """Return the ids of a whole random game, as the engine deals it."""
    rng = random.Random(seed)
    board = bf.Board(variant, start=start)
    while not board.is_game_over:
        board.push(int(rng.choice(board.legal_ids())))
    return tuple(board.move_stack)


def board_after(variant: str, start: str, seed: int, plies: int) -> bf.Board:
    """Return the position of a random game after a number of moves."""
    board = bf.Board(variant, start=start)
    for move in random_moves(variant, start, seed)[:plies]:
        board.push(move)
    return board


def boards_of_all_phases(variant: str, start: str, seed: int, step: int) -> Iterator[bf.Board]:
    """Yield one position in `step` of a random game, and the final one."""
    length = len(random_moves(variant, start, seed))
    for plies in (*range(0, length, step), length):
        yield board_after(variant, start, seed, plies)


def play(board: bf.Board, *texts: str) -> bf.Board:
    """Push moves that are given by their texts, and return the board."""
    for text in texts:
        board.push(board.parse_move(text))
    return board


def state_bytes(board: bf.Board) -> bytes:
    """Return the bytes of the state in the core."""
    state: bytes = board._state_bytes()
    return state


def snapshot(board: bf.Board) -> tuple[Any, ...]:
    """Return everything that can be seen of a board."""
    colors = range(board.n_colors)
    return (
        board.turn,
        board.player,
        board.ply,
        board.is_game_over,
        board.key(),
        tuple(board.move_stack),
        board.grid().tobytes(),
        tuple(board.hand(color) for color in colors),
        tuple(board.own_mask(color) for color in colors),
        tuple(board.corner_mask(color) for color in colors),
        tuple(board.forbidden_mask(color) for color in colors),
        tuple(board.legal_ids(color=color).tobytes() for color in colors),
        board.color_scores(),
        board.player_scores(),
        pickle.dumps(board),
        state_bytes(board),
    )


def none_is_minus_one(number: int | None) -> int:
    """Translate the twin's None (game over) to the engine's -1."""
    return -1 if number is None else number


def assert_same(board: bf.Board, twin: Position, *, all_colors: bool = True) -> None:
    """Hold a board against the slow twin: everything that the rules speak of."""
    size = twin.rules.size
    assert board.is_game_over == twin.is_over
    assert board.turn == none_is_minus_one(twin.turn)
    assert board.player == none_is_minus_one(twin.player)
    assert board.ply == len(twin.history)
    assert board.color_scores() == twin.color_scores
    assert board.player_scores() == twin.player_scores
    may_pass = [board.n_moves] if twin.may_pass() else []
    assert board.legal_ids().tolist() == ids(twin.legal()) + may_pass
    for color in range(twin.rules.colors) if all_colors else [twin.turn]:
        if color is None:
            continue
        expected = ids(twin.legal(color)) + (may_pass if color == twin.turn else [])
        assert board.legal_ids(color=color).tolist() == expected
        assert board.own_mask(color) == bits(twin.own[color], size)
        assert Counter(board.pieces_left(color)) == +twin.hands[color]
        assert board.corner_squares(color).tolist() == indices(twin.corners(color), size)
        assert board.forbidden_squares(color).tolist() == indices(twin.forbidden(color), size)


def engine_id(move: Placement | str, board: bf.Board) -> int:
    """Return the id of the twin's move on a board."""
    if isinstance(move, Placement):
        return move.id
    assert move == PASS
    return board.n_moves


def same_grid(board: bf.Board, twin: Position) -> bool:
    """Compare the picture of the board, square by square."""
    size = twin.rules.size
    expected = np.full((size, size), -2)
    for square in twin.rules.playable or ():
        expected[square] = -1
    for color, own in enumerate(twin.own):
        for square in own:
            expected[square] = color
    return bool((board.grid() == expected).all())


def monomino_last(board: bf.Board) -> tuple[bool, ...]:
    """Tell for each color whether its last placement was the monomino."""
    last = [False] * board.n_colors
    replayed = bf.Board(board.variant)
    for move in board.move_stack:
        last[replayed.turn] = bf.Move(move, board.size).piece == "1"
        replayed.push(move)
    return tuple(last)


def output_of(*command: str | Path, timeout: float | None = None, **variables: str) -> str:
    """Run a program that must end well, with variables of its environment; return its output."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False,
        timeout=timeout, env={**os.environ, **variables},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextlib.contextmanager
def local_cluster() -> Iterator[Any]:
    """Have a Dask cluster of three processes on this computer."""
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None,
        host="127.0.0.1", silence_logs=50,
    ) as cluster:  # fmt: skip
        yield cluster
