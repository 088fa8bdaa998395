/*
 * package_fuzz.c - EPUB, DOCX and ODT: bytes as a ZIP file, and bytes as the members of one
 * that is sound. Properties: valid text; the policy that skips never fails; what is unpacked
 * stays within the limit.
 */
#include "documents.h"

#include <zlib.h>

typedef struct member {
    const char *name;
    const char *text; /* NULL: from the input */
} member;

static const char container[] = "<container><rootfile full-path='o/b.opf'/></container>";
static const char opf[] =
    "<package><dc:title xmlns:dc='d'>T</dc:title><item id='c' href='c.xhtml' "
    "media-type='text/html'/><itemref idref='c'/></package>";
static const char rels[] =
    "<R><Relationship Type='x/officeDocument' Target='word/document.xml'/></R>";

static const member kinds[][6] = {
    {{"META-INF/container.xml", container}, {"o/b.opf", NULL}, {"o/c.xhtml", NULL}, {0}},
    {{"META-INF/container.xml", container}, {"o/b.opf", opf}, {"o/c.xhtml", NULL}, {0}},
    {{"META-INF/container.xml", NULL},
     {"o/b.opf", opf},
     {"META-INF/encryption.xml", NULL},
     {0}},
    {{"[Content_Types].xml", "<T/>"},
     {"_rels/.rels", rels},
     {"word/document.xml", NULL},
     {"word/footnotes.xml", NULL},
     {"word/styles.xml", NULL}},
    {{"mimetype", "application/vnd.oasis.opendocument.text"},
     {"content.xml", NULL},
     {"meta.xml", NULL},
     {"styles.xml", NULL},
     {0}},
};

static void put(dpl__bytes *out, uint32_t value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        FUZZ_CHECK(dpl__vec_push(fuzz_ctx(), out, i < 4 ? (char)(value >> 8 * i) : 0));
}

static void append(dpl__bytes *out, const char *p, size_t n)
{
    FUZZ_CHECK(dpl__vec_append(fuzz_ctx(), out, p, n));
}

/* Header fields from the flags on, which both headers share. */
static void put_common(dpl__bytes *out, dpl_str text, size_t n_name)
{
    put(out, 0, 8); /* flags, method, time */
    put(out, (uint32_t)crc32(0, (const Bytef *)text.data, (uInt)text.n), 4);
    put(out, (uint32_t)text.n, 4);
    put(out, (uint32_t)text.n, 4);
    put(out, (uint32_t)n_name, 2);
}

static void add_member(dpl__bytes *zip, dpl__bytes *directory, const char *name, dpl_str text)
{
    const size_t n_name = strlen(name), offset = zip->n;
    append(zip, "PK\3\4\24\0", 6);
    put_common(zip, text, n_name);
    put(zip, 0, 2);
    append(zip, name, n_name);
    append(zip, text.data, text.n);
    append(directory, "PK\1\2\24\0\24\0", 8);
    put_common(directory, text, n_name);
    put(directory, 0, 12);
    put(directory, (uint32_t)offset, 4);
    append(directory, name, n_name);
}

/* The input, cut at zero bytes, becomes the members that have no text of their own. */
static void check_members(const member *kind, dpl_str input)
{
    dpl__bytes zip = {0}, directory = {0};
    unsigned n = 0;
    for (; n < 6 && kind[n].name; n++) {
        dpl_str text = dpl__cstr(kind[n].text);
        if (!text.data) {
            const char *end = input.n ? memchr(input.data, 0, input.n) : NULL;
            text = (dpl_str){input.data, end ? (size_t)(end - input.data) : input.n};
            const size_t taken = text.n + (end != NULL);
            input = (dpl_str){input.data + taken, input.n - taken};
        }
        add_member(&zip, &directory, kind[n].name, text);
    }
    const uint32_t offset = (uint32_t)zip.n;
    append(&zip, directory.data, directory.n);
    append(&zip, "PK\5\6\0\0\0\0", 8);
    put(&zip, n, 2);
    put(&zip, n, 2);
    put(&zip, (uint32_t)directory.n, 4);
    put(&zip, offset, 4);
    put(&zip, 0, 2);
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .max_record = 1 << 20, .chapters = zip.n % 2);
    fuzz_read_document("x.epub", o, (dpl_str){zip.data, zip.n}, NULL);
    dpl__vec_clear(fuzz_ctx(), &zip, &directory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const dpl_str input = {(const char *)data, n};
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .max_record = 1 << 20);
    if (n && data[0] < DPL_LEN(kinds))
        check_members(kinds[data[0]], (dpl_str){input.data + 1, n - 1});
    else
        fuzz_read_document("x.epub", o, input, NULL);
    return 0;
}
