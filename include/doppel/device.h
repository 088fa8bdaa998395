/*
 * doppel/device.h - compute devices: which there are, and the table of functions that each
 * fills in.
 *
 *     const char *name, *reason;
 *     for (size_t i = 0; dpl_device(i, &name, &reason); i++)
 *         printf("%s: %s\n", name, reason ? reason : "can be used");
 *
 * The CPU is device 0. Others are plugins: shared objects `libdoppel_NAME.so` beside the
 * library (or the program that contains it), or in a folder `doppel` beside it, loaded at the
 * first question. A plugin includes this header only, is not linked with the library, and
 * exports
 *
 *     const dpl_device_table *dpl_device_entry(unsigned version);
 *
 * All operations work on plain buffers of the caller and give the same results on every device.
 */
#ifndef DOPPEL_DEVICE_H
#define DOPPEL_DEVICE_H

#include "doppel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The i-th device; false past the last one. *reason is why this machine cannot use it, NULL
 * when it can; asking may take a moment, so reason may be NULL. Static text. From any thread.
 */
DPL_API bool dpl_device(size_t i, const char **name, const char **reason);
/* The device that a context (or job) computes on. With "auto" a plugin is loaded when an
 * operation or this function first needs to know. */
DPL_API const char *dpl_ctx_device(const dpl_ctx *ctx);

/* ---- operations ------------------------------------------------------------------------ */

/* Rows of bits, such as signatures: row i is the n_words words from words + i n_words on.
 * Layout fixed. */
typedef struct dpl_bit_rows {
    uint32_t n_rows, n_words;
    const uint64_t *words;
} dpl_bit_rows;

/* A pair of rows and the number of bits in which they differ. Layout fixed. */
typedef struct dpl_near_pair {
    uint32_t left, right, distance;
} dpl_near_pair;

/* Called on the caller's thread; anything but DPL_OK ends the operation with it. */
typedef dpl_status dpl_near_pairs_fn(void *user, const dpl_near_pair *pairs, size_t n,
                                     dpl_error *err);

/* All pairs at most `cut` bits apart. Left rows rise over all calls of take, all pairs of a
 * left row come in one call, right rows rise among them. */
typedef struct dpl_within {
    size_t size;
    dpl_bit_rows left, right; /* n_words must be the same */
    bool is_self;             /* right is left: each pair once, left < right */
    unsigned cut;
    /* If not 0: pairs that differ in more than first_cut bits of their first words are passed
     * over. */
    unsigned first_words, first_cut;
    dpl_near_pairs_fn *take;
    void *user;
} dpl_within;

#define DPL_NO_ROW UINT32_MAX

/* Layout fixed. */
typedef struct dpl_neighbour {
    uint32_t row, distance;
} dpl_neighbour;

/* The n nearest rows of every row, at most `cut` bits apart, nearest first; ties: the lower
 * number. Where there are fewer, the rest is DPL_NO_ROW. */
typedef struct dpl_nearest {
    size_t size;
    dpl_bit_rows left, right;
    bool is_self; /* right is left: a row is not its own neighbour */
    unsigned cut, n;
    dpl_neighbour *of_left;  /* out: n for each left row; NULL: not wanted */
    dpl_neighbour *of_right; /* out: n for each right row; NULL: not wanted */
} dpl_nearest;

/* Pairs that are near enough for one of their rows, while rows get nearer and nearer partners:
 * a search for the n best of every row and column in one pass. A pair is handed to take when
 * its distance is at most the larger of the cuts of its two rows. The caller lowers cuts as it
 * takes pairs; the operation reads them repeatedly and may use values that are a little out of
 * date, so that some pairs are superfluous. Each pair comes at most once, in any order. */
typedef struct dpl_best {
    size_t size;
    dpl_bit_rows left, right;
    bool is_self; /* right is left: each pair once, left < right */
    /* Copies the cuts of rows [first, first + n) of left (side 0) or right (1). From any thread
     * of the operation. */
    void (*read_cuts)(void *user, int side, uint32_t first, uint32_t n, uint32_t *out);
    /* Takes pairs. From any thread of the operation, from several at a time: `worker`, below
     * n_workers, is that of one thread at a time. Anything but DPL_OK ends the operation. */
    dpl_status (*take)(void *user, unsigned worker, const dpl_near_pair *pairs, size_t n,
                       dpl_error *err);
    unsigned n_workers; /* at least 1, and at least the threads of the context */
    void *user;
} dpl_best;

