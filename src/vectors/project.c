/*
 * project.c - the terms of a collection in the words of a lexicon's other language.
 *
 * In: frozen collection and lexicon. Out: for each term f of the collection the texts it stands
 * for, with shares, after Darwish and Oard (SIGIR 2003) as No Free Lunch has it (3.1): tf* and
 * df* of a word e are the sums over f of p(f|e) tf(f) and p(f|e) df(f), or with p(e|f).
 * A lexicon of text has one of the two, p(target|source); a .dpl has both, whichever of its
 * languages the collection is in. p(e|f) is the default then: a word is spread over fewer
 * others, and pairs of translations come out nearer to each other.
 *
 * term_match.c finds where words and terms meet.
 *
 * Words that become one term are merged as in a lexicon. Of p(y|x), words y add up. Rows x
 * become their mean, and each counts as often as x occurred where that is known: p(y|X) of the
 * words x in X is the sum of p(y|x) p(x|X). A word whose row is empty says nothing, and is not
 * in the mean.
 *
 * Cost: linear in vocabulary and lexicon, beside that of the match.
 */
#include "vectors/project.h"

#include "lexicon/sort_words.h"
#include "tokens/stemming.h"

#define NONE DPL__NOT_A_TERM

typedef struct builder {
    dpl_ctx *ctx;
    const dpl_collection *c;
    const dpl__facts *facts;
    const dpl_lexicon *l;
    dpl__projection *out;
    const uint32_t *order; /* terms of the collection in byte order */
    int f_side;            /* the lexicon's column that is the collection's language */
    const char *into;      /* what e_lang is when the lexicon does not say; NULL: not known */
    const char *e_lang;
    const dpl__term_match *match; /* the caller's, or own; NULL until it is known to fit */
    dpl__term_match own;
    uint32_t *e_places; /* number in `words` to number of a text */
    double *weights;    /* of the rows that became one: by e_words or by terms */
    size_t n_weights;
    DPL_VEC(dpl__cell) cells;
} builder;

/* ---- direction ---------------------------------------------------------------------- */

static bool is_same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool has_both_tables(const dpl_lexicon *l)
{
    return l->table[DPL__RIGHT].offsets;
}

/* Known languages that do not fit are a mistake, whatever the words say. */
static dpl_status check_languages(const builder *b, dpl_direction direction, dpl_error *err)
{
    const char *lang = b->facts->lang, *s = b->l->lang[DPL__LEFT], *t = b->l->lang[DPL__RIGHT];
    if (!*lang || !*s || !*t)
        return DPL_OK;
    if (!is_same(lang, s) && !is_same(lang, t)) {
        dpl__fail(err, DPL_E_USAGE,
                  "the collection is in '%s', but the lexicon is between '%s' and '%s'", lang,
                  s, t);
        return dpl__code(err, DPL_E_USAGE,
                         has_both_tables(b->l) ? "lexicon-other-languages" : "lexicon-columns");
    }
    bool is_source = direction == DPL_DIRECTION_SOURCE;
    if (direction == DPL_DIRECTION_AUTO || has_both_tables(b->l) ||
        is_same(lang, is_source ? s : t))
        return DPL_OK;
    dpl__fail(err, DPL_E_USAGE,
              "the collection is in '%s', but the lexicon's %s language is '%s'", lang,
              is_source ? "source" : "target", is_source ? s : t);
    return dpl__code(err, DPL_E_USAGE, is_source ? "direction-target" : "direction-source");
}

static dpl_status count_words(const builder *b, size_t *n_sources, size_t *n_targets,
                              dpl_error *err)
{
    size_t n = dpl__max(b->l->words[DPL__LEFT].n, b->l->words[DPL__RIGHT].n) + 1;
    uint32_t *found = dpl__alloc(b->ctx, n * sizeof *found);
    DPL_TRY(dpl__need(found, err));
    uint32_t most = b->facts->n_terms;
    assert(b->order && most <= dpl_collection_get_sizes(b->c)->n_terms);
    *n_sources = dpl__match_words(found, b->c, b->order, most, &b->l->words[DPL__LEFT]);
    *n_targets = dpl__match_words(found, b->c, b->order, most, &b->l->words[DPL__RIGHT]);
    dpl__free(b->ctx, found);
    return DPL_OK;
}

