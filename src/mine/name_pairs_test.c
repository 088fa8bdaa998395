#include "mine/name_pairs.h"

#include "mine/mine_params.h"
#include "mine/random_sides_test.h"

#include <math.h>

enum { DOCS = 30, TERMS = 120 };
#define NONE UINT32_MAX
static const side_shape shape = {DOCS, 4, 8, TERMS, false, false};

/* Terms that are names at random, and links of terms of the other side, one of each at most. */
static dpl__names make_names(const dpl__comparable *p, dpl__rng *rng)
{
    dpl__names names = {.ctx = p->ctx, .corpus = p};
    for (int side = 0; side < 2; side++) {
        const uint32_t n = names.n_terms[side] = dpl_collection_get_sizes(p->c[side])->n_terms;
        names.has_case[side] = dpl__rng_below(rng, 2);
        names.is_name[side] = dpl__calloc(p->ctx, n, 1);
        for (uint32_t t = 0; t < n; t++)
            names.is_name[side][t] = dpl__rng_below(rng, 4) > 0;
    }
    for (unsigned i = 0; i < TERMS; i++) {
        dpl__name_link link = {.p = 0.5f + (float)dpl__rng_below(rng, 5) / 8};
        bool is_there = dpl__rng_below(rng, 8) > 0;
        for (int side = 0; side < 2 && is_there; side++) {
            /* some are linked wrongly */
            const unsigned to =
                dpl__rng_below(rng, 8) ? i : (unsigned)dpl__rng_below(rng, TERMS);
            char word[16];
            const size_t n = put_random_word(word, side == p->pivot ? to : i, side);
            uint32_t *term = &link.term[side != p->pivot];
            is_there = dpl_collection_find_term(p->c[side], (dpl_str){word, n}, term) &&
                       names.is_name[side][*term];
        }
        if (is_there)
            CHECK(dpl__vec_push(p->ctx, &names.links, link));
    }
    return names;
}

static float naive_idf(const dpl__names *names, int side, uint32_t term)
{
    const double n = names->corpus->n_docs[side] + 1;
    return (float)log(n / dpl_collection_doc_count(names->corpus->c[side], term));
}

static bool has_term(const dpl__names *names, int side, uint32_t doc, uint32_t term)
{
    size_t n;
    const uint32_t *row = dpl__names_row(names, side, doc, &n);
    for (size_t i = 0; i < n; i++)
        if (row[i] == term)
            return true;
    return false;
}

/* Weight of the names that two documents share by links. */
static double naive_shared(const dpl__names *names, uint32_t of_pivot, uint32_t other)
{
    const int pivot = names->corpus->pivot;
    double sum = 0;
    for (size_t i = 0; i < names->links.n; i++) {
        const dpl__name_link *l = &names->links.data[i];
        if (has_term(names, pivot, of_pivot, l->term[0]) &&
            has_term(names, !pivot, other, l->term[1]))
            sum += (double)(l->p * naive_idf(names, pivot, l->term[0]));
    }
    return sum;
}

/* Of the names that are linked; of a side with capitals of all names. */
static double naive_weight(const dpl__names *names, int side, uint32_t doc)
{
    size_t n;
    const uint32_t *row = dpl__names_row(names, side, doc, &n);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        bool counts = names->has_case[side];
        for (size_t k = 0; k < names->links.n; k++)
            counts |= names->links.data[k].term[side != names->corpus->pivot] == row[i];
        if (counts && names->is_name[side][row[i]])
            sum += (double)naive_idf(names, side, row[i]);
    }
    return sum;
}

/* The pair of a document of the other side; false: none leads by enough. */
static bool naive_pair(dpl__name_pair *out, const dpl__names *names, uint32_t other)
{
    const dpl__comparable *p = names->corpus;
    double sum[DOCS], best = 0, second = 0;
    uint32_t at = NONE;
    for (uint32_t doc = 0; doc < DOCS; doc++) {
        sum[doc] = p->skip[p->pivot][doc] ? 0 : naive_shared(names, doc, other);
        if (sum[doc] > best) {
            best = sum[doc];
            at = doc;
        }
    }
    for (uint32_t doc = 0; doc < DOCS; doc++)
        second = doc != at ? fmax(second, sum[doc]) : second;
    if (p->skip[!p->pivot][other] || best < DPL__P(mine, name_weight) ||
        best - second < DPL__P(mine, name_lead))
        return false;
    const double both =
        naive_weight(names, p->pivot, at) + naive_weight(names, !p->pivot, other);
    *out = (dpl__name_pair){.docs = p->pivot ? (dpl_doc_pair){other, at}
                                             : (dpl_doc_pair){at, other},
                            .score = (float)(2 * best / both)};
    return true;
}

