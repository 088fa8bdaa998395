#include "pairs/hash_grid.h"

#include "test.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

DPL_TEST(hash_grid, parameters_that_are_given_stay_and_all_others_are_tried)
{
    dpl_ctx *ctx = test_ctx(1);
    for (int f = 0; dpl_hash_get_function_info((dpl_hash_function)f); f++)
        for (unsigned given = 0; given < 8; given++) {
            const dpl_hash_function_info *info =
                dpl_hash_get_function_info((dpl_hash_function)f);
            const bool has_radix = f == DPL_HASH_FUZZY, has_width = f == DPL_HASH_PSTABLE;
            dpl_hash_options fixed =
                DPL_INIT(dpl_hash_options, .function = (dpl_hash_function)f,
                         .length = given & 1 ? 7 : 0, .codes = given & 2 ? 5 : 0);
            fixed.radix = given & 4 && has_radix ? 9 : 0;
            fixed.width = given & 4 && has_width ? 1.25 : 0;
            dpl__hash_settings all = {0};
            CHECK_OK(dpl__hash_settings_fill(&all, ctx, &fixed, &test_err));
            const size_t n_each = (given & 4) || (!has_radix && !has_width) ? 1
                                  : has_radix                               ? 3
                                                                            : 6;
            CHECK(given & 1 ? all.n == n_each : all.n > 5 * n_each - 1);
            CHECK_EQ(all.n % n_each, 0);
            for (size_t i = 0; i < all.n; i++) {
                const dpl_hash_options *o = &all.data[i];
                CHECK_EQ(o->function, f);
                CHECK(o->length > 0 && o->length <= info->length_most);
                CHECK(o->codes > 0 && o->codes <= info->codes_most);
                CHECK(!(given & 1) || o->length == 7);
                CHECK(!(given & 2) || o->codes == 5);
                CHECK(!(given & 4) || (o->radix == fixed.radix && o->width == fixed.width));
                CHECK(!has_radix || o->radix >= 2);
                CHECK(!has_width || o->width > 0);
                CHECK(f != DPL_HASH_SIMHASH || (given & 2) || o->length * o->codes <= 64);
                CHECK(f != DPL_HASH_MINHASH || o->length * o->codes <= 4096);
                for (size_t k = 0; k < i; k++)
                    CHECK(all.data[k].length != o->length || all.data[k].radix != o->radix ||
                          all.data[k].width != o->width);
                dpl_hash *hash = NULL; /* none is out of range */
                dpl_hash_options some = *o;
                some.codes = 1;
                CHECK(f == DPL_HASH_FUZZY ||
                      dpl_hash_new(&hash, ctx, &some, NULL, &test_err) == DPL_OK);
                dpl_hash_free(hash);
            }
            dpl__vec_clear(ctx, &all);
        }
    test_ctx_done(ctx);
}

DPL_TEST(hash_grid, numbers_of_codes_rise_up_to_the_most)
{
    const dpl_hash_options any = {0}, five = {.codes = 5};
    for (unsigned most = 1; most < 200; most++) {
        unsigned last = 0;
        size_t i = 0;
        for (unsigned n; (n = dpl__hash_multiplicity(&any, most, i)) > 0; i++) {
            CHECK(n > last && n <= most);
            last = n;
        }
        CHECK(4 * last >= 3 * most || last == most || last == 128); /* not far below */
        CHECK_EQ(dpl__hash_multiplicity(&any, most, i + 1), 0);
        CHECK(i >= dpl__min(most, 8));
        CHECK_EQ(dpl__hash_multiplicity(&five, most, 0), 5);
        CHECK_EQ(dpl__hash_multiplicity(&five, most, 1), 0);
    }
    CHECK_EQ(dpl__hash_multiplicity(&any, 192, 23), 192);
    CHECK_EQ(dpl__hash_multiplicity(&any, 1000, 24), 0);
}

/* Datar et al., in closed form: two rows at distance c in one interval of width w. */
static double in_one_interval(double c, double w)
{
    return 1 - erfc(w / c / sqrt(2)) -
           2 * c / (sqrt(2 * pi) * w) * (1 - exp(-w * w / (2 * c * c)));
}

DPL_TEST(hash_grid, the_model_is_the_probability_to_share_a_code)
{
    for (unsigned k = 1; k < 20; k += 3)
        for (double s = 0; s < 1; s += 0.1) {
            dpl_hash_options o = {.function = DPL_HASH_RP, .length = k};
            CHECK(fabs(dpl__hash_agree(&o, s) - pow(1 - acos(s) / pi, k)) < 1e-12);
            o.function = DPL_HASH_SIMHASH;
            CHECK(fabs(dpl__hash_agree(&o, s) - pow(1 - acos(s) / pi, k)) < 1e-12);
            o.function = DPL_HASH_MINHASH;
            CHECK(fabs(dpl__hash_agree(&o, s) - pow(s, k)) < 1e-12);
            o.function = DPL_HASH_PSTABLE;
            for (o.width = 0.5; o.width < 5; o.width *= 1.5) {
                const double one = in_one_interval(sqrt(2 - 2 * s), o.width);
                CHECK(fabs(dpl__hash_agree(&o, s) - pow(one, k)) < 1e-6);
            }
            CHECK(dpl__hash_agree(&o, 1) == 1);
            CHECK(dpl__hash_agree(&o, 1.5) == 1);
            CHECK(dpl__hash_agree(&o, -1) == dpl__hash_agree(&o, 0));
            o.encoding = DPL_ENCODE_SUMMATION;
            CHECK(dpl__hash_agree(&o, s) < 0);
            o.function = DPL_HASH_FUZZY;
            CHECK(dpl__hash_agree(&o, s) < 0);
        }
}
