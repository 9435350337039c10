#!/usr/bin/env python3
"""Draw the example pictures of the documentation: ``python docs/make_pictures.py``.

A test draws them again and compares, so that they show what the program draws now.
"""

from __future__ import annotations

from pathlib import Path

import blokus_fast as bf
from blokus_fast import svg

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"


def game(name: str, ply: int) -> bf.Game:
    """Return a game of the examples after a number of moves."""
    record = bf.records.read(EXAMPLES / f"{name}.blksgf")
    played = record.to_game()
    while len(played.moves) > ply:
        played.undo()
    return played


def pictures() -> dict[str, str]:
    """Return the pictures by the names of their files."""
    found = {}
    for theme in ("light", "dark"):
        found[f"board-{theme}"] = svg.board(game("classic", 52), theme=theme, scores=True)
    duo = game("duo", 12)
    found["corners"] = svg.board(
        duo, size=400, corners=True, ghost="n4,l5,m5,n5,n6", highlight="j8,j9,j10,k10,l10"
    )
    # The shares of a search are not the same on every computer: these are from one.
    searched = {
        "i13,f14,g14,h14,i14": 0.82, "a5,b5,a6,a7,a8": 0.07, "j8,j9,j10,j11,k11": 0.06,
        "i11,j11,k11,k10,k12": 0.02,
    }  # fmt: skip
    found["candidates"] = svg.board(duo, size=400, candidates=searched)
    found["searched"] = svg.board(
        duo, size=400, candidates=searched, heat=searched, combine="sum", theme="dark"
    )
    features = bf.move_features(duo.board)
    gained = dict(zip(features.ids.tolist(), features.corners_gained.tolist(), strict=True))
    found["heat"] = svg.board(duo, size=400, heat=gained, numbers=".0f", last_move=False)
    found["labels"] = svg.board(duo, size=400, labels="number", palette="classic")
    ring = bf.Variant(
        "ring",
        10,
        ["blue", "red"],
        [["a10"], ["j1"]],
        playable=["." * 10] * 3 + ["...####..."] * 4 + ["." * 10] * 3,
    )
    found["mask"] = svg.board(bf.Board(ring), size=300)
    found["hand"] = svg.hand(game("duo", 20), "orange")
    found["piece"] = svg.piece("F", color="yellow")
    found["move"] = svg.move(duo.moves[0])
    found.update(rules())
    return found


def rules() -> dict[str, str]:
    """Return the pictures of the rules."""
    board = bf.Board("duo", start="assigned")
    for text in ("e8,d9,e9,f9,e10", "j5,i5,h5,j6"):
        board.push(board.parse_move(text))
    legal, wrong = "g10,h10,g11", ["g9,h9", "k11,l11", "g5,h5"]
    assert board.is_legal(board.parse_move(legal))
    assert not any(board.is_legal(board.parse_move(text)) for text in wrong)
    return {
        "pieces": svg.hand(bf.Board("classic"), "blue", size=600),
        "start-classic": svg.board(bf.Board("classic"), size=300),
        "start-duo": svg.board(bf.Board("duo"), size=300),
        "placing": svg.board(board, size=360, corners="purple", ghost=legal, last_move=False),
        "not-placing": svg.board(board, size=360, highlight=wrong, last_move=False),
    }


def main() -> None:
    """Write the files."""
    for name, picture in pictures().items():
        (HERE / "img" / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
