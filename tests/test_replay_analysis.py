"""The page of a game that was analyzed: its data, and what a browser makes of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import browser as browsers
import numpy as np
import pytest

import blokus_fast as bf
from blokus_fast.analysis import GameAnalysis, analyze_game
from blokus_fast.html import MARK_COLORS
from blokus_fast.replay import page
from blokus_fast.replay.analysis import analysis_data
from blokus_fast.svg.palettes import THEMES, contrast

SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def random_record(variant: str = "duo", moves: int = 20, seed: int = 4) -> bf.Record:
    """Return a game whose moves are mostly bad ones, with a remark and a variation."""
    rng = np.random.default_rng(seed)
    record = bf.Record(variant)
    node, board = record.root, bf.Board(variant)
    while not board.is_game_over and board.ply < moves:
        node = node.add(int(rng.choice(board.legal_ids())))
        board.push(node.move)
    third = next(node for node in record.main_line() if node.ply == 3)
    third.add(int(third.board().legal_ids()[0])).add(_some(third))
    return record


def _some(node: bf.records.Node) -> int:
    board = node.board()
    board.push(int(board.legal_ids()[0]))
    return int(board.legal_ids()[-1])


@pytest.fixture(scope="module")
def record() -> bf.Record:
    return random_record()


@pytest.fixture(scope="module")
def analysis(record: bf.Record) -> GameAnalysis:
    return analyze_game(record, simulations=300, seed=1, moves=3)


def data_of(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


# -- the data ----------------------------------------------------------------------------------


def test_entries_belong_to_the_nodes_of_the_main_line(
    record: bf.Record, analysis: GameAnalysis
) -> None:
    data = data_of(page(record, analysis=analysis))
    told, nodes = data["analysis"], data["nodes"]
    assert len(told["entries"]) == len(analysis.plies) == 21
    for entry, ply in zip(told["entries"], analysis.plies, strict=True):
        after = [i for i, node in enumerate(nodes) if i and node["parent"] == entry["node"]]
        assert (entry["mark"], entry["loss"]) == (ply.mark, ply.loss)
        assert entry["values"] == list(ply.value)
        assert ply.found is not None
        assert [move["id"] for move in entry["moves"]] == [row.move for row in ply.found.moves]
        assert entry["moves"][0]["value"] == (ply.found.best.value or [None])[ply.player]
        if ply.played is not None:
            assert nodes[after[0]]["text"] == entry["played"]["text"]
    heat = told["entries"][5]["heat"]
    assert len(heat) == 196
    found = analysis.plies[5].found
    assert found is not None
    assert heat[int(np.argmax(found.heat))] == "z"
    assert {heat[square] for square, value in enumerate(found.heat) if not value} == {"0"}


def test_without_an_analysis_nothing_of_it_is_in_the_data(record: bf.Record) -> None:
    assert "analysis" not in data_of(page(record))


def test_an_analysis_of_another_game_is_refused(record: bf.Record, analysis: GameAnalysis) -> None:
    for other in (random_record(seed=5), bf.Record("duo"), bf.Record("junior")):
        with pytest.raises(ValueError, match="of another game"):
            page(other, analysis=analysis)
    with pytest.raises(TypeError, match="analysis"):
        page(record, analysis={})  # type: ignore[arg-type]
    # What was broken off fits as far as it goes.
    part = replace(analysis, plies=analysis.plies[:4], complete=False)
    assert len(data_of(page(record, analysis=part))["analysis"]["entries"]) == 4


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_can_be_read(theme: str) -> None:
    for name, color in MARK_COLORS[theme].items():
        for ground in (THEMES[theme].background, THEMES[theme].board):
            assert contrast(color, ground) >= 4.5, (name, ground)


def test_games_of_every_kind_have_data() -> None:
    for variant in ("classic-3p", "draft", "software-challenge-2027"):
        other = random_record(variant, 8)
        found = analyze_game(other, simulations=20, seed=1)
        line = list(range(len(found.plies)))
        json.dumps(analysis_data(other, found, line), allow_nan=False)


# -- in a browser ------------------------------------------------------------------------------


def show(
    browser: browsers.Browser,
    folder: Path,
    record: bf.Record,
    analysis: GameAnalysis | None,
    ply: int = 0,
) -> None:
    """Open the page of a game."""
    browsers.show(browser, folder, page(record, ply=ply, analysis=analysis))


def texts(browser: browsers.Browser, selector: str) -> list[str]:
    script = f"[...document.querySelectorAll({selector!r})].map(e => e.textContent)"
    found: list[str] = browser.run(script)
    return found


def depth(browser: browsers.Browser) -> int:
    return int(browser.run("document.getElementById('slider').value"))


def visible(browser: browsers.Browser, selector: str) -> bool:
    return bool(browser.run(f"document.querySelector({selector!r}).getClientRects().length > 0"))


def percent(value: float) -> str:
    return f"{int(100 * value + 0.5)}%"


def test_a_page_without_analysis_is_as_it_was(
    browser: browsers.Browser, tmp_path: Path, record: bf.Record
) -> None:
    show(browser, tmp_path, record, None)
    for selector in ("#analysis", "#marks", "#views", "#heat", "#mark-keys", "#verdict"):
        assert not visible(browser, selector), selector
    assert texts(browser, "#curve-title") == ["Scores"]
    assert set(texts(browser, "#players .chance")) == {""}
    browser.key("n")
    assert depth(browser) == 0
    assert browser.complaints() == []


def test_the_best_moves_of_each_position(
    browser: browsers.Browser, tmp_path: Path, record: bf.Record, analysis: GameAnalysis
) -> None:
    show(browser, tmp_path, record, analysis)
    for place in range(6):
        ply = analysis.plies[place]
        assert ply.found is not None
        assert ply.played is not None
        expected = [row.move for row in ply.found.moves]
        if ply.played.move not in expected:
            expected.append(ply.played.move)
        script = "[...document.querySelectorAll('#alternatives button')].map(b => +b.dataset.move)"
        assert browser.run(script) == expected
        played = "document.querySelector('#alternatives .tag').closest('button').dataset.move"
        assert int(browser.run(played)) == ply.played.move
        first = texts(browser, "#alternatives li:first-child .number")
        assert ply.found.best.score is not None
        assert ply.found.best.value is not None
        assert first[0].rstrip("\u2713") == percent(ply.found.best.value[ply.player])
        assert float(first[1].replace("\u2212", "-")) == pytest.approx(
            ply.found.best.score[ply.player], abs=0.06
        )
        assert texts(browser, "#players .chance") == [percent(value) for value in ply.value]
        browser.key("ArrowRight")
    # Off the main line nothing was analyzed.
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"):
        browser.key(key)
    assert texts(browser, "#alternatives button") == []
    assert texts(browser, "#unanalyzed") == ["This position was not analyzed."]
    assert browser.complaints() == []


SHOWN = "[...document.querySelectorAll('#board .candidate title')].map(t => t.textContent)"


def test_a_move_of_the_list_is_shown_on_the_board(
    browser: browsers.Browser, tmp_path: Path, record: bf.Record, analysis: GameAnalysis
) -> None:
    show(browser, tmp_path, record, analysis, ply=2)
    found = analysis.plies[2].found
    assert found is not None
    words = [f"{row.piece} at {row.text}" for row in found.moves]
    center = (
        "(() => { const b = document.querySelectorAll('#alternatives button')[%d]"
        ".getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
    )
    pressed = "document.querySelectorAll('#alternatives [aria-pressed=true]').length"
    assert browser.run(SHOWN) == []
    x, y = browser.run(center % 1)
    browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    assert browser.run(SHOWN) == [words[1]]
    browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
    assert browser.run(SHOWN) == []
    browser.click(x, y)
    assert (browser.run(SHOWN), browser.run(pressed)) == ([words[1]], 1)
    browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
    assert browser.run(SHOWN) == [words[1]]
    browser.click(x, y)
    assert browser.run(pressed) == 0
    browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
    # With the keyboard: what has the focus is shown, Enter keeps it.
    browser.run("document.getElementById('theme').focus()")
    for _ in range(40):
        browser.key("Tab")
        if browser.run("!!document.activeElement.closest('#alternatives')"):
            break
    assert browser.run(SHOWN) == [words[0]]
    assert words[0] in str(browser.run("document.activeElement.getAttribute('aria-label')"))
    browser.key("Enter")
    assert (browser.run(SHOWN), browser.run(pressed)) == ([words[0]], 1)
    assert "the search expects" in texts(browser, "#expected")[0]
    browser.key("ArrowRight")
    assert (depth(browser), browser.run(SHOWN)) == (3, [])
    assert browser.complaints() == []


def test_mistakes_are_marked_and_gone_to(
    browser: browsers.Browser, tmp_path: Path, record: bf.Record, analysis: GameAnalysis
) -> None:
    show(browser, tmp_path, record, analysis)
    marked = [(ply.ply + 1, ply.mark) for ply in analysis.plies if ply.mark]
    assert len({mark for _, mark in marked}) >= 2
    assert texts(browser, "#moves .sign") == [SIGNS[mark] for _, mark in marked]
    ticks = browser.run("[...document.querySelectorAll('#marks span')].map(s => s.className)")
    assert ticks == [mark for _, mark in marked]
    label = browser.run("document.querySelector('#moves .sign').parentNode.ariaLabel")
    assert label.endswith(marked[0][1])
    for place, _ in marked[:3]:
        browser.key("n")
        assert depth(browser) == place
    browser.key("p")
    place, mark = marked[1]
    assert depth(browser) == place
    ply = analysis.plies[place - 1]
    assert ply.found is not None
    verdict = texts(browser, "#verdict")[0]
    assert verdict.startswith(f"{SIGNS[mark]} {mark.capitalize()}")
    assert f"Better was {ply.found.best.piece} at {ply.found.best.text}" in verdict
    browser.run("document.querySelector('#verdict button').click()")
    assert depth(browser) == place - 1
    browser.run("document.querySelectorAll('#marks span')[2].click()")
    assert depth(browser) == marked[2][0]
    counts = texts(browser, "#counts")[0]
    for mark, sign in SIGNS.items():
        count = sum(one == mark for _, one in marked)
        assert re.search(rf"\b{count} {mark[:-1]}\w+ \({re.escape(sign)}\)", counts)


def test_scores_that_round_to_zero_have_no_minus(
    browser: browsers.Browser, tmp_path: Path, record: bf.Record, analysis: GameAnalysis
) -> None:
    plies = tuple(replace(ply, score=(-0.04, 0.04)) for ply in analysis.plies)
    show(browser, tmp_path, record, replace(analysis, plies=plies))
    browser.run("document.querySelector('[data-view=expected]').click()")
    label = browser.run("document.querySelector('#curve svg').getAttribute('aria-label')")
    assert re.findall(r"[-\u2212]?0\.0", label) == ["0.0", "0.0"]


def test_three_curves(
    browser: browsers.Browser, tmp_path: Path, record: bf.Record, analysis: GameAnalysis
) -> None:
    show(browser, tmp_path, record, analysis)
    label = "document.querySelector('#curve svg').getAttribute('aria-label')"
    end = analysis.plies[-1]
    assert texts(browser, "#curve-title") == ["Chances"]
    assert f"{100 * end.value[0]:.1f}%" in browser.run(label)
    assert "100%" in texts(browser, "#curve text")
    rings = sum(ply.mark in ("mistake", "blunder") for ply in analysis.plies)
    assert browser.run("document.querySelectorAll('#curve .ring').length") == rings > 0
    browser.run("document.querySelector('[data-view=expected]').click()")
    assert texts(browser, "#curve-title") == ["Expected scores"]
    assert f"{end.score[1]:.1f}".replace("-", "\u2212") in browser.run(label)
    browser.run("document.querySelector('[data-view=scores]').click()")
    assert browser.run(label).startswith("Scores over")
    assert browser.run("document.querySelectorAll('#curve .ring').length") == 0
    pressed = (
        "[...document.querySelectorAll('#views [aria-pressed=true]')].map(b => b.dataset.view)"
    )
    assert browser.run(pressed) == ["scores"]
    # The choice is kept, and each curve can be clicked.
    browser.open("about:blank")
    browser.open((tmp_path / "page.html").as_uri())
    assert browser.run(pressed) == ["scores"]
    browser.run("document.querySelector('[data-view=chances]').click()")
    x, y, width, height = browser.run(
        "(() => { const e = document.querySelector('#curve svg'); e.scrollIntoView();"
        " const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()"
    )
    browser.click(x + width - 3, y + height / 2)
    assert depth(browser) == 20


def test_where_the_search_looks(
    browser: browsers.Browser, tmp_path: Path, record: bf.Record, analysis: GameAnalysis
) -> None:
    show(browser, tmp_path, record, analysis, ply=5)
    count = "document.querySelectorAll('#board .heat rect').length"
    assert browser.run(count) == 0
    browser.run("document.getElementById('heat').click()")
    found = analysis.plies[5].found
    assert found is not None
    most = max(found.heat)
    assert browser.run(count) == sum(int(value / most * 35 + 0.5) > 0 for value in found.heat)
    browser.screen(1200, 1000, dark=True)
    browser.key("ArrowRight")
    assert browser.run(count) > 0
    assert browser.complaints() == []


def test_an_analysis_that_was_broken_off(
    browser: browsers.Browser, tmp_path: Path, record: bf.Record, analysis: GameAnalysis
) -> None:
    part = replace(analysis, plies=analysis.plies[:4], complete=False)
    show(browser, tmp_path, record, part, ply=-1)
    assert texts(browser, "#unanalyzed") == ["This position was not analyzed."]
    assert "broken off" in texts(browser, "#counts")[0]
    none = replace(analysis, plies=(), complete=False)
    show(browser, tmp_path, record, none)
    assert browser.complaints() == []


@pytest.mark.parametrize(("variant", "moves"), [("duo", 20), ("classic", 24), ("draft", 90)])
@pytest.mark.parametrize(("width", "height"), [(1280, 1024), (320, 640), (864, 700)])
def test_all_of_it_fits(
    browser: browsers.Browser, tmp_path: Path, variant: str, moves: int, width: int, height: int
) -> None:
    other = random_record(variant, moves)
    other.names = ("A name that is longer than anybody expects", *other.names[1:])
    found = analyze_game(other, simulations=30, seed=1, least_visits=5)
    show(browser, tmp_path, other, found, ply=moves - 1)
    browser.screen(width, height)
    # The page hears of it before the next frame but one.
    browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    browser.run("document.querySelector('#alternatives button').click()")
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    assert browser.run(
        "[...document.querySelectorAll('#alternatives button, #alternatives .number, #views button,"
        " #marks, #verdict button, #players .chance')].every(e => { const b ="
        " e.getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth + 1; })"
    )
    # The longest texts that there can be.
    browser.run(
        "document.querySelectorAll('#alternatives .share > :last-child').forEach((e, i) => {"
        " e.textContent = i ? '100%' : '<1%'; })"
    )
    # Nothing in a row is broken into two lines but the name of the move.
    assert browser.run(
        "[...document.querySelectorAll('#alternatives .number, #alternatives .share')].every(e =>"
        " e.getBoundingClientRect().height < 30)"
    )
    # Neither the cells of a row nor the ticks of the timeline lie over one another.
    assert browser.run(
        "[...document.querySelectorAll('#alternatives button')].every(b => { const boxes ="
        " [...b.children].map(c => c.getBoundingClientRect()); return boxes.every((box, i) =>"
        " !i || box.left >= boxes[i - 1].right - 0.5); })"
    )
    assert browser.complaints() == []
    # The list is beside the board where there is room, else below it and before the options.
    where = "document.getElementById('analysis').parentNode.id"
    assert browser.run(where) == ("side" if width >= 864 else "play")
