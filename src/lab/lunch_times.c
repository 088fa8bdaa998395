/*
 * lunch_times.c - how long brute force, exact search and signing take, in processor seconds.
 *
 * Processor time of all threads is compared, not the clock on the wall: the ratio of two
 * methods then depends neither on how many threads there are nor on what else the machine does.
 * Brute force is dpl__brute, the comparisons alone: without the plan, selection and recall
 * check that belong to dpl_pairs_open.
 */
#include "lab/lunch.h"

#include "base/hash.h"

/* Does it once. */
typedef dpl_status once_fn(void *user, dpl_error *err);

static dpl_status fastest(double *seconds, const dpl__lunch *l, once_fn *once, void *user,
                          dpl_error *err)
{
    for (unsigned i = 0; i < l->lab->set->repeats; i++) {
        const double began = dpl__lab_cpu_clock();
        DPL_TRY(once(user, err));
        const double took = dpl__lab_cpu_clock() - began;
        *seconds = i == 0 || took < *seconds ? took : *seconds;
    }
    return DPL_OK;
}

/* ---- brute force ------------------------------------------------------------------------- */

typedef struct brute {
    dpl__lunch *lunch;
    dpl__sides sides;
    unsigned cut;
    bool is_verified, keeps_sampled;
    size_t at; /* in the sample */
    uint64_t n_candidates;
    DPL_VEC(dpl_pair) verified;
    DPL_VEC(dpl__candidate) sampled;
} brute;

static dpl_status verify(brute *b, const dpl__candidate *in, size_t n, dpl_error *err)
{
    b->verified.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(b->lunch->lab->ctx, &b->verified, n), err));
    return dpl__verify(b->lunch->lab->ctx, &b->sides, b->verified.data, in, n, err);
}

static dpl_status take(void *user, const dpl__candidate *in, size_t n, dpl_error *err)
{
    brute *b = user;
    const dpl__lunch *l = b->lunch;
    b->n_candidates += n;
    for (size_t i = 0; i < n && b->keeps_sampled; i++) {
        while (b->at < l->n_sample && l->sample[b->at] < in[i].left)
            b->at++;
        if (b->at < l->n_sample && l->sample[b->at] == in[i].left &&
            !dpl__vec_push(l->lab->ctx, &b->sampled, in[i]))
            return dpl__fail_nomem(err);
    }
    return b->is_verified ? verify(b, in, n, err) : DPL_OK;
}

static dpl_status compare_all(void *user, dpl_error *err)
{
    brute *b = user;
    const dpl__lunch *l = b->lunch;
    const dpl__bits *left = dpl__signatures_bits(l->made[0]);
    const dpl__candidate_sink sink = {b, take};
    const dpl__cuts cuts = {.cut = b->cut};
    b->n_candidates = 0;
    b->at = 0;
    const dpl__bit_search search = {
        .left = left,
        .right = l->is_self ? left : dpl__signatures_bits(l->made[1]),
        .is_self = l->is_self,
        .cuts = &cuts,
        .sink = &sink,
    };
    return dpl__brute(l->lab->ctx, &search, err);
}

/* The sampled rows once more, with true cosines: that is not timed. */
static dpl_status count_sampled(dpl__lunch_brute *out, brute *b, dpl_error *err)
{
    b->is_verified = false;
    b->keeps_sampled = true;
    DPL_TRY(compare_all(b, err));
    out->n_candidates = b->n_candidates;
    out->n_sampled = b->sampled.n;
    DPL_TRY(verify(b, b->sampled.data, b->sampled.n, err));
    for (size_t i = 0; i < b->sampled.n; i++)
        out->n_true += dpl__is_pair(b->verified.data[i].score, b->lunch->threshold);
    return DPL_OK;
}

dpl_status dpl__lunch_run_brute(dpl__lunch_brute *out, dpl__lunch *l, unsigned cut,
                                bool is_verified, dpl_error *err)
{
    dpl_ctx *ctx = l->lab->ctx;
    brute b = {.lunch = l, .cut = cut, .is_verified = is_verified};
    *out = (dpl__lunch_brute){0};
    DPL_TRY(dpl__sides_init(&b.sides, ctx, l->sides[0].vectors,
                            l->is_self ? NULL : l->sides[1].vectors, err));
    dpl_status status;
    DPL__STEP(fastest(&out->seconds, l, compare_all, &b, err));
    status = count_sampled(out, &b, err);
done:
    dpl__vec_clear(ctx, &b.sampled, &b.verified);
    dpl__sides_clear(&b.sides, ctx);
    return status;
}

