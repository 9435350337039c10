/* replies.h: what playouts remember of the last good replies. */
#ifndef BF_REPLIES_H
#define BF_REPLIES_H

#include "search.h"

/* Remember the replies of those who won the line that was just played; forget those of others. */
void bf_learn_replies(const bf_search *search, bf_worker *worker, const int32_t *scores);

#endif
