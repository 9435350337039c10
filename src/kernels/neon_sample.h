/* neon_sample.h: random placements, uniform and by the weight of the piece. Only for neon.c, behind
 * neon_count.h.
 *
 * No board is stored: the counts say in which word the placement is that was drawn, and that word
 * is computed once more.
 */

/* Inclusive prefix sums. */
static inline uint16x8_t prefix_sums(uint16x8_t x) {
    const uint16x8_t zero = vdupq_n_u16(0);
    x = vaddq_u16(x, vextq_u16(zero, x, 7));
    x = vaddq_u16(x, vextq_u16(zero, x, 6));
    return vaddq_u16(x, vextq_u16(zero, x, 4));
}

/* Choose among eight counts by number, or among 16, whose prefix sums are given: k becomes the
 * number within what is found. */
static inline unsigned find_16(uint16x8_t low, uint16x8_t high, uint32_t *k) {
    const uint16x8_t number = vdupq_n_u16((uint16_t)*k);
    uint16_t before[17];
    uint16x8_t passed = vaddq_u16(vcleq_u16(low, number), vcleq_u16(high, number));
    unsigned at = (uint16_t)-vaddvq_u16(passed);
    before[0] = 0;
    vst1q_u16(before + 1, low);
    vst1q_u16(before + 9, high);
    *k -= before[at];
    return at;
}
static inline unsigned find_8(uint16x8_t counts, uint32_t *k) {
    const uint16x8_t number = vdupq_n_u16((uint16_t)*k);
    uint16_t before[9];
    uint16x8_t sums = prefix_sums(counts);
    unsigned at = (uint16_t)-vaddvq_u16(vcleq_u16(sums, number));
    before[0] = 0;
    vst1q_u16(before + 1, sums);
    *k -= before[at];
    return at;
}

/* One word of an orientation, as the program would compute it: where all its squares are set, or
 * any of them. */
typedef struct word {
    uint64_t all, any;
} word;

static inline word word_of(const uint64_t *all_of, const uint64_t *any_of, unsigned o, unsigned w) {
    word x = {UINT64_MAX >> 1, 0};
    for (int i = 0; i < 5; i++) {
        unsigned down = bf_orientation_bits[o][i], at = w + (down >= 63);
        if (down >= 63) down -= 63;
        x.all &= all_of[at] >> down | all_of[at + 1] << (63 - down);
        x.any |= any_of[at] >> down | any_of[at + 1] << (63 - down);
    }
    return x;
}

static int32_t kernel_sample(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                             bf_rng *rng) {
    _Alignas(64) uint8_t counts[SLICES][EIGHTS][16];
    _Alignas(64) uint16_t each[EIGHTS][8];
    frontier f;
    if (!find_frontier(layout, own, color, &f)) return -1;
    for (int s = 0; s < SLICES; s++) {
        if (is_out_of_reach(&f, 2 * s)) memset(counts[s], 0, sizeof counts[s]);
        else count_slice(&f, 2 * s, counts[s]);
    }
    /* Of two slices each: more than two might not fit a byte. */
    uint8x16_t upper[PAIRS], lower[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
#define OF_SLICE(s) vpaddq_u8(load_bytes(counts[s][2 * i]), load_bytes(counts[s][2 * i + 1]))
        upper[i] = vaddq_u8(OF_SLICE(0), OF_SLICE(1));
        lower[i] = vaddq_u8(OF_SLICE(2), OF_SLICE(3));
#undef OF_SLICE
    }
    const uint8x16x2_t hand = hand_of(pieces);
    uint16x8_t pairs[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        uint8x16_t held = vqtbl2q_u8(hand, load_bytes(bf_orientation_piece + 16 * i));
        uint8x16_t at = load_bytes(bf_orientation_place + 16 * i);
        uint8x16_t x = vandq_u8(in_order(upper, at), held), y = vandq_u8(in_order(lower, at), held);
        uint16x8_t first = vaddl_u8(vget_low_u8(x), vget_low_u8(y)), second = vaddl_high_u8(x, y);
        vst1q_u16(each[2 * i], first);
        vst1q_u16(each[2 * i + 1], second);
        pairs[i] = vpaddq_u16(first, second);
    }
    /* Of eight orientations each. */
    uint16x8_t low = vpaddq_u16(vpaddq_u16(pairs[0], pairs[1]), vpaddq_u16(pairs[2], pairs[3]));
    uint16x8_t high = vpaddq_u16(vpaddq_u16(pairs[4], pairs[5]), vdupq_n_u16(0));
    low = prefix_sums(low);
    high = vaddq_u16(prefix_sums(high), vdupq_laneq_u16(low, 7));
    uint32_t total = vgetq_lane_u16(high, 7);
    if (total == 0) return -1;
    uint32_t k = bf_rng_below(rng, total);
    unsigned group = find_16(low, high, &k);
    unsigned o = 8 * group + find_8(vld1q_u16(each[group]), &k);
    unsigned place = bf_orientation_place[o];
    uint8_t of_words[8];
    for (int s = 0; s < SLICES; s++) {
        memcpy(of_words + 2 * s, counts[s][place >> 3] + 2 * (place & 7), 2);
    }
    unsigned w = find_8(vmovl_u8(vld1_u8(of_words)), &k);
    word x = word_of(f.allowed, f.corner, o, w);
    return id_of(layout, (int)(8 * o + w), x.all & x.any, k);
}

