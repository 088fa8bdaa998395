/*
 * build_sources.c - the documents that an index is made of.
 *
 * Inputs that are read (JSON Lines, folders ...) become one collection for each run of them;
 * collections and indexes are taken as they are. All must have been cut into words in the same
 * way.
 */
#include "index/build.h"

#include "base/ctx.h"
#include "doppel/file.h"
#include "tokens/collection.h"
#include "tokens/input_ids.h"
#include "tokens/input_names.h"
#include "tokens/open_inputs.h"

/* ---- kinds of inputs ---------------------------------------------------------------- */

/* How a collection was cut into words: flags and the longest word, or that an index cannot be
 * made of it. */
static dpl_status words_of(const dpl_collection *c, unsigned *flags, unsigned *max_token,
                           dpl_error *err)
{
    const char *path = dpl_file_get_info(dpl__collection_file(c)).path;
    bool has_stop_file;
    const dpl_tokens_options words = dpl__collection_words(c, &has_stop_file);
    *flags = (words.stem ? DPL__F_STEM : 0u) | (words.stop_words ? DPL__F_STOP : 0u);
    *max_token = words.max_token;
    if (has_stop_file)
        return dpl__fail(err, DPL_E_USAGE,
                         "'%s' was made with stop words of its own: queries would have them",
                         path);
    if (words.ngrams)
        return dpl__fail(err, DPL_E_USAGE,
                         "'%s' holds character n-grams: an index is made of words", path);
    return DPL_OK;
}

static dpl_status set_words(dpl__builder *b, unsigned flags, unsigned max_token,
                            const char *name, dpl_error *err)
{
    enum { WORDS = DPL__F_STEM | DPL__F_STOP };
    if (b->sources.n > 0 &&
        ((b->flags & WORDS) != (flags & WORDS) || b->max_token != max_token))
        return dpl__fail_code(
            err, DPL_E_USAGE, "other-words",
            "'%s' was cut into words in another way (stems, stop words) than the inputs "
            "before it",
            name);
    b->flags |= flags & WORDS;
    b->max_token = max_token;
    return DPL_OK;
}

/* Whether an index can be made of it. */
static dpl_status check_source(dpl__builder *b, dpl__pocket_source s, dpl_error *err)
{
    unsigned flags = s.index ? s.index->flags : 0, max_token = s.index ? s.index->max_token : 0;
    assert(!s.collection != !s.index);
    if (s.collection)
        DPL_TRY(words_of(s.collection, &flags, &max_token, err));
    const char *name = s.collection ? dpl_file_get_info(dpl__collection_file(s.collection)).path
                                    : dpl_file_get_info(s.index->file).path;
    if (s.index && !(s.index->flags & DPL__F_VECTORS))
        return dpl__fail_code(err, DPL_E_UNSUPPORTED, "no-vectors",
                              "'%s' was built without vectors", name);
    if (s.index && b->o.texts && !(s.index->flags & DPL__F_TEXTS))
        return dpl__fail_code(err, DPL_E_UNSUPPORTED, "no-texts", "'%s' has no texts", name);
    return set_words(b, flags, max_token, name, err);
}

/* Adds it to the list; what it owns is closed in any case. */
static dpl_status push_source(dpl__builder *b, dpl__pocket_source s, dpl_error *err)
{
    dpl_status status;
    DPL__STEP(check_source(b, s, err));
    if (s.collection) {
        s.n_docs = dpl_collection_get_sizes(s.collection)->n_docs;
        s.n_terms = dpl_collection_get_sizes(s.collection)->n_terms;
    } else {
        s.n_docs = s.index->n_docs;
        s.n_terms = s.index->n_terms;
    }
    DPL__STEP(dpl__need(dpl__vec_push(b->ctx, &b->sources, s), err));
done:
    if (status != DPL_OK) {
        dpl_collection_close(s.own_collection);
        dpl_index_close(s.own_index);
    }
    return status;
}

/* ---- opening ------------------------------------------------------------------------ */

/* Inputs that are read become one collection, with numbers of inputs in front of ids. */
static dpl_status read_inputs(dpl__builder *b, const dpl_input *inputs, size_t first, size_t n,
                              dpl_error *err)
{
    dpl__pocket_source s = {.input = first, .has_numbers = true};
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options);
    if (b->o.tokens)
        tokens = *b->o.tokens;
    if (tokens.stop_file || tokens.ngrams)
        return dpl__fail(err, DPL_E_UNSUPPORTED,
                         "an index has neither stop words of its own nor character n-grams");
    dpl_import_options o =
        DPL_INIT(dpl_import_options, .read = b->o.read, .tokens = &tokens, .temp = b->o.temp,
                 .needs_docs = b->o.needs_docs, .number_inputs = true);
    DPL_TRY(dpl_collection_from_inputs(&s.own_collection, NULL, b->ctx, inputs + first, n, &o,
                                       err));
    s.collection = s.own_collection;
    return push_source(b, s, err);
}

