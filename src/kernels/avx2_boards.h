/* avx2_boards.h: boards in two registers, and the program on a half of one. Only for avx2.c.
 *
 * Owns the frontier, the shifted boards and the macros of bf_program.h but EMIT and BF_EIGHT, which
 * every operation defines for itself. 16 registers do not hold the program's boards of both halves:
 * it runs for one after the other.
 */
#define ALL_ORIENTATIONS 96
#define ALL_WORDS (BF_WORDS * ALL_ORIENTATIONS)

/* Rows of words: word i holds rows 3i to 3i + 2 in 63 bits. A shift within a row then needs no
 * neighbor, and a shift by three rows is one by a word. */
typedef struct board {
    __m256i low, high; /* words 0 to 3, and 4 to 7; the last one is 0 */
} board;

typedef struct frontier {
    board allowed, corner;
} frontier;

static inline __m256i v_load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
static inline void store(uint64_t *p, __m256i x) { _mm256_storeu_si256((__m256i *)p, x); }
static inline __m256i v_and(__m256i x, __m256i y) { return _mm256_and_si256(x, y); }
static inline __m256i v_or(__m256i x, __m256i y) { return _mm256_or_si256(x, y); }
static inline __m256i v_up(__m256i x, int n) { return _mm256_slli_epi64(x, n); }
static inline __m256i v_down(__m256i x, int n) { return _mm256_srli_epi64(x, n); }
static inline __m256i v_zero(void) { return _mm256_setzero_si256(); }
static inline int v_is_empty(__m256i x) { return _mm256_testz_si256(x, x); }

static inline board load(const uint64_t *p) { return (board){v_load(p), v_load(p + 4)}; }
static inline board both(board x, board y) {
    return (board){v_and(x.low, y.low), v_and(x.high, y.high)};
}
static inline board either(board x, board y) {
    return (board){v_or(x.low, y.low), v_or(x.high, y.high)};
}
static inline board without(board x, board y) {
    return (board){_mm256_andnot_si256(y.low, x.low), _mm256_andnot_si256(y.high, x.high)};
}
static inline board up(board x, int n) { return (board){v_up(x.low, n), v_up(x.high, n)}; }
static inline board down(board x, int n) { return (board){v_down(x.low, n), v_down(x.high, n)}; }
static inline int is_empty(board x) { return v_is_empty(v_or(x.low, x.high)); }

/* Every word gets the one that lies one or two behind it, or one before it. */
static inline board two_behind(board x) {
    return (board){_mm256_permute2x128_si256(x.low, x.high, 0x21),
                   _mm256_permute2x128_si256(x.high, x.high, 0x81)};
}
static inline board one_behind(board x) {
    board two = two_behind(x);
    return (board){_mm256_alignr_epi8(two.low, x.low, 8), _mm256_alignr_epi8(two.high, x.high, 8)};
}
static inline board one_before(board x) {
    return (board){
        _mm256_alignr_epi8(x.low, _mm256_permute2x128_si256(x.low, x.low, 0x08), 8),
        _mm256_alignr_epi8(x.high, _mm256_permute2x128_si256(x.low, x.high, 0x21), 8)};
}

/* From the frame to rows of words, and back. */
static inline board to_rows(board x) {
    const __m256i low = _mm256_setr_epi64x(0, 1, 2, 3), high = _mm256_setr_epi64x(4, 5, 6, 7);
    const __m256i word = _mm256_set1_epi64x(64), all = _mm256_set1_epi64x(INT64_MAX);
    board before = one_before(x);
    return (board){v_and(v_or(_mm256_sllv_epi64(x.low, low),
                              _mm256_srlv_epi64(before.low, _mm256_sub_epi64(word, low))), all),
                   v_and(v_or(_mm256_sllv_epi64(x.high, high),
                              _mm256_srlv_epi64(before.high, _mm256_sub_epi64(word, high))), all)};
}
static inline void store_frame(board x, uint64_t *frame) {
    const __m256i low = _mm256_setr_epi64x(0, 1, 2, 3), high = _mm256_setr_epi64x(4, 5, 6, 7);
    const __m256i bits = _mm256_set1_epi64x(63);
    board behind = one_behind(x);
    store(frame, v_or(_mm256_srlv_epi64(x.low, low),
                      _mm256_sllv_epi64(behind.low, _mm256_sub_epi64(bits, low))));
    store(frame + 4, v_or(_mm256_srlv_epi64(x.high, high),
                          _mm256_sllv_epi64(behind.high, _mm256_sub_epi64(bits, high))));
}

