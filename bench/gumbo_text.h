/*
 * gumbo_text.h - text of HTML through Gumbo, to compare with.
 */
#ifndef DPL_BENCH_GUMBO_TEXT_H
#define DPL_BENCH_GUMBO_TEXT_H

#include "doppel/text.h"

#include "base/arena.h"

/* As dpl__html_read (readers/html/html.h). */
dpl_status gumbo_text(dpl_doc *doc, dpl__arena *arena, dpl_str html, dpl_error *err);

#endif
