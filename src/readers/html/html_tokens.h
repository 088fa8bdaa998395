/*
 * html_tokens.h - HTML as text and tags: the tokenizer of the HTML standard. Owned.
 *
 *     dpl__html_tokens tokens = {.p = html.data, .end = html.data + html.n};
 *     while (dpl__html_next(&tokens, &token))
 *         use(&token);
 *
 * Nothing is copied: tokens are slices of the page. Comments, declarations and end tags without
 * a name do not come out; a tag that does not end is none.
 */
#ifndef DPL_READERS_HTML_HTML_TOKENS_H
#define DPL_READERS_HTML_HTML_TOKENS_H

#include "readers/html/html_tags.h"

typedef struct dpl__html_token {
    enum { DPL__HTML_TEXT, DPL__HTML_CDATA, DPL__HTML_START, DPL__HTML_END } kind;
    dpl__html_tag tag;
    uint32_t hash;        /* of the name, where the tag is OTHER */
    dpl_str text;         /* TEXT: with its references; CDATA: to the letter */
    dpl_str attributes;   /* START: behind the name */
    bool is_self_closing; /* "/>" */
    bool is_hidden;       /* `hidden` or aria-hidden="true" */
} dpl__html_token;

typedef struct dpl__html_tokens {
    const char *p, *end;
    bool has_cdata; /* in SVG, MathML and XML, <![CDATA[ ]]> is text */
} dpl__html_tokens;

/* The next one; false at the end of the page. */
bool dpl__html_next(dpl__html_tokens *t, dpl__html_token *token);
/* Behind the start tag of an element whose content is text: takes that text, up to the end tag
 * and without it. */
dpl_str dpl__html_raw_text(dpl__html_tokens *t, dpl__html_tag tag);
/* Everything that is left. */
dpl_str dpl__html_rest(dpl__html_tokens *t);

/* The value of an attribute as it stands there; data is NULL when there is none. The name is
 * in small letters. */
dpl_str dpl__html_attribute(const dpl__html_token *token, const char *name);

static inline bool dpl__html_is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

#endif
