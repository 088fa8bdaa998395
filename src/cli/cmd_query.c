/*
 * cmd_query.c - doppel query: documents of an index that are similar to a text.
 */
#include "cli/command.h"
#include "cli/index_file.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/progress.h"
#include "cli/reuse_output.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the options set. */
typedef struct settings {
    dpl_reader_options read;
    dpl_query_options set;
    const char *output, *words, *doc_id;
    unsigned to;
    bool shows_passages;
} settings;

static const settings defaults = {.read = DPL_INIT(dpl_reader_options, .unknown_as_text = true),
                                  .set = DPL_INIT(dpl_query_options),
                                  .output = "-"};

enum { TEXT, TSV };
static const char *const forms[] = {"text", "tsv", NULL};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(&defaults.output, "-", "write the answers to FILE; - is standard output"),
    {.name = "words",
     .letter = 'w',
     .value = "TEXT",
     .text = &defaults.words,
     .is_common = true,
     .help = "search with this text instead of a file"},
    {.name = "doc",
     .value = "ID",
     .text = &defaults.doc_id,
     .is_common = true,
     .help = "search with this document of the index"},
    CLI_OPTION(query, &defaults.set, "top", .letter = 'n', .is_common = true),
    CLI_OPTION(query, &defaults.set, "threshold", .letter = 't', .is_common = true),
    CLI_OPTION(query, &defaults.set, "method", .is_common = true),
    CLI_OPTION(query, &defaults.set, "probes", .knob_of = "method", .knob_with = "auto,codes",
               .only_with = ""),
    CLI_OPTION(query, &defaults.set, "budget", .knob_of = "method",
               .knob_with = "auto,postings", .only_with = ""),
    CLI_OPTION(query, &defaults.set, "lang", .is_common = true, .only_with = "!doc"),
    CLI_OPTION(query, &defaults.set, "only-lang", .is_common = true),
    CLI_OPTION(query, &defaults.set, "terms", .only_with = "!to=tsv"),
    {.name = "passages",
     .flag = &defaults.shows_passages,
     .is_common = true,
     .only_with = "!to=tsv",
     .help = "find passages of the query in documents of the index, too, as 'doppel reuse' "
             "does: verbatim, edited, reordered, translated; the index must have the texts"},
    {.name = "to",
     .value = "FORMAT",
     .choice = &defaults.to,
     .choices = forms,
     .only_with = "!json",
     .is_common = true,
     .help = "set the format of the answers (text: for people; tsv: id of the query, id of the "
             "document, similarity); --json writes objects"},
    CLI_FROM_OPTION(defaults.read),
    CLI_ON_ERROR_OPTION(defaults.read),
    CLI_READER_OPTIONS(defaults.read),
    {0},
};

static const cli_item examples[] = {
    {"doppel query news.pocket article.txt", "documents similar to a file"},
    {"doppel query news.pocket - --from jsonl --to tsv <today.jsonl",
     "a line for each document similar to one of many"},
    {"doppel query news.pocket --words 'flood in the valley'", "a short query"},
    {"doppel query news.pocket essay.txt --passages",
     "passages of the text that occur in documents, and the sources by what they explain"},
    {"doppel query news.pocket --doc n17 --json", "neighbours of a document of the index"},
    {0},
};

static const cli_item json_keys[] = {
    {"id", "of the query document; null for --words"},
    {"lang, detected, translated", "language of the query; whether it was detected from the "
                                   "text; whether the lexicon was used"},
    {"words, terms, known", "words of the query, different ones, those that the index has"},
    {"method", "codes, postings or exact: how the answer came about"},
    {"recall", "estimated share of the documents at or above the threshold that were found"},
    {"complete", "no document at or above this similarity is missing; null: not known"},
    {"lookups, slots", "codes looked up, and those with a checksum that agrees"},
    {"postings, candidates, verified", "postings read, documents considered, and compared"},
    {"micros", "time it took, in microseconds"},
    {"hits", "array of objects: row, id, title, lang, similarity, is_verified, shared (words "
             "that both have), codes, terms (array: query, document, weight), passages (of "
             "--passages: sentences that match)"},
    {"reuse", "with --passages: reused_share, and passages and sources as of 'doppel reuse'"},
    {0},
};

