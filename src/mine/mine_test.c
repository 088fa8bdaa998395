#include "doppel/mine.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>

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
