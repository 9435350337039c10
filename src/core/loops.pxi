# loops.pxi: loops over a range of games, without the GIL: what one thread does of a call of Batch.
# Each game is the engine's; here is memory that is kept and grows, and what goes wrong.

# What a loop over games works on; each uses some of it.
cdef struct Work:
    const bf_rules *rules
    bf_state *states
    bf_undo *undo
    const uint64_t *increments
    IdRoom *rooms            # one a part
    Py_ssize_t *ends         # one a part
    const int32_t *actions
    int32_t *numbers         # written
    uint8_t *bytes           # written
    int64_t *offsets         # written
    uint64_t seed
    const uint64_t *seeds    # one a game; NULL: `seed` for all
    Policy policy
    bf_view view
    Py_ssize_t each          # rows a game, or bytes from game to game
    uint8_t stop

cdef enum:
    # In place of an action that was not taken: no id is as large.
    NOT_TAKEN = 0xFFFFFFFF


# -- the legal actions of some games, one after the other ---------------------------------------

cdef struct IdRoom:
    uint16_t *short_ids  # where actions are what a kernel lists for one color
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
        room.scratch = <uint16_t *>PyMem_RawMalloc(sizeof(uint16_t) * BF_LIST_SIZE)
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
    # A kernel may write beyond what it finds, up to BF_LIST_SIZE ids.
    cdef size_t needed = room.used + <size_t>(rules.n_actions if room.is_long else BF_LIST_SIZE)
    if needed > room.capacity and grow_room(room, needed):
        return 1
    if room.is_long:
        room.used += bf_list(rules, s, -1, room.scratch, room.long_ids + room.used)
    else:
        room.used += bf_list_short(rules, s, -1, room.short_ids + room.used)
    room.ends[room.games] = <int64_t>room.used
    room.games += 1
    return 0


# -- masks of so many games that no cache holds them ---------------------------------------------

# Each is made where it stays in a cache, and then written past all caches: memory is not read
# first only to be overwritten.

cdef extern from * nogil:
    """
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    #include <string.h>
    /* Copy to memory, not to a cache. Whole cache lines only are streamed. */
    static void bf_stream(uint8_t *to, const uint8_t *from, size_t size) {
        size_t head = (size_t)(-(uintptr_t)to & 63);
        if (head > size) head = size;
        memcpy(to, from, head);
        to += head, from += head, size -= head;
        for (; size >= 64; to += 64, from += 64, size -= 64) {
            __m128i a = _mm_loadu_si128((const __m128i *)from);
            __m128i b = _mm_loadu_si128((const __m128i *)from + 1);
            __m128i c = _mm_loadu_si128((const __m128i *)from + 2);
            __m128i d = _mm_loadu_si128((const __m128i *)from + 3);
            _mm_stream_si128((__m128i *)to, a);
            _mm_stream_si128((__m128i *)to + 1, b);
            _mm_stream_si128((__m128i *)to + 2, c);
            _mm_stream_si128((__m128i *)to + 3, d);
        }
        memcpy(to, from, size);
    }
    /* Make what was streamed visible to other threads. */
    static void bf_stream_end(void) { _mm_sfence(); }
    #else
    static void bf_stream(uint8_t *to, const uint8_t *from, size_t size) {
        memcpy(to, from, size);
    }
    static void bf_stream_end(void) {}
    #endif
    """
    void bf_stream(uint8_t *to, const uint8_t *from_, size_t size)
    void bf_stream_end()


cdef inline void mark(
    const uint16_t *short_ids, const int32_t *long_ids, size_t n, uint8_t value, uint8_t *mask
) noexcept nogil:
    """Set the bytes of ids, given in one of two forms."""
    cdef size_t i
    if short_ids != NULL:
        for i in range(n):
            mask[short_ids[i]] = value
    else:
        for i in range(n):
            mask[long_ids[i]] = value


cdef int stream_masks(
    const bf_rules *rules, const bf_state *states, Py_ssize_t n, uint8_t *out
) noexcept nogil:
    """Write the masks of games; return 1 if there is no memory."""
    cdef Py_ssize_t i
    cdef int failed
    cdef IdRoom room
    cdef uint8_t *mask = <uint8_t *>PyMem_RawMalloc(rules.n_actions)
    if mask == NULL:
        return 1
    memset(mask, 0, rules.n_actions)
    memset(&room, 0, sizeof(room))
    failed = open_room(&room, 1, rules)
    for i in range(n):
        room.used = room.games = 0
        if failed or append_ids(&room, rules, &states[i]):
            failed = 1
            break
        mark(room.short_ids, room.long_ids, room.used, 1, mask)
        bf_stream(out + i * <Py_ssize_t>rules.n_actions, mask, rules.n_actions)
        mark(room.short_ids, room.long_ids, room.used, 0, mask)
    bf_stream_end()
    close_room(&room)
    PyMem_RawFree(mask)
    return failed


# -- the loops, over a part of the games ---------------------------------------------------------

