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
from cpython.exc cimport PyErr_CheckSignals
from cpython.long cimport PyLong_CheckExact
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from cpython.tuple cimport PyTuple_New
from libc.stdint cimport int16_t, int64_t
from libc.string cimport memcmp, memcpy, memset

import operator
import os

import numpy as np

from blokus_fast.errors import IllegalMoveError, InvalidMoveError, InvalidPositionError


cdef extern from "bf_tables.h" nogil:
    enum:
        BF_MAX_EDGES
        BF_MAX_CORNERS
    const char *const bf_piece_names[21]
    const uint8_t bf_piece_size[21]
    const uint8_t bf_piece_first_orientation[22]
    const uint8_t bf_orientation_piece[91]
    const uint8_t bf_orientation_height[91]
    const uint8_t bf_orientation_width[91]
    const uint64_t bf_orientation_shape[91][2]
    const int8_t bf_orientation_cells[91][5][2]
    const uint8_t bf_orientation_n_edges[91]
    const int8_t bf_orientation_edges[91][12][2]
    const uint8_t bf_orientation_n_corners[91]
    const int8_t bf_orientation_corners[91][8][2]


cdef extern from "kernels.h" nogil:
    void bf_layout_fill(bf_layout *layout, int size)
    const bf_kernel *bf_kernel_best()
    const bf_kernel *bf_kernel_by_name(const char *name)
    int bf_kernel_supported(const char *name)
    const bf_kernel *bf_kernel_at(size_t index, int *supported)
    char *bf_cpu_features(char *text, size_t size)


cdef extern from "rng.h" nogil:
    void bf_rng_seed(bf_rng *rng, uint64_t seed, uint64_t stream)
    uint64_t bf_rng_next(bf_rng *rng)
    uint32_t bf_rng_below(bf_rng *rng, uint32_t n)


cdef extern from * nogil:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static int bf_ctz64(uint64_t x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
    static int bf_popcount64(uint64_t x) { return (int)__popcnt64(x); }
    #else
    #define bf_ctz64(x) __builtin_ctzll(x)
    #define bf_popcount64(x) __builtin_popcountll(x)
    #endif
    """
    int bf_ctz64(uint64_t x)
    int bf_popcount64(uint64_t x)


PIECE_NAMES = tuple([bf_piece_names[i].decode() for i in range(BF_PIECES)])
PIECE_SIZES = tuple([bf_piece_size[i] for i in range(BF_PIECES)])
cdef int MONOMINO = 0
cdef uint32_t ALL_PIECES = (1 << 21) - 1

# The kernel in use; info.pxi chooses it when the module is imported.
cdef const bf_kernel *kernel = NULL
