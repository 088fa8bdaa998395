/*
 * lexicon_file.c - where a lexicon goes, as a file and as text.
 */
#include "cli/lexicon_file.h"

#include "cli/talk.h"

#include <stdio.h>
#include <string.h>

/* ---- either language ---------------------------------------------------------------- */

const char *cli_lexicon_lang(const dpl_lexicon *l, bool is_target)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(l);
    return is_target ? about.target_lang : about.source_lang;
}

uint32_t cli_lexicon_n_words(const dpl_lexicon *l, bool is_target)
{
    const dpl_lexicon_sizes *n = dpl_lexicon_get_sizes(l);
    return is_target ? n->n_targets : n->n_sources;
}

const uint32_t *cli_lexicon_row(const dpl_lexicon *l, bool is_target, uint32_t word,
                                const float **p, size_t *n)
{
    return is_target ? dpl_lexicon_back_row(l, word, p, n) : dpl_lexicon_row(l, word, p, n);
}

/* ---- the table as text -------------------------------------------------------------- */

static dpl_status write_text(void *user, const char *text, size_t n, dpl_error *err)
{
    (void)err;
    cli_output_write(user, text, n);
    return DPL_OK;
}

int cli_lexicon_write(uint64_t *n_entries, cli_output *out, const dpl_lexicon *lexicon,
                      bool is_back, float min_p)
{
    dpl_error err = {0};
    dpl_lexicon_tsv_options o =
        DPL_INIT(dpl_lexicon_tsv_options, .is_back = is_back, .is_by_probability = true,
                 .is_exact = true, .threshold = (double)min_p);
    if (dpl_lexicon_write_tsv(n_entries, lexicon, &o, write_text, out, &err) != DPL_OK)
        return cli_fail(&err);
    return CLI_DONE;
}

/* ---- where it goes ------------------------------------------------------------------ */

typedef struct making {
    cli_lexicon_output *o;
    dpl_ctx *ctx;
    int (*make)(void *user, const char *path);
    void *user;
} making;

/* Only the finished lexicon knows its languages. */
static int look_into(cli_lexicon_output *o, dpl_ctx *ctx, const char *path)
{
    dpl_lexicon *lexicon = NULL;
    dpl_error err = {0};
    if (dpl_lexicon_open(&lexicon, ctx, path, NULL, &err) != DPL_OK)
        return cli_fail(&err);
    for (int i = 0; i < 2; i++)
        snprintf(o->lang[i], sizeof o->lang[i], "%s", cli_lexicon_lang(lexicon, i));
    dpl_lexicon_close(lexicon);
    return CLI_DONE;
}

static int make_and_look(void *user, const char *path)
{
    making *m = user;
    int code = m->make(m->user, path);
    return code == CLI_DONE ? look_into(m->o, m->ctx, path) : code;
}

int cli_lexicon_make(cli_lexicon_output *o, dpl_ctx *ctx,
                     int (*make)(void *user, const char *path), void *user)
{
    making m = {o, ctx, make, user};
    return cli_write_container(o->path, ctx, NULL, make_and_look, &m);
}
