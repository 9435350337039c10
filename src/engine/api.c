/* api.c: the engine as a table of functions, for programs that are not linked with it. */
#include "api.h"

#include <string.h>

#include "actions.h"
#include "check.h"
#include "flow.h"
#include "kernels.h"
#include "legality.h"
#include "listing.h"
#include "perft.h"
#include "playouts.h"
#include "rng.h"
#include "rules.h"
#include "shapes.h"
#include "state.h"

static const bf_kernel *kernel_at(uint64_t index, int *supported) {
    return index < 64 ? bf_kernel_at((size_t)index, supported) : NULL;
}

/* What the kernels of the rules have in their own tables. */
static int32_t color_score(const bf_rules *rules, const bf_state *s, int color) {
    return rules->kernel->color_score(rules, s, color);
}
static int32_t player_score(const bf_rules *rules, const bf_state *s, int player) {
    return rules->kernel->player_score(rules, s, player);
}
static void features(const bf_rules *rules, const bf_state *s, int color, const int32_t *ids,
                     uint32_t n, const bf_features *out) {
    rules->kernel->features(rules, s, color, ids, n, out);
}
static void reach(const bf_rules *rules, const bf_state *s, int color, int placements, int steps,
                  uint64_t *squares) {
    rules->kernel->reach(rules, s, color, placements, steps, squares);
}
static void observe(const bf_rules *rules, const bf_state *s, const bf_view *view, uint8_t *out) {
    rules->kernel->observe(rules, s, view, out);
}

/* Inline functions as functions with an address. */
static void seed_rng(bf_rng *rng, uint64_t seed, uint64_t stream) {
    bf_rng_seed(rng, seed, stream);
}
static uint64_t random_bits(bf_rng *rng) { return bf_rng_next(rng); }
static uint32_t below(bf_rng *rng, uint32_t n) { return bf_rng_below(rng, n); }

void bf_fill_api(bf_api *api) {
    memset(api, 0, sizeof *api);
    api->abi_version = BF_ABI_VERSION;
    api->api_size = sizeof(bf_api);
    api->rules_size = sizeof(bf_rules);
    api->state_size = sizeof(bf_state);
    api->undo_size = sizeof(bf_undo);
    api->fill_placements = bf_fill_placements;
    api->make_rules = bf_make_rules;
    api->kernel_at = kernel_at;
    api->open = bf_open;
    api->push = bf_push;
    api->pop = bf_pop;
    api->decode = bf_decode;
    api->encode = bf_encode;
    api->list = bf_list;
    api->count = bf_count;
    api->any = bf_any;
    api->mask = bf_mask;
    api->draw = bf_draw;
    api->is_legal = bf_is_legal;
    api->illegality = bf_illegality;
    api->color_score = color_score;
    api->player_score = player_score;
    api->key = bf_position_key;
    api->equal = bf_equal_states;
    api->features = features;
    api->reach = reach;
    api->observe = observe;
    api->seed = seed_rng;
    api->random = random_bits;
    api->below = below;
    api->playout = bf_playout;
    api->set_up = bf_set_up;
    api->check = bf_check;
    api->take_piece = bf_take_piece;
    api->perft = bf_perft;
}
