#include "mine/word_links.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two collections of sentences, and links of a lexicon trained on rows. */
typedef struct linked {
    dpl_ctx *ctx;
    int pivot;
    bool is_reversed; /* the lexicon is from the right language to the left one */
    dpl_collection *c[2];
    dpl_lexicon *lexicon;
    dpl__term_links trained, prior; /* with the pivot on the left */
    dpl__alike_words alike;
    dpl__word_links links;
} linked;

static const dpl_reader_options tsv = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV);

static void read_texts(linked *x, int pivot, bool is_reversed, const char *left_text,
                       const char *right_text, const char *rows)
{
    const char *text[2] = {test_write("l.tsv", left_text, strlen(left_text)),
                           test_write("r.tsv", right_text, strlen(right_text))},
               *bitext = test_write("rows.tsv", rows, strlen(rows));
    char path[1000];
    *x = (linked){.ctx = test_ctx(1), .pivot = pivot, .is_reversed = is_reversed};
    for (int side = 0; side < 2; side++) {
        dpl_reader_options read = tsv;
        read.lang = side ? "en" : "de";
        dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
        snprintf(path, sizeof path, "%s", test_path(side ? "r.dpl" : "l.dpl"));
        CHECK_OK(dpl_import(NULL, x->ctx, path, &text[side], 1, &o, &test_err));
        CHECK_OK(dpl_collection_open(&x->c[side], x->ctx, path, &test_err));
    }
    snprintf(path, sizeof path, "%s", test_path("lexicon.dpl"));
    dpl_bitext_options read =
        DPL_INIT(dpl_bitext_options, .left_lang = is_reversed ? "en" : "de",
                 .right_lang = is_reversed ? "de" : "en");
    dpl_train_options train = DPL_INIT(dpl_train_options, .read = &read);
    CHECK_OK(dpl_lexicon_train(NULL, x->ctx, path, &bitext, 1, &train, &test_err));
    CHECK_OK(dpl_lexicon_open(&x->lexicon, x->ctx, path, NULL, &test_err));
    CHECK_OK(
        dpl__term_links_make(&x->prior, x->ctx, x->c[pivot], x->c[!pivot], NULL, &test_err));
    CHECK_OK(dpl__term_links_make(&x->trained, x->ctx, x->c[pivot], x->c[!pivot], x->lexicon,
                                  &test_err));
}

static dpl_status make_links(void *user, dpl_ctx *ctx, dpl_error *err)
{
    linked *x = user;
    const dpl__comparable p = {
        .ctx = ctx, .c = {x->c[0], x->c[1]}, .lang = {"de", "en"}, .pivot = x->pivot};
    const dpl__prior_links prior = {&x->prior, &x->alike};
    return dpl__word_links_make(&x->links, &p, x->lexicon, &prior, err);
}

static void link_words(linked *x, const char *left_text, const char *right_text,
                       const char *rows)
{
    read_texts(x, 0, false, left_text, right_text, rows);
    CHECK_OK(make_links(x, x->ctx, &test_err));
}

static void unlink_words(linked *x)
{
    dpl__word_links_clear(&x->links);
    dpl__term_links_clear(&x->trained);
    dpl__term_links_clear(&x->prior);
    dpl__vec_clear(x->ctx, &x->alike);
    dpl_lexicon_close(x->lexicon);
    for (int side = 0; side < 2; side++)
        dpl_collection_close(x->c[side]);
    test_ctx_done(x->ctx);
}

static uint32_t term_of(const linked *x, int side, const char *word)
{
    uint32_t term = 0;
    CHECK(dpl_collection_find_term(x->c[side], dpl__cstr(word), &term));
    return term;
}

