"""Games of a bot of ours against a GTP engine, in which both must agree on everything."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeVar

import blokus_fast as bf
from blokus_fast.bots import Bot
from blokus_fast.gtp import Engine

__all__ = ["VARIANTS", "DisagreementError", "Terms", "Totals", "play_game"]

T = TypeVar("T")


class DisagreementError(Exception):
    """The two engines differ; the message says in what position and how."""


@dataclass(frozen=True)
class Terms:
    """What a variant is called over there."""

    game: str
    colors: tuple[str, ...]
    start: str
    everything: int
    """Points of a color over there less our score: the squares of its pieces."""


VARIANTS: Final[Mapping[str, Terms]] = {
    "duo": Terms("Blokus Duo", ("b", "w"), "assigned", 89),
    "classic": Terms("Blokus", ("1", "2", "3", "4"), "assigned", 89),
    "classic-2p": Terms("Blokus Two-Player", ("1", "2", "3", "4"), "assigned", 89),
    "junior": Terms("Blokus Junior", ("b", "w"), "assigned", 88),
}


@dataclass
class Totals:
    """What was checked, and how long it took (in seconds)."""

    games: int = 0
    positions: int = 0
    moves: int = 0
    """Legal moves of all colors in all positions."""
    ours_won: float = 0.0
    ours_listing: float = 0.0
    its_listing: float = 0.0
    ours_choosing: list[float] = field(default_factory=list)
    its_choosing: list[float] = field(default_factory=list)
    results: list[str] = field(default_factory=list)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def play_game(
    engine: Engine, variant: str, bot: Bot, first: bool, totals: Totals, number: int
) -> None:
    """Play a game; our bot has the first, third, … player if `first`, else the others.

    Raises
    ------
    DisagreementError
        About a legal move, a move chosen, or the final scores.
    EngineError
        See `Engine.ask`.
    """
    terms = VARIANTS[variant]
    engine.ask(f"set_game {terms.game}")
    board = bf.Board(variant, start=terms.start)
    where = f"{variant}, game {number}"
    while True:
        _compare_moves(engine, board, terms, totals, where)
        if board.is_game_over:
            break
        color = terms.colors[board.turn]
        if (board.player % 2 == 0) == first:
            move, took = _timed(partial(bot.choose, board))
            totals.ours_choosing.append(took)
            engine.ask(f"play {color} {board.move_text(move)}")
        else:
            text, took = _timed(partial(engine.genmove, color))
            totals.its_choosing.append(took)
            try:
                move = board.parse_move(text)
            except bf.InvalidMoveError as error:
                raise DisagreementError(
                    f"{where}, ply {board.ply}: its move for {color} is {text!r}: {error}"
                ) from error
            if not board.is_legal(move):
                raise DisagreementError(
                    f"{where}, ply {board.ply}: its move for {color}, {text}, is illegal here: "
                    f"{board.why_illegal(move)}"
                )
        board.push(move)
    _compare_scores(engine, board, terms, where)
    totals.games += 1
    scores = board.player_scores()
    best = [player for player, score in enumerate(scores) if score == max(scores)]
    mine = [player for player in best if (player % 2 == 0) == first]
    totals.ours_won += len(mine) / len(best)
    side = "odd" if first else "even"
    totals.results.append(f"{where}: scores {scores}, {bot.name} had the {side} players")


def _compare_moves(
    engine: Engine, board: bf.Board, terms: Terms, totals: Totals, where: str
) -> None:
    """Compare the legal moves of every color."""
    for index, color in enumerate(terms.colors):
        said, took = _timed(partial(engine.ask, f"all_legal {color}"))
        totals.its_listing += took
        ids, took = _timed(partial(board.legal_ids, color=index))
        totals.ours_listing += took
        theirs = {board.parse_move(text) for text in said.split()}
        ours = set(ids.tolist())
        totals.positions += 1
        totals.moves += len(ours)
        if ours != theirs:
            raise DisagreementError(
                f"{where}, ply {board.ply}: {len(ours)} legal moves of color {color} here, "
                f"{len(theirs)} there"
                + _some("only here", ours - theirs, board)
                + _some("only there", theirs - ours, board)
            )


def _some(what: str, moves: set[int], board: bf.Board) -> str:
    if not moves:
        return ""
    texts = [board.move_text(move) for move in sorted(moves)[:3]]
    return f"; {what}: {' '.join(texts)}{' …' if len(moves) > 3 else ''}"


def _compare_scores(engine: Engine, board: bf.Board, terms: Terms, where: str) -> None:
    """Compare the final scores: points of all players, or by how many one of two has won."""
    said = engine.ask("final_score")
    scores = board.player_scores()
    if len(scores) > 2:
        agreed = [int(points) for points in said.split()] == [
            score + terms.everything for score in scores
        ]
    else:
        found = re.fullmatch(r"([BW])\+(\d+)", said)
        lead = 0 if said == "0" else None
        if found:
            lead = int(found[2]) if found[1] == "B" else -int(found[2])
        agreed = lead == scores[0] - scores[1]
    if not agreed:
        raise DisagreementError(f"{where}: final score {said} there, {scores} here")
