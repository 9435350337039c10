#!/usr/bin/env python3
"""Make the picture of docs/arena.md: ``python docs/make_arena.py``. Needs Chromium.

Its times are those of one computer, so that no test compares it.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from blokus_fast.arena import run
from blokus_fast.arena.page import write_page

HERE = Path(__file__).resolve().parent
BOTS = ("mcts:2", "mcts:1", "corner", "greedy")


def main() -> None:
    """Play, and take a picture of the page."""
    sys.path.insert(0, str(HERE.parent / "tests"))
    import browser as browsers

    program = browsers.find()
    if program is None:
        sys.exit("no Chromium: the picture stays as it is")
    report = run(BOTS, "duo", 240, seed=1)
    with tempfile.TemporaryDirectory() as name, browsers.browser(program, Path(name)) as tab:
        page = write_page(report, Path(name, "run"), replays=1)
        tab.screen(1160, 1500)
        tab.open(page.as_uri())
        tab.picture(HERE / "img" / "arena.png")


if __name__ == "__main__":
    main()
