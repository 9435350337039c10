# arrays.pxi: new numpy arrays, callers' buffers checked and filled, and boards of the frame turned
# into arrays and ints.

cdef inline object new_array(int kind, npy_intp n):
    """Return a new array of n items, of one of numpy's numbers for types."""
    return PyArray_SimpleNew(1, &n, kind)


cdef inline object new_square_array(int kind, npy_intp size):
    """Return a new array of size rows and columns."""
    cdef npy_intp[2] shape = [size, size]
    return PyArray_SimpleNew(2, shape, kind)


cdef inline void *memory_of(object array) noexcept:
    """Return where the items of a new array lie."""
    return PyArray_DATA(<PyArrayObject *>array)


cdef int get_buffer(object out, Py_buffer *view, str what) except -1:
    """Open a writable, contiguous buffer of the caller's."""
    try:
        PyObject_GetBuffer(out, view, PyBUF_WRITABLE | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)
    except (BufferError, ValueError) as error:
        raise ValueError(f"out must be a writable, C-contiguous array of {what}: {error}") from None
    except TypeError:
        raise TypeError(
            f"out must be a writable array of {what}, not {type(out).__name__}"
        ) from None
    if view.itemsize in (2, 4, 8) and <size_t>view.buf % <size_t>view.itemsize:
        PyBuffer_Release(view)
        raise ValueError(f"out must be an aligned array of {what}")
    return 0


cdef inline bint has_format(const Py_buffer *view, const char *kinds, int itemsize) noexcept nogil:
    """Say whether a buffer's items are one of some struct characters, in native order."""
    cdef const char *kind = view.format
    if view.itemsize != itemsize or kind == NULL:
        return False
    if kind[0] == c"@" or kind[0] == c"=":
        kind += 1
    if kind[0] == 0 or kind[1] != 0:
        return False
    while kinds[0]:
        if kinds[0] == kind[0]:
            return True
        kinds += 1
    return False


ctypedef fused any_id:
    int32_t
    uint16_t


cdef int store_ids(const Py_buffer *view, const any_id *ids, uint32_t n) except -1:
    """Copy ids into a caller's buffer of any integer type that can hold them."""
    cdef uint32_t i
    if n * view.itemsize > view.len:
        raise ValueError(f"out has room for {view.len // view.itemsize} ids, {n} are needed")
    if has_format(view, "iIlL", 4):
        for i in range(n):
            (<int32_t *>view.buf)[i] = ids[i]
    elif has_format(view, "lLqQnN", 8):
        for i in range(n):
            (<int64_t *>view.buf)[i] = ids[i]
    elif has_format(view, "H", 2) and any_id is uint16_t:
        memcpy(view.buf, ids, 2 * n)
    else:
        raise ValueError(
            "out must be of an integer type of 32 or 64 bits, or uint16 where all ids fit, "
            f"not of format {(<bytes>view.format).decode()!r}"
        )
    return 0


cdef object export_ids(const any_id *ids, uint32_t n, out):
    """Return ids as a new int32 array, or write them into `out` and return their number."""
    cdef Py_buffer view
    cdef int32_t *stored
    cdef uint32_t i
    if out is None:
        array = new_array(NPY_INT32, n)
        stored = <int32_t *>memory_of(array)
        for i in range(n):
            stored[i] = ids[i]
        return array
    get_buffer(out, &view, "integers")
    try:
        store_ids(&view, ids, n)
    finally:
        PyBuffer_Release(&view)
    return n


cdef object squares_of(const uint64_t *board, int size):
    """Return the squares of a board as an ascending intp array of indices."""
    array = new_array(NPY_INTP, bf_count_squares(board))
    cdef npy_intp *squares = <npy_intp *>memory_of(array)
    cdef uint64_t left
    cdef int word
    for word in range(BF_WORDS):
        left = board[word]
        while left:
            squares[0] = bf_square_index(64 * word + bf_lowest_bit(left), size)
            squares += 1
            left &= left - 1
    return array


cdef void mark_squares(const uint64_t *board, int size, int8_t mark, int8_t *grid) noexcept nogil:
    """Write a number on the squares of a board in a grid of size rows and columns."""
    cdef uint64_t left
    cdef int word
    for word in range(BF_WORDS):
        left = board[word]
        while left:
            grid[bf_square_index(64 * word + bf_lowest_bit(left), size)] = mark
            left &= left - 1


cdef object mask_of(const uint64_t *board, int size):
    """Return the squares of a board as an int whose bit i is square i."""
    cdef int row
    result = 0
    for row in range(size):
        result |= row_of(board, row) << size * row
    return result


cdef object row_of(const uint64_t *board, int row):
    """Return the 21 bits of a row of the frame."""
    cdef int bit = BF_STRIDE * row
    cdef uint64_t bits = board[bit >> 6] >> (bit & 63)
    if (bit & 63) > 43 and bit >> 6 < 7:
        bits |= board[(bit >> 6) + 1] << (64 - (bit & 63))
    return bits & 0x1FFFFF
