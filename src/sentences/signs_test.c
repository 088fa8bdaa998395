#include "sentences/signs.h"

#include "test.h"

static dpl__signs signs_of(const char *text)
{
    dpl__signs s = {{0}};
    dpl__signs_add(&s, (dpl_str){text, strlen(text)});
    return s;
}

static bool are_equal(dpl__signs a, dpl__signs b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

DPL_TEST(signs, punctuation_is_the_same_in_any_script)
{
    static const char *const pairs[][2] = {
        {"“Where to?” he asked.", "「去哪儿？」他问。"},
        {"\"No!\"", "“不！”"},
        {"It has 12 gates: 3 are open.", "它有12座门：3座开着。"},
        {"Wait...", "等等……"},
        {"He left — alone.", "他走了——一个人。"},
        {"هل؟", "Whether?"},
    };
    for (size_t i = 0; i < DPL_LEN(pairs); i++)
        CHECK(are_equal(signs_of(pairs[i][0]), signs_of(pairs[i][1])));
    CHECK(!are_equal(signs_of("Really?"), signs_of("Really.")));
    CHECK(signs_of("don’t").at[DPL__SIGN_QUOTE] == 0);
    CHECK(signs_of("1 2 3 4 5 6").at[DPL__SIGN_NUMBER] == DPL__SIGN_MOST);
    CHECK(are_equal(signs_of(""), (dpl__signs){{0}}));
}

DPL_TEST(signs, runs_are_joined)
{
    dpl__signs a = signs_of("“Why?"), b = signs_of("I know!”"), c = dpl__signs_join(a, b);
    CHECK(c.at[DPL__SIGN_FIRST] == a.at[DPL__SIGN_FIRST]);
    CHECK(c.at[DPL__SIGN_LAST] == b.at[DPL__SIGN_LAST]);
    CHECK(c.at[DPL__SIGN_QUESTION] == 1 && c.at[DPL__SIGN_EXCLAMATION] == 1);
    CHECK(c.at[DPL__SIGN_QUOTE] == 2);
    CHECK(are_equal(dpl__signs_join((dpl__signs){{0}}, b), b));
    CHECK(are_equal(dpl__signs_join(a, (dpl__signs){{0}}), a));
}
