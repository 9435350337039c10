/* neon_boards.h: boards in slices of two words, and the program on a slice. Only for neon.c.
 *
 * Owns the frontier, the shifted boards and the macros of bf_program.h but EMIT and BF_EIGHT, which
 * every operation defines for itself.
 */
typedef uint64x2_t slice;

#define SLICES 4
#define EIGHTS 12                    /* groups of 8 orientations */
#define PAIRS 6                      /* groups of 16 */
#define PADDED 10                    /* words of a board, and two behind them */

/* Both boards in rows of words: word i holds rows 3i to 3i + 2 in 63 bits. A shift within a row
 * then needs no neighbor, and a shift by three rows is one by a word. Behind them are zeros. */
typedef struct frontier {
    uint64_t allowed[PADDED], corner[PADDED];
} frontier;

static inline slice load(const uint64_t *p) { return vld1q_u64(p); }
static inline void store(uint64_t *p, slice x) { vst1q_u64(p, x); }
static inline slice either(slice x, slice y) { return vorrq_u64(x, y); }
static inline uint8x16_t load_bytes(const void *p) { return vld1q_u8((const uint8_t *)p); }
static inline uint8x16_t bytes_of(slice x) { return vreinterpretq_u8_u64(x); }
static inline int is_empty(slice x) { return vmaxvq_u32(vreinterpretq_u32_u64(x)) == 0; }

