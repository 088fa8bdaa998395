#include "doppel/dedup.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUPS = 8 };

/* A document with n words of its group, and the rest its own. */
static size_t put_near(char *out, const char *id, unsigned group, unsigned n, unsigned own)
{
    enum { WORDS = 60 };
    size_t at = (size_t)sprintf(out, "{\"id\":\"%s\",\"lang\":\"en\",\"text\":\"", id);
    for (unsigned k = 0; k < WORDS; k++)
        at += (size_t)sprintf(out + at, "w%06u ", k < n ? group * 1000 + k : own * 1000 + k);
    return at + (size_t)sprintf(out + at, "\"}\n");
}

/* Old documents of a group share 52 to 58 of 60 words with the new one; of two that share the
 * most, the one with the smaller id is named. */
DPL_TEST(dedup, a_new_document_is_joined_to_the_old_one_that_it_resembles_most)
{
    enum { OLD = 6 };
    char *text = malloc(1 << 17), *old = malloc(1 << 18);
    unsigned nearest[GROUPS];
    size_t n = 0, n_old = 0;
    dpl__rng rng = {4};
    CHECK(text != NULL && old != NULL);
    for (unsigned g = 0; g < GROUPS; g++) {
        unsigned most = 0;
        char id[16];
        snprintf(id, sizeof id, "new%u", g);
        n += put_near(text + n, id, g, 60, 0);
        for (unsigned i = OLD; i-- > 0;) { /* larger ids first */
            const unsigned shared = 52 + 2 * (unsigned)dpl__rng_below(&rng, 4);
            snprintf(id, sizeof id, "old%u-%u", g, i);
            n_old += put_near(old + n_old, id, g, shared, 500 + g * OLD + i);
            if (shared >= most) {
                most = shared;
                nearest[g] = i;
            }
        }
    }
    dpl_ctx *ctx = test_ctx(2);
    const dpl_input in = {.buffer = {text, n}, .name = "new.jsonl"},
                    against = {.buffer = {old, n_old}, .name = "old.jsonl"};
    const dpl_dedup_options o =
        DPL_INIT(dpl_dedup_options, .against = &against, .n_against = 1, .only_against = true,
                 .threshold = 0.5, .method = DPL_DEDUP_EXACT);
    dpl_dedup_result *r = NULL;
    CHECK_OK(dpl_dedup(&r, ctx, NULL, &in, 1, &o, &test_err));
    for (unsigned g = 0; g < GROUPS; g++) {
        const dpl_dedup_doc d = dpl_dedup_get_doc(r, g);
        char id[16];
        snprintf(id, sizeof id, "old%u-%u", g, nearest[g]);
        CHECK(!d.is_kept);
        CHECK_STR(d.cluster, id);
    }
    dpl_dedup_result_free(r);
    test_ctx_done(ctx);
    free(text);
    free(old);
}
