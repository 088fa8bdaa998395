/*
 * mine.c - the whole road, again and again.
 *
 * Round 0 searches by spelling, or with a lexicon that was given. Every further round aligns
 * the sentences of the pairs found, learns a lexicon from them, and searches with that. When a
 * round finds what the one before it found, its pairs are judged once more, now also by how
 * much of them can be aligned, and written.
 *
 * work/ keeps what takes long to make: the two collections and each round's lexicon and pairs.
 * Each file appears when it is complete, and all else follows from them, so a run that was
 * stopped at any moment goes on from those that are there. A round's file comes twice: with
 * what is known of learning, and again with what the search found.
 */
#include "doppel/mine.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "mine/final_features.h"
#include "mine/folder.h"
#include "mine/languages.h"
#include "mine/params.h"
#include "mine/report_content.h"
#include "mine/round.h"
#include "mine/round_file.h"
#include "mine/run_files.h"
#include "vectors/project.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct mine {
    dpl_ctx *ctx;
    double began;
    const char *dir;
    const char *lexicon_path; /* where the last lexicon goes, if that is all there is to do */
    const char *paths[2];
    dpl_mine_options options;
    dpl__folder folder;
    dpl__comparable corpus;
    dpl__stage stage;
    char dictionary[4100];
    dpl_collection *c[2];
    dpl_mine_summary *s;
    dpl_lexicon *lexicon; /* of the round; NULL: spelling */
    dpl__doc_candidates found;
    dpl__histogram rounds[DPL_MINE_MOST_ROUNDS + 1][2]; /* cosines of each */
    dpl__histogram confidence;
    DPL_VEC(dpl_doc_pair) pairs, before; /* of this round and of the one before */
} mine;

/* ---- the sides ---------------------------------------------------------------------- */

static bool is_there(const char *path)
{
    return access(path, R_OK) == 0;
}

/* A side is a collection, or becomes one. */
static dpl_status import_side(mine *m, int side, dpl_error *err)
{
    char path[4100];
    if (dpl__is_collection(m->ctx, m->paths[side]))
        snprintf(path, sizeof path, "%s", m->paths[side]);
    else
        snprintf(path, sizeof path, "%s/%s.dpl", m->corpus.work, side ? "right" : "left");
    if (!is_there(path)) {
        dpl_reader_options read = m->options.read;
        read.size = sizeof read;
        read.lang = m->options.lang[side];
        dpl_tokens_options tokens =
            DPL_INIT(dpl_tokens_options, .stem = !m->options.has_no_stems);
        dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read, .tokens = &tokens,
                                        .spill_dir = m->corpus.work);
        DPL_TRY(dpl_import(NULL, m->ctx, path, &m->paths[side], 1, &o, err));
    }
    DPL_TRY(dpl_collection_open(&m->c[side], m->ctx, path, err));
    m->corpus.c[side] = m->c[side];
    const dpl_collection_sizes *sizes = dpl_collection_get_sizes(m->c[side]);
    if (sizes->n_docs == 0)
        return dpl__fail(err, DPL_E_USAGE, "'%s' has no documents", m->paths[side]);
    m->s->n_docs[side] = sizes->n_docs;
    m->s->n_sentences[side] = sizes->n_sentences;
    return DPL_OK;
}

typedef struct stream {
    uint64_t hash;
    uint32_t doc;
} stream;

static int by_hash(const void *a, const void *b)
{
    const stream *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->doc < y->doc ? -1 : x->doc > y->doc;
}

/* Documents with the words of an earlier one do not take part: which of the copies is paired
 * would be chance, and each would spoil the margin of the others. */
