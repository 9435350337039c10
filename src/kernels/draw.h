/* draw.h: what kernels that keep their boards in rows of words draw with. Static functions only; the
 * kernel has defined ctz64(x).
 */
#include "bits.h"

/* The id of set bit `k` of a legal word. */
static inline int32_t id_of(const bf_layout *layout, int word, uint64_t anchors, unsigned k) {
    bf_terms terms = layout->terms[word];
    return (uint16_t)(terms.first + bf_anchor_numbers[terms.row + bf_select_bit(anchors, k)]);
}

/* Draw one of the pieces by weight; return -1 if all weights are 0. */
static inline int draw_piece(uint32_t pieces, const uint32_t *weights, bf_rng *rng) {
    uint32_t sum = 0;
    for (uint32_t left = pieces; left != 0; left &= left - 1) sum += weights[ctz64(left)];
    if (sum == 0) return -1;
    uint32_t k = bf_rng_below(rng, sum);
    for (uint32_t left = pieces;; left &= left - 1) {
        int piece = (int)ctz64(left);
        if (k < weights[piece]) return piece;
        k -= weights[piece];
    }
}
