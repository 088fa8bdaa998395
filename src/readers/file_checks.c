/*
 * file_checks.c - ids, languages and settings of a file, checked when it is opened.
 */
#include "readers/file_checks.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/map.h"
#include "par/pool.h"
#include "readers/json_parser.h"
#include "unicode/unicode.h"

static bool has_control(dpl_str s)
{
    unsigned found = 0; /* no branch: compilers make vector code of it */
    for (size_t i = 0; i < s.n; i++) {
        unsigned c = (unsigned char)s.data[i];
        found |= (unsigned)(c < 0x20) | (unsigned)(c == 0x7F);
    }
    return found != 0;
}

/* NULL: nothing is wrong with them. */
static const char *problem_of(const dpl__strings *names)
{
    for (size_t i = 0; i < names->n; i++)
        if (names->offsets[i] == names->offsets[i + 1])
            return "an empty string";
    bool is_bad = has_control((dpl_str){names->bytes, (size_t)names->offsets[names->n]});
    return is_bad ? "a control character" : NULL;
}

dpl_status dpl__check_names(const dpl_file *f, const char *section, const dpl__strings *names,
                            dpl_error *err)
{
    const char *problem = problem_of(names);
    return problem ? dpl__damaged(f, section, problem, err) : DPL_OK;
}

/* ---- strings in order --------------------------------------------------------------- */

enum { BLOCK = 1 << 14 };

typedef struct ordered { /* what is checked in blocks */
    const dpl_file *f;
    const char *section;
    const dpl__strings *strings;
    const uint32_t *order;
} ordered;

static dpl_status check_block(void *user, size_t block, unsigned worker, dpl_error *err)
{
    const ordered *o = user;
    (void)worker;
    size_t end = dpl__min((block + 1) * BLOCK, o->strings->n);
    for (size_t i = dpl__max(block * BLOCK, 1); i < end; i++) {
        int c = dpl__str_cmp(dpl__string(o->strings, o->order[i - 1]),
                             dpl__string(o->strings, o->order[i]));
        if (c >= 0)
            return dpl__damaged(o->f, o->section,
                                c == 0 ? "a string is there twice" : "strings out of order",
                                err);
    }
    return DPL_OK;
}

dpl_status dpl__check_order(const dpl_file *f, const char *section, const dpl__strings *strings,
                            const uint32_t *order, dpl_error *err)
{
    ordered o = {f, section, strings, order};
    return dpl__parallel_for(dpl__file_ctx(f), (strings->n + BLOCK - 1) / BLOCK, &o,
                             check_block, err);
}

/* ---- strings without an order ------------------------------------------------------- */

static uint64_t hash_string(const void *strings, uint32_t i)
{
    const dpl_str s = dpl__string(strings, i);
    return dpl__hash(s.data, s.n, 13);
}

static bool is_string(const void *strings, uint32_t i, dpl_str s)
{
    return dpl__str_eq(dpl__string(strings, i), s);
}

DPL_NUMBER_MAP(string_map, dpl_str, hash_string, is_string);

static dpl_status find_double(dpl_ctx *ctx, const dpl__strings *ids, bool *is_double,
                              dpl_error *err)
{
    string_map map = {.user = ids};
    *is_double = false;
    DPL_TRY(dpl__need(string_map_reserve(&map, ctx, ids->n), err));
    for (uint32_t i = 0; i < ids->n && !*is_double; i++) {
        uint32_t *slot = string_map_find(&map, hash_string(ids, i), dpl__string(ids, i));
        *is_double = *slot != 0;
        *slot = i + 1;
        map.n_used++;
    }
    string_map_clear(&map, ctx);
    return DPL_OK;
}

dpl_status dpl__check_unique(const dpl_file *f, const char *section, const dpl__strings *ids,
                             dpl_error *err)
{
    bool is_double;
    DPL_TRY(find_double(dpl__file_ctx(f), ids, &is_double, err));
    return is_double ? dpl__damaged(f, section, "a string is there twice", err) : DPL_OK;
}

dpl_status dpl__check_ids(dpl_ctx *ctx, const char *name, const dpl__strings *ids,
                          dpl_error *err)
{
    bool is_double;
    const char *problem = problem_of(ids);
    if (!problem && !dpl__is_utf8(ctx, (dpl_str){ids->bytes, (size_t)ids->offsets[ids->n]}))
        problem = "invalid UTF-8";
    DPL_TRY(find_double(ctx, ids, &is_double, err));
    if (!problem && is_double)
        problem = "a string is there twice";
    return problem ? dpl__fail(err, DPL_E_FORMAT, "'%s': ids: %s", name, problem) : DPL_OK;
}

/* ---- languages ---------------------------------------------------------------------- */

dpl_status dpl__check_langs(const dpl_file *f, const char *section, const dpl__strings *langs,
                            dpl_error *err)
{
    for (size_t i = 0; i < langs->n; i++)
        if (!dpl__is_lang_code(dpl__string(langs, i)))
            return dpl__damaged(f, section, "not the code of a language", err);
    return DPL_OK;
}

dpl_status dpl__get_lang(const dpl_file *f, const char *name, dpl_str *out, dpl_error *err)
{
    DPL_TRY(dpl__get(f, name, 1, &out->data, &out->n, err));
    return out->n == 0 || dpl__is_lang_code(*out)
               ? DPL_OK
               : dpl__damaged(f, name, "not the code of a language", err);
}

/* ---- texts -------------------------------------------------------------------------- */

dpl_status dpl__get_text(const dpl_file *f, const char *name, dpl_str *out, dpl_error *err)
{
    DPL_TRY(dpl__get(f, name, 1, &out->data, &out->n, err));
    if (!dpl__is_utf8(dpl__file_ctx(f), *out))
        return dpl__damaged(f, name, "invalid UTF-8", err);
    return has_control(*out) ? dpl__damaged(f, name, "a control character", err) : DPL_OK;
}

static bool is_object(const dpl_ctx *ctx, dpl_str text)
{
    dpl__json j = dpl__json_begin(ctx, text);
    dpl_str raw;
    return dpl__json_peek(&j) == '{' && dpl__json_skip(&j, &raw) == DPL_OK &&
           dpl__json_end(&j) == DPL_OK;
}

static dpl_status check_objects(void *user, size_t block, unsigned worker, dpl_error *err)
{
    const ordered *o = user;
    (void)worker;
    size_t end = dpl__min((block + 1) * BLOCK, o->strings->n);
    for (size_t i = block * BLOCK; i < end; i++) {
        const dpl_str text = dpl__string(o->strings, i);
        if (text.n && !is_object(dpl__file_ctx(o->f), text))
            return dpl__damaged(o->f, o->section, "not a JSON object", err);
    }
    return DPL_OK;
}

dpl_status dpl__check_objects(const dpl_file *f, const char *section,
                              const dpl__strings *strings, dpl_error *err)
{
    ordered o = {.f = f, .section = section, .strings = strings};
    return dpl__parallel_for(dpl__file_ctx(f), (strings->n + BLOCK - 1) / BLOCK, &o,
                             check_objects, err);
}

dpl_status dpl__get_json(const dpl_file *f, const char *name, dpl_str *out, dpl_error *err)
{
    DPL_TRY(dpl__get_text(f, name, out, err));
    return is_object(dpl__file_ctx(f), *out) ? DPL_OK
                                             : dpl__damaged(f, name, "not a JSON object", err);
}
