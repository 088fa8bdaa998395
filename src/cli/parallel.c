/*
 * parallel.c - options of parallel text become what the library takes.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/parallel.h"

#include "cli/talk.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* "4,3" */
static bool parse_columns(cli_bitext *b)
{
    char left[16];
    uint64_t column[2];
    size_t n = strcspn(b->columns, ",");
    if (n >= sizeof left || b->columns[n] != ',')
        return false;
    memcpy(left, b->columns, n);
    left[n] = 0;
    if (!dpl_parse_number(&column[0], left) ||
        !dpl_parse_number(&column[1], b->columns + n + 1))
        return false;
    for (int i = 0; i < 2; i++)
        if (column[i] == 0 || column[i] > UINT_MAX)
            return false;
    b->read.left_column = (unsigned)column[0];
    b->read.right_column = (unsigned)column[1];
    return true;
}

int cli_bitext_ready(cli_bitext *b)
{
    if (!b->columns || parse_columns(b))
        return CLI_DONE;
    cli_error("bad value '%s' for --fields: expected two numbers from 1 up with a comma "
              "between",
              b->columns);
    return CLI_USAGE;
}

/* ---- languages ---------------------------------------------------------------------- */

/* The text of a side's first rows. */
typedef struct sample {
    char data[1 << 14];
    size_t n;
} sample;

static bool sample_add(sample *s, dpl_str text)
{
    if (text.n + 1 > sizeof s->data - s->n)
        return false;
    if (text.n)
        memcpy(s->data + s->n, text.data, text.n);
    s->n += text.n;
    s->data[s->n++] = '\n';
    return true;
}

/* Errors are reported when the text is read for the work. */
static void read_samples(sample samples[2], dpl_ctx *ctx, char **paths, size_t n_paths,
                         const dpl_bitext_options *options)
{
    dpl_bitext *bitext = NULL;
    dpl_bitext_row row;
    if (dpl_bitext_open(&bitext, ctx, (const char *const *)paths, n_paths, options, NULL) ==
        DPL_OK)
        while (dpl_bitext_next(bitext, &row, NULL) == DPL_OK &&
               sample_add(&samples[0], row.left) && sample_add(&samples[1], row.right))
            ;
    dpl_bitext_close(bitext);
}

static bool are_files(char **paths, size_t n_paths)
{
    struct stat st;
    for (size_t i = 0; i < n_paths; i++)
        if (stat(paths[i], &st) != 0 || !S_ISREG(st.st_mode))
            return false;
    return true;
}

void cli_bitext_identify(cli_bitext *b, dpl_ctx *ctx, char **paths, size_t n_paths)
{
    const char **lang[2] = {&b->read.left_lang, &b->read.right_lang};
    if ((*lang[0] && *lang[1]) || !are_files(paths, n_paths))
        return;
    sample *samples = calloc(2, sizeof *samples);
    if (!samples)
        return;
    read_samples(samples, ctx, paths, n_paths, &b->read);
    for (int i = 0; i < 2; i++) {
        dpl_lang found = dpl_lang_identify((dpl_str){samples[i].data, samples[i].n});
        if (*lang[i] || found.confidence <= 0)
            continue;
        snprintf(b->lang[i], sizeof b->lang[i], "%s", found.code);
        *lang[i] = b->lang[i];
        b->is_told[i] = true;
    }
    free(samples);
    if (!*lang[0] || !*lang[1] || strcmp(*lang[0], *lang[1]) != 0)
        return;
    cli_note("both sides look like '%s': set their languages with --langs", *lang[0]);
    for (int i = 0; i < 2; i++)
        if (b->is_told[i])
            *lang[i] = NULL;
}
