/*
 * align.c - document pairs become beads with verdicts.
 *
 * First the links between the two vocabularies; then two rounds over a sample of the pairs,
 * from which lengths, bead types and words are estimated (align_learn.c); then all pairs, in
 * batches, on all threads, handed out in order. Every pair is aligned by one thread with the
 * same frozen model: the result depends on nothing else.
 */
#include "sentences/align.h"
#include "sentences/shared_model.h"

#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/options.h"
#include "base/sized.h"
#include "io/parts.h"
#include "io/shared_run.h"
#include "lexicon/lexicon.h"
#include "par/pool.h"
#include "sentences/bead_repeats.h"
#include "sentences/sentences_params.h"
#include "sentences/sigmoid.h"
#include "tokens/collection.h"

enum {
    BATCH = 100,           /* units of a batch, at least */
    SLOTS_PER_THREAD = 32, /* batches that go on while one long pair is aligned */
};

/* ---- one document pair -------------------------------------------------------------- */

size_t dpl__align_n_units(const dpl_sentences *s, dpl_doc_pair pair)
{
    size_t n[2] = {dpl_collection_n_sentences(s->c[0], pair.left),
                   dpl_collection_n_sentences(s->c[1], pair.right)};
    return dpl__max(n[0], n[1]);
}

dpl_status dpl__align_load(const dpl_sentences *s, dpl__align_worker *w, dpl_doc_pair pair,
                           dpl__bead_doc docs[2], dpl_error *err)
{
    const uint32_t numbers[2] = {pair.left, pair.right};
    for (int side = 0; side < 2; side++)
        DPL_TRY(dpl__line_labels_find(&w->sides[side].labels, s->ctx, s->c[side], numbers[side],
                                      err));
    if (dpl__line_labels_agree(&w->sides[0].labels, &w->sides[1].labels))
        w->sides[0].labels.all.n = w->sides[1].labels.all.n = 0;
    for (int side = 0; side < 2; side++) {
        DPL_TRY(dpl__units_load(&w->sides[side], s->ctx, s->c[side], numbers[side],
                                s->options.one_per_line, err));
        docs[side] = w->sides[side].doc;
    }
    return DPL_OK;
}

dpl_status dpl__align_docs(const dpl_sentences *s, dpl__align_worker *w,
                           const dpl__bead_doc docs[2], size_t sample, dpl_error *err)
{
    if (s->options.unordered)
        return dpl__bead_aligner_match(w->aligner, docs, s->options.lead, err);
    dpl__bead_options o = s->bead_options;
    o.sample = sample;
    return dpl__bead_aligner_align(w->aligner, docs, &o, err);
}

/* Units [first, first + n) of a document as the filter sees them. */
static dpl__filter_side filter_side(const dpl_sentences *s, const dpl__align_worker *w,
                                    dpl_doc_pair pair, const dpl_bead *bead, int side)
{
    const dpl__units *u = &w->sides[side];
    uint32_t doc = side ? pair.right : pair.left, first = side ? bead->right : bead->left,
             n = side ? bead->n_right : bead->n_left, sentence = u->first.data[first];
    dpl__filter_side out = {.collection = s->c[side],
                            .lang = dpl_collection_doc(s->c[side], doc).lang,
                            .tokens = u->doc.tokens + u->doc.begin[first],
                            .n_tokens = u->doc.begin[first + n] - u->doc.begin[first]};
    out.text =
        dpl_sentences_text(s->c[side], doc, sentence, u->first.data[first + n] - sentence);
    for (uint32_t i = first; i < first + n; i++)
        out.chars += u->doc.chars[i];
    return out;
}

/* Evidence and verdict. */
static dpl_status filter_bead(const dpl_sentences *s, dpl__align_worker *w, dpl_doc_pair pair,
                              dpl_bead *bead, dpl__bead_score *score, dpl_error *err)
{
    *score = (dpl__bead_score){0};
    bead->verdict = DPL_VERDICT_ALONE;
    if (!bead->n_left || !bead->n_right)
        return DPL_OK;
    DPL_TRY(dpl__bead_aligner_score(w->aligner, bead, score, err));
    bead->verdict = DPL_VERDICT_KEPT;
    if (s->filter.is_off)
        return DPL_OK;
    dpl__filter_side sides[2] = {filter_side(s, w, pair, bead, DPL__LEFT),
                                 filter_side(s, w, pair, bead, DPL__RIGHT)};
    bead->verdict = dpl__filter_verdict(&s->filter, sides, score);
    return DPL_OK;
}

