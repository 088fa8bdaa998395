/*
 * ngram_nearest.c - the nearest of documents among candidates that share n-grams of translated
 * words.
 *
 * In: documents of two sides, their vectors, a lexicon. Out: the nearest of each. Every word of
 * the side whose vectors were projected becomes its most probable translation; words that many
 * documents have are left out. Two words that are at most two apart then, in any order, are a
 * matching n-gram, since word order and function words differ between languages; longer n-grams
 * were not tried. Then as in find.c: n-grams in too many documents are dropped, the others make
 * candidates, of which each document keeps those that share the most. The score is the cosine
 * of the vectors, as in any other search.
 *
 * Cost: linear in the words; some hundred bytes of temporary files for each. What it does not
 * find is measured: the nearest of some documents are searched among all.
 */
#include "pairs/neighbour_lists.h"
#include "pairs/ngram/extract.h"
#include "pairs/ngram/ngram_params.h"
#include "pairs/ngram/postings.h"
#include "pairs/recall_check.h"

#include "base/ctx.h"
#include "base/order.h"
#include "par/pool.h"

#include <stdlib.h>

enum {
    BATCH = 1 << 14,
    CHECKED = 128,
    MOST_APART = 8,
    SLOT_TOKENS = 1 << 15,
    WORD_PART = 4096
};

typedef struct searcher {
    dpl_ctx *ctx;
    dpl__nearest_search *search;
    const dpl_vectors *v[2];
    uint32_t n[2]; /* rows */
    dpl__ngram_settings s;
    int translated;     /* side; -1: none */
    uint64_t *words[2]; /* fingerprint of each term of each side; 0: left out */
    uint32_t *group_of; /* of each row, numbered through both sides */
    uint64_t *keys;     /* the same; NULL: there are none */
    dpl__ngram_groups groups;
    dpl__shuffle *postings;
    dpl__shared_pairs *candidates;
    dpl__shared_cap cap;
} searcher;

/* The side whose vectors were projected; -1: none. */
static int projected_side(const dpl__nearest_search *s)
{
    const dpl_vectors *v[2] = {s->sides->left, s->sides->right};
    for (int side = 0; side < 2; side++)
        if (!dpl__str_eq(v[side]->lang, v[side]->doc_lang))
            return side;
    return -1;
}

/* ---- words ------------------------------------------------------------------------------ */

static bool is_frequent(const dpl_collection *c, uint32_t term)
{
    return dpl_collection_doc_count(c, term) >
           DPL__P(ngram, word_frequent) * dpl_collection_get_sizes(c)->n_docs;
}

static dpl_str translate(const searcher *x, dpl_str word)
{
    const char *source = dpl_lexicon_get_info(x->s.lexicon).source_lang;
    return dpl__ngram_translate(
        x->s.lexicon, dpl__str_eq(dpl__cstr(source), x->v[x->translated]->doc_lang), word);
}

static uint64_t word_of(const searcher *x, int side, uint32_t term)
{
    const dpl_collection *own = x->search->collections[side],
                         *others = x->search->collections[!side];
    dpl_str word = dpl_collection_term(own, term);
    uint32_t other;
    if (is_frequent(own, term))
        return 0;
    if (side == x->translated) {
        if (x->s.lexicon)
            word = translate(x, word);
        if (!dpl_collection_find_term(others, word, &other) || is_frequent(others, other))
            return 0; /* no document of the other side has it, or too many */
    }
    uint64_t f = dpl__ngram_word(word);
    return f + !f;
}

typedef struct side_words {
    searcher *x;
    int side;
    uint32_t n;
} side_words;

static void find_words(void *user, size_t part)
{
    const side_words *w = user;
    uint32_t begin = (uint32_t)(part * WORD_PART);
    uint32_t end = (uint32_t)dpl__min((size_t)begin + WORD_PART, w->n);
    for (uint32_t term = begin; term < end; term++)
        w->x->words[w->side][term] = word_of(w->x, w->side, term);
}

static uint32_t count_terms(const searcher *x, int side)
{
    return dpl_collection_get_sizes(x->search->collections[side])->n_terms;
}

