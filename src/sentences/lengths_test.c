/*
 * lengths_test.c - alignment with words is not worse than lengths alone, whatever the text.
 *
 * Documents of sentences made of a few words in five languages and scripts, with sentences
 * omitted, joined and inserted; words may be translations, have nothing to do with each other,
 * or be equal by chance; punctuation may be misleading; lines may be numbered.
 */
#include "doppel/sentences.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

enum { LANGS = 5, WORDS = 40, BEADS = 150, MOST = 16 };

static const char *const codes[LANGS] = {"en", "de", "ru", "he", "zh"};
static const char *const vocabulary[LANGS][WORDS] = {
    {"house",  "river",  "father", "bread", "water",  "mountain", "king",   "night",
     "letter", "road",   "horse",  "tree",  "city",   "winter",   "fire",   "stone",
     "child",  "song",   "ship",   "field", "gives",  "sees",     "goes",   "takes",
     "finds",  "writes", "hears",  "loses", "builds", "asks",     "old",    "white",
     "deep",   "far",    "quiet",  "never", "today",  "under",    "behind", "always"},
    {"Haus",   "Fluss",    "Vater",  "Brot",     "Wasser", "Berg",   "König",  "Nacht",
     "Brief",  "Straße",   "Pferd",  "Baum",     "Stadt",  "Winter", "Feuer",  "Stein",
     "Kind",   "Lied",     "Schiff", "Feld",     "gibt",   "sieht",  "geht",   "nimmt",
     "findet", "schreibt", "hört",   "verliert", "baut",   "fragt",  "alt",    "weiß",
     "tief",   "weit",     "still",  "niemals",  "heute",  "unter",  "hinter", "immer"},
    {"дом",      "река",   "отец",    "хлеб",    "вода",    "гора",   "король", "ночь",
     "письмо",   "дорога", "лошадь",  "дерево",  "город",   "зима",   "огонь",  "камень",
     "ребёнок",  "песня",  "корабль", "поле",    "даёт",    "видит",  "идёт",   "берёт",
     "находит",  "пишет",  "слышит",  "теряет",  "строит",  "просит", "старый", "белый",
     "глубокий", "далеко", "тихий",   "никогда", "сегодня", "под",    "позади", "всегда"},
    {"בית",  "נהר",  "אבא",  "לחם",  "מים",  "הר",    "מלך",  "לילה", "מכתב",   "דרך",
     "סוס",  "עץ",   "עיר",  "חורף", "אש",   "אבן",   "ילד",  "שיר",  "ספינה",  "שדה",
     "נותן", "רואה", "הולך", "לוקח", "מוצא", "כותב",  "שומע", "מאבד", "בונה",   "שואל",
     "זקן",  "לבן",  "עמוק", "רחוק", "שקט",  "לעולם", "היום", "מתחת", "מאחורי", "תמיד"},
    {"房子", "河",   "父亲", "面包", "水",   "山",   "国王", "夜晚", "信",   "路",
     "马",   "树",   "城市", "冬天", "火",   "石头", "孩子", "歌",   "船",   "田野",
     "给",   "看见", "去",   "拿",   "找到", "写",   "听到", "失去", "建造", "问",
     "老",   "白",   "深",   "远",   "安静", "从不", "今天", "下面", "后面", "总是"}};

/* What the words of the right side are. */
typedef enum kind { TRANSLATED, UNRELATED, EQUAL } kind;

/* Numbers before lines. */
typedef enum labels { NONE, LEFT, RIGHT, BOTH } labels;

typedef struct made {
    kind kind;
    bool has_false_marks; /* sentences end with anything */
    labels labels;
    unsigned langs[2];
    dpl__rng rng;
    unsigned n_beads; /* 0: BEADS */
} made;

typedef struct bead {
    uint32_t left, n_left, right, n_right;
} bead;

typedef struct gold {
    bead beads[BEADS];
    size_t n, n_right; /* beads of both sides; found ones that are right */
    size_t n_found;
} gold;

typedef struct sentence {
    unsigned words[MOST], n;
    bool is_question;
} sentence;

static unsigned below(made *m, unsigned n)
{
    return (unsigned)dpl__rng_below(&m->rng, n);
}

static sentence make_sentence(made *m)
{
    sentence s = {.n = 3 + below(m, MOST - 3)};
    for (unsigned i = 0; i < s.n; i++) {
        unsigned a = below(m, WORDS), b = below(m, WORDS);
        s.words[i] = a < b ? a : b; /* some words are frequent */
    }
    s.is_question = below(m, 3) == 0;
    return s;
}

