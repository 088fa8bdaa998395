#include "readers/blocks.h"

#include "readers/wiki/dump_test.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

DPL_TEST(blocks, sites_are_hosts_or_folders)
{
    CHECK_STR(dpl__site_of(DPL_STR("http://a.example/b/c.html")), "a.example");
    CHECK_STR(dpl__site_of(DPL_STR("https://a.example")), "a.example");
    CHECK_STR(dpl__site_of(DPL_STR("en/manual/c.html")), "en/manual/");
    CHECK_STR(dpl__site_of(DPL_STR("c.html")), "");
    CHECK_STR(dpl__site_of(DPL_STR("")), "");
}

DPL_TEST(blocks, pages_are_kept_as_long_as_there_is_room)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__blocks *b = dpl__blocks_new(ctx);
    const dpl__html_span link = {2, 5};
    const dpl__html_page page = {
        .title = DPL_STR("title"), .text = DPL_STR("a text"), .links = &link, .n_links = 1};
    char *long_text = calloc(1, (size_t)(dpl_ctx_memory(ctx) / 32));
    const dpl__html_page long_page = {.text = {long_text, (size_t)(dpl_ctx_memory(ctx) / 32)}};
    CHECK(!dpl__blocks_kept(NULL, 7) && !dpl__blocks_kept(b, 7));
    dpl__blocks_keep(b, 7, &page);
    dpl__blocks_keep(b, 8, &long_page);
    CHECK(!dpl__blocks_kept(b, 8));
    const dpl__html_page *kept = dpl__blocks_kept(b, 7);
    CHECK(kept && kept->n_links == 1 && kept->links[0].begin == 2 && kept->links[0].end == 5);
    CHECK_STR(kept->title, "title");
    CHECK_STR(kept->text, "a text");
    free(long_text);
    dpl__blocks_free(b);
    test_ctx_done(ctx);
}

/* A web archive of n pages of a site, and two of another one. */
static size_t make_site(char *out, size_t n_room, int n_pages)
{
    size_t n = 0;
    for (int i = 0; i < n_pages + 2; i++) {
        char http[700];
        const char *host = i < n_pages ? "a" : "b";
        const int n_http = snprintf(
            http, sizeof http,
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Page %d</title>"
            "<div><a href=/>Home</a> of the canal</div><h1>Lock number %c</h1>"
            "<p>What is said on page %c alone, with a <a href=x>link</a> in it.</p>"
            "<ul><li><a href=1>one %c</a><li><a href=2>two %c</a><li><a href=3>three</a></ul>"
            "<div>Copyright 200%d, page %d of many</div>",
            i, 'a' + i, 'a' + i, 'a' + i, 'a' + i, i % 10, i);
        n += (size_t)snprintf(out + n, n_room - n,
                              "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: "
                              "http://%s/%d\r\nContent-Type: application/http\r\n"
                              "Content-Length: %d\r\n\r\n%s\r\n\r\n",
                              host, i, n_http, http);
    }
    return n;
}

DPL_TEST(blocks, what_stands_on_many_pages_and_lists_of_links_are_dropped)
{
    static char warc[20000];
    const size_t n = make_site(warc, sizeof warc, 8);
    dump d = dump_bytes("a.warc", warc, n, NULL);
    CHECK(strstr(d.text,
                 "http://a/0|Page 0|Lock number a\nWhat is said on page a alone, with a "
                 "link in it.|\n"));
    CHECK(strstr(d.text, "http://b/9|Page 9|Home of the canal\nLock number j\n"
                         "What is said on page j alone, with a link in it.\n"
                         "Copyright 2009, page 9 of many|\n")); /* too few pages to tell */
    CHECK_EQ(d.counts.n_boilerplate, 8 * 5 + 2 * 3);
    dump same = dump_with_all_chunks(test_path("a.warc"), NULL);
    CHECK_STR(dpl__cstr(same.text), d.text);
    const dpl_reader_options keep =
        DPL_INIT(dpl_reader_options, .boilerplate = DPL_BOILERPLATE_KEEP);
    d = dump_bytes("a.warc", warc, n, &keep);
    CHECK(strstr(d.text, "http://a/0|Page 0|Home of the canal\nLock number a\n"));
    CHECK_EQ(d.counts.n_boilerplate, 0);
    check_read_allocations(test_path("a.warc"), NULL);
}
