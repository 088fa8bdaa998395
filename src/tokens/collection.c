/*
 * collection.c - a collection file, opened and walked.
 *
 * Opening verifies every checksum and every number that is used as an index: what opens can be
 * walked without further checks. Both run at memory speed on all threads.
 */
#include "doppel/tokens.h"

#include "base/ctx.h"
#include "doppel/file.h"
#include "kernels/kernels.h"
#include "par/pool.h"
#include "text/unicode.h"

/* Strings one behind the other. */
typedef struct strings {
    const uint64_t *offsets; /* n + 1 */
    const char *bytes;
    size_t n;
} strings;

struct dpl_collection {
    dpl_ctx *ctx;
    dpl_file *file;
    dpl_collection_sizes sizes;
    dpl_str settings;
    strings texts, ids, titles, extras, langs, terms;
    const uint32_t *doc_langs, *doc_order;
    const uint64_t *sentence_offsets;
    const uint32_t *sentence_begins, *sentence_tokens;
    const uint8_t *sentence_flags;
    const uint64_t *token_offsets;
    const uint32_t *tokens;
    const uint64_t *term_counts;
    const uint32_t *term_docs, *term_order;
    const uint64_t *row_offsets;
    const uint32_t *row_terms, *row_counts;
};

/* ---- opening ------------------------------------------------------------------------ */

static dpl_status damaged(const dpl_file *f, const char *section, const char *what,
                          dpl_error *err)
{
    return dpl__fail(err, DPL_E_FORMAT, "'%s': section '%s': %s", dpl_file_path(f), section,
                     what);
}

/* The section's data and its number of elements. */
static dpl_status get(const dpl_file *f, const char *name, uint32_t element, const void *data,
                      size_t *n, dpl_error *err)
{
    dpl_section s;
    if (!dpl_file_find(f, name, &s))
        return damaged(f, name, "missing", err);
    if (s.element != element)
        return damaged(f, name, "wrong element size", err);
    memcpy((void *)(uintptr_t)data, &s.data, sizeof s.data); /* any pointer type */
    *n = s.n_bytes / element;
    return DPL_OK;
}

/* Exactly n elements. */
static dpl_status get_n(const dpl_file *f, const char *name, uint32_t element, const void *data,
                        size_t n, dpl_error *err)
{
    size_t have;
    DPL_TRY(get(f, name, element, data, &have, err));
    return have == n ? DPL_OK : damaged(f, name, "wrong length", err);
}

/* Offsets rise from 0 to end. */
static dpl_status check_offsets(const dpl_file *f, const char *name, const uint64_t *offsets,
                                size_t n, uint64_t end, dpl_error *err)
{
    bool is_good = offsets[0] == 0 && offsets[n] == end;
    for (size_t i = 0; i < n; i++)
        is_good &= offsets[i] <= offsets[i + 1];
    return is_good ? DPL_OK : damaged(f, name, "offsets out of order", err);
}

static dpl_status check_below(const dpl_file *f, const char *name, const uint32_t *data,
                              size_t n, size_t bound, dpl_error *err)
{
    uint32_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = data[i] > most ? data[i] : most;
    return n == 0 || most < bound ? DPL_OK : damaged(f, name, "number out of range", err);
}

static dpl_status get_offsets(const dpl_file *f, const char *name, const uint64_t **out,
                              size_t n, uint64_t end, dpl_error *err)
{
    DPL_TRY(get_n(f, name, 8, out, n + 1, err));
    return check_offsets(f, name, *out, n, end, err);
}

