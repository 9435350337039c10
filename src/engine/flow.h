/* flow.h: the course of the game: whose turn it is, who is skipped, when it ends, the phases of
 * Draft. The only place that knows turn order. A position that is not over always has a legal
 * action.
 */
#ifndef BF_FLOW_H
#define BF_FLOW_H

#include "blokus_fast.h"

/* See bf_api: open, push and pop. */
uint16_t bf_open(const bf_rules *rules, bf_state *s);
void bf_push(const bf_rules *rules, bf_state *s, uint32_t action, bf_undo *undo);
void bf_pop(const bf_rules *rules, bf_state *s, const bf_undo *undo);

/* Give the turn to the first color that can place, from a place in the order on; in Draft to the
 * first player who can. Return who was passed over, see BF_SKIPPED. */
uint16_t bf_seek_color(const bf_rules *rules, bf_state *s, int place);
uint16_t bf_seek_player(const bf_rules *rules, bf_state *s, int player);
void bf_end_game(bf_state *s);
/* Pieces of a color that nobody has picked; none for a color of -1. */
uint32_t bf_pickable(const bf_rules *rules, const bf_state *s, int color);
/* Whether the color to move may pass. */
int bf_may_pass(const bf_rules *rules, const bf_state *s);

#endif
