#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "io/shared_run.h"

#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void make_folder(char out[200])
{
    snprintf(out, 200, "/tmp/doppel-shared-XXXXXX");
    CHECK(mkdtemp(out));
}

static void remove_folder(const char *dir)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", dir);
    CHECK(system(command) == 0);
}

typedef struct counting {
    dpl_ctx *ctx;
    size_t n_made, fails_at; /* fails_at: chunk, counted from 1 */
    dpl_shared_run *other;   /* publishes while the second chunk is made; NULL: none does */
    char taken[64];
} counting;

static dpl_status make(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    counting *c = user;
    if (c->fails_at == chunk + 1)
        return dpl__fail(err, DPL_E_IO, "no");
    c->n_made++;
    if (c->other && c->n_made == 2)
        CHECK(dpl_shared_run_publish(c->other, err) == DPL_OK);
    const char letter = (char)('a' + chunk);
    return dpl__vec_append(c->ctx, out, &letter, 1) ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status take(void *user, size_t chunk, const char *data, size_t n, dpl_error *err)
{
    counting *c = user;
    (void)err;
    CHECK(n == 1);
    c->taken[chunk] = data[0];
    c->taken[chunk + 1] = '\0';
    return DPL_OK;
}

static dpl_status work(counting *c, uint64_t key, dpl_error *err)
{
    const dpl__shared_work w = {
        .name = "letters", .key = key, .n = 5, .user = c, .make = make, .take = take};
    return dpl__shared_work_run(c->ctx, &w, err);
}

DPL_TEST(shared_run, chunks_that_are_there_are_taken_in_order_and_not_made_again)
{
    char dir[200], output[220];
    dpl_error err = {0};
    make_folder(dir);
    snprintf(output, sizeof output, "%s/out", dir);
    for (uint32_t part = 0; part < 3; part++) {
        dpl_ctx *ctx;
        dpl_shared_run *run;
        CHECK(dpl_ctx_new(&ctx, NULL, &err) == DPL_OK);
        CHECK(dpl_shared_run_open(&run, ctx, output, &(dpl_part){part, 3}, "x", &err) ==
              DPL_OK);
        counting c = {.ctx = ctx, .fails_at = part == 0 ? 4 : 0};
        /* The first part makes chunks 1 to 3, and dies; the second one the other two. */
        CHECK(work(&c, 7, &err) == (part == 0 ? DPL_E_IO : DPL_OK));
        CHECK(c.n_made == (part == 0 ? 3 : part == 1 ? 2 : 0));
        CHECK(part == 0 || strcmp(c.taken, "abcde") == 0);
        dpl_shared_run_close(run);
        dpl_ctx_free(ctx);
    }
    remove_folder(dir);
}

DPL_TEST(shared_run, a_damaged_chunk_is_made_again)
{
    char dir[200], output[220], chunk[300];
    dpl_error err = {0};
    dpl_ctx *ctx;
    dpl_shared_run *run;
    make_folder(dir);
    snprintf(output, sizeof output, "%s/out", dir);
    CHECK(dpl_ctx_new(&ctx, NULL, &err) == DPL_OK);
    CHECK(dpl_shared_run_open(&run, ctx, output, &(dpl_part){0, 1}, "x", &err) == DPL_OK);
    counting c = {.ctx = ctx};
    CHECK(work(&c, 9, &err) == DPL_OK && c.n_made == 5);
    snprintf(chunk, sizeof chunk, "%s.parts/letters-%016x-2-5", output, 9);
    FILE *f = fopen(chunk, "r+b");
    CHECK(f);
    CHECK(fseek(f, -1, SEEK_END) == 0 && fputc('z', f) == 'z' && fclose(f) == 0);
    CHECK(work(&c, 9, &err) == DPL_OK && c.n_made == 6 && strcmp(c.taken, "abcde") == 0);
    CHECK(truncate(chunk, 3) == 0);
    CHECK(work(&c, 9, &err) == DPL_OK && c.n_made == 7 && strcmp(c.taken, "abcde") == 0);
    dpl_shared_run_close(run);
    dpl_ctx_free(ctx);
    remove_folder(dir);
}

DPL_TEST(shared_run, the_first_output_stays_and_others_have_nothing_to_do)
{
    char dir[200], output[220], chunk[300];
    dpl_error err = {0};
    dpl_ctx *ctx[2];
    dpl_shared_run *run[3];
    make_folder(dir);
    snprintf(output, sizeof output, "%s/out", dir);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK(dpl_ctx_new(&ctx[i], NULL, &err) == DPL_OK);
        CHECK(dpl_shared_run_open(&run[i], ctx[i], output, &(dpl_part){i, 2}, "x", &err) ==
              DPL_OK);
        FILE *f = fopen(dpl_shared_run_path(run[i]), "w");
        CHECK(f);
        CHECK(fprintf(f, "%u", i) == 1 && fclose(f) == 0);
    }
    CHECK(dpl_shared_run_open(&run[2], ctx[1], output, &(dpl_part){1, 2}, "y", &err) ==
              DPL_E_USAGE &&
          strcmp(err.code, "parts-other-run") == 0);
    CHECK(!dpl_shared_run_is_done(run[0]));
    counting c = {.ctx = ctx[0], .other = run[1]};
    CHECK(work(&c, 7, &err) == DPL_E_STOPPED && strcmp(err.code, "run-is-done") == 0);
    CHECK(c.n_made == 2 && dpl_shared_run_is_done(run[0]));
    c.other = NULL;
    CHECK(work(&c, 8, &err) == DPL_E_STOPPED && strcmp(err.code, "run-is-done") == 0);
    CHECK(c.n_made == 2);
    CHECK(dpl_shared_run_publish(run[0], &err) == DPL_OK);
    FILE *f = fopen(output, "r");
    CHECK(f);
    CHECK(fgetc(f) == '1' && fgetc(f) == EOF);
    fclose(f);
    CHECK(dpl_shared_run_open(&run[2], ctx[1], output, &(dpl_part){1, 2}, "x", &err) ==
          DPL_END);
    /* A chunk that one had begun when the other published goes with the last of them. */
    snprintf(chunk, sizeof chunk, "%s.parts/letters-7-1-2", output);
    dpl_shared_run_close(run[1]);
    f = fopen(chunk, "w");
    CHECK(f && fclose(f) == 0);
    dpl_shared_run_close(run[0]);
    CHECK(access(chunk, F_OK) != 0);
    for (uint32_t i = 0; i < 2; i++)
        dpl_ctx_free(ctx[i]);
    remove_folder(dir);
}

