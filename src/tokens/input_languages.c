/*
 * input_languages.c - inputs are counted by language, and divided.
 *
 * In: files. Out: documents of each language in each file, and from these which languages take
 * part. Identification from the text is sometimes wrong, so a file of which single_percent
 * (tokens_params.h) are in one language is taken as being in that language as a whole, unless
 * its documents declare something else. In a file of several languages every document goes
 * where it says or seems to belong; languages with a few documents only are most often
 * mistakes, and left out.
 *
 * Cost: reading the inputs once more than importing them does, in parallel.
 */
#include "tokens/input_languages.h"

#include "base/ctx.h"
#include "par/pool.h"
#include "readers/chunks.h"
#include "tokens/importer.h"
#include "tokens/open_inputs.h"
#include "tokens/tokens_params.h"

#include <stdio.h>

/* A language takes part with so many documents, and this share of all of them: the share does
 * not matter when the documents declare it. */
#define LEAST_DOCS ((uint64_t)DPL__P(tokens, language_docs))
#define LEAST_PERCENT ((uint64_t)DPL__P(tokens, language_percent))
/* An input is in one language when this share of its documents is, and when no other one is
 * declared by so many: a few pages that were left untranslated, and say so, do not matter. */
#define SINGLE_PERCENT ((uint64_t)DPL__P(tokens, single_percent))
#define DECLARED_PERCENT ((uint64_t)DPL__P(tokens, declared_percent))

/* ---- counting ----------------------------------------------------------------------- */

static dpl_status count(dpl__lang_counts *counts, dpl_ctx *ctx, const char *code,
                        uint64_t n_docs, uint64_t n_declared, dpl_error *err)
{
    size_t i = 0;
    while (i < counts->n && strcmp(counts->data[i].code, code) != 0)
        i++;
    if (i == counts->n) {
        dpl__lang_count new = {{0}, 0, 0};
        memcpy(new.code, code, dpl__min(strlen(code), sizeof new.code - 1));
        DPL_TRY(dpl__need(dpl__vec_push(ctx, counts, new), err));
    }
    counts->data[i].n_docs += n_docs;
    counts->data[i].n_declared += n_declared;
    return DPL_OK;
}

static bool is_unknown(const char *code)
{
    return strcmp(code, "und") == 0;
}

static int by_docs(const void *a, const void *b)
{
    const dpl__lang_count *x = a, *y = b;
    if (is_unknown(x->code) != is_unknown(y->code))
        return is_unknown(x->code) ? 1 : -1;
    if (x->n_docs != y->n_docs)
        return x->n_docs > y->n_docs ? -1 : 1;
    return strcmp(x->code, y->code);
}

typedef struct slot {
    dpl__chunk chunk;
    dpl__batch batch;
} slot;

typedef struct counting {
    dpl_ctx *ctx;
    dpl_reader *reader;
    slot *slots;
    dpl__input_langs *in;
} counting;

static dpl_status produce(void *user, size_t index, dpl_error *err)
{
    counting *c = user;
    dpl_progress p = {"languages", "bytes", dpl_reader_counts(c->reader)->n_file_bytes,
                      dpl__reader_size(c->reader)};
    DPL_TRY(dpl__progress(c->ctx, &p, err));
    return dpl__reader_chunk(c->reader, &c->slots[index].chunk, err);
}

static dpl_status map(void *user, size_t index, unsigned worker, dpl_error *err)
{
    (void)worker;
    counting *c = user;
    slot *s = &c->slots[index];
    dpl__batch_reset(&s->batch);
    return dpl__reader_parse(c->reader, &s->batch, &s->chunk, err);
}

static dpl_status commit(void *user, size_t index, dpl_error *err)
{
    counting *c = user;
    const dpl__batch *batch = &c->slots[index].batch;
    c->in->n_docs += batch->docs.n;
    for (size_t i = 0; i < batch->docs.n; i++) /* texts of the arena are terminated */
        DPL_TRY(count(&c->in->langs, c->ctx, batch->docs.data[i].lang.data, 1,
                      !batch->is_identified.data[i], err));
    return DPL_OK;
}

