/*
 * page_address.c - titles in addresses, as MediaWiki writes them: underscores for blanks,
 * everything that might mean something in an address or in markup as %XX.
 */
#include "langlinks/page_address.h"

#include "base/ascii.h"

static bool is_plain(char c)
{
    return dpl__is_letter_or_digit(c) || (c && strchr("-_.~:/,()!*;@$", c));
}

dpl_str dpl__page_address(dpl__arena *arena, dpl_str site, dpl_str title)
{
    static const char digits[] = "0123456789ABCDEF";
    if (!site.n || !title.n)
        return (dpl_str){"", 0};
    char *out = dpl__arena_alloc(arena, site.n + 3 * title.n);
    if (!out)
        return (dpl_str){NULL, 0};
    size_t n = site.n;
    memcpy(out, site.data, n);
    for (size_t i = 0; i < title.n; i++) {
        const char c = title.data[i] == ' ' ? '_' : title.data[i];
        if (is_plain(c)) {
            out[n++] = c;
            continue;
        }
        out[n++] = '%';
        out[n++] = digits[(uint8_t)c >> 4];
        out[n++] = digits[(uint8_t)c & 15];
    }
    return (dpl_str){out, n};
}
