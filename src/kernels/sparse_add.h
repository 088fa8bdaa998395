/*
 * sparse_add.h - the body of sparse_add, for any vector length. Included by sparse_*.c
 * after simd.h.
 *
 * Products are made a vector at a time, adding them to their sums cannot be: no two rows of a
 * list are the same, but a scatter is slower than single additions. Lists are copied behind
 * each other first, so that the additions run in one long loop; most lists are short, and the
 * end of each would be mispredicted.
 */
enum { LANES16 = V_BYTES / 2, ROOM = 1024, AHEAD = 4 };

typedef struct waiting {
    uint16_t rows[ROOM + LANES16 + 4], products[ROOM + LANES16 + 4];
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
        const vec weight = v_set16(lists[k].weight);
        if (k + AHEAD < n_lists)
            fetch(&lists[k + AHEAD]);
        for (size_t left = lists[k].n; left;) {
            size_t n = left < LANES16 ? left : LANES16;
            v_store(w.rows + w.n, v_load(rows));
            v_store(w.products + w.n, v_mulhi16(v_load(weights), weight));
            w.n += n;
            left -= n;
            rows += LANES16;
            weights += LANES16;
            if (w.n >= ROOM)
                flush(sums, &w);
        }
    }
    memset(w.rows + w.n, 0, 4 * sizeof *w.rows);
    memset(w.products + w.n, 0, 4 * sizeof *w.products);
    scatter(sums, &w, (w.n + 3) & ~(size_t)3);
}

/* sparse_pass from place i on, one by one. */
static inline size_t pass_rest(uint16_t *out, const uint16_t *sums, size_t i, size_t n,
                               const dpl__pass *p)
{
    size_t n_out = 0;
    for (; i < n; i++) {
        uint32_t bound = sums[i] + ((uint32_t)p->norms[i] * p->norm >> 16) + p->slack;
        out[n_out] = (uint16_t)i;
        n_out += bound >= p->least || bound >= p->cuts[i];
    }
    return n_out;
}

/* sparse_sweep from place i on, one by one. */
static inline size_t sweep_rest(uint16_t *out, const uint16_t *sums, const uint16_t *norms,
                                size_t i, size_t n, uint16_t norm, uint16_t least)
{
    size_t n_out = 0;
    for (; i < n; i++) {
        uint32_t bound = sums[i] + ((uint32_t)norms[i] * norm >> 16);
        out[n_out] = (uint16_t)i;
        n_out += bound >= least;
    }
    return n_out;
}
