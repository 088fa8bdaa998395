/*
 * ngram_search.c - candidates by shared n-grams of translated words, cosines of these.
 *
 * In: documents of two languages, their vectors, a lexicon. Out: the nearest of each.
 * Every word of the language that is not the pivot's becomes its most probable translation;
 * words that many documents have are left out. Two words that are at most two apart then, in
 * any order, are a matching n-gram, since word order and function words differ between
 * languages; longer n-grams were not tried. Then as in src/pairs/ngram: n-grams in more than 50
 * documents are dropped, the others make candidates, of
 * which each document keeps those that share the most. The score is the cosine of the vectors,
 * as in any other search, so that margins, decoys and confidence are the same.
 *
 * Cost: linear in the words; some hundred bytes of temporary files for each. What it does not
 * find is measured: the nearest of some documents are searched among all.
 */
#include "mine/ngram_search.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "mine/mine_params.h"
#include "pairs/exact.h"
#include "pairs/ngram/extract.h"
#include "pairs/ngram/postings.h"
#include "pairs/ngram/shared_pairs.h"
#include "pairs/ngram/shuffle.h"
#include "pairs/recall_check.h"
#include "par/pool.h"
#include "vectors/vectors.h"

#include <stdlib.h>

enum { BATCH = 4096, CHECKED = 128, MOST_APART = 8, SLOT_TOKENS = 1 << 15, WORD_PART = 4096 };

typedef struct searcher {
    dpl_ctx *ctx;
    const dpl__comparable *p;
    dpl_vectors *const *v;
    dpl__neighbours *out;
    dpl__ngram_settings s;
    dpl__spill spill;
    uint64_t *words[2]; /* fingerprint of each term of each side; 0: left out */
    uint32_t *group_of; /* of each row, numbered through both sides */
    uint64_t *keys;     /* the same */
    dpl__ngram_groups groups;
    dpl__shuffle *postings;
    dpl__shared_pairs *candidates;
    dpl__shared_cap cap;
    dpl__sides sides;
    double threshold;
    dpl__near *near[2]; /* those of out */
} searcher;

/* ---- words ------------------------------------------------------------------------------ */

static bool is_frequent(const dpl_collection *c, uint32_t term)
{
    return dpl_collection_doc_count(c, term) >
           DPL__P(mine, ngram_frequent) * dpl_collection_get_sizes(c)->n_docs;
}

/* The most probable translation of a word of the side that is not the pivot. */
static bool translate(const searcher *x, const dpl_lexicon *lexicon, dpl_str word, dpl_str *out)
{
    bool is_source = strcmp(dpl_lexicon_source_lang(lexicon), x->p->lang[!x->p->pivot]) == 0;
    uint32_t number, best = 0;
    const float *p;
    size_t n = 0;
    if (!(is_source ? dpl_lexicon_find_source : dpl_lexicon_find_target)(lexicon, word,
                                                                         &number))
        return false;
    const uint32_t *row =
        (is_source ? dpl_lexicon_row : dpl_lexicon_back_row)(lexicon, number, &p, &n);
    float most = 0;
    for (size_t i = 0; i < n; i++)
        if (p[i] > most) {
            most = p[i];
            best = row[i];
        }
    if (most > 0)
        *out =
            is_source ? dpl_lexicon_target(lexicon, best) : dpl_lexicon_source(lexicon, best);
    return most > 0;
}

static uint64_t word_of(const searcher *x, int side, uint32_t term, const dpl_lexicon *lexicon)
{
    dpl_str word = dpl_collection_term(x->p->c[side], term);
    uint32_t other;
    if (is_frequent(x->p->c[side], term))
        return 0;
    if (side != x->p->pivot) {
        translate(x, lexicon, word, &word); /* unknown ones stay: names, numbers */
        const dpl_collection *pivot = x->p->c[x->p->pivot];
        if (!dpl_collection_find_term(pivot, word, &other) || is_frequent(pivot, other))
            return 0; /* no document of the other side has it, or too many */
    }
    uint64_t f = dpl__ngram_word(word);
    return f + !f;
}

