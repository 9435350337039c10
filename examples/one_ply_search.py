"""Choose a move by trying the most promising ones, each with random games played to the end.

Shows how ids, features and playouts work together.
Run it with ``python examples/one_ply_search.py``.
"""

from __future__ import annotations

import numpy as np

import blokus_fast as bf


def best_move(board: bf.Board, candidates: int = 8, games: int = 200, seed: int = 1) -> int:
    """Return the move after which the player to move does best against the others.

    The candidates are the moves that cover and open the most.
    """
    features = bf.move_features(board)
    promise = 3 * features.squares + features.corners_gained - features.corners_lost
    order = np.argsort(-promise, kind="stable")[:candidates]
    player, best, best_lead = board.player, -1, -np.inf
    trial = board.copy(stack=False)
    for move in features.ids[order].tolist():
        trial.push(move)
        scores = bf.playouts(trial, games, seed=seed, piece_weights="size")
        trial.pop()
        others = np.delete(scores, player, axis=1).max(axis=1)
        lead = float((scores[:, player] - others).mean())
        print(f"{lead:+7.2f}  {board.move(move).piece:2}  {board.move_text(move)}")
        if lead > best_lead:
            best, best_lead = move, lead
    return best


def main() -> None:
    """Look for a good answer to a first move in Duo."""
    board = bf.Board("duo", start="assigned")
    board.push(board.parse_move("e8,d9,e9,f9,e10"))
    print("lead     piece and squares")
    move = board.move(best_move(board))
    print(f"best: {move.piece} at {move}")


if __name__ == "__main__":
    main()
