#include "doppel/reuse.h"

#include "base/hash.h"
#include "doppel/lexicon.h"
#include "reuse/match_groups.h"
#include "reuse/reuse_params.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- groups --------------------------------------------------------------------------- */

typedef struct tally {
    size_t n_groups, sizes[8];
} tally;

static dpl_status count_group(void *user, dpl__match *m, size_t n, dpl_error *err)
{
    (void)m, (void)err;
    tally *t = user;
    t->sizes[t->n_groups++] = n;
    return DPL_OK;
}

DPL_TEST(reuse, matches_are_divided_at_gaps_of_either_side)
{
    dpl__match m[] = {{1, 50, 1}, {2, 51, 1}, {3, 90, 1}, {4, 91, 1}, {40, 52, 1}, {5, 92, 1}};
    tally t = {0};
    CHECK_OK(dpl__group_matches(m, DPL_LEN(m), 5, count_group, &t, &test_err));
    CHECK_EQ(t.n_groups, 3);
    CHECK_EQ(t.sizes[0] + t.sizes[1] + t.sizes[2], DPL_LEN(m));
}

enum { MATCHES = 12 };

typedef struct taken_groups {
    uint32_t of[MATCHES]; /* by the number of the match, which is its weight */
    uint32_t n;
} taken_groups;

static dpl_status take_group(void *user, dpl__match *m, size_t n, dpl_error *err)
{
    (void)err;
    taken_groups *t = user;
    for (size_t i = 0; i < n; i++)
        t->of[(size_t)m[i].weight] = t->n;
    t->n++;
    return DPL_OK;
}

/* Two matches of one group between which no match of the group stands, on this side. */
static bool has_gap(const dpl__match *m, const uint32_t *group_of, size_t i, bool is_source,
                    uint32_t gap)
{
    const uint32_t at = is_source ? m[i].source : m[i].query;
    uint32_t next = UINT32_MAX;
    for (size_t k = 0; k < MATCHES; k++) {
        const uint32_t other = is_source ? m[k].source : m[k].query;
        if (group_of[k] == group_of[i] && other > at && other < next)
            next = other;
    }
    return next != UINT32_MAX && next - at > gap;
}

/* Divides one group at one gap at a time until there is none. */
static void divide_naively(uint32_t *group_of, const dpl__match *m, uint32_t gap)
{
    uint32_t n = 1;
    for (size_t turn = 0; turn < (size_t)2 * MATCHES; turn++) /* more than there are gaps */
        for (size_t i = 0; i < 2 * MATCHES; i++) {
            const bool is_source = i & 1;
            const dpl__match *at = &m[i / 2];
            if (!has_gap(m, group_of, i / 2, is_source, gap))
                continue;
            const uint32_t group = group_of[i / 2];
            for (size_t k = 0; k < MATCHES; k++)
                if (group_of[k] == group &&
                    (is_source ? m[k].source > at->source : m[k].query > at->query))
                    group_of[k] = n;
            n++;
        }
}

DPL_TEST(reuse, groups_of_matches_are_those_of_a_naive_division)
{
    for (uint64_t seed = 0; seed < 500; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        const uint32_t gap = (uint32_t)dpl__rng_below(&rng, 6);
        dpl__match m[MATCHES], sorted[MATCHES];
        uint32_t naive[MATCHES] = {0};
        taken_groups found = {.n = 0};
        for (size_t i = 0; i < MATCHES; i++)
            m[i] = (dpl__match){(uint32_t)dpl__rng_below(&rng, 30),
                                (uint32_t)dpl__rng_below(&rng, 30), (float)i};
        divide_naively(naive, m, gap);
        memcpy(sorted, m, sizeof m);
        CHECK_OK(dpl__group_matches(sorted, MATCHES, gap, take_group, &found, &test_err));
        for (size_t i = 0; i < MATCHES; i++)
            for (size_t k = 0; k < i; k++)
                if ((found.of[i] == found.of[k]) != (naive[i] == naive[k]))
                    dpl__test_fail(__FILE__, __LINE__, "seed %llu: matches %zu and %zu",
                                   (unsigned long long)seed, i, k);
    }
}