typedef struct side_words {
    searcher *x;
    const dpl_lexicon *lexicon;
    int side;
    uint32_t n;
} side_words;

static dpl_status find_words(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)worker;
    (void)err;
    const side_words *w = user;
    uint32_t begin = (uint32_t)(part * WORD_PART);
    uint32_t end = (uint32_t)dpl__min((size_t)begin + WORD_PART, w->n);
    for (uint32_t term = begin; term < end; term++)
        w->x->words[w->side][term] = word_of(w->x, w->side, term, w->lexicon);
    return DPL_OK;
}

static dpl_status make_words(searcher *x, const dpl_lexicon *lexicon, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        uint32_t n = dpl_collection_get_sizes(x->p->c[side])->n_terms;
        x->words[side] = dpl__alloc(x->ctx, ((size_t)n + 1) * sizeof **x->words);
        if (!x->words[side])
            return dpl__fail_nomem(err);
        side_words w = {x, lexicon, side, n};
        DPL_TRY(dpl__parallel_for(x->ctx, ((size_t)n + WORD_PART - 1) / WORD_PART, &w,
                                  find_words, err));
    }
    return DPL_OK;
}

/* ---- n-grams ---------------------------------------------------------------------------- */

static int by_ngram(const void *a, const void *b)
{
    const dpl__ngram_posting *x = a, *y = b;
    return x->ngram < y->ngram ? -1 : x->ngram > y->ngram;
}

/* Appends the pairs of neighbouring words of a row's document, each of them once. */
static dpl_status add_row(const searcher *x, int side, uint32_t row, dpl__ngram_postings *out,
                          dpl_error *err)
{
    size_t n, first = out->n;
    const uint32_t *tokens = dpl_collection_tokens(x->p->c[side], x->v[side]->docs[row], &n);
    uint32_t number = side ? x->out->n[0] + row : row;
    if (!dpl__vec_reserve(x->ctx, out, n * (size_t)DPL__P(mine, ngram_apart) + 1))
        return dpl__fail_nomem(err);
    uint64_t before[MOST_APART] = {0};
    unsigned n_before = 0, apart = (unsigned)DPL__P(mine, ngram_apart);
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
    while (e->side < 2 && e->row == x->out->n[e->side]) {
        e->side++;
        e->row = 0;
    }
    if (e->side == 2)
        return DPL_END;
    extracted *s = &e->slots[slot];
    s->side = e->side;
    s->begin = e->row;
    for (size_t n_tokens = 0; n_tokens < SLOT_TOKENS && e->row < x->out->n[e->side]; e->row++) {
        size_t n;
        dpl_collection_tokens(x->p->c[e->side], x->v[e->side]->docs[e->row], &n);
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
    if (!e.slots)
        return dpl__fail_nomem(err);
    dpl__pipeline p = {&e, n_slots, produce_rows, extract_rows, commit_rows};
    dpl_status status = dpl__pipeline_run(x->ctx, &p, err);
    for (size_t i = 0; i < n_slots; i++)
        dpl__vec_clear(x->ctx, &e.slots[i].made);
    dpl__free(x->ctx, e.slots, n_slots * sizeof *e.slots);
    return status == DPL_OK ? dpl__shuffle_sort(x->postings, err) : status;
}

/* ---- candidates ------------------------------------------------------------------------- */

static dpl_status make_groups(searcher *x, dpl_error *err)
{
    size_t n = (size_t)x->out->n[0] + x->out->n[1];
    if (n >= UINT32_MAX)
        return dpl__fail(err, DPL_E_LIMIT, "more than %u documents", UINT32_MAX - 1);
    x->groups = (dpl__ngram_groups){NULL, (uint32_t)n, 2};
    x->group_of = dpl__calloc(x->ctx, n + 1, sizeof *x->group_of);
    x->keys = dpl__alloc(x->ctx, (n + 1) * sizeof *x->keys);
    if (!x->group_of || !x->keys)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        int side = i >= x->out->n[0];
        x->group_of[i] = (uint32_t)side;
        x->keys[i] = x->out->keys[side][side ? i - x->out->n[0] : i];
    }
    x->groups.group_of = x->group_of;
    return DPL_OK;
}

