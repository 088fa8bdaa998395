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
 * Words and terms have to meet, on both sides. A collection that is stemmed holds stems, and so
 * does one of language e that the vectors are to be compared with; a lexicon holds stems or
 * words. So, when the collection is stemmed, a column of words is stemmed, too. A column of
 * stems is taken as it is: a stemmer does not leave all of its own stems alone, and stemming
 * twice loses pairs. Its words f that are no terms go to the term of their stem, where no other
 * word is that term. Whether a column of text holds stems is told from a sample; a .dpl of
 * stems says so, and its stems are those of our own stemmer.
 *
 * Words that become one term are merged as in a lexicon. Of p(y|x), words y add up. Rows x
 * become their mean, and each counts as often as x occurred where that is known: p(y|X) of the
 * words x in X is the sum of p(y|x) p(x|X). A word whose row is empty says nothing, and is not
 * in the mean.
 *
 * Cost: linear in vocabulary and lexicon, but for the sort of the words e and the lookup of
 * stems.
 */
#include "vectors/project.h"

#include "base/ctx.h"
#include "tokens/collection.h"
#include "tokens/fold.h"
#include "tokens/stemming.h"

#define NONE UINT32_MAX

typedef struct builder {
    dpl_ctx *ctx;
    const dpl_collection *c;
    const dpl__facts *facts;
    const dpl_lexicon *l;
    dpl__projection *out;
    const uint32_t *order;       /* terms of the collection in byte order */
    int f_side;                  /* the lexicon's column that is the collection's language */
    const dpl__strings *fs, *es; /* its two columns */
    const char *into; /* what e_lang is when the lexicon does not say; NULL: not known */
    const char *e_lang;
    uint32_t *f_terms;  /* word f to term of the collection, or NONE */
    uint32_t *e_words;  /* word e to number in `words` */
    uint32_t *e_places; /* number in `words` to number of a text */
    double *weights;    /* of the rows that became one: by e_words or by terms */
    size_t n_weights;
    DPL_VEC(dpl__cell) cells;
} builder;

/* ---- vocabularies in byte order ----------------------------------------------------- */

static dpl_status get_order(builder *b, dpl_error *err)
{
    return dpl__get_n(dpl__collection_file(b->c), "term.order", 4, &b->order,
                      dpl_collection_get_sizes(b->c)->n_terms, err);
}

/* For each word, in byte order, the term of that text, or NONE. */
static size_t match(uint32_t *out, const builder *b, const dpl__strings *words)
{
    size_t n_terms = dpl_collection_get_sizes(b->c)->n_terms, at = 0, n_found = 0;
    for (size_t i = 0; i < words->n; i++) {
        dpl_str word = dpl__string(words, i);
        int c = 1;
        while (at < n_terms &&
               (c = dpl__str_cmp(dpl_collection_term(b->c, b->order[at]), word)) < 0)
            at++;
        bool is_found = at < n_terms && c == 0 && b->order[at] < b->facts->n_terms;
        out[i] = is_found ? b->order[at] : NONE;
        n_found += is_found;
    }
    return n_found;
}

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
    if (!found)
        return dpl__fail_nomem(err);
    *n_sources = match(found, b, &b->l->words[DPL__LEFT]);
    *n_targets = match(found, b, &b->l->words[DPL__RIGHT]);
    dpl__free(b->ctx, found, n * sizeof *found);
    return DPL_OK;
}

/* From the languages, or from which column holds more of the collection's terms. */
static dpl_status find_column(builder *b, dpl_error *err)
{
    const char *lang = b->facts->lang;
    bool is_source = *lang && is_same(lang, b->l->lang[DPL__LEFT]),
         is_target = *lang && is_same(lang, b->l->lang[DPL__RIGHT]);
    if (is_source == is_target) {
        size_t n_sources = 0, n_targets = 0;
        DPL_TRY(count_words(b, &n_sources, &n_targets, err));
        if (n_sources + n_targets == 0) {
            dpl__fail(err, DPL_E_USAGE, "the lexicon holds none of the collection's terms");
            return dpl__code(err, DPL_E_USAGE, "lexicon-no-terms");
        }
        is_source = n_sources > n_targets;
        b->out->is_counted = true;
    }
    b->f_side = is_source ? DPL__LEFT : DPL__RIGHT;
    return DPL_OK;
}

/* With one table, column and direction are the same question. */
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

/* ---- stems -------------------------------------------------------------------------- */

/* How the words of a column become terms of a stemmed collection. */
typedef struct column {
    dpl__folder *folder; /* stems; NULL: there are no stems, words are terms */
    bool is_stems;       /* the words are stems already */
} column;

/* Of a column of stems nearly all are their own stem (0.93 and more in the tables we have
 * seen), of a column of words about half. A sample tells. */
