/*
 * align.c - sentence alignment of document pairs.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

typedef struct taker {
    const dpl_collection *c[2];
    core_chunk *chunk;
    bool wants_all;
} taker;

static dpl_str side_text(const taker *t, const dpl_aligned_docs *d, int side, uint32_t unit,
                         uint32_t n)
{
    uint32_t first = d->units[side][unit];
    return dpl_sentences_text(t->c[side], side ? d->docs.right : d->docs.left, first,
                              d->units[side][unit + n] - first);
}

static dpl_status take(void *user, const dpl_aligned_docs *d, dpl_error *err)
{
    taker *t = (taker *)user;
    core_chunk *out = t->chunk;
    (void)err;
    for (size_t i = 0; i < d->n_beads; i++) {
        const dpl_bead *b = &d->beads[i];
        if (b->verdict != DPL_VERDICT_KEPT && !t->wants_all)
            continue;
        const char *verdict = dpl_verdict_name(b->verdict);
        core_put_id(out, 0, dpl_collection_doc(t->c[0], d->docs.left).id);
        core_put_id(out, 1, dpl_collection_doc(t->c[1], d->docs.right).id);
        core_put_line(out, 2, side_text(t, d, 0, b->left, b->n_left));
        core_put_line(out, 3, side_text(t, d, 1, b->right, b->n_right));
        core_put_real(out, 4, (double)b->score);
        core_put_number(out, 5, b->left);
        core_put_number(out, 6, b->n_left);
        core_put_number(out, 7, b->right);
        core_put_number(out, 8, b->n_right);
        core_put_text(out, 9, (dpl_str){verdict, strlen(verdict)});
        core_end_row(out);
    }
    return core_chunk_failed(out) ? DPL_E_NOMEM : DPL_OK;
}

/* Numbers of the documents of a list of pairs of ids; None: document i beside document i. */
static bool find_pairs(dpl_doc_pair **out, size_t *n, PyObject *list,
                       dpl_collection *const c[2], core_arena *arena)
{
    size_t n_docs = dpl_collection_get_sizes(c[0])->n_docs;
    *n = list == Py_None ? n_docs : (size_t)PyList_Size(list);
    dpl_doc_pair *p = *out = (dpl_doc_pair *)core_arena_take(arena, (*n + 1) * sizeof *p);
    if (!p)
        return false;
    if (list == Py_None && n_docs != dpl_collection_get_sizes(c[1])->n_docs) {
        PyErr_Format(PyExc_ValueError,
                     "%zu documents beside %zu: without pairs, there must be as many on either "
                     "side",
                     n_docs, (size_t)dpl_collection_get_sizes(c[1])->n_docs);
        return false;
    }
    for (size_t i = 0; i < *n; i++) {
        PyObject *ids[2];
        if (list == Py_None) {
            p[i] = (dpl_doc_pair){(uint32_t)i, (uint32_t)i};
            continue;
        }
        if (!PyArg_ParseTuple(PyList_GetItem(list, (Py_ssize_t)i), "O!O!", &PyUnicode_Type,
                              &ids[0], &PyUnicode_Type, &ids[1]))
            return false;
        uint32_t *const to[2] = {&p[i].left, &p[i].right};
        for (int side = 0; side < 2; side++) {
            dpl_str id;
            if (!core_to_str(&id, ids[side]))
                return false;
            if (!dpl_collection_find_doc(c[side], id, to[side])) {
                PyErr_Format(PyExc_KeyError, "no document '%U' on the %s side", ids[side],
                             side ? "right" : "left");
                return false;
            }
        }
    }
    return true;
}

/* align(context, progress, left, right, pairs or None, lexicon or None, options, all, left
 * numbers, right numbers) -> (table, summary) */
static PyObject *align(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *left, *right, *list, *lexicon, *options, *result = NULL;
    int wants_all, left_numbers, right_numbers;
    if (!PyArg_ParseTuple(args, "OOOOOOOppp", &context, &progress, &left, &right, &list,
                          &lexicon, &options, &wants_all, &left_numbers, &right_numbers))
        return NULL;
    dpl_sentences_input in = DPL_INIT(dpl_sentences_input);
    dpl_collection *c[2] = {(dpl_collection *)core_get(left, &core_collection_kind), NULL};
    if (!c[0] || !(c[1] = (dpl_collection *)core_get(right, &core_collection_kind)) ||
        !core_get_lexicon_or_none(&in.lexicon, lexicon))
        return NULL;
    core_job *job = core_job_new(context, progress);
    if (!job)
        return NULL;
    const core_field fields[] = {{"left_id", left_numbers ? CORE_U32 : CORE_TEXT},
                                 {"right_id", right_numbers ? CORE_U32 : CORE_TEXT},
                                 {"left_sentence", CORE_TEXT},
                                 {"right_sentence", CORE_TEXT},
                                 {"score", CORE_F32},
                                 {"left", CORE_U32},
                                 {"n_left", CORE_U32},
                                 {"right", CORE_U32},
                                 {"n_right", CORE_U32},
                                 {"verdict", CORE_TEXT}};
    core_arena arena = {0};
    dpl_doc_pair *pairs;
    dpl_sentences_options o = DPL_INIT(dpl_sentences_options);
    if (find_pairs(&pairs, &in.n_pairs, list, c, &arena) &&
        core_options_set(&o, dpl_option_table_of("sentences"), options, &arena)) {
        in.left = c[0];
        in.right = c[1];
        in.pairs = pairs;
        taker t = {{c[0], c[1]}, core_chunk_new(fields, 10), wants_all};
        dpl_sentences_summary summary = DPL_INIT(dpl_sentences_summary);
        core_run run;
        core_run_begin(&run, job);
        dpl_status st =
            t.chunk ? dpl_sentences_align(&summary, job->ctx, &in, &o, take, &t, &run.err)
                    : DPL_E_NOMEM;
        if (core_run_end(&run, st)) {
            PyObject *table = core_table_of_chunk(fields, 10, t.chunk);
            PyObject *text = table ? core_summary(&dpl_sentences_figures, &summary) : NULL;
            result = text ? Py_BuildValue("NN", table, text) : NULL;
            if (!text)
                Py_XDECREF(table);
        } else {
            core_chunk_unref(t.chunk);
        }
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

PyMethodDef core_align_methods[] = {
    {"align", align, METH_VARARGS,
     "align(context, progress, left, right, pairs, lexicon, ...)"},
    {NULL, NULL, 0, NULL},
};
