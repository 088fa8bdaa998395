#include "readers/zim/zim_file.h"

#include "io/codec.h"
#include "readers/wiki/dump_test.h"
#include "test.h"

#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- a writer of ZIM files -------------------------------------------------------------- */

enum { PLAIN = 1, XZ = 4, ZSTD = 5, WIDE = 0x10 };

typedef struct entry {
    char space;
    unsigned type; /* number of the list below; 0xFFFF: redirect */
    uint32_t cluster, blob;
    const char *path, *title;
} entry;

static const char types[] = "text/html\0text/plain\0image/png\0text/html; raw=true\0";
enum { HTML, TEXT, PNG, RAW, REDIRECT = 0xFFFF };

typedef struct file {
    unsigned major, minor;
    unsigned packing; /* of every cluster */
    const entry *entries;
    uint32_t n_entries;
    const char *const *blobs[3]; /* of each cluster; NULL ends */
    char bytes[1 << 16];
    size_t n;
} file;

static void put(file *f, size_t at, uint64_t value, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        f->bytes[at + i] = (char)(value >> 8 * i);
    f->n = at + n > f->n ? at + n : f->n;
}

static void append(file *f, const void *p, size_t n)
{
    CHECK(f->n + n < sizeof f->bytes);
    memcpy(f->bytes + f->n, p, n);
    f->n += n;
}

static void add_cluster(file *f, const char *const *blobs)
{
    static char inner[1 << 14], packed[1 << 15];
    const unsigned width = f->packing & WIDE ? 8 : 4;
    size_t n_blobs = 0, n_packed = 0;
    while (blobs[n_blobs])
        n_blobs++;
    uint64_t n = (n_blobs + 1) * width;
    for (size_t i = 0; i <= n_blobs; i++) {
        for (unsigned k = 0; k < width; k++)
            inner[i * width + k] = (char)(n >> 8 * k);
        if (i < n_blobs) {
            memcpy(inner + n, blobs[i], strlen(blobs[i]));
            n += strlen(blobs[i]);
        }
    }
    put(f, f->n, f->packing, 1);
    if ((f->packing & 15) == PLAIN) {
        append(f, inner, (size_t)n);
        return;
    }
    if ((f->packing & 15) == XZ) {
        CHECK_EQ(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (uint8_t *)inner, (size_t)n,
                                         (uint8_t *)packed, &n_packed, sizeof packed),
                 LZMA_OK);
    } else {
        n_packed = sizeof packed;
        CHECK(dpl__zstd_pack(packed, &n_packed, (dpl_str){inner, (size_t)n}, 3));
    }
    append(f, packed, n_packed);
}

static void add_entry(file *f, const entry *e)
{
    put(f, f->n, e->type, 2);
    put(f, f->n, 0, 1);
    put(f, f->n, (uint8_t)e->space, 1);
    put(f, f->n, 0, 4);
    put(f, f->n, e->cluster, 4);
    if (e->type != REDIRECT)
        put(f, f->n, e->blob, 4);
    append(f, e->path, strlen(e->path) + 1);
    append(f, e->title, strlen(e->title) + 1);
}

/* As the format is written: header, types, clusters, entries, lists. */
static void write_zim(file *f)
{
    uint64_t entries[16], clusters[3];
    uint32_t n_clusters = 0;
    f->n = 0;
    memset(f->bytes, 0, 80);
    f->n = 80;
    append(f, types, sizeof types);
    for (; n_clusters < 3 && f->blobs[n_clusters]; n_clusters++) {
        clusters[n_clusters] = f->n;
        add_cluster(f, f->blobs[n_clusters]);
    }
    for (uint32_t i = 0; i < f->n_entries; i++) {
        entries[i] = f->n;
        add_entry(f, &f->entries[i]);
    }
    const size_t paths = f->n;
    for (uint32_t i = 0; i < f->n_entries; i++)
        put(f, f->n, entries[i], 8);
    const size_t list = f->n;
    for (uint32_t i = 0; i < n_clusters; i++)
        put(f, f->n, clusters[i], 8);
    put(f, 0, 72173914, 4);
    put(f, 4, f->major, 2);
    put(f, 6, f->minor, 2);
    put(f, 24, f->n_entries, 4);
    put(f, 28, n_clusters, 4);
    put(f, 32, paths, 8);
    put(f, 40, UINT64_MAX, 8);
    put(f, 48, list, 8);
    put(f, 56, 80, 8);
    put(f, 72, f->n, 8);
    append(f, "0123456789abcdef", 16); /* the checksum, which is not looked at */
}

