#include "tokens/tokenize.h"

#include "doppel/text.h"

#include "test.h"
#include "unicode/unicode.h"

#include <stdio.h>

/* ---- the plain way: word by word, with no table of words ------------------------------- */

enum { MOST_TOKENS = 20000, MOST_DOCS = 40, TEXT_BYTES = 400000 };

typedef struct plain_token {
    char term[48];
    size_t n;
    dpl__span place;
} plain_token;

typedef struct plain {
    plain_token tokens[MOST_TOKENS];
    size_t n_tokens, n_docs;
    size_t ends[MOST_DOCS]; /* of the documents' tokens */
    dpl_ctx *ctx;
    const dpl_tokens_options *options;
    dpl__folder *folder;
    dpl__segmenter *segmenter;
} plain;

static void plain_add(plain *p, dpl_str term, dpl__span place)
{
    CHECK(p->n_tokens < MOST_TOKENS && term.n < sizeof p->tokens->term);
    plain_token *t = &p->tokens[p->n_tokens++];
    memcpy(t->term, term.data, term.n);
    t->n = term.n;
    t->place = place;
}

/* All n-grams of a run, by the offsets of its characters. */
static void plain_ngrams(plain *p, dpl_str run, dpl__span place)
{
    size_t at[400], n = 0;
    for (size_t i = 0; i < run.n; n++) {
        uint32_t c;
        CHECK(n < DPL_LEN(at) - 1);
        at[n] = i;
        i += dpl__utf8_decode((const uint8_t *)run.data + i, &c);
    }
    at[n] = run.n;
    const size_t size = dpl__min(p->options->ngrams, n);
    for (size_t i = 0; size && i + size <= n; i++)
        plain_add(p, (dpl_str){run.data + at[i], at[i + size] - at[i]}, place);
}

static size_t sentence_at(const dpl__sentence_starts *starts, uint32_t at)
{
    size_t s = 0;
    while (s + 1 < starts->n && starts->data[s + 1].at <= at)
        s++;
    return s;
}

/* The languages of all sentences: of the list, or that before it in the paragraph, or the
 * document's. */
static void plain_languages(const plain *p, dpl_str text, const char *lang,
                            const dpl__sentence_starts *starts, char langs[][12])
{
    for (size_t i = 0; i < starts->n; i++) {
        const size_t from = starts->data[i].at,
                     to = i + 1 < starts->n ? starts->data[i + 1].at : text.n;
        const bool has_before = i > 0 && !starts->data[i].is_paragraph;
        memcpy(langs[i], has_before ? langs[i - 1] : lang, has_before ? 12 : strlen(lang) + 1);
        if (!p->options->sentence_langs || to - from < 60)
            continue;
        const dpl_lang found = dpl_lang_identify((dpl_str){text.data + from, to - from});
        char list[100], *rest = list;
        snprintf(list, sizeof list, "%s", p->options->sentence_langs);
        for (char *code; (code = strtok_r(rest, ",", &rest));)
            if (strcmp(code, found.code) == 0)
                memcpy(langs[i], found.code, strlen(found.code) + 1);
    }
}

static void plain_document(plain *p, dpl_str text, const char *lang)
{
    static char langs[2000][12];
    dpl__spans spans = {0};
    dpl__sentence_starts starts = {0};
    CHECK_OK(dpl__segment(p->segmenter, text, lang, &spans, &test_err));
    CHECK_OK(dpl__split_sentences(p->ctx, text, lang, &starts, &test_err));
    CHECK(starts.n < DPL_LEN(langs));
    plain_languages(p, text, lang, &starts, langs);
    for (size_t i = 0, end; i < spans.n; i = end) {
        dpl__span run = spans.data[i];
        for (end = i + 1; p->options->ngrams && end < spans.n; end++) {
            if (spans.data[end].begin != run.end)
                break;
            run.end = spans.data[end].end;
        }
        const char *l = p->options->ngrams ? lang : langs[sentence_at(&starts, run.begin)];
        dpl_str term;
        CHECK_OK(dpl__folder_language(p->folder, l, &test_err));
        CHECK_OK(dpl__fold(p->folder, (dpl_str){text.data + run.begin, run.end - run.begin},
                           &term, &test_err));
        if (p->options->ngrams)
            plain_ngrams(p, term, run);
        else if (term.n)
            plain_add(p, term, run);
    }
    p->ends[p->n_docs++] = p->n_tokens;
    dpl__vec_clear(p->ctx, &spans, &starts);
}

