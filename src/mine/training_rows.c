/*
 * learn.c - numbers terms by their bytes, trains, writes.
 *
 * Only terms that stand in a row are words of the lexicon, in byte order from the beginning:
 * what training makes can be written as it is.
 */
#include "mine/training_rows.h"

#include "base/ctx.h"
#include "io/shared_run.h"
#include "lexicon/lexicon_params.h"
#include "lexicon/prefix_classes.h"
#include "lexicon/save_model.h"
#include "mine/written_words.h"
#include "par/pool.h"

#include <stdatomic.h>
#include <stdio.h>

/* ---- rows --------------------------------------------------------------------------- */

/* Rows grow by half when they are full; what that takes is known before. All tokens of both
 * collections are the most that may come. */
static dpl_status check_memory(const dpl__training_rows *l, size_t n_left, size_t n_right,
                               dpl_error *err)
{
    uint64_t more = 0, all = 0;
    const size_t n[2] = {n_left, n_right};
    for (int side = 0; side < 2; side++) {
        bool is_full = l->tokens[side].cap - l->tokens[side].n < n[side];
        more += is_full ? (l->tokens[side].cap / 2 + n[side]) * sizeof(uint32_t) : 0;
        all += dpl_collection_get_sizes(l->collection[side])->n_tokens * sizeof(uint32_t);
    }
    uint64_t used = dpl__ctx_used(l->ctx), limit = dpl_ctx_memory(l->ctx);
    if (!more || used + more <= limit)
        return DPL_OK;
    dpl__fail(
        err, DPL_E_LIMIT,
        "the sentence pairs to learn from need up to %llu MiB of memory; the limit is %llu",
        (unsigned long long)((used + 3 * all) >> 20) + 1, (unsigned long long)(limit >> 20));
    return dpl__code(err, DPL_E_LIMIT, "memory");
}

dpl_status dpl__training_rows_add(dpl__training_rows *l, const uint32_t *left, size_t n_left,
                                  const uint32_t *right, size_t n_right, dpl_error *err)
{
    DPL_TRY(check_memory(l, n_left, n_right, err));
    bool has_room = dpl__vec_append(l->ctx, &l->tokens[DPL__LEFT], left, n_left) &&
                    dpl__vec_append(l->ctx, &l->tokens[DPL__RIGHT], right, n_right);
    for (int side = 0; side < 2; side++) {
        if (!l->ends[side].n)
            has_room = has_room && dpl__vec_push(l->ctx, &l->ends[side], 0);
        has_room = has_room && dpl__vec_push(l->ctx, &l->ends[side], l->tokens[side].n);
    }
    return dpl__need(has_room, err);
}

void dpl__training_rows_clear(dpl__training_rows *l)
{
    for (int side = 0; side < 2; side++)
        dpl__vec_clear(l->ctx, &l->ends[side], &l->tokens[side]);
}

/* ---- words -------------------------------------------------------------------------- */

typedef struct learning {
    dpl_ctx *ctx;
    dpl__strings words[2], written[2];
    uint32_t *classes[2];
    uint32_t n_classes;
    dpl__wordmodel model;
} learning;

/* Tokens of a side, in blocks. */
typedef struct tokens {
    uint32_t *all;
    size_t n;
    _Atomic uint8_t *are_there; /* terms */
    const uint32_t *words;      /* of terms */
} tokens;

enum { BLOCK_TOKENS = 1 << 15 };

/* Most are there already, and a test is much faster than a contended store. */
static void note_terms(void *user, size_t block)
{
    const tokens *x = user;
    const size_t end = dpl__min((block + 1) * BLOCK_TOKENS, x->n);
    for (size_t i = block * BLOCK_TOKENS; i < end; i++) {
        _Atomic uint8_t *is_there = &x->are_there[x->all[i]];
        if (!atomic_load_explicit(is_there, memory_order_relaxed))
            atomic_store_explicit(is_there, 1, memory_order_relaxed);
    }
}

static void number_tokens(void *user, size_t block)
{
    const tokens *x = user;
    const size_t end = dpl__min((block + 1) * BLOCK_TOKENS, x->n);
    for (size_t i = block * BLOCK_TOKENS; i < end; i++)
        x->all[i] = x->words[x->all[i]];
}

