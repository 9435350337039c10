/* shapes.c: squares to placements. Pieces of one color never share an edge, so squares that hang
 * together are one piece.
 */
#include "shapes.h"

#include "bf_tables.h"
#include "bits.h"

/* The orientation that a shape of 25 bits is, or -1. */
static int orientation_of(uint32_t code) {
    uint32_t slot = (code * BF_SHAPE_HASH) >> 24;
    for (; bf_shape_slot[slot] != 255; slot = (slot + 1) & 255) {
        if (bf_shape_code[bf_shape_slot[slot]] == code) return bf_shape_slot[slot];
    }
    return -1;
}

int bf_take_component(const bf_layout *layout, uint64_t *board, int32_t *move) {
    static const int steps[4] = {1, -1, BF_STRIDE, -BF_STRIDE};
    int bits[64 * BF_WORDS], n = 1, row = BF_MAX_SIZE, column = BF_MAX_SIZE;
    uint32_t code = 0;
    bits[0] = bf_lowest_square(board);
    board[bits[0] >> 6] &= ~(UINT64_C(1) << (bits[0] & 63));
    for (int done = 0; done < n; done++) {
        for (int k = 0; k < 4; k++) {
            int near = bits[done] + steps[k];
            if (near < 0 || near >= 64 * BF_WORDS || !bf_has_square(board, near)) continue;
            board[near >> 6] &= ~(UINT64_C(1) << (near & 63));
            bits[n++] = near;
        }
    }
    *move = -1;
    if (n > 5) return n;
    for (int k = 0; k < n; k++) {
        if (bits[k] / BF_STRIDE < row) row = bits[k] / BF_STRIDE;
        if (bits[k] % BF_STRIDE < column) column = bits[k] % BF_STRIDE;
    }
    for (int k = 0; k < n; k++) {
        int down = bits[k] / BF_STRIDE - row, right = bits[k] % BF_STRIDE - column;
        if (down > 4 || right > 4) return n;
        code |= UINT32_C(1) << (5 * down + right);
    }
    int o = orientation_of(code);
    if (o < 0 || row + bf_orientation_height[o] > layout->size ||
        column + bf_orientation_width[o] > layout->size) {
        return n;
    }
    int across = layout->size + 1 - bf_orientation_width[o];
    *move = layout->first[o] + row * across + column;
    return n;
}

int32_t bf_take_piece(const bf_rules *rules, uint64_t *board) {
    int32_t move;
    bf_take_component(&rules->layout, board, &move);
    return move;
}
