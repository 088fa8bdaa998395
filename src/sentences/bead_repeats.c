/*
 * bead_repeats.c - equal sentence pairs, found by sorting hashes of their texts.
 *
 * In: beads of all document pairs. Out: the same beads, some of them with another verdict. Each
 * kept bead gives a record of 128 bits of hash, its place and its score; sorted by hash, equal
 * pairs stand together; what is to be dropped is sorted back by place and read beside the
 * beads. Two different pairs with equal hashes: one chance in 10^20 for 10^9 pairs. Cost: two
 * external sorts of about 40 bytes a pair, one pass over the texts.
 */
#include "sentences/bead_repeats.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "io/spill.h"
#include "sentences/sentences_params.h"

enum { KEY = 16, PLACE = 8 }; /* bytes */

typedef struct record {
    uint64_t place; /* of its bead among all */
    uint64_t pair;
    float score;
    uint32_t reserve; /* 0 */
} record;

typedef struct work {
    dpl_ctx *ctx;
    const dpl__repeats_options *options;
    dpl__aligned *aligned, *marked;
    dpl__spill spill;
    dpl__sorter *by_text, *by_place;
    dpl__bytes text;
    DPL_VEC(record) group; /* equal pairs */
    uint64_t place;        /* of the bead at hand */
    uint64_t next;         /* place that has a new verdict; UINT64_MAX: no more */
    dpl_verdict verdict;   /* that it gets */
    size_t n_pairs;        /* document pairs */
    DPL_VEC(dpl_bead) beads;
} work;

/* ---- texts ---------------------------------------------------------------------------- */

/* Words with one blank between them. */
static bool add_words(work *w, dpl_str s)
{
    size_t from = w->text.n;
    if (!dpl__vec_reserve(w->ctx, &w->text, from + s.n + 1))
        return false;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.data[i];
        bool is_blank = c <= 0x20 || c == 0x7F;
        if (is_blank && (w->text.n == from || w->text.data[w->text.n - 1] == ' '))
            continue;
        w->text.data[w->text.n++] = is_blank ? ' ' : (char)c;
    }
    return true;
}

static dpl_str side_text(const work *w, const dpl_aligned_docs *d, const dpl_bead *b, int side)
{
    uint32_t unit = side ? b->right : b->left, n = side ? b->n_right : b->n_left;
    uint32_t first = d->units[side][unit];
    return dpl_sentences_text(w->options->c[side], side ? d->docs.right : d->docs.left, first,
                              d->units[side][unit + n] - first);
}

static dpl_status add_bead(work *w, const dpl_aligned_docs *d, const dpl_bead *b,
                           dpl_error *err)
{
    record r = {.place = w->place, .pair = d->pair, .score = b->score};
    uint64_t key[KEY / 8] = {1, 2};
    w->text.n = 0;
    DPL_TRY(dpl__need(add_words(w, side_text(w, d, b, 0)) &&
                          dpl__vec_push(w->ctx, &w->text, '\t') &&
                          add_words(w, side_text(w, d, b, 1)),
                      err));
    for (size_t i = 0; i < DPL_LEN(key); i++)
        key[i] = dpl__hash(w->text.data, w->text.n, key[i]);
    return dpl__sorter_add(w->by_text, (dpl_str){(const char *)key, sizeof key},
                           (dpl_str){(const char *)&r, sizeof r}, err);
}

static dpl_status add_docs(void *user, const dpl_aligned_docs *d, dpl_error *err)
{
    work *w = user;
    for (size_t i = 0; i < d->n_beads; i++, w->place++)
        if (d->beads[i].verdict == DPL_VERDICT_KEPT)
            DPL_TRY(add_bead(w, d, &d->beads[i], err));
    return DPL_OK;
}

/* ---- groups of equal pairs -------------------------------------------------------------- */

static dpl_status drop(work *w, uint64_t place, dpl_verdict verdict, dpl_error *err)
{
    uint8_t key[PLACE], value = (uint8_t)verdict;
    for (int i = 0; i < PLACE; i++)
        key[i] = (uint8_t)(place >> (8 * (PLACE - 1 - i)));
    return dpl__sorter_add(w->by_place, (dpl_str){(const char *)key, sizeof key},
                           (dpl_str){(const char *)&value, 1}, err);
}

/* Records of a group come in the order of their places. */
static bool is_frequent(const work *w)
{
    size_t n = w->group.n > 0;
    for (size_t i = 1; i < w->group.n; i++)
        n += w->group.data[i].pair != w->group.data[i - 1].pair;
    return w->options->no_frequent && (double)n >= P(frequent_pairs) &&
           (double)n >= P(frequent_share) * (double)w->n_pairs;
}

