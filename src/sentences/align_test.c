#include "doppel/sentences.h"
#include "sentences/align.h"

#include "base/hash.h"
#include "base/vec.h"
#include "lexicon/lexicon.h"
#include "test.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- collections and results -------------------------------------------------------- */

static const char *import(const char *name, const char *jsonl)
{
    dpl_ctx *ctx = test_ctx(1);
    char file[40];
    snprintf(file, sizeof file, "%s.jsonl", name);
    const char *in = test_write(file, jsonl, strlen(jsonl));
    snprintf(file, sizeof file, "%s.dpl", name);
    const char *out = test_path(file);
    CHECK_OK(dpl_import(NULL, ctx, out, &in, 1, NULL, &test_err));
    test_ctx_done(ctx);
    return out;
}

typedef struct result {
    char text[4000];
    size_t n_docs;
    size_t n_gold; /* beads of 1-1 that are right, in the documents of make_docs */
    uint64_t hash; /* of all bytes that were handed out */
} result;

/* Every seventh sentence is missing on the right, from the fourth on. */
static bool is_gold(const dpl_bead *b)
{
    return b->n_left == 1 && b->n_right == 1 && b->left % 7 != 3 &&
           b->right == b->left - (b->left + 3) / 7;
}

static dpl_status take(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    (void)err;
    result *r = user;
    CHECK_EQ(docs->pair, r->n_docs++);
    size_t at = strlen(r->text);
    for (size_t i = 0; i < docs->n_beads; i++) {
        const dpl_bead *b = &docs->beads[i];
        if (at + 40 < sizeof r->text)
            at += (size_t)snprintf(r->text + at, sizeof r->text - at, "%s%u+%u:%u+%u %s",
                                   i ? ", " : "", b->left, b->n_left, b->right, b->n_right,
                                   dpl_verdict_name(b->verdict));
        r->n_gold += is_gold(b);
        uint32_t fields[6] = {b->left, b->n_left, b->right, b->n_right, 0, b->verdict};
        memcpy(&fields[4], &b->score, sizeof b->score);
        r->hash = dpl__hash(fields, sizeof fields, r->hash);
        CHECK(b->score >= 0 && b->score <= 1);
    }
    r->hash = dpl__hash(docs->units[0], docs->n_units[0] * sizeof(uint32_t), r->hash);
    r->hash = dpl__hash(docs->units[1], docs->n_units[1] * sizeof(uint32_t), r->hash);
    if (at + 2 < sizeof r->text)
        memcpy(r->text + at, "\n", 2);
    return DPL_OK;
}

typedef struct job {
    const char *left, *right, *lexicon; /* paths; lexicon: text, or NULL */
    dpl_sentences_options options;
    size_t n_pairs; /* document i with document i */
    bool is_iterator;
    dpl_sentences_summary summary;
    result result;
} job;

#define NO_OPTIONS ((dpl_sentences_options)DPL_INIT(dpl_sentences_options))

/* Document i with document i; by the iterator when the job says so. */
static dpl_status align(job *j, dpl_ctx *ctx, const dpl_collection *left,
                        const dpl_collection *right, const dpl_lexicon *lexicon, dpl_error *err)
{
    dpl_doc_pair pairs[300];
    CHECK(j->n_pairs <= DPL_LEN(pairs));
    for (uint32_t i = 0; i < j->n_pairs; i++)
        pairs[i] = (dpl_doc_pair){i, i};
    j->result = (result){0};
    j->options.size = sizeof j->options;
    j->summary.size = sizeof j->summary;
    dpl_sentences_input in =
        DPL_INIT(dpl_sentences_input, .left = left, .right = right, .pairs = pairs,
                 .n_pairs = j->n_pairs, .lexicon = lexicon);
    if (!j->is_iterator)
        return dpl_sentences_align(&j->summary, ctx, &in, &j->options, take, &j->result, err);
    dpl_sentences *s = NULL;
    dpl_aligned_docs docs;
    dpl_status status = dpl_sentences_open(&s, ctx, &in, &j->options, err);
    while (status == DPL_OK && (status = dpl_sentences_next(s, &docs, err)) == DPL_OK)
        status = take(&j->result, &docs, err);
    if (status == DPL_END)
        status = dpl__sentences_get_summary(&j->summary, s, err);
    dpl_sentences_close(s);
    return status;
}

