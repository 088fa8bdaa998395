#include "index/pocket_test.h"

#include "doppel/reuse.h"

enum { MOST_SENTENCES = 40, SENTENCE = 12, PART_WORDS = 60, PART_HITS = 8 };

static const drawn_docs some = {.n = 90, .n_words = 48, .seed = 101};

/* Sentences of twelve words, each from another document of the index; where each begins. */
typedef struct asked {
    char text[MOST_SENTENCES * SENTENCE * 8];
    size_t begin[MOST_SENTENCES + 1], n;
} asked;

static void draw_asked(asked *a, size_t n, dpl__rng *rng)
{
    char *at = a->text;
    a->n = n;
    for (size_t s = 0; s < n; s++) {
        char *doc = drawn_text(&some, dpl__rng_below(rng, some.n)), *word = doc;
        for (size_t skip = dpl__rng_below(rng, some.n_words - SENTENCE); skip > 0; skip--)
            word = strchr(word, ' ') + 1;
        a->begin[s] = (size_t)(at - a->text);
        for (size_t i = 0; i < SENTENCE; i++) {
            const size_t n_word = strcspn(word, " ");
            at +=
                sprintf(at, "%s%c%.*s", i ? " " : "", i ? 'w' : 'W', (int)n_word - 1, word + 1);
            word += n_word + 1;
        }
        at += sprintf(at, ". ");
        free(doc);
    }
    *at = 0;
    a->begin[n] = (size_t)(at - a->text);
}

/* Documents that answer a part: parts end with a sentence, and have as many words as the last
 * one has at least. */
static size_t count_answers(const dpl_index *x, const asked *a)
{
    bool is_answer[256] = {false};
    size_t n = 0, first = 0;
    const dpl_query_options o =
        DPL_INIT(dpl_query_options, .top = PART_HITS, .threshold = 0.03);
    dpl_query *q = new_query(x, &o);
    for (size_t s = 1; s <= a->n; s++) {
        const size_t n_before = (s - first) * SENTENCE, n_behind = (a->n - s) * SENTENCE;
        if (s < a->n && (n_before < PART_WORDS || n_behind < PART_WORDS))
            continue;
        dpl_query_result r = DPL_INIT(dpl_query_result);
        const dpl_str part = {a->text + a->begin[first], a->begin[s] - a->begin[first]};
        CHECK_OK(dpl_query_text(q, part, &r, &test_err));
        for (size_t i = 0; i < r.n_hits; i++)
            is_answer[r.hits[i].row] = true;
        first = s;
    }
    for (size_t row = 0; row < some.n; row++)
        n += is_answer[row];
    dpl_query_free(q);
    return n;
}

static dpl_reuse_result *passages_of(dpl_ctx *ctx, const dpl_index *x, const char *text,
                                     const char *lang)
{
    char *json = malloc(strlen(text) + 100);
    sprintf(json, "{\"id\":\"q\",\"lang\":\"%s\",\"text\":\"%s\"}\n", lang, text);
    const dpl_input in = {.buffer = dpl__cstr(json), .name = "q.jsonl"};
    dpl_reuse_result *r = NULL;
    CHECK_OK(dpl_index_passages(&r, ctx, x, &in, 1, NULL, &test_err));
    free(json);
    return r;
}

