/*
 * link_files.c - missing-links.tsv, suspicious-links.tsv, and the page that shows them.
 *
 * Evidence is found for all links of a list at once, since that takes vectors of their
 * documents; words in the texts for some hundred at a time, just before they are written.
 */
#include "base/decimal.h"
#include "mine/known_links.h"
#include "mine/link_page.h"
#include "mine/run_files.h"
#include "mine/shared_words.h"

#include <stdio.h>

enum { BLOCK = 512 };

/* Documents to compare, and what speaks for them. */
typedef struct compared {
    dpl__arena arena;
    dpl_doc_pair *docs;
    size_t *numbers; /* of final pairs; SIZE_MAX: no pair */
    dpl__evidence *evidence;
    size_t n;
    dpl__shared_words *words; /* of a block */
} compared;

static dpl_status compared_new(compared *c, dpl_ctx *ctx, size_t n, dpl_error *err)
{
    dpl__arena_init(&c->arena, ctx);
    c->n = n;
    c->docs = dpl__alloc(ctx, (n + 1) * sizeof *c->docs);
    c->numbers = dpl__alloc(ctx, (n + 1) * sizeof *c->numbers);
    c->evidence = dpl__alloc(ctx, (n + 1) * sizeof *c->evidence);
    c->words = dpl__alloc(ctx, BLOCK * sizeof *c->words);
    return dpl__need(c->docs && c->numbers && c->evidence && c->words, err);
}

static void compared_clear(compared *c, dpl_ctx *ctx)
{
    dpl__free(ctx, c->words, c->evidence, c->numbers, c->docs);
    dpl__arena_clear(&c->arena);
}

static dpl_status find_evidence(compared *c, const dpl__pair_run *r, dpl_error *err)
{
    return dpl__evidence_find(c->evidence, &c->arena, r, (dpl__pair_list){c->docs, c->n},
                              c->numbers, err);
}

static dpl_status find_words(compared *c, const dpl__pair_run *r, size_t from, size_t n,
                             dpl_error *err)
{
    return dpl__shared_words_find(c->words, r, c->docs + from, c->evidence + from, n, err);
}

/* ---- columns ---------------------------------------------------------------------------- */

static void put_number(dpl_output *o, double x, const char *end)
{
    char text[32];
    dpl__put(o, "%s%s", dpl__millionths(text, x), end);
}

static void put_ids(dpl_output *o, const dpl__pair_run *r, dpl_doc_pair docs)
{
    for (int side = 0; side < 2; side++)
        dpl__put_field(o, dpl__link_doc(r, docs, side).id, "\t");
}

static void put_titles(dpl_output *o, const dpl__pair_run *r, dpl_doc_pair docs)
{
    for (int side = 0; side < 2; side++)
        dpl__put_field(o, dpl__link_doc(r, docs, side).title, "\t");
}

/* "Vulkane|volcanoes Magma|magma" */
static void put_words(dpl_output *o, const dpl__shared_words *w, const char *end)
{
    for (size_t i = 0; i < w->n; i++) {
        dpl__put_field(o, w->words[i].side[0], "|");
        dpl__put_field(o, w->words[i].side[1], i + 1 < w->n ? " " : "");
    }
    dpl_output_write(o, end, strlen(end));
}

static void put_evidence(dpl_output *o, const dpl__evidence *e)
{
    dpl__put(o, "%llu\t", (unsigned long long)e->n_sentences);
    put_number(o, e->share[0], "\t");
    put_number(o, e->share[1], "\t");
    for (size_t i = 0; i < e->n_terms; i++)
        dpl__put_field(o, e->terms[i], i + 1 < e->n_terms ? " " : "");
    dpl_output_write(o, "\t", 1);
}

static dpl__link_comparison comparison_of(const compared *c, size_t i,
                                          const dpl__shared_words *words)
{
    return (dpl__link_comparison){.docs = c->docs[i],
                                  .number = c->numbers[i],
                                  .evidence = &c->evidence[i],
                                  .words = words};
}

/* ---- missing links ------------------------------------------------------------------------
 */

