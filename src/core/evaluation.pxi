# evaluation.pxi: what a search thinks of positions before it has looked at them: weights, and what the
# prior and the value function make of them. Weights are read and checked in
# blokus_fast/search/weights.py.

cdef extern from "evaluation.h" nogil:
    enum:
        BF_CODES
        BF_PRIOR_PHASES
        BF_MOST_WEIGHT
        BF_LOGIT_ONE
        BF_VALUE_INPUTS
    ctypedef struct bf_weights:
        pass
    ctypedef struct bf_value_weights:
        int32_t n_colors
        int32_t n_players
    ctypedef struct bf_evaluator:
        void (*codes)(const bf_rules *, const bf_state *, int, uint8_t *) noexcept nogil
        void (*logits)(
            const bf_rules *, const bf_state *, int, const bf_weights *, const uint16_t *,
            uint32_t, int32_t *
        ) noexcept nogil
        void (*value_inputs)(const bf_rules *, const bf_state *, int16_t *) noexcept nogil
        void (*value_logits)(
            const bf_rules *, const bf_state *, const bf_value_weights *, int64_t *
        ) noexcept nogil
    const bf_evaluator *bf_evaluator_of(const bf_kernel *)


cdef extern from "weights.h" nogil:
    int bf_make_weights(bf_weights *weights, const int32_t *numbers)
    int bf_make_value_weights(
        bf_value_weights *weights, int32_t n_colors, int32_t n_players, const int32_t *numbers
    )
    int64_t bf_value_numbers(int32_t n_colors, int32_t n_players)


N_WEIGHTS = sizeof(bf_weights) // sizeof(int32_t)


cdef object exactly(object numbers, int64_t n):
    """Return so many numbers as an array."""
    array = np.array(numbers, dtype=np.int32)
    if array.shape != (n,):
        raise ValueError(f"there must be {n} weights, not {array.size}")
    return array


cdef class Weights:
    """The weights of a search, ready for it: of its prior, perhaps of a value function."""

    cdef bf_weights c
    cdef bf_value_weights value
    cdef bint has_value

    def __init__(self, numbers, value=None, int colors=0, int players=0):
        """Take the numbers of the prior, and of a value function for so many colors and players."""
        cdef Py_buffer view
        array = exactly(numbers, N_WEIGHTS)
        get_buffer(array, &view, "weights")
        try:
            if bf_make_weights(&self.c, <const int32_t *>view.buf):
                raise ValueError(f"a weight is not in -{BF_MOST_WEIGHT}..{BF_MOST_WEIGHT}")
        finally:
            PyBuffer_Release(&view)
        self.has_value = value is not None
        if not self.has_value:
            return
        if not (1 <= colors <= 4 and 1 <= players <= 4):
            raise ValueError(f"there are 1 to 4 colors and players, not {colors} and {players}")
        array = exactly(value, bf_value_numbers(colors, players))
        get_buffer(array, &view, "weights")
        try:
            if bf_make_value_weights(&self.value, colors, players, <const int32_t *>view.buf):
                raise ValueError(
                    "weights of the value function are too large: more than 16 bits, or sums that "
                    "may leave 32"
                )
        finally:
            PyBuffer_Release(&view)

    cdef bint is_for(self, const bf_rules *rules) noexcept nogil:
        """Return whether there is a value function for the colors and players of these rules."""
        return (
            self.has_value and not rules.draft and self.value.n_colors == rules.n_colors
            and self.value.n_players == rules.n_players
        )


def _square_codes(Board board, color=None):
    """Return what each square is to a color, as evaluation.h numbers it: 512 bits of the frame."""
    cdef int c = as_color(board.state.turn if color is None else color, board.c_rules)
    codes = np.zeros(64 * BF_WORDS, dtype=np.uint8)
    cdef uint8_t[::1] view = codes
    if c < 0:
        raise ValueError("whose squares? say the color")
    bf_evaluator_of(board.c_rules.kernel).codes(board.c_rules, board.state, c, &view[0])
    return codes


cdef object placements_of_color(Board board, int color):
    """Return the legal placements of a color, without a pass."""
    as_color(color, board.c_rules)
    if board.c_rules.draft:
        raise ValueError("in Draft a color is not all that a move has")
    if board.state.phase == BF_OVER:
        return np.empty(0, np.int32)
    moves = board.legal_ids(color=color)
    return moves[moves < board.c_rules.layout.n_moves]


