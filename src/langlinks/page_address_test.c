#include "langlinks/page_address.h"

#include "doppel/tokens.h"
#include "tokens/collection.h"

#include "test.h"

#include <stdio.h>

static void check_address(const char *site, const char *title, const char *wanted)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    CHECK_STR(dpl__page_address(&arena, dpl__cstr(site), dpl__cstr(title)), wanted);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(page_address, has_the_title_escaped)
{
    check_address("https://de.wikipedia.org/wiki/", "Köln am Rhein",
                  "https://de.wikipedia.org/wiki/K%C3%B6ln_am_Rhein");
    check_address("https://x.org/w/index.php?title=", "A&B=C? \"D\" <E>/F#G%",
                  "https://x.org/w/index.php?title=A%26B%3DC%3F_%22D%22_%3CE%3E/F%23G%25");
    check_address("", "A", "");
    check_address("https://x.org/", "", "");
}

/* The site of a collection from a dump whose head has this base. */
static void check_site(const char *base, const char *wanted)
{
    char xml[2000];
    dpl_ctx *ctx = test_ctx(2);
    dpl_collection *c = NULL;
    snprintf(xml, sizeof xml,
             "<mediawiki xml:lang='de'><siteinfo>%s</siteinfo><page><title>A</title><ns>0</ns>"
             "<id>1</id><redirect title='B'/><revision><text>x</text></revision></page>"
             "<page><title>B</title><ns>0</ns><id>2</id><revision><text>One two three four "
             "five six seven eight nine ten eleven twelve, and so on and on, until there is "
             "enough of it for a page that is no stub, which takes some words. And here is "
             "another sentence, and then another one, which is the last.</text></revision>"
             "</page></mediawiki>",
             base);
    dpl_input in = {.buffer = dpl__cstr(xml)};
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, &test_err));
    CHECK_EQ(dpl_collection_get_sizes(c)->n_docs, 1);
    CHECK_STR(dpl__collection_site(c), wanted);
    const dpl_str aliases = dpl__collection_aliases(c);
    CHECK(aliases.n >= 4 && memcmp(aliases.data + aliases.n - 4, "A\tB\n", 4) == 0);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(page_address, comes_from_the_head_of_the_dump)
{
    check_site("<sitename>W</sitename><base>https://de.wikipedia.org/wiki/Hauptseite</base>",
               "https://de.wikipedia.org/wiki/");
    check_site("<base> http://x.org/w/index.php?title=Main_Page </base>",
               "http://x.org/w/index.php?title=");
    check_site("", "");
    check_site("<base>javascript:alert(1)/</base>", "");
    check_site("<base>https://x.org/\"onclick=/A</base>", "");
    check_site("<base>https://", "");
    check_site("<base></base>", "");
}
