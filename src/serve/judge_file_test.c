#include "base/ctx.h"
#include "serve/judge_file.h"
#include "serve/serve_test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* The verdict about each pair "N" - "N", for N from 0. */
typedef struct verdicts {
    dpl__verdict_of_pair at[40];
    size_t n_taken, n_forgotten;
} verdicts;

static void take(void *user, const dpl__judgement *j)
{
    verdicts *v = user;
    if (!j) {
        memset(v->at, 0, sizeof v->at);
        v->n_forgotten++;
        return;
    }
    v->n_taken++;
    const int n = atoi(j->left_id.data);
    if (n >= 0 && n < 40)
        v->at[n] = j->verdict;
}

static dpl__judgement judge(char *id, int n, dpl__verdict_of_pair verdict)
{
    snprintf(id, 12, "%d", n);
    return (dpl__judgement){
        .left_id = dpl__cstr(id), .right_id = dpl__cstr(id), .verdict = verdict};
}

DPL_TEST(judge_file, a_judgement_is_appended_and_read_by_others)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__judge_file one, two;
    verdicts first = {0}, second = {0};
    char id[12], text[] = "0\t0\taccept\t\t\n1\t1\treject\t\t\n0\t0\topen\t\t\n";
    CHECK_OK(dpl__judge_file_open(&one, ctx, test_dir(), false, (dpl__judged){take, &first},
                                  &test_err));
    CHECK_OK(dpl__judge_file_open(&two, ctx, test_dir(), false, (dpl__judged){take, &second},
                                  &test_err));
    dpl__judgement j = judge(id, 0, DPL__JUDGED_ACCEPT);
    CHECK_OK(dpl__judge_file_append(&one, &j, 0, &test_err));
    CHECK_EQ(first.at[0], DPL__JUDGED_ACCEPT);
    j = judge(id, 1, DPL__JUDGED_REJECT);
    CHECK_OK(dpl__judge_file_append(&two, &j, 0, &test_err));
    CHECK_EQ(second.at[0], DPL__JUDGED_ACCEPT);
    j = judge(id, 0, DPL__JUDGED_OPEN);
    CHECK_OK(dpl__judge_file_append(&one, &j, 0, &test_err));
    CHECK_EQ(first.at[1], DPL__JUDGED_REJECT);
    CHECK_OK(dpl__judge_file_refresh(&two, &test_err));
    CHECK_EQ(second.at[0], DPL__JUDGED_OPEN);
    size_t n;
    char *written = test_read(test_path("judgements.tsv"), &n);
    CHECK(strcmp(written, text) == 0);
    free(written);
    dpl__judge_file_close(&one);
    dpl__judge_file_close(&two);
    test_ctx_done(ctx);
}

DPL_TEST(judge_file, an_unfinished_line_is_cut_off)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__judge_file f;
    verdicts v = {0};
    char id[12];
    static const char torn[] = "3\t3\treject\n4\t4\trej";
    test_write("judgements.tsv", torn, sizeof torn - 1);
    CHECK_OK(
        dpl__judge_file_open(&f, ctx, test_dir(), false, (dpl__judged){take, &v}, &test_err));
    CHECK(v.at[3] == DPL__JUDGED_REJECT && v.at[4] == DPL__JUDGED_OPEN);
    dpl__judgement j = judge(id, 5, DPL__JUDGED_ACCEPT);
    CHECK_OK(dpl__judge_file_append(&f, &j, 0, &test_err));
    size_t n;
    char *written = test_read(test_path("judgements.tsv"), &n);
    CHECK(strcmp(written, "3\t3\treject\n5\t5\taccept\t\t\n") == 0);
    free(written);
    dpl__judge_file_close(&f);
    test_ctx_done(ctx);
}

