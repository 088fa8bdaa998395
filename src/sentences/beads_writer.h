/*
 * beads_writer.h - the parts of a writer of beads: text output, the table of formats, folders.
 */
#ifndef DPL_SENTENCES_BEADS_WRITER_H
#define DPL_SENTENCES_BEADS_WRITER_H

#include "base/map.h"
#include "base/vec.h"
#include "doppel/file.h"
#include "doppel/sentences.h"
#include "sentences/aligned.h"

typedef struct dpl__beads_format dpl__beads_format;

typedef struct dpl__pair_hash {
    uint64_t key; /* 0: free */
} dpl__pair_hash;
DPL_KEY_MAP(dpl__pair_set, dpl__pair_hash);

/* Some sentence pairs, of different document pairs where there are such. */
enum { DPL__EXAMPLES = 3 };
typedef struct dpl__bead_example {
    size_t pair;            /* number of the document pair */
    dpl_str id[2], text[2]; /* borrowed from the collections */
} dpl__bead_example;

typedef struct dpl__bead_examples {
    dpl__bead_example at[DPL__EXAMPLES];
    size_t n;
} dpl__bead_examples;

/* Whether one of this document pair is wanted. */
bool dpl__bead_examples_wants(const dpl__bead_examples *e, size_t pair);
/* One that is wanted. */
void dpl__bead_examples_add(dpl__bead_examples *e, const dpl__bead_example *example);

struct dpl_beads_writer {
    dpl_ctx *ctx;
    const dpl_collection *c[2];
    dpl_beads_options options;
    const dpl__beads_format *format;
    char lang[2][32];     /* "" when not given */
    dpl_output *files[2]; /* without options.put; the second one of two files only; of a
                              folder its index */
    char *folder;         /* its path, with a slash at the end */
    char head_lang[32];   /* TMX: default of the units */
    uint64_t n_pairs, n_rows;
    uint64_t file_key, n_file_rows; /* XLIFF: of the documents of the open file; 0: none */
    bool is_begun;
    DPL_VEC(uint32_t) numbers[2]; /* of the units, and one behind the last */
    /* For the formats of a corpus: hashes of the sentence pairs written, and what was left
     * out. */
    dpl__pair_set seen;
    uint64_t n_low, n_same; /* by its score; the same but for numbers */
    dpl__bead_examples low, same;
};

/* A bead with ids, languages and texts. */
typedef struct dpl__bead_row {
    dpl_str id[2], lang[2], text[2];
    const dpl_bead *bead;
} dpl__bead_row;

/* What is written from now on is of two other collections, in these languages. */
void dpl__beads_turn_to(dpl_beads_writer *w, const dpl_collection *left,
                        const dpl_collection *right, const char *left_lang,
                        const char *right_lang);

/* As dpl__aligned_each with dpl_beads_write, on all threads where the format allows it. */
dpl_status dpl__beads_write_all(dpl_beads_writer *w, const dpl__aligned *aligned, size_t n,
                                dpl_error *err);

/* ---- text --------------------------------------------------------------------------- */

typedef enum dpl__escape { DPL__ESCAPE_NONE, DPL__ESCAPE_JSON, DPL__ESCAPE_XML } dpl__escape;

void dpl__bead_put(dpl_beads_writer *w, int side, const char *data, size_t n);
void dpl__bead_put_cstr(dpl_beads_writer *w, const char *s);
void dpl__bead_put_number(dpl_beads_writer *w, uint64_t x);
/* In [0, 1], with six digits behind the point. */
void dpl__bead_put_score(dpl_beads_writer *w, double x);
/* Unchanged but for the escapes. */
void dpl__bead_put_id(dpl_beads_writer *w, dpl_str s, dpl__escape escape);
/* With blanks instead of line ends, tabs and other control characters. */
void dpl__bead_put_text(dpl_beads_writer *w, int side, dpl_str s, dpl__escape escape);
/* [3,4]: the numbers of n units from `first` on. */
void dpl__bead_put_units(dpl_beads_writer *w, int side, uint32_t first, uint32_t n);

/* ---- formats ------------------------------------------------------------------------ */

/* A row of the table in beads_formats.c. */
struct dpl__beads_format {
    dpl_beads_format_info info;
    /* One of these: a bead, or a document pair. */
    void (*row)(dpl_beads_writer *w, const dpl__bead_row *row);
    dpl_status (*docs)(dpl_beads_writer *w, const dpl_aligned_docs *docs, dpl_error *err);
    /* Around all of it; may be NULL. lang: of the first row's left side; "": no rows. */
    void (*begin)(dpl_beads_writer *w, dpl_str lang);
    void (*end)(dpl_beads_writer *w);
    bool has_numbers; /* of units */
};

/* NULL when out of range. */
const dpl__beads_format *dpl__beads_format_of(dpl_beads_format format);

/* ---- folders (beads_folder.c) ------------------------------------------------------- */

/* Makes the folder if need be, and opens its index. */
dpl_status dpl__beads_folder_open(dpl_beads_writer *w, const char *path, dpl_error *err);
/* Writes the file of a document pair, and its row of the index. */
dpl_status dpl__beads_folder_write(dpl_beads_writer *w, const dpl_aligned_docs *docs,
                                   dpl_error *err);

/* "tsv", "jsonl", ...; NULL when out of range. */
const char *dpl__beads_format_name(unsigned format);

/* The name of a document pair's file in such a folder: LEFT--RIGHT.FORMAT, where "/", "%",
 * control characters, a leading "." and any "-" at the ends of an id or behind another "-" are
 * written as %XX. Different pairs have different names. Names above 200 bytes are shortened to
 * LEFT--RIGHT--HASH.FORMAT, with 32 digits of a hash of both ids. Returns out. */
enum { DPL__BEADS_NAME_BYTES = 256 };
const char *dpl__beads_file_name(char out[DPL__BEADS_NAME_BYTES], dpl_str left_id,
                                 dpl_str right_id, dpl_beads_format format);

#endif
