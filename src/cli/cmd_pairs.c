/*
 * cmd_pairs.c - doppel pairs: similar documents of two collections, or of one.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/pairs_ngram.h"
#include "cli/part_option.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cli/side.h"
#include "cli/talk.h"

#include "doppel/pairs.h"

#include <stdio.h>

static dpl_pairs_options set = DPL_INIT(dpl_pairs_options);
static dpl_ngram_options ngrams = DPL_INIT(dpl_ngram_options);
static dpl_hash_options hashing = DPL_INIT(dpl_hash_options);
static cli_side_request request = CLI_SIDE_REQUEST_INIT;
static const char *output = "-";
static bool wants_header;
static const char *part_text;
static dpl_part part;

static const char *const projects[] = {"left", "right", NULL};

static const cli_option options[] = {
    CLI_OUTPUT_OPTION(
        &output, "-",
        "write the pairs to FILE, as left_id, right_id and score separated by tabs; - "
        "is standard output"),
    {.name = "header",
     .flag = &wants_header,
     .only_with = "!part",
     .help = "write a first line with column names"},
    CLI_OPTION(pairs, &set, "method",
               .help =
                   "set the search method; auto takes the one that 'doppel plan' recommends"),
    CLI_OPTION(pairs, &set, "threshold"),
    CLI_OPTION(pairs, &set, "recall"),
    CLI_OPTION(pairs, &set, "select"),
    CLI_OPTION(pairs, &set, "best", .only_with = "select=best"),
    CLI_OPTION(pairs, &set, "assignment",
               .help = "take the best pair first (greedy), or maximise the sum of scores "
                       "(optimal)"),
    CLI_OPTION(pairs, &set, "near-ratio"),
    CLI_OPTION(pairs, &set, "margin"),
    CLI_LEXICON_OPTION(
        &request.lexicon,
        "project the vectors of one side into the language of the other with this "
        "lexicon"),
    CLI_LEXICON_LANGS_OPTION(&request.lexicon_langs, "detected from the words", "lexicon"),
    {.name = "project",
     .value = "SIDE",
     .choice = &request.project,
     .choices = projects,
     .only_with = "lexicon !method=ngram",
     .help = "set the side that --lexicon translates"},
    CLI_VECTORS_OPTIONS(request.vectors, "raw documents and collections: ", "!method=ngram"),
    CLI_OPTION(tokens, &request.tokens, "stem",
               .help =
                   "raw documents: reduce words to their stems, in the languages that have a "
                   "stemmer"),
    CLI_OPTION(reader, &request.read, "format"),
    CLI_OPTION(reader, &request.read, "on-error"),
    CLI_READER_OPTIONS(request.read),
    CLI_LANG_OPTIONS(&request.lang[0], &request.lang[1],
                     "that of the record, or detected from the text",
                     "raw documents: language of the left side",
                     "raw documents: language of the right side"),
    CLI_OPTION(pairs, &set, "bits"),
    CLI_OPTION(pairs, &set, "signature"),
    CLI_OPTION(pairs, &set, "tables", .standard = "as planned for --recall"),
    CLI_OPTION(pairs, &set, "window", .standard = "as planned for --recall"),
    CLI_OPTION(pairs, &set, "chunk", .standard = "as many as fit into --memory"),
    CLI_OPTION(pairs, &set, "basic"),
    CLI_OPTION(hash, &hashing, "hash", .of = "function", .only_with = "method=hash",
               .help = "set the similarity hash function"),
    CLI_OPTION(hash, &hashing, "code-length", .standard = "as a sample says for --recall",
               .only_with = "method=hash",
               .help = "numbers that a code is made of: longer codes find fewer wrong "
                       "candidates"),
    CLI_OPTION(hash, &hashing, "codes", .standard = "as a sample says for --recall",
               .only_with = "method=hash",
               .help = "codes of a document: more codes find more of the similar pairs"),
    CLI_OPTION(hash, &hashing, "radix", .standard = "as a sample says for --recall",
               .only_with = "method=hash hash=fuzzy",
               .help = "intervals of the deviation of a prefix class"),
    CLI_OPTION(hash, &hashing, "width", .standard = "as a sample says for --recall",
               .only_with = "method=hash hash=pstable",
               .help = "width of the intervals of a projection"),
    CLI_OPTION(hash, &hashing, "code-encoding", .of = "encoding",
               .only_with = "method=hash hash=pstable",
               .help = "how the numbers of a code become one"),
    CLI_OPTION(pairs, &set, "no-early-stop"),
    CLI_OPTION(pairs, &set, "no-verify"),
    CLI_OPTION(pairs, &set, "sample"),
    CLI_OPTION(pairs, &set, "no-recall-check"),
    CLI_NGRAM_OPTIONS(ngrams, "method=ngram"),
    CLI_PART_OPTION(&part_text, "of the search"),
    CLI_TEMP_OPTION(&set.spill_dir),
    {0},
};

static const cli_item examples[] = {
    {"doppel pairs de.jsonl en.jsonl --lexicon de-en.tsv.zst --stem -o pairs.tsv",
     "raw documents; German words are translated with a lexicon"},
    {"doppel pairs de.vectors.dpl en.vectors.dpl --method brute --recall 0.995 -o pairs.tsv",
     "vectors made before; compare all signatures with all"},
    {"doppel pairs left.npy right.npy --threshold 0.8 --select mutual --margin 4 -o pairs.tsv",
     "embeddings from elsewhere, mutual nearest neighbours by margin"},
    {"doppel pairs news.dpl --threshold 0.9 -o copies.tsv",
     "near-duplicates in one collection"},
    {"doppel pairs news.dpl --threshold 0.9 --method hash --hash fuzzy -o copies.tsv",
     "the same with codes: fuzzy-fingerprints, their parameters chosen on a sample"},
    {"doppel pairs de.translated.jsonl en.jsonl --method ngram --select near -o pairs.tsv",
     "documents in one language, German ones by 'doppel translate'; linear in their number"},
    {"doppel pairs de.jsonl en.jsonl --method ngram --lexicon de-en.dpl --matching 2 -o "
     "pairs.tsv",
     "the same, translated word by word by a lexicon"},
    {"doppel pairs de.vectors.dpl en.vectors.dpl --part 3/7 -o pairs.3.dpl",
     "the third of seven parts of the search, for 'doppel merge'"},
    {0},
};

static const cli_item json_keys[] = {
    {"method", "the method that was used"},
    {"left, right", "rows on each side"},
    {"left_dropped, right_dropped", "documents with too few terms"},
    {"threshold", "lowest cosine"},
    {"select, margin", "how pairs were selected"},
    {"signature", "kind of signature that was compared; null without"},
    {"bits, cut", "bits of a signature (dimensions of rp8), and the largest distance of a "
                  "candidate"},
    {"first_bits, first_cut", "the same of the early test; 0 when there was none"},
    {"tables, window, chunk", "Q, B and M"},
    {"comparisons", "of signatures; multiply-adds of exact"},
    {"candidates", "pairs whose cosine was computed"},
    {"found", "pairs at or above the threshold"},
    {"pairs", "of those, selected and written"},
    {"planned_recall", "recall that the plan predicted; null: none"},
    {"recall_check",
     "object: exact, rows, true, found, recall, low, high (95 % interval), seconds; recall is "
     "null when the sample has no pair"},
    {"hash, code_length, codes, radix, width",
     "hash: the function and its parameters; null with other methods"},
    {"spilled_bytes", "bytes written to temporary files"},
    {"sign_seconds, search_seconds, verify_seconds, select_seconds, seconds", "time it took"},
    {"documents, groups, words, translated",
     "ngram: documents of both sides, sides or languages, words, documents translated by the "
     "lexicon"},
    {"matching",
     "ngram: object: postings, not_sampled, distinct n-grams, and of these single (in one "
     "document), one_language, frequent, used"},
    {"scoring",
     "ngram: object: entries, distinct n-grams, of these single and frequent, kept_entries"},
    {"generated, capped, below, disordered",
     "ngram: pairs generated before repetitions were dropped, different pairs that were not "
     "compared, candidates below the threshold, candidates in another order"},
    {"extract_seconds, match_seconds, score_seconds", "ngram: time of the steps"},
    CLI_PART_JSON,
    CLI_MACHINE_JSON,
    {0},
};

/* ---- the summary -------------------------------------------------------------------- */

