/*
 * lexicon.c - how fast and how well are words aligned?
 *
 *     build/bench/lexicon --data DIR --work DIR [--rounds N] [--eflomal PROGRAM] [--smoke]
 *
 * Speed: 174,000 pairs of German and English captions, made from the 29,000 of Multi30k (each
 * beside its own and the next five), through Model 1 alone and the whole default training.
 * Rounds go through all rows in turn; the fastest is printed, and the results must be the same
 * bits.
 *
 * Quality: models trained on news, talks, short sentences and the gold rows themselves (text
 * only), and the alignment error rate of the gold rows, by ways to make one alignment of two
 * directions; beside eflomal, if there is one, on the same rows, symmetrised by us. Then again
 * with less memory than the links need. Then as a user has it: files of plain text become a
 * lexicon, which aligns the gold rows as they were cut into words; also with fewer links, and
 * trained on one half of the text, then on the other.
 */
#include "doppel/doppel.h"

#include "lexicon/corpus_links.h"
#include "lexicon/train_model.h"
#include "parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PATH_MOST = 4096, MIB = 1 << 20, MOST_SETS = 2 };

typedef struct settings {
    const char *data, *work, *eflomal;
    unsigned n_rounds;
    bool is_smoke;
} settings;

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static dpl_status make_ctx(dpl_ctx **out, unsigned n_threads, dpl_error *err)
{
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = n_threads);
    return dpl_ctx_new(out, &o, err);
}

/* ---- speed -------------------------------------------------------------------------- */

typedef struct timing {
    const char *name;
    unsigned n_threads;
    bool is_links; /* only these */
    dpl__model_options options;
    double goal; /* wall */
    double core, wall;
    uint64_t peak;
    unsigned n_blocks;
    uint64_t sum; /* of the model's bits */
} timing;

static timing rows[] = {
    {"links", 1, .is_links = true},
    {"links", 2, .is_links = true},
    {"Model 1, 5 iterations", 1, .options.no_hmm = true},
    {"Model 1, 5 iterations", 2, .options.no_hmm = true, .goal = 2},
    {"all: Model 1 x 5, HMM x 5", 1, .goal = 0},
    {"all: Model 1 x 5, HMM x 5", 2, .goal = 20},
    {"all, 112 MiB for links and cells", 2, .options.memory = (uint64_t)112 * MIB},
};

static uint64_t sum_of(const dpl__wordmodel *m)
{
    uint64_t sum = 0;
    for (uint64_t k = 0; k < m->n_links; k++) {
        uint32_t bits[2];
        memcpy(bits, &m->links[k], sizeof bits);
        sum = sum * 31 + bits[0] + ((uint64_t)bits[1] << 32);
    }
    return sum;
}

static dpl_status run_row(timing *r, const dpl__encoded *corpus, dpl_error *err)
{
    dpl_ctx *ctx = NULL;
    DPL_TRY(make_ctx(&ctx, r->n_threads, err));
    double wall = seconds(CLOCK_MONOTONIC), core = seconds(CLOCK_PROCESS_CPUTIME_ID);
    dpl__wordmodel model;
    dpl__model_summary summary = {0};
    dpl_status status;
    if (r->is_links) {
        dpl__links_options o = {
            .max_tokens = 200, .max_links = UINT32_MAX, .max_occurrences = UINT32_MAX};
        status = dpl__links_find(&model, &summary.n_dropped, ctx, corpus, &o, err);
    } else {
        status = dpl__train_model(&model, &summary, ctx, corpus, &r->options, err);
    }
    wall = seconds(CLOCK_MONOTONIC) - wall;
    core = seconds(CLOCK_PROCESS_CPUTIME_ID) - core;
    if (status == DPL_OK) {
        r->wall = r->wall > 0 && r->wall < wall ? r->wall : wall;
        r->core = r->core > 0 && r->core < core ? r->core : core;
        r->peak = dpl_ctx_peak(ctx);
        r->n_blocks = summary.n_blocks;
        r->sum = sum_of(&model);
        dpl__wordmodel_clear(&model);
    }
    dpl_ctx_free(ctx);
    return status;
}

static void print_row(size_t i)
{
    const timing *r = &rows[i];
    printf("  %-34s %7u %8.2f %8.2f %9.0f %7u", r->name, r->n_threads, r->core, r->wall,
           (double)r->peak / MIB, r->n_blocks);
    if (r->goal > 0)
        printf("  goal %.0f s %s", r->goal, r->wall <= r->goal ? "met" : "MISSED");
    if (i > 0 && rows[i - 1].n_threads < r->n_threads)
        printf("  %s", r->sum == rows[i - 1].sum ? "same bits" : "OTHER BITS");
    putchar('\n');
}

