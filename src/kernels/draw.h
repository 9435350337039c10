/* draw.h: what kernels that keep their boards in rows of words draw with. Static functions only; the
 * kernel has defined ctz64(x) and popcount64(x).
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

/* Draw one of a piece's placements; return -1, and draw nothing, if there is none. `boards` is what
 * the kernel has computed of the position. */
typedef int32_t draw_function(const void *boards, const bf_layout *layout, int piece, bf_rng *rng);

/* bf_kernel.sample_weighted: pieces by weight, until one has a placement. */
static inline int32_t draw_by_weight(const bf_layout *layout, uint32_t pieces,
                                     const uint32_t *weights, bf_rng *rng, draw_function *draw,
                                     const void *boards) {
    bf_rng before = *rng;
    pieces &= (UINT32_C(1) << BF_PIECES) - 1;
    for (;;) {
        int piece = draw_piece(pieces, weights, rng);
        if (piece < 0) {
            *rng = before;
            return -1;
        }
        int32_t id = draw(boards, layout, piece, rng);
        if (id >= 0) return id;
        pieces &= ~(UINT32_C(1) << piece);
    }
}

/* near_sample of wide_search.h: pieces uniformly, of the largest size first where that is asked
 * for, until one has a placement. */
static inline int32_t draw_by_size(const bf_layout *layout, uint32_t pieces, int largest_first,
                                   bf_rng *rng, draw_function *draw, const void *boards) {
    for (int size = largest_first ? 5 : 1; size > 0; size--) {
        uint32_t left = largest_first ? pieces & bf_pieces_larger[size - 1] : pieces;
        pieces &= ~left;
        while (left != 0) {
            unsigned n = (unsigned)popcount64(left);
            int piece = bf_select_bit(left, n > 1 ? bf_rng_below(rng, n) : 0);
            left &= ~(UINT32_C(1) << piece);
            int32_t id = draw(boards, layout, piece, rng);
            if (id >= 0) return id;
        }
    }
    return -1;
}