static dpl_status count_documents(dpl__input_langs *in, dpl_ctx *ctx,
                                  const dpl_reader_options *read, dpl_error *err)
{
    counting c = {.ctx = ctx, .in = in};
    size_t n_slots = 2 * (size_t)ctx->n_threads + 1;
    uint64_t chunk = ctx->memory / 64 / n_slots, most = ctx->memory / 8;
    dpl_reader_options o = *read;
    o.size = sizeof o;
    o.lang = o.only_lang = NULL;
    o.chunk = chunk > 1 << 20 ? 1 << 20 : chunk < 1 << 14 ? 1 << 14 : (size_t)chunk;
    if (!o.max_record && most < DPL__MAX_RECORD) /* as an import has it */
        o.max_record = most;
    DPL_TRY(dpl_reader_open(&c.reader, ctx, in->path, &o, err));
    c.slots = dpl__calloc(ctx, n_slots, sizeof *c.slots);
    dpl_status status;
    DPL__STEP(dpl__need(c.slots, err));
    for (size_t i = 0; i < n_slots; i++)
        dpl__batch_init(&c.slots[i].batch, ctx, dpl__reader_options(c.reader));
    const dpl__pipeline p = {&c, n_slots, produce, map, commit};
    DPL__STEP(dpl__pipeline_run(ctx, &p, err));
    if (in->n_docs == 0) {
        char name[4200];
        snprintf(name, sizeof name, "'%s'", in->path);
        status = dpl__fail_no_documents(name, dpl_reader_counts(c.reader), err);
    }
done:
    for (size_t i = 0; i < n_slots && c.slots; i++) {
        dpl__chunk_clear(&c.slots[i].chunk, ctx);
        dpl__batch_clear(&c.slots[i].batch);
    }
    dpl__free(ctx, c.slots);
    dpl_reader_close(c.reader);
    return status;
}

dpl_status dpl__count_collection(dpl__input_langs *in, dpl_ctx *ctx, const dpl_collection *c,
                                 dpl_error *err)
{
    dpl_status status = DPL_OK;
    in->n_docs = dpl_collection_get_sizes(c)->n_docs;
    for (uint32_t doc = 0; doc < in->n_docs && status == DPL_OK; doc++) {
        char code[12] = "";
        dpl_str lang = dpl_collection_doc(c, doc).lang;
        memcpy(code, lang.data, dpl__min(lang.n, sizeof code - 1));
        status = count(&in->langs, ctx, code, 1, 0, err);
    }
    dpl__vec_sort(&in->langs, by_docs);
    return status;
}

static dpl_status count_file(dpl__input_langs *in, dpl_ctx *ctx, dpl_error *err)
{
    dpl_collection *c = NULL;
    DPL_TRY(dpl_collection_open(&c, ctx, in->path, err));
    dpl_status status = dpl__count_collection(in, ctx, c, err);
    dpl_collection_close(c);
    return status;
}

static uint64_t n_untold(const dpl__input_langs *in)
{
    const dpl__lang_count *last = in->langs.n ? &in->langs.data[in->langs.n - 1] : NULL;
    return last && is_unknown(last->code) ? last->n_docs : 0;
}

/* Whether the language most likely cannot be identified: languages detected in a few documents
 * are noise. */
static bool is_untold(const dpl__input_langs *in)
{
    return 2 * n_untold(in) > in->n_docs;
}

static bool is_declared(const dpl__input_langs *in, const dpl__lang_count *l)
{
    return l->n_declared >= LEAST_DOCS && 100 * l->n_declared >= DECLARED_PERCENT * in->n_docs;
}

static bool is_nearly_all(const dpl__input_langs *in, uint64_t n_docs)
{
    return 100 * n_docs >= SINGLE_PERCENT * (in->n_docs - n_untold(in));
}

bool dpl__is_single(const dpl__input_langs *in, bool is_alone)
{
    if (is_alone)
        return false;
    for (size_t i = 1; i < in->langs.n; i++)
        if (is_declared(in, &in->langs.data[i]))
            return false;
    return in->n_docs == 0 || is_untold(in) || is_nearly_all(in, in->langs.data[0].n_docs);
}

dpl_status dpl__census_take(dpl__census *out, dpl_ctx *ctx, const char *const *paths,
                            size_t n_paths, const dpl_reader_options *read, dpl_error *err)
{
    *out = (dpl__census){.ctx = ctx, .n_inputs = n_paths};
    out->inputs = dpl__calloc(ctx, n_paths, sizeof *out->inputs);
    DPL_TRY(dpl__need(out->inputs, err));
    for (size_t i = 0; i < n_paths; i++) {
        dpl__input_langs *in = &out->inputs[i];
        in->path = paths[i];
        DPL_TRY(dpl__is_collection(&in->is_collection, ctx, paths[i], err));
        DPL_TRY(in->is_collection ? count_file(in, ctx, err)
                                  : count_documents(in, ctx, read, err));
        dpl__vec_sort(&in->langs, by_docs);
        in->is_single = dpl__is_single(in, n_paths == 1 && !in->is_collection);
    }
    dpl__choose_languages(out->inputs, n_paths);
    return DPL_OK;
}

