/* position_worth.c: frontiers, features, reach and scores, recounted square by square; see
 * position.h.
 */
#include <math.h>

#include "actions.h"
#include "bits.h"
#include "hands.h"
#include "listing.h"
#include "position.h"
#include "state.h"

static int has_at(const bf_rules *rules, const uint64_t *board, int row, int column) {
    int size = rules->layout.size;
    if (row < 0 || row >= size || column < 0 || column >= size) return 0;
    return bf_has_square(board, BF_STRIDE * row + column);
}

void slow_frontier(const bf_rules *rules, const bf_state *s, int color, uint64_t *allowed,
                   uint64_t *corner) {
    const uint64_t *own = s->own[color];
    int size = rules->layout.size;
    memset(allowed, 0, 8 * BF_WORDS);
    memset(corner, 0, 8 * BF_WORDS);
    for (int row = 0; row < size; row++) {
        for (int column = 0; column < size; column++) {
            int bit = BF_STRIDE * row + column, taken = 0;
            for (int c = 0; c < rules->n_colors; c++) taken |= bf_has_square(s->own[c], bit);
            if (taken || !bf_has_square(rules->layout.playable, bit)) continue;
            if (has_at(rules, own, row - 1, column) || has_at(rules, own, row + 1, column) ||
                has_at(rules, own, row, column - 1) || has_at(rules, own, row, column + 1)) {
                continue;
            }
            bf_add_square(allowed, bit);
            int touches = has_at(rules, own, row - 1, column - 1) ||
                          has_at(rules, own, row - 1, column + 1) ||
                          has_at(rules, own, row + 1, column - 1) ||
                          has_at(rules, own, row + 1, column + 1);
            if (bf_is_empty(own)) touches = bf_has_square(rules->layout.start[color], bit);
            if (touches) bf_add_square(corner, bit);
        }
    }
}

/* How many squares of one board are not on another. */
static int count_without(const uint64_t *board, const uint64_t *other) {
    int n = 0;
    for (int w = 0; w < BF_WORDS; w++) n += bf_count_bits(board[w] & ~other[w]);
    return n;
}

/* What placements change, by frontiers before and after. */
static void check_features(const variant *v, const bf_state *s, int color, const int32_t *ids,
                           uint32_t n) {
    enum { MOST = 64 };
    int8_t squares[MOST], gained[MOST], lost[MOST], taken[MOST * BF_COLORS];
    float distance[MOST];
    const bf_features out = {squares, gained, lost, taken, distance};
    int n_colors = v->rules[0].n_colors, size = v->rules[0].layout.size;
    n = n < MOST ? n : MOST;
    for (int k = 0; k < v->n_kernels; k++) {
        const bf_rules *rules = &v->rules[k];
        memset(squares, 77, sizeof squares);
        memset(taken, 77, sizeof taken);
        rules->kernel->features(rules, s, color, ids, n, &out);
        for (uint32_t m = 0; m < n; m++) {
            uint32_t placement = rules->placements[ids[m]];
            uint64_t allowed[BF_WORDS], before[BF_WORDS], after[BF_WORDS], piece[BF_WORDS] = {0};
            bf_state next = *s;
            bf_toggle_squares(piece, placement);
            bf_toggle_squares(next.own[color], placement);
            slow_frontier(rules, s, color, allowed, before);
            slow_frontier(rules, &next, color, allowed, after);
            CHECK(squares[m] == bf_count_squares(piece));
            CHECK(gained[m] == count_without(after, before));
            CHECK(lost[m] == count_without(before, after));
            for (int c = 0; c < n_colors; c++) {
                int covered = 0;
                slow_frontier(rules, s, c, allowed, before);
                for (int w = 0; w < BF_WORDS; w++) covered += bf_count_bits(before[w] & piece[w]);
                CHECK(taken[m * (uint32_t)n_colors + (uint32_t)c] == (c == color ? 0 : covered));
            }
            double nearest = 1e9;
            for (int bit = 0; bit < 64 * BF_WORDS; bit++) {
                if (!bf_has_square(piece, bit)) continue;
                double down = bit / BF_STRIDE - (size - 1) / 2.0;
                double right = bit % BF_STRIDE - (size - 1) / 2.0;
                double far = sqrt(down * down + right * right);
                if (far < nearest) nearest = far;
            }
            CHECK(fabs(distance[m] - nearest) < 1e-5);
        }
    }
}

