#include "lexicon/lexicon.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- helpers ------------------------------------------------------------------------ */

static dpl_lexicon *open_text(dpl_ctx *ctx, const char *text, const char *source_lang)
{
    dpl_lexicon *l = NULL;
    dpl_lexicon_options o = DPL_INIT(dpl_lexicon_options, .source_lang = source_lang);
    CHECK_OK(dpl__lexicon_open_memory(&l, ctx, "x.tsv", dpl__cstr(text), &o, &test_err));
    return l;
}

static dpl_lexicon_hit look_up(const dpl_lexicon *l, bool is_target, const char *word)
{
    dpl_lexicon_hit hit;
    CHECK_OK(dpl_lexicon_look_up(&hit, l->ctx, l, is_target, dpl__cstr(word), &test_err));
    return hit;
}

/* The words near this one, as "a b c"; sources. */
static const char *near(const dpl_lexicon *l, const char *word, size_t most)
{
    static char text[1000];
    uint32_t found[100];
    size_t n = dpl_lexicon_near(l, false, dpl__cstr(word), found, most), n_text = 0;
    *text = 0;
    for (size_t i = 0; i < n; i++) {
        dpl_str s = dpl_lexicon_source(l, found[i]);
        n_text += (size_t)snprintf(text + n_text, sizeof text - n_text, "%s%.*s", i ? " " : "",
                                   (int)s.n, s.data);
    }
    return text;
}

