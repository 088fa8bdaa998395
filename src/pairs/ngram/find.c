/*
 * find.c - the whole search: extract, shuffle by n-gram, candidates, forward index, score.
 *
 * In: collections in one language. Out: scored pairs. Documents are read twice, for matching
 * n-grams and then for scoring ones, so that one shuffle's memory is enough: SHUFFLE_SHARES of
 * `share`, then one share for the forward index; the rest of the data is in temporary files.
 * Cost: linear in the words (docs/methods/ngram.md has figures).
 */
#include "base/ctx.h"
#include "io/sections.h"
#include "pairs/ngram/finder.h"
#include "par/pool.h"
#include "tokens/collection.h"

enum { DOCS_PER_SLOT = 128, WORDS_PER_SLOT = 1 << 16, SLOTS = 4 };
/* Quarters of the memory for a shuffle; words after which pages of collections are dropped. */
enum { SHUFFLE_SHARES = 2, FORGET_WORDS = 1 << 22 };

/* ---- documents and groups ------------------------------------------------------------- */

static size_t side_of(const dpl__ngram_finder *f, uint32_t doc)
{
    size_t side = 0;
    assert(doc < f->first_of[f->n_sides]);
    while (doc >= f->first_of[side + 1])
        side++;
    return side;
}

static dpl_status make_words(dpl__ngram_finder *f, size_t side, dpl_error *err)
{
    uint32_t n = dpl_collection_get_sizes(f->sides[side])->n_terms;
    if (!n)
        return DPL_OK;
    uint64_t *words = f->words_of[side] = dpl__alloc(f->ctx, n * sizeof *words);
    DPL_TRY(dpl__need(words, err));
    for (uint32_t term = 0; term < n; term++)
        words[term] = dpl__ngram_word(dpl_collection_term(f->sides[side], term));
    return DPL_OK;
}

static dpl_status make_translated(dpl__ngram_finder *f, size_t side, dpl_error *err)
{
    uint32_t n = dpl_collection_get_sizes(f->sides[side])->n_terms;
    if (!n || !f->s->lexicon)
        return DPL_OK;
    uint64_t *words = f->translated_of[side] = dpl__alloc(f->ctx, n * sizeof *words);
    DPL_TRY(dpl__need(words, err));
    for (uint32_t term = 0; term < n; term++)
        words[term] = dpl__ngram_word(dpl__ngram_translate(
            f->s->lexicon, true, dpl_collection_term(f->sides[side], term)));
    return DPL_OK;
}

/* Fingerprints of the words of a document: in the language that all are compared in. */
static const uint64_t *words_for(const dpl__ngram_finder *f, size_t side, uint32_t doc,
                                 bool *is_other)
{
    *is_other = false;
    if (f->s->lexicon && f->translated_of[side]) {
        dpl_str lang = dpl_collection_doc(f->sides[side], doc - f->first_of[side]).lang;
        const char *from = dpl_lexicon_get_info(f->s->lexicon).source_lang;
        *is_other = dpl__str_eq(lang, (dpl_str){from, strlen(from)});
    }
    return *is_other ? f->translated_of[side] : f->words_of[side];
}

/* Languages are numbered as they come. */
static dpl_status number_languages(dpl__ngram_finder *f, dpl_error *err)
{
    DPL_VEC(dpl_str) names = {0};
    dpl_status status = DPL_OK;
    for (uint32_t doc = 0; status == DPL_OK && doc < f->groups.n_docs; doc++) {
        size_t side = side_of(f, doc);
        dpl_str lang = dpl_collection_doc(f->sides[side], doc - f->first_of[side]).lang;
        size_t i = 0;
        while (i < names.n && !dpl__str_eq(names.data[i], lang))
            i++;
        if (i == names.n && !dpl__vec_push(f->ctx, &names, lang))
            status = dpl__fail_nomem(err);
        f->group_of[doc] = (uint32_t)i;
    }
    f->groups.n_groups = (uint32_t)names.n;
    dpl__vec_clear(f->ctx, &names);
    return status;
}

