# playouts.pxi: games played to the end by chance, without the GIL. Playout i of a call draws from
# stream i of the seed, so results depend on neither threads, kernel nor platform. How moves are
# drawn is docs/random.md's promise; change nothing here without changing it there.

cdef enum PolicyKind:
    UNIFORM
    BY_PIECE
    BY_MOVE


cdef struct Policy:
    PolicyKind kind
    const uint32_t *weights  # 21 for BY_PIECE, n_moves for BY_MOVE
    uint16_t *scratch        # LIST_SIZE ids, for BY_MOVE


cdef uint64_t below64(bf_rng *rng, uint64_t n) noexcept nogil:
    """Draw from 0..n-1, n > 0, exactly uniformly: as many bits as n - 1 has, until it fits."""
    cdef uint64_t mask = n - 1
    cdef uint64_t drawn
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    mask |= mask >> 32
    while True:
        drawn = bf_rng_next(rng) & mask
        if drawn < n:
            return drawn


cdef int32_t draw_by_move(
    const bf_rules *rules, const bf_state *s, int color, uint32_t pieces, const Policy *policy,
    bf_rng *rng,
) noexcept nogil:
    """Draw a placement with probability proportional to the weight of its id."""
    cdef uint32_t i, n
    cdef uint64_t total = 0
    cdef uint64_t left
    n = kernel.list(&rules.layout, <bf_boards>s.own, color, pieces, policy.scratch)
    if n == 0:
        return -1
    for i in range(n):
        total += policy.weights[policy.scratch[i]]
    if total == 0:
        return policy.scratch[bf_rng_below(rng, n)]
    left = below64(rng, total)
    for i in range(n):
        if left < policy.weights[policy.scratch[i]]:
            return policy.scratch[i]
        left -= policy.weights[policy.scratch[i]]
    return -1  # not reached: left < total


cdef inline int32_t draw_placement(
    const bf_rules *rules, const bf_state *s, int holder, int color, const Policy *policy,
    bf_rng *rng,
) noexcept nogil:
    """Draw a placement of a colour; -1 if there is none."""
    cdef uint32_t pieces = placeable(rules, s, holder, color)
    if pieces == 0:
        return -1
    if policy.kind == UNIFORM:
        return kernel.sample(&rules.layout, <bf_boards>s.own, color, pieces, rng)
    if policy.kind == BY_PIECE:
        return kernel.sample_weighted(
            &rules.layout, <bf_boards>s.own, color, pieces, policy.weights, rng
        )
    return draw_by_move(rules, s, color, pieces, policy, rng)


cdef uint32_t draw_action(
    const bf_rules *rules, const bf_state *s, const Policy *policy, bf_rng *rng
) noexcept nogil:
    """Draw an action of any kind.

    A pick, a pass, or one of several colours is drawn uniformly by the number of actions that
    each choice has; then the placement by the policy. Where there is but one choice, nothing is
    drawn for it.
    """
    cdef uint32_t chosen, n, pieces
    cdef int color
    if s.phase == BF_DRAFT:
        pieces = pickable(rules, s, s.turn)
        for _ in range(bf_rng_below(rng, bf_popcount64(pieces))):
            pieces &= pieces - 1
        return (
            <uint32_t>rules.n_colors * rules.layout.n_moves
            + <uint32_t>(s.turn * BF_PIECES + bf_ctz64(pieces))
        )
    if not rules.draft and not may_pass(rules, s):
        return <uint32_t>draw_placement(rules, s, 0, s.turn, policy, rng)
    n = count_actions(rules, s, -1)
    chosen = bf_rng_below(rng, n)
    if not rules.draft:
        if chosen == n - 1:
            return rules.pass_action
        return <uint32_t>draw_placement(rules, s, 0, s.turn, policy, rng)
    for color in range(rules.n_colors):
        n = count_actions(rules, s, color)
        if chosen < n:
            return <uint32_t>color * rules.layout.n_moves + <uint32_t>draw_placement(
                rules, s, s.player, color, policy, rng
            )
        chosen -= n
    return 0  # not reached: chosen is smaller than the sum


