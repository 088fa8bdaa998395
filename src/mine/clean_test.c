#include "mine/clean.h"

#include "test.h"

static const char english[] = "The old house stands by the river, and nobody has lived in it "
                              "for years because the roof is broken.",
                  german[] = "Das alte Haus steht am Fluss, und seit Jahren hat niemand mehr "
                             "darin gewohnt, weil das Dach kaputt ist.",
                  russian[] = "Дом у реки старый, и в нём никто не живёт. ";

DPL_TEST(clean, a_text_is_foreign_when_its_language_is_clear_and_another)
{
    static const struct {
        const char *text, *own;
        bool is_foreign;
    } cases[] = {
        {english, "en", false},
        {english, "de", true},
        {german, "en", true},
        {german, "de", false},
        {english, "", false}, /* of a side without a language nothing is foreign */
        {english, "und", false},
        {"The old house stands by it.", "de", false}, /* too short to tell */
        {"", "de", false},
        {"12 34 56 78 90 12 34 56 78 90 12 34 56 78 90", "de", false},
    };
    for (size_t i = 0; i < DPL_LEN(cases); i++)
        if (dpl__is_foreign(dpl__cstr(cases[i].text), cases[i].own) != cases[i].is_foreign)
            dpl__test_fail(__FILE__, __LINE__, "'%s' is%s foreign to '%s'", cases[i].text,
                           cases[i].is_foreign ? " not" : "", cases[i].own);
}

/* The beginning of a long text is read, which may end within a character. */
DPL_TEST(clean, a_long_text_is_cut_between_characters)
{
    enum { COPIES = 60 };
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes text = {0};
    for (size_t shift = 0; shift < 4; shift++) {
        text.n = 0;
        for (size_t i = 0; i < shift; i++)
            CHECK(dpl__vec_push(ctx, &text, '\n'));
        for (size_t i = 0; i < COPIES; i++)
            CHECK(dpl__vec_append(ctx, &text, russian, sizeof russian - 1));
        CHECK(text.n > 4000);
        CHECK(dpl__is_foreign((dpl_str){text.data, text.n}, "en"));
        CHECK(!dpl__is_foreign((dpl_str){text.data, text.n}, "ru"));
    }
    dpl__vec_clear(ctx, &text);
    test_ctx_done(ctx);
}
