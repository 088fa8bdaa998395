"""The tests of test/cluster/spark: the same bytes as of the command line, whatever happens."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLE = os.path.join(ROOT, "examples", "sample")
DOPPEL = os.environ["DOPPEL"]
WORK = sys.argv[1]
passed = failed = 0


def check(name, good):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    print("ok      " if good else "FAILED  ", "spark:", name, flush=True)


def session(**conf):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(os.environ["MASTER"]).appName("doppel")
    settings = {"spark.executor.memory": "512m", "spark.driver.memory": "512m",
                "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1",
                "spark.driver.bindAddress": "127.0.0.1", "spark.sql.shuffle.partitions": "4",
                "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
                "spark.log.level": "OFF", "spark.ui.showConsoleProgress": "false", **conf}
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def command(*args):
    subprocess.run([DOPPEL, *args], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def same(a, b):
    with open(a, "rb") as x, open(b, "rb") as y:
        return x.read() == y.read()


def path(*names):
    return os.path.join(WORK, *names)


def reference():
    """What the command line makes of the same documents, in the order of their ids."""
    for side in ("de", "en"):
        with open(os.path.join(SAMPLE, f"{side}.jsonl"), encoding="utf-8") as f:
            docs = sorted(map(json.loads, f), key=lambda d: d["id"])
        with open(path(f"{side}.jsonl"), "w", encoding="utf-8") as f:
            for doc in docs:
                f.write(json.dumps({"id": doc["id"], "text": doc["text"]}, ensure_ascii=False) + "\n")
        command("import", path(f"{side}.jsonl"), "--lang", side, "-o", path(f"{side}.dpl"))
        command("vectors", path(f"{side}.dpl"), "-o", path(f"{side}.vectors.dpl"))
    for method in ("exact", "brute"):
        command("pairs", path("de.vectors.dpl"), path("en.vectors.dpl"), "--method", method,
                "--threshold", "0.05", "-o", path(f"{method}.tsv"))
    command("pairs", path("de.vectors.dpl"), "--method", "exact", "--threshold", "0.1", "-o",
            path("self.tsv"))
    command("pairs", path("de.dpl"), path("en.dpl"), "--method",
            "ngram:matching=1,scoring=1", "-o", path("ngram.tsv"))
    command("dedup", path("de.dpl"), "--threshold", "0.3", "-o", path("dedup"))
    command("mine", path("de.dpl"), path("en.dpl"), "-o", path("mined"))


def slow_command(name, part):
    """A doppel whose pairs of one part take two seconds, the first time."""
    script = path(name)
    with open(script, "w", encoding="utf-8") as f:
        f.write(f"""#!/bin/sh
