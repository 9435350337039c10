/* wide_prior.h: the logits of the move prior: what each square is to a color, and, summed over the
 * squares on and around each placement, what the placement is. Part of what every kernel compiles
 * of the search (wide_search.h). Static functions only.
 */

/* Rings of squares around some, at most `steps` away along edges over the squares of `within`. */
static void wide_rings(const uint64_t *from, const uint64_t *within, int steps,
                       uint64_t (*rings)[BF_WORDS]) {
    uint64_t seen[BF_WORDS];
    memcpy(seen, from, sizeof seen);
    memcpy(rings[0], from, sizeof seen);
    for (int i = 1; i <= steps; i++) {
        uint64_t before[BF_WORDS];
        memcpy(before, seen, sizeof seen);
        bf_spread(seen, within, 0);
        for (int w = 0; w < BF_WORDS; w++) rings[i][w] = seen[w] & ~before[w];
    }
}

/* Whether a color belongs to the same player as another. */
static inline int wide_partners(const bf_rules *rules, int color, int other) {
    return !rules->draft && rules->owner[color] >= 0 && rules->owner[color] == rules->owner[other];
}

static void wide_planes(const bf_rules *rules, const bf_state *s, int color,
                        uint64_t (*planes)[BF_WORDS]) {
    uint64_t allowed[BF_WORDS], corner[BF_WORDS], theirs[BF_WORDS] = {0}, points[BF_WORDS] = {0};
    uint64_t partner[BF_WORDS] = {0}, partner_points[BF_WORDS] = {0};
    uint64_t partner_own[BF_WORDS] = {0}, opponent_own[BF_WORDS] = {0};
    uint64_t ring[5][BF_WORDS], near[3][BF_WORDS];
    for (int c = 0; c < rules->n_colors; c++) {
        if (c == color) continue;
        int friendly = wide_partners(rules, color, c);
        uint64_t *own = friendly ? partner_own : opponent_own;
        for (int w = 0; w < BF_WORDS; w++) own[w] |= s->own[c][w];
        if ((s->finished >> c & 1) != 0) continue;
        uint64_t *reach = friendly ? partner : theirs, *at = friendly ? partner_points : points;
        rules->kernel->frontier(&rules->layout, s->own, c, allowed, corner);
        for (int w = 0; w < BF_WORDS; w++) {
            reach[w] |= allowed[w];
            at[w] |= corner[w];
        }
    }
    rules->kernel->frontier(&rules->layout, s->own, color, allowed, corner);
    wide_rings(points, theirs, 4, ring);
    wide_rings(corner, allowed, 2, near);
    for (int w = 0; w < BF_WORDS; w++) {
        uint64_t open = allowed[w], seen = ring[0][w] | ring[1][w] | ring[2][w] | ring[3][w];
        uint64_t far = theirs[w] & ~(seen | ring[4][w]), none = ~theirs[w];
        uint64_t mine = s->own[color][w], off = ~rules->layout.playable[w];
        uint64_t shut = ~open & ~off & ~mine & ~partner_own[w] & ~opponent_own[w];
        uint64_t other = ~open, at = partner_points[w];
        /* An opponents' square of the code's first three bits, where the color may go. */
        planes[0][w] = (open & (ring[1][w] | ring[3][w] | far)) | other;
        planes[1][w] = (open & (ring[2][w] | ring[3][w] | none)) | other;
        planes[2][w] = (open & (ring[4][w] | far | none)) | other;
        planes[3][w] = (open & ~near[0][w] & ~near[2][w]) | shut | partner_own[w];
        planes[4][w] = (open & ~near[0][w] & ~near[1][w]) | mine | partner_own[w];
        planes[5][w] = (open & partner[w] & ~at) | opponent_own[w];
        planes[6][w] = open & at;
    }
}

static void wide_codes(const bf_rules *rules, const bf_state *s, int color, uint8_t *codes) {
    uint64_t planes[7][BF_WORDS];
    wide_planes(rules, s, color, planes);
    planes_to_bytes((const uint64_t(*)[BF_WORDS])planes, codes);
}

/* Squares before and behind the frame that a placement can be next to: off the board. */
enum { WIDE_BORDER = BF_STRIDE + 1, WIDE_MAP = 64 * BF_WORDS + 2 * WIDE_BORDER };

static void wide_logits(const bf_rules *rules, const bf_state *s, int color,
                        const bf_weights *weights, const uint16_t *ids, uint32_t n,
                        int32_t *logits) {
    uint8_t codes[64 * BF_WORDS];
    int32_t on_map[WIDE_MAP], by_map[WIDE_MAP], at_map[WIDE_MAP];
    int phase = bf_prior_phase(s, rules->draft ? s->player : color);
    const int32_t *on = weights->square[phase][BF_COVERED];
    const int32_t *by = weights->square[phase][BF_BESIDE];
    const int32_t *at = weights->square[phase][BF_TOUCHED];
    const int32_t *gained = weights->gained[phase], *taken = weights->taken[phase];
    int squares = BF_STRIDE * (rules->layout.size + 1) + 1;
    wide_codes(rules, s, color, codes);
    for (int i = 0; i < WIDE_BORDER; i++) {
        by_map[i] = by[BF_NO_RING | BF_OFF << 3];
        at_map[i] = at[BF_NO_RING | BF_OFF << 3];
    }
    for (int i = 0; i < squares; i++) {
        int code = codes[i];
        on_map[WIDE_BORDER + i] = on[code];
        by_map[WIDE_BORDER + i] = by[code];
        at_map[WIDE_BORDER + i] = at[code];
    }
    for (uint32_t m = 0; m < n;) {
        int o = bf_placement_orientation(rules->placements[ids[m]]);
        int32_t base = weights->piece[phase][bf_orientation_piece[o]];
        uint32_t behind = rules->layout.first[o + 1];
        /* Each case is a loop over the placements of one orientation. */
#define BF_ON(k) +on_[k]
#define BF_BY(k) +by_[k]
#define BF_AT(k) +at_[k]
#define BF_PATTERN(number, terms)                                                              \
    case number:                                                                               \
        for (; m < n && ids[m] < behind; m++) {                                                \
            int bit_ = WIDE_BORDER + bf_placement_bit(rules->placements[ids[m]]);              \
            const int32_t *on_ = on_map + bit_, *by_ = by_map + bit_, *at_ = at_map + bit_;    \
            logits[m] = base terms;                                                            \
        }                                                                                      \
        break;
        switch (o) {
#include "bf_patterns.h"
        }
#undef BF_PATTERN
#undef BF_AT
#undef BF_BY
#undef BF_ON
    }
    for (uint32_t m = 0; m < n; m++) {
        uint32_t sum = (uint32_t)logits[m];
        int32_t logit = (int32_t)(sum << (32 - BF_LOGIT_BITS)) >> (32 - BF_LOGIT_BITS);
        uint32_t counts = (sum - (uint32_t)logit) >> BF_LOGIT_BITS;
        logits[m] = logit + gained[counts & 15] + taken[counts >> 4 & 7];
    }
}