static dpl_status open_one(dpl__builder *b, const dpl_input *in, size_t number,
                           const char *kind, dpl_error *err)
{
    dpl__pocket_source s = {.collection = in->collection, .input = number};
    if (in->collection)
        return push_source(b, s, err);
    if (strcmp(kind, DPL__POCKET_KIND) == 0) {
        DPL_TRY(dpl__index_open_whole(&s.own_index, b->ctx, in->path, err));
        s.index = s.own_index;
    } else {
        DPL_TRY(dpl_collection_open(&s.own_collection, b->ctx, in->path, err));
        s.collection = s.own_collection;
    }
    return push_source(b, s, err);
}

dpl_status dpl__build_open_inputs(dpl__builder *b, const dpl_input *inputs, size_t n,
                                  dpl_error *err)
{
    size_t first = 0; /* of the inputs that were not opened yet: they are read together */
    b->input_names = dpl__input_names(&b->arena, inputs, n);
    DPL_TRY(dpl__need(b->input_names, err));
    for (size_t i = 0; i < n; i++) {
        char kind[DPL_FILE_KIND];
        DPL_TRY(dpl_file_detect(kind, b->ctx, inputs[i].path, err));
        if (!inputs[i].collection && !*kind)
            continue;
        if (first < i)
            DPL_TRY(read_inputs(b, inputs, first, i - first, err));
        DPL_TRY(open_one(b, &inputs[i], i, kind, err));
        first = i + 1;
    }
    return first < n ? read_inputs(b, inputs, first, n - first, err) : DPL_OK;
}

/* ---- ids ---------------------------------------------------------------------------- */

/* The id as its input has it, and the number of that. */
static dpl_str own_id(const dpl__pocket_source *s, uint32_t local, size_t *input)
{
    dpl_str id = s->index ? dpl_index_document(s->index, local).id
                          : dpl_collection_doc(s->collection, local).id;
    *input = s->input + (s->has_numbers ? dpl__input_number(&id) : 0);
    return id;
}

/* "NAME:id" in the place of an id. */
static dpl_status tell_doc(dpl__builder *b, dpl__pocket_source *s, uint32_t local,
                           dpl_error *err)
{
    size_t input;
    const dpl_str id = own_id(s, local, &input), name = b->input_names[input];
    if (!s->told)
        s->told = dpl__calloc(b->ctx, (size_t)s->n_docs + 1, sizeof *s->told);
    char *text = s->told ? dpl__arena_alloc(&b->arena, name.n + 1 + id.n) : NULL;
    DPL_TRY(dpl__need(text, err));
    memcpy(text, name.data, name.n);
    text[name.n] = ':';
    memcpy(text + name.n + 1, id.data, id.n);
    s->told[local] = (dpl_str){text, name.n + 1 + id.n};
    return DPL_OK;
}

static dpl_status tell_ids(dpl__builder *b, size_t first, dpl__doc_id *ids,
                           uint8_t *is_repeated, dpl_error *err)
{
    size_t n = 0, input;
    for (size_t i = first; i < b->sources.n; i++)
        for (uint32_t doc = 0; doc < b->sources.data[i].n_docs; doc++, n++)
            ids[n] = (dpl__doc_id){dpl__doc_id_hash(own_id(&b->sources.data[i], doc, &input)),
                                   (uint32_t)n};
    if (!dpl__repeated_ids_find(is_repeated, ids, n, n))
        return DPL_OK;
    n = 0;
    for (size_t i = first; i < b->sources.n; i++)
        for (uint32_t doc = 0; doc < b->sources.data[i].n_docs; doc++)
            if (is_repeated[n++])
                DPL_TRY(tell_doc(b, &b->sources.data[i], doc, err));
    return DPL_OK;
}

dpl_status dpl__build_tell_ids(dpl__builder *b, size_t first, dpl_error *err)
{
    uint64_t n = 1;
    for (size_t i = first; i < b->sources.n; i++)
        n += b->sources.data[i].n_docs;
    if (n > UINT32_MAX - 1)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "an index has less than 2^32 documents");
    dpl__doc_id *ids = dpl__alloc(b->ctx, n * sizeof *ids);
    uint8_t *is_repeated = dpl__alloc(b->ctx, n);
    dpl_status status =
        ids && is_repeated ? tell_ids(b, first, ids, is_repeated, err) : dpl__fail_nomem(err);
    dpl__free(b->ctx, is_repeated, ids);
    return status;
}

void dpl__build_close_inputs(dpl__builder *b)
{
    for (size_t i = 0; i < b->sources.n; i++) {
        dpl__pocket_source *s = &b->sources.data[i];
        dpl__free(b->ctx, s->told, s->skip, s->terms);
        dpl_collection_close(s->own_collection);
        dpl_index_close(s->own_index);
    }
    dpl__vec_clear(b->ctx, &b->sources);
}

/* ---- documents ---------------------------------------------------------------------- */

