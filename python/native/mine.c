/*
 * mine.c - mining, and the tables of what it found.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

static void mine_free(void *p)
{
    dpl_mine_result_free((dpl_mine_result *)p);
}

const core_kind core_mine_kind = {"mining result", mine_free};

/* mine(context, progress, folder or None, inputs, options) */
static PyObject *mine(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *dir, *list, *options, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOO!O", &context, &progress, &dir, &PyList_Type, &list,
                          &options))
        return NULL;
    core_job *job = core_job_new(context, progress);
    if (!job)
        return NULL;
    core_arena arena = {0};
    size_t n;
    dpl_mine_result *found = NULL;
    dpl_mine_options o = DPL_INIT(dpl_mine_options);
    dpl_input *inputs = core_inputs(list, &n, job, &arena);
    const char *path = dir == Py_None ? NULL : core_arena_text(&arena, dir);
    if (inputs && (path || dir == Py_None) &&
        core_options_set(&o, dpl_option_table_of("mine"), options, &arena)) {
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = dpl_mine(&found, job->ctx, path, inputs, n, &o, &run.err);
        if (core_run_end(&run, st))
            result = core_handle_new(&core_mine_kind, found, core_job_ref(job), NULL);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

/* lexicon_learn(context, progress, out, left, right, options) */
static PyObject *lexicon_learn(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *out, *list, *options;
    if (!PyArg_ParseTuple(args, "OOOO!O", &context, &progress, &out, &PyList_Type, &list,
                          &options))
        return NULL;
    core_job *job = core_job_new(context, progress);
    if (!job)
        return NULL;
    core_arena arena = {0};
    size_t n = 0;
    bool is_good = false;
    dpl_mine_options o = DPL_INIT(dpl_mine_options);
    dpl_input *inputs = core_inputs(list, &n, job, &arena);
    const char *path = core_arena_text(&arena, out);
    if (inputs && path && core_options_set(&o, dpl_option_table_of("mine"), options, &arena)) {
        core_run run;
        core_run_begin(&run, job);
        dpl_status st =
            dpl_lexicon_learn(NULL, job->ctx, path, &inputs[0], &inputs[1], &o, &run.err);
        is_good = core_run_end(&run, st);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return is_good ? Py_NewRef(Py_None) : NULL;
}

/* ---- pairs ---------------------------------------------------------------------------- */

typedef struct mine_rows {
    const dpl_mine_result *result;
    size_t run, at, n;
    dpl_mine_sentences *sentences;
    uint32_t *docs; /* of a group */
    int side;
} mine_rows;

static void *rows_open(const core_table *t, dpl_error *err)
{
    mine_rows *r = (mine_rows *)calloc(1, sizeof *r);
    (void)err;
    if (!r)
        return NULL;
    r->result = (const dpl_mine_result *)t->object;
    r->run = t->arg;
    const dpl_mine_summary *s = dpl_mine_get_summary(r->result);
    r->n = r->run < s->n_runs ? s->runs[r->run]->n_pairs : 0;
    return r;
}

static void rows_close(void *cursor)
{
    mine_rows *r = (mine_rows *)cursor;
    dpl_mine_sentences_close(r->sentences);
    free(r->docs);
    free(r);
}

static dpl_status next_pair(void *cursor, core_chunk *out, dpl_error *err)
{
    mine_rows *r = (mine_rows *)cursor;
    (void)err;
    if (r->at == r->n)
        return DPL_END;
    dpl_mine_pair p = dpl_mine_get_pair(r->result, r->run, r->at++);
    core_put_id(out, 0, p.left_id);
    core_put_id(out, 1, p.right_id);
    core_put_real(out, 2, p.confidence);
    core_put_real(out, 3, (double)p.cosine);
    core_put_real(out, 4, (double)p.margin);
    return DPL_OK;
}

static const core_cursor pair_cursor = {rows_open, next_pair, rows_close};

/* ---- sentences ------------------------------------------------------------------------ */

static void *sentences_open(const core_table *t, dpl_error *err)
{
    mine_rows *r = (mine_rows *)rows_open(t, err);
    if (r && dpl_mine_sentences_open(&r->sentences, r->result, r->run, err) != DPL_OK) {
        rows_close(r);
        return NULL;
    }
    return r;
}

static dpl_status next_sentence(void *cursor, core_chunk *out, dpl_error *err)
{
    mine_rows *r = (mine_rows *)cursor;
    dpl_sentence_pair p;
    DPL_TRY(dpl_mine_sentences_next(r->sentences, &p, err));
    dpl_mine_pair docs = dpl_mine_get_pair(r->result, r->run, p.pair);
    core_put_id(out, 0, docs.left_id);
    core_put_id(out, 1, docs.right_id);
    core_put_line(out, 2, p.left);
    core_put_line(out, 3, p.right);
    core_put_real(out, 4, (double)p.score);
    return DPL_OK;
}

static const core_cursor sentence_cursor = {sentences_open, next_sentence, rows_close};

/* ---- passages ------------------------------------------------------------------------- */

/* The collection of one side of the run. */
static const dpl_collection *collection_of(const mine_rows *r, const dpl_mine_language *lang)
{
    const dpl_mine_summary *s = dpl_mine_get_summary(r->result);
    size_t i = 0;
    while (i < s->n_langs && s->langs[i] != lang)
        i++;
    return i < s->n_langs ? dpl_mine_get_collection(r->result, i) : NULL;
}

static void put_heading(core_chunk *out, size_t column, const dpl_collection *c, uint32_t doc,
                        uint32_t sentence)
{
    core_put_line(out, column, c ? dpl_sentences_heading(c, doc, sentence) : (dpl_str){0});
}

/* A row for each range of each pair: at counts pairs, side ranges. */
static dpl_status next_passage(void *cursor, core_chunk *out, dpl_error *err)
{
    mine_rows *r = (mine_rows *)cursor;
    (void)err;
    for (; r->at < r->n; r->at++, r->side = 0) {
        dpl_mine_coverage c = dpl_mine_get_coverage(r->result, r->run, r->at);
        if ((size_t)r->side == c.n_ranges)
            continue;
        const dpl_mine_range *range = &c.ranges[r->side++];
        dpl_mine_pair p = dpl_mine_get_pair(r->result, r->run, r->at);
        core_put_id(out, 0, p.left_id);
        core_put_id(out, 1, p.right_id);
        core_put_real(out, 2, c.share[0]);
        core_put_real(out, 3, c.share[1]);
        core_put_number(out, 4, range->left);
        core_put_number(out, 5, range->left + range->n_left);
        core_put_number(out, 6, range->right);
        core_put_number(out, 7, range->right + range->n_right);
        const dpl_mine_run *run = dpl_mine_get_summary(r->result)->runs[r->run];
        put_heading(out, 8, collection_of(r, run->left), p.docs.left, range->left);
        put_heading(out, 9, collection_of(r, run->right), p.docs.right, range->right);
        return DPL_OK;
    }
    return DPL_END;
}

static const core_cursor passage_cursor = {rows_open, next_passage, rows_close};

/* ---- groups --------------------------------------------------------------------------- */

/* The language of a column: the pivot, then the others, as in groups.tsv. */
static size_t group_language(const dpl_mine_summary *s, size_t column)
{
    size_t pivot = 0;
    while (pivot < s->n_langs && s->langs[pivot] != s->pivot)
        pivot++;
    return column == 0 ? pivot : column - (column <= pivot);
}

static void *groups_open(const core_table *t, dpl_error *err)
{
    mine_rows *r = (mine_rows *)rows_open(t, err);
    if (!r)
        return NULL;
    const dpl_mine_summary *s = dpl_mine_get_summary(r->result);
    r->docs = (uint32_t *)calloc(s->n_langs + 1, sizeof *r->docs);
    r->n = s->n_groups;
    if (!r->docs) {
        rows_close(r);
        return NULL;
    }
    return r;
}

static dpl_status next_group(void *cursor, core_chunk *out, dpl_error *err)
{
    mine_rows *r = (mine_rows *)cursor;
    (void)err;
    if (r->at == r->n)
        return DPL_END;
    const dpl_mine_summary *s = dpl_mine_get_summary(r->result);
    dpl_mine_get_group(r->docs, r->result, r->at++);
    for (size_t i = 0; i < s->n_langs; i++) {
        size_t lang = group_language(s, i);
        if (r->docs[lang] == DPL_MINE_NO_DOC)
            core_put_null(out, i);
        else
            core_put_text(
                out, i,
                dpl_collection_doc(dpl_mine_get_collection(r->result, lang), r->docs[lang]).id);
    }
    return DPL_OK;
}

static const core_cursor group_cursor = {groups_open, next_group, rows_close};

/* ---- functions ------------------------------------------------------------------------ */

/* mine_table(result, what, run, left ids are numbers, right ids are numbers) */
static PyObject *mine_table(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle;
    const char *what;
    Py_ssize_t run;
    int left, right;
    if (!PyArg_ParseTuple(args, "Osnpp", &handle, &what, &run, &left, &right))
        return NULL;
    dpl_mine_result *m = (dpl_mine_result *)core_get(handle, &core_mine_kind);
    if (!m)
        return NULL;
    const dpl_mine_summary *s = dpl_mine_get_summary(m);
    char l = left ? CORE_U32 : CORE_TEXT, r = right ? CORE_U32 : CORE_TEXT;
    if (strcmp(what, "groups") == 0) {
        core_field fields[CORE_MOST_FIELDS];
        size_t n = s->n_langs < CORE_MOST_FIELDS ? s->n_langs : CORE_MOST_FIELDS;
        for (size_t i = 0; i < n; i++)
            fields[i] = (core_field){s->langs[group_language(s, i)]->code, CORE_TEXT};
        return core_table_new(fields, n, &group_cursor, m, 0, (int64_t)s->n_groups, handle);
    }
    if (run < 0 || (size_t)run >= s->n_runs)
        return PyErr_Format(PyExc_IndexError, "there is no run %zd", run);
    const dpl_mine_run *found = s->runs[run];
    if (strcmp(what, "pairs") == 0) {
        const core_field fields[] = {{"left_id", l},
                                     {"right_id", r},
                                     {"confidence", CORE_F64},
                                     {"cosine", CORE_F32},
                                     {"margin", CORE_F32}};
        return core_table_new(fields, 5, &pair_cursor, m, (size_t)run, (int64_t)found->n_pairs,
                              handle);
    }
    if (strcmp(what, "passages") == 0) {
        const core_field fields[] = {{"left_id", l},
                                     {"right_id", r},
                                     {"left_share", CORE_F64},
                                     {"right_share", CORE_F64},
                                     {"left_begin", CORE_U32},
                                     {"left_end", CORE_U32},
                                     {"right_begin", CORE_U32},
                                     {"right_end", CORE_U32},
                                     {"left_heading", CORE_TEXT},
                                     {"right_heading", CORE_TEXT}};
        return core_table_new(fields, 10, &passage_cursor, m, (size_t)run, -1, handle);
    }
    const core_field fields[] = {{"left_id", l},
                                 {"right_id", r},
                                 {"left_sentence", CORE_TEXT},
                                 {"right_sentence", CORE_TEXT},
                                 {"score", CORE_F32}};
    return core_table_new(fields, 5, &sentence_cursor, m, (size_t)run,
                          (int64_t)found->n_sentence_pairs, handle);
}

/* mine_lexicon(result, run) -> lexicon, or None for an empty run */
static PyObject *mine_lexicon(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle;
    Py_ssize_t run;
    if (!PyArg_ParseTuple(args, "On", &handle, &run))
        return NULL;
    dpl_mine_result *m = (dpl_mine_result *)core_get(handle, &core_mine_kind);
    if (!m)
        return NULL;
    if (run < 0 || (size_t)run >= dpl_mine_get_summary(m)->n_runs)
        return PyErr_Format(PyExc_IndexError, "there is no run %zd", run);
    const dpl_lexicon *l = dpl_mine_get_lexicon(m, (size_t)run);
    if (!l)
        Py_RETURN_NONE;
    return core_handle_new(&core_borrowed_lexicon_kind, (void *)(uintptr_t)l, NULL, handle);
}

/* mine_info(result) -> ([(left, right, pairs, sentence pairs, unit, is empty)], [language],
 * pivot or None) */
static PyObject *mine_info(PyObject *module, PyObject *handle)
{
    (void)module;
    dpl_mine_result *m = (dpl_mine_result *)core_get(handle, &core_mine_kind);
    if (!m)
        return NULL;
    const dpl_mine_summary *s = dpl_mine_get_summary(m);
    PyObject *runs = PyList_New(0), *langs = PyList_New(0);
    for (size_t i = 0; runs && i < s->n_runs; i++) {
        const dpl_mine_run *r = s->runs[i];
        PyObject *row = Py_BuildValue(
            "ssKKsO", r->left->code, r->right->code, (unsigned long long)r->n_pairs,
            (unsigned long long)r->n_sentence_pairs, dpl_mine_unit_name(r->unit),
            r->is_empty ? Py_True : Py_False);
        if (!row || PyList_Append(runs, row) != 0)
            Py_CLEAR(runs);
        Py_XDECREF(row);
    }
    for (size_t i = 0; langs && i < s->n_langs; i++) {
        PyObject *code = PyUnicode_FromString(s->langs[i]->code);
        if (!code || PyList_Append(langs, code) != 0)
            Py_CLEAR(langs);
        Py_XDECREF(code);
    }
    if (!runs || !langs) {
        Py_XDECREF(runs);
        Py_XDECREF(langs);
        return NULL;
    }
    return Py_BuildValue("NNz", runs, langs, s->pivot ? s->pivot->code : NULL);
}

PyMethodDef core_mine_methods[] = {
    {"mine", mine, METH_VARARGS, "mine(context, progress, folder, inputs, options)"},
    {"lexicon_learn", lexicon_learn, METH_VARARGS,
     "lexicon_learn(context, progress, out, [left, right], options)"},
    {"mine_table", mine_table, METH_VARARGS, "mine_table(result, what, run, left, right)"},
    {"mine_lexicon", mine_lexicon, METH_VARARGS, "mine_lexicon(result, run)"},
    {"mine_info", mine_info, METH_O, "runs, languages, pivot"},
    {NULL, NULL, 0, NULL},
};
