# state.pxi: one position: squares, hands, hash, and whether one move is legal. No flow of the
# game here (flow.pxi). Everything works on the plain bf_state, without the GIL.

cdef inline bint is_empty(const uint64_t *board) noexcept nogil:
    return (
        board[0] | board[1] | board[2] | board[3] | board[4] | board[5] | board[6]
    ) == 0


cdef inline bint has_square(const uint64_t *board, int bit) noexcept nogil:
    return board[bit >> 6] >> (bit & 63) & 1


cdef inline int popcount(const uint64_t *board) noexcept nogil:
    cdef int i, total = 0
    for i in range(BF_WORDS):
        total += bf_popcount64(board[i])
    return total


# -- hands -------------------------------------------------------------------------------------

cdef inline uint32_t pieces_of(uint64_t hand) noexcept nogil:
    """Return the set of pieces of which a hand holds at least one."""
    return <uint32_t>(hand | hand >> 21 | hand >> 42) & ALL_PIECES


cdef inline int count_of(uint64_t hand, int piece) noexcept nogil:
    return <int>(
        (hand >> piece & 1) | (hand >> (piece + 21) & 1) << 1 | (hand >> (piece + 42) & 1) << 2
    )


cdef inline uint64_t without_piece(uint64_t hand, int piece) noexcept nogil:
    """Return a hand with one of a piece less; it must hold one."""
    cdef uint64_t bit = (<uint64_t>1) << piece
    cdef uint64_t borrow
    # Binary minus one across the planes: flip the lowest set plane and all below it.
    borrow = ~hand & bit
    hand ^= bit
    bit = borrow << 21
    borrow = ~hand & bit
    hand ^= bit
    return hand ^ borrow << 21


cdef inline uint64_t with_piece(uint64_t hand, int piece) noexcept nogil:
    """Return a hand with one of a piece more; it must hold less than seven."""
    cdef uint64_t bit = (<uint64_t>1) << piece
    cdef uint64_t carry
    carry = hand & bit
    hand ^= bit
    bit = carry << 21
    carry = hand & bit
    hand ^= bit
    return hand ^ carry << 21


cdef int squares_in(uint64_t hand) noexcept nogil:
    cdef int piece, total = 0
    for piece in range(BF_PIECES):
        total += count_of(hand, piece) * bf_piece_size[piece]
    return total


cdef inline int holder_of(const bf_rules *rules, const bf_state *s) noexcept nogil:
    """Return the row of ``hand`` from which the side to move plays."""
    return s.player if rules.draft else 0


cdef inline uint32_t placeable(
    const bf_rules *rules, const bf_state *s, int holder, int color
) noexcept nogil:
    """Return the pieces of a colour that a holder may place now, as far as hands decide it."""
    cdef uint32_t pieces = pieces_of(s.hand[holder][color])
    if rules.first_pieces != ALL_PIECES and is_empty(s.own[color]):
        pieces &= rules.first_pieces
    return pieces


# -- hash --------------------------------------------------------------------------------------

