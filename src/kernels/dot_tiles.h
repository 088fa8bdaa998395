/*
 * dot_tiles.h - the body of dots, included by each level that has dot() and tile(), which makes
 * the products of TILE rows with TILE others.
 */
static void dots(float *out, const float *a, size_t n_a, const float *b, size_t n_b, size_t n)
{
    size_t whole_a = n_a / TILE * TILE, whole_b = n_b / TILE * TILE;
    for (size_t i = 0; i < whole_a; i += TILE)
        for (size_t j = 0; j < whole_b; j += TILE)
            tile(out + i * n_b + j, n_b, a + i * n, b + j * n, n);
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = i < whole_a ? whole_b : 0; j < n_b; j++)
            out[i * n_b + j] = dot(a + i * n, b + j * n, n);
}
