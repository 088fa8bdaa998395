#include "io/zip_writer.h"

#include "io/zip.h"
#include "test.h"

typedef struct file {
    char bytes[4096];
    size_t n;
} file;

static void keep(void *user, const char *data, size_t n)
{
    file *f = user;
    CHECK(f->n + n <= sizeof f->bytes);
    memcpy(f->bytes + f->n, data, n);
    f->n += n;
}

DPL_TEST(zip_writer, members_come_back)
{
    dpl_ctx *ctx = test_ctx(1);
    static file f;
    f.n = 0;
    dpl__zip_writer z = {.ctx = ctx, .put = keep, .user = &f};
    dpl__zip_add(&z, "mimetype", DPL_STR("a/b"));
    dpl__zip_add(&z, "folder/empty", (dpl_str){"", 0});
    dpl__zip_add(&z, "m\xC3\xA4r", DPL_STR("some bytes of it"));
    dpl__zip_finish(&z);
    CHECK(!z.has_failed);
    dpl__zip_writer_clear(&z);
    CHECK(memcmp(f.bytes + 30, "mimetypea/b", 11) == 0); /* as EPUB asks for */
    dpl__arena arena;
    dpl__zip zip;
    dpl_str text;
    dpl__arena_init(&arena, ctx);
    CHECK_OK(dpl__zip_open(&zip, &arena, (dpl_str){f.bytes, f.n}, &test_err));
    CHECK_EQ(zip.n, 3);
    const dpl__zip_member *m = dpl__zip_find(&zip, DPL_STR("m\xC3\xA4r"));
    CHECK(m != NULL);
    CHECK_OK(dpl__zip_read(&zip, m, 100, &text, &test_err));
    CHECK_STR(text, "some bytes of it");
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}