cdef int count_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    cdef Py_ssize_t i
    for i in range(first, last):
        w.numbers[i] = <int32_t>bf_count(w.rules, &w.states[i], -1)
    return 0


cdef int mask_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    cdef Py_ssize_t i
    for i in range(first, last):
        bf_mask(w.rules, &w.states[i], -1, w.bytes + i * <Py_ssize_t>w.rules.n_actions)
    return 0


cdef int stream_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    return stream_masks(
        w.rules, w.states + first, last - first, w.bytes + first * <Py_ssize_t>w.rules.n_actions
    )


cdef int list_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    cdef Py_ssize_t i
    cdef IdRoom *room = &w.rooms[part]
    if open_room(room, <size_t>(last - first), w.rules):
        return 1
    for i in range(first, last):
        if append_ids(room, w.rules, &w.states[i]):
            return 1
    return 0


cdef int store_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    cdef const IdRoom *room = &w.rooms[part]
    cdef size_t k
    cdef Py_ssize_t begin = first if part else 0
    # The caller's part may come in several blocks, but its ids were listed as one.
    if part == 0 and first > 0:
        return 0
    for k in range(room.games):
        w.offsets[begin + <Py_ssize_t>k + 1] = room.before + room.ends[k]
    if room.is_long:
        if room.used:
            memcpy(w.numbers + room.before, room.long_ids, room.used * sizeof(int32_t))
    else:
        widen(room.short_ids, w.numbers + room.before, room.used)
    return 0


cdef inline void widen(const uint16_t *short_ids, int32_t *ids, size_t n) noexcept nogil:
    cdef size_t k
    for k in range(n):
        ids[k] = short_ids[k]


cdef int draw_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    cdef const bf_state *s
    cdef Py_ssize_t i
    cdef bf_rng rng
    cdef Policy policy = w.policy
    if open_policy(&policy):
        return 1
    bf_rng_seed(&rng, 0, 0)
    for i in range(first, last):
        s = &w.states[i]
        if s.phase == BF_OVER:
            w.numbers[i] = -1
            continue
        # What bf_rng_seed(&rng, bf_mix64(...), stream) makes, with what does not change from call
        # to call kept.
        if w.seeds != NULL:
            rng.state = bf_mix64(bf_mix64(w.seeds[i] + s.ply)) ^ stream_start(0)
        else:
            rng.increment = w.increments[i]
            rng.state = bf_mix64(bf_mix64(w.seed + s.ply)) ^ stream_start(<uint64_t>i)
        w.numbers[i] = <int32_t>bf_draw(w.rules, s, &policy.c, &rng)
    close_policy(&policy)
    return 0


cdef inline uint64_t stream_start(uint64_t stream) noexcept nogil:
    """Return what bf_rng_seed makes of the number of a stream."""
    return bf_mix64(stream + <uint64_t>0x632BE59BD9B4E019)


cdef int step_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    """Take actions, up to the first that may not be taken; note how far it went."""
    cdef const Work *w = <const Work *>work
    cdef Py_ssize_t i
    cdef int32_t action
    if w.ends[part] != first:  # an earlier block went wrong
        return 0
    for i in range(first, last):
        # Read once: the array is the caller's, who may write to it meanwhile.
        action = (<const volatile int32_t *>w.actions)[i]
        if action == -1:
            w.undo[i].action = NOT_TAKEN
            continue
        if not bf_is_legal(w.rules, &w.states[i], -1, <uint32_t>action):
            last = i
            break
        bf_push(w.rules, &w.states[i], <uint32_t>action, &w.undo[i])
    w.ends[part] = last
    return 0


cdef void unstep(const Work *w, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Take back what `step_part` has done."""
    cdef Py_ssize_t i
    for i in range(first, last):
        if w.undo[i].action != NOT_TAKEN:
            bf_pop(w.rules, &w.states[i], &w.undo[i])


cdef int play_out_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef Work *w = <Work *>work
    cdef const bf_rules *rules = w.rules
    cdef bf_state_room room
    cdef bf_state *s = state_in(&room)
    cdef Py_ssize_t row
    cdef bf_rng rng
    cdef Policy policy = w.policy
    cdef int player
    if open_policy(&policy):
        return 1
    for row in range(first, last):
        if w.stop:
            break
        s[0] = w.states[row // w.each]
        if w.seeds != NULL:
            bf_rng_seed(&rng, w.seeds[row // w.each], <uint64_t>(row % w.each))
        else:
            bf_rng_seed(&rng, w.seed, <uint64_t>row)
        bf_playout(rules, s, &policy.c, &rng)
        for player in range(rules.n_players):
            w.numbers[row * rules.n_players + player] = rules.kernel.player_score(rules, s, player)
    close_policy(&policy)
    return 0


cdef int observe_part(void *work, Py_ssize_t first, Py_ssize_t last, int part) noexcept nogil:
    cdef const Work *w = <const Work *>work
    cdef Py_ssize_t i
    for i in range(first, last):
        w.rules.kernel.observe(w.rules, &w.states[i], &w.view, w.bytes + i * w.each)
    return 0
