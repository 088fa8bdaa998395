/*
 * decoy_rates.c - the local false discovery rate of pairs, by decoys.
 *
 * Two things follow from each other and are found in turns. How much a decoy counts: raised as
 * far as the pair before it is wrong, as it is as far as that one is right. And how likely each
 * pair is right: the share of decoys among pairs and decoys of about its score, by isotonic
 * regression. The number of wrong pairs is the smaller of two estimates that both are too high
 * in some collections: what lies below the median of the decoys, where hardly a right pair is,
 * counts half of them (Storey 2002); and there are about as many wrong matches as decoys behind
 * wrong ones.
 *
 * Cost: a sort of pairs and decoys, and confidence_rounds passes over them.
 */
#include "mine/decoy_rates.h"

#include "base/ctx.h"
#include "mine/mine_params.h"
#include "par/sort.h"

#include <math.h>

#define LEAST 1e-9 /* confidence: no decision asks for so little */

/* A pair, or a decoy in one of its two forms. */
typedef struct entry {
    double score;
    uint32_t number; /* of pairs, decoys, raised decoys, in this order */
} entry;

/* Entries beside each other that share one rate. */
typedef struct block {
    double decoys, pairs; /* weights */
    size_t n;             /* entries */
} block;

typedef struct fit {
    const dpl__decoy_rates_input *in;
    entry *entries; /* by score, the highest first */
    size_t n;
    double *rate;   /* of each pair: probability that it is wrong */
    double *weight; /* of each decoy, behind these of each raised one: wrong pairs */
    block *blocks;
    size_t n_blocks;
} fit;

static int falling(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->score < y->score || x->score > y->score)
        return x->score > y->score ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void fill_entries(fit *f)
{
    const dpl__decoy_rates_input *in = f->in;
    size_t n = 0;
    for (size_t i = 0; i < in->n_pairs; i++, n++)
        f->entries[n] = (entry){in->scores[i], (uint32_t)n};
    for (size_t i = 0; i < in->n_decoys; i++, n++)
        f->entries[n] = (entry){in->decoys[i].score, (uint32_t)n};
    for (size_t i = 0; i < in->n_decoys; i++, n++)
        f->entries[n] = (entry){in->decoys[i].raised, (uint32_t)n};
    f->n = n;
}

/* Weights of decoys, before they are scaled. Returns how many are behind wrong pairs; only a
 * pair that is likely right counts as less than wrong, or what is in doubt would become right
 * by and by. */
static double weigh_decoys(fit *f)
{
    const dpl__decoy_rates_input *in = f->in;
    double wrong = 0;
    for (size_t i = 0; i < in->n_decoys; i++) {
        uint32_t above = in->decoys[i].above;
        double rate = above == DPL__NO_MATCH ? 1 : f->rate[above];
        f->weight[i] = 1 - rate;
        f->weight[in->n_decoys + i] = rate;
        wrong += rate < DPL__P(mine, rate_doubt) ? rate : 1;
    }
    return wrong;
}

/* Twice the pairs below the median of the decoys. */
static double count_below(const fit *f)
{
    double half = (double)f->in->n_decoys / 2, sum = 0, pairs = 0;
    for (size_t i = f->n; i-- > 0 && sum < half;) {
        uint32_t number = f->entries[i].number;
        if (number < f->in->n_pairs)
            pairs++;
        else
            sum += f->weight[number - f->in->n_pairs];
    }
    return sum > 0 ? pairs * (double)f->in->n_decoys / sum : 0;
}

static double rate_of(const block *b)
{
    double all = b->decoys + b->pairs;
    return all > 0 ? b->decoys / all : 0;
}

/* Adjacent violators are pooled: the share of decoys rises towards low scores. Some decoys more
 * than there are stand before all of them: the first few are pairs by chance, too. */
static void find_blocks(fit *f, double scale)
{
    f->blocks[0] = (block){.decoys = DPL__P(mine, more_decoys)};
    f->n_blocks = 1;
    for (size_t i = 0; i < f->n; i++) {
        uint32_t number = f->entries[i].number;
        block *last = &f->blocks[f->n_blocks++];
        *last = (block){.n = 1};
        if (number < f->in->n_pairs)
            last->pairs = 1;
        else
            last->decoys = scale * f->weight[number - f->in->n_pairs];
        while (f->n_blocks > 1 &&
               rate_of(&f->blocks[f->n_blocks - 2]) >= rate_of(&f->blocks[f->n_blocks - 1])) {
            block *to = &f->blocks[--f->n_blocks - 1], *from = &f->blocks[f->n_blocks];
            *to = (block){to->decoys + from->decoys, to->pairs + from->pairs, to->n + from->n};
        }
    }
}

