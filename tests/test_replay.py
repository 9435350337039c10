"""The page of a game: its data, its safety, the commands, and the page in a real browser."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import browser as browsers
import pytest
from cli_tools import run

import blokus_fast as bf
from blokus_fast.replay import page
from blokus_fast.replay.data import main_line_place, page_data

NASTY = [
    "</script><script>window.broken = 1</script>",
    "<!-- <script>",
    "<img src=x onerror='window.broken=1'>",
    "\"quotes' & ]]> \\u003c",
    "line\u2028and\u2029paragraph",
    "\0 \x1b \ud800",
    "%(data)s %s {}",
    "\U0001f600 \u202eright to left",
]


def random_record(variant: str, seed: int, moves: int = 1000) -> bf.Record:
    """Make a random game with variations in it."""
    rng = random.Random(seed)
    record = bf.Record(variant)
    board, node, nodes = bf.Board(variant), record.root, [record.root]
    while not board.is_game_over and len(nodes) <= moves:
        node = node.add(int(rng.choice(board.legal_ids())))
        board.push(node.move)
        nodes.append(node)
    for start in rng.sample(nodes[:-1], min(6, len(nodes) - 1)):
        node = start
        for _ in range(rng.randrange(1, 4)):
            board = node.board()
            if not board.is_game_over:
                node = node.add(int(rng.choice(board.legal_ids())), comment=f"remark {seed}")
    return record


def in_order(record: bf.Record) -> list[bf.records.Node]:
    """Return the nodes as the data lists them."""
    found, todo = [], [record.root]
    while todo:
        found.append(todo.pop())
        todo.extend(reversed(found[-1].variations))
    return found


def check_data(record: bf.Record) -> None:
    """Follow the changes in the data, and hold everything against the boards of the record."""
    data = json.loads(json.dumps(page_data(record)))
    size = record.variant.size
    states: list[tuple[list[int], list[list[int]]]] = []
    nodes = in_order(record)
    assert len(nodes) == len(data["nodes"])
    for node, told in zip(nodes, data["nodes"], strict=True):
        if told["parent"] < 0:
            grid, hands = [-1] * size * size, [list(hand["counts"]) for hand in data["hands"]]
        else:
            grid, hands = states[told["parent"]]
            grid, hands = grid.copy(), [hand.copy() for hand in hands]
            assert nodes[told["parent"]] is node.parent
        for square, before, after in told["changes"]:
            assert grid[square] == before
            grid[square] = after
        for row, piece, change in told["hands"]:
            hands[row][piece] += change
        states.append((grid, hands))
        board = node.board()
        assert grid == [max(owner, -1) for owner in board.grid().ravel().tolist()]
        for hand, counts in zip(data["hands"], hands, strict=True):
            player = None if hand["player"] < 0 else hand["player"]
            assert tuple(counts) == board.hand(hand["color"], player)
            assert all(count <= most for count, most in zip(counts, hand["most"], strict=True))
        assert told["scores"] == list(board.player_scores())
        assert (told["turn"], told["next"], told["over"]) == (
            board.turn, board.player, board.is_game_over,
        )  # fmt: skip
        assert told["comment"] == node.comment


@pytest.mark.parametrize("variant", bf.VARIANTS)
def test_data_follows_the_game(variant: str) -> None:
    check_data(random_record(variant, 3))


def test_data_of_positions_that_were_set_up() -> None:
    record = bf.Record("duo")
    first = record.root.add_set_up(bf.set_up("duo", {"purple": ["e10"], "orange": ["j5"]}))
    first.add("f11,g11").add_set_up(bf.set_up("duo", {"orange": ["j5,k5"]}))
    check_data(record)
    board = bf.set_up("duo", {"purple": ["e10"]}, turn="orange")
    check_data(bf.Record.from_board(board))
    check_data(bf.Record("junior"))


def test_skips_are_told() -> None:
    record = random_record("duo", 5)
    game = record.to_game()
    skips = [entry for entry in game.history if isinstance(entry, bf.Skip)]
    main = [node for node in page_data(record)["nodes"]]
    line, number = [0], 0
    while True:
        following = [i for i, node in enumerate(main) if node["parent"] == number]
        if not following:
            break
        number = following[0]
        line.append(number)
    told = [name for number in line for name in main[number]["skipped"]]
    assert told == [record.variant.color_names[skip.color or 0] for skip in skips]


class Reader(HTMLParser):
    """Collects the elements of a page, and the text of its scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "title": [], "h1": []}
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.inside = tag
        if tag in self.texts:
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside in self.texts:
            self.texts[self.inside][-1] += data


