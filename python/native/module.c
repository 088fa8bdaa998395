/*
 * module.c - the module doppel._core: handles, jobs, errors, contexts, the command line.
 */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- handles -------------------------------------------------------------------------- */

static PyTypeObject *handle_type;

PyTypeObject *core_handle_type(void)
{
    return handle_type;
}

static void handle_close(core_handle *h)
{
    if (h->p)
        h->kind->free(h->p);
    h->p = NULL;
    core_job_unref(h->job);
    h->job = NULL;
    Py_CLEAR(h->keep);
}

static void handle_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    handle_close((core_handle *)self);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_object(self);
    Py_DECREF(type);
}

static PyObject *handle_repr(PyObject *self)
{
    core_handle *h = (core_handle *)self;
    return PyUnicode_FromFormat("<doppel %s%s>", h->kind ? h->kind->name : "object",
                                h->p ? "" : ", closed");
}

static PyType_Slot handle_slots[] = {
    {Py_tp_dealloc, (void *)(uintptr_t)handle_free},
    {Py_tp_repr, (void *)(uintptr_t)handle_repr},
    {0, NULL},
};
static PyType_Spec handle_spec = {"doppel._core.Handle", sizeof(core_handle), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                  handle_slots};

PyObject *core_handle_new(const core_kind *kind, void *p, core_job *job, PyObject *keep)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(handle_type, Py_tp_alloc);
    core_handle *h = (core_handle *)allocate(handle_type, 0);
    if (!h) {
        if (p)
            kind->free(p);
        core_job_unref(job);
        return NULL;
    }
    h->kind = kind;
    h->p = p;
    h->job = job;
    h->keep = keep;
    Py_XINCREF(keep);
    return (PyObject *)h;
}

void *core_get(PyObject *handle, const core_kind *kind)
{
    if (Py_TYPE(handle) == handle_type && ((core_handle *)handle)->kind == kind) {
        if (!((core_handle *)handle)->p)
            PyErr_Format(PyExc_ValueError, "the %s is closed", kind->name);
        return ((core_handle *)handle)->p;
    }
    PyErr_Format(PyExc_TypeError, "expected a %s, not %R", kind->name, handle);
    return NULL;
}

bool core_get_optional(void **out, PyObject *handle, const core_kind *kind)
{
    *out = NULL;
    return handle == Py_None || (*out = core_get(handle, kind)) != NULL;
}

static PyObject *close_handle(PyObject *module, PyObject *handle)
{
    (void)module;
    if (Py_TYPE(handle) != handle_type)
        return PyErr_Format(PyExc_TypeError, "expected a handle, not %R", handle);
    handle_close((core_handle *)handle);
    Py_RETURN_NONE;
}

/* ---- contexts and jobs ---------------------------------------------------------------- */

static void context_free(void *p)
{
    dpl_ctx_free((dpl_ctx *)p);
}

const core_kind core_context_kind = {"context", context_free};

/* What the library notes is a warning. One that is made an exception is dropped here: the call
 * goes on. */
static void warn(void *user, const char *text)
{
    (void)user;
    PyGILState_STATE gil = PyGILState_Ensure();
    if (PyErr_WarnEx(PyExc_UserWarning, text, 1) < 0)
        PyErr_Clear();
    PyGILState_Release(gil);
}

static bool parse_cpu(dpl_cpu *out, const char *name)
{
    const char *known;
    for (int i = 0; (known = dpl_cpu_name((dpl_cpu)i)) != NULL; i++)
        if (strcmp(known, name) == 0) {
            *out = (dpl_cpu)i;
            return true;
        }
    return false;
}

static PyObject *context_new(PyObject *module, PyObject *args)
{
    (void)module;
    unsigned long long memory, seed;
    unsigned threads;
    const char *cpu, *device;
    if (!PyArg_ParseTuple(args, "IKKzz", &threads, &memory, &seed, &cpu, &device))
        return NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .note = warn, .n_threads = threads,
                                 .memory = memory, .seed = seed, .device = device);
    if (cpu && !parse_cpu(&o.cpu, cpu))
        return PyErr_Format(PyExc_ValueError,
                            "cpu must be auto, scalar, sse4.2, avx2, avx512 or amx, not '%s'",
                            cpu);
    dpl_error err = {0};
    dpl_ctx *ctx = NULL;
    dpl_status st;
    Py_BEGIN_ALLOW_THREADS st = dpl_ctx_new(&ctx, &o, &err);
    Py_END_ALLOW_THREADS return st == DPL_OK
        ? core_handle_new(&core_context_kind, ctx, NULL, NULL)
        : core_raise(st, &err);
}

