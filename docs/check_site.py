#!/usr/bin/env python3
"""Look whether every link of a site leads somewhere: ``python docs/check_site.py FOLDER``.

Links within the site only, with their anchors, and pictures. It needs the standard library only.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """What a page links to, and what can be linked to in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note links and anchors."""
        for name, value in attrs:
            if name in ("href", "src") and tag in ("a", "img") and value:
                self.links.append(value)
            if name in ("id", "name") and value:
                self.anchors.add(value)


def broken_links(folder: Path) -> list[str]:
    """Return the links of a site that lead nowhere, with the pages that they are on."""
    folder = folder.resolve()
    pages = {
        path: Page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))
    }
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = pages.get(target)
            missing = known and unquote(parts.fragment) not in known.anchors
            if missing or not target.is_file():
                broken.append(f"{path.relative_to(folder)}: {link}")
    return broken


def main() -> None:
    """Print what is broken, and fail if anything is."""
    (folder,) = sys.argv[1:]
    broken = broken_links(Path(folder))
    for line in broken:
        print(line)
    if broken:
        raise SystemExit(f"{len(broken)} links lead nowhere")
    print("every link leads somewhere")


if __name__ == "__main__":
    main()
