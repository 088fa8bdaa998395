/*
 * pocket_figure_1.c - size of a pocket index, and precision and recall of its answers (Potthast
 * 2007, Figure 1).
 *
 * Three indexes of the collection: the paper's (fuzzy-fingerprints, codes alone), the default
 * one (hyperplanes with near codes, postings, vectors), and the default one without what the
 * paper's has not. Sizes are those of their parts; documents of the collection ask for their
 * neighbours, and what the codes find is compared with all neighbours at or above a similarity.
 */
#include "lab/experiment.h"
#include "lab/experiments.h"

#include "base/ctx.h"
#include "base/hash.h"

#include <math.h>
#include <stdio.h>

enum { BINS = 20, MOST_QUERIES = 500, TOP = 10000 };

/* Least cosine of a true neighbour; candidates of less similarity count for precision. */
static const double least = 0.1, anything = 0.001;

enum { PAPERS = 0, SMALL, FULL, INDEXES };
static const struct kind {
    const char *name, *about;
    bool is_fuzzy, is_bare;
} kinds[INDEXES] = {
    {"codes, fuzzy", "fuzzy-fingerprints, 3 codes; codes, names, vocabulary", true, true},
    {"codes, rp", "hyperplanes, 4 codes; codes, names, vocabulary", false, true},
    {"full", "hyperplanes, 4 codes; also vectors and postings", false, false},
};

/* A way to ask. */
enum { FUZZY = 0, HYPERPLANES, PROBES, POSTINGS, WAYS };
static const struct way {
    const char *name, *title;
    bool is_fuzzy;
    dpl_query_method method;
    int probes;
} ways[WAYS] = {
    {"fuzzy", "fuzzy", true, DPL_QUERY_CODES, -1},
    {"rp", "rp", false, DPL_QUERY_CODES, -1},
    {"rp, probes", "rp, near codes", false, DPL_QUERY_CODES, 0},
    {"auto", "postings", false, DPL_QUERY_AUTO, 0},
};

typedef uint64_t bins[BINS];

typedef struct figure {
    dpl__lab *lab;
    const dpl_collection *docs;
    bins all; /* true neighbours */
    bins found[WAYS];
    uint64_t n_results[WAYS];
    uint32_t *queries; /* drawn by the seed */
    uint32_t n_queries;
    double bytes[INDEXES]; /* of a document */
    double key_bits;       /* of the perfect hash function, paper's index */
    double hash_bytes;     /* likewise, of a document */
} figure;

static void add_bin(bins to, double similarity)
{
    const int i = (int)(similarity * BINS);
    to[i < 0 ? 0 : i < BINS ? i : BINS - 1]++;
}

static uint64_t from_bin(const bins x, size_t i)
{
    uint64_t sum = 0;
    for (; i < BINS; i++)
        sum += x[i];
    return sum;
}

/* ---- sizes ------------------------------------------------------------------------------ */

/* rp: the default; the bare index for sizes, the one with vectors and postings to ask. */
static dpl_status build(dpl_index **out, figure *f, bool is_fuzzy, bool is_bare, dpl_error *err)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/lab.pocket", f->lab->scratch);
    const dpl_hash_options fuzzy =
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY, .codes = 3);
    const dpl_index_options o =
        DPL_INIT(dpl_index_options, .hash = is_fuzzy ? &fuzzy : NULL, .no_vectors = is_bare,
                 .no_postings = is_bare, .temp = f->lab->scratch);
    const dpl_input input = {.collection = f->docs, .name = "collection"};
    *out = NULL;
    DPL_TRY(dpl_index_build(NULL, f->lab->ctx, path, &input, 1, &o, err));
    const dpl_status status = dpl_index_open(out, f->lab->ctx, path, err);
    remove(path); /* it stays mapped */
    return status;
}

static void put_part(dpl__lab_table *t, const char *index, const char *part, uint64_t n_bytes,
                     uint32_t n_docs)
{
    dpl__lab_text(t, "%s", index);
    dpl__lab_text(t, "%s", part);
    dpl__lab_count(t, n_bytes);
    dpl__lab_number(t, n_docs ? (double)n_bytes / (double)n_docs : 0, 2);
}

static void put_sizes(figure *f, dpl__lab_table *t, dpl__lab_table *keys, size_t kind,
                      const dpl_index *index)
{
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &info);
    const char *name = kinds[kind].name;
    for (size_t i = 0; i < info.n_parts; i++)
        if (info.parts[i].n_bytes)
            put_part(t, name, info.parts[i].name, info.parts[i].n_bytes, info.n_docs);
    put_part(t, name, "total", info.n_bytes, info.n_docs);
    f->bytes[kind] = info.n_docs ? (double)info.n_bytes / (double)info.n_docs : 0;
    if (kind == PAPERS && info.n_docs) {
        f->key_bits = info.bits_per_slot;
        f->hash_bytes = info.bits_per_slot / 8 * (double)info.n_slots / (double)info.n_docs;
    }
    dpl__lab_text(keys, "%s", name);
    dpl__lab_count(keys, info.n_docs);
    dpl__lab_count(keys, info.n_codes);
    dpl__lab_count(keys, info.n_slots);
    dpl__lab_number(keys, info.bits_per_slot, 2);
    dpl__lab_count(keys, info.checksum);
    dpl__lab_number(keys, f->bytes[kind], 1);
}

