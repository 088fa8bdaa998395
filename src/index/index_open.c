/*
 * index_open.c - the sections of a file become an index.
 *
 * Everything that leads from one section into another is checked: sizes, offsets, tables of
 * hash functions. Numbers inside of rows and postings are checked where they are read, which
 * costs less than reading all of them here. So a file that was damaged, or made on purpose,
 * gives an error or wrong answers, but nothing outside of it is touched.
 */
#include "index/pocket.h"

#include "base/ctx.h"
#include "base/maths.h"
#include "kernels/kernels.h"
#include "readers/file_checks.h"
#include "signatures/hash_file.h"

#include <stdio.h>
#include <zstd.h>

double dpl__bm25_damp(const dpl_index *x, double length)
{
    const double b = DPL__P(index, b), share = x->average > 0 ? length / x->average : 1;
    return DPL__P(index, k1) * (1 - b + b * share);
}

double dpl__bm25_idf(double n_docs, double df)
{
    df = df > n_docs ? n_docs : df;
    return dpl__log(1 + (n_docs - df + 0.5) / (df + 0.5));
}

uint32_t dpl__index_find_lang(const dpl_index *x, const char *lang)
{
    for (uint32_t i = 0; i < x->n_langs; i++)
        if (strcmp(dpl__index_lang(x, i), lang) == 0)
            return i;
    return UINT32_MAX;
}

/* ---- sections ----------------------------------------------------------------------- */

static dpl_status get_bytes(const dpl_index *x, const char *name, unsigned element,
                            dpl_str *out, dpl_error *err)
{
    const void *data = NULL;
    size_t n = 0;
    DPL_TRY(dpl__get(x->file, name, element, &data, &n, err));
    *out = (dpl_str){data, n * element};
    return DPL_OK;
}

static dpl_status get_mph(const dpl_index *x, const char *name, dpl__mph *out, uint64_t n,
                          dpl_error *err)
{
    dpl_str bytes;
    DPL_TRY(get_bytes(x, name, 8, &bytes, err));
    const char *wrong = dpl__mph_open(out, bytes.data, bytes.n);
    if (!wrong && n != UINT64_MAX && out->n_keys != n)
        wrong = "another number of keys";
    return wrong ? dpl__damaged(x->file, name, wrong, err) : DPL_OK;
}

static dpl_status get_packed(const dpl_index *x, const char *name, dpl__packed *out, uint64_t n,
                             dpl_error *err)
{
    dpl_str bytes;
    DPL_TRY(get_bytes(x, name, 1, &bytes, err));
    const char *wrong = dpl__packed_open(out, bytes.data, bytes.n);
    if (!wrong && out->n != n)
        wrong = "another number of elements";
    return wrong ? dpl__damaged(x->file, name, wrong, err) : DPL_OK;
}

/* Sections NAME.offsets, n + 1 of them, and NAME.bytes. */
static dpl_status get_ranges(const dpl_index *x, const char *name, dpl__offsets *out,
                             const void *data, uint64_t n, dpl_error *err)
{
    dpl_str o, b;
    char offsets[32], bytes[32];
    const size_t slack = strcmp(name, "row") == 0 ? DPL__SLACK : 0;
    snprintf(offsets, sizeof offsets, "%s.offsets", name);
    snprintf(bytes, sizeof bytes, "%s.bytes", name);
    DPL_TRY(get_bytes(x, offsets, 1, &o, err));
    DPL_TRY(get_bytes(x, bytes, 1, &b, err));
    const char *wrong =
        b.n < slack ? "too short" : dpl__offsets_open(out, o.data, o.n, b.n - slack);
    if (!wrong && out->n != n)
        wrong = "another number of elements";
    if (wrong)
        return dpl__damaged(x->file, offsets, wrong, err);
    memcpy((void *)(uintptr_t)data, &b.data, sizeof b.data); /* any pointer type */
    return DPL_OK;
}

