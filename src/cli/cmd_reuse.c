/*
 * cmd_reuse.c - doppel reuse: passages of documents that also occur in a collection.
 */
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/index_file.h"
#include "cli/outfile.h"
#include "cli/reuse_output.h"
#include "cli/shared.h"
#include "cli/shared_part.h"
#include "cli/talk.h"

#include "doppel/index.h"
#include "doppel/pairs.h"
#include "doppel/reuse.h"

#include <stdio.h>
#include <string.h>

/* What the options set. */
typedef struct settings {
    dpl_reader_options read;
    dpl_reuse_options set;
    const char *output, *part_text;
    unsigned to;
} settings;

static const settings defaults = {.read = DPL_INIT(dpl_reader_options, .unknown_as_text = true),
                                  .set = DPL_INIT(dpl_reuse_options),
                                  .output = "-"};

enum { TEXT, TSV, HTML };
static const char *const forms[] = {"text", "tsv", "html", NULL};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, "-",
                      "write the passages to FILE; - is standard output"),
    CLI_SHARED_PART_OPTION(&defaults.part_text, .only_with = "output", ),
    {.name = "to",
     .value = "FORMAT",
     .choice = &defaults.to,
     .choices = forms,
     .is_common = true,
     .help = "set the format of the output (text: passages side by side; tsv: query id, source "
             "id, kind, similarity, then of the query and of the source first and last byte, "
             "first sentence and number of sentences; html: a page with passages marked in the "
             "query, beside their sources)"},
    CLI_OPTION(reuse, &defaults.set, "lexicon", .letter = 'l', .is_common = true),
    CLI_OPTION(reuse, &defaults.set, "lexicon-langs"),
    CLI_OPTION(reuse, &defaults.set, "threshold", .letter = 't', .is_common = true),
    CLI_OPTION(reuse, &defaults.set, "translation"),
    CLI_OPTION(reuse, &defaults.set, "min-words", .is_common = true),
    CLI_OPTION(reuse, &defaults.set, "seed-words"),
    CLI_OPTION(reuse, &defaults.set, "gap"),
    CLI_OPTION(reuse, &defaults.set, "top", .letter = 'n', .is_common = true),
    CLI_OPTION(reuse, &defaults.set, "skip-same-id", .is_common = true),
    CLI_ALL_READER_OPTIONS(defaults.read),
    CLI_TEMP_OPTION(&defaults.set.temp),
    {0},
};

static const cli_item examples[] = {
    {"doppel reuse essay.txt library.jsonl.zst", "passages side by side on the terminal"},
    {"doppel reuse essay.txt library.dpl --to html -o essay.html", "a page for the browser"},
    {"doppel reuse essay.txt library.dpl --lexicon de-en.dpl", "translated passages, too"},
    {"doppel reuse essay.txt library.pocket",
     "sources from a pocket index with texts; its lexicon finds translated passages"},
    {"doppel reuse new.jsonl old.jsonl --to tsv -o passages.tsv", "many documents at a time"},
    {0},
};

static const cli_item json_keys[] = {
    {"passages", "array of objects: kind, similarity, query and source: id, begin, end (bytes "
                 "of the text), "
                 "sentence (from 0), sentences, text"},
    {"sources", "array of objects, ranked by what they explain: id, title, passages, words (of "
                "the query, in its passages), new_words (in no passage of a source before)"},
    {0},
};

typedef struct said {
    const dpl_reuse_summary *s;
    cli_machine machine;
} said;

