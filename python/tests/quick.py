"""The part of the tests that needs nothing but Python: docstrings, and results that are those of the
command line ($DOPPEL). The others are run by `tools/test --python`."""

import doctest
import importlib
import json
import os
import pkgutil
import subprocess
import sys
import tempfile

import doppel

TESTS = []


def test(function):
    TESTS.append(function)
    return function


def read(path):
    with open(path, "rb") as file:
        return file.read()


@test
def docstrings():
    names = ["doppel"] + [f"doppel.{m.name}" for m in pkgutil.iter_modules(doppel.__path__)
                          if m.name not in ("_core", "spark", "__main__")]
    for name in names:
        failed, _ = doctest.testmod(importlib.import_module(name))
        assert failed == 0, name


@test
def examples_of_the_manual():
    for page in ("docs/guides/python.md", "README.md"):
        failed, _ = doctest.testfile(os.path.abspath(page), module_relative=False)
        assert failed == 0, page


@test
def mining_gives_the_bytes_of_the_command():
    documents = []
    for lang in ("de", "en"):
        with open(f"examples/sample/{lang}.jsonl", encoding="utf-8") as file:
            documents.append([json.loads(line) for line in file])
    with tempfile.TemporaryDirectory() as folder:
        by_command = os.path.join(folder, "command")
        subprocess.run([os.environ["DOPPEL"], "mine", "examples/sample/de.jsonl",
                        "examples/sample/en.jsonl", "-o", by_command, "--quiet"], check=True)
        result = doppel.mine(*documents)
        saved = os.path.join(folder, "saved")
        result.save(saved)
        for name in ("pairs.tsv", "sentences.tsv", "lexicon.tsv.zst"):
            assert read(os.path.join(by_command, name)) == read(os.path.join(saved, name)), name
        assert {"alone", "words"} <= set(row.reason for row in result.dropped)
        twice = doppel.mine(documents[0] + [dict(documents[0][0], id="again")], documents[1])
        assert [row.reason for row in twice.left_out] == ["duplicate"]
        table = os.path.join(folder, "sentences.tsv")
        result.sentences.write_tsv(table, 5)
        assert read(table) == read(os.path.join(by_command, "sentences.tsv"))
        again = doppel.open(saved)
        assert [r[:2] for r in again.pairs] == [r[:2] for r in result.pairs]


@test
def errors_have_a_file_and_a_line():
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write('{"id": "a", "text": "x"}\n{"id"')
        file.flush()
        try:
            doppel.Collection.make(file.name)
        except doppel.FormatError as error:
            assert (error.file, error.line) == (file.name, 2) and error.hint
        else:
            raise AssertionError("damaged input was read")


@test
def buffers_and_arrow_streams():
    pairs = doppel.pairs([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0]], threshold=0.5)
    view = memoryview(pairs["score"])
    assert view.format == "f" and len(view) == len(pairs) == 1
    again = doppel._core.input_arrow(pairs.__arrow_c_stream__(), None,
                                     lambda names: ((None, "left_id", None, None), []), None)
    assert doppel._core.input_list(again) == [("0", "0")]


@test
def the_command_line_is_in_the_package():
    done = subprocess.run([sys.executable, "-m", "doppel", "--version"], capture_output=True,
                          text=True)
    assert done.returncode == 0 and done.stdout.startswith(f"doppel {doppel.__version__}")


def main():
    failed = 0
    for function in TESTS:
        try:
            function()
        except Exception as error:
            failed += 1
            print(f"FAILED {function.__name__}: {type(error).__name__}: {error}")
    print(f"{len(TESTS) - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
