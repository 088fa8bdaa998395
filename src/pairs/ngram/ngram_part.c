/*
 * ngram_part.c - one part of a search by n-grams, to a file; and the pairs from all parts.
 *
 * A part takes the n-grams that fall to it: matching ones by hash, scoring ones by a range of
 * fingerprints. All postings of an n-gram are in one part, so the part knows its document
 * frequency. It writes the pairs of documents with the number of matching n-grams that they
 * share here, and the postings of the scoring n-grams that are kept. Merging adds up what pairs
 * share, which says who is scored; the postings of all parts, one part behind the other, are in
 * the order of the forward index. So scores are summed in the order of one search. Cost of a
 * part: extraction of all n-grams, of which it keeps one in n; sort and match of those.
 */
#include "pairs/ngram/ngram_part.h"
#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/sized.h"
#include "io/target.h"
#include "pairs/merged_ids.h"
#include "tokens/collection.h"

/* The numbers of section `counts`: settings, then what was counted. */
enum {
    AT_MATCHING,
    AT_SCORING,
    AT_MAX_MATCHING,
    AT_MAX_SCORING,
    AT_SAMPLE_BITS,
    AT_MAX_PER_DOC,
    AT_SYMMETRY,
    AT_N_BEST,
    AT_BY_LANGUAGE,
    AT_MAX_CANDIDATES,
    AT_N_DOCS,
    AT_N_GROUPS,
    AT_N_WORDS,
    AT_N_TRANSLATED,
    AT_N_UNSAMPLED,
    N_DECIDED, /* the ones above are the same in all parts */
    AT_N_POSTINGS = N_DECIDED,
    AT_N_MATCHING,
    AT_N_SINGLE,
    AT_N_ONE_GROUP,
    AT_N_FREQUENT,
    AT_N_USED,
    AT_N_GENERATED,
    AT_N_ENTRIES,
    AT_N_SCORING,
    AT_N_SCORING_SINGLE,
    AT_N_SCORING_FREQUENT,
    AT_N_KEPT,
    N_COUNTS
};
enum { AT_THRESHOLD, AT_MAX_DISORDER, AT_NEAR_RATIO, N_REALS };

/* ---- one part ----------------------------------------------------------------------- */

typedef struct part_run {
    dpl__ngram_finder *f;
    dpl__part_mark mark;
    dpl__json_text settings;
    dpl__row_set docs; /* that stand in pairs */
    uint64_t n_pairs;
} part_run;

static void put_settings(dpl__json_text *text, const dpl__ngram_settings *s)
{
    dpl_json j = dpl__json_into(text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "doppel pairs", dpl_version());
    dpl_json_cstr(&j, "method", "ngram");
    dpl_json_number(&j, "matching", s->matching);
    dpl_json_number(&j, "scoring", s->scoring);
    dpl_json_number(&j, "max_matching", s->max_matching);
    dpl_json_number(&j, "max_scoring", s->max_scoring);
    dpl_json_number(&j, "sample_bits", s->sample_bits);
    dpl_json_number(&j, "max_per_doc", s->max_per_doc);
    dpl_json_number(&j, "max_candidates", s->max_candidates);
    dpl_json_real(&j, "threshold", s->threshold);
    dpl_json_real(&j, "max_disorder", s->max_disorder);
    dpl_json_cstr(&j, "symmetrize", dpl_ngram_symmetry_name(s->symmetry));
    dpl_json_number(&j, "best", s->n_best);
    dpl_json_real(&j, "near_ratio", s->near_ratio);
    dpl_json_bool(&j, "by_language", s->by_language);
    dpl_json_bool(&j, "lexicon", s->lexicon != NULL);
    dpl_json_end(&j, '}');
}