/* ---- one answer --------------------------------------------------------------------- */

typedef struct answers {
    const settings *o;
    dpl_ctx *ctx;
    const dpl_index *index;
    cli_output out;
    uint64_t n, n_hits;
    double micros;
} answers;

static void write_text(answers *a, const char *text)
{
    cli_output_write(&a->out, text, strlen(text));
}

static dpl_status print_passages(dpl_json *j, dpl_query *q, size_t hit, dpl_error *err)
{
    const dpl_query_passage *p;
    size_t n;
    DPL_TRY(dpl_query_passages(q, hit, &p, &n, err));
    dpl_json_begin(j, "passages", '[');
    for (size_t i = 0; i < n; i++) {
        dpl_json_begin(j, NULL, '{');
        dpl_json_number(j, "query_begin", p[i].query_begin);
        dpl_json_number(j, "query_end", p[i].query_end);
        dpl_json_number(j, "begin", p[i].begin);
        dpl_json_number(j, "end", p[i].end);
        dpl_json_decimal(j, "similarity", (double)p[i].score);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    return DPL_OK;
}

static dpl_status print_hit(const answers *a, dpl_json *j, dpl_query *q, const dpl_query_hit *h,
                            size_t hit, dpl_error *err)
{
    const dpl_index_doc doc = dpl_index_document(a->index, h->row);
    const dpl_query_term *terms;
    size_t n;
    DPL_TRY(dpl_query_words(q, hit, &terms, &n, err));
    dpl_json_begin(j, NULL, '{');
    dpl_json_number(j, "row", h->row);
    dpl_json_text(j, "id", doc.id);
    dpl_json_text(j, "title", doc.title);
    dpl_json_cstr(j, "lang", doc.lang);
    dpl_json_decimal(j, "similarity", (double)h->score);
    dpl_json_bool(j, "is_verified", h->is_verified);
    dpl_json_number(j, "shared", h->n_terms);
    dpl_json_number(j, "codes", h->n_codes);
    dpl_json_begin(j, "terms", '[');
    for (size_t i = 0; i < n; i++) {
        dpl_json_begin(j, NULL, '{');
        dpl_json_text(j, "query", terms[i].query);
        dpl_json_text(j, "document", terms[i].document);
        dpl_json_decimal(j, "weight", (double)terms[i].weight);
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    if (a->o->shows_passages)
        DPL_TRY(print_passages(j, q, hit, err));
    dpl_json_end(j, '}');
    return DPL_OK;
}

/* ---- passages ------------------------------------------------------------------------- */

/* One document as a source of documents. */
typedef struct asked {
    dpl_doc doc;
    bool is_given;
} asked;

static dpl_status next_asked(void *user, dpl_doc *out, dpl_error *err)
{
    asked *q = user;
    (void)err;
    *out = q->doc;
    const bool is_over = q->is_given;
    q->is_given = true;
    return is_over ? DPL_END : DPL_OK;
}

/* Of the document, the words, or a document of the index, in the others. */
static dpl_status find_passages(dpl_reuse_result **out, const answers *a, const dpl_doc *doc,
                                dpl_error *err)
{
    const settings *o = a->o;
    asked q = {.doc = doc ? *doc : (dpl_doc){.id = {"-", 1}}};
    const dpl_doc_source source = {next_asked, &q, "the query"};
    const dpl_input input = {.source = &source};
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .lang = o->set.lang);
    const dpl_reuse_options set =
        DPL_INIT(dpl_reuse_options, .read = &read, .skip_same_id = o->doc_id != NULL);
    uint32_t row;
    dpl_str text = {0};
    if (o->words)
        q.doc.text = (dpl_str){o->words, strlen(o->words)};
    if (o->doc_id && dpl_index_find(a->index, q.doc.id, &row))
        DPL_TRY(dpl_index_text(a->index, row, &text, err));
    if (text.data)
        q.doc.text = text;
    const dpl_status status = dpl_index_passages(out, a->ctx, a->index, &input, 1, &set, err);
    dpl_index_free_text(a->index, text);
    return status;
}

static double reused_share(const dpl_reuse_result *r)
{
    const dpl_reuse_summary *s = dpl_reuse_get_summary(r);
    return s->n_query_words ? (double)s->n_reused_words / (double)s->n_query_words : 0;
}

static dpl_status print_reuse_json(const answers *a, dpl_json *j, const dpl_doc *doc,
                                   dpl_error *err)
{
    dpl_reuse_result *r = NULL;
    DPL_TRY(find_passages(&r, a, doc, err));
    dpl_json_begin(j, "reuse", '{');
    dpl_json_decimal(j, "reused_share", reused_share(r));
    cli_json_reuse(j, r);
    dpl_json_end(j, '}');
    dpl_reuse_result_free(r);
    return DPL_OK;
}

static dpl_status print_reuse(answers *a, const dpl_doc *doc, dpl_error *err)
{
    dpl_reuse_result *r = NULL;
    char line[80];
    DPL_TRY(find_passages(&r, a, doc, err));
    snprintf(line, sizeof line, "reused %.1f %% of the words\n", 100 * reused_share(r));
    write_text(a, line);
    cli_list_passages(&a->out, r);
    cli_print_sources(&a->out, r);
    dpl_reuse_result_free(r);
    return DPL_OK;
}

static dpl_status print_json(answers *a, const dpl_doc *doc, dpl_query *q,
                             const dpl_query_result *r, dpl_error *err)
{
    dpl_json j = {0};
    j.put = cli_output_put;
    j.user = &a->out;
    dpl_json_begin(&j, NULL, '{');
    if (doc)
        dpl_json_text(&j, "id", doc->id);
    else
        dpl_json_null(&j, "id");
    dpl_json_cstr(&j, "lang", *r->lang ? r->lang : NULL);
    dpl_json_bool(&j, "detected", r->is_lang_detected);
    dpl_json_bool(&j, "translated", r->is_translated);
    dpl_json_number(&j, "words", r->n_words);
    dpl_json_number(&j, "terms", r->n_terms);
    dpl_json_number(&j, "known", r->n_known);
    dpl_json_cstr(&j, "method", dpl_query_method_name((unsigned)r->method));
    dpl_json_decimal(&j, "recall", r->recall);
    dpl_json_real(&j, "complete", r->complete <= 1 ? r->complete : 0. / 0.);
    dpl_json_number(&j, "lookups", r->n_lookups);
    dpl_json_number(&j, "slots", r->n_slots);
    dpl_json_number(&j, "postings", r->n_postings);
    dpl_json_number(&j, "candidates", r->n_candidates);
    dpl_json_number(&j, "verified", r->n_verified);
    dpl_json_decimal(&j, "micros", (double)(uint64_t)(r->micros + 0.5));
    dpl_json_begin(&j, "hits", '[');
    for (size_t i = 0; i < r->n_hits; i++)
        DPL_TRY(print_hit(a, &j, q, &r->hits[i], i, err));
    dpl_json_end(&j, ']');
    if (a->o->shows_passages)
        DPL_TRY(print_reuse_json(a, &j, doc, err));
    dpl_json_end(&j, '}');
    write_text(a, "\n");
    return DPL_OK;
}

static void print_tsv(answers *a, const dpl_doc *doc, const dpl_query_result *r)
{
    for (size_t i = 0; i < r->n_hits; i++) {
        const dpl_str id = dpl_index_document(a->index, r->hits[i].row).id;
        const dpl_str query = doc ? doc->id : (dpl_str){"-", 1};
        cli_output_pair(&a->out, query, id, (double)r->hits[i].score);
    }
}

static dpl_status print_terms(answers *a, dpl_query *q, size_t hit, dpl_error *err)
{
    const dpl_query_term *terms;
    size_t n;
    DPL_TRY(dpl_query_words(q, hit, &terms, &n, err));
    write_text(a, n ? "        " : "");
    for (size_t i = 0; i < n; i++) {
        write_text(a, i ? ", " : "");
        cli_output_write(&a->out, terms[i].query.data, terms[i].query.n);
        const bool is_same =
            terms[i].query.n == terms[i].document.n &&
            !memcmp(terms[i].query.data, terms[i].document.data, terms[i].query.n);
        if (is_same)
            continue;
        write_text(a, " = ");
        cli_output_write(&a->out, terms[i].document.data, terms[i].document.n);
    }
    write_text(a, n ? "\n" : "");
    return DPL_OK;
}

static dpl_status print_people(answers *a, const dpl_doc *doc, dpl_query *q,
                               const dpl_query_result *r, dpl_error *err)
{
    if (doc && a->n > 1)
        write_text(a, "\n");
    if (doc) {
        cli_output_write(&a->out, doc->id.data, doc->id.n);
        write_text(a, r->n_hits ? "\n" : ": nothing similar\n");
    }
    for (size_t i = 0; i < r->n_hits; i++) {
        const dpl_index_doc d = dpl_index_document(a->index, r->hits[i].row);
        char score[32];
        snprintf(score, sizeof score, "%s%.4f  ", r->hits[i].is_verified ? " " : "~",
                 (double)r->hits[i].score);
        write_text(a, score);
        cli_output_write(&a->out, d.id.data, d.id.n);
        if (d.title.n)
            write_text(a, "  ");
        cli_output_write(&a->out, d.title.data, d.title.n);
        write_text(a, "\n");
        DPL_TRY(print_terms(a, q, i, err));
    }
    return a->o->shows_passages ? print_reuse(a, doc, err) : DPL_OK;
}

static dpl_status take(void *user, const dpl_doc *doc, dpl_query *q, const dpl_query_result *r,
                       dpl_error *err)
{
    answers *a = user;
    const settings *o = a->o;
    a->n++;
    a->n_hits += r->n_hits;
    a->micros += r->micros;
    if (cli_set.json)
        return print_json(a, doc, q, r, err);
    if (o->to == TEXT)
        return print_people(a, doc, q, r, err);
    print_tsv(a, doc, r);
    return DPL_OK;
}

/* ---- the work ----------------------------------------------------------------------- */

static dpl_status ask_once(const settings *o, answers *a, dpl_error *err)
{
    dpl_query *q = NULL;
    dpl_query_result r = DPL_INIT(dpl_query_result);
    dpl_doc doc = {0};
    DPL_TRY(dpl_query_new(&q, a->index, &o->set, err));
    dpl_status status;
    if (o->doc_id) {
        uint32_t row;
        doc.id = (dpl_str){o->doc_id, strlen(o->doc_id)};
        if (dpl_index_find(a->index, doc.id, &row)) {
            status = dpl_query_row(q, row, &r, err);
        } else {
            snprintf(err->text, sizeof err->text, "no document '%.200s' in the index",
                     o->doc_id);
            status = err->status = DPL_E_USAGE;
        }
    } else {
        status = dpl_query_text(q, (dpl_str){o->words, strlen(o->words)}, &r, err);
        if (status == DPL_OK && r.n_words == 0) {
            snprintf(err->text, sizeof err->text, "no words in '%.200s'", o->words);
            status = err->status = DPL_E_NOTHING;
        }
    }
    if (status == DPL_OK)
        status = take(a, o->doc_id ? &doc : NULL, q, &r, err);
    dpl_query_free(q);
    return status;
}

/* Nothing to ask with is a failure: a file that is empty by mistake looks like no hits. */
static int check_asked(const answers *a, char **args, size_t n_args)
{
    if (a->n)
        return CLI_DONE;
    if (n_args > 2)
        cli_error("no documents to ask with in %zu files", n_args - 1);
    else
        cli_error("no documents to ask with in '%s'", args[1]);
    return CLI_FAILED;
}

/* Before the first answer, half of which would be written. */
static int check_texts(const settings *o, const dpl_index *index, const char *path)
{
    dpl_error err = {.status = DPL_E_UNSUPPORTED, .code = "no-texts"};
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &info);
    if (!o->shows_passages || info.has_texts)
        return CLI_DONE;
    snprintf(err.text, sizeof err.text, "'%.200s' has no texts", path);
    return cli_fail(&err);
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    dpl_error err = {0};
    dpl_index *index = NULL;
    if (n_args > 1 && !cli_is_pocket(ctx, args[0]) && cli_is_pocket(ctx, args[1])) {
        cli_error("'%s' is not an index, '%s' is", args[0], args[1]);
        cli_hint("usage: doppel query POCKET FILE...");
        return CLI_USAGE;
    }
    if (dpl_index_open(&index, ctx, args[0], &err) != DPL_OK)
        return cli_fail(&err);
    answers a = {.o = o, .ctx = ctx, .index = index};
    int code = check_texts(o, index, args[0]);
    if (code == CLI_DONE)
        code = cli_output_open(&a.out, ctx, o->output);
    if (code == CLI_DONE) {
        dpl_input *inputs = cli_inputs((const char *const *)args + 1, n_args - 1);
        const dpl_status status = o->words || o->doc_id
                                      ? ask_once(o, &a, &err)
                                      : dpl_query_inputs(NULL, ctx, index, inputs, n_args - 1,
                                                         &o->read, &o->set, take, &a, &err);
        code = cli_output_close(&a.out, status == DPL_OK ? CLI_DONE : cli_fail_or_stop(&err));
        free(inputs);
    }
    if (code == CLI_DONE)
        code = check_asked(&a, args, n_args);
    if (code == CLI_DONE && !cli_set.json) {
        char remark[100];
        snprintf(remark, sizeof remark, "%.0f microseconds each, on average",
                 a.n ? a.micros / (double)a.n : 0.0);
        cli_note_count("queries", a.n, remark);
        cli_note_count("hits", a.n_hits, "");
    }
    dpl_index_close(index);
    return code;
}

