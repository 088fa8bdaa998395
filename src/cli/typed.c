/*
 * typed.c - the command line as it was typed, for reports.
 */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

/* As typed, and what of it decides the result. */
static struct {
    char typed[4000], result[4100];
} kept;

const char *cli_typed(void)
{
    return kept.typed;
}

const char *cli_typed_result(void)
{
    return kept.result;
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
    if (*n + 2 * strlen(word) + 8 > sizeof kept.typed)
        return false;
    if (*n)
        kept.typed[(*n)++] = ' ';
    if (!is_bare)
        kept.typed[(*n)++] = '\'';
    for (; *word; word++) {
        if (*n + 8 > sizeof kept.typed)
            return false;
        if (*word == '\'') { /* ends the quotes, and begins them again */
            memcpy(kept.typed + *n, "'\\'", 3);
            *n += 3;
        }
        kept.typed[(*n)++] = *word;
    }
    if (!is_bare)
        kept.typed[(*n)++] = '\'';
    kept.typed[*n] = '\0';
    return true;
}

/* Whether an option leaves the result as it is; *skips: its value is the next word. */
static bool changes_nothing(const char *word, bool *skips)
{
    static const char *const flags[] = {"-q", "--quiet", "--json", "--verbose", NULL};
    static const char *const values[] = {"--part", "--threads", "--memory", "--temp",
                                         "--cpu",  "--device",  NULL};
    *skips = false;
    for (size_t i = 0; flags[i]; i++)
        if (strcmp(word, flags[i]) == 0)
            return true;
    for (size_t i = 0; values[i]; i++) {
        const size_t n = strlen(values[i]);
        if (strncmp(word, values[i], n) == 0 && (word[n] == '\0' || word[n] == '=')) {
            *skips = word[n] == '\0';
            return true;
        }
    }
    return false;
}

/* A command line of any length: what does not fit is in a hash of all of it. */
static void keep_result(int argc, char **argv)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    size_t n = (size_t)snprintf(kept.result, sizeof kept.result, "%s", cli_this->name);
    for (int i = 1; i < argc; i++) {
        bool skips;
        if (changes_nothing(argv[i], &skips)) {
            i += skips;
            continue;
        }
        for (const char *c = argv[i]; c == argv[i] || c[-1]; c++)
            hash = (hash ^ (unsigned char)*c) * 1099511628211u;
        if (n < 4000)
            n += (size_t)snprintf(kept.result + n, 4000 - n, " %s", argv[i]);
    }
    n = n < 4000 ? n : 4000 - 1;
    snprintf(kept.result + n, sizeof kept.result - n, " %016llx", (unsigned long long)hash);
}

void cli_keep_typed(int argc, char **argv)
{
    size_t n = 0;
    keep_result(argc, argv);
    if (!add_word(&n, cli_this->name))
        return;
    for (int i = 1; i < argc; i++)
        if (!add_word(&n, argv[i])) {
            memcpy(kept.typed + (n < sizeof kept.typed - 5 ? n : sizeof kept.typed - 5), " ...",
                   5);
            return;
        }
}