static dpl_status measure(const dpl__encoded *corpus, const settings *s, dpl_error *err)
{
    const uint64_t *begin[2] = {corpus->side[0].begin, corpus->side[1].begin};
    printf("\n%zu pairs, %.2f / %.2f million tokens, %u / %u words; %u rounds\n",
           corpus->n_rows, (double)begin[0][corpus->n_rows] * 1e-6,
           (double)begin[1][corpus->n_rows] * 1e-6, corpus->side[0].n_words,
           corpus->side[1].n_words, s->n_rounds);
    for (unsigned round = 0; round < s->n_rounds; round++)
        for (size_t i = 0; i < DPL_LEN(rows); i++)
            DPL_TRY(run_row(&rows[i], corpus, err));
    printf("  %-34s %7s %8s %8s %9s %7s\n", "", "threads", "core s", "wall s", "peak MiB",
           "blocks");
    for (size_t i = 0; i < DPL_LEN(rows); i++)
        print_row(i);
    return DPL_OK;
}

static dpl_status captions(dpl_ctx *ctx, const settings *s, dpl_error *err)
{
    parallel p = {.ctx = ctx};
    char path[PATH_MOST];
    snprintf(path, sizeof path, "%s/parallel/multi30k.train.tsv.zst", s->data);
    dpl_status status = parallel_add_file(&p, path, 1, 0, false, err);
    size_t n_rows = p.begin[0].n ? p.begin[0].n - 1 : 0;
    for (size_t by = 1; by <= 5 && status == DPL_OK; by++)
        status = parallel_add_shifted(&p, n_rows, by, err);
    dpl__encoded corpus;
    if (status == DPL_OK)
        status = parallel_corpus(&corpus, &p, err);
    if (status == DPL_OK)
        status = measure(&corpus, s, err);
    parallel_clear(&p);
    return status;
}

/* ---- quality ------------------------------------------------------------------------ */

typedef struct source {
    const char *file;
    unsigned left, right; /* columns */
    bool is_tokenized;
} source;

typedef struct gold_set {
    const char *file;
    double goal;
} gold_set;

typedef struct task {
    const char *name;
    source sources[8];
    gold_set sets[MOST_SETS];
} task;

static const task tasks[] = {
    {"de-en: news 2008-2022, TED, Tatoeba, 10k sample, gold rows",
     {{"newstest2008-2013.en-de-fr-es-cs", 3, 2, false},
      {"newstest2014-2022.en-de", 3, 2, false},
      {"iwslt17-ted.validation.en-de", 1, 0, false},
      {"iwslt17-ted.test.en-de", 1, 0, false},
      {"tatoeba.en-de", 1, 0, false},
      {"wmt15-sample10k.tok.en-de", 1, 0, true}},
     {{"europarl100.de-en", 0.165}, {"smultron-banana.de-en", 0.225}}},
    {"en-fr: news 2008-2014, Tatoeba, gold rows",
     {{"newstest2008-2013.en-de-fr-es-cs", 2, 4, false},
      {"newstest2014.en-fr", 2, 3, false},
      {"tatoeba.en-fr", 0, 1, false}},
     {{"hansards447.en-fr", 0.095}}},
    {"ro-en: gold rows only", {{0}}, {{"roen248.ro-en", 0}}},
};

typedef struct scorer {
    const parallel *p;
    score scores[MOST_SETS];
} scorer;

static dpl_status take(void *user, size_t number, const dpl__row_link *links, size_t n,
                       dpl_error *err)
{
    (void)err;
    scorer *s = user;
    parallel_score(s->scores, s->p, number, links, n);
    return DPL_OK;
}

static void print_scores(const char *name, const scorer *s, const task *t)
{
    printf("  %-34s", name);
    for (size_t i = 0; i < MOST_SETS && t->sets[i].file; i++) {
        const score *x = &s->scores[i];
        printf("  %6.4f  %5.3f %5.3f %-7s", score_aer(x), x->n_right / x->n_links,
               x->n_sure_right / x->n_sure,
               t->sets[i].goal > 0 && score_aer(x) <= t->sets[i].goal ? "(goal)" : "");
    }
    putchar('\n');
}

