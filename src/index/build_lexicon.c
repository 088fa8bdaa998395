/*
 * build_lexicon.c - lexicons as tables of p(e|f) between terms of the index.
 *
 * Each lexicon is between the pivot language and another one. Where the index has stems, words
 * of a lexicon that has none are stemmed: the columns of a row add up, and rows that become one
 * are their mean, each counting as often as the word occurred.
 */
#include "index/build.h"

#include "base/order.h"
#include "lexicon/lexicon.h"
#include "tokens/stemming.h"

/* One lexicon on its way. */
typedef struct reading {
    dpl__builder *b;
    const dpl_lexicon *l;
    bool is_back; /* rows are of the target column */
    dpl__stemmer *from, *to;
    dpl__build_lexicon *out;
} reading;

static dpl_status stemmed(reading *r, dpl__stemmer *stemmer, dpl_str *word, dpl_error *err)
{
    if (stemmer)
        *word = dpl__stem(stemmer, *word);
    *word = dpl__arena_copy(&r->b->arena, *word);
    return dpl__need(word->data, err);
}

static dpl_status add_row(reading *r, uint32_t row, dpl_error *err)
{
    dpl__builder *b = r->b;
    const float *p;
    size_t n;
    const uint32_t *cols = r->is_back ? dpl_lexicon_back_row(r->l, row, &p, &n)
                                      : dpl_lexicon_row(r->l, row, &p, &n);
    if (n == 0)
        return DPL_OK;
    dpl_str from = r->is_back ? dpl_lexicon_target(r->l, row) : dpl_lexicon_source(r->l, row);
    const uint64_t count = dpl_lexicon_count(r->l, r->is_back, row);
    dpl__build_cell cell;
    DPL_TRY(stemmed(r, r->from, &from, err));
    DPL_TRY(dpl__build_word(b, from, &cell.from, err));
    for (size_t i = 0; i < n; i++) {
        dpl_str to =
            r->is_back ? dpl_lexicon_source(r->l, cols[i]) : dpl_lexicon_target(r->l, cols[i]);
        DPL_TRY(stemmed(r, r->to, &to, err));
        DPL_TRY(dpl__build_word(b, to, &cell.to, err));
        cell.p = p[i];
        cell.row = row;
        cell.weight = count ? (float)count : 1;
        DPL_TRY(dpl__need(dpl__vec_push(b->ctx, &r->out->cells, cell), err));
    }
    return DPL_OK;
}

static dpl_status open_stemmers(reading *r, const char *from, const char *to, dpl_error *err)
{
    if (!(r->b->flags & DPL__F_STEM) || dpl_lexicon_get_info(r->l).is_stemmed)
        return DPL_OK;
    if (dpl__stem_has(from))
        DPL_TRY(dpl__stemmer_new(&r->from, r->b->ctx, from, err));
    if (dpl__stem_has(to))
        DPL_TRY(dpl__stemmer_new(&r->to, r->b->ctx, to, err));
    return DPL_OK;
}

static dpl_status add_lexicon(dpl__builder *b, const dpl_lexicon *l, const char *path,
                              dpl_error *err)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(l);
    const char *source = about.source_lang, *target = about.target_lang;
    const char *pivot = b->langs[b->pivot];
    reading r = {.b = b, .l = l, .is_back = strcmp(source, pivot) == 0};
    const char *from = r.is_back ? target : source;
    if (about.is_stemmed && !(b->flags & DPL__F_STEM))
        return dpl__fail_code(err, DPL_E_USAGE, "not-stemmed",
                              "'%s' holds stems, but the index words", path);
    if (r.is_back && dpl_lexicon_get_sizes(l)->n_back == 0)
        return dpl__fail_code(
            err, DPL_E_USAGE, "lexicon-columns",
            "'%s' has no probabilities of %s words given %s ones: turn its columns round", path,
            source, target);
    dpl__build_lexicon lexicon = {0};
    DPL_TRY(dpl__build_lang(b, from, &lexicon.lang, err));
    for (size_t i = 0; i < b->lexicons.n; i++)
        if (b->lexicons.data[i].lang == lexicon.lang)
            return dpl__fail(err, DPL_E_USAGE, "two lexicons of '%s'", from);
    DPL_TRY(dpl__need(dpl__vec_push(b->ctx, &b->lexicons, lexicon), err));
    r.out = &b->lexicons.data[b->lexicons.n - 1];
    const uint32_t n_rows =
        r.is_back ? dpl_lexicon_get_sizes(l)->n_targets : dpl_lexicon_get_sizes(l)->n_sources;
    dpl_status status = open_stemmers(&r, from, pivot, err);
    for (uint32_t row = 0; row < n_rows && status == DPL_OK; row++)
        status = add_row(&r, row, err);
    dpl__stemmer_free(r.from);
    dpl__stemmer_free(r.to);
    return status;
}

/* ---- pivot -------------------------------------------------------------------------- */