static dpl_status make_groups(dpl__ngram_finder *f, dpl_error *err)
{
    f->group_of = dpl__calloc(f->ctx, dpl__max(f->groups.n_docs, 1), sizeof *f->group_of);
    DPL_TRY(dpl__need(f->group_of, err));
    f->groups.group_of = f->group_of;
    f->groups.n_groups = (uint32_t)f->n_sides;
    if (f->s->by_language)
        DPL_TRY(number_languages(f, err));
    else
        for (uint32_t doc = 0; doc < f->groups.n_docs; doc++)
            f->group_of[doc] = (uint32_t)side_of(f, doc);
    f->summary->n_groups = f->groups.n_groups;
    return DPL_OK;
}

dpl_status dpl__ngram_number_docs(dpl__ngram_finder *f, dpl_error *err)
{
    uint64_t n = 0;
    for (size_t i = 0; i < f->n_sides; i++) {
        f->first_of[i] = (uint32_t)n;
        n += dpl_collection_get_sizes(f->sides[i])->n_docs;
        if (n >= UINT32_MAX)
            return dpl__fail(err, DPL_E_LIMIT, "more than %u documents", UINT32_MAX - 1);
    }
    f->first_of[f->n_sides] = (uint32_t)n;
    f->groups.n_docs = f->summary->n_docs = (uint32_t)n;
    return make_groups(f, err);
}

/* ---- extraction ----------------------------------------------------------------------- */

static const uint32_t *tokens_of(const dpl__ngram_finder *f, uint32_t doc, size_t *side,
                                 size_t *n)
{
    *side = side_of(f, doc);
    return dpl_collection_tokens(f->sides[*side], doc - f->first_of[*side], n);
}

static dpl_status take_docs(void *user, size_t slot, dpl_error *err)
{
    dpl__ngram_finder *f = user;
    (void)err;
    if (f->next_doc == f->groups.n_docs)
        return DPL_END;
    dpl__extract_slot *e = &f->extract[slot];
    e->first = f->next_doc;
    size_t n_words = 0, side, n;
    while (f->next_doc < f->groups.n_docs && f->next_doc - e->first < DOCS_PER_SLOT &&
           n_words < WORDS_PER_SLOT) {
        tokens_of(f, f->next_doc++, &side, &n);
        n_words += n;
    }
    e->end = f->next_doc;
    return DPL_OK;
}

static dpl_status extract_docs(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    dpl__ngram_finder *f = user;
    dpl__extract_slot *e = &f->extract[slot];
    dpl__find_scratch *x = &f->scratch[worker];
    e->postings.n = 0;
    e->n_words = 0;
    e->n_translated = 0;
    x->extractor = (dpl__extractor){f->ctx, f->s, 0, x->extractor.seen};
    for (uint32_t doc = e->first; doc < e->end; doc++) {
        size_t side, n;
        const uint32_t *tokens = tokens_of(f, doc, &side, &n);
        x->words.n = 0;
        DPL_TRY(dpl__need(dpl__vec_reserve(f->ctx, &x->words, n), err));
        bool is_other;
        const uint64_t *words = words_for(f, side, doc, &is_other);
        for (size_t i = 0; i < n; i++)
            x->words.data[i] = words[tokens[i]];
        e->n_translated += is_other;
        e->n_words += n;
        dpl__ngram_doc d = {doc, x->words.data, n};
        DPL_TRY((f->scoring ? dpl__extract_scoring
                            : dpl__extract_matching)(&x->extractor, &e->postings, &d, err));
    }
    e->n_unsampled = x->extractor.n_unsampled;
    return DPL_OK;
}

/* Collections are mapped files, read once and in order. */
static void forget_sides(dpl__ngram_finder *f)
{
    for (size_t i = 0; i < f->n_sides; i++)
        dpl__file_forget(dpl__collection_file(f->sides[i]));
    f->n_since = 0;
}