static dpl_status judge(column *out, const dpl__strings *words, dpl_error *err)
{
    enum { SAMPLE = 4096 };
    size_t n = dpl__min(words->n, SAMPLE), n_same = 0;
    for (size_t i = 0; i < n; i++) {
        dpl_str stem, word = dpl__string(words, i * words->n / n);
        DPL_TRY(dpl__fold(out->folder, word, &stem, err));
        n_same += dpl__str_eq(stem, word);
    }
    out->is_stems = n_same * 10 >= n * 8;
    return DPL_OK;
}

static dpl_status column_init(column *out, const builder *b, const dpl__strings *words,
                              const char *lang, dpl_error *err)
{
    *out = (column){0};
    if (!b->facts->is_stemmed || b->l->is_stemmed || !dpl__stem_has(lang))
        return DPL_OK;
    DPL_TRY(dpl__folder_new(&out->folder, b->ctx, &(dpl_tokens_options){.stem = true}, err));
    DPL_TRY(dpl__folder_language(out->folder, lang, err));
    return judge(out, words, err);
}

/* ---- words f ------------------------------------------------------------------------ */

/* claimed: the terms that a word has as it is. */
static dpl_status stem_fs(builder *b, const column *c, const bool *claimed, dpl_error *err)
{
    for (size_t i = 0; i < b->fs->n; i++) {
        dpl_str stem;
        uint32_t term;
        if (c->is_stems && b->f_terms[i] != NONE)
            continue;
        DPL_TRY(dpl__fold(c->folder, dpl__string(b->fs, i), &stem, err));
        if (dpl_collection_find_term(b->c, stem, &term) && term < b->facts->n_terms &&
            !(c->is_stems && claimed[term]))
            b->f_terms[i] = term;
    }
    return DPL_OK;
}

static dpl_status find_fs(builder *b, dpl_error *err)
{
    column c;
    size_t n = (size_t)b->facts->n_terms + 1;
    match(b->f_terms, b, b->fs);
    bool *claimed = dpl__calloc(b->ctx, n, sizeof *claimed);
    dpl_status status =
        claimed ? column_init(&c, b, b->fs, b->facts->lang, err) : dpl__fail_nomem(err);
    for (size_t i = 0; claimed && i < b->fs->n; i++)
        if (b->f_terms[i] != NONE)
            claimed[b->f_terms[i]] = true;
    if (status == DPL_OK && c.folder)
        status = stem_fs(b, &c, claimed, err);
    if (claimed)
        dpl__folder_free(c.folder);
    dpl__free(b->ctx, claimed, n * sizeof *claimed);
    return status;
}

/* ---- words e ------------------------------------------------------------------------ */

/* Numbers them as terms; several may become one. */
static dpl_status number_es(builder *b, dpl__terms *es, dpl_error *err)
{
    column c;
    dpl_status status = column_init(&c, b, b->es, b->e_lang, err);
    for (size_t i = 0; status == DPL_OK && i < b->es->n; i++) {
        dpl_str word = dpl__string(b->es, i);
        if (c.folder && !c.is_stems)
            status = dpl__fold(c.folder, word, &word, err);
        if (status == DPL_OK)
            status = dpl__terms_number(es, word, &b->e_words[i], err);
    }
    dpl__folder_free(c.folder);
    return status;
}

static dpl_status find_es(builder *b, dpl_error *err)
{
    dpl__terms es;
    dpl__terms_init(&es, b->ctx);
    size_t n = b->es->n;
    uint32_t *ranks = dpl__alloc(b->ctx, (n + 1) * sizeof *ranks);
    dpl_status status = ranks ? number_es(b, &es, err) : dpl__fail_nomem(err);
    if (status == DPL_OK)
        status = dpl__words_sort(&b->out->words, ranks, &es, err);
    for (size_t i = 0; status == DPL_OK && i < n; i++)
        b->e_words[i] = ranks[b->e_words[i]];
    dpl__free(b->ctx, ranks, (n + 1) * sizeof *ranks);
    dpl__terms_clear(&es);
    return status;
}

/* ---- cells -------------------------------------------------------------------------- */

/* Rows of p(y|x) are added up by what their x became: a term, or a word e. */
typedef struct given {
    const dpl__table *table;
    const uint32_t *numbers; /* of each x: what it became, or NONE */
    const uint64_t *counts;  /* of each x: how often it occurred; NULL: not known */
} given;

static given given_of(const builder *b)
{
    bool is_source = b->out->direction == DPL_DIRECTION_SOURCE;
    int side = is_source ? b->f_side : !b->f_side;
    return (given){&b->l->table[side], is_source ? b->f_terms : b->e_words, b->l->counts[side]};
}

static double weight_of(const given *g, uint32_t x)
{
    return g->counts && g->counts[x] ? (double)g->counts[x] : 1;
}

