"""A GTP engine for the test of benchmarks/pentobi: our own, behind Pentobi's commands.

The variable FAKE_GTP makes it wrong on purpose: `lose_move`, `illegal_move`, `wrong_score`,
`die`, `hang`, `refuse`.
"""

import os
import random
import sys
import time

import blokus_fast as bf

VARIANTS = {
    "Blokus": "classic",
    "Blokus Two-Player": "classic-2p",
    "Blokus Duo": "duo",
    "Blokus Junior": "junior",
}
FAULT = os.environ.get("FAKE_GTP", "")


class Engine:
    """Answers commands."""

    def __init__(self) -> None:
        self.board = bf.Board()
        self.rng = random.Random(1)

    def answer(self, command: str, rest: str) -> str:
        """Do a command; a ValueError is a refusal."""
        board = self.board
        if command == "name":
            return "Fake"
        if command == "version":
            return "1.0"
        if command == "set_game":
            self.board = bf.Board(VARIANTS[rest], start="assigned")
            return ""
        if command == "final_score":
            return self.final_score()
        color, _, text = rest.partition(" ")
        index = "bw".index(color) if color in "bw" else int(color) - 1
        if command == "all_legal":
            moves = [board.move_text(move) for move in board.legal_ids(color=index).tolist()]
            if FAULT == "lose_move" and board.ply == 3:
                moves = moves[1:]
            return "\n".join(moves)
        if command == "play":
            if FAULT == "refuse":
                raise ValueError("illegal move")
            board.push(board.parse_move(text))
            return ""
        if command == "genmove":
            if FAULT == "die":
                sys.exit(3)
            if FAULT == "hang":
                time.sleep(60)
            if FAULT == "illegal_move":
                return "a1"
            move = self.rng.choice(board.legal_ids().tolist())
            text = board.move_text(move)
            board.push(move)
            return text
        raise ValueError("unknown command")

    def final_score(self) -> str:
        """Write the score as Pentobi does."""
        scores = self.board.player_scores()
        if FAULT == "wrong_score":
            scores = (scores[0] + 1, *scores[1:])
        if len(scores) > 2:
            return " ".join(str(score + 89) for score in scores)
        lead = scores[0] - scores[1]
        return f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "0"


def main() -> None:
    """Read commands and answer them."""
    engine = Engine()
    for line in sys.stdin:
        number, _, asked = line.strip().partition(" ")
        command, _, rest = asked.partition(" ")
        if command == "quit":
            print(f"={number} \n", flush=True)
            return
        try:
            print(f"={number} {engine.answer(command, rest)}\n", flush=True)
        except ValueError as error:
            print(f"?{number} {error}\n", flush=True)


if __name__ == "__main__":
    main()
