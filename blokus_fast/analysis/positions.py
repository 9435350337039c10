"""One position as plain data: its best moves, and how interesting each square is.

Owns what of a `SearchResult` is kept, and its form in JSON. Knows nothing of games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, SupportsIndex

import numpy as np

from blokus_fast._core import Board
from blokus_fast.checking import called_back, expect
from blokus_fast.moves import Pass
from blokus_fast.moves.actions import DraftMove, Pick
from blokus_fast.position import position_text
from blokus_fast.search import MCTS, SearchResult

__all__ = [
    "Candidate",
    "PositionAnalysis",
    "analyze",
    "describe_move",
    "describe_result",
]

# Longer lines are guesses of a few visits.
_LONGEST_LINE: Final = 8


@dataclass(frozen=True)
class Candidate:
    """A move, and what the search thinks of it.

    Attributes
    ----------
    move : int
        Its id.
    color : int
        The color that is placed; -1 where there is none.
    piece : str
        The piece; empty for a pass.
    text : str
        The move as text.
    squares : tuple of int
        The squares that it covers; of a pick or a pass none.
    visits : int
        Simulations that followed it.
    share : float
        Part of all visits, 0 to 1.
    prior : float
        What was thought of it before the search.
    value, score : tuple of float, or None
        Chance and final score that each player may expect; None where there were no visits.
    proven : bool
        Whether these two are exact.
    pv : tuple of int
        The line that is expected, from the move itself on.
    line : tuple of str
        The same for people: color, piece and squares of each move.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.analysis import analyze
    >>> best = analyze(bf.Board("duo"), simulations=100, seed=1).best
    >>> len(best.squares), best.pv[0] == best.move
    (5, True)
    """

    move: int
    color: int
    piece: str
    text: str
    squares: tuple[int, ...]
    visits: int
    share: float
    prior: float
    value: tuple[float, ...] | None
    score: tuple[float, ...] | None
    proven: bool
    pv: tuple[int, ...]
    line: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return lists, numbers and texts, for JSON.

        Returns
        -------
        dict
            What `json.dumps` takes.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.analysis import Candidate, analyze
        >>> best = analyze(bf.Board("duo"), simulations=50, seed=1).best
        >>> Candidate.from_json(best.to_json()) == best
        True
        """
        return {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(self).items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Candidate:
        """Read what `to_json` returned.

        Parameters
        ----------
        data : mapping
            The data.

        Returns
        -------
        Candidate
            The same move.

        Raises
        ------
        TypeError
            Something is missing, or too much.
        """
        return cls(**_tupled(data))


@dataclass(frozen=True)
class PositionAnalysis:
    """What a search thinks of a position.

    Attributes
    ----------
    position : str
        The position as text.
    player, turn : int
        Who decides, and the color to move (-1 where a player may choose, in Draft).
    value, score : tuple of float
        Chance, 0 to 1, and final score that each player may expect.
    solved : bool
        Whether these two are exact.
    moves : tuple of Candidate
        The best moves, the best one first.
    heat : tuple of float
        Of every square, row by row, the part of the visits whose move covers it, 0 to 1.
    legal : int
        Number of legal moves.
    simulations, reused : int
        Simulations for this position, and visits that it had before.
    seconds : float
        How long they took.
    depth, nodes, memory : int
        Depth of the tree, its positions, and its bytes.
    full : bool
        Whether the memory was used up.
    stopped : str
        Why the search ended; see `SearchResult`.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.analysis import PositionAnalysis, analyze
    >>> found = analyze(bf.Board("duo"), simulations=100, moves=3, seed=1)
    >>> len(found.moves), len(found.heat), found.simulations
    (3, 196, 100)
    >>> PositionAnalysis.from_json(found.to_json()) == found
    True
    """

    position: str
    player: int
    turn: int
    value: tuple[float, ...]
    score: tuple[float, ...]
    solved: bool
    moves: tuple[Candidate, ...]
    heat: tuple[float, ...]
    legal: int
    simulations: int
    reused: int
    seconds: float
    depth: int
    nodes: int
    memory: int
    full: bool
    stopped: str

    @property
    def best(self) -> Candidate:
        """The best move."""
        return self.moves[0]

    def to_json(self) -> dict[str, Any]:
        """Return lists, numbers and texts, for JSON.

        Returns
        -------
        dict
            What `json.dumps` takes.

        Examples
        --------
        >>> import json
        >>> import blokus_fast as bf
        >>> from blokus_fast.analysis import analyze
        >>> data = analyze(bf.Board("duo"), simulations=50, seed=1).to_json()
        >>> json.loads(json.dumps(data))["simulations"]
        50
        """
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        lists = {name: list(data[name]) for name in ("value", "score", "heat")}
        return data | lists | {"moves": [move.to_json() for move in self.moves]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PositionAnalysis:
        """Read what `to_json` returned.

        Parameters
        ----------
        data : mapping
            The data.

        Returns
        -------
        PositionAnalysis
            The same analysis.

        Raises
        ------
        ValueError
            Something is missing, or too much.
        """
        try:
            moves = tuple(Candidate.from_json(move) for move in data["moves"])
            return cls(**{**_tupled(data), "moves": moves})
        except (TypeError, KeyError) as error:
            raise ValueError(f"this is no analysis of a position: {error}") from None


def analyze(
    board: Board,
    *,
    simulations: SupportsIndex | None = None,
    seconds: float | None = None,
    moves: int = 5,
    mcts: MCTS | None = None,
    on_progress: Callable[[PositionAnalysis], object] | None = None,
    progress_every: float = 0.5,
    on_interrupt: str = "raise",
    **options: Any,
) -> PositionAnalysis:
    """Search a position, and tell what was found as plain data.

    Parameters
    ----------
    board : Board
        The position; the game must not be over.
    simulations, seconds
        As in `MCTS.search`.
    moves : int
        How many of the best moves are kept.
    mcts : MCTS, optional
        The search, whose tree is used again. Default: a new one of `make_search`.
    on_progress : callable, optional
        Is called with a `PositionAnalysis` now and then.
    progress_every, on_interrupt
        As in `MCTS.search`.
    **options
        Of the new search: ``threads``, ``memory``, ``seed``, and parameters.

    Returns
    -------
    PositionAnalysis
        What was found.

    Raises
    ------
    ValueError
        As in `MCTS.search`; or there are options, and a search as well.
    TypeError
        As in `MCTS.search`; or `on_progress` cannot be called.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.analysis import analyze
    >>> found = analyze(bf.Board("duo"), simulations=200, seed=1)
    >>> [row.visits > 0 for row in found.moves[:2]]
    [True, True]
    """
    expect(board, Board, "board")
    called_back(on_progress, "on_progress")
    if mcts is not None and options:
        raise ValueError(f"{', '.join(options)}: say that to the search that you give")
    search = MCTS(board.variant, **options) if mcts is None else mcts
    tick = None
    if on_progress is not None:

        def tick(result: SearchResult) -> None:
            on_progress(describe_result(search, board, result, moves))

    # Of an analysis the other moves are of interest too: it does not end when the best is clear.
    result = search.search(
        board,
        simulations=simulations,
        seconds=seconds,
        early_stop=False,
        on_progress=tick,
        progress_every=progress_every,
        on_interrupt=on_interrupt,
    )
    return describe_result(search, board, result, moves)


def describe_result(
    mcts: MCTS, board: Board, result: SearchResult, moves: int = 5
) -> PositionAnalysis:
    """Turn the last result of a search into plain data.

    Parameters
    ----------
    mcts : MCTS
        The search.
    board : Board
        The position that it has searched.
    result : SearchResult
        Its last result.
    moves : int
        How many of the best moves are kept.

    Returns
    -------
    PositionAnalysis
        The data.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.analysis import describe_result
    >>> from blokus_fast.search import MCTS
    >>> board, mcts = bf.Board("duo"), MCTS("duo", seed=1)
    >>> found = describe_result(mcts, board, mcts.search(board, simulations=50))
    >>> found.best.move == mcts.result.move
    True
    """
    best = [row["move"] for row in result.table(moves)]
    places = {int(move): place for place, move in enumerate(result.moves)}
    found = [_candidate(mcts, board, result, places[move]) for move in best]
    return PositionAnalysis(
        position=position_text(board),
        player=result.player,
        turn=result.turn,
        value=_figures(result.value) or (),
        score=_figures(result.score) or (),
        solved=bool(result.solved),
        moves=tuple(found),
        heat=_heat(board, result),
        legal=len(result.moves),
        simulations=result.simulations,
        reused=result.reused,
        seconds=round(result.seconds, 4),
        depth=result.depth,
        nodes=result.nodes,
        memory=result.memory,
        full=result.full,
        stopped=result.stopped,
    )


def describe_move(mcts: MCTS, board: Board, result: SearchResult, move: int) -> Candidate | None:
    """Turn what the last result of a search says of one move into plain data.

    Parameters
    ----------
    mcts, board, result
        As in `describe_result`.
    move : int
        The move.

    Returns
    -------
    Candidate or None
        The data; None if it is no move of the root.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.analysis import describe_move
    >>> from blokus_fast.search import MCTS
    >>> board, mcts = bf.Board("duo"), MCTS("duo", seed=1)
    >>> result = mcts.search(board, simulations=50)
    >>> describe_move(mcts, board, result, board.parse_move("e10")).text
    'e10'
    """
    places = np.flatnonzero(result.moves == move)
    return _candidate(mcts, board, result, int(places[0])) if len(places) else None


def _candidate(mcts: MCTS, board: Board, result: SearchResult, place: int) -> Candidate:
    action = int(result.moves[place])
    line = mcts.line(action)[:_LONGEST_LINE]
    move = board.move(action)
    return Candidate(
        move=action,
        color=board.turn if move.color is None else move.color,
        piece="" if isinstance(move, Pass) else move.piece,
        text=board.move_text(action),
        squares=tuple(move.squares),
        visits=int(result.visits[place]),
        share=round(float(result.share[place]), 6),
        prior=round(float(result.priors[place]), 6),
        value=_figures(result.values[place]),
        score=_figures(result.scores[place]),
        proven=bool(result.proven[place]),
        pv=tuple(line),
        line=_words(board, line),
    )


def _words(board: Board, line: list[int]) -> tuple[str, ...]:
    """Say a line for people; as far as it can be played."""
    board = board.copy()
    words = []
    for action in line:
        if board.is_game_over or not board.is_legal(action):
            break
        move = board.move(action)
        number = board.turn if move.color is None else move.color
        color = board.variant.color_names[number] if number >= 0 else f"player {board.player + 1}"
        if isinstance(move, Pass):
            words.append(f"{color} pass")
        elif isinstance(move, Pick):
            words.append(f"{color} pick {move.piece}")
        else:
            placed = move.placement if isinstance(move, DraftMove) else move
            words.append(f"{color} {move.piece} {placed.text}")
        board.push(action)
    return tuple(words)


def _heat(board: Board, result: SearchResult) -> tuple[float, ...]:
    """Sum the shares of the visits over the squares that the moves cover."""
    heat = np.zeros(board.size**2)
    share = result.share
    for place in np.flatnonzero(share).tolist():
        squares = list(board.move(int(result.moves[place])).squares)
        heat[squares] += share[place]
    return tuple(round(float(value), 4) for value in np.minimum(heat, 1.0))


def _figures(values: Any) -> tuple[float, ...] | None:
    """Round to what is worth telling; None where there is no number."""
    found = tuple(round(float(value), 4) + 0.0 for value in values)
    return None if any(map(math.isnan, found)) else found


def _tupled(data: Mapping[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
