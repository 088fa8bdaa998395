#!/usr/bin/env python3
"""What others take to make signatures, one thread.

    sign_peers.py scipy|datasketch ROWS

ROWS is what windows_write leaves: int64 rows, columns, entries and row ends; int32 columns;
float32 values. Prints CPU seconds, without imports and reading, and the number of documents.
Needs numpy, scipy, datasketch.
"""
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy  # noqa: E402


def read(path):
    with open(path, "rb") as f:
        n, columns, entries = numpy.fromfile(f, numpy.int64, 3)
        ends = numpy.fromfile(f, numpy.int64, n + 1)
        return n, columns, ends, numpy.fromfile(f, numpy.int32, entries), numpy.fromfile(f, numpy.float32, entries)


def scipy_rp(n, columns, ends, terms, weights):
    """1024 hyperplanes of Gaussian numbers, 2000 documents at a time."""
    import scipy.sparse

    planes = numpy.random.default_rng(1).standard_normal((columns, 1024), dtype=numpy.float32)
    rows = scipy.sparse.csr_matrix((weights, terms, ends), shape=(n, columns))
    n = min(n, 4000)
    start = time.process_time()
    for at in range(0, n, 2000):
        numpy.packbits(rows[at : min(n, at + 2000)] @ planes > 0, axis=1)
    return time.process_time() - start, n


def datasketch_minhash(n, columns, ends, terms, weights):
    """128 values; terms are hashed from eight bytes each."""
    import datasketch

    n = min(n, 2000)
    start = time.process_time()
    documents = [[t.tobytes() for t in terms[ends[i] : ends[i + 1]].astype(numpy.int64)] for i in range(n)]
    for _ in datasketch.MinHash.generator(documents, num_perm=128):
        pass
    return time.process_time() - start, n


def main():
    name, path = sys.argv[1:]
    peers = {"scipy": scipy_rp, "datasketch": datasketch_minhash}
    print(*peers[name](*read(path)))


main()
