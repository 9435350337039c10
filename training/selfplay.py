"""Let a search play itself, and keep what it played: what the move prior is fitted to.

Run: ``python training/selfplay.py VARIANT OUTPUT.jsonl --weights W.json --seconds 300``. Each game
is a line of JSON, appended as it ends, so that it can be stopped and started at any time; another
process needs another file and another seed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import blokus_fast as bf
from blokus_fast.search import MCTS, load_weights


def play(mcts: MCTS, rng: np.random.Generator, simulations: int, loose: int) -> dict[str, Any]:
    """Play a game; the first moves are drawn by their visits."""
    board = bf.Board(mcts.variant)
    mcts.clear()
    moves: list[int] = []
    best: list[int] = []
    for _ in range(int(rng.integers(0, 3)) if rng.random() < 0.5 else 0):
        move = int(rng.choice(board.legal_ids()))
        moves.append(move)
        best.append(-1)
        board.push(move)
    while not board.is_game_over:
        result = mcts.search(board, simulations=simulations)
        move = result.move
        best.append(move)
        if len(moves) < loose:
            move = int(rng.choice(result.moves, p=result.visits / result.visits.sum()))
        moves.append(move)
        board.push(move)
    return {"moves": moves, "best": best, "scores": list(board.player_scores())}


def main() -> None:
    """Read the arguments and play until time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant")
    parser.add_argument("output", type=Path)
    parser.add_argument("--weights")
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--loose", type=int, default=8, help="plies that are drawn by their visits")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    weights = load_weights(args.weights) if args.weights else None
    mcts = MCTS(args.variant, seed=args.seed, weights=weights)
    rng = np.random.default_rng(args.seed)
    end, games = time.monotonic() + args.seconds, 0
    with args.output.open("a", encoding="utf-8") as file:
        while time.monotonic() < end:
            game = play(mcts, rng, args.simulations, args.loose)
            game |= {"variant": args.variant, "simulations": args.simulations}
            game |= {"weights": mcts.weights.name}
            file.write(json.dumps(game, separators=(",", ":")) + "\n")
            file.flush()
            games += 1
    print(f"{games} games", file=sys.stderr)


if __name__ == "__main__":
    main()
