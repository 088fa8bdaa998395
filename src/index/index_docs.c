/*
 * index_docs.c - what an index says about itself and its documents.
 */
#include "base/sized.h"
#include "index/pocket.h"

/* ---- where bytes go ----------------------------------------------------------------- */

/* Sections whose name begins so belong to it. */
static const struct kind {
    const char *prefix, *name, *about;
} kinds[] = {
    {"code.mph", "perfect hash", "number of each code"},
    {"code.checks", "checksums", "of codes, against foreign ones"},
    {"code.", "buckets", "documents of each code; the hash function"},
    {"name.", "names", "ids and titles"},
    {"id.", "id table", "finds a document by its id"},
    {"doc.", "documents", "languages and numbers of words"},
    {"lang.", "documents", NULL},
    {"term.", "vocabulary", "words and their weights"},
    {"row.", "vectors", "counts of words: verifies similarities"},
    {"post.", "postings", "documents of each word: short queries, exact answers"},
    {"lexicon.", "lexicon", "translations of words"},
    {"text.", "texts", "of the documents"},
    {"prefix.", "buckets", NULL},
    {"class.", "buckets", NULL},
    {"", "other", "settings, receipt, table of sections"},
};

static size_t kind_of(const char *section)
{
    size_t i = 0;
    while (strncmp(section, kinds[i].prefix, strlen(kinds[i].prefix)) != 0)
        i++;
    return i;
}

static void add_part(dpl_index *x, const char *name, const char *about, uint64_t n)
{
    for (size_t i = 0; i < x->n_parts; i++)
        if (x->parts[i].name && strcmp(x->parts[i].name, name) == 0) {
            x->parts[i].n_bytes += n;
            x->parts[i].about = x->parts[i].about ? x->parts[i].about : about;
            return;
        }
    size_t i = 0;
    while (x->parts[i].name)
        i++;
    x->parts[i] = (dpl_index_part){name, about, n};
}

/* The languages of documents, most frequent first; then those of the lexicon alone. */
static void list_langs(dpl_index *x)
{
    for (uint32_t i = 0; i < x->n_langs; i++) {
        const dpl_index_lang lang = {dpl__index_lang(x, i), (uint32_t)x->lang_counts[2 * i],
                                     dpl__index_lexicon(x, i) != NULL,
                                     x->lang_counts[2 * i + 1]};
        size_t at = i;
        for (; at > 0 && x->langs[at - 1].n_docs < lang.n_docs; at--)
            x->langs[at] = x->langs[at - 1];
        x->langs[at] = lang;
    }
}

dpl_status dpl__index_describe_parts(dpl_index *x, dpl_error *err)
{
    const dpl_file_info about = dpl_file_get_info(x->file);
    x->n_parts = DPL_LEN(kinds) + 1;
    x->parts = dpl__calloc(x->ctx, x->n_parts, sizeof *x->parts);
    x->langs = dpl__calloc(x->ctx, x->n_langs + 1, sizeof *x->langs);
    DPL_TRY(dpl__need(x->parts && x->langs, err));
    uint64_t sum = 0;
    for (size_t k = 0; k < DPL_LEN(kinds); k++)
        for (size_t i = 0; i < about.n_sections; i++) {
            const dpl_section s = dpl_file_section(x->file, i);
            if (kind_of(s.name) != k)
                continue;
            add_part(x, kinds[k].name, kinds[k].about, s.n_bytes);
            sum += s.n_bytes;
        }
    add_part(x, "other", kinds[DPL_LEN(kinds) - 1].about, about.n_bytes - sum);
    list_langs(x);
    return DPL_OK;
}

void dpl_index_describe(const dpl_index *x, dpl_index_info *info)
{
    const dpl_file_info about = dpl_file_get_info(x->file);
    size_t n_parts = 0;
    while (x->parts[n_parts].name)
        n_parts++;
    dpl_index_info full = DPL_INIT(dpl_index_info);
    full.n_docs = x->n_docs;
    full.n_terms = x->n_terms;
    full.n_words = x->n_words;
    full.function = x->hash.options.function;
    full.code_length = x->hash.options.length;
    full.codes_per_doc = x->hash.options.codes;
    full.checksum = x->checksum;
    full.n_codes = x->codes.n_entries;
    full.n_slots = x->codes.mph.n_keys;
    full.bits_per_slot = full.n_slots ? 8.0 * DPL__MPH_BLOCK * (double)x->codes.mph.n_blocks /
                                            (double)full.n_slots
                                      : 0;
    full.has_vectors = x->flags & DPL__F_VECTORS;
    full.has_postings = x->flags & DPL__F_POSTINGS;
    full.has_texts = x->flags & DPL__F_TEXTS;
    full.has_lexicon = x->n_translated > 0;
    full.is_stemmed = x->flags & DPL__F_STEM;
    full.pivot = x->pivot == UINT32_MAX ? "" : dpl__index_lang(x, x->pivot);
    full.langs = x->langs;
    full.n_langs = x->n_langs;
    full.parts = x->parts;
    full.n_parts = n_parts;
    full.n_bytes = about.n_bytes;
    full.receipt = &x->receipt;
    full.path = about.path;
    DPL__GIVE(info, &full);
}

/* ---- documents ---------------------------------------------------------------------- */

static dpl_str name_of(const dpl_index *x, uint64_t i)
{
    const uint64_t begin = dpl__offset(&x->names, i), end = dpl__offset(&x->names, i + 1);
    return (dpl_str){x->name_bytes + begin, (size_t)(end - begin)};
}

dpl_index_doc dpl_index_document(const dpl_index *x, uint32_t row)
{
    assert(row < x->n_docs);
    return (dpl_index_doc){.id = name_of(x, 2 * (uint64_t)row),
                           .title = name_of(x, 2 * (uint64_t)row + 1),
                           .lang = dpl__index_lang(x, dpl__index_doc_lang(x, row)),
                           .n_words = (uint32_t)dpl__packed_get(&x->doc_words, row)};
}

bool dpl_index_find(const dpl_index *x, dpl_str id, uint32_t *row)
{
    if (x->n_docs == 0)
        return false;
    const uint64_t slot = dpl__mph_get(&x->ids, dpl__string_key(id));
    const uint64_t doc = dpl__packed_get(&x->id_rows, slot);
    if (doc >= x->n_docs || !dpl__str_eq(name_of(x, 2 * doc), id))
        return false;
    *row = (uint32_t)doc;
    return true;
}

dpl_str dpl__index_term(const dpl_index *x, uint32_t term)
{
    assert(term < x->n_terms);
    const uint64_t begin = dpl__offset(&x->term_names, term),
                   end = dpl__offset(&x->term_names, term + 1);
    return (dpl_str){x->term_bytes + begin, (size_t)(end - begin)};
}
