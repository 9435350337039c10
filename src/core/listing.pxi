# listing.pxi: the legal actions of a state as ids, counts and masks: of the side to move
# (color = -1), or of any colour. Placements come from the kernel; picks and passes are added here.

# The most ids a kernel can write.
cdef enum:
    LIST_SIZE = 30433 + 64


cdef inline bint lists_one_color(const bf_rules *rules, const bf_state *s, int color) noexcept nogil:
    """Say whether the answer is what the kernel finds for one colour, without more."""
    return not rules.draft and not (rules.voluntary_pass and (color < 0 or color == s.turn))


cdef uint32_t list_picks(const bf_rules *rules, const bf_state *s, int32_t *out) noexcept nogil:
    """Write the ids of the picks of Draft's first phase."""
    cdef uint32_t pieces = pickable(rules, s, s.turn)
    cdef uint32_t n = 0
    cdef int32_t base = rules.n_colors * <int32_t>rules.layout.n_moves + s.turn * BF_PIECES
    while pieces:
        out[n] = base + bf_ctz64(pieces)
        pieces &= pieces - 1
        n += 1
    return n


cdef uint32_t list_actions(
    const bf_rules *rules, const bf_state *s, int color, uint16_t *scratch, int32_t *out
) noexcept nogil:
    """Write the ids of all legal actions, ascending; `scratch` holds LIST_SIZE ids."""
    cdef uint32_t i, found, n = 0
    cdef int c, holder = holder_of(rules, s)
    cdef int32_t base
    if s.phase == BF_OVER:
        return 0
    if s.phase == BF_DRAFT:
        return list_picks(rules, s, out) if color < 0 or color == s.turn else 0
    if not rules.draft:
        c = color if color >= 0 else s.turn
        n = kernel.list(
            &rules.layout, <bf_boards>s.own, c, placeable(rules, s, holder, c), scratch
        )
        for i in range(n):
            out[i] = scratch[i]
        if c == s.turn and may_pass(rules, s):
            out[n] = rules.pass_action
            n += 1
        return n
    for c in range(rules.n_colors):
        if color >= 0 and c != color:
            continue
        base = c * <int32_t>rules.layout.n_moves
        found = kernel.list(
            &rules.layout, <bf_boards>s.own, c, placeable(rules, s, holder, c), scratch
        )
        for i in range(found):
            out[n + i] = base + scratch[i]
        n += found
    return n


cdef uint32_t count_actions(const bf_rules *rules, const bf_state *s, int color) noexcept nogil:
    """Return how many legal actions there are."""
    cdef int c, holder = holder_of(rules, s)
    cdef uint32_t n = 0
    if s.phase == BF_OVER:
        return 0
    if s.phase == BF_DRAFT:
        if color >= 0 and color != s.turn:
            return 0
        return bf_popcount64(pickable(rules, s, s.turn))
    if not rules.draft:
        c = color if color >= 0 else s.turn
        n = kernel.count(&rules.layout, <bf_boards>s.own, c, placeable(rules, s, holder, c))
        return n + (c == s.turn and may_pass(rules, s))
    for c in range(rules.n_colors):
        if color < 0 or c == color:
            n += kernel.count(&rules.layout, <bf_boards>s.own, c, placeable(rules, s, holder, c))
    return n


cdef bint any_action(const bf_rules *rules, const bf_state *s, int color) noexcept nogil:
    """Say whether there is a legal action."""
    if s.phase == BF_OVER:
        return False
    if color < 0:
        return True  # flow.pxi never stops at somebody who cannot move
    if s.phase == BF_DRAFT:
        return color == s.turn
    return can_place(rules, s, holder_of(rules, s), color)


cdef uint32_t mask_actions(
    const bf_rules *rules, const bf_state *s, int color, uint8_t *mask
) noexcept nogil:
    """Set all n_actions bytes of a mask; return how many are 1."""
    cdef int c, holder = holder_of(rules, s)
    cdef uint32_t n_moves = rules.layout.n_moves
    cdef uint32_t pieces, n = 0
    cdef uint32_t placements = (rules.n_colors if rules.draft else 1) * n_moves
    if s.phase != BF_PLAY:
        memset(mask, 0, rules.n_actions)
        if s.phase == BF_DRAFT and (color < 0 or color == s.turn):
            pieces = pickable(rules, s, s.turn)
            while pieces:
                mask[placements + s.turn * BF_PIECES + bf_ctz64(pieces)] = 1
                pieces &= pieces - 1
                n += 1
        return n
    if not rules.draft:
        c = color if color >= 0 else s.turn
        n = kernel.mask(
            &rules.layout, <bf_boards>s.own, c, placeable(rules, s, holder, c), mask
        )
        if rules.voluntary_pass:
            mask[rules.pass_action] = c == s.turn and may_pass(rules, s)
            n += mask[rules.pass_action]
        return n
    for c in range(rules.n_colors):
        if color < 0 or c == color:
            n += kernel.mask(
                &rules.layout, <bf_boards>s.own, c, placeable(rules, s, holder, c),
                mask + c * n_moves,
            )
        else:
            memset(mask + c * n_moves, 0, n_moves)
    memset(mask + placements, 0, rules.n_actions - placements)
    return n
