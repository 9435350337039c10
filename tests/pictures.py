"""The pictures that are kept in tests/data/svg, and how to draw them anew.

After a change of what pictures look like: ``python tests/pictures.py``, and look at the files.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import blokus_fast as bf
from blokus_fast import svg

FOLDER = Path(__file__).resolve().parent / "data" / "svg"
DUO = ("e8,d9,e9,f9,e10", "j3,i4,j4,k4,j5", "h8,h9,i9,g10,h10", "h5,h6,i6,g7,h7")
MASKED = bf.Variant(
    "masked", 6, ["blue", "red"], [["a6"], ["f1"]],
    playable=["......", "......", "..##..", "..#...", "......", "......"],
)  # fmt: skip


def duo(plies: int = len(DUO)) -> bf.Game:
    """Return the beginning of a game."""
    game = bf.Game("duo", names=["Ann", "Bob <b>&'\""])
    for text in DUO[:plies]:
        game.play(text)
    return game


PICTURES: dict[str, Callable[[], str]] = {
    "empty_classic": lambda: svg.board(bf.Board("classic")),
    "duo_light": lambda: svg.board(duo(), scores=True, corners=True),
    "duo_dark": lambda: svg.board(duo(), theme="dark", labels="piece", ghost="e7", highlight="j6"),
    "masked": lambda: svg.board(
        bf.Board(MASKED), size=150, coordinates=False, corners=["blue", "red"], palette="classic"
    ),
    "heat": lambda: svg.board(
        bf.Board(MASKED), heat={"a6": 0.25, "a6,b6": 1.0, "c6,c5": -1}, numbers=".2f"
    ),
    "candidates": lambda: svg.board(
        duo(),
        candidates={"j10,j11,k11,j12,k12": 0.62, "j10,j11": 0.25, "j10": 0.12, "d7": 0.001},
        heat={"j10,j11": 0.37, "d6,d7": 0.001},
        numbers=".2f",
        theme="dark",
    ),
    "hand": lambda: svg.hand(duo(), "orange"),
    "hand_junior": lambda: svg.hand(bf.Board("junior"), "green", theme="dark"),
    "move": lambda: svg.move(bf.Move(11916, size=14, color=1)),
    "piece": lambda: svg.piece("F", color="yellow"),
}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(draw(), encoding="utf-8")