/* Words and probabilities, whatever file they come from. */
static uint64_t lexicon_fingerprint(uint64_t so_far, const dpl_lexicon *lexicon)
{
    const uint32_t n = dpl_lexicon_get_sizes(lexicon)->n_sources;
    for (uint32_t source = 0; source < n; source++) {
        const float *p;
        size_t n_row;
        const uint32_t *row = dpl_lexicon_row(lexicon, source, &p, &n_row);
        const dpl_str word = dpl_lexicon_source(lexicon, source);
        uint64_t hash = dpl__hash(word.data, word.n, n_row);
        for (size_t i = 0; i < n_row; i++) {
            const dpl_str target = dpl_lexicon_target(lexicon, row[i]);
            hash = dpl__hash(target.data, target.n, hash) ^ dpl__hash(&p[i], sizeof p[i], i);
        }
        so_far = dpl__fingerprint_number(so_far, hash);
    }
    return so_far;
}

static dpl_status make_mark(part_run *r, dpl_error *err)
{
    const dpl__ngram_finder *f = r->f;
    put_settings(&r->settings, f->s);
    if (r->settings.has_failed)
        return dpl__fail_nomem(err);
    r->mark.part = *f->part;
    r->mark.options = dpl__hash(r->settings.bytes.data, r->settings.bytes.n, 0);
    r->mark.inputs = dpl__fingerprint_number(0, f->n_sides);
    for (size_t i = 0; i < f->n_sides; i++)
        r->mark.inputs =
            dpl__fingerprint_file(r->mark.inputs, dpl__collection_file(f->sides[i]));
    if (f->s->lexicon)
        r->mark.inputs = lexicon_fingerprint(r->mark.inputs, f->s->lexicon);
    return DPL_OK;
}

static void put_numbers(uint64_t *n, double *reals, const dpl__ngram_settings *s,
                        const dpl_ngram_summary *c)
{
    n[AT_MATCHING] = s->matching;
    n[AT_SCORING] = s->scoring;
    n[AT_MAX_MATCHING] = s->max_matching;
    n[AT_MAX_SCORING] = s->max_scoring;
    n[AT_SAMPLE_BITS] = s->sample_bits;
    n[AT_MAX_PER_DOC] = s->max_per_doc;
    n[AT_SYMMETRY] = (uint64_t)s->symmetry;
    n[AT_N_BEST] = s->n_best;
    n[AT_BY_LANGUAGE] = s->by_language;
    n[AT_MAX_CANDIDATES] = s->max_candidates;
    n[AT_N_DOCS] = c->n_docs;
    n[AT_N_GROUPS] = c->n_groups;
    n[AT_N_WORDS] = c->n_words;
    n[AT_N_TRANSLATED] = c->n_translated;
    n[AT_N_UNSAMPLED] = c->n_unsampled;
    n[AT_N_POSTINGS] = c->n_postings;
    n[AT_N_MATCHING] = c->n_matching;
    n[AT_N_SINGLE] = c->n_single;
    n[AT_N_ONE_GROUP] = c->n_one_group;
    n[AT_N_FREQUENT] = c->n_frequent;
    n[AT_N_USED] = c->n_used;
    n[AT_N_GENERATED] = c->n_generated;
    n[AT_N_ENTRIES] = c->n_entries;
    n[AT_N_SCORING] = c->n_scoring;
    n[AT_N_SCORING_SINGLE] = c->n_scoring_single;
    n[AT_N_SCORING_FREQUENT] = c->n_scoring_frequent;
    n[AT_N_KEPT] = c->n_kept;
    reals[AT_THRESHOLD] = s->threshold;
    reals[AT_MAX_DISORDER] = s->max_disorder;
    reals[AT_NEAR_RATIO] = s->near_ratio;
}

/* ---- one part: its file ------------------------------------------------------------- */