/* ---- documents -------------------------------------------------------------------------- */

typedef struct documents {
    char text[TEXT_BYTES + 64];
    size_t begin[MOST_DOCS + 1], n;
    const char *langs[MOST_DOCS];
} documents;

static void add_text(documents *d, const char *text)
{
    CHECK(d->begin[d->n] + strlen(text) < TEXT_BYTES);
    memcpy(d->text + d->begin[d->n], text, strlen(text));
    d->begin[d->n] += strlen(text);
}

/* The text added since the last one is a document. */
static void end_document(documents *d, const char *lang)
{
    CHECK(d->n + 1 < MOST_DOCS);
    d->langs[d->n++] = lang;
    d->begin[d->n] = d->begin[d->n - 1];
}

static dpl_str document(const documents *d, size_t i)
{
    const size_t from = i ? d->begin[i - 1] : 0;
    return (dpl_str){d->text + from, d->begin[i] - from};
}

static const char *const languages[] = {"en", "de", "fr", "tr", "zh", "und"};

static void random_documents(documents *d, uint64_t seed, bool has_many_words)
{
    static const char *const words[] = {"The",     "the",    "Houses", "houses",   "HOUSES",
                                        "running", "l'eau",  "İzmir",  "ISPARTA",  "房子",
                                        "。",      "Straße", "3,14",   "don't",    "--",
                                        "naïve",   "und",    "a",      "\xC2\xAD", "Häuser"};
    static const char *const between[] = {" ", " ", " ", " ", " ", " ", ". ", "! ", "\n\n", ""};
    dpl__rng rng = {seed << 16};
    memset(d, 0, sizeof *d);
    const size_t n_docs = 1 + dpl__rng_below(&rng, 20);
    for (size_t i = 0; i < n_docs; i++) {
        const size_t n = dpl__rng_below(&rng, 200);
        for (size_t k = 0; k < n; k++) {
            char word[20];
            const char *w = words[dpl__rng_below(&rng, DPL_LEN(words))];
            snprintf(word, sizeof word, "word%u", (unsigned)dpl__rng_below(&rng, 5000));
            add_text(d, has_many_words && dpl__rng_below(&rng, 4) ? word : w);
            add_text(d, between[dpl__rng_below(&rng, DPL_LEN(between))]);
        }
        end_document(d, languages[dpl__rng_below(&rng, DPL_LEN(languages))]);
    }
}

/* ---- both agree ------------------------------------------------------------------------- */

/* How often each term of the worker occurs, in how many documents, and of each document how
 * many different ones it has: by looking at all tokens. */
static void check_counts(const dpl__worker *w, const dpl__tokenized *t, const plain *p)
{
    static uint32_t counts[MOST_TOKENS], n_docs[MOST_TOKENS];
    static size_t last[MOST_TOKENS];
    memset(counts, 0, sizeof counts);
    memset(n_docs, 0, sizeof n_docs);
    memset(last, 0, sizeof last);
    for (size_t doc = 0, i = 0; doc < p->n_docs; doc++) {
        uint32_t n_entries = 0;
        for (; i < p->ends[doc]; i++) {
            const uint32_t term = t->tokens.data[i];
            counts[term]++;
            n_entries += last[term] != doc + 1;
            n_docs[term] += last[term] != doc + 1;
            last[term] = doc + 1;
        }
        CHECK_EQ(t->n_entries.data[doc], n_entries);
    }
    for (size_t term = 0; term < w->terms.all.n; term++) {
        CHECK_EQ(w->terms.counts.data[term].count, counts[term]);
        CHECK_EQ(w->terms.counts.data[term].n_docs, n_docs[term]);
    }
}

/* Sentences are those of the text, and each says how many tokens of its document stand before
 * it. */
