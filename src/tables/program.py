"""Write the straight-line code that the C kernels are compiled from.

Owns the header ``bf_program.h``: one list of macro calls (the program) that computes the legal
anchors of all 91 orientations from shifted boards, and one a piece. Every kernel defines the
macros for its own vectors. Knows nothing of any instruction set. The order in which the program
computes the orientations is a table like any other (``bf_orientation_place``, see tables.py).

An orientation with cells S is legal at an anchor if every cell of S is allowed there and one
of them is a corner square: the AND of ``a[s]`` and the OR of ``c[s]`` over S, where ``a[s]``
and ``c[s]`` are the boards of allowed and corner squares shifted by the offset s. Both can be
put together from parts, and the parts may overlap. Most pentominoes contain a tetromino at
the same anchor, so that the program costs about three operations an orientation.

Run by CMake at build time: ``python program.py OUTPUT_HEADER``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

from polyominoes import OFFSETS, ORIENTATIONS, PIECES

Cells = frozenset[int]
"""A set of offsets, as indices into OFFSETS."""

TARGETS: dict[Cells, int] = {
    frozenset(OFFSETS.index(cell) for cell in o.cells): number
    for number, o in enumerate(ORIENTATIONS)
}


def halves(target: Cells, parts: Iterable[Cells]) -> tuple[Cells, Cells] | None:
    """Return two of the parts whose union is the target, the cheapest to keep at hand."""
    inside = [part for part in parts if part < target]
    pairs = [(x, y) for x, y in combinations(inside, 2) if x | y == target]
    if not pairs:
        return None
    return min(pairs, key=lambda pair: (min(map(len, pair)), sorted(map(sorted, pair))))


def extra_parts() -> list[Cells]:
    """Choose parts that are no orientations, but that pentominoes are put together from."""
    parts = {frozenset([cell]) for cell in range(len(OFFSETS))}
    parts |= {target for target in TARGETS if len(target) < 5}
    extra: list[Cells] = []
    while True:
        missing = [t for t in TARGETS if len(t) > 1 and halves(t, parts) is None]
        if not missing:
            return extra
        candidates = {
            frozenset(cells)
            for target in missing
            for size in (2, 3, 4)
            for cells in combinations(sorted(target), size)
            if frozenset(cells) not in parts and halves(frozenset(cells), parts)
        }
        best = max(
            candidates,
            key=lambda part: (
                sum(halves(target, [*parts, part]) is not None for target in missing),
                -len(part),
                sorted(part),
            ),
        )
        parts.add(best)
        extra.append(best)


def name(part: Cells) -> str:
    """Return a C name for a part."""
    return "_".join(f"{cell:02d}" for cell in sorted(part))


def eight(group: int) -> str:
    """Return the macro call that ends a group of eight results."""
    return f"BF_EIGHT({', '.join(f'{i:02d}' for i in range(8 * group, 8 * group + 8))})"


def program() -> tuple[list[str], list[int]]:
    """Return the macro calls, each part made shortly before its first use.

    And the orientations in the order in which they are computed.
    """
    singles = {frozenset([cell]) for cell in range(len(OFFSETS))}
    shared = singles | {t for t in TARGETS if len(t) < 5} | set(extra_parts())
    plan = {t: halves(t, shared) for t in (*TARGETS, *shared) if len(t) > 1}
    used = {part for pair in plan.values() if pair for part in pair}
    made = set(singles)
    lines: list[str] = []
    order: list[int] = []

    def make(part: Cells) -> None:
        if part in made:
            return
        made.add(part)
        pair = plan[part]
        if pair is None:  # a part of two cells is always two singles; keep the type checker happy
            raise ValueError(f"no way to make {name(part)}")
        for half in pair:
            make(half)
        lines.append(f"BF_JOIN({name(part)}, {name(pair[0])}, {name(pair[1])})")
        if part in TARGETS:
            emit(part)

    def emit(target: Cells) -> None:
        number = TARGETS[target]
        piece = ORIENTATIONS[number].piece
        pair = plan.get(target)
        if target not in made and pair is not None:
            for half in pair:
                make(half)
            parts = f"BF_LEGAL2({{}}, {number}, {piece}, {name(pair[0])}, {name(pair[1])})"
        else:
            parts = f"BF_LEGAL1({{}}, {number}, {piece}, {name(target)})"
        lines.append(parts.format(f"{len(order):02d}"))
        order.append(number)
        if len(order) % 8 == 0:
            lines.append(eight(len(order) // 8 - 1))

    # Grouping the pentominoes by the larger part they are made from keeps its boards at hand.
    def key(target: Cells) -> tuple[list[int], int]:
        pair = plan.get(target)
        larger = max(pair, key=len) if pair else target
        return sorted(larger), TARGETS[target]

    emit(frozenset([0]))
    for target in sorted((t for t in TARGETS if len(t) > 1), key=key):
        if target in used:
            make(target)
        else:
            emit(target)
    return lines, order


def piece_programs() -> list[str]:
    """Return, for each piece on its own, the macro calls that compute its orientations."""
    lines: list[str] = []
    for piece in range(len(PIECES)):
        lines.append(f"BF_PIECE({piece})")
        shapes = [o.cells for o in ORIENTATIONS if o.piece == piece]
        for i, shape in enumerate(shapes):
            # A shorter piece repeats a cell, which changes neither its AND nor its OR.
            cells = [OFFSETS.index(cell) for cell in (*shape, *[shape[-1]] * 5)[:5]]
            lines.append(f"BF_SHAPE({i}, {', '.join(f'{cell:02d}' for cell in cells)})")
        lines += [f"BF_NO_SHAPE({i})" for i in range(len(shapes), 8)]
        lines.append("BF_PIECE_END")
    return lines


TEMPLATE = """\
/* Written by src/tables/program.py at build time. Do not edit.
 *
 * Included with BF_CODE_PROGRAM defined, inside a function that has the boards a_00 to a_14 and
 * c_00 to c_14 (allowed and corner squares shifted by each offset):
 *   BF_JOIN(s, x, y)             make a_s = a_x & a_y and c_s = c_x | c_y
 *   BF_LEGAL1(i, o, piece, x)     the legal anchors of orientation o are a_x & c_x
 *   BF_LEGAL2(i, o, piece, x, y)  ... are a_x & a_y & (c_x | c_y)
 *   BF_EIGHT(i, ...)             eight results are there; the last three have no such call
 * where i counts the results in the order in which they are computed, in two digits.
 * With BF_CODE_PIECES: the same for one piece at a time, as the cases of a switch:
 *   BF_PIECE(p) ... BF_PIECE_END  enclose the orientations of piece p
 *   BF_SHAPE(i, v, w, x, y, z)    its i-th orientation covers these five offsets
 *   BF_NO_SHAPE(i)                it has no i-th orientation, i below 8
 * These four are undefined behind it, and so is BF_CODE_PROGRAM or BF_CODE_PIECES: the next
 * function has them otherwise.
 */
#ifdef BF_CODE_PROGRAM
{program}
#undef BF_CODE_PROGRAM
#elif defined(BF_CODE_PIECES)
{pieces}
#undef BF_CODE_PIECES
#undef BF_PIECE
#undef BF_SHAPE
#undef BF_NO_SHAPE
#undef BF_PIECE_END
#else
#error "bf_program.h is code: define BF_CODE_PROGRAM or BF_CODE_PIECES"
#endif
"""


def main(output: str) -> None:
    """Write the header."""
    lines, _ = program()
    text = TEMPLATE.format(program="\n".join(lines), pieces="\n".join(piece_programs()))
    Path(output).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
