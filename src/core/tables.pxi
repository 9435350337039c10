# tables.pxi: tables per board size: what a move id stands for. Filled once per size under the
# GIL and constant from then on. Knows nothing of colours or rules.

cdef dict _tables_by_size = {}


cdef class Tables:
    """Placements of one board size, by move id."""

    def __cinit__(self, int size):
        cdef bf_layout layout
        cdef int o, row, column
        cdef uint32_t i = 0
        if not 1 <= size <= BF_MAX_SIZE:
            raise ValueError(f"board size {size} is not in 1..{BF_MAX_SIZE}")
        bf_layout_fill(&layout, size)
        self.size = size
        self.placements = <uint32_t *>PyMem_RawMalloc(sizeof(uint32_t) * (layout.n_moves + 1))
        if self.placements == NULL:
            raise MemoryError
        for o in range(BF_ORIENTATIONS):
            for row in range(size - bf_orientation_height[o] + 1):
                for column in range(size - bf_orientation_width[o] + 1):
                    self.placements[i] = (
                        o | (BF_STRIDE * row + column) << 8 | row << 17 | column << 22
                    )
                    i += 1
        if i != layout.n_moves:
            raise SystemError(f"{i} placements on size {size}, the kernels say {layout.n_moves}")

    def __dealloc__(self):
        PyMem_RawFree(self.placements)


cdef inline int placement_orientation(uint32_t placement) noexcept nogil:
    return placement & 255


cdef inline int placement_bit(uint32_t placement) noexcept nogil:
    return placement >> 8 & 511


cdef inline int placement_row(uint32_t placement) noexcept nogil:
    return placement >> 17 & 31


cdef inline int placement_column(uint32_t placement) noexcept nogil:
    return placement >> 22 & 31


cdef inline int placement_piece(uint32_t placement) noexcept nogil:
    return bf_orientation_piece[placement & 255]


cdef Tables tables_of(int size):
    """Return the tables of a size; each is made once."""
    found = _tables_by_size.get(size)
    if found is None:
        found = _tables_by_size.setdefault(size, Tables(size))
    return <Tables>found


def n_placements(int size):
    """Return how many placements fit the board of a size: one more than the largest id."""
    cdef bf_layout layout
    if not 1 <= size <= BF_MAX_SIZE:
        raise ValueError(f"board size {size} is not in 1..{BF_MAX_SIZE}")
    bf_layout_fill(&layout, size)
    return layout.n_moves


def placement_info(int size):
    """Return an int16 array (n, 4): piece, orientation, row and column of the anchor by id."""
    cdef Tables tables = tables_of(size)
    cdef int n = n_placements(size)
    cdef int16_t[:, ::1] out = np.empty((n, 4), dtype=np.int16)
    cdef int i
    cdef uint32_t placement
    for i in range(n):
        placement = tables.placements[i]
        out[i, 0] = placement_piece(placement)
        out[i, 1] = placement_orientation(placement)
        out[i, 2] = placement_row(placement)
        out[i, 3] = placement_column(placement)
    return np.asarray(out)


cdef int fill_cells(
    int16_t[:, ::1] out, Tables tables, const int8_t *cells, const uint8_t *n_cells, int most
) except -1:
    """Write the on-board squares around or under each placement, ascending, padded with -1."""
    cdef int i, k, row, column, used, o
    cdef uint32_t placement
    for i in range(out.shape[0]):
        placement = tables.placements[i]
        o = placement_orientation(placement)
        used = 0
        for k in range(n_cells[o]):
            row = placement_row(placement) + cells[(o * most + k) * 2]
            column = placement_column(placement) + cells[(o * most + k) * 2 + 1]
            if 0 <= row < tables.size and 0 <= column < tables.size:
                out[i, used] = row * tables.size + column
                used += 1
        for k in range(used, most):
            out[i, k] = -1
    return 0


def placement_squares(int size):
    """Return an int16 array (n, 5): the squares of each placement, padded with -1."""
    cdef uint8_t n_cells[91]
    cdef int o
    for o in range(BF_ORIENTATIONS):
        n_cells[o] = bf_piece_size[bf_orientation_piece[o]]
    out = np.empty((n_placements(size), 5), dtype=np.int16)
    fill_cells(out, tables_of(size), &bf_orientation_cells[0][0][0], n_cells, 5)
    return out


def placement_edges(int size):
    """Return an int16 array (n, 12): squares sharing an edge with each placement, -1 padded."""
    out = np.empty((n_placements(size), BF_MAX_EDGES), dtype=np.int16)
    fill_cells(
        out, tables_of(size), &bf_orientation_edges[0][0][0], bf_orientation_n_edges, BF_MAX_EDGES
    )
    return out


def placement_corners(int size):
    """Return an int16 array (n, 8): squares touching each placement at a corner, -1 padded."""
    out = np.empty((n_placements(size), BF_MAX_CORNERS), dtype=np.int16)
    fill_cells(
        out,
        tables_of(size),
        &bf_orientation_corners[0][0][0],
        bf_orientation_n_corners,
        BF_MAX_CORNERS,
    )
    return out