DPL_TEST(reuse, the_share_in_order_is_that_of_the_longest_chain)
{
    uint32_t scratch[8];
    dpl__match rising[] = {{1, 5, 1}, {2, 6, 1}, {3, 7, 1}},
               turned[] = {{1, 7, 1}, {2, 6, 1}, {3, 5, 1}},
               swapped[] = {{1, 7, 1}, {2, 8, 1}, {3, 5, 1}, {4, 6, 1}};
    CHECK(dpl__matches_in_order(rising, 3, scratch) == 1);
    CHECK(dpl__matches_in_order(turned, 3, scratch) * 3 == 1);
    CHECK(dpl__matches_in_order(swapped, 4, scratch) == 0.5);
    CHECK(dpl__matches_in_order(rising, 0, scratch) == 0);
}

/* Longest chain by trying all of its ends. */
static size_t longest_chain(const dpl__match *m, size_t n)
{
    size_t best[16] = {0}, most = 0;
    for (size_t i = 0; i < n; i++) {
        best[i] = 1;
        for (size_t k = 0; k < i; k++)
            if (m[k].source < m[i].source && best[k] + 1 > best[i])
                best[i] = best[k] + 1;
        most = best[i] > most ? best[i] : most;
    }
    return most;
}

DPL_TEST(reuse, chains_are_those_of_a_naive_search)
{
    dpl__rng rng = {3};
    for (int round = 0; round < 500; round++) {
        dpl__match m[16];
        uint32_t scratch[16];
        const size_t n = 1 + dpl__rng_below(&rng, 16);
        for (size_t i = 0; i < n; i++)
            m[i] = (dpl__match){(uint32_t)i, (uint32_t)dpl__rng_below(&rng, 40), 1};
        const double share = dpl__matches_in_order(m, n, scratch);
        CHECK_EQ((size_t)(share * (double)n + 0.5), longest_chain(m, n));
    }
}

/* ---- passages -------------------------------------------------------------------------- */

enum { N_WORDS = 200, DOC_RUN = 60 };

static size_t put_doc(char *out, const char *id, const unsigned *words, size_t n)
{
    size_t at = (size_t)sprintf(out, "{\"id\":\"%s\",\"lang\":\"en\",\"text\":\"", id);
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(out + at, "%sw%u", i ? " " : "", words[i]);
    return at + (size_t)sprintf(out + at, "\"}\n");
}

/* Two documents of random words; the query has 60 of the second one in its middle, `change`d:
 * 1 exchanges every seventh word, 2 swaps both halves. */
static dpl_reuse_result *search(dpl_ctx *ctx, int change)
{
    unsigned source[2][N_WORDS], query[N_WORDS];
    char *text = malloc(3 * N_WORDS * 8 + 300);
    dpl__rng rng = {7};
    CHECK(text != NULL);
    for (size_t i = 0; i < N_WORDS; i++) {
        source[0][i] = (unsigned)dpl__rng_below(&rng, 100000);
        source[1][i] = (unsigned)dpl__rng_below(&rng, 100000);
        query[i] = (unsigned)dpl__rng_below(&rng, 100000);
    }
    for (size_t i = 0; i < 60; i++) {
        const size_t from = change == 2 ? (i + 30) % 60 : i;
        query[70 + i] =
            change == 1 && i % 7 == 3 && i < 57 ? query[70 + i] : source[1][100 + from];
    }
    size_t n = put_doc(text, "a", source[0], N_WORDS);
    n += put_doc(text + n, "b", source[1], N_WORDS);
    const size_t m = put_doc(text + n, "q", query, N_WORDS);
    const dpl_input c = {.buffer = {text, n}, .name = "c.jsonl"},
                    q = {.buffer = {text + n, m}, .name = "q.jsonl"};
    dpl_reuse_result *r = NULL;
    CHECK_OK(dpl_reuse(&r, ctx, &q, 1, &c, 1, NULL, &test_err));
    free(text);
    return r;
}

