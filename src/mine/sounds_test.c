#include "mine/sounds.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>

/* 1: the same; 0: nothing in common. */
static double alike(const char *a, const char *b)
{
    dpl__sound_prices p;
    dpl__sound_prices_set(&p);
    dpl__sounds x = dpl__sounds_of(&p, dpl__cstr(a)), y = dpl__sounds_of(&p, dpl__cstr(b));
    const float mean = (x.weight + y.weight) / 2;
    return mean > 0 ? fmax(0, 1 - (double)(dpl__sounds_price(&p, &x, &y, mean) / mean)) : 0;
}

DPL_TEST(sounds, that_languages_exchange_are_near)
{
    CHECK(alike("david", "david") == 1);
    CHECK(alike("david", "tavit") > 0.8);
    CHECK(alike("david", "dawud") > alike("david", "simon"));
    CHECK(alike("peter", "petro") > 0.7);
    CHECK(alike("philip", "filipo") > 0.8);
    CHECK(alike("moses", "mksbr") < 0.5);
    CHECK(alike("david", "davidpa") > 0.8);
    CHECK(alike("dvd", "david") > 0.7);
    CHECK(alike("", "") == 0);
}

static dpl__sounds make_word(const dpl__sound_prices *p, dpl__rng *rng)
{
    static const char letters[] = "bpvfdtgklrszmnaeiouwyhj";
    char word[DPL__MOST_SOUNDS];
    const size_t n = dpl__rng_below(rng, sizeof word + 1);
    for (size_t i = 0; i < n; i++)
        word[i] = letters[dpl__rng_below(rng, sizeof letters - 1)];
    return dpl__sounds_of(p, (dpl_str){word, n});
}

DPL_TEST(sounds, no_price_is_below_the_bound)
{
    dpl__rng rng = {dpl__mix(7)};
    dpl__sound_prices p;
    unsigned n_equal = 0;
    dpl__sound_prices_set(&p);
    for (int turn = 0; turn < 100000; turn++) {
        const dpl__sounds a = make_word(&p, &rng), b = make_word(&p, &rng);
        const float bound = dpl__sounds_bound(&p, a.kind, b.kind),
                    price = dpl__sounds_price(&p, &a, &b, 1000);
        CHECK(bound <= price);
        CHECK(bound == dpl__sounds_bound(&p, b.kind, a.kind));
        n_equal += bound > price / 2;
        /* Up to `most` it is the price, beyond something above it. */
        const float most = price * (float)dpl__rng_below(&rng, 3) / 2,
                    cut = dpl__sounds_price(&p, &a, &b, most);
        CHECK(price < most - 1e-3f ? cut == price : cut > most - 1e-3f);
    }
    CHECK(n_equal > 20000);
}
