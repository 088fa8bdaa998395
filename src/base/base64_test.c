#include "base/base64.h"

#include "base/hash.h"
#include "test.h"

DPL_TEST(base64, has_the_vectors_of_the_rfc)
{
    static const char *const cases[][2] = {{"", ""},
                                           {"Zg==", "f"},
                                           {"Zm8=", "fo"},
                                           {"Zm9v", "foo"},
                                           {"Zm9vYg==", "foob"},
                                           {"Zm9vYmE=", "fooba"},
                                           {"Zm9vYmFy", "foobar"}};
    dpl__base64 b = dpl__base64_make();
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char out[16];
        size_t n;
        CHECK(dpl__base64_decode(&b, out, &n, dpl__cstr(cases[i][0])));
        CHECK_STR(((dpl_str){out, n}), cases[i][1]);
        n = dpl__base64_encode(out, cases[i][1], strlen(cases[i][1]));
        CHECK_STR(((dpl_str){out, n}), cases[i][0]);
    }
}

DPL_TEST(base64, refuses_all_but_the_one_form)
{
    static const struct {
        const char *text;
        size_t at;
    } cases[] = {
        {"Zg", 1},   {"Zg=", 2},      {"Z", 0},         {"=", 0},       {"====", 0},
        {"Zh==", 2}, {"Zm9=", 3},     {"Zm9v Zg==", 4}, {"Zm-v", 2},    {"Zg==Zm9v", 2},
        {"Z===", 1}, {"Zm9vZg=x", 6}, {"Zm9v\n", 4},    {"Zm\x80v", 2},
    };
    dpl__base64 b = dpl__base64_make();
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char out[16];
        size_t at;
        if (dpl__base64_decode(&b, out, &at, dpl__cstr(cases[i].text)))
            dpl__test_fail(__FILE__, __LINE__, "taken: %s", cases[i].text);
        CHECK_EQ(at, cases[i].at);
    }
}

DPL_TEST(base64, what_is_encoded_decodes)
{
    dpl__base64 b = dpl__base64_make();
    for (uint64_t seed = 1; seed <= 300; seed++) {
        dpl__rng rng = {seed << 20};
        uint8_t bytes[300];
        char text[400], out[300];
        size_t n = dpl__rng_below(&rng, sizeof bytes), n_out;
        for (size_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)dpl__rng_next(&rng);
        size_t n_text = dpl__base64_encode(text, bytes, n);
        if (!dpl__base64_decode(&b, out, &n_out, (dpl_str){text, n_text}) || n_out != n ||
            memcmp(out, bytes, n) != 0)
            dpl__test_fail(__FILE__, __LINE__, "seed %llu", (unsigned long long)seed);
    }
}
