"""A whole game as plain data: what each position was worth, and what each move gave away.

Owns what a mistake is, and the form of an analysis in JSON. `positions` looks at one position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Final, SupportsIndex

from blokus_fast._core import Board
from blokus_fast.analysis.positions import (
    Candidate,
    PositionAnalysis,
    describe_move,
    describe_result,
)
from blokus_fast.checking import called_back, expect
from blokus_fast.game import Game
from blokus_fast.records import Record
from blokus_fast.search import MCTS, SearchResult

__all__ = ["GameAnalysis", "PlyAnalysis", "Thresholds", "analyze_game"]

FORMAT: Final = "blokus-fast analysis"
VERSION: Final = 1
MARKS: Final = ("inaccuracy", "mistake", "blunder")


@dataclass(frozen=True)
class Thresholds:
    """From which loss of chance on a move is marked.

    Parameters
    ----------
    inaccuracy, mistake, blunder : float
        Loss of the mover's chance, 0 to 1, from which the move is called that.

    Raises
    ------
    ValueError
        They do not rise, or one is not in 0 to 1.

    Examples
    --------
    >>> from blokus_fast.analysis import Thresholds
    >>> Thresholds().mark(0.12), Thresholds().mark(0.01), Thresholds(mistake=0.15).mark(0.12)
    ('mistake', '', 'inaccuracy')
    """

    inaccuracy: float = 0.05
    mistake: float = 0.1
    blunder: float = 0.2

    def __post_init__(self) -> None:
        """Check the order."""
        if not 0 < self.inaccuracy <= self.mistake <= self.blunder <= 1:
            raise ValueError(
                "thresholds must rise from above 0 to at most 1, not "
                f"{self.inaccuracy!r}, {self.mistake!r}, {self.blunder!r}"
            )

    def mark(self, loss: float) -> str:
        """Return what a move with this loss is: a name out of the three, or nothing.

        Parameters
        ----------
        loss : float
            What the move gave away, as a share of the win.

        Returns
        -------
        str
            ``inaccuracy``, ``mistake`` or ``blunder``; empty below the first.

        Examples
        --------
        >>> from blokus_fast.analysis import Thresholds
        >>> Thresholds().mark(0.5)
        'blunder'
        """
        limits = (self.inaccuracy, self.mistake, self.blunder)
        passed = sum(loss >= limit for limit in limits)
        return MARKS[passed - 1] if passed else ""


@dataclass(frozen=True)
class PlyAnalysis:
    """A position of a game, and the move that was played there.

    Attributes
    ----------
    place : int
        Place of its node on the main line, 0 for the root.
    ply : int
        Moves before it.
    value, score : tuple of float
        Chance and final score of each player, before the move. At the end of a game they are what
        it ended with.
    over : bool
        Whether the game is over.
    found : PositionAnalysis or None
        What the search found; None where the game is over.
    played : Candidate or None
        The move that was played, with the value that counts, that of `played_from`; None at the
        end of the line.
    played_from : str
        Where its value is from: ``"search"`` of this position; ``"next"``, that of the position
        behind it, since here it had too few visits; ``"end"``, the end of the game; or nothing,
        where the analysis was broken off before it was known.
    loss : float or None
        Value of the best move less that of the one played, for who made it, 0 at least.
    mark : str
        ``"inaccuracy"``, ``"mistake"``, ``"blunder"`` or nothing.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.analysis import analyze_game
    >>> game = bf.Game("duo")
    >>> _ = game.play("e10")
    >>> found = analyze_game(game, simulations=200, seed=1)
    >>> [ply.played.text if ply.played else None for ply in found.plies]
    ['e10', None]
    >>> found.plies[0].loss > 0
    True
    """

    place: int
    ply: int
    value: tuple[float, ...]
    score: tuple[float, ...]
    over: bool
    found: PositionAnalysis | None
    played: Candidate | None = None
    played_from: str = ""
    loss: float | None = None
    mark: str = ""

    @property
    def player(self) -> int:
        """Who decides there; -1 at the end of the game."""
        return -1 if self.found is None else self.found.player


@dataclass(frozen=True)
class GameAnalysis:
    """What a search thinks of all positions of a game.

    Attributes
    ----------
    variant : str
        Name of the variant.
    names : tuple of str
        A name per player.
    plies : tuple of PlyAnalysis
        The positions on the main line from which a move was made, and the last one.
    complete : bool
        Whether it reaches the end of the line; not if it was broken off.
    simulations, seconds : int and float, or None
        The budget of a move.
    thresholds : Thresholds
        What the marks mean.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.analysis import GameAnalysis, analyze_game
    >>> game = bf.Game("duo", names=["Ann", "Bob"])
    >>> _ = game.play("e10"), game.play("j5")
    >>> found = analyze_game(game, simulations=100, seed=1)
    >>> found.complete, len(found.plies), found.summary()[0]["moves"]
    (True, 3, 1)
    >>> GameAnalysis.from_json(found.to_json()) == found
    True
    """

    variant: str
    names: tuple[str, ...]
    plies: tuple[PlyAnalysis, ...]
    complete: bool
    simulations: int | None
    seconds: float | None
    thresholds: Thresholds

    def summary(self) -> list[dict[str, Any]]:
        """Count the marks of each player.

        Returns
        -------
        list of dict
            Per player ``name``, ``moves`` that were judged, ``loss``, the mean loss of these, and
            the number of each mark under its name.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.analysis import analyze_game
        >>> analyze_game(bf.Game("duo"), simulations=10, seed=1).summary()[1]["blunder"]
        0
        """
        rows = []
        for player, name in enumerate(self.names):
            own = [p for p in self.plies if p.player == player and p.loss is not None]
            losses = [p.loss for p in own if p.loss is not None]
            rows.append(
                {
                    "name": name,
                    "moves": len(own),
                    "loss": round(sum(losses) / len(losses), 4) if losses else None,
                    **{mark: sum(p.mark == mark for p in own) for mark in MARKS},
                }
            )
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return lists, numbers and texts, for JSON, with a version.

        Returns
        -------
        dict
            What `json.dumps` takes.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.analysis import analyze_game
        >>> data = analyze_game(bf.Game("duo"), simulations=10, seed=1).to_json()
        >>> data["format"], data["version"]
        ('blokus-fast analysis', 1)
        """
        plies = []
        for ply in self.plies:
            data = {field.name: getattr(ply, field.name) for field in fields(ply)}
            data["value"], data["score"] = list(ply.value), list(ply.score)
            data["found"] = None if ply.found is None else ply.found.to_json()
            data["played"] = None if ply.played is None else ply.played.to_json()
            plies.append(data)
        return {
            "format": FORMAT,
            "version": VERSION,
            "variant": self.variant,
            "names": list(self.names),
            "simulations": self.simulations,
            "seconds": self.seconds,
            "complete": self.complete,
            "thresholds": asdict(self.thresholds),
            "summary": self.summary(),
            "plies": plies,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GameAnalysis:
        """Read what `to_json` returned.

        Parameters
        ----------
        data : mapping
            The data.

        Returns
        -------
        GameAnalysis
            The same analysis.

        Raises
        ------
        ValueError
            It is no analysis of a game, or one of a later version.
        """
        expect(data, Mapping, "data")
        if data.get("format") != FORMAT:
            raise ValueError(f"this is no analysis of a game: its format is {data.get('format')!r}")
        if data.get("version") != VERSION:
            raise ValueError(f"version {data.get('version')!r} is unknown; known: {VERSION}")
        try:
            plies = []
            for ply in data["plies"]:
                told = {**ply, "value": tuple(ply["value"]), "score": tuple(ply["score"])}
                if told["found"] is not None:
                    told["found"] = PositionAnalysis.from_json(told["found"])
                if told["played"] is not None:
                    told["played"] = Candidate.from_json(told["played"])
                plies.append(PlyAnalysis(**told))
            return cls(
                variant=data["variant"],
                names=tuple(data["names"]),
                plies=tuple(plies),
                complete=data["complete"],
                simulations=data["simulations"],
                seconds=data["seconds"],
                thresholds=Thresholds(**data["thresholds"]),
            )
        except (TypeError, KeyError) as error:
            raise ValueError(f"this is no analysis of a game: {error}") from None


def analyze_game(
    game: Record | Game,
    *,
    simulations: SupportsIndex | None = None,
    seconds: float | None = None,
    moves: int = 5,
    thresholds: Thresholds | None = None,
    least_visits: int = 50,
    mcts: MCTS | None = None,
    on_progress: Callable[[GameAnalysis, int], object] | None = None,
    on_interrupt: str = "raise",
    **options: Any,
) -> GameAnalysis:
    """Analyze every position of a game, with one tree that is kept from move to move.

    Parameters
    ----------
    game : Record or Game
        The game; of a record the main line.
    simulations, seconds
        Budget of a move, as in `MCTS.search`.
    moves : int
        How many of the best moves are kept of each position.
    thresholds : Thresholds, optional
        What is marked. Default: `Thresholds()`.
    least_visits : int
        Visits that the move played must have had for its value to count; otherwise the value of
        the position behind it does. Where the budget is small, half the simulations are enough.
    mcts : MCTS, optional
        The search. Default: a new one.
    on_progress : callable, optional
        Is called after each position with what there is, and the number of positions in all.
        What it raises ends the analysis.
    on_interrupt : {"raise", "return"}
        What Ctrl-C does: it is raised, or ends the analysis, which then returns what is finished.
    **options
        Of the new search: ``threads``, ``memory``, ``seed``, and parameters.

    Returns
    -------
    GameAnalysis
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
    >>> from blokus_fast.analysis import analyze_game
    >>> game = bf.Game("duo")
    >>> _ = game.play("e10"), game.play("j5")
    >>> found = analyze_game(game, simulations=100, seed=1)
    >>> [round(sum(ply.value)) for ply in found.plies]
    [1, 1, 1]
    """
    expect(game, (Record, Game), "game")
    called_back(on_progress, "on_progress")
    record = Record.from_game(game) if isinstance(game, Game) else game
    if on_interrupt not in ("raise", "return"):
        raise ValueError(f"on_interrupt must be 'raise' or 'return', not {on_interrupt!r}")
    if mcts is not None and options:
        raise ValueError(f"{', '.join(options)}: say that to the search that you give")
    search = MCTS(record.variant, **options) if mcts is None else mcts
    limits = Thresholds() if thresholds is None else thresholds
    positions = list(_positions(record))
    work = _Work(search, limits, least_visits, moves, simulations, seconds)
    analysis = GameAnalysis(
        variant=record.variant.name,
        names=tuple(record.names),
        plies=(),
        complete=False,
        simulations=None if simulations is None else int(simulations),
        seconds=seconds,
        thresholds=limits,
    )
    try:
        for place, board, action in positions:
            work.add(place, board, action)
            done = len(work.plies) == len(positions)
            analysis = replace(analysis, plies=tuple(work.plies), complete=done)
            if on_progress is not None:
                on_progress(analysis, len(positions))
    except KeyboardInterrupt:
        if on_interrupt == "raise":
            raise
    return analysis


def _positions(record: Record) -> Iterator[tuple[int, Board, int | None]]:
    """Go through the positions of the main line from which a move was made, and the last one."""
    line = [record.root, *record.root.main_line()]
    for place, node in enumerate(line):
        after = line[place + 1] if place + 1 < len(line) else None
        # A set-up in the same node comes before its move, so that the move is made elsewhere.
        action = None if after is None or after.setup is not None else after._action
        if after is None or (action is not None and action >= 0):
            yield place, node.board(), action


class _Work:
    """An analysis on its way: what is known, and the move whose value is still to come."""

    def __init__(
        self,
        mcts: MCTS,
        thresholds: Thresholds,
        least_visits: int,
        moves: int,
        simulations: SupportsIndex | None,
        seconds: float | None,
    ) -> None:
        self.mcts = mcts
        self.thresholds = thresholds
        self.least_visits = least_visits
        self.moves = moves
        self.simulations = simulations
        self.seconds = seconds
        self.plies: list[PlyAnalysis] = []
        self.waiting: Board | None = None

    def add(self, place: int, board: Board, action: int | None) -> None:
        """Analyze a position, and with it the move before it, if that had to wait."""
        if board.is_game_over:
            scores = board.player_scores()
            values = tuple(round(value, 4) for value in self.mcts.values_of(scores))
            entry = PlyAnalysis(
                place, board.ply, values, tuple(map(float, scores)), over=True, found=None
            )
            self.judge_last(board, entry, "end")
            self.plies.append(entry)
            return
        result = self.search(board)
        found = describe_result(self.mcts, board, result, self.moves)
        entry = PlyAnalysis(place, board.ply, found.value, found.score, over=False, found=found)
        # Now, since to judge the move before may take a search of another position.
        played = None if action is None else describe_move(self.mcts, board, result, action)
        self.judge_last(board, entry, "next")
        if played is not None:
            entry = self.judge(board, played, entry, result)
        self.plies.append(entry)

    def search(self, board: Board) -> SearchResult:
        """Search a position with the budget."""
        return self.mcts.search(
            board, simulations=self.simulations, seconds=self.seconds, early_stop=False
        )

    def judge(
        self, board: Board, played: Candidate, entry: PlyAnalysis, result: SearchResult
    ) -> PlyAnalysis:
        """Judge the move that was played, if this search knows enough of it."""
        found = entry.found
        assert found is not None
        entry = replace(entry, played=played)
        best = found.best
        total = int(result.visits.sum())
        # Where the root was solved the other moves were hardly looked at.
        enough = self.least_visits if result.solved else min(self.least_visits, max(total // 2, 1))
        known = played.value is not None and (played.proven or played.visits >= enough)
        if known or played.move == best.move:
            return self.marked(entry, played, "search")
        self.waiting = board.copy()
        self.waiting.push(played.move)
        return entry

    def judge_last(self, board: Board, behind: PlyAnalysis, source: str) -> None:
        """Judge the move before this position with what the position is worth."""
        waiting, self.waiting = self.waiting, None
        if waiting is None:
            return
        last = self.plies[-1]
        assert last.played is not None
        if waiting != board:
            # Something else was set up behind the move.
            if waiting.is_game_over:
                scores = tuple(map(float, waiting.player_scores()))
                value, source = tuple(self.mcts.values_of(waiting.player_scores())), "end"
            else:
                result = self.search(waiting)
                value, scores = tuple(map(float, result.value)), tuple(map(float, result.score))
                source = "next"
        else:
            value, scores = behind.value, behind.score
        played = replace(last.played, value=value, score=scores)
        self.plies[-1] = self.marked(last, played, source)

    def marked(self, entry: PlyAnalysis, played: Candidate, source: str) -> PlyAnalysis:
        """Add loss and mark."""
        assert entry.found is not None
        best, player = entry.found.best, entry.found.player
        if played.value is None or best.value is None:
            return replace(entry, played=played)
        loss = 0.0
        if played.move != best.move:
            loss = round(max(0.0, best.value[player] - played.value[player]), 4)
        return replace(
            entry, played=played, played_from=source, loss=loss, mark=self.thresholds.mark(loss)
        )
