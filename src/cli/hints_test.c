#include "cli/command.h"
#include "cli/hints.h"
#include "test.h"

static bool is_in(const cli_option *table, dpl_str name)
{
    for (const cli_option *o = table; o && o->name; o++)
        if (dpl__str_eq(dpl__cstr(o->name), name))
            return true;
    return false;
}

static bool is_option(dpl_str name)
{
    bool is_known = is_in(cli_common_options, name);
    for (size_t i = 0; cli_commands[i] && !is_known; i++)
        is_known = is_in(cli_commands[i]->options, name);
    return is_known;
}

/* A row that names an option which was renamed since helps nobody. */
DPL_TEST(cli_hints, name_options_that_there_are)
{
    const char *code, *hint;
    for (size_t i = 0; cli_hint_at(i, &code, &hint); i++)
        for (const char *p = hint; (p = strstr(p, "--"));) {
            p += 2;
            size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz0123456789-");
            if (!is_option((dpl_str){p, n}))
                dpl__test_fail(__FILE__, __LINE__, "'%s': there is no --%.*s", code, (int)n, p);
        }
}

DPL_TEST(cli_hints, have_one_row_for_a_code)
{
    const char *code, *hint;
    for (size_t i = 0; cli_hint_at(i, &code, &hint); i++) {
        CHECK(cli_hint_for(code) == hint);
        CHECK(strlen(code) < sizeof((dpl_error *)0)->code);
        size_t n = strlen(hint);
        CHECK(n > 3 && (hint[n - 1] != '.' || strcmp(hint + n - 3, "...") == 0));
    }
    CHECK(!cli_hint_for(""));
    CHECK(!cli_hint_for("no-such-code"));
}
