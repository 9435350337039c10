/* replies.c: last good replies: remembered where their player won, forgotten where he did not.
 *
 * P. Drake, The Last-Good-Reply Policy for Monte-Carlo Go (2009); H. Baier and P. Drake, The Power
 * of Forgetting (2010).
 */
#include "replies.h"

void bf_learn_replies(const bf_search *search, bf_worker *worker, const int32_t *scores) {
    const bf_rules *rules = search->rules;
    const bf_line *line = &worker->line;
    bf_replies *replies = &worker->replies;
    const uint32_t winners = bf_winners(search, scores);
    for (int i = 1; i < line->length; i++) {
        int color = line->color[i], player = rules->owner[color];
        uint32_t reply = (uint32_t)line->move[i] + 1, last = line->move[i - 1];
        int won = player >= 0 && (winners >> player & 1) != 0;
        uint16_t *one = &replies->after_one[color][last];
        uint32_t *two = NULL, entry = 0;
        if (i > 1) {
            uint32_t hash = bf_reply_hash(color, line->move[i - 2], last);
            two = &replies->after_two[hash % BF_REPLY_SLOTS];
            entry = hash >> BF_REPLY_SLOT_BITS | reply << 16;
        }
        if (won) {
            *one = (uint16_t)reply;
            if (two != NULL) *two = entry;
        } else {
            if (*one == reply) *one = 0;
            if (two != NULL && *two == entry) *two = 0;
        }
    }
}
