#include "mine/names.h"

#include "base/maths.h"
#include "mine/mine_params.h"
#include "mine/name_pairs.h"
#include "mine/name_sides_test.h"
#include "mine/sounds.h"

#include <math.h>

#define NONE UINT32_MAX

/* ---- what is a name -----------------------------------------------------------------------
 */

enum { N_FILLED = 100 };

/* Documents without names, but with capitals inside their sentences; the first ones have a word
 * in one of these contexts each. */
static bool is_name(const char *word, const char *const *contexts, size_t n)
{
    static char text[N_FILLED * 200];
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = {.ctx = ctx};
    dpl__names names;
    size_t at = 0;
    uint32_t term;
    for (size_t i = 0; i < N_FILLED; i++) {
        at += (size_t)sprintf(text + at, "d%zu\tThe day of Ed and of Al was long. ", i);
        at += (size_t)sprintf(text + at, "%s\n", i < n ? contexts[i] : "No more.");
    }
    set_side(&p, 0, import_side(ctx, text, at, false), "eo");
    set_side(&p, 1, import_side(ctx, text, at, true), "sw");
    CHECK_OK(dpl__names_find(&names, &p, &test_err));
    CHECK(names.has_case[0] && names.has_case[1]);
    CHECK(dpl_collection_find_term(p.c[0], dpl__cstr(word), &term));
    const bool is = names.is_name[0][term];
    size_t n_all = 0;
    for (uint32_t t = 0; t < names.n_terms[0]; t++)
        n_all += names.is_name[0][t];
    CHECK_EQ(names.n_names[0], n_all);
    dpl__names_clear(&names);
    close_sides(&p);
    test_ctx_done(ctx);
    return is;
}

#define IS_NAME(word, ...)                                                                     \
    is_name(word, (const char *const[]){__VA_ARGS__},                                          \
            DPL_LEN(((const char *const[]){__VA_ARGS__})))

DPL_TEST(names, are_capitalised_in_half_of_their_places_inside_sentences)
{
    CHECK(IS_NAME("karlow", "There was Karlow."));
    CHECK(!IS_NAME("karlow", "There was karlow."));
    CHECK(IS_NAME("karlow", "There was Karlow.", "There was karlow."));
    CHECK(!IS_NAME("karlow", "There was Karlow.", "There was karlow.", "And a karlow too."));
    /* at the beginning of a sentence all words are */
    CHECK(!IS_NAME("karlow", "Karlow was there."));
    CHECK(IS_NAME("karlow", "Karlow was there.", "There was Karlow."));
    CHECK(!IS_NAME("karlow", "Karlow was there.", "Karlow is here.", "There was karlow."));
    CHECK(!IS_NAME("karlow", "Karlow.", "There was Karlow.", "There was karlow.",
                   "And a karlow too."));
}

DPL_TEST(names, are_not_known_by_what_begins_a_quotation)
{
    static const char *const openings[] = {"He said: %s is here.",
                                           "He said \"%s is here\".",
                                           "He said '%s is here'.",
                                           "He said (%s is here).",
                                           "He said [%s is here].",
                                           "He said \u201C%s is here\u201D.",
                                           "He said \u00AB%s is here\u00BB.",
                                           "He said: \n %s is here.",
                                           "He said \u2013 %s is.",
                                           "He said - %s is here.",
                                           "He said; %s is here."};
    for (size_t i = 0; i < DPL_LEN(openings); i++) {
        char context[100];
        snprintf(context, sizeof context, openings[i], "Karlow");
        for (char *c = context; *c; c++)
            *c = *c == '\n' ? ' ' : *c;
        if (IS_NAME("karlow", context))
            dpl__test_fail(__FILE__, __LINE__, "a name: %s", context);
        CHECK(IS_NAME("karlow", context, "There was Karlow."));
    }
    CHECK(IS_NAME("karlow", "He saw, Karlow told him, all of it."));
    CHECK(IS_NAME("karlow", "He saw caf\u00E9 Karlow there.")); /* a letter of two bytes */
}

