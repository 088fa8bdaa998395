/*
 * sparse_add.h - the body of sparse_add, for any vector length. Included by sparse_*.c, which
 * define vec, VEC (16-bit lanes), v_load, v_store, v_set and v_mulhi.
 *
 * Products are made a vector at a time, adding them to their sums cannot be: no two rows of a
 * list are the same, but a scatter is slower than single additions. Lists are copied behind
 * each other first, so that the additions run in one long loop; most lists are short, and the
 * end of each would be mispredicted.
 */
enum { ROOM = 1024, AHEAD = 4 };

typedef struct waiting {
    uint16_t rows[ROOM + VEC + 4], products[ROOM + VEC + 4];
    size_t n;
} waiting;

/* n is a multiple of 4. */
static inline void scatter(uint16_t *sums, const waiting *w, size_t n)
{
    const uint16_t *rows = w->rows;
    for (size_t i = 0; i < n; i += 4) {
        uint64_t products;
        memcpy(&products, w->products + i, sizeof products);
        sums[rows[i]] = (uint16_t)(sums[rows[i]] + products);
        sums[rows[i + 1]] = (uint16_t)(sums[rows[i + 1]] + (products >> 16));
        sums[rows[i + 2]] = (uint16_t)(sums[rows[i + 2]] + (products >> 32));
        sums[rows[i + 3]] = (uint16_t)(sums[rows[i + 3]] + (products >> 48));
    }
}

/* All but the last ones that do not make four. */
static void flush(uint16_t *sums, waiting *w)
{
    size_t n = w->n & ~(size_t)3;
    scatter(sums, w, n);
    memcpy(w->rows, w->rows + n, 4 * sizeof *w->rows);
    memcpy(w->products, w->products + n, 4 * sizeof *w->products);
    w->n -= n;
}

static inline void fetch(const dpl__postings *list)
{
    __builtin_prefetch(list->rows);
    __builtin_prefetch(list->rows + 32);
    __builtin_prefetch(list->weights);
    __builtin_prefetch(list->weights + 32);
}

static void sparse_add(uint16_t *sums, const dpl__postings *lists, size_t n_lists)
{
    waiting w;
    w.n = 0;
    for (size_t k = 0; k < n_lists; k++) {
        const uint16_t *rows = lists[k].rows, *weights = lists[k].weights;
        const vec weight = v_set(lists[k].weight);
        if (k + AHEAD < n_lists)
            fetch(&lists[k + AHEAD]);
        for (size_t left = lists[k].n; left;) {
            size_t n = left < VEC ? left : VEC;
            v_store(w.rows + w.n, v_load(rows));
            v_store(w.products + w.n, v_mulhi(v_load(weights), weight));
            w.n += n;
            left -= n;
            rows += VEC;
            weights += VEC;
            if (w.n >= ROOM)
                flush(sums, &w);
        }
    }
    memset(w.rows + w.n, 0, 4 * sizeof *w.rows);
    memset(w.products + w.n, 0, 4 * sizeof *w.products);
    scatter(sums, &w, (w.n + 3) & ~(size_t)3);
}