static dpl_status match(searcher *x, dpl_error *err)
{
    dpl_ngram_summary counts = {0};
    dpl__ngram_candidates some = {0};
    const dpl__matcher m = {x->ctx, &x->s, x->group_of, &counts};
    const dpl__ngram_posting *list;
    uint64_t n_all;
    dpl_status status;
    while ((status = dpl__shuffle_next(x->postings, &list, &n_all,
                                       (size_t)x->s.max_matching + 1, err)) == DPL_OK) {
        status = dpl__ngram_pairs_of(&some, &m, list, n_all, err);
        if (status == DPL_OK && some.n >= BATCH) {
            status = dpl__shared_pairs_add(x->candidates, some.data, some.n, err);
            some.n = 0;
        }
        if (status != DPL_OK)
            break;
    }
    if (status == DPL_END)
        status = dpl__shared_pairs_add(x->candidates, some.data, some.n, err);
    dpl__vec_clear(x->ctx, &some);
    return status;
}

static dpl_status count_candidates(searcher *x, dpl_error *err)
{
    dpl__ngram_shared some[512];
    size_t n;
    DPL_TRY(dpl__shared_cap_init(&x->cap, x->ctx, &x->groups, x->s.max_candidates, err));
    x->cap.keys = x->keys;
    DPL_TRY(dpl__shared_pairs_begin(x->candidates, err));
    do {
        DPL_TRY(dpl__shared_pairs_next(x->candidates, some, &n, DPL_LEN(some), err));
        dpl__shared_cap_count(&x->cap, some, n);
    } while (n);
    return dpl__shared_pairs_begin(x->candidates, err);
}

/* ---- cosines ---------------------------------------------------------------------------- */

/* Candidates that are scored at once, by all threads, then added in order. */
typedef struct batch {
    searcher *x;
    dpl__ngram_shared pairs[BATCH];
    float scores[BATCH];
    size_t n;
} batch;

enum { PARTS = 16 };

static dpl_status score_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)worker;
    batch *b = user;
    searcher *x = b->x;
    dpl__scorer scorer;
    size_t begin = part * b->n / PARTS, end = (part + 1) * b->n / PARTS;
    if (begin == end)
        return DPL_OK;
    if (!dpl__scorer_init(&scorer, x->ctx, &x->sides))
        return dpl__fail_nomem(err);
    uint32_t left = UINT32_MAX;
    for (size_t i = begin; i < end; i++) {
        uint32_t row = (uint32_t)(b->pairs[i].pair >> 32);
        if (row != left)
            dpl__scorer_set(&scorer, left = row);
        size_t next = dpl__min(i + 2, end - 1);
        b->scores[i] = dpl__score(&scorer, (uint32_t)b->pairs[i].pair - x->out->n[0],
                                  (uint32_t)b->pairs[next].pair - x->out->n[0]);
    }
    dpl__scorer_clear(&scorer, x->ctx);
    return DPL_OK;
}

static dpl_status next_batch(batch *b, dpl_error *err)
{
    searcher *x = b->x;
    b->n = 0;
    while (b->n < BATCH) {
        dpl__ngram_shared *room = b->pairs + b->n;
        size_t n, n_kept = 0;
        DPL_TRY(dpl__shared_pairs_next(x->candidates, room, &n, BATCH - b->n, err));
        if (!n)
            return DPL_OK;
        for (size_t i = 0; i < n; i++)
            if (dpl__shared_cap_keeps(&x->cap, &room[i]))
                room[n_kept++] = room[i];
        b->n += n_kept;
    }
    return DPL_OK;
}

