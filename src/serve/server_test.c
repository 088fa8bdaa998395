#include "doppel/index.h"
#include "doppel/serve.h"
#include "serve/serve_test.h"
#include "serve/server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static dpl_server *open_server(dpl_ctx *ctx, const char *folder, const dpl_serve_options *o)
{
    dpl_server *server = NULL;
    const dpl_status status = dpl_server_open(&server, ctx, folder, o, &test_err);
    if (status == DPL_E_UNSUPPORTED)
        dpl__test_skip("built without libmicrohttpd");
    CHECK_OK(status);
    return server;
}

static int connect_to(const dpl_server *server)
{
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)dpl__server_port(server)),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    CHECK(fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
    return fd;
}

static void say(int fd, const char *text)
{
    CHECK(send(fd, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text));
}

/* What comes within the time, up to `enough`; empty when the connection ends before. */
static const char *hear(int fd, const char *enough, int milliseconds)
{
    static char text[1 << 16];
    size_t n = 0;
    text[0] = 0;
    while (!strstr(text, enough) && n < sizeof text - 1) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        if (poll(&p, 1, milliseconds) != 1)
            return "";
        const ssize_t k = recv(fd, text + n, sizeof text - 1 - n, 0);
        if (k <= 0)
            return "";
        n += (size_t)k;
        text[n] = 0;
    }
    return text;
}

/* Whether the server closes the connection within the time. */
static bool is_closed(int fd, int milliseconds)
{
    char rest[4096];
    struct pollfd p = {.fd = fd, .events = POLLIN};
    while (poll(&p, 1, milliseconds) == 1)
        if (recv(fd, rest, sizeof rest, 0) <= 0)
            return true;
    return false;
}

static const char get_health[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

DPL_TEST(server, answers_and_stops)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_server *server = open_server(ctx, serve_test_folder("answers"), NULL);
    dpl_server_counts counts = DPL_INIT(dpl_server_counts);
    const int fd = connect_to(server);
    for (int i = 0; i < 3; i++) {
        say(fd, get_health);
        const char *answer = hear(fd, "{\"status\":\"ok\"}", 5000);
        CHECK(strncmp(answer, "HTTP/1.1 200 ", 13) == 0);
        CHECK(strstr(answer, "X-Content-Type-Options: nosniff\r\n"));
        CHECK(strstr(answer, "Content-Security-Policy: default-src 'none'"));
        CHECK(!strstr(answer, "Access-Control"));
    }
    say(fd, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(strstr(hear(fd, "\r\n\r\n", 5000), "text/html"));
    CHECK(dpl_server_stop(server, 5));
    CHECK(is_closed(fd, 5000));
    dpl_server_get_counts(server, &counts);
    CHECK_EQ(counts.n_requests, 4);
    CHECK_EQ(counts.n_connections, 1);
    CHECK_EQ(counts.n_open, 0);
    close(fd);
    dpl_server_close(server);
    test_ctx_done(ctx);
}

/* Proxies send the whole address. */
DPL_TEST(server, a_target_with_a_host_is_its_path)
{
    static const struct {
        const char *target, *answer;
    } cases[] = {
        {"http://localhost/healthz", "HTTP/1.1 200 "},
        {"http://localhost", "HTTP/1.1 200 "},
        {"http://localhost/nothing", "HTTP/1.1 404 "},
        {"http:/healthz", "HTTP/1.1 404 "},
        {"//healthz", "HTTP/1.1 404 "},
        {"x", "HTTP/1.1 404 "},
    };
    dpl_ctx *ctx = test_ctx(2);
    dpl_server *server = open_server(ctx, serve_test_folder("targets"), NULL);
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char text[200];
        const int fd = connect_to(server);
        snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n",
                 cases[i].target);
        say(fd, text);
        const char *answer = hear(fd, "\r\n\r\n", 5000);
        if (strncmp(answer, cases[i].answer, strlen(cases[i].answer)) != 0)
            dpl__test_fail(__FILE__, __LINE__, "%s: %.40s", cases[i].target, answer);
        close(fd);
    }
    dpl_server_close(server);
    test_ctx_done(ctx);
}

