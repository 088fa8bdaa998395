"""doppel on a Spark cluster: pairs, ngram, dedup and mine of DataFrames, with the results of one machine.

    import doppel.spark
    pairs = doppel.spark.pairs(left, right, folder="/shared/run", threshold=0.3)

Spark distributes tasks; each runs doppel's C core on part files (``.dpl``) in ``folder``, which must
be storage that all workers and the driver see under the same name (NFS, Lustre, a FUSE mount of an
object store that can rename). Between tasks Spark moves the numbers of parts only: documents and
vectors stay in the folder. A part that is there with right checksums is not made again, so a call
that failed, or whose driver was restarted, goes on where it stopped when it is made again with the
same folder and the same arguments.

The order of documents decides between equal scores. It is fixed when they are imported: paths are
read in the order given; a DataFrame is sorted by ``order``, by default its column of ids. Numbers
that Spark makes (monotonically_increasing_id and others) are never used. So results are the same,
byte for byte, for any number of parts, workers and failures, and the same as of the command line
with the same documents in that order.
"""

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections import namedtuple

from doppel._options import given_sides

__all__ = ["DedupResult", "MineResult", "SparkError", "dedup", "mine", "ngram", "pairs"]

DedupResult = namedtuple("DedupResult", "kept clusters folder")
MineResult = namedtuple("MineResult", "pairs sentences folder")

_IMPORT = {"from_", "only_lang", "on_error", "with_title", "wrapped", "max_record", "min_chars",
           "follow_links", "stem", "stop_words", "stop_file", "fields", "encoding", "boilerplate",
           "all_pages", "side", "chapters", "wiki_fields", "fields_in_text"}
_VECTORS = {"ngrams", "weighting", "min_count", "min_terms", "direction"}
_KNOBS = ("matching", "scoring", "max_matching", "max_scoring", "max_candidates", "all_candidates",
          "max_disorder", "by_language")  # of --method ngram


class SparkError(RuntimeError):
    """A task failed; the text is what doppel said."""


# ---- tasks: these run on the workers ------------------------------------------------------


