"""Pictures as SVG and PNG: valid, complete, safe, and as they were."""

from __future__ import annotations

import itertools
import runpy
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from helpers import GAME, board_after
from pictures import FOLDER, MASKED, PICTURES, duo

import blokus_fast as bf
from blokus_fast import png, svg
from blokus_fast.svg.candidates import label_places
from blokus_fast.svg.drawing import ink_on
from blokus_fast.svg.outlines import connected, loops, outline_path
from blokus_fast.svg.palettes import PALETTES, THEMES, contrast, mix, piece_fills

ROOT = Path(__file__).resolve().parent.parent
SVG = "{http://www.w3.org/2000/svg}"


def parse(picture: str) -> ET.Element:
    root = ET.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    return root


def pieces(root: ET.Element) -> list[tuple[str, str]]:
    """Return fill and title of every piece."""
    groups = [group for group in root.iter(f"{SVG}g") if group.get("stroke")]
    return [(group.get("fill", ""), group.findtext(f"{SVG}title", "")) for group in groups]


def diamonds(root: ET.Element) -> list[str]:
    return [p.get("fill", "") for p in root.iter(f"{SVG}path") if p.get("stroke-width") == "1.3"]


# -- as they were ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_as_they_were(name: str) -> None:
    picture = PICTURES[name]()
    parse(picture)
    assert picture == (FOLDER / f"{name}.svg").read_text(encoding="utf-8")


def test_no_picture_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(PICTURES)


def test_pictures_of_the_documentation_are_up_to_date() -> None:
    if not (ROOT / "examples" / "duo.blksgf").is_file():
        pytest.skip("the examples are not here")
    drawn = runpy.run_path(str(ROOT / "docs" / "make_pictures.py"))["pictures"]()
    pages = [ROOT / "docs" / name for name in ("pictures.md", "rules.md")]
    shown = "".join(page.read_text(encoding="utf-8") for page in pages)
    for name, picture in drawn.items():
        parse(picture)
        file = ROOT / "docs" / "img" / f"{name}.svg"
        assert file.read_text(encoding="utf-8") == picture, f"python docs/make_pictures.py: {name}"
        assert f"img/{name}.svg" in shown


# -- what is in them ---------------------------------------------------------------------------


@GAME
def test_every_piece_is_one_shape(variant: str, start: str) -> None:
    for plies in (0, 1, 12, 1000):
        board = board_after(variant, start, 5, plies)
        names = board.variant.color_names
        fills = piece_fills(names)
        found = pieces(parse(svg.board(board)))
        made = bf.Game.from_board(board).moves
        expected = [
            (fills[move.color], f"{ply}. {names[move.color]} {move.piece}: {move.text}")
            for ply, move in enumerate(made, start=1)
            if move.color is not None
        ]
        assert Counter(found) == Counter(expected)


@pytest.mark.parametrize("name", bf.VARIANTS)
@pytest.mark.parametrize("theme", THEMES)
def test_every_variant_can_be_drawn_from_begin_to_end(name: str, theme: str) -> None:
    rng = np.random.default_rng(1)
    game = bf.Game(name)
    while not game.is_over:
        game.play(int(rng.choice(game.board.legal_ids())))
        if len(game.moves) % 30 == 1:
            parse(svg.board(game, corners=True, labels="number", scores=True, theme=theme))
    root = parse(svg.board(game, scores=True, theme=theme))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    for player, score in zip(game.names, game.scores, strict=True):
        assert player in texts
        assert str(score) in texts


def test_pieces_of_a_position_that_was_set_up() -> None:
    board = bf.set_up("duo", {"purple": ["e10", "f9,g9"], "orange": ["j5"]})
    titles = [title for _, title in pieces(parse(svg.board(board)))]
    assert titles == ["purple 1: e10", "purple 2: f9,g9", "orange 1: j5"]


def test_coordinates_can_be_left_out() -> None:
    board = bf.Board("duo")
    letters = [text.text for text in parse(svg.board(board)).iter(f"{SVG}text")]
    assert set(letters) == set("abcdefghijklmn") | set(map(str, range(1, 15)))
    assert not list(parse(svg.board(board, coordinates=False)).iter(f"{SVG}text"))


def test_the_last_move_has_dots() -> None:
    game = duo()
    circles = list(parse(svg.board(game)).iter(f"{SVG}circle"))
    assert len(circles) == 5
    assert not list(parse(svg.board(game, last_move=False)).iter(f"{SVG}circle"))
    first = svg.board(game, last_move=game.moves[0])
    assert first == svg.board(game, last_move=game.moves[0].id)
    assert first == svg.board(game, last_move=game.moves[0].text)
    assert first != svg.board(game)