cdef void play_out_colors(
    const bf_rules *rules, bf_state *s, const Policy *policy, bf_rng *rng
) noexcept nogil:
    """Play to the end where every turn is one colour's, and it must place."""
    cdef int all_finished = (1 << rules.n_colors) - 1
    cdef int place = rules.place[s.turn]
    cdef int color
    cdef int32_t move
    while True:
        color = rules.order[place]
        if not s.finished >> color & 1:
            # Drawing tells whether the colour can move: nothing has to ask beforehand.
            move = draw_placement(rules, s, 0, color, policy, rng)
            if move >= 0:
                put_piece(rules, s, 0, color, <uint32_t>move)
                s.ply += 1
            else:
                s.finished |= 1 << color
                if s.finished == all_finished:
                    break
        place += 1
        if place == rules.n_colors:
            place = 0
            s.round += 1
            if rules.max_rounds and s.round == rules.max_rounds:
                break
    end_game(s)


cdef void play_out(
    const bf_rules *rules, bf_state *s, const Policy *policy, bf_rng *rng
) noexcept nogil:
    """Play to the end. The hash and who was to place a shared colour are not kept."""
    cdef bf_undo undo
    if s.phase == BF_OVER:
        return
    if not rules.draft and not rules.voluntary_pass:
        play_out_colors(rules, s, policy, rng)
        return
    while s.phase != BF_OVER:
        push_state(rules, s, draw_action(rules, s, policy, rng), &undo)


cdef int fill_policy(
    Policy *policy, const bf_rules *rules, const uint32_t[::1] piece_weights,
    const uint32_t[::1] move_weights,
) except -1:
    """Fill in how to draw, but for the scratch."""
    policy.kind = UNIFORM
    policy.weights = NULL
    policy.scratch = NULL
    if piece_weights is not None:
        if piece_weights.shape[0] != BF_PIECES:
            raise ValueError(f"{BF_PIECES} piece weights are needed, not {piece_weights.shape[0]}")
        policy.kind = BY_PIECE
        policy.weights = &piece_weights[0]
    elif move_weights is not None:
        if move_weights.shape[0] != rules.layout.n_moves:
            raise ValueError(
                f"{rules.layout.n_moves} move weights are needed, not {move_weights.shape[0]}"
            )
        policy.kind = BY_MOVE
        policy.weights = &move_weights[0]
    return 0


cdef int open_scratch(Policy *policy) noexcept nogil:
    """Get the scratch, if the policy needs one; return 1 if there is no memory."""
    policy.scratch = NULL
    if policy.kind == BY_MOVE:
        policy.scratch = <uint16_t *>PyMem_RawMalloc(sizeof(uint16_t) * LIST_SIZE)
        return policy.scratch == NULL
    return 0


def _playouts(
    Board board not None, uint64_t seed, int64_t first, int32_t[:, ::1] scores not None,
    const uint32_t[::1] piece_weights, const uint32_t[::1] move_weights,
    const uint8_t[::1] stop not None,
):
    """Fill a row of `scores` per playout, beginning with playout `first`; see playouts.py.

    Returns the number of playouts done: all, unless stop[0] becomes non-zero.
    """
    cdef const bf_rules *rules = board.c_rules
    cdef bf_state_room room
    cdef bf_state *s = <bf_state *>((<size_t>&room + 63) & ~<size_t>63)
    cdef Policy policy
    cdef bf_rng rng
    cdef Py_ssize_t i
    cdef Py_ssize_t n = scores.shape[0]
    cdef int player
    if scores.shape[1] != rules.n_players:
        raise ValueError(f"scores must have {rules.n_players} columns, not {scores.shape[1]}")
    if stop.shape[0] < 1:
        raise ValueError("stop must have an item")
    fill_policy(&policy, rules, piece_weights, move_weights)
    if open_scratch(&policy):
        raise MemoryError
    with nogil:
        for i in range(n):
            if stop[0]:
                n = i
                break
            s[0] = board.state[0]
            bf_rng_seed(&rng, seed, <uint64_t>(first + i))
            play_out(rules, s, &policy, &rng)
            for player in range(rules.n_players):
                scores[i, player] = player_score(rules, s, player)
    PyMem_RawFree(policy.scratch)
    return n
