/* avx2_legal.h: the legal anchors of all orientations, and which of their words are not 0. Only
 * for avx2.c.
 */
typedef struct found {
    _Alignas(32) uint64_t legal[ALL_WORDS]; /* [8 * orientation + word] */
    uint8_t filled[ALL_ORIENTATIONS];       /* bits: which words are not 0 */
} found;

/* Compute four words of all orientations. */
static void generate_half(half allowed, half corner, uint64_t *legal) {
    if (is_out_of_reach(corner)) {
        for (int o = 0; o < BF_ORIENTATIONS; o++) store(legal + BF_WORDS * o, v_zero());
        return;
    }
    OFFSETS_OF(a, allowed)
    OFFSETS_OF(c, corner)
#define EMIT(i, o, piece, value) store(legal + BF_WORDS * (o), value);
#define BF_EIGHT(...)
#define BF_CODE_PROGRAM
#include "bf_program.h"
#undef BF_EIGHT
#undef EMIT
}

/* Eight bits each for four orientations. Packing with signed saturation keeps what is not 0 from
 * becoming 0: three rounds turn eight half boards into a byte for each word. */
static inline uint32_t flags_of_four(const uint64_t *legal) {
    const __m256i in_order = _mm256_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15,
                                              0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
#define PACK(i) _mm256_packs_epi32(v_load(legal + 8 * (i)), v_load(legal + 8 * (i) + 4))
    __m256i flags = _mm256_packs_epi16(_mm256_packs_epi16(PACK(0), PACK(1)),
                                       _mm256_packs_epi16(PACK(2), PACK(3)));
#undef PACK
    /* A 128-bit lane now holds, for each of the four, words 0 1 4 5, the other one 2 3 6 7. */
    flags = _mm256_shuffle_epi8(_mm256_permute4x64_epi64(flags, 0xd8), in_order);
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(flags, v_zero()));
}

/* All ones in the byte of each orientation whose piece is in hand. */
static inline void hand_bytes(uint32_t pieces, uint8_t hand[ALL_ORIENTATIONS]) {
    const __m256i bits = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    const __m256i held = _mm256_set1_epi32((int)pieces), low = _mm256_set1_epi8(7);
    for (int i = 0; i < ALL_ORIENTATIONS; i += 32) {
        __m256i piece = v_load(bf_orientation_piece + i);
        __m256i bit = _mm256_shuffle_epi8(bits, v_and(piece, low));
        __m256i byte = _mm256_shuffle_epi8(held, v_and(_mm256_srli_epi16(piece, 3), low));
        _mm256_storeu_si256((__m256i *)(hand + i), _mm256_cmpeq_epi8(v_and(byte, bit), bit));
    }
}

static inline void generate(frontier f, uint32_t pieces, found *out) {
    uint8_t hand[ALL_ORIENTATIONS];
    hand_bytes(pieces, hand);
    generate_half(low_half(f.allowed), low_half(f.corner), out->legal);
    generate_half(high_half(f.allowed), high_half(f.corner), out->legal + 4);
    for (int i = BF_WORDS * BF_ORIENTATIONS; i < ALL_WORDS; i += 4) store(out->legal + i, v_zero());
    for (int o = 0; o < ALL_ORIENTATIONS; o += 4) {
        uint32_t held;
        memcpy(&held, hand + o, 4);
        held &= flags_of_four(out->legal + BF_WORDS * o);
        memcpy(out->filled + o, &held, 4);
    }
}

/* Compute what is legal of the pieces; return 0, and compute nothing, if there is no corner square. */
static inline int find_legal(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                             found *f) {
    frontier front = find_frontier(layout, own, color);
    if (is_empty(front.corner)) return 0;
    generate(front, pieces, f);
    return 1;
}