static dpl_status add_postings(void *user, size_t slot, dpl_error *err)
{
    dpl__ngram_finder *f = user;
    const dpl__extract_slot *e = &f->extract[slot];
    const uint64_t n_docs = f->groups.n_docs;
    if (!f->scoring) {
        f->summary->n_unsampled += e->n_unsampled;
        f->summary->n_words += e->n_words;
        f->summary->n_translated += e->n_translated;
    }
    f->n_since += e->n_words;
    if (f->n_since >= FORGET_WORDS)
        forget_sides(f);
    DPL_TRY(dpl__shuffle_add(f->scoring ? f->scoring : f->matching, e->postings.data,
                             e->postings.n, err));
    return dpl__progress(f->ctx,
                         &(dpl_progress){.stage = "extract n-grams",
                                         .unit = "documents",
                                         .done = e->end + (f->scoring ? n_docs : 0),
                                         .total = 2 * n_docs},
                         err);
}

/* All n-grams of a kind, sorted; scoring ones in the memory of the matching ones. */
static dpl_status extract(dpl__ngram_finder *f, dpl__shuffle **to, dpl_error *err)
{
    uint64_t n_tokens = 0;
    DPL_TRY(dpl__shuffle_new(to, f->spill, SHUFFLE_SHARES * f->share, err));
    if (f->scoring) {
        dpl__shuffle_follow(f->scoring, f->matching, &f->room);
        f->matching = NULL;
    }
    for (size_t i = 0; i < f->n_sides; i++)
        n_tokens += dpl_collection_get_sizes(f->sides[i])->n_tokens;
    DPL_TRY(dpl__shuffle_expect(*to, n_tokens, err));
    f->next_doc = 0;
    dpl__pipeline p = {.user = f,
                       .n_slots = f->n_slots,
                       .produce = take_docs,
                       .map = extract_docs,
                       .commit = add_postings};
    DPL_TRY(dpl__pipeline_run(f->ctx, &p, err));
    forget_sides(f);
    return dpl__shuffle_sort(*to, &f->room, err);
}

static void end_extract(dpl__ngram_finder *f)
{
    for (size_t i = 0; f->extract && i < f->n_slots; i++)
        dpl__vec_clear(f->ctx, &f->extract[i].postings);
    dpl__free(f->ctx, f->extract);
    f->extract = NULL;
}

/* ---- candidates ----------------------------------------------------------------------- */

static dpl_status match(dpl__ngram_finder *f, dpl_error *err)
{
    const dpl__matcher m = {f->ctx, f->s, f->group_of, f->summary};
    DPL_TRY(dpl__shared_pairs_new(&f->candidates, f->spill, f->share, err));
    DPL_TRY(dpl__ngram_match(f->candidates, &m, f->matching, err));
    const unsigned max = f->s->all_candidates ? 0 : f->s->max_candidates;
    DPL_TRY(dpl__shared_cap_init(&f->cap, f->ctx, &f->groups, max, err));
    return dpl__shared_cap_fill(&f->cap, f->candidates, err);
}

/* ---- scores --------------------------------------------------------------------------- */

static dpl_status take_candidates(void *user, size_t slot, dpl_error *err)
{
    dpl__ngram_finder *f = user;
    dpl__score_slot *e = &f->score[slot];
    do {
        size_t n, n_kept = 0;
        DPL_TRY(
            dpl__shared_pairs_next(f->candidates, e->candidates, &n, DPL__NGRAM_PER_SLOT, err));
        if (!n || e->candidates[0].pair >> 32 >= f->end_left)
            return DPL_END;
        for (size_t i = 0; i < n; i++) {
            const dpl__ngram_shared *c = &e->candidates[i];
            if (c->pair >> 32 < f->first_left || c->pair >> 32 >= f->end_left)
                continue;
            if (dpl__shared_cap_keeps(&f->cap, c))
                e->candidates[n_kept++] = *c;
            else
                f->summary->n_capped++;
        }
        e->n = n_kept;
    } while (!e->n);
    return DPL_OK;
}

