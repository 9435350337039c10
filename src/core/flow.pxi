# flow.pxi: the course of the game: whose turn it is, who is skipped, when it ends, the phases of
# Draft; and on top of that push and pop of a bf_state, and the scores. The only place that knows
# turn order. A position that is not over always has a legal move.

cdef inline bint can_place(
    const bf_rules *rules, const bf_state *s, int holder, int color
) noexcept nogil:
    cdef uint32_t pieces = placeable(rules, s, holder, color)
    return pieces != 0 and kernel.any(&rules.layout, <bf_boards>s.own, color, pieces) != 0


cdef inline void end_game(bf_state *s) noexcept nogil:
    s.phase = BF_OVER
    s.turn = -1
    s.player = -1


cdef void seek_color(const bf_rules *rules, bf_state *s, int place) noexcept nogil:
    """Give the turn to the first colour that can place, from a place in the order on."""
    cdef int color
    for _ in range(rules.n_colors):
        if place == rules.n_colors:
            place = 0
            s.round += 1
            if rules.max_rounds and s.round == rules.max_rounds:
                break
        color = rules.order[place]
        if not s.finished >> color & 1:
            if can_place(rules, s, 0, color):
                s.turn = color
                s.player = rules.owner[color]
                if s.player < 0:
                    s.player = s.shared_player
                return
            # A colour without a placement never gets one again: its corners only get fewer.
            s.finished |= 1 << color
        place += 1
    end_game(s)


cdef void seek_player(const bf_rules *rules, bf_state *s, int player) noexcept nogil:
    """Draft: give the turn to the first player who can place, from one on."""
    cdef int color
    for _ in range(rules.n_players):
        if player == rules.n_players:
            player = 0
            s.round += 1
            if rules.max_rounds and s.round == rules.max_rounds:
                break
        for color in range(rules.n_colors):
            if can_place(rules, s, player, color):
                s.turn = -1
                s.player = player
                return
        player += 1
    end_game(s)


# -- Draft's first phase -----------------------------------------------------------------------

cdef uint32_t pickable(const bf_rules *rules, const bf_state *s, int color) noexcept nogil:
    """Return the pieces of a colour that nobody has picked."""
    cdef uint32_t pieces = 0
    cdef int piece, player, picked
    for piece in range(BF_PIECES):
        picked = 0
        for player in range(rules.n_players):
            picked += count_of(s.hand[player][color], piece)
        if picked < count_of(rules.hand[color], piece):
            pieces |= 1 << piece
    return pieces


cdef void seek_pick(const bf_rules *rules, bf_state *s, int place, int player) noexcept nogil:
    """Let a player pick of the colour at a place in the order, or go on to the next colour."""
    while place < rules.n_colors:
        if pickable(rules, s, rules.order[place]):
            s.turn = rules.order[place]
            s.player = player % rules.n_players
            return
        place += 1
        # The first pick of each colour goes to the next player in turn.
        player = place
    s.phase = BF_PLAY
    seek_player(rules, s, 0)


cdef void opening_state(const bf_rules *rules, bf_state *s) noexcept nogil:
    """Set up the beginning of a game."""
    cdef int color
    memset(s, 0, sizeof(bf_state))
    s.phase = BF_DRAFT if rules.draft else BF_PLAY
    if rules.draft:
        seek_pick(rules, s, 0, 0)
        return
    for color in range(rules.n_colors):
        s.hand[0][color] = rules.hand[color]
    seek_color(rules, s, 0)


# -- one action --------------------------------------------------------------------------------

cdef inline bint may_pass(const bf_rules *rules, const bf_state *s) noexcept nogil:
    # Without a limit of rounds passing could go on for ever: it ends before the counters do.
    return (
        rules.voluntary_pass and s.turn >= 0 and s.ply < 0xF000 and not is_empty(s.own[s.turn])
    )


cdef inline bint is_placement(const bf_rules *rules, uint32_t action) noexcept nogil:
    return action < rules.layout.n_moves or (
        rules.draft and action < <uint32_t>rules.n_colors * rules.layout.n_moves
    )


