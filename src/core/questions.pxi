# questions.pxi: what is asked of one board at length: perft, playouts, features of moves, reach,
# planes. The answers are the engine's; here are arguments, memory and Ctrl-C.

# -- perft -------------------------------------------------------------------------------------

cdef int ask_signals(void *context) noexcept nogil:
    """Look for Ctrl-C; what was raised is kept in the context, a list."""
    with gil:
        try:
            PyErr_CheckSignals()
        except BaseException as error:
            (<list>context).append(error)
            return 1
    return 0


cdef object perft_of(const bf_rules *rules, const bf_state *s, int depth):
    """Allocate the lists for all depths and count."""
    cdef size_t levels = min(depth, 512)
    cdef uint16_t *scratch
    cdef int32_t *ids
    cdef bf_state root = s[0]
    cdef uint64_t total
    cdef list raised = []
    cdef void *context = <void *>raised
    if depth == 0:
        return 1
    scratch = <uint16_t *>PyMem_RawMalloc(sizeof(uint16_t) * BF_LIST_SIZE)
    ids = <int32_t *>PyMem_RawMalloc(sizeof(int32_t) * levels * (rules.n_actions + 1))
    try:
        if scratch == NULL or ids == NULL:
            raise MemoryError
        with nogil:
            total = bf_perft(rules, &root, depth, scratch, ids, ask_signals, context)
    finally:
        PyMem_RawFree(scratch)
        PyMem_RawFree(ids)
    if raised:
        raise raised[0]
    return total


cdef int check_depth(depth) except -1:
    cdef int64_t checked = as_number(depth, "depth must be an integer")
    if not 0 <= checked <= 512:
        raise ValueError(f"depth {depth} is not in 0..512")
    return <int>checked


def perft(Board board not None, depth, /):
    """Count the sequences of `depth` legal moves from a position.

    Colors that cannot move are skipped and cost no depth; a game that ends early has no longer
    sequences. The last ply is counted without being listed.

    Parameters
    ----------
    board : Board
        The position; not changed.
    depth : int
        Number of moves, 0 to 512.

    Returns
    -------
    int

    Examples
    --------
    >>> import blokus_fast as bf
    >>> bf.perft(bf.Board("classic"), 2)
    3364
    """
    return perft_of(board.c_rules, board.state, check_depth(depth))


def divide(Board board not None, depth, /):
    """Return perft(depth - 1) after each legal move, by move id.

    Parameters
    ----------
    board : Board
        The position; not changed.
    depth : int
        Number of moves, 1 to 512.

    Returns
    -------
    dict of int to int

    Examples
    --------
    >>> import blokus_fast as bf
    >>> sum(bf.divide(bf.Board("junior", start="assigned"), 2).values())
    35721
    """
    cdef int checked = check_depth(depth)
    cdef Board child
    if checked < 1:
        raise ValueError(f"depth {depth} is not in 1..512")
    result = {}
    for action in board.legal_ids().tolist():
        child = board.c_copy(False)
        child.c_push(action)
        result[action] = perft_of(child.c_rules, child.state, checked - 1)
    return result


# -- playouts ----------------------------------------------------------------------------------

# How to draw, with the weights of pieces in memory of our own: the caller's may change while
# nobody holds the GIL.
cdef struct Policy:
    bf_policy c
    uint32_t piece_weights[24]


cdef int fill_policy(
    Policy *policy, const bf_rules *rules, const uint32_t[::1] piece_weights,
    const uint32_t[::1] move_weights,
) except -1:
    """Fill in how to draw, but for the scratch."""
    cdef int piece
    memset(policy, 0, sizeof(Policy))
    policy.c.kind = BF_UNIFORM
    if piece_weights is not None:
        if piece_weights.shape[0] != BF_PIECES:
            raise ValueError(f"{BF_PIECES} piece weights are needed, not {piece_weights.shape[0]}")
        for piece in range(BF_PIECES):
            policy.piece_weights[piece] = piece_weights[piece]
        policy.c.kind = BF_BY_PIECE
    elif move_weights is not None:
        if move_weights.shape[0] != rules.layout.n_moves:
            raise ValueError(
                f"{rules.layout.n_moves} move weights are needed, not {move_weights.shape[0]}"
            )
        policy.c.kind = BF_BY_MOVE
        policy.c.weights = &move_weights[0]
    return 0


cdef int open_policy(Policy *policy) noexcept nogil:
    """Get a policy ready where it lies, for one thread; return 1 if there is no memory."""
    policy.c.scratch = NULL
    if policy.c.kind == BF_BY_PIECE:
        policy.c.weights = policy.piece_weights
    if policy.c.kind == BF_BY_MOVE:
        policy.c.scratch = <uint16_t *>PyMem_RawMalloc(sizeof(uint16_t) * BF_LIST_SIZE)
        return policy.c.scratch == NULL
    return 0


cdef void close_policy(Policy *policy) noexcept nogil:
    PyMem_RawFree(policy.c.scratch)


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
    cdef bf_state *s = state_in(&room)
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
    if open_policy(&policy):
        raise MemoryError
    with nogil:
        for i in range(n):
            if stop[0]:
                n = i
                break
            s[0] = board.state[0]
            bf_rng_seed(&rng, seed, <uint64_t>(first + i))
            bf_playout(rules, s, &policy.c, &rng)
            for player in range(rules.n_players):
                scores[i, player] = rules.kernel.player_score(rules, s, player)
    close_policy(&policy)
    return n