/* The squares that can be reached, by one square at a time. */
static void check_reach(const variant *v, const bf_state *s, int color) {
    const int placements = 2, steps = 4;
    uint64_t allowed[BF_WORDS], reached[BF_WORDS], found[BF_WORDS];
    int size = v->rules[0].layout.size;
    slow_frontier(&v->rules[0], s, color, allowed, reached);
    for (int i = 0; i < placements; i++) {
        for (int step = i == 0 ? 1 : 0; step <= steps; step++) {
            uint64_t before[BF_WORDS];
            memcpy(before, reached, sizeof before);
            for (int square = 0; square < size * size; square++) {
                int row = square / size, column = square % size, near = 0;
                if (!has_at(&v->rules[0], allowed, row, column)) continue;
                for (int k = 0; k < 9; k++) {
                    int down = k / 3 - 1, right = k % 3 - 1;
                    /* Corners between two placements, edges within one. */
                    if ((step == 0) != (down != 0 && right != 0)) continue;
                    near |= has_at(&v->rules[0], before, row + down, column + right);
                }
                if (near) bf_add_square(reached, BF_STRIDE * row + column);
            }
        }
    }
    for (int k = 0; k < v->n_kernels; k++) {
        v->rules[k].kernel->reach(&v->rules[k], s, color, placements, steps, found);
        CHECK(memcmp(found, reached, sizeof found) == 0);
        v->rules[k].kernel->reach(&v->rules[k], s, color, 0, steps, found);
        CHECK(bf_is_empty(found));
    }
}

static int hand_squares(uint64_t hand) {
    int n = 0;
    for (int piece = 0; piece < BF_PIECES; piece++) {
        n += bf_hand_count(hand, piece) * bf_piece_size[piece];
    }
    return n;
}

/* docs/rules.md: squares placed and left, and what an empty hand is worth. */
static int32_t slow_score(const bf_rules *rules, int placed, int left, int had_some, int last) {
    int32_t score = placed * rules->score_placed + left * rules->score_left;
    if (left == 0 && had_some) {
        score += rules->score_all_placed + (last ? rules->score_monomino_last : 0);
    }
    return score;
}

static void check_scores(const variant *v, const bf_state *s) {
    const bf_rules *rules = &v->rules[0];
    int32_t colors[BF_COLORS], players[BF_COLORS] = {0};
    for (int c = 0; c < rules->n_colors; c++) {
        int all = hand_squares(rules->hand[c]), placed = bf_count_squares(s->own[c]);
        if (rules->draft) {
            colors[c] = rules->score_placed * placed + rules->score_left * (all - placed);
            continue;
        }
        colors[c] = slow_score(rules, placed, hand_squares(s->hand[0][c]), all > 0,
                               s->monomino_last >> c & 1);
        if (rules->owner[c] >= 0) players[rules->owner[c]] += colors[c];
    }
    for (int p = 0; rules->draft && p < rules->n_players; p++) {
        int left = 0;
        for (int c = 0; c < rules->n_colors; c++) left += hand_squares(s->hand[p][c]);
        players[p] = slow_score(rules, s->placed[p], left, s->placed[p] + left > 0,
                                s->monomino_last >> p & 1);
    }
    for (int k = 0; k < v->n_kernels; k++) {
        rules = &v->rules[k];
        for (int c = 0; c < rules->n_colors; c++) {
            CHECK(rules->kernel->color_score(rules, s, c) == colors[c]);
        }
        for (int p = 0; p < rules->n_players; p++) {
            CHECK(rules->kernel->player_score(rules, s, p) == players[p]);
        }
    }
}

void check_worth(const variant *v, const bf_state *s, uint32_t most, room *r) {
    const bf_rules *rules = &v->rules[0];
    check_scores(v, s);
    for (int color = 0; color < rules->n_colors; color++) {
        uint64_t allowed[BF_WORDS], corner[BF_WORDS], found[2][BF_WORDS];
        slow_frontier(rules, s, color, allowed, corner);
        for (int k = 0; k < v->n_kernels; k++) {
            v->rules[k].kernel->frontier(&v->rules[k].layout, s->own, color, found[0], found[1]);
            CHECK(memcmp(found[0], allowed, sizeof allowed) == 0);
            CHECK(memcmp(found[1], corner, sizeof corner) == 0);
        }
        check_reach(v, s, color);
        /* What the color could place with all pieces: features do not ask for hands. */
        uint32_t n = rules->kernel->list(&rules->layout, s->own, color, BF_ALL_PIECES, r->scratch);
        uint32_t used = 0, step = n / (most > 0 ? most : 1) + 1;
        for (uint32_t i = (uint32_t)s->ply % step; i < n && used < most; i += step) {
            r->ids[used++] = r->scratch[i];
        }
        check_features(v, s, color, r->ids, used);
    }
}