static dpl_status run(void *user, dpl_ctx *ctx, dpl_error *err)
{
    job *j = user;
    dpl_collection *left = NULL, *right = NULL;
    dpl_lexicon *lexicon = NULL;
    dpl_status status = dpl_collection_open(&left, ctx, j->left, err);
    if (status == DPL_OK)
        status = dpl_collection_open(&right, ctx, j->right, err);
    if (status == DPL_OK && j->lexicon)
        status = dpl__lexicon_open_memory(&lexicon, ctx, "lexicon", dpl__cstr(j->lexicon), NULL,
                                          err);
    if (status == DPL_OK)
        status = align(j, ctx, left, right, lexicon, err);
    dpl_lexicon_close(lexicon);
    dpl_collection_close(right);
    dpl_collection_close(left);
    return status;
}

static void run_job(job *j, unsigned n_threads)
{
    dpl_ctx *ctx = test_ctx(n_threads);
    CHECK_OK(run(j, ctx, &test_err));
    test_ctx_done(ctx);
}

/* ---- small texts -------------------------------------------------------------------- */

#define DE(text) "{\"id\":\"a\",\"lang\":\"de\",\"text\":\"" text "\"}\n"
#define EN(text) "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"" text "\"}\n"

static const char *const words = "hund\tdog\t0.9\nhaus\thouse\t0.9\nkatze\tcat\t0.9\n"
                                 "brot\tbread\t0.9\nwasser\twater\t0.9\nbaum\ttree\t0.9\n"
                                 "der\tthe\t0.4\ndie\tthe\t0.4\ndas\tthe\t0.4\n"
                                 "trinkt\tdrinks\t0.8\nisst\teats\t0.8\nsieht\tsees\t0.8\n"
                                 "und\tand\t0.9\n";

static void check(const char *de, const char *en, dpl_sentences_options options,
                  const char *expected)
{
    job j = {.left = import("de", de),
             .right = import("en", en),
             .lexicon = words,
             .options = options,
             .n_pairs = 1};
    run_job(&j, 1);
    CHECK_STR(dpl__cstr(j.result.text), expected);
    uint64_t n = 0;
    for (size_t i = 0; i < DPL_N_VERDICTS; i++)
        n += j.summary.n_verdicts[i];
    CHECK_EQ(n, j.summary.n_beads);
}

DPL_TEST(align, text_becomes_beads)
{
    check(DE("Der Hund trinkt das Wasser. Die Katze isst das Brot. Der Hund sieht den Baum."),
          EN("The dog drinks the water. The cat eats the bread. The dog sees the tree."),
          NO_OPTIONS, "0+1:0+1 kept, 1+1:1+1 kept, 2+1:2+1 kept\n");
    check(
        DE("Der Hund trinkt das Wasser und die Katze isst das Brot. Der Hund sieht den Baum."),
        EN("The dog drinks the water. The cat eats the bread. The dog sees the tree."),
        NO_OPTIONS, "0+1:0+2 kept, 1+1:2+1 kept\n");
}

DPL_TEST(align, lines_are_units_when_they_are_to_be)
{
    check(DE("Der Hund trinkt. Er trinkt Wasser.\\nDie Katze isst das Brot."),
          EN("The dog drinks. It drinks water.\\nThe cat eats the bread."),
          (dpl_sentences_options)DPL_INIT(dpl_sentences_options, .one_per_line = true),
          "0+1:0+1 kept, 1+1:1+1 kept\n");
}

