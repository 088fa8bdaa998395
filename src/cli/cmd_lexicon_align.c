/*
 * cmd_lexicon_align.c - doppel lexicon align: a lexicon's model aligns the words of a text.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/outfile.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/lexicon.h"

#include <stdio.h>
#include <string.h>

/* What the options set. */
typedef struct settings {
    cli_bitext input;
    dpl_align_options set;
    const char *output, *lexicon_path;
    unsigned links_format;
} settings;

static const settings defaults = {.input = {.read = DPL_INIT(dpl_bitext_options)},
                                  .set = DPL_INIT(dpl_align_options),
                                  .output = "-"};

static const char *symmetry_name(unsigned i)
{
    const dpl_symmetry_info *info = dpl_symmetry_get_info((dpl_symmetry)i);
    return info ? info->name : NULL;
}

static const char *symmetry_text(unsigned i)
{
    const dpl_symmetry_info *info = dpl_symmetry_get_info((dpl_symmetry)i);
    return info ? info->description : NULL;
}

/* The library knows more than one name of some. */
static const char *symmetry_canonical(const char *name)
{
    const dpl_symmetry_info *info;
    for (unsigned i = 0; (info = dpl_symmetry_get_info((dpl_symmetry)i)); i++)
        if (info->also && strcmp(name, info->also) == 0)
            return info->name;
    return name;
}

enum { PHARAOH, NAACL, WORDS, TSV };
static const char *const links_formats[] = {"pharaoh", "naacl", "words", "tsv", NULL};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, "-",
                      "write the alignments to FILE, one line per row; - is standard output"),
    {.name = "lexicon",
     .letter = 'l',
     .value = "L.dpl",
     .text = &defaults.lexicon_path,
     .complete = CLI_FILES,
     .help = "align with this lexicon, made by 'doppel lexicon train'; required"},
    {.name = "to",
     .value = "FORMAT",
     .choice = &defaults.links_format,
     .choices = links_formats,
     .is_common = true,
     .help = "set the format of the links"},
    CLI_OPTION(align, &defaults.set, "symmetrize", .canonical = symmetry_canonical),
    CLI_OPTION(align, &defaults.set, "threshold", .letter = 't'),
    CLI_BITEXT_OPTIONS(defaults.input, "the lexicon's"),
    CLI_OPTION(align, &defaults.set, "pretokenized"),
    CLI_OPTION(align, &defaults.set, "max-words"),
    {0},
};

static const cli_item examples[] = {
    {"doppel lexicon align new.tsv --lexicon de-en.dpl -o new.pharaoh",
     "one line per row, such as '0-0 1-2 2-1'"},
    {"doppel lexicon align new.tsv --lexicon de-en.dpl --to words | less",
     "read which words are aligned"},
    {"doppel lexicon align gold.tsv --lexicon de-en.dpl --pretokenized --symmetrize gdfa | "
     "doppel eval words gold.tsv -",
     "evaluate the alignments"},
    {0},
};

/* ---- lines -------------------------------------------------------------------------- */

static void put_pair(cli_output *out, const char *before, uint64_t left, char between,
                     uint64_t right)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%s%llu%c%llu", before, (unsigned long long)left,
                     between, (unsigned long long)right);
    cli_output_write(out, text, (size_t)n);
}

static void put_pharaoh(cli_output *out, const dpl_aligned_row *row)
{
    for (size_t i = 0; i < row->n_links; i++)
        put_pair(out, i ? " " : "", row->links[i].left, '-', row->links[i].right);
    cli_output_write(out, "\n", 1);
}

/* As in the shared tasks: everything is counted from 1. */
static void put_naacl(cli_output *out, const dpl_aligned_row *row)
{
    char number[32];
    snprintf(number, sizeof number, "%llu ", (unsigned long long)row->row + 1);
    for (size_t i = 0; i < row->n_links; i++) {
        put_pair(out, number, row->links[i].left + 1u, ' ', row->links[i].right + 1u);
        cli_output_write(out, "\n", 1);
    }
}

static void put_words(cli_output *out, const dpl_str *words, size_t n, char end)
{
    for (size_t i = 0; i < n; i++) {
        cli_output_write(out, " ", i > 0);
        cli_output_write(out, words[i].data, words[i].n);
    }
    cli_output_write(out, &end, 1);
}

static bool is_linked_right(const dpl_aligned_row *row, size_t right)
{
    for (size_t i = 0; i < row->n_links; i++)
        if (row->links[i].right == right)
            return true;
    return false;
}

static void put_joined(cli_output *out, bool *is_first, dpl_str left, dpl_str right)
{
    cli_output_write(out, " ", !*is_first);
    cli_output_write(out, left.data, left.n);
    cli_output_write(out, "-", 1);
    cli_output_write(out, right.data, right.n);
    *is_first = false;
}

/* "the-die house-Haus", "ja-" for a left word without a link; such right words come last. */
static void put_linked_words(cli_output *out, const dpl_aligned_row *row)
{
    static const dpl_str none;
    bool is_first = true;
    size_t k = 0;
    for (size_t i = 0; i < row->n_left; i++) {
        if (k == row->n_links || row->links[k].left != i)
            put_joined(out, &is_first, row->left[i], none);
        for (; k < row->n_links && row->links[k].left == i; k++)
            put_joined(out, &is_first, row->left[i], row->right[row->links[k].right]);
    }
    for (size_t i = 0; i < row->n_right; i++)
        if (!is_linked_right(row, i))
            put_joined(out, &is_first, none, row->right[i]);
    cli_output_write(out, "\n", 1);
}

