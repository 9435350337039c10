"""What to install: every hint and every page names what works, before a release too."""

import re
import tomllib
from pathlib import Path

import pytest

from blokus_fast.extras import install_hint, libraries

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
TEXTS = [
    path
    for folder in ("blokus_fast", "docs", "examples")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".py", ".md", ".html", ".js")
] + [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def whole(extra):
    """Return what an extra brings, as pyproject.toml says it."""
    found = set()
    for requirement in EXTRAS[extra]:
        ours = re.fullmatch(r"blokus-fast\[([\w,-]+)\]", requirement)
        found |= (
            set().union(*map(whole, ours[1].split(","))) if ours else {requirement.replace(" ", "")}
        )
    return found


@pytest.mark.parametrize("extra", EXTRAS)
def test_hints_name_what_an_extra_brings(extra):
    found = libraries(extra)
    # Versions may be said in another order.
    assert {re.match(r"[\w.-]+", one)[0] for one in found} == {
        re.match(r"[\w.-]+", one)[0] for one in whole(extra)
    }
    hint = install_hint(extra)
    assert hint.startswith("pip install '")
    assert hint.endswith(f"(or, in the folder of the sources, pip install '.[{extra}]')")
    assert "blokus-fast" not in hint


def test_an_extra_that_is_none():
    assert libraries("gold") == ()
    assert (
        install_hint("gold") == "pip install '.[gold]' in the folder of the sources of blokus-fast"
    )


def test_nothing_tells_to_install_what_is_not_released():
    wrong = re.compile(r"pip install.*blokus[-_]fast(\[|'|$|\s)")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in TEXTS
        for line in path.read_text(encoding="utf-8").splitlines()
        if wrong.search(line)
    ]
    assert found == []


def test_extras_that_are_named_are_there():
    named = re.compile(r"pip install '?\.\[([\w,-]+)\]|install_hint\([\"']([\w-]+)[\"']\)")
    for path in TEXTS:
        for match in named.finditer(path.read_text(encoding="utf-8")):
            for extra in (match[1] or match[2]).split(","):
                assert extra in EXTRAS or path.name == "extras.py", (path, extra)