/* What the paper's text says: 2 million articles in 0.7 gigabytes, with the interface; 4.6
 * bytes of a document for the perfect hash function; checksums of 16 bits. */
static void put_paper(dpl__lab_table *keys)
{
    dpl__lab_text(keys, "paper");
    dpl__lab_count(keys, 2000000);
    dpl__lab_none(keys);
    dpl__lab_none(keys);
    dpl__lab_number(keys, 8 * 4.6, 1);
    dpl__lab_count(keys, 16);
    dpl__lab_number(keys, 0.7e9 / 2e6, 0);
}

static dpl_status measure_sizes(figure *f, dpl_error *err)
{
    dpl__lab_table *t =
        dpl__lab_table_new(f->lab, "parts", "index\tpart\tbytes\tbytes of a document");
    dpl__lab_table *keys = dpl__lab_table_new(
        f->lab, "sizes",
        "index\tdocuments\tcodes\tdifferent codes\tperfect hash [bits of a key]\t"
        "checksum [bits]\tbytes of a document");
    put_paper(keys);
    for (size_t kind = 0; kind < INDEXES; kind++) {
        dpl_index *index = NULL;
        DPL_TRY(build(&index, f, kinds[kind].is_fuzzy, kinds[kind].is_bare, err));
        put_sizes(f, t, keys, kind, index);
        dpl_index_close(index);
        DPL_TRY(dpl__lab_progress(f->lab, kind + 1, INDEXES + 2, err));
    }
    return DPL_OK;
}

/* ---- answers ---------------------------------------------------------------------------- */

/* All queries one way; similarities of what is found go into the bins. */
static dpl_status ask(uint64_t *to, figure *f, const dpl_index *index,
                      const dpl_query_options *options, dpl_error *err)
{
    dpl_query *query = NULL;
    dpl_query_result found = DPL_INIT(dpl_query_result);
    DPL_TRY(dpl_query_new(&query, index, options, err));
    dpl_status status = DPL_OK;
    for (uint32_t i = 0; i < f->n_queries && status == DPL_OK; i++) {
        status = dpl_query_row(query, f->queries[i], &found, err);
        for (size_t h = 0; status == DPL_OK && h < found.n_hits; h++)
            add_bin(to, (double)found.hits[h].score);
    }
    dpl_query_free(query);
    return status;
}

static dpl_status ask_ways(figure *f, bool is_fuzzy, dpl_error *err)
{
    dpl_index *index = NULL;
    DPL_TRY(build(&index, f, is_fuzzy, false, err));
    dpl_query_options o =
        DPL_INIT(dpl_query_options, .top = TOP, .threshold = least, .method = DPL_QUERY_EXACT);
    dpl_status status = is_fuzzy ? ask(f->all, f, index, &o, err) : DPL_OK;
    for (size_t i = 0; i < WAYS && status == DPL_OK; i++) {
        if (ways[i].is_fuzzy != is_fuzzy)
            continue;
        o.method = ways[i].method;
        o.probes = ways[i].probes;
        o.threshold = o.method == DPL_QUERY_AUTO ? least : anything;
        status = ask(f->found[i], f, index, &o, err);
        f->n_results[i] = from_bin(f->found[i], 0);
    }
    dpl_index_close(index);
    return status;
}

static dpl__lab_table *put_answers(const figure *f)
{
    dpl__lab_table *t = dpl__lab_table_new(
        f->lab, NULL,
        "search\tsimilarity\trecall\tprecision\tneighbours\tfound\tcandidates of a query");
    for (size_t i = 0; i < WAYS; i++)
        for (size_t b = (size_t)(least * BINS + 0.5); b < BINS; b++) {
            const uint64_t all = from_bin(f->all, b), found = from_bin(f->found[i], b);
            dpl__lab_text(t, "%s", ways[i].name);
            dpl__lab_number(t, (double)b / BINS, 2);
            if (all)
                dpl__lab_number(t, (double)found / (double)all, 4);
            else
                dpl__lab_none(t);
            if (f->n_results[i] && i != POSTINGS)
                dpl__lab_number(t, (double)found / (double)f->n_results[i], 4);
            else
                dpl__lab_none(t);
            dpl__lab_count(t, all);
            dpl__lab_count(t, found);
            dpl__lab_number(t, (double)f->n_results[i] / (double)f->n_queries, 2);
        }
    return t;
}

/* ---- the page --------------------------------------------------------------------------- */