DPL_TEST(index_passages, every_part_of_a_document_is_a_question)
{
    static const size_t lengths[] = {1, 4, 5, 9, 10, 11, 15, 20, 24, 39};
    dpl_ctx *ctx = test_ctx(2);
    const dpl_index_options with_texts = DPL_INIT(dpl_index_options, .texts = true);
    dpl_index *x = drawn_pocket(ctx, &some, &with_texts);
    dpl__rng rng = {102};
    asked *a = malloc(sizeof *a);
    size_t most = 0;
    for (size_t i = 0; i < DPL_LEN(lengths); i++) {
        draw_asked(a, lengths[i], &rng);
        dpl_reuse_result *r = passages_of(ctx, x, a->text, "en");
        const dpl_reuse_summary *s = dpl_reuse_get_summary(r);
        const size_t n = count_answers(x, a);
        CHECK_EQ(s->n_candidates, n);
        CHECK_EQ(s->n_docs, some.n);
        CHECK(n > 0 && n <= PART_HITS * (1 + lengths[i] / 5));
        most = n > most ? n : most;
        dpl_reuse_result_free(r);
    }
    CHECK(most > PART_HITS);
    free(a);
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* ---- translated passages --------------------------------------------------------------------
 */

enum { N_TOPICS = 6, TOPIC = 30 };

/* English documents of words of their own, and a lexicon of as many German ones. */
static const char *write_topics(const char *name)
{
    char *json = malloc(N_TOPICS * TOPIC * 12), *at = json;
    for (unsigned d = 0; d < N_TOPICS; d++) {
        at += sprintf(at, "{\"id\":\"e%u\",\"lang\":\"en\",\"text\":\"", d);
        for (unsigned i = 0; i < TOPIC; i++)
            at +=
                sprintf(at, "%c%u%s", i % 10 ? 'w' : 'W', d * 100 + i, i % 10 < 9 ? " " : ". ");
        at += sprintf(at, "\"}\n");
    }
    const char *path = test_write(name, json, (size_t)(at - json));
    free(json);
    return path;
}

static const char *write_lexicon(const char *name)
{
    char *lines = malloc(N_TOPICS * TOPIC * 20), *at = lines;
    for (unsigned d = 0; d < N_TOPICS; d++)
        for (unsigned i = 0; i < TOPIC; i++)
            at += sprintf(at, "v%u\tw%u\t1\n", d * 100 + i, d * 100 + i);
    const char *path = test_write(name, lines, (size_t)(at - lines));
    free(lines);
    return path;
}

/* Of a topic and the two behind it. */
static void write_german(char *to, unsigned topic)
{
    for (unsigned d = topic; d < topic + 3; d++)
        for (unsigned i = 0; i < TOPIC; i++)
            to += sprintf(to, "%c%u%s", i % 10 ? 'v' : 'V', d % N_TOPICS * 100 + i,
                          i % 10 < 9 ? " " : ". ");
}

DPL_TEST(index_passages, the_lexicon_of_the_index_finds_translated_ones)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *lexicon = write_lexicon("l.tsv");
    const dpl_index_options o = DPL_INIT(dpl_index_options, .texts = true, .lexicons = &lexicon,
                                         .n_lexicons = 1, .lexicon_langs = "de,en");
    dpl_index *x = pocket_of(ctx, write_topics("e.jsonl"), &o);
    for (unsigned topic = 0; topic < N_TOPICS; topic++) {
        char text[3 * TOPIC * 10];
        write_german(text, topic);
        dpl_reuse_result *r = passages_of(ctx, x, text, "de");
        const dpl_reuse_summary *s = dpl_reuse_get_summary(r);
        bool is_found[N_TOPICS] = {false};
        CHECK_EQ(s->n_source_docs, 3);
        CHECK_EQ(s->n_kinds[DPL_PASSAGE_TRANSLATED], s->n_passages);
        for (size_t i = 0; i < 3; i++) {
            const dpl_str found = dpl_reuse_doc(r, dpl_reuse_get_source(r, i)->doc, true).id;
            is_found[found.data[1] - '0'] = true;
        }
        for (unsigned k = 0; k < 3; k++)
            CHECK(is_found[(topic + k) % N_TOPICS]);
        dpl_reuse_result_free(r);
    }
    dpl_index_close(x);
    test_ctx_done(ctx);
}

/* In English: the lexicon is made for what answers, whatever the question is in. */
static dpl_status find_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    static const char json[] =
        "{\"id\":\"q\",\"lang\":\"en\",\"text\":\"W300 w301 w302 w303 w304.\"}\n";
    const dpl_input in = {.buffer = {json, sizeof json - 1}, .name = "q.jsonl"};
    dpl_index *x = NULL;
    dpl_reuse_result *r = NULL;
    dpl_status status = dpl_index_open(&x, ctx, user, err);
    if (status == DPL_OK)
        status = dpl_index_passages(&r, ctx, x, &in, 1, NULL, err);
    dpl_reuse_result_free(r);
    dpl_index_close(x);
    return status;
}

DPL_TEST(index_passages, no_memory_leaves_nothing_behind)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *lexicon = write_lexicon("l.tsv");
    const dpl_index_options o = DPL_INIT(dpl_index_options, .texts = true, .lexicons = &lexicon,
                                         .n_lexicons = 1, .lexicon_langs = "de,en");
    dpl_index_close(pocket_of(ctx, write_topics("e.jsonl"), &o));
    test_ctx_done(ctx);
    char path[500];
    snprintf(path, sizeof path, "%s", test_path("index.pocket"));
    test_allocation_failures(find_some, path);
}
