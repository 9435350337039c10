/* test_api.c: the table that other programs get: complete, and the same functions. */
#include "api.h"

#include <stddef.h>

#include "kernels.h"
#include "position.h"

/* Play a game by the table alone, as docs/native.md shows it. */
static void a_game(const bf_api *bf) {
    static bf_rules rules;
    static uint32_t placements[BF_MAX_MOVES];
    static room r;
    bf_state s, kept;
    bf_undo undo;
    bf_rng rng;
    bf_fault fault;
    bf_policy policy;
    int square;
    memset(&policy, 0, sizeof policy);
    memset(&rules, 0, sizeof rules);
    uint32_t n_moves = bf->fill_placements(placements, 10);
    rules.n_colors = rules.n_players = 2;
    rules.order[1] = rules.owner[1] = 1;
    rules.score_left = -1;
    rules.first_pieces = ~UINT32_C(0);
    for (int c = 0; c < 2; c++) {
        rules.hand[c] = (1 << BF_PIECES) - 1;
        rules.layout.start[c][0] = UINT64_C(1) << 2 * c;
    }
    for (int row = 0; row < 10; row++) {
        for (int column = 0; column < 10; column++) {
            int bit = BF_STRIDE * row + column;
            rules.layout.playable[bit >> 6] |= UINT64_C(1) << (bit & 63);
        }
    }
    bf_rules wrong = rules;
    wrong.owner[0] = wrong.owner[1] = -1; /* one color at most is shared */
    CHECK(bf->make_rules(&wrong, 10, placements, NULL) == -1);
    CHECK(bf->make_rules(&rules, 10, placements, NULL) == 0);
    CHECK(rules.layout.n_moves == n_moves && rules.n_actions == n_moves);
    CHECK(bf->open(&rules, &s) == 0);
    bf->seed(&rng, 1, 2);
    int plies = 0;
    for (; s.phase != BF_OVER && plies < 42; plies++) {
        bf_rng again = rng;
        uint32_t n = bf->list(&rules, &s, -1, r.scratch, r.ids);
        uint32_t action = bf->draw(&rules, &s, &policy, &rng);
        CHECK(n == bf->count(&rules, &s, -1) && bf->any(&rules, &s, -1));
        CHECK(bf->mask(&rules, &s, -1, r.mask) == n && r.mask[action] == 1);
        CHECK((int32_t)action == r.ids[bf->below(&again, n)]);
        CHECK(bf->is_legal(&rules, &s, -1, action));
        CHECK(bf->illegality(&rules, &s, -1, action, &square) == BF_LEGAL);
        bf_action a = bf->decode(&rules, action);
        CHECK(bf->encode(&rules, &a) == action);
        kept = s;
        bf->push(&rules, &s, action, &undo);
        bf->pop(&rules, &s, &undo);
        CHECK(memcmp(&s, &kept, sizeof s) == 0 && bf->equal(&rules, &s, &kept));
        bf->push(&rules, &s, action, &undo);
        CHECK(!bf->equal(&rules, &s, &kept) && bf->key(&rules, &s) != bf->key(&rules, &kept));
        CHECK(bf->check(&rules, &s, &fault) == BF_SOUND);
    }
    CHECK(s.phase == BF_OVER && plies > 10);
    for (int c = 0; c < 2; c++) {
        CHECK(bf->color_score(&rules, &s, c) == bf->player_score(&rules, &s, c));
    }
    /* Two streams of a seed are two sequences. */
    bf_rng other;
    bf->seed(&rng, 1, 2);
    bf->seed(&other, 1, 3);
    CHECK(bf->random(&rng) != bf->random(&other));
}

int main(void) {
    bf_api api;
    int supported = -1;
    uint64_t k = 0;
    void (*functions[(sizeof api - offsetof(bf_api, rules_of)) / sizeof(void (*)(void))])(void);
    expect_where = "api";
    memset(&api, 0xff, sizeof api);
    bf_fill_api(&api);
    CHECK(api.abi_version == BF_ABI_VERSION);
    CHECK(api.api_size == sizeof api);
    CHECK(api.rules_size == sizeof(bf_rules));
    CHECK(api.state_size == sizeof(bf_state));
    CHECK(api.undo_size == sizeof(bf_undo));
    /* What programs were compiled with: a change of these is a change of BF_ABI_VERSION. */
    CHECK(sizeof(bf_state) == 448 && sizeof(bf_undo) == 12);
    /* All functions are there, but for the two that need Python. */
    memcpy(functions, &api.rules_of, sizeof functions);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        CHECK((functions[i] == NULL) == (i < 2));
    }
    for (; api.kernel_at(k, &supported) != NULL; k++) {
        const bf_kernel *kernel = api.kernel_at(k, NULL);
        CHECK(supported == bf_kernel_supported(kernel->name));
        CHECK(bf_kernel_by_name(kernel->name) == kernel);
        CHECK(k > 0 || (supported && strcmp(kernel->name, "portable") == 0));
        memcpy(functions, &kernel->list, sizeof *kernel - offsetof(bf_kernel, list));
        for (size_t i = 0; i < (sizeof *kernel - offsetof(bf_kernel, list)) / sizeof functions[0];
             i++) {
            CHECK(functions[i] != NULL);
        }
    }
    CHECK(k >= 1 && k <= MOST_KERNELS);
    CHECK(api.kernel_at(UINT64_MAX, NULL) == NULL);
    CHECK(bf_kernel_by_name("none") == NULL && !bf_kernel_supported("none"));
    /* However short the text is, it ends in it. */
    for (size_t size = 0; size <= 64; size++) {
        char text[65];
        memset(text, '?', sizeof text);
        CHECK(bf_cpu_features(text, size) == text);
        CHECK(size == 0 || memchr(text, 0, size) != NULL);
        for (size_t i = size; i < sizeof text; i++) CHECK(text[i] == '?');
    }
    a_game(&api);
    return expect_result();
}
