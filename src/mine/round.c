/*
 * round.c - the stages of a round: vectors, candidates, a lexicon.
 *
 * Cost: the search; all else is linear in the documents.
 */
#include "mine/round.h"

#include "base/ctx.h"
#include "base/options.h"
#include "io/kept_file.h"
#include "io/parts.h"
#include "io/shared_run.h"
#include "lexicon/lexicon.h"
#include "mine/floor.h"
#include "mine/gold.h"
#include "mine/mine_params.h"
#include "mine/prior_rows.h"
#include "mine/strict_confidence.h"
#include "mine/unit.h"
#include "par/pool.h"
#include "par/sort.h"
#include "readers/json_parser.h"
#include "tokens/collection.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* Lexicons are learnt for the final confidence, too, which has its own name. */
static void enter(const dpl__round_input *in, const char *what, const char *time)
{
    if (in->number == DPL__NO_ROUND)
        return;
    dpl__stage_set(in->corpus->stage, "round %zu: %s", in->number, what);
    dpl__stage_time(in->corpus->stage, time);
}

/* ---- vectors ------------------------------------------------------------------------ */

/* Vectors under construction. */
typedef struct making {
    const dpl__comparable *corpus;
    const dpl_collection *c;
    dpl__vector_docs docs;
    const dpl_lexicon *lexicon; /* of the side that is translated */
    dpl_vectors_options options;
    double known;
    dpl__shared_files file; /* its name, where processes share it */
} making;

static dpl_status make_file(making *m, const char *path, dpl_error *err)
{
    dpl_vectors_summary made = DPL_INIT(dpl_vectors_summary);
    DPL_TRY(dpl_vectors_make(&made, m->corpus->ctx, path, m->c, m->lexicon, &m->options, err));
    if (m->lexicon && made.n_source_tokens)
        m->known = (double)made.n_known_tokens / (double)made.n_source_tokens;
    return DPL_OK;
}

static dpl_status make_shared(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    making *m = user;
    char path[4200];
    dpl__shared_path(path, m->corpus->ctx, &m->file, chunk);
    DPL_TRY(make_file(m, path, err));
    return dpl__need(
        dpl__vec_append(m->corpus->ctx, out, (const char *)&m->known, sizeof m->known), err);
}

static dpl_status take_shared(void *user, size_t chunk, const char *data, size_t n,
                              dpl_error *err)
{
    making *m = user;
    (void)chunk;
    if (n != sizeof m->known)
        return dpl__fail(err, DPL_E_FORMAT, "vectors of another size");
    memcpy(&m->known, data, n);
    return DPL_OK;
}

/* All that decides the vectors. */
static uint64_t vectors_key(const making *m)
{
    const dpl__comparable *p = m->corpus;
    const int side = m->docs.side;
    const dpl_vectors_options *o = &m->options;
    const uint64_t numbers[] = {(uint64_t)side, o->ngrams, p->unit ? p->unit->number : 0};
    uint64_t key = dpl__fingerprint_file(0, dpl__collection_file(m->c));
    key = dpl__fingerprint(key, p->ctx, numbers, sizeof numbers);
    if (m->docs.skip)
        key =
            dpl__fingerprint(key, p->ctx, m->docs.skip, dpl_collection_get_sizes(m->c)->n_docs);
    return m->lexicon ? dpl__lexicon_fingerprint(key, m->lexicon) : key;
}

static dpl_status open_shared(dpl_vectors **out, making *m, dpl_error *err)
{
    dpl_ctx *ctx = m->corpus->ctx;
    char path[4200];
    m->file = (dpl__shared_files){.name = "rows", .key = vectors_key(m), .n = 1};
    const dpl__shared_work work = {.name = "vectors",
                                   .key = m->file.key,
                                   .n = 1,
                                   .user = m,
                                   .make = make_shared,
                                   .take = take_shared,
                                   .is_for_all = true};
    DPL_TRY(dpl__shared_work_run(ctx, &work, err));
    dpl__shared_path(path, ctx, &m->file, 0);
    return dpl_vectors_open(out, ctx, path, err);
}

