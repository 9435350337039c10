# The engine for other Cython modules: compile with blokus_fast.get_include() on the include path.
# Owns the declarations only; the code is in src/ of the source tree. docs/native.md is the guide.
#
#     from blokus_fast._core cimport Board, bf_api, bf_import
#     cdef const bf_api *bf = bf_import()
#
# Everything of the table can be called without the GIL, but for rules_of and state_of.

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "blokus_fast.h" nogil:
    enum:
        BF_ABI_VERSION
        BF_MAX_SIZE
        BF_STRIDE
        BF_WORDS
        BF_COLORS
        BF_PIECES
        BF_ORIENTATIONS
        BF_MAX_MOVES
        BF_LIST_PADDING
        BF_LIST_SIZE
        BF_LAST_PASS
        # phases
        BF_OVER
        BF_PLAY
        BF_DRAFT
        # kinds of actions
        BF_NO_ACTION
        BF_PLACEMENT
        BF_PICK
        BF_PASS
        # kinds of policies
        BF_UNIFORM
        BF_BY_PIECE
        BF_BY_MOVE

    # Why an action is not legal.
    enum:
        BF_LEGAL
        BF_GAME_OVER
        BF_NO_SUCH_ACTION
        BF_NOT_IN_HAND
        BF_NOT_AN_OPENING
        BF_OFF_BOARD
        BF_OVERLAPS
        BF_OWN_EDGE
        BF_NO_CORNER
        BF_MISSES_START
        BF_NO_PASS
        BF_DRAFT_PHASE
        BF_NOT_DRAFTING
        BF_OTHER_COLOR
        BF_PICK_GONE

    # Why something is not a position.
    enum:
        BF_SOUND
        BF_BAD_NUMBER
        BF_BAD_SQUARE
        BF_BAD_PIECE
        BF_BAD_HAND
        BF_MISSED_START
        BF_BAD_OPENING
        BF_NOT_CONNECTED
        BF_BAD_PLACED
        BF_BAD_LAST
        BF_BAD_PLY
        BF_BAD_ROUND
        BF_BAD_FINISHED
        BF_BAD_TURN
        BF_STUCK
        BF_NOT_OVER
        BF_BAD_DRAFT
        BF_BAD_KEY

    ctypedef struct bf_terms:
        uint16_t first
        uint16_t row

    ctypedef struct bf_layout:
        uint64_t playable[8]
        uint64_t start[4][8]
        uint16_t first[92]
        uint16_t size
        uint16_t n_moves
        bf_terms terms[728]

    ctypedef struct bf_rng:
        uint64_t state
        uint64_t increment

    ctypedef const uint64_t (*bf_boards)[8]

    ctypedef struct bf_features:
        int8_t *squares
        int8_t *gained
        int8_t *lost
        int8_t *taken
        float *distance

    ctypedef struct bf_view:
        const uint8_t (*planes)[4]
        int64_t n_planes
        const int64_t *by_turn
        const int16_t (*bits)[512]
        int32_t cells
        int32_t width
        int32_t mover

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
        void (*features)(
            const bf_rules *, const bf_state *, int, const int32_t *, uint32_t, const bf_features *
        ) noexcept nogil
        void (*reach)(
            const bf_rules *, const bf_state *, int, int, int, uint64_t *
        ) noexcept nogil
        void (*observe)(
            const bf_rules *, const bf_state *, const bf_view *, uint8_t *
        ) noexcept nogil
        int32_t (*color_score)(const bf_rules *, const bf_state *, int) noexcept nogil
        int32_t (*player_score)(const bf_rules *, const bf_state *, int) noexcept nogil

    ctypedef struct bf_rules:
        bf_layout layout
        const uint32_t *placements
        const bf_kernel *kernel
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
        uint16_t skipped
        int8_t turn
        int8_t player
        uint8_t phase_shared
        uint8_t finished_last

    int BF_SKIPPED(uint16_t skipped, int i)

    ctypedef struct bf_action:
        int32_t kind
        int32_t color
        int32_t piece
        int32_t move

    ctypedef struct bf_fault:
        int32_t code
        int32_t who
        int32_t square
        int32_t piece
        int32_t count

    ctypedef struct bf_policy:
        int32_t kind
        const uint32_t *weights
        uint16_t *scratch

    ctypedef struct bf_api:
        uint32_t abi_version
        uint32_t api_size
        uint32_t rules_size
        uint32_t state_size
        uint32_t undo_size
        # With the GIL. Cython hands over objects as they are: <void *>board.
        const bf_rules *(*rules_of)(void *) except NULL
        const bf_state *(*state_of)(void *) except NULL
        uint32_t (*fill_placements)(uint32_t *, int) noexcept nogil
        int (*make_rules)(bf_rules *, int, const uint32_t *, const bf_kernel *) noexcept nogil
        const bf_kernel *(*kernel_at)(uint64_t, int *) noexcept nogil
        uint16_t (*open)(const bf_rules *, bf_state *) noexcept nogil
        void (*push)(const bf_rules *, bf_state *, uint32_t, bf_undo *) noexcept nogil
        void (*pop)(const bf_rules *, bf_state *, const bf_undo *) noexcept nogil
        bf_action (*decode)(const bf_rules *, uint32_t) noexcept nogil
        uint32_t (*encode)(const bf_rules *, const bf_action *) noexcept nogil
        uint32_t (*list)(
            const bf_rules *, const bf_state *, int, uint16_t *, int32_t *
        ) noexcept nogil
        uint32_t (*count)(const bf_rules *, const bf_state *, int) noexcept nogil
        int (*any)(const bf_rules *, const bf_state *, int) noexcept nogil
        uint32_t (*mask)(const bf_rules *, const bf_state *, int, uint8_t *) noexcept nogil
        uint32_t (*draw)(
            const bf_rules *, const bf_state *, const bf_policy *, bf_rng *
        ) noexcept nogil
        int (*is_legal)(const bf_rules *, const bf_state *, int, uint32_t) noexcept nogil
        int (*illegality)(const bf_rules *, const bf_state *, int, uint32_t, int *) noexcept nogil
        int32_t (*color_score)(const bf_rules *, const bf_state *, int) noexcept nogil
        int32_t (*player_score)(const bf_rules *, const bf_state *, int) noexcept nogil
        uint64_t (*key)(const bf_rules *, const bf_state *) noexcept nogil
        int (*equal)(const bf_rules *, const bf_state *, const bf_state *) noexcept nogil
        void (*features)(
            const bf_rules *, const bf_state *, int, const int32_t *, uint32_t, const bf_features *
        ) noexcept nogil
        void (*reach)(
            const bf_rules *, const bf_state *, int, int, int, uint64_t *
        ) noexcept nogil
        void (*observe)(
            const bf_rules *, const bf_state *, const bf_view *, uint8_t *
        ) noexcept nogil
        void (*seed)(bf_rng *, uint64_t, uint64_t) noexcept nogil
        uint64_t (*random)(bf_rng *) noexcept nogil
        uint32_t (*below)(bf_rng *, uint32_t) noexcept nogil
        void (*playout)(
            const bf_rules *, bf_state *, const bf_policy *, bf_rng *
        ) noexcept nogil
        int (*set_up)(
            const bf_rules *, bf_state *, int, int, uint16_t *, bf_fault *
        ) noexcept nogil
        int (*check)(const bf_rules *, const bf_state *, bf_fault *) noexcept nogil
        int32_t (*take_piece)(const bf_rules *, uint64_t *) noexcept nogil
        uint64_t (*perft)(
            const bf_rules *, const bf_state *, int, uint16_t *, int32_t *,
            int (*)(void *) noexcept nogil, void *
        ) noexcept nogil

