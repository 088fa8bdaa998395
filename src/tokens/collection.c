/*
 * collection.c - a collection file, opened and walked.
 *
 * Opening verifies every checksum and every number that is used as an index: what opens can be
 * walked without further checks. Both run at memory speed on all threads.
 */
#include "tokens/collection.h"

#include "base/lower_bound.h"
#include "doppel/file.h"
#include "io/sections.h"
#include "io/shared_run.h"
#include "readers/file_checks.h"
#include "readers/web_address.h"
#include "tokens/sentence_bounds.h"
#include "unicode/unicode.h"

struct dpl_collection {
    dpl_ctx *ctx;
    dpl_file *file;
    dpl_collection_sizes sizes;
    dpl_str settings;
    dpl__strings texts, ids, titles, extras, langs, terms;
    dpl_str aliases; /* lines; empty: there are none */
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
    bool has_rows;   /* of tokens, if there are any */
    bool is_trusted; /* it was just written, or another process checks it */
};

/* ---- opening ------------------------------------------------------------------------ */

/* Documents that are checked before pages of a large file are given back. */
enum { DOCS_AT_ONCE = 1 << 13 };

static dpl_status get_sentences(dpl_collection *c, dpl_error *err)
{
    const dpl_file *f = c->file;
    size_t n, n_docs = c->sizes.n_docs;
    DPL_TRY(dpl__get(f, "sentence.begins", 4, &c->sentence_begins, &n, err));
    DPL_TRY(dpl__get_n(f, "sentence.tokens", 4, &c->sentence_tokens, n, err));
    DPL_TRY(dpl__get_n(f, "sentence.flags", 1, &c->sentence_flags, n, err));
    DPL_TRY(dpl__get_offsets(f, "sentence.offsets", &c->sentence_offsets, n_docs, n, err));
    c->sizes.n_sentences = n;
    for (size_t doc = 0; doc < n_docs && !c->is_trusted; doc++) {
        uint64_t n_text = c->texts.offsets[doc + 1] - c->texts.offsets[doc];
        uint64_t n_tokens = c->token_offsets[doc + 1] - c->token_offsets[doc];
        uint64_t begin = 0, token = 0;
        const char *text = c->texts.bytes + c->texts.offsets[doc];
        if (doc % DOCS_AT_ONCE == 0)
            dpl__file_ease(f);
        for (uint64_t i = c->sentence_offsets[doc]; i < c->sentence_offsets[doc + 1]; i++) {
            if (c->sentence_begins[i] < begin || c->sentence_begins[i] >= n_text ||
                (text[c->sentence_begins[i]] & 0xC0) == 0x80)
                return dpl__damaged(f, "sentence.begins", "sentences out of order", err);
            if (c->sentence_tokens[i] < token || c->sentence_tokens[i] > n_tokens)
                return dpl__damaged(f, "sentence.tokens", "sentences out of order", err);
            begin = c->sentence_begins[i];
            token = c->sentence_tokens[i];
        }
    }
    return DPL_OK;
}

static dpl_status get_terms(dpl_collection *c, dpl_error *err)
{
    const dpl_file *f = c->file;
    DPL_TRY(dpl__get_strings(f, "term.offsets", "term.bytes", &c->terms, SIZE_MAX, err));
    size_t n = c->terms.n;
    c->sizes.n_terms = (uint32_t)n;
    DPL_TRY(dpl__get_n(f, "term.counts", 8, &c->term_counts, n, err));
    DPL_TRY(dpl__get_n(f, "term.docs", 4, &c->term_docs, n, err));
    DPL_TRY(dpl__get_n(f, "term.order", 4, &c->term_order, n, err));
    if (!c->is_trusted) {
        DPL_TRY(dpl__check_below(f, "term.order", c->term_order, n, n, err));
        DPL_TRY(dpl__check_names(f, "term.bytes", &c->terms, err));
        DPL_TRY(dpl__check_order(f, "term.order", &c->terms, c->term_order, err));
    }
    size_t n_repeated = 0;
    for (size_t i = 0; i < n; i++) {
        if (i && c->term_counts[i] > c->term_counts[i - 1])
            return dpl__damaged(f, "term.counts", "terms out of order", err);
        if (c->term_docs[i] < 1 || c->term_docs[i] > c->term_counts[i] ||
            c->term_docs[i] > c->sizes.n_docs)
            return dpl__damaged(f, "term.docs", "number out of range", err);
        n_repeated += c->term_counts[i] > 1;
    }
    c->sizes.n_repeated = (uint32_t)n_repeated;
    return DPL_OK;
}

