/* Slows kernels down on purpose, for the test of the speed gate: linked into a second bench_core
 * in place of the functions that hand kernels out (see cmake/bench.cmake). Every second list is
 * made twice: honest work, only more of it. Of the timed kernels only "portable" is slowed; of
 * those asked for by name, each. */
#include <string.h>

#include "kernels.h"

const bf_kernel *__real_bf_kernel_at(size_t index, int *supported);
const bf_kernel *__real_bf_kernel_by_name(const char *name);

static bf_kernel slowed;
static const bf_kernel *honest;
static unsigned calls;
static uint16_t spare[BF_MAX_MOVES + BF_LIST_PADDING];

static uint32_t slow_list(const bf_layout *layout, const uint64_t (*own)[BF_WORDS], int color,
                          uint32_t pieces, uint16_t *ids) {
    if (calls++ % 2 != 0) honest->list(layout, own, color, pieces, spare);
    return honest->list(layout, own, color, pieces, ids);
}

static const bf_kernel *slow_down(const bf_kernel *kernel) {
    honest = kernel;
    slowed = *kernel;
    slowed.list = slow_list;
    return &slowed;
}

const bf_kernel *__wrap_bf_kernel_at(size_t index, int *supported) {
    const bf_kernel *kernel = __real_bf_kernel_at(index, supported);
    if (kernel == NULL || strcmp(kernel->name, "portable") != 0) return kernel;
    return slow_down(kernel);
}

const bf_kernel *__wrap_bf_kernel_by_name(const char *name) {
    const bf_kernel *kernel = __real_bf_kernel_by_name(name);
    return kernel == NULL ? NULL : slow_down(kernel);
}
