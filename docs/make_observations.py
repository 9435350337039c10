"""Write the table of planes in docs/observations.md from what the engine does.

Run it after a change to the planes or the variants: ``python docs/make_observations.py``.
"""

from __future__ import annotations

from pathlib import Path

import blokus_fast as bf

PAGE = Path(__file__).with_name("observations.md")
HEADING = "## Planes of each variant\n"


def table() -> str:
    """Return the table: a row a variant, a column a group, and which planes are the group's."""
    observers = {name: bf.Observer(name) for name in bf.VARIANTS}
    groups: list[str] = []
    for observer in observers.values():
        for place, group in enumerate(observer.groups):
            if group not in groups:
                before = list(observer.groups)[:place]
                groups.insert(max((groups.index(each) + 1 for each in before), default=0), group)
    lines = [
        "| variant | planes | " + " | ".join(f"`{group}`" for group in groups) + " |",
        "|---" * (len(groups) + 2) + "|",
    ]
    for name, observer in observers.items():
        cells = [f"`{name}`", str(observer.shape[0])]
        for group in groups:
            part = observer.groups.get(group, slice(0, 0))
            last = part.stop - 1
            cells.append(f"{part.start} to {last}" if part.start < last else str(part.start))
            if group not in observer.groups:
                cells[-1] = ""
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """Return the page with the table as it must be."""
    head, rest = text.split(HEADING)
    before, _, after = rest.partition("| variant |")
    _, _, after = after.partition("\n\n")
    return f"{head}{HEADING}{before}{table()}\n{after}"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