static inline board rows_beside(board x) {
    return either(either(up(x, BF_STRIDE), down(one_before(x), 2 * BF_STRIDE)),
                  either(down(x, BF_STRIDE), up(one_behind(x), 2 * BF_STRIDE)));
}
static inline board columns_beside(board x) { return either(up(x, 1), down(x, 1)); }

static inline frontier find_frontier(const bf_layout *layout, bf_boards own, int color) {
    board taken = either(either(load(own[0]), load(own[1])), either(load(own[2]), load(own[3])));
    board open = to_rows(without(load(layout->playable), taken));
    board framed = load(own[color]), mine = to_rows(framed);
    board near = rows_beside(mine), corners = columns_beside(near);
    /* The first piece covers a start square instead of touching a corner. */
    if (is_empty(framed)) corners = to_rows(load(layout->start[color]));
    /* Bits that leave a row at either end fall on squares that are never open. */
    frontier f;
    f.allowed = without(open, either(near, columns_beside(mine)));
    f.corner = both(f.allowed, corners);
    return f;
}

/* Four words of a board, and those one and two behind each. */
typedef struct half {
    __m256i here, behind, far;
} half;

static inline half low_half(board x) { return (half){x.low, one_behind(x).low, two_behind(x).low}; }
static inline half high_half(board x) {
    return (half){x.high, one_behind(x).high, two_behind(x).high};
}

/* Whether no placement whose anchor is in this half can cover a corner square. */
static inline int is_out_of_reach(half corner) {
    return v_is_empty(v_or(v_or(corner.here, corner.behind), corner.far));
}

/* Declare the boards x_00 to x_14 of a half that the program starts from. */
#define LATER(x, i, j, n) __m256i x##_##j = v_down(x##_##i, n);
#define ROW(x, i, here, behind, n)                                                             \
    __m256i x##_##i = v_or(v_down(here, (n) * BF_STRIDE), v_up(behind, (3 - (n)) * BF_STRIDE));
#define OFFSETS_OF(x, part)                                                                    \
    __m256i x##_00 = (part).here, x##_12 = (part).behind;                                      \
    ROW(x, 05, x##_00, x##_12, 1) ROW(x, 09, x##_00, x##_12, 2)                                \
    ROW(x, 14, x##_12, (part).far, 1)                                                          \
    LATER(x, 00, 01, 1) LATER(x, 00, 02, 2) LATER(x, 00, 03, 3) LATER(x, 00, 04, 4)            \
    LATER(x, 05, 06, 1) LATER(x, 05, 07, 2) LATER(x, 05, 08, 3)                                \
    LATER(x, 09, 10, 1) LATER(x, 09, 11, 2) LATER(x, 12, 13, 1)

/* Keep the compiler from regrouping sums and products: it runs out of registers then. */
#if defined(__GNUC__)
#define AS_WRITTEN(x) __asm__("" : "+x"(x))
#else
#define AS_WRITTEN(x)
#endif

/* A piece needs some of the shifted boards only. */
#define MAY_BE_UNUSED(x)                                                                       \
    (void)x##_01, (void)x##_02, (void)x##_03, (void)x##_04, (void)x##_06, (void)x##_07,        \
        (void)x##_08, (void)x##_10, (void)x##_11, (void)x##_13, (void)x##_14;

#define BF_JOIN(s, x, y)                                                                       \
    __m256i a_##s = v_and(a_##x, a_##y);                                                       \
    __m256i c_##s = v_or(c_##x, c_##y);                                                        \
    AS_WRITTEN(a_##s);                                                                         \
    AS_WRITTEN(c_##s);
#define BF_LEGAL1(i, o, piece, x) EMIT(i, o, piece, v_and(a_##x, c_##x))
#define BF_LEGAL2(i, o, piece, x, y)                                                           \
    EMIT(i, o, piece, v_and(v_and(a_##x, a_##y), v_or(c_##x, c_##y)))

/* All ones for every piece in hand, else 0. */
static inline void hand_words(uint32_t pieces, uint64_t hand[24]) {
    __m256i held = _mm256_set1_epi64x((long long)pieces), bit = _mm256_setr_epi64x(1, 2, 4, 8);
    for (int i = 0; i < 24; i += 4, bit = v_up(bit, 4)) {
        store(hand + i, _mm256_cmpeq_epi64(v_and(held, bit), bit));
    }
}