DPL_TEST(server, large_bodies_are_refused)
{
    static const char large[] = "PUT /api/v1/pairs/0/judgement HTTP/1.1\r\nHost: localhost\r\n"
                                "Content-Type: application/json\r\nContent-Length: 101\r\n\r\n";
    static const char chunked[] =
        "PUT /api/v1/pairs/0/judgement HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl_serve_options o = DPL_INIT(dpl_serve_options, .max_record = 100);
    dpl_server *server = open_server(ctx, serve_test_folder("large"), &o);
    int fd = connect_to(server);
    say(fd, large);
    CHECK(strncmp(hear(fd, "too-large", 5000), "HTTP/1.1 413 ", 13) == 0);
    close(fd);
    fd = connect_to(server);
    say(fd, chunked);
    for (int i = 0; i < 3; i++)
        say(fd, "28\r\n0123456789012345678901234567890123456789\r\n");
    say(fd, "0\r\n\r\n");
    CHECK(strncmp(hear(fd, "too-large", 5000), "HTTP/1.1 413 ", 13) == 0);
    close(fd);
    dpl_server_close(server);
    test_ctx_done(ctx);
}

DPL_TEST(server, a_client_that_sends_slowly_is_closed)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_serve_options o = DPL_INIT(dpl_serve_options, .timeout = 1);
    dpl_server *server = open_server(ctx, serve_test_folder("slow"), &o);
    dpl_server_counts counts = DPL_INIT(dpl_server_counts);
    const int fds[2] = {connect_to(server), connect_to(server)};
    say(fds[0], "GET /healthz HTTP/1.1\r\nHost: ");
    bool are_closed = false;
    for (int i = 0; i < 60 && !are_closed; i++) { /* a byte every tenth of a second, forever */
        for (int k = 0; k < 2; k++)
            send(fds[k], "x", 1, MSG_NOSIGNAL);
        are_closed = is_closed(fds[0], 50) && is_closed(fds[1], 50);
    }
    CHECK(are_closed);
    for (int i = 0; i < 500 && counts.n_closed < 2; i++) { /* counted a moment after */
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        dpl_server_get_counts(server, &counts);
    }
    CHECK_EQ(counts.n_closed, 2);
    close(fds[0]);
    close(fds[1]);
    dpl_server_close(server);
    test_ctx_done(ctx);
}

static void refuses(const dpl_server *server, const char *request, const char *why)
{
    const int fd = connect_to(server);
    say(fd, request);
    const char *answer = hear(fd, "}}", 5000);
    CHECK(strncmp(answer, "HTTP/1.1 400 ", 13) == 0);
    CHECK(strstr(answer, why));
    CHECK(is_closed(fd, 5000));
    close(fd);
}

DPL_TEST(server, requests_that_can_be_read_in_two_ways_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_server *server = open_server(ctx, serve_test_folder("strict"), NULL);
    refuses(server, "GET / HTTP/1.1\r\n\r\n", "no Host");
    refuses(server, "GET / HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n\r\n",
            "more than one Host");
    refuses(server,
            "PUT /api/v1/pairs/0/judgement HTTP/1.1\r\nHost: localhost\r\n"
            "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
            "more than one Content-Length");
    refuses(server,
            "PUT /api/v1/pairs/0/judgement HTTP/1.1\r\nHost: localhost\r\n"
            "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}",
            "in two ways");
    refuses(server,
            "PUT /api/v1/pairs/0/judgement HTTP/1.1\r\nHost: localhost\r\n"
            "Transfer-Encoding: gzip\r\n\r\n{}",
            "not understood");
    refuses(server,
            "PUT /api/v1/pairs/0/judgement HTTP/1.1\r\nHost: localhost\r\n"
            "Content-Length : 2\r\n\r\n{}",
            "not understood");
    dpl_server_close(server);
    test_ctx_done(ctx);
}

/* The head of a judgement with a body of so many bytes. */
static int begin_body(const dpl_server *server, size_t n)
{
    char text[300];
    const int fd = connect_to(server);
    snprintf(text, sizeof text,
             "PUT /api/v1/pairs/0/judgement HTTP/1.1\r\nHost: localhost\r\n"
             "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
             n);
    say(fd, text);
    return fd;
}

