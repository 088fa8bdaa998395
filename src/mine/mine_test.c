#include "doppel/mine.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* Mines two files; the summary of the run. */
static dpl_status mine_files(dpl_mine_result **out, dpl_ctx *ctx, const char *dir,
                             const char *left, const char *right, const dpl_mine_options *o)
{
    dpl_input in[2] = {{.path = left}, {.path = right}};
    return dpl_mine(out, ctx, dir, in, 2, o, &test_err);
}

static const dpl_mine_run *run_of(const dpl_mine_result *result)
{
    return dpl_mine_get_summary(result)->runs[0];
}

static const dpl_reader_options tsv = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV);

enum { N_DOCS = 40, N_SENTENCES = 4, N_WORDS = 9, N_VOCABULARY = 400 };

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
            size_t at = n;
            n +=
                (size_t)snprintf(text + n, sizeof text - n, "%s%s%s%s ", s[w % 8], s[w / 8 % 8],
                                 s[w / 64 % 8], i % N_WORDS == N_WORDS - 1 ? "." : "");
            if (i % N_WORDS == 0) /* begins a sentence */
                text[at] = (char)(text[at] - 'a' + 'A');
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
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .read = &tsv, .langs = {"de", "en"});
    dpl_mine_result *result = NULL;
    CHECK_OK(mine_files(&result, ctx, dir, left, right, &o));
    const dpl_mine_run *s = run_of(result);
    CHECK_EQ(s->n_pairs, N_DOCS);
    CHECK(s->n_sentence_pairs >= N_DOCS &&
          10 * s->n_sentence_pairs >= 9 * s->left->n_sentences);
    CHECK(s->is_stable &&
          s->rounds[s->n_rounds - 1]->mean_cosine > 2 * s->rounds[0]->mean_cosine);
    CHECK(s->estimated_precision > 0.9 && s->recall_check->is_exact);
    dpl_mine_result_free(result);
    test_ctx_done(ctx);
}

DPL_TEST(mine, finds_the_same_pairs_by_ngrams)
{
    char left[1000], right[1000], dir[1000];
    snprintf(left, sizeof left, "%s", write_side("left.tsv", false));
    snprintf(right, sizeof right, "%s", write_side("right.tsv", true));
    dpl_pairs_options search = DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_NGRAM);
    dpl_mine_options o =
        DPL_INIT(dpl_mine_options, .read = &tsv, .langs = {"de", "en"}, .search = &search,
                 .unit = DPL_UNIT_DOCUMENT); /* the choice of a unit is a close one */
    for (unsigned turned = 0; turned < 2; turned++) {
        dpl_ctx *ctx = test_ctx(2);
        dpl_mine_result *result = NULL;
        snprintf(dir, sizeof dir, "%s", test_path(turned ? "out2" : "out1"));
        if (turned)
            o.langs[0] = "en", o.langs[1] = "de";
        CHECK_OK(
            mine_files(&result, ctx, dir, turned ? right : left, turned ? left : right, &o));
        const dpl_mine_run *s = run_of(result);
        CHECK_EQ(s->n_pairs, N_DOCS);
        CHECK_EQ(s->rounds[0]->search, DPL_PAIRS_EXACT); /* by spelling */
        CHECK_EQ(s->rounds[s->n_rounds - 1]->search, DPL_PAIRS_NGRAM);
        CHECK(!s->recall_check->is_exact && s->recall_check->recall > 0.9);
        dpl_mine_result_free(result);
        test_ctx_done(ctx);
    }
}

DPL_TEST(mine, prefers_ngrams_where_all_pairs_are_too_many)
{
    CHECK(!dpl_mine_prefers_ngrams(2454, 2435, 300));
    CHECK(!dpl_mine_prefers_ngrams(200000, 200000, 150));
    CHECK(dpl_mine_prefers_ngrams(1000000, 1000000, 150));
    CHECK(!dpl_mine_prefers_ngrams(100000000, 1000, 150)); /* one side is small */
    CHECK(dpl_mine_prefers_ngrams(UINT32_MAX, UINT32_MAX, 1000));
}

DPL_TEST(mine, refuses_two_sides_of_one_language)
{
    dpl_ctx *ctx = test_ctx(1);
    char left[1000];
    snprintf(left, sizeof left, "%s", write_side("left.tsv", false));
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .read = &tsv, .langs = {"de", "de"});
    CHECK_EQ(mine_files(NULL, ctx, test_path("out"), left, left, &o), DPL_E_USAGE);
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
            .read = &(dpl_reader_options)DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV,
                                                  .lang = side ? "en" : "de"),
            .tokens = &(dpl_tokens_options)DPL_INIT(dpl_tokens_options, .stem = true));
        snprintf(path[side], sizeof path[side], "%s", test_path(side ? "r.dpl" : "l.dpl"));
        CHECK_OK(dpl_import(NULL, ctx, path[side], &in, 1, &o, &test_err));
    }
    test_ctx_done(ctx);
    dpl_ctx_options small = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 1 << 14);
    CHECK_OK(dpl_ctx_new(&ctx, &small, &test_err));
    CHECK_EQ(mine_files(NULL, ctx, test_path("out"), path[0], path[1], NULL), DPL_E_LIMIT);
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

