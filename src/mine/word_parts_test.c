#include "mine/word_parts.h"

#include "mine/random_sides_test.h"

enum { MOST_TERMS = 400, MOST_PARTS = 1000, PART_BYTES = 32 };

/* Words in some order, two to a document. */
static dpl__comparable make_docs(dpl_ctx *ctx, const char *const *list, size_t n)
{
    static char text[40000];
    dpl__comparable p = {.ctx = ctx};
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        at += i % 2 ? (size_t)sprintf(text + at, " %s\n", list[i])
                    : (size_t)sprintf(text + at, "d%zu\t%s", i, list[i]);
    text[at++] = '\n';
    p.c[0] = import_side(ctx, text, at, false);
    return p;
}

static void close_docs(dpl__comparable *p)
{
    dpl_collection_close((dpl_collection *)(uintptr_t)p->c[0]);
    test_ctx_done(p->ctx);
}

/* ---- a naive list of terms ----------------------------------------------------------------
 */

typedef struct naive {
    char parts[MOST_PARTS][PART_BYTES];
    uint32_t n_words[MOST_PARTS]; /* that begin with it */
    uint32_t number[MOST_PARTS];  /* of the term; NONE: of one word alone */
    size_t n_parts;
    uint32_t of_word[MOST_TERMS][4];
    uint32_t n_terms;
} naive;
#define NONE UINT32_MAX

/* The first n letters, if there are more; of words in Han one letter each. */
static bool naive_part(char out[PART_BYTES], dpl_str word, unsigned k)
{
    const bool is_han = word.n >= 3 && (unsigned char)word.data[0] >= 0xE4 &&
                        (unsigned char)word.data[0] <= 0xE9;
    if (is_han && (word.n < 6 || 3 * k + 3 > word.n))
        return false;
    if (is_han) {
        memcpy(out, word.data + 3 * k, 3);
        out[3] = 0;
        return true;
    }
    size_t at = 0;
    for (unsigned letters = 0; at < word.n; at++) {
        letters += ((unsigned char)word.data[at] & 0xC0) != 0x80;
        if (letters > 4 + k)
            break;
    }
    if (at == word.n)
        return false;
    memcpy(out, word.data, at);
    out[at] = 0;
    return true;
}

static uint32_t part_number(naive *x, const char *part)
{
    uint32_t i = 0;
    while (i < x->n_parts && strcmp(x->parts[i], part) != 0)
        i++;
    if (i == x->n_parts) {
        CHECK(i < MOST_PARTS);
        strcpy(x->parts[x->n_parts++], part);
    }
    return i;
}

static void list_parts(naive *x, const dpl_collection *c)
{
    const uint32_t n = dpl_collection_get_sizes(c)->n_terms;
    memset(x, 0, sizeof *x);
    CHECK(n <= MOST_TERMS);
    for (uint32_t t = 0; t < n; t++)
        for (unsigned k = 0; k < 4; k++) {
            char part[PART_BYTES];
            x->of_word[t][k] = NONE;
            if (!naive_part(part, dpl_collection_term(c, t), k))
                continue;
            x->of_word[t][k] = part_number(x, part);
            x->n_words[x->of_word[t][k]]++;
        }
    x->n_terms = n;
    for (size_t i = 0; i < x->n_parts; i++)
        x->number[i] = x->n_words[i] > 1 ? x->n_terms++ : NONE;
}

/* Whether a document has a term: a word, or what some word of it begins with. */
static bool has_term(const naive *x, const dpl_collection *c, uint32_t doc, uint32_t term)
{
    size_t n;
    const uint32_t *words = dpl_collection_tokens(c, doc, &n);
    for (size_t i = 0; i < n; i++) {
        if (words[i] == term)
            return true;
        for (unsigned k = 0; k < 4; k++) {
            const uint32_t part = x->of_word[words[i]][k];
            if (part != NONE && x->number[part] == term)
                return true;
        }
    }
    return false;
}

static void check_parts(const dpl__word_parts *found, const naive *x, const dpl_collection *c)
{
    CHECK_EQ(found->n_terms, x->n_terms);
    CHECK_EQ(found->n_docs, dpl_collection_get_sizes(c)->n_docs);
    CHECK_EQ(found->begin[0], 0);
    for (uint32_t doc = 0; doc < found->n_docs; doc++) {
        uint64_t at = found->begin[doc];
        for (uint32_t term = 0; term < x->n_terms; term++)
            if (has_term(x, c, doc, term)) {
                CHECK(at < found->begin[doc + 1]);
                CHECK_EQ(found->ids.data[at++], term);
            }
        CHECK_EQ(at, found->begin[doc + 1]);
    }
    for (uint32_t term = 0; term < x->n_terms; term++) {
        uint32_t n = 0;
        for (uint32_t doc = 0; doc < found->n_docs; doc++)
            n += has_term(x, c, doc, term);
        CHECK_EQ(found->df[term], n);
    }
}