dpl_status dpl__ngram_score_pair(const dpl__ngram_finder *f, dpl__find_scratch *x,
                                 dpl__ngram_pair *pair, dpl_error *err)
{
    if (pair->left != x->left) {
        DPL_TRY(dpl__forward_row(&f->forward, pair->left, &x->rows[0], &x->copies[0], err));
        dpl__ngram_places_of(&x->places, &x->rows[0]);
        x->left = pair->left;
    }
    DPL_TRY(dpl__forward_row(&f->forward, pair->right, &x->rows[1], &x->copies[1], err));
    const double norms[2] = {f->forward.norms[pair->left], f->forward.norms[pair->right]};
    const dpl__ngram_scorer scorer = {f->ctx, f->forward.idf_of, f->threshold, &x->places};
    return dpl__ngram_score_rows(pair, &x->shared, &scorer, x->rows, norms, err);
}

bool dpl__ngram_passes(const dpl__ngram_finder *f, const dpl__ngram_pair *pair,
                       dpl_ngram_summary *counts)
{
    const bool is_below = !dpl__is_pair(pair->score, f->threshold),
               is_disordered = !is_below && (double)pair->disorder > f->s->max_disorder;
    counts->n_below += is_below;
    counts->n_disordered += is_disordered;
    counts->n_scored += !is_below && !is_disordered;
    return !is_below && !is_disordered;
}

