/*
 * dedup.c - duplicates of documents: read, find copies, search, cluster, write.
 *
 * New documents and those that they are compared with become one collection, so that words have
 * one numbering. Each step's product stays in the work folder: a run that is resumed with
 * another threshold, keep rule or linkage begins with the pairs.
 */
#include "dedup/dedup_run.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "dedup/dedup_params.h"
#include "dedup/kept.h"
#include "dedup/recall.h"
#include "io/shared_run.h"
#include "tokens/collection.h"
#include "tokens/import.h"
#include "tokens/importer.h"

/* ---- options ------------------------------------------------------------------------ */

static dpl_status bad(dpl_error *err, const char *what)
{
    return dpl__fail_code(err, DPL_E_USAGE, "bad-option", "%s", what);
}

static dpl_status check_options(const dpl_dedup_options *o, dpl_error *err)
{
    if (!(o->threshold > 0 && o->threshold <= 1 && o->floor > 0 && o->floor <= 1))
        return bad(err, "the threshold must be above 0 and at most 1");
    if (o->floor > o->threshold)
        return bad(err, "the floor must not be above the threshold");
    if (!(o->translation > 0 && o->translation <= 1))
        return bad(err, "the least cosine of a translation must be above 0 and at most 1");
    if (!(o->recall > 0 && o->recall < 1))
        return bad(err, "the recall must be above 0 and below 1");
    if (o->shingle > 64)
        return bad(err, "a shingle has at most 64 words");
    if ((o->select == DPL_KEEP_NEWEST || o->select == DPL_KEEP_HIGHEST) &&
        !(o->field && *o->field)) {
        bad(err, "no field is given that says which document is the newest or highest");
        return dpl__code(err, DPL_E_USAGE, "select-field");
    }
    if (o->measure == DPL_DEDUP_COSINE && o->method == DPL_DEDUP_MINHASH)
        return bad(err, "minhash is of shingles, not of the cosine");
    if (o->measure == DPL_DEDUP_CONTAINMENT && o->method > DPL_DEDUP_EXACT)
        return bad(err, "containment is searched exactly only");
    if (!dpl__dedup_unit_name(o->unit) || !dpl__dedup_measure_name(o->measure) ||
        !dpl__dedup_method_name(o->method) || !dpl__dedup_keep_name(o->select) ||
        !dpl__dedup_linkage_name(o->linkage) || !dpl__dedup_compress_name(o->compress))
        return bad(err, "a choice out of range");
    if (o->only_against && !o->n_against)
        return bad(err, "no documents to compare the new ones with");
    if (o->state && (o->unit != DPL_DEDUP_DOCUMENT || o->resume))
        return bad(err, "a state is of documents, and a run with one is not resumed");
    if (o->state && o->read && o->read->with_title)
        return bad(err, "titles in front of texts are not kept apart in a state");
    if (o->unit != DPL_DEDUP_DOCUMENT && (o->lexicon || o->resume))
        return bad(err, "lines and paragraphs have no lexicon, and are not resumed");
    return DPL_OK;
}

static dpl_status take_options(dpl_dedup_options *o, const dpl_dedup_options *given,
                               dpl_error *err)
{
    DPL_TRY(DPL__TAKE(o, given, err));
    if (o->measure == DPL_DEDUP_ANY)
        o->measure = o->only_against && o->method <= DPL_DEDUP_EXACT ? DPL_DEDUP_CONTAINMENT
                                                                     : DPL_DEDUP_JACCARD;
    if (o->threshold == 0)
        o->threshold = o->only_against && o->measure == DPL_DEDUP_CONTAINMENT
                           ? DPL__P(dedup, contained)
                           : 0.8;
    o->floor = o->floor != 0 ? o->floor : o->threshold;
    o->shingle = o->shingle ? o->shingle : 5;
    o->recall = o->recall != 0 ? o->recall : 0.99;
    o->translation = o->translation != 0 ? o->translation : DPL__P(dedup, translation);
    o->min_words = o->min_words ? o->min_words : 3;
    o->min_count = o->min_count ? o->min_count : 2;
    o->sample = o->sample ? o->sample : 500;
    return check_options(o, err);
}

/* ---- steps -------------------------------------------------------------------------- */