static void print_recall_json(dpl_json *j, const dpl_recall_check *r, bool is_there)
{
    const double nothing = 0. / 0.; /* null */
    dpl_json_begin(j, "recall_check", '{');
    dpl_json_bool(j, "exact", r->is_exact);
    dpl_json_number(j, "rows", r->n_rows);
    dpl_json_number(j, "true", r->n_true);
    dpl_json_number(j, "found", r->n_found);
    bool says = is_there && !r->is_empty;
    dpl_json_real(j, "recall", says ? r->recall : nothing);
    dpl_json_real(j, "low", says ? r->low : nothing);
    dpl_json_real(j, "high", says ? r->high : nothing);
    dpl_json_real(j, "seconds", r->seconds);
    dpl_json_end(j, '}');
}

static bool has_recall_check(const dpl_pairs_summary *s)
{
    return s->recall_check->is_exact || s->recall_check->n_rows > 0;
}

static void print_hash_json(dpl_json *j, const dpl_pairs_summary *s)
{
    if (!s->code_length) {
        dpl_json_null(j, "hash");
        return;
    }
    dpl_json_cstr(j, "hash", dpl_hash_function_name(s->hash));
    dpl_json_number(j, "code_length", s->code_length);
    dpl_json_number(j, "codes", s->n_codes);
    dpl_json_number(j, "radix", s->radix);
    dpl_json_real(j, "width", s->width);
}

