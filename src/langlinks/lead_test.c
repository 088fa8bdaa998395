
#include "base/hash.h"
#include "langlinks/link_view.h"
#include "test.h"
#include "unicode/unicode.h"

#include <stdio.h>
#include <stdlib.h>

/* n copies of a text, terminated; the caller frees it. */
static char *repeat(const char *text, size_t n)
{
    const size_t size = strlen(text);
    char *out = malloc(n * size + 1);
    CHECK(out != NULL);
    for (size_t i = 0; i < n; i++)
        memcpy(out + i * size, text, size);
    out[n * size] = 0;
    return out;
}

DPL_TEST(lead, is_the_first_paragraph_and_more_where_that_is_short)
{
    bool is_cut;
    CHECK_STR(dpl__lead(DPL_STR("  \nOne line.\nAnother one.\n\n"), &is_cut),
              "One line.\nAnother one.");
    CHECK(!is_cut);
    char *words = repeat("word ", 60), text[1000];
    snprintf(text, sizeof text, "%s\nThe second paragraph.\n", words);
    const dpl_str lead = dpl__lead(dpl__cstr(text), &is_cut);
    CHECK_EQ(lead.n, 5 * 60 - 1);
    CHECK(!is_cut);
    free(words);
}

DPL_TEST(lead, that_is_long_is_cut_behind_a_word)
{
    bool is_cut;
    char *text = repeat("sixteen letters ", 1000);
    const dpl_str lead = dpl__lead(dpl__cstr(text), &is_cut);
    CHECK(is_cut && lead.n > DPL__LEAD_MOST - 20 && lead.n <= DPL__LEAD_MOST);
    CHECK(lead.data[lead.n] == ' ' && lead.data[lead.n - 1] != ' ');
    free(text);
    text = repeat("\xE5\xAD\x97", 5000); /* no blanks: behind a character */
    const dpl_str chinese = dpl__lead(dpl__cstr(text), &is_cut);
    CHECK(is_cut);
    CHECK_EQ(chinese.n, 3 * DPL__LEAD_MOST);
    free(text);
    text = repeat("e\xCC\x81", 5000); /* a letter and its accent stay together */
    const dpl_str accents = dpl__lead(dpl__cstr(text), &is_cut);
    CHECK(is_cut && accents.n % 3 == 0 && accents.n >= DPL__LEAD_MOST);
    free(text);
    text = repeat("\xCC\x81", 50000);
    CHECK(dpl__lead(dpl__cstr(text), &is_cut).n < 10 * DPL__LEAD_MOST);
    free(text);
}

DPL_TEST(lead, ends_before_the_first_section_unless_it_is_short)
{
#define EIGHTY                                                                                 \
    "A lead of eighty characters, which is how long it has to be to stand for a page."
    bool is_cut;
    CHECK_STR(dpl__lead(DPL_STR(EIGHTY "\n\x1DHeading\nMore.\n"), &is_cut), EIGHTY);
    CHECK_STR(dpl__lead(DPL_STR("\x1DHeading\n" EIGHTY "\n\x1DSecond\nText.\n"), &is_cut),
              "Heading\n" EIGHTY);
    CHECK_STR(dpl__lead(DPL_STR("A title\n\x1DHeading\nText.\n"), &is_cut),
              "A title\n\x1DHeading\nText.");
    CHECK_STR(dpl__lead(DPL_STR("\x1D\x1D\n"), &is_cut), "");
    CHECK(!is_cut);
}

DPL_TEST(lead, of_nothing_is_empty)
{
    bool is_cut;
    CHECK_EQ(dpl__lead((dpl_str){NULL, 0}, &is_cut).n, 0);
    CHECK_EQ(dpl__lead(DPL_STR(" \n\t\n"), &is_cut).n, 0);
    CHECK(!is_cut);
}