DPL_TEST(reuse, planted_passages_are_found_at_their_places_and_told_apart)
{
    static const dpl_passage_kind kinds[] = {DPL_PASSAGE_VERBATIM, DPL_PASSAGE_EDITED,
                                             DPL_PASSAGE_REORDERED};
    for (int change = 0; change < 3; change++) {
        dpl_ctx *ctx = test_ctx(1 + (unsigned)change);
        dpl_reuse_result *r = search(ctx, change);
        CHECK_EQ(dpl_reuse_get_summary(r)->n_passages, 1);
        const dpl_passage *p = dpl_reuse_get_passage(r, 0);
        CHECK_EQ(p->kind, kinds[change]);
        CHECK_STR(dpl_reuse_doc(r, p->source.doc, true).id, "b");
        CHECK_EQ(p->query.first_token, 70);
        CHECK_EQ(p->query.n_tokens, 60);
        CHECK_EQ(p->source.first_token, 100);
        CHECK_EQ(p->source.n_tokens, 60);
        const dpl_str text = dpl_reuse_text(r, p, true);
        CHECK(text.data[0] == 'w' && text.data[-1] == ' ' && text.data[text.n] == ' ');
        CHECK_EQ(dpl_reuse_get_summary(r)->n_reused_words, 60);
        dpl_reuse_result_free(r);
        test_ctx_done(ctx);
    }
}

typedef struct page {
    char text[1 << 16];
    size_t n;
} page;

static void keep_page(void *user, const char *data, size_t n)
{
    page *p = user;
    CHECK(p->n + n < sizeof p->text);
    memcpy(p->text + p->n, data, n);
    p->n += n;
}

DPL_TEST(reuse, the_page_escapes_texts)
{
    static const char text[] =
        "{\"id\":\"<i>\",\"lang\":\"en\",\"text\":\"a<b c>d e&f \\\"g\\\" one two three four "
        "five six seven eight nine ten eleven twelve thirteen fourteen\"}\n";
    dpl_ctx *ctx = test_ctx(1);
    const dpl_input in = {.buffer = {text, sizeof text - 1}, .name = "c.jsonl"};
    dpl_reuse_result *r = NULL;
    page *p = calloc(1, sizeof *p);
    int depth = 0;
    CHECK_OK(dpl_reuse(&r, ctx, &in, 1, &in, 1, NULL, &test_err));
    CHECK_EQ(dpl_reuse_get_summary(r)->n_passages, 1);
    dpl_reuse_html(r, keep_page, p);
    const char *body = strstr(p->text, "</style>"); /* a style has '>' between elements */
    CHECK(body != NULL);
    for (size_t i = (size_t)(body - p->text); i < p->n; i++) {
        depth += (p->text[i] == '<') - (p->text[i] == '>');
        CHECK(depth == 0 || depth == 1);
    }
    CHECK(strstr(p->text, "&lt;i&gt;") && !strstr(p->text, "<i>"));
    CHECK(strstr(p->text, "a&lt;b c&gt;d e&amp;f"));
    CHECK(!strstr(p->text, "a<b"));
    CHECK(strstr(p->text, "paragraph 1, sentence 1") && !strstr(p->text, "bytes"));
    free(p);
    dpl_reuse_result_free(r);
    test_ctx_done(ctx);
}

/* "w<first> ... w<last>", and three words of a heading in front of some words of its own. */
static size_t put_run(char *out, const char *id, unsigned own, unsigned first, unsigned n)
{
    unsigned words[DOC_RUN + 12] = {1, 2, 3};
    for (unsigned i = 0; i < 9; i++)
        words[3 + i] = own + i;
    for (unsigned i = 0; i < n; i++)
        words[12 + i] = first + i;
    return put_doc(out, id, words, 12 + n);
}

DPL_TEST(reuse, a_verbatim_passage_behind_another_heading_is_verbatim)
{
    char text[4000];
    dpl_ctx *ctx = test_ctx(1);
    size_t n = put_run(text, "a", 100, 1000, DOC_RUN);
    const size_t m = put_run(text + n, "q", 200, 1000, DOC_RUN);
    const dpl_input c = {.buffer = {text, n}, .name = "c.jsonl"},
                    q = {.buffer = {text + n, m}, .name = "q.jsonl"};
    dpl_reuse_result *r = NULL;
    CHECK_OK(dpl_reuse(&r, ctx, &q, 1, &c, 1, NULL, &test_err));
    CHECK_EQ(dpl_reuse_get_summary(r)->n_passages, 1);
    const dpl_passage *p = dpl_reuse_get_passage(r, 0);
    CHECK_EQ(p->kind, DPL_PASSAGE_VERBATIM);
    CHECK_EQ(p->query.first_token, 12);
    CHECK_EQ(p->query.n_tokens, DOC_RUN);
    CHECK(p->similarity > 0.999f);
    dpl_reuse_result_free(r);
    test_ctx_done(ctx);
}

