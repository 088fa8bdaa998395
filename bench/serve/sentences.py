"""Documents and queries of random sentences, from documents (JSON Lines) on standard input.

    sentences.py N_DOCS DOCS.jsonl QUERIES.txt

A document has 3 to 12 sentences, a query as many as make 300 words; 2,000 queries, one a line.
"""
import json
import random
import re
import sys

rng = random.Random(5)
sentences = []
for line in sys.stdin:
    text = json.loads(line)['text']
    sentences += [' '.join(s.split()) for s in re.split(r'(?<=[.!?])\s+', text) if 20 < len(s) < 400]
with open(sys.argv[2], 'w') as out:
    for i in range(int(sys.argv[1])):
        document = {'id': f'd{i}', 'lang': 'en', 'title': rng.choice(sentences)[:60],
                    'text': ' '.join(rng.choices(sentences, k=rng.randint(3, 12)))}
        out.write(json.dumps(document) + '\n')
with open(sys.argv[3], 'w') as out:
    for _ in range(2000):
        words = []
        while len(words) < 300:
            words += rng.choice(sentences).split()
        out.write(' '.join(words[:300]) + '\n')