static dpl_status align_pair(const dpl_sentences *s, dpl__align_worker *w, dpl_doc_pair pair,
                             dpl__align_batch *b, dpl_error *err)
{
    dpl__bead_doc docs[2];
    size_t n;
    DPL_TRY(dpl__align_load(s, w, pair, docs, err));
    DPL_TRY(dpl__align_docs(s, w, docs, 0, err));
    dpl_bead *beads = dpl__bead_aligner_beads(w->aligner, &n);
    w->scores.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(s->ctx, &w->scores, n), err));
    for (size_t i = 0; i < n; i++)
        DPL_TRY(filter_bead(s, w, pair, &beads[i], &w->scores.data[i], err));
    dpl__bead_rating_apply(&s->rating, beads, w->scores.data, n);
    for (size_t i = 0; i < n && !s->filter.is_off; i++)
        if (beads[i].verdict == DPL_VERDICT_KEPT &&
            (double)beads[i].score < s->options.threshold)
            beads[i].verdict = DPL_VERDICT_SCORE;
    dpl__align_part p = {n, {docs[0].n, docs[1].n}};
    DPL_TRY(dpl__need(dpl__vec_append(s->ctx, &b->beads, beads, n) &&
                          dpl__vec_push(s->ctx, &b->parts, p),
                      err));
    for (int side = 0; side < 2; side++)
        DPL_TRY(dpl__need(dpl__vec_append(s->ctx, &b->units[side], w->sides[side].first.data,
                                          (size_t)docs[side].n + 1),
                          err));
    return DPL_OK;
}

/* ---- batches ------------------------------------------------------------------------ */

/* The next pairs, until there are enough units. */
static dpl_status fill_batch(void *user, size_t slot, dpl_error *err)
{
    (void)err;
    dpl_sentences *s = user;
    dpl__align_batch *b = &s->batches[slot];
    size_t sum = 0;
    b->first = s->next;
    while (s->next < s->end && sum < BATCH)
        sum += dpl__align_n_units(s, s->pairs[s->next++]);
    b->n = s->next - b->first;
    return b->n ? DPL_OK : DPL_END;
}

static dpl_status align_batch(void *user, size_t slot, unsigned worker_number, dpl_error *err)
{
    dpl_sentences *s = user;
    dpl__align_batch *b = &s->batches[slot];
    b->beads.n = b->units[0].n = b->units[1].n = b->parts.n = 0;
    for (size_t i = 0; i < b->n; i++)
        DPL_TRY(align_pair(s, &s->workers[worker_number], s->pairs[b->first + i], b, err));
    return DPL_OK;
}

static dpl__align_cursor cursor_at(const dpl__align_batch *b)
{
    return (dpl__align_cursor){b, 0, b->beads.data, {b->units[0].data, b->units[1].data}};
}

/* The next pair of the cursor's batch, which has one. */
static dpl_aligned_docs take_pair(dpl_sentences *s, dpl__align_cursor *c)
{
    const dpl__align_part *p = &c->batch->parts.data[c->part];
    size_t pair = c->batch->first + c->part++;
    dpl_aligned_docs docs = {pair,
                             s->pairs[pair],
                             {c->units[0], c->units[1]},
                             {(uint32_t)p->n_units[0], (uint32_t)p->n_units[1]},
                             c->beads,
                             p->n_beads};
    if (p->n_beads) /* else there may be no array */
        c->beads += p->n_beads;
    c->units[0] += p->n_units[0] + 1;
    c->units[1] += p->n_units[1] + 1;
    dpl__sentences_count(&s->summary, &docs);
    return docs;
}

static dpl_status report(const dpl_sentences *s, const dpl__align_batch *b, dpl_error *err)
{
    dpl_progress progress = {"align", "documents", b->first + b->n, s->n_pairs};
    return dpl__progress(s->ctx, &progress, err);
}

static dpl_status hand_out_batch(void *user, size_t slot, dpl_error *err)
{
    dpl_sentences *s = user;
    dpl__align_batch *b = &s->batches[slot];
    dpl__align_cursor cursor = cursor_at(b);
    while (cursor.part < b->n) {
        dpl_aligned_docs docs = take_pair(s, &cursor);
        DPL_TRY(s->take(s->user, &docs, err));
    }
    return report(s, b, err);
}

