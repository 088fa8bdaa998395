/*
 * options.c - options of calls into structs of the library, by the tables of doppel/options.h;
 * what options the commands have, which are the keyword arguments of calls.
 */
#include "core.h"

#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory --------------------------------------------------------------------------- */

void *core_arena_take(core_arena *arena, size_t n_bytes)
{
    if (arena->n == arena->room) {
        size_t room = 2 * arena->room + 8;
        void **items = (void **)realloc(arena->items, room * sizeof *items);
        if (!items)
            return PyErr_NoMemory();
        arena->items = items;
        arena->room = room;
    }
    void *p = calloc(1, n_bytes ? n_bytes : 1);
    if (!p)
        return PyErr_NoMemory();
    return arena->items[arena->n++] = p;
}

const char *core_arena_text(core_arena *arena, PyObject *text)
{
    PyObject *bytes = NULL;
    char *data, *copy = NULL;
    Py_ssize_t n;
    if (!PyUnicode_FSConverter(text, &bytes))
        return NULL;
    if (PyBytes_AsStringAndSize(bytes, &data, &n) == 0 &&
        (copy = (char *)core_arena_take(arena, (size_t)n + 1)))
        memcpy(copy, data, (size_t)n);
    Py_DECREF(bytes);
    return copy;
}

void core_arena_clear(core_arena *arena)
{
    while (arena->n)
        free(arena->items[--arena->n]);
    free(arena->items);
    memset(arena, 0, sizeof *arena);
}

/* ---- setting -------------------------------------------------------------------------- */

enum { NAME_BYTES = 80 };

/* "max_side" -> "max-side" */
static bool option_name(char out[NAME_BYTES], PyObject *key)
{
    dpl_str name;
    if (!PyUnicode_Check(key) || !core_to_str(&name, key) || name.n + 4 > NAME_BYTES) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "not the name of an option: %R", key);
        return false;
    }
    for (size_t i = 0; i <= name.n; i++)
        out[i] = name.data[i] == '_' ? '-' : name.data[i];
    return true;
}

/* The struct of a group, made where there is none yet. */
static void *open_group(void *options, const dpl_option *o, core_arena *arena)
{
    const dpl_option_table *table = o->group();
    char *field = (char *)options + o->offset;
    if (o->n_bytes != sizeof(void *))
        return field; /* by value */
    void *group;
    memcpy(&group, field, sizeof group);
    if (group)
        return group;
    group = core_arena_take(arena, table->n_bytes);
    if (group) {
        memcpy(group, &table->n_bytes, sizeof(size_t)); /* its size comes first */
        memcpy(field, &group, sizeof group);
    }
    return group;
}

/* The table, here or in a group, that has an option; *options becomes the struct there. */
static const dpl_option *find(void **options, const dpl_option_table **table, const char *name,
                              core_arena *arena)
{
    const dpl_option *o = dpl_option_find(*table, name);
    if (o && o->type != DPL_OPTION_OTHER)
        return o;
    for (size_t i = 0; i < (*table)->n_options; i++) {
        const dpl_option *g = &(*table)->options[i];
        if (g->type != DPL_OPTION_GROUP)
            continue;
        const dpl_option_table *inner = g->group();
        /* Looked for first: a group that is not needed stays away. */
        void *none = NULL;
        const dpl_option_table *probe = inner;
        (void)none;
        o = dpl_option_find(probe, name);
        if (o && o->type != DPL_OPTION_OTHER) {
            *options = open_group(*options, g, arena);
            *table = inner;
            return *options ? o : NULL;
        }
    }
    for (size_t i = 0; i < (*table)->n_options; i++) {
        const dpl_option *g = &(*table)->options[i];
        if (g->type != DPL_OPTION_GROUP)
            continue;
        const dpl_option_table *inner = g->group();
        for (size_t k = 0; k < inner->n_options; k++) {
            const dpl_option *gg = &inner->options[k];
            if (gg->type != DPL_OPTION_GROUP || !dpl_option_find(gg->group(), name))
                continue;
            void *outer = open_group(*options, g, arena);
            if (!outer || !(outer = open_group(outer, gg, arena)))
                return NULL;
            *options = outer;
            *table = gg->group();
            return dpl_option_find(*table, name);
        }
    }
    return NULL;
}

static bool set(void *options, const dpl_option_table *table, const dpl_option *o,
                const char *text)
{
    dpl_error err = {0};
    dpl_status st = dpl_option_parse(options, table, o->name, text, &err);
    if (st != DPL_OK)
        core_raise(st, &err);
    return st == DPL_OK;
}

