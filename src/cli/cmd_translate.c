/*
 * cmd_translate.c - doppel translate: documents or lines into another language.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/command.h"
#include "cli/figure_lines.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/side.h"
#include "cli/talk.h"

#include "doppel/translate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What the options set. */
typedef struct settings {
    dpl_translator_options set;
    dpl_reader_options read;
    const char *output, *phrases, *lexicon_path, *lexicon_langs, *command, *into;
    unsigned form;
} settings;

static const settings defaults = {.set = DPL_INIT(dpl_translator_options),
                                  .read = DPL_INIT(dpl_reader_options),
                                  .output = "-"};

enum { JSONL, DOCENC, LINES };
static const char *const forms[] = {"jsonl", "docenc", "lines", NULL};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, "-",
                      "write the translations to FILE; - is standard output"),
    {.name = "phrases",
     .value = "M.dpl",
     .text = &defaults.phrases,
     .complete = CLI_FILES,
     .is_common = true,
     .help = "translate with this phrase model, made by 'doppel lexicon phrases'"},
    CLI_LEXICON_OPTION(&defaults.lexicon_path, "translate word by word with this lexicon"),
    CLI_LEXICON_LANGS_OPTION(&defaults.lexicon_langs, "not known: from the first column",
                             "lexicon"),
    {.name = "into",
     .value = "LANG",
     .text = &defaults.into,
     .standard = "the one that the documents are not in",
     .only_with = "lexicon",
     .help = "set the language to translate into, one of the two"},
    {.name = "translator",
     .value = "CMD",
     .text = &defaults.command,
     .is_common = true,
     .help = "translate with this program, run by the shell: it reads a sentence per line and "
             "answers each with a line"},
    CLI_OPTION(translator, &defaults.set, "timeout", .only_with = "translator",
               .help = "seconds for an answer"),
    CLI_OPTION(translator, &defaults.set, "cache", .only_with = "translator",
               .help = "keep the answers in DIR and do not ask again"),
    CLI_OPTION(translator, &defaults.set, "beam", .only_with = "phrases"),
    {.name = "to",
     .value = "FORMAT",
     .choice = &defaults.form,
     .choices = forms,
     .is_common = true,
     .help = "write documents as JSON Lines, or as lines of base64 for 'doppel pairs'; or "
             "read lines of text and write their translations, line by line"},
    CLI_ALL_READER_OPTIONS(defaults.read),
    {0},
};

static const cli_item examples[] = {
    {"doppel translate de.jsonl --phrases de-en.phrases.dpl -o de.translated.jsonl",
     "documents, with a phrase model"},
    {"doppel translate de.jsonl --lexicon de-en.dpl -o de.translated.jsonl", "word by word"},
    {"doppel translate de.jsonl --translator 'mt-server --pipe' --cache work -o "
     "de.translated.jsonl",
     "with another program; its answers are cached"},
    {0},
};

/* ---- documents ---------------------------------------------------------------------- */

static void write_jsonl(cli_output *out, const dpl_doc *doc, dpl_str text)
{
    dpl_json j = {.put = cli_output_put, .user = out};
    dpl_json_begin(&j, NULL, '{');
    dpl_json_text(&j, "id", doc->id);
    dpl_json_text(&j, "lang", doc->lang);
    dpl_json_text(&j, "text", text);
    dpl_json_end(&j, '}');
    cli_output_write(out, "\n", 1);
}

static void write_base64(cli_output *out, dpl_str text)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = (const unsigned char *)text.data;
    for (size_t i = 0; i < text.n; i += 3) {
        uint32_t x = (uint32_t)p[i] << 16;
        x |= i + 1 < text.n ? (uint32_t)p[i + 1] << 8 : 0;
        x |= i + 2 < text.n ? p[i + 2] : 0;
        char four[4] = {alphabet[x >> 18], alphabet[x >> 12 & 63], alphabet[x >> 6 & 63],
                        alphabet[x & 63]};
        if (i + 1 >= text.n)
            four[2] = '=';
        if (i + 2 >= text.n)
            four[3] = '=';
        cli_output_write(out, four, 4);
    }
    cli_output_write(out, "\n", 1);
}

static dpl_status write_encoded(void *user, const dpl_doc *doc, dpl_str text, dpl_error *err)
{
    (void)doc;
    (void)err;
    write_base64(user, text);
    return DPL_OK;
}

static dpl_status write_object(void *user, const dpl_doc *doc, dpl_str text, dpl_error *err)
{
    (void)err;
    write_jsonl(user, doc, text);
    return DPL_OK;
}

/* ---- lines --------------------------------------------------------------------------- */

enum { MOST_LINES = 4096 };

