# arguments.pxi: what callers hand in, checked; and the words for what is wrong with a move or a
# position. The engine says it in codes.

cdef dict WHY_ILLEGAL = {
    BF_GAME_OVER: "the game is over",
    BF_NO_SUCH_ACTION: "no such move",
    BF_NOT_IN_HAND: "piece {piece} is not in hand",
    BF_NOT_AN_OPENING: "piece {piece} may not open",
    BF_OFF_BOARD: "off board at {square}",
    BF_OVERLAPS: "overlaps at {square}",
    BF_OWN_EDGE: "touches own edge at {square}",
    BF_NO_CORNER: "touches no own corner",
    BF_MISSES_START: "misses the start square",
    BF_NO_PASS: "a pass is not allowed here",
    BF_DRAFT_PHASE: "a placement in the draft phase",
    BF_NOT_DRAFTING: "a pick in the play phase",
    BF_OTHER_COLOR: "a move of another color",
    BF_PICK_GONE: "the piece is gone",
}

# Name of the reason, and the words; {who} is a color, {player} a player.
cdef dict WHY_NO_POSITION = {
    BF_BAD_NUMBER: ("number", "a number is out of range"),
    BF_BAD_SQUARE: ("square", "{who}: square {square} is not in play, or not this color's alone"),
    BF_BAD_PIECE: (
        "piece",
        "{who}: the {count} squares at {square} are more than a piece has, or two pieces that "
        "touch along an edge",
    ),
    BF_BAD_HAND: (
        "hand", "{who}: {count} of the piece {piece} on the board and in hand, more than its set has"
    ),
    BF_MISSED_START: ("start", "{who}: no piece {starts}"),
    BF_BAD_OPENING: ("opening", "{who}: no piece at its start is one of {openings}"),
    BF_NOT_CONNECTED: (
        "connection", "{who}: the piece at {square} is not connected at a corner"
    ),
    BF_BAD_PLACED: (
        "placed", "{count} squares placed, which is not how many lie on the board"
    ),
    BF_BAD_LAST: ("last", "{who}: the monomino cannot be the last piece that was placed"),
    BF_BAD_PLY: ("ply", "{count} moves made do not fit the pieces"),
    BF_BAD_ROUND: ("round", "round {count} does not fit the limit of rounds"),
    BF_BAD_FINISHED: ("finished", "{who} is said to be finished, and can place"),
    BF_BAD_TURN: ("turn", "it is not the turn of who is said to be to move"),
    BF_STUCK: ("stuck", "{who} cannot place, so it is not to move"),
    BF_NOT_OVER: ("over", "the game is not over: {who} can place"),
    BF_BAD_DRAFT: ("draft", "the hands are not what the players can have picked in turn"),
    BF_BAD_KEY: ("key", "the hash is not that of the squares"),
}


cdef str square_name(int square, int size):
    return f"{chr(97 + square % size)}{size - square // size}"


# numpy before 2 takes its truth values for integers, with a warning.
cdef object _numpy_bool = np.bool_


cdef inline bint is_truth(object number):
    return PyBool_Check(number) or type(number) is _numpy_bool


# -- actions -----------------------------------------------------------------------------------

cdef int64_t as_id(object action) except? -2:
    """Return a move id as a C integer; -1 for one that no board has."""
    cdef int64_t value
    if not PyLong_CheckExact(action):
        if is_truth(action):
            raise TypeError("a move must be an integer id, a Move or its text, not bool")
        try:
            action = operator.index(action)
        except TypeError:
            raise TypeError(
                f"a move must be an integer id, a Move or its text, not {type(action).__name__}"
            ) from None
    try:
        value = action
    except OverflowError:
        return -1
    return value if 0 <= value <= 0x7FFFFFFF else -1


