/* A consumer in C: random games in several threads, without the GIL. */
#define PY_SSIZE_T_CLEAN
#include "blokus_fast_python.h"

#include <pthread.h>
#include <string.h>

#define MOST_THREADS 64

static const bf_api *bf;

typedef struct part {
    const bf_rules *rules;
    const bf_state *start;
    uint64_t seed;
    long first, last;
    int32_t *scores;
} part;

static void *play_part(void *argument) {
    const part *p = argument;
    bf_policy policy;
    bf_undo undo;
    bf_rng rng;
    memset(&policy, 0, sizeof policy); /* uniform */
    for (long i = p->first; i < p->last; i++) {
        bf_state state = *p->start;
        bf->seed(&rng, p->seed, (uint64_t)i);
        while (state.phase != BF_OVER) {
            bf->push(p->rules, &state, bf->draw(p->rules, &state, &policy, &rng), &undo);
        }
        for (int player = 0; player < p->rules->n_players; player++) {
            p->scores[i * p->rules->n_players + player] =
                bf->player_score(p->rules, &state, player);
        }
    }
    return NULL;
}

/* play(board, seed, threads, scores): fill an int32 array of shape (n, n_players). */
static PyObject *play(PyObject *self, PyObject *args) {
    PyObject *board, *result = NULL;
    unsigned long long seed;
    int threads;
    Py_buffer scores;
    part parts[MOST_THREADS];
    pthread_t ids[MOST_THREADS];
    (void)self;
    if (!PyArg_ParseTuple(args, "OKiw*", &board, &seed, &threads, &scores)) return NULL;
    const bf_rules *rules = bf->rules_of(board);
    const bf_state *start = rules == NULL ? NULL : bf->state_of(board);
    if (start == NULL) goto end;
    if (threads < 1 || threads > MOST_THREADS) {
        PyErr_Format(PyExc_ValueError, "threads %d is not in 1..%d", threads, MOST_THREADS);
        goto end;
    }
    long n = (long)(scores.len / (Py_ssize_t)sizeof(int32_t)) / rules->n_players;
    Py_BEGIN_ALLOW_THREADS
    for (int i = 0; i < threads; i++) {
        part p = {rules, start, seed, n * i / threads, n * (i + 1) / threads, scores.buf};
        parts[i] = p;
        pthread_create(&ids[i], NULL, play_part, &parts[i]);
    }
    for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
    Py_END_ALLOW_THREADS
    result = Py_NewRef(Py_None);
end:
    PyBuffer_Release(&scores);
    return result;
}

static PyMethodDef methods[] = {{"play", play, METH_VARARGS, "Play random games."},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "consumer_c", NULL, -1, methods,
                                    NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_consumer_c(void) {
    PyObject *made;
    bf = bf_import();
    if (bf == NULL) return NULL;
    made = PyModule_Create(&module);
#ifdef Py_GIL_DISABLED
    if (made != NULL) PyUnstable_Module_SetGIL(made, Py_MOD_GIL_NOT_USED);
#endif
    return made;
}