/* The gold rows alone: nothing else is scored. */
static dpl__encoded gold_rows(const dpl__encoded *corpus, const parallel *p)
{
    dpl__encoded gold = *corpus;
    size_t first = p->gold.data[0].row;
    gold.n_rows -= first;
    for (int side = 0; side < 2; side++)
        gold.side[side].begin += first;
    return gold;
}

static dpl_status take_gold(void *user, size_t number, const dpl__row_link *links, size_t n,
                            dpl_error *err)
{
    scorer *s = user;
    return take(user, number + s->p->gold.data[0].row, links, n, err);
}

static dpl_status score_model(const dpl__wordmodel *model, const dpl__encoded *corpus,
                              const parallel *p, const task *t, const char *name,
                              const dpl__align_rows_options *options, dpl_error *err)
{
    scorer s = {.p = p};
    dpl__encoded gold = gold_rows(corpus, p);
    dpl__row_links_sink to = {take_gold, &s};
    DPL_TRY(dpl__align_rows(p->ctx, model, &gold, options, &to, err));
    print_scores(name, &s, t);
    return DPL_OK;
}

static dpl_status score_ways(const dpl__wordmodel *model, const dpl__encoded *corpus,
                             const parallel *p, const task *t, dpl_error *err)
{
    static const struct {
        const char *name;
        dpl__align_rows_options options;
    } ways[] = {
        {"mean posterior above 0.5", {0}},
        {"intersection", {DPL__ALIGN_SYMMETRIZE, DPL__SYMMETRY_INTERSECTION, 0, 0}},
        {"grow-diag-final-and",
         {DPL__ALIGN_SYMMETRIZE, DPL__SYMMETRY_GROW_DIAG_FINAL_AND, 0, 0}},
        {"union", {DPL__ALIGN_SYMMETRIZE, DPL__SYMMETRY_UNION, 0, 0}},
    };
    for (size_t i = 0; i < DPL_LEN(ways); i++)
        DPL_TRY(score_model(model, corpus, p, t, ways[i].name, &ways[i].options, err));
    return DPL_OK;
}

static dpl_status train_and_score(const dpl__encoded *corpus, const parallel *p, const task *t,
                                  uint64_t memory, uint64_t *n_links, dpl_error *err)
{
    dpl__wordmodel model;
    dpl__model_summary summary;
    dpl__model_options o = {.memory = memory};
    double wall = seconds(CLOCK_MONOTONIC), core = seconds(CLOCK_PROCESS_CPUTIME_ID);
    DPL_TRY(dpl__train_model(&model, &summary, p->ctx, corpus, &o, err));
    wall = seconds(CLOCK_MONOTONIC) - wall;
    core = seconds(CLOCK_PROCESS_CPUTIME_ID) - core;
    dpl_status status = DPL_OK;
    if (memory == 0) {
        printf(
            "  trained on %llu rows, %.1f million cells, %.2f million links: %.1f s core, %.1f "
            "s wall, %u threads\n",
            (unsigned long long)summary.n_rows, (double)summary.n_cells * 1e-6,
            (double)model.n_links * 1e-6, core, wall, dpl_ctx_threads(p->ctx));
        status = score_ways(&model, corpus, p, t, err);
    } else {
        char name[100];
        snprintf(name, sizeof name, "%llu MiB: %.0f%% of links, %u blocks",
                 (unsigned long long)(memory / MIB),
                 100 * (double)model.n_links / (double)(model.n_links + summary.n_dropped),
                 summary.n_blocks);
        status = score_model(&model, corpus, p, t, name, NULL, err);
    }
    *n_links = model.n_links;
    dpl__wordmodel_clear(&model);
    return status;
}

/* ---- a peer ------------------------------------------------------------------------- */

static dpl_status write_text(const char *path, const parallel *p, int side, dpl_error *err)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return dpl__fail_errno(err, errno, "cannot write '%s'", path);
    for (size_t row = 0; row + 1 < p->begin[side].n; row++)
        for (uint64_t k = p->begin[side].data[row]; k < p->begin[side].data[row + 1]; k++) {
            dpl_str word = parallel_word(p, side, p->tokens[side].data[k]);
            fprintf(f, "%.*s%c", (int)word.n, word.data,
                    k + 1 < p->begin[side].data[row + 1] ? ' ' : '\n');
        }
    return fclose(f) == 0 ? DPL_OK : dpl__fail_errno(err, errno, "cannot write '%s'", path);
}