static void check_sentences(const dpl__tokenized *t, const plain *p, const documents *d)
{
    size_t at = 0;
    for (size_t doc = 0; doc < d->n; doc++) {
        dpl__sentence_starts starts = {0};
        CHECK_OK(
            dpl__split_sentences(p->ctx, document(d, doc), d->langs[doc], &starts, &test_err));
        CHECK_EQ(t->n_sentences.data[doc], starts.n);
        const size_t first = doc ? p->ends[doc - 1] : 0, n = p->ends[doc] - first;
        for (size_t i = 0; i < starts.n; i++, at++) {
            const dpl__sentence_start *s = &starts.data[i];
            size_t n_before = 0;
            while (i && n_before < n && p->tokens[first + n_before].place.begin < s->at)
                n_before++;
            CHECK_EQ(t->sentence_begin.data[at], s->at);
            CHECK_EQ(t->sentence_token.data[at], n_before);
            CHECK_EQ(t->sentence_flags.data[at],
                     dpl__sentence_flags(s->is_paragraph, s->is_section));
        }
        dpl__vec_clear(p->ctx, &starts);
    }
    CHECK_EQ(t->sentence_begin.n, at);
    CHECK_EQ(t->sentence_token.n, at);
    CHECK_EQ(t->sentence_flags.n, at);
}

static void check_documents(const documents *d, const dpl_tokens_options *options,
                            size_t surface_memory, bool has_places)
{
    static plain p;
    dpl_ctx *ctx = test_ctx(1);
    dpl__worker w = {0};
    dpl__tokenized t = {.has_places = has_places};
    memset(&p, 0, sizeof p);
    p.ctx = ctx;
    p.options = options;
    CHECK_OK(dpl__folder_new(&p.folder, ctx, options, &test_err));
    CHECK_OK(dpl__segmenter_new(&p.segmenter, ctx, &test_err));
    CHECK_OK(dpl__worker_init(&w, ctx, options, surface_memory, &test_err));
    CHECK(dpl__vec_append(ctx, &t.text, d->text, d->begin[d->n] + 64));
    for (size_t i = 0; i < d->n; i++) {
        const dpl_str text = document(d, i);
        plain_document(&p, text, d->langs[i]);
        CHECK_OK(dpl__tokenize(&w, &t, (size_t)(text.data - d->text), text.n, d->langs[i],
                               &test_err));
        CHECK_EQ(t.n_tokens.data[i], p.ends[i] - (i ? p.ends[i - 1] : 0));
    }
    CHECK_EQ(t.tokens.n, p.n_tokens);
    CHECK_EQ(t.places.n, has_places ? p.n_tokens : 0);
    for (size_t i = 0; i < p.n_tokens; i++) {
        const dpl_str term = dpl__term_text(&w.terms.all.data[t.tokens.data[i]]);
        if (!dpl__str_eq(term, (dpl_str){p.tokens[i].term, p.tokens[i].n}))
            dpl__test_fail(__FILE__, __LINE__, "token %zu is '%.*s', expected '%.*s'", i,
                           (int)term.n, term.data, (int)p.tokens[i].n, p.tokens[i].term);
        if (has_places)
            CHECK(memcmp(&t.places.data[i], &p.tokens[i].place, sizeof(dpl__span)) == 0);
    }
    check_counts(&w, &t, &p);
    check_sentences(&t, &p, d);
    dpl__folder_free(p.folder);
    dpl__segmenter_free(p.segmenter);
    dpl__worker_clear(&w);
    dpl__tokenized_clear(&t, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(tokenize, gives_the_terms_of_words_that_are_folded_one_by_one)
{
    static documents d;
    for (uint64_t seed = 0; seed < 40; seed++) {
        dpl_tokens_options o =
            DPL_INIT(dpl_tokens_options, .stem = seed % 2, .stop_words = seed / 2 % 2);
        random_documents(&d, seed, seed % 4 == 3);
        check_documents(&d, &o, 1 << 20, seed % 3);
    }
}

/* The table of a language holds 512 words at the least. */
DPL_TEST(tokenize, gives_the_same_where_tables_of_words_are_full)
{
    static documents d;
    for (uint64_t seed = 100; seed < 110; seed++) {
        dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = true);
        random_documents(&d, seed, true);
        check_documents(&d, &o, 0, true);
    }
}

DPL_TEST(tokenize, gives_all_ngrams_of_runs_that_touch)
{
    static documents d;
    for (uint64_t seed = 200; seed < 230; seed++) {
        dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .ngrams = 1 + (unsigned)(seed % 8));
        random_documents(&d, seed, false);
        check_documents(&d, &o, 1 << 20, seed % 3);
    }
}

