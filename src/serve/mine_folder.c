/*
 * mine_folder.c - the folder of a mine run, opened for looking at it.
 *
 * run.json says which languages there are; a run with a pivot has a folder for each language
 * pair, in the order of the lines of the pairs.tsv around them.
 */
#include "serve/mine_folder.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/options.h"
#include "base/order.h"
#include "io/files.h"
#include "serve/message.h"
#include "serve/mine_links.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- mapped files ----------------------------------------------------------------------- */

/* Reads the file into memory. */
static dpl_status copy(dpl__mapped *out, const dpl__mine_folder *f, int fd, size_t n,
                       dpl_error *err)
{
    char *data = dpl__alloc(f->ctx, n);
    DPL_TRY(dpl__need(data, err));
    const int e = dpl__pread_all(fd, data, n, 0);
    if (e) {
        dpl__free(f->ctx, data);
        return dpl__fail_errno(err, e, "cannot read a file of '%s'", f->dir);
    }
    *out = (dpl__mapped){data, n, true};
    return DPL_OK;
}

static dpl_status map(dpl__mapped *out, int fd, size_t n, const char *path, dpl_error *err)
{
    void *p = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return dpl__fail_errno(err, errno, "cannot map '%s'", path);
    *out = (dpl__mapped){p, n, false};
    return DPL_OK;
}

/* Copies a file, or maps it. One that is missing is empty. */
static dpl_status take_file(dpl__mapped *out, dpl__mine_folder *f, const char *path,
                            bool is_mapped, dpl_error *err)
{
    struct stat st;
    *out = (dpl__mapped){0};
    DPL_TRY(dpl__watch_add(&f->watch, f->ctx, path, is_mapped, err));
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? DPL_OK : dpl__fail_errno(err, errno, "cannot open '%s'", path);
    dpl_status status = DPL_OK;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        status = dpl__fail(err, DPL_E_USAGE, "'%s' is not a regular file", path);
    else if (st.st_size > 0 && is_mapped)
        status = map(out, fd, (size_t)st.st_size, path, err);
    else if (st.st_size > 0)
        status = copy(out, f, fd, (size_t)st.st_size, err);
    close(fd);
    return status;
}

static void drop_file(dpl__mapped *m, dpl_ctx *ctx)
{
    if (m->is_copy)
        dpl__free(ctx, (void *)(uintptr_t)m->data);
    else if (m->data)
        munmap((void *)(uintptr_t)m->data, m->n);
}

/* ---- columns ---------------------------------------------------------------------------- */

bool dpl__next_row(dpl_str *line, dpl_str *text)
{
    if (!dpl__next_line(line, text))
        return false;
    if (line->n && line->data[line->n - 1] == '\r')
        line->n--;
    return true;
}

bool dpl__sentence_line_next(dpl__sentence_line *out, dpl_str *lines)
{
    dpl_str line;
    if (!dpl__next_row(&line, lines))
        return false;
    dpl__next_column(&line);
    dpl__next_column(&line);
    for (int side = 0; side < 2; side++)
        out->sides[side] = dpl__next_column(&line);
    if (!dpl__parse_real(&out->score, dpl__next_column(&line)))
        out->score = 0;
    return true;
}

/* ---- pairs by their ids ------------------------------------------------------------- */

uint64_t dpl__hash_ids(const dpl_str ids[2])
{
    return dpl__hash(ids[1].data, ids[1].n, dpl__hash(ids[0].data, ids[0].n, 1));
}

uint64_t dpl__served_pair_hash(const void *folder, uint32_t pair)
{
    return dpl__hash_ids(((const dpl__mine_folder *)folder)->pairs.data[pair].ids);
}

