/* cpu.c: detection of instruction sets. Compiled for the plain baseline, like dispatch.c.
 *
 * A feature counts only if the operating system saves the registers it needs (XGETBV): old
 * virtual machines and Rosetta report CPUs whose registers they do not keep.
 */
#include "cpu.h"

#include <stdint.h>

#include "kernels.h"

#if BF_X86_64

#if defined(_MSC_VER) && !defined(__clang__)
#include <immintrin.h>
#include <intrin.h>
static void cpuid(unsigned leaf, unsigned *r) {
    int out[4];
    __cpuidex(out, (int)leaf, 0);
    for (int i = 0; i < 4; i++) r[i] = (unsigned)out[i];
}
static uint64_t xcr0(void) { return _xgetbv(0); }
#else
#include <cpuid.h>
static void cpuid(unsigned leaf, unsigned *r) { __cpuid_count(leaf, 0, r[0], r[1], r[2], r[3]); }
static uint64_t xcr0(void) {
    uint32_t low, high;
    /* The bytes of XGETBV: the mnemonic would need -mxsave. */
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
    return ((uint64_t)high << 32) | low;
}
#endif

#define BIT(n) (1u << (n))

static int has(unsigned word, unsigned bits) { return (word & bits) == bits; }

unsigned bf_cpu_detect(void) {
    unsigned r[4];
    cpuid(0, r);
    unsigned highest = r[0];
    cpuid(UINT32_C(0x80000000), r);
    unsigned highest_extended = r[0];
    if (highest < 1) return 0;

    cpuid(1, r);
    unsigned c1 = r[2];
    /* SSE3, SSSE3, CX16, SSE4.1, SSE4.2, POPCNT */
    if (!has(c1, BIT(0) | BIT(9) | BIT(13) | BIT(19) | BIT(20) | BIT(23))) return 0;
    unsigned found = BF_CPU_V2;

    /* FMA, MOVBE, OSXSAVE, AVX, F16C complete x86-64-v3 together with the words below. */
    if (!has(c1, BIT(12) | BIT(22) | BIT(27) | BIT(28) | BIT(29))) return found;
    if (highest < 7 || highest_extended < UINT32_C(0x80000001)) return found;
    uint64_t state = xcr0();
    if ((state & 0x06) != 0x06) return found;
    cpuid(UINT32_C(0x80000001), r);
    if (!has(r[2], BIT(5))) return found; /* LZCNT */
    cpuid(7, r);
    unsigned b7 = r[1], c7 = r[2];
    if (!has(b7, BIT(3) | BIT(5) | BIT(8))) return found; /* BMI1, AVX2, BMI2 */
    found |= BF_CPU_AVX2;

    if ((state & 0xe6) != 0xe6) return found;
    /* F, DQ, BW, VL and VBMI, VBMI2, BITALG, VPOPCNTDQ */
    if (!has(b7, BIT(16) | BIT(17) | BIT(30) | BIT(31))) return found;
    if (!has(c7, BIT(1) | BIT(6) | BIT(12) | BIT(14))) return found;
    return found | BF_CPU_AVX512;
}

#else

unsigned bf_cpu_detect(void) { return 0; }

#endif