/* ---- tests ------------------------------------------------------------------------------ */

static const char *const words[] = {
    "schreiben", "schreibt",  "schrieb", "schrift",     "schreiber",    "schreiberin",
    "haus",      "hauses",    "häuser",  "häusern",     "ab",           "abend",
    "abende",    "abendlich", "übung",   "übungen",     "über",         "überall",
    "вода",      "воды",      "водой",   "водопад",     "东京",         "京都",
    "东京都",    "都",        "京",      "tests",       "test",         "testen",
    "абвг",      "абвгд",     "абвгде",  "longestword", "longestwords", "longest"};

DPL_TEST(word_parts, are_beginnings_that_several_words_have)
{
    static naive x;
    dpl__comparable p = make_docs(test_ctx(1), words, DPL_LEN(words));
    dpl__word_parts found;
    CHECK_OK(dpl__word_parts_find(&found, &p, 0, true, &test_err));
    list_parts(&x, p.c[0]);
    check_parts(&found, &x, p.c[0]);
    CHECK(x.n_terms > dpl_collection_get_sizes(p.c[0])->n_terms + 10);
    dpl__word_parts_clear(&found);
    dpl__word_parts_clear(&found);
    close_docs(&p);
}

/* "test" is no beginning of itself, only of longer words. */
DPL_TEST(word_parts, a_word_is_no_part_of_itself)
{
    static const char *const three[] = {"test", "testen", "tester", "rest"};
    dpl__comparable p = make_docs(test_ctx(1), three, DPL_LEN(three));
    dpl__word_parts found;
    CHECK_OK(dpl__word_parts_find(&found, &p, 0, true, &test_err));
    CHECK_EQ(found.n_terms, 4 + 2); /* test- and teste- */
    CHECK_EQ(found.ids.n, 4 + 4);
    CHECK(found.df[4] == 2 && found.df[5] == 2);
    dpl__word_parts_clear(&found);
    close_docs(&p);
}

DPL_TEST(word_parts, are_those_of_a_naive_list)
{
    static const side_shape shape = {12, 3, 8, 60, false, false};
    static naive x;
    dpl__rng rng = {dpl__mix(51)};
    for (int turn = 0; turn < 10; turn++) {
        dpl_ctx *ctx = test_ctx(1);
        dpl__comparable p = make_random_sides(ctx, &rng, shape, 0);
        for (int side = 0; side < 2; side++) {
            dpl__word_parts found;
            CHECK_OK(dpl__word_parts_find(&found, &p, side, true, &test_err));
            list_parts(&x, p.c[side]);
            check_parts(&found, &x, p.c[side]);
            dpl__word_parts_clear(&found);
        }
        close_sides(&p);
        test_ctx_done(ctx);
    }
}

DPL_TEST(word_parts, are_words_alone_where_no_parts_are_wanted)
{
    dpl__comparable p = make_docs(test_ctx(1), words, DPL_LEN(words));
    dpl__word_parts found;
    CHECK_OK(dpl__word_parts_find(&found, &p, 0, false, &test_err));
    CHECK_EQ(found.n_terms, dpl_collection_get_sizes(p.c[0])->n_terms);
    for (uint32_t doc = 0; doc < found.n_docs; doc++) {
        const uint32_t *unused;
        size_t n;
        const uint32_t *row = dpl_collection_row(p.c[0], doc, &unused, &n);
        CHECK_EQ(found.begin[doc + 1] - found.begin[doc], n);
        CHECK(!memcmp(found.ids.data + found.begin[doc], row, n * sizeof *row));
    }
    for (uint32_t term = 0; term < found.n_terms; term++)
        CHECK_EQ(found.df[term], dpl_collection_doc_count(p.c[0], term));
    dpl__word_parts_clear(&found);
    close_docs(&p);
}

static dpl_status find_and_clear(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__comparable p = *(dpl__comparable *)user;
    dpl__word_parts found;
    p.ctx = ctx;
    dpl_status status = dpl__word_parts_find(&found, &p, 0, true, err);
    dpl__word_parts_clear(&found);
    return status;
}

DPL_TEST(word_parts, survive_every_failing_allocation)
{
    dpl__comparable p = make_docs(test_ctx(1), words, DPL_LEN(words));
    test_allocation_failures(find_and_clear, &p);
    close_docs(&p);
}