static dpl_status score_candidates(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    dpl__ngram_finder *f = user;
    dpl__score_slot *e = &f->score[slot];
    dpl__find_scratch *x = &f->scratch[worker];
    x->left = UINT32_MAX;
    e->found.n = 0;
    assert(f->first_right < f->groups.n_docs || !e->n);
    e->counts = (dpl_ngram_summary){0};
    for (size_t i = 0; i < e->n; i++) {
        dpl__ngram_pair pair = {.left = (uint32_t)(e->candidates[i].pair >> 32),
                                .right = (uint32_t)e->candidates[i].pair};
        if (i + 1 < e->n)
            dpl__forward_fetch(&f->forward, (uint32_t)e->candidates[i + 1].pair);
        DPL_TRY(dpl__ngram_score_pair(f, x, &pair, err));
        const dpl_pair scored = {pair.left, pair.right - f->first_right, pair.score};
        if (dpl__ngram_passes(f, &pair, &e->counts) &&
            !dpl__vec_push(f->ctx, &e->found, scored))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

static dpl_status add_scored(void *user, size_t slot, dpl_error *err)
{
    dpl__ngram_finder *f = user;
    const dpl__score_slot *e = &f->score[slot];
    dpl_ngram_summary *sum = f->summary;
    sum->n_candidates += e->n;
    sum->n_below += e->counts.n_below;
    sum->n_disordered += e->counts.n_disordered;
    sum->n_scored += e->counts.n_scored;
    DPL_TRY(f->pairs.take(f->pairs.user, e->found.data, e->found.n, err));
    return dpl__progress(
        f->ctx, &(dpl_progress){.stage = "score", .unit = "pairs", .done = sum->n_candidates},
        err);
}

static dpl_status score_all(dpl__ngram_finder *f, dpl_error *err)
{
    f->score = dpl__calloc(f->ctx, f->n_slots, sizeof *f->score);
    DPL_TRY(dpl__need(f->score, err));
    dpl__pipeline p = {.user = f,
                       .n_slots = f->n_slots,
                       .produce = take_candidates,
                       .map = score_candidates,
                       .commit = add_scored};
    DPL_TRY(dpl__pipeline_run(f->ctx, &p, err));
    dpl__forward_clear(&f->forward);
    return DPL_OK;
}

/* ---- the whole ------------------------------------------------------------------------ */

dpl_status dpl__ngram_begin(dpl__ngram_finder *f, dpl_error *err)
{
    f->n_slots = (size_t)dpl_ctx_threads(f->ctx) * SLOTS;
    f->words_of = dpl__calloc(f->ctx, f->n_sides, sizeof *f->words_of);
    f->scratch = dpl__calloc(f->ctx, dpl_ctx_threads(f->ctx), sizeof *f->scratch);
    f->translated_of = dpl__calloc(f->ctx, f->n_sides, sizeof *f->translated_of);
    DPL_TRY(dpl__need(f->words_of && f->translated_of && f->scratch, err));
    for (size_t i = 0; i < f->n_sides; i++) {
        DPL_TRY(make_words(f, i, err));
        DPL_TRY(make_translated(f, i, err));
    }
    return DPL_OK;
}

static void end_words(dpl__ngram_finder *f)
{
    for (size_t i = 0; f->words_of && f->translated_of && i < f->n_sides; i++)
        dpl__free(f->ctx, f->words_of[i], f->translated_of[i]);
    dpl__free(f->ctx, f->words_of, f->translated_of);
    f->words_of = f->translated_of = NULL;
}

void dpl__ngram_free(dpl__ngram_finder *f)
{
    if (!f)
        return;
    dpl_ctx *ctx = f->ctx;
    for (size_t i = 0; f->score && i < f->n_slots; i++)
        dpl__vec_clear(ctx, &f->score[i].found);
    dpl__free(ctx, f->score);
    dpl__forward_clear(&f->forward);
    dpl__shared_cap_clear(&f->cap, ctx);
    dpl__shared_pairs_free(f->candidates);
    end_extract(f);
    dpl__shuffle_free(f->scoring);
    dpl__shuffle_free(f->matching);
    dpl__vec_clear(ctx, &f->room);
    for (size_t i = 0; f->scratch && i < dpl_ctx_threads(ctx); i++) {
        dpl__find_scratch *x = &f->scratch[i];
        x->extractor.ctx = ctx;
        dpl__extractor_clear(&x->extractor);
        dpl__vec_clear(ctx, &x->words, &x->shared, &x->copies[0], &x->copies[1]);
    }
    dpl__free(ctx, f->scratch, f->group_of);
    end_words(f);
    dpl__free(ctx, f);
}

dpl_status dpl__ngram_search(dpl__ngram_finder *f, dpl_error *err)
{
    dpl_ngram_summary *sum = f->summary;
    const double start = dpl__now();
    f->extract = dpl__calloc(f->ctx, f->n_slots, sizeof *f->extract);
    DPL_TRY(dpl__need(f->extract, err));
    DPL_TRY(extract(f, &f->matching, err));
    const double extracted = dpl__now();
    DPL_TRY(match(f, err));
    const double matched = dpl__now();
    DPL_TRY(extract(f, &f->scoring, err));
    end_extract(f);
    end_words(f);
    const double extracted_all = dpl__now();
    dpl__forward_plan plan = {f->spill, f->groups.n_docs, f->share, f->room};
    f->room = (dpl__bytes){0};
    DPL_TRY(dpl__forward_build(&f->forward, sum, &plan, f->scoring, f->s, err));
    dpl__shuffle_free(f->scoring);
    f->scoring = NULL;
    if (f->check)
        DPL_TRY(dpl__ngram_true_pairs(f->check, f, err));
    const double indexed = dpl__now();
    DPL_TRY(score_all(f, err));
    sum->extract_seconds = extracted - start + extracted_all - matched;
    sum->match_seconds = matched - extracted + indexed - extracted_all;
    sum->score_seconds = dpl__now() - indexed;
    return DPL_OK;
}

dpl_status dpl__ngram_new(dpl__ngram_finder **out, dpl_ctx *ctx, dpl_ngram_summary *summary,
                          dpl__spill *spill, dpl_error *err)
{
    dpl__ngram_finder *f = *out = dpl__calloc(ctx, 1, sizeof *f);
    DPL_TRY(dpl__need(f, err));
    f->ctx = ctx;
    f->s = &f->settings;
    f->summary = summary;
    f->spill = spill;
    f->share = (size_t)(dpl_ctx_memory(ctx) / 4);
    return DPL_OK;
}