/* Aligns the batches that dpl_sentences_next hands out from now on. */
static dpl_status align_ahead(dpl_sentences *s, dpl_error *err)
{
    s->n_ready = s->n_taken = 0;
    while (s->n_ready < s->n_batches && fill_batch(s, s->n_ready, err) == DPL_OK)
        s->n_ready++;
    if (!s->n_ready)
        return DPL_END;
    dpl_status status = dpl__parallel_for(s->ctx, s->n_ready, s, align_batch, err);
    if (status == DPL_OK)
        status = report(s, &s->batches[s->n_ready - 1], err);
    if (status != DPL_OK)
        s->n_ready = 0; /* what was not aligned is never handed out */
    return status;
}

/* ---- equal sentence pairs ------------------------------------------------------------- */

static bool drops_repeats(const dpl_sentences *s)
{
    return s->options.unique || s->options.drop_frequent;
}

/* Aligns pairs [first, end), in order. */
static dpl_status align_range(dpl_sentences *s, size_t first, size_t end, dpl_error *err)
{
    const dpl__pipeline pipeline = {s, s->n_batches, fill_batch, align_batch, hand_out_batch};
    s->next = first;
    s->end = end;
    return dpl__pipeline_run(s->ctx, &pipeline, err);
}

/* ---- shared with other processes ------------------------------------------------------ */

enum { SHARED = 64 }; /* ranges of pairs, at most */

typedef struct sharing {
    dpl_sentences *s;
    dpl_aligned_docs_fn *take; /* of the caller */
    void *user;
    dpl__bytes *out; /* of the range that is being made */
    DPL_VEC(uint32_t) units[2];
    DPL_VEC(dpl_bead) beads;
    size_t n; /* ranges */
} sharing;

static size_t range_begin(const sharing *x, size_t range)
{
    return range * x->s->n_pairs / x->n;
}

/* What one pair has, in bytes; take_range reads it. */
static dpl_status put_pair(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    sharing *x = user;
    dpl_ctx *ctx = x->s->ctx;
    const uint64_t counts[3] = {docs->n_beads, docs->n_units[0], docs->n_units[1]};
    bool has_room = dpl__vec_append(ctx, x->out, (const char *)counts, sizeof counts) &&
                    dpl__vec_append(ctx, x->out, (const char *)docs->beads,
                                    docs->n_beads * sizeof *docs->beads);
    for (int side = 0; side < 2; side++)
        has_room = has_room && dpl__vec_append(ctx, x->out, (const char *)docs->units[side],
                                               ((size_t)docs->n_units[side] + 1) *
                                                   sizeof *docs->units[side]);
    return dpl__need(has_room, err);
}

static dpl_status make_range(dpl__bytes *out, void *user, size_t range, dpl_error *err)
{
    sharing *x = user;
    const dpl_sentences_summary before = x->s->summary; /* counted when they are taken */
    x->out = out;
    x->s->take = put_pair;
    x->s->user = x;
    dpl_status status =
        align_range(x->s, range_begin(x, range), range_begin(x, range + 1), err);
    x->s->summary = before;
    return status;
}

/* Copies n bytes of the rest into an array, and moves on. */
static bool get(void *to, size_t n, const char **data, size_t *n_left)
{
    if (n > *n_left)
        return false;
    if (n)
        memcpy(to, *data, n);
    *data += n;
    *n_left -= n;
    return true;
}

static dpl_status take_pair_of(sharing *x, size_t pair, const char **data, size_t *n,
                               dpl_error *err)
{
    dpl_sentences *s = x->s;
    uint64_t counts[3] = {0};
    bool is_whole = get(counts, sizeof counts, data, n) && counts[0] <= *n && counts[1] <= *n &&
                    counts[2] <= *n;
    x->beads.n = x->units[0].n = x->units[1].n = 0;
    if (is_whole && (!dpl__vec_reserve(s->ctx, &x->beads, counts[0] + 1) ||
                     !dpl__vec_reserve(s->ctx, &x->units[0], counts[1] + 1) ||
                     !dpl__vec_reserve(s->ctx, &x->units[1], counts[2] + 1)))
        return dpl__fail_nomem(err);
    is_whole = is_whole && get(x->beads.data, counts[0] * sizeof *x->beads.data, data, n);
    for (int side = 0; side < 2; side++)
        is_whole =
            is_whole && get(x->units[side].data,
                            (counts[1 + side] + 1) * sizeof *x->units[side].data, data, n);
    if (!is_whole)
        return dpl__fail(err, DPL_E_FORMAT, "aligned pairs of another size");
    const dpl_aligned_docs docs = {pair,
                                   s->pairs[pair],
                                   {x->units[0].data, x->units[1].data},
                                   {(uint32_t)counts[1], (uint32_t)counts[2]},
                                   x->beads.data,
                                   counts[0]};
    dpl__sentences_count(&s->summary, &docs);
    return x->take(x->user, &docs, err);
}