def test_corners_of_the_color_to_move_and_of_others() -> None:
    board = duo(3).board
    fills = piece_fills(board.variant.color_names)
    for corners, colors in (
        (True, [board.turn]),
        ("purple", [0]),
        (1, [1]),
        ([0, "orange"], [0, 1]),
    ):
        expected = [fills[color] for color in colors for _ in board.corner_squares(color)]
        assert Counter(diamonds(parse(svg.board(board, corners=corners)))) == Counter(expected)
    assert diamonds(parse(svg.board(board))) == []


def test_draft_marks_corners_of_all_colors_in_hand() -> None:
    rng = np.random.default_rng(1)
    board = bf.Board("draft")
    assert diamonds(parse(svg.board(board, corners=True))) == []
    while board.is_drafting:
        board.push(int(rng.choice(board.legal_ids())))
    assert len(diamonds(parse(svg.board(board, corners=True)))) == 4


def test_start_squares_as_long_as_they_are_needed() -> None:
    def rings(board: bf.Board) -> int:
        return sum(c.get("fill") == "none" for c in parse(svg.board(board)).iter(f"{SVG}circle"))

    assert [rings(duo(plies).board) for plies in (0, 1, 2)] == [2, 1, 0]
    assert rings(bf.Board("classic")) == 4
    assert rings(bf.Board("classic", start="border")) == 0
    assert 'r="8"' not in svg.board(bf.Board("duo"), starts=False)


def test_ghosts_and_highlights() -> None:
    board = bf.Board("duo")
    move = board.parse_move("e10,f10")
    one = svg.board(board, ghost=move)
    for same in ("e10,f10", [move], np.array([move]), bf.Move(move, size=14)):
        assert svg.board(board, ghost=same) == one
    assert one.count("stroke-dasharray") == 1
    assert svg.board(board, ghost=["e10", "j5"]).count("stroke-dasharray") == 2
    assert THEMES["light"].highlight in svg.board(board, highlight="e10")
    with pytest.raises(bf.InvalidMoveError):
        svg.board(board, ghost="e10,z9")


def badges(root: ET.Element) -> dict[str, tuple[float, float]]:
    """Return where shares are written."""
    return {
        text.text or "": (float(text.get("x", "")), float(text.get("y", "")))
        for text in root.iter(f"{SVG}text")
        if (text.text or "").endswith("%")
    }


def test_candidates_have_outlines_and_shares() -> None:
    game = duo()
    shares = {"j10,j11,k11,j12,k12": 0.6204, "j10,j11": 0.2, "d7": 0.001, "j10": 0}
    root = parse(svg.board(game, candidates=shares))
    found = badges(root)
    assert set(found) == {"62%", "20%", "<1%", "0%"}
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert "purple 2: j10,j11, 20%" in titles
    lines = [path for path in root.iter(f"{SVG}path") if path.get("stroke-dasharray") == "4 2.5"]
    best = [p for p in root.iter(f"{SVG}path") if p.get("stroke") == THEMES["light"].highlight]
    assert (len(lines), len(best)) == (3, 1)
    # In whatever form they are given.
    ids = [(game.board.parse_move(text), share) for text, share in shares.items()]
    assert svg.board(game, candidates=ids[::-1]).count("%") == 8
    assert svg.board(game, candidates=ids) == svg.board(game, candidates=shares)
    assert svg.board(game, candidates={}) == svg.board(game)


@pytest.mark.parametrize("variant", ["duo", "classic", "draft"])
def test_no_share_is_written_over_another(variant: str) -> None:
    board = board_after(variant, "assigned" if variant != "draft" else "any", 3, 90)
    rng = np.random.default_rng(2)
    ids = board.legal_ids()
    for _ in range(20):
        chosen = rng.choice(ids, size=min(12, len(ids)), replace=False).tolist()
        shapes = [board.move(move).squares for move in chosen]
        places = label_places(shapes, board.size)
        written = [place for place in places if place is not None]
        assert len(set(written)) == len(written)
        assert all(p is None or p in shape for p, shape in zip(places, shapes, strict=True))
        # Where every one has a square of its own, every one has its share.
        own = [set(s).difference(*(o for o in shapes if o is not s)) for s in shapes]
        assert all(p in o for p, o in zip(places, own, strict=True) if o)


def test_a_label_gives_way_to_one_that_has_nowhere_else_to_go() -> None:
    assert label_places([[0, 1], [0, 1, 2], [1]], size=4) == [0, 2, 1]
    assert label_places([[], [5], [5]], size=4) == [None, 5, None]


