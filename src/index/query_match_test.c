#include "index/pocket_test.h"

#include "vectors/vectors.h"

#include <math.h>

enum { MOST_SENTENCES = 8, MOST_WORDS = 6, N_VOCABULARY = 30, N_DOCS = 30 };

/* Sentences of words by number; the words of one language are w0, w1 ..., of the other one
 * v0, v1 ... */
typedef struct text {
    unsigned words[MOST_SENTENCES][MOST_WORDS];
    size_t n_words[MOST_SENTENCES], n;
    uint32_t begin[MOST_SENTENCES], end[MOST_SENTENCES];
    char written[1000];
    char letter;
} text;

static void draw_text(text *t, dpl__rng *rng, char letter, const text *from)
{
    *t = (text){.letter = letter, .n = 1 + dpl__rng_below(rng, MOST_SENTENCES)};
    char *at = t->written;
    for (size_t s = 0; s < t->n; s++) {
        const size_t of = from ? dpl__rng_below(rng, from->n) : 0;
        t->n_words[s] = from ? from->n_words[of] : 2 + dpl__rng_below(rng, MOST_WORDS - 1);
        t->begin[s] = (uint32_t)(at - t->written);
        for (size_t i = 0; i < t->n_words[s]; i++) {
            const bool is_own = !from || dpl__rng_below(rng, 2);
            t->words[s][i] =
                is_own ? (unsigned)dpl__rng_below(rng, N_VOCABULARY) : from->words[of][i];
            at += sprintf(at, "%s%c%u", i ? " " : "", i ? letter : letter - 'a' + 'A',
                          t->words[s][i]);
        }
        t->end[s] = (uint32_t)(at - t->written);
        at += sprintf(at, ". ");
    }
}

/* ---- one by one -------------------------------------------------------------------- */

/* Weights of a sentence over the words of the first language. Words of the second language are
 * 0.6 of the word with their number and 0.4 of the next one. */
static void weigh(double out[N_VOCABULARY], const dpl_index *x, const text *t, size_t s)
{
    memset(out, 0, N_VOCABULARY * sizeof *out);
    for (size_t i = 0; i < t->n_words[s]; i++)
        for (unsigned part = 0; part < (t->letter == 'v' ? 2 : 1); part++) {
            const unsigned word = (t->words[s][i] + part) % N_VOCABULARY;
            char name[20];
            uint32_t term;
            snprintf(name, sizeof name, "w%u", word);
            const uint64_t key = dpl__term_key(dpl__cstr(name));
            dpl__index_find_terms(x, &key, 1, &term);
            const double share = t->letter == 'v' ? (part ? 0.4 : 0.6) : 1;
            out[word] += share * (term == DPL__NO_WORD ? x->unknown_idf : (double)x->idf[term]);
        }
}

/* 0: too few words in common. */
static double match_of(const double *a, const double *b)
{
    double dot = 0, x = 0, y = 0;
    unsigned n_shared = 0;
    for (size_t i = 0; i < N_VOCABULARY; i++) {
        dot += a[i] * b[i];
        x += a[i] * a[i];
        y += b[i] * b[i];
        n_shared += a[i] > 0 && b[i] > 0;
    }
    const double cosine = dot / sqrt(x * y);
    CHECK(fabs(cosine - 0.7) > 1e-7);
    return n_shared >= 2 || cosine > 0.7 ? cosine : 0;
}

/* Passages of a hit against all pairs of sentences. Returns how many there are. */
static size_t check_passages(dpl_query *q, size_t hit, const text *asked, const text *doc)
{
    const dpl_query_passage *p;
    size_t n, at = 0;
    CHECK_OK(dpl_query_passages(q, hit, &p, &n, &test_err));
    for (size_t s = 0; s < asked->n; s++) {
        double a[N_VOCABULARY], cosines[MOST_SENTENCES], best = 0;
        weigh(a, q->index, asked, s);
        for (size_t i = 0; i < doc->n; i++) {
            double b[N_VOCABULARY];
            weigh(b, q->index, doc, i);
            cosines[i] = match_of(a, b);
            best = fmax(best, cosines[i]);
        }
        CHECK(fabs(best - 0.2) > 1e-7);
        if (best < 0.2)
            continue;
        CHECK(at < n);
        CHECK_EQ(p[at].query_begin, asked->begin[s]);
        CHECK_EQ(p[at].query_end, asked->end[s]);
        CHECK(fabs((double)p[at].score - best) < 1e-5 && p[at].score <= 1);
        size_t of = 0, first = 0;
        while (of < doc->n && doc->begin[of] != p[at].begin)
            of++;
        CHECK(of < doc->n && doc->end[of] == p[at].end);
        while (cosines[first] < best - 1e-9)
            first++;
        CHECK(cosines[of] >= best - 1e-9);
        CHECK(of == first || memcmp(doc->words[of], doc->words[first], sizeof doc->words[of]) !=
                                 0); /* of the same, the first */
        at++;
    }
    CHECK_EQ(at, n);
    return n;
}

/* ---- tests ------------------------------------------------------------------------- */

/* The documents with a lexicon from the second language into the first one; every third
 * document is in the second. */