static bool set_value(void *options, const dpl_option_table *table, const dpl_option *o,
                      PyObject *value, core_arena *arena)
{
    if (PyBool_Check(value)) {
        if (o->type != DPL_OPTION_FLAG) {
            PyErr_Format(PyExc_TypeError, "option '%s' takes %s, not %R", o->name,
                         o->value ? o->value : "a value", value);
            return false;
        }
        return value == Py_False || set(options, table, o, "true");
    }
    PyObject *text = PyUnicode_Check(value) || PyBytes_Check(value) ||
                             PyObject_HasAttrString(value, "__fspath__")
                         ? value
                         : NULL;
    if (text)
        Py_INCREF(text);
    else if (PyFloat_Check(value))
        text = PyObject_Repr(value);
    else
        text = PyObject_Str(value);
    const char *copy = text ? core_arena_text(arena, text) : NULL;
    Py_XDECREF(text);
    return copy && set(options, table, o, copy);
}

bool core_options_set(void *options, const dpl_option_table *table, PyObject *dict,
                      core_arena *arena)
{
    Py_ssize_t at = 0;
    PyObject *key, *value;
    if (!dict || dict == Py_None)
        return true;
    while (PyDict_Next(dict, &at, &key, &value)) {
        char name[NAME_BYTES], negated[NAME_BYTES + 4] = "no-";
        if (!option_name(name, key))
            return false;
        if (value == Py_None)
            continue;
        void *where = options;
        const dpl_option_table *there = table;
        const dpl_option *o = find(&where, &there, name, arena);
        if (!o && PyBool_Check(value)) {
            strcat(negated, name);
            where = options;
            there = table;
            o = find(&where, &there, negated, arena);
            value = value == Py_True ? Py_False : Py_True;
        }
        if (!o) {
            if (!PyErr_Occurred())
                PyErr_Format(PyExc_TypeError, "%s has no option '%U'", table->name, key);
            return false;
        }
        if (o->type == DPL_OPTION_GROUP) {
            if (!PyDict_Check(value)) {
                PyErr_Format(PyExc_TypeError, "option '%U' takes a dict of options", key);
                return false;
            }
            void *group = open_group(where, o, arena);
            if (!group || !core_options_set(group, o->group(), value, arena))
                return false;
        } else if (!set_value(where, there, o, value, arena)) {
            return false;
        }
    }
    return true;
}

/* ---- listing -------------------------------------------------------------------------- */

static PyObject *list_choices(const char *const *choices)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && choices && choices[i]; i++) {
        PyObject *name = PyUnicode_FromString(choices[i]);
        if (!name || PyList_Append(list, name) != 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static dpl_option_type type_of(const cli_option *o)
{
    return o->table                   ? o->type
           : o->flag                  ? DPL_OPTION_FLAG
           : o->count || o->number    ? DPL_OPTION_COUNT
           : o->size                  ? DPL_OPTION_SIZE
           : o->real                  ? DPL_OPTION_REAL
           : o->choice                ? DPL_OPTION_CHOICE
           : o->complete == CLI_FILES ? DPL_OPTION_FILE_IN
                                      : DPL_OPTION_TEXT;
}

static PyObject *describe(const cli_option *entry)
{
    cli_described room;
    const cli_option *o = cli_describe(&room, entry);
    const dpl_option *field = cli_field_of(entry);
    char expects[400] = "";
    if (field)
        dpl_option_expects(expects, sizeof expects, field);
    const char *condition = entry->only_with || !field ? entry->only_with : field->only_with;
    PyObject *choices = list_choices(o->choices);
    if (!choices)
        return NULL;
    return Py_BuildValue("sisszzszzzN", o->name, (int)type_of(o), o->help ? o->help : "",
                         expects, o->standard, field ? entry->table : NULL,
                         field ? field->name : o->name, condition, o->knob_of, o->knob_with,
                         choices);
}

static const cli_command *find_command(const char *name)
{
    for (const cli_command *const *c = cli_doppel.commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

/* options(command) -> [(name, type, help, expects, default, table, field, condition, knob of,
 * values with the knob, choices)] */
static PyObject *list_options(PyObject *module, PyObject *name)
{
    (void)module;
    dpl_str wanted;
    if (!core_to_str(&wanted, name))
        return NULL;
    const cli_command *c = find_command(wanted.data);
    if (!c)
        return PyErr_Format(PyExc_KeyError, "%U", name);
    PyObject *list = PyList_New(0);
    for (const cli_option *o = c->options; list && o && o->name; o++) {
        PyObject *row = describe(o);
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

/* option_groups(table) -> [(name of a group, its table)] */
static PyObject *list_groups(PyObject *module, PyObject *name)
{
    (void)module;
    dpl_str wanted;
    if (!core_to_str(&wanted, name))
        return NULL;
    const dpl_option_table *t = dpl_option_table_of(wanted.data);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && t && i < t->n_options; i++) {
        const dpl_option *o = &t->options[i];
        if (o->type != DPL_OPTION_GROUP)
            continue;
        PyObject *row = Py_BuildValue("ss", o->name, o->group()->name);
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

PyMethodDef core_option_methods[] = {
    {"options", list_options, METH_O, "options(command) -> list of descriptions"},
    {"option_groups", list_groups, METH_O, "option_groups(table) -> list of (group, table)"},
    {NULL, NULL, 0, NULL},
};