DPL_TEST(names, have_enough_letters_and_are_no_numbers)
{
    CHECK(IS_NAME("bor", "There was Bor."));
    CHECK(!IS_NAME("boa", "There was Boa.")); /* four, of which one is a consonant */
    CHECK(!IS_NAME("bo", "There was Bo."));
    CHECK(IS_NAME("boia", "There was Boia."));
    CHECK(!IS_NAME("borr2", "There was Borr2."));
}

DPL_TEST(names, are_in_few_documents)
{
    const char *const here = "There was Karlow.";
    CHECK(IS_NAME("karlow", here, here, here, here, here)); /* a twentieth */
    CHECK(!IS_NAME("karlow", here, here, here, here, here, here));
}

/* ---- links of a naive search ------------------------------------------------------------- */

enum { BINS = 64, MOST_NAMES = 4 * N_PEOPLE };

typedef struct naive_name {
    uint32_t term;
    float log_df;
    dpl__sounds sound, backwards;
} naive_name;

typedef struct naive_choice {
    uint32_t other; /* place of the pivot's name */
    float score;
    bool is_first;
} naive_choice;

typedef struct naive {
    dpl__sound_prices prices;
    naive_name names[2][MOST_NAMES]; /* [0]: of the pivot */
    size_t n[2];
    naive_choice best[2][MOST_NAMES]; /* of each name of the other side; [1]: by chance */
} naive;

static void list_names(naive *x, const dpl__names *names, int place)
{
    const int pivot = names->corpus->pivot, side = place ? !pivot : pivot;
    x->n[place] = 0;
    for (uint32_t t = 0; t < names->n_terms[side]; t++) {
        if (!names->is_name[side][t])
            continue;
        CHECK(x->n[place] < MOST_NAMES);
        naive_name *name = &x->names[place][x->n[place]++];
        const dpl_collection *c = names->corpus->c[side];
        *name =
            (naive_name){.term = t, .log_df = (float)dpl__log(dpl_collection_doc_count(c, t))};
        name->sound = name->backwards = dpl__sounds_of(&x->prices, dpl_collection_term(c, t));
        for (size_t i = 0; i < name->sound.n; i++)
            name->backwards.letters[i] = name->sound.letters[name->sound.n - 1u - i];
    }
}

/* How few names of the other side are in about as many documents. */
static float naive_rarity(const naive *x, float df, float other)
{
    const float d = fabsf(df - other) + 0.5f / 20;
    const int low = (int)((df - d) * 20), high = (int)((df + d) * 20) + 1;
    uint32_t n = 0;
    for (size_t i = 0; i < x->n[1]; i++) {
        const int bin = (int)(x->names[1][i].log_df * 20);
        n += bin >= low && bin < high;
    }
    return (float)dpl__log((double)x->n[1] + 1) - (float)dpl__log(n + 1.0);
}

/* Letters in common, less 0.7, and more for being in as many documents. */
static float naive_score(const naive *x, const naive_name *a, const naive_name *b,
                         bool is_chance)
{
    const float price =
        dpl__sounds_price(&x->prices, is_chance ? &a->backwards : &a->sound, &b->sound, 1000);
    const float score = (a->sound.weight + b->sound.weight) / 2 +
                        0.2f * naive_rarity(x, a->log_df, b->log_df) - 0.7f - 2.5f * price;
    return score > 0 ? score : 0;
}

static void choose_naively(naive *x, bool is_chance)
{
    float most[MOST_NAMES] = {0}; /* of all that chose a name of the pivot */
    uint32_t first[MOST_NAMES];
    for (size_t i = 0; i < x->n[1]; i++) {
        naive_choice *best = &x->best[is_chance][i];
        *best = (naive_choice){.other = NONE};
        for (uint32_t k = 0; k < x->n[0]; k++) {
            const float score = naive_score(x, &x->names[0][k], &x->names[1][i], is_chance);
            if (score > best->score) {
                best->score = score;
                best->other = k;
            }
        }
        if (best->other != NONE && best->score > most[best->other]) {
            most[best->other] = best->score;
            first[best->other] = (uint32_t)i;
        }
    }
    for (uint32_t i = 0; i < x->n[1]; i++) {
        naive_choice *best = &x->best[is_chance][i];
        best->is_first = best->other != NONE && first[best->other] == i;
    }
}