bool dpl__served_pair_fits(const void *folder, uint32_t pair, const dpl__wanted_pair *w)
{
    const dpl__mine_folder *f = folder;
    const dpl__served_pair *p = &f->pairs.data[pair];
    if (w->run != UINT32_MAX && w->run != p->run)
        return false;
    for (int side = 0; side < 2; side++) {
        const dpl_str lang = dpl__cstr(f->runs.data[p->run].langs[side]);
        if (!dpl__str_eq(p->ids[side], w->ids[side]) ||
            (w->langs[side].n && !dpl__str_eq(lang, w->langs[side])))
            return false;
    }
    return true;
}

static dpl_status fill_table(dpl__mine_folder *f, dpl_error *err)
{
    f->table.user = f;
    DPL_TRY(dpl__need(dpl__pair_table_reserve(&f->table, f->ctx, f->pairs.n), err));
    for (uint32_t i = 0; i < f->pairs.n; i++) {
        const dpl__served_pair *p = &f->pairs.data[i];
        const dpl__wanted_pair w = {.ids = {p->ids[0], p->ids[1]}, .run = p->run};
        uint32_t *slot = dpl__pair_table_find(&f->table, dpl__hash_ids(w.ids), &w);
        f->table.n_used += !*slot;
        *slot = *slot ? *slot : i + 1; /* the first one counts */
    }
    return DPL_OK;
}

/* The first pair like that; UINT32_MAX: none. */
static uint32_t find_pair(const dpl__mine_folder *f, const dpl__wanted_pair *w)
{
    const uint32_t *slot = dpl__pair_table_find(&f->table, dpl__hash_ids(w->ids), w);
    return *slot ? *slot - 1 : UINT32_MAX;
}

uint32_t dpl__find_pair(const dpl__mine_folder *f, const dpl_str ids[2], uint32_t run)
{
    const dpl__wanted_pair w = {.ids = {ids[0], ids[1]}, .run = run};
    return find_pair(f, &w);
}

/* ---- sentences ---------------------------------------------------------------------- */

/* Adds a line to the range of the pair, or begins another. */
static dpl_status add_line(dpl__mine_folder *f, uint32_t pair, uint64_t begin, size_t n,
                           dpl_error *err)
{
    dpl__served_pair *p = &f->pairs.data[pair];
    dpl__sentence_lines *last = f->lines.n ? &f->lines.data[f->lines.n - 1] : NULL;
    uint32_t at = p->lines;
    p->n_sentences++;
    while (at != DPL__NO_RANGE && f->lines.data[at].next != DPL__NO_RANGE)
        at = f->lines.data[at].next;
    if (at != DPL__NO_RANGE && &f->lines.data[at] == last &&
        last->begin + last->n_bytes == begin && n < UINT32_MAX - last->n_bytes) {
        last->n_bytes += (uint32_t)n;
        return DPL_OK;
    }
    dpl__sentence_lines r = {begin, (uint32_t)n, DPL__NO_RANGE};
    if (n >= UINT32_MAX || f->lines.n >= DPL__NO_RANGE - 1)
        return dpl__fail(err, DPL_E_FORMAT, "sentences.tsv: a line is too long");
    DPL_TRY(dpl__need(dpl__vec_push(f->ctx, &f->lines, r), err));
    *(at == DPL__NO_RANGE ? &p->lines : &f->lines.data[at].next) = (uint32_t)f->lines.n - 1;
    return DPL_OK;
}

static dpl_status read_sentences(dpl__mine_folder *f, uint32_t run, dpl_error *err)
{
    const dpl__mapped *m = &f->runs.data[run].sentences;
    dpl_str rest = {m->data, m->n}, line;
    dpl__wanted_pair w = {.run = run};
    uint32_t pair = UINT32_MAX;
    while (rest.n) {
        const uint64_t begin = (uint64_t)(rest.data - m->data);
        dpl__next_row(&line, &rest);
        const dpl_str left = dpl__next_column(&line);
        const dpl_str right = dpl__next_column(&line);
        if (!dpl__str_eq(left, w.ids[0]) || !dpl__str_eq(right, w.ids[1])) {
            w.ids[0] = left;
            w.ids[1] = right;
            pair = find_pair(f, &w);
        }
        if (pair != UINT32_MAX)
            DPL_TRY(
                add_line(f, pair, begin, (size_t)(rest.data - m->data) - (size_t)begin, err));
    }
    return DPL_OK;
}