static dpl_status get_numbers(dpl_index *x, dpl_error *err)
{
    const uint64_t *n = NULL;
    DPL_TRY(dpl__get_n(x->file, "numbers", 8, &n, DPL__N_NUMBERS, err));
    if (n[DPL__N_VERSION] != DPL__POCKET_VERSION)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s': an index of version %llu is not known",
                         dpl_file_get_info(x->file).path,
                         (unsigned long long)n[DPL__N_VERSION]);
    memcpy(&x->average, &n[DPL__N_AVERAGE], sizeof x->average);
    memcpy(&x->unknown_idf, &n[DPL__N_UNKNOWN], sizeof x->unknown_idf);
    if (n[DPL__N_DOCS] >= UINT32_MAX || n[DPL__N_TERMS] >= UINT32_MAX ||
        n[DPL__N_LANGS] > DPL__MOST_LANGS || n[DPL__N_TRANSLATED] > n[DPL__N_LANGS] ||
        n[DPL__N_FLAGS] > DPL__F_ALL || n[DPL__N_CHECKSUM] < 1 || n[DPL__N_CHECKSUM] > 32 ||
        n[DPL__N_MAX_TOKEN] > 1000 || n[DPL__N_ENTRIES] >= UINT32_MAX ||
        (n[DPL__N_PIVOT] != UINT64_MAX && n[DPL__N_PIVOT] >= n[DPL__N_LANGS]) ||
        n[DPL__N_EMPTY] > n[DPL__N_DOCS] || n[DPL__N_AUTO] > 1 || n[DPL__N_SAMPLE] > 100000 ||
        !(x->average >= 0 && x->average <= 1e12) ||
        !(x->unknown_idf > 0 && x->unknown_idf <= 100))
        return dpl__damaged(x->file, "numbers", "number out of range", err);
    x->n_docs = (uint32_t)n[DPL__N_DOCS];
    x->n_terms = (uint32_t)n[DPL__N_TERMS];
    x->n_langs = (uint32_t)n[DPL__N_LANGS];
    x->n_translated = (uint32_t)n[DPL__N_TRANSLATED];
    x->n_empty = (uint32_t)n[DPL__N_EMPTY];
    x->flags = (unsigned)n[DPL__N_FLAGS];
    x->checksum = (unsigned)n[DPL__N_CHECKSUM];
    x->max_token = (unsigned)n[DPL__N_MAX_TOKEN];
    x->codes.n_entries = n[DPL__N_ENTRIES];
    x->pivot = n[DPL__N_PIVOT] == UINT64_MAX ? UINT32_MAX : (uint32_t)n[DPL__N_PIVOT];
    x->n_words = n[DPL__N_WORDS];
    x->has_auto_k = n[DPL__N_AUTO];
    x->sample = (unsigned)n[DPL__N_SAMPLE];
    return DPL_OK;
}

/* ---- documents ---------------------------------------------------------------------- */

static dpl_status get_langs(dpl_index *x, dpl_error *err)
{
    DPL_TRY(dpl__get_n(x->file, "lang.codes", 1, &x->lang_codes,
                       (size_t)x->n_langs * DPL__LANG_BYTES, err));
    for (uint32_t i = 0; i < x->n_langs; i++) {
        const char *code = dpl__index_lang(x, i);
        if (code[DPL__LANG_BYTES - 1] || !dpl__is_lang_code(dpl__cstr(code)))
            return dpl__damaged(x->file, "lang.codes", "not the code of a language", err);
    }
    DPL_TRY(
        dpl__get_n(x->file, "lang.counts", 8, &x->lang_counts, 2 * (size_t)x->n_langs, err));
    DPL_TRY(dpl__get_n(x->file, "doc.langs", 1, &x->doc_langs, x->n_docs, err));
    uint8_t most = 0;
    for (uint32_t i = 0; i < x->n_docs; i++)
        most = x->doc_langs[i] > most ? x->doc_langs[i] : most;
    if (x->n_docs && most >= x->n_langs)
        return dpl__damaged(x->file, "doc.langs", "number out of range", err);
    return DPL_OK;
}

/* Names are shown: valid UTF-8, of whole characters, without control characters; ids are not
 * empty. */
static dpl_status check_names(const dpl_index *x, dpl_error *err)
{
    const uint64_t n = dpl__offset(&x->names, x->names.n);
    const uint8_t *p = (const uint8_t *)x->name_bytes;
    uint8_t most;
    bool is_good = x->ctx->kernels->utf8_prefix(p, (size_t)n, &most) == n;
    for (uint64_t i = 0; i < n; i++)
        is_good &= p[i] >= 0x20 && p[i] != 0x7F;
    for (uint64_t i = 0; i < x->names.n; i++) {
        const uint64_t at = dpl__offset(&x->names, i);
        is_good &= at == n || (p[at] & 0xC0) != 0x80;
        is_good &= i % 2 || dpl__offset(&x->names, i + 1) > at;
    }
    return is_good ? DPL_OK : dpl__damaged(x->file, "name.bytes", "malformed names", err);
}

