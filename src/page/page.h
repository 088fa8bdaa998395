/*
 * page.h - the web page as bytes in the library.
 *
 * web/assemble.cmake puts the files of web/ together at build time and computes the hashes for
 * the policy. The page has one inline style, one inline script, and fetches nothing but
 * /api/v1/ of the server that sent it.
 */
#ifndef DPL_PAGE_PAGE_H
#define DPL_PAGE_PAGE_H

#include <stddef.h>

/* The page of the server: a whole HTML document. */
extern const unsigned char dpl__page[];
extern const size_t dpl__page_size;
/* Value of the Content-Security-Policy header it must be sent with. */
extern const char dpl__page_csp[];

#endif