def read_page(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    return reader


def nasty_record() -> bf.Record:
    record = bf.Record("duo", names=[NASTY[0], NASTY[1]])
    record.headers["EV"] = NASTY[2]
    node = record.root
    for text, comment in zip(("e10", "j5", "f11,g11", "k6,l6"), NASTY[3:], strict=False):
        node = node.add(text, comment=comment)
    node.add("h12,h13,h14", comment=NASTY[0])
    return record


def test_nothing_in_a_game_becomes_markup() -> None:
    plain, nasty = read_page(page(bf.Record("duo"))), read_page(page(nasty_record()))
    assert [tag for tag, _ in nasty.elements] == [tag for tag, _ in plain.elements]
    data, code = nasty.texts["script"]
    assert code == plain.texts["script"][1]
    assert not set(data) & set("<>&\u2028\u2029")
    found = json.loads(data)
    assert found["players"] == [NASTY[0], NASTY[1]]
    assert found["facts"][0] == NASTY[2]
    assert [node["comment"] for node in found["nodes"][1:]] == [*NASTY[3:7], NASTY[0]]
    assert nasty.texts["title"] == nasty.texts["h1"] == [f"{NASTY[0]} - {NASTY[1]}"]
    for title in NASTY:
        page(bf.Record("duo"), title=title).encode("utf-8")


def test_the_page_stands_alone() -> None:
    text = page(random_record("duo", 1))
    reader = read_page(text)
    for tag, attributes in reader.elements:
        for name in ("src", "srcset", "action", "style", "onclick", "onload"):
            assert name not in attributes, (tag, name)
        assert attributes.get("href", "data:,").startswith("data:"), tag
    code = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//[a-z]+\.|@import|url\(|fetch\(|XMLHttp|innerHTML", code)
    policy = next(
        attributes["content"] or ""
        for _, attributes in reader.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    for directive, content in (
        ("style-src", reader.texts["style"][0]),
        ("script-src", reader.texts["script"][1]),
    ):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_every_control_has_a_name() -> None:
    reader = read_page(page(bf.Record("duo")))
    ids = {attributes.get("id") for _, attributes in reader.elements}
    for tag, attributes in reader.elements:
        if tag == "button":
            assert attributes.get("aria-label") or attributes.get("id") == "theme"
        if "aria-labelledby" in attributes:
            assert attributes["aria-labelledby"] in ids
    labels = sum(tag == "label" for tag, _ in reader.elements)
    assert labels == sum(tag in ("input", "select") for tag, _ in reader.elements)
    assert ("html", {"lang": "en"}) in reader.elements


def test_files_of_the_page_are_installed() -> None:
    folder = files("blokus_fast.replay")
    scripts = ("page.js", "shapes.js", "curve.js", "analysis.js", "moves.js")
    for name in ("template.html", "page.css", *scripts):
        assert folder.joinpath(name).is_file(), name


def test_where_the_page_opens() -> None:
    record = bf.Record("duo")
    record.root.add_line(["e10", "j5", "f11,g11"])
    record.root.add("e10,f10", main=True)
    record.root.next.make_main()  # type: ignore[union-attr]
    record.root.variations[1].make_main()
    assert [main_line_place(record, ply) for ply in (0, 2, 3, -1, -2)] == [0, 2, 3, 3, 2]
    for ply in (4, -5):
        with pytest.raises(ValueError, match="the main line has 3 moves"):
            page(record, ply=ply)
    assert '"begin":3' in page(record, ply=-1)


def test_depth_is_no_limit() -> None:
    record = bf.Record("duo")
    board = bf.set_up("duo", {"purple": ["e10"]})
    node = record.root
    for _ in range(3000):
        node = node.add_set_up(board)
    assert len(read_page(page(record)).texts["script"]) == 2


# -- the commands ------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.blksgf"
    path.write_text(
        "(;GM[Blokus Duo]PB[Ann];B[e10];W[j5]C[one](;B[f11,g11])(;B[f9,g9]))(;GM[Blokus])"
    )
    return path


def test_replay_writes_a_page(file: Path, tmp_path: Path) -> None:
    assert run("replay", file).exit_code == 0
    text = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "<title>Ann - player 2</title>" in text
    other = tmp_path / "other.html"
    assert run("replay", file, "-o", other, "--ply", "-1", "--title", "Mine").exit_code == 0
    assert "<title>Mine</title>" in other.read_text(encoding="utf-8")
    assert run("replay", file, "-o", "-").stdout.startswith("<!DOCTYPE html>")
    assert '"variant":"classic"' in run("replay", file, "-o", "-", "--game", "2").stdout


def test_render_writes_pictures(file: Path, tmp_path: Path) -> None:
    assert run("render", file).exit_code == 0
    assert (tmp_path / "game.svg").read_text(encoding="utf-8").startswith("<svg")
    first = run("render", file, "-o", "-", "--ply", "1", "--theme", "dark").stdout
    assert "after 1 move, " in first
    assert "Ann" in first
    pytest.importorskip("resvg_py", reason="PNG is the extra `png`")
    assert run("render", file, "-o", tmp_path / "b.PNG", "--size", "200").exit_code == 0
    assert (tmp_path / "b.PNG").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["replay", "FILE", "--ply", "9"], "the main line has 3 moves"),
        (["render", "FILE", "--ply", "9"], "the main line has 3 moves"),
        (["render", "FILE", "--game", "3"], "the file has 2"),
        (["render", "FILE", "-o", "x.gif"], "a .svg or a .png file"),
        (["render", "FILE", "-o", "no/such/folder/x.svg"], "cannot write"),
        (["replay", "nothing.blksgf"], "nothing.blksgf"),
    ],
)
def test_commands_say_what_is_wrong(
    args: list[str], words: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    result = run(*[str(file) if arg == "FILE" else arg for arg in args])
    assert result.exit_code in (1, 2)
    assert words in result.output
    assert "Traceback" not in result.output


def test_files_that_are_wrong(tmp_path: Path) -> None:
    path = tmp_path / "bad.blksgf"
    path.write_text("(;GM[Nexos])")
    result = run("replay", path)
    assert result.exit_code == 1
    assert "Nexos" in result.output
    path.write_text("(;GM[Blokus Duo];B[e10];W[a1,a2])")
    result = run("replay", path)
    assert result.exit_code == 0
    assert "bad.blksgf" in result.stderr
    assert "Reading the file" in (tmp_path / "bad.html").read_text(encoding="utf-8")


# -- in a browser ------------------------------------------------------------------------------


def show(browser: browsers.Browser, folder: Path, game: bf.Record | bf.Game, ply: int = 0) -> None:
    """Open the page of a game."""
    browsers.show(browser, folder, page(game, ply=ply))


def titles(browser: browsers.Browser) -> list[str]:
    """Return what lies on the board."""
    script = "[...document.querySelectorAll('#board .piece title')].map(t => t.textContent)"
    return sorted(browser.run(script))


def depth(browser: browsers.Browser) -> int:
    return int(browser.run("document.getElementById('slider').value"))


def text_of(browser: browsers.Browser, selector: str) -> str:
    return str(browser.run(f"document.querySelector({selector!r}).textContent"))


def small_record() -> bf.Record:
    record = bf.Record("duo", names=["Ann", "Bob"])
    record.root.add_line(["e10", "j5", "f11,g11", "k6,l6"])
    second = record.root.next.next  # type: ignore[union-attr]
    assert second is not None
    second.comment = "a remark"
    second.add("f9,g9").add("i4,h4")
    second.add("d11,c11", comment="the other way")
    return record


def expected(node: bf.records.Node) -> list[str]:
    """Return what should lie on the board."""
    names = node.record.variant.color_names
    moves = [before.move for before in node.path() if before.move is not None]
    return sorted(
        f"{ply}. {names[move.color or 0]} ({node.record.names[move.color or 0]}): "
        f"{move.piece} at {move.text}"
        for ply, move in enumerate(moves, start=1)
    )


def test_keys_and_buttons(browser: browsers.Browser, tmp_path: Path) -> None:
    record = small_record()
    show(browser, tmp_path, record)
    line = [record.root, *record.root.main_line()]
    assert titles(browser) == []
    for key, place in (
        ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 4), ("ArrowRight", 4),
        ("Home", 0), ("ArrowLeft", 0), ("End", 4),
    ):  # fmt: skip
        browser.key(key)
        assert depth(browser) == place
        assert titles(browser) == expected(line[place])
    for button, place in (("first", 0), ("forward", 1), ("last", 4), ("back", 3)):
        browser.run(f"document.getElementById('{button}').click()")
        assert (depth(browser), titles(browser)) == (place, expected(line[place]))
    assert "3. purple (Ann): 2 at f11,g11; orange to move" in text_of(browser, "#now")
    scores = [s.replace("\u2212", "-") for s in browser.run(
        "[...document.querySelectorAll('#players .score')].map(s => s.textContent)"
    )]  # fmt: skip
    assert scores == [str(score) for score in line[3].board().player_scores()]
    assert browser.complaints() == []


