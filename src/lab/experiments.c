/*
 * experiments.c - the list of experiments, in the order of the papers.
 */
#include "lab/experiments.h"

#include "lab/lunch.h"
#include "lab/mining.h"

#include <stdio.h>

/* clang-format off */
#define LUNCH "No Free Lunch"
#define MINING "Document mining"
#define HASH "Hash-based retrieval"
#define POCKET "Wikipedia in the Pocket"
#define BEYOND "doppel"
/* clang-format on */

const dpl__lab_row dpl__lab_rows[] = {
    {{"lunch-figure-1", LUNCH, "Figure 1", "cosines of translations, projected and translated",
      "Cosines of documents and their translations are low; machine translation gives higher "
      "ones than projection, which is competitive.",
      DPL_LAB_TWO | DPL_LAB_GOLD},
     dpl__lab_lunch_figure_1},
    {{"lunch-table-1", LUNCH, "Table 1", "error and time of signatures",
      "1000 bits of random projection miss the cosine by 0.04 on average, less than minhash of "
      "the same size and simhash, but take ten times as long to make.",
      DPL_LAB_ONE},
     dpl__lab_lunch_table_1},
    {{"lunch-table-2", LUNCH, "Table 2", "time, precision and recall of signatures by length",
      "1000 bits find 76 % of the pairs with a precision of 59 %; longer signatures raise the "
      "precision to 86 %, hardly the recall, and are still 5 times faster than vectors.",
      DPL_LAB_ONE},
     dpl__lab_lunch_table_2},
    {{"lunch-figure-5", LUNCH, "Figure 5", "detection time of the window method",
      "Detection time grows linearly with the window B and the tables Q (R² above 0.999).",
      DPL_LAB_ONE},
     dpl__lab_lunch_figure_5},
    {{"lunch-figure-6", LUNCH, "Figure 6", "recall against tables, measured and predicted",
      "The model of shared prefixes estimates recall fairly well, so that settings can be "
      "chosen without experiments; signatures allow a recall of 0.76 at most.",
      DPL_LAB_ONE},
     dpl__lab_lunch_figure_6},
    {{"lunch-figure-7", LUNCH, "Figure 7", "comparisons and recall over a wide grid",
      "Many tables or wide windows reach a recall at about the same number of comparisons; for "
      "very high recall brute force makes fewer.",
      DPL_LAB_ONE},
     dpl__lab_lunch_figure_7},
    {{"lunch-figure-8", LUNCH, "Figure 8", "relative effectiveness against relative cost",
      "93 % of what brute force finds takes 35 % of its cost, 95 % takes 40 %, 98 % half; "
      "above "
      "99.5 % brute force is cheaper.",
      DPL_LAB_ONE},
     dpl__lab_lunch_figure_8},
    {{"lunch-links", LUNCH, "Section 6.3", "is the nearest document the linked one?",
      "Of 401 articles with an interlanguage link, 130 have the linked one as their nearest; "
      "571 of 1064 have none with a cosine of 0.3.",
      DPL_LAB_TWO | DPL_LAB_NEEDS_LINKS},
     dpl__lab_lunch_links},
    {{"lunch-table-3", LUNCH, "Table 3",
      "the nearest documents, and why counterparts are missed",
      "The nearest articles are related ones, often the linked one; where it is missed, "
      "lengths "
      "differ much or words are technical and unknown.",
      DPL_LAB_TWO | DPL_LAB_GOLD},
     dpl__lab_lunch_table_3},
    {{"mining-table-1", MINING, "Table 1", "precision and recall by threshold",
      "On the reference documents alone, a threshold of 0.1 gives a precision of 0.97 and a "
      "recall of 0.91; a higher one gains little precision.",
      DPL_LAB_TWO | DPL_LAB_GOLD},
     dpl__lab_mining_table_1},
    {{"mining-figure-2", MINING, "Figure 2", "F1 by the orders of n-grams",
      "Matching by 5 words instead of 2 costs 0.01 of F1; scoring by 2 words is best.",
      DPL_LAB_TWO | DPL_LAB_GOLD},
     dpl__lab_mining_figure_2},
    {{"mining-figure-3", MINING, "Figure 3", "comparisons by the order of matching n-grams",
      "Matching by 5 words instead of 2 makes 42 times fewer pairwise comparisons, by 5 "
      "instead of 4 more than 2 times fewer.",
      DPL_LAB_TWO | DPL_LAB_GOLD},
     dpl__lab_mining_figure_3},
    {{"mining-scores", MINING, "Section 2.1",
      "scores with term frequency; statistics of n-grams",
      "Term frequency in the score, as tf-idf or BM25, made results worse. 78 % of the "
      "matching "
      "n-grams are in one document, 21 % in one language, 0.8 % in more than 50 documents.",
      DPL_LAB_TWO | DPL_LAB_GOLD},
     dpl__lab_mining_scores},
    {{"mining-growth", MINING, "Section 2.2", "candidates and time by the number of documents",
      "Limiting the frequency of matching n-grams makes the search linear in the number of "
      "documents.",
      DPL_LAB_TWO},
     dpl__lab_mining_growth},
    {{"mining-table-3", MINING, "Table 3", "precision and recall among many other documents",
      "Within 2.5 billion web pages precision stays high (0.93 at 0.1), recall drops from 0.91 "
      "to 0.65: n-grams become too frequent, and near-duplicates win.",
      DPL_LAB_TWO | DPL_LAB_GOLD},
     dpl__lab_mining_table_3},
    {{"mining-table-4", MINING, "Table 4", "precision and recall of books",
      "Within 1.5 million books precision is 1.00 and recall 0.71 at 0.1, with one matching "
      "n-gram in 16.",
      DPL_LAB_TWO | DPL_LAB_GOLD},
     dpl__lab_mining_table_4},
    {{"mining-table-5", MINING, "Table 5", "BLEU of translators trained on mined text",
      "Mined text improves translation for all languages: on news of 2009 by 3.3 BLEU from "
      "German, by 6.8 from Czech.",
      DPL_LAB_TWO | DPL_LAB_GOLD | DPL_LAB_PARALLEL | DPL_LAB_TEST},
     dpl__lab_mining_table_5},
    {{"mining-table-6", MINING, "Table 6", "BLEU beside another method of mining",
      "Documents found by n-grams train a translator about as good as sentences found by the "
      "method of Munteanu and Marcu, without dates of the documents.",
      DPL_LAB_TWO | DPL_LAB_PARALLEL | DPL_LAB_TEST},
     dpl__lab_mining_table_6},
    {{"mining-table-7", MINING, "Table 7", "BLEU of text mined with degraded translators",
      "A translator that is worse by up to 8.9 BLEU finds text that is hardly worse to train "
      "on: less than 0.6 BLEU.",
      DPL_LAB_TWO | DPL_LAB_PARALLEL | DPL_LAB_TEST},
     dpl__lab_mining_table_7},
    {{"hash-figure-3", HASH, "Figure 3", "stress of embeddings against the threshold",
      "The embedding that minimises the error of all similarities (svd) is not the best one to "
      "hash: above some threshold the prefix classes of fuzzy-fingerprints have less stress. "
      "LSH is consistently worse than these.",
      DPL_LAB_ONE},
     dpl__lab_hash_figure_3},
    {{"hash-figure-4", HASH, "Figure 4", "distribution of the similarities",
      "High similarities are rare by orders of magnitude; in special compilations they are "
      "more frequent.",
      DPL_LAB_ONE},
     dpl__lab_hash_figure_4},
    {{"hash-table-2", HASH, "Table 2", "precision of embeddings in intervals of the similarity",
      "The threshold-optimum embedding is more precise than svd and fuzzy-fingerprints in "
      "every interval above its threshold, with 50 and with 25 dimensions.",
      DPL_LAB_ONE},
     dpl__lab_hash_table_2},
    {{"hash-figure-5", HASH, "Figure 5", "recall, precision and runtime of hash functions",
      "At equal sizes of the result, recall of fuzzy-fingerprints and LSH is excellent above a "
      "similarity of 0.8, precision of fuzzy-fingerprints is significantly better, and both "
      "are orders of magnitude faster than a linear search.",
      DPL_LAB_ONE},
     dpl__lab_hash_figure_5},
    {{"hash-growth", HASH, "Section 4", "results of a query as the collection grows",
      "For high thresholds result sets grow less than the collection.", DPL_LAB_ONE},
     dpl__lab_hash_growth},
    {{"hash-tradeoff", HASH, "Section 3.3", "thresholds of the threshold-optimum embedding",
      "A larger difference of the two thresholds makes the encoding robust, a higher lower "
      "threshold makes the error of the embedding smaller and allows shorter codes.",
      DPL_LAB_ONE},
     dpl__lab_hash_tradeoff},
    {{"hash-learned", HASH, "Section 5", "projections that are learned",
      "It is unclear to which extent embeddings of closed collections serve open ones; new "
      "documents can be projected.",
      DPL_LAB_ONE},
     dpl__lab_hash_learned},
    {{"pocket-figure-1", POCKET, "Figure 1",
      "size of an index, precision and recall of answers",
      "About 2 million articles are indexed in 0.7 GB; the minimal perfect hash function takes "
      "4.6 bytes of a document. Precision and recall depend on the similarity.",
      DPL_LAB_ONE},
     dpl__lab_pocket_figure_1},
    {{"plan-settings", BEYOND, "settings", "which method, by size, hardware and recall",
      "There is no single best setting (No Free Lunch): the planner chooses.",
      DPL_LAB_MAY_SYNTH},
     dpl__lab_plan_settings},
    {{"plan-surface", BEYOND, "surface", "cheapest method by row length, size and recall",
      "There is no single best setting (No Free Lunch): row length, size and recall decide.",
      DPL_LAB_MAY_SYNTH},
     dpl__lab_plan_surface},
    {{"mine-counterparts", BEYOND, "counterparts", "few counterparts among many documents",
      "Mining is harder the fewer documents have a counterpart.",
      DPL_LAB_TWO | DPL_LAB_GOLD | DPL_LAB_MAY_SYNTH},
     dpl__lab_mine_counterparts},
    {{"mine-translated", BEYOND, "translated", "documents that are translated in part",
      "Mining is harder the less of a document is translated.",
      DPL_LAB_TWO | DPL_LAB_GOLD | DPL_LAB_MAY_SYNTH},
     dpl__lab_mine_translated},
    {{"mine-size", BEYOND, "size", "precision, recall, time and memory by size",
      "Precision and recall do not depend on the size of the collections.",
      DPL_LAB_TWO | DPL_LAB_GOLD | DPL_LAB_MAY_SYNTH},
     dpl__lab_mine_size},
    {{0}, NULL},
};