/* What number_side() needs of each term. */
typedef struct numbers {
    _Atomic uint8_t *are_there;
    uint32_t *words, *rank;
    dpl_str *texts;
} numbers;

/* Terms that stand in rows become words, in byte order. */
static dpl_status number_terms(learning *x, dpl__training_rows *l, int side, numbers *a,
                               dpl_error *err)
{
    const dpl_collection *c = l->collection[side];
    const size_t n_terms = dpl_collection_get_sizes(c)->n_terms;
    tokens t = {l->tokens[side].data, l->tokens[side].n, a->are_there, a->words};
    const size_t n_blocks = (t.n + BLOCK_TOKENS - 1) / BLOCK_TOKENS;
    size_t n = 0;
    DPL_TRY(dpl__parallel_each(l->ctx, n_blocks, &t, note_terms, err));
    for (uint32_t term = 0; term < n_terms; term++)
        if (atomic_load_explicit(&a->are_there[term], memory_order_relaxed)) {
            a->texts[n] = dpl_collection_term(c, term);
            a->words[term] = (uint32_t)n++;
        }
    DPL_TRY(dpl__texts_sort(&x->words[side], a->rank, l->ctx, a->texts, n, err));
    for (uint32_t term = 0; term < n_terms; term++)
        if (atomic_load_explicit(&a->are_there[term], memory_order_relaxed))
            a->words[term] = a->rank[a->words[term]];
    return dpl__parallel_each(l->ctx, n_blocks, &t, number_tokens, err);
}

static dpl_status number_side(learning *x, dpl__training_rows *l, int side, dpl_error *err)
{
    const size_t n = dpl_collection_get_sizes(l->collection[side])->n_terms + (size_t)1;
    numbers a = {dpl__calloc(l->ctx, n, 1), dpl__alloc(l->ctx, n * sizeof *a.words),
                 dpl__alloc(l->ctx, n * sizeof *a.rank),
                 dpl__alloc(l->ctx, n * sizeof *a.texts)};
    const dpl_status status = a.are_there && a.words && a.rank && a.texts
                                  ? number_terms(x, l, side, &a, err)
                                  : dpl__fail_nomem(err);
    dpl__free(l->ctx, a.texts, a.rank, a.words, (void *)a.are_there);
    DPL_TRY(status);
    x->classes[side] = dpl__alloc(l->ctx, (x->words[side].n + 1) * sizeof(uint32_t));
    return dpl__need(x->classes[side], err);
}

/* Words that are stems, as the documents write them. */
static dpl_status write_words(learning *x, const dpl__training_rows *l, int side,
                              dpl_error *err)
{
    const size_t n = x->words[side].n;
    const dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = true);
    const dpl__writing w = {l->ctx, l->collection[side], &o, l->lang[side]};
    dpl_str *words = dpl__alloc(l->ctx, (n + 1) * sizeof *words);
    dpl_status status;
    DPL__STEP(dpl__need(words, err));
    for (size_t i = 0; i < n; i++)
        words[i] = dpl__string(&x->words[side], i);
    DPL__STEP(dpl__words_as_written(&w, words, n, err));
    for (size_t i = 0; i < n; i++)
        if (dpl__has_control(words[i]))
            words[i] = dpl__string(&x->words[side], i);
    status = dpl__words_pack(&x->written[side], l->ctx, words, n, err);
done:
    dpl__free(l->ctx, words);
    return status;
}

typedef struct numbering {
    learning *x;
    dpl__training_rows *rows;
    dpl__model_summary *trained;
} numbering;

static dpl_status number_one(void *user, size_t side, unsigned worker, dpl_error *err)
{
    (void)worker;
    const numbering *n = user;
    return number_side(n->x, n->rows, (int)side, err);
}

/* ---- learning ----------------------------------------------------------------------- */

