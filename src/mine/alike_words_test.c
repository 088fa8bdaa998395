#include "mine/alike_words.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

typedef struct fixture {
    dpl_ctx *ctx;
    dpl_collection *c[2];
    dpl__alike_words words;
} fixture;

static void compare(fixture *x, unsigned n_threads, const char *const texts[2], int pivot)
{
    *x = (fixture){.ctx = test_ctx(n_threads)};
    for (int side = 0; side < 2; side++) {
        const char *text =
            test_write(side ? "r.tsv" : "l.tsv", texts[side], strlen(texts[side]));
        const dpl_reader_options read =
            DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = side ? "en" : "de");
        const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
        char path[1000];
        snprintf(path, sizeof path, "%s", test_path(side ? "r.dpl" : "l.dpl"));
        CHECK_OK(dpl_import(NULL, x->ctx, path, &text, 1, &o, &test_err));
        CHECK_OK(dpl_collection_open(&x->c[side], x->ctx, path, &test_err));
    }
    const dpl__comparable p = {.ctx = x->ctx, .c = {x->c[0], x->c[1]}, .pivot = pivot};
    CHECK_OK(dpl__alike_words_find(&x->words, &p, &test_err));
}

static void done(fixture *x)
{
    dpl__vec_clear(x->ctx, &x->words);
    for (int side = 0; side < 2; side++)
        dpl_collection_close(x->c[side]);
    test_ctx_done(x->ctx);
}

/* Of a word of the pivot, the left side, and one of the right side; 0: they are not linked. */
static float p_of(const fixture *x, const char *left, const char *right)
{
    uint32_t term[2] = {0, 0};
    CHECK(dpl_collection_find_term(x->c[0], dpl__cstr(left), &term[0]));
    CHECK(dpl_collection_find_term(x->c[1], dpl__cstr(right), &term[1]));
    for (size_t i = 0; i < x->words.n; i++)
        if (x->words.data[i].left == term[0] && x->words.data[i].right == term[1])
            return x->words.data[i].p;
    return 0;
}

DPL_TEST(alike_words, letters_in_common_count_wherever_they_stand)
{
    const char *const texts[2] = {
        "1\tpolizei gouvernement président demokratisch bus haus 1990\n",
        "1\tpolice government president democratic bus house 1990 window\n"};
    fixture x;
    compare(&x, 1, texts, 0);
    CHECK(p_of(&x, "gouvernement", "government") > 0.02f);
    CHECK(p_of(&x, "président", "president") > 0.2f);
    CHECK(p_of(&x, "président", "president") > p_of(&x, "gouvernement", "government"));
    CHECK(p_of(&x, "polizei", "police") > 0);
    CHECK(p_of(&x, "polizei", "window") <= 0);
    CHECK(p_of(&x, "1990", "1990") <= 0); /* numbers are the same or not */
    CHECK(p_of(&x, "bus", "bus") <= 0);   /* three letters say little */
    done(&x);
}

DPL_TEST(alike_words, what_many_words_end_with_counts_less)
{
    const char *const texts[2] = {"1\tbaltung\n2\tkirtung zeitung leitung haltung deutung\n",
                                  "1\tbaltong\n2\tkirfung zeitung leitung haltung deutung\n"};
    fixture x;
    compare(&x, 1, texts, 0);
    CHECK(p_of(&x, "baltung", "baltong") > p_of(&x, "baltung", "leitung"));
    CHECK(p_of(&x, "kirtung", "kirfung") > p_of(&x, "kirtung", "deutung"));
    done(&x);
}

/* n made-up words of a few syllables. */
static void make_words(char *out, size_t room, unsigned seed, unsigned n)
{
    static const char *const syllables[] = {"ka", "lo", "mi", "ru",  "tes",
                                            "sa", "vo", "ne", "ung", "er"};
    dpl__rng rng = {dpl__mix(seed)};
    size_t at = (size_t)snprintf(out, room, "1\t");
    for (unsigned i = 0; i < n; i++) {
        const uint64_t n_syllables = 2 + dpl__rng_below(&rng, 4);
        for (uint64_t k = 0; k < n_syllables; k++)
            at += (size_t)snprintf(out + at, room - at, "%s",
                                   syllables[dpl__rng_below(&rng, DPL_LEN(syllables))]);
        at += (size_t)snprintf(out + at, room - at, " ");
    }
    snprintf(out + at, room - at, "\n");
}

/* The same words, whichever side is left and for any number of threads. */
DPL_TEST(alike_words, sides_and_threads_do_not_matter)
{
    enum { ROOM = 40000, N_WORDS = 1500 };
    static char text[2][ROOM];
    fixture x, y;
    make_words(text[0], ROOM, 1, N_WORDS);
    make_words(text[1], ROOM, 2, N_WORDS);
    const char *const texts[2] = {text[0], text[1]}, *const swapped[2] = {text[1], text[0]};
    compare(&x, 1, texts, 0);
    compare(&y, 3, swapped, 1);
    CHECK(x.words.n > N_WORDS / 2 && x.words.n == y.words.n);
    CHECK(memcmp(x.words.data, y.words.data, x.words.n * sizeof *x.words.data) == 0);
    for (size_t i = 1; i < x.words.n; i++) {
        const dpl__alike_word *a = &x.words.data[i - 1], *b = &x.words.data[i];
        CHECK(a->left < b->left || (a->left == b->left && a->right < b->right));
    }
    done(&y);
    done(&x);
}
