"""The page of a run: results, ratings, margins, cross-table, and all games with their replays.

Writes ``report.html`` and the pages of single games into ``replays`` beside it. The page loads
nothing; a policy in it makes browsers refuse whatever a bot's name might try.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from html import escape
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Final

from blokus_fast import __version__
from blokus_fast.arena.games import record_of
from blokus_fast.arena.plots import margins_plot, ratings_plot
from blokus_fast.arena.ratings import difference_words
from blokus_fast.arena.report import BotResult, Report
from blokus_fast.checking import called_back
from blokus_fast.files import write_file
from blokus_fast.html import digest, fill, plain, theme_rules
from blokus_fast.replay import page as replay_page
from blokus_fast.words import counted

__all__ = ["PAGE", "REPLAYS", "write_page"]

PAGE: Final = "report.html"
REPLAYS: Final = "replays"

_HEADINGS: Final = (
    "bot", "rating", "interval", "games", "wins", "draws", "losses", "score", "interval", "margin",
    "CPU s a game",
)  # fmt: skip


def write_page(
    report: Report,
    folder: str | PathLike[str],
    *,
    replays: int = 200,
    on_replay: Callable[[int], object] | None = None,
) -> Path:
    """Write the page of a run and the replays of its games.

    Parameters
    ----------
    report : Report
        The run.
    folder : str or path
        Where to.
    replays : int
        The replays of so many games are written, the first ones and all that were broken off.
    on_replay : callable, optional
        Is told after each one how many there are.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    OSError
        Something cannot be written.
    ImportError
        matplotlib is not installed.
    TypeError
        `on_replay` cannot be called.

    Examples
    --------
    >>> import tempfile
    >>> from blokus_fast.arena import run
    >>> from blokus_fast.arena.page import write_page
    >>> report = run(["greedy", "random"], "duo", 2, workers=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = write_page(report, folder)
    ...     page.name, len(list((page.parent / "replays").iterdir()))
    ('report.html', 2)
    """
    called_back(on_replay, "on_replay")
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    linked = _write_replays(report, target, replays, on_replay)
    page = target / PAGE
    write_file(page, page_text(report, linked).encode())
    return page


def _write_replays(
    report: Report, folder: Path, most: int, on_replay: Callable[[int], object] | None
) -> set[int]:
    chosen = report.games[:most] + [game for game in report.games[most:] if game["failure"]]
    if chosen:
        (folder / REPLAYS).mkdir(exist_ok=True)
    for count, result in enumerate(chosen, start=1):
        record = record_of(result, report.settings.variant)
        title = f"game {result['number'] + 1}: {' - '.join(record.names)}"
        html = replay_page(record, title=title)
        write_file(folder / _replay(result["number"]), html.encode())
        if on_replay is not None:
            on_replay(count)
    return {result["number"] for result in chosen}


def _replay(number: int) -> str:
    return f"{REPLAYS}/{number + 1:06}.html"


def page_text(report: Report, linked: Iterable[int] = ()) -> str:
    """Return the page as text.

    Parameters
    ----------
    report : Report
        The run.
    linked : iterable of int
        Numbers of the games that there are replays of.

    Returns
    -------
    str
        An HTML document.
    """
    source = files("blokus_fast.arena")
    style = f"\n{theme_rules()}\n{source.joinpath('page.css').read_text(encoding='utf-8')}"
    title = f"{' - '.join(report.settings.labels)}: {report.settings.variant.name}"
    results = report.results
    ratings = ", ".join(f"{result.bot} {result.rating:+z.0f}" for result in results)
    margins = ", ".join(f"{result.bot} {_signed(result.mean_margin)}" for result in results)
    numbers = set(linked)
    missing = len(report.games) - len(numbers)
    parts = {
        "policy": "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"style-src {digest(style)}",
        "title": _text(title),
        "style": style,
        "facts": _text(_facts(report)),
        "notices": _notices(report),
        "results": _results_table(results),
        "pairs": _pairs(report),
        "ratings_text": _text(f"Ratings: {ratings}"),
        "ratings_plot": _data(ratings_plot(report)),
        "margins_text": _text(f"Margins: {margins}"),
        "margins_plot": _data(margins_plot(report)),
        "cross": _cross_table(report),
        "games_note": ""
        if not missing
        else f'<p class="muted">There are replays of {counted(len(numbers), "game")}; '
        "all of them are in games.blksgf.</p>",
        "games": _games_table(report, numbers),
    }
    template = source.joinpath("page.html").read_text(encoding="utf-8")
    return fill(template, parts)


def _text(text: object) -> str:
    return escape(plain(str(text)))


def _data(picture: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(picture).decode('ascii')}"


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+z.1f}"


def _facts(report: Report) -> str:
    settings = report.settings
    openings = f"{settings.random_plies} random plies"
    if settings.openings:
        openings = f"{len(settings.openings)} openings of a file"
    parts = [
        f"{counted(len(report.games), 'game')} of {settings.variant.name}",
        f"scoring {settings.variant.scoring_name}",
        openings,
        f"seed {settings.seed}",
    ]
    if settings.seats is not None:
        parts.insert(1, f"seats {settings.seats}")
    clock = settings.clock
    if clock is not None:
        per = "a move" if clock.remaining is None else "a game"
        parts.append(f"{clock.limit:g} s {per}")
    parts.append(f"blokus-fast {__version__}")
    return ", ".join(parts)


def _notices(report: Report) -> str:
    notices = []
    if report.interrupted:
        notices.append(
            f"Interrupted after {len(report.games)} of {counted(report.settings.games, 'game')}."
        )
    test = report.sprt
    if test is not None:
        hypotheses = report.settings.sprt
        assert hypotheses is not None
        said = hypotheses.words(test, report.settings.labels[0])
        notices.append(
            f"Sequential test: {said}; log-likelihood ratio {test.llr:+z.2f} of "
            f"{test.lower:.2f} to {test.upper:.2f}."
        )
    if report.difference is not None:
        notices.append(f"{difference_words(report.settings.labels[0], *report.difference)}.")
    if report.tally.failures:
        kinds = [failure["bot"] for failure in report.tally.failures]
        told = ", ".join(f"{bot} {kinds.count(bot)}" for bot in dict.fromkeys(kinds))
        notices.append(f"Games lost by a fault of the bot: {told}.")
    notices += report.notes()
    return "".join(f'<p class="notice">{_text(notice)}</p>' for notice in notices)


def _results_table(results: list[BotResult]) -> str:
    rows = []
    for result in results:
        low, high = (100 * share for share in result.score_interval)
        cells = (
            f"{result.rating:+z.0f}",
            f"{result.interval[0]:+z.0f} to {result.interval[1]:+z.0f}",
            result.games,
            result.wins,
            result.draws,
            result.losses,
            f"{100 * result.score / result.games:.1f} %" if result.games else "-",
            f"{low:.1f} to {high:.1f} %",
            _signed(result.mean_margin),
            "-" if result.cpu_seconds is None else f"{result.cpu_seconds:.3g}",
        )
        rows.append(_row(_heading(result.bot), *(f"<td>{_text(cell)}</td>" for cell in cells)))
    return _table(_HEADINGS, rows)


def _pairs(report: Report) -> str:
    pairs = report.pairs
    if pairs is None:
        return ""
    first = report.settings.labels[0]
    told = ", ".join(f"{points}: {count}" for points, count in pairs.items())
    return f'<p class="muted">Pairs of games by the points of {_text(first)}: {told}.</p>'


def _cross_table(report: Report) -> str:
    order = sorted(range(len(report.settings.bots)), key=lambda bot: -report.ratings.ratings[bot])
    labels, table = report.settings.labels, report.cross_table()
    rows = []
    for bot in order:
        cells = []
        for other in order:
            entry = table[bot][other]
            if entry is None:
                cells.append(f'<td class="self">{"·" if bot == other else "-"}</td>')
                continue
            margin = _signed(entry["mean_margin"])
            cells.append(f"<td>{entry['score']:g} of {entry['games']}<small>{margin}</small></td>")
        rows.append(_row(_heading(labels[bot]), *cells))
    return _table(("", *(labels[bot] for bot in order)), rows)


def _games_table(report: Report, linked: set[int]) -> str:
    rows = []
    for result in report.games:
        number = result["number"]
        name = f"{number + 1}"
        if number in linked:
            name = f'<a href="{_replay(number)}">{name}</a>'
        players = []
        for player, bot in enumerate(result["bots"]):
            won = player in result["winners"]
            score = "" if result["scores"] is None else f" {result['scores'][player]}"
            text = _text(bot + score)
            players.append(f'<span class="won">{text}</span>' if won else text)
        failure = result["failure"]
        note = counted(len(result["moves"]), "move")
        if failure is not None:
            note = f"{failure['bot']}: {failure['text']}"
        kind = ' class="failed"' if failure is not None else ""
        rows.append(
            _row(
                f"<td>{name}</td>",
                f"<td>{result['opening'] + 1}</td>",
                f"<td>{', '.join(players)}</td>",
                f"<td{kind}>{_text(note)}</td>",
            )
        )
    return _table(("game", "opening", "players in the order of their seats, with scores", ""), rows)


def _heading(text: str) -> str:
    return f'<th scope="row">{_text(text)}</th>'


def _row(*cells: str) -> str:
    return f"<tr>{''.join(cells)}</tr>\n"


def _table(headings: Iterable[str], rows: list[str]) -> str:
    head = "".join(f'<th scope="col">{_text(heading)}</th>' for heading in headings)
    return f"<thead><tr>{head}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody>"
