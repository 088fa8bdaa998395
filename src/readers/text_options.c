/*
 * text_options.c - the options of readers of documents and of parallel text.
 */
#include "base/options.h"

#include "doppel/text.h"
#include "readers/bitext/bitext.h"
#include "readers/reader.h"

DPL__NAMES_OF(format, dpl__format_name)
DPL__NAMES_OF(bitext_format, dpl__bitext_format_name)

/* In the order of dpl_on_error. */
DPL__STATIC_NAMES(policy, "fail", "replace", "skip")

/* In the order of dpl_wrapped. */
DPL__STATIC_NAMES(wrapped, "auto", "yes", "no")

/* In the order of dpl_side. */
DPL__STATIC_NAMES(side, "auto", "source", "target")

/* In the order of dpl_boilerplate. */
DPL__STATIC_NAMES(boilerplate, "auto", "keep", "drop")

static const dpl_option reader_options[] = {
    {DPL__OPTION(CHOICE, "from", dpl_reader_options, from), .value = "FORMAT", .choice = format,
     .changes_result = true, .help = "set the format of the documents"},
    {DPL__OPTION(CHOICE, "on-error", dpl_reader_options, on_error), .value = "WHAT",
     .choice = policy, .changes_result = true,
     .help = "what to do with a record that cannot be read (replace turns invalid "
             "UTF-8 into U+FFFD)"},
    {DPL__OPTION(TEXT, "lang", dpl_reader_options, lang), .value = "LANG",
     .standard = "that of the record, or detected from the text", .changes_result = true,
     .help = "set the language of every document, as a code such as de"},
    {DPL__OPTION(TEXT, "only-lang", dpl_reader_options, only_lang), .value = "LANG",
     .standard = "keep all", .changes_result = true,
     .help = "keep the documents in this language, drop and count the others"},
    {DPL__OPTION(TEXT, "id-key", dpl_reader_options, id_key), .value = "KEY", .standard = "id",
     .changes_result = true, .only_with = "from=auto,jsonl,json,csv",
     .help = "field with the id of the document; in JSON a path such as "
             "page.id leads into objects; an empty KEY numbers the lines"},
    {DPL__OPTION(TEXT, "lang-key", dpl_reader_options, lang_key), .value = "KEY",
     .standard = "lang", .changes_result = true, .only_with = "from=auto,jsonl,json,csv",
     .help = "field with the language"},
    {DPL__OPTION(TEXT, "title-key", dpl_reader_options, title_key), .value = "KEY",
     .standard = "title", .changes_result = true, .only_with = "from=auto,jsonl,json,csv",
     .help = "field with the title"},
    {DPL__OPTION(TEXT, "text-key", dpl_reader_options, text_key), .value = "KEY",
     .standard = "text", .changes_result = true, .only_with = "from=auto,jsonl,json,csv",
     .help = "field with the text"},
    {DPL__OPTION(TEXT, "columns", dpl_reader_options, columns), .value = "LIST",
     .standard = "id,text for tsv, text for docenc, the first record of csv",
     .changes_result = true, .only_with = "from=auto,tsv,docenc,csv",
     .help = "tsv, docenc, csv: names of the columns, from id, lang, title and text; "
             "columns of other names are kept with the document, - drops a column"},
    {DPL__OPTION(FLAG, "with-title", dpl_reader_options, with_title), .changes_result = true,
     .help = "put the title in front of the text as its first paragraph"},
    {DPL__OPTION(SIZE, "max-record", dpl_reader_options, max_record), .value = "SIZE", .min = 1,
     .standard = "256M, at most an eighth of the memory", .changes_result = true,
     .help = "longest line, page or file that is accepted"},
    {DPL__OPTION(COUNT, "min-chars", dpl_reader_options, min_chars), .value = "N", .min = 1,
     .standard = "100", .changes_result = true, .only_with = "from=auto,wiki",
     .help = "drop pages with less text as stubs"},
    {DPL__OPTION(SIZE, "chunk", dpl_reader_options, chunk), .value = "SIZE", .min = 1,
     .help = "bytes to read at a time"},
    {DPL__OPTION(FLAG, "follow-links", dpl_reader_options, follow_links),
     .changes_result = true, .only_with = "from=auto,dir",
     .help = "folders: read files that are symbolic links, too, even if they lead out of "
             "the folder"},
    {DPL__OPTION(CHOICE, "wrapped", dpl_reader_options, wrapped), .value = "WHEN",
     .choice = wrapped, .changes_result = true, .only_with = "from=auto,dir,warc,zim",
     .help = "text files: join lines that were broken to fit a width into paragraphs; auto "
             "detects from the lengths of lines whether they were"},
    {DPL__OPTION(CHOICE, "side", dpl_reader_options, side), .value = "SIDE", .choice = side,
     .changes_result = true, .only_with = "from=auto,dir",
     .help = "po, xliff: read the source texts or the target texts, which are their "
             "translations; auto takes those in the language asked for, else the target "
             "texts, if there are any"},
    {DPL__OPTION(FLAG, "chapters", dpl_reader_options, chapters), .changes_result = true,
     .only_with = "from=auto,dir",
     .help = "epub: make a document of each chapter instead of the book"},
    {DPL__OPTION(FLAG, "all-pages", dpl_reader_options, all_pages), .changes_result = true,
     .only_with = "from=auto,wiki", .help = "keep disambiguation pages and lists"},
    {DPL__OPTION(TEXT, "encoding", dpl_reader_options, encoding), .value = "NAME",
     .standard = "detected", .changes_result = true,
     .help = "encoding of files that are not UTF-8, such as windows-1251 or Shift_JIS; "
             "utf-8 converts none"},
    {DPL__OPTION(CHOICE, "boilerplate", dpl_reader_options, boilerplate), .value = "WHAT",
     .choice = boilerplate, .changes_result = true, .only_with = "from=auto,dir,warc,zim",
     .help = "HTML: drop lines that recur on pages of a site, and lists of links; auto drops "
             "them from web archives only"},
    {DPL__OPTION(TEXT, "wiki-fields", dpl_reader_options, wiki_fields), .value = "LIST",
     .standard = "none", .changes_result = true, .only_with = "from=auto,wiki",
     .help = "keep the values of infoboxes and the cells of tables with the document, as "
             "plain text: infobox, tables or infobox,tables"},
    {DPL__OPTION(FLAG, "fields-in-text", dpl_reader_options, fields_in_text),
     .changes_result = true, .only_with = "from=auto,wiki wiki-fields",
     .help = "add the fields that are kept to the text of the document, too"},
};
DPL__OPTION_TABLE(reader, dpl_reader_options, reader_options)