/* Words are stems if the lexicon's are. */
static dpl_status set_stem(dpl_dedup_result *r, dpl_error *err)
{
    dpl_lexicon *lexicon = NULL;
    if (!r->o.lexicon || r->o.stem)
        return DPL_OK;
    DPL_TRY(dpl__dedup_lexicon(&lexicon, r->ctx, &r->o, err));
    r->o.stem = dpl_lexicon_get_info(lexicon).is_stemmed;
    dpl_lexicon_close(lexicon);
    return DPL_OK;
}

/* Documents stay in the parts that processes of a shared run make, unless something needs one
 * numbering of all words. */
static bool stays_in_parts(const dpl_dedup_result *r)
{
    return dpl__is_shared(r->ctx) && r->o.measure != DPL_DEDUP_COSINE && !r->o.lexicon &&
           !r->o.n_against && !r->o.state;
}

/* Only vectors are made of rows. Parts are merged by them, and a state is read again. */
static bool needs_rows(const dpl_dedup_result *r)
{
    return r->o.measure == DPL_DEDUP_COSINE || r->o.lexicon || r->o.state ||
           (dpl__is_shared(r->ctx) && !stays_in_parts(r));
}

static dpl_status import(dpl_dedup_result *r, const char *path, dpl_error *err)
{
    const dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = r->o.stem);
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = r->o.read, .tokens = &tokens,
                                    .number_inputs = true, .no_rows = !needs_rows(r));
    if (r->state.c) { /* what it was tokenized with decides whether its words can be taken */
        bool has_stop_file;
        if (dpl__collection_words(r->state.c, &has_stop_file).stem == r->o.stem)
            o.update = r->state.path;
    }
    dpl_import_summary s =
        DPL_INIT(dpl_import_summary, .read = &r->read, .skipped = &r->skipped);
    dpl__gate gate = {0};
    dpl_status status = DPL_OK;
    if (stays_in_parts(r)) {
        dpl__importer im = {.ctx = r->ctx, .inputs = r->in.data, .n_inputs = r->in.n};
        status = dpl__import_parts(&r->parts, &s, &im, &o, err);
        if (status != DPL_END)
            goto done;
        DPL__STEP(dpl__shared_leave(r->ctx, err));
        DPL__STEP(dpl__import_run(&im, NULL, &s, path, &o, err));
        goto done;
    }
    DPL__STEP(dpl__item_gate_make(&gate, r, err));
    DPL__STEP(gate.ctx
                  ? dpl__import_gated(&s, r->ctx, path, r->in.data, r->in.n, &o, &gate, err)
                  : dpl_import_inputs(&s, r->ctx, path, r->in.data, r->in.n, &o, err));
done:
    dpl__gate_clear(&gate);
    r->s.n_spilled_bytes += s.n_spilled_bytes;
    return status;
}

static dpl_status read_docs(dpl_dedup_result *r, dpl_error *err)
{
    char path[4200], list[4200];
    const double began = dpl__now();
    DPL_TRY(dpl__out_folder_file(path, sizeof path, &r->work.folder, true, "docs.dpl", err));
    DPL_TRY(dpl__out_folder_file(list, sizeof list, &r->work.folder, true, "skipped.tsv", err));
    if (r->work.has_import)
        DPL_TRY(dpl__collection_open_any(&r->collection, r->ctx, path, err));
    if (r->collection && (!needs_rows(r) || dpl__collection_has_rows(r->collection))) {
        DPL_TRY(dpl__skips_read(&r->skipped, list, err));
    } else {
        dpl_collection_close(r->collection);
        r->collection = NULL;
        DPL_TRY(import(r, path, err));
        DPL_TRY(dpl__skips_write(&r->skipped, list, err));
        if (!r->parts.n)
            DPL_TRY(dpl__collection_open_any(&r->collection, r->ctx, path, err));
    }
    r->s.import_seconds = dpl__now() - began;
    return DPL_OK;
}

/* Edges of rows become edges of their first documents, or back. */
static void renumber(dpl__edges *edges, const dpl__dedup_docs *d, bool to_rows)
{
    for (size_t i = 0; i < edges->n; i++) {
        dpl_dedup_edge *e = &edges->data[i];
        const uint32_t a = to_rows ? d->row_of[e->left] : d->rows[e->left].doc,
                       b = to_rows ? d->row_of[e->right] : d->rows[e->right].doc;
        e->left = a < b ? a : b;
        e->right = a < b ? b : a;
    }
    dpl__edges_sort(edges);
}

