# observe.pxi: positions as planes of zeros and ones for networks. Which planes there are, their
# order and their names are observation.py's; here each is filled, without the GIL.

cdef enum PlaneKind:
    PLANE_OWN
    PLANE_CORNER
    PLANE_FORBIDDEN
    PLANE_PLAYABLE
    PLANE_START
    # From here on all squares of a plane are the same.
    PLANE_HAND
    PLANE_TURN
    PLANE_PLAYER
    PLANE_FINISHED
    PLANE_MONOMINO
    PLANE_DRAFTING
    PLANE_OVER
    PLANE_SHARED
    PLANE_ROUND
    PLANE_PLY
    PLANE_PLACED


cdef enum CellKind:
    CELL_UINT8
    CELL_FLOAT32
    CELL_BITS


# The eight bits of a byte as bytes, lowest first.
cdef uint8_t spread_bits[256][8]


cdef void fill_spread_bits() noexcept:
    cdef int byte, bit
    for byte in range(256):
        for bit in range(8):
            spread_bits[byte][bit] = byte >> bit & 1


fill_spread_bits()


# What planes are made from: the boards of a position, colours in the order of the view.
cdef struct Scene:
    uint64_t own[4][8]
    uint64_t corner[4][8]
    uint64_t forbidden[4][8]
    uint64_t start[4][8]
    uint64_t playable[8]
    int colors[4]   # by place in the view
    int players[4]


cdef inline uint32_t row_bits(const uint64_t *board, int row) noexcept nogil:
    cdef int bit = BF_STRIDE * row
    cdef uint64_t bits = board[bit >> 6] >> (bit & 63)
    if (bit & 63) > 43:
        bits |= board[(bit >> 6) + 1] << (64 - (bit & 63))
    return <uint32_t>bits & 0x1FFFFF


cdef void turn_board(uint64_t *board, const int16_t *bits) noexcept nogil:
    """Move every square of a board to where a symmetry takes it."""
    cdef uint64_t turned[8]
    cdef uint64_t left
    cdef int word, to
    memset(turned, 0, sizeof(turned))
    for word in range(BF_WORDS):
        left = board[word]
        while left:
            to = bits[64 * word + bf_ctz64(left)]
            turned[to >> 6] |= (<uint64_t>1) << (to & 63)
            left &= left - 1
    memcpy(board, turned, sizeof(turned))


cdef void set_scene(
    const bf_rules *rules, const bf_state *s, bint mover, const int16_t *bits, Scene *scene
) noexcept nogil:
    """Compute the boards; `bits` is NULL where nothing is to be turned."""
    cdef uint64_t allowed[8]
    cdef int i, k, color
    cdef int base = rules.place[s.turn] if s.turn >= 0 else 0
    for i in range(rules.n_players):
        scene.players[i] = i
        if mover and rules.draft and s.player >= 0:
            scene.players[i] = (s.player + i) % rules.n_players
    for k in range(rules.n_colors):
        color = k
        if mover:
            color = rules.order[k if rules.draft else (base + k) % rules.n_colors]
        scene.colors[k] = color
        memcpy(scene.own[k], s.own[color], 8 * BF_WORDS)
        memcpy(scene.start[k], rules.layout.start[color], 8 * BF_WORDS)
        kernel.frontier(&rules.layout, <bf_boards>s.own, color, allowed, scene.corner[k])
        for i in range(BF_WORDS):
            scene.forbidden[k][i] = rules.layout.playable[i] & ~allowed[i]
        if bits != NULL:
            turn_board(scene.own[k], bits)
            turn_board(scene.start[k], bits)
            turn_board(scene.corner[k], bits)
            turn_board(scene.forbidden[k], bits)
    # A symmetry leaves the squares in play where they are.
    memcpy(scene.playable, rules.layout.playable, 8 * BF_WORDS)


cdef const uint64_t *plane_board(const Scene *scene, const uint8_t *plane) noexcept nogil:
    """Return the board that a plane shows; NULL if all its squares are the same."""
    if plane[0] == PLANE_OWN:
        return scene.own[plane[1]]
    if plane[0] == PLANE_CORNER:
        return scene.corner[plane[1]]
    if plane[0] == PLANE_FORBIDDEN:
        return scene.forbidden[plane[1]]
    if plane[0] == PLANE_START:
        return scene.start[plane[1]]
    if plane[0] == PLANE_PLAYABLE:
        return scene.playable
    return NULL