/* Writes a sentence; a line ends with the last one of a bead's side. */
static void put(FILE *f, made *m, int side, const sentence *s, uint32_t line, bool begins)
{
    const bool is_made_up = side && m->kind != TRANSLATED;
    const unsigned lang = m->langs[side && m->kind == EQUAL ? 0 : side];
    bool has_number = m->labels == BOTH || m->labels == (side ? RIGHT : LEFT);
    if (begins && has_number) /* the two editions count differently */
        fprintf(f, "%u ", side ? 2 * line + 11 : line + 1);
    for (unsigned i = 0; i < s->n; i++) {
        unsigned word = is_made_up ? below(m, WORDS) : s->words[i];
        fprintf(f, "%s%s", i && lang != 4 ? " " : "", vocabulary[lang][word]);
    }
    bool is_question = side && m->has_false_marks ? below(m, 2) == 0 : s->is_question;
    fputs(is_question ? "? " : ". ", f);
}

/* One document a side; some sentences are omitted, joined or inserted. */
static void make_docs(gold *g, made *m, FILE *files[2])
{
    uint32_t n[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        fprintf(files[side], "{\"id\":\"a\",\"lang\":\"%s\",\"text\":\"",
                codes[m->langs[side]]);
    for (unsigned i = 0; i < (m->n_beads ? m->n_beads : BEADS); i++) {
        const sentence a = make_sentence(m), b = make_sentence(m);
        const unsigned x = below(m, 100), side = x & 1;
        const bool is_alone = x < 8, is_joined = x >= 8 && x < 24;
        bead made_bead = {n[0], 1, n[1], 1};
        for (unsigned k = 0; k < 2; k++) {
            if (is_alone && k != side)
                continue;
            put(files[k], m, (int)k, &a, n[k]++, true);
            if (is_joined) {
                if (k == side)
                    fputs("\\n", files[k]);
                put(files[k], m, (int)k, &b, n[k], k == side);
                n[k] += k == side;
            }
            fputs("\\n", files[k]);
        }
        made_bead.n_left = n[0] - made_bead.left;
        made_bead.n_right = n[1] - made_bead.right;
        if (!is_alone)
            g->beads[g->n++] = made_bead;
    }
    for (int side = 0; side < 2; side++)
        fputs("\"}\n", files[side]);
}

static dpl_status take(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    gold *g = user;
    (void)err;
    for (size_t i = 0; i < docs->n_beads; i++) {
        const dpl_bead *b = &docs->beads[i];
        g->n_found += b->n_left && b->n_right;
        for (size_t k = 0; k < g->n; k++)
            g->n_right += g->beads[k].left == b->left && g->beads[k].n_left == b->n_left &&
                          g->beads[k].right == b->right && g->beads[k].n_right == b->n_right;
    }
    return DPL_OK;
}

/* Strict F1 of the alignment. */
static double align(gold *g, dpl_collection *const c[2], dpl_ctx *ctx, dpl_evidence evidence)
{
    const dpl_doc_pair pair = {0, 0};
    dpl_sentences_input in = DPL_INIT(dpl_sentences_input, .left = c[0], .right = c[1],
                                      .pairs = &pair, .n_pairs = 1);
    dpl_sentences_options o =
        DPL_INIT(dpl_sentences_options, .evidence = evidence, .one_per_line = true);
    dpl_sentences_summary summary = DPL_INIT(dpl_sentences_summary);
    g->n_right = g->n_found = 0;
    CHECK_OK(dpl_sentences_align(&summary, ctx, &in, &o, take, g, &test_err));
    return 2 * (double)g->n_right / (double)(g->n + g->n_found);
}

/* By words and all else; *lengths: by lengths alone. */
static double measure(made *m, double *lengths)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *names[2] = {"left", "right"};
    char file[40];
    FILE *files[2];
    char *texts[2];
    size_t n_bytes[2];
    gold g = {.n = 0};
    dpl_collection *c[2] = {NULL, NULL};
    for (int side = 0; side < 2; side++)
        files[side] = open_memstream(&texts[side], &n_bytes[side]);
    make_docs(&g, m, files);
    for (int side = 0; side < 2; side++) {
        fclose(files[side]);
        snprintf(file, sizeof file, "%s.jsonl", names[side]);
        const char *in = test_write(file, texts[side], n_bytes[side]);
        free(texts[side]);
        snprintf(file, sizeof file, "%s.dpl", names[side]);
        const char *out = test_path(file);
        CHECK_OK(dpl_import(NULL, ctx, out, &in, 1, NULL, &test_err));
        CHECK_OK(dpl_collection_open(&c[side], ctx, out, &test_err));
    }
    double all = align(&g, c, ctx, DPL_EVIDENCE_ALL);
    if (lengths)
        *lengths = align(&g, c, ctx, DPL_EVIDENCE_LENGTHS);
    dpl_collection_close(c[0]);
    dpl_collection_close(c[1]);
    test_ctx_done(ctx);
    return all;
}

