/* wide_score.h: the scores. Part of wide.h. The only place that knows what a rule of scoring
 * counts: squares placed, squares left, an empty hand, and the monomino as its last piece.
 */
/* Squares of the pieces in a hand. */
static inline int wide_hand_squares(uint64_t hand) {
    int total = 0;
    /* Each piece once, and once more for each square beyond the first. */
    for (int n = 0; n < 5; n++) total += popcount64(hand & bf_pieces_larger[n]);
    if (hand >> BF_PIECES == 0) return total;
    for (int n = 0; n < 5; n++) {
        total += 2 * popcount64(hand >> 21 & bf_pieces_larger[n]);
        total += 4 * popcount64(hand >> 42 & bf_pieces_larger[n]);
    }
    return total;
}

/* Score of a color, or of a Draft player, of whom `left` squares are left. */
static int32_t wide_score(const bf_rules *rules, const bf_state *s, int scored, int left,
                          int had_pieces) {
    int32_t score = rules->score_placed * s->placed[scored] + rules->score_left * left;
    if (left == 0 && had_pieces) {
        score += rules->score_all_placed;
        if ((s->monomino_last >> scored & 1) != 0) score += rules->score_monomino_last;
    }
    return score;
}

static int32_t wide_color_score(const bf_rules *rules, const bf_state *s, int color) {
    if (!rules->draft) {
        return wide_score(rules, s, color, wide_hand_squares(s->hand[0][color]),
                          rules->hand[color] != 0);
    }
    int placed = 0;
    for (int w = 0; w < BF_WORDS; w++) placed += popcount64(s->own[color][w]);
    int left = wide_hand_squares(rules->hand[color]) - placed;
    return rules->score_placed * placed + rules->score_left * left;
}

static int32_t wide_player_score(const bf_rules *rules, const bf_state *s, int player) {
    int32_t score = 0;
    int left = 0;
    if (rules->draft) {
        for (int color = 0; color < rules->n_colors; color++) {
            left += wide_hand_squares(s->hand[player][color]);
        }
        return wide_score(rules, s, player, left, s->placed[player] + left > 0);
    }
    for (int color = 0; color < rules->n_colors; color++) {
        if (rules->owner[color] == player) score += wide_color_score(rules, s, color);
    }
    return score;
}