const char *dpl__main_language(const dpl__input_langs *in)
{
    return in->langs.n && !is_untold(in) ? in->langs.data[in->own].code : NULL;
}

static bool is_main(const dpl__input_langs *in, const char *code)
{
    const char *own = dpl__main_language(in);
    return own && strcmp(own, code) == 0;
}

static bool is_main_of_any(const dpl__input_langs *inputs, size_t n, const char *code)
{
    bool is_there = false;
    for (size_t i = 0; i < n; i++)
        is_there = is_there || is_main(&inputs[i], code);
    return is_there;
}

void dpl__choose_languages(dpl__input_langs *inputs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dpl__input_langs *in = &inputs[i];
        bool is_taken = false;
        for (size_t k = 0; k < n && !in->is_single && in->langs.n > 1; k++)
            is_taken = is_taken ||
                       (inputs[k].is_single && is_main(&inputs[k], in->langs.data[0].code));
        const dpl__lang_count *second = is_taken ? &in->langs.data[1] : NULL;
        if (second && !is_unknown(second->code) && second->n_docs >= LEAST_DOCS &&
            100 * second->n_docs >= DECLARED_PERCENT * in->n_docs &&
            !is_main_of_any(inputs, n, second->code))
            in->own = 1;
    }
}

bool dpl__census_is_two_sided(const dpl__census *census)
{
    return census->n_inputs == 2 && dpl__are_two_sides(census->inputs);
}

/* ---- dividing ----------------------------------------------------------------------- */

/* Has every input a main language that no other one has? */
static bool has_own_languages(const dpl__input_langs *inputs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            if (!dpl__main_language(&inputs[i]) ||
                (k != i && is_main(&inputs[k], dpl__main_language(&inputs[i]))))
                return false;
    return n > 1;
}

/* Is the language that of another input, which has its own documents in it? */
static bool is_of_another(const dpl__census *c, const dpl__input_langs *in, const char *code)
{
    bool is_there = false;
    for (size_t i = 0; i < c->n_inputs && c->is_one_each; i++)
        is_there |= &c->inputs[i] != in && is_main(&c->inputs[i], code);
    return is_there;
}

/* Documents of the language in an input, as the input is divided; NULL when it has none. */
static const dpl__lang_count *find(const dpl__census *c, const dpl__input_langs *in,
                                   const char *code)
{
    for (size_t i = 0; i < in->langs.n && !(in->is_single && i > 0); i++)
        if (strcmp(in->langs.data[i].code, code) == 0)
            return is_of_another(c, in, code) ? NULL : &in->langs.data[i];
    return NULL;
}

static dpl_status check_input(const dpl__input_langs *in, dpl_error *err)
{
    if (in->is_single && is_untold(in))
        return dpl__fail_code(err, DPL_E_USAGE, "undetected-language",
                              "the language of '%s' cannot be detected", in->path);
    if (in->is_collection && !in->is_single)
        return dpl__fail_code(err, DPL_E_USAGE, "mixed-collection",
                              "'%s' is a collection of several languages", in->path);
    return DPL_OK;
}

static bool takes_part(const dpl__census *c, const char *code)
{
    uint64_t n_docs = 0, n_declared = 0, all = 0;
    if (is_unknown(code))
        return false;
    for (size_t i = 0; i < c->n_inputs; i++) {
        const dpl__lang_count *n = find(c, &c->inputs[i], code);
        if (n && c->inputs[i].is_single)
            return true;
        n_docs += n ? n->n_docs : 0;
        n_declared += n ? n->n_declared : 0;
        all += c->inputs[i].is_single ? 0 : c->inputs[i].n_docs;
    }
    return n_declared >= LEAST_DOCS ||
           (n_docs >= LEAST_DOCS && 100 * n_docs >= LEAST_PERCENT * all);
}

/* Is each input there for a language of its own, and hardly any document in another one? */
static bool is_one_each(const dpl__input_langs *inputs, size_t n)
{
    bool is_one = has_own_languages(inputs, n);
    for (size_t i = 0; i < n && is_one; i++) {
        uint64_t n_known = 0;
        for (size_t k = 0; k < inputs[i].langs.n; k++) {
            const dpl__lang_count *l = &inputs[i].langs.data[k];
            const bool is_known = is_main_of_any(inputs, n, l->code);
            n_known += is_known ? l->n_docs : 0;
            is_one = is_one && (is_known || !is_declared(&inputs[i], l));
        }
        is_one = is_one && is_nearly_all(&inputs[i], n_known);
    }
    return is_one;
}

bool dpl__are_two_sides(const dpl__input_langs inputs[2])
{
    return (inputs[0].is_single && inputs[1].is_single) || is_one_each(inputs, 2);
}