cdef inline uint64_t mix64(uint64_t x) noexcept nogil:
    """Scramble 64 bits, one to one (the finaliser of SplitMix64, Steele et al. 2014)."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL
    x = (x ^ x >> 27) * 0x94D049BB133111EBULL
    return x ^ x >> 31


cdef inline uint64_t placement_key(int color, uint32_t move) noexcept nogil:
    return mix64(0x9E3779B97F4A7C15ULL * (1 + (<uint64_t>color << 16 | move)))


cdef uint64_t position_key(const bf_rules *rules, const bf_state *s) noexcept nogil:
    """Return the hash: squares by colour, hands, turn, player, last-piece flags, board size."""
    cdef uint64_t key = s.content_key
    cdef int holder, color
    for holder in range(BF_COLORS if rules.draft else 1):
        for color in range(rules.n_colors):
            if s.hand[holder][color]:
                key ^= mix64(s.hand[holder][color] ^ mix64(4 * holder + color + 1))
    if rules.draft:
        # Elsewhere the squares of a colour tell it; here anybody may have placed them.
        key ^= mix64(0xD1B54A32D192ED03ULL ^ (
            <uint64_t>s.placed[0] | <uint64_t>s.placed[1] << 16
            | <uint64_t>s.placed[2] << 32 | <uint64_t>s.placed[3] << 48
        ))
    return mix64(
        key
        ^ mix64(
            <uint64_t>(s.turn + 1)
            | <uint64_t>(s.player + 1) << 3
            | <uint64_t>(2 - s.phase) << 6
            | <uint64_t>s.monomino_last << 8
            | <uint64_t>s.shared_player << 12
            | <uint64_t>rules.layout.size << 16
            | <uint64_t>rules.n_colors << 24
            | <uint64_t>rules.n_players << 28
            | (<uint64_t>s.round << 32 if rules.max_rounds else 0)
        )
    )


# -- putting a piece down ----------------------------------------------------------------------

cdef inline void toggle_squares(uint64_t *board, uint32_t placement) noexcept nogil:
    """Add the squares of a placement, or take them away."""
    cdef int o = placement_orientation(placement)
    cdef int word = placement_bit(placement) >> 6
    cdef int shift = placement_bit(placement) & 63
    cdef uint64_t low = bf_orientation_shape[o][0]
    cdef uint64_t high = bf_orientation_shape[o][1]
    board[word] ^= low << shift
    board[word + 1] ^= high << shift | low >> 1 >> (63 - shift)
    if word < 6:
        board[word + 2] ^= high >> 1 >> (63 - shift)


cdef inline void put_piece(
    const bf_rules *rules, bf_state *s, int holder, int color, uint32_t move
) noexcept nogil:
    """Place a piece from a hand: squares, hand and last-piece flag, but not the hash."""
    cdef uint32_t placement = rules.placements[move]
    cdef int piece = placement_piece(placement)
    cdef int scored = holder if rules.draft else color
    toggle_squares(s.own[color], placement)
    s.hand[holder][color] = without_piece(s.hand[holder][color], piece)
    s.placed[scored] += bf_piece_size[piece]
    s.monomino_last = (s.monomino_last & ~(1 << scored)) | ((piece == MONOMINO) << scored)


cdef inline void take_piece(
    const bf_rules *rules, bf_state *s, int holder, int color, uint32_t move
) noexcept nogil:
    """Undo put_piece, but for the last-piece flag."""
    cdef uint32_t placement = rules.placements[move]
    cdef int piece = placement_piece(placement)
    toggle_squares(s.own[color], placement)
    s.hand[holder][color] = with_piece(s.hand[holder][color], piece)
    s.placed[holder if rules.draft else color] -= bf_piece_size[piece]


# -- legality of one placement -----------------------------------------------------------------

cdef enum Illegality:
    LEGAL = 0
    GAME_OVER
    NO_SUCH_ACTION
    NOT_IN_HAND
    NOT_AN_OPENING
    OFF_BOARD
    OVERLAPS
    OWN_EDGE
    NO_CORNER
    MISSES_START
    NO_PASS
    DRAFT_PHASE
    NOT_DRAFTING
    OTHER_COLOR
    PICK_GONE


cdef int placement_illegality(
    const bf_rules *rules, const bf_state *s, int holder, int color, uint32_t move, int *where
) noexcept nogil:
    """Say which rule a placement breaks, and at which square (index), without generating."""
    cdef uint32_t placement = rules.placements[move]
    cdef int o = placement_orientation(placement)
    cdef int piece = bf_orientation_piece[o]
    cdef int row = placement_row(placement)
    cdef int column = placement_column(placement)
    cdef int size = rules.layout.size
    cdef int k, r, c, bit
    cdef const uint64_t *own = s.own[color]
    where[0] = -1
    if not pieces_of(s.hand[holder][color]) >> piece & 1:
        return NOT_IN_HAND
    cdef bint first = is_empty(own)
    if first and not rules.first_pieces >> piece & 1:
        return NOT_AN_OPENING
    for k in range(bf_piece_size[piece]):
        r = row + bf_orientation_cells[o][k][0]
        c = column + bf_orientation_cells[o][k][1]
        bit = BF_STRIDE * r + c
        where[0] = r * size + c
        if not has_square(rules.layout.playable, bit):
            return OFF_BOARD
        if (
            has_square(s.own[0], bit) or has_square(s.own[1], bit)
            or has_square(s.own[2], bit) or has_square(s.own[3], bit)
        ):
            return OVERLAPS
    where[0] = -1
    if first:
        for k in range(bf_piece_size[piece]):
            r = row + bf_orientation_cells[o][k][0]
            c = column + bf_orientation_cells[o][k][1]
            if has_square(rules.layout.start[color], BF_STRIDE * r + c):
                return LEGAL
        return MISSES_START
    for k in range(bf_orientation_n_edges[o]):
        r = row + bf_orientation_edges[o][k][0]
        c = column + bf_orientation_edges[o][k][1]
        if 0 <= r < size and 0 <= c < size and has_square(own, BF_STRIDE * r + c):
            where[0] = r * size + c
            return OWN_EDGE
    for k in range(bf_orientation_n_corners[o]):
        r = row + bf_orientation_corners[o][k][0]
        c = column + bf_orientation_corners[o][k][1]
        if 0 <= r < size and 0 <= c < size and has_square(own, BF_STRIDE * r + c):
            return LEGAL
    return NO_CORNER