/* ---- pairs -------------------------------------------------------------------------- */

static dpl_status read_pairs(dpl__mine_folder *f, uint32_t run, dpl_error *err)
{
    dpl__served_run *r = &f->runs.data[run];
    dpl_str rest = {r->pairs.data, r->pairs.n}, line;
    while (dpl__next_row(&line, &rest)) {
        dpl__served_pair p = {.run = run, .lines = DPL__NO_RANGE};
        p.ids[0] = dpl__next_column(&line);
        p.ids[1] = dpl__next_column(&line);
        double confidence = 0;
        const bool has_confidence = dpl__parse_real(&confidence, dpl__next_column(&line));
        if (!p.ids[0].n || !p.ids[1].n || !has_confidence)
            continue; /* a header, or not ours */
        p.confidence = (float)confidence;
        for (int side = 0; side < 2; side++)
            if (!r->docs[side] ||
                !dpl_collection_find_doc(r->docs[side], p.ids[side], &p.docs[side]))
                p.docs[side] = DPL__NO_DOC;
        if (f->pairs.n >= UINT32_MAX - 1)
            return dpl__fail(err, DPL_E_UNSUPPORTED, "'%s' has too many pairs", f->dir);
        DPL_TRY(dpl__need(dpl__vec_push(f->ctx, &f->pairs, p), err));
        r->n_pairs++;
    }
    return DPL_OK;
}

typedef struct ranked {
    float confidence;
    uint32_t pair;
} ranked;

DPL__ORDER(by_confidence, ranked, DPL__FALLING(confidence) DPL__RISING(pair))

static dpl_status rank_pairs(dpl__mine_folder *f, dpl_error *err)
{
    const size_t n = f->pairs.n;
    f->by_confidence = dpl__calloc(f->ctx, n + 1, sizeof *f->by_confidence);
    f->states = dpl__calloc(f->ctx, n + 1, sizeof *f->states);
    ranked *all = dpl__alloc(f->ctx, (n + 1) * sizeof *all);
    if (!all || !f->by_confidence || !f->states) {
        dpl__free(f->ctx, all);
        return dpl__fail_nomem(err);
    }
    for (uint32_t i = 0; i < n; i++)
        all[i] = (ranked){f->pairs.data[i].confidence, i};
    qsort(all, n, sizeof *all, by_confidence);
    for (size_t i = 0; i < n; i++)
        f->by_confidence[i] = all[i].pair;
    dpl__free(f->ctx, all);
    return DPL_OK;
}

/* ---- documents ---------------------------------------------------------------------- */

/* Opens a collection if there is one; one that is damaged is an error. */
static dpl_status try_collection(dpl__mine_folder *f, dpl_collection **out, const char *path,
                                 dpl_error *err)
{
    if (*out || !*path || access(path, R_OK) != 0)
        return DPL_OK;
    DPL_TRY(dpl__watch_add(&f->watch, f->ctx, path, true, err));
    return dpl_collection_open(out, f->ctx, path, err);
}

/* Where the documents of a side are: an input that was a collection stayed where it was. */
static dpl_status open_docs(dpl__mine_folder *f, dpl__served_run *r, const char *dir,
                            const dpl__run_json *run, int side, dpl_error *err)
{
    char path[4200];
    const char *name = side ? "right" : "left";
    dpl_error ignored = {0};
    if (run->is_sentences) {
        snprintf(path, sizeof path, "%s/work/%s-sentences.dpl", dir, name);
        DPL_TRY(try_collection(f, &r->docs[side], path, err));
    }
    snprintf(path, sizeof path, "%s/work/%s.dpl", dir, name);
    DPL_TRY(try_collection(f, &r->docs[side], path, err));
    snprintf(path, sizeof path, "%s/work/%s.dpl", f->dir, r->langs[side]);
    DPL_TRY(try_collection(f, &r->docs[side], path, err));
    (void)try_collection(f, &r->docs[side], run->inputs[side], &ignored);
    return DPL_OK;
}

