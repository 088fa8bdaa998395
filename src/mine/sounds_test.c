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

/* Consonants that languages exchange are near, half-vowels and what is written like them too;
 * vowels cost less than consonants. */
DPL_TEST(sounds, have_a_price_for_each_change)
{
    static const char *const near[] = {"bp", "bv", "bf", "pv", "pf", "vf", "dt", "gk", "gc",
                                       "gq", "gx", "kc", "kq", "kx", "cq", "cx", "qx", "lr",
                                       "sz", "mn", "vw", "uw", "ij", "iy", "jy"};
    static const char vowels[] = "aeiouyhwj";
    dpl__sound_prices p;
    dpl__sound_prices_set(&p);
    for (char a = 'a'; a <= 'z'; a++)
        for (char b = 'a'; b <= 'z'; b++) {
            const bool is_vowel[2] = {strchr(vowels, a), strchr(vowels, b)};
            bool is_near = false;
            for (size_t i = 0; i < DPL_LEN(near); i++)
                is_near |= (near[i][0] == a && near[i][1] == b) ||
                           (near[i][0] == b && near[i][1] == a);
            const float change = p.change[a - 'a'][b - 'a'], want = a == b    ? 0
                                                                    : is_near ? 0.3f
                                                                    : is_vowel[0] && is_vowel[1]
                                                                        ? 0.4f
                                                                        : 1;
            CHECK(fabsf(change - want) < 1e-6f);
            CHECK(p.drop[a - 'a'] == (is_vowel[0] ? 0.4f : 1));
        }
}

static void check_sounds(const char *word, const char *want)
{
    dpl__sound_prices p;
    char letters[DPL__MOST_SOUNDS + 1];
    double weight = 0;
    dpl__sound_prices_set(&p);
    const dpl__sounds s = dpl__sounds_of(&p, dpl__cstr(word));
    for (size_t i = 0; i < s.n; i++) {
        letters[i] = (char)('a' + s.letters[i]);
        weight += (double)p.drop[s.letters[i]];
    }
    letters[s.n] = 0;
    CHECK_STR(dpl__cstr(letters), want);
    CHECK(fabs(weight - (double)s.weight) < 1e-5);
}

DPL_TEST(sounds, of_a_word_are_its_letters_without_doubled_ones)
{
    check_sounds("david", "david");
    check_sounds("anna", "ana");
    check_sounds("aaaa", "a");
    /* an h behind some consonants is no sound of its own */
    check_sounds("philip", "filip");
    check_sounds("bach", "bak");
    check_sounds("shah", "sah");
    check_sounds("thekhghdh", "tekgd");
    check_sounds("phfa", "fa");
    check_sounds("ckh", "ck");
    check_sounds("bhmhahh", "bhmhah");
    check_sounds("h", "h");
    check_sounds("ch", "k");
    check_sounds("", "");
    check_sounds("abcdefghijklmnopqrstuvwxyz", "abcdefgijklmnopqrstu"); /* the first ones */
}

DPL_TEST(sounds, numbers_are_known_by_their_digits)
{
    dpl__sound_prices p;
    dpl__sound_prices_set(&p);
    static const char *const numbers[] = {"0", "9", "a5", "5a", "a0a"};
    for (size_t i = 0; i < DPL_LEN(numbers); i++)
        CHECK(dpl__sounds_of(&p, dpl__cstr(numbers[i])).is_number);
    CHECK(!dpl__sounds_of(&p, DPL_STR("az")).is_number);
    CHECK_EQ(dpl__sounds_of(&p, DPL_STR("a5a")).n, 1); /* what is around it is doubled */
}

DPL_TEST(sounds, are_counted_by_groups)
{
    static const char *const groups[] = {"bpvf", "dt", "gkcqx",    "lr",
                                         "sz",   "mn", "aeiouyhj", "w"};
    dpl__sound_prices p;
    dpl__sound_prices_set(&p);
    for (size_t g = 0; g < DPL_LEN(groups); g++) {
        const dpl__sounds s = dpl__sounds_of(&p, dpl__cstr(groups[g]));
        CHECK_EQ(s.n, strlen(groups[g]));
        for (size_t k = 0; k < 8; k++)
            CHECK_EQ(s.kind >> (8 * k) & 0xFF, k == g ? s.n : 0);
    }
}