static dpl_status skip_copies(mine *m, int side, dpl_error *err)
{
    const dpl_collection *c = m->c[side];
    uint32_t n = dpl_collection_get_sizes(c)->n_docs;
    uint64_t checksum = n;
    stream *all = dpl__alloc(m->ctx, n * sizeof *all);
    m->corpus.skip[side] = dpl__calloc(m->ctx, n, 1);
    if (!all || !m->corpus.skip[side]) {
        dpl__free(m->ctx, all, n * sizeof *all);
        return dpl__fail_nomem(err);
    }
    for (uint32_t doc = 0; doc < n; doc++) {
        size_t n_tokens;
        const uint32_t *tokens = dpl_collection_tokens(c, doc, &n_tokens);
        all[doc] = (stream){dpl__hash(tokens, n_tokens * sizeof *tokens, n_tokens), doc};
        dpl_str id = dpl_collection_doc(c, doc).id;
        checksum = dpl__hash(id.data, id.n, checksum ^ all[doc].hash);
    }
    for (uint32_t t = 0; t < dpl_collection_get_sizes(c)->n_terms; t++) {
        dpl_str term = dpl_collection_term(c, t);
        checksum = dpl__hash(term.data, term.n, checksum);
    }
    m->corpus.checksum[side] = checksum;
    qsort(all, n, sizeof *all, by_hash);
    m->corpus.n_docs[side] = n;
    for (uint32_t i = 1; i < n; i++)
        if (all[i].hash == all[i - 1].hash) {
            m->corpus.skip[side][all[i].doc] = 1;
            m->corpus.n_docs[side]--;
            m->s->n_duplicates[side]++;
        }
    dpl__free(m->ctx, all, n * sizeof *all);
    return DPL_OK;
}

/* What the collections say of themselves must fit. */
static dpl_status check_sides(mine *m, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        dpl__facts facts;
        DPL_TRY(dpl__facts_find(&facts, m->c[side], 1, err));
        memcpy(m->corpus.lang[side], facts.lang, sizeof facts.lang);
        memcpy(m->s->lang[side], facts.lang, sizeof facts.lang);
        if (facts.ngram)
            return dpl__fail(err, DPL_E_USAGE, "'%s' holds character n-grams, not words",
                             m->paths[side]);
        if (side && facts.is_stemmed != m->corpus.is_stemmed)
            return dpl__fail(err, DPL_E_USAGE,
                             "the words of one side are stems, those of the other are not");
        m->corpus.is_stemmed = facts.is_stemmed;
    }
    const char *left = m->corpus.lang[0], *right = m->corpus.lang[1];
    if (*left && strcmp(left, right) == 0) {
        dpl__fail(err, DPL_E_USAGE, "both sides are in '%s'", left);
        return dpl__code(err, DPL_E_USAGE, "both-one-language");
    }
    return DPL_OK;
}

static dpl_status open_sides(mine *m, dpl_error *err)
{
    double began = dpl__now();
    DPL_TRY(dpl__folder_open(&m->folder, m->ctx, m->dir, m->paths, 2, &m->options, err));
    memcpy(m->corpus.work, m->folder.work, sizeof m->corpus.work);
    for (int side = 0; side < 2; side++) {
        DPL_TRY(import_side(m, side, err));
        DPL_TRY(skip_copies(m, side, err));
    }
    DPL_TRY(check_sides(m, err));
    m->corpus.pivot = dpl_collection_get_sizes(m->c[1])->n_tokens >
                      dpl_collection_get_sizes(m->c[0])->n_tokens;
    m->s->import_seconds = dpl__now() - began;
    return DPL_OK;
}

/* ---- rounds ------------------------------------------------------------------------- */

static dpl_mine_round *this_round(mine *m)
{
    return &m->s->rounds[m->s->n_rounds - 1];
}

/* Where a round is kept, and what is there already. */
typedef struct round_state {
    char path[4100], lexicon[4100];
    bool is_learnt, is_searched;
} round_state;

static void name_file(char out[4100], const mine *m, const char *what)
{
    snprintf(out, 4100, "%s/%s-%zu.dpl", m->corpus.work, what, m->s->n_rounds - 1);
}

/* What is held of each document while a round is searched and judged: lists of the nearest,
 * best ones, pairs, decoys, what is known of them. */
static dpl_status check_memory(const mine *m, dpl_error *err)
{
    enum { DOC_BYTES = 100, PAIR_BYTES = 500 };
    uint64_t n[2] = {m->corpus.n_docs[0], m->corpus.n_docs[1]}, limit = dpl_ctx_memory(m->ctx);
    uint64_t needed =
        dpl__ctx_used(m->ctx) + (n[0] + n[1]) * DOC_BYTES + dpl__min(n[0], n[1]) * PAIR_BYTES;
    if (needed <= limit)
        return DPL_OK;
    dpl__fail(err, DPL_E_LIMIT,
              "%llu documents need about %llu MiB of memory; the limit is %llu",
              (unsigned long long)(n[0] + n[1]), (unsigned long long)(needed >> 20) + 1,
              (unsigned long long)(limit >> 20));
    return dpl__code(err, DPL_E_LIMIT, "memory");
}