DPL_TEST(mine, memory_and_threads_change_nothing_and_the_limit_holds)
{
    enum { LIMIT = 64 << 20 };
    char left[1000], right[1000], dirs[2][1000];
    snprintf(left, sizeof left, "%s", write_side("left.tsv", false));
    snprintf(right, sizeof right, "%s", write_side("right.tsv", true));
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .read = &tsv, .langs = {"de", "en"});
    for (int i = 0; i < 2; i++) {
        dpl_ctx *ctx = NULL;
        dpl_ctx_options limits =
            DPL_INIT(dpl_ctx_options, .n_threads = i ? 5 : 1, .memory = i ? LIMIT : 0);
        CHECK_OK(dpl_ctx_new(&ctx, &limits, &test_err));
        snprintf(dirs[i], sizeof dirs[i], "%s", test_path(i ? "small" : "large"));
        CHECK_OK(mine_files(NULL, ctx, dirs[i], left, right, &o));
        CHECK(!i || dpl_ctx_peak(ctx) <= LIMIT);
        test_ctx_done(ctx);
    }
    check_same_results(dirs[0], dirs[1]);
}

static dpl_mine_round without_times(const dpl_mine_round *r)
{
    dpl_mine_round copy = *r;
    copy.align_seconds = copy.train_seconds = copy.search_seconds = 0;
    return copy;
}

/* Everything but times. */
static void check_same_summary(const dpl_mine_result *a, const dpl_mine_result *b)
{
    const dpl_mine_run *x = run_of(a), *y = run_of(b);
    CHECK_EQ(x->n_rounds, y->n_rounds);
    for (size_t i = 0; i < x->n_rounds; i++) {
        dpl_mine_round p = without_times(x->rounds[i]), q = without_times(y->rounds[i]);
        CHECK(memcmp(&p, &q, sizeof p) == 0);
    }
    CHECK(x->n_pairs == y->n_pairs && x->n_sentence_pairs == y->n_sentence_pairs &&
          x->is_stable == y->is_stable && x->n_duplicates[0] == y->n_duplicates[0]);
    CHECK(x->estimated_precision == y->estimated_precision &&
          x->estimated_recall == y->estimated_recall);
    CHECK(memcmp(x->left, y->left, sizeof *x->left) == 0);
    CHECK_EQ(x->sentences->n_beads, y->sentences->n_beads);
    for (size_t i = 0; i < x->n_pairs; i++) {
        dpl_mine_pair p = dpl_mine_get_pair(a, 0, i), q = dpl_mine_get_pair(b, 0, i);
        CHECK(p.docs.left == q.docs.left && p.docs.right == q.docs.right &&
              p.confidence == q.confidence && dpl__str_eq(p.left_id, q.left_id));
    }
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
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .read = &tsv, .langs = {"de", "en"});
    dpl_mine_result *expected = NULL, *found = NULL;
    CHECK_OK(mine_files(&expected, ctx, whole, left, right, &o));
    unsigned most = s.calls;
    for (unsigned at = 1; at <= most; at += 1 + most / 12) {
        s = (stopping){.stop_at = at};
        o.resume = false;
        dpl_status status = mine_files(NULL, ctx, dir, left, right, &o);
        CHECK(status == DPL_E_STOPPED || status == DPL_OK); /* calls also depend on time */
        s = (stopping){0};
        o.resume = true;
        CHECK_OK(mine_files(&found, ctx, dir, left, right, &o));
        check_same_results(whole, dir);
        check_same_summary(expected, found);
        dpl_mine_result_free(found);
    }
    dpl_mine_result_free(expected);
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
    dpl_mine_options o =
        DPL_INIT(dpl_mine_options, .read = &tsv, .langs = {"de", "en"}, .rounds = 1);
    CHECK_OK(mine_files(NULL, ctx, test_path("out"), left, right, &o));
    CHECK_STR(dpl__cstr(told.text),
              "import\nround 0: searching\nround 1: aligning\n"
              "round 1: training\nround 1: searching\nconfidence\nsentences\n");
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
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .read = &tsv, .langs = {"de", "en"});
    dpl_mine_result *expected = NULL, *first = NULL, *found = NULL;
    CHECK_OK(mine_files(&expected, ctx, whole, left, right, &o));
    o.rounds = 1;
    CHECK_OK(mine_files(&first, ctx, dir, left, right, &o));
    o.rounds = 0;
    o.resume = true;
    CHECK_OK(mine_files(&found, ctx, dir, left, right, &o));
    check_same_results(whole, dir);
    check_same_summary(expected, found);
    for (size_t i = 0; i < run_of(first)->n_rounds; i++)
        CHECK(memcmp(run_of(first)->rounds[i], run_of(found)->rounds[i],
                     sizeof(dpl_mine_round)) == 0);
    dpl_mine_result_free(first);
    dpl_mine_result_free(found);

    /* a file that is damaged is not taken for a round */
    size_t n;
    snprintf(path, sizeof path, "%s/work/round-1.dpl", dir);
    char *bytes = test_read(path, &n);
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(bytes, 1, n / 2, f) == n / 2 && fclose(f) == 0);
    free(bytes);
    CHECK_EQ(mine_files(NULL, ctx, dir, left, right, &o), DPL_E_FORMAT);
    o.resume = false;
    CHECK_OK(mine_files(&found, ctx, dir, left, right, &o));
    check_same_results(whole, dir);
    dpl_mine_result_free(found);
    dpl_mine_result_free(expected);
    test_ctx_done(ctx);
}