dpl_index_doc dpl__build_doc(const dpl__pocket_source *s, uint32_t local)
{
    size_t input, n = 0;
    dpl_str id = own_id(s, local, &input);
    if (s->told && s->told[local].data)
        id = s->told[local];
    if (s->index) {
        dpl_index_doc doc = dpl_index_document(s->index, local);
        doc.id = id;
        return doc;
    }
    const dpl_doc doc = dpl_collection_doc(s->collection, local);
    dpl_collection_tokens(s->collection, local, &n);
    /* A title that says nothing new is none. */
    const bool is_same = dpl__str_eq(id, doc.title);
    return (dpl_index_doc){
        .id = id, .title = is_same ? (dpl_str){NULL, 0} : doc.title, .n_words = (uint32_t)n};
}

bool dpl__build_counts_of(dpl_ctx *ctx, dpl__build_counts *out, const dpl__pocket_source *s,
                          uint32_t local)
{
    out->n = 0;
    if (s->index) {
        dpl__row_reader r;
        dpl__row_begin(&r, s->index, local);
        while (dpl__row_next(&r))
            if (!dpl__vec_push(ctx, out, ((dpl__build_count){r.term, r.count})))
                return false;
        return true;
    }
    size_t n;
    const uint32_t *counts, *terms = dpl_collection_row(s->collection, local, &counts, &n);
    if (!dpl__vec_reserve(ctx, out, n))
        return false;
    for (size_t i = 0; i < n; i++)
        out->data[i] =
            (dpl__build_count){terms[i], (uint32_t)dpl__min(counts[i], DPL__MOST_COUNT)};
    out->n = n;
    return true;
}

dpl__pocket_source *dpl__build_source_of(const dpl__builder *b, uint32_t doc, uint32_t *local)
{
    assert(doc < b->n_docs);
    size_t i = 0;
    while (i + 1 < b->sources.n && b->sources.data[i + 1].first <= doc)
        i++;
    *local = b->numbers[doc];
    assert(*local < b->sources.data[i].n_docs);
    return &b->sources.data[i];
}

dpl_status dpl__build_lang(dpl__builder *b, const char *lang, uint32_t *out, dpl_error *err)
{
    for (*out = 0; *out < b->n_langs; ++*out)
        if (strcmp(b->langs[*out], lang) == 0)
            return DPL_OK;
    if (b->n_langs == DPL__MOST_LANGS)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "an index has at most %d languages",
                         DPL__MOST_LANGS);
    strncpy(b->langs[b->n_langs++], lang, DPL__LANG_BYTES - 1);
    return DPL_OK;
}

static const char *lang_of(char out[DPL__LANG_BYTES], const dpl__pocket_source *s,
                           uint32_t local)
{
    if (s->index)
        return dpl_index_document(s->index, local).lang;
    const dpl_str lang = dpl_collection_doc(s->collection, local).lang;
    const size_t n = dpl__min(lang.n, DPL__LANG_BYTES - 1);
    memset(out, 0, DPL__LANG_BYTES);
    if (n)
        memcpy(out, lang.data, n);
    return n ? out : "und";
}

static dpl_status number_source(dpl__builder *b, dpl__pocket_source *s, dpl_error *err)
{
    char buffer[DPL__LANG_BYTES];
    s->first = b->n_docs;
    for (uint32_t i = 0; i < s->n_docs; i++) {
        if (s->skip && s->skip[i])
            continue;
        uint32_t lang = 0;
        const dpl_index_doc doc = dpl__build_doc(s, i);
        DPL_TRY(dpl__build_lang(b, lang_of(buffer, s, i), &lang, err));
        b->numbers[b->n_docs] = i;
        b->doc_langs[b->n_docs] = (uint8_t)lang;
        b->doc_words[b->n_docs++] = doc.n_words;
        b->n_empty += doc.n_words == 0;
        b->n_words += doc.n_words;
        b->lang_counts[2 * lang]++;
        b->lang_counts[2 * lang + 1] += doc.n_words;
    }
    return DPL_OK;
}

dpl_status dpl__build_number_docs(dpl__builder *b, dpl_error *err)
{
    uint64_t n = 0;
    for (size_t i = 0; i < b->sources.n; i++)
        n += b->sources.data[i].n_docs;
    if (n >= UINT32_MAX - 1)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "an index has less than 2^32 documents");
    b->n_room = (size_t)n + 1;
    b->numbers = dpl__alloc(b->ctx, b->n_room * sizeof *b->numbers);
    b->doc_langs = dpl__alloc(b->ctx, b->n_room);
    b->doc_words = dpl__alloc(b->ctx, b->n_room * sizeof *b->doc_words);
    DPL_TRY(dpl__need(b->numbers && b->doc_langs && b->doc_words, err));
    for (size_t i = 0; i < b->sources.n; i++)
        DPL_TRY(number_source(b, &b->sources.data[i], err));
    return DPL_OK;
}
