/* avx2_search.h: what wide_search.h asks of a kernel, for AVX2. Only for avx2.c, behind
 * avx2_sample.h.
 */
static void planes_to_bytes(const uint64_t (*planes)[BF_WORDS], uint8_t *bytes) {
    const __m256i bits = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
                                            2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    for (int i = 0; i < 16 * BF_WORDS / 8; i++) {
        __m256i code = v_zero();
        for (int k = 0; k < 7; k++) {
            uint32_t word = (uint32_t)(planes[k][i >> 1] >> (32 * (i & 1)));
            __m256i byte = _mm256_shuffle_epi8(_mm256_set1_epi32((int)word), spread);
            __m256i set = _mm256_cmpeq_epi8(v_and(byte, bits), bits);
            code = v_or(code, v_and(set, _mm256_set1_epi8((char)(1 << k))));
        }
        _mm256_storeu_si256((__m256i *)(bytes + 32 * i), code);
    }
}

static void add_products(const int16_t *inputs, int n, const int16_t (*weights)[BF_VALUE_HIDDEN][2],
                         int32_t *out) {
    __m256i sum[BF_VALUE_HIDDEN / 8];
    for (int k = 0; k < BF_VALUE_HIDDEN / 8; k++) sum[k] = v_load(out + 8 * k);
    for (int i = 0; i < n; i++) {
        int32_t pair;
        memcpy(&pair, inputs + 2 * i, sizeof pair);
        if (pair == 0) continue;
        __m256i x = _mm256_set1_epi32(pair);
        for (int k = 0; k < BF_VALUE_HIDDEN / 8; k++) {
            __m256i products = _mm256_madd_epi16(x, v_load(weights[i] + 8 * k));
            sum[k] = _mm256_add_epi32(sum[k], products);
        }
    }
    for (int k = 0; k < BF_VALUE_HIDDEN / 8; k++) {
        _mm256_storeu_si256((__m256i *)(out + 8 * k), sum[k]);
    }
}

/* The allowed squares that are targets or beside one. */
static inline board near_squares(const uint64_t *targets, board allowed) {
    board at = to_rows(load(targets));
    return both(allowed, either(at, either(rows_beside(at), columns_beside(at))));
}

/* Take, of a piece's placements, those that cover a square of a board: four words of each. Return
 * what they have together. */
static __m256i close_half(half near, int piece, const uint64_t *legal, uint64_t *close) {
    __m256i any = v_zero();
    switch (piece) {
#define BF_PIECE(p)                                                                            \
    case p: {                                                                                  \
        OFFSETS_OF(t, near)                                                                    \
        MAY_BE_UNUSED(t)
#define BF_SHAPE(i, v, w, x, y, z)                                                             \
    {                                                                                          \
        __m256i covers_ = v_or(v_or(v_or(t_##v, t_##w), v_or(t_##x, t_##y)), t_##z);           \
        __m256i close_ = v_and(v_load(legal + BF_WORDS * (i)), covers_);                       \
        store(close + BF_WORDS * (i), close_);                                                 \
        any = v_or(any, close_);                                                               \
    }
#define BF_NO_SHAPE(i)
#define BF_PIECE_END                                                                           \
    break;                                                                                     \
    }
#define BF_CODE_PIECES
#include "bf_program.h"
    default: break;
    }
    return any;
}

/* The frontier, and the squares to be preferred. */
typedef struct close_boards {
    halves boards;
    half near[2];
} close_boards;

static int32_t draw_close(const void *boards, const bf_layout *layout, int piece, bf_rng *rng) {
    _Alignas(32) uint64_t legal[8 * BF_WORDS], close[8 * BF_WORDS];
    const close_boards *b = boards;
    if (!find_piece(&b->boards, piece, legal)) return -1;
    __m256i any = v_or(close_half(b->near[0], piece, legal, close),
                       close_half(b->near[1], piece, legal + 4, close + 4));
    return draw_of_piece(layout, piece, v_is_empty(any) ? legal : close, rng);
}

static int32_t near_sample(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                           const uint64_t *targets, int largest_first, bf_rng *rng) {
    frontier f = find_frontier(layout, own, color);
    if (is_empty(f.corner)) return -1;
    close_boards b = {.boards = halves_of(f)};
    if (targets == NULL) return draw_by_size(layout, pieces, largest_first, rng, draw_from, &b.boards);
    board near = near_squares(targets, f.allowed);
    b.near[0] = low_half(near);
    b.near[1] = high_half(near);
    return draw_by_size(layout, pieces, largest_first, rng, draw_close, &b);
}
