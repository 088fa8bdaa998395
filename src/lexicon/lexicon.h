/*
 * lexicon.h - what a lexicon holds, as plain arrays. Frozen.
 */
#ifndef DPL_LEXICON_LEXICON_H
#define DPL_LEXICON_LEXICON_H

#include "doppel/lexicon.h"

#include "doppel/file.h"

#include "io/input.h"
#include "lexicon/cell_table.h"
#include "lexicon/sort_words.h"
#include "lexicon/wordmodel.h"

/* In each pair of fields [DPL__LEFT] is the source, [DPL__RIGHT] the target. */
struct dpl_lexicon {
    dpl_ctx *ctx;
    dpl_file *file; /* where all arrays are; NULL: text, and they are our own */
    char *path;     /* of the text; NULL: there is a file, or the text was in memory */
    dpl_lexicon_sizes sizes;
    char lang[2][12];          /* canonical; "" when not known */
    dpl__strings words[2];     /* folded, in byte order */
    dpl__strings written[2];   /* stems as texts write them; none: not known */
    const uint64_t *counts[2]; /* of each word; NULL: not known */
    dpl__table table[2]; /* [DPL__LEFT]: p(target|source), a row for each source; [DPL__RIGHT]:
                            p(source|target), of text all zero */
    bool is_stemmed;
    bool is_pretokenized; /* words were separated by blanks */
    dpl_str settings;
    char first_skipped[600]; /* text: the first line that cannot be read; "" for none */
    bool has_model;
    dpl__wordmodel model; /* of the same words; without a context: not to be cleared */
};

/* The file it was read from; NULL: none. Borrowed. */
const char *dpl__lexicon_path(const dpl_lexicon *l);

/* A hash of words and probabilities, whatever file they come from. */
uint64_t dpl__lexicon_content(const dpl_lexicon *l);
/* A fingerprint (io/parts.h): of the file, or of the content of a text. */
uint64_t dpl__lexicon_fingerprint(uint64_t so_far, const dpl_lexicon *l);

/* ---- the file ----------------------------------------------------------------------- */

/* Bits of the section "flags". */
enum { DPL__LEXICON_STEMMED = 1, DPL__LEXICON_PRETOKENIZED = 2, DPL__LEXICON_FLAGS = 3 };

/* How the names of the sections of a side begin: those of its words, and of its table. */
extern const char *const dpl__lexicon_sides[2], *const dpl__lexicon_tables[2];

/* "PREFIX.NAME", a section's name; returns out. */
enum { DPL__SECTION_NAME = 32 };
const char *dpl__section_name(char out[DPL__SECTION_NAME], const char *prefix,
                              const char *name);

/* Whether it is one of our files, by its first bytes, and only of what can be read twice. */
bool dpl__lexicon_is_file(const char *path);
/* The whole file at l->file, checked. */
dpl_status dpl__lexicon_load(dpl_lexicon *l, dpl_error *err);
/* All lines; those that cannot be read are skipped and counted, or an error. */
dpl_status dpl__lexicon_read(dpl_lexicon *l, dpl__input *in, bool skips, dpl_error *err);

/* The lexicon of a file, which is closed with it, or at once if that fails. */
dpl_status dpl__lexicon_from_file(dpl_lexicon **out, dpl_ctx *ctx, dpl_file *file,
                                  dpl_error *err);

/* Room for the languages of the columns of a lexicon in text, "de,en". */
typedef struct dpl__lexicon_langs {
    char text[64];
} dpl__lexicon_langs;
/* Sets the languages of o, which stay in *room; NULL: they are not said. */
dpl_status dpl__lexicon_set_langs(dpl_lexicon_options *o, dpl__lexicon_langs *room,
                                  const char *langs, dpl_error *err);

/* dpl_lexicon_open without its note about lines that were skipped, which is the next one. */
dpl_status dpl__lexicon_open(dpl_lexicon **out, dpl_ctx *ctx, const char *path,
                             const dpl_lexicon_options *options, dpl_error *err);
void dpl__lexicon_note_skipped(const dpl_lexicon *lexicon);
/* The same over text in memory; name is for messages. */
dpl_status dpl__lexicon_open_memory(dpl_lexicon **out, dpl_ctx *ctx, const char *name,
                                    dpl_str text, const dpl_lexicon_options *options,
                                    dpl_error *err);

#endif
