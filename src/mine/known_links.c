/*
 * known_links.c - which links are missing, and which are suspicious.
 *
 * A pair neither of whose documents has a link is a missing link. A pair that shares one
 * document with a link contradicts it: one of the two is wrong.
 *
 * A link is suspicious when its documents do not look alike. How alike linked documents look is
 * measured on links that mining found by itself; how alike unrelated ones look, on the left
 * document of each of them with the right document of the next one. Both cosines are taken as
 * normal distributions, each of its own width. A pair that contradicts the link adds the odds
 * of its confidence, since both cannot be right.
 *
 * Confidence is estimated without any link. Where there are links, the shift of its log-odds
 * that makes it agree with them is applied to missing links.
 */
#include "mine/known_links.h"

#include "base/maths.h"
#include "base/order.h"
#include "langlinks/link_numbers.h"
#include "mine/mine_params.h"
#include "mine/rescore.h"
#include "mine/sample.h"
#include "par/sort.h"
#include "tokens/collection.h"

#include <math.h>

static uint32_t doc_of(dpl_doc_pair docs, int side)
{
    return side ? docs.right : docs.left;
}

/* ---- reading ---------------------------------------------------------------------------- */

dpl_status dpl__known_links_read(dpl__pair_run *r, dpl_error *err)
{
    const dpl_mine_options *o = &r->settings.options;
    if (o->n_links == 0)
        return DPL_OK;
    if (o->unit == DPL_UNIT_SENTENCE)
        return dpl__fail(err, DPL_E_USAGE, "links are between documents, not sentences");
    dpl__stage_set(&r->stage, "links");
    dpl__known_links *k = r->known = dpl__calloc(r->ctx, 1, sizeof *k);
    DPL_TRY(dpl__need(k, err));
    dpl_links_options read = DPL_INIT(dpl_links_options, .langs = {o->langs[0], o->langs[1]},
                                      .is_partial = r->task.is_of_many);
    DPL_TRY(dpl_links_read(&k->links, r->ctx, o->links, o->n_links, r->corpus.c[0],
                           r->corpus.c[1], &read, err));
    k->summary.read = dpl__links_get_summary(k->links);
    for (int side = 0; side < 2; side++) { /* text without boilerplate has lost it */
        const dpl_str site = dpl__collection_site(r->corpus.c[side]);
        memcpy(k->site[side], site.data ? site.data : "",
               dpl__min(site.n, sizeof k->site[side] - 1));
    }
    r->summary.links = &k->summary;
    return DPL_OK;
}

dpl_status dpl__known_links_renumber(dpl__pair_run *r, dpl_error *err)
{
    const uint32_t *const now[2] = {r->read.numbers[0].as_mined, r->read.numbers[1].as_mined};
    const uint32_t n_docs[2] = {dpl_collection_get_sizes(r->corpus.c[0])->n_docs,
                                dpl_collection_get_sizes(r->corpus.c[1])->n_docs};
    if (!r->known || (!now[0] && !now[1]))
        return DPL_OK;
    return dpl__links_renumber(r->known->links, now, n_docs, err);
}

void dpl__known_links_clear(dpl__pair_run *r)
{
    dpl__known_links *k = r->known;
    if (!k)
        return;
    dpl_links_free(k->links);
    for (int side = 0; side < 2; side++)
        dpl__vec_clear(r->ctx, &k->partner[side]);
    dpl__vec_clear(r->ctx, &k->missing, &k->suspects);
    dpl__free(r->ctx, k);
    r->known = NULL;
}

dpl_status dpl__known_links_train(dpl__doc_pairs *out, const dpl__pair_run *r, dpl_error *err)
{
    const dpl__comparable *p = &r->corpus;
    size_t n;
    if (!r->known || !r->settings.options.use_links)
        return DPL_OK;
    const dpl_doc_pair *links = dpl_links_pairs(r->known->links, &n);
    dpl__doc_pairs all = {0};
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < n && status == DPL_OK; i++)
        if (!p->skip[0][links[i].left] && !p->skip[1][links[i].right] &&
            !dpl__vec_push(r->ctx, &all, links[i]))
            status = dpl__fail_nomem(err);
    if (status == DPL_OK)
        status = dpl__sample_pairs(out, p, all.data, all.n, err);
    if (status == DPL_OK && out->n == 0 && !dpl__vec_append(r->ctx, out, all.data, all.n))
        status = dpl__fail_nomem(err);
    dpl__vec_clear(r->ctx, &all);
    return status;
}