static void put_rows(dpl_json *j, const dpl_pairs_summary *s, const cli_side sides[2])
{
    dpl_json_number(j, "left", s->n_left);
    dpl_json_number(j, "right", s->n_right);
    dpl_json_number(j, "left_dropped", sides[0].n_dropped);
    dpl_json_number(j, "right_dropped", sides[1].n_dropped);
    dpl_json_real(j, "threshold", s->threshold);
    dpl_json_cstr(j, "select", dpl_select_name(set.select));
    dpl_json_number(j, "margin", set.margin);
    if (s->bits)
        dpl_json_cstr(j, "signature", dpl_sign_method_name(s->signature));
    else
        dpl_json_null(j, "signature");
    dpl_json_number(j, "bits", s->bits);
    dpl_json_number(j, "cut", s->cut);
    dpl_json_number(j, "first_bits", s->first_bits);
    dpl_json_number(j, "first_cut", s->first_cut);
    dpl_json_number(j, "tables", s->n_tables);
    dpl_json_number(j, "window", s->window);
    dpl_json_number(j, "chunk", s->chunk);
    dpl_json_number(j, "comparisons", s->n_comparisons);
    dpl_json_number(j, "candidates", s->n_candidates);
    dpl_json_number(j, "found", s->n_found);
    dpl_json_number(j, "pairs", s->n_selected);
    dpl_json_real(j, "planned_recall", s->planned_recall > 0 ? s->planned_recall : 0. / 0.);
    print_recall_json(j, s->recall_check, has_recall_check(s));
    print_hash_json(j, s);
    dpl_json_number(j, "spilled_bytes", s->n_spilled_bytes);
    dpl_json_real(j, "sign_seconds", s->sign_seconds);
    dpl_json_real(j, "search_seconds", s->search_seconds);
    dpl_json_real(j, "verify_seconds", s->verify_seconds);
    dpl_json_real(j, "select_seconds", s->select_seconds);
    dpl_json_real(j, "seconds", s->seconds);
}

static void print_json(const dpl_pairs_summary *s, const cli_side sides[2], const dpl_ctx *ctx)
{
    dpl_json j = cli_summary_begin(cli_is_stdout(output));
    dpl_json_cstr(&j, "method", dpl_pairs_method_name(s->method));
    if (s->ngram)
        cli_ngram_put(&j, s);
    else
        put_rows(&j, s, sides);
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
}

static void note_side(const char *label, uint32_t n_rows, const cli_side *side)
{
    char remark[80] = "", number[32];
    if (side->n_dropped)
        snprintf(remark, sizeof remark, "%s dropped: too few terms",
                 cli_grouped(number, side->n_dropped));
    cli_note_count(label, n_rows, remark);
}

static void note_method(const dpl_pairs_summary *s)
{
    char remark[200] = "";
    size_t n = 0;
    const dpl_sign_method_info *info = dpl_sign_get_method_info(s->signature);
    if (s->code_length)
        n += (size_t)snprintf(remark, sizeof remark, "%s, %u codes of %u %s",
                              dpl_hash_function_name(s->hash), s->n_codes, s->code_length,
                              dpl_hash_get_function_info(s->hash)->unit);
    if (s->radix)
        n += (size_t)snprintf(remark + n, sizeof remark - n, " in %u intervals", s->radix);
    if (s->width > 0)
        n += (size_t)snprintf(remark + n, sizeof remark - n, ", width %g", s->width);
    if (s->n_tables)
        n += (size_t)snprintf(remark, sizeof remark, "Q %u, B %u, ", s->n_tables, s->window);
    if (s->bits)
        n += (size_t)snprintf(remark + n, sizeof remark - n, "%u %s%s%s, distance up to %u",
                              s->bits, info->unit, info->has_products ? " of " : "",
                              info->has_products ? info->name : "", s->cut);
    if (s->first_bits)
        snprintf(remark + n, sizeof remark - n, " (%u in the first %u)", s->first_cut,
                 s->first_bits);
    cli_note_row("method", dpl_pairs_method_name(s->method), remark);
}

