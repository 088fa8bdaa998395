/*
 * sentences.c - how fast and how well are sentences aligned?
 *
 *     build/bench/sentences --data DIR --work DIR [--rounds N] [--set NAME]
 *
 * Bible: the verses that two versions share, one text for each book, one line for each verse:
 * verse i belongs to verse i. Once more with all books in one text, for the length of it, and
 * with as many verses as two novels have sentences, every seventh of them missing on the right,
 * beside the method of Gale and Church (lengths alone); goal: a second. Help pages and news:
 * pages with as many lines in both languages, split into sentences: a bead is right when its
 * two sides stand in the same lines. Pages that are in another order, such as lists of
 * functions by name, are counted apart: there, fewer than 70 of 100 beads are. One thread; the
 * fastest round counts, and all rounds must agree.
 */
#include "doppel/doppel.h"

#include "base/arena.h"
#include "base/vec.h"
#include "io/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

typedef struct settings {
    const char *data, *work, *set; /* set: only rows of it; NULL: all */
    unsigned n_rounds;
} settings;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- verses become books ------------------------------------------------------------ */

typedef struct verse {
    dpl_str id, text;
    size_t number;
} verse;

typedef struct verses {
    dpl_ctx *ctx;
    dpl__arena arena;
    DPL_VEC(verse) all;        /* by id */
    DPL_VEC(dpl_str) chapters; /* that can be trusted; none: all */
} verses;

static int by_id(const void *a, const void *b)
{
    return dpl__str_cmp(((const verse *)a)->id, ((const verse *)b)->id);
}

