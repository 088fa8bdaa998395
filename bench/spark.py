"""What Spark adds to the time of a search, on two workers of one core each on this machine.

    SCRIPT=bench/spark.py test/cluster/spark PYTHON DOPPEL LEFT RIGHT [name=value]...

Options are those of doppel.spark.pairs. Prints wall seconds of one process with two threads, of
Spark with the files and with DataFrames, the seconds of every step, and what the same tasks would take on 2, 8 and 32
machines of eight cores: computed from the tasks' seconds and the time that steps took beyond them,
not measured.
"""

import json
import os
import subprocess
import sys
import time

DOPPEL, WORK, LEFT, RIGHT = os.environ["DOPPEL"], *sys.argv[1:4]
OPTIONS = dict(a.split("=", 1) for a in sys.argv[4:])
CORES = 8


def flags(names):
    return [x for k, v in OPTIONS.items() if (k in ("ngrams", "min_terms")) == names
            for x in (f"--{k.replace('_', '-')}", v)]


def single(runs):
    """Seconds of the commands one after the other, the best of some runs."""
    best = 1e9
    for _ in range(runs):
        began = time.monotonic()
        for side, path in (("left", LEFT), ("right", RIGHT)):
            out = os.path.join(WORK, f"{side}.dpl")
            subprocess.run([DOPPEL, "import", "-q", "--threads", "2", path, "-o", out], check=True)
            subprocess.run([DOPPEL, "vectors", "-q", "--threads", "2", out, *flags(True), "-o",
                            os.path.join(WORK, f"{side}.v.dpl")], check=True)
        subprocess.run([DOPPEL, "pairs", "-q", "--threads", "2", os.path.join(WORK, "left.v.dpl"),
                        os.path.join(WORK, "right.v.dpl"), *flags(False), "-o",
                        os.path.join(WORK, "whole.tsv")], check=True)
        best = min(best, time.monotonic() - began)
    return best


def session():
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(os.environ["MASTER"]).appName("doppel bench")
    for key, value in {"spark.executor.memory": "700m", "spark.driver.memory": "700m",
                       "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1",
                       "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
                       "spark.sql.shuffle.partitions": "2", "spark.log.level": "OFF",
                       "spark.ui.showConsoleProgress": "false"}.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def warm(spark):
    """Executors and Python workers are there before anything is measured."""
    def work(_):
        import doppel  # noqa: F401
        time.sleep(0.3)
        return 1

    for _ in range(2):
        spark.sparkContext.parallelize(range(4), 4).map(work).collect()


def run(spark, name, left, right, parts):
    import doppel.spark as ds

    folder = os.path.join(WORK, name)
    began = time.monotonic()
    rows = ds.pairs(left, right, folder=folder, parts=parts, lang="lang", **OPTIONS)
    seconds = time.monotonic() - began
    with open(os.path.join(folder, "run.json")) as f:
        steps = json.load(f)["steps"]
    with open(os.path.join(folder, "pairs.tsv"), "rb") as a, open(
            os.path.join(WORK, "whole.tsv"), "rb") as b:
        is_same = a.read() == b.read()
    print(f"{name}, {parts} parts: {seconds:.2f} s, {rows.count()} pairs, "
          f"{'the same bytes' if is_same else 'other bytes'}", flush=True)
    for s in steps:
        print(f"    {s['step']:20s} {s['seconds']:6.2f} s   tasks: {sum(s['tasks']):.2f} s, the "
              f"longest {max(s['tasks'], default=0):.2f}", flush=True)
    return seconds, steps


def model(steps, cores_here):
    """Seconds on machines of CORES cores: shares of the tasks' sum, or the longest task of steps
    that are not divided, and what each step took beyond its tasks."""
    for machines in (1, 2, 8, 32):
        total = 0
        for s in steps:
            tasks = s["tasks"] or [s["seconds"]]
            is_divided = s["step"] in ("import", "pairs")
            busy = sum(tasks) / min(len(tasks), cores_here) if is_divided else max(tasks)
            beyond = max(0, s["seconds"] - busy)
            total += beyond + (sum(tasks) / (machines * CORES) if is_divided else max(tasks))
        print(f"    {machines:2d} machines: {total:.2f} s (computed)", flush=True)


def main():
    one = single(int(os.environ.get("RUNS", "2")))
    print(f"one process, 2 threads: {one:.2f} s", flush=True)
    spark = session()
    warm(spark)
    for parts in (2, 8):
        seconds, steps = run(spark, f"files-{parts}", LEFT, RIGHT, parts)
        print(f"    {seconds / one:.2f} times one process", flush=True)
    model(steps, 2)
    frames = [spark.read.json(p) for p in (LEFT, RIGHT)]
    seconds, _ = run(spark, "frames", *frames, 2)
    print(f"    {seconds / one:.2f} times one process", flush=True)
    spark.stop()


main()