/* Words of a German sentence have German stems, whatever language the document is in. */
DPL_TEST(reuse, a_german_paragraph_of_an_english_essay_is_verbatim_with_stems)
{
    static const char source[] =
        "{\"id\":\"a\",\"lang\":\"de\",\"text\":\"Die Bauern schlossen sich zusammen und "
        "kauften die alte "
        "K\\u00e4serei mit ihren Gesch\\u00e4ften, weil die Molkerei sie schlie\\u00dfen "
        "wollte. Inzwischen "
        "geh\\u00f6ren der neuen Genossenschaft hundert Familien aus f\\u00fcnf benachbarten "
        "D\\u00f6rfern an.\"}\n";
    static const char essay[] = "{\"id\":\"q\",\"lang\":\"en\",\"text\":\"In this essay I want "
                                "to look at the way in which small "
                                "places deal with the forces around them. My own view is that "
                                "reporters prefer the curious to the "
                                "important.\\n\\nDie Bauern schlossen sich zusammen und "
                                "kauften die alte K\\u00e4serei mit ihren "
                                "Gesch\\u00e4ften, weil die Molkerei sie schlie\\u00dfen "
                                "wollte. Inzwischen geh\\u00f6ren der neuen "
                                "Genossenschaft hundert Familien aus f\\u00fcnf benachbarten "
                                "D\\u00f6rfern an.\\n\\nIt remains to ask what "
                                "readers take away from such stories.\"}\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *lexicon = NULL;
    const dpl_lexicon_entry entry = {DPL_STR("haus"), DPL_STR("house"), 1};
    const dpl_lexicon_import_options l = DPL_INIT(
        dpl_lexicon_import_options, .source_lang = "de", .target_lang = "en", .stem = true);
    CHECK_OK(dpl_lexicon_from_entries(&lexicon, ctx, &entry, 1, &l, &test_err));
    const dpl_input c = {.buffer = {source, sizeof source - 1}, .name = "c.jsonl"},
                    q = {.buffer = {essay, sizeof essay - 1}, .name = "q.jsonl"};
    const dpl_lexicon *const lexicons[] = {lexicon};
    const dpl_reuse_options o =
        DPL_INIT(dpl_reuse_options, .lexicons = lexicons, .n_lexicons = 1);
    dpl_reuse_result *r = NULL;
    CHECK_OK(dpl_reuse(&r, ctx, &q, 1, &c, 1, &o, &test_err));
    CHECK_EQ(dpl_reuse_get_summary(r)->n_passages, 1);
    const dpl_passage *p = dpl_reuse_get_passage(r, 0);
    CHECK_EQ(p->kind, DPL_PASSAGE_VERBATIM);
    CHECK_EQ(p->query.n_sentences, 2);
    CHECK_EQ(p->source.begin, 0);
    dpl_reuse_result_free(r);
    dpl_lexicon_close(lexicon);
    test_ctx_done(ctx);
}

DPL_TEST(reuse, sources_are_ranked_by_what_those_before_them_do_not_explain)
{
    /* a has the first 30 words of the query, b the first 50, c the last 20 */
    char text[8000];
    unsigned words[200];
    dpl_ctx *ctx = test_ctx(2);
    for (unsigned i = 0; i < 200; i++)
        words[i] = 5000 + i;
    size_t n = put_doc(text, "a", words, 30);
    n += put_doc(text + n, "b", words, 50);
    n += put_doc(text + n, "c", words + 60, 20);
    const size_t m = put_doc(text + n, "q", words, 80);
    const dpl_input c = {.buffer = {text, n}, .name = "c.jsonl"},
                    q = {.buffer = {text + n, m}, .name = "q.jsonl"};
    static const struct {
        const char *id;
        unsigned n_words, n_new;
    } expected[] = {{"b", 50, 50}, {"c", 20, 20}, {"a", 30, 0}};
    dpl_reuse_result *r = NULL;
    CHECK_OK(dpl_reuse(&r, ctx, &q, 1, &c, 1, NULL, &test_err));
    CHECK_EQ(dpl_reuse_get_summary(r)->n_source_docs, 3);
    for (size_t i = 0; i < 3; i++) {
        const dpl_reuse_source *s = dpl_reuse_get_source(r, i);
        CHECK_STR(dpl_reuse_doc(r, s->doc, true).id, expected[i].id);
        CHECK_EQ(s->n_words, expected[i].n_words);
        CHECK_EQ(s->n_new_words, expected[i].n_new);
        CHECK_EQ(s->n_passages, 1);
    }
    dpl_reuse_result_free(r);
    test_ctx_done(ctx);
}

