#include "doppel/mine.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_DOCS = 40, N_SENTENCES = 8, N_WORDS = 9, N_VOCABULARY = 400 };

/* Documents of made-up words; the right side has the same ones in another spelling, and in
 * each document a name and a number that both sides share. */
static const char *write_side(const char *name, bool is_right)
{
    static char text[N_DOCS * N_SENTENCES * N_WORDS * 16];
    static const char *const syllables[] = {"ka", "lo", "mi", "ru", "te", "sa", "vo", "ne"};
    static const char *const others[] = {"bir", "dug", "fel", "gop",
                                         "hix", "jaw", "pym", "qez"};
    const char *const *s = is_right ? others : syllables;
    size_t n = 0;
    dpl__rng rng = {dpl__mix(3)};
    for (unsigned d = 0; d < N_DOCS; d++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%02u\tWerkstatt%u Nummer%u ",
                              is_right ? "r" : "l", d, 7 * d, 1000 + d);
        for (unsigned i = 0; i < N_SENTENCES * N_WORDS; i++) {
            /* squared, so that some words are frequent */
            uint64_t r = dpl__rng_below(&rng, N_VOCABULARY),
                     w = r * dpl__rng_below(&rng, N_VOCABULARY) / N_VOCABULARY;
            n +=
                (size_t)snprintf(text + n, sizeof text - n, "%s%s%s%s ", s[w % 8], s[w / 8 % 8],
                                 s[w / 64 % 8], i % N_WORDS == N_WORDS - 1 ? "." : "");
        }
        text[n++] = '\n';
    }
    return test_write(name, text, n);
}

DPL_TEST(mine, learns_two_languages_from_nothing)
{
    dpl_ctx *ctx = test_ctx(2);
    char left[1000], right[1000], dir[1000];
    snprintf(left, sizeof left, "%s", write_side("left.tsv", false));
    snprintf(right, sizeof right, "%s", write_side("right.tsv", true));
    snprintf(dir, sizeof dir, "%s", test_path("out"));
    dpl_mine_options o = {.read.format = DPL_FORMAT_TSV, .lang = {"de", "en"}};
    dpl_mine_summary s;
    CHECK_OK(dpl_mine_run(&s, ctx, dir, left, right, &o, &test_err));
    CHECK_EQ(s.n_pairs, N_DOCS);
    CHECK(s.n_sentence_pairs >= N_DOCS && 10 * s.n_sentence_pairs >= 9 * s.n_sentences[0]);
    CHECK(s.is_stable && s.rounds[s.n_rounds - 1].cosine > 2 * s.rounds[0].cosine);
    CHECK(s.precision > 0.9 && s.receipt.is_exact);
    test_ctx_done(ctx);
}

