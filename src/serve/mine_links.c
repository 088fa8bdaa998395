/*
 * mine_links.c - missing-links.tsv and suspicious-links.tsv, opened for looking at them.
 */
#include "serve/mine_links.h"

#include "base/ascii.h"
#include "base/options.h"
#include "base/order.h"
#include "serve/message.h"

/* ---- lines ------------------------------------------------------------------------------ */

static double real_of(dpl_str s)
{
    double x;
    return dpl__parse_real(&x, s) ? x : 0;
}

dpl__link_line dpl__link_line_of(const dpl__served_link *link)
{
    dpl__link_line out = {.cosine = 0};
    dpl_str line = link->line;
    for (int side = 0; side < 2; side++)
        out.ids[side] = dpl__next_column(&line);
    (void)dpl__next_column(&line);
    for (int side = 0; side < 2; side++)
        out.titles[side] = dpl__next_column(&line);
    if (link->is_suspicious) {
        out.cosine = real_of(dpl__next_column(&line));
        for (int side = 0; side < 2; side++) {
            out.better_ids[side] = dpl__next_column(&line);
            out.better_titles[side] = dpl__next_column(&line);
        }
        for (size_t i = 0; i < DPL_LEN(out.words); i++)
            out.words[i] = dpl__next_column(&line);
        for (size_t i = 1; i < DPL_LEN(out.words); i++) {
            out.has_figures[i] = dpl__parse_real(&out.confidence[i], dpl__next_column(&line));
            for (int side = 0; side < 2; side++)
                out.share[i][side] = real_of(dpl__next_column(&line));
        }
        return out;
    }
    (void)dpl__next_column(&line); /* sentences */
    out.has_figures[0] = true;
    out.confidence[0] = (double)link->probability;
    for (int side = 0; side < 2; side++)
        out.share[0][side] = real_of(dpl__next_column(&line));
    (void)dpl__next_column(&line); /* terms */
    out.words[0] = dpl__next_column(&line);
    return out;
}

/* Adds the links of a list; a header, and lines that are not ours, are passed over. */
static dpl_status read_list(dpl__mine_folder *f, uint32_t run, bool is_suspicious,
                            dpl_error *err)
{
    const dpl__mapped *m = &f->runs.data[run].links[is_suspicious];
    dpl_str rest = {m->data, m->n}, line;
    while (dpl__next_row(&line, &rest)) {
        dpl__served_link link = {.line = line, .run = run, .is_suspicious = is_suspicious};
        double probability = 0;
        dpl_str ids[2];
        for (int side = 0; side < 2; side++)
            ids[side] = dpl__next_column(&line);
        if (!ids[0].n || !ids[1].n || !dpl__parse_real(&probability, dpl__next_column(&line)) ||
            !(probability >= 0 && probability <= 1))
            continue;
        link.probability = (float)probability;
        link.pair = dpl__find_pair(f, ids, run);
        if (f->links.all.n >= UINT32_MAX - 1)
            return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' has too many links", f->dir);
        DPL_TRY(dpl__need(dpl__vec_push(f->ctx, &f->links.all, link), err));
        f->links.n_missing += !is_suspicious;
    }
    return DPL_OK;
}

/* ---- judgements of links that are no pairs ------------------------------------------ */

uint64_t dpl__served_link_hash(const void *links, uint32_t link)
{
    return dpl__hash_ids(
        dpl__link_line_of(&((const dpl__served_links *)links)->all.data[link]).ids);
}

bool dpl__served_link_has(const void *links, uint32_t link, const dpl_str *ids)
{
    const dpl__link_line line =
        dpl__link_line_of(&((const dpl__served_links *)links)->all.data[link]);
    return dpl__str_eq(line.ids[0], ids[0]) && dpl__str_eq(line.ids[1], ids[1]);
}

static dpl_status fill_table(dpl__mine_folder *f, dpl_error *err)
{
    dpl__served_links *l = &f->links;
    l->table.user = l;
    l->states = dpl__calloc(f->ctx, l->all.n + 1, sizeof *l->states);
    DPL_TRY(dpl__need(l->states && dpl__link_table_reserve(&l->table, f->ctx, l->all.n), err));
    for (uint32_t i = 0; i < l->all.n; i++) {
        if (l->all.data[i].pair != DPL__NO_PAIR_OF_LINK)
            continue;
        const dpl__link_line line = dpl__link_line_of(&l->all.data[i]);
        uint32_t *slot = dpl__link_table_find(&l->table, dpl__hash_ids(line.ids), line.ids);
        l->table.n_used += !*slot;
        l->all.data[i].next = *slot;
        *slot = i + 1;
    }
    return DPL_OK;
}

/* Are the languages those of the judgement, as far as it has any? */
static bool has_languages(const dpl__mine_folder *f, const dpl__judgement *j,
                          const dpl__served_link *link)
{
    const dpl_str langs[2] = {j->left_lang, j->right_lang};
    for (int side = 0; side < 2; side++)
        if (langs[side].n &&
            !dpl__str_eq(langs[side], dpl__cstr(f->runs.data[link->run].langs[side])))
            return false;
    return true;
}

void dpl__served_links_judge(dpl__mine_folder *f, const dpl__judgement *j)
{
    dpl__served_links *l = &f->links;
    for (size_t i = 0; !j && i < l->all.n; i++)
        l->states[i] = DPL__JUDGED_OPEN;
    if (!j || !l->table.n_slots)
        return;
    const dpl_str ids[2] = {j->left_id, j->right_id};
    uint32_t link = *dpl__link_table_find(&l->table, dpl__hash_ids(ids), ids);
    for (; link; link = l->all.data[link - 1].next)
        if (has_languages(f, j, &l->all.data[link - 1]))
            l->states[link - 1] = (uint8_t)j->verdict;
}

unsigned dpl__served_link_state(const dpl__mine_folder *f, uint32_t link)
{
    const uint32_t pair = f->links.all.data[link].pair;
    return (pair == DPL__NO_PAIR_OF_LINK ? f->links.states[link] : f->states[pair]) % 3;
}

/* ---- all -------------------------------------------------------------------------------- */

DPL__ORDER(in_order, dpl__served_link,
           DPL__RISING(is_suspicious) DPL__FALLING(probability) DPL__RISING(run)
               DPL__RISING(line.data))

dpl_status dpl__served_links_read(dpl__mine_folder *f, dpl_error *err)
{
    for (uint32_t run = 0; run < f->runs.n; run++)
        for (int i = 0; i < 2; i++)
            DPL_TRY(read_list(f, run, i, err));
    dpl__vec_sort(&f->links.all, in_order);
    return fill_table(f, err);
}

void dpl__served_links_clear(dpl__mine_folder *f)
{
    dpl__served_links *l = &f->links;
    dpl__link_table_clear(&l->table, f->ctx);
    dpl__free(f->ctx, l->states);
    dpl__vec_clear(f->ctx, &l->all);
}
