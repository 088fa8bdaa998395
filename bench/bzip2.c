/*
 * bzip2.c - how fast bzip2 is decompressed, and a MediaWiki dump in it imported.
 *
 *     bzip2 --work DIR [--data DIR] [--file XML] [--copies N] [--rounds N] [--smoke]
 *
 * The XML is written as dumps are: streams of a hundred pages, several times over with other
 * page numbers. It is decompressed by libbz2, by lbzip2 if that is installed, and by ours, at
 * every instruction set; then imported with stems, plain and compressed. Rounds are
 * interleaved. All rates count megabytes of XML per second: of CPU time (children's included)
 * for one thread, of elapsed time for all threads.
 */
#include "base/vec.h"
#include "doppel/doppel.h"
#include "io/files.h"
#include "io/input.h"

#include <bzlib.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGES_IN_STREAM = 100, PATH_MOST = 1000, MOST_ROWS = 20 };

typedef struct settings {
    const char *data, *work, *file;
    unsigned n_copies, n_rounds;
    bool is_smoke;
} settings;

typedef struct files {
    char xml[PATH_MOST], bz2[PATH_MOST], out[PATH_MOST];
    uint64_t n_xml, n_bz2;
} files;

typedef struct row {
    const char *name;
    dpl_status (*run)(const struct row *r, const files *f, dpl_error *err);
    dpl_cpu cpu;
    unsigned n_threads; /* 0: all there are */
    bool is_packed;
    double core, wall; /* fastest */
    dpl_status status;
} row;

/* ---- the dump ------------------------------------------------------------------------ */

static dpl_status append_stream(dpl_ctx *ctx, dpl__bytes *to, const char *p, size_t n,
                                dpl_error *err)
{
    unsigned packed = (unsigned)(n + n / 100 + 600);
    if (!dpl__vec_reserve(ctx, to, packed))
        return dpl__fail_nomem(err);
    if (BZ2_bzBuffToBuffCompress(to->data + to->n, &packed, (char *)(uintptr_t)p, (unsigned)n,
                                 9, 0, 0) != BZ_OK)
        return dpl__fail(err, DPL_E_IO, "libbz2 cannot compress");
    to->n += packed;
    return DPL_OK;
}

/* A page whose number has one more digit in front. */
static bool append_page(dpl_ctx *ctx, dpl__bytes *to, dpl_str page, unsigned copy)
{
    static const char id[] = "<id>";
    char digits[12];
    const char *at = page.data;
    while (at < page.data + page.n - 4 && memcmp(at, id, 4) != 0)
        at++;
    size_t n = (size_t)(at - page.data) + 4;
    int n_digits = snprintf(digits, sizeof digits, "%u", copy + 1);
    return dpl__vec_append(ctx, to, page.data, n) &&
           dpl__vec_append(ctx, to, digits, (size_t)n_digits) &&
           dpl__vec_append(ctx, to, page.data + n, page.n - n);
}

static const char *find(dpl_str s, const char *what)
{
    size_t n = strlen(what);
    for (const char *p = s.data; p && p + n <= s.data + s.n;) {
        p = memchr(p, what[0], (size_t)(s.data + s.n - p));
        if (p && p + n <= s.data + s.n && memcmp(p, what, n) == 0)
            return p;
        p = p ? p + 1 : NULL;
    }
    return NULL;
}

/* Streams of the pages of the dump, n_copies times. */
static dpl_status append_pages(dpl_ctx *ctx, dpl__bytes *xml, dpl__bytes *bz2, dpl_str pages,
                               unsigned n_copies, dpl_error *err)
{
    static const char end_mark[] = "</page>";
    for (unsigned copy = 0; copy < n_copies; copy++) {
        dpl_str rest = pages;
        for (const char *end = pages.data; end;) {
            size_t from = xml->n;
            for (unsigned k = 0; k < PAGES_IN_STREAM && (end = find(rest, end_mark)); k++) {
                dpl_str page = {rest.data, (size_t)(end - rest.data) + sizeof end_mark - 1};
                if (!append_page(ctx, xml, page, copy))
                    return dpl__fail_nomem(err);
                rest = (dpl_str){page.data + page.n, rest.n - page.n};
            }
            if (xml->n > from)
                DPL_TRY(append_stream(ctx, bz2, xml->data + from, xml->n - from, err));
        }
    }
    return DPL_OK;
}