/* Of the right word, given the left one, and of the left, given the right. */
static dpl__word_link link_of(const linked *x, const char *left, const char *right)
{
    uint32_t term = term_of(x, 0, left), other = term_of(x, 1, right);
    for (uint64_t i = x->links.begin[0][term]; i < x->links.begin[0][term + 1]; i++)
        if (x->links.links[0][i].term == other)
            return x->links.links[0][i];
    return (dpl__word_link){.term = other};
}

/* What was trained on often counts as trained; what was not, as spelled. */
DPL_TEST(word_links, rare_words_are_linked_by_spelling)
{
    linked x;
    link_words(&x, "1\tkatze berlin berlin\n2\tkatze kairo\n",
               "1\tcat berlin berlin\n2\tcat kairo\n",
               "katze\tcat\nkatze\tcat\nkatze\tcat\nkatze\tcat\nkairo\tcat\n");
    CHECK(x.links.weight[0][term_of(&x, 0, "katze")] >
          x.links.weight[0][term_of(&x, 0, "kairo")]);
    CHECK(link_of(&x, "katze", "cat").p > 0.3f && link_of(&x, "kairo", "kairo").p > 0.2f);
    unlink_words(&x);
}

/* The parts of a compound and a word with the same beginning lend their links. */
DPL_TEST(word_links, words_that_were_not_trained_on_take_those_of_relatives)
{
    linked x;
    link_words(&x, "1\tbanken krise schreiben\n2\tbankenkrise schreiberin 1000\n",
               "1\tlender trouble write\n2\tlender trouble write cheese\n",
               "banken\tlender\nbanken\tlender\nbanken\tlender\nkrise\ttrouble\n"
               "krise\ttrouble\nkrise\ttrouble\nschreiben\twrite\nschreiben\twrite\n");
    CHECK(link_of(&x, "bankenkrise", "lender").p > 0.03f);
    CHECK(link_of(&x, "bankenkrise", "trouble").p > 0.03f);
    CHECK(link_of(&x, "bankenkrise", "trouble").back > 0);
    CHECK(link_of(&x, "schreiberin", "write").p > 0.05f);
    CHECK(link_of(&x, "bankenkrise", "cheese").p <= 0);
    unlink_words(&x);
}

/* ---- random words against naive links ------------------------------------------------- */

enum { STEMS = 7, ENDINGS = 6, MOST_TERMS = 90, MOST_TEXT = 40000 };

/* Inflected words, compounds of two stems, short words, and some with a number. */
static size_t put_word(char *to, dpl__rng *rng, bool is_right)
{
    static const char *const stems[2][STEMS] = {
        {"wolke", "stein", "brand", "strand",
         "\xC3\xBC"
         "bung",
         "rad", "gebirge"},
        {"cloud", "stone", "fires", "strand", "train", "gear", "mountain"}};
    static const char *const endings[ENDINGS] = {"", "s", "en", "chen", "ung", "2"};
    const char *const *of = stems[is_right];
    size_t n = (size_t)sprintf(to, " %s", of[dpl__rng_below(rng, STEMS)]);
    if (dpl__rng_below(rng, 3) == 0)
        n += (size_t)sprintf(to + n, "%s", of[dpl__rng_below(rng, STEMS)]);
    else
        n += (size_t)sprintf(to + n, "%s", endings[dpl__rng_below(rng, ENDINGS)]);
    return n;
}

/* Three documents of a side. */
static void put_docs(char *to, dpl__rng *rng, bool is_right)
{
    for (int doc = 0; doc < 3; doc++) {
        to += sprintf(to, "%d\t", doc);
        for (int i = 0; i < 25; i++)
            to += put_word(to, rng, is_right);
        *to++ = '\n';
    }
    *to = 0;
}

/* Rows of two words, most of them more than once; many words are in none. */
static void put_rows(char *to, dpl__rng *rng, bool is_reversed)
{
    for (int row = 0; row < 15; row++) {
        char left[64], right[64];
        put_word(left, rng, is_reversed);
        put_word(right, rng, !is_reversed);
        for (size_t i = dpl__rng_below(rng, 14); i-- > 0;)
            to += sprintf(to, "%s\t%s\n", left + 1, right + 1);
    }
    sprintf(to, is_reversed ? "stone\tstein\n" : "stein\tstone\n");
}

