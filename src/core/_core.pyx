# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, binding=True, freethreading_compatible=True
# cython: embedsignature=False
"""The native core of blokus_fast: positions on bitboards, and the rules that move them.

One extension module, written in rooms:

- externals.pxi   what comes from C: tables, kernels, helpers
- tables.pxi      tables per board size: move ids to placements and squares
- rules.pxi       Rules: a variant compiled for the core
- state.pxi       putting pieces down and taking them up, hands, hash, legality of one move
- flow.pxi        whose turn it is: skips, shared colours, Draft, the end; push and pop of a state
- listing.pxi     legal moves of a state as ids, counts and masks
- buffers.pxi     numpy arrays and callers' buffers
- arguments.pxi   callers' arguments checked, errors, hooks into the layer above
- legal_moves.pxi the view of a board's legal moves
- board.pxi       Board
- perft.pxi       counting move sequences
- playouts.pxi    games played to the end by chance
- features.pxi    what placements are worth, what a colour can reach
- pieces.pxi      from squares back to placements; one placement tested quickly
- pool.pxi        threads that share the work of a call
- id_room.pxi     memory for the legal actions of many games
- masks.pxi       masks of more games than caches hold
- batch.pxi       Batch: many positions side by side
- batch_values.pxi  positions of a batch as numbers, and their images under symmetries
- observe.pxi     positions as planes for networks
- info.pxi        kernels and CPU
"""

include "externals.pxi"
include "tables.pxi"
include "rules.pxi"
include "state.pxi"
include "flow.pxi"
include "listing.pxi"
include "buffers.pxi"
include "arguments.pxi"
include "legal_moves.pxi"
include "board.pxi"
include "perft.pxi"
include "playouts.pxi"
include "features.pxi"
include "pieces.pxi"
include "pool.pxi"
include "id_room.pxi"
include "masks.pxi"
include "batch.pxi"
include "batch_values.pxi"
include "observe.pxi"
include "info.pxi"
