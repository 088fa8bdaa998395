/*
 * align.c - document pairs become beads with verdicts.
 *
 * First the bridge between the two vocabularies; then rounds over a sample of the pairs, which
 * teach lengths, kinds of beads and words; then all pairs, in batches, on all threads, handed
 * out in order. Every pair is aligned by one thread with the same frozen model, and what is
 * learnt is added up in the order of the pairs: the result depends on nothing else.
 */
#include "doppel/sentences.h"

#include "base/ctx.h"
#include "par/pool.h"
#include "sentences/aligned.h"
#include "sentences/bead_score.h"
#include "sentences/filter.h"
#include "sentences/learn_links.h"
#include "sentences/logarithm.h"
#include "sentences/priors.h"
#include "text/unicode.h"

enum {
    BATCH = 400,          /* units of a batch, at least */
    SAMPLE = 6000,        /* units to learn from ... */
    SAMPLE_ALONE = 12000, /* ... when there is no lexicon */
    MIN_SAMPLED = 8,      /* pairs to take them from, if there are so many */
    ROUNDS = 2,           /* over the sample */
    MIN_HALVED = 2000,    /* units of a sample of which the first round takes half */
    SLOTS_PER_THREAD = 4,
};

#define MARGIN 3.0

/* One document cut into units. */
typedef struct units {
    DPL_VEC(uint32_t) first; /* sentence of each unit; one more than units */
    DPL_VEC(uint32_t) begin; /* token */
    DPL_VEC(uint32_t) chars;
    dpl__bead_doc doc;
} units;

typedef struct worker {
    dpl__bead_aligner *aligner;
    units sides[2];
} worker;

/* How much of the batch's arrays is of one pair. */
typedef struct part {
    size_t n_beads, n_units[2];
} part;

typedef struct batch {
    size_t first, n; /* pairs */
    DPL_VEC(dpl_bead) beads;
    DPL_VEC(uint32_t) units[2];
    DPL_VEC(part) parts;
} batch;

typedef struct aligner {
    dpl_ctx *ctx;
    const dpl_collection *c[2];
    const dpl_doc_pair *pairs;
    size_t n_pairs, next;
    dpl_sentences_options options;
    dpl__bead_options bead_options;
    dpl__term_links links;
    dpl__bead_model model;
    dpl__filter filter;
    worker *workers;
    unsigned n_workers;
    batch *batches;
    size_t n_batches;
    DPL_VEC(size_t) sample; /* pairs */
    size_t sample_units;    /* about so many are wanted ... */
    size_t share;           /* ... and of one pair at the most ... */
    uint64_t n_sampled;     /* ... and so many there are */
    dpl_aligned_docs_fn *take;
    void *user;
    dpl_sentences_summary *summary;
} aligner;

/* ---- units -------------------------------------------------------------------------- */

dpl_str dpl_sentences_text(const dpl_collection *c, uint32_t doc, uint32_t first, uint32_t n)
{
    if (!n)
        return (dpl_str){0};
    dpl_str begin = dpl_collection_sentence_text(c, doc, first);
    dpl_str end = dpl_collection_sentence_text(c, doc, (size_t)first + n - 1);
    return (dpl_str){begin.data, (size_t)(end.data + end.n - begin.data)};
}

static void units_clear(units *u, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &u->first);
    dpl__vec_clear(ctx, &u->begin);
    dpl__vec_clear(ctx, &u->chars);
}

static dpl_status units_load(units *u, const aligner *a, int side, uint32_t doc, dpl_error *err)
{
    const dpl_collection *c = a->c[side];
    size_t n = dpl_collection_n_sentences(c, doc), n_tokens;
    const uint32_t *tokens = dpl_collection_tokens(c, doc, &n_tokens);
    u->first.n = u->begin.n = u->chars.n = 0;
    if (!dpl__vec_reserve(a->ctx, &u->first, n + 1) ||
        !dpl__vec_reserve(a->ctx, &u->begin, n + 1) ||
        !dpl__vec_reserve(a->ctx, &u->chars, n + 1))
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        dpl_sentence s = dpl_collection_sentence(c, doc, i);
        uint32_t chars = (uint32_t)dpl__utf8_length(dpl_collection_sentence_text(c, doc, i));
        if (a->options.is_one_per_line && i > 0 && !s.is_paragraph_start) {
            u->chars.data[u->chars.n - 1] += chars + 1;
            continue;
        }
        u->first.data[u->first.n++] = (uint32_t)i;
        u->begin.data[u->begin.n++] = s.token;
        u->chars.data[u->chars.n++] = chars;
    }
    u->first.data[u->first.n] = (uint32_t)n;
    u->begin.data[u->begin.n] = (uint32_t)n_tokens;
    u->doc = (dpl__bead_doc){tokens, u->begin.data, u->chars.data, (uint32_t)u->chars.n};
    return DPL_OK;
}