/* ---- from memory, to memory ----------------------------------------------------------- */

/* Documents of a TSV text, one by one. */
typedef struct lines {
    const char *at;
} lines;

static dpl_status next_doc(void *user, dpl_doc *doc, dpl_error *err)
{
    (void)err;
    lines *l = user;
    const char *tab = strchr(l->at, '\t'), *end = strchr(l->at, '\n');
    if (!tab || !end)
        return DPL_END;
    doc->id = (dpl_str){l->at, (size_t)(tab - l->at)};
    doc->text = (dpl_str){tab + 1, (size_t)(end - tab - 1)};
    l->at = end + 1;
    return DPL_OK;
}

static void check_sentences(const dpl_mine_result *a, const dpl_mine_result *b)
{
    dpl_mine_sentences *x = NULL, *y = NULL;
    dpl_sentence_pair p, q;
    uint64_t n = 0;
    CHECK_OK(dpl_mine_sentences_open(&x, a, 0, &test_err));
    CHECK_OK(dpl_mine_sentences_open(&y, b, 0, &test_err));
    while (dpl_mine_sentences_next(x, &p, &test_err) == DPL_OK) {
        CHECK_OK(dpl_mine_sentences_next(y, &q, &test_err));
        CHECK(p.pair == q.pair && p.score == q.score && dpl__str_eq(p.left, q.left) &&
              dpl__str_eq(p.right, q.right) && p.left.n > 0 && p.right.n > 0);
        n++;
    }
    CHECK_EQ(dpl_mine_sentences_next(y, &q, &test_err), DPL_END);
    CHECK_EQ(n, run_of(a)->n_sentence_pairs);
    dpl_mine_sentences_close(x);
    dpl_mine_sentences_close(y);
}

DPL_TEST(mine, documents_from_memory_give_the_same_without_a_folder)
{
    dpl_ctx *ctx = test_ctx(2);
    char left[1000], right[1000];
    snprintf(left, sizeof left, "%s", write_side("left.tsv", false));
    snprintf(right, sizeof right, "%s", write_side("right.tsv", true));
    size_t n;
    char *texts[2] = {test_read(left, &n), test_read(right, &n)};
    lines at[2] = {{texts[0]}, {texts[1]}};
    dpl_doc_source sources[2] = {{next_doc, &at[0], "left"}, {next_doc, &at[1], "right"}};
    dpl_input in[2] = {{.source = &sources[0]}, {.source = &sources[1]}};
    dpl_mine_options o =
        DPL_INIT(dpl_mine_options, .read = &tsv, .langs = {"de", "en"}, .temp = test_dir());
    dpl_mine_result *files = NULL, *memory = NULL;
    CHECK_OK(mine_files(&files, ctx, test_path("out"), left, right, &o));
    o.read = NULL;
    CHECK_OK(dpl_mine(&memory, ctx, NULL, in, 2, &o, &test_err));
    check_same_summary(files, memory);
    check_sentences(files, memory);
    CHECK_EQ(dpl_lexicon_get_sizes(dpl_mine_get_lexicon(files, 0))->n_entries,
             dpl_lexicon_get_sizes(dpl_mine_get_lexicon(memory, 0))->n_entries);
    CHECK_EQ(dpl_collection_get_sizes(dpl_mine_get_collection(memory, 1))->n_docs, N_DOCS);
    o.resume = true;
    CHECK_EQ(dpl_mine(NULL, ctx, test_path("out"), in, 2, &o, &test_err), DPL_E_USAGE);
    dpl_mine_result_free(memory);
    dpl_mine_result_free(files);
    free(texts[0]);
    free(texts[1]);
    test_ctx_done(ctx);
}

DPL_TEST(mine, an_input_is_not_overwritten_by_a_lexicon)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_input left = {.path = test_write("a.tsv", "1\tOne house.\n", 13)};
    dpl_input right = {.path = test_write("b.tsv", "1\tEin Haus.\n", 12)};
    const char *outputs[] = {left.path, right.path};
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(dpl_lexicon_learn(NULL, ctx, outputs[i], &left, &right, NULL, &test_err),
                 DPL_E_USAGE);
        CHECK_STR(dpl__cstr(test_err.code), "output-is-input");
    }
    test_ctx_done(ctx);
}