/* Whether the lexicon has parts of words: one that was learned here. */
static bool knows_parts(const dpl__comparable *p, const dpl_lexicon *lexicon)
{
    return lexicon && lexicon != p->given;
}

dpl_status dpl__make_vectors(dpl_vectors **out, double *known, const dpl__comparable *p,
                             dpl__vector_docs docs, const dpl_lexicon *lexicon, dpl_error *err)
{
    const int side = docs.side;
    making m = {.corpus = p,
                .c = knows_parts(p, lexicon) ? p->c[side] : dpl__words_of(p, side),
                .docs = docs,
                .lexicon = side == p->pivot ? NULL : lexicon,
                .options =
                    DPL_INIT(dpl_vectors_options, .skip = docs.skip, .into = p->lang[!side]),
                .known = *known};
    char path[4100];
    if (!lexicon)
        m.options.ngrams = (unsigned)DPL__P(mine, spelling_letters);
    if (p->unit && p->unit->limit_vectors)
        p->unit->limit_vectors(&m.options, lexicon != NULL);
    dpl_status status = DPL_OK;
    if (dpl__is_shared(p->ctx)) {
        status = open_shared(out, &m, err);
    } else {
        snprintf(path, sizeof path, "%s/vectors-%s.dpl", p->work, side ? "right" : "left");
        DPL_TRY(make_file(&m, path, err));
        status = dpl_vectors_open(out, p->ctx, path, err);
        unlink(path); /* it stays as long as it is open */
    }
    DPL_TRY(status);
    *known = m.known;
    return DPL_OK;
}

const uint8_t *dpl__round_skip(const dpl__round_input *in, int side)
{
    return in->sample->is_used && side == in->sample->side ? in->sample->skip
                                                           : in->corpus->skip[side];
}

typedef struct both_vectors {
    const dpl__round_input *in;
    dpl_vectors **v;
    int first;       /* side */
    double known[2]; /* of a side that is translated */
} both_vectors;

static dpl_status make_side(void *user, size_t i, unsigned worker, dpl_error *err)
{
    both_vectors *b = user;
    const int side = b->first ^ (int)i;
    const dpl__vector_docs docs = {side, dpl__round_skip(b->in, side)};
    (void)worker;
    return b->v[side] ? DPL_OK
                      : dpl__make_vectors(&b->v[side], &b->known[side], b->in->corpus, docs,
                                          b->in->lexicon, err);
}

/* At once where memory allows it: what is not divided of one side is done beside the other. */
static dpl_status make_sides(both_vectors *b, dpl_error *err)
{
    enum { SPARE = 16 }; /* times what the collections take */
    const dpl__comparable *p = b->in->corpus;
    uint64_t n_bytes = 0;
    for (int side = 0; side < 2; side++)
        n_bytes += dpl_file_get_info(dpl__collection_file(p->c[side])).n_bytes;
    if (!dpl__is_shared(p->ctx) && n_bytes < dpl_ctx_memory(p->ctx) / SPARE)
        return dpl__parallel_for(p->ctx, 2, b, make_side, err);
    DPL_TRY(make_side(b, 0, 0, err));
    return make_side(b, 1, 0, err);
}

dpl_status dpl__round_vectors(dpl__side_vectors *vectors, dpl__doc_candidates *found,
                              const dpl__round_input *in, dpl_error *err)
{
    const dpl__comparable *p = in->corpus;
    assert(!vectors->v[!p->pivot] && (!vectors->v[p->pivot] || in->lexicon));
    both_vectors b = {.in = in,
                      .v = vectors->v,
                      .first = dpl__shared_number(p->ctx) % 2, /* two processes: one each */
                      .known = {found->known, found->known}};
    DPL_TRY(make_sides(&b, err));
    found->known = b.known[!p->pivot];
    for (int side = 0; side < 2; side++)
        if (dpl_vectors_get_sizes(vectors->v[side])->n_rows == 0) {
            dpl__reason_set(&found->why_empty, NULL, "no document on the %s side %s",
                            side ? "right" : "left",
                            dpl_collection_get_sizes(p->c[side])->n_docs
                                ? "has enough words to be compared"
                                : "is in its language");
            return DPL_OK;
        }
    return DPL_OK;
}