/* Sections `offsets` and `bytes`; n strings, or as many as there are when *n is SIZE_MAX. */
static dpl_status get_strings(const dpl_collection *c, const char *offsets, const char *bytes,
                              strings *out, size_t n, dpl_error *err)
{
    size_t n_bytes, n_offsets;
    DPL_TRY(get(c->file, bytes, 1, &out->bytes, &n_bytes, err));
    DPL_TRY(get(c->file, offsets, 8, &out->offsets, &n_offsets, err));
    if (n_offsets == 0 || n_offsets - 1 > UINT32_MAX || (n != SIZE_MAX && n_offsets != n + 1))
        return damaged(c->file, offsets, "wrong length", err);
    out->n = n_offsets - 1;
    DPL_TRY(check_offsets(c->file, offsets, out->offsets, out->n, n_bytes, err));
    uint8_t most;
    if (c->ctx->kernels->utf8_prefix((const uint8_t *)out->bytes, n_bytes, &most) != n_bytes)
        return damaged(c->file, bytes, "invalid UTF-8", err);
    for (size_t i = 0; i < out->n; i++) /* a string does not begin inside a character */
        if (out->offsets[i] < n_bytes && (out->bytes[out->offsets[i]] & 0xC0) == 0x80)
            return damaged(c->file, offsets, "a string begins inside a character", err);
    return DPL_OK;
}

static dpl_status get_sentences(dpl_collection *c, dpl_error *err)
{
    const dpl_file *f = c->file;
    size_t n, n_docs = c->sizes.n_docs;
    DPL_TRY(get(f, "sentence.begins", 4, &c->sentence_begins, &n, err));
    DPL_TRY(get_n(f, "sentence.tokens", 4, &c->sentence_tokens, n, err));
    DPL_TRY(get_n(f, "sentence.flags", 1, &c->sentence_flags, n, err));
    DPL_TRY(get_offsets(f, "sentence.offsets", &c->sentence_offsets, n_docs, n, err));
    c->sizes.n_sentences = n;
    for (size_t doc = 0; doc < n_docs; doc++) {
        uint64_t n_text = c->texts.offsets[doc + 1] - c->texts.offsets[doc];
        uint64_t n_tokens = c->token_offsets[doc + 1] - c->token_offsets[doc];
        uint64_t begin = 0, token = 0;
        const char *text = c->texts.bytes + c->texts.offsets[doc];
        for (uint64_t i = c->sentence_offsets[doc]; i < c->sentence_offsets[doc + 1]; i++) {
            if (c->sentence_begins[i] < begin || c->sentence_begins[i] >= n_text ||
                (text[c->sentence_begins[i]] & 0xC0) == 0x80)
                return damaged(f, "sentence.begins", "sentences out of order", err);
            if (c->sentence_tokens[i] < token || c->sentence_tokens[i] > n_tokens)
                return damaged(f, "sentence.tokens", "sentences out of order", err);
            begin = c->sentence_begins[i];
            token = c->sentence_tokens[i];
        }
    }
    return DPL_OK;
}

static dpl_status get_terms(dpl_collection *c, dpl_error *err)
{
    const dpl_file *f = c->file;
    DPL_TRY(get_strings(c, "term.offsets", "term.bytes", &c->terms, SIZE_MAX, err));
    size_t n = c->terms.n;
    c->sizes.n_terms = (uint32_t)n;
    DPL_TRY(get_n(f, "term.counts", 8, &c->term_counts, n, err));
    DPL_TRY(get_n(f, "term.docs", 4, &c->term_docs, n, err));
    DPL_TRY(get_n(f, "term.order", 4, &c->term_order, n, err));
    DPL_TRY(check_below(f, "term.order", c->term_order, n, n, err));
    size_t n_repeated = 0;
    for (size_t i = 0; i < n; i++) {
        if (i && c->term_counts[i] > c->term_counts[i - 1])
            return damaged(f, "term.counts", "terms out of order", err);
        n_repeated += c->term_counts[i] > 1;
    }
    c->sizes.n_repeated = (uint32_t)n_repeated;
    return DPL_OK;
}