/* ---- pairs and links -------------------------------------------------------------------- */

static dpl_status find_partners(dpl__pair_run *r, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        size_t n = dpl_collection_get_sizes(r->corpus.c[side])->n_docs;
        DPL_TRY(dpl__need(dpl__vec_reserve(r->ctx, &r->known->partner[side], n), err));
        r->known->partner[side].n = n;
        memset(r->known->partner[side].data, 0xFF, n * sizeof(uint32_t));
        for (size_t i = 0; i < r->final.docs.n; i++)
            r->known->partner[side].data[doc_of(r->final.docs.data[i], side)] = (uint32_t)i;
    }
    return DPL_OK;
}

/* A duplicate stands for the document that took part. */
static uint32_t original(const dpl__pair_run *r, int side, uint32_t doc)
{
    uint32_t of = r->final.copy_of[side] ? r->final.copy_of[side][doc] : DPL_MINE_NO_DOC;
    return of == DPL_MINE_NO_DOC ? doc : of;
}

uint32_t dpl__known_links_pair(const dpl__pair_run *r, int side, uint32_t doc)
{
    uint32_t i = r->known->partner[side].data[doc];
    return i != DPL__NO_PAIR ? i : r->known->partner[side].data[original(r, side, doc)];
}

/* Was the link found? */
static bool is_found(const dpl__pair_run *r, dpl_doc_pair link)
{
    uint32_t left = dpl__known_links_pair(r, 0, link.left),
             right = dpl__known_links_pair(r, 1, link.right);
    return left != DPL__NO_PAIR && left == right;
}

typedef struct ranked {
    double confidence;
    uint64_t key;
    size_t number;
} ranked;

DPL__ORDER(by_confidence, ranked, DPL__FALLING(confidence) DPL__RISING(key))

static dpl_status sort_missing(dpl__pair_run *r, ranked *all, size_t n, dpl_error *err)
{
    DPL_TRY(dpl__parallel_sort(r->ctx, all, n, sizeof *all, by_confidence, err));
    for (size_t i = 0; i < n; i++)
        DPL_TRY(dpl__need(dpl__vec_push(r->ctx, &r->known->missing, all[i].number), err));
    return DPL_OK;
}

/* How a final pair stands to the links. */
typedef enum agreement {
    UNLINKED, /* neither document has a link */
    MATCHING, /* it is a link, of these documents or of copies of them */
    TOUCHING, /* a document has another link */
} agreement;

static agreement agreement_of(const dpl__pair_run *r, size_t i)
{
    const dpl_doc_pair docs = r->final.docs.data[i];
    const uint32_t right = dpl__links_of(r->known->links, 0, docs.left),
                   left = dpl__links_of(r->known->links, 1, docs.right);
    if (right == DPL__LINKS_NONE && left == DPL__LINKS_NONE)
        return UNLINKED;
    return (right != DPL__LINKS_NONE && dpl__known_links_pair(r, 1, right) == i) ||
                   (left != DPL__LINKS_NONE && dpl__known_links_pair(r, 0, left) == i)
               ? MATCHING
               : TOUCHING;
}

