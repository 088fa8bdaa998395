/*
 * version.c - what this build is and what it uses.
 */
#include "base/base.h"

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

/* The others say it plainly; Expat adds a prefix. */
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
        {"ICU", U_ICU_VERSION},
        {"Unicode", U_UNICODE_VERSION},
        {"zstd", ZSTD_versionString()},
        {"zlib", zlibVersion()},
        {"xz", lzma_version_string()},
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