DPL_TEST(server, bodies_under_way_have_one_budget)
{
    enum { BODY = 1 << 20, N = 3 };
    dpl_ctx_options few = DPL_INIT(dpl_ctx_options, .memory = 8 * BODY, .n_threads = 1);
    dpl_ctx *ctx = NULL;
    CHECK_OK(dpl_ctx_new(&ctx, &few, &test_err));
    dpl_serve_options o = DPL_INIT(dpl_serve_options, .max_record = BODY);
    dpl_server *server = open_server(ctx, serve_test_folder("bodies"), &o);
    static char piece[BODY - 1];
    int fds[N];
    memset(piece, ' ', sizeof piece);
    for (int i = 0; i < N; i++) { /* a quarter of the memory is for two of them */
        fds[i] = begin_body(server, BODY);
        for (size_t at = 0; at < sizeof piece;) {
            const ssize_t k = send(fds[i], piece + at, sizeof piece - at, MSG_NOSIGNAL);
            if (k <= 0)
                break;
            at += (size_t)k;
        }
        struct timespec pause = {0, 200000000};
        nanosleep(&pause, NULL);
    }
    const int late = begin_body(server, BODY);
    const char *answer = hear(late, "}}", 5000);
    CHECK(strncmp(answer, "HTTP/1.1 503 ", 13) == 0);
    CHECK(strstr(answer, "Retry-After: 1\r\n"));
    const int other = connect_to(server);
    say(other, get_health);
    CHECK(*hear(other, "ok", 5000));
    close(late);
    close(other);
    for (int i = 0; i < N; i++)
        close(fds[i]);
    bool is_taken = false; /* the budget is free again, a moment later */
    for (int i = 0; i < 200 && !is_taken; i++) {
        const int fd = begin_body(server, BODY);
        struct pollfd p = {.fd = fd, .events = POLLIN};
        is_taken = poll(&p, 1, 50) == 0; /* it waits for the body */
        close(fd);
    }
    CHECK(is_taken);
    dpl_server_close(server);
    dpl_ctx_free(ctx);
}

DPL_TEST(server, a_locked_file_of_judgements_holds_nobody_up)
{
    static const char put[] = "PUT /api/v1/pairs/0/judgement HTTP/1.1\r\nHost: localhost\r\n"
                              "Content-Type: application/json\r\nContent-Length: 22\r\n\r\n"
                              "{\"judgement\":\"accept\"}";
    enum { N = 4 };
    dpl_ctx *ctx = test_ctx(1);
    const char *folder = serve_test_folder("locked");
    char path[800];
    snprintf(path, sizeof path, "%s/judgements.tsv", folder);
    const int held = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    CHECK(held >= 0 && flock(held, LOCK_EX) == 0);
    dpl_serve_options o = DPL_INIT(dpl_serve_options, .server_threads = 1);
    dpl_server *server = open_server(ctx, folder, &o);
    int fds[N];
    for (int i = 0; i < N; i++) {
        fds[i] = connect_to(server);
        say(fds[i], put);
    }
    const int other = connect_to(server);
    say(other, get_health);
    CHECK(*hear(other, "ok", 500));
    for (int i = 0; i < N; i++) {
        const char *answer = hear(fds[i], "}}", 5000);
        CHECK(strncmp(answer, "HTTP/1.1 503 ", 13) == 0);
        CHECK(strstr(answer, "another program has locked") && strstr(answer, "Retry-After"));
    }
    say(fds[0], put);
    CHECK(dpl_server_stop(server, 10)); /* not cut off */
    for (int i = 0; i < N; i++)
        close(fds[i]);
    close(other);
    close(held);
    dpl_server_close(server);
    test_ctx_done(ctx);
}

DPL_TEST(server, long_queries_do_not_hold_up_others)
{
    enum { BODY = 4 << 20, N = 3 };
    static const char docs[] =
        "{\"id\": \"a\", \"lang\": \"en\", \"text\": \"The old house by the river.\"}\n"
        "{\"id\": \"b\", \"lang\": \"en\", \"text\": \"Ships reach the harbour.\"}\n";
    static const char short_query[] =
        "POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
        "Content-Length: 9\r\n\r\nold house";
    dpl_ctx *ctx = test_ctx(1);
    dpl_input in = {.buffer = {docs, sizeof docs - 1}};
    const char *path = test_path("long.pocket");
    CHECK_OK(dpl_index_build(NULL, ctx, path, &in, 1, NULL, &test_err));
    dpl_serve_options o = DPL_INIT(dpl_serve_options, .server_threads = 1, .max_record = BODY);
    dpl_server *server = open_server(ctx, path, &o);
    char *body = calloc(1, BODY + 20), head[200];
    CHECK(body);
    for (size_t i = 0; i < BODY; i += 8)
        snprintf(body + i, 9, "w%06zx ", i / 8);
    snprintf(head, sizeof head,
             "POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
             "Content-Length: %d\r\n\r\n",
             (int)BODY);
    int fds[N];
    for (int i = 0; i < N; i++) {
        fds[i] = connect_to(server);
        say(fds[i], head);
        say(fds[i], body);
    }
    const int other = connect_to(server);
    for (int i = 0; i < 3; i++) {
        say(other, get_health);
        CHECK(*hear(other, "ok", 5000));
        say(other, short_query);
        CHECK(*hear(other, "\"hits\":[{", 5000));
    }
    struct pollfd last = {.fd = fds[N - 1], .events = POLLIN};
    CHECK_EQ(poll(&last, 1, 0), 0); /* its turn comes later */
    for (int i = 0; i < N; i++) {
        CHECK(strncmp(hear(fds[i], "\"hits\"", 60000), "HTTP/1.1 200 ", 13) == 0);
        close(fds[i]);
    }
    close(other);
    free(body);
    dpl_server_close(server);
    test_ctx_done(ctx);
}

