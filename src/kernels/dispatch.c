/* dispatch.c: which kernels there are and which of them run here.
 *
 * Compiled for the plain baseline, and only asks: what was chosen is for the caller to keep.
 */
#include "kernels.h"

#include <string.h>

#include "cpu.h"

typedef struct entry {
    const bf_kernel *kernel;
    const bf_evaluator *evaluator;
    unsigned needs;
} entry;

/* Slowest first. */
static const entry ENTRIES[] = {
    {&bf_kernel_portable, &bf_evaluator_portable, 0},
#if BF_X86_64
    {&bf_kernel_v2, &bf_evaluator_v2, BF_CPU_V2},
    {&bf_kernel_avx2, &bf_evaluator_avx2, BF_CPU_V2 | BF_CPU_AVX2},
    {&bf_kernel_avx512, &bf_evaluator_avx512, BF_CPU_V2 | BF_CPU_AVX2 | BF_CPU_AVX512},
#endif
#if BF_NEON
    {&bf_kernel_neon, &bf_evaluator_neon, 0},
#endif
};

static const size_t N_ENTRIES = sizeof ENTRIES / sizeof ENTRIES[0];

const bf_kernel *bf_kernel_at(size_t index, int *supported) {
    if (index >= N_ENTRIES) return NULL;
    const entry *e = &ENTRIES[index];
    if (supported != NULL) *supported = (bf_cpu_detect() & e->needs) == e->needs;
    return e->kernel;
}

const bf_evaluator *bf_evaluator_of(const bf_kernel *kernel) {
    for (size_t i = 0; i < N_ENTRIES; i++) {
        if (ENTRIES[i].kernel == kernel) return ENTRIES[i].evaluator;
    }
    return NULL;
}

const bf_kernel *bf_kernel_best(void) {
    size_t index = N_ENTRIES - 1;
    unsigned found = bf_cpu_detect();
    while ((found & ENTRIES[index].needs) != ENTRIES[index].needs) index--;
    return ENTRIES[index].kernel;
}

const bf_kernel *bf_kernel_by_name(const char *name) {
    for (size_t i = 0; i < N_ENTRIES; i++) {
        if (strcmp(ENTRIES[i].kernel->name, name) == 0) return ENTRIES[i].kernel;
    }
    return NULL;
}

int bf_kernel_supported(const char *name) {
    int supported;
    const bf_kernel *kernel;
    for (size_t i = 0; (kernel = bf_kernel_at(i, &supported)) != NULL; i++) {
        if (strcmp(kernel->name, name) == 0) return supported;
    }
    return 0;
}

char *bf_cpu_features(char *text, size_t size) {
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = {{BF_CPU_V2, "x86-64-v2"}, {BF_CPU_AVX2, "avx2 bmi2"},
                 {BF_CPU_AVX512, "avx512 vbmi2 vpopcntdq bitalg"}};
    unsigned found = bf_cpu_detect();
    size_t used = 0;
    if (size == 0) return text;
    text[0] = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if ((found & names[i].bit) == 0) continue;
        if (used > 0 && used + 1 < size) text[used++] = ' ';
        for (const char *c = names[i].name; *c != 0 && used + 1 < size; c++) text[used++] = *c;
        text[used] = 0;
    }
    return text;
}
