"""Remove near-duplicates of a table: SQL in, SQL out, through Arrow.

python3 examples/duckdb/dedup.py [DOCS.jsonl]
"""
import sys

import doppel
import duckdb

path = sys.argv[1] if len(sys.argv) > 1 else "examples/sample/en.jsonl"
db = duckdb.connect()
db.execute("create table docs as select id, lang, text from read_json(?)", [path])
db.execute("insert into docs select 'copy-' || id, lang, text || ' The end.' from docs limit 20")

found = doppel.dedup(db.table("docs"), threshold=0.7)
documents = found.documents.to_arrow()  # id, cluster, score, keep, kind: SQL reads it in place

db.execute("create table kept as select d.* from docs d join documents f using (id) where f.keep")
(n_docs, n_kept), = db.sql("select (select count(*) from docs), (select count(*) from kept)").fetchall()
print(f"{n_kept} of {n_docs} documents kept")
print(db.sql("select cluster, count(*) as n from documents group by cluster having n > 1 "
             "order by cluster limit 3").fetchall())
