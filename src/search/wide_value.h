/* wide_value.h: the value function: what it looks at in a position, and its sums. Part of what every
 * kernel compiles of the search (wide_search.h). Static functions only; whole numbers only, so that
 * every kernel finds the same.
 */

/* Squares that a color may cover, by how far they are from its own corner squares and from those of
 * its opponents: counts [own][theirs], see evaluation.h. */
static void wide_count_reach(const bf_rules *rules, int color,
                             uint64_t (*allowed)[BF_WORDS], uint64_t (*corner)[BF_WORDS],
                             int16_t *counts) {
    uint64_t theirs[BF_WORDS] = {0}, points[BF_WORDS] = {0};
    uint64_t own[BF_VALUE_OWN][BF_WORDS], other[BF_VALUE_THEIRS][BF_WORDS];
    for (int c = 0; c < rules->n_colors; c++) {
        if (c == color || wide_partners(rules, color, c)) continue;
        for (int w = 0; w < BF_WORDS; w++) {
            theirs[w] |= allowed[c][w];
            points[w] |= corner[c][w];
        }
    }
    wide_rings(corner[color], allowed[color], BF_VALUE_OWN - 2, own);
    wide_rings(points, theirs, BF_VALUE_THEIRS - 3, other);
    for (int w = 0; w < BF_WORDS; w++) {
        uint64_t open = allowed[color][w], far = open, apart = theirs[w];
        for (int i = 0; i < BF_VALUE_OWN - 1; i++) far &= ~own[i][w];
        own[BF_VALUE_OWN - 1][w] = far;
        for (int i = 0; i < BF_VALUE_THEIRS - 2; i++) apart &= ~other[i][w];
        other[BF_VALUE_THEIRS - 2][w] = apart;
        other[BF_VALUE_THEIRS - 1][w] = open & ~theirs[w];
    }
    const int words = (BF_STRIDE * rules->layout.size + 63) >> 6;
    for (int i = 0; i < BF_VALUE_OWN; i++) {
        for (int j = 0; j < BF_VALUE_THEIRS; j++) {
            int count = 0;
            for (int w = 0; w < words; w++) count += popcount64(own[i][w] & other[j][w]);
            counts[i * BF_VALUE_THEIRS + j] = (int16_t)count;
        }
    }
}

/* The inputs of all colors, in the order of play from the color to move on. Not for Draft. */
static void wide_value_inputs(const bf_rules *rules, const bf_state *s, int16_t *inputs) {
    uint64_t allowed[BF_COLORS][BF_WORDS] = {{0}}, corner[BF_COLORS][BF_WORDS] = {{0}};
    for (int c = 0; c < rules->n_colors; c++) {
        if ((s->finished >> c & 1) != 0) continue;
        rules->kernel->frontier(&rules->layout, s->own, c, allowed[c], corner[c]);
    }
    for (int k = 0; k < rules->n_colors; k++, inputs += BF_VALUE_INPUTS) {
        int color = rules->order[(rules->place[s->turn] + k) % rules->n_colors];
        wide_count_reach(rules, color, allowed, corner, inputs);
        for (int piece = 0; piece < BF_PIECES; piece++) {
            inputs[BF_VALUE_HAND + piece] = (int16_t)bf_hand_count(s->hand[0][color], piece);
        }
        inputs[BF_VALUE_PLACED] = (int16_t)s->placed[color];
        inputs[BF_VALUE_FINISHED] = (int16_t)(s->finished >> color & 1);
        inputs[BF_VALUE_MONOMINO] = (int16_t)(s->monomino_last >> color & 1);
        for (int i = BF_VALUE_MONOMINO + 1; i < BF_VALUE_INPUTS; i++) inputs[i] = 0;
    }
}

/* The logit of each player, from the one to move on, in units of 1 / BF_VALUE_UNIT squared. */
static void wide_value_logits(const bf_rules *rules, const bf_state *s,
                              const bf_value_weights *weights, int64_t *logits) {
    int16_t inputs[BF_COLORS * BF_VALUE_INPUTS];
    int32_t sums[BF_VALUE_HIDDEN];
    wide_value_inputs(rules, s, inputs);
    memcpy(sums, weights->hidden_bias, sizeof sums);
    add_products(inputs, rules->n_colors * BF_VALUE_INPUTS / 2, weights->hidden, sums);
    for (int p = 0; p < rules->n_players; p++) {
        int64_t sum = weights->output_bias[p];
        for (int h = 0; h < BF_VALUE_HIDDEN; h++) {
            sum += sums[h] > 0 ? (int64_t)sums[h] * weights->output[p][h] : 0;
        }
        logits[p] = sum;
    }
}
