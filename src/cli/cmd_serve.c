/*
 * cmd_serve.c - doppel serve: a pocket index or the folder of a mine run over HTTP.
 */
#include "cli/command.h"
#include "cli/notes.h"
#include "cli/outfile.h"
#include "cli/shared.h"
#include "cli/talk.h"

#include "doppel/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the options set. */
typedef struct settings {
    dpl_serve_options set;
    const char *log_path;
    bool is_mcp;
    sigset_t signals; /* that end it */
} settings;

static const settings defaults = {.set = DPL_INIT(dpl_serve_options, .port = 8080)};

enum { GRACE = 10 }; /* seconds for requests under way, after SIGINT or SIGTERM */

static const cli_option options[] = {
    CLI_OPTION(serve, &defaults.set, "port", .letter = 'p', .standard = "8080",
               .is_common = true, .only_with = "!mcp"),
    {.name = "mcp",
     .flag = &defaults.is_mcp,
     .is_common = true,
     .help = "answer messages of the Model Context Protocol on standard input, a line each, on "
             "standard output, instead of HTTP requests"},
    CLI_OPTION(serve, &defaults.set, "bind", .only_with = "!mcp"),
    CLI_OPTION(serve, &defaults.set, "hosts", .only_with = "!mcp"),
    CLI_OPTION(serve, &defaults.set, "token", .is_common = true, .only_with = "!mcp"),
    {.name = "log",
     .value = "FILE",
     .text = &defaults.log_path,
     .complete = CLI_FILES,
     .is_output = true,
     .only_with = "!mcp",
     .help = "append a line for each request to FILE, in the Common Log Format, or with --json "
             "as an object; - is standard output; SIGHUP opens the file again"},
    CLI_OPTION(serve, &defaults.set, "read-only", .only_with = "!mcp"),
    CLI_OPTION(serve, &defaults.set, "max-record"),
    CLI_OPTION(serve, &defaults.set, "timeout", .only_with = "!mcp"),
    CLI_OPTION(serve, &defaults.set, "connections", .only_with = "!mcp"),
    {0},
};

static const cli_item examples[] = {
    {"doppel serve help.pocket", "open http://127.0.0.1:8080/ in a browser"},
    {"doppel serve de-en",
     "browse the pairs that 'doppel mine ... -o de-en' found, and judge them"},
    {"doppel mine de.jsonl en.jsonl -o next --known de-en/judgements.tsv",
     "use the judgements in another run"},
    {"doppel serve help.pocket --port 0 --log access.log",
     "a port that is free; the address is printed"},
    {"doppel serve help.pocket --bind 0.0.0.0 --token token.txt",
     "for other machines; a browser asks for the token as a password"},
    {"doppel serve help.pocket --mcp",
     "as a tool of a language model: the program that runs it starts this command"},
    {"curl -H 'Content-Type: text/plain' --data-binary @essay.txt "
     "http://127.0.0.1:8080/api/v1/query",
     "documents similar to a text, as JSON"},
    {0},
};

static const cli_item json_keys[] = {
    {"url", "address that was served"},
    {"requests, errors", "requests answered, and those with status 500 or more"},
    {"connections, closed", "connections, and those closed because the client was too slow"},
    {"judgements", "judgements written"},
    CLI_MACHINE_JSON,
    {0},
};

/* ---- access log ------------------------------------------------------------------------ */

static struct {
    pthread_mutex_t lock;
    int fd;
} access_log = {PTHREAD_MUTEX_INITIALIZER, -1};

static bool open_log(settings *o)
{
    if (strcmp(o->log_path, "-") == 0) {
        access_log.fd = STDOUT_FILENO;
        return true;
    }
    const int fd = open(o->log_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        cli_error("cannot open '%s': %s", o->log_path, strerror(errno));
        return false;
    }
    pthread_mutex_lock(&access_log.lock);
    if (access_log.fd >= 0)
        close(access_log.fd);
    access_log.fd = fd;
    pthread_mutex_unlock(&access_log.lock);
    return true;
}

