# id_room.pxi: the legal actions of some games, one after the other, in memory that is kept and grows.

cdef struct IdRoom:
    uint16_t *short_ids  # where actions are what a kernel lists for one colour
    int32_t *long_ids
    uint16_t *scratch
    int64_t *ends
    size_t used, capacity, games, games_capacity
    int64_t before       # ids in the rooms before this one
    bint is_long


cdef void close_room(IdRoom *room) noexcept nogil:
    PyMem_RawFree(room.short_ids)
    PyMem_RawFree(room.long_ids)
    PyMem_RawFree(room.scratch)
    PyMem_RawFree(room.ends)


cdef int open_room(IdRoom *room, size_t games, const bf_rules *rules) noexcept nogil:
    """Make room for so many more games; return 1 if there is no memory."""
    cdef void *memory
    cdef size_t needed = room.games + games
    room.is_long = rules.draft or rules.voluntary_pass
    if needed > room.games_capacity:
        memory = PyMem_RawRealloc(room.ends, needed * sizeof(int64_t))
        if memory == NULL:
            return 1
        room.ends = <int64_t *>memory
        room.games_capacity = needed
    if room.is_long and room.scratch == NULL:
        room.scratch = <uint16_t *>PyMem_RawMalloc(sizeof(uint16_t) * LIST_SIZE)
        return room.scratch == NULL
    return 0


cdef int grow_room(IdRoom *room, size_t needed) noexcept nogil:
    """Make room for so many ids; return 1 if there is no memory."""
    cdef size_t capacity = max(needed, 2 * room.capacity)
    cdef void *memory
    if room.is_long:
        memory = PyMem_RawRealloc(room.long_ids, capacity * sizeof(int32_t))
        if memory != NULL:
            room.long_ids = <int32_t *>memory
    else:
        memory = PyMem_RawRealloc(room.short_ids, capacity * sizeof(uint16_t))
        if memory != NULL:
            room.short_ids = <uint16_t *>memory
    if memory == NULL:
        return 1
    room.capacity = capacity
    return 0


cdef int append_ids(IdRoom *room, const bf_rules *rules, const bf_state *s) noexcept nogil:
    """List the actions of one more game; return 1 if there is no room for them."""
    # A kernel may write beyond what it finds, up to LIST_SIZE.
    cdef size_t needed = room.used + <size_t>(rules.n_actions if room.is_long else LIST_SIZE)
    if needed > room.capacity and grow_room(room, needed):
        return 1
    if room.is_long:
        room.used += list_actions(rules, s, -1, room.scratch, room.long_ids + room.used)
    elif s.phase != BF_OVER:
        room.used += kernel.list(
            &rules.layout, <bf_boards>s.own, s.turn, placeable(rules, s, 0, s.turn),
            room.short_ids + room.used,
        )
    room.ends[room.games] = <int64_t>room.used
    room.games += 1
    return 0