static dpl_status end_group(work *w, dpl_error *err)
{
    bool are_frequent = is_frequent(w);
    size_t best = 0;
    for (size_t i = 1; i < w->group.n; i++)
        if (w->group.data[i].score > w->group.data[best].score)
            best = i;
    for (size_t i = 0; i < w->group.n; i++)
        if (are_frequent || (w->options->is_unique && i != best))
            DPL_TRY(drop(w, w->group.data[i].place,
                         are_frequent ? DPL_VERDICT_FREQUENT : DPL_VERDICT_REPEATED, err));
    w->group.n = 0;
    return DPL_OK;
}

static dpl_status find_groups(work *w, dpl_error *err)
{
    char before[KEY] = {0};
    dpl_str key, value;
    dpl_status status;
    DPL_TRY(dpl__sorter_sort(w->by_text, err));
    while ((status = dpl__sorter_next(w->by_text, &key, &value, err)) == DPL_OK) {
        record r;
        memcpy(&r, value.data, sizeof r);
        if (w->group.n && memcmp(before, key.data, KEY) != 0)
            DPL_TRY(end_group(w, err));
        memcpy(before, key.data, KEY);
        DPL_TRY(dpl__need(dpl__vec_push(w->ctx, &w->group, r), err));
    }
    return status == DPL_END ? end_group(w, err) : status;
}

/* ---- new verdicts ----------------------------------------------------------------------- */

static dpl_status find_next(work *w, dpl_error *err)
{
    dpl_str key, value;
    dpl_status status = dpl__sorter_next(w->by_place, &key, &value, err);
    w->next = status == DPL_OK ? 0 : UINT64_MAX;
    for (int i = 0; i < PLACE && status == DPL_OK; i++)
        w->next = w->next << 8 | (uint8_t)key.data[i];
    if (status == DPL_OK)
        w->verdict = (dpl_verdict)value.data[0];
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status mark_docs(void *user, const dpl_aligned_docs *d, dpl_error *err)
{
    work *w = user;
    w->beads.n = 0;
    DPL_TRY(dpl__need(dpl__vec_append(w->ctx, &w->beads, d->beads, d->n_beads), err));
    for (size_t i = 0; i < d->n_beads; i++, w->place++)
        if (w->place == w->next) {
            w->beads.data[i].verdict = w->verdict;
            DPL_TRY(find_next(w, err));
        }
    dpl_aligned_docs marked = *d;
    marked.beads = w->beads.data;
    return dpl__aligned_add(w->marked, &marked, err);
}

static dpl_status mark(work *w, dpl_error *err)
{
    const dpl__repeats_options *o = w->options;
    DPL_TRY(dpl__spill_init(&w->spill, w->ctx, o->dir, err));
    DPL_TRY(dpl__sorter_new(&w->by_text, &w->spill, o->share, err));
    DPL_TRY(dpl__sorter_new(&w->by_place, &w->spill, o->share, err));
    DPL_TRY(dpl__aligned_new(&w->marked, w->ctx, o->dir, o->share, err));
    DPL_TRY(dpl__aligned_each(w->aligned, NULL, w->n_pairs, add_docs, w, err));
    DPL_TRY(find_groups(w, err));
    DPL_TRY(dpl__sorter_sort(w->by_place, err));
    w->place = 0;
    DPL_TRY(find_next(w, err));
    return dpl__aligned_each(w->aligned, NULL, w->n_pairs, mark_docs, w, err);
}

dpl_status dpl__repeats_mark(dpl__aligned **aligned, dpl_ctx *ctx,
                             const dpl__repeats_options *options, dpl_error *err)
{
    work w = {.ctx = ctx,
              .options = options,
              .aligned = *aligned,
              .n_pairs = dpl__aligned_size(*aligned)};
    if (!options->is_unique && !options->no_frequent)
        return DPL_OK;
    dpl_status status = mark(&w, err);
    if (status == DPL_OK) {
        dpl__aligned *old = *aligned;
        *aligned = w.marked;
        w.marked = old;
    }
    dpl__aligned_free(w.marked);
    dpl__sorter_free(w.by_place);
    dpl__sorter_free(w.by_text);
    dpl__spill_clear(&w.spill);
    dpl__vec_clear(ctx, &w.text, &w.group, &w.beads);
    return status;
}