/* Twice over the pairs: a section of pairs, one of numbers. */
static dpl_status write_shared(part_run *r, dpl__writer *w, dpl_error *err)
{
    dpl__ngram_shared some[512];
    size_t n;
    for (int pass = 0; pass < 2; pass++) {
        DPL_TRY(dpl__shared_pairs_begin(r->f->candidates, err));
        DPL_TRY(dpl__writer_begin(w, pass ? "shared.n" : "shared.pairs", pass ? 4 : 8, err));
        do {
            DPL_TRY(dpl__shared_pairs_next(r->f->candidates, some, &n, DPL_LEN(some), err));
            for (size_t i = 0; i < n; i++) {
                if (pass) {
                    DPL_TRY(dpl__writer_append(w, &some[i].n_shared, 4, err));
                    continue;
                }
                DPL_TRY(dpl__writer_append(w, &some[i].pair, 8, err));
                dpl__row_set_add(&r->docs, (uint32_t)(some[i].pair >> 32));
                dpl__row_set_add(&r->docs, (uint32_t)some[i].pair);
                r->n_pairs++;
            }
        } while (n);
    }
    return DPL_OK;
}

/* For each n-gram that is kept: how many documents have it, then document and place of each. */
static dpl_status write_entries(part_run *r, dpl__writer *w, dpl_error *err)
{
    dpl__ngram_finder *f = r->f;
    const dpl__ngram_posting *list;
    uint64_t n_all;
    dpl_status status;
    DPL_TRY(dpl__shuffle_sort(f->scoring, err));
    DPL_TRY(dpl__writer_begin(w, "entries", 4, err));
    while ((status = dpl__shuffle_next(f->scoring, &list, &n_all, f->s->max_scoring, err)) ==
           DPL_OK) {
        if (!dpl__ngram_is_kept(f->summary, n_all, f->s))
            continue;
        const uint32_t n = (uint32_t)n_all;
        DPL_TRY(dpl__writer_append(w, &n, sizeof n, err));
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t entry[2] = {list[i].doc, list[i].place};
            DPL_TRY(dpl__writer_append(w, entry, sizeof entry, err));
        }
    }
    return status == DPL_END ? DPL_OK : status;
}

static dpl_str id_of(const void *user, uint32_t doc)
{
    const dpl__ngram_finder *f = user;
    size_t side = 0;
    while (doc >= f->first_of[side + 1])
        side++;
    return dpl_collection_doc(f->sides[side], doc - f->first_of[side]).id;
}

static dpl_status write_sections(part_run *r, dpl__writer *w, dpl_error *err)
{
    dpl__ngram_finder *f = r->f;
    uint64_t counts[N_COUNTS];
    double reals[N_REALS];
    DPL_TRY(write_shared(r, w, err));
    DPL_TRY(write_entries(r, w, err));
    DPL_TRY(dpl__row_set_write(&r->docs, w, "id", id_of, f, err));
    put_numbers(counts, reals, f->s, f->summary);
    r->mark.decided =
        dpl__hash(counts, N_DECIDED * sizeof *counts, 0) ^ dpl__hash(reals, sizeof reals, 1);
    DPL_TRY(
        dpl__writer_add(w, "doc.groups", 4, f->group_of, 4 * (size_t)f->groups.n_docs, err));
    DPL_TRY(dpl__writer_add(w, "counts", 8, counts, sizeof counts, err));
    DPL_TRY(dpl__writer_add(w, "reals", 8, reals, sizeof reals, err));
    DPL_TRY(dpl__writer_add_json(w, "settings", &r->settings, err));
    return dpl__part_write(w, &r->mark, err);
}

static dpl_status search(part_run *r, const char *path, uint64_t *n_bytes, dpl_error *err)
{
    dpl__ngram_finder *f = r->f;
    dpl__writer *w = NULL;
    DPL_TRY(dpl__ngram_begin(f, err));
    DPL_TRY(dpl__ngram_extract_all(f, err));
    DPL_TRY(dpl__ngram_match(f, err));
    if (!dpl__row_set_init(&r->docs, f->ctx, f->groups.n_docs))
        return dpl__fail_nomem(err);
    dpl_status status = dpl__writer_new(&w, f->ctx, path, "ngrams", err);
    if (status == DPL_OK)
        status = write_sections(r, w, err);
    if (status == DPL_OK)
        status = dpl__writer_finish(w, n_bytes, err);
    dpl__writer_free(w);
    dpl__row_set_clear(&r->docs, f->ctx);
    return status;
}