def test_heat_per_square_and_per_move() -> None:
    board = bf.Board(MASKED)
    flat = np.full(36, np.nan)
    flat[[0, 1]] = 2.0, 4.0
    picture = svg.board(board, heat=flat, numbers=".1f")
    assert picture == svg.board(board, heat=flat.reshape(6, 6), numbers=".1f")
    texts = [text.text for text in parse(picture).iter(f"{SVG}text")]
    assert texts[-4:] == ["2.0", "4.0", "2", "4"]
    by_move = np.zeros(board.n_moves)
    by_move[board.parse_move("a6")] = 1.0
    by_move[board.parse_move("a6,b6")] = 2.0
    mapping = {"a6": 1.0, "a6,b6": 2.0}
    for combine, first in (("max", "2"), ("sum", "3")):
        picture = svg.board(board, heat=by_move, combine=combine, numbers=".0f")
        assert picture == svg.board(board, heat=mapping, combine=combine, numbers=".0f")
        texts = [text.text for text in parse(picture).iter(f"{SVG}text")]
        assert texts[-4:-2] == [first, "2"]
    # Squares that are not in play show nothing, and no number at all is no picture of heat.
    assert svg.board(board, heat=np.full(36, np.inf)) == svg.board(board)


def test_labels() -> None:
    game = duo()
    for labels, expected in (
        ("piece", ["X", "F", "F", "X"]),
        ("color", ["P", "P", "O", "O"]),
        ("number", ["1", "3", "4", "2"]),
    ):
        picture = svg.board(game, labels=labels, coordinates=False)
        assert [text.text for text in parse(picture).iter(f"{SVG}text")] == expected


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"theme": "pink"}, "unknown theme 'pink'; valid: light, dark"),
        ({"palette": "gray"}, "unknown palette 'gray'; valid: safe, classic"),
        ({"palette": {"purple": 'red"/>'}}, "purple must be like"),
        ({"labels": "x"}, "unknown labels 'x'; valid: piece, color, number"),
        ({"combine": "x"}, "unknown combine 'x'; valid: max, sum"),
        ({"heat": [1, 2]}, "a number per square \\(196\\) or per move \\(13729\\), not 2"),
        ({"corners": "pink"}, "unknown color 'pink'"),
        ({"candidates": {"e10": 1.5}}, "must be in 0 to 1, not 1.5"),
        ({"size": 0}, "must be a positive number"),
        ({"size": float("nan")}, "must be a positive number"),
    ],
)
def test_what_is_wrong_is_said(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        svg.board(bf.Board("duo"), **arguments)  # type: ignore[arg-type]


NASTY = [
    "</svg><script>",
    "a & b",
    "\"quotes'",
    "nul\0 esc\x1b",
    "\ud800 half",
    "\u2028",
    "\U0001f600",
    "]]>",
]


@pytest.mark.parametrize("name", NASTY)
def test_names_are_escaped(name: str) -> None:
    game = bf.Game("duo", names=[name, "Bob"])
    root = parse(svg.board(game, scores=True))
    shown = "".join(text.text or "" for text in root.iter(f"{SVG}text"))
    assert "".join(c if c not in "\0\x1b\ud800" else "\ufffd" for c in name) in shown
    assert not list(root.iter(f"{SVG}script"))
    svg.board(game, scores=True).encode("utf-8")
    try:
        named = bf.Variant("v", 5, [name, "red"], [["a5"], ["e1"]])
    except ValueError:
        return  # not every text can name a color
    parse(svg.board(bf.Board(named), scores=True, corners=True))


def test_pictures_can_stand_in_one_page() -> None:
    """No identifiers, styles, scripts or links that others could run into."""
    for draw in PICTURES.values():
        picture = draw()
        for word in (" id=", " class=", "<style", "<script", "href", "url("):
            assert word not in picture


def test_hands() -> None:
    root = parse(svg.hand(duo(), "purple"))
    assert sorted(title for _, title in pieces(root)) == sorted(set(bf.PIECES) - {"X", "F"})
    assert "2 F" not in svg.hand(duo(), 0)
    done = bf.Board(bf.Variant("two", 2, ["blue"], [["a1"]], pieces=[["1"]]))
    done.push(done.parse_move("a1"))
    assert "all placed" in svg.hand(done, "blue")


def test_pieces_in_all_orientations() -> None:
    for number in range(91):
        assert len(pieces(parse(svg.piece(number)))) == 1
    assert svg.piece("x") == svg.piece(bf.Piece("X")) == svg.piece(78)
    assert svg.piece(bf.Move(11916, size=14)) == svg.piece("X")


def test_notebooks_show_pictures() -> None:
    board = bf.Board("draft")
    shown = [
        board, duo(), bf.Move(7), bf.Piece("W"), bf.Pass(30433),
        board.move(5 + 2 * board.n_moves), board.move(4 * board.n_moves + 30),
    ]  # fmt: skip
    for thing in shown:
        parse(thing._repr_svg_())
    assert bf.Board("duo")._repr_svg_() == svg.board(bf.Board("duo"))


# -- shapes ------------------------------------------------------------------------------------


def area(line: list[tuple[int, int]]) -> float:
    pairs = zip(line, line[1:] + line[:1], strict=True)
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs) / 2


