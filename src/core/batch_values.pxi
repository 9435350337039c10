# batch_values.pxi: positions of a batch as values: plain numbers in arrays and back, with checks;
# equality; what a symmetry of the rules makes of them. And how a Board that came out of a batch
# is pickled.

cdef enum:
    # Columns of the array of numbers: see _export.
    N_NUMBERS = 12


@cython.final
cdef class Snapshot:
    """A position as the arguments of Board._from_placements, worked out only when needed."""

    cdef Rules rules
    cdef bf_state state

    def __iter__(self):
        return iter(self.arguments())

    def __reduce__(self):
        return tuple, (self.arguments(),)

    cdef tuple arguments(self):
        cdef const bf_rules *rules = &self.rules.c
        cdef const bf_state *s = &self.state
        cdef uint64_t left[8]
        cdef int color
        cdef int32_t move
        placements = []
        for color in range(rules.n_colors):
            moves = []
            memcpy(left, s.own[color], sizeof(left))
            while not is_empty(left):
                move = take_component(&rules.layout, left)
                if move < 0:
                    raise InvalidPositionError("squares of a colour are no pieces")
                moves.append(move)
            placements.append(tuple(moves))
        held = tuple([
            tuple([
                tuple([count_of(s.hand[holder][color], piece) for piece in range(BF_PIECES)])
                for color in range(rules.n_colors)
            ])
            for holder in range(rules.n_players if rules.draft else 1)
        ])
        placed = tuple([s.placed[holder] for holder in range(rules.n_players)])
        return (
            tuple(placements),
            held if rules.draft else held[0],
            max(s.turn, 0),
            max(s.player, 0) if rules.draft else s.shared_player,
            s.monomino_last,
            placed if rules.draft else (),
            (s.ply, s.round, s.phase, s.turn),
        )


cdef bint equal_states(const bf_rules *rules, const bf_state *s, const bf_state *t) noexcept nogil:
    """Compare positions, as == of boards does: but for what has no influence on the game."""
    return (
        memcmp(s.own, t.own, sizeof(s.own)) == 0
        and memcmp(s.hand, t.hand, sizeof(s.hand)) == 0
        and memcmp(s.placed, t.placed, sizeof(s.placed)) == 0
        and s.ply == t.ply and s.turn == t.turn and s.player == t.player and s.phase == t.phase
        and s.monomino_last == t.monomino_last and s.shared_player == t.shared_player
        and (rules.max_rounds == 0 or s.round == t.round)
    )