# -- features ----------------------------------------------------------------------------------

def _move_features(
    Board board not None, int color, const int32_t[::1] ids not None, int8_t[::1] squares not None,
    int8_t[::1] gained not None, int8_t[::1] lost not None, int8_t[:, ::1] taken not None,
    float[::1] distance not None,
):
    """Fill the features of placements of a color; see features.py, which checks the arguments."""
    cdef const bf_rules *rules = board.c_rules
    cdef bf_features out
    cdef uint32_t n = <uint32_t>ids.shape[0]
    cdef Py_ssize_t room = min(
        squares.shape[0], gained.shape[0], lost.shape[0], taken.shape[0], distance.shape[0]
    )
    if room < ids.shape[0] or taken.shape[1] != rules.n_colors:
        raise ValueError("the arrays do not fit")
    if n == 0:
        return
    out.squares = &squares[0]
    out.gained = &gained[0]
    out.lost = &lost[0]
    out.taken = &taken[0, 0]
    out.distance = &distance[0]
    with nogil:
        rules.kernel.features(rules, board.state, color, &ids[0], n, &out)


def _reachable(Board board not None, int color, int placements, int steps):
    """Return the board of squares within a number of placements' reach, as (squares, mask)."""
    cdef const bf_rules *rules = board.c_rules
    cdef uint64_t reached[8]
    rules.kernel.reach(rules, board.state, color, placements, steps, reached)
    return (
        squares_of(reached, rules.layout.size),
        mask_of(reached, rules.layout.size),
    )


# -- planes ------------------------------------------------------------------------------------

cdef int fill_view(
    bf_view *view, const uint8_t[:, ::1] planes, bint mover, const int64_t[::1] by_turn,
    const int16_t[:, ::1] bits, int cells, Py_ssize_t width,
) except -1:
    """Fill in how positions become planes; observation.py has made the tables."""
    if planes.shape[1] != 4 or bits.shape[1] != 64 * BF_WORDS:
        raise ValueError("tables of other shapes")
    view.planes = <const uint8_t (*)[4]>&planes[0, 0]
    view.n_planes = planes.shape[0]
    view.by_turn = &by_turn[0]
    view.bits = <const int16_t (*)[512]>&bits[0, 0]
    view.cells = cells
    view.width = <int32_t>width
    view.mover = mover
    return 0


def _observe_board(
    Board board not None, const uint8_t[:, ::1] planes not None, bint mover,
    const int64_t[::1] by_turn not None, const int16_t[:, ::1] bits not None, int cells,
    uint8_t[:, ::1] out not None,
):
    """Fill the planes of one position, a row of memory each."""
    cdef bf_view view
    if planes.shape[0] == 0:
        return
    if out.shape[0] != planes.shape[0]:
        raise ValueError("the array does not fit")
    fill_view(&view, planes, mover, by_turn, bits, cells, out.shape[1])
    board.c_rules.kernel.observe(board.c_rules, board.state, &view, &out[0, 0])


def _floats(const uint8_t[::1] cells not None):
    """Return zeros and ones as a list of floats, which is what OpenSpiel's tensors are in Python.

    All of them are one of two objects: making others is what it costs to convert an array.
    """
    cdef Py_ssize_t i, n = cells.shape[0]
    cdef uint64_t some = 0
    cdef object one = 1.0
    cdef list out = [0.0] * n
    i = 0
    while i < n:
        if i + 8 <= n:
            memcpy(&some, &cells[i], 8)
            if some == 0:
                i += 8
                continue
        if cells[i]:
            out[i] = one
        i += 1
    return out


@cython.final
cdef class Lens:
    """How one position becomes planes: the tables of an observer, ready for use."""
    cdef object tables  # holds what the view points to
    cdef bf_view view
    cdef const uint8_t[:, ::1] planes
    cdef const int64_t[::1] by_turn
    cdef const int16_t[:, ::1] bits

    def __init__(
        self, const uint8_t[:, ::1] planes not None, bint mover, const int64_t[::1] by_turn not None,
        const int16_t[:, ::1] bits not None, int cells, Py_ssize_t width,
    ):
        self.planes, self.by_turn, self.bits = planes, by_turn, bits
        self.tables = (
            np.asarray(planes), bool(mover), np.asarray(by_turn), np.asarray(bits), cells, width
        )
        self.view.n_planes = 0
        if planes.shape[0]:
            fill_view(&self.view, planes, mover, by_turn, bits, cells, width)

    def __reduce__(self):
        return Lens, self.tables

    def look(self, Board board not None, out):
        """Fill an array of as many bytes as the planes have, of any shape and dtype."""
        cdef Py_buffer buffer
        if self.view.n_planes == 0:
            return
        if self.by_turn.shape[0] != board.c_rules.n_colors + 1:
            raise ValueError("a board of another variant")
        get_buffer(out, &buffer, "the planes")
        try:
            if buffer.len != self.view.n_planes * self.view.width:
                raise ValueError("the array does not fit")
            board.c_rules.kernel.observe(
                board.c_rules, board.state, &self.view, <uint8_t *>buffer.buf
            )
        finally:
            PyBuffer_Release(&buffer)