static void add_scored(searcher *x, const batch *b)
{
    for (size_t i = 0; i < b->n; i++) {
        uint32_t left = (uint32_t)(b->pairs[i].pair >> 32);
        uint32_t right = (uint32_t)b->pairs[i].pair - x->out->n[0];
        if (!dpl__is_pair(b->scores[i], x->threshold))
            continue;
        dpl__near_add(x->near[0] + (size_t)left * DPL__NEAREST, x->out->keys[1],
                      (dpl__near){right, b->scores[i]});
        dpl__near_add(x->near[1] + (size_t)right * DPL__NEAREST, x->out->keys[0],
                      (dpl__near){left, b->scores[i]});
    }
}

static dpl_status score(searcher *x, dpl_error *err)
{
    batch *b = dpl__calloc(x->ctx, 1, sizeof *b);
    if (!b)
        return dpl__fail_nomem(err);
    b->x = x;
    dpl_status status;
    uint64_t n_done = 0;
    while ((status = next_batch(b, err)) == DPL_OK && b->n) {
        status = dpl__parallel_for(x->ctx, PARTS, b, score_part, err);
        if (status == DPL_OK)
            add_scored(x, b);
        n_done += b->n;
        if (status == DPL_OK)
            status = dpl__progress(
                x->ctx, &(dpl_progress){.stage = "search", .unit = "pairs", .done = n_done},
                err);
        if (status != DPL_OK)
            break;
    }
    dpl__free(x->ctx, b, sizeof *b);
    return status;
}

/* ---- the recall check ---------------------------------------------------------------------
 */

typedef struct checked {
    searcher *x;
    int side;               /* the one that is translated */
    dpl__sides sides;       /* that one first */
    uint32_t rows[CHECKED]; /* with the lowest keys */
    size_t n;
    uint64_t truth[CHECKED], found[CHECKED];
} checked;

static void choose_rows(checked *c)
{
    const uint64_t *keys = c->x->out->keys[c->side];
    for (uint32_t row = 0; row < c->x->out->n[c->side]; row++) {
        size_t at = c->n;
        if (at == CHECKED && keys[c->rows[at - 1]] <= keys[row])
            continue;
        c->n += c->n < CHECKED;
        for (at = c->n - 1; at > 0 && keys[c->rows[at - 1]] > keys[row]; at--)
            c->rows[at] = c->rows[at - 1];
        c->rows[at] = row;
    }
}

/* The nearest of a row among all of the other side, if it is clearly ahead of the others. */
static dpl_status check_row(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker;
    checked *c = user;
    searcher *x = c->x;
    dpl__scorer scorer;
    if (!dpl__scorer_init(&scorer, x->ctx, &c->sides))
        return dpl__fail_nomem(err);
    dpl__scorer_set(&scorer, c->rows[i]);
    float best = 0, second = 0;
    uint32_t nearest = DPL__NO_ROW, n = x->out->n[!c->side];
    for (uint32_t row = 0; row < n; row++) {
        float s = dpl__score(&scorer, row, (uint32_t)dpl__min(row + 2, n - 1));
        if (s > best) {
            second = best;
            best = s;
            nearest = row;
        } else if (s > second) {
            second = s;
        }
    }
    dpl__scorer_clear(&scorer, x->ctx);
    c->truth[i] = dpl__is_pair(best, x->threshold) &&
                  (double)best >= DPL__P(mine, ngram_lead) * (double)second;
    const dpl__near *near = x->near[c->side] + (size_t)c->rows[i] * DPL__NEAREST;
    c->found[i] = c->truth[i] && near->row == nearest;
    return DPL_OK;
}

