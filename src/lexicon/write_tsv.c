/*
 * write_tsv.c - a lexicon becomes text, a line for each entry: word, translation, probability.
 *
 * Rows are in the order of the file; their entries too, or the most probable first.
 */
#include "lexicon/lexicon.h"

#include "base/decimal.h"
#include "base/order.h"
#include "base/sized.h"
#include "base/vec.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

enum { FULL = 1 << 16 }; /* bytes that are handed on together */

typedef struct entry {
    float p;
    uint32_t col;
} entry;

typedef struct writer {
    const dpl_lexicon *l;
    dpl_lexicon_tsv_options options;
    dpl_lexicon_text_fn *write;
    void *user;
    dpl__bytes text;
    DPL_VEC(entry) row;
    uint64_t n_entries;
} writer;

DPL__ORDER(by_probability, entry, DPL__FALLING(p) DPL__RISING(col))

/* Prints the fewest digits from which the same number is read, whatever the locale. */
static void print_exact(char out[32], float p)
{
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(out, 32, "%.*g", digits, (double)p);
        if (strtof(out, NULL) == p)
            break;
    }
    char *point = strstr(out, localeconv()->decimal_point);
    if (point)
        *point = '.';
}

static bool add_text(writer *w, dpl_str s, char behind)
{
    return dpl__vec_append(w->l->ctx, &w->text, s.data, s.n) &&
           dpl__vec_push(w->l->ctx, &w->text, behind);
}

static dpl_status flush(writer *w, size_t least, dpl_error *err)
{
    if (w->text.n < least)
        return DPL_OK;
    DPL_TRY(w->write(w->user, w->text.data, w->text.n, err));
    w->text.n = 0;
    return DPL_OK;
}

static dpl_status write_entry(writer *w, uint32_t row, entry e, dpl_error *err)
{
    int side = w->options.is_back ? DPL__RIGHT : DPL__LEFT;
    char number[32];
    if (w->options.is_exact)
        print_exact(number, e.p);
    else
        dpl__decimal(number, (double)e.p);
    w->n_entries++;
    DPL_TRY(dpl__need(add_text(w, dpl__string(&w->l->words[side], row), '\t') &&
                          add_text(w, dpl__string(&w->l->words[!side], e.col), '\t') &&
                          add_text(w, dpl__cstr(number), '\n'),
                      err));
    return flush(w, FULL, err);
}

static dpl_status write_row(writer *w, const dpl__table *t, uint32_t row, dpl_error *err)
{
    assert(row < t->n_rows && t->offsets[row] <= t->offsets[row + 1]);
    float min_p = (float)w->options.threshold;
    w->row.n = 0;
    for (uint64_t i = t->offsets[row]; i < t->offsets[row + 1]; i++) {
        entry e = {t->p[i], t->cols[i]};
        if (e.p >= min_p && !dpl__vec_push(w->l->ctx, &w->row, e))
            return dpl__fail_nomem(err);
    }
    if (w->options.is_by_probability)
        dpl__vec_sort(&w->row, by_probability);
    for (size_t i = 0; i < w->row.n; i++)
        DPL_TRY(write_entry(w, row, w->row.data[i], err));
    return DPL_OK;
}

dpl_status dpl_lexicon_write_tsv(uint64_t *n_entries, const dpl_lexicon *l,
                                 const dpl_lexicon_tsv_options *options,
                                 dpl_lexicon_text_fn *write, void *user, dpl_error *err)
{
    writer w = {.l = l, .write = write, .user = user};
    DPL_TRY(DPL__TAKE(&w.options, options, err));
    const dpl__table *t = &l->table[w.options.is_back ? DPL__RIGHT : DPL__LEFT];
    dpl_status status = DPL_OK;
    for (uint32_t row = 0; t->offsets && row < t->n_rows; row++)
        DPL__STEP(write_row(&w, t, row, err));
    status = flush(&w, 1, err);
done:
    if (n_entries)
        *n_entries = w.n_entries;
    dpl__vec_clear(l->ctx, &w.text, &w.row);
    return status;
}
