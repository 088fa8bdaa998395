"""The examples of SQL through Arrow run and print what they should."""

import subprocess
import sys

import doppel
import pytest

duckdb = pytest.importorskip("duckdb")

EXPECTED = {
    "dedup": ["100 of 120 documents kept",
              "[('copy-en-0001', 2), ('copy-en-0002', 2), ('copy-en-0003', 2)]"],
    "decontaminate": ["[('edited', 3), ('embedded', 2)]",
                      "[('item-1', 'en-0001', 402), ('item-2', 'en-0002', 397)]", "95 documents left"],
    "pairs": ["70 pairs"],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_examples(name):
    done = subprocess.run([sys.executable, f"examples/duckdb/{name}.py"], check=True, capture_output=True,
                          text=True)
    assert done.stdout.splitlines()[:len(EXPECTED[name])] == EXPECTED[name]


def test_two_relations_of_one_connection(de):
    db = duckdb.connect()
    db.execute("create table a (id varchar, \"the text\" varchar)")
    db.executemany("insert into a values (?, ?)", [(d["id"], d["text"]) for d in de[:20]])
    result = doppel.dedup(db.sql("from a"), against=db.sql("from a limit 5"), text="the text", lang="de",
                          only_against=True)
    assert len(result.removed) == 5
