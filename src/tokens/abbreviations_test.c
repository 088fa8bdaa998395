#include "tokens/sentence_bounds.h"

#include "test.h"

DPL_TEST(abbreviations, are_words_that_rarely_end_a_sentence)
{
    CHECK(dpl__is_abbreviation("de", DPL_STR("z.b")));
    CHECK(dpl__is_abbreviation("de", DPL_STR("bzw")));
    CHECK(dpl__is_abbreviation("en", DPL_STR("mrs")));
    CHECK(dpl__is_abbreviation("cs", DPL_STR("např")));
    CHECK(!dpl__is_abbreviation("de", DPL_STR("usw")));
    CHECK(!dpl__is_abbreviation("en", DPL_STR("etc")));
    CHECK(!dpl__is_abbreviation("en", DPL_STR("bzw")));
    CHECK(!dpl__is_abbreviation("en", DPL_STR("go")));
}

DPL_TEST(abbreviations, one_letter_is_an_initial_in_every_language)
{
    CHECK(dpl__is_abbreviation("en", DPL_STR("j")));
    CHECK(dpl__is_abbreviation("und", DPL_STR("é")));
    CHECK(dpl__is_abbreviation("ru", DPL_STR("п")));
    CHECK(!dpl__is_abbreviation("en", DPL_STR("7")));
    CHECK(!dpl__is_abbreviation("zh", DPL_STR("山")));
    CHECK(!dpl__is_abbreviation("en", DPL_STR("")));
    CHECK(!dpl__is_abbreviation("en", DPL_STR("jj")));
}
