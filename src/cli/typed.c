/*
 * typed.c - the command line as it was typed, for reports.
 */
#include "cli/command.h"

#include <string.h>

static char typed[4000];

const char *cli_typed(void)
{
    return typed;
}

static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@_";
    return *word && word[strspn(word, plain)] == '\0';
}

/* In single quotes where a shell would change it. False: no room. */
static bool add_word(size_t *n, const char *word)
{
    bool is_bare = is_plain(word);
    if (*n + 2 * strlen(word) + 8 > sizeof typed)
        return false;
    if (*n)
        typed[(*n)++] = ' ';
    if (!is_bare)
        typed[(*n)++] = '\'';
    for (; *word; word++) {
        if (*n + 8 > sizeof typed)
            return false;
        if (*word == '\'') { /* ends the quotes, and begins them again */
            memcpy(typed + *n, "'\\'", 3);
            *n += 3;
        }
        typed[(*n)++] = *word;
    }
    if (!is_bare)
        typed[(*n)++] = '\'';
    typed[*n] = '\0';
    return true;
}

void cli_keep_typed(int argc, char **argv)
{
    size_t n = 0;
    if (!add_word(&n, cli_this->name))
        return;
    for (int i = 1; i < argc; i++)
        if (!add_word(&n, argv[i])) {
            memcpy(typed + (n < sizeof typed - 5 ? n : sizeof typed - 5), " ...", 5);
            return;
        }
}
