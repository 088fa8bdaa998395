/*
 * reuse.c - the search for reused text: both sides read, passages found, selected, located.
 */
#include "reuse/reuse_run.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "dedup/dedup_search.h"
#include "io/shared_run.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- options ------------------------------------------------------------------------ */

static dpl_status take_options(dpl_reuse_options *o, const dpl_reuse_options *given,
                               dpl_error *err)
{
    DPL_TRY(DPL__TAKE(o, given, err));
    o->seed_words = o->seed_words ? o->seed_words : 3;
    o->gap = o->gap ? o->gap : 24;
    o->min_words = o->min_words ? o->min_words : 15;
    o->threshold = o->threshold != 0 ? o->threshold : 0.55;
    o->translation = o->translation != 0 ? o->translation : 0.45;
    o->top = o->top ? o->top : 5;
    const bool is_good = o->seed_words >= 2 && o->seed_words <= 16 && o->threshold > 0 &&
                         o->threshold <= 1 && o->translation > 0 && o->translation <= 1;
    if (is_good)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "bad-option",
                          "seeds have 2 to 16 words, shares are above 0 and at most 1");
}

/* ---- sides -------------------------------------------------------------------------- */

/* Documents of one side, or a collection that was made before. */
static dpl_status open_side(dpl_reuse_result *r, int side, const dpl_input *inputs, size_t n,
                            dpl_error *err)
{
    const dpl_tokens_options tokens =
        DPL_INIT(dpl_tokens_options, .stem = r->is_stemmed,
                 .sentence_langs = r->is_stemmed ? r->langs : NULL);
    const dpl_import_options o =
        DPL_INIT(dpl_import_options, .read = r->o.read, .tokens = &tokens, .temp = r->o.temp);
    bool has_stop_file;
    DPL_TRY(dpl__inputs_open(&r->in[side], r->ctx, inputs, n, err));
    DPL_TRY(dpl__inputs_collection(&r->c[side], &r->in[side], &o, err));
    r->words[side] = dpl__collection_words(r->c[side], &has_stop_file);
    if (!r->is_stemmed || r->words[side].stem)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "not-stemmed",
                          "the lexicon has stems, and '%s' does not", dpl_input_name(inputs));
}

static dpl_status open_lexicon(dpl_lexicon **out, dpl_reuse_result *r, dpl_error *err)
{
    const dpl_dedup_options o = DPL_INIT(dpl_dedup_options, .lexicon = r->o.lexicon,
                                         .lexicon_langs = r->o.lexicon_langs);
    return r->o.lexicon ? dpl__dedup_lexicon(out, r->ctx, &o, err) : DPL_OK;
}

/* Whether it has stems, and its languages, each once. */
static void note_lexicon(dpl_reuse_result *r, const dpl_lexicon *lexicon)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(lexicon);
    const char *const langs[] = {about.source_lang, about.target_lang};
    r->is_stemmed = r->is_stemmed || about.is_stemmed;
    for (int i = 0; i < 2; i++) {
        const size_t n = strlen(r->langs);
        if (!strstr(r->langs, langs[i]))
            snprintf(r->langs + n, sizeof r->langs - n, "%s%s", n ? "," : "", langs[i]);
    }
}

/* ---- selection ---------------------------------------------------------------------- */

