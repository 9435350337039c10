/* gumbel.c: what is special at the root: Dirichlet noise (Silver et al., 2017); and, for a search
 * whose evaluation comes from outside, sequential halving over moves drawn with Gumbel noise
 * (Danihelka et al., Policy improvement by planning with Gumbel, 2022).
 */
#include <math.h>

#include "leaves.h"
#include "rng.h"

double bf_uniform(bf_rng *rng) { return ((double)(bf_rng_next(rng) >> 12) + 0.5) * 0x1p-52; }

/* A normally distributed number (Box and Muller, 1958). */
static double normal(bf_rng *rng) {
    double r = sqrt(-2 * log(bf_uniform(rng)));
    return r * cos(6.283185307179586 * bf_uniform(rng));
}

/* The logarithm of a gamma distributed number (Marsaglia and Tsang, 2000): small ones would be 0. */
static double log_gamma(double alpha, bf_rng *rng) {
    double boost = alpha < 1 ? log(bf_uniform(rng)) / alpha : 0;
    double d = (alpha < 1 ? alpha + 1 : alpha) - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = normal(rng), v = 1 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        if (log(bf_uniform(rng)) < 0.5 * x * x + d * (1 - v + log(v))) return boost + log(d * v);
    }
}

void bf_add_noise(bf_search *search) {
    const bf_root *rule = &search->root_rule;
    bf_node *root = bf_node_at(&search->tree, search->tree.root);
    if (rule->noise <= 0 || root->noisy || root->n < 2) return;
    double alpha = rule->noise_alpha < 0 ? -rule->noise_alpha / root->n : rule->noise_alpha;
    double most = -1e300, sum = 0;
    bf_rng again = search->rng;
    /* Three passes over the same numbers, so that nothing has to be kept. */
    for (int pass = 0; pass < 3; pass++) {
        bf_rng rng = again;
        for (uint32_t i = 0; i < root->n; i++) {
            double drawn = log_gamma(alpha, &rng);
            if (pass == 0 && drawn > most) most = drawn;
            if (pass == 1) sum += exp(drawn - most);
            if (pass == 2) {
                float part = (float)(exp(drawn - most) / sum), *prior = &root->candidates[i].prior;
                *prior = (1 - rule->noise) * *prior + rule->noise * part;
            }
        }
        search->rng = rng;
    }
    root->noisy = 1;
    bf_raise_best(root, root->opened);
}

/* -- sequential halving -- */

static float log_of(float prior) { return logf(prior > 1e-30f ? prior : 1e-30f); }

void bf_consider(bf_search *search) {
    bf_root *rule = &search->root_rule;
    bf_node *root = bf_node_at(&search->tree, search->tree.root);
    uint32_t most = (uint32_t)rule->considered;
    if (most > BF_MOST_CONSIDERED) most = BF_MOST_CONSIDERED;
    if (most > root->n) most = root->n;
    /* The first ones are replaced by better ones as these come: an insertion sort. */
    uint32_t n = 0;
    for (uint32_t i = 0; i < root->n; i++) {
        bf_candidate candidate = root->candidates[i];
        float logit = log_of(candidate.prior) - (float)log(-log(bf_uniform(&search->rng)));
        uint32_t j;
        if (n == most && logit <= rule->logits[n - 1]) continue;
        if (n < most) {
            n++;
        }
        j = n - 1;
        /* What falls out of the list takes the place that its successor leaves. */
        root->candidates[i] = root->candidates[j];
        for (; j > 0 && rule->logits[j - 1] < logit; j--) {
            rule->logits[j] = rule->logits[j - 1];
            root->candidates[j] = root->candidates[j - 1];
        }
        rule->logits[j] = logit;
        root->candidates[j] = candidate;
    }
    for (uint32_t i = 0; i < most; i++) {
        if (bf_open_edge(&search->tree, root, 0) == NULL) break;
    }
}

/* Visits that the moves next in turn have, before simulation number k of `total` over m moves. */
static uint32_t visits_before(uint32_t m, uint64_t total, uint64_t k) {
    uint32_t rounds = 0, considered = m, before = 0;
    if (m <= 1) return (uint32_t)k;
    while (1u << rounds < m) rounds++;
    for (;;) {
        uint64_t each = total / ((uint64_t)rounds * considered);
        if (each == 0) each = 1;
        if (k < each * considered) return before + (uint32_t)(k / considered);
        k -= each * considered;
        before += (uint32_t)each;
        considered = considered / 2 > 2 ? considered / 2 : 2;
    }
}

