/* avx512_search.h: what wide_search.h asks of a kernel, for AVX-512. Only for avx512.c, behind
 * avx512_sample.h.
 */
static void planes_to_bytes(const uint64_t (*planes)[BF_WORDS], uint8_t *bytes) {
    for (int w = 0; w < BF_WORDS; w++) {
        board code = _mm512_setzero_si512();
        for (int k = 0; k < 7; k++) {
            code = _mm512_or_si512(
                code, _mm512_maskz_set1_epi8((__mmask64)planes[k][w], (char)(1 << k)));
        }
        _mm512_storeu_si512(bytes + 64 * w, code);
    }
}

static void add_products(const int16_t *inputs, int n, const int16_t (*weights)[BF_VALUE_HIDDEN][2],
                         int32_t *sums) {
    board low = _mm512_loadu_si512(sums), high = _mm512_loadu_si512(sums + 16);
    for (int i = 0; i < n; i++) {
        int32_t pair;
        memcpy(&pair, inputs + 2 * i, sizeof pair);
        board x = _mm512_set1_epi32(pair);
        low = _mm512_add_epi32(low, _mm512_madd_epi16(x, _mm512_loadu_si512(weights[i])));
        high = _mm512_add_epi32(high, _mm512_madd_epi16(x, _mm512_loadu_si512(weights[i] + 16)));
    }
    _mm512_storeu_si512(sums, low);
    _mm512_storeu_si512(sums + 16, high);
}

/* The squares of a board that are targets or beside one. */
static inline board near_squares(const uint64_t *targets, board allowed) {
    board at = to_rows(load(targets));
    board before = _mm512_alignr_epi64(at, _mm512_setzero_si512(), 7);
    board rows = or3(_mm512_slli_epi64(at, 21), _mm512_srli_epi64(before, 42),
                     _mm512_or_si512(_mm512_srli_epi64(at, 21),
                                     _mm512_slli_epi64(words_behind(at, 1), 42)));
    board beside = or3(_mm512_slli_epi64(at, 1), _mm512_srli_epi64(at, 1), rows);
    return _mm512_and_si512(allowed, _mm512_or_si512(at, beside));
}

/* Bit number k of a word that is not empty. */
static inline unsigned kth_bit(uint32_t word, uint32_t k) {
    return (unsigned)_tzcnt_u32(_pdep_u32(UINT32_C(1) << k, word));
}

static int32_t near_sample(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                           const uint64_t *targets, int largest_first, bf_rng *rng) {
    _Alignas(64) uint64_t legal[8][BF_WORDS];
    _Alignas(64) uint64_t close[8][BF_WORDS];
    frontier f = find_frontier(layout, own, color);
    if (!not_empty(f.corner)) return -1;
    board near = _mm512_setzero_si512();
    if (targets != NULL) near = near_squares(targets, f.allowed);
    OFFSETS(f)
    OFFSETS_OF(t, near)
    for (int size = largest_first ? 5 : 1; size > 0; size--) {
        uint32_t left = largest_first ? pieces & bf_pieces_larger[size - 1] : pieces;
        pieces &= ~left;
        while (left != 0) {
            uint32_t n = (uint32_t)_mm_popcnt_u32(left);
            unsigned piece = kth_bit(left, n > 1 ? bf_rng_below(rng, n) : 0);
            board any = _mm512_setzero_si512(), any_close = any;
            left &= ~(UINT32_C(1) << piece);
            switch (piece) {
#define BF_PIECE(p) case p:
#define BF_SHAPE(i, v, w, x, y, z)                                                             \
    {                                                                                          \
        board fits_ = _mm512_ternarylogic_epi64(a_##v, a_##w, a_##x, AND3);                    \
        board touches_ = or3(or3(c_##v, c_##w, c_##x), c_##y, c_##z);                          \
        board close_ = or3(or3(t_##v, t_##w, t_##x), t_##y, t_##z);                            \
        fits_ = _mm512_ternarylogic_epi64(fits_, a_##y, a_##z, AND3);                          \
        fits_ = _mm512_and_si512(fits_, touches_);                                             \
        close_ = _mm512_and_si512(fits_, close_);                                              \
        _mm512_store_si512(legal[i], fits_);                                                   \
        _mm512_store_si512(close[i], close_);                                                  \
        any = _mm512_or_si512(any, fits_);                                                     \
        any_close = _mm512_or_si512(any_close, close_);                                        \
    }
#define BF_NO_SHAPE(i)                                                                         \
    _mm512_store_si512(legal[i], _mm512_setzero_si512());                                      \
    _mm512_store_si512(close[i], _mm512_setzero_si512());
#define BF_PIECE_END break;
#define BF_CODE_PIECES
#include "bf_program.h"
            default: break;
            }
            if (!not_empty(any)) continue;
            const uint64_t(*boards)[BF_WORDS] = not_empty(any_close)
                                                    ? (const uint64_t(*)[BF_WORDS])close
                                                    : (const uint64_t(*)[BF_WORDS])legal;
            return draw_of_piece(layout, piece, boards, rng);
        }
    }
    return -1;
}