def test_slider_and_curve(browser: browsers.Browser, tmp_path: Path) -> None:
    record = small_record()
    show(browser, tmp_path, record)
    browser.run(
        "(() => { const s = document.getElementById('slider'); s.value = 3;"
        " s.dispatchEvent(new Event('input')); })()"
    )
    assert titles(browser) == expected([record.root, *record.root.main_line()][3])
    browser.run("document.getElementById('slider').focus()")
    browser.key("ArrowLeft")
    assert depth(browser) == 2
    x, y, width, height = browser.run(
        "(() => { const e = document.querySelector('#curve svg'); e.scrollIntoView();"
        " const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })()"
    )
    browser.click(x + width - 3, y + height / 2)
    assert depth(browser) == 4
    browser.click(x + 2, y + height / 2)
    assert depth(browser) == 0


def test_variations_and_comments(browser: browsers.Browser, tmp_path: Path) -> None:
    record = small_record()
    show(browser, tmp_path, record)
    second = record.root.next.next  # type: ignore[union-attr]
    assert second is not None
    main, longer, other = second.variations
    browser.key("ArrowRight")
    browser.key("ArrowRight")
    assert text_of(browser, "#comment") == "a remark"
    browser.key("ArrowRight")
    for key, node in (
        ("ArrowDown", longer), ("ArrowDown", other), ("ArrowDown", main), ("ArrowUp", other),
    ):  # fmt: skip
        browser.key(key)
        assert titles(browser) == expected(node)
    assert text_of(browser, "#comment") == "the other way"
    assert browser.run("document.getElementById('slider').max") == "3"
    # Back and forward again stays in the variation; a click in the list goes anywhere.
    browser.key("ArrowLeft")
    browser.key("ArrowRight")
    assert titles(browser) == expected(other)
    browser.run(
        "[...document.querySelectorAll('#moves button')].find(b => b.title.includes('i4')).click()"
    )
    assert titles(browser) == expected(longer.variations[0])
    assert browser.run("document.querySelectorAll('#moves [aria-current]').length") == 1
    assert browser.run("document.querySelectorAll('#moves .variation').length") == 2
    assert browser.run("document.querySelectorAll('#moves button').length") == 7
    # A click on a piece goes to its move.
    browser.run(
        "document.querySelector('#board .piece')"
        ".dispatchEvent(new MouseEvent('click', { bubbles: true }))"
    )
    assert depth(browser) == 1


