#!/usr/bin/env python3
"""What others take for the exact search of bench/pairs.

    exact_peers.py scipy|topn LEFT RIGHT THRESHOLD THREADS

LEFT and RIGHT are rows as windows.h writes them. Prints seconds of CPU and of the clock, without
imports and reading, and how many pairs reach the threshold. scipy has one thread.
"""
import sys
import time

import numpy
import scipy.sparse


def load(path):
    with open(path, "rb") as f:
        rows, columns, entries = (int(x) for x in numpy.fromfile(f, "<i8", 3))
        offsets = numpy.fromfile(f, "<i8", rows + 1)
        terms = numpy.fromfile(f, "<i4", entries)
        weights = numpy.fromfile(f, "<f4", entries)
    return scipy.sparse.csr_matrix((weights, terms, offsets), shape=(rows, columns))


def by_scipy(left, right, threshold, _):
    """1000 rows at a time: all products would not fit into memory."""
    turned = right.T.tocsr()
    return sum(
        int(((left[i : i + 1000] @ turned).data >= threshold).sum())
        for i in range(0, left.shape[0], 1000)
    )


def by_topn(left, right, threshold, n_threads):
    from sparse_dot_topn import sp_matmul_topn

    turned = right.T.tocsr()
    return sp_matmul_topn(left, turned, top_n=2000, threshold=threshold, n_threads=n_threads).nnz


def main():
    name, left, right, threshold, n_threads = sys.argv[1:]
    left, right = load(left), load(right)
    core, wall = time.process_time(), time.perf_counter()
    found = {"scipy": by_scipy, "topn": by_topn}[name](
        left, right, float(threshold), int(n_threads)
    )
    print(time.process_time() - core, time.perf_counter() - wall, found)


main()