@pytest.mark.parametrize("size", [1, 5, 20])
def test_outlines_surround_what_they_should(size: int) -> None:
    rng = np.random.default_rng(size)
    for share in (0.1, 0.5, 0.9):
        squares = np.flatnonzero(rng.random(size * size) < share).tolist()
        groups = connected(squares, size)
        assert sorted(itertools.chain(*groups)) == squares
        assert sum(area(line) for line in loops(squares, size)) == len(squares)
        for group in groups:
            lines = loops(group, size)
            assert [area(line) > 0 for line in lines].count(True) == 1


def test_holes_and_touching_corners() -> None:
    ring = [0, 1, 2, 3, 5, 6, 7, 8]
    assert sorted(area(line) for line in loops(ring, 3)) == [-1, 9]
    assert [area(line) for line in loops([0, 4], 3)] == [1, 1]
    assert outline_path(ring, 3, 10, 0, 0, inset=1).count("Z") == 2


# -- colors ------------------------------------------------------------------------------------

# Machado, Oliveira and Fernandes (2009), full strength.
BLINDNESS = {
    "normal": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}  # fmt: skip


def lab(color: str, kind: str) -> np.ndarray:
    rgb = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    rgb = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    rgb = np.clip(np.array(BLINDNESS[kind]) @ rgb, 0, 1)
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.array(matrix) @ rgb / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("kind", BLINDNESS)
def test_the_safe_palette_can_be_told_apart(kind: str) -> None:
    games = {variant.color_names for variant in bf.VARIANTS.values()}
    for names in games:
        grounds = [theme.board for theme in THEMES.values()]
        for theme_board in grounds:
            colors = [*piece_fills(names), theme_board]
            for one, other in itertools.combinations(colors, 2):
                distance = float(np.linalg.norm(lab(one, kind) - lab(other, kind)))
                assert distance > 20, (kind, one, other, distance)


@pytest.mark.parametrize("name", THEMES)
def test_contrast(name: str) -> None:
    theme = THEMES[name]
    for ground in (theme.background, theme.board):
        assert contrast(theme.ink, ground) >= 7
        assert contrast(theme.muted, ground) >= 4.5
        assert contrast(theme.highlight, ground) >= 3
        assert contrast(theme.rim, ground) >= 3
    for palette in PALETTES.values():
        for fill in palette.values():
            edge = mix(fill, theme.edge, 0.45)
            assert max(contrast(fill, theme.board), contrast(edge, theme.board)) >= 3
            assert contrast(ink_on(fill), fill) >= 4.5


def test_own_colors() -> None:
    assert piece_fills(["Blue", "RED"], {"red": "#010203"}) == (PALETTES["safe"]["blue"], "#010203")
    four = piece_fills(["a", "b", "c", "d"])
    assert len(set(four)) == 4


# -- PNG ---------------------------------------------------------------------------------------


def test_png() -> None:
    pytest.importorskip("resvg_py", reason="PNG is the extra `png`")
    for scale in (1, 2.5):
        data = png.from_svg(svg.board(bf.Board("duo"), size=100), scale=scale)
        assert data.startswith(b"\x89PNG")
        assert int.from_bytes(data[16:20], "big") == 100 * scale
    with pytest.raises(ValueError, match="scale"):
        png.from_svg(svg.board(bf.Board("duo")), scale=0)


def test_png_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r"\.\[png\]"):
        png.from_svg(svg.board(bf.Board("duo")))


def test_heat_whose_difference_is_too_large() -> None:
    def shades(most: float) -> list[str | None]:
        picture = svg.board(bf.Board("duo"), heat={"e10": most, "j5": -most})
        return [shape.get("fill") for shape in parse(picture).iter(f"{SVG}rect")]

    assert shades(1e308) == shades(1.0)
