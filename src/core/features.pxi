# features.pxi: what placements are worth: corner squares opened, closed and taken; and the
# squares that a colour can still reach. Boards are cut into windows around each placement, so the
# cost of one is a handful of words, whatever its shape.

# A board with a word of zeros before and behind it: windows may begin above its first row.
cdef struct PaddedBoard:
    uint64_t words[12]


# 192 bits of a board, beginning one row and one column before an anchor.
cdef struct Window:
    uint64_t words[3]


cdef Window square_windows[91]
cdef Window edge_windows[91]
cdef Window corner_windows[91]


cdef void fill_windows() noexcept:
    """Derive from the tables which bits of a window each orientation covers and touches."""
    cdef int o, k, bit
    memset(square_windows, 0, sizeof(square_windows))
    memset(edge_windows, 0, sizeof(edge_windows))
    memset(corner_windows, 0, sizeof(corner_windows))
    for o in range(BF_ORIENTATIONS):
        for k in range(bf_piece_size[bf_orientation_piece[o]]):
            bit = window_bit(&bf_orientation_cells[o][k][0])
            square_windows[o].words[bit >> 6] |= (<uint64_t>1) << (bit & 63)
        for k in range(bf_orientation_n_edges[o]):
            bit = window_bit(&bf_orientation_edges[o][k][0])
            edge_windows[o].words[bit >> 6] |= (<uint64_t>1) << (bit & 63)
        for k in range(bf_orientation_n_corners[o]):
            bit = window_bit(&bf_orientation_corners[o][k][0])
            corner_windows[o].words[bit >> 6] |= (<uint64_t>1) << (bit & 63)


cdef inline int window_bit(const int8_t *cell) noexcept nogil:
    return BF_STRIDE * (cell[0] + 1) + cell[1] + 1


fill_windows()


cdef inline void pad(const uint64_t *board, PaddedBoard *padded) noexcept nogil:
    memset(padded, 0, sizeof(PaddedBoard))
    memcpy(&padded.words[1], board, 8 * BF_WORDS)


cdef inline int overlap(const PaddedBoard *board, int anchor, const Window *window) noexcept nogil:
    """Count the squares of a board in a window at an anchor's bit."""
    cdef int bit = anchor + 64 - (BF_STRIDE + 1)
    cdef const uint64_t *w = &board.words[bit >> 6]
    cdef int shift = bit & 63
    cdef int left = 63 - shift
    return (
        bf_popcount64((w[0] >> shift | w[1] << 1 << left) & window.words[0])
        + bf_popcount64((w[1] >> shift | w[2] << 1 << left) & window.words[1])
        + bf_popcount64((w[2] >> shift | w[3] << 1 << left) & window.words[2])
    )


def _move_features(
    Board board not None, int color, const int32_t[::1] ids not None, int8_t[::1] squares not None,
    int8_t[::1] gained not None, int8_t[::1] lost not None, int8_t[:, ::1] taken not None,
    int16_t[::1] distance not None,
):
    """Fill the features of placements of a colour; see features.py, which checks the arguments."""
    cdef const bf_rules *rules = board.c_rules
    cdef const bf_state *s = board.state
    cdef PaddedBoard corner[4]
    cdef PaddedBoard fresh  # squares that become corner squares when touched
    cdef uint64_t allowed[8]
    cdef uint64_t corners[8]
    cdef int c, i, k, o, anchor, row, column, dr, dc, nearest
    cdef int n_colors = rules.n_colors
    cdef int size = rules.layout.size
    cdef Py_ssize_t m
    cdef uint32_t placement
    cdef bint first = is_empty(s.own[color])
    cdef int n_corners = 0
    for c in range(n_colors):
        kernel.frontier(&rules.layout, <bf_boards>s.own, c, allowed, corners)
        pad(corners, &corner[c])
        if c == color:
            n_corners = popcount(corners)
            for i in range(BF_WORDS):
                allowed[i] &= ~corners[i]
            pad(allowed, &fresh)
    with nogil:
        for m in range(ids.shape[0]):
            placement = rules.placements[ids[m]]
            o = placement_orientation(placement)
            anchor = placement_bit(placement)
            squares[m] = bf_piece_size[bf_orientation_piece[o]]
            gained[m] = overlap(&fresh, anchor, &corner_windows[o])
            if first:
                # The start squares were the corner squares; only those it touches stay.
                lost[m] = n_corners - overlap(&corner[color], anchor, &corner_windows[o])
            else:
                lost[m] = overlap(&corner[color], anchor, &square_windows[o]) + overlap(
                    &corner[color], anchor, &edge_windows[o]
                )
            for c in range(n_colors):
                taken[m, c] = (
                    0 if c == color else overlap(&corner[c], anchor, &square_windows[o])
                )
            nearest = 0x7FFF
            for k in range(squares[m]):
                row = placement_row(placement) + bf_orientation_cells[o][k][0]
                column = placement_column(placement) + bf_orientation_cells[o][k][1]
                dr = 2 * row - (size - 1)
                dc = 2 * column - (size - 1)
                nearest = min(nearest, dr * dr + dc * dc)
            distance[m] = nearest


cdef void spread(uint64_t *board, const uint64_t *within, bint diagonally) noexcept nogil:
    """Add the neighbours of a board's squares, at edges or at corners, that lie within another."""
    cdef uint64_t around[8]
    cdef int i
    cdef int near = 20 if diagonally else 1
    cdef int far = 22 if diagonally else 21
    for i in range(BF_WORDS):
        around[i] = board[i] << near | board[i] >> near | board[i] << far | board[i] >> far
        if i > 0:
            around[i] |= board[i - 1] >> (64 - near) | board[i - 1] >> (64 - far)
        if i < BF_WORDS - 1:
            around[i] |= board[i + 1] << (64 - near) | board[i + 1] << (64 - far)
    for i in range(BF_WORDS):
        board[i] |= around[i] & within[i]


def _reachable(Board board not None, int color, int placements, int steps):
    """Return the board of squares within a number of placements' reach, as (squares, mask)."""
    cdef const bf_rules *rules = board.c_rules
    cdef uint64_t allowed[8]
    cdef uint64_t reached[8]
    cdef int k
    if placements == 0:
        memset(reached, 0, sizeof(reached))
    else:
        kernel.frontier(&rules.layout, <bf_boards>board.state.own, color, allowed, reached)
    for k in range(placements):
        if k:
            spread(reached, allowed, True)
        for _ in range(steps):
            spread(reached, allowed, False)
    return (
        squares_of(reached, rules.layout.size),
        mask_of(reached, rules.layout.size),
    )