/* A line that cannot be written is lost: the server goes on. */
static void write_log(void *user, const char *line, size_t n)
{
    char text[8192];
    (void)user;
    n = n < sizeof text - 1 ? n : sizeof text - 1;
    memcpy(text, line, n);
    text[n++] = '\n';
    pthread_mutex_lock(&access_log.lock);
    for (size_t at = 0; at < n;) {
        const ssize_t k = write(access_log.fd, text + at, n - at);
        if (k < 0 && errno != EINTR)
            break;
        at += k > 0 ? (size_t)k : 0;
    }
    pthread_mutex_unlock(&access_log.lock);
}

/* ---- signals ----------------------------------------------------------------------------- */

/* Blocked in all threads; the first one waits for them. */
static sigset_t block_signals(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    return signals;
}

/* A page of a mapped file is not there any more: it was truncated while it is served. Outside
 * of a request, which ends alone, nothing is left to do. */
static void on_missing_page(int number)
{
    static const char text[] =
        "doppel serve: a file was overwritten while it was read, and a part of it is missing\n";
    dpl_server_fault();
    const ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    (void)number;
    _exit(CLI_FAILED);
}

static void catch_missing_pages(void)
{
    struct sigaction action = {.sa_handler = on_missing_page};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

static void note_change(void *user, const char *line, size_t n)
{
    (void)user;
    cli_error("%.*s", (int)n, line);
}

static void wait_for_end(settings *o, const sigset_t *signals)
{
    int got = 0;
    do {
        if (got == SIGHUP && o->log_path)
            open_log(o);
        while (sigwait(signals, &got) != 0)
            ;
    } while (got == SIGHUP);
}

/* ---- summary ------------------------------------------------------------------------ */

static void tell(const dpl_server *server, const dpl_ctx *ctx)
{
    dpl_server_counts n = DPL_INIT(dpl_server_counts);
    dpl_server_get_counts(server, &n);
    if (!cli_set.json) {
        cli_note_count("requests", n.n_requests, "answered");
        if (n.n_errors)
            cli_note_count("errors", n.n_errors, "of them failed in the server");
        if (n.n_closed)
            cli_note_count("closed", n.n_closed, "connections of slow clients");
        if (n.n_judgements)
            cli_note_count("judgements", n.n_judgements, "written");
        return;
    }
    dpl_json j = cli_summary_begin(true);
    dpl_json_cstr(&j, "url", dpl_server_url(server));
    dpl_json_number(&j, "requests", n.n_requests);
    dpl_json_number(&j, "errors", n.n_errors);
    dpl_json_number(&j, "connections", n.n_connections);
    dpl_json_number(&j, "closed", n.n_closed);
    dpl_json_number(&j, "judgements", n.n_judgements);
    cli_json_machine(&j, ctx);
    cli_summary_end(&j);
}

/* ---- run ---------------------------------------------------------------------------- */

static int serve(settings *o, dpl_ctx *ctx, const char *path, const sigset_t *signals)
{
    dpl_error err = {0};
    dpl_server *server = NULL;
    if (o->set.read_only && !cli_is_folder(path)) {
        cli_error("--read-only applies only to the folder of a mine run: '%s' takes no "
                  "judgements",
                  path);
        return CLI_USAGE;
    }
    if (o->log_path) {
        if (!open_log(o))
            return CLI_FAILED;
        o->set.log = write_log;
        o->set.log_format = cli_set.json ? DPL_LOG_JSON : DPL_LOG_COMMON;
    }
    catch_missing_pages();
    o->set.note = note_change;
    if (dpl_server_open(&server, ctx, path, &o->set, &err) != DPL_OK)
        return cli_fail(&err);
    cli_print("%s\n", dpl_server_url(server));
    fflush(stdout);
    cli_note("serving '%s'; Ctrl-C ends it", path);
    const char *at = o->set.bind ? o->set.bind : "127.0.0.1";
    if (strncmp(at, "127.", 4) != 0 && strcmp(at, "::1") != 0 && !o->set.token)
        cli_note("whoever reaches this address reads the documents; --token FILE asks for a "
                 "token");
    wait_for_end(o, signals);
    pthread_sigmask(SIG_UNBLOCK, signals, NULL); /* a second signal ends it at once */
    if (!dpl_server_stop(server, GRACE))
        cli_note("requests that took longer than %d s were cut off", GRACE);
    tell(server, ctx);
    dpl_server_close(server);
    return CLI_DONE;
}

/* ---- Model Context Protocol --------------------------------------------------------- */

/* Until the input ends. */
static int answer_lines(dpl_mcp *mcp)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    dpl_str reply;
    dpl_error err = {0};
    int code = CLI_DONE;
    while (code == CLI_DONE && (n = getline(&line, &cap, stdin)) > 0) {
        if (dpl_mcp_answer(mcp, (dpl_str){line, (size_t)n}, &reply, &err) != DPL_OK) {
            code = cli_fail(&err);
        } else if (reply.n) {
            const bool is_written = fwrite(reply.data, 1, reply.n, stdout) == reply.n &&
                                    putchar('\n') != EOF && fflush(stdout) == 0;
            code = is_written ? CLI_DONE : CLI_FAILED;
        }
    }
    free(line);
    return code;
}

