/*
 * cmd_pairs.c - doppel pairs: similar documents of two collections, or of one.
 */
#include "cli/applies.h"
#include "cli/command.h"
#include "cli/outfile.h"
#include "cli/pairs_ngram.h"
#include "cli/pairs_settings.h"
#include "cli/part_option.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/talk.h"

typedef cli_pairs_settings settings;

static const settings defaults = {
    .set = DPL_INIT(dpl_pairs_options),
    .ngrams = DPL_INIT(dpl_ngram_options),
    .hashing = DPL_INIT(dpl_hash_options),
    .docalign = DPL_INIT(dpl_docalign_options),
    .request = CLI_SIDE_REQUEST_INIT,
    .output = "-",
};

enum { TO_TSV, TO_DOCALIGN };
static const char *const outputs[] = {"tsv", "docalign", NULL};
static const char *const projects[] = {"left", "right", NULL};

#define SEARCHED "chosen with a sample for --recall"
#define NOT_NGRAM "!method=ngram"

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(
        &defaults.output, "-",
        "write the pairs to FILE, as left_id, right_id and score separated by tabs; - "
        "is standard output"),
    CLI_OPTION(pairs, &defaults.set, "method", .is_common = true,
               .help = "set the search method; auto takes the one that 'doppel plan' "
                       "recommends"),
    CLI_OPTION(pairs, &defaults.set, "length", .knob_of = "method",
               .knob_with = "auto,brute,window", .only_with = "", .is_signing = true,
               .help = "bits of a signature, dimensions of rp8"),
    CLI_OPTION(pairs, &defaults.set, "signature", .knob_of = "method",
               .knob_with = "auto,brute,window", .only_with = "", .is_signing = true),
    CLI_OPTION(pairs, &defaults.set, "no-verify", .knob_of = "method",
               .knob_with = "auto,brute,window", .only_with = ""),
    CLI_OPTION(pairs, &defaults.set, "tables", .knob_of = "method", .knob_with = "window",
               .only_with = "", .standard = "as planned for --recall"),
    CLI_OPTION(pairs, &defaults.set, "width", .knob_of = "method", .knob_with = "window",
               .only_with = "", .standard = "as planned for --recall"),
    CLI_OPTION(hash, &defaults.hashing, "function", .knob_of = "method", .knob_with = "hash"),
    CLI_OPTION(hash, &defaults.hashing, "length", .knob_of = "method", .knob_with = "hash",
               .only_with = "", .standard = SEARCHED),
    CLI_OPTION(hash, &defaults.hashing, "codes", .knob_of = "method", .knob_with = "hash",
               .standard = SEARCHED),
    CLI_OPTION(hash, &defaults.hashing, "radix", .knob_of = "method", .knob_with = "hash",
               .only_with = "function=fuzzy", .standard = SEARCHED),
    CLI_OPTION(hash, &defaults.hashing, "width", .knob_of = "method", .knob_with = "hash",
               .only_with = "function=pstable", .standard = SEARCHED),
    CLI_NGRAM_KNOBS(defaults.ngrams),
    CLI_OPTION(docalign, &defaults.docalign, "min-count", .knob_of = "method",
               .knob_with = "ngram", .only_with = "to=docalign",
               .help = "n-grams in fewer documents only add to the length of a vector"),
    CLI_OPTION(pairs, &defaults.set, "threshold", .letter = 't', .is_common = true,
               .standard = "0.3; ngram: 0.1"),
    CLI_OPTION(pairs, &defaults.set, "recall", .is_common = true),
    CLI_OPTION(pairs, &defaults.set, "select", .is_common = true),
    CLI_OPTION(pairs, &defaults.set, "ratio", .knob_of = "select", .knob_with = "near",
               .only_with = ""),
    {.name = "optimal",
     .flag = &defaults.is_optimal,
     .knob_of = "select",
     .knob_with = "one-to-one",
     .help = "maximise the sum of scores instead of taking the best pair first"},
    CLI_OPTION(pairs, &defaults.set, "top", .letter = 'n', .is_common = true,
               .only_with = "select=best"),
    CLI_OPTION(pairs, &defaults.set, "margin", .is_common = true, .only_with = NOT_NGRAM),
    CLI_LEXICON_OPTION(
        &defaults.request.lexicon,
        "project the vectors of one side into the language of the other with this "
        "lexicon"),
    CLI_LEXICON_LANGS_OPTION(&defaults.request.lexicon_langs, "detected from the words",
                             "lexicon"),
    {.name = "project",
     .value = "SIDE",
     .choice = &defaults.request.project,
     .choices = projects,
     .only_with = "lexicon " NOT_NGRAM,
     .help = "set the side that --lexicon translates"},
    CLI_VECTORS_OPTIONS(defaults.request.vectors, "raw documents and collections: ", NOT_NGRAM),
    CLI_OPTION(tokens, &defaults.request.tokens, "stem", .is_common = true, .is_raw = true,
               .help =
                   "raw documents: reduce words to their stems, in the languages that have a "
                   "stemmer"),
    CLI_RAW_LANGS_OPTION(
        &defaults.request.lang, "those of the records, or detected from the text",
        "raw documents: languages of the left and the right side, such as de,en",
        .takes_one = true),
    {.name = "sample",
     .value = "N",
     .count = &defaults.sample,
     .max = 100000000,
     .standard = "500",
     .only_with = "!method=exact",
     .help = "left documents to search exactly for the recall check; 0: no check"},
    {.name = "to",
     .value = "FORMAT",
     .choice = &defaults.to,
     .choices = outputs,
     .help = "set the format of the output (docalign: score and numbers of lines, scored as "
             "ParaCrawl's document aligner does; with --from docenc and --method ngram)"},
    {.name = "header",
     .flag = &defaults.wants_header,
     .only_with = "!part to=tsv",
     .help = "write a first line with column names"},
    CLI_PART_OPTION(&defaults.part_text, "of the search"),
    CLI_FROM_OPTION(defaults.request.read),
    CLI_ON_ERROR_OPTION(defaults.request.read),
    CLI_READER_OPTIONS(defaults.request.read),
    CLI_TEMP_OPTION(&defaults.set.temp),
    {0},
};

