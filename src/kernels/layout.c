/* layout.c: the id tables of a board size. Runs once per variant; knows no position. */
#include "kernels.h"

#include <string.h>

#include "bf_kernel_code.h"

void bf_layout_fill(bf_layout *layout, int size) {
    memset(layout->anchors, 0, sizeof layout->anchors);
    memset(layout->rank, 0, sizeof layout->rank);
    for (int box = 0; box < BF_BOXES; box++) {
        for (int row = 0; row + bf_box_height[box] <= size; row++) {
            for (int column = 0; column + bf_box_width[box] <= size; column++) {
                int bit = BF_STRIDE * row + column;
                layout->anchors[box][bit >> 6] |= UINT64_C(1) << (bit & 63);
            }
        }
    }
    for (int width = 1; width <= 5 && width <= size; width++) {
        int across = size + 1 - width;
        for (int row = 0; row < size; row++) {
            for (int column = 0; column < across; column++) {
                layout->rank[width - 1][BF_STRIDE * row + column] =
                    (uint16_t)(row * across + column);
            }
        }
    }
    unsigned id = 0;
    for (int o = 0; o < BF_ORIENTATIONS; o++) {
        const uint64_t *anchors = layout->anchors[bf_orientation_box[o]];
        layout->first[o] = (uint16_t)id;
        for (int w = 0; w < BF_WORDS; w++) {
            layout->base[o][w] = (uint16_t)id;
            for (uint64_t left = anchors[w]; left != 0; left &= left - 1) id++;
        }
    }
    layout->first[BF_ORIENTATIONS] = (uint16_t)id;
    layout->size = (uint16_t)size;
    layout->n_moves = (uint16_t)id;
}
