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
#define DPL__MINE_PARAMS(PARAM) \
    /* rounds */ \
    PARAM(mine, most_changed, 0.002, "share of pairs", \
          "Rounds end when less than this share of the pairs changed. Compared; it decides " \
          "about one round more or less") \
    PARAM(mine, usual_rounds, 5, "rounds", \
          "Maximum number of rounds, unless the pairs still grow by round_gain") \
    PARAM(mine, round_gain, 1.02, "times", \
          "Growth of the number of pairs that allows more rounds. Hebrew verses grow from 361 " \
          "to 4,016 in 12 rounds") \
    PARAM(mine, round_new, 0.15, "share of pairs", \
          "Share of new pairs that allows more rounds after a start from names") \
    PARAM(mine, train_confidence, 0.5, "probability", \
          "Lowest confidence of pairs that train the next lexicon. Such pairs are more likely " \
          "right than wrong") \
    PARAM(mine, unsure_unpaired, 0.5, "share of documents", \
          "Highest share of unpaired documents at which unsure_confidence replaces " \
          "train_confidence. News triangles with 70 % unpaired lose 0.2 of F1 with 0.6") \
    PARAM(mine, unsure_pairs, 200, "sure pairs", \
          "Lowest number of pairs above train_confidence for unsure_confidence to replace it") \
    PARAM(mine, unsure_confidence, 0.3, "probability", \
          "Lowest confidence of pairs that train, see unsure_unpaired. F1 of news en-si is " \
          "0.848 with 0.5, 0.870 with 0.3") \
    PARAM(mine, part_percent, 1, "% of long sentences", \
          "Least share of a language that a mostly untranslated side is read in. Four manuals: 2 " \
          "to 15 %, mistakes 0.1 %") \
    PARAM(mine, part_ratio, 5, "times", "More of it than on the other side") \
    PARAM(mine, part_common, 0.5, "share of sentences", \
          "Least share of such a side that the other one has, too") \
    PARAM(mine, prior_rows, 8, "rows", \
          "Training rows that an entry of a given lexicon with probability 1 counts as") \
    PARAM(mine, paired_langs, 5, "languages", \
          "Up to this number of languages, every two are mined; beyond it, each is mined with " \
          "the pivot") \
    PARAM(mine, composed_least, 0.02, "probability", \
          "Lowest probability of a translation that is composed through a third language") \
    PARAM(mine, composed_share, 0.4, "share of documents", \
          "Lowest share of paired documents of two runs whose composed lexicon starts a third. " \
          "Else its own start is better: 500 verses eng-jpn 0.18, 0.66") \
    PARAM(mine, agree_by_chance, 0.3, "probability", \
          "Probability that other languages imply a wrong pair. A document without " \
          "counterpart may resemble both documents of a pair") \
    PARAM(mine, again_implied, 0.5, "times the pairs", \
          "Lowest number of implied pairs, relative to its likely ones, for a run to search " \
          "once more with what other languages support. Below it they tell little") \
    PARAM(mine, again_doubt, 0.03, "mean variance", \
          "Lowest sum of p (1 - p) of the candidates, relative to the likely ones, for the " \
          "same. Documents of four verses that have F1 0.98 lose 0.01 by another search") \
    PARAM(mine, known_pairs, 50, "accepted pairs", \
          "Accepted known pairs that suffice to train the first lexicon; fewer become seeds, " \
          "as do pairs from names") \
    PARAM(mine, gold_pairs, 20, "pairs", \
          "Lowest number of pairs from links, names or a third language that a lexicon is " \
          "trained on") \
    PARAM(mine, strict_pairs, 0.25, "share of sentences", \
          "Single sentences start again with strict rounds when a smaller share of them is " \
          "paired and strict_growth was not reached") \
    PARAM(mine, strict_precision, 0.9, "mean confidence", \
          "Single sentences start again with strict rounds when the mean confidence of their " \
          "pairs is lower. Unrelated verses have 0.80 to 0.91, Hebrew 0.92") \
    PARAM(mine, confirmed_back, 0.82, "share of pairs", \
          "Strict rounds start from the present pairs when at least this share of hidden " \
          "pairs is found again, and documents are taken for partly translated. With .15 " \
          "translated, .92 and more are found again, of unrelated documents at most .65, of " \
          "passages that are wrong by half .71") \
    PARAM(mine, strict_growth, 2, "times", \
          "Growth of the pairs since the first round that avoids strict rounds. News has 1.0 " \
          "to 1.4, Hebrew verses 17") \
    PARAM(mine, trusted_words, 0.5, "share of words", \
          "A given lexicon that knows less is only a start in strict rounds. Latin by that of " \
          "Esperanto has .19, tables of the same languages and lexicons of dialects .86 to .98") \
    PARAM(mine, likelier_lexicon, 0.8, "weight", \
          "The confidence of a single sentence pair of strict rounds is a mean of that of two " \
          "lexicons, of stems or parts and of words, in which the higher one has this weight") \
    PARAM(mine, train_share, 0.15, "share of candidates", \
          "Share of the candidates that the first strict round trains on at least") \
    PARAM(mine, train_decay, 0.8, "times", "Factor by which train_share falls in each round") \
    PARAM(mine, confidence_rounds, 30, "rounds", \
          "Rounds that estimate the weights of decoys and the error rates of pairs in turn") \
    PARAM(mine, decoy_pairs, 1.3, "pairs", \
          "Wrong pairs that are counted for each decoy behind a wrong pair. Theory says 1; " \
          "1.04 to 1.6 were measured") \
    PARAM(mine, more_decoys, 2, "decoys", \
          "Decoys that are counted before all others. Without them the first few pairs, which " \
          "may be chance, would look certain") \
    PARAM(mine, rate_doubt, 0.5, "rate", \
          "A pair with at least this error rate counts as wrong when decoys are counted") \
    PARAM(mine, rate_tilt, 0.1, "share of the rate", \
          "Share of the error rate by which pairs of one step of the rate may differ from it") \
    PARAM(mine, sample_docs, 20000, "documents", \
          "Lowest number of sampled documents of the smaller side in the rounds before the " \
          "last. Collections with less than twice as many are not sampled") \
    PARAM(mine, sample_sentences, 100000, "sentences", \
          "Lowest number of sentences in that sample") \
    PARAM(mine, sample_growth, 4, "times", \
          "Largest factor by which the sample grows between rounds") \
    PARAM(mine, sample_least_growth, 1.5, "times", \
          "Smallest factor by which the sample grows between rounds") \
    PARAM(mine, sample_found, 0.5, "share of sentences", \
          "The sample grows until pairs contain this share of sample_sentences. Without " \
          "growth the recall of captions falls from 0.80 to 0.68") \
    PARAM(mine, train_sentences, 150000, "sentence pairs", \
          "Approximate maximum number of sentence pairs that a lexicon is trained on") \
    PARAM(mine, single_sentences, 1.5, "sentences", \
          "Documents with at most this mean number of sentences on both sides are mined as " \
          "single sentences") \
    PARAM(mine, floor_lost, 0.001, "share of pairs", \
          "Share of the pairs of a sample that may fall below the lowest cosine of the last " \
          "search") \
    PARAM(mine, single_words, 50, "words", \
          "Highest mean number of words of documents that are mined as single sentences. News " \
          "sentences have 20 to 25; text without sentence ends has more") \
    /* boilerplate and untranslated text */ \
    PARAM(mine, boilerplate_docs, 0.1, "share of documents", \
          "A sentence in at least this share of a side's documents is boilerplate") \
    PARAM(mine, boilerplate_sample, 5000, "documents", \
          "Approximate number of documents of a side in which sentences are counted") \
    PARAM(mine, boilerplate_least, 10, "documents", \
          "Lowest number of documents that contain a boilerplate sentence") \
    PARAM(mine, own_tokens, 10, "words", \
          "Documents with fewer words outside of frequent sentences are left out") \
    PARAM(mine, own_share, 0.05, "share of words", \
          "Documents with a smaller share of words outside of frequent sentences are left out") \
    PARAM(mine, boilerplate_words, 0.05, "share of words", \
          "Boilerplate is kept when it has less than this share of all words. Help pages have " \
          "0.002, pages with a menu 0.47") \
    PARAM(mine, common_words, 0.05, "share of words", \
          "Sentences that both sides have are kept when they have less than this share of all " \
          "words. Help pages have 0.005") \
    PARAM(mine, common_tokens, 5, "words", \
          "Lowest number of words of a sentence that counts as common to both sides") \
    PARAM(mine, foreign_least, 30, "bytes", \
          "Shortest text whose language is identified, in bytes") \
    PARAM(mine, foreign_bytes, 4000, "bytes", \
          "Bytes of a text that language identification reads at most") \
    PARAM(mine, foreign_page, 200, "bytes", \
          "Shortest document, in bytes, that is left out as one in the other side's language") \
    PARAM(mine, begun_share, 0.2, "share of words", \
          "Documents that are mostly in the other side's language are kept when this share of " \
          "them is in that of their side, no boilerplate, and not on the other side") \
    PARAM(mine, foreign_confidence, 0.8, "probability", \
          "Lowest confidence that a sentence is in another language than its side") \
    PARAM(mine, label_docs, 50, "documents", \
          "Lowest number of documents of a side for numbers before them to be labels") \
    PARAM(mine, label_deviations, 4, "standard deviations", \
          "Correlation of the lengths of documents with equal numbers that makes these content. " \
          "Numbered counterparts have 30") \
    /* near-copies within one side */ \
    PARAM(mine, copy_shingle, 5, "words", "Words of a shingle when near-copies are sought") \
    PARAM(mine, copy_words, 30, "words", "Documents with fewer words have no near-copies") \
    PARAM(mine, copy_compared, 8, "documents", \
          "Documents with a common shingle that a document is compared with at most") \
    PARAM(mine, copy_shorter, 0.6, "share of shingles", \
          "Lowest share of the shorter document's shingles that a near-copy shares. At 0.7 " \
          "one in 14 short documents with two words and a sentence changed is lost") \
    PARAM(mine, copy_longer, 0.5, "share of shingles", \
          "Lowest share of the longer document's shingles that a near-copy shares") \
    PARAM(mine, copy_sure, 0.9, "share of shingles", \
          "Lowest share of common shingles where both sides have near-copies. A word in 50 is " \
          "changed, or a sentence added") \
    PARAM(mine, copy_times, 2, "times the difference", \
          "A copy may differ from another copy by this many times the distance to its nearest " \
          "copy, plus copy_offset") \
    PARAM(mine, copy_offset, 0.05, "share of shingles", \
          "Share of shingles that is added to this distance") \
    PARAM(mine, many_copies, 0.2, "share of documents", \
          "Copies are removed from a side when they exceed those of the other side by this " \
          "share of documents. Package descriptions have 0.13 and 0.10, help pages 0.04 and " \
          "0.01, a side fetched twice 0.5, half of it 0.33") \
    PARAM(mine, most_siblings, 0.2, "share of documents", \
          "Highest share of copies of the other side that many_copies is added to. Two sides " \
          "fetched twice have 0.5") \
    /* single sentences (sentence_search.c); chosen on news 2008 to 2013 and captions de-en */ \
    PARAM(mine, sentence_changed, 0.02, "share of pairs", \
          "Rounds of single sentences end when less than this share of the pairs changed. " \
          "Later rounds change F1 by 0.001") \
    PARAM(mine, sentence_terms, 2, "terms", "Sentences with fewer terms get no vector") \
    PARAM(mine, null_share, 0.3, "probability", \
          "Probability that a frequent word has no counterpart. F1 of news is 0.896 with " \
          "0.05, 0.901 with 0.3") \
    PARAM(mine, null_unknown, 0.6, "probability", \
          "Probability that a word outside the training data has no counterpart") \
    PARAM(mine, prior_weight, 3, "occurrences", \
          "Occurrences that similar spelling or a given lexicon counts as. The same from 1 to " \
          "3") \
    PARAM(mine, seldom, 10, "occurrences", \
          "Words with fewer training occurrences also take the links of words of similar " \
          "spelling. F1 of news rises from 0.917 to 0.926") \
    PARAM(mine, lent_weight, 3, "occurrences", \
          "Occurrences that the links of an equally spelt word count as") \
    PARAM(mine, lent_back, 0.6, "share", \
          "Share of a similar word's probability that a rare word gets as a translation") \
    PARAM(mine, part_letters, 4, "bytes", "Shortest part of a compound, in bytes") \
    PARAM(mine, part_share, 0.6, "share of the spelling", \
          "Similarity of spelling that a part of a compound counts as")\
    PARAM(mine, alike_least, 0.3, "share of trigrams", \
          "Words share at least this weighted share of their trigrams to be linked by spelling " \
          "where few sentences have a counterpart") \
    PARAM(mine, alike_power, 3, "power", \
          "Power of this share that the probability of such a link grows with") \
    PARAM(mine, few_words, 6, "words", \
          "Words added to the length of a sentence in the mean over its words. Short " \
          "sentences match by chance") \
    PARAM(mine, words_weight, 5.7, "per unit of log-likelihood", \
          "Weight of the sum of both directions' mean log-likelihoods in a sentence score. " \
          "This and the next two were fitted to rank counterparts first") \
    PARAM(mine, difference_weight, 1.4, "per unit of log-likelihood", \
          "Weight of the difference of both directions' mean log-likelihoods") \
    PARAM(mine, position_decay, 4, "per sentence length", \
          "Rate at which a link loses weight with its distance from the diagonal, per " \
          "sentence length. F1 of news is 0.908 without, 0.916 with 2, 0.918 with 4, 0.908 " \
          "with 8") \
    PARAM(mine, cover_weight, 6, "per share of information", \
          "Weight of the share of information that links cover, both directions added. F1 of " \
          "talks is 0.906 without, 0.911 with 8") \
    PARAM(mine, cover_difference_weight, 3, "the same", \
          "Weight of the difference of both sides' covered shares") \
    PARAM(mine, few_information, 20, "nats", \
          "Information, in nats, that is added to that of a sentence before its covered share") \
    PARAM(mine, length_weight, 9.6, "per squared logarithm", \
          "Weight of the squared logarithm of the length ratio, in characters") \
    PARAM(mine, length_offset, 10, "characters", \
          "Characters that are added to a length before its logarithm") \
    PARAM(mine, score_middle, 33, "sum of the above", \
          "Sum of these weighted features that becomes a score of 1. Hardly any sum is higher") \
    PARAM(mine, score_scale, 9, "sum of the above", \
          "A score is exp((sum - score_middle) / score_scale)") \
    PARAM(mine, score_offset, 5, "sum of the above", \
          "The confidence uses log1p(sum + score_offset) as a feature") \
    PARAM(mine, least_lead_weight, 1.79, "per log1p(sum of the above)", \
          "Weight of the smaller lead over the second best sentence, in the confidence. This " \
          "and the next three were fitted on news; in the mixture model they drift from round " \
          "to round") \
    PARAM(mine, most_lead_weight, 0.69, "the same", \
          "Weight of the larger lead over the second best sentence") \
    PARAM(mine, n_words_weight, 0.57, "per logarithm of words", \
          "Weight of the logarithm of the number of words of both sentences") \
    PARAM(mine, log_score_weight, 2.26, "per log1p(sum of the above)", \
          "Weight of the logarithm of the sum") \
    PARAM(mine, least_score, 1e-4, "score", "Lower scores are raised to it") \
    /* the start by names (names.c, name_pairs.c); chosen on New Testament verses of ten languages \
     * with English */ \
    PARAM(mine, name_capitals, 0.5, "share of occurrences", \
          "A name is capitalised in at least this share of its occurrences inside sentences") \
    PARAM(mine, name_share, 0.01, "share of words", \
          "A script has capitals when at least this share of the words inside sentences is " \
          "capitalised") \
    PARAM(mine, name_together, 0.6, "share of occurrences", \
          "A word belongs to a name that it adjoins in this share of the occurrences of the " \
          "name") \
    PARAM(mine, name_docs, 0.05, "share of documents", \
          "A name occurs in at most this share of documents") \
    PARAM(mine, name_sounds, 5, "letters and consonants", \
          "A name has at least this many letters and consonants, added") \
    PARAM(mine, gram_docs, 3, "documents", \
          "An n-gram of Han characters that is a name occurs in at least this many documents") \
    PARAM(mine, gram_part, 0.7, "share of documents", \
          "An n-gram is part of a longer one that occurs in at least this share of its " \
          "documents") \
    PARAM(mine, gram_familiar, 2, "consonants", \
          "Consonants in common that an n-gram counts as when all of its characters are in " \
          "other names") \
    PARAM(mine, gram_sure, 0.7, "probability", \
          "Lowest probability of links whose n-grams make their characters familiar " \
          "(gram_familiar)") \
    PARAM(mine, gram_turns, 2, "turns", "Times that names of Han characters are linked again") \
    PARAM(mine, gram_letters, 4e6, "Han characters", \
          "A side with more Han characters uses words as names") \
    PARAM(mine, most_names, 20000, "names", \
          "Maximum number of names of a side. The most frequent ones are used") \
    PARAM(mine, sound_vowel, 0.4, "consonants", "Consonants that a vowel counts as") \
    PARAM(mine, sound_near, 0.3, "consonants", \
          "Consonants that the exchange of two similar sounds counts as") \
    PARAM(mine, sound_ends, 0.6, "share of their weight", \
          "Share of the weight of sounds beyond the ends of the other word") \
    PARAM(mine, sound_price, 2.5, "consonants", \
          "Consonants in common that each changed consonant takes away") \
    PARAM(mine, name_df, 0.2, "consonants per logarithm", \
          "Consonants in common that a similar document frequency adds, per logarithm of its " \
          "rarity") \
    PARAM(mine, sound_least, 0.7, "consonants", \
          "Consonants in common up to which two names are unrelated") \
    PARAM(mine, name_sure, 0.5, "probability", \
          "Lowest probability of a link between two names") \
    PARAM(mine, name_weight, 7, "natural logarithm", \
          "Lowest sum of log rarities of names that two paired documents share") \
    PARAM(mine, name_lead, 1.5, "natural logarithm", \
          "Lowest lead of that sum over the second best document") \
    PARAM(mine, weak_start, 0.3, "share of documents", \
          "Names are used when spelling pairs a smaller share of documents. Verses of distant " \
          "languages have 0.009 to 0.03, Esperanto 0.09, help pages 0.75") \
    PARAM(mine, given_start, 2, "times", \
          "Names take the place of a given lexicon when they find so many times its pairs. " \
          "Lexicons of related and unrelated languages: 2.7 to 13; of the same languages: 1.2 " \
          "at most") \
    PARAM(mine, short_sentences, 3, "sentences", \
          "Documents with at most this mean number of sentences, and single_words, are ranked " \
          "by word alignment. F1 of Turkish verses rises from 0.918 to 0.980") \
    PARAM(mine, least_seeds, 8, "pairs", \
          "With fewer pairs that share names, shapes alone give the first pairs") \
    PARAM(mine, blind_pairs, 100, "pairs", \
          "Pairs by shapes alone that growth begins with, at most a tenth of the documents") \
    PARAM(mine, blind_rounds, 12, "rounds", "Rounds of growth from pairs by shapes alone") \
    PARAM(mine, blind_small, 1e7, "pairs of documents", \
          "Largest number of document pairs that shapes alone compare") \
    PARAM(mine, blind_sure, 0.1, "share of documents", \
          "Growth from shapes is dropped unless this share of documents gets a pair more " \
          "likely right than wrong. Unrelated collections reach 0.015") \
    PARAM(mine, growth_seeds, 200, "pairs", "Maximum number of pairs that growth begins with") \
    PARAM(mine, growth_times, 1.4, "times", \
          "Factor by which the number of pairs grows in each round") \
    PARAM(mine, growth_rounds, 15, "rounds", "Rounds of growth") \
    PARAM(mine, growth_frequent, 0.25, "share of documents", \
          "Words in more than this share of documents are ignored") \
    PARAM(mine, growth_together, 2, "pairs", \
          "Lowest number of pairs that contain both words of a link") \
    PARAM(mine, growth_ratio, 12, "log-likelihood ratio", \
          "Lowest log-likelihood ratio of a link") \
    PARAM(mine, growth_near, 0.7, "share", \
          "A link needs this share of the best ratio of both of its words") \
    PARAM(mine, growth_name, 0.7, "probability", \
          "Probability that the other document of a pair contains a name, too") \
    PARAM(mine, growth_letters, 4, "letters", \
          "Letters of the shortest beginning of a word that is a term") \
    PARAM(mine, growth_small, 4e6, "pairs of documents", \
          "Up to this number of document pairs, growth compares all") \
    PARAM(mine, shape_pairs, 20, "pairs", \
          "Pairs that the usual correlations of shapes.c count as") \
    PARAM(mine, shape_length, 0.8, "correlation", \
          "Usual correlation of the lengths of paired documents") \
    PARAM(mine, shape_usual, 0.1, "correlation", \
          "Usual correlation of the other shapes of paired documents") \
    PARAM(mine, growth_enough, 0.25, "share of documents", \
          "Growth ends when this share of documents is paired") \
    PARAM(mine, growth_most, 1000, "pairs", "Growth ends at this number of pairs") \
    PARAM(mine, growth_half, 20, "log-likelihood ratio", \
          "Log-likelihood ratio of a link that is right with probability 0.5") \
    PARAM(mine, growth_absent, 0.5, "share", "Weight of a word without a counterpart") \
    PARAM(mine, growth_heat, 0.7, "share", \
          "Factor on the evidence of words. They are not independent") \
    PARAM(mine, growth_lead, -3, "log odds", \
          "Lowest log-odds of a pair that growth learns from") \
    /* search */ \
    PARAM(mine, spelling_letters, 4, "letters", \
          "Letters of the n-grams that round 0 compares. Compared; only the first round " \
          "depends on it") \
    PARAM(mine, least_cosine, 0.02, "cosine", \
          "Lower cosines are chance. Neighbours that were not found get this cosine, too") \
    PARAM(mine, few_unpaired, 0.1, "share of documents", \
          "Documents that lost their best match are matched again when a smaller share is " \
          "unpaired. Recall of lohelp rises from 0.990 to 0.997; a higher value gives wrong " \
          "pairs where many documents have no counterpart") \
    PARAM(mine, sentences_unpaired, 0.6, "share of documents", \
          "The same for single sentences. Verses with English: tzo 0.610 to 0.635, heb 0.636 " \
          "to 0.666; with half of them left out, hau 0.888 to 0.891") \
    PARAM(mine, brute_pairs, 1e9, "pairs of documents", \
          "From this number of document pairs on, brute force finds the nearest documents in " \
          "one pass. Fewer are scored more thoroughly: recall 0.997 instead of 0.990 on " \
          "lohelp en-de") \
    PARAM(mine, brute_bits, 8192, "bits", \
          "Bits of its signatures. Unrelated documents of 400 words have cosines of 0.03, " \
          "counterparts at least 0.16; with 1024 bits most pairs must be scored") \
    /* search by n-grams */ \
    PARAM(mine, exact_ns, 1.3, "nanoseconds", \
          "Nanoseconds that exact search needs for a document pair") \
    PARAM(mine, ngram_ns, 400, "nanoseconds", \
          "Nanoseconds that search by n-grams needs for a word") \
    PARAM(mine, ngram_times, 4, "times as fast", \
          "Search by n-grams must be this many times as fast as exact search. Its recall is " \
          "lower") \
    PARAM(mine, ngram_recall, 0.98, "share of nearest documents", \
          "Exact search replaces search by n-grams that finds a smaller share of the nearest " \
          "documents") \
    /* passages */ \
    PARAM(mine, passage_tokens, 1, "words", "Sentences with fewer words are no passages") \
    PARAM(mine, passage_terms, 1, "terms", "Lowest number of terms of a passage vector") \
    PARAM(mine, passage_cosine, 0.1, "cosine", \
          "Lower cosines are chance. Neighbours that were not found get this cosine, too") \
    PARAM(mine, passage_margin, 0.6, "margin", \
          "Passage pairs up to this margin do not vote. Compared, 0.4 to 1.2") \
    PARAM(mine, passage_docs, 10000, "document pairs", \
          "A passage pair that more document pairs share does not vote") \
    PARAM(mine, passage_window, 3, "sentences", \
          "Largest distance, in sentences, of votes that support each other. Compared, 1 to 4") \
    PARAM(mine, passage_bonus, 3, "times the vote", \
          "A supported vote counts this many times more. Compared, 0 to 12") \
    PARAM(mine, passage_least, 0.5, "votes", "Documents with fewer votes are no neighbours") \
    PARAM(mine, passage_scale, 0.000244140625, "score", \
          "Score of one vote, 1/4096. A score is at most 1") \
    PARAM(mine, passage_sure, 0.5, "probability", \
          "Lowest confidence of passage pairs that train") \
    PARAM(mine, partly_aligned, 0.7, "share of text", \
          "Passages are compared when a smaller share of the paired documents' text is " \
          "aligned") \
    PARAM(mine, little_precision, 0.7, "share of pairs", \
          "Passages are compared when the expected precision is not higher") \
    PARAM(mine, little_recall, 0.2, "share of pairs", \
          "Passages are compared when the expected recall is not higher") \
    PARAM(mine, passage_pairs, 0.2, "share of documents", \
          "Unit auto distrusts passages that pair a smaller share of documents with less than " \
          "passage_aligned of their text") \
    PARAM(mine, passage_aligned, 0.8, "share of text", \
          "Share of aligned text that passage_pairs asks for. Collections without a common " \
          "document have 0.58 and 0.73, few pairs among siblings 0.95") \
    PARAM(mine, range_gap, 0.5, "words", \
          "Words that each word outside of kept beads takes from the value of a range") \
    PARAM(mine, range_beads, 2, "beads", \
          "A range has at least this many beads, unless it is the only one") \
    /* features: what is added bounds the logarithm */ \
    PARAM(mine, aligned_offset, 1.1, "share of text", \
          "A feature of documents is -log(aligned_offset - aligned share). Compared") \
    PARAM(mine, missing_offset, 0.05, "share of weight", \
          "A feature of documents is -log(missing_offset + share of untranslated words). " \
          "Compared") \
    PARAM(mine, worst_offset, 0.02, "share of weight", \
          "A feature of documents is -log(worst_offset + weight of the worst untranslated " \
          "word). Compared") \
    PARAM(mine, least_translation, 0.02, "probability", \
          "Less probable translations do not count as one. Compared") \
    /* folds of the final confidence */ \
    PARAM(mine, few_pairs, 64, "pairs", \
          "With fewer pairs, a lexicon trained on the others gives the final features of each " \
          "pair. For all pairs it lost recall and took a round more") \
    PARAM(mine, folds, 20, "folds", "Folds of these pairs. Compared") \
    PARAM(mine, long_fold_words, 100000, "words", \
          "With more words, these pairs have long_folds. Speed") \
    PARAM(mine, long_folds, 5, "folds", "Folds of long pairs. Speed") \
    PARAM(mine, fold_doubt, 0.03, "mean variance", \
          "Lowest sum of p (1 - p) per likely pair for fold_loss to be measured") \
    PARAM(mine, fold_loss, 0.2, "share of the cosine", \
          "More pairs have doubt_folds when a fold loses this share by a lexicon of others. " \
          "News si-ta: 0.3, F1 0.775 to 0.800; descriptions: 0.12, would lose 0.005") \
    PARAM(mine, doubt_pairs, 500, "pairs", "Lowest number of these pairs") \
    PARAM(mine, doubt_folds, 5, "folds", "Folds of these pairs") \
    PARAM(mine, doubt_words, 1e6, "words", "Most words of these pairs. Speed") \
    /* the mixture model */ \
    PARAM(mine, em_rounds, 50, "rounds", \
          "Maximum number of rounds of expectation-maximisation") \
    PARAM(mine, pairs_per_em_round, 30, "pairs", \
          "Each round of expectation-maximisation needs this many pairs. More rounds for few " \
          "pairs make all of them confident") \
    PARAM(mine, estimate_pairs, 10, "pairs", \
          "With fewer pairs, or fewer candidates than pairs_per_em_round, precision and " \
          "recall are not estimated. One pair would be more than 10 %; unrelated documents, 9 " \
          "to 20 a side, gave 1 to 11 wrong pairs that were estimated at 77 to 91 %") \
    /* pairs that chance gives, too (final_pairs.c); on unrelated sides of both halves */ \
    PARAM(mine, chance_pairs, 3, "pairs", \
          "Fewer pairs are dropped as chance where few documents have a counterpart. " \
          "Unrelated sides give as many") \
    PARAM(mine, chance_docs, 15, "pairs", \
          "Fewer pairs are dropped as chance when less than chance_aligned of their text is " \
          "aligned") \
    PARAM(mine, chance_aligned, 0.6, "share of the text", \
          "Share of aligned text, see chance_docs. Unrelated sides of 8 and 15 documents have " \
          "0.23 to 0.55, others 0.62 and more") \
    PARAM(mine, chance_sentences, 15, "pairs", \
          "Strict rounds drop fewer pairs of single sentences as chance. Of 243 unrelated sides " \
          "one has 14, others fewer") \
    PARAM(mine, chance_right, 0.25, "share of the pairs", \
          "Pairs are dropped as chance when a lexicon trained on others confirms a smaller " \
          "share. 22 unrelated sides have 0 to 0.21, news with 1 % 0.34 and 0.37") \
    PARAM(mine, given_doubt, 2, "wrong pairs", \
          "Wrong pairs that are counted for each one that a given lexicon, trained on others, " \
          "expects. News with 2 and 10 % have 1.9, 2.0, 2.1 and 3.4") \
    PARAM(mine, chance_back, 0.7, "share of the pairs", \
          "Pairs of single sentences, below strict_pairs, are dropped as chance when a " \
          "smaller share of hidden ones is found again. Unrelated verses have 0.33 and 0.51, " \
          "others 0.92 and more; after strict rounds both have 0.35 to 0.9") \
    /* errors of estimates: quantiles of the errors in 156 draws of half a of bench/calibration, in \
     * the scale of run_estimates.c */ \
    PARAM(mine, estimate_offset, 0.01, "share", \
          "Share that is added to a missing or wrong share before its logarithm") \
    PARAM(mine, document_precision_low, -0.91, "5 % quantile", "5 % quantile") \
    PARAM(mine, document_precision_middle, 0.13, "median", "Median error") \
    PARAM(mine, document_precision_high, 0.89, "96 % quantile", "96 % quantile") \
    PARAM(mine, document_recall_low, -0.95, "5 % quantile", "5 % quantile") \
    PARAM(mine, document_recall_middle, 0, "median", "Median error") \
    PARAM(mine, document_recall_high, 2.05, "96 % quantile", "96 % quantile") \
    PARAM(mine, passage_precision_low, -1.63, "5 % quantile", "5 % quantile") \
    PARAM(mine, passage_precision_middle, 0.03, "median", "Median error") \
    PARAM(mine, passage_precision_high, 0.97, "96 % quantile", "96 % quantile") \
    PARAM(mine, passage_recall_low, -1.1, "5 % quantile", "5 % quantile") \
    PARAM(mine, passage_recall_middle, 0.05, "median", "Median error") \
    PARAM(mine, passage_recall_high, 0.85, "96 % quantile", "96 % quantile") \
    PARAM(mine, close_lead, 1.2, "times the second best", \
          "A pair has a close rival when its score is less than this many times the second " \
          "best. 0 to 0.15 of wholly translated pairs have one, 0.14 to 0.5 where parts are " \
          "translated") \
    PARAM(mine, close_votes, 2.5, "missing for each one found, times the squared share of close rivals", \
          "Missing pairs per found pair, per squared share of close rivals, of documents " \
          "compared by passages. 15 draws of half a have 0.9 to 5 where 0.1 and more is " \
          "missing") \
    PARAM(mine, close_cosines, 7, "the same", \
          "The same for documents compared as wholes. Leads of cosines are smaller") \
    PARAM(mine, few_precision_low, -0.6, "5 % quantile", "5 % quantile") \
    PARAM(mine, few_precision_middle, 0.2, "median", "Median error") \
    PARAM(mine, few_precision_high, 1.9, "96 % quantile", "96 % quantile") \
    PARAM(mine, few_recall_low, -1.6, "5 % quantile", "5 % quantile") \
    PARAM(mine, few_recall_middle, -0.5, "median", "Median error") \
    PARAM(mine, few_recall_high, 2, "96 % quantile", "96 % quantile") \
    PARAM(mine, few_docs_precision_low, -1.3, "error", \
          "Lower end, twice the least of 25 draws of half a") \
    PARAM(mine, few_docs_precision_middle, 0.06, "median", "Median error") \
    PARAM(mine, few_docs_precision_high, 2, "96 % quantile", "96 % quantile") \
    PARAM(mine, few_docs_recall_low, -1.5, "error", "Lower end") \
    PARAM(mine, few_docs_recall_middle, 0.2, "median", "Median error") \
    PARAM(mine, few_docs_recall_high, 6, "error", \
          "Upper end: the interval ends at 1") \
    PARAM(mine, sentence_precision_low, -0.42, "5 % quantile", "5 % quantile") \
    PARAM(mine, sentence_precision_middle, 0.11, "median", "Median error") \
    PARAM(mine, sentence_precision_high, 0.61, "96 % quantile", "96 % quantile") \
    PARAM(mine, sentence_unseen, 0.03, "share of pairs", \
          "Share of wrong single sentences beyond the 5 % quantile. Verses of two gospels are " \
          "alike: of 7,900, precision was 0.001 to 0.022 and recall 0.004 to 0.027 below the " \
          "interval (hau, srn, swh, tur)") \
    /* of single sentences: from the share that comes back to the recall, 20 and 22 draws */ \
    PARAM(mine, sentence_recall_low, -1.93, "least error", "Least error") \
    PARAM(mine, sentence_recall_middle, -1.0, "median", "Median error") \
    PARAM(mine, sentence_recall_high, -0.41, "96 % quantile", "96 % quantile") \
    PARAM(mine, strict_precision_low, -0.7, "5 % quantile", "5 % quantile") \
    PARAM(mine, strict_precision_middle, 0.4, "median", "Median error") \
    PARAM(mine, strict_precision_high, 1.15, "96 % quantile", "96 % quantile") \
    PARAM(mine, strict_recall_power, 0.46, "power", \
          "Exponent of the share of hidden pairs not found again. It says little where few " \
          "sentences have a counterpart") \
    PARAM(mine, strict_recall_low, -2.45, "error", \
          "Recall error of strict rounds, lower end. So low that the interval begins at 0: " \
          "-0.67 held on half a alone") \
    PARAM(mine, strict_recall_middle, -0.33, "median", "Median error") \
    PARAM(mine, strict_recall_high, 1.41, "96 % quantile", "96 % quantile") \
    PARAM(mine, first_steps, 20, "steps", \
          "Steps of Newton's method before the first expectation") \
    PARAM(mine, next_steps, 2, "steps", "Steps of Newton's method in each later round") \
    PARAM(mine, first_ridge, 0.05, "per example", \
          "Ridge penalty of the first fit, per example. The first fit takes wrong pairs for " \
          "right ones and must not fit them exactly") \
    PARAM(mine, next_ridge, 0.05, "", \
          "Ridge penalty of later fits. It keeps weights finite where classes are separable") \
    PARAM(mine, bias_ridge, 1e-3, "", "Ridge penalty of the bias") \
    PARAM(mine, most_log_odds, 30, "natural logarithm", \
          "Clamp of the log-odds. Beyond it, exp(x) + 1 rounds to exp(x)") \
    /* few documents (few_docs.c); fitted to the candidates of 518 draws of 5 to 50 documents of\
     * half a of bench/calibration, whole, joined and translated in part, related and unrelated \
     * ones; leaving out a collection changes weights by less than a fifth */ \
    PARAM(mine, few_docs_candidates, 60, "candidates", \
          "With fewer candidates, the model of few documents gives the confidence") \
    PARAM(mine, few_docs_margin, 3, "per logarithm", \
          "Weight of the logarithm of the margin of cosines. That of votes says nothing more") \
    PARAM(mine, few_docs_score, 1.55, "per logarithm", \
          "Weight of the logarithm of the cosine by a lexicon of other pairs") \
    PARAM(mine, few_docs_length, 1.55, "per logarithm", \
          "Weight of the logarithm of the mean difference in length of aligned sentences") \
    PARAM(mine, few_docs_least, 0.03, "share of words", \
          "Added to the aligned share and to that of decoys, before their ratio") \
    PARAM(mine, few_docs_chance, 0.25, "share of words", \
          "Share of the decoys that are counted before all others") \
    PARAM(mine, few_docs_chance_seen, 2, "decoys", "How many these are") \
    PARAM(mine, few_docs_words, 30, "words", \
          "Words added to both documents, not aligned. Without them short ones are surer than " \
          "they should be") \
    PARAM(mine, few_docs_unlike, 0.5, "natural logarithm", \
          "Mean difference in length of these words") \
    PARAM(mine, few_docs_others, 2, "pairs", \
          "Pairs judged by a lexicon of fewer others, and no given one, count for nothing") \
    PARAM(mine, few_docs_spread, 2, "log-odds", \
          "Right pairs of a collection are so far below their mean at most") \
    PARAM(mine, few_docs_far, 2, "times", \
          "What is further below loses so many times as much beside. Of 30 and 50 documents, " \
          "half of them without counterpart, precision .96 -> .99") \
    PARAM(mine, few_docs_evidence, 3.5, "natural logarithm", \
          "Pairs are dropped as chance with less evidence that any of them is right. Of 202 " \
          "unrelated sides of 5 to 30 documents, one has more than 3") \
    /* few pairs (few_pairs.c); weights were fitted to 60 pairs among siblings: help pages en-de,\
     * Bible en-hu, news and package descriptions en-de; priors were compared on these and on \
     * help pages en-fr and de-fr */ \
    PARAM(mine, few_paired, 0.25, "share of documents", \
          "The model of few pairs is used when a smaller share of documents has a counterpart") \
    PARAM(mine, few_model_unpaired, 0.5, "share of documents", \
          "The model of few pairs is tried when the other model leaves a larger share of " \
          "documents unpaired") \
    PARAM(mine, few_unlike_pairs, 15, "pairs", \
          "The other model is kept, in place of fixed weights, when it expects this many right " \
          "pairs, and few_unlike_sure and few_unlike hold") \
    PARAM(mine, few_unlike_sure, 0.9, "share of pairs", \
          "Share of these that it takes for likely ones. Manual pages have 0.91 to 0.97, few " \
          "pairs among siblings 0.3 to 0.7") \
    PARAM(mine, few_unlike, 0.5, "share of pairs", \
          "Fixed weights expect a smaller share of these") \
    PARAM(mine, few_folds_unpaired, 0.7, "share of documents", \
          "Above this share of unpaired documents, up to few_folds_pairs have few_folds") \
    PARAM(mine, few_folds_pairs, 150, "pairs", \
          "Maximum number of pairs for few_folds_unpaired") \
    PARAM(mine, few_em_rounds, 100, "rounds", \
          "Rounds of expectation-maximisation with few pairs") \
    PARAM(mine, few_folds, 10, "folds", "Folds of these pairs") \
    PARAM(mine, few_bias, -12.6, "log-odds", \
          "Constant term of the score of few pairs, in log-odds") \
    PARAM(mine, few_margin, 3.1, "per logarithm", \
          "Weight of the logarithm of the margin of votes") \
    PARAM(mine, few_most_lead, 0.24, "per logarithm", \
          "Weight of the logarithm of the larger lead of votes") \
    PARAM(mine, few_cosines, 1.5, "times these", \
          "Factor on the weights of margin and lead when they come from cosines") \
    PARAM(mine, few_aligned, 1.97, "per logarithm", \
          "Weight of the logarithm of the share that is not aligned") \
    PARAM(mine, few_missing, 0.78, "per logarithm", \
          "Weight of the logarithm of the share of untranslated words") \
    PARAM(mine, few_length, 2.85, "per logarithm", \
          "Weight of the logarithm of the mean difference in length of aligned sentences")\
    PARAM(mine, length_words, 5, "words", \
          "Words that are added to the lengths of documents before their ratio") \
    PARAM(mine, lopsided_docs, 100, "times", \
          "A document with this many times as many words is no translation of the other") \
    PARAM(mine, length_bead_words, 2, "words", \
          "Words that are added to the lengths of a bead before their ratio") \
    PARAM(mine, length_share, 0.05, "natural logarithm", \
          "Offset of the length difference, in the logarithm of few_length") \
    PARAM(mine, few_floor, -5, "score", \
          "Scores of wrong pairs are distributed exponentially above it") \
    PARAM(mine, few_rate, 0.4, "per unit of score", "Rate of this exponential distribution") \
    PARAM(mine, few_rate_seen, 30, "pairs", "Pairs that few_rate counts as, as a prior") \
    PARAM(mine, few_mean, 2.2, "score", "Mean score of right pairs") \
    PARAM(mine, few_mean_seen, 10, "pairs", "Pairs that few_mean counts as, as a prior") \
    PARAM(mine, few_deviation, 1.3, "score", \
          "Standard deviation of the scores of right pairs") \
    PARAM(mine, few_deviation_seen, 60, "pairs", \
          "Pairs that few_deviation counts as, as a prior") \
    PARAM(mine, few_sibling_distance, 2.3, "score per unit of 1 - cosine", \
          "Distance of siblings below right pairs, times the root of the words of a document; 18 " \
          "for all had been best for descriptions (58 words), 30 to 45 for help pages (255)") \
    PARAM(mine, sibling_cosine, 0.5, "cosine", \
          "Lowest one of siblings, documents of one side") \
    /* known links (known_links.c); not measured beyond docs/guides/wikipedia.md */ \
    PARAM(mine, link_most_examples, 20000, "links", \
          "Maximum number of links found again that calibrate the judgement of others") \
    PARAM(mine, link_examples, 20, "links", \
          "With fewer links found again, the others are not judged") \
    PARAM(mine, link_tokens, 12, "words", \
          "Links of documents with fewer words are not judged") \
    PARAM(mine, link_wrong, 0.02, "probability", \
          "Probability that a link is wrong before its documents are compared")\
    PARAM(mine, link_evidence, 12, "log-odds", "Log-odds that a cosine counts for at most") \
    PARAM(mine, link_shift, 4, "log-odds", \
          "Log-odds that the calibration may shift by at most")
/* clang-format on */
DPL__PARAMS_DECLARE(DPL__MINE_PARAMS)

#endif