typedef struct lines {
    char *text[MOST_LINES];
    dpl_str slices[MOST_LINES];
    size_t n;
} lines;

static int flush_lines(lines *l, dpl_translator *translator, cli_output *out)
{
    dpl_translations made = {0};
    dpl_error err = {0};
    int code = CLI_DONE;
    if (dpl_translator_run(&made, translator, l->slices, l->n, &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    for (size_t i = 0; i < made.n; i++) {
        cli_output_write(out, made.texts[i].data, made.texts[i].n);
        cli_output_write(out, "\n", 1);
    }
    dpl_translations_clear(&made, translator);
    for (size_t i = 0; i < l->n; i++)
        free(l->text[i]);
    l->n = 0;
    return code;
}

static int translate_stream(FILE *in, dpl_translator *translator, cli_output *out, uint64_t *n)
{
    static lines l;
    char *line = NULL;
    size_t room = 0;
    int code = CLI_DONE;
    for (ssize_t length; code == CLI_DONE && (length = getline(&line, &room, in)) >= 0;) {
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            length--;
        l.text[l.n] = line;
        l.slices[l.n++] = (dpl_str){line, (size_t)length};
        line = NULL;
        ++*n;
        if (l.n == MOST_LINES)
            code = flush_lines(&l, translator, out);
    }
    free(line);
    return code == CLI_DONE ? flush_lines(&l, translator, out) : code;
}

static int translate_lines(const char *path, dpl_translator *translator, cli_output *out,
                           uint64_t *n)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *in = is_stdin ? stdin : fopen(path, "r");
    if (!in) {
        cli_error("cannot open '%s'", path);
        return CLI_FAILED;
    }
    int code = translate_stream(in, translator, out, n);
    if (!is_stdin)
        fclose(in);
    return code;
}

/* ---- the summary -------------------------------------------------------------------- */

typedef struct result {
    dpl_translator_counts counts;
    uint64_t n_docs;
    bool is_in_lines;
    double seconds, words_per_second;
    const char *output;
    cli_machine machine;
} result;

static const dpl_figure figures[] = {
    {.name = "is_in_lines", .type = DPL_FIGURE_FLAG, CLI_FIELD(result, is_in_lines)},
    {.name = "documents",
     .type = DPL_FIGURE_COUNT,
     CLI_FIELD(result, n_docs),
     .help = "documents, or lines, translated",
     .label = "[is_in_lines?lines|documents]"},
    CLI_FIGURES_OF(result, counts, dpl_translator_figures),
    {.name = "output",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(result, output),
     .label = "output",
     .value = "",
     .remark = "'{output}'"},
    {.name = "seconds",
     .type = DPL_FIGURE_REAL,
     CLI_FIELD(result, seconds),
     .help = "time it took"},
    {.name = "words_per_second",
     .type = DPL_FIGURE_REAL,
     CLI_FIELD(result, words_per_second),
     .help = "words translated in a second"},
    CLI_FIGURES_OF(result, machine, cli_machine_figures),
};
static const dpl_summary_table summary = CLI_SUMMARY(result, figures);

/* ---- the work ----------------------------------------------------------------------- */

/* The language that is given, or that of the first document of a file; "und": not known. What
 * is wrong with the file is said when it is translated. */
static dpl_lang input_language(const settings *o, dpl_ctx *ctx, const char *path)
{
    struct stat st;
    dpl_reader *reader = NULL;
    dpl_lang lang = {"und", 0};
    dpl_doc doc;
    if (o->read.lang)
        return dpl_lang_canonical((dpl_str){o->read.lang, strlen(o->read.lang)});
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return lang;
    dpl_reader_options read = o->read;
    if (o->form == LINES)
        read.from = DPL_FORMAT_DIR;
    if (dpl_reader_open(&reader, ctx, path, &read, NULL) == DPL_OK &&
        dpl_reader_next(reader, &doc, NULL) == DPL_OK)
        lang = dpl_lang_canonical(doc.lang);
    dpl_reader_close(reader);
    return lang;
}

/* A lexicon from X to Y is used the other way for documents in Y. */
static int choose_direction(const settings *o, const dpl_lexicon *lexicon, dpl_ctx *ctx,
                            const char *path, bool *to_source)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(lexicon);
    const char *source = about.source_lang, *target = about.target_lang;
    dpl_lang lang = dpl_lang_canonical((dpl_str){o->into, o->into ? strlen(o->into) : 0});
    *to_source = o->into && strcmp(lang.code, source) == 0;
    if (!o->into && *source && *target && strcmp(source, target) != 0)
        *to_source = strcmp(input_language(o, ctx, path).code, target) == 0;
    if (o->into && !*to_source && strcmp(lang.code, target) != 0) {
        cli_error("'%s' is from '%s' to '%s': it does not translate into '%s'", o->lexicon_path,
                  source, target, o->into);
        return CLI_USAGE;
    }
    return CLI_DONE;
}

