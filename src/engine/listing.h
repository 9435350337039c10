/* listing.h: the legal actions of a position as ids, counts, masks and draws: of the side to move
 * (color = -1), or of any color.
 */
#ifndef BF_LISTING_H
#define BF_LISTING_H

#include "blokus_fast.h"

/* See bf_api. */
uint32_t bf_list(const bf_rules *rules, const bf_state *s, int color, uint16_t *scratch,
                 int32_t *ids);
uint32_t bf_count(const bf_rules *rules, const bf_state *s, int color);
int bf_any(const bf_rules *rules, const bf_state *s, int color);
uint32_t bf_mask(const bf_rules *rules, const bf_state *s, int color, uint8_t *mask);

/* Whether the ids are those that the kernel finds for one color, without more: then
 * bf_list_short writes them (BF_LIST_SIZE ids) where bf_list would. */
int bf_lists_one_color(const bf_rules *rules, const bf_state *s, int color);
uint32_t bf_list_short(const bf_rules *rules, const bf_state *s, int color, uint16_t *ids);

#endif