static void add_alike(linked *x, dpl__rng *rng)
{
    for (uint32_t left = 0; left < x->prior.n_terms[0]; left++)
        for (uint32_t right = 0; right < x->prior.n_terms[1]; right++) {
            const dpl__alike_word one = {left, right, (float)dpl__rng_below(rng, 100) / 200};
            if (dpl__rng_below(rng, 15) == 0)
                CHECK(dpl__vec_push(x->ctx, &x->alike, one));
        }
}

static void make_random(linked *x, uint64_t seed, int pivot, bool is_reversed)
{
    static char text[3][MOST_TEXT];
    dpl__rng rng = {dpl__mix(seed)};
    put_docs(text[0], &rng, false);
    put_docs(text[1], &rng, true);
    put_rows(text[2], &rng, is_reversed);
    read_texts(x, pivot, is_reversed, text[0], text[1], text[2]);
    add_alike(x, &rng);
    for (int side = 0; side < 2; side++)
        CHECK(x->prior.n_terms[side] <= MOST_TERMS && x->prior.n_terms[side] > STEMS);
}

/* Everything about a pair of terms, with the pivot on the left; [0] of p: of the right one,
 * given the left one. */
typedef struct naive_link {
    double trained[2], prior[2], alike, counts[2], added[2];
    bool is_there;
} naive_link;

typedef struct naive {
    const linked *x;
    naive_link pair[MOST_TERMS][MOST_TERMS];
    double trained[2][MOST_TERMS], lent[2][MOST_TERMS]; /* occurrences of terms of a place */
} naive;

static const dpl_collection *docs_at(const linked *x, int place)
{
    return x->c[place ? !x->pivot : x->pivot];
}

static double n_trained(const linked *x, int place, uint32_t term)
{
    const int side = place ? !x->pivot : x->pivot;
    const dpl_str text = dpl_collection_term(x->c[side], term);
    uint32_t word;
    const int column = x->is_reversed ? !side : side;
    return (column ? dpl_lexicon_find_target(x->lexicon, text, &word)
                   : dpl_lexicon_find_source(x->lexicon, text, &word))
               ? (double)dpl_lexicon_count(x->lexicon, column, word)
               : 0;
}

static double unigram(const linked *x, int place, uint32_t term)
{
    return (double)x->trained.p[place][term];
}

/* A word lends so much of the spelling to another one. */
static void lend_naively(naive *n, int place, uint32_t to, uint32_t from, double share)
{
    const double weight = 3 * share * share;
    n->lent[place][to] += weight;
    for (uint32_t other = 0; other < n->x->prior.n_terms[!place]; other++) {
        const naive_link *link = place ? &n->pair[other][from] : &n->pair[from][other];
        naive_link *lent = place ? &n->pair[other][to] : &n->pair[to][other];
        if (link->trained[0] < 0.02 && link->trained[1] < 0.02)
            continue;
        lent->is_there = true;
        lent->counts[place] += weight * link->trained[place];
        lent->added[!place] += 0.6 * share * share * link->trained[!place] *
                               unigram(n->x, place, to) / unigram(n->x, place, from);
    }
}

static bool has_digits(dpl_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.data[i] >= '0' && text.data[i] <= '9')
            return true;
    return false;
}

static size_t n_common(dpl_str a, dpl_str b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.data[n] == b.data[n])
        n++;
    return n;
}

/* How many words there are from one to the other in byte order. */
static size_t distance(const dpl_collection *c, dpl_str a, dpl_str b)
{
    size_t n = 0;
    for (uint32_t t = 0; t < dpl_collection_get_sizes(c)->n_terms; t++) {
        const dpl_str text = dpl_collection_term(c, t);
        n += dpl__str_cmp(text, a) > 0
                 ? dpl__str_cmp(text, b) <= 0
                 : dpl__str_cmp(text, a) < 0 && dpl__str_cmp(text, b) >= 0;
    }
    return n;
}