static dpl_status train(learning *x, dpl__model_summary *summary, const dpl__training_rows *l,
                        dpl_error *err)
{
    dpl__encoded corpus = {.n_rows = l->ends[0].n - 1, .n_classes = x->n_classes};
    for (int i = 0; i < 2; i++) {
        int side = l->is_mirrored ? !i : i;
        corpus.side[i] = (dpl__encoded_side){.begin = l->ends[side].data,
                                             .tokens = l->tokens[side].data,
                                             .n_words = (uint32_t)x->words[side].n,
                                             .classes = x->classes[side]};
    }
    dpl__model_options o = {.needs_all_links = true}; /* same bytes for any memory */
    if (l->tokens_per_word > 1)
        o.max_tokens = (size_t)(l->tokens_per_word * DPL__P(lexicon, max_tokens));
    return dpl__train_model(&x->model, summary, l->ctx, &corpus, &o, err);
}

/* The model; then words of each side as they are written, which do not depend on it. */
enum { TRAINED = 1, TRAINED_AND_WRITTEN = 3 };

static dpl_status train_one(void *user, size_t i, unsigned worker, dpl_error *err)
{
    const numbering *n = user;
    (void)worker;
    return i ? write_words(n->x, n->rows, (int)i - 1, err)
             : train(n->x, n->trained, n->rows, err);
}

static dpl_status find_classes(learning *x, bool is_mirrored, dpl_error *err)
{
    const dpl__strings words[2] = {x->words[is_mirrored], x->words[!is_mirrored]};
    uint32_t *classes[2] = {x->classes[is_mirrored], x->classes[!is_mirrored]};
    return dpl__prefix_classes(classes, &x->n_classes, x->ctx, words, DPL__CLASS_LETTERS, err);
}

static dpl_status learn(learning *x, dpl_train_summary *s, dpl__training_rows *l,
                        const char *out_path, dpl_error *err)
{
    dpl__model_summary trained;
    double begin = dpl__now();
    numbering n = {x, l, &trained};
    DPL_TRY(dpl__parallel_for(l->ctx, 2, &n, number_one, err));
    DPL_TRY(find_classes(x, l->is_mirrored, err));
    const size_t n_steps = l->is_stemmed && !l->is_trial ? TRAINED_AND_WRITTEN : TRAINED;
    if (dpl__is_shared(l->ctx)) { /* who helps leaves behind the first */
        for (size_t i = 0; i < n_steps; i++)
            DPL_TRY(train_one(&n, i, 0, err));
    } else {
        DPL_TRY(dpl__parallel_for(l->ctx, n_steps, &n, train_one, err));
    }
    s->train_seconds = dpl__now() - begin;
    char made[40];
    const int n_made =
        snprintf(made, sizeof made, "\"rows\":%llu", (unsigned long long)trained.n_rows);
    dpl__save_model_input in = {.model = &x->model,
                                .trained = &trained,
                                .parts = {.lang = {l->lang[0], l->lang[1]},
                                          .is_stemmed = l->is_stemmed,
                                          .words = {x->words[0], x->words[1]},
                                          .written = {x->written[0], x->written[1]},
                                          .made = {made, (size_t)n_made}},
                                .prune = DPL_INIT(dpl_prune),
                                .min_link = DPL__P(lexicon, min_link),
                                .is_mirrored = l->is_mirrored,
                                .to.path = out_path};
    return dpl__save_model(s, &in, err);
}

dpl_status dpl__training_rows_train(dpl_train_summary *summary, dpl__reason *why,
                                    dpl__training_rows *l, const char *out_path, dpl_error *err)
{
    dpl_lexicon_sizes sizes;
    dpl_train_summary s = DPL_INIT(dpl_train_summary, .sizes = &sizes);
    double begin = dpl__now();
    *summary = (dpl_train_summary)DPL_INIT(dpl_train_summary);
    if (l->ends[0].n < 2) {
        dpl__reason_set(why, "nothing-learned", "no sentence pairs to train a lexicon on");
        return DPL_OK;
    }
    learning x = {.ctx = l->ctx, .model = {.ctx = l->ctx}};
    dpl_status status = learn(&x, &s, l, out_path, err);
    for (int side = 0; side < 2; side++) {
        dpl__free(l->ctx, x.classes[side]);
        dpl__words_free(&x.words[side], l->ctx);
        dpl__words_free(&x.written[side], l->ctx);
    }
    dpl__wordmodel_clear(&x.model);
    s.seconds = dpl__now() - begin;
    s.sizes = NULL;
    *summary = s;
    return status;
}
