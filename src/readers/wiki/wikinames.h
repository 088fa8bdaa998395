/*
 * wikinames.h - the names that mean something in wikitext, in the languages of the larger
 * Wikipedias: namespaces, language codes, the redirect word, tags.
 *
 * A dump lists its own namespaces in its head (dpl__wiki_site); the names of other languages
 * count as well, since pages are copied from one Wikipedia to another, and old dumps have no
 * head.
 */
#ifndef DPL_READERS_WIKI_WIKINAMES_H
#define DPL_READERS_WIKI_WIKINAMES_H

#include "base/base.h"

/* What the part of a link's target before its colon says about it. */
typedef enum dpl__wiki_prefix {
    DPL__WIKI_PLAIN, /* an article, or a page of some other namespace or project */
    DPL__WIKI_FILE,  /* an image or other file */
    DPL__WIKI_CATEGORY,
    DPL__WIKI_LANGUAGE, /* the same article in another language */
} dpl__wiki_prefix;

/* Names of namespaces that a dump's head has, in lower case with blanks around each. */
typedef struct dpl__wiki_site {
    char files[256], categories[256], namespaces[4096];
} dpl__wiki_site;

/* siteinfo: the element of the dump's head, or nothing; any bytes. */
void dpl__wiki_site_read(dpl__wiki_site *site, dpl_str siteinfo);

/* name is valid UTF-8 without the colon, in any case, with blanks or underscores around and
 * inside. site may be NULL. For a language, *lang receives its number below
 * DPL__WIKI_LANGUAGES. */
dpl__wiki_prefix dpl__wiki_prefix_of(dpl_str name, const dpl__wiki_site *site, size_t *lang);

enum { DPL__WIKI_LANGUAGES = 373 };

/* "de", "zh-min-nan". Static text. */
const char *dpl__wiki_language(size_t lang);

/* Does the wikitext begin with #REDIRECT [[, in any of the languages? */
bool dpl__wiki_is_redirect(dpl_str wikitext);

/* Where such a page leads to: a slice of it, without the part behind '#'. Empty: nowhere. */
dpl_str dpl__wiki_redirect_target(dpl_str wikitext);

/* Is it the title of an article? For dumps that do not number the namespaces; knows the
 * site's names (NULL: none) and the English ones. */
bool dpl__wiki_is_article_title(dpl_str title, const dpl__wiki_site *site);

/* Is it the title of a list: "List of rivers"? */
bool dpl__wiki_is_list_title(dpl_str title);

/* Is it the name of an infobox: a table of facts about what the page is about? */
bool dpl__wiki_is_infobox(dpl_str template_name);

/* What a reader sees of a template: some of its parameters without names. */
typedef enum dpl__wiki_content {
    DPL__CONTENT_NONE,     /* not known: it goes */
    DPL__CONTENT_FIRST,    /* {{nowrap|text}} */
    DPL__CONTENT_SECOND,   /* {{lang|fr|text}} */
    DPL__CONTENT_LAST,     /* {{transl|ar|text}}, {{transl|ar|DIN|text}} */
    DPL__CONTENT_MEASURE,  /* {{convert|5|km}}: the first two, or four of {{convert|5|to|6|km}}
                            */
    DPL__CONTENT_JOINED,   /* {{chem|H|2|O}} */
    DPL__CONTENT_FRACTION, /* {{frac|1|2}}: 1/2 */
    DPL__CONTENT_DATE,     /* {{start date|1969|7|16}}: 1969-7-16 */
    DPL__CONTENT_LIST,     /* {{hlist|a|b}}: a, b */
    DPL__CONTENT_NAMED,    /* {{HMS|Ajax}}: HMS Ajax */
    DPL__CONTENT_FIXED     /* {{snd}}: a dash */
} dpl__wiki_content;

typedef struct dpl__wiki_template {
    dpl__wiki_content content;
    bool is_disambiguation; /* marks a page that lists the meanings of a name */
    const char *fixed;      /* in front of what is shown; NULL: nothing. Static text */
} dpl__wiki_template;
dpl__wiki_template dpl__wiki_template_of(dpl_str template_name);

/* What becomes of a tag in wikitext. */
typedef enum dpl__wiki_tag {
    DPL__TAG_NONE,   /* not a tag: stays as it is written */
    DPL__TAG_INLINE, /* the tag goes, the content stays */
    DPL__TAG_BLOCK,  /* likewise, and a new line begins */
    DPL__TAG_POEM,   /* likewise, and lines inside stay apart */
    DPL__TAG_DROP,   /* goes with its content, which is not wikitext or not prose */
    DPL__TAG_NOWIKI, /* the content stays as it is written */
    DPL__TAG_PRE,    /* likewise, line by line */
    DPL__TAG_TABLE,  /* goes with its content, which is wikitext and may hold tables */
} dpl__wiki_tag;

enum { DPL__WIKI_TAG_MAX = 15 }; /* bytes of the longest name we know */

/* name is in lower case, letters and digits only, and no longer than that. */
dpl__wiki_tag dpl__wiki_tag_of(dpl_str name);

#endif
