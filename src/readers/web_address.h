/*
 * web_address.h - addresses of pages that are allowed in our files and pages.
 */
#ifndef DPL_READERS_WEB_ADDRESS_H
#define DPL_READERS_WEB_ADDRESS_H

#include "base/base.h"

/* Whether it is "http://..." or "https://..." in characters that need no escape anywhere. */
static inline bool dpl__is_address(dpl_str s)
{
    static const char *const schemes[] = {"http://", "https://"};
    bool has_scheme = false;
    for (size_t i = 0; i < DPL_LEN(schemes); i++) {
        const size_t n = strlen(schemes[i]);
        has_scheme = has_scheme || (s.n > n && memcmp(s.data, schemes[i], n) == 0);
    }
    for (size_t i = 0; i < s.n; i++)
        if (s.data[i] <= ' ' || s.data[i] > '~' || strchr("\"'<>&\\^`{|}", s.data[i]))
            return false;
    return has_scheme && s.n <= 1000;
}

#endif