static dpl_status add_weights(builder *b, const given *g, dpl_error *err)
{
    b->n_weights = dpl__max(b->facts->n_terms, b->out->words.n) + 1;
    b->weights = dpl__calloc(b->ctx, b->n_weights, sizeof *b->weights);
    if (!b->weights)
        return dpl__fail_nomem(err);
    for (uint32_t x = 0; x < g->table->n_rows; x++)
        if (g->numbers[x] != NONE && g->table->offsets[x + 1] > g->table->offsets[x])
            b->weights[g->numbers[x]] += weight_of(g, x);
    return DPL_OK;
}

/* The lexicon's cells with a term of the collection, in terms and words. */
static dpl_status take_cells(builder *b, const given *g, dpl_error *err)
{
    bool is_source = b->out->direction == DPL_DIRECTION_SOURCE;
    const dpl__table *t = g->table;
    for (uint32_t x = 0; x < t->n_rows; x++) {
        if (g->numbers[x] == NONE)
            continue;
        double weight = weight_of(g, x), all = b->weights[g->numbers[x]];
        for (uint64_t i = t->offsets[x]; i < t->offsets[x + 1]; i++) {
            dpl__cell cell = {.row = b->f_terms[is_source ? x : t->cols[i]],
                              .col = b->e_words[is_source ? t->cols[i] : x],
                              .p = (float)((double)t->p[i] * weight / all)};
            if (cell.row == NONE)
                continue;
            if (!dpl__vec_push(b->ctx, &b->cells, cell))
                return dpl__fail_nomem(err);
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
    dpl__fail(err, DPL_E_USAGE, "the lexicon holds stems, but the collection words");
    return dpl__code(err, DPL_E_USAGE, "not-stemmed");
}

static dpl_status translate(builder *b, dpl_direction direction, dpl_error *err)
{
    DPL_TRY(check_stems(b, err));
    DPL_TRY(find_direction(b, direction, err));
    b->fs = &b->l->words[b->f_side];
    b->es = &b->l->words[!b->f_side];
    b->e_lang = b->l->lang[!b->f_side];
    if (!*b->e_lang && b->into)
        b->e_lang = b->into;
    b->out->lang = b->e_lang;
    b->f_terms = dpl__alloc(b->ctx, (b->fs->n + 1) * sizeof *b->f_terms);
    b->e_words = dpl__alloc(b->ctx, (b->es->n + 1) * sizeof *b->e_words);
    if (!b->f_terms || !b->e_words)
        return dpl__fail_nomem(err);
    DPL_TRY(find_fs(b, err));
    DPL_TRY(find_es(b, err));
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
            if (!dpl__vec_push(b->ctx, &b->cells, own))
                return dpl__fail_nomem(err);
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
    if (!b->out->texts || !b->e_places)
        return dpl__fail_nomem(err);
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
    DPL_TRY(get_order(b, err));
    b->out->n_terms = b->facts->n_terms;
    b->out->is_known = dpl__calloc(b->ctx, (size_t)b->facts->n_terms + 1, 1);
    if (!b->out->is_known)
        return dpl__fail_nomem(err);
    if (b->l)
        DPL_TRY(translate(b, direction, err));
    for (uint32_t f = 0; f < b->facts->n_terms; f++)
        if (b->out->is_known[f]) {
            b->out->n_known_terms++;
            b->out->n_known_tokens += dpl_collection_term_count(b->c, f);
        }
    return make_table(b, err);
}

dpl_status dpl__projection_make(dpl__projection *out, dpl_ctx *ctx, const dpl_collection *c,
                                const dpl__facts *facts, const dpl_lexicon *lexicon,
                                dpl_direction direction, const char *into, dpl_error *err)
{
    *out = (dpl__projection){.ctx = ctx, .is_own = !lexicon, .lang = facts->lang};
    if (lexicon && facts->ngram)
        return dpl__fail(err, DPL_E_USAGE,
                         "a lexicon translates words, but '%s' holds character n-grams",
                         dpl_file_path(dpl__collection_file(c)));
    builder b = {.ctx = ctx, .c = c, .facts = facts, .l = lexicon, .into = into, .out = out};
    dpl_status status = build(&b, direction, err);
    dpl__free(ctx, b.f_terms, b.fs ? (b.fs->n + 1) * sizeof *b.f_terms : 0);
    dpl__free(ctx, b.e_words, b.es ? (b.es->n + 1) * sizeof *b.e_words : 0);
    dpl__free(ctx, b.e_places, (out->words.n + 1) * sizeof *b.e_places);
    dpl__free(ctx, b.weights, b.n_weights * sizeof *b.weights);
    dpl__vec_clear(ctx, &b.cells);
    if (status != DPL_OK)
        dpl__projection_clear(out);
    return status;
}

void dpl__projection_clear(dpl__projection *p)
{
    if (!p->ctx)
        return;
    dpl__table_clear(&p->table, p->ctx);
    dpl__free(p->ctx, p->is_known, (size_t)p->n_terms + 1);
    dpl__free(p->ctx, p->texts, p->most_texts * sizeof *p->texts);
    dpl__words_free(&p->words, p->ctx);
    *p = (dpl__projection){0};
}
