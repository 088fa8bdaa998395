/*
 * foreign.c - files that are not text: known by their first bytes, and named.
 *
 * What people have beside their documents is in the table, with the code of the hint that says
 * how to convert it; a zero byte in the first kilobytes makes anything else binary. (UTF-16 was
 * converted before, and EPUB, DOCX and ODT are read: package.c names other ZIP files.)
 */
#include "readers/foreign.h"

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
    /* ---- documents */
    MAGIC(0, "%PDF-", "a PDF file", "file-pdf"),
    MAGIC(0, "%!PS", "a PostScript file", "file-postscript"),
    MAGIC(0, "AT&TFORM", "a DjVu file", "file-djvu"),
    MAGIC(60, "BOOKMOBI", "a Mobipocket book", "file-mobi"),
    MAGIC(60, "TEXtREAd", "a Palm book", "file-mobi"),
    MAGIC(0, "ITSF\3\0\0\0", "a compiled help file (CHM)", "file-chm"),
    MAGIC(0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an old Office file (DOC, XLS, PPT)",
          "file-office"),
    MAGIC(0, "{\\rtf", "an RTF document", "file-office"),
    MAGIC(0, "\xFFWPC", "a WordPerfect document", "file-office"),
    /* ---- tables and databases */
    MAGIC(0, "PAR1", "a Parquet file", "file-parquet"),
    MAGIC(0, "ARROW1\0\0", "an Arrow file", "file-parquet"),
    MAGIC(0, "FEA1", "a Feather file", "file-parquet"),
    MAGIC(0, "\xFF\xFF\xFF\xFF\x10\0\0\0\0\0\x0A\0", "an Arrow stream", "file-parquet"),
    MAGIC(0, "ORC\n", "an ORC file", "file-orc"),
    MAGIC(0, "ORC\x08", "an ORC file", "file-orc"),
    MAGIC(0, "Obj\1", "an Avro file", "file-avro"),
    MAGIC(0, "SQLite format 3", "an SQLite database", "file-sqlite"),
    MAGIC(0, "\x89HDF\r\n\x1A\n", "an HDF5 file", "file-binary"),
    MAGIC(0, "\x93NUMPY", "a NumPy array", "file-numpy"),
    MAGIC(0, "\x89\x44PL\r\n\x1A\n", "a file of doppel", "file-doppel"),
    /* ---- archives and compression */
    MAGIC(0, "PK\3\4", "a ZIP archive", "file-archive"),
    MAGIC(0, "PK\5\6", "an empty ZIP archive", "file-archive"),
    MAGIC(0, "Rar!", "a RAR archive", "file-archive"),
    MAGIC(0, "7z\xBC\xAF\x27\x1C", "a 7-Zip archive", "file-archive"),
    MAGIC(257, "ustar", "a tar archive", "file-archive"),
    MAGIC(0, "!<arch>\n", "an ar archive or Debian package", "file-archive"),
    MAGIC(0, "MSCF\0\0\0\0", "a CAB archive", "file-archive"),
    MAGIC(0, "070701", "a cpio archive", "file-archive"),
    MAGIC(0, "\xED\xAB\xEE\xDB", "an RPM package", "file-archive"),
    MAGIC(0, "\x04\x22\x4D\x18", "a file compressed with lz4", "file-packed"),
    MAGIC(0, "LZIP", "a file compressed with lzip", "file-packed"),
    MAGIC(0, "\x89LZO\0\r\n\x1A\n", "a file compressed with lzop", "file-packed"),
    MAGIC(0, "\x1F\x9D", "a file compressed with compress", "file-packed"),
    MAGIC(0, "\xFF\x06\0\0sNaPpY", "a file compressed with Snappy", "file-packed"),
    /* ---- images, sound, fonts */
    MAGIC(0, "\x89PNG", "an image", "file-image"),
    MAGIC(0, "\xFF\xD8\xFF", "an image", "file-image"),
    MAGIC(0, "GIF87a", "an image", "file-image"),
    MAGIC(0, "GIF89a", "an image", "file-image"),
    MAGIC(0, "II*\0", "an image", "file-image"),
    MAGIC(0, "MM\0*", "an image", "file-image"),
    MAGIC(8, "WEBPVP8", "an image", "file-image"),
    MAGIC(4, "ftypavif", "an image", "file-image"),
    MAGIC(4, "ftypheic", "an image", "file-image"),
    MAGIC(4, "ftyp", "a video or sound file", "file-binary"),
    MAGIC(8, "WAVEfmt ", "a sound file", "file-binary"),
    MAGIC(8, "AVI LIST", "a video", "file-binary"),
    MAGIC(0, "OggS\0", "a sound file", "file-binary"),
    MAGIC(0, "fLaC\0", "a sound file", "file-binary"),
    MAGIC(0, "ID3\2", "a sound file", "file-binary"),
    MAGIC(0, "ID3\3", "a sound file", "file-binary"),
    MAGIC(0, "ID3\4", "a sound file", "file-binary"),
    MAGIC(0, "\x1A\x45\xDF\xA3", "a video", "file-binary"),
    MAGIC(0, "wOFF", "a font", "file-binary"),
    MAGIC(0, "wOF2", "a font", "file-binary"),
    MAGIC(0, "OTTO\0", "a font", "file-binary"),
    MAGIC(0, "\0\1\0\0\0", "a font", "file-binary"),
    /* ---- programs */
    MAGIC(0,
          "\x7F"
          "ELF",
          "a program", "file-binary"),
    MAGIC(0, "MZ\x90\0", "a program", "file-binary"),
    MAGIC(0, "\xCF\xFA\xED\xFE", "a program", "file-binary"),
    MAGIC(0, "\xCA\xFE\xBA\xBE", "a program", "file-binary"),
    MAGIC(0, "\0asm", "a program", "file-binary"),
    MAGIC(0, "dex\n035", "a program", "file-binary"),
};

static const dpl__foreign binary = {"a binary file", "file-binary"};

const dpl__foreign *dpl__foreign_magic(dpl_str start)
{
    for (size_t i = 0; i < DPL_LEN(magics); i++) {
        const magic *m = &magics[i];
        if (start.n >= m->at + m->n && memcmp(start.data + m->at, m->bytes, m->n) == 0)
            return &m->is;
    }
    return NULL;
}

const dpl__foreign *dpl__foreign_of(dpl_str start)
{
    const dpl__foreign *known = dpl__foreign_magic(start);
    const size_t n = dpl__min(start.n, DPL__FOREIGN_LOOKED_AT);
    return known ? known : n && memchr(start.data, 0, n) ? &binary : NULL;
}