DPL_TEST(align, reasons_not_to_keep_a_bead)
{
    dpl_sentences_options lines = DPL_INIT(dpl_sentences_options, .one_per_line = true);
    check(DE("Hund, Wasser, Baum!\\n...\\nLibreOffice Writer 7.4"),
          EN("Dog, water, tree!\\n...\\nLibreOffice Writer 7.4"), lines,
          "0+1:0+1 kept, 1+1:1+1 short, 2+1:2+1 identical\n");
    check(DE("Hund, Wasser und Brot."), EN("Cats in the old house."), lines, "0+1:0+1 words\n");
    lines.min_ratio = -1;
    check(DE("Hund, Wasser und Brot."), EN("Cats in the old house."), lines, "0+1:0+1 kept\n");
    lines.min_words = 5;
    check(DE("Hund, Wasser und Brot."), EN("Cats in the old house."), lines, "0+1:0+1 short\n");
    lines = (dpl_sentences_options)DPL_INIT(dpl_sentences_options, .one_per_line = true,
                                            .no_filter = true);
    check(DE("Hund, Wasser und Brot."), EN("Cats in the old house."), lines, "0+1:0+1 kept\n");
}

DPL_TEST(align, length_is_a_reason)
{
    check(DE("Hund und Katze."),
          EN("Dog and cat and many other things that nobody would have thought of when the "
             "story began, because they were not there."),
          (dpl_sentences_options)DPL_INIT(dpl_sentences_options, .length_ratio = 2),
          "0+1:0+1 length\n");
}

/* A third language, whatever the words say. */
DPL_TEST(align, a_third_language_is_a_reason)
{
    dpl_sentences_options o = DPL_INIT(dpl_sentences_options, .min_ratio = -1);
    job j = {.left = import("de", DE("Ce paragraphe n'est pas dans la langue de tous les "
                                     "autres.")),
             .right = import("en", EN("This paragraph is in the language of all the others.")),
             .n_pairs = 1,
             .options = o};
    run_job(&j, 1);
    CHECK_STR(dpl__cstr(j.result.text), "0+1:0+1 language\n");
    j.options.no_lang_check = true;
    run_job(&j, 1);
    CHECK_STR(dpl__cstr(j.result.text), "0+1:0+1 kept\n");
}

/* The same words with English around them are what nobody translated. */
DPL_TEST(align, another_language_is_a_reason)
{
    job j = {
        .left = import("de", DE("This paragraph has not been translated yet, so it is still "
                                "the original text of the manual.")),
        .right = import("en", EN("This paragraph has not been translated yet, so it is only "
                                 "the original text of the page.")),
        .n_pairs = 1};
    run_job(&j, 1);
    CHECK_STR(dpl__cstr(j.result.text), "0+1:0+1 language\n");
    j.options.no_lang_check = true;
    run_job(&j, 1);
    CHECK_STR(dpl__cstr(j.result.text), "0+1:0+1 kept\n");
}

DPL_TEST(align, comparable_texts_have_no_order)
{
    check(
        DE("Der Hund trinkt das Wasser. Die Katze isst das Brot. Der Baum und das Haus."),
        EN("The tree and the house. The dog drinks the water. Rain came later that year."),
        (dpl_sentences_options)DPL_INIT(dpl_sentences_options, .unordered = true, .lead = 0.5),
        "0+1:1+1 kept, 1+1:0+0 alone, 2+1:0+1 kept, 3+0:2+1 alone\n");
}

