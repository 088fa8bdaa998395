"""Remove what a test set has from a training table, and say what was found where.

python3 examples/duckdb/decontaminate.py [TRAIN.jsonl]
"""
import sys

import doppel
import duckdb

path = sys.argv[1] if len(sys.argv) > 1 else "examples/sample/en.jsonl"
db = duckdb.connect()
db.execute("create table train as select id, text from read_json(?)", [path])
db.execute("create table test as select 'item-' || row_number() over () as id, "
           "text[:400] as text from train limit 5")

found = doppel.dedup(db.table("train"), against=db.table("test"), only_against=True, lang="en")
hits = found.contamination.to_arrow()  # item_id, id, how, score, begin, end (bytes)

print(db.sql("select how, count(*) from hits group by how order by how").fetchall())
print(db.sql('select item_id, id, "end" - "begin" as bytes from hits order by item_id limit 2').fetchall())
db.execute("delete from train where id in (select id from hits)")
print(db.sql("select count(*) from train").fetchall()[0][0], "documents left")