/* A line of links "i-j ...": of each word of a side, its counterpart. */
static bool read_links(FILE *f, uint32_t *out, size_t n, int side)
{
    char line[20000];
    if (!fgets(line, sizeof line, f))
        return false;
    for (size_t i = 0; i < n; i++)
        out[i] = DPL__UNALIGNED;
    char *at = line, *end;
    for (;; at = end) {
        unsigned long left = strtoul(at, &end, 10);
        if (end == at || *end != '-')
            return true;
        unsigned long right = strtoul(end + 1, &end, 10);
        if (side == DPL__RIGHT && right < n)
            out[right] = (uint32_t)left;
        else if (side == DPL__LEFT && left < n)
            out[left] = (uint32_t)right;
    }
}

enum { LONGEST = 1000 };

static dpl_status score_files(FILE *files[2], const dpl__encoded *corpus, const parallel *p,
                              const task *t, dpl__symmetry how, const char *name,
                              dpl_error *err)
{
    static uint8_t matrix[LONGEST * LONGEST], taken[2 * LONGEST];
    static uint32_t left_of[LONGEST], right_of[LONGEST];
    static dpl__row_link links[LONGEST * LONGEST];
    scorer s = {.p = p};
    rewind(files[0]);
    rewind(files[1]);
    for (size_t number = 0; number < corpus->n_rows; number++) {
        size_t n_left = dpl__encoded_length(corpus, DPL__LEFT, number),
               n_right = dpl__encoded_length(corpus, DPL__RIGHT, number), n = 0;
        n_left = dpl__min(n_left, LONGEST);
        n_right = dpl__min(n_right, LONGEST);
        if (!read_links(files[0], left_of, n_right, DPL__RIGHT) ||
            !read_links(files[1], right_of, n_left, DPL__LEFT))
            return dpl__fail(err, DPL_E_FORMAT, "fewer alignments than rows");
        dpl__directions both = {left_of, n_right, right_of, n_left};
        dpl__symmetrize(matrix, taken, how, &both);
        for (size_t k = 0; k < n_left * n_right; k++)
            if (matrix[k])
                links[n++] = (dpl__row_link){(uint16_t)(k / n_right), (uint16_t)(k % n_right)};
        DPL_TRY(take(&s, number, links, n, err));
    }
    print_scores(name, &s, t);
    return DPL_OK;
}

static dpl_status peer(const dpl__encoded *corpus, const parallel *p, const task *t,
                       const settings *s, dpl_error *err)
{
    static const char *const names[4] = {"left.txt", "right.txt", "forward.txt", "reverse.txt"};
    char paths[4][PATH_MOST], command[6 * PATH_MOST];
    for (size_t i = 0; i < 4; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%s", s->work, names[i]);
    DPL_TRY(write_text(paths[0], p, DPL__LEFT, err));
    DPL_TRY(write_text(paths[1], p, DPL__RIGHT, err));
    snprintf(command, sizeof command, "'%s' --overwrite -s '%s' -t '%s' -f '%s' -r '%s'",
             s->eflomal, paths[0], paths[1], paths[2], paths[3]);
    double wall = seconds(CLOCK_MONOTONIC);
    if (system(command) != 0)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' failed", s->eflomal);
    printf("  eflomal, its defaults: %.1f s wall\n", seconds(CLOCK_MONOTONIC) - wall);
    FILE *files[2] = {fopen(paths[2], "r"), fopen(paths[3], "r")};
    dpl_status status = files[0] && files[1] ? DPL_OK : dpl__fail(err, DPL_E_IO, "no output");
    if (status == DPL_OK)
        status = score_files(files, corpus, p, t, DPL__SYMMETRY_INTERSECTION,
                             "eflomal, intersection", err);
    if (status == DPL_OK)
        status = score_files(files, corpus, p, t, DPL__SYMMETRY_GROW_DIAG_FINAL_AND,
                             "eflomal, grow-diag-final-and", err);
    for (int i = 0; i < 2; i++)
        if (files[i])
            fclose(files[i]);
    return status;
}

/* ---- files -------------------------------------------------------------------------- */

/* Rows of a file of the data, from the first-th on, every step-th. */
typedef struct piece {
    const char *path;
    unsigned columns[2];
    size_t first, step;
} piece;

static dpl_status copy_rows(FILE *to, dpl_ctx *ctx, const piece *x, dpl_error *err)
{
    dpl_bitext_options o =
        DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_TSV, .left_column = x->columns[0] + 1,
                 .right_column = x->columns[1] + 1);
    dpl_bitext *reader = NULL;
    dpl_bitext_row row;
    dpl_status status = dpl_bitext_open(&reader, ctx, &x->path, 1, &o, err);
    for (size_t i = 0; status == DPL_OK; i++) {
        status = dpl_bitext_next(reader, &row, err);
        if (status == DPL_OK && i % x->step == x->first)
            fprintf(to, "%.*s\t%.*s\n", (int)row.left.n, row.left.data, (int)row.right.n,
                    row.right.data);
    }
    dpl_bitext_close(reader);
    return status == DPL_END ? DPL_OK : status;
}

