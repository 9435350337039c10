/* neon_count.h: count and any. Only for neon.c, behind neon_list.h. */

/* Of eight boards, 16 bytes in order: the bits of each word. */
#define COUNT(i) vcntq_u8(bytes_of(legal_##i))
#define COUNT_TWO(i, j) vpaddq_u8(COUNT(i), COUNT(j))
#define COUNT_FOUR(i, j, k, l) vpaddq_u8(COUNT_TWO(i, j), COUNT_TWO(k, l))
#define COUNT_EIGHT(i0, i1, i2, i3, i4, i5, i6, i7)                                            \
    vpaddq_u8(COUNT_FOUR(i0, i1, i2, i3), COUNT_FOUR(i4, i5, i6, i7))

/* Of the boards themselves nothing is stored. */
#define EMIT(i, o, value) slice legal_##i = (value);

/* Count the legal anchors of all orientations in the words from w on: two bytes for each, in the
 * order of the program. */
static void count_slice(const frontier *f, int w, uint8_t (*counts)[16]) {
    OFFSETS(f, w)
#define BF_EIGHT(i, i1, i2, i3, i4, i5, i6, i7)                                                \
    vst1q_u8(counts[(1##i - 100) / 8], COUNT_EIGHT(i, i1, i2, i3, i4, i5, i6, i7));
#define BF_CODE_PROGRAM
#include "bf_program.h"
    const slice legal_91 = vdupq_n_u64(0);
    BF_EIGHT(88, 89, 90, 91, 91, 91, 91, 91)
#undef BF_EIGHT
}

/* The same with bytes that are not 0 for words that are not empty. */
static void find_filled(const frontier *f, int w, uint8_t (*filled)[16]) {
    OFFSETS(f, w)
#define BF_EIGHT KEEP_FILLED
#define BF_CODE_PROGRAM
#include "bf_program.h"
    const slice legal_91 = vdupq_n_u64(0);
    BF_EIGHT(88, 89, 90, 91, 91, 91, 91, 91)
#undef BF_EIGHT
}

#undef EMIT

/* Bytes 0xff for what is in hand, in the order of the program. */
static inline void find_held(uint32_t pieces, uint8x16_t *held) {
    const uint8x16x2_t hand = hand_of(pieces);
    for (int i = 0; i < PAIRS; i++) held[i] = vqtbl2q_u8(hand, load_bytes(bf_place_piece + 16 * i));
}

static uint32_t kernel_count(const bf_layout *layout, bf_boards own, int color, uint32_t pieces) {
    _Alignas(64) uint8_t counts[EIGHTS][16];
    uint8x16_t held[PAIRS];
    uint16x8_t total = vdupq_n_u16(0);
    frontier f;
    if (!find_frontier(layout, own, color, &f)) return 0;
    find_held(pieces, held);
    for (int s = 0; s < SLICES; s++) {
        if (is_out_of_reach(&f, 2 * s)) continue;
        count_slice(&f, 2 * s, counts);
        for (int i = 0; i < PAIRS; i++) {
            uint8x16_t each = vpaddq_u8(load_bytes(counts[2 * i]), load_bytes(counts[2 * i + 1]));
            total = vpadalq_u8(total, vandq_u8(each, held[i]));
        }
    }
    return vaddlvq_u16(total);
}

static int kernel_any(const bf_layout *layout, bf_boards own, int color, uint32_t pieces) {
    _Alignas(64) uint8_t filled[EIGHTS][16];
    uint8x16_t held[PAIRS];
    frontier f;
    if (!find_frontier(layout, own, color, &f)) return 0;
    if ((pieces & 1) != 0) return 1; /* a monomino fits on every corner square */
    find_held(pieces, held);
    /* Mostly the first slice with a corner square has an answer. */
    for (int s = 0; s < SLICES; s++) {
        uint8x16_t any = vdupq_n_u8(0);
        if (is_out_of_reach(&f, 2 * s)) continue;
        find_filled(&f, 2 * s, filled);
        for (int i = 0; i < PAIRS; i++) {
            uint8x16_t each = vpmaxq_u8(load_bytes(filled[2 * i]), load_bytes(filled[2 * i + 1]));
            any = vorrq_u8(any, vandq_u8(each, held[i]));
        }
        if (!is_empty(vreinterpretq_u64_u8(any))) return 1;
    }
    return 0;
}
