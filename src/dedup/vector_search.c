/*
 * vector_search.c - near-duplicates by the cosine of their term vectors, and translations by
 * that of vectors projected through a lexicon.
 *
 * Both are searches of doppel/pairs.h over the rows: documents that are copies of others are
 * left out. For translations, the rows of either language of the lexicon become a collection
 * each; a pair is a translation if its documents are each other's best, above
 * the least cosine, and by a margin: documents of one topic have several neighbours that are
 * almost as near.
 */
#include "dedup/dedup_search.h"

#include "base/ctx.h"
#include "dedup/dedup_params.h"
#include "doppel/codes.h"
#include <stdio.h>

enum { SOME_PAIRS = 4096 };

/* *row_of: of each row of vectors made from the collection with documents left out, the row;
 * the caller's to free. */
static dpl_status rows_of_vectors(uint32_t **row_of, const dpl__dedup_docs *docs,
                                  const dpl_vectors *vectors, dpl_error *err)
{
    const uint32_t n = dpl_vectors_get_sizes(vectors)->n_rows;
    uint32_t doc = 0;
    *row_of = dpl__alloc(docs->ctx, ((size_t)n + 1) * sizeof **row_of);
    if (!*row_of)
        return dpl__fail_nomem(err);
    for (uint32_t i = 0; i < n; i++) { /* both are in the order of the documents */
        const dpl_str id = dpl_vectors_id(vectors, i);
        while (!dpl__str_eq(dpl_collection_doc(docs->c, doc).id, id))
            doc++;
        (*row_of)[i] = docs->row_of[doc];
    }
    return DPL_OK;
}

/* Of each row, the first document only. */
static dpl_status make_vectors(dpl_vectors **out, const dpl__dedup_query *q, dpl_error *err)
{
    const dpl__dedup_docs *d = q->docs;
    uint8_t *skip = dpl__calloc(d->ctx, (size_t)d->n_docs + 1, 1);
    for (uint32_t doc = 0; skip && doc < d->n_docs; doc++)
        skip[doc] = d->rows[d->row_of[doc]].doc != doc;
    const dpl_vectors_options o = DPL_INIT(dpl_vectors_options, .min_count = 1, .min_terms = 1,
                                           .skip = skip, .temp = q->spill_dir);
    dpl_status status =
        skip ? dpl_vectors_from_collection(out, NULL, q->ctx, d->c, NULL, &o, err)
             : dpl__fail_nomem(err);
    dpl__free(q->ctx, skip, (size_t)d->n_docs + 1);
    return status;
}

/* In either order of its rows. */
static dpl_status add_edge(dpl__edges *edges, dpl_ctx *ctx, dpl_dedup_edge e, dpl_error *err)
{
    if (e.left > e.right)
        e = (dpl_dedup_edge){e.right, e.left, e.score, e.kind};
    return dpl__vec_push(ctx, edges, e) ? DPL_OK : dpl__fail_nomem(err);
}

/* ---- cosine ------------------------------------------------------------------------- */

static dpl_status search_pairs(dpl__dedup_search *out, const dpl__dedup_query *q,
                               const dpl_vectors *v, const uint32_t *row_of, dpl_error *err)
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
        const uint32_t a = row_of[pair.left], b = row_of[pair.right];
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
                                      const dpl_vectors *v, const uint32_t *row_of,
                                      dpl_error *err)
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
            const uint32_t a = row_of[pairs[i].left], b = row_of[pairs[i].right];
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
    uint32_t *row_of = NULL;
    const double began = dpl__now();
    out->found.is_exact = true;
    DPL_TRY(make_vectors(&v, q, err));
    const uint32_t n = dpl_vectors_get_sizes(v)->n_rows;
    dpl_status status = rows_of_vectors(&row_of, q->docs, v, err);
    if (status == DPL_OK && n > 1) {
        out->found.is_exact = false;
        status = q->options->method == DPL_DEDUP_SIMHASH
                     ? search_fingerprints(out, q, v, row_of, err)
                     : search_pairs(out, q, v, row_of, err);
    }
    dpl__edges_sort(&out->found.edges);
    dpl__free(q->ctx, row_of, row_of ? ((size_t)n + 1) * sizeof *row_of : 0);
    dpl_vectors_close(v);
    out->search_seconds = dpl__now() - began;
    return status;
}

/* ---- translations ------------------------------------------------------------------- */

/* Which rows of a language. */
typedef enum row_choice { ALL_ROWS, NEW_ROWS, OLD_ROWS } row_choice;

/* Rows of one language, as documents whose ids are their numbers. */
typedef struct row_walk {
    const dpl__dedup_docs *docs;
    const char *lang;
    row_choice choice;
    uint32_t next;
    char id[16];
} row_walk;

static bool is_chosen(row_choice choice, const dpl__dedup_row *row)
{
    return choice == ALL_ROWS || row->has_old == (choice == OLD_ROWS);
}

static dpl_status next_row(void *user, dpl_doc *out, dpl_error *err)
{
    (void)err;
    row_walk *w = user;
    for (; w->next < w->docs->n_rows; w->next++) {
        const dpl__dedup_row *row = &w->docs->rows[w->next];
        const dpl_doc d = dpl_collection_doc(w->docs->c, row->doc);
        if (!is_chosen(w->choice, row) || !dpl__str_eq(d.lang, dpl__cstr(w->lang)))
            continue;
        const int n = snprintf(w->id, sizeof w->id, "%u", w->next++);
        *out = (dpl_doc){.id = {w->id, (size_t)n}, .lang = d.lang, .text = d.text};
        return DPL_OK;
    }
    return DPL_END;
}