static int open_translator(const settings *o, dpl_translator **out, dpl_lexicon **lexicon,
                           dpl_ctx *ctx, const char *path)
{
    dpl_error err = {0};
    dpl_status status;
    bool to_source = false;
    if (o->command)
        status = dpl_translator_run_command(out, ctx, o->command, &o->set, &err);
    else if (o->phrases)
        status = dpl_translator_open(out, ctx, o->phrases, &o->set, &err);
    else {
        int code = cli_lexicon_open(lexicon, ctx, o->lexicon_path, o->lexicon_langs, false);
        if (code == CLI_DONE)
            code = choose_direction(o, *lexicon, ctx, path, &to_source);
        if (code != CLI_DONE)
            return code;
        status = dpl_translator_from_lexicon(out, ctx, *lexicon, to_source, &err);
    }
    return status == DPL_OK ? CLI_DONE : cli_fail(&err);
}

static int translate_inputs(const settings *o, dpl_translator *translator, cli_output *out,
                            char **args, size_t n_args, uint64_t *n_docs)
{
    int code = CLI_DONE;
    for (size_t i = 0; code == CLI_DONE && i < n_args; i++) {
        dpl_error err = {0};
        dpl_input input = {.path = args[i]};
        uint64_t n = 0;
        if (o->form == LINES)
            code = translate_lines(args[i], translator, out, &n);
        else if (dpl_translate_docs(&n, translator, &input, &o->read,
                                    o->form == DOCENC ? write_encoded : write_object, out,
                                    &err) != DPL_OK)
            code = cli_fail_or_stop(&err);
        *n_docs += n;
    }
    return code;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    dpl_translator *translator = NULL;
    dpl_lexicon *lexicon = NULL;
    result r = {.counts = DPL_INIT(dpl_translator_counts),
                .is_in_lines = o->form == LINES,
                .output = cli_output_name(o->output)};
    cli_output out = {0};
    int code = open_translator(o, &translator, &lexicon, ctx, args[0]);
    double start = cli_now();
    if (code == CLI_DONE)
        code = cli_output_open(&out, ctx, o->output);
    if (code == CLI_DONE)
        code = cli_output_close(&out,
                                translate_inputs(o, translator, &out, args, n_args, &r.n_docs));
    if (code == CLI_DONE) {
        dpl_translator_count(translator, &r.counts);
        r.seconds = cli_now() - start;
        r.words_per_second = r.seconds > 0 ? (double)r.counts.n_words / r.seconds : 0;
        r.machine = cli_machine_of(ctx, false);
        cli_say_summary(&summary, &r, cli_is_stdout(o->output));
    }
    dpl_translator_close(translator);
    dpl_lexicon_close(lexicon);
    return code;
}

static int check(char **args, size_t n_args, void *user)
{
    (void)args, (void)n_args;
    const settings *o = user;
    if (!!o->phrases + !!o->lexicon_path + !!o->command == 1)
        return CLI_DONE;
    cli_error("one of --phrases, --lexicon and --translator must be given");
    cli_hint("'doppel lexicon phrases' makes a phrase model from parallel text");
    return CLI_USAGE;
}

const cli_command cli_translate = {
    .name = "translate",
    .summary = "translate documents or sentences",
    .synopsis = "FILE... --phrases M.dpl -o T.jsonl",
    .about =
        "Translate documents, paragraph by paragraph and sentence by sentence, well enough to "
        "compare them with documents in the other language ('doppel pairs --method ngram'). "
        "Ids are kept; documents that are in the target language already "
        "are not changed."
        "\n"
        "\n"
        "--phrases translates with phrase pairs, a language model and beam search. --lexicon "
        "replaces each word by its most probable translation; unknown words stay. "
        "--translator runs a program that reads one sentence per line and answers each with "
        "one line. If it ends, it is started again; if it ends twice at the same sentence, or "
        "does not answer in time, or answers with more lines than it was sent, that is an "
        "error. With --cache, answers are kept in a folder: a run that was interrupted goes on "
        "from there."
        "\n"
        "\n"
        "FILE is in any format that 'doppel import' reads; with --to lines, plain text of "
        "which "
        "each line is a sentence.",
    .options = options,
    .examples = examples,
    .figures = &summary,
    .see_also = "doppel-lexicon-phrases(1), doppel-pairs(1)",
    .argument = "FILE",
    .min_args = 1,
    .raw_with = "to=jsonl,docenc",
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .output_goes = "the translations go",
    .is_text = true,
    .check = check,
    .work = run,
    CLI_DEFAULTS(defaults),
};