void dpl__side_vectors_clear(dpl__side_vectors *vectors)
{
    for (int side = 0; side < 2; side++) {
        dpl_vectors_close(vectors->v[side]);
        vectors->v[side] = NULL;
    }
}

void dpl__side_vectors_end_round(dpl__side_vectors *vectors, const dpl__round_input *in)
{
    const int pivot = in->corpus->pivot;
    const dpl__comparable *p = in->corpus;
    const bool stays = in->lexicon && (!p->words[pivot] || knows_parts(p, in->lexicon));
    dpl_vectors *kept = stays ? vectors->v[pivot] : NULL;
    if (kept)
        vectors->v[pivot] = NULL;
    dpl__side_vectors_clear(vectors);
    vectors->v[pivot] = kept;
}

/* The least cosine to look for: in a large collection a higher one (floor.h). */
static dpl_status raise_threshold(dpl_pairs_options *o, const dpl__round_input *in,
                                  dpl_vectors *const v[2], dpl_error *err)
{
    double typical = 0;
    o->threshold = DPL__P(mine, least_cosine);
    if (!in->sample->is_large || o->method == DPL_PAIRS_WINDOW)
        return DPL_OK;
    DPL_TRY(dpl__floor_of_rows(&typical, in->corpus, v, err));
    o->threshold = fmax(o->threshold, fmax(typical, in->sample->floor));
    return DPL_OK;
}

dpl_status dpl__begin_search(dpl_pairs_options *o, dpl__doc_candidates *found,
                             dpl__side_vectors *vectors, const dpl__round_input *in,
                             dpl_error *err)
{
    *o = *in->corpus->options->search;
    o->temp = in->corpus->work;
    o->method = found->search;
    DPL_TRY(dpl__round_vectors(vectors, found, in, err));
    if (dpl__is_nothing(&found->why_empty))
        return DPL_OK;
    DPL_TRY(raise_threshold(o, in, vectors->v, err));
    found->least_cosine = o->threshold;
    return DPL_OK;
}

dpl__row_docs dpl__row_docs_of(const dpl__comparable *p)
{
    return (dpl__row_docs){.keys = {p->keys[0], p->keys[1]},
                           .groups = {p->groups[0], p->groups[1]},
                           .collections = {p->c[0], p->c[1]}};
}

/* ---- candidates --------------------------------------------------------------------- */

static dpl_status add_matches(dpl__doc_candidate_vec *out, const dpl__matches *matches,
                              dpl_vectors *const v[2], dpl_ctx *ctx, dpl_error *err)
{
    for (size_t i = 0; i < matches->n; i++) {
        const dpl__match *m = &matches->data[i];
        dpl__doc_candidate mined = {.docs = {m->row[0], m->row[1]}, .match = *m};
        if (v[0])
            mined.docs = (dpl_doc_pair){v[0]->docs[m->row[0]], v[1]->docs[m->row[1]]};
        DPL_TRY(dpl__need(dpl__vec_push(ctx, out, mined), err));
    }
    return DPL_OK;
}

static dpl_status match(dpl__doc_candidates *out, const dpl__comparable *p,
                        const dpl__neighbours *c, dpl_vectors *const v[2], unsigned turns,
                        dpl_error *err)
{
    dpl__matches matches = {0}, decoys = {0};
    dpl_status status;
    if ((status = dpl__matches_find(&matches, c, NULL, turns, err)) != DPL_OK ||
        (status = add_matches(&out->pairs, &matches, v, p->ctx, err)) != DPL_OK ||
        (status = dpl__decoys_find(&decoys, c, &matches, turns, err)) != DPL_OK)
        goto done;
    status = add_matches(&out->decoys, &decoys, v, p->ctx, err);
done:
    dpl__vec_clear(p->ctx, &decoys, &matches);
    return status;
}

