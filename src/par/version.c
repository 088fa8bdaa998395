/*
 * version.c - what this build is and what it uses.
 */
#include "base/base.h"

#include <bzlib.h>
#include <expat.h>
#include <lzma.h>
#include <unicode/uchar.h>
#include <unicode/uversion.h>
#ifdef DPL_HAVE_HTTP
#include <microhttpd.h>
#endif
#include <zlib.h>
#include <zstd.h>

const char *dpl_version(void)
{
    return DPL_VERSION;
}

const char *dpl_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}

/* zlib, zstd and liblzma say it plainly; bzip2 adds a date, Expat a prefix. */
static const char *bzip2_version(void)
{
    static char version[16];
    const char *full = BZ2_bzlibVersion();
    size_t n = strcspn(full, ",");
    memcpy(version, full, dpl__min(n, sizeof version - 1));
    return version;
}

static const char *expat_version(void)
{
    const char *full = XML_ExpatVersion();
    const char *number = strchr(full, '_');
    return number ? number + 1 : full;
}

bool dpl_library(size_t i, const char **name, const char **version)
{
    const struct {
        const char *name, *version;
    } libraries[] = {
        {"ICU", U_ICU_VERSION},         {"Unicode", U_UNICODE_VERSION},
        {"zstd", ZSTD_versionString()}, {"zlib", zlibVersion()},
        {"bzip2", bzip2_version()},     {"xz", lzma_version_string()},
        {"expat", expat_version()},
#ifdef DPL_HAVE_HTTP
        {"libmicrohttpd", MHD_get_version()},
#endif
    };
    if (i >= DPL_LEN(libraries))
        return false;
    *name = libraries[i].name;
    *version = libraries[i].version;
    return true;
}
