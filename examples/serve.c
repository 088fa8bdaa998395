/*
 * serve.c - serves the folder of a mine run or a pocket index for some seconds, then says what
 * was asked for.
 *
 *     example-serve DIR SECONDS
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

/* A line for each request; the library never prints by itself. */
static void print_line(void *user, const char *line, size_t n)
{
    (void)user;
    printf("%.*s\n", (int)n, line);
}

static dpl_status serve(dpl_ctx *ctx, const char *path, double seconds, dpl_error *err)
{
    dpl_server *server = NULL;
    dpl_serve_options options = DPL_INIT(dpl_serve_options);
    dpl_server_counts counts = DPL_INIT(dpl_server_counts);
    options.log = print_line;
    DPL_TRY(dpl_server_open(&server, ctx, path, &options, err));
    printf("%s\n", dpl_server_url(server));
    fflush(stdout);

    struct timespec pause = {(time_t)seconds, 0};
    pause.tv_nsec = (long)(1e9 * (seconds - (double)pause.tv_sec));
    thrd_sleep(&pause, NULL);

    if (!dpl_server_stop(server, 5))
        printf("requests were cut off\n");
    dpl_server_get_counts(server, &counts);
    printf("%llu requests\n", (unsigned long long)counts.n_requests);
    dpl_server_close(server);
    return DPL_OK;
}

int main(int argc, char **argv)
{
    dpl_error err;
    dpl_ctx *ctx = NULL;
    memset(&err, 0, sizeof err);
    if (argc < 3) {
        fprintf(stderr, "usage: example-serve DIR SECONDS\n");
        return 2;
    }
    dpl_status status = dpl_ctx_new(&ctx, NULL, &err);
    if (status == DPL_OK)
        status = serve(ctx, argv[1], atof(argv[2]), &err);
    if (status != DPL_OK)
        fprintf(stderr, "%s\n", err.text);
    dpl_ctx_free(ctx);
    return status == DPL_OK ? 0 : 1;
}
