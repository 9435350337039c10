/* bits.h: single words and boards in the frame, in plain C. Static functions only: what a kernel
 * counts with are its own instructions, these are for code that every CPU runs.
 */
#ifndef BF_BITS_H
#define BF_BITS_H

#include <string.h>

#include "blokus_fast.h"
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

/* Index of the lowest bit of a word that is not 0. */
static inline int bf_lowest_bit(uint64_t x) {
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long index;
    _BitScanForward64(&index, x);
    return (int)index;
#else
    return __builtin_ctzll(x);
#endif
}

/* Index of set bit number k. */
static inline int bf_select_bit(uint64_t x, unsigned k) {
    for (; k > 0; k--) x &= x - 1;
    return bf_lowest_bit(x);
}

/* Number of bits of a word, without an instruction for it. */
static inline int bf_count_bits(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)(x * UINT64_C(0x0101010101010101) >> 56);
}

static inline int bf_is_empty(const uint64_t *board) {
    return (board[0] | board[1] | board[2] | board[3] | board[4] | board[5] | board[6] |
            board[7]) == 0;
}

static inline int bf_has_square(const uint64_t *board, int bit) {
    return (int)(board[bit >> 6] >> (bit & 63) & 1);
}

static inline void bf_add_square(uint64_t *board, int bit) {
    board[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

static inline int bf_count_squares(const uint64_t *board) {
    int total = 0;
    for (int w = 0; w < BF_WORDS; w++) total += bf_count_bits(board[w]);
    return total;
}

/* The frame's bit of the lowest square of a board that is not empty. */
static inline int bf_lowest_square(const uint64_t *board) {
    int w = 0;
    while (board[w] == 0) w++;
    return 64 * w + bf_lowest_bit(board[w]);
}

/* The index of a square, row * size + column, of its bit in the frame. */
static inline int bf_square_index(int bit, int size) {
    return bit / BF_STRIDE * size + bit % BF_STRIDE;
}

/* Add to a board its squares' neighbors, at edges or at corners, that lie within another. */
static inline void bf_spread(uint64_t *board, const uint64_t *within, int diagonally) {
    const int near = diagonally ? BF_STRIDE - 1 : 1;
    const int far = diagonally ? BF_STRIDE + 1 : BF_STRIDE;
    uint64_t around[BF_WORDS];
    for (int w = 0; w < BF_WORDS; w++) {
        uint64_t before = w > 0 ? board[w - 1] : 0, here = board[w];
        uint64_t behind = w < BF_WORDS - 1 ? board[w + 1] : 0;
        around[w] = here << near | here >> near | here << far | here >> far |
                    before >> (64 - near) | before >> (64 - far) | behind << (64 - near) |
                    behind << (64 - far);
    }
    for (int w = 0; w < BF_WORDS; w++) board[w] |= around[w] & within[w];
}

#endif