static dpl_status get_docs(dpl_index *x, dpl_error *err)
{
    DPL_TRY(get_langs(x, err));
    DPL_TRY(get_packed(x, "doc.words", &x->doc_words, x->n_docs, err));
    DPL_TRY(get_ranges(x, "name", &x->names, &x->name_bytes, 2 * (uint64_t)x->n_docs, err));
    DPL_TRY(check_names(x, err));
    DPL_TRY(get_mph(x, "id.mph", &x->ids, x->n_docs, err));
    return get_packed(x, "id.rows", &x->id_rows, x->n_docs, err);
}

/* ---- codes -------------------------------------------------------------------------- */

/* Every 64th set bit is where the samples say, so that a search for a slot stays inside. */
static dpl_status check_starts(const dpl_index *x, dpl_error *err)
{
    const dpl__code_table *t = &x->codes;
    uint64_t n = 0;
    bool is_good = true;
    for (uint64_t w = 0; w < t->n_start_words; w++)
        for (uint64_t bits = t->starts[w]; bits; bits &= bits - 1, n++)
            if (n % 64 == 0)
                is_good &= n / 64 <= t->mph.n_keys / 64 &&
                           t->select[n / 64] == 64 * w + (unsigned)__builtin_ctzll(bits);
    is_good &= n == t->mph.n_keys;
    is_good &= t->n_entries == 0 || (t->starts[0] & 1);
    return is_good ? DPL_OK
                   : dpl__damaged(x->file, "code.starts", "slots that do not fit", err);
}

static dpl_status get_codes(dpl_index *x, dpl_error *err)
{
    dpl__code_table *t = &x->codes;
    DPL_TRY(dpl__hash_read(&x->hash, x->file, "code.function", err));
    if (x->hash.options.shingle > 1)
        return dpl__damaged(x->file, "code.function", "shingles", err);
    DPL_TRY(get_mph(x, "code.mph", &t->mph, UINT64_MAX, err));
    DPL_TRY(get_packed(x, "code.checks", &t->checks, t->mph.n_keys, err));
    if (t->checks.width != x->checksum)
        return dpl__damaged(x->file, "code.checks", "another width", err);
    t->n_start_words = t->n_entries / 64 + 1;
    DPL_TRY(dpl__get_n(x->file, "code.starts", 8, &t->starts, (size_t)t->n_start_words, err));
    DPL_TRY(
        dpl__get_n(x->file, "code.select", 4, &t->select, (size_t)t->mph.n_keys / 64 + 1, err));
    DPL_TRY(get_packed(x, "code.docs", &t->docs, t->n_entries, err));
    return check_starts(x, err);
}

/* ---- terms, vectors, postings ------------------------------------------------------- */

/* n numbers from 0 to most. */
static dpl_status get_positive(const dpl_index *x, const char *name, const float **out,
                               size_t n, float most, dpl_error *err)
{
    DPL_TRY(dpl__get_n(x->file, name, 4, out, n, err));
    bool is_good = true;
    for (size_t i = 0; i < n; i++)
        is_good &= (*out)[i] >= 0 && (*out)[i] <= most;
    return is_good ? DPL_OK : dpl__damaged(x->file, name, "number out of range", err);
}

static dpl_status get_terms(dpl_index *x, dpl_error *err)
{
    DPL_TRY(get_mph(x, "term.mph", &x->terms, x->n_terms, err));
    DPL_TRY(dpl__get_n(x->file, "term.slots", 8, &x->term_slots, x->n_terms, err));
    bool is_good = true;
    for (uint32_t i = 0; i < x->n_terms; i++)
        is_good &= (uint32_t)x->term_slots[i] < x->n_terms;
    if (!is_good)
        return dpl__damaged(x->file, "term.slots", "number out of range", err);
    return get_positive(x, "term.idf", &x->idf, x->n_terms, 100, err);
}

static dpl_status get_vectors(dpl_index *x, dpl_error *err)
{
    DPL_TRY(get_ranges(x, "term", &x->term_names, &x->term_bytes, x->n_terms, err));
    const uint64_t n = dpl__offset(&x->term_names, x->n_terms);
    uint8_t most;
    bool is_good =
        x->ctx->kernels->utf8_prefix((const uint8_t *)x->term_bytes, (size_t)n, &most) == n;
    for (uint32_t i = 0; i < x->n_terms; i++) {
        const uint64_t at = dpl__offset(&x->term_names, i);
        is_good &= at == n || ((uint8_t)x->term_bytes[at] & 0xC0) != 0x80;
    }
    if (!is_good)
        return dpl__damaged(x->file, "term.bytes", "malformed terms", err);
    DPL_TRY(get_ranges(x, "row", &x->rows, &x->row_bytes, x->n_docs, err));
    return get_positive(x, "row.norms", &x->norms, x->n_docs, 1e12f, err);
}