static dpl_status write_file(const char *path, const dpl__bytes *bytes, dpl_error *err)
{
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(bytes->data, 1, bytes->n, f) == bytes->n;
    if (f && fclose(f) != 0)
        ok = false;
    return ok ? DPL_OK : dpl__fail_errno(err, errno, "cannot write '%s'", path);
}

static dpl_status read_input(dpl_ctx *ctx, dpl__bytes *to, const char *path, dpl_error *err)
{
    enum { STEP = 1 << 20 };
    dpl__input *in = NULL;
    size_t got = 0;
    DPL_TRY(dpl__input_open(&in, ctx, path, err));
    dpl_status status = DPL_OK;
    do {
        if (!dpl__vec_reserve(ctx, to, STEP)) {
            status = dpl__fail_nomem(err);
            break;
        }
        status = dpl__input_read(in, to->data + to->n, STEP, &got, err);
        to->n += status == DPL_OK ? got : 0;
    } while (status == DPL_OK && got > 0);
    dpl__input_close(in);
    return status;
}

static dpl_status make_dump(files *f, const settings *s, dpl_error *err)
{
    dpl_ctx *ctx = NULL;
    dpl__bytes from = {0}, xml = {0}, bz2 = {0};
    DPL_TRY(dpl_ctx_new(&ctx, NULL, err));
    dpl_status status = read_input(ctx, &from, s->file, err);
    const char *begin = status == DPL_OK ? find((dpl_str){from.data, from.n}, "<page>") : NULL;
    if (status == DPL_OK && !begin)
        status = dpl__fail(err, DPL_E_FORMAT, "'%s': no page in it", s->file);
    if (status == DPL_OK) {
        size_t n_head = (size_t)(begin - from.data);
        dpl_str pages = {begin, from.n - n_head};
        status = dpl__vec_append(ctx, &xml, from.data, n_head)
                     ? append_stream(ctx, &bz2, from.data, n_head, err)
                     : dpl__fail_nomem(err);
        if (status == DPL_OK)
            status = append_pages(ctx, &xml, &bz2, pages, s->n_copies, err);
    }
    if (status == DPL_OK)
        status = write_file(f->xml, &xml, err);
    if (status == DPL_OK)
        status = write_file(f->bz2, &bz2, err);
    f->n_xml = xml.n;
    f->n_bz2 = bz2.n;
    dpl__vec_clear(ctx, &from, &xml, &bz2);
    dpl_ctx_free(ctx);
    return status;
}

/* ---- rows ---------------------------------------------------------------------------- */

static dpl_status run_libbz2(const row *r, const files *f, dpl_error *err)
{
    (void)r;
    static char in[1 << 16], out[1 << 20];
    FILE *file = fopen(f->bz2, "rb");
    bz_stream strm = {0};
    size_t n;
    int code = BZ_STREAM_END;
    while (file && (n = fread(in, 1, sizeof in, file)) > 0) {
        for (strm.next_in = in, strm.avail_in = (unsigned)n; strm.avail_in > 0;) {
            if (code == BZ_STREAM_END && BZ2_bzDecompressInit(&strm, 0, 0) != BZ_OK)
                return dpl__fail_nomem(err);
            strm.next_out = out;
            strm.avail_out = sizeof out;
            code = BZ2_bzDecompress(&strm);
            if (code == BZ_STREAM_END)
                BZ2_bzDecompressEnd(&strm);
            else if (code != BZ_OK)
                return dpl__fail(err, DPL_E_FORMAT, "libbz2: failed");
        }
    }
    if (file)
        fclose(file);
    return file ? DPL_OK : dpl__fail_errno(err, errno, "cannot read '%s'", f->bz2);
}