static int by_number(const void *a, const void *b)
{
    const verse *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_text(const void *a, const void *b)
{
    return dpl__str_cmp(*(const dpl_str *)a, *(const dpl_str *)b);
}

static void verses_clear(verses *v)
{
    dpl__vec_clear(v->ctx, &v->all, &v->chapters);
    dpl__arena_clear(&v->arena);
}

static dpl_status verses_read(verses *v, const settings *s, const char *lang, dpl_error *err)
{
    char path[PATH_MOST];
    dpl__lines lines;
    dpl_str line;
    snprintf(path, sizeof path, "%s/bible/verses.%s.tsv.zst", s->data, lang);
    dpl_status status = dpl__lines_open(&lines, v->ctx, path, err);
    while (status == DPL_OK && (status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        dpl_str copy = dpl__arena_copy(&v->arena, line);
        const char *tab = copy.data ? memchr(copy.data, '\t', copy.n) : NULL;
        if (!tab)
            continue;
        verse one = {{copy.data, (size_t)(tab - copy.data)},
                     {tab + 1, (size_t)(copy.data + copy.n - tab - 1)},
                     v->all.n};
        if (one.text.n && !dpl__vec_push(v->ctx, &v->all, one))
            status = dpl__fail_nomem(err);
    }
    dpl__lines_close(&lines);
    if (status == DPL_END)
        qsort(v->all.data, v->all.n, sizeof *v->all.data, by_id);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status chapters_read(verses *v, const settings *s, const char *lang, dpl_error *err)
{
    char path[PATH_MOST];
    dpl__lines lines;
    dpl_str line;
    snprintf(path, sizeof path, "%s/bible/aligned_chapters.%s.txt", s->data, lang);
    if (access(path, R_OK) != 0)
        return DPL_OK;
    dpl_status status = dpl__lines_open(&lines, v->ctx, path, err);
    while (status == DPL_OK && (status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        dpl_str copy = dpl__arena_copy(&v->arena, line);
        if (!dpl__vec_push(v->ctx, &v->chapters, copy))
            status = dpl__fail_nomem(err);
    }
    dpl__lines_close(&lines);
    if (v->chapters.n)
        qsort(v->chapters.data, v->chapters.n, sizeof *v->chapters.data, by_text);
    return status == DPL_END ? DPL_OK : status;
}

/* "GEN 1:2" is in chapter "GEN 1". */
static bool is_trusted(const verses *v, dpl_str id)
{
    while (id.n && id.data[id.n - 1] != ':')
        id.n--;
    id.n -= id.n > 0;
    return !v->chapters.n ||
           bsearch(&id, v->chapters.data, v->chapters.n, sizeof id, by_text) != NULL;
}

static void put_json(FILE *f, dpl_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.data[i] == '"' || s.data[i] == '\\')
            fputc('\\', f);
        fputc(s.data[i], f);
    }
}

typedef enum kind { BOOKS, ONE_BOOK, NOVEL, PAGES } kind;
enum { NOVEL_LINES = 6700 };

/* Whether a line of the left novel has no counterpart. */
static bool is_missing(size_t line)
{
    return line % 7 == 3;
}

/* The verses that both have become documents: one for each book, or one for all. */
static void write_books(const verses v[2], const char *const paths[2], const char *langs[2],
                        kind cut)
{
    size_t n = 0;
    FILE *files[2] = {fopen(paths[0], "w"), fopen(paths[1], "w")};
    dpl_str book = {0};
    bool is_open = false;
    for (size_t i = 0; i < v[0].all.n && files[0] && files[1]; i++) {
        const verse *left = &v[0].all.data[i];
        verse *right = bsearch(left, v[1].all.data, v[1].all.n, sizeof *left, by_id);
        if (!right || !is_trusted(&v[0], left->id) || !is_trusted(&v[1], left->id))
            continue;
        dpl_str name = {left->id.data, dpl__min(left->id.n, 3)};
        bool is_new = !is_open || (cut == BOOKS && !dpl__str_eq(name, book));
        if (cut == NOVEL && n == NOVEL_LINES)
            break;
        for (int s = 0; s < (cut == NOVEL && is_missing(n) ? 1 : 2); s++) {
            if (is_new)
                fprintf(files[s], "%s{\"id\":\"%.3s\",\"lang\":\"%s\",\"text\":\"",
                        is_open ? "\"}\n" : "", name.data, langs[s]);
            put_json(files[s], s ? right->text : left->text);
            fputs("\\n", files[s]);
        }
        book = name;
        n++;
        is_open = true;
    }
    for (int s = 0; s < 2; s++)
        if (files[s]) {
            fputs(is_open ? "\"}\n" : "", files[s]);
            fclose(files[s]);
        }
}

static dpl_status make_books(dpl_ctx *ctx, const settings *s, const char *const paths[2],
                             const char *langs[2], kind cut, dpl_error *err)
{
    verses v[2];
    dpl_status status = DPL_OK;
    for (int i = 0; i < 2; i++) {
        v[i] = (verses){.ctx = ctx};
        dpl__arena_init(&v[i].arena, ctx);
        if (status == DPL_OK)
            status = verses_read(&v[i], s, langs[i], err);
        if (status == DPL_OK)
            status = chapters_read(&v[i], s, langs[i], err);
    }
    if (status == DPL_OK) {
        /* Books in the order of the left file; the right one stays by id, to be searched. */
        qsort(v[0].all.data, v[0].all.n, sizeof *v[0].all.data, by_number);
        write_books(v, paths, langs, cut);
    }
    verses_clear(&v[1]);
    verses_clear(&v[0]);
    return status;
}

/* ---- one row of the table ----------------------------------------------------------- */

typedef struct row {
    kind kind;
    const char *set, *langs[2];
    bool has_lexicon; /* learnt from Tatoeba */
    double goal;      /* F1, or share of kept beads that are right */
    dpl_evidence evidence;
    /* measured */
    double core, once;                 /* seconds in all, and after learning */
    uint64_t n_units;                  /* left */
    uint64_t n_gold, n_found, n_right; /* beads; of pages: kept ones */
    uint64_t n_turned[2]; /* beads of pages in another order, and right ones among them */
    uint64_t peak;
    bool is_other; /* rounds did not agree */
} row;

#define ROW(kind_, set_, left, right, has_lexicon_, goal_)                                     \
    {                                                                                          \
        .kind = kind_, .set = set_, .langs = {left, right}, .has_lexicon = has_lexicon_,       \
        .goal = goal_                                                                          \
    }

static row rows[] = {
    ROW(BOOKS, "bible", "en", "de", true, 0.99),
    ROW(BOOKS, "bible", "en", "de", false, 0.99),
    ROW(BOOKS, "bible", "en", "hu", false, 0.99),
    ROW(BOOKS, "bible", "de", "cs", false, 0.99),
    ROW(BOOKS, "bible", "de", "fr", false, 0.99),
    ROW(ONE_BOOK, "bible", "en", "de", true, 0.99),
    ROW(ONE_BOOK, "bible", "en", "de", false, 0.99),
    ROW(NOVEL, "bible", "en", "de", false, 0.98),
    {.kind = NOVEL, .set = "bible", .langs = {"en", "de"}, .evidence = DPL_EVIDENCE_LENGTHS},
    ROW(NOVEL, "bible", "en", "hu", false, 0.98),
    {.kind = NOVEL, .set = "bible", .langs = {"en", "hu"}, .evidence = DPL_EVIDENCE_LENGTHS},
    ROW(PAGES, "lohelp", "en", "de", true, 0.98),
    ROW(PAGES, "lohelp", "en", "de", false, 0.98),
    ROW(PAGES, "lohelp", "de", "fr", false, 0.98),
    ROW(PAGES, "newsdocs", "en", "de", true, 0.98),
    ROW(PAGES, "newsdocs", "de", "fr", false, 0.98),
};

typedef struct bench {
    dpl_ctx *ctx;
    const settings *s;
    row *row;
    dpl_collection *c[2];
    DPL_VEC(dpl_doc_pair) pairs;
    DPL_VEC(uint32_t) lines[2]; /* of each sentence: its line */
    double learnt;              /* when the first pair came */
    uint64_t n_units, n_gold, n_found, n_right, n_turned[2];
} bench;

static uint32_t count_lines(const dpl_collection *c, uint32_t doc)
{
    uint32_t n = 0;
    for (size_t i = 0; i < dpl_collection_n_sentences(c, doc); i++)
        n += dpl_collection_sentence(c, doc, i).is_paragraph_start;
    return n;
}

static dpl_status find_lines(bench *b, int side, uint32_t doc, dpl_error *err)
{
    uint32_t line = 0;
    b->lines[side].n = 0;
    for (size_t i = 0; i < dpl_collection_n_sentences(b->c[side], doc); i++) {
        line += dpl_collection_sentence(b->c[side], doc, i).is_paragraph_start;
        if (!dpl__vec_push(b->ctx, &b->lines[side], line))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

static bool is_right(const bench *b, const dpl_bead *x)
{
    if (b->row->kind == NOVEL)
        return x->n_left == 1 && x->n_right == 1 && !is_missing(x->left) &&
               x->right == x->left - (x->left + 3) / 7;
    if (b->row->kind != PAGES)
        return x->n_left == 1 && x->n_right == 1 && x->left == x->right;
    const uint32_t *left = b->lines[0].data + x->left, *right = b->lines[1].data + x->right;
    return left[0] == right[0] && left[x->n_left - 1] == right[x->n_right - 1];
}

static dpl_status take(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    bench *b = user;
    if (b->learnt <= 0)
        b->learnt = cpu_seconds();
    DPL_TRY(find_lines(b, 0, docs->docs.left, err));
    DPL_TRY(find_lines(b, 1, docs->docs.right, err));
    b->n_units += docs->n_units[0];
    b->n_gold += docs->n_units[b->row->kind == NOVEL];
    uint64_t n_found = 0, n_right = 0;
    for (size_t i = 0; i < docs->n_beads; i++) {
        const dpl_bead *x = &docs->beads[i];
        if (b->row->kind == PAGES && x->verdict != DPL_VERDICT_KEPT)
            continue;
        n_found += b->row->kind != NOVEL || (x->n_left && x->n_right);
        n_right += x->n_left && x->n_right && is_right(b, x);
    }
    bool is_turned = b->row->kind == PAGES && 10 * n_right < 7 * n_found;
    *(is_turned ? &b->n_turned[0] : &b->n_found) += n_found;
    *(is_turned ? &b->n_turned[1] : &b->n_right) += n_right;
    return DPL_OK;
}

static dpl_status pair_books(bench *b, dpl_error *err)
{
    for (uint32_t i = 0; i < dpl_collection_get_sizes(b->c[0])->n_docs; i++)
        if (!dpl__vec_push(b->ctx, &b->pairs, ((dpl_doc_pair){i, i})))
            return dpl__fail_nomem(err);
    return DPL_OK;
}

/* Pages with as many lines on both sides. */
static dpl_status pair_pages(bench *b, dpl_error *err)
{
    char path[PATH_MOST];
    dpl__lines lines;
    dpl_str line;
    snprintf(path, sizeof path, "%s/%s/pairs.%s-%s.tsv", b->s->data, b->row->set,
             b->row->langs[0], b->row->langs[1]);
    dpl_status status = dpl__lines_open(&lines, b->ctx, path, err);
    while (status == DPL_OK && (status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        const char *tab = memchr(line.data, '\t', line.n);
        dpl_doc_pair p;
        if (!tab ||
            !dpl_collection_find_doc(b->c[0], (dpl_str){line.data, (size_t)(tab - line.data)},
                                     &p.left) ||
            !dpl_collection_find_doc(
                b->c[1], (dpl_str){tab + 1, (size_t)(line.data + line.n - tab - 1)}, &p.right))
            continue;
        if (count_lines(b->c[0], p.left) == count_lines(b->c[1], p.right) &&
            !dpl__vec_push(b->ctx, &b->pairs, p))
            status = dpl__fail_nomem(err);
    }
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status open_collections(bench *b, dpl_error *err)
{
    const row *r = b->row;
    char text[2][PATH_MOST], out[PATH_MOST];
    const char *paths[2] = {text[0], text[1]};
    for (int s = 0; s < 2; s++)
        if (r->kind == PAGES)
            snprintf(text[s], sizeof text[s], "%s/%s/docs.%s.jsonl.zst", b->s->data, r->set,
                     r->langs[s]);
        else
            snprintf(text[s], sizeof text[s], "%s/books.%d.jsonl", b->s->work, s);
    if (r->kind != PAGES)
        DPL_TRY(make_books(b->ctx, b->s, paths, b->row->langs, r->kind, err));
    for (int s = 0; s < 2; s++) {
        snprintf(out, sizeof out, "%s/sentences.%d.dpl", b->s->work, s);
        DPL_TRY(dpl_import(NULL, b->ctx, out, &paths[s], 1, NULL, err));
        DPL_TRY(dpl_collection_open(&b->c[s], b->ctx, out, err));
    }
    return r->kind == PAGES ? pair_pages(b, err) : pair_books(b, err);
}

static dpl_status run_round(bench *b, const dpl_lexicon *lexicon, dpl_error *err)
{
    row *r = b->row;
    dpl_sentences_options o = DPL_INIT(dpl_sentences_options, .one_per_line = r->kind != PAGES,
                                       .no_filter = r->kind != PAGES, .evidence = r->evidence);
    dpl_sentences_input in =
        DPL_INIT(dpl_sentences_input, .left = b->c[0], .right = b->c[1], .pairs = b->pairs.data,
                 .n_pairs = b->pairs.n, .lexicon = r->has_lexicon ? lexicon : NULL);
    double start = cpu_seconds();
    b->learnt = 0;
    b->n_units = b->n_gold = b->n_found = b->n_right = b->n_turned[0] = b->n_turned[1] = 0;
    DPL_TRY(dpl_sentences_align(NULL, b->ctx, &in, &o, take, b, err));
    double end = cpu_seconds(), core = end - start, once = end - b->learnt;
    r->is_other |= r->core > 0 && r->n_right != b->n_right;
    r->core = r->core > 0 && r->core < core ? r->core : core;
    r->once = r->once > 0 && r->once < once ? r->once : once;
    r->n_units = b->n_units;
    r->n_gold = b->n_gold;
    r->n_found = b->n_found;
    r->n_right = b->n_right;
    memcpy(r->n_turned, b->n_turned, sizeof r->n_turned);
    return DPL_OK;
}

static dpl_status run_row(row *r, const settings *s, const char *lexicon_path, dpl_error *err)
{
    bench b = {.s = s, .row = r};
    dpl_lexicon *lexicon = NULL;
    DPL_TRY(
        dpl_ctx_new(&b.ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1), err));
    dpl_status status = open_collections(&b, err);
    if (status == DPL_OK && r->has_lexicon)
        status = dpl_lexicon_open(&lexicon, b.ctx, lexicon_path, NULL, err);
    for (unsigned i = 0; i < s->n_rounds && status == DPL_OK; i++)
        status = run_round(&b, lexicon, err);
    r->peak = dpl_ctx_peak(b.ctx);
    dpl_lexicon_close(lexicon);
    for (int side = 0; side < 2; side++) {
        dpl_collection_close(b.c[side]);
        dpl__vec_clear(b.ctx, &b.lines[side]);
    }
    dpl__vec_clear(b.ctx, &b.pairs);
    dpl_ctx_free(b.ctx);
    return status;
}

static void print_row(const row *r)
{
    double precision = (double)r->n_right / (double)r->n_found;
    double recall = (double)r->n_right / (double)r->n_gold;
    double quality =
        r->kind == PAGES ? precision : 2 * precision * recall / (precision + recall);
    char once[32] = "-"; /* of one document it cannot be told: it comes when all is done */
    if (r->kind == NOVEL)
        snprintf(once, sizeof once, "%.3f s", r->core);
    else if (r->kind != ONE_BOOK)
        snprintf(once, sizeof once, "%.0f", (double)r->n_units / r->once);
    printf("  %-8s %s-%s %-9s %-8s %8llu %9.0f %9s %8.1f   %s %.4f  goal %.2f %s%s\n", r->set,
           r->langs[0], r->langs[1],
           r->kind == BOOKS      ? "books"
           : r->kind == ONE_BOOK ? "one text"
           : r->kind == NOVEL    ? "novel"
                                 : "pages",
           r->has_lexicon ? "Tatoeba"
           : r->evidence  ? "lengths"
                          : "none",
           (unsigned long long)r->n_units, (double)r->n_units / r->core, once,
           (double)r->peak / (1 << 20), r->kind == PAGES ? "kept, right" : "F1", quality,
           r->goal, quality >= r->goal ? "met" : "MISSED",
           r->is_other ? "  ROUNDS DIFFER" : "");
    if (r->n_turned[0])
        printf("    and %llu of %llu on pages in another order\n",
               (unsigned long long)r->n_turned[1], (unsigned long long)r->n_turned[0]);
    fflush(stdout);
}

static dpl_status train(const settings *s, const char *path, dpl_error *err)
{
    dpl_ctx *ctx = NULL;
    char corpus[PATH_MOST];
    const char *paths[] = {corpus};
    snprintf(corpus, sizeof corpus, "%s/parallel/tatoeba.en-de.tsv.zst", s->data);
    dpl_bitext_options read = DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_TSV,
                                       .left_lang = "en", .right_lang = "de");
    dpl_train_options o = DPL_INIT(dpl_train_options, .read = &read, .no_model = true);
    DPL_TRY(dpl_ctx_new(&ctx, NULL, err));
    dpl_status status = dpl_lexicon_train(NULL, ctx, path, paths, 1, &o, err);
    dpl_ctx_free(ctx);
    return status;
}

static dpl_status run_all(const settings *s, dpl_error *err)
{
    char lexicon[PATH_MOST];
    snprintf(lexicon, sizeof lexicon, "%s/tatoeba.dpl", s->work);
    DPL_TRY(train(s, lexicon, err));
    printf("\nleft sentences per second and core, %u rounds\n", s->n_rounds);
    printf("  %-24s %-8s %8s %9s %9s %8s\n", "set", "lexicon", "left", "in all", "learnt",
           "MiB");
    for (size_t i = 0; i < DPL_LEN(rows); i++) {
        if (s->set && strcmp(s->set, rows[i].set) != 0)
            continue;
        DPL_TRY(run_row(&rows[i], s, lexicon, err));
        print_row(&rows[i]);
    }
    return DPL_OK;
}

int main(int argc, char **argv)
{
    settings s = {.data = "../shared/data", .work = "/tmp", .n_rounds = 3};
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (has_value && strcmp(argv[i], "--data") == 0)
            s.data = argv[++i];
        else if (has_value && strcmp(argv[i], "--work") == 0)
            s.work = argv[++i];
        else if (has_value && strcmp(argv[i], "--set") == 0)
            s.set = argv[++i];
        else if (has_value && strcmp(argv[i], "--rounds") == 0)
            s.n_rounds = (unsigned)atoi(argv[++i]);
        else
            return fprintf(stderr, "sentences: what is '%s'?\n", argv[i]), 2;
    }
    dpl_error err = {0};
    if (run_all(&s, &err) == DPL_OK)
        return 0;
    fprintf(stderr, "sentences: %s\n", err.text);
    return 1;
}