def test_corner_points_are_those_of_the_engine(browser: browsers.Browser, tmp_path: Path) -> None:
    script = "[...document.querySelectorAll('#board .corner')].map(c => Number(c.dataset.square))"
    for variant in ("classic", "duo", "software-challenge-2027"):
        record = random_record(variant, 2, 40)
        line = [record.root, *record.root.main_line()]
        show(browser, tmp_path, record)
        # The page may remember the box from the page before.
        browser.run("(box => box.checked || box.click())(document.getElementById('corners'))")
        for place in (0, 1, 7, 20):
            browser.key("Home")
            for _ in range(place):
                browser.key("ArrowRight")
            board = line[place].board()
            expected_squares = [
                square
                for square in board.corner_squares(board.turn).tolist()
                if board.grid().flat[square] == -1
            ]
            assert sorted(browser.run(script)) == expected_squares
        assert browser.complaints() == []


def test_draft_and_hands(browser: browsers.Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, random_record("draft", 1, 100), ply=90)
    assert browser.complaints() == []
    assert browser.run("document.querySelectorAll('#hands h3').length") == 16
    show(browser, tmp_path, small_record(), ply=1)
    gone = "[...document.querySelectorAll('#hands .gone')].map(e => e.dataset.piece)"
    assert browser.run(gone) == ["0"]
    browser.key("Home")
    assert browser.run(gone) == []
    assert "89 squares" in text_of(browser, "#hands h3")


