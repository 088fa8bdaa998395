/* Hits of documents of `against` in new ones, against a search for every word. */
#include "dedup/dedup_params.h"
#include "doppel/dedup.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_ITEMS = 14, N_DOCS = 70, MOST_WORDS = 60, W = 5 };

/* A text of words by number, and where each of them is. */
typedef struct words {
    unsigned word[MOST_WORDS];
    uint32_t begin[MOST_WORDS], end[MOST_WORDS];
    size_t n;
    char text[MOST_WORDS * 9];
} words;

static words items[N_ITEMS], docs[N_DOCS];

static void add_word(words *to, unsigned word)
{
    CHECK(to->n < MOST_WORDS);
    to->word[to->n++] = word;
}

static void add_own(words *to, size_t n, dpl__rng *rng)
{
    for (size_t i = 0; i < n; i++)
        add_word(to, 1000 + (unsigned)dpl__rng_below(rng, 1000000));
}

/* rewrapped: other white space and case. */
static void write(words *w, bool is_rewrapped)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        n += (size_t)sprintf(w->text + n, "%s", i ? is_rewrapped ? "\\n" : " " : "");
        w->begin[i] = (uint32_t)(n - (is_rewrapped ? i : 0)); /* \n is one byte when read */
        n += (size_t)sprintf(w->text + n, "%c%u", is_rewrapped ? 'W' : 'w', w->word[i]);
        w->end[i] = (uint32_t)(n - (is_rewrapped ? i : 0));
    }
}

/* Copies, rewrapped copies, copies within other words, edited ones and others. */
static void draw_doc(words *to, const words *item, uint64_t how, dpl__rng *rng)
{
    to->n = 0;
    if (how > 1)
        add_own(to, dpl__rng_below(rng, 12), rng);
    for (size_t i = 0; i < item->n && how < 5; i++) {
        if (how == 3 && i && dpl__rng_below(rng, 9) == 0)
            add_own(to, dpl__rng_below(rng, 3), rng); /* in place of the word */
        else
            add_word(to, item->word[i]);
    }
    for (size_t i = 0; i < item->n && how == 4; i++) /* once more */
        add_word(to, item->word[i]);
    if (how > 1)
        add_own(to, 1 + dpl__rng_below(rng, 12), rng);
    write(to, how == 1);
}

static void draw_all(dpl__rng *rng)
{
    for (size_t i = 0; i < N_ITEMS; i++) {
        items[i].n = 0;
        add_own(&items[i], i < 2 ? 3 + i : 6 + dpl__rng_below(rng, 12), rng);
        if (i == 5) /* repeats itself */
            for (size_t k = 0; k < 6; k++)
                add_word(&items[i], items[i].word[k]);
        write(&items[i], false);
    }
    for (size_t d = 0; d < N_DOCS; d++)
        draw_doc(&docs[d], &items[d % N_ITEMS], d < 40 ? dpl__rng_below(rng, 5) : 5, rng);
    for (size_t d = 50; d < N_DOCS; d++)
        draw_doc(&docs[d], &items[d % N_ITEMS], 3, rng);
}

static char *json_of(const words *all, size_t n)
{
    char *json = malloc(n * (sizeof all->text + 100)), *at = json;
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, "{\"id\":\"%zu\",\"lang\":\"en\",\"text\":\"%s\"}\n", i, all[i].text);
    return json;
}

/* ---- one by one
 * ------------------------------------------------------------------------------ */

/* Of a text of fewer words than a shingle has, all of them. */
static size_t width_of(const words *w)
{
    return w->n < W ? w->n : W;
}

static bool has_shingle(const words *in, const words *of, size_t at)
{
    const size_t width = width_of(of);
    for (size_t i = 0; width == width_of(in) && i + width <= in->n; i++)
        if (memcmp(in->word + i, of->word + at, width * sizeof *of->word) == 0)
            return true;
    return false;
}

