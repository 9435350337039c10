/* wide.h: what lives on counting bits: scores, features, planes. Included by the file of every
 * kernel, which compiles it with its own instructions and hands it out in its table. Static
 * functions only; the kernel has defined popcount64(x) and ctz64(x).
 */
#ifndef BF_WIDE_H
#define BF_WIDE_H

#include "state.h"

#include "wide_features.h"
#include "wide_observe.h"
#include "wide_score.h"

/* The members of bf_kernel that come from here, in their order. */
#define WIDE_MEMBERS wide_features, wide_reach, wide_observe, wide_color_score, wide_player_score

#endif