static dpl_status open_run(dpl__mine_folder *f, const char *dir, const dpl__run_json *run,
                           dpl_error *err)
{
    char path[4200];
    dpl__served_run empty = {0};
    memcpy(empty.langs, run->langs, sizeof empty.langs);
    DPL_TRY(dpl__need(dpl__vec_push(f->ctx, &f->runs, empty), err));
    dpl__served_run *r = &f->runs.data[f->runs.n - 1];
    snprintf(path, sizeof path, "%s/pairs.tsv", dir);
    DPL_TRY(take_file(&r->pairs, f, path, false, err));
    snprintf(path, sizeof path, "%s/sentences.tsv", dir);
    DPL_TRY(take_file(&r->sentences, f, path, true, err));
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s-links.tsv", dir, i ? "suspicious" : "missing");
        DPL_TRY(take_file(&r->links[i], f, path, false, err));
    }
    for (int side = 0; side < 2; side++)
        DPL_TRY(open_docs(f, r, dir, run, side, err));
    return read_pairs(f, (uint32_t)f->runs.n - 1, err);
}

static dpl_status open_runs(dpl__mine_folder *f, dpl_error *err)
{
    dpl__run_json top;
    char path[4200];
    snprintf(path, sizeof path, "%s/run.json", f->dir);
    DPL_TRY(dpl__watch_add(&f->watch, f->ctx, path, false, err));
    dpl_status status;
    DPL__STEP(dpl__run_json_read(&top, f->ctx, f->dir, err));
    if (!top.n_runs)
        DPL__STEP(open_run(f, f->dir, &top, err));
    for (size_t i = 0; i < top.n_runs; i++) {
        char dir[4100];
        dpl__run_json run = {0};
        snprintf(dir, sizeof dir, "%s/%s-%s", f->dir, top.runs[i].langs[0],
                 top.runs[i].langs[1]);
        memcpy(run.langs, top.runs[i].langs, sizeof run.langs);
        run.is_sentences = top.runs[i].is_sentences;
        DPL__STEP(open_run(f, dir, &run, err));
    }
done:
    dpl__run_json_clear(&top, f->ctx);
    return status;
}

/* ---- judgements --------------------------------------------------------------------- */

static void take_judgement(void *user, const dpl__judgement *j)
{
    dpl__mine_folder *f = user;
    if (!j) {
        for (size_t i = 0; i < f->pairs.n; i++)
            f->states[i] = DPL__JUDGED_OPEN;
        dpl__served_links_judge(f, NULL);
        return;
    }
    const dpl__wanted_pair w = {
        {j->left_id, j->right_id}, {j->left_lang, j->right_lang}, UINT32_MAX};
    const uint32_t pair = find_pair(f, &w);
    if (pair != UINT32_MAX)
        f->states[pair] = (uint8_t)j->verdict;
    else
        dpl__served_links_judge(f, j);
}

/* ---- open and close ----------------------------------------------------------------- */

static dpl_status open_all(dpl__mine_folder *f, bool is_read_only, dpl_error *err)
{
    DPL_TRY(open_runs(f, err));
    DPL_TRY(fill_table(f, err));
    for (uint32_t r = 0; r < f->runs.n; r++)
        DPL_TRY(read_sentences(f, r, err));
    DPL_TRY(rank_pairs(f, err));
    DPL_TRY(dpl__served_links_read(f, err));
    return dpl__judge_file_open(&f->judgements, f->ctx, f->dir, is_read_only,
                                (dpl__judged){take_judgement, f}, err);
}

