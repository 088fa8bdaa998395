/*
 * lab_program_steps.c - the steps of 'doppel-lab all'.
 *
 * A row of the list is a step, or one for each of its experiments, which is run as doppel does
 * it, as the papers do (in a folder that ends in -as-paper), or both. Collections that are not
 * at hand come first: made by scripts of bench/, by 'doppel-lab synth', or of others.
 */
#include "lab/lab_program.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    SEEDS = 1,  /* with several seeds */
    PAPER = 2,  /* as in the papers */
    BOTH = 4,   /* likewise, and as doppel does it */
    LONG = 8,   /* not a quick step */
    MADE = 16,  /* a collection: a command that makes $TO, which others know as $MADE/name */
    SCRIPT = 32 /* a command of its own */
};

typedef struct row {
    const char *folder;
    const char *names;  /* of experiments, with blanks between */
    const char *inputs; /* and options; a command of MADE and SCRIPT */
    unsigned is;
    unsigned seconds, quick_seconds; /* of the processor, of one of them; 0: below one */
} row;

/* clang-format off */
#define SWAP(FILE) "awk -F '\\t' -v OFS='\\t' '{ print $2, $1 }' $DATA/" FILE "/pairs.en-de.tsv >$TO"
#define RENAME(NAME) "zstd -dcq $DATA/europarl-fig1/docs." NAME ".en.jsonl.zst | awk -F '\\t' '" \
    "NR == FNR { german[$2] = $1; next } match($0, /\"id\": \"[^\"]*\"/) { " \
    "id = substr($0, RSTART + 7, RLENGTH - 8); " \
    "print substr($0, 1, RSTART + 6) german[id] substr($0, RSTART + RLENGTH - 1) }' " \
    "$DATA/europarl-fig1/pairs.de_" NAME ".en.tsv - >$TO"
#define ROWS(N) "$LAB synth --to sparse --left $N_ROWS --right $N_ROWS --cosine 0.3 " \
    "--cosine-to 0.38 --entries " N " --quiet -o $TO"
#define TABLE " --lexicon $DATA/ttable-de-en/"
#define P_FE TABLE "en-de.wmt10.tsv.zst --lexicon-langs en,de" /* the paper's direction */
#define P_EF TABLE "de-en.wmt10.tsv.zst --lexicon-langs de,en"
#define HELP "$DATA/lohelp/docs.de.jsonl.zst $DATA/lohelp/docs.en.jsonl.zst --gold $MADE/help.tsv"
#define PACKAGES "$DATA/debdesc/docs.de.jsonl.zst $DATA/debdesc/docs.en.jsonl.zst " \
    "--gold $MADE/packages.tsv"
#define EDITIONS "$MADE/editions/de.xml.bz2 $MADE/editions/en.xml.bz2 --gold $MADE/editions/gold.tsv"
#define FIGURE_1 "$DATA/europarl-fig1/docs.de.jsonl.zst " \
    "$DATA/europarl-fig1/docs.en-corrected.jsonl.zst " \
    "--gold $DATA/europarl-fig1/pairs.de_en-corrected.tsv --translated $MADE/"
#define REUTERS "$DATA/mono/reuters21578.jsonl.zst"
#define SYNTHETIC(N) "$MADE/rows-" N "/left.dpl $MADE/rows-" N "/right.dpl --sample 5000"
#define MINING(NAME) "$MADE/mining/" NAME ".de.jsonl $MADE/mining/" NAME ".en.jsonl " \
    "--gold $MADE/mining/" NAME ".gold.tsv" BASE
#define BASE " --parallel $MADE/mining/parallel.tsv"
#define TEST " --test $MADE/mining/test.tsv"
/* clang-format on */

