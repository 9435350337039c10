/* solve.h: the exact ends of games: best play by everybody to the last placement, where little
 * enough is left. Uses no memory but the caller's, knows no clock, and holds nothing of a position
 * when it is done.
 *
 * What best play is: with one player, his best score. With two, each wants the difference of the
 * final scores in his favor. With more, each wants his own best final score and cares for nothing
 * else; where somebody has several best actions that give others different scores, there is no
 * such thing, and nothing is solved. Where the lowest score wins, signs are turned around.
 *
 * Colors that can no longer get into each other's way are searched one by one: whose turn it is
 * depends on nobody's moves, so their ends have nothing to do with each other.
 */
#ifndef BF_SOLVE_H
#define BF_SOLVE_H

#include "blokus_fast.h"
#include "ending.h"

/* What is known of a part of a position. 32 bytes. */
typedef struct bf_solve_entry {
    uint64_t key;
    int32_t value[BF_COLORS];
    uint32_t move;
    uint32_t kind;
} bf_solve_entry;

/* What the caller provides, for one thread; filled in by bf_solver_init. About 130 KB. */
typedef struct bf_solver {
    int lowest_wins;
    bf_solve_entry *table;
    uint32_t table_mask;
    uint64_t *room;
    uint64_t room_size;
    /* Of a call: */
    uint64_t salt; /* makes what earlier calls left in the table impossible to find */
    uint64_t nodes, most_nodes, asked_at;
    int (*stop)(void *context);
    void *context;
    int gave_up;
    uint32_t best; /* the move that the last search found */
    bf_ending ending;
} bf_solver;

typedef struct bf_solve_limits {
    uint64_t nodes;         /* positions looked at */
    uint32_t candidates;    /* placements that colors may still come to make; 0: as the room is */
    int (*stop)(void *context); /* may be NULL; asked now and then, not 0 ends the search */
    void *context;
} bf_solve_limits;

typedef struct bf_solution {
    int32_t scores[BF_COLORS];     /* final scores of the players */
    uint32_t pv[BF_ENDING_PLIES];  /* the actions to the end that lead there */
    int32_t n_pv;
    uint64_t nodes;
} bf_solution;

/* Once for all calls. `table` has `table_mask` + 1 entries, a power of two of at least 2, which are
 * zeros: what another solver left there would be believed. It is never cleared. `room` has
 * `room_size` words. The more room, the more placements can be left: 1 << 14 words are enough for
 * 64 of each color, 1 << 16 for 256. All of it, and the rules, must live on. */
void bf_solver_init(bf_solver *solver, const bf_rules *rules, int lowest_wins,
                    bf_solve_entry *table, uint32_t table_mask, uint64_t *room,
                    uint64_t room_size);
/* Solve a position. Return 1, or 0 if the limits or the room did not suffice, best play is not
 * defined, Draft's players are still picking, or there may be passes without end. */
int bf_solve(bf_solver *solver, const bf_state *s, const bf_solve_limits *limits,
             bf_solution *solution);
/* Whether a position is near enough to its end that it is worth to call bf_solve: not more than
 * `most` squares that colors can still reach, counted once for each color. Much faster than a call
 * that gives up. */
int bf_solve_is_small(const bf_rules *rules, const bf_state *s, int most);

#endif