static int serve_mcp(const settings *o, dpl_ctx *ctx, const char *path)
{
    dpl_mcp *mcp = NULL;
    dpl_error err = {0};
    int code = dpl_mcp_open(&mcp, ctx, path, &o->set, &err) == DPL_OK ? answer_lines(mcp)
                                                                      : cli_fail(&err);
    dpl_mcp_close(mcp);
    return code;
}

/* Before there are threads, which inherit it. */
static int check(char **args, size_t n_args, void *user)
{
    (void)args, (void)n_args;
    settings *o = user;
    if (!o->is_mcp)
        o->signals = block_signals();
    return CLI_DONE;
}

static int run(dpl_ctx *ctx, char **args, size_t n_args, void *user)
{
    const settings *o = user;
    (void)n_args;
    return o->is_mcp ? serve_mcp(o, ctx, args[0]) : serve(user, ctx, args[0], &o->signals);
}

const cli_command cli_serve = {
    .name = "serve",
    .summary = "serve an index or the results of mining to a browser",
    .synopsis = "POCKET|DIR",
    .about =
        "Answer HTTP requests about a pocket index ('doppel index build') or the folder of a "
        "mine run: a page for people at /, JSON for programs under /api/v1/ "
        "(docs/reference/openapi.yaml), /healthz, and /metrics for Prometheus.\n"
        "\n"
        "Of an index: documents similar to a text, or to one of its documents, with the words "
        "and passages that match. Of a mine run: its pairs side by side, and with --links its "
        "missing and suspicious links. Both can be accepted or rejected; that is written at "
        "once to DIR/judgements.tsv, which 'doppel mine --known' takes.\n"
        "\n"
        "With --mcp it answers the Model Context Protocol on standard input and output: tools "
        "query, passages, dedup-check and document of an index, query and passages of a run, "
        "and align, each with a schema of its arguments.\n"
        "\n"
        "It listens on the loopback address, so that other machines cannot connect, unless "
        "--bind says otherwise; --token FILE asks everybody for a token then. There is no "
        "encryption: a proxy in front of it adds that. The address is "
        "printed to standard output. SIGINT and SIGTERM end it after the requests under way.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-mine(1)",
    .argument = "POCKET|DIR",
    .min_args = 1,
    .max_args = 1,
    .complete = CLI_FILES,
    .check = check,
    .ends_at_once = true,
    .work = run,
    CLI_DEFAULTS(defaults),
};