static const char *const pages[] = {"<title>Ebbe</title><p>Die Ebbe f\xC3\xA4llt.",
                                    "Die Flut\nsteigt.",
                                    "<html lang=fr><p>La mar\xC3\xA9"
                                    "e.",
                                    "\x89PNG", NULL};
static const char *const metadata[] = {"deu", NULL};

/* Ordered by namespace and path, as the format asks for. */
static const entry new_entries[] = {
    {'C', HTML, 0, 0, "Ebbe", ""},
    {'C', TEXT, 0, 1, "flut.txt", "Flut"},
    {'C', RAW, 0, 2, "maree",
     "Mar\xC3\xA9"
     "e"},
    {'C', PNG, 0, 3, "welle.png", ""},
    {'C', REDIRECT, 0, 0, "Tiefwasser", "Tiefwasser"},
    {'C', HTML, 0, 0, "Wieder", "Wieder Ebbe"},
    {'M', TEXT, 1, 0, "Language", ""},
    {'W', REDIRECT, 0, 0, "mainPage", ""},
};

static file new_file(unsigned packing)
{
    file f = {.major = 6,
              .minor = 1,
              .packing = packing,
              .entries = new_entries,
              .n_entries = DPL_LEN(new_entries),
              .blobs = {pages, metadata}};
    write_zim(&f);
    return f;
}

static const char expected[] = "Ebbe|Ebbe|Die Ebbe f\xC3\xA4llt.|\n"
                               "flut.txt|Flut|Die Flut\nsteigt.|\n"
                               "maree|Mar\xC3\xA9"
                               "e|La mar\xC3\xA9"
                               "e.|\n";

static dump read_zim(const file *f, const dpl_reader_options *options)
{
    return dump_bytes("a.zim", f->bytes, f->n, options);
}

/* ---- tests ------------------------------------------------------------------------------ */

DPL_TEST(zim, articles_become_documents_however_their_clusters_are_packed)
{
    static const unsigned packings[] = {PLAIN,        0,         XZ,         ZSTD,
                                        PLAIN | WIDE, XZ | WIDE, ZSTD | WIDE};
    for (size_t i = 0; i < DPL_LEN(packings); i++) {
        static file f;
        f = new_file(packings[i] ? packings[i] : PLAIN);
        dump d = read_zim(&f, NULL);
        CHECK_STR(dpl__cstr(d.text), expected);
        CHECK_DROPPED(d, REDIRECT, 2); /* and a second entry of a content */
        CHECK_DROPPED(d, NAMESPACE, 2);
        CHECK_DROPPED(d, MEDIA_TYPE, 1);
        CHECK_EQ(d.counts.n_identified, 0);
        d = dump_bytes("no-ending", f.bytes, f.n, NULL);
        CHECK_STR(dpl__cstr(d.text), expected);
        dump same = dump_with_all_chunks(test_path("a.zim"), NULL);
        CHECK_STR(dpl__cstr(same.text), expected);
    }
    check_read_allocations(test_path("a.zim"), NULL);
}

DPL_TEST(zim, the_language_is_that_of_the_file)
{
    static file f;
    f = new_file(ZSTD);
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .only_lang = "de");
    CHECK_STR(dpl__cstr(read_zim(&f, &o).text), expected);
    /* of a file in two languages, that of the page */
    static const char *const two[] = {"deu,fra", NULL};
    f.blobs[1] = two;
    write_zim(&f);
    o.only_lang = "fr";
    CHECK_STR(dpl__cstr(read_zim(&f, &o).text), "maree|Mar\xC3\xA9"
                                                "e|La mar\xC3\xA9"
                                                "e.|\n");
}

