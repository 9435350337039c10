/* weights.h: weights of the move prior as a caller gives them. */
#ifndef BF_WEIGHTS_H
#define BF_WEIGHTS_H

#include <string.h>

#include "evaluation.h"

/* Fill the weights from as many numbers as they have, in the order of their members; return 0, or
 * -1 if one is larger than BF_MOST_WEIGHT. */
int bf_make_weights(bf_weights *weights, const int32_t *numbers);

#endif
