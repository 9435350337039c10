/* wide_search.h: what the search has of every kernel: the move prior and the playouts. Included by
 * the file of the kernel, behind wide.h, which compiles it with its own instructions; the kernel
 * has defined
 *   planes_to_bytes(planes, bytes)   bit k of byte i is bit i of board `planes[k]`, k below 7
 *   add_products(inputs, n, weights, sums)  for each of n pairs of inputs, and each of the sums:
 *                                   the products with the pair's two weights of it
 *   near_sample(layout, own, color, pieces, targets, largest_first, rng)
 * The latter draws a placement. Pieces are drawn uniformly, of the largest size first where that
 * is asked for, until one has a legal placement; of its placements those come first that cover a
 * target, or a square beside one (`targets` may be NULL); among these it draws uniformly. -1, with
 * draws made or not, if there is none. Static functions only.
 */
#ifndef BF_WIDE_SEARCH_H
#define BF_WIDE_SEARCH_H

#include "evaluation.h"
#include "flow.h"
#include "hands.h"
#include "legality.h"

static void planes_to_bytes(const uint64_t (*planes)[BF_WORDS], uint8_t *bytes);
static void add_products(const int16_t *inputs, int n, const int16_t (*weights)[BF_VALUE_HIDDEN][2],
                         int32_t *sums);
static int32_t near_sample(const bf_layout *layout, bf_boards own, int color, uint32_t pieces,
                           const uint64_t *targets, int largest_first, bf_rng *rng);

#include "wide_prior.h"

#include "wide_playout.h"

#include "wide_value.h"

#define EVALUATOR {wide_codes, wide_logits, wide_playout, wide_value_inputs, wide_value_logits}

#endif