/* Sums of votes have a wide range: their fourth root is drawn. */
static void draw_cosines(dpl__doc_candidates *f, const dpl__neighbours *c, bool are_votes)
{
    for (size_t k = 0; k < 2; k++) {
        f->cosines[k] = (dpl__histogram){.low = 0, .high = 1};
        for (size_t row = 0; row < c->n[DPL__LEFT]; row++) {
            const dpl__near *near = &c->near[DPL__LEFT][row * DPL__NEAREST + k];
            double x = (double)near->score;
            if (near->row != DPL__NO_ROW)
                dpl__histogram_add(&f->cosines[k], are_votes ? sqrt(sqrt(x)) : x);
        }
    }
}

double dpl__least_confidence(const dpl__comparable *p, const dpl__doc_candidates *found)
{
    const double asked = p->options->confidence, usual = DPL__P(mine, train_confidence);
    return asked < usual || asked > usual ? asked : found->likely;
}

double dpl__doc_candidates_n_likely(const dpl__doc_candidates *found)
{
    double n = 0;
    for (size_t i = 0; i < found->pairs.n; i++)
        n += found->pairs.data[i].confidence >= found->likely;
    return n;
}

double dpl__doc_candidates_doubt(const dpl__doc_candidates *found)
{
    double sum = 0;
    for (size_t i = 0; i < found->pairs.n; i++) {
        const double confidence = found->pairs.data[i].confidence;
        sum += confidence * (1 - confidence);
    }
    return sum;
}

dpl_status dpl__doc_candidates_copy(dpl__doc_candidates *out, const dpl__doc_candidates *from,
                                    dpl_ctx *ctx, dpl_error *err)
{
    assert(!out->pairs.n && !out->decoys.n);
    dpl__doc_candidate_vec pairs = out->pairs, decoys = out->decoys;
    *out = *from;
    out->pairs = pairs;
    out->decoys = decoys;
    return dpl__need(dpl__vec_append(ctx, &out->pairs, from->pairs.data, from->pairs.n) &&
                         dpl__vec_append(ctx, &out->decoys, from->decoys.data, from->decoys.n),
                     err);
}

void dpl__doc_candidates_clear(dpl__doc_candidates *f, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &f->pairs, &f->decoys);
}

/* Where nearly all documents have a counterpart, what is left over after the first turn belongs
 * together as well. Elsewhere a second turn would mostly find siblings; single sentences have
 * fewer of these. */
static dpl_status choose(dpl__doc_candidates *out, const dpl__round_input *in,
                         const dpl__neighbours *c, dpl_vectors *const v[2], dpl_error *err)
{
    DPL_TRY(match(out, in->corpus, c, v, 1, err));
    DPL_TRY(dpl__estimate_confidence(out, in, NULL, err));
    if (in->is_strict)
        return dpl__estimate_strictly(out, in, c, v, err);
    if (!in->unit->has_second_turn ||
        out->alone > (in->unit->score == DPL__SCORE_ALIGNMENT ? DPL__P(mine, sentences_unpaired)
                                                              : DPL__P(mine, few_unpaired)))
        return DPL_OK;
    out->pairs.n = out->decoys.n = 0;
    DPL_TRY(match(out, in->corpus, c, v, 2, err));
    return dpl__estimate_confidence(out, in, NULL, err);
}

/* Where most documents have a counterpart, or others are known to imply many, pairs that are
 * not sure teach more than they spoil: without them rounds forget what the first one found. */
