"""Pictures of a run, drawn by matplotlib: ratings with intervals, margins."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, Final

from blokus_fast.arena.report import Report
from blokus_fast.extras import install_hint

__all__ = ["margins_plot", "need_matplotlib", "ratings_plot"]

_WIDTH: Final = 7.2
# Readable on white and on black.
_INK: Final = "#7a7f87"
_COLOR: Final = "#3b82c4"
_LONGEST: Final = 36


def need_matplotlib() -> Any:
    """Import the library, or say what to do.

    Raises
    ------
    ImportError
        It is not installed.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise ImportError(f"plots need matplotlib ({error}): {install_hint('arena')}") from error
    return matplotlib


def ratings_plot(report: Report) -> bytes:
    """Draw the ratings of all bots with their intervals.

    Parameters
    ----------
    report : Report
        The run.

    Returns
    -------
    bytes
        An SVG file; the same for the same report.

    Examples
    --------
    >>> from blokus_fast.arena import run
    >>> from blokus_fast.arena.plots import ratings_plot
    >>> report = run(["greedy", "random"], "duo", 2, workers=1)
    >>> b"<svg" in ratings_plot(report)
    True
    """

    def draw(axes: Any) -> None:
        results = report.results[::-1]
        for row, result in enumerate(results):
            low, high = result.interval
            axes.plot([low, high], [row, row], color=_COLOR, linewidth=2.5, alpha=0.55)
            axes.plot([result.rating], [row], "o", color=_COLOR, markersize=7)
            axes.annotate(
                f"{result.rating:+z.0f}",
                (result.rating, row),
                xytext=(0, 8),
                textcoords="offset points",
                ha="center",
                color=_INK,
                fontsize=9,
            )
        axes.set_yticks(range(len(results)), [_short(result.bot) for result in results])
        axes.set_ylim(-0.6, len(results) - 0.3)
        axes.axvline(0, color=_INK, linewidth=0.8, linestyle=":")
        axes.set_xlabel("rating (Elo), with intervals of 95 %")

    return _svg(draw, len(report.results))


def margins_plot(report: Report) -> bytes:
    """Draw how far every bot was ahead, over all of its games.

    Parameters
    ----------
    report : Report
        The run.

    Returns
    -------
    bytes
        An SVG file: boxes from the lower to the upper quarter, with the median.

    Examples
    --------
    >>> from blokus_fast.arena import run
    >>> from blokus_fast.arena.plots import margins_plot
    >>> report = run(["greedy", "random"], "duo", 2, workers=1)
    >>> b"<svg" in margins_plot(report)
    True
    """

    def draw(axes: Any) -> None:
        results = report.results[::-1]
        margins = report.margins
        style = {"color": _INK}
        axes.boxplot(
            [margins[result.bot] for result in results],
            orientation="horizontal",
            positions=range(len(results)),
            widths=0.5,
            patch_artist=True,
            boxprops={"facecolor": _COLOR, "alpha": 0.45, "edgecolor": _INK},
            medianprops={"color": _COLOR, "linewidth": 2.5},
            whiskerprops=style,
            capprops=style,
            flierprops={"markeredgecolor": _INK, "markersize": 3, "alpha": 0.5},
        )
        axes.set_yticks(range(len(results)), [_short(result.bot) for result in results])
        axes.set_ylim(-0.6, len(results) - 0.4)
        axes.axvline(0, color=_INK, linewidth=0.8, linestyle=":")
        axes.set_xlabel("points before the others")

    return _svg(draw, len(report.results))


def _svg(draw: Callable[[Any], None], rows: int) -> bytes:
    matplotlib = need_matplotlib()
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    settings = {
        "svg.hashsalt": "blokus-fast",
        "svg.fonttype": "path",
        "text.parse_math": False,
        "font.size": 10,
        "text.color": _INK,
        "axes.edgecolor": _INK,
        "axes.labelcolor": _INK,
        "xtick.color": _INK,
        "ytick.color": _INK,
    }
    with matplotlib.rc_context(settings):
        figure = Figure(figsize=(_WIDTH, 1.1 + 0.55 * rows), layout="constrained")
        axes = figure.add_subplot()
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        axes.tick_params(axis="y", length=0)
        draw(axes)
        file = io.BytesIO()
        FigureCanvasSVG(figure).print_svg(file, metadata={"Date": None})
    return file.getvalue()


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[:_LONGEST]}…"
