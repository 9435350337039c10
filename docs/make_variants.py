"""Write docs/variants.md from the data that the engine plays by.

Run it after a change to a variant: ``python docs/make_variants.py``. What other programs do is
the only thing in it that the engine does not know.
"""

from __future__ import annotations

from pathlib import Path

import blokus_fast as bf
from blokus_fast.variants import VARIANTS, Variant

TIMES = "\N{MULTIPLICATION SIGN}"
PAGE = Path(__file__).with_name("variants.md")

HEAD = """\
# The shipped variants

Written by `docs/make_variants.py` from the data that the engine plays by. The rules that all of
them share are in [rules.md](rules.md); how to change one, or make one of your own, is in
[api.md](api.md#variants-and-scoring).
"""

START = {
    "assigned": "the first piece of a color covers its own start square",
    "any": "the first piece of a color covers any start square that is still free",
    "border": "the first piece of a color touches the rim of the board, anywhere",
}
START_MARK = "on the board: the first letter of the color"
RIM_MARK = "on the board: `+`"

# What stands first in a section, and where programs differ.
TEXTS: dict[str, tuple[str, list[str]]] = {
    "classic": (
        "The game for four, a color each.",
        [
            "Some programs number the corners row by row, or seat the second player opposite the "
            "first. Here they go round: top left, top right, bottom right, bottom left.",
            "Pentobi and others count squares placed plus bonus; that is `advanced` + 89.",
        ],
    ),
    "classic-2p": (
        "Classic for two: each player has two colors on opposite corners, and the sum of their "
        "scores. Players alternate.",
        [
            "Some programs give a player two neighboring colors, so that he moves twice in a row.",
            "Pentobi names it `Blokus Two-Player` in its game files.",
        ],
    ),
    "classic-3p": (
        "Classic for three. The fourth color is placed by the players in turn: the first time by "
        "player 0, the second by player 1, the third by player 2, and so on. Only turns in which "
        "it is really placed count, and nobody gets its score. `board.player` says who decides. "
        "`bf.variants.three_players(shared)` makes it with another shared color; play then begins "
        "with the color behind it, which is player 0's, so that the shared color is the last of "
        "every round.",
        [
            "Some programs ask a fourth player, who is not there, for the shared color.",
            "Pentobi always shares green, as this variant does.",
        ],
    ),
    "duo": (
        "The small board for two. The first player may take either start square, the second then "
        "has the other.",
        [
            "Pentobi fixes the start squares: the first color begins on e10, the second on j5. "
            'That is `bf.variant("duo", start="assigned")`.',
            "Some programs start in the corners.",
        ],
    ),
    "junior": (
        "Duo with two of each of twelve simple pieces, and no bonus.",
        ["Freebloks gives the bonus of 15 and 5 here too: choose the scoring rule `advanced`."],
    ),
    "draft": (
        "The players first pick the pieces: the colors are drafted one after the other, and in "
        "each the players take turns until its pieces are gone. The first pick of a color goes to "
        "the next player in turn: player 0 for the first, player 1 for the second. Then they "
        "place, one piece in a turn, of any color of which they have some; the placement rules "
        "are those of the piece's color. A player who cannot place is skipped, and may be able to "
        "again when somebody opens a corner for him. Scores are about the player's own hand. "
        "`hands=` starts from given hands, without the draft.",
        [
            "None of the programs that the other sections speak of has it.",
        ],
    ),
    "draft-3p": ("As `draft`, for three: everybody picks seven pieces of each color.", []),
    "draft-2p": (
        "As `draft`, for two: of the 21 pieces of a color, who picks first gets eleven.",
        [],
    ),
    "software-challenge-2027": (
        "The rules of the contest Software Challenge Germany 2027: two players with two colors "
        "each, an opening piece that is drawn by lot, and the same for all colors, and an end "
        'after 24 rounds. `bf.variants.software_challenge_2027(opening="W")` demands the piece '
        "that was drawn; under its plain name any pentomino may begin. A color may pass once its "
        "first piece is placed, though it could place.",
        [
            "The contest's rules page speaks of 25 rounds. Its server counts rounds from 1, "
            "skipped turns included, and ends the game when the counter reaches 25: 24 are "
            "played, and so it is here. `software_challenge_2027(max_rounds=25)` plays one more.",
            "The rules page lets the game end when a color is finished. The server, and this "
            "engine, go on until no color can place.",
            "With W demanded there are 272 first moves. Counting 18 places on each of four sides "
            "in four orientations gives 288, but a W in a corner touches two sides.",
            "Colors without a legal move are skipped, and need not pass.",
        ],
    ),
}