static dpl_status make_words(searcher *x, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        uint32_t n = count_terms(x, side);
        x->words[side] = dpl__alloc(x->ctx, ((size_t)n + 1) * sizeof **x->words);
        DPL_TRY(dpl__need(x->words[side], err));
        side_words w = {x, side, n};
        DPL_TRY(dpl__parallel_each(x->ctx, ((size_t)n + WORD_PART - 1) / WORD_PART, &w,
                                   find_words, err));
    }
    return DPL_OK;
}

/* ---- n-grams ---------------------------------------------------------------------------- */

DPL__ORDER(by_ngram, dpl__ngram_posting, DPL__RISING(ngram))

/* Appends the pairs of neighbouring words of a row's document, each of them once. */
static dpl_status add_row(const searcher *x, int side, uint32_t row, dpl__ngram_postings *out,
                          dpl_error *err)
{
    size_t n, first = out->n;
    assert(row < x->n[side] && DPL__P(ngram, words_apart) <= MOST_APART);
    const uint32_t *tokens =
        dpl_collection_tokens(x->search->collections[side], x->v[side]->docs[row], &n);
    uint32_t number = side ? x->n[0] + row : row;
    DPL_TRY(dpl__need(dpl__vec_reserve(x->ctx, out, n * (size_t)DPL__P(ngram, words_apart) + 1),
                      err));
    uint64_t before[MOST_APART] = {0};
    unsigned n_before = 0, apart = (unsigned)DPL__P(ngram, words_apart);
    for (size_t i = 0; i < n; i++) {
        uint64_t word = x->words[side][tokens[i]];
        if (!word)
            continue;
        for (unsigned k = 1; k <= apart && k <= n_before; k++) {
            uint64_t other = before[(n_before - k) % MOST_APART];
            if (other != word)
                out->data[out->n++] = (dpl__ngram_posting){dpl__mix(other + word), number, 0};
        }
        before[n_before++ % MOST_APART] = word;
    }
    size_t end = out->n;
    if (end > first)
        qsort(out->data + first, end - first, sizeof *out->data, by_ngram);
    out->n = first;
    for (size_t i = first; i < end; i++)
        if (out->n == first || out->data[out->n - 1].ngram != out->data[i].ngram)
            out->data[out->n++] = out->data[i];
    return DPL_OK;
}

/* Rows of one side with about SLOT_TOKENS tokens, extracted by one thread. */
typedef struct extracted {
    int side;
    uint32_t begin, end;
    dpl__ngram_postings made;
} extracted;

typedef struct extraction {
    searcher *x;
    extracted *slots;
    int side; /* of the next row */
    uint32_t row;
} extraction;

static dpl_status produce_rows(void *user, size_t slot, dpl_error *err)
{
    (void)err;
    extraction *e = user;
    searcher *x = e->x;
    while (e->side < 2 && e->row == x->n[e->side]) {
        e->side++;
        e->row = 0;
    }
    if (e->side == 2)
        return DPL_END;
    extracted *s = &e->slots[slot];
    s->side = e->side;
    s->begin = e->row;
    for (size_t n_tokens = 0; n_tokens < SLOT_TOKENS && e->row < x->n[e->side]; e->row++) {
        size_t n;
        dpl_collection_tokens(x->search->collections[e->side], x->v[e->side]->docs[e->row], &n);
        n_tokens += n;
    }
    s->end = e->row;
    return DPL_OK;
}

static dpl_status extract_rows(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    (void)worker;
    extraction *e = user;
    extracted *s = &e->slots[slot];
    s->made.n = 0;
    for (uint32_t row = s->begin; row < s->end; row++)
        DPL_TRY(add_row(e->x, s->side, row, &s->made, err));
    return DPL_OK;
}

static dpl_status commit_rows(void *user, size_t slot, dpl_error *err)
{
    extraction *e = user;
    const dpl__ngram_postings *made = &e->slots[slot].made;
    return dpl__shuffle_add(e->x->postings, made->data, made->n, err);
}

static dpl_status extract(searcher *x, dpl_error *err)
{
    size_t n_slots = 2 * (size_t)dpl_ctx_threads(x->ctx);
    extraction e = {.x = x};
    e.slots = dpl__calloc(x->ctx, n_slots, sizeof *e.slots);
    DPL_TRY(dpl__need(e.slots, err));
    dpl__pipeline p = {&e, n_slots, produce_rows, extract_rows, commit_rows};
    dpl_status status = dpl__pipeline_run(x->ctx, &p, err);
    for (size_t i = 0; i < n_slots; i++)
        dpl__vec_clear(x->ctx, &e.slots[i].made);
    dpl__free(x->ctx, e.slots);
    return status == DPL_OK ? dpl__shuffle_sort(x->postings, NULL, err) : status;
}