static size_t bin_of(float score)
{
    return score * 4 < BINS - 1 ? (size_t)(score * 4) : BINS - 1;
}

/* The share of links with such a score beyond those of names spelled backwards; bins beside it
 * count half, and no lower bin is surer. */
static double naive_p(const naive *x, float score, bool is_first)
{
    double n[2][BINS + 2] = {{0}}, p = 0;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < x->n[1]; i++)
            if (x->best[k][i].other != NONE && x->best[k][i].is_first == is_first)
                n[k][1 + bin_of(x->best[k][i].score)]++;
    for (size_t b = 1; b <= 1 + bin_of(score); b++) {
        const double all = n[0][b] + (n[0][b - 1] + n[0][b + 1]) / 2,
                     chance = n[1][b] + (n[1][b - 1] + n[1][b + 1]) / 2;
        p = all > 0 ? fmax(p, 1 - (chance + 0.5) / (all + 0.5)) : p;
    }
    return p;
}

static const dpl__name_link *link_of(const dpl__names *names, uint32_t other)
{
    const dpl__name_link *found = NULL;
    for (size_t i = 0; i < names->links.n; i++)
        if (names->links.data[i].term[1] == other) {
            CHECK(!found); /* of each name of the other side one at most */
            found = &names->links.data[i];
        }
    return found;
}

static size_t check_links(const dpl__names *names)
{
    static naive x;
    size_t n = 0;
    dpl__sound_prices_set(&x.prices);
    for (int place = 0; place < 2; place++)
        list_names(&x, names, place);
    for (int is_chance = 0; is_chance < 2; is_chance++)
        choose_naively(&x, is_chance);
    for (size_t i = 0; i < x.n[1]; i++) {
        const naive_choice *best = &x.best[0][i];
        const double p = best->other == NONE ? 0 : naive_p(&x, best->score, best->is_first);
        const dpl__name_link *link = link_of(names, x.names[1][i].term);
        CHECK(!link == (p < DPL__P(mine, name_sure)));
        if (!link)
            continue;
        CHECK_EQ(link->term[0], x.names[0][best->other].term);
        CHECK(fabs((double)link->p - p) < 1e-6);
        n++;
    }
    CHECK_EQ(names->links.n, n);
    for (size_t i = 1; i < n; i++) {
        const dpl__name_link *l = &names->links.data[i];
        CHECK(l[-1].term[0] < l->term[0] ||
              (l[-1].term[0] == l->term[0] && l[-1].term[1] < l->term[1]));
    }
    return n;
}

DPL_TEST(names, are_linked_as_by_a_naive_search)
{
    for (unsigned turn = 0; turn < 4; turn++) {
        dpl_ctx *ctx = test_ctx(1 + turn);
        dpl__comparable p = make_sides(ctx, turn % 2);
        dpl__names names;
        for (uint32_t doc = 0; doc < N_DOCS && turn > 1; doc++)
            p.skip[0][doc] = doc % 3 == 0;
        CHECK_OK(dpl__names_find(&names, &p, &test_err));
        CHECK(check_links(&names) > N_PEOPLE / 2);
        dpl__names_clear(&names);
        dpl__names_clear(&names);
        clear_sides(&p);
    }
}