static bool has_lang(const dpl_lexicon *l, const char *lang)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(l);
    return strcmp(about.source_lang, lang) == 0 || strcmp(about.target_lang, lang) == 0;
}

static uint64_t docs_of(const dpl__builder *b, const char *lang)
{
    for (uint32_t i = 0; i < b->n_langs; i++)
        if (strcmp(b->langs[i], lang) == 0)
            return b->lang_counts[2 * i];
    return 0;
}

/* The language that all have: the one given, or that of more documents. */
static dpl_status find_pivot(dpl__builder *b, dpl_lexicon *const *all, size_t n, dpl_error *err)
{
    const char *candidates[2] = {dpl_lexicon_get_info(all[0]).target_lang,
                                 dpl_lexicon_get_info(all[0]).source_lang};
    const char *pivot = NULL;
    for (size_t i = 0; i < n; i++)
        if (!*dpl_lexicon_get_info(all[i]).source_lang ||
            !*dpl_lexicon_get_info(all[i]).target_lang)
            return dpl__fail_code(err, DPL_E_USAGE, "index-lexicon-languages",
                                  "the languages of '%s' are not known", b->o.lexicons[i]);
    for (int c = 0; c < 2; c++) {
        bool is_shared = !b->o.pivot || strcmp(b->o.pivot, candidates[c]) == 0;
        for (size_t i = 0; i < n; i++)
            is_shared = is_shared && has_lang(all[i], candidates[c]);
        if (is_shared && (!pivot || docs_of(b, candidates[c]) > docs_of(b, pivot)))
            pivot = candidates[c];
    }
    if (!pivot)
        return dpl__fail_code(err, DPL_E_USAGE, "lexicon-pivot",
                              "the lexicons have no language in common%s%s",
                              b->o.pivot ? " that is " : "", b->o.pivot ? b->o.pivot : "");
    return dpl__build_lang(b, pivot, &b->pivot, err);
}

static dpl_status open_lexicons(dpl__builder *b, dpl_lexicon **all, dpl_error *err)
{
    const size_t n = b->o.n_lexicons;
    dpl__lexicon_langs langs;
    dpl_lexicon_options o = DPL_INIT(dpl_lexicon_options);
    DPL_TRY(dpl__lexicon_set_langs(&o, &langs, b->o.lexicon_langs, err));
    for (size_t i = 0; i < n; i++)
        DPL_TRY(dpl_lexicon_open(&all[i], b->ctx, b->o.lexicons[i], &o, err));
    DPL_TRY(find_pivot(b, all, n, err));
    for (size_t i = 0; i < n; i++)
        DPL_TRY(add_lexicon(b, all[i], b->o.lexicons[i], err));
    return DPL_OK;
}

/* ---- of an index -------------------------------------------------------------------- */

static dpl_status take_lexicons(dpl__builder *b, const dpl_index *x, dpl_error *err)
{
    if (x->n_translated == 0)
        return DPL_OK;
    DPL_TRY(dpl__build_lang(b, dpl__index_lang(x, x->pivot), &b->pivot, err));
    for (uint32_t l = 0; l < x->n_translated; l++) {
        dpl__build_lexicon lexicon = {0};
        DPL_TRY(
            dpl__build_lang(b, dpl__index_lang(x, x->lexicons[l].lang), &lexicon.lang, err));
        DPL_TRY(dpl__need(dpl__vec_push(b->ctx, &b->lexicons, lexicon), err));
        dpl__build_lexicon *out = &b->lexicons.data[b->lexicons.n - 1];
        const uint32_t *offsets = x->lexicons[l].offsets;
        for (uint32_t t = 0; t < x->n_terms; t++)
            for (uint32_t k = offsets[t]; k < offsets[t + 1]; k++) {
                dpl__build_cell cell = {.row = t, .p = x->lexicon_p[k], .weight = 1};
                DPL_TRY(dpl__build_word(b, dpl__index_term(x, t), &cell.from, err));
                DPL_TRY(
                    dpl__build_word(b, dpl__index_term(x, x->lexicon_terms[k]), &cell.to, err));
                DPL_TRY(dpl__need(dpl__vec_push(b->ctx, &out->cells, cell), err));
            }
    }
    return DPL_OK;
}

dpl_status dpl__build_read_lexicons(dpl__builder *b, dpl_error *err)
{
    if (b->lexicon_index)
        return take_lexicons(b, b->lexicon_index, err);
    const size_t n = b->o.n_lexicons;
    if (n == 0)
        return DPL_OK;
    dpl_lexicon **all = dpl__calloc(b->ctx, n, sizeof *all);
    DPL_TRY(dpl__need(all, err));
    dpl_status status = open_lexicons(b, all, err);
    for (size_t i = 0; i < n; i++)
        dpl_lexicon_close(all[i]);
    dpl__free(b->ctx, all);
    return status;
}

