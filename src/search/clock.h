/* clock.h: a clock that only goes forward, in nanoseconds. Static functions only. */
#ifndef BF_CLOCK_H
#define BF_CLOCK_H

#include <stdint.h>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
/* Words of old pointers there, and names of our own. */
#undef near
#undef far
static inline int64_t bf_now(void) {
    LARGE_INTEGER ticks, each;
    QueryPerformanceFrequency(&each);
    QueryPerformanceCounter(&ticks);
    return (int64_t)((double)ticks.QuadPart * (1e9 / (double)each.QuadPart));
}
#else
#include <time.h>
static inline int64_t bf_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
#endif

#endif