static void lower_train_confidence(dpl__doc_candidates *out, const dpl__round_input *in)
{
    double n_sure = 0;
    for (size_t i = 0; i < out->pairs.n; i++)
        n_sure += out->pairs.data[i].confidence >= out->train_confidence;
    if (in->unit->score == DPL__SCORE_COSINE && n_sure >= DPL__P(mine, unsure_pairs) &&
        (out->alone < DPL__P(mine, unsure_unpaired) || dpl__implies_many(in->corpus)))
        out->train_confidence = DPL__P(mine, unsure_confidence);
}

static dpl_status find_candidates(dpl__doc_candidates *out, dpl__neighbours *c,
                                  const dpl__side_vectors *vectors, const dpl__round_input *in,
                                  dpl_error *err)
{
    dpl_vectors *const *v = vectors->v;
    const uint32_t *const docs[2] = {v[0] ? v[0]->docs : NULL, v[1] ? v[1]->docs : NULL};
    if (in->corpus->gold)
        DPL_TRY(dpl__gold_filter(c, in->corpus->gold, docs, err));
    out->receipt = c->recall_check;
    draw_cosines(out, c, in->unit->score == DPL__SCORE_VOTES);
    DPL_TRY(choose(out, in, c, v, err));
    lower_train_confidence(out, in);
    return DPL_OK;
}

dpl_status dpl__round_search(dpl__doc_candidates *out, dpl__side_vectors *vectors,
                             const dpl__round_input *in, dpl_error *err)
{
    const dpl_pairs_method method = in->corpus->options->search->method;
    dpl__neighbours c = {.ctx = in->corpus->ctx};
    *out = (dpl__doc_candidates){.is_by_spelling = !in->lexicon,
                                 .train_confidence = DPL__P(mine, train_confidence),
                                 .likely = DPL__P(mine, train_confidence),
                                 .search = method};
    if (method == DPL_PAIRS_AUTO || method == DPL_PAIRS_NGRAM)
        out->search = DPL_PAIRS_EXACT; /* as a plan says for thresholds up to .2 */
    enter(in, "searching", in->sample->is_used ? "sample search" : "search");
    dpl_status status = in->unit->neighbours(&c, out, vectors, in, err);
    if (status == DPL_OK && !dpl__is_nothing(&out->why_empty))
        status = find_candidates(out, &c, vectors, in, err);
    dpl__neighbours_clear(&c);
    dpl__side_vectors_end_round(vectors, in);
    if (status != DPL_OK)
        dpl__doc_candidates_clear(out, in->corpus->ctx);
    return status;
}

/* ---- a lexicon ---------------------------------------------------------------------- */

void dpl__bead_tokens(dpl__token_run out[2], const dpl_collection *const c[2],
                      const dpl_aligned_docs *a, const dpl_bead *b)
{
    const uint32_t *left = a->units[0] + b->left, *right = a->units[1] + b->right;
    out[0] = dpl__sentence_tokens(c[0], a->docs.left, left[0], left[b->n_left]);
    out[1] = dpl__sentence_tokens(c[1], a->docs.right, right[0], right[b->n_right]);
}

/* Sorts by key, because rounding depends on the order of rows. */
static dpl_status sort_pairs(dpl_doc_pair *out, const dpl__comparable *p, dpl__pair_list pairs,
                             dpl_error *err)
{
    dpl__keyed *sorted = dpl__alloc(p->ctx, (pairs.n + 1) * sizeof *sorted);
    DPL_TRY(dpl__need(sorted, err));
    for (size_t i = 0; i < pairs.n; i++)
        sorted[i] = (dpl__keyed){dpl__pair_key(p, pairs.data[i]), i};
    dpl_status status =
        dpl__parallel_sort(p->ctx, sorted, pairs.n, sizeof *sorted, dpl__by_key, err);
    for (size_t i = 0; i < pairs.n && status == DPL_OK; i++)
        out[i] = pairs.data[sorted[i].number];
    dpl__free(p->ctx, sorted);
    return status;
}