static dpl_status run_lbzip2(const row *r, const files *f, dpl_error *err)
{
    char threads[16];
    long n = r->n_threads ? (long)r->n_threads : sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(threads, sizeof threads, "%ld", n);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        if (null < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
            _exit(126);
        execlp("lbzip2", "lbzip2", "-n", threads, "-dc", f->bz2, (char *)NULL);
        _exit(127);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return dpl__fail_errno(err, errno, "cannot start lbzip2");
    return status == 0 ? DPL_OK : dpl__fail(err, DPL_E_UNSUPPORTED, "lbzip2: not installed");
}

static dpl_status new_ctx(dpl_ctx **ctx, const row *r, dpl_error *err)
{
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = r->n_threads, .cpu = r->cpu);
    return dpl_ctx_new(ctx, &o, err);
}

static dpl_status run_ours(const row *r, const files *f, dpl_error *err)
{
    static char out[1 << 20];
    dpl_ctx *ctx = NULL;
    dpl__input *in = NULL;
    DPL_TRY(new_ctx(&ctx, r, err));
    dpl_status status = dpl__input_open(&in, ctx, f->bz2, err);
    uint64_t total = 0;
    for (size_t got = 1; status == DPL_OK && got > 0; total += got)
        status = dpl__input_read(in, out, sizeof out, &got, err);
    dpl__input_close(in);
    dpl_ctx_free(ctx);
    if (status == DPL_OK && total != f->n_xml)
        status =
            dpl__fail(err, DPL_E_FORMAT, "%llu bytes of output", (unsigned long long)total);
    return status;
}

static dpl_status run_import(const row *r, const files *f, dpl_error *err)
{
    dpl_ctx *ctx = NULL;
    DPL_TRY(new_ctx(&ctx, r, err));
    dpl_import_summary sum = DPL_INIT(dpl_import_summary);
    dpl_reader_options read = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_WIKI);
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = true);
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read, .tokens = &tokens);
    const char *in = r->is_packed ? f->bz2 : f->xml;
    dpl_status status = dpl_import(&sum, ctx, f->out, &in, 1, &o, err);
    dpl_ctx_free(ctx);
    return status;
}

/* ---- measuring ----------------------------------------------------------------------- */