DPL_TEST(align, text_of_a_bead)
{
    const char *path = import("de", DE(" Eins. Zwei.  Drei.\\n"));
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    CHECK_STR(dpl_sentences_text(c, 0, 0, 1), "Eins.");
    CHECK_STR(dpl_sentences_text(c, 0, 1, 2), "Zwei.  Drei.");
    CHECK_EQ(dpl_sentences_text(c, 0, 1, 0).n, 0);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(align, heading_of_a_sentence)
{
    const char *path =
        import("de", DE("Eins. Zwei.\\n\\n\\u001dDrei. Vier?\\n\\nEtwas. Mehr davon.\\n"));
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    CHECK_EQ(dpl_collection_n_sentences(c, 0), 6);
    CHECK_EQ(dpl_sentences_heading(c, 0, 1).n, 0);
    for (uint32_t i = 2; i < 6; i++)
        CHECK_STR(dpl_sentences_heading(c, 0, i), "Drei. Vier?");
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(align, a_document_that_is_not_there_is_an_error)
{
    job j = {.left = import("de", DE("Ein Hund.")),
             .right = import("en", EN("A dog.")),
             .n_pairs = 2};
    dpl_ctx *ctx = test_ctx(1);
    CHECK_EQ(run(&j, ctx, &test_err), DPL_E_USAGE);
    j.n_pairs = 1;
    j.options.max_side = 9;
    CHECK_EQ(run(&j, ctx, &test_err), DPL_E_USAGE);
    j.n_pairs = 0;
    j.options.max_side = 0;
    CHECK_OK(run(&j, ctx, &test_err));
    CHECK_EQ(j.result.n_docs, 0);
    test_ctx_done(ctx);
}

/* ---- many documents ----------------------------------------------------------------- */

/* Right words are left words spelt backwards: nothing but lengths and what is learnt. */
static void add_word(char **at, uint64_t word, bool is_right)
{
    char letters[8];
    size_t n = 3 + word % 5;
    for (size_t i = 0; i < n; i++)
        letters[i] = (char)('a' + dpl__mix(word * 8 + i) % 26);
    *(*at)++ = ' ';
    for (size_t i = 0; i < n; i++)
        *(*at)++ = letters[is_right ? n - 1 - i : i];
}

/* Beads: see is_gold. */
static char *make_docs(uint64_t seed, unsigned n_docs, unsigned n_sentences, bool is_right)
{
    char *text = malloc((size_t)n_docs * (n_sentences * 100 + 100)), *at = text;
    CHECK(text != NULL);
    dpl__rng rng = {dpl__mix(seed)};
    for (unsigned d = 0; d < n_docs; d++) {
        at += sprintf(at, "{\"id\":\"%u\",\"lang\":\"%s\",\"text\":\"", d,
                      is_right ? "fr" : "de");
        for (unsigned i = 0; i < n_sentences; i++) {
            uint64_t n = 4 + dpl__rng_below(&rng, 8);
            bool is_missing = is_right && i % 7 == 3;
            for (uint64_t w = 0; w < n; w++) {
                uint64_t r = dpl__rng_next(&rng), word = r % 4 ? r / 4 % 400 : r / 4 % 10;
                if (!is_missing)
                    add_word(&at, word, is_right);
            }
            if (!is_missing)
                at += sprintf(at, ".\\n");
        }
        at += sprintf(at, "\"}\n");
    }
    return text;
}

static job many(unsigned n_docs)
{
    char *left = make_docs(11, n_docs, 30, false), *right = make_docs(11, n_docs, 30, true);
    job j = {.left = import("left", left),
             .right = import("right", right),
             .options = {.one_per_line = true},
             .n_pairs = n_docs};
    free(left);
    free(right);
    return j;
}

DPL_TEST(align, words_are_learnt_from_the_documents)
{
    job j = many(60);
    run_job(&j, 2);
    /* 26 of 30 sentences have a counterpart. */
    CHECK_EQ(j.summary.n_pairs, 60);
    CHECK_EQ(j.summary.n_units[0], 60 * 30);
    CHECK(j.summary.n_kinds[1][1] > 60 * 25 && j.summary.n_kinds[1][0] > 60 * 3);
    CHECK(j.result.n_gold > 60 * 26 - 5);
    CHECK(j.summary.n_learnt > j.summary.n_links + 300);
    CHECK(j.summary.n_verdicts[DPL_VERDICT_KEPT] > 60 * 25);
    CHECK(j.summary.length_ratio > 0.9 && j.summary.length_ratio < 1.1);
    size_t n_with = j.result.n_gold;
    j.options.no_learning = true;
    run_job(&j, 2);
    CHECK_EQ(j.summary.n_learnt, j.summary.n_links);
    CHECK(j.result.n_gold < n_with);
}

DPL_TEST(align, threads_do_not_change_a_bit)
{
    job one = many(100), two = one;
    run_job(&one, 1);
    run_job(&two, 2);
    CHECK_EQ(one.result.n_docs, 100);
    CHECK_EQ(one.result.hash, two.result.hash);
    one.options.unordered = two.options.unordered = true;
    run_job(&one, 1);
    run_job(&two, 2);
    CHECK_EQ(one.result.hash, two.result.hash);
}

DPL_TEST(align, the_iterator_gives_the_same_pairs)
{
    for (unsigned n_threads = 1; n_threads <= 3; n_threads++) {
        job pushed = many(60), pulled = pushed;
        pulled.is_iterator = true;
        run_job(&pushed, n_threads);
        run_job(&pulled, n_threads);
        CHECK_EQ(pulled.result.n_docs, 60);
        CHECK_EQ(pushed.result.hash, pulled.result.hash);
        CHECK_EQ(pushed.summary.n_beads, pulled.summary.n_beads);
        CHECK_EQ(pushed.summary.n_learnt, pulled.summary.n_learnt);
        CHECK_EQ(pulled.summary.n_pairs, 60);
    }
}

/* ---- several callers ---------------------------------------------------------------- */

typedef struct caller {
    dpl_ctx *ctx;
    job job;
    dpl_status status;
} caller;

static void *call(void *user)
{
    caller *c = user;
    c->status = run(&c->job, c->ctx, NULL);
    return NULL;
}

DPL_TEST(align, several_threads_align_on_one_context)
{
    enum { N = 4 };
    static caller callers[N];
    pthread_t threads[N];
    job alone = many(40);
    run_job(&alone, 2);
    dpl_ctx *ctx = test_ctx(2);
    for (int i = 0; i < N; i++) {
        callers[i] = (caller){.ctx = ctx, .job = alone};
        callers[i].job.is_iterator = i % 2;
        CHECK_EQ(pthread_create(&threads[i], NULL, call, &callers[i]), 0);
    }
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        CHECK_EQ(callers[i].status, DPL_OK);
        CHECK_EQ(callers[i].job.result.hash, alone.result.hash);
    }
    test_ctx_done(ctx);
}

static dpl_status refuse(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    (void)user;
    return docs->pair < 3 ? DPL_OK : dpl__fail(err, DPL_E_IO, "the disk is full");
}

DPL_TEST(align, what_the_callback_says_ends_the_call)
{
    job j = many(10);
    dpl_ctx *ctx = test_ctx(2);
    dpl_collection *left = NULL, *right = NULL;
    dpl_doc_pair pairs[10];
    for (uint32_t i = 0; i < 10; i++)
        pairs[i] = (dpl_doc_pair){i, i};
    CHECK_OK(dpl_collection_open(&left, ctx, j.left, &test_err));
    CHECK_OK(dpl_collection_open(&right, ctx, j.right, &test_err));
    dpl_sentences_input in = DPL_INIT(dpl_sentences_input, .left = left, .right = right,
                                      .pairs = pairs, .n_pairs = 10);
    CHECK_EQ(dpl_sentences_align(NULL, ctx, &in, NULL, refuse, NULL, &test_err), DPL_E_IO);
    dpl_collection_close(right);
    dpl_collection_close(left);
    test_ctx_done(ctx);
}

DPL_TEST(align, every_failed_allocation_is_reported)
{
    job j = {.left = import("de", DE("Der Hund trinkt das Wasser. Die Katze isst das Brot. "
                                     "Übung macht Meister.")),
             .right = import("en", EN("The dog drinks the water. The cat eats the bread. "
                                      "Ubung makes perfect.")),
             .lexicon = words,
             .n_pairs = 1};
    test_allocation_failures(run, &j);
}
