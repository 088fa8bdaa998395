/*
 * kinds.c - the sections that readers of each kind of file know (docs/reference/FORMAT.md).
 *
 * A file may hold others that are optional. One that is marked as required and is not listed
 * here comes from a newer version, or the file is damaged: how it changes the rest is unknown.
 */
#include "io/sections.h"

static const char *const collection[] = {"text.bytes",
                                         "text.offsets",
                                         "id.bytes",
                                         "id.offsets",
                                         "title.bytes",
                                         "title.offsets",
                                         "extra.bytes",
                                         "extra.offsets",
                                         "lang.bytes",
                                         "lang.offsets",
                                         "doc.langs",
                                         "doc.order",
                                         "sentence.offsets",
                                         "sentence.begins",
                                         "sentence.tokens",
                                         "sentence.flags",
                                         "token.offsets",
                                         "tokens",
                                         "term.bytes",
                                         "term.offsets",
                                         "term.counts",
                                         "term.docs",
                                         "term.order",
                                         "row.offsets",
                                         "row.terms",
                                         "row.counts",
                                         "settings",
                                         "alias.bytes",
                                         "part",
                                         "part.batches",
                                         "part.counts",
                                         NULL};
static const char *const lexicon[] = {"source.bytes",
                                      "source.offsets",
                                      "source.lang",
                                      "source.counts",
                                      "source.written.bytes",
                                      "source.written.offsets",
                                      "target.bytes",
                                      "target.offsets",
                                      "target.lang",
                                      "target.counts",
                                      "target.written.bytes",
                                      "target.written.offsets",
                                      "table.offsets",
                                      "table.cols",
                                      "table.p",
                                      "back.offsets",
                                      "back.cols",
                                      "back.p",
                                      "flags",
                                      "settings",
                                      "model.begin",
                                      "model.right",
                                      "model.p",
                                      "model.counts",
                                      "model.empty.target",
                                      "model.empty.source",
                                      "model.n_empty",
                                      "model.p_empty",
                                      "model.jumps",
                                      NULL};
static const char *const vectors[] = {
    "row.weights", "row.terms",  "row.offsets",  "row.docs", "id.bytes",
    "id.offsets",  "term.bytes", "term.offsets", "docs",     "direction",
    "space",       "lang",       "doc.lang",     "settings", NULL};
static const char *const signatures[] = {"words", "id.bytes", "id.offsets", "shape", "space",
                                         "lang",  "doc.lang", "settings",   "part",  NULL};
static const char *const round_sections[] = {
    "docs",           "checksums",   "counts",      "samples",    "least",
    "search",         "shares",      "pair.docs",   "pair.match", "pair.confidence",
    "decoy.docs",     "decoy.match", "decoy.taken", "cosines",    "receipt.counts",
    "receipt.shares", "seconds",     "names",       "likely",     "seeds",
    "final",          NULL};

static const char *const phrases[] = {"source.bytes",
                                      "source.offsets",
                                      "source.lang",
                                      "target.bytes",
                                      "target.offsets",
                                      "target.lang",
                                      "shown.bytes",
                                      "shown.offsets",
                                      "shown.flags",
                                      "phrase.keys",
                                      "phrase.offsets",
                                      "option.scores",
                                      "option.begins",
                                      "option.words",
                                      "lm.unigrams",
                                      "lm.unigram.backoffs",
                                      "lm.bigram.keys",
                                      "lm.bigrams",
                                      "lm.bigram.backoffs",
                                      "lm.trigram.keys",
                                      "lm.trigrams",
                                      "settings",
                                      NULL};

static const char *const codes[] = {"codes",          "id.bytes",       "id.offsets",
                                    "shape",          "settings",       "prefix.bytes",
                                    "prefix.offsets", "prefix.classes", "class.mean",
                                    "class.sd",       "class.bounds",   NULL};

static const char *const pairs[] = {
    "part",          "settings",      "counts",       "reals",
    "pairs",         "left.rows",     "left.offsets", "left.bytes",
    "right.rows",    "right.offsets", "right.bytes",  "check.rows",
    "check.offsets", "check.rights",  "doc.groups",   NULL};

static const char *const pocket[] = {"numbers",
                                     "settings",
                                     "receipt",
                                     "lang.codes",
                                     "lang.counts",
                                     "doc.langs",
                                     "doc.words",
                                     "name.offsets",
                                     "name.bytes",
                                     "id.mph",
                                     "id.rows",
                                     "code.function",
                                     "code.mph",
                                     "code.checks",
                                     "code.starts",
                                     "code.select",
                                     "code.docs",
                                     "prefix.bytes",
                                     "prefix.offsets",
                                     "prefix.classes",
                                     "class.mean",
                                     "class.sd",
                                     "class.bounds",
                                     "term.mph",
                                     "term.slots",
                                     "term.idf",
                                     "term.offsets",
                                     "term.bytes",
                                     "row.offsets",
                                     "row.bytes",
                                     "row.norms",
                                     "post.lists",
                                     "post.bytes",
                                     "lexicon.terms",
                                     "lexicon.p",
                                     "lexicon.offsets",
                                     "lexicon.langs",
                                     "text.dictionary",
                                     "text.offsets",
                                     "text.bytes",
                                     NULL};

static const struct kind {
    const char *name;
    const char *const *sections;
} kinds[] = {{"collection", collection}, {"lexicon", lexicon},      {"vectors", vectors},
             {"signatures", signatures}, {"round", round_sections}, {"phrases", phrases},
             {"codes", codes},           {"pairs", pairs},          {"pocket", pocket}};

bool dpl__is_known_section(const char *kind, const char *name)
{
    for (size_t i = 0; i < DPL_LEN(kinds); i++) {
        if (strcmp(kinds[i].name, kind) != 0)
            continue;
        const char *const *at = kinds[i].sections;
        while (*at && strcmp(*at, name) != 0)
            at++;
        return *at != NULL;
    }
    return true; /* no kind of ours */
}
