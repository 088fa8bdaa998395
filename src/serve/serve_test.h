/*
 * serve_test.h - a small folder of a mine run, and requests to what serves it.
 */
#ifndef DPL_SERVE_TEST_H
#define DPL_SERVE_TEST_H

#include "serve/app.h"
#include "test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A folder with three pairs, five sentences and the documents of one side; returns its path. */
static inline const char *serve_test_folder(const char *name)
{
    static const char run[] =
        "{\"version\": \"0\", \"left\": {\"lang\": \"de\", \"documents\": 3},\n"
        " \"right\": {\"lang\": \"en\"}, \"unit\": \"document\", \"rounds\": [{\"pairs\": "
        "3}]}\n";
    static const char pairs[] = "a\tx\t0.900000\nb\ty\t0.300000\nc <b>\tz\t0.600000\n";
    static const char sentences[] = "a\tx\tEins  zwei.\tOne two.\t0.9\n"
                                    "a\tx\tDrei.\tThree.\t0.8\n"
                                    "b\ty\tVier.\tFour.\t0.7\n"
                                    "a\tx\tZwei.\tTwo.\t0.6\n"
                                    "q\tq\tnobody\tnobody\t0.5\n";
    static char folder[600];
    char path[700];
    snprintf(folder, sizeof folder, "%s", test_path(name));
    CHECK(mkdir(folder, 0777) == 0);
    snprintf(path, sizeof path, "%s/run.json", name);
    test_write(path, run, sizeof run - 1);
    snprintf(path, sizeof path, "%s/pairs.tsv", name);
    test_write(path, pairs, sizeof pairs - 1);
    snprintf(path, sizeof path, "%s/sentences.tsv", name);
    test_write(path, sentences, sizeof sentences - 1);
    return folder;
}

/* Lists of links for that folder: a missing one that is its first pair, and a suspicious one;
 * its documents are in its second and third pair. */
static inline void serve_test_links(const char *name)
{
    static const char missing[] =
        "left_id\tright_id\tconfidence\tleft_title\tright_title\tsentences\tleft_share\t"
        "right_share\tshared_terms\tshared_words\n"
        "a\tx\t0.950000\t<script>\tA & B\t3\t0.500000\t0.250000\tone two\t"
        "Eins|One Drei|Three | no \xFF|\xFF\n";
    static const char suspicious[] =
        "left_id\tright_id\tprobability_wrong\tleft_title\tright_title\tcosine\t"
        "better_right_id\tbetter_right_title\tbetter_left_id\tbetter_left_title\t"
        "shared_words\tbetter_right_words\tbetter_left_words\n"
        "b\tz\t0.800000\tBeh\t\t0.040000\ty\tWhy\tc <b>\tCee\t\tVier|Four\t\t"
        "0.350000\t0.500000\t0.750000\t\t\t\n"
        "broken\nbroken\tline\tnan\n";
    char path[700];
    snprintf(path, sizeof path, "%s/missing-links.tsv", name);
    test_write(path, missing, sizeof missing - 1);
    snprintf(path, sizeof path, "%s/suspicious-links.tsv", name);
    test_write(path, suspicious, sizeof suspicious - 1);
}

/* Documents for the left side of that folder. */
static inline void serve_test_documents(dpl_ctx *ctx, const char *folder)
{
    static const char docs[] =
        "{\"id\": \"a\", \"lang\": \"de\", \"title\": \"<script>\", "
        "\"text\": \"Eins\\nzwei. Drei. Zwei.\"}\n"
        "{\"id\": \"b\", \"lang\": \"de\", \"title\": \"Beh\", \"text\": \"Vier.\"}\n";
    char work[700], out[800];
    snprintf(work, sizeof work, "%s/work", folder);
    CHECK(mkdir(work, 0777) == 0);
    snprintf(out, sizeof out, "%s/left.dpl", work);
    const char *in = test_write("left.jsonl", docs, sizeof docs - 1);
    CHECK_OK(dpl_import(NULL, ctx, out, &in, 1, NULL, &test_err));
}

/* Asks, and returns the status; the body is a->text until it is asked again. */
static inline unsigned serve_test_ask(dpl__answer *a, dpl__app *app, const char *method,
                                      const char *target, const char *body)
{
    const dpl__request r = {.method = dpl__cstr(method),
                            .target = dpl__cstr(target),
                            .host = DPL_STR("127.0.0.1:80"),
                            .content_type = body ? DPL_STR("application/json") : (dpl_str){0},
                            .body = dpl__cstr(body)};
    dpl__answer_reset(a);
    dpl__app_answer(a, app, &r);
    return a->status;
}

static inline bool serve_test_has(const dpl__answer *a, const char *part)
{
    const dpl_str body = dpl__answer_body(a);
    const size_t n = strlen(part);
    for (size_t i = 0; i + n <= body.n; i++)
        if (memcmp(body.data + i, part, n) == 0)
            return true;
    return false;
}

#endif