static dpl_status take_range(void *user, size_t range, const char *data, size_t n,
                             dpl_error *err)
{
    sharing *x = user;
    for (size_t i = range_begin(x, range); i < range_begin(x, range + 1); i++)
        DPL_TRY(take_pair_of(x, i, &data, &n, err));
    return DPL_OK;
}

/* Aligns everything and hands it out in order, alone or with other processes. */
static dpl_status align_in_order(dpl_sentences *s, dpl_aligned_docs_fn *take, void *user,
                                 dpl_error *err)
{
    sharing x = {.s = s, .take = take, .user = user, .n = dpl__min(SHARED, s->n_pairs)};
    if (!dpl__is_shared(s->ctx) || !s->n_pairs) {
        s->take = take;
        s->user = user;
        return align_range(s, 0, s->n_pairs, err);
    }
    const dpl__shared_work work = {.name = "aligned",
                                   .key = s->key,
                                   .n = x.n,
                                   .user = &x,
                                   .make = make_range,
                                   .take = take_range};
    dpl_status status = dpl__shared_work_run(s->ctx, &work, err);
    dpl__vec_clear(s->ctx, &x.beads, &x.units[0], &x.units[1]);
    return status;
}

/* Aligns everything, and looks for sentence pairs that repeat. */
static dpl_status align_all(dpl_sentences *s, dpl_error *err)
{
    enum { SHARE = 16 }; /* of the memory, for each of beads and two sorts */
    dpl__repeats_options o = {.c = {s->c[0], s->c[1]},
                              .dir = s->options.temp ? s->options.temp : "/tmp",
                              .share = (size_t)(s->ctx->memory / SHARE),
                              .is_unique = s->options.unique,
                              .no_frequent = s->options.drop_frequent};
    dpl_sentences_summary before = s->summary;
    DPL_TRY(dpl__aligned_new(&s->all, s->ctx, o.dir, o.share, err));
    DPL_TRY(align_in_order(s, dpl__aligned_add, s->all, err));
    s->summary = before; /* counted again with the final verdicts */
    return dpl__repeats_mark(&s->all, s->ctx, &o, err);
}

static dpl_status read_next(dpl_sentences *s, dpl_aligned_docs *out, dpl_error *err)
{
    if (!s->all)
        DPL_TRY(align_all(s, err));
    if (s->n_read == s->n_pairs)
        return DPL_END;
    DPL_TRY(dpl__aligned_read(out, &s->reader, s->all, s->n_read++, err));
    dpl__sentences_count(&s->summary, out);
    return DPL_OK;
}

static dpl_status hand_out_all(dpl_sentences *s, dpl_aligned_docs_fn *take, void *user,
                               dpl_error *err)
{
    dpl_aligned_docs docs;
    dpl_status status;
    while ((status = read_next(s, &docs, err)) == DPL_OK)
        DPL_TRY(take(user, &docs, err));
    return status == DPL_END ? DPL_OK : status;
}

/* ---- one after the other -------------------------------------------------------------- */

dpl_status dpl_sentences_next(dpl_sentences *s, dpl_aligned_docs *out, dpl_error *err)
{
    if (drops_repeats(s))
        return read_next(s, out, err);
    if (!s->cursor.batch || s->cursor.part == s->cursor.batch->n) {
        s->cursor.batch = NULL;
        if (s->n_taken == s->n_ready)
            DPL_TRY(align_ahead(s, err));
        s->cursor = cursor_at(&s->batches[s->n_taken++]);
    }
    *out = take_pair(s, &s->cursor);
    return DPL_OK;
}

/* ---- open and close ----------------------------------------------------------------- */

