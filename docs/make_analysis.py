#!/usr/bin/env python3
"""Make the pictures of docs/analysis.md: ``python docs/make_analysis.py``.

They show a search, which is a little different on every computer, so that no test compares them.
The page needs Chromium; without it its picture stays as it is.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from pathlib import Path

from rich.console import Console

import blokus_fast as bf
from blokus_fast.analysis import analyze, analyze_game
from blokus_fast.cli.views import position_view
from blokus_fast.replay import page

HERE = Path(__file__).resolve().parent
SIMULATIONS = 20_000


def terminal() -> str:
    """Return the screen of ``blokus-fast analyze``, as SVG that loads nothing."""
    record = bf.records.read(HERE.parent / "examples" / "classic.blksgf")
    game = record.to_game()
    while len(game.moves) > 30:
        game.undo()
    found = analyze(game.board, simulations=SIMULATIONS, seed=1)
    out = Console(
        record=True, width=112, force_terminal=True, color_system="truecolor",
        file=io.StringIO(), highlight=False,
    )  # fmt: skip
    out.print(position_view(found, record.variant, record.names, width=112))
    picture = out.export_svg(title="blokus-fast analyze", unique_id="analyze")
    picture = re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", picture, flags=re.DOTALL)
    return re.sub(r"Fira Code", "DejaVu Sans Mono", picture)


def photograph(target: Path) -> None:
    """Save a picture of a game's page, where there is a browser."""
    sys.path.insert(0, str(HERE.parent / "tests"))
    import browser as browsers

    program = browsers.find()
    if program is None:
        print("no Chromium: the picture of the page stays as it is")
        return
    record = bf.records.read(HERE.parent / "examples" / "duo.blksgf")
    analysis = analyze_game(record, simulations=SIMULATIONS, seed=1)
    with tempfile.TemporaryDirectory() as name, browsers.browser(program, Path(name)) as tab:
        file = Path(name, "page.html")
        file.write_text(page(record, ply=14, analysis=analysis), encoding="utf-8")
        tab.screen(1200, 1000)
        tab.open(file.as_uri())
        tab.run("document.getElementById('heat').click()")
        tab.run("document.querySelector('#alternatives button').click()")
        tab.picture(target)


def main() -> None:
    """Write the files."""
    (HERE / "img" / "analyze.svg").write_text(terminal(), encoding="utf-8")
    photograph(HERE / "img" / "analysis.png")


if __name__ == "__main__":
    main()
