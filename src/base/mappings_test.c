#include "base/mappings.h"

#include "base/ctx.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 32 << 20 };

/* Resident bytes of files. */
static unsigned long resident(void)
{
    unsigned long all, some, files = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    CHECK(f && fscanf(f, "%lu %lu %lu", &all, &some, &files) == 3);
    fclose(f);
    return files * (unsigned long)sysconf(_SC_PAGESIZE);
}

static unsigned long touch(const volatile uint8_t *p)
{
    unsigned long sum = 0;
    for (size_t i = 0; i < N; i += 4096)
        sum += p[i];
    return sum;
}

/* Resident bytes of a mapped file that is read with this limit of memory, and then eased or
 * given back. */
static unsigned long read_with(uint64_t memory, void (*then)(dpl_ctx *ctx))
{
    dpl_ctx *ctx = NULL;
    const dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = memory);
    dpl__mapping map;
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    const int fd = open(test_path("large"), O_RDWR | O_CREAT, 0600);
    CHECK(fd >= 0 && ftruncate(fd, N) == 0);
    void *p = mmap(NULL, N, PROT_READ, MAP_SHARED, fd, 0);
    CHECK(p != MAP_FAILED);
    close(fd);
    const unsigned long before = resident();
    dpl__mappings_add(ctx, &map, p, N);
    CHECK_EQ(touch(p), 0);
    then(ctx);
    const unsigned long after = resident();
    CHECK_EQ(touch(p), 0); /* read again */
    dpl__mappings_remove(ctx, &map);
    munmap(p, N);
    test_ctx_done(ctx);
    return after > before ? after - before : 0;
}

/* Resident bytes that are no file. */
static unsigned long resident_others(void)
{
    unsigned long all, some, files = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    CHECK(f && fscanf(f, "%lu %lu %lu", &all, &some, &files) == 3);
    fclose(f);
    return (some - files) * (unsigned long)sysconf(_SC_PAGESIZE);
}

/* Sanitizers have an allocator of their own, which keeps what is freed. */
#ifdef __has_feature
#define IS_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

#if defined(__GLIBC__) && !IS_SANITIZED
#include <malloc.h>

DPL_TEST(mappings, freed_memory_goes_back_when_it_is_above_the_limit)
{
    enum { BLOCK = 60 << 10, N_BLOCKS = 800 };
    dpl_ctx *ctx = NULL;
    const dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 32 << 20);
    dpl__mapping map;
    malloc_trim(0); /* free memory of other tests would count as the caller's */
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    static void *blocks[N_BLOCKS];
    for (size_t i = 0; i < N_BLOCKS; i++) {
        blocks[i] = malloc(BLOCK);
        CHECK(blocks[i] != NULL);
        memset(blocks[i], 1, BLOCK);
    }
    const unsigned long before = resident_others();
    for (size_t i = 0; i + 1 < N_BLOCKS; i++) /* the last one keeps the C library from it */
        free(blocks[i]);
    const int fd = open(test_path("large"), O_RDWR | O_CREAT, 0600);
    CHECK(fd >= 0 && ftruncate(fd, N) == 0);
    void *p = mmap(NULL, N, PROT_READ, MAP_SHARED, fd, 0);
    CHECK(p != MAP_FAILED);
    close(fd);
    dpl__mappings_add(ctx, &map, p, N);
    dpl__mappings_ease(ctx);
    /* from before they were freed: in a heap with holes free gives them back by itself */
    CHECK(resident_others() + (size_t)BLOCK * N_BLOCKS / 2 < before);
    dpl__mappings_remove(ctx, &map);
    munmap(p, N);
    free(blocks[N_BLOCKS - 1]);
    test_ctx_done(ctx);
}
#endif

DPL_TEST(mappings, pages_of_files_go_when_they_are_above_the_limit)
{
    CHECK(read_with(8 << 20, dpl__mappings_ease) < N / 4);
    CHECK(read_with((uint64_t)1 << 30, dpl__mappings_ease) > N / 2);
}

DPL_TEST(mappings, pages_are_given_back_below_the_limit_too)
{
    CHECK(read_with((uint64_t)1 << 40, dpl__mappings_ease) > N / 2);
    CHECK(read_with((uint64_t)1 << 40, dpl__mappings_give_back) < N / 8);
}