const dpl_lab_experiment *dpl_lab_get_experiment(size_t i)
{
    for (size_t k = 0; k <= i; k++)
        if (!dpl__lab_rows[k].run)
            return NULL;
    return &dpl__lab_rows[i].about;
}

const dpl_lab_experiment *dpl_lab_find_experiment(const char *name)
{
    for (size_t i = 0; dpl__lab_rows[i].run; i++)
        if (strcmp(dpl__lab_rows[i].about.name, name) == 0)
            return &dpl__lab_rows[i].about;
    return NULL;
}

const char *dpl_lab_needs(char *out, size_t n_out, const dpl_lab_experiment *what)
{
    static const struct {
        unsigned bit;
        const char *text;
    } needs[] = {
        {DPL_LAB_ONE, "a collection"},
        {DPL_LAB_TWO, "two collections"},
        {DPL_LAB_GOLD, "gold pairs"},
        {DPL_LAB_TRANSLATED, "translated documents"},
        {DPL_LAB_PARALLEL, "sentence pairs to train on"},
        {DPL_LAB_TEST, "sentence pairs to test with"},
        {DPL_LAB_NEEDS_LINKS, "known links"},
        {DPL_LAB_MAY_SYNTH, "or none: synthetic ones"},
    };
    size_t n = 0;
    *out = 0;
    for (size_t i = 0; i < DPL_LEN(needs) && n < n_out; i++)
        if (what->needs & needs[i].bit)
            n += (size_t)snprintf(out + n, n_out - n, "%s%s", n ? ", " : "", needs[i].text);
    return out;
}