static dpl_status put_missing(dpl_output *o, dpl__link_page *page, const dpl__pair_run *r,
                              compared *c, dpl_error *err)
{
    static const char head[] =
        "left_id\tright_id\tconfidence\tleft_title\tright_title\tsentences\tleft_share\t"
        "right_share\tshared_terms\tshared_words\n";
    dpl_output_write(o, head, sizeof head - 1);
    for (size_t from = 0; from < c->n; from += BLOCK) {
        const size_t n = dpl__min(c->n - from, (size_t)BLOCK);
        DPL_TRY(find_words(c, r, from, n, err));
        for (size_t i = from; i < from + n; i++) {
            const dpl__shared_words *words = &c->words[i - from];
            put_ids(o, r, c->docs[i]);
            put_number(o, dpl__known_links_confidence(r, c->numbers[i]), "\t");
            put_titles(o, r, c->docs[i]);
            put_evidence(o, &c->evidence[i]);
            put_words(o, words, "\n");
            const dpl__link_comparison shown = comparison_of(c, i, words);
            if (i < DPL__LINKS_SHOWN)
                DPL_TRY(dpl__link_page_missing(page, &shown, err));
        }
    }
    return dpl_output_finish(o, err);
}

static dpl_status write_missing(dpl__link_page *page, const dpl__pair_run *r, dpl_error *err)
{
    const dpl__known_links *k = r->known;
    dpl_output *o = NULL;
    compared c = {0};
    dpl_status status;
    DPL__STEP(compared_new(&c, r->ctx, k->missing.n, err));
    for (size_t i = 0; i < c.n; i++) {
        c.numbers[i] = k->missing.data[i];
        c.docs[i] = r->final.docs.data[c.numbers[i]];
    }
    DPL__STEP(find_evidence(&c, r, err));
    DPL__STEP(dpl__open_output(&o, r->ctx, r->task.dir, "missing-links.tsv", err));
    DPL__STEP(put_missing(o, page, r, &c, err));
done:
    dpl_output_free(o);
    compared_clear(&c, r->ctx);
    return status;
}

/* ---- suspicious links ---------------------------------------------------------------------
 */

/* Three entries for each link: the link itself, the pair of its left document, the pair of its
 * right document. */
enum { PER_LINK = 3 };

static void list_suspects(compared *c, const dpl__pair_run *r)
{
    for (size_t i = 0; i < r->known->suspects.n; i++) {
        const dpl_doc_pair link = r->known->suspects.data[i].docs;
        for (size_t k = 0; k < PER_LINK; k++) {
            c->docs[PER_LINK * i + k] = link;
            c->numbers[PER_LINK * i + k] = SIZE_MAX;
        }
        for (int side = 0; side < 2; side++) {
            const uint32_t pair = dpl__known_links_pair(r, side, side ? link.right : link.left);
            if (pair == DPL__NO_PAIR)
                continue;
            c->docs[PER_LINK * i + 1 + (size_t)side] = r->final.docs.data[pair];
            c->numbers[PER_LINK * i + 1 + (size_t)side] = pair;
        }
    }
}

/* What a document was paired with instead: id and title, or nothing. */
static void put_better(dpl_output *o, const dpl__pair_run *r, const compared *c, size_t i,
                       int side)
{
    if (c->numbers[i] == SIZE_MAX) {
        dpl_output_write(o, "\t\t", 2);
        return;
    }
    const dpl_doc d = dpl__link_doc(r, c->docs[i], !side);
    dpl__put_field(o, d.id, "\t");
    dpl__put_field(o, d.title, "\t");
}

/* How likely that pair is, and how much of both documents is aligned; or nothing. */
static void put_better_figures(dpl_output *o, const dpl__pair_run *r, const compared *c,
                               size_t i, const char *end)
{
    if (c->numbers[i] == SIZE_MAX) {
        dpl_output_write(o, "\t\t", 2);
        dpl__put_field(o, (dpl_str){"", 0}, end);
        return;
    }
    put_number(o, dpl__known_links_confidence(r, c->numbers[i]), "\t");
    put_number(o, c->evidence[i].share[0], "\t");
    put_number(o, c->evidence[i].share[1], end);
}