/* The text of all sources, or one half of it, and the gold rows. */
static dpl_status write_task(const char *path, dpl_ctx *ctx, const task *t, const settings *s,
                             size_t first, size_t step, bool has_sources, dpl_error *err)
{
    char from[PATH_MOST];
    FILE *f = fopen(path, "w");
    if (!f)
        return dpl__fail_errno(err, errno, "cannot write '%s'", path);
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < DPL_LEN(t->sources) && t->sources[i].file && has_sources; i++) {
        snprintf(from, sizeof from, "%s/parallel/%s.tsv.zst", s->data, t->sources[i].file);
        piece x = {from, {t->sources[i].left, t->sources[i].right}, first, step};
        status = status == DPL_OK ? copy_rows(f, ctx, &x, err) : status;
    }
    for (size_t i = 0; i < MOST_SETS && t->sets[i].file && first == 0; i++) {
        snprintf(from, sizeof from, "%s/wordalign/%s.tsv", s->data, t->sets[i].file);
        piece x = {from, {0, 1}, 0, 1};
        status = status == DPL_OK ? copy_rows(f, ctx, &x, err) : status;
    }
    return fclose(f) == 0 || status != DPL_OK
               ? status
               : dpl__fail_errno(err, errno, "cannot write '%s'", path);
}

/* Rows come in the order of the gold rows. */
static dpl_status take_row(void *user, const dpl_aligned_row *row, dpl_error *err)
{
    static dpl__row_link links[LONGEST * LONGEST];
    scorer *s = user;
    for (size_t i = 0; i < row->n_links; i++)
        links[i] = (dpl__row_link){(uint16_t)row->links[i].left, (uint16_t)row->links[i].right};
    return take(user, s->p->gold.data[row->row].row, links, row->n_links, err);
}

static dpl_status score_file(const char *lexicon, const char *gold, const parallel *p,
                             const task *t, const char *label, bool all_ways, dpl_error *err)
{
    dpl_lexicon *l = NULL;
    dpl_status status = dpl_lexicon_open(&l, p->ctx, lexicon, NULL, err);
    for (int way = 0; status == DPL_OK && dpl_symmetry_get_info((dpl_symmetry)way); way++) {
        scorer s = {.p = p};
        char name[100];
        dpl_align_options o = DPL_INIT(
            dpl_align_options,
            .read = &(dpl_bitext_options)DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_TSV),
            .pretokenized = true, .symmetrize = (dpl_symmetry)way);
        dpl_align_input in = DPL_INIT(dpl_align_input, .lexicon = l, .paths = &gold,
                                      .n_paths = 1, .take = take_row, .user = &s);
        status = dpl_lexicon_align(NULL, p->ctx, &in, &o, err);
        snprintf(name, sizeof name, "%s%s%s", label, all_ways ? ", " : "",
                 all_ways ? dpl_symmetry_get_info(o.symmetrize)->name : "");
        if (status == DPL_OK)
            print_scores(name, &s, t);
        if (!all_ways)
            break;
    }
    dpl_lexicon_close(l);
    return status;
}