dpl_status dpl__ngram_part(dpl_part_summary *made, dpl_pairs *p, const dpl__part_task *task,
                           dpl_error *err)
{
    part_run r = {.settings = {.ctx = p->ctx}};
    DPL_TRY(dpl__pairs_choose(p, task->left, task->right, err));
    r.f = p->finder;
    r.f->part = &task->part;
    dpl_status status = make_mark(&r, err);
    if (status != DPL_OK)
        goto done;
    made->is_kept =
        dpl__part_is_done(&made->n_output_bytes, p->ctx, task->path, "ngrams", &r.mark);
    if (!made->is_kept)
        status = search(&r, task->path, &made->n_output_bytes, err);
    made->n_items = r.n_pairs;
done:
    dpl__vec_clear(p->ctx, &r.settings.bytes);
    return status;
}

/* ---- all parts ---------------------------------------------------------------------- */

typedef struct merging {
    dpl_pairs *p;
    dpl__ngram_finder *f;
    const dpl_parts *parts;
    uint32_t n;
    /* The scoring n-grams, as the forward index takes them. */
    uint32_t part;
    const uint32_t *at, *end;
    DPL_VEC(dpl__ngram_posting) list;
} merging;

static dpl_status get_settings(dpl__ngram_settings *s, const dpl_file *file, const uint64_t *n,
                               const double *reals, dpl_error *err)
{
    dpl_ngram_options o = DPL_INIT(dpl_ngram_options);
    for (unsigned i = 0; i < AT_N_WORDS; i++)
        if (n[i] > UINT32_MAX - 1)
            return dpl__damaged(file, "counts", "number out of range", err);
    o.matching = (unsigned)n[AT_MATCHING];
    o.scoring = (unsigned)n[AT_SCORING];
    o.max_matching = (unsigned)n[AT_MAX_MATCHING];
    o.max_scoring = (unsigned)n[AT_MAX_SCORING];
    o.sample_bits = (unsigned)n[AT_SAMPLE_BITS];
    o.max_per_doc = (unsigned)n[AT_MAX_PER_DOC];
    o.symmetry = (dpl_ngram_symmetry)n[AT_SYMMETRY];
    o.n_best = (unsigned)n[AT_N_BEST];
    o.by_language = n[AT_BY_LANGUAGE];
    o.max_candidates = (unsigned)n[AT_MAX_CANDIDATES];
    DPL_TRY(dpl__ngram_settle(s, &o, err));
    s->threshold = reals[AT_THRESHOLD]; /* settled already */
    s->max_disorder = reals[AT_MAX_DISORDER];
    s->near_ratio = reals[AT_NEAR_RATIO];
    for (unsigned i = 0; i < N_REALS; i++)
        if (!(reals[i] >= 0 && reals[i] <= 1))
            return dpl__damaged(file, "reals", "number out of range", err);
    return DPL_OK;
}

static void add_counts(dpl_ngram_summary *c, const uint64_t *n)
{
    c->n_postings += n[AT_N_POSTINGS];
    c->n_matching += n[AT_N_MATCHING];
    c->n_single += n[AT_N_SINGLE];
    c->n_one_group += n[AT_N_ONE_GROUP];
    c->n_frequent += n[AT_N_FREQUENT];
    c->n_used += n[AT_N_USED];
    c->n_generated += n[AT_N_GENERATED];
    c->n_entries += n[AT_N_ENTRIES];
    c->n_scoring += n[AT_N_SCORING];
    c->n_scoring_single += n[AT_N_SCORING_SINGLE];
    c->n_scoring_frequent += n[AT_N_SCORING_FREQUENT];
    c->n_kept += n[AT_N_KEPT];
}