static void put_suspect(dpl_output *o, const dpl__pair_run *r, const compared *c,
                        const dpl__shared_words *words, size_t i)
{
    static const dpl__shared_words none = {.n = 0};
    const dpl__suspect *s = &r->known->suspects.data[i];
    const size_t at = PER_LINK * i;
    put_ids(o, r, s->docs);
    put_number(o, s->probability, "\t");
    put_titles(o, r, s->docs);
    put_number(o, s->cosine, "\t");
    put_better(o, r, c, at + 1, 0);
    put_better(o, r, c, at + 2, 1);
    put_words(o, &words[0], "\t");
    put_words(o, c->numbers[at + 1] == SIZE_MAX ? &none : &words[1], "\t");
    put_words(o, c->numbers[at + 2] == SIZE_MAX ? &none : &words[2], "\t");
    put_better_figures(o, r, c, at + 1, "\t");
    put_better_figures(o, r, c, at + 2, "\n");
}

static dpl_status show_suspect(dpl__link_page *page, const dpl__pair_run *r, const compared *c,
                               const dpl__shared_words *words, size_t i, dpl_error *err)
{
    dpl__link_comparison shown[PER_LINK];
    for (size_t k = 0; k < PER_LINK; k++)
        shown[k] = comparison_of(c, PER_LINK * i + k, &words[k]);
    return dpl__link_page_suspicious(page, &r->known->suspects.data[i], shown, err);
}

static dpl_status put_suspects(dpl_output *o, dpl__link_page *page, const dpl__pair_run *r,
                               compared *c, dpl_error *err)
{
    static const char head[] =
        "left_id\tright_id\tprobability_wrong\tleft_title\tright_title\tcosine\t"
        "better_right_id\tbetter_right_title\tbetter_left_id\tbetter_left_title\t"
        "shared_words\tbetter_right_words\tbetter_left_words\t"
        "better_right_confidence\tbetter_right_left_share\tbetter_right_right_share\t"
        "better_left_confidence\tbetter_left_left_share\tbetter_left_right_share\n";
    const size_t block = BLOCK / PER_LINK, n_all = r->known->suspects.n;
    dpl_output_write(o, head, sizeof head - 1);
    for (size_t from = 0; from < n_all; from += block) {
        const size_t n = dpl__min(n_all - from, block);
        DPL_TRY(find_words(c, r, PER_LINK * from, PER_LINK * n, err));
        for (size_t i = from; i < from + n; i++) {
            const dpl__shared_words *words = &c->words[PER_LINK * (i - from)];
            put_suspect(o, r, c, words, i);
            if (i < DPL__SUSPECTS_SHOWN)
                DPL_TRY(show_suspect(page, r, c, words, i, err));
        }
    }
    return dpl_output_finish(o, err);
}

static dpl_status write_suspicious(dpl__link_page *page, const dpl__pair_run *r, dpl_error *err)
{
    dpl_output *o = NULL;
    compared c = {0};
    dpl_status status;
    DPL__STEP(compared_new(&c, r->ctx, PER_LINK * r->known->suspects.n, err));
    list_suspects(&c, r);
    DPL__STEP(find_evidence(&c, r, err));
    DPL__STEP(dpl__open_output(&o, r->ctx, r->task.dir, "suspicious-links.tsv", err));
    DPL__STEP(put_suspects(o, page, r, &c, err));
done:
    dpl_output_free(o);
    compared_clear(&c, r->ctx);
    return status;
}

dpl_status dpl__known_links_write(const dpl__pair_run *r, dpl_error *err)
{
    dpl__link_page page;
    if (!r->known)
        return DPL_OK;
    dpl_status status;
    DPL__STEP(dpl__link_page_begin(&page, r, err));
    DPL__STEP(write_missing(&page, r, err));
    DPL__STEP(write_suspicious(&page, r, err));
    DPL__STEP(dpl__link_page_end(&page, err));
done:
    dpl__link_page_clear(&page);
    return status;
}
