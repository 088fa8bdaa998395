/* Output folders: what goes, what stays and what is refused, for random sets of files. */
#include "base/hash.h"
#include "io/out_folder.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const results[] = {"pairs.tsv", "kept.[a-z]*", NULL};
static const char *const work_files[] = {"settings.json", "docs.dpl", "round-[0-9].dpl", NULL};
static const char *const passing[] = {"vectors.dpl", NULL};
static const dpl__folder_names names = {"doppel test", "settings.json", results, work_files,
                                        passing};

static const char ours[] = "{\n  \"doppel test\": \"1\",\n  \"seed\": 7\n}\n";

/* A file that may lie in the folder, and what a run does to it. */
typedef struct place {
    const char *name;
    bool is_result;  /* goes when the folder is ours */
    bool is_kept;    /* stays when the run is resumed */
    bool is_foreign; /* stays in any case */
} place;

static const place places[] = {
    {"pairs.tsv", true, false, false},
    {"kept.jsonl", true, false, false},
    {"notes.txt", false, false, true},
    {"kept", false, false, true},
    {"work/docs.dpl", false, true, false},
    {"work/round-3.dpl", false, true, false},
    {"work/round-3.dpl.doppel-x7k2qa", false, false, false},
    {"work/vectors.dpl", false, false, false},
    {"work/thesis.doc", false, false, true},
    {"work/thesis.doc.doppel-x7k2qa", false, false, true},
};

static const char *in(const char *dir, const char *name)
{
    static char path[2][512];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
    return path[turn];
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    CHECK(f);
    fputs(text, f);
    fclose(f);
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static dpl_status begin(dpl_ctx *ctx, const char *dir, const char *settings, bool *is_resumed)
{
    dpl__out_folder f;
    CHECK_OK(dpl__out_folder_open(&f, &names, dir, NULL, &test_err));
    const dpl_status status =
        dpl__out_folder_begin(&f, ctx, dpl__cstr(settings), is_resumed, &test_err);
    dpl__out_folder_close(&f);
    return status;
}

/* Each of the places has a file or not; the folder has settings of ours or not. */
DPL_TEST(out_folder, only_files_of_the_command_are_removed)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {dpl__mix(3)};
    for (int round = 0; round < 60; round++) {
        char name[40];
        bool had[DPL_LEN(places)], has_others = false;
        snprintf(name, sizeof name, "out-%d", round);
        const char *dir = test_path(name);
        CHECK(mkdir(dir, 0777) == 0 && mkdir(in(dir, "work"), 0777) == 0);
        const bool is_ours = round % 2, wants_resume = round / 2 % 2;
        for (size_t i = 0; i < DPL_LEN(places); i++) {
            had[i] = dpl__rng_below(&rng, 3) == 0;
            if (had[i])
                write_file(in(dir, places[i].name), "x");
            has_others |= had[i] && strncmp(places[i].name, "work/", 5) == 0;
        }
        if (is_ours)
            write_file(in(dir, "work/settings.json"), ours);
        bool is_resumed = wants_resume;
        const dpl_status status = begin(ctx, dir, ours, &is_resumed);
        const bool is_refused = !is_ours && has_others;
        CHECK_EQ(status, is_refused ? DPL_E_USAGE : DPL_OK);
        if (is_refused)
            CHECK_STR(dpl__cstr(test_err.code), "folder-foreign");
        else
            CHECK_EQ(is_resumed, is_ours && wants_resume);
        for (size_t i = 0; i < DPL_LEN(places); i++) {
            const place *p = &places[i];
            const bool stays = is_refused || p->is_foreign || (p->is_result && !is_ours) ||
                               (p->is_kept && is_resumed);
            CHECK_EQ(is_there(in(dir, p->name)), had[i] && stays);
        }
        CHECK_EQ(is_there(in(dir, "work/settings.json")), !is_refused);
    }
    test_ctx_done(ctx);
}

/* Resuming is refused with the first value that differs; without, the other run goes. */
DPL_TEST(out_folder, another_run_is_not_resumed)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *dir = test_path("out");
    static const char *const others[] = {
        "{\n  \"doppel test\": \"1\",\n  \"seed\": 8\n}\n",
        "{\n  \"doppel test\": \"1\",\n  \"seed\": 7,\n  \"stem\": true\n}\n",
        "{\n  \"doppel test\": \"1\"\n}\n",
    };
    bool is_resumed = false;
    CHECK_OK(begin(ctx, dir, ours, &is_resumed));
    for (size_t i = 0; i < DPL_LEN(others); i++) {
        is_resumed = true;
        CHECK_EQ(begin(ctx, dir, others[i], &is_resumed), DPL_E_USAGE);
        CHECK_STR(dpl__cstr(test_err.code), "resume-other-run");
    }
    CHECK(strstr(test_err.text, "doppel test"));
    is_resumed = true;
    CHECK_OK(begin(ctx, dir, ours, &is_resumed));
    CHECK(is_resumed);
    is_resumed = false;
    CHECK_OK(begin(ctx, dir, others[0], &is_resumed));
    is_resumed = true;
    CHECK_EQ(begin(ctx, dir, ours, &is_resumed), DPL_E_USAGE);
    test_ctx_done(ctx);
}

DPL_TEST(out_folder, inputs_are_neither_removed_nor_replaced)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *dir = test_path("out");
    dpl__out_folder f;
    CHECK_OK(dpl__out_folder_open(&f, &names, dir, NULL, &test_err));
    static const struct {
        const char *name, *code; /* NULL: may be read */
    } files[] = {{"pairs.tsv", "output-is-input"},
                 {"kept.jsonl", "output-is-input"},
                 {"notes.txt", NULL},
                 {"work/docs.dpl", "input-in-work"},
                 {"work/notes.txt", "input-in-work"}};
    for (size_t i = 0; i < DPL_LEN(files); i++) {
        const char *path = in(dir, files[i].name);
        write_file(path, "x");
        CHECK_EQ(dpl__out_folder_check_input(&f, path, &test_err),
                 files[i].code ? DPL_E_USAGE : DPL_OK);
        if (files[i].code)
            CHECK_STR(dpl__cstr(test_err.code), files[i].code);
    }
    const char *link_path = test_path("link");
    CHECK(symlink(in(dir, "pairs.tsv"), link_path) == 0);
    CHECK_EQ(dpl__out_folder_check_input(&f, link_path, &test_err), DPL_E_USAGE);
    CHECK_OK(dpl__out_folder_check_input(&f, NULL, &test_err));
    CHECK_OK(dpl__out_folder_check_input(&f, "-", &test_err));
    dpl__out_folder_close(&f);
    test_ctx_done(ctx);
}
