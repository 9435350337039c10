"""Hypothesis strategies: variants nobody has thought of, and choices of moves in their games."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from reference import PIECE_NAMES, SCORING_RULES, square_name

import blokus_fast as bf

# Which of the legal moves is made, ply by ply.
CHOICES = st.lists(st.integers(0, 2**16), min_size=1, max_size=40)
RELAXED = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    derandomize=True,
)
COLOR_NAMES = ("blue", "yellow", "red", "green")


@st.composite
def masks(draw: st.DrawFn, size: int) -> list[str] | None:
    """Return a mask with a few holes, or none."""
    if draw(st.booleans()):
        return None
    cells = draw(st.lists(st.sampled_from("....#"), min_size=size * size, max_size=size * size))
    cells[draw(st.integers(0, size * size - 1))] = "."
    return ["".join(cells[row * size : (row + 1) * size]) for row in range(size)]


@st.composite
def variants(draw: st.DrawFn, sizes: tuple[int, int] = (4, 9)) -> bf.Variant:
    """Return a variant with everything that a variant may have."""
    size = draw(st.integers(*sizes))
    n_colors = draw(st.integers(1, 4))
    playable = draw(masks(size))
    names = [
        square_name((row, column), size)
        for row in range(size)
        for column in range(size)
        if playable is None or playable[row][column] == "."
    ]
    n_colors = min(n_colors, len(names))
    players = draw(st.integers(1, n_colors))
    # Everybody owns a color; of what is left over, one may be shared.
    owners: list[int | None] = [
        *range(players),
        *(draw(st.integers(0, players - 1)) for _ in range(n_colors - players)),
    ]
    if n_colors > players and draw(st.booleans()):
        owners[-1] = None
    starts = draw(st.lists(st.sampled_from(names), min_size=n_colors, unique=True, max_size=8))
    pieces = [
        draw(st.lists(st.sampled_from(PIECE_NAMES[:9] * 2 + PIECE_NAMES), min_size=1, max_size=7))
        for _ in range(n_colors)
    ]
    rim = any(
        playable is None or playable[row][column] == "."
        for row in range(size)
        for column in range(size)
        if {row, column} & {0, size - 1}
    )
    first_pieces = None
    if draw(st.integers(0, 3)) == 0:
        first_pieces = sorted({hand[0] for hand in pieces})
    rules: dict[str, Any] = {
        "size": size,
        "color_names": COLOR_NAMES[:n_colors],
        "start_squares": [starts[color::n_colors] for color in range(n_colors)],
        "owners": draw(st.permutations(owners)),
        "players": players,
        "order": draw(st.permutations(range(n_colors))),
        "start": draw(st.sampled_from(["assigned", "any", "border"][: 3 if rim else 2])),
        "scoring": draw(st.sampled_from(SCORING_RULES)),
        "pieces": pieces,
        "playable": playable,
        "first_pieces": first_pieces,
        "max_rounds": draw(st.sampled_from([0, 0, 0, 1, 2, 3, 5])),
        "voluntary_pass": draw(st.sampled_from([False, False, True])),
    }
    return bf.Variant("drawn", **rules)
