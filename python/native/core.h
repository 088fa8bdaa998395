/*
 * core.h - what the files of the extension doppel._core share.
 *
 * The extension is a thin layer: handles of the library's objects, functions that take and give
 * handles, numbers and texts, and Arrow data in both directions. The API that people see is
 * written in Python on top of it (doppel/__init__.py).
 *
 * A call of the library runs like this:
 *
 *     core_job *job = core_job_new(context, progress);        // a job of the library
 *     core_run run;
 *     core_run_begin(&run, job);                              // releases the GIL
 *     dpl_status st = dpl_something(&out, job->ctx, ..., &run.err);
 *     if (!core_run_end(&run, st))                            // takes it; raises
 *         ...
 *     return core_handle_new(&core_something, out, job, keep);
 *
 * While it runs, the progress callback looks for signals (Ctrl-C) and calls the caller's
 * function; what that raises stops the work and is raised from the call.
 *
 * A new area is a file of its own with a table of methods, which module.c lists.
 */
#ifndef DOPPEL_PYTHON_CORE_H
#define DOPPEL_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <doppel/doppel.h>

/* ---- handles -------------------------------------------------------------------------- */

/* What a handle holds: name for messages, and how it is freed. */
typedef struct core_kind {
    const char *name;
    void (*free)(void *p);
} core_kind;

typedef struct core_job core_job;

/* The one type of doppel._core's objects. */
typedef struct core_handle {
    PyObject_HEAD const core_kind *kind;
    void *p;        /* NULL: closed */
    core_job *job;  /* that p was made with; freed after it; may be NULL */
    PyObject *keep; /* what p points into; may be NULL */
} core_handle;

extern const core_kind core_context_kind, core_input_kind, core_collection_kind,
    core_lexicon_kind, core_vectors_kind, core_mine_kind, core_pairs_kind, core_dedup_kind,
    core_reuse_kind, core_borrowed_lexicon_kind, core_index_kind;

PyTypeObject *core_handle_type(void);
/* Takes p and job (also when it fails); borrows keep, which may be NULL. */
PyObject *core_handle_new(const core_kind *kind, void *p, core_job *job, PyObject *keep);
/* p of a handle of that kind that is not closed; NULL with a TypeError otherwise. */
void *core_get(PyObject *handle, const core_kind *kind);
/* The same for None: NULL in *out. */
bool core_get_optional(void **out, PyObject *handle, const core_kind *kind);
/* A lexicon of its own or of a result. */
const dpl_lexicon *core_get_lexicon(PyObject *handle);
bool core_get_lexicon_or_none(const dpl_lexicon **out, PyObject *handle);

/* ---- jobs and errors ------------------------------------------------------------------ */

/* One operation. Counted: a handle made by it keeps it. */
struct core_job {
    dpl_ctx *ctx;
    PyObject *context;              /* handle */
    PyObject *progress;             /* callable, or NULL */
    bool is_running;                /* between core_run_begin and core_run_end */
    PyObject *type, *value, *trace; /* exception raised while it ran */
    unsigned n_refs;
};

/* progress: a callable of (stage, unit, done, total), or None. */
core_job *core_job_new(PyObject *context, PyObject *progress);
core_job *core_job_ref(core_job *job);
void core_job_unref(core_job *job);
/* Keeps the current exception for the end of the run. With the GIL. */
void core_job_fail(core_job *job);

typedef struct core_run {
    core_job *job;
    PyThreadState *thread;
    dpl_error err;
} core_run;

void core_run_begin(core_run *run, core_job *job);
/* False with an exception unless the status is DPL_OK (or DPL_END). */
bool core_run_end(core_run *run, dpl_status status);
/* Raises what doppel/_errors.py makes of the record; NULL. */
PyObject *core_raise(dpl_status status, const dpl_error *err);

/* (context, path) -> handle of what `open` makes of the file. */
typedef dpl_status core_open_fn(void **out, dpl_ctx *ctx, const char *path, dpl_error *err);
PyObject *core_open(const core_kind *kind, core_open_fn *open, PyObject *args);

/* ---- options -------------------------------------------------------------------------- */

/* Memory that an options struct points to. Zero-initialise. */
typedef struct core_arena {
    void **items;
    size_t n, room;
} core_arena;

void *core_arena_take(core_arena *arena, size_t n_bytes); /* zeroed; NULL with MemoryError */
/* A copy of a str or path; NULL with an exception. */
const char *core_arena_text(core_arena *arena, PyObject *text);
void core_arena_clear(core_arena *arena);

/* Sets the options that a dict names, into the groups of the table, too: keys with '_' instead
 * of '-', values numbers, booleans, texts, paths, or a dict for a group; None is the default.
 * An option "no-x" is also set by x=False. */
bool core_options_set(void *options, const dpl_option_table *table, PyObject *dict,
                      core_arena *arena);

/* ---- inputs --------------------------------------------------------------------------- */

/* The inputs of a list of handles, which a job will read; in the arena. */
dpl_input *core_inputs(PyObject *list, size_t *n, core_job *job, core_arena *arena);

/* The documents of an input that come from Python. */
const dpl_doc_source *core_source(PyObject *handle);

/* ---- texts ------------------------------------------------------------------------------ */

PyObject *core_str(dpl_str text); /* invalid UTF-8 is replaced */
/* n bytes of a str; borrowed from it. */
bool core_to_str(dpl_str *out, PyObject *text);
/* A JSON text made by the library's writer. */
typedef struct core_text {
    char *data;
    size_t n, room;
    bool failed;
} core_text;
void core_text_put(void *text, const char *data, size_t n); /* a dpl_json_put */
/* The text as a str; frees it. */
PyObject *core_text_end(core_text *text);
/* The figures of a summary as a JSON object. */
PyObject *core_summary(const dpl_summary_table *table, const void *summary);

/* ---- the areas' methods --------------------------------------------------------------- */

extern PyMethodDef core_base_methods[], core_option_methods[], core_input_methods[],
    core_collection_methods[], core_table_methods[], core_mine_methods[],
    core_lexicon_methods[], core_search_methods[], core_align_methods[], core_dedup_methods[],
    core_eval_methods[], core_reuse_methods[], core_index_methods[];

#endif