static dpl_status start_workers(dpl_sentences *s, dpl_error *err)
{
    s->n_workers = dpl_ctx_threads(s->ctx);
    s->n_batches = (size_t)s->n_workers * SLOTS_PER_THREAD;
    uint64_t scratch =
        (uint64_t)s->n_workers * 4 * ((uint64_t)s->model.terms[0].n + s->model.terms[1].n);
    if (scratch > s->ctx->memory / 2)
        return dpl__fail(err, DPL_E_LIMIT,
                         "the vocabularies take %llu MiB of memory for %u threads",
                         (unsigned long long)(scratch >> 20), s->n_workers);
    s->bead_options.memory = s->ctx->memory / 2 / s->n_workers;
    s->workers = dpl__calloc(s->ctx, s->n_workers, sizeof *s->workers);
    s->batches = dpl__calloc(s->ctx, s->n_batches, sizeof *s->batches);
    return dpl__need(s->workers && s->batches, err);
}

static void stop_workers(dpl_sentences *s)
{
    dpl__align_free_aligners(s);
    for (unsigned i = 0; i < s->n_workers && s->workers; i++) {
        dpl__vec_clear(s->ctx, &s->workers[i].scores);
        for (int side = 0; side < 2; side++)
            dpl__units_clear(&s->workers[i].sides[side], s->ctx);
    }
    for (size_t i = 0; i < s->n_batches && s->batches; i++) {
        dpl__align_batch *b = &s->batches[i];
        dpl__vec_clear(s->ctx, &b->beads, &b->units[0], &b->units[1], &b->parts);
    }
    dpl__free(s->ctx, s->batches, s->workers);
}

static dpl_status check_pairs(const dpl_sentences *s, const dpl_doc_pair *pairs, size_t n,
                              dpl_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (pairs[i].left >= dpl_collection_get_sizes(s->c[0])->n_docs ||
            pairs[i].right >= dpl_collection_get_sizes(s->c[1])->n_docs)
            return dpl__fail(err, DPL_E_USAGE,
                             "pair %zu has a document number that is out of range", i);
    return DPL_OK;
}

static dpl_status check(const dpl_sentences *s, dpl_error *err)
{
    if (s->options.max_side > DPL_MAX_SIDE)
        return dpl__fail(err, DPL_E_USAGE, "a bead has at most %d sentences on a side",
                         DPL_MAX_SIDE);
    DPL_TRY(check_pairs(s, s->pairs, s->n_pairs, err));
    return check_pairs(s, s->learn, s->n_learn, err);
}

/* All that decides the model and the beads. */
static dpl_status align_key(uint64_t *out, const dpl_sentences *s, dpl_error *err)
{
    dpl__json_text text = {.ctx = s->ctx};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_sentences_options o = s->options;
    o.temp = NULL;
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "version", dpl_version());
    dpl_options_json(&j, "options", dpl__sentences_option_table(), &o, false);
    dpl_json_end(&j, '}');
    uint64_t key = dpl__hash(text.bytes.data, text.bytes.n, 0);
    dpl__vec_clear(s->ctx, &text.bytes);
    if (text.has_failed)
        return dpl__fail_nomem(err);
    for (int side = 0; side < 2; side++)
        key = dpl__fingerprint_file(key, dpl__collection_file(s->c[side]));
    if (s->lexicon)
        key = dpl__lexicon_fingerprint(key, s->lexicon);
    key = dpl__fingerprint(key, s->ctx, s->pairs, s->n_pairs * sizeof *s->pairs);
    key = dpl__fingerprint(key, s->ctx, s->learn, s->n_learn * sizeof *s->learn);
    key = dpl__fingerprint_number(key, s->are_candidates);
    *out = dpl__fingerprint_number(key, s->sample_units);
    return DPL_OK;
}

/* Neither needs the other, and neither keeps all threads at work. */
static dpl_status learn_one(void *user, size_t what, unsigned worker, dpl_error *err)
{
    dpl_sentences *s = user;
    (void)worker;
    if (what == 0)
        return dpl__align_learn_shapes(s, err);
    return (s->options.paper_filter ? dpl__term_links_make_paper : dpl__term_links_make)(
        &s->links, s->ctx, s->c[0], s->c[1], s->lexicon, err);
}

/* Links of terms, and the model. */
static dpl_status learn(dpl_sentences *s, dpl_error *err)
{
    dpl__bead_priors_init(&s->model.priors);
    DPL_TRY(dpl__parallel_for(s->ctx, 2, s, learn_one, err));
    const dpl__bead_priors priors = s->model.priors;
    s->model = dpl__term_links_model(&s->links);
    s->model.priors = priors;
    s->summary.n_links = s->links.n_links;
    return dpl__align_learn(s, err);
}

