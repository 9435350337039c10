# pool.pxi: plain threads that share the work of one call. They are Python's threads, but run
# without the GIL and without Python objects, and stay around between two calls: a step of a
# thousand games takes less time than it takes to start a thread, or to wake one up. So both sides
# first look again and again for a little while, and only then go to sleep.

from cpython.pythread cimport (
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
    PyThread_type_lock,
    WAIT_LOCK,
)
from cpython.ref cimport Py_DECREF, Py_INCREF

import threading


cdef extern from "pythread.h" nogil:
    int PyThread_acquire_lock_timed(PyThread_type_lock lock, long long microseconds, int interrupt)


cdef extern from * nogil:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static long bf_load(long *at) { return _InterlockedOr(at, 0); }
    static long bf_swap(long *at, long value) { return _InterlockedExchange(at, value); }
    static void bf_add(long *at, long n) { _InterlockedExchangeAdd(at, n); }
    #if defined(_M_X64)
    static void bf_pause(void) { _mm_pause(); }
    #else
    static void bf_pause(void) { __yield(); }
    #endif
    static void bf_yield(void) {}
    #else
    #include <sched.h>
    static void bf_yield(void) { sched_yield(); }
    static long bf_load(long *at) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); }
    static long bf_swap(long *at, long value) {
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);
    }
    static void bf_add(long *at, long n) { __atomic_fetch_add(at, n, __ATOMIC_SEQ_CST); }
    static void bf_pause(void) {
    #if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
    #elif defined(__aarch64__)
        __asm__ volatile("yield");
    #endif
    }
    #endif
    """
    long bf_load(long *at)
    long bf_swap(long *at, long value)
    void bf_add(long *at, long n)
    void bf_pause()
    void bf_yield()


cdef enum:
    # Looks before a thread goes to sleep: some ten microseconds to a hundred.
    LOOKS = 3000
    # How long a wait goes on before Ctrl-C is looked for.
    WAIT_MICROSECONDS = 50000
    MOST_THREADS = 1024

# Work on the rows `first` to `last` - 1, as part number `part`. Returns what went wrong, or 0.
ctypedef int (*part_function)(
    void *work, Py_ssize_t first, Py_ssize_t last, int part
) noexcept nogil


cdef void wait_for(
    long *number, long value, long *asleep, PyThread_type_lock lock, long looks
) noexcept nogil:
    """Wait until a number is a value. Whoever sets it calls `wake` then."""
    cdef long i
    for i in range(looks):
        if bf_load(number) == value:
            return
        bf_pause()
        if i & 63 == 63:
            bf_yield()
    bf_swap(asleep, 1)
    if bf_load(number) == value and bf_swap(asleep, 0):
        return  # nobody has woken us up
    PyThread_acquire_lock(lock, WAIT_LOCK)


cdef inline void wake(long *asleep, PyThread_type_lock lock) noexcept nogil:
    if bf_swap(asleep, 0):
        PyThread_release_lock(lock)


@cython.final
cdef class Helper:
    """A thread that waits for parts of work; it ends when it is handed none."""

    cdef PyThread_type_lock wake_up
    cdef PyThread_type_lock finished
    # Parts handed out, and done; who has gone to sleep over it.
    cdef long handed, done, asleep, caller_asleep
    # Looks before going to sleep; read by the thread while the next call may set it.
    cdef long looks
    cdef part_function run
    cdef void *work
    cdef Py_ssize_t first, last
    cdef int part, status

    def __cinit__(self):
        self.wake_up = PyThread_allocate_lock()
        self.finished = PyThread_allocate_lock()
        if self.wake_up == NULL or self.finished == NULL:
            raise MemoryError
        PyThread_acquire_lock(self.wake_up, WAIT_LOCK)
        PyThread_acquire_lock(self.finished, WAIT_LOCK)

    def __dealloc__(self):
        if self.wake_up != NULL:
            PyThread_free_lock(self.wake_up)
        if self.finished != NULL:
            PyThread_free_lock(self.finished)

    def serve(self):
        """Do parts until there is an empty one; runs in the thread."""
        cdef long turn = 0
        with nogil:
            while True:
                turn += 1
                wait_for(
                    &self.handed, turn, &self.asleep, self.wake_up, bf_load(&self.looks)
                )
                if self.run == NULL:
                    break
                self.status = self.run(self.work, self.first, self.last, self.part)
                bf_swap(&self.done, turn)
                wake(&self.caller_asleep, self.finished)

    cdef void hand_out(self) noexcept nogil:
        """Let the thread begin with what has been filled in."""
        bf_swap(&self.handed, self.handed + 1)
        wake(&self.asleep, self.wake_up)

    cdef bint is_done(self, bint sleeping) noexcept nogil:
        """Wait a little; say whether the part is done. `sleeping` is what was said before."""
        cdef long i
        if not sleeping:
            for i in range(bf_load(&self.looks)):
                if bf_load(&self.done) == self.handed:
                    return True
                bf_pause()
                if i & 63 == 63:
                    bf_yield()
            bf_swap(&self.caller_asleep, 1)
            if bf_load(&self.done) == self.handed and bf_swap(&self.caller_asleep, 0):
                return True
        return PyThread_acquire_lock_timed(self.finished, WAIT_MICROSECONDS, 0) == 1


@cython.final
cdef class Pool:
    """The helpers of one batch."""

    cdef int threads, n_helpers, processors
    cdef void **helpers
    cdef object process

    def __cinit__(self):
        self.threads = 1
        self.processors = os.cpu_count() or 1

    def __dealloc__(self):
        cdef int i
        for i in range(self.n_helpers):
            # In a child process there are no threads behind them.
            (<Helper>self.helpers[i]).run = NULL
            (<Helper>self.helpers[i]).hand_out()
            Py_DECREF(<Helper>self.helpers[i])
        PyMem_RawFree(self.helpers)

    cdef int prepare(self, int n) except -1:
        """Have so many helpers."""
        cdef Helper helper
        cdef void *room
        process = os.getpid()
        if self.process != process:
            # After a fork the child has the helpers, but not their threads.
            self.process = process
            self.n_helpers = 0
        while self.n_helpers < n:
            room = PyMem_RawRealloc(self.helpers, (self.n_helpers + 1) * sizeof(void *))
            if room == NULL:
                raise MemoryError
            self.helpers = <void **>room
            helper = Helper()
            threading.Thread(target=helper.serve, daemon=True).start()
            Py_INCREF(helper)
            self.helpers[self.n_helpers] = <void *>helper
            self.n_helpers += 1
        return 0

    cdef int run(
        self, part_function run, void *work, Py_ssize_t total, Py_ssize_t fewest,
        Py_ssize_t block, uint8_t *stop,
    ) except -1:
        """Do the rows 0 to `total` - 1, at least `fewest` in a part; return if all went well.

        The caller does the first part, `block` rows at a time, and looks for Ctrl-C. Whatever
        happens, nobody is at work any more when this returns or raises.
        """
        cdef int parts = <int>max(1, min(self.threads, total // fewest))
        cdef int i, status = 0
        cdef Py_ssize_t first, last
        cdef Helper helper
        cdef bint done, sleeping
        error = None
        if parts > 1:
            self.prepare(parts - 1)
        for i in range(1, parts):
            helper = <Helper>self.helpers[i - 1]
            # With more threads than processors, looking takes the time from those who work.
            bf_swap(&helper.looks, LOOKS if parts <= self.processors else 0)
            helper.run = run
            helper.work = work
            helper.first = total * i // parts
            helper.last = total * (i + 1) // parts
            helper.part = i
            helper.hand_out()
        first = 0
        while first < total // parts and error is None and status == 0:
            last = min(first + block, total // parts)
            with nogil:
                status |= run(work, first, last, 0)
            first = last
            try:
                PyErr_CheckSignals()
            except BaseException as raised:
                error = raised
        for i in range(1, parts):
            helper = <Helper>self.helpers[i - 1]
            done = sleeping = False
            while not done:
                if (error is not None or status) and stop != NULL:
                    stop[0] = 1
                with nogil:
                    done = helper.is_done(sleeping)
                sleeping = True
                try:
                    PyErr_CheckSignals()
                except BaseException as raised:
                    error = raised
            status |= helper.status
        if error is not None:
            raise error
        if status:
            raise MemoryError
        return 0
