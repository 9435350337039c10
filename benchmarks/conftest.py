"""Fixed positions that every benchmark visits: all phases of random games."""

import random

import pytest

import blokus_fast as bf

N_GAMES = 12
SEED = 2026


def positions(variant: str, n_games: int = N_GAMES, seed: int = SEED) -> list[bf.Board]:
    """Return every position, but the last, of some games of uniformly random moves."""
    rng = random.Random(f"{variant} {seed}")
    found = []
    for _ in range(n_games):
        board = bf.Board(variant)
        while not board.is_game_over:
            found.append(board.copy())
            board.push(rng.choice(board.legal_ids().tolist()))
    rng.shuffle(found)
    return found


@pytest.fixture(scope="module", params=["classic", "duo"])
def boards(request: pytest.FixtureRequest) -> list[bf.Board]:
    return positions(request.param)
