/* perft.c: counting sequences of actions. */
#include "perft.h"

#include <stddef.h>

#include "flow.h"
#include "listing.h"

/* How far from the end it is asked whether to stop: that far is a matter of milliseconds. */
enum { ASKED_AT = 3 };

typedef struct counter {
    const bf_rules *rules;
    uint16_t *scratch;
    int (*stop)(void *context);
    void *context;
    int stopped;
} counter;

static uint64_t count_from(counter *c, const bf_state *s, int depth, int32_t *ids) {
    uint64_t total = 0;
    bf_undo undo;
    if (depth == 1) return bf_count(c->rules, s, -1);
    if (depth == ASKED_AT && c->stop != NULL && c->stop(c->context) != 0) c->stopped = 1;
    uint32_t n = bf_list(c->rules, s, -1, c->scratch, ids);
    for (uint32_t i = 0; i < n && !c->stopped; i++) {
        bf_state child = *s;
        bf_push(c->rules, &child, (uint32_t)ids[i], &undo);
        total += count_from(c, &child, depth - 1, ids + n);
    }
    return total;
}

uint64_t bf_perft(const bf_rules *rules, const bf_state *s, int depth, uint16_t *scratch,
                  int32_t *ids, int (*stop)(void *context), void *context) {
    counter c = {rules, scratch, stop, context, 0};
    return count_from(&c, s, depth, ids);
}