/* ---- candidates ------------------------------------------------------------------------- */

static dpl_status make_groups(searcher *x, dpl_error *err)
{
    const size_t n = (size_t)x->n[0] + x->n[1];
    const uint64_t *const *keys = x->search->keys;
    if (n >= UINT32_MAX)
        return dpl__fail(err, DPL_E_LIMIT, "more than %u documents", UINT32_MAX - 1);
    x->group_of = dpl__calloc(x->ctx, n + 1, sizeof *x->group_of);
    x->groups = (dpl__ngram_groups){x->group_of, (uint32_t)n, 2};
    if (keys[0] && keys[1])
        x->keys = dpl__alloc(x->ctx, (n + 1) * sizeof *x->keys);
    if (!x->group_of || (keys[0] && keys[1] && !x->keys))
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        const int side = i >= x->n[0];
        x->group_of[i] = (uint32_t)side;
        if (x->keys)
            x->keys[i] = keys[side][side ? i - x->n[0] : i];
    }
    return DPL_OK;
}

static dpl_status match(searcher *x, dpl_error *err)
{
    dpl_ngram_summary counts = {0};
    const dpl__matcher m = {x->ctx, &x->s, x->group_of, &counts};
    DPL_TRY(dpl__ngram_match(x->candidates, &m, x->postings, err));
    dpl__shuffle_free(x->postings);
    x->postings = NULL;
    const unsigned max = x->s.all_candidates ? 0 : x->s.max_candidates;
    DPL_TRY(dpl__shared_cap_init(&x->cap, x->ctx, &x->groups, max, err));
    x->cap.keys = x->keys;
    return dpl__shared_cap_fill(&x->cap, x->candidates, err);
}

/* ---- cosines ---------------------------------------------------------------------------- */

typedef struct batch {
    dpl__ngram_shared shared[BATCH];
    dpl__candidate candidates[BATCH];
    dpl_pair pairs[BATCH];
    size_t n;
} batch;

/* The next candidates that are scored; n is 0 after the last one. */
static dpl_status next_batch(searcher *x, batch *b, dpl_error *err)
{
    b->n = 0;
    while (b->n < BATCH) {
        size_t n;
        DPL_TRY(dpl__shared_pairs_next(x->candidates, b->shared, &n, BATCH - b->n, err));
        if (!n)
            return DPL_OK;
        for (size_t i = 0; i < n; i++) {
            const uint64_t pair = b->shared[i].pair;
            if (dpl__shared_cap_keeps(&x->cap, &b->shared[i]))
                b->candidates[b->n++] =
                    (dpl__candidate){(uint32_t)(pair >> 32), (uint32_t)pair - x->n[0], 0};
        }
    }
    return DPL_OK;
}