static dpl_status search(mine *m, dpl_error *err)
{
    dpl_mine_round *r = this_round(m);
    double began = dpl__now();
    DPL_TRY(check_memory(m, err));
    DPL_TRY(dpl__round_search(&m->found, &m->corpus, m->lexicon, err));
    r->n_matches = m->found.pairs.n;
    r->cosine = m->found.cosine;
    r->alone = m->found.alone;
    r->known = m->found.known;
    r->n_entries = m->lexicon ? dpl_lexicon_get_sizes(m->lexicon)->n_entries : 0;
    r->search_seconds = dpl__now() - began;
    return DPL_OK;
}

/* The pairs that are likely enough to learn from. */
static dpl_status take_pairs(mine *m, dpl_error *err)
{
    m->pairs.n = 0;
    for (size_t i = 0; i < m->found.pairs.n; i++)
        if (m->found.pairs.data[i].confidence >= DPL__P(mine, train_confidence) &&
            !dpl__vec_push(m->ctx, &m->pairs, m->found.pairs.data[i].docs))
            return dpl__fail_nomem(err);
    this_round(m)->n_pairs = m->pairs.n;
    memcpy(m->rounds[m->s->n_rounds - 1], m->found.cosines, sizeof m->found.cosines);
    return DPL_OK;
}

/* Both are in the order of left documents, each of which stands there once. */
static void compare_rounds(mine *m)
{
    dpl_mine_round *r = this_round(m);
    size_t i = 0, j = 0, n_same = 0;
    while (i < m->pairs.n && j < m->before.n) {
        dpl_doc_pair a = m->pairs.data[i], b = m->before.data[j];
        n_same += a.left == b.left && a.right == b.right;
        i += a.left <= b.left;
        j += b.left <= a.left;
    }
    r->n_new = m->pairs.n - n_same;
    r->n_gone = m->before.n - n_same;
    double changed = (double)(r->n_new + r->n_gone), all = (double)(m->pairs.n + m->before.n);
    m->s->is_stable = m->s->n_rounds > 1 && changed <= DPL__P(mine, most_changed) * all;
}

/* A lexicon from the pairs of the round before. */
static dpl_status learn(mine *m, const char *path, dpl_error *err)
{
    dpl_mine_round *r = this_round(m);
    double began = dpl__now();
    if (m->before.n == 0) {
        dpl__fail(err, DPL_E_NOTHING,
                  "no document of one side resembles any of the other: nothing can be learned");
        return dpl__code(err, DPL_E_NOTHING, "nothing-learned");
    }
    dpl_train_summary trained = DPL_INIT(dpl_train_summary);
    DPL_TRY(dpl__round_learn(&trained, &m->corpus, m->before.data, m->before.n, m->lexicon,
                             path, err));
    r->n_rows = trained.n_rows;
    r->train_seconds = trained.seconds;
    r->align_seconds = dpl__now() - began - trained.seconds;
    return DPL_OK;
}

/* A dictionary becomes the lexicon to begin with. */
static dpl_status import_dictionary(mine *m, dpl_error *err)
{
    dpl_dictionary dictionary = {.path = m->options.dictionary};
    dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = m->corpus.lang[0],
                 .target_lang = m->corpus.lang[1], .stem = m->corpus.is_stemmed);
    snprintf(m->dictionary, sizeof m->dictionary, "%s/dictionary.dpl", m->corpus.work);
    m->options.lexicon = m->dictionary;
    return dpl_lexicon_import(NULL, m->ctx, m->dictionary, &dictionary, 1, &o, err);
}

/* What an interrupted run has of the round. One whose lexicon is gone is done again. */
static dpl_status take_up(mine *m, round_state *state, dpl_error *err)
{
    name_file(state->path, m, "round");
    name_file(state->lexicon, m, "lexicon");
    dpl__doc_candidates_clear(&m->found, m->ctx);
    state->is_learnt =
        is_there(state->path) && (m->s->n_rounds == 1 || is_there(state->lexicon));
    if (!state->is_learnt)
        return DPL_OK;
    dpl_status status = dpl__round_load(this_round(m), &m->found, &state->is_searched,
                                        state->path, &m->corpus, err);
    if (status != DPL_OK)
        dpl__code(err, status, "resume-damaged");
    return status;
}