static bool is_trained_word(const naive *n, int place, const char *text, size_t n_bytes,
                            uint32_t *term)
{
    return dpl_collection_find_term(docs_at(n->x, place), (dpl_str){text, n_bytes}, term) &&
           n->trained[place][*term] >= 1;
}

/* Words of similar beginnings, then the parts of a compound. */
static void lend_to(naive *n, int place, uint32_t term)
{
    const dpl_collection *c = docs_at(n->x, place);
    const dpl_str text = dpl_collection_term(c, term);
    if (n->trained[place][term] >= 10 || text.n < 5 || has_digits(text))
        return;
    for (uint32_t from = 0; from < n->x->prior.n_terms[place]; from++) {
        const dpl_str its = dpl_collection_term(c, from);
        const double common = (double)n_common(text, its),
                     longest = (double)(text.n > its.n ? text.n : its.n);
        if (from != term && n->trained[place][from] >= 1 && common >= 5 &&
            common >= longest / 2 && distance(c, text, its) <= 4)
            lend_naively(n, place, term, from, common / longest);
    }
    for (size_t at = 4; at + 4 <= text.n; at++) { /* of tails the longest, then of heads */
        uint32_t head, tail;
        if (((unsigned char)text.data[at] & 0xC0) == 0x80 ||
            !is_trained_word(n, place, text.data + at, text.n - at, &tail))
            continue;
        for (size_t k = at; k >= 4 && 2 * k >= at; k--)
            if (is_trained_word(n, place, text.data, k, &head)) {
                lend_naively(n, place, term, head, 0.6);
                lend_naively(n, place, term, tail, 0.6);
                return;
            }
    }
}

static void list_links(naive *n, const dpl__term_links *l, bool is_trained)
{
    for (uint32_t left = 0; left < l->n_terms[0]; left++)
        for (uint64_t k = l->begin[left]; k < l->begin[left + 1]; k++) {
            naive_link *link = &n->pair[left][l->links[k].right];
            link->is_there = true;
            for (int way = 0; way < 2; way++)
                (is_trained ? link->trained : link->prior)[way] = (double)l->links[k].p[way];
        }
}

static void know_all(naive *n, const linked *x)
{
    memset(n, 0, sizeof *n);
    n->x = x;
    list_links(n, &x->trained, true);
    list_links(n, &x->prior, false);
    for (size_t i = 0; i < x->alike.n; i++) {
        naive_link *link = &n->pair[x->alike.data[i].left][x->alike.data[i].right];
        link->alike = (double)x->alike.data[i].p;
        link->is_there = true;
    }
    for (int place = 0; place < 2; place++)
        for (uint32_t term = 0; term < x->prior.n_terms[place]; term++)
            n->trained[place][term] = n_trained(x, place, term);
    for (int place = 0; place < 2; place++)
        for (uint32_t term = 0; term < x->prior.n_terms[place]; term++)
            lend_to(n, place, term);
}

/* Given a term that was trained on, spelling counts as three more occurrences; given one that
 * was not, there is nothing else. */
static double naive_p(const naive *n, const naive_link *k, int given, uint32_t term)
{
    const double trained = n->trained[given][term], weight = trained + 3 + n->lent[given][term];
    const double counts =
        trained > 0 ? k->trained[given] * trained + 3 * fmax(k->prior[given], k->alike)
                    : 3 * fmax(k->trained[given], k->alike);
    return fmin((counts + k->counts[given]) / weight + k->added[given], 1);
}

static bool are_near(float x, double y)
{
    return fabs((double)x - y) <= 1e-5 * (1 + fabs(y));
}