static int check(char **args, size_t n_args, void *user)
{
    (void)args;
    const settings *o = user;
    if ((o->words != NULL) + (o->doc_id != NULL) + (n_args > 1) == 1)
        return CLI_DONE;
    cli_error("ask with a FILE, --words or --doc, one of them");
    return CLI_USAGE;
}

const cli_command cli_query = {
    .name = "query",
    .summary = "find documents of a pocket index that are similar to a text",
    .synopsis = "POCKET FILE...",
    .about =
        "Find the documents of POCKET (an index made by 'doppel index build') that are similar "
        "to "
        "each document of FILE, which is a text, or many documents in any format that 'doppel "
        "import' reads; - is standard input. A file of unknown format is read as plain text. A "
        "query may be a few words or a book. Similarity "
        "is the cosine of BM25 vectors of the words; each document comes with the words that "
        "contribute most, heaviest first."
        "\n"
        "\n"
        "Documents are found through the rarest words of the query, as far as the budget goes. "
        "Where that is far enough, the answer is exact: all documents at or above the "
        "threshold, or the --top most similar ones of them; --method exact makes it so in any "
        "case. In an index without postings they are found through similarity hash codes. "
        "--json says which way was taken, which recall to expect, and above which similarity "
        "nothing is missing. In an index without vectors similarities are estimates, marked "
        "with ~."
        "\n"
        "\n"
        "--passages asks with every part of the text, too, and lists the passages that 'doppel "
        "reuse' would find, the share of the words in them, and the sources."
        "\n"
        "\n"
        "A query of less than eight different words has no threshold, unless it is given, and "
        "is always answered through postings.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-index-build(1), doppel-reuse(1)",
    .argument = "FILE",
    .min_args = 1,
    .raw_with = "!words !doc",
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .output_goes = "the answers go",
    .is_text = true,
    .check = check,
    .work = run,
    CLI_DEFAULTS(defaults),
};