/* Tokens per word, on the side with more parts of words. */
static double tokens_per_word(const dpl__comparable *p)
{
    double most = 1;
    for (int side = 0; side < 2; side++) {
        const uint64_t n = dpl_collection_get_sizes(p->c[side])->n_tokens,
                       n_words = dpl_collection_get_sizes(dpl__words_of(p, side))->n_tokens;
        most = n > n_words ? fmax(most, (double)n / (double)n_words) : most;
    }
    return most;
}

/* A lexicon that is learnt, or taken from where it was. */
typedef struct learning {
    dpl__learnt *out;
    const dpl__round_input *in;
    dpl__pair_list pairs;
} learning;

static dpl_status learn(void *user, const char *path, dpl_error *err)
{
    const learning *x = user;
    const dpl__round_input *in = x->in;
    const dpl__comparable *p = in->corpus;
    dpl__reason *why = &x->out->why_nothing;
    dpl__training_rows rows = {.ctx = p->ctx,
                               .collection = {p->c[0], p->c[1]},
                               .lang = {p->lang[0], p->lang[1]},
                               .is_stemmed = p->is_stemmed,
                               .is_mirrored = p->pivot,
                               .is_trial = in->is_trial,
                               .tokens_per_word = tokens_per_word(p)};
    dpl_train_summary trained = DPL_INIT(dpl_train_summary);
    dpl_doc_pair *sorted = dpl__alloc(p->ctx, (x->pairs.n + 1) * sizeof *sorted);
    dpl_status status;
    enter(in, "aligning", "round alignment");
    DPL__STEP(dpl__need(sorted, err));
    DPL__STEP(sort_pairs(sorted, p, x->pairs, err));
    const bool before = dpl__shared_follow(p->ctx, true); /* helpers train, too */
    status = in->unit->add_rows(&rows, why, in, (dpl__pair_list){sorted, x->pairs.n}, err);
    dpl__shared_follow(p->ctx, before);
    if (status != DPL_OK || dpl__is_nothing(why))
        goto done;
    if (in->prior)
        DPL__STEP(dpl__prior_rows_add(&rows, in->prior, err));
    dpl__free(p->ctx, sorted);
    sorted = NULL; /* not needed while training */
    enter(in, "training", "training");
    status = dpl__training_rows_train(&trained, why, &rows, path, err);
    x->out->seconds = trained.seconds;
done:
    dpl__training_rows_clear(&rows);
    dpl__free(p->ctx, sorted);
    return status;
}

static dpl_status open_learnt(void *user, const char *path, dpl_error *err)
{
    const learning *x = user;
    dpl_ctx *ctx = x->in->corpus->ctx;
    DPL_TRY(dpl_lexicon_open(&x->out->lexicon, ctx, path, NULL, err));
    const dpl_str settings = dpl_lexicon_get_info(x->out->lexicon).settings;
    double n_rows = 0;
    if (dpl__parse_real(&n_rows, dpl__json_value(ctx, settings, "rows")) && n_rows > 0)
        x->out->n_rows = (uint64_t)n_rows;
    return DPL_OK;
}

dpl_status dpl__round_learn(dpl__learnt *out, const dpl__round_input *in, dpl__pair_list pairs,
                            const char *name, dpl_error *err)
{
    char path[4100];
    const dpl__comparable *p = in->corpus;
    learning x = {out, in, pairs};
    uint64_t key =
        dpl__fingerprint(in->number, p->ctx, pairs.data, pairs.n * sizeof *pairs.data);
    snprintf(path, sizeof path, "%s/%s.dpl", p->work, name);
    *out = (dpl__learnt){0};
    const dpl__kept_file file = {.name = "lexicon",
                                 .path = path,
                                 .key = in->lexicon ? dpl__lexicon_fingerprint(key, in->lexicon)
                                                    : key,
                                 .user = &x,
                                 .make = learn,
                                 .read = open_learnt,
                                 .is_passing = in->is_trial,
                                 .is_divided = true,
                                 .is_for_all = true};
    return dpl__kept_file_get(p->ctx, &file, err);
}