/* Pairs of rows: searched, or those of the earlier run. */
static dpl_status find_pairs(dpl__dedup_search *s, dpl_dedup_result *r, const uint32_t *n_set,
                             double own, dpl_error *err)
{
    const dpl__dedup_query q = {r->ctx, &r->docs, &r->sets, &r->o, r->work.folder.work};
    if (r->work.has_search) {
        DPL_TRY(dpl__work_read_edges(&s->found, &r->work, r->docs.n_docs, err));
        renumber(&s->found.edges, &r->docs, true);
        r->s.is_resumed = true;
        return DPL_OK;
    }
    if (r->docs.n_rows)
        DPL_TRY(r->o.measure == DPL_DEDUP_COSINE ? dpl__search_vectors(s, &q, err)
                : dpl__dedup_is_by_items(&r->o)  ? dpl__search_items(s, &q, err)
                                                 : dpl__search_sets(s, &q, n_set, own, err));
    if (r->docs.n_rows && r->o.lexicon)
        DPL_TRY(dpl__search_translations(&s->found.edges, &q, err));
    if (dpl__is_shared(r->ctx)) /* is not resumed */
        return DPL_OK;
    renumber(&s->found.edges, &r->docs, false);
    DPL_TRY(dpl__work_write_edges(&r->work, &s->found, err));
    renumber(&s->found.edges, &r->docs, true);
    return DPL_OK;
}

static dpl_status check_recall(dpl_dedup_result *r, const dpl__dedup_search *s,
                               const uint32_t *n_set, dpl_error *err)
{
    const dpl__set_query q = {&r->docs, &r->sets, n_set, r->o.measure, r->o.threshold, 1};
    if (s->found.is_exact) {
        r->check = (dpl_recall_check){.is_exact = true, .recall = 1, .low = 1, .high = 1};
        return DPL_OK;
    }
    r->check = s->check;
    if (r->o.no_recall_check || r->o.measure == DPL_DEDUP_COSINE)
        return DPL_OK;
    return dpl__set_recall(&r->check, &q, r->clusters.root, r->o.only_against, r->o.sample,
                           err);
}

static dpl_status cluster(dpl_dedup_result *r, const dpl__dedup_search *s, dpl_error *err)
{
    const dpl__cluster_rule rule = {.threshold = r->o.threshold,
                                    .translation = r->o.translation,
                                    .keep = r->o.select,
                                    .field = r->o.field,
                                    .linkage = r->o.linkage,
                                    .only_against = r->o.only_against};
    const double began = dpl__now();
    DPL_TRY(dpl__clusters_make(&r->clusters, &r->docs, &s->found.edges, &rule, err));
    r->s.cluster_seconds = dpl__now() - began;
    for (size_t i = 0; i < s->found.edges.n; i++) {
        const dpl_dedup_edge *e = &s->found.edges.data[i];
        if (!dpl__edge_joins(e, &rule))
            continue;
        r->s.n_near += e->kind == DPL_EDGE_NEAR;
        r->s.n_translations += e->kind == DPL_EDGE_TRANSLATION;
    }
    return DPL_OK;
}

/* The search, its clusters and its recall. */
static dpl_status search(dpl_dedup_result *r, dpl_error *err)
{
    dpl__dedup_search s = {0};
    uint32_t *n_set = NULL;
    double own = 1;
    const double began = dpl__now();
    dpl_status status;
    if (r->docs.n_rows && r->o.measure != DPL_DEDUP_COSINE && !dpl__dedup_is_by_items(&r->o))
        DPL__STEP(dpl__set_sizes(&n_set, &own, &r->docs, &r->sets,
                                 r->o.method <= DPL_DEDUP_EXACT, err));
    DPL__STEP(find_pairs(&s, r, n_set, own, err));
    r->s.search_seconds += dpl__now() - began - s.verify_seconds;
    r->s.verify_seconds = s.verify_seconds;
    DPL__STEP(cluster(r, &s, err));
    if (r->docs.n_rows)
        DPL__STEP(check_recall(r, &s, n_set, err));
    renumber(&s.found.edges, &r->docs,
             false); /* after a failure they may be documents already */
done:
    dpl__free(r->ctx, n_set);
    r->found = s.found;
    r->s.n_candidates = s.found.n_candidates;
    r->s.method = (dpl_dedup_method)s.found.method;
    r->s.code_length = s.found.code_length;
    r->s.n_codes = s.found.n_codes;
    return status;
}

/* New documents that are not the first of their words; only_against: with those of an old one.
 */
