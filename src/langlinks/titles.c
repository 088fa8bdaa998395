/*
 * titles.c - two sorted arrays of hashes: titles of documents, and aliases of titles.
 */
#include "langlinks/titles.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/lower_bound.h"
#include "base/order.h"
#include "par/sort.h"
#include "tokens/collection.h"
#include "unicode/unicode.h"

#include <unicode/uchar.h>

enum { LONGEST = 1024, MOST_STEPS = 5 /* from redirect to redirect */ };

/* The first character in upper case. */
static size_t put_first(char *out, dpl_str title, size_t *at)
{
    uint32_t c;
    *at = dpl__utf8_first(title);
    if (*at == 0)
        return 0;
    dpl__utf8_decode((const uint8_t *)title.data, &c);
    return dpl__utf8_encode(out, (uint32_t)u_toupper((UChar32)c));
}

uint64_t dpl__title_key(dpl_str title)
{
    char text[LONGEST + 8];
    size_t n = 0, at = 0;
    while (title.n && strchr(" _:", title.data[0]))
        title = (dpl_str){title.data + 1, title.n - 1};
    if (title.n > LONGEST)
        return dpl__hash(title.data, title.n, 1) | 1;
    if (title.n)
        n = put_first(text, title, &at);
    for (; at < title.n && title.data[at] != '#'; at++) {
        char c = title.data[at] == '_' ? ' ' : title.data[at];
        if (c != ' ' || (n && text[n - 1] != ' '))
            text[n++] = c;
    }
    while (n && text[n - 1] == ' ')
        n--;
    return n ? dpl__hash(text, n, 0) | 1 : 0;
}

DPL__ORDER(by_key, dpl__title_entry, DPL__RISING(key))

static dpl_status add_docs(dpl__titles *t, dpl_error *err)
{
    uint32_t n = dpl_collection_get_sizes(t->c)->n_docs;
    for (uint32_t doc = 0; doc < n; doc++) {
        dpl__title_entry e = {dpl__title_key(dpl_collection_doc(t->c, doc).title), doc};
        if (e.key && !dpl__vec_push(t->ctx, &t->docs, e))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

static dpl_status add_aliases(dpl__titles *t, dpl_error *err)
{
    dpl_str lines = dpl__collection_aliases(t->c), line;
    while (dpl__next_line(&line, &lines)) {
        const dpl_str title = dpl__next_column(&line);
        if (line.data)
            DPL_TRY(dpl__titles_add_alias(t, dpl__title_key(title), dpl__title_key(line), err));
    }
    return DPL_OK;
}

dpl_status dpl__titles_init(dpl__titles *t, dpl_ctx *ctx, const dpl_collection *c,
                            dpl_error *err)
{
    *t = (dpl__titles){.ctx = ctx, .c = c};
    DPL_TRY(add_docs(t, err));
    return add_aliases(t, err);
}

void dpl__titles_clear(dpl__titles *t)
{
    if (!t->ctx)
        return;
    dpl__vec_clear(t->ctx, &t->docs, &t->aliases);
}

dpl_status dpl__titles_add_alias(dpl__titles *t, uint64_t key, uint64_t target, dpl_error *err)
{
    dpl__title_entry e = {key, target};
    if (!key || !target || key == target)
        return DPL_OK;
    return dpl__need(dpl__vec_push(t->ctx, &t->aliases, e), err);
}

dpl_status dpl__titles_sort(dpl__titles *t, dpl_error *err)
{
    t->is_sorted = true;
    DPL_TRY(
        dpl__parallel_sort(t->ctx, t->docs.data, t->docs.n, sizeof *t->docs.data, by_key, err));
    return dpl__parallel_sort(t->ctx, t->aliases.data, t->aliases.n, sizeof *t->aliases.data,
                              by_key, err);
}

/* The first entry of the key. */
static bool look_up(const dpl__title_entry *all, size_t n, uint64_t key, uint64_t *value)
{
    size_t at;
    DPL__LOWER_BOUND(at, n, all[at].key < key);
    if (at == n || all[at].key != key)
        return false;
    *value = all[at].value;
    return true;
}

bool dpl__titles_find(const dpl__titles *t, uint64_t key, uint32_t *doc, bool *is_redirected)
{
    assert(t->is_sorted);
    *is_redirected = false;
    for (int step = 0; key && step <= MOST_STEPS; step++) {
        uint64_t value;
        if (look_up(t->docs.data, t->docs.n, key, &value)) {
            *doc = (uint32_t)value;
            return true;
        }
        if (!look_up(t->aliases.data, t->aliases.n, key, &key))
            return false;
        *is_redirected = true;
    }
    return false;
}
