#include "sentences/units.h"

#include "base/hash.h"
#include "test.h"
#include "unicode/unicode.h"

#include <stdio.h>

enum { MOST_TEXT = 6000 };

/* A document of lines of sentences; sections begin with "\u001d". */
static dpl_collection *make_doc(dpl_ctx *ctx, const char *text)
{
    static char json[MOST_TEXT];
    dpl_collection *c = NULL;
    const int n =
        snprintf(json, sizeof json, "{\"id\":\"a\",\"lang\":\"en\",\"text\":\"%s\"}\n", text);
    const dpl_input in = {.buffer = {json, (size_t)n}};
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, &test_err));
    return c;
}

/* Random lines, with numbers before them or not. */
static dpl_collection *make_random(dpl_ctx *ctx, dpl__rng *rng, bool has_labels)
{
    static char text[MOST_TEXT - 100];
    const uint64_t n_lines = 9 + dpl__rng_below(rng, 8);
    size_t at = 0;
    for (uint64_t line = 0; line < n_lines; line++) {
        if (dpl__rng_below(rng, 4) == 0)
            at += (size_t)sprintf(text + at, "\\u001d");
        if (has_labels)
            at += (size_t)sprintf(text + at, "%u ", (unsigned)line + 1);
        for (uint64_t s = dpl__rng_below(rng, 3) + 1; s > 0; s--) {
            at += (size_t)sprintf(text + at, "Some");
            for (uint64_t k = dpl__rng_below(rng, 4); k > 0; k--)
                at += (size_t)sprintf(text + at, " word%u", (unsigned)dpl__rng_below(rng, 9));
            at += (size_t)sprintf(text + at, "%s ",
                                  dpl__rng_below(rng, 2) ? "?" : " \u00E9\u20AC.");
        }
        at += (size_t)sprintf(text + at, "\\n");
    }
    return make_doc(ctx, text);
}

static uint32_t label_bytes(const dpl__line_labels *labels, size_t i)
{
    return labels->all.n ? labels->all.data[i].n_bytes : 0;
}

static uint32_t label_tokens(const dpl__line_labels *labels, size_t i)
{
    return labels->all.n ? labels->all.data[i].n_tokens : 0;
}

/* Sentences, or all of a line together: their tokens, lengths and signs, without labels. */
static void check_unit(const dpl__units *u, const dpl_collection *c, size_t unit)
{
    const size_t first = u->first.data[unit], end = u->first.data[unit + 1];
    size_t n_tokens, chars = end - first - 1; /* a blank between two */
    const uint32_t *tokens = dpl_collection_tokens(c, 0, &n_tokens);
    uint32_t at = u->doc.begin[unit];
    dpl__signs signs = {{0}};
    for (size_t i = first; i < end; i++) {
        const size_t begin = dpl_collection_sentence(c, 0, i).token,
                     next = i + 1 < dpl_collection_n_sentences(c, 0)
                                ? dpl_collection_sentence(c, 0, i + 1).token
                                : n_tokens;
        dpl_str text = dpl_collection_sentence_text(c, 0, i);
        text = (dpl_str){text.data + label_bytes(&u->labels, i),
                         text.n - label_bytes(&u->labels, i)};
        chars += dpl__utf8_length(text);
        dpl__signs_add(&signs, text);
        const size_t left_out = i == first ? label_tokens(&u->labels, i) : 0;
        for (size_t k = begin + left_out; k < next; k++)
            CHECK_EQ(u->doc.tokens[at++], tokens[k]);
    }
    CHECK_EQ(u->doc.begin[unit + 1], at);
    CHECK_EQ(u->doc.chars[unit], chars);
    CHECK(!memcmp(&u->doc.signs[unit], &signs, sizeof signs));
}

static void check_units(const dpl__units *u, const dpl_collection *c, bool is_one_per_line)
{
    const size_t n = dpl_collection_n_sentences(c, 0);
    bool has_sections = false;
    size_t unit = 0;
    for (size_t i = 0; i < n; i++) {
        const dpl_sentence s = dpl_collection_sentence(c, 0, i);
        has_sections |= s.is_section_start;
        if (is_one_per_line && i && !s.is_paragraph_start)
            continue;
        CHECK_EQ(u->first.data[unit], i);
        CHECK(!u->doc.is_section || u->doc.is_section[unit] == s.is_section_start);
        unit++;
    }
    CHECK(u->doc.n == unit && u->first.data[unit] == n);
    CHECK(!u->doc.is_section == !has_sections);
    for (size_t i = 0; i < unit; i++)
        check_unit(u, c, i);
}

DPL_TEST(units, are_sentences_or_lines_without_labels)
{
    dpl__rng rng = {dpl__mix(95)};
    dpl_ctx *ctx = test_ctx(1);
    dpl__units u = {.doc = {.n = 0}};
    size_t n_labelled = 0;
    for (int turn = 0; turn < 80; turn++) {
        dpl_collection *c = make_random(ctx, &rng, turn % 2);
        const bool is_one_per_line = turn / 2 % 2;
        CHECK_OK(dpl__line_labels_find(&u.labels, ctx, c, 0, &test_err));
        if (turn % 8 == 1)
            u.labels.all.n = 0; /* they stay where the other side has none */
        n_labelled += u.labels.all.n > 0;
        CHECK_OK(dpl__units_load(&u, ctx, c, 0, is_one_per_line, &test_err));
        check_units(&u, c, is_one_per_line);
        dpl_collection_close(c);
    }
    CHECK(n_labelled > 5);
    dpl__units_clear(&u, ctx);
    dpl__line_labels_clear(&u.labels, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(units, a_run_of_sentences_is_the_text_between_them)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = make_doc(ctx, "One is here. Two  is\\nthere. Three.");
    CHECK_EQ(dpl_collection_n_sentences(c, 0), 4);
    CHECK_STR(dpl_sentences_text(c, 0, 0, 0), "");
    CHECK_STR(dpl_sentences_text(c, 0, 0, 1), "One is here.");
    CHECK_STR(dpl_sentences_text(c, 0, 3, 1), "Three.");
    CHECK_STR(dpl_sentences_text(c, 0, 1, 2), "Two  is\nthere.");
    CHECK_STR(dpl_sentences_text(c, 0, 0, 4), "One is here. Two  is\nthere. Three.");
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* The first paragraph of the section that a sentence is in. */
DPL_TEST(units, a_heading_is_the_first_line_of_a_section)
{
    static const char *const headings[] = {
        "", "", "Title. And more.", "Title. And more.", "Title. And more.", "Last", "Last"};
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = make_doc(ctx, "Before it. All of it.\\n\\u001dTitle. And more.\\n"
                                      "Text\\n\\u001dLast\\nEnd");
    CHECK_EQ(dpl_collection_n_sentences(c, 0), DPL_LEN(headings));
    for (uint32_t i = 0; i < DPL_LEN(headings); i++)
        CHECK_STR(dpl_sentences_heading(c, 0, i), headings[i]);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

static dpl_status load(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__units u = {.doc = {.n = 0}};
    dpl_status status = dpl__line_labels_find(&u.labels, ctx, user, 0, err);
    if (status == DPL_OK)
        status = dpl__units_load(&u, ctx, user, 0, true, err);
    dpl__units_clear(&u, ctx);
    dpl__line_labels_clear(&u.labels, ctx);
    return status;
}

DPL_TEST(units, survive_every_failing_allocation)
{
    dpl__rng rng = {dpl__mix(96)};
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = make_random(ctx, &rng, true);
    test_allocation_failures(load, c);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}