/* Pairs without a link on either side, and how many agree with links. */
static dpl_status compare_pairs(dpl__pair_run *r, dpl_error *err)
{
    dpl__known_links *k = r->known;
    dpl_links_agreement *s = &k->summary;
    DPL_VEC(ranked) missing = {0};
    double sum = 0;
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < r->final.docs.n && status == DPL_OK; i++) {
        ranked m = {r->final.found.pairs.data[i].confidence,
                    dpl__pair_key(&r->corpus, r->final.docs.data[i]), i};
        agreement is = agreement_of(r, i);
        s->n_matching += is == MATCHING;
        s->n_touching += is == TOUCHING;
        sum += is == UNLINKED ? 0 : m.confidence;
        if (is == UNLINKED && !dpl__vec_push(r->ctx, &missing, m))
            status = dpl__fail_nomem(err);
    }
    double n_touched = (double)(s->n_matching + s->n_touching);
    s->n_missing = missing.n;
    s->precision = n_touched > 0 ? (double)s->n_matching / n_touched : 0;
    s->estimated_precision = r->summary.why_no_estimate ? NAN
                             : n_touched > 0            ? sum / n_touched
                                                        : 0;
    if (status == DPL_OK)
        status = sort_missing(r, missing.data, missing.n, err);
    dpl__vec_clear(r->ctx, &missing);
    return status;
}

static void compare_links(dpl__pair_run *r)
{
    dpl_links_agreement *s = &r->known->summary;
    size_t n, n_found = 0;
    const dpl_doc_pair *links = dpl_links_pairs(r->known->links, &n);
    for (size_t i = 0; i < n; i++)
        n_found += is_found(r, links[i]);
    s->n_found = n_found;
    s->recall = n ? (double)n_found / (double)n : 0;
    for (int side = 0; side < 2; side++) {
        size_t n_docs = dpl_collection_get_sizes(r->corpus.c[side])->n_docs;
        s->share[side] = n_docs ? (double)n / (double)n_docs : 0;
    }
}

/* ---- calibration ------------------------------------------------------------------------ */

static double log_odds(double p)
{
    p = fmin(fmax(p, 1e-6), 1 - 1e-6);
    return dpl__log(p / (1 - p));
}

static double probability(double log_odds)
{
    return 1 / (1 + dpl__exp(-log_odds));
}

double dpl__known_links_confidence(const dpl__pair_run *r, size_t pair)
{
    return probability(log_odds(r->final.found.pairs.data[pair].confidence) +
                       r->known->summary.shift);
}

/* A pair whose documents have links, and whether these agree. */
typedef struct example {
    double log_odds;
    bool is_right;
} example;

typedef DPL_VEC(example) examples;

/* A pair that contradicts a link which is probably wrong itself says nothing about the pair. */
static bool is_told(const dpl__pair_run *r, size_t i, const uint8_t *is_doubted)
{
    const dpl_doc_pair docs = r->final.docs.data[i];
    const uint32_t from = dpl__links_of(r->known->links, 1, docs.right);
    return !(dpl__links_of(r->known->links, 0, docs.left) != DPL__LINKS_NONE &&
             is_doubted[docs.left]) &&
           !(from != DPL__LINKS_NONE && is_doubted[from]);
}