static dpl_status load_pair(const aligner *a, worker *w, size_t pair, dpl__bead_doc docs[2],
                            dpl_error *err)
{
    DPL_TRY(units_load(&w->sides[0], a, DPL__LEFT, a->pairs[pair].left, err));
    DPL_TRY(units_load(&w->sides[1], a, DPL__RIGHT, a->pairs[pair].right, err));
    docs[0] = w->sides[0].doc;
    docs[1] = w->sides[1].doc;
    return DPL_OK;
}

/* ---- workers ------------------------------------------------------------------------ */

static void free_aligners(aligner *a)
{
    for (unsigned i = 0; i < a->n_workers && a->workers; i++) {
        dpl__bead_aligner_free(a->workers[i].aligner);
        a->workers[i].aligner = NULL;
    }
}

/* New ones, because the model has changed. */
static dpl_status make_aligners(aligner *a, dpl_error *err)
{
    free_aligners(a);
    for (unsigned i = 0; i < a->n_workers; i++)
        DPL_TRY(dpl__bead_aligner_new(&a->workers[i].aligner, a->ctx, &a->model, err));
    return DPL_OK;
}

static dpl_status start_workers(aligner *a, dpl_error *err)
{
    a->n_workers = dpl_ctx_threads(a->ctx);
    a->n_batches = (size_t)a->n_workers * SLOTS_PER_THREAD;
    uint64_t scratch =
        (uint64_t)a->n_workers * 4 * ((uint64_t)a->model.terms[0].n + a->model.terms[1].n);
    if (scratch > a->ctx->memory / 2)
        return dpl__fail(err, DPL_E_LIMIT,
                         "the vocabularies take %llu MiB of memory for %u threads",
                         (unsigned long long)(scratch >> 20), a->n_workers);
    a->bead_options.memory = a->ctx->memory / 2 / a->n_workers;
    a->workers = dpl__calloc(a->ctx, a->n_workers, sizeof *a->workers);
    a->batches = dpl__calloc(a->ctx, a->n_batches, sizeof *a->batches);
    return a->workers && a->batches ? DPL_OK : dpl__fail_nomem(err);
}

static void stop_workers(aligner *a)
{
    free_aligners(a);
    for (unsigned i = 0; i < a->n_workers && a->workers; i++)
        for (int side = 0; side < 2; side++)
            units_clear(&a->workers[i].sides[side], a->ctx);
    for (size_t i = 0; i < a->n_batches && a->batches; i++) {
        batch *b = &a->batches[i];
        dpl__vec_clear(a->ctx, &b->beads);
        dpl__vec_clear(a->ctx, &b->units[0]);
        dpl__vec_clear(a->ctx, &b->units[1]);
        dpl__vec_clear(a->ctx, &b->parts);
    }
    dpl__free(a->ctx, a->batches, a->n_batches * sizeof *a->batches);
    dpl__free(a->ctx, a->workers, a->n_workers * sizeof *a->workers);
}

/* ---- learning ----------------------------------------------------------------------- */

typedef struct sampled {
    DPL_VEC(dpl_bead) beads;
} sampled;

typedef struct round {
    aligner *a;
    sampled *all;
    size_t n, step; /* every step-th pair of the sample, n in all */
    size_t share;   /* units of one pair, at the most */
} round;

static size_t n_units(const aligner *a, size_t pair)
{
    return dpl_collection_n_sentences(a->c[0], a->pairs[pair].left);
}

/* Pairs at equal distances, until there are enough units; of a long one no more than its share.
 */
