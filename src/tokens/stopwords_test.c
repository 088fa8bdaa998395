#include "tokens/stopwords.h"

#include "test.h"

DPL_TEST(stopwords, are_told_from_other_words_in_each_language)
{
    CHECK(dpl__stop_has("en", DPL_STR("the")));
    CHECK(dpl__stop_has("de", DPL_STR("dass")));
    CHECK(dpl__stop_has("el", DPL_STR("τησ")));
    CHECK(!dpl__stop_has("de", DPL_STR("the")));
    CHECK(!dpl__stop_has("en", DPL_STR("ferry")));
    CHECK(!dpl__stop_has("en", DPL_STR("th")));
    CHECK(!dpl__stop_has("en", DPL_STR("")));
    CHECK(!dpl__stop_has("xx", DPL_STR("the")));
    CHECK(!dpl__stop_has("und", DPL_STR("the")));
}

DPL_TEST(stopwords, contractions_may_have_either_apostrophe)
{
    CHECK(dpl__stop_has("en", DPL_STR("don't")));
    CHECK(dpl__stop_has("en", DPL_STR("don’t")));
    CHECK(dpl__stop_has("fr", DPL_STR("qu’il")));
    CHECK(!dpl__stop_has("en", DPL_STR("don‘t")));
    CHECK(!dpl__stop_has("en", DPL_STR("’")));
    CHECK(!dpl__stop_has("en", DPL_STR("\xE2\x80")));
    CHECK(!dpl__stop_has("en", DPL_STR("a word that is much too long to be one of ours’")));
}