/* -------- one piece at a time -------- */

/* Count the legal anchors of a piece's orientations: of each slice 16 bytes, two an orientation.
 * The shifted boards that the piece needs stay in registers. */
static void count_piece(const frontier *f, int piece, uint8_t (*counts)[16]) {
    switch (piece) {
#define BF_PIECE(p)                                                                            \
    case p:                                                                                    \
        for (int s = 0; s < SLICES; s++) {                                                     \
            if (is_out_of_reach(f, 2 * s)) {                                                   \
                vst1q_u8(counts[s], vdupq_n_u8(0));                                            \
                continue;                                                                      \
            }                                                                                  \
            OFFSETS(f, 2 * s)                                                                  \
            MAY_BE_UNUSED(a)                                                                   \
            MAY_BE_UNUSED(l)
#define BF_SHAPE(i, v, w, x, y, z)                                                             \
    slice legal_##i =                                                                          \
        vandq_u64(vandq_u64(vandq_u64(vandq_u64(a_##v, a_##w), a_##x), vandq_u64(a_##y, a_##z)), \
                  either(either(either(l_##v, l_##w), l_##x), either(l_##y, l_##z)));
#define BF_NO_SHAPE(i) slice legal_##i = vdupq_n_u64(0);
#define BF_PIECE_END                                                                           \
            vst1q_u8(counts[s], COUNT_EIGHT(0, 1, 2, 3, 4, 5, 6, 7));                          \
        }                                                                                      \
        break;
#define BF_CODE_PIECES
#include "bf_program.h"
    default: break;
    }
}

/* How many placements each orientation has. */
static inline uint16x8_t of_orientations(uint8_t (*counts)[16]) {
    uint16x8_t sums = vpaddlq_u8(load_bytes(counts[0]));
    for (int s = 1; s < SLICES; s++) sums = vpadalq_u8(sums, load_bytes(counts[s]));
    return sums;
}

/* Draw one of a piece's placements: which word it is in, as 8 * orientation + word, and in *k its
 * number within the word. */
static inline unsigned draw_word(uint8_t (*counts)[16], uint16x8_t sums, int piece, bf_rng *rng,
                                 uint32_t *k) {
    uint8_t of_words[8];
    *k = bf_rng_below(rng, vaddvq_u16(sums));
    unsigned i = find_8(sums, k);
    for (int s = 0; s < SLICES; s++) memcpy(of_words + 2 * s, counts[s] + 2 * i, 2);
    return 8 * (bf_piece_first[piece] + i) + find_8(vmovl_u8(vld1_u8(of_words)), k);
}

static int32_t draw_of_piece(const bf_layout *layout, const frontier *f, uint8_t (*counts)[16],
                             uint16x8_t sums, int piece, bf_rng *rng) {
    uint32_t k;
    unsigned at = draw_word(counts, sums, piece, rng, &k);
    word x = word_of(f->allowed, f->corner, at >> 3, at & 7);
    return id_of(layout, (int)at, x.all & x.any, k);
}

static int32_t draw_from(const void *boards, const bf_layout *layout, int piece, bf_rng *rng) {
    _Alignas(64) uint8_t counts[SLICES][16];
    count_piece(boards, piece, counts);
    uint16x8_t sums = of_orientations(counts);
    return vmaxvq_u16(sums) != 0 ? draw_of_piece(layout, boards, counts, sums, piece, rng) : -1;
}

static int32_t kernel_sample_weighted(const bf_layout *layout, bf_boards own, int color,
                                      uint32_t pieces, const uint32_t *weights, bf_rng *rng) {
    frontier f;
    if (!find_frontier(layout, own, color, &f)) return -1;
    return draw_by_weight(layout, pieces, weights, rng, draw_from, &f);
}
