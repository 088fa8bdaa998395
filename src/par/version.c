/*
 * version.c - what this build is and what it uses.
 */
#include "base/base.h"

#include <bzlib.h>
#include <expat.h>
#include <lzma.h>
#include <unicode/uversion.h>
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

bool dpl_library(size_t i, const char **name, const char **version)
{
    static const char *const names[] = {"ICU", "zstd", "zlib", "bzip2", "xz", "expat"};
    if (i >= DPL_LEN(names))
        return false;
    *name = names[i];
    switch (i) {
    case 0: *version = U_ICU_VERSION; break;
    case 1: *version = ZSTD_versionString(); break;
    case 2: *version = zlibVersion(); break;
    case 3: *version = BZ2_bzlibVersion(); break;
    case 4: *version = lzma_version_string(); break;
    default: *version = XML_ExpatVersion(); break;
    }
    return true;
}