static dpl_status choose_sample(aligner *a, dpl_error *err)
{
    uint64_t all = 0;
    a->share = a->sample_units / dpl__min(a->n_pairs + 1, MIN_SAMPLED) + 1;
    for (size_t i = 0; i < a->n_pairs; i++)
        all += dpl__min(n_units(a, i), a->share);
    size_t step = (size_t)(all / a->sample_units) + 1;
    for (size_t i = 0; i < a->n_pairs && a->n_sampled <= 2 * a->sample_units; i += step) {
        a->n_sampled += dpl__min(n_units(a, i), a->share);
        if (!dpl__vec_push(a->ctx, &a->sample, i))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

/* sample: see dpl__bead_options. */
static dpl_status align_docs(const aligner *a, worker *w, const dpl__bead_doc docs[2],
                             size_t sample, dpl_error *err)
{
    if (a->options.is_unordered)
        return dpl__bead_aligner_match(w->aligner, docs, a->options.margin, err);
    dpl__bead_options o = a->bead_options;
    o.sample = sample;
    return dpl__bead_aligner_align(w->aligner, docs, &o, err);
}

static dpl_status align_sampled(void *user, size_t i, unsigned worker_number, dpl_error *err)
{
    round *r = user;
    worker *w = &r->a->workers[worker_number];
    dpl__bead_doc docs[2];
    size_t n;
    i *= r->step;
    DPL_TRY(load_pair(r->a, w, r->a->sample.data[i], docs, err));
    DPL_TRY(align_docs(r->a, w, docs, r->share, err));
    const dpl_bead *beads = dpl__bead_aligner_beads(w->aligner, &n);
    r->all[i].beads.n = 0;
    return dpl__vec_append(r->a->ctx, &r->all[i].beads, beads, n) ? DPL_OK
                                                                  : dpl__fail_nomem(err);
}

/* What the sample's beads say, in the order of the pairs. Of very long documents, which are in
 * the sample as a whole, words are learnt from some of the beads. */
static dpl_status learn(aligner *a, const sampled *all, dpl_error *err)
{
    bool has_words = !a->options.has_no_learning;
    dpl__prior_counts sums = {0};
    dpl__bead_rows rows = {0};
    dpl_status status = DPL_OK;
    size_t n_beads = 0;
    for (size_t i = 0; i < a->sample.n; i++)
        n_beads += all[i].beads.n;
    rows.step = n_beads / (2 * a->sample_units) + 1;
    for (size_t i = 0; i < a->sample.n && status == DPL_OK; i++) {
        dpl__prior_counts one = {0};
        dpl__bead_doc docs[2];
        status = load_pair(a, &a->workers[0], a->sample.data[i], docs, err);
        if (status != DPL_OK)
            break;
        dpl__prior_counts_add(&one, &a->model.priors, docs, all[i].beads.data, all[i].beads.n);
        dpl__prior_counts_merge(&sums, &one);
        if (has_words)
            status =
                dpl__bead_rows_add(&rows, a->ctx, docs, all[i].beads.data, all[i].beads.n, err);
    }
    if (status == DPL_OK && has_words)
        status = dpl__term_links_learn(&a->links, &rows, err);
    if (status == DPL_OK) {
        dpl__bead_priors priors = a->model.priors;
        dpl__bead_priors_estimate(&priors, &sums);
        a->model = dpl__term_links_model(&a->links);
        a->model.priors = priors;
    }
    dpl__bead_rows_clear(&rows, a->ctx);
    return status;
}

static dpl_status run_rounds(aligner *a, sampled *all, dpl_error *err)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        /* The first round, which knows least, takes half of everything, if there is enough. */
        bool is_half = i + 1 < ROUNDS && a->n_sampled >= MIN_HALVED;
        size_t step = is_half && a->sample.n >= 4 * MIN_SAMPLED ? 2 : 1;
        round r = {a, all, (a->sample.n + step - 1) / step, step,
                   is_half ? a->share / 2 + 1 : a->share};
        dpl_progress progress = {"learn", "rounds", i, ROUNDS};
        DPL_TRY(dpl__progress(a->ctx, &progress, err));
        DPL_TRY(make_aligners(a, err));
        DPL_TRY(dpl__parallel_for(a->ctx, r.n, &r, align_sampled, err));
        DPL_TRY(learn(a, all, err));
    }
    return make_aligners(a, err);
}

