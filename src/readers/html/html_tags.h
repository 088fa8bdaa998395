/*
 * html_tags.h - the elements of HTML: names, what they do to the text and to the elements that
 * are open.
 */
#ifndef DPL_READERS_HTML_HTML_TAGS_H
#define DPL_READERS_HTML_HTML_TAGS_H

#include "base/base.h"

/* What an element does to the text. */
enum {
    DPL__HTML_INLINE,
    DPL__HTML_BLOCK,  /* stands on lines of its own */
    DPL__HTML_LINES,  /* the same, and its line breaks stay */
    DPL__HTML_BREAK,  /* ends the line */
    DPL__HTML_HIDDEN, /* its content is not shown */
    DPL__HTML_KIND = 7
};
/* How it is parsed, in the words of the standard. */
enum {
    DPL__HTML_VOID = 1 << 3,       /* has no content */
    DPL__HTML_SPECIAL = 1 << 4,    /* no end tag of another element closes it */
    DPL__HTML_FORMATTING = 1 << 5, /* may overlap blocks */
    DPL__HTML_CLOSES_P = 1 << 6,   /* ends an open paragraph */
    DPL__HTML_SCOPE = 1 << 7,      /* end tags in it do not close what is around it */
    DPL__HTML_IMPLIED = 1 << 8,    /* its end tag may be left out */
    DPL__HTML_PART = 1 << 9,       /* part of a table */
    DPL__HTML_RAW = 1 << 10,       /* content is text up to its end tag */
    DPL__HTML_RCDATA = 1 << 11,    /* the same, with references */
    DPL__HTML_BREAKOUT = 1 << 12,  /* ends SVG and MathML */
    DPL__HTML_HEADING = 1 << 13,
    DPL__HTML_NO_FRAMES = 1 << 14, /* the page has a body, no frames */
    DPL__HTML_SVG_HTML = 1 << 15,  /* SVG: contains HTML */
    DPL__HTML_MATH_TEXT = 1 << 16, /* MathML: contains text and HTML */
};

/* Bytewise by name: html_tags.c has the names in this order. The formatter would break the list
   into steps, and anew each time. */
/* clang-format off */
#define DPL__HTML_TAGS(X) \
    X(A, "a") X(ADDRESS, "address") X(ANNOTATION_XML, "annotation-xml") X(APPLET, "applet") \
    X(AREA, "area") X(ARTICLE, "article") X(ASIDE, "aside") X(AUDIO, "audio") X(B, "b") \
    X(BASE, "base") X(BASEFONT, "basefont") X(BGSOUND, "bgsound") X(BIG, "big") \
    X(BLOCKQUOTE, "blockquote") X(BODY, "body") X(BR, "br") X(BUTTON, "button") \
    X(CANVAS, "canvas") X(CAPTION, "caption") X(CENTER, "center") X(CODE, "code") \
    X(COL, "col") X(COLGROUP, "colgroup") X(DATALIST, "datalist") X(DD, "dd") X(DESC, "desc") \
    X(DETAILS, "details") X(DIALOG, "dialog") X(DIR, "dir") X(DIV, "div") X(DL, "dl") \
    X(DT, "dt") X(EM, "em") X(EMBED, "embed") X(FIELDSET, "fieldset") \
    X(FIGCAPTION, "figcaption") X(FIGURE, "figure") X(FONT, "font") X(FOOTER, "footer") \
    X(FOREIGNOBJECT, "foreignobject") X(FORM, "form") X(FRAME, "frame") \
    X(FRAMESET, "frameset") X(H1, "h1") X(H2, "h2") X(H3, "h3") X(H4, "h4") X(H5, "h5") \
    X(H6, "h6") X(HEAD, "head") X(HEADER, "header") X(HGROUP, "hgroup") X(HR, "hr") \
    X(HTML, "html") X(I, "i") X(IFRAME, "iframe") X(IMAGE, "image") X(IMG, "img") \
    X(INPUT, "input") X(KEYGEN, "keygen") X(LEGEND, "legend") X(LI, "li") X(LINK, "link") \
    X(LISTING, "listing") X(MAIN, "main") X(MALIGNMARK, "malignmark") X(MARQUEE, "marquee") \
    X(MATH, "math") X(MENU, "menu") X(META, "meta") X(MGLYPH, "mglyph") X(MI, "mi") \
    X(MN, "mn") X(MO, "mo") X(MS, "ms") X(MTEXT, "mtext") X(MULTICOL, "multicol") \
    X(NAV, "nav") X(NOBR, "nobr") X(NOEMBED, "noembed") X(NOFRAMES, "noframes") \
    X(NOSCRIPT, "noscript") X(OBJECT, "object") X(OL, "ol") X(OPTGROUP, "optgroup") \
    X(OPTION, "option") X(P, "p") X(PARAM, "param") X(PLAINTEXT, "plaintext") X(PRE, "pre") \
    X(RB, "rb") X(RP, "rp") X(RT, "rt") X(RTC, "rtc") X(RUBY, "ruby") X(S, "s") \
    X(SCRIPT, "script") X(SEARCH, "search") X(SECTION, "section") X(SELECT, "select") \
    X(SMALL, "small") X(SOURCE, "source") X(SPAN, "span") X(STRIKE, "strike") \
    X(STRONG, "strong") X(STYLE, "style") X(SUB, "sub") X(SUMMARY, "summary") X(SUP, "sup") \
    X(SVG, "svg") X(TABLE, "table") X(TBODY, "tbody") X(TD, "td") X(TEMPLATE, "template") \
    X(TEXTAREA, "textarea") X(TFOOT, "tfoot") X(TH, "th") X(THEAD, "thead") X(TITLE, "title") \
    X(TR, "tr") X(TRACK, "track") X(TT, "tt") X(U, "u") X(UL, "ul") X(VAR, "var") \
    X(VIDEO, "video") X(WBR, "wbr") X(XMP, "xmp")
/* clang-format on */

#define DPL__HTML_TAG_VALUE(name, text) DPL__HTML_##name,
typedef enum dpl__html_tag {
    DPL__HTML_TAGS(DPL__HTML_TAG_VALUE) DPL__HTML_N_TAGS,
    DPL__HTML_OTHER = DPL__HTML_N_TAGS /* an element of any other name */
} dpl__html_tag;

/* The element of that name, in any case of letters; *hash is one of the name. */
dpl__html_tag dpl__html_tag_of(dpl_str name, uint32_t *hash);

/* The bits above; 0 for OTHER. */
extern const uint32_t dpl__html_rules[DPL__HTML_N_TAGS + 1];

#endif
