"""Exceptions, progress, Ctrl-C, contexts."""

import inspect
import io
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import doppel
import pytest
from conftest import SAMPLE


def test_files_that_are_missing():
    with pytest.raises(doppel.FileError) as e:
        doppel.open("/nowhere/x.dpl")
    assert isinstance(e.value, OSError) and e.value.errno == 2
    assert e.value.file == "/nowhere/x.dpl"


def test_damaged_lines_have_file_line_and_hint(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"id": "a", "text": "Ein Text."}\n{"id": "b" oops\n')
    with pytest.raises(doppel.FormatError) as e:
        doppel.Collection.make(path, lang="de")
    assert isinstance(e.value, ValueError)
    assert e.value.file == str(path) and e.value.line == 2
    assert e.value.hint and "on_error='skip'" in e.value.hint
    assert e.value.hint in str(e.value)
    assert len(doppel.Collection.make(path, lang="de", on_error="skip")) == 1


def test_memory_limits():
    with doppel.Context(memory="1M"), pytest.raises(doppel.LimitError) as e:
        doppel.Collection.make("examples/sample/de.jsonl")
    assert isinstance(e.value, MemoryError)


def test_contexts_nest(de):
    with doppel.Context(threads=1) as a:
        with doppel.Context(threads=2) as b:
            assert b.threads == 2
            doppel.Collection.make(de)
            assert b.peak > 0
        assert a.threads == 1 and "1 threads" in repr(a)
    with pytest.raises(ValueError):
        doppel.Context(memory="much")
    with pytest.raises(ValueError):
        doppel.Context(cpu="abacus")


def test_progress_calls_a_function(de, en):
    seen = []
    doppel.mine(de * 1, en, progress=lambda stage, unit, done, total: seen.append(stage))
    with doppel.Context(progress=lambda *args: seen.append("context")):
        doppel.mine(de, en)
    assert seen is not None


def test_what_progress_raises_stops_the_work():
    def stop(*_):
        raise KeyError("enough")

    docs = [f"Dokument {i} mit ein paar Worten mehr und der Zahl {i * 7919 % 1009}." * 20
            for i in range(3000)]
    with pytest.raises(KeyError, match="enough"):
        for _ in range(20):
            doppel.pairs(docs, lang="de", threshold=0.01, method="exact", progress=stop)


def test_the_bar():
    from doppel._progress import Bar

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    out = Terminal()
    bar = Bar(out)
    bar("import", "bytes", 512, 2048)
    bar("search", "documents", 5, 0)
    bar.close()
    text = out.getvalue()
    assert "import   25%  [=====>              ]  512 B of 2.0 KiB" in text
    assert "search  5 documents" in text
    silent = io.StringIO()
    bar = Bar(silent)
    bar("import", "bytes", 512, 2048)
    bar.close()
    assert silent.getvalue() == ""


INTERRUPTED = """
import doppel, os, signal, threading, time
docs = [" ".join(f"wort{(i * 31 + k * 7) % 5003}" for k in range(300)) for i in range(30000)]
threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
began = time.time()
try:
    doppel.pairs(docs, lang="de", threshold=0.01, method="exact")
    print("finished")
except KeyboardInterrupt:
    print("interrupted", time.time() - began)
"""


def test_ctrl_c_interrupts_the_work():
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True,
                          timeout=120, env=env)
    assert done.stdout.startswith("interrupted"), (done.stdout, done.stderr)


def test_other_threads_run_meanwhile(de, en):
    n = 0
    stop = threading.Event()

    def count():
        nonlocal n
        while not stop.is_set():
            n += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    doppel.mine(de, en)
    stop.set()
    thread.join()
    assert n > 5


def test_calls_from_several_threads(de, en, by_command, tmp_path):
    results = {}

    def run(i):
        results[i] = doppel.mine(de, en)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len({tuple(map(tuple, r.pairs)) for r in results.values()}) == 1


def test_cancelling_from_another_thread():
    context = doppel.Context()
    docs = [" ".join(f"wort{(i * 31 + k * 7) % 5003}" for k in range(300)) for i in range(20000)]
    threading.Timer(1.0, context.cancel).start()
    with pytest.raises(doppel.StoppedError):
        doppel.pairs(docs, lang="de", threshold=0.01, method="exact", context=context)


def test_options_are_described():
    rows = {o["name"]: o for o in doppel.options("pairs")}
    assert rows["threshold"]["default"] == "0.3; ngram: 0.1"
    assert rows["select"]["value"].startswith("all")
    with pytest.raises(KeyError):
        doppel.options("nothing")


CALLS = {"mine": doppel.mine, "pairs": doppel.pairs, "align": doppel.align, "dedup": doppel.dedup,
         "reuse": doppel.reuse, "import": doppel.Collection.make, "vectors": doppel.Vectors.of,
         "index build": doppel.Index.build, "query": doppel.Index.search, "lexicon learn": doppel.Lexicon.learn,
         "lexicon train": doppel.Lexicon.train, "lexicon import": doppel.Lexicon.from_dictionaries}


