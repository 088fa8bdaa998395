/*
 * sql_fuzz.c - tables of SQL dumps: rows are read or refused; what is printed parses back.
 */
#include "readers.h"

#include "langlinks/sql_table.h"

/* A string with quotes and escapes; NULL without. */
static void print_value(dpl__bytes *out, dpl_str s)
{
    dpl_ctx *ctx = fuzz_ctx();
    if (!s.data) {
        FUZZ_CHECK(dpl__vec_append(ctx, out, "NULL", 4));
        return;
    }
    FUZZ_CHECK(dpl__vec_push(ctx, out, '\''));
    for (size_t i = 0; i < s.n; i++) {
        char c = s.data[i];
        const char *escaped = c == '\n'   ? "\\n"
                              : c == '\r' ? "\\r"
                              : c == '\'' ? "\\'"
                              : c == '\\' ? "\\\\"
                              : c == 0    ? "\\0"
                                          : NULL;
        FUZZ_CHECK(escaped ? dpl__vec_append(ctx, out, escaped, 2)
                           : dpl__vec_push(ctx, out, c));
    }
    FUZZ_CHECK(dpl__vec_push(ctx, out, '\''));
}

/* All rows to text as a dump of a table `t`; false: refused. */
static bool read_all(dpl__bytes *out, const void *data, size_t n, bool prints)
{
    dpl_ctx *ctx = fuzz_ctx();
    dpl__sql_table t;
    const dpl_str *row;
    dpl_status status = dpl__sql_open_memory(&t, ctx, "fuzz", data, n, NULL);
    if (status != DPL_OK)
        return false;
    if (prints) {
        FUZZ_CHECK(dpl__vec_append(ctx, out, "CREATE TABLE `t` (\n", 19));
        for (size_t i = 0; i < t.n_columns; i++)
            FUZZ_CHECK(dpl__vec_append(ctx, out, "`c` int,\n", 9));
        FUZZ_CHECK(dpl__vec_append(ctx, out, ");\nINSERT INTO `t` VALUES\n", 26));
    }
    while ((status = dpl__sql_next(&t, &row, NULL)) == DPL_OK) {
        FUZZ_CHECK(dpl__vec_push(ctx, out, '('));
        for (size_t i = 0; i < t.n_columns; i++) {
            print_value(out, row[i]);
            FUZZ_CHECK(dpl__vec_push(ctx, out, i + 1 < t.n_columns ? ',' : ')'));
        }
        FUZZ_CHECK(dpl__vec_append(ctx, out, ",\n", 2));
    }
    FUZZ_CHECK(dpl__vec_append(ctx, out, ";\n", 2));
    dpl__sql_close(&t);
    return status == DPL_END;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dpl_ctx *ctx = fuzz_ctx();
    dpl__bytes once = {0}, twice = {0};
    if (read_all(&once, data, n, true)) {
        FUZZ_CHECK(read_all(&twice, once.data, once.n, true));
        FUZZ_CHECK(once.n == twice.n && memcmp(once.data, twice.data, once.n) == 0);
    }
    dpl__vec_clear(ctx, &once, &twice);
    return 0;
}