/* ---- against a naive search ------------------------------------------------------------ */

enum { MOST_DOCS = 6, DOC_WORDS = 120, FEW_WORDS = 15 /* the default of min_words */ };

typedef struct texts {
    unsigned words[MOST_DOCS][DOC_WORDS];
    char json[MOST_DOCS * (DOC_WORDS * 8 + 100)];
    size_t n_docs, n_bytes;
} texts;

static void write_texts(texts *t, const char *prefix)
{
    t->n_bytes = 0;
    for (size_t i = 0; i < t->n_docs; i++) {
        char id[32];
        snprintf(id, sizeof id, "%s%zu", prefix, i);
        t->n_bytes += put_doc(t->json + t->n_bytes, id, t->words[i], DOC_WORDS);
    }
}

/* Random words, and copies of runs of 5 to 60 words from one side in the other. */
static void make_texts(texts *query, texts *source, dpl__rng *rng)
{
    texts *sides[] = {query, source};
    for (int side = 0; side < 2; side++) {
        sides[side]->n_docs = 1 + dpl__rng_below(rng, MOST_DOCS);
        for (size_t i = 0; i < sides[side]->n_docs; i++)
            for (size_t k = 0; k < DOC_WORDS; k++)
                sides[side]->words[i][k] = (unsigned)dpl__rng_below(rng, 1000000);
    }
    for (int i = 0; i < 6; i++) {
        const size_t n = 5 + dpl__rng_below(rng, 56);
        const size_t to = dpl__rng_below(rng, query->n_docs), /* one by one: in this order */
            to_word = dpl__rng_below(rng, DOC_WORDS - n),
                     from = dpl__rng_below(rng, source->n_docs),
                     from_word = dpl__rng_below(rng, DOC_WORDS - n);
        memcpy(&query->words[to][to_word], &source->words[from][from_word],
               n * sizeof(unsigned));
    }
    write_texts(query, "q");
    write_texts(source, "s");
}

/* Words in common from these two places on. */
static size_t run_length(const unsigned *a, size_t i, const unsigned *b, size_t k)
{
    size_t n = 0;
    while (i + n < DOC_WORDS && k + n < DOC_WORDS && a[i + n] == b[k + n])
        n++;
    return n;
}

/* Is most of the place in a passage of the result? */
static bool is_found(const dpl_reuse_result *r, uint32_t query, uint32_t source, size_t first,
                     size_t n)
{
    for (size_t i = 0; i < dpl_reuse_get_summary(r)->n_passages; i++) {
        const dpl_passage *p = dpl_reuse_get_passage(r, i);
        if (p->query.doc == query && p->source.doc == source &&
            p->query.first_token <= first + n / 2 &&
            p->query.first_token + p->query.n_tokens >= first + n / 2)
            return true;
    }
    return false;
}

/* Every run of words in common that is long enough, by comparison of all places. */
static void check_complete(const dpl_reuse_result *r, const texts *query, const texts *source)
{
    for (uint32_t q = 0; q < query->n_docs; q++)
        for (uint32_t s = 0; s < source->n_docs; s++)
            for (size_t i = 0; i < DOC_WORDS; i++)
                for (size_t k = 0; k < DOC_WORDS; k++) {
                    const bool is_inside =
                        i && k && query->words[q][i - 1] == source->words[s][k - 1];
                    const size_t n = run_length(query->words[q], i, source->words[s], k);
                    if (!is_inside && n >= FEW_WORDS)
                        CHECK(is_found(r, q, s, i, n));
                }
}

/* Places are within their documents, bytes are those of the words, and most of the words are
 * on both sides. */
