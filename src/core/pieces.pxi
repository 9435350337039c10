# pieces.pxi: the way back from squares to placements, and a quick test whether one placement is
# legal. Both work on plain boards, without the GIL.

# A shape within five rows and columns as 25 bits, and the orientation that it is.
cdef uint32_t shape_codes[91]
cdef uint8_t shape_slots[256]


cdef inline uint32_t shape_slot(uint32_t code) noexcept nogil:
    return (code * <uint32_t>0x9E3779B1) >> 24


cdef void fill_shapes() noexcept:
    """Enter every orientation into a hash table with open addressing."""
    cdef int o, k
    cdef uint32_t slot
    memset(shape_slots, 255, sizeof(shape_slots))
    memset(shape_codes, 0, sizeof(shape_codes))
    for o in range(BF_ORIENTATIONS):
        for k in range(bf_piece_size[bf_orientation_piece[o]]):
            shape_codes[o] |= <uint32_t>1 << (
                5 * bf_orientation_cells[o][k][0] + bf_orientation_cells[o][k][1]
            )
        slot = shape_slot(shape_codes[o])
        while shape_slots[slot] != 255:
            slot = (slot + 1) & 255
        shape_slots[slot] = o


fill_shapes()


cdef int orientation_of(uint32_t code) noexcept nogil:
    """Return the orientation that a code stands for, -1 if no piece has that shape."""
    cdef uint32_t slot = shape_slot(code)
    while shape_slots[slot] != 255:
        if shape_codes[shape_slots[slot]] == code:
            return shape_slots[slot]
        slot = (slot + 1) & 255
    return -1


cdef int32_t take_component(const bf_layout *layout, uint64_t *board) noexcept nogil:
    """Remove the squares that hang together with the lowest one; return the placement's id.

    Pieces of one colour never share an edge, so such squares are one piece. Returns -1 if they
    are none; the board must not be empty.
    """
    cdef int word = 0
    cdef int n = 1, done = 0, k, bit, near, o, row = BF_MAX_SIZE, column = BF_MAX_SIZE
    cdef int bits[5]
    cdef int steps[4]
    cdef uint32_t code = 0
    steps[0], steps[1], steps[2], steps[3] = 1, -1, BF_STRIDE, -BF_STRIDE
    while board[word] == 0:
        word += 1
    bits[0] = 64 * word + bf_ctz64(board[word])
    board[word] &= board[word] - 1
    while done < n:
        for k in range(4):
            near = bits[done] + steps[k]
            if near < 0 or near >= 64 * BF_WORDS or not has_square(board, near):
                continue
            if n == 5:
                return -1
            board[near >> 6] ^= (<uint64_t>1) << (near & 63)
            bits[n] = near
            n += 1
        done += 1
    for k in range(n):
        row = min(row, bits[k] // BF_STRIDE)
        column = min(column, bits[k] % BF_STRIDE)
    for k in range(n):
        bit = bits[k] - BF_STRIDE * row - column
        if bit // BF_STRIDE > 4 or bit % BF_STRIDE > 4:
            return -1
        code |= <uint32_t>1 << (5 * (bit // BF_STRIDE) + bit % BF_STRIDE)
    o = orientation_of(code)
    if o < 0:
        return -1
    return (
        layout.first[o]
        + layout.rank[bf_orientation_width[o] - 1][BF_STRIDE * row + column]
    )


cdef inline Window cut_out(const PaddedBoard *board, int anchor) noexcept nogil:
    """Return the window of a board around an anchor's bit."""
    cdef int bit = anchor + 64 - (BF_STRIDE + 1)
    cdef const uint64_t *w = &board.words[bit >> 6]
    cdef int shift = bit & 63
    cdef int left = 63 - shift
    cdef Window cut
    cut.words[0] = w[0] >> shift | w[1] << 1 << left
    cut.words[1] = w[1] >> shift | w[2] << 1 << left
    cut.words[2] = w[2] >> shift | w[3] << 1 << left
    return cut


cdef inline uint64_t meets(const Window *cut, const Window *window) noexcept nogil:
    return (
        (cut.words[0] & window.words[0])
        | (cut.words[1] & window.words[1])
        | (cut.words[2] & window.words[2])
    )


cdef bint may_place(
    const bf_rules *rules, const bf_state *s, int holder, int color, uint32_t move
) noexcept nogil:
    """Say whether a placement is legal, as placement_illegality does, but not why."""
    cdef uint32_t placement = rules.placements[move]
    cdef int o = placement_orientation(placement)
    cdef int anchor = placement_bit(placement)
    cdef int piece = bf_orientation_piece[o]
    cdef int i
    cdef PaddedBoard mine, taken
    cdef uint64_t any_own = 0
    cdef Window cut
    if not pieces_of(s.hand[holder][color]) >> piece & 1:
        return False
    mine.words[0] = taken.words[0] = 0
    for i in range(BF_WORDS):
        mine.words[i + 1] = s.own[color][i]
        any_own |= s.own[color][i]
        taken.words[i + 1] = (
            s.own[0][i] | s.own[1][i] | s.own[2][i] | s.own[3][i] | ~rules.layout.playable[i]
        )
    for i in range(BF_WORDS + 1, 12):
        mine.words[i] = taken.words[i] = 0
    cut = cut_out(&taken, anchor)
    if meets(&cut, &square_windows[o]):
        return False
    if any_own:
        cut = cut_out(&mine, anchor)
        return meets(&cut, &edge_windows[o]) == 0 and meets(&cut, &corner_windows[o]) != 0
    if not rules.first_pieces >> piece & 1:
        return False
    pad(rules.layout.start[color], &mine)
    cut = cut_out(&mine, anchor)
    return meets(&cut, &square_windows[o]) != 0


cdef inline bint may_take(const bf_rules *rules, const bf_state *s, uint32_t action) noexcept nogil:
    """Say whether the side to move may take an action, as action_illegality does."""
    cdef int where = -1
    if s.phase == BF_PLAY and is_placement(rules, action):
        return may_place(
            rules, s, holder_of(rules, s), color_of(rules, s, action),
            action % rules.layout.n_moves if rules.draft else action,
        )
    return action_illegality(rules, s, action, &where) == LEGAL