static const cli_item examples[] = {
    {"doppel pairs de.jsonl en.jsonl --lexicon de-en.tsv.zst --stem -o pairs.tsv",
     "raw documents; German words are translated with a lexicon"},
    {"doppel pairs left.npy right.npy --threshold 0.8 --select mutual --margin 4 -o pairs.tsv",
     "embeddings from elsewhere, mutual nearest neighbours by margin"},
    {"doppel pairs news.dpl --threshold 0.9 -o copies.tsv",
     "near-duplicates in one collection"},
    {"doppel pairs de.vectors.dpl en.vectors.dpl --method brute:length=2048 -o pairs.tsv",
     "vectors made before; compare all signatures of 2048 bits with all"},
    {"doppel pairs news.dpl --threshold 0.9 --method hash:function=fuzzy -o copies.tsv",
     "by codes: fuzzy-fingerprints, their parameters chosen on a sample"},
    {"doppel pairs de.translated.jsonl en.jsonl --method ngram --select near -o pairs.tsv",
     "documents in one language, German ones by 'doppel translate'; linear in their number"},
    {"doppel pairs de.jsonl en.jsonl --method ngram:matching=2 --lexicon de-en.dpl -o "
     "pairs.tsv",
     "the same, translated word by word by a lexicon"},
    {"doppel pairs translated.b64.gz english.b64.gz --from docenc --method ngram --to docalign",
     "in place of ParaCrawl's docalign"},
    {"doppel pairs de.vectors.dpl en.vectors.dpl --part 3/7 -o pairs.3.dpl",
     "the third of seven parts of the search, for 'doppel merge'"},
    {0},
};

static const cli_item json_keys[] = {
    {"translated, english, entries, ngrams, products, scored",
     "--to docalign: documents of either file, n-grams of all documents, object: distinct, "
     "rare "
     "and frequent ones, multiply-adds, pairs at or above the threshold"},
    CLI_PART_JSON,
    {0},
};

/* ---- the work ----------------------------------------------------------------------- */

