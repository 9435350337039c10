/* avx512_sample.h: random placements, uniform and by the weight of the piece. Only for avx512.c. */
#define IN_EACH_16 UINT64_C(0x0001000100010001)
#define TOP_OF_16 UINT64_C(0x8000800080008000)

/* Find where number k falls in rows of counts, each of 4 x 16 bits, all sums below 2^15.
 * `sums` holds the inclusive prefix sums; k becomes the number within what is found. */
static inline unsigned find_16(const uint64_t *sums, int rows, uint32_t *k) {
    unsigned at = 0;
    uint16_t before[16] = {0};
    for (int i = 0; i < rows; i++) {
        /* Bit 15 of a field stays set if k is not below the sum. */
        uint64_t passed = ((*k * IN_EACH_16 | TOP_OF_16) - sums[i]) & TOP_OF_16;
        at += (unsigned)_mm_popcnt_u64(passed);
        memcpy(before + 1 + 4 * i, &sums[i], 8);
    }
    *k -= before[at];
    return at;
}

/* Add the four 128-bit lanes; 16-bit sums. */
static inline __m128i add_lanes(board x) {
    __m256i half = _mm256_add_epi16(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
    return _mm_add_epi16(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

/* Choose among eight counts of 16 bits by number. */
static inline unsigned find_8(__m128i counts, uint32_t *k) {
    uint64_t sums[2];
    sums[0] = (uint64_t)_mm_cvtsi128_si64(counts) * IN_EACH_16;
    sums[1] = (uint64_t)_mm_extract_epi64(counts, 1) * IN_EACH_16 + (sums[0] >> 48) * IN_EACH_16;
    return find_16(sums, 2, k);
}

/* The counts of eight boards, 16 bits each. */
static inline __m128i count_eight(const uint64_t (*boards)[BF_WORDS]) {
#define COUNT(i) _mm512_popcnt_epi64(load(boards[i]))
    board bytes = _mm512_packus_epi16(
        _mm512_packus_epi16(_mm512_packus_epi32(COUNT(0), COUNT(1)),
                            _mm512_packus_epi32(COUNT(2), COUNT(3))),
        _mm512_packus_epi16(_mm512_packus_epi32(COUNT(4), COUNT(5)),
                            _mm512_packus_epi32(COUNT(6), COUNT(7))));
#undef COUNT
    /* Bytes 2i and 2i + 1 of a lane are two words of board i. */
    return add_lanes(_mm512_maddubs_epi16(bytes, _mm512_set1_epi8(1)));
}

/* The id of placement number k of an orientation. */
static inline int32_t kth_id(const bf_layout *layout, unsigned o, const uint64_t *legal,
                             uint32_t k) {
    unsigned word = find_8(_mm512_cvtepi64_epi16(_mm512_popcnt_epi64(load(legal))), &k);
    unsigned bit = (unsigned)_tzcnt_u64(_pdep_u64(UINT64_C(1) << k, legal[word]));
    unsigned across = layout->size + 1u - bf_orientation_width[o];
    return (int32_t)(layout->first[o] + (3 * word + bit / BF_STRIDE) * across + bit % BF_STRIDE);
}

static int32_t kernel_sample(const bf_layout *layout, bf_boards own, int color,
                             uint32_t pieces, bf_rng *rng) {
    uint64_t buffer[24];
    _Alignas(64) uint64_t legal[ALL_ORIENTATIONS][BF_WORDS];
    frontier f = find_frontier(layout, own, color);
    if (!not_empty(f.corner)) return -1;
    const uint64_t *hand = hand_words(pieces, buffer);
    OFFSETS(f)
#define EMIT(i, o, piece, x, y)                                                                \
    do {                                                                                       \
        board hand_ = _mm512_set1_epi64((long long)hand[piece]);                               \
        _mm512_store_si512(legal[o], _mm512_ternarylogic_epi64(x, y, hand_, AND3));            \
    } while (0);
#define BF_CODE_PROGRAM
#include "bf_program.h"
#undef EMIT
    for (int o = BF_ORIENTATIONS; o < ALL_ORIENTATIONS; o++) {
        _mm512_store_si512(legal[o], _mm512_setzero_si512());
    }
    /* Count eight orientations together, then look for number k among the 12 sums. */
    board sum[ROWS_OF_8];
    for (int i = 0; i < ROWS_OF_8; i++) {
        board n[8];
        for (int j = 0; j < 8; j++) n[j] = _mm512_popcnt_epi64(load(legal[8 * i + j]));
        for (int j = 0; j < 4; j++) n[j] = _mm512_add_epi64(n[j], n[j + 4]);
        sum[i] = _mm512_add_epi64(_mm512_add_epi64(n[0], n[1]), _mm512_add_epi64(n[2], n[3]));
    }
    uint64_t sums[3], total = 0;
    for (int i = 0; i < 3; i++) {
        board pairs = _mm512_packus_epi32(_mm512_packus_epi32(sum[4 * i], sum[4 * i + 1]),
                                          _mm512_packus_epi32(sum[4 * i + 2], sum[4 * i + 3]));
        /* 16-bit counts of even and odd words, side by side. */
        __m128i both = add_lanes(pairs);
        __m128i counts = _mm_madd_epi16(both, _mm_set1_epi16(1));
        counts = _mm_packus_epi32(counts, counts);
        sums[i] = (uint64_t)_mm_cvtsi128_si64(counts) * IN_EACH_16 + total * IN_EACH_16;
        total = sums[i] >> 48;
    }
    if (total == 0) return -1;
    uint32_t k = bf_rng_below(rng, (uint32_t)total);
    unsigned group = find_16(sums, 3, &k);
    unsigned o = 8 * group + find_8(count_eight((const uint64_t(*)[BF_WORDS])legal + 8 * group), &k);
    return kth_id(layout, o, legal[o], k);
}

/* -------- sample by weight -------- */

/* Inclusive prefix sums of 16 numbers. */
static inline board prefix_sums(board x) {
    board zero = _mm512_setzero_si512();
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 15));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 14));
    x = _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 12));
    return _mm512_add_epi32(x, _mm512_alignr_epi32(x, zero, 8));
}