/* Dense rows: dim numbers for each. Layout fixed. */
typedef struct dpl_number_rows {
    uint32_t n_rows, dim;
    const float *weights;
} dpl_number_rows;

/* All pairs of dense rows whose dot product is at least `least`. Rows have a length of at most
 * 1. Left rows rise over all calls of take, right rows among the pairs of one. The dot product
 * is 16 sums in float: product i goes to sum i % 16, in order; then sum j takes sum j + 8 for
 * j < 8, sum j + 4 for j < 4, and so on. */
typedef struct dpl_dot_pair { /* layout fixed */
    uint32_t left, right;
    float dot;
} dpl_dot_pair;

typedef struct dpl_dots_within {
    size_t size;
    dpl_number_rows left, right; /* of the same dim */
    bool is_self;                /* right is left: each pair once, left < right */
    float least;
    dpl_status (*take)(void *user, const dpl_dot_pair *pairs, size_t n, dpl_error *err);
    void *user;
} dpl_dots_within;

/* The n rows with the largest dot products, at least `least`, with every row; ties: the lower
 * number. Where there are fewer, the rest is DPL_NO_ROW with 0. */
typedef struct dpl_dot_neighbour { /* layout fixed */
    uint32_t row;
    float dot;
} dpl_dot_neighbour;

typedef struct dpl_dots_nearest {
    size_t size;
    dpl_number_rows left, right; /* as above */
    bool is_self;                /* right is left: a row is not its own neighbour */
    float least;
    unsigned n;
    dpl_dot_neighbour *of_left;  /* out: n for each left row; NULL: not wanted */
    dpl_dot_neighbour *of_right; /* out: n for each right row; NULL: not wanted */
} dpl_dots_nearest;

/* ---- for those who make a device ------------------------------------------------------- */

/* Services of the library for an operation; valid during the call, from the calling thread. */
typedef struct dpl_device_host {
    size_t size;
    dpl_ctx *ctx;
    /* Bytes of main memory that the operation may take. */
    uint64_t (*memory_left)(dpl_ctx *ctx);
    /* As in dpl_allocator; what is taken counts. */
    void *(*resize)(dpl_ctx *ctx, void *p, size_t old_bytes, size_t new_bytes);
    /* Reports and asks whether to go on; DPL_E_STOPPED ends the operation. Call it several
     * times a second. */
    dpl_status (*progress)(dpl_ctx *ctx, const dpl_progress *progress, dpl_error *err);
    /* Bytes of the device's own memory that the operation may take; 0: what is free. */
    uint64_t device_memory;
} dpl_device_host;

enum { DPL_DEVICE_VERSION = 1 };

/* Frozen: operations may run on several threads at a time. A function may be NULL, or behind
 * the size of the plugin's table, or return DPL_E_UNSUPPORTED before it has handed over
 * anything: then the library uses the CPU. The CPU's own table has no dense rows: the exact
 * search of pairs does these. */
typedef struct dpl_device_table {
    size_t size;
    unsigned version; /* DPL_DEVICE_VERSION */
    const char *name; /* "cpu", "cuda" */
    /* Why this machine cannot use it: static text, NULL when it can. */
    const char *(*why_not)(void);
    dpl_status (*within)(const dpl_device_host *host, const dpl_within *task, dpl_error *err);
    dpl_status (*nearest)(const dpl_device_host *host, const dpl_nearest *task, dpl_error *err);
    dpl_status (*best)(const dpl_device_host *host, const dpl_best *task, dpl_error *err);
    /* The same for rows of signed bytes, eight in a word, within [-127, 127]: the distance of
     * two rows of n bytes is 1024 n less their dot product, or 0 where that is larger. There is
     * no first test. */
    dpl_status (*within_bytes)(const dpl_device_host *host, const dpl_within *task,
                               dpl_error *err);
    dpl_status (*best_bytes)(const dpl_device_host *host, const dpl_best *task, dpl_error *err);
    dpl_status (*dots_within)(const dpl_device_host *host, const dpl_dots_within *task,
                              dpl_error *err);
    dpl_status (*dots_nearest)(const dpl_device_host *host, const dpl_dots_nearest *task,
                               dpl_error *err);
} dpl_device_table;

/* A plugin's only symbol; NULL when it cannot serve that version. */
typedef const dpl_device_table *dpl_device_entry_fn(unsigned version);

#ifdef __cplusplus
}
#endif
#endif