/* Wrong pairs for each pair. */
static double odds_of(const block *b)
{
    return b->decoys < b->pairs ? b->decoys / b->pairs : 1;
}

static void rate_pairs(fit *f)
{
    for (size_t b = 0, i = 0; b < f->n_blocks; b++) {
        double odds = odds_of(&f->blocks[b]);
        for (size_t end = i + f->blocks[b].n; i < end; i++)
            if (f->entries[i].number < f->in->n_pairs)
                f->rate[f->entries[i].number] = odds;
    }
}

static void find_rates(fit *f)
{
    double behind_wrong = weigh_decoys(f), n_pairs = (double)f->in->n_pairs,
           n_decoys = (double)f->in->n_decoys;
    double wrong = fmin(DPL__P(mine, decoy_pairs) * behind_wrong, count_below(f));
    double scale = n_decoys > 0 ? fmin(wrong, n_pairs) / n_decoys : 0;
    find_blocks(f, scale);
    rate_pairs(f);
}

/* Within a block rates rise a little, so that of two pairs the one with the higher score has
 * the higher confidence. */
static void tilt_blocks(fit *f)
{
    double before = 0;
    for (size_t b = 0, i = 0; b < f->n_blocks; b++) {
        double n = (double)f->blocks[b].n, odds = odds_of(&f->blocks[b]),
               next = b + 1 < f->n_blocks ? odds_of(&f->blocks[b + 1]) : 1,
               low = fmax((1 - DPL__P(mine, rate_tilt)) * odds, (before + odds) / 2),
               high = fmin((1 + DPL__P(mine, rate_tilt)) * odds, (odds + next) / 2);
        for (size_t k = 0; k < f->blocks[b].n; k++, i++)
            if (f->entries[i].number < f->in->n_pairs)
                f->rate[f->entries[i].number] = low + (high - low) * ((double)k + 0.5) / n;
        before = odds;
    }
}

/* Where decoys explain all, a confidence still tells the order of scores. */
static void take_rates(dpl__decoy_rate *out, const fit *f)
{
    for (size_t i = 0; i < f->n; i++) {
        uint32_t number = f->entries[i].number;
        double least = LEAST * (double)(f->n - i) / (double)f->n;
        if (number < f->in->n_pairs)
            out[number].p = fmax(1 - f->rate[number], least);
    }
}

dpl_status dpl__decoy_rates_fit(dpl__decoy_rate *out, dpl_ctx *ctx,
                                const dpl__decoy_rates_input *in, dpl_error *err)
{
    size_t n = in->n_pairs + 2 * in->n_decoys, n_weights = 2 * in->n_decoys + 1;
    if (in->n_pairs == 0)
        return DPL_OK;
    fit f = {.in = in,
             .entries = dpl__alloc(ctx, n * sizeof *f.entries),
             .rate = dpl__alloc(ctx, in->n_pairs * sizeof *f.rate),
             .weight = dpl__alloc(ctx, n_weights * sizeof *f.weight),
             .blocks = dpl__alloc(ctx, (n + 1) * sizeof *f.blocks)};
    dpl_status status = DPL_OK;
    if (!f.entries || !f.rate || !f.weight || !f.blocks) {
        status = dpl__fail_nomem(err);
        goto done;
    }
    fill_entries(&f);
    if ((status = dpl__parallel_sort(ctx, f.entries, f.n, sizeof *f.entries, falling, err)) !=
        DPL_OK)
        goto done;
    for (size_t i = 0; i < in->n_pairs; i++)
        f.rate[i] = 1;
    for (int round = 0; round < (int)DPL__P(mine, confidence_rounds); round++)
        find_rates(&f);
    tilt_blocks(&f);
    take_rates(out, &f);
done:
    dpl__free(ctx, f.blocks, f.weight, f.rate, f.entries);
    return status;
}
