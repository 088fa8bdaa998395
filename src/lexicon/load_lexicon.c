/*
 * load_lexicon.c - a lexicon file, measured and checked.
 *
 * Opening verifies every checksum and every number that anything later relies on: words and the
 * numbers in rows rise, probabilities are such, and a model's numbers are those that a training
 * can leave behind, because alignment divides by them.
 */
#include "lexicon/lexicon.h"

#include "io/sections.h"
#include "par/pool.h"
#include "readers/file_checks.h"

#include <float.h>
#include <stdio.h>

enum { BLOCK_ROWS = 4096 };

const char *const dpl__lexicon_sides[2] = {"source", "target"};
const char *const dpl__lexicon_tables[2] = {"table", "back"};

const char *dpl__section_name(char out[DPL__SECTION_NAME], const char *prefix, const char *name)
{
    snprintf(out, DPL__SECTION_NAME, "%s.%s", prefix, name);
    return out;
}

/* ---- numbers ------------------------------------------------------------------------ */

typedef struct range {
    double least, most;
} range;

static bool is_in(range r, double x)
{
    return x >= r.least && x <= r.most;
}

/* n of them, all in the range. */
static dpl_status get_floats(float **out, const dpl_lexicon *l, const char *name, size_t n,
                             range bounds, dpl_error *err)
{
    const float *x = NULL;
    bool is_good = true;
    DPL_TRY(dpl__get_n(l->file, name, 4, &x, n, err));
    for (size_t i = 0; i < n; i++)
        is_good &= is_in(bounds, (double)x[i]);
    *out = (float *)(uintptr_t)x;
    return is_good ? DPL_OK : dpl__damaged(l->file, name, "number out of range", err);
}

/* The same, as a copy. */
static dpl_status copy_doubles(double *out, const dpl_lexicon *l, const char *name, size_t n,
                               range bounds, dpl_error *err)
{
    const double *x = NULL;
    bool is_good = true;
    DPL_TRY(dpl__get_n(l->file, name, 8, &x, n, err));
    for (size_t i = 0; i < n; i++)
        is_good &= is_in(bounds, x[i]);
    memcpy(out, x, n * sizeof *x);
    return is_good ? DPL_OK : dpl__damaged(l->file, name, "number out of range", err);
}

/* Rows of numbers that rise. */
typedef struct rows {
    const dpl_file *file;
    const char *name;
    const uint64_t *offsets;
    const uint32_t *cols;
    size_t n;
} rows;

static dpl_status check_block(void *user, size_t block, unsigned worker, dpl_error *err)
{
    (void)worker;
    const rows *r = user;
    size_t row = block * BLOCK_ROWS, end = dpl__min(row + BLOCK_ROWS, r->n);
    bool is_good = true;
    for (; row < end; row++)
        for (uint64_t i = r->offsets[row] + 1; i < r->offsets[row + 1]; i++)
            is_good &= r->cols[i - 1] < r->cols[i];
    return is_good ? DPL_OK : dpl__damaged(r->file, r->name, "numbers out of order", err);
}

/* Two sections of n rows: where each begins, and their numbers, rising and below the bound. */
typedef struct row_sections {
    const char *offsets, *cols;
    size_t n, bound;
} row_sections;

static dpl_status get_rows(uint64_t **out_offsets, uint32_t **out_cols, size_t *n_entries,
                           const dpl_lexicon *l, const row_sections *s, dpl_error *err)
{
    const dpl_file *f = l->file;
    const uint64_t *o = NULL;
    const uint32_t *c = NULL;
    DPL_TRY(dpl__get(f, s->cols, 4, &c, n_entries, err));
    DPL_TRY(dpl__get_offsets(f, s->offsets, &o, s->n, *n_entries, err));
    DPL_TRY(dpl__check_below(f, s->cols, c, *n_entries, s->bound, err));
    rows r = {f, s->cols, o, c, s->n};
    DPL_TRY(
        dpl__parallel_for(l->ctx, (s->n + BLOCK_ROWS - 1) / BLOCK_ROWS, &r, check_block, err));
    *out_offsets = (uint64_t *)(uintptr_t)o;
    *out_cols = (uint32_t *)(uintptr_t)c;
    return DPL_OK;
}

/* ---- words and tables --------------------------------------------------------------- */

