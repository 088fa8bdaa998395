/*
 * write_lexicon.c - words, tables and perhaps a model become a lexicon file
 * (docs/reference/FORMAT.md).
 *
 * Everything is in memory in the shape that the file has, so this is one write a section.
 */
#include "lexicon/write_lexicon.h"

#include "base/json_writer.h"
#include "io/container.h"
#include "lexicon/lexicon.h"

#include <stdio.h>

/* ---- settings ----------------------------------------------------------------------- */

/* null where there is no bound. */
static void put_bound(dpl_json *j, const char *key, double x)
{
    if (x < 0)
        dpl_json_null(j, key);
    else
        dpl_json_decimal(j, key, x < 1e9 ? x : 1e9);
}

static dpl_status write_settings(dpl__writer *w, dpl_ctx *ctx, const dpl__lexicon_parts *p,
                                 dpl_error *err)
{
    dpl__json_text text = {.ctx = ctx};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "source_lang", p->lang[DPL__LEFT]);
    dpl_json_cstr(&j, "target_lang", p->lang[DPL__RIGHT]);
    dpl_json_bool(&j, "stemmed", p->is_stemmed);
    dpl_json_bool(&j, "pretokenized", p->is_pretokenized);
    if (p->made.n)
        dpl_json_raw(&j, NULL, p->made);
    if (p->prune) {
        dpl_prune o = dpl__prune_defaults(p->prune);
        put_bound(&j, "max_entries", o.top);
        put_bound(&j, "cumulative", o.cumulative);
        put_bound(&j, "min_p", o.threshold);
        put_bound(&j, "min_count", o.min_count);
    }
    dpl_json_end(&j, '}');
    return dpl__writer_add_json(w, "settings", &text, err);
}

/* ---- the parts ---------------------------------------------------------------------- */

/* n elements. */
static dpl_status add(dpl__writer *w, const char *name, unsigned element, const void *data,
                      size_t n, dpl_error *err)
{
    return dpl__writer_add(w, name, element, data, n * element, err);
}

static dpl_status write_strings(dpl__writer *w, const char *prefix, const char *what,
                                const dpl__strings *s, dpl_error *err)
{
    char name[2 * DPL__SECTION_NAME];
    snprintf(name, sizeof name, "%s.%sbytes", prefix, what);
    DPL_TRY(add(w, name, 1, s->bytes, (size_t)s->offsets[s->n], err));
    snprintf(name, sizeof name, "%s.%soffsets", prefix, what);
    return add(w, name, 8, s->offsets, s->n + 1, err);
}

static dpl_status write_words(dpl__writer *w, const dpl__lexicon_parts *p, int side,
                              dpl_error *err)
{
    char name[DPL__SECTION_NAME];
    const char *prefix = dpl__lexicon_sides[side], *lang = p->lang[side];
    const dpl__strings *words = &p->words[side];
    const uint64_t *counts = p->model ? p->model->tokens[side] : p->counts[side];
    DPL_TRY(write_strings(w, prefix, "", words, err));
    if (p->written[side].n)
        DPL_TRY(write_strings(w, prefix, "written.", &p->written[side], err));
    DPL_TRY(add(w, dpl__section_name(name, prefix, "lang"), 1, lang, strlen(lang), err));
    return counts || p->model
               ? add(w, dpl__section_name(name, prefix, "counts"), 8, counts, words->n, err)
               : DPL_OK;
}

static dpl_status write_table(dpl__writer *w, const dpl__lexicon_parts *p, int side,
                              dpl_error *err)
{
    char name[DPL__SECTION_NAME];
    const char *prefix = dpl__lexicon_tables[side];
    const dpl__table *t = &p->table[side];
    assert(t->n_rows == p->words[side].n && t->offsets[t->n_rows] == t->n);
    DPL_TRY(add(w, dpl__section_name(name, prefix, "offsets"), 8, t->offsets,
                (size_t)t->n_rows + 1, err));
    DPL_TRY(add(w, dpl__section_name(name, prefix, "cols"), 4, t->cols, t->n, err));
    return add(w, dpl__section_name(name, prefix, "p"), 4, t->p, t->n, err);
}

static dpl_status write_model(dpl__writer *w, const dpl__wordmodel *m, dpl_error *err)
{
    size_t n_links = (size_t)m->n_links;
    DPL_TRY(add(w, "model.begin", 8, m->begin, (size_t)m->n_words[DPL__LEFT] + 1, err));
    DPL_TRY(add(w, "model.right", 4, m->right, n_links, err));
    DPL_TRY(add(w, "model.p", 4, m->links, 2 * (n_links + 2), err));
    DPL_TRY(add(w, "model.counts", 4, m->counts, n_links, err));
    DPL_TRY(add(w, "model.empty.target", 4, m->empty[DPL__LEFT], m->n_words[DPL__RIGHT], err));
    DPL_TRY(add(w, "model.empty.source", 4, m->empty[DPL__RIGHT], m->n_words[DPL__LEFT], err));
    DPL_TRY(add(w, "model.n_empty", 8, m->n_empty, 2, err));
    DPL_TRY(add(w, "model.p_empty", 8, m->p_empty, 2, err));
    return add(w, "model.jumps", 8, m->jumps, 2 * DPL__JUMPS, err);
}

static dpl_status write_all(dpl__writer *w, dpl_ctx *ctx, const dpl__lexicon_parts *p,
                            dpl_error *err)
{
    uint8_t flags = (uint8_t)(p->is_stemmed * DPL__LEXICON_STEMMED |
                              p->is_pretokenized * DPL__LEXICON_PRETOKENIZED);
    for (int side = 0; side < 2; side++)
        DPL_TRY(write_words(w, p, side, err));
    for (int side = 0; side < 2; side++)
        DPL_TRY(write_table(w, p, side, err));
    if (p->model)
        DPL_TRY(write_model(w, p->model, err));
    DPL_TRY(dpl__writer_add(w, "flags", 1, &flags, sizeof flags, err));
    return write_settings(w, ctx, p, err);
}

/* The file, which has no path, becomes an opened lexicon. */
static dpl_status open_written(dpl__writer *w, uint64_t *n_bytes, dpl_ctx *ctx,
                               dpl_lexicon **out, dpl_error *err)
{
    dpl_file *file = NULL;
    DPL_TRY(dpl__writer_open(w, &file, err));
    if (n_bytes)
        *n_bytes = dpl_file_get_info(file).n_bytes;
    return dpl__lexicon_from_file(out, ctx, file, err);
}

dpl_status dpl__lexicon_write_to(uint64_t *n_bytes, dpl_ctx *ctx,
                                 const dpl__lexicon_destination *to,
                                 const dpl__lexicon_parts *parts, dpl_error *err)
{
    dpl__writer *w = NULL;
    DPL_TRY(dpl__writer_new(&w, ctx, to->out ? NULL : to->path, "lexicon", err));
    dpl_status status;
    DPL__STEP(write_all(w, ctx, parts, err));
    status = to->out ? open_written(w, n_bytes, ctx, to->out, err)
                     : dpl__writer_finish(w, n_bytes, err);
done:
    dpl__writer_free(w);
    return status;
}

dpl_status dpl__lexicon_write(uint64_t *n_bytes, dpl_ctx *ctx, const char *out_path,
                              const dpl__lexicon_parts *parts, dpl_error *err)
{
    dpl__lexicon_destination to = {.path = out_path};
    return dpl__lexicon_write_to(n_bytes, ctx, &to, parts, err);
}