/* The groups of all documents, as the first part has them. */
static dpl_status read_groups(merging *m, const uint64_t *counts, dpl_error *err)
{
    const dpl_file *file = dpl__parts_file(m->parts, 0);
    dpl__ngram_finder *f = m->f;
    dpl_ngram_summary *sum = f->summary;
    const uint32_t *groups = NULL;
    const size_t n = (size_t)counts[AT_N_DOCS];
    DPL_TRY(dpl__get_n(file, "doc.groups", 4, &groups, n, err));
    DPL_TRY(dpl__check_below(file, "doc.groups", groups, n, counts[AT_N_GROUPS], err));
    f->group_of = dpl__calloc(f->ctx, dpl__max(n, 1), sizeof *f->group_of);
    if (!f->group_of)
        return dpl__fail_nomem(err);
    if (n)
        memcpy(f->group_of, groups, n * sizeof *groups);
    f->groups = (dpl__ngram_groups){f->group_of, (uint32_t)n, (uint32_t)counts[AT_N_GROUPS]};
    sum->n_docs = (uint32_t)n;
    sum->n_groups = f->groups.n_groups;
    sum->n_words = counts[AT_N_WORDS];
    sum->n_translated = (uint32_t)counts[AT_N_TRANSLATED];
    sum->n_unsampled = counts[AT_N_UNSAMPLED];
    return DPL_OK;
}

static dpl_status read_shared(merging *m, uint32_t i, dpl_error *err)
{
    const dpl_file *file = dpl__parts_file(m->parts, i);
    const uint64_t *pairs = NULL;
    const uint32_t *n_shared = NULL, n_docs = m->f->groups.n_docs;
    size_t n = 0;
    DPL_TRY(dpl__get(file, "shared.pairs", 8, &pairs, &n, err));
    DPL_TRY(dpl__get_n(file, "shared.n", 4, &n_shared, n, err));
    for (size_t k = 0; k < n; k++) {
        if (pairs[k] >> 32 >= (uint32_t)pairs[k] || (uint32_t)pairs[k] >= n_docs ||
            n_shared[k] == 0)
            return dpl__damaged(file, "shared.pairs", "number out of range", err);
        if (k > 0 && pairs[k - 1] >= pairs[k])
            return dpl__damaged(file, "shared.pairs", "out of order", err);
    }
    return dpl__shared_pairs_add_run(m->f->candidates, pairs, n_shared, n, err);
}

static dpl_status read_parts(merging *m, dpl_error *err)
{
    dpl__ngram_finder *f = m->f;
    DPL_TRY(dpl__shared_pairs_new(&f->candidates, f->spill, f->share, err));
    for (uint32_t i = 0; i < m->n; i++) {
        const dpl_file *file = dpl__parts_file(m->parts, i);
        const uint64_t *counts = NULL;
        DPL_TRY(dpl__get_n(file, "counts", 8, &counts, N_COUNTS, err));
        if (i == 0)
            DPL_TRY(read_groups(m, counts, err));
        add_counts(f->summary, counts);
        DPL_TRY(read_shared(m, i, err));
    }
    return dpl__ngram_count(f, err);
}

/* Every document of a pair can be named. */
static dpl_status check_have_ids(const merging *m, dpl_error *err)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const dpl_file *file = dpl__parts_file(m->parts, i);
        const uint64_t *pairs = NULL;
        size_t n = 0;
        DPL_TRY(dpl__get(file, "shared.pairs", 8, &pairs, &n, err));
        for (size_t k = 0; k < n; k++)
            if (!dpl__merged_id(m->p->ids, 0, (uint32_t)(pairs[k] >> 32)).n ||
                !dpl__merged_id(m->p->ids, 0, (uint32_t)pairs[k]).n)
                return dpl__damaged(file, "shared.pairs", "a document without an id", err);
    }
    return DPL_OK;
}

/* ---- all parts: the forward index --------------------------------------------------- */

static dpl_status open_entries(merging *m, uint64_t *n_postings, dpl_error *err)
{
    *n_postings = 0;
    for (uint32_t i = 0; i < m->n; i++) {
        const uint32_t *data = NULL;
        size_t n = 0;
        DPL_TRY(dpl__get(dpl__parts_file(m->parts, i), "entries", 4, &data, &n, err));
        *n_postings += n / 2;
    }
    return DPL_OK;
}