static dpl_status learn_from_sample(aligner *a, dpl_error *err)
{
    DPL_TRY(choose_sample(a, err));
    size_t n = a->sample.n + 1;
    sampled *all = dpl__calloc(a->ctx, n, sizeof *all);
    if (!all)
        return dpl__fail_nomem(err);
    dpl_status status = run_rounds(a, all, err);
    for (size_t i = 0; i < n; i++)
        dpl__vec_clear(a->ctx, &all[i].beads);
    dpl__free(a->ctx, all, n * sizeof *all);
    return status;
}

/* ---- all pairs ---------------------------------------------------------------------- */

static dpl_status produce(void *user, size_t slot, dpl_error *err)
{
    (void)err;
    aligner *a = user;
    batch *b = &a->batches[slot];
    size_t sum = 0;
    b->first = a->next;
    while (a->next < a->n_pairs && sum < BATCH)
        sum += n_units(a, a->next++);
    b->n = a->next - b->first;
    return b->n ? DPL_OK : DPL_END;
}

static dpl__filter_side side_of(const aligner *a, const units *u, int side, uint32_t doc,
                                uint32_t first, uint32_t n)
{
    dpl__filter_side s = {.collection = a->c[side],
                          .lang = dpl_collection_doc(a->c[side], doc).lang,
                          .tokens = u->doc.tokens + u->doc.begin[first],
                          .n_tokens = u->doc.begin[first + n] - u->doc.begin[first]};
    uint32_t sentence = u->first.data[first];
    s.text = dpl_sentences_text(a->c[side], doc, sentence, u->first.data[first + n] - sentence);
    for (uint32_t i = first; i < first + n; i++)
        s.chars += u->doc.chars[i];
    return s;
}

static dpl_status judge(const aligner *a, worker *w, dpl_doc_pair pair, dpl_bead *bead,
                        dpl_error *err)
{
    dpl__bead_score score;
    bead->verdict = DPL_VERDICT_ALONE;
    if (!bead->n_left || !bead->n_right)
        return DPL_OK;
    if (a->filter.is_off) {
        bead->verdict = DPL_VERDICT_KEPT;
        return dpl__bead_aligner_score(w->aligner, bead, NULL, &bead->score, err);
    }
    DPL_TRY(dpl__bead_aligner_score(w->aligner, bead, &score, &bead->score, err));
    dpl__filter_side sides[2] = {
        side_of(a, &w->sides[0], DPL__LEFT, pair.left, bead->left, bead->n_left),
        side_of(a, &w->sides[1], DPL__RIGHT, pair.right, bead->right, bead->n_right)};
    bead->verdict = dpl__filter_verdict(&a->filter, sides, &score);
    return DPL_OK;
}

static dpl_status align_pair(const aligner *a, worker *w, size_t pair, batch *b, dpl_error *err)
{
    dpl__bead_doc docs[2];
    size_t n;
    DPL_TRY(load_pair(a, w, pair, docs, err));
    DPL_TRY(align_docs(a, w, docs, 0, err));
    dpl_bead *beads = dpl__bead_aligner_beads(w->aligner, &n);
    for (size_t i = 0; i < n; i++)
        DPL_TRY(judge(a, w, a->pairs[pair], &beads[i], err));
    part p = {n, {docs[0].n, docs[1].n}};
    if (!dpl__vec_append(a->ctx, &b->beads, beads, n) || !dpl__vec_push(a->ctx, &b->parts, p))
        return dpl__fail_nomem(err);
    for (int side = 0; side < 2; side++)
        if (!dpl__vec_append(a->ctx, &b->units[side], w->sides[side].first.data,
                             (size_t)docs[side].n + 1))
            return dpl__fail_nomem(err);
    return DPL_OK;
}

static dpl_status map(void *user, size_t slot, unsigned worker_number, dpl_error *err)
{
    aligner *a = user;
    batch *b = &a->batches[slot];
    b->beads.n = b->units[0].n = b->units[1].n = b->parts.n = 0;
    for (size_t i = 0; i < b->n; i++)
        DPL_TRY(align_pair(a, &a->workers[worker_number], b->first + i, b, err));
    return DPL_OK;
}