/* Share of the different shingles of the item that the document has. */
static double contained(const words *item, const words *doc)
{
    const size_t width = width_of(item);
    size_t n = 0, n_there = 0;
    for (size_t i = 0; i + width <= item->n; i++) {
        bool is_first = true;
        for (size_t k = 0; k < i; k++)
            is_first = is_first &&
                       memcmp(item->word + k, item->word + i, width * sizeof *item->word) != 0;
        n += is_first;
        n_there += is_first && has_shingle(doc, item, i);
    }
    return (double)n_there / (double)n;
}

static bool are_same(const words *a, const words *b)
{
    return a->n == b->n && memcmp(a->word, b->word, a->n * sizeof *a->word) == 0;
}

/* The largest sum of a run of words, 1 for each that a shared shingle covers. */
static double best_run(const words *item, const words *doc, double *sums)
{
    bool is_covered[MOST_WORDS] = {false};
    double best = 0;
    for (size_t i = 0; i + W <= doc->n; i++)
        for (size_t k = 0; k < W && has_shingle(item, doc, i); k++)
            is_covered[i + k] = true;
    for (size_t i = 0; i < doc->n; i++)
        sums[i] = is_covered[i] ? 1 : -DPL__P(dedup, not_covered);
    for (size_t i = 0; i < doc->n; i++) {
        double sum = 0;
        for (size_t k = i; k < doc->n; k++)
            best = fmax(best, sum += sums[k]);
    }
    return best;
}

static size_t place_of(const uint32_t *places, size_t n, uint32_t at)
{
    size_t i = 0;
    while (i < n && places[i] != at)
        i++;
    CHECK(i < n); /* a word begins or ends there */
    return i;
}

static void check_hit(const dpl_dedup_hit *h)
{
    const words *item = &items[h->item], *doc = &docs[h->doc];
    if (are_same(item, doc)) {
        const bool is_verbatim = strcmp(item->text, doc->text) == 0;
        CHECK_EQ(h->how, is_verbatim ? DPL_HOW_VERBATIM : DPL_HOW_REWRAPPED);
        CHECK(h->score == 1 && h->begin == 0 && h->end == doc->end[doc->n - 1]);
        return;
    }
    CHECK(h->score == (float)contained(item, doc));
    const size_t first = place_of(doc->begin, doc->n, h->begin),
                 last = place_of(doc->end, doc->n, h->end);
    size_t at = 0; /* where all its words are in order */
    while (at + item->n <= doc->n &&
           memcmp(doc->word + at, item->word, item->n * sizeof *item->word) != 0)
        at++;
    const bool is_embedded = at + item->n <= doc->n;
    CHECK_EQ(h->how, is_embedded ? DPL_HOW_EMBEDDED : DPL_HOW_EDITED);
    if (is_embedded) {
        CHECK_EQ(first, at);
        CHECK_EQ(last, at + item->n - 1);
        return;
    }
    double sums[MOST_WORDS], sum = 0;
    const double best = best_run(item, doc, sums);
    for (size_t i = first; i <= last; i++)
        sum += sums[i];
    CHECK(fabs(sum - best) < 1e-9);
    CHECK(sums[first] > 0 && sums[last] > 0);
}

