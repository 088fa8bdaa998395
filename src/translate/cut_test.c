#include "translate/cut.h"

#include "test.h"

#include <stdio.h>

/* The words, each with a bar behind it. */
static dpl_str cut(dpl__cutter *c, dpl_str sentence, char out[200])
{
    size_t n = 0;
    CHECK_OK(dpl__cut(c, sentence, &test_err));
    for (size_t i = 0; i < c->all.n; i++) {
        const dpl_str word = dpl__cut_word(c, i);
        n += (size_t)snprintf(out + n, 200 - n, "%.*s|", (int)word.n, word.data);
    }
    return (dpl_str){out, n};
}

DPL_TEST(cut, words_and_marks_come_in_the_order_of_the_text)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__cutter c;
    char out[200];
    CHECK_OK(dpl__cutter_init(&c, ctx, "de", &test_err));
    CHECK_STR(cut(&c, DPL_STR("Das rote Haus, ist hier!"), out), "Das|rote|Haus|,|ist|hier|!|");
    CHECK_STR(cut(&c, DPL_STR("Zwei\nZeilen\tund mehr"), out), "Zwei|Zeilen|und|mehr|");
    CHECK_STR(cut(&c, DPL_STR(""), out), "");
    CHECK_STR(cut(&c, DPL_STR(" \n "), out), "");
    CHECK_STR(cut(&c, DPL_STR("ein \xFF Wort"), out), "ein|\uFFFD|Wort|");
    dpl__cutter_clear(&c);
    test_ctx_done(ctx);
}

DPL_TEST(cut, words_are_folded_and_marks_stay)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__cutter c;
    dpl_str folded;
    CHECK_OK(dpl__cutter_init(&c, ctx, "de", &test_err));
    CHECK_OK(dpl__cut_fold(&c, DPL_STR("HAUS"), &folded, &test_err));
    CHECK_STR(folded, "haus");
    CHECK_OK(dpl__cut_fold(&c, DPL_STR("!"), &folded, &test_err));
    CHECK_STR(folded, "!");
    dpl__cutter_clear(&c);
    CHECK_OK(dpl__cutter_init(&c, ctx, "tr", &test_err)); /* the language decides */
    CHECK_OK(dpl__cut_fold(&c, DPL_STR("ISI"), &folded, &test_err));
    CHECK_STR(folded, "ısı");
    dpl__cutter_clear(&c);
    dpl__cutter_clear(&c);
    test_ctx_done(ctx);
}
