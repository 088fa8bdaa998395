#include "lab/mining.h"

#include "lab/data.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* A lab with two tiny collections, German and English. */
typedef struct bench {
    dpl_ctx *ctx;
    dpl_lab_options set;
    dpl_input inputs[2];
    dpl__lab_data data;
    dpl__lab lab;
} bench;

static const dpl_lab_experiment about = {.name = "mining-test"};

static const char german[] =
    "{\"id\":\"d1\",\"lang\":\"de\",\"text\":\"Eins zwei.\\nDrei vier.\"}\n"
    "{\"id\":\"d2\",\"lang\":\"de\",\"text\":\"Rot.\\nBlau.\\nGelb.\"}\n"
    "{\"id\":\"d3\",\"lang\":\"de\",\"text\":\"Allein.\"}\n";
static const char english[] =
    "{\"id\":\"e1\",\"lang\":\"en\",\"text\":\"One two.\\n\\nThree four.\"}\n"
    "{\"id\":\"e2\",\"lang\":\"en\",\"text\":\"Red and blue.\\nYellow.\"}\n";

static void bench_open(bench *b)
{
    b->ctx = test_ctx(1);
    b->set = (dpl_lab_options)DPL_INIT(dpl_lab_options);
    b->set.gold = test_write("gold", "d1\te1\nd2\te2\n", 12);
    b->inputs[0] = (dpl_input){.buffer = DPL_STR(german)};
    b->inputs[1] = (dpl_input){.buffer = DPL_STR(english)};
    dpl__lab_data_init(&b->data, b->ctx);
    b->lab = (dpl__lab){.ctx = b->ctx,
                        .about = &about,
                        .set = &b->set,
                        .inputs = b->inputs,
                        .n_inputs = 2,
                        .data = &b->data,
                        .folder = test_dir(),
                        .scratch = test_dir()};
    dpl__arena_init(&b->lab.arena, b->ctx);
}

static void bench_close(bench *b)
{
    dpl__arena_clear(&b->lab.arena);
    dpl__lab_data_clear(&b->data);
    test_ctx_done(b->ctx);
}

static void add(dpl__mining_rows *rows, const char *left, const char *right)
{
    CHECK_OK(dpl__mining_rows_add(rows, dpl__cstr(left), dpl__cstr(right), &test_err));
}

/* ---- rows --------------------------------------------------------------------------- */

DPL_TEST(mining, rows_are_one_line_each_and_thinned_evenly)
{
    bench b;
    bench_open(&b);
    dpl__mining_rows rows;
    dpl__mining_rows_init(&rows, b.ctx);
    add(&rows, "a\nb\tc", "x");
    CHECK_STR(rows.rows.data[0].left, "a b c");
    for (int i = 1; i < 10; i++) {
        char text[8];
        snprintf(text, sizeof text, "%d", i);
        add(&rows, text, text);
    }
    dpl__mining_rows_thin(&rows, 20);
    CHECK_EQ(rows.rows.n, 10);
    dpl__mining_rows_thin(&rows, 4); /* 0, 2, 5, 7 */
    CHECK_EQ(rows.rows.n, 4);
    CHECK_STR(rows.rows.data[1].right, "2");
    CHECK_STR(rows.rows.data[3].right, "7");
    dpl__mining_rows_clear(&rows);
    bench_close(&b);
}

DPL_TEST(mining, gold_rows_are_lines_of_documents_with_as_many_on_both_sides)
{
    bench b;
    bench_open(&b);
    dpl__mining_rows rows;
    dpl__mining_rows_init(&rows, b.ctx);
    CHECK_OK(dpl__mining_rows_gold(&rows, &b.lab, &test_err));
    CHECK_EQ(rows.rows.n, 2); /* three lines of d2 stand beside two of e2 */
    CHECK_STR(rows.rows.data[1].left, "Drei vier.");
    CHECK_STR(rows.rows.data[1].right, "Three four.");
    dpl__mining_rows_clear(&rows);
    bench_close(&b);
}

DPL_TEST(mining, rows_are_read_back_as_they_were_written)
{
    bench b;
    bench_open(&b);
    dpl__mining_rows rows, again;
    dpl__mining_rows_init(&rows, b.ctx);
    dpl__mining_rows_init(&again, b.ctx);
    add(&rows, "ein Haus", "a house");
    add(&rows, "zwei", "two");
    const dpl__mining_rows *const lists[] = {&rows, &rows};
    const char *path = test_path("rows.tsv");
    CHECK_OK(dpl__mining_rows_write(&b.lab, path, lists, 2, &test_err));
    CHECK_OK(dpl__mining_rows_read(&again, &b.lab, path, 100, &test_err));
    CHECK_EQ(again.rows.n, 4);
    CHECK_STR(again.rows.data[2].left, "ein Haus");
    CHECK_STR(again.rows.data[2].right, "a house");
    dpl__mining_rows_clear(&again);
    dpl__mining_rows_clear(&rows);
    bench_close(&b);
}

/* ---- sentences of the test set ------------------------------------------------------ */

