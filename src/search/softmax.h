/* softmax.h: the exponential function that priors and values are made with. */
#ifndef BF_SOFTMAX_H
#define BF_SOFTMAX_H

#include <stdint.h>

/* e to the power of x <= 0, the same on every machine to the last bit but one. */
static inline float bf_power_of_e(float x) {
    const float round = 12582912.0f; /* 1.5 * 2^23: what is added to it loses its fraction */
    float t = (x < -80.0f ? -80.0f : x) * 1.44269504f;
    float whole = (t + round) - round, f = t - whole;
    float power = 1.0f + f * (0.69314718f + f * (0.24022651f + f * (0.05550411f +
                  f * (0.00961813f + f * 0.00133336f))));
    union {
        float value;
        int32_t bits;
    } scaled = {power};
    scaled.bits += (int32_t)whole * (1 << 23);
    return scaled.value;
}

#endif
