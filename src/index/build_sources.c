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
#include "tokens/input_languages.h"

/* ---- kinds of inputs ---------------------------------------------------------------- */

/* The kind of one of our files; "" for anything else. */
static void kind_of(char out[DPL__CONTAINER_KIND], dpl_ctx *ctx, const char *path)
{
    dpl_file *file = NULL;
    dpl_error ignored = {0};
    out[0] = 0;
    if (!path || dpl__is_stream(path) || dpl_file_open(&file, ctx, path, &ignored) != DPL_OK)
        return;
    strncpy(out, dpl_file_kind(file), DPL__CONTAINER_KIND - 1);
    out[DPL__CONTAINER_KIND - 1] = 0;
    dpl_file_close(file);
}

/* Where the settings, which we wrote, go on behind this text; NULL: it is not there. */
static const char *behind(dpl_str settings, const char *text)
{
    const size_t n = strlen(text);
    for (size_t i = 0; i + n < settings.n; i++)
        if (memcmp(settings.data + i, text, n) == 0)
            return settings.data + i + n;
    return NULL;
}

static bool has_text(dpl_str settings, const char *text)
{
    return behind(settings, text) != NULL;
}

/* Characters of a term; 0: not said. */
static unsigned max_token_of(dpl_str settings)
{
    const char *p = behind(settings, "\"max_token\":"), *end = settings.data + settings.n;
    unsigned n = 0;
    for (; p && p < end && *p >= '0' && *p <= '9' && n < 1000; p++)
        n = 10 * n + (unsigned)(*p - '0');
    return n;
}

/* How a collection was cut into words: flags, or that an index cannot be made of it. */
static dpl_status words_of(const dpl_collection *c, unsigned *flags, dpl_error *err)
{
    const dpl_str s = dpl_collection_settings(c);
    const char *path = dpl_file_path(dpl__collection_file(c));
    *flags = (has_text(s, "\"stem\":true") ? DPL__F_STEM : 0u) |
             (has_text(s, "\"stop_words\":true") ? DPL__F_STOP : 0u);
    if (has_text(s, "\"stop_file\":true"))
        return dpl__fail(err, DPL_E_USAGE,
                         "'%s' was made with stop words of its own: queries would have them",
                         path);
    for (char n = '1'; n <= '8'; n++) {
        const char text[] = {'"', 'n', 'g', 'r', 'a', 'm', '"', ':', n, 0};
        if (has_text(s, text))
            return dpl__fail(err, DPL_E_USAGE,
                             "'%s' holds character n-grams: an index is made of words", path);
    }
    return DPL_OK;
}

static dpl_status set_words(dpl__builder *b, unsigned flags, unsigned max_token,
                            const char *name, dpl_error *err)
{
    enum { WORDS = DPL__F_STEM | DPL__F_STOP };
    if (b->sources.n > 0 &&
        ((b->flags & WORDS) != (flags & WORDS) || b->max_token != max_token)) {
        dpl__fail(err, DPL_E_USAGE,
                  "'%s' was cut into words in another way (stems, stop words) than the inputs "
                  "before it",
                  name);
        return dpl__code(err, DPL_E_USAGE, "other-words");
    }
    b->flags |= flags & WORDS;
    b->max_token = max_token;
    return DPL_OK;
}

/* Whether an index can be made of it. */
static dpl_status check_source(dpl__builder *b, dpl__pocket_source s, dpl_error *err)
{
    unsigned flags = 0;
    if (s.collection)
        DPL_TRY(words_of(s.collection, &flags, err));
    else
        flags = s.index->flags;
    const char *name = s.collection ? dpl_file_path(dpl__collection_file(s.collection))
                                    : dpl_file_path(s.index->file);
    if (s.index && !(s.index->flags & DPL__F_VECTORS)) {
        dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' was built without vectors", name);
        return dpl__code(err, DPL_E_UNSUPPORTED, "no-vectors");
    }
    if (s.index && b->o.texts && !(s.index->flags & DPL__F_TEXTS)) {
        dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' has no texts", name);
        return dpl__code(err, DPL_E_UNSUPPORTED, "no-texts");
    }
    const unsigned max_token =
        s.collection ? max_token_of(dpl_collection_settings(s.collection)) : s.index->max_token;
    return set_words(b, flags, max_token, name, err);
}

