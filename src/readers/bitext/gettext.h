/*
 * gettext.h - message catalogues: what .po and .mo files have in common.
 */
#ifndef DPL_READERS_BITEXT_GETTEXT_H
#define DPL_READERS_BITEXT_GETTEXT_H

#include "readers/bitext/bitext.h"
#include "unicode/charset.h"

/* Whether a file that begins like this is a .mo, in either byte order. */
bool dpl__is_mo(dpl_str start);
/* The same for any catalogue. */
bool dpl__is_catalogue(dpl_str start);
/* Whether rows come from two catalogues: both languages are known and none is English. */
bool dpl__gettext_is_joined(const dpl_bitext_options *options);

/* A message as written in a catalogue. Slices that live until the next one is read. */
typedef struct dpl__message {
    dpl_str context;     /* data is NULL: none */
    dpl_str id, plural;  /* plural: data is NULL: none */
    dpl_str first, last; /* the translations of id and plural; the forms between are left out */
    bool is_doubtful;    /* marked as fuzzy or obsolete */
    bool is_obsolete;
    dpl__place place;
} dpl__message;

/* A catalogue and the position in it. Owned. */
typedef struct dpl__catalogue {
    dpl__rows *rows;
    dpl__textfile *file;  /* all of it is in its bytes */
    dpl__arena arena;     /* .po: the text, if it had to be converted */
    dpl__charset charset; /* of the messages; "" is UTF-8 */
    bool is_converted;    /* .po: from that charset */
    char lang[24];        /* as the header has it; "" when it does not say */
    char source_lang[24]; /* of the messages, likewise */
    bool is_mo;
    union {
        struct dpl__mo {
            bool is_big;
            uint32_t at; /* the next message, the pieced ones behind the others */
            uint32_t n, n_pieced;
            uint32_t ids, texts; /* offsets of the tables */
            uint32_t pieced_ids, pieced_texts;
            uint32_t names, n_names; /* of what depends on the machine */
        } mo;
        struct dpl__po {
            dpl_str text;
            size_t at; /* of the next line */
            uint64_t line;
            dpl__bytes context, id, plural, first, last; /* of the message at hand */
        } po;
    } as;
} dpl__catalogue;

/* Reads the whole file and what its header says. */
dpl_status dpl__catalogue_open(dpl__catalogue *c, dpl__rows *rows, dpl__textfile *file,
                               dpl_error *err);
void dpl__catalogue_close(dpl__catalogue *c);
/* The next message that is not the header, in the catalogue's charset; DPL_END after the last
 * one. What the policy drops is counted and passed over. */
dpl_status dpl__catalogue_next(dpl__catalogue *c, dpl__message *m, dpl_error *err);

/* A text of the catalogue as UTF-8; DPL_END when the policy drops it. */
dpl_status dpl__catalogue_utf8(dpl__catalogue *c, const dpl__place *place, dpl_str *text,
                               dpl_error *err);

/* Takes charset and language from the header's text. */
void dpl__catalogue_header(dpl__catalogue *c, dpl_str header);

/* po.c, mo.c */
dpl_status dpl__mo_open(dpl__catalogue *c, dpl_error *err);
dpl_status dpl__mo_next(dpl__catalogue *c, dpl__message *m, dpl_error *err);
dpl_status dpl__po_open(dpl__catalogue *c, dpl_error *err);
void dpl__po_close(dpl__catalogue *c);
dpl_status dpl__po_next(dpl__catalogue *c, dpl__message *m, dpl_error *err);

/* ---- accelerators ------------------------------------------------------------------- */

/* "_File" and "E&xit" become "File" and "Exit" where that is safe; see accelerator.c. The
 * sides are clean already; changed ones are copies in the arena. */
dpl_status dpl__drop_accelerators(dpl_bitext_row *row, dpl__arena *arena, dpl_error *err);

#endif