static uint64_t count_copies(const dpl__dedup_docs *d, bool only_against)
{
    uint64_t n = 0;
    if (only_against) {
        for (uint32_t doc = 0; doc < d->n_new; doc++)
            n += d->rows[d->row_of[doc]].has_old;
        return n;
    }
    n = d->n_new;
    for (uint32_t row = 0; row < d->n_rows; row++)
        n -= d->rows[row].has_new && !d->rows[row].has_old;
    return n;
}

static dpl_status count_clusters(dpl_dedup_result *r, dpl_error *err)
{
    const uint32_t n = r->docs.n_docs;
    uint32_t *sizes = dpl__calloc(r->ctx, (size_t)n + 1, sizeof *sizes);
    DPL_TRY(dpl__need(sizes, err));
    for (uint32_t doc = 0; doc < n; doc++) {
        const bool is_kept = r->clusters.center[doc] == doc;
        sizes[r->clusters.center[doc]]++;
        r->s.n_kept += doc < r->docs.n_new && is_kept;
        r->s.n_written += doc < r->docs.n_new && doc >= r->s.n_seen && is_kept;
        r->s.n_removed += !is_kept;
    }
    r->s.n_copies = count_copies(&r->docs, r->o.only_against);
    for (uint32_t doc = 0; doc < n; doc++) {
        r->s.n_clusters += sizes[doc] > 1;
        r->s.largest = dpl__max(r->s.largest, sizes[doc]);
    }
    dpl__free(r->ctx, sizes);
    return DPL_OK;
}

static dpl_status write_all(dpl_dedup_result *r, dpl_error *err)
{
    const double began = dpl__now();
    bool has_drops = r->work.has_import; /* not known */
    for (unsigned i = 0; i < DPL_N_DROPS; i++)
        has_drops = has_drops || r->read.n_dropped[i];
    if (!r->work.is_temporary)
        DPL_TRY(dpl__kept_write(r, has_drops, err));
    DPL_TRY(dpl__shared_leave(r->ctx, err));
    DPL_TRY(dpl__dedup_write_clusters(r, err));
    if (r->o.n_against && !r->work.is_temporary)
        DPL_TRY(dpl__dedup_write_contamination(r, err));
    r->s.write_seconds = dpl__now() - began;
    return DPL_OK;
}

static dpl_status dedup_documents(dpl_dedup_result *r, dpl_error *err)
{
    DPL_TRY(read_docs(r, err));
    const double began = dpl__now();
    if (r->parts.n)
        DPL_TRY(dpl__sets_init_parts(&r->sets, r->ctx, &r->parts, r->o.shingle, err));
    else
        DPL_TRY(dpl__sets_init(&r->sets, r->ctx, r->collection, r->o.shingle, err));
    DPL_TRY(dpl__dedup_docs_init(&r->docs, &r->sets, &r->in, r->n_new_inputs, err));
    r->s.search_seconds = dpl__now() - began;
    r->s.n_docs = r->docs.n_new;
    r->s.n_old = r->docs.n_docs - r->docs.n_new;
    while (r->s.n_seen < r->docs.n_new &&
           dpl__dedup_input_of(&r->docs, (uint32_t)r->s.n_seen) < r->state.n_earlier)
        r->s.n_seen++;
    DPL_TRY(search(r, err));
    DPL_TRY(count_clusters(r, err));
    if (r->o.n_against)
        DPL_TRY(dpl__dedup_find_hits(r, err));
    return write_all(r, err);
}

/* ---- the call ----------------------------------------------------------------------- */

/* The documents of this run and those before it are what the next one has seen. */
static dpl_status keep_state(dpl_dedup_result *r, dpl_error *err)
{
    char path[4200];
    DPL_TRY(dpl__out_folder_file(path, sizeof path, &r->work.folder, true, "docs.dpl", err));
    DPL_TRY(dpl__state_write(&r->state, path, err));
    dpl__name_lock_release(&r->state.lock); /* the result may live on */
    return DPL_OK;
}

/* user: the run. Processes share its loops, and one of them writes the result. */
static dpl_status dedup_all(void *user, dpl_error *err)
{
    dpl_dedup_result *r = user;
    return r->o.unit == DPL_DEDUP_DOCUMENT ? dedup_documents(r, err) : dpl__dedup_parts(r, err);
}