static dpl_status get_tokens(dpl_collection *c, dpl_error *err)
{
    const dpl_file *f = c->file;
    size_t n_tokens, n_entries, n_docs = c->sizes.n_docs;
    DPL_TRY(get(f, "tokens", 4, &c->tokens, &n_tokens, err));
    DPL_TRY(check_below(f, "tokens", c->tokens, n_tokens, c->sizes.n_terms, err));
    DPL_TRY(get_offsets(f, "token.offsets", &c->token_offsets, n_docs, n_tokens, err));
    DPL_TRY(get(f, "row.terms", 4, &c->row_terms, &n_entries, err));
    DPL_TRY(check_below(f, "row.terms", c->row_terms, n_entries, c->sizes.n_terms, err));
    DPL_TRY(get_n(f, "row.counts", 4, &c->row_counts, n_entries, err));
    DPL_TRY(get_offsets(f, "row.offsets", &c->row_offsets, n_docs, n_entries, err));
    for (size_t doc = 0; doc < n_docs; doc++)
        for (uint64_t i = c->row_offsets[doc] + 1; i < c->row_offsets[doc + 1]; i++)
            if (c->row_terms[i] <= c->row_terms[i - 1])
                return damaged(f, "row.terms", "terms out of order", err);
    c->sizes.n_tokens = n_tokens;
    c->sizes.n_entries = n_entries;
    return DPL_OK;
}

static dpl_status get_documents(dpl_collection *c, dpl_error *err)
{
    const dpl_file *f = c->file;
    DPL_TRY(get_strings(c, "text.offsets", "text.bytes", &c->texts, SIZE_MAX, err));
    size_t n = c->texts.n;
    c->sizes.n_docs = (uint32_t)n;
    c->sizes.n_text_bytes = c->texts.offsets[n];
    DPL_TRY(get_strings(c, "id.offsets", "id.bytes", &c->ids, n, err));
    DPL_TRY(get_strings(c, "title.offsets", "title.bytes", &c->titles, n, err));
    DPL_TRY(get_strings(c, "extra.offsets", "extra.bytes", &c->extras, n, err));
    DPL_TRY(get_strings(c, "lang.offsets", "lang.bytes", &c->langs, SIZE_MAX, err));
    DPL_TRY(get_n(f, "doc.langs", 4, &c->doc_langs, n, err));
    DPL_TRY(check_below(f, "doc.langs", c->doc_langs, n, c->langs.n, err));
    DPL_TRY(get_n(f, "doc.order", 4, &c->doc_order, n, err));
    return check_below(f, "doc.order", c->doc_order, n, n, err);
}

static dpl_status get_everything(dpl_collection *c, dpl_error *err)
{
    if (strcmp(dpl_file_kind(c->file), "collection") != 0) {
        dpl__fail(err, DPL_E_USAGE, "'%s' holds a %s, not a collection", dpl_file_path(c->file),
                  dpl_file_kind(c->file));
        return DPL_E_USAGE;
    }
    DPL_TRY(dpl_file_check(c->file, err));
    DPL_TRY(get_documents(c, err));
    DPL_TRY(get_terms(c, err));
    DPL_TRY(get_tokens(c, err));
    DPL_TRY(get_sentences(c, err));
    return get(c->file, "settings", 1, &c->settings.data, &c->settings.n, err);
}

dpl_status dpl_collection_open(dpl_collection **out, dpl_ctx *ctx, const char *path,
                               dpl_error *err)
{
    *out = NULL;
    dpl_collection *c = dpl__calloc(ctx, 1, sizeof *c);
    if (!c)
        return dpl__fail_nomem(err);
    c->ctx = ctx;
    dpl_status status = dpl_file_open(&c->file, ctx, path, err);
    if (status == DPL_OK)
        status = get_everything(c, err);
    if (status != DPL_OK) {
        dpl_collection_close(c);
        return status;
    }
    *out = c;
    return DPL_OK;
}

void dpl_collection_close(dpl_collection *c)
{
    if (!c)
        return;
    dpl_file_close(c->file);
    dpl__free(c->ctx, c, sizeof *c);
}

/* ---- walking ------------------------------------------------------------------------ */