static dpl_status start(dpl_sentences *s, const dpl_lexicon *lexicon, dpl_error *err)
{
    s->start = dpl__now();
    s->sample_units = s->options.sample ? s->options.sample
                      : lexicon         ? PN(sample)
                                        : PN(sample_alone);
    s->has_lexicon = lexicon != NULL;
    DPL_TRY(check(s, err));
    if (dpl__is_shared(s->ctx))
        DPL_TRY(align_key(&s->key, s, err));
    DPL_TRY(start_workers(s, err));
    DPL_TRY(dpl__shared_model_get(s, s->key, learn, err));
    DPL_TRY(dpl__align_make_aligners(s, err));
    s->summary.n_learnt = s->links.n_links;
    s->summary.learn_seconds = dpl__now() - s->start;
    s->summary.length_ratio = 1 / dpl__sigmoid(-s->model.priors.log_ratio) - 1; /* exp */
    dpl__filter_init(&s->filter, &s->options, s->model.priors.log_ratio);
    dpl__bead_rating_init(&s->rating, s->options.unordered ? NULL : &s->model.priors);
    return DPL_OK;
}

dpl_status dpl_sentences_open(dpl_sentences **out, dpl_ctx *ctx,
                              const dpl_sentences_input *input,
                              const dpl_sentences_options *options, dpl_error *err)
{
    *out = NULL;
    dpl_sentences_input in;
    dpl_sentences_options o;
    DPL_TRY(DPL__TAKE(&in, input, err));
    DPL_TRY(DPL__TAKE(&o, options, err));
    if (!in.left || !in.right)
        return dpl__fail(err, DPL_E_USAGE, "there is no %s collection",
                         in.left ? "right" : "left");
    if (o.lead == 0)
        o.lead = P(margin);
    if (o.threshold == 0)
        o.threshold = o.paper_filter ? -1 : P(min_score);
    dpl_sentences *s = dpl__calloc(ctx, 1, sizeof *s);
    DPL_TRY(dpl__need(s, err));
    *s = (dpl_sentences){.ctx = ctx,
                         .c = {in.left, in.right},
                         .pairs = in.pairs,
                         .n_pairs = in.n_pairs,
                         .end = in.n_pairs,
                         .learn = in.learn ? in.learn : in.pairs,
                         .n_learn = in.learn ? in.n_learn : in.n_pairs,
                         .lexicon = in.lexicon,
                         .are_candidates = in.are_candidates,
                         .options = o,
                         .bead_options = {.max_side = o.max_side},
                         .summary = DPL_INIT(dpl_sentences_summary)};
    dpl_status status = start(s, in.lexicon, err);
    if (status == DPL_OK)
        *out = s;
    else
        dpl_sentences_close(s);
    return status;
}

void dpl_sentences_close(dpl_sentences *s)
{
    if (!s)
        return;
    stop_workers(s);
    dpl__aligned_reader_clear(&s->reader, s->ctx);
    dpl__aligned_free(s->all);
    dpl__vec_clear(s->ctx, &s->sample);
    dpl__term_links_clear(&s->links);
    dpl__free(s->ctx, s);
}

dpl_status dpl__sentences_get_summary(dpl_sentences_summary *out, const dpl_sentences *s,
                                      dpl_error *err)
{
    dpl_sentences_summary summary = s->summary;
    summary.seconds = dpl__now() - s->start;
    DPL_TRY(DPL__CHECK_OUT(out, err));
    DPL__GIVE(out, &summary);
    return DPL_OK;
}

dpl_status dpl_sentences_align(dpl_sentences_summary *summary, dpl_ctx *ctx,
                               const dpl_sentences_input *input,
                               const dpl_sentences_options *options, dpl_aligned_docs_fn *take,
                               void *user, dpl_error *err)
{
    dpl_sentences *s = NULL;
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    DPL_TRY(dpl_sentences_open(&s, ctx, input, options, err));
    dpl_status status = drops_repeats(s) ? hand_out_all(s, take, user, err)
                                         : align_in_order(s, take, user, err);
    if (status == DPL_OK)
        status = dpl__sentences_get_summary(summary, s, err);
    dpl_sentences_close(s);
    return status;
}