static bool is_close(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

/* ---- one word ----------------------------------------------------------------------- */

DPL_TEST(look, words_are_folded_as_those_of_the_lexicon)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = open_text(ctx,
                               "Stra\xC3\x9F"
                               "e\tRoad\t1\nE-Mail\tmail\t1\n",
                               "de");
    dpl_lexicon_hit hit = look_up(l, false, " STRASSE ");
    CHECK(hit.is_known);
    CHECK_STR(dpl__cstr(hit.text), "strasse");
    CHECK_EQ(hit.n, 7);
    CHECK_STR(dpl_lexicon_source(l, hit.number), "strasse");
    CHECK(look_up(l, false, "e-mail").is_known);
    CHECK(look_up(l, true, "ROAD").is_known && !look_up(l, false, "road").is_known);
    hit = look_up(l, false, "Haus");
    CHECK(!hit.is_known);
    CHECK_STR(dpl__cstr(hit.text), "haus");
    hit = look_up(l, false, "\xC2\xAD");
    CHECK(!hit.is_known && hit.n == 0);
    CHECK_EQ(dpl_lexicon_look_up(&hit, ctx, l, false, DPL_STR("a\xFF"), &test_err),
             DPL_E_USAGE);
    dpl_lexicon_close(l);
    l = open_text(ctx, "\xC4\xB1s\xC4\xB1\theat\t1\n", "tr");
    CHECK(look_up(l, false, "ISI").is_known);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(look, words_are_stemmed_where_the_lexicon_has_stems)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = open_text(ctx, "katz\tcat\t1\nhouses\tx\t1\n", "de");
    CHECK(!look_up(l, false, "Katzen").is_known);
    l->is_stemmed = true;
    dpl_lexicon_hit hit = look_up(l, false, "Katzen");
    CHECK(hit.is_known);
    CHECK_STR(dpl__cstr(hit.text), "katz");
    /* what is no stem of its own is found as it is; what is not found is shown as a stem */
    CHECK(look_up(l, false, "houses").is_known);
    CHECK_STR(dpl__cstr(look_up(l, false, "Hunde").text), "hund");
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

DPL_TEST(look, a_long_word_is_cut_like_any_token)
{
    dpl_ctx *ctx = test_ctx(1);
    char word[401] = "";
    for (int i = 0; i < 100; i++)
        strcat(word, "\xF0\x90\x90\xA8"); /* four bytes a character */
    dpl_lexicon *l = open_text(ctx, "a\tb\t1\n", NULL);
    CHECK_EQ(look_up(l, false, word).n, 160);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

static dpl_status look_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_lexicon_hit hit;
    return dpl_lexicon_look_up(&hit, ctx, user, false, DPL_STR("Katzen"), err);
}

DPL_TEST(look, survives_every_failing_allocation)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l = open_text(ctx, "katz\tcat\t1\n", "de");
    l->is_stemmed = true;
    test_allocation_failures(look_body, l);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* ---- words like it ------------------------------------------------------------------ */

DPL_TEST(look, the_nearest_words_come_first)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *l =
        open_text(ctx,
                  "haus\tx\t1\nhas\tx\t1\nhasu\tx\t1\nmaus\tx\t1\nbaum\tx\t1\n"
                  "hausbau\tx\t1\nfenster\tx\t1\nhausbesitzer\tx\t1\nhauses\tx\t1\n",
                  NULL);
    /* a deletion, a swap and a replacement; then two of them, and endings, but no longer
     * ones than the word */
    CHECK_STR(dpl__cstr(near(l, "haus", 10)), "has hasu maus baum hausbau hauses");
    CHECK_STR(dpl__cstr(near(l, "haus", 2)), "has hasu");
    CHECK_STR(dpl__cstr(near(l, "haus", 0)), "");
    /* the word may be the longer one; characters are not bytes */
    CHECK_STR(dpl__cstr(near(l, "fensterscheibe", 10)), "fenster");
    CHECK_STR(dpl__cstr(near(l, "h\xC3\xA4us", 10)), "haus has hasu maus");
    CHECK_STR(dpl__cstr(near(l, "\xE6\xAD\xA6", 10)), "");
    /* frequent ones before the others that are as near */
    uint64_t counts[] = {1, 5, 7, 9, 2, 3, 9, 0, 9}; /* in byte order */
    l->counts[DPL__LEFT] = counts;
    CHECK_STR(dpl__cstr(near(l, "haus", 10)), "hasu maus has hausbau baum hauses");
    CHECK_STR(dpl__cstr(near(l, "haus", 1)), "hasu");
    l->counts[DPL__LEFT] = NULL;
    dpl_lexicon_close(l);
    /* or those with more translations */
    l = open_text(ctx, "haus\tx\t1\nmaus\tx\t1\nmaus\ty\t1\n", NULL);
    CHECK_STR(dpl__cstr(near(l, "raus", 10)), "maus haus");
    uint32_t target;
    CHECK_EQ(dpl_lexicon_near(l, true, DPL_STR("y"), &target, 1), 1);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* Edits between texts of single bytes: the whole matrix, each time anew. */
static unsigned naive_edits(dpl_str a, dpl_str b)
{
    unsigned e[20][20];
    for (size_t i = 0; i <= a.n; i++)
        for (size_t j = 0; j <= b.n; j++) {
            e[i][j] = (unsigned)(i ? j ? UINT8_MAX : i : j);
            if (i && j) {
                e[i][j] = e[i - 1][j - 1] + (a.data[i - 1] != b.data[j - 1]);
                e[i][j] = (unsigned)dpl__min(e[i][j], 1 + dpl__min(e[i - 1][j], e[i][j - 1]));
            }
            if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] &&
                a.data[i - 2] == b.data[j - 1])
                e[i][j] = (unsigned)dpl__min(e[i][j], e[i - 2][j - 2] + 1);
        }
    size_t shared = dpl__min(a.n, b.n);
    bool is_ending =
        shared >= 4 && memcmp(a.data, b.data, shared) == 0 && dpl__max(a.n, b.n) <= 2 * shared;
    return is_ending && e[a.n][b.n] > 2 ? 2 : e[a.n][b.n];
}

/* 1 to 12 letters of three. */
static void draw_word(char *out, dpl__rng *rng)
{
    uint64_t n = 1 + dpl__rng_below(rng, 12);
    for (uint64_t i = 0; i < n; i++)
        *out++ = (char)('a' + dpl__rng_below(rng, 3));
    *out = 0;
}