static dpl_index *make_index(dpl_ctx *ctx, text *docs, dpl__rng *rng)
{
    char *json = malloc(N_DOCS * 1200), *at = json;
    char lexicon[N_VOCABULARY * 60], *end = lexicon;
    for (size_t d = 0; d < N_DOCS; d++) {
        const bool is_second = d % 3 == 2;
        draw_text(&docs[d], rng, is_second ? 'v' : 'w', NULL);
        at += sprintf(at, "{\"id\":\"%zu\",\"lang\":\"%s\",\"text\":\"%s\"}\n", d,
                      is_second ? "de" : "en", docs[d].written);
    }
    for (unsigned i = 0; i < N_VOCABULARY; i++)
        end += sprintf(end, "v%u\tw%u\t0.6\nv%u\tw%u\t0.4\n", i, i, i, (i + 1) % N_VOCABULARY);
    const char *path = test_write("l.tsv", lexicon, (size_t)(end - lexicon));
    const dpl_index_options o = DPL_INIT(dpl_index_options, .texts = true, .lexicons = &path,
                                         .n_lexicons = 1, .lexicon_langs = "de,en");
    dpl_index *x = pocket_of(ctx, test_write("d.jsonl", json, (size_t)(at - json)), &o);
    free(json);
    return x;
}

DPL_TEST(query_match, sentences_are_matched_as_all_pairs_of_sentences_say)
{
    dpl_ctx *ctx = test_ctx(1);
    text *docs = malloc(N_DOCS * sizeof *docs), *asked = malloc(sizeof *asked);
    dpl__rng rng = {31};
    dpl_index *x = make_index(ctx, docs, &rng);
    size_t n_matches = 0, n_none = 0;
    for (size_t round = 0; round < 60; round++) {
        const char letter = round % 2 ? 'v' : 'w';
        const dpl_query_options o =
            DPL_INIT(dpl_query_options, .lang = letter == 'v' ? "de" : "en", .top = 100,
                     .threshold = 0.01, .method = DPL_QUERY_EXACT);
        dpl_query *q = new_query(x, &o);
        draw_text(asked, &rng, letter, &docs[dpl__rng_below(&rng, N_DOCS)]);
        const dpl_query_result r = ask_text(q, asked->written);
        for (size_t i = 0; i < r.n_hits; i++) {
            const size_t n = check_passages(q, i, asked, &docs[r.hits[i].row]);
            n_matches += n;
            n_none += n == 0;
        }
        dpl_query_free(q);
    }
    CHECK(n_matches > 300 && n_none > 3);
    dpl_index_close(x);
    free(asked);
    free(docs);
    test_ctx_done(ctx);
}

/* Of a document of the index as the question: its own text is cut into sentences. */
DPL_TEST(query_match, a_document_of_the_index_is_matched_as_its_text_is)
{
    dpl_ctx *ctx = test_ctx(1);
    text *docs = malloc(N_DOCS * sizeof *docs);
    dpl__rng rng = {32};
    dpl_index *x = make_index(ctx, docs, &rng);
    const dpl_query_options o =
        DPL_INIT(dpl_query_options, .top = 100, .threshold = 0.01, .method = DPL_QUERY_EXACT);
    dpl_query *q = new_query(x, &o);
    size_t n = 0;
    for (uint32_t row = 0; row < N_DOCS; row++) {
        const dpl_query_result r = ask_row(q, row);
        for (size_t i = r.n_hits; i-- > 0;)
            n += check_passages(q, i, &docs[row], &docs[r.hits[i].row]);
    }
    CHECK(n > 300);
    dpl_query_free(q);
    dpl_index_close(x);
    free(docs);
    test_ctx_done(ctx);
}

/* Words that no document has weigh as one that a single document has, and match nothing. */
DPL_TEST(query_match, unknown_words_of_a_sentence_lower_its_cosine)
{
    static const char json[] =
        "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"Red green blue.\"}\n"
        "{\"id\":\"b\",\"lang\":\"en\",\"text\":\"Some other words.\"}\n";
    static const struct {
        const char *text;
        size_t n;
        double score;
    } cases[] = {{"Red green blue.", 1, 1},
                 {"Red green blue violet.", 1, 0.8660254},
                 {"Red violet violet.", 0, 0}, /* one word in common, and far */
                 {"Red green violet violet.", 1, 0.4714045},
                 {"Red. Green. Blue.", 0, 0},
                 {"Violet.", 0, 0}};
    dpl_ctx *ctx = test_ctx(1);
    const dpl_index_options with_texts = DPL_INIT(dpl_index_options, .texts = true);
    const dpl_query_options o = DPL_INIT(dpl_query_options, .lang = "en");
    dpl_index *x = pocket_of(ctx, test_write("u.jsonl", json, sizeof json - 1), &with_texts);
    dpl_query *q = new_query(x, &o);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl_query_passage *p;
        size_t n = 0;
        const dpl_query_result r = ask_text(q, cases[i].text);
        if (r.n_hits)
            CHECK_OK(dpl_query_passages(q, 0, &p, &n, &test_err));
        CHECK_EQ(n, cases[i].n);
        CHECK(!n || fabs((double)p[0].score - cases[i].score) < 1e-6);
    }
    dpl_query_free(q);
    dpl_index_close(x);
    test_ctx_done(ctx);
}
