"""Pair two tables: documents that are translations of each other, joined in SQL.

python3 examples/duckdb/pairs.py [LEFT.jsonl RIGHT.jsonl]
"""
import sys

import doppel
import duckdb

left, right = sys.argv[1:3] if len(sys.argv) > 2 else (
    f"examples/sample/{lang}.jsonl" for lang in ("de", "en"))
db = duckdb.connect()
for name, path in (("de", left), ("en", right)):
    db.execute(f"create table {name} as select id, lang, title, text from read_json(?)", [path])

mined = doppel.mine(db.table("de"), db.table("en"))
pairs = mined.pairs.to_arrow()  # left_id, right_id, confidence, cosine, margin

print(db.sql("select count(*) from pairs where confidence >= 0.5").fetchall()[0][0], "pairs")
for row in db.sql("select de.title, en.title from pairs join de on de.id = left_id "
                  "join en on en.id = right_id order by confidence desc, left_id limit 3").fetchall():
    print(*row, sep=" | ")