def _die_with_parent():
    """A task that Spark kills takes its command along."""
    import ctypes

    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _forked(args, out, err):
    """Runs the command line that is linked into the extension in a child process: its status."""
    from doppel import _core

    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            _die_with_parent()
            with open(os.devnull, "rb") as null:
                os.dup2(null.fileno(), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            status = _core.cli(["doppel", *args])
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _command(command, args):
    """Runs a command of doppel; the answer is its JSON summary, or None where it has none."""
    import tempfile

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        if command:
            status = subprocess.run([*command, *args], stdin=subprocess.DEVNULL, stdout=out,
                                    stderr=err, preexec_fn=_die_with_parent).returncode
        else:
            status = _forked(args, out, err)
        out.seek(0)
        err.seek(0)
        said = err.read().decode("utf-8", "replace").strip().splitlines()
        text = out.read().decode("utf-8", "replace").strip()
    if status != 0:
        said = [line for line in said if line.strip()][-2:] or [f"exit {status}"]
        raise RuntimeError(f"{' '.join(said)} [on {os.uname().nodename}: doppel {args[0]}]")
    return json.loads(text.splitlines()[-1]) if text.startswith("{") else None


def _written(path, write):
    """A file that appears when it is complete."""
    temporary = f"{path}.{uuid.uuid4().hex}.tmp"
    try:
        with open(temporary, "w", encoding="utf-8") as f:
            write(f)
            f.flush()
            os.fsync(f.fileno())
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _lines(names):
    """Batches of rows to lines of JSON in a file of the partition's own."""
    columns, stage = names

    def write(batches):
        import pyarrow
        from pyspark import TaskContext

        number = TaskContext.get().partitionId()
        path = os.path.join(stage, f"{number:06d}.jsonl")
        n_docs = 0

        def put(f):
            nonlocal n_docs
            for batch in batches:
                values = [batch.column(i).to_pylist() for i in range(len(columns))]
                for row in zip(*values):
                    doc = {k: v for k, v in zip(columns, row) if v is not None}
                    doc.setdefault("text", "")
                    f.write(json.dumps(doc, ensure_ascii=False) + "\n")
                    n_docs += 1

        _written(path, put)
        yield pyarrow.RecordBatch.from_pydict({"shard": [number], "docs": [n_docs]})

    return write


# ---- a run --------------------------------------------------------------------------------


def _flags(options):
    """Options as the command line has them; from_ is --from."""
    flags = []
    for name, value in sorted(options.items()):
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            flags.append(flag)
        elif value is not None and value is not False:
            flags += [flag, str(value)]
    return flags


class _Run:
    """A folder, the parts in it, and how tasks are run."""

    def __init__(self, spark, folder, parts, threads, memory, temp, command):
        from pyspark.sql import SparkSession

        spark = spark or SparkSession.getActiveSession()
        if spark is None:
            raise SparkError("no active Spark session: pass spark=")
        self.spark = spark
        self.context = spark.sparkContext
        self.folder = os.path.abspath(os.fspath(folder))
        self.parts = int(parts or max(2, self.context.defaultParallelism))
        threads = threads or int(spark.conf.get("spark.task.cpus", "1"))
        self.common = ["--json", "--threads", str(threads), "--memory", str(memory)]
        self.temp = temp
        self.command = [command] if isinstance(command, str) else command
        self.steps = []
        os.makedirs(self.folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def tasks(self, what, jobs):
        """Runs jobs as tasks, each some commands, and answers the summary of its last command."""
        command, temp = self.command, self.temp
        common = self.common

        def task(commands):
            began = time.monotonic()
            for args in commands:
                more = ["--temp", temp or os.environ.get("TMPDIR") or "/tmp"]
                if args[0] in ("mine", "dedup"):  # these work in their folder
                    more = []
                said = _command(command, [*args, *common, *more])
            return said, time.monotonic() - began

        began = time.monotonic()
        self.context.setJobDescription(f"doppel: {what}")
        try:
            said = self.context.parallelize(jobs, len(jobs)).map(task).collect()
            self.note(what, began, [s for _, s in said])
            return [answer for answer, _ in said]
        except Exception as e:  # Py4JJavaError: the line that matters is in a long trace
            raise SparkError(_reason(e)) from e
        finally:
            self.context.setJobDescription(None)

    def note(self, what, began, tasks):
        """What a step took, in run.json: for those who wonder where the time goes."""
        self.steps.append({"step": what, "seconds": round(time.monotonic() - began, 3),
                           "tasks": [round(t, 3) for t in tasks]})
        _written(self.path("run.json"), lambda f: json.dump(
            {"parts": self.parts, "steps": self.steps}, f, indent=1))

    # ---- documents ----

    def stage(self, df, name, columns, order):
        """Writes the documents of a DataFrame to files in the folder, in order."""
        from pyspark.sql import functions as f

        began = time.monotonic()
        wanted = {k: c for k, c in columns.items() if c}
        rows = df.select(*[f.col(c).cast("string").alias(k) for k, c in wanted.items()])
        if order is not None:
            rows = df.select(*[f.col(c).cast("string").alias(k) for k, c in wanted.items()],
                             f.col(order).alias("doppel_order"))
        key = "doppel_order" if order is not None else "id"
        hashed = rows.select(f.xxhash64(*rows.columns).alias("h"))
        self.context.setJobDescription(f"doppel: fingerprint of {name}")
        n, print_ = hashed.agg(f.count("h"), f.bit_xor("h")).first()
        mark = {"documents": n, "fingerprint": print_, "columns": wanted, "order": order or "id",
                "parts": self.parts}
        manifest = self.path(f"{name}.json")
        if os.path.exists(manifest):
            with open(manifest, encoding="utf-8") as file:
                have = json.load(file)
            if all(have.get(k) == v for k, v in mark.items()) and all(
                    os.path.getsize(self.path(s)) == b if os.path.exists(self.path(s)) else False
                    for s, b in have["shards"]):
                return [self.path(s) for s, _ in have["shards"]]
        stage = f"{name}.{uuid.uuid4().hex[:12]}"
        os.makedirs(self.path(stage))
        cut = rows.repartitionByRange(self.parts, key).sortWithinPartitions(key)
        self.context.setJobDescription(f"doppel: documents of {name}")
        try:
            made = cut.select(*wanted).mapInArrow(
                _lines((list(wanted), self.path(stage))), "shard long, docs long").collect()
        except Exception as e:
            raise SparkError(_reason(e)) from e
        finally:
            self.context.setJobDescription(None)
        names = [os.path.join(stage, f"{row.shard:06d}.jsonl") for row in sorted(made)]
        mark["shards"] = [[s, os.path.getsize(self.path(s))] for s in names]
        _written(manifest, lambda file: json.dump(mark, file))
        self.note(f"documents of {name}", began, [])
        return [self.path(s) for s in names]

    def collections(self, sides, columns, order, options, langs, then=None):
        """A collection of each side, imported in parts: paths of the files. then(path, side) has
        more commands for the task that merges them."""
        out, jobs, merges = [], [], []
        for side, (name, docs) in enumerate(sides):
            if isinstance(docs, (str, os.PathLike)) and os.fspath(docs).endswith(".dpl"):
                out.append(os.path.abspath(os.fspath(docs)))
                if then:
                    merges.append(then(out[-1], side))
                continue
            keys = []
            if isinstance(docs, (str, os.PathLike)):
                docs = [docs]
            if isinstance(docs, (list, tuple)):
                paths = [os.path.abspath(os.fspath(p)) for p in docs]
                named = [f"{k}={c}" for k, c in columns.items() if c and c != k]
                keys = ["--fields", ",".join(named)] if named else []
                n = self.parts
            else:
                paths = self.stage(docs, name, columns, order)
                n = len(paths)
            given = dict(options)
            if langs[side]:
                given["lang"] = langs[side]
            files = [self.path(f"{name}.{i + 1}-{n}.part") for i in range(n)]
            jobs += [[["import", *paths, *_flags(given), *keys, "--part", f"{i + 1}/{n}", "-o",
                       files[i]]] for i in range(n)]
            made = self.path(f"{name}.dpl")
            merges.append([["merge", *files, "-o", made], *(then(made, side) if then else [])])
            out.append(made)
        if jobs:
            self.tasks("import", jobs)
        if merges:
            self.tasks("merge", merges)
        return out

    def search(self, name, inputs, options):
        """Pairs in parts, merged: the path of the text."""
        files = [self.path(f"{name}.{i + 1}-{self.parts}.part") for i in range(self.parts)]
        self.tasks("pairs", [[["pairs", *inputs, *_flags(options), "--part",
                               f"{i + 1}/{self.parts}", "-o", files[i]]]
                             for i in range(self.parts)])
        made = self.path(f"{name}.tsv")
        (self.summary,) = self.tasks("merge", [[["merge", *files, "-o", made]]])
        return made

    def together(self, name, inputs, options):
        """One run by as many tasks as there are parts: the path of its folder. Tasks need not run
        at the same time: one that comes when the others have done everything ends at once."""
        out = self.path(name)
        self.tasks(name, [[[name, *inputs, *_flags(options), "-o", out, "--part",
                            f"{i + 1}/{self.parts}"]] for i in range(self.parts)])
        return out

    def table(self, path, schema):
        return self.spark.read.csv(path, sep="\t", schema=schema, quote="", escape="", comment="",
                                   nullValue="\x00", ignoreLeadingWhiteSpace=False,
                                   ignoreTrailingWhiteSpace=False, mode="FAILFAST")


def _reason(error):
    """The line of doppel in Spark's trace."""
    text = str(error)
    for line in text.splitlines():
        for mark in ("RuntimeError: ", "OSError: "):
            at = line.find(mark)
            if at >= 0:
                return line[at + len(mark):].strip()
    return text.splitlines()[0] if text else type(error).__name__


def _split(options, *groups):
    out = [{k: v for k, v in options.items() if k in group} for group in groups]
    taken = set().union(*groups)
    return [*out, {k: v for k, v in options.items() if k not in taken}]


def _ngram_method(options):
    """Takes the knobs out of the options: ngram:matching=3,by-language."""
    given = [(k.replace("_", "-"), options.pop(k)) for k in _KNOBS if k in options]
    knobs = [k if v is True else f"{k}={v}" for k, v in given if v is not None and v is not False]
    return ":".join(["ngram"] + ([",".join(knobs)] if knobs else []))


def _begin(folder, parts, threads, memory, temp, spark, command):
    return _Run(spark, folder, parts, threads, memory, temp, command)


# ---- the calls ----------------------------------------------------------------------------


def pairs(left, right=None, *, folder, parts=None, id="id", text="text", lang=None, title=None,
          order=None, langs=None, lexicon=None, threads=None, memory="1G",
          temp=None, spark=None, command=None, **options):
    """Similar documents of two DataFrames, or of one: a DataFrame of left_id, right_id, score.

    ``left`` and ``right`` are DataFrames, paths of documents that doppel reads, or collections
    (``.dpl``). ``id``, ``text``, ``lang`` and ``title`` name the columns. ``folder`` is on shared
    storage; ``langs`` are the languages of the sides ("de,en"); ``parts`` is the number of tasks of a step, by default Spark's parallelism. ``lexicon``,
    a path, projects the left side. ``memory`` is the limit of each task, the same for all;
    ``threads`` its threads, by default spark.task.cpus; ``temp`` its folder for temporary files, by
    default $TMPDIR of the worker. Options are those of ``doppel pairs``, and of ``doppel import`` and
    ``doppel vectors``, with underscores: ``threshold``, ``method``, ``select``, ``margin``, ``stem``.
    """
    run = _begin(folder, parts, threads, memory, temp, spark, command)
    columns = {"id": id, "text": text, "lang": lang, "title": title}
    reading, weighting, searching = _split(options, _IMPORT, _VECTORS)
    sides = [("left", left)] + ([("right", right)] if right is not None else [])
    vectors = [run.path(f"{name}.vectors.dpl") for name, _ in sides]

    def weigh(collection, side):
        more = ["--lexicon", os.path.abspath(os.fspath(lexicon))] if lexicon and side == 0 else []
        return [["vectors", collection, *more, *_flags(weighting), "-o", vectors[side]]]

    run.collections(sides, columns, order, reading, given_sides("spark", langs), weigh)
    out = run.search("pairs", vectors, searching)
    return run.table(out, "left_id string, right_id string, score double")


def ngram(left, right=None, *, folder, parts=None, id="id", text="text", lang=None, title=None,
          order=None, langs=None, lexicon=None, threads=None, memory="1G",
          temp=None, spark=None, command=None, **options):
    """The same by shared n-grams of words (``doppel pairs --method ngram``): tasks score the
    candidates of some of the left documents, and the cost is linear in the number of documents.
    With one DataFrame and ``by_language=True``, pairs between its languages."""
    run = _begin(folder, parts, threads, memory, temp, spark, command)
    columns = {"id": id, "text": text, "lang": lang, "title": title}
    reading, searching = _split(options, _IMPORT)
    sides = [("left", left)] + ([("right", right)] if right is not None else [])
    found = run.collections(sides, columns, order, reading, given_sides("spark", langs))
    if lexicon:
        searching["lexicon"] = os.path.abspath(os.fspath(lexicon))
    searching["method"] = _ngram_method(searching)
    out = run.search("ngrams", found, searching)
    return run.table(out, "left_id string, right_id string, score double")


def dedup(docs, *, folder, parts=None, id="id", text="text", lang=None, title=None, order=None,
          threads=None, memory="1G", temp=None, spark=None, command=None, **options):
    """Copies and near-duplicates: ``kept`` is a DataFrame with the ids that stay, ``clusters`` has id,
    cluster, score and keep. Documents are imported in parts, and tasks share what follows
    (``doppel dedup --part``). Options are those of ``doppel dedup``."""
    from pyspark.sql import functions as f

    run = _begin(folder, parts, threads, memory, temp, spark, command)
    columns = {"id": id, "text": text, "lang": lang, "title": title}
    reading, searching = _split(options, _IMPORT)
    (collection,) = run.collections([("docs", docs)], columns, order, reading, [None])
    out = run.together("dedup", [collection], searching)
    clusters = run.table(os.path.join(out, "clusters.tsv"),
                         "id string, cluster string, score double, keep int")
    return DedupResult(clusters.where(f.col("keep") == 1).select("id"), clusters, out)


def mine(left, right, *, folder, parts=None, id="id", text="text", lang=None, title=None,
         order=None, langs=None, threads=None, memory="4G", temp=None,
         spark=None, command=None, **options):
    """Parallel documents and sentences of two languages, without training data: DataFrames of
    ``pairs`` (left_id, right_id, confidence) and ``sentences``. Documents are imported in parts; searches
    and alignments are shared by all tasks (``doppel mine --part``), the rest each does itself.
    ``folder`` on the result is what ``doppel mine`` leaves: report.html, run.json, lexicon. Options
    are those of ``doppel mine``."""
    run = _begin(folder, parts, threads, memory, temp, spark, command)
    columns = {"id": id, "text": text, "lang": lang, "title": title}
    reading, mining = _split(options, _IMPORT)
    found = run.collections([("left", left), ("right", right)], columns, order, reading,
                            given_sides("spark", langs))
    out = run.together("mine", found, mining)
    return MineResult(
        run.table(os.path.join(out, "pairs.tsv"),
                  "left_id string, right_id string, confidence double"),
        run.table(os.path.join(out, "sentences.tsv"),
                  "left_id string, right_id string, left_sentence string, right_sentence string, "
                  "score double"), out)
