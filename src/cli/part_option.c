/*
 * part_option.c - --part i/n: its value, and what is said when a part is done.
 */
#include "cli/part_option.h"

#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/talk.h"

#include <stdio.h>

int cli_part_parse(dpl_part *out, const char *text)
{
    if (dpl_part_parse(out, text))
        return CLI_DONE;
    cli_error("bad value '%s' for --part: expected I/N, such as 3/7 for the third of seven",
              text);
    return CLI_USAGE;
}

static void print_json(const dpl_part_summary *s, const dpl_part *part, const char *what,
                       const char *output, const dpl_ctx *ctx)
{
    dpl_json j = cli_summary_begin(cli_is_stdout(output));
    dpl_json_number(&j, "part", part->number + 1);
    dpl_json_number(&j, "parts", part->n);
    dpl_json_bool(&j, "kept", s->is_kept);
    if (s->is_kept)
        dpl_json_null(&j, what);
    else
        dpl_json_number(&j, what, s->n_items);
    if (s->n_unchanged)
        dpl_json_number(&j, "unchanged", s->n_unchanged);
    dpl_json_number(&j, "output_bytes", s->n_output_bytes);
    dpl_json_real(&j, "seconds", s->seconds);
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
}

void cli_part_say(const dpl_part_summary *s, const dpl_part *part, const char *what,
                  const char *output, const dpl_ctx *ctx)
{
    char which[64];
    if (cli_set.json) {
        print_json(s, part, what, output, ctx);
        return;
    }
    snprintf(which, sizeof which, "%u of %u", part->number + 1, part->n);
    cli_note_row("part", which, s->is_kept ? "was there already: nothing to do" : "");
    if (!s->is_kept)
        cli_note_count(what, s->n_items, "");
    if (s->n_unchanged)
        cli_note_count("unchanged", s->n_unchanged, "documents, not tokenized again");
    cli_note_output(output, s->n_output_bytes);
    cli_note_time(s->seconds, "", ctx);
}
