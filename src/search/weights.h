/* weights.h: weights of the move prior as a caller gives them. */
#ifndef BF_WEIGHTS_H
#define BF_WEIGHTS_H

#include <string.h>

#include "evaluation.h"

/* Fill the weights from as many numbers as they have, in the order of their members; return 0, or
 * -1 if one is larger than BF_MOST_WEIGHT. */
int bf_make_weights(bf_weights *weights, const int32_t *numbers);

/* Numbers that a value function for so many colors and players has. */
int64_t bf_value_numbers(int32_t n_colors, int32_t n_players);
/* Fill its weights from them: hidden [color][input][unit], bias of the units, output [player][unit],
 * bias of the outputs; return 0, or -1 if one is too large. */
int bf_make_value_weights(bf_value_weights *weights, int32_t n_colors, int32_t n_players,
                          const int32_t *numbers);

#endif