static int check_ngram(const settings *o, size_t n_args)
{
    if (n_args == 1 && !o->ngrams.by_language) {
        cli_error("--method ngram finds pairs between two sides");
        cli_hint("--method ngram:by-language finds pairs between the languages of one side");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

static int check_empty(const cli_side sides[2], char **args, size_t n_args)
{
    for (size_t i = 0; i < n_args; i++)
        if (sides[i].vectors && dpl_vectors_get_sizes(sides[i].vectors)->n_rows == 0) {
            cli_error("'%s' has no documents to compare", args[i]);
            if (sides[i].n_dropped)
                cli_hint("%u were dropped because they have too few terms", sides[i].n_dropped);
            return CLI_USAGE;
        }
    return CLI_DONE;
}

/* What a part is made of. */
typedef struct part_job {
    dpl_ctx *ctx;
    const dpl_pairs_side *left, *right;
    const settings *o;
    dpl_part_summary made;
} part_job;

static int write_part(void *user, const char *path)
{
    part_job *j = user;
    dpl_error err = {0};
    return dpl_pairs_part(&j->made, j->ctx, path, j->left, j->right, &j->o->part, &j->o->set,
                          &err) == DPL_OK
               ? CLI_DONE
               : cli_fail_or_stop(&err);
}

static int search_part(const settings *o, dpl_ctx *ctx, const dpl_pairs_side *left,
                       const dpl_pairs_side *right)
{
    part_job j = {ctx, left, right, o, DPL_INIT(dpl_part_summary)};
    const bool has_documents = dpl_pairs_get_method_info(o->set.method)->has_documents;
    int code = cli_write_container(o->output, ctx, o->set.temp, write_part, &j);
    if (code == CLI_DONE)
        cli_part_say(&(cli_part_said){.made = j.made,
                                      .what = has_documents ? "candidates" : "pairs",
                                      .number = o->part.number + 1,
                                      .n = o->part.n},
                     o->output, ctx);
    return code;
}

static void say_rounded_bits(const settings *o)
{
    unsigned bits = o->set.length, rounded = 0;
    dpl_error err = {0};
    dpl_sign_options sign =
        DPL_INIT(dpl_sign_options, .method = o->set.signature, .length = bits);
    if (bits && dpl_sign_check(&rounded, &sign, &err) == DPL_OK && rounded != bits)
        cli_note("%u %s are rounded up to %u", bits,
                 dpl_sign_get_method_info(o->set.signature)->unit, rounded);
}

static int find(const settings *o, dpl_ctx *ctx, const cli_side sides[2], size_t n_sides)
{
    dpl_error err = {0};
    dpl_pairs *pairs = NULL;
    const dpl_pairs_side left = {sides[0].vectors, sides[0].signatures, sides[0].collection};
    const dpl_pairs_side right = {sides[1].vectors, sides[1].signatures, sides[1].collection};
    if (o->part_text)
        return search_part(o, ctx, &left, n_sides == 2 ? &right : NULL);
    if (dpl_pairs_open(&pairs, ctx, &left, n_sides == 2 ? &right : NULL, &o->set, &err) !=
        DPL_OK)
        return cli_fail(&err);
    int code = cli_write_pairs(o->output, ctx, pairs, o->wants_header);
    if (code == CLI_DONE) {
        cli_pairs_said said = cli_pairs_said_of(pairs, o->output, ctx);
        said.is_self = n_sides == 1;
        for (size_t i = 0; i < n_sides; i++)
            said.n_dropped[i] = sides[i].n_dropped;
        cli_say_summary(&cli_pairs_figures, &said, cli_is_stdout(o->output));
    }
    dpl_pairs_close(pairs);
    return code;
}

static int search(settings *o, dpl_ctx *ctx, char **args, size_t n_args)
{
    cli_side sides[2] = {{0}};
    dpl_lexicon *lexicon = NULL;
    int code = CLI_DONE;
    if (dpl_pairs_get_method_info(o->set.method)->has_documents) {
        code = check_ngram(o, n_args);
        if (code == CLI_DONE)
            code = cli_ngram_open(&lexicon, sides, ctx, args, n_args, &o->request);
    } else {
        code = cli_sides_open(sides, ctx, args, n_args, &o->request);
        if (code == CLI_DONE)
            code = check_empty(sides, args, n_args);
        if (code == CLI_DONE)
            say_rounded_bits(o);
    }
    o->set.hash = &o->hashing;
    o->ngrams.lexicon = lexicon;
    o->set.ngram = &o->ngrams;
    if (code == CLI_DONE)
        code = find(o, ctx, sides, n_args);
    dpl_lexicon_close(lexicon);
    cli_sides_close(sides, &o->request);
    return code;
}

/* ---- options that depend on each other ------------------------------------------------ */

/* ParaCrawl's aligner has few options. */
static int check_docalign(const settings *o)
{
    static const char known[] = "output,method,scoring,max-scoring,min-count,threshold,select,"
                                "to,from,temp";
    for (const cli_option *p = options; p->name; p++)
        if (cli_given(p->name) && !cli_is_listed(known, p->name)) {
            cli_error("%s%s does not apply with --to docalign", p->knob_of ? "" : "--",
                      p->name);
            return CLI_USAGE;
        }
    if (o->set.select == DPL_SELECT_ALL || o->set.select == DPL_SELECT_BEST)
        return CLI_DONE;
    cli_error("--select %s does not apply with --to docalign, only best and all",
              dpl_select_name(o->set.select));
    return CLI_USAGE;
}

static int set_docalign(settings *o, size_t n_args)
{
    if (o->to == TO_TSV)
        return CLI_DONE;
    if (check_docalign(o) != CLI_DONE)
        return CLI_USAGE;
    if (o->request.read.from != DPL_FORMAT_DOCENC || n_args != 2) {
        cli_error("--to docalign writes numbers of lines: it needs two files in base64");
        cli_hint("usage: doppel pairs LEFT RIGHT --from docenc --method ngram --to docalign");
        return CLI_USAGE;
    }
    o->docalign.ngram_size = o->ngrams.scoring;
    o->docalign.max_count = o->ngrams.max_scoring;
    o->docalign.threshold = o->set.threshold;
    o->docalign.temp = o->set.temp;
    o->docalign.all = o->set.select == DPL_SELECT_ALL && cli_given("select");
    return CLI_DONE;
}

static void set_sample(settings *o)
{
    o->set.no_recall_check = cli_given("sample") && o->sample == 0;
    o->set.sample = o->sample;
}

static int check(char **args, size_t n_args, void *user)
{
    (void)args;
    settings *o = user;
    int code = cli_check_output(o->output, "the pairs go", !o->part_text);
    if (code == CLI_DONE && o->part_text)
        code = cli_part_parse(&o->part, o->part_text);
    if (code == CLI_DONE)
        code = set_docalign(o, n_args);
    if (code == CLI_DONE && n_args == 1 && o->request.project == 1) {
        cli_error("--project right applies only to two sides");
        code = CLI_USAGE;
    }
    return code;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    settings *o = user;
    o->set.assignment = o->is_optimal ? DPL_ASSIGN_OPTIMAL : DPL_ASSIGN_GREEDY;
    set_sample(o);
    o->request.folder.base = o->set.temp;
    return o->to == TO_TSV ? search(o, ctx, args, n_args) : cli_docalign(o, ctx, args);
}

const cli_command cli_pairs = {
    .name = "pairs",
    .summary = "find translations or near-duplicates between two collections",
    .synopsis = "LEFT [RIGHT] -o P.tsv",
    .about =
        "Compare the documents of LEFT with those of RIGHT and write the pairs whose "
        "vectors have a cosine at or above the threshold: left id, right id and "
        "score, ordered by left document, then by falling score. With LEFT alone, "
        "find pairs within it, each written once."
        "\n"
        "\n"
        "A side is raw documents in any format that 'doppel import' reads, a "
        "collection, vectors ('doppel vectors', or dense rows as .npy or .fvecs), or "
        "signatures ('doppel sign'; with the knob no-verify only)."
        "\n"
        "\n"
        "exact multiplies vectors through an inverted index and finds every pair. "
        "brute compares all signatures with all, with a cut on their distance "
        "that reaches --recall, and computes the cosine of the candidates that pass. "
        "window compares only signatures that are near each other in one of Q sorted "
        "tables. hash compares documents that share a similarity hash code. auto takes "
        "the method that the plan expects to be the fastest. After all but exact, a "
        "recall check searches a random sample of left documents "
        "exactly and prints the recall with its confidence interval."
        "\n"
        "\n"
        "ngram is for documents in one language, most of them by translation "
        "('doppel translate'): those that share a rare sequence of 5 words are "
        "compared, by the cosine of their sequences of 2 words weighted by inverse "
        "document frequency. Its time is linear in the number of documents. With the "
        "knob by-language, pairs are between the languages of the documents, all of "
        "them at once."
        "\n"
        "\n"
        "--to docalign is the document aligner of ParaCrawl and Bitextor: each line of "
        "both files is a document in base64, its words separated by white space, LEFT "
        "translated into the language of RIGHT; documents are compared by their n-grams "
        "of 2 words (knob scoring), weighted by ln(tf + 1) ln(N / (1 + df)), where n-grams "
        "in more than 1000 documents (max-scoring) are ignored. Pairs are taken best "
        "first, each document once, or all of them with --select all. The output is a "
        "line of column names and then score and line numbers from 1, separated by tabs."
        "\n"
        "\n"
        "--select decides which pairs to keep: all; best, the N best of every left "
        "document (--top); mutual, pairs in which each document is the best match of "
        "the other; one-to-one, so that every document is in at most one pair; near, the "
        "same, of pairs whose score is nearly that of the best of both documents. --margin K"
        " scores by margin: the cosine divided by the mean cosine of the K nearest "
        "neighbours of both documents, where neighbours below the threshold count as "
        "the threshold."
        "\n"
        "\n"
        "The same input and options give the same bytes for any number of threads, "
        "any instruction set and any chunk size."
        "\n"
        "\n" CLI_PART_ABOUT,
    .options = options,
    .examples = examples,
    .figures = &cli_pairs_figures,
    .json = json_keys,
    .see_also = "doppel-vectors(1), doppel-sign(1), doppel-plan(1), doppel-merge(1), "
                "doppel-eval-pairs(1), doppel-translate(1)",
    .argument = "LEFT",
    .min_args = 1,
    .max_args = 2,
    .complete = CLI_FILES,
    .check = check,
    .work = run,
    CLI_DEFAULTS(defaults),
};
