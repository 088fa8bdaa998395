/*
 * doppel/text.h - the first stage: files become documents.
 *
 *     dpl_reader *reader = NULL;
 *     dpl_reader_options options = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
 *     dpl_status status = dpl_reader_open(&reader, ctx, "news.jsonl.zst", &options, &err);
 *     dpl_doc doc;
 *     while (status == DPL_OK && (status = dpl_reader_next(reader, &doc, &err)) == DPL_OK)
 *         printf("%.*s\n", (int)doc.id.n, doc.id.data);
 *     dpl_reader_close(reader);
 *
 * Compression (gzip, zstd, bzip2, xz) is detected from the first bytes, and the path "-" is
 * standard input. Encodings other than UTF-8 are converted: UTF-16, the one that HTML declares,
 * and those that are detected reliably. All text is valid UTF-8 in NFC.
 */
#ifndef DOPPEL_TEXT_H
#define DOPPEL_TEXT_H

#include "doppel/base.h"
#include "doppel/json.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dpl_format {
    DPL_FORMAT_AUTO = 0, /* by the path and the first bytes */
    DPL_FORMAT_JSONL,    /* one JSON object per line */
    DPL_FORMAT_WIKI,     /* MediaWiki XML export */
    DPL_FORMAT_DIR,    /* a directory of files that are one document each: HTML, text, Markdown,
                          EPUB, DOCX, ODT, subtitles, XLIFF, PO; or one such file. A single file of
                          any other name is read as text */
    DPL_FORMAT_TSV,    /* tab-separated columns, one document per line */
    DPL_FORMAT_DOCENC, /* the same with base64 in the text column, as ParaCrawl's tools write */
    DPL_FORMAT_CSV,  /* comma-separated values (RFC 4180); the first record names the columns */
    DPL_FORMAT_JSON, /* a JSON array of objects, over any number of lines */
    DPL_FORMAT_WARC, /* a web archive: HTML and text of its HTTP responses, or text (WET); the
                        address is the id, a second page of an address is dropped */
    DPL_FORMAT_ZIM   /* a ZIM file of Kiwix: HTML and text of its articles; the path in the file
                        is the id. Not from a stream */
} dpl_format;

/* What to do with a record that cannot be read. */
typedef enum dpl_on_error {
    DPL_ON_ERROR_FAIL = 0, /* stop with file, line and column */
    DPL_ON_ERROR_REPLACE,  /* invalid UTF-8 becomes U+FFFD, counted; other faults still stop */
    DPL_ON_ERROR_SKIP      /* drop the record and count it */
} dpl_on_error;

/* Are the lines of a text file parts of paragraphs, broken to fit a width? */
typedef enum dpl_wrapped {
    DPL_WRAPPED_AUTO = 0, /* detected from the lengths of lines, for each file */
    DPL_WRAPPED_YES,      /* the lines of a paragraph are joined */
    DPL_WRAPPED_NO        /* every line is a paragraph */
} dpl_wrapped;

/* Which texts of a file that holds translations are the document (PO, XLIFF). */
typedef enum dpl_side {
    DPL_SIDE_AUTO = 0, /* those in the language asked for (lang, only_lang); else the
                          translations, if there are any */
    DPL_SIDE_SOURCE,
    DPL_SIDE_TARGET /* the translations */
} dpl_side;

/* Navigation, headers and footers of web pages: lines that occur on a quarter of the pages of a
 * site (or folder), and sequences of lines that are mostly links. */
typedef enum dpl_boilerplate {
    DPL_BOILERPLATE_AUTO = 0, /* dropped from web archives, kept elsewhere */
    DPL_BOILERPLATE_KEEP,
    DPL_BOILERPLATE_DROP
} dpl_boilerplate;

/* At the beginning of a paragraph it marks the start of a section, usually a heading: U+001D,
 * the group separator, which counts as white space elsewhere. Readers of wikis set it; in
 * documents from elsewhere ("\u001d" in JSON) it means the same. */
#define DPL_SECTION_MARK 0x1D

/* One document. Frozen while valid; the slices live until the next call on its reader, or as
 * long as the collection it came from. Layout fixed. */
typedef struct dpl_doc {
    dpl_str id;
    dpl_str lang;  /* ISO 639 code, "de", "ceb"; "und" when it could not be detected */
    dpl_str title; /* may be empty */
    dpl_str text;  /* paragraphs end with '\n'; DPL_SECTION_MARK */
    dpl_str extra; /* the record's other fields as one JSON object, unchanged; or empty */
} dpl_doc;