static dpl_status get_postings(dpl_index *x, dpl_error *err)
{
    dpl_str b;
    DPL_TRY(get_bytes(x, "post.bytes", 1, &b, err));
    DPL_TRY(dpl__get_n(x->file, "post.lists", 8, &x->post_lists, (size_t)x->n_terms + 1, err));
    bool is_good = b.n >= DPL__SLACK && dpl__post_place(x, 0) == 0 &&
                   dpl__post_place(x, x->n_terms) == b.n - DPL__SLACK;
    for (uint32_t t = 0; t < x->n_terms; t++)
        is_good &= dpl__post_place(x, t) <= dpl__post_place(x, t + 1);
    x->post_bytes = (const uint8_t *)b.data; /* their slack is enough for a number */
    for (uint32_t t = 0; is_good && t < x->n_terms; t++) {
        const dpl__post_list l = dpl__post_list_get(x, t);
        is_good = l.begin <= dpl__post_place(x, t + 1) && l.n_docs <= x->n_docs;
    }
    return is_good ? DPL_OK
                   : dpl__damaged(x->file, "post.lists", "offsets that do not rise to the end",
                                  err);
}

static dpl_status get_lexicon(dpl_index *x, dpl_error *err)
{
    const uint32_t *offsets = NULL;
    const uint8_t *langs = NULL;
    size_t n = 0;
    x->lexicon_of_lang = dpl__alloc(x->ctx, x->n_langs + 1);
    x->lexicons = dpl__calloc(x->ctx, x->n_translated + 1, sizeof *x->lexicons);
    DPL_TRY(dpl__need(x->lexicons && x->lexicon_of_lang, err));
    memset(x->lexicon_of_lang, 255, x->n_langs + 1);
    if (x->n_translated == 0)
        return DPL_OK;
    DPL_TRY(dpl__get(x->file, "lexicon.terms", 4, &x->lexicon_terms, &n, err));
    DPL_TRY(dpl__check_below(x->file, "lexicon.terms", x->lexicon_terms, n, x->n_terms, err));
    DPL_TRY(get_positive(x, "lexicon.p", &x->lexicon_p, n, 1.001f, err));
    DPL_TRY(dpl__get_n(x->file, "lexicon.langs", 1, &langs, x->n_translated, err));
    DPL_TRY(dpl__get_n(x->file, "lexicon.offsets", 4, &offsets,
                       (size_t)x->n_translated * ((size_t)x->n_terms + 1), err));
    uint32_t before = 0;
    bool is_good = x->pivot != UINT32_MAX;
    for (uint32_t l = 0; l < x->n_translated; l++) {
        const uint32_t *o = offsets + (size_t)l * ((size_t)x->n_terms + 1);
        is_good &= langs[l] < x->n_langs && langs[l] != x->pivot &&
                   x->lexicon_of_lang[dpl__min(langs[l], x->n_langs)] == 255;
        for (uint32_t t = 0; t <= x->n_terms; t++) {
            is_good &= o[t] >= before;
            before = o[t];
        }
        if (!is_good)
            break;
        x->lexicons[l] = (dpl__pocket_lexicon){o, langs[l]};
        x->lexicon_of_lang[langs[l]] = (uint8_t)l;
    }
    return is_good && before <= n
               ? DPL_OK
               : dpl__damaged(x->file, "lexicon.offsets", "offsets that do not rise", err);
}

/* ---- the rest ----------------------------------------------------------------------- */

static dpl_status get_texts(dpl_index *x, dpl_error *err)
{
    dpl_section s;
    DPL_TRY(get_ranges(x, "text", &x->texts, &x->text_bytes, x->n_docs, err));
    x->contexts = dpl__calloc(x->ctx, DPL__CONTEXTS, sizeof *x->contexts);
    DPL_TRY(dpl__need(x->contexts, err));
    if (!dpl_file_find(x->file, "text.dictionary", &s))
        return DPL_OK;
    x->dictionary = ZSTD_createDDict(s.data, s.n_bytes);
    return x->dictionary ? DPL_OK : dpl__damaged(x->file, s.name, "damaged dictionary", err);
}

static dpl_status get_receipt(dpl_index *x, dpl_error *err)
{
    const uint32_t *n = NULL;
    DPL_TRY(dpl__get_n(x->file, "receipt", 4, &n, 2 + 4 * DPL_INDEX_BINS, err));
    x->receipt.n_sampled = n[0];
    x->receipt.candidates = n[1];
    memcpy(x->receipt.nearest, n + 2, sizeof x->receipt.nearest);
    memcpy(x->receipt.pairs, n + 2 + DPL_INDEX_BINS, sizeof x->receipt.pairs);
    memcpy(x->receipt.found, n + 2 + 2 * DPL_INDEX_BINS, sizeof x->receipt.found);
    memcpy(x->receipt.found_auto, n + 2 + 3 * DPL_INDEX_BINS, sizeof x->receipt.found_auto);
    return DPL_OK;
}