/* Checks all pairs of languages. */
static void check(kind words, bool has_false_marks, double least)
{
    double sum[2] = {0, 0};
    size_t n = 0;
    for (unsigned left = 0; left < LANGS; left++)
        for (unsigned right = left + 1; right < LANGS; right++, n++) {
            made m = {.kind = words,
                      .has_false_marks = has_false_marks,
                      .langs = {left, right},
                      .rng = {(LANGS * left + right) * 1000003ULL}};
            double lengths, all = measure(&m, &lengths);
            if (all < lengths - 0.02)
                dpl__test_fail(__FILE__, __LINE__, "%s-%s: F1 %.3f, lengths %.3f", codes[left],
                               codes[right], all, lengths);
            sum[0] += all;
            sum[1] += lengths;
        }
    CHECK(sum[0] >= sum[1] + least * (double)n);
}

DPL_TEST(lengths, are_not_better_than_words_and_all)
{
    check(TRANSLATED, false, 0.05);
}

DPL_TEST(lengths, are_not_better_than_words_and_misleading_marks)
{
    check(TRANSLATED, true, 0.05);
}

DPL_TEST(lengths, decide_where_words_have_nothing_in_common)
{
    check(UNRELATED, false, 0);
    check(UNRELATED, true, 0);
}

DPL_TEST(lengths, decide_where_words_are_equal_by_chance)
{
    check(EQUAL, false, 0);
    check(EQUAL, true, 0);
}

DPL_TEST(lengths, numbers_before_lines_change_nothing)
{
    for (unsigned right = 1; right < LANGS; right += 3)
        for (kind words = TRANSLATED; words <= EQUAL; words += EQUAL) {
            made plain = {.kind = words, .langs = {0, right}, .rng = {right}};
            double without = measure(&plain, NULL);
            for (labels sides = LEFT; sides <= BOTH; sides++) {
                made m = {.kind = words, .labels = sides, .langs = {0, right}, .rng = {right}};
                double with = measure(&m, NULL);
                if (with < without - 0.02)
                    dpl__test_fail(__FILE__, __LINE__, "%s, labels %d: F1 %.3f, without %.3f",
                                   codes[right], (int)sides, with, without);
            }
        }
}

/* Pairs of languages, some texts of each. */
static void check_short(unsigned n_beads, double least)
{
    double sum[2] = {0, 0};
    for (unsigned left = 0; left < LANGS; left++)
        for (unsigned right = left + 1; right < LANGS; right++) {
            made m = {.kind = UNRELATED,
                      .langs = {left, right},
                      .rng = {(LANGS * left + right) * 1000003ULL},
                      .n_beads = n_beads};
            double lengths;
            sum[0] += measure(&m, &lengths);
            sum[1] += lengths;
        }
    CHECK(sum[0] >= sum[1] + least);
}

DPL_TEST(lengths, are_worse_than_punctuation_in_short_texts)
{
    check_short(12, 0.3);
    check_short(30, 0.3);
}

/* Two languages and a text for each number. */
DPL_TEST(lengths, are_seldom_overruled_by_unrelated_words)
{
    enum { TEXTS = 40 };
    unsigned n_other = 0;
    for (unsigned i = 0; i < TEXTS; i++) {
        made m = {.kind = UNRELATED,
                  .has_false_marks = true,
                  .langs = {i % LANGS, (i + 1 + i / LANGS % (LANGS - 1)) % LANGS},
                  .rng = {i * 1000003ULL + 7},
                  .n_beads = 60};
        double lengths, all = measure(&m, &lengths);
        n_other += all < lengths || all > lengths;
    }
    CHECK(n_other <= TEXTS / 20);
}