def _equal(Batch a not None, Batch b not None, uint8_t[::1] out not None):
    """Say which games of two batches of the same rules and length are equal."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(a.n):
            out[i] = equal_states(a.c_rules, &a.states[i], &b.states[i])


# -- as numbers --------------------------------------------------------------------------------

def _export(
    Batch batch not None, uint64_t[:, :, ::1] own not None, uint64_t[:, :, ::1] hands not None,
    int32_t[:, ::1] numbers not None,
):
    """Write squares (n, 4, 8), hands (n, 4, 4) and the other numbers (n, 12) of all games."""
    cdef Py_ssize_t i
    cdef int color
    cdef const bf_state *s
    with nogil:
        for i in range(batch.n):
            s = &batch.states[i]
            memcpy(&own[i, 0, 0], s.own, sizeof(s.own))
            memcpy(&hands[i, 0, 0], s.hand, sizeof(s.hand))
            numbers[i, 0] = s.turn
            numbers[i, 1] = s.player
            numbers[i, 2] = s.phase
            numbers[i, 3] = s.ply
            numbers[i, 4] = s.round
            numbers[i, 5] = s.finished
            numbers[i, 6] = s.monomino_last
            numbers[i, 7] = s.shared_player
            for color in range(BF_COLORS):
                numbers[i, 8 + color] = s.placed[color]


def _import(
    Batch batch not None, const uint64_t[:, :, ::1] own not None,
    const uint64_t[:, :, ::1] hands not None, const int32_t[:, ::1] numbers not None,
):
    """Take games from such arrays; return the first that is no position, with why, or None."""
    cdef Py_ssize_t i = 0
    cdef const char *why = NULL
    cdef bf_state_room room
    cdef bf_state *s = <bf_state *>((<size_t>&room + 63) & ~<size_t>63)
    with nogil:
        for i in range(batch.n):
            memset(s, 0, sizeof(bf_state))
            memcpy(s.own, &own[i, 0, 0], sizeof(s.own))
            memcpy(s.hand, &hands[i, 0, 0], sizeof(s.hand))
            why = import_state(batch.c_rules, s, &numbers[i, 0])
            if why != NULL:
                break
            batch.states[i] = s[0]
    return None if why == NULL else (i, why.decode())


cdef bint out_of_range(int32_t number, int low, int high) noexcept nogil:
    return number < low or number > high


cdef const char *import_state(
    const bf_rules *rules, bf_state *s, const int32_t *numbers
) noexcept nogil:
    """Fill in the rest of a state from its numbers; say what is wrong with it, or NULL."""
    cdef int all_colors = (1 << rules.n_colors) - 1
    cdef int i
    cdef const char *why = import_squares(rules, s)
    if why != NULL:
        return why
    if (
        out_of_range(numbers[0], -1, rules.n_colors - 1)
        or out_of_range(numbers[1], -1, rules.n_players - 1)
        or out_of_range(numbers[2], BF_OVER, BF_DRAFT)
        or out_of_range(numbers[3], -1, 0xFFFF)
        or out_of_range(numbers[4], 0, 0xFFFF)
        or out_of_range(numbers[5], 0, all_colors)
        or out_of_range(numbers[6], 0, 15)
        or out_of_range(numbers[7], 0, rules.n_players - 1)
    ):
        return "a number out of range"
    s.turn = numbers[0]
    s.player = numbers[1]
    s.phase = numbers[2]
    if numbers[3] >= 0:  # else it is the number of pieces on the board
        s.ply = numbers[3]
    s.round = numbers[4]
    s.finished = numbers[5]
    s.monomino_last = numbers[6]
    s.shared_player = numbers[7]
    for i in range(BF_COLORS):
        if out_of_range(numbers[8 + i], 0, 0xFFFF):
            return "a number out of range"
        if not rules.draft and numbers[8 + i] != popcount(s.own[i]):
            return "squares placed that are not on the board"
        s.placed[i] = numbers[8 + i]
    return import_turn(rules, s)


cdef const char *import_squares(const bf_rules *rules, bf_state *s) noexcept nogil:
    """Check squares and hands; make the hash of the squares, and count the pieces."""
    cdef uint64_t taken[8]
    cdef uint64_t left[8]
    cdef int color, holder, i
    cdef int holders = rules.n_players if rules.draft else 1
    cdef int32_t move
    for i in range(BF_WORDS):
        taken[i] = ~rules.layout.playable[i]
    for color in range(BF_COLORS):
        for i in range(BF_WORDS):
            if taken[i] & s.own[color][i] or (color >= rules.n_colors and s.own[color][i]):
                return "squares that a colour cannot have"
            taken[i] |= s.own[color][i]
        memcpy(left, s.own[color], sizeof(left))
        while not is_empty(left):
            move = take_component(&rules.layout, left)
            if move < 0:
                return "squares of a colour that are no pieces"
            s.content_key ^= placement_key(color, <uint32_t>move)
            s.ply += 1
        for holder in range(BF_COLORS):
            if s.hand[holder][color] >> 63 or (
                (holder >= holders or color >= rules.n_colors) and s.hand[holder][color]
            ):
                return "pieces that nobody can have"
    return NULL


cdef const char *import_turn(const bf_rules *rules, const bf_state *s) noexcept nogil:
    """Check that whoever is to move can."""
    cdef int color
    if s.phase == BF_OVER:
        if s.turn >= 0 or s.player >= 0:
            return "a turn in a game that is over"
        return NULL
    if s.player < 0:
        return "no player to move"
    if s.phase == BF_DRAFT:
        if not rules.draft or s.turn < 0 or pickable(rules, s, s.turn) == 0:
            return "nothing to pick"
        return NULL
    if rules.draft:
        if s.turn >= 0:
            return "a colour's turn in Draft"
        for color in range(rules.n_colors):
            if can_place(rules, s, s.player, color):
                return NULL
        return "a player to move who cannot"
    if s.turn < 0 or s.finished >> s.turn & 1 or not can_place(rules, s, 0, s.turn):
        return "a colour to move that cannot"
    color = rules.owner[s.turn]
    if s.player != (color if color >= 0 else s.shared_player):
        return "a player to move whose turn it is not"
    return NULL


# -- symmetries --------------------------------------------------------------------------------

cdef int map_state(
    const bf_rules *rules, const bf_state *s, bf_state *t, const int32_t *moves,
    const int8_t *colors, const int8_t *players,
) noexcept nogil:
    """Make the image of a position under permutations of moves, colours and players.

    Returns 1 if it has none: squares that are no pieces, or a draft whose order would change.
    """
    cdef uint64_t left[8]
    cdef int color, image, holder
    cdef int32_t move
    memset(t, 0, sizeof(bf_state))
    t.ply = s.ply
    t.round = s.round
    t.phase = s.phase
    t.turn = colors[s.turn] if s.turn >= 0 else s.turn
    t.player = players[s.player] if s.player >= 0 else s.player
    t.shared_player = players[s.shared_player]
    for color in range(rules.n_colors):
        image = colors[color]
        if s.phase == BF_DRAFT and image != color:
            return 1
        memcpy(left, s.own[color], sizeof(left))
        while not is_empty(left):
            move = take_component(&rules.layout, left)
            if move < 0:
                return 1
            move = moves[move]
            toggle_squares(t.own[image], rules.placements[move])
            t.content_key ^= placement_key(image, <uint32_t>move)
        for holder in range(BF_COLORS):
            t.hand[holder][image] = s.hand[holder][color]
        t.finished |= (s.finished >> color & 1) << image
    for color in range(BF_COLORS):
        image = color
        if not rules.draft and color < rules.n_colors:
            image = colors[color]
        t.placed[image] = s.placed[color]
        t.monomino_last |= (s.monomino_last >> color & 1) << image
    return 0


def _map_states(
    Batch batch not None, Batch out not None, const int32_t[:, ::1] moves not None,
    const int8_t[:, ::1] colors not None, const int8_t[:, ::1] players not None,
    const int64_t[::1] which not None,
):
    """Put the images of a batch's games into another; return the first without, or -1."""
    cdef Py_ssize_t i
    cdef Py_ssize_t wrong = -1
    with nogil:
        for i in range(batch.n):
            if map_state(
                batch.c_rules, &batch.states[i], &out.states[i], &moves[which[i], 0],
                &colors[which[i], 0], &players[which[i], 0],
            ):
                wrong = i
                break
    return wrong