/* Counts that contradict each other make weights without meaning. Sums are enough to know that
 * nothing is zero, infinite or out of range: weights are made from these numbers alone. */
static dpl_status check_sums(const dpl_collection *c, dpl_error *err)
{
    uint64_t n_tokens = 0, n_entries = 0;
    for (size_t i = 0; i < c->sizes.n_terms; i++) {
        if (c->term_counts[i] > c->sizes.n_tokens)
            return dpl__damaged(c->file, "term.counts", "number out of range", err);
        n_tokens += c->term_counts[i];
        n_entries += c->term_docs[i];
    }
    if (n_tokens != c->sizes.n_tokens)
        return dpl__damaged(c->file, "term.counts", "not the number of tokens", err);
    return !c->has_rows || n_entries == c->sizes.n_entries
               ? DPL_OK
               : dpl__damaged(c->file, "term.docs", "not the number of entries", err);
}

static dpl_status check_row(const dpl_collection *c, size_t doc, dpl_error *err)
{
    uint64_t begin = c->row_offsets[doc], end = c->row_offsets[doc + 1], sum = 0;
    bool has_zero = false;
    for (uint64_t i = begin + 1; i < end; i++)
        if (c->row_terms[i] <= c->row_terms[i - 1])
            return dpl__damaged(c->file, "row.terms", "terms out of order", err);
    for (uint64_t i = begin; i < end; i++) {
        has_zero |= c->row_counts[i] == 0;
        sum += c->row_counts[i];
    }
    return !has_zero && sum == c->token_offsets[doc + 1] - c->token_offsets[doc]
               ? DPL_OK
               : dpl__damaged(c->file, "row.counts", "not the counts of the tokens", err);
}

static dpl_status get_tokens(dpl_collection *c, dpl_error *err)
{
    const dpl_file *f = c->file;
    size_t n_tokens, n_entries, n_docs = c->sizes.n_docs;
    DPL_TRY(dpl__get(f, "tokens", 4, &c->tokens, &n_tokens, err));
    if (!c->is_trusted)
        DPL_TRY(dpl__check_below(f, "tokens", c->tokens, n_tokens, c->sizes.n_terms, err));
    DPL_TRY(dpl__get_offsets(f, "token.offsets", &c->token_offsets, n_docs, n_tokens, err));
    DPL_TRY(dpl__get(f, "row.terms", 4, &c->row_terms, &n_entries, err));
    if (!c->is_trusted)
        DPL_TRY(
            dpl__check_below(f, "row.terms", c->row_terms, n_entries, c->sizes.n_terms, err));
    DPL_TRY(dpl__get_n(f, "row.counts", 4, &c->row_counts, n_entries, err));
    DPL_TRY(dpl__get_offsets(f, "row.offsets", &c->row_offsets, n_docs, n_entries, err));
    c->sizes.n_tokens = n_tokens;
    c->sizes.n_entries = n_entries;
    c->has_rows = n_entries || !n_tokens;
    for (size_t doc = 0; doc < n_docs && c->has_rows && !c->is_trusted; doc++) {
        DPL_TRY(check_row(c, doc, err));
        if (doc % DOCS_AT_ONCE == 0)
            dpl__file_ease(f);
    }
    return check_sums(c, err);
}

static dpl_status get_languages(dpl_collection *c, dpl_error *err)
{
    const dpl_file *f = c->file;
    size_t n = c->sizes.n_docs;
    DPL_TRY(dpl__get_strings(f, "lang.offsets", "lang.bytes", &c->langs, SIZE_MAX, err));
    DPL_TRY(dpl__check_langs(f, "lang.bytes", &c->langs, err));
    DPL_TRY(dpl__get_n(f, "doc.langs", 4, &c->doc_langs, n, err));
    return dpl__check_below(f, "doc.langs", c->doc_langs, n, c->langs.n, err);
}