static dpl_status files(const parallel *p, const task *t, const settings *s, dpl_error *err)
{
    static const double min_links[] = {-1, 0, 0.01, 1};
    char text[PATH_MOST], gold[PATH_MOST], out[PATH_MOST], first[PATH_MOST], name[100];
    snprintf(text, sizeof text, "%s/text.tsv", s->work);
    snprintf(gold, sizeof gold, "%s/gold.tsv", s->work);
    snprintf(out, sizeof out, "%s/lexicon.dpl", s->work);
    snprintf(first, sizeof first, "%s/first.dpl", s->work);
    const char *paths[] = {text};
    dpl_lexicon_sizes sizes = DPL_INIT(dpl_lexicon_sizes);
    dpl_train_summary x = DPL_INIT(dpl_train_summary, .sizes = &sizes);
    dpl_bitext_options read = DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_TSV,
                                       .left_lang = (char[]){t->name[0], t->name[1], 0},
                                       .right_lang = (char[]){t->name[3], t->name[4], 0});
    dpl_train_options o = DPL_INIT(dpl_train_options, .read = &read);
    DPL_TRY(write_task(gold, p->ctx, t, s, 0, 1, false, err));
    DPL_TRY(write_task(text, p->ctx, t, s, 0, 1, true, err));
    for (size_t i = 0; i < DPL_LEN(min_links); i++) {
        o.min_link = min_links[i];
        double core = seconds(CLOCK_PROCESS_CPUTIME_ID);
        DPL_TRY(dpl_lexicon_train(&x, p->ctx, out, paths, 1, &o, err));
        core = seconds(CLOCK_PROCESS_CPUTIME_ID) - core;
        if (min_links[i] == 0)
            printf(
                "  files of plain text: %.1f s core, %.1f s wall; gold rows as they were cut\n",
                core, x.seconds);
        snprintf(name, sizeof name, "%.1f MB, %.2f million links",
                 (double)x.n_output_bytes * 1e-6, (double)sizes.n_links * 1e-6);
        DPL_TRY(score_file(out, gold, p, t, min_links[i] == 0 ? "default" : name,
                           min_links[i] == 0, err));
    }
    o.min_link = 0;
    DPL_TRY(write_task(text, p->ctx, t, s, 1, 2, true, err));
    DPL_TRY(dpl_lexicon_train(&x, p->ctx, first, paths, 1, &o, err));
    DPL_TRY(score_file(first, gold, p, t, "one half of the text", false, err));
    DPL_TRY(write_task(text, p->ctx, t, s, 0, 2, true, err));
    o.lexicon = first;
    DPL_TRY(dpl_lexicon_train(&x, p->ctx, out, paths, 1, &o, err));
    return score_file(out, gold, p, t, "then on the other, with gold", false, err);
}

/* ---- a task ------------------------------------------------------------------------- */

static dpl_status read_task(parallel *p, const task *t, const settings *s, dpl_error *err)
{
    char path[PATH_MOST];
    for (size_t i = 0; i < DPL_LEN(t->sources) && t->sources[i].file; i++) {
        const source *x = &t->sources[i];
        snprintf(path, sizeof path, "%s/parallel/%s.tsv.zst", s->data, x->file);
        DPL_TRY(parallel_add_file(p, path, x->left, x->right, x->is_tokenized, err));
    }
    for (unsigned i = 0; i < MOST_SETS && t->sets[i].file; i++) {
        snprintf(path, sizeof path, "%s/wordalign/%s.tsv", s->data, t->sets[i].file);
        DPL_TRY(parallel_add_gold(p, path, i, err));
    }
    return DPL_OK;
}

static dpl_status score_task(const dpl__encoded *corpus, const parallel *p, const task *t,
                             const settings *s, dpl_error *err)
{
    printf("\n%s\n", t->name);
    for (size_t i = 0; i < MOST_SETS && t->sets[i].file; i++) {
        printf(i ? "  " : "  %-34s  ", "");
        printf("%-30s", t->sets[i].file);
    }
    printf("\n  %-34s", "");
    for (size_t i = 0; i < MOST_SETS && t->sets[i].file; i++)
        printf("  %6s  %5s %5s %-7s", "AER", "prec.", "rec.", "");
    putchar('\n');
    uint64_t n_links, n_rest;
    DPL_TRY(train_and_score(corpus, p, t, 0, &n_links, err));
    if (s->eflomal) {
        dpl_status status = peer(corpus, p, t, s, err);
        if (status == DPL_E_UNSUPPORTED)
            printf("  %s\n", err->text);
        else if (status != DPL_OK)
            return status;
    }
    for (unsigned part = 2; part <= 8 && n_links > 100000; part *= 2)
        DPL_TRY(train_and_score(corpus, p, t, n_links * 24 * 4 / 3 / part, &n_rest, err));
    return t->sources[0].file ? files(p, t, s, err) : DPL_OK;
}

