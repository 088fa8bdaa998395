/*
 * vector_search.c - near-duplicates by the cosine of their term vectors, and translations by
 * that of vectors projected through a lexicon.
 *
 * Both are searches of doppel/pairs.h over the rows: documents that are copies of others are
 * left out. For translations, the rows of either language of the lexicon become vectors
 * each; a pair is a translation if its documents are each other's best, above
 * the least cosine, and by a margin: documents of one topic have several neighbours that are
 * almost as near.
 */
#include "dedup/dedup_search.h"

#include "base/ctx.h"
#include "dedup/dedup_params.h"
#include "doppel/codes.h"
#include "lexicon/lexicon.h"
#include "vectors/vectors.h"

enum { SOME_PAIRS = 4096 };

/* The row of documents that a row of vectors is. */
static uint32_t row_of(const dpl__dedup_query *q, const dpl_vectors *v, uint32_t row)
{
    return q->docs->row_of[v->docs[row]];
}

/* Vectors of the first document of each row. */
static dpl_status make_vectors(dpl_vectors **out, const dpl__dedup_query *q, dpl_error *err)
{
    const dpl__dedup_docs *d = q->docs;
    uint8_t *skip = dpl__calloc(d->ctx, (size_t)d->n_docs + 1, 1);
    for (uint32_t doc = 0; skip && doc < d->n_docs; doc++)
        skip[doc] = d->rows[d->row_of[doc]].doc != doc;
    const dpl_vectors_options o = DPL_INIT(dpl_vectors_options, .min_count = 1, .min_terms = 1,
                                           .skip = skip, .temp = q->spill_dir);
    dpl_status status = skip ? dpl_vectors_from_collection(
                                   out, NULL, q->ctx, dpl__dedup_collection(d), NULL, &o, err)
                             : dpl__fail_nomem(err);
    dpl__free(q->ctx, skip);
    return status;
}

/* Adds an edge; its rows may be in either order. */
static dpl_status add_edge(dpl__edges *edges, dpl_ctx *ctx, dpl_dedup_edge e, dpl_error *err)
{
    if (e.left > e.right)
        e = (dpl_dedup_edge){e.right, e.left, e.score, e.kind};
    return dpl__need(dpl__vec_push(ctx, edges, e), err);
}

/* ---- cosine ------------------------------------------------------------------------- */

static dpl_status search_pairs(dpl__dedup_search *out, const dpl__dedup_query *q,
                               const dpl_vectors *v, dpl_error *err)
{
    const dpl_dedup_options *o = q->options;
    /* few rows: a plan would take longer than the search */
    const bool is_exact = o->method == DPL_DEDUP_EXACT ||
                          dpl_vectors_get_sizes(v)->n_rows <= DPL__P(dedup, exact_rows);
    const dpl_pairs_options p =
        DPL_INIT(dpl_pairs_options, .method = is_exact ? DPL_PAIRS_EXACT : DPL_PAIRS_AUTO,
                 .threshold = o->floor, .recall = o->recall, .sample = o->sample,
                 .no_recall_check = o->no_recall_check, .temp = q->spill_dir);
    const dpl_pairs_side side = {.vectors = v};
    dpl_pairs *pairs = NULL;
    dpl_pair pair;
    dpl_status status = dpl_pairs_open(&pairs, q->ctx, &side, NULL, &p, err);
    while (status == DPL_OK && (status = dpl_pairs_next(pairs, &pair, err)) == DPL_OK) {
        const uint32_t a = row_of(q, v, pair.left), b = row_of(q, v, pair.right);
        if (dpl__dedup_wants(q->docs, o->only_against, a, b))
            status = add_edge(&out->found.edges, q->ctx,
                              (dpl_dedup_edge){a, b, pair.score, DPL_EDGE_NEAR}, err);
    }
    if (status == DPL_END) {
        const dpl_pairs_summary *s = dpl_pairs_get_summary(pairs);
        out->check = *s->recall_check;
        out->found.is_exact = s->recall_check->is_exact;
        out->found.n_candidates = s->n_candidates ? s->n_candidates : s->n_found;
        out->found.method = s->recall_check->is_exact ? DPL_DEDUP_EXACT : DPL_DEDUP_AUTO;
        status = DPL_OK;
    }
    dpl_pairs_close(pairs);
    return status;
}