/* Work of one chunk that divides its own. */
typedef struct outer {
    counting inner;
    size_t n_made;
    char taken;
} outer;

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
}

static dpl_status make_slowly(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    wait_a_little();
    return make(out, user, chunk, err);
}

static dpl_status make_outer(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    outer *x = user;
    const dpl__shared_work w = {.name = "letters",
                                .key = 1,
                                .n = 5,
                                .user = &x->inner,
                                .make = make_slowly,
                                .take = take};
    (void)chunk;
    DPL_TRY(dpl__shared_work_run(x->inner.ctx, &w, err));
    wait_a_little();
    x->n_made++;
    return dpl__vec_append(x->inner.ctx, out, "z", 1) ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status take_outer(void *user, size_t chunk, const char *data, size_t n,
                             dpl_error *err)
{
    outer *x = user;
    (void)chunk, (void)err;
    CHECK(n == 1);
    x->taken = data[0];
    return DPL_OK;
}

static void run_outer(outer *x, const char *output, uint32_t part)
{
    dpl_error err = {0};
    dpl_shared_run *run;
    const dpl__shared_work w = {.name = "outer",
                                .key = 2,
                                .n = 1,
                                .user = x,
                                .make = make_outer,
                                .take = take_outer,
                                .is_divided = true};
    CHECK(dpl_ctx_new(&x->inner.ctx, NULL, &err) == DPL_OK);
    CHECK(dpl_shared_run_open(&run, x->inner.ctx, output, &(dpl_part){part, 2}, "x", &err) ==
          DPL_OK);
    CHECK(dpl__shared_work_run(x->inner.ctx, &w, &err) == DPL_OK);
    dpl_shared_run_close(run);
    dpl_ctx_free(x->inner.ctx);
}

DPL_TEST(shared_run, who_does_not_make_a_chunk_makes_some_of_its_chunks)
{
    char dir[200], output[220];
    outer x = {0};
    int status = 0;
    make_folder(dir);
    snprintf(output, sizeof output, "%s/out", dir);
    const pid_t child = fork();
    CHECK(child >= 0);
    run_outer(&x, output, child ? 0 : 1);
    if (!child)
        _exit((int)(10 * x.inner.n_made + x.n_made));
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    const size_t other = (size_t)WEXITSTATUS(status);
    CHECK(x.taken == 'z');
    CHECK(x.n_made + other % 10 == 1);
    CHECK(x.inner.n_made + other / 10 == 5);
    CHECK(x.inner.n_made > 0 && other / 10 > 0);
    CHECK(strcmp(x.inner.taken, x.n_made ? "abcde" : "") == 0);
    remove_folder(dir);
}

/* ---- the end of a run ----------------------------------------------------------------- */

typedef struct ending {
    outer x;
    bool dies;
} ending;

static dpl_status finish(void *user, dpl_error *err)
{
    ending *e = user;
    dpl__bytes bytes = {0};
    const dpl_status status = make_outer(&bytes, &e->x, 0, err);
    dpl__vec_clear(e->x.inner.ctx, &bytes);
    if (e->dies)
        _exit(1);
    return status;
}

DPL_TEST(shared_run, who_waits_for_the_end_takes_it_over_from_a_dead_process)
{
    char dir[200], output[220], claim[300];
    dpl_error err = {0};
    dpl_shared_run *run;
    make_folder(dir);
    snprintf(output, sizeof output, "%s/out", dir);
    snprintf(claim, sizeof claim, "%s.parts/finish.claim", output);
    void (*before)(int) = signal(SIGCHLD, SIG_IGN); /* a dead child is gone at once */
    const pid_t child = fork();
    CHECK(child >= 0);
    ending e = {.dies = !child};
    while (child && access(claim, F_OK) != 0)
        wait_a_little();
    CHECK(dpl_ctx_new(&e.x.inner.ctx, NULL, &err) == DPL_OK);
    CHECK(dpl_shared_run_open(&run, e.x.inner.ctx, output, &(dpl_part){child ? 0 : 1, 2}, "x",
                              &err) == DPL_OK);
    CHECK(dpl__shared_finish(e.x.inner.ctx, &e, finish, &err) == DPL_OK);
    CHECK(e.x.n_made == 1 && strcmp(e.x.inner.taken, "abcde") == 0);
    CHECK(e.x.inner.n_made > 0 && e.x.inner.n_made < 5); /* the other ones by the child */
    dpl_shared_run_close(run);
    CHECK(access(claim, F_OK) != 0);
    dpl_ctx_free(e.x.inner.ctx);
    signal(SIGCHLD, before);
    remove_folder(dir);
}