static const dpl_figure figures[] = {
    CLI_FIGURES_OF(said, s, dpl_reuse_figures),
    CLI_FIGURES_OF(said, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(said, figures);

/* ---- JSON ---------------------------------------------------------------------------- */

static void print_json(const dpl_reuse_result *r, const said *all, cli_output *out)
{
    dpl_json j = {0};
    j.put = cli_output_put;
    j.user = out;
    dpl_json_begin(&j, NULL, '{');
    dpl_summary_json(&j, &(dpl_figures){.table = &summary, .summary = all});
    cli_json_reuse(&j, r);
    dpl_json_end(&j, '}');
    cli_output_write(out, "\n", 1);
}

/* ---- text side by side ----------------------------------------------------------------- */

static void write_text(cli_output *out, const char *text)
{
    cli_output_write(out, text, strlen(text));
}

/* Bytes of the characters of s that fit into n columns, at a blank if there is one. */
static size_t line_of(dpl_str s, size_t n)
{
    size_t i = 0, columns = 0, blank = 0;
    while (i < s.n && columns < n) {
        blank = s.data[i] == ' ' || s.data[i] == '\n' ? i : blank;
        i++;
        while (i < s.n && ((unsigned char)s.data[i] & 0xC0) == 0x80)
            i++;
        columns++;
    }
    return i == s.n || !blank ? i : blank;
}

/* One line of a column: its text, white space as blanks, filled up with blanks. */
static dpl_str put_column(cli_output *out, dpl_str s, size_t width, bool fills)
{
    while (s.n && (s.data[0] == ' ' || s.data[0] == '\n')) {
        s.data++;
        s.n--;
    }
    const size_t n = line_of(s, width);
    size_t columns = 0;
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)s.data[i];
        cli_output_write(out, c < 0x20 ? " " : &s.data[i], 1);
        columns += (c & 0xC0) != 0x80;
    }
    for (; fills && columns < width; columns++)
        cli_output_write(out, " ", 1);
    s.data += n;
    s.n -= n;
    return s;
}

static void put_place(cli_output *out, const dpl_reuse_result *r, const dpl_span *s,
                      bool is_source)
{
    char line[120];
    dpl_str id = dpl_reuse_doc(r, s->doc, is_source).id;
    cli_output_write(out, id.data, id.n);
    snprintf(line, sizeof line, " %u-%u", s->begin, s->end);
    write_text(out, line);
}

static void print_texts(const dpl_reuse_result *r, cli_output *out, unsigned width)
{
    const size_t column = width > 40 ? (width - 3) / 2 : 18;
    for (size_t i = 0; i < dpl_reuse_get_summary(r)->n_passages; i++) {
        const dpl_passage *p = dpl_reuse_get_passage(r, i);
        char line[80];
        snprintf(line, sizeof line, "%s %.2f  ", dpl_passage_kind_name(p->kind),
                 (double)p->similarity);
        write_text(out, line);
        put_place(out, r, &p->query, false);
        write_text(out, "  <-  ");
        put_place(out, r, &p->source, true);
        write_text(out, "\n");
        dpl_str left = dpl_reuse_text(r, p, false), right = dpl_reuse_text(r, p, true);
        while (left.n || right.n) {
            left = put_column(out, left, column, true);
            write_text(out, " | ");
            right = put_column(out, right, column, false);
            write_text(out, "\n");
        }
        write_text(out, "\n");
    }
}

static void print_tsv(const dpl_reuse_result *r, cli_output *out)
{
    for (size_t i = 0; i < dpl_reuse_get_summary(r)->n_passages; i++) {
        const dpl_passage *p = dpl_reuse_get_passage(r, i);
        const dpl_span *q = &p->query, *s = &p->source;
        const dpl_str a = dpl_reuse_doc(r, q->doc, false).id,
                      b = dpl_reuse_doc(r, s->doc, true).id;
        char line[200], score[DPL_SCORE_TEXT];
        dpl_score_text(score, (double)p->similarity);
        cli_output_write(out, a.data, a.n);
        cli_output_write(out, "\t", 1);
        cli_output_write(out, b.data, b.n);
        snprintf(line, sizeof line, "\t%s\t%s\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%u\n",
                 dpl_passage_kind_name(p->kind), score, q->begin, q->end, q->first_sentence,
                 q->n_sentences, s->begin, s->end, s->first_sentence, s->n_sentences);
        write_text(out, line);
    }
}

/* ---- the work ----------------------------------------------------------------------- */

