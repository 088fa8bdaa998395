#include "tokens/input_ids.h"

#include "base/hash.h"
#include "test.h"

DPL_TEST(input_ids, the_number_of_the_input_is_before_the_first_colon)
{
    static const struct {
        const char *id, *rest;
        size_t number;
    } cases[] = {{"0:a", "a", 0}, {"12:id", "id", 12}, {"7:", "", 7}, {"3:4:5", "4:5", 3}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        dpl_str id = dpl__cstr(cases[i].id);
        CHECK_EQ(dpl__input_number(&id), cases[i].number);
        CHECK_STR(id, cases[i].rest);
    }
}

/* An id is repeated when another document has it, for a new document another new one. */
static bool is_there_again(const uint64_t *hashes, size_t n, size_t n_new, size_t doc)
{
    for (size_t i = 0; i < n; i++)
        if (i != doc && hashes[i] == hashes[doc] && (doc >= n_new || i < n_new))
            return true;
    return false;
}

DPL_TEST(input_ids, repeated_ids_are_those_of_comparing_all)
{
    enum { MOST = 40 };
    dpl__rng rng = {3};
    size_t n_repeated = 0;
    for (int round = 0; round < 500; round++) {
        const size_t n = dpl__rng_below(&rng, MOST), n_new = dpl__rng_below(&rng, n + 1);
        uint64_t hashes[MOST];
        dpl__doc_id ids[MOST];
        uint8_t found[MOST];
        bool has_any = false;
        for (size_t i = 0; i < n; i++) {
            hashes[i] = dpl__mix(dpl__rng_below(&rng, MOST));
            ids[i] = (dpl__doc_id){hashes[i], (uint32_t)i};
        }
        const bool said = dpl__repeated_ids_find(found, ids, n, n_new);
        for (size_t i = 0; i < n; i++) {
            CHECK_EQ(found[i], is_there_again(hashes, n, n_new, i));
            has_any = has_any || found[i];
            n_repeated += found[i];
        }
        CHECK_EQ(said, has_any);
    }
    CHECK(n_repeated > 1000);
}