static void note_rows(const dpl_pairs_summary *s, const cli_side sides[2], size_t n_sides)
{
    char remark[400];
    const dpl_pairs_method_info *info = dpl_pairs_get_method_info(s->method);
    note_side(n_sides == 2 ? "left" : "documents", s->n_left, &sides[0]);
    if (n_sides == 2)
        note_side("right", s->n_right, &sides[1]);
    note_method(s);
    cli_note_count("compared", s->n_comparisons, info->unit);
    if (info->has_candidates && !set.no_verify)
        cli_note_count("verified", s->n_candidates, "candidates: their cosine was computed");
    if (s->threshold > 0)
        snprintf(remark, sizeof remark, "%s %g or more",
                 set.no_verify ? "estimated at" : "cosine", s->threshold);
    else
        snprintf(remark, sizeof remark, "cosine above 0");
    cli_note_count("found", s->n_found, remark);
    if (s->n_selected != s->n_found || set.select != DPL_SELECT_ALL) {
        snprintf(remark, sizeof remark, "%s%s", dpl_select_name(set.select),
                 set.margin ? ", by margin" : "");
        cli_note_count("selected", s->n_selected, remark);
    }
    cli_note_recall(s->recall_check, "has a pair");
}

static void note_summary(const dpl_pairs_summary *s, const cli_side sides[2], size_t n_sides,
                         const dpl_ctx *ctx)
{
    if (s->ngram)
        cli_ngram_note(s, set.select);
    else
        note_rows(s, sides, n_sides);
    cli_note_output(output, 0);
    if (s->n_spilled_bytes)
        cli_note_bytes("spilled", s->n_spilled_bytes, "to temporary files");
    cli_note_time(s->seconds, "", ctx);
}

/* ---- the work ----------------------------------------------------------------------- */

static int write_pairs(dpl_ctx *ctx, dpl_pairs *pairs)
{
    cli_output out;
    int code = cli_output_open(&out, ctx, output);
    if (code != CLI_DONE)
        return code;
    if (wants_header)
        cli_output_pairs_header(&out);
    dpl_error err = {0};
    dpl_pair pair;
    dpl_status status;
    while ((status = dpl_pairs_next(pairs, &pair, &err)) == DPL_OK)
        cli_output_pair(&out, dpl_pairs_id(pairs, false, pair.left),
                        dpl_pairs_id(pairs, true, pair.right), (double)pair.score);
    return cli_output_close(&out, status == DPL_END ? CLI_DONE : cli_fail(&err));
}