static dpl_status run_task(dpl_ctx *ctx, const task *t, const settings *s, dpl_error *err)
{
    parallel p = {.ctx = ctx};
    dpl__encoded corpus;
    dpl_status status = read_task(&p, t, s, err);
    if (status == DPL_OK)
        status = parallel_corpus(&corpus, &p, err);
    if (status == DPL_OK)
        status = score_task(&corpus, &p, t, s, err);
    parallel_clear(&p);
    return status;
}

/* ---- the run ------------------------------------------------------------------------ */

/* A made-up language in which words are numbers in another base, for a quick look. */
static dpl_status smoke(dpl_ctx *ctx, const settings *s, dpl_error *err)
{
    static const task made_up = {"made up", {{0}}, {{"numbers", 0.1}}};
    parallel p = {.ctx = ctx};
    dpl__encoded corpus;
    dpl_status status = DPL_OK;
    for (unsigned row = 0; row < 300 && status == DPL_OK; row++) {
        char left[200] = "", right[200] = "";
        size_t n = 0, m = 0;
        for (unsigned k = 0; k < 3 + row % 5; k++) {
            unsigned word = (row * (k + 3) + k * k) % 40;
            n += (size_t)snprintf(left + n, sizeof left - n, "l%u ", word);
            m += (size_t)snprintf(right + m, sizeof right - m, "r%o ", word);
        }
        status = parallel_add_row(&p, (dpl_str){left, n}, (dpl_str){right, m}, err);
        gold_row gold = {row, p.links.n, p.links.n + 3 + row % 5, 0};
        for (uint32_t k = 0; k < 3 + row % 5 && status == DPL_OK; k++)
            if (!dpl__vec_push(ctx, &p.links, ((gold_link){k, k, true})))
                status = dpl__fail_nomem(err);
        if (status == DPL_OK && !dpl__vec_push(ctx, &p.gold, gold))
            status = dpl__fail_nomem(err);
    }
    if (status == DPL_OK)
        status = parallel_corpus(&corpus, &p, err);
    if (status == DPL_OK)
        status = measure(&corpus, s, err);
    if (status == DPL_OK)
        status = score_task(&corpus, &p, &made_up, s, err);
    parallel_clear(&p);
    return status;
}

static dpl_status run(const settings *s, dpl_ctx *ctx, dpl_error *err)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("%s; %s\n", dpl_compiler(), dpl_cpu_name(dpl_cpu_best()));
    if (s->is_smoke)
        return smoke(ctx, s, err);
    if (!s->eflomal)
        printf("no eflomal to compare with\n");
    dpl_status status = captions(ctx, s, err);
    for (size_t i = 0; i < DPL_LEN(tasks) && (status == DPL_OK || status == DPL_E_UNSUPPORTED);
         i++) {
        if (status == DPL_E_UNSUPPORTED)
            printf("  %s\n", err->text);
        status = run_task(ctx, &tasks[i], s, err);
    }
    if (status == DPL_E_UNSUPPORTED)
        printf("  %s\n", err->text);
    return status == DPL_E_UNSUPPORTED ? DPL_OK : status;
}

static bool read_settings(settings *s, int argc, char **argv)
{
    *s = (settings){.data = "../shared/data", .n_rounds = 3};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--smoke") == 0) {
            s->is_smoke = true;
            s->n_rounds = 1;
            continue;
        }
        if (!value)
            return false;
        if (strcmp(argv[i], "--data") == 0)
            s->data = value;
        else if (strcmp(argv[i], "--work") == 0)
            s->work = value;
        else if (strcmp(argv[i], "--eflomal") == 0)
            s->eflomal = value;
        else if (strcmp(argv[i], "--rounds") == 0)
            s->n_rounds = (unsigned)atoi(value);
        else
            return false;
        i++;
    }
    return s->work && s->n_rounds >= 1;
}

int main(int argc, char **argv)
{
    settings s;
    dpl_error err = {0};
    dpl_ctx *ctx = NULL;
    if (!read_settings(&s, argc, argv)) {
        fprintf(stderr, "usage: lexicon --work DIR [--data DIR] [--rounds N] "
                        "[--eflomal PROGRAM] [--smoke]\n");
        return 2;
    }
    dpl_status status = make_ctx(&ctx, 2, &err);
    if (status == DPL_OK)
        status = run(&s, ctx, &err);
    dpl_ctx_free(ctx);
    if (status != DPL_OK)
        fprintf(stderr, "lexicon: %s\n", err.text);
    return status != DPL_OK;
}