static void check_right(const dpl_reuse_result *r, const texts *query, const texts *source)
{
    for (size_t i = 0; i < dpl_reuse_get_summary(r)->n_passages; i++) {
        const dpl_passage *p = dpl_reuse_get_passage(r, i);
        const unsigned *a = query->words[p->query.doc], *b = source->words[p->source.doc];
        size_t n_both = 0, n_text = 0;
        CHECK(p->query.first_token + p->query.n_tokens <= DOC_WORDS);
        CHECK(p->source.first_token + p->source.n_tokens <= DOC_WORDS);
        for (size_t k = 0; k < p->query.n_tokens; k++) {
            bool is_there = false;
            for (size_t m = 0; m < p->source.n_tokens; m++)
                is_there |= a[p->query.first_token + k] == b[p->source.first_token + m];
            n_both += is_there;
        }
        if (p->kind == DPL_PASSAGE_VERBATIM)
            CHECK((double)n_both >= DPL__P(reuse, verbatim) * p->query.n_tokens);
        CHECK(2 * n_both >= p->query.n_tokens);
        const dpl_str text = dpl_reuse_text(r, p, false);
        char first[16];
        snprintf(first, sizeof first, "w%u", a[p->query.first_token]);
        CHECK(memcmp(text.data, first, strlen(first)) == 0);
        for (size_t k = 0; k < text.n; k++)
            n_text += text.data[k] == ' ';
        CHECK_EQ(n_text + 1, p->query.n_tokens);
    }
}

DPL_TEST(reuse, passages_are_those_of_a_comparison_of_all_places)
{
    texts *query = calloc(1, sizeof *query), *source = calloc(1, sizeof *source);
    dpl__rng rng = {11};
    for (int round = 0; round < 300; round++) { /* 3 of 100 have passages beside each other */
        dpl_ctx *ctx = test_ctx(1 + (unsigned)round % 3);
        make_texts(query, source, &rng);
        const dpl_input q = {.buffer = {query->json, query->n_bytes}, .name = "q.jsonl"},
                        s = {.buffer = {source->json, source->n_bytes}, .name = "s.jsonl"};
        dpl_reuse_result *r = NULL;
        CHECK_OK(dpl_reuse(&r, ctx, &q, 1, &s, 1, NULL, &test_err));
        check_complete(r, query, source);
        check_right(r, query, source);
        dpl_reuse_result_free(r);
        test_ctx_done(ctx);
    }
    free(query);
    free(source);
}

/* ---- several inputs -------------------------------------------------------------------- */

#define SENTENCE                                                                               \
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"

static const char doc_x[] = "{\"id\":\"x\",\"lang\":\"en\",\"text\":\"" SENTENCE "\"}\n";

DPL_TEST(reuse, ids_that_several_inputs_have_get_their_names_in_front)
{
    dpl_ctx *ctx = test_ctx(2);
    const char *path = test_write("a.jsonl", doc_x, sizeof doc_x - 1),
               *made = test_path("b.dpl");
    CHECK_OK(dpl_import(NULL, ctx, made, &path, 1, NULL, &test_err));
    const dpl_input query = {.path = path}, both[] = {{.path = path}, {.path = made}};
    dpl_reuse_result *r = NULL;
    CHECK_OK(dpl_reuse(&r, ctx, &query, 1, both, 2, NULL, &test_err));
    CHECK_EQ(dpl_reuse_get_summary(r)->n_passages, 2);
    CHECK_STR(dpl_reuse_doc(r, 0, false).id, "x");
    CHECK_STR(dpl_reuse_doc(r, 0, true).id, "a:x");
    CHECK_STR(dpl_reuse_doc(r, 1, true).id, "b:x");
    dpl_reuse_result_free(r);
    /* the same id is that of the input */
    const dpl_reuse_options o = DPL_INIT(dpl_reuse_options, .skip_same_id = true);
    CHECK_OK(dpl_reuse(&r, ctx, &query, 1, both, 2, &o, &test_err));
    CHECK_EQ(dpl_reuse_get_summary(r)->n_passages, 0);
    dpl_reuse_result_free(r);
    test_ctx_done(ctx);
}

/* ---- failing memory ----------------------------------------------------------------- */

static dpl_status search_little(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    static const char text[] =
        "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"one two three four five six seven eight nine "
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen\"}\n";
    const dpl_input in = {.buffer = {text, sizeof text - 1}, .name = "c.jsonl"};
    dpl_reuse_result *r = NULL;
    dpl_status status = dpl_reuse(&r, ctx, &in, 1, &in, 1, NULL, err);
    dpl_reuse_result_free(r);
    return status;
}

DPL_TEST(reuse, failed_allocations_are_reported)
{
    test_allocation_failures(search_little, NULL);
}
