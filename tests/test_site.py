"""The site of the documentation, as far as it can be tested without building it."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import runpy
from inspect import ismodule
from pathlib import Path
from typing import Any

import pytest
from docstrings import NEEDED, ROOT, documented, members, public_things, types_met

import blokus_fast as bf

DOCS = ROOT / "docs"
# What a program that uses the package imports; everything in them is in the reference.
PUBLIC = (
    "analysis", "arena", "bots", "contest", "contest.bridge", "envs.blokus_v0", "envs.gym_v0",
    "envs.heads", "envs.measuring", "envs.openspiel", "envs.opponents", "envs.policies",
    "envs.views", "executors", "gtp", "match", "native", "png", "records", "render", "replay",
    "search", "selfplay", "svg",
)  # fmt: skip
# Modules that have their names at the top of the package, too.
SPREAD = ("moves", "scoring", "variants")
# A module whose names are at the top, too, and that has an entry as a whole.
LIGHT = ("blokus_fast.records",)


def in_reference(module: str, name: str) -> bool:
    """Say whether a name of a module has an entry, of its own or with a whole module."""
    found = documented()
    whole = [importlib.import_module(path) for path in found if path in LIGHT]
    there = any(getattr(bf, name, None) is getattr(each, name, 0) for each in whole)
    return there or name in found.get(f"blokus_fast{module}", [])


@pytest.mark.parametrize("module", PUBLIC)
def test_modules_are_in_the_reference(module: str) -> None:
    assert documented().get(f"blokus_fast.{module}") == []


@pytest.mark.parametrize("name", sorted(set(bf.__all__)))
def test_names_are_in_the_reference(name: str) -> None:
    thing = getattr(bf, name)
    if ismodule(thing) or not callable(thing):
        pytest.skip("no class or function")
    assert in_reference("", name)


@pytest.mark.parametrize("module", SPREAD)
def test_functions_of_spread_modules_are_in_the_reference(module: str) -> None:
    owner = importlib.import_module(f"blokus_fast.{module}")
    for name in owner.__all__:
        if callable(getattr(owner, name)):
            assert in_reference("", name) or in_reference(f".{module}", name), name


def test_members_of_boards_are_in_the_reference() -> None:
    """They are listed one by one, in an order that says what belongs together."""
    page = (DOCS / "reference" / "board.md").read_text(encoding="utf-8")
    listed = re.findall(r"auto(?:method|attribute):: blokus_fast\.Board\.(\w+)", page)
    assert sorted(listed) == sorted({name for name, _ in members(bf.Board)} - {"rules"})


# Classes in signatures that are inner parts: nobody makes or reads them.
INNER = {"Batch", "Rules"}


def test_types_in_signatures_are_in_the_reference() -> None:
    """Who is handed an object, or asked for one, can look up what it is."""
    listed, met = set(), {}
    for path, names in documented().items():
        if NEEDED.get(path) and importlib.util.find_spec(NEEDED[path]) is None:
            continue
        module = importlib.import_module(path)
        for name in names or module.__all__:
            thing = getattr(module, name)
            owner = getattr(thing, "__module__", "")
            listed.add((owner, name))
            if (name, thing) in public_things(module) or inspect.isclass(thing):
                met[f"{path}.{name}"] = set(types_met(owner, name))
    assert ("blokus_fast._core", "LegalMoves") in met["blokus_fast.Board"]
    hidden = {
        f"{name} of {owner}, which {user} names"
        for user, types in met.items()
        for owner, name in types - listed
        if name not in INNER and not name.startswith("_")
    }
    assert not hidden, "\n".join(sorted(hidden))


def test_every_page_is_in_the_index() -> None:
    """What is not there has no place in the navigation, and the site is not built."""
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([\w./-]+\.md)\)", index))
    pages = {str(path.relative_to(DOCS)).replace("\\", "/") for path in DOCS.rglob("*.md")}
    assert {page for page in pages - linked if not page.startswith("site/")} == {"index.md"}


@pytest.fixture(scope="module")
def check() -> Any:
    return runpy.run_path(str(DOCS / "check_site.py"))["broken_links"]


@pytest.mark.parametrize(
    ("link", "is_broken"),
    [
        ("other.html", False), ("other.html#there", False), ("#here", False), ("#", False),
        ("https://example.org/nowhere#x", False), ("a%20picture.svg", False),
        ("missing.html", True), ("other.html#here", True), ("#there", True),
        ("a picture.png", True),
    ],
)  # fmt: skip
def test_broken_links_are_found(check: Any, tmp_path: Path, link: str, is_broken: bool) -> None:
    (tmp_path / "index.html").write_text(f'<p id="here"><a href="{link}">x</a><img src="{link}">')
    (tmp_path / "other.html").write_text('<h2 id="there">y</h2>')
    (tmp_path / "a picture.svg").write_text("<svg/>")
    assert check(tmp_path) == ([f"index.html: {link}"] * 2 if is_broken else [])