static dpl_status add_language(dpl__census *c, const char *code, dpl_error *err)
{
    dpl__language new = {{0}, false, {NULL, 0, 0}, NULL};
    memcpy(new.code, code, sizeof new.code);
    DPL_TRY(dpl__need(dpl__vec_push(c->ctx, &c->langs, new), err));
    dpl__language *l = &c->langs.data[c->langs.n - 1];
    for (size_t i = 0; i < c->n_inputs; i++) {
        const dpl__input_langs *in = &c->inputs[i];
        if (!find(c, in, code))
            continue;
        DPL_TRY(dpl__need(dpl__vec_push(c->ctx, &l->paths, in->path), err));
        l->is_mixed = l->is_mixed || !in->is_single;
        l->collection = in->is_collection ? in->path : l->collection;
    }
    if (l->collection && l->paths.n > 1)
        return dpl__fail_code(err, DPL_E_USAGE, "collection-and-files",
                              "'%s' is a collection in '%s', and other inputs are too",
                              l->collection, code);
    return DPL_OK;
}

static const dpl__language *language(const dpl__census *c, const char *code)
{
    for (size_t i = 0; i < c->langs.n; i++)
        if (strcmp(c->langs.data[i].code, code) == 0)
            return &c->langs.data[i];
    return NULL;
}

static int by_code(const void *a, const void *b)
{
    const dpl__language *x = a, *y = b;
    return strcmp(x->code, y->code);
}

static dpl_status count_left_out(dpl__census *c, dpl_error *err)
{
    for (size_t i = 0; i < c->n_inputs; i++) {
        const dpl__input_langs *in = &c->inputs[i];
        for (size_t k = 0; k < in->langs.n; k++) {
            const dpl__lang_count *n = &in->langs.data[k];
            const dpl__language *as = language(c, in->langs.data[in->is_single ? 0 : k].code);
            bool is_read = as && (!as->is_mixed || strcmp(as->code, n->code) == 0) &&
                           !(!in->is_single && is_of_another(c, in, n->code));
            if (!is_read)
                DPL_TRY(count(&c->left_out, c->ctx, n->code, n->n_docs, n->n_declared, err));
        }
    }
    dpl__vec_sort(&c->left_out, by_docs);
    return DPL_OK;
}

static dpl_status fail_alone(const dpl__census *c, dpl_error *err)
{
    if (c->langs.n == 0)
        return dpl__fail(err, DPL_E_USAGE, "no language has %u documents or more",
                         (unsigned)LEAST_DOCS);
    uint64_t n_others = 0;
    for (size_t i = 0; i < c->left_out.n; i++)
        n_others += c->left_out.data[i].n_docs;
    if (n_others)
        dpl__fail(err, DPL_E_USAGE, "all documents but %llu are in '%s'",
                  (unsigned long long)n_others, c->langs.data[0].code);
    else
        dpl__fail(err, DPL_E_USAGE, "all documents are in '%s'", c->langs.data[0].code);
    return dpl__code(err, DPL_E_USAGE, "one-language");
}

static bool is_wanted(const dpl__census *c, const char *code)
{
    if (!c->wanted[0] || !c->wanted[1])
        return takes_part(c, code);
    return strcmp(code, c->wanted[0]) == 0 || strcmp(code, c->wanted[1]) == 0;
}

dpl_status dpl__census_divide(dpl__census *c, dpl_error *err)
{
    c->is_one_each = is_one_each(c->inputs, c->n_inputs);
    for (size_t i = 0; i < c->n_inputs; i++)
        DPL_TRY(check_input(&c->inputs[i], err));
    for (size_t i = 0; i < c->n_inputs; i++)
        for (size_t k = 0; k < c->inputs[i].langs.n; k++) {
            const char *code = c->inputs[i].langs.data[k].code;
            if (!language(c, code) && is_wanted(c, code))
                DPL_TRY(add_language(c, code, err));
        }
    DPL_TRY(count_left_out(c, err));
    if (c->langs.n < 2)
        return fail_alone(c, err);
    dpl__vec_sort(&c->langs, by_code);
    return DPL_OK;
}

void dpl__census_clear(dpl__census *c)
{
    for (size_t i = 0; i < c->langs.n; i++)
        dpl__vec_clear(c->ctx, &c->langs.data[i].paths);
    for (size_t i = 0; c->inputs && i < c->n_inputs; i++)
        dpl__vec_clear(c->ctx, &c->inputs[i].langs);
    dpl__free(c->ctx, c->inputs);
    dpl__vec_clear(c->ctx, &c->langs, &c->left_out);
}