static dpl_str string_at(const strings *s, size_t i)
{
    assert(i < s->n);
    return (dpl_str){s->bytes + s->offsets[i], (size_t)(s->offsets[i + 1] - s->offsets[i])};
}

/* Binary search in byte order; order[i] is the number of the i-th string. */
static bool find(const strings *s, const uint32_t *order, dpl_str what, uint32_t *number)
{
    size_t low = 0, high = s->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int cmp = dpl__str_cmp(string_at(s, order[mid]), what);
        if (cmp == 0) {
            *number = order[mid];
            return true;
        }
        if (cmp < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return false;
}

const dpl_collection_sizes *dpl_collection_size(const dpl_collection *c)
{
    return &c->sizes;
}

dpl_str dpl_collection_settings(const dpl_collection *c)
{
    return c->settings;
}

dpl_doc dpl_collection_doc(const dpl_collection *c, uint32_t doc)
{
    return (dpl_doc){.id = string_at(&c->ids, doc),
                     .lang = string_at(&c->langs, c->doc_langs[doc]),
                     .title = string_at(&c->titles, doc),
                     .text = string_at(&c->texts, doc),
                     .extra = string_at(&c->extras, doc)};
}

bool dpl_collection_find_doc(const dpl_collection *c, dpl_str id, uint32_t *doc)
{
    return find(&c->ids, c->doc_order, id, doc);
}

dpl_str dpl_collection_term(const dpl_collection *c, uint32_t term)
{
    return string_at(&c->terms, term);
}

bool dpl_collection_find_term(const dpl_collection *c, dpl_str text, uint32_t *term)
{
    return find(&c->terms, c->term_order, text, term);
}

uint64_t dpl_collection_term_count(const dpl_collection *c, uint32_t term)
{
    assert(term < c->sizes.n_terms);
    return c->term_counts[term];
}

uint32_t dpl_collection_doc_count(const dpl_collection *c, uint32_t term)
{
    assert(term < c->sizes.n_terms);
    return c->term_docs[term];
}

const uint32_t *dpl_collection_tokens(const dpl_collection *c, uint32_t doc, size_t *n)
{
    assert(doc < c->sizes.n_docs);
    *n = (size_t)(c->token_offsets[doc + 1] - c->token_offsets[doc]);
    return c->tokens + c->token_offsets[doc];
}

const uint32_t *dpl_collection_row(const dpl_collection *c, uint32_t doc,
                                   const uint32_t **counts, size_t *n)
{
    assert(doc < c->sizes.n_docs);
    *n = (size_t)(c->row_offsets[doc + 1] - c->row_offsets[doc]);
    *counts = c->row_counts + c->row_offsets[doc];
    return c->row_terms + c->row_offsets[doc];
}

size_t dpl_collection_n_sentences(const dpl_collection *c, uint32_t doc)
{
    assert(doc < c->sizes.n_docs);
    return (size_t)(c->sentence_offsets[doc + 1] - c->sentence_offsets[doc]);
}

dpl_sentence dpl_collection_sentence(const dpl_collection *c, uint32_t doc, size_t i)
{
    assert(i < dpl_collection_n_sentences(c, doc));
    uint64_t at = c->sentence_offsets[doc] + i;
    return (dpl_sentence){.begin = c->sentence_begins[at],
                          .token = c->sentence_tokens[at],
                          .is_paragraph_start = c->sentence_flags[at] & 1};
}

dpl_str dpl_collection_sentence_text(const dpl_collection *c, uint32_t doc, size_t i)
{
    dpl_str text = string_at(&c->texts, doc);
    size_t begin = dpl_collection_sentence(c, doc, i).begin;
    size_t end = i + 1 < dpl_collection_n_sentences(c, doc)
                     ? dpl_collection_sentence(c, doc, i + 1).begin
                     : text.n;
    return dpl__trim((dpl_str){text.data + begin, end - begin});
}