static dpl_status get_lang(dpl_lexicon *l, int side, dpl_error *err)
{
    char name[DPL__SECTION_NAME];
    dpl_str text = {0};
    dpl__section_name(name, dpl__lexicon_sides[side], "lang");
    DPL_TRY(dpl__get(l->file, name, 1, &text.data, &text.n, err));
    if (text.n == 0)
        return DPL_OK;
    dpl_lang lang = dpl_lang_canonical(text);
    if (!dpl__str_eq(dpl__cstr(lang.code), text))
        return dpl__damaged(l->file, name, "unknown language", err);
    memcpy(l->lang[side], lang.code, sizeof lang.code);
    return DPL_OK;
}

static dpl_status get_counts(dpl_lexicon *l, int side, dpl_error *err)
{
    enum { MOST_BITS = 48 };
    char name[DPL__SECTION_NAME];
    dpl_section section;
    size_t n = l->words[side].n;
    dpl__section_name(name, dpl__lexicon_sides[side], "counts");
    if (!dpl_file_find(l->file, name, &section))
        return DPL_OK;
    DPL_TRY(dpl__get_n(l->file, name, 8, &l->counts[side], n, err));
    for (size_t i = 0; i < n; i++)
        if (l->counts[side][i] >> MOST_BITS)
            return dpl__damaged(l->file, name, "number out of range", err);
    return DPL_OK;
}

static dpl_status get_written(dpl_lexicon *l, int side, dpl_error *err)
{
    char offsets[DPL__SECTION_NAME], bytes[DPL__SECTION_NAME];
    dpl_section section;
    dpl__section_name(offsets, dpl__lexicon_sides[side], "written.offsets");
    dpl__section_name(bytes, dpl__lexicon_sides[side], "written.bytes");
    if (!dpl_file_find(l->file, offsets, &section))
        return DPL_OK;
    DPL_TRY(
        dpl__get_strings(l->file, offsets, bytes, &l->written[side], l->words[side].n, err));
    return dpl__check_names(l->file, bytes, &l->written[side], err);
}

static dpl_status get_words(dpl_lexicon *l, int side, dpl_error *err)
{
    char offsets[DPL__SECTION_NAME], bytes[DPL__SECTION_NAME];
    dpl__strings *words = &l->words[side];
    dpl__section_name(offsets, dpl__lexicon_sides[side], "offsets");
    dpl__section_name(bytes, dpl__lexicon_sides[side], "bytes");
    DPL_TRY(dpl__get_strings(l->file, offsets, bytes, words, SIZE_MAX, err));
    dpl_str last = {0};
    for (size_t i = 0; i < words->n; i++) {
        dpl_str word = dpl__string(words, i);
        if (dpl__str_cmp(last, word) >= 0) /* nor is the first one empty */
            return dpl__damaged(l->file, bytes, "words out of order", err);
        last = word;
    }
    DPL_TRY(dpl__check_names(l->file, bytes, words, err));
    DPL_TRY(get_written(l, side, err));
    DPL_TRY(get_lang(l, side, err));
    return get_counts(l, side, err);
}

static dpl_status get_table(dpl_lexicon *l, int side, dpl_error *err)
{
    char offsets[DPL__SECTION_NAME], cols[DPL__SECTION_NAME], p[DPL__SECTION_NAME];
    const char *prefix = dpl__lexicon_tables[side];
    dpl__table *t = &l->table[side];
    t->n_rows = (uint32_t)l->words[side].n;
    row_sections s = {.offsets = dpl__section_name(offsets, prefix, "offsets"),
                      .cols = dpl__section_name(cols, prefix, "cols"),
                      .n = t->n_rows,
                      .bound = l->words[!side].n};
    DPL_TRY(get_rows(&t->offsets, &t->cols, &t->n, l, &s, err));
    return get_floats(&t->p, l, dpl__section_name(p, prefix, "p"), t->n, (range){FLT_MIN, 1},
                      err);
}

/* ---- the model ---------------------------------------------------------------------- */

/* Bounds of what a training leaves behind; rounding may carry a probability above 1. */
static const double least_p = (double)1e-12f, most_p = (double)1.001f, most_count = 0x1p30;
static const double least_total = 1e-3, most_total = 0x1p62;
static const double least_empty = 1e-6, least_jump = 1e-14 /* of all */;

