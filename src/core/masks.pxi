# masks.pxi: masks of so many games that no cache holds them. Each is made where it stays in a
# cache, and then written past all caches: memory is not read first only to be overwritten.

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
