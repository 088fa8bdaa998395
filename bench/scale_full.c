/*
 * scale_full.c - exact and brute force, all pairs above a threshold and the nearest of every
 * row and column, at the size of the paper's collections or a share of it: predicted and
 * measured core seconds, memory, and how many of the planted pairs were found.
 */
#define _POSIX_C_SOURCE 200809L
#include "scale_full.h"

#include "doppel/doppel.h"

#include "text_vectors.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { N_LEFT = 1470000, N_RIGHT = 3440000, N_PLANTED = 10000, LEAST_PLANTED = 200 };

typedef struct figures {
    double core, wall;
    uint64_t n_candidates, n_pairs, n_planted;
    double peak_mb, rss_mb;
} figures;

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Resident memory: reset where the system lets us, then the largest since. */
static void reset_rss(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file) {
        fputs("5", file);
        fclose(file);
    }
}

static double largest_rss_mb(void)
{
    char line[256];
    double kb = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %lf", &kb) == 1)
            break;
    if (file)
        fclose(file);
    return kb / 1024;
}

/* ---- one search --------------------------------------------------------------------- */

static dpl_status find_pairs(figures *f, dpl_ctx *ctx, const text_vectors sides[2],
                             const dpl_pairs_options *o, dpl_error *err)
{
    dpl_pairs_side left = {.vectors = &sides[0].vectors},
                   right = {.vectors = &sides[1].vectors};
    dpl_pairs *pairs;
    dpl_pair pair;
    DPL_TRY(dpl_pairs_open(&pairs, ctx, &left, &right, o, err));
    dpl_status status;
    while ((status = dpl_pairs_next(pairs, &pair, err)) == DPL_OK) {
        f->n_pairs++;
        f->n_planted += sides[0].planted[pair.left] == pair.right;
    }
    f->n_candidates = dpl_pairs_get_summary(pairs)->n_candidates;
    dpl_pairs_close(pairs);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status find_nearest(figures *f, dpl_ctx *ctx, const text_vectors sides[2],
                               const dpl_pairs_options *o, unsigned k, dpl_error *err)
{
    dpl_pairs_side left = {.vectors = &sides[0].vectors},
                   right = {.vectors = &sides[1].vectors};
    dpl_neighbours_options wanted = DPL_INIT(
        dpl_neighbours_options, .method = o->method, .k = k,
        .threshold = o->threshold < 0 ? 0 : o->threshold, .search = o, .temp = o->temp);
    dpl_neighbours *found;
    DPL_TRY(dpl_neighbours_find(&found, ctx, &left, &right, &wanted, err));
    for (uint32_t row = 0; row < sides[0].vectors.sizes.n_rows; row++) {
        const dpl_scored_row *list = dpl_neighbours_of(found, false, row);
        bool is_found = false;
        for (unsigned i = 0; i < k && list[i].row != UINT32_MAX; i++) {
            f->n_pairs++;
            is_found |= list[i].row == sides[0].planted[row];
        }
        f->n_planted += is_found && sides[0].planted[row] != UINT32_MAX;
    }
    f->n_candidates = dpl_neighbours_get_summary(found)->n_scored;
    dpl_neighbours_free(found);
    return DPL_OK;
}

/* Says every now and then how far a search is, so that one that is stopped tells its speed. */
typedef struct watch {
    double next, core, wall;
} watch;

static int look(void *user, const dpl_progress *p)
{
    watch *w = user;
    double now = seconds_of(CLOCK_MONOTONIC);
    if (now < w->next || p->total == 0)
        return 0;
    w->next = now + 20;
    fprintf(stderr, "    %s: %.1f %% after %.0f core s, %.0f s\n", p->stage,
            100 * (double)p->done / (double)p->total,
            seconds_of(CLOCK_PROCESS_CPUTIME_ID) - w->core, now - w->wall);
    return 0;
}

static dpl_status new_ctx(dpl_ctx **out, const full_size *set, watch *w, dpl_error *err)
{
    dpl_ctx_options o =
        DPL_INIT(dpl_ctx_options, .n_threads = set->n_threads, .memory = set->memory,
                 .device = set->device, .progress = w ? look : NULL, .progress_user = w);
    return dpl_ctx_new(out, &o, err);
}

static dpl_status search(figures *f, const full_size *set, const text_vectors sides[2],
                         dpl_pairs_method method, unsigned k, dpl_error *err)
{
    dpl_ctx *ctx;
    double wall = seconds_of(CLOCK_MONOTONIC);
    watch w = {wall + 20, seconds_of(CLOCK_PROCESS_CPUTIME_ID), wall};
    DPL_TRY(new_ctx(&ctx, set, &w, err));
    dpl_pairs_options o = DPL_INIT(
        dpl_pairs_options, .method = method, .threshold = set->threshold, .recall = set->recall,
        .length = set->bits, .no_recall_check = true, .temp = set->work);
    reset_rss();
    dpl_status status =
        k ? find_nearest(f, ctx, sides, &o, k, err) : find_pairs(f, ctx, sides, &o, err);
    f->core = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - w.core;
    f->wall = seconds_of(CLOCK_MONOTONIC) - wall;
    f->peak_mb = (double)dpl_ctx_peak(ctx) / 1e6;
    f->rss_mb = largest_rss_mb();
    dpl_ctx_free(ctx);
    return status;
}

/* ---- the table ---------------------------------------------------------------------- */

static dpl_status predict(dpl_plan_row *row, dpl_plan_summary *summary, const full_size *set,
                          const dpl_speeds *speeds, const text_vectors sides[2],
                          dpl_pairs_method method, unsigned k, dpl_error *err)
{
    dpl_ctx *ctx;
    DPL_TRY(new_ctx(&ctx, set, NULL, err));
    dpl_pairs_side left = {.vectors = &sides[0].vectors},
                   right = {.vectors = &sides[1].vectors};
    dpl_plan_options o =
        DPL_INIT(dpl_plan_options, .left = &left, .right = &right, .threshold = set->threshold,
                 .recall = set->recall, .length = set->bits, .speeds = speeds, .nearest = k,
                 .method = method);
    dpl_plan *plan;
    dpl_status status = dpl_plan_make(&plan, ctx, &o, err);
    if (status == DPL_OK) {
        *summary = *dpl_plan_get_summary(plan);
        const dpl_plan_row *best = dpl_plan_get_row(plan, summary->best);
        *row = best ? *best : *dpl_plan_get_row(plan, 0);
        dpl_plan_free(plan);
    }
    dpl_ctx_free(ctx);
    return status;
}

static dpl_status measure_row(const full_size *set, const dpl_speeds *speeds,
                              const text_vectors sides[2], dpl_pairs_method method, unsigned k,
                              dpl_error *err)
{
    const double n_threads = set->n_threads;
    dpl_plan_row row;
    dpl_plan_summary summary;
    DPL_TRY(predict(&row, &summary, set, speeds, sides, method, k, err));
    char what[32];
    snprintf(what, sizeof what, k ? "%u nearest" : "all pairs", k);
    printf("  %-6s %-11s %10.1f %10.3g", dpl_pairs_get_method_info(method)->name, what,
           row.seconds * n_threads, row.candidates);
    fflush(stdout);
    if (row.seconds > set->most_seconds) {
        printf("   more than %.0f s: not run\n", set->most_seconds);
        return DPL_OK;
    }
    figures f = {0};
    DPL_TRY(search(&f, set, sides, method, k, err));
    printf(" %10.1f %9.1f %6.2f %10.3g %10.3g %8.4f %8.0f %8.0f %8.0f\n", f.core, f.wall,
           row.seconds * n_threads / f.core, (double)f.n_candidates, (double)f.n_pairs,
           (double)f.n_planted / sides[0].n_planted, row.bytes / 1e6, f.peak_mb, f.rss_mb);
    fflush(stdout);
    return DPL_OK;
}

/* only: names of searches with commas, "brute,exact-nearest"; NULL: all. */
static bool is_wanted(const full_size *set, dpl_pairs_method method, bool is_nearest)
{
    char name[32];
    int n = snprintf(name, sizeof name, "%s%s", dpl_pairs_get_method_info(method)->name,
                     is_nearest ? "-nearest" : "");
    for (const char *at = set->only; at && n > 0; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, (size_t)n) == 0 && (at[n] == 0 || at[n] == ','))
            return true;
    }
    return !set->only;
}

