/*
 * option_tables_test.c - what holds for the options of every stage.
 */
#include <string.h>

#include "base/options.h"
#include "test.h"

DPL_TEST(option_tables, a_table_is_found_by_its_name)
{
    size_t n = 0;
    for (const dpl_option_table *t; (t = dpl__option_table_at(n)); n++)
        CHECK(dpl_option_table_of(t->name) == t);
    CHECK(n >= 28);
    CHECK(!dpl_option_table_of("nothing"));
    CHECK(!dpl_option_table_of(""));
}

/* A group whose table is not listed could not be set by a program that knows names only. */
static void check_option(const dpl_option_table *t, const dpl_option *o)
{
    CHECK(o->offset + o->n_bytes <= t->n_bytes);
    CHECK(dpl_option_find(t, o->name) == o);
    CHECK((o->type == DPL_OPTION_GROUP) == (o->group != NULL));
    CHECK((o->type == DPL_OPTION_CHOICE) == (o->choice != NULL));
    if (o->group)
        CHECK(dpl_option_table_of(o->group()->name) == o->group());
}

DPL_TEST(option_tables, options_lie_in_their_structs_and_groups_are_listed)
{
    const dpl_option_table *t;
    for (size_t i = 0; (t = dpl__option_table_at(i)); i++)
        for (size_t k = 0; k < t->n_options; k++)
            check_option(t, &t->options[k]);
}