static float weight_of_values(const bf_search *search, bf_node *root) {
    uint32_t most = 0;
    bf_walk walk = bf_first_edge(root);
    for (uint32_t i = 0; i < root->opened; i++) {
        if (walk.edge->visits > most) most = walk.edge->visits;
        bf_next_edge(&search->tree, &walk);
    }
    return (search->root_rule.visits_offset + (float)most) * search->root_rule.value_scale;
}

static float mean_of(const bf_edge *edge) {
    return (float)((double)edge->sum / BF_VALUE_ONE / edge->visits);
}

/* Value of moves that were not visited: the root's, mixed with those that were. */
static float value_of_others(const bf_search *search, bf_node *root) {
    double visits = 0, prior = 0, value = 0;
    bf_walk walk = bf_first_edge(root);
    for (uint32_t i = 0; i < root->opened; i++) {
        if (walk.edge->visits > 0) {
            visits += walk.edge->visits;
            prior += root->candidates[i].prior;
            value += (double)root->candidates[i].prior * mean_of(walk.edge);
        }
        bf_next_edge(&search->tree, &walk);
    }
    if (prior <= 0) return search->root_rule.value;
    return (float)((search->root_rule.value + visits * value / prior) / (1 + visits));
}

bf_edge *bf_select_considered(bf_search *search, bf_node *root, uint32_t *action) {
    const bf_root *rule = &search->root_rule;
    uint32_t target = visits_before(root->opened, search->limits.simulations, search->started);
    float weight = weight_of_values(search, root), others = value_of_others(search, root);
    float best = 0;
    bf_edge *chosen = NULL;
    /* Where leaves wait for their evaluation, nobody may have just that many visits. */
    for (int exactly = 1; chosen == NULL; exactly = 0) {
        bf_walk walk = bf_first_edge(root);
        for (uint32_t i = 0; i < root->opened; i++) {
            float value = walk.edge->visits > 0 ? mean_of(walk.edge) : others;
            float score = rule->logits[i] + weight * value;
            if (!exactly) score -= 1e6f * (float)walk.edge->visits;
            if ((!exactly || walk.edge->visits == target) && (chosen == NULL || score > best)) {
                best = score;
                chosen = walk.edge;
                *action = root->candidates[i].action;
            }
            bf_next_edge(&search->tree, &walk);
        }
    }
    chosen->visits++;
    return chosen;
}

uint32_t bf_best_considered(const bf_search *search) {
    const bf_root *rule = &search->root_rule;
    bf_node *root = bf_node_at(&search->tree, search->tree.root);
    float weight = weight_of_values(search, root), best = 0;
    uint32_t most = 0, action = root->candidates[0].action;
    bf_walk walk = bf_first_edge(root);
    for (uint32_t i = 0; i < root->opened; i++) {
        uint32_t visits = walk.edge->visits;
        float score = rule->logits[i] + (visits > 0 ? weight * mean_of(walk.edge) : 0);
        if (visits > most || (visits == most && visits > 0 && score > best)) {
            most = visits;
            best = score;
            action = root->candidates[i].action;
        }
        bf_next_edge(&search->tree, &walk);
    }
    return action;
}

void bf_root_policy(const bf_search *search, int improved, float *policy) {
    bf_node *root = bf_node_at(&search->tree, search->tree.root);
    float weight = weight_of_values(search, root), others = value_of_others(search, root);
    float best = -1e30f;
    double sum = 0;
    bf_walk walk = bf_first_edge(root);
    for (uint32_t i = 0; i < root->n; i++) {
        uint32_t visits = i < root->opened ? walk.edge->visits : 0;
        policy[i] = (float)visits;
        if (improved) {
            float value = visits > 0 ? mean_of(walk.edge) : others;
            policy[i] = log_of(root->candidates[i].prior) + weight * value;
            if (policy[i] > best) best = policy[i];
        }
        if (i < root->opened) bf_next_edge(&search->tree, &walk);
    }
    for (uint32_t i = 0; i < root->n; i++) {
        if (improved) policy[i] = expf(policy[i] - best);
        sum += policy[i];
    }
    for (uint32_t i = 0; i < root->n && sum > 0; i++) policy[i] = (float)(policy[i] / sum);
}
