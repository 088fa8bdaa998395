/*
 * name_sides_test.h - two collections of made-up sentences that share names, for tests.
 */
#ifndef DPL_MINE_NAME_SIDES_TEST_H
#define DPL_MINE_NAME_SIDES_TEST_H

#include "mine/made_up_side_test.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_DOCS = 400, N_PEOPLE = 80, N_WORDS = 60, MOST_TEXT = 400 };

/* Names are spelled by rules of their language, words have nothing in common: name i is made of
 * three syllables, word i is a number in letters. */
static size_t put_name(char *to, unsigned i, bool is_other)
{
    static const char *const first[2][5] = {{"Da", "Me", "So", "Ki", "Ru"},
                                            {"Ta", "Me", "Zo", "Gi", "Lu"}};
    static const char *const next[2][4] = {{"vid", "lon", "pak", "zer"},
                                           {"vit", "lan", "bag", "ser"}};
    static const char *const last[2][4] = {{"an", "ius", "bel", "dor"},
                                           {"ana", "io", "vela", "tora"}};
    return (size_t)sprintf(to, " %s%s%s", first[is_other][i % 5], next[is_other][i / 5 % 4],
                           last[is_other][i / 20]);
}

static size_t put_word(char *to, unsigned i, bool is_other)
{
    return (size_t)(is_other ? sprintf(to, " %c%c%c", 'a' + i % 26, 'x', 'a' + i / 26 * 7 % 26)
                             : sprintf(to, " qu%c%co", 'a' + i / 26, 'a' + i % 26));
}

/* The document n, in one of two languages: two names in most, and ten words. */
static size_t put_doc(char *to, unsigned n, bool is_other)
{
    size_t at = (size_t)sprintf(to, "%c%03u\tSo", is_other ? 'r' : 'l', n);
    unsigned state = n * 2654435761u + 12345;
    for (unsigned i = 0; i < 12; i++) {
        state = state * 1664525u + 1013904223u;
        at += i < 2 + n % 2 ? put_name(to + at, state / 65536 % N_PEOPLE, is_other)
                            : put_word(to + at, state / 65536 % N_WORDS, is_other);
    }
    return at + (size_t)sprintf(to + at, ".\n");
}

/* All documents of a side, every step-th in turn; steps have no divisor in common with N_DOCS.
 * The caller frees them. */
static char *put_docs(size_t *n_bytes, bool is_other, unsigned step)
{
    char *text = malloc(N_DOCS * MOST_TEXT);
    *n_bytes = 0;
    for (unsigned i = 0; i < N_DOCS; i++)
        *n_bytes += put_doc(text + *n_bytes, i * step % N_DOCS, is_other);
    return text;
}

static dpl_collection *make_side(dpl_ctx *ctx, bool is_other, unsigned step)
{
    size_t n_bytes;
    char *text = put_docs(&n_bytes, is_other, step);
    dpl_collection *c = import_side(ctx, text, n_bytes, is_other);
    free(text);
    return c;
}

/* Documents of the first language are in this order, those of the other one in another. */
static dpl__comparable make_ordered_sides(dpl_ctx *ctx, bool is_swapped, unsigned step)
{
    dpl__comparable p = {.ctx = ctx, .pivot = is_swapped};
    for (int side = 0; side < 2; side++) {
        dpl_collection *c =
            make_side(ctx, side != is_swapped, side != is_swapped ? 7 * step % N_DOCS : step);
        set_side(&p, side, c, side != is_swapped ? "sw" : "eo");
    }
    return p;
}

static inline dpl__comparable make_sides(dpl_ctx *ctx, bool is_swapped)
{
    return make_ordered_sides(ctx, is_swapped, 1);
}

static void clear_sides(dpl__comparable *p)
{
    close_sides(p);
    test_ctx_done(p->ctx);
}

/* Ids end with the number of the document. */
static inline bool is_right(const dpl__comparable *p, dpl_doc_pair docs)
{
    dpl_str l = dpl_collection_doc(p->c[0], docs.left).id,
            r = dpl_collection_doc(p->c[1], docs.right).id;
    return memcmp(l.data + 1, r.data + 1, 3) == 0;
}

#endif