/* ---- languages of sentences ------------------------------------------------------------- */

static const char *const german =
    "Die Häuser der Städte waren heute wieder viel zu teuer für alle Familien. ";
static const char *const english =
    "The houses of the cities were far too expensive again for running families. ";
static const char *const french =
    "Les maisons des villes étaient encore beaucoup trop chères pour les familles. ";

DPL_TEST(tokenize, stems_sentences_in_their_own_languages)
{
    static documents d;
    static const char *const lists[] = {"de,en", "en", "en,fr,de", "fr", "d,eng", ""};
    static const char *const shorter[] = {"Running houses. ", "Alte Häuser. ", "Oui? ", "\n\n"};
    for (uint64_t seed = 0; seed < 30; seed++) {
        dpl__rng rng = {seed << 16};
        memset(&d, 0, sizeof d);
        for (size_t i = 0; i < 5; i++) {
            for (size_t n = dpl__rng_below(&rng, 12); n > 0; n--) {
                const char *const some[] = {german, english, french,
                                            shorter[dpl__rng_below(&rng, DPL_LEN(shorter))]};
                add_text(&d, some[dpl__rng_below(&rng, DPL_LEN(some))]);
            }
            end_document(&d, languages[dpl__rng_below(&rng, 3)]);
        }
        dpl_tokens_options o =
            DPL_INIT(dpl_tokens_options, .stem = true,
                     .sentence_langs = lists[dpl__rng_below(&rng, DPL_LEN(lists))]);
        check_documents(&d, &o, 1 << 20, true);
    }
}

/* The terms of one document, with blanks between. */
static void check_terms(const char *sentence_langs, const char *lang, const char *text,
                        const char *expected)
{
    static char got[4000];
    dpl_tokens_options o =
        DPL_INIT(dpl_tokens_options, .stem = true, .sentence_langs = sentence_langs);
    dpl_ctx *ctx = test_ctx(1);
    dpl__worker w = {0};
    dpl__tokenized t = {0};
    CHECK_OK(dpl__worker_init(&w, ctx, &o, 1 << 20, &test_err));
    CHECK(dpl__vec_append(ctx, &t.text, text, strlen(text)));
    CHECK(dpl__vec_append(ctx, &t.text, (const char[64]){0}, 64));
    CHECK_OK(dpl__tokenize(&w, &t, 0, strlen(text), lang, &test_err));
    size_t n = 0;
    for (size_t i = 0; i < t.tokens.n; i++) {
        const dpl_str term = dpl__term_text(&w.terms.all.data[t.tokens.data[i]]);
        n += (size_t)snprintf(got + n, sizeof got - n, "%s%.*s", i ? " " : "", (int)term.n,
                              term.data);
    }
    CHECK_STR(((dpl_str){got, n}), expected);
    dpl__worker_clear(&w);
    dpl__tokenized_clear(&t, ctx);
    test_ctx_done(ctx);
}

/* A sentence of 60 bytes is told from its words, one of 59 is not. "running" is no German word
 * to stem. */
DPL_TEST(tokenize, a_short_sentence_has_the_language_of_the_one_before)
{
    static const char long_one[] =
        "She likes running through the old houses of her father here.",
                      short_one[] =
                          "She likes running through the old houses of his father now.";
    CHECK_EQ(sizeof long_one - 1, 60);
    CHECK_EQ(sizeof short_one - 1, 59);
    CHECK_STR(dpl__cstr(dpl_lang_identify(dpl__cstr(long_one)).code), "en");
    CHECK_STR(dpl__cstr(dpl_lang_identify(dpl__cstr(short_one)).code), "en");
    check_terms("de,en", "de", long_one,
                "she like run through the old hous of her father here");
    check_terms("de,en", "de", short_one,
                "she lik running through the old hous of his fath now");
    check_terms("de,fr", "de", long_one,
                "she lik running through the old hous of her fath her");
    check_terms(NULL, "de", long_one, "she lik running through the old hous of her fath her");
    /* the sentence before in the paragraph, or the document */
    char text[200];
    snprintf(text, sizeof text, "%s Running houses.", long_one);
    check_terms("en", "de", text,
                "she like run through the old hous of her father here run hous");
    snprintf(text, sizeof text, "%s\n\nRunning houses.", long_one);
    check_terms("en", "de", text,
                "she like run through the old hous of her father here running hous");
}

