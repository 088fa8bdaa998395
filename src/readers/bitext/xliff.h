/*
 * xliff.h - XLIFF 1.2 and 2.x: segments with their translation, as written in the file.
 */
#ifndef DPL_READERS_BITEXT_XLIFF_H
#define DPL_READERS_BITEXT_XLIFF_H

#include "readers/xml.h"

#include "base/vec.h"

/* One segment. The slices live until the callback returns. */
typedef struct dpl__xliff_segment {
    dpl_str source, target; /* target: empty when there is none, or none that counts */
    uint64_t unit;     /* number of its unit in the file: segments of one are a paragraph */
    bool is_ignorable; /* what stands between segments (2.x) */
    uint64_t line;
} dpl__xliff_segment;

/* Owned. */
typedef struct dpl__xliff {
    dpl_ctx *ctx;
    /* A new <file>: its languages and name are set. */
    dpl_status (*on_file)(void *user, dpl_error *err);
    dpl_status (*on_segment)(void *user, const dpl__xliff_segment *segment, dpl_error *err);
    void *user;
    uint64_t max_record;  /* bytes of both sides of a segment; 0: no limit but the file's */
    const char *encoding; /* NULL: what the file declares */
    dpl__xml_parser *parser;
    char source_lang[24], target_lang[24]; /* as they stand; "" when unknown */
    char original[200];                    /* of the file, "" when it has none */
    bool is_2;                             /* version */
    unsigned depth;
    unsigned unit, segment; /* depth of the element; 0: outside */
    unsigned side;          /* likewise <source> or <target> */
    unsigned code;          /* likewise an element with markup of the original format */
    unsigned sub;           /* likewise text in such markup */
    dpl__bytes *to;         /* of the side at hand */
    dpl__bytes texts[2];    /* source, target */
    bool has_source, is_untranslated, is_ignorable, is_long;
    uint64_t n_units, line;
} dpl__xliff;

dpl_status dpl__xliff_begin(dpl__xliff *x, dpl_error *err);
/* DPL_E_FORMAT with line and column when it is not well-formed or no XLIFF; DPL_E_LIMIT with
 * the line for a segment over max_record. */
dpl_status dpl__xliff_feed(dpl__xliff *x, dpl_str bytes, bool is_last, dpl_error *err);
void dpl__xliff_end(dpl__xliff *x);

/* Whether a file that begins like this is one. */
bool dpl__is_xliff(dpl_str start);

#endif