static void draw(const figure *f, const dpl__lab_table *t)
{
    dpl__lab_curve curves[2 * WAYS];
    char titles[2 * WAYS][80];
    size_t n = 0;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < WAYS; i++) {
            if (k == 1 && i == POSTINGS)
                continue;
            snprintf(titles[n], sizeof titles[n], "%s: %s", k == 0 ? "recall" : "precision",
                     ways[i].title);
            curves[n] =
                (dpl__lab_curve){.title = titles[n],
                                 .rows = ways[i].name,
                                 .x = 2,
                                 .y = 3 + k,
                                 .colour = i + 1,
                                 .style = k == 0 ? DPL_LAB_LINES_POINTS : DPL_LAB_DASHED};
            n++;
        }
    dpl__lab_draw(f->lab, &(dpl__lab_plot){.table = t,
                                           .title = "Precision and recall of a pocket index",
                                           .x_label = "similarity",
                                           .y_label = "precision, recall",
                                           .x_min = 0.1,
                                           .x_max = 1,
                                           .y_min = 0,
                                           .y_max = 1.02,
                                           .legend = "outside right top",
                                           .curves = curves,
                                           .n_curves = n});
}

static void find(figure *f)
{
    enum { AT_05 = 10, AT_08 = 16, AT_09 = 18 };
    dpl__lab_find(
        f->lab,
        "an index as the paper's has %.1f bytes of a document; the paper's fills a CD "
        "(0.7 GB for 2 million) with its interface: 350 bytes",
        f->bytes[PAPERS]);
    dpl__lab_find(f->lab,
                  "the perfect hash function has %.2f bits of a key, %.2f bytes of a document; "
                  "the paper's 4.6 bytes of a document, %.1f times as much",
                  f->key_bits, f->hash_bytes, f->hash_bytes > 0 ? 4.6 / f->hash_bytes : 0);
    dpl__lab_find(f->lab,
                  "with hyperplanes %.1f bytes; with vectors and postings, which make "
                  "answers exact, %.1f",
                  f->bytes[SMALL], f->bytes[FULL]);
    for (size_t i = 0; i < WAYS; i++)
        if (from_bin(f->all, AT_09))
            dpl__lab_find(
                f->lab, "%s: recall at 0.5, 0.8, 0.9: %.3f, %.3f, %.3f; %.2f %s of a query",
                ways[i].title,
                (double)from_bin(f->found[i], AT_05) / (double)from_bin(f->all, AT_05),
                (double)from_bin(f->found[i], AT_08) / (double)from_bin(f->all, AT_08),
                (double)from_bin(f->found[i], AT_09) / (double)from_bin(f->all, AT_09),
                (double)f->n_results[i] / (double)f->n_queries,
                i == POSTINGS ? "answers" : "candidates");
    for (size_t kind = 0; kind < INDEXES; kind++)
        dpl__lab_note(f->lab, "index '%s': %s; checksums of 16 bits", kinds[kind].name,
                      kinds[kind].about);
    dpl__lab_note(f->lab,
                  "rp: hyperplanes; near codes: 64 that differ in uncertain bits are looked "
                  "up as well; postings: the default of a query, not part of the paper");
    dpl__lab_note(f->lab,
                  "%u documents ask for their neighbours among %u, without themselves; "
                  "neighbours are those with a cosine of %.1f or more, %d at the most. "
                  "Precision is that of candidates before they are compared; doppel "
                  "compares them, so that its answers have a precision of 1",
                  f->n_queries, dpl_collection_get_sizes(f->docs)->n_docs, least, TOP);
    dpl__lab_note(f->lab,
                  "the paper's table and curves are pictures whose numbers its text does "
                  "not give; it takes the British National Corpus as reference of its "
                  "fingerprints, we the collection itself");
}

static dpl_status draw_queries(figure *f, dpl_error *err)
{
    const uint32_t n_docs = dpl_collection_get_sizes(f->docs)->n_docs;
    const uint32_t wanted =
        (uint32_t)dpl__min(dpl__min(MOST_QUERIES, f->lab->set->sample), n_docs);
    dpl__rng rng = {dpl__mix(f->lab->ctx->seed)};
    f->queries = dpl__arena_alloc(&f->lab->arena, (wanted + 1) * sizeof *f->queries);
    DPL_TRY(dpl__need(f->queries, err));
    for (uint32_t doc = 0; doc < n_docs; doc++)
        if (dpl__rng_below(&rng, n_docs - doc) < wanted - f->n_queries)
            f->queries[f->n_queries++] = doc;
    return DPL_OK;
}

dpl_status dpl__lab_pocket_figure_1(dpl__lab *lab, dpl_error *err)
{
    figure f = {.lab = lab};
    DPL_TRY(dpl__lab_collection(&f.docs, lab, lab->n_inputs > 1, err));
    DPL_TRY(draw_queries(&f, err));
    DPL_TRY(ask_ways(&f, true, err));
    DPL_TRY(ask_ways(&f, false, err));
    const dpl__lab_table *t = put_answers(&f);
    DPL_TRY(measure_sizes(&f, err));
    find(&f);
    draw(&f, t);
    return dpl__lab_status(lab, err);
}