DPL_TEST(look, finds_what_the_naive_way_finds)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        enum { WORDS = 200, MOST = 100 };
        static char text[WORDS * 20], word[20];
        size_t n_text = 0, n_want = 0;
        for (int i = 0; i < WORDS; i++) {
            draw_word(word, &rng);
            n_text += (size_t)sprintf(text + n_text, "%s\tx%d\t1\n", word, i);
        }
        dpl_ctx *ctx = test_ctx(1);
        dpl_lexicon *l = open_text(ctx, text, NULL);
        static const uint64_t no_counts[WORDS];
        l->counts[DPL__LEFT] = no_counts;
        draw_word(word, &rng);
        uint32_t have[MOST], want[MOST];
        size_t n = dpl_lexicon_near(l, false, dpl__cstr(word), have, MOST);
        unsigned limit = strlen(word) <= 3 ? 1 : strlen(word) <= 7 ? 2 : 3;
        for (unsigned d = 1; d <= limit; d++)
            for (uint32_t i = 0; i < dpl_lexicon_get_sizes(l)->n_sources && n_want < MOST; i++)
                if (naive_edits(dpl__cstr(word), dpl_lexicon_source(l, i)) == d)
                    want[n_want++] = i;
        if (n != n_want || (n && memcmp(have, want, n * sizeof *have) != 0))
            dpl__test_fail(__FILE__, __LINE__, "seed %llu: '%s' has %zu near, expected %zu",
                           (unsigned long long)seed, word, n, n_want);
        dpl_lexicon_close(l);
        test_ctx_done(ctx);
    }
}

DPL_TEST(look, words_of_any_length_are_fine)
{
    dpl_ctx *ctx = test_ctx(1);
    static char word[501];
    memset(word, 'a', 500);
    dpl_lexicon *l =
        open_text(ctx, "aaaa\tx\t1\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\tx\t1\n", NULL);
    uint32_t out[300];
    CHECK_EQ(dpl_lexicon_near(l, false, dpl__cstr(word), out, 300), 1);
    CHECK_EQ(dpl_lexicon_near(l, false, DPL_STR(""), out, 300), 0);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}

/* ---- a column ----------------------------------------------------------------------- */

DPL_TEST(look, a_column_is_measured_as_a_pencil_does_it)
{
    dpl_ctx *ctx = test_ctx(1);
    /* shares 1/2 1/4 1/4: 1.5 bits; one translation: none, though only 0.4 is left of it */
    dpl_lexicon *l = open_text(ctx, "a\tx\t0.4\na\ty\t0.2\na\tz\t0.2\nb\tx\t0.4\n", NULL);
    dpl_lexicon_column c = DPL_INIT(dpl_lexicon_column);
    CHECK_OK(dpl_lexicon_measure(&c, l, false, &test_err));
    CHECK(c.n_words == 2 && c.n_translated == 2 && c.n_entries == 4 && c.n_certain == 0);
    CHECK(is_close(c.entropy, 0.75) && is_close(c.perplexity, exp2(0.75)));
    CHECK(is_close(c.mass, 0.6) && is_close(c.top, 0.4));
    /* text does not say it the other way round */
    CHECK_OK(dpl_lexicon_measure(&c, l, true, &test_err));
    CHECK(c.n_words == 3 && c.n_translated == 0 && c.n_entries == 0 && c.mass == 0);
    /* p(source|target): of x both, of y one, of z none */
    static uint64_t offsets[] = {0, 2, 3, 3};
    static uint32_t cols[] = {0, 1, 0};
    static float p[] = {0.5f, 0.5f, 1};
    l->table[DPL__RIGHT] =
        (dpl__table){.n_rows = 3, .offsets = offsets, .cols = cols, .p = p, .n = 3};
    CHECK_OK(dpl_lexicon_measure(&c, l, true, &test_err));
    CHECK(c.n_words == 3 && c.n_translated == 2 && c.n_entries == 3 && c.n_certain == 2);
    CHECK(is_close(c.entropy, 0.5) && is_close(c.mass, 1) && is_close(c.top, 0.75));
    dpl_lexicon_close(l);
    l = open_text(ctx, "", NULL);
    CHECK_OK(dpl_lexicon_measure(&c, l, false, &test_err));
    CHECK(c.n_words == 0 && c.entropy == 0 && c.mass == 0);
    dpl_lexicon_close(l);
    test_ctx_done(ctx);
}