static dpl_status score(searcher *x, dpl_error *err)
{
    dpl__nearest_search *s = x->search;
    batch *b = dpl__calloc(x->ctx, 1, sizeof *b);
    dpl_status status = dpl__need(b, err);
    while (status == DPL_OK && (status = next_batch(x, b, err)) == DPL_OK && b->n) {
        status = dpl__verify(x->ctx, s->sides, b->pairs, b->candidates, b->n, err);
        if (status != DPL_OK)
            break;
        for (size_t i = 0; i < b->n; i++)
            if (dpl__is_pair(b->pairs[i].score, s->threshold))
                dpl__neighbour_lists_add(s->lists, &b->pairs[i]);
        s->n_scored += b->n;
        status = dpl__progress(
            x->ctx, &(dpl_progress){.stage = "search", .unit = "pairs", .done = s->n_scored},
            err);
    }
    dpl__free(x->ctx, b);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

static dpl_status begin(searcher *x, dpl_error *err)
{
    dpl_ngram_options o = DPL_INIT(dpl_ngram_options);
    if (x->search->ngram)
        o = *x->search->ngram;
    if (!o.max_candidates)
        o.max_candidates = (unsigned)DPL__P(ngram, near_candidates);
    DPL_TRY(dpl__ngram_settle(&x->s, &o, err));
    const size_t share = (size_t)(dpl_ctx_memory(x->ctx) / 4);
    DPL_TRY(dpl__shuffle_new(&x->postings, x->search->spill, share, err));
    DPL_TRY(dpl__shared_pairs_new(&x->candidates, x->search->spill, share / 2, err));
    DPL_TRY(make_groups(x, err));
    return make_words(x, err);
}

static void end(searcher *x)
{
    dpl__shared_cap_clear(&x->cap, x->ctx);
    dpl__shared_pairs_free(x->candidates);
    dpl__shuffle_free(x->postings);
    for (int side = 0; side < 2; side++)
        if (x->words[side])
            dpl__free(x->ctx, x->words[side]);
    if (x->keys)
        dpl__free(x->ctx, x->keys);
    if (x->group_of)
        dpl__free(x->ctx, x->group_of);
}

static dpl_status run(searcher *x, dpl_error *err)
{
    DPL_TRY(begin(x, err));
    DPL_TRY(extract(x, err));
    DPL_TRY(match(x, err));
    return score(x, err);
}

dpl_status dpl__ngram_nearest(dpl__nearest_search *s, dpl_error *err)
{
    assert(!s->sides->is_self && s->collections[0] && s->collections[1]);
    searcher x = {.ctx = s->lists->ctx,
                  .search = s,
                  .v = {s->sides->left, s->sides->right},
                  .n = {s->lists->n_rows[0], s->lists->n_rows[1]},
                  .translated = projected_side(s)};
    dpl_status status = run(&x, err);
    end(&x);
    return status;
}

/* ---- the recall check -------------------------------------------------------------------- */

typedef struct checked {
    dpl_ctx *ctx;
    const dpl__nearest_search *search;
    int side;               /* the one that is translated */
    dpl__sides sides;       /* that one first */
    uint32_t rows[CHECKED]; /* with the lowest keys */
    uint64_t truth[CHECKED], found[CHECKED];
} checked;

static uint64_t key_of(const void *user, uint32_t row)
{
    const checked *c = user;
    assert(c->side == 0 || c->side == 1);
    const uint64_t *keys = c->search->keys[c->side];
    return keys ? keys[row] : dpl__mix(row);
}

/* The nearest of a row among all of the other side, if it is clearly ahead of the others. */
static dpl_status check_row(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker;
    checked *c = user;
    const dpl__nearest_search *s = c->search;
    dpl__scorer scorer;
    DPL_TRY(dpl__need(dpl__scorer_init(&scorer, c->ctx, &c->sides), err));
    dpl__scorer_set(&scorer, c->rows[i]);
    float best = 0, second = 0;
    uint32_t nearest = UINT32_MAX, n = s->lists->n_rows[!c->side];
    for (uint32_t row = 0; row < n; row++) {
        float score = dpl__score(&scorer, row, (uint32_t)dpl__min(row + 2, n - 1));
        if (score > best) {
            second = best;
            best = score;
            nearest = row;
        } else if (score > second) {
            second = score;
        }
    }
    dpl__scorer_clear(&scorer, c->ctx);
    c->truth[i] = dpl__is_pair(best, s->threshold) &&
                  (double)best >= DPL__P(ngram, clear_lead) * (double)second;
    c->found[i] = c->truth[i] &&
                  dpl__neighbour_lists_get(s->lists, c->side, c->rows[i], 0).row == nearest;
    return DPL_OK;
}

dpl_status dpl__ngram_check(dpl_recall_check *out, const dpl__nearest_search *s, dpl_error *err)
{
    const double began = dpl__now();
    const int translated = projected_side(s);
    checked c = {.ctx = s->lists->ctx, .search = s, .side = translated < 0 ? 0 : translated};
    const dpl_vectors *v[2] = {s->sides->left, s->sides->right};
    DPL_TRY(dpl__sides_init(&c.sides, c.ctx, v[c.side], v[!c.side], err));
    const uint32_t n_all = s->lists->n_rows[c.side];
    const size_t n = dpl__draw_lowest(c.rows, CHECKED, n_all, key_of, &c);
    dpl_status status =
        s->lists->n_rows[!c.side] ? dpl__parallel_for(c.ctx, n, &c, check_row, err) : DPL_OK;
    dpl__sides_clear(&c.sides, c.ctx);
    dpl__recall_check_interval(out, c.truth, c.found, n, n_all);
    out->seconds = dpl__now() - began;
    return status;
}
