/*
 * wiki_pages.h - made-up encyclopedia articles in two languages, out of aligned sentences.
 *
 * A world has articles [0, n_articles): the first n_paired are in both wikis, then those of the
 * left one alone, then those of the right one. Everything about an article follows from its
 * number and the seed, so that any thread can write any of them.
 */
#ifndef DPL_BENCH_WIKI_PAGES_H
#define DPL_BENCH_WIKI_PAGES_H

#include <stddef.h>
#include <stdint.h>

/* Bytes under construction; zeroed memory is empty. Without memory the program ends. Owned. */
typedef struct page_text {
    char *data;
    size_t n, cap;
} page_text;

void page_put(page_text *t, const char *data, size_t n);
void page_puts(page_text *t, const char *s);
void page_printf(page_text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* With <, > and & as XML has them. */
void page_put_xml(page_text *t, const char *data, size_t n);
void page_clear(page_text *t);

/* A word that both sides of a row have, a name or a number: replaced in every article. */
typedef struct row_slot {
    uint32_t begin[2], n;
} row_slot;

enum { ROW_SLOTS = 8 };

/* A sentence and its translation. */
typedef struct wiki_row {
    const char *text[2];
    uint32_t n[2];
    uint32_t n_slots;
    row_slot slots[ROW_SLOTS]; /* in the order of the left side */
} wiki_row;

typedef struct wiki_world {
    uint64_t seed;
    const wiki_row *rows;
    size_t n_rows;
    uint32_t n_articles, n_paired, n_side; /* n_side: articles of one wiki */
    double mean_bytes;                     /* of an article's wikitext */
    char lang[2][4];
} wiki_world;

/* Finds the slots of a row. */
void wiki_row_find_slots(wiki_row *row);

/* From 0 to 1, for thing number i and purpose `what` of a world. */
double wiki_chance(const wiki_world *w, uint64_t i, unsigned what);
/* The number of article i < n_side of a wiki. */
uint32_t wiki_article(const wiki_world *w, int side, uint32_t i);
void wiki_put_title(page_text *out, const wiki_world *w, int side, uint32_t article);
void wiki_put_article(page_text *out, const wiki_world *w, int side, uint32_t article);
/* Pages of other kinds; i says which. */
void wiki_put_talk(page_text *out, const wiki_world *w, int side, uint32_t i);
void wiki_put_list(page_text *out, const wiki_world *w, int side, uint32_t i);
void wiki_put_meanings(page_text *out, const wiki_world *w, int side, uint32_t i);

#endif
