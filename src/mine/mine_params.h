/*
 * mine_params.h - the constants of mining that decide results (base/params.h).
 *
 * "compared": chosen on about twenty collections (help pages, manual pages, Bible, news, the
 * sample), whole, in halves and with a few per cent in common, by the harmonic mean of strict
 * precision and recall (`doppel mine`, `doppel eval pairs`). Where no sensitivity is given, the
 * table that bench/params makes has it.
 */
#ifndef DPL_MINE_MINE_PARAMS_H
#define DPL_MINE_MINE_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__MINE_PARAMS(PARAM)                                                                \
    /* rounds */                                                                               \
    PARAM(mine, most_changed, 0.002, "share of pairs",                                         \
          "rounds end when fewer differ; compared; it decides about one round more or less")   \
    PARAM(mine, usual_rounds, 5, "rounds", \
          "maximum number, unless pairs still grow by round_gain") \
    PARAM(mine, round_gain, 1.02, "times", \
          "the pairs of the round before, needed for more rounds: Hebrew verses grow from 361 to 4,016 in 12 rounds") \
    PARAM(mine, round_new, 0.15, "share of pairs", \
          "that are new; with fewer, rounds that started from names end") \
    PARAM(mine, train_confidence, 0.5, "probability",                                          \
          "pairs above it train the next lexicon: more likely right than wrong")               \
    PARAM(mine, unsure_unpaired, 0.5, "share of documents", \
          "without counterpart; below it, and with unsure_pairs, pairs above unsure_confidence train: news triangles with 70 % unpaired lose 0.2 of F1 with 0.6") \
    PARAM(mine, unsure_pairs, 200, "sure pairs", \
          "lowest number for unsure_confidence") \
    PARAM(mine, unsure_confidence, 0.3, "probability", \
          "lowest one of pairs that train, see unsure_unpaired: F1 of news en-si 0.848 with 0.5, 0.870 with 0.3") \
    PARAM(mine, prior_rows, 8, "rows", \
          "weight of a certain entry of a given lexicon in training") \
    PARAM(mine, paired_langs, 5, "languages", \
          "maximum number of which every two are mined; with more, each is mined with the pivot") \
    PARAM(mine, composed_least, 0.02, "probability", \
          "lowest one of a translation through a third language") \
    PARAM(mine, agree_by_chance, 0.3, "probability", \
          "that other languages imply a wrong pair: a document without counterpart may resemble both of a pair") \
    PARAM(mine, known_pairs, 50, "accepted pairs", \
          "that train the lexicon of the first round; fewer are seeds, beside those from names") \
    PARAM(mine, gold_pairs, 20, "pairs", \
          "lowest number, by links, names or a third language, that a lexicon is trained on") \
    PARAM(mine, strict_pairs, 0.25, "share of sentences", \
          "in pairs; below it, single sentences start again with strict rounds, unless pairs grew by strict_growth") \
    PARAM(mine, strict_precision, 0.9, "mean confidence", \
          "of pairs; below it, single sentences start again with strict rounds: unrelated verses 0.80 to 0.91, Hebrew 0.92") \
    PARAM(mine, confirmed_back, 0.82, "share of pairs", \
          "of single sentences found again when hidden; above it, strict rounds start from these pairs") \
    PARAM(mine, strict_growth, 2, "times", \
          "the pairs of the first round, see strict_pairs: news 1.0 to 1.4, Hebrew verses 17") \
    PARAM(mine, train_share, 0.15, "share of candidates", \
          "lowest share that strict rounds learn from in the first round") \
    PARAM(mine, train_decay, 0.8, "times", \
          "train_share of the round before") \
    PARAM(mine, confidence_rounds, 30, "rounds",                                               \
          "in which weights of decoys and rates of pairs follow from each other")              \
    PARAM(mine, decoy_pairs, 1.3, "pairs",                                                     \
          "that are wrong for each decoy behind a wrong one: 1 in theory; 1.04 to 1.6")        \
    PARAM(mine, more_decoys, 2, "decoys", "before all others: the first few pairs are chance") \
    PARAM(mine, rate_doubt, 0.5, "rate",                                                       \
          "of wrong pairs, from which on a pair counts as wrong where decoys are counted")     \
    PARAM(mine, rate_tilt, 0.1, "share of the rate",                                           \
          "by which pairs of one step of the rate differ, below and above it")                 \
    PARAM(mine, sample_docs, 20000, "documents", \
          "of the smaller side: minimum sample of rounds before the last, in collections of twice as many") \
    PARAM(mine, sample_sentences, 100000, "sentences", \
          "minimum of the same sample") \
    PARAM(mine, sample_growth, 4, "times", \
          "maximum growth of a sample between rounds") \
    PARAM(mine, sample_least_growth, 1.5, "times", \
          "minimum growth of a sample between rounds") \
    PARAM(mine, sample_found, 0.5, "share of sentences", \
          "of sample_sentences in pairs; with fewer the sample grows: else the recall of captions falls from 0.80 to 0.68") \
    PARAM(mine, train_sentences, 150000, "sentence pairs", \
          "maximum, about, that a lexicon is trained on") \
    PARAM(mine, single_sentences, 1.5, "sentences", \
          "mean of documents on both sides, at most, for documents to count as single sentences") \
    PARAM(mine, floor_lost, 0.001, "share of pairs", \
          "of a sample that may have a lower cosine than the last search starts from") \
    PARAM(mine, single_words, 50, "words", \
          "maximum mean of such documents; news sentences have 20 to 25, text without sentence ends has more") \
    /* boilerplate and untranslated text */                                                    \
    PARAM(mine, boilerplate_docs, 0.1, "share of documents", \
          "of a side, lowest share that contain a sentence for it to be boilerplate") \
    PARAM(mine, boilerplate_sample, 5000, "documents", \
          "of a side in which sentences are counted, about") \
    PARAM(mine, boilerplate_least, 10, "documents", \
          "lowest number that contain boilerplate") \
    PARAM(mine, own_tokens, 10, "words", \
          "outside of frequent sentences; documents with fewer are left out") \
    PARAM(mine, own_share, 0.05, "share of words", \
          "outside of frequent sentences; documents with less are left out") \
    PARAM(mine, boilerplate_words, 0.05, "share of words", \
          "in boilerplate; with less it is kept; help pages have 0.002, pages with a menu 0.47") \
    PARAM(mine, common_words, 0.05, "share of words", \
          "in sentences that both sides have; with less all are kept; help pages have 0.005") \
    PARAM(mine, common_tokens, 5, "words", \
          "of a sentence that both sides have, at least") \
    PARAM(mine, foreign_least, 30, "bytes", \
          "of a text whose language is identified, at least") \
    PARAM(mine, foreign_bytes, 4000, "bytes", \
          "of a text whose language is identified, at most") \
    PARAM(mine, foreign_page, 200, "bytes", \
          "of a document that is left out because it is in the language of the other side") \
    PARAM(mine, foreign_confidence, 0.8, "probability",                                        \
          "that such a sentence is in another language than its side")                         \
    /* near-copies within one side */                                                          \
    PARAM(mine, copy_shingle, 5, "words", \
          "of a shingle of near-copies") \
    PARAM(mine, copy_words, 30, "words", \
          "of a document that may have near-copies") \
    PARAM(mine, copy_compared, 8, "documents", \
          "with a common shingle that a document is compared with") \
    PARAM(mine, copy_shorter, 0.6, "share of shingles", \
          "of the shorter of two near-copies that both have: two words and a sentence changed in a short document; at 0.7 one in 14 of those is lost") \
    PARAM(mine, copy_longer, 0.5, "share of shingles", \
          "of the longer of two near-copies that both have") \
    PARAM(mine, copy_sure, 0.9, "share of shingles", \
          "that both have, if both sides have near-copies: a word changed in 50, or a sentence added") \
    PARAM(mine, copy_times, 2, "times the difference", \
          "from its nearest copy: the most, with copy_offset, that a document may differ from other copies") \
    PARAM(mine, copy_offset, 0.05, "share of shingles", \
          "added to that") \
    PARAM(mine, many_copies, 0.2, "share of documents",                                        \
          "that groups of copies are beyond those of the other side, or copies with copy_sure" \
          " in all, or none are looked at: package descriptions have 0.13 and 0.10, help pages"\
          " 0.04 and 0.01, a side fetched twice 0.5; half of it, 0.33")                        \
    PARAM(mine, most_siblings, 0.2, "share of documents", \
          "highest share that groups of the other side count for: two sides fetched twice have 0.5") \
    /* single sentences (sentence_search.c); chosen on news 2008 to 2013 and captions de-en */ \
    PARAM(mine, sentence_changed, 0.02, "share of pairs",                                      \
          "rounds end when fewer differ; later rounds change F1 by 0.001")                     \
    PARAM(mine, sentence_terms, 2, "terms", "sentences with fewer have no vector")             \
    PARAM(mine, null_share, 0.3, "probability",                                                \
          "that a word has no counterpart; F1 of news 0.896 with 0.05, 0.901 with 0.3")        \
    PARAM(mine, null_unknown, 0.6, "probability", \
          "that a word which was not trained on has no counterpart") \
    PARAM(mine, prior_weight, 3, "occurrences",                                                \
          "that spelling or a given lexicon counts for; no effect from 1 to 3")                \
    PARAM(mine, seldom, 10, "occurrences",                                                     \
          "words trained on less often take links of relatives: F1 of news 0.917 to 0.926")    \
    PARAM(mine, lent_weight, 3, "occurrences", "that a word of the same spelling counts for")  \
    PARAM(mine, lent_back, 0.6, "share",                                                       \
          "of the probability of a relative that a seldom word has, given a counterpart")      \
    PARAM(mine, part_letters, 4, "bytes", "of the parts of a compound, at least")              \
    PARAM(mine, part_share, 0.6, "share of the spelling", "that a part of a compound counts for")\
    PARAM(mine, few_words, 6, "words",                                                         \
          "added to those of a sentence in the mean of its words: short ones are chance")      \
    PARAM(mine, words_weight, 5.7, "per unit of log-likelihood",                               \
          "of both directions; these three were fitted to rank counterparts first")            \
    PARAM(mine, difference_weight, 1.4, "per unit of log-likelihood",                          \
          "of the difference of both directions")                                              \
    PARAM(mine, position_decay, 4, "per sentence length",                                      \
          "of the weight of a link off the diagonal: F1 of news 0.908 without, 0.916 with 2,"  \
          " 0.918 with 4, 0.908 with 8")                                                       \
    PARAM(mine, cover_weight, 6, "per share of information",                                   \
          "covered by links of both directions; F1 of talks 0.906 without, 0.911 with 8")      \
    PARAM(mine, cover_difference_weight, 3, "the same", "of the difference of both sides")     \
    PARAM(mine, few_information, 20, "nats", "added to that of a sentence in its share")        \
    PARAM(mine, length_weight, 9.6, "per squared logarithm",                                   \
          "of the ratio of lengths, in characters")                                            \
    PARAM(mine, length_offset, 10, "characters", "added to a length before its logarithm")     \
    PARAM(mine, score_middle, 33, "sum of the above",                                          \
          "that becomes a score of 1; hardly any is higher")                                   \
    PARAM(mine, score_scale, 9, "sum of the above", "score = exp((sum - middle) / scale)")     \
    PARAM(mine, score_offset, 5, "sum of the above",                                           \
          "log1p(sum + offset) is a feature of the confidence")                                \
    PARAM(mine, least_lead_weight, 1.79, "per log1p(sum of the above)",                        \
          "of the smaller lead over the second best, in the confidence; these four were fitted "\
          "on news: left to the mixture model, they drift apart from round to round")          \
    PARAM(mine, most_lead_weight, 0.69, "the same", "of the larger lead")                      \
    PARAM(mine, n_words_weight, 0.57, "per logarithm of words", "of both sentences")           \
    PARAM(mine, log_score_weight, 2.26, "per log1p(sum of the above)", "of the sum itself")    \
    PARAM(mine, least_score, 1e-4, "score", "lower ones are raised to it")                     \
    /* the start by names (names.c, name_pairs.c); chosen on New Testament verses of ten languages   \
     * with English */                                                                         \
    PARAM(mine, name_capitals, 0.5, "share of occurrences",                                    \
          "inside sentences that are capitalised, of a name")                                  \
    PARAM(mine, name_share, 0.01, "share of words",                                            \
          "inside sentences that are capitalised, or the script has no capitals")              \
    PARAM(mine, name_together, 0.6, "share of occurrences",                                    \
          "of a word that is written together with another one, to be part of a name with it") \
    PARAM(mine, name_docs, 0.05, "share of documents", "that have a name, at most")            \
    PARAM(mine, name_sounds, 5, "letters and consonants", "of a name, at least")                \
    PARAM(mine, gram_docs, 3, "documents", "that an n-gram of Han characters is in to be a name, at least") \
    PARAM(mine, gram_part, 0.7, "share of documents",                                          \
          "of an n-gram that a longer one is in, or it is no part of it")                      \
    PARAM(mine, gram_familiar, 2, "consonants",                                                \
          "in common that an n-gram counts for whose characters are all in other names")       \
    PARAM(mine, gram_sure, 0.7, "probability", "of the links of these names, at least")        \
    PARAM(mine, gram_turns, 2, "turns", "in which these are found")                            \
    PARAM(mine, gram_letters, 4e6, "Han characters", "of a side, or names are words")          \
    PARAM(mine, most_names, 20000, "names", "of a side, at most: the most frequent")           \
    PARAM(mine, sound_vowel, 0.4, "consonants", "that a vowel counts for")                     \
    PARAM(mine, sound_near, 0.3, "consonants", "that an exchange of near sounds counts for")   \
    PARAM(mine, sound_ends, 0.6, "share of their weight",                                      \
          "that sounds count for which one word has beyond the ends of the other")             \
    PARAM(mine, sound_price, 2.5, "consonants", \
          "that a change of one consonant takes from what two names have in common") \
    PARAM(mine, name_df, 0.2, "consonants per logarithm", \
          "of how rare it is to be in about as many documents, that two names have in common") \
    PARAM(mine, sound_least, 0.7, "consonants", "in common that are taken for nothing") \
    PARAM(mine, name_sure, 0.5, "probability", "of a link of two names, at least")             \
    PARAM(mine, name_weight, 7, "natural logarithm", "of the rarity of names that two documents share, at least") \
    PARAM(mine, name_lead, 1.5, "natural logarithm",                                           \
          "of rarity that the second best document has less, at least")                        \
    PARAM(mine, weak_start, 0.3, "share of documents",                                        \
          "in pairs by spelling, or names are looked at; 0.009 to 0.03 of verses in languages" \
          " far apart, 0.09 of Esperanto, 0.75 of help pages")                                 \
    PARAM(mine, short_sentences, 3, "sentences", \
          "mean of documents, at most, with single_words, that are ranked by word alignment: F1 of Turkish verses 0.918 to 0.980") \
    PARAM(mine, least_seeds, 8, "pairs", "that share names, or shapes alone give the first pairs")    \
    PARAM(mine, blind_pairs, 100, "pairs", "by shapes alone that growth begins with, and at most a tenth of the documents") \
    PARAM(mine, blind_rounds, 12, "rounds", "of growth from these") \
    PARAM(mine, blind_small, 1e7, "pairs of documents", "that are compared by shapes alone, at most") \
    PARAM(mine, blind_sure, 0.1, "share of documents", "in pairs more likely right than wrong, or this is no start: unrelated collections reach 0.015") \
    PARAM(mine, growth_seeds, 200, "pairs", "that growth begins with, at most")                \
    PARAM(mine, growth_times, 1.4, "times", "that the pairs become more in each round")        \
    PARAM(mine, growth_rounds, 15, "rounds", "of growth")                                      \
    PARAM(mine, growth_frequent, 0.25, "share of documents",                                   \
          "that have a word, or it does not count")                                            \
    PARAM(mine, growth_together, 2, "pairs", "that have both words of a link, at least")       \
    PARAM(mine, growth_ratio, 12, "log-likelihood ratio", "of a link, at least")               \
    PARAM(mine, growth_near, 0.7, "share", "of the best ratio of both words, at least")        \
    PARAM(mine, growth_name, 0.7, "probability", "that a name is in the other document of a pair, too") \
    PARAM(mine, growth_letters, 4, "letters", "of the shortest beginning of a word that is a term") \
    PARAM(mine, growth_small, 4e6, "pairs of documents", "that are all compared, at most") \
    PARAM(mine, shape_pairs, 20, "pairs", "that the usual correlations of shapes.c count for") \
    PARAM(mine, shape_length, 0.8, "correlation", "of lengths of pairs that is usual") \
    PARAM(mine, shape_usual, 0.1, "correlation", "of other signs of pairs that is usual") \
    PARAM(mine, growth_enough, 0.25, "share of documents", "in pairs that end the growth") \
    PARAM(mine, growth_most, 1000, "pairs", \
          "that end the growth") \
    PARAM(mine, growth_half, 20, "log-likelihood ratio", "of a link that is right with a probability of a half") \
    PARAM(mine, growth_absent, 0.5, "share", "that a word without a counterpart counts") \
    PARAM(mine, growth_heat, 0.7, "share", "that evidence counts, for words are not independent") \
    PARAM(mine, growth_lead, -3, "log odds", "of a pair that is learned from, at least") \
    /* search */                                                                               \
    PARAM(mine, spelling_letters, 4, "letters",                                                \
          "n-grams of round 0; compared; only the first round depends on it")                  \
    PARAM(mine, least_cosine, 0.02, "cosine",                                                  \
          "lower ones are chance; also the cosine of a neighbour that was not found")          \
    PARAM(mine, few_unpaired, 0.1, "share of documents",                                       \
          "below it leftover documents are matched again: recall 0.990 to 0.997 on lohelp;"    \
          " higher: wrong pairs where many documents have no counterpart")                     \
    PARAM(mine, sentences_unpaired, 0.6, "share of documents",                                 \
          "the same of single sentences: verses with English, tzo 0.610 to 0.635, heb 0.636 to"\
          " 0.666; with half of them left out, hau 0.888 to 0.891")                            \
    PARAM(mine, brute_pairs, 1e9, "pairs of documents",                                        \
          "of more, brute force finds the nearest in one pass; of fewer, more is scored:"      \
          " recall 0.997 instead of 0.990 on lohelp en-de")                                    \
    PARAM(mine, brute_bits, 8192, "bits",                                                      \
          "of signatures there: unrelated documents of 400 words have cosines of 0.03, the"    \
          " least that counts is 0.16; 1024 bits cannot tell these, and most pairs are scored")  \
    /* search by n-grams */                                                                    \
    PARAM(mine, exact_ns, 1.3, "nanoseconds",                                                  \
          "of one pair of documents, exact search")                                            \
    PARAM(mine, ngram_ns, 400, "nanoseconds", "of one word, search by n-grams")                \
    PARAM(mine, ngram_times, 4, "times as fast",                                               \
          "a search by n-grams has to be; its recall is lower")                                \
    PARAM(mine, ngram_recall, 0.98, "share of nearest documents",                              \
          "that n-grams must find, or the search is exact after all")                          \
    /* passages */                                                                             \
    PARAM(mine, passage_tokens, 1, "words", "shorter sentences are no passages")               \
    PARAM(mine, passage_terms, 1, "terms", "that a vector of a passage has, at least")         \
    PARAM(mine, passage_cosine, 0.1, "cosine",                                                 \
          "lower ones are chance; also that of a neighbour that was not found")                \
    PARAM(mine, passage_margin, 0.6, "margin",                                                 \
          "passage pairs below it do not vote; compared, 0.4 to 1.2")                          \
    PARAM(mine, passage_docs, 10000, "document pairs", \
          "maximum number that share a passage pair which votes") \
    PARAM(mine, passage_window, 3, "sentences", \
          "between votes that support each other; compared, 1 to 4") \
    PARAM(mine, passage_bonus, 3, "times the vote",                                            \
          "that such votes count in addition; compared, 0 to 12")                              \
    PARAM(mine, passage_least, 0.5, "votes", "documents with fewer are no neighbours")         \
    PARAM(mine, passage_scale, 0.000244140625, "score", "of one vote: 1/4096; a score is 1 at most")  \
    PARAM(mine, passage_sure, 0.5, "probability", "passage pairs above it are learnt from")    \
    PARAM(mine, partly_aligned, 0.7, "share of text",                                          \
          "where less of the pairs can be aligned, passages are compared")                     \
    PARAM(mine, little_precision, 0.7, "share of pairs", \
          "expected to be right; with no more, passages are compared") \
    PARAM(mine, little_recall, 0.2, "share of pairs", \
          "expected to be found; with no more, passages are compared") \
    PARAM(mine, passage_pairs, 0.2, "share of documents", \
          "paired by passages; auto does not trust fewer, if less than passage_aligned of their text is aligned") \
    PARAM(mine, passage_aligned, 0.8, "share of text", \
          "see passage_pairs: 0.58 and 0.73 of collections without a common document, 0.95 of few pairs among siblings") \
    PARAM(mine, range_gap, 0.5, "words",                                                       \
          "that count against a range for each word outside of kept beads")                    \
    PARAM(mine, range_beads, 2, "beads", "that a range has, unless it is the only one")        \
    /* features: what is added bounds the logarithm */                                         \
    PARAM(mine, aligned_offset, 1.1, "share of text",                                          \
          "-log(offset - aligned share); compared")                                            \
    PARAM(mine, missing_offset, 0.05, "share of weight",                                       \
          "-log(offset + untranslated words); compared")                                       \
    PARAM(mine, worst_offset, 0.02, "share of weight",                                         \
          "-log(offset + worst untranslated word); compared")                                  \
    PARAM(mine, least_translation, 0.02, "probability",                                        \
          "translations below it do not count as one; compared")                               \
    /* folds of the final confidence */                                                        \
    PARAM(mine, few_pairs, 64, "pairs",                                                        \
          "with fewer the final features of a pair come from a lexicon of the others; for all"  \
          " pairs it lost recall and took a round more")                                       \
    PARAM(mine, folds, 20, "folds", "of these pairs; compared")                                \
    /* the mixture model */                                                                    \
    PARAM(mine, em_rounds, 50, "rounds", "of expectation-maximisation, at most")               \
    PARAM(mine, pairs_per_em_round, 30, "pairs", \
          "per round of expectation-maximisation: more rounds for few pairs make all of them confident") \
    PARAM(mine, estimate_pairs, 10, "pairs",                                                   \
          "of fewer, and of fewer candidates than pairs_per_em_round, precision and recall are"\
          " not estimated: one pair would be more than 10 %; unrelated documents, 9 to 20 a"   \
          " side, gave 1 to 11 wrong pairs that were estimated at 77 to 91 %")                 \
    /* pairs that chance gives, too (final_pairs.c); on unrelated sides of both halves */ \
    PARAM(mine, chance_pairs, 3, "pairs", \
          "fewer, where few documents have a counterpart, are none: unrelated sides give as many") \
    PARAM(mine, chance_docs, 15, "pairs", \
          "fewer, of which less than chance_aligned of the text is aligned, are none") \
    PARAM(mine, chance_aligned, 0.6, "share of the text", \
          "that is aligned: unrelated sides of 8 and 15 documents 0.23 to 0.55, others 0.62 on") \
    PARAM(mine, chance_sentences, 20, "pairs", \
          "of single sentences in strict rounds, fewer of which are none") \
    PARAM(mine, chance_right, 0.25, "share of the pairs", \
          "that are right by a lexicon which did not see them, or they are none: 22 unrelated sides have 0 to 0.21," \
          " news with 1 % 0.34 and 0.37") \
    PARAM(mine, given_doubt, 2, "wrong pairs", \
          "for each one that a given lexicon, trained on others, expects: 1.9, 2.0, 2.1 and 3.4 of news with 2 and 10 %") \
    PARAM(mine, chance_back, 0.7, "share of the pairs", \
          "of single sentences, fewer than strict_pairs, that come back when they are hidden: unrelated" \
          " verses 0.33 and 0.51, others 0.92 on; after strict rounds both have 0.35 to 0.9") \
    /* errors of estimates: quantiles of the errors in 156 draws of half a of bench/calibration, in        \
     * the scale of run_estimates.c */ \
    PARAM(mine, estimate_offset, 0.01, "share", \
          "added to a missing or wrong share before its logarithm") \
    PARAM(mine, document_precision_low, -0.91, "5 % quantile", "of errors") \
    PARAM(mine, document_precision_middle, 0.13, "median", "of errors") \
    PARAM(mine, document_precision_high, 0.89, "96 % quantile", "of errors") \
    PARAM(mine, document_recall_low, -0.95, "5 % quantile", "of errors") \
    PARAM(mine, document_recall_middle, 0, "median", "of errors") \
    PARAM(mine, document_recall_high, 2.05, "96 % quantile", "of errors") \
    PARAM(mine, passage_precision_low, -1.63, "5 % quantile", "of errors") \
    PARAM(mine, passage_precision_middle, 0.03, "median", "of errors") \
    PARAM(mine, passage_precision_high, 0.97, "96 % quantile", "of errors") \
    PARAM(mine, passage_recall_low, -1.1, "5 % quantile", "of errors") \
    PARAM(mine, passage_recall_middle, 0.05, "median", "of errors") \
    PARAM(mine, passage_recall_high, 0.85, "96 % quantile", "of errors") \
    PARAM(mine, close_lead, 1.2, "times the second best", \
          "of a pair that has a close rival: 0 to 0.15 of pairs that are wholly translated, 0.14 to 0.5 where parts are") \
    PARAM(mine, close_votes, 2.5, "missing for each one found, times the squared share of close rivals", \
          "of documents compared by passages; 15 draws of half a have 0.9 to 5 where 0.1 and more is missing") \
    PARAM(mine, close_cosines, 7, "the same", "of documents compared as wholes: leads of cosines are smaller") \
    PARAM(mine, few_precision_low, -1.04, "5 % quantile", "of errors") \
    PARAM(mine, few_precision_middle, -0.07, "median", "of errors") \
    PARAM(mine, few_precision_high, 1.37, "96 % quantile", "of errors") \
    PARAM(mine, few_recall_low, -1.5, "5 % quantile", "of errors") \
    PARAM(mine, few_recall_middle, -0.66, "median", "of errors") \
    PARAM(mine, few_recall_high, 1.78, "96 % quantile", "of errors") \
    PARAM(mine, sentence_precision_low, -0.42, "5 % quantile", "of errors") \
    PARAM(mine, sentence_precision_middle, 0.11, "median", "of errors") \
    PARAM(mine, sentence_precision_high, 0.61, "96 % quantile", "of errors") \
    /* of single sentences: from the share that comes back to the recall, 19 and 22 draws */ \
    PARAM(mine, sentence_recall_low, -1.63, "5 % quantile", "of errors") \
    PARAM(mine, sentence_recall_middle, -1.0, "median", "of errors") \
    PARAM(mine, sentence_recall_high, -0.41, "96 % quantile", "of errors") \
    PARAM(mine, strict_precision_low, -0.7, "5 % quantile", "of errors") \
    PARAM(mine, strict_precision_middle, 0.4, "median", "of errors") \
    PARAM(mine, strict_precision_high, 1.15, "96 % quantile", "of errors") \
    PARAM(mine, strict_recall_power, 0.46, "power", \
          "of the share of pairs that does not come back: a weak sign where few have a counterpart") \
    PARAM(mine, strict_recall_low, -2.45, "error", "nothing is known: -0.67 held on half a alone") \
    PARAM(mine, strict_recall_middle, -0.33, "median", "of errors") \
    PARAM(mine, strict_recall_high, 1.41, "96 % quantile", "of errors") \
    PARAM(mine, first_steps, 20, "steps", "of Newton's method before the first expectation")   \
    PARAM(mine, next_steps, 2, "steps", "of Newton's method in each round")                    \
    PARAM(mine, first_ridge, 0.05, "per example",                                              \
          "the first fit takes wrong pairs for right ones and must not fit them exactly")      \
    PARAM(mine, next_ridge, 0.05, "", "keeps weights finite where classes are separable")      \
    PARAM(mine, bias_ridge, 1e-3, "", "the same for the bias")                                 \
    PARAM(mine, most_log_odds, 30, "natural logarithm",                                        \
          "clamp of the log-odds: beyond it, exp(x) + 1 rounds to exp(x)")                     \
    /* few pairs (few_pairs.c); weights were fitted to 60 pairs among siblings: help pages en-de,\
     * Bible en-hu, news and package descriptions en-de; priors were compared on these and on  \
     * help pages en-fr and de-fr */                                                           \
    PARAM(mine, few_paired, 0.25, "share of documents", \
          "with a counterpart; below it, the model of few pairs is used") \
    PARAM(mine, few_model_unpaired, 0.5, "share of documents", \
          "without counterpart by the model of many pairs; above it, the model of few pairs is used") \
    PARAM(mine, few_left, 0.1, "share of pairs", \
          "of the model of many pairs that the model of few leaves; below it, hidden pairs decide (confirmed_back): of" \
          " .15 translated .92 and more are found again, of unrelated documents at most .65") \
    PARAM(mine, few_folds_unpaired, 0.7, "share of documents", \
          "without counterpart; above it, features come from a lexicon of other pairs up to few_folds_pairs") \
    PARAM(mine, few_folds_pairs, 150, "pairs", \
          "maximum number for few_folds_unpaired") \
    PARAM(mine, few_em_rounds, 100, "rounds", \
          "of expectation-maximisation with few pairs") \
    PARAM(mine, few_folds, 10, "folds", "of them")                                             \
    PARAM(mine, few_bias, -12.6, "log-odds", "of the score")                                   \
    PARAM(mine, few_margin, 3.1, "per logarithm", "of the margin of votes")                    \
    PARAM(mine, few_most_lead, 0.24, "per logarithm", "of the larger lead of votes")           \
    PARAM(mine, few_cosines, 1.5, "times these", \
          "the weights of votes, for cosines") \
    PARAM(mine, few_aligned, 1.97, "per logarithm", "of the share that is not aligned")        \
    PARAM(mine, few_missing, 0.78, "per logarithm", "of the share of untranslated words")      \
    PARAM(mine, few_length, 2.85, "per logarithm", "of how lengths of aligned sentences differ")\
    PARAM(mine, length_words, 5, "words", \
          "added to the lengths of texts before their ratio") \
    PARAM(mine, lopsided_docs, 100, "times", \
          "as many words as the other document: no translation of it") \
    PARAM(mine, length_bead_words, 2, "words", \
          "added to the lengths of a bead before their ratio") \
    PARAM(mine, length_share, 0.05, "natural logarithm",                                       \
          "-log(offset + mean difference of the logarithms of lengths)")                       \
    PARAM(mine, few_floor, -5, "score", "wrong pairs above it are exponential")                \
    PARAM(mine, few_rate, 0.4, "per unit of score", "at which wrong pairs become fewer")       \
    PARAM(mine, few_rate_seen, 30, "pairs", \
          "weight of few_rate as a prior") \
    PARAM(mine, few_mean, 2.2, "score", "of right pairs")                                      \
    PARAM(mine, few_mean_seen, 3, "pairs", \
          "weight of few_mean as a prior") \
    PARAM(mine, few_deviation, 1.3, "score", "of right pairs, its standard deviation")         \
    PARAM(mine, few_deviation_seen, 60, "pairs", \
          "weight of few_deviation as a prior") \
    PARAM(mine, few_sibling_below, 2.8, "score", \
          "distance below right pairs at which pairs are siblings") \
    PARAM(mine, few_siblings_seen, 1, "pairs", \
          "prior number of siblings") \
    /* known links (known_links.c); not measured beyond docs/guides/wikipedia.md */            \
    PARAM(mine, link_most_examples, 20000, "links", \
          "that were found, which the calibration uses at most") \
    PARAM(mine, link_examples, 20, "links", \
          "that were found; with fewer, links that were not found are not judged") \
    PARAM(mine, link_tokens, 12, "words", \
          "of a document; links of shorter ones are not judged") \
    PARAM(mine, link_wrong, 0.02, "probability", "that a link is wrong, before it is compared")\
    PARAM(mine, link_evidence, 12, "log-odds", "that a cosine counts for, at most")            \
    PARAM(mine, link_shift, 4, "log-odds", "of the calibration by links, at most")
/* clang-format on */
DPL__PARAMS_DECLARE(DPL__MINE_PARAMS)

#endif