dpl_status dpl__mine_folder_open(dpl__mine_folder **out, dpl_ctx *ctx, const char *dir,
                                 bool is_read_only, dpl_error *err)
{
    *out = NULL;
    dpl__mine_folder *f = dpl__calloc(ctx, 1, sizeof *f);
    DPL_TRY(dpl__need(f, err));
    f->ctx = ctx;
    dpl_status status = DPL_OK;
    if ((size_t)snprintf(f->dir, sizeof f->dir, "%s", dir) >= sizeof f->dir)
        DPL__STEP(dpl__fail(err, DPL_E_USAGE, "the name of the folder is too long"));
    DPL__STEP(open_all(f, is_read_only, err));
    *out = f;
    f = NULL;
done:
    dpl__mine_folder_close(f);
    return status;
}

void dpl__mine_folder_close(dpl__mine_folder *f)
{
    if (!f)
        return;
    dpl__judge_file_close(&f->judgements);
    for (size_t i = 0; i < f->runs.n; i++) {
        dpl__served_run *r = &f->runs.data[i];
        drop_file(&r->pairs, f->ctx);
        drop_file(&r->sentences, f->ctx);
        drop_file(&r->links[0], f->ctx);
        drop_file(&r->links[1], f->ctx);
        for (int side = 0; side < 2; side++)
            dpl_collection_close(r->docs[side]);
    }
    dpl__served_links_clear(f);
    dpl__free(f->ctx, f->by_confidence, f->states);
    dpl__pair_table_clear(&f->table, f->ctx);
    dpl__vec_clear(f->ctx, &f->lines, &f->pairs, &f->runs);
    dpl__watch_clear(&f->watch, f->ctx);
    dpl__free(f->ctx, f);
}

dpl_doc dpl__served_doc(const dpl__mine_folder *f, const dpl__served_pair *pair, int side)
{
    assert(pair->run < f->runs.n);
    const dpl__served_run *r = &f->runs.data[pair->run];
    if (pair->docs[side] == DPL__NO_DOC)
        return (dpl_doc){.id = pair->ids[side], .lang = dpl__cstr(r->langs[side])};
    return dpl_collection_doc(r->docs[side], pair->docs[side]);
}

/* ---- sentences in their texts ------------------------------------------------------- */

/* Bytes; a text that begins again and again like the sentence would take forever. */
enum { MOST_COMPARED = 1 << 22 };

/* The end of the sentence that begins at text[at]; 0: it does not. Takes what it compared from
 * the budget. */
static size_t match_end(dpl_str text, size_t at, dpl_str s, size_t *budget)
{
    size_t i = 0;
    while (i < s.n) {
        if (dpl__is_white(s.data[i])) {
            const size_t before = at;
            while (i < s.n && dpl__is_white(s.data[i]))
                i++;
            while (at < text.n && dpl__is_white(text.data[at]))
                at++;
            if (at == before && i < s.n)
                return 0;
            continue;
        }
        if (at == text.n || text.data[at] != s.data[i] || *budget == 0)
            return 0;
        at++;
        i++;
        --*budget;
    }
    return at;
}

/* The first match that begins in text[from, to). */
static bool match_between(dpl_str text, dpl_str s, size_t from, size_t to, size_t *begin,
                          size_t *end)
{
    size_t budget = MOST_COMPARED;
    while (from < to && budget) {
        const char *p = memchr(text.data + from, s.data[0], to - from);
        if (!p)
            return false;
        from = (size_t)(p - text.data);
        const size_t e = match_end(text, from, s, &budget);
        if (e) {
            *begin = from;
            *end = e;
            return true;
        }
        from++;
    }
    return false;
}

bool dpl__find_sentence(dpl_str text, dpl_str s, size_t *at, size_t *begin, size_t *end)
{
    s = dpl__strip(s);
    if (!s.n || !text.n)
        return false;
    const size_t from = *at < text.n ? *at : text.n;
    if (!match_between(text, s, from, text.n, begin, end) &&
        !match_between(text, s, 0, from, begin, end))
        return false;
    *at = *end;
    return true;
}