static int check_ngram(size_t n_args)
{
    if (n_args == 1 && !ngrams.by_language) {
        cli_error("--method=ngram finds pairs between two sides");
        cli_hint("--by-language finds pairs between the languages of one side");
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
    dpl_part_summary made;
} part_job;

static int write_part(void *user, const char *path)
{
    part_job *j = user;
    dpl_error err = {0};
    return dpl_pairs_part(&j->made, j->ctx, path, j->left, j->right, &part, &set, &err) ==
                   DPL_OK
               ? CLI_DONE
               : cli_fail_or_stop(&err);
}

static int search_part(dpl_ctx *ctx, const dpl_pairs_side *left, const dpl_pairs_side *right)
{
    part_job j = {ctx, left, right, DPL_INIT(dpl_part_summary)};
    int code = cli_write_container(output, ctx, set.spill_dir, write_part, &j);
    if (code == CLI_DONE)
        cli_part_say(&j.made, &part,
                     dpl_pairs_get_method_info(set.method)->has_documents ? "candidates"
                                                                          : "pairs",
                     output, ctx);
    return code;
}

static void say_rounded_bits(void)
{
    unsigned bits = set.bits, rounded = 0;
    dpl_error err = {0};
    dpl_sign_options sign = DPL_INIT(dpl_sign_options, .method = set.signature, .n = bits);
    if (bits && dpl_sign_check(&rounded, &sign, &err) == DPL_OK && rounded != bits)
        cli_note("%u %s are rounded up to %u", bits,
                 dpl_sign_get_method_info(set.signature)->unit, rounded);
}

static int find(dpl_ctx *ctx, const cli_side sides[2], size_t n_sides)
{
    dpl_error err = {0};
    dpl_pairs *pairs = NULL;
    const dpl_pairs_side left = {sides[0].vectors, sides[0].signatures, sides[0].collection};
    const dpl_pairs_side right = {sides[1].vectors, sides[1].signatures, sides[1].collection};
    if (part_text)
        return search_part(ctx, &left, n_sides == 2 ? &right : NULL);
    if (dpl_pairs_open(&pairs, ctx, &left, n_sides == 2 ? &right : NULL, &set, &err) != DPL_OK)
        return cli_fail(&err);
    int code = write_pairs(ctx, pairs);
    if (code == CLI_DONE && cli_set.json)
        print_json(dpl_pairs_get_summary(pairs), sides, ctx);
    else if (code == CLI_DONE)
        note_summary(dpl_pairs_get_summary(pairs), sides, n_sides, ctx);
    dpl_pairs_close(pairs);
    return code;
}

static int search(dpl_ctx *ctx, char **args, size_t n_args)
{
    cli_side sides[2] = {{0}};
    dpl_lexicon *lexicon = NULL;
    int code = CLI_DONE;
    if (dpl_pairs_get_method_info(set.method)->has_documents) {
        code = check_ngram(n_args);
        if (code == CLI_DONE)
            code = cli_ngram_open(&lexicon, sides, ctx, args, n_args, &request);
    } else {
        code = cli_sides_open(sides, ctx, args, n_args, &request);
        if (code == CLI_DONE)
            code = check_empty(sides, args, n_args);
        if (code == CLI_DONE)
            say_rounded_bits();
    }
    set.hash = &hashing;
    ngrams.lexicon = lexicon;
    set.ngram = &ngrams;
    if (code == CLI_DONE)
        code = find(ctx, sides, n_args);
    dpl_lexicon_close(lexicon);
    cli_sides_close(sides, &request);
    return code;
}

static int run(char **args, size_t n_args)
{
    int code = cli_check_output(output, "the pairs go", !part_text, args, n_args);
    if (code == CLI_DONE && part_text)
        code = cli_part_parse(&part, part_text);
    if (code != CLI_DONE)
        return code;
    request.folder.base = set.spill_dir;
    dpl_ctx *ctx;
    code = cli_ctx_new(&ctx, true);
    if (code != CLI_DONE)
        return code;
    code = search(ctx, args, n_args);
    dpl_ctx_free(ctx);
    return code;
}

const cli_command cli_pairs = {
    .name = "pairs",
    .summary = "find translations or near-duplicates between two collections",
    .synopsis = "LEFT [RIGHT] -o P.tsv",
    .about = "Compare the documents of LEFT with those of RIGHT and write the pairs whose "
             "vectors have a cosine at or above the threshold: left id, right id and "
             "score, ordered by left document, then by falling score. With LEFT alone, "
             "find pairs within it, each written once."
             "\n"
             "\n"
             "A side is raw documents in any format that 'doppel import' reads, a "
             "collection, vectors ('doppel vectors', or dense rows as .npy or .fvecs), or "
             "signatures ('doppel sign'; with --no-verify only)."
             "\n"
             "\n"
             "exact multiplies vectors through an inverted index and finds every pair. "
             "brute compares all signatures with all, with a cut on their distance "
             "that reaches --recall, and computes the cosine of the candidates that pass. "
             "window compares only signatures that are near each other in one of Q sorted "
             "tables. auto takes the fastest method that reaches the recall. After brute "
             "and window, a recall check searches a random sample of left documents "
             "exactly and prints the recall with its confidence interval."
             "\n"
             "\n"
             "ngram is for documents in one language, most of them by translation "
             "('doppel translate'): those that share a rare sequence of 5 words are "
             "compared, by the cosine of their sequences of 2 words weighted by inverse "
             "document frequency. Its time is linear in the number of documents. "
             "The default threshold is 0.1; --select near keeps one partner of each document. "
             "With --by-language, pairs are between the languages of the documents, all of "
             "them at once."
             "\n"
             "\n"
             "--select decides which pairs to keep: all; best, the N best of every left "
             "document; mutual, pairs in which each document is the best match of the "
             "other; one-to-one, so that every document is in at most one pair; near, the same "
             "of pairs whose score is near (--near-ratio) the best of both. --margin K"
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
    .json = json_keys,
    .see_also = "doppel-vectors(1), doppel-sign(1), doppel-plan(1), doppel-merge(1), "
                "doppel-eval-pairs(1)",
    .argument = "LEFT",
    .min_args = 1,
    .max_args = 2,
    .complete = CLI_FILES,
    .run = run,
};