DPL_TEST(zim, older_files_have_articles_in_another_namespace)
{
    static const entry old[] = {{'-', TEXT, 0, 1, "style", ""},
                                {'A', HTML, 0, 0, "Ebbe.html", "Ebbe"},
                                {'C', HTML, 0, 2, "x", ""},
                                {'I', PNG, 0, 3, "welle.png", ""}};
    static file f;
    f = (file){.major = 5, .packing = XZ, .entries = old, .n_entries = 4, .blobs = {pages}};
    write_zim(&f);
    dump d = read_zim(&f, NULL);
    CHECK_STR(dpl__cstr(d.text), "Ebbe.html|Ebbe|Die Ebbe f\xC3\xA4llt.|\n");
    CHECK_DROPPED(d, NAMESPACE, 3);
}

DPL_TEST(zim, what_lies_outside_of_the_file_is_named_or_skipped)
{
    static const entry bad[] = {{'C', HTML, 0, 9, "no-blob", ""},
                                {'C', HTML, 7, 0, "no-cluster", ""},
                                {'C', REDIRECT, 99, 0, "nowhere", ""},
                                {'C', TEXT, 0, 1, "sound", ""}};
    static file f;
    f = (file){.major = 6,
               .minor = 1,
               .packing = ZSTD,
               .entries = bad,
               .n_entries = 4,
               .blobs = {pages}};
    write_zim(&f);
    dump d = read_zim(&f, NULL);
    CHECK_STR(dpl__cstr(d.text), "sound|sound|Die Flut\nsteigt.|\n"
                                 "! 'DIR/a.zim/no-blob': its cluster has no blob 9\n");
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    d = read_zim(&f, &o);
    CHECK_STR(dpl__cstr(d.text), "sound|sound|Die Flut\nsteigt.|\n");
    CHECK_DROPPED(d, MALFORMED, 3);
    o.max_record = 40; /* the cluster takes more */
    d = read_zim(&f, &o);
    CHECK_DROPPED(d, LONG, 2);
}

DPL_TEST(zim, headers_that_lie_are_refused)
{
    static file f;
    f = new_file(XZ);
    put(&f, 4, 7, 2);
    CHECK_STR(dpl__cstr(read_zim(&f, NULL).text),
              "! 'DIR/a.zim': ZIM version 7.1; versions 5 and 6 are read\n");
    f = new_file(XZ);
    f.n = 60;
    CHECK_STR(dpl__cstr(read_zim(&f, NULL).text),
              "! 'DIR/a.zim': the ZIM file ends in its header\n");
    f = new_file(XZ);
    put(&f, 24, UINT32_MAX, 4);
    CHECK(strstr(read_zim(&f, NULL).text, "lies behind its end"));
    f = new_file(XZ);
    put(&f, 56, UINT64_MAX, 8);
    CHECK(strstr(read_zim(&f, NULL).text, "media types does not end"));
    CHECK(strstr(dump_bytes("b.zim", "hello", 5, NULL).text, "not a ZIM file"));
}

/* Every byte of the file, changed: an error or other documents, never a crash; and every file
 * that is cut. */
DPL_TEST(zim, damage_is_survived)
{
    static const unsigned packings[] = {PLAIN, XZ, ZSTD};
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP, .lang = "de");
    for (size_t k = 0; k < DPL_LEN(packings); k++) {
        static file f, broken;
        f = new_file(packings[k]);
        for (size_t i = 0; i < f.n; i += 3) {
            broken = f;
            broken.bytes[i] ^= (char)(1u << i % 8);
            (void)read_zim(&broken, &o);
            broken = f;
            broken.n = i;
            (void)read_zim(&broken, &o);
        }
    }
}