DPL_TEST(mine, refuses_two_sides_of_one_language)
{
    dpl_ctx *ctx = test_ctx(1);
    char left[1000];
    snprintf(left, sizeof left, "%s", write_side("left.tsv", false));
    dpl_mine_options o = {.read.format = DPL_FORMAT_TSV, .lang = {"de", "de"}};
    CHECK_EQ(dpl_mine_run(NULL, ctx, test_path("out"), left, left, &o, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}

DPL_TEST(mine, documents_that_do_not_fit_are_refused_before_the_search)
{
    dpl_ctx *ctx = test_ctx(1);
    char path[2][1000];
    for (int side = 0; side < 2; side++) {
        const char *in = write_side("docs.tsv", side);
        dpl_import_options o = DPL_INIT(
            dpl_import_options,
            .read = &(dpl_reader_options)DPL_INIT(dpl_reader_options, .format = DPL_FORMAT_TSV,
                                                  .lang = side ? "en" : "de"),
            .tokens = &(dpl_tokens_options)DPL_INIT(dpl_tokens_options, .stem = true));
        snprintf(path[side], sizeof path[side], "%s", test_path(side ? "r.dpl" : "l.dpl"));
        CHECK_OK(dpl_import(NULL, ctx, path[side], &in, 1, &o, &test_err));
    }
    test_ctx_done(ctx);
    dpl_ctx_options small = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 1 << 14);
    CHECK_OK(dpl_ctx_new(&ctx, &small, &test_err));
    CHECK_EQ(dpl_mine_run(NULL, ctx, test_path("out"), path[0], path[1], NULL, &test_err),
             DPL_E_LIMIT);
    CHECK(strstr(test_err.text, "80 documents need about 1 MiB of memory"));
    test_ctx_done(ctx);
}

/* ---- interrupted -------------------------------------------------------------------- */

typedef struct stopping {
    unsigned calls, stop_at; /* 0: never */
} stopping;

static int count_or_stop(void *user, const dpl_progress *progress)
{
    (void)progress;
    stopping *s = user;
    return ++s->calls == s->stop_at;
}

static const char *const results[] = {"pairs.tsv", "sentences.tsv", "lexicon.tsv.zst"};

static void check_same_results(const char *a, const char *b)
{
    for (size_t i = 0; i < DPL_LEN(results); i++) {
        char path[1100];
        size_t n[2];
        snprintf(path, sizeof path, "%s/%s", a, results[i]);
        char *x = test_read(path, &n[0]);
        snprintf(path, sizeof path, "%s/%s", b, results[i]);
        char *y = test_read(path, &n[1]);
        CHECK(n[0] == n[1] && memcmp(x, y, n[0]) == 0);
        free(x);
        free(y);
    }
}

/* Everything but times. */
static void check_same_summary(const dpl_mine_summary *a, const dpl_mine_summary *b)
{
    dpl_mine_summary x = *a, y = *b;
    dpl_mine_summary *both[2] = {&x, &y};
    for (int i = 0; i < 2; i++) {
        both[i]->import_seconds = both[i]->final_seconds = both[i]->seconds = 0;
        both[i]->receipt.seconds = 0;
        both[i]->sentences.learn_seconds = both[i]->sentences.seconds = 0;
        for (size_t r = 0; r < both[i]->n_rounds; r++) {
            dpl_mine_round *round = &both[i]->rounds[r];
            round->align_seconds = round->train_seconds = round->search_seconds = 0;
        }
    }
    CHECK(memcmp(&x, &y, sizeof x) == 0);
}

DPL_TEST(mine, stopped_anywhere_and_resumed_it_ends_the_same)
{
    stopping s = {0};
    dpl_ctx_options counting = DPL_INIT(dpl_ctx_options, .n_threads = 1,
                                        .progress = count_or_stop, .progress_user = &s);
    dpl_ctx *ctx = NULL;
    CHECK_OK(dpl_ctx_new(&ctx, &counting, &test_err));
    char left[1000], right[1000], whole[1000], dir[1000];
    snprintf(left, sizeof left, "%s", write_side("left.tsv", false));
    snprintf(right, sizeof right, "%s", write_side("right.tsv", true));
    snprintf(whole, sizeof whole, "%s", test_path("whole"));
    snprintf(dir, sizeof dir, "%s", test_path("out"));
    dpl_mine_options o = {.read.format = DPL_FORMAT_TSV, .lang = {"de", "en"}};
    dpl_mine_summary expected, found;
    CHECK_OK(dpl_mine_run(&expected, ctx, whole, left, right, &o, &test_err));
    unsigned most = s.calls;
    for (unsigned at = 1; at <= most; at += 1 + most / 12) {
        s = (stopping){.stop_at = at};
        o.resume = false;
        dpl_status status = dpl_mine_run(NULL, ctx, dir, left, right, &o, &test_err);
        CHECK(status == DPL_E_STOPPED || status == DPL_OK); /* calls also depend on time */
        s = (stopping){0};
        o.resume = true;
        CHECK_OK(dpl_mine_run(&found, ctx, dir, left, right, &o, &test_err));
        check_same_results(whole, dir);
        check_same_summary(&expected, &found);
    }
    dpl_ctx_free(ctx);
}

/* Names of stages in the order in which they were told. */
typedef struct story {
    char text[2000];
    size_t n;
    char last[40];
} story;

static int note_stage(void *user, const dpl_progress *progress)
{
    story *s = user;
    if (strcmp(s->last, progress->stage) != 0 && s->n + 40 < sizeof s->text) {
        snprintf(s->last, sizeof s->last, "%s", progress->stage);
        s->n += (size_t)snprintf(s->text + s->n, 40, "%.38s\n", progress->stage);
    }
    return 0;
}

DPL_TEST(mine, progress_tells_round_and_stage)
{
    story told = {.n = 0};
    dpl_ctx_options noting = DPL_INIT(dpl_ctx_options, .n_threads = 1, .progress = note_stage,
                                      .progress_user = &told);
    dpl_ctx *ctx = NULL;
    CHECK_OK(dpl_ctx_new(&ctx, &noting, &test_err));
    char left[1000], right[1000];
    snprintf(left, sizeof left, "%s", write_side("left.tsv", false));
    snprintf(right, sizeof right, "%s", write_side("right.tsv", true));
    dpl_mine_options o = {.read.format = DPL_FORMAT_TSV, .lang = {"de", "en"}, .rounds = 1};
    CHECK_OK(dpl_mine_run(NULL, ctx, test_path("out"), left, right, &o, &test_err));
    CHECK_STR(dpl__cstr(told.text),
              "import\nround 0: searching\nround 1: aligning\n"
              "round 1: training\nround 1: searching\njudging\nsentences\n");
    CHECK(ctx->progress == note_stage);
    dpl_ctx_free(ctx);
}

DPL_TEST(mine, what_a_round_found_is_not_searched_again)
{
    dpl_ctx *ctx = test_ctx(1);
    char left[1000], right[1000], whole[1000], dir[1000], path[1100];
    snprintf(left, sizeof left, "%s", write_side("left.tsv", false));
    snprintf(right, sizeof right, "%s", write_side("right.tsv", true));
    snprintf(whole, sizeof whole, "%s", test_path("whole"));
    snprintf(dir, sizeof dir, "%s", test_path("out"));
    dpl_mine_options o = {.read.format = DPL_FORMAT_TSV, .lang = {"de", "en"}};
    dpl_mine_summary expected, first, found;
    CHECK_OK(dpl_mine_run(&expected, ctx, whole, left, right, &o, &test_err));
    o.rounds = 1;
    CHECK_OK(dpl_mine_run(&first, ctx, dir, left, right, &o, &test_err));
    o.rounds = 0;
    o.resume = true;
    CHECK_OK(dpl_mine_run(&found, ctx, dir, left, right, &o, &test_err));
    check_same_results(whole, dir);
    check_same_summary(&expected, &found);
    for (size_t i = 0; i < first.n_rounds; i++)
        CHECK(memcmp(&first.rounds[i], &found.rounds[i], sizeof found.rounds[i]) == 0);

    /* a file that is damaged is not taken for a round */
    size_t n;
    snprintf(path, sizeof path, "%s/work/round-1.dpl", dir);
    char *bytes = test_read(path, &n);
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(bytes, 1, n / 2, f) == n / 2 && fclose(f) == 0);
    free(bytes);
    CHECK_EQ(dpl_mine_run(NULL, ctx, dir, left, right, &o, &test_err), DPL_E_FORMAT);
    o.resume = false;
    CHECK_OK(dpl_mine_run(&found, ctx, dir, left, right, &o, &test_err));
    check_same_results(whole, dir);
    test_ctx_done(ctx);
}