/* DPL_INIT first; zero in a field means its default. Strings must outlive the reader. */
typedef struct dpl_reader_options {
    size_t size;
    dpl_format from;
    dpl_on_error on_error;
    const char *lang;      /* of every document; default: the field, or else detected */
    const char *only_lang; /* drop the documents of every other language; NULL: keep all */
    /* Keys of JSONL and JSON, columns of CSV. In JSON, "a.b" is the member b of the object a,
     * unless a member has the key "a.b"; arrays are searched. */
    const char *id_key;    /* default "id". "" numbers the documents by line */
    const char *lang_key;  /* default "lang". "" for none */
    const char *title_key; /* default "title". "" for none */
    const char *text_key;  /* default "text" */
    const char *columns;   /* TSV, DOCENC: names in order from id, lang, title, text; others are
                              kept in extra under their name, "-" drops one; every line must have
                              them all. Without an id column the id is the number of the line.
                              Default "id,text" for TSV, "text" for DOCENC. CSV: the names of the
                              columns, if no record of the file has them */
    bool with_title; /* make the title the first paragraph of the text, unless it is already */
    uint64_t max_record; /* maximum bytes of one line, page or file; default 256 MiB, in an
                            import at most an eighth of the memory limit */
    uint32_t min_chars; /* WIKI: pages with less plain text are stubs; default 100 characters */
    size_t chunk;       /* bytes read at a time; the result does not depend on it */
    bool follow_links;  /* DIR: read symbolic links to files, too, even out of the directory.
                           Links to directories are never followed */
    dpl_wrapped wrapped; /* DIR: plain text */
    dpl_side side;       /* DIR: PO, XLIFF */
    bool chapters;       /* DIR: EPUB: a document for each chapter (item of the spine), with the
                            id "path#member", instead of one for the book */
    bool all_pages; /* WIKI: keep disambiguation pages and lists; "page" of their extra field
                       says which they are */
    const char *encoding; /* of input that is not valid UTF-8 and has no byte-order mark, by any
                             name that ICU knows; "utf-8": nothing is converted. Default: the
                             one that a page declares, or else a reliably detected one */
    dpl_boilerplate boilerplate; /* WARC, DIR, ZIM: HTML. Files are read twice for it; from
                                    standard input only sequences of links are dropped */
    const char *wiki_fields; /* WIKI: "infobox", "tables" or both with a comma between: kept in
                                extra as plain text, {"infobox": [{"template": name, "values":
                                {name: value}}], "tables": [[[cell, ...], ...], ...]}. Default:
                                none */
    bool fields_in_text;     /* WIKI: append these values to the text, too */
    bool unknown_as_text;    /* AUTO: where no format is detected, the input is one document of
                                plain text, unless it is binary. Default: an error */
} dpl_reader_options;

/* Why a record did not become a document. */
typedef enum dpl_drop {
    DPL_DROP_EMPTY,          /* no text */
    DPL_DROP_REDIRECT,       /* wiki, zim: the page only points to another */
    DPL_DROP_NAMESPACE,      /* wiki: talk, user, template ...; zim: metadata, indexes */
    DPL_DROP_STUB,           /* wiki: hardly any text */
    DPL_DROP_DUPLICATE,      /* an earlier document has the id, and is kept */
    DPL_DROP_UTF8,           /* invalid UTF-8 */
    DPL_DROP_MALFORMED,      /* not JSON, not base64, too few columns ... */
    DPL_DROP_MISSING,        /* a key that must be there is not */
    DPL_DROP_LONG,           /* over max_record */
    DPL_DROP_FILE_TYPE,      /* directory: a file of a type that is not read */
    DPL_DROP_LANGUAGE,       /* in another language than the one asked for */
    DPL_DROP_LINK,           /* directory: a symbolic link, not followed */
    DPL_DROP_DISAMBIGUATION, /* wiki: a page that lists the meanings of a name */
    DPL_DROP_LIST,           /* wiki: a list of other pages */
    DPL_DROP_RECORD_TYPE,    /* warc: requests, metadata, revisits: no page */
    DPL_DROP_MEDIA_TYPE,     /* warc, zim: images, PDF ...: no HTML and no text */
    DPL_DROP_STATUS,         /* warc: the server answered with a redirect or an error */
    DPL_N_DROPS,             /* number of reasons in this version */
    DPL_MOST_DROPS = 32      /* room in arrays: DPL_N_DROPS may grow up to it */
} dpl_drop;

/* "empty", "redirect", ...; NULL when out of range. Static text. */
DPL_API const char *dpl_drop_name(dpl_drop drop);

/* Encodings that are counted by name. */
enum { DPL_MOST_ENCODINGS = 48 };