static int write_all(const settings *o, dpl_ctx *ctx, const char *path,
                     const dpl_reuse_result *r)
{
    cli_output out;
    int code = cli_output_open(&out, ctx, path);
    if (code != CLI_DONE)
        return code;
    const said all = {dpl_reuse_get_summary(r), cli_machine_of(ctx, false)};
    if (cli_set.json)
        print_json(r, &all, &out);
    else if (o->to == TSV)
        print_tsv(r, &out);
    else if (o->to == HTML)
        dpl_reuse_html(r, cli_output_put, &out);
    else {
        print_texts(r, &out, cli_is_stdout(o->output) ? cli_width(1) : 120);
        cli_print_sources(&out, r);
    }
    code = cli_output_close(&out, CLI_DONE);
    if (code == CLI_DONE && !cli_set.json)
        cli_say_summary(&summary, &all, false);
    return code;
}

/* In documents, a collection, or a pocket index. */
static dpl_status search(dpl_reuse_result **out, const settings *o, dpl_ctx *ctx, char **args,
                         dpl_error *err)
{
    const dpl_input query = {.path = args[0]}, collection = {.path = args[1]};
    dpl_index *index = NULL;
    if (!cli_is_pocket(ctx, args[1]))
        return dpl_reuse(out, ctx, &query, 1, &collection, 1, &o->set, err);
    dpl_status status = dpl_index_open(&index, ctx, args[1], err);
    if (status == DPL_OK)
        status = dpl_index_passages(out, ctx, index, &query, 1, &o->set, err);
    dpl_index_close(index);
    return status;
}

typedef struct call {
    const settings *o;
    dpl_ctx *ctx;
    char **args;
    dpl_reuse_result *result;
} call;

static int reuse(const char *path, void *user, dpl_error *err)
{
    call *c = user;
    if (search(&c->result, c->o, c->ctx, c->args, err) != DPL_OK)
        return CLI_FAILED;
    return write_all(c->o, c->ctx, path, c->result);
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    o->set.read = &o->read;
    call c = {o, ctx, args, NULL};
    cli_shared shared = {.text = o->part_text,
                         .output = o->output,
                         .inputs = args,
                         .n_inputs = n_args,
                         .call = reuse,
                         .user = &c};
    int code = cli_shared_run(&shared, ctx);
    dpl_reuse_result_free(c.result);
    cli_shared_close(&shared);
    return code;
}

const cli_command cli_reuse = {
    .name = "reuse",
    .summary = "find passages that also occur in a collection",
    .synopsis = "QUERY COLLECTION|POCKET",
    .about =
        "Find passages of the documents of QUERY that also occur in COLLECTION: word for word "
        "(verbatim), with words exchanged, left out or put in (edited), with parts in another "
        "order (reordered), or with --lexicon in another language (translated). Both are raw "
        "documents in any format that 'doppel import' reads, or collections; a file of unknown "
        "format is read as plain text; - is standard input. A .dpl made before saves "
        "the time to read COLLECTION. A pocket index with texts ('doppel index build --texts') "
        "may "
        "take its place: only documents that are similar to a part of the query are looked at, "
        "and its lexicon finds translated passages without --lexicon."
        "\n"
        "\n"
        "A passage begins where both sides have some words in a row. Such places near each "
        "other are one passage, if enough of its words are on both sides. A translated "
        "passage is sentences that are near each other in both documents and whose words are "
        "translations by the lexicon."
        "\n"
        "\n"
        "The output is each passage with its place in bytes and its similarity, both texts "
        "side by side, then the sources, ranked by the words of the query that they explain "
        "and "
        "those before them do not; with --json one object, with --to tsv a line for each, and "
        "with --to "
        "html a "
        "page.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .json = json_keys,
    .see_also = "doppel-dedup(1), doppel-pairs(1), doppel-lexicon-train(1)",
    .argument = "QUERY",
    .second = "COLLECTION|POCKET",
    .min_args = 2,
    .max_args = 2,
    .complete = CLI_FILES,
    .output_goes = "the passages go",
    .is_text = true,
    .work = run,
    CLI_DEFAULTS(defaults),
};