/* Finds the column from the languages, or else from which column holds more of the collection's
 * terms. A column of unknown language is taken for the one beside the language that terms are
 * projected into. */
static dpl_status find_column(builder *b, dpl_error *err)
{
    const char *lang = b->facts->lang, *into = b->into;
    const char *left = b->l->lang[DPL__LEFT], *right = b->l->lang[DPL__RIGHT];
    bool is_source = *lang ? is_same(lang, left) : into && !*left && is_same(into, right),
         is_target = *lang ? is_same(lang, right) : into && !*right && is_same(into, left);
    if (is_source == is_target) {
        size_t n_sources = 0, n_targets = 0;
        DPL_TRY(count_words(b, &n_sources, &n_targets, err));
        if (n_sources + n_targets == 0)
            return dpl__fail_code(err, DPL_E_USAGE, "lexicon-no-terms",
                                  "the lexicon holds none of the collection's terms");
        is_source = n_sources > n_targets;
        b->out->is_counted = true;
    }
    b->f_side = is_source ? DPL__LEFT : DPL__RIGHT;
    return DPL_OK;
}

/* With one table, the column decides the direction, and the other way round. */
static dpl_status find_direction(builder *b, dpl_direction wanted, dpl_error *err)
{
    bool has_both = has_both_tables(b->l);
    DPL_TRY(check_languages(b, wanted, err));
    b->f_side = wanted == DPL_DIRECTION_SOURCE ? DPL__LEFT : DPL__RIGHT;
    if (has_both || wanted == DPL_DIRECTION_AUTO)
        DPL_TRY(find_column(b, err));
    bool is_source = has_both ? wanted != DPL_DIRECTION_TARGET : b->f_side == DPL__LEFT;
    b->out->direction = is_source ? DPL_DIRECTION_SOURCE : DPL_DIRECTION_TARGET;
    b->out->is_target = b->f_side == DPL__RIGHT;
    return DPL_OK;
}

/* ---- cells -------------------------------------------------------------------------- */

/* Rows of p(y|x) are added up by what their x became: a term, or a word e. */
typedef struct given {
    const dpl__table *table;
    const uint32_t *numbers; /* of each x: what it became, or NONE */
    uint32_t most;           /* what is not below it became nothing, either */
    const uint64_t *counts;  /* of each x: how often it occurred; NULL: not known */
} given;

static given given_of(const builder *b)
{
    bool is_source = b->out->direction == DPL_DIRECTION_SOURCE;
    int side = is_source ? b->f_side : !b->f_side;
    return (given){.table = &b->l->table[side],
                   .numbers = is_source ? b->match->f_terms : b->match->e_words,
                   .most = is_source ? b->facts->n_terms : NONE,
                   .counts = b->l->counts[side]};
}

static uint32_t number_of(const given *g, uint32_t x)
{
    return g->numbers[x] < g->most ? g->numbers[x] : NONE;
}

static double weight_of(const given *g, uint32_t x)
{
    return g->counts && g->counts[x] ? (double)g->counts[x] : 1;
}

static dpl_status add_weights(builder *b, const given *g, dpl_error *err)
{
    b->n_weights = dpl__max(b->facts->n_terms, b->out->words.n) + 1;
    b->weights = dpl__calloc(b->ctx, b->n_weights, sizeof *b->weights);
    DPL_TRY(dpl__need(b->weights, err));
    for (uint32_t x = 0; x < g->table->n_rows; x++)
        if (number_of(g, x) != NONE && g->table->offsets[x + 1] > g->table->offsets[x])
            b->weights[g->numbers[x]] += weight_of(g, x);
    return DPL_OK;
}