cdef extern from "blokus_fast_python.h":
    # The table of the installed package; ImportError if its version does not fit.
    const bf_api *bf_import() except NULL


cdef class Tables:
    cdef readonly int size
    cdef uint32_t *placements


cdef class Rules:
    cdef bf_rules c
    cdef bf_state initial
    cdef Tables tables
    cdef readonly object variant
    # Who is skipped before the first move, see BF_SKIPPED.
    cdef uint16_t skipped
    cdef object __weakref__

    cdef object encode(self, int kind, int color, int piece, int move)


cdef class Board:
    # The position, on a 64-byte boundary inside `room`.
    cdef bf_state *state
    cdef const bf_rules *c_rules
    cdef readonly Rules rules
    # Bytes in which the stack lies, once it is longer than `undo_memory`.
    cdef object undo_owner
    # Goes up with every move made or taken back.
    cdef uint64_t revision
    cdef uint32_t n_undo
    cdef uint32_t undo_capacity
    # Whether the first move on the stack is that of a game, and not one that follows on a position
    # that was set up, or on moves that were left behind.
    cdef bint from_start
    # Who was skipped before the first move on the stack.
    cdef uint16_t skipped_first
    cdef bf_undo *undo
    # What is copied lies together, in front of what is not always.
    cdef bf_state_room room
    cdef bf_undo undo_memory[96]

    # Make a legal move; the caller answers for it that it is legal.
    cdef int c_push(self, uint32_t action) except -1 nogil
    # Take back the last move; there must be one.
    cdef uint32_t c_pop(self) noexcept nogil
    # Copy, with the moves that can be taken back or without them.
    cdef Board c_copy(self, bint stack)
