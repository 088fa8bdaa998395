#include "vectors/vectors.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>

/* ---- vectors made by hand ----------------------------------------------------------- */

/* Words in byte order, one behind the other. */
static dpl__strings strings(uint64_t *offsets, char *bytes, const char *const *words, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        offsets[i] = at;
        memcpy(bytes + at, words[i], strlen(words[i]));
        at += strlen(words[i]);
    }
    offsets[n] = at;
    return (dpl__strings){offsets, bytes, n};
}

static dpl_vectors sparse(const char *path, const char *space, const char *lang)
{
    return (dpl_vectors){
        .path = (char *)(uintptr_t)path, .space = dpl__cstr(space), .lang = dpl__cstr(lang)};
}

static dpl_vectors dense(const char *path, uint32_t dim)
{
    return (dpl_vectors){
        .path = (char *)(uintptr_t)path, .dense = {.dim = dim}, .space = DPL_STR("dense")};
}

static void check_refused(const dpl_vectors *a, const dpl_vectors *b, const char *message)
{
    CHECK_EQ(dpl__vectors_check_match(a, b, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.text), message);
    CHECK_EQ(dpl__vectors_check_match(b, a, NULL), DPL_E_USAGE);
}

DPL_TEST(match, says_why_rows_cannot_be_compared)
{
    dpl_vectors de = sparse("de", "words, stem, bm25", "de"), en = sparse("en", "words", "en");
    check_refused(&de, &en,
                  "'de' and 'en' cannot be compared: 'words, stem, bm25' against 'words'");
    en.space = de.space;
    CHECK_OK(dpl__vectors_check_match(&de, &en, &test_err)); /* what both share */
    dpl_vectors fr = sparse("fr", "words, stem, bm25", "fr");
    de.lang = DPL_STR("en");
    de.is_projected = true;
    CHECK_OK(dpl__vectors_check_match(&de, &en, &test_err));
    check_refused(&de, &fr, "'de' is projected into 'en', the other side 'fr' is in 'fr'");
    fr.is_projected = true;
    check_refused(&de, &fr,
                  "'de' is projected into 'en', the other side 'fr' is projected into 'fr'");
    de.lang = DPL_STR(""); /* not known: nothing to say against it */
    CHECK_OK(dpl__vectors_check_match(&de, &fr, &test_err));
    dpl_vectors a = dense("a", 3), b = dense("b", 4);
    check_refused(&a, &b, "'a' has rows of 3 numbers, 'b' of 4: they cannot be compared");
    check_refused(&a, &en,
                  "'a' has dense rows and 'en' rows of terms: they cannot be compared");
    b.dense.dim = 3;
    CHECK_OK(dpl__vectors_check_match(&a, &b, &test_err));
}

/* ---- terms -------------------------------------------------------------------------- */

DPL_TEST(match, terms_are_found_on_the_other_side)
{
    static const char *const left[] = {"", "a", "ab", "b", "z"}, *const right[] = {"ab", "abc",
                                                                                   "b"};
    uint64_t x[6], y[4];
    char p[32], q[32];
    dpl__strings a = strings(x, p, left, 5), b = strings(y, q, right, 3);
    uint32_t out[5];
    dpl__match_terms(out, &a, &b);
    static const uint32_t there[] = {DPL__NO_TERM, DPL__NO_TERM, 0, 2, DPL__NO_TERM};
    CHECK(memcmp(out, there, sizeof there) == 0);
    dpl__match_terms(out, &b, &a);
    CHECK(out[0] == 2 && out[1] == DPL__NO_TERM && out[2] == 3);
    dpl__strings none = {y, q, 0};
    dpl__match_terms(out, &a, &none);
    CHECK(out[0] == DPL__NO_TERM && out[4] == DPL__NO_TERM);
}

DPL_TEST(match, keys_depend_on_the_text_alone)
{
    char a[] = "house", b[] = "xhouse";
    CHECK(dpl__term_key(dpl__cstr(a)) == dpl__term_key(dpl__cstr(b + 1)));
    CHECK(dpl__term_key(DPL_STR("house")) != dpl__term_key(DPL_STR("houses")));
    /* signatures in files rest on it */
    CHECK(dpl__term_key(DPL_STR("house")) == 0x84C27DC44F02C51Du);
}

/* ---- cosines ------------------------------------------------------------------------ */

enum { N = 20 };

/* A row over the words "0".."19" that begin with it, weights random. */
typedef struct row {
    uint64_t offsets[2];
    uint32_t terms[N];
    float weights[N];
    double dense[N]; /* by word */
} row;

static void fill_row(row *r, const int *words, size_t n_words, dpl__rng *rng)
{
    *r = (row){0};
    for (size_t i = 0; i < n_words; i++)
        if (dpl__rng_below(rng, 2)) {
            float w = (float)dpl__rng_below(rng, 1000) / 1000;
            r->terms[r->offsets[1]] = (uint32_t)i;
            r->weights[r->offsets[1]++] = w;
            r->dense[words[i]] = (double)w;
        }
}

DPL_TEST(match, the_cosine_is_the_sum_over_shared_terms_in_byte_order)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        char text[2][N][4], bytes[2][64];
        uint64_t offsets[2][N + 1];
        row r[2];
        dpl_vectors v[2] = {{0}};
        for (int side = 0; side < 2; side++) {
            int words[N];
            const char *spelled[N];
            size_t n = 0;
            for (int i = 0; i < N; i++) /* two digits: byte order is their order */
                if (dpl__rng_below(&rng, 3)) {
                    sprintf(text[side][n], "%02d", i);
                    spelled[n] = text[side][n];
                    words[n++] = i;
                }
            v[side].terms = strings(offsets[side], bytes[side], spelled, n);
            fill_row(&r[side], words, n, &rng);
            v[side].rows =
                (dpl__rows){1, (uint32_t)n, r[side].offsets, r[side].terms, r[side].weights};
        }
        double expected = 0, own = 0;
        for (int i = 0; i < N; i++) {
            expected += r[0].dense[i] * r[1].dense[i];
            own += r[0].dense[i] * r[0].dense[i];
        }
        CHECK(dpl_vectors_cosine(&v[0], 0, &v[1], 0) == expected);
        CHECK(dpl_vectors_cosine(&v[1], 0, &v[0], 0) == expected);
        CHECK(dpl_vectors_cosine(&v[0], 0, &v[0], 0) == own);
    }
}
