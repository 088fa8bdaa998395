#include "dedup/place_counts.h"

#include "base/ctx.h"
#include "doppel/file.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_PLACES = 64 * 50 };

/* What jobs name: few places often, most once or never. */
typedef struct jobs {
    size_t n_places;
    uint64_t seed;
    size_t fails_at; /* a job, from 1 */
} jobs;

static size_t draw_place(const jobs *j, dpl__rng *rng)
{
    const size_t most = dpl__rng_below(rng, 4) ? j->n_places : dpl__min(j->n_places, 40);
    return (size_t)dpl__rng_below(rng, 1 + dpl__rng_below(rng, most));
}

static size_t n_named(const jobs *j, size_t job)
{
    return (size_t)(dpl__mix(job + j->seed) % 90);
}

static dpl_ctx *shared; /* of the run */

static dpl_status run_job(void *user, size_t job, unsigned worker, dpl__places *out,
                          dpl_error *err)
{
    const jobs *j = user;
    dpl__rng rng = {dpl__mix(j->seed) + job};
    (void)worker;
    if (job + 1 == j->fails_at)
        return dpl__fail(err, DPL_E_LIMIT, "no");
    for (size_t i = n_named(j, job); i > 0; i--)
        DPL_TRY(dpl__need(dpl__vec_push(shared, out, (uint32_t)draw_place(j, &rng)), err));
    return DPL_OK;
}

static void count_all(const jobs *j, size_t n_jobs, unsigned *counts)
{
    memset(counts, 0, MOST_PLACES * sizeof *counts);
    for (size_t job = 0; job < n_jobs; job++) {
        dpl__rng rng = {dpl__mix(j->seed) + job};
        for (size_t i = n_named(j, job); i > 0; i--)
            counts[draw_place(j, &rng)]++;
    }
}

/* As part 0 of so many, which makes all chunks, as nobody else is there. */
static dpl_status count_in_parts(dpl__place_table *table, const jobs *j, size_t n_jobs,
                                 uint32_t n_parts, const char *output)
{
    dpl_shared_run *run = NULL;
    *table = (dpl__place_table){0};
    CHECK_OK(
        dpl_shared_run_open(&run, shared, output, &(dpl_part){0, n_parts}, "x", &test_err));
    const dpl__place_counts c = {.ctx = shared,
                                 .n = j->n_places,
                                 .n_jobs = n_jobs,
                                 .user = (void *)(uintptr_t)j,
                                 .run = run_job};
    const dpl_status status = dpl__places_count(table, &c, &test_err);
    dpl_shared_run_close(run);
    return status;
}

DPL_TEST(place_counts, places_are_counted_as_one_by_one_for_any_number_of_processes)
{
    static const struct {
        size_t n_places, n_jobs;
        uint32_t n_parts;
    } cases[] = {{64, 3, 1},   {64, 50, 3},    {128, 40, 2}, {640, 60, 3},  {3200, 90, 2},
                 {3200, 1, 4}, {3200, 400, 7}, {1024, 0, 2}, {192, 500, 2}, {3136, 200, 5}};
    unsigned *counts = malloc(MOST_PLACES * sizeof *counts);
    size_t n_many = 0, n_full = 0;
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const jobs j = {.n_places = cases[i].n_places, .seed = i};
        char name[20];
        dpl__place_table table;
        shared = test_ctx(1 + (unsigned)i % 3);
        snprintf(name, sizeof name, "out%zu", i);
        count_all(&j, cases[i].n_jobs, counts);
        CHECK_OK(
            count_in_parts(&table, &j, cases[i].n_jobs, cases[i].n_parts, test_path(name)));
        for (size_t place = 0; place < j.n_places; place++) {
            const unsigned n = counts[place], expected = n < 1 ? 1 : n > 255 ? 255 : n;
            CHECK_EQ(dpl__place_table_get(&table, place), expected);
            n_many += counts[place] > 2;
            n_full += counts[place] > 255;
        }
        dpl__place_table_clear(&table, shared);
        test_ctx_done(shared);
    }
    CHECK(n_many > 500 && n_full > 3);
    free(counts);
}

DPL_TEST(place_counts, a_job_that_fails_ends_the_count)
{
    const jobs j = {.n_places = 640, .seed = 1, .fails_at = 7};
    dpl__place_table table;
    shared = test_ctx(2);
    CHECK_EQ(count_in_parts(&table, &j, 12, 2, test_path("out")), DPL_E_LIMIT);
    dpl__place_table_clear(&table, shared);
    test_ctx_done(shared);
}