static int by_similarity(const void *a, const void *b)
{
    const dpl_passage *x = a, *y = b;
    if (x->query.doc != y->query.doc)
        return x->query.doc < y->query.doc ? -1 : 1;
    /* the number of words that are accounted for; then whatever makes the order complete */
    const float p = x->similarity * (float)x->query.n_tokens,
                q = y->similarity * (float)y->query.n_tokens;
    if (p != q)
        return p > q ? -1 : 1;
    if (x->source.doc != y->source.doc)
        return x->source.doc < y->source.doc ? -1 : 1;
    if (x->query.first_token != y->query.first_token)
        return x->query.first_token < y->query.first_token ? -1 : 1;
    if (x->source.first_token != y->source.first_token)
        return x->source.first_token < y->source.first_token ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static int by_place(const void *a, const void *b)
{
    const dpl_passage *x = a, *y = b;
    if (x->query.doc == y->query.doc && x->query.first_token != y->query.first_token)
        return x->query.first_token < y->query.first_token ? -1 : 1;
    return by_similarity(a, b);
}

static uint32_t overlap(const dpl_span *a, const dpl_span *b)
{
    const uint32_t begin = a->first_token > b->first_token ? a->first_token : b->first_token,
                   x = a->first_token + a->n_tokens, y = b->first_token + b->n_tokens,
                   end = x < y ? x : y;
    return a->doc == b->doc && end > begin ? end - begin : 0;
}

/* A passage stays unless most of its place is taken by better ones: in the same source by one,
 * in others by as many as the options allow. */
static bool is_taken(const dpl__passages *kept, size_t first, const dpl_passage *p,
                     unsigned most)
{
    unsigned n = 0;
    for (size_t i = first; i < kept->n; i++) {
        const dpl_passage *other = &kept->data[i];
        if (2 * overlap(&other->query, &p->query) < p->query.n_tokens)
            continue;
        n++;
        if (other->source.doc == p->source.doc)
            return true;
    }
    return n >= most;
}

static void select_passages(dpl_reuse_result *r)
{
    dpl__passages *all = &r->passages;
    const size_t n = all->n;
    size_t first = 0;
    if (n)
        qsort(all->data, n, sizeof *all->data, by_similarity);
    all->n = 0;
    for (size_t i = 0; i < n; i++) {
        const dpl_passage p = all->data[i];
        if (all->n > first && all->data[first].query.doc != p.query.doc)
            first = all->n;
        if (!is_taken(all, first, &p, r->o.top))
            all->data[all->n++] = p;
    }
    dpl__vec_sort(all, by_place);
}

static void summarize(dpl_reuse_result *r)
{
    dpl_reuse_summary *s = &r->s;
    uint32_t doc = UINT32_MAX, end = 0;
    s->n_queries = dpl_collection_get_sizes(r->c[0])->n_docs;
    s->n_docs = dpl_collection_get_sizes(r->c[1])->n_docs;
    s->n_query_words = dpl_collection_get_sizes(r->c[0])->n_tokens;
    s->n_passages = r->passages.n;
    s->n_source_docs = r->sources.n;
    for (size_t i = 0; i < r->passages.n; i++) {
        const dpl_passage *p = &r->passages.data[i];
        const uint32_t stop = p->query.first_token + p->query.n_tokens;
        end = doc == p->query.doc ? end : 0;
        doc = p->query.doc;
        const uint32_t from = p->query.first_token > end ? p->query.first_token : end;
        s->n_reused_words += stop > from ? stop - from : 0;
        end = stop > end ? stop : end;
        s->n_kinds[p->kind]++;
    }
}

/* ---- the call ----------------------------------------------------------------------- */

static dpl_status search(dpl_reuse_result *r, const dpl_lexicon *lexicon, dpl_error *err)
{
    for (int side = 0; side < 2; side++)
        DPL_TRY(dpl__sets_init(&r->sets[side], r->ctx, r->c[side], r->o.seed_words, err));
    DPL_TRY(dpl__reuse_words(r, err));
    if (lexicon)
        DPL_TRY(dpl__reuse_translations(r, lexicon, err));
    for (size_t i = 0; i < r->o.n_lexicons; i++)
        DPL_TRY(dpl__reuse_translations(r, r->o.lexicons[i], err));
    select_passages(r);
    DPL_TRY(dpl__reuse_locate(r, err));
    DPL_TRY(dpl__reuse_sources(r, err));
    summarize(r);
    return DPL_OK;
}

static dpl_status run(dpl_reuse_result *r, const dpl_input *query, size_t n_query,
                      const dpl_input *collection, size_t n_collection, dpl_error *err)
{
    dpl_lexicon *lexicon = NULL;
    dpl_status status;
    DPL__STEP(open_lexicon(&lexicon, r, err));
    if (lexicon)
        note_lexicon(r, lexicon);
    for (size_t i = 0; i < r->o.n_lexicons; i++)
        note_lexicon(r, r->o.lexicons[i]);
    if ((status = open_side(r, 0, query, n_query, err)) != DPL_OK ||
        (status = open_side(r, 1, collection, n_collection, err)) != DPL_OK)
        goto done;
    status = search(r, lexicon, err);
done:
    dpl_lexicon_close(lexicon);
    return status;
}

/* Processes share the import of documents, and one of them does the rest. */
typedef struct task {
    dpl_reuse_result *r;
    const dpl_input *query;
    size_t n_query;
    const dpl_input *collection;
    size_t n_collection;
} task;

static void clear(dpl_reuse_result *r)
{
    dpl__vec_clear(r->ctx, &r->passages, &r->sources);
    for (int side = 0; side < 2; side++) {
        dpl__sets_clear(&r->sets[side]);
        dpl_collection_close(r->c[side]);
        dpl__inputs_close(&r->in[side]);
        r->c[side] = NULL;
    }
}

/* What was begun while another process did the rest goes. */
static dpl_status run_shared(void *user, dpl_error *err)
{
    const task *t = user;
    clear(t->r);
    return run(t->r, t->query, t->n_query, t->collection, t->n_collection, err);
}

dpl_status dpl_reuse(dpl_reuse_result **out, dpl_ctx *ctx, const dpl_input *query,
                     size_t n_query, const dpl_input *collection, size_t n_collection,
                     const dpl_reuse_options *options, dpl_error *err)
{
    const double began = dpl__now();
    *out = NULL;
    dpl_reuse_result *r = dpl__calloc(ctx, 1, sizeof *r);
    DPL_TRY(dpl__need(r, err));
    r->ctx = ctx;
    dpl_status status;
    DPL__STEP(take_options(&r->o, options, err));
    task t = {r, query, n_query, collection, n_collection};
    DPL__STEP(dpl__shared_finish(ctx, &t, run_shared, err));
    r->s.seconds = dpl__now() - began;
    *out = r;
    r = NULL;
done:
    dpl_reuse_result_free(r);
    return status;
}

void dpl_reuse_result_free(dpl_reuse_result *r)
{
    if (!r)
        return;
    clear(r);
    dpl__free(r->ctx, r);
}

const dpl_reuse_summary *dpl_reuse_get_summary(const dpl_reuse_result *result)
{
    return &result->s;
}

const dpl_passage *dpl_reuse_get_passage(const dpl_reuse_result *result, size_t i)
{
    assert(i < result->passages.n);
    return &result->passages.data[i];
}

dpl_doc dpl_reuse_doc(const dpl_reuse_result *r, uint32_t doc, bool is_source)
{
    assert(doc < dpl_collection_get_sizes(r->c[is_source])->n_docs);
    return dpl_collection_doc(r->c[is_source], doc);
}

dpl_str dpl_reuse_text(const dpl_reuse_result *r, const dpl_passage *p, bool is_source)
{
    const dpl_span *span = is_source ? &p->source : &p->query;
    const dpl_str text = dpl_collection_doc(r->c[is_source], span->doc).text;
    return (dpl_str){text.data + span->begin, span->end - span->begin};
}
