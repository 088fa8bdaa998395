/*
 * serve_fuzz.c - hostile requests to the folder of a run and to an index.
 *
 * An input is lines: method, target, Host, Origin, Sec-Fetch-Site, Content-Type; the body
 * follows. Properties: every request has an answer with a status; JSON is valid, in UTF-8;
 * errors are JSON; only a PUT writes judgements.
 */
#include "fuzz.h"

#include "doppel/doppel.h"
#include "readers/json_parser.h"
#include "serve/app.h"
#include "unicode/unicode.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_LINES = 6 };

static dpl_ctx *ctx;
static dpl__app *apps[2]; /* of a run, of an index */
static char folder[64];

static void put_file(const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    REQUIRE(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void open_run(void)
{
    put_file("run.json", "{\"left\": {\"lang\": \"de\"}, \"right\": {\"lang\": \"en\"}}");
    put_file("pairs.tsv", "a\tx\t0.9\nb\ty\t0.3\nc\tz\t0.6\n");
    put_file("sentences.tsv", "a\tx\tEins.\tOne.\t0.9\na\tx\tZwei.\tTwo.\t0.8\n");
    put_file("missing-links.tsv", "a\tx\t0.9\tA\tX <b>\t2\t0.5\t0.5\tone\tEins|One\n");
    put_file("suspicious-links.tsv", "b\tz\t0.8\tB\tZ\t0.1\ty\tY\tc\tC\t\tx|y\t\xFF|z\n");
    REQUIRE(dpl__app_open(&apps[0], ctx, folder, NULL, NULL) == DPL_OK);
}

static void open_index(void)
{
    static const char docs[] = "{\"id\": \"a\", \"lang\": \"en\", \"title\": \"A house\", "
                               "\"text\": \"The old house stands "
                               "by the river. It is empty.\"}\n"
                               "{\"id\": \"b\", \"lang\": \"en\", \"title\": \"<b>\", "
                               "\"text\": \"An old house by the sea. "
                               "Nobody lives there.\"}\n"
                               "{\"id\": \"c\", \"lang\": \"de\", \"title\": \"\", \"text\": "
                               "\"Das alte Haus am Fluss.\"}\n";
    char path[200];
    dpl_input in = {.buffer = {docs, sizeof docs - 1}};
    dpl_index_options o = DPL_INIT(dpl_index_options, .texts = true);
    snprintf(path, sizeof path, "%s/x.pocket", folder);
    if (dpl_index_build(NULL, ctx, path, &in, 1, &o, NULL) == DPL_OK)
        REQUIRE(dpl__app_open(&apps[1], ctx, path, NULL, NULL) == DPL_OK);
}

static void remove_folder(void)
{
    char path[200];
    snprintf(path, sizeof path, "%s/judgements.tsv", folder);
    unlink(path);
    rmdir(folder);
}

static void begin(void)
{
    const dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1);
    snprintf(folder, sizeof folder, "/tmp/doppel-fuzz.XXXXXX");
    REQUIRE(dpl_ctx_new(&ctx, &o, NULL) == DPL_OK && mkdtemp(folder));
    atexit(remove_folder);
    open_run();
    open_index();
    static const char *const names[] = {
        "run.json", "pairs.tsv", "sentences.tsv", "missing-links.tsv", "suspicious-links.tsv",
        "x.pocket"};
    for (size_t i = 0; i < DPL_LEN(names); i++) { /* they are mapped */
        char path[200];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
}

static dpl_str next_line(dpl_str *rest)
{
    const char *end = rest->n ? memchr(rest->data, '\n', rest->n) : NULL;
    const dpl_str line = {rest->data, end ? (size_t)(end - rest->data) : rest->n};
    const size_t taken = line.n + (end ? 1 : 0);
    *rest = (dpl_str){rest->data + taken, rest->n - taken};
    return line;
}

static void check(const dpl__answer *a, dpl_str method)
{
    const dpl_str body = dpl__answer_body(a);
    dpl_str raw;
    REQUIRE(a->status >= 200 && a->status < 600 && a->type && a->policy);
    REQUIRE(a->status < 500);
    REQUIRE(dpl__is_utf8(ctx, body));
    REQUIRE((a->status == 405) == (a->allow != NULL));
    if (strcmp(a->type, "application/json") == 0) {
        dpl__json j = dpl__json_begin(ctx, body);
        REQUIRE(dpl__json_skip(&j, &raw) == DPL_OK && dpl__json_end(&j) == DPL_OK);
    } else {
        REQUIRE(a->status == 200);
        REQUIRE(dpl__str_eq(method, DPL_STR("GET")) || dpl__str_eq(method, DPL_STR("HEAD")));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static unsigned n_runs;
    if (!ctx)
        begin();
    dpl_str rest = {(const char *)data, n}, lines[N_LINES];
    for (size_t i = 0; i < N_LINES; i++)
        lines[i] = next_line(&rest);
    const dpl__request r = {.method = lines[0],
                            .target = lines[1],
                            .host = lines[2],
                            .origin = lines[3],
                            .fetch_site = lines[4],
                            .content_type = lines[5],
                            .body = rest};
    dpl__answer a;
    dpl__answer_init(&a, ctx);
    for (size_t i = 0; i < 2 && apps[i]; i++) {
        const uint64_t n_before = apps[i]->metrics.n_judgements;
        dpl__answer_reset(&a);
        dpl__app_answer(&a, apps[i], &r);
        check(&a, r.method);
        REQUIRE(apps[i]->metrics.n_judgements == n_before ||
                dpl__str_eq(r.method, DPL_STR("PUT")));
    }
    dpl__answer_clear(&a);
    if (++n_runs % 1000 == 0) { /* what was judged is read again, and again from the start */
        char path[200];
        snprintf(path, sizeof path, "%s/judgements.tsv", folder);
        unlink(path);
    }
    return 0;
}
