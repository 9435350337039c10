"""One random game on both sides: the engine and the slow reference, compared at every ply.

What is compared: legal ids, count, mask and membership, by color, with every kernel; turn, player,
skips, squares, hands, scores, the end; the position and its key by way of its text; taking back;
now and then playouts against pushed games, and a batch against boards. Knows nothing of time,
memory and the command line. `step`, `helpers`, `drawing` and `reference` are those of tests/.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import drawing
import helpers
import numpy as np
import reference
import step

import blokus_fast as bf
from blokus_fast import _core

__all__ = ["KERNELS", "Mismatch", "Totals", "play"]

KERNELS: tuple[str, ...] = tuple(bf.cpu_info()["supported"])


@dataclass
class Totals:
    """What has been done."""

    games: int = 0
    moves: int = 0
    comparisons: int = 0
    playouts: int = 0
    mismatches: int = 0
    seen: set[str] = field(default_factory=set)


class Mismatch(Exception):  # noqa: N818 - a finding
    """The two sides do not agree."""


class _Game:
    """A game that goes on on both sides."""

    def __init__(self, variant: bf.Variant, seed: str, totals: Totals) -> None:
        self.variant = variant
        self.rng = random.Random(seed)
        self.totals = totals
        self.board = bf.Board(variant)
        self.twin = step.twin_for(variant)
        self.states: list[bytes] = []

    def same(self, what: str, ours: Any, theirs: Any) -> None:
        self.totals.comparisons += 1
        if ours != theirs:
            raise Mismatch(f"{what}: {_short(ours)}, should be {_short(theirs)}")

    def compare(self) -> None:
        """Compare everything that the rules speak of."""
        board, twin = self.board, self.twin
        color_turn = getattr(twin, "turn", None)
        if self.variant.draft and twin.is_drafting:
            color_turn = twin.drafted_color
        self.same("over", board.is_game_over, twin.is_over)
        self.same("turn", board.turn, helpers.none_is_minus_one(color_turn))
        self.same("player", board.player, helpers.none_is_minus_one(twin.player))
        self.same("ply", board.ply, len(twin.history))
        self.same("player scores", board.player_scores(), tuple(twin.player_scores))
        self.same("skipped", board.skipped, self.skipped())
        legal = sorted(step.id_of(move, board) for move in step.twin_moves(twin))
        self.compare_legal("", None, legal)
        for color in range(board.n_colors):
            name = f" of {self.variant.color_names[color]}"
            self.compare_legal(name, color, self.legal_of(color, legal))
            self.same("squares" + name, board.own_mask(color), self.bits(twin.own[color]))
            if self.variant.draft:
                for player in range(board.n_players):
                    held = [twin.hands[player][color, piece] for piece in reference.PIECE_NAMES]
                    self.same("hand" + name, list(board.hand(color, player=player)), held)
            else:
                held = [twin.hands[color][piece] for piece in reference.PIECE_NAMES]
                self.same("hand" + name, list(board.hand(color)), held)
                self.same("score" + name, board.color_scores()[color], twin.color_scores[color])
                corners, forbidden = twin.corners(color), twin.forbidden(color)
                self.same("corners" + name, board.corner_mask(color), self.bits(corners))
                self.same("forbidden" + name, board.forbidden_mask(color), self.bits(forbidden))

    def bits(self, squares: Iterable[Any]) -> int:
        return int(helpers.bits(squares, self.variant.size))

    def skipped(self) -> tuple[int, ...]:
        """Return whom the reference has passed over since the last move."""
        twin = self.twin
        if twin.is_over:
            return ()
        return tuple(who for ply, who in twin.skips if ply == len(twin.history))

    def legal_of(self, color: int, legal: list[int]) -> list[int]:
        """Return what a color may do by the reference; `legal` is what is to move may do."""
        board, twin = self.board, self.twin
        if self.variant.draft:
            if twin.is_drafting:
                return legal if color == twin.drafted_color else []
            return [number for number in legal if number // board.n_moves == color]
        if color == twin.turn:
            return legal
        return [placement.id for placement in twin.legal(color)]

    def compare_legal(self, name: str, color: int | None, legal: list[int]) -> None:
        """Compare all ways to ask for legal actions."""
        board = self.board
        for kernel in KERNELS:
            _core._use_kernel(kernel)
            self.same(f"ids{name} by {kernel}", board.legal_ids(color=color).tolist(), legal)
            self.same(f"count{name} by {kernel}", board.count_legal(color), len(legal))
            self.same(f"any{name} by {kernel}", board.any_legal(color), bool(legal))
            mask = board.legal_mask(color=color)
            self.same(f"mask{name} by {kernel}", np.flatnonzero(mask).tolist(), legal)
        known = set(legal)
        asked = self.rng.sample(legal, min(3, len(legal)))
        asked += [self.rng.randrange(board.n_actions) for _ in range(10)]
        for action in asked:
            fine = board.is_legal(action, color)
            self.same(f"legality{name} of {action}", fine, action in known)
            reason = board.why_illegal(action, color)
            self.same(f"reason{name} of {action}", reason is None, action in known)

    def by_text(self) -> None:
        """Read the position from its text, and compare it and its key."""
        text = bf.position_text(self.board)
        read = bf.parse_position(text, self.variant)
        self.same("position by its text", read, self.board)
        self.same("key by its text", read.key(), self.board.key())

    def take_back(self) -> None:
        """Take back some moves and play them again; every byte has to come back."""
        board, n = self.board, self.rng.randint(1, len(self.states))
        last = helpers.state_bytes(board)
        moves = []
        for _ in range(n):
            moves.append(board.pop())
            place = len(self.states) - len(moves)
            self.same("bytes after a move taken back", helpers.state_bytes(board),
                      self.states[place])  # fmt: skip
        for move in reversed(moves):
            board.push(move)
        self.same("bytes after moves made again", helpers.state_bytes(board), last)

    def playouts(self) -> None:
        """Compare playouts with pushed games."""
        board, rng = self.board, self.rng
        weights: dict[str, Any] = {}
        kind = rng.choice(("uniform", "piece", "move"))
        if kind == "piece":
            weights["piece_weights"] = [rng.randint(1, 100) for _ in range(21)]
        elif kind == "move":
            numbers = np.random.default_rng(rng.getrandbits(32))
            drawn = numbers.integers(0, 2**32, board.n_moves, dtype=np.uint32)
            drawn[numbers.random(len(drawn)) < rng.random()] = 0
            weights["move_weights"] = drawn
        seed = rng.getrandbits(64)
        scores = bf.playouts(board, 3, seed, **weights)
        batch = bf.BatchBoard(1, self.variant)
        batch[0] = board
        values = next(iter(weights.values()), None)
        self.same(f"playouts of a batch, {kind}", batch.playouts(3, seed, values)[0].tolist(),
                  scores.tolist())  # fmt: skip
        for stream in range(3):
            end = drawing.play_out(board, drawing.Rng(seed, stream), **weights)
            self.same(f"playout {stream}, {kind}", scores[stream].tolist(),
                      list(end.player_scores()))  # fmt: skip
            self.totals.playouts += 1

    def batches(self) -> None:
        """Let a batch go on from here, and boards beside it."""
        # Enough for several threads, but not so many that their masks need much memory.
        n = self.rng.randint(1, min(200, 2 + 2_000_000 // self.board.n_actions))
        seed = self.rng.getrandbits(64)
        batch = bf.BatchBoard(n, self.variant, threads=self.rng.randint(1, 3))
        boards = {number: self.board.copy() for number in {0, n // 2, n - 1}}
        for number in range(n):
            batch[number] = self.board
        for _ in range(4):
            ids, offsets = batch.legal_ids()
            counts, mask, keys, scores = (
                batch.count_legal(), batch.legal_mask(), batch.keys(), batch.scores()
            )  # fmt: skip
            actions = batch.sample_actions(seed)
            for number, board in boards.items():
                legal = board.legal_ids().tolist()
                found = ids[offsets[number] : offsets[number + 1]].tolist()
                self.same("ids of a batch", found, legal)
                self.same("count of a batch", int(counts[number]), len(legal))
                self.same("mask of a batch", np.flatnonzero(mask[number]).tolist(), legal)
                self.same("key of a batch", int(keys[number]), board.key())
                self.same("scores of a batch", tuple(scores[number].tolist()),
                          board.player_scores())  # fmt: skip
                self.same("over in a batch", bool(batch.done[number]), board.is_game_over)
                if actions[number] >= 0:
                    board.push(int(actions[number]))
            batch.step(actions)
            for number, board in boards.items():
                self.same("board of a batch", batch[number], board)
        observer = bf.Observer(self.variant, view=self.rng.choice(("board", "mover", "rotated")))
        self.same("planes and back", observer.decode(observer.observe(batch)) == batch, True)

    def play(self) -> None:
        """Play to the end."""
        rng = self.rng
        while True:
            _core._use_kernel(rng.choice(KERNELS))
            self.compare()
            self.by_text()
            if self.states and rng.random() < 0.1:
                self.take_back()
            if rng.random() < 0.05:
                self.playouts()
            if rng.random() < 0.05:
                self.batches()
            if self.twin.is_over:
                break
            move = step.choose(self.twin, rng, 0.1)
            self.states.append(helpers.state_bytes(self.board))
            self.board.push(step.id_of(move, self.board))
            step.play_twin(self.twin, move)
            self.totals.moves += 1
        self.playouts()
        self.batches()
        if self.states:
            self.take_back()


def play(variant: bf.Variant, seed: str, totals: Totals) -> list[int] | None:
    """Play a game; return its moves where the sides do not agree, after saying what is wrong."""
    kernel = bf.cpu_info()["kernel"]
    game = None
    try:
        game = _Game(variant, seed, totals)
        game.play()
    except Mismatch as found:
        problem = str(found)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    else:
        totals.games += 1
        return None
    finally:
        _core._use_kernel(kernel)
    totals.mismatches += 1
    moves: Sequence[int] = () if game is None else game.board.move_stack
    print(f"MISMATCH at ply {len(moves)}: {problem}", flush=True)
    return list(moves)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 300 else text[:300] + "..."
