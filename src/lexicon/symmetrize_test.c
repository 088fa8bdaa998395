#include "lexicon/symmetrize.h"

#include "base/hash.h"
#include "test.h"

enum { MOST = 12, NO = -1 };

/* Numbers of the other side's words, NO for none, as in dpl__symmetrize; the links that come
 * out as "i-j i-j ". */
static const char *symmetrized(dpl__symmetry how, const int *left_of, size_t n_right,
                               const int *right_of, size_t n_left)
{
    static char text[1000];
    uint8_t matrix[MOST * MOST], taken[2 * MOST];
    uint32_t a[MOST], b[MOST];
    for (size_t j = 0; j < n_right; j++)
        a[j] = left_of[j] == NO ? DPL__UNALIGNED : (uint32_t)left_of[j];
    for (size_t i = 0; i < n_left; i++)
        b[i] = right_of[i] == NO ? DPL__UNALIGNED : (uint32_t)right_of[i];
    dpl__symmetrize(matrix, taken, how, &(dpl__directions){a, n_right, b, n_left});
    char *at = text;
    for (size_t i = 0; i < n_left; i++)
        for (size_t j = 0; j < n_right; j++)
            if (matrix[i * n_right + j]) {
                *at++ = (char)('0' + i);
                *at++ = '-';
                *at++ = (char)('0' + j);
                *at++ = ' ';
            }
    *at = 0;
    return text;
}

#define CHECK_LINKS(how, expected)                                                             \
    CHECK_STR(                                                                                 \
        dpl__cstr(symmetrized(how, left_of, DPL_LEN(left_of), right_of, DPL_LEN(right_of))),   \
        expected)

DPL_TEST(symmetrize, intersection_and_union)
{
    const int left_of[] = {0, 0, 2}, right_of[] = {0, NO, 2};
    CHECK_LINKS(DPL__SYMMETRY_INTERSECTION, "0-0 2-2 ");
    CHECK_LINKS(DPL__SYMMETRY_UNION, "0-0 0-1 2-2 ");
}

/* Right word 1 is next to 0-0 and has nothing yet; right word 3 is not next to anything. */
DPL_TEST(symmetrize, grows_to_neighbours_that_have_nothing)
{
    const int left_of[] = {0, 0, 2, 0}, right_of[] = {0, NO, 2};
    CHECK_LINKS(DPL__SYMMETRY_GROW_DIAG, "0-0 0-1 2-2 ");
}

/* 1-1 and 2-2 are reached one after the other. */
DPL_TEST(symmetrize, grows_along_a_diagonal)
{
    const int left_of[] = {0, 1, NO}, right_of[] = {0, NO, 2};
    CHECK_LINKS(DPL__SYMMETRY_GROW_DIAG, "0-0 1-1 2-2 ");
}

/* From 1-1 it grows to 0-0; 0-1 is next to both, but its words have links then. */
DPL_TEST(symmetrize, does_not_grow_between_words_that_have_links)
{
    const int left_of[] = {0, 1}, right_of[] = {1, 1};
    CHECK_LINKS(DPL__SYMMETRY_GROW_DIAG, "0-0 1-1 ");
}

/* 3-0 and 3-4 are far from everything; 3-0 is the right word's choice and comes first. */
DPL_TEST(symmetrize, final_takes_what_is_free_on_both_sides)
{
    const int left_of[] = {3, NO, 1, NO, NO}, right_of[] = {NO, 2, NO, 4};
    CHECK_LINKS(DPL__SYMMETRY_GROW_DIAG, "1-2 ");
    CHECK_LINKS(DPL__SYMMETRY_GROW_DIAG_FINAL_AND, "1-2 3-0 ");
}

DPL_TEST(symmetrize, empty_alignments_stay_empty)
{
    const int left_of[] = {NO, NO}, right_of[] = {NO};
    for (int how = 0; how <= DPL__SYMMETRY_GROW_DIAG_FINAL_AND; how++)
        CHECK_LINKS((dpl__symmetry)how, "");
}

/* Intersection <= grow-diag <= grow-diag-final-and <= union, on random alignments. */
DPL_TEST(symmetrize, each_way_is_within_the_next)
{
    dpl__rng rng = {5};
    static const dpl__symmetry ways[] = {DPL__SYMMETRY_INTERSECTION, DPL__SYMMETRY_GROW_DIAG,
                                         DPL__SYMMETRY_GROW_DIAG_FINAL_AND,
                                         DPL__SYMMETRY_UNION};
    for (int round = 0; round < 500; round++) {
        size_t n_left = 1 + dpl__rng_below(&rng, MOST),
               n_right = 1 + dpl__rng_below(&rng, MOST);
        uint32_t left_of[MOST], right_of[MOST];
        for (size_t j = 0; j < n_right; j++)
            left_of[j] = dpl__rng_below(&rng, 5) ? (uint32_t)dpl__rng_below(&rng, n_left)
                                                 : DPL__UNALIGNED;
        for (size_t i = 0; i < n_left; i++)
            right_of[i] = dpl__rng_below(&rng, 5) ? (uint32_t)dpl__rng_below(&rng, n_right)
                                                  : DPL__UNALIGNED;
        uint8_t before[MOST * MOST] = {0}, matrix[MOST * MOST], taken[2 * MOST];
        for (size_t k = 0; k < DPL_LEN(ways); k++) {
            dpl__symmetrize(matrix, taken, ways[k],
                            &(dpl__directions){left_of, n_right, right_of, n_left});
            for (size_t c = 0; c < n_left * n_right; c++)
                CHECK(matrix[c] >= before[c]);
            memcpy(before, matrix, n_left * n_right);
        }
    }
}
