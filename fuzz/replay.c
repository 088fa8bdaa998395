/*
 * replay.c - runs a fuzz target over the files of a folder, and over every prefix and some
 * mutations of each: what the tests do where there is no fuzzer.
 */
#include "fuzz.h"

#include "base/hash.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned n_runs;

static void run(const uint8_t *data, size_t n)
{
    uint8_t *copy = malloc(n ? n : 1); /* of its own, so that a sanitizer sees the end */
    if (!copy)
        abort();
    if (n)
        memcpy(copy, data, n);
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
    n_runs++;
}

static void run_with_changes(uint8_t *data, size_t n, uint64_t seed)
{
    run(data, n);
    size_t step = n / 40 + 1;
    for (size_t cut = 0; cut < n; cut += step)
        run(data, cut);
    dpl__rng rng = {seed};
    for (int i = 0; i < 40 && n; i++) {
        size_t at = dpl__rng_below(&rng, n);
        uint8_t old = data[at];
        data[at] = (uint8_t)dpl__rng_next(&rng);
        run(data, n);
        data[at] = old;
    }
}

static bool run_file(const char *path)
{
    static uint8_t data[1 << 22];
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        return false;
    }
    size_t n = fread(data, 1, sizeof data, f);
    fclose(f);
    run_with_changes(data, n, dpl__hash(data, n, 0));
    return true;
}

int main(int argc, char **argv)
{
    unsigned n_files = 0;
    if (argc != 2)
        return 2;
    DIR *dir = opendir(argv[1]);
    if (!dir) {
        perror(argv[1]);
        return 1;
    }
    run((const uint8_t *)"", 0);
    for (struct dirent *e; (e = readdir(dir));) {
        char path[4096];
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", argv[1], e->d_name);
        if (!run_file(path))
            return 1;
        n_files++;
    }
    closedir(dir);
    printf("%u files, %u runs\n", n_files, n_runs);
    return n_files == 0;
}
