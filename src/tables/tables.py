"""Write bf_tables.h: everything that follows from the pieces, as constant C arrays.

Run by CMake at build time: ``python tables.py OUTPUT_HEADER``. The one header of tables: kernels,
engine and core read the same ones.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import program
from polyominoes import NAMES, OFFSETS, ORIENTATIONS, PIECES, Cell, Shape

STRIDE = 21  # bits from a square to the one below it, as in blokus_fast.h
CHUNK = 56  # bits
PADDED = 128  # entries of the tables that kernels load in whole vectors
SLOTS = 256  # of the hash table of shapes
HASH = 0x9E3779B1  # what shapes.c multiplies with


def array(head: str, values: Iterable[object]) -> str:
    """Return the definition of one constant array, an entry a line."""
    lines = [f"    {value}," for value in values]
    return "\n".join([f"static const {head} = {{", *lines, "};", ""])


def braces(values: Iterable[object]) -> str:
    """Return an initialiser list."""
    return "{" + ", ".join(str(value) for value in values) + "}"


def padded_cells(cells: Shape, length: int) -> str:
    """Return cells as {{row, column}, ...} of a fixed length; the rest is zero and unused."""
    cells = cells + ((0, 0),) * (length - len(cells))
    return braces(braces(cell) for cell in cells)


def words(cells: Iterable[Cell], n: int) -> str:
    """Return cells as the bits of n words of the frame."""
    bits = sum(1 << (STRIDE * row + column) for row, column in cells)
    return braces(f"UINT64_C({bits >> 64 * i & (2**64 - 1):#x})" for i in range(n))


def window(cells: Iterable[Cell]) -> str:
    """Return cells in a window: it begins one row and one column before the anchor."""
    return words([(row + 1, column + 1) for row, column in cells], 3)


def chunks(cells: Iterable[Cell], n: int) -> str:
    """Return cells as n chunks of 56 bits: what a load of 8 bytes holds wherever it begins."""
    bits = sum(1 << (STRIDE * row + column) for row, column in cells)
    if bits >> CHUNK * n:
        raise ValueError(f"{n} chunks are not enough")
    return braces(f"UINT64_C({bits >> CHUNK * i & (2**CHUNK - 1):#x})" for i in range(n))


def around(cells: Iterable[Cell]) -> str:
    """Return cells around an orientation as chunks from one row and column before the anchor."""
    return chunks([(row + 1, column + 1) for row, column in cells], 3)


def offsets(cells: Shape) -> list[int]:
    """Return cells as indices of OFFSETS.

    A shorter orientation repeats its first cell: an AND and an OR do not mind, and every
    orientation can be computed by the same five steps.
    """
    return [OFFSETS.index(cell) for cell in (*cells, *[cells[0]] * 5)[:5]]


def bits_of(cells: Shape) -> list[int]:
    """Return how many bits of the frame each cell is from the anchor."""
    return [STRIDE * row + column for row, column in (*cells, *[cells[0]] * 5)[:5]]


def codes() -> list[int]:
    """Return each orientation as 25 bits, five a row."""
    return [sum(1 << (5 * row + column) for row, column in o.cells) for o in ORIENTATIONS]


def slots() -> list[int]:
    """Return a hash table with open addressing: from a code to its orientation; 255: empty."""
    table = [255] * SLOTS
    for number, code in enumerate(codes()):
        slot = (code * HASH & 0xFFFFFFFF) >> 24
        while table[slot] != 255:
            slot = (slot + 1) % SLOTS
        table[slot] = number
    return table


def set_bits() -> list[str]:
    """Return, for each byte, which of its bits are set, ascending."""
    rows = ([bit for bit in range(8) if byte >> bit & 1] for byte in range(256))
    return [braces((*row, *[0] * 8)[:8]) for row in rows]


def anchor_numbers() -> list[int]:
    """Return, for each gap, what a bit of a word of three rows adds to an id: less a gap a row."""
    rows = ([bit - bit // STRIDE * gap for bit in range(3 * STRIDE)] for gap in range(STRIDE))
    return [number for row in rows for number in (*row, 0)] + [0, 0]


def header() -> str:
    """Return the text of bf_tables.h."""
    max_edges = max(len(o.edges) for o in ORIENTATIONS)
    max_corners = max(len(o.corners) for o in ORIENTATIONS)
    first = [
        next(i for i, o in enumerate(ORIENTATIONS) if o.piece == p) for p in range(len(PIECES))
    ]
    _, order = program.program()
    padding = [0] * (PADDED - len(ORIENTATIONS))
    larger = [
        sum(1 << piece for piece, shape in enumerate(PIECES) if len(shape) >= size)
        for size in range(1, 6)
    ]
    parts = [
        "/* Written by src/tables/tables.py at build time; see polyominoes.py. Do not edit. */",
        "#ifndef BF_TABLES_H",
        "#define BF_TABLES_H",
        "#include <stdint.h>",
        f"#define BF_MAX_EDGES {max_edges}",
        f"#define BF_MAX_CORNERS {max_corners}",
        f"#define BF_SHAPE_HASH UINT32_C({HASH:#x})",
        "",
        array("char *const bf_piece_names[]", (f'"{name}"' for name in NAMES)),
        array("uint8_t bf_piece_size[]", (len(shape) for shape in PIECES)),
        "/* The first orientation of each piece, and behind the last the number of all. */",
        array("uint8_t bf_piece_first[]", [*first, len(ORIENTATIONS)]),
        "/* [n]: the pieces of more than n squares. */",
        array("uint32_t bf_pieces_larger[]", larger),
        "/* Padded for loads of whole vectors; no hand has a piece 63. */",
        array(
            f"uint8_t bf_orientation_piece[{PADDED}]",
            [*(o.piece for o in ORIENTATIONS), *[63] * len(padding)],
        ),
        "/* When the program of bf_program.h computes each orientation. */",
        array(
            f"uint8_t bf_orientation_place[{PADDED}]",
            [*(order.index(number) for number in range(len(order))), *padding],
        ),
        "/* The pieces of what it computes, in its order. */",
        array(
            f"uint8_t bf_place_piece[{PADDED}]",
            [*(ORIENTATIONS[number].piece for number in order), *[63] * len(padding)],
        ),
        array(
            f"uint16_t bf_orientation_width[{PADDED}]", [*(o.width for o in ORIENTATIONS), *padding]
        ),
        array("uint8_t bf_orientation_height[]", (o.height for o in ORIENTATIONS)),
        "/* The squares of an orientation at anchor (0, 0). */",
        array("uint64_t bf_orientation_shape[][2]", (words(o.cells, 2) for o in ORIENTATIONS)),
        "/* Its cells, as (row, column) and as numbers of the shifted boards of the kernels. */",
        array(
            "int8_t bf_orientation_cells[][5][2]", (padded_cells(o.cells, 5) for o in ORIENTATIONS)
        ),
        array(
            "uint8_t bf_orientation_offsets[][5]", (braces(offsets(o.cells)) for o in ORIENTATIONS)
        ),
        "/* The cells that share an edge with it, and those that touch it at a corner only. */",
        array("uint8_t bf_orientation_n_edges[]", (len(o.edges) for o in ORIENTATIONS)),
        array(
            "int8_t bf_orientation_edges[][BF_MAX_EDGES][2]",
            (padded_cells(o.edges, max_edges) for o in ORIENTATIONS),
        ),
        array("uint8_t bf_orientation_n_corners[]", (len(o.corners) for o in ORIENTATIONS)),
        array(
            "int8_t bf_orientation_corners[][BF_MAX_CORNERS][2]",
            (padded_cells(o.corners, max_corners) for o in ORIENTATIONS),
        ),
        "/* The same in windows: 192 bits of a board from one row and column before the anchor. */",
        array("uint64_t bf_edge_window[][3]", (window(o.edges) for o in ORIENTATIONS)),
        array("uint64_t bf_corner_window[][3]", (window(o.corners) for o in ORIENTATIONS)),
        "/* In chunks of 56 bits: its squares, from the anchor on; then, from one row and column",
        " * before it: its squares and edges, corner squares no longer; and its corners. */",
        array("uint64_t bf_square_chunk[][2]", (chunks(o.cells, 2) for o in ORIENTATIONS)),
        array("uint64_t bf_cover_chunk[][3]", (around(o.cells + o.edges) for o in ORIENTATIONS)),
        array("uint64_t bf_corner_chunk[][3]", (around(o.corners) for o in ORIENTATIONS)),
        "/* Bits from the anchor to its cells; a shorter orientation repeats its first cell. */",
        array("uint8_t bf_orientation_bits[][5]", (braces(bits_of(o.cells)) for o in ORIENTATIONS)),
        "/* A shape as 25 bits, five a row, and a hash table from there to the orientation. */",
        array("uint32_t bf_shape_code[]", codes()),
        array(f"uint8_t bf_shape_slot[{SLOTS}]", slots()),
        "/* The bits that are set in a byte, ascending. */",
        array("uint8_t bf_set_bits[256][8]", set_bits()),
        "/* [64 * (21 - anchors in a row) + bit of a word of three rows]: part of an id. Bit 64",
        " * is that of no anchor, and may be read, and as 32 bits. */",
        array("uint16_t bf_anchor_numbers[]", anchor_numbers()),
        "#endif",
        "",
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(header(), encoding="utf-8")