/* The least price of all ways to align two words, letter by letter: what is dropped before the
 * first or behind the last common letter of a word counts less. */
static double naive_price(const dpl__sound_prices *p, const dpl__sounds *a,
                          const dpl__sounds *b)
{
    double inside[DPL__MOST_SOUNDS + 1][DPL__MOST_SOUNDS + 1], best = INFINITY;
    for (size_t i = 0; i <= a->n; i++)
        for (size_t j = 0; j <= b->n; j++) {
            double x = INFINITY, end = 0;
            if (!i || !j) { /* all of one at the beginning */
                x = 0;
                for (size_t k = 0; k < i; k++)
                    x += 0.6 * (double)p->drop[a->letters[k]];
                for (size_t k = 0; k < j; k++)
                    x += 0.6 * (double)p->drop[b->letters[k]];
            } else {
                x = fmin(x, inside[i - 1][j - 1] +
                                (double)p->change[a->letters[i - 1]][b->letters[j - 1]]);
                x = fmin(x, inside[i - 1][j] + (double)p->drop[a->letters[i - 1]]);
                x = fmin(x, inside[i][j - 1] + (double)p->drop[b->letters[j - 1]]);
            }
            inside[i][j] = x;
            if (i < a->n && j < b->n)
                continue;
            for (size_t k = i; k < a->n; k++)
                end += 0.6 * (double)p->drop[a->letters[k]];
            for (size_t k = j; k < b->n; k++)
                end += 0.6 * (double)p->drop[b->letters[k]];
            best = fmin(best, x + end);
        }
    return fmin(best, (double)(a->weight + b->weight));
}

DPL_TEST(sounds, have_the_price_of_a_naive_alignment)
{
    dpl__rng rng = {dpl__mix(8)};
    dpl__sound_prices p;
    dpl__sound_prices_set(&p);
    for (int turn = 0; turn < 20000; turn++) {
        const dpl__sounds a = make_word(&p, &rng), b = make_word(&p, &rng);
        const double price = (double)dpl__sounds_price(&p, &a, &b, 1000);
        CHECK(fabs(price - naive_price(&p, &a, &b)) < 1e-4);
        CHECK(fabs(price - (double)dpl__sounds_price(&p, &b, &a, 1000)) < 1e-4);
        CHECK(fabsf(dpl__sounds_price(&p, &a, &a, 1000)) < 1e-5f);
    }
}

/* Two words with no letter in common, of one group each: the bound is what it costs at least,
 * so that few are compared. */
DPL_TEST(sounds, of_other_groups_have_a_high_bound)
{
    dpl__sound_prices p;
    dpl__sound_prices_set(&p);
    static const struct {
        const char *a, *b;
        double bound;
    } cases[] = {{"", "", 0},
                 {"d", "", 0.6},
                 {"dld", "", 1.8},
                 {"d", "l", 1},
                 {"dsd", "lrl", 3},
                 {"a", "", 0.24},
                 {"aea", "a", 0.48},
                 {"dl", "s", 1 + 0.6},
                 {"dtd", "td", 0.6},
                 {"bvb", "wuw", 3 * 0.6 + 0.24 - 2 * 0.3},
                 {"wuw", "bvb", 3 * 0.6 + 0.24 - 2 * 0.3},
                 {"bvb", "uwu", 3 * 0.6 + 2 * 0.24 - 0.3},
                 {"dvbv", "dl", 1 + 2 * 0.6}};
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        const dpl__sounds a = dpl__sounds_of(&p, dpl__cstr(cases[i].a)),
                          b = dpl__sounds_of(&p, dpl__cstr(cases[i].b));
        const double bound = (double)dpl__sounds_bound(&p, a.kind, b.kind);
        if (!(fabs(bound + (double)p.rounding - cases[i].bound) < 1e-5))
            dpl__test_fail(__FILE__, __LINE__, "%s %s: %g", cases[i].a, cases[i].b, bound);
    }
}
