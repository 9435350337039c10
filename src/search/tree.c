/* tree.c: items of the tree: made, found by position, thrown away. */
#include "tree.h"

#include <stddef.h>
#include <string.h>

#include "actions.h"
#include "flow.h"
#include "state.h"

/* Children lie behind their parents, so that one pass in the order of the items sees them all. */

void bf_tree_init(bf_tree *tree, void *memory, uint64_t bytes) {
    uint64_t lines = bytes / BF_LINE;
    memset(tree, 0, sizeof *tree);
    tree->memory = memory;
    tree->capacity = lines < BF_MOST_LINES ? (uint32_t)lines : BF_MOST_LINES;
    bf_tree_clear(tree);
}

void bf_tree_clear(bf_tree *tree) {
    tree->used = BF_FIRST_LINE;
    tree->full = 0;
    tree->n_nodes = 0;
    tree->root = 0;
}

static uint32_t new_item(bf_tree *tree, uint32_t lines) {
    uint32_t at;
    /* Asked before it is added, so that the number never runs over. */
    if (lines > tree->capacity || bf_load_32(&tree->used) > tree->capacity - lines) {
        bf_release_32(&tree->full, 1);
        return 0;
    }
    at = bf_add_32(&tree->used, lines, tree->shared);
    if (at > tree->capacity - lines) {
        bf_add_32(&tree->used, 0 - lines, tree->shared);
        bf_release_32(&tree->full, 1);
        return 0;
    }
    return at;
}

uint32_t bf_node_lines(uint32_t n) {
    size_t bytes = offsetof(bf_node, candidates) + (size_t)n * sizeof(bf_candidate);
    return (uint32_t)((bytes + BF_LINE - 1) / BF_LINE);
}

uint32_t bf_new_node(bf_tree *tree, uint32_t n) {
    uint32_t lines = bf_node_lines(n), at = new_item(tree, lines);
    if (at == 0) return 0;
    bf_node *node = bf_node_at(tree, at);
    memset(node, 0, offsetof(bf_node, candidates));
    node->lines = lines;
    node->kind = BF_KIND_NODE;
    node->n = n;
    bf_add_32(&tree->n_nodes, 1, tree->shared);
    return at;
}

void bf_raise_best(bf_node *node, uint32_t from) {
    bf_candidate *candidates = node->candidates;
    uint32_t best = from;
    for (uint32_t i = from + 1; i < node->n; i++) {
        if (candidates[i].prior > candidates[best].prior) best = i;
    }
    if (best != from && best < node->n) {
        bf_candidate moved = candidates[best];
        candidates[best] = candidates[from];
        candidates[from] = moved;
    }
}

bf_edge *bf_open_edge(bf_tree *tree, bf_node *node, int raise) {
    uint32_t i = node->opened, left = BF_FIRST_EDGES, lines = 2;
    uint32_t *next = &node->blocks;
    bf_edge *edge = node->edges;
    while (i >= left) {
        i -= left;
        if (*next == 0) {
            /* Each block is twice as large as the one before. */
            uint32_t at = new_item(tree, lines);
            if (at == 0) return NULL;
            bf_block *made = bf_block_at(tree, at);
            memset(made, 0, (size_t)lines * BF_LINE);
            made->lines = lines;
            made->kind = BF_KIND_BLOCK;
            bf_release_32(next, at);
        }
        bf_block *block = bf_block_at(tree, *next);
        edge = block->edges;
        left = bf_block_edges(block->lines);
        next = &block->next;
        if (lines < 64) lines *= 2;
    }
    edge += i;
    if (raise) bf_raise_best(node, node->opened + 1);
    bf_release_32(&node->opened, node->opened + 1);
    return edge;
}

/* -- found by position -- */

/* Whether a state may still become the wanted one, as far as squares tell. */
static int leads_to(const bf_rules *rules, const bf_state *s, const bf_state *wanted,
                    uint32_t action) {
    if (s->ply >= wanted->ply) return 0;
    if (bf_is_placement(rules, action)) {
        int color = bf_action_color(rules, s, action);
        uint32_t placement = rules->placements[bf_action_move(rules, action)];
        int w = bf_placement_bit(placement) >> 6;
        uint64_t words[3];
        bf_placement_words(placement, words);
        const uint64_t *own = wanted->own[color];
        return (words[0] & ~own[w]) == 0 && (words[1] & ~own[w + 1]) == 0 &&
               (w >= BF_WORDS - 2 || (words[2] & ~own[w + 2]) == 0);
    }
    if (bf_is_pick(rules, action)) {
        int color = bf_pick_color(rules, action), piece = bf_pick_piece(rules, action);
        return bf_hand_count(wanted->hand[s->player][color], piece) >
               bf_hand_count(s->hand[s->player][color], piece);
    }
    return 1;
}

enum { MOST_PLIES = 16 };