static dpl_status use_lexicon(mine *m, const round_state *state, dpl_error *err)
{
    if (!state->is_learnt) {
        DPL_TRY(learn(m, state->lexicon, err));
        DPL_TRY(dpl__round_save(state->path, &m->corpus, this_round(m), NULL, err));
    }
    dpl_lexicon_close(m->lexicon);
    m->lexicon = NULL;
    return dpl_lexicon_open(&m->lexicon, m->ctx, state->lexicon, NULL, err);
}

static dpl_status run_round(mine *m, dpl_error *err)
{
    char name[40];
    round_state state = {0};
    DPL_TRY(take_up(m, &state, err));
    if (m->s->n_rounds > 1)
        DPL_TRY(use_lexicon(m, &state, err));
    if (!state.is_searched)
        DPL_TRY(search(m, err));
    DPL_TRY(take_pairs(m, err));
    compare_rounds(m);
    if (state.is_searched)
        return DPL_OK;
    snprintf(name, sizeof name, "pairs-%zu.tsv", m->s->n_rounds - 1);
    DPL_TRY(dpl__write_pairs(m->corpus.work, name, &m->corpus, &m->found.pairs,
                             DPL__P(mine, train_confidence), err));
    return dpl__round_save(state.path, &m->corpus, this_round(m), &m->found, err);
}

static dpl_status run_rounds(mine *m, dpl_error *err)
{
    dpl_mine_summary *s = m->s;
    if (m->options.dictionary)
        DPL_TRY(import_dictionary(m, err));
    if (m->options.lexicon) {
        dpl_lexicon_options o = DPL_INIT(dpl_lexicon_options, .source_lang = m->corpus.lang[0],
                                         .target_lang = m->corpus.lang[1]);
        DPL_TRY(dpl_lexicon_open(&m->lexicon, m->ctx, m->options.lexicon, &o, err));
    }
    for (;;) {
        m->corpus.round = s->n_rounds++;
        DPL_TRY(run_round(m, err));
        if (s->is_stable || s->n_rounds > m->options.rounds)
            return DPL_OK;
        m->before.n = 0;
        if (!dpl__vec_append(m->ctx, &m->before, m->pairs.data, m->pairs.n))
            return dpl__fail_nomem(err);
    }
}

/* ---- the end ------------------------------------------------------------------------ */

static dpl_status tell(mine *m, dpl_error *err)
{
    dpl__run run = {.corpus = &m->corpus,
                    .paths = {m->paths[0], m->paths[1]},
                    .summary = m->s,
                    .rounds = (const dpl__histogram(*)[2])m->rounds,
                    .pairs = &m->found.pairs,
                    .confidence = &m->confidence,
                    .lexicon = m->lexicon};
    m->s->seconds = dpl__now() - m->began;
    DPL_TRY(dpl__write_report(m->dir, &run, err));
    return dpl__write_run(m->dir, &m->corpus, m->s, err);
}

static dpl_status finish(mine *m, dpl_error *err)
{
    double began = dpl__now(), all = 0, taken = 0;
    m->corpus.round = DPL__NO_ROUND;
    dpl__stage_set(&m->stage, "judging");
    DPL_TRY(dpl__estimate_final_confidence(&m->found, &m->corpus, m->lexicon, m->before.data,
                                           m->before.n, err));
    dpl__doc_candidates *f = &m->found;
    size_t n = 0;
    m->pairs.n = 0;
    m->confidence = (dpl__histogram){.low = 0, .high = 1};
    for (size_t i = 0; i < f->pairs.n; i++) {
        all += f->pairs.data[i].confidence;
        dpl__histogram_add(&m->confidence, f->pairs.data[i].confidence);
        if (f->pairs.data[i].confidence < m->options.confidence)
            continue;
        taken += f->pairs.data[i].confidence;
        f->pairs.data[n++] = f->pairs.data[i];
        if (!dpl__vec_push(m->ctx, &m->pairs, f->pairs.data[i].docs))
            return dpl__fail_nomem(err);
    }
    f->pairs.n = n;
    m->s->n_pairs = n;
    m->s->precision = n ? taken / (double)n : 0;
    m->s->recall = all > 0 ? taken / all : 0;
    m->s->receipt = f->receipt;
    DPL_TRY(dpl__write_pairs(m->dir, "pairs.tsv", &m->corpus, &f->pairs, 0, err));
    dpl__stage_set(&m->stage, "sentences");
    DPL_TRY(dpl__write_sentences(m->s, m->dir, &m->corpus, m->pairs.data, m->pairs.n,
                                 m->lexicon, err));
    DPL_TRY(dpl__write_lexicon(m->dir, m->ctx, m->lexicon, err));
    m->s->final_seconds = dpl__now() - began;
    return tell(m, err);
}

