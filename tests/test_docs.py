"""What the documentation says: its examples run, its links lead somewhere, its figures hold."""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from docstrings import members

import blokus_fast as bf
from blokus_fast import _core

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
# That of AlphaZero takes minutes, and has tests of its own in test_alphazero.py.
EXAMPLES = sorted(set((ROOT / "examples").glob("*.py")) - {ROOT / "examples" / "alphazero.py"})
MODULES = [
    "blokus_fast",
    *(
        info.name
        for info in pkgutil.walk_packages(bf.__path__, "blokus_fast.")
        if not info.name.endswith("__main__")
    ),
]
# Native code shows where it stands in a traceback; what the error says is what counts.
FLAGS = doctest.ELLIPSIS

# These have no need of an example: `_core` is private, and its public part is in blokus_fast.
WITHOUT_EXAMPLE = {"blokus_fast._core"}

# What the modules of learning environments import, and the extra that has it.
ENVIRONMENTS = {
    "blokus_v0": ("pettingzoo", "rl"),
    "gym_v0": ("gymnasium", "rl"),
    "single": ("gymnasium", "rl"),
    "spaces": ("gymnasium", "rl"),
    "measuring": ("gymnasium", "rl"),
    "vector": ("gymnasium", "rl"),
    "openspiel": ("pyspiel", "openspiel"),
}


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT)).replace(os.sep, "/")


def load(name: str) -> ModuleType:
    if name.startswith("blokus_fast.cli."):
        for needed in ("click", "rich"):
            pytest.importorskip(needed, reason="the command line is the extra `cli`")
    if name.startswith("blokus_fast.selfplay"):
        pytest.importorskip("pyarrow", reason="shards are the extra `selfplay`")
    if name.startswith("blokus_fast.envs."):
        needed, extra = ENVIRONMENTS.get(name.rpartition(".")[2], ("numpy", ""))
        pytest.importorskip(needed, reason=f"{needed} is in the extra `{extra}`")
    if name == "blokus_fast.contest.bridge":
        pytest.importorskip("socha", reason="the official client is in the extra `contest`")
    return importlib.import_module(name)


def run_examples(found: doctest.DocTest) -> int:
    """Run one text's examples; return how many there were."""
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(found, out=report.append)
    assert result.failed == 0, "".join(report)
    return result.attempted