/* Checksums of everything but the texts. */
static dpl_status check_sums(const dpl_index *x, dpl_error *err)
{
    for (size_t i = 0; i < dpl_file_get_info(x->file).n_sections; i++) {
        const dpl_section s = dpl_file_section(x->file, i);
        if (strcmp(s.name, "text.bytes") != 0 &&
            x->ctx->kernels->crc32c(0, s.data, s.n_bytes) != s.crc)
            return dpl__damaged(x->file, s.name, "checksum does not match", err);
    }
    return DPL_OK;
}

static dpl_status get_everything(dpl_index *x, bool checks, dpl_error *err)
{
    const dpl_status status = dpl__check_kind(x->file, DPL__POCKET_KIND, err);
    if (status == DPL_E_USAGE)
        return dpl__code(err, status, "not-an-index");
    DPL_TRY(status);
    if (checks)
        DPL_TRY(check_sums(x, err));
    DPL_TRY(get_numbers(x, err));
    DPL_TRY(get_docs(x, err));
    DPL_TRY(get_codes(x, err));
    DPL_TRY(get_terms(x, err));
    if (x->flags & DPL__F_VECTORS)
        DPL_TRY(get_vectors(x, err));
    DPL_TRY(get_lexicon(x, err));
    if (x->flags & DPL__F_POSTINGS)
        DPL_TRY(get_postings(x, err));
    if ((x->n_translated || x->flags & DPL__F_POSTINGS) && !(x->flags & DPL__F_VECTORS))
        return dpl__damaged(x->file, "numbers", "postings or a lexicon without vectors", err);
    if (x->flags & DPL__F_TEXTS)
        DPL_TRY(get_texts(x, err));
    DPL_TRY(get_receipt(x, err));
    return get_bytes(x, "settings", 1, &x->settings, err);
}

void dpl__weight_steps(float out[256])
{
    for (int c = 0; c < 256; c++)
        out[c] = (float)dpl__exp((c - 255) * (0.69314718055994531 / DPL__WEIGHT_STEPS));
}

dpl_status dpl__index_from_file(dpl_index **out, dpl_ctx *ctx, dpl_file *file, bool checks,
                                dpl_error *err)
{
    *out = NULL;
    dpl_index *x = dpl__calloc(ctx, 1, sizeof *x);
    if (!x) {
        dpl_file_close(file);
        return dpl__fail_nomem(err);
    }
    x->ctx = x->hash.ctx = ctx;
    x->file = file;
    dpl__arena_init(&x->hash.arena, ctx);
    dpl__weight_steps(x->weights);
    dpl_status status;
    DPL__STEP(get_everything(x, checks, err));
    DPL__STEP(dpl__index_describe_parts(x, err));
    *out = x;
    x = NULL;
done:
    dpl_index_close(x);
    return status;
}

dpl_status dpl_index_open_memory(dpl_index **out, dpl_ctx *ctx, const void *bytes,
                                 size_t n_bytes, dpl_error *err)
{
    enum { ALIGN = 64 };
    *out = NULL;
    char *copy = NULL;
    const void *aligned = bytes;
    if ((uintptr_t)bytes % ALIGN) {
        copy = dpl__alloc(ctx, n_bytes + ALIGN);
        DPL_TRY(dpl__need(copy, err));
        char *at = copy + -(uintptr_t)copy % ALIGN;
        memcpy(at, bytes, n_bytes);
        aligned = at;
    }
    dpl_file *file = NULL;
    dpl_status status;
    DPL__STEP(dpl__file_open_memory(&file, ctx, aligned, n_bytes, "(memory)", err));
    DPL__STEP(dpl__index_from_file(out, ctx, file, true, err));
    (*out)->copy = copy;
    copy = NULL;
done:
    dpl__free(ctx, copy);
    return status;
}

void dpl_index_close(dpl_index *x)
{
    if (!x)
        return;
    for (size_t i = 0; x->contexts && i < DPL__CONTEXTS; i++)
        ZSTD_freeDCtx(x->contexts[i]);
    ZSTD_freeDDict(x->dictionary);
    dpl__free(x->ctx, x->langs, x->parts, x->lexicon_of_lang, x->lexicons, x->contexts);
    dpl__arena_clear(&x->hash.arena);
    dpl_file_close(x->file);
    dpl__free(x->ctx, x->copy, x);
}