/* Adds it to the list; what it owns is closed in any case. */
static dpl_status push_source(dpl__builder *b, dpl__pocket_source s, dpl_error *err)
{
    dpl_status status = check_source(b, s, err);
    if (s.collection) {
        s.n_docs = dpl_collection_get_sizes(s.collection)->n_docs;
        s.n_terms = dpl_collection_get_sizes(s.collection)->n_terms;
    } else {
        s.n_docs = s.index->n_docs;
        s.n_terms = s.index->n_terms;
    }
    if (status == DPL_OK && !dpl__vec_push(b->ctx, &b->sources, s))
        status = dpl__fail_nomem(err);
    if (status != DPL_OK) {
        dpl_collection_close(s.own_collection);
        dpl_index_close(s.own_index);
    }
    return status;
}

/* ---- opening ------------------------------------------------------------------------ */

static dpl_status read_inputs(dpl__builder *b, const dpl_input *inputs, size_t n,
                              dpl_error *err)
{
    dpl__pocket_source s = {0};
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options);
    if (b->o.tokens)
        tokens = *b->o.tokens;
    if (tokens.stop_file || tokens.ngram)
        return dpl__fail(err, DPL_E_UNSUPPORTED,
                         "an index has neither stop words of its own nor character n-grams");
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = b->o.read, .tokens = &tokens,
                                    .spill_dir = b->o.spill_dir, .needs_docs = b->o.needs_docs,
                                    .tell_inputs = true);
    DPL_TRY(dpl_collection_from_inputs(&s.own_collection, NULL, b->ctx, inputs, n, &o, err));
    s.collection = s.own_collection;
    return push_source(b, s, err);
}

static dpl_status open_one(dpl__builder *b, const dpl_input *in, const char *kind,
                           dpl_error *err)
{
    dpl__pocket_source s = {.collection = in->collection};
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
    for (size_t i = 0; i < n; i++) {
        char kind[DPL__CONTAINER_KIND];
        kind_of(kind, b->ctx, inputs[i].path);
        if (!inputs[i].collection && !*kind)
            continue;
        if (first < i)
            DPL_TRY(read_inputs(b, inputs + first, i - first, err));
        DPL_TRY(open_one(b, &inputs[i], kind, err));
        first = i + 1;
    }
    return first < n ? read_inputs(b, inputs + first, n - first, err) : DPL_OK;
}

void dpl__build_close_inputs(dpl__builder *b)
{
    for (size_t i = 0; i < b->sources.n; i++) {
        dpl__pocket_source *s = &b->sources.data[i];
        dpl__free(b->ctx, s->skip, (size_t)s->n_docs + 1);
        dpl__free(b->ctx, s->terms, ((size_t)s->n_terms + 1) * sizeof *s->terms);
        dpl_collection_close(s->own_collection);
        dpl_index_close(s->own_index);
    }
    dpl__vec_clear(b->ctx, &b->sources);
}

/* ---- documents ---------------------------------------------------------------------- */

dpl_index_doc dpl__build_doc(const dpl__pocket_source *s, uint32_t local)
{
    if (s->index)
        return dpl_index_document(s->index, local);
    const dpl_doc doc = dpl_collection_doc(s->collection, local);
    size_t n = 0;
    dpl_collection_tokens(s->collection, local, &n);
    /* A title that says nothing new is none. */
    const bool is_same = dpl__str_eq(doc.id, doc.title);
    return (dpl_index_doc){.id = doc.id,
                           .title = is_same ? (dpl_str){NULL, 0} : doc.title,
                           .n_words = (uint32_t)n};
}

bool dpl__build_counts_of(dpl_ctx *ctx, dpl__build_counts *out, const dpl__pocket_source *s,
                          uint32_t local)
{
    out->n = 0;
    if (s->index) {
        for (dpl__row_reader r = dpl__row_begin(s->index, local); dpl__row_next(&r);)
            if (!dpl__vec_push(ctx, out, ((dpl__build_count){r.term, r.count})))
                return false;
        return true;
    }
    size_t n;
    const uint32_t *counts, *terms = dpl_collection_row(s->collection, local, &counts, &n);
    if (!dpl__vec_reserve(ctx, out, n))
        return false;
    for (size_t i = 0; i < n; i++)
        out->data[i] = (dpl__build_count){terms[i], counts[i]};
    out->n = n;
    return true;
}

dpl__pocket_source *dpl__build_source_of(const dpl__builder *b, uint32_t doc, uint32_t *local)
{
    size_t i = 0;
    while (i + 1 < b->sources.n && b->sources.data[i + 1].first <= doc)
        i++;
    *local = b->numbers[doc];
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
    if (!b->numbers || !b->doc_langs || !b->doc_words)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < b->sources.n; i++)
        DPL_TRY(number_source(b, &b->sources.data[i], err));
    return DPL_OK;
}
