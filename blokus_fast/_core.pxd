# The engine for other Cython modules: compile with blokus_fast.get_include() on the include path.
# Owns the declarations only; the code is in src/core/ of the source tree.

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "blokus_fast.h" nogil:
    enum:
        BF_ABI_VERSION
        BF_MAX_SIZE
        BF_STRIDE
        BF_WORDS
        BF_COLORS
        BF_PIECES
        BF_ORIENTATIONS
        BF_BOXES
        BF_MAX_MOVES
        BF_LIST_PADDING
        BF_DRAFT
        BF_PLAY
        BF_OVER

    ctypedef struct bf_layout:
        uint64_t playable[8]
        uint64_t start[4][8]
        uint64_t anchors[15][8]
        uint16_t base[91][8]
        uint16_t first[92]
        uint16_t size
        uint16_t n_moves
        uint16_t rank[5][512]

    ctypedef struct bf_rng:
        uint64_t state
        uint64_t increment

    ctypedef const uint64_t (*bf_boards)[8]

    ctypedef struct bf_kernel:
        const char *name
        uint32_t (*list)(const bf_layout *, bf_boards, int, uint32_t, uint16_t *) noexcept nogil
        uint32_t (*count)(const bf_layout *, bf_boards, int, uint32_t) noexcept nogil
        int (*any)(const bf_layout *, bf_boards, int, uint32_t) noexcept nogil
        uint32_t (*mask)(const bf_layout *, bf_boards, int, uint32_t, uint8_t *) noexcept nogil
        int32_t (*sample)(const bf_layout *, bf_boards, int, uint32_t, bf_rng *) noexcept nogil
        void (*frontier)(const bf_layout *, bf_boards, int, uint64_t *, uint64_t *) noexcept nogil
        int32_t (*sample_weighted)(
            const bf_layout *, bf_boards, int, uint32_t, const uint32_t *, bf_rng *
        ) noexcept nogil

    ctypedef struct bf_rules:
        bf_layout layout
        const uint32_t *placements
        uint64_t hand[4]
        int32_t score_placed
        int32_t score_left
        int32_t score_all_placed
        int32_t score_monomino_last
        uint32_t first_pieces
        uint32_t pass_action
        uint32_t n_actions
        uint16_t max_rounds
        uint8_t n_colors
        uint8_t n_players
        uint8_t voluntary_pass
        uint8_t draft
        int8_t order[4]
        int8_t owner[4]
        uint8_t place[4]

    ctypedef struct bf_state:
        uint64_t own[4][8]
        uint64_t hand[4][4]
        uint64_t content_key
        uint16_t placed[4]
        uint16_t ply
        uint16_t round
        int8_t turn
        int8_t player
        uint8_t phase
        uint8_t finished
        uint8_t monomino_last
        uint8_t shared_player
        uint8_t reserved[32]

    ctypedef struct bf_state_room:
        unsigned char bytes[1]

    ctypedef struct bf_undo:
        uint32_t action
        uint16_t round
        int8_t turn
        int8_t player
        uint8_t phase
        uint8_t finished
        uint8_t monomino_last
        uint8_t shared_player


cdef class Tables:
    cdef readonly int size
    cdef uint32_t *placements


cdef class Rules:
    cdef bf_rules c
    cdef bf_state initial
    cdef Tables tables
    cdef readonly object variant


cdef class Board:
    # The position, on a 64-byte boundary inside `room`.
    cdef bf_state *state
    cdef const bf_rules *c_rules
    cdef readonly Rules rules
    # What a position was set up from, or None for the beginning of a game.
    cdef object origin
    cdef uint32_t n_undo
    cdef uint32_t undo_capacity
    cdef bf_undo *undo
    cdef bf_undo undo_memory[96]
    cdef bf_state_room room

    cpdef Board copy(self)
    # Make a legal move; the caller answers for it that it is legal.
    cdef int c_push(self, uint32_t action) except -1
    # Take back the last move; there must be one.
    cdef uint32_t c_pop(self) noexcept nogil
    cdef int reserve_undo(self, uint32_t capacity) except -1
    cdef int illegality(self, int64_t action, int color, int *where) noexcept nogil
    cdef uint64_t hand_bits(self, color, player) except? 0xFFFFFFFFFFFFFFFF
    cdef int fill_board(self, color, int which, uint64_t *board) except -1
    cdef int set_position(
        self, placements, hands, int turn, int player, int monomino_last, placed
    ) except -1
    cdef int set_rest(self, int player, rest) except -1