/* DPL_INIT before it is filled. */
typedef struct dpl_read_counts {
    size_t size;
    uint64_t n_docs;
    uint64_t n_dropped[DPL_MOST_DROPS]; /* by dpl_drop */
    uint64_t n_replaced;                /* invalid UTF-8 sequences turned into U+FFFD */
    uint64_t n_identified; /* documents whose language was detected from their text */
    uint64_t n_file_bytes; /* read from the file, compressed as it is */
    uint64_t n_raw_bytes;  /* after decompression */
    /* Files of documents, or pages of a folder or archive, that were converted to UTF-8: by
     * encoding; the figure `converted` has their names (doppel/summary.h) */
    uint64_t n_converted[DPL_MOST_ENCODINGS];
    uint64_t n_boilerplate; /* lines of pages that were dropped as boilerplate */
} dpl_read_counts;

/* ---- skipped records ---------------------------------------------------------------- */

/* A record that did not become a document. The texts are borrowed from its list. */
typedef struct dpl_skipped {
    const char *file; /* as messages name it; long ones are cut */
    uint64_t line;    /* 0: the whole file */
    dpl_drop reason;
    const char *text; /* what is wrong with it; may be empty */
    bool is_numbered; /* `line` is the number of a document: there is no file with lines */
} dpl_skipped;

/* Records that did not become documents: the first 20 of each reason in the order of the input,
 * and the number of all. Redirects, other namespaces and stubs are only counted, other
 * languages not even that. The same for any number of threads. Owned. */
typedef struct dpl_skip_list dpl_skip_list;

/* An empty one, to be filled by an import (dpl_import_summary.skipped). */
DPL_API dpl_status dpl_skip_list_new(dpl_skip_list **out, dpl_ctx *ctx, dpl_error *err);
DPL_API void dpl_skip_list_free(dpl_skip_list *list);
/* Records listed; 0 for NULL. */
DPL_API size_t dpl_skip_list_n(const dpl_skip_list *list);
DPL_API dpl_skipped dpl_skip_list_get(const dpl_skip_list *list, size_t i);
/* All records of the reason, listed or not. */
DPL_API uint64_t dpl_skip_list_count(const dpl_skip_list *list, dpl_drop reason);

/* Documents that the caller holds or makes. Layout fixed.
 *
 * next() fills *doc, which is zeroed before: the text, and the id, lang (any spelling), title
 * and extra (one JSON object) as far as there are any; what it points to must stay until the
 * following call. It returns DPL_OK, DPL_END after the last document, or a failure, which ends
 * the reading. It is called by one thread at a time, not always the same one. Documents are
 * checked and normalised like those of a file; without an id, the number of the document is its
 * id, from 1. */
typedef struct dpl_doc_source {
    dpl_status (*next)(void *user, dpl_doc *doc, dpl_error *err);
    void *user;
    const char *name; /* for messages; NULL: "(documents)" */
} dpl_doc_source;

/* One input: a path, a source, the bytes of a file, or an open collection. Exactly one of them
 * is set, the rest is zero. What it points to must outlive the use. Layout fixed. */
typedef struct dpl_input {
    const char *path;             /* a file or a folder; "-" is standard input */
    const dpl_doc_source *source; /* documents from the caller */
    /* The bytes of a file, compressed or not; data is not NULL even if n is 0. */
    dpl_str buffer;
    const struct dpl_collection *collection; /* doppel/tokens.h */
    const char *name; /* for messages and reports; NULL: the path, or the source's name */
    const void *reserved[3];
} dpl_input;

/* What messages call it. Borrowed from the input, or static text. */
DPL_API const char *dpl_input_name(const dpl_input *input);

/* Owned. */
typedef struct dpl_reader dpl_reader;

DPL_API dpl_status dpl_reader_open(dpl_reader **out, dpl_ctx *ctx, const char *path,
                                   const dpl_reader_options *options, dpl_error *err);
/* DPL_E_USAGE for a collection: its documents were read already. */
DPL_API dpl_status dpl_reader_open_input(dpl_reader **out, dpl_ctx *ctx, const dpl_input *input,
                                         const dpl_reader_options *options, dpl_error *err);
/* DPL_END after the last document. */
DPL_API dpl_status dpl_reader_next(dpl_reader *reader, dpl_doc *doc, dpl_error *err);
/* So far. Borrowed until the reader is closed. */
DPL_API const dpl_read_counts *dpl_reader_counts(const dpl_reader *reader);
/* Likewise. */
DPL_API const dpl_skip_list *dpl_reader_skipped(const dpl_reader *reader);
DPL_API void dpl_reader_close(dpl_reader *reader);

/* ---- parallel text ------------------------------------------------------------------ */