/* ---- exact search and signing ------------------------------------------------------------ */

static dpl_status search_exactly(void *user, dpl_error *err)
{
    dpl__lunch *l = user;
    const dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_EXACT,
                 .threshold = l->threshold > 0 ? l->threshold : -1, .temp = l->lab->scratch);
    const dpl_pairs_side sides[2] = {{.vectors = l->sides[0].vectors},
                                     {.vectors = l->sides[1].vectors}};
    dpl_pairs *pairs = NULL;
    const dpl_status status =
        dpl_pairs_open(&pairs, l->lab->ctx, &sides[0], l->is_self ? NULL : &sides[1], &o, err);
    dpl_pairs_close(pairs);
    return status;
}

static dpl_status sign(void *user, dpl_error *err)
{
    dpl__lunch *l = user;
    for (unsigned side = 0; side < (l->is_self ? 1 : 2); side++) {
        dpl_signatures *s = NULL;
        DPL_TRY(dpl__lab_sign(&s, l->lab, side, DPL_SIGN_RP, l->bits, err));
        dpl_signatures_close(s);
    }
    return DPL_OK;
}

dpl_status dpl__lunch_time_exact(double *seconds, dpl__lunch *l, dpl_error *err)
{
    return fastest(seconds, l, search_exactly, l, err);
}

dpl_status dpl__lunch_time_sign(double *seconds, dpl__lunch *l, dpl_error *err)
{
    return fastest(seconds, l, sign, l, err);
}

/* ---- one comparison by itself ------------------------------------------------------------ */

enum { SINGLE = 200000, FEW = 20000 };

typedef struct singles {
    dpl__lunch *lunch;
    dpl__sides sides;
    dpl__candidate *pairs;
    dpl_pair *scores;
    size_t n;
    uint64_t sum; /* of distances: so that they are computed */
} singles;

/* Any two rows, left ones rising, as a search meets them. */
static void draw(singles *s)
{
    const dpl__lunch *l = s->lunch;
    const uint32_t n_right = l->is_self ? l->n_left : l->n_right;
    dpl__rng rng = {1};
    for (size_t i = 0; i < s->n; i++)
        s->pairs[i] = (dpl__candidate){.left = (uint32_t)(i * (uint64_t)l->n_left / s->n),
                                       .right = (uint32_t)dpl__rng_below(&rng, n_right)};
}

static dpl_status compare_signatures(void *user, dpl_error *err)
{
    singles *s = user;
    const dpl__lunch *l = s->lunch;
    const dpl_signatures *right = l->is_self ? l->made[0] : l->made[1];
    (void)err;
    for (size_t i = 0; i < s->n; i++)
        s->sum +=
            dpl_signatures_distance(l->made[0], s->pairs[i].left, right, s->pairs[i].right);
    return DPL_OK;
}

static dpl_status compare_vectors(void *user, dpl_error *err)
{
    singles *s = user;
    return dpl__verify(s->lunch->lab->ctx, &s->sides, s->scores, s->pairs, s->n, err);
}

dpl_status dpl__lunch_time_single(double *signature, double *vector, dpl__lunch *l,
                                  dpl_error *err)
{
    dpl_ctx *ctx = l->lab->ctx;
    singles s = {.lunch = l, .n = l->lab->set->small ? FEW : SINGLE};
    DPL_TRY(dpl__sides_init(&s.sides, ctx, l->sides[0].vectors,
                            l->is_self ? NULL : l->sides[1].vectors, err));
    s.pairs = dpl__alloc(ctx, s.n * sizeof *s.pairs);
    s.scores = dpl__alloc(ctx, s.n * sizeof *s.scores);
    dpl_status status;
    DPL__STEP(dpl__need(s.pairs && s.scores, err));
    draw(&s);
    DPL__STEP(fastest(signature, l, compare_signatures, &s, err));
    DPL__STEP(fastest(vector, l, compare_vectors, &s, err));
    *signature /= (double)s.n;
    *vector /= (double)s.n;
done:
    dpl__free(ctx, s.scores, s.pairs);
    dpl__sides_clear(&s.sides, ctx);
    return status;
}