static const row rows[] = {
    {"data", "help.tsv", SWAP("lohelp"), MADE, 0, 0},
    {"data", "packages.tsv", SWAP("debdesc"), MADE, 0, 0},
    {"data", "googletrans.jsonl", RENAME("googletrans"), MADE, 0, 0},
    {"data", "cdectrans.jsonl", RENAME("cdectrans"), MADE, 0, 0},
    {"data", "rows-120", ROWS("120"), MADE, 3, 1},
    {"data", "rows-384", ROWS("384"), MADE, 14, 3},
    {"data", "mining", "bench/mining_data --data $DATA $TO", MADE, 3, 3},
    {"data", "topical.jsonl", "bench/topical --data $DATA --documents $N_TOPICAL $TO", MADE, 20,
     4},
    /* articles that recombine sentences of news; 60 % have a counterpart */
    {"data", "editions",
     "${LAB%/*}/bench/wikis --pages 5000 $TO "
     "$DATA/parallel/newstest2008-2013.en-de-fr-es-cs.tsv.zst:4:3 "
     "$DATA/parallel/newstest2014-2022.en-de.tsv.zst:4:3 >/dev/null",
     MADE, 6, 6},
    /* every English document at hand: as many as a small edition of Wikipedia has */
    {"data", "edition.jsonl",
     "for f in mono/reuters21578 mono/brown mono/speeches lohelp/docs.en newsdocs/docs.en "
     "debdesc/docs.en; do zstd -dcq $DATA/$f.jsonl.zst | sed \"s|\\\"id\\\": \\\"|&$f-|\"; "
     "done >$TO",
     MADE, 1, 1},

    {"europarl-google", "lunch-figure-1", FIGURE_1 "googletrans.jsonl" P_FE, 0, 1, 0},
    {"europarl-google-source", "lunch-figure-1", FIGURE_1 "googletrans.jsonl" P_EF, 0, 1, 0},
    {"europarl-cdec", "lunch-figure-1", FIGURE_1 "cdectrans.jsonl" P_EF, 0, 1, 0},
    {"reuters", "lunch-table-1", REUTERS, SEEDS | BOTH, 15, 1},
    {"reuters", "lunch-figure-6", REUTERS, SEEDS, 25, 1},
    {"lohelp", "lunch-table-2 lunch-figure-8 lunch-figure-6 lunch-links lunch-table-3", HELP,
     SEEDS | BOTH, 18, 11},
    {"lohelp", "lunch-figure-5 lunch-figure-7", HELP, SEEDS, 20, 12},
    {"packages", "lunch-links lunch-table-3", PACKAGES P_FE, SEEDS | PAPER, 18, 5},
    {"packages", "lunch-links lunch-table-3 lunch-figure-6 lunch-figure-8", PACKAGES P_EF,
     SEEDS, 45, 4},
    {"editions", "lunch-links lunch-table-3", EDITIONS P_FE, SEEDS | PAPER, 37, 9},
    {"editions", "lunch-links lunch-table-3", EDITIONS P_EF, SEEDS, 30, 5},
    {"synthetic", "lunch-figure-6", SYNTHETIC("120"), SEEDS | BOTH, 10, 1},
    {"synthetic", "lunch-figure-8", SYNTHETIC("120"), SEEDS | BOTH, 300, 1},
    {"synthetic", "lunch-figure-5", SYNTHETIC("120"), SEEDS, 500, 1},
    {"synthetic", "lunch-figure-7", SYNTHETIC("120"), SEEDS, 12, 1},
    {"synthetic-384", "lunch-figure-6", SYNTHETIC("384"), SEEDS, 15, 1},
    {"synthetic-384", "lunch-figure-8", SYNTHETIC("384"), SEEDS, 400, 2},
    {"surface", "plan-surface", "--repeats 1 --most-documents $N_SURFACE", SEEDS, 440, 7},
    {"settings", "plan-settings", "", 0, 2, 2},

    {"lohelp", "mining-table-1 mining-figure-2 mining-figure-3 mining-scores", HELP BASE, BOTH,
     16, 4},
    {"news", "mining-table-1 mining-figure-2", MINING("news"), 0, 10, 2},
    {"mined", "mining-table-1", HELP, LONG, 29, 0},
    {"many", "mining-table-3", MINING("many"), BOTH, 29, 8},
    {"many", "mining-growth",
     "$MADE/mining/many.de.jsonl $MADE/mining/many.en.jsonl" BASE " --repeats 1", SEEDS | PAPER,
     30, 10},
    {"books", "mining-table-4", MINING("books"), 0, 17, 5},
    {"ebible", "together",
     "mkdir -p $TO; bench/together --data $DATA/ebible --doppel ${LAB%/*}/doppel "
     ">$TO/together.tsv",
     SCRIPT, 50, 50},
    {"news", "mining-table-5", MINING("news") TEST, BOTH | LONG, 70, 0},
    {"news", "mining-table-6 mining-table-7", MINING("news") TEST, LONG, 120, 0},

    {"reuters", "hash-figure-3 hash-figure-4 hash-table-2 hash-figure-5 hash-growth", REUTERS,
     SEEDS, 120, 6},
    {"reuters", "hash-tradeoff", REUTERS, SEEDS, 390, 2},
    {"reuters", "hash-learned pocket-figure-1", REUTERS, SEEDS, 100, 2},
    {"reuters", "hash-figure-3 hash-table-2 hash-figure-5",
     REUTERS " --reference $DATA/mono/brown.jsonl.zst", SEEDS | PAPER, 200, 8},
    {"topical", "hash-figure-5", "$MADE/topical.jsonl --small --sample 300", SEEDS, 800, 37},
    {"wiki", "pocket-figure-1", "$DATA/wiki/smallwiki-latest-pages-articles.xml.bz2", SEEDS, 2,
     0},
    {"edition", "pocket-figure-1", "$MADE/edition.jsonl", SEEDS, 56, 9},

    {"lohelp", "mine-counterparts", HELP, 0, 350, 12},
    {"lohelp", "mine-translated mine-size", HELP, 0, 60, 12},
    {"synthetic", "mine-counterparts", "", LONG, 350, 0},
    {"synthetic", "mine-translated mine-size", "", LONG, 50, 0},
    {0},
};

