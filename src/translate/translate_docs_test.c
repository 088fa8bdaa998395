#include "doppel/translate.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Documents of made-up words, translated word by word with a lexicon: "d7" is "e7", though it
 * may also be "f7"; "u7" is not known. Sentences have three words; DOCS are more than a batch.
 */
enum { DOCS = 1100, WORDS = 40, ROOM = 1 << 19 };

typedef struct material {
    char json[ROOM], german[DOCS][160], english[DOCS][160];
    size_t n_json;
    uint64_t n_words, n_unknown;
    size_t at; /* the next document that is expected */
} material;

static void put_sentence(material *m, char *german, char *english, dpl__rng *rng)
{
    for (unsigned i = 0; i < 3; i++) {
        const unsigned k = (unsigned)dpl__rng_below(rng, WORDS);
        const bool is_known = k % 4 != 0;
        const char from = is_known ? 'd' : 'u', to = is_known ? 'e' : 'u';
        const int upper = i ? 0 : 'A' - 'a';
        german += sprintf(german, "%s%c%u", i ? " " : "", from + upper, k);
        english += sprintf(english, "%s%c%u", i ? " " : "", to + upper, k);
        m->n_unknown += !is_known;
    }
    strcpy(german, ".");
    strcpy(english, ".");
    m->n_words += 4; /* the full stop is one */
    m->n_unknown++;
}

/* A document of English is not translated; between paragraphs is one line break, whatever there
 * was before. */
static void make(material *m, uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed)};
    *m = (material){0};
    for (size_t i = 0; i < DOCS; i++) {
        const bool is_english = i % 7 == 3;
        char *g = m->german[i], *e = m->english[i];
        const unsigned n = 1 + (unsigned)dpl__rng_below(&rng, 4);
        for (unsigned k = 0; k < n; k++) {
            const bool is_paragraph = dpl__rng_below(&rng, 3) == 0;
            const uint64_t n_words = m->n_words, n_unknown = m->n_unknown;
            strcat(g, k == 0 ? "" : is_paragraph ? "\n\n" : " ");
            strcat(e, k == 0 ? "" : is_paragraph ? "\n" : " ");
            put_sentence(m, g + strlen(g), e + strlen(e), &rng);
            if (is_english) {
                m->n_words = n_words;
                m->n_unknown = n_unknown;
            }
        }
        m->n_json +=
            (size_t)sprintf(m->json + m->n_json, "{\"id\":\"n%zu\",\"lang\":\"%s\",\"text\":\"",
                            i, is_english ? "en" : "de");
        for (const char *p = g; *p; p++)
            m->n_json += (size_t)sprintf(m->json + m->n_json, *p == '\n' ? "\\n" : "%c", *p);
        m->n_json += (size_t)sprintf(m->json + m->n_json, "\"}\n");
        if (is_english)
            strcpy(e, g);
    }
    CHECK(m->n_json < ROOM);
}

static dpl_status take(void *user, const dpl_doc *doc, dpl_str translation, dpl_error *err)
{
    (void)err;
    material *m = user;
    char id[16];
    CHECK(m->at < DOCS);
    snprintf(id, sizeof id, "n%zu", m->at);
    CHECK_STR(doc->id, id);
    CHECK_STR(doc->text, m->german[m->at]);
    CHECK_STR(translation, m->english[m->at]);
    m->at++;
    return DPL_OK;
}

static dpl_lexicon *make_lexicon(dpl_ctx *ctx)
{
    static char words[WORDS][3][8];
    dpl_lexicon_entry entries[2 * WORDS];
    dpl_lexicon *lexicon = NULL;
    for (unsigned i = 0; i < WORDS; i++) {
        for (int k = 0; k < 3; k++)
            snprintf(words[i][k], sizeof words[i][k], "%c%u", "def"[k], i);
        for (unsigned k = 0; k < 2; k++)
            entries[2 * i + k] = (dpl_lexicon_entry){
                dpl__cstr(words[i][0]), dpl__cstr(words[i][1 + k]), k ? 0.3f : 0.6f};
    }
    const dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = "de", .target_lang = "en");
    CHECK_OK(dpl_lexicon_from_entries(&lexicon, ctx, entries, DPL_LEN(entries), &o, &test_err));
    return lexicon;
}

/* As a stream and as a collection, in batches. */
DPL_TEST(translate, documents_come_sentence_by_sentence_in_their_order)
{
    material *m = malloc(sizeof *m);
    CHECK(m != NULL);
    for (unsigned round = 0; round < 2; round++) {
        dpl_ctx *ctx = test_ctx(1 + round);
        dpl_lexicon *lexicon = make_lexicon(ctx);
        dpl_translator *t = NULL;
        dpl_collection *c = NULL;
        uint64_t n = 0;
        dpl_translator_counts counts = DPL_INIT(dpl_translator_counts);
        make(m, round);
        dpl_input in = {.buffer = {m->json, m->n_json}, .name = "docs.jsonl"};
        CHECK_OK(dpl_translator_from_lexicon(&t, ctx, lexicon, false, &test_err));
        if (round) {
            CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, &test_err));
            in = (dpl_input){.collection = c};
        }
        CHECK_OK(dpl_translate_docs(&n, t, &in, NULL, take, m, &test_err));
        CHECK_EQ(n, DOCS);
        CHECK_EQ(m->at, DOCS);
        dpl_translator_count(t, &counts);
        CHECK_EQ(counts.n_words, m->n_words);
        CHECK_EQ(counts.n_unknown, m->n_unknown);
        dpl_translator_close(t);
        dpl_collection_close(c);
        dpl_lexicon_close(lexicon);
        test_ctx_done(ctx);
    }
    free(m);
}

static dpl_status stop(void *user, const dpl_doc *doc, dpl_str translation, dpl_error *err)
{
    (void)doc, (void)translation;
    size_t *n_left = user;
    return (*n_left)-- ? DPL_OK : dpl__fail(err, DPL_E_USAGE, "enough");
}

DPL_TEST(translate, a_taker_that_fails_ends_the_translation)
{
    material *m = malloc(sizeof *m);
    CHECK(m != NULL);
    dpl_ctx *ctx = test_ctx(1);
    dpl_lexicon *lexicon = make_lexicon(ctx);
    dpl_translator *t = NULL;
    size_t n_left = 5;
    make(m, 3);
    const dpl_input in = {.buffer = {m->json, m->n_json}, .name = "docs.jsonl"};
    CHECK_OK(dpl_translator_from_lexicon(&t, ctx, lexicon, false, &test_err));
    CHECK_EQ(dpl_translate_docs(NULL, t, &in, NULL, stop, &n_left, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.text), "enough");
    CHECK_EQ(n_left, SIZE_MAX);
    dpl_translator_close(t);
    dpl_lexicon_close(lexicon);
    test_ctx_done(ctx);
    free(m);
}
