#include "doppel/serve.h"
#include "serve/serve_test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
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
                             .sin_port = htons((uint16_t)dpl_server_port(server)),
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

DPL_TEST(server, large_bodies_are_refused)
{
    static const char large[] = "PUT /api/v1/pairs/0/judgement HTTP/1.1\r\nHost: localhost\r\n"
                                "Content-Type: application/json\r\nContent-Length: 101\r\n\r\n";
    static const char chunked[] =
        "PUT /api/v1/pairs/0/judgement HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl_serve_options o = DPL_INIT(dpl_serve_options, .max_body = 100);
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

DPL_TEST(server, silent_connections_make_room)
{
    enum { MOST = 8 };
    dpl_ctx *ctx = test_ctx(1);
    dpl_serve_options o = DPL_INIT(dpl_serve_options, .connections = MOST, .n_threads = 1);
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
    o = (dpl_serve_options)DPL_INIT(dpl_serve_options, .port = dpl_server_port(server));
    CHECK_EQ(dpl_server_open(&second, ctx, folder, &o, &err), DPL_E_IO);
    CHECK(strcmp(err.code, "port-in-use") == 0);
    CHECK(!second);
    dpl_server_close(server);
    CHECK_EQ(dpl_server_open(&second, ctx, test_path("missing"), NULL, &err), DPL_E_IO);
    test_ctx_done(ctx);
}
