"""The floor under any BlonDe: bare spaCy over the distinct segments of the files, with the components named.

usage: floor.py COMPONENT[,COMPONENT...] FILE...
"""

import sys
from pathlib import Path

import spacy

from filrouge.language.pipeline import find_pipeline

components, *files = sys.argv[1:]
folder = find_pipeline("en").folder
nlp = spacy.load(folder, exclude=[p.name for p in folder.iterdir() if p.name not in components.split(",")])
texts = dict.fromkeys(line.strip() for file in files for line in Path(file).read_text("utf-8").split("\n")[:-1])
for _ in nlp.pipe(texts, batch_size=128):
    pass
