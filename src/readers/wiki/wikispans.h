/*
 * wikispans.h - where each bracketed thing in wikitext begins and ends.
 */
#ifndef DPL_READERS_WIKI_WIKISPANS_H
#define DPL_READERS_WIKI_WIKISPANS_H

#include "base/vec.h"
#include "readers/wiki/wikinames.h"

typedef enum dpl__span_kind {
    DPL__SPAN_DROP,     /* comment, or a tag that goes with its content */
    DPL__SPAN_NOWIKI,   /* content as it is written */
    DPL__SPAN_PRE,      /* likewise, line by line */
    DPL__SPAN_TEMPLATE, /* {{...}}, {{{...}}} */
    DPL__SPAN_LINK,     /* [[...]] */
    DPL__SPAN_EXTERNAL, /* [http://...] */
    DPL__SPAN_VARIANT,  /* -{...}- */
    DPL__SPAN_TABLE,    /* {|...|}, <table>...</table> */
    DPL__N_SPANS
} dpl__span_kind;

typedef struct dpl__wiki_span {
    uint32_t begin;
    uint32_t end;         /* 0: it has no end, the opening mark stands alone */
    uint32_t content;     /* NOWIKI, PRE: where it begins. LINK: its first '|', or 0 */
    uint32_t content_end; /* NOWIKI, PRE */
    uint8_t kind;
} dpl__wiki_span;

typedef DPL_VEC(dpl__wiki_span) dpl__wiki_spans;

/* All spans of the text (shorter than 4 GiB), ordered by where they begin. A span lies inside
 * another or beside it, never across. Linear in the text, whatever is nested in what. */
dpl_status dpl__wiki_spans_find(dpl__wiki_spans *out, dpl_ctx *ctx, dpl_str text,
                                dpl_error *err);

/* A tag at text[at] == '<'. */
typedef struct dpl__wiki_markup {
    dpl__wiki_tag tag;
    char name[DPL__WIKI_TAG_MAX + 1]; /* in lower case, terminated */
    size_t end;                       /* behind its '>' */
    bool is_closing;                  /* </b> */
    bool is_empty;                    /* <br/> */
} dpl__wiki_markup;

/* False when there is no tag that we know. */
bool dpl__wiki_markup_at(dpl__wiki_markup *out, dpl_str text, size_t at);

/* Does an address begin at s: "http://", "//", "mailto:" ...? */
bool dpl__wiki_is_address(dpl_str s);

#endif
