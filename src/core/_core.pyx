# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, binding=True, freethreading_compatible=True
# cython: embedsignature=False
"""The native core of blokus_fast: the objects that hold positions, over the C engine.

One extension module, written in rooms. The rules of play are not here but in src/engine/, in C:
what follows are objects, arguments, errors, arrays and threads.

- externals.pxi   what comes from C: the engine, tables, helpers
- arguments.pxi   callers' arguments checked; what is wrong, in words
- arrays.pxi      numpy arrays and callers' buffers; boards as arrays and ints
- rules.pxi       tables of a board size; Rules, a variant compiled for the engine
- positions.pxi   positions as values: set up, written as numbers and read back, pickled
- board.pxi       Board
- legal_moves.pxi the view of its legal moves
- questions.pxi   what is asked of one board at length: perft, playouts, features, planes
- solve.pxi       the exact ends of games
- pool.pxi        threads that share the work of a call
- loops.pxi       loops over a range of games, without the GIL
- batch.pxi       Batch: many positions side by side
- evaluation.pxi  weights, and what a search thinks of positions with them
- search.pxi      the tree search: memory, threads, results
- leaves.pxi      many trees evaluated from outside
- selfplay.pxi    games that play themselves with them
- native.pxi      kernels and CPU; the engine as a table of functions for other programs
"""

include "externals.pxi"
include "arguments.pxi"
include "arrays.pxi"
include "rules.pxi"
include "positions.pxi"
include "board.pxi"
include "legal_moves.pxi"
include "questions.pxi"
include "solve.pxi"
include "pool.pxi"
include "loops.pxi"
include "batch.pxi"
include "evaluation.pxi"
include "search.pxi"
include "leaves.pxi"
include "selfplay.pxi"
include "native.pxi"