static void check_pairs(const dpl__name_pairs *found, const dpl__names *names)
{
    const dpl__comparable *p = names->corpus;
    dpl__name_pair best[DOCS]; /* of each document of the pivot */
    bool is_there[DOCS] = {false};
    size_t n = 0;
    for (uint32_t other = 0; other < DOCS; other++) {
        dpl__name_pair x;
        if (!naive_pair(&x, names, other))
            continue;
        const uint32_t at = p->pivot ? x.docs.right : x.docs.left;
        if (!is_there[at] || x.score > best[at].score)
            best[at] = x;
        n += !is_there[at];
        is_there[at] = true;
    }
    CHECK_EQ(found->n, n);
    for (size_t i = 0; i < n; i++) {
        const dpl__name_pair *x = &found->data[i];
        const uint32_t at = p->pivot ? x->docs.right : x->docs.left;
        CHECK(is_there[at] && fabsf(x->score - best[at].score) < 1e-5f);
        CHECK(x->docs.left == best[at].docs.left && x->docs.right == best[at].docs.right);
        CHECK_EQ(x->key, dpl__pair_key(p, x->docs));
        CHECK(i == 0 || x[-1].score >= x->score);
        is_there[at] = false;
    }
}

DPL_TEST(name_pairs, are_those_of_a_naive_search)
{
    dpl__rng rng = {dpl__mix(31)};
    size_t n = 0;
    for (unsigned turn = 0; turn < 40; turn++) {
        dpl_ctx *ctx = test_ctx(1);
        dpl__comparable p = make_parallel_sides(ctx, &rng, shape, turn % 2);
        dpl__names names = make_names(&p, &rng);
        dpl__name_pairs found = {0};
        for (int side = 0; side < 2 && turn % 3; side++)
            for (uint32_t doc = 0; doc < DOCS; doc++)
                p.skip[side][doc] = dpl__rng_below(&rng, 6) == 0;
        CHECK_OK(dpl__name_pairs_find(&found, &p, &names, &test_err));
        check_pairs(&found, &names);
        n += found.n;
        dpl__vec_clear(ctx, &found);
        dpl__names_clear(&names);
        close_sides(&p);
        test_ctx_done(ctx);
    }
    CHECK(n > 100);
}

/* Two documents that share as much are no pair, whatever their order. */
DPL_TEST(name_pairs, of_equal_documents_none_leads)
{
    static const char left[] = "l0\tquaao quabo quaco quado quaeo quafo\n"
                               "l1\tquaao quabo quaco quado quaeo quafo\n"
                               "l2\tquago\nl3\tquaho\nl4\tquaio\nl5\tquajo\n",
                      right[] = "r0\tzaaxu zabxu zacxu zadxu zaexu zafxu\nr1\tzagxu\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = {.ctx = ctx};
    set_side(&p, 0, import_side(ctx, left, sizeof left - 1, false), "eo");
    set_side(&p, 1, import_side(ctx, right, sizeof right - 1, true), "sw");
    dpl__names names = {.ctx = ctx, .corpus = &p, .has_case = {true, true}};
    dpl__name_pairs found = {0};
    for (int side = 0; side < 2; side++) {
        names.n_terms[side] = dpl_collection_get_sizes(p.c[side])->n_terms;
        names.is_name[side] = dpl__alloc(ctx, names.n_terms[side]);
        memset(names.is_name[side], 1, names.n_terms[side]);
    }
    for (char i = 0; i < 6; i++) {
        char words[2][6] = {"qua?o", "za?xu"};
        dpl__name_link link = {.p = 1};
        words[0][3] = words[1][2] = (char)('a' + i);
        for (int side = 0; side < 2; side++)
            CHECK(
                dpl_collection_find_term(p.c[side], dpl__cstr(words[side]), &link.term[side]));
        CHECK(dpl__vec_push(ctx, &names.links, link));
    }
    for (uint32_t skipped = 0; skipped < 3; skipped++) {
        p.skip[0][0] = skipped == 1;
        p.skip[0][1] = skipped == 2;
        dpl__vec_clear(ctx, &found);
        found = (dpl__name_pairs){0};
        CHECK_OK(dpl__name_pairs_find(&found, &p, &names, &test_err));
        CHECK_EQ(found.n, skipped > 0); /* 6 log(7 / 2) is above 7 */
        CHECK(!skipped || found.data[0].docs.left == 2 - skipped);
    }
    dpl__vec_clear(ctx, &found);
    dpl__names_clear(&names);
    close_sides(&p);
    test_ctx_done(ctx);
}

typedef struct both {
    dpl__comparable *p;
    const dpl__names *names;
} both;

static dpl_status find_pairs(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const both *x = user;
    dpl_ctx *before = x->p->ctx;
    dpl__name_pairs found = {0};
    x->p->ctx = ctx;
    dpl_status status = dpl__name_pairs_find(&found, x->p, x->names, err);
    dpl__vec_clear(ctx, &found);
    x->p->ctx = before;
    return status;
}

DPL_TEST(name_pairs, survive_every_failing_allocation)
{
    dpl__rng rng = {dpl__mix(32)};
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = make_parallel_sides(ctx, &rng, shape, 1);
    dpl__names names = make_names(&p, &rng);
    both x = {&p, &names};
    test_allocation_failures(find_pairs, &x);
    dpl__names_clear(&names);
    close_sides(&p);
    test_ctx_done(ctx);
}