def test_nothing_runs_and_nothing_is_loaded(browser: browsers.Browser, tmp_path: Path) -> None:
    record = nasty_record()
    show(browser, tmp_path, record)
    browser.key("End")
    assert browser.complaints() == []
    assert browser.run("window.broken === undefined && !document.querySelector('main img')")
    assert NASTY[0] in text_of(browser, "#comment")
    assert text_of(browser, "h1") == f"{NASTY[0]} - {NASTY[1]}"
    assert NASTY[0] in text_of(browser, "#players")
    # Even if markup got in, the policy would keep it from running.
    browser.run("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"broken=1\">')")
    browser.run("new Promise(done => setTimeout(done, 100))")
    assert browser.run("window.broken === undefined")


def test_themes(browser: browsers.Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, small_record(), ply=-1)
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = "rgb(255, 255, 255)", "rgb(21, 24, 29)"
    assert browser.run(ground) == light
    browser.screen(1200, 1000, dark=True)
    assert browser.run(ground) == dark
    # The page hears of the change before the next frame but one.
    browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert text_of(browser, "#theme") == "Light theme"
    browser.run("document.getElementById('theme').click()")
    assert browser.run(ground) == light
    browser.screen(1200, 1000, dark=False)
    browser.run("document.getElementById('theme').click()")
    assert browser.run(ground) == dark


@pytest.mark.parametrize(
    ("width", "height", "zoom"), [(1280, 1024, 1), (1280, 1024, 4), (320, 640, 1), (700, 500, 1)]
)
def test_all_of_it_fits(
    browser: browsers.Browser, tmp_path: Path, width: int, height: int, zoom: float
) -> None:
    record = small_record()
    record.names = ("A name that is longer than anybody would expect it to be", "B" * 60)
    show(browser, tmp_path, record, ply=-1)
    for dark in (False, True):
        browser.screen(width, height, dark=dark, zoom=zoom)
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
        # The board is all in view at once, and nothing is cut off at the side.
        assert browser.run(
            "[...document.querySelectorAll('#board svg, button, select, #curve svg, #players li')]"
            ".filter(e => !e.closest('#moves')).every(e => { const b = e.getBoundingClientRect();"
            " return b.left >= 0 && b.right <= innerWidth + 1 && b.width > 0; })"
        )
        assert browser.run(
            "document.querySelector('#board svg').getBoundingClientRect().height <= innerHeight"
        )
        path = tmp_path / "page.png"
        browser.picture(path)
        assert path.stat().st_size > 2000


def test_the_keyboard_alone_is_enough(browser: browsers.Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, small_record())
    seen = []
    for _ in range(20):
        browser.key("Tab")
        seen.append(browser.run(
            "(() => { const e = document.activeElement; return e.id || e.title || e.tagName; })()"
        ))  # fmt: skip
        if seen[-1] in ("BODY", "HTML"):
            break
        # What has the focus shows it.
        assert browser.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    for name in ("theme", "run", "forward", "last", "slider", "labels", "palette", "corners"):
        assert name in seen
    browser.run("document.getElementById('forward').focus()")
    browser.key("Enter")
    assert depth(browser) == 1
    # In a list of choices the arrows choose, and do not step.
    browser.run("document.getElementById('labels').focus()")
    browser.key("ArrowRight")
    assert depth(browser) == 1


def test_playing_by_itself(browser: browsers.Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, small_record(), ply=3)
    browser.run("document.getElementById('run').click()")
    assert browser.run("document.getElementById('run').getAttribute('aria-label')") == "Pause"
    browser.run(
        "new Promise(done => { const wait = setInterval(() => {"
        " if (document.getElementById('slider').value === '4') { clearInterval(wait); done(); }"
        " }, 50); })"
    )
    assert browser.run("document.getElementById('run').getAttribute('aria-label')") == "Play"


def test_a_large_tree(browser: browsers.Browser, tmp_path: Path) -> None:
    record = bf.Record("duo")
    board = bf.set_up("duo", {"purple": ["e10"]})
    node = record.root
    for _ in range(1500):
        other = node.add_set_up(board)
        node.add_set_up(board)
        node = other
    show(browser, tmp_path, record)
    browser.key("End")
    assert depth(browser) == 1500
    assert browser.complaints() == []
