#include "base/name_list.h"

#include "test.h"

DPL_TEST(name_list, has_the_first_names_and_the_beginning_of_long_ones)
{
    dpl__name_list l = {0};
    CHECK_STR(dpl__cstr(l.text), "");
    dpl__name_list_add(&l, DPL_STR("a"));
    CHECK_STR(dpl__cstr(l.text), "'a'");
    /* 59 bytes, then a character of two */
    dpl__name_list_add(
        &l, DPL_STR("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\u00E4y"));
    CHECK_STR(dpl__cstr(l.text),
              "'a', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'");
    dpl__name_list_add(&l, DPL_STR(""));
    dpl__name_list_add(&l, DPL_STR("d"));
    CHECK_STR(dpl__cstr(l.text),
              "'a', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...', '' ...");
    CHECK_EQ(l.n, 4);
    const dpl__name_list four = l;
    dpl__name_list_add(&l, DPL_STR("e"));
    CHECK_STR(dpl__cstr(l.text), four.text);
}
