#include "mine/rounds.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <stdio.h>

enum { N_DOCS = 30, N_SENTENCES = 6, N_WORDS = 8 };

/* Documents of made-up words. Sides of different seeds have nothing in common. */
static const char *write_docs(const char *name, uint64_t seed, const char *const *syllables)
{
    static char text[N_DOCS * N_SENTENCES * N_WORDS * 16];
    size_t n = 0;
    dpl__rng rng = {dpl__mix(seed)};
    for (unsigned doc = 0; doc < N_DOCS; doc++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%c%02u\t", name[0], doc);
        for (unsigned i = 0; i < N_SENTENCES * N_WORDS; i++) {
            uint64_t w = dpl__rng_below(&rng, 256);
            n +=
                (size_t)snprintf(text + n, sizeof text - n, "%s%s%s%s%s ",
                                 i % N_WORDS ? "" : "O", syllables[w % 8], syllables[w / 8 % 8],
                                 syllables[w / 64], i % N_WORDS == N_WORDS - 1 ? "." : "");
        }
        text[n++] = '\n';
    }
    return test_write(name, text, n);
}

static const dpl_reader_options tsv = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV);

/* Rounds as they are told. */
typedef struct told {
    size_t n;
    bool is_rising; /* each is told once, in order */
    bool has_passages;
    size_t n_rounds; /* the last number of rounds */
} told;

static void hear(void *user, const dpl_mine_run *run)
{
    told *t = user;
    t->is_rising = t->is_rising && run->n_rounds > t->n_rounds;
    t->n_rounds = run->n_rounds;
    t->has_passages = t->has_passages || run->unit == DPL_UNIT_PASSAGE;
    t->n++;
}

DPL_TEST(rounds, documents_stay_the_result_where_passages_find_nothing_to_trust)
{
    static const char *const left_words[] = {"ka", "lo", "mi", "ru", "te", "sa", "vo", "ne"};
    static const char *const right_words[] = {"bir", "dug", "fel", "gop",
                                              "hix", "jaw", "pym", "qez"};
    dpl_ctx *ctx = test_ctx(1);
    char left[1000], right[1000];
    snprintf(left, sizeof left, "%s", write_docs("l.tsv", 1, left_words));
    snprintf(right, sizeof right, "%s", write_docs("r.tsv", 2, right_words));
    told t = {.is_rising = true};
    dpl_mine_options o = DPL_INIT(dpl_mine_options, .read = &tsv, .langs = {"de", "en"},
                                  .on_round = hear, .user = &t);
    const dpl_input in[2] = {{.path = left}, {.path = right}};
    dpl_mine_result *result = NULL;
    CHECK_OK(dpl_mine(&result, ctx, NULL, in, 2, &o, &test_err));
    const dpl_mine_run *s = dpl_mine_get_summary(result)->runs[0];
    CHECK(t.is_rising && t.has_passages);
    CHECK_EQ(s->unit, DPL_UNIT_DOCUMENT);
    CHECK_EQ(s->n_document_rounds, 0);
    CHECK(s->n_rounds <= t.n_rounds); /* those with passages are not part of it */
    CHECK(!s->is_empty || (s->why_empty && s->n_pairs == 0));
    dpl_mine_result_free(result);
    test_ctx_done(ctx);
}

DPL_TEST(rounds, sides_that_cannot_be_compared_are_a_result_with_a_reason)
{
    static const char words[] = "l1\tab.\nl2\tcd.\nl3\tef.\n", others[] = "r1\tgh.\nr2\tij.\n";
    dpl_ctx *ctx = test_ctx(1);
    char left[1000], right[1000];
    snprintf(left, sizeof left, "%s", test_write("l.tsv", words, sizeof words - 1));
    snprintf(right, sizeof right, "%s", test_write("r.tsv", others, sizeof others - 1));
    const dpl_input in[2] = {{.path = left}, {.path = right}};
    static const dpl_mine_unit units[] = {DPL_UNIT_DOCUMENT, DPL_UNIT_PASSAGE,
                                          DPL_UNIT_SENTENCE};
    for (size_t i = 0; i < DPL_LEN(units); i++) {
        dpl_mine_options o =
            DPL_INIT(dpl_mine_options, .read = &tsv, .langs = {"de", "en"}, .unit = units[i]);
        dpl_mine_result *result = NULL;
        CHECK_OK(dpl_mine(&result, ctx, NULL, in, 2, &o, &test_err));
        const dpl_mine_run *s = dpl_mine_get_summary(result)->runs[0];
        CHECK(s->is_empty && s->why_empty && *s->why_empty && s->n_pairs == 0);
        CHECK_EQ(s->unit, units[i]);
        CHECK(!dpl_mine_get_lexicon(result, 0));
        dpl_mine_result_free(result);
        CHECK_EQ(dpl_lexicon_learn(NULL, ctx, test_path("lexicon.dpl"), &in[0], &in[1], &o,
                                   &test_err),
                 DPL_E_NOTHING); /* who wants a lexicon has none */
    }
    test_ctx_done(ctx);
}