static PyObject *context_info(PyObject *module, PyObject *handle)
{
    (void)module;
    dpl_ctx *ctx = (dpl_ctx *)core_get(handle, &core_context_kind);
    return ctx ? Py_BuildValue(
                     "IKKs", dpl_ctx_threads(ctx), (unsigned long long)dpl_ctx_memory(ctx),
                     (unsigned long long)dpl_ctx_peak(ctx), dpl_cpu_name(dpl_ctx_cpu(ctx)))
               : NULL;
}

static PyObject *context_cancel(PyObject *module, PyObject *handle)
{
    (void)module;
    dpl_ctx *ctx = (dpl_ctx *)core_get(handle, &core_context_kind);
    if (!ctx)
        return NULL;
    dpl_job_cancel(ctx);
    Py_RETURN_NONE;
}

/* Looks for signals and tells the caller how far the work is. */
static int on_progress(void *user, const dpl_progress *p)
{
    core_job *job = (core_job *)user;
    if (!job->is_running)
        return 0;
    PyGILState_STATE gil = PyGILState_Ensure();
    int is_bad = job->type != NULL || PyErr_CheckSignals() != 0;
    if (!is_bad && job->progress) {
        PyObject *answer =
            PyObject_CallFunction(job->progress, "ssKK", p->stage, p->unit,
                                  (unsigned long long)p->done, (unsigned long long)p->total);
        is_bad = !answer;
        Py_XDECREF(answer);
    }
    if (is_bad)
        core_job_fail(job);
    PyGILState_Release(gil);
    return is_bad;
}

core_job *core_job_new(PyObject *context, PyObject *progress)
{
    dpl_ctx *ctx = (dpl_ctx *)core_get(context, &core_context_kind);
    core_job *job = ctx ? (core_job *)calloc(1, sizeof *job) : NULL;
    if (!job)
        return ctx ? (core_job *)PyErr_NoMemory() : NULL;
    job->n_refs = 1;
    dpl_job_options o =
        DPL_INIT(dpl_job_options, .progress = on_progress, .progress_user = job);
    dpl_error err = {0};
    dpl_status st = dpl_job_new(&job->ctx, ctx, &o, &err);
    if (st != DPL_OK) {
        free(job);
        core_raise(st, &err);
        return NULL;
    }
    job->context = context;
    Py_INCREF(context);
    if (progress && progress != Py_None) {
        job->progress = progress;
        Py_INCREF(progress);
    }
    return job;
}

core_job *core_job_ref(core_job *job)
{
    if (job)
        job->n_refs++;
    return job;
}

void core_job_unref(core_job *job)
{
    if (!job || --job->n_refs)
        return;
    dpl_ctx_free(job->ctx);
    Py_XDECREF(job->progress);
    Py_XDECREF(job->type);
    Py_XDECREF(job->value);
    Py_XDECREF(job->trace);
    Py_XDECREF(job->context);
    free(job);
}

void core_job_fail(core_job *job)
{
    if (job->type)
        PyErr_Clear(); /* the first one counts */
    else
        PyErr_Fetch(&job->type, &job->value, &job->trace);
}

void core_run_begin(core_run *run, core_job *job)
{
    memset(run, 0, sizeof *run);
    run->job = job;
    job->is_running = true;
    run->thread = PyEval_SaveThread();
}

bool core_run_end(core_run *run, dpl_status status)
{
    core_job *job = run->job;
    PyEval_RestoreThread(run->thread);
    job->is_running = false;
    if (status == DPL_OK || status == DPL_END) {
        Py_CLEAR(job->type);
        Py_CLEAR(job->value);
        Py_CLEAR(job->trace);
        return true;
    }
    if (job->type) {
        PyErr_Restore(job->type, job->value, job->trace);
        job->type = job->value = job->trace = NULL;
    } else {
        core_raise(status, &run->err);
    }
    return false;
}