static dpl_status get_documents(dpl_collection *c, dpl_error *err)
{
    const dpl_file *f = c->file;
    DPL_TRY(dpl__get_strings(f, "text.offsets", "text.bytes", &c->texts, SIZE_MAX, err));
    size_t n = c->texts.n;
    c->sizes.n_docs = (uint32_t)n;
    c->sizes.n_text_bytes = c->texts.offsets[n];
    DPL_TRY(dpl__get_strings(f, "id.offsets", "id.bytes", &c->ids, n, err));
    DPL_TRY(dpl__get_strings(f, "title.offsets", "title.bytes", &c->titles, n, err));
    DPL_TRY(dpl__get_strings(f, "extra.offsets", "extra.bytes", &c->extras, n, err));
    DPL_TRY(get_languages(c, err));
    DPL_TRY(dpl__get_n(f, "doc.order", 4, &c->doc_order, n, err));
    if (c->is_trusted)
        return DPL_OK;
    DPL_TRY(dpl__check_objects(f, "extra.bytes", &c->extras, err));
    DPL_TRY(dpl__check_below(f, "doc.order", c->doc_order, n, n, err));
    DPL_TRY(dpl__check_names(f, "id.bytes", &c->ids, err));
    return dpl__check_order(f, "doc.order", &c->ids, c->doc_order, err);
}

/* Redirects of a wiki, in collections that have some. */
static dpl_status get_aliases(dpl_collection *c, dpl_error *err)
{
    const void *data = NULL;
    size_t n = 0;
    bool has_some = false;
    for (size_t i = 0; i < dpl_file_get_info(c->file).n_sections; i++)
        has_some |= strcmp(dpl_file_section(c->file, i).name, "alias.bytes") == 0;
    if (has_some)
        DPL_TRY(dpl__get(c->file, "alias.bytes", 1, &data, &n, err));
    c->aliases = (dpl_str){data, n};
    return DPL_OK;
}

static dpl_status get_everything(dpl_collection *c, dpl_error *err)
{
    DPL_TRY(get_documents(c, err));
    DPL_TRY(get_terms(c, err));
    DPL_TRY(get_tokens(c, err));
    DPL_TRY(get_sentences(c, err));
    DPL_TRY(get_aliases(c, err));
    dpl__file_ease(c->file);
    return dpl__get_json(c->file, "settings", &c->settings, err);
}

static dpl_status open_file(dpl_collection **out, dpl_ctx *ctx, dpl_file *file, bool is_trusted,
                            dpl_error *err)
{
    *out = NULL;
    dpl_collection *c = dpl__calloc(ctx, 1, sizeof *c);
    if (!c) {
        dpl_file_close(file);
        return dpl__fail_nomem(err);
    }
    c->ctx = ctx;
    c->file = file;
    c->is_trusted = is_trusted;
    c->sizes = (dpl_collection_sizes)DPL_INIT(dpl_collection_sizes);
    dpl_status status = get_everything(c, err);
    if (status != DPL_OK) {
        dpl_collection_close(c);
        return status;
    }
    *out = c;
    return DPL_OK;
}

dpl_status dpl__collection_from_file(dpl_collection **out, dpl_ctx *ctx, dpl_file *file,
                                     dpl_error *err)
{
    return open_file(out, ctx, file, true, err);
}

dpl_status dpl__collection_open_shared(dpl_collection **out, dpl_ctx *ctx, const char *path,
                                       size_t number, dpl_error *err)
{
    dpl_file *file = NULL;
    if (!dpl__is_shared(ctx) || number % dpl__shared_n(ctx) == dpl__shared_number(ctx))
        return dpl__collection_open_any(out, ctx, path, err);
    *out = NULL;
    DPL_TRY(dpl_file_open(&file, ctx, path, err));
    return open_file(out, ctx, file, true, err);
}

static dpl_status check_file(const dpl_file *file, dpl_error *err)
{
    DPL_TRY(dpl__check_kind(file, "collection", err));
    return dpl_file_check(file, err);
}

dpl_status dpl__collection_open_any(dpl_collection **out, dpl_ctx *ctx, const char *path,
                                    dpl_error *err)
{
    dpl_file *file = NULL;
    *out = NULL;
    DPL_TRY(dpl_file_open(&file, ctx, path, err));
    const dpl_status status = check_file(file, err);
    if (status != DPL_OK) {
        dpl_file_close(file);
        return status;
    }
    return open_file(out, ctx, file, false, err);
}

