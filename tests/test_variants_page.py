"""docs/variants.md is what its script makes of the engine's data."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

import blokus_fast as bf

DOCS = Path(__file__).resolve().parent.parent / "docs"
SCRIPT: dict[str, Any] = runpy.run_path(str(DOCS / "make_variants.py"))
PAGE = (DOCS / "variants.md").read_text(encoding="utf-8")


def test_the_page_is_up_to_date() -> None:
    assert SCRIPT["page"]() == PAGE, "run docs/make_variants.py"


def test_every_variant_has_a_section() -> None:
    assert set(SCRIPT["TEXTS"]) == set(bf.VARIANTS)


@pytest.mark.parametrize("name", bf.VARIANTS)
def test_what_a_section_shows(name: str) -> None:
    section = PAGE.split(f"\n## {name}\n")[1].split("\n## ")[0]
    variant = bf.VARIANTS[name]
    for part in ("board", "players", "start rule", "pieces", "scoring", "move ids"):
        assert f"\n| {part} | " in section
    assert f"| legal first moves | {bf.Board(variant).count_legal():,}" in section
    assert f"`{variant.scoring_name}`" in section
    picture = section.split("```text\n")[1].split("```")[0]
    rows = picture.splitlines()[1:-1]
    assert len(rows) == variant.size
    if variant.start != "border":
        for color, squares in enumerate(variant.start_indices):
            for square in squares:
                row, column = divmod(square, variant.size)
                assert rows[row][3 + 2 * column] == variant.color_names[color][0]
    else:
        assert picture.count("+") == 4 * (variant.size - 1)
