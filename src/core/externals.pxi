# externals.pxi: what the core takes from C and from Python. Owns no logic.

cimport cython
from cpython.bool cimport PyBool_Check
from cpython.buffer cimport (
    PyBUF_C_CONTIGUOUS,
    PyBUF_FORMAT,
    PyBUF_WRITABLE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from cpython.list cimport PyList_New, PyList_SET_ITEM
from cpython.long cimport PyLong_CheckExact
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from cpython.pycapsule cimport PyCapsule_New
from cpython.ref cimport Py_INCREF, PyObject
from cpython.sequence cimport PySequence_Fast_ITEMS
from cpython.slice cimport PySlice_AdjustIndices, PySlice_Unpack
from libc.string cimport memcpy, memset

import importlib
import operator
import os
import time
import weakref

import numpy as np

from blokus_fast.errors import IllegalMoveError, InvalidMoveError, InvalidPositionError


# Of numpy's C API only how to make arrays: np.empty and a buffer cost three times as much.
cdef extern from "numpy/arrayobject.h":
    ctypedef Py_ssize_t npy_intp
    ctypedef struct PyArrayObject:
        pass
    enum:
        NPY_BOOL
        NPY_INT8
        NPY_INT32
        NPY_INTP
    int import_numpy "_import_array"() except -1
    object PyArray_SimpleNew(int nd, npy_intp *dims, int kind)
    void *PyArray_DATA(PyArrayObject *array) nogil


import_numpy()


cdef extern from "bf_tables.h" nogil:
    enum:
        BF_MAX_EDGES
        BF_MAX_CORNERS
    const char *const bf_piece_names[21]
    const uint8_t bf_piece_size[21]
    const uint8_t bf_orientation_piece[128]
    const int8_t bf_orientation_cells[91][5][2]
    const uint8_t bf_orientation_n_edges[91]
    const int8_t bf_orientation_edges[91][12][2]
    const uint8_t bf_orientation_n_corners[91]
    const int8_t bf_orientation_corners[91][8][2]


cdef extern from "kernels.h" nogil:
    const bf_kernel *bf_kernel_best()
    const bf_kernel *bf_kernel_by_name(const char *name)
    int bf_kernel_supported(const char *name)
    const bf_kernel *bf_kernel_at(size_t index, int *supported)
    char *bf_cpu_features(char *text, size_t size)


cdef extern from "rng.h" nogil:
    uint64_t bf_mix64(uint64_t z)
    void bf_rng_seed(bf_rng *rng, uint64_t seed, uint64_t stream)
    uint32_t bf_rng_below(bf_rng *rng, uint32_t n)


cdef extern from "bits.h" nogil:
    bint bf_is_empty(const uint64_t *board)
    bint bf_has_square(const uint64_t *board, int bit)
    void bf_add_square(uint64_t *board, int bit)
    int bf_count_squares(const uint64_t *board)
    int bf_lowest_bit(uint64_t word)
    int bf_square_index(int bit, int size)


cdef extern from "hands.h" nogil:
    int bf_hand_count(uint64_t hand, int piece)
    uint64_t bf_hand_pack(const uint8_t *counts)


cdef extern from "actions.h" nogil:
    int bf_placement_orientation(uint32_t placement)
    int bf_placement_row(uint32_t placement)
    int bf_placement_column(uint32_t placement)
    int bf_placement_piece(uint32_t placement)
    bf_action bf_decode(const bf_rules *rules, uint32_t action)
    uint32_t bf_encode(const bf_rules *rules, const bf_action *action)


cdef extern from "rules.h" nogil:
    int bf_make_rules(
        bf_rules *rules, int size, const uint32_t *placements, const bf_kernel *kernel
    )
    void bf_fill_layout(bf_layout *layout, int size)
    uint32_t bf_fill_placements(uint32_t *placements, int size)


cdef extern from "state.h" nogil:
    uint64_t bf_position_key(const bf_rules *rules, const bf_state *s)
    bint bf_equal_states(const bf_rules *rules, const bf_state *s, const bf_state *t)


cdef extern from "flow.h" nogil:
    uint16_t bf_open(const bf_rules *rules, bf_state *s)
    void bf_push(const bf_rules *rules, bf_state *s, uint32_t action, bf_undo *undo)
    void bf_pop(const bf_rules *rules, bf_state *s, const bf_undo *undo)


cdef extern from "legality.h" nogil:
    bint bf_is_legal(const bf_rules *rules, const bf_state *s, int color, uint32_t action)
    int bf_illegality(
        const bf_rules *rules, const bf_state *s, int color, uint32_t action, int *square
    )


cdef extern from "listing.h" nogil:
    uint32_t bf_list(
        const bf_rules *rules, const bf_state *s, int color, uint16_t *scratch, int32_t *ids
    )
    uint32_t bf_count(const bf_rules *rules, const bf_state *s, int color)
    bint bf_any(const bf_rules *rules, const bf_state *s, int color)
    uint32_t bf_mask(const bf_rules *rules, const bf_state *s, int color, uint8_t *mask)
    bint bf_lists_one_color(const bf_rules *rules, const bf_state *s, int color)
    uint32_t bf_list_short(const bf_rules *rules, const bf_state *s, int color, uint16_t *ids)


cdef extern from "playouts.h" nogil:
    uint32_t bf_draw(
        const bf_rules *rules, const bf_state *s, const bf_policy *policy, bf_rng *rng
    )
    void bf_playout(const bf_rules *rules, bf_state *s, const bf_policy *policy, bf_rng *rng)


cdef extern from "perft.h" nogil:
    uint64_t bf_perft(
        const bf_rules *rules, const bf_state *s, int depth, uint16_t *scratch, int32_t *ids,
        int (*stop)(void *) noexcept nogil, void *context
    )


cdef extern from "solve.h" nogil:
    ctypedef struct bf_solve_entry:
        pass
    ctypedef struct bf_solver:
        pass
    ctypedef struct bf_solve_limits:
        uint64_t nodes
        uint32_t candidates
        int (*stop)(void *) noexcept nogil
        void *context
    ctypedef struct bf_solution:
        int32_t scores[4]
        uint32_t pv[128]
        int32_t n_pv
        uint64_t nodes
    void bf_solver_init(
        bf_solver *solver, const bf_rules *rules, int lowest_wins, bf_solve_entry *table,
        uint32_t table_mask, uint64_t *room, uint64_t room_size
    )
    int bf_solve(
        bf_solver *solver, const bf_state *s, const bf_solve_limits *limits,
        bf_solution *solution
    )


cdef extern from "shapes.h" nogil:
    int32_t bf_take_piece(const bf_rules *rules, uint64_t *board)


cdef extern from "check.h" nogil:
    int bf_check(const bf_rules *rules, const bf_state *s, bf_fault *fault)
    int bf_set_up(
        const bf_rules *rules, bf_state *s, int turn, int shared, uint16_t *skipped,
        bf_fault *fault
    )
    int bf_take_rest(const bf_rules *rules, bf_state *s, int color, bf_fault *fault)
    int bf_shared_by_pieces(const bf_rules *rules, const bf_state *s)
    int bf_count_pieces(const bf_rules *rules, bf_state *s, bf_fault *fault)


cdef extern from "symmetry.h" nogil:
    int bf_map_state(
        const bf_rules *rules, const bf_state *s, bf_state *image, const int32_t *moves,
        const int8_t *colors, const int8_t *players
    )


cdef extern from "api.h" nogil:
    void bf_fill_api(bf_api *api)


PIECE_NAMES = tuple([bf_piece_names[i].decode() for i in range(BF_PIECES)])
PIECE_SIZES = tuple([bf_piece_size[i] for i in range(BF_PIECES)])


cdef inline bf_state *state_in(bf_state_room *room) noexcept nogil:
    """Return the state in a room: on a cache line of its own."""
    return <bf_state *>((<size_t>room + 63) & ~<size_t>63)


# The kernel that rules are made with; native.pxi chooses it when the module is imported.
cdef const bf_kernel *kernel = NULL

# What a board has before it is initialised; native.pxi makes it.
cdef Rules _no_rules = None

cdef dict _late = {}


cdef object late(str module):
    """Return a module of the layer above, for what only people ask: names and texts."""
    found = _late.get(module)
    if found is None:
        found = _late[module] = importlib.import_module("blokus_fast." + module)
    return found