/* ---- the gate --------------------------------------------------------------------------- */

typedef struct gated {
    dpl_ctx *ctx;
    dpl__worker w;
    dpl__tokenized t;
} gated;

static void check_gated(gated *g, const char *lang, const char *text, bool is_left_out,
                        uint32_t n_tokens)
{
    const size_t at = g->t.text.n, n_terms = g->w.terms.all.n, n_before = g->t.tokens.n;
    CHECK(dpl__vec_append(g->ctx, &g->t.text, text, strlen(text)));
    CHECK(dpl__vec_append(g->ctx, &g->t.text, (const char[64]){0}, 64));
    CHECK_OK(dpl__tokenize(&g->w, &g->t, at, strlen(text), lang, &test_err));
    CHECK_EQ(g->w.is_left_out, is_left_out);
    CHECK_EQ(g->t.n_tokens.data[g->t.n_tokens.n - 1], n_tokens);
    CHECK_EQ(g->t.tokens.n, n_before + n_tokens);
    CHECK_EQ(g->t.n_sentences.data[g->t.n_sentences.n - 1], n_tokens > 0);
    uint64_t sum = 0;
    for (size_t i = 0; i < g->w.terms.all.n; i++)
        sum += g->w.terms.counts.data[i].count;
    CHECK_EQ(sum, g->t.tokens.n); /* what is left out is not counted */
    CHECK(g->w.terms.all.n >= n_terms);
}

DPL_TEST(tokenize, counts_no_words_of_documents_that_do_not_pass_the_gate)
{
    static const char items[] = "{\"id\":1,\"lang\":\"en\",\"text\":\"one two three four\"}\n";
    dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stop_words = true);
    gated g = {.ctx = test_ctx(1)};
    dpl_collection *c = NULL;
    const dpl_input in = {.buffer = {items, sizeof items - 1}, .name = "items.jsonl"};
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, g.ctx, &in, 1, NULL, &test_err));
    dpl__gate gate;
    CHECK_OK(dpl__gate_init(&gate, g.ctx, c, 3, &test_err));
    snprintf(gate.langs[0], sizeof gate.langs[0], "it");
    snprintf(gate.langs[1], sizeof gate.langs[1], "es");
    CHECK_OK(dpl__worker_init(&g.w, g.ctx, &o, 1 << 20, &test_err));
    g.w.gate = &gate;
    for (int round = 0; round < 2; round++) { /* words are known in the second */
        check_gated(&g, "de", "eins one two vier", true, 0);
        check_gated(&g, "de", "eins One TWO three", false, 4);
        check_gated(&g, "de", "one two die three", false, 3); /* dropped words do not part */
        check_gated(&g, "de", "one two drei three", true, 0);
        check_gated(&g, "it", "eins zwei drei", false, 3);
        check_gated(&g, "es", "eins zwei drei", false, 3);
        check_gated(&g, "de", "", false, 0);
        check_gated(&g, "fr", "two three four", false, 3);
        check_gated(&g, "fr", "two three", true, 0);
    }
    dpl__worker_new_terms(&g.w);
    CHECK_EQ(g.w.terms.all.n, 0);
    g.t.tokens.n = 0;
    check_gated(&g, "de", "one two three", false, 3); /* numbers are of other words now */
    check_gated(&g, "de", "eins one two vier", true, 0);
    dpl__worker_clear(&g.w);
    dpl__tokenized_clear(&g.t, g.ctx);
    dpl__gate_clear(&gate);
    dpl_collection_close(c);
    test_ctx_done(g.ctx);
}