/* Whatever the bytes are, the lead is a part of them, and valid. */
DPL_TEST(lead, of_any_bytes_is_valid)
{
    static const char *const pieces[] = {"\x1D", " ",        "\n",
                                         "a",    "\xC3\xBC", "\xE2\x82\xAC",
                                         "\t",   "\xCC\x81", "\xF0\x9F\x98\x80",
                                         "\xFF", "word"};
    dpl__rng rng = {7};
    for (unsigned turn = 0; turn < 2000; turn++) {
        char text[6000] = "";
        size_t n = 0;
        const size_t n_kinds = turn % 2 ? DPL_LEN(pieces) : DPL_LEN(pieces) - 2;
        const size_t n_pieces = dpl__rng_below(&rng, 1400);
        for (size_t i = 0; i < n_pieces; i++) {
            const char *piece = pieces[dpl__rng_below(&rng, n_kinds)];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        bool is_cut;
        const dpl_str lead = dpl__lead((dpl_str){text, n}, &is_cut);
        CHECK(lead.n == 0 || (lead.data >= text && lead.data + lead.n <= text + n));
        for (size_t at = 0; at < lead.n;) {
            const size_t size = dpl__utf8_first((dpl_str){lead.data + at, lead.n - at});
            CHECK(size > 0);
            at += size;
        }
        CHECK(lead.n == 0 || (lead.data[0] != ' ' && lead.data[lead.n - 1] != ' '));
    }
}

/* ---- marks and sentences ---------------------------------------------------------------- */

static dpl_str slice(const char *text, const char *part)
{
    const char *at = strstr(text, part);
    CHECK(at != NULL);
    return (dpl_str){at, strlen(part)};
}

static dpl__view_sentence sentence(const char *const texts[2], const char *left,
                                   const char *right, double score)
{
    dpl__view_sentence s = {.text = {slice(texts[0], left), slice(texts[1], right)},
                            .score = score};
    for (int side = 0; side < 2; side++) {
        s.begin[side] = (size_t)(s.text[side].data - texts[side]);
        s.end[side] = s.begin[side] + s.text[side].n;
    }
    return s;
}

DPL_TEST(link_view, marks_words_with_their_stems_and_numbers_sentences)
{
    static const char left[] = "Das alte Haus. Zwei H\xC3\xA4user am See.",
                      right[] = "Two houses by the lake. The old house.";
    static const char *const texts[2] = {left, right};
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl_tokens *tokens = NULL;
    dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = true);
    dpl__arena_init(&arena, ctx);
    CHECK_OK(dpl_tokens_new(&tokens, ctx, &o, &test_err));
    const dpl__shared_word words[] = {{{DPL_STR("Haus"), DPL_STR("houses")}},
                                      {{DPL_STR("See"), DPL_STR("lake")}}};
    dpl__view_sentence sentences[] = {
        sentence(texts, "Das alte Haus.", "The old house.", 0.9),
        sentence(texts, "Zwei H\xC3\xA4user am See.", "Two houses by the lake.", 0.8)};
    const dpl__view_input in = {.text = {dpl__cstr(left), dpl__cstr(right)},
                                .lang = {"de", "en"},
                                .words = words,
                                .n_words = 2,
                                .sentences = sentences,
                                .n_sentences = 2};
    dpl__link_view v;
    CHECK_OK(dpl__link_view_make(&v, &arena, ctx, tokens, &in, &test_err));
    CHECK_EQ(v.n_words[1], 3); /* houses, lake, house */
    CHECK_EQ(v.words[1][0].begin, 4);
    CHECK_EQ(v.words[1][0].number, 0);
    CHECK_EQ(v.words[1][1].number, 1);
    CHECK_EQ(v.words[1][2].number, 0);
    CHECK(v.n_words[0] >= 2);
    CHECK_EQ(v.n_aligned[0], 2);
    CHECK_EQ(v.aligned[0][0].number, 0);
    CHECK_EQ(v.aligned[1][0].number, 1); /* in the order of the text */
    CHECK(v.sentences[0].is_in_leads && v.sentences[1].is_in_leads);
    dpl_tokens_free(tokens);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(link_view, has_the_sentences_of_the_leads_and_the_best_others)
{
    enum { N = 60 };
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl_tokens *tokens = NULL;
    char text[100 * N] = "";
    static dpl__view_sentence sentences[N + 2];
    dpl__arena_init(&arena, ctx);
    CHECK_OK(dpl_tokens_new(&tokens, ctx, NULL, &test_err));
    for (size_t i = 0; i < N; i++) {
        const size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "Sentence %zu has as many words as others.\n", i);
        for (int side = 0; side < 2; side++) {
            sentences[i].begin[side] = at;
            sentences[i].end[side] = strlen(text) - 1;
            sentences[i].text[side] = (dpl_str){text + at, strlen(text) - 1 - at};
        }
        sentences[i].score = (double)(i % 50) / 50;
    }
    sentences[N] = sentences[0]; /* overlaps the first one */
    sentences[N + 1] = (dpl__view_sentence){
        .text = {DPL_STR("elsewhere, in a sentence that is as long as the others"),
                 DPL_STR("nowhere, in a sentence that is as long as the others")},
        .score = 1}; /* not in the texts */
    const dpl__view_input in = {.text = {dpl__cstr(text), dpl__cstr(text)},
                                .lang = {"en", "en"},
                                .sentences = sentences,
                                .n_sentences = N + 2};
    dpl__link_view v;
    CHECK_OK(dpl__link_view_make(&v, &arena, ctx, tokens, &in, &test_err));
    size_t n_elsewhere = 0;
    double least = 1;
    for (size_t i = 0; i < v.n_sentences; i++)
        if (!v.sentences[i].is_in_leads) {
            n_elsewhere++;
            least = v.sentences[i].score < least ? v.sentences[i].score : least;
        }
    CHECK_EQ(n_elsewhere, DPL__VIEW_MORE_SENTENCES);
    CHECK(least >= 0.9);
    for (size_t i = 1; i < v.n_aligned[0]; i++)
        CHECK(v.aligned[0][i].begin >= v.aligned[0][i - 1].end);
    CHECK(v.n_aligned[0] >= 4 && v.aligned[0][v.n_aligned[0] - 1].end <= v.lead[0].n);
    dpl_tokens_free(tokens);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

static dpl_status make_view(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    dpl__arena arena;
    dpl_tokens *tokens = NULL;
    dpl__link_view v;
    const dpl_str text = DPL_STR("One old house. Another house.");
    const dpl__shared_word words[] = {{{DPL_STR("house"), DPL_STR("house")}}};
    dpl__view_sentence sentences[] = {
        {.text = {text, text}, .begin = {0, 0}, .end = {14, 14}, .score = 1},
        {.text = {text, text}, .score = 1}};
    const dpl__view_input in = {.text = {text, text},
                                .lang = {"en", "en"},
                                .words = words,
                                .n_words = 1,
                                .sentences = sentences,
                                .n_sentences = 2};
    dpl__arena_init(&arena, ctx);
    dpl_status status = dpl_tokens_new(&tokens, ctx, NULL, err);
    if (status == DPL_OK)
        status = dpl__link_view_make(&v, &arena, ctx, tokens, &in, err);
    dpl_tokens_free(tokens);
    dpl__arena_clear(&arena);
    return status;
}

DPL_TEST(link_view, without_memory_leaks_nothing)
{
    test_allocation_failures(make_view, NULL);
}