/* The lexicon alone. */
static dpl_status hand_over(mine *m, dpl_error *err)
{
    char path[4100];
    name_file(path, m, "lexicon");
    if (rename(path, m->lexicon_path) != 0)
        return dpl__fail_errno(err, errno, "cannot write '%s'", m->lexicon_path);
    return DPL_OK;
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status run(mine *m, dpl_error *err)
{
    m->options.rounds = m->options.rounds ? m->options.rounds : 5;
    m->options.confidence = m->options.confidence > 0 ? m->options.confidence : 0.5;
    if (m->options.lexicon && m->options.dictionary)
        return dpl__fail(err, DPL_E_USAGE,
                         "a lexicon and a dictionary to start with: only one can be used");
    if (m->options.rounds > DPL_MINE_MOST_ROUNDS)
        return dpl__fail(err, DPL_E_USAGE, "more than %d rounds", DPL_MINE_MOST_ROUNDS);
    DPL_TRY(open_sides(m, err));
    DPL_TRY(run_rounds(m, err));
    return m->lexicon_path ? hand_over(m, err) : finish(m, err);
}

static dpl_status run_all(dpl_mine_summary *summary, dpl_ctx *ctx, const char *dir,
                          const char *lexicon_path, const char *left, const char *right,
                          const dpl_mine_options *options, dpl_error *err)
{
    dpl_mine_summary unwanted, *s = summary ? summary : &unwanted;
    *s = (dpl_mine_summary){0};
    mine m = {.ctx = ctx,
              .began = dpl__now(),
              .dir = dir,
              .lexicon_path = lexicon_path,
              .paths = {left, right},
              .s = s};
    if (options)
        m.options = *options;
    m.corpus = (dpl__comparable){.ctx = ctx, .options = &m.options, .stage = &m.stage};
    dpl__stage_begin(&m.stage, ctx);
    dpl_status status = run(&m, err);
    dpl__stage_end(&m.stage);
    s->seconds = dpl__now() - m.began;
    dpl__vec_clear(ctx, &m.pairs);
    dpl__vec_clear(ctx, &m.before);
    dpl__doc_candidates_clear(&m.found, ctx);
    dpl_lexicon_close(m.lexicon);
    for (int side = 0; side < 2; side++) {
        if (m.corpus.skip[side])
            dpl__free(ctx, m.corpus.skip[side], dpl_collection_get_sizes(m.c[side])->n_docs);
        dpl_collection_close(m.c[side]);
    }
    dpl__folder_close(&m.folder);
    return status;
}

dpl_status dpl_mine_run(dpl_mine_summary *summary, dpl_ctx *ctx, const char *dir,
                        const char *left, const char *right, const dpl_mine_options *options,
                        dpl_error *err)
{
    return run_all(summary, ctx, dir, NULL, left, right, options, err);
}

dpl_status dpl_lexicon_learn(dpl_mine_summary *summary, dpl_ctx *ctx, const char *out_path,
                             const char *left, const char *right,
                             const dpl_mine_options *options, dpl_error *err)
{
    char dir[4000];
    if (options && options->resume)
        return dpl__fail(err, DPL_E_USAGE, "there is nothing to resume");
    if ((size_t)snprintf(dir, sizeof dir, "%s.work", out_path) >= sizeof dir)
        return dpl__fail_errno(err, ENAMETOOLONG, "cannot write '%s'", out_path);
    dpl_status status = run_all(summary, ctx, dir, out_path, left, right, options, err);
    dpl__folder_remove(dir);
    return status;
}
