/*
 * eval.c - measures of pairs and clusters against gold.
 */
#include "table.h"

#include "doppel/eval.h"

/* Rows of two texts: a list of tuples, or a path. */
typedef struct rows {
    const char *path;
    dpl_id_pair *pairs;
    size_t n;
} rows;

static bool take_rows(rows *out, PyObject *given, core_arena *arena)
{
    if (!PyList_Check(given)) {
        out->path = core_arena_text(arena, given);
        return out->path != NULL;
    }
    out->n = (size_t)PyList_Size(given);
    out->pairs = (dpl_id_pair *)core_arena_take(arena, (out->n + 1) * sizeof *out->pairs);
    for (size_t i = 0; out->pairs && i < out->n; i++) {
        PyObject *ids[2];
        if (!PyArg_ParseTuple(PyList_GetItem(given, (Py_ssize_t)i), "O!O!", &PyUnicode_Type,
                              &ids[0], &PyUnicode_Type, &ids[1]) ||
            !core_to_str(&out->pairs[i].left, ids[0]) ||
            !core_to_str(&out->pairs[i].right, ids[1]))
            return false;
    }
    return out->pairs != NULL;
}

/* What both calls take: (context, gold, found). */
typedef struct arguments {
    core_job *job;
    core_arena arena;
    rows gold, found;
} arguments;

static bool take_arguments(arguments *a, PyObject *args)
{
    PyObject *context, *gold, *found;
    if (!PyArg_ParseTuple(args, "OOO", &context, &gold, &found))
        return false;
    a->job = core_job_new(context, Py_None);
    return a->job && take_rows(&a->gold, gold, &a->arena) &&
           take_rows(&a->found, found, &a->arena);
}

static void drop_arguments(arguments *a)
{
    core_arena_clear(&a->arena);
    if (a->job)
        core_job_unref(a->job);
}

/* eval_pairs(context, gold, found) -> dict, without what is not known */
static PyObject *eval_pairs(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *result = NULL;
    arguments a = {0};
    if (take_arguments(&a, args)) {
        const dpl_eval_pairs_input in =
            DPL_INIT(dpl_eval_pairs_input, .gold_path = a.gold.path, .found_path = a.found.path,
                     .gold = a.gold.pairs, .found = a.found.pairs, .n_gold = a.gold.n,
                     .n_found = a.found.n);
        dpl_eval_pairs e = DPL_INIT(dpl_eval_pairs);
        core_run run;
        core_run_begin(&run, a.job);
        if (core_run_end(&run, dpl_eval_pairs_run(&e, a.job->ctx, &in, &run.err)))
            result = Py_BuildValue(
                "{sKsKsKsKsKsdsdsdsdsdss}", "gold", e.n_gold, "found", e.n_found, "matching",
                e.n_matching, "touching", e.n_touching, "other", e.n_other, "precision",
                e.precision, "recall", e.recall, "f1", e.f1, "strict_precision",
                e.strict_precision, "strict_f1", e.strict_f1, "mismatch", e.mismatch);
    }
    drop_arguments(&a);
    return result;
}

/* eval_clusters(context, gold, found) -> dict */
static PyObject *eval_clusters(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *result = NULL;
    arguments a = {0};
    if (take_arguments(&a, args)) {
        const dpl_eval_clusters_input in =
            DPL_INIT(dpl_eval_clusters_input, .gold_path = a.gold.path,
                     .found_path = a.found.path, .gold = a.gold.pairs, .found = a.found.pairs,
                     .n_gold = a.gold.n, .n_found = a.found.n);
        dpl_eval_clusters e = DPL_INIT(dpl_eval_clusters);
        core_run run;
        core_run_begin(&run, a.job);
        if (core_run_end(&run, dpl_eval_clusters_run(&e, a.job->ctx, &in, &run.err)))
            result = Py_BuildValue("{sKsKsKsKsKsKsKsKsdsdsdsd}", "documents", e.n_docs, "gold",
                                   e.n_gold, "found", e.n_found, "missing", e.n_missing,
                                   "other", e.n_other, "gold_pairs", e.n_gold_pairs,
                                   "found_pairs", e.n_found_pairs, "matching", e.n_matching,
                                   "precision", e.precision, "recall", e.recall, "f1", e.f1,
                                   "adjusted_rand_index", e.rand_index);
    }
    drop_arguments(&a);
    return result;
}

PyMethodDef core_eval_methods[] = {
    {"eval_pairs", eval_pairs, METH_VARARGS, "eval_pairs(context, gold, found) -> dict"},
    {"eval_clusters", eval_clusters, METH_VARARGS,
     "eval_clusters(context, gold, found) -> dict"},
    {NULL, NULL, 0, NULL},
};
