#include "cli/hints.h"
#include "lab/lab_program.h"
#include "test.h"

static bool has_option(const cli_option *table, dpl_str name)
{
    for (const cli_option *o = table; o && o->name; o++)
        if (dpl__str_eq(dpl__cstr(o->name), name))
            return true;
    return false;
}

DPL_TEST(lab_program, hints_name_options_that_there_are)
{
    cli_use(&lab_program);
    for (const cli_item *h = lab_program.hints; h->name; h++) {
        CHECK(cli_hint_for(h->name) == h->text);
        for (const char *p = h->text; (p = strstr(p, "--"));) {
            p += 2;
            const dpl_str name = {p, strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789-")};
            if (!has_option(lab_run.options, name))
                dpl__test_fail(__FILE__, __LINE__, "'%s': there is no --%.*s", h->name,
                               (int)name.n, p);
        }
    }
}

DPL_TEST(lab_program, a_word_that_is_no_command_is_an_experiment)
{
    static char lunch[] = "lunch", last[] = "completion", option[] = "--small";
    cli_found found;
    cli_use(&lab_program);
    CHECK(cli_find_command(&found, (char *[]){lunch}, 1));
    CHECK(found.command == &lab_run && found.n_words == 0);
    CHECK(cli_find_command(&found, (char *[]){last}, 1));
    CHECK(found.command == &cli_completion && found.n_words == 1);
    CHECK(!cli_find_command(&found, (char *[]){option}, 1));
}