DPL_TEST(server, silent_connections_make_room)
{
    enum { MOST = 8 };
    dpl_ctx *ctx = test_ctx(1);
    dpl_serve_options o = DPL_INIT(dpl_serve_options, .connections = MOST, .server_threads = 1);
    dpl_server *server = open_server(ctx, serve_test_folder("room"), &o);
    int fds[MOST];
    for (int i = 0; i < MOST; i++)
        fds[i] = connect_to(server);
    struct timespec pause = {1, 300000000};
    nanosleep(&pause, NULL);
    for (int i = 0; i < 3; i++) { /* wait until there is room, then are answered */
        const int fd = connect_to(server);
        say(fd, get_health);
        CHECK(*hear(fd, "ok", 20000));
        close(fd);
    }
    for (int i = 0; i < MOST; i++)
        close(fds[i]);
    dpl_server_close(server);
    test_ctx_done(ctx);
}

static double cpu_seconds(void)
{
    struct timespec t;
    CHECK(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

DPL_TEST(server, without_descriptors_waits_instead_of_spinning)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_server *server = open_server(ctx, serve_test_folder("descriptors"), NULL);
    struct rlimit limit, none;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    const int fd = socket(AF_INET, SOCK_STREAM, 0), next = dup(0);
    CHECK(fd >= 0 && next >= 0);
    close(next);
    none = limit;
    none.rlim_cur = (rlim_t)next; /* the lowest that is free */
    CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)dpl__server_port(server)),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    CHECK(connect(fd, (struct sockaddr *)&at, sizeof at) == 0); /* it waits at the door */
    say(fd, get_health);
    const double before = cpu_seconds();
    CHECK(strcmp(hear(fd, "ok", 600), "") == 0);
    CHECK(cpu_seconds() - before < 0.05);
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    CHECK(strncmp(hear(fd, "{\"status\":\"ok\"}", 5000), "HTTP/1.1 200 ", 13) == 0);
    close(fd);
    dpl_server_close(server);
    test_ctx_done(ctx);
}

/* A burst of clients where there is room for four: they wait at the door, and it goes on. */
DPL_TEST(server, more_clients_than_connections_do_not_stop_it)
{
    dpl_ctx *ctx = test_ctx(2);
    struct rlimit limit, few;
    const int next = dup(0);
    CHECK(next >= 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0);
    close(next);
    few = limit;
    few.rlim_cur = (rlim_t)next + 20;
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    dpl_server *server = open_server(ctx, serve_test_folder("burst"), NULL);
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)dpl__server_port(server)),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fds[60];
    for (size_t i = 0; i < DPL_LEN(fds); i++) {
        fds[i] = socket(AF_INET, SOCK_STREAM, 0);
        CHECK(fds[i] >= 0 && connect(fds[i], (struct sockaddr *)&at, sizeof at) == 0);
    }
    for (size_t i = 0; i < DPL_LEN(fds); i++)
        close(fds[i]);
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(fd >= 0 && connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
    say(fd, get_health);
    CHECK(strncmp(hear(fd, "{\"status\":\"ok\"}", 5000), "HTTP/1.1 200 ", 13) == 0);
    close(fd);
    dpl_server_close(server);
    test_ctx_done(ctx);
}

DPL_TEST(server, bad_addresses_and_ports_are_errors)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_server *server = NULL, *second = NULL;
    dpl_error err = {0};
    const char *folder = serve_test_folder("ports");
    dpl_serve_options o = DPL_INIT(dpl_serve_options, .bind = "no such address");
    CHECK_EQ(dpl_server_open(&server, ctx, folder, &o, &err), DPL_E_USAGE);
    CHECK(strcmp(err.code, "bad-address") == 0);
    server = open_server(ctx, folder, NULL);
    o = (dpl_serve_options)DPL_INIT(dpl_serve_options, .port = dpl__server_port(server));
    CHECK_EQ(dpl_server_open(&second, ctx, folder, &o, &err), DPL_E_IO);
    CHECK(strcmp(err.code, "port-in-use") == 0);
    CHECK(!second);
    dpl_server_close(server);
    CHECK_EQ(dpl_server_open(&second, ctx, test_path("missing"), NULL, &err), DPL_E_IO);
    test_ctx_done(ctx);
}
