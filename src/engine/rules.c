/* rules.c: the tables of a board size, and what follows from the data of a variant. Runs once a
 * variant; knows no position.
 */
#include "rules.h"

#include "actions.h"
#include "bits.h"
#include "hands.h"
#include "kernels.h"

/* What makes ids of an orientation whose first id is given, for each word of three rows. */
static void fill_terms(bf_terms *terms, int id, int across) {
    for (int w = 0; w < BF_WORDS; w++) {
        terms[w].first = (uint16_t)(id + 3 * w * across);
        terms[w].row = (uint16_t)(64 * (BF_STRIDE - across));
    }
}

void bf_fill_layout(bf_layout *layout, int size) {
    int id = 0;
    memset(layout->terms, 0, sizeof layout->terms);
    for (int o = 0; o < BF_ORIENTATIONS; o++) {
        int down = size + 1 - bf_orientation_height[o], across = size + 1 - bf_orientation_width[o];
        layout->first[o] = (uint16_t)id;
        if (down > 0 && across > 0) {
            fill_terms(layout->terms + BF_WORDS * o, id, across);
            id += down * across;
        }
    }
    layout->first[BF_ORIENTATIONS] = (uint16_t)id;
    layout->size = (uint16_t)size;
    layout->n_moves = (uint16_t)id;
}

uint32_t bf_fill_placements(uint32_t *placements, int size) {
    uint32_t n = 0;
    for (int o = 0; o < BF_ORIENTATIONS; o++) {
        for (int row = 0; row + bf_orientation_height[o] <= size; row++) {
            for (int column = 0; column + bf_orientation_width[o] <= size; column++) {
                placements[n++] = (uint32_t)o | (uint32_t)(BF_STRIDE * row + column) << 8 |
                                  (uint32_t)row << 17 | (uint32_t)column << 22;
            }
        }
    }
    return n;
}

/* Whether a board has squares outside the square board. */
static int is_outside(const uint64_t *board, int size) {
    for (int bit = 0; bit < 64 * BF_WORDS; bit++) {
        if (bf_has_square(board, bit) && (bit / BF_STRIDE >= size || bit % BF_STRIDE >= size)) {
            return 1;
        }
    }
    return 0;
}

/* Whether everything that a caller sets is in its range. */
static int is_sound(const bf_rules *rules, int size) {
    int n = rules->n_colors, seen = 0, n_shared = 0;
    if (size < 1 || size > BF_MAX_SIZE || n < 1 || n > BF_COLORS) return 0;
    if (rules->n_players < 1 || rules->n_players > BF_COLORS) return 0;
    if (rules->draft && rules->voluntary_pass) return 0;
    if (is_outside(rules->layout.playable, size)) return 0;
    for (int color = 0; color < n; color++) {
        int next = rules->order[color], owner = rules->owner[color];
        if (next < 0 || next >= n || (seen >> next & 1) != 0) return 0;
        seen |= 1 << next;
        if (owner < -1 || owner >= rules->n_players) return 0;
        n_shared += owner < 0;
        if (rules->hand[color] >> 63 != 0) return 0;
        if (is_outside(rules->layout.start[color], size)) return 0;
    }
    return rules->draft || n_shared <= 1;
}

int bf_make_rules(bf_rules *rules, int size, const uint32_t *placements,
                  const bf_kernel *kernel) {
    if (placements == NULL || !is_sound(rules, size)) return -1;
    bf_fill_layout(&rules->layout, size);
    rules->placements = placements;
    rules->kernel = kernel != NULL ? kernel : bf_kernel_best();
    rules->first_pieces &= BF_ALL_PIECES;
    for (int place = 0; place < rules->n_colors; place++) {
        rules->place[rules->order[place]] = (uint8_t)place;
    }
    for (int color = rules->n_colors; color < BF_COLORS; color++) {
        rules->hand[color] = 0;
        rules->order[color] = rules->owner[color] = 0;
        rules->place[color] = 0;
    }
    rules->n_actions = rules->layout.n_moves;
    if (rules->draft) {
        rules->n_actions = (uint32_t)rules->n_colors * (rules->layout.n_moves + BF_PIECES);
    }
    rules->pass_action = rules->n_actions;
    if (rules->voluntary_pass) rules->n_actions++;
    return 0;
}