/* The lexicon's cells with a term of the collection, in terms and words. */
static dpl_status take_cells(builder *b, const given *g, dpl_error *err)
{
    bool is_source = b->out->direction == DPL_DIRECTION_SOURCE;
    const dpl__table *t = g->table;
    for (uint32_t x = 0; x < t->n_rows; x++) {
        if (number_of(g, x) == NONE)
            continue;
        double weight = weight_of(g, x), all = b->weights[g->numbers[x]];
        for (uint64_t i = t->offsets[x]; i < t->offsets[x + 1]; i++) {
            dpl__cell cell = {.row = b->match->f_terms[is_source ? x : t->cols[i]],
                              .col = b->match->e_words[is_source ? t->cols[i] : x],
                              .p = (float)((double)t->p[i] * weight / all)};
            if (cell.row >= b->facts->n_terms)
                continue;
            DPL_TRY(dpl__need(dpl__vec_push(b->ctx, &b->cells, cell), err));
            b->out->is_known[cell.row] = true;
        }
    }
    return DPL_OK;
}

/* Stems do not meet words, on either side. */
static dpl_status check_stems(const builder *b, dpl_error *err)
{
    if (!b->l->is_stemmed || b->facts->is_stemmed ||
        (!dpl__stem_has(b->l->lang[DPL__LEFT]) && !dpl__stem_has(b->l->lang[DPL__RIGHT])))
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "not-stemmed",
                          "the lexicon holds stems, but the collection words");
}

/* Which column is the collection's language, and what the other one is. */
static dpl_status find_columns(builder *b, dpl_direction direction, dpl_error *err)
{
    DPL_TRY(check_stems(b, err));
    DPL_TRY(find_direction(b, direction, err));
    b->e_lang = b->l->lang[!b->f_side];
    if (!*b->e_lang && b->into)
        b->e_lang = b->into;
    b->out->lang = b->e_lang;
    return DPL_OK;
}

static dpl_status translate(builder *b, dpl_direction direction, dpl_error *err)
{
    DPL_TRY(find_columns(b, direction, err));
    if (!b->match || !dpl__term_match_fits(b->match, b->facts, b->f_side, b->e_lang)) {
        b->own = (dpl__term_match){.ctx = b->ctx,
                                   .c = b->c,
                                   .lexicon = b->l,
                                   .f_side = b->f_side,
                                   .e_lang = b->e_lang};
        DPL_TRY(dpl__term_match_make(&b->own, b->facts, err));
        b->match = &b->own;
    }
    b->out->words = b->match->words;
    b->out->has_borrowed_words = b->match != &b->own;
    given g = given_of(b);
    DPL_TRY(add_weights(b, &g, err));
    return take_cells(b, &g, err);
}

/* ---- texts -------------------------------------------------------------------------- */

/* Words e and the terms that stand for themselves, merged into one order; and the cells of the
 * latter. */
static dpl_status merge_texts(builder *b, dpl_error *err)
{
    dpl__projection *p = b->out;
    size_t n_terms = dpl_collection_get_sizes(b->c)->n_terms, t = 0, w = 0;
    for (;;) {
        while (t < n_terms &&
               (b->order[t] >= b->facts->n_terms || b->out->is_known[b->order[t]]))
            t++;
        if (t == n_terms && w == p->words.n)
            return DPL_OK;
        dpl_str term = t < n_terms ? dpl_collection_term(b->c, b->order[t]) : (dpl_str){0};
        dpl_str word = w < p->words.n ? dpl__string(&p->words, w) : (dpl_str){0};
        int cmp = t == n_terms ? 1 : w == p->words.n ? -1 : dpl__str_cmp(term, word);
        if (cmp <= 0) {
            dpl__cell own = {.row = b->order[t++], .col = p->n_texts, .p = 1};
            DPL_TRY(dpl__need(dpl__vec_push(b->ctx, &b->cells, own), err));
        }
        if (cmp >= 0)
            b->e_places[w++] = p->n_texts;
        p->texts[p->n_texts++] = cmp <= 0 ? term : word;
    }
}