static dpl_status list_examples(examples *out, const dpl__pair_run *r,
                                const uint8_t *is_doubted, dpl_error *err)
{
    for (size_t i = 0; i < r->final.docs.n; i++) {
        const agreement is = agreement_of(r, i);
        const example e = {log_odds(r->final.found.pairs.data[i].confidence), is == MATCHING};
        if ((is == MATCHING || (is == TOUCHING && is_told(r, i, is_doubted))) &&
            !dpl__vec_push(r->ctx, out, e))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

/* The shift by which the mean of the confidences is the share of right pairs: by bisection,
 * since the mean rises with the shift. */
static double find_shift(const examples *all)
{
    double low = -DPL__P(mine, link_shift), high = DPL__P(mine, link_shift), n_right = 0;
    if ((double)all->n < DPL__P(mine, link_examples))
        return 0;
    for (size_t i = 0; i < all->n; i++)
        n_right += all->data[i].is_right;
    for (int step = 0; step < 40; step++) {
        double shift = (low + high) / 2, sum = 0;
        for (size_t i = 0; i < all->n; i++)
            sum += probability(all->data[i].log_odds + shift);
        if (sum < n_right)
            low = shift;
        else
            high = shift;
    }
    return (low + high) / 2;
}

static dpl_status calibrate(dpl__pair_run *r, dpl_error *err)
{
    dpl__known_links *k = r->known;
    examples all = {0};
    size_t n = k->partner[0].n;
    uint8_t *is_doubted = dpl__calloc(r->ctx, n + 1, 1);
    DPL_TRY(dpl__need(is_doubted, err));
    for (size_t i = 0; i < k->suspects.n; i++)
        is_doubted[k->suspects.data[i].docs.left] = 1;
    dpl_status status = list_examples(&all, r, is_doubted, err);
    k->summary.shift = find_shift(&all);
    dpl__vec_clear(r->ctx, &all);
    dpl__free(r->ctx, is_doubted);
    return status;
}

/* ---- suspicious links ------------------------------------------------------------------- */

/* Links that were found, in an order that does not depend on that of documents, and others. */
typedef struct link_lists {
    DPL_VEC(ranked) found;       /* number: of the link */
    DPL_VEC(dpl_doc_pair) asked; /* found ones, unrelated ones, those that were not found */
    DPL_VEC(float) cosines;
    size_t n_examples;
} link_lists;

DPL__ORDER(by_key, ranked, DPL__RISING(key))

static bool is_long(const dpl__pair_run *r, dpl_doc_pair docs)
{
    for (int side = 0; side < 2; side++) {
        size_t n;
        dpl_collection_tokens(r->corpus.c[side], doc_of(docs, side), &n);
        if ((double)n < DPL__P(mine, link_tokens))
            return false;
    }
    return true;
}

static dpl_status list_links(link_lists *l, const dpl__pair_run *r, dpl_error *err)
{
    size_t n;
    const dpl_doc_pair *links = dpl_links_pairs(r->known->links, &n);
    for (size_t i = 0; i < n; i++) {
        ranked e = {.key = dpl__pair_key(&r->corpus, links[i]), .number = i};
        if (is_found(r, links[i]) && is_long(r, links[i]) &&
            !dpl__vec_push(r->ctx, &l->found, e))
            return dpl__fail_nomem(err);
    }
    DPL_TRY(dpl__parallel_sort(r->ctx, l->found.data, l->found.n, sizeof *l->found.data, by_key,
                               err));
    l->n_examples = dpl__min(l->found.n, (size_t)DPL__P(mine, link_most_examples));
    for (int is_mixed = 0; is_mixed < 2; is_mixed++)
        for (size_t i = 0; i < l->n_examples; i++) {
            /* of the pivot's documents each goes with the other side of the next link, so that
             * swapped sides give the same pairs */
            size_t next = is_mixed ? (i + 1) % l->n_examples : i;
            dpl_doc_pair a = links[l->found.data[i].number],
                         b = links[l->found.data[next].number];
            dpl_doc_pair docs = r->corpus.pivot == 0 ? (dpl_doc_pair){a.left, b.right}
                                                     : (dpl_doc_pair){b.left, a.right};
            DPL_TRY(dpl__need(dpl__vec_push(r->ctx, &l->asked, docs), err));
        }
    for (size_t i = 0; i < n; i++)
        if (!is_found(r, links[i]) && is_long(r, links[i]) &&
            !dpl__vec_push(r->ctx, &l->asked, links[i]))
            return dpl__fail_nomem(err);
    return DPL_OK;
}

/* Two normal distributions: cosines of translations and of unrelated documents. */
typedef struct contrast {
    double mean[2], spread[2];
} contrast;

/* Translations that are free or cover a part only spread far more than unrelated documents.
 * Links to a related document are wrong as well, so these count as wider than chance ones are.
 */
static contrast contrast_of(const link_lists *l)
{
    const size_t n = l->n_examples;
    contrast c = {{0, 0}, {0, 0}};
    for (size_t i = 0; i < 2 * n; i++)
        c.mean[i >= n] += (double)l->cosines.data[i] / (double)n;
    for (size_t i = 0; i < 2 * n; i++) {
        double x = (double)l->cosines.data[i] - c.mean[i >= n];
        c.spread[i >= n] += x * x / (double)n;
    }
    for (int k = 0; k < 2; k++)
        c.spread[k] = fmax(sqrt(c.spread[k]), 0.01);
    c.spread[1] = fmin(fmax(c.spread[1], c.spread[0] / 2), c.spread[0]);
    return c;
}

/* Log of how much likelier the cosine is of unrelated documents than of translations. It falls
 * with the cosine, also where the wider distribution would be ahead again. */
static double evidence_of(const contrast *c, double cosine)
{
    double weight[2], log_likelihood[2], turn;
    for (int k = 0; k < 2; k++)
        weight[k] = 1 / (c->spread[k] * c->spread[k]);
    if (weight[1] > weight[0]) {
        turn = (weight[1] * c->mean[1] - weight[0] * c->mean[0]) / (weight[1] - weight[0]);
        cosine = fmax(cosine, turn);
    }
    for (int k = 0; k < 2; k++) {
        double x = cosine - c->mean[k];
        log_likelihood[k] = -x * x * weight[k] / 2 - dpl__log(c->spread[k]);
    }
    return log_likelihood[1] - log_likelihood[0];
}

/* Log-odds of a contradicting pair, for each side that is in one. */
static double contradiction(const dpl__pair_run *r, dpl_doc_pair link)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        uint32_t i = dpl__known_links_pair(r, side, doc_of(link, side));
        if (i != DPL__NO_PAIR)
            sum += log_odds(fmin(r->final.found.pairs.data[i].confidence, 0.99));
    }
    return sum;
}

