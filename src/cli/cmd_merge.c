/*
 * cmd_merge.c - doppel merge: part files become what one machine would have made.
 */
#include "cli/index_file.h"
#include "cli/outfile.h"
#include "cli/pairs_settings.h"
#include "cli/part_option.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/file.h"
#include "doppel/index.h"
#include "doppel/pairs.h"

#include <string.h>

/* What the options set. */
typedef struct settings {
    const char *output, *temp;
    bool wants_header;
} settings;

static const settings defaults;

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, NULL,
                      "write the collection, the signatures, the pairs or the index to "
                      "FILE; - is standard output"),
    {.name = "header",
     .flag = &defaults.wants_header,
     .help = "pairs: write a first line with column names"},
    CLI_TEMP_OPTION(&defaults.temp),
    {0},
};

static const cli_item examples[] = {
    {"doppel merge parts/pairs.*.dpl -o pairs.tsv",
     "what 'doppel pairs --part' wrote for each of its parts"},
    {"doppel merge parts/en.*.dpl -o en.dpl", "what 'doppel import --part' wrote"},
    {"doppel merge a.pocket b.pocket c.pocket -o all.pocket", "three indexes become one"},
    {0},
};

static const cli_item json_keys[] = {
    {"others", "of pairs and of indexes as those of 'doppel pairs' and 'doppel index build'"},
    {0},
};

typedef struct job {
    const settings *o;
    dpl_ctx *ctx;
    dpl_parts *parts;
    dpl_part_summary made;
} job;

/* ---- collections and signatures ------------------------------------------------------ */

static bool is_kind(const job *j, const char *kind)
{
    return strcmp(dpl_parts_get_info(j->parts).kind, kind) == 0;
}

static int merge_to(void *user, const char *path)
{
    job *j = user;
    const settings *o = j->o;
    dpl_error err = {0};
    dpl_import_options import = DPL_INIT(dpl_import_options, .temp = o->temp);
    dpl_status status = is_kind(j, "collection")
                            ? dpl_import_merge(&j->made, j->parts, path, &import, &err)
                            : dpl_sign_merge(&j->made, j->parts, path, &err);
    return status == DPL_OK ? CLI_DONE : cli_fail_or_stop(&err);
}

static int merge_container(job *j)
{
    const settings *o = j->o;
    const char *what = is_kind(j, "collection") ? "documents" : "rows";
    int code = cli_check_output(o->output, "the merged file goes", false);
    if (code == CLI_DONE)
        code = cli_write_container(o->output, j->ctx, o->temp, merge_to, j);
    if (code != CLI_DONE)
        return code;
    const dpl_parts_info parts = dpl_parts_get_info(j->parts);
    cli_part_say(
        &(cli_part_said){.made = j->made, .what = what, .n = parts.n, .kind = parts.kind},
        o->output, j->ctx);
    return CLI_DONE;
}

/* ---- pairs --------------------------------------------------------------------------- */

/* What the summary is about. */
typedef struct said {
    const char *kind;
    uint32_t n_parts;
    cli_pairs_said pairs;
} said;

static const dpl_figure figures[] = {
    CLI_TEXT_FIGURE(said, "kind", kind, .help = "what the parts hold"),
    CLI_COUNT_FIGURE(said, "parts", n_parts, .help = "how many there are", .label = "parts"),
    CLI_FIGURES_OF(said, pairs, cli_pairs_figures),
};
static const dpl_summary_table pairs_summary = CLI_SUMMARY(said, figures);

static int merge_pairs(job *j)
{
    const settings *o = j->o;
    dpl_error err = {0};
    dpl_pairs *pairs = NULL;
    if (dpl_pairs_merge_open(&pairs, j->parts, o->temp, &err) != DPL_OK)
        return cli_fail(&err);
    int code = cli_write_pairs(o->output, j->ctx, pairs, o->wants_header);
    if (code == CLI_DONE) {
        const dpl_parts_info parts = dpl_parts_get_info(j->parts);
        const said r = {parts.kind, parts.n, cli_pairs_said_of(pairs, o->output, j->ctx)};
        cli_say_summary(&pairs_summary, &r, cli_is_stdout(o->output));
    }
    dpl_pairs_close(pairs);
    return code;
}

/* ---- indexes ------------------------------------------------------------------------- */

static int merge_pockets(const job *j, char **args, size_t n_args)
{
    const char *output = j->o->output;
    dpl_error err = {0};
    dpl_index_summary summary = DPL_INIT(dpl_index_summary);
    int code = cli_check_output(output, "the index goes", false);
    if (code != CLI_DONE)
        return code;
    if (dpl_index_merge(&summary, j->ctx, output, (const char *const *)args, n_args, &err) !=
        DPL_OK)
        return cli_fail_or_stop(&err);
    cli_index_summary(&summary, j->ctx, output);
    return CLI_DONE;
}

/* ---- the command --------------------------------------------------------------------- */

static int merge(job *j, char **args, size_t n_args)
{
    dpl_error err = {0};
    const bool is_pocket = cli_is_pocket(j->ctx, args[0]);
    if (!is_pocket &&
        dpl_parts_open(&j->parts, j->ctx, (const char *const *)args, n_args, &err) != DPL_OK)
        return cli_fail(&err);
    if (!is_pocket && is_kind(j, "pairs"))
        return merge_pairs(j);
    if (j->o->wants_header) {
        cli_error("--header applies only to parts of pairs: '%s' has none", args[0]);
        return CLI_USAGE;
    }
    return is_pocket ? merge_pockets(j, args, n_args) : merge_container(j);
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    job j = {.o = user, .ctx = ctx, .made = DPL_INIT(dpl_part_summary)};
    int code = merge(&j, args, n_args);
    dpl_parts_close(j.parts);
    return code;
}

const cli_command cli_merge = {
    .name = "merge",
    .summary = "join part files of several machines, or indexes",
    .synopsis = "PART...|POCKET... -o OUT",
    .about =
        "Join the part files of 'doppel import', 'sign' or 'pairs', which each made one "
        "part of the work (--part I/N). The kind of the parts is detected from the files. The "
        "output has the same bytes as that of the command without --part: a collection, "
        "signatures, or pairs as text, selected as the options of the parts say."
        "\n"
        "\n"
        "All N parts must be there, in any order, each once, with right checksums, of the "
        "same inputs and made with the same options and the same version; otherwise "
        "nothing is written. Of pairs, the recall is checked as 'doppel pairs' does."
        "\n"
        "\n"
        "Indexes ('doppel index build') become one index with the documents of all, in "
        "their order: the bytes are those of an index that is built anew from the same "
        "documents. Options and lexicon are those of the first one. All must have vectors and "
        "the same tokenization; no id may be in two of them.",
    .options = options,
    .examples = examples,
    .figures = &cli_part_figures,
    .json = json_keys,
    .see_also = "doppel-import(1), doppel-sign(1), doppel-pairs(1), doppel-index-build(1)",
    .argument = "PART",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .output_goes = "the merged file goes",
    .is_text = true,
    .work = run,
    CLI_DEFAULTS(defaults),
};
