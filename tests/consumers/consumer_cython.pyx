# cython: language_level=3, boundscheck=False, wraparound=False, freethreading_compatible=True
"""A consumer in Cython: random games in several threads, without the GIL."""

import threading

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from blokus_fast._core cimport (
    BF_OVER,
    Board,
    bf_api,
    bf_import,
    bf_policy,
    bf_rng,
    bf_rules,
    bf_state,
    bf_undo,
)

cdef const bf_api *bf = bf_import()


def play(Board board not None, int64_t n, uint64_t seed, int threads, bint whole=False):
    """Return the scores of n random games, made move by move, or as whole playouts."""
    scores = np.empty((n, board.n_players), np.int32)
    parts = [
        threading.Thread(
            target=play_part,
            args=(board, seed, n * i // threads, scores[n * i // threads:n * (i + 1) // threads],
                  whole),
        )
        for i in range(threads)
    ]
    for part in parts:
        part.start()
    for part in parts:
        part.join()
    return scores


def play_part(Board board not None, uint64_t seed, int64_t first, int32_t[:, ::1] scores, bint whole):
    cdef const bf_rules *rules = board.c_rules
    cdef bf_state state
    cdef bf_undo undo
    cdef bf_rng rng
    cdef bf_policy policy
    cdef Py_ssize_t i
    cdef int player
    memset(&policy, 0, sizeof(policy))
    with nogil:
        for i in range(scores.shape[0]):
            state = board.state[0]
            bf.seed(&rng, seed, <uint64_t>(first + i))
            if whole:
                bf.playout(rules, &state, &policy, &rng)
            while state.phase != BF_OVER:
                bf.push(rules, &state, bf.draw(rules, &state, &policy, &rng), &undo)
            for player in range(rules.n_players):
                scores[i, player] = bf.player_score(rules, &state, player)


def push_and_pop(Board board not None, unsigned int action):
    """Make a move on a board and take it back, without the GIL."""
    cdef uint64_t before = bf.key(board.c_rules, board.state)
    with nogil:
        board.c_push(action)
        board.c_pop()
    return before == bf.key(board.c_rules, board.state)
