/* avx2_count.h: count and any. Only for avx2.c. */

/* Add three bits of the same weight: *x becomes their sum, the carry is returned. */
static inline __m256i add_bits(__m256i *x, __m256i y, __m256i z) {
    __m256i differ = _mm256_xor_si256(*x, y);
    __m256i carry = v_or(v_and(*x, y), v_and(differ, z));
    *x = _mm256_xor_si256(differ, z);
    return carry;
}

/* Set bits of each byte. */
static inline __m256i count_bytes(__m256i x) {
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    return _mm256_add_epi8(
        _mm256_shuffle_epi8(counts, v_and(x, nibble)),
        _mm256_shuffle_epi8(counts, v_and(_mm256_srli_epi16(x, 4), nibble)));
}

/* Placements in four words of all orientations: 91 boards are added bit by bit, into counters of
 * seven bits for each square, and these are counted. */
static __m256i count_half(half allowed, half corner, const uint64_t *hand) {
    if (is_out_of_reach(corner)) return v_zero();
    __m256i sum[7];
    for (int i = 0; i < 7; i++) sum[i] = v_zero();
    OFFSETS_OF(a, allowed)
    OFFSETS_OF(c, corner)
#define EMIT(i, o, piece, value)                                                               \
    __m256i legal_##i = v_and(value, _mm256_set1_epi64x((long long)hand[piece]));
#define BF_EIGHT(i0, i1, i2, i3, i4, i5, i6, i7)                                               \
    {                                                                                          \
        __m256i two_0 = add_bits(&sum[0], legal_##i0, legal_##i1);                             \
        __m256i two_1 = add_bits(&sum[0], legal_##i2, legal_##i3);                             \
        __m256i two_2 = add_bits(&sum[0], legal_##i4, legal_##i5);                             \
        __m256i two_3 = add_bits(&sum[0], legal_##i6, legal_##i7);                             \
        __m256i four_0 = add_bits(&sum[1], two_0, two_1);                                      \
        __m256i four_1 = add_bits(&sum[1], two_2, two_3);                                      \
        __m256i carry = add_bits(&sum[2], four_0, four_1);                                     \
        for (int k = 3; k < 7; k++) {                                                          \
            __m256i next = v_and(sum[k], carry);                                               \
            sum[k] = _mm256_xor_si256(sum[k], carry);                                          \
            carry = next;                                                                      \
        }                                                                                      \
    }
#define BF_CODE_PROGRAM
#include "bf_program.h"
    const __m256i legal_91 = v_zero(), legal_92 = legal_91, legal_93 = legal_91;
    const __m256i legal_94 = legal_91, legal_95 = legal_91;
    BF_EIGHT(88, 89, 90, 91, 92, 93, 94, 95)
#undef BF_EIGHT
#undef EMIT
    /* 248 at most in a byte of the lower five. */
    __m256i low = count_bytes(sum[4]), high = count_bytes(sum[6]);
    for (int k = 3; k >= 0; k--) low = _mm256_add_epi8(_mm256_add_epi8(low, low), count_bytes(sum[k]));
    high = _mm256_add_epi8(_mm256_add_epi8(high, high), count_bytes(sum[5]));
    return _mm256_add_epi64(_mm256_sad_epu8(low, v_zero()),
                            v_up(_mm256_sad_epu8(high, v_zero()), 5));
}

static uint32_t kernel_count(const bf_layout *layout, bf_boards own, int color, uint32_t pieces) {
    uint64_t hand[24];
    frontier f = find_frontier(layout, own, color);
    if (is_empty(f.corner)) return 0;
    hand_words(pieces, hand);
    __m256i sums =
        _mm256_add_epi64(count_half(low_half(f.allowed), low_half(f.corner), hand),
                         count_half(high_half(f.allowed), high_half(f.corner), hand));
    __m128i sum = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return (uint32_t)(_mm_cvtsi128_si64(sum) + _mm_extract_epi64(sum, 1));
}

static int any_in_half(half allowed, half corner, const uint64_t *hand) {
    __m256i all = v_zero();
    OFFSETS_OF(a, allowed)
    OFFSETS_OF(c, corner)
#define EMIT(i, o, piece, value)                                                               \
    all = v_or(all, v_and(value, _mm256_set1_epi64x((long long)hand[piece])));
#define BF_EIGHT(...)
#define BF_CODE_PROGRAM
#include "bf_program.h"
#undef BF_EIGHT
#undef EMIT
    return !v_is_empty(all);
}

static int kernel_any(const bf_layout *layout, bf_boards own, int color, uint32_t pieces) {
    uint64_t hand[24];
    frontier f = find_frontier(layout, own, color);
    if (is_empty(f.corner)) return 0;
    if ((pieces & 1) != 0) return 1; /* a monomino fits on every corner square */
    hand_words(pieces, hand);
    return any_in_half(low_half(f.allowed), low_half(f.corner), hand) ||
           any_in_half(high_half(f.allowed), high_half(f.corner), hand);
}