static dpl_status commit(void *user, size_t slot, dpl_error *err)
{
    aligner *a = user;
    batch *b = &a->batches[slot];
    const dpl_bead *beads = b->beads.data;
    const uint32_t *firsts[2] = {b->units[0].data, b->units[1].data};
    for (size_t i = 0; i < b->n; i++) {
        const part *p = &b->parts.data[i];
        dpl_aligned_docs docs = {b->first + i,
                                 a->pairs[b->first + i],
                                 {firsts[0], firsts[1]},
                                 {(uint32_t)p->n_units[0], (uint32_t)p->n_units[1]},
                                 beads,
                                 p->n_beads};
        dpl__sentences_count(a->summary, &docs);
        DPL_TRY(a->take(a->user, &docs, err));
        beads += p->n_beads;
        firsts[0] += p->n_units[0] + 1;
        firsts[1] += p->n_units[1] + 1;
    }
    dpl_progress progress = {"align", "documents", b->first + b->n, a->n_pairs};
    return dpl__progress(a->ctx, &progress, err);
}

/* ---- the whole ---------------------------------------------------------------------- */

static dpl_status check(const aligner *a, dpl_error *err)
{
    const dpl_sentences_options *o = &a->options;
    if (o->max_side > DPL__MAX_SIDE)
        return dpl__fail(err, DPL_E_USAGE, "a bead has at most %d sentences on a side",
                         DPL__MAX_SIDE);
    for (size_t i = 0; i < a->n_pairs; i++)
        if (a->pairs[i].left >= dpl_collection_get_sizes(a->c[0])->n_docs ||
            a->pairs[i].right >= dpl_collection_get_sizes(a->c[1])->n_docs)
            return dpl__fail(err, DPL_E_USAGE, "pair %zu has a document that is not there", i);
    return DPL_OK;
}

static dpl_status run(aligner *a, const dpl_lexicon *lexicon, dpl_error *err)
{
    double start = dpl__now();
    a->sample_units = a->options.sample ? a->options.sample : lexicon ? SAMPLE : SAMPLE_ALONE;
    DPL_TRY(check(a, err));
    DPL_TRY(dpl__term_links_make(&a->links, a->ctx, a->c[0], a->c[1], lexicon, err));
    a->model = dpl__term_links_model(&a->links);
    a->summary->n_links = a->links.n_links;
    DPL_TRY(start_workers(a, err));
    DPL_TRY(learn_from_sample(a, err));
    a->summary->n_learnt = a->links.n_links;
    a->summary->learn_seconds = dpl__now() - start;
    a->summary->length_ratio = 1 / dpl__sigmoid(-a->model.priors.log_ratio) - 1; /* exp */
    dpl__filter_init(&a->filter, &a->options, a->model.priors.log_ratio);
    dpl__pipeline pipeline = {a, a->n_batches, produce, map, commit};
    DPL_TRY(dpl__pipeline_run(a->ctx, &pipeline, err));
    a->summary->seconds = dpl__now() - start;
    return DPL_OK;
}

dpl_status dpl_sentences_align(dpl_sentences_summary *summary, dpl_ctx *ctx,
                               const dpl_collection *left, const dpl_collection *right,
                               const dpl_doc_pair *pairs, size_t n_pairs,
                               const dpl_lexicon *lexicon, const dpl_sentences_options *options,
                               dpl_aligned_docs_fn *take, void *user, dpl_error *err)
{
    dpl_sentences_summary unwanted, *s = summary ? summary : &unwanted;
    *s = (dpl_sentences_summary){0};
    aligner a = {.ctx = ctx,
                 .c = {left, right},
                 .pairs = pairs,
                 .n_pairs = n_pairs,
                 .take = take,
                 .user = user,
                 .summary = s};
    if (options)
        a.options = *options;
    if (a.options.margin == 0)
        a.options.margin = MARGIN;
    a.bead_options.max_side = a.options.max_side;
    dpl_status status = run(&a, lexicon, err);
    stop_workers(&a);
    dpl__vec_clear(ctx, &a.sample);
    dpl__term_links_clear(&a.links);
    return status;
}
