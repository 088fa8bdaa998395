/*
 * index_summary.c - the figures of writing an index, and those of one that is there.
 */
#include "base/summary.h"
#include "doppel/index.h"

static double per_document(const void *summary)
{
    const dpl_index_summary *s = summary;
    return s->n_docs ? (double)(s->n_bytes / s->n_docs) : 0;
}

/* Around it: output. */
static const dpl_figure figures[] = {
    {DPL__FIGURE_OF(COUNT, "documents", dpl_index_summary, n_docs),
     .help = "documents of the index", .label = "documents",
     .remark = "[deleted?{deleted} left out or replaced]"},
    {DPL__FIGURE_OF(COUNT, "empty", dpl_index_summary, n_empty),
     .help = "documents without words", .label = "empty", .remark = "documents without words",
     .shown_with = "empty"},
    {DPL__FIGURE_OF(COUNT, "deleted", dpl_index_summary, n_deleted),
     .help = "documents that were left out or replaced"},
    {DPL__FIGURE_OF(COUNT, "codes", dpl_index_summary, n_codes),
     .help = "codes of all documents"},
    {DPL__FIGURE_OF(COUNT, "slots", dpl_index_summary, n_slots), .help = "different codes",
     .label = "slots", .remark = "of {codes} codes"},
    {DPL__FIGURE_OF(BYTES, "bytes", dpl_index_summary, n_bytes), .only_with = "output",
     .help = "size of the index", .label = "output", .remark = "'{output}'"},
    {.name = "per_document",
     .type = DPL_FIGURE_COUNT,
     .compute = per_document,
     .only_with = "output documents",
     .label = "",
     .remark = "bytes for each document"},
    DPL__SPILLED_BYTES(dpl_index_summary),
    DPL__SECONDS(dpl_index_summary, "time it took"),
};
DPL__SUMMARY_TABLE(index, dpl_index_summary, figures)

/* ---- an index ----------------------------------------------------------------------- */

static const char *function_name(unsigned i)
{
    return dpl_hash_get_function_info((dpl_hash_function)i)->name;
}

static const char *function_unit(unsigned i)
{
    return dpl_hash_get_function_info((dpl_hash_function)i)->unit;
}

static const dpl_figure of_lang[] = {
    {DPL__FIGURE_OF(TEXT, "lang", dpl_index_lang, lang), .help = "language"},
    {DPL__FIGURE_OF(COUNT, "documents", dpl_index_lang, n_docs), .help = "documents"},
    {DPL__FIGURE_OF(COUNT, "words", dpl_index_lang, n_words), .help = "words"},
    {DPL__FIGURE_OF(FLAG, "translated", dpl_index_lang, is_translated),
     .help = "a lexicon of the index has it"},
};
static const dpl_summary_table lang_figures = {"language", sizeof(dpl_index_lang), false,
                                               of_lang, DPL_LEN(of_lang)};

static const dpl_figure of_part[] = {
    {DPL__FIGURE_OF(TEXT, "name", dpl_index_part, name), .help = "name of the part"},
    {DPL__FIGURE_OF(TEXT, "about", dpl_index_part, about), .help = "what it is for"},
    {DPL__FIGURE_OF(COUNT, "bytes", dpl_index_part, n_bytes), .help = "its size"},
};
static const dpl_summary_table part_figures = {"part", sizeof(dpl_index_part), false, of_part,
                                               DPL_LEN(of_part)};

static void put_bins(dpl_json *j, const char *key, const uint32_t *bins)
{
    dpl_json_begin(j, key, '[');
    for (int b = 0; b < DPL_INDEX_BINS; b++)
        dpl_json_number(j, NULL, bins[b]);
    dpl_json_end(j, ']');
}

static void put_receipt(dpl_json *j, const char *key, const void *field)
{
    const dpl_index_receipt *r = field;
    dpl_json_begin(j, key, '{');
    dpl_json_number(j, "sampled", r->n_sampled);
    dpl_json_number(j, "candidates", r->candidates);
    put_bins(j, "nearest", r->nearest);
    put_bins(j, "pairs", r->pairs);
    put_bins(j, "found", r->found);
    put_bins(j, "found_auto", r->found_auto);
    dpl_json_end(j, '}');
}

