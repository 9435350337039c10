/* avx512_boards.h: boards in one register, and the program on them. Only for avx512.c.
 *
 * Owns the frontier, the shifted boards and the macros of bf_program.h but EMIT, which every
 * operation defines for itself, and BF_EIGHT, which only the list does.
 */
typedef __m512i board;

#define ROWS_OF_8 12                 /* groups of 8 orientations */
#define ALL_ORIENTATIONS (8 * ROWS_OF_8)
#define ZERO_WORD 727                /* the last word of the last orientation is always 0 */

/* Truth tables of vpternlog for inputs x, y, z. */
enum { AND3 = 0x80, OR3 = 0xfe, OR_AND = 0xa8 /* (x | y) & z */, OR_NOT_AND = 0x02 /* ~(x|y)&z */ };

typedef struct frontier {
    board allowed, corner;
} frontier;

static inline board load(const void *p) { return _mm512_loadu_si512(p); }
static inline board or3(board x, board y, board z) {
    return _mm512_ternarylogic_epi64(x, y, z, OR3);
}
static inline int not_empty(board x) { return _mm512_test_epi64_mask(x, x) != 0; }
static inline board words_behind(board x, int n) {
    board zero = _mm512_setzero_si512();
    return n == 1 ? _mm512_alignr_epi64(zero, x, 1) : _mm512_alignr_epi64(zero, x, 2);
}

/* From the frame to rows of words: word i holds rows 3i to 3i + 2 (63 bits). A shift within a
 * row then needs no neighbour, and a shift by three rows is a shift by a word. */
static inline board to_rows(board x) {
    const board up = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    const board down = _mm512_setr_epi64(64, 63, 62, 61, 60, 59, 58, 57);
    board before = _mm512_alignr_epi64(x, _mm512_setzero_si512(), 7);
    return _mm512_ternarylogic_epi64(_mm512_sllv_epi64(x, up), _mm512_srlv_epi64(before, down),
                                     _mm512_set1_epi64(INT64_MAX), OR_AND);
}

static inline frontier find_frontier(const bf_layout *layout, bf_boards own,
                                     int color) {
    board taken = or3(_mm512_or_si512(load(own[0]), load(own[1])), load(own[2]), load(own[3]));
    board open = to_rows(_mm512_andnot_si512(taken, load(layout->playable)));
    board framed = load(own[color]), mine = to_rows(framed);
    board before = _mm512_alignr_epi64(mine, _mm512_setzero_si512(), 7);
    /* Bits that leave a row at either end fall on squares that are never open. */
    board near = or3(or3(_mm512_slli_epi64(mine, 21), _mm512_srli_epi64(before, 42),
                         _mm512_srli_epi64(mine, 21)),
                     _mm512_slli_epi64(words_behind(mine, 1), 42), _mm512_setzero_si512());
    board beside = _mm512_or_si512(_mm512_slli_epi64(mine, 1), _mm512_srli_epi64(mine, 1));
    board corners = _mm512_or_si512(_mm512_slli_epi64(near, 1), _mm512_srli_epi64(near, 1));
    /* The first piece covers a start square instead of touching a corner. */
    if (!not_empty(framed)) corners = to_rows(load(layout->start[color]));
    frontier f;
    f.allowed = _mm512_ternarylogic_epi64(near, beside, open, OR_NOT_AND);
    f.corner = _mm512_and_si512(f.allowed, corners);
    return f;
}

/* Declare the boards a_00 to a_14 and c_00 to c_14 that the program starts from. */
#define LATER(x, i, j, n)                                                                      \
    board x##_##j = _mm512_srli_epi64(x##_##i, n);
#define ROW(x, i, here, behind, n)                                                             \
    board x##_##i = _mm512_or_si512(_mm512_srli_epi64(here, n), _mm512_slli_epi64(behind, 63 - (n)));
#define OFFSETS_OF(x, first)                                                                   \
    board x##_00 = (first);                                                                    \
    board x##_12 = words_behind(x##_00, 1), x##_3 = words_behind(x##_00, 1);                   \
    ROW(x, 05, x##_00, x##_3, 21) ROW(x, 09, x##_00, x##_3, 42)                                \
    board x##_6 = words_behind(x##_00, 2);                                                     \
    ROW(x, 14, x##_3, x##_6, 21)                                                               \
    LATER(x, 00, 01, 1) LATER(x, 00, 02, 2) LATER(x, 00, 03, 3) LATER(x, 00, 04, 4)            \
    LATER(x, 05, 06, 1) LATER(x, 05, 07, 2) LATER(x, 05, 08, 3)                                \
    LATER(x, 09, 10, 1) LATER(x, 09, 11, 2) LATER(x, 12, 13, 1)
#define OFFSETS(f)                                                                             \
    OFFSETS_OF(a, (f).allowed)                                                                 \
    OFFSETS_OF(c, (f).corner)

/* Keep the compiler from regrouping sums and products: it runs out of registers then. */
#if defined(__GNUC__)
#define AS_WRITTEN(x) __asm__("" : "+v"(x))
#else
#define AS_WRITTEN(x)
#endif

#define BF_JOIN(s, x, y)                                                                       \
    board a_##s = _mm512_and_si512(a_##x, a_##y);                                              \
    board c_##s = _mm512_or_si512(c_##x, c_##y);                                               \
    AS_WRITTEN(a_##s);                                                                         \
    AS_WRITTEN(c_##s);
#define BF_LEGAL1(i, o, piece, x) EMIT(i, o, piece, a_##x, c_##x)
#define BF_LEGAL2(i, o, piece, x, y)                                                           \
    EMIT(i, o, piece, _mm512_ternarylogic_epi64(c_##x, c_##y, a_##x, OR_AND), a_##y)

/* All ones for every piece in hand, else 0. The compiler must not see through the memory: an
 * operand from there costs nothing. */
static inline const uint64_t *hand_words(uint32_t pieces, uint64_t *hand) {
    for (int i = 0; i < 24; i += 8) {
        _mm512_storeu_si512(hand + i, _mm512_movm_epi64((__mmask8)(pieces >> i)));
    }
#if defined(__GNUC__)
    __asm__ volatile("" : "+r"(hand) : : "memory");
#endif
    return hand;
}