/* One language of the lexicon. */
typedef struct side {
    dpl_collection *c;
    dpl_vectors *v;
} side;

static dpl_status make_side(side *out, const dpl__dedup_query *q, const char *lang,
                            row_choice choice, const dpl_lexicon *lexicon, dpl_error *err)
{
    row_walk walk = {.docs = q->docs, .lang = lang, .choice = choice};
    const dpl_doc_source source = {next_row, &walk, "(documents)"};
    const dpl_input input = {.source = &source};
    const dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = q->options->stem);
    const dpl_import_options o =
        DPL_INIT(dpl_import_options, .tokens = &tokens, .temp = q->spill_dir);
    const dpl_vectors_options v =
        DPL_INIT(dpl_vectors_options, .min_count = 1, .temp = q->spill_dir);
    DPL_TRY(dpl_collection_from_inputs(&out->c, NULL, q->ctx, &input, 1, &o, err));
    if (!dpl_collection_get_sizes(out->c)->n_docs)
        return DPL_OK;
    return dpl_vectors_from_collection(&out->v, NULL, q->ctx, out->c, lexicon, &v, err);
}

static uint32_t row_of_id(const dpl_vectors *v, uint32_t i)
{
    const dpl_str id = dpl_vectors_id(v, i);
    uint32_t row = 0;
    for (size_t k = 0; k < id.n; k++)
        row = 10 * row + (uint32_t)(id.data[k] - '0');
    return row;
}

/* The true cosine decides, the margin only says no. */
static dpl_status take_translations(dpl__edges *edges, const dpl__dedup_query *q,
                                    const dpl_vectors *const v[2], dpl_error *err)
{
    const dpl_pairs_options p = DPL_INIT(
        dpl_pairs_options, .method = DPL_PAIRS_AUTO, .threshold = q->options->translation,
        .recall = q->options->recall, .select = DPL_SELECT_MUTUAL, .margin = 4,
        .no_recall_check = true, .temp = q->spill_dir);
    const double margin = q->options->only_against ? DPL__P(dedup, item_margin)
                                                   : DPL__P(dedup, translation_margin);
    const dpl_pairs_side left = {.vectors = v[0]}, right = {.vectors = v[1]};
    dpl_pairs *pairs = NULL;
    dpl_pair pair;
    dpl_status status = dpl_pairs_open(&pairs, q->ctx, &left, &right, &p, err);
    while (status == DPL_OK && (status = dpl_pairs_next(pairs, &pair, err)) == DPL_OK) {
        const uint32_t a = row_of_id(v[0], pair.left), b = row_of_id(v[1], pair.right);
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
    side s[2] = {{NULL, NULL}, {NULL, NULL}};
    dpl_status status;
    DPL__STEP(make_side(&s[1], q, about.target_lang, choice[1], NULL, err));
    if (s[1].v)
        DPL__STEP(make_side(&s[0], q, about.source_lang, choice[0], lexicon, err));
    if (s[0].v && s[1].v && dpl_vectors_get_sizes(s[0].v)->n_rows &&
        dpl_vectors_get_sizes(s[1].v)->n_rows) {
        const dpl_vectors *const v[2] = {s[0].v, s[1].v};
        status = take_translations(edges, q, v, err);
    }
done:
    for (int i = 0; i < 2; i++) {
        dpl_vectors_close(s[i].v);
        dpl_collection_close(s[i].c);
    }
    return status;
}

/* only_against: new documents are compared with old ones alone, in either direction. */
static dpl_status find_translations(dpl__edges *edges, const dpl__dedup_query *q,
                                    const dpl_lexicon *lexicon, dpl_error *err)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(lexicon);
    if (!*about.source_lang || !*about.target_lang) {
        dpl__fail(err, DPL_E_USAGE, "the languages of '%s' are not known", q->options->lexicon);
        return dpl__code(err, DPL_E_USAGE, "lexicon-languages-unknown");
    }
    if (!q->options->only_against)
        return find_between(edges, q, lexicon, (row_choice[]){ALL_ROWS, ALL_ROWS}, err);
    DPL_TRY(find_between(edges, q, lexicon, (row_choice[]){NEW_ROWS, OLD_ROWS}, err));
    return find_between(edges, q, lexicon, (row_choice[]){OLD_ROWS, NEW_ROWS}, err);
}

dpl_status dpl__dedup_lexicon(dpl_lexicon **out, dpl_ctx *ctx, const dpl_dedup_options *o,
                              dpl_error *err)
{
    char langs[64] = "";
    dpl_lexicon_options set = DPL_INIT(dpl_lexicon_options);
    if (o->lexicon_langs) {
        const char *dash = strchr(o->lexicon_langs, '-');
        if (!dash || strlen(o->lexicon_langs) >= sizeof langs)
            return dpl__fail(err, DPL_E_USAGE, "'%.60s' is not two languages such as de-en",
                             o->lexicon_langs);
        memcpy(langs, o->lexicon_langs, strlen(o->lexicon_langs) + 1);
        langs[dash - o->lexicon_langs] = '\0';
        set.source_lang = langs;
        set.target_lang = langs + (dash - o->lexicon_langs) + 1;
    }
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