static const dpl_figure of_info[] = {
    {DPL__FIGURE_OF(COUNT, "documents", dpl_index_info, n_docs),
     .help = "documents of the index", .label = "documents"},
    {DPL__FIGURE_OF(LIST, "languages", dpl_index_info, langs),
     .count = offsetof(dpl_index_info, n_langs), .n_each = sizeof(dpl_index_lang),
     .group = &lang_figures, .help = "languages of documents", .label = "{lang}",
     .value = "{documents}", .remark = "documents[translated?, translated into {pivot}]"},
    {DPL__FIGURE_OF(COUNT, "words", dpl_index_info, n_words), .help = "words of all documents",
     .label = "words", .remark = "different ones: {terms}"},
    {DPL__FIGURE_OF(COUNT, "terms", dpl_index_info, n_terms), .help = "different words"},
    {DPL__FIGURE_OF(TEXT, "pivot", dpl_index_info, pivot),
     .help = "language of the vectors; empty without a lexicon"},
    {DPL__FIGURE_OF(CHOICE, "function", dpl_index_info, function), .choice = function_name,
     .help = "hash function of the codes"},
    {DPL__FIGURE_OF(COUNT, "code_length", dpl_index_info, code_length),
     .help = "length of a code, in units of the function"},
    {DPL__FIGURE_OF(COUNT, "codes_of_document", dpl_index_info, codes_per_doc),
     .help = "codes of a document", .label = "codes",
     .remark = "for each document, of {code_length} {unit}, {function}"},
    {DPL__FIGURE_OF(CHOICE, "unit", dpl_index_info, function), .choice = function_unit},
    {DPL__FIGURE_OF(COUNT, "checksum", dpl_index_info, checksum), .help = "bits of a checksum"},
    {DPL__FIGURE_OF(COUNT, "codes", dpl_index_info, n_codes), .help = "codes of all documents"},
    {DPL__FIGURE_OF(COUNT, "slots", dpl_index_info, n_slots), .help = "different codes",
     .label = "slots",
     .remark = "of {codes} codes, {bits_per_slot:.2f} bits each, checksum of {checksum} bits"},
    {DPL__FIGURE_OF(REAL, "bits_per_slot", dpl_index_info, bits_per_slot),
     .help = "of the perfect hash function"},
    {DPL__FIGURE_OF(FLAG, "vectors", dpl_index_info, has_vectors), .help = "has vectors",
     .label = "holds",
     .value = "[vectors?vectors|no vectors][postings?, postings]"
              "[texts?, texts][lexicon?, lexicon][stem?, stems]"},
    {DPL__FIGURE_OF(FLAG, "postings", dpl_index_info, has_postings), .help = "has postings"},
    {DPL__FIGURE_OF(FLAG, "texts", dpl_index_info, has_texts), .help = "has texts"},
    {DPL__FIGURE_OF(FLAG, "lexicon", dpl_index_info, has_lexicon), .help = "has a lexicon"},
    {DPL__FIGURE_OF(FLAG, "stem", dpl_index_info, is_stemmed), .help = "words are stems"},
    {DPL__FIGURE_OF(COUNT, "bytes", dpl_index_info, n_bytes), .help = "size of the index"},
    {DPL__FIGURE_OF(LIST, "parts", dpl_index_info, parts),
     .count = offsetof(dpl_index_info, n_parts), .n_each = sizeof(dpl_index_part),
     .group = &part_figures, .help = "parts of the file"},
    {DPL__FIGURE_OF(OTHER, "receipt", dpl_index_info, receipt), .put = put_receipt,
     .help = "neighbours of a sample by similarity, and how many of them queries find"},
};
DPL__SUMMARY_TABLE(index_info, dpl_index_info, of_info)