static dpl_status check(searcher *x, dpl_error *err)
{
    double began = dpl__now();
    checked c = {.x = x, .side = !x->p->pivot};
    DPL_TRY(dpl__sides_init(&c.sides, x->ctx, x->v[c.side], x->v[!c.side], err));
    choose_rows(&c);
    dpl_status status =
        x->out->n[!c.side] ? dpl__parallel_for(x->ctx, c.n, &c, check_row, err) : DPL_OK;
    dpl__sides_clear(&c.sides, x->ctx);
    dpl__recall_check_interval(&x->out->recall_check, c.truth, c.found, c.n, x->out->n[c.side]);
    x->out->recall_check.seconds = dpl__now() - began;
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------
 */

static dpl_status begin(searcher *x, const dpl_lexicon *lexicon, dpl_error *err)
{
    dpl_ngram_options o = DPL_INIT(dpl_ngram_options, .matching = 2);
    o.max_candidates = (unsigned)DPL__P(mine, ngram_candidates);
    DPL_TRY(dpl__ngram_settle(&x->s, &o, err));
    DPL_TRY(dpl__spill_init(&x->spill, x->ctx, x->p->work, err));
    DPL_TRY(dpl__sides_init(&x->sides, x->ctx, x->v[0], x->v[1], err));
    size_t share = (size_t)(dpl_ctx_memory(x->ctx) / 4);
    DPL_TRY(dpl__shuffle_new(&x->postings, &x->spill, share, err));
    DPL_TRY(dpl__shared_pairs_new(&x->candidates, &x->spill, share / 2, err));
    for (int side = 0; side < 2; side++) {
        size_t n = (size_t)x->out->n[side] * DPL__NEAREST;
        x->near[side] = dpl__alloc(x->ctx, n * sizeof **x->near);
        if (n && !x->near[side])
            return dpl__fail_nomem(err);
        x->out->near[side] = x->near[side];
        for (size_t i = 0; i < n; i++)
            x->near[side][i] = (dpl__near){DPL__NO_ROW, 0};
    }
    DPL_TRY(make_groups(x, err));
    return make_words(x, lexicon, err);
}

static void end(searcher *x)
{
    dpl__shared_cap_clear(&x->cap, x->ctx);
    dpl__shared_pairs_free(x->candidates);
    dpl__shuffle_free(x->postings);
    for (int side = 0; side < 2; side++)
        if (x->words[side])
            dpl__free(x->ctx, x->words[side],
                      ((size_t)dpl_collection_get_sizes(x->p->c[side])->n_terms + 1) *
                          sizeof **x->words);
    if (x->keys)
        dpl__free(x->ctx, x->keys, ((size_t)x->groups.n_docs + 1) * sizeof *x->keys);
    if (x->group_of)
        dpl__free(x->ctx, x->group_of, ((size_t)x->groups.n_docs + 1) * sizeof *x->group_of);
    dpl__sides_clear(&x->sides, x->ctx);
    dpl__spill_clear(&x->spill);
}

static dpl_status run(searcher *x, const dpl_lexicon *lexicon, dpl_error *err)
{
    DPL_TRY(begin(x, lexicon, err));
    DPL_TRY(extract(x, err));
    DPL_TRY(match(x, err));
    dpl__shuffle_free(x->postings);
    x->postings = NULL;
    DPL_TRY(count_candidates(x, err));
    DPL_TRY(score(x, err));
    return check(x, err);
}

dpl_status dpl__ngram_neighbours_find(dpl__neighbours *out, const dpl__round_input *in,
                                      dpl_vectors *const v[2], double threshold, dpl_error *err)
{
    const dpl__comparable *p = in->corpus;
    const dpl__row_docs docs = dpl__row_docs_of(p);
    assert(in->lexicon);
    DPL_TRY(dpl__neighbours_new(out, p->ctx, v[0], v[1], &docs, err));
    out->threshold = threshold;
    searcher x = {.ctx = p->ctx, .p = p, .v = v, .out = out, .threshold = threshold};
    dpl_status status = run(&x, in->lexicon, err);
    end(&x);
    if (status != DPL_OK)
        dpl__neighbours_clear(out);
    return status;
}
