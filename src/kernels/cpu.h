/* cpu.h: what this CPU can do, as far as the operating system lets it. */
#ifndef BF_CPU_H
#define BF_CPU_H

/* Instruction sets, in groups as the kernels need them. */
enum {
    BF_CPU_V2 = 1,      /* SSE3, SSSE3, SSE4.1, SSE4.2, POPCNT, CX16 */
    BF_CPU_AVX2 = 2,    /* AVX, AVX2, BMI1, BMI2, LZCNT; ymm state kept by the system */
    BF_CPU_AVX512 = 4   /* F, BW, DQ, VL, VBMI, VBMI2, VPOPCNTDQ, BITALG; zmm state kept */
};

/* Ask the CPU; the same answer every time. 0 where there is nothing to ask. */
unsigned bf_cpu_detect(void);

#endif
