/* symmetry.c: images of positions. */
#include "symmetry.h"

#include "shapes.h"
#include "state.h"

int bf_map_state(const bf_rules *rules, const bf_state *s, bf_state *t, const int32_t *moves,
                 const int8_t *colors, const int8_t *players) {
    memset(t, 0, sizeof *t);
    t->ply = s->ply;
    t->round = s->round;
    t->phase = s->phase;
    t->turn = s->turn >= 0 ? colors[s->turn] : s->turn;
    t->player = s->player >= 0 ? players[s->player] : s->player;
    for (int color = 0; color < rules->n_colors; color++) {
        if (!rules->draft && rules->owner[color] < 0) {
            t->shared_player = (uint8_t)players[s->shared_player];
        }
        uint64_t left[BF_WORDS];
        int image = colors[color];
        if (s->phase == BF_DRAFT && image != color) return 1;
        memcpy(left, s->own[color], sizeof left);
        while (!bf_is_empty(left)) {
            int32_t move = bf_take_piece(rules, left);
            if (move < 0) return 1;
            bf_toggle_squares(t->own[image], rules->placements[moves[move]]);
            t->content_key ^= bf_placement_key(image, (uint32_t)moves[move]);
        }
        for (int holder = 0; holder < BF_COLORS; holder++) {
            t->hand[holder][image] = s->hand[holder][color];
        }
        t->finished |= (uint8_t)((s->finished >> color & 1) << image);
    }
    for (int i = 0; i < BF_COLORS; i++) {
        int image = !rules->draft && i < rules->n_colors ? colors[i] : i;
        t->placed[image] = s->placed[i];
        t->monomino_last |= (uint8_t)((s->monomino_last >> i & 1) << image);
    }
    return 0;
}