static void check_term(const naive *n, int place, uint32_t term, size_t *n_lent)
{
    const linked *x = n->x;
    const int side = place ? !x->pivot : x->pivot;
    uint64_t at = x->links.begin[side][term];
    CHECK(are_near(x->links.trained[side][term], n->trained[place][term]));
    CHECK(are_near(x->links.weight[side][term],
                   n->trained[place][term] + 3 + n->lent[place][term]));
    CHECK(are_near(x->links.unigram[side][term], unigram(x, place, term)));
    for (uint32_t other = 0; other < x->prior.n_terms[!place]; other++) {
        const naive_link *k = place ? &n->pair[other][term] : &n->pair[term][other];
        if (!k->is_there)
            continue;
        const dpl__word_link *link = &x->links.links[side][at++];
        CHECK_EQ(link->term, other);
        CHECK(are_near(link->p, naive_p(n, k, place, term)));
        CHECK(are_near(link->back, naive_p(n, k, !place, other)));
        *n_lent += k->counts[0] > 0 || k->counts[1] > 0;
    }
    CHECK_EQ(at, x->links.begin[side][term + 1]);
}

DPL_TEST(word_links, are_those_of_a_naive_table)
{
    static linked x;
    static naive n;
    size_t n_lent = 0;
    for (unsigned turn = 0; turn < 16; turn++) {
        make_random(&x, 200 + turn, turn % 2, turn / 2 % 2);
        CHECK_OK(make_links(&x, x.ctx, &test_err));
        know_all(&n, &x);
        for (int place = 0; place < 2; place++) {
            const int side = place ? !x.pivot : x.pivot;
            CHECK_EQ(x.links.n_terms[side], x.prior.n_terms[place]);
            CHECK_EQ(x.links.begin[side][x.links.n_terms[side]], x.links.n_links);
            for (uint32_t term = 0; term < x.prior.n_terms[place]; term++)
                check_term(&n, place, term, &n_lent);
        }
        unlink_words(&x);
    }
    CHECK(n_lent > 300);
}

/* Nothing is trained: what is known before counts alone. */
DPL_TEST(word_links, without_a_lexicon_are_those_of_spelling)
{
    static linked x;
    make_random(&x, 300, 1, false);
    dpl_lexicon *lexicon = x.lexicon;
    x.lexicon = NULL;
    CHECK_OK(make_links(&x, x.ctx, &test_err));
    for (uint32_t right = 0; right < x.links.n_terms[0]; right++) {
        CHECK(!(x.links.trained[0][right] > 0) && are_near(x.links.weight[0][right], 3));
        for (uint64_t i = x.links.begin[0][right]; i < x.links.begin[0][right + 1]; i++) {
            const dpl__word_link *link = &x.links.links[0][i];
            double p[2] = {0, 0};
            for (size_t k = 0; k < x.alike.n; k++)
                if (x.alike.data[k].left == link->term && x.alike.data[k].right == right)
                    p[0] = p[1] = (double)x.alike.data[k].p;
            for (uint64_t k = x.prior.begin[link->term]; k < x.prior.begin[link->term + 1]; k++)
                for (int way = 0; way < 2; way++)
                    if (x.prior.links[k].right == right)
                        p[way] = fmax(p[way], (double)x.prior.links[k].p[way]);
            CHECK(are_near(link->back, p[0]) && are_near(link->p, p[1]));
        }
    }
    x.lexicon = lexicon;
    unlink_words(&x);
}

static dpl_status make_and_clear(void *user, dpl_ctx *ctx, dpl_error *err)
{
    linked *x = user;
    const dpl_status status = make_links(x, ctx, err);
    dpl__word_links_clear(&x->links);
    return status;
}

DPL_TEST(word_links, survive_every_failing_allocation)
{
    static linked x;
    make_random(&x, 400, 0, true);
    test_allocation_failures(make_and_clear, &x);
    unlink_words(&x);
}
