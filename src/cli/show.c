/*
 * show.c - columns of text, and lists cut to the requested number.
 */
#include "cli/show.h"

#include "cli/layout.h"
#include "cli/talk.h"

#include <string.h>
#include <unistd.h>

enum { MOST_CELL = 200 };

unsigned cli_show_wider(unsigned columns, dpl_str s, unsigned most)
{
    char text[CLI_FIT_BYTES(MOST_CELL)];
    unsigned n = cli_fit(text, sizeof text, s, most);
    return n > columns ? n : columns;
}

void cli_show_cell(dpl_str s, unsigned columns)
{
    char text[CLI_FIT_BYTES(MOST_CELL)];
    unsigned used = cli_fit(text, sizeof text, s, columns);
    cli_print("%s%*s", text, (int)(columns - used + 2), "");
}

void cli_show_rest(dpl_str s, unsigned used)
{
    char text[CLI_FIT_BYTES(MOST_CELL)];
    unsigned width = cli_width(STDOUT_FILENO), room = width < used + 10 ? 10 : width - used;
    cli_fit(text, sizeof text, s, room < MOST_CELL ? room : MOST_CELL);
    cli_print("%s\n", text);
}

size_t cli_show_most(size_t n, unsigned most)
{
    return n < most ? n : most;
}

bool cli_show_find(uint32_t *row, uint32_t n_rows, const void *object,
                   dpl_str (*id_of)(const void *object, uint32_t row), const char *id)
{
    const size_t n_id = strlen(id);
    for (*row = 0; *row < n_rows; ++*row) {
        const dpl_str s = id_of(object, *row);
        if (s.n == n_id && memcmp(s.data, id, n_id) == 0)
            return true;
    }
    return false;
}

int cli_show_missing(const cli_show_request *request, const char *what, const char *item,
                     const char *hint)
{
    cli_error("no %s '%s' in '%s'", what, item, request->path);
    if (hint)
        cli_hint("%s", hint);
    return CLI_FAILED;
}
