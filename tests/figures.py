"""Reader of the recorded positions and games in tests/data (see the README there)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

DATA = Path(__file__).parent / "data"
PASS = "pass"

# What a file's name says, as (variant, what to pass as `start`).
VARIANT_OF = {
    "classic": ("classic", "assigned"),
    "classic_2": ("classic-2p", "assigned"),
    "classic_3": ("classic-3p", "assigned"),
    "duo": ("duo", "assigned"),
    "junior": ("junior", "assigned"),
}
POSITION_FILES = ("classic", "duo", "junior")
GAME_FILES = (
    "classic",
    "classic_2",
    "classic_3",
    "duo",
    "junior",
    "bonus_classic",
    "bonus_classic_2",
    "bonus_classic_3",
    "bonus_duo",
)


@dataclass(frozen=True)
class RecordedPosition:
    """Moves from the empty board, and how many legal moves each color then has."""

    moves: tuple[str, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class RecordedGame:
    """A complete game: moves and forced skips (`pass`), points and bonus."""

    moves: tuple[str, ...]
    points: tuple[int, ...]
    bonus: tuple[int, ...]
    player_points: tuple[int, ...]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


@cache
def positions(name: str) -> tuple[RecordedPosition, ...]:
    """Read positions_NAME.txt."""
    lines = (DATA / f"positions_{name}.txt").read_text(encoding="ascii").splitlines()
    parts = [line.split("|") for line in lines]
    return tuple(RecordedPosition(tuple(p[0].split()), _numbers(p[1])) for p in parts)


@cache
def games(name: str) -> tuple[RecordedGame, ...]:
    """Read games_NAME.txt."""
    lines = (DATA / f"games_{name}.txt").read_text(encoding="ascii").splitlines()
    parts = [line.split("|") for line in lines]
    return tuple(
        RecordedGame(tuple(p[0].split()), _numbers(p[1]), _numbers(p[2]), _numbers(p[3]))
        for p in parts
    )


def variant_of(name: str) -> tuple[str, str]:
    """Return (variant, start rule) of a file."""
    return VARIANT_OF[name.removeprefix("bonus_")]
