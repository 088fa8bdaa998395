#include "io/kept_file.h"

#include "io/shared_run.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A stage whose value is a letter. */
typedef struct stage {
    const char *text; /* to be written; NULL: it has no value */
    char wanted;      /* another letter is of no use; 0: any is */
    const char *more; /* a file that goes with it; NULL: none */
    unsigned n_made, n_read;
    char letter;
} stage;

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static dpl_status make(void *user, const char *path, dpl_error *err)
{
    stage *s = user;
    (void)err;
    s->n_made++;
    if (s->more)
        write_text(s->more, "more");
    if (s->text)
        write_text(path, s->text);
    return DPL_OK;
}

/* "a!" is whole. */
static dpl_status read_letter(void *user, const char *path, dpl_error *err)
{
    stage *s = user;
    char text[3] = "";
    FILE *f = fopen(path, "r");
    CHECK(f);
    const size_t n = fread(text, 1, 2, f);
    fclose(f);
    s->n_read++;
    if (n != 2 || text[1] != '!')
        return dpl__fail(err, DPL_E_FORMAT, "damaged");
    if (s->wanted && text[0] != s->wanted)
        return DPL_END;
    s->letter = text[0];
    return DPL_OK;
}

static dpl_status get(dpl_ctx *ctx, stage *s, const char *path, bool is_passing)
{
    const char *const more[] = {s->more, NULL};
    const dpl__kept_file file = {.name = "letter",
                                 .path = path,
                                 .more = more,
                                 .user = s,
                                 .make = make,
                                 .read = read_letter,
                                 .is_passing = is_passing};
    return dpl__kept_file_get(ctx, &file, &test_err);
}

DPL_TEST(kept_file, what_is_there_is_read_and_not_made_again)
{
    dpl_ctx *ctx = test_ctx(1);
    char path[1000];
    snprintf(path, sizeof path, "%s", test_path("letter"));
    for (int i = 0; i < 2; i++) {
        stage s = {.text = "a!"};
        CHECK_OK(get(ctx, &s, path, false));
        CHECK(s.n_made == (i == 0) && s.n_read == 1 && s.letter == 'a');
    }
    stage other = {.text = "b!", .wanted = 'b'};
    CHECK_OK(get(ctx, &other, path, false));
    CHECK(other.n_made == 1 && other.letter == 'b');
    stage damaged = {.text = "a!"};
    write_text(path, "b");
    CHECK_EQ(get(ctx, &damaged, path, false), DPL_E_FORMAT);
    CHECK_STR(dpl__cstr(test_err.code), "resume-damaged");
    CHECK_EQ(damaged.n_made, 0);
    test_ctx_done(ctx);
}

DPL_TEST(kept_file, a_stage_without_a_value_leaves_no_file)
{
    dpl_ctx *ctx = test_ctx(1);
    stage s = {.text = NULL};
    CHECK_OK(get(ctx, &s, test_path("letter"), false));
    CHECK(s.n_made == 1 && s.n_read == 0 && !s.letter);
    test_ctx_done(ctx);
}

DPL_TEST(kept_file, a_passing_file_is_never_taken_from_an_earlier_run_and_goes)
{
    dpl_ctx *ctx = test_ctx(1);
    char path[1000];
    stage s = {.text = "a!"};
    snprintf(path, sizeof path, "%s", test_write("letter", "b!", 2));
    CHECK_OK(get(ctx, &s, path, true));
    CHECK(s.n_made == 1 && s.letter == 'a' && access(path, F_OK) != 0);
    test_ctx_done(ctx);
}

/* ---- processes that share a run ------------------------------------------------------- */

/* What the processes of a run get, one after the other, while all of them are there. spoil: the
 * chunk is overwritten behind the first. */
static void share(stage stages[3], const char *spoil)
{
    dpl_ctx *ctx[3];
    dpl_shared_run *run[3];
    char command[2000], output[1000];
    snprintf(output, sizeof output, "%s", test_path("out"));
    for (uint32_t i = 0; i < 3; i++) {
        ctx[i] = test_ctx(1);
        CHECK_OK(
            dpl_shared_run_open(&run[i], ctx[i], output, &(dpl_part){i, 3}, "x", &test_err));
    }
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_OK(get(ctx[i], &stages[i], dpl_shared_run_path(run[i]), false));
        snprintf(command, sizeof command,
                 "printf '%s' >\"$(ls '%s.parts'/letter-* | head -1)\"", spoil, output);
        if (i == 0 && *spoil)
            CHECK(system(command) == 0);
    }
    for (uint32_t i = 0; i < 3; i++) {
        dpl_shared_run_close(run[i]);
        test_ctx_done(ctx[i]);
    }
}

DPL_TEST(kept_file, one_process_makes_it_and_others_read_it)
{
    stage s[3] = {{.text = "a!"}, {.text = "b!"}, {.text = "c!"}};
    share(s, "");
    CHECK(s[0].n_made == 1 && s[1].n_made == 0 && s[2].n_made == 0);
    CHECK(s[0].letter == 'a' && s[1].letter == 'a' && s[2].letter == 'a');
}

DPL_TEST(kept_file, each_process_finds_by_itself_that_there_is_no_value)
{
    stage s[3] = {{.text = NULL}};
    share(s, "");
    for (int i = 0; i < 3; i++)
        CHECK(s[i].n_made == 1 && s[i].n_read == 0);
}

DPL_TEST(kept_file, what_another_process_made_and_a_crash_damaged_is_made_again)
{
    stage s[3] = {{.text = "a!"}, {.text = "a!"}, {.text = "a!"}};
    share(s, "z");
    for (int i = 0; i < 3; i++)
        CHECK(s[i].n_made == 1 && s[i].letter == 'a');
}

DPL_TEST(kept_file, files_that_go_with_it_do)
{
    char paths[3][1000];
    stage s[3] = {{.text = "a!"}, {.text = "a!"}, {.text = "a!"}};
    for (int i = 0; i < 3; i++) {
        const char name[] = {'m', (char)('0' + i), '\0'};
        snprintf(paths[i], sizeof paths[i], "%s", test_path(name));
        s[i].more = paths[i];
    }
    share(s, "");
    CHECK(s[0].n_made == 1 && s[1].n_made == 0 && s[2].n_made == 0);
    for (int i = 0; i < 3; i++)
        CHECK(access(paths[i], R_OK) == 0);
}