uint32_t bf_tree_find(const bf_tree *tree, const bf_rules *rules, const bf_state *root,
                      const bf_state *wanted) {
    bf_state s = *root;
    bf_undo undo[MOST_PLIES];
    bf_walk walks[MOST_PLIES + 1];
    uint32_t at[MOST_PLIES + 1], numbers[MOST_PLIES + 1];
    int depth = 0;
    if (tree->root == 0) return 0;
    if (bf_equal_states(rules, &s, wanted)) return tree->root;
    if (wanted->ply > root->ply + MOST_PLIES) return 0;
    at[0] = tree->root;
    numbers[0] = 0;
    walks[0] = bf_first_edge(bf_node_at(tree, at[0]));
    while (depth >= 0) {
        bf_node *node = bf_node_at(tree, at[depth]);
        if (numbers[depth] >= node->opened) {
            if (--depth >= 0) bf_pop(rules, &s, &undo[depth]);
            continue;
        }
        uint32_t action = node->candidates[numbers[depth]++].action;
        uint32_t child = bf_child(walks[depth].edge->child);
        bf_next_edge(tree, &walks[depth]);
        if (child <= BF_BUSY || depth == MOST_PLIES || !leads_to(rules, &s, wanted, action)) {
            continue;
        }
        bf_push(rules, &s, action, &undo[depth]);
        if (bf_equal_states(rules, &s, wanted)) return child;
        depth++;
        at[depth] = child;
        numbers[depth] = 0;
        walks[depth] = bf_first_edge(bf_node_at(tree, child));
    }
    return 0;
}

/* -- thrown away -- */

static void mark(const bf_tree *tree, uint32_t at) {
    if (at > BF_BUSY) bf_node_at(tree, at)->forward = 1;
}

static void mark_edges(const bf_tree *tree, const bf_edge *edges, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) mark(tree, bf_child(edges[i].child));
}

static void mark_below(const bf_tree *tree, uint32_t at) {
    bf_node *node = bf_node_at(tree, at);
    if (node->kind == BF_KIND_NODE) {
        mark_edges(tree, node->edges, BF_FIRST_EDGES);
        mark(tree, node->blocks);
    } else {
        bf_block *block = bf_block_at(tree, at);
        mark_edges(tree, block->edges, bf_block_edges(block->lines));
        mark(tree, block->next);
    }
}

static uint32_t moved(const bf_tree *tree, uint32_t at) {
    return at > BF_BUSY ? bf_node_at(tree, at)->forward : at;
}

static void move_edges(const bf_tree *tree, bf_edge *edges, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t mark_bit = edges[i].child & BF_EXACT_CHILD;
        edges[i].child = moved(tree, bf_child(edges[i].child)) | mark_bit;
    }
}

void bf_tree_keep(bf_tree *tree, uint32_t root) {
    uint32_t end = tree->used, to = BF_FIRST_LINE;
    for (uint32_t at = BF_FIRST_LINE; at < end; at += bf_node_at(tree, at)->lines) {
        bf_node_at(tree, at)->forward = 0;
    }
    /* A root that was made anew, and its blocks, may lie behind its children: they come first. */
    mark(tree, root);
    mark_below(tree, root);
    for (uint32_t at = bf_node_at(tree, root)->blocks; at != 0; at = bf_block_at(tree, at)->next) {
        mark_below(tree, at);
    }
    for (uint32_t at = BF_FIRST_LINE; at < end; at += bf_node_at(tree, at)->lines) {
        if (bf_node_at(tree, at)->forward != 0) mark_below(tree, at);
    }
    tree->n_nodes = 0;
    for (uint32_t at = BF_FIRST_LINE; at < end; at += bf_node_at(tree, at)->lines) {
        bf_node *item = bf_node_at(tree, at);
        if (item->forward == 0) continue;
        item->forward = to;
        to += item->lines;
        if (item->kind == BF_KIND_NODE) tree->n_nodes++;
    }
    tree->root = bf_node_at(tree, root)->forward;
    for (uint32_t at = BF_FIRST_LINE; at < end; at += bf_node_at(tree, at)->lines) {
        bf_node *item = bf_node_at(tree, at);
        if (item->forward == 0) continue;
        if (item->kind == BF_KIND_NODE) {
            move_edges(tree, item->edges, BF_FIRST_EDGES);
            item->blocks = moved(tree, item->blocks);
        } else {
            bf_block *block = bf_block_at(tree, at);
            move_edges(tree, block->edges, bf_block_edges(block->lines));
            block->next = moved(tree, block->next);
        }
    }
    for (uint32_t at = BF_FIRST_LINE, lines; at < end; at += lines) {
        bf_node *item = bf_node_at(tree, at);
        lines = item->lines;
        if (item->forward == 0) continue;
        if (item->forward != at) {
            memmove(bf_node_at(tree, item->forward), item, (size_t)lines * BF_LINE);
        }
    }
    tree->used = to;
    tree->full = 0;
}