DPL__ORDER(by_probability, dpl__suspect, DPL__FALLING(probability) DPL__RISING(key))

static dpl_status judge_links(const link_lists *l, dpl__pair_run *r, dpl_error *err)
{
    contrast c = contrast_of(l);
    const double most = DPL__P(mine, link_evidence);
    for (size_t i = 2 * l->n_examples; i < l->asked.n; i++) {
        double cosine = (double)l->cosines.data[i];
        double evidence = fmin(fmax(evidence_of(&c, cosine), -most), most);
        dpl__suspect s = {.docs = l->asked.data[i],
                          .cosine = cosine,
                          .key = dpl__pair_key(&r->corpus, l->asked.data[i])};
        s.probability = probability(log_odds(DPL__P(mine, link_wrong)) + evidence +
                                    contradiction(r, s.docs));
        if (s.probability >= 0.5 && !dpl__vec_push(r->ctx, &r->known->suspects, s))
            return dpl__fail_nomem(err);
    }
    r->known->summary.n_suspicious = r->known->suspects.n;
    return dpl__parallel_sort(r->ctx, r->known->suspects.data, r->known->suspects.n,
                              sizeof *r->known->suspects.data, by_probability, err);
}

static dpl_status find_suspects(link_lists *l, dpl__pair_run *r, dpl_error *err)
{
    DPL_TRY(list_links(l, r, err));
    if ((double)l->n_examples < DPL__P(mine, link_examples))
        return DPL_OK; /* what linked documents look like is not known */
    DPL_TRY(dpl__need(dpl__vec_reserve(r->ctx, &l->cosines, l->asked.n), err));
    l->cosines.n = l->asked.n;
    DPL_TRY(dpl__rescore(l->cosines.data, &r->corpus,
                         (dpl__pair_list){l->asked.data, l->asked.n}, r->lexicon, err));
    return judge_links(l, r, err);
}

dpl_status dpl__known_links_compare(dpl__pair_run *r, dpl_error *err)
{
    link_lists l = {0};
    if (!r->known)
        return DPL_OK;
    dpl__stage_set(&r->stage, "links");
    DPL_TRY(find_partners(r, err));
    DPL_TRY(compare_pairs(r, err));
    compare_links(r);
    dpl_status status = find_suspects(&l, r, err);
    dpl__vec_clear(r->ctx, &l.found, &l.asked, &l.cosines);
    return status == DPL_OK ? calibrate(r, err) : status;
}
