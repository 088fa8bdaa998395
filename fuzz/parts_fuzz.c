/*
 * parts_fuzz.c - hostile part files: pairs, n-grams, signatures, collections.
 *
 * Each input is opened as it is, and with all checksums made right, as the only part of one.
 * Properties: what opens and merges can be walked; pairs come in order, with rows that have
 * ids.
 */
#define _GNU_SOURCE /* memfd_create */
#include "files.h"

#include "doppel/pairs.h"

#include <stdlib.h>
#include <unistd.h>

static void walk_pairs(const dpl_parts *parts)
{
    dpl_pairs *pairs = NULL;
    dpl_pair pair, last = {0};
    bool is_first = true;
    if (dpl_pairs_merge_open(&pairs, parts, NULL, NULL) != DPL_OK)
        return;
    const dpl_pairs_summary *s = dpl_pairs_get_summary(pairs);
    const bool has_one_numbering = s->method == DPL_PAIRS_NGRAM;
    const uint32_t n_right = has_one_numbering ? s->n_left : s->n_right;
    while (dpl_pairs_next(pairs, &pair, NULL) == DPL_OK) {
        REQUIRE(pair.left < s->n_left && pair.right < n_right);
        REQUIRE(is_first || last.left <= pair.left);
        fuzz_touch(dpl_pairs_id(pairs, false, pair.left));
        fuzz_touch(dpl_pairs_id(pairs, true, pair.right));
        last = pair;
        is_first = false;
    }
    dpl_pairs_close(pairs);
}

static void merge_file(dpl_ctx *ctx, const dpl_parts *parts, bool is_collection)
{
    char out[] = "/tmp/doppel-fuzz-XXXXXX";
    const int fd = mkstemp(out);
    REQUIRE(fd >= 0);
    close(fd);
    dpl_collection *c = NULL;
    dpl_signatures *s = NULL;
    if (is_collection) {
        if (dpl_import_merge(NULL, parts, out, NULL, NULL) == DPL_OK)
            dpl_collection_open(&c, ctx, out, NULL); /* forged numbers may not add up */
    } else if (dpl_sign_merge(NULL, parts, out, NULL) == DPL_OK) {
        dpl_signatures_open(&s, ctx, out, NULL); /* the rows need not be signatures */
    }
    dpl_collection_close(c);
    dpl_signatures_close(s);
    unlink(out);
}

static void open_file(dpl_ctx *ctx, const char *path)
{
    dpl_parts *parts = NULL;
    if (dpl_parts_open(&parts, ctx, &path, 1, NULL) != DPL_OK)
        return;
    const char *kind = dpl_parts_get_info(parts).kind;
    if (strcmp(kind, "pairs") == 0)
        walk_pairs(parts);
    else if (strcmp(kind, "collection") == 0 || strcmp(kind, "signatures") == 0)
        merge_file(ctx, parts, strcmp(kind, "collection") == 0);
    dpl_parts_close(parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    fuzz_open_both(data, n, open_file);
    return 0;
}