static double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double core_seconds(void)
{
    double sum = 0;
    const int whose[] = {RUSAGE_SELF, RUSAGE_CHILDREN};
    for (size_t i = 0; i < DPL_LEN(whose); i++) {
        struct rusage u;
        getrusage(whose[i], &u);
        sum += (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
               (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
    }
    return sum;
}

static void measure(row *r, const files *f)
{
    dpl_error err = {0};
    double wall = wall_seconds(), core = core_seconds();
    r->status = r->run(r, f, &err);
    wall = wall_seconds() - wall;
    core = core_seconds() - core;
    r->wall = r->wall > 0 && r->wall < wall ? r->wall : wall;
    r->core = r->core > 0 && r->core < core ? r->core : core;
    if (r->status != DPL_OK)
        printf("  %s: %s\n", r->name, err.text);
}

static void print_row(const row *r, const files *f)
{
    if (r->status == DPL_OK)
        printf("  %-38s %10.1f %10.1f\n", r->name, (double)f->n_xml / r->core * 1e-6,
               (double)f->n_xml / r->wall * 1e-6);
}

static size_t make_rows(row rows[MOST_ROWS])
{
    static char names[MOST_ROWS][60];
    size_t n = 0;
    rows[n++] = (row){"libbz2", run_libbz2, .n_threads = 1};
    rows[n++] = (row){"lbzip2, one thread", run_lbzip2, .n_threads = 1};
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
        snprintf(names[n], sizeof names[n], "ours, %s", dpl_cpu_name((dpl_cpu)cpu));
        rows[n] = (row){names[n], run_ours, .cpu = (dpl_cpu)cpu, .n_threads = 1};
        n++;
    }
    rows[n++] = (row){"import of the XML", run_import, .n_threads = 1};
    rows[n++] =
        (row){"import of the bzip2 file", run_import, .n_threads = 1, .is_packed = true};
    rows[n++] = (row){"lbzip2, all threads", run_lbzip2, .n_threads = 0};
    rows[n++] = (row){"ours, all threads", run_ours, .n_threads = 0};
    rows[n++] = (row){"import of the bzip2 file, all threads", run_import, .is_packed = true};
    return n;
}

static dpl_status run(const settings *s, dpl_error *err)
{
    files f = {.n_xml = 0};
    row rows[MOST_ROWS];
    snprintf(f.xml, sizeof f.xml, "%s/dump.xml", s->work);
    snprintf(f.bz2, sizeof f.bz2, "%s/dump.xml.bz2", s->work);
    snprintf(f.out, sizeof f.out, "%s/dump.dpl", s->work);
    if (mkdir(s->work, 0777) != 0 && errno != EEXIST)
        return dpl__fail_errno(err, errno, "cannot make '%s'", s->work);
    DPL_TRY(make_dump(&f, s, err));
    printf("'%s' %u times: %.1f MB of XML, %.1f MB in bzip2; fastest of %u rounds; %s\n",
           s->file, s->n_copies, (double)f.n_xml * 1e-6, (double)f.n_bz2 * 1e-6, s->n_rounds,
           dpl_compiler());
    size_t n = make_rows(rows);
    for (unsigned round = 0; round < s->n_rounds; round++)
        for (size_t i = 0; i < n; i++)
            if (rows[i].status == DPL_OK)
                measure(&rows[i], &f);
    printf("\n  %-38s %10s %10s\n", "MB of XML per second", "core", "wall");
    for (size_t i = 0; i < n; i++) {
        print_row(&rows[i], &f);
        if (rows[i].status != DPL_OK && rows[i].status != DPL_E_UNSUPPORTED)
            return dpl__fail(err, rows[i].status, "%s: failed", rows[i].name);
    }
    return DPL_OK;
}

static bool read_settings(settings *s, int argc, char **argv, char path[PATH_MOST])
{
    *s = (settings){.data = "../shared/data", .n_copies = 8, .n_rounds = 5};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--smoke") == 0) {
            s->is_smoke = true;
            s->n_copies = s->n_rounds = 1;
            continue;
        }
        if (!value)
            return false;
        if (strcmp(argv[i], "--data") == 0)
            s->data = value;
        else if (strcmp(argv[i], "--work") == 0)
            s->work = value;
        else if (strcmp(argv[i], "--file") == 0)
            s->file = value;
        else if (strcmp(argv[i], "--copies") == 0)
            s->n_copies = (unsigned)atoi(value);
        else if (strcmp(argv[i], "--rounds") == 0)
            s->n_rounds = (unsigned)atoi(value);
        else
            return false;
        i++;
    }
    if (!s->file) {
        snprintf(path, PATH_MOST,
                 "%s/wiki/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2",
                 s->data);
        s->file = path;
    }
    return s->work && s->n_copies && s->n_rounds;
}

int main(int argc, char **argv)
{
    dpl_error err = {0};
    settings s;
    char path[PATH_MOST];
    if (!read_settings(&s, argc, argv, path)) {
        fprintf(stderr, "usage: bzip2 --work DIR [--data DIR] [--file XML] [--copies N] "
                        "[--rounds N] [--smoke]\n");
        return 2;
    }
    dpl_status status = run(&s, &err);
    if (status != DPL_OK)
        fprintf(stderr, "bzip2: %s\n", err.text);
    return status != DPL_OK;
}