def text_examples(text: str, path: str) -> doctest.DocTest:
    # Sessions with programs that need not be there are shown, and not run.
    text = re.sub(r"^```console\n.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    # A fence may stand right below an example, and is no output.
    text = re.sub(r"^```\w*$", "", text, flags=re.MULTILINE)
    return doctest.DocTestParser().get_doctest(text, {}, path, path, 0)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_examples_of_pages(page: Path) -> None:
    if page.name == "selfplay.md":
        pytest.importorskip("pyarrow", reason="shards are the extra `selfplay`")
    count = run_examples(text_examples(page.read_text(encoding="utf-8"), name_of(page)))
    if page.name in ("README.md", "api.md", "random.md"):
        assert count > 0


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name: str) -> None:
    module = load(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = finder.find(module, name)
    for text in found:
        run_examples(text)


COMPILED = {
    **{name: getattr(bf, name) for name in ("Board", "perft", "divide", "cpu_info")},
    **{f"Board.{name}": member for name, member in members(bf.Board)},
    **{
        f"BatchBoard.{name}": member
        for name, member in members(bf.BatchBoard)
        if name in vars(_core.Batch)
    },
}


@pytest.mark.parametrize("part", sorted(set(COMPILED) - {"Board.rules", "BatchBoard.rules"}))
def test_examples_of_the_core(part: str) -> None:
    """The finder of doctest passes over what is compiled."""
    text = inspect.getdoc(COMPILED[part])
    assert text is not None
    assert run_examples(text_examples(text, part)) > 0


PUBLIC_PARTS = {
    *bf.__all__,
    *("bots.make", "render.board_text", "png.from_svg", "replay.page"),
    *("svg.board", "svg.hand", "svg.move", "svg.piece"),
    *("analysis.analyze", "analysis.analyze_game", "analysis.GameAnalysis"),
    *("selfplay.Positions", "selfplay.Settings", "selfplay.read", "selfplay.run"),
    *("analysis.PositionAnalysis", "analysis.describe_result", "analysis.Thresholds"),
}


def test_pentobi_is_started_so_that_it_runs() -> None:
    """Without a file for its book, it ends at once."""
    sources = [*PAGES, *(ROOT / "blokus_fast").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    commands = 0
    for path in sources:
        text = path.read_text(encoding="utf-8")
        for command in re.findall(r"pentobi-gtp((?:\.exe)? --[^\n;`]*)", text):
            # An option of a benchmark is none of Pentobi's.
            if re.match(r" --(large|games)", command):
                continue
            commands += 1
            assert "--nobook" in command or "--book" in command, f"{path.name}: {command}"
    assert commands > 8


@pytest.mark.parametrize("part", sorted(PUBLIC_PARTS))
def test_every_public_name_is_documented(part: str) -> None:
    """In its docstring, and on the page of the API."""
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    module, _, name = part.rpartition(".")
    assert re.search(rf"\b{name}\b", page), f"docs/api.md does not mention {part}"
    owner = load(f"blokus_fast.{module}") if module else bf
    thing = getattr(owner, name)
    if callable(thing):
        text = inspect.getdoc(thing)
        assert text
        assert text.partition("\n")[0].endswith(".")


@pytest.mark.parametrize("script", EXAMPLES, ids=name_of)
def test_examples_run(script: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
    assert list(tmp_path.iterdir()) == []


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 3
    assert len(PAGES) >= 6
    assert {"blokus_fast._core", "blokus_fast.game", "blokus_fast.cli.play"} <= set(MODULES)


def anchors(page: Path) -> set[str]:
    """Return the anchors that a page's headings get."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.is_file(), f"{name_of(page)} links to {target}, which does not exist"
        if anchor:
            assert anchor in anchors(there), f"{name_of(page)}: no heading for {target}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_paths_in_the_text_exist(page: Path) -> None:
    """In a checkout: the pages name files of the sources, which a wheel does not have."""
    if not (ROOT / "src").is_dir():
        pytest.skip("this is no checkout")
    text = page.read_text(encoding="utf-8")
    for path in re.findall(
        r"`((?:src|blokus_fast|tests|docs|examples|cmake|benchmarks)/[\w./]*)`", text
    ):
        assert (ROOT / path).exists(), f"{name_of(page)} names {path}, which does not exist"


def page_rows(page: str, heading: str) -> list[list[str]]:
    """Return the rows of the first table below a heading, as texts without back quotes."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8").split(f"## {heading}\n")[1]
    table = re.search(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
    assert table is not None
    rows = [
        [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        for line in table[0].splitlines()
    ]
    return rows[2:]


def test_the_table_of_variants_is_true() -> None:
    rows = {row[0]: row for row in page_rows("rules.md", "Variants")}
    assert set(rows) == set(bf.VARIANTS)
    for name, variant in bf.VARIANTS.items():
        _, board, players, colors, pieces, start, scoring = rows[name]
        assert board == f"{variant.size} \N{MULTIPLICATION SIGN} {variant.size}"
        assert players == str(variant.players)
        if not colors.startswith("as "):
            assert colors.split(", ") == [variant.color_names[c] for c in variant.order]
        assert (start, scoring) == (variant.start, variant.scoring_name)
        if pieces == "the 21":
            assert set(variant.pieces) == {bf.PIECES}


def test_the_table_of_scoring_rules_is_complete() -> None:
    rows = {row[0]: row for row in page_rows("rules.md", "Scoring")}
    assert set(rows) == set(bf.SCORING_RULES)
    for name, rule in bf.SCORING_RULES.items():
        assert rows[name][2] == ("the lowest" if rule.lowest_wins else "the highest")


def test_the_numbers_of_first_moves_are_true() -> None:
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| `([\w-]+)` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", text, re.M)
    assert len(table) >= 3
    for name, *counts in table:
        for start, count in zip(("assigned", "any", "border"), counts, strict=True):
            board = bf.Board(name, start=start)
            assert board.count_legal() == int(count.replace(",", "")), (name, start)