def board_picture(variant: Variant) -> str:
    """Draw the empty board with its start squares."""
    size = variant.size
    last = size - 1
    marks = {
        square: name[0]
        for name, squares in zip(variant.color_names, variant.start_indices, strict=True)
        for square in squares
    }
    letters = "   " + " ".join(chr(ord("a") + column) for column in range(size))
    lines = [letters]
    for row in range(size):
        cells = []
        for column in range(size):
            rim = variant.start == "border" and {row, column} & {0, last}
            mark = "+" if rim else "."
            if variant.start != "border":
                mark = marks.get(row * size + column, mark)
            cells.append(mark if variant.is_playable(row, column) else " ")
        lines.append(f"{size - row:2d} {' '.join(cells)} {size - row:2d}")
    return "\n".join([*lines, letters])


def players_text(variant: Variant) -> str:
    """Say who plays what."""
    if variant.draft:
        return f"{variant.players}; colors belong to nobody, every player has a hand of his own"
    parts = []
    for player in range(variant.players):
        names = [variant.color_names[c] for c in variant.order if variant.owners[c] == player]
        parts.append(f"player {player} has {' and '.join(names)}")
    shared = [variant.color_names[c] for c in variant.order if variant.owners[c] is None]
    if shared:
        parts.append(f"{' and '.join(shared)} is shared")
    return f"{variant.players}: {', '.join(parts)}"


def pieces_text(variant: Variant) -> str:
    """Say what a color's set is."""
    assert len(set(variant.pieces)) == 1
    names, squares = variant.pieces[0], variant.set_squares[0]
    if names == bf.PIECES:
        return f"the {len(names)} of every color, {squares} squares"
    kinds = list(dict.fromkeys(names))
    count = names.count(kinds[0])
    assert all(names.count(kind) == count for kind in kinds)
    return f"{count} each of `{' '.join(kinds)}` of every color, {squares} squares"


def moves_text(variant: Variant) -> str:
    """Say how many ids there are, and what they stand for."""
    board = bf.Board(variant)
    text = f"{board.n_moves:,} placements"
    if variant.draft:
        first = variant.n_colors * board.n_moves
        return (
            f"{text} of {variant.n_colors} colors and {board.n_actions - first} picks, "
            f"{board.n_actions:,} actions: color {TIMES} {board.n_moves:,} + id of the placement, "
            f"then {first:,} + color {TIMES} 21 + piece"
        )
    if variant.voluntary_pass:
        return f"{text} and a pass (id {board.n_moves}), {board.n_actions:,} actions"
    return f"{text}, which are all its actions"


def first_moves_text(variant: Variant) -> str:
    """Count the legal first moves."""
    count = bf.Board(variant).count_legal()
    if variant.draft:
        return f"{count} picks"
    if variant.first_pieces is None:
        return f"{count:,}"
    parts = [
        f"{name} {bf.Board(variant.with_first_pieces([name])).count_legal()}"
        for name in variant.first_pieces
    ]
    return f"{count:,}; of each piece that may be drawn: {', '.join(parts)}"


def facts(variant: Variant) -> list[tuple[str, str]]:
    """Return what the table of a variant says."""
    names = variant.color_names
    order = "order in which they are drafted" if variant.draft else "order of play"
    start = f"`{variant.start}`: {START[variant.start]} "
    start += f"({RIM_MARK if variant.start == 'border' else START_MARK})"
    squares = [
        f"{names[color]} {' '.join(variant.start_squares[color])}" for color in variant.order
    ]
    rows = [
        ("board", f"{variant.size} {TIMES} {variant.size}"),
        ("players", players_text(variant)),
        (f"colors, in {order}", ", ".join(names[color] for color in variant.order)),
        ("start rule", start),
    ]
    if variant.start != "border":
        rows.append(("start squares", ", ".join(squares)))
    rows += [
        ("pieces", pieces_text(variant)),
        ("first pieces", "any" if variant.first_pieces is None else " ".join(variant.first_pieces)),
        ("scoring", f"`{variant.scoring_name}`"),
        ("rounds", f"at most {variant.max_rounds}" if variant.max_rounds else "no limit"),
        ("voluntary pass", "after a color's first piece" if variant.voluntary_pass else "no"),
        ("move ids", moves_text(variant)),
        ("legal first moves", first_moves_text(variant)),
    ]
    return rows


def section(variant: Variant) -> str:
    """Write the section of a variant."""
    text, differences = TEXTS[variant.name]
    table = "\n".join(f"| {name} | {value} |" for name, value in facts(variant))
    lines = [f"## {variant.name}", text, f"| | |\n|---|---|\n{table}"]
    lines.append(f"```text\n{board_picture(variant)}\n```")
    if differences:
        lines.append("Where programs differ:")
        lines.append("\n".join(f"- {difference}" for difference in differences))
    return "\n\n".join(lines)


def page() -> str:
    """Return the whole page."""
    contents = "\n".join(f"- [{name}](#{name})" for name in VARIANTS)
    sections = "\n\n".join(section(variant) for variant in VARIANTS.values())
    return f"{HEAD}\n{contents}\n\n{sections}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