bool dpl__collection_has_rows(const dpl_collection *c)
{
    return c->has_rows;
}

dpl_status dpl_collection_open(dpl_collection **out, dpl_ctx *ctx, const char *path,
                               dpl_error *err)
{
    DPL_TRY(dpl__collection_open_any(out, ctx, path, err));
    if ((*out)->has_rows)
        return DPL_OK;
    dpl_collection_close(*out);
    *out = NULL;
    return dpl__fail(err, DPL_E_USAGE, "'%s' is a work file of dedup without counts of words",
                     path);
}

dpl_status dpl_collection_save(const dpl_collection *c, const char *path, dpl_error *err)
{
    return dpl__file_save(c->file, path, err);
}

void dpl_collection_close(dpl_collection *c)
{
    if (!c)
        return;
    dpl_file_close(c->file);
    dpl__free(c->ctx, c);
}

const dpl_file *dpl__collection_file(const dpl_collection *c)
{
    return c->file;
}

/* ---- walking ------------------------------------------------------------------------ */

const dpl_collection_sizes *dpl_collection_get_sizes(const dpl_collection *c)
{
    return &c->sizes;
}

dpl_str dpl__collection_aliases(const dpl_collection *c)
{
    return c->aliases;
}

/* The first line, without a title, if there is one: the head of a dump is read before its
 * pages. */
dpl_str dpl__collection_site(const dpl_collection *c)
{
    const dpl_str lines = c->aliases;
    if (!lines.n || lines.data[0] != '\t')
        return (dpl_str){NULL, 0};
    const char *end = memchr(lines.data, '\n', lines.n);
    const dpl_str site = {lines.data + 1, (end ? (size_t)(end - lines.data) : lines.n) - 1};
    return dpl__is_address(site) ? site : (dpl_str){NULL, 0};
}

dpl_str dpl_collection_settings(const dpl_collection *c)
{
    return c->settings;
}

dpl_doc dpl_collection_doc(const dpl_collection *c, uint32_t doc)
{
    assert(doc < c->sizes.n_docs && c->doc_langs[doc] < c->langs.n);
    return (dpl_doc){.id = dpl__string(&c->ids, doc),
                     .lang = dpl__string(&c->langs, c->doc_langs[doc]),
                     .title = dpl__string(&c->titles, doc),
                     .text = dpl__string(&c->texts, doc),
                     .extra = dpl__string(&c->extras, doc)};
}

bool dpl_collection_find_doc(const dpl_collection *c, dpl_str id, uint32_t *doc)
{
    char buffer[DPL__NFC_ROOM]; /* ids of documents are NFC */
    return dpl__find_string(&c->ids, c->doc_order, dpl__nfc_id(buffer, id), doc);
}

dpl_str dpl_collection_term(const dpl_collection *c, uint32_t term)
{
    assert(term < c->sizes.n_terms);
    return dpl__string(&c->terms, term);
}

bool dpl_collection_find_term(const dpl_collection *c, dpl_str text, uint32_t *term)
{
    return dpl__find_string(&c->terms, c->term_order, text, term);
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
                          .is_paragraph_start = c->sentence_flags[at] & DPL__PARAGRAPH_START,
                          .is_section_start = c->sentence_flags[at] & DPL__SECTION_START};
}

uint32_t dpl__collection_sentence_of(const dpl_collection *c, uint32_t doc, size_t token)
{
    size_t at;
    DPL__LOWER_BOUND(at, dpl_collection_n_sentences(c, doc),
                     dpl_collection_sentence(c, doc, at).token <= token);
    return at ? (uint32_t)at - 1 : 0;
}

dpl_str dpl_collection_sentence_text(const dpl_collection *c, uint32_t doc, size_t i)
{
    dpl_str text = dpl__string(&c->texts, doc);
    size_t begin = dpl_collection_sentence(c, doc, i).begin;
    size_t end = i + 1 < dpl_collection_n_sentences(c, doc)
                     ? dpl_collection_sentence(c, doc, i + 1).begin
                     : text.n;
    assert(begin <= end && end <= text.n);
    return dpl__trim((dpl_str){text.data + begin, end - begin});
}