static const dpl_option bitext_options[] = {
    {DPL__OPTION(CHOICE, "from", dpl_bitext_options, from), .value = "FORMAT",
     .choice = bitext_format, .changes_result = true,
     .help = "set the format of the parallel text"},
    {DPL__OPTION(CHOICE, "on-error", dpl_bitext_options, on_error), .value = "WHAT",
     .choice = policy, .changes_result = true,
     .help = "what to do with a row that cannot be read (replace turns invalid UTF-8"
             " into U+FFFD), and with files of a pair that differ in length"},
    {DPL__OPTION(TEXT, "left-lang", dpl_bitext_options, left_lang), .value = "LANG",
     .changes_result = true, .help = "set the language of the left side, as a code such as de"},
    {DPL__OPTION(TEXT, "right-lang", dpl_bitext_options, right_lang), .value = "LANG",
     .changes_result = true, .help = "set the language of the right side"},
    {DPL__OPTION(COUNT, "left-column", dpl_bitext_options, left_column), .value = "N", .min = 1,
     .standard = "1; keyed: 2", .changes_result = true,
     .help = "tsv, keyed: column of the left side"},
    {DPL__OPTION(COUNT, "right-column", dpl_bitext_options, right_column), .value = "N",
     .min = 1, .standard = "2", .changes_result = true,
     .help = "tsv, keyed: column of the right side"},
    {DPL__OPTION(SIZE, "max-record", dpl_bitext_options, max_record), .value = "SIZE", .min = 1,
     .standard = "16M", .changes_result = true,
     .help = "longest line, unit or message that is accepted"},
};
DPL__OPTION_TABLE(bitext, dpl_bitext_options, bitext_options)