/* From the frame to rows of words, and back. */
static inline void to_rows(const slice *frame, slice *rows) {
    static const int64_t UP[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    slice before = vdupq_n_u64(0);
    for (int i = 0; i < SLICES; i++) {
        int64x2_t up = vld1q_s64(UP + 2 * i), down = vsubq_s64(up, vdupq_n_s64(64));
        slice here = vshlq_u64(frame[i], up);
        slice from_before = vshlq_u64(vextq_u64(before, frame[i], 1), down);
        rows[i] = vandq_u64(either(here, from_before), vdupq_n_u64(UINT64_MAX >> 1));
        before = frame[i];
    }
}
static inline void store_frame(const uint64_t *rows, uint64_t *frame) {
    static const int64_t UP[8] = {63, 62, 61, 60, 59, 58, 57, 56};
    for (int i = 0; i < SLICES; i++) {
        int64x2_t up = vld1q_s64(UP + 2 * i), down = vsubq_s64(up, vdupq_n_s64(63));
        store(frame + 2 * i, either(vshlq_u64(load(rows + 2 * i), down),
                                    vshlq_u64(load(rows + 2 * i + 1), up)));
    }
}

/* The rows above and below each of two words, and the columns left and right. */
static inline slice rows_beside(slice before, slice here, slice behind) {
    slice above = vshlq_n_u64(here, BF_STRIDE), below = vshrq_n_u64(here, BF_STRIDE);
    slice one_before = vextq_u64(before, here, 1), one_behind = vextq_u64(here, behind, 1);
    return either(vsraq_n_u64(above, one_before, 2 * BF_STRIDE),
                  vsliq_n_u64(below, one_behind, 2 * BF_STRIDE));
}
static inline slice columns_beside(slice x) {
    return either(vshlq_n_u64(x, 1), vshrq_n_u64(x, 1));
}

/* Compute the frontier; return 0 if it has no corner square. */
static inline int find_frontier(const bf_layout *layout, bf_boards own, int color, frontier *f) {
    slice framed[SLICES], open[SLICES], mine[SLICES + 2], starts[SLICES], any = vdupq_n_u64(0);
    slice corners[SLICES], near[SLICES];
    for (int i = 0; i < SLICES; i++) {
        slice taken = either(either(load(own[0] + 2 * i), load(own[1] + 2 * i)),
                             either(load(own[2] + 2 * i), load(own[3] + 2 * i)));
        framed[i] = vbicq_u64(load(layout->playable + 2 * i), taken);
    }
    to_rows(framed, open);
    for (int i = 0; i < SLICES; i++) framed[i] = load(own[color] + 2 * i);
    mine[0] = mine[SLICES + 1] = vdupq_n_u64(0);
    to_rows(framed, mine + 1);
    for (int i = 0; i < SLICES; i++) {
        near[i] = rows_beside(mine[i], mine[i + 1], mine[i + 2]);
        corners[i] = columns_beside(near[i]);
    }
    if (is_empty(either(either(framed[0], framed[1]), either(framed[2], framed[3])))) {
        /* The first piece covers a start square instead of touching a corner. */
        for (int i = 0; i < SLICES; i++) starts[i] = load(layout->start[color] + 2 * i);
        to_rows(starts, corners);
    }
    for (int i = 0; i < SLICES; i++) {
        /* Bits that leave a row at either end fall on squares that are never open. */
        slice allowed = vbicq_u64(open[i], either(near[i], columns_beside(mine[i + 1])));
        slice corner = vandq_u64(allowed, corners[i]);
        store(f->allowed + 2 * i, allowed);
        store(f->corner + 2 * i, corner);
        any = either(any, corner);
    }
    store(f->allowed + 2 * SLICES, vdupq_n_u64(0));
    store(f->corner + 2 * SLICES, vdupq_n_u64(0));
    return !is_empty(any);
}

/* Whether no placement whose anchor is in the words w and w + 1 can cover a corner square. */
static inline int is_out_of_reach(const frontier *f, int w) {
    return is_empty(either(load(f->corner + w), load(f->corner + w + 2)));
}

/* Declare the boards x_00 to x_14 of a slice that the program starts from. */
#define LATER(x, i, j, n) slice x##_##j = vshrq_n_u64(x##_##i, n);
#define ROW(x, i, here, behind, n)                                                             \
    slice x##_##i = vsliq_n_u64(vshrq_n_u64(here, (n) * BF_STRIDE), behind, (3 - (n)) * BF_STRIDE);
#define OFFSETS_OF(x, board, w)                                                                \
    slice x##_00 = load((board) + (w)), x##_12 = load((board) + (w) + 1);                      \
    slice x##_far = load((board) + (w) + 2);                                                   \
    ROW(x, 05, x##_00, x##_12, 1) ROW(x, 09, x##_00, x##_12, 2) ROW(x, 14, x##_12, x##_far, 1) \
    LATER(x, 00, 01, 1) LATER(x, 00, 02, 2) LATER(x, 00, 03, 3) LATER(x, 00, 04, 4)            \
    LATER(x, 05, 06, 1) LATER(x, 05, 07, 2) LATER(x, 05, 08, 3)                                \
    LATER(x, 09, 10, 1) LATER(x, 09, 11, 2) LATER(x, 12, 13, 1)
#define OFFSETS(f, w)                                                                          \
    OFFSETS_OF(a, (f)->allowed, w)                                                             \
    OFFSETS_OF(l, (f)->corner, w)

/* A piece needs some of the shifted boards only. */
#define MAY_BE_UNUSED(x)                                                                       \
    (void)x##_01, (void)x##_02, (void)x##_03, (void)x##_04, (void)x##_06, (void)x##_07,        \
        (void)x##_08, (void)x##_10, (void)x##_11, (void)x##_13, (void)x##_14;

/* With each part goes the board l of its legal anchors, as if it were an orientation, and not the
 * OR of its corner squares. Since l is never set where a is not, that of two parts is
 *   a_x & a_y & (l_x | l_y) = l_x ? a_y : a_x & l_y
 * in two instructions; and an orientation that is a part needs none. */
#define LEGAL_OF(x, y) vbslq_u64(l_##x, a_##y, vandq_u64(a_##x, l_##y))
#define BF_JOIN(s, x, y)                                                                       \
    slice a_##s = vandq_u64(a_##x, a_##y);                                                     \
    slice l_##s = LEGAL_OF(x, y);
#define BF_LEGAL1(i, o, piece, x) EMIT(i, o, l_##x)
#define BF_LEGAL2(i, o, piece, x, y) EMIT(i, o, LEGAL_OF(x, y))

/* Bytes 0xff for the pieces in hand. */
static inline uint8x16x2_t hand_of(uint32_t pieces) {
    static const uint8_t BITS[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = load_bytes(BITS);
    uint8x16x2_t hand;
#define BYTE(i) vdup_n_u8((uint8_t)(pieces >> 8 * (i)))
    hand.val[0] = vtstq_u8(vcombine_u8(BYTE(0), BYTE(1)), bits);
    hand.val[1] = vtstq_u8(vcombine_u8(BYTE(2), vdup_n_u8(0)), bits);
#undef BYTE
    return hand;
}

/* Of 96 bytes in the order of the program, 16 in the order of the ids. */
static inline uint8x16_t in_order(const uint8x16_t *bytes, uint8x16_t place) {
    const uint8x16x4_t low = {{bytes[0], bytes[1], bytes[2], bytes[3]}};
    const uint8x16x2_t high = {{bytes[4], bytes[5]}};
    return vqtbx2q_u8(vqtbl4q_u8(low, place), high, vsubq_u8(place, vdupq_n_u8(64)));
}
