"""Write pickles_0_1.pkl: what 0.1 pickled, so that later releases cannot stop reading it unnoticed.

The file is a pickled dict of plain values: a name, what `pickle.dumps` made of a thing, and facts
about the thing. It was written when the package was flat, and names modules of that time. Run this
with a release, and only to make the file of that release: an existing file is never overwritten.
"""

from __future__ import annotations

import pickle
import random
import sys
from pathlib import Path
from typing import Any

import blokus_fast as bf

FILE = Path(__file__).with_name("pickles_0_1.pkl")
PROTOCOL = 4
OWN = bf.Variant(
    "own",
    9,
    ["ash", "oak"],
    [["a9"], ["i1"]],
    playable=["." * 9] * 4 + ["....#...."] + ["." * 9] * 4,
    scoring=bf.ScoringRule("doubled", placed=2, left=-1, all_placed=7),
).with_pieces("oak", ["1", "2", "V3", "X", "X", "P"])
BOARDS = {
    "classic": (bf.variant("classic"), 30),
    "duo any": (bf.variant("duo", start="any"), 17),
    "junior over": (bf.variant("junior"), 999),
    "draft-2p picking": (bf.variant("draft-2p"), 9),
    "draft-2p placing": (bf.variant("draft-2p"), 120),
    "classic-3p": (bf.variant("classic-3p"), 41),
    "software-challenge-2027": (bf.variant("software-challenge-2027"), 33),
    "reverse": (bf.variant("classic-2p", scoring="reverse"), 12),
    "own": (OWN, 5),
}


def play(game: Any, plies: int, push: Any) -> None:
    """Play moves that follow from nothing but the promises of the ids."""
    rng = random.Random(plies)
    board = getattr(game, "board", game)
    for _ in range(plies):
        if board.is_game_over:
            return
        ids = board.legal_ids()
        push(int(ids[int(rng.random() * len(ids))]))


def things() -> dict[str, Any]:
    """Return one of everything that can be pickled, by name."""
    found: dict[str, Any] = {}
    for name, (variant, plies) in BOARDS.items():
        board = bf.Board(variant)
        play(board, plies, board.push)
        found[f"board {name}"] = board
        found[f"variant {name}"] = variant
        found[f"set up {name}"] = bf.Board.from_text(bf.position_text(board))
    for variant in (bf.variant("duo"), bf.variant("draft-2p"), OWN):
        batch = bf.BatchBoard(5, variant, threads=2)
        for ply in range(12):
            batch.step(batch.sample_actions(ply))
        found[f"batch {variant.name}"] = batch
        found[f"board of batch {variant.name}"] = batch[3]
        found[f"observer {variant.name}"] = bf.Observer(variant, view="mover")
        found[f"symmetries {variant.name}"] = bf.symmetries(variant)
    for name, plies in (("classic-2p", 23), ("junior", 999), ("draft-2p", 70)):
        game = bf.Game(name, names=["Ada", "Bob"])
        play(game, plies, game.play)
        found[f"game {name}"] = game
        found[f"record {name}"] = bf.Record.from_game(game)
    found["outcome"] = found["game junior"].outcome
    found["skip"] = bf.Skip(color=2, player=0, ply=61)
    found["scoring rule"] = bf.SCORING_RULES["net"]
    found["piece"] = bf.Piece("W")
    found["move"] = bf.Move(5000, size=14, color=1)
    draft = bf.Board("draft-2p")
    found["draft move"] = draft.move(2 * draft.n_moves + 400)
    found["pick"] = draft.move(4 * draft.n_moves + 9)
    challenge = bf.Board("software-challenge-2027")
    found["pass"] = challenge.move(challenge.n_moves)
    found["features"] = bf.move_features(bf.Board("duo"))
    found["error"] = bf.IllegalMoveError("no such luck")
    return found


def facts(thing: Any) -> Any:
    """Return plain values that say what a thing is."""
    if isinstance(thing, bf.Board):
        return {
            "variant": thing.variant.name,
            "key": thing.key(),
            "text": bf.position_text(thing),
            "legal": len(thing.legal_ids()),
            "player_scores": tuple(thing.player_scores()),
            "moves": list(thing.move_stack),
        }
    if isinstance(thing, bf.BatchBoard):
        return {"games": [facts(board) for board in thing], "threads": thing.threads}
    if isinstance(thing, bf.Game):
        return {
            "board": facts(thing.board),
            "names": thing.names,
            "history": [facts(entry) for entry in thing.history],
            "outcome": None if thing.outcome is None else facts(thing.outcome),
        }
    if isinstance(thing, bf.Record):
        return str(thing)
    if isinstance(thing, bf.Variant):
        return {
            "repr": repr(thing),
            "set_squares": thing.set_squares,
            "scoring": thing.scoring_name,
            "first": bf.Board(thing).key(),
        }
    if isinstance(thing, bf.Observer):
        board = bf.Board(thing.variant)
        return thing.shape, thing.view, list(thing.groups), int(thing.observe(board).sum())
    if isinstance(thing, bf.Symmetries):
        return thing.variant.name, [symmetry.name for symmetry in thing]
    if isinstance(thing, bf.MoveFeatures):
        return {name: int(column.sum()) for name, column in thing._asdict().items()}
    if isinstance(thing, bf.Move):
        return {"repr": repr(thing), "text": str(thing), "piece": thing.piece, "id": int(thing)}
    return repr(thing)


def main() -> None:
    """Write the file, if there is none."""
    if FILE.exists():
        raise SystemExit(f"{FILE.name} is there already, and is to stay as it is")
    rows = {
        name: (type(thing).__name__, pickle.dumps(thing, PROTOCOL), facts(thing))
        for name, thing in things().items()
    }
    FILE.write_bytes(pickle.dumps(rows, PROTOCOL))
    print(f"{FILE.name}: {len(rows)} things, Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