/* Names of random letters: few are alike, and most of these by chance. */
DPL_TEST(names, of_random_letters_are_linked_as_by_a_naive_search)
{
    enum { N_RANDOM = 150, MOST_WORD = 14 };
    static char text[2][N_RANDOM * 80];
    dpl__rng rng = {dpl__mix(71)};
    for (int turn = 0; turn < 3; turn++) {
        dpl_ctx *ctx = test_ctx(2);
        dpl__comparable p = {.ctx = ctx, .pivot = turn % 2};
        dpl__names names;
        size_t n[2] = {0, 0};
        for (unsigned i = 0; i < N_RANDOM; i++) {
            char word[MOST_WORD + 1];
            size_t at = 0;
            while (at < 3 + dpl__rng_below(&rng, MOST_WORD - 3))
                word[at++] = "bdgklmnprstaeiou"[dpl__rng_below(&rng, 16)];
            word[at] = 0;
            for (int side = 0; side < 2; side++) { /* one letter is another, perhaps */
                if (side && dpl__rng_below(&rng, 3) == 0)
                    word[dpl__rng_below(&rng, at)] = "bptdaeio"[dpl__rng_below(&rng, 8)];
                if (dpl__rng_below(&rng, 4))
                    n[side] += (size_t)sprintf(
                        text[side] + n[side], "%c%u\tThe one of %c%s %u.\n", side ? 'r' : 'l',
                        i, word[0] - 'a' + 'A', word + 1, (unsigned)dpl__rng_below(&rng, 5));
            }
        }
        for (int side = 0; side < 2; side++)
            set_side(&p, side, import_side(ctx, text[side], n[side], side), side ? "sw" : "eo");
        CHECK_OK(dpl__names_find(&names, &p, &test_err));
        CHECK(names.n_names[0] > N_RANDOM / 2 && check_links(&names) > 20);
        dpl__names_clear(&names);
        clear_sides(&p);
    }
}

/* ---- what they are for ------------------------------------------------------------------- */

DPL_TEST(names, are_words_with_capitals_and_linked_by_sound)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl__comparable p = make_sides(ctx, false);
    dpl__names names;
    CHECK_OK(dpl__names_find(&names, &p, &test_err));
    CHECK(names.has_case[0] && names.has_case[1]);
    CHECK(names.n_names[0] <= N_PEOPLE && names.n_names[0] >= N_PEOPLE * 9 / 10);
    CHECK_EQ(names.n_names[0], names.n_names[1]);
    CHECK(names.links.n >= N_PEOPLE * 3 / 4);
    dpl__names_clear(&names);
    clear_sides(&p);
}

DPL_TEST(names, documents_that_share_them_are_paired)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__comparable p = make_sides(ctx, false);
    dpl__names names;
    dpl__name_pairs pairs = {0};
    size_t n_right = 0;
    CHECK_OK(dpl__names_find(&names, &p, &test_err));
    CHECK_OK(dpl__name_pairs_find(&pairs, &p, &names, &test_err));
    for (size_t i = 0; i < pairs.n; i++) {
        CHECK(i == 0 || pairs.data[i].score <= pairs.data[i - 1].score);
        n_right += is_right(&p, pairs.data[i].docs);
    }
    CHECK(pairs.n >= 20 && n_right * 10 >= pairs.n * 8);
    dpl__vec_clear(ctx, &pairs);
    dpl__names_clear(&names);
    clear_sides(&p);
}

static dpl_status find_and_clear(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__comparable *p = user;
    dpl_ctx *before = p->ctx;
    dpl__names names;
    p->ctx = ctx;
    const dpl_status status = dpl__names_find(&names, p, err);
    dpl__names_clear(&names);
    p->ctx = before;
    return status;
}

DPL_TEST(names, survive_every_failing_allocation)
{
    static const char left[] = "l1\tIt was Karlow here.\nl2\tIt was Mirtan there.\n",
                      right[] = "r1\tIt was Garlow here.\nr2\tIt was Mirdan there.\n";
    dpl__comparable p = {.ctx = test_ctx(1)};
    set_side(&p, 0, import_side(p.ctx, left, sizeof left - 1, false), "eo");
    set_side(&p, 1, import_side(p.ctx, right, sizeof right - 1, true), "sw");
    test_allocation_failures(find_and_clear, &p);
    clear_sides(&p);
}