static dpl_status next_entries(void *user, const dpl__ngram_posting **list, uint32_t *n_out,
                               dpl_error *err)
{
    merging *m = user;
    while (m->at == m->end) {
        size_t n = 0;
        if (m->part == m->n)
            return DPL_END;
        DPL_TRY(dpl__get(dpl__parts_file(m->parts, m->part++), "entries", 4, &m->at, &n, err));
        m->end = m->at + n;
    }
    const dpl_file *file = dpl__parts_file(m->parts, m->part - 1);
    const uint32_t n = *m->at++;
    if (n < 2 || n > m->f->s->max_scoring || 2 * (uint64_t)n > (uint64_t)(m->end - m->at))
        return dpl__damaged(file, "entries", "number out of range", err);
    m->list.n = 0;
    if (!dpl__vec_reserve(m->f->ctx, &m->list, n))
        return dpl__fail_nomem(err);
    for (uint32_t i = 0; i < n; i++, m->at += 2) {
        if (m->at[0] >= m->f->groups.n_docs)
            return dpl__damaged(file, "entries", "number out of range", err);
        m->list.data[m->list.n++] = (dpl__ngram_posting){0, m->at[0], m->at[1]};
    }
    *list = m->list.data;
    *n_out = n;
    return DPL_OK;
}

static dpl_status merge(merging *m, dpl_error *err)
{
    static const char *const names[2] = {"id", NULL};
    dpl__ngram_finder *f = m->f;
    dpl_pairs *p = m->p;
    double began = dpl__now(), matched;
    f->n_slots = 4 * (size_t)dpl_ctx_threads(f->ctx);
    f->scratch = dpl__calloc(f->ctx, dpl_ctx_threads(f->ctx), sizeof *f->scratch);
    if (!f->scratch)
        return dpl__fail_nomem(err);
    DPL_TRY(read_parts(m, err));
    const uint32_t n_docs[2] = {f->groups.n_docs, 0};
    DPL_TRY(dpl__merged_ids_new(&p->ids, m->parts, names, n_docs, err));
    DPL_TRY(check_have_ids(m, err));
    dpl__forward_source source = {next_entries, m, 0};
    DPL_TRY(open_entries(m, &source.n_postings, err));
    const dpl__forward_plan plan = {f->spill, f->groups.n_docs, f->share};
    DPL_TRY(dpl__forward_take(&f->forward, &plan, &source, err));
    matched = dpl__now();
    f->summary->match_seconds = matched - began;
    DPL_TRY(dpl__pairs_selector(p, err));
    f->pairs = dpl__pairs_sink(p);
    DPL_TRY(dpl__ngram_score_all(f, err));
    f->summary->score_seconds = dpl__now() - matched;
    p->summary.n_left = f->groups.n_docs;
    p->summary.n_comparisons = p->summary.n_candidates = f->summary->n_candidates;
    return dpl__pairs_finish(p, began, err);
}

dpl_status dpl__ngram_merge(dpl_pairs *p, const dpl_parts *parts, dpl_error *err)
{
    merging m = {.p = p, .parts = parts, .n = dpl_parts_count(parts)};
    const uint64_t *counts = NULL;
    const double *reals = NULL;
    const dpl_file *file = dpl__parts_file(parts, 0);
    DPL_TRY(dpl__get_n(file, "counts", 8, &counts, N_COUNTS, err));
    DPL_TRY(dpl__get_n(file, "reals", 8, &reals, N_REALS, err));
    DPL_TRY(dpl__ngram_new(&p->finder, p->ctx, &p->ngram, &p->spill, err));
    m.f = p->finder;
    DPL_TRY(get_settings(&m.f->settings, file, counts, reals, err));
    p->has_one_numbering = true;
    p->summary.method = p->options.method = DPL_PAIRS_NGRAM;
    p->summary.threshold = p->options.threshold = m.f->s->threshold;
    p->summary.ngram = &p->ngram;
    dpl_status status = merge(&m, err);
    dpl__vec_clear(p->ctx, &m.list);
    return status;
}