cdef bint plane_flag(
    const bf_rules *rules, const bf_state *s, const Scene *scene, const uint8_t *plane
) noexcept nogil:
    """Return what all squares of a plane are."""
    cdef int kind = plane[0]
    cdef int a = plane[1]
    cdef int b = plane[2]
    if kind == PLANE_HAND:
        return count_of(
            s.hand[scene.players[a] if rules.draft else 0][scene.colors[b]], plane[3] >> 3
        ) >= (plane[3] & 7)
    if kind == PLANE_TURN:
        return s.turn == a
    if kind == PLANE_PLAYER:
        return s.player == a
    if kind == PLANE_FINISHED:
        return s.finished >> scene.colors[a] & 1
    if kind == PLANE_MONOMINO:
        return s.monomino_last >> (scene.players[a] if rules.draft else scene.colors[a]) & 1
    if kind == PLANE_DRAFTING:
        return s.phase == BF_DRAFT
    if kind == PLANE_OVER:
        return s.phase == BF_OVER
    if kind == PLANE_SHARED:
        return s.shared_player == a
    if kind == PLANE_ROUND:
        return s.round >> a & 1
    if kind == PLANE_PLY:
        return s.ply >> a & 1
    return s.placed[scene.players[a]] >> b & 1


cdef void write_cells(
    const uint64_t *board, int size, int cells, uint8_t *out
) noexcept nogil:
    """Write the squares of a board as numbers."""
    cdef uint8_t bytes[20 * 20 + 24]
    cdef uint32_t bits
    cdef int row, i
    for row in range(size):
        # The next row overwrites what is too much.
        bits = row_bits(board, row)
        memcpy(bytes + row * size, spread_bits[bits & 255], 8)
        memcpy(bytes + row * size + 8, spread_bits[bits >> 8 & 255], 8)
        memcpy(bytes + row * size + 16, spread_bits[bits >> 16], 8)
    if cells == CELL_UINT8:
        memcpy(out, bytes, size * size)
    else:
        for i in range(size * size):
            (<float *>out)[i] = bytes[i]


cdef void write_bits(const uint64_t *board, int size, uint8_t *out) noexcept nogil:
    """Write the squares of a board as bits, the lowest of each byte first."""
    cdef uint64_t packed[8]
    cdef uint64_t bits
    cdef int row, at, i
    memset(packed, 0, sizeof(packed))
    for row in range(size):
        at = row * size
        bits = row_bits(board, row)
        packed[at >> 6] |= bits << (at & 63)
        if (at & 63) > 43:
            packed[(at >> 6) + 1] |= bits >> (64 - (at & 63))
    for i in range((size * size + 7) >> 3):
        out[i] = <uint8_t>(packed[i >> 3] >> (8 * (i & 7)))


cdef void fill_plane(bint flag, int size, int cells, int width, uint8_t *out) noexcept nogil:
    """Write a plane all of whose squares are the same."""
    cdef int i
    if cells == CELL_FLOAT32:
        for i in range(size * size):
            (<float *>out)[i] = flag
        return
    memset(out, flag if cells == CELL_UINT8 else 255 * flag, width)
    if cells == CELL_BITS and (size * size) & 7:
        # No square stands behind the last bits.
        out[width - 1] &= (1 << ((size * size) & 7)) - 1


cdef struct Scenes:
    const bf_rules *rules
    const bf_state *states
    const uint8_t *planes
    Py_ssize_t n_planes
    bint mover
    const int64_t *by_turn
    const int16_t *bits      # rows of 512
    int cells
    int width                # bytes of a plane
    uint8_t *out


def _observe(
    Batch batch not None, const uint8_t[:, ::1] planes not None, bint mover,
    const int64_t[::1] by_turn not None, const int16_t[:, ::1] bits not None, int cells,
    uint8_t[:, :, ::1] out not None,
):
    """Fill the planes of games: out[game, plane] is the memory of one.

    by_turn[turn + 1] says which row of `bits` takes each bit of the frame to where it goes; no
    square moves where that is 0.
    """
    cdef Scenes w
    cdef uint8_t stop = 0
    if batch.n == 0 or planes.shape[0] == 0:
        return
    w.rules = batch.c_rules
    w.states = batch.states
    w.planes = &planes[0, 0]
    w.n_planes = planes.shape[0]
    w.mover = mover
    w.by_turn = &by_turn[0]
    w.bits = &bits[0, 0]
    w.cells = cells
    w.width = <int>out.shape[2]
    w.out = &out[0, 0, 0]
    batch.pool.run(observe_part, &w, batch.n, FEWEST, BLOCK, &stop)


cdef int observe_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Scenes *w = <const Scenes *>work
    cdef const bf_state *s
    cdef const uint64_t *board
    cdef const uint8_t *plane
    cdef uint8_t *out = w.out + first * w.n_planes * w.width
    cdef Py_ssize_t i, k
    cdef const int16_t *bits
    cdef int size = w.rules.layout.size
    cdef Scene scene
    for i in range(first, last):
        s = &w.states[i]
        bits = NULL
        if w.by_turn[s.turn + 1]:
            bits = w.bits + 512 * w.by_turn[s.turn + 1]
        set_scene(w.rules, s, w.mover, bits, &scene)
        for k in range(w.n_planes):
            plane = w.planes + 4 * k
            board = plane_board(&scene, plane)
            if board == NULL:
                fill_plane(plane_flag(w.rules, s, &scene, plane), size, w.cells, w.width, out)
            elif w.cells == CELL_BITS:
                write_bits(board, size, out)
            else:
                write_cells(board, size, w.cells, out)
            out += w.width
    return 0
