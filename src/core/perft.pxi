# perft.pxi: counting sequences of moves, the classic test of a generator. Skipped colours cost no
# depth; the last ply is counted without listing it.

cdef uint64_t count_sequences(
    const bf_rules *rules, const bf_state *s, int depth, uint16_t *scratch, int32_t *ids
) except? 0xFFFFFFFFFFFFFFFF nogil:
    """Count the sequences of `depth` moves; `ids` has room for the lists of all depths."""
    cdef uint64_t total = 0
    cdef uint32_t i, n
    cdef bf_state child
    cdef bf_undo undo
    if depth == 1:
        return count_actions(rules, s, -1)
    if depth == 3:
        with gil:
            PyErr_CheckSignals()
    n = list_actions(rules, s, -1, scratch, ids)
    for i in range(n):
        child = s[0]
        push_state(rules, &child, ids[i], &undo)
        total += count_sequences(rules, &child, depth - 1, scratch, ids + n)
    return total


cdef uint64_t perft_of(const bf_rules *rules, const bf_state *s, int depth) except? 0xFFFFFFFFFFFFFFFF:
    """Allocate the lists for all depths and count."""
    cdef size_t levels = min(depth, 512)
    cdef uint16_t *scratch
    cdef int32_t *ids
    cdef bf_state root = s[0]
    cdef uint64_t total
    if depth == 0:
        return 1
    scratch = <uint16_t *>PyMem_RawMalloc(sizeof(uint16_t) * LIST_SIZE)
    ids = <int32_t *>PyMem_RawMalloc(sizeof(int32_t) * levels * (rules.n_actions + 1))
    try:
        if scratch == NULL or ids == NULL:
            raise MemoryError
        with nogil:
            total = count_sequences(rules, &root, depth, scratch, ids)
    finally:
        PyMem_RawFree(scratch)
        PyMem_RawFree(ids)
    return total


cdef int check_depth(depth) except -1:
    cdef int64_t checked = as_id(depth)
    if not 0 <= checked <= 512:
        raise ValueError(f"depth {depth} is not in 0..512")
    return <int>checked


def perft(Board board not None, depth, /):
    """Count the sequences of `depth` legal moves from a position.

    Colours that cannot move are skipped and cost no depth; a game that ends early has no longer
    sequences. The last ply is counted without being listed.

    Parameters
    ----------
    board : Board
        The position; not changed.
    depth : int
        Number of moves, 0 to 512.

    Returns
    -------
    int

    Examples
    --------
    >>> import blokus_fast as bf
    >>> bf.perft(bf.Board("classic"), 2)
    3364
    """
    return perft_of(board.c_rules, board.state, check_depth(depth))


def divide(Board board not None, depth, /):
    """Return perft(depth - 1) after each legal move, by move id.

    Parameters
    ----------
    board : Board
        The position; not changed.
    depth : int
        Number of moves, 1 to 512.

    Returns
    -------
    dict of int to int

    Examples
    --------
    >>> import blokus_fast as bf
    >>> sum(bf.divide(bf.Board("junior", start="assigned"), 2).values())
    35721
    """
    cdef int checked = check_depth(depth)
    cdef Board child
    if checked < 1:
        raise ValueError(f"depth {depth} is not in 1..512")
    result = {}
    for action in board.legal_ids().tolist():
        child = board.copy()
        child.c_push(action)
        result[action] = perft_of(child.c_rules, child.state, checked - 1)
    return result