static dpl_status measure_all(const full_size *set, dpl_ctx *ctx, const text_vectors sides[2],
                              dpl_error *err)
{
    dpl_speeds speeds = DPL_INIT(dpl_speeds);
    DPL_TRY(dpl_speeds_measure(&speeds, ctx, err));
    dpl_plan_row row;
    dpl_plan_summary s;
    DPL_TRY(predict(&row, &s, set, &speeds, sides, DPL_PAIRS_BRUTE, 0, err));
    printf("cosine of any two rows %.3f +- %.3f, about %.3g pairs at %.2f or more\n",
           s.random_cosine, s.random_sd, s.true_pairs, set->threshold);
    printf("  %-6s %-11s %10s %10s %10s %9s %6s %10s %10s %8s %8s %8s %8s\n", "method", "what",
           "predicted", "candidates", "core s", "wall s", "ratio", "scored", "pairs", "planted",
           "pred. MB", "MB", "RSS MB");
    static const dpl_pairs_method methods[] = {DPL_PAIRS_EXACT, DPL_PAIRS_BRUTE,
                                               DPL_PAIRS_WINDOW};
    for (size_t i = 0; i < DPL_LEN(methods); i++)
        for (int nearest = 0; nearest < 2; nearest++)
            if (is_wanted(set, methods[i], nearest))
                DPL_TRY(
                    measure_row(set, &speeds, sides, methods[i], nearest ? set->k : 0, err));
    return DPL_OK;
}

dpl_status measure_full_size(const full_size *set, dpl_error *err)
{
    uint32_t n[2] = {(uint32_t)(N_LEFT * set->factor * set->left),
                     (uint32_t)(N_RIGHT * set->factor)};
    uint32_t n_planted = (uint32_t)dpl__max((size_t)(N_PLANTED * set->factor * set->left),
                                            (size_t)LEAST_PLANTED);
    text_vectors sides[2];
    memset(sides, 0, sizeof sides);
    dpl_ctx *ctx;
    DPL_TRY(new_ctx(&ctx, set, NULL, err));
    double core = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    dpl_status status = text_vectors_make(&sides[1], ctx, set->work, n[1], NULL, 0, err);
    if (status == DPL_OK)
        status = text_vectors_make(&sides[0], ctx, set->work, n[0], &sides[1], n_planted, err);
    if (status == DPL_OK) {
        printf("full size x %g, %g of the left rows: %u x %u rows of %.0f terms, %u pairs "
               "planted, made in %.0f "
               "core s\n",
               set->factor, set->left, n[0], n[1],
               (double)sides[1].vectors.sizes.n_entries / sides[1].vectors.sizes.n_rows,
               sides[0].n_planted, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - core);
        fflush(stdout);
        status = measure_all(set, ctx, sides, err);
    }
    text_vectors_free(&sides[0]);
    text_vectors_free(&sides[1]);
    dpl_ctx_free(ctx);
    return status;
}
