/* kernels.h: what the kernels offer to the rest of the extension. Never installed.
 *
 * Knows which kernels there are; each is one const table of functions (see blokus_fast.h).
 */
#ifndef BF_KERNELS_H
#define BF_KERNELS_H

#include <stddef.h>

#include "blokus_fast.h"
#include "evaluation.h"

/* Kernels for more than the baseline are compiled for x86-64 only. */
#if defined(__x86_64__) || defined(_M_X64)
#define BF_X86_64 1
#else
#define BF_X86_64 0
#endif
/* NEON is part of every 64-bit ARM. Big-endian ones have the portable kernel, and so has what
 * Microsoft's compiler makes, which does not define the first of these. */
#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define BF_NEON 1
#else
#define BF_NEON 0
#endif

extern const bf_kernel bf_kernel_portable;
extern const bf_evaluator bf_evaluator_portable;
#if BF_X86_64
extern const bf_kernel bf_kernel_v2, bf_kernel_avx2, bf_kernel_avx512;
extern const bf_evaluator bf_evaluator_v2, bf_evaluator_avx2, bf_evaluator_avx512;
#endif
#if BF_NEON
extern const bf_kernel bf_kernel_neon;
extern const bf_evaluator bf_evaluator_neon;
#endif

/* The fastest kernel that this CPU and operating system can run. */
const bf_kernel *bf_kernel_best(void);
/* The kernel of that name, or NULL if it is not compiled in. It may be unsupported here. */
const bf_kernel *bf_kernel_by_name(const char *name);
/* Whether a kernel of that name is compiled in and can run here. */
int bf_kernel_supported(const char *name);
/* Kernel number `index`, slowest first, or NULL behind the last; *supported says if it runs. */
const bf_kernel *bf_kernel_at(size_t index, int *supported);
/* Write the instruction sets that matter to the kernels and can be used, separated by blanks
 * and ended by a 0 byte, to text (cut off at size); return text. */
char *bf_cpu_features(char *text, size_t size);

#endif
