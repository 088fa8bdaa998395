#include "cli/command.h"
#include "test.h"

DPL_TEST(command, a_larger_memory_limit_never_leaves_less_for_the_work)
{
    CHECK_EQ(cli_memory_for_work(0, 2), 0); /* no limit */
    for (unsigned n_threads = 1; n_threads <= 256; n_threads *= 4)
        for (uint64_t mega = 1, last = 0; mega <= 600; mega++) {
            uint64_t n = cli_memory_for_work(mega << 20, n_threads);
            CHECK(n >= last && n <= mega << 20);
            last = n;
        }
}
