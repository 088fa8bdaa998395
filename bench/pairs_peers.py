#!/usr/bin/env python3
"""What others take for the jobs of bench/pairs, one thread.

    pairs_peers.py faiss|numkong|numkong-matrix LEFT RIGHT WORDS CUT

LEFT and RIGHT are files of signatures. Prints the CPU seconds of the search, without imports
and reading, and how many pairs are within the cut. bench/peers-venv makes a Python that has
the peers.
"""
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"

import numpy  # noqa: E402


def faiss_range(left, right, cut):
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.IndexBinaryFlat(8 * left.shape[1])
    index.add(right)
    start = time.process_time()
    ends, _, _ = index.range_search(left, cut + 1)  # below the radius
    return time.process_time() - start, int(ends[-1])


def numkong_blocks(left, right, cut, collect):
    """Distances of 4096 right rows at a time, so that they stay in the cache."""
    import numkong

    start = time.process_time()
    packed = numkong.hammings_pack(left, dtype="uint1")
    seconds, found = time.process_time() - start, 0
    for at in range(0, len(right), 4096):
        start = time.process_time()
        distances = numkong.hammings_packed(right[at : at + 4096], packed)
        near = None
        if collect:
            near = numpy.nonzero(numpy.asarray(distances) <= cut)
        seconds += time.process_time() - start
        if near is None:
            near = numpy.nonzero(numpy.asarray(distances) <= cut)
        found += len(near[0])
    return seconds, found


def main():
    name, left, right, words, cut = sys.argv[1:]
    sides = [numpy.fromfile(p, dtype=numpy.uint8).reshape(-1, 8 * int(words)) for p in (left, right)]
    peers = {
        "faiss": lambda: faiss_range(*sides, int(cut)),
        "numkong": lambda: numkong_blocks(*sides, int(cut), True),
        "numkong-matrix": lambda: numkong_blocks(*sides, int(cut), False),
    }
    seconds, found = peers[name]()
    print(seconds, found)


main()
