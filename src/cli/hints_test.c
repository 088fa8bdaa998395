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
    cli_use(&cli_doppel);
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
    cli_use(&cli_doppel);
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

/* Every command with every hint: no option that the command would refuse. */
DPL_TEST(cli_hints, name_no_option_that_the_command_refuses)
{
    cli_use(&cli_doppel);
    const char *code, *hint;
    char room[600];
    for (size_t c = 0; cli_commands[c]; c++)
        for (size_t i = 0; cli_hint_at(i, &code, &hint); i++) {
            const char *said = cli_hint_as(room, sizeof room, cli_commands[c]->name, code);
            bool is_quoted = false;
            for (const char *p = said; p && *p; p++) {
                is_quoted ^= *p == '\'';
                if (is_quoted || strncmp(p, "--", 2) != 0)
                    continue;
                const size_t n = strspn(p + 2, "abcdefghijklmnopqrstuvwxyz0123456789-");
                const dpl_str name = {p + 2, n};
                if (!is_in(cli_common_options, name) && !is_in(cli_commands[c]->options, name))
                    dpl__test_fail(__FILE__, __LINE__, "'%s' says --%.*s for '%s'",
                                   cli_commands[c]->name, (int)n, p + 2, code);
                p += 1 + n;
            }
        }
}

/* What reads documents takes the options of readers, so that the hints about them can be used.
 */
DPL_TEST(cli_hints, commands_that_read_documents_take_the_options_of_readers)
{
    cli_use(&cli_doppel);
    static const char *const commands[] = {"mine",  "import",    "vectors",
                                           "pairs", "align",     "dedup",
                                           "reuse", "translate", "lexicon learn"};
    static const char *const names[] = {"from",       "on-error",  "fields",
                                        "wrapped",    "side",      "chapters",
                                        "max-record", "min-chars", "follow-links"};
    for (size_t c = 0; c < DPL_LEN(commands); c++) {
        const cli_command *command = NULL;
        for (size_t i = 0; cli_commands[i]; i++)
            if (strcmp(cli_commands[i]->name, commands[c]) == 0)
                command = cli_commands[i];
        if (!command)
            dpl__test_fail(__FILE__, __LINE__, "no command '%s'", commands[c]);
        for (size_t i = 0; command && i < DPL_LEN(names); i++)
            if (!is_in(command->options, dpl__cstr(names[i])))
                dpl__test_fail(__FILE__, __LINE__, "'%s' has no --%s", commands[c], names[i]);
    }
}