DPL_TEST(judge_file, a_last_line_without_an_end_is_kept)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__judge_file f;
    verdicts v = {0};
    char id[12];
    static const char by_hand[] = "3\t3\treject\n4\t4\treject\tde\ten";
    test_write("judgements.tsv", by_hand, sizeof by_hand - 1);
    CHECK_OK(
        dpl__judge_file_open(&f, ctx, test_dir(), false, (dpl__judged){take, &v}, &test_err));
    CHECK(v.at[3] == DPL__JUDGED_REJECT && v.at[4] == DPL__JUDGED_REJECT);
    dpl__judgement j = judge(id, 5, DPL__JUDGED_ACCEPT);
    CHECK_OK(dpl__judge_file_append(&f, &j, 0, &test_err));
    CHECK(v.at[4] == DPL__JUDGED_REJECT && v.at[5] == DPL__JUDGED_ACCEPT);
    size_t n;
    char *written = test_read(test_path("judgements.tsv"), &n);
    CHECK(strcmp(written, "3\t3\treject\n4\t4\treject\tde\ten\n5\t5\taccept\t\t\n") == 0);
    free(written);
    test_write("judgements.tsv", by_hand, 11); /* the editor took the last two back */
    CHECK_OK(dpl__judge_file_refresh(&f, &test_err));
    CHECK(v.at[3] == DPL__JUDGED_REJECT && v.at[4] == DPL__JUDGED_OPEN);
    dpl__judge_file_close(&f);
    test_ctx_done(ctx);
}

/* Of editors on other systems, and of people. */
DPL_TEST(judge_file, lines_that_are_no_judgement_are_passed_over)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__judge_file f;
    verdicts v = {0};
    static const char lines[] = "1\t1\treject\r\n" /* \r belongs to the end */
                                "\n"
                                "\r\n"
                                "2\t2\n"           /* two columns: a right pair */
                                "3\t3\trejected\n" /* none that we know */
                                "4\t4\taccept\tde\ten\r\n";
    test_write("judgements.tsv", lines, sizeof lines - 1);
    CHECK_OK(
        dpl__judge_file_open(&f, ctx, test_dir(), false, (dpl__judged){take, &v}, &test_err));
    CHECK_EQ(v.at[1], DPL__JUDGED_REJECT);
    CHECK_EQ(v.at[2], DPL__JUDGED_ACCEPT);
    CHECK_EQ(v.at[3], DPL__JUDGED_OPEN);
    CHECK_EQ(v.at[4], DPL__JUDGED_ACCEPT);
    CHECK_EQ(v.at[0], DPL__JUDGED_OPEN); /* not of an empty line */
    dpl__judge_file_close(&f);
    test_ctx_done(ctx);
}

DPL_TEST(judge_file, the_lock_of_another_is_not_waited_for)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__judge_file f;
    verdicts v = {0};
    char id[12];
    test_write("judgements.tsv", "1\t1\treject\n2\t2\treject", 21);
    const int other = open(test_path("judgements.tsv"), O_RDWR | O_CLOEXEC);
    CHECK(other >= 0 && flock(other, LOCK_EX) == 0);
    CHECK_OK(
        dpl__judge_file_open(&f, ctx, test_dir(), false, (dpl__judged){take, &v}, &test_err));
    CHECK_EQ(v.at[1], DPL__JUDGED_REJECT);
    CHECK_EQ(v.at[2], DPL__JUDGED_OPEN); /* it may be writing this line */
    dpl__judgement j = judge(id, 3, DPL__JUDGED_ACCEPT);
    dpl_error err = {0};
    const double began = dpl__now();
    CHECK_EQ(dpl__judge_file_append(&f, &j, began + 0.1, &err), DPL_E_LIMIT);
    CHECK(strcmp(err.code, "judgements-locked") == 0);
    CHECK(dpl__now() - began >= 0.1);
    CHECK_EQ(v.at[3], DPL__JUDGED_OPEN);
    CHECK(flock(other, LOCK_UN) == 0);
    CHECK_OK(dpl__judge_file_append(&f, &j, 0, &test_err));
    CHECK(v.at[2] == DPL__JUDGED_REJECT && v.at[3] == DPL__JUDGED_ACCEPT);
    close(other);
    dpl__judge_file_close(&f);
    test_ctx_done(ctx);
}