DPL_TEST(contamination, hits_are_those_of_every_item_and_document)
{
    dpl__rng rng = {3};
    unsigned n_how[5] = {0};
    for (int round = 0; round < 4; round++) {
        dpl_ctx *ctx = test_ctx(1 + (unsigned)round % 2);
        draw_all(&rng);
        char *new = json_of(docs, N_DOCS), *old = json_of(items, N_ITEMS);
        const dpl_input in = {.buffer = {new, strlen(new)}, .name = "new.jsonl"},
                        against = {.buffer = {old, strlen(old)}, .name = "old.jsonl"};
        const dpl_dedup_options o =
            DPL_INIT(dpl_dedup_options, .against = &against, .n_against = 1,
                     .only_against = true, .threshold = round < 2 ? 0.5 : 0.2);
        dpl_dedup_result *r = NULL;
        CHECK_OK(dpl_dedup(&r, ctx, NULL, &in, 1, &o, &test_err));
        size_t n, n_expected = 0, n_items = 0;
        const dpl_dedup_hit *hits = dpl_dedup_get_hits(r, &n);
        for (uint32_t i = 0; i < N_ITEMS; i++) {
            const size_t before = n_expected;
            for (uint32_t d = 0; d < N_DOCS; d++)
                n_expected += are_same(&items[i], &docs[d]) ||
                              contained(&items[i], &docs[d]) >= o.threshold;
            n_items += n_expected > before;
        }
        CHECK_EQ(n, n_expected);
        CHECK_EQ(dpl_dedup_get_summary(r)->n_contaminated, n_items);
        CHECK_EQ(dpl_dedup_get_summary(r)->method, DPL_DEDUP_EXACT);
        CHECK(dpl_dedup_get_summary(r)->recall_check->is_exact);
        for (size_t i = 0; i < n; i++) {
            const dpl_dedup_hit *a = &hits[i], *b = a + 1;
            check_hit(a);
            n_how[a->how]++;
            CHECK(i + 1 == n || a->item < b->item ||
                  (a->item == b->item &&
                   (a->score > b->score || (a->score == b->score && a->doc < b->doc))));
        }
        dpl_dedup_result_free(r);
        free(new);
        free(old);
        test_ctx_done(ctx);
    }
    for (unsigned how = 0; how < DPL_HOW_TRANSLATED; how++)
        CHECK(n_how[how] > 5);
}

/* White space at the ends of a text does not make it another one; a word in between does not
 * either, but it is not verbatim. */
DPL_TEST(contamination, a_copy_is_verbatim_but_for_white_space_at_its_ends)
{
    static const struct {
        const char *text;
        unsigned how;
        uint32_t end;
    } cases[] = {{"one two three four five six", DPL_HOW_VERBATIM, 27},
                 {" \\tone two three four five six\\n ", DPL_HOW_VERBATIM, 31},
                 {"one two three four five  six", DPL_HOW_REWRAPPED, 28},
                 {"One two three four five six", DPL_HOW_REWRAPPED, 27},
                 {"one two three four five six.", DPL_HOW_REWRAPPED, 28},
                 {"one two three four five six seven", DPL_HOW_EMBEDDED, 27},
                 {"zero: one two three four five six.", DPL_HOW_EMBEDDED, 33}};
    static const char old[] = "{\"id\":\"x\",\"lang\":\"en\",\"text\":"
                              "\"one two three four five six\"}\n";
    dpl_ctx *ctx = test_ctx(1);
    const dpl_input against = {.buffer = {old, sizeof old - 1}, .name = "old.jsonl"};
    const dpl_dedup_options o =
        DPL_INIT(dpl_dedup_options, .against = &against, .n_against = 1, .only_against = true);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char new[200];
        const int n_new = snprintf(
            new, sizeof new, "{\"id\":\"y\",\"lang\":\"en\",\"text\":\"%s\"}\n", cases[i].text);
        const dpl_input in = {.buffer = {new, (size_t)n_new}, .name = "new.jsonl"};
        dpl_dedup_result *r = NULL;
        size_t n;
        CHECK_OK(dpl_dedup(&r, ctx, NULL, &in, 1, &o, &test_err));
        const dpl_dedup_hit *hits = dpl_dedup_get_hits(r, &n);
        CHECK_EQ(n, 1);
        CHECK_EQ(hits[0].how, cases[i].how);
        CHECK_EQ(hits[0].begin, i == 6 ? 6 : 0);
        if (cases[i].how != DPL_HOW_VERBATIM || i == 0)
            CHECK_EQ(hits[0].end, cases[i].end);
        CHECK_STR(dpl_dedup_get_item(r, 0), "x");
        dpl_dedup_result_free(r);
    }
    test_ctx_done(ctx);
}