/* Fingerprints within the radius, whose cosines are computed. */
static dpl_status search_fingerprints(dpl__dedup_search *out, const dpl__dedup_query *q,
                                      const dpl_vectors *v, dpl_error *err)
{
    const dpl_sign_options s = DPL_INIT(dpl_sign_options, .method = DPL_SIGN_SIMHASH,
                                        .length = 64, .temp = q->spill_dir);
    const dpl_join_options j = DPL_INIT(
        dpl_join_options, .most = (uint32_t)DPL__P(dedup, most_in_group), .temp = q->spill_dir);
    dpl_signatures *prints = NULL;
    dpl_buckets *buckets = NULL;
    dpl_row_pair pairs[SOME_PAIRS];
    size_t n;
    out->found.method = DPL_DEDUP_SIMHASH;
    dpl_status status;
    DPL__STEP(dpl_signatures_make(&prints, q->ctx, v, &s, err));
    DPL__STEP(dpl_fingerprints_join(&buckets, q->ctx, dpl_signatures_row(prints, 0),
                                    dpl_vectors_get_sizes(v)->n_rows, NULL, 0,
                                    (unsigned)DPL__P(dedup, radius), &j, err));
    while (status == DPL_OK &&
           (status = dpl_buckets_next(buckets, pairs, &n, SOME_PAIRS, err)) == DPL_OK)
        for (size_t i = 0; i < n && status == DPL_OK; i++) {
            const uint32_t a = row_of(q, v, pairs[i].left), b = row_of(q, v, pairs[i].right);
            if (!dpl__dedup_wants(q->docs, q->options->only_against, a, b))
                continue;
            const double score = dpl_vectors_cosine(v, pairs[i].left, v, pairs[i].right);
            out->found.n_candidates++;
            if (score >= q->options->floor)
                status = add_edge(&out->found.edges, q->ctx,
                                  (dpl_dedup_edge){a, b, (float)score, DPL_EDGE_NEAR}, err);
        }
done:
    dpl_buckets_close(buckets);
    dpl_signatures_close(prints);
    return status == DPL_END ? DPL_OK : status;
}

dpl_status dpl__search_vectors(dpl__dedup_search *out, const dpl__dedup_query *q,
                               dpl_error *err)
{
    dpl_vectors *v = NULL;
    const double began = dpl__now();
    out->found.is_exact = true;
    DPL_TRY(make_vectors(&v, q, err));
    const uint32_t n = dpl_vectors_get_sizes(v)->n_rows;
    dpl_status status = DPL_OK;
    if (n > 1) {
        out->found.is_exact = false;
        status = q->options->method == DPL_DEDUP_SIMHASH ? search_fingerprints(out, q, v, err)
                                                         : search_pairs(out, q, v, err);
    }
    dpl__edges_sort(&out->found.edges);
    dpl_vectors_close(v);
    out->search_seconds = dpl__now() - began;
    return status;
}

/* ---- translations ------------------------------------------------------------------- */

/* Which rows of a language. */
typedef enum row_choice { ALL_ROWS, NEW_ROWS, OLD_ROWS } row_choice;

static bool is_chosen(row_choice choice, const dpl__dedup_row *row)
{
    return choice == ALL_ROWS || row->has_old == (choice == OLD_ROWS);
}

/* *out: NULL if there are none. */
static dpl_status make_side(dpl_vectors **out, const dpl__dedup_query *q, const char *lang,
                            row_choice choice, const dpl_lexicon *lexicon, dpl_error *err)
{
    const dpl__dedup_docs *d = q->docs;
    uint8_t *skip = dpl__alloc(d->ctx, (size_t)d->n_docs + 1);
    uint32_t n = 0;
    DPL_TRY(dpl__need(skip, err));
    for (uint32_t doc = 0; doc < d->n_docs; doc++) {
        const dpl__dedup_row *row = &d->rows[d->row_of[doc]];
        skip[doc] = row->doc != doc || !is_chosen(choice, row) ||
                    !dpl__str_eq(dpl__dedup_doc(d, doc).lang, dpl__cstr(lang));
        n += !skip[doc];
    }
    const dpl_vectors_options o =
        DPL_INIT(dpl_vectors_options, .min_count = 1, .skip = skip, .temp = q->spill_dir);
    const dpl_status status =
        n ? dpl__vectors_of_language(out, dpl__dedup_collection(d), lang, lexicon, &o, err)
          : DPL_OK;
    dpl__free(d->ctx, skip);
    return status;
}