def _logits(Board board, Weights weights not None, int color):
    """Return the placements of a color, and their logits in units of 1 / 1024."""
    moves = placements_of_color(board, color)
    logits = np.zeros(len(moves), np.int32)
    cdef uint16_t[::1] ids = moves.astype(np.uint16)
    cdef int32_t[::1] out = logits
    if len(moves):
        bf_evaluator_of(board.c_rules.kernel).logits(
            board.c_rules, board.state, color, &weights.c, &ids[0], <uint32_t>ids.shape[0], &out[0]
        )
    return moves, logits


cdef int square_term(
    const bf_rules *rules, const uint8_t *codes, uint32_t placement, const int8_t *cell, int first
) noexcept nogil:
    """Return the number of the weight of a square at or around a placement."""
    cdef int size = rules.layout.size
    cdef int row = bf_placement_row(placement) + cell[0]
    cdef int column = bf_placement_column(placement) + cell[1]
    if 0 <= row < size and 0 <= column < size:
        return first + codes[BF_STRIDE * row + column]
    return first + 7


cdef int square_terms(
    const bf_rules *rules, const uint8_t *codes, uint32_t placement, int first, int16_t *out
) noexcept nogil:
    """Write those of the squares covered, beside and touched; return how many."""
    cdef int o = bf_placement_orientation(placement)
    cdef int i, n = 0
    for i in range(bf_piece_size[bf_orientation_piece[o]]):
        out[n] = <int16_t>square_term(rules, codes, placement, bf_orientation_cells[o][i], first)
        n += 1
    first += BF_CODES
    for i in range(bf_orientation_n_edges[o]):
        out[n] = <int16_t>square_term(rules, codes, placement, bf_orientation_edges[o][i], first)
        n += 1
    first += BF_CODES
    for i in range(bf_orientation_n_corners[o]):
        out[n] = <int16_t>square_term(rules, codes, placement, bf_orientation_corners[o][i], first)
        n += 1
    return n


def _prior_terms(Board board, int color):
    """Return the placements of a color, and which weights each one's logit is the sum of.

    The latter as int16, shape (n, 28), padded with the number of weights.
    """
    cdef const bf_rules *rules = board.c_rules
    cdef uint8_t codes[512]
    cdef int phase, first, i, k, n, part, gained, taken, code
    moves = placements_of_color(board, color)
    terms = np.full((len(moves), 28), N_WEIGHTS, np.int16)
    if not len(moves):
        return moves, terms
    cdef int32_t[::1] ids = moves
    cdef int16_t[:, ::1] out = terms
    cdef int squares = BF_PRIOR_PHASES * BF_PIECES
    cdef int counts = squares + BF_PRIOR_PHASES * 3 * BF_CODES
    cdef uint32_t placement
    phase = min(board.state.placed[color] // 10, BF_PRIOR_PHASES - 1)
    bf_evaluator_of(rules.kernel).codes(rules, board.state, color, codes)
    first = squares + phase * 3 * BF_CODES
    for i in range(len(moves)):
        placement = rules.placements[ids[i]]
        out[i, 0] = <int16_t>(phase * BF_PIECES + bf_placement_piece(placement))
        n = square_terms(rules, codes, placement, first, &out[i, 1])
        gained = taken = 0
        for k in range(1, n + 1):
            part, code = (out[i, k] - first) >> 7, (out[i, k] - first) & 127
            taken += part == 0 and code & 7 == 0
            gained += part == 2 and code & 7 != 7 and code >> 3 & 3 != 0
        out[i, 26] = <int16_t>(counts + phase * 9 + gained)
        out[i, 27] = <int16_t>(counts + BF_PRIOR_PHASES * 9 + phase * 6 + taken)
    return moves, terms


cdef int check_valued(Board board) except -1:
    if board.c_rules.draft or board.state.phase != BF_PLAY:
        raise ValueError("the value function is for positions in play, and not for Draft")
    return 0


def _value_inputs(Board board):
    """Return what the value function looks at: int16, shape (colors, 64), from the turn on."""
    cdef const bf_rules *rules = board.c_rules
    check_valued(board)
    inputs = np.zeros((rules.n_colors, BF_VALUE_INPUTS), np.int16)
    cdef int16_t[:, ::1] view = inputs
    bf_evaluator_of(rules.kernel).value_inputs(rules, board.state, &view[0, 0])
    return inputs


def _value_logits(Board board, Weights weights not None):
    """Return the logits of the players, from the one to move on, in units of 1 / 4096^2."""
    cdef const bf_rules *rules = board.c_rules
    check_valued(board)
    if not weights.is_for(rules):
        raise ValueError("the weights have no value function for so many colors and players")
    logits = np.zeros(rules.n_players, np.int64)
    cdef int64_t[::1] view = logits
    bf_evaluator_of(rules.kernel).value_logits(rules, board.state, &weights.value, &view[0])
    return logits