DPL_TEST(judge_file, a_symbolic_link_is_not_followed)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__judge_file f;
    verdicts v = {0};
    char id[12], target[600];
    dpl_error err = {0};
    dpl__judgement j = judge(id, 1, DPL__JUDGED_ACCEPT);
    snprintf(target, sizeof target, "%s", test_path("elsewhere"));
    CHECK_OK(
        dpl__judge_file_open(&f, ctx, test_dir(), false, (dpl__judged){take, &v}, &test_err));
    CHECK(symlink(target, test_path("judgements.tsv")) ==
          0); /* to nowhere: would make a file */
    CHECK_EQ(dpl__judge_file_append(&f, &j, 0, &err), DPL_E_IO);
    CHECK(strstr(err.text, "symbolic link"));
    CHECK(access(target, F_OK) != 0);
    dpl__judge_file_close(&f);
    test_write("elsewhere", "1\t1\n", 4);
    CHECK_EQ(dpl__judge_file_open(&f, ctx, test_dir(), false, (dpl__judged){take, &v}, &err),
             DPL_E_IO);
    CHECK_EQ(v.n_taken, 0);
    dpl__judge_file_close(&f);
    test_ctx_done(ctx);
}

DPL_TEST(judge_file, a_file_that_was_replaced_is_read_again)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__judge_file f;
    verdicts v = {0};
    test_write("judgements.tsv", "1\t1\n", 4);
    CHECK_OK(
        dpl__judge_file_open(&f, ctx, test_dir(), false, (dpl__judged){take, &v}, &test_err));
    CHECK_EQ(v.at[1], DPL__JUDGED_ACCEPT);
    char old[600];
    snprintf(old, sizeof old, "%s", test_write("new", "2\t2\treject\n", 11));
    CHECK(rename(old, test_path("judgements.tsv")) == 0);
    CHECK_OK(dpl__judge_file_refresh(&f, &test_err));
    CHECK(v.at[1] == DPL__JUDGED_OPEN && v.at[2] == DPL__JUDGED_REJECT);
    CHECK_EQ(v.n_forgotten, 1);
    unlink(test_path("judgements.tsv"));
    CHECK_OK(dpl__judge_file_refresh(&f, &test_err));
    CHECK_EQ(v.at[2], DPL__JUDGED_OPEN);
    dpl__judge_file_close(&f);
    test_ctx_done(ctx);
}

enum { N_WRITERS = 4, N_EACH = 25 };

typedef struct writer {
    dpl_ctx *ctx;
    const char *dir;
    int number;
    bool has_failed;
} writer;

static void *write_many(void *user)
{
    writer *w = user;
    verdicts v = {0};
    dpl__judge_file f;
    char id[12];
    w->has_failed = dpl__judge_file_open(&f, w->ctx, w->dir, false, (dpl__judged){take, &v},
                                         NULL) != DPL_OK;
    for (int i = 0; i < N_EACH && !w->has_failed; i++) {
        const dpl__judgement j = judge(id, w->number, (dpl__verdict_of_pair)(1 + i % 2));
        w->has_failed = dpl__judge_file_append(&f, &j, dpl__now() + 20, NULL) != DPL_OK;
    }
    dpl__judge_file_close(&f);
    return NULL;
}

DPL_TEST(judge_file, writers_at_the_same_time_lose_nothing)
{
    dpl_ctx *ctx = test_ctx(1);
    pthread_t threads[N_WRITERS];
    writer writers[N_WRITERS];
    for (int i = 0; i < N_WRITERS; i++) {
        writers[i] = (writer){ctx, test_dir(), i, false};
        CHECK(pthread_create(&threads[i], NULL, write_many, &writers[i]) == 0);
    }
    for (int i = 0; i < N_WRITERS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(!writers[i].has_failed);
    }
    verdicts v = {0};
    dpl__judge_file f;
    CHECK_OK(
        dpl__judge_file_open(&f, ctx, test_dir(), true, (dpl__judged){take, &v}, &test_err));
    CHECK_EQ(v.n_taken, N_WRITERS * N_EACH);
    for (int i = 0; i < N_WRITERS; i++)
        CHECK_EQ(v.at[i], DPL__JUDGED_ACCEPT);
    char id[12];
    const dpl__judgement j = judge(id, 1, DPL__JUDGED_OPEN);
    CHECK_EQ(dpl__judge_file_append(&f, &j, 0, NULL),
             DPL_E_UNSUPPORTED); /* opened for reading */
    dpl__judge_file_close(&f);
    test_ctx_done(ctx);
}