static dpl_status make_table(builder *b, dpl_error *err)
{
    b->out->most_texts = b->facts->n_terms + b->out->words.n + 1;
    b->out->texts = dpl__alloc(b->ctx, b->out->most_texts * sizeof *b->out->texts);
    b->e_places = dpl__alloc(b->ctx, (b->out->words.n + 1) * sizeof *b->e_places);
    DPL_TRY(dpl__need(b->out->texts && b->e_places, err));
    size_t n_translated = b->cells.n;
    DPL_TRY(merge_texts(b, err));
    for (size_t i = 0; i < n_translated; i++)
        b->cells.data[i].col = b->e_places[b->cells.data[i].col];
    DPL_TRY(dpl__cells_sort(b->cells.data, b->ctx, b->cells.n, b->facts->n_terms,
                            b->out->n_texts, err));
    return dpl__table_make(&b->out->table, b->ctx, b->cells.data, b->cells.n, b->facts->n_terms,
                           err);
}

static dpl_status build(builder *b, dpl_direction direction, dpl_error *err)
{
    DPL_TRY(dpl__term_order(&b->order, b->c, err));
    b->out->n_terms = b->facts->n_terms;
    b->out->is_known = dpl__calloc(b->ctx, (size_t)b->facts->n_terms + 1, 1);
    DPL_TRY(dpl__need(b->out->is_known, err));
    if (b->l)
        DPL_TRY(translate(b, direction, err));
    for (uint32_t f = 0; f < b->facts->n_terms; f++)
        if (b->out->is_known[f]) {
            b->out->n_known_terms++;
            b->out->n_known_tokens += dpl_collection_term_count(b->c, f);
        }
    return make_table(b, err);
}

static dpl_status check_words(const builder *b, dpl_error *err)
{
    if (b->l && b->facts->ngram)
        return dpl__fail(err, DPL_E_USAGE,
                         "a lexicon translates words, but '%s' holds character n-grams",
                         dpl_file_get_info(dpl__collection_file(b->c)).path);
    return DPL_OK;
}

dpl_status dpl__projection_make(dpl__projection *out, dpl_ctx *ctx,
                                const dpl__projection_input *in, dpl_error *err)
{
    builder b = {.ctx = ctx,
                 .c = in->c,
                 .facts = in->facts,
                 .l = in->lexicon,
                 .into = in->into,
                 .match = in->match,
                 .out = out};
    *out = (dpl__projection){.ctx = ctx, .is_own = !b.l, .lang = b.facts->lang};
    DPL_TRY(check_words(&b, err));
    dpl_status status = build(&b, in->direction, err);
    dpl__free(ctx, b.e_places, b.weights);
    dpl__vec_clear(ctx, &b.cells);
    b.own.words = (dpl__strings){0}; /* they are the projection's now */
    dpl__term_match_clear(&b.own);
    if (status != DPL_OK)
        dpl__projection_clear(out);
    return status;
}

dpl_status dpl__term_match_find(dpl__term_match *m, const dpl__facts *facts, const char *into,
                                dpl_error *err)
{
    dpl__projection p = {0};
    builder b = {
        .ctx = m->ctx, .c = m->c, .facts = facts, .l = m->lexicon, .into = into, .out = &p};
    dpl_status status;
    DPL__STEP(check_words(&b, err));
    DPL__STEP(dpl__term_order(&b.order, b.c, err));
    DPL__STEP(find_columns(&b, DPL_DIRECTION_AUTO, err));
    m->f_side = b.f_side;
    m->e_lang = b.e_lang;
    return dpl__term_match_make(m, facts, err);
done:
    *m = (dpl__term_match){0};
    return status;
}

void dpl__projection_clear(dpl__projection *p)
{
    if (!p->ctx)
        return;
    dpl__table_clear(&p->table, p->ctx);
    dpl__free(p->ctx, p->is_known, p->texts);
    if (!p->has_borrowed_words)
        dpl__words_free(&p->words, p->ctx);
    *p = (dpl__projection){0};
}