case "$*" in *"pairs "*"--part {part} "*) [ -e {script}.seen ] || {{ touch {script}.seen; sleep 2; }};; esac
exec {DOPPEL} "$@"
""")
    os.chmod(script, 0o755)
    return script


def processes():
    """Parent and command line of every process."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as f:
                parent = int(f.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{name}/cmdline", "rb") as f:
                found[int(name)] = parent, f.read().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            pass
    return found


def kill_when_seen(script, what):
    """Kills the slow task's command, the Python worker that runs it, or the executor, with -9."""
    killed, is_over = [], threading.Event()

    def victim():
        all_of_them = processes()
        for pid, (parent, line) in all_of_them.items():
            if f"{script} pairs" not in line:
                continue
            if what == "a command":
                return pid
            if what == "a Python worker":
                return parent
            while parent > 1 and "CoarseGrainedExecutorBackend" not in all_of_them[parent][1]:
                parent = all_of_them[parent][0]
            return parent if parent > 1 else None
        return None

    def work():
        while not is_over.is_set() and not killed:
            pid = victim() if os.path.exists(f"{script}.seen") else None
            if pid:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
            time.sleep(0.05)

    thread = threading.Thread(target=work)
    thread.start()
    return thread, killed, is_over


def frames(spark):
    return [spark.read.json(os.path.join(SAMPLE, f"{side}.jsonl")) for side in ("de", "en")]


LANGS = {"langs": "de,en"}


def test_results(spark):
    import doppel.spark as ds

    de, en = frames(spark)
    for n in (1, 2, 7):
        out = path(f"exact-{n}")
        df = ds.pairs(de, en, folder=out, parts=n, method="exact", threshold=0.05, **LANGS)
        check(f"{n} parts: exact pairs", same(os.path.join(out, "pairs.tsv"), path("exact.tsv")))
        check(f"{n} parts: collection", same(os.path.join(out, "left.dpl"), path("de.dpl")))
    with open(path("exact.tsv"), encoding="utf-8") as f:
        lines = sorted(line.rstrip("\n").split("\t") for line in f)
    rows = sorted([r.left_id, r.right_id, f"{r.score:.6f}"] for r in df.collect())
    check("the result is a DataFrame of the same rows", rows == lines)
    shuffled = de.repartition(5, "text")
    ds.pairs(shuffled, en.repartition(3), folder=path("shuffled"), parts=3, method="exact",
             threshold=0.05, **LANGS)
    check("another order of rows and partitions, the same pairs",
          same(path("shuffled", "pairs.tsv"), path("exact.tsv")))
    ds.pairs(path("de.jsonl"), path("en.jsonl"), folder=path("paths"), parts=3, method="exact",
             threshold=0.05, **LANGS)
    check("paths instead of DataFrames", same(path("paths", "pairs.tsv"), path("exact.tsv")))
    ds.pairs(de, folder=path("self"), parts=4, method="exact", threshold=0.1, langs="de,")
    check("pairs within one DataFrame", same(path("self", "pairs.tsv"), path("self.tsv")))
    ds.ngram(de, en, folder=path("ngram"), parts=3, matching=1, scoring=1, **LANGS)
    check("n-grams", same(path("ngram", "ngrams.tsv"), path("ngram.tsv")))
    found = ds.dedup(path("de.dpl"), folder=path("deduped"), threshold=0.3)
    check("dedup", same(path("deduped", "dedup", "clusters.tsv"), path("dedup", "clusters.tsv")) and
          found.kept.count() > 0)
    found = ds.mine(de, en, folder=path("mining"), parts=2, memory="1G", **LANGS)
    check("mine: pairs and sentences",
          all(same(path("mining", "mine", f), path("mined", f)) for f in ("pairs.tsv", "sentences.tsv"))
          and found.sentences.count() > 0)


def test_kills(spark):
    import doppel.spark as ds

    for what in ("an executor", "a Python worker", "a command"):
        name = what.replace(" ", "-")
        script = slow_command(name, "3/7")
        thread, killed, is_over = kill_when_seen(script, what)
        ds.pairs(path("de.dpl"), path("en.dpl"), folder=path(f"killed-{name}"), parts=7,
                 method="brute", threshold=0.05, command=[script])
        is_over.set()
        thread.join()
        if not killed:
            print("         nothing to kill was seen")
        check(f"{what} killed with -9: the same pairs",
              killed and same(path(f"killed-{name}", "pairs.tsv"), path("brute.tsv")))


def test_truncated(spark):
    import doppel.spark as ds

    de, en = frames(spark)
    folder = path("exact-7")
    parts = sorted(p for p in os.listdir(folder) if p.endswith(".part"))
    for p in parts:
        os.utime(os.path.join(folder, p), (1, 1))
    hurt = os.path.join(folder, "pairs.3-7.part")
    os.truncate(hurt, os.path.getsize(hurt) // 2)
    os.utime(hurt, (1, 1))
    ds.pairs(de, en, folder=folder, parts=7, method="exact", threshold=0.05, **LANGS)
    made = [p for p in parts if os.path.getmtime(os.path.join(folder, p)) > 1]
    check("a truncated part is made again, the others are not", made == ["pairs.3-7.part"])
    check("and the pairs are the same", same(os.path.join(folder, "pairs.tsv"), path("exact.tsv")))


def big_documents():
    """Enough text to need temporary files with little memory."""
    with open(path("big.jsonl"), "w", encoding="utf-8") as f:
        for i in range(12000):
            words = " ".join(f"w{(i * 7919 + k * 104729 + k * k * i) % 90000}" for k in range(120))
            f.write(json.dumps({"id": f"{i:06d}", "text": words}) + "\n")
    command("import", path("big.jsonl"), "--lang", "en", "-o", path("big.dpl"))
    command("vectors", path("big.dpl"), "-o", path("big.vectors.dpl"))
    command("pairs", path("big.vectors.dpl"), "--method", "exact", "--threshold", "0.3", "-o",
            path("big.tsv"))


def test_full_disk(spark):
    import doppel.spark as ds

    if not os.environ.get("SMALL"):
        print("absent   spark: a full disk (this system mounts nothing)")
        return
    big_documents()
    given = {"folder": path("full"), "parts": 2, "method": "exact", "threshold": 0.3,
             "memory": "32M", "langs": "en,"}
    try:
        ds.pairs(path("big.jsonl"), **given)
        said = ""
    except ds.SparkError as e:
        said = str(e)
    check("a full disk on one worker is a clear error", "No space left on device" in said)
    print("        ", said)
    there = [p for p in os.listdir(path("full")) if p.endswith(".part")]
    subprocess.run(["mount", "-o", "remount,size=256m", os.environ["SMALL"]], check=True)
    for p in there:
        os.utime(path("full", p), (1, 1))
    ds.pairs(path("big.jsonl"), **given)
    check("with room, the same call goes on", same(path("full", "pairs.tsv"), path("big.tsv")))
    check("parts that were there were not made again",
          all(os.path.getmtime(path("full", p)) == 1 for p in there))


def driver():
    """A driver of its own, to be killed."""
    spark = session()
    import doppel.spark as ds

    de, en = frames(spark)
    ds.pairs(de, en, folder=path("driver"), parts=4, method="exact", threshold=0.05,
             command=[sys.argv[3]], **LANGS)


def test_driver():
    script = slow_command("driven", "3/4")
    argv = [sys.executable, os.path.abspath(__file__), WORK, "driver", script]
    first = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             start_new_session=True)
    for _ in range(3000):
        if os.path.exists(f"{script}.seen") or first.poll() is not None:
            break
        time.sleep(0.1)
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    time.sleep(1)
    there = [p for p in os.listdir(path("driver")) if p.endswith(".part")]
    for p in there:
        os.utime(path("driver", p), (1, 1))
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    kept = [p for p in there if os.path.getmtime(path("driver", p)) == 1]
    check("a driver that is killed and started again: the same pairs",
          there and same(path("driver", "pairs.tsv"), path("exact.tsv")))
    check("and parts that were there were not made again", len(kept) >= 8 and kept == there)


TESTS = {"results": test_results, "kills": test_kills, "truncated": test_truncated}


def main():
    if sys.argv[2:3] == ["driver"]:
        driver()
        return 0
    wanted = sys.argv[2:] or [*TESTS, "full-disk", "driver-restart"]
    reference()
    fast = {"spark.speculation": "true", "spark.speculation.interval": "50ms",
            "spark.speculation.multiplier": "1.1", "spark.speculation.quantile": "0.1",
            "spark.speculation.minTaskRuntime": "10ms"}
    spark = None
    for name, test in TESTS.items():
        if name in wanted:
            spark = spark or session(**fast)
            test(spark)
    if spark:
        spark.stop()
    if "full-disk" in wanted:
        spark = session(**{"spark.task.maxFailures": "1"})
        test_full_disk(spark)
        spark.stop()
    if "driver-restart" in wanted:
        test_driver()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