/* ---- tables ------------------------------------------------------------------------- */

DPL__ORDER(by_place, dpl__build_cell,
           DPL__RISING(from) DPL__RISING(to) DPL__RISING(weight) DPL__RISING(p))

/* The weight of the rows that became one: each row once. */
static void scale_rows(dpl__build_lexicon *l, const double *totals)
{
    for (size_t i = 0; i < l->cells.n; i++) {
        dpl__build_cell *c = &l->cells.data[i];
        c->p = (float)((double)c->p * (double)c->weight / totals[c->from]);
    }
}

static void join_cells(dpl__build_lexicon *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->cells.n; i++) {
        dpl__build_cell *c = &l->cells.data[i], *last = n ? &l->cells.data[n - 1] : NULL;
        if (last && last->from == c->from && last->to == c->to)
            last->p += c->p;
        else
            l->cells.data[n++] = *c;
    }
    l->cells.n = n;
}

static dpl_status make_table(dpl__builder *b, dpl__build_lexicon *l, dpl_error *err)
{
    const size_t n = (size_t)b->n_terms + 1;
    double *totals = dpl__calloc(b->ctx, n, sizeof *totals);
    l->offsets = dpl__calloc(b->ctx, n, sizeof *l->offsets);
    if (!totals || !l->offsets) {
        dpl__free(b->ctx, totals);
        return dpl__fail_nomem(err);
    }
    /* Cells of a row came together: its weight counts once. */
    for (size_t i = 0; i < l->cells.n; i++) {
        dpl__build_cell *c = &l->cells.data[i];
        const bool is_first = i == 0 || c->row != l->cells.data[i - 1].row;
        if (is_first)
            totals[b->terms.data[c->from].number] += (double)c->weight;
    }
    for (size_t i = 0; i < l->cells.n; i++) {
        dpl__build_cell *c = &l->cells.data[i];
        c->from = b->terms.data[c->from].number;
        c->to = b->terms.data[c->to].number;
    }
    scale_rows(l, totals);
    dpl__free(b->ctx, totals);
    dpl__vec_sort(&l->cells, by_place);
    join_cells(l);
    if (l->cells.n >= UINT32_MAX / 2)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "a lexicon of %zu entries", l->cells.n);
    for (size_t i = 0; i < l->cells.n; i++)
        l->offsets[l->cells.data[i].from + 1]++;
    for (uint32_t t = 0; t < b->n_terms; t++)
        l->offsets[t + 1] += l->offsets[t];
    return DPL_OK;
}

dpl_status dpl__build_renumber_lexicons(dpl__builder *b, dpl_error *err)
{
    b->lang_lexicon = dpl__alloc(b->ctx, (DPL__MOST_LANGS + 1) * sizeof *b->lang_lexicon);
    DPL_TRY(dpl__need(b->lang_lexicon, err));
    memset(b->lang_lexicon, 0xFF, (DPL__MOST_LANGS + 1) * sizeof *b->lang_lexicon);
    for (size_t i = 0; i < b->lexicons.n; i++) {
        DPL_TRY(make_table(b, &b->lexicons.data[i], err));
        b->lang_lexicon[b->lexicons.data[i].lang] = (uint32_t)i;
    }
    return DPL_OK;
}

dpl_status dpl__build_write_lexicons(dpl__builder *b, dpl_error *err)
{
    if (b->lexicons.n == 0)
        return DPL_OK;
    DPL_TRY(dpl__writer_begin(b->writer, "lexicon.langs", 1, err));
    for (size_t i = 0; i < b->lexicons.n; i++) {
        const uint8_t lang = (uint8_t)b->lexicons.data[i].lang;
        DPL_TRY(dpl__writer_append(b->writer, &lang, 1, err));
    }
    uint32_t before = 0;
    DPL_TRY(dpl__writer_begin(b->writer, "lexicon.offsets", 4, err));
    for (size_t i = 0; i < b->lexicons.n; i++) {
        const dpl__build_lexicon *l = &b->lexicons.data[i];
        for (uint32_t t = 0; t <= b->n_terms; t++) {
            const uint32_t offset = before + l->offsets[t];
            DPL_TRY(dpl__writer_append(b->writer, &offset, 4, err));
        }
        before += (uint32_t)l->cells.n;
    }
    for (int is_p = 0; is_p < 2; is_p++) {
        DPL_TRY(dpl__writer_begin(b->writer, is_p ? "lexicon.p" : "lexicon.terms", 4, err));
        for (size_t i = 0; i < b->lexicons.n; i++)
            for (size_t k = 0; k < b->lexicons.data[i].cells.n; k++) {
                const dpl__build_cell *c = &b->lexicons.data[i].cells.data[k];
                const void *value = is_p ? (const void *)&c->p : (const void *)&c->to;
                DPL_TRY(dpl__writer_append(b->writer, value, 4, err));
            }
    }
    return DPL_OK;
}