/* The true cosine decides, the margin only says no. */
static dpl_status take_translations(dpl__edges *edges, const dpl__dedup_query *q,
                                    const dpl_vectors *const v[2], dpl_error *err)
{
    const double few = DPL__P(dedup, exact_rows),
                 n = (double)v[0]->sizes.n_rows * (double)v[1]->sizes.n_rows;
    const dpl_pairs_options p =
        DPL_INIT(dpl_pairs_options, .method = n <= few * few ? DPL_PAIRS_EXACT : DPL_PAIRS_AUTO,
                 .threshold = q->options->translation, .recall = q->options->recall,
                 .select = DPL_SELECT_MUTUAL, .margin = 4, .no_recall_check = true,
                 .temp = q->spill_dir);
    const double margin = q->options->only_against ? DPL__P(dedup, item_margin)
                                                   : DPL__P(dedup, translation_margin);
    const dpl_pairs_side left = {.vectors = v[0]}, right = {.vectors = v[1]};
    dpl_pairs *pairs = NULL;
    dpl_pair pair;
    dpl_status status = dpl_pairs_open(&pairs, q->ctx, &left, &right, &p, err);
    while (status == DPL_OK && (status = dpl_pairs_next(pairs, &pair, err)) == DPL_OK) {
        const uint32_t a = row_of(q, v[0], pair.left), b = row_of(q, v[1], pair.right);
        const double cosine = dpl_vectors_cosine(v[0], pair.left, v[1], pair.right);
        if (pair.score >= (float)margin && a != b &&
            dpl__dedup_wants(q->docs, q->options->only_against, a, b))
            status = add_edge(edges, q->ctx,
                              (dpl_dedup_edge){a, b, (float)cosine, DPL_EDGE_TRANSLATION}, err);
    }
    dpl_pairs_close(pairs);
    return status == DPL_END ? DPL_OK : status;
}

/* Between the rows chosen of either language. */
static dpl_status find_between(dpl__edges *edges, const dpl__dedup_query *q,
                               const dpl_lexicon *lexicon, const row_choice choice[2],
                               dpl_error *err)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(lexicon);
    dpl_vectors *v[2] = {NULL, NULL};
    dpl_status status;
    DPL__STEP(make_side(&v[1], q, about.target_lang, choice[1], NULL, err));
    if (v[1])
        DPL__STEP(make_side(&v[0], q, about.source_lang, choice[0], lexicon, err));
    if (v[0] && v[1] && v[0]->sizes.n_rows && v[1]->sizes.n_rows)
        status = take_translations(edges, q, (const dpl_vectors *const[]){v[0], v[1]}, err);
done:
    dpl_vectors_close(v[0]);
    dpl_vectors_close(v[1]);
    return status;
}

/* only_against: new documents are compared with old ones alone, in either direction. */
static dpl_status find_translations(dpl__edges *edges, const dpl__dedup_query *q,
                                    const dpl_lexicon *lexicon, dpl_error *err)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(lexicon);
    if (!*about.source_lang || !*about.target_lang)
        return dpl__fail_code(err, DPL_E_USAGE, "lexicon-languages-unknown",
                              "the languages of '%s' are not known", q->options->lexicon);
    if (!q->options->only_against)
        return find_between(edges, q, lexicon, (row_choice[]){ALL_ROWS, ALL_ROWS}, err);
    DPL_TRY(find_between(edges, q, lexicon, (row_choice[]){NEW_ROWS, OLD_ROWS}, err));
    return find_between(edges, q, lexicon, (row_choice[]){OLD_ROWS, NEW_ROWS}, err);
}

dpl_status dpl__dedup_lexicon(dpl_lexicon **out, dpl_ctx *ctx, const dpl_dedup_options *o,
                              dpl_error *err)
{
    dpl__lexicon_langs langs;
    dpl_lexicon_options set = DPL_INIT(dpl_lexicon_options);
    DPL_TRY(dpl__lexicon_set_langs(&set, &langs, o->lexicon_langs, err));
    return dpl_lexicon_open(out, ctx, o->lexicon, &set, err);
}

dpl_status dpl__search_translations(dpl__edges *edges, const dpl__dedup_query *q,
                                    dpl_error *err)
{
    dpl_lexicon *lexicon = NULL;
    DPL_TRY(dpl__dedup_lexicon(&lexicon, q->ctx, q->options, err));
    dpl_status status = find_translations(edges, q, lexicon, err);
    dpl__edges_sort(edges);
    dpl_lexicon_close(lexicon);
    return status;
}
