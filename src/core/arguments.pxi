# arguments.pxi: what callers hand in, checked, and the errors that say what is wrong with it;
# and the hooks into the layer above, so that the core need not import it.

# Functions of the layer above, registered by it: (variant, start, scoring) -> Rules,
# (id, variant, color) -> Move, (text, board) -> id, (variant, hands) -> counts.
cdef object _resolve = None
cdef object _describe = None
cdef object _parse = None
cdef object _deal = None
# (board) -> text and (text, variant) -> Board.
cdef object _write_text = None
cdef object _read_text = None

# The rules of a board that nobody has initialised.
cdef object _default_rules = None


def _set_hooks(resolve, describe, parse, deal):
    """Register what the core asks of the layer above it."""
    global _resolve, _describe, _parse, _deal, _default_rules
    _resolve, _describe, _parse, _deal = resolve, describe, parse, deal
    _default_rules = _rules_of("classic")


def _set_text_hooks(write, read):
    """Register how positions become text and the other way round."""
    global _write_text, _read_text
    _write_text, _read_text = write, read


cdef Rules resolve(variant, start, scoring):
    if isinstance(variant, Rules) and start is None and scoring is None:
        return <Rules>variant
    return <Rules?>_resolve(variant, start, scoring)


def _rules_of(variant):
    return resolve(variant, None, None)


cdef str square_name(int square, int size):
    return f"{chr(97 + square % size)}{size - square // size}"


cdef object REASONS = {
    GAME_OVER: "the game is over",
    NO_SUCH_ACTION: "no such move",
    NOT_IN_HAND: "piece {piece} is not in hand",
    NOT_AN_OPENING: "piece {piece} may not open",
    OFF_BOARD: "off board at {square}",
    OVERLAPS: "overlaps at {square}",
    OWN_EDGE: "touches own edge at {square}",
    NO_CORNER: "touches no own corner",
    MISSES_START: "misses the start square",
    NO_PASS: "a pass is not allowed here",
    DRAFT_PHASE: "a placement in the draft phase",
    NOT_DRAFTING: "a pick in the play phase",
    OTHER_COLOR: "a move of another color",
    PICK_GONE: "the piece is gone",
}


cdef int64_t as_id(object action) except? -2:
    """Return a move id as a C integer; -1 for one that no board has."""
    cdef int64_t value
    if not PyLong_CheckExact(action):
        if PyBool_Check(action):
            raise TypeError("a move must be an integer id or a Move, not bool")
        try:
            action = operator.index(action)
        except TypeError:
            raise TypeError(
                f"a move must be an integer id or a Move, not {type(action).__name__}"
            ) from None
    try:
        value = action
    except OverflowError:
        return -1
    return value if 0 <= value <= 0x7FFFFFFF else -1


cdef int as_color(object color, const bf_rules *rules) except -2:
    """Return a colour, or -1 for None."""
    cdef int64_t value
    if color is None:
        return -1
    try:
        value = as_id(color)
    except TypeError:
        raise TypeError(
            f"a color must be its number here, not {type(color).__name__}"
        ) from None
    if not 0 <= value < rules.n_colors:
        raise ValueError(f"color {color} is not in 0..{rules.n_colors - 1}")
    return <int>value


cdef object reason_text(Board board, action, int code, int where):
    piece = square = None
    if code in (NOT_IN_HAND, NOT_AN_OPENING):
        piece = PIECE_NAMES[
            placement_piece(board.c_rules.placements[as_id(action) % board.c_rules.layout.n_moves])
        ]
    if where >= 0:
        square = square_name(where, board.c_rules.layout.size)
    return (<str>REASONS[code]).format(piece=piece, square=square)


cdef int raise_illegal(Board board, action, int code, int where) except -1:
    """Raise the error for a move that breaks a rule."""
    if code == NO_SUCH_ACTION:
        raise InvalidMoveError(f"move id {action} is not in 0..{board.c_rules.n_actions - 1}")
    cdef int64_t checked = as_id(action)
    text = f"move {checked}"
    if _describe is not None and 0 <= checked < board.c_rules.n_actions:
        text = f"{_describe(checked, board.rules.variant, board.state.turn).text} ({text})"
    raise IllegalMoveError(f"{text}: {reason_text(board, action, code, where)}")