cdef int64_t action_on(Board board, object action, int color) except? -2:
    """Return the id that an action has on a board; -1 for one that no board has.

    A move that knows where it belongs says itself what it is there, or raises; see Move. Text is
    read as Board.parse_move reads it.
    """
    if PyLong_CheckExact(action):
        return as_id(action)
    if isinstance(action, str):
        return as_id(late("moves.actions").parse(action, board))
    id_on = getattr(type(action), "_id_on", None)
    if id_on is None:
        return as_id(action)
    return as_id(id_on(action, board, None if color < 0 else color))


cdef int as_color(object color, const bf_rules *rules) except -2:
    """Return a color, or -1 for None."""
    cdef int64_t value
    if color is None:
        return -1
    value = as_number(color, "a color must be its number here")
    if not 0 <= value < rules.n_colors:
        raise ValueError(f"color {color} is not in 0..{rules.n_colors - 1}")
    return <int>value


cdef int64_t as_number(object number, str what) except? -2:
    """Return an integer of the caller's; -1 where it is negative or does not fit 31 bits."""
    if is_truth(number):
        raise TypeError(f"{what}, not bool")
    try:
        return as_id(operator.index(number))
    except TypeError:
        raise TypeError(f"{what}, not {type(number).__name__}") from None


cdef str reason_text(Board board, int64_t action, int code, int where):
    """Say which rule an action breaks."""
    piece = square = None
    if action >= 0:
        number = bf_decode(board.c_rules, <uint32_t>action).piece
        piece = PIECE_NAMES[number] if number >= 0 else None
    if where >= 0:
        square = square_name(where, board.c_rules.layout.size)
    return (<str>WHY_ILLEGAL[code]).format(piece=piece, square=square)


cdef int raise_illegal(Board board, object given, int64_t action) except -1:
    """Raise the error for a move that breaks a rule."""
    cdef int where = -1
    cdef int code = BF_NO_SUCH_ACTION
    if action >= 0:
        code = bf_illegality(board.c_rules, board.state, -1, <uint32_t>action, &where)
    if code == BF_NO_SUCH_ACTION:
        raise InvalidMoveError(f"move id {given} is not in 0..{board.c_rules.n_actions - 1}")
    raise IllegalMoveError(
        f"{board.move_text(action)} (move {action}): {reason_text(board, action, code, where)}"
    )


# -- positions ---------------------------------------------------------------------------------

cdef str who_text(Rules rules, int who, bint is_player):
    if is_player:
        return f"player {who}"
    return rules.variant.color_names[who] if who < rules.c.n_colors else f"color {who}"


cdef object position_error(Rules rules, const bf_fault *fault):
    """Return the error for something that is no position."""
    cdef const bf_rules *c = &rules.c
    cdef int size = c.layout.size
    cdef bint is_player = c.draft and fault.code in (BF_BAD_LAST, BF_STUCK, BF_NOT_OVER)
    starts = openings = ""
    reason, words = WHY_NO_POSITION[fault.code]
    if fault.code == BF_MISSED_START:
        squares = [
            square_name(size * row + column, size)
            for row in range(size) for column in range(size)
            if bf_has_square(c.layout.start[fault.who], BF_STRIDE * row + column)
        ]
        if rules.variant.start == "border":
            starts = "touches the rim"
        elif len(squares) == 1:
            starts = f"covers the start square {squares[0]}"
        else:
            starts = f"covers a start square: {', '.join(squares)}"
    if fault.code == BF_BAD_OPENING:
        openings = ", ".join(
            [name for piece, name in enumerate(PIECE_NAMES) if c.first_pieces >> piece & 1]
        )
    if fault.code == BF_BAD_HAND and fault.piece < 0:
        words = "{who}: pieces that nobody can have"
    if fault.code == BF_STUCK and not fault.count:
        words = "the game is over: nobody can place"
    error = InvalidPositionError(
        words.format(
            who=who_text(rules, fault.who, is_player) if fault.who >= 0 else "nobody",
            square=square_name(fault.square, size) if fault.square >= 0 else "off the board",
            piece=PIECE_NAMES[fault.piece] if fault.piece >= 0 else None,
            count=fault.count, starts=starts, openings=openings,
        )
    )
    error.reason = reason
    return error