@pytest.mark.parametrize("command", CALLS)
def test_calls_take_every_option_that_is_listed(command):
    from doppel import _options

    parameters = set(inspect.signature(CALLS[command]).parameters)
    listed = {o["name"] for o in doppel.options(command) if o["knob_of"] is None}
    assert listed and not listed & {"output", "part"}
    _options.take(command, command, dict.fromkeys(listed - parameters))  # an unknown one is a TypeError
    assert set(map(_options._python, _options._PARAMETERS.get(command, ()))) <= parameters | {"langs"}


def test_mine_starts_from_dictionaries(tmp_path):
    words = tmp_path / "words.tsv"
    words.write_text("Haus\thouse\nSchule\tschool\n", encoding="utf-8")
    sample = [os.path.join(SAMPLE, f"{lang}.jsonl") for lang in ("de", "en")]
    one = doppel.mine(*sample, langs="de,en", dictionary=words, rounds=1)
    two = doppel.mine(*sample, langs="de,en", dictionary=[words, os.path.join(SAMPLE, "words.de-en.tsv")], rounds=1)
    assert len(one.pairs) > 50 and len(two.pairs) > 50
    with pytest.raises(doppel.FileError):
        doppel.mine(*sample, dictionary=tmp_path / "none.tsv")


def test_no_dependency_is_imported():
    code = ("import sys, doppel; print([m for m in ('numpy', 'pyarrow', 'polars', 'pandas', 'json')"
            " if m in sys.modules])")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.stdout.strip() == "[]", done.stderr


def test_every_hint_is_of_a_code_that_exists():
    from doppel._errors import _HINTS

    hints = pathlib.Path("src/cli/hints.c")
    if not hints.exists():
        pytest.skip("not in the repository")
    text = hints.read_text()
    assert [code for code in _HINTS if f'"{code}"' not in text] == []
    assert signal.SIGINT


def test_options_without_effect_are_refused(de):
    with pytest.raises(doppel.UsageError, match="measure='cosine' has no knob 'shingle'"):
        doppel.dedup(de[:3], measure="cosine:shingle=4")
    with pytest.raises(doppel.UsageError, match="'top' applies only with select=best"):
        doppel.pairs(de[:3], de[:3], select="all", top=3)
    with pytest.raises(doppel.UsageError, match="'only_against' applies only with against"):
        doppel.dedup(de[:3], only_against=True)
    with pytest.raises(doppel.UsageError, match="'radix' applies only with function=fuzzy"):
        doppel.pairs(de[:3], method="hash:function=minhash,radix=3")
    assert doppel.dedup(de[:3], measure="containment:shingle=4").summary["documents"] == 3


def test_keywords_are_the_options_of_the_command(de):
    import subprocess

    for command in ("mine", "pairs", "align", "dedup", "reuse", "import", "vectors", "query",
                    "index build", "lexicon train", "lexicon import", "lexicon align"):
        page = subprocess.run([sys.executable, "-m", "doppel", *command.split(), "--help", "all"],
                              capture_output=True, text=True, check=True).stdout
        for option in doppel.options(command):
            name = option["name"].replace("_", "-")
            assert ("--" if option["knob_of"] is None else "") + name in page, (command, name)
    with pytest.raises(TypeError, match="unexpected keyword argument 'best'"):
        doppel.pairs(de[:3], best=3)
    with pytest.raises(TypeError, match="did you mean 'threshold'"):
        doppel.pairs(de[:3], treshold=0.3)
    with pytest.raises(doppel.UsageError, match="'most' is not a value of 'select'"):
        doppel.align("Ein Satz.", "A sentence.", langs="de,en", select="most")


def test_knobs_follow_a_value(de):
    few, many = (doppel.pairs(de, threshold=0.05, method=f"window:tables={n},width=16,length=128",
                              sample=0).summary for n in (1, 9))
    assert many["bits"] == 128 and many["comparisons"] > few["comparisons"]
    assert many["recall_check"]["rows"] == 0
    found = doppel.pairs(de, threshold=0.1, method="hash:function=fuzzy,codes=2")
    assert found.summary["method"] == "hash" and found.summary["recall_check"]["rows"] == 100
    assert len(doppel.pairs(de, de, threshold=0.1, select="one-to-one:optimal")) == len(de)


def test_a_damaged_file_of_ours_is_damaged(tmp_path, en):
    doppel.Collection.make(en[:3], out=tmp_path / "c.dpl")
    (tmp_path / "cut.dpl").write_bytes((tmp_path / "c.dpl").read_bytes()[:999])
    for call in (doppel.open, lambda path: doppel.pairs(path, en), lambda path: doppel.dedup(path)):
        with pytest.raises(doppel.FormatError, match="999 bytes instead of"):
            call(tmp_path / "cut.dpl")
