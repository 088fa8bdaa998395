/*
 * foreign.c - files that are not text: known by their first bytes, and named.
 *
 * Only what people have beside their documents is in the table; a zero byte in the first
 * kilobytes makes anything else binary. (UTF-16 was converted before.)
 */
#include "text/foreign.h"

#include "base/base.h"

typedef struct magic {
    size_t at, n;
    const char *bytes;
    dpl__foreign is;
} magic;

#define MAGIC(at, bytes, what, code)                                                           \
    {                                                                                          \
        at, sizeof(bytes) - 1, bytes,                                                          \
        {                                                                                      \
            what, code                                                                         \
        }                                                                                      \
    }

static const magic magics[] = {
    MAGIC(0, "%PDF-", "a PDF file", "file-pdf"),
    MAGIC(0, "%!PS", "a PostScript file", "file-postscript"),
    MAGIC(0, "PAR1", "a Parquet file", "file-parquet"),
    MAGIC(0, "ARROW1\0\0", "an Arrow file", "file-parquet"),
    MAGIC(30, "mimetypeapplication/epub+zip", "an EPUB book", "file-epub"),
    MAGIC(30, "mimetypeapplication/vnd.oasis", "an OpenDocument file", "file-office"),
    MAGIC(30, "[Content_Types].xml", "an Office document", "file-office"),
    MAGIC(0, "PK\3\4", "a ZIP archive", "file-archive"),
    MAGIC(0, "Rar!", "a RAR archive", "file-archive"),
    MAGIC(0, "7z\xBC\xAF\x27\x1C", "a 7-Zip archive", "file-archive"),
    MAGIC(257, "ustar", "a tar archive", "file-archive"),
    MAGIC(0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an Office document", "file-office"),
    MAGIC(0, "{\\rtf", "an RTF document", "file-office"),
    MAGIC(0, "SQLite format 3", "an SQLite database", "file-sqlite"),
    MAGIC(0, "WARC/", "a WARC file", "file-warc"),
    MAGIC(0, "\x89PNG", "an image", "file-binary"),
    MAGIC(0, "\xFF\xD8\xFF", "an image", "file-binary"),
    MAGIC(0, "GIF8", "an image", "file-binary"),
    MAGIC(0,
          "\x7F"
          "ELF",
          "a program", "file-binary"),
    MAGIC(0, "\xDE\x12\x04\x95", "a gettext catalogue", "file-catalogue"),
    MAGIC(0, "\x95\x04\x12\xDE", "a gettext catalogue", "file-catalogue"),
};

enum { LOOKED_AT = 4096 };
static const dpl__foreign binary = {"a binary file", "file-binary"};

const dpl__foreign *dpl__foreign_of(dpl_str start)
{
    for (size_t i = 0; i < DPL_LEN(magics); i++) {
        const magic *m = &magics[i];
        if (start.n >= m->at + m->n && memcmp(start.data + m->at, m->bytes, m->n) == 0)
            return &m->is;
    }
    size_t n = dpl__min(start.n, LOOKED_AT);
    return n && memchr(start.data, 0, n) ? &binary : NULL;
}