/* Whether a row stays that has this on its left side, or on its right side. */
static bool stays(bench *b, const char *text, bool is_right)
{
    dpl__mining_rows rows, test;
    uint64_t n_dropped = 0;
    dpl__mining_rows_init(&rows, b->ctx);
    dpl__mining_rows_init(&test, b->ctx);
    add(&test, "a b c d e f g h i j k l", "m n o p q r s t u v w x");
    add(&test, "one two three four five six", "seven eight nine ten eleven twelve");
    add(&rows, is_right ? "x" : text, is_right ? text : "x");
    CHECK_OK(dpl__mining_rows_without(&rows, &n_dropped, &b->lab, &test, &test_err));
    CHECK_EQ(n_dropped + rows.rows.n, 1);
    const bool answer = rows.rows.n == 1;
    dpl__mining_rows_clear(&test);
    dpl__mining_rows_clear(&rows);
    return answer;
}

DPL_TEST(mining, sentences_with_more_than_0_3_of_their_runs_in_the_test_set_are_dropped)
{
    bench b;
    bench_open(&b);
    /* 10 runs of six words, of which 3, then 4 are those of the test sentence */
    CHECK(stays(&b, "a b c d e f g h 1 2 3 4 5 6 7", false));
    CHECK(!stays(&b, "a b c d e f g h i 1 2 3 4 5 6", false));
    CHECK(!stays(&b, "A b C d e f, G h i j k l!", false)); /* as words, not as bytes */
    CHECK(stays(&b, "a b c d e", false));                  /* no run of six words */
    CHECK(stays(&b, "m n o p q r s t u v w x", false));    /* of the other side */
    CHECK(!stays(&b, "m n o p q r s t u v w x", true));
    /* 2 of 7 runs with each of two sentences of the test set are not 4 with one */
    CHECK(stays(&b, "a b c d e f 1 2 3 4 5 6 7 one two three four five six", false));
    bench_close(&b);
}

/* ---- the search --------------------------------------------------------------------- */

DPL_TEST(mining, found_pairs_are_measured_at_a_threshold)
{
    bench b;
    bench_open(&b);
    dpl__mining_gold gold;
    dpl__mining_sides sides = {0};
    dpl__mining_found found = {.ctx = b.ctx, .sides = &sides};
    dpl_eval_pairs e;
    CHECK_OK(dpl__mining_words(&sides.c[0], &b.lab, 0, &test_err));
    CHECK_OK(dpl__mining_words(&sides.c[1], &b.lab, 1, &test_err));
    CHECK_OK(dpl__mining_gold_get(&gold, &b.lab, &test_err));
    CHECK_EQ(gold.n, 2);
    CHECK(dpl__vec_push(b.ctx, &found.pairs, ((dpl_pair){0, 0, 0.5f})));
    CHECK(dpl__vec_push(b.ctx, &found.pairs, ((dpl_pair){2, 1, 0.1f})));
    CHECK_OK(dpl__mining_measure(&e, &b.lab, &found, &gold, 0.05, &test_err));
    CHECK(e.precision > 0.4999 && e.precision < 0.5001 && e.recall > 0.4999);
    CHECK_OK(dpl__mining_measure(&e, &b.lab, &found, &gold, 0.2, &test_err));
    CHECK(e.precision > 0.9999 && e.recall < 0.5001);
    dpl__mining_found_clear(&found);
    dpl__mining_sides_close(&sides);
    bench_close(&b);
}

/* ---- translators -------------------------------------------------------------------- */

DPL_TEST(mining, shares_have_intervals_of_wilson)
{
    double ends[2];
    dpl__lab_wilson(ends, 5, 10);
    CHECK(ends[0] > 0.2365 && ends[0] < 0.2366 && ends[1] > 0.7634 && ends[1] < 0.7635);
    dpl__lab_wilson(ends, 70, 70);
    CHECK(ends[0] > 0.9479 && ends[0] < 0.9480 && ends[1] > 0.9999);
    dpl__lab_wilson(ends, 0, 0);
    CHECK(ends[0] < 1e-9 && ends[1] > 0.9999);
}

