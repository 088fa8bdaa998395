/*
 * cmd_stress.c - doppel-lab stress: the cosine error of embeddings and signatures.
 */
#include "cli/notes.h"
#include "cli/progress.h"
#include "cli/talk.h"
#include "lab/lab_program.h"

#include "doppel-lab/embeddings.h"
#include "doppel/options.h"

#include <stdio.h>
#include <string.h>

static dpl_embed_options embed = DPL_INIT(dpl_embed_options);
static dpl_sign_options sign = DPL_INIT(dpl_sign_options);
static unsigned signature, rows;
static cli_texts thresholds;

static const char *const signatures[] = {"none", "rp", "simhash", "minhash", "rp8", NULL};

static const cli_option options[] = {
    CLI_OPTION(embed, &embed, "embedding", .only_with = "signature=none"),
    CLI_OPTION(embed, &embed, "dims", .only_with = "signature=none"),
    CLI_OPTION(embed, &embed, "optimum-threshold",
               .only_with = "signature=none embedding=optimum"),
    CLI_OPTION(embed, &embed, "optimum-floor", .only_with = "signature=none embedding=optimum"),
    CLI_OPTION(embed, &embed, "matrix", .only_with = "signature=none embedding=svd,optimum"),
    CLI_OPTION(embed, &embed, "cosine", .only_with = "signature=none embedding=svd,optimum"),
    {.name = "signature",
     .value = "NAME",
     .choice = &signature,
     .choices = signatures,
     .help = "measure a signature instead of an embedding"},
    CLI_OPTION(sign, &sign, "bits", .of = "length", .only_with = "!signature=none"),
    {.name = "threshold",
     .value = "T",
     .texts = &thresholds,
     .standard = "0.1 to 0.9 by 0.1, and 0.95",
     .help = "cosine to measure at; may be repeated"},
    {.name = "rows",
     .value = "N",
     .count = &rows,
     .min = 2,
     .max = 1000000,
     .standard = "all",
     .help = "look at the pairs of N evenly spaced rows"},
    {0},
};

static const cli_item examples[] = {
    {"doppel-lab stress en.vectors.dpl --embedding svd --dims 25",
     "25 dimensions of latent semantic analysis"},
    {"doppel-lab stress en.vectors.dpl --embedding optimum --threshold 0.8",
     "the threshold-optimum embedding at its threshold"},
    {"doppel-lab stress en.vectors.dpl --signature rp --bits 256 --rows 2000",
     "256 bits, pairs of 2,000 rows"},
    {0},
};

static const cli_item json_keys[] = {
    {"method", "embedding or signature"},
    {"dims", "numbers of an embedded row, or bits or values of a signature"},
    {"rows", "rows of the vectors"},
    {"matrix", "svd, optimum: rows of the decomposed matrix; others were projected"},
    {"definite", "svd, optimum: the matrix was positive definite"},
    {"kept", "svd, optimum: share of the squares of the matrix that the dimensions keep"},
    {"points", "array of objects: threshold, true, returned, both, precision, recall, "
               "precision_stress, recall_stress, equal_precision"},
    CLI_MACHINE_JSON,
    {0},
};

enum { MOST_POINTS = 64 };

typedef struct result {
    dpl_vectors *vectors;
    dpl_embedding *embedding;
    dpl_signatures *signed_rows;
    dpl_embed_summary made;
    dpl_stress_point points[MOST_POINTS];
    size_t n_points;
} result;

static const char *method(void)
{
    return signature ? signatures[signature] : dpl_embed_method_name(embed.embedding);
}

static bool is_matrix(const result *r)
{
    return r->embedding && r->made.n_dense > 0;
}

static unsigned dims(const result *r)
{
    return r->embedding ? dpl_embedding_dims(r->embedding)
                        : dpl_signatures_get_sizes(r->signed_rows)->length;
}

/* ---- what comes out ----------------------------------------------------------------- */

static void print_json(const result *r, const dpl_ctx *ctx)
{
    dpl_json j = cli_summary_begin(false);
    dpl_json_cstr(&j, "method", method());
    dpl_json_number(&j, "dims", dims(r));
    dpl_json_number(&j, "rows", dpl_vectors_get_sizes(r->vectors)->n_rows);
    if (is_matrix(r)) {
        dpl_json_number(&j, "matrix", r->made.n_dense);
        dpl_json_bool(&j, "definite", r->made.is_definite);
        dpl_json_real(&j, "kept", r->made.kept);
    }
    dpl_json_begin(&j, "points", '[');
    for (size_t i = 0; i < r->n_points; i++) {
        const dpl_stress_point *p = &r->points[i];
        dpl_json_begin(&j, NULL, '{');
        dpl_json_real(&j, "threshold", p->threshold);
        dpl_json_number(&j, "true", p->n_true);
        dpl_json_number(&j, "returned", p->n_returned);
        dpl_json_number(&j, "both", p->n_both);
        dpl_json_real(&j, "precision", p->precision);
        dpl_json_real(&j, "recall", p->recall);
        dpl_json_real(&j, "precision_stress", p->precision_stress);
        dpl_json_real(&j, "recall_stress", p->recall_stress);
        dpl_json_real(&j, "equal_precision", p->equal_precision);
        dpl_json_end(&j, '}');
    }
    dpl_json_end(&j, ']');
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
}

