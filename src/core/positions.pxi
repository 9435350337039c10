# positions.pxi: positions as values: set up from squares and hands, written as plain numbers and
# read back, pickled. What is a position, the engine judges (src/engine/check.c).

cdef enum:
    PICKLE_VERSION = 1
    # Columns of the array of numbers: see _export.
    N_NUMBERS = 12


cdef tuple position_arguments(const bf_rules *rules, const bf_state *s):
    """Return what `_restore_position` takes, but for the rules: a position as plain values."""
    cdef uint64_t left[8]
    cdef int color
    cdef int32_t move
    placements = []
    for color in range(rules.n_colors):
        moves = []
        memcpy(left, s.own[color], sizeof(left))
        while not bf_is_empty(left):
            move = bf_take_piece(rules, left)
            if move < 0:
                raise InvalidPositionError("squares of a color are no pieces")
            moves.append(move)
        placements.append(tuple(moves))
    held = tuple([
        tuple([
            tuple([bf_hand_count(s.hand[holder][color], piece) for piece in range(BF_PIECES)])
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


cdef tuple origin_of(Board board):
    """Return the position before the moves on the stack as plain values; None for a beginning."""
    cdef Board first
    if board.from_start:
        return None
    first = Board.__new__(Board)
    take_over(first, board, True)
    while first.n_undo:
        first.c_pop()
    return position_arguments(first.c_rules, first.state)


# -- set up ------------------------------------------------------------------------------------

cdef int fill_hands(Rules rules, bf_state *s, hands) except -1:
    """Fill in counts: per color 21, or None for what is not on the board; in Draft per player."""
    cdef const bf_rules *c = &rules.c
    cdef bf_fault fault
    cdef int holder, color
    held = tuple(hands) if c.draft else (hands,)
    if len(held) != (c.n_players if c.draft else 1):
        raise InvalidPositionError(f"hands must have {c.n_players} entries")
    for holder in range(len(held)):
        if len(held[holder]) != c.n_colors:
            raise InvalidPositionError(f"hands must have {c.n_colors} entries")
        for color in range(c.n_colors):
            if held[holder][color] is None and not c.draft:
                if bf_take_rest(c, s, color, &fault):
                    raise position_error(rules, &fault)
                continue
            try:
                s.hand[holder][color] = pack_hand(held[holder][color])
            except ValueError as error:
                raise InvalidPositionError(
                    f"{rules.variant.color_names[color]}: {error}"
                ) from None
    return 0


cdef int set_rest(const bf_rules *rules, bf_state *s, int player, rest) except -1:
    """Put ply, round, phase and turn in place of what a set-up makes of them; None stays."""
    ply, round, phase, turn = rest
    if ply is None:
        ply = s.ply
    if not (0 <= ply <= 0xFFFF and 0 <= round <= 0xFFFF and BF_OVER <= phase <= BF_DRAFT):
        raise InvalidPositionError(f"ply {ply}, round {round} or phase {phase} out of range")
    s.ply = ply
    s.round = round
    if phase == BF_OVER:
        s.turn = s.player = -1
    elif phase == BF_DRAFT:
        if not -1 <= turn < rules.n_colors:
            raise InvalidPositionError(f"turn {turn} in the draft phase")
        s.turn = turn
        s.player = player
    elif s.phase != BF_PLAY:
        raise InvalidPositionError("nobody can place")
    s.phase = phase
    return 0


cdef Board new_position(
    Rules rules, bf_state *s, hands, int turn, int player, int monomino_last, placed, rest
):
    """Make a board of squares that are filled in; raise if that is no position.

    `turn` is the color that is to move if it can, `player` who places a shared color next (-1:
    whoever it is by the pieces); in Draft `player` is to move, and `turn` is not looked at.
    """
    cdef const bf_rules *c = &rules.c
    cdef Board board = Board.__new__(Board)
    cdef uint16_t skipped = 0
    cdef bf_fault fault
    cdef int i
    if bf_count_pieces(c, s, &fault):
        raise position_error(rules, &fault)
    fill_hands(rules, s, hands)
    if not 0 <= monomino_last <= 15:
        raise InvalidPositionError(f"monomino_last {monomino_last} is not in 0..15")
    s.monomino_last = monomino_last
    if c.draft:
        if len(placed) != c.n_players:
            raise InvalidPositionError(f"placed must have {c.n_players} entries")
        for i, count in enumerate(placed):
            if not 0 <= count <= 0xFFFF:
                raise InvalidPositionError(f"placed {count} is out of range")
            s.placed[i] = count
    if bf_set_up(c, s, player if c.draft else turn, -1 if c.draft else player, &skipped, &fault):
        raise position_error(rules, &fault)
    if rest is not None:
        set_rest(c, s, player, rest)
        if bf_check(c, s, &fault):
            raise position_error(rules, &fault)
        skipped = 0
    set_rules(board, rules)
    board.state[0] = s[0]
    board.from_start = False
    board.skipped_first = skipped
    return board


def _set_up(variant, squares, hands, int turn, int player, int monomino_last, placed, rest=None):
    """Set up a position from the indices of squares per color; see setup.py.

    `rest` is what the pieces do not tell: ply, round, phase, and the turn in the draft phase.
    """
    cdef Rules rules = resolve(variant, None, None)
    cdef bf_state_room room
    cdef bf_state *s = state_in(&room)
    cdef int color, square
    memset(s, 0, sizeof(bf_state))
    if len(squares) != rules.c.n_colors:
        raise InvalidPositionError(f"squares must have {rules.c.n_colors} entries")
    for color in range(rules.c.n_colors):
        for square in squares[color]:
            set_square(s.own[color], rules.c.layout.size, square)
    return new_position(rules, s, hands, turn, player, monomino_last, placed, rest)


def _restore_position(
    Rules rules not None, placements, hands, int turn, int player, int monomino_last, placed=(), rest=None
):
    """Set up a pickled position; whoever wrote the pickle, it is checked."""
    cdef const bf_rules *c = &rules.c
    cdef bf_state_room room
    cdef bf_state *s = state_in(&room)
    cdef int color, k, bit, o
    cdef uint32_t placement
    memset(s, 0, sizeof(bf_state))
    if len(placements) != c.n_colors:
        raise InvalidPositionError(f"placements must have {c.n_colors} entries")
    for color in range(c.n_colors):
        for move in placements[color]:
            if not 0 <= move < c.layout.n_moves:
                raise InvalidPositionError(f"move id {move} is out of range")
            placement = c.placements[<uint32_t>move]
            o = bf_placement_orientation(placement)
            for k in range(bf_piece_size[bf_placement_piece(placement)]):
                bit = BF_STRIDE * (bf_placement_row(placement) + bf_orientation_cells[o][k][0])
                bit += bf_placement_column(placement) + bf_orientation_cells[o][k][1]
                if bf_has_square(s.own[color], bit):
                    raise InvalidPositionError(f"move {move} covers a square for the second time")
                bf_add_square(s.own[color], bit)
    return new_position(rules, s, hands, turn, player, monomino_last, placed, rest)


def _restore_board(int version, variant, origin, moves):
    """Rebuild a pickled board by playing its moves again."""
    cdef Board board
    if version != PICKLE_VERSION:
        raise ValueError(f"a board pickled in format {version}; this release reads {PICKLE_VERSION}")
    if origin is None:
        board = Board(variant)
    else:
        board = _restore_position(resolve(variant, None, None), *origin)
    for action in moves:
        board.push(action)
    return board


def _restore_subclass(cls, arguments):
    """Rebuild a pickled board of a user's own class, but for attributes of its own."""
    cdef Board board = cls.__new__(cls)
    take_over(board, _restore_board(*arguments), True)
    return board


# -- as numbers --------------------------------------------------------------------------------

def _equal(Batch a not None, Batch b not None, uint8_t[::1] out not None):
    """Say which games of two batches of the same rules and length are equal."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(a.n):
            out[i] = bf_equal_states(a.c_rules, &a.states[i], &b.states[i])


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


cdef bint out_of_range(int32_t number, int low, int high) noexcept nogil:
    return number < low or number > high


cdef int import_state(
    const bf_rules *rules, bf_state *s, const int32_t *numbers, bf_fault *fault
) noexcept nogil:
    """Fill in the rest of a state from its numbers, and judge it; return what is wrong, or 0."""
    cdef int i
    cdef int code = bf_count_pieces(rules, s, fault)
    if code:
        return code
    fault.code = BF_BAD_NUMBER
    fault.who = fault.square = fault.piece = -1
    # What does not fit the state at all; the rest is the judge's.
    if (
        out_of_range(numbers[0], -1, 127) or out_of_range(numbers[1], -1, 127)
        or out_of_range(numbers[2], 0, 255) or out_of_range(numbers[3], -1, 0xFFFF)
        or out_of_range(numbers[4], 0, 0xFFFF) or out_of_range(numbers[5], 0, 255)
        or out_of_range(numbers[6], 0, 255) or out_of_range(numbers[7], 0, 255)
    ):
        return BF_BAD_NUMBER
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
            return BF_BAD_NUMBER
        s.placed[i] = numbers[8 + i]
    return bf_check(rules, s, fault)


def _import(
    Batch batch not None, const uint64_t[:, :, ::1] own not None,
    const uint64_t[:, :, ::1] hands not None, const int32_t[:, ::1] numbers not None,
):
    """Take games from such arrays; raise at the first that is no position."""
    cdef Py_ssize_t i = 0
    cdef int code = 0
    cdef bf_fault fault
    cdef bf_state_room room
    cdef bf_state *s = state_in(&room)
    with nogil:
        for i in range(batch.n):
            memset(s, 0, sizeof(bf_state))
            memcpy(s.own, &own[i, 0, 0], sizeof(s.own))
            memcpy(s.hand, &hands[i, 0, 0], sizeof(s.hand))
            code = import_state(batch.c_rules, s, &numbers[i, 0], &fault)
            if code:
                break
            batch.states[i] = s[0]
    if code:
        error = position_error(batch.rules, &fault)
        error.args = (f"game {i}: {error}",)
        raise error


# -- symmetries --------------------------------------------------------------------------------

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
            if bf_map_state(
                batch.c_rules, &batch.states[i], &out.states[i], &moves[which[i], 0],
                &colors[which[i], 0], &players[which[i], 0],
            ):
                wrong = i
                break
    return wrong
