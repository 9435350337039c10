/* expect.h: the one macro of the tests in C. A condition that does not hold is told and counted;
 * in the fuzz target it ends the program at once, so that the fuzzer keeps the input.
 */
#ifndef BF_EXPECT_H
#define BF_EXPECT_H

#include <stdio.h>
#include <stdlib.h>

/* Defined in rules_for.c. */
extern int expect_failures;
extern int expect_traps;
/* What is being tested, for the message. */
extern const char *expect_where;

enum { EXPECT_TOLD = 20 };

#define CHECK(condition)                                                                       \
    do {                                                                                       \
        if (!(condition)) expect_failed(__FILE__, __LINE__, #condition);                       \
    } while (0)

static inline void expect_failed(const char *file, int line, const char *condition) {
    if (expect_failures++ < EXPECT_TOLD) {
        fprintf(stderr, "%s:%d: %s: not so: %s\n", file, line, expect_where, condition);
    }
    if (expect_traps) abort();
}

/* The end of every main. */
static inline int expect_result(void) {
    if (expect_failures > 0) fprintf(stderr, "%d conditions did not hold\n", expect_failures);
    return expect_failures > 0;
}

#endif