cdef inline int color_of(const bf_rules *rules, const bf_state *s, uint32_t action) noexcept nogil:
    """Return the colour that a placement of the side to move would get."""
    return <int>(action // rules.layout.n_moves) if rules.draft else s.turn


cdef int action_illegality(
    const bf_rules *rules, const bf_state *s, uint32_t action, int *where
) noexcept nogil:
    """Say why the side to move may not take an action."""
    cdef uint32_t pick
    where[0] = -1
    if action >= rules.n_actions:
        return NO_SUCH_ACTION
    if s.phase == BF_OVER:
        return GAME_OVER
    if is_placement(rules, action):
        if s.phase == BF_DRAFT:
            return DRAFT_PHASE
        return placement_illegality(
            rules, s, holder_of(rules, s), color_of(rules, s, action),
            action % rules.layout.n_moves, where,
        )
    if action == rules.pass_action:
        return LEGAL if may_pass(rules, s) else NO_PASS
    if s.phase != BF_DRAFT:
        return NOT_DRAFTING
    pick = action - <uint32_t>rules.n_colors * rules.layout.n_moves
    if <int>(pick // BF_PIECES) != s.turn:
        return OTHER_COLOR
    if not pickable(rules, s, s.turn) >> (pick % BF_PIECES) & 1:
        return PICK_GONE
    return LEGAL


cdef void push_state(
    const bf_rules *rules, bf_state *s, uint32_t action, bf_undo *undo
) noexcept nogil:
    """Take a legal action and give the turn to whoever can move next."""
    cdef int color, holder
    cdef uint32_t pick
    undo.action = action
    undo.round = s.round
    undo.turn = s.turn
    undo.player = s.player
    undo.phase = s.phase
    undo.finished = s.finished
    undo.monomino_last = s.monomino_last
    undo.shared_player = s.shared_player
    s.ply += 1
    if is_placement(rules, action):
        color = color_of(rules, s, action)
        holder = holder_of(rules, s)
        if rules.draft:
            action %= rules.layout.n_moves
        put_piece(rules, s, holder, color, action)
        s.content_key ^= placement_key(color, action)
        if rules.draft:
            seek_player(rules, s, s.player + 1)
            return
        if rules.owner[color] < 0:
            s.shared_player = (s.shared_player + 1) % rules.n_players
        seek_color(rules, s, rules.place[color] + 1)
    elif action == rules.pass_action:
        seek_color(rules, s, rules.place[s.turn] + 1)
    else:
        pick = action - <uint32_t>rules.n_colors * rules.layout.n_moves
        color = <int>(pick // BF_PIECES)
        s.hand[s.player][color] = with_piece(s.hand[s.player][color], pick % BF_PIECES)
        seek_pick(rules, s, rules.place[color], s.player + 1)


cdef void pop_state(const bf_rules *rules, bf_state *s, const bf_undo *undo) noexcept nogil:
    """Restore the state, to the byte, to what it was before a push."""
    cdef uint32_t pick, action = undo.action
    cdef int color
    s.ply -= 1
    s.round = undo.round
    s.turn = undo.turn
    s.player = undo.player
    s.phase = undo.phase
    s.finished = undo.finished
    s.monomino_last = undo.monomino_last
    s.shared_player = undo.shared_player
    if is_placement(rules, action):
        color = color_of(rules, s, action)
        if rules.draft:
            action %= rules.layout.n_moves
        take_piece(rules, s, holder_of(rules, s), color, action)
        s.content_key ^= placement_key(color, action)
    elif action != rules.pass_action:
        pick = action - <uint32_t>rules.n_colors * rules.layout.n_moves
        color = <int>(pick // BF_PIECES)
        s.hand[s.player][color] = without_piece(s.hand[s.player][color], pick % BF_PIECES)


# -- scores ------------------------------------------------------------------------------------

cdef int32_t score_of(
    const bf_rules *rules, const bf_state *s, int scored, int left, bint had_pieces
) noexcept nogil:
    """Return the score of a colour, or of a Draft player, of whom `left` squares are left."""
    cdef int32_t score = rules.score_placed * s.placed[scored] + rules.score_left * left
    if left == 0 and had_pieces:
        score += rules.score_all_placed
        if s.monomino_last >> scored & 1:
            score += rules.score_monomino_last
    return score


cdef int32_t color_score(const bf_rules *rules, const bf_state *s, int color) noexcept nogil:
    """Return the score of a colour; in Draft, where no bonus belongs to it, without bonus."""
    cdef int left, placed
    if not rules.draft:
        return score_of(rules, s, color, squares_in(s.hand[0][color]), rules.hand[color] != 0)
    placed = popcount(s.own[color])
    left = squares_in(rules.hand[color]) - placed
    return rules.score_placed * placed + rules.score_left * left


cdef int32_t player_score(const bf_rules *rules, const bf_state *s, int player) noexcept nogil:
    """Return the score of a player: of his colours together, or of his own hand in Draft."""
    cdef int color, left = 0
    cdef int32_t score = 0
    if rules.draft:
        for color in range(rules.n_colors):
            left += squares_in(s.hand[player][color])
        return score_of(rules, s, player, left, s.placed[player] + left > 0)
    for color in range(rules.n_colors):
        if rules.owner[color] == player:
            score += color_score(rules, s, color)
    return score
