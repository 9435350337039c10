/* wide_playout.h: quick playouts: a good reply of last time, else a large piece near what the
 * opponents have just done. Part of what every kernel compiles of the search (wide_search.h), on
 * top of its own `near_sample`. Static functions only; draws as docs/mcts.md says, the same for
 * every kernel.
 */

/* Squares that the last placements of the opponents touch at a corner. */
static int wide_targets(const bf_rules *rules, int color, const int32_t *last, uint64_t *squares) {
    uint64_t words[BF_WORDS + 4] = {0};
    int found = 0;
    for (int c = 0; c < rules->n_colors; c++) {
        if (last[c] < 0 || c == color || wide_partners(rules, color, c)) continue;
        uint32_t placement = rules->placements[last[c]];
        const uint64_t *window = bf_corner_window[bf_placement_orientation(placement)];
        int bit = bf_placement_bit(placement) + 64 - (BF_STRIDE + 1), w = bit >> 6, up = bit & 63;
        words[w] |= window[0] << up;
        words[w + 1] |= window[1] << up | window[0] >> 1 >> (63 - up);
        words[w + 2] |= window[2] << up | window[1] >> 1 >> (63 - up);
        words[w + 3] |= window[2] >> 1 >> (63 - up);
        found = 1;
    }
    for (int w = 0; w < BF_WORDS; w++) squares[w] = words[w + 1] & rules->layout.playable[w];
    return found;
}

/* A good reply that is legal, or -1. */
static int32_t wide_reply(const bf_rules *rules, const bf_state *s, int color,
                          const bf_replies *replies, const bf_line *line) {
    if (line->length == 0) return -1;
    uint32_t last = line->move[line->length - 1];
    if (line->length > 1) {
        uint32_t hash = bf_reply_hash(color, line->move[line->length - 2], last);
        uint32_t entry = replies->after_two[hash % BF_REPLY_SLOTS];
        if (entry != 0 && (entry & 0xffff) == hash >> BF_REPLY_SLOT_BITS &&
            bf_is_legal(rules, s, color, (entry >> 16) - 1)) {
            return (int32_t)(entry >> 16) - 1;
        }
    }
    uint32_t reply = replies->after_one[color][last];
    if (reply != 0 && bf_is_legal(rules, s, color, reply - 1)) return (int32_t)reply - 1;
    return -1;
}

static inline void wide_append(bf_line *line, int color, uint32_t move) {
    line->move[line->length] = (uint16_t)move;
    line->color[line->length] = (uint8_t)color;
    line->length++;
    line->last[color] = (int32_t)move;
}

static int32_t wide_choose(const bf_rules *rules, const bf_state *s, int color,
                           const bf_playout_policy *policy, const bf_replies *replies,
                           const bf_line *line, bf_rng *rng) {
    uint64_t targets[BF_WORDS];
    uint32_t pieces = bf_placeable(rules, s, 0, color);
    if (pieces == 0) return -1;
    if (policy->use_replies) {
        int32_t reply = wide_reply(rules, s, color, replies, line);
        if (reply >= 0) return reply;
    }
    int near = policy->use_local && wide_targets(rules, color, line->last, targets);
    return near_sample(&rules->layout, s->own, color, pieces, near ? targets : NULL,
                       policy->largest_first, rng);
}

static void wide_playout(const bf_rules *rules, bf_state *s, const bf_playout_policy *policy,
                         const bf_replies *replies, bf_line *line, bf_rng *rng) {
    const int all = (1 << rules->n_colors) - 1;
    if (s->phase != BF_PLAY || s->turn < 0) return;
    int place = rules->place[s->turn];
    while ((s->finished & all) != all && line->length < BF_MOST_PLACED) {
        int color = rules->order[place];
        if ((s->finished >> color & 1) == 0) {
            int32_t move = wide_choose(rules, s, color, policy, replies, line, rng);
            if (move >= 0) {
                bf_put_piece(rules, s, 0, color, (uint32_t)move);
                wide_append(line, color, (uint32_t)move);
            } else {
                s->finished |= (uint8_t)(1 << color);
            }
        }
        if (++place == rules->n_colors) {
            place = 0;
            s->round++;
            if (rules->max_rounds != 0 && s->round == rules->max_rounds) break;
        }
    }
    bf_end_game(s);
}
