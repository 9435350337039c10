/* avx2_sample.h: random placements, uniform and by the weight of the piece. Only for avx2.c. */
#define SUM_PADDING 16

/* Sums of placements up to the end of each of some legal words. */
typedef struct sums {
    _Alignas(32) uint16_t upto[ALL_WORDS + SUM_PADDING];
    uint32_t total;
} sums;

/* Draw one of the placements: which of n words it is in, and in *k its number within the word. The
 * sums have been written, and there is at least one placement. */
static inline int draw_word(sums *s, int n, bf_rng *rng, uint32_t *k) {
    *k = bf_rng_below(rng, s->total);
    const __m256i number = _mm256_set1_epi16((short)*k), none = _mm256_set1_epi16(INT16_MAX);
    __m256i passed = v_zero();
    _mm256_storeu_si256((__m256i *)(s->upto + n), none);
    for (int i = 0; i < n; i += 16) {
        /* The number lies behind all words whose sum it is not below: -1 for each of the others. */
        __m256i upto = _mm256_load_si256((const __m256i *)(s->upto + i));
        passed = _mm256_add_epi16(passed, _mm256_cmpgt_epi16(upto, number));
    }
    __m128i all = _mm_add_epi16(_mm256_castsi256_si128(passed), _mm256_extracti128_si256(passed, 1));
    all = _mm_madd_epi16(all, _mm_set1_epi16(1));
    uint64_t two = (uint64_t)_mm_cvtsi128_si64(_mm_add_epi32(all, _mm_srli_si128(all, 8)));
    int at = (n + 15) / 16 * 16 + (int32_t)two + (int32_t)(two >> 32);
    if (at > 0) *k -= s->upto[at - 1];
    return at;
}

static int32_t kernel_sample(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                             bf_rng *rng) {
    found f;
    sums s;
    uint16_t words[ALL_WORDS];
    uint32_t k;
    if (!find_legal(layout, own, color, pieces, &f)) return -1;
    int n = (int)list_words(f.filled, words);
    s.total = 0;
    for (int i = 0; i < n; i++) {
        s.total += (uint32_t)popcount64(f.legal[words[i]]);
        s.upto[i] = (uint16_t)s.total;
    }
    if (s.total == 0) return -1;
    int at = draw_word(&s, n, rng, &k);
    return id_of(layout, words[at], f.legal[words[at]], k);
}

/* -------- one piece at a time -------- */

/* Compute four words of a piece's orientations; return what they have together. The shifted boards
 * that the piece needs stay in registers. */
static __m256i piece_half(half allowed, half corner, int piece, uint64_t *legal) {
    __m256i any = v_zero();
    if (is_out_of_reach(corner)) {
        for (int i = 0; i < 8; i++) store(legal + BF_WORDS * i, any);
        return any;
    }
    switch (piece) {
#define BF_PIECE(p)                                                                            \
    case p: {                                                                                  \
        OFFSETS_OF(a, allowed)                                                                 \
        OFFSETS_OF(c, corner)                                                                  \
        MAY_BE_UNUSED(a)                                                                       \
        MAY_BE_UNUSED(c)
#define BF_SHAPE(i, v, w, x, y, z)                                                             \
    {                                                                                          \
        __m256i fits_ = v_and(v_and(v_and(a_##v, a_##w), v_and(a_##x, a_##y)), a_##z);         \
        __m256i touches_ = v_or(v_or(v_or(c_##v, c_##w), v_or(c_##x, c_##y)), c_##z);          \
        __m256i legal_ = v_and(fits_, touches_);                                               \
        store(legal + BF_WORDS * (i), legal_);                                                 \
        any = v_or(any, legal_);                                                               \
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

/* Draw one of a piece's placements, given as boards of its orientations, not all empty. */
static inline int32_t draw_of_piece(const bf_layout *layout, int piece, const uint64_t *legal,
                                    bf_rng *rng) {
    int first = BF_WORDS * bf_piece_first[piece], n = BF_WORDS * bf_piece_first[piece + 1] - first;
    uint32_t k;
    sums s;
    s.total = 0;
    for (int i = 0; i < n; i++) {
        s.total += (uint32_t)popcount64(legal[i]);
        s.upto[i] = (uint16_t)s.total;
    }
    int at = draw_word(&s, n, rng, &k);
    return id_of(layout, first + at, legal[at], k);
}

/* The halves of the frontier, with what lies behind each. */
typedef struct halves {
    half allowed[2], corner[2];
} halves;

static inline halves halves_of(frontier f) {
    return (halves){{low_half(f.allowed), high_half(f.allowed)},
                    {low_half(f.corner), high_half(f.corner)}};
}

/* Compute a piece's orientations; return 0 if it fits nowhere. */
static inline int find_piece(const halves *h, int piece, uint64_t *legal) {
    return !v_is_empty(v_or(piece_half(h->allowed[0], h->corner[0], piece, legal),
                            piece_half(h->allowed[1], h->corner[1], piece, legal + 4)));
}

static int32_t draw_from(const void *boards, const bf_layout *layout, int piece, bf_rng *rng) {
    _Alignas(32) uint64_t legal[8 * BF_WORDS];
    return find_piece(boards, piece, legal) ? draw_of_piece(layout, piece, legal, rng) : -1;
}

static int32_t kernel_sample_weighted(const bf_layout *layout, bf_boards own, int color,
                                      uint32_t pieces, const uint32_t *weights, bf_rng *rng) {
    frontier f = find_frontier(layout, own, color);
    if (is_empty(f.corner)) return -1;
    halves h = halves_of(f);
    return draw_by_weight(layout, pieces, weights, rng, draw_from, &h);
}