static dpl_status run(dpl_dedup_result *r, const char *dir, const dpl_input *inputs, size_t n,
                      dpl_error *err)
{
    const double began = dpl__now();
    DPL_TRY(set_stem(r, err));
    if (r->o.state) {
        DPL_TRY(dpl__state_open(&r->state, r->ctx, r->o.state, inputs, n, err));
        inputs = r->state.inputs;
        n = r->state.n;
    }
    const dpl__work_run run_of = {dir, inputs, n, &r->o};
    DPL_TRY(dpl__work_open(&r->work, r->ctx, &run_of, err));
    DPL_TRY(dpl__dedup_open_inputs(r, inputs, n, err));
    DPL_TRY(dpl__shared_finish(r->ctx, r, dedup_all, err));
    r->s.seconds = dpl__now() - began;
    if (!r->work.is_temporary)
        DPL_TRY(dpl__dedup_write_run(r, err));
    return r->o.state ? keep_state(r, err) : DPL_OK;
}

dpl_status dpl_dedup(dpl_dedup_result **out, dpl_ctx *ctx, const char *dir,
                     const dpl_input *inputs, size_t n_inputs, const dpl_dedup_options *options,
                     dpl_error *err)
{
    if (out)
        *out = NULL;
    dpl_dedup_result *r = dpl__calloc(ctx, 1, sizeof *r);
    DPL_TRY(dpl__need(r, err));
    r->ctx = ctx;
    r->read = (dpl_read_counts)DPL_INIT(dpl_read_counts);
    r->skipped.ctx = ctx;
    r->ids = dpl__calloc(ctx, 2, sizeof *r->ids);
    dpl_status status;
    DPL__STEP(r->ids ? take_options(&r->o, options, err) : dpl__fail_nomem(err));
    r->s.unit = r->o.unit;
    r->s.measure = r->o.measure;
    r->s.threshold = r->o.threshold;
    r->s.floor = r->o.floor;
    r->s.shingle = r->o.shingle;
    r->s.read = &r->read;
    r->s.skipped = &r->skipped;
    r->s.recall_check = &r->check;
    DPL__STEP(run(r, dir, inputs, n_inputs, err));
    if (out) {
        *out = r;
        r = NULL;
    }
done:
    dpl_dedup_result_free(r);
    return status;
}

void dpl_dedup_result_free(dpl_dedup_result *r)
{
    if (!r)
        return;
    dpl__clusters_clear(&r->clusters);
    dpl__vec_clear(r->ctx, &r->hits, &r->found.edges);
    dpl__dedup_docs_clear(&r->docs);
    dpl__sets_clear(&r->sets);
    dpl__doc_parts_clear(&r->parts);
    dpl_collection_close(r->collection);
    dpl__inputs_close(&r->in);
    dpl__work_close(&r->work);
    dpl__state_close(&r->state);
    dpl__skips_clear(&r->skipped);
    for (int i = 0; r->ids && i < 2; i++)
        dpl__vec_clear(r->ctx, &r->ids[i]);
    dpl__free(r->ctx, r->ids, r);
}

const dpl_dedup_summary *dpl_dedup_get_summary(const dpl_dedup_result *result)
{
    return &result->s;
}

dpl_dedup_doc dpl_dedup_get_doc(const dpl_dedup_result *r, uint32_t doc)
{
    assert(doc < r->docs.n_new);
    const uint32_t center = r->clusters.center[doc];
    return (dpl_dedup_doc){.id = dpl__dedup_id(&r->docs, doc, &r->ids[0]),
                           .cluster = dpl__dedup_id(&r->docs, center, &r->ids[1]),
                           .score = r->clusters.score[doc],
                           .is_kept = center == doc,
                           .kind = (dpl_dedup_kind)r->clusters.kind[doc]};
}

const dpl_dedup_edge *dpl_dedup_get_edges(const dpl_dedup_result *result, size_t *n)
{
    *n = result->found.edges.n;
    return result->found.edges.data;
}

const dpl_dedup_hit *dpl_dedup_get_hits(const dpl_dedup_result *result, size_t *n)
{
    *n = result->hits.n;
    return result->hits.data;
}

dpl_str dpl_dedup_get_item(const dpl_dedup_result *r, uint32_t item)
{
    assert(item < r->docs.n_docs - r->docs.n_new);
    return dpl__dedup_bare_id(&r->docs, r->docs.n_new + item);
}

const dpl_collection *dpl_dedup_get_collection(const dpl_dedup_result *result)
{
    return result->collection;
}
