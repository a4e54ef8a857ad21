"""What it costs to run each text by itself rather than in batches, and whether batches would change the vectors.

    python tools/measure_encoder.py

Prints the table that docs/encoder.md shows. CPU time of one core, on the bundled example's texts.
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from filrouge.language.encoder import load_encoder

EXAMPLE = Path(__file__).parent.parent / "src" / "filrouge" / "example"
BATCHES = (1, 8, 32)
ROUNDS = 3


def main() -> None:
    """Measure and print."""
    texts = sorted({line for path in EXAMPLE.glob("*.en.txt") for line in path.read_text("utf-8").split("\n") if line})
    encoder = load_encoder()
    rows = sorted(([*encoder._before, *ids, *encoder._after] for ids in encoder.piece_ids(texts)), key=len)
    print(f"{len(rows)} texts, {sum(map(len, rows)) / len(rows):.0f} pieces each on average\n")
    print("| texts at once | CPU ms per text | greatest difference of a vector |")
    print("|---|---|---|")
    alone: list[np.ndarray] = []
    for size in BATCHES:
        costs = []
        for _ in range(ROUNDS):
            found = []
            start = time.process_time()
            for first in range(0, len(rows), size):
                batch = rows[first : first + size]
                ids = np.zeros((len(batch), max(map(len, batch))), dtype=np.int64)
                mask = np.zeros_like(ids)
                for i, row in enumerate(batch):
                    ids[i, : len(row)], mask[i, : len(row)] = row, 1
                feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
                (vectors,) = encoder._session.run([encoder._output], feed)
                found += [vectors[i, : len(row)] for i, row in enumerate(batch)]
            costs.append(time.process_time() - start)
        alone = alone or found
        difference = max(float(abs(one - other).max()) for one, other in zip(alone, found, strict=True))
        print(f"| {size} | {1000 * min(costs) / len(rows):.1f} | {difference:.1g} |")


if __name__ == "__main__":
    main()
