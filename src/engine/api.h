/* api.h: the table of everything that the engine does; see bf_api in blokus_fast.h. */
#ifndef BF_API_H
#define BF_API_H

#include "blokus_fast.h"

/* Fill the table, but for the two functions that need Python. */
void bf_fill_api(bf_api *api);

#endif