/* Where rows go. */
typedef struct rows {
    const settings *o;
    cli_output out;
} rows;

static dpl_status take_row(void *user, const dpl_aligned_row *row, dpl_error *err)
{
    rows *r = user;
    cli_output *out = &r->out;
    (void)err;
    switch (r->o->links_format) {
    case NAACL: put_naacl(out, row); break;
    case WORDS: put_linked_words(out, row); break;
    case TSV:
        put_words(out, row->left, row->n_left, '\t');
        put_words(out, row->right, row->n_right, '\t');
        put_pharaoh(out, row);
        break;
    default: put_pharaoh(out, row);
    }
    return DPL_OK;
}

/* ---- the summary -------------------------------------------------------------------- */

typedef struct said {
    const dpl_align_summary *s;
    const char *symmetrize, *output;
    cli_machine machine;
} said;

static const dpl_figure figures[] = {
    CLI_SOME_FIGURES(said, s, dpl_align_figures, "rows long left_out read left right links"),
    {.name = "symmetrize",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(said, symmetrize),
     .help = "how both directions were combined"},
    {.name = "output",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(said, output),
     .label = "output",
     .value = "",
     .remark = "'{output}'"},
    CLI_SOME_FIGURES(said, s, dpl_align_figures, "seconds"),
    CLI_FIGURES_OF(said, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(said, figures);

static void say(const settings *o, const dpl_align_summary *s, const dpl_ctx *ctx)
{
    const said all = {s, dpl_symmetry_get_info(o->set.symmetrize)->name,
                      cli_output_name(o->output), cli_machine_of(ctx, false)};
    cli_say_summary(&summary, &all, cli_is_stdout(o->output));
}

/* ---- the work ----------------------------------------------------------------------- */

static int write_alignments(settings *o, dpl_align_summary *s, dpl_ctx *ctx,
                            const dpl_lexicon *lexicon, char **args, size_t n_args)
{
    rows r = {.o = o};
    dpl_error err = {0};
    int code = cli_output_open(&r.out, ctx, o->output);
    if (code != CLI_DONE)
        return code;
    dpl_align_input in =
        DPL_INIT(dpl_align_input, .lexicon = lexicon, .paths = (const char *const *)args,
                 .n_paths = n_args, .take = take_row, .user = &r);
    if (dpl_lexicon_align(s, ctx, &in, &o->set, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    return cli_output_close(&r.out, code);
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    dpl_lexicon *lexicon = NULL;
    dpl_bitext_counts read = DPL_INIT(dpl_bitext_counts);
    dpl_align_summary s = DPL_INIT(dpl_align_summary, .read = &read);
    dpl_error err = {0};
    if (dpl_lexicon_open(&lexicon, ctx, o->lexicon_path, NULL, &err) != DPL_OK)
        return cli_fail_or_stop(&err);
    int code = write_alignments(o, &s, ctx, lexicon, args, n_args);
    if (code == CLI_DONE)
        say(o, &s, ctx);
    dpl_lexicon_close(lexicon);
    return code;
}

static int check(char **args, size_t n_args, void *user)
{
    (void)args, (void)n_args;
    settings *o = user;
    o->set.read = &o->input.read;
    if (!o->lexicon_path) {
        cli_error("no lexicon given");
        cli_hint("set it with --lexicon L.dpl, made by 'doppel lexicon train'");
        return CLI_USAGE;
    }
    return cli_bitext_ready(&o->input);
}

const cli_command cli_lexicon_align = {
    .name = "lexicon align",
    .family = "lexicon",
    .summary = "align the words of parallel text with a lexicon",
    .synopsis = "CORPUS.tsv | LEFT RIGHT | X.tmx | X.mo --lexicon L.dpl -o A.pharaoh",
    .about = "Write, for each row of parallel text, which words are translations of each "
             "other (links), using the alignment model of a lexicon that 'doppel lexicon "
             "train' made, on this text or another. Nothing is trained."
             "\n"
             "\n" CLI_BITEXT_ABOUT "\n"
             "\n"
             "--to pharaoh writes one line per row with i-j for each link, words "
             "counted from 0, and an empty line for a row without links. naacl writes row,"
             " i and j on one line per link, all counted from 1. tsv puts the words of "
             "both sides in front of the pharaoh links, separated by tabs. words is for "
             "reading: Haus-house, with ja- and -very for words that have no link. "
             "Punctuation marks count as words."
             "\n"
             "\n"
             "--symmetrize sets how the alignments of both directions are combined, as "
             "listed below. The best alignment of a direction is its most probable one. "
             "intersect has the highest precision, union the highest recall.",
    .values = {"Combinations of both directions (--symmetrize)", symmetry_name, symmetry_text},
    .options = options,
    .examples = examples,
    .figures = &summary,
    .see_also = "doppel-lexicon-train(1), doppel-eval-words(1)",
    .argument = "parallel text",
    .min_args = 1,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .output_goes = "the alignments go",
    .is_text = true,
    .check = check,
    .work = run,
    CLI_DEFAULTS(defaults),
};