PyObject *core_open(const core_kind *kind, core_open_fn *open, PyObject *args)
{
    PyObject *context, *path, *result = NULL;
    if (!PyArg_ParseTuple(args, "OO", &context, &path))
        return NULL;
    core_job *job = core_job_new(context, Py_None);
    if (!job)
        return NULL;
    core_arena arena = {0};
    const char *name = core_arena_text(&arena, path);
    if (name) {
        void *opened = NULL;
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = open(&opened, job->ctx, name, &run.err);
        if (core_run_end(&run, st))
            result = core_handle_new(kind, opened, core_job_ref(job), NULL);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

PyObject *core_raise(dpl_status status, const dpl_error *err)
{
    PyObject *module = PyImport_ImportModule("doppel._errors");
    PyObject *text = core_str((dpl_str){err->text, strlen(err->text)});
    PyObject *e = module && text ? PyObject_CallMethod(module, "make", "iOKKKiss", (int)status,
                                                       text, (unsigned long long)err->line,
                                                       (unsigned long long)err->column,
                                                       (unsigned long long)err->offset,
                                                       err->sys_errno, err->hint, err->code)
                                 : NULL;
    if (e)
        PyErr_SetObject((PyObject *)Py_TYPE(e), e);
    Py_XDECREF(e);
    Py_XDECREF(text);
    Py_XDECREF(module);
    return NULL;
}

/* ---- texts ------------------------------------------------------------------------------ */

PyObject *core_str(dpl_str text)
{
    return PyUnicode_DecodeUTF8(text.n ? text.data : "", (Py_ssize_t)text.n, "replace");
}

bool core_to_str(dpl_str *out, PyObject *text)
{
    Py_ssize_t n;
    out->data = PyUnicode_AsUTF8AndSize(text, &n);
    out->n = out->data ? (size_t)n : 0;
    return out->data != NULL;
}

void core_text_put(void *user, const char *data, size_t n)
{
    core_text *t = (core_text *)user;
    if (t->n + n > t->room) {
        size_t room = 2 * (t->n + n) + 256;
        char *more = (char *)realloc(t->data, room);
        if (!more) {
            t->failed = true;
            return;
        }
        t->data = more;
        t->room = room;
    }
    memcpy(t->data + t->n, data, n);
    t->n += n;
}

PyObject *core_text_end(core_text *text)
{
    PyObject *result =
        text->failed ? PyErr_NoMemory() : core_str((dpl_str){text->data, text->n});
    free(text->data);
    return result;
}

PyObject *core_summary(const dpl_summary_table *table, const void *summary)
{
    const dpl_figures figures = {.table = table, .summary = summary};
    core_text text = {0};
    dpl_json j = {.put = core_text_put, .user = &text};
    dpl_json_begin(&j, NULL, '{');
    dpl_summary_json(&j, &figures);
    dpl_json_end(&j, '}');
    return core_text_end(&text);
}

/* ---- what this build is; the command line --------------------------------------------- */

static PyObject *version(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *libraries = PyDict_New();
    const char *name, *number;
    for (size_t i = 0; libraries && dpl_library(i, &name, &number); i++) {
        PyObject *text = PyUnicode_FromString(number);
        if (!text || PyDict_SetItemString(libraries, name, text) != 0)
            Py_CLEAR(libraries);
        Py_XDECREF(text);
    }
    return libraries ? Py_BuildValue("ssNs", dpl_version(), dpl_compiler(), libraries,
                                     dpl_cpu_name(dpl_cpu_best()))
                     : NULL;
}

int dpl_cli_main(int argc, char **argv);

/* The command line's main: it may be called once in a process. */
static PyObject *cli(PyObject *module, PyObject *list)
{
    (void)module;
    Py_ssize_t n = PyList_Size(list);
    core_arena arena = {0};
    char **argv =
        n < 0 ? NULL : (char **)core_arena_take(&arena, ((size_t)n + 1) * sizeof *argv);
    for (Py_ssize_t i = 0; argv && i < n; i++) {
        argv[i] = (char *)(uintptr_t)core_arena_text(&arena, PyList_GetItem(list, i));
        if (!argv[i])
            argv = NULL;
    }
    int rc = 0;
    if (argv) {
        Py_BEGIN_ALLOW_THREADS rc = dpl_cli_main((int)n, argv);
        fflush(stdout);
        Py_END_ALLOW_THREADS
    }
    core_arena_clear(&arena);
    return argv ? PyLong_FromLong(rc) : NULL;
}

/* parse_size("4G") -> bytes */
static PyObject *parse_size(PyObject *module, PyObject *text)
{
    (void)module;
    dpl_str s;
    uint64_t n;
    if (!core_to_str(&s, text))
        return NULL;
    if (!dpl_parse_size(&n, s.data))
        return PyErr_Format(PyExc_ValueError, "not a size: %R; '512M' and '1.5G' are", text);
    return PyLong_FromUnsignedLongLong(n);
}

/* file_kind(context, path) -> "collection", "lexicon" ..., or None: not a file of ours. A
 * damaged one raises. */
static PyObject *file_kind(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *path, *result = NULL;
    if (!PyArg_ParseTuple(args, "OO", &context, &path))
        return NULL;
    dpl_ctx *ctx = (dpl_ctx *)core_get(context, &core_context_kind);
    core_arena arena = {0};
    const char *name = ctx ? core_arena_text(&arena, path) : NULL;
    dpl_error err = {0};
    char kind[DPL_FILE_KIND];
    if (name) {
        dpl_status st = dpl_file_detect(kind, ctx, name, &err);
        if (st != DPL_OK)
            core_raise(st, &err);
        else
            result = *kind ? PyUnicode_FromString(kind) : Py_NewRef(Py_None);
    }
    core_arena_clear(&arena);
    return result;
}

/* identify(text) -> (language, confidence) */
static PyObject *identify(PyObject *module, PyObject *text)
{
    (void)module;
    dpl_str s;
    if (!core_to_str(&s, text))
        return NULL;
    dpl_lang lang;
    Py_BEGIN_ALLOW_THREADS lang = dpl_lang_identify(s);
    Py_END_ALLOW_THREADS return Py_BuildValue("sd", lang.code, (double)lang.confidence);
}

static void temp_dir_free(void *p)
{
    dpl_temp_dir_remove((dpl_temp_dir *)p);
    PyMem_Free(p);
}

static const core_kind temp_dir_kind = {"temporary folder", temp_dir_free};

/* temp_dir(base) -> (handle, path): a folder that is removed when the handle is closed */
static PyObject *temp_dir(PyObject *module, PyObject *base)
{
    (void)module;
    core_arena arena = {0};
    dpl_error err = {0};
    PyObject *handle = NULL, *path = NULL;
    const char *name = core_arena_text(&arena, base);
    dpl_temp_dir *dir = name ? (dpl_temp_dir *)PyMem_Calloc(1, sizeof(dpl_temp_dir)) : NULL;
    if (name && !dir)
        PyErr_NoMemory();
    const dpl_status st = dir ? dpl_temp_dir_make(dir, name, &err) : DPL_OK;
    core_arena_clear(&arena);
    if (!dir)
        return NULL;
    if (st != DPL_OK) {
        PyMem_Free(dir);
        return core_raise(st, &err);
    }
    path = PyUnicode_DecodeFSDefault(dir->path);
    handle = path ? core_handle_new(&temp_dir_kind, dir, NULL, NULL) : NULL;
    if (!path)
        temp_dir_free(dir);
    if (!handle) {
        Py_XDECREF(path);
        return NULL;
    }
    return Py_BuildValue("NN", handle, path);
}

PyMethodDef core_base_methods[] = {
    {"parse_size", parse_size, METH_O, "parse_size('4G') -> bytes"},
    {"file_kind", file_kind, METH_VARARGS, "file_kind(context, path) -> kind or None"},
    {"identify", identify, METH_O, "identify(text) -> (language, confidence)"},
    {"context", context_new, METH_VARARGS, "context(threads, memory, seed, cpu, device)"},
    {"context_info", context_info, METH_O, "(threads, memory, peak, cpu)"},
    {"context_cancel", context_cancel, METH_O, "stop everything that runs on the context"},
    {"temp_dir", temp_dir, METH_O, "temp_dir(base) -> (handle, path)"},
    {"close", close_handle, METH_O, "free what a handle holds"},
    {"version", version, METH_NOARGS, "(version, compiler, {library: version}, best cpu)"},
    {"cli", cli, METH_O, "run the command line with a list of arguments"},
    {NULL, NULL, 0, NULL},
};

/* ---- the module ----------------------------------------------------------------------- */

static PyMethodDef *const areas[] = {
    core_base_methods,  core_option_methods, core_input_methods,   core_collection_methods,
    core_table_methods, core_mine_methods,   core_lexicon_methods, core_search_methods,
    core_align_methods, core_dedup_methods,  core_reuse_methods,   core_index_methods,
    core_eval_methods};

static int fill(PyObject *module)
{
    handle_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &handle_spec, NULL);
    if (!handle_type || PyModule_AddType(module, handle_type) != 0 ||
        core_table_add(module) != 0)
        return -1;
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++)
        if (PyModule_AddFunctions(module, areas[i]) != 0)
            return -1;
    return 0;
}

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "doppel._core",
    .m_doc = "The library's objects and calls; use the package doppel instead.",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && fill(module) != 0)
        Py_CLEAR(module);
    return module;
}
