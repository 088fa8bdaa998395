/* Fingerprints of inputs: the same as long as nothing changes, others after any change. */
#include "base/json_writer.h"
#include "test.h"
#include "tokens/input_print.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t print_of(dpl_ctx *ctx, const char *path)
{
    const dpl_input in = {.path = path};
    uint64_t first = 0, again = 1;
    CHECK_OK(dpl__input_print(&first, ctx, &in, &test_err));
    CHECK_OK(dpl__input_print(&again, ctx, &in, &test_err));
    CHECK(first == again);
    return first;
}

static void set_time(const char *path, long seconds, long nanoseconds)
{
    const struct timespec times[2] = {{seconds, nanoseconds}, {seconds, nanoseconds}};
    CHECK(utimensat(AT_FDCWD, path, times, 0) == 0);
}

static const char *write_at(const char *name, const char *text, long seconds)
{
    const char *path = test_write(name, text, strlen(text));
    set_time(path, seconds, 0);
    return path;
}

/* Every step changes one thing about the inputs: all prints are different. */
DPL_TEST(input_print, every_change_of_a_file_or_folder_is_noticed)
{
    dpl_ctx *ctx = test_ctx(1);
    uint64_t prints[16];
    size_t n = 0;
    const char *file = write_at("a.txt", "one", 1000);
    prints[n++] = print_of(ctx, file);
    write_at("a.txt", "three", 1000); /* its size */
    prints[n++] = print_of(ctx, file);
    set_time(file, 1001, 0); /* its time, by seconds and by less */
    prints[n++] = print_of(ctx, file);
    set_time(file, 1001, 5);
    prints[n++] = print_of(ctx, file);
    const char *folder = test_path("folder");
    CHECK(mkdir(folder, 0777) == 0 && mkdir(test_path("folder/below"), 0777) == 0);
    set_time(folder, 2000, 0);
    prints[n++] = print_of(ctx, folder);
    write_at("folder/x.txt", "x", 3000);
    set_time(folder, 2000, 0); /* the folder itself looks as before */
    prints[n++] = print_of(ctx, folder);
    write_at("folder/below/y.txt", "y", 3000);
    set_time(folder, 2000, 0);
    prints[n++] = print_of(ctx, folder);
    set_time(test_path("folder/below/y.txt"), 3001, 0);
    prints[n++] = print_of(ctx, folder);
    CHECK(rename(test_path("folder/x.txt"), test_path("folder/z.txt")) == 0);
    set_time(folder, 2000, 0);
    prints[n++] = print_of(ctx, folder);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            CHECK(prints[i] != prints[k] && prints[i] != 0);
    test_ctx_done(ctx);
}

DPL_TEST(input_print, what_cannot_be_recognised_has_none)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *fifo = test_path("fifo");
    CHECK(mkfifo(fifo, 0600) == 0);
    CHECK_EQ(print_of(ctx, "-"), 0);
    CHECK_EQ(print_of(ctx, fifo), 0);
    CHECK_EQ(print_of(ctx, test_path("missing.txt")), 0);
    uint64_t print = 1;
    CHECK_OK(dpl__input_print(&print, ctx, &(dpl_input){0}, &test_err));
    CHECK_EQ(print, 0);
    test_ctx_done(ctx);
}

/* Bytes of the caller are known by their contents, wherever they lie. */
DPL_TEST(input_print, buffers_are_known_by_their_bytes)
{
    dpl_ctx *ctx = test_ctx(1);
    char a[] = "some text", b[] = "some text", c[] = "some texT";
    const char *const texts[] = {a, b, c};
    uint64_t prints[3];
    for (size_t i = 0; i < DPL_LEN(texts); i++) {
        const dpl_input in = {.buffer = {texts[i], strlen(texts[i])}};
        CHECK_OK(dpl__input_print(&prints[i], ctx, &in, &test_err));
    }
    CHECK(prints[0] == prints[1] && prints[0] != prints[2]);
    test_ctx_done(ctx);
}

DPL_TEST(input_print, a_description_has_name_bytes_and_print)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__json_text text = {.ctx = ctx};
    char expected[4200];
    const char *path = write_at("a.txt", "seven b", 1000);
    const dpl_input in = {.path = path};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '[');
    CHECK_OK(dpl__input_describe(&j, ctx, NULL, &in, &test_err));
    dpl_json_end(&j, ']');
    snprintf(expected, sizeof expected,
             "[{\"path\":\"%s\",\"bytes\":7,\"fingerprint\":\"%016llx\"}]", path,
             (unsigned long long)print_of(ctx, path));
    CHECK_STR(((dpl_str){text.bytes.data, text.bytes.n}), expected);
    dpl__vec_clear(ctx, &text.bytes);
    test_ctx_done(ctx);
}