static dpl_status get_links(dpl_lexicon *l, dpl_error *err)
{
    dpl__wordmodel *m = &l->model;
    size_t n = 0;
    float *p = NULL;
    row_sections s = {"model.begin", "model.right", l->words[DPL__LEFT].n,
                      l->words[DPL__RIGHT].n};
    DPL_TRY(get_rows(&m->begin, &m->right, &n, l, &s, err));
    if (n >= UINT32_MAX - 1)
        return dpl__damaged(l->file, "model.right", "wrong length", err);
    DPL_TRY(get_floats(&p, l, "model.p", 2 * (n + 2), (range){least_p, most_p}, err));
    m->links = (dpl__link_p *)(void *)p;
    m->n_links = n;
    return get_floats(&m->counts, l, "model.counts", n, (range){0, most_count}, err);
}

static dpl_status get_jumps(dpl_lexicon *l, dpl_error *err)
{
    double(*jumps)[DPL__JUMPS] = l->model.jumps;
    DPL_TRY(
        copy_doubles(jumps[0], l, "model.jumps", 2 * DPL__JUMPS, (range){0, most_total}, err));
    for (int side = 0; side < 2; side++) {
        double total = 0, least = jumps[side][0];
        for (size_t k = 0; k < DPL__JUMPS; k++) {
            total += jumps[side][k];
            least = jumps[side][k] < least ? jumps[side][k] : least;
        }
        if (!(least > 0 && least >= least_jump * total))
            return dpl__damaged(l->file, "model.jumps", "number out of range", err);
    }
    return DPL_OK;
}

static dpl_status get_model(dpl_lexicon *l, dpl_error *err)
{
    dpl__wordmodel *m = &l->model;
    dpl_section section;
    l->has_model = dpl_file_find(l->file, "model.begin", &section);
    if (!l->has_model)
        return DPL_OK;
    for (int side = 0; side < 2; side++) {
        if (!l->counts[side])
            return dpl__damaged(l->file, "model.begin", "a model of words without counts", err);
        m->n_words[side] = (uint32_t)l->words[side].n;
        m->tokens[side] = (uint64_t *)(uintptr_t)l->counts[side];
    }
    DPL_TRY(get_links(l, err));
    DPL_TRY(get_floats(&m->empty[DPL__LEFT], l, "model.empty.target", m->n_words[DPL__RIGHT],
                       (range){0, most_p}, err));
    DPL_TRY(get_floats(&m->empty[DPL__RIGHT], l, "model.empty.source", m->n_words[DPL__LEFT],
                       (range){0, most_p}, err));
    bool has_words = m->n_words[DPL__LEFT] && m->n_words[DPL__RIGHT];
    DPL_TRY(copy_doubles(m->n_empty, l, "model.n_empty", 2,
                         (range){has_words ? least_total : 0, most_total}, err));
    DPL_TRY(copy_doubles(m->p_empty, l, "model.p_empty", 2,
                         (range){least_empty, 1 - least_empty}, err));
    return get_jumps(l, err);
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status get_flags(dpl_lexicon *l, dpl_error *err)
{
    const uint8_t *flags = NULL;
    DPL_TRY(dpl__get_n(l->file, "flags", 1, &flags, 1, err));
    if (*flags & ~DPL__LEXICON_FLAGS)
        return dpl__damaged(l->file, "flags", "number out of range", err);
    l->is_stemmed = *flags & DPL__LEXICON_STEMMED;
    l->is_pretokenized = *flags & DPL__LEXICON_PRETOKENIZED;
    return DPL_OK;
}

dpl_status dpl__lexicon_load(dpl_lexicon *l, dpl_error *err)
{
    DPL_TRY(dpl__check_kind(l->file, "lexicon", err));
    DPL_TRY(dpl_file_check(l->file, err));
    for (int side = 0; side < 2; side++)
        DPL_TRY(get_words(l, side, err));
    for (int side = 0; side < 2; side++)
        DPL_TRY(get_table(l, side, err));
    DPL_TRY(get_model(l, err));
    DPL_TRY(get_flags(l, err));
    DPL_TRY(dpl__get_json(l->file, "settings", &l->settings, err));
    l->sizes = (dpl_lexicon_sizes){.size = sizeof(dpl_lexicon_sizes),
                                   .n_sources = (uint32_t)l->words[DPL__LEFT].n,
                                   .n_targets = (uint32_t)l->words[DPL__RIGHT].n,
                                   .n_entries = l->table[DPL__LEFT].n,
                                   .n_back = l->table[DPL__RIGHT].n,
                                   .n_links = l->model.n_links};
    return DPL_OK;
}