DPL_TEST(mining, a_translator_learns_its_training_data)
{
    static const char *const words[][2] = {{"rot", "red"},  {"blau", "blue"}, {"haus", "house"},
                                           {"hund", "dog"}, {"ein", "one"},   {"zwei", "two"}};
    bench b;
    bench_open(&b);
    dpl__mining_rows rows;
    dpl__mining_system s;
    dpl__mining_rows_init(&rows, b.ctx);
    const dpl__mining_rows *const lists[] = {&rows};
    CHECK_OK(dpl__mining_system_train(&s, &b.lab, lists, 1, &rows, &test_err));
    CHECK(!s.into_right && s.bleu[0] == 0); /* nothing to train on */
    for (size_t i = 0; i < 36; i++) {
        const char *const *x = words[i % 6], *const *y = words[i / 6],
                          *const *z = words[5 - i % 6];
        char left[80], right[80];
        snprintf(left, sizeof left, "%s %s %s %s", x[0], y[0], z[0], y[0]);
        snprintf(right, sizeof right, "%s %s %s %s", x[1], y[1], z[1], y[1]);
        add(&rows, left, right);
    }
    CHECK_OK(dpl__mining_system_train(&s, &b.lab, lists, 1, &rows, &test_err));
    CHECK_EQ(s.n_rows, 36);
    CHECK(s.lexicon && s.into_right);
    CHECK(s.bleu[0] > 90 && s.bleu[1] > 90);
    const dpl__mining_interval own = dpl__mining_boot_interval(&s.boot[0], NULL),
                               same = dpl__mining_boot_interval(&s.boot[0], &s.boot[0]);
    CHECK(own.low > 80 && own.low <= s.bleu[0] && own.high >= s.bleu[0] && own.high < 100.1);
    CHECK(same.low == 0 && same.high == 0); /* the same draws: differences are paired */
    dpl__mining_system_clear(&s);
    dpl__mining_rows_clear(&rows);
    bench_close(&b);
}

/* ---- the classifier ----------------------------------------------------------------- */

enum { WORDS = 150, LENGTH = 9, DOCS = 12, SENTENCES = 6 };

/* A sentence of a made-up language; the same numbers give its translation. */
static void say(char *out, size_t n, char language, dpl__rng rng)
{
    size_t at = 0;
    for (int i = 0; i < LENGTH; i++) {
        const unsigned word = (unsigned)dpl__rng_below(&rng, WORDS);
        at += (size_t)snprintf(out + at, n - at, "%s%c%c%c%c", i ? " " : "", language,
                               'a' + (int)(word % 10), 'a' + (int)(word / 10 % 10),
                               'a' + (int)(word / 100));
    }
    snprintf(out + at, n - at, ".");
}

/* Two of three sentences of a right document are translations. */
static char *write_docs(char language)
{
    static char text[2][DOCS * (SENTENCES + 1) * 80];
    char *out = text[language == 'x'];
    size_t at = 0;
    for (uint64_t doc = 0; doc < DOCS; doc++) {
        at += (size_t)sprintf(out + at, "{\"id\":\"%c%u\",\"lang\":\"%s\",\"text\":\"",
                              language, (unsigned)doc, language == 'x' ? "de" : "en");
        for (uint64_t i = 0; i < SENTENCES; i++) {
            char sentence[80];
            const bool is_other = language == 'y' && i % 3 == 2;
            say(sentence, sizeof sentence, language,
                (dpl__rng){(doc * SENTENCES + i + (is_other ? 5000 : 1000)) * 1000});
            at += (size_t)sprintf(out + at, "%s%s", i ? "\\n" : "", sentence);
        }
        at += (size_t)sprintf(out + at, "\"}\n");
    }
    return out;
}

/* By its numbers: the words behind the first letter. */
static bool is_translation(dpl_str left, dpl_str right)
{
    for (size_t i = 0; i < left.n && left.n == right.n; i++)
        if (left.data[i] != right.data[i] && !(left.data[i] == 'x' && right.data[i] == 'y') &&
            !(left.data[i] == 'X' && right.data[i] == 'Y'))
            return false;
    return left.n == right.n;
}

DPL_TEST(mining, a_classifier_finds_sentences_that_are_translations)
{
    bench b;
    bench_open(&b);
    b.inputs[0] = (dpl_input){.buffer = dpl__cstr(write_docs('x'))};
    b.inputs[1] = (dpl_input){.buffer = dpl__cstr(write_docs('y'))};
    dpl__mining_rows parallel, found;
    dpl__mining_rows_init(&parallel, b.ctx);
    dpl__mining_rows_init(&found, b.ctx);
    for (uint64_t i = 0; i < 400; i++) {
        char left[80], right[80];
        say(left, sizeof left, 'x', (dpl__rng){i * 7919});
        say(right, sizeof right, 'y', (dpl__rng){i * 7919});
        add(&parallel, left, right);
    }
    dpl__mining_system system;
    const dpl__mining_rows *const lists[] = {&parallel};
    CHECK_OK(dpl__mining_system_train(&system, &b.lab, lists, 1, NULL, &test_err));
    CHECK_OK(dpl__mining_rows_classified(&found, &b.lab, system.lexicon, &parallel, &test_err));
    size_t n_right = 0;
    for (size_t i = 0; i < found.rows.n; i++)
        n_right += is_translation(found.rows.data[i].left, found.rows.data[i].right);
    CHECK_EQ(n_right, found.rows.n);
    CHECK(n_right >= DOCS * SENTENCES * 2 / 3 * 9 / 10); /* most of those that there are */
    CHECK_EQ(dpl__mining_rows_words(&parallel, 0), 400 * LENGTH);
    dpl__mining_system_clear(&system);
    dpl__mining_rows_clear(&found);
    dpl__mining_rows_clear(&parallel);
    dpl__vec_clear(b.ctx, &b.lab.notes);
    bench_close(&b);
}