static void print_text(const result *r)
{
    char remark[200], number[32];
    cli_print_row("method", method(), "");
    cli_print_count("dims", dims(r), "");
    cli_print_count("rows", dpl_vectors_get_sizes(r->vectors)->n_rows, "");
    if (is_matrix(r)) {
        snprintf(remark, sizeof remark, "%s, %.1f %% of its squares kept%s",
                 r->made.is_definite ? "positive definite"
                                     : "not positive definite: the nearest semidefinite one",
                 100 * r->made.kept,
                 r->made.n_dense < r->made.n_rows ? "; other rows are projected" : "");
        cli_print_row("matrix", cli_grouped(number, r->made.n_dense), remark);
    }
    cli_print(
        "\n  threshold  precision stress  recall stress  precision   recall  at equal size"
        "     true pairs\n");
    for (size_t i = 0; i < r->n_points; i++) {
        const dpl_stress_point *p = &r->points[i];
        cli_print("  %9.2f  %16.4f  %13.4f  %9.4f  %7.4f  %13.4f  %13s\n", p->threshold,
                  p->precision_stress, p->recall_stress, p->precision, p->recall,
                  p->equal_precision, cli_grouped(number, p->n_true));
    }
}

/* ---- the work ----------------------------------------------------------------------- */

static int set_points(result *r)
{
    static const double standard[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
    for (size_t i = 0; i < thresholds.n; i++) {
        double t;
        if (!dpl_parse_real(&t, thresholds.at[i]) || t < 0 || t > 1) {
            cli_error("bad value '%s' for --threshold: expected a number from 0 to 1",
                      thresholds.at[i]);
            return CLI_USAGE;
        }
        r->points[r->n_points++].threshold = t;
    }
    for (size_t i = 0; thresholds.n == 0 && i < sizeof standard / sizeof *standard; i++)
        r->points[r->n_points++].threshold = standard[i];
    return CLI_DONE;
}

static dpl_status measure(result *r, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    DPL_TRY(dpl_vectors_open(&r->vectors, ctx, path, err));
    if (signature) {
        DPL_TRY(dpl_option_parse(&sign, dpl_option_table_of("sign"), "method",
                                 signatures[signature], err));
        DPL_TRY(dpl_signatures_make(&r->signed_rows, ctx, r->vectors, &sign, err));
    } else {
        DPL_TRY(dpl_embed(&r->embedding, &r->made, ctx, r->vectors, &embed, err));
    }
    dpl_stress_input in = DPL_INIT(dpl_stress_input);
    in.vectors = r->vectors;
    in.embedding = r->embedding;
    in.signatures = r->signed_rows;
    in.sample = rows;
    return dpl_eval_stress_run(r->points, r->n_points, ctx, &in, err);
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    (void)n_args, (void)user;
    dpl_error err = {0};
    result r = {.made = DPL_INIT(dpl_embed_summary)};
    int code = set_points(&r);
    if (code != CLI_DONE)
        return code;
    if (measure(&r, ctx, args[0], &err) != DPL_OK)
        code = cli_fail_or_stop(&err);
    else if (cli_set.json)
        print_json(&r, ctx);
    else
        print_text(&r);
    dpl_embedding_free(r.embedding);
    dpl_signatures_close(r.signed_rows);
    dpl_vectors_close(r.vectors);
    return code;
}

const cli_command lab_stress = {
    .name = "stress",
    .summary = "measure the cosine error of embeddings and signatures",
    .synopsis = "V.dpl",
    .about =
        "Embed the rows of V.dpl (made by 'doppel vectors') in a few dimensions, or sign "
        "them, and compare the similarities of all pairs of rows with their cosines. At a "
        "threshold T, with c the cosine of a pair and e its similarity in the embedding:"
        "\n"
        "\n"
        "    precision stress = sum of (c - e)^2 / sum of c^2, over pairs with e > T\n"
        "    recall stress    = the same over pairs with c > T\n"
        "    precision        = share of c > T among pairs with e > T\n"
        "    recall           = share of e > T among pairs with c > T\n"
        "    at equal size    = share of c > T among as many pairs of the highest e as "
        "have c > T"
        "\n"
        "\n"
        "svd: latent semantic analysis, the best approximation of all cosines of that many "
        "dimensions. optimum: the best approximation of cosines moved to 1 above "
        "--optimum-threshold and to --optimum-floor below; e > 0.5 takes the place of e > "
        "T in precision and recall. fuzzy: deviations of prefix classes. pstable: Gaussian "
        "projections. svd and optimum decompose a dense matrix; of more rows than "
        "--matrix a sample is decomposed, and all rows are projected.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-vectors(1), doppel-hash(1), doppel-sign(1)",
    .argument = "vectors",
    .min_args = 1,
    .max_args = 1,
    .complete = CLI_FILES,
    .work = run,
};
