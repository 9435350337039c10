/* neon_search.h: what wide_search.h asks of a kernel, for NEON. Only for neon.c, behind
 * neon_sample.h.
 */
static void planes_to_bytes(const uint64_t (*planes)[BF_WORDS], uint8_t *bytes) {
    static const uint8_t EACH[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    static const uint8_t BITS[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t bits = load_bytes(BITS);
    for (int w = 0; w < BF_WORDS; w += 2) {
        uint8x16_t board[7], each = load_bytes(EACH);
        for (int k = 0; k < 7; k++) board[k] = bytes_of(load(planes[k] + w));
        for (int i = 0; i < 8; i++, bytes += 16) {
            /* Bit k and those above it; bit 7 of a code is 0. */
#define SET(k) vtstq_u8(vqtbl1q_u8(board[k], each), bits)
            uint8x16_t code = vsliq_n_u8(SET(0), SET(1), 1);
            code = vsliq_n_u8(vsliq_n_u8(code, SET(2), 2), SET(3), 3);
            code = vsliq_n_u8(vsliq_n_u8(code, SET(4), 4), SET(5), 5);
            code = vsliq_n_u8(code, SET(6), 6);
#undef SET
            vst1q_u8(bytes, vandq_u8(code, vdupq_n_u8(0x7f)));
            each = vaddq_u8(each, vdupq_n_u8(2));
        }
    }
}

static void add_products(const int16_t *inputs, int n, const int16_t (*weights)[BF_VALUE_HIDDEN][2],
                         int32_t *sums) {
    int32x4_t sum[BF_VALUE_HIDDEN / 4];
    for (int h = 0; h < BF_VALUE_HIDDEN / 4; h++) sum[h] = vld1q_s32(sums + 4 * h);
    for (int i = 0; i < n; i++) {
        const int16_t x = inputs[2 * i], y = inputs[2 * i + 1];
        if ((x | y) == 0) continue;
        for (int h = 0; h < BF_VALUE_HIDDEN / 8; h++) {
            int16x8x2_t w = vld2q_s16(weights[i][8 * h]);
            sum[2 * h] = vmlal_n_s16(sum[2 * h], vget_low_s16(w.val[0]), x);
            sum[2 * h] = vmlal_n_s16(sum[2 * h], vget_low_s16(w.val[1]), y);
            sum[2 * h + 1] = vmlal_high_n_s16(sum[2 * h + 1], w.val[0], x);
            sum[2 * h + 1] = vmlal_high_n_s16(sum[2 * h + 1], w.val[1], y);
        }
    }
    for (int h = 0; h < BF_VALUE_HIDDEN / 4; h++) vst1q_s32(sums + 4 * h, sum[h]);
}

/* The allowed squares that are targets or beside one, in rows of words. */
static inline void near_squares(const uint64_t *targets, const frontier *f, uint64_t *near) {
    slice framed[SLICES], at[SLICES + 2];
    for (int i = 0; i < SLICES; i++) framed[i] = load(targets + 2 * i);
    at[0] = at[SLICES + 1] = vdupq_n_u64(0);
    to_rows(framed, at + 1);
    for (int i = 0; i < SLICES; i++) {
        slice around = either(rows_beside(at[i], at[i + 1], at[i + 2]), columns_beside(at[i + 1]));
        store(near + 2 * i, vandq_u64(load(f->allowed + 2 * i), either(at[i + 1], around)));
    }
    store(near + 2 * SLICES, vdupq_n_u64(0));
}

/* As count_piece, and of those anchors the ones where the piece covers a square of `near`. */
static void count_close(const frontier *f, const uint64_t *near, int piece, uint8_t (*counts)[16],
                        uint8_t (*close)[16]) {
    switch (piece) {
#define BF_PIECE(p)                                                                            \
    case p:                                                                                    \
        for (int s = 0; s < SLICES; s++) {                                                     \
            if (is_out_of_reach(f, 2 * s)) {                                                   \
                vst1q_u8(counts[s], vdupq_n_u8(0));                                            \
                vst1q_u8(close[s], vdupq_n_u8(0));                                             \
                continue;                                                                      \
            }                                                                                  \
            OFFSETS(f, 2 * s)                                                                  \
            OFFSETS_OF(t, near, 2 * s)                                                         \
            MAY_BE_UNUSED(a)                                                                   \
            MAY_BE_UNUSED(l)                                                                   \
            MAY_BE_UNUSED(t)
#define BF_SHAPE(i, v, w, x, y, z)                                                             \
    slice legal_##i =                                                                          \
        vandq_u64(vandq_u64(vandq_u64(vandq_u64(a_##v, a_##w), a_##x), vandq_u64(a_##y, a_##z)), \
                  either(either(either(l_##v, l_##w), l_##x), either(l_##y, l_##z)));          \
    slice legal_1##i = vandq_u64(                                                              \
        legal_##i, either(either(either(t_##v, t_##w), t_##x), either(t_##y, t_##z)));
#define BF_NO_SHAPE(i) slice legal_##i = vdupq_n_u64(0), legal_1##i = legal_##i;
#define BF_PIECE_END                                                                           \
            vst1q_u8(counts[s], COUNT_EIGHT(0, 1, 2, 3, 4, 5, 6, 7));                          \
            vst1q_u8(close[s], COUNT_EIGHT(10, 11, 12, 13, 14, 15, 16, 17));                   \
        }                                                                                      \
        break;
#define BF_CODE_PIECES
#include "bf_program.h"
    default: break;
    }
}

/* The frontier, and the squares to be preferred. */
typedef struct close_boards {
    frontier f;
    uint64_t near[PADDED];
} close_boards;

static int32_t draw_close(const void *boards, const bf_layout *layout, int piece, bf_rng *rng) {
    _Alignas(64) uint8_t counts[SLICES][16], close[SLICES][16];
    const close_boards *b = boards;
    count_close(&b->f, b->near, piece, counts, close);
    uint16x8_t sums = of_orientations(counts), of_close = of_orientations(close);
    if (vmaxvq_u16(sums) == 0) return -1;
    if (vmaxvq_u16(of_close) == 0) return draw_of_piece(layout, &b->f, counts, sums, piece, rng);
    uint32_t k;
    unsigned at = draw_word(close, of_close, piece, rng, &k);
    word x = word_of(b->f.allowed, b->f.corner, at >> 3, at & 7);
    word y = word_of(b->near, b->near, at >> 3, at & 7);
    return id_of(layout, (int)at, x.all & x.any & y.any, k);
}

static int32_t near_sample(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                           const uint64_t *targets, int largest_first, bf_rng *rng) {
    close_boards b;
    if (!find_frontier(layout, own, color, &b.f)) return -1;
    if (targets == NULL) return draw_by_size(layout, pieces, largest_first, rng, draw_from, &b.f);
    near_squares(targets, &b.f, b.near);
    return draw_by_size(layout, pieces, largest_first, rng, draw_close, &b);
}