/* The weights of the pieces that take part, summed up to each piece. */
typedef struct lottery {
    board low, high; /* pieces 0 to 15, and the rest */
    uint32_t sum;
} lottery;

static inline lottery make_lottery(uint32_t pieces, const uint32_t *weights) {
    const board last = _mm512_set1_epi32(15);
    lottery l;
    l.low = prefix_sums(_mm512_maskz_loadu_epi32((__mmask16)pieces, weights));
    l.high = prefix_sums(_mm512_maskz_loadu_epi32((__mmask16)(pieces >> 16 & 31), weights + 16));
    l.high = _mm512_add_epi32(l.high, _mm512_permutexvar_epi32(last, l.low));
    l.sum = (uint32_t)_mm_cvtsi128_si32(
        _mm512_castsi512_si128(_mm512_permutexvar_epi32(last, l.high)));
    return l;
}

/* Draw a piece; the sum must not be 0. */
static inline unsigned draw_piece(const lottery *l, bf_rng *rng) {
    board k = _mm512_set1_epi32((int)bf_rng_below(rng, l->sum));
    return (unsigned)(_mm_popcnt_u32(_mm512_cmple_epu32_mask(l->low, k)) +
                      _mm_popcnt_u32(_mm512_cmple_epu32_mask(l->high, k)));
}

/* Take a piece out: less weight for it and all behind it. */
static inline void drop_piece(lottery *l, unsigned piece, const uint32_t *weights) {
    uint32_t behind = ~UINT32_C(0) << piece;
    board weight = _mm512_set1_epi32((int)weights[piece]);
    l->low = _mm512_mask_sub_epi32(l->low, (__mmask16)behind, l->low, weight);
    l->high = _mm512_mask_sub_epi32(l->high, (__mmask16)(behind >> 16), l->high, weight);
    l->sum -= weights[piece];
}

/* Draw one of a piece's placements, given as boards of its orientations, not all empty. */
static inline int32_t draw_of_piece(const bf_layout *layout, unsigned piece,
                                    const uint64_t (*boards)[BF_WORDS], bf_rng *rng) {
    __m128i counts = count_eight(boards);
    uint64_t both = (uint64_t)_mm_cvtsi128_si64(counts) + (uint64_t)_mm_extract_epi64(counts, 1);
    uint32_t k = bf_rng_below(rng, (uint32_t)((both * IN_EACH_16) >> 48));
    unsigned i = find_8(counts, &k);
    return kth_id(layout, bf_piece_first[piece] + i, boards[i], k);
}

static int32_t kernel_sample_weighted(const bf_layout *layout, bf_boards own,
                                      int color, uint32_t pieces, const uint32_t *weights,
                                      bf_rng *rng) {
    _Alignas(64) uint64_t legal[8][BF_WORDS];
    bf_rng before = *rng;
    lottery l = make_lottery(pieces, weights);
    frontier f = find_frontier(layout, own, color);
    if (!not_empty(f.corner)) return -1;
    OFFSETS(f)
    /* Weights whose sum is too large wrap around: whatever is drawn then, it ends. */
    for (int tries = 0; tries < BF_PIECES && l.sum != 0; tries++) {
        unsigned piece = draw_piece(&l, rng);
        if (piece >= BF_PIECES) break;
        board any = _mm512_setzero_si512();
        /* The shifted boards stay in registers. */
        switch (piece) {
#define BF_PIECE(p) case p:
#define BF_SHAPE(i, v, w, x, y, z)                                                             \
    {                                                                                          \
        board fits_ = _mm512_ternarylogic_epi64(a_##v, a_##w, a_##x, AND3);                    \
        board touches_ = or3(or3(c_##v, c_##w, c_##x), c_##y, c_##z);                          \
        fits_ = _mm512_ternarylogic_epi64(fits_, a_##y, a_##z, AND3);                          \
        fits_ = _mm512_and_si512(fits_, touches_);                                             \
        _mm512_store_si512(legal[i], fits_);                                                   \
        any = _mm512_or_si512(any, fits_);                                                     \
    }
#define BF_NO_SHAPE(i) _mm512_store_si512(legal[i], _mm512_setzero_si512());
#define BF_PIECE_END break;
#define BF_CODE_PIECES
#include "bf_program.h"
        default: break;
        }
        if (!not_empty(any)) {
            drop_piece(&l, piece, weights);
            continue;
        }
        return draw_of_piece(layout, piece, (const uint64_t(*)[BF_WORDS])legal, rng);
    }
    *rng = before;
    return -1;
}