typedef enum dpl_bitext_format {
    DPL_BITEXT_AUTO = 0, /* by names and first bytes; two plain text files are a Moses pair */
    DPL_BITEXT_MOSES, /* files in pairs, LEFT RIGHT: line i of one is the translation of line i
                         of the other */
    DPL_BITEXT_TSV,   /* tab-separated columns, two of them the sides */
    DPL_BITEXT_KEYED, /* files in pairs, LEFT RIGHT, key <TAB> text a line: rows of the same key
                         belong together; keys in one file only are counted. The right file is
                         held in memory. Never detected: must be set */
    DPL_BITEXT_TMX,   /* translation memory, 1.1 to 1.4b */
    DPL_BITEXT_GETTEXT, /* catalogues, .mo and .po: the message and its translation; without
                           English, in pairs, LEFT RIGHT, joined by the message */
    DPL_BITEXT_XLIFF    /* XLIFF 1.2 and 2.x: segments and their translations */
} dpl_bitext_format;

/* DPL_INIT first; zero in a field means its default. Strings must outlive the reader. */
typedef struct dpl_bitext_options {
    size_t size;
    dpl_bitext_format from;
    /* A row that cannot be read. Files of a pair that differ in length are an error, except
     * with SKIP, which reads the lines that have a counterpart. */
    dpl_on_error on_error;
    /* TMX: the two to take of each unit, must be given; "pt-BR" takes no other Portuguese.
     * GETTEXT: English is the message, the other one the translation; NULL: left is the
     * message. XLIFF: a file in the other direction is reversed; NULL: left is the source */
    const char *left_lang, *right_lang;
    unsigned left_column, right_column; /* TSV: from 1; default 1 and 2. KEYED: 2 and 2 */
    uint64_t max_record;                /* bytes of one line, unit or message; default 16 MiB */
} dpl_bitext_options;

/* Valid UTF-8 in NFC, without white space at the ends, line breaks, tabs or other control
 * characters: they became blanks. A side may be empty. The slices live until the next call on
 * the reader. Layout fixed. */
typedef struct dpl_bitext_row {
    dpl_str left, right;
} dpl_bitext_row;

/* DPL_INIT before it is filled. */
typedef struct dpl_bitext_counts {
    size_t size;
    uint64_t n_rows;
    uint64_t n_empty;      /* of these, rows with an empty side */
    uint64_t n_alone;      /* units, messages, keys, lines without a counterpart: no rows */
    uint64_t n_fuzzy;      /* GETTEXT: translations marked as fuzzy or obsolete: no rows */
    uint64_t n_skipped;    /* rows that could not be read (SKIP) */
    uint64_t n_replaced;   /* invalid UTF-8 sequences turned into U+FFFD */
    uint64_t n_file_bytes; /* read so far, compressed as they are */
} dpl_bitext_counts;

/* The rows of several files, one behind the other. Owned. */
typedef struct dpl_bitext dpl_bitext;

DPL_API dpl_status dpl_bitext_open(dpl_bitext **out, dpl_ctx *ctx, const char *const *paths,
                                   size_t n_paths, const dpl_bitext_options *options,
                                   dpl_error *err);

/* Rows that the caller holds or makes, valid until the following call; they are checked and
 * normalised like those of a file. Otherwise as dpl_doc_source. Layout fixed. */
typedef struct dpl_bitext_source {
    dpl_status (*next)(void *user, dpl_bitext_row *row, dpl_error *err);
    void *user;
    const char *name; /* for messages; NULL: "(rows)" */
} dpl_bitext_source;

DPL_API dpl_status dpl_bitext_open_source(dpl_bitext **out, dpl_ctx *ctx,
                                          const dpl_bitext_source *source,
                                          const dpl_bitext_options *options, dpl_error *err);
/* DPL_END after the last row. */
DPL_API dpl_status dpl_bitext_next(dpl_bitext *bitext, dpl_bitext_row *row, dpl_error *err);
/* So far. Borrowed until the reader is closed. */
DPL_API const dpl_bitext_counts *dpl_bitext_get_counts(const dpl_bitext *bitext);
DPL_API void dpl_bitext_close(dpl_bitext *bitext);

/* ---- languages ---------------------------------------------------------------------- */

/* A language as an ISO 639 code: two letters where they exist. Layout fixed. */
typedef struct dpl_lang {
    char code[12];    /* "und" when it cannot be detected */
    float confidence; /* in [0, 1]; 0 for "und" */
} dpl_lang;

/* The language of valid UTF-8 text. Reliable from about 50 characters on;
 * docs/reference/LANGUAGES.md has the accuracy per language and length. */
DPL_API dpl_lang dpl_lang_identify(dpl_str text);
/* "deu", "de-AT", "German" -> "de": what readers do with a language given from outside. */
DPL_API dpl_lang dpl_lang_canonical(dpl_str name);

#ifdef __cplusplus
}
#endif
#endif