/* The n-th name of a row; 0 bytes behind the last. */
static dpl_str name_of(const row *r, size_t n)
{
    const char *at = r->names;
    for (; n && *at; n--) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    return (dpl_str){at, strcspn(at, " ")};
}

static bool is_chosen(const row *r, dpl_str name, const lab_choice *c)
{
    const size_t n = c->only ? strlen(c->only) : 0;
    if (c->is_quick && (r->is & LONG))
        return false;
    return n <= name.n && (!n || memcmp(name.data, c->only, n) == 0);
}

/* Whether a step of the choice reads a collection that is made. */
static bool is_read(const row *made, const lab_choice *c)
{
    char path[60];
    snprintf(path, sizeof path, "$MADE/%s", made->names);
    for (const row *r = rows; r->folder; r++)
        for (size_t k = 0; name_of(r, k).n; k++)
            if (!(r->is & MADE) && is_chosen(r, name_of(r, k), c) && strstr(r->inputs, path))
                return true;
    return false;
}

static void fill(lab_step *out, const row *r, dpl_str name, bool as_paper, const lab_choice *c)
{
    char seeds[40] = "", threads[40] = "";
    *out = (lab_step){.is_made = (r->is & MADE) != 0,
                      .seconds = 1.0 + (c->is_quick ? r->quick_seconds : r->seconds)};
    snprintf(out->folder, sizeof out->folder, "%s%s", r->folder, as_paper ? "-as-paper" : "");
    snprintf(out->name, sizeof out->name, "%.*s", (int)name.n, name.data);
    if ((r->is & SEEDS) && c->seeds > 1 && !c->is_quick)
        snprintf(seeds, sizeof seeds, " --seeds %u", c->seeds);
    if (c->threads)
        snprintf(threads, sizeof threads, " --threads %u", c->threads);
    if (r->is & (MADE | SCRIPT))
        snprintf(out->command, sizeof out->command, "%s", r->inputs);
    else
        snprintf(out->command, sizeof out->command, "$LAB %s%s%s%s%s%s%s --quiet -o $TO",
                 out->name, *r->inputs ? " " : "", r->inputs, as_paper ? " --as-paper" : "",
                 seeds, c->is_quick ? " --small" : "", threads);
    assert(strlen(out->command) + 1 < sizeof out->command);
}

bool lab_step_get(lab_step *out, const lab_choice *c, size_t i)
{
    for (const row *r = rows; r->folder; r++)
        for (size_t k = 0; name_of(r, k).n; k++) {
            const dpl_str name = name_of(r, k);
            if ((r->is & MADE) ? !is_read(r, c) : !is_chosen(r, name, c))
                continue;
            for (int as_paper = 0; as_paper < 2; as_paper++)
                if (((r->is & BOTH) || as_paper == ((r->is & PAPER) != 0)) && i-- == 0) {
                    fill(out, r, name, as_paper, c);
                    return true;
                }
        }
    return false;
}
